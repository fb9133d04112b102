"""Quirks of LangChain's calls and results."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, ToolMessage, convert_to_openai_messages
from langchain_core.messages.content import create_file_block, create_image_block, create_text_block
from langchain_core.messages.tool import ToolCall, invalid_tool_call, tool_call
from pydantic import TypeAdapter

from report_parts import codes_by_place as codes
from toolbridge import Toolbox, check, convert, detect
from toolbridge.api import Converted

MCP = "mcp@2025-11-25"
PNG, PDF, WAV = "iVBORw0KGgo=", "JVBERi0xLjQK", "UklGRg=="
CALL: Any = tool_call(name="tide", args={"place": "Husum"}, id="call_1")


def message(content: Any = "high", **fields: Any) -> dict[str, Any]:
    return {"content": content, "tool_call_id": "call_1", "type": "tool", **fields}


def crossed(given: dict[str, Any], to: str, source: str, kind: Any) -> Converted:
    done = convert(given, to, source=source, kind=kind)
    if to == "langchain" and kind == "call":
        TypeAdapter[Any](ToolCall).validate_python(done.value, strict=True)
    elif to == "langchain":
        dumped = ToolMessage.model_validate(done.value).model_dump()
        assert done.value.items() <= dumped.items()
    assert convert(given, source, source=source, kind=kind).value == given
    restored = convert(done.value, source, source=to, kind=kind, restore=done.remainder)
    assert restored.value == given
    return done


# calls


def test_a_call() -> None:
    assert detect(CALL).id == "langchain@json-schema"
    use = {"type": "tool_use", "id": "call_1", "name": "tide", "input": {"place": "Husum"}}
    done = crossed(use, "langchain", "anthropic", "call")
    assert done.value == CALL
    assert done.report.lossless
    assert crossed(CALL, "anthropic", "langchain", "call").value == use


def test_a_call_without_an_id_gets_one() -> None:
    done = crossed({"name": "tide", "arguments": {}}, "langchain", MCP, "call")
    assert done.value["id"].startswith("call_")
    assert [(loss.code, loss.target) for loss in done.report] == [("TB401", "/id")]
    null = {"name": "tide", "args": {}, "id": None}
    assert crossed(null, MCP, "langchain", "call").value == {"name": "tide", "arguments": {}}


def test_a_call_that_is_not_valid_is_read() -> None:
    invalid: Any = invalid_tool_call(name="tide", args='{"place": "Hus', id="call_1", error="Unterminated string")
    assert detect(invalid).id == "langchain@json-schema"
    done = crossed(invalid, "openai@chat", "langchain", "call")
    assert done.value["function"]["arguments"] == '{"place": "Hus'
    assert codes(done) == {"/error": "TB101"}
    done = crossed(invalid, MCP, "langchain", "call")
    assert done.value["arguments"] == {"INVALID_JSON": '{"place": "Hus'}
    restored = convert(done.value, "langchain", source=MCP, kind="call")
    assert restored.value["type"] == "tool_call"


def test_what_a_block_of_a_message_says_besides() -> None:
    block = {**CALL, "index": 0, "extras": {"signature": "x"}}
    done = crossed(block, "openai@chat", "langchain", "call")
    assert codes(done) == {"/index": "TB101", "/extras": "TB101"}


# results


def test_failure_is_the_status() -> None:
    done = crossed({"content": [{"type": "text", "text": "No."}], "isError": True}, "langchain", MCP, "result")
    assert (done.value["content"], done.value["status"]) == ("No.", "error")
    assert "TB704" not in codes(done).values()
    there = crossed(message("No.", status="error"), "openai@chat", "langchain", "result")
    assert there.value == {"role": "tool", "tool_call_id": "call_1", "content": "Error: No."}
    assert codes(there) == {"/status": "TB704"}
    fine = crossed(message(), "langchain", "langchain", "result")
    assert "status" not in fine.value


def test_structured_content_is_the_artifact() -> None:
    result = {"content": [{"type": "text", "text": "High."}], "structuredContent": {"height": 3.5}}
    done = crossed(result, "langchain", MCP, "result")
    assert done.value["artifact"] == {"structured_content": {"height": 3.5}}
    assert done.value["content"] == "High."
    there = ("TB703", "/structuredContent", "/artifact/structured_content")
    assert there in {(loss.code, loss.source, loss.target) for loss in done.report}
    said = {"content": [{"type": "text", "text": '{"height": 3.5}'}], "structuredContent": {"height": 3.5}}
    assert "TB703" not in codes(crossed(said, "langchain", MCP, "result")).values()
    restored = convert(done.value, MCP, source="langchain", kind="result")
    assert restored.value == {**result, "isError": False}
    alone = crossed({"content": [], "structuredContent": {"height": 3.5}}, "langchain", MCP, "result")
    assert alone.value["content"] == '{"height":3.5}'
    assert alone.value["artifact"] == {"structured_content": {"height": 3.5}}


@pytest.mark.parametrize("artifact", [{"rows": 3}, [1, 2], "x", 0, {}])
def test_any_other_artifact_goes_to_no_model(artifact: Any) -> None:
    for to in (MCP, "openai@chat", "anthropic"):
        done = crossed(message(artifact=artifact), to, "langchain", "result")
        assert any(code == "TB101" for place, code in codes(done).items() if place.startswith("/artifact"))
        assert "rows" not in str(done.value)
    both = {"structured_content": {"n": 1}, "rows": 3}
    done = crossed(message(artifact=both), MCP, "langchain", "result")
    assert done.value["structuredContent"] == {"n": 1}
    assert codes(done)["/artifact/rows"] == "TB101"


def test_a_dump_of_a_message() -> None:
    dumped = ToolMessage("high", tool_call_id="call_1", name="tide").model_dump()
    assert detect(dumped).id == "langchain@json-schema"
    done = crossed(dumped, MCP, "langchain", "result")
    assert done.value == {"content": [{"type": "text", "text": "high"}], "isError": False}
    live = convert(ToolMessage("high", tool_call_id="call_1", status="error"), MCP, kind="result")
    assert live.value == {"content": done.value["content"], "isError": True}


def test_standard_blocks() -> None:
    pdf = {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": PDF}
    content = [
        {"type": "text", "text": "Look:"},
        {"type": "image", "data": PNG, "mimeType": "image/png"},
        {"type": "resource", "resource": pdf},
        {"type": "audio", "data": WAV, "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "https://e.example/a", "name": "a.csv", "mimeType": "text/csv"},
        {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "hi"}},
    ]
    done = crossed({"content": content}, "langchain", MCP, "result")
    assert done.value["content"] == [
        {"type": "text", "text": "Look:"},
        {"type": "image", "base64": PNG, "mime_type": "image/png"},
        {"type": "file", "base64": PDF, "mime_type": "application/pdf"},
        {"type": "audio", "base64": WAV, "mime_type": "audio/wav"},
        {"type": "text", "text": "a.csv: https://e.example/a"},
        {"type": "text", "text": "hi"},
    ]
    assert ToolMessage.model_validate(done.value).content_blocks == done.value["content"]
    assert codes(done) == {
        "": "TB401",
        "/content/2/resource/uri": "TB101",
        "/content/4": "TB705",
        "/content/5": "TB705",
    }


@pytest.mark.parametrize(
    ("mime", "kind"), [("image/svg+xml", "image"), ("audio/wav", "audio"), ("video/mp4", "file"), ("text/csv", "file")]
)
def test_what_a_file_is_goes_by_its_media_type(mime: str, kind: str) -> None:
    file = {"type": "resource", "resource": {"uri": "file:///a", "mimeType": mime, "blob": "AAECAw=="}}
    done = crossed({"content": [file]}, "langchain", MCP, "result")
    assert done.value["content"] == [{"type": kind, "mime_type": mime, "base64": "AAECAw=="}]
    assert codes(done) == {"": "TB401", "/content/0/resource/uri": "TB101"}


def test_data_without_a_media_type_gets_one() -> None:
    """LangChain's converters raise KeyError where base64 has no `mime_type`."""
    file = {"type": "resource", "resource": {"uri": "file:///d.bin", "blob": "AAECAw=="}}
    done = crossed({"content": [file]}, "langchain", MCP, "result")
    assert done.value["content"] == [{"type": "file", "base64": "AAECAw==", "mime_type": "application/octet-stream"}]
    assert ("TB401", "/content/0/mime_type") in [(loss.code, loss.target) for loss in done.report]
    with pytest.warns(UserWarning, match="filename"):  # no file has one here
        assert convert_to_openai_messages([ToolMessage.model_validate(done.value)])
    untyped = message([{"type": "file", "base64": "AAECAw=="}])
    (problem,) = check(untyped, "langchain", kind="result")
    assert problem.pointer == "/content/0/mime_type"
    assert crossed(untyped, MCP, "langchain", "result").value["content"][0]["resource"]["blob"] == "AAECAw=="
    typed = [{"type": "image", "base64": PNG, "mime_type": "image/png"}, {"type": "file", "url": "https://e.example/a"}]
    assert check(message(typed), "langchain", kind="result") == []


