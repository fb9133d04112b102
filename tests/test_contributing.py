"""The worked example of CONTRIBUTING.md: a new family is one file, one line in the house, and its documents."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from laws import law
from test_docs import Block, blocks
from test_fixtures import breaches
from toolbridge import DocumentError, api, convert, detect, formats, get_format
from toolbridge.cli import main
from toolbridge.conversion.detect import recognise
from toolbridge.formats import registry
from toolbridge.mapping.format import Format

PAGE = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"
NAME = "toolbridge.formats.toolcard"


def of(language: str) -> Block:
    """The only block of a language on the page."""
    (block,) = (block for block in blocks(PAGE.read_text(encoding="utf-8")) if block.language == language)
    return block


CARDS: list[Any] = json.loads(of("json").text)


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Format]:
    """The format of the example, in the house while a test runs."""
    file = tmp_path / "toolcard.py"
    file.write_text(of("python").text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(NAME, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, NAME, module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(formats, "ALL_FORMATS", (*formats.ALL_FORMATS, *module.FORMATS))
    monkeypatch.setattr(registry, "_found", {})
    api._bridge.cache_clear()
    yield get_format("toolcard")
    api._bridge.cache_clear()


def others() -> dict[Format, list[Any]]:
    """The fixtures of all other formats."""
    from test_fixtures import FILES, lines

    return {get_format(f"{file.parent.name}@{file.stem}"): lines(file) for file in FILES}


def test_the_room_has_the_doors() -> None:
    text = of("python").text
    assert re.findall(r"^# (\w+)$", text, re.MULTILINE) == ["models", "values", "tables", "formats"]


def test_it_is_found_and_recognised(card: Format) -> None:
    assert get_format("toolcard") is get_format("toolcard@1") is card
    for document in (*CARDS, CARDS, {"tools": CARDS}):
        assert detect(document) is card


def test_the_other_formats_are_still_recognised(card: Format) -> None:
    for form, documents in others().items():
        assert form is not card
        found = recognise(documents)
        assert form is found.format or form.id in found.ties


def test_identity(card: Format) -> None:
    for document in CARDS:
        assert law.identity(document, card) is None


@pytest.mark.parametrize("other", law.WRITABLE, ids=[form.id for form in law.WRITABLE])
def test_laws_towards(card: Format, other: Format) -> None:
    for document in CARDS:
        assert breaches(document, card, other) == []


def test_laws_from(card: Format) -> None:
    for form, documents in others().items():
        for document in documents:
            assert breaches(document, form, card) == []


def test_a_catalogue_has_its_names_made_unique(card: Format) -> None:
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("Tide", "TIDE", "wind")]
    value, report, remainder = convert({"tools": tools}, card, source="mcp@2025-11-25")
    names = [each["tool"] for each in value["tools"]]
    assert len(set(names)) == 3
    assert names[2] == "wind"
    assert report.counts()["TB501"] == 2
    assert convert(value, "mcp", restore=remainder).value == {"tools": tools}


def test_a_name_that_cannot_be_written(card: Format) -> None:
    with pytest.raises(DocumentError, match=r"^/name: a name needs at least one character"):
        convert({"name": " ", "inputSchema": {"type": "object"}}, card, source="mcp@2025-11-25")


@pytest.mark.usefixtures("card")
def test_the_command_knows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cards.json"
    file.write_text(json.dumps(CARDS), encoding="utf-8")
    assert main(["convert", str(file), "--to", "mcp", "-o", str(tmp_path / "out.json")]) == 0
    assert "toolcard@1 (detected) -> mcp@" in capsys.readouterr().err
    assert main(["formats"]) == 0
    assert "toolcard@1" in capsys.readouterr().out
