"""Quirks of Anthropic's tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from report_parts import codes_within as codes
from toolbridge import DocumentError, LossError, bridge, check, convert, detect
from toolbridge.formats.anthropic.tools import hosted

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"place": {"type": "string"}, "unit": {"type": "string"}},
    "required": ["place"],
    "additionalProperties": False,
}
TOOL: dict[str, Any] = {"name": "tide", "description": "Says how high the tide is.", "input_schema": SCHEMA}
MCP: dict[str, Any] = {"name": "tide", "description": "Says how high the tide is.", "inputSchema": SCHEMA}
BOTH = ("anthropic@messages", "anthropic@strict")


def with_schema(**keywords: Any) -> dict[str, Any]:
    return {**MCP, "inputSchema": {**SCHEMA, **keywords}}


# the flag


def test_messages_say_nothing_of_strict() -> None:
    assert convert(MCP, "anthropic", source="mcp").value == TOOL


def test_a_strict_tool_is_closed_and_may_have_optional_properties() -> None:
    done = convert(MCP, "anthropic@strict", source="mcp")
    assert done.value == {**TOOL, "strict": True}


@pytest.mark.parametrize("opened", [True, {"type": "string"}])
def test_what_cannot_be_said_strictly_is_not_called_strict(opened: Any) -> None:
    done = convert(with_schema(additionalProperties=opened), "anthropic@strict", source="mcp")
    assert done.value["strict"] is False
    assert done.value["input_schema"]["additionalProperties"] == opened
    assert "TB603" in codes(done, "/inputSchema")


@pytest.mark.parametrize("said", [True, False])
def test_a_flag_that_does_not_hold_is_told_where_it_stood(said: bool) -> None:
    opened = {**SCHEMA, "additionalProperties": True}
    done = convert({**TOOL, "strict": said, "input_schema": opened}, "anthropic@strict", source="anthropic@messages")
    assert done.value["strict"] is False
    assert codes(done, "/strict") == ({"TB603"} if said else set())
    done = convert({**TOOL, "strict": said}, "anthropic@strict", source="anthropic@messages")
    assert done.value["strict"] is True
    assert codes(done, "/strict") == (set() if said else {"TB401"})


@pytest.mark.parametrize(
    ("schema", "kept"),
    [
        (SCHEMA, True),
        ({**SCHEMA, "properties": {"place": {"const": "x"}}}, True),  # never written, but accepted
        ({**SCHEMA, "additionalProperties": True}, False),
        ({key: SCHEMA[key] for key in ("type", "properties")}, False),
        ({**SCHEMA, "properties": {"place": {"type": "string", "minLength": 1}}}, False),
        ({**SCHEMA, "properties": {"place": {"type": "object", "properties": {}}}}, False),
    ],
)
def test_messages_call_strict_what_keeps_the_rules(schema: dict[str, Any], kept: bool) -> None:
    source = {"type": "function", "function": {"name": "tide", "parameters": schema, "strict": True}}
    done = convert(source, "anthropic@messages", source="openai@chat")
    assert done.value.get("strict") is (True if kept else None)
    assert done.value["input_schema"] == schema
    assert codes(done, "/function/strict") == (set() if kept else {"TB603"})
    restored = convert(done.value, "openai@chat", source="anthropic@messages", restore=done.remainder or False)
    assert restored.value == source


def test_a_flag_that_says_no_stays() -> None:
    done = convert({**TOOL, "strict": False}, "bedrock", source="anthropic@messages")
    assert done.value["toolSpec"]["strict"] is False


@pytest.mark.parametrize("strict", [True, False, None])
def test_the_flag_tells_the_editions_apart(strict: bool | None) -> None:
    document = TOOL if strict is None else {**TOOL, "strict": strict}
    assert detect(document).id == ("anthropic@strict" if strict else "anthropic@messages")


# the rest of a tool


@pytest.mark.parametrize(
    ("callers", "code"), [(["code_execution_20250825"], "TB608"), ([], "TB608"), (["direct"], "TB101")]
)
def test_who_may_call_is_a_guard(callers: list[str], code: str) -> None:
    """D12: without `allowed_callers` a model may call the tool directly, which was told as a field (TB101)."""
    for document, source in (
        ({**TOOL, "strict": True, "allowed_callers": callers}, "anthropic@strict"),
        (
            {
                "type": "function",
                "name": "get",
                "parameters": {"type": "object"},
                "allowed_callers": ["programmatic"] if code == "TB608" and callers else callers,
            },
            "openai@responses",
        ),
    ):
        for target in ("mcp", "gemini", "openai@chat"):
            done = convert(document, target, source=source)
            assert codes(done, "/allowed_callers") == {code}
            text = json.dumps(document)
            assert bridge(source, target).bytes(text)[1].counts() == done.report.counts()


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("cache_control", {"type": "ephemeral", "ttl": "1h"}),
        ("input_examples", [{"place": "Bergen"}]),
        ("defer_loading", True),
        ("allowed_callers", ["direct"]),
        ("eager_input_streaming", None),
        ("type", "custom"),
        ("type", None),
        ("vendor", {"a": 1}),
    ],
)
def test_its_own_keys_stay_in_the_family(edition: str, key: str, value: Any) -> None:
    document = {**TOOL, "strict": True, key: value}
    other = next(name for name in BOTH if name != edition)
    assert convert(document, other, source=edition).value == document
    done = convert(document, "mcp", source=edition)
    assert done.value == MCP
    assert codes(done, f"/{key}") == {"TB104" if value is None else "TB102" if key == "vendor" else "TB101"}
    assert convert(done.value, edition, source="mcp", restore=done.remainder or False).value == document


@pytest.mark.parametrize(
    ("name", "legal"), [("web.search", False), ("a" * 65, False), ("a" * 64, True), ("a-b_C9", True)]
)
def test_names_have_no_dots_and_64_characters(name: str, legal: bool) -> None:
    done = convert({**MCP, "name": name}, "anthropic", source="mcp")
    assert (done.value["name"] == name) is legal
    assert codes(done, "/name") == (set() if legal else {"TB501"})
    assert check(done.value, "anthropic") == []
    assert (check({**TOOL, "name": name}, "anthropic") == []) is legal
    # What the service takes by now is read as it is.
    assert convert({**TOOL, "name": name}, "mcp", source="anthropic").value["name"] == name


def test_a_root_without_type_is_an_object_all_the_same() -> None:
    document = {**TOOL, "input_schema": {"properties": {"a": {"type": "string"}}}}
    done = convert(document, "mcp", source="anthropic")
    assert done.value["inputSchema"] == {"type": "object", **document["input_schema"]}
    assert codes(done, "/input_schema") == {"TB001"}


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"type": "string"}, "/input_schema/type"),
        ({"type": "object", "properties": ["a"]}, "/input_schema/properties"),
        ({"type": "object", "required": "a"}, "/input_schema/required"),
        ({"parameters": {"type": "object"}}, "/input_schema/type"),
    ],
)
def test_other_roots_are_refused(schema: Any, place: str) -> None:
    with pytest.raises(DocumentError) as found:
        convert({**TOOL, "input_schema": schema}, "mcp", source="anthropic")
    assert found.value.pointer == place


@pytest.mark.parametrize("edition", BOTH)
def test_there_is_no_combinator_at_the_root(edition: str) -> None:
    one, two = ({"type": "object", "properties": {key: {"type": "string"}}, "required": [key]} for key in "ab")
    done = convert({**MCP, "inputSchema": {"type": "object", "anyOf": [one, two]}}, edition, source="mcp")
    assert not {"anyOf", "oneOf", "allOf"} & done.value["input_schema"].keys()
    assert set(done.value["input_schema"]["properties"]) == {"a", "b"}
    assert "TB203" in codes(done, "/inputSchema")


# its own tools, and those of others


@pytest.mark.parametrize(
    ("document", "own"),
    [
        ({"type": "web_search_20250305", "name": "web_search", "max_uses": 1}, True),
        ({"type": "mcp_toolset", "mcp_server_name": "tides"}, True),
        (TOOL, False),
        ({**TOOL, "type": "custom"}, False),
        ({**TOOL, "type": None}, False),
        ({"type": "function", "name": "tide", "parameters": {}}, False),
        ({"type": "function", "function": {"name": "tide"}}, False),
    ],
)
def test_a_server_tool_is_told_by_its_type(document: dict[str, Any], own: bool) -> None:
    assert hosted(document) is own


def test_server_tools_stay_in_the_family() -> None:
    search = {"type": "web_search_20250305", "name": "web_search"}
    assert detect([TOOL, search]).id == "anthropic@messages"
    assert check([TOOL, search], "anthropic") == []
    assert convert([TOOL, search], "anthropic@strict", source="anthropic@messages").value[1] == search
    done = convert([search, TOOL], "mcp", source="anthropic")
    assert done.value == [MCP]
    assert codes(done, "/0") == {"TB105"}
    assert convert(done.value, "anthropic", source="mcp", restore=done.remainder or False).value == [search, TOOL]
    with pytest.raises(LossError):
        convert(search, "mcp", source="anthropic")


def test_the_tools_of_a_request_are_found() -> None:
    request = {"model": "claude-opus-4-8", "max_tokens": 1024, "tools": [TOOL]}
    assert detect(request).id == "anthropic@messages"
    assert convert(request, "mcp", source="anthropic").value["tools"] == [MCP]


def test_a_tool_definition_is_none_of_these() -> None:
    document = {**TOOL, "id": "Tides.Now@1.0.0", "version": "1.0.0"}
    assert detect(document).id == "arcade@1.0-errata"
    with pytest.raises(DocumentError, match="Tool Definition"):
        convert(document, "mcp", source="anthropic")


def test_the_service_takes_20_strict_tools() -> None:
    # The others go without strict, as the service would refuse all of them (V1); until then that was only told (TB604).
    many = [{**MCP, "name": f"tide_{n}"} for n in range(21)]
    assert sum(tool["strict"] for tool in convert(many, "anthropic@strict", source="mcp").value) == 20
    assert all(tool["strict"] for tool in convert(many[1:], "anthropic@strict", source="mcp").value)
    assert not convert(many, "anthropic@messages", source="mcp").report.matching("TB603", "TB604")


def test_a_source_that_says_nothing_of_arguments_gets_none() -> None:
    source = {"id": "Tides.Now@1.0.0", "name": "Now", "description": "Says.", "version": "1.0.0"}
    done = convert(source, "anthropic@strict", source="arcade@1.0-errata")
    assert done.value["strict"] is True
    assert done.value["input_schema"]["additionalProperties"] is False
    assert ("TB401", "/input_schema") in {(loss.code, loss.target) for loss in done.report}


# examples


def test_examples_are_arguments_of_the_written_schema() -> None:
    properties = {"n": {"type": "integer"}, "bad name!": {"type": "string"}}
    document = {
        **TOOL,
        "input_schema": {"type": "object", "properties": properties, "required": ["n"]},
        "input_examples": [{"n": 1, "extra": "z"}, {"n": 2, "bad name!": "q"}, {"n": 3}],
    }
    done = convert(document, "anthropic@strict", source="anthropic@messages")
    assert done.value["input_schema"]["additionalProperties"] is False
    assert done.value["input_examples"] == [{"n": 2, "bad_name_": "q"}, {"n": 3}]
    told = [loss for loss in done.report if loss.source.startswith("/input_examples")]
    assert [(loss.code, loss.source, loss.target) for loss in told] == [
        ("TB101", "/input_examples/0", None),
        ("TB501", "/input_examples/1", "/input_examples/0"),
    ]
    back = convert(done.value, "anthropic@messages", source="anthropic@strict", restore=done.remainder)
    assert back.value == document
    text, report = bridge("anthropic@messages", "anthropic@strict").bytes(json.dumps(document))
    assert json.loads(text) == done.value
    assert [*report] == [*done.report]


def test_examples_none_of_which_fits_are_left_out() -> None:
    document = {**TOOL, "input_schema": {"type": "object", "properties": {}}, "input_examples": [{"extra": 1}]}
    done = convert(document, "anthropic@strict", source="anthropic@messages")
    assert "input_examples" not in done.value
    assert codes(done, "/input_examples") == {"TB101"}
    back = convert(done.value, "anthropic@messages", source="anthropic@strict", restore=done.remainder)
    assert back.value == document


# hints


@pytest.mark.parametrize(
    ("annotations", "code"),
    [
        ({"destructive_hint": True, "title": None}, "TB601"),
        ({"readOnlyHint": True}, "TB601"),
        ({"read_only": True}, "TB601"),
        ({"open_world_hint": False}, "TB601"),
        ({"open_world_hint": True, "read_only_hint": False, "idempotent_hint": None}, "TB102"),
        ({"title": "Tide"}, "TB102"),
        ("destructive", "TB102"),
    ],
)
@pytest.mark.parametrize("source", BOTH)
def test_lost_hints_of_a_tool_of_mcp_are_a_matter_of_safety(source: str, annotations: Any, code: str) -> None:
    """What `Tool.model_dump()` of MCP's SDK returns looks like a tool of Anthropic."""
    tool = {**TOOL, "annotations": annotations}
    for target in ("openai", "mcp"):
        done = convert(tool, target, source=source)
        assert [loss.code for loss in done.report if loss.source == "/annotations"] == [code]
    assert convert(done.value, source, source="mcp", restore=done.remainder).value == tool
    assert convert(tool, source, source=source).value == tool