def test_text_beside_data_is_reported() -> None:
    """A block of data has none; that of a resource with both was dropped in silence."""
    resource = {"uri": "file:///a.png", "text": "a picture", "blob": PNG, "mimeType": "image/png"}
    done = crossed({"content": [{"type": "resource", "resource": resource}]}, "langchain", MCP, "result")
    assert done.value["content"] == [{"type": "image", "base64": PNG, "mime_type": "image/png"}]
    assert codes(done)["/content/0/resource/text"] == "TB101"


def test_blocks_of_its_own_making() -> None:
    given: Any = [
        "Look:",
        create_text_block("here"),
        create_image_block(url="https://e.example/a.png"),
        create_file_block(base64=PDF, mime_type="application/pdf", filename="a.pdf"),
        {"type": "text-plain", "text": "hi", "mime_type": "text/plain", "title": "A"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
        {"type": "reasoning", "reasoning": "hm"},
    ]
    done = crossed(message(given), "anthropic", "langchain", "result")
    kinds = [part["type"] for part in done.value["content"]]
    assert kinds == ["text", "text", "image", "document", "document", "image", "text"]
    done = crossed(message(given), "openai@responses", "langchain", "result")
    kinds = [part["type"] for part in done.value["output"]]
    assert kinds == ["input_text", "input_text", "input_image", "input_file", "input_text", "input_image", "input_text"]
    assert done.value["output"][3]["filename"] == "a.pdf"
    assert {place for place, code in codes(done).items() if code == "TB705"} == {"/content/4", "/content/6"}


def test_toolbox() -> None:
    box = Toolbox([{"name": "tide", "inputSchema": {"type": "object"}}], to="langchain")
    answer = AIMessage("", tool_calls=[CALL])
    for each in (answer, CALL, answer.model_dump()):
        assert box.call(each) == {"name": "tide", "arguments": {"place": "Husum"}}
    assert box.calls(AIMessage("high", response_metadata={"m": 1})) == box.calls(AIMessageChunk("high")) == []
    reply = box.reply({"content": [], "structuredContent": {"n": 1}}, to=answer)
    assert ToolMessage(**reply).artifact == {"structured_content": {"n": 1}}
    assert (reply["tool_call_id"], reply["name"]) == ("call_1", "tide")


@pytest.mark.parametrize(
    ("block", "written"),
    [
        (
            {"type": "image", "source_type": "base64", "data": "aGk=", "mime_type": "image/png"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
        ),
        (
            {"type": "image", "source_type": "url", "url": "https://example.org/a.png"},
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
        ),
        (
            {"type": "file", "source_type": "text", "text": "hi", "mime_type": "text/plain"},
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "hi"}},
        ),
    ],
)
def test_blocks_of_earlier_versions_have_their_content(block: Any, written: Any) -> None:
    """The blocks of langchain-core 0.3, which its version 1 still takes, were a label, such as `[image/png]`."""
    message = {"type": "tool", "tool_call_id": "t", "content": [block], "status": "success"}
    converted = convert(message, "anthropic", source="langchain", kind="result")
    assert (converted.value["content"], [*converted.report]) == ([written], [])
    assert convert(message, "langchain", source="langchain", kind="result").value == message


