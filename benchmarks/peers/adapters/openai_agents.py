"""openai-agents: MCP tools as function tools, strict where that is asked for and the schema allows it."""

from __future__ import annotations

from typing import Any

from agents import UserError
from agents.mcp import MCPServerStdio, MCPUtil
from mcp.types import Tool

REFUSALS = (UserError,)
_SERVER = MCPServerStdio(params={"command": "none"}, name="none")  # never started


def _finish(tool: Any) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "schema": tool.params_json_schema,
        "strict": tool.strict_json_schema,
    }


def _to(strict: bool) -> dict[str, Any]:
    return {
        "prepare": Tool.model_validate,
        "convert": lambda tool: MCPUtil.to_function_tool(tool, _SERVER, convert_schemas_to_strict=strict),
        "finish": _finish,
    }


TARGETS = {"openai": _to(False), "openai-strict": _to(True)}


def _written(tool: dict[str, Any], *, strict: bool) -> dict[str, Any]:
    made = MCPUtil.to_function_tool(Tool.model_validate(tool), _SERVER, convert_schemas_to_strict=strict)
    found = _finish(made)
    return {"type": "function", "name": found["name"], "parameters": found["schema"], **found}


CONVERSIONS = {
    "MCP to OpenAI": lambda tool: _written(tool, strict=False),
    "MCP to OpenAI strict": lambda tool: _written(tool, strict=True),
}
