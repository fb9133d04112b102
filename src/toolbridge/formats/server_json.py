"""MCP registry: the tools that a server.json lists. https://github.com/modelcontextprotocol/registry

Edition `2025-12-11` (server.schema.json at 13760d0; publisher-provided.schema.json of stacklok/toolhive-core at
48a206c; checked 2026-11-23). Worth knowing:
- The schema knows no tools. ToolHive lists them as `tool_definitions` in what a publisher provides under `_meta`, in an
  object for each package or remote; if several have such lists, the first one is read. Without one, a list `tools` of
  the publisher, or in an object there, is read.
- Such a tool is one of MCP, of which only the name is required. A list of names alone is not read.
- What is written is the list of `tool_definitions`; it belongs into an object as above.
- Name and version of the server are those of the toolkit. Such tools are recognised in a server.json only.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from msgspec import UNSET, UnsetType

from ..data.types import JsonObject
from ..mapping import PLAIN, Format, GroupRule, Table, Wire, local, row, schema_codec, write_description
from .mcp.tools import HINTS, OUTPUT_2026_07_28, TITLE, Icon, ToolAnnotations, context

# models


class ToolDefinition(Wire, kw_only=True, rename="camel"):
    """A tool of a server that is in a registry."""

    name: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    input_schema: dict[str, Any] | UnsetType = UNSET
    output_schema: dict[str, Any] | UnsetType = UNSET
    annotations: ToolAnnotations | UnsetType = UNSET
    icons: list[Icon] | UnsetType = UNSET


class ServerFrame(Wire, kw_only=True):
    """What a server.json says besides."""


# values

_PROVIDED: Final = "/_meta/io.modelcontextprotocol.registry~1publisher-provided"
GROUP: Final = GroupRule(tuple(_PROVIDED + place for place in ("/*/*/tool_definitions", "/tools", "/*/tools")))


def is_server(document: JsonObject) -> bool:
    """Whether a document is a server.json: it lists tools, or says so itself."""
    schema = document.get("$schema")
    return GROUP(document) is not None or (isinstance(schema, str) and schema.endswith("/server.schema.json"))


# tables

TOOL = (
    row("/name", "name", required=True),
    *TITLE,
    row("/description", "description", write_description(None)),
    row("/inputSchema", "input", schema_codec(PLAIN)),
    OUTPUT_2026_07_28,
    *HINTS,
    local("/icons"),
)

# formats

FORMATS = (
    Format(
        id="server-json@2025-12-11",
        summary="MCP registry, the tools in a server.json",
        spec="https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md",
        dialect=PLAIN,
        tool=Table(ToolDefinition, *TOOL, free=("name", "description", "title")),
        envelope=Table(ServerFrame),
        group=GROUP,
        context=partial(context, place=""),
        recognises=is_server,
    ),
)
