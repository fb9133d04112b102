"""Quirks of hyper-mcp plugins."""

from __future__ import annotations

from typing import Any

import pytest

from report_parts import source_places as told
from toolbridge import DocumentError, check, convert, detect

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"gauge": {"type": "string"}}, "required": ["gauge"]}
TOOL: dict[str, Any] = {
    "name": "read_tide",
    "title": "Read a tide",
    "description": "Says how high the water stands.",
    "inputSchema": SCHEMA,
    "outputSchema": {"type": "object", "properties": {"metres": {"type": "number"}}, "required": ["metres"]},
    "annotations": {"audience": ["assistant"], "priority": 0.5, "lastModified": "2026-01-01T00:00:00Z"},
}


def test_its_annotations_are_not_those_of_an_mcp_tool() -> None:
    done = convert(TOOL, "mcp@2025-06-18", source="hyper-mcp")
    assert "annotations" not in done.value
    assert {place for _, place in told(done)} == {
        "/annotations/audience",
        "/annotations/priority",
        "/annotations/lastModified",
    }
    assert convert(done.value, "hyper-mcp", source="mcp@2025-06-18", restore=done.remainder or False).value == TOOL


def test_hints_of_an_mcp_tool_have_no_place() -> None:
    document = {"name": "a", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True, "title": "A"}}
    done = convert(document, "hyper-mcp", source="mcp@2025-06-18")
    assert "annotations" not in done.value
    assert done.value["title"] == "A"
    assert ("TB601", "/annotations/readOnlyHint") in told(done)


def test_mcp_s_meta_has_no_place() -> None:
    document = {"name": "a", "inputSchema": {"type": "object"}, "_meta": {"a": 1}}
    done = convert(document, "hyper-mcp", source="mcp@2025-06-18")
    assert "_meta" not in done.value
    assert any(code == "TB101" and place.startswith("/_meta") for code, place in told(done))


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("additionalProperties", False, "TB204"),
        ("additionalProperties", {"type": "string"}, "TB201"),
        ("additionalProperties", True, "TB103"),
        ("minProperties", 1, "TB201"),
        ("oneOf", [{"required": ["s"]}, {"required": ["t"]}], "TB203"),
        ("description", "The arguments", "TB103"),
        ("title", "Arguments", "TB103"),
        ("$schema", "http://json-schema.org/draft-07/schema#", "TB103"),
        ("x-order", 1, "TB103"),
    ],
)
def test_the_root_has_three_keywords(key: str, value: Any, code: str) -> None:
    document = {"name": "a", "inputSchema": {**SCHEMA, key: value}}
    done = convert(document, "hyper-mcp", source="mcp@2025-06-18")
    assert done.value["inputSchema"] == SCHEMA
    assert (code, f"/inputSchema/{key}") in told(done)
    assert check(done.value, "hyper-mcp") == []
    assert convert(done.value, "mcp@2025-06-18", source="hyper-mcp", restore=done.remainder or False).value == document


def test_references_are_written_out() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/A", "description": "B"}},
        "$defs": {"A": {"type": "object", "properties": {"x": {"type": "integer"}}}},
    }
    done = convert({"name": "a", "inputSchema": schema}, "hyper-mcp", source="mcp@2025-06-18")
    inner = {"type": "object", "properties": {"x": {"type": "integer"}}}
    assert done.value["inputSchema"] == {
        "type": "object",
        "properties": {"a": inner, "b": {**inner, "description": "B"}},
    }
    assert not done.report.matching("TB2", "TB3")


def test_its_own_references_come_home() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"$ref": "#/properties/c"},
            "b": {"$ref": "#/properties/c"},
            "c": {"type": "object", "properties": {"x": {"type": "string"}}},
        },
    }
    document = {"name": "a", "inputSchema": schema}
    for target in ("mcp@2025-06-18", "mcpx", "arcade", "hyper-mcp@1"):
        done = convert(document, target, source="hyper-mcp@2")
        restored = convert(done.value, "hyper-mcp@2", source=target, restore=done.remainder or False)
        assert restored.value == document, target


