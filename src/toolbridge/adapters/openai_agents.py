"""OpenAI Agents SDK: tools of any format as function tools of an agent, and function tools in any format.

    agent = Agent("Harbour master", tools=tools(mcp_tools, run))

Written for openai-agents 0.24 (tool.py, items.py, checked 2026-11-21).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from inspect import isawaitable
from typing import Any

from ..data.types import JsonObject
from ..formats.format_names import FormatName
from ..mapping.format import Format
from ..toolbox.records import SourceCall
from . import ModelTool, Run, Service, needed

try:
    from agents import FunctionTool, ItemHelpers, Tool, default_tool_error_function
    from agents.tool import invoke_function_tool
    from agents.tool_context import ToolContext
    from openai.types.responses import ResponseFunctionToolCall
except ImportError as error:
    raise needed(error, "agents", "openai-agents") from error

__all__ = ["from_tools", "run", "tools"]


def tools(tools: object, run: Run, *, to: FormatName | Format | None = None) -> list[Tool]:
    """Function tools for an agent.

    They are strict if a strict schema accepts the same values. A call that fits no tool is returned to the model with
    the error.

    Args:
        tools: Tools in any format, or a `Toolbox`.
        run: A function that runs a call, which is in the format of the tool's own server. The SDK handles its
            exceptions.
        to: The format of the model's vendor, if it is not OpenAI.

    Returns:
        The function tools.
    """
    service = Service(tools, run, to=to, otherwise="openai@responses-strict", messages="openai@responses")
    return [_function_tool(tool, service) for tool in service.shown()]


def _function_tool(tool: ModelTool, service: Service) -> FunctionTool:
    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.schema,
        on_invoke_tool=partial(_invoke, service, tool.name),
        # What other vendors call strict is something else.
        strict_json_schema=tool.strict is True and service.box.target.family == "openai",
    )


async def _invoke(service: Service, name: str, ctx: ToolContext[Any], arguments: str) -> Any:
    block = {"type": "function_call", "call_id": ctx.tool_call_id, "name": name, "arguments": arguments}
    try:
        reply = await service.async_result(block)
    except Exception as error:  # noqa: BLE001 - the SDK does the same for functions
        failure_text = default_tool_error_function(ctx, error)
        return await failure_text if isawaitable(failure_text) else failure_text
    output = reply["output"]
    return output if isinstance(output, str) else [_part(part) for part in output]


def _part(part: JsonObject) -> JsonObject:
    """A part of an output as the SDK wants it from a tool: without the word that the service puts before its type."""
    return {**part, "type": part["type"].removeprefix("input_")}


def from_tools(tools: Iterable[FunctionTool]) -> list[JsonObject]:
    """Function tools in the format of OpenAI's Responses, for `convert` and `Toolbox`."""
    return [_function(tool) for tool in tools]


def _function(tool: FunctionTool) -> JsonObject:
    written: JsonObject = {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.params_json_schema,
        "strict": tool.strict_json_schema,
    }
    return written if tool.output_json_schema is None else {**written, "output_schema": tool.output_json_schema}


def run(tools: Iterable[FunctionTool], context: Any = None) -> Run:
    """A `run` for the other adapters, which runs calls with function tools.

    Args:
        tools: Function tools of the SDK, each of which runs the calls with its name.
        context: The context of a run of the SDK.

    Returns:
        A function that runs a call.
    """
    known = {tool.name: tool for tool in tools}

    async def invoke(call: SourceCall) -> object:
        function_call = ResponseFunctionToolCall.model_validate(call)
        tool_context = ToolContext(
            context=context,
            tool_name=function_call.name,
            tool_call_id=function_call.call_id,
            tool_arguments=function_call.arguments,
        )
        given = await invoke_function_tool(
            function_tool=known[call.name], context=tool_context, arguments=function_call.arguments
        )
        return ItemHelpers.tool_call_output_item(function_call, given)

    return invoke
