"""Tools of Arcade's engine: models, names, codecs and rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from ...data.names import digest
from ...data.pointer import OUTSIDE
from ...data.types import Json, JsonObject, is_object
from ...errors import DocumentError
from ...mapping import (
    Codec,
    Record,
    Table,
    Wire,
    WriteContext,
    apply,
    describe,
    from_context,
    identity,
    invent,
    local,
    rewrite,
    row,
    write_description,
)
from ..requirements import requirements_at
from .places import places_in
from .value_schema import Keep, parameters_from_schema, schema_from_parameters, schema_from_value, value_from_schema

ValueType = Literal["string", "integer", "number", "boolean", "json", "array"]
InnerType = Literal["string", "integer", "number", "boolean", "json"]


class ValueSchema(Wire, kw_only=True):
    """The type of a value. `json` without properties is any object, with properties a closed one."""

    val_type: ValueType
    inner_val_type: InnerType | UnsetType | None = UNSET
    enum: list[str] | UnsetType | None = UNSET
    properties: dict[str, ValueSchema] | UnsetType | None = UNSET
    inner_properties: dict[str, ValueSchema] | UnsetType | None = UNSET
    description: str | UnsetType | None = UNSET
    required_keys: list[str] | UnsetType | None = UNSET
    inner_required_keys: list[str] | UnsetType | None = UNSET
    nullable: bool | UnsetType | None = UNSET


class InputParameter(Wire, kw_only=True):
    """One parameter; `inferrable` false means that the client must fill it, not the model."""

    name: str
    required: bool
    value_schema: ValueSchema
    description: str | UnsetType | None = UNSET
    inferrable: bool | UnsetType = UNSET


class Input(Wire, kw_only=True):
    """The parameters, in order."""

    parameters: list[InputParameter]


class Output(Wire, kw_only=True):
    """What a call gives back."""

    description: str | UnsetType | None = UNSET
    available_modes: list[str] | UnsetType = UNSET
    value_schema: ValueSchema | UnsetType | None = UNSET


class Toolkit(Wire, kw_only=True):
    """The toolkit that a tool belongs to, and its version."""

    name: str
    description: str | UnsetType | None = UNSET
    version: str | UnsetType | None = UNSET


class OAuth2(Wire, kw_only=True):
    """What an OAuth 2.0 authorization must allow."""

    scopes: list[str] | UnsetType | None = UNSET


class Authorization(Wire, kw_only=True):
    """The authorization that a tool needs."""

    provider_type: str
    provider_id: str | UnsetType | None = UNSET
    id: str | UnsetType | None = UNSET
    oauth2: OAuth2 | UnsetType | None = UNSET


class Key(Wire, kw_only=True):
    """A secret, or a piece of metadata, that a tool needs, by name."""

    key: str


class Requirements(Wire, kw_only=True):
    """What a caller must bring besides arguments."""

    authorization: Authorization | UnsetType | None = UNSET
    secrets: list[Key] | UnsetType | None = UNSET
    metadata: list[Key] | UnsetType | None = UNSET


class Behavior(Wire, kw_only=True):
    """What a tool does to the world."""

    operations: list[str] | UnsetType | None = UNSET
    read_only: bool | UnsetType | None = UNSET
    destructive: bool | UnsetType | None = UNSET
    idempotent: bool | UnsetType | None = UNSET
    open_world: bool | UnsetType | None = UNSET


class Metadata(Wire, kw_only=True):
    """The metadata of a tool; `extras` is free."""

    classification: dict[str, Any] | UnsetType | None = UNSET
    behavior: Behavior | UnsetType | None = UNSET
    extras: dict[str, Any] | UnsetType | None = UNSET


class ToolDefinition(Wire, kw_only=True):
    """ToolDefinition of arcade-core 4."""

    name: str
    fully_qualified_name: str
    description: str
    toolkit: Toolkit
    input: Input
    output: Output
    requirements: Requirements
    deprecation_message: str | UnsetType | None = UNSET
    metadata: Metadata | UnsetType | None = UNSET
    meta: dict[str, Any] | UnsetType | None = UNSET


class OtcValueSchema(Wire, kw_only=True, forbid_unknown_fields=True):
    """The type of a value in the draft of March 2025; an array must say its inner type, be it null."""

    val_type: ValueType
    inner_val_type: InnerType | UnsetType | None = UNSET
    enum: list[str] | UnsetType | None = UNSET


class OtcParameter(Wire, kw_only=True, forbid_unknown_fields=True):
    """One parameter in the draft of March 2025."""

    name: str
    required: bool
    value_schema: OtcValueSchema
    description: str | UnsetType = UNSET
    inferrable: bool | UnsetType = UNSET


class OtcInput(Wire, kw_only=True, forbid_unknown_fields=True):
    """The parameters, in order."""

    parameters: list[OtcParameter]


class OtcOutput(Wire, kw_only=True, forbid_unknown_fields=True):
    """What a call gives back, in the draft of March 2025."""

    available_modes: Annotated[
        list[Literal["value", "error", "null", "artifact", "requires_authorization"]], Meta(min_length=1)
    ]
    description: str | UnsetType = UNSET
    value_schema: OtcValueSchema | UnsetType = UNSET


class OtcToolkit(Wire, kw_only=True, forbid_unknown_fields=True):
    """The toolkit in the draft of March 2025."""

    name: str
    version: str
    description: str | UnsetType = UNSET


class OtcOAuth2(Wire, kw_only=True, forbid_unknown_fields=True):
    """What an OAuth 2.0 authorization must allow."""

    scopes: list[str] | UnsetType = UNSET


class OtcAuthorization(Wire, kw_only=True, forbid_unknown_fields=True):
    """The authorization in the draft of March 2025."""

    provider_type: str
    provider_id: str | UnsetType = UNSET
    id: str | UnsetType = UNSET
    oauth2: OtcOAuth2 | UnsetType = UNSET


class OtcKey(Wire, kw_only=True, forbid_unknown_fields=True):
    """A secret in the draft of March 2025, by name."""

    key_id: str


class OtcRequirements(Wire, kw_only=True, forbid_unknown_fields=True):
    """What a caller must bring, in the draft of March 2025."""

    authorization: OtcAuthorization | Literal["none", "token"] | UnsetType | None = UNSET
    secrets: list[OtcKey] | UnsetType | None = UNSET


class OtcToolDefinition(Wire, kw_only=True, forbid_unknown_fields=True):
    """Tool definition of the OpenToolCalling draft of March 2025."""

    name: str
    fully_qualified_name: str
    toolkit: OtcToolkit
    input: OtcInput
    output: OtcOutput
    description: str | UnsetType = UNSET
    requirements: OtcRequirements | UnsetType = UNSET


class OtcAnyRequirements(Wire, kw_only=True):
    """Requirements as they are read: what the engine writes under the draft's names is understood."""

    authorization: dict[str, Any] | str | UnsetType | None = UNSET
    secrets: list[dict[str, Any]] | UnsetType | None = UNSET


