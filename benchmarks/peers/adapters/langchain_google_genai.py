"""langchain-google-genai: a tool whose arguments are a JSON Schema, as langchain-mcp-adapters makes it, to Gemini."""

from __future__ import annotations

from typing import Any

from langchain_core.tools import StructuredTool
from langchain_google_genai._function_utils import convert_to_genai_function_declarations


def _never(**_: Any) -> None:
    """What a tool would do."""


def _read(tool: dict[str, Any]) -> Any:
    schema, description = tool.get("inputSchema", {}), tool.get("description") or ""
    return StructuredTool(name=tool["name"], description=description, args_schema=schema, func=_never)


def _finish(tools: Any) -> dict[str, Any]:
    value = tools[0].model_dump(mode="json", by_alias=True, exclude_none=True)["functionDeclarations"][0]
    return {"name": value["name"], "description": value.get("description"), "schema": value.get("parameters")}


TARGETS = {
    "gemini": {
        "prepare": _read,
        "convert": lambda tool: convert_to_genai_function_declarations([tool]),
        "finish": _finish,
    }
}
