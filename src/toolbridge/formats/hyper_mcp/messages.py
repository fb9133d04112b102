"""Calls that a hyper-mcp plugin gets and what it gives back, by version of the interface."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from ...data.types import JsonObject, is_list, is_object
from ...hub import Call, Result
from ...mapping.codecs import AS_OBJECT, an_id, has, identity, invent, says, title_or_address
from ...mapping.content import Blocks, Part, blocks_at, object_only, shown, tag
from ...mapping.format import Shape
from ...mapping.record import Codec, Row, WriteContext, local, row
from ...mapping.table import Table
from ...mapping.wire import Wire
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


class Annotations(Wire, kw_only=True):
    """For whom a block is, how much it matters, and when it was changed."""

    audience: list[Literal["user", "assistant"]] | UnsetType = UNSET
    last_modified: str | UnsetType = field(default=UNSET, name="lastModified")
    priority: float | UnsetType = UNSET


class _Block(Wire, kw_only=True):
    annotations: Annotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class TextContent(_Block, kw_only=True):
    """Text to read."""

    type: Literal["text"]
    text: str


class MediaContent(_Block, kw_only=True):
    """A picture or a sound, as base64."""

    type: Literal["image", "audio"]
    data: str
    mime_type: str = field(name="mimeType")


class ResourceContents(Wire, kw_only=True):
    """What a resource holds: text, or base64."""

    uri: str
    text: str | UnsetType = UNSET
    blob: str | UnsetType = UNSET
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class EmbeddedResource(_Block, kw_only=True):
    """A resource with what it holds."""

    type: Literal["resource"]
    resource: ResourceContents


class ResourceLink(_Block, kw_only=True):
    """Where a resource is."""

    type: Literal["resource_link"]
    uri: str
    name: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")
    size: int | UnsetType = UNSET


# values


def _content(w: WriteContext) -> list[JsonObject]:
    data = "data" in w.fields and is_object(w.fields["data"])
    return BLOCKS.write(shown(w, "/content", data=data), w, "/content")


_IS_RESULT = has(any_of=("content", "structuredContent"), without=("jsonrpc",))


def _surely_result(document: JsonObject) -> bool:
    content = document.get("content")
    blocks = is_list(content) and all(is_object(block) and "type" in block for block in content)
    return blocks and document.keys() <= {"content", "structuredContent", "isError", "_meta"}


# tables

_META = row("/_meta", "meta")


def _block(model: type[Struct], kind: str, wire: str, *rows: Row, **more: Any) -> Table:
    head = row("/type", "kind", tag(kind, wire), required=True)
    annotations = (
        *(row("/annotations/audience", "audience"), row("/annotations/priority", "priority")),
        row("/annotations/lastModified", "modified"),
    )
    return Table(model, head, *rows, *annotations, _META, **more)


_DATA = (row("/data", "data", required=True), row("/mimeType", "mime", required=True))
_TEXT = _block(TextContent, "text", "text", row("/text", "text", required=True))
_RESOURCE = _block(
    EmbeddedResource,
    "file",
    "resource",
    row("/resource/uri", "address", required=True),
    *(row("/resource/mimeType", "mime"), row("/resource/text", "text"), row("/resource/blob", "data")),
    local("/resource/_meta"),
    invent={"/resource/uri": invent("resource:")},
)
_LINK = _block(
    ResourceLink,
    "link",
    "resource_link",
    *(row("/uri", "address", required=True), row("/name", "name", required=True), row("/title", "title")),
    *(row("/description", "description"), row("/mimeType", "mime"), row("/size", "size")),
    invent={"/name": title_or_address},
)
BLOCKS = Blocks(
    "hyper-mcp",
    Part("text", _TEXT, has("text", type="text")),
    *(
        Part(kind, _block(MediaContent, kind, kind, *_DATA), has("data", type=kind), says("data", "mime"))
        for kind in ("image", "audio")
    ),
    Part("file", _RESOURCE, has("resource", type="resource"), says(any_of=("text", "data"))),
    Part("link", _LINK, has("uri", type="resource_link"), says("address")),
)

_CALL = Table(
    CallToolRequest,
    *(row("/request/name", "name", required=True), row("/request/arguments", "arguments", AS_OBJECT)),
    *(row("/context/id", "id", required=True), row("/context/_meta", "meta", required=True)),
    of=Call,
    invent={"/context/id": an_id(), "/context/_meta": invent({})},
)
_RESULT = Table(
    CallToolResult,
    blocks_at(BLOCKS, "/content", _content),
    row("/structuredContent", "data", Codec(identity, object_only)),
    *(row("/isError", "failed"), _META),
    of=Result,
    invent={"/content": _content},
)

# formats

CALLS_1 = mcpx.CALLS
CALLS_2 = (
    Shape(
        name="call",
        table=_CALL,
        tell=has("context", request=has("name")),
        sure=has(context=has("id"), request=has(name=str)),
        whole=True,
    ),
)
# The host reads what a plugin of version 1 gives back as a result of MCP (hyper-mcp-rs/hyper-mcp src/plugin.rs at
# fb2b24f, checked 2026-11-21), so a resource is spelled as there.
RESULTS_1 = mcpx.results(mcpx.blocks("hyper-mcp", mcpx.WHOLE, "resource"))
RESULTS_2 = (Shape(name="result", table=_RESULT, tell=_IS_RESULT, sure=_surely_result),)
