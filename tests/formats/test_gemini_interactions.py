"""Quirks of Gemini's Interactions API: functions and steps of its own shape, results in three forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from report_parts import places as told
from toolbridge import CallError, DocumentError, Toolbox, bridge, check, convert, convert_file, detect
from toolbridge.conversion.detect import recognise
from toolbridge.hub import Kind

HERE = "gemini@interactions"
OPEN: dict[str, Any] = {"type": "object", "properties": {"q": {"type": "string"}}}
FUNCTION: dict[str, Any] = {"type": "function", "name": "now", "description": "Tells the time.", "parameters": OPEN}
CALL: dict[str, Any] = {"type": "function_call", "id": "1", "name": "now", "arguments": {"q": "x"}}
RESULT: dict[str, Any] = {"type": "function_result", "call_id": "1", "name": "now", "is_error": False}
PNG = "iVBORw0KGgo="


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ({**FUNCTION, "short_description": "Time."}, "tool"),
        ([{**FUNCTION, "short_description": "Time.", "defer_loading": True}, {**FUNCTION, "name": "tide"}], "tool"),
        (CALL, "call"),
        ({**RESULT, "result": {"time": 12}}, "result"),
        ({**RESULT, "result": "12:00"}, "result"),
        ([{**RESULT, "result": [{"type": "text", "text": "12:00"}]}], "result"),
    ],
)
def test_its_own_words_are_recognised(document: Any, kind: Kind) -> None:
    found = recognise(document)
    assert (found.format.id, found.kind) == (HERE, kind)
    assert check(document, HERE, kind=kind) == []


def test_what_openai_says_as_well_is_openais() -> None:
    assert detect(FUNCTION).id == "openai@responses"
    assert HERE in recognise(FUNCTION).ties
    for call in (
        {"type": "function_call", "call_id": "1", "name": "now", "arguments": "{}"},
        {"type": "function_call", "call_id": "1", "id": "fc_1", "name": "now", "arguments": "{}"},
        {"type": "function_call", "id": "fc_1", "name": "now", "arguments": "{}"},
    ):
        assert detect(call).id == "openai@responses"


def test_a_request_of_the_other_api_becomes_one_of_this() -> None:
    """The lists of functions that stand in the tools of a request have no counterpart here."""
    schema = {"type": "OBJECT", "properties": {"q": {"type": "STRING"}}}
    declared = {"name": "now", "description": "Tells the time.", "parameters": schema}
    request = {"contents": [], "tools": [{"functionDeclarations": [declared]}, {"googleSearch": {}}]}
    done = convert(request, HERE, source="gemini")
    assert done.value["tools"] == [FUNCTION]
    assert ("TB105", "/tools/1", None) in told(done)
    back = convert({"model": "m", "tools": [FUNCTION, {"type": "google_search"}]}, "gemini", source=HERE)
    assert back.value == {"tools": [{"functionDeclarations": [declared]}], "model": "m"}
    assert told(back) == {("TB105", "/tools/1", None)}


def test_the_members_of_both_requests_are_known() -> None:
    """`contents` was written for the other API, which refuses it."""
    declared = {"name": "now", "description": "Tells the time."}
    request = {"contents": [], "model": "m", "oddity": 1, "tools": [{"functionDeclarations": [declared]}]}
    done = convert(request, HERE, source="gemini")
    assert {*done.value} == {"model", "oddity", "tools"}
    assert told(done) == {("TB101", "/contents", None)}
    assert convert(done.value, "gemini", source=HERE, restore=done.remainder or False).value == request
    other = convert({"input": "hi", "model": "m", "tools": [FUNCTION]}, "gemini", source=HERE)
    assert {*other.value} == {"model", "tools"}
    assert ("TB101", "/input", None) in told(other)
    assert ("TB101", "/contents", None) in told(convert(request, "openai", source="gemini"))


def test_the_event_that_begins_a_live_interaction_is_a_request() -> None:
    """Its `event_type` was written into requests of the other API."""
    event = {"event_type": "interaction.create", "model": "m", "tools": [{**FUNCTION, "short_description": "Time."}]}
    assert detect(event).id == HERE
    assert {*convert(event, "gemini").value} == {"model", "tools"}
    assert ("TB101", "/event_type", None) in told(convert(event, "mcp"))


@pytest.mark.parametrize(
    ("source", "members"),
    [
        ("cohere", {"model": "m", "messages": [], "safety_mode": "OFF"}),
        ("ollama", {"model": "m", "messages": [], "keep_alive": "5m"}),
        ("deepseek", {"model": "m", "messages": [], "temperature": 0}),
        ("mistral", {"model": "m", "messages": [], "safe_prompt": True}),
    ],
)
def test_the_members_of_other_requests_are_known(source: Any, members: dict[str, Any]) -> None:
    function = {"name": "now", "description": "Tells the time.", "parameters": {"type": "object", "properties": {}}}
    request = {**members, "oddity": 1, "tools": [{"type": "function", "function": function}]}
    found = convert(request, "mcp@2025-11-25", source=source).report
    assert {(loss.code, loss.source) for loss in found} >= {
        *(("TB101", f"/{name}") for name in members),
        ("TB102", "/oddity"),
    }


def test_the_text_of_a_request_becomes_the_same_request(tmp_path: Path) -> None:
    """Its functions stood in no group, so that they were no tools of Gemini's."""
    request = {"model": "m", "tools": [FUNCTION]}
    done = convert(request, "gemini", source=HERE)
    text, report = bridge(HERE, "gemini").bytes(json.dumps(request))
    assert (json.loads(text), [*report]) == (done.value, [*done.report])
    (tmp_path / "in.json").write_text(json.dumps(request))
    with pytest.raises(DocumentError, match="its tools become those of a group; convert it as a document"):
        convert_file(tmp_path / "in.json", "gemini", tmp_path / "out.json", source=HERE)


