"""Tools of XTP interfaces: exports read as tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import UNSET, UnsetType

from ...data import pointer as at
from ...data.equality import same
from ...data.types import Json, JsonObject, is_list, is_object, kind, quoted
from ...errors import DocumentError
from ...limits import Limits
from ...mapping import Codec, Note, Record, Table, Wire, identity, local, row, write_nothing

# models


class Export(Wire, kw_only=True):
    """One export with its input and output as JSON Schema."""

    name: str
    description: str | UnsetType = UNSET
    input: dict[str, Any]
    output: dict[str, Any] | UnsetType | None = UNSET
    codeSamples: list[Any] | UnsetType = UNSET  # noqa: N815 - as it is spelled in the document


# values

_INTEGERS = {
    f"{sign}int{bits}": (-(1 << bits - 1) if sign == "" else 0, (1 << bits - (sign == "")) - 1)
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
}

# Keys of an item that are not the document's: none that an export may have, so that none of its own is hidden.
_WRAPPED = "toolbridge.wrapped"

_TEXTS = {"text/plain; charset=utf-8": "string", "application/x-binary": "buffer"}
"""The content types that are not JSON, with the type that a parameter of each has; one without it is read as well
(dylibso/xtp-bindgen schema.json at 0ee265c requires it in a ValueParameter; checked 2026-11-23).
"""

_FORMATS = {
    "string": ("date-time", "byte"),
    "number": ("float", "double"),
    "integer": tuple(_INTEGERS),
    **dict.fromkeys(("boolean", "object", "array", "buffer"), ()),
}
"""The types, with the formats of each (schema.json and src/parser.ts of the same commit)."""

_COMPONENTS = "/components/schemas"

_IDENTIFIER = re.compile(r"[a-zA-Z_$][a-zA-Z0-9_$]*")

_NOTHING: JsonObject = {"type": "object"}
"""The arguments of an export without input: it is called with none."""


def interface(document: JsonObject) -> str:
    """Which interface a document describes: the edition of this room."""
    exports = document.get("exports")
    if document.get("version") == "v0":
        return "v0"
    names = exports.keys() if is_object(exports) else set[str]()
    if {"list_tools", "call_tool"} <= names:
        return "hyper-mcp-2"
    if {"describe", "call"} <= names:
        ref = str(at.get(document, "/exports/describe/output/$ref", ""))
        if ref.endswith("/ToolDescription"):
            return "mcpx-servlet"
        if ref.endswith("/ListToolsResult"):
            return "mcpx-plugin"
    return "v1-draft"


def exports(document: JsonObject, _: Limits) -> Iterator[tuple[str, JsonObject | DocumentError]]:
    version, exports = document.get("version"), document.get("exports")
    if version == "v0" and is_list(exports):
        for index, name in enumerate(exports):
            if not isinstance(name, str):
                raise DocumentError("expected the name of an export", f"/exports/{index}")
            yield f"/exports/{index}", {"name": name, "input": _NOTHING}
        return
    if version != "v1-draft" or not is_object(exports):
        key = "exports" if version in ("v0", "v1-draft") else "version"
        found = f"found {kind(document[key])}" if key in document else "but it is missing"
        raise DocumentError(f"expected version v1-draft with exports, or v0 with a list of names, {found}", f"/{key}")
    schemas = at.get(document, _COMPONENTS, {})
    for name, export in exports.items():
        place = at.join("exports", name)
        try:
            yield place, _item(name, export, schemas, place)
        except DocumentError as error:
            # One export that cannot be read does not stop the others.
            yield place, error


def _item(name: str, export: Json, schemas: Any, place: str) -> JsonObject:
    """An export with its schemas as JSON Schema."""
    if not is_object(export):
        raise DocumentError("expected an export with description, input and output", place)
    item: JsonObject = {"name": name, **{key: export[key] for key in export if key not in ("name", "input", "output")}}
    if "name" in export:
        raise DocumentError("the name of an export is its key", f"{place}/name")
    item["input"] = _NOTHING
    if "input" in export:
        item["input"] = _parameter(export["input"], schemas, f"{place}/input")
        if item["input"].get("type") != "object":
            item["input"] = {"type": "object", "properties": {"input": item["input"]}, "required": ["input"]}
            item[_WRAPPED] = True
    item["output"] = _parameter(export["output"], schemas, f"{place}/output") if "output" in export else None
    return item


def _parameter(value: Json, schemas: Any, place: str) -> JsonObject:
    """The JSON Schema of an input or output."""
    if not is_object(value):
        raise DocumentError("expected an input or output with a contentType", place)
    kind = value.get("contentType")
    rest = {key: inner for key, inner in value.items() if key not in ("contentType", "type", "$ref")}
    if isinstance(kind, str) and kind in _TEXTS:
        if "$ref" in value:
            raise DocumentError(f"{kind} is no JSON and has no $ref", f"{place}/$ref")
        if value.get("type", _TEXTS[kind]) not in ("string", "buffer"):
            raise DocumentError(f"{kind} has the type {_TEXTS[kind]}, found {quoted(value['type'])}", f"{place}/type")
        node: JsonObject = {"type": "string", **rest}
    elif kind == "application/json":
        node = {key: inner for key, inner in value.items() if key != "contentType"}
    else:
        raise DocumentError(
            "expected application/json, text/plain; charset=utf-8 or application/x-binary", f"{place}/contentType"
        )
    schema = _Schemas(schemas).schema(node, place, ())
    if kind == "application/x-binary":
        schema["contentEncoding"] = "base64"
    return schema


class _Schemas:
    """The schemas of a document, written out where they are referred to, within bounds."""

    def __init__(self, schemas: Json) -> None:
        self._named: JsonObject = schemas if is_object(schemas) else {}
        self._left = 10_000

    def schema(self, body: Json, place: str, trail: tuple[str, ...]) -> JsonObject:
        """A typed node as JSON Schema, its reference written out."""
        self._left -= 1
        if self._left < 0:
            raise DocumentError("the schema grows past 10,000 nodes when its references are written out", place)
        if not is_object(body):
            raise DocumentError("expected a schema", place)
        out = self._referred(body, place, trail)
        out |= _type(body, place, out)
        if not isinstance(body.get("nullable", False), bool):
            raise DocumentError("expected true or false", f"{place}/nullable")
        if not is_object(body.get("properties", {})):
            raise DocumentError("expected an object of schemas", f"{place}/properties")
        is_integer = body.get("type", "integer") == "integer"
        for key, inner in body.items():
            if key == "properties":
                out["properties"] = {
                    name: self.schema(sub, f"{place}/properties/{at.escape(name)}", trail)
                    for name, sub in inner.items()
                }
            elif key in ("items", "additionalProperties") and is_object(inner):
                out[key] = self.schema(inner, f"{place}/{key}", trail)
            elif key == "format" and is_integer and isinstance(inner, str) and inner in _INTEGERS:
                out["minimum"], out["maximum"] = _INTEGERS[inner]
            elif key == "format" and inner == "byte":
                out["contentEncoding"] = "base64"
            elif key not in ("$ref", "type", "nullable"):
                out[key] = inner
        if body.get("nullable") is True and isinstance(out.get("type"), str):
            out["type"] = [out["type"], "null"]
            if isinstance(out.get("enum"), list):
                out["enum"] = [*out["enum"], None]
        return out

    def _referred(self, body: JsonObject, place: str, trail: tuple[str, ...]) -> JsonObject:
        """What the reference of a node leads to; nothing where it has none."""
        ref = body.get("$ref")
        if ref is None:
            return {}
        name = str(ref).removeprefix("#/components/schemas/")
        if ref != f"#/components/schemas/{name}" or name not in self._named:
            raise DocumentError(f"there is no schema {ref!r}", f"{place}/$ref")
        if name in trail or len(trail) > 60:
            raise DocumentError(f"the schemas refer to each other in a circle: {' -> '.join((*trail, name))}", place)
        for key in ("type", "properties", "items", "enum"):
            if key in body:
                raise DocumentError(f"a $ref says the type, so there is no {key} beside it", f"{place}/{key}")
        return self.schema(self._named[name], f"/components/schemas/{name}", (*trail, name))


def _type(body: JsonObject, place: str, referred: JsonObject) -> JsonObject:
    """The type that a node states, or that its keywords imply."""
    kind = body.get("type")
    if kind is not None and not (isinstance(kind, str) and kind in _FORMATS):
        raise DocumentError(f"expected one of {', '.join(_FORMATS)}, found {quoted(kind)}", f"{place}/type")
    if not isinstance(body.get("enum", []), list):
        raise DocumentError("expected a list of texts", f"{place}/enum")
    if kind == "buffer":
        return {"type": "string", "contentEncoding": "base64"}
    if kind is not None:
        return {"type": kind}
    if "properties" in body or "additionalProperties" in body:
        return {"type": "object"}
    return {"type": "string"} if "enum" in body and "type" not in referred else {}


def problems(document: JsonObject) -> Iterator[tuple[str, str]]:
    """What the official schema and parser refuse, beyond what cannot be read."""
    if document.get("version") == "v0":
        yield from _name_problems((f"/exports/{index}", name) for index, name in enumerate(document["exports"]))
        return
    for place in ("/exports", "/imports"):
        for pointer, function in _members(document, place):
            if is_object(function) and not _are_samples(function.get("codeSamples", [])):
                yield f"{pointer}/codeSamples", "expected a list of objects with lang and source"
            for key in ("input", "output"):
                if is_object(function) and is_object(node := function.get(key)):
                    if node.get("contentType") in [*_TEXTS] and "type" not in node:
                        yield f"{pointer}/{key}/type", "required, but missing"
                    yield from _schema_problems(node, f"{pointer}/{key}")
        yield from _name_problems(_keys(document, place))
    for pointer, node in _members(document, _COMPONENTS):
        yield from _schema_problems(node, pointer)
    yield from _name_problems(_keys(document, _COMPONENTS))


def _members(document: JsonObject, place: str) -> Iterator[tuple[str, Json]]:
    """The members of the object at a place, if there is one, each with its own place."""
    values = at.get(document, place, None)
    for name, value in values.items() if is_object(values) else ():
        yield f"{place}/{at.escape(name)}", value


def _keys(document: JsonObject, place: str) -> Iterator[tuple[str, Json]]:
    return ((pointer, at.split(pointer)[-1]) for pointer, _ in _members(document, place))


def _name_problems(names: Iterable[tuple[str, Json]]) -> Iterator[tuple[str, str]]:
    for place, name in names:
        if isinstance(name, str) and not _IDENTIFIER.fullmatch(name):
            yield place, f"a name matches ^{_IDENTIFIER.pattern}$"


def _schema_problems(node: Json, place: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a schema, and with those in it."""
    if not is_object(node):
        yield place, "expected a schema"
        return
    yield from _keyword_problems(node, place)
    for pointer, inner in _members(node, "/properties"):
        yield from _schema_problems(inner, place + pointer)
    yield from _name_problems((place + pointer, name) for pointer, name in _keys(node, "/properties"))
    for key in ("items", "additionalProperties"):
        if is_object(node.get(key)):
            yield from _schema_problems(node[key], f"{place}/{key}")


