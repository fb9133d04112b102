"""Model Context Protocol: tools as a server lists them. https://modelcontextprotocol.io/specification

Editions 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28; `schema.ts` of each is normative
(modelcontextprotocol/modelcontextprotocol at b0f60ba, checked 2026-11-21). Worth knowing:
- Tool and its schemas are open objects in every edition: unknown keys are allowed, and SDKs drop them.
- Hints default asymmetrically (destructive and openWorld true, readOnly and idempotent false): absent is not false.
- `execution` exists in 2025-11-25 only; the root of `outputSchema` had to be an object up to there.
- Up to 2025-11-25 no property of a root schema may be a boolean schema.
- From 2026-07-28 on a list result must say resultType, ttlMs and cacheScope.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, cast

from msgspec import UNSET, Meta, UnsetType, field

from .. import pointer as at
from ..format import Format
from ..hub import Json, JsonObject
from ..schema import nest, old_forms, under, unnest
from ..reading import Reading, Writing
from ..row import Unrepresentable, Via, fallback, local, row
from ..table import Table
from ..wire import Wire
from .arcade_engine import read_authorization, read_secrets

# models

_ROOT: JsonObject = {
    "required": ["type"],
    "properties": {
        "type": {"const": "object"},
        "properties": {"type": "object", "additionalProperties": {"type": "object"}},
        "required": {"type": "array", "items": {"type": "string"}},
    },
}
_LOOSE_ROOT: JsonObject = {"required": ["type"], "properties": {"type": {"const": "object"}}}

ObjectSchema = Annotated[dict[str, Any], Meta(extra_json_schema=_ROOT)]
"""JSON Schema of an object whose properties are object schemas: up to 2025-11-25."""

InputSchema = Annotated[dict[str, Any], Meta(extra_json_schema=_LOOSE_ROOT)]
"""JSON Schema of the arguments since 2026-07-28: any keyword, with `type: object` at the root."""


class ToolAnnotations(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Hints about what a tool does, all of them claims of its author."""

    title: str | UnsetType = UNSET
    read_only_hint: bool | UnsetType = UNSET
    destructive_hint: bool | UnsetType = UNSET
    idempotent_hint: bool | UnsetType = UNSET
    open_world_hint: bool | UnsetType = UNSET


