"""Calls and results of Arcade's engine: models, names, codecs and rows."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType, field
from msgspec.structs import replace

from ...data import pointer as at
from ...data.types import JsonObject, is_list, is_object
from ...errors import DocumentError
from ...mapping import (
    AS_OBJECT,
    Block,
    Call,
    Codec,
    Record,
    Result,
    Row,
    Shape,
    Table,
    Wire,
    WriteContext,
    borrow,
    from_context,
    has,
    hash_id,
    id_codec,
    identity,
    invent,
    invent_id,
    local,
    no_arguments,
    one_text,
    rewrite,
    row,
    write_nothing,
)
from .call_context import write_engine_context, write_otc_context
from .outcome import DETAILS, Outcome, ToolError, fails
from .tools import FAMILY, TOOLKIT, VERSION, flat_name, name_in_toolkit, toolkit_name

# models


class ToolReference(Wire, kw_only=True):
    """The tool that is called; the version is that of its toolkit."""

    name: str
    toolkit: str
    version: str | UnsetType | None = UNSET


class ToolContext(Wire, kw_only=True):
    """The user on whose behalf a call is made.

    The other fields (`authorization` with a token and data of the provider about the user, `secrets`, `metadata`) are
    for the tool alone, so they are kept like unknown fields.
    """

    user_id: str | UnsetType | None = UNSET


class ToolCallRequest(Wire, kw_only=True):
    """A call, as Arcade's engine sends it to a worker."""

    run_id: str | UnsetType | None = UNSET
    execution_id: str | UnsetType | None = UNSET
    created_at: str | UnsetType | None = UNSET
    tool: ToolReference
    inputs: dict[str, Any] | UnsetType | None = UNSET
    context: ToolContext | UnsetType = UNSET


class ExecuteToolRequest(Wire, kw_only=True):
    """A call, as a client sends it to Arcade's cloud; `tool_name` is `Toolkit.Tool`."""

    tool_name: str
    input: dict[str, Any] | UnsetType | None = UNSET
    tool_version: str | UnsetType | None = UNSET
    user_id: str | UnsetType | None = UNSET
    run_at: str | UnsetType | None = UNSET
    include_error_stacktrace: bool | UnsetType | None = UNSET


class ToolCallError(Wire, kw_only=True):
    """The error of a tool. `kind` is its category; `stacktrace` is for people only."""

    message: str
    kind: str
    developer_message: str | UnsetType | None = UNSET
    can_retry: bool | UnsetType | None = UNSET
    additional_prompt_content: str | UnsetType | None = UNSET
    retry_after_ms: int | UnsetType | None = UNSET
    stacktrace: str | UnsetType | None = UNSET
    status_code: int | UnsetType | None = UNSET
    extra: dict[str, Any] | UnsetType | None = UNSET


class RequiresAuthorization(Wire, kw_only=True):
    """The authorization that the user must give first."""

    authorization_url: str | UnsetType | None = UNSET
    authorization_id: str | UnsetType | None = UNSET
    scopes: list[str] | UnsetType | None = UNSET
    status: str | UnsetType | None = UNSET


class ToolCallOutput(Wire, kw_only=True):
    """A value or an error, and logs; all other fields may be null."""

    value: Any = UNSET
    logs: list[dict[str, Any]] | UnsetType | None = UNSET
    error: ToolCallError | UnsetType | None = UNSET
    requires_authorization: RequiresAuthorization | UnsetType | None = UNSET


class ToolCallResponse(Wire, kw_only=True):
    """The response to a call. `duration` is in milliseconds."""

    execution_id: str
    finished_at: str
    duration: float
    success: bool
    output: ToolCallOutput | UnsetType | None = UNSET


class OtcToolReference(Wire, kw_only=True, forbid_unknown_fields=True):
    """The tool that is called, in the draft."""

    name: str
    toolkit: str
    version: str


class OtcContext(Wire, kw_only=True):
    """The context of a call in the draft: secrets are a map, the provider's data about the user is `user_info`."""

    user_id: str | UnsetType = UNSET


