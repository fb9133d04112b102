"""The documents of the Model Context Protocol as its editions type them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field

from ...hub import JsonObject
from ...wire import Wire

_ROOT: JsonObject = {
    "required": ["type"],
    "properties": {
        "type": {"const": "object"},
        "properties": {"type": "object", "additionalProperties": {"type": "object"}},
        "required": {"type": "array", "items": {"type": "string"}},
    },
}
_LOOSE_ROOT: JsonObject = {"required": ["type"], "properties": {"type": {"const": "object"}}}

ObjectSchema = Annotated[dict[str, Any], Meta(extra_json_schema=_ROOT)]
"""JSON Schema of an object whose properties are object schemas: up to 2025-11-25."""

InputSchema = Annotated[dict[str, Any], Meta(extra_json_schema=_LOOSE_ROOT)]
"""JSON Schema of the arguments since 2026-07-28: any keyword, with `type: object` at the root."""


class ToolAnnotations(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Hints about what a tool does, all of them claims of its author."""

    title: str | UnsetType = UNSET
    read_only_hint: bool | UnsetType = UNSET
    destructive_hint: bool | UnsetType = UNSET
    idempotent_hint: bool | UnsetType = UNSET
    open_world_hint: bool | UnsetType = UNSET


class Icon(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """A picture for a tool: `src` is an https or data URI, `sizes` such as `48x48` or `any`."""

    src: str
    mime_type: str | UnsetType = UNSET
    sizes: list[str] | UnsetType = UNSET
    theme: Literal["light", "dark"] | UnsetType = UNSET


class ToolExecution(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Whether a call may run as a task (2025-11-25 only); absent means forbidden."""

    task_support: Literal["forbidden", "optional", "required"] | UnsetType = UNSET


class Tool20241105(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Tool of edition 2024-11-05."""

    name: str
    description: str | UnsetType = UNSET
    input_schema: ObjectSchema


class Tool20250326(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Tool of edition 2025-03-26: adds annotations."""

    name: str
    description: str | UnsetType = UNSET
    input_schema: ObjectSchema
    annotations: ToolAnnotations | UnsetType = UNSET


class Tool20250618(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Tool of edition 2025-06-18: adds title, outputSchema and _meta."""

    name: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    input_schema: ObjectSchema
    output_schema: ObjectSchema | UnsetType = UNSET
    annotations: ToolAnnotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class Tool20251125(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Tool of edition 2025-11-25: adds icons and execution; JSON Schema is 2020-12 unless `$schema` says otherwise."""

    name: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    input_schema: ObjectSchema
    output_schema: ObjectSchema | UnsetType = UNSET
    annotations: ToolAnnotations | UnsetType = UNSET
    icons: list[Icon] | UnsetType = UNSET
    execution: ToolExecution | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class Tool(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """Tool of edition 2026-07-28: drops execution, opens inputSchema and outputSchema to every keyword."""

    name: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    input_schema: InputSchema
    output_schema: dict[str, Any] | UnsetType = UNSET
    annotations: ToolAnnotations | UnsetType = UNSET
    icons: list[Icon] | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class ListToolsFrame(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """What stands around the tools in a ListToolsResult up to 2025-11-25."""

    next_cursor: str | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class AnyListToolsFrame(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """A ListToolsResult since 2026-07-28 as it is read: what is missing was left out by an older server."""

    result_type: str | UnsetType = UNSET
    ttl_ms: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    cache_scope: Literal["public", "private"] | UnsetType = UNSET
    next_cursor: str | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class ListToolsFrame20260728(Wire, kw_only=True, omit_defaults=True, rename="camel"):
    """What stands around the tools in a ListToolsResult since 2026-07-28. `ttl_ms` is in milliseconds."""

    result_type: str
    ttl_ms: Annotated[int, Meta(ge=0)]
    cache_scope: Literal["public", "private"]
    next_cursor: str | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")