@pytest.mark.parametrize(
    ("result", "content", "data"),
    [
        ("12:00", [{"type": "text", "text": "12:00"}], None),
        ({"time": 12}, [{"type": "text", "text": '{"time":12}'}], {"time": 12}),
        (
            [{"type": "text", "text": "a"}, {"type": "image", "data": PNG, "mime_type": "image/png"}],
            [{"type": "text", "text": "a"}, {"type": "image", "data": PNG, "mimeType": "image/png"}],
            None,
        ),
    ],
)
def test_a_result_is_a_text_an_object_or_contents(result: Any, content: Any, data: Any) -> None:
    document = {**RESULT, "result": result}
    done = convert(document, "mcp@2025-11-25", source=HERE)
    assert done.value["content"] == content
    assert done.value.get("structuredContent") == data
    back = convert(done.value, HERE, source="mcp@2025-11-25", kind="result")
    assert back.value["result"] == result
    repeated = set() if data is None else {("TB101", "/content/0", None)}
    assert told(back) == {("TB401", "", "/call_id"), *repeated}
    restored = convert(done.value, HERE, source="mcp@2025-11-25", kind="result", restore=done.remainder or False)
    assert restored.value == document


@pytest.mark.parametrize(("number", "is_text"), [(2**53, False), (2**53 + 1, True)])
@pytest.mark.parametrize("content", [[], [{"type": "text", "text": "{}"}]])
def test_an_integer_that_no_double_is_makes_data_text(number: int, is_text: bool, content: Any) -> None:
    data = {"id": number}
    content = [{**each, "text": json.dumps(data)} for each in content]
    done = convert({"content": content, "structuredContent": data}, HERE, source="mcp@2025-11-25", kind="result")
    result = done.value["result"]
    assert (json.loads(result) if is_text else result) == data
    assert ("TB703" in done.report.counts()) == is_text


def test_data_that_the_content_does_not_repeat_stands_beside_it() -> None:
    result = {"content": [{"type": "text", "text": "noon"}], "structuredContent": {"time": 12}, "isError": True}
    done = convert(result, HERE, source="mcp@2025-11-25", kind="result")
    assert done.value["result"] == [{"type": "text", "text": "noon"}, {"type": "text", "text": '{"time":12}'}]
    assert done.value["is_error"] is True
    assert ("TB703", "/structuredContent", "/result/1") in told(done)


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        ({"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}, "audio"),
        ({"type": "audio", "data": "aGk=", "mimeType": "audio/x-odd"}, "text"),
        ({"type": "resource", "resource": {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": "aGk="}},
         "document"),
        ({"type": "resource", "resource": {"uri": "file:///a.png", "mimeType": "image/png", "blob": PNG}}, "image"),
        ({"type": "resource", "resource": {"uri": "file:///a.zip", "mimeType": "application/zip", "blob": "aGk="}},
         "text"),
    ],
)  # fmt: skip
def test_media_that_the_service_takes_stay_media(block: dict[str, Any], kind: str) -> None:
    done = convert({"content": [block, block]}, HERE, source="mcp@2025-11-25", kind="result")
    assert [each["type"] for each in done.value["result"]] == [kind, kind]
    if kind != "text":  # with the address beside it the service might look there
        assert done.value["result"][0].keys() == {"type", "mime_type", "data"}
        assert convert(done.value, "mcp@2025-11-25", source=HERE, restore=done.remainder).value["content"][0] == block


def test_a_loop() -> None:
    tool = {"name": "now", "inputSchema": OPEN}
    box = Toolbox([tool], to=HERE, source="mcp@2025-11-25")
    assert box.tools == [{"type": "function", "name": "now", "parameters": OPEN}]
    thought = {"type": "thought", "signature": "c2ln"}
    for answer in (
        {"id": "v1_1", "status": "requires_action", "steps": [thought, CALL, {**CALL, "id": "2"}]},
        {"id": "v1_1", "outputs": [thought, CALL, {**CALL, "id": "2"}]},
        [CALL, {**CALL, "id": "2"}],
    ):
        first, second = box.calls(answer)
        assert not isinstance(first, CallError)
        assert first == {"name": "now", "arguments": {"q": "x"}}
        assert box.reply({"time": 12}, to=first) == {
            "type": "function_result",
            "call_id": "1",
            "name": "now",
            "result": {"time": 12},
        }
        assert box.reply("noon", to=second)["call_id"] == "2"
    unnumbered = {key: value for key, value in CALL.items() if key != "id"}
    (third,) = box.calls([unnumbered])
    assert not isinstance(third, CallError)
    assert box.reply("noon", to=third)["call_id"] == third.id
    failed = box.reply({"content": [{"type": "text", "text": "no clock"}], "isError": True}, to=first)
    assert (failed["is_error"], failed["result"]) == (True, "no clock")
