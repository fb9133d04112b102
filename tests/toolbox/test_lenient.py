"""Toolboxes and calls that are not quite as their vendor has them: what is meant is done, and all get answers."""

from __future__ import annotations

import copy
import json
import pickle
import tracemalloc
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolbridge import CallError, DocumentError, Toolbox, convert
from toolbridge.data import pointer as at
from toolbridge.data.types import JsonObject

TIDE: JsonObject = {
    "name": "tide",
    "description": "Tells the tide.",
    "inputSchema": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]},
}
CLOCK: JsonObject = {"name": "clock", "description": "Tells the time.", "inputSchema": {"type": "object"}}
EMS = {"port": "Ems"}
TEXT = json.dumps(EMS)


def chat(arguments: Any, **more: Any) -> JsonObject:
    return {"id": "call_1", "type": "function", "function": {"name": "tide", "arguments": arguments}, **more}


def anthropic(given: Any, **more: Any) -> JsonObject:
    return {"type": "tool_use", "id": "toolu_1", "name": "tide", "input": given, **more}


# arguments


@pytest.mark.parametrize(
    ("to", "block"),
    [
        ("openai", chat(EMS)),
        ("cohere", chat(EMS)),
        ("openai@responses", {"type": "function_call", "call_id": "c", "name": "tide", "arguments": EMS}),
        ("anthropic", anthropic(TEXT)),
        ("bedrock", {"toolUse": {"toolUseId": "t", "name": "tide", "input": TEXT}}),
        ("ollama", {"function": {"name": "tide", "arguments": TEXT}}),
        ("gemini", {"functionCall": {"name": "tide", "args": TEXT}}),
    ],
)
def test_arguments_as_an_object_for_text_and_the_other_way_round(to: str, block: JsonObject) -> None:
    call = Toolbox([TIDE], to=to).call(block)
    assert call == {"name": "tide", "arguments": EMS}
    assert call.block == block
    assert "TB001" in call.report.counts()


@pytest.mark.parametrize("to", ["openai", "ollama", "vllm"])
def test_a_token_behind_a_name(to: str) -> None:
    """vLLM writes it behind the names of gpt-oss, again and again: an error does not help the model."""
    function = {"name": "tide<|channel|>commentary", "arguments": EMS if to == "ollama" else TEXT}
    box = Toolbox([TIDE], to=to)
    call = box.call({"id": "call_1", "type": "function", "function": function})
    assert (call.name, call.arguments) == ("tide", EMS)
    assert ("TB001", "/function/name") in [(loss.code, loss.source) for loss in call.report]
    assert box.reply("high", to=call)["content"] == "high"
    for name in ("tide<channel", "<|tide", "tides<|x|>"):
        with pytest.raises(CallError, match="there is no tool called"):
            box.call({"id": "call_1", "type": "function", "function": {**function, "name": name}})
    named = Toolbox([{**TIDE, "name": "tide<|channel|>commentary"}, TIDE], to="ollama")
    if to == "ollama":
        assert named.call({"function": function}).name == "tide<|channel|>commentary"


TWICE = '{"port": "x", "port": "Ems"}'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (json.dumps(TEXT), "TB001"),
        (json.dumps(TWICE), "TB002"),
        (TEXT * 2, "TB001"),
        (TEXT * 3, "TB001"),
        ("{}" + TEXT, "TB001"),
        ("{}{}" + TEXT + TEXT, "TB001"),
        (TWICE * 2, "TB002"),
    ],
)
def test_arguments_that_were_encoded_or_sent_twice(text: str, code: str) -> None:
    block = chat(text)
    call = Toolbox([TIDE], to="openai").call(block)
    assert call["arguments"] == EMS
    assert call.report.counts()[code] == 1
    done = convert(block, "anthropic", source="openai")
    assert (done.value["input"], done.report.counts()) == (EMS, {code: 1})
    assert convert(done.value, "openai", source="anthropic", restore=done.remainder).value == block


@given(st.text(st.sampled_from('a\\\n\t\x00"nu0'), max_size=12))
@example("a\nb")
@example("a\\\nb")
@example("a\\\\\nb")
def test_control_characters_in_arguments(text: str) -> None:
    """They were errors; now they are what Python's own parser takes them for, if it is told to take them."""
    block = chat(f'{{"port":\n"{text}"}}')
    try:
        expected = json.loads(block["function"]["arguments"], strict=False)
    except ValueError:
        with pytest.raises(CallError, match="not valid JSON"):
            Toolbox([TIDE], to="openai").call(block)
        return
    call = Toolbox([TIDE], to="openai").call(block)
    assert call.arguments == expected
    assert ("TB001" in call.report.counts()) == any(ord(each) < 32 for each in text)