class OtcAnyToolDefinition(Wire, kw_only=True):
    """A tool of the draft as it is read: with the nulls and the nested types that the engine soon had."""

    name: str
    fully_qualified_name: str
    toolkit: Toolkit
    input: Input
    output: Output
    description: str | UnsetType | None = UNSET
    requirements: OtcAnyRequirements | UnsetType | None = UNSET


FAMILY: Final = "arcade-engine"

TOOLKIT: Final = "Tools"
"""The toolkit of a tool whose source has none; that of Tool Definition 1.0 as well."""

VERSION: Final = "0.0.0"
"""The version of a toolkit that has none, where one is demanded."""


def _without_dividers(text: str) -> str:
    """The text without the characters that divide a fully qualified name."""
    return text.replace(".", "_").replace("@", "_")


def toolkit_name(toolkit: str | None) -> str:
    """The name of a toolkit in a fully qualified name."""
    return _without_dividers(toolkit or TOOLKIT)


def name_in_toolkit(record: Record, toolkit: str | None, name: str) -> str:
    """The name of a tool within its toolkit, in a fully qualified name."""
    identity = _identity(record)
    if identity is not None:
        # Tool Definition 1.0 has the name within the toolkit in its id, whatever the name for people is.
        return identity.partition(".")[2].partition("@")[0]
    return _without_dividers(name.removeprefix(toolkit_name(toolkit) + "_") or name)


def _identity(record: Record) -> str | None:
    """The id of a tool of the Open eXecution Protocol."""
    if record.family != "arcade":
        return None
    identities = (record.raw.get(wire) for wire in ("/id", "/tool_id", "/request/tool_id"))
    return next((identity for identity in identities if isinstance(identity, str)), None)


def flat_name(toolkit: str, tool: str, version: str | None) -> str:
    """The name of a tool where there are no toolkits, as Arcade's own MCP servers write it.

    With the toolkit of tools whose source has none, it is the name that the tool had there.
    """
    if toolkit == TOOLKIT and version in (None, VERSION):
        return tool
    return _without_dividers(f"{toolkit}_{tool}")


