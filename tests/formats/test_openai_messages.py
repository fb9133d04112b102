"""Quirks of OpenAI's calls and results: Chat Completions, Responses, and the functions that were before."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openai.types.chat import ChatCompletionFunctionMessageParam, ChatCompletionToolMessageParam
from openai.types.chat import ChatCompletionMessageFunctionToolCallParam as ChatCall
from openai.types.chat import ChatCompletionMessageToolCallUnionParam as AnyChatCall
from openai.types.chat.chat_completion_assistant_message_param import FunctionCall
from openai.types.responses import ResponseCustomToolCallParam, ResponseFunctionToolCallParam
from openai.types.responses.response_input_item_param import FunctionCallOutput
from pydantic import TypeAdapter

from report_parts import codes_by_place as codes
from toolbridge import DocumentError, Toolbox, convert, detect
from toolbridge.api import Converted
from toolbridge.conversion.detect import recognise
from toolbridge.formats.registry import get_format

MCP = "mcp@2025-11-25"
EDITIONS = ("chat", "chat-strict", "responses", "responses-strict", "functions")
TYPES: dict[str, tuple[Any, Any]] = {
    "chat": (ChatCall, ChatCompletionToolMessageParam),
    "responses": (ResponseFunctionToolCallParam, FunctionCallOutput),
    "functions": (FunctionCall, ChatCompletionFunctionMessageParam),
}


def accepted(value: Any, edition: str, kind: str) -> None:
    types = TYPES[edition.removesuffix("-strict")][kind == "result"]
    TypeAdapter[Any](types).validate_python(value, strict=True)


def places(done: Converted, code: str) -> list[tuple[str, str | None]]:
    return [(loss.source, loss.target) for loss in done.report if loss.code == code]


def chat(arguments: str = '{"place":"Husum"}', **fields: Any) -> dict[str, Any]:
    return {"id": "call_1", "type": "function", "function": {"name": "tide", "arguments": arguments}, **fields}


def item(arguments: str = '{"place":"Husum"}', **fields: Any) -> dict[str, Any]:
    return {"call_id": "call_1", "type": "function_call", "name": "tide", "arguments": arguments, **fields}


def use(arguments: Any = None) -> dict[str, Any]:
    return {"type": "tool_use", "id": "call_1", "name": "tide", "input": arguments or {"place": "Husum"}}


def crossed(document: dict[str, Any], to: str, source: str, kind: Any) -> Converted:
    """There, where the SDK takes it, and back again."""
    done = convert(document, to, source=source, kind=kind)
    if to.startswith("openai@"):
        accepted(done.value, to[7:], kind)
    assert convert(document, source, source=source, kind=kind).value == document
    restored = convert(done.value, source, source=to, kind=kind, restore=done.remainder)
    assert restored.value == document
    return done


def told(*content: dict[str, Any], to: str = "openai@responses", **fields: Any) -> Converted:
    """A result of an MCP server for a model of OpenAI's."""
    return crossed({"content": [*content], **fields}, to, MCP, "result")


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


# calls


@pytest.mark.parametrize(
    ("edition", "document"),
    [
        ("chat", chat()),
        ("chat-strict", chat()),
        ("responses", item()),
        ("responses-strict", item()),
        ("functions", {"name": "tide", "arguments": '{"place":"Husum"}'}),
    ],
)
def test_a_call_in_every_edition(edition: str, document: dict[str, Any]) -> None:
    done = crossed(use(), f"openai@{edition}", "anthropic", "call")
    assert done.value == document
    assert codes(done) == ({"/id": "TB101"} if edition == "functions" else {})
    again = crossed(document, "anthropic", f"openai@{edition}", "call")
    assert again.value["input"] == {"place": "Husum"}
    assert codes(again) == ({"": "TB401"} if edition == "functions" else {})


def test_editions_of_one_shape_share_it() -> None:
    for kind in ("call", "result"):
        for one, other in (("chat", "chat-strict"), ("responses", "responses-strict")):
            assert getattr(get_format(f"openai@{one}"), kind) is getattr(get_format(f"openai@{other}"), kind)


@pytest.mark.parametrize("arguments", ['{"place": "Husu', "[1, 2]", "{'place': 'Husum'}", '"Husum"', " {\n}x"])
def test_arguments_that_are_no_object_stay_as_they_are(arguments: str) -> None:
    done = crossed(chat(arguments), "openai@responses", "openai@chat", "call")
    assert done.value == item(arguments)
    assert done.report.lossless
    done = crossed(chat(arguments), "anthropic", "openai@chat", "call")
    assert done.value["input"] == {"INVALID_JSON": arguments}
    assert places(done, "TB507") == [("/function/arguments", "/input")]


