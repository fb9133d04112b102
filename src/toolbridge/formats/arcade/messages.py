"""Calls and results of the Open eXecution Protocol, alone or in the messages of its HTTP interface."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

from msgspec import UNSET, UnsetType, field

from ...data.types import JsonObject, is_list, is_object
from ...mapping import (
    AS_OBJECT,
    Call,
    Codec,
    Record,
    Result,
    Row,
    Shape,
    Table,
    Wire,
    all_of,
    as_text,
    borrow,
    has,
    id_codec,
    invent_id,
    local,
    place_of_row,
    row,
    settle_failed,
    write_nothing,
)
from ..arcade_engine.outcome import DETAILS, Outcome, ToolError
from .tools import PATTERN, called_at, matching

# models

Id = Annotated[str, matching(PATTERN, "Toolkit.Tool, which means the newest, or Toolkit.Tool@x.y.z")]


class Context(Wire, kw_only=True):
    """For whom a call is made, with the tokens and secrets that the tool needs. An open object."""

    authorization: list[dict[str, Any]] | UnsetType = UNSET
    secrets: list[dict[str, Any]] | UnsetType = UNSET
    user_id: str | UnsetType = UNSET


class CallToolRequest(Wire, kw_only=True, forbid_unknown_fields=True):
    """A call. `call_id` makes it the same when it is sent again."""

    tool_id: Id
    call_id: str | UnsetType = UNSET
    trace_id: str | UnsetType = UNSET
    input: dict[str, Any] | UnsetType = UNSET
    context: Context | UnsetType = UNSET


class CallToolMessage(Wire, kw_only=True):
    """What is sent to make a call."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    request: CallToolRequest


class CallToolResponse(Wire, kw_only=True, forbid_unknown_fields=True):
    """What came of a call: a value, which may be null or absent, or an error. `duration` in milliseconds."""

    call_id: str
    success: bool
    duration: float | UnsetType = UNSET
    value: Any = UNSET
    error: ToolError | UnsetType = UNSET


class CallToolResponseMessage(Wire, kw_only=True):
    """What is answered to a call."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    result: CallToolResponse


class ServerErrorResponse(Wire, kw_only=True):
    """The response (400) to a request that could not be processed; `missing_requirements` since the errata."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    message: str
    developer_message: str | UnsetType = UNSET
    missing_requirements: dict[str, Any] | UnsetType = UNSET


