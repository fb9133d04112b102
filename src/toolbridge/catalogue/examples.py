"""Small documents for the examples of the catalogue."""

from __future__ import annotations

from typing import Any


def tool(**fields: Any) -> dict[str, Any]:
    """A small MCP tool for the examples."""
    return {"name": "search", "description": "Searches.", "inputSchema": {"type": "object"}} | fields


def argument(schema: dict[str, Any]) -> dict[str, Any]:
    return tool(inputSchema={"type": "object", "properties": {"q": {"description": "What to look for", **schema}}})


MCP = "mcp@2025-11-25"


def function() -> dict[str, Any]:
    """A small function as OpenAI's Responses take it."""
    return {"type": "function", "name": "now", "parameters": {"type": "object", "properties": {}}, "strict": False}


def result(*content: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A small result of an MCP tool."""
    return {"content": [*content], **fields}
