"""hyper-mcp plugins: tools of a WebAssembly plugin behind an MCP server. https://github.com/hyper-mcp-rs/hyper-mcp

Editions `1` (the types of an mcpx plugin) and `2` (`xtp-plugin-schema.json` at cccb0f2, current at fb2b24f, checked
2026-11-21). Worth knowing:
- In 2 the schemas have type, properties and required, and nothing else at the root; properties are free. No draft can
  be stated: MCP, which passes them on, reads them as 2020-12, so that they are written in its forms.
- In 2 `annotations` are those of content (audience, priority, lastModified), not the hints of an MCP tool.
- No `_meta` on a tool, and no other field for extensions.
- A call of 2 has the id of the request that it comes from beside it, and content of it is that of MCP 2025-06-18.
- The requests for lists have a context and nothing else, so that nothing tells them apart: give `kind="list-request"`.
- A `GetPromptRequest` of 2 has the same members as a call, and nothing tells one from the other: give
  `kind="prompt-message"`.
- In 2 references for completion are of the type `prompt` or `resource` (MCP: `ref/prompt` and `ref/resource`), a
  form has the format `date_time`, and what is logged is an object.
"""

from __future__ import annotations

from ...mapping import Format, Table, any_input, kinds_from, messages_from
from ..mcp.tools import check
from ..mcpx import tools as mcpx
from .tools import FRAME, TOOL_2, Tool, extra

FORMATS = (
    Format(
        id="hyper-mcp@1",
        summary="hyper-mcp plugin, interface version 1",
        spec="https://github.com/hyper-mcp-rs/hyper-mcp",
        tool=Table(mcpx.ToolDescription, *mcpx.TOOL, free=("name", "description")),
        messages=messages_from(f"{__name__}.messages", "CALLS_1", "RESULTS_1"),
        envelope=FRAME,
        wrap="/tools",
    ),
    Format(
        id="hyper-mcp@2",
        summary="hyper-mcp plugin, interface version 2",
        spec="https://github.com/hyper-mcp-rs/hyper-mcp",
        tool=Table(Tool, *TOOL_2, check=check, invent={"/inputSchema": any_input}, free=("name", "description")),
        messages=messages_from(f"{__name__}.messages", "CALLS_2", "RESULTS_2"),
        kinds=kinds_from(f"{__name__}.kinds", "KINDS"),
        problems=extra,
        envelope=FRAME,
        wrap="/tools",
    ),
)
