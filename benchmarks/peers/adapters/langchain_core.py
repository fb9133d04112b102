"""langchain-core: a tool whose arguments are a JSON Schema, as langchain-mcp-adapters makes it, to OpenAI's form."""

from __future__ import annotations

from typing import Any

from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool


def _never(**_: Any) -> None:
    """What a tool would do."""


def _read(tool: dict[str, Any]) -> Any:
    schema, description = tool.get("inputSchema", {}), tool.get("description") or ""
    return StructuredTool(name=tool["name"], description=description, args_schema=schema, func=_never)


def _finish(value: dict[str, Any]) -> dict[str, Any]:
    function = value["function"]
    return {
        "name": function["name"],
        "description": function.get("description"),
        "schema": function.get("parameters"),
        "strict": function.get("strict", False),
    }


TARGETS = {
    "openai": {"prepare": _read, "convert": convert_to_openai_tool, "finish": _finish},
    "openai-strict": {
        "prepare": _read,
        "convert": lambda tool: convert_to_openai_tool(tool, strict=True),
        "finish": _finish,
    },
}

CONVERSIONS = {"MCP to OpenAI": lambda tool: convert_to_openai_tool(_read(tool))}
