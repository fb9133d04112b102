"""Calls and results of Anthropic's managed agents, which are events of a session: models and rows."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import UNSET, UnsetType

from ...mapping import (
    Blocks,
    Call,
    Result,
    Shape,
    Table,
    Wire,
    constant,
    has_type,
    invent_id,
    local,
    row,
    write_name,
)
from ..function_tools import fixed
from .messages import CALL_ID, FAILED, INPUT, PARTS, Id, content_row, search_part
from .tools import ACCEPTED_TOOL_NAME


class _Event(Wire, kw_only=True):
    processed_at: str | UnsetType | None = UNSET
    session_thread_id: str | UnsetType | None = UNSET


class CustomToolUse(_Event, kw_only=True):
    """The event of a call of a tool that the client runs."""

    type: Literal["agent.custom_tool_use"]
    id: Id
    name: str
    input: dict[str, Any]


class CustomToolResult(_Event, kw_only=True):
    """The event of what came of a call. It has an id, and a time, once the service has it."""

    type: Literal["user.custom_tool_result"]
    custom_tool_use_id: Id
    content: list[dict[str, Any]] | UnsetType | None = UNSET
    is_error: bool | UnsetType | None = UNSET
    id: str | UnsetType | None = UNSET


# tables

_EVENT: Final = (local("/processed_at"), local("/session_thread_id"))

CALL: Final = (
    *(
        fixed("/type", "id", "agent.custom_tool_use"),
        row("/id", "id", CALL_ID, required=True, invent=invent_id("sevt_")),
    ),
    *(row("/name", "name", write_name(ACCEPTED_TOOL_NAME), required=True), INPUT, *_EVENT),
)

# `citations` is required (anthropic 2.14.0, types/beta/sessions/beta_managed_agents_search_result_block_param.py,
# checked 2026-11-29); in Messages none are made where it is absent.
_SEARCH: Final = search_part(row("/citations/enabled", "citations", required=True, invent=constant(value=False)))

RESULT: Final = (
    fixed("/type", "content", "user.custom_tool_result"),
    row("/custom_tool_use_id", "id", CALL_ID, required=True, invent=invent_id("sevt_")),
    content_row(Blocks("anthropic@managed-agents", *PARTS, _SEARCH, closed=False), listed=True),
    *(FAILED, local("/id"), *_EVENT),
)

# formats

CALLS: Final = (
    Shape(
        name="event",
        table=Table(CustomToolUse, *CALL, of=Call),
        matches=has_type("agent.custom_tool_use"),
    ),
)

RESULTS: Final = (
    Shape(
        name="event",
        table=Table(CustomToolResult, *RESULT, of=Result),
        matches=has_type("user.custom_tool_result"),
    ),
)
