"""mcpx / mcp.run servlets: tools of a WebAssembly plugin (XTP interface). https://docs.mcp.run

Editions `servlet` (describe gives one ToolDescription) and `plugin` (describe gives a ListToolsResult), as in
dylibso/mcp.run-servlets at 006e737 (checked 2026-11-21). Worth knowing:
- `description` is required; `inputSchema` is a free object that need not even have a type.
- Neither edition replaces the other: plugins succeeded servlets in December 2024, servlets with resources
  came later.
- Generated plugin code drops unknown keys.
- A servlet may have resources and resource templates as well; its exports for lists declare no input.
- The key of a resource in a servlet's result is `Resource`, and holds objects; a plugin's types have no such field.
"""

from __future__ import annotations

from ...mapping import Format, Table, kinds_from, messages_from
from .tools import TABLE, ListToolsFrame

FORMATS = (
    Format(
        id="mcpx@servlet",
        summary="mcpx servlet: describe gives one tool",
        spec="https://docs.mcp.run",
        tool=TABLE,
        messages=messages_from(f"{__name__}.messages", "CALLS", "SERVLET_RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "SERVLET"),
    ),
    Format(
        id="mcpx@plugin",
        summary="mcpx plugin: describe gives a list of tools",
        spec="https://docs.mcp.run",
        tool=TABLE,
        messages=messages_from(f"{__name__}.messages", "CALLS", "PLUGIN_RESULTS"),
        envelope=Table(ListToolsFrame),
        wrap="/tools",
    ),
)
