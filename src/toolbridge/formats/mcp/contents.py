"""The blocks of MCP results, by edition."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...blocks import Blocks, Part, tag, typed
from ...reading import Reading, Writing
from ...row import Row, local, row
from ...table import Table
from .messages import EmbeddedResource, MediaContent, ResourceLink, TextContent

# values


def has_text_or_blob(block: Reading) -> bool:
    return "text" in block.fields or "data" in block.fields


def has_data(block: Reading) -> bool:
    return "data" in block.fields and "mime" in block.fields


def has_address(block: Reading) -> bool:
    return "address" in block.fields


def no_address(w: Writing) -> str:
    w.note_at("TB401", "", "/resource/uri")
    return "resource:"


def no_link_name(w: Writing) -> str:
    return w.fields.get("title") or w.fields["address"]


# tables

_ANNOTATIONS = (
    row("/annotations/audience", "audience"),
    row("/annotations/priority", "priority"),
    row("/annotations/lastModified", "modified"),
)
META = row("/_meta", "meta")
_MIME = row("/mimeType", "mime")


def _block(model: type[Struct], kind: str, *rows: Row, **more: Any) -> Table:
    wire = {"file": "resource", "link": "resource_link"}.get(kind, kind)
    return Table(model, row("/type", "kind", tag(kind, wire), must=True), *rows, *_ANNOTATIONS, META, **more)


_TEXT = _block(TextContent, "text", row("/text", "text", must=True))
_DATA = (row("/data", "data", must=True), row("/mimeType", "mime", must=True))
_RESOURCE = _block(
    EmbeddedResource,
    "file",
    row("/resource/uri", "address", must=True),
    *(row("/resource/mimeType", "mime"), row("/resource/text", "text"), row("/resource/blob", "data")),
    local("/resource/_meta"),
    invent={"/resource/uri": no_address},
)
_LINK = _block(
    ResourceLink,
    "link",
    *(row("/uri", "address", must=True), row("/name", "name", must=True), row("/title", "title")),
    *(row("/description", "description"), _MIME, row("/size", "size"), local("/icons")),
    invent={"/name": no_link_name},
)

_OLDEST = (
    Part("text", _TEXT, typed("text")),
    Part("image", _block(MediaContent, "image", *_DATA), typed("image"), has_data),
    Part("file", _RESOURCE, typed("resource"), has_text_or_blob),
)
_AUDIO = Part("audio", _block(MediaContent, "audio", *_DATA), typed("audio"), has_data)
BLOCKS_2024_11_05 = Blocks("mcp", *_OLDEST)
BLOCKS_2025_03_26 = Blocks("mcp", *_OLDEST, _AUDIO)
BLOCKS = Blocks("mcp", *_OLDEST, _AUDIO, Part("link", _LINK, typed("resource_link"), has_address))
