"""Streams: the events that vendors send, and the calls that come of them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from time import process_time
from typing import Any

import pytest

from steps import steps
from toolbridge import CallError, DocumentError, FormatError, Limits, Toolbox, ToolbridgeError, get_format
from toolbridge.data.types import JsonObject
from toolbridge.formats.registry import FORMATS
from toolbridge.toolbox.records import SourceCall
from vendor_streams import (
    ANTHROPIC,
    BEDROCK,
    CHAT,
    COHERE,
    EMS,
    GEMINI,
    INTERACTIONS,
    ITEM,
    LIVE_INTERACTIONS,
    MANAGED_AGENTS,
    MIDDLE,
    NOW,
    OLLAMA,
    RESPONSES,
    START,
    STREAMS,
    TEXT,
    USE,
    VERTEX,
    bedrock,
    block,
    called,
    chunk,
    cohere,
    generated,
    input_delta,
    item,
    ollama,
    response,
    stop,
)

TOOLS: list[JsonObject] = [
    {
        "name": "tide",
        "inputSchema": {
            "type": "object",
            "properties": {"port": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["port"],
        },
    },
    {"name": "wind", "inputSchema": {"type": "object", "properties": {"at": {"type": "string"}}}},
    {"name": "now", "inputSchema": {"type": "object"}},
]
Said = list[tuple[Any, ...]]


def told(calls: list[SourceCall | CallError]) -> Said:
    """What calls say: name, arguments and id, or the problem."""
    return [(str(each),) if isinstance(each, CallError) else (each.name, each.arguments, each.id) for each in calls]


def fed(to: Any, *events: object) -> Said:
    """What comes of events."""
    return told([*Toolbox(TOOLS, to=to).stream().calls(events)])


UNFINISHED = ("the response ended before the call was complete",)


NAMED = [*STREAMS]


def test_every_reader_of_events_is_tried() -> None:
    readers = {form.id: form.stream() for form in FORMATS if form.stream is not None}
    tried = {readers[get_format(to).id] for to, _ in STREAMS.values()}
    untried = {name for name, reader in readers.items() if reader not in tried}
    assert not untried, "readers without events: add some to STREAMS in tests/vendor_streams.py"


def expected(vendor: str) -> Said:
    ids: tuple[Any, Any] = ("call_1", "call_2")
    if vendor in ("mistral", "ollama"):
        ids = ("abcdefgh1", "abcdefgh2") if vendor == "mistral" else (None, None)
    return [("tide", EMS, ids[0]), ("now", {}, ids[1])]


def sdk_object(vendor: str, event: JsonObject) -> Any:
    """An event as the SDK of the vendor has it."""
    if vendor in ("chat", "responses"):
        from openai._models import construct_type
        from openai.types.chat import ChatCompletionChunk
        from openai.types.responses import ResponseStreamEvent

        return construct_type(type_=ChatCompletionChunk if vendor == "chat" else ResponseStreamEvent, value=event)
    if vendor == "anthropic":
        from anthropic._models import construct_type as construct
        from anthropic.types import RawMessageStreamEvent

        return construct(type_=RawMessageStreamEvent, value=event)
    if vendor == "realtime":
        from openai._models import construct_type as construct_event
        from openai.types.realtime import RealtimeServerEvent

        return construct_event(type_=RealtimeServerEvent, value=event)
    if vendor == "managed-agents":
        from anthropic._models import construct_type as construct
        from anthropic.types.beta.sessions import BetaManagedAgentsStreamSessionEvents

        return construct(type_=BetaManagedAgentsStreamSessionEvents, value=event)
    if vendor in ("gemini", "vertex"):
        from google.genai.types import GenerateContentResponse

        return GenerateContentResponse.model_validate(event)
    if vendor == "interactions":
        from google.genai.interactions import InteractionSSEEvent
        from pydantic import TypeAdapter

        return TypeAdapter(InteractionSSEEvent).validate_python(event)
    if vendor == "live-interactions":
        from google.genai.interactions import ServerEvent
        from pydantic import TypeAdapter

        return TypeAdapter(ServerEvent).validate_python(event)
    if vendor == "mistral":
        from mistralai.client.models import CompletionEvent

        return CompletionEvent.model_validate(event)
    if vendor == "conversations":
        from mistralai.client.models import ConversationEvents

        return ConversationEvents.model_validate(event)
    if vendor == "cohere":
        from cohere.core.unchecked_base_model import construct_type as of_cohere
        from cohere.v2.types.v2chat_stream_response import V2ChatStreamResponse

        return of_cohere(type_=V2ChatStreamResponse, object_=event)
    if vendor == "ollama":
        from ollama import ChatResponse

        return ChatResponse.model_validate(event)
    return event  # boto3 gives dicts


@pytest.mark.parametrize("vendor", NAMED)
def test_each_vendor(vendor: str) -> None:
    to, events = STREAMS[vendor]
    assert fed(to, *events) == expected(vendor)


@pytest.mark.parametrize("vendor", NAMED)
def test_objects_of_the_sdk(vendor: str) -> None:
    for package in ("openai", "anthropic", "google.genai", "mistralai", "cohere", "ollama"):
        pytest.importorskip(package)
    to, events = STREAMS[vendor]
    assert fed(to, *(sdk_object(vendor, event) for event in events)) == expected(vendor)


def test_events_of_the_helpers_of_the_sdks() -> None:
    """Beside the events of the service there are some that the SDK derives from them."""
    pytest.importorskip("openai")
    pytest.importorskip("anthropic")
    from anthropic.lib.streaming import _messages as anthropic_stream
    from openai import omit
    from openai.lib.streaming.chat._completions import ChatCompletionStreamState
    from openai.lib.streaming.responses._responses import ResponseStreamState

    chat = ChatCompletionStreamState()
    derived: list[Any] = [each for event in CHAT for each in chat.handle_chunk(sdk_object("chat", event))]
    assert {"ChunkEvent", "FunctionToolCallArgumentsDoneEvent"} <= {type(each).__name__ for each in derived}
    assert fed("openai@chat", *derived) == expected("chat")
    responses = ResponseStreamState(input_tools=[], text_format=omit)
    events = [RESPONSES[0], *RESPONSES[3:-1]]
    derived = [each for event in events for each in responses.handle_event(sdk_object("responses", event))]
    assert fed("openai@responses", *derived) == expected("responses")
    message, buffers, derived = None, {}, []
    for event in ANTHROPIC:
        found = sdk_object("anthropic", event)
        message = anthropic_stream.accumulate_event(event=found, current_snapshot=message, json_bufs=buffers)
        derived += anthropic_stream.build_events(event=found, message_snapshot=message)
    assert "InputJsonEvent" in {type(each).__name__ for each in derived}
    assert fed("anthropic", *derived) == expected("anthropic")


def test_a_stream_of_several_responses() -> None:
    hosted = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    more = [block("start", 2, content_block=hosted), input_delta(2, "{}"), block("stop", 2), stop("end_turn")]
    assert fed("anthropic", *ANTHROPIC, *ANTHROPIC, *more) == expected("anthropic") * 2
    assert fed("openai@chat", *CHAT, *CHAT) == expected("chat") * 2


@pytest.mark.parametrize("vendor", NAMED)
def test_server_sent_events(vendor: str) -> None:
    to, events = STREAMS[vendor]
    texts = [json.dumps(event.get("data", event)) for event in events]
    done = [{"event": "x", "data": text, "id": ""} for text in texts]
    assert fed(to, *texts, "[DONE]") == fed(to, *done) == fed(to, "", *(each.encode() for each in texts))
    assert fed(to, *texts) == expected(vendor)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_server_sent_events(end: str) -> None:
    blocks = [f"event: x{end}: comment{end}data:{json.dumps(event)}{end}{end}" for event in ANTHROPIC]
    assert fed("anthropic", *blocks) == fed("anthropic", *map(str.encode, blocks)) == expected("anthropic")
    whole = "".join([f": ping{end}{end}", *blocks])
    assert fed("anthropic", end + whole) == fed("anthropic", whole.encode()) == expected("anthropic")
    lines = [line for block in blocks for line in block.split(end)]
    assert fed("anthropic", ": ping", *lines, "data: [DONE]") == expected("anthropic")
    port = {**EMS, "port": "a\u2028b"}  # no end of a line, though Python takes it for one
    text = json.dumps(chunk(called(0, "a", "tide", json.dumps(port)), reason="stop"), ensure_ascii=False)
    assert fed("openai@chat", f"data: {text}") == [("tide", port, "a")]
    whole = json.dumps(chunk(called(0, "a", "now", "{}"), reason="stop"), indent=1)
    assert fed("openai@chat", end.join(f"data: {line}" for line in whole.split("\n"))) == [("now", {}, "a")]
    with pytest.raises(DocumentError, match="not JSON"):
        fed("openai@chat", "data: {")
    with pytest.raises(DocumentError, match="byte 0xFF is not UTF-8"):
        fed("openai@chat", b"data: {'\xff'}")


def test_events_of_a_client_of_server_sent_events() -> None:
    class Event:
        def __init__(self, data: str) -> None:
            self.event, self.data, self.id, self.retry = "message", data, "", None

    assert fed("openai@chat", *(Event(json.dumps(event)) for event in CHAT), Event("[DONE]")) == expected("chat")


def test_events_of_a_model_that_is_invoked_at_bedrock() -> None:
    held = [{"chunk": {"bytes": json.dumps(event).encode()}} for event in ANTHROPIC]
    assert fed("anthropic", *held) == expected("anthropic")
    with pytest.raises(DocumentError, match="/chunk/bytes: no base64"):
        fed("anthropic", {"chunk": {"bytes": "{}"}})


@pytest.mark.parametrize("vendor", NAMED)
def test_a_cut_stream_invents_nothing(vendor: str) -> None:
    to, events = STREAMS[vendor]
    box = Toolbox(TOOLS, to=to)
    whole = expected(vendor)
    for cut in range(len(events)):
        stream = box.stream()
        done: Said = []
        for event in events[:cut]:
            done += told(stream.feed(event))
        begun = len(stream.partial)
        left = told(stream.close())
        assert done == whole[: len(done)]
        assert all(each == UNFINISHED or each in whole[len(done) :] for each in left)
        assert len(left) >= begun
        # A stream that is read from its middle.
        late = fed(to, *events[cut:])
        assert all(each in whole or len(each) == 1 for each in late), late


@pytest.mark.parametrize("vendor", NAMED)
def test_calls_come_as_soon_as_they_are_complete(vendor: str) -> None:
    to, events = STREAMS[vendor]
    stream = Toolbox(TOOLS, to=to).stream()
    times = [len(stream.feed(event)) for event in events]
    assert sum(times) == 2
    first = next(number for number, count in enumerate(times) if count)
    last = {"chat": 4, "responses": 9, "anthropic": 12, "vertex": 3, "interactions": 7, "bedrock": 6, "cohere": 5}
    last |= {"managed-agents": 2, "realtime": 8, "conversations": 6, "live-interactions": 7}
    assert first == last.get(vendor.removeprefix("mistral-"), 1)


def test_partial_arguments_with_half_a_character_have_a_text() -> None:
    stream = Toolbox(TOOLS, to="openai@chat").stream()
    call = {"index": 0, "id": "c", "type": "function", "function": {"name": "tide", "arguments": {"port": "\ud800"}}}
    stream.feed({"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]})
    assert [each.text for each in stream.partial] == ['{"port":"?"}']


@pytest.mark.parametrize(
    "vendor", ["chat", "responses", "anthropic", "vertex", "interactions", "conversations", "bedrock", "cohere"]
)
def test_partial_arguments(vendor: str) -> None:
    to, events = STREAMS[vendor]
    stream = Toolbox(TOOLS, to=to).stream()
    seen: list[tuple[Any, ...]] = []
    for event in events:
        stream.feed(event)
        for call in stream.partial:
            if call.name == "tide":
                seen.append((call.id, call.text, json.loads(json.dumps(call.arguments))))
                assert "tide" in repr(call)
    texts = [text for _, text, _ in seen]
    if vendor != "vertex":
        assert all(TEXT.startswith(text) for text in texts)
        assert TEXT[:MIDDLE] in texts
    assert ("call_1", texts[-1], EMS if vendor == "vertex" else seen[-1][2]) == seen[-1]
    assert any(arguments == {"port": "E" if vendor == "vertex" else "Em"} for _, _, arguments in seen)


def test_asynchronous_events() -> None:
    async def events() -> AsyncIterator[JsonObject]:
        for event in CHAT:
            yield event

    async def run() -> list[SourceCall | CallError]:
        return [call async for call in Toolbox(TOOLS, to="openai@chat").stream().async_calls(events())]

    assert told(asyncio.run(run())) == expected("chat")


def test_replies_have_the_ids_of_the_calls() -> None:
    box = Toolbox(TOOLS, to="openai@chat")
    for call in box.stream().calls(CHAT[:3]):
        assert isinstance(call, CallError)
        assert call.name == "tide"
        assert box.reply(call, to=call)["tool_call_id"] == "call_1"
    box = Toolbox(TOOLS, to="ollama")
    texts = [OLLAMA[1], OLLAMA[1]]
    assert [call.block for call in box.stream().calls(texts) if isinstance(call, SourceCall)] == [
        call.block for call in box.calls(ollama(True, *(event["message"]["tool_calls"][0] for event in texts)))
        if isinstance(call, SourceCall)
    ]  # fmt: skip


# what is kept


def test_what_stands_beside_a_call_is_kept() -> None:
    box = Toolbox(TOOLS, to="gemini")
    for events in (GEMINI, VERTEX):
        (first, _) = box.stream().calls(events)
        assert isinstance(first, SourceCall)
        assert first.block == {
            "functionCall": {"id": "call_1", "name": "tide", "args": EMS},
            "thoughtSignature": "c2ln",
        }
    (first, _) = Toolbox(TOOLS, to="anthropic").stream().calls(ANTHROPIC)
    assert isinstance(first, SourceCall)
    assert first.block == {**USE, "input": EMS}
    signature = {"google": {"thought_signature": "c2ln"}}
    for late in (False, True):
        pieces = [called(0, "call_1", "tide", TEXT), called(0, text="")]
        pieces[late]["extra_content"] = signature
        (call,) = Toolbox(TOOLS, to="openai@chat").stream().calls([*map(chunk, pieces), chunk(reason="stop")])
        assert isinstance(call, SourceCall)
        assert call.block == {**called(None, "call_1", "tide", TEXT), "extra_content": signature}
    box = Toolbox(TOOLS, to="openai@responses")
    extra = {"namespace": "harbour", "caller": {"type": "program", "caller_id": "p"}}
    done = item("output_item.done", 1, item={**ITEM, "arguments": TEXT, "status": "completed", **extra})
    (call,) = box.stream().calls([*RESPONSES[:5], done])
    assert isinstance(call, SourceCall)
    assert call.block == done["item"]
    reply = box.reply({"content": []}, to=call)
    assert {key: reply[key] for key in extra} == extra


# peculiar streams


def test_parallel_calls_may_be_interleaved() -> None:
    events = [
        chunk(called(0, "a", "tide", ""), called(1, "b", "wind", "")),
        chunk(called(1, text='{"at": ')),
        chunk(called(0, text=TEXT[:5])),
        chunk(called(1, text='"sea"}')),
        chunk(called(0, text=TEXT[5:])),
        chunk(reason="tool_calls"),
    ]
    assert fed("openai@chat", *events) == [("tide", EMS, "a"), ("wind", {"at": "sea"}, "b")]


@pytest.mark.parametrize("to", ["openai@chat", "mistral"])
def test_how_services_tell_calls_apart(to: str) -> None:
    whole = [("tide", EMS), ("now", {})]

    def short(*events: JsonObject) -> list[tuple[Any, ...]]:
        return [each[:2] for each in fed(to, *events, chunk(reason="tool_calls"))]

    # all of index 0, each with its id
    assert short(chunk(called(0, "a", "tide", TEXT)), chunk(called(0, "b", "now", "{}"))) == whole
    # the second of index 0, and what follows of it of index 1
    head, tail = chunk(called(0, "b", "tide", TEXT[:5])), chunk(called(1, text=TEXT[5:]))
    assert short(chunk(called(0, "a", "now", "{}")), head, tail) == [whole[1], whole[0]]
    # no index: by the id
    assert short(chunk(called(None, "a", "tide", TEXT[:5])), chunk(called(None, "a", text=TEXT[5:]))) == whole[:1]
    assert short(chunk(called(None, "a", "tide", TEXT[:5])), chunk(called(None, text=TEXT[5:]))) == whole[:1]
    assert short(chunk(called(None, "a", "tide", TEXT), called(None, "b", "now", "{}"))) == whole
    # neither
    assert short(chunk(called(None, None, "tide", TEXT)), chunk(called(None, None, "now", "{}"))) == whole
    # no id
    assert short(chunk(called(0, None, "tide", TEXT)), chunk(called(1, None, "now", "{}"))) == whole
    # the name later than the id, in parts, or in each piece
    assert short(chunk(called(0, "a", None, TEXT[:5])), chunk(called(0, None, "tide", TEXT[5:]))) == whole[:1]
    assert short(chunk(called(0, "a", "ti", "")), chunk(called(0, None, "de", TEXT))) == whole[:1]
    assert short(chunk(called(0, "a", "tide", TEXT[:5])), chunk(called(0, "a", "tide", TEXT[5:]))) == whole[:1]
    # another id in each piece
    assert short(chunk(called(0, "a", "tide", TEXT[:5])), chunk(called(0, "b", None, TEXT[5:]))) == whole[:1]
    # the arguments as an object, and null for nothing
    assert short(chunk(called(0, "a", "tide", EMS))) == whole[:1]
    assert (
        short(chunk({**called(0, "a", "tide", TEXT), "type": None}), chunk({"index": 0, "function": None})) == whole[:1]
    )
    # an empty type, from the first call on or from the second
    first, second = called(0, "a", "tide", TEXT), called(1, "b", "now", "")
    assert short(chunk({**first, "type": ""}), chunk({**second, "type": ""})) == whole
    assert short(chunk(first), chunk({**second, "type": ""})) == whole


def test_arguments_that_are_objects_come_in_pieces() -> None:
    """The last piece was all that was left of them."""

    def given(*pieces: JsonObject) -> Any:
        events = [chunk(called(0, "a", "now", each)) for each in pieces]
        ((_, arguments, _),) = fed("openai@chat", *events, chunk(reason="tool_calls"))
        return arguments

    whole = {"port": "Ems", "days": [{"n": 1}, {"n": 2}], "unit": {"of": "m", "in": "UTC"}}
    more = {"port": "ms", "days": [{"n": 2}], "unit": {"in": "UTC"}}
    assert given({"port": "E", "days": [{"n": 1}], "unit": {"of": "m"}}, more) == whole
    assert given({"port": "E"}, {"days": whole["days"]}, {"port": "ms"}, {"unit": whole["unit"]}) == whole
    assert given({"port": "E", "days": [{"n": 1}]}, {"port": "Ems", "days": whole["days"]}, whole, whole) == whole


@pytest.mark.parametrize("to", ["openai@chat", "mistral"])
@pytest.mark.parametrize(
    "texts",
    [
        [TEXT[:5], TEXT[:9], TEXT],
        [TEXT[:5], TEXT[:5], TEXT, TEXT],
        [TEXT, TEXT],
        ["{}", TEXT],
        ["{}", TEXT[:5], TEXT[5:]],
        [TEXT[:5], TEXT[5:], TEXT],
        [TEXT[:1], TEXT[:2], TEXT[:3], TEXT],
    ],
)
def test_services_that_send_arguments_again(to: str, texts: list[str]) -> None:
    """All so far in each piece, all again at the end, or first an empty object: the call was an error."""
    first, *more = texts
    events = [chunk(called(0, "a", "tide", first)), *(chunk(called(0, text=text)) for text in more)]
    if to == "mistral":
        events = [{"data": event} for event in events]
    after = [chunk(called(1, "b", "now", "{}")), chunk(reason="tool_calls")]
    assert fed(to, *events, *after) == [("tide", EMS, "a"), ("now", {}, "b")]
    call, other = Toolbox(TOOLS, to=to).stream().calls([*events, *after])
    assert isinstance(call, SourceCall)
    assert isinstance(other, SourceCall)
    assert call.report.counts().get("TB001") == 1
    assert "TB001" not in other.report.counts()


def test_pieces_that_look_as_if_they_came_again() -> None:
    strange = {'{"': "x", "n": {'{"': [{}]}}
    text = json.dumps(strange, separators=(",", ":"))
    for size in range(1, 6):
        pieces = [text[n : n + size] for n in range(0, len(text), size)]
        events = [chunk(called(0, "a", "now", pieces[0])), *(chunk(called(0, text=each)) for each in pieces[1:])]
        assert fed("openai@chat", *events, chunk(reason="tool_calls")) == [("now", strange, "a")]
    for pieces in ([TEXT[:5], TEXT[:9]], [TEXT, '{"port": "Weser"}']):
        events = [
            chunk(called(0, "a", "tide", pieces[0])),
            chunk(called(0, text=pieces[1])),
            chunk(reason="tool_calls"),
        ]
        ((problem,),) = fed("openai@chat", *events)
        assert "not valid JSON" in problem


def test_a_live_interaction() -> None:
    """Its messages may be lists of events, which were read as events without calls, and it may be cancelled."""
    assert fed("gemini@interactions", {"events": LIVE_INTERACTIONS}) == expected("live-interactions")
    begun = LIVE_INTERACTIONS[4:6]
    cancelled: list[JsonObject] = [
        {"event_type": "interaction.cancelled"},
        {"event_type": "interaction.canceled"},  # both are in google-genai 3.6.1, _interactions_websocket.py
        {"event_type": "interaction.completed", "status": {"code": 1}},
    ]
    for event in cancelled:
        stream = Toolbox(TOOLS, to="gemini@interactions").stream()
        assert [call for each in begun for call in stream.feed(each)] == []
        assert told(stream.feed(event)) == [UNFINISHED]


def test_calls_without_arguments() -> None:
    assert fed("openai@chat", chunk(called(0, "a", "now", "")), chunk(reason="tool_calls")) == [("now", {}, "a")]
    assert fed("openai@chat", chunk(called(0, "a", "now")), chunk(reason="stop")) == [("now", {}, "a")]
    for reason in ("length", "content_filter", "abort", "repetition", "insufficient_system_resource"):
        assert fed("openai@chat", chunk(called(0, "a", "now", "")), chunk(reason=reason)) == [UNFINISHED]
        # Whatever was cut, these arguments are complete.
        assert fed("openai@chat", chunk(called(0, "a", "tide", TEXT)), chunk(reason=reason)) == [("tide", EMS, "a")]
    step = {"type": "function_call", "id": "a", "name": "now", "arguments": {}}
    for status, calls in (("requires_action", [("now", {}, "a")]), ("requires_continuation", [UNFINISHED])):
        done = {"event_type": "interaction.completed", "interaction": {"id": "i", "status": status}}
        started = [{"event_type": "step.start", "index": 0, "step": step}, {"event_type": "step.stop", "index": 0}]
        assert fed("gemini@interactions", *started, done) == calls
    nothing = [*ANTHROPIC[8:9], block("stop", 2)]
    assert fed("anthropic", *nothing, stop("max_tokens")) == [UNFINISHED]
    assert fed("anthropic", *nothing) == [UNFINISHED]
    wind = {"type": "tool_use", "id": "call_3", "name": "now", "input": {}}
    events = [block("start", 0, content_block=wind), block("stop", 0), *ANTHROPIC[8:13], stop("max_tokens")]
    assert fed("anthropic", *events) == [("now", {}, "call_3"), ("tide", EMS, "call_1")]
    # Compatible services send the whole input at once.
    whole = block("start", 0, content_block={**USE, "input": EMS})
    assert fed("anthropic", whole, block("stop", 0), stop("tool_use")) == [("tide", EMS, "call_1")]


def test_the_usage_follows_the_last_call() -> None:
    """Some services state no reason for the end, and the SDK of OpenAI omits the last event."""
    call = {"index": 0, "id": "a", "type": "function", "function": {"name": "tide", "arguments": TEXT}}
    usage = {**chunk(content=""), "usage": {"total_tokens": 74}}
    assert fed("openai@chat", chunk(call), usage) == [("tide", EMS, "a")]
    assert fed("openai@chat", chunk(call)) == [UNFINISHED]
    for text in ("", TEXT[:MIDDLE]):
        cut = {**call, "function": {"name": "tide", "arguments": text}}
        assert fed("openai@chat", chunk(cut), usage) == [UNFINISHED]
    begun = {**chunk({**call, "function": {"name": "tide", "arguments": TEXT[:MIDDLE]}}), "usage": {"total_tokens": 9}}
    more = {**chunk({"index": 0, "function": {"arguments": TEXT[MIDDLE:]}}), "usage": {"total_tokens": 19}}
    assert fed("openai@chat", begun, usage, more, usage) == [("tide", EMS, "a")]


def test_cut_arguments_are_an_error() -> None:
    for to, events, end in (
        ("anthropic", ANTHROPIC[8:11], [block("stop", 2), stop("max_tokens")]),
        ("bedrock", BEDROCK[3:5], [bedrock("Stop", 1), {"messageStop": {"stopReason": "max_tokens"}}]),
        ("openai@chat", CHAT[1:3], [chunk(reason="stop")]),
        ("cohere", COHERE[2:4], [cohere("end", 0), {"type": "message-end", "delta": {"finish_reason": "MAX_TOKENS"}}]),
    ):
        ((problem,),) = fed(to, *events, *end)
        assert "the arguments are not valid JSON" in problem
    cut = {**ITEM, "arguments": TEXT[:MIDDLE], "status": "incomplete"}
    for events in ([item("output_item.done", 1, item=cut)], []):
        end = {"type": "response.incomplete", "response": response("incomplete", cut)}
        assert fed("openai@responses", *RESPONSES[:5], *events, end) == [UNFINISHED]
    assert fed("gemini", *VERTEX[:2], generated(finishReason="MAX_TOKENS")) == [UNFINISHED]


@pytest.mark.parametrize("native", ["length", "max_output_tokens", "max_tokens", "MAX_TOKENS"])
def test_the_reason_of_the_vendor_for_the_end_of_a_response_of_openrouter(native: str) -> None:
    """OpenRouter's own is `tool_calls` where a call was cut (recorded by 0xPlaygrounds/rig)."""
    end = chunk(reason="tool_calls")
    end["choices"][0]["native_finish_reason"] = native
    assert fed("openai@chat", chunk(called(0, "call_1", "now", "")), end) == [UNFINISHED]
    message = {"role": "assistant", "tool_calls": [called(0, "call_1", "now", "")]}
    whole = {"choices": [{"message": message, "finish_reason": "tool_calls", "native_finish_reason": native}]}
    assert told(Toolbox(TOOLS, to="openai@chat").calls(whole)) == [UNFINISHED]
    whole["choices"][0]["native_finish_reason"] = "tool_use"
    assert told(Toolbox(TOOLS, to="openai@chat").calls(whole)) == [("now", {}, "call_1")]


