"""pydantic-ai-slim: each provider's transformer of schemas, with `strict` and without (the default for MCP tools)."""

from __future__ import annotations

from typing import Any

from pydantic_ai.exceptions import UserError
from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer, GoogleOpenAPISchemaTransformer
from pydantic_ai.profiles.openai import _OpenAIJsonSchemaTransformer
from pydantic_ai.providers.anthropic import AnthropicJsonSchemaTransformer
from pydantic_ai.providers.bedrock import BedrockJsonSchemaTransformer

REFUSALS = (UserError,)


def _to(transformer: Any, strict: bool | None, *, takes_strict: bool = True) -> dict[str, Any]:
    def convert(schema: dict[str, Any]) -> tuple[Any, Any]:
        walker = transformer(schema, strict=strict)
        return walker.walk(), walker

    def finish(made: tuple[Any, Any]) -> dict[str, Any]:
        schema, walker = made
        chosen = bool(walker.is_strict_compatible if strict is None else strict)
        return {"schema": schema, "strict": takes_strict and chosen}

    return {"prepare": lambda tool: tool.get("inputSchema", {}), "convert": convert, "finish": finish}


TARGETS = {
    "openai": _to(_OpenAIJsonSchemaTransformer, None),
    "openai-strict": _to(_OpenAIJsonSchemaTransformer, True),
    "anthropic": _to(AnthropicJsonSchemaTransformer, None),
    "anthropic-strict": _to(AnthropicJsonSchemaTransformer, True),
    "bedrock": _to(BedrockJsonSchemaTransformer, None),
    "gemini": _to(GoogleOpenAPISchemaTransformer, None, takes_strict=False),
    "gemini-json": _to(GoogleJsonSchemaTransformer, None, takes_strict=False),
}


def _lap(transformer: Any, strict: bool | None = None) -> Any:
    def convert(tool: dict[str, Any]) -> dict[str, Any]:
        schema = transformer(tool.get("inputSchema", {}), strict=strict).walk()
        return {"name": tool["name"], "description": tool.get("description"), "parameters": schema}

    return convert


CONVERSIONS = {
    "MCP to OpenAI": _lap(_OpenAIJsonSchemaTransformer),
    "MCP to OpenAI strict": _lap(_OpenAIJsonSchemaTransformer, True),
    "MCP to Gemini": _lap(GoogleOpenAPISchemaTransformer),
}
