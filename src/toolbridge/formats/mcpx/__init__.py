"""mcpx / mcp.run servlets: tools of a WebAssembly plugin (XTP interface). https://docs.mcp.run

Editions `servlet` (describe gives one ToolDescription) and `plugin` (describe gives a ListToolsResult), as in
dylibso/mcp.run-servlets at 006e737 (checked 2026-11-21). Worth knowing:
- `description` is required; `inputSchema` is a free object that need not even have a type.
- Neither edition is the newer one for all: plugins took over from servlets in December 2024, servlets with resources
  came later and apart.
- Generated plugin code drops unknown keys.
- The key of a resource in a servlet's result is `Resource`, and holds objects; a plugin's types have no place for one.
"""

from __future__ import annotations

from typing import Any

from ...format import Format
from ...forms import later
from ...row import row
from ...table import Table, any_input, describe
from ...wire import Wire
from ..mcp import NAME

# models


class ToolDescription(Wire, kw_only=True, rename="camel"):
    """A tool as `describe` gives it."""

    name: str
    description: str
    input_schema: dict[str, Any]


class ListToolsFrame(Wire, kw_only=True):
    """What stands around the tools in a ListToolsResult: nothing."""


# values

# tables

TOOL = (NAME, row("/description", "description", must=True), row("/inputSchema", "input", must=True))
INVENT = {"/description": describe, "/inputSchema": any_input}

# formats

_TABLE = Table(ToolDescription, *TOOL, invent=INVENT, free=("name", "description"))

FORMATS = (
    Format(
        id="mcpx@servlet",
        summary="mcpx servlet: describe gives one tool",
        spec="https://docs.mcp.run",
        tool=_TABLE,
        traffic=later(f"{__name__}.traffic", "CALLS", "SERVLET_RESULTS"),
    ),
    Format(
        id="mcpx@plugin",
        summary="mcpx plugin: describe gives a list of tools",
        spec="https://docs.mcp.run",
        tool=_TABLE,
        traffic=later(f"{__name__}.traffic", "CALLS", "PLUGIN_RESULTS"),
        envelope=Table(ListToolsFrame),
        wrap="/tools",
    ),
)
