"""What OpenAI's models are shown of results: pictures and files in Responses, and words for the rest."""

from __future__ import annotations

from typing import Any

import pytest
from openai.types.chat import ChatCompletionToolMessageParam
from openai.types.responses.response_input_item_param import FunctionCallOutput
from pydantic import TypeAdapter

from report_parts import codes_by_place as codes
from toolbridge import check, convert
from toolbridge.api import Converted

MCP = "mcp@2025-11-25"
PNG, PDF, WAV = "iVBORw0KGgo=", "JVBERi0xLjQK", "UklGRg=="
TYPES: dict[str, Any] = {"openai@responses": FunctionCallOutput, "openai@chat": ChatCompletionToolMessageParam}


def places(done: Converted, code: str) -> list[tuple[str, str | None]]:
    return [(loss.source, loss.target) for loss in done.report if loss.code == code]


def crossed(document: dict[str, Any], to: str, source: str, kind: Any) -> Converted:
    """There, where the SDK takes it, and back again."""
    done = convert(document, to, source=source, kind=kind)
    if to in TYPES:
        TypeAdapter[Any](TYPES[to]).validate_python(done.value, strict=True)
    assert convert(document, source, source=source, kind=kind).value == document
    restored = convert(done.value, source, source=to, kind=kind, restore=done.remainder)
    assert restored.value == document
    return done


def told(*content: dict[str, Any], to: str = "openai@responses") -> Converted:
    """A result of an MCP server for a model of OpenAI's."""
    return crossed({"content": [*content]}, to, MCP, "result")


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def blob(data: str, uri: str = "file:///out/tide.pdf", **fields: Any) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "blob": data, **fields}}


def test_responses_see_pictures_and_files() -> None:
    done = told(
        text("Look:"),
        {"type": "image", "data": PNG, "mimeType": "image/png"},
        blob(PDF, mimeType="application/pdf"),
        blob(PNG, mimeType="image/png"),
    )
    assert done.value["output"] == [
        {"type": "input_text", "text": "Look:"},
        {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"},
        {"type": "input_file", "file_data": f"data:application/pdf;base64,{PDF}", "filename": "tide.pdf"},
        {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"},
    ]
    assert "/content/2/resource/uri" in codes(done)
    assert not places(done, "TB705")


def test_chat_has_words_for_them() -> None:
    done = told({"type": "image", "data": PNG, "mimeType": "image/png"}, to="openai@chat")
    assert done.value["content"] == "[image/png, 8 bytes]"
    assert places(done, "TB705") == [("/content/0", "/content")]


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ({"type": "image", "data": "PHN2Zz4=", "mimeType": "image/svg+xml"}, "[image/svg+xml, 5 bytes]"),
        ({"type": "audio", "data": WAV, "mimeType": "audio/wav"}, "[audio/wav, 4 bytes]"),
        (blob(WAV, mimeType="audio/wav"), "[audio/wav, 4 bytes, file:///out/tide.pdf]"),
        (blob(PDF), "[file, 9 bytes, file:///out/tide.pdf]"),
        ({"type": "resource", "resource": {"uri": "file:///a", "text": "hi"}}, "hi"),
        ({"type": "resource_link", "uri": "https://e.example/a", "name": "a"}, "a: https://e.example/a"),
    ],
)
def test_what_responses_do_not_see_is_told_in_words(block: dict[str, Any], words: str) -> None:
    done = told(block)
    assert done.value["output"] == words
    assert places(done, "TB705") == [("/content/0", "/output")]


def test_a_file_with_its_content_has_a_name() -> None:
    pdf = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}}
    result = {"type": "tool_result", "tool_use_id": "call_1", "content": [pdf, {**pdf, "title": "Tides"}]}
    done = crossed(result, "openai@responses", "anthropic", "result")
    assert [part["filename"] for part in done.value["output"]] == ["file", "Tides"]
    assert places(done, "TB401") == [("/content/0", "/output/0/filename")]


