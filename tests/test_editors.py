"""What an editor shows: the public names behind `toolbridge.`, with their signatures, without running anything."""

from __future__ import annotations

import jedi
import pytest

import toolbridge


def test_completion_knows_the_public_names() -> None:
    code = "import toolbridge\ntoolbridge."
    names = {completion.name for completion in jedi.Script(code).complete(2, len("toolbridge."))}
    assert set(toolbridge.__all__) <= names


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("bridge", ["source", "to"]),
        ("check", ["document", "format"]),
        ("convert", ["document", "to", "source"]),
        ("convert_file", ["path", "to"]),
        ("get_format", ["name"]),
        ("Toolbox", ["tools", "to"]),
    ],
)
def test_signatures(name: str, first: list[str]) -> None:
    code = f"import toolbridge\ntoolbridge.{name}("
    (signature,) = jedi.Script(code).get_signatures(2, len(f"toolbridge.{name}("))
    assert [parameter.name for parameter in signature.params if parameter.name != "*"][: len(first)] == first


def test_the_parts_of_a_conversion_are_known() -> None:
    code = "import toolbridge\nconverted = toolbridge.convert({}, 'mcp')\nconverted."
    names = {completion.name for completion in jedi.Script(code).complete(3, len("converted."))}
    assert {"value", "report", "remainder", "names", "argument_maps"} <= names
