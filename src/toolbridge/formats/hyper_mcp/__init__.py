"""hyper-mcp plugins: tools of a WebAssembly plugin behind an MCP server. https://github.com/hyper-mcp-rs/hyper-mcp

Editions `1` (the types of an mcpx plugin) and `2` (`xtp-plugin-schema.json` at cccb0f2, current at fb2b24f, checked
2026-11-21). Worth knowing:
- In 2 the schemas have type, properties and required, and nothing else at the root; properties are free. No draft can
  be stated: MCP, which passes them on, reads them as 2020-12, so that they are written in its forms.
- In 2 `annotations` are those of content (audience, priority, lastModified), not the hints of an MCP tool.
- No `_meta` on a tool, and no other field for extensions.
- A call of 2 has the id of the request that it comes from beside it, and content of it is that of MCP 2025-06-18.
- Of `list_tools` its result is converted, and not its request, which has a context and nothing that tools have.
- A `GetPromptRequest` of 2 has the same members as a call, and nothing tells one from the other: convert only what
  `call_tool` got.
"""

from __future__ import annotations

from ...mapping import Format, Table, any_input, messages_from
from ..mcpx import tools as mcpx
from .tools import FRAME, TOOL_1, TOOL_2, Tool, check, extra

FORMATS = (
    Format(
        id="hyper-mcp@1",
        summary="hyper-mcp plugin, interface version 1",
        spec="https://github.com/hyper-mcp-rs/hyper-mcp",
        tool=Table(mcpx.ToolDescription, *TOOL_1, invent=mcpx.INVENT, free=("name", "description")),
        messages=messages_from(f"{__name__}.messages", "CALLS_1", "RESULTS_1"),
        envelope=FRAME,
        wrap="/tools",
    ),
    Format(
        id="hyper-mcp@2",
        summary="hyper-mcp plugin, interface version 2",
        spec="https://github.com/hyper-mcp-rs/hyper-mcp",
        tool=Table(
            Tool,
            *TOOL_2,
            check=check,
            invent={"/inputSchema": any_input},
            free=("name", "description"),
        ),
        messages=messages_from(f"{__name__}.messages", "CALLS_2", "RESULTS_2"),
        problems=extra,
        envelope=FRAME,
        wrap="/tools",
    ),
)
