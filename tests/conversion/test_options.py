"""The options of a conversion: what takes them, and what they are tried with. A new one is forgotten nowhere."""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from laws.catalogues import OPTIONS
from toolbridge import Toolbox, convert
from toolbridge.arrow.kernel import Kernel
from toolbridge.cli.arguments import parse, parser
from toolbridge.cli.configuration import actions_of
from toolbridge.cli.options import Options
from toolbridge.conversion.options import DocumentOptions, ItemOptions, conversion_options

ALL = DocumentOptions.__optional_keys__
OF_REMAINDERS = {"restore", "embed", "key"}
DOCS = Path(__file__).parents[2] / "docs"


def options_of(function: Any) -> set[str]:
    return {name for name, it in signature(function).parameters.items() if it.kind is it.KEYWORD_ONLY}


def test_convert_and_bridges_take_the_same_options() -> None:
    assert options_of(convert) - {"source", "kind"} == options_of(conversion_options) == ALL
    assert ItemOptions.__optional_keys__ == ALL - OF_REMAINDERS


@pytest.mark.parametrize(
    ("taking", "taken", "without"),
    [
        ("Toolbox", options_of(Toolbox), OF_REMAINDERS),
        ("Kernel", {*Kernel.__struct_fields__}, {*OF_REMAINDERS, "on_error"}),
    ],
)
def test_every_option_is_one_of(taking: str, taken: set[str], without: set[str]) -> None:
    assert not ALL - without - taken, f"{taking} does not pass these options on: add them, or name them here"


def test_every_option_is_one_of_the_command() -> None:
    missing = ALL - {"restore"} - Options.of(parse(["convert", "-", "--to", "mcp"])).others.keys()
    assert not missing, "no option of the command: add it in cli/arguments.py and cli/options.py"


def test_the_fast_path_is_tried_with_every_option() -> None:
    tried = {name for options in OPTIONS for name in options}
    missing = ALL - OF_REMAINDERS - {"limits"} - tried
    assert not missing, (
        "options that the fast path may ignore: add values to OPTIONS of tests/laws/catalogues.py; with those that it "
        "does not know, ConversionOptions.converts_plainly is false"
    )


@pytest.mark.parametrize("command", parser()[1])
def test_every_option_of_the_command_is_on_a_page(command: str) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    given = {each for action in actions_of(parser()[1][command]) for each in action.option_strings if each[1] == "-"}
    missing = {each for each in given if each not in text} - {"--help"}
    assert not missing, "options that no page names: docs/command.md, or the page of the command"
