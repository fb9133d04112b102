"""mcp: a tool through the SDK's own model, in and out."""

from __future__ import annotations

from typing import Any

from mcp.types import Tool


def _round_trip(tool: dict[str, Any]) -> bytes:
    return Tool.model_validate(tool).model_dump_json(by_alias=True, exclude_none=True).encode()


CONVERSIONS = {"MCP through its models": _round_trip}
