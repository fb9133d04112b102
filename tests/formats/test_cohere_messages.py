"""Quirks of Cohere's calls and results."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cohere import ToolCallV2, ToolChatMessageV2
from pydantic import TypeAdapter

from report_parts import codes_by_place as codes
from toolbridge import Toolbox, convert, detect
from toolbridge.api import Converted

MCP = "mcp@2025-11-25"
CALL: dict[str, Any] = {
    "id": "tide_dp3men9jrvhf",
    "type": "function",
    "function": {"name": "tide", "arguments": '{"place":"Husum"}'},
}


def message(content: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": "tide_1", "content": content}


def document(data: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "document", "document": {"data": data, **fields}}


def crossed(given: dict[str, Any], to: str, source: str, kind: Any) -> Converted:
    done = convert(given, to, source=source, kind=kind)
    if to == "cohere":
        TypeAdapter[Any](ToolCallV2 if kind == "call" else ToolChatMessageV2).validate_python(done.value)
    assert convert(given, source, source=source, kind=kind).value == given
    restored = convert(done.value, source, source=to, kind=kind, restore=done.remainder)
    assert restored.value == given
    return done


def test_a_call_is_spelled_as_openai_spells_it() -> None:
    assert detect(CALL).id == "openai@chat"
    done = crossed(CALL, "openai@chat", "cohere", "call")
    assert done.value == CALL
    assert done.report.lossless
    back = crossed(CALL, "cohere", "openai@chat", "call")
    assert back.value == CALL
    assert back.report.lossless


def test_names_and_ids_of_calls() -> None:
    use = {"type": "tool_use", "id": "toolu_" + "x" * 60, "name": "sea-tide", "input": {}}
    done = crossed(use, "cohere", "anthropic", "call")
    assert done.value["function"] == {"name": "sea_tide", "arguments": "{}"}
    assert done.value["id"] == use["id"]
    assert codes(done) == {"/name": "TB501"}


def test_a_number_for_an_id_is_text() -> None:
    request = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "tide"}}
    done = crossed(request, "cohere", MCP, "call")
    assert (done.value["id"], done.value["function"]["arguments"]) == ("7", "{}")
    assert codes(done)["/id"] == "TB506"


@pytest.mark.parametrize("data", [{"height": 3.5}, '{"height": 3.5}'])
def test_a_document_is_an_object(data: Any) -> None:
    done = crossed(message([document(data, id="1")]), "bedrock", "cohere", "result")
    assert done.value["toolResult"]["content"] == [{"json": {"height": 3.5}}]
    assert codes(done) == {"/content/0/document/id": "TB101"}
    assert detect(message([document(data)])).id == "cohere@v2"


def test_objects_among_others_are_documents() -> None:
    parts: list[Any] = [{"text": "Two of them:"}, {"json": {"height": 3.5}}, {"json": {"height": 4}}]
    result = {"toolResult": {"toolUseId": "tide_1", "content": parts}}
    done = crossed(result, "cohere", "bedrock", "result")
    wanted = [{"type": "text", "text": "Two of them:"}, document({"height": 3.5}), document({"height": 4})]
    assert done.value == message(wanted)
    assert done.report.lossless


@pytest.mark.parametrize("data", ["high", "[1]", '{"a": 1, "a": 2}', ""])
def test_a_document_that_is_no_object_is_text(data: str) -> None:
    done = crossed(message([document(data)]), MCP, "cohere", "result")
    assert done.value["content"] == [{"type": "text", "text": data}]
    assert codes(done)["/content/0"] == "TB705"


def test_data_is_json_text() -> None:
    result = {"content": [], "structuredContent": {"height": 3.5}, "isError": True}
    done = crossed(result, "cohere", MCP, "result")
    assert done.value["content"] == 'Error: {"height":3.5}'
    assert {"/structuredContent": "TB703", "/isError": "TB704"}.items() <= codes(done).items()


def test_pictures_have_no_place() -> None:
    image = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
    done = crossed({"content": [{"type": "text", "text": "Look:"}, image]}, "cohere", MCP, "result")
    assert [part["text"] for part in done.value["content"]] == ["Look:", "[image/png, 8 bytes]"]
    assert codes(done)["/content/1"] == "TB705"


def test_toolbox() -> None:
    box = Toolbox([{"name": "sea-tide", "inputSchema": {"type": "object"}}], to="cohere")
    own = {**CALL, "function": {**CALL["function"], "name": "sea_tide"}}
    answer = {"message": {"role": "assistant", "tool_plan": "I look at the sea.", "tool_calls": [own]}}
    assert box.call(answer) == {"name": "sea-tide", "arguments": {"place": "Husum"}}
    reply = box.reply("high", to=answer)
    assert reply == {"role": "tool", "tool_call_id": CALL["id"], "content": "high"}


@pytest.mark.parametrize("written", ["", " ", "null", "{}", '{"a": 1}'])
def test_the_text_of_a_custom_tool_does_not_become_arguments(written: str) -> None:
    call = {"type": "custom_tool_call", "call_id": "call_1", "name": "run", "input": written}
    value, report, remainder = convert(call, "cohere", source="openai@responses", kind="call")
    assert json.loads(value["function"]["arguments"]) == {"input": written}
    assert report.lossless
    assert convert(value, "openai@responses", source="cohere", kind="call", restore=remainder).value == call
