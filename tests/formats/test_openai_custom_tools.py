"""OpenAI's custom tools: they take one text, and the caller runs them, so other formats have them as functions."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from openai.types.chat import ChatCompletionCustomToolParam
from openai.types.responses import CustomToolParam, ResponseCustomToolCallParam
from pydantic import TypeAdapter

from report_parts import places as told
from toolbridge import CallError, FormatError, Toolbox, bridge, convert, detect

GRAMMAR = 'start: "a"+'
FUNCTION: dict[str, Any] = {
    "type": "function",
    "name": "tide",
    "description": "Tells the tide.",
    "parameters": {"type": "object", "properties": {}},
    "strict": False,
}
SQL: dict[str, Any] = {"type": "custom", "name": "sql", "description": "Runs SQL.", "format": {"type": "text"}}
PATCH: dict[str, Any] = {
    "type": "custom",
    "name": "patch",
    "description": "Patches files.",
    "format": {"type": "grammar", "syntax": "lark", "definition": GRAMMAR},
}
CHAT_SQL: dict[str, Any] = {"type": "custom", "custom": {"name": "sql", "description": "Runs SQL."}}
CHAT_PATCH: dict[str, Any] = {
    "type": "custom",
    "custom": {
        "name": "patch",
        "description": "Patches files.",
        "format": {"type": "grammar", "grammar": {"syntax": "lark", "definition": GRAMMAR}},
    },
}
APIS = [("openai@responses", [SQL, PATCH], "/format"), ("openai@chat", [CHAT_SQL, CHAT_PATCH], "/custom/format")]
OTHERS = ("anthropic", "gemini", "bedrock", "mistral", "mcp@2025-11-25", "langchain", "openai@functions", "deepseek")
SCHEMA = {
    "type": "object",
    "properties": {"input": {"type": "string"}},
    "required": ["input"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(("source", "tools", "_"), APIS)
def test_a_list_of_nothing_else_is_detected(source: str, tools: list[dict[str, Any]], _: str) -> None:
    request = {"model": "gpt-5", "tools": tools}
    for document in (tools, tools[0], {"tools": tools}, request, [tools[0], {"type": "web_search"}]):
        assert detect(document).id == source
    assert convert(tools, "anthropic").report.source == source
    with pytest.raises(FormatError, match="not a tool"):
        detect([{**tools[0], "unknown": 1}])


def test_they_are_those_of_the_sdk() -> None:
    for each in (SQL, PATCH):
        TypeAdapter[Any](CustomToolParam).validate_python(each, strict=True)
    for each in (CHAT_SQL, CHAT_PATCH):
        TypeAdapter[Any](ChatCompletionCustomToolParam).validate_python(each, strict=True)


@pytest.mark.parametrize("more", [{"x": 1}, {"type": "other"}, {"type": "grammar"}])
def test_a_format_is_lost_unless_it_only_says_text(more: dict[str, Any]) -> None:
    """Other members beside `"type": "text"` were lost without a word."""
    done = convert({**SQL, "format": {"type": "text", **more}}, "mcp", source="openai@responses")
    assert ("TB201", "/format") in {(loss.code, loss.source) for loss in done.report}
    assert convert(done.value, "openai@responses", source="mcp", restore=done.remainder).value["format"] == {
        "type": "text",
        **more,
    }


@pytest.mark.parametrize(("source", "tools", "place"), APIS, ids=["responses", "chat"])
@pytest.mark.parametrize("to", OTHERS)
def test_another_format_has_a_function_of_one_text(source: Any, tools: list[Any], place: str, to: Any) -> None:
    """They were left out (TB105), although nobody but the caller runs them."""
    done = convert(tools, to, source=source)
    neutral = convert(done.value, "mcp@2025-11-25", source=to).value
    sql, patch = neutral if isinstance(neutral, list) else neutral["tools"]
    assert [sql["name"], patch["name"]] == ["sql", "patch"]
    assert sql["inputSchema"]["properties"] == {"input": {"type": "string"}}
    assert sql["inputSchema"]["required"] == ["input"]
    assert GRAMMAR in patch["inputSchema"]["properties"]["input"]["description"]
    found = told(done)
    assert {("TB505", "/0/type", None), ("TB505", "/1/type", None)} <= found
    assert {("TB201", f"/1{place}", None), ("TB503", f"/1{place}", None)} <= found
    assert not any(where == f"/0{place}" for _, where, _ in found)
    assert convert(done.value, source, source=to, restore=done.remainder).value == tools


def test_the_other_api_has_functions_as_well() -> None:
    """Until then it had nothing."""
    done = convert([FUNCTION, SQL], "openai@chat-strict", source="openai@responses")
    assert done.value[1]["function"]["parameters"] == SCHEMA
    assert done.value[1]["function"]["strict"] is True
    flat = convert([CHAT_PATCH], "openai@responses", source="openai@chat")
    assert (flat.value[0]["type"], flat.value[0]["name"]) == ("function", "patch")
    assert convert(flat.value, "openai@chat", source="openai@responses", restore=flat.remainder).value == [CHAT_PATCH]


def test_they_stay_what_they_are_where_they_are() -> None:
    for edition in ("openai@responses", "openai@responses-strict"):
        assert convert([FUNCTION, PATCH], edition, source="openai@responses").value[1] == PATCH
    assert convert([CHAT_PATCH], "openai@chat-strict", source="openai@chat").value == [CHAT_PATCH]


def test_fields_that_others_have_and_those_that_nobody_knows() -> None:
    tool = {**SQL, "defer_loading": True, "allowed_callers": ["direct"], "async": True, "colour": "red"}
    done = convert([tool], "anthropic", source="openai@responses")
    assert done.value[0] == {
        "name": "sql",
        "description": "Runs SQL.",
        "input_schema": SCHEMA,
        "defer_loading": True,
        "allowed_callers": ["direct"],
    }
    assert told(done) == {("TB505", "/0/type", None), ("TB101", "/0/async", None), ("TB102", "/0/colour", None)}
    assert convert(done.value, "openai@responses", source="anthropic", restore=done.remainder).value == [tool]


def test_no_prose_means_none() -> None:
    done = convert([PATCH], "anthropic", source="openai@responses", prose=False)
    assert done.value[0]["input_schema"] == SCHEMA
    assert told(done) == {("TB505", "/0/type", None), ("TB201", "/0/format", None)}


def test_one_that_is_none_is_left_out_as_before() -> None:
    for odd in ({"type": "custom"}, {"type": "custom", "name": 5}, {"type": "custom", "name": ""}):
        done = convert([FUNCTION, odd], "anthropic", source="openai@responses")
        assert ("TB105", "/1", None) in told(done)
        assert len(done.value) == 1


def test_a_remainder_in_the_tool_restores_it() -> None:
    for source, tool in (("openai@responses", PATCH), ("openai@chat", CHAT_PATCH)):
        done = convert(tool, "mcp@2025-11-25", source=source, embed=True)
        assert convert(done.value, source, source="mcp@2025-11-25", restore=True).value == tool


def test_bytes_and_namespaces() -> None:
    tools = [FUNCTION, {"type": "namespace", "name": "db", "description": "Data.", "tools": [SQL, PATCH]}]
    done = convert(tools, "anthropic", source="openai@responses")
    assert [each["name"] for each in done.value] == ["tide", "sql", "patch"]
    written, report = bridge("openai@responses", "anthropic").bytes(json.dumps(tools).encode())
    assert json.loads(written) == done.value
    assert sorted(map(tuple, report)) == sorted(map(tuple, done.report))
    assert convert(done.value, "openai@responses", source="anthropic", restore=done.remainder).value == tools


@pytest.mark.parametrize(
    ("choice", "written"),
    [
        ({"type": "custom", "name": "sql"}, {"type": "function", "function": {"name": "sql"}}),
        (
            {
                "type": "allowed_tools",
                "mode": "auto",
                "tools": [{"type": "function", "name": "tide"}, {"type": "custom", "name": "sql"}],
            },
            {
                "type": "allowed_tools",
                "allowed_tools": {
                    "mode": "auto",
                    "tools": [{"type": "function", "function": {"name": each}} for each in ("tide", "sql")],
                },
            },
        ),
    ],
)
def test_a_choice_of_one_is_that_of_the_function(choice: Any, written: Any) -> None:
    request = {"model": "m", "tools": [FUNCTION, SQL], "tool_choice": choice}
    done = convert(request, "openai@chat", source="openai@responses")
    assert done.value["tool_choice"] == written
    assert not any(place.startswith("/tool_choice") for _, place, _ in told(done))
    assert convert(request, "openai@responses-strict", source="openai@responses").value["tool_choice"] == choice
    assert convert(done.value, "openai@responses", source="openai@chat", restore=done.remainder).value == request


# calls


def spoken(to: str, arguments: Any) -> dict[str, Any]:
    if to == "anthropic":
        return {"type": "tool_use", "id": "toolu_1", "name": "sql", "input": arguments}
    if to == "gemini":
        return {"functionCall": {"id": "toolu_1", "name": "sql", "args": arguments}}
    return {"id": "toolu_1", "type": "function", "function": {"name": "sql", "arguments": json.dumps(arguments)}}


@pytest.mark.parametrize("to", ["anthropic", "gemini", "deepseek", "openai@chat"])
@pytest.mark.parametrize("text", ["SELECT 1", "", '{"a": 1}', "[]"])
def test_a_call_comes_back_as_one_of_a_custom_tool(to: Any, text: str) -> None:
    box = pickle.loads(pickle.dumps(Toolbox([FUNCTION, SQL, {"type": "web_search"}], to=to, source="openai@responses")))
    call = box.call(spoken(to, {"input": text}))
    assert call == {"type": "custom_tool_call", "call_id": "toolu_1", "name": "sql", "input": text}
    TypeAdapter[Any](ResponseCustomToolCallParam).validate_python(dict(call), strict=True)
    assert (call.arguments, call.checked) == ({"input": text}, True)
    output = {"type": "custom_tool_call_output", "call_id": "toolu_1", "output": "3 rows"}
    assert box.reply(output, to=call) == box.reply("3 rows", to=call)
    assert not box.reply(output, to=call).report


def test_those_of_chat_have_calls_of_their_own() -> None:
    box = Toolbox([CHAT_SQL], to="anthropic", source="openai@chat")
    call = box.call(spoken("anthropic", {"input": "SELECT 1"}))
    assert call == {"id": "toolu_1", "type": "custom", "custom": {"name": "sql", "input": "SELECT 1"}}
    for arguments in ({}, {"input": 3}, {"input": "a", "more": 1}):
        (wrong,) = box.calls([spoken("anthropic", arguments)])
        assert isinstance(wrong, CallError)


def test_a_call_in_a_stream() -> None:
    stream = Toolbox([SQL], to="anthropic", source="openai@responses").stream()
    block = {"type": "tool_use", "id": "toolu_1", "name": "sql", "input": {}}
    events: list[Any] = [
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"input":'}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '"a"}'}},
        {"type": "content_block_stop", "index": 0},
    ]
    assert list(stream.calls(events)) == [
        {"type": "custom_tool_call", "call_id": "toolu_1", "name": "sql", "input": "a"}
    ]


@pytest.mark.parametrize("text", ["SELECT 1", '{"a": 1}', "null", ""])
@pytest.mark.parametrize("to", ["anthropic", "gemini", "mistral", "mcp@2025-11-25", "bedrock"])
def test_a_call_in_a_conversation_has_the_parameter_of_the_function(to: str, text: str) -> None:
    """It had the key for arguments that are no JSON (TB507), which the function does not take."""
    flat = {"type": "custom_tool_call", "call_id": "call_1", "name": "sql", "input": text}
    nested = {"id": "call_1", "type": "custom", "custom": {"name": "sql", "input": text}}
    for call, source in ((flat, "openai@responses"), (nested, "openai@chat")):
        done = convert(call, to, source=source, kind="call")
        neutral = convert(done.value, "mcp@2025-11-25", source=to, kind="call").value
        assert neutral["arguments"] == {"input": text}
        assert "TB507" not in done.report.counts()
        assert convert(done.value, source, source=to, kind="call", restore=done.remainder).value == call


def test_a_function_takes_no_free_text() -> None:
    box = Toolbox([FUNCTION], to="openai@responses")
    (error,) = box.calls([{"type": "custom_tool_call", "call_id": "c", "name": "tide", "input": "{}"}])
    assert isinstance(error, CallError)
    assert "free text" in error.problem