@pytest.mark.parametrize("arguments", ["", " ", "null", "{}", "[]"])
def test_no_text_and_null_are_no_arguments(arguments: str) -> None:
    assert crossed(chat(arguments), "anthropic", "openai@chat", "call").value["input"] == {}


def test_arguments_keep_their_spelling_within_the_family() -> None:
    arguments = '{ "place" : "\\u0048usum", "at": 1.0, "at": 2 }'
    assert convert(chat(arguments), "openai@chat-strict", source="openai@chat", kind="call").value == chat(arguments)


@pytest.mark.parametrize(("edition", "most"), [("chat", 40), ("responses", 64)])
def test_an_id_that_is_too_long_is_cut_alike_in_call_and_result(edition: str, most: int) -> None:
    key, other = ("id", "tool_call_id") if edition == "chat" else ("call_id", "call_id")
    fits, longer = "toolu:" + "x" * (most - 6), "toolu:" + "x" * (most - 5)
    for own in (fits, longer):
        call = crossed({**use(), "id": own}, f"openai@{edition}", "anthropic", "call")
        result = {"type": "tool_result", "tool_use_id": own, "content": "high"}
        answer = crossed(result, f"openai@{edition}", "anthropic", "result")
        assert call.value[key] == answer.value[other]
        assert len(call.value[key]) == most
        assert (call.value[key] == own) is (own == fits)
        assert [loss.code for loss in call.report] == ([] if own == fits else ["TB506"])


def test_compatible_services_leave_things_out() -> None:
    bare = {"function": {"name": "now"}, "index": 0}
    assert convert(bare, "openai@chat", source="openai@chat", kind="call").value == bare
    done = convert(bare, "openai@responses", source="openai@chat", kind="call")
    accepted(done.value, "responses", "call")
    assert done.value["arguments"] == "{}"
    assert ("", "/call_id") in places(done, "TB401")
    assert convert(bare, "openai@responses", source="openai@chat", kind="call").value == done.value
    null = {"id": None, "type": None, "function": {"name": "now", "arguments": None}}
    assert convert(null, "openai@chat-strict", source="openai@chat", kind="call").value == null
    assert convert(null, MCP, source="openai@chat", kind="call").value == {"name": "now"}


def test_an_item_says_more_than_a_call() -> None:
    document = item(id="fc_1", status="completed", caller={"type": "direct"}, **{"async": False})
    assert convert(document, "openai@responses-strict", source="openai@responses", kind="call").value == document
    done = crossed(document, "openai@chat", "openai@responses", "call")
    assert done.value == chat()
    assert codes(done) == {"/id": "TB101", "/status": "TB101", "/caller": "TB101", "/async": "TB101"}


def test_an_item_of_the_realtime_api_is_known() -> None:
    """`object` was reported as a field that no specification has."""
    document = item(object="realtime.item")
    assert codes(convert(document, MCP, source="openai@realtime", kind="call")) == {
        "/call_id": "TB101",
        "/object": "TB101",
    }
    result = {"type": "function_call_output", "call_id": "call_1", "output": "Low.", "object": "realtime.item"}
    assert codes(convert(result, MCP, source="openai@realtime"))["/object"] == "TB101"
    for realtime in (document, result):  # Responses does not have it
        done = convert(realtime, "openai@responses", source="openai@realtime")
        assert "object" not in done.value
        assert codes(done) == {"/object": "TB101"}


def test_a_namespace_is_a_toolkit_but_not_the_name_again() -> None:
    done = crossed(item(namespace="harbour"), "arcade-engine@4", "openai@responses", "call")
    assert done.value["tool"]["toolkit"] == "harbour"
    for to, document in ((MCP, item(namespace="harbour")), ("arcade-engine@4", item(namespace="tide"))):
        assert codes(crossed(document, to, "openai@responses", "call"))["/namespace"] == "TB101"
    assert "namespace" not in crossed(done.value, "openai@responses", "arcade-engine@4", "call").value