@pytest.mark.parametrize("text", ["", "null", "[]", "x", json.dumps(TEXT)])
def test_no_other_text_in_arguments_is_read(text: str) -> None:
    with pytest.raises(CallError, match="have to be a JSON object, found the string"):
        Toolbox([TIDE], to="openai").call(chat(json.dumps(text)))


@pytest.mark.parametrize("text", [TEXT + TWICE, TEXT + "{}", "{}x", "xx", "[][]", '""""'])
def test_several_values_in_arguments_are_no_object(text: str) -> None:
    with pytest.raises(CallError, match="not valid JSON"):
        Toolbox([TIDE], to="openai").call(chat(text))


def test_an_object_of_arguments_where_text_is_expected_is_copied_once() -> None:
    box = Toolbox([{"name": "t", "inputSchema": {"type": "object"}}], to="openai@responses")

    def memory(count: int) -> float:
        """The most memory that a call takes, in sizes of its arguments."""
        tracemalloc.start()
        try:
            lists = [[n] for n in range(count)]
            size = tracemalloc.get_traced_memory()[0]
            block = {"type": "function_call", "call_id": "c", "name": "t", "arguments": {"a": lists}}
            assert box.call(block, validate=False).arguments == {"a": lists}
            return tracemalloc.get_traced_memory()[1] / size - 1
        finally:
            tracemalloc.stop()

    memory(3)
    assert memory(50_000) < 2


@pytest.mark.parametrize(
    ("to", "block"),
    [
        ("anthropic", {"type": "tool_use", "id": "a", "name": "clock", "input": None}),
        ("anthropic", {"type": "tool_use", "id": "a", "name": "clock"}),
        ("anthropic", {"type": "tool_use", "id": "a", "name": "clock", "input": ""}),
        ("bedrock", {"toolUse": {"toolUseId": "t", "name": "clock", "input": None}}),
        ("mistral", {"id": "a1B2c3D4e", "function": {"name": "clock", "arguments": None}}),
        ("ollama", {"function": {"name": "clock"}}),
        ("openai@responses", {"type": "function_call", "call_id": "c", "name": "clock"}),
        ("openai@responses", {"type": "function_call", "call_id": "c", "name": "clock", "arguments": None}),
        ("langchain", {"type": "tool_call", "id": "c", "name": "clock", "args": None}),
        ("langchain", {"type": "tool_call", "id": "c", "name": "clock"}),
    ],
)
def test_no_arguments_however_they_are_said(to: str, block: JsonObject) -> None:
    assert Toolbox([CLOCK], to=to).call(block).arguments == {}
    assert len(Toolbox([CLOCK], to=to).calls([block])) == 1


@pytest.mark.parametrize("given", [[1], 7, '{"port": ', "[1]", True])
def test_arguments_that_are_none_are_the_models_affair(given: Any) -> None:
    for to, block in (("anthropic", anthropic(given)), ("ollama", {"function": {"name": "tide", "arguments": given}})):
        with pytest.raises(CallError, match="the arguments") as caught:
            Toolbox([TIDE], to=to).call(block)
        assert caught.value.call == block
        assert caught.value.name == "tide"


# answers


@pytest.mark.parametrize(
    ("to", "block", "place"),
    [
        ("openai", chat([1]), "tool_call_id"),
        ("openai", {"id": "call_1", "type": "function", "function": {"arguments": "{}"}}, "tool_call_id"),
        ("openai", {"id": "call_1", "type": "function", "function": None}, "tool_call_id"),
        ("anthropic", anthropic([1], id="call_1"), "tool_use_id"),
        ("anthropic", {"type": "tool_use", "id": "call_1"}, "tool_use_id"),
        ("anthropic", anthropic(EMS, id="call_1", name=7), "tool_use_id"),
        ("langchain", {"type": "tool_call", "id": "call_1", "name": 7, "args": {}}, "tool_call_id"),
    ],
)
def test_every_call_gets_an_answer_that_names_it(to: str, block: JsonObject, place: str) -> None:
    box = Toolbox([TIDE], to=to)
    message = {"role": "assistant", "content": [block], "tool_calls": [block]}
    (error,) = [each for each in box.calls(message) if isinstance(each, CallError)][:1]
    reply = box.reply(error, to=error)
    assert reply[place] == "call_1"
    assert str(error) in json.dumps(reply)


