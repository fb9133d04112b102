"""Quirks of Gemini's calls and results."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.genai import types
from pydantic import ValidationError

from toolbridge import DocumentError, Toolbox, convert
from toolbridge.api import Converted
from toolbridge.data import pointer as at

PNG, PDF = "iVBORw0KGgo=", "JVBERi0xLjQK"
CALL: dict[str, Any] = {"functionCall": {"id": "f1", "name": "tide", "args": {"place": "Husum"}}}


def codes(done: Converted) -> list[str]:
    return sorted(loss.code for loss in done.report)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def mcp(*content: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"content": [*content], **fields}


def result(response: Any, **fields: Any) -> dict[str, Any]:
    return {"functionResponse": {"id": "f1", "name": "tide", "response": response, **fields}}


def part(document: Any) -> types.Part:
    """A part as the SDK has it, which knows all that it says."""
    made = types.Part.model_validate(document)
    assert made.model_dump(mode="json", by_alias=True, exclude_none=True).keys() == document.keys()
    return made


def told(document: dict[str, Any]) -> Converted:
    """An MCP result as Gemini has it, which Google's SDK takes, and which leads home."""
    done = convert(document, "gemini", source="mcp@2025-11-25", kind="result")
    part(done.value)
    restored = convert(done.value, "mcp@2025-11-25", source="gemini", kind="result", restore=done.remainder)
    assert restored.value == document
    return done


def read(document: dict[str, Any]) -> Converted:
    """A result of Gemini's as MCP has it, which leads home."""
    done = convert(document, "mcp@2025-11-25", source="gemini", kind="result")
    same = convert(document, "gemini@json-schema", source="gemini", kind="result")
    assert (same.value, len(same.report)) == (document, 0)
    restored = convert(done.value, "gemini", source="mcp@2025-11-25", kind="result", restore=done.remainder)
    assert restored.value == document
    return done


def response(done: Converted) -> Any:
    return done.value["functionResponse"]["response"]


# calls


ID = 1234567890123456789


@pytest.mark.parametrize(
    ("to", "place"), [("gemini", "/functionCall/args"), ("gemini@interactions", "/arguments"), ("anthropic", "/input")]
)
@pytest.mark.parametrize("as_text", [True, False])
def test_an_integer_that_no_double_is_is_an_argument_in_text(to: str, place: str, as_text: bool) -> None:
    """In a conversation the model read 1234567890123456800 as the id that it had called a tool with."""
    arguments = {"id": ID, "ids": [{"a/b": -ID}, 2**53, 1e300], "other": str(ID)}
    source = "openai@chat" if as_text else "mcp@2025-11-25"
    call: Any = {"name": "tide", "arguments": arguments}
    if as_text:
        function = {"name": "tide", "arguments": json.dumps(arguments)}
        call = {"id": "c1", "type": "function", "function": function}
    done = convert(call, to, source=source, kind="call")
    written = at.get(done.value, place)
    losses = [(loss.source, loss.target) for loss in done.report if loss.code == "TB505"]
    if to == "anthropic":
        assert written == arguments
        assert not losses
    else:
        assert written == {"id": str(ID), "ids": [{"a/b": str(-ID)}, 2**53, 1e300], "other": str(ID)}
        assert [target for _, target in losses] == [f"{place}/id", f"{place}/ids/0/a~1b"]
        own = "/function/arguments" if as_text else "/arguments/ids/0/a~1b"
        assert losses[1][0] == own
    assert convert(done.value, source, source=to, kind="call", restore=done.remainder).value == call


def test_an_integer_in_a_call_of_gemini_is_its_own() -> None:
    call = {"functionCall": {"name": "tide", "args": {"id": ID}}}
    for to, place in (("gemini@json-schema", "/functionCall/args/id"), ("mcp@2025-11-25", "/arguments/id")):
        done = convert(call, to, source="gemini", kind="call")
        assert (at.get(done.value, place), codes(done)) == (ID, [])


def test_a_call_survives_the_round_trip() -> None:
    done = convert(CALL, "anthropic", source="gemini", kind="call")
    assert done.value == {"type": "tool_use", "id": "f1", "name": "tide", "input": {"place": "Husum"}}
    assert done.report.lossless
    restored = convert(done.value, "gemini", source="anthropic", kind="call")
    assert (restored.value, restored.report.lossless) == (CALL, True)
    part(restored.value)


