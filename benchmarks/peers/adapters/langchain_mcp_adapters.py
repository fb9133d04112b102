"""langchain-mcp-adapters: MCP tools as LangChain's, and those in OpenAI's form."""

from __future__ import annotations

from typing import Any

from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_mcp_adapters.tools import convert_mcp_tool_to_langchain_tool
from mcp.types import Tool

_NOWHERE: Any = {"transport": "stdio", "command": "none", "args": []}  # never started


def _openai(tool: dict[str, Any]) -> Any:
    made = convert_mcp_tool_to_langchain_tool(None, Tool.model_validate(tool), connection=_NOWHERE)
    return convert_to_openai_tool(made)


CONVERSIONS = {"MCP to OpenAI": _openai}
