"""google-adk: a JSON Schema as Gemini's Schema, which MCP tools go through where JSON Schema is not switched on."""

from __future__ import annotations

from typing import Any

from google.adk.tools._gemini_schema_util import _to_gemini_schema


def _finish(schema: Any) -> dict[str, Any]:
    return {"schema": None if schema is None else schema.model_dump(mode="json", by_alias=True, exclude_none=True)}


TARGETS = {
    "gemini": {
        "prepare": lambda tool: tool.get("inputSchema", {}),
        "convert": _to_gemini_schema,
        "finish": _finish,
    }
}
