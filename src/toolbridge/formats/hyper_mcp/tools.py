"""Tools of hyper-mcp plugins: models, codecs and rows."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from msgspec import UNSET, Meta, UnsetType

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...mapping.codecs import identity
from ...mapping.record import Codec, Notes, Unrepresentable, WriteContext, local, row
from ...mapping.table import Table
from ...mapping.wire import Wire
from ...schema import inline, is_annotation
from ..mcp.tools import DESCRIPTION, NAME
from ..mcpx import tools as mcpx

# models

ToolSchema = Annotated[
    dict[str, Any],
    Meta(
        extra_json_schema={
            "required": ["type"],
            "properties": {
                "type": {"const": "object"},
                "properties": {"type": "object"},
                "required": {"type": "array", "items": {"type": "string"}},
            },
        }
    ),
]
"""JSON Schema of an object: type, properties and required are all that the format declares."""


class Annotations(Wire, kw_only=True, rename="camel"):
    """For whom a tool's content is, and how much it matters: `priority` from 0 to 1, `last_modified` ISO 8601."""

    audience: list[Literal["user", "assistant"]] | UnsetType = UNSET
    last_modified: str | UnsetType = UNSET
    priority: float | UnsetType = UNSET


class Tool(Wire, kw_only=True, rename="camel"):
    """Tool of interface version 2."""

    name: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    input_schema: ToolSchema
    output_schema: ToolSchema | UnsetType = UNSET
    annotations: Annotations | UnsetType = UNSET


# values

_ROOT = ("type", "properties", "required")

# What is looked at before it is dropped: parameters may be named in there.
_READ = (
    *_ROOT,
    "allOf",
    "anyOf",
    "oneOf",
    "$ref",
    "$defs",
    "definitions",
    "$dynamicRef",
    "$recursiveRef",
    "$anchor",
    "$id",
)


def _write_schema(value: JsonObject, w: WriteContext) -> JsonObject:
    """The three keywords that the root may have; parameters that only an alternative names are listed as well."""
    pending: Notes = []

    def hold(code: str, place: str, target: str | None) -> None:
        pending.append((code, place, target))

    kept = {key: inner for key, inner in value.items() if key in _READ or key == "$schema"}  # which tells the draft
    for key, inner in value.items():
        if key not in _READ:
            w.note(_code(key, inner), f"/{key}", None)
    written = {key: inner for key, inner in inline(kept, hold, limits=w.options.limits).items() if key != "$schema"}
    schema = _flat(written)
    if schema is not written and {**schema, "allOf": written["allOf"]} == written:
        w.note("TB103", "/allOf" if "allOf" in value else "", None)
    kind = schema.get("type")
    if isinstance(kind, list) and "object" in kind:
        w.note("TB303", "/type", "/type")
    elif kind not in (None, "object"):
        raise Unrepresentable(f'the root must have type "object", found {kind!r}', "/type")
    elif kind is None:
        w.note("TB401", "", "/type")
    properties = schema.get("properties")
    if properties is not None and not isinstance(properties, dict):
        raise Unrepresentable("expected an object of schemas", "/properties")
    listed: JsonObject = dict(cast("JsonObject", properties or {}))
    required = schema.get("required")
    if required is not None and not (
        isinstance(required, list) and all(isinstance(key, str) for key in cast("list[Json]", required))
    ):
        raise Unrepresentable("expected a list of property names", "/required")
    for key in ("allOf", "anyOf", "oneOf"):
        branches = schema.get(key)
        if isinstance(branches, list):
            _list(cast("list[Json]", branches), listed, exact=key == "allOf")
    out: JsonObject = {"type": "object"}
    for key, inner in schema.items():
        if key not in _ROOT:
            former = "oneOf" if key == "anyOf" and key not in value else key
            w.note(_code(key, inner), f"/{former}" if former in value else "", None)
            for defs in ("$defs", "definitions"):
                if defs in value:
                    w.note("TB103", f"/{defs}", None)
        elif key != "type" and inner is not None:
            out[key] = inner
        elif inner is None:
            w.note("TB001", f"/{key}", None)
    if listed:
        out["properties"] = listed
    for code, place, target in pending:
        w.note(code, place, target if target is None or at.get(out, target) is not at.MISSING else None)
    return out


def _flat(schema: JsonObject) -> JsonObject:
    """The schema with its only `allOf` branch, as a root reference leaves one, laid into the root if that is exact."""
    branches = schema.get("allOf")
    if not is_list(branches) or len(branches) != 1 or not is_object(branches[0]):
        return schema
    rest = {key: inner for key, inner in schema.items() if key != "allOf"}
    if any(key in rest and rest[key] != inner for key, inner in branches[0].items()):
        return schema
    if {"additionalProperties", "unevaluatedProperties"} & {*branches[0], *rest}:
        return schema
    return {**rest, **branches[0]}


def _list(branches: list[Json], listed: JsonObject, *, exact: bool) -> None:
    """Add the properties of the branches that the root does not list: as they are where all of them must hold."""
    for branch in branches:
        inner = branch.get("properties") if is_object(branch) else None
        if is_object(inner):
            for name, schema in inner.items():
                if name not in listed:
                    told = is_object(schema) and isinstance(schema.get("description"), str)
                    listed[name] = schema if exact else ({"description": schema["description"]} if told else {})


def _code(key: str, value: Json) -> str:
    """What it means for a root to lose this keyword."""
    if key == "additionalProperties":
        return "TB204" if value is False else "TB103" if value in (True, {}) else "TB201"
    return "TB103" if key == "$schema" or is_annotation(key) else "TB201"


def _write_output(value: Json, w: WriteContext) -> Json:
    if value is None or value.get("type") != "object":
        w.note("TB101", "", None)
        return UNSET
    return _write_schema(value, w)


def check(document: JsonObject) -> tuple[str, str] | None:
    for key in ("inputSchema", "outputSchema"):
        schema = document.get(key)
        if schema is not None and schema.get("type") != "object":
            return f"/{key}/type", f'expected "object", found {schema.get("type", "nothing")!r}'
    return None


def extra(document: JsonObject) -> Any:
    """What the interface does not declare and generated code drops: a finding for `check`, no reason not to read."""
    for key in ("inputSchema", "outputSchema"):
        for inner in document.get(key, ()):
            if inner not in _ROOT:
                yield f"/{key}/{inner}", "the interface declares type, properties and required only"


# tables

TOOL_1 = mcpx.TOOL

TOOL_2 = (
    NAME,
    row("/title", "title"),
    DESCRIPTION,
    row("/inputSchema", "input", Codec(identity, _write_schema, reads=()), required=True),
    row("/outputSchema", "output", Codec(identity, _write_output, reads=())),
    local("/annotations/audience"),
    local("/annotations/lastModified"),
    local("/annotations/priority"),
)

# formats

FRAME = Table(mcpx.ListToolsFrame)