@pytest.mark.parametrize(
    ("to", "block", "place"),
    [
        ("openai", chat(TEXT, id="chatcmpl-tool-0123456789abcdef0123456789abcdef"), "tool_call_id"),
        ("openai", chat(TEXT, id=""), "tool_call_id"),
        ("mistral", {"id": "chatcmpl-tool-1", "function": {"name": "tide", "arguments": TEXT}}, "tool_call_id"),
        ("anthropic", anthropic(EMS, id="a b"), "tool_use_id"),
    ],
)
def test_an_answer_has_the_id_of_its_call_whatever_it_looks_like(to: str, block: JsonObject, place: str) -> None:
    """The call stands in the conversation as it is; what names another one answers none."""
    box = Toolbox([TIDE], to=to)
    for asked in (block, box.call(block)):
        reply = box.reply("low", to=asked)
        assert reply[place] == block["id"]
        assert "TB506" not in reply.report.counts()


@pytest.mark.parametrize(
    ("to", "block"),
    [
        ("openai", {"id": "call_1", "type": "function", "function": {"arguments": TEXT}}),
        ("anthropic", {"id": "call_1", "name": "tide", "input": EMS}),
        ("openai@responses", {"call_id": "call_1", "name": "tide", "arguments": TEXT}),
        ("langchain", {"id": "call_1", "args": EMS}),
    ],
)
def test_what_resembles_a_call_in_a_list_is_no_other_content(to: str, block: JsonObject) -> None:
    """It was ignored like a block of text, as if the model had called nothing."""
    box = Toolbox([TIDE], to=to)
    others: list[Any] = [{"type": "text", "text": "x"}, {"type": "mcp_call", "arguments": "{}", "input": {}}]
    assert box.calls(others) == []
    (error,) = box.calls([*others, block])
    assert isinstance(error, CallError)
    assert str(error) == f"not a call of {box.target.id}"
    assert '"call_1"' in json.dumps(box.reply(error, to=error))


@pytest.mark.parametrize(
    ("to", "block"),
    [
        ("openai", chat(TEXT, id=7)),
        ("openai@responses", {"type": "function_call", "call_id": 7, "name": "tide", "arguments": TEXT}),
        ("anthropic", anthropic(EMS, id=7)),
        ("gemini", {"functionCall": {"id": 7, "name": "tide", "args": EMS}}),
        ("ollama", {"id": 7, "function": {"name": "tide", "arguments": EMS}}),
    ],
)
def test_an_id_that_is_a_number_is_a_text(to: str, block: JsonObject) -> None:
    """Such a call was an error, and what answered it had another id."""
    box = Toolbox([TIDE], to=to)
    call = box.call(block)
    assert (call.id, call.arguments) == ("7", EMS)
    assert [loss.code for loss in call.report if loss.code != "TB101"] == ["TB001"]
    for asked in (block, call, CallError("no", call=block)):
        assert '"7"' in json.dumps(box.reply("low", to=asked))
    if to == "openai":
        piece = {"index": 0, **block}
        chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [piece]}, "finish_reason": "tool_calls"}]}
        assert [each.id for each in box.stream().feed(chunk) if not isinstance(each, CallError)] == ["7"]
        long = box.calls([chat(TEXT, id=10**30)])
        assert str(long[0]) == "/id: expected a string or null, found an integer"


def test_an_id_that_nobody_gave_suits_every_vendor() -> None:
    block = {"function": {"name": "tide", "arguments": TEXT}}
    box = Toolbox([TIDE], to="mistral")
    call = box.call(block)
    assert isinstance(call.id, str)
    assert len(call.id) == 9
    assert box.reply("low", to=call)["tool_call_id"] == call.id == box.reply("low", to=block)["tool_call_id"]


# pieces, and more than one answer


