"""Arcade's engine format: a tool as Arcade's own engine and workers exchange it. https://github.com/ArcadeAI/arcade-mcp

Editions `otc` (ArcadeAI/OpenToolCalling at 59c07fa, March 2025, closed objects) and `4` (arcade-core 4.11.0 to 4.23.0,
arcade_core/schema.py); both checked 2026-11-21. Worth knowing:
- Parameters are a list of value schemas, not a JSON Schema: no references, unions, bounds or nested arrays.
- arcade-core writes null for everything that is unsaid; a reader must not take null for a value.
- The toolkit has the version, not the tool; `fully_qualified_name` is `Toolkit.Tool`, in some catalogues with `@x.y.z`.
- A secret is `{"key": ...}` in 4 and `{"key_id": ...}` in otc; the authorization is one object, not a list.
- A worker lists its tools in a bare array.
- The context of a call holds tokens and secrets: they are for the tool, and for nobody else.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET

from ...errors import DocumentError
from ...format import Format
from ...forms import later
from ...hub import Json, JsonObject, is_object
from ...names import digest
from ...reading import Reading, Writing
from ...row import Via, local, row
from ...table import Table, describe
from .models import OtcAnyToolDefinition, OtcToolDefinition, ToolDefinition
from .names import TOOLKIT, VERSION, inner, kit
from .places import index_of, place_in
from .requirements import AUTHORIZATION, place_authorization, read_authorization, read_secrets, secrets
from .values import parameters_from_schema, schema_from_parameters, schema_from_value, value_from_schema

# models

__all__ = [
    "FORMATS",
    "OtcToolDefinition",
    "ToolDefinition",
    "place_authorization",
    "read_authorization",
    "read_secrets",
]

# values

_FAMILY = "arcade-engine"
_ANYTHING = ["value", "error", "null"]  # arcade-core's default for available_modes


def _keeper(reading: Reading, wire: str) -> Any:
    def keep(sub: str, value: Json) -> None:
        reading.keep(wire + sub, value)

    return keep


def _read_parameters(value: Any, reading: Reading) -> Any:
    return schema_from_parameters(value, _keeper(reading, "/input/parameters"))


def _read_value(value: Any, reading: Reading) -> Any:
    return schema_from_value(value, _keeper(reading, "/output/value_schema"))


def _place_parameters(sub: str, raw: Any, reading: Reading) -> str:
    if reading.index is None:
        reading.index = index_of(raw)
    return place_in(sub, raw, reading.index)


def _parameters(edition: Literal["4", "otc"]) -> Via:
    def write(value: JsonObject, w: Writing) -> Json:
        if value.get("properties") == {} and value.get("additionalProperties") is False and w.reading.family != _FAMILY:
            _note_empty(value, w)
        return parameters_from_schema(value, w.note, edition=edition, limits=w.options.limits)

    return Via(_read_parameters, write, _place_parameters)


def _value(edition: Literal["4", "otc"]) -> Via:
    def write(value: Json, w: Writing) -> Json:
        if value is None:
            return UNSET if edition == "otc" else None
        _note_empty(value, w)
        if isinstance(value.get("description"), str) and not _says_no_description(w.reading):
            value = {key: inner for key, inner in value.items() if key != "description"}
        return value_from_schema(value, w.note, edition=edition, limits=w.options.limits)

    return Via(_read_value, write, _place_value)


def _note_empty(schema: JsonObject, w: Writing) -> None:
    """What a root says by listing nothing is said by saying nothing."""
    for key in ("properties", "required"):
        if schema.get(key) in ({}, []):
            w.note("TB103", f"/{key}", None)


def _says_no_description(reading: Reading) -> bool:
    """Whether this very family says null where an output's description would stand."""
    return reading.local.get(_FAMILY, {}).get("/output/description", UNSET) is None


def _place_value(sub: str, _: Any, reading: Reading) -> str:
    """Only the description of an output has a place of its own."""
    return "^/output/description" if sub == "/description" and "/output/description" in reading.markers else ""


