"""Quirks of Amazon Bedrock's Converse API."""

from __future__ import annotations

from typing import Any

import pytest

from report_parts import codes_within as codes
from toolbridge import LossError, check, convert, detect, fix
from toolbridge.formats.bedrock.tools import hosted

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}
CLOSED: dict[str, Any] = {**SCHEMA, "additionalProperties": False}
TOOL: dict[str, Any] = {"toolSpec": {"name": "tide", "description": "Says.", "inputSchema": {"json": SCHEMA}}}
MCP: dict[str, Any] = {"name": "tide", "description": "Says.", "inputSchema": SCHEMA}
CACHE: dict[str, Any] = {"cachePoint": {"type": "default"}}


def spec(**fields: Any) -> dict[str, Any]:
    return {"toolSpec": {**TOOL["toolSpec"], **fields}}


def test_a_tool_survives_the_round_trip() -> None:
    done = convert(TOOL, "mcp", source="bedrock")
    assert (done.value, done.report.lossless) == (MCP, True)
    restored = convert(MCP, "bedrock", source="mcp")
    assert (restored.value, restored.report.lossless) == (TOOL, True)


@pytest.mark.parametrize("said", [{}, {"description": ""}])
def test_a_description_is_never_empty(said: dict[str, str]) -> None:
    document = {**{key: MCP[key] for key in ("name", "inputSchema")}, **said}
    done = convert(document, "bedrock", source="mcp")
    assert "description" not in done.value["toolSpec"]
    assert codes(done, "/description") == ({"TB101"} if said else set())
    assert convert(done.value, "mcp", source="bedrock", restore=done.remainder or False).value == document


def test_an_empty_description_that_the_service_refuses_is_repaired() -> None:
    """It was an error; but what is meant is plain, and `fix` is for tools that the vendor refuses."""
    own = spec(description="")
    assert [error.pointer for error in check(own, "bedrock")] == ["/toolSpec/description"]
    done = convert(own, "mcp", source="bedrock")
    assert codes(done, "/toolSpec/description") == {"TB001"}
    assert convert(done.value, "bedrock", source="mcp", restore=done.remainder or False).value == own
    plain: dict[str, Any] = {key: inner for key, inner in TOOL["toolSpec"].items() if key != "description"}
    assert fix(own, "bedrock").value == {"toolSpec": plain}


def test_empty_descriptions_of_agents_are_repaired() -> None:
    texts = {"type": "string", "description": "Where"}
    own = {"name": "tide", "description": "", "parameters": {"at": {"type": "string", "description": ""}, "on": texts}}
    assert fix(own, "bedrock@agents", source="bedrock@agents").value == {
        "name": "tide",
        "parameters": {"at": {"type": "string"}, "on": texts},
    }


@pytest.mark.parametrize(("schema", "kept"), [(CLOSED, True), (SCHEMA, False)])
def test_strict_is_said_of_what_keeps_the_rules(schema: dict[str, Any], kept: bool) -> None:
    source = {"name": "tide", "description": "Says.", "input_schema": schema, "strict": True}
    done = convert(source, "bedrock", source="anthropic@strict")
    assert done.value["toolSpec"].get("strict") is (True if kept else None)
    assert codes(done, "/strict") == (set() if kept else {"TB603"})
    assert convert(done.value, "anthropic@strict", source="bedrock", restore=done.remainder or False).value == source


def test_its_own_strict_is_left_alone() -> None:
    assert convert(spec(strict=True), "bedrock", source="bedrock").value == spec(strict=True)


@pytest.mark.parametrize("name", ["web.search", "a" * 65, "with space"])
def test_names_have_64_characters_and_no_dots(name: str) -> None:
    done = convert({**MCP, "name": name}, "bedrock", source="mcp")
    assert codes(done, "/name") == {"TB501"}
    assert check(done.value, "bedrock") == []
    assert [error.pointer for error in check(spec(name=name), "bedrock")] == ["/toolSpec/name"]


def test_a_node_has_one_type() -> None:
    schema = {"type": "object", "properties": {"place": {"type": ["string", "null"]}}}
    done = convert({**MCP, "inputSchema": schema}, "bedrock", source="mcp")
    told = done.value["toolSpec"]["inputSchema"]["json"]["properties"]["place"]
    assert told == {"anyOf": [{"type": "string"}, {"type": "null"}]}


# around the tools


@pytest.mark.parametrize(
    ("document", "none"), [(CACHE, True), ({"systemTool": {"name": "nova_grounding"}}, True), (TOOL, False)]
)
def test_what_is_no_tool_of_the_caller(document: dict[str, Any], none: bool) -> None:
    assert hosted(document) is none


def test_cache_points_stay_where_they_are() -> None:
    listed = [TOOL, CACHE]
    assert detect(listed).id == "bedrock@converse"
    assert check(listed, "bedrock") == []
    assert convert(listed, "bedrock", source="bedrock").value == listed
    done = convert(listed, "mcp", source="bedrock")
    assert done.value == [MCP]
    assert codes(done, "/1") == {"TB105"}
    assert convert(done.value, "bedrock", source="mcp", restore=done.remainder or False).value == listed
    with pytest.raises(LossError):
        convert(CACHE, "mcp", source="bedrock")


@pytest.mark.parametrize("outer", [False, True])
def test_the_tools_stand_in_a_configuration(outer: bool) -> None:
    configuration = {"tools": [TOOL], "toolChoice": {"auto": {}}}
    document = {"modelId": "m", "toolConfig": configuration} if outer else configuration
    assert detect(document).id == "bedrock@converse"
    assert convert(document, "bedrock", source="bedrock").value == document
    done = convert(document, "mcp", source="bedrock")
    assert done.value["tools"] == [MCP]
    assert codes(done, "/toolConfig/toolChoice" if outer else "/toolChoice") == {"TB101"}
    assert convert(done.value, "bedrock", source="mcp", restore=done.remainder or False).value == document


def test_a_catalogue_becomes_a_configuration() -> None:
    assert convert({"tools": [MCP]}, "bedrock", source="mcp@2025-06-18").value == {"tools": [TOOL]}