def test_responses_that_lack_events() -> None:
    whole = {**ITEM, "arguments": TEXT, "status": "completed"}
    end = {"type": "response.completed", "response": response("completed", whole, {**NOW, "arguments": "{}"})}
    assert fed("openai@responses", end) == expected("responses")
    assert fed("openai@responses", *RESPONSES[:5], end) == expected("responses")
    assert fed("openai@responses", *RESPONSES, end) == expected("responses")
    bare = [{**each, "call_id": "", "id": None} for each in (whole, {**NOW, "arguments": "{}"})]
    ends = [item("output_item.done", number, item=each) for number, each in enumerate(bare)]
    assert [each[:2] for each in fed("openai@responses", *ends)] == [("tide", EMS), ("now", {})]


def test_calls_end_with_their_response() -> None:
    """One that its response does not list is whole if its arguments are, and does not hold up the next response."""
    pieces = [each for each in RESPONSES[3:] if each["type"] != "response.output_item.done"]
    assert fed("openai@responses", *pieces) == expected("responses")
    for status in ("completed", "cancelled", "incomplete"):
        end = {"type": "response.done", "response": {"status": status, "output": []}}
        stream = Toolbox(TOOLS, to="openai@responses").stream()
        times = [told(stream.feed(event)) for event in (*RESPONSES[3:5], end, *RESPONSES[5:])]
        assert times[2] == [UNFINISHED]
        assert [call for each in times[3:] for call in each] == [expected("responses")[1], expected("responses")[0]]
    failed = {"status": "failed", "status_details": {"error": {"code": "server_error"}}}
    with pytest.raises(ToolbridgeError, match="the service reports an error: server_error"):
        fed("openai@responses", {"type": "response.done", "response": failed})


