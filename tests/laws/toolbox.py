"""Toolboxes under the laws: calls as the models of each vendor spell them, and tools whose every property has a label.

Nothing here uses the way that a conversion leaves: how a model would spell arguments is found by reading the written
schema as a model does, and what became of them is compared with what was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote

from hypothesis import strategies as st

from laws.arguments import at, nodes
from toolbridge import FormatError, Toolbox
from toolbridge.data.equality import same
from toolbridge.data.types import Json, JsonObject
from toolbridge.formats.mcp.tools import STATELESS, TABLES
from toolbridge.formats.registry import FORMATS
from toolbridge.mapping.format import Format
from toolbridge.schema.arguments import kind_of

SPEAKERS = tuple(form for form in FORMATS if form.call and form.result)
"""The formats whose models can make calls, and whose tools can be called."""

FILL: dict[str, JsonObject] = {"arcade": {"toolkit": "Sea", "/version": "1.0.0"}, "arcade-engine": {"toolkit": "Sea"}}
"""What a family demands and others do not say."""


def boxed(tools: list[JsonObject], a: Format, b: Format) -> Toolbox:
    """A toolbox of tools that came without a server."""
    fill = FILL.get(b.family) if a.family != b.family else None
    try:
        return Toolbox(tools, to=b, source=a, fill=fill)
    except FormatError:  # they say themselves what would be filled in
        return Toolbox(tools, to=b, source=a)


# calls as they come over the wire

NOW = "2026-11-21T12:00:00Z"
Speller: TypeAlias = Callable[[str, JsonObject], JsonObject]


def _chat(name: str, arguments: JsonObject) -> JsonObject:
    return {"id": "call00001", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def _responses(name: str, arguments: JsonObject) -> JsonObject:
    return {"type": "function_call", "call_id": "call_1", "name": name, "arguments": json.dumps(arguments)}


def _stateless(edition: str) -> Speller:
    """The calls of an edition of MCP in which each states it."""
    meta = {"io.modelcontextprotocol/protocolVersion": edition, "io.modelcontextprotocol/clientCapabilities": {}}
    return lambda name, arguments: {"name": name, "arguments": arguments, "_meta": meta}


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


def _agent(name: str, arguments: JsonObject) -> JsonObject:
    """A call of an agent, which sends the name of the type of each argument, and its value as text."""
    parameters = [
        {
            "name": key,
            "type": "number" if isinstance(value, float) else kind_of(value),
            "value": value if isinstance(value, str) else json.dumps(value),
        }
        for key, value in arguments.items()
    ]
    return {"functionInvocationInput": {"actionGroup": "Sea", "function": name, "parameters": parameters}}


SPELLERS: dict[str, Speller] = {
    "mcp": lambda name, arguments: {"name": name, "arguments": arguments},
    **{f"mcp@{edition}": _stateless(edition) for edition in TABLES if edition >= STATELESS},
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
    "openai@realtime": _responses,
    "openai": _chat,
    **{f"openai@{edition}": _chat for edition in ("chat", "strict")},  # of services that speak its words
    "anthropic": lambda name, arguments: {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments},
    "anthropic@managed-agents": lambda name, arguments: {
        "type": "agent.custom_tool_use",
        "id": "sevt_1",
        "name": name,
        "input": arguments,
    },
    "gemini@interactions": lambda name, arguments: {
        "type": "function_call",
        "id": "1",
        "name": name,
        "arguments": arguments,
    },
    "gemini": lambda name, arguments: {"functionCall": {"name": name, "args": arguments}},
    "bedrock@agents": _agent,
    "bedrock": lambda name, arguments: {"toolUse": {"toolUseId": "t1", "name": name, "input": arguments}},
    "cohere": _chat,
    "mistral@responses": _responses,
    "mistral@conversations": lambda name, arguments: {
        "object": "entry",
        "type": "function.call",
        "tool_call_id": "c1",
        "name": name,
        "arguments": json.dumps(arguments),
    },
    "mistral": _chat,
    "ollama": lambda name, arguments: {"function": {"name": name, "arguments": arguments}},
    "langchain": lambda name, arguments: {"type": "tool_call", "id": "c1", "name": name, "args": arguments},
}


def spelled(form: Format, name: str, arguments: JsonObject) -> JsonObject:
    """A call as a model of this vendor makes it."""
    make = SPELLERS.get(form.id) or SPELLERS.get(form.family) or SPELLERS[f"openai@{form.edition}"]
    return json.loads(json.dumps(make(name, arguments)))


def listed(tools: list[Any]) -> Iterator[JsonObject]:
    """The tools of a request one by one, those of groups too."""
    for tool in tools:
        if isinstance(tool.get("functionDeclarations"), list):
            yield from tool["functionDeclarations"]
        else:
            yield tool


def called(form: Format, tool: JsonObject) -> str:
    """What a model calls a tool that it was given."""
    if form.family == "arcade":
        return tool["id"]
    if form.family == "arcade-engine":
        return f"{tool['toolkit']['name']}.{tool['name']}"
    found: Any = tool
    for token in form.tool.name:
        found = found[token]
    return found


def described(tool: JsonObject) -> str:
    """The description of a tool of any vendor."""
    return next(each["description"] for each in (tool, *tool.values()) if "description" in each)


def asked(form: Format, call: JsonObject) -> tuple[Any, JsonObject]:
    """Which tool a call of this format asks for, and with which arguments."""
    if form.family == "arcade":
        return call["tool_id"], call["input"]
    if form.family == "arcade-engine":
        return (call["tool"]["toolkit"], call["tool"]["name"]), call["inputs"]
    if "functionInvocationInput" in call:
        call = call["functionInvocationInput"]
        found = {
            each["name"]: each["value"] if each["type"] == "string" else json.loads(each["value"])
            for each in call.get("parameters", ())
        }
        return call["function"], found
    for key in ("params", "request", "functionCall", "toolUse", "function"):
        call = call.get(key, call)
    (given,) = (call[key] for key in ("arguments", "args", "input") if key in call)
    return call["name"], json.loads(given) if isinstance(given, str) else given


def owned(form: Format, tool: JsonObject) -> Any:
    """Which tool a call has to ask for to reach this one."""
    if form.family == "arcade":
        return tool["id"]
    if form.family == "arcade-engine":
        return tool["toolkit"]["name"], tool["name"]
    return called(form, tool)


# what became of arguments


def estranged(sent: Json, got: Json) -> str | None:
    """What became of arguments that no conversion of a tool accounts for.

    Properties may have other names, null may stand for what is left out, and text for a value that it spells. All else
    has to be there, at its place, and nothing beside it.
    """
    if same(sent, got) or (isinstance(sent, str) and _spells(sent, got)):
        return None
    if isinstance(sent, list) and isinstance(got, list) and len(sent) == len(got):
        return next((found for one, other in zip(sent, got, strict=True) if (found := estranged(one, other))), None)
    if not (isinstance(sent, dict) and isinstance(got, dict)):
        return f"{json.dumps(sent)[:200]} has become {json.dumps(got)[:200]}"
    for name in sent.keys() & got.keys():
        if found := estranged(sent[name], got[name]):
            return found
    gone = {name: value for name, value in sent.items() if name not in got}
    for name in got.keys() - sent.keys():
        twin = next((old for old in gone if estranged(gone[old], got[name]) is None), None)
        if twin is None:
            return f"nobody sent {name!r}: {json.dumps(got[name])[:200]}"
        del gone[twin]
    lost = {name: value for name, value in gone.items() if value is not None}
    return f"lost {json.dumps(lost)[:300]}" if lost else None


def _spells(text: str, value: Json) -> bool:
    if isinstance(value, str):
        return False
    try:
        return same(json.loads(text), value)
    except ValueError:
        return False


def silenced(sent: Json, got: Json, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of the nulls that were taken for nothing said."""
    if isinstance(sent, dict) and isinstance(got, dict):
        for name in sent.keys() & got.keys():
            yield from silenced(sent[name], got[name], (*above, name))
        renamed = [value for name, value in got.items() if name not in sent].count(None)
        gone = [name for name, value in sent.items() if value is None and name not in got]
        yield from ((*above, name) for name in gone[renamed:])
    elif isinstance(sent, list) and isinstance(got, list):
        for index, (one, other) in enumerate(zip(sent, got, strict=False)):
            yield from silenced(one, other, (*above, index))


