"""Calls that a hyper-mcp plugin gets and what it gives back, by version of the interface."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType, field

from ...data.types import JsonObject, is_object
from ...mapping import (
    AS_OBJECT,
    Blocks,
    Call,
    Codec,
    Result,
    Shape,
    Table,
    Wire,
    block_problems,
    has,
    identity,
    invent,
    invent_id,
    object_only,
    row,
)
from ..mcp import messages as mcp
from ..mcpx import messages as mcpx

# models


class CallToolRequestParam(Wire, kw_only=True):
    """Which tool is called, and with what."""

    name: str
    arguments: dict[str, Any] | UnsetType = UNSET


class PluginRequestContext(Wire, kw_only=True):
    """Of which request of the host's client this is part. The interface types `id` as text; hosts pass it as it is."""

    id: str | int
    meta: dict[str, Any] = field(name="_meta")


class CallToolRequest(Wire, kw_only=True):
    """What `call_tool` gets."""

    request: CallToolRequestParam
    context: PluginRequestContext


class CallToolResult(Wire, kw_only=True):
    """What `call_tool` gives back."""

    content: list[dict[str, Any]]
    structured_content: dict[str, Any] | UnsetType = field(default=UNSET, name="structuredContent")
    is_error: bool | UnsetType = field(default=UNSET, name="isError")
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class ResourceLink(Wire, kw_only=True):
    """Where a resource is."""

    type: Literal["resource_link"]
    uri: str
    name: str
    annotations: mcp.Annotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")
    size: int | UnsetType = UNSET


# values

_IS_RESULT = has(any_of=("content", "structuredContent"), without=("jsonrpc",))


def _surely_result(document: JsonObject) -> bool:
    return mcp.has_blocks(document) and document.keys() <= {"content", "structuredContent", "isError", "_meta"}


# tables

BLOCKS = Blocks("hyper-mcp", *mcp.OF_2025_03_26, mcp.link(ResourceLink), check=block_problems)

_CALL = Table(
    CallToolRequest,
    *(row("/request/name", "name", required=True), row("/request/arguments", "arguments", AS_OBJECT)),
    row("/context/id", "id", required=True, invent=invent_id()),
    row("/context/_meta", "meta", required=True, invent=invent({})),
    of=Call,
)
_RESULT = Table(
    CallToolResult,
    mcp.content("", BLOCKS, is_object),
    row("/structuredContent", "data", Codec(identity, object_only)),
    *(row("/isError", "failed"), mcp.META),
    of=Result,
)

# formats

CALLS_1 = mcpx.CALLS
CALLS_2 = (
    Shape(
        name="call",
        table=_CALL,
        matches=has("context", request=has("name")),
        identifies=has(context=has("id"), request=has(name=str)),
        whole=True,
    ),
)
# The host reads what a plugin of version 1 gives back as a result of MCP (hyper-mcp-rs/hyper-mcp src/plugin.rs at
# fb2b24f, checked 2026-11-21), so a resource is spelled as there.
RESULTS_1 = mcpx.results(mcpx.blocks("hyper-mcp", mcpx.WHOLE, "resource"))
RESULTS_2 = (Shape(name="result", table=_RESULT, matches=_IS_RESULT, identifies=_surely_result),)