# values

_ANYTHING = ["value", "error", "null"]  # arcade-core's default for available_modes


def _reader(read: Callable[[Any, Keep], Any], wire: str) -> Callable[[Any, Record], Any]:
    """The `read` of a codec for a schema at `wire`; what the hub cannot hold of it stays local."""
    return lambda value, record: read(value, lambda sub, kept, code: record.keep(wire + sub, kept, code))


def _place_parameters(sub: str, raw: Any, record: Record) -> str:
    if record.parameter_place is None:
        record.parameter_place = places_in(raw)
    return record.parameter_place(sub)


def _keep_flags(parameters: list[JsonObject], w: WriteContext) -> None:
    """Set whether a model may fill in the parameters of another edition, which the schema does not say."""
    named = {parameter["name"]: parameter for parameter in parameters}
    own = w.record.local.get(FAMILY, {})
    for index, given in enumerate(w.record.raw.get("/input/parameters", ())):
        place = f"/input/parameters/{index}/inferrable"
        flag = own.get(place)
        if isinstance(flag, bool) and given["name"] in named:
            named[given["name"]]["inferrable"] = flag
            w.mark_places_written(place)


def _parameters(edition: Literal["4", "otc"]) -> Codec:
    def write(value: JsonObject, w: WriteContext) -> Json:
        if value.get("additionalProperties") is False and w.record.family != FAMILY:
            _note_empty(value, w)
        parameters = parameters_from_schema(value, w.note, edition=edition, options=w.options)
        if w.record.family == FAMILY:
            _keep_flags(parameters, w)
        return parameters

    return Codec(_reader(schema_from_parameters, "/input/parameters"), write, _place_parameters)


def _value(edition: Literal["4", "otc"]) -> Codec:
    def write(value: Json, w: WriteContext) -> Json:
        if value is None:
            return UNSET if edition == "otc" else None
        _note_empty(value, w)
        # It stands beside the value, unless a document of this family has null there.
        stated = w.record.local.get(FAMILY, {}).get("/output/description", UNSET)
        if isinstance(value.get("description"), str) and stated is not None:
            value = {key: inner for key, inner in value.items() if key != "description"}
        return value_from_schema(value, w.note, edition=edition, options=w.options)

    return Codec(_reader(schema_from_value, "/output/value_schema"), write, _place_value)


def _note_empty(schema: JsonObject, w: WriteContext) -> None:
    """Note empty `properties`: the list of parameters expresses them by absence."""
    if schema.get("properties") == {}:
        w.note("TB103", "/properties", None)


def _place_value(sub: str, _: Any, record: Record) -> str:
    """Only the description of an output has a place of its own."""
    return f"{OUTSIDE}/output/description" if sub == "/description" and "/output/description" in record.markers else ""


def _tool_of(w: WriteContext) -> str:
    """The name of a tool within its toolkit as it is written."""
    name = w.names.get(w.fields["name"], w.fields["name"])
    tool = name_in_toolkit(w.record, w.fields.get("toolkit"), name)
    return f"{tool}_{digest(w.fields['name'])}" if w.record.is_ambiguous else tool


def _write_full_name(value: str, w: WriteContext) -> str:
    tool, toolkit = _tool_of(w), toolkit_name(w.fields.get("toolkit"))
    if value != f"{toolkit}_{tool}":
        # The flat name has the toolkit, which the name in the source had not.
        w.note("TB501")
    return f"{toolkit}.{tool}"


def _read_name(value: str, record: Record) -> Any:
    """Keep the short name as a local field: the hub name comes from `fully_qualified_name`."""
    record.keep("/name", value)
    return UNSET


def after_read(record: Record) -> None:
    """One name from three, and one output from three."""
    raw, fields = record.raw, record.fields
    full, name, toolkit = raw["/fully_qualified_name"], raw["/name"], raw["/toolkit/name"]
    # Tool names of other families have no dots: Arcade's own MCP servers write an underscore.
    fields["name"] = full.partition("@")[0].replace(".", "_")
    if full == f"{toolkit}.{name}":
        record.local[record.family].pop("/name", None)
    else:
        record.keep("/fully_qualified_name", full)
    output: JsonObject = record.document["output"]
    description = output.get("description")
    if "output" in fields:
        if isinstance(description, str):
            if "description" in fields["output"]:
                record.keep("/output/value_schema/description", fields["output"]["description"])
            fields["output"] = {**fields["output"], "description": description}
            record.markers["/output/description"] = "output"
    elif output.get("available_modes") == ["null"]:
        record.put("output", None, "/output/available_modes")
        record.markers["/output/available_modes"] = "output"


