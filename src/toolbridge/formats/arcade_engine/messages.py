"""Calls and results of Arcade's workers, of its cloud and of the draft of March 2025."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType, field

from ...wire import Wire


class ToolReference(Wire, kw_only=True, omit_defaults=True):
    """Which tool is called; the version is its toolkit's."""

    name: str
    toolkit: str
    version: str | UnsetType | None = UNSET


class ToolContext(Wire, kw_only=True, omit_defaults=True):
    """For whom a call is made.

    Beside it stand `authorization`, with a token and what the provider says of the user, `secrets` and `metadata`: what
    only the tool may see, so it is kept like anything that nobody here knows.
    """

    user_id: str | UnsetType | None = UNSET


class ToolCallRequest(Wire, kw_only=True, omit_defaults=True):
    """A call, as Arcade's engine sends it to a worker."""

    run_id: str | UnsetType | None = UNSET
    execution_id: str | UnsetType | None = UNSET
    created_at: str | UnsetType | None = UNSET
    tool: ToolReference
    inputs: dict[str, Any] | UnsetType | None = UNSET
    context: ToolContext | UnsetType = UNSET


class ExecuteToolRequest(Wire, kw_only=True, omit_defaults=True):
    """A call, as a client sends it to Arcade's cloud; `tool_name` is `Toolkit.Tool`."""

    tool_name: str
    input: dict[str, Any] | UnsetType | None = UNSET
    tool_version: str | UnsetType | None = UNSET
    user_id: str | UnsetType | None = UNSET
    run_at: str | UnsetType | None = UNSET
    include_error_stacktrace: bool | UnsetType | None = UNSET


class ToolCallError(Wire, kw_only=True, omit_defaults=True):
    """Why a tool failed. `kind` says who is to blame, and when; `stacktrace` is for people only."""

    message: str
    kind: str
    developer_message: str | UnsetType | None = UNSET
    can_retry: bool | UnsetType | None = UNSET
    additional_prompt_content: str | UnsetType | None = UNSET
    retry_after_ms: int | UnsetType | None = UNSET
    stacktrace: str | UnsetType | None = UNSET
    status_code: int | UnsetType | None = UNSET
    extra: dict[str, Any] | UnsetType | None = UNSET


class RequiresAuthorization(Wire, kw_only=True, omit_defaults=True):
    """Where the user has to go first."""

    authorization_url: str | UnsetType | None = UNSET
    authorization_id: str | UnsetType | None = UNSET
    scopes: list[str] | UnsetType | None = UNSET
    status: str | UnsetType | None = UNSET


class ToolCallOutput(Wire, kw_only=True, omit_defaults=True):
    """A value or an error, and what was logged; of the rest all may be null."""

    value: Any = UNSET
    logs: list[dict[str, Any]] | UnsetType | None = UNSET
    error: ToolCallError | UnsetType | None = UNSET
    requires_authorization: RequiresAuthorization | UnsetType | None = UNSET


class ToolCallResponse(Wire, kw_only=True, omit_defaults=True):
    """What came of a call. `duration` in milliseconds."""

    execution_id: str
    finished_at: str
    duration: float
    success: bool
    output: ToolCallOutput | UnsetType | None = UNSET


class OtcToolReference(Wire, kw_only=True, forbid_unknown_fields=True):
    """Which tool is called, in the draft."""

    name: str
    toolkit: str
    version: str


class OtcContext(Wire, kw_only=True, omit_defaults=True):
    """For whom a call is made, in the draft: secrets are a map, what the provider says of the user is `user_info`."""

    user_id: str | UnsetType = UNSET


class OtcToolCallRequest(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A call in the draft."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    run_id: str
    execution_id: str
    created_at: str
    tool: OtcToolReference
    inputs: dict[str, Any]
    context: OtcContext


class OtcToolCallError(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Why a tool failed, in the draft."""

    message: str
    developer_message: str | UnsetType = UNSET
    can_retry: bool | UnsetType = UNSET
    additional_prompt_content: str | UnsetType = UNSET
    retry_after_ms: int | UnsetType = UNSET


class OtcRequiresAuthorization(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where the user has to go first, in the draft."""

    id: str
    status: str
    url: str | UnsetType = UNSET
    scopes: list[str] | UnsetType = UNSET


class OtcArtifactMeta(Wire, kw_only=True, forbid_unknown_fields=True):
    """What an artifact is."""

    description: str


class OtcArtifact(Wire, kw_only=True, forbid_unknown_fields=True):
    """A file that the tool left somewhere. `size` in bytes."""

    url: str
    content_type: str
    size: int
    meta: OtcArtifactMeta


class OtcOutput(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Just one of these; a value is no list, and not null."""

    value: dict[str, Any] | str | float | bool | UnsetType = UNSET
    error: OtcToolCallError | UnsetType = UNSET
    requires_authorization: OtcRequiresAuthorization | UnsetType = UNSET
    artifact: OtcArtifact | UnsetType = UNSET


class OtcToolCallResponse(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What came of a call in the draft, whose schema asks for an `invocation_id` that it forbids."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    execution_id: str
    finished_at: str
    duration: float | UnsetType = UNSET
    success: bool
    output: OtcOutput | UnsetType = UNSET
