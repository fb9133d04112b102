"""Whole conversations: a program that speaks one format, and a model of another, for several turns."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from laws.toolbox import spelled
from toolbridge import CallError, Converted, Toolbox, convert, get_format
from toolbridge.data import pointer as at
from toolbridge.data.types import JsonObject
from toolbridge.hub import Kind
from toolbridge.mapping.format import Format
from toolbridge.toolbox.calls import place_of
from vendors.messages import judges

SPEAKERS = [
    get_format(name)
    for name in (
        *("openai@chat", "openai@responses", "openai@realtime", "anthropic", "gemini", "gemini@interactions"),
        *("bedrock", "cohere", "mistral", "ollama", "langchain", "mcp@2025-11-25"),
    )
]
MCP = "mcp@2025-11-25"
SEARCH = {
    "name": "search",
    "description": "Searches.",
    "inputSchema": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "most": {"type": "integer", "enum": [1, 10]}},
        "required": ["query"],
    },
}
NOW = {"name": "now", "description": "Now.", "inputSchema": {"type": "object", "properties": {}}}
TURNS: list[list[tuple[str, JsonObject]]] = [
    [("search", {"query": "a", "most": 10}), ("now", {}), ("search", {"query": "a", "most": 10})],
    [("now", {})],
    [("search", {"query": "ü\u2028"}), ("now", {})],
]
RESULTS = [
    {"content": [{"type": "text", "text": "Three hits."}]},
    {"content": [{"type": "text", "text": "No port."}], "isError": True},
    {"content": [{"type": "text", "text": "See."}, {"type": "image", "data": "aGk=", "mimeType": "image/png"}]},
]


def id_of(form: Format, kind: Kind, document: JsonObject) -> Any:
    place = place_of("id", form.shapes(kind)[0].table)
    return None if place is None else at.get(document, place, None)


def with_id(form: Format, kind: Kind, document: JsonObject, value: Any) -> JsonObject:
    """The document with another id, where its format has one."""
    place = place_of("id", form.shapes(kind)[0].table)
    if place is not None and value is not None:
        at.put(document, place, value)
    return document


def adapted(done: Converted, name: str, arguments: JsonObject) -> JsonObject:
    """Arguments as the written tool takes them."""
    argument_map = done.argument_maps[("search", "now").index(name)]
    return arguments if argument_map is None else argument_map.adapt(arguments)


def refused(form: Format, kind: Kind, document: JsonObject) -> list[str]:
    return [problem for ask in judges(form.id, kind) if (problem := ask(json.loads(json.dumps(document))))]


@pytest.mark.parametrize("program", SPEAKERS, ids=lambda form: form.id)
@pytest.mark.parametrize("model", SPEAKERS, ids=lambda form: form.id)
def test_a_conversation(program: Format, model: Format) -> None:
    own = convert([SEARCH, NOW], program, source=MCP)
    tools = own.value["tools"] if isinstance(own.value, dict) else own.value
    box = Toolbox(tools, to=model, source=program)
    written = convert(tools, model, source=program)
    calls: list[JsonObject] = []
    results: list[JsonObject] = []
    for turn in TURNS:
        meant = [(name, adapted(own, name, arguments)) for name, arguments in turn]
        blocks = [spelled(model, name, adapted(written, name, arguments)) for name, arguments in meant]
        for number, block in enumerate(blocks, len(calls)):
            if id_of(model, "call", block) is not None:  # Gemini and Ollama may leave it out
                with_id(model, "call", block, f"abcdefg{number:02}")
        made = box.calls(blocks)
        assert len(made) == len(turn)
        for (name, arguments), block, call in zip(meant, blocks, made, strict=True):
            assert not isinstance(call, CallError)
            assert (call.name, call.arguments, call.checked, call.block) == (name, arguments, True, block)
            assert not refused(program, "call", call)
            result = convert(RESULTS[len(calls) % len(RESULTS)], program, source=MCP, kind="result").value
            reply = box.reply(with_id(program, "result", result, id_of(program, "call", call)), to=call)
            assert not refused(model, "result", reply)
            assert id_of(model, "result", reply) == id_of(model, "call", block)
            calls.append(dict(call))
            results.append(result)
        ids = [id_of(program, "call", call) for call in calls[-len(turn) :]]
        assert None in ids or len({*ids}) == len(turn)
    # The history of the program for the model: a longer one begins with a shorter one, so that a cache has it.
    histories: list[tuple[Kind, list[JsonObject]]] = [("call", calls), ("result", results)]
    sent: list[list[Any]] = []
    for kind, history in histories:
        whole = convert(copy.deepcopy(history), model, source=program, kind=kind).value
        sent.append([id_of(model, kind, each) for each in whole])
        for count in range(1, len(history) + 1):
            part = convert(copy.deepcopy(history[:count]), model, source=program, kind=kind).value
            assert json.dumps(part) == json.dumps(whole[:count])
    if id_of(program, "call", calls[0]) is not None and sent[0][0] is not None:
        assert sent[0] == sent[1]