def _write_modes(w: WriteContext) -> Json:
    if w.fields.get("output", UNSET) is None:
        return ["null"]
    w.note_at("TB401", "", "/output/available_modes")
    return [*_ANYTHING]


def _output_description(w: WriteContext) -> Json:
    output = w.fields.get("output")
    description = output.get("description") if is_object(output) else None
    return description if isinstance(description, str) else (UNSET if w.format.endswith("@otc") else None)


def call_names(document: JsonObject) -> JsonObject:
    """The members with which a call names this tool."""
    toolkit: JsonObject = document["toolkit"]
    version = toolkit.get("version")
    named = {"name": document["name"], "toolkit": toolkit["name"]}
    return {"/tool": named if version is None else {**named, "version": version}}


def tool_identity(record: Record, name: str) -> str:
    """The identity of a tool: Arcade compares fully qualified names without regard to case."""
    toolkit = record.fields.get("toolkit")
    return f"{toolkit_name(toolkit)}.{name_in_toolkit(record, toolkit, name)}".lower()


# tables

_NAMES = (
    row("/name", "name", Codec(_read_name, from_context(_tool_of)), required=True),
    row("/fully_qualified_name", "name", Codec(identity, _write_full_name), required=True),
)

_TOOLKIT = row(
    "/toolkit/name",
    "toolkit",
    Codec(identity, rewrite(apply(toolkit_name)), fills=lambda value: {"toolkit": value}),
    required=True,
    invent=invent(TOOLKIT),
)

_MODES = local("/output/available_modes", required=True, invent=_write_modes)
_DESCRIPTION = local("/output/description", required=True, invent=_output_description)

TOOL_4 = (
    *_NAMES,
    row("/description", "description", write_description(None), required=True, invent=describe),
    _TOOLKIT,
    local("/toolkit/description", default=None),
    row("/toolkit/version", "version", default=None),
    row("/input/parameters", "input", _parameters("4"), required=True, invent=invent([])),
    *(_DESCRIPTION, _MODES),
    row("/output/value_schema", "output", _value("4"), default=None),
    *requirements_at("/requirements", default=None),
    # As arcade-core says that a tool needs nothing.
    local("/requirements", required=True, invent=lambda _: {"authorization": None, "secrets": None, "metadata": None}),
    local("/deprecation_message", default=None),
    local("/metadata/classification"),
    local("/metadata/behavior/operations"),
    row("/metadata/behavior/read_only", "hints.read_only"),
    row("/metadata/behavior/destructive", "hints.destructive"),
    row("/metadata/behavior/idempotent", "hints.idempotent"),
    row("/metadata/behavior/open_world", "hints.open_world"),
    local("/metadata/extras"),
    local("/metadata", default=None),
    # Since arcade-core 4.23, and left alone by older ones.
    local("/meta", default=None),
)

TOOL_OTC = (
    *_NAMES,
    row("/description", "description", write_description(None)),
    _TOOLKIT,
    row("/toolkit/version", "version", required=True, invent=invent(VERSION)),
    local("/toolkit/description"),
    row("/input/parameters", "input", _parameters("otc"), required=True, invent=invent([])),
    *(_MODES, _DESCRIPTION),
    row("/output/value_schema", "output", _value("otc")),
    # Rows of its own: what two tables share passes as it is, and the draft's spelling is closed. It has no metadata.
    *requirements_at("/requirements", "key_id")[:2],
)

# formats

OTC = Table(
    OtcToolDefinition,
    *TOOL_OTC,
    closed=("", "/toolkit", "/input", "/output", "/requirements"),
    after_read=after_read,
    reads=OtcAnyToolDefinition,
)


def problems_otc(document: JsonObject) -> Iterator[tuple[str, str]]:
    """The arrays that do not say their inner type, be it null."""
    for place, holder in (
        *((f"/input/parameters/{number}", each) for number, each in enumerate(document["input"]["parameters"])),
        ("/output", document["output"]),
    ):
        value = holder.get("value_schema", {})
        if value.get("val_type") == "array" and "inner_val_type" not in value:
            yield f"{place}/value_schema/inner_val_type", "required, but missing"


def beyond_otc(document: JsonObject) -> int:
    """One where a document has what the closed schemas of the draft forbid."""
    try:
        OTC.verify(document)
    except DocumentError:
        return 1
    return 0
