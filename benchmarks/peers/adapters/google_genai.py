"""google-genai: MCP tools for the Gemini Developer API, and for Google's agent platform."""

from __future__ import annotations

from typing import Any

from google.genai._mcp_utils import agent_platform_to_gemini_tool, mcp_to_gemini_tool
from mcp.types import Tool


def _finish(tool: Any) -> dict[str, Any]:
    value = tool.model_dump(mode="json", by_alias=True, exclude_none=True)["functionDeclarations"][0]
    schema = value.get("parameters", value.get("parametersJsonSchema"))
    return {"name": value["name"], "description": value.get("description"), "schema": schema}


TARGETS = {
    "gemini": {"prepare": Tool.model_validate, "convert": mcp_to_gemini_tool, "finish": _finish},
    "gemini-json": {"prepare": Tool.model_validate, "convert": agent_platform_to_gemini_tool, "finish": _finish},
}


def _written(tool: Any) -> bytes:
    return tool.model_dump_json(by_alias=True, exclude_none=True).encode()


CONVERSIONS = {
    "MCP to Gemini": lambda tool: _written(mcp_to_gemini_tool(Tool.model_validate(tool))),
    "MCP to Gemini, as JSON Schema": lambda tool: _written(agent_platform_to_gemini_tool(Tool.model_validate(tool))),
}
