"""Quirks of Mistral's Conversations API: calls and results are entries, and the choice stands among other arguments."""

from __future__ import annotations

from typing import Any

import pytest

from report_parts import places as told
from toolbridge import CallError, DocumentError, Toolbox, check, convert, detect
from toolbridge.conversion.detect import recognise
from toolbridge.hub import Kind

HERE = "mistral@conversations"
OPEN: dict[str, Any] = {"type": "object", "properties": {"q": {"type": "string"}}}
TOOL: dict[str, Any] = {"type": "function", "function": {"name": "now", "parameters": OPEN}}
CALL: dict[str, Any] = {"type": "function.call", "tool_call_id": "6TI17yZkV", "name": "now", "arguments": '{"q":"x"}'}
RESULT: dict[str, Any] = {"type": "function.result", "tool_call_id": "6TI17yZkV", "result": "noon"}
ENTRY: dict[str, Any] = {"object": "entry", "id": "fc_1", "created_at": "2026-11-28T12:00:00Z", "completed_at": None}


@pytest.mark.parametrize(
    ("document", "kind"), [(CALL, "call"), ({**CALL, "arguments": {}, **ENTRY}, "call"), ([RESULT], "result")]
)
def test_its_own_words_are_recognised(document: Any, kind: Kind) -> None:
    found = recognise(document)
    assert (found.format.id, found.kind) == (HERE, kind)
    assert check(document, HERE, kind=kind) == []


def test_a_request_is_told_by_its_members() -> None:
    request = {"model": "m", "tools": [TOOL, {**TOOL, "function": {"name": "tide", "parameters": OPEN}}]}
    assert detect(request).id == "openai@chat"
    for members in ({"inputs": "hi"}, {"completion_args": {"temperature": 0}}, {"handoffs": [], "version_message": ""}):
        assert detect({**request, **members}).id == HERE
    assert detect({**request, "safe_prompt": True}).id == "mistral@chat"
    assert detect({"tools": [{"function": TOOL["function"]}]}).id == "mistral@chat"


def test_the_choice_of_a_request() -> None:
    request = {"model": "m", "inputs": "hi", "tools": [TOOL], "completion_args": {"tool_choice": "any"}}
    done = convert(request, "anthropic")
    assert done.value["tool_choice"] == {"type": "any"}
    assert told(done) == {("TB101", "/inputs", None), ("TB101", "/model", None)}
    assert convert(done.value, HERE, source="anthropic", restore=done.remainder or False).value == request
    more = {**request, "completion_args": {"tool_choice": "none", "temperature": 0}}
    assert ("TB101", "/completion_args/temperature", None) in told(convert(more, "anthropic"))
    # Of one tool alone, that any may be called is nothing more.
    tide = {**TOOL, "function": {"name": "tide", "parameters": OPEN}}
    named = {"tools": [TOOL, tide], "tool_choice": {"type": "function", "function": {"name": "now"}}}
    done = convert(named, HERE, source="mistral@chat")
    assert done.value["completion_args"] == {"tool_choice": "any"}
    assert ("TB201", "/tool_choice/function/name", None) in told(done)


def test_ids_of_any_length_stay() -> None:
    for call_id in ("6TI17yZkV", "chatcmpl-tool-0a1b"):
        call = {**CALL, "tool_call_id": call_id, **ENTRY}
        done = convert(call, "anthropic", source=HERE)
        assert done.value == {"type": "tool_use", "id": call_id, "name": "now", "input": {"q": "x"}}
        assert told(done) == {("TB101", "/id", None), ("TB101", "/created_at", None), ("TB104", "/completed_at", None)}
        back = convert(done.value, HERE, source="anthropic")
        assert back.value == {**CALL, "tool_call_id": call_id, "object": "entry"}
        assert back.report.lossless


def test_a_result_is_one_text() -> None:
    content = [{"type": "text", "text": "a"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"}]
    done = convert({"content": content, "isError": True}, HERE, source="mcp@2025-11-25")
    assert done.value["result"].startswith("Error: a\n\n")
    assert told(done) >= {("TB704", "/isError", "/result"), ("TB705", "/content/1", "/result")}


def test_a_loop() -> None:
    box = Toolbox([{"name": "now", "inputSchema": OPEN}], to=HERE, source="mcp@2025-11-25")
    said = {"object": "entry", "type": "message.output", "content": "x", "role": "assistant"}
    entry = {**CALL, **ENTRY}
    for answer in (
        {"object": "conversation.response", "conversation_id": "conv_1", "outputs": [said, entry]},
        [said, entry],
        entry,
    ):
        (call,) = box.calls(answer)
        assert not isinstance(call, CallError)
        assert call == {"name": "now", "arguments": {"q": "x"}}
        assert box.reply("noon", to=call) == {**RESULT, "object": "entry"}
    assert box.choice("any") == {"completion_args": {"tool_choice": "any"}}


def test_calls_that_share_an_index() -> None:
    """The index is 0 where an event has none."""
    box = Toolbox([{"name": "now", "inputSchema": OPEN}], to=HERE, source="mcp@2025-11-25")
    events = [
        {"type": "function.call.delta", "id": f"fc_{number}", "tool_call_id": f"c{number}", "name": "now"}
        for number in (1, 2)
    ]
    events = [{**event, "arguments": text} for text in ('{"q": ', '"x"}') for event in events]
    done = {"type": "conversation.response.done", "usage": {}}
    assert [call.arguments for call in box.stream().calls([*events, done])] == [{"q": "x"}] * 2
    failed = {"type": "conversation.response.error", "message": "overloaded", "code": 503}
    with pytest.raises(Exception, match="the service reports an error: overloaded"):
        [*box.stream().calls([events[0], failed])]
    for event in ({"event": event["type"], "data": event} for event in events):
        with pytest.raises(DocumentError, match=f"an event of {HERE}, and events of mistral@chat are expected"):
            Toolbox([TOOL], to="mistral").stream().feed(event)


def test_null_for_the_word_of_an_entry_stays_here() -> None:
    """Items of Realtime have a member of the same name, which Mistral's Responses API does not have."""
    done = convert({**CALL, "object": None}, "mistral@responses", source=HERE)
    assert "object" not in done.value
    assert ("TB104", "/object", None) in told(done)
