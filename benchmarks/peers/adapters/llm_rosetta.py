"""llm-rosetta: its neutral tool definition to providers, one definition at a time (this is not cached)."""

from __future__ import annotations

from typing import Any

from llm_rosetta import tool_ops

_SCHEMAS = ("parameters", "input_schema")


def _read(tool: dict[str, Any]) -> dict[str, Any]:
    neutral = {"type": "function", "name": tool["name"], "parameters": tool.get("inputSchema", {})}
    return neutral | ({"description": tool["description"]} if tool.get("description") else {})


def _finish(value: Any) -> dict[str, Any]:
    value = value["function_declarations"][0] if "function_declarations" in value else value.get("function", value)
    schema = next((value[key] for key in _SCHEMAS if key in value), None)
    return {"name": value["name"], "description": value.get("description"), "schema": schema}


def _to(provider: Any) -> dict[str, Any]:
    return {"prepare": _read, "convert": lambda tool: tool_ops.to_provider(tool, provider=provider), "finish": _finish}


TARGETS = {
    "openai": _to("openai_chat"),
    "openai-responses": _to("openai_responses"),
    "anthropic": _to("anthropic"),
    "gemini": _to("google"),
}