class OtcToolCallRequest(Wire, kw_only=True, forbid_unknown_fields=True):
    """A call in the draft."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    run_id: str
    execution_id: str
    created_at: str
    tool: OtcToolReference
    inputs: dict[str, Any]
    context: OtcContext


class OtcToolCallError(ToolError, kw_only=True, forbid_unknown_fields=True):
    """The error of a tool, in the draft."""


class OtcRequiresAuthorization(Wire, kw_only=True, forbid_unknown_fields=True):
    """The authorization that the user must give first, in the draft."""

    id: str
    status: str
    url: str | UnsetType = UNSET
    scopes: list[str] | UnsetType = UNSET


class OtcArtifactMeta(Wire, kw_only=True, forbid_unknown_fields=True):
    """The description of an artifact."""

    description: str


class OtcArtifact(Wire, kw_only=True, forbid_unknown_fields=True):
    """A file that the tool has stored. `size` is in bytes."""

    url: str
    content_type: str
    size: int
    meta: OtcArtifactMeta


class OtcOutput(Wire, kw_only=True, forbid_unknown_fields=True):
    """Exactly one of these fields; the value is neither a list nor null."""

    value: dict[str, Any] | str | float | bool | UnsetType = UNSET
    error: OtcToolCallError | UnsetType = UNSET
    requires_authorization: OtcRequiresAuthorization | UnsetType = UNSET
    artifact: OtcArtifact | UnsetType = UNSET


class OtcToolCallResponse(Wire, kw_only=True, forbid_unknown_fields=True):
    """The response to a call in the draft, whose schema requires an `invocation_id` that it also forbids."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    execution_id: str
    finished_at: str
    duration: float | UnsetType = UNSET
    success: bool
    output: OtcOutput | UnsetType = UNSET


# values

_PENDING_AUTHORIZATION: Final = "/output/requires_authorization"

_ENGINE_KEYS: Final = {"id": "authorization_id", "url": "authorization_url", "scopes": "scopes", "status": "status"}
"""The engine's names of the fields of a missing authorization, by those of the draft."""

_URL: Final = f"{_PENDING_AUTHORIZATION}/{_ENGINE_KEYS['url']}"
_REQUIRED: Final = "Authorization required"


def _pending_authorization(w: WriteContext) -> JsonObject | None:
    """The missing authorization of a result of this family, if the result has nothing else."""
    challenge = at.get(w.record.document, _PENDING_AUTHORIZATION, None) if w.record.family == FAMILY else None
    own = w.places.get("problem.message", _PENDING_AUTHORIZATION).startswith(_PENDING_AUTHORIZATION)
    return challenge if is_object(challenge) and own and w.fields.keys().isdisjoint(("content", "data")) else None


def _read_url(value: str, record: Record) -> Any:
    """The missing authorization as the reason of the failure, unless the result has an error."""
    if "/output/error/message" in record.raw:
        record.keep(_URL, value)
        return UNSET
    return f"{_REQUIRED}: {value}"


def _settle_pending_authorization(record: Record) -> None:
    """A missing authorization is an error without a URL, too, and in the draft, which has no row for that."""
    challenge = at.get(record.document, _PENDING_AUTHORIZATION, None)
    if "problem.message" not in record.fields and is_object(challenge):
        reason = f"{_REQUIRED}: {challenge['url']}" if "url" in challenge else _REQUIRED
        borrow(record, "problem.message", reason, _PENDING_AUTHORIZATION)


_UNKNOWN_TIME: Final = "1970-01-01T00:00:00Z"
"""The time of a call that has none, where one is required; it is obviously not the real one."""

UNKNOWN: Final = "UNKNOWN"