def _keyword_problems(node: JsonObject, place: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a schema itself."""
    kind = node.get("type")
    if kind is not None and (not isinstance(kind, str) or kind not in _FORMATS):
        yield f"{place}/type", f"expected one of {', '.join(_FORMATS)}, found {quoted(kind)}"
    elif "format" in node and node["format"] not in (known := _FORMATS[kind or "object"]):
        expected = f"one of {', '.join(known)}" if known else "no format"
        beside = "" if kind is None else f" for {kind}"
        yield f"{place}/format", f"expected {expected}{beside}, found {quoted(node['format'])}"
    if "enum" in node and not _are_strings(node["enum"]):
        yield f"{place}/enum", "expected a list of texts"
    elif "enum" in node:
        yield from _name_problems((f"{place}/enum/{index}", name) for index, name in enumerate(node["enum"]))
    properties, required = node.get("properties"), node.get("required", [])
    if properties is not None and "additionalProperties" in node:
        yield f"{place}/additionalProperties", "a schema has properties or additionalProperties, found both"
    for key in ("oneOf", "anyOf", "allOf", "not"):
        if key in node:
            yield f"{place}/{key}", "XTP has no such keyword"
    if not _are_strings(required):
        yield f"{place}/required", "expected a list of names"
    elif is_object(properties):
        for index, name in enumerate(required):
            if name not in properties:
                yield f"{place}/required/{index}", f"required names {name}, which properties lacks"


def _are_samples(value: Json) -> bool:
    return is_list(value) and all(is_object(each) and {"lang", "source"} <= each.keys() for each in value)


def _are_strings(value: Json) -> bool:
    return is_list(value) and all(isinstance(each, str) for each in value)


def leftovers(document: JsonObject) -> Iterator[Note]:
    """What stands in the document and in none of its exports."""
    for key, value in document.items():
        if key == "imports":
            names = value.keys() if is_object(value) else range(len(value)) if is_list(value) else ()
            yield from (Note("TB101", at.join("imports", str(name))) for name in names)
            if not names:
                yield Note("TB101", "/imports")
        elif key not in ("version", "exports", "components"):
            yield Note("TB102", at.join(key))
    for place, _ in _members(document, "/components"):
        if place != _COMPONENTS:
            yield Note("TB102", place)
    schemas = at.get(document, _COMPONENTS, None)
    if is_object(schemas):
        yield from (Note("TB103", place) for place in _unwritten(document.get("exports"), schemas))


def _unwritten(exports: Json, schemas: JsonObject) -> Iterator[str]:
    """The places of the schemas that no export uses, and of members that a reference has as well."""
    used: set[str] = set()
    hidden: dict[str, None] = {}
    queue: list[Json] = [exports]
    while queue:
        node = queue.pop()
        if is_list(node):
            queue += node
        elif is_object(node):
            name = _referred_name(node, schemas)
            if name is not None:
                hidden |= dict.fromkeys(_hidden(node, schemas))
            if name is not None and name not in used:
                used.add(name)
                queue.append(schemas[name])
            queue += node.values()
    yield from (f"{_COMPONENTS}/{at.escape(name)}" for name in schemas if name not in used)
    yield from hidden


def _hidden(node: JsonObject, schemas: JsonObject) -> Iterator[str]:
    """The places of other values in the schemas that a node refers to, instead of which its own are written."""
    keys = node.keys() - {"$ref", "contentType", "nullable"}
    seen: set[str] = set()
    referring = node
    while keys and (name := _referred_name(referring, schemas)) is not None and name not in seen:
        seen.add(name)
        schema = schemas[name]
        if not is_object(schema):
            return
        found = [key for key in schema if key in keys]
        yield from (
            f"{_COMPONENTS}/{at.escape(name)}/{at.escape(key)}" for key in found if not same(schema[key], node[key])
        )
        keys -= {*found}
        referring = schema


def _referred_name(node: JsonObject, schemas: JsonObject) -> str | None:
    """The name of the schema to which a node refers."""
    name = str(node.get("$ref", "")).removeprefix(f"#{_COMPONENTS}/")
    return name if name in schemas else None


def _whole(_: str, raw: Any, __: Record) -> str:
    """References were written out, so a place in the schema is no place in the document."""
    return at.OUTSIDE if raw is _NOTHING else ""


def _settle(record: Record) -> None:
    """Text and bytes became a property that nobody named; that there is no output stands nowhere."""
    if record.fields.get("output", UNSET) is None:
        record.places["output"] = ""
    if record.local.get(record.family, {}).pop("/" + _WRAPPED, None):
        record.notes.append(Note("TB401", "/input"))


# tables

TOOL = (
    row("/name", "name"),
    row("/description", "description"),
    row("/input", "input", Codec(identity, write_nothing, _whole)),
    row("/output", "output", Codec(identity, write_nothing, _whole), nullable=True),
    local("/codeSamples"),
)

# formats

TABLE = Table(Export, *TOOL, after_read=_settle, subject="absence of output")