def test_a_call_without_an_id_gets_one_that_is_always_the_same() -> None:
    call = {"functionCall": {"name": "tide"}}
    one, other = (convert(call, "bedrock", source="gemini", kind="call") for _ in range(2))
    assert one.value == other.value
    assert one.value["toolUse"] | {"toolUseId": ""} == {"toolUseId": "", "name": "tide", "input": {}}
    assert codes(one) == ["TB401"]


def test_a_signature_stays_in_the_shape_of_openai() -> None:
    """Gemini refuses a call without it in the next request; OpenAI's interface has it in a member of its own."""
    document = {**CALL, "thoughtSignature": "QUE="}
    done = convert(document, "openai@chat", source="gemini", kind="call")
    assert done.value["extra_content"] == {"google": {"thought_signature": "QUE="}}
    assert done.report.lossless
    assert convert(done.value, "gemini", source="openai@chat", kind="call").value == document
    vertex = {**done.value, "extra_content": {"vertex": {"thought_signature": "QUE="}}}
    assert convert(vertex, "gemini", source="openai@chat", kind="call").value == document
    del done.value["extra_content"]
    litellm = done.value | {"provider_specific_fields": {"thought_signature": "QUE="}}
    read = convert(litellm, "gemini", source="openai@chat", kind="call")
    assert (read.value, [*read.report]) == (document, [])


def test_a_call_of_another_model_gets_the_signature_that_is_filled_in() -> None:
    """The document "A vendor rejected my tool" says so."""
    call = {"name": "tide", "arguments": {}}
    fill = {"/thoughtSignature": "skip_thought_signature_validator"}
    done = convert(call, "gemini", source="mcp@2025-11-25", kind="call", fill=fill)
    assert (done.value["thoughtSignature"], [*done.report]) == ("skip_thought_signature_validator", [])
    assert convert(done.value, "mcp@2025-11-25", source="gemini", kind="call", restore=done.remainder).value == call
    own = {**CALL, "thoughtSignature": "QUE="}
    assert convert(own, "gemini@vertex", source="gemini", kind="call", fill=fill).value == own


def test_a_signature_is_reported_where_there_is_no_place_for_it() -> None:
    document = {**CALL, "thoughtSignature": "QUE="}
    assert convert(document, "gemini@json-schema", source="gemini", kind="call").value == document
    done = convert(document, "anthropic", source="gemini", kind="call")
    assert [(loss.code, loss.source) for loss in done.report] == [("TB101", "/thoughtSignature")]
    assert convert(done.value, "gemini", source="anthropic", restore=done.remainder).value == document


@pytest.mark.parametrize(
    "call",
    [
        {"function_call": CALL["functionCall"], "thought_signature": "QUE="},
        CALL["functionCall"],
        {"functionCall": {**CALL["functionCall"], "willContinue": False, "partialArgs": None}},
    ],
)
def test_a_call_is_read_in_every_spelling(call: dict[str, Any]) -> None:
    assert convert(call, "gemini", source="gemini", kind="call").value == call
    done = convert(call, "anthropic", source="gemini", kind="call")
    assert done.value == {"type": "tool_use", "id": "f1", "name": "tide", "input": {"place": "Husum"}}
    restored = convert(done.value, "gemini", source="anthropic", kind="call", restore=done.remainder)
    assert restored.value == call


def test_what_goes_on_is_known_in_both_spellings() -> None:
    """The spelling of Google's SDK for Python was reported as fields that no specification has."""
    call = {"function_call": {"name": "tide", "args": {}, "partial_args": [], "will_continue": True}}
    result = {"function_response": {"name": "tide", "response": {"output": 1}, "will_continue": True}}
    for document in (call, result):
        done = convert(document, "anthropic", source="gemini")
        assert "TB102" not in {loss.code for loss in done.report}
        assert {loss.source for loss in done.report} >= {f"/{key}/will_continue" for key in document}


