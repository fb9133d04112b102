"""One definition of what maps to what: a row that is new in a table changes both paths, and nothing else has to."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import UNSET, UnsetType, structs

from laws import same_result
from toolbridge import get_format
from toolbridge.api import Bridge
from toolbridge.conversion.parsed_document import parse_document
from toolbridge.formats.mcpx import tools as mcpx
from toolbridge.mapping.format import Format
from toolbridge.mapping.record import Row, local, row
from toolbridge.mapping.table import Table


class Tool(mcpx.ToolDescription, kw_only=True):
    """A tool with a label and a heading for people, which mcpx does not know."""

    label: str | UnsetType = UNSET
    heading: str | UnsetType = UNSET


MCPX = get_format("mcpx@plugin")
LABELLED = structs.replace(
    MCPX,
    id="mcpx@labelled",
    tool=Table(
        Tool,
        *(*MCPX.tool.order, row("/label", "title"), local("/heading")),
        invent=MCPX.tool.invent,
        free=(*MCPX.tool.free, "title"),
    ),
)
MCP = get_format("mcp@2025-11-25")


def by_both_paths(bridge: Bridge, tools: list[dict[str, Any]]) -> list[tuple[list[Any], list[str]]]:
    """What comes out of both paths, with the codes."""
    usual = bridge.convert_parsed(parse_document(tools), fast=False)
    lines = "\n".join(map(json.dumps, tools))
    data, report = bridge.bytes(lines)
    fast = [json.loads(line) for line in data.splitlines()], [loss.code for loss in report]
    return [(usual.value, [loss.code for loss in usual.report]), fast]


@pytest.mark.parametrize(
    ("source", "title", "codes"),
    [(MCPX, UNSET, {"TB102"}), (LABELLED, "For people", set[str]())],
    ids=["without", "with"],
)
def test_reading(source: Format, title: Any, codes: set[str]) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    tools = [
        {"name": f"tool_{n}", "description": "Does it.", "label": "For people", "inputSchema": schema}
        for n in range(20)
    ]
    bridge = Bridge(source, MCP)
    for value, found in by_both_paths(bridge, tools):
        assert [tool.get("title", UNSET) for tool in value] == [title] * 20
        assert set(found) == codes
    # A field that no row knows takes the general path.
    assert same_result.fast(bridge, tools[0]) is (source is LABELLED)


@pytest.mark.parametrize("target", [MCPX, LABELLED], ids=["without", "with"])
def test_writing(target: Format) -> None:
    tools = [
        {"name": f"tool_{n}", "title": "For people", "description": "Does it.", "inputSchema": {"type": "object"}}
        for n in range(20)
    ]
    bridge = Bridge(MCP, target)
    said = target is LABELLED
    for value, found in by_both_paths(bridge, tools):
        assert [tool.get("label") for tool in value] == ["For people" if said else None] * 20
        assert found == ([] if said else ["TB101"] * 20)
    assert same_result.fast(bridge, tools[0])


def test_a_constant_of_one_edition_where_another_has_a_field() -> None:
    """What is the same in all documents is no loss, and no loss is without a code."""

    def edition(name: str, at_label: Row, *rows: Row) -> Format:
        table = Table(Tool, *MCPX.tool.order, at_label, *rows, invent=MCPX.tool.invent)
        return structs.replace(MCPX, id=f"mcpx@{name}", tool=table)

    one = edition("one", local("/label", default="tool", code=""), row("/heading", "title"))
    other = edition("other", row("/label", "title"), local("/heading"))
    tool = {"name": "add", "description": "Adds.", "heading": "Add", "label": "tool", "inputSchema": {"type": "object"}}
    for document, codes in ((tool, set[str]()), (tool | {"label": "other"}, {"TB101"})):
        converted = Bridge(one, other)(document)
        assert converted.value["label"] == "Add"
        assert {loss.code for loss in converted.report} == codes
