"""Quirks of Ollama's calls and results."""

from __future__ import annotations

from typing import Any

import pytest
from ollama import Message
from pydantic import TypeAdapter

from report_parts import codes_by_place as codes
from toolbridge import Toolbox, convert, detect
from toolbridge.api import Converted

MCP = "mcp@2025-11-25"
CALL: dict[str, Any] = {"function": {"name": "tide", "arguments": {"place": "Husum"}}}


def message(content: str = "high", **fields: Any) -> dict[str, Any]:
    return {"role": "tool", "content": content, **fields}


def crossed(given: dict[str, Any], to: str, source: str, kind: Any) -> Converted:
    done = convert(given, to, source=source, kind=kind)
    if to == "ollama":
        TypeAdapter[Any](Message.ToolCall if kind == "call" else Message).validate_python(done.value, strict=True)
    assert convert(given, source, source=source, kind=kind).value == given
    restored = convert(done.value, source, source=to, kind=kind, restore=done.remainder)
    assert restored.value == given
    return done


def test_a_call_needs_no_id() -> None:
    assert detect(CALL).id == "ollama@chat"
    done = crossed({"name": "tide", "arguments": {"place": "Husum"}}, "ollama", MCP, "call")
    assert done.value == CALL
    assert done.report.lossless
    there = crossed(CALL, "openai@chat", "ollama", "call")
    assert there.value["id"].startswith("call_")
    assert [(loss.code, loss.target) for loss in there.report] == [("TB401", "/id")]


def test_a_call_of_a_newer_server_has_an_id() -> None:
    newer = {"id": "call_p7o2gz50", "function": {"index": 0, "name": "tide", "arguments": {"place": "Husum"}}}
    assert detect(newer).id == "ollama@chat"
    done = crossed(newer, "openai@chat", "ollama", "call")
    assert done.value["id"] == "call_p7o2gz50"
    assert codes(done) == {"/function/index": "TB101"}
    assert crossed(done.value, "ollama", "openai@chat", "call").value == {**CALL, "id": "call_p7o2gz50"}


def test_arguments_are_an_object() -> None:
    chat = {"id": "1", "type": "function", "function": {"name": "tide", "arguments": '{"place": '}}
    done = crossed(chat, "ollama", "openai@chat", "call")
    assert done.value["function"]["arguments"] == {"INVALID_JSON": '{"place": '}
    assert codes(done) == {"/function/arguments": "TB507"}
    none = crossed({"name": "tide"}, "ollama", MCP, "call")
    assert none.value == {"function": {"name": "tide", "arguments": {}}}


def test_any_name_will_do() -> None:
    done = crossed({"name": "sea/tide v2", "arguments": {}}, "ollama", MCP, "call")
    assert done.value["function"]["name"] == "sea/tide v2"


def test_a_result_names_tool_and_call() -> None:
    whole = message(tool_name="tide", tool_call_id="call_1")
    assert detect(whole).id == "ollama@chat"
    done = crossed(whole, "mistral", "ollama", "result")
    assert done.value["name"] == "tide"
    there = crossed({"role": "function", "name": "tide", "content": "high"}, "ollama", "openai@functions", "result")
    assert there.value == message(tool_name="tide")
    assert there.report.lossless


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([], ""),
        ([{"type": "text", "text": "high"}], "high"),
        ([{"type": "text", "text": "high"}, {"type": "text", "text": "low"}], "high\n\nlow"),
        ([{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}], "[image/png, 8 bytes]"),
    ],
)
def test_a_result_is_one_text(content: list[Any], words: str) -> None:
    done = crossed({"content": content}, "ollama", MCP, "result")
    assert done.value == message(words)
    assert all(loss.target == "/content" for loss in done.report)
    failed = crossed({"content": content, "isError": True}, "ollama", MCP, "result")
    assert failed.value["content"].startswith("Error")
    assert codes(failed)["/isError"] == "TB704"


def test_pictures_of_a_result_stay_in_the_family() -> None:
    seen = message("Look:", images=["iVBORw0KGgo="])
    done = crossed(seen, MCP, "ollama", "result")
    assert done.value == {"content": [{"type": "text", "text": "Look:"}]}
    assert codes(done) == {"/images": "TB701"}


def test_toolbox() -> None:
    box = Toolbox([{"name": "tide", "inputSchema": {"type": "object"}}], to="ollama")
    answer = {"model": "m", "message": {"role": "assistant", "content": "", "tool_calls": [CALL]}, "done": True}
    assert box.call(answer) == {"name": "tide", "arguments": {"place": "Husum"}}
    assert box.reply("high", to=answer) == message(tool_name="tide")