@pytest.mark.parametrize("output", [{}, {"type": "array"}, {"type": "string"}, {"anyOf": [{"type": "object"}, {}]}])
def test_d8_an_output_that_is_no_object_is_that_of_a_property(output: dict[str, Any]) -> None:
    """D8: it was dropped, though MCP's servers wrap such results."""
    document = {"name": "a", "inputSchema": {"type": "object"}, "outputSchema": output}
    done = convert(document, "hyper-mcp", source="mcp@2026-07-28")
    assert done.value["outputSchema"] == {"type": "object", "properties": {"result": output}, "required": ["result"]}
    assert told(done) == {("TB508", "/outputSchema")}
    assert convert(done.value, "mcp@2026-07-28", source="hyper-mcp", restore=done.remainder or False).value == document


def test_d8_an_output_whose_root_is_a_reference_to_an_object_is_not_wrapped() -> None:
    output = {"$ref": "#/$defs/T", "$defs": {"T": {"type": "object", "properties": {"a": {"type": "string"}}}}}
    document = {"name": "a", "inputSchema": {"type": "object"}, "outputSchema": output}
    done = convert(document, "hyper-mcp", source="mcp@2026-07-28")
    assert done.value["outputSchema"] == {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize("schema", [{}, {"type": "array"}, {"type": ["object"]}])
@pytest.mark.parametrize("key", ["inputSchema", "outputSchema"])
def test_a_schema_must_be_of_an_object(schema: dict[str, Any], key: str) -> None:
    document = {"name": "a", "inputSchema": {"type": "object"}, key: schema}
    with pytest.raises(DocumentError) as found:
        convert(document, "mcp", source="hyper-mcp@2")
    assert found.value.pointer == f"/{key}/type"
    assert [error.pointer for error in check(document, "hyper-mcp@2")] == [f"/{key}/type"]


def test_content_annotations_tell_it_from_mcp() -> None:
    assert detect(TOOL).id == "hyper-mcp@2"
    assert detect({"tools": [TOOL]}).id == "hyper-mcp@2"
    hinting = {**TOOL, "annotations": {"readOnlyHint": True, "title": "T"}}
    assert detect(hinting).family == "mcp"


def test_a_list_of_version_2_ties_with_mcp() -> None:
    plain = {"name": "now", "title": "Now", "inputSchema": {"type": "object"}}
    done = convert({"tools": [plain]}, "arcade")
    assert done.report.source == "mcp@2025-06-18"
    assert "hyper-mcp@2" in done.report.ties


def test_version_1_is_as_mcpx() -> None:
    document = {"name": "a", "description": "A.", "inputSchema": {}}
    for target in ("mcpx@servlet", "mcpx@plugin"):
        assert convert(document, target, source="hyper-mcp@1").value == document
    done = convert(TOOL, "hyper-mcp@1", source="hyper-mcp@2")
    assert set(done.value) >= {"name", "description", "inputSchema"}
    assert check(done.value, "hyper-mcp@1") == []


def test_required_is_a_list() -> None:
    """The interface says so, whatever JSON Schema allowed up to draft 3."""
    document = {"name": "a", "inputSchema": {"type": "object", "required": True}}
    assert [error.pointer for error in check(document, "hyper-mcp@2")] == ["/inputSchema/required"]


def test_losses_of_a_wrapped_output_have_places_in_the_source() -> None:
    """They had places in the wrapper: /outputSchema/properties/result/$ref."""
    for output, place in (({"$ref": "x"}, "/$ref"), ({"type": "array", "items": {"$ref": "x"}}, "/items/$ref")):
        source = {"name": "a", "inputSchema": {"type": "object"}, "outputSchema": output}
        done = convert(source, "hyper-mcp@2", source="mcp@2026-07-28")
        assert ("TB206", f"/outputSchema{place}") in told(done)
        assert done.value["outputSchema"]["required"] == ["result"]
        assert convert(done.value, "mcp@2026-07-28", source="hyper-mcp@2", restore=done.remainder).value == source