class ValidationErrorResponse(Wire, kw_only=True):
    """The response (422) to a call whose input is not what the tool takes."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    message: str
    parameter_errors: dict[str, Any]


# values


def _check(document: JsonObject, base: str) -> tuple[str, str] | None:
    """A value or an error: the published schema forbids both, so it is not the one to ask."""
    result = document[base[1:]] if base else document
    if result["success"]:
        return (f"{base}/error", "there is none where a call succeeded") if "error" in result else None
    if "error" not in result:
        return f"{base}/error", "required where a call failed, but missing"
    return (f"{base}/value", "there is none where a call failed") if "value" in result else None


def _repair(document: JsonObject, base: str) -> Iterator[str]:
    """What is dumped with every field has a null too many; a failure without words is one all the same."""
    result = document.get(base[1:]) if base else document
    if not is_object(result) or result.get("success") is not False:
        return
    if result.get("value", UNSET) is None:
        del result["value"]
        yield f"{base}/value"
    if result.get("error") is None:
        result["error"] = {"message": ""}
        yield f"{base}/error"


_settle_refusal = settle_failed("/message")


def _read_errors(value: JsonObject, _: Record) -> Any:
    """What is wrong with each argument, a line for each: a model needs no more to put its call right."""
    return "\n".join(f"{name}: {as_text(problem)}" for name, problem in value.items()) or UNSET


def _settle_missing(record: Record) -> None:
    """A refused call failed; the result for the model names what is missing, and where a user would sign in."""
    _settle_refusal(record)
    lines = [_missing(kind, value) for kind, value in record.document.get(_MISSING[1:], {}).items() if value]
    if lines:
        borrow(record, "problem.prompt", "\n".join(lines), _MISSING)  # the whole of it is for programs


def _missing(kind: str, value: Any) -> str:
    each = [item for item in value if is_object(item)] if is_list(value) else []
    entries = (": ".join(str(item[key]) for key in ("id", "url") if item.get(key)) for item in each)
    return f"missing {kind}: {', '.join(entries)}".rstrip(": ")


# tables

_SCHEMA = local("/$schema")


def _call(model: type[Wire], base: str, *envelope: Row) -> Table:
    """The table of a call at `base`. Whatever else its context holds is for the tool alone."""
    return Table(
        model,
        *envelope,
        row(f"{base}/tool_id", "name", called_at(f"{base}/tool_id"), required=True),
        *(row(f"{base}/call_id", "id", id_codec()), local(f"{base}/trace_id")),
        row(f"{base}/input", "arguments", AS_OBJECT),
        local(f"{base}/context/authorization", code="TB605"),
        local(f"{base}/context/secrets", code="TB605"),
        row(f"{base}/context/user_id", "user"),
        local(f"{base}/context", code="TB605"),
        also_writes=("toolkit", "version"),  # in the id, which has but one row
        of=Call,
        closed=(base,),
    )


def _result(model: type[Wire], base: str, *envelope: Row) -> Table:
    return Table(
        model,
        *(*envelope, row(f"{base}/call_id", "id", id_codec(), required=True, invent=invent_id())),
        *(row(f"{base}/duration", "duration"), *Outcome(f"{base}/success", base, DETAILS).rows),
        of=Result,
        closed=(base,),
        check=partial(_check, base=base),
        repair=partial(_repair, base=base),
    )


_MISSING = "/missing_requirements"
_PROBLEM = (_SCHEMA, row("/message", "problem.message", required=True))
_REFUSED = Table(
    ServerErrorResponse,
    *(*_PROBLEM, row("/developer_message", "problem.developer"), local(_MISSING, code="TB702")),
    of=Result,
    after_read=_settle_missing,
)
_INVALID = Table(
    ValidationErrorResponse,
    *(*_PROBLEM, row("/parameter_errors", "problem.prompt", Codec(_read_errors, write_nothing, place_of_row))),
    of=Result,
    after_read=_settle_refusal,
)


_IS_RESULT = has("success", without=("execution_id",))
_IS_REFUSAL = has(message=str, without=("result", "success", "role"))
_REFUSED_FOR = ("developer_message", "missing_requirements")
_SURELY_REFUSAL = all_of(_IS_REFUSAL, has(any_of=_REFUSED_FOR, only=("$schema", "message", *_REFUSED_FOR)))


# formats

CALLS = (
    Shape(
        name="call",
        table=_call(CallToolRequest, ""),
        matches=has("tool_id"),
        identifies=has(tool_id=str),
        secrets=("/context",),
    ),
    Shape(
        name="message",
        table=_call(CallToolMessage, "/request", _SCHEMA),
        matches=has(request=has("tool_id")),
        whole=True,
        secrets=("/request/context",),
    ),
)
RESULTS = (
    Shape(
        name="result",
        table=_result(CallToolResponse, ""),
        matches=_IS_RESULT,
        identifies=all_of(_IS_RESULT, has("call_id", success=bool)),
    ),
    Shape(
        name="message",
        table=_result(CallToolResponseMessage, "/result", _SCHEMA),
        matches=has(result=_IS_RESULT, without=("jsonrpc",)),
        whole=True,
    ),
    Shape(
        name="invalid",
        table=_INVALID,
        matches=all_of(_IS_REFUSAL, has(parameter_errors=dict)),
        whole=True,
        written=False,
    ),
    Shape(name="refused", table=_REFUSED, matches=_IS_REFUSAL, identifies=_SURELY_REFUSAL, whole=True, written=False),
)