def test_a_custom_tool_takes_text() -> None:
    one = {"call_id": "call_1", "type": "custom_tool_call", "name": "run", "input": "2 + 2"}
    other = {"id": "call_1", "type": "custom", "custom": {"name": "run", "input": "2 + 2"}}
    TypeAdapter[Any](ResponseCustomToolCallParam).validate_python(one, strict=True)
    TypeAdapter[Any](AnyChatCall).validate_python(other, strict=True)
    assert convert(one, "openai@chat", source="openai@responses", kind="call").value == other
    assert convert(other, "openai@responses", source="openai@chat", kind="call").value == one
    done = crossed(one, "anthropic", "openai@responses", "call")
    assert (done.value["input"], codes(done)) == ({"input": "2 + 2"}, {})
    result = {"type": "custom_tool_call_output", "call_id": "call_1", "output": "4", "id": "ctco_1"}
    message = {"role": "tool", "tool_call_id": "call_1", "content": "4"}
    assert crossed(result, "openai@chat", "openai@responses", "result").value == message


def test_what_openai_runs_itself_is_no_call() -> None:
    hosted = {
        "type": "mcp_call",
        "id": "mcp_1",
        "name": "ask",
        "arguments": "{}",
        "server_label": "wiki",
        "output": "!",
    }
    with pytest.raises(DocumentError, match="not a call of openai@responses"):
        convert(hosted, MCP, source="openai@responses", kind="call")
    for kind in ("web_search_call", "message", "reasoning", "function_call_output"):
        with pytest.raises(DocumentError, match="not a call"):
            convert({"type": kind, "id": "1"}, MCP, source="openai@responses", kind="call")


def test_a_call_of_a_function_may_stand_in_a_message_of_chat() -> None:
    old = {"name": "tide", "arguments": '{"place": "Husum"}'}
    assert detect(old).id == "openai@functions"
    assert convert(old, "openai@chat-strict", source="openai@chat", kind="call").value == old
    assert convert(old, "openai@functions", source="openai@chat", kind="call").value == old
    done = crossed(old, "openai@responses", "openai@chat", "call")
    assert done.value == {**item(), "call_id": done.value["call_id"]}
    assert places(done, "TB401") == [("", "/call_id")]
    answer = {"role": "function", "name": "tide", "content": "high"}
    assert crossed(answer, MCP, "openai@chat", "result").value == {"content": [text("high")]}
    assert convert(old, "openai@chat", source="openai@functions", kind="call").value["type"] == "function"


# detection


@pytest.mark.parametrize(
    ("document", "format_id", "kind"),
    [
        (chat(), "openai@chat", "call"),
        (item(), "openai@responses", "call"),
        ({"name": "tide", "arguments": "{}"}, "openai@functions", "call"),
        ({"type": "function", "function": {"name": "tide"}}, "openai@chat", "tool"),
        ({"type": "function", "function": {"name": "tide", "parameters": {"type": "object"}}}, "openai@chat", "tool"),
        ({"type": "custom_tool_call", "call_id": "1", "name": "run", "input": "x"}, "openai@responses", "call"),
        ({"role": "tool", "tool_call_id": "1", "content": "x"}, "openai@chat", "result"),
        ({"role": "function", "name": "tide", "content": "x"}, "openai@functions", "result"),
        ({"type": "function_call_output", "call_id": "1", "output": "x"}, "openai@responses", "result"),
    ],
)
def test_what_a_document_is(document: dict[str, Any], format_id: str, kind: str) -> None:
    found = recognise(document)
    assert (found.format.id, found.kind) == (format_id, kind)
    assert detect([document]).id == format_id


def test_a_call_of_mcp_is_none_of_a_function() -> None:
    assert detect({"name": "tide", "arguments": {}}).family == "mcp"


# results


@pytest.mark.parametrize(
    ("edition", "document"),
    [
        ("chat", {"role": "tool", "tool_call_id": "call_1", "content": "high"}),
        ("responses", {"type": "function_call_output", "call_id": "call_1", "output": "high"}),
        ("functions", {"role": "function", "name": "tool", "content": "high"}),
    ],
)
def test_one_text_needs_no_list(edition: str, document: dict[str, Any]) -> None:
    result = {"type": "tool_result", "tool_use_id": "call_1", "content": [text("high")]}
    done = crossed(result, f"openai@{edition}", "anthropic", "result")
    assert done.value == document
    wanted = {"": "TB401", "/tool_use_id": "TB101"} if edition == "functions" else {}
    assert codes(done) == wanted


