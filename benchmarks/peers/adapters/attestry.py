"""attestry: tools read from MCP, written for a vendor, with notes on what could not be carried across."""

from __future__ import annotations

from typing import Any

from attestry.schema import emit
from attestry.schema.ingest import from_mcp


def _to(target: str, **options: Any) -> dict[str, Any]:
    def finish(made: tuple[dict[str, Any], list[str]]) -> dict[str, Any]:
        payload, notes = made
        tool = payload.get("function", payload)
        return {
            "name": tool["name"],
            "description": tool["description"],
            "schema": tool.get("parameters", tool.get("input_schema")),
            "strict": tool.get("strict", False),
            # The others are about results and side effects, of which no schema of arguments speaks.
            "report": [note for note in notes if note.startswith(("strict mode", "dropped"))],
            "restores": ["null"] if options.get("strict") else [],
        }

    return {"prepare": dict, "convert": lambda tool: emit(from_mcp(tool), target, **options), "finish": finish}


TARGETS = {
    "openai": _to("openai"),
    "openai-strict": _to("openai", strict=True),
    "openai-responses": _to("openai", style="responses"),
    "anthropic": _to("anthropic"),
    "gemini": _to("gemini"),
    "ollama": _to("ollama"),
}
