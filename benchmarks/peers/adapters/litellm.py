"""litellm: MCP tools as its gateway passes them on, and what its providers then make of them."""

from __future__ import annotations

import os
from typing import Any

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # or it looks for prices on the network

from litellm.experimental_mcp_client.tools import (
    transform_mcp_tool_to_anthropic_tool,
    transform_mcp_tool_to_openai_responses_api_tool,
    transform_mcp_tool_to_openai_tool,
)
from litellm.litellm_core_utils.prompt_templates.common_utils import (
    flatten_combinators_and_drop_non_python_regex_patterns,
)
from litellm.litellm_core_utils.prompt_templates.factory import _bedrock_tools_pt
from litellm.llms.vertex_ai.gemini.vertex_and_google_ai_studio_gemini import VertexGeminiConfig
from mcp.types import Tool

_gemini = VertexGeminiConfig()._map_function  # noqa: SLF001 - what its completions call


def _openai(tool: Tool) -> Any:
    made = transform_mcp_tool_to_openai_tool(tool)
    made["function"]["parameters"] = flatten_combinators_and_drop_non_python_regex_patterns(
        made["function"]["parameters"]
    )
    return made


def _responses(tool: Tool) -> Any:
    made = transform_mcp_tool_to_openai_responses_api_tool(tool)
    made["parameters"] = flatten_combinators_and_drop_non_python_regex_patterns(made["parameters"])
    return made


def _finish(value: Any) -> dict[str, Any]:
    value = value.get("function", value)
    schema = value.get("parameters", value.get("input_schema"))
    return {"name": value["name"], "description": value.get("description"), "schema": schema}


def _finish_gemini(tools: Any) -> dict[str, Any]:
    declarations = next(tool["function_declarations"] for tool in tools if tool.get("function_declarations"))
    return _finish(declarations[0])


def _finish_bedrock(tools: Any) -> dict[str, Any]:
    spec = tools[0]["toolSpec"]
    return {"name": spec["name"], "description": spec["description"], "schema": spec["inputSchema"]["json"]}


def _to(convert: Any, finish: Any = _finish) -> dict[str, Any]:
    return {"prepare": Tool.model_validate, "convert": convert, "finish": finish}


TARGETS = {
    "openai": _to(_openai),
    "openai-responses": _to(_responses),
    "anthropic": _to(transform_mcp_tool_to_anthropic_tool),
    "gemini": _to(lambda tool: _gemini([transform_mcp_tool_to_openai_tool(tool)], {}), _finish_gemini),
    "bedrock": _to(lambda tool: _bedrock_tools_pt([transform_mcp_tool_to_openai_tool(tool)]), _finish_bedrock),
}

CONVERSIONS = {
    "MCP to OpenAI": lambda tool: _openai(Tool.model_validate(tool)),
    "MCP to Anthropic": lambda tool: transform_mcp_tool_to_anthropic_tool(Tool.model_validate(tool)),
    "MCP to Gemini": lambda tool: _gemini([transform_mcp_tool_to_openai_tool(Tool.model_validate(tool))], {}),
}
