"""CrewAI: tools of any format for an agent, and CrewAI's tools in any format.

    agent = Agent(role="Harbour master", goal="...", backstory="...", tools=tools(mcp_tools, run))

Written for crewai 1.15 (tools/base_tool.py, tools/tool_failure.py, utilities/pydantic_schema_utils.py, checked
2026-11-23).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import PrivateAttr

from ..data.types import JsonObject
from ..formats.format_names import FormatName
from ..mapping.format import Format
from ..toolbox.records import SourceCall
from . import Function, Run, arguments_model, as_text, framework, function_of, functions

_base = framework("crewai.tools.base_tool", "crewai")
_failures = framework("crewai.tools.tool_failure", "crewai")

__all__ = ["from_tools", "run", "tools"]


def tools(tools: object, run: Run, *, to: FormatName | Format | None = None) -> list[Any]:
    """Tools for an agent.

    Results are text, in which images and files are described. A call that fits no tool, and a failed result, are
    a `ToolFailure`. CrewAI handles exceptions of `run`.

    Args:
        tools: Tools in any format, or a `Toolbox`.
        run: A function that runs a call, which is in the format of the tool's own server.
        to: The format of the tools; by default OpenAI's strict functions, because CrewAI requires all parameters and
            no others of every tool, for every model.

    Returns:
        The tools.
    """
    return [BridgedTool(function) for function in functions(tools, run, to, "openai@chat-strict")]


class BridgedTool(_base.BaseTool):
    """A tool of any format. Its `origin` has its server, and its name there."""

    origin: dict[str, str | None]
    _function: Any = PrivateAttr()

    def __init__(self, function: Function) -> None:
        tool = function.tool
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - Any, where it is not installed
            name=tool.name, description=tool.description, args_schema=arguments_model(tool), origin=function.origin
        )
        self._function = function

    def _run(self, /, **arguments: Any) -> Any:
        return _given(self._function.answer(arguments))

    async def _arun(self, /, **arguments: Any) -> Any:
        return _given(await self._function.answered(arguments))


def _given(result: JsonObject) -> Any:
    words = as_text(result)
    return _failures.ToolFailure(message=words) if result.get("isError") else words


def from_tools(tools: Iterable[Any]) -> list[JsonObject]:
    """CrewAI's tools in the format of MCP, for `convert` and `Toolbox`."""
    return [function_of(tool.name, tool.description, tool.args_schema.model_json_schema()) for tool in tools]


def run(tools: Iterable[Any]) -> Run:
    """A `run` for the other adapters, which runs calls with CrewAI's tools.

    Args:
        tools: Tools of CrewAI, each of which runs the calls with its name.

    Returns:
        A function that runs a call.
    """
    known = {tool.name: tool for tool in tools}

    def invoke(call: SourceCall) -> object:
        tool = known[call.name]
        given = tool.run(**call.arguments)
        failed = isinstance(given, _failures.ToolFailure)
        written: JsonObject = {"content": [{"type": "text", "text": tool.format_output_for_agent(given)}]}
        return {**written, "isError": True} if failed else written

    return invoke
