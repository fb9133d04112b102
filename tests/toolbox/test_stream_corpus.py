"""Recorded streams: what the vendors' own SDKs make of them, and what is left of them when they are cut."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

import pytest

from oracles import SHARED, WITHOUT
from toolbridge import CallError, DocumentError, Toolbox, ToolbridgeError
from toolbridge.data.types import JsonObject
from toolbridge.toolbox.records import SourceCall

FILE = SHARED / "corpus" / "pydantic-ai-recorded" / "streams.jsonl"
pytestmark = pytest.mark.skipif(not FILE.is_file(), reason=WITHOUT)

FORMATS = {"anthropic": "anthropic", "gemini": "gemini", "groq": "openai@chat", "openrouter": "openai@chat"}

Said = list[Any]


class Stream(NamedTuple):
    """A recorded stream: its events as text, and a toolbox with its tools."""

    to: str
    events: tuple[str, ...]
    box: Toolbox


@cache
def recorded() -> tuple[Stream, ...]:
    found: list[Stream] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        api = record["api"]
        to = FORMATS.get(api) or ("openai@chat" if api == "openai-chat" else "openai@responses")
        events = [each[5:].strip() for each in record["stream"].splitlines() if each.startswith("data:")]
        own = [each for each in record["tools"] if to not in ("anthropic", "openai@responses") or "name" in each]
        tools: Any = [each for each in own if "type" not in each or each["type"] in ("function", "custom")]
        found.append(Stream(to, tuple(events), Toolbox(tools or [{"name": "none", "inputSchema": {}}], to=to)))
    return tuple(found)


NUMBERS = range(59)


def told(call: SourceCall | CallError) -> Any:
    """What a call says, and the whole call of the model; for one that is wrong the problem."""
    if isinstance(call, CallError):
        return call.problem
    return call.block, call.name, call.arguments, call.id


def fed(stream: Stream, events: Any) -> tuple[Said, bool]:
    """The calls of events, and whether the service reports an error."""
    reader = stream.box.stream()
    found: Said = []
    try:
        for event in events:
            found += map(told, reader.feed(event))
    except ToolbridgeError as error:
        return found, "the service reports an error" in str(error)
    return found + [told(call) for call in reader.close()], False


def sdk_objects(stream: Stream) -> list[Any]:
    """The events as the SDK of the vendor has them."""
    documents = [json.loads(event) for event in stream.events if event != "[DONE]"]
    if stream.to == "anthropic":
        from anthropic._models import construct_type
        from anthropic.types import RawMessageStreamEvent

        return [construct_type(type_=RawMessageStreamEvent, value=each) for each in documents]
    if stream.to == "gemini":
        from google.genai.types import GenerateContentResponse

        return [GenerateContentResponse.model_validate(each) for each in documents]
    from openai._models import construct_type as construct
    from openai.types.chat import ChatCompletionChunk
    from openai.types.responses import ResponseStreamEvent

    kind = ChatCompletionChunk if stream.to == "openai@chat" else ResponseStreamEvent
    return [construct(type_=kind, value=each) for each in documents]


def accumulated(stream: Stream, events: list[Any]) -> list[Any]:
    """The responses that the SDK puts together from its events; the last one of the service where it puts none."""
    if stream.to == "gemini":
        return events
    if stream.to == "anthropic":
        from anthropic.lib.streaming._messages import accumulate_event

        message, buffers = None, {}
        for event in events:
            message = accumulate_event(event=event, current_snapshot=message, json_bufs=buffers)
        return [message]
    if stream.to == "openai@responses":
        from openai import omit
        from openai.lib.streaming.responses._responses import ResponseStreamState

        state = ResponseStreamState(input_tools=[], text_format=omit)
        for event in events:
            state.handle_event(event)
        return [events[-1].response]
    from openai.lib.streaming.chat._completions import ChatCompletionStreamState

    chat = ChatCompletionStreamState()
    for event in events:
        if event.choices is not None:
            chat.handle_chunk(event)
    return [chat.current_completion_snapshot]


def without_index(calls: Said) -> Said:
    """The calls without the index that the SDK keeps of the pieces; a whole response has none."""
    for call in calls:
        if not isinstance(call, str):
            call[0].pop("index", None)
    return calls


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # of the SDK, for what its types do not know
@pytest.mark.parametrize("number", NUMBERS)
def test_a_stream_has_the_calls_that_the_sdk_accumulates(number: int) -> None:
    pytest.importorskip("openai")
    pytest.importorskip("anthropic")
    pytest.importorskip("google.genai")
    stream = recorded()[number]
    objects = sdk_objects(stream)
    found, failed = fed(stream, objects)
    wanted = [told(call) for response in accumulated(stream, objects) for call in stream.box.calls(response)]
    if failed:  # the SDK puts together what the service took back
        assert found == []
        return
    assert found == without_index(wanted)
    texts, _ = fed(stream, stream.events)
    if stream.to == "gemini":  # the SDK writes base64 with the other alphabet
        for call in texts:
            signature = call[0].get("thoughtSignature")
            if signature is not None:
                call[0]["thoughtSignature"] = signature.replace("+", "-").replace("/", "_")
    assert texts == found


def test_there_are_streams_with_calls() -> None:
    found = [len(fed(stream, stream.events)[0]) for stream in recorded()]
    assert len(found) == len(NUMBERS)
    assert sum(found) >= 35


@pytest.mark.parametrize("number", NUMBERS)
def test_a_cut_stream_invents_nothing(number: int) -> None:
    stream = recorded()[number]
    documents: list[JsonObject] = [json.loads(each) for each in stream.events if each != "[DONE]"]
    whole, failed = fed(stream, documents)
    step = 1 + len(documents) // 20
    for cut in range(0, len(documents), step):
        found, _ = fed(stream, documents[:cut])
        problems = [each for each in found if isinstance(each, str)]
        calls = [each for each in found if not isinstance(each, str)]
        assert calls == whole[: len(calls)]
        assert set(problems) <= {"the response ended before the call was complete"}
        assert failed or len(found) <= len(whole)
        late, _ = fed(stream, documents[cut:])
        assert all(isinstance(each, str) or each in whole for each in late)
    # In the middle of an event.
    text = stream.events[len(documents) // 2]
    for end in range(1, len(text), 1 + len(text) // 20):
        with pytest.raises(DocumentError):
            stream.box.stream().feed(text[:end])