def restored(value: Json, place: tuple[Any, ...]) -> Json:
    """A copy with null at a place."""
    whole = json.loads(json.dumps(value))
    holder = whole
    for token in place[:-1]:
        holder = holder[token]
    holder[place[-1]] = None
    return whole


# tools whose every property has a label in its description, and arguments for them

KEYS = (
    *("a", "b", "a b", "a_b", "a-b", "A_B", "a.b", "a__b", "a/b", "ü", "u", "", "日本語", "中文", "_", "~", "1st"),
    *("$ref", "properties", "type", "null", "items", "required", "value", "id"),
    *("x" * 70, "x" * 64 + "yz", "x" * 64 + "zz"),
)
TEXTS = ("", "a", "null", "1", "true", "ü")


class Property(NamedTuple):
    """One property of an object; its label begins its description in every format."""

    key: str
    label: str
    kind: Kind
    required: bool


class Filled(NamedTuple):
    """An object among the arguments: the properties that are there, with their values, and all labels that it has."""

    values: tuple[tuple[Property, Any], ...]
    labels: tuple[str, ...]


class Kind(NamedTuple):
    """What a place takes: its schema, values for it, and what is defined beside the tool for its sake."""

    schema: JsonObject
    values: st.SearchStrategy[Any]
    defs: JsonObject


