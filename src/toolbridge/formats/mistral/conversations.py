"""Calls and results of Mistral's Conversations API, which are entries of a conversation: models and rows."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import UNSET, UnsetType

from ...data.types import JsonObject
from ...mapping import (
    AS_EITHER,
    Call,
    Result,
    Shape,
    Table,
    Wire,
    has,
    has_type,
    id_codec,
    invent_id,
    local,
    no_arguments_text,
    row,
)
from ..function_tools import fixed
from ..openai.content import one
from ..openai.messages import NAMED

# models


class _Entry(Wire, kw_only=True):
    object: Literal["entry"] | UnsetType | None = UNSET
    id: str | UnsetType | None = UNSET
    created_at: str | UnsetType | None = UNSET
    completed_at: str | UnsetType | None = UNSET


class _Call(_Entry, kw_only=True):
    type: Literal["function.call"]
    tool_call_id: str
    name: str
    arguments: dict[str, Any] | str
    agent_id: str | UnsetType | None = UNSET
    model: str | UnsetType | None = UNSET


class FunctionCallEntry(_Call, kw_only=True):
    """An entry in which a model calls a function; `arguments` are an object, or JSON text."""

    confirmation_status: str | UnsetType | None = UNSET


class PendingCallEntry(_Call, kw_only=True):
    """An entry with a call that waits for a confirmation, after which the service runs it (extra/run/deferred.py)."""

    confirmation_status: Literal["pending"]


class FunctionResultEntry(_Entry, kw_only=True):
    """An entry with what a function gave back, as text."""

    type: Literal["function.result"]
    tool_call_id: str
    result: str


# tables

# The service answers with ids of other lengths than those of chat completions ("chatcmpl-tool-..."). Nine letters and
# digits suit chat completions, too.
_ID: Final = row("/tool_call_id", "id", id_codec(), required=True, invent=invent_id("", 9))
_TIMES: Final = (local("/id"), local("/created_at"), local("/completed_at"))

CALL: Final = (
    *(fixed("/object", "id", "entry", required=False), fixed("/type", "id", "function.call"), _ID),
    row("/name", "name", NAMED, required=True),
    *(row("/arguments", "arguments", AS_EITHER, required=True, invent=no_arguments_text), *_TIMES),
    *(local("/agent_id"), local("/model"), local("/confirmation_status")),
)

RESULT: Final = (
    *(fixed("/object", "content", "entry", required=False), fixed("/type", "content", "function.result")),
    *(_ID, one("/result"), *_TIMES),
)

# formats

_IS_PENDING: Final = has(type="function.call", confirmation_status="pending")


def _is_call(document: JsonObject) -> bool:
    return document.get("type") == "function.call" and not _IS_PENDING(document)


CALLS: Final = (
    Shape(
        name="entry",
        table=Table(FunctionCallEntry, *CALL, of=Call),
        matches=_is_call,
        identifies=has("tool_call_id", "name", type="function.call"),
    ),
    # A caller must not run what the service runs; in a log it is a call all the same.
    Shape(
        name="hosted",
        table=Table(PendingCallEntry, *CALL, of=Call),
        matches=_IS_PENDING,
        written=False,
        hosted=True,
    ),
)
RESULTS: Final = (
    Shape(
        name="entry",
        table=Table(FunctionResultEntry, *RESULT, of=Result),
        matches=has_type("function.result"),
        identifies=has("tool_call_id", "result", type="function.result"),
    ),
)