@pytest.mark.parametrize(
    ("to", "piece"),
    [
        ("openai", {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, **chat('{"po')}]}}]}),
        (
            "openai",
            {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": "r"}}]}}]},
        ),
        ("openai", {"choices": [{"index": 0, "delta": {"function_call": {"name": "tide", "arguments": ""}}}]}),
        ("mistral", {"choices": [{"index": 0, "delta": {"tool_calls": [chat(TEXT)]}}]}),
        ("openai@responses", {"type": "response.function_call_arguments.delta", "item_id": "f", "delta": "{"}),
        ("anthropic", {"type": "content_block_start", "index": 1, "content_block": anthropic({})}),
        ("bedrock", {"contentBlockStart": {"start": {"toolUse": {"toolUseId": "t", "name": "tide"}}}}),
        ("cohere", {"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": chat("")}}}),
    ],
)
def test_a_piece_of_an_answer_is_not_taken_for_one_without_calls(to: str, piece: JsonObject) -> None:
    with pytest.raises(DocumentError, match=r"piece|not a call"):
        Toolbox([TIDE], to=to).calls(piece)


def test_a_piece_of_text_holds_no_call() -> None:
    assert Toolbox([TIDE], to="openai").calls({"choices": [{"index": 0, "delta": {"content": "Let me see."}}]}) == []


@pytest.mark.parametrize(
    "more", [{"willContinue": True}, {"partialArgs": [{"jsonPath": "$.port", "stringValue": "E"}]}]
)
@pytest.mark.parametrize("spelled", ["functionCall", "function_call"])
def test_a_call_of_gemini_that_is_still_to_come_is_not_made(spelled: str, more: JsonObject) -> None:
    box = Toolbox([CLOCK], to="gemini")
    block = {spelled: {"name": "clock", **more}}
    with pytest.raises(CallError, match="piece"):
        box.call(block)
    assert box.call({spelled: {"name": "clock", "args": {}, "willContinue": False, "partialArgs": []}}).arguments == {}


def test_a_call_that_langchain_guessed_from_a_piece_is_not_made() -> None:
    """Of arguments that were cut short it makes an object all the same."""
    from langchain_core.messages import AIMessageChunk

    box = Toolbox([TIDE, CLOCK], to="langchain")
    pieces = [
        AIMessageChunk("", tool_call_chunks=[{"name": name, "args": args, "id": key, "index": index}])
        for name, args, key, index in (
            *(("tide", '{"port": "E', "1", 0), ("clock", '{"zone": "CE', "2", 1), (None, 'T"}', None, 1)),
        )
    ]
    cut, whole = box.calls(pieces[0] + pieces[1] + pieces[2])
    assert isinstance(cut, CallError)
    assert "not valid JSON" in str(cut)
    assert box.reply(cut, to=cut)["tool_call_id"] == "1"
    assert whole == {"name": "clock", "arguments": {"zone": "CET"}}
    with pytest.raises(CallError, match="not valid JSON"):
        box.call(pieces[1])


@pytest.mark.parametrize(
    ("cut", "whole"),
    [
        ({"finish_reason": "length"}, {"finish_reason": "tool_calls"}),
        ({"stop_reason": "max_tokens"}, {"stop_reason": "tool_use"}),
        ({"stopReason": "max_tokens"}, {"stopReason": "tool_use"}),
        ({"finish_reason": "MAX_TOKENS"}, {"finish_reason": "TOOL_CALL"}),
        ({"status": "incomplete"}, {"status": "completed"}),
    ],
)
def test_a_call_of_langchain_that_was_cut_is_an_error(cut: JsonObject, whole: JsonObject) -> None:
    """The vendor says it in the metadata of the message; the call was made without arguments, or with half of them."""
    from langchain_core.messages import AIMessage, AIMessageChunk, message_chunk_to_message

    box = Toolbox([TIDE, CLOCK], to="langchain")

    def calls(message: AIMessage) -> list[str]:
        return [str(call) if isinstance(call, CallError) else call.name for call in box.calls(message)]

    def streamed(text: str, metadata: JsonObject) -> AIMessageChunk:
        pieces = [{"name": "clock", "args": text, "id": "1", "index": 0}]
        return AIMessageChunk("", tool_call_chunks=pieces, response_metadata=metadata)

    ended = ["the response ended before the call was complete"]
    empty = {"name": "clock", "args": {}, "id": "0"}
    two = AIMessage("", tool_calls=[empty, {**empty, "id": "1"}], response_metadata=cut)
    assert calls(two) == ["clock", *ended]
    for args, names in (({}, ["clock"]), ({"zone": "CE"}, ["clock"])):
        call = {"name": "clock", "args": args, "id": "1"}
        assert calls(AIMessage("", tool_calls=[call], response_metadata=cut)) == ended
        assert calls(AIMessage("", tool_calls=[call], response_metadata=whole)) == names
    empty = {"type": "invalid_tool_call", "name": "clock", "args": "", "id": "1", "error": None}
    assert calls(AIMessage("", invalid_tool_calls=[empty], response_metadata=cut)) == ended
    assert calls(AIMessage("", invalid_tool_calls=[empty], response_metadata=whole)) == ["clock"]
    assert calls(streamed("", cut)) == ended
    assert calls(streamed('{"zone": "CET"}', cut)) == ["clock"]  # it has the text
    assert calls(message_chunk_to_message(streamed('{"zone": "CE', cut))) == ended


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ("openai", {"role": "assistant", "content": None, "tool_calls": [chat(TEXT)]}),
        ("anthropic", {"role": "assistant", "content": [anthropic(EMS)]}),
        ("gemini", {"candidates": [{"content": {"parts": [{"functionCall": {"name": "tide", "args": EMS}}]}}]}),
        ("bedrock", {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t", "name": "tide", "input": EMS}}]}),
    ],
)
def test_a_conversation_is_no_answer(to: str, message: JsonObject) -> None:
    """Its calls were made before: neither again, nor is nothing said."""
    box = Toolbox([TIDE], to=to)
    with pytest.raises(DocumentError, match="of its own") as caught:
        box.calls([{"role": "user", "content": "How is the tide?"}, message])
    assert caught.value.pointer == "/1"
    assert len(box.calls(message)) == 1