def test_what_stands_in_a_data_url() -> None:
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "low"}
    file = {"type": "input_file", "file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"}
    document = {"type": "function_call_output", "call_id": "1", "output": [image, file]}
    done = crossed(document, MCP, "openai@responses", "result")
    assert done.value["content"][0] == {"type": "image", "data": PNG, "mimeType": "image/png"}
    assert done.value["content"][1]["resource"]["blob"] == PDF
    assert done.value["content"][1]["resource"]["mimeType"] == "application/pdf"
    assert codes(done)["/output/0/detail"] == "TB101"
    done = crossed(document, "anthropic", "openai@responses", "result")
    assert [part["type"] for part in done.value["content"]] == ["image", "document"]


def test_what_is_elsewhere() -> None:
    url = "https://e.example/a.png"
    picture = {"type": "input_image", "image_url": url}
    document = {"type": "function_call_output", "call_id": "1", "output": [picture]}
    done = crossed(document, "anthropic", "openai@responses", "result")
    assert done.value["content"] == [{"type": "image", "source": {"type": "url", "url": url}}]
    restored = crossed(done.value, "openai@responses", "anthropic", "result")
    assert restored.value == document
    for part in (
        {"type": "input_file", "file_id": "file-1"},
        {"type": "input_file", "file_url": "https://e.example/a"},
    ):
        done = crossed({**document, "output": [part]}, MCP, "openai@responses", "result")
        assert places(done, "TB705") == [("/output/0", "/content/0")]


@pytest.mark.parametrize(
    ("mime", "kind"),
    [
        ("text/markdown; charset=utf-8", "input_file"),
        ("application/json", "input_file"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "input_file"),
        ("application/zip", "input_text"),
        ("application/octet-stream", "input_text"),
        ("application/vnd.oasis.opendocument.spreadsheet", "input_text"),
        ("video/mp4", "input_text"),
    ],
)
def test_a_file_is_one_only_where_the_service_takes_its_type(mime: str, kind: str) -> None:
    done = told(text("Look:"), blob(PDF, mimeType=mime))
    assert done.value["output"][1]["type"] == kind
    assert bool(places(done, "TB705")) is (kind == "input_text")
    there = {
        "functionResponse": {
            "name": "tide",
            "response": {},
            "parts": [{"fileData": {"mimeType": mime, "fileUri": "https://e.example/a"}}],
        }
    }
    output = crossed(there, "openai@responses", "gemini", "result").value["output"]
    assert (output[0]["type"] == "input_file" if isinstance(output, list) else False) is (kind == "input_file")


def test_blocks_of_one_edition_are_none_of_another() -> None:
    cached = {"type": "text", "text": "high", "cache_control": {"type": "ephemeral"}}
    message = {"role": "tool", "tool_call_id": "1", "content": [cached]}
    assert convert(message, "openai@chat-strict", source="openai@chat", kind="result").value == message
    done = crossed(message, "openai@responses", "openai@chat", "result")
    assert done.value == {"type": "function_call_output", "call_id": "1", "output": "high"}
    assert codes(done) == {"/content/0/cache_control": "TB102"}


def test_a_picture_in_a_message_of_a_tool_is_one_elsewhere() -> None:
    """OpenAI refuses it in Chat Completions, services that imitate it take it: it stays there, and is no text."""
    url = f"data:image/png;base64,{PNG}"
    for place in (url, {"url": url}):
        message = {"role": "tool", "tool_call_id": "1", "content": [{"type": "image_url", "image_url": place}]}
        assert convert(message, "groq", source="openai@chat", kind="result").value == message
        done = crossed(message, MCP, "openai@chat", "result")
        assert done.value["content"] == [{"type": "image", "data": PNG, "mimeType": "image/png"}]
        (error,) = check(message, "openai@chat", kind="result")
        assert error.pointer == "/content/0/type"
