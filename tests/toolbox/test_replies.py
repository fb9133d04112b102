"""Toolbox.reply: whatever a tool gives back, as the vendor takes it; and what models do wrong."""

from __future__ import annotations

import datetime as dt
import json
from base64 import b64encode
from collections.abc import AsyncIterator
from typing import Any

import jsonschema_rs
import pytest

from toolbridge import CallError, DocumentError, Toolbox, convert, explain
from vendor_calls import TIDE, TOOLS, anthropic, gemini, openai

RESULT = {
    "content": [{"type": "text", "text": '{"height": 2.5}'}],
    "structuredContent": {"height": 2.5},
}


def test_a_reply_of_each_vendor() -> None:
    block = {
        "anthropic": anthropic("tide", {"port": "Ems"}),
        "openai": openai("tide", {"port": "Ems"}),
        "openai@responses": {"type": "function_call", "call_id": "c1", "name": "tide", "arguments": "{}"},
        "gemini": gemini("tide", {"port": "Ems"}),
        "bedrock": {"toolUse": {"toolUseId": "t1", "name": "tide", "input": {}}},
    }
    replies = {to: dict(Toolbox(TOOLS, to=to).reply(RESULT, to=each)) for to, each in block.items()}
    assert replies["openai"] == {"role": "tool", "tool_call_id": "call_1", "content": '{"height": 2.5}'}
    assert replies["openai@responses"] == {"type": "function_call_output", "call_id": "c1", "output": '{"height": 2.5}'}
    assert replies["gemini"]["functionResponse"]["response"] == {"output": {"height": 2.5}}
    assert replies["anthropic"]["tool_use_id"] == "toolu_1"
    assert replies["bedrock"]["toolResult"]["toolUseId"] == "t1"
    assert replies["bedrock"]["toolResult"]["content"][0] == {"json": {"height": 2.5}}


@pytest.mark.parametrize("result", [RESULT, "high", RESULT | {"isError": True}, ValueError("no")])
def test_what_a_result_repeats_of_its_call(result: Any) -> None:
    """Responses wants to know in the output which program made the call, Anthropic which toolset has the tool."""
    call = {"type": "function_call", "call_id": "c1", "name": "tide", "arguments": '{"port": "Ems"}'}
    told = {"caller": {"type": "program", "caller_id": "p1"}, "namespace": "harbour"}
    box = Toolbox(TOOLS, to="openai@responses")
    reply = box.reply(result, to=call | told)
    assert {key: reply.get(key) for key in told} == told
    assert not told.keys() & box.reply(result, to=call).keys()
    assert "namespace" not in box.reply(result, to=call | {"namespace": "tide"})
    use = {"type": "tool_use", "id": "toolu_1", "name": "tide", "input": {"port": "Ems"}}
    box = Toolbox(TOOLS, to="anthropic")
    assert box.reply(result, to=use | {"toolset_name": "browser"})["toolset_name"] == "browser"
    assert "toolset_name" not in box.reply(result, to=use)


@pytest.mark.parametrize(
    ("value", "text"), [("low", "low"), ({"a": 1}, '{"a":1}'), (2.5, "2.5"), ([1, "b"], '[1,"b"]'), (None, "")]
)
def test_plain_values(value: object, text: str) -> None:
    reply = Toolbox(TOOLS, to="openai").reply(value, to=openai("tide", {"port": "Ems"}))
    assert reply == {"role": "tool", "tool_call_id": "call_1", "content": text}


def test_a_value_that_looks_like_a_result() -> None:
    box = Toolbox(TOOLS, to="openai")
    block = openai("tide", {"port": "Ems"})
    assert box.reply({"content": [{"type": "text", "text": "a"}]}, to=block)["content"] == "a"
    kept = box.reply({"content": [{"type": "text", "text": "a"}]}, to=block, source="python")["content"]
    assert json.loads(kept) == {"content": [{"type": "text", "text": "a"}]}


def test_errors_stay_errors() -> None:
    for to, block in (
        ("anthropic", anthropic("tide", {})),
        ("gemini", gemini("tide", {})),
        ("openai", openai("tide", {})),
    ):
        box = Toolbox(TOOLS, to=to)
        failed = box.reply({"content": [{"type": "text", "text": "No tide."}], "isError": True}, to=block)
        raised = box.reply(ValueError("No tide."), to=block)
        assert failed == raised
        assert "No tide." in json.dumps(failed)
    assert failed["content"] == "Error: No tide."


def test_a_call_error_is_an_answer_too() -> None:
    box = Toolbox(TOOLS, to="anthropic")
    block = anthropic("tides", {})
    (error,) = box.calls(block)
    reply = box.reply(error, to=block)
    assert reply["is_error"] is True
    assert "nearest: tide" in json.dumps(reply)


