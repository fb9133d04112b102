"""Tools of Gemini: models, codecs and rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, field
from msgspec.structs import fields, replace

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_object
from ...mapping import (
    Codec,
    Dialect,
    GroupRule,
    Note,
    Record,
    Row,
    Rule,
    Wire,
    WriteContext,
    describe,
    has_type,
    identity,
    local,
    row,
    unless_none,
    write_description,
    write_name,
    write_nothing,
    written,
)
from ...schema import APPLICATORS, CONSTRAINTS, REFERENCES, fit_output, says_nothing
from ..dialects import GEMINI, GEMINI_INTERACTIONS, GEMINI_JSON, GEMINI_VERTEX
from ..function_tools import RequestFrame, request_frame
from ..openai import tools as openai
from . import schema_object as proto

# google-genai 3.6.1 (types.FunctionDeclaration.name) says 128 characters; the service refuses those past 64
# (kaitranntt/ccs#25, 2025-11-30; maximhq/bifrost#1979, 2026-03-07). Colons came in the autumn of 2025.
RULE: Final = Rule(alphabet="a-zA-Z0-9_.:-", most=64, first="a-zA-Z_")
Name = Annotated[str, Meta(extra_json_schema={"pattern": RULE.pattern})]


class FunctionDeclaration(Wire, kw_only=True):
    """A function that the caller runs. Null says nothing, as in all proto JSON.

    `parameters` and `response` are in the API's own Schema, the others in JSON Schema; the two exclude each other.
    `behavior` is for the Live API: UNSPECIFIED, BLOCKING or NON_BLOCKING.
    """

    name: Name
    description: str | UnsetType | None = UNSET
    parameters: dict[str, Any] | UnsetType | None = UNSET
    parameters_json_schema: dict[str, Any] | UnsetType | None = field(default=UNSET, name="parametersJsonSchema")
    response: dict[str, Any] | UnsetType | None = UNSET
    response_json_schema: dict[str, Any] | UnsetType | None = field(default=UNSET, name="responseJsonSchema")
    behavior: str | UnsetType | None = UNSET
    parameters_snake: dict[str, Any] | UnsetType | None = field(default=UNSET, name="parameters_json_schema")
    response_snake: dict[str, Any] | UnsetType | None = field(default=UNSET, name="response_json_schema")


class InteractionsTool(Wire, kw_only=True):
    """A function of the Interactions API.

    Of a function whose loading is deferred, the model sees no more than the short description at first.
    """

    type: Literal["function"]
    name: Name
    description: str | UnsetType | None = UNSET
    parameters: openai.Parameters | UnsetType | None = UNSET
    defer_loading: bool | UnsetType | None = UNSET
    short_description: str | UnsetType | None = UNSET


class _ToolFrame(Wire, kw_only=True):
    """What stands around the functions in a Tool, and around the tools in a request."""


def in_snake_case(model: type[Struct], name: str, **inner: Any) -> type[Struct]:
    """The model in the other spelling of proto JSON; `inner` are the types of the members that hold such models."""
    members = [(each.name, inner.get(each.name, each.type), each.default) for each in fields(model)]
    words = {"__doc__": f"{str(model.__doc__).partition('.')[0]}, in snake case."}
    return defstruct(name, members, bases=(Wire,), kw_only=True, module=model.__module__, namespace=words)


# google-genai 3.6.1 (models.py, _GenerateContentParameters_to_vertex and _GenerateContentConfig_to_vertex; and
# _gaos/types/interactions/createmodelinteraction.py, createagentinteraction.py and, for the event that begins a live
# Interaction, createinteractionevent.py), checked 2026-11-29.
REQUEST: Final = request_frame(
    _ToolFrame,
    "GenerateContentRequest",
    (
        *("cachedContent", "contents", "continuationToken", "generationConfig", "labels", "model", "modelArmorConfig"),
        *("outputConfig", "safetySettings", "serviceTier", "store", "systemInstruction", "toolConfig"),
    ),
)
INTERACTIONS_REQUEST: Final = request_frame(
    RequestFrame,
    "InteractionRequest",
    (
        *("agent", "agent_config", "background", "cached_content", "continuation_token", "environment", "event_type"),
        *("generation_config", "input", "labels", "model", "previous_interaction_id", "response_format"),
        *("response_mime_type", "response_modalities", "safety_settings", "service_tier", "store", "stream"),
        *("system_instruction", "webhook_config"),
    ),
)


NOTHING: Final[JsonObject] = {"type": "object", "properties": {}}
"""The arguments of a function that declares no parameters."""

INPUT_KEYS: Final = ("parameters", "parametersJsonSchema", "parameters_json_schema")
_OUTPUT: Final = ("response", "responseJsonSchema", "response_json_schema")

# google-genai 3.6.1 (types.Tool), checked 2026-11-29.
_OWN: Final = frozenset({
    *("codeExecution", "computerUse", "enterpriseWebSearch", "exaAiSearch", "fileSearch", "googleMaps"),
    *("googleSearch", "googleSearchRetrieval", "mcpServers", "parallelAiSearch", "retrieval", "urlContext"),
})

GROUP: Final = GroupRule(("/functionDeclarations", "/function_declarations"), nameless=True)
"""A Tool, which is an entry of the tools of a request, holds its functions."""

Write = Callable[[Json, WriteContext], Any]

# reading


def as_proto(wire: str, write: Write, passes: Dialect | None = None) -> Codec:
    """A schema in the words of the API's own Schema."""

    def read(value: JsonObject, record: Record) -> JsonObject:
        return proto.read(value, lambda place, kept: record.keep(wire + place, kept))

    return Codec(read, write, lambda sub, raw, _: proto.place(sub, raw), passes=passes)