PDF_URL = f"data:application/pdf;base64,{PDF}"
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
DOCUMENT = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}}
NAMED = {**DOCUMENT, "title": "a.pdf"}
TEXTS = {"type": "search_result", "source": "https://a", "title": "t", "content": [{"type": "text", "text": "x"}]}
PLAIN = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "hi"}, "title": "t"}


@pytest.mark.parametrize("block", [IMAGE, DOCUMENT, NAMED, TEXTS, PLAIN])
def test_blocks_of_anthropic(block: Any) -> None:
    """Tools return them, and LangChain knows them: they were a label such as `[image]`, or JSON as text."""
    done = crossed(message([block], status="success"), "anthropic", "langchain", "result")
    assert (done.value["content"], [*done.report]) == ([block], [])


@pytest.mark.parametrize(
    ("block", "written"),
    [
        ({"type": "file", "file": {"file_data": PDF_URL, "filename": "a.pdf"}}, NAMED),
        ({"type": "file", "base64": PDF, "mime_type": "application/pdf", "filename": "a.pdf"}, NAMED),
        ({"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"}, IMAGE),
        ({"type": "input_file", "file_data": PDF_URL, "filename": "a.pdf"}, NAMED),
    ],
)
def test_blocks_of_openai(block: Any, written: Any) -> None:
    done = crossed(message([block], status="success"), "anthropic", "langchain", "result")
    assert (done.value["content"], [*done.report]) == ([written], [])


@pytest.mark.parametrize("block", [IMAGE, DOCUMENT, {"type": "file", "file": {"file_data": PDF_URL}}])
def test_blocks_of_vendors_are_what_langchain_understands(block: Any) -> None:
    (theirs,) = ToolMessage(content=[block], tool_call_id="t").content_blocks
    there = crossed(message([block], status="success"), "anthropic", "langchain", "result").value
    (ours,) = crossed(there, "langchain", "anthropic", "result").value["content"]
    assert ours.items() <= theirs.items()


@pytest.mark.parametrize("block", [{"type": "document", "source": {"type": "text", "text": "hi"}}, {"type": "x"}])
def test_blocks_that_nobody_knows_are_text(block: Any) -> None:
    done = crossed(message([block]), "anthropic", "langchain", "result")
    assert (json.loads(done.value["content"]), codes(done)) == (block, {"/content/0": "TB705"})