@pytest.mark.parametrize("to", ["anthropic", "openai", "gemini"])
def test_a_reply_does_not_depend_on_the_arguments_of_its_call(to: str) -> None:
    box = Toolbox(TOOLS, to=to)
    make = {"anthropic": anthropic, "openai": openai, "gemini": gemini}[to]
    good = make("tide", {"port": "Ems"})
    wrong = make("tide", {"harbour": 1})
    (error,) = box.calls([wrong])
    replies = [box.reply(RESULT, to=each) for each in (good, box.call(good), wrong, error)]
    assert isinstance(error, CallError)
    assert all(reply == replies[0] for reply in replies)
    assert all(box.reply(RESULT, to=[each]) == replies[0] for each in (good, box.call(good), wrong, error))


def test_a_reply_says_what_it_lost() -> None:
    reply = Toolbox(TOOLS, to="openai").reply(
        {"content": [{"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}]}, to=openai("tide", {})
    )
    assert reply["content"] == "[audio/wav, 4 bytes]"
    assert reply.report.counts() == {"TB705": 1}


@pytest.mark.parametrize("source", [None, "mcp"])
def test_a_result_has_the_type_that_clients_of_mcp_require(source: Any) -> None:
    box = Toolbox([TIDE], to="mcp", source=source)
    meta = {"protocolVersion": "2026-07-28", "clientCapabilities": {}}
    params = {"name": "tide", "arguments": {}, "_meta": {f"io.modelcontextprotocol/{key}": meta[key] for key in meta}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    for result in ({"content": []}, {"content": [], "structuredContent": [1]}):
        assert box.reply(result, to=call) == {**result, "resultType": "complete"}


def test_outputs_are_wrapped_and_unwrapped_in_step_with_their_schemas() -> None:
    listing = {**TIDE, "outputSchema": {"type": "array", "items": {"type": "number"}}}
    box = Toolbox([listing], to="mcp@2025-06-18", source="mcp@2026-07-28")
    assert box.tools[0]["outputSchema"]["required"] == ["result"]
    reply = box.reply({"resultType": "complete", "content": [], "structuredContent": [1, 2]}, to={"name": "tide"})
    assert reply["structuredContent"] == {"result": [1, 2]}
    restored = Toolbox(box.tools, to="arcade", source="mcp@2025-06-18", fill={"toolkit": "Sea", "/version": "1.0.0"})
    told = restored.reply({"content": [], "structuredContent": {"result": [1, 2]}}, to={"tool_id": "Sea.tide@1.0.0"})
    assert told["value"] == [1, 2]


@pytest.mark.parametrize("data", [{"a": 1}, {"result": 1}, 5, None])
def test_data_of_any_type_is_wrapped_as_its_schema_says(data: Any) -> None:
    """A result that is converted without its tool may not be, as nothing says what its data may be: see TB508."""
    tool = {"id": "Sea.Any@1.0.0", "name": "Any", "description": "Any.", "version": "1.0.0", "output_schema": {}}
    tool["input_schema"] = {"parameters": {"type": "object", "properties": {}}}
    for to in ("mcp@2025-06-18", "mcp@2025-11-25", "mcp@2026-07-28"):
        box = Toolbox([tool], to=to, source="arcade")
        response = {"call_id": "c", "success": True, "duration": 1, "value": data}
        written = box.reply(response, to={"name": "Any", "arguments": {}})["structuredContent"]
        assert jsonschema_rs.is_valid(box.tools[0]["outputSchema"], written)
        assert ("TB508" in box.report.counts()) is (to != "mcp@2026-07-28")
    assert "without its tool" in explain("TB508").meaning


def test_nothing_is_data_of_a_tool_whose_output_may_be_null() -> None:
    """Clients of MCP refuse a result without data then."""
    plain = {"name": "tide", "inputSchema": {"type": "object"}}
    tool = {**plain, "outputSchema": {"type": ["number", "null"]}}
    for to, data in (("mcp@2025-11-25", {"result": None}), ("mcp@2026-07-28", None)):
        box = Toolbox([tool], to=to, source="mcp@2026-07-28")
        assert box.reply(None, to={"name": "tide"})["structuredContent"] == data
        for other in (plain, {**plain, "outputSchema": {"type": "object"}}):
            assert "structuredContent" not in Toolbox([other], to=to).reply(None, to={"name": "tide"})


def test_a_marker_beside_another_schema_wraps_nothing() -> None:
    both = {"result": {"type": "array"}, "count": {"type": "integer"}}
    tool = {
        **TIDE,
        "outputSchema": {"type": "object", "properties": both, "required": ["result"]},
        "_meta": {"dev.toolbridge/wrapped": True},
    }
    for to in ("mcp@2025-06-18", "mcp@2025-11-25", "mcp@2026-07-28"):
        box = Toolbox([tool], to=to, source="mcp@2025-11-25")
        reply = box.reply({"content": [], "structuredContent": {"result": [1], "count": 1}}, to={"name": "tide"})
        assert reply["structuredContent"] == {"result": [1], "count": 1}


WRAPPED = {
    "name": "tide",
    "inputSchema": {"type": "object"},
    "outputSchema": {
        "type": "object",
        "properties": {"result": {"type": "array", "items": {"type": "string"}}},
        "required": ["result"],
    },
}


@pytest.mark.parametrize(
    ("said", "data"), [(["hello"], "hello"), (["a", "b"], ["a", "b"]), (["5"], 5), (['["a"]'], ["a"]), (["{}"], {})]
)
def test_what_the_text_says_already_is_not_told_twice(said: list[str], data: Any) -> None:
    result = {"content": [{"type": "text", "text": each} for each in said], "structuredContent": {"result": data}}
    box = Toolbox([WRAPPED], to="openai")
    content = box.reply(result, to=openai("tide", {}))["content"]
    assert (content if isinstance(content, str) else [part["text"] for part in content]) == (
        said[0] if len(said) == 1 else said
    )
    assert (
        convert(result, "openai", source="mcp@2025-06-18", kind="result", fill={"id": "1"}).value["content"] == content
    )
    whole = convert(result, "arcade", source="mcp@2025-06-18", kind="result", fill={"/call_id": "1"})
    assert "TB701" not in whole.report.counts()


CALLS = {
    "openai": openai("tide", {}),
    "openai@responses": {"type": "function_call", "call_id": "c1", "name": "tide", "arguments": "{}"},
    "openai@functions": {"name": "tide", "arguments": "{}"},
    "anthropic": anthropic("tide", {}),
    "gemini": gemini("tide", {}),
    "bedrock": {"toolUse": {"toolUseId": "t1", "name": "tide", "input": {}}},
    "cohere": openai("tide", {}),
    "mistral": openai("tide", {}),
    "ollama": {"function": {"name": "tide", "arguments": {}}},
}


SAME = [
    (["The tide is low."], {"content": "The tide is low."}),
    (["Berth N2, 2.5 m."], {"berth": "N2", "depth": 2.5, "note": None}),
    (['[{"name": "a\\nb"}]'], {"entities": [{"name": "a\nb"}]}),
    (["high", "6 of them"], {"result": ["high"], "count": 6}),
]
OTHER = [
    (["6 items"], {"items": [1, 2]}),
    (["Berth N25"], {"berth": "N2"}),
    (["2.5 m"], {"depth": 2}),
    (["-2 m"], {"depth": 2}),
    ([".2 m"], {"depth": 2}),
    (["High."], {"high": True}),
    ([" "], {"tide": "low"}),
    ([], {"tide": "low"}),
]


def blocks(texts: list[str]) -> list[dict[str, str]]:
    return [{"type": "text", "text": text} for text in texts]


@pytest.mark.parametrize("to", CALLS)
@pytest.mark.parametrize(("texts", "data"), SAME)
def test_a_model_does_not_read_data_that_the_content_says(to: str, texts: list[str], data: Any) -> None:
    """K1. Not all data beside content is left out: servers say "6 items" there, and the model needs the items."""
    box = Toolbox([TIDE], to=to)
    reply = box.reply({"content": blocks(texts), "structuredContent": data}, to=CALLS[to])
    alone = box.reply({"content": blocks(texts)}, to=CALLS[to])
    assert reply == alone
    assert [(loss.code, loss.source) for loss in reply.report if loss not in alone.report] == [
        ("TB703", "/structuredContent")
    ]


@pytest.mark.parametrize("to", CALLS)
@pytest.mark.parametrize(("texts", "data"), OTHER)
def test_a_model_reads_data_that_the_content_does_not_say(to: str, texts: list[str], data: Any) -> None:
    reply = Toolbox([TIDE], to=to).reply({"content": blocks(texts), "structuredContent": data}, to=CALLS[to])
    text = json.dumps(reply).replace("\\", "").replace(" ", "")
    assert json.dumps(data).replace(" ", "") in text
    assert all(each.replace(" ", "") in text for each in texts)


@pytest.mark.parametrize("to", CALLS)
def test_a_picture_is_not_in_text_as_well(to: str) -> None:
    """K1: the file server of MCP repeats a picture in its data, as base64."""
    picture = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
    result = {"content": [picture], "structuredContent": {"content": [picture]}}
    reply = Toolbox([TIDE], to=to).reply(result, to=CALLS[to])
    assert json.dumps(reply).count(picture["data"]) == (0 if "TB705" in reply.report.counts() else 1)


@pytest.mark.parametrize("to", ["anthropic", "openai", "openai@responses", "gemini", "bedrock", "mistral", "mcpx"])
@pytest.mark.parametrize("prefix", ["", "data:image/png;base64,"])
def test_data_that_has_a_picture_and_more_is_read_without_the_picture(to: str, prefix: str) -> None:
    """The content has the picture, but not who made it, and not the other picture."""
    bytes_, others = (b64encode(bytes(range(start, 200))).decode() for start in (0, 1))
    picture = {"type": "image", "data": bytes_, "mimeType": "image/png"}
    data = {"pictures": [{"of": prefix + bytes_, "by": "Ada"}, {"of": others, "size": 77}]}
    result = {"content": [picture, {"type": "text", "text": "Done."}], "structuredContent": data}
    done = convert(result, to, source="mcp@2025-06-18", kind="result")
    text = json.dumps(done.value)
    assert text.count(bytes_) == (0 if "TB705" in done.report.counts() else 1)
    assert all(each in text for each in (others, "Ada", "77", "[image/png, 200 bytes]"))
    assert "/structuredContent" in {loss.source for loss in done.report.matching("TB703")}
    back = convert(done.value, "mcp@2025-06-18", source=to, kind="result", restore=done.remainder or False)
    assert back.value == result
    assert result["structuredContent"] == data
    same = convert(result, "mcp@2025-11-25", source="mcp@2025-06-18", kind="result")
    assert same.value["structuredContent"] == data


@pytest.mark.parametrize("to", CALLS)
@pytest.mark.parametrize(
    ("block", "data"),
    [
        ({"type": "image", "data": "iVBO+3/Rw0KGgo=", "mimeType": "image/png"}, {"people": 3}),
        (
            {
                "type": "resource",
                "resource": {"uri": "file:///a/report.txt", "mimeType": "text/plain", "text": "Done."},
            },
            {"saved_to": "file:///a/report.txt", "type": "text/plain"},
        ),
        (
            {"type": "resource_link", "uri": "https://a.b/f", "name": "f", "mimeType": "application/pdf"},
            {"type": "application/pdf"},
        ),
    ],
)
def test_a_model_reads_data_that_only_hidden_fields_of_blocks_say(to: str, block: Any, data: Any) -> None:
    """Base64, addresses and media types of blocks were searched for the values of the data."""
    result = {"content": [{"type": "text", "text": "See."}, block], "structuredContent": data}
    reply = Toolbox([TIDE], to=to).reply(result, to=CALLS[to])
    text = json.dumps(reply).replace("\\", "").replace(" ", "")
    assert json.dumps(data).replace(" ", "") in text


@pytest.mark.parametrize("source", ["gemini", "bedrock"])
@pytest.mark.parametrize("to", [*CALLS, "langchain"])
def test_data_that_models_read_beside_content_is_not_lost(source: str, to: str) -> None:
    picture = "iVBORw0KGgo="
    if source == "gemini":
        part = {"inlineData": {"mimeType": "image/png", "data": picture}}
        result = {"functionResponse": {"name": "tide", "response": {"output": {"tide": "low"}}, "parts": [part]}}
    else:
        image = {"image": {"format": "png", "source": {"bytes": picture}}}
        result = {"toolResult": {"toolUseId": "t1", "content": [image, {"json": {"tide": "low"}}]}}
    done = convert(result, to, source=source, kind="result")
    done.value.pop("artifact", None)
    assert json.dumps(done.value).count("low") == 1


def test_a_malformed_call_does_not_vanish() -> None:
    box = Toolbox(TOOLS, to="openai")
    nameless = {"id": "call_1", "type": "function", "function": {"arguments": "{}"}}
    first, second = box.calls({
        "role": "assistant",
        "tool_calls": [nameless, openai("tide", {"port": "Ems"}, "call_2")],
    })
    assert isinstance(first, CallError)
    assert first.call == nameless
    assert not isinstance(second, CallError)


@pytest.mark.parametrize(
    "function", [{"arguments": "{}"}, {"name": None, "arguments": "{}"}, {"name": 5}, "tide", None]
)
def test_a_malformed_call_is_answered_by_its_id(function: Any) -> None:
    """As the error, and as the model sent it, which was an error without a reply."""
    box = Toolbox(TOOLS, to="openai")
    malformed = {"id": "call_1", "type": "function", "function": function}
    (error,) = box.calls({"role": "assistant", "tool_calls": [malformed]})
    assert isinstance(error, CallError)
    reply = {"role": "tool", "tool_call_id": "call_1", "content": f"Error: {error}"}
    assert [box.reply(error, to=each) for each in (error, error.call, malformed)] == [reply] * 3
    with pytest.raises(DocumentError):
        box.reply("low", to=malformed)
    with pytest.raises(DocumentError):
        box.reply(error, to={"tide": "low"})


@pytest.mark.parametrize("entry", [None, "tide", [], {}, 5])
def test_what_is_no_call_at_all_does_not_end_the_loop(entry: Any) -> None:
    box = Toolbox(TOOLS, to="openai")
    errors = box.calls({"role": "assistant", "tool_calls": [entry, openai("tide", {"port": "Ems"})]})
    first, second = (box.reply(error, to=error) for error in errors)
    assert first["content"] == "Error: not a call of openai@chat"
    assert second["tool_call_id"] == "call_1"


def test_equal_calls_without_ids_get_different_ones() -> None:
    box = Toolbox(TOOLS, to="openai")
    block = openai("tide", {"port": "Ems"})
    del block["id"]
    calls = box.calls({"role": "assistant", "tool_calls": [block, dict(block)]})
    assert len({call.id for call in calls if not isinstance(call, CallError)}) == 2
    assert len({box.reply("low", to=call)["tool_call_id"] for call in calls}) == 2


def test_a_member_that_stands_twice_in_the_arguments_is_told_of() -> None:
    call = Toolbox(TOOLS, to="openai").call(openai("tide", '{"port": "Ems", "port": "Jade"}'))
    assert call.arguments == {"port": "Jade"}
    assert "TB002" in call.report.counts()


def test_numbers_that_are_no_json() -> None:
    box = Toolbox(TOOLS, to="anthropic")
    block = anthropic("tide", {"port": float("nan")})
    with pytest.raises(CallError) as caught:
        box.call(block)
    assert caught.value.pointer == "/port"
    assert box.reply(caught.value, to=block)["is_error"] is True


@pytest.mark.parametrize("wrong", [{"input": {"port": float("nan")}}, {"id": 5}])
def test_the_error_of_a_call_that_is_not_valid_has_its_name(wrong: Any) -> None:
    (error,) = Toolbox(TOOLS, to="anthropic").calls({"role": "assistant", "content": [anthropic("tide", {}) | wrong]})
    assert isinstance(error, CallError)
    assert error.name == "tide"


def test_a_result_that_is_still_to_come_is_no_success() -> None:
    asks = {
        "resultType": "input_required",
        "inputRequests": {"name": {"method": "elicitation/create"}},
        "requestState": "opaque",
    }
    reply = Toolbox(TOOLS, to="anthropic", source="mcp").reply(asks, to=anthropic("tide", {}), source="mcp")
    assert reply["is_error"] is True
    assert "opaque" not in json.dumps(reply)
    assert "TB706" in reply.report.counts()


def test_the_code_and_the_data_of_an_error_of_json_rpc_are_said() -> None:
    """They were lost: which field is wrong, or which page the user has to open."""
    from mcp import MCPError

    class RpcError(Exception):
        code, data = -32001, None

    box = Toolbox(TOOLS, to="anthropic")
    error = MCPError(-32602, "bad port", {"field": "port", "at": dt.date(2026, 11, 27)})
    told = 'bad port\n{"code":-32602,"data":{"field":"port","at":"2026-11-27"}}'
    reply = box.reply(error, to=anthropic("tide", {}))
    assert (reply["content"], reply["is_error"]) == (told, True)
    group = ExceptionGroup("of a task group", [error, RpcError("gone"), ValueError("no")])
    said = f"of a task group (3 sub-exceptions); {told}; gone; no"
    assert box.reply(group, to=anthropic("tide", {}))["content"] == said


def test_the_data_of_a_response_with_an_error_is_data() -> None:
    """The model got the message alone."""
    response = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no", "data": {"field": "port"}}}
    reply = Toolbox(TOOLS, to="anthropic").reply(response, to=anthropic("tide", {}))
    assert [block["text"] for block in reply["content"]] == ["no", '{"field":"port"}']
    assert reply["is_error"] is True
    assert [(loss.code, loss.source) for loss in reply.report] == [("TB703", "/error/data"), ("TB101", "/error/code")]
    own = Toolbox(TOOLS, to="mcp@2025-11-25").reply(response, to={"name": "tide"})
    assert (own["structuredContent"], own["isError"]) == ({"field": "port"}, True)


def test_an_error_is_not_called_one_twice() -> None:
    box = Toolbox(TOOLS, to="openai")
    failed = {"content": [{"type": "text", "text": "Error: gone"}], "isError": True}
    assert box.reply(failed, to=openai("tide", {}))["content"] == "Error: gone"
    assert box.reply(KeyError("k"), to=openai("tide", {}))["content"] == "Error: KeyError('k')"


def test_a_list_of_blocks_is_content() -> None:
    box = Toolbox(TOOLS, to="anthropic")
    picture = [{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}]
    assert box.reply(picture, to=anthropic("tide", {}))["content"][0]["type"] == "image"


def test_a_result_that_was_not_awaited_is_an_error() -> None:
    """A model would read `<coroutine object ...>`."""

    async def later() -> str:
        return "x"

    async def pieces() -> AsyncIterator[str]:
        yield "x"

    box = Toolbox(TOOLS, to="anthropic")
    given = later()
    with pytest.raises(TypeError, match="a result, and not the coroutine that has to be awaited for it"):
        box.reply(given, to=anthropic("tide", {}))
    given.close()
    with pytest.raises(TypeError, match="async_generator"):
        box.reply(pieces(), to=anthropic("tide", {}))


def test_a_toolbox_needs_tools_and_a_target() -> None:
    with pytest.raises(TypeError, match="needs tools"):
        Toolbox(TOOLS)
    with pytest.raises(TypeError, match="needs tools"):
        Toolbox(to="openai")


def test_a_result_that_fastmcp_wrapped_stays_as_it_is() -> None:
    """TB703 was reported for a result that did not change; a list was no structured content, which MCP demands."""
    output = {
        "type": "object",
        "properties": {"result": {"type": "array"}},
        "required": ["result"],
        "x-fastmcp-wrap-result": True,
    }
    tool = {"name": "w", "inputSchema": {"type": "object"}, "outputSchema": output}
    box = Toolbox([tool], to="mcp@2025-11-25", source="mcp@2025-11-25")
    result = {"content": [{"type": "text", "text": "[1]"}], "structuredContent": {"result": [1]}}
    reply = box.reply(result, to={"name": "w"})
    assert (reply, [*reply.report]) == (result, [])
    assert box.reply([1, 2], to={"name": "w"})["structuredContent"] == {"result": [1, 2]}
    marked = {**result, "_meta": {"fastmcp": {"wrap_result": True}, "a": 1}}
    assert box.reply(marked, to={"name": "w"}) == marked
    meta = {"protocolVersion": "2026-07-28", "clientCapabilities": {}}
    params = {"name": "w", "arguments": {}, "_meta": {f"io.modelcontextprotocol/{key}": meta[key] for key in meta}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    reply = Toolbox([tool], to="mcp", source="mcp@2025-11-25").reply(marked, to=call)
    assert (reply["structuredContent"], reply["_meta"]) == ([1], {"fastmcp": {}, "a": 1})


FAILED: list[Any] = [
    {"content": [{"type": "text", "text": "disk full"}], "structuredContent": {"v": float("nan")}, "isError": True},
    {"content": [{"type": "text", "text": "disk full"}], "structuredContent": {"v": b"\xff"}, "isError": True},
    {"content": [{"type": "image", "data": "AAAA"}], "isError": True},
    {"content": "boom", "isError": True},
    {"isError": True, "error": "boom"},
    {"jsonrpc": "2.0", "id": 1, "result": {"content": "boom", "isError": True}},
    {"value": float("nan"), "error": {"message": "no", "kind": "TOOL_RUNTIME_FATAL"}},
]


@pytest.mark.parametrize("result", FAILED)
def test_a_failed_result_that_is_not_quite_valid_has_failed(result: Any) -> None:
    """A value that is not JSON, or a malformed block, made a success of it."""
    reply = Toolbox([TIDE], to="anthropic").reply(result, to=CALLS["anthropic"])
    assert reply["is_error"] is True
    reply = Toolbox([TIDE], to="gemini").reply(result, to=CALLS["gemini"])
    assert "error" in reply["functionResponse"]["response"]


def test_a_result_with_a_value_that_is_not_json_is_still_one() -> None:
    result = {"content": [{"type": "text", "text": "ok"}], "structuredContent": {"v": float("nan")}}
    reply = Toolbox([TIDE], to="anthropic").reply(result, to=CALLS["anthropic"])
    assert reply["content"] == [{"type": "text", "text": "ok"}, {"type": "text", "text": '{"v":"nan"}'}]
    assert reply.report.counts() == {"TB703": 2}


def test_a_value_that_is_no_object_is_reported_once() -> None:
    """TB703 was also reported for the structured content that was not written."""
    reply = Toolbox(TOOLS, to="mcp@2025-06-18").reply(3, to={"name": "tide"})
    assert reply == {"content": [{"type": "text", "text": "3"}]}
    assert [(loss.code, loss.target) for loss in reply.report] == [("TB703", "/content/0")]


def test_the_errors_in_a_group_are_said() -> None:
    error = ExceptionGroup("several", [ValueError("no port"), ExceptionGroup("inner", [OSError("full")])])
    reply = Toolbox([TIDE], to="openai").reply(error, to=CALLS["openai"])
    assert "no port" in reply["content"]
    assert "full" in reply["content"]


def test_pictures_in_the_other_alphabet_are_the_same_bytes() -> None:
    result = {"content": [{"type": "image", "data": "aGk-_w", "mimeType": "image/png"}]}
    reply = Toolbox([TIDE], to="bedrock", source="mcp").reply(result, to=CALLS["bedrock"], sdk=True)
    (block,) = [block for block in reply["toolResult"]["content"] if "image" in block]
    assert block["image"]["source"]["bytes"] == b"hi>\xff"


PICTURE = bytes(range(224, 256))


@pytest.mark.parametrize(
    ("result", "source"),
    [
        ({"content": [{"type": "image", "data": PICTURE, "mimeType": "image/png"}]}, None),
        (
            {"toolResult": {"toolUseId": "t", "content": [{"image": {"format": "png", "source": {"bytes": PICTURE}}}]}},
            "bedrock",
        ),
    ],
    ids=["mcp", "bedrock"],
)
def test_bytes_of_a_picture_are_base64_that_every_vendor_takes(result: Any, source: Any) -> None:
    """boto3 has bytes; pydantic writes them as base64 with other letters, which Anthropic and OpenAI refuse."""
    reply = Toolbox([TIDE], to="anthropic").reply(result, to=CALLS["anthropic"], source=source)
    (block,) = reply["content"]
    assert block["source"] == {"type": "base64", "media_type": "image/png", "data": b64encode(PICTURE).decode()}


@pytest.mark.parametrize("key", ["functionResponse", "function_response", ""])
def test_a_result_of_gemini_keeps_its_media_however_it_is_spelled(key: str) -> None:
    """Of what is spelled otherwise the media were dropped, and nothing said so."""
    parts = [{"inlineData": {"mimeType": "image/png", "data": b64encode(PICTURE).decode()}}]
    told = {"name": "tide", "response": {"output": "high"}, "parts": parts}
    reply = Toolbox([TIDE], to="gemini").reply({key: told} if key else told, to=CALLS["gemini"], source="gemini")
    assert reply["functionResponse"]["parts"] == parts
    assert reply["functionResponse"]["response"] == {"output": "high"}
    assert reply.report.lossless


PNG = "iVBORw0KGgo="
DATA_URL = f"data:image/png;base64,{PNG}"


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        ({"type": "image", "data": PNG, "mimeType": "image/jpeg"}, "TB001"),
        ({"type": "image", "data": DATA_URL, "mimeType": "image/png"}, "TB001"),
        ({"type": "image", "data": f"{PNG[:8]}\n{PNG[8:]}\n", "mimeType": "image/png"}, "TB001"),
        ({"type": "image", "data": PNG, "mimeType": "IMAGE/PNG"}, "TB101"),
        ({"type": "resource", "resource": {"uri": "a:b", "mimeType": "image/webp", "blob": DATA_URL}}, "TB001"),
    ],
)
def test_a_picture_is_what_its_bytes_are(picture: Any, code: str) -> None:
    """Servers state a wrong media type, or send a data URL: services refuse both, and the conversation with them."""
    url = {"type": "input_image", "image_url": DATA_URL}
    source = {"type": "base64", "media_type": "image/png", "data": PNG}
    responses = {"type": "function_call", "call_id": "c", "name": "tide", "arguments": "{}"}
    for to, call, member, made in (
        ("openai@responses", responses, "output", [url]),
        ("anthropic", CALLS["anthropic"], "content", [{"type": "image", "source": source}]),
    ):
        reply = Toolbox([TIDE], to=to).reply({"content": [picture]}, to=call)
        assert reply[member] == made
        assert code in reply.report.counts()


def test_base64_for_urls_is_written_in_the_standard_alphabet() -> None:
    data = b64encode(b"\x89PNG\r\n\x1a\n\xff\xfb\xef\xff\xfe").decode()
    assert {"+", "/"} <= {*data}
    picture = {"type": "image", "data": data.replace("+", "-").replace("/", "_"), "mimeType": "image/png"}
    reply = Toolbox([TIDE], to="anthropic").reply({"content": [picture]}, to=CALLS["anthropic"])
    assert reply["content"][0]["source"]["data"] == data
    assert reply.report.counts() == {"TB001": 1}


@pytest.mark.parametrize(
    "data", ["iVBORw0KGgo", "iVBORw0KGgo=\n", "iVBO Rw0KGgo=", "data:image/png;base64,iVBORw0KGgo"]
)
def test_base64_without_padding_or_with_white_space_is_written_as_decoders_take_it(data: str) -> None:
    picture = {"type": "image", "data": data, "mimeType": "image/png"}
    reply = Toolbox([TIDE], to="anthropic").reply({"content": [picture]}, to=CALLS["anthropic"])
    assert reply["content"][0]["source"]["data"] == "iVBORw0KGgo="
    assert reply.report.counts() == {"TB001": 1}


@pytest.mark.parametrize(
    ("data", "size"),
    [("", "0 bytes"), *((data, "not base64") for data in ("a", "not base64!", "iVBORw0KGgo%", "é" * 4))],
)
def test_a_picture_that_no_service_takes_is_told_in_words(data: str, size: str) -> None:
    """OpenAI and Mistral refuse a data URL without data, as the other vendors refuse empty pictures, and what is no
    base64: the conversation with it would be lost.
    """
    result = {"content": [{"type": "image", "data": data, "mimeType": "image/png"}]}
    label = f"[image/png, {size}]"
    use = {"toolUse": {"toolUseId": "t1", "name": "tide", "input": {}}}
    reply = Toolbox([TIDE], to="bedrock").reply(result, to=use, sdk=True)
    assert reply["toolResult"]["content"] == [{"text": label}]
    for to, call, member in (
        ("openai@responses", {"type": "function_call", "call_id": "c", "name": "tide", "arguments": "{}"}, "output"),
        ("mistral", openai("tide", {}, "abcdefghi"), "content"),
        ("anthropic", CALLS["anthropic"], "content"),
    ):
        reply = Toolbox([TIDE], to=to).reply(result, to=call)
        assert (reply[member], reply.report.counts()) == (label, {"TB705": 1})


def test_a_result_of_a_call_that_the_service_made_answers_one_that_the_caller_makes() -> None:
    """The reply had the type of the other result, which answers no `tool_use`."""
    result = {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "content": [{"type": "text", "text": "high"}]}
    call = anthropic("tide", {"port": "Ems"})
    reply = Toolbox([TIDE], to="anthropic").reply(result, to=call, source="anthropic")
    assert reply == {"type": "tool_result", "tool_use_id": "toolu_1", "content": result["content"]}


@pytest.mark.parametrize(
    "result",
    [
        {"contents": [{"uri": "file:///a.txt", "text": "high", "mimeType": "text/plain"}], "_meta": {"a": 1}},
        {"contents": [{"uri": "file:///a.txt", "text": "high", "mime_type": "text/plain", "meta": None}], "meta": None},
        [{"uri": "file:///a.txt", "text": "high", "mimeType": "text/plain"}],
    ],
)
def test_a_resource_that_answers_a_call(result: Any) -> None:
    """What `read_resource` of an MCP client returns was the text of its JSON, a picture among it base64."""
    reply = Toolbox([TIDE], to="mcp").reply(result, to={"name": "tide", "arguments": {}})
    contents = {"uri": "file:///a.txt", "mimeType": "text/plain", "text": "high"}
    assert reply["content"] == [{"type": "resource", "resource": contents}]
    assert "structuredContent" not in reply
    reply = Toolbox([TIDE], to="anthropic").reply(result, to=CALLS["anthropic"], source="python")
    assert reply["content"].startswith(('{"contents":', '[{"uri":'))


@pytest.mark.parametrize("value", [{"contents": []}, {"contents": [{"uri": "a", "text": "b", "score": 1}]}])
def test_a_value_that_resembles_a_resource(value: Any) -> None:
    reply = Toolbox([TIDE], to="anthropic").reply(value, to=CALLS["anthropic"])
    assert json.loads(reply["content"]) == value


FUNCTION_CALL: dict[str, Any] = {"id": "c1", "name": "tide", "args": {"port": "Ems"}}


def test_a_copy_of_a_call_is_not_answered() -> None:
    """It is a call for the server: Chat took it for a deprecated call, whose result answers no `tool_calls`."""
    box = Toolbox([TIDE], to="openai")
    call = box.call(openai("tide", {"port": "Ems"}))
    assert box.reply("high", to=call)["tool_call_id"] == "call_1"
    with pytest.raises(DocumentError, match="no copy of it"):
        box.reply("high", to=dict(call))
    assert box.reply("high", to={"name": "tide", "arguments": "{}"})["role"] == "function"


@pytest.mark.parametrize("call", [{"function_call": FUNCTION_CALL}, FUNCTION_CALL, {"functionCall": FUNCTION_CALL}])
def test_each_form_of_a_call_of_gemini_is_answered(call: dict[str, Any]) -> None:
    """As google-genai dumps a part, and as a message of the Live API lists it."""
    reply = Toolbox([TIDE], to="gemini").reply("high", to=call)
    assert reply == {"functionResponse": {"id": "c1", "name": "tide", "response": {"output": "high"}}}
