"""Tools of hyper-mcp plugins: models, codecs and rows."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from ...data.types import JsonObject
from ...mapping import Codec, Table, Wire, WriteContext, identity, local, row, schema_codec, unless_none, written
from ...schema import Dialect, fit_output, is_object_schema, nest, original_place
from ..mcp.tools import DESCRIPTION, NAME, ROOT
from ..mcpx import tools as mcpx

# models

_ROOT_SCHEMA: JsonObject = {**ROOT, "properties": {**ROOT["properties"], "properties": {"type": "object"}}}

ToolSchema = Annotated[dict[str, Any], Meta(extra_json_schema=_ROOT_SCHEMA)]
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

_ROOT = frozenset({"type", "properties", "required"})

DIALECT: Final = Dialect(
    id="hyper-mcp",
    title="Schemas of hyper-mcp: 2020-12 without references, and three keywords at the root",
    references="inline",
    root_keywords=_ROOT,
)


INPUT: Final = replace(schema_codec(DIALECT), passes=None)
"""The schema of the arguments. What its root may not say is found only by looking at it."""


def _write_output(value: JsonObject, w: WriteContext) -> JsonObject:
    if is_object_schema(value):
        return written(value, DIALECT, w)
    w.note("TB508")

    def note(code: str, place: str, target: str | None) -> None:
        w.note(code, original_place(value, place, "/properties/result"), target)

    return fit_output(nest(value), DIALECT, note, w.options)


def extra(document: JsonObject) -> Any:
    """What the interface does not declare, and generated code drops or refuses: a finding for `check`, no reason not to
    read.
    """
    for key in ("inputSchema", "outputSchema"):
        schema = document.get(key, {})
        for inner in schema:
            if inner not in _ROOT:
                yield f"/{key}/{inner}", "the interface declares type, properties and required only"
        if schema.get("required") is True:  # JSON Schema allowed it up to draft 3
            yield f"/{key}/required", "expected a list of property names"


# tables

TOOL_2 = (
    NAME,
    row("/title", "title"),
    DESCRIPTION,
    row("/inputSchema", "input", INPUT, required=True),
    row("/outputSchema", "output", Codec(identity, unless_none(_write_output), reads=())),
    *map(local, ("/annotations/audience", "/annotations/lastModified", "/annotations/priority")),
)

# formats

FRAME = Table(mcpx.ListToolsFrame)
