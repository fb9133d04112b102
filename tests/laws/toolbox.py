"""Toolboxes under the laws: calls as a model spells them, and what the source's own call says, spelled by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from toolbridge.format import FORMATS, Format
from toolbridge.hub import JsonObject
from toolbridge.remainder import same

Speller: TypeAlias = Callable[[str, JsonObject], JsonObject]

TARGETS = tuple(form for form in FORMATS if form.call and form.result)
SOURCES = tuple(form for form in TARGETS if not form.reads_only)
FILL: dict[str, JsonObject] = {
    "arcade": {"toolkit": "Sea", "/version": "1.0.0"},
    "arcade-engine": {"toolkit": "Sea"},
}
"""What a family demands and other sources do not say."""

NOW = "2026-11-21T12:00:00Z"
ASKED: JsonObject = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def _chat(name: str, arguments: JsonObject) -> JsonObject:
    return {"id": "call00001", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def _responses(name: str, arguments: JsonObject) -> JsonObject:
    return {"type": "function_call", "call_id": "call_1", "name": name, "arguments": json.dumps(arguments)}


def _mcpx(name: str, arguments: JsonObject) -> JsonObject:
    return {"params": {"name": name, "arguments": arguments}}


def _engine(name: str, arguments: JsonObject) -> JsonObject:
    toolkit, _, tool = name.partition(".")
    return {
        "run_id": "r1",
        "execution_id": "te_1",
        "created_at": NOW,
        "tool": {"name": tool, "toolkit": toolkit, "version": "1.0.0"},
        "inputs": arguments,
        "context": {},
    }


SPELLED: dict[str, Speller] = {
    "mcp": lambda name, arguments: {"name": name, "arguments": arguments},
    "mcp@2026-07-28": lambda name, arguments: {"name": name, "arguments": arguments, "_meta": ASKED},
    "mcpx": _mcpx,
    "hyper-mcp@1": _mcpx,
    "hyper-mcp@2": lambda name, arguments: {
        "request": {"name": name, "arguments": arguments},
        "context": {"id": "1", "_meta": {}},
    },
    "arcade": lambda name, arguments: {"tool_id": name, "call_id": "c1", "input": arguments},
    "arcade-engine": _engine,
    "openai@functions": lambda name, arguments: {"name": name, "arguments": json.dumps(arguments)},
    "openai@responses": _responses,
    "openai@responses-strict": _responses,
    "openai": _chat,
    "anthropic": lambda name, arguments: {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments},
    "gemini": lambda name, arguments: {"functionCall": {"name": name, "args": arguments}},
    "bedrock": lambda name, arguments: {"toolUse": {"toolUseId": "t1", "name": name, "input": arguments}},
    "cohere": _chat,
    "mistral": _chat,
    "ollama": lambda name, arguments: {"function": {"name": name, "arguments": arguments}},
    "langchain": lambda name, arguments: {"type": "tool_call", "id": "c1", "name": name, "args": arguments},
}


def spelled(form: Format, name: str, arguments: JsonObject) -> JsonObject:
    """A call as the model of this vendor makes it, as it comes over the wire."""
    make = SPELLED.get(form.id) or SPELLED[form.family]
    return json.loads(json.dumps(make(name, arguments)))


def listed(tools: list[Any]) -> Iterator[JsonObject]:
    """The tools of a request one by one, those of groups too."""
    for tool in tools:
        if isinstance(tool.get("functionDeclarations"), list):
            yield from tool["functionDeclarations"]
        else:
            yield tool


def called(form: Format, tool: JsonObject) -> str:
    """What a model of this vendor calls a written tool."""
    if form.family == "arcade":
        return tool["id"]
    if form.family == "arcade-engine":
        return f"{tool['toolkit']['name']}.{tool['name']}"
    found: Any = tool
    for token in form.tool.name:
        found = found[token]
    return found


def asks(form: Format, call: JsonObject) -> tuple[Any, JsonObject]:
    """Which tool a call asks for, and with which arguments; of a format as `box.call` gives it."""
    family = form.family
    if family == "arcade":
        return call["tool_id"], call["input"]
    if family == "arcade-engine":
        return (call["tool"]["toolkit"], call["tool"]["name"]), call["inputs"]
    for key in ("params", "request", "functionCall", "toolUse"):
        call = call.get(key, call)
    call = call.get("function", call)
    (given,) = (call[key] for key in ("arguments", "args", "input") if key in call)
    return call["name"], json.loads(given) if isinstance(given, str) else given


def owned(form: Format, tool: JsonObject) -> Any:
    """Which tool a call has to ask for that is meant for this one."""
    if form.family == "arcade":
        return tool["id"]
    if form.family == "arcade-engine":
        return tool["toolkit"]["name"], tool["name"]
    return called(form, tool)


def alike(sent: Any, got: Any) -> str | None:
    """What became of arguments on their way that no conversion of a tool accounts for.

    Properties may have other names and null may stand for what is left out; text may stand for a value that it spells.
    All else has to be there, at its place, and nothing beside it.
    """
    if same(sent, got) or (isinstance(sent, str) and _spells(sent, got)):
        return None
    if isinstance(sent, list) and isinstance(got, list) and len(sent) == len(got):
        return next((found for one, other in zip(sent, got, strict=True) if (found := alike(one, other))), None)
    if isinstance(sent, dict) and isinstance(got, dict):
        for name in sent.keys() & got.keys():
            if found := alike(sent[name], got[name]):
                return found
        gone = {name: sent[name] for name in sent if name not in got}
        come = {name: got[name] for name in got if name not in sent}
        for name, value in come.items():
            twin = next((old for old in gone if alike(gone[old], value) is None), None)
            if twin is None:
                return f"nobody sent {name!r}: {json.dumps(value)[:200]}"
            del gone[twin]
        lost = {name: value for name, value in gone.items() if value is not None}
        return f"lost {json.dumps(lost)[:300]}" if lost else None
    return f"{json.dumps(sent)[:200]} has become {json.dumps(got)[:200]}"


def _spells(text: str, value: Any) -> bool:
    if isinstance(value, str):
        return False
    try:
        return same(json.loads(text), value)
    except ValueError:
        return text == str(value)


def silenced(sent: Any, got: Any) -> Iterator[tuple[Any, ...]]:
    """The places of the nulls that were taken for nothing said, as the receiver would have them."""
    yield from _silenced(sent, got, ())


def _silenced(sent: Any, got: Any, above: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(sent, dict) and isinstance(got, dict):
        for name in sent.keys() & got.keys():
            yield from _silenced(sent[name], got[name], (*above, name))
        renamed = [value for name, value in got.items() if name not in sent].count(None)
        gone = [name for name, value in sent.items() if value is None and name not in got]
        yield from ((*above, name) for name in gone[renamed:])
    elif isinstance(sent, list) and isinstance(got, list):
        for index, (one, other) in enumerate(zip(sent, got, strict=False)):
            yield from _silenced(one, other, (*above, index))