def test_calls_in_the_start_of_a_message() -> None:
    """Code that calls tools goes on: its next call is in the start of the next message (recorded by vercel/ai)."""
    code = {"type": "code_execution_20250825", "tool_id": "srvtoolu_1"}
    use = {**USE, "input": EMS, "caller": code}
    message = {"type": "message_start", "message": {**START, "content": [use], "stop_reason": "tool_use"}}
    end = {"type": "message_stop"}
    assert fed("anthropic", message, end) == [("tide", EMS, "call_1")]
    assert fed("anthropic", message, message, end) == [("tide", EMS, "call_1")]  # some services send it again
    other = {"type": "message_start", "message": {**message["message"], "id": "m2", "content": [{**use, "id": "2"}]}}
    assert fed("anthropic", message, end, message, end) == [("tide", EMS, "call_1")] * 2
    assert fed("anthropic", message, end, other, end) == [("tide", EMS, "call_1"), ("tide", EMS, "2")]
    empty = {"type": "message_start", "message": {**START, "content": [USE], "stop_reason": "max_tokens"}}
    assert fed("anthropic", empty, end) == [UNFINISHED]


def test_a_message_that_starts_again_has_cut_the_one_before() -> None:
    call = {"type": "tool_use", "id": "call_1", "name": "now", "input": {}}
    first = [ANTHROPIC[0], block("start", 0, content_block=call)]
    second = [{"type": "message_start", "message": {**START, "id": "m2"}}, *ANTHROPIC[8:]]
    assert fed("anthropic", *first, *second) == [UNFINISHED, *expected("anthropic")]


