"""Quirks of Mistral's calls and results."""

from __future__ import annotations

import re
from typing import Any

import pytest
from mistralai.client.models import ToolCall, ToolMessage
from pydantic import TypeAdapter

from report_parts import codes_by_place as codes
from toolbridge import Toolbox, convert, detect
from toolbridge.api import Converted

MCP = "mcp@2025-11-25"
PNG, PDF, WAV = "iVBORw0KGgo=", "JVBERi0xLjQK", "UklGRg=="
TOOLU = "toolu_01A09q90qw90lq917835lq9"


def call(arguments: Any, **fields: Any) -> dict[str, Any]:
    return {"id": "a1B2c3D4e", "type": "function", "function": {"name": "tide", "arguments": arguments}, **fields}


def message(content: Any = "high", **fields: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": "a1B2c3D4e", "content": content, **fields}


def crossed(document: dict[str, Any], to: str, source: str, kind: Any) -> Converted:
    done = convert(document, to, source=source, kind=kind)
    if to == "mistral":
        TypeAdapter[Any](ToolCall if kind == "call" else ToolMessage).validate_python(done.value, strict=True)
    assert convert(document, source, source=source, kind=kind).value == document
    restored = convert(done.value, source, source=to, kind=kind, restore=done.remainder)
    assert restored.value == document
    return done


# calls


@pytest.mark.parametrize("arguments", [{"place": "Husum"}, '{"place": "Husum"}'])
def test_arguments_are_an_object_or_text(arguments: Any) -> None:
    done = crossed(call(arguments, index=0), "anthropic", "mistral", "call")
    assert done.value["input"] == {"place": "Husum"}
    assert codes(done) == {"/index": "TB101"}
    restored = convert(done.value, "mistral", source="anthropic", kind="call")
    assert restored.value == call('{"place":"Husum"}')


def test_an_id_becomes_nine_letters_and_digits_alike_in_call_and_result() -> None:
    use = {"type": "tool_use", "id": TOOLU, "name": "tide", "input": {}}
    done = crossed(use, "mistral", "anthropic", "call")
    answer = crossed({"type": "tool_result", "tool_use_id": TOOLU, "content": "high"}, "mistral", "anthropic", "result")
    assert re.fullmatch("[a-zA-Z0-9]{9}", done.value["id"])
    assert done.value["id"] == answer.value["tool_call_id"]
    assert [(loss.code, loss.source, loss.target) for loss in done.report] == [("TB506", "/id", "/id")]
    kept = crossed({**use, "id": "Az0000009"}, "mistral", "anthropic", "call")
    assert kept.value["id"] == "Az0000009"
    assert kept.report.lossless


def test_an_id_for_a_call_that_has_none() -> None:
    done = crossed({"name": "tide", "arguments": {}}, "mistral", MCP, "call")
    assert re.fullmatch("[a-zA-Z0-9]{9}", done.value["id"])
    assert [(loss.code, loss.target) for loss in done.report] == [("TB401", "/id")]


def test_a_call_with_an_object_and_an_id_is_mistrals() -> None:
    assert detect(call({"place": "Husum"})).id == "mistral@chat"
    # Pieces of a stream of OpenAI's have an index as well.
    assert detect(call("{}", index=0)).id == "openai@chat"
    assert detect(call("{}")).id == "openai@chat"


# results


def test_a_result_names_its_tool() -> None:
    done = crossed({"role": "tool", "tool_name": "sea.tide", "content": "high"}, "mistral", "ollama", "result")
    assert done.value["name"] == "sea_tide"
    assert done.value["content"] == "high"
    assert codes(done)["/tool_name"] == "TB501"


def test_chunks_of_a_result() -> None:
    pdf = {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": PDF}
    content = [
        {"type": "text", "text": "Look:"},
        {"type": "image", "data": PNG, "mimeType": "image/png"},
        {"type": "resource", "resource": pdf},
        {"type": "audio", "data": WAV, "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "https://e.example/a", "name": "a"},
    ]
    done = crossed({"content": content, "isError": True}, "mistral", MCP, "result")
    assert done.value["content"] == [
        {"type": "text", "text": "Error: Look:"},
        {"type": "image_url", "image_url": f"data:image/png;base64,{PNG}"},
        {"type": "document_url", "document_url": f"data:application/pdf;base64,{PDF}"},
        {"type": "input_audio", "input_audio": WAV},
        {"type": "text", "text": "a: https://e.example/a"},
    ]
    assert codes(done) == {
        "": "TB401",
        "/isError": "TB704",
        "/content/2/resource/uri": "TB101",
        "/content/3/mimeType": "TB101",
        "/content/4": "TB705",
    }


@pytest.mark.parametrize(
    ("mime", "kind"),
    [
        ("application/pdf", "document_url"),
        ("application/epub+zip", "document_url"),
        ("audio/mpeg", "input_audio"),
        ("image/png", "image_url"),
        *((mime, "text") for mime in ("application/zip", "application/octet-stream", "text/csv", "video/mp4")),
    ],
)
def test_what_a_file_is_goes_by_its_media_type(mime: str, kind: str) -> None:
    file = {"type": "resource", "resource": {"uri": "file:///a", "mimeType": mime, "blob": PDF}}
    both = {"content": [{"type": "text", "text": "Look:"}, file]}
    assert crossed(both, "mistral", MCP, "result").value["content"][1]["type"] == kind


def test_a_picture_is_a_url_or_an_object_with_one() -> None:
    url = f"data:image/png;base64,{PNG}"
    image = {"type": "image", "data": PNG, "mimeType": "image/png"}
    for spelled in (url, {"url": url}, {"url": url, "detail": "low"}):
        done = crossed(message([{"type": "image_url", "image_url": spelled}]), MCP, "mistral", "result")
        assert done.value["content"] == [image]
        detail = {"/content/0/image_url/detail": "TB101"} if "detail" in spelled else {}
        assert codes(done) == {"/tool_call_id": "TB101", **detail}
    at = {"type": "image_url", "image_url": "https://e.example/a.png"}
    done = crossed(message([at]), "openai@responses", "mistral", "result")
    assert done.value["output"] == [{"type": "input_image", "image_url": "https://e.example/a.png"}]


@pytest.mark.parametrize("audio", [WAV, f"data:audio/wav;base64,{WAV}", "https://e.example/a.wav"])
def test_a_sound_is_base64_or_a_url(audio: str) -> None:
    done = crossed(message([{"type": "input_audio", "input_audio": audio}]), "langchain", "mistral", "result")
    block = done.value["content"][0]
    assert block.pop("type") == "audio"
    mime = "audio/wav" if audio.startswith("data:") else "application/octet-stream"
    assert block == ({"url": audio} if audio.startswith("https:") else {"base64": WAV, "mime_type": mime})


def test_resources_are_read_and_other_chunks_stay() -> None:
    resource = {"type": "resource", "uri": "file:///a", "content": {"type": "text", "text": "hi"}}
    link = {"type": "resource_link", "uri": "https://e.example/a", "metadata": {"n": 1}}
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    done = crossed(message([resource, link, thought]), MCP, "mistral", "result")
    assert done.value["content"][0] == {"type": "resource", "resource": {"uri": "file:///a", "text": "hi"}}
    assert done.value["content"][1]["type"] == "resource_link"
    assert codes(done)["/content/1/metadata"] == "TB101"
    assert codes(done)["/content/2"] == "TB705"
    restored = convert(done.value, "mistral", source=MCP, kind="result")
    assert [part["type"] for part in restored.value["content"]] == ["text", "text", "text"]


def test_null_is_no_content() -> None:
    done = crossed(message(None, name=None), MCP, "mistral", "result")
    assert done.value == {"content": []}


def test_toolbox() -> None:
    box = Toolbox([{"name": "sea.tide", "inputSchema": {"type": "object"}}], to="mistral")
    own = call({"place": "Husum"}, function={"name": "sea_tide", "arguments": {"place": "Husum"}})
    answer = {"choices": [{"message": {"role": "assistant", "content": "", "tool_calls": [own]}}]}
    assert box.call(answer) == {"name": "sea.tide", "arguments": {"place": "Husum"}}
    assert box.reply("high", to=answer) == message(name="sea_tide")
