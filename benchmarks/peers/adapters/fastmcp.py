"""fastmcp: MCP tools as those of a proxy, and schemas without references."""

from __future__ import annotations

from typing import Any

from fastmcp.server.providers.proxy import ProxyTool
from fastmcp.utilities.json_schema import dereference_refs
from mcp.types import Tool


def _nobody() -> Any:
    """Who would be asked when the tool is called."""


def _proxied(tool: dict[str, Any]) -> bytes:
    made = ProxyTool.from_mcp_tool(_nobody, Tool.model_validate(tool)).to_mcp_tool()
    return made.model_dump_json(by_alias=True, exclude_none=True).encode()


CONVERSIONS = {
    "MCP to MCP, as a proxy": _proxied,
    "MCP to MCP, references written out": lambda tool: {**tool, "inputSchema": dereference_refs(tool["inputSchema"])},
}
