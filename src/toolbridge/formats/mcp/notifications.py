"""Notifications, requests for lists, and what only the protocol itself says, by edition of MCP: models and rows."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import fields

from ...data.types import JsonObject, is_object
from ...mapping import Shape, Wire, all_of, has, local, never, row
from .exchange import Test, exact, item, notification, request, since
from .messages import BLOCKS, VERSION, extended
from .sampling import IS_TOOL_RESULT, ModelPreferences
from .tools import STATELESS

# models


class ErrorObject(Wire, kw_only=True):
    """What went wrong with a request."""

    code: int
    message: str
    data: Any = UNSET


class AnyMessage(Wire, kw_only=True):
    """A request, a notification or a response of any other method."""

    jsonrpc: Literal["2.0"]
    id: str | int | UnsetType = UNSET
    method: str | UnsetType = UNSET
    params: dict[str, Any] | UnsetType = UNSET
    result: dict[str, Any] | UnsetType = UNSET


class AnyResult(Wire, kw_only=True, rename="camel"):
    """The result of a request of any other method (2026-07-28)."""

    result_type: str


class Capabilities(Wire, kw_only=True):
    """What a client or a server can do."""

    completions: dict[str, Any] | UnsetType = UNSET
    elicitation: dict[str, Any] | UnsetType = UNSET
    experimental: dict[str, Any] | UnsetType = UNSET
    extensions: dict[str, Any] | UnsetType = UNSET
    logging: dict[str, Any] | UnsetType = UNSET
    prompts: dict[str, Any] | UnsetType = UNSET
    resources: dict[str, Any] | UnsetType = UNSET
    roots: dict[str, Any] | UnsetType = UNSET
    sampling: dict[str, Any] | UnsetType = UNSET
    tasks: dict[str, Any] | UnsetType = UNSET
    tools: dict[str, Any] | UnsetType = UNSET


class SimpleSchema(Wire, kw_only=True, rename="camel"):
    """The schema of one answer in a form: a text, a number, true or false, or a choice."""

    type: Literal["string", "number", "integer", "boolean", "array"]
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    default: Any = UNSET
    min_length: int | UnsetType = UNSET
    max_length: int | UnsetType = UNSET
    format: Literal["email", "uri", "date", "date-time"] | UnsetType = UNSET
    minimum: float | UnsetType = UNSET
    maximum: float | UnsetType = UNSET
    enum: list[str] | UnsetType = UNSET
    enum_names: list[str] | UnsetType = UNSET
    one_of: list[dict[str, Any]] | UnsetType = UNSET
    items: dict[str, Any] | UnsetType = UNSET
    min_items: int | UnsetType = UNSET
    max_items: int | UnsetType = UNSET


class Content(Wire, kw_only=True):
    """A block of content that stands alone."""

    type: str


class Inputs(Wire, kw_only=True):
    """What a server asks for before it answers, or the answers, by key (2026-07-28)."""


class _Params(Wire, kw_only=True, rename={"meta": "_meta"}):
    meta: dict[str, Any] | UnsetType = UNSET


class LoggingMessageParams(_Params, kw_only=True):
    """Something that a server logs."""

    level: Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
    data: Any
    logger: str | UnsetType = UNSET


class ProgressParams(_Params, kw_only=True, rename={"progress_token": "progressToken"}):
    """How far a request is, in 2024-11-05."""

    progress_token: str | int
    progress: float
    total: float | UnsetType = UNSET


ProgressParams20250326 = extended(ProgressParams, "2025-03-26", message=str)


class ResourceUpdatedParams(_Params, kw_only=True):
    """Which resource changed."""

    uri: str


class ElicitationCompleteParams(_Params, kw_only=True, rename={"elicitation_id": "elicitationId"}):
    """Which page the user has done with (2025-11-25)."""

    elicitation_id: str


class CancelledParams(_Params, kw_only=True, rename={"request_id": "requestId"}):
    """Which request is cancelled, and why."""

    request_id: str | int
    reason: str | UnsetType = UNSET


class ListChangedParams(_Params, kw_only=True):
    """The parameters of a notification that says no more than that a list changed."""


class ListParams(_Params, kw_only=True):
    """Where a list is to go on."""

    cursor: str | UnsetType = UNSET


# values

_LISTS: Final = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")


# tables

LOG: Final = (
    *(row("/level", "level", required=True), row("/data", "data", required=True, nullable=True)),
    row("/logger", "logger"),
)

PROGRESS: Final = (
    *(row("/progressToken", "token", required=True), row("/progress", "progress", required=True)),
    *(row("/total", "total"), row("/message", "text")),
)

UPDATED: Final = (row("/uri", "address", required=True),)

COMPLETE: Final = (row("/elicitationId", "elicitation", required=True),)

CANCELLED: Final = (local("/requestId", required=True), local("/reason"))

# formats


LOGS: Final = notification("log", "notifications/message", LoggingMessageParams, LOG)


def progress(edition: str) -> tuple[Shape, ...]:
    model = since(edition, {"2024": ProgressParams, "2025-03-26": ProgressParams20250326})
    return notification("progress", "notifications/progress", model, PROGRESS)


def notifications(edition: str) -> tuple[Shape, ...]:
    changed = [  # whole messages: the parameters do not say which list changed
        notification(what, f"notifications/{what}/list_changed", ListChangedParams, (), optional=True)[1]
        for what in ("tools", "resources", "prompts", *(() if edition >= STATELESS else ("roots",)))
    ]
    done = ()
    if edition == "2025-11-25":
        done = notification("complete", "notifications/elicitation/complete", ElicitationCompleteParams, COMPLETE)
    return (
        *notification("updated", "notifications/resources/updated", ResourceUpdatedParams, UPDATED),
        *done,
        *notification("cancelled", "notifications/cancelled", CancelledParams, CANCELLED),
        *changed,
    )


def list_requests(edition: str) -> tuple[Shape, ...]:
    cursor = (row("/cursor", "cursor"),)
    asks = all_of(has(any_of=("_meta", "cursor")), exact(ListParams), _is_sure)
    return (
        *request("request", edition, _LISTS, ListParams, cursor, optional=True, matches=_IS_BARE, identifies=asks),
        # The parameters of a request for roots cannot be distinguished from those of other lists.
        *request("roots", edition, "roots/list", ListChangedParams, (), optional=True, by_client=False)[1:],
    )


_IS_BARE: Final = has(without=("jsonrpc", "method", "params", "context"))


def _is_sure(document: JsonObject) -> bool:
    meta = document.get("_meta")
    return "cursor" in document or (is_object(meta) and VERSION in meta)


def _free(role: str, model: type[Struct], identifies: Test, matches: Test | None = None) -> Shape:
    """The shape of a document that no other family has."""
    rows = [local(f"/{each.encode_name}", required=each.required) for each in fields(model)]
    return item(model, rows, role, identifies, matches=matches or identifies)


def _is_capabilities(document: JsonObject) -> bool:
    if not (_are_inputs(document) and exact(Capabilities)(document)):
        return False
    # The capability has flags (2024-11-05 to 2026-07-28: listChanged, checked 2026-11-27); tools by name are none.
    return not any(map(is_object, document.get("tools", {}).values()))


_SIMPLE: Final = ("string", "number", "integer", "boolean", "array")


def _is_content(document: JsonObject) -> bool:
    return next(BLOCKS.problems([document]), None) is None or IS_TOOL_RESULT(document)


def _are_inputs(document: JsonObject) -> bool:
    return len(document) > 0 and all(map(is_object, document.values()))


PROTOCOL: Final = (
    _free("error", ErrorObject, all_of(has(code=int, message=str), exact(ErrorObject))),
    _free("message", AnyMessage, all_of(has(any_of=("method", "result")), exact(AnyMessage))),
    _free("result", AnyResult, has(resultType="complete")),
    _free("field", SimpleSchema, all_of(has(type=_SIMPLE), exact(SimpleSchema))),
    _free("content", Content, all_of(has("type"), _is_content), has("type")),
    _free("capabilities", Capabilities, _is_capabilities),
    _free("preferences", ModelPreferences, all_of(bool, exact(ModelPreferences))),
    _free("inputs", Inputs, never, _are_inputs),
)