# results


def test_data_without_content_is_a_result_too() -> None:
    block = anthropic(EMS)
    box = Toolbox([TIDE], to="anthropic")
    reply = box.reply({"structuredContent": {"problem": "dry"}, "isError": True}, to=block)
    assert reply["is_error"] is True
    assert reply["content"] == '{"problem":"dry"}'
    assert box.reply({"structuredContent": {"height": 2}}, to=block)["content"] == '{"height":2}'
    assert box.reply({"isError": True}, to=block)["is_error"] is True


def test_one_block_of_content_is_content_too() -> None:
    from mcp.types import ImageContent, TextContent

    box = Toolbox([TIDE], to="anthropic")
    assert box.reply(TextContent(type="text", text="low"), to=anthropic(EMS))["content"] == "low"
    (picture,) = box.reply(ImageContent(type="image", data="aGk=", mimeType="image/png"), to=anthropic(EMS))["content"]
    assert picture["source"]["data"] == "aGk="
    assert box.reply({"type": "text"}, to=anthropic(EMS))["content"] == '{"type":"text"}'


# what is kept


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda box: pickle.loads(pickle.dumps(box))])
def test_a_toolbox_is_copied_and_kept(again: Any) -> None:
    servers = {"north": [TIDE, CLOCK], "south": [{**TIDE, "name": "tide"}]}
    box = Toolbox(servers, to="gemini@parameters").add([{**CLOCK, "name": "now"}], server="south")
    block = {"functionCall": {"name": "north_tide", "args": EMS}}
    box.call(block)  # so that all it finds out later is there
    other = again(box)
    assert other.tools == box.tools
    assert other.names == box.names
    assert list(other.report) == list(box.report)
    assert other.call(block) == box.call(block)
    assert other.call(block).server == "north"
    with pytest.raises(CallError, match="required"):
        other.call({"functionCall": {"name": "south_tide", "args": {}}})
    later = [one.replace([TIDE], server="south").names for one in (box, other)]
    assert later[0] == later[1]
    spoken = again(box.with_messages("langchain"))
    assert spoken.call({"type": "tool_call", "id": "c", "name": "north_tide", "args": EMS}).arguments == EMS


def test_a_toolbox_of_a_deep_schema_is_pickled() -> None:
    # Pickle follows a value through some 330 levels; documents may have 500.
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(240):
        schema = {"type": "object", "properties": {"a": schema}}
    box = Toolbox([{"name": "t", "inputSchema": schema}], to="openai")
    other = pickle.loads(pickle.dumps(box))
    assert other.tools == box.tools
    assert other.report == box.report
    converted = convert([{"name": "t", "inputSchema": schema, "annotations": {"title": "T"}}], to="openai")
    again = pickle.loads(pickle.dumps(converted))
    assert again.value == converted.value
    assert again.remainder == converted.remainder
    assert again.remainder is not None


