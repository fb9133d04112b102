"""Tool Definition 1.0: models, codecs and rows, and ids as Toolkit.Tool@x.y.z."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType, field

from ...data import pointer as at
from ...data.names import digest, legal
from ...data.types import JsonObject, is_object, quoted
from ...errors import DocumentError, FormatError
from ...mapping import (
    PLAIN,
    Codec,
    DialectProof,
    Identifier,
    Note,
    Record,
    Row,
    Rule,
    Table,
    Wire,
    WriteContext,
    apply,
    describe,
    identity,
    invent,
    local,
    place_of_row,
    repair_schema,
    row,
    write_description,
    write_name,
)
from ...schema import BudgetExceeded, children, has_references, inline

RULE: Final = Rule(alphabet="A-Za-z0-9_-", most=64)
"""What names of tools may look like."""

PATTERN: Final = r"^[A-Za-z0-9_]+\.[A-Za-z0-9_]+(@([0-9]+|[0-9]+\.[0-9]+\.[0-9]+))?$"

TOOLKIT: Final = "Tools"
"""The toolkit of a tool whose source names none."""

VERSION: Final = "0.0.0"
"""The version of a tool whose source names none."""

_THREE = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
_ILLEGAL = re.compile(r"[^A-Za-z0-9_]")


def three_integers(version: str) -> str | None:
    """The version as x.y.z, None where it is none: `1.2` is `1.2.0`; pre-release and build are left out."""
    if _THREE.fullmatch(version):
        return version
    from semver import Version as SemVer

    try:
        return str(SemVer.parse(version.removeprefix("v"), optional_minor_and_patch=True).finalize_version())
    except ValueError:
        return None


def toolkit_as(toolkit: str | None) -> str:
    """The toolkit as an id spells it."""
    return _spelled(toolkit or TOOLKIT)


def tool_of(name: str, toolkit: str) -> str:
    """The tool's part of an id: its name without the toolkit in front."""
    return _spelled(_without_toolkit(name, toolkit))


def _without_toolkit(name: str, toolkit: str) -> str:
    return name.removeprefix(toolkit + "_") or name


def _spelled(part: str) -> str:
    # Most are identifiers, which takes no search to see.
    return part if part.isidentifier() and part.isascii() else _ILLEGAL.sub("_", part)


def called(w: WriteContext) -> str:
    """The name as it is written. Raises DocumentError where no rule can make one of it."""
    name = w.fields["name"]
    try:
        return w.names.get(name) or legal(name, RULE)
    except ValueError as error:
        raise DocumentError(f"{error}, found {quoted(name)}", w.source("name")) from None


def version_as(version: str | None) -> str:
    """The version as an id spells it."""
    return three_integers(version or VERSION) or VERSION


def version_of(w: WriteContext) -> str:
    """The version as three integers."""
    return version_as(w.fields.get("version"))


def _inner(toolkit: str, name: str, *, is_ambiguous: bool = False) -> str:
    """The tool's part of an id; different for names that would have the same id otherwise."""
    tool = tool_of(name, toolkit)
    # Names that differ in hyphens only, or in the toolkit before them, must not share an id.
    is_marked = is_ambiguous or tool != _without_toolkit(name, toolkit)
    return f"{tool}_{digest(name)}" if is_marked else tool


# calls


def name_of(toolkit: str, tool: str, version: str | None) -> str:
    """What the tool of an id is called elsewhere: as the documentation names tools, and as Arcade's MCP servers do.

    Where the toolkit is the one that is made up, the tool had its name before.
    """
    return tool if toolkit == TOOLKIT and version in (None, VERSION) else f"{toolkit}_{tool}"


def called_at(wire: str) -> Codec:
    """The id of the tool that is called, at `wire`: name, toolkit and version."""

    def read(value: str, record: Record) -> str:
        identity, _, version = value.partition("@")
        toolkit, _, tool = identity.partition(".")
        record.put("toolkit", toolkit, wire)
        if version:
            record.put("version", version, wire)
        return name_of(toolkit, tool, version or None)

    return Codec(read, _write, place_of_row)


