"""Anthropic's tool runner: tools of any format for it, and its tools in any format.

    runner = client.beta.messages.tool_runner(tools=tools(mcp_tools, run), model=..., messages=..., max_tokens=1024)

Written for anthropic 2.14 (lib/tools/_beta_functions.py, lib/tools/_tool_dispatch.py, checked 2026-11-29).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import isawaitable
from typing import Any, cast

from ..data.types import JsonObject, is_object
from ..formats.format_names import FormatName
from ..mapping.format import Format
from ..toolbox.records import Reply, SourceCall
from . import Run, Service, needed

try:
    from anthropic.lib.tools import (
        BetaAsyncBuiltinFunctionTool,
        BetaAsyncFunctionTool,
        BetaBuiltinFunctionTool,
        BetaFunctionTool,
        ToolError,
    )
except ImportError as error:
    raise needed(error, "anthropic", "anthropic") from error

__all__ = ["async_tools", "from_tools", "run", "tools"]

AnyTool = BetaFunctionTool[Any] | BetaAsyncFunctionTool[Any] | BetaBuiltinFunctionTool | BetaAsyncBuiltinFunctionTool


def tools(tools: object, run: Run, *, to: FormatName | Format | None = None) -> list[BetaBuiltinFunctionTool]:
    """Tools for the tool runner of an `Anthropic` client.

    They are sent as toolbridge writes them. A call that fits no tool, and a failed result, are results that say so.

    Args:
        tools: Tools in any format, or a `Toolbox` for a format of Anthropic.
        run: A function that runs a call, which is in the format of the tool's own server. The runner handles its
            exceptions. A coroutine function runs in another thread.
        to: The format of Anthropic, for example `"anthropic@strict"`.

    Returns:
        The tools.
    """
    return _made(tools, run, to, BridgedTool)


def async_tools(
    tools: object, run: Run, *, to: FormatName | Format | None = None
) -> list[BetaAsyncBuiltinFunctionTool]:
    """Like `tools`, for the tool runner of an `AsyncAnthropic` client; a function runs in another thread."""
    return _made(tools, run, to, AsyncBridgedTool)


def _made(tools: object, run: Run, to: FormatName | Format | None, kind: Callable[[Any, Service], Any]) -> list[Any]:
    service = Service(tools, run, to=to, otherwise="anthropic", messages="anthropic")
    if service.box.target.family != "anthropic":
        raise TypeError(f"these tools are for {service.box.target.id}: the tool runner sends them to Anthropic")
    return [kind(tool, service) for tool in service.box.tools if is_object(tool) and tool.get("name") in service.names]


class _ToolDocument:
    """A tool as toolbridge writes it, and the service that runs its calls."""

    def __init__(self, tool: Any, service: Service) -> None:
        self._tool = tool
        self._service = service

    def to_dict(self) -> Any:
        return self._tool


class BridgedTool(_ToolDocument, BetaBuiltinFunctionTool):
    """A tool of any format for the tool runner."""

    def call(self, input: object) -> Any:
        return _content(self._service.result(_block(self.name, input)))


class AsyncBridgedTool(_ToolDocument, BetaAsyncBuiltinFunctionTool):
    """A tool of any format for the tool runner of an asynchronous client."""

    async def call(self, input: object) -> Any:
        return _content(await self._service.async_result(_block(self.name, input)))


def _block(name: str, input: object) -> JsonObject:
    # The runner keeps the id of a call to itself.
    return {"type": "tool_use", "id": name, "name": name, "input": input}


def _content(reply: Reply) -> Any:
    content = reply.get("content", "")
    if reply.get("is_error"):
        raise ToolError(content)
    return content


def from_tools(tools: Iterable[AnyTool]) -> list[JsonObject]:
    """Tools of the tool runner in the format of Anthropic, for `convert` and `Toolbox`."""
    return [dict(cast("JsonObject", tool.to_dict())) for tool in tools]


def run(tools: Iterable[AnyTool]) -> Run:
    """A `run` for the other adapters, which runs calls with tools of the tool runner.

    Args:
        tools: Tools of the tool runner, each of which runs the calls with its name.

    Returns:
        A function that runs a call.
    """
    known: dict[str, Any] = {tool.name: tool for tool in tools}

    async def invoke(call: SourceCall) -> object:
        block: JsonObject = {"type": "tool_result", "tool_use_id": str(call.id)}
        try:
            content = known[call.name].call(call.arguments)
            content = await content if isawaitable(content) else content
        except ToolError as error:
            return {**block, "content": _list(error.content), "is_error": True}
        # A tool may return None, whatever its annotation says (lib/tools/_tool_dispatch.py).
        return block if content is None else {**block, "content": _list(content)}

    return invoke


def _list(content: Any) -> Any:
    return content if isinstance(content, str) else [dict(each) for each in content]