def test_calls_of_others_are_not_taken_for_them() -> None:
    message = {"role": "assistant", "content": None, "function_call": {"name": "tide", "arguments": "{}"}}
    with pytest.raises(DocumentError, match="not a call"):
        convert(message, "mcp", source="gemini", kind="call")
    langchain = {"name": "tide", "args": {}, "id": "f1", "type": "tool_call"}
    assert convert(langchain, "gemini").report.source == "langchain@json-schema"


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda call: {
            "candidates": [{"content": {"role": "model", "parts": [{"text": "Hm.", "thought": True}, call]}}]
        },
        lambda call: {"role": "model", "parts": [{"executableCode": {"code": "1", "language": "PYTHON"}}, call]},
        lambda call: {"toolCall": {"functionCalls": [call["functionCall"]]}},
        lambda call: types.Content(role="model", parts=[types.Part(text="Hm."), types.Part.model_validate(call)]),
    ],
)
def test_a_toolbox_finds_the_calls_of_an_answer_and_nothing_else(wrapped: Any) -> None:
    box = Toolbox([{"name": "tide", "inputSchema": {"type": "object"}}], to="gemini", source="mcp@2025-11-25")
    (call,) = box.calls(wrapped(CALL))
    assert call == {"name": "tide", "arguments": {"place": "Husum"}}
    assert box.reply([1, 2], to=CALL) == result({"output": [1, 2]})


# what is read


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ({"output": "High."}, mcp(text("High."))),
        ({"output": {"high": True}}, mcp(text('{"high":true}'), structuredContent={"high": True})),
        ({"output": [1]}, mcp(text("[1]"), structuredContent={"result": [1]})),
        ({"result": "High."}, mcp(text('{"result":"High."}'), structuredContent={"result": "High."})),
        (
            {"error": None, "high": 1},
            mcp(text('{"error":null,"high":1}'), structuredContent={"error": None, "high": 1}),
        ),
        ({"error": "No such harbour."}, mcp(text("No such harbour."), isError=True)),
        ({"error": {"code": 404}}, mcp(text('{"code":404}'), structuredContent={"code": 404}, isError=True)),
        (
            {"error": "Gone.", "output": {"a": 1}},
            mcp(text("Gone."), text('{"a":1}'), structuredContent={"a": 1}, isError=True),
        ),
        ({}, mcp()),
    ],
)
def test_a_response_has_an_output_or_an_error_or_is_all_of_it(said: Any, heard: dict[str, Any]) -> None:
    for document in (
        result(said),
        {"function_response": result(said)["functionResponse"]},
        result(said)["functionResponse"],
    ):
        assert read(document).value == heard


def test_with_other_keys_beside_the_output_all_of_it_is_the_data() -> None:
    response = {"output": "High.", "at": "12:00", "error": None}
    done = read(result(response, scheduling="SILENT"))
    assert done.value["structuredContent"] == response
    assert {loss.source: loss.code for loss in done.report} == {
        "/functionResponse/id": "TB101",
        "/functionResponse/name": "TB101",
        "/functionResponse/scheduling": "TB101",
    }
    failed = read(result({"error": "bad", "stdout": "hi"})).value
    assert failed["isError"] is True
    assert failed["structuredContent"] == {"error": "bad", "stdout": "hi"}
    assert "isError" not in read(result({"error": "", "stdout": "hi"})).value


@pytest.mark.parametrize(
    "parts",
    [
        [{"inlineData": {"mimeType": "image/png", "data": "_-8", "displayName": "tide.png"}}],
        [{"inline_data": {"mime_type": "image/png", "data": "_-8="}}],
    ],
)
def test_media_are_in_either_alphabet_of_base64(parts: list[dict[str, Any]]) -> None:
    done = read(result({"output": "Look:"}, parts=parts))
    assert done.value == mcp(text("Look:"), {"type": "image", "data": "/+8=", "mimeType": "image/png"})
    bedrock = convert(result({}, parts=parts), "bedrock", source="gemini", kind="result").value["toolResult"]["content"]
    assert bedrock == [{"image": {"format": "png", "source": {"bytes": "/+8="}}}]


@pytest.mark.parametrize(("mime", "kind"), [("audio/wav", "audio"), ("application/pdf", "resource")])
def test_the_kind_of_media_is_told_by_their_type(mime: str, kind: str) -> None:
    done = read(result({}, parts=[{"inlineData": {"mimeType": mime, "data": PDF}}]))
    assert [block["type"] for block in done.value["content"]] == [kind]


def test_a_video_finds_its_place() -> None:
    document = result({}, parts=[{"fileData": {"mimeType": "video/mp4", "fileUri": "s3://tides/husum.mp4"}}])
    done = convert(document, "bedrock", source="gemini", kind="result")
    there = {"s3Location": {"uri": "s3://tides/husum.mp4"}}
    assert done.value["toolResult"]["content"] == [{"video": {"format": "mp4", "source": there}}]


def test_what_is_no_media_stays_in_the_family() -> None:
    document = result({"output": "x"}, parts=[{"hologram": 1}, {"inlineData": {"mime_type": "image/png", "data": PNG}}])
    done = read(document)
    assert [block["type"] for block in done.value["content"]] == ["text", "text", "text"]
    assert codes(done).count("TB705") == 2