def _write(value: str, w: WriteContext) -> str:
    fields = w.fields
    wire = w.wire
    toolkit = toolkit_as(fields.get("toolkit"))
    tool = _within(w, toolkit)
    stated: str | None = fields.get("version")
    version = stated
    if "toolkit" not in fields:
        w.note_at("TB401", "", wire)
        version = version_of(w)
    elif toolkit != fields["toolkit"]:
        w.note_at("TB501", w.source("toolkit"), wire)
    if version is not None and not (version.isascii() and version.isdecimal()):
        version = version_of(w)
    if stated is not None and version != stated:
        w.note_at("TB504", w.source("version"), wire)
    # That of a toolkit is noted above, and is no change of the name besides.
    if name_of(fields.get("toolkit", toolkit), tool, version) != value:
        w.note("TB501")
    w.mark_written("toolkit", "version")
    return f"{toolkit}.{tool}" if version is None else f"{toolkit}.{tool}@{version}"


def _within(w: WriteContext, toolkit: str) -> str:
    """The tool's part of the id: Arcade's engine says it itself, where that is one."""
    own = w.record.raw.get("/tool/name") if w.record.family == "arcade-engine" else None
    if isinstance(own, str) and own and not _ILLEGAL.search(own):
        return own
    return _inner(toolkit, called(w), is_ambiguous=w.record.is_ambiguous)


# models

_VERSION = r"^[0-9]+\.[0-9]+\.[0-9]+$"


def matching(pattern: str, description: str | None = None) -> Meta:
    """A text that matches a pattern as JSON Schema means it, where `$` is not also the place before a line break."""
    return Meta(pattern=pattern + r"(?!\n)", description=description)


Id = Annotated[str, matching(PATTERN, "Toolkit.Tool@x.y.z, unique in a server")]
Name = Annotated[str, matching(RULE.pattern)]
Version = Annotated[str, matching(_VERSION)]


class OAuth2(Wire, kw_only=True):
    """What an OAuth 2.0 authorization must allow."""

    scopes: list[str] | UnsetType = UNSET


class Authorization(Wire, kw_only=True):
    """One authorization that the tool needs: `id` is its method or provider."""

    id: str | UnsetType = UNSET
    oauth2: OAuth2 | UnsetType = UNSET


class Secret(Wire, kw_only=True):
    """A secret that the tool needs, by name."""

    id: str


class Requirements(Wire, kw_only=True):
    """What a caller must bring besides arguments. An open object: extensions live here."""

    authorization: list[Authorization] | UnsetType = UNSET
    secrets: list[Secret] | UnsetType = UNSET
    user_id: bool | UnsetType = UNSET


class InputSchema(Wire, kw_only=True):
    """The wrapper of the input schema in 1.0; `parameters` may be empty."""

    parameters: dict[str, Any]


class ToolDefinition(Wire, kw_only=True, forbid_unknown_fields=True):
    """Tool Definition 1.0."""

    id: Id
    name: Name
    description: str
    version: Version
    input_schema: InputSchema
    output_schema: dict[str, Any] | None
    requirements: Requirements | UnsetType = UNSET


class AnyToolDefinition(ToolDefinition, kw_only=True, forbid_unknown_fields=False):
    """What readers take of Tool Definition 1.0: the OpenAPI document does not require the version."""

    version: Version | UnsetType = UNSET  # pyright: ignore[reportIncompatibleVariableOverride] - a wider type


class ToolDefinitionErrata(Wire, kw_only=True, forbid_unknown_fields=True):
    """Tool Definition 1.0 after the errata of 2025-03-16."""

    id: Id
    name: Name
    description: str
    version: Version
    input_schema: dict[str, Any] | UnsetType = UNSET
    output_schema: dict[str, Any] | UnsetType | None = UNSET
    requirements: Requirements | UnsetType = UNSET


class ToolsFrame(Wire, kw_only=True):
    """What stands around the tools of a list: the version of the protocol, such as `urn:oxp:1.0`."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")


# values


def _write_id(value: str, w: WriteContext) -> str:
    toolkit, name = toolkit_as(w.fields.get("toolkit")), called(w)
    if toolkit != value:
        w.note("TB501")
    tool = _inner(toolkit, name, is_ambiguous=w.record.is_ambiguous)
    if tool != _without_toolkit(name, toolkit):
        w.note_at("TB501", w.source("name"), "/id")
    return f"{toolkit}.{tool}@{version_of(w)}"


def _with_version(value: str, w: WriteContext) -> str:
    """An id of the errata with the version that 1.0 requires in it."""
    identity, _, version = value.partition("@")
    if _THREE.fullmatch(version):
        return value
    w.note_at("TB504", "/id", "/id")
    return f"{identity}@{version_of(w)}"


def _write_authorization(value: list[JsonObject], w: WriteContext) -> list[JsonObject]:
    """The authorizations, each with an id: the one that those of Arcade's engine get which name no provider."""
    written: list[JsonObject] = []
    for index, each in enumerate(value):
        if "id" not in each:
            w.note("TB401", f"/{index}", f"/{index}/id")
        written.append({"id": "oauth2" if "oauth2" in each else "token", **each})
    return written