def test_a_call_that_a_refusal_has_cut() -> None:
    """Another model goes on after a `fallback` block."""
    call = {"type": "tool_use", "id": "call_1", "name": "now", "input": {}}
    seam = {"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}}
    more = {**call, "id": "call_2"}
    events = [
        each
        for index, content in enumerate((call, seam, more))
        for each in (block("start", index, content_block=content), block("stop", index))
    ]
    wanted = [UNFINISHED, ("now", {}, "call_2")]
    assert fed("anthropic", ANTHROPIC[0], *events, stop("tool_use")) == wanted
    whole = {**START, "content": [call, seam, more], "stop_reason": "tool_use"}
    assert told(Toolbox(TOOLS, to="anthropic").calls(whole)) == wanted
    whole["content"][0] = {**call, "input": {"at": "x"}}
    assert told(Toolbox(TOOLS, to="anthropic").calls(whole))[0] == ("now", {"at": "x"}, "call_1")


def test_other_choices_are_ignored() -> None:
    other = [chunk(called(0, "x", "wind", "{}"), choice=1), chunk(reason="tool_calls", choice=1)]
    assert fed("openai@chat", *other, *CHAT[:4], *other, *CHAT[4:]) == expected("chat")
    second = {"candidates": [{"index": 1, "content": {"parts": [{"functionCall": {"name": "wind", "args": {}}}]}}]}
    assert fed("gemini", second, *GEMINI) == expected("gemini")


def test_unknown_events_are_ignored() -> None:
    strange = [{}, {"type": "new"}, {"type": None, "index": []}, {"choices": None}, {"candidates": 1}, {"delta": [1]}]
    for vendor in NAMED:
        to, events = STREAMS[vendor]
        assert fed(to, *strange, *(each for event in events for each in (event, *strange))) == expected(vendor)


def test_custom_tools_and_legacy_functions() -> None:
    stream = Toolbox(TOOLS, to="openai@responses").stream()
    custom = {"type": "custom_tool_call", "id": "ct", "call_id": "call_1", "name": "tide", "input": ""}
    stream.feed(item("output_item.added", 0, item=custom))
    stream.feed(item("custom_tool_call_input.delta", 0, item_id="ct", delta=TEXT[:MIDDLE]))
    assert stream.partial[0].text == TEXT[:MIDDLE]
    whole = {**custom, "input": TEXT}
    found = stream.feed(item("output_item.done", 0, item=whole))
    assert told(found) == told(Toolbox(TOOLS, to="openai@responses").calls({"output": [whole]}))
    text = {"index": 0, "id": "a", "type": "custom", "custom": {"name": "tide", "input": TEXT[:5]}}
    more = {"index": 0, "custom": {"input": TEXT[5:]}}
    stream = Toolbox(TOOLS, to="openai@chat").stream()
    stream.feed(chunk(text))
    assert [(each.id, each.name) for each in stream.partial] == [("a", "tide")]
    (call,) = stream.calls([chunk(more), chunk(reason="tool_calls")])
    assert isinstance(call, CallError)  # a custom tool takes text, which no tool of the toolbox does
    assert call.call == {"id": "a", "type": "custom", "custom": {"name": "tide", "input": TEXT}}
    legacy = [chunk(function_call={"name": "tide", "arguments": ""}), chunk(function_call={"arguments": TEXT})]
    for to in ("openai@chat", "openai@functions"):
        assert fed(to, *legacy, chunk(reason="function_call")) == [("tide", EMS, None)]


@pytest.mark.parametrize("status", [None, "completed", "incomplete", "in_progress"])
@pytest.mark.parametrize("response", [None, "completed", "incomplete", "cancelled"])
@pytest.mark.parametrize("arguments", ["", TEXT])
@pytest.mark.parametrize("kind", ["function_call", "custom_tool_call"])
def test_a_call_that_is_cut_is_the_same_in_a_response_and_in_a_stream(
    status: str | None, response: str | None, arguments: str, kind: str
) -> None:
    """In a whole response one in progress was cut though that is completed, and one that is incomplete was whole."""
    tools = [{"type": "custom", "name": "sql"}, {"type": "function", "name": "tide"}]
    box = Toolbox(tools, to="openai@responses", source="openai@responses")
    is_text = kind == "custom_tool_call"
    call = {"type": kind, "call_id": "c", "status": status, "name": "sql" if is_text else "tide"}
    call["input" if is_text else "arguments"] = arguments
    whole = {"object": "response", "status": response, "output": [call]}
    [found] = box.calls(whole)
    [streamed] = box.stream().calls([{"type": "response.done", "response": whole}])
    is_unfinished = response in ("incomplete", "cancelled")
    may_lack = status == "in_progress" or not arguments or (is_text and status != "completed")
    is_cut = status == "incomplete" or (is_unfinished and may_lack)
    assert (isinstance(found, CallError), isinstance(streamed, CallError)) == (is_cut, is_cut)
    [alone] = box.calls(call)
    [listed] = box.calls([call])
    is_cut = status == "incomplete" or (status == "in_progress" and not arguments)
    assert (isinstance(alone, CallError), isinstance(listed, CallError)) == (is_cut, is_cut)


def test_a_text_that_was_cut_is_no_call() -> None:
    box = Toolbox([{"type": "custom", "custom": {"name": "sql"}}], to="openai@chat")
    call = {"id": "c", "type": "custom", "custom": {"name": "sql", "input": "DELETE FROM ships"}}
    for reason, is_cut in (("length", True), ("tool_calls", False)):
        choice = {"finish_reason": reason, "message": {"role": "assistant", "tool_calls": [call]}}
        [found] = box.calls({"choices": [choice]})
        assert isinstance(found, CallError) == is_cut


def test_custom_calls_of_xai_are_its_own() -> None:
    """xAI has no custom tools: its search on X tells in such items what it ran."""
    search = {"type": "custom_tool_call", "id": "i", "call_id": "xs_1", "name": "x_keyword_search", "input": "{}"}
    done = {"type": "response.completed", "response": {"status": "completed", "output": [search]}}
    box = Toolbox(TOOLS, to="xai@responses")
    assert box.calls(done["response"]) == []
    assert fed("xai@responses", item("output_item.added", 0, item=search), done) == []


def test_parts_of_arguments_of_gemini() -> None:
    def arguments(*parts: JsonObject) -> Any:
        calls = [{"name": "wind", "willContinue": True}, {"partialArgs": [*parts]}]
        (call,) = (
            Toolbox(TOOLS, to="gemini")
            .stream(validate=False)
            .calls([generated({"functionCall": each}) for each in calls])
        )
        return str(call) if isinstance(call, CallError) else call.arguments

    def part(path: str, **value: Any) -> JsonObject:
        return {"jsonPath": path, **value}

    assert arguments(part("$.a.b[0].c", stringValue="x"), part("$.a.b[1]", boolValue=True)) == {
        "a": {"b": [{"c": "x"}, True]}
    }
    assert arguments(part('$[\'a b\']["c\\"d"]', nullValue="NULL_VALUE")) == {"a b": {'c"d': None}}
    assert arguments(part("a", numberValue=2.0), part("b", numberValue=2.5)) == {"a": 2, "b": 2.5}
    assert isinstance(arguments(part("a", numberValue=2.0))["a"], int)
    for wrong in ("$.a[1000000]", "$.a[", "$[0]", "$..a"):
        assert (arguments(part(wrong, stringValue="x")),) == UNFINISHED
    assert arguments(part("$.a", stringValue="x"), part("$.a.b", stringValue="x")) == UNFINISHED[0]
    assert "levels deep (limit depth)" in arguments(part("$" + ".a" * 600, stringValue="x"))
    # In the Live API, pieces of calls have their ids, and may be interleaved.
    live = [
        {"toolCall": {"functionCalls": [{"id": name, "name": "wind", "partialArgs": [at], "willContinue": more}]}}
        for more in (True, False)
        for name, at in (("a", part("$.at", stringValue="x")), ("b", part("$.at", stringValue="y")))
    ]
    assert fed("gemini", *live) == [("wind", {"at": "xx"}, "a"), ("wind", {"at": "yy"}, "b")]
    snake = {"function_call": {"name": "wind", "partial_args": [{"json_path": "$.at", "string_value": "x"}]}}
    assert fed("gemini", generated(snake)) == [("wind", {"at": "x"}, None)]


# errors


def test_errors_of_the_service() -> None:
    error = {"type": "overloaded_error", "message": "Overloaded"}
    for to, begun, failed in (
        ("openai@chat", CHAT[1:3], {"error": error}),
        ("openai@responses", RESPONSES[:5], {"type": "error", "message": "Overloaded", "code": "x"}),
        ("openai@responses", RESPONSES[:5], {"type": "response.failed", "response": {"error": error}}),
        ("anthropic", ANTHROPIC[8:11], {"type": "error", "error": error}),
        ("gemini", VERTEX[:2], {"error": {**error, "code": 503}}),
        ("bedrock", BEDROCK[3:5], {"modelStreamErrorException": {"message": "Overloaded"}}),
        ("cohere", COHERE[2:4], {"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "Overloaded"}}),
        ("ollama", [], {"error": "Overloaded"}),
        (
            "gemini@interactions",
            [],
            {"event_type": "interaction.completed", "interaction": {"status": "failed", "errors": [error]}},
        ),
        (
            "gemini@interactions",
            INTERACTIONS[4:6],
            {"events": [{"event_type": "interaction.completed", "status": {"code": 14, "message": "Overloaded"}}]},
        ),
        ("anthropic@managed-agents", [], {"type": "session.error", "error": error}),
    ):
        stream = Toolbox(TOOLS, to=to).stream()
        for event in begun:
            assert stream.feed(event) == []
        with pytest.raises(ToolbridgeError, match="the service reports an error: Overloaded"):
            stream.feed(failed)
        assert told(stream.close()) == [UNFINISHED] * bool(begun)


@pytest.mark.parametrize("error", [{"code": 503, "message": "Overloaded"}, {"error": {"message": "Overloaded"}}])
def test_an_error_in_a_field_of_its_own(error: JsonObject) -> None:
    """As older versions of llama.cpp's server send it."""
    for event in (f"error: {json.dumps(error)}", f"error: {json.dumps(error)}\n\n".encode()):
        stream = Toolbox(TOOLS, to="openai@chat").stream()
        with pytest.raises(ToolbridgeError, match="the service reports an error: Overloaded"):
            stream.feed(event)


ERROR = {"type": "overloaded_error", "message": "Overloaded"}


def test_the_calls_in_the_event_at_the_end_of_a_response() -> None:
    """The Realtime API has no whole responses but in `response.done`."""
    call = {"type": "function_call", "id": "i", "call_id": "c", "name": "tide", "arguments": '{"port": "Ems"}'}
    said = {"object": "realtime.response", "status": "completed", "output": [call]}
    box = Toolbox(TOOLS, to="openai@responses")
    found = box.calls({"type": "response.done", "event_id": "e", "response": said})
    assert [(each.name, each.arguments) for each in found if not isinstance(each, CallError)] == [
        ("tide", {"port": "Ems"})
    ]
    cut = {**said, "status": "cancelled", "output": [{**call, "arguments": ""}]}
    assert isinstance(box.calls({"type": "response.done", "event_id": "e", "response": cut})[0], CallError)
    assert box.calls({"type": "response.done", "event_id": "e", "response": {**said, "output": []}}) == []
    with pytest.raises(ToolbridgeError, match="it failed"):
        box.calls({"type": "response.done", "response": {"status": "failed", "output": []}})


@pytest.mark.parametrize(
    ("to", "response"),
    [
        ("openai@chat", {"error": ERROR}),
        ("openai@chat", {"choices": [{"message": {"role": "assistant"}, "finish_reason": "error", "error": ERROR}]}),
        ("openai@responses", {"object": "response", "status": "failed", "error": ERROR, "output": []}),
        ("openai@responses", {"status": "failed", "status_details": {"error": ERROR}, "output": []}),
        ("openai@responses", {"type": "response.done", "response": {"status_details": {"error": ERROR}}}),
        ("anthropic", {"type": "error", "error": ERROR}),
        ("gemini", {"error": {**ERROR, "code": 503}}),
        ("gemini@interactions", {"id": "i", "status": "failed", "steps": [], "errors": [ERROR]}),
        ("ollama", {"error": "Overloaded"}),
        ("bedrock", {"message": "Overloaded"}),
        ("cohere", {"id": "c", "message": "Overloaded"}),
        ("mistral", {"object": "error", "message": "Overloaded", "type": "invalid_model", "code": "1500"}),
    ],
)
def test_errors_of_the_service_in_a_whole_response(to: str, response: JsonObject) -> None:
    """Most were taken for answers without calls, after which a program is done."""
    box = Toolbox(TOOLS, to=to)
    for take in (box.calls, box.call):
        with pytest.raises(ToolbridgeError, match=r"^the service reports an error: Overloaded$"):
            take(response)


@pytest.mark.parametrize(
    "body",
    [
        *({"error": ERROR}, {"error": "Overloaded"}, {"message": "Overloaded"}, {"detail": "Overloaded"}),
        {"object": "error", "message": "Overloaded", "type": "invalid_model", "code": "1500"},
        {"detail": [{"type": "missing", "loc": ["body", "model"], "msg": "Overloaded"}]},
    ],
)
def test_errors_that_a_service_sends_instead_of_a_stream(body: JsonObject) -> None:
    """They were streams without calls, after which a program is done."""
    for form in FORMATS:
        if form.stream is not None:
            stream = Toolbox(TOOLS, to=form).stream()
            for take in (Toolbox(TOOLS, to=form).calls, stream.feed):
                with pytest.raises(ToolbridgeError, match=r"^the service reports an error: Overloaded$"):
                    take(body)
            assert stream.close() == []
    with pytest.raises(ToolbridgeError, match=r"^the service reports an error: Overloaded$"):
        Toolbox(TOOLS, to="gemini").calls([{"error": ERROR}])


def test_a_call_that_the_model_could_not_make() -> None:
    said = {"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "Malformed function call: tide(", "index": 0}
    response = {"candidates": [{"content": {"role": "model"}, **said}]}
    box = Toolbox(TOOLS, to="gemini")
    for take in (box.calls, box.stream().feed):
        with pytest.raises(ToolbridgeError, match=r"MALFORMED_FUNCTION_CALL: Malformed function call: tide\("):
            take(response)


@pytest.mark.parametrize(
    ("to", "response", "event", "call"),
    [
        (
            "gemini",
            {"candidates": [{"finishReason": "UNEXPECTED_TOOL_CALL", "finishMessage": "undeclared: tide", "index": 0}]},
            None,
            {"candidates": [{"content": {"parts": [{"functionCall": {"name": "tide", "args": {}}}]}}]},
        ),
        (
            "gemini",
            {"candidates": [{"content": {"parts": [{"text": "So"}]}, "finish_reason": "TOO_MANY_TOOL_CALLS"}]},
            None,
            None,
        ),
        (
            "bedrock",
            {"output": {"message": {"role": "assistant", "content": []}}, "stopReason": "malformed_tool_use"},
            {"messageStop": {"stopReason": "malformed_tool_use"}},
            None,
        ),
        (
            "cohere",
            {"message": {"role": "assistant", "content": []}, "finish_reason": "ERROR"},
            {"type": "message-end", "delta": {"finish_reason": "ERROR"}},
            None,
        ),
        (
            "mistral",
            {"choices": [{"index": 0, "message": {"role": "assistant"}, "finish_reason": "error"}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "error"}]},
            None,
        ),
    ],
)
def test_a_response_without_calls_that_is_no_answer(to: str, response: JsonObject, event: Any, call: Any) -> None:
    """A program took it for an answer without calls, and was done."""
    box = Toolbox(TOOLS, to=to)
    for take, given in ((box.calls, response), (box.stream().feed, event or response)):
        with pytest.raises(ToolbridgeError, match=r"^the service reports an error: "):
            take(given)
    if call is not None:
        stream = box.stream()
        assert len(stream.feed(call)) == 1
        assert stream.feed(response) == []
        candidate = {**response["candidates"][0], **call["candidates"][0]}
        assert len(box.calls({"candidates": [candidate]})) == 1


def test_an_error_after_which_the_service_goes_on() -> None:
    error = {"type": "model_overloaded_error", "message": "Overloaded", "retry_status": {"type": "retrying"}}
    events = [{"type": "session.error", "error": error}, *MANAGED_AGENTS]
    assert fed("anthropic@managed-agents", *events) == expected("managed-agents")


@pytest.mark.parametrize("vendor", NAMED)
def test_events_of_another_vendor_are_an_error_that_names_it(vendor: str) -> None:
    """A stream of managed agents had no calls at all, and one of OpenAI was said to be Mistral's."""
    to, events = STREAMS[vendor]
    own = get_format("openai@chat" if vendor == "mistral" else to.replace("mistral@responses", "openai@responses"))
    for other in {each for each, _ in STREAMS.values()}:
        form = get_format(other)
        assert own.stream is not None
        assert form.stream is not None
        if form.stream() is not own.stream():
            problem = f"this is an event of {own.id}, and events of {form.id} are expected"
            if vendor == "ollama" and other in ("openai@chat", "mistral", "cohere"):  # each of its events is whole
                problem = "a whole response, and no event of a stream"
            with pytest.raises(DocumentError, match=problem):
                fed(form, *events)


def test_other_calls_of_another_vendor_are_an_error_that_names_it() -> None:
    custom = {"type": "custom_tool_call", "call_id": "c", "name": "tide", "input": "x"}
    live = {"toolCall": {"functionCalls": [{"id": "c", "name": "tide", "args": EMS}]}}
    for event, own in ((item("output_item.done", 0, item=custom), "openai@responses"), (live, "gemini@parameters")):
        with pytest.raises(DocumentError, match=f"this is an event of {own}, and events of anthropic@messages are"):
            fed("anthropic", event)


def test_wrong_input() -> None:
    box = Toolbox(TOOLS, to="openai@chat")
    for wrong in (None, 1, [], "x", "[1]", object(), float("nan"), b"\xff"):
        with pytest.raises(DocumentError):
            box.stream().feed(wrong)
    with pytest.raises(DocumentError, match=r"an event of anthropic@messages, and events of openai@chat are expected"):
        box.stream().feed(ANTHROPIC[8])
    whole = {"choices": [{"message": {"role": "assistant", "tool_calls": [called(None, "a", "now", "{}")]}}]}
    with pytest.raises(DocumentError, match="a whole response, and no event of a stream"):
        box.stream().feed(whole)
    stream = box.stream()
    stream.close()
    with pytest.raises(ToolbridgeError, match="the stream is closed"):
        stream.feed(CHAT[0])
    with pytest.raises(FormatError, match=r"the streams of mcp@[-0-9]+ are not known"):
        Toolbox(TOOLS, to="mcp").stream()
    stream = box.stream()
    for event in CHAT[1:5]:
        stream.feed(event)
    with pytest.raises(DocumentError, match="more of the call 0, which was complete"):
        stream.feed(chunk(called(0, text="{}")))
    ((problem,), *_) = fed("openai@chat", chunk(called(0, "a", None, "{}")), chunk(reason="stop"))
    assert problem == "not a call of openai@chat"


def test_events_that_are_no_json() -> None:
    redacted = bedrock("Delta", 0, delta={"reasoningContent": {"redactedContent": b"\xff\x00"}})
    assert fed("bedrock", redacted, *BEDROCK) == expected("bedrock")
    assert fed("openai@chat", chunk(content=float("nan")), *CHAT) == expected("chat")


# limits


def test_limits() -> None:
    box = Toolbox(TOOLS, to="openai@chat", limits=Limits(document=2000))
    with pytest.raises(DocumentError, match="limit document"):
        list(box.stream().calls([chunk(called(0, text="x" * 20))] * 100))
    deep = '{"a": ' * 600
    stream = Toolbox(TOOLS, to="openai@chat").stream()
    stream.feed(chunk(called(0, "a", "tide", deep)))
    assert len(json.dumps(stream.partial[0].arguments)) < len(deep)
    assert [len(each) for each in told(stream.feed(chunk(reason="stop")))] == [1]


def pieces(count: int) -> Iterator[JsonObject]:
    yield chunk(called(0, "a", "tide", '{"port": "'))
    for _ in range(count):
        yield chunk(called(0, text="Ems \\u00e9 "))
    yield chunk(called(0, text='"}'))
    yield chunk(reason="tool_calls")


def test_time_is_linear() -> None:
    box = Toolbox(TOOLS, to="openai@chat")

    def seconds(count: int) -> float:
        stream = box.stream()
        events = [*pieces(count)]
        before = process_time()
        for event in events:
            stream.feed(event)
            for call in stream.partial:
                assert call.arguments is not None
                assert len(call.text) >= 0
        return process_time() - before

    few = min(seconds(2_000) for _ in range(3))
    assert seconds(20_000) < 30 * few


def spent(to: str, first: list[JsonObject], rest: list[JsonObject]) -> float:
    """CPU seconds for the rest of the events, the fewest of several."""
    found: list[float] = []
    for _ in range(3):
        stream = Toolbox(TOOLS, to=to).stream()
        for event in first:
            stream.feed(event)
        before = process_time()
        for event in rest:
            stream.feed(event)
        found.append(process_time() - before)
    return min(found)


def test_an_event_is_not_slower_for_what_came_before() -> None:
    """Two megabytes took seconds."""
    many = {f"k{n}": n for n in range(50_000)}
    objects = [chunk(called(0, "a", "tide", {"p": "x"}))] * 500
    small, large = (spent("openai@chat", [chunk(called(0, "a", "tide", each))], objects) for each in ({}, many))
    assert large < 5 * small
    start = [block("start", 0, content_block=USE), block("start", 1, content_block={**USE, "id": "b"})]
    ends = [block("stop", 1)] * 500
    small, large = (spent("anthropic", [*start, input_delta(1, " " * size)], ends) for size in (1, 1_000_000))
    assert large < 5 * small


def test_a_call_that_gets_ever_other_names() -> None:
    def names(count: int) -> list[JsonObject]:
        said = {"id": "1", "willContinue": True}
        return [generated({"functionCall": {"name": f"t{number}", **said}}) for number in range(count)]

    box = Toolbox(TOOLS, to="gemini")
    few, many = (steps(lambda count=count: [*box.stream().calls(names(count))]) for count in (200, 800))
    assert many < 5 * few


def test_events_within_events() -> None:
    stream = Toolbox(TOOLS, to="openai@chat").stream()
    assert not stream.feed("data: data: {}")
    with pytest.raises(DocumentError, match="more than 8 events within each other"):
        stream.feed("data: " * 2_000 + "{}")


def test_a_place_that_is_too_deep() -> None:
    part = {"jsonPath": "$" + ".a" * 2_000, "stringValue": "x"}
    call = {"name": "tide", "willContinue": True, "partialArgs": [part]}
    assert fed("gemini", generated({"functionCall": call})) == [("the response ended before the call was complete",)]


# the value of a part of a text


def test_no_word_of_a_text_is_read_twice() -> None:
    from toolbridge.data.partial_json import PartialJson

    text = json.dumps({"a": [1, -2.5e3, True, None, {"b": 'é"\\ \U0001f600'}], "c": {"d": [[], {}]}, "\U0001f600": "x"})
    for size in (1, 2, 3, 7, len(text)):
        partial = PartialJson()
        for start_ in range(0, len(text), size):
            partial.feed(text[start_ : start_ + size])
        assert partial.closed
        assert partial.value == json.loads(text)


def test_the_value_of_each_prefix_is_what_another_parser_finds() -> None:
    jiter = pytest.importorskip("jiter")
    from toolbridge.data.partial_json import PartialJson

    document = {"a": ["x\n", {"b": "é", "c": "q" * 5}], "d": "\U0001f600 \\ud83d", "f": "", "g": [["y"]]}
    for text in (json.dumps(document, ensure_ascii=False), json.dumps(document, indent=1, ensure_ascii=False)):
        partial = PartialJson()
        for end, letter in enumerate(text, 1):
            partial.feed(letter)
            wanted = jiter.from_json(text[:end].encode(), partial_mode="trailing-strings")
            # An escape that is cut is no part of a string; words that are cut are no part of the value.
            assert json.dumps(partial.value) == json.dumps(wanted), text[:end]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 12', {}),
        ('{"a": 12,', {"a": 12}),
        ('{"a": tru', {}),
        ('{"a": 01,', {}),
        ('{"a": "x\\u12', {"a": "x"}),
        ('{"a": "x\\ud83d', {"a": "x"}),
        ('{"a": "\\\\ud83d', {"a": "\\ud83d"}),
        ('{"a": "x\\ud83dy', {"a": "x"}),
        ('{"a": "x\\q', {"a": "x"}),
        ('{"a": "x\ny', {"a": "x"}),
        ('{"a": 1} {', {"a": 1}),
        ('{"a": 1]', {"a": 1}),
        ("[1, 2}", [1, 2]),
        ('{"a" 1', {}),
        ("{,", {}),
        ("[,", []),
        ('{"a": NaN,', {}),
        ('{"a": 1, "a": 2, "b', {"a": 2}),
        ('"x', "x"),
        ("12 ", 12),
        ("", None),
        ("x ", None),
    ],
)
def test_the_value_of_a_part(text: str, value: Any) -> None:
    from toolbridge.data.partial_json import PartialJson

    for size in (1, len(text) or 1):
        partial = PartialJson()
        for first in range(0, len(text), size):
            partial.feed(text[first : first + size])
        assert partial.value == value
        assert not partial.closed or re.fullmatch(r"[\[{].*[\]}]", text)


def test_half_of_a_character_in_an_event() -> None:
    stream = Toolbox(TOOLS, to="openai@chat").stream()
    assert stream.feed(chunk(content="\ud83d")) == stream.feed(chunk(content="\ude00")) == []
    stream.feed(chunk(called(0, "call_1", "tide", '{"port": "E\\n\ud83d')))
    (partial,) = stream.partial
    assert partial.arguments == {"port": "E\n"}
    assert repr(partial).encode()
    stream.feed(chunk(called(0, text='\ude00"}')))
    (call,) = stream.close()
    assert isinstance(call, CallError)
    assert "half of a surrogate pair" in str(call) or "before the call was complete" in str(call)


def responses_call(call_id: str, **more: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": "tide", "arguments": '{"port": "Ems"}', **more}


def test_a_call_that_gets_another_id_in_each_event_is_one() -> None:
    """vLLM (vllm-project/vllm#47916)."""
    done = {"status": "completed", "output": [{"type": "reasoning"}, responses_call("call_c")]}
    events = [
        {
            "type": "response.output_item.added",
            "output_index": 1,
            "item": responses_call("call_a", id="fc_1", arguments=""),
        },
        {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": '{"port": "Ems"}'},
        {"type": "response.output_item.done", "output_index": 1, "item": responses_call("fc_b")},
        {"type": "response.completed", "response": done},
    ]
    box = Toolbox(TOOLS, to="openai@responses")
    assert [call["arguments"] for call in box.stream().calls(events)] == [{"port": "Ems"}]
    # Two calls of one tool are two, also where all have index 0, and the last event has both.
    both = [responses_call("a"), responses_call("b")]
    end = {"type": "response.completed", "response": {"status": "completed", "output": both}}
    for kinds in (("added", "done"), ("done",)):
        events = [
            {"type": f"response.output_item.{kind}", "output_index": 0, "item": item} for kind in kinds for item in both
        ]
        assert len([*box.stream().calls(events)]) == len([*box.stream().calls([*events, end])]) == 2


def test_a_session_has_several_responses() -> None:
    """The Realtime API: the indices of a response begin at 0 again."""
    responses = [{"id": f"r{n}", "status": "completed", "output": [responses_call(f"call_{n}")]} for n in (1, 2)]
    events = [{"type": "response.done", "response": each} for each in responses]
    calls = Toolbox(TOOLS, to="openai@responses").stream().calls(events)
    assert [call.id for call in calls if not isinstance(call, CallError)] == ["call_1", "call_2"]


def test_a_whole_response_that_states_its_end_is_none_of_a_stream() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "tide", "arguments": "{}"}}
    message = {"role": "assistant", "tool_calls": [call]}
    whole = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    with pytest.raises(DocumentError, match="a whole response, and no event of a stream"):
        Toolbox(TOOLS, to="openai").stream().feed(whole)
    other = {"type": "response.completed", "response": {"status": "completed", "output": [responses_call("c")]}}
    with pytest.raises(DocumentError, match=r"this is an event of openai@responses"):
        Toolbox(TOOLS, to="openai").stream().feed(other)


@pytest.mark.parametrize("status", ["incomplete", "failed", "cancelled"])
def test_no_arguments_in_a_response_that_was_cut_are_an_error(status: str) -> None:
    box = Toolbox(TOOLS, to="openai@responses")
    response = {"object": "response", "status": status, "output": [responses_call("c", arguments="")]}
    (call,) = box.calls(response)
    assert isinstance(call, CallError)
    if status == "incomplete":
        (call,) = box.stream().calls([{"type": "response.incomplete", "response": response}])
        assert isinstance(call, CallError)


def test_arguments_of_a_chunk_of_langchain_without_an_id_that_were_cut() -> None:
    chunk = {"name": "tide", "args": '{"port": "Em', "id": None, "index": 0}
    message = {"type": "AIMessageChunk", "content": "", "tool_call_chunks": [chunk]}
    message["tool_calls"] = [{"name": "tide", "args": {"port": "Em"}, "id": None, "type": "tool_call"}]
    (call,) = Toolbox(TOOLS, to="langchain").calls(message)
    assert isinstance(call, CallError)