class Icon(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """A picture for a tool: `src` is an https or data URI, `sizes` such as `48x48` or `any`."""

    src: str
    mime_type: str | UnsetType = UNSET
    sizes: list[str] | UnsetType = UNSET
    theme: Literal["light", "dark"] | UnsetType = UNSET


class ToolExecution(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Whether a call may run as a task (2025-11-25 only); absent means forbidden."""

    task_support: Literal["forbidden", "optional", "required"] | UnsetType = UNSET


class Tool20241105(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Tool of edition 2024-11-05."""

    name: str
    description: str | UnsetType = UNSET
    input_schema: ObjectSchema


class Tool20250326(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Tool of edition 2025-03-26: adds annotations."""

    name: str
    description: str | UnsetType = UNSET
    input_schema: ObjectSchema
    annotations: ToolAnnotations | UnsetType = UNSET


class Tool20250618(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Tool of edition 2025-06-18: adds title, outputSchema and _meta."""

    name: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    input_schema: ObjectSchema
    output_schema: ObjectSchema | UnsetType = UNSET
    annotations: ToolAnnotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class Tool20251125(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Tool of edition 2025-11-25: adds icons and execution; JSON Schema means 2020-12 unless `$schema` says otherwise."""

    name: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    input_schema: ObjectSchema
    output_schema: ObjectSchema | UnsetType = UNSET
    annotations: ToolAnnotations | UnsetType = UNSET
    icons: list[Icon] | UnsetType = UNSET
    execution: ToolExecution | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class Tool(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Tool of edition 2026-07-28: drops execution, opens inputSchema and outputSchema to every keyword."""

    name: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    input_schema: InputSchema
    output_schema: dict[str, Any] | UnsetType = UNSET
    annotations: ToolAnnotations | UnsetType = UNSET
    icons: list[Icon] | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class ListToolsFrame(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """What stands around the tools in a ListToolsResult up to 2025-11-25."""

    next_cursor: str | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class ListToolsFrame20260728(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """What stands around the tools in a ListToolsResult since 2026-07-28. `ttl_ms` is in milliseconds."""

    result_type: str
    ttl_ms: Annotated[int, Meta(ge=0)]
    cache_scope: Literal["public", "private"]
    next_cursor: str | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


# values

WRAPPED = "/_meta/dev.toolbridge~1wrapped"
"""The marker beside an output schema that was wrapped as `{"result": ...}`; true where it was."""

REMAINDER = "/_meta/dev.toolbridge~1remainder"

# FastMCP's own marker inside the schema (PrefectHQ/fastmcp, checked 2026-11-21).
_FASTMCP = "x-fastmcp-wrap-result"

_DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def _never(_: Any, __: Writing) -> Any:
    """A fallback speaks only while reading."""
    return UNSET


def _plain(value: JsonObject, _: Reading) -> JsonObject:
    return value


def _root(value: JsonObject, w: Writing) -> JsonObject:
    """The schema with `type: object` at its root. Arguments are always an object, so this refuses none of them."""
    kind = value.get("type")
    if kind == "object":
        schema = value
    elif kind is None:
        w.note("TB401", "", "/type")
        schema = {"type": "object", **{key: inner for key, inner in value.items() if key != "type"}}
    elif isinstance(kind, list) and "object" in kind:
        w.note("TB303", "/type", "/type")
        schema = {**value, "type": "object"}
    else:
        schema = {"type": "object", "allOf": [under(value, "/allOf/0")]}
        if "$schema" in value:
            schema["$schema"] = schema["allOf"][0].pop("$schema")
        w.note("TB401", "", "/type")
    for key in ("properties", "required"):
        if schema.get(key, UNSET) is None:
            schema = {name: inner for name, inner in schema.items() if name != key}
            w.note("TB001", f"/{key}", None)
    return schema


def _checked(schema: JsonObject, *, booleans: bool) -> JsonObject:
    """The schema as the editions up to 2025-11-25 take it, their boolean properties spelled as objects."""
    if (found := _flaw(schema, booleans=True)) is not None:
        raise Unrepresentable(found[1], found[0])
    if booleans or not any(isinstance(inner, bool) for inner in schema.get("properties", {}).values()):
        return schema
    return {**schema, "properties": {key: _spelled(inner) for key, inner in schema["properties"].items()}}


def _spelled(schema: Json) -> Json:
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return schema


def _dialect(schema: JsonObject, w: Writing) -> JsonObject:
    """The schema with an explicit draft where it would mean something else under 2020-12 (SEP-1613)."""
    if "$schema" in schema or not old_forms(schema):
        return schema
    w.note("TB401", "", "/$schema")
    return {"$schema": _DRAFT_7, **schema}


def _write_input(value: JsonObject, w: Writing) -> JsonObject:
    return _checked(_root(value, w), booleans=False)


def _write_input_2025_11_25(value: JsonObject, w: Writing) -> JsonObject:
    return _dialect(_checked(_root(value, w), booleans=False), w)


def _write_input_2026_07_28(value: JsonObject, w: Writing) -> JsonObject:
    return _dialect(_root(value, w), w)


def _read_wrapped(value: JsonObject, reading: Reading) -> JsonObject:
    if value.get(_FASTMCP) is True and (inner := unnest(value, markers=(_FASTMCP,))) is not None:
        return inner
    if reading.local.get(reading.family, {}).get(WRAPPED) is True and (inner := unnest(value)) is not None:
        reading.markers[WRAPPED] = "output"
        return inner
    return value


def _place_wrapped(sub: str, raw: Any, _: Reading) -> str:
    inside = "/properties/result" + sub
    return inside if at.get(raw, inside) is not at.MISSING and at.get(raw, sub) is at.MISSING else sub


def _said(value: Json, w: Writing) -> bool:
    """Whether there is an output to describe; that a tool returns nothing has no word in MCP."""
    if value is None:
        w.note("TB101", "", None)
    return value is not None


def _write_wrapped(value: Json, w: Writing) -> Json:
    if not _said(value, w):
        return UNSET
    if value.get("type") != "object":
        w.put(WRAPPED, value=True)
        return nest(value)
    for key in ("properties", "required"):
        if value.get(key, UNSET) is None:
            value = {name: inner for name, inner in value.items() if name != key}
            w.note("TB001", f"/{key}", None)
    return _checked(value, booleans=False)


def _write_wrapped_2025_11_25(value: Json, w: Writing) -> Json:
    schema = _write_wrapped(value, w)
    return schema if schema is UNSET else _dialect(schema, w)


def _write_output(value: Json, w: Writing) -> Json:
    return _dialect(value, w) if _said(value, w) else UNSET


def _flaw(schema: JsonObject, *, booleans: bool) -> tuple[str, str] | None:
    """What the editions up to 2025-11-25 refuse in a root schema: pointer and problem."""
    properties = schema.get("properties", UNSET)
    if properties is not UNSET:
        if not isinstance(properties, dict):
            return "/properties", "expected an object of schemas"
        for key, inner in cast("JsonObject", properties).items():
            if not isinstance(inner, dict) and not (booleans and isinstance(inner, bool)):
                return at.join("properties", key), "expected an object schema"
    required = schema.get("required", UNSET)
    if required is not UNSET and not (isinstance(required, list) and all(isinstance(key, str) for key in required)):
        return "/required", "expected a list of property names"
    return None


def _check(document: JsonObject) -> tuple[str, str] | None:
    for key in ("inputSchema", "outputSchema"):
        schema = document.get(key)
        if schema is not None:
            if schema.get("type") != "object":
                return f"/{key}/type", f'expected "object", found {_found(schema)}'
            if (flaw := _flaw(schema, booleans=False)) is not None:
                return f"/{key}{flaw[0]}", flaw[1]
    return None


def _check_2024_11_05(document: JsonObject) -> tuple[str, str] | None:
    return _check({"inputSchema": document["inputSchema"]})


def _check_2026_07_28(document: JsonObject) -> tuple[str, str] | None:
    schema = document["inputSchema"]
    return None if schema.get("type") == "object" else ("/inputSchema/type", f'expected "object", found {_found(schema)}')


def _found(schema: JsonObject) -> str:
    return repr(schema["type"]) if "type" in schema else "nothing"


def _repair_input(document: JsonObject) -> Iterator[str]:
    schema = document.get("inputSchema")
    if isinstance(schema, dict):
        if "type" not in schema:
            schema["type"] = "object"
            yield "/inputSchema/type"
        yield from _repair_root(cast("JsonObject", schema), "/inputSchema")


def _repair_root(schema: JsonObject, place: str) -> Iterator[str]:
    for key in ("properties", "required"):
        if schema.get(key, UNSET) is None:
            del schema[key]
            yield f"{place}/{key}"
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for key, inner in cast("JsonObject", properties).items():
            if isinstance(inner, bool):
                properties[key] = _spelled(inner)
                yield place + at.join("properties", key)


def _repair_2025_06_18(document: JsonObject) -> Iterator[str]:
    yield from _repair_input(document)
    schema = document.get("outputSchema")
    if isinstance(schema, dict):
        if cast("JsonObject", schema).get("type") == "object":
            yield from _repair_root(cast("JsonObject", schema), "/outputSchema")
        else:
            # Later editions allow any schema here, so what it means is known; it is wrapped as a server would have.
            document["outputSchema"] = nest(cast("JsonObject", schema))
            at.put(document, WRAPPED, value=True)
            yield "/outputSchema"


def _repair_2026_07_28(document: JsonObject) -> Iterator[str]:
    schema = document.get("inputSchema")
    if isinstance(schema, dict) and "type" not in schema:
        schema["type"] = "object"
        yield "/inputSchema/type"


def _headers(document: JsonObject) -> int:
    """One where a parameter asks for an HTTP header, which only 2026-07-28 knows."""

    def found(schema: Json) -> bool:
        properties = cast("JsonObject", schema).get("properties") if isinstance(schema, dict) else None
        return isinstance(properties, dict) and any(
            isinstance(inner, dict) and ("x-mcp-header" in inner or found(inner))
            for inner in cast("JsonObject", properties).values()
        )

    return int(found(document.get("inputSchema")))


def _context(envelope: JsonObject) -> Mapping[str, tuple[str, str]]:
    """The server's name and version, which are those of the toolkit (2026-07-28: `_meta` of a result)."""
    place = "/_meta/io.modelcontextprotocol~1serverInfo"
    told: dict[str, tuple[str, str]] = {}
    for key, path in (("name", "toolkit"), ("version", "version")):
        value = at.get(envelope, f"{place}/{key}", None)
        if isinstance(value, str) and value:
            told[path] = (value, f"{place}/{key}")
    return told


def _any_input(w: Writing) -> JsonObject:
    """An input schema for a source that says nothing of its arguments."""
    w.note("TB401")
    return {"type": "object"}


# tables

HINTS = (
    row("/annotations/readOnlyHint", "hints.read_only"),
    row("/annotations/destructiveHint", "hints.destructive"),
    row("/annotations/idempotentHint", "hints.idempotent"),
    row("/annotations/openWorldHint", "hints.open_world"),
)

# What Arcade's own MCP servers put under `_meta.arcade` (arcade_mcp_server/convert.py at 597deba, checked 2026-11-21).
ARCADE_META = (
    fallback(
        "/_meta/arcade/requirements/authorization",
        "requirements.authorization",
        Via(lambda v, r: read_authorization(v, r, "/_meta/arcade/requirements/authorization"), _never),
    ),
    fallback("/_meta/arcade/requirements/secrets", "requirements.secrets", Via(read_secrets, _never)),
    fallback("/_meta/arcade/metadata/behavior/read_only", "hints.read_only"),
    fallback("/_meta/arcade/metadata/behavior/destructive", "hints.destructive"),
    fallback("/_meta/arcade/metadata/behavior/idempotent", "hints.idempotent"),
    fallback("/_meta/arcade/metadata/behavior/open_world", "hints.open_world"),
)

NAME = row("/name", "name", must=True)
DESCRIPTION = row("/description", "description")
INPUT = row("/inputSchema", "input", Via(_plain, _write_input), must=True)
INPUT_2025_11_25 = row("/inputSchema", "input", Via(_plain, _write_input_2025_11_25), must=True)
INPUT_2026_07_28 = row("/inputSchema", "input", Via(_plain, _write_input_2026_07_28), must=True)
OUTPUT_2025_06_18 = row("/outputSchema", "output", Via(_read_wrapped, _write_wrapped, _place_wrapped))
OUTPUT_2025_11_25 = row("/outputSchema", "output", Via(_read_wrapped, _write_wrapped_2025_11_25, _place_wrapped))
OUTPUT_2026_07_28 = row("/outputSchema", "output", Via(_plain, _write_output))
TITLE = (row("/title", "title"), fallback("/annotations/title", "title"))
META = (local("/_meta"), *ARCADE_META)

TOOL_2024_11_05 = (NAME, DESCRIPTION, INPUT)
TOOL_2025_03_26 = (*TOOL_2024_11_05, row("/annotations/title", "title"), *HINTS)
TOOL_2025_06_18 = (NAME, *TITLE, DESCRIPTION, INPUT, OUTPUT_2025_06_18, *HINTS, *META)
TOOL_2025_11_25 = (
    *(NAME, *TITLE, DESCRIPTION, INPUT_2025_11_25, OUTPUT_2025_11_25, *HINTS),
    *(local("/icons"), local("/execution"), *META),
)
TOOL_2026_07_28 = (NAME, *TITLE, DESCRIPTION, INPUT_2026_07_28, OUTPUT_2026_07_28, *HINTS, local("/icons"), *META)

FRAME = (local("/nextCursor"), local("/_meta"))
FRAME_2026_07_28 = (
    local("/resultType", must=True, default="complete"),
    # Nobody said how long the list may be kept: not at all, and by nobody else, promises nothing that is not so.
    local("/ttlMs", must=True, default=0),
    local("/cacheScope", must=True, default="private"),
    *FRAME,
)

# formats


def _edition(edition: str, tool: Table, envelope: Table, **more: Any) -> Format:
    return Format(
        id=f"mcp@{edition}",
        summary=f"Model Context Protocol, edition {edition}",
        spec=f"https://modelcontextprotocol.io/specification/{edition}/server/tools",
        tool=tool,
        envelope=envelope,
        wrap="/tools",
        context=_context,
        **more,
    )


_INVENT = {"/inputSchema": _any_input}
_FRAME = Table(ListToolsFrame, *FRAME)

FORMATS = (
    _edition(
        "2024-11-05",
        Table(Tool20241105, *TOOL_2024_11_05, check=_check_2024_11_05, repair=_repair_input, invent=_INVENT),
        _FRAME,
        tell=_headers,
    ),
    _edition(
        "2025-03-26",
        Table(Tool20250326, *TOOL_2025_03_26, check=_check_2024_11_05, repair=_repair_input, invent=_INVENT),
        _FRAME,
        tell=_headers,
    ),
    _edition(
        "2025-06-18",
        Table(Tool20250618, *TOOL_2025_06_18, check=_check, repair=_repair_2025_06_18, invent=_INVENT),
        _FRAME,
        slot=REMAINDER,
        tell=_headers,
    ),
    _edition(
        "2025-11-25",
        Table(Tool20251125, *TOOL_2025_11_25, check=_check, repair=_repair_2025_06_18, invent=_INVENT),
        _FRAME,
        slot=REMAINDER,
        tell=_headers,
    ),
    _edition(
        "2026-07-28",
        Table(Tool, *TOOL_2026_07_28, check=_check_2026_07_28, repair=_repair_2026_07_28, invent=_INVENT),
        Table(ListToolsFrame20260728, *FRAME_2026_07_28),
        slot=REMAINDER,
    ),
)