def identity_of_arcade(record: Record, name: str) -> str:
    toolkit = toolkit_as(record.fields.get("toolkit"))
    return f"{toolkit}.{_inner(toolkit, name)}@{version_as(record.fields.get('version'))}"


def _invent_id(w: WriteContext) -> str:
    w.note_at("TB401", "", "/id")
    return _write_id(TOOLKIT, w)


def _write_version(value: str, w: WriteContext) -> str:
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


def after_read(record: Record) -> None:
    """What an id says beyond toolkit, name and version stays local; a version that only the id has is the tool's."""
    fields = record.fields
    identity = record.document["id"]
    _, _, version = identity.partition("@")
    if "version" not in fields and version:
        record.put("version", version, "/id")
        record.derived["version"] = "TB401"
    toolkit = fields["toolkit"]
    if identity != f"{toolkit}.{tool_of(fields['name'], toolkit)}@{fields.get('version', '')}":
        record.keep("/id", identity)


def _form_of_id(members: Mapping[str, Any]) -> tuple[Any, ...]:
    """What `after_read` finds in an id: toolkit and version, and whether it says no more than these and the name."""
    identity, name = members["id"], members["name"]
    if identity is None or name is None:
        return ()
    tool, _, version = identity.partition("@")
    toolkit = tool.partition(".")[0]
    stated = members.get("version") or version
    return toolkit, version, identity == f"{toolkit}.{tool_of(name, toolkit)}@{stated}"


IDENTIFIER: Final = Identifier(("id", "name"), _form_of_id)
"""The id, which is made of the name, the toolkit and the version."""


def _write_parameters(value: JsonObject, w: WriteContext) -> JsonObject:
    """The schema without references, every parameter described."""
    schema = inline(repair_schema(value, w), w.note, w.options)
    notes: list[Note] = []
    written = _described(schema, "", frozenset(), notes)
    if schema is not value:
        notes = [Note(note.code, at.existing(value, note.source), note.target) for note in notes]
    w.note_all(notes)
    return written


_PARTS: Final = frozenset({"allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas"})
"""Keywords whose subschemas apply to the same object, so that they may have parameters, too."""


def _described(schema: JsonObject, place: str, known: frozenset[str], notes: list[Note]) -> JsonObject:
    """The schema with a description for each parameter that is not `known` to have one."""
    changed: JsonObject = {}
    properties = schema.get("properties")
    if is_object(properties):
        found: JsonObject = {}
        for key, inner in properties.items():
            is_schema = is_object(inner)
            if (is_schema and isinstance(inner.get("description"), str)) or key in known:
                continue
            pointer = f"{place}/properties/{at.escape(key)}"
            if is_schema:
                if "description" in inner:
                    notes.append(Note("TB103", f"{pointer}/description"))
                title = inner.get("title")
                words = title if isinstance(title, str) and title else key
                found[key] = {**inner, "description": words}
            else:  # what is neither a schema nor a boolean is repaired before, or only checked
                found[key] = {"not": {}, "description": key} if inner is False else {"description": key}
            notes.append(Note("TB401", pointer, f"{pointer}/description"))
        if found:
            changed["properties"] = {**properties, **found}
    for pointer, inner, names in () if _PARTS.isdisjoint(schema) else _parts(schema, known):
        written = _described(inner, place + pointer, names, notes)
        if written is not inner:
            key = at.split(pointer)[0]
            changed.setdefault(key, schema[key].copy())  # an object or a list
            at.put(changed, pointer, written)
    return {**schema, **changed} if changed else schema


def _parts(schema: JsonObject, known: frozenset[str]) -> Iterator[tuple[str, JsonObject, frozenset[str]]]:
    """The subschemas that apply to the same object, with the names of parameters that need no description there."""
    properties = schema.get("properties")
    names = known | properties.keys() if is_object(properties) else known
    for pointer, inner in children(schema):
        if at.split(pointer)[0] in _PARTS and is_object(inner):
            yield pointer, inner, names


