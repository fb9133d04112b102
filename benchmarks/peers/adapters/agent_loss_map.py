"""agent-loss-map: its projection of a tool into another format, with its findings. It rewrites no schema."""

from __future__ import annotations

from typing import Any

from agent_loss_map.targets import get_target
from agent_loss_map.types import ForeignAgent


def _read(tool: dict[str, Any]) -> ForeignAgent:
    return ForeignAgent("mcp", "server", "", format="mcp", capabilities=[tool])


def _to(target: str) -> dict[str, Any]:
    crossing = get_target(target)

    def convert(agent: ForeignAgent) -> tuple[dict[str, Any], list[Any]]:
        artifact, findings = crossing.project(agent)
        return artifact, [*findings, *crossing.validate(artifact)]

    def finish(made: tuple[dict[str, Any], list[Any]]) -> dict[str, Any]:
        artifact, findings = made
        (tool,) = next(iter(artifact.values()))
        tool = tool.get("toolSpec", tool.get("function", tool))
        schema = next(tool[key] for key in ("parameters", "input_schema", "inputSchema") if key in tool)
        return {
            "name": tool["name"],
            "description": tool.get("description"),
            "schema": schema["json"] if target == "bedrock-converse" else schema,
            "report": [finding.detail for finding in findings],
        }

    return {"prepare": _read, "convert": convert, "finish": finish}


TARGETS = {
    "openai": _to("openai-fc"),
    "anthropic": _to("anthropic"),
    "gemini": _to("gemini"),
    "bedrock": _to("bedrock-converse"),
}
