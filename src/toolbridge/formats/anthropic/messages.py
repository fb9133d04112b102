"""Calls and results as Anthropic's Messages type them: blocks, and the sources of what they show.

anthropic 2.11.0, types/tool_use_block_param.py, tool_result_block_param.py and what they name, checked 2026-11-21.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from ...names import Rule
from ...wire import Wire
from . import CacheControl

# "messages.N.content.M.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'" (maximhq/bifrost#5097, 2026-07-10).
# The service names no length: this one is for what is made here.
IDS: Final = Rule(alphabet="a-zA-Z0-9_-", most=1000)

Id = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-zA-Z0-9_-]+$"})]
"""The id of a call."""


Hosted: TypeAlias = Literal[
    "advisor_tool_result",
    "bash_code_execution_tool_result",
    "code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "web_fetch_tool_result",
    "web_search_tool_result",
]
"""The results of tools that the service runs."""


class ToolUse(Wire, kw_only=True, omit_defaults=True):
    """A call of a tool that the caller runs. `caller` tells whether the model made it, or code that the model wrote."""

    type: Literal["tool_use"]
    id: Id
    name: str
    input: dict[str, Any]
    cache_control: CacheControl | UnsetType | None = UNSET
    caller: dict[str, Any] | UnsetType | None = UNSET
    toolset_name: str | UnsetType | None = UNSET


class HostedToolUse(Wire, kw_only=True, omit_defaults=True):
    """A call of a tool that the service runs: its own, or one of an MCP server that it asks."""

    type: Literal["server_tool_use", "mcp_tool_use"]
    id: Id
    name: str
    input: dict[str, Any]
    cache_control: CacheControl | UnsetType | None = UNSET
    caller: dict[str, Any] | UnsetType | None = UNSET
    server_name: str | UnsetType = UNSET


class _Result(Wire, kw_only=True, omit_defaults=True):
    tool_use_id: Id
    content: str | list[dict[str, Any]] | UnsetType = UNSET
    is_error: bool | UnsetType = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class ToolResult(_Result, kw_only=True, omit_defaults=True):
    """What came of a call."""

    type: Literal["tool_result"]
    toolset_name: str | UnsetType | None = UNSET


class McpToolResult(_Result, kw_only=True, omit_defaults=True):
    """What came of a call that the service itself made at an MCP server."""

    type: Literal["mcp_tool_result"]


class HostedResult(Wire, kw_only=True, omit_defaults=True):
    """What one of Anthropic's own tools gave back."""

    type: Hosted
    tool_use_id: Id
    content: Any
    caller: dict[str, Any] | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class TextBlock(Wire, kw_only=True, omit_defaults=True):
    """Text to read."""

    type: Literal["text"]
    text: str
    citations: list[dict[str, Any]] | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class Base64Source(Wire, kw_only=True):
    """A picture, or a document, of this media type."""

    type: Literal["base64"]
    media_type: str
    data: str


class UrlSource(Wire, kw_only=True):
    """Where the service fetches a picture, or a document in PDF."""

    type: Literal["url"]
    url: str


class TextSource(Wire, kw_only=True):
    """A document of plain text."""

    type: Literal["text"]
    media_type: str
    data: str


class _Image(Wire, kw_only=True, omit_defaults=True):
    type: Literal["image"]
    transformations: dict[str, Any] | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class ImageBlock(_Image, kw_only=True, omit_defaults=True):
    """A picture."""

    source: Base64Source


class ImageAtUrl(_Image, kw_only=True, omit_defaults=True):
    """A picture elsewhere."""

    source: UrlSource


class _Document(Wire, kw_only=True, omit_defaults=True):
    type: Literal["document"]
    title: str | UnsetType | None = UNSET
    context: str | UnsetType | None = UNSET
    citations: dict[str, Any] | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class DocumentBlock(_Document, kw_only=True, omit_defaults=True):
    """A document in PDF."""

    source: Base64Source


class DocumentAtUrl(_Document, kw_only=True, omit_defaults=True):
    """A document in PDF elsewhere."""

    source: UrlSource


class TextDocument(_Document, kw_only=True, omit_defaults=True):
    """A document of plain text."""

    source: TextSource
