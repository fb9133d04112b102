"""Tools of MCP, edition by edition: models, codecs and rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, field

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object, member_kind
from ...mapping import (
    Codec,
    Demand,
    DialectProof,
    Record,
    Row,
    Table,
    Unrepresentable,
    Wire,
    WriteContext,
    any_input,
    apply,
    fallback,
    identity,
    local,
    repair_schema,
    row,
    unless_none,
    write_description,
    write_nothing,
)
from ...schema import (
    PLAIN,
    draft,
    fit_output,
    is_constrained_reference,
    is_list_of_names,
    is_object_schema,
    meant_schema,
    nest,
    older_spellings,
    original_place,
    under,
    unnest,
    walk,
    with_own_root,
    with_properties,
    with_required,
    with_type,
)
from ..requirements import requirements_at

ROOT: JsonObject = {
    "required": ["type"],
    "properties": {
        "type": {"const": "object"},
        "properties": {"type": "object", "additionalProperties": {"type": "object"}},
        "required": {"type": "array", "items": {"type": "string"}},
    },
}

_LOOSE_ROOT: JsonObject = {"properties": {"type": {"const": "object"}}, "required": ["type"]}

ObjectSchema = Annotated[dict[str, Any], Meta(extra_json_schema=ROOT)]
"""JSON Schema of an object whose properties are object schemas: up to 2025-11-25."""

InputSchema = Annotated[dict[str, Any], Meta(extra_json_schema=_LOOSE_ROOT)]
"""JSON Schema of the arguments since 2026-07-28: any keyword, with `type: object` at the root."""


class ToolAnnotations(Wire, kw_only=True, rename="camel"):
    """Hints about what a tool does, all of them claims of its author."""

    title: str | UnsetType = UNSET
    read_only_hint: bool | UnsetType = UNSET
    destructive_hint: bool | UnsetType = UNSET
    idempotent_hint: bool | UnsetType = UNSET
    open_world_hint: bool | UnsetType = UNSET


class Icon(Wire, kw_only=True, rename="camel"):
    """A picture for a tool: `src` is an https or data URI, `sizes` such as `48x48` or `any`."""

    src: str
    mime_type: str | UnsetType = UNSET
    sizes: list[str] | UnsetType = UNSET
    theme: Literal["light", "dark"] | UnsetType = UNSET


class ToolExecution(Wire, kw_only=True, rename="camel"):
    """Whether a call may run as a task (2025-11-25 only); absent means forbidden."""

    task_support: Literal["forbidden", "optional", "required"] | UnsetType = UNSET


class Tool20241105(Wire, kw_only=True, rename="camel"):
    """Tool of edition 2024-11-05."""

    name: str
    description: str | UnsetType = UNSET
    input_schema: ObjectSchema


class Tool20250326(Tool20241105, kw_only=True):
    """Tool of edition 2025-03-26: adds annotations."""

    annotations: ToolAnnotations | UnsetType = UNSET


class Tool20250618(Tool20250326, kw_only=True):
    """Tool of edition 2025-06-18: adds title, outputSchema and _meta."""

    title: str | UnsetType = UNSET
    output_schema: ObjectSchema | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class Tool20251125(Tool20250618, kw_only=True):
    """Tool of edition 2025-11-25: adds icons and execution; JSON Schema is 2020-12 unless `$schema` says otherwise."""

    icons: list[Icon] | UnsetType = UNSET
    execution: ToolExecution | UnsetType = UNSET


class Tool(Tool20250618, kw_only=True):
    """Tool of edition 2026-07-28: adds icons, opens inputSchema and outputSchema to every keyword."""

    input_schema: InputSchema
    output_schema: dict[str, Any] | UnsetType = UNSET
    icons: list[Icon] | UnsetType = UNSET


class ListToolsFrame(Wire, kw_only=True, rename="camel"):
    """What stands around the tools in a ListToolsResult up to 2025-11-25."""

    next_cursor: str | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


def typed(model: type[Struct], *, cached: bool, read: bool) -> type[Struct]:
    """The result of 2026-07-28, which states its type; `read`: what is missing was left out by an older server.

    `cached`: whether it says how long it may be kept, in milliseconds.
    """
    kinds: dict[str, Any] = {"resultType": str}
    if cached:
        kinds |= {"ttlMs": Annotated[int, Meta(ge=0)], "cacheScope": Literal["public", "private"]}
    members: list[Any] = [(key, kind | UnsetType, UNSET) if read else (key, kind) for key, kind in kinds.items()]
    name = f"Any{model.__name__}" if read else f"{model.__name__}20260728"
    return defstruct(name, members, bases=(model,), kw_only=True)


AnyListToolsFrame = typed(ListToolsFrame, cached=True, read=True)
ListToolsFrame20260728 = typed(ListToolsFrame, cached=True, read=False)


WRAPPED = "/_meta/dev.toolbridge~1wrapped"
"""The marker beside an output schema that was wrapped as `{"result": ...}`; true where it was."""

REMAINDER = "/_meta/dev.toolbridge~1remainder"

# FastMCP's own marker inside the schema (PrefectHQ/fastmcp, checked 2026-11-21).
_FASTMCP = "x-fastmcp-wrap-result"

WRAPPERS = (_FASTMCP.encode(),)
"""What stands in an output schema that may have been wrapped, where no marker beside it says so."""

_DRAFTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
}


def _root(value: JsonObject, w: WriteContext) -> JsonObject:
    """The schema with `type: object` at its root. Arguments are always an object, so this refuses none of them.

    A tool whose parameters cannot be read, such as a list of named ones, is refused: it would lose them.
    """
    properties = value.get("properties")
    if not is_object(properties) and properties not in (None, []):
        raise Unrepresentable("expected an object of schemas", "/properties")
    value = repair_schema(value, w)
    kind = value.get("type")
    if kind == "object":
        schema = value
    elif kind is None:
        w.note("TB401", "", "/type")
        rest = {key: inner for key, inner in value.items() if key != "type"}
        schema = {"type": "object", **with_own_root(rest)}
    elif isinstance(kind, list) and "object" in kind:
        w.note("TB303", "/type", "/type")
        schema = {**value, "type": "object"}
    else:
        inner = under(value, "/allOf/0")
        schema = {"type": "object", "allOf": [{key: inner[key] for key in inner if key != "$schema"}]}
        if "$schema" in value:
            schema["$schema"] = value["$schema"]
        w.note("TB401", "", "/type")
    return _repaired(schema, w)


def _root_prefix(value: JsonObject) -> str:
    """Where `_root` writes a schema: at the root, or in a conjunction if the schema states another type."""
    kind = value.get("type")
    return "/allOf/0" if isinstance(kind, str) and kind != "object" else ""


def _repaired(schema: JsonObject, w: WriteContext) -> JsonObject:
    """The schema of an object without what has no meaning at its root."""
    for key in ("properties", "required"):
        if schema.get(key, UNSET) is None:
            schema = {name: inner for name, inner in schema.items() if name != key}
            w.note("TB001", f"/{key}", None)
    return schema


def _checked(schema: JsonObject) -> JsonObject:
    """The schema as the editions up to 2025-11-25 take it, their boolean properties spelled as objects."""
    if (found := _flaw(schema, booleans=True)) is not None:
        raise Unrepresentable(found[1], found[0])
    if not any(isinstance(inner, bool) for inner in schema.get("properties", {}).values()):
        return schema
    return {**schema, "properties": {key: _spelled(inner) for key, inner in schema["properties"].items()}}


def _spelled(schema: Json) -> Json:
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return schema


def _dialect(schema: JsonObject, w: WriteContext, value: JsonObject, prefix: str = "") -> JsonObject:
    """The schema with an explicit draft where it would mean something else under 2020-12 (SEP-1613).

    One that mixes forms of several drafts is written in the forms of 2020-12. `value` is the schema of the hub, which
    stands at `prefix` of the other one.
    """
    origin = w.record.table
    if "$schema" in schema or (origin is not None and origin.dialect is not None) or not older_spellings(schema):
        return schema
    address = _DRAFTS.get(draft(schema))
    # Draft 4 ignores constraints beside a reference.
    nodes = walk(schema) if address == _DRAFTS["draft4"] else ()
    if address is None or any(is_object(node) and is_constrained_reference(node) for _, node in nodes):

        def note(code: str, place: str, target: str | None) -> None:
            w.note(code, original_place(value, place, prefix), target)

        return fit_output(schema, PLAIN, note, w.options)
    w.note("TB401", "", "/$schema")
    return {"$schema": address, **schema}


def write_input(value: JsonObject, w: WriteContext) -> JsonObject:
    return _checked(_root(value, w))


def write_input_2025_11_25(value: JsonObject, w: WriteContext) -> JsonObject:
    return _dialect(_checked(_root(value, w)), w, value, _root_prefix(value))


def write_input_2026_07_28(value: JsonObject, w: WriteContext) -> JsonObject:
    return _dialect(_root(value, w), w, value, _root_prefix(value))


def read_wrapped(value: JsonObject, record: Record) -> JsonObject:
    if value.get(_FASTMCP) is True and (inner := unnest(value, markers=(_FASTMCP,))) is not None:
        return inner
    if record.local.get(record.family, {}).get(WRAPPED) is True and (inner := unnest(value)) is not None:
        record.markers[WRAPPED] = "output"
        return inner
    return value


def place_wrapped(sub: str, raw: Any, _: Record) -> str:
    inside = "/properties/result" + sub
    return inside if at.get(raw, inside) is not at.MISSING and at.get(raw, sub) is at.MISSING else sub


@unless_none
def write_wrapped(value: JsonObject, w: WriteContext) -> JsonObject:
    value = repair_schema(value, w)
    if not is_object_schema(value):
        w.put(WRAPPED, value=True)
        w.note("TB508")
        return nest(value)
    return _checked(_root(value, w))


@unless_none
def write_wrapped_2025_11_25(value: JsonObject, w: WriteContext) -> JsonObject:
    prefix = _root_prefix(value) if is_object_schema(value) else "/properties/result"
    return _dialect(write_wrapped(value, w), w, value, prefix)


write_output: Final = unless_none(lambda value, w: _dialect(repair_schema(value, w), w, value))


def _flaw(schema: JsonObject, *, booleans: bool) -> tuple[str, str] | None:
    """What the editions up to 2025-11-25 refuse in a root schema: pointer and problem."""
    properties = schema.get("properties", UNSET)
    if properties is not UNSET:
        if not is_object(properties):
            return "/properties", "expected an object of schemas"
        for key, inner in properties.items():
            if not is_object(inner) and not (booleans and isinstance(inner, bool)):
                return at.join("properties", key), "expected an object schema"
    required = schema.get("required", UNSET)
    if required is not UNSET and not (is_list(required) and all(isinstance(key, str) for key in required)):
        return "/required", "expected a list of property names"
    return None


def _not_an_object(schema: JsonObject) -> tuple[str, str] | None:
    """The pointer and the problem of a type at the root that is not that of an object."""
    if schema.get("type") == "object":
        return None
    return "/type", f'expected "object", found {member_kind(schema, "type")}'


def _not_of_objects(schema: JsonObject) -> tuple[str, str] | None:
    return _not_an_object(schema) or _flaw(schema, booleans=False)


_ONLY_INPUT: Final = ("inputSchema",)


def check(
    document: JsonObject,
    keys: tuple[str, ...] = (*_ONLY_INPUT, "outputSchema"),
    flaw: Callable[[JsonObject], tuple[str, str] | None] = _not_an_object,
) -> tuple[str, str] | None:
    for key in keys:
        schema = document.get(key)
        if schema is not None and (found := flaw(schema)) is not None:
            return f"/{key}{found[0]}", found[1]
    return None


def _hides(value: Json) -> bool:
    visibility = value.get("visibility") if is_object(value) else None
    return is_list(visibility) and visibility != [] and "model" not in visibility


def _is_private(value: Json) -> bool:
    return value == "private"


def _signs_in(value: Json) -> bool:
    schemes = value if is_list(value) else []
    return schemes != [] and all(is_object(each) and each.get("type") == "oauth2" for each in schemes)


# MCP Apps: "Host MUST NOT include tools in the agent's tool list when their visibility does not include "model""
# (modelcontextprotocol/ext-apps, specification/2026-01-26/apps.mdx). OpenAI's words for it, and for authorizations, of
# which any one is enough: developers.openai.com/apps-sdk/reference. All checked 2026-11-28.
DEMANDS: Final = (
    Demand("/_meta/ui", "TB608", _hides),
    Demand("/_meta/openai~1visibility", "TB608", _is_private),
    Demand("/_meta/securitySchemes", "TB602", _signs_in),
)
"""What extensions demand of a client: that only an app may call the tool, or that a user signs in."""


def repair_input(document: JsonObject) -> Iterator[str]:
    yield from repair_2026_07_28(document)
    if is_object(schema := document.get("inputSchema")):
        yield from _repair_root(schema, "/inputSchema")


def _repair_root(schema: JsonObject, place: str) -> Iterator[str]:
    for key in ("properties", "required"):
        if schema.get(key, UNSET) is None:
            del schema[key]
            yield f"{place}/{key}"
    if schema.get("properties") == []:  # as PHP writes an object without members
        schema["properties"] = {}
        yield f"{place}/properties"
    meant = with_required(schema)
    if meant is not schema:
        if not is_list_of_names(schema):
            yield f"{place}/required"
        schema |= meant
        yield f"{place}/properties/required"
    properties = schema.get("properties")
    if is_object(properties):
        for key, inner in properties.items():
            if not is_object(inner):
                properties[key] = _spelled(inner) if isinstance(inner, bool) else meant_schema(inner)
                yield place + at.join("properties", key)


def repair_2025_06_18(document: JsonObject) -> Iterator[str]:
    yield from repair_input(document)
    schema = document.get("outputSchema")
    if not is_object(schema):
        return
    if schema.get("type") == "object":
        yield from _repair_root(schema, "/outputSchema")
    elif "type" not in schema and with_properties(schema) is not schema:
        schema["type"] = "object"
        yield "/outputSchema"
    elif is_object(document.get("_meta", {})):
        # Later editions allow any schema here, so what it means is known; it is wrapped as a server would have.
        if "_meta" in document:
            yield "/_meta"
        document["outputSchema"] = nest(schema)
        at.put(document, WRAPPED, value=True)
        yield "/outputSchema"


def repair_2026_07_28(document: JsonObject) -> Iterator[str]:
    schema = document.get("inputSchema")
    if is_object(schema) and "properties" in schema and (whole := with_properties(schema)) is not schema:
        schema |= whole
        yield "/inputSchema/properties"
    if is_object(schema) and "type" not in schema:
        typed = with_type(schema)
        schema |= {**with_own_root(typed), "type": "object"}
        yield "/inputSchema" if typed is schema else "/inputSchema/properties/type"


def headers(document: JsonObject) -> int:
    """One where a parameter asks for an HTTP header, which only 2026-07-28 knows."""
    todo: list[Json] = [document.get("inputSchema")]
    while todo:
        schema = todo.pop()
        properties = schema.get("properties") if is_object(schema) else None
        if is_object(properties):
            for inner in properties.values():
                if is_object(inner):
                    if "x-mcp-header" in inner:
                        return 1
                    todo.append(inner)
    return 0


def context(
    envelope: JsonObject, place: str = "/_meta/io.modelcontextprotocol~1serverInfo"
) -> Mapping[str, tuple[str, str]]:
    """The name and the version of a server, which are those of the toolkit; `place` is that since 2026-07-28."""
    named = (("toolkit", f"{place}/name"), ("version", f"{place}/version"))
    found = ((path, at.get(envelope, where, None), where) for path, where in named)
    return {path: (value, where) for path, value, where in found if isinstance(value, str) and value}


# tables

HINTS = (
    row("/annotations/readOnlyHint", "hints.read_only"),
    row("/annotations/destructiveHint", "hints.destructive"),
    row("/annotations/idempotentHint", "hints.idempotent"),
    row("/annotations/openWorldHint", "hints.open_world"),
)

HINT = Codec(apply(lambda value: value if isinstance(value, bool) else UNSET), write_nothing)

# What Arcade's own MCP servers put under `_meta.arcade` (arcade_mcp_server/convert.py at 597deba, checked 2026-11-21).
ARCADE_META = (
    *requirements_at("/_meta/arcade/requirements"),
    fallback("/_meta/arcade/metadata/behavior/read_only", "hints.read_only", HINT),
    fallback("/_meta/arcade/metadata/behavior/destructive", "hints.destructive", HINT),
    fallback("/_meta/arcade/metadata/behavior/idempotent", "hints.idempotent", HINT),
    fallback("/_meta/arcade/metadata/behavior/open_world", "hints.open_world", HINT),
)

NAME = row("/name", "name", required=True)
DESCRIPTION = row("/description", "description", write_description(None))


def _input(write: Callable[[JsonObject, WriteContext], JsonObject]) -> Row:
    codec = Codec(identity, write, passes=DialectProof(PLAIN), reads=())
    return row("/inputSchema", "input", codec, required=True, invent=any_input)


def _wrapped(write: Callable[[Any, WriteContext], Any]) -> Row:
    codec = Codec(read_wrapped, write, place_wrapped, passes=DialectProof(PLAIN), reads=WRAPPERS)
    return row("/outputSchema", "output", codec)


INPUT = _input(write_input)
INPUT_2025_11_25 = _input(write_input_2025_11_25)
INPUT_2026_07_28 = _input(write_input_2026_07_28)
OUTPUT_2025_06_18 = _wrapped(write_wrapped)
OUTPUT_2025_11_25 = _wrapped(write_wrapped_2025_11_25)
OUTPUT_2026_07_28 = row("/outputSchema", "output", Codec(identity, write_output, passes=DialectProof(PLAIN), reads=()))
TITLE = (row("/title", "title"), fallback("/annotations/title", "title"))
ICONS = local("/icons")
META = (local("/_meta"), *ARCADE_META)
TOOL_2024_11_05 = (NAME, DESCRIPTION, INPUT)
TOOL_2025_03_26 = (*TOOL_2024_11_05, row("/annotations/title", "title"), *HINTS)
TOOL_2025_06_18 = (NAME, *TITLE, DESCRIPTION, INPUT, OUTPUT_2025_06_18, *HINTS, *META)

TOOL_2025_11_25 = (
    *(NAME, *TITLE, DESCRIPTION, INPUT_2025_11_25, OUTPUT_2025_11_25, *HINTS),
    *(ICONS, local("/execution"), *META),
)

TOOL_2026_07_28 = (NAME, *TITLE, DESCRIPTION, INPUT_2026_07_28, OUTPUT_2026_07_28, *HINTS, ICONS, *META)
FRAME = (local("/nextCursor"), local("/_meta"))

CACHE = (
    # Nothing states how long it may be cached: "not at all, and by nobody else" is safe.
    local("/ttlMs", required=True, default=0),
    local("/cacheScope", required=True, default="private"),
)

FRAME_2026_07_28 = (local("/resultType", required=True, default="complete"), *CACHE, *FRAME)

STATELESS: Final = "2026-07-28"
"""The first edition without sessions: each request of a client says who it is, and requests of a server stand in its
results.
"""

FRAMES = Table(ListToolsFrame, *FRAME)
FRAMES_2026_07_28 = Table(ListToolsFrame20260728, *FRAME_2026_07_28, reads=AnyListToolsFrame)


def _table(model: type[Struct], rows: tuple[Row, ...], **more: Any) -> Table:
    return Table(model, *rows, free=("name", "description", "title"), demands=DEMANDS, **more)


_CHECK_INPUT: Final = partial(check, keys=_ONLY_INPUT, flaw=_not_of_objects)
_CHECK_BOTH: Final = partial(check, flaw=_not_of_objects)
_CHECK: Final = partial(check, keys=_ONLY_INPUT)

TABLES: Final = {
    "2024-11-05": _table(Tool20241105, TOOL_2024_11_05, check=_CHECK_INPUT, repair=repair_input),
    "2025-03-26": _table(Tool20250326, TOOL_2025_03_26, check=_CHECK_INPUT, repair=repair_input),
    "2025-06-18": _table(Tool20250618, TOOL_2025_06_18, check=_CHECK_BOTH, repair=repair_2025_06_18),
    "2025-11-25": _table(Tool20251125, TOOL_2025_11_25, check=_CHECK_BOTH, repair=repair_2025_06_18, dialect="2020-12"),
    "2026-07-28": _table(Tool, TOOL_2026_07_28, check=_CHECK, repair=repair_2026_07_28, dialect="2020-12"),
}
"""The tables of tools, by edition: all editions, in order."""


def known_edition(version: str) -> str:
    """The newest edition that is not after a version of the protocol: SDKs may know later versions."""
    return max((edition for edition in TABLES if edition <= version), default=min(TABLES))
