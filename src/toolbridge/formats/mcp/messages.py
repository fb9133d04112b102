"""Calls of MCP tools and their results as the editions type them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType, field

from ...wire import Wire


class CallParams(Wire, kw_only=True, omit_defaults=True):
    """What `tools/call` asks for, up to 2025-06-18."""

    name: str
    arguments: dict[str, Any] | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class CallParams20251125(CallParams, kw_only=True, omit_defaults=True):
    """What `tools/call` asks for in 2025-11-25, which may run it as a task."""

    task: dict[str, Any] | UnsetType = UNSET


class CallParams20260728(Wire, kw_only=True, omit_defaults=True):
    """What `tools/call` asks for since 2026-07-28; `_meta` names the protocol version and what the client can do."""

    name: str
    arguments: dict[str, Any] | UnsetType = UNSET
    meta: dict[str, Any] = field(name="_meta")
    input_responses: dict[str, Any] | UnsetType = field(default=UNSET, name="inputResponses")
    request_state: str | UnsetType = field(default=UNSET, name="requestState")


class AnyCallParams(Wire, kw_only=True, omit_defaults=True):
    """What readers take of bare parameters since 2026-07-28: clients of the protocol add `_meta` themselves."""

    name: str
    arguments: dict[str, Any] | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")
    input_responses: dict[str, Any] | UnsetType = field(default=UNSET, name="inputResponses")
    request_state: str | UnsetType = field(default=UNSET, name="requestState")


class CallRequest(Wire, kw_only=True):
    """A `tools/call` message up to 2025-06-18."""

    jsonrpc: Literal["2.0"]
    id: str | int
    method: Literal["tools/call"]
    params: CallParams


class CallRequest20251125(Wire, kw_only=True):
    """A `tools/call` message of 2025-11-25."""

    jsonrpc: Literal["2.0"]
    id: str | int
    method: Literal["tools/call"]
    params: CallParams20251125


class CallRequest20260728(Wire, kw_only=True):
    """A `tools/call` message since 2026-07-28."""

    jsonrpc: Literal["2.0"]
    id: str | int
    method: Literal["tools/call"]
    params: CallParams20260728


class CallResult(Wire, kw_only=True, omit_defaults=True):
    """What a tool gave back, up to 2025-03-26."""

    content: list[dict[str, Any]]
    is_error: bool | UnsetType = field(default=UNSET, name="isError")
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class CallResult20250618(CallResult, kw_only=True, omit_defaults=True):
    """What a tool gave back, with data that is an object: 2025-06-18 and 2025-11-25."""

    structured_content: dict[str, Any] | UnsetType = field(default=UNSET, name="structuredContent")


class CallResult20260728(CallResult, kw_only=True, omit_defaults=True):
    """What a tool gave back since 2026-07-28: its data is any JSON value."""

    result_type: str = field(name="resultType")
    structured_content: Any = field(default=UNSET, name="structuredContent")


class AnyCallResult(CallResult, kw_only=True, omit_defaults=True):
    """What readers take since 2026-07-28: a result without its type is complete."""

    result_type: str | UnsetType = field(default=UNSET, name="resultType")
    structured_content: Any = field(default=UNSET, name="structuredContent")


class TaskResult(Wire, kw_only=True, omit_defaults=True):
    """A task in the place of a result, which is to be asked for later (2025-11-25)."""

    task: dict[str, Any]
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class UnfinishedResult(Wire, kw_only=True, omit_defaults=True):
    """What stands in the place of a result since 2026-07-28: the server asks for input, or has begun a task."""

    result_type: Literal["input_required", "task"] = field(name="resultType")
    input_requests: dict[str, Any] | UnsetType = field(default=UNSET, name="inputRequests")
    request_state: str | UnsetType = field(default=UNSET, name="requestState")
    task_id: str | UnsetType = field(default=UNSET, name="taskId")
    status: str | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class RpcError(Wire, kw_only=True, omit_defaults=True):
    """What went wrong with a message."""

    code: int
    message: str
    data: Any = UNSET


class NumberedErrorResponse(Wire, kw_only=True):
    """The answer to a message that could not be handled, up to 2025-06-18."""

    jsonrpc: Literal["2.0"]
    id: str | int
    error: RpcError


class ErrorResponse(Wire, kw_only=True, omit_defaults=True):
    """The answer to a message that could not be handled; since 2025-11-25 that may be one without an id."""

    jsonrpc: Literal["2.0"]
    id: str | int | UnsetType | None = UNSET
    error: RpcError


class TextContent(Wire, kw_only=True, omit_defaults=True):
    """Text to read."""

    type: Literal["text"]
    text: str
    annotations: Annotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class MediaContent(Wire, kw_only=True, omit_defaults=True):
    """A picture or a sound, as base64."""

    type: Literal["image", "audio"]
    data: str
    mime_type: str = field(name="mimeType")
    annotations: Annotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class EmbeddedResource(Wire, kw_only=True, omit_defaults=True):
    """A resource with what it holds."""

    type: Literal["resource"]
    resource: ResourceContents
    annotations: Annotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class ResourceContents(Wire, kw_only=True, omit_defaults=True):
    """What a resource holds: text, or base64."""

    uri: str
    text: str | UnsetType = UNSET
    blob: str | UnsetType = UNSET
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class ResourceLink(Wire, kw_only=True, omit_defaults=True):
    """Where a resource is."""

    type: Literal["resource_link"]
    uri: str
    name: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")
    size: int | UnsetType = UNSET
    icons: list[dict[str, Any]] | UnsetType = UNSET
    annotations: Annotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class Annotations(Wire, kw_only=True, omit_defaults=True):
    """For whom a block is, and how much it matters."""

    audience: list[Literal["user", "assistant"]] | UnsetType = UNSET
    priority: float | UnsetType = UNSET
    last_modified: str | UnsetType = field(default=UNSET, name="lastModified")
