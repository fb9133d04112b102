"""toolbridge: from MCP to each format. The report is read within the time that is measured.

A bridge that is called remembers what crosses again and again, and `convert` does not: it does all the work each time,
as the others do.
"""

from __future__ import annotations

from typing import Any

from toolbridge import LossError, bridge
from toolbridge import convert as crossed
from toolbridge.losses.report import CODES

REFUSALS = (LossError,)


def _finish(crossing: Any) -> dict[str, Any]:
    value = crossing.value
    for key in ("function", "toolSpec"):
        value = value.get(key, value)
    if "functionDeclarations" in value:
        value = value["functionDeclarations"][0]
    schema = value.get("parameters", value.get("parametersJsonSchema", value.get("input_schema")))
    if "inputSchema" in value:
        schema = value["inputSchema"]["json"]
    report = [
        {
            "effect": "renamed" if loss.code == "TB501" else CODES[loss.code].effect,
            "source": loss.source,
            "target": loss.target,
        }
        for loss in crossing.report
    ]
    return {
        "name": value["name"],
        "description": value.get("description"),
        "schema": schema,
        "strict": value.get("strict", False),
        "report": report,
        "restores": ["null", "text"] if value.get("strict") else ["text"],
    }


def _to(form: str) -> dict[str, Any]:
    def prepare(tool: dict[str, Any]) -> dict[str, Any]:
        return tool

    def convert(tool: dict[str, Any]) -> Any:
        crossing = crossed(tool, form, source="mcp")
        len(crossing.report)
        return crossing

    return {"prepare": prepare, "convert": convert, "finish": _finish}


TARGETS = {
    "openai": _to("openai@chat"),
    "openai-strict": _to("openai@chat-strict"),
    "openai-responses": _to("openai@responses"),
    "anthropic": _to("anthropic@messages"),
    "anthropic-strict": _to("anthropic@strict"),
    "gemini": _to("gemini@parameters"),
    "gemini-json": _to("gemini@json-schema"),
    "bedrock": _to("bedrock@converse"),
    "mistral": _to("mistral@chat"),
    "cohere": _to("cohere@v2"),
    "ollama": _to("ollama@chat"),
}


def _one(form: str) -> Any:
    def convert(tool: dict[str, Any]) -> Any:
        crossing = bridge("mcp@2025-11-25", form)(tool)
        len(crossing.report)
        return crossing.value

    return convert


def _whole(form: str, *, counted: bool = False) -> Any:
    def convert(text: bytes) -> bytes:
        written, report = bridge("mcp@2025-11-25", form).bytes(text)
        if counted:
            len(report)
        return written

    return convert


CONVERSIONS = {
    "MCP to OpenAI, tool by tool": _one("openai@chat"),
    "MCP to OpenAI strict, tool by tool": _one("openai@chat-strict"),
    "MCP to Gemini, tool by tool": _one("gemini@parameters"),
}
TEXT_CONVERSIONS = {
    "MCP to OpenAI": _whole("openai@chat"),
    "MCP to OpenAI, every loss counted": _whole("openai@chat", counted=True),
    "MCP to OpenAI strict": _whole("openai@chat-strict"),
    "MCP to Anthropic": _whole("anthropic@messages"),
    "MCP to Gemini": _whole("gemini@parameters"),
    "MCP to Arcade": _whole("arcade@1.0"),
    "MCP to MCP 2026-07-28": _whole("mcp@2026-07-28"),
}