ONE = {"type": "tool_use", "id": "t1", "name": "f", "input": {}}
CUT_RESPONSES: dict[str, Any] = {
    "anthropic": {"role": "assistant", "type": "message", "stop_reason": "max_tokens", "content": [ONE]},
    "openai": {
        "choices": [
            {
                "index": 0,
                "finish_reason": "length",
                "message": {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}],
                },
            }
        ]
    },
    "openai@responses": {
        "status": "incomplete",
        "output": [{"type": "function_call", "call_id": "c", "name": "f", "arguments": "", "status": "incomplete"}],
    },
    "bedrock": {
        "stopReason": "max_tokens",
        "output": {
            "message": {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t", "name": "f", "input": {}}}]}
        },
    },
}
CALLS_AT = {
    "anthropic": "/content",
    "openai": "/choices/0/message/tool_calls",
    "bedrock": "/output/message/content",
}


def test_a_call_of_a_custom_tool_has_free_text() -> None:
    """The error was that an object was found where an object is expected."""
    box = Toolbox([TIDE], to="openai", source="mcp@2025-11-25")
    custom = {"id": "c", "type": "custom", "custom": {"name": "tide", "input": TEXT}}
    [error] = box.calls([custom])
    assert "has free text" in str(error)


@pytest.mark.parametrize(("to", "name"), [("openai@chat", "multi_tool_use.parallel"), ("openai@responses", "parallel")])
def test_a_wrapper_of_several_calls_is_named_as_such(to: Any, name: str) -> None:
    """The error was that there is no such tool, which says to no one what to do."""
    uses = {"tool_uses": [{"recipient_name": "functions.tide", "parameters": {"port": "Ems"}}] * 2}
    function = {"name": name, "arguments": json.dumps(uses)}
    chat = {"id": "c", "type": "function", "function": function}
    call = chat if to == "openai@chat" else {"type": "function_call", "call_id": "c", **function}
    box = Toolbox([TIDE], to=to)
    [error] = box.calls([call])
    assert isinstance(error, CallError)
    assert error.problem.startswith(f"there is no tool called {name!r}; it is a wrapper of several calls")
    assert "c" in box.reply(error, to=call).values()
    own = Toolbox([{**TIDE, "name": "parallel", "inputSchema": {"type": "object"}}], to="openai@responses")
    assert own.call({"type": "function_call", "call_id": "c", **function, "name": "parallel"}).arguments == uses
    [unknown] = box.calls([json.loads(json.dumps(call).replace("tool_uses", "tools"))])
    assert "wrapper" not in str(unknown)


@pytest.mark.parametrize("vendor", CUT_RESPONSES)
def test_a_call_that_was_cut_is_an_error(vendor: str) -> None:
    """Its arguments may be missing: it was returned as a call without arguments, which deletes all files."""
    tool = {"name": "f", "inputSchema": {"type": "object", "properties": {"folder": {"type": "string"}}}}
    box = Toolbox([tool], to=vendor, source="mcp@2025-11-25")
    [call] = box.calls(CUT_RESPONSES[vendor])
    assert isinstance(call, CallError)
    assert (call.problem, call.name) == ("the response ended before the call was complete", "f")
    whole = json.loads(
        json
        .dumps(CUT_RESPONSES[vendor])
        .replace("max_tokens", "tool_use")
        .replace("length", "tool_calls")
        .replace("incomplete", "completed")
    )
    assert box.calls(whole) == [{"name": "f", "arguments": {}}]
    if vendor != "openai@responses":  # where each call has a status of its own
        twice = at.get(two := json.loads(json.dumps(CUT_RESPONSES[vendor])), CALLS_AT[vendor])
        twice.append(twice[0])
        first, last = box.calls(two)
        assert first == {"name": "f", "arguments": {}}, "nothing of it is missing, as the response goes on"
        assert isinstance(last, CallError)
    if vendor == "openai":
        for text, problem in (('{"folder": "x', call.problem), ('{"folder": "x"}', "")):
            said = json.loads(json.dumps(CUT_RESPONSES[vendor]))
            at.get(said, CALLS_AT[vendor])[0]["function"]["arguments"] = text
            [found] = box.calls(said)
            assert (found.problem if isinstance(found, CallError) else "") == problem
            said["choices"][0]["finish_reason"] = "tool_calls"
            [found] = box.calls(said)
            assert isinstance(found, CallError) is bool(problem)
            assert str(found) != problem
    if vendor == "anthropic":  # what has arguments is whole
        told = {**CUT_RESPONSES[vendor], "content": [{**ONE, "input": {"folder": "x"}}]}
        assert box.calls(told) == [{"name": "f", "arguments": {"folder": "x"}}]
