"""Tool Definition 1.0 (Open eXecution Protocol, Open Tool Calling, Arcade). https://github.com/OpenExecProtocol

Editions `1.0` (the documentation and openapi.json at 45b1208) and `1.0-errata` (openapi.json at 4ebed7f); both checked
2026-11-21. Worth knowing:
- 1.0 nests the input schema under `input_schema.parameters` and lists tools under `tools`; the errata put the schema
  directly under `input_schema` and list `items`.
- `id` is `Toolkit.Tool@x.y.z`; a version is three integers, without pre-release or build.
- No `$ref` and no definitions; every parameter must have a description.
- `output_schema` absent (errata), null (no output), `{}` (anything) and a schema are four different things.
- A call may hold tokens and secrets: they are for whoever runs the tool, and for nobody else.
- The published schema of a response contradicts itself: it forbids the value and the error that it asks for.
- The documentation requires `version`, the OpenAPI of 1.0 does not: it is read where it is missing, and always written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from ... import pointer as at
from ...errors import FormatError
from ...format import Format
from ...forms import later
from ...hub import Json, JsonObject, is_object
from ...reading import Reading, Writing
from ...row import Via, local, row
from ...schema import has_references, inline
from ...table import Table, describe
from ...wire import Wire
from .ids import PATTERN, RULE, TOOLKIT, VERSION, called, inner_of, three_integers, tool_of, toolkit_as, version_of

# models

_VERSION = r"^[0-9]+\.[0-9]+\.[0-9]+$"

Id = Annotated[str, Meta(pattern=PATTERN, description="Toolkit.Tool@x.y.z, unique in a server")]
Name = Annotated[str, Meta(pattern=RULE.pattern)]
Version = Annotated[str, Meta(pattern=_VERSION)]


class OAuth2(Wire, kw_only=True, omit_defaults=True):
    """What an OAuth 2.0 authorization must allow."""

    scopes: list[str] | UnsetType = UNSET


class Authorization(Wire, kw_only=True, omit_defaults=True):
    """One authorization that the tool needs: `id` is its method or provider."""

    id: str | UnsetType = UNSET
    oauth2: OAuth2 | UnsetType = UNSET


class Secret(Wire, kw_only=True):
    """A secret that the tool needs, by name."""

    id: str


class Requirements(Wire, kw_only=True, omit_defaults=True):
    """What a caller must bring besides arguments. An open object: extensions live here."""

    authorization: list[Authorization] | UnsetType = UNSET
    secrets: list[Secret] | UnsetType = UNSET
    user_id: bool | UnsetType = UNSET


class InputSchema(Wire, kw_only=True):
    """The wrapper of the input schema in 1.0; `parameters` may be empty."""

    parameters: dict[str, Any]


class ToolDefinition(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Tool Definition 1.0."""

    id: Id
    name: Name
    description: str
    version: Version | UnsetType = UNSET
    input_schema: InputSchema
    output_schema: dict[str, Any] | None
    requirements: Requirements | UnsetType = UNSET


class ToolDefinitionErrata(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Tool Definition 1.0 after the errata of 2025-03-16."""

    id: Id
    name: Name
    description: str
    version: Version
    input_schema: dict[str, Any] | UnsetType = UNSET
    output_schema: dict[str, Any] | UnsetType | None = UNSET
    requirements: Requirements | UnsetType = UNSET


class ToolsFrame(Wire, kw_only=True, omit_defaults=True):
    """What stands around the tools of a list: the version of the protocol, such as `urn:oxp:1.0`."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")


# values


def _write_name(value: str, w: Writing) -> str:
    name = called(w)
    if name != value:
        w.note("TB501")
    return name


def _write_id(value: str, w: Writing) -> str:
    toolkit, name = toolkit_as(w.fields.get("toolkit")), called(w)
    if toolkit != value:
        w.note("TB501")
    tool = inner_of(w, toolkit, name)
    if tool != (name.removeprefix(toolkit + "_") or name):
        w.note_at("TB501", w.source("name"), "/id")
    return f"{toolkit}.{tool}@{version_of(w)}"


