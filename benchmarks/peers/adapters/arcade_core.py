"""arcade-core: its own tool definitions through its models, and to OpenAI. It reads no other format."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from arcade_core.converters.openai import to_openai
from arcade_core.schema import ToolDefinition

READS = "arcade-engine@4"


def _round_trip(tool: dict[str, Any]) -> bytes:
    return ToolDefinition.model_validate(tool).model_dump_json(by_alias=True, exclude_none=True).encode()


def _openai(tool: dict[str, Any]) -> Any:
    definition = ToolDefinition.model_validate(tool)
    made: Any = SimpleNamespace(definition=definition, description=definition.description)  # all that it looks at
    return to_openai(made)


CONVERSIONS = {"Arcade through its models": _round_trip, "Arcade to OpenAI": _openai}