# ErrorKind in arcade_core/errors.py 4.23.0 (checked 2026-11-21). The cloud has one more, which arcade-core refuses.
_KINDS: Final = frozenset((
    *("TOOLKIT_LOAD_FAILED", "TOOL_DEFINITION_BAD_DEFINITION", "TOOL_DEFINITION_BAD_INPUT_SCHEMA"),
    *("TOOL_DEFINITION_BAD_OUTPUT_SCHEMA", "TOOL_RUNTIME_BAD_INPUT_VALUE", "TOOL_RUNTIME_BAD_OUTPUT_VALUE"),
    *("TOOL_RUNTIME_RETRY", "TOOL_RUNTIME_CONTEXT_REQUIRED", "TOOL_RUNTIME_FATAL", "UPSTREAM_RUNTIME_BAD_REQUEST"),
    *("UPSTREAM_RUNTIME_AUTH_ERROR", "UPSTREAM_RUNTIME_NOT_FOUND", "UPSTREAM_RUNTIME_VALIDATION_ERROR"),
    *("UPSTREAM_RUNTIME_RATE_LIMIT", "UPSTREAM_RUNTIME_SERVER_ERROR", "UPSTREAM_RUNTIME_UNMAPPED"),
    *("NETWORK_TRANSPORT_RUNTIME_TIMEOUT", "NETWORK_TRANSPORT_RUNTIME_UNREACHABLE"),
    *("NETWORK_TRANSPORT_RUNTIME_UNMAPPED", UNKNOWN),
))


def _read_name(value: str, record: Record) -> str:
    return flat_name(record.raw["/tool/toolkit"], value, record.raw.get("/tool/version"))


def _write_name(value: str, w: WriteContext) -> str:
    """The name of a tool within its toolkit, from a document of this family or as tools are written."""
    own = w.record.raw.get("/tool/name") if w.record.family == FAMILY else None
    name = own or name_in_toolkit(w.record, w.fields.get("toolkit"), value)
    if flat_name(_toolkit(w), name, w.fields.get("version")) != value:
        w.note("TB501")
    return name


def _toolkit(w: WriteContext) -> str:
    toolkit: str | None = w.fields.get("toolkit")
    return toolkit if toolkit and w.record.family == FAMILY else toolkit_name(toolkit)


def _no_run(w: WriteContext) -> str:
    """The id of a run that has this call only."""
    w.note_at("TB401", "", "/run_id")
    content = [w.number, w.fields["name"], w.fields.get("arguments")]
    return "run_" + hash_id(msgspec.json.encode(content, order="deterministic").decode(), 24)


def _read_full_name(value: str, record: Record) -> str:
    """The name within the toolkit; the toolkit and its version are read from the full name, too."""
    full_name, _, version = value.partition("@")
    toolkit, dot, tool = full_name.partition(".")
    for path, part in (("toolkit", toolkit if dot else ""), ("version", version)):
        if part:
            record.put(path, part, "/tool_name")
    return flat_name(toolkit, tool, record.raw.get("/tool_version") or version or None) if dot else value


def _write_full_name(value: str, w: WriteContext) -> str:
    w.mark_written("toolkit")
    return f"{toolkit_name(w.fields.get('toolkit'))}.{name_in_toolkit(w.record, w.fields.get('toolkit'), value)}"


def _write_kind(value: Any, w: WriteContext) -> Any:
    if not fails(w):
        w.note("TB702", "", None)
        return UNSET
    if value in _KINDS:
        return value
    w.note("TB702")
    return UNKNOWN


def _no_kind(w: WriteContext) -> Any:
    if not fails(w) or "error" not in w.out.get("output", {}):
        return UNSET
    w.note_at("TB401", "", "/output/error/kind")
    return UNKNOWN


class _Outcome(Outcome):
    """The outcome of the engine."""

    def before_write(self, w: WriteContext) -> None:
        """Write a missing authorization of the draft with the names of the engine."""
        challenge = w.record.local.get(FAMILY, {}).get(_PENDING_AUTHORIZATION)
        if is_object(challenge):
            for key in ("id", "url"):
                if key in challenge:
                    w.put(f"{_PENDING_AUTHORIZATION}/{_ENGINE_KEYS[key]}", challenge[key])
                    w.mark_places_written(f"{_PENDING_AUTHORIZATION}/{key}")

    def has_replacement(self, w: WriteContext) -> bool:
        """Whether the result is a missing authorization, which needs no error."""
        return _pending_authorization(w) is not None