def test_several_texts() -> None:
    both = [text("high"), text("low")]
    assert told(*both, to="openai@chat").value["content"] == both
    assert [part["type"] for part in told(*both).value["output"]] == ["input_text", "input_text"]
    done = told(*both, to="openai@functions")
    assert done.value["content"] == "high\n\nlow"
    assert ("/content", "/content") in places(done, "TB703")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_failure_is_told_in_words(edition: str) -> None:
    done = told(text("No such harbour."), to=f"openai@{edition}", isError=True)
    key = "output" if edition.startswith("responses") else "content"
    assert done.value[key] == "Error: No such harbour."
    assert places(done, "TB704") == [("/isError", f"/{key}")]


def test_an_item_that_is_not_complete_has_not_failed() -> None:
    document = {"type": "function_call_output", "call_id": "1", "output": "hi", "status": "incomplete"}
    done = crossed(document, MCP, "openai@responses", "result")
    assert done.value == {"content": [text("hi")]}
    assert codes(done)["/status"] == "TB101"


@pytest.mark.parametrize("edition", EDITIONS)
def test_data_becomes_json_text_unless_the_text_says_it(edition: str) -> None:
    key = "output" if edition.startswith("responses") else "content"
    data = {"height": 3.5}
    for content in ([], [text('{"height": 3.5}')]):
        done = told(*content, to=f"openai@{edition}", structuredContent=data)
        assert json.loads(done.value[key]) == data
        assert ("/structuredContent", f"/{key}" if not content else None) in places(done, "TB703")
    done = told(text("High."), to=f"openai@{edition}", structuredContent=data)
    assert '{"height":3.5}' in json.dumps(done.value[key]).replace("\\", "")


@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_at_all_is_an_empty_text(edition: str) -> None:
    key = "output" if edition.startswith("responses") else "content"
    done = told(to=f"openai@{edition}")
    assert done.value[key] == ""
    assert ("/content", f"/{key}") in places(done, "TB401")
    assert ("/content", f"/{key}") not in places(told(text(""), to=f"openai@{edition}"), "TB401")


def test_a_name_beside_the_id() -> None:
    message = {"role": "tool", "tool_call_id": "1", "name": "tide", "content": "high"}
    assert crossed(message, "openai@functions", "openai@chat", "result").value["name"] == "tide"
    output = {"type": "function_call_output", "call_id": "1", "name": "tide", "output": "high"}
    assert crossed(output, "openai@functions", "openai@responses", "result").value["name"] == "tide"
    for document, source, to in (
        (output, "openai@responses", "openai@chat"),
        (message, "openai@chat", "openai@responses"),
    ):
        done = crossed(document, to, source, "result")
        assert "name" not in done.value
        assert "/name" in codes(done)


def test_a_function_that_gave_back_null() -> None:
    message = {"role": "function", "name": "tide", "content": None}
    done = crossed(message, MCP, "openai@functions", "result")
    assert done.value == {"content": []}
    assert codes(done)["/content"] == "TB104"


# toolbox

TOOLS = [{"name": "sea.tide", "inputSchema": {"type": "object", "properties": {"place": {"type": "string"}}}}]


def test_an_answer_of_responses_holds_more_than_calls() -> None:
    box = Toolbox(TOOLS, to="openai@responses")
    call = item(name="sea_tide", id="fc_1", status="completed")
    answer = {"output": [{"type": "reasoning", "id": "rs_1"}, {"type": "web_search_call", "id": "ws_1"}, call]}
    assert box.call(answer) == {"name": "sea.tide", "arguments": {"place": "Husum"}}
    reply = box.reply({"content": [text("high")]}, to=answer)
    assert reply == {"type": "function_call_output", "call_id": "call_1", "output": "high"}


def test_an_answer_of_chat_and_one_with_a_function_call() -> None:
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [chat(function={"name": "sea_tide", "arguments": ""})],
    }
    box = Toolbox(TOOLS, to="openai")
    for answer in (message, {"choices": [{"message": message}]}):
        assert box.call(answer) == {"name": "sea.tide", "arguments": {}}
        assert box.reply("high", to=answer) == {"role": "tool", "tool_call_id": "call_1", "content": "high"}
    old = {"role": "assistant", "name": "me", "function_call": {"name": "sea_tide", "arguments": "{}"}}
    for answer in (old, {**old, "tool_calls": None}, {"choices": [{"message": old}]}):
        assert box.call(answer) == {"name": "sea.tide", "arguments": {}}
    box = Toolbox(TOOLS, to="openai@functions")
    assert box.call({"choices": [{"message": old}]}) == {"name": "sea.tide", "arguments": {}}
    assert box.reply("high", to=old) == {"role": "function", "name": "sea_tide", "content": "high"}