def as_json(write: Write, passes: Dialect | None = None) -> Codec:
    """A schema in JSON Schema."""
    return Codec(identity, write, passes=passes, reads=())


def after_read(record: Record) -> None:
    """A function without a statement about its parameters has none, which is noted at its name."""
    if "input" not in record.fields:
        record.put("input", {**NOTHING, "properties": {}}, "/name")


# writing


def _no_parameters(w: WriteContext) -> Any:
    """Nothing: a declaration without parameters means that there are none."""
    if w.record.family != "gemini":
        w.note_at("TB401", "", "/name")
    return UNSET


def _write_parameters(dialect: Dialect, value: JsonObject, w: WriteContext) -> Any:
    if value == NOTHING:
        return UNSET
    before = len(w.notes)
    schema = written(value, dialect, w)
    if schema.get("properties"):
        return schema
    _left_out(value, w, before)
    return UNSET


_SAYS_SOMETHING: Final = CONSTRAINTS | APPLICATORS | REFERENCES


def _left_out(value: JsonObject, w: WriteContext, before: int) -> None:
    """Note what a schema without properties says, which is not written at all."""
    notes = [note for note in w.notes[before:] if note.code not in ("TB401", "TB503")]
    w.notes[before:] = [Note(note.code, note.source) for note in notes]
    sources = {note.source for note in notes}
    widened = {note.source for note in notes if note.code != "TB103"}  # several keys may come from one place
    for key, inner in value.items():
        sub = at.join(key)
        idle = key in ("type", "properties") or key not in _SAYS_SOMETHING or inner is None or says_nothing(key, inner)
        if w.source("input", sub) in (sources if idle else widened):
            continue
        w.note("TB103" if idle else "TB201", sub, None)
    if not value:
        w.note("TB103", "", None)


def write_parameters_json(value: JsonObject, w: WriteContext) -> Any:
    return UNSET if value == NOTHING else written(value, GEMINI_JSON, w)