def _plain(schema: JsonObject, values: st.SearchStrategy[Any]) -> Kind:
    return Kind(schema, values, {})


def _enum(*values: Json) -> Kind:
    return _plain({"enum": [*values]}, st.sampled_from(values))


def _nullable(kind: Kind) -> Kind:
    schema = kind.schema
    alone = isinstance(schema.get("type"), str) and schema["type"] != "null"
    inner = {**schema, "type": [schema["type"], "null"]} if alone else {"anyOf": [schema, {"type": "null"}]}
    return Kind(inner, st.none() | kind.values, kind.defs)


def _listed(kind: Kind) -> Kind:
    return Kind({"type": "array", "items": kind.schema}, st.lists(kind.values, max_size=2), kind.defs)


def _map(kind: Kind) -> Kind:
    keys = st.sampled_from(("k", "a b", "ü"))
    return Kind(
        {"type": "object", "additionalProperties": kind.schema},
        st.dictionaries(keys, kind.values, max_size=2),
        kind.defs,
    )


def _either(one: Kind, other: Kind) -> Kind:
    return Kind({"anyOf": [one.schema, other.schema]}, one.values | other.values, {**one.defs, **other.defs})


SCALARS = st.one_of(
    st.just(_plain({"type": "string"}, st.sampled_from(TEXTS))),
    st.just(_plain({"type": "integer"}, st.sampled_from((0, 1, -5, 10**15)))),
    st.just(_plain({"type": "number"}, st.sampled_from((0.5, 2, 1e9)))),
    st.just(_plain({"type": "boolean"}, st.booleans())),
    st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3, unique=True).map(lambda values: _enum(*values)),
    st.lists(st.sampled_from((1, 2, 2.5, 10**20, -1)), min_size=1, max_size=3, unique=True).map(lambda it: _enum(*it)),
    st.sampled_from((_enum(True), _enum(False, True), _enum("x", None), _enum(1, "1"), _enum("null", None))),
)
LEAVES = SCALARS | SCALARS.map(_nullable)


@st.composite
def objects(draw: st.DrawFn, numbers: Iterator[int], depth: int = 0, *, maps: bool = True, tag: str = "") -> Kind:
    """An object of labelled properties, now and then one that holds itself.

    `maps`: whether there are any within; strict tools have none. `tag` is what tells it from other alternatives.
    """
    keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=4, unique=True))
    inner = LEAVES if depth > 1 else st.one_of(LEAVES, _deeper(numbers, depth, maps=maps))
    properties = [Property(key, f"L{next(numbers)}.", draw(inner), draw(st.booleans())) for key in keys]
    if tag:
        properties.append(Property("kind", f"L{next(numbers)}.", _enum(tag), required=True))
    schema: JsonObject = {
        "type": "object",
        "properties": {one.key: {**one.kind.schema, "description": one.label} for one in properties},
        "required": [one.key for one in properties if one.required],
    }
    if not maps or draw(st.booleans()):
        schema["additionalProperties"] = False
    defs = {name: inner for one in properties for name, inner in one.kind.defs.items()}
    if depth and draw(st.integers(0, 3)) == 0:
        name = draw(st.sampled_from(("Node", "Tree node", "ü"))) + str(next(numbers))
        reference = {"$ref": f"#/$defs/{quote(name)}"}
        key = next(key for key in KEYS if key not in keys)
        again = Property(key, f"L{next(numbers)}.", Kind(reference, st.nothing(), {}), required=False)
        schema["properties"][key] = {**reference, "description": again.label}
        return Kind(reference, _filled(properties, again), {**defs, name: schema})
    return Kind(schema, _filled(properties, None), defs)