def _tool_of(w: Writing) -> str:
    """The name of a tool within its toolkit. Dots would divide a fully qualified name elsewhere."""
    name = w.names.get(w.fields["name"], w.fields["name"])
    tool = inner(w.reading, w.fields.get("toolkit"), name)
    return f"{tool}_{digest(w.fields['name'])}" if w.reading.apart else tool


def _toolkit_of(w: Writing) -> str:
    return kit(w.fields.get("toolkit"))


def _write_full_name(value: str, w: Writing) -> str:
    tool, toolkit = _tool_of(w), _toolkit_of(w)
    if value != f"{toolkit}_{tool}":
        # The name that it is called by says the toolkit, which the source's did not.
        w.note("TB501")
    return f"{toolkit}.{tool}"


def _read_name(value: str, reading: Reading) -> Any:
    """The fully qualified name says more; what it does not say stays local."""
    reading.keep("/name", value)
    return UNSET


def _write_name(_: str, w: Writing) -> str:
    return _tool_of(w)


def _write_toolkit(value: str, w: Writing) -> str:
    toolkit = _toolkit_of(w)
    if toolkit != value:
        w.note("TB501")
    return toolkit


def _toolkit_filled(value: Any) -> dict[str, Any]:
    return {"toolkit": value}


def _invent_toolkit(w: Writing) -> str:
    w.note_at("TB401", "", "/toolkit/name")
    return TOOLKIT


def _invent_version(w: Writing) -> str:
    w.note_at("TB401", "", "/toolkit/version")
    return VERSION


def _plain(value: Json, _: Reading) -> Json:
    return value


def _drop(reading: Reading, wire: str) -> None:
    reading.local[reading.family].pop(wire, None)


def _settle(reading: Reading) -> None:
    """One name from three, and one output from three."""
    raw, fields = reading.raw, reading.fields
    full, name, toolkit = raw["/fully_qualified_name"], raw["/name"], raw["/toolkit/name"]
    # Tool names of other families have no dots: Arcade's own MCP servers write an underscore.
    fields["name"] = full.partition("@")[0].replace(".", "_")
    if full == f"{toolkit}.{name}":
        _drop(reading, "/name")
    else:
        reading.keep("/fully_qualified_name", full)
    output: JsonObject = reading.document["output"]
    description = output.get("description")
    if "output" in fields:
        if isinstance(description, str):
            if "description" in fields["output"]:
                reading.keep("/output/value_schema/description", fields["output"]["description"])
            fields["output"] = {**fields["output"], "description": description}
            reading.markers["/output/description"] = "output"
    elif output.get("available_modes") == ["null"]:
        fields["output"] = None
        reading.places["output"] = "/output/available_modes"
        reading.markers["/output/available_modes"] = "output"


def _write_modes(w: Writing) -> Json:
    if w.fields.get("output", UNSET) is None:
        return ["null"]
    w.note_at("TB401", "", "/output/available_modes")
    return [*_ANYTHING]


def _output_description(w: Writing) -> Json:
    output = w.fields.get("output")
    told = output.get("description") if is_object(output) else None
    return told if isinstance(told, str) else (UNSET if w.format.endswith("@otc") else None)


def _no_requirements(_: Writing) -> Json:
    """As arcade-core says that a tool needs nothing."""
    return {"authorization": None, "secrets": None, "metadata": None}


def _asks(document: JsonObject) -> JsonObject:
    """What a call of this tool says to mean it."""
    toolkit: JsonObject = document["toolkit"]
    version = toolkit.get("version")
    named = {"name": document["name"], "toolkit": toolkit["name"]}
    return {"/tool": named if version is None else {**named, "version": version}}


def _identity(reading: Reading, name: str) -> str:
    """What tells tools apart: Arcade compares fully qualified names without regard to case."""
    return f"{kit(reading.fields.get('toolkit'))}.{inner(reading, reading.fields.get('toolkit'), name)}".lower()


def _any_parameters(w: Writing) -> Json:
    w.note("TB401")
    return []


# tables

