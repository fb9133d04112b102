"""mcpschema: adapters for providers, by name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from mcpschema import convert


def _read(tool: dict[str, Any]) -> Any:
    return SimpleNamespace(
        name=tool["name"], description=tool.get("description") or "", inputSchema=tool.get("inputSchema")
    )


def _function(value: dict[str, Any]) -> dict[str, Any]:
    function = value["function"]
    return {"name": function["name"], "description": function["description"], "schema": function["parameters"]}


def _flat(value: dict[str, Any]) -> dict[str, Any]:
    schema = value.get("input_schema", value.get("parameters"))
    return {"name": value["name"], "description": value.get("description"), "schema": schema}


TARGETS = {
    "openai": {"prepare": _read, "convert": lambda tool: convert(tool, "openai"), "finish": _function},
    "anthropic": {"prepare": _read, "convert": lambda tool: convert(tool, "anthropic"), "finish": _flat},
    "gemini": {"prepare": _read, "convert": lambda tool: convert(tool, "gemini"), "finish": _flat},
    "mistral": {"prepare": _read, "convert": lambda tool: convert(tool, "mistral"), "finish": _function},
    "ollama": {"prepare": _read, "convert": lambda tool: convert(tool, "ollama"), "finish": _function},
}

CONVERSIONS = {
    "MCP to OpenAI": lambda tool: convert(_read(tool), "openai"),
    "MCP to Gemini": lambda tool: convert(_read(tool), "gemini"),
}
