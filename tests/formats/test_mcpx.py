"""Quirks of mcpx servlets and plugins."""

from __future__ import annotations

from typing import Any

import pytest

from report_parts import source_places as told
from toolbridge import DocumentError, LossError, check, convert, detect

TOOL: dict[str, Any] = {"name": "resize-image", "description": "Scales.", "inputSchema": {"type": "object"}}
BOTH = ("mcpx@servlet", "mcpx@plugin")


@pytest.mark.parametrize("target", BOTH)
@pytest.mark.parametrize("title", [None, "Resize an image"])
def test_a_missing_description_is_the_title_or_the_name(target: str, title: str | None) -> None:
    document = {"name": "resize", "inputSchema": {"type": "object"}, **({"title": title} if title else {})}
    done = convert(document, target, source="mcp")
    assert done.value["description"] == (title or "resize")
    assert "/description" in {loss.target for loss in done.report.matching("TB401")}
    assert convert(done.value, "mcp", source=target, restore=done.remainder or False).value == document


@pytest.mark.parametrize("schema", [{}, {"properties": {"a": {}}}, {"title": "x"}, {"type": "object"}])
@pytest.mark.parametrize("source", BOTH)
def test_the_input_schema_is_free(schema: dict[str, Any], source: str) -> None:
    document = {**TOOL, "inputSchema": schema}
    assert check(document, source) == []
    done = convert(document, "mcp@2025-06-18", source=source)
    assert done.value["inputSchema"] == {"type": "object", **schema}
    assert check(done.value, "mcp@2025-06-18") == []
    if "type" not in schema:
        assert "/inputSchema/type" in {loss.target for loss in done.report}
    assert convert(done.value, source, source="mcp@2025-06-18", restore=done.remainder or False).value == document


@pytest.mark.parametrize("schema", [{"type": "array"}, {"type": ["object", "null"]}, {"type": "string"}])
def test_a_root_that_is_no_object_is_told(schema: dict[str, Any]) -> None:
    document = {**TOOL, "inputSchema": schema}
    try:
        done = convert(document, "mcp@2025-06-18", source="mcpx")
    except LossError as error:
        assert error.report[0].source.startswith("/inputSchema")  # noqa: PT017 - either is an answer
        return
    assert done.value["inputSchema"]["type"] == "object"
    assert any(place.startswith("/inputSchema") for _, place in told(done))
    assert check(done.value, "mcp@2025-06-18") == []


def test_references_and_definitions_are_allowed() -> None:
    schema = {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}, "$defs": {"B": {"type": "integer"}}}
    done = convert({**TOOL, "inputSchema": schema}, "mcpx", source="mcp")
    assert done.value["inputSchema"] == schema
    assert done.report.lossless


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("title", "T", "TB101"),
        ("outputSchema", {"type": "object"}, "TB101"),
        ("annotations", {"destructiveHint": True}, "TB601"),
        ("icons", [{"src": "a"}], "TB101"),
        ("_meta", {"a": 1}, "TB101"),
        ("vendor", 1, "TB102"),
    ],
)
@pytest.mark.parametrize("target", BOTH)
def test_what_a_description_cannot_say_is_told(key: str, value: Any, code: str, target: str) -> None:
    done = convert({**TOOL, key: value}, target, source="mcp@2025-11-25")
    assert done.value == TOOL
    assert {found for found, place in told(done) if place.startswith(f"/{key}")} == {code}


def test_a_servlet_has_one_tool_and_a_plugin_lists_them() -> None:
    done = convert({"tools": [TOOL]}, "mcpx@servlet", source="mcp@2025-06-18")
    assert done.value == [TOOL]
    assert convert({"tools": [TOOL]}, "mcpx@plugin", source="mcp@2025-06-18").value == {"tools": [TOOL]}


def test_tools_of_a_plugin_become_a_list_of_servlets() -> None:
    """R14: no servlet has a list of tools; what stood around it is reported."""
    document = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL], "x": 1}}
    for given, lost in (({"tools": [TOOL]}, set()), (document, {"/jsonrpc", "/id", "/result/x"})):
        done = convert(given, "mcpx@servlet", source="mcpx@plugin")
        assert done.value == [TOOL]
        assert {loss.source for loss in done.report} == lost
        assert convert(done.value, "mcpx@plugin", source="mcpx@servlet", restore=done.remainder).value == given


def test_a_schema_without_a_type_is_more_like_mcpx() -> None:
    # "mcpx-only when inputSchema lacks type: object"
    assert detect({**TOOL, "inputSchema": {"properties": {}}}).family in ("mcpx", "hyper-mcp")


def test_with_no_other_evidence_it_is_mcp_and_the_tie_is_said() -> None:
    done = convert(TOOL, "arcade")
    assert done.report.source.startswith("mcp@")
    assert done.report.assumed
    assert {"mcpx@servlet", "mcpx@plugin"} & set(done.report.ties)


@pytest.mark.parametrize("source", BOTH)
def test_the_description_is_required(source: str) -> None:
    with pytest.raises(DocumentError, match="/description: required, but missing"):
        convert({"name": "a", "inputSchema": {}}, "mcp", source=source)