def _identity(reading: Reading, name: str) -> str:
    toolkit = toolkit_as(reading.fields.get("toolkit"))
    return f"{toolkit}.{tool_of(name, toolkit)}@{reading.fields.get('version')}"


def _invent_id(w: Writing) -> str:
    w.note_at("TB401", "", "/id")
    return _write_id(TOOLKIT, w)


def _write_version(value: str, w: Writing) -> str:
    version = three_integers(value)
    if version != value:
        w.note("TB504")
    if version is None:
        w.note_at("TB401", w.source("version"), "/version")
    return version or VERSION


def _version_filled(value: Any) -> dict[str, Any]:
    if isinstance(value, str) and three_integers(value) is None:
        raise FormatError(f"fill: /version: {value!r} is no version such as 2.0.0")
    return {"version": value}


def _id_filled(value: Any) -> dict[str, Any]:
    """An id says toolkit and version as well."""
    toolkit, _, rest = str(value).partition(".")
    version = rest.partition("@")[2]
    return {"toolkit": toolkit} | ({"version": version} if version else {})


def _invent_version(w: Writing) -> str:
    w.note_at("TB401", "", "/version")
    return VERSION


def _read_id(value: str, _: Reading) -> str:
    return value.partition(".")[0]


def _settle(reading: Reading) -> None:
    """What an id says beyond toolkit, name and version stays local; a version that only the id has is the tool's."""
    fields = reading.fields
    identity = reading.document["id"]
    _, _, version = identity.partition("@")
    if "version" not in fields and version:
        fields["version"] = version
        reading.places["version"] = "/id"
        reading.derived["version"] = "TB401"
    toolkit = fields["toolkit"]
    if identity != f"{toolkit}.{tool_of(fields['name'], toolkit)}@{fields.get('version', '')}":
        reading.keep("/id", identity)


def _plain(value: Json, _: Reading) -> Json:
    return value


def _write_parameters(value: JsonObject, w: Writing) -> JsonObject:
    """The schema without references, every parameter described."""
    schema = inline(value, w.note, limits=w.options.limits)
    properties = schema.get("properties")
    if not is_object(properties):
        return schema
    told: JsonObject = {}
    for key, inner in properties.items():
        if is_object(inner) and isinstance(inner.get("description"), str):
            continue
        place = "/properties/" + at.escape(key)
        if is_object(inner):
            if "description" in inner:
                w.note("TB103", f"{place}/description", None)
            title = inner.get("title")
            words = title if isinstance(title, str) and title else key
            told[key] = {**inner, "description": words}
        elif isinstance(inner, bool):
            told[key] = {"description": key} if inner else {"not": {}, "description": key}
        else:
            w.note("TB001", place, place)
            told[key] = {"description": key}
        w.note("TB401", place, f"{place}/description")
    if not told:
        return schema
    return {**schema, "properties": {**properties, **told}}


def _write_output(value: Json, w: Writing) -> Json:
    return None if value is None else inline(value, w.note, limits=w.options.limits)


def _any_input(w: Writing) -> JsonObject:
    w.note("TB401")
    return {}


def _any_output(w: Writing) -> JsonObject:
    w.note("TB401")
    return {}


def _asks(document: JsonObject) -> JsonObject:
    """What a call of this tool says to mean it."""
    return {"/tool_id": document["id"]}


def _nested(document: JsonObject) -> int:
    """One where the input schema is nested as in 1.0."""
    schema = document.get("input_schema")
    if not is_object(schema):
        return 0
    return int(isinstance(schema.get("parameters"), dict) and not {"type", "properties"} & schema.keys())


def _check_errata(document: JsonObject) -> tuple[str, str] | None:
    return ("/input_schema", "expected the schema itself, found it under parameters") if _nested(document) else None


def _repair_errata(document: JsonObject) -> Iterator[str]:
    """The nesting of 1.0 in a document of the errata: both were published under one number."""
    if _nested(document):
        document["input_schema"] = document["input_schema"]["parameters"]
        yield "/input_schema"