def _write_output(value: Any, w: WriteContext) -> Any:
    try:
        return None if value is None else inline(repair_schema(value, w), w.note, w.options)
    except BudgetExceeded:  # a model can do without the schema of a result
        w.note("TB101", "", "")
        return {}


def is_nested(document: JsonObject) -> int:
    """One where the input schema is nested as in 1.0."""
    schema = document.get("input_schema")
    if not is_object(schema):
        return 0
    return int(isinstance(schema.get("parameters"), dict) and not {"type", "properties"} & schema.keys())


def check_errata(document: JsonObject) -> tuple[str, str] | None:
    return ("/input_schema", "expected the schema itself, found it under parameters") if is_nested(document) else None


def repair_errata(document: JsonObject) -> Iterator[str]:
    """The nesting of 1.0 in a document of the errata: both were published under one number."""
    if is_nested(document):
        document["input_schema"] = document["input_schema"]["parameters"]
        yield "/input_schema"


def repair_1_0(document: JsonObject) -> Iterator[str]:
    """The schema directly under `input_schema`, as after the errata."""
    schema = document.get("input_schema")
    if is_object(schema) and "parameters" not in schema and {"type", "properties"} & schema.keys():
        document["input_schema"] = {"parameters": schema}
        yield "/input_schema"


def problems_1_0(document: JsonObject) -> Iterator[tuple[str, str]]:
    """What the documentation of 1.0 forbids beyond that: there an id has a version, and an authorization an id."""
    if not _THREE.fullmatch(document["id"].partition("@")[2]):
        yield "/id", "expected Toolkit.Tool@x.y.z, with a version of three integers"
    for number, each in enumerate(at.get(document, "/requirements/authorization", ())):
        if "id" not in each:
            yield f"/requirements/authorization/{number}/id", "required, but missing"
    yield from problems(document)


def problems(document: JsonObject) -> Iterator[tuple[str, str]]:
    """What the prose forbids and no schema enforces."""
    version = document["id"].partition("@")[2]
    if version and version != document.get("version", version):
        yield "/id", f"the version of the id is not the version of the tool, {document['version']}"
    nested = is_nested(document)
    place = "/input_schema/parameters" if nested else "/input_schema"
    schema = at.get(document, place, {})
    for key, value in ((place, schema), ("/output_schema", document.get("output_schema"))):
        if is_object(value) and has_references(value):
            yield key, "references and definitions are not allowed"
    notes: list[Note] = []
    _described(schema, "", frozenset(), notes)
    for note in notes:
        if note.code == "TB401":  # a description that would have to be invented
            is_schema = is_object(at.get(schema, note.source))
            problem = "required, but missing" if is_schema else "expected an object schema"
            yield f"{place}{note.target if is_schema else note.source}", problem


# tables

_PARAMETERS = Codec(identity, _write_parameters, passes=DialectProof(PLAIN, described=True), reads=())
_OUTPUT = Codec(identity, _write_output, reads=())


def _id_row(adopt: Callable[[str, WriteContext], str]) -> Row:
    read = apply(lambda value: value.partition(".")[0])
    codec = Codec(read, _write_id, fills=_id_filled, adopt=adopt)
    return row("/id", "toolkit", codec, required=True, invent=_invent_id)


_STATED = Codec(identity, _write_version, fills=_version_filled)
_HEAD = (
    row("/name", "name", write_name(RULE), required=True),
    row("/description", "description", write_description(None), required=True, invent=describe),
    row("/version", "version", _STATED, required=True, invent=invent(VERSION)),
)

_REQUIREMENTS = (
    row("/requirements/secrets", "requirements.secrets"),
    row("/requirements/user_id", "requirements.user_id"),
)

TOOL_1_0 = (
    _id_row(_with_version),
    *_HEAD,
    row("/input_schema/parameters", "input", _PARAMETERS, required=True, invent=invent({})),
    row("/output_schema", "output", _OUTPUT, required=True, nullable=True, invent=invent({})),
    row("/requirements/authorization", "requirements.authorization", Codec(identity, _write_authorization, reads=())),
    *_REQUIREMENTS,
)

TOOL_1_0_ERRATA = (
    _id_row(lambda value, _: value),
    *_HEAD,
    row("/input_schema", "input", _PARAMETERS),
    row("/output_schema", "output", _OUTPUT, nullable=True),
    row("/requirements/authorization", "requirements.authorization"),
    *_REQUIREMENTS,
)

# formats

SLOT = "/requirements/dev.toolbridge~1remainder"
FRAME = Table(ToolsFrame, local("/$schema"))