def _write_response(dialect: Dialect) -> Write:
    def write(value: JsonObject, w: WriteContext) -> Any:
        return fit_output(value, dialect, w.note, w.options)

    return unless_none(write)


# checking and telling apart


def check(document: JsonObject) -> tuple[str, str] | None:
    for keys in (INPUT_KEYS, _OUTPUT):
        first, *more = [key for key in keys if document.get(key) is not None] or [""]
        if more:
            return at.join(more[0]), f"has the same meaning as {first}: give only one of them"
    return None


def has_unknown_type(document: JsonObject) -> bool:
    """Whether the parameters state a type that is none of Gemini's, as `dict` in data sets."""
    parameters = document.get("parameters")
    kind = parameters.get("type") if is_object(parameters) else None
    return isinstance(kind, str) and kind.upper() not in proto.TYPES


KEY_SETS: Final = tuple(frozenset({"name", key}) for key in ("behavior", *INPUT_KEYS))
"""The keys by which a declaration is known: its name, which anything may have, and any one of the others."""


def camel(word: str) -> str:
    head, *rest = word.split("_")
    return head + "".join(map(str.capitalize, rest))


def hosted(document: JsonObject) -> bool:
    """Whether an entry of the tools of a request is one of Google's own: no function, and no list of them."""
    return GROUP(document) is None and "name" not in document and any(camel(key) in _OWN for key in document)


# google-genai 3.6.1, interactions.Tool, checked 2026-11-29.
hosted_by_interactions: Final = has_type(
    *("code_execution", "computer_use", "file_search", "google_maps", "google_search", "mcp_server", "retrieval"),
    *("tool_search", "url_context"),
)
"""Whether a tool of Interactions is one that Google runs."""


def in_json(document: JsonObject) -> int:
    """How many schemas are in JSON Schema."""
    return sum(document.get(key) is not None for key in (*INPUT_KEYS[1:], *_OUTPUT[1:]))


def in_proto(document: JsonObject) -> int:
    """How many schemas are in the API's own Schema."""
    return sum(is_object(document.get(key)) for key in (INPUT_KEYS[0], _OUTPUT[0]))


# tables


def _schemas(hub: str, keys: tuple[str, ...], proto: Codec, json: Codec) -> tuple[Row, ...]:
    """The three names of a schema. Rows of one edition only: the other edition writes the schema anew."""
    codecs = (proto, json, as_json(write_nothing))
    rows = tuple(row(at.join(key), hub, codec) for key, codec in zip(keys, codecs, strict=True))
    return rows if hub == "output" else (replace(rows[0], default=NOTHING, invent=_no_parameters), *rows[1:])


HEAD = (
    row("/name", "name", write_name(RULE), required=True),
    row("/description", "description", write_description(GEMINI.max_description), required=True, invent=describe),
)

BEHAVIOR = local("/behavior")


def _parameters(dialect: Dialect) -> tuple[Row, ...]:
    write = partial(_write_parameters, dialect)
    return (
        *HEAD,
        *_schemas("input", INPUT_KEYS, as_proto("/parameters", write, dialect), as_json(write_nothing)),
        *_schemas("output", _OUTPUT, as_proto("/response", _write_response(dialect)), as_json(write_nothing)),
        BEHAVIOR,
    )


PARAMETERS, VERTEX = _parameters(GEMINI), _parameters(GEMINI_VERTEX)

JSON_SCHEMA = (
    *HEAD,
    *_schemas("input", INPUT_KEYS, as_proto("/parameters", write_nothing), as_json(write_parameters_json, GEMINI_JSON)),
    *_schemas("output", _OUTPUT, as_proto("/response", write_nothing), as_json(_write_response(GEMINI_JSON))),
    BEHAVIOR,
)

INTERACTIONS = (
    *(openai.TYPE, *openai.head("", GEMINI_INTERACTIONS, RULE)),
    *(row("/defer_loading", "defer_loading"), local("/short_description")),
)
