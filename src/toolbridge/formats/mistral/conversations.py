"""Calls and results of Mistral's Conversations API, which are entries of a conversation: models and rows."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ...data.types import JsonObject
from ...mapping import AS_EITHER, Row, Shape, Wire, has, has_type, id_codec, invent_id, local, row
from ..openai.content import fixed, one
from ..openai.messages import NAMED, calls, results

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

# The service answers with ids of other lengths than those of chat completions ("chatcmpl-tool-...").
_ID: Final = row("/tool_call_id", "id", id_codec(), required=True)
_TIMES: Final = (local("/id"), local("/created_at"), local("/completed_at"))


def _entry(beside: str) -> Row:
    """What every entry may say of itself: that it is one. It goes with the field `beside`."""
    return replace(fixed("/object", beside, "entry"), required=False)


CALL: Final = (
    *(_entry("id"), fixed("/type", "id", "function.call"), _ID, row("/name", "name", NAMED, required=True)),
    *(row("/arguments", "arguments", AS_EITHER, required=True), *_TIMES),
    *(local("/agent_id"), local("/model"), local("/confirmation_status")),
)

_TELLS: Final = one("/result")
RESULT: Final = (_entry("content"), fixed("/type", "content", "function.result"), _ID, _TELLS.row, *_TIMES)

# formats

# Nine letters and digits suit chat completions, too.
_IDS: Final = {"/tool_call_id": invent_id("", 9)}

_IS_PENDING: Final = has(type="function.call", confirmation_status="pending")


def _is_call(document: JsonObject) -> bool:
    return document.get("type") == "function.call" and not _IS_PENDING(document)


CALLS: Final = (
    Shape(
        name="entry",
        table=calls(FunctionCallEntry, *CALL, invent=_IDS),
        matches=_is_call,
        identifies=has("tool_call_id", "name", type="function.call"),
    ),
    # A caller must not run what the service runs; in a log it is a call all the same.
    Shape(
        name="hosted",
        table=calls(PendingCallEntry, *CALL, invent=_IDS),
        matches=_IS_PENDING,
        written=False,
        hosted=True,
    ),
)
RESULTS: Final = (
    Shape(
        name="entry",
        table=results(FunctionResultEntry, _TELLS, *RESULT, invent=_IDS),
        matches=has_type("function.result"),
        identifies=has("tool_call_id", "result", type="function.result"),
    ),
)