_NAMES = (
    row("/name", "name", Via(_read_name, _write_name), must=True),
    row("/fully_qualified_name", "name", Via(_plain, _write_full_name), must=True),
)
_TOOLKIT = (row("/toolkit/name", "toolkit", Via(_plain, _write_toolkit, fills=_toolkit_filled), must=True),)
_MODES = local("/output/available_modes", must=True)
_BEHAVIOR = (
    local("/metadata/behavior/operations"),
    row("/metadata/behavior/read_only", "hints.read_only"),
    row("/metadata/behavior/destructive", "hints.destructive"),
    row("/metadata/behavior/idempotent", "hints.idempotent"),
    row("/metadata/behavior/open_world", "hints.open_world"),
)

TOOL_4 = (
    *_NAMES,
    row("/description", "description", must=True),
    *_TOOLKIT,
    local("/toolkit/description", default=None),
    row("/toolkit/version", "version", default=None),
    row("/input/parameters", "input", _parameters("4"), must=True),
    local("/output/description", must=True),
    _MODES,
    row("/output/value_schema", "output", _value("4"), default=None),
    row(
        "/requirements/authorization",
        "requirements.authorization",
        AUTHORIZATION,
        default=None,
    ),
    row("/requirements/secrets", "requirements.secrets", secrets("key"), default=None),
    local("/requirements/metadata", default=None, code="TB602"),
    local("/requirements", must=True),
    local("/deprecation_message", default=None),
    local("/metadata/classification"),
    *_BEHAVIOR,
    local("/metadata/extras"),
    local("/metadata", default=None),
    # Since arcade-core 4.23, and left alone by older ones.
    local("/meta", default=None),
)
TOOL_OTC = (
    *_NAMES,
    row("/description", "description"),
    *_TOOLKIT,
    row("/toolkit/version", "version", must=True),
    local("/toolkit/description"),
    row("/input/parameters", "input", _parameters("otc"), must=True),
    _MODES,
    local("/output/description", must=True),
    row("/output/value_schema", "output", _value("otc")),
    # An instance of its own: a row that two tables share passes as it is, and the draft's spelling is closed.
    row("/requirements/authorization", "requirements.authorization", AUTHORIZATION),
    row("/requirements/secrets", "requirements.secrets", secrets("key_id")),
)
INVENT = {
    "/requirements": _no_requirements,
    "/description": describe,
    "/toolkit/name": _invent_toolkit,
    "/toolkit/version": _invent_version,
    "/input/parameters": _any_parameters,
    "/output/available_modes": _write_modes,
    "/output/description": _output_description,
}

# formats

_OTC = Table(
    OtcToolDefinition,
    *TOOL_OTC,
    closed=("", "/toolkit", "/input", "/output", "/requirements"),
    settle=_settle,
    invent=INVENT,
    reads=OtcAnyToolDefinition,
)


def _beyond_otc(document: JsonObject) -> int:
    """One where a document has what the closed schemas of the draft forbid."""
    try:
        _OTC.verify(document)
    except DocumentError:
        return 1
    return 0


FORMATS = (
    Format(
        id="arcade-engine@otc",
        summary="OpenToolCalling draft of March 2025",
        spec="https://github.com/ArcadeAI/OpenToolCalling",
        tool=_OTC,
        traffic=later(f"{__name__}.traffic", "CALLS_OTC", "RESULTS_OTC"),
        asks=_asks,
        identity=_identity,
        tell=_beyond_otc,
    ),
    Format(
        id="arcade-engine@4",
        summary="Arcade's engine format as arcade-core 4 writes it",
        spec="https://github.com/ArcadeAI/arcade-mcp",
        tool=Table(ToolDefinition, *TOOL_4, closed=("/metadata", "/metadata/behavior"), settle=_settle, invent=INVENT),
        traffic=later(f"{__name__}.traffic", "CALLS_4", "RESULTS_4"),
        asks=_asks,
        identity=_identity,
        slot="/metadata/extras/dev.toolbridge~1remainder",
    ),
)