def _repair_1_0(document: JsonObject) -> Iterator[str]:
    """The schema directly under `input_schema`, as after the errata."""
    schema = document.get("input_schema")
    if is_object(schema) and "parameters" not in schema and {"type", "properties"} & schema.keys():
        document["input_schema"] = {"parameters": schema}
        yield "/input_schema"


def _problems(document: JsonObject) -> Iterator[tuple[str, str]]:
    """What the prose forbids and no schema enforces."""
    nested = _nested(document)
    place = "/input_schema/parameters" if nested else "/input_schema"
    schema = at.get(document, place, {})
    for key, value in ((place, schema), ("/output_schema", document.get("output_schema"))):
        if is_object(value) and has_references(value):
            yield key, "references and definitions are not allowed"
    properties = schema.get("properties")
    if is_object(properties):
        for key, inner in properties.items():
            if not is_object(inner):
                yield f"{place}/properties/{at.escape(key)}", "expected an object schema"
            elif not isinstance(inner.get("description"), str):
                yield f"{place}/properties/{at.escape(key)}/description", "required, but missing"


# tables

_PARAMETERS = Via(_plain, _write_parameters)
_OUTPUT = Via(_plain, _write_output)

HEAD = (
    row("/id", "toolkit", Via(_read_id, _write_id, fills=_id_filled), must=True),
    row("/name", "name", Via(_plain, _write_name), must=True),
    row("/description", "description", must=True),
    row("/version", "version", Via(_plain, _write_version, fills=_version_filled), must=True),
)
REQUIREMENTS = (
    row("/requirements/authorization", "requirements.authorization"),
    row("/requirements/secrets", "requirements.secrets"),
    row("/requirements/user_id", "requirements.user_id"),
)
TOOL_1_0 = (
    *HEAD,
    row("/input_schema/parameters", "input", _PARAMETERS, must=True),
    row("/output_schema", "output", _OUTPUT, must=True, nullable=True),
    *REQUIREMENTS,
)
TOOL_1_0_ERRATA = (
    *HEAD,
    row("/input_schema", "input", _PARAMETERS),
    row("/output_schema", "output", _OUTPUT, nullable=True),
    *REQUIREMENTS,
)
INVENT = {
    "/id": _invent_id,
    "/description": describe,
    "/version": _invent_version,
    "/input_schema/parameters": _any_input,
    "/output_schema": _any_output,
}

# formats

_SLOT = "/requirements/dev.toolbridge~1remainder"
_FRAME = Table(ToolsFrame, local("/$schema"))

FORMATS = (
    Format(
        id="arcade@1.0-errata",
        summary="Tool Definition 1.0 after the errata of 2025-03-16",
        spec="https://github.com/OpenExecProtocol/Specification",
        tool=Table(
            ToolDefinitionErrata,
            *TOOL_1_0_ERRATA,
            closed=("",),
            settle=_settle,
            check=_check_errata,
            repair=_repair_errata,
            invent=INVENT,
        ),
        aliases=("oxp@1.0-errata", "otc@1.0-errata", "tool-definition@1.0-errata"),
        names=RULE,
        traffic=later(f"{__name__}.traffic", "CALLS", "RESULTS"),
        asks=_asks,
        envelope=_FRAME,
        wrap="/items",
        slot=_SLOT,
        tell=_nested,
        identity=_identity,
        problems=_problems,
    ),
    Format(
        id="arcade@1.0",
        summary="Tool Definition 1.0 (Open eXecution Protocol, Open Tool Calling)",
        spec="https://github.com/OpenExecProtocol/Specification",
        tool=Table(ToolDefinition, *TOOL_1_0, closed=("",), settle=_settle, repair=_repair_1_0, invent=INVENT),
        aliases=("oxp", "otc", "tool-definition", "oxp@1.0", "otc@1.0", "tool-definition@1.0"),
        names=RULE,
        traffic=later(f"{__name__}.traffic", "CALLS", "RESULTS"),
        asks=_asks,
        envelope=_FRAME,
        wrap="/tools",
        slot=_SLOT,
        identity=_identity,
        problems=_problems,
    ),
)