class _OtcOutcome(Outcome):
    """The outcome of the draft, which has exactly one field."""

    def before_write(self, w: WriteContext) -> None:
        """Omit an empty output."""
        if w.record.local.get(FAMILY, {}).get("/output") == {}:
            w.note_at("TB101", "/output", None)
            w.mark_places_written("/output")

    def has_replacement(self, w: WriteContext) -> bool:
        """Whether a missing authorization was written with the draft's names, because nothing else is known."""
        challenge = _pending_authorization(w) or {}
        authorization = {key: challenge[name] for key, name in _ENGINE_KEYS.items() if challenge.get(name) is not None}
        if not {"id", "status"} <= authorization.keys():
            return False
        w.put(_PENDING_AUTHORIZATION, authorization)
        w.mark_places_written(*(f"{_PENDING_AUTHORIZATION}/{_ENGINE_KEYS[key]}" for key in authorization))
        return True

    def value_of(self, w: WriteContext) -> Any:
        """The value of a result, which is neither a list nor null."""
        content: list[Record] = w.fields.get("content", [])
        if (
            "data" not in w.fields
            and content
            and (len(content) > 1 or content[0].fields["kind"] not in ("text", "json"))
        ):
            return one_text(w, self.value)
        value = super().value_of(w)
        place = w.source("data") or (content[0].base if content else "")
        if value is None:
            w.note_at("TB101", place, None)
            return UNSET
        if is_list(value):
            w.note_at("TB703", place, self.value)
            return msgspec.json.encode(value).decode()
        return value


def _read_artifact(value: JsonObject, record: Record) -> list[Record]:
    """A stored file as a link."""
    block = _ARTIFACT.open(value, record.family)
    block.fields["kind"] = "link"
    block.base = "/output/artifact"
    return [block]


def _check(document: JsonObject) -> tuple[str, str] | None:
    context = document.get("context", {})
    if not isinstance(context.get("authorization"), dict | None):
        return "/context/authorization", "expected an object"
    if not isinstance(context.get("secrets"), list | None):
        return "/context/secrets", "expected a list"
    return None


def _settle_otc(record: Record) -> None:
    """Check the types of context fields that the model of the draft does not have."""
    for key in ("authorization", "secrets", "user_info"):
        if not is_object(record.document["context"].get(key, {})):
            raise DocumentError("expected an object", f"/context/{key}")


def _check_output(document: JsonObject) -> tuple[str, str] | None:
    output: JsonObject = document.get("output", {"value": ""})
    present = [key for key in ("value", "error", "requires_authorization", "artifact") if key in output]
    if len(present) == 1:
        return None
    return "/output", f"expected a value, an error, requires_authorization or an artifact, found {len(present)} of them"


# tables

_PENDING_ROWS_4: Final[tuple[Row, ...]] = (
    replace(row(_URL, "problem.message", Codec(_read_url, write_nothing)), code="TB702"),
    *(local(f"{_PENDING_AUTHORIZATION}/{_ENGINE_KEYS[key]}", code="TB702") for key in ("id", "scopes", "status")),
)

_OUTCOME = _Outcome("/success", "/output", {**DETAILS, "status_code": ("problem.status", int)})
_OTC_OUTCOME = _OtcOutcome("/success", "/output", DETAILS, nullable=False)

_ARTIFACT = Table(
    OtcArtifact,
    *(row("/url", "address", required=True), row("/content_type", "mime"), row("/size", "size")),
    row("/meta/description", "description"),
    of=Block,
)


def _tool(*, version: bool) -> tuple[Row, ...]:
    toolkit = Codec(identity, rewrite(from_context(_toolkit)))
    return (
        row("/tool/name", "name", Codec(_read_name, _write_name), required=True),
        row("/tool/toolkit", "toolkit", toolkit, required=True, invent=invent(TOOLKIT)),
        row("/tool/version", "version", required=version, invent=invent(VERSION)),
    )


def _id(*, required: bool) -> Row:
    return row("/execution_id", "id", id_codec(), required=required, invent=invent_id())