@st.composite
def _filled(draw: st.DrawFn, properties: list[Property], again: Property | None) -> Filled:
    """Arguments for an object; one that holds itself does so once."""
    labels = tuple(one.label for one in properties)
    values = tuple((one, draw(one.kind.values)) for one in properties if one.required or draw(st.booleans()))
    if again is not None:
        labels += (again.label,)
        if draw(st.booleans()):
            values += ((again, Filled(draw(_filled(properties, None)).values, labels)),)
    return Filled(values, labels)


def _deeper(numbers: Iterator[int], depth: int, *, maps: bool) -> st.SearchStrategy[Kind]:
    inner = st.deferred(lambda: objects(numbers, depth + 1, maps=maps))
    one = st.deferred(lambda: objects(numbers, depth + 1, maps=maps, tag="one"))
    other = st.deferred(lambda: objects(numbers, depth + 1, maps=maps, tag="other"))
    kinds = [
        *(inner, inner.map(_nullable), inner.map(_listed), LEAVES.map(_listed), LEAVES.map(_listed).map(_listed)),
        inner.flatmap(lambda kind: SCALARS.map(partial(_either, kind))),
        st.builds(_either, one, other),
        st.builds(_either, one, other).map(_listed),
    ]
    return st.one_of(*kinds, *((LEAVES.map(_map), inner.map(_map)) if maps else ()))


def labels(schema: Json) -> dict[str, tuple[str, bool, JsonObject]]:
    """What a schema calls a property of each label, whether it has to be there, and what it takes."""
    found: dict[str, tuple[str, bool, JsonObject]] = {}
    for node in nodes(schema):
        properties = node.get("properties")
        for name, inner in properties.items() if isinstance(properties, dict) else ():
            if not isinstance(inner, dict):
                continue  # a property that is called as a keyword
            parts = [inner, *(part for word in ("anyOf", "allOf") for part in inner.get(word, ()))]
            texts = [part.get("description") for part in parts if isinstance(part, dict)]
            label = next((told[0] for text in texts if (told := re.match(r"L\d+\.", text or ""))), None)
            if label is not None:
                found.setdefault(label, (name, name in (node.get("required") or ()), inner))
    return found


class UnsaidError(Exception):
    """A schema does not say a property that a model would need."""


def obeying(meant: Any, schema: Json) -> Json:
    """The arguments that were meant, as a model says them that was given this schema and reads the descriptions."""
    return _obeying(meant, labels(schema), {}, schema)


def _obeying(meant: Any, known: dict[str, tuple[str, bool, JsonObject]], node: JsonObject, root: Json) -> Json:
    if isinstance(meant, Filled):
        if not known.keys() >= set(meant.labels):
            raise UnsaidError
        said = {one.label: value for one, value in meant.values}
        return {
            name: _obeying(said[label], known, inner, root) if label in said else None
            for label in meant.labels
            for name, required, inner in [known[label]]
            if label in said or required
        }
    if isinstance(meant, dict):
        said = {name: _obeying(value, known, node, root) for name, value in meant.items()}
        return json.dumps(said) if node.get("type") == "string" else said  # the description asks for JSON
    if isinstance(meant, list):
        return [_obeying(value, known, node, root) for value in meant]
    if not isinstance(meant, str) and not _may_be(kind_of(meant), node):
        choices = [*_choices(node, root, 0)]
        text = json.dumps(meant)
        if text in choices and not any(same(meant, value) for value in choices):
            return text
    return meant


def _may_be(kind: str, node: JsonObject) -> bool:
    """Whether a place takes any value of this kind, and so no text for one."""
    free = [inner for inner in nodes(node) if "enum" not in inner or kind == "null"]
    return any(kind in str(inner.get("type")) or (kind == "null" and inner.get("nullable") is True) for inner in free)


def _choices(node: Any, root: Json, depth: int) -> Iterator[Json]:
    """The values that a place offers, wherever it says so."""
    if not isinstance(node, dict) or depth > 6:
        return
    yield from node.get("enum", ())
    yield from (node[word] for word in ("const",) if word in node)
    parts = [part for word in ("anyOf", "oneOf", "allOf") for part in node.get(word, ())]
    parts += [node.get("items"), node.get("additionalProperties"), at(root, node["$ref"]) if "$ref" in node else None]
    for part in parts:
        yield from _choices(part, root, depth + 1)


def unasked(got: Json, meant: Json) -> Json:
    """Arguments without the nulls that stand where nothing was meant."""
    if isinstance(got, dict) and isinstance(meant, dict):
        return {name: unasked(got[name], meant.get(name)) for name in got if name in meant or got[name] is not None}
    if isinstance(got, list) and isinstance(meant, list) and len(got) == len(meant):
        return [unasked(one, other) for one, other in zip(got, meant, strict=True)]
    return got
