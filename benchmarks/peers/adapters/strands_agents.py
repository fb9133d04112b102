"""strands-agents: MCP tools for Bedrock, as its Bedrock model sends them."""

from __future__ import annotations

from typing import Any

from mcp.types import Tool
from strands.models._strict_schema import ensure_strict_json_schema
from strands.tools.mcp.mcp_agent_tool import MCPAgentTool


def _read(tool: dict[str, Any]) -> Any:
    return MCPAgentTool(Tool.model_validate(tool), None)


def _finish(spec: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": spec["name"],
        "description": spec["description"],
        "schema": spec["inputSchema"]["json"],
        "strict": spec.get("strict", False),
    }


def _strict(tool: Any) -> dict[str, Any]:
    spec = tool.tool_spec
    return {
        "name": spec["name"],
        "description": spec["description"],
        "inputSchema": {"json": ensure_strict_json_schema(spec["inputSchema"]["json"])},
        "strict": True,
    }


TARGETS = {
    "bedrock": {"prepare": _read, "convert": lambda tool: tool.tool_spec, "finish": _finish},
    "bedrock-strict": {"prepare": _read, "convert": _strict, "finish": _finish},
}