def _envelope(*, required: bool) -> tuple[Row, ...]:
    return (
        *(local("/run_id", required=required, invent=_no_run), _id(required=required)),
        local("/created_at", required=required, invent=invent(_UNKNOWN_TIME, "/created_at")),
    )


# Other fields of the context are for the tool alone.
_USER = (row("/context/user_id", "user"), local("/context", code="TB605"))

_CALL_4 = Table(
    ToolCallRequest,
    *(*_envelope(required=False), *_tool(version=False)),
    *(row("/inputs", "arguments", AS_OBJECT), *_USER),
    before_write=write_engine_context,
    of=Call,
    check=_check,
)

_CALL_OTC = Table(
    OtcToolCallRequest,
    *(local("/$schema"), *_envelope(required=True), *_tool(version=True)),
    row("/inputs", "arguments", AS_OBJECT, required=True, invent=no_arguments),
    *(_USER[0], local("/context", required=True, code="TB605", invent=invent({}, "/context"))),
    of=Call,
    closed=("", "/tool"),
    after_read=_settle_otc,
    before_write=write_otc_context,
)

_EXECUTE = Table(
    ExecuteToolRequest,
    row("/tool_name", "name", Codec(_read_full_name, _write_full_name), required=True),
    *(row("/input", "arguments", AS_OBJECT), row("/tool_version", "version"), row("/user_id", "user")),
    *(local("/run_at"), local("/include_error_stacktrace")),
    also_writes=("toolkit",),  # in the name
    of=Call,
)

_RESULT_4 = Table(
    ToolCallResponse,
    *(_id(required=True), local("/finished_at", required=True, default=_UNKNOWN_TIME)),
    *(row("/duration", "duration", required=True, invent=invent(0)), *_OUTCOME.rows),
    row("/output/error/kind", "problem.kind", Codec(identity, _write_kind), required=True, invent=_no_kind),
    *(local("/output/error/stacktrace", code="TB702"), local("/output/error/extra", code="TB702")),
    local("/output/logs"),
    *_PENDING_ROWS_4,
    of=Result,
    after_read=_settle_pending_authorization,
    before_write=_OUTCOME.before_write,
)

_RESULT_OTC = Table(
    OtcToolCallResponse,
    *(local("/$schema"), _id(required=True)),
    local("/finished_at", required=True, default=_UNKNOWN_TIME),
    row("/duration", "duration"),
    *_OTC_OUTCOME.rows,
    local(_PENDING_AUTHORIZATION, code="TB702"),
    row("/output/artifact", "content", Codec(_read_artifact, write_nothing)),
    of=Result,
    after_read=_settle_pending_authorization,
    before_write=_OTC_OUTCOME.before_write,
    closed=("", "/output", "/output/error", _PENDING_AUTHORIZATION),
    check=_check_output,
)


_IS_CALL: Final = has(tool=has("name", without=("fully_qualified_name",)))
_SURELY_CALL: Final = has(
    tool=has("toolkit", only=("name", "toolkit", "version")), any_of=("inputs", "context", "execution_id", "run_id")
)
_IS_EXECUTE: Final = has(tool_name=str, without=("role",))
_IS_RESULT: Final = has("execution_id", "success")


def _surely_execute(document: JsonObject) -> bool:
    return _IS_EXECUTE(document) and "input" in document and not _EXECUTE.unknown_keys(document)


# formats

CALLS_4 = (
    Shape(name="call", table=_CALL_4, matches=_IS_CALL, identifies=_SURELY_CALL, secrets=("/context",)),
    Shape(name="execute", table=_EXECUTE, matches=_IS_EXECUTE, identifies=_surely_execute, written=False),
)

CALLS_OTC = (Shape(name="call", table=_CALL_OTC, matches=_IS_CALL, identifies=_SURELY_CALL, secrets=("/context",)),)
RESULTS_4 = (Shape(name="response", table=_RESULT_4, matches=_IS_RESULT),)
RESULTS_OTC = (Shape(name="response", table=_RESULT_OTC, matches=_IS_RESULT),)