# what is written


def test_output_is_data_or_text_or_both_in_text() -> None:
    assert response(told(mcp(text("High.")))) == {"output": "High."}
    done = told(mcp(text('{ "high": 1 }'), structuredContent={"high": 1}))
    assert (response(done), codes(done).count("TB101")) == ({"output": {"high": 1}}, 1)
    done = told(mcp(text("High."), structuredContent={"high": 1}))
    assert response(done) == {"output": 'High.\n\n{"high":1}'}
    assert ("TB703", "/structuredContent") in [(loss.code, loss.source) for loss in done.report]
    assert response(told(mcp())) == {}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (mcp(text("Gone."), isError=True), {"error": "Gone."}),
        (mcp(structuredContent={"code": 404}, isError=True), {"error": {"code": 404}}),
        (
            mcp(text("Gone."), structuredContent={"code": 404}, isError=True),
            {"error": "Gone.", "output": {"code": 404}},
        ),
        (mcp(structuredContent={}, isError=True), {"error": "Error", "output": {}}),
        (mcp(isError=True), {"error": "Error"}),
        (mcp(text(""), isError=True), {"error": "Error"}),
    ],
)
def test_a_failure_says_why_and_keeps_its_data(document: dict[str, Any], said: dict[str, Any]) -> None:
    done = told(document)
    assert response(done) == said
    invented = ("TB401", "/functionResponse/response/error") in [(loss.code, loss.target) for loss in done.report]
    assert invented == (said["error"] == "Error")
    is_left_out = bool(document["content"]) and said["error"] != "Gone."
    assert [loss.source for loss in done.report.matching("TB101")] == ["/content/0"] * is_left_out


def test_the_name_of_the_function_is_always_there() -> None:
    done = told(mcp(text("x")))
    assert done.value["functionResponse"]["name"] == "tool"
    assert [(loss.code, loss.target) for loss in done.report] == [("TB401", "/functionResponse/name")]


def test_a_reference_in_data_would_be_taken_for_one_to_a_part() -> None:
    schema = {"properties": {"a": [{"$ref": "#/$defs/A"}]}}
    done = told(mcp(structuredContent=schema))
    assert response(done) == {"output": '{"properties":{"a":[{"$ref":"#/$defs/A"}]}}'}
    assert ("TB703", "/structuredContent") in [(loss.code, loss.source) for loss in done.report]


@pytest.mark.parametrize(
    ("number", "is_text"), [(2**53, False), (2**53 + 1, True), (-(2**60) - 1, True), (1e300, False)]
)
def test_an_integer_that_no_double_is_is_written_as_text(number: float, is_text: bool) -> None:
    """The service has doubles in a response: the model read 1234567890123456800 for 1234567890123456789."""
    data = {"ids": [number]}
    done = told(mcp(structuredContent=data))
    assert response(done) == {"output": json.dumps(data, separators=(",", ":")) if is_text else data}
    assert ("TB703" in done.report.counts()) == is_text


@pytest.mark.parametrize(
    ("block", "made"),
    [
        ({"type": "image", "data": PNG, "mimeType": "image/png"}, {"mimeType": "image/png", "data": PNG}),
        (
            {"type": "resource", "resource": {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": PDF}},
            {"mimeType": "application/pdf", "data": PDF},
        ),
    ],
)
def test_media_stand_beside_the_response(block: dict[str, Any], made: dict[str, Any]) -> None:
    done = told(mcp(block, text("Look.")))
    assert response(done) == {"output": "Look."}
    assert done.value["functionResponse"]["parts"] == [{"inlineData": made}]


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "data": "R0lGODlh", "mimeType": "image/gif"},
        {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a.txt", "mimeType": "text/plain", "text": "High."}},
        {"type": "resource_link", "uri": "https://e.example/a.pdf", "name": "a", "mimeType": "application/pdf"},
    ],
)
def test_what_no_response_takes_is_told_in_words(block: dict[str, Any]) -> None:
    done = told(mcp(block))
    assert isinstance(response(done)["output"], str)
    assert "parts" not in done.value["functionResponse"]
    assert "TB705" in codes(done)


def test_the_sdk_minds_what_it_does_not_know() -> None:
    with pytest.raises(ValidationError):
        types.Part.model_validate({"functionResponse": {"name": "tide", "reply": {}}})
