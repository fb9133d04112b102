"""FastMCP: tools of any format for a server, and a server's own tools in any format. `mcp` has its clients.

    for tool in tools(any_tools, run): server.add_tool(tool)

Written for fastmcp 4.2 and 3.4 (tools/base.py, server/server.py, checked 2026-11-29).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from pydantic import PrivateAttr

from ..data.from_python import plain_data
from ..data.types import JsonObject
from ..formats.registry import get_format
from ..toolbox.records import SourceCall
from . import Function, Run, Service, framework, of_mcp

_tools = framework("fastmcp.tools", "fastmcp")
_exceptions = framework("fastmcp.exceptions", "fastmcp")
_types = framework("mcp.types", "fastmcp")

__all__ = ["from_tools", "run", "tools"]

# What clients of FastMCP's servers get, whatever their own edition: data that is an object.
_EDITION = "2025-11-25"


def tools(tools: object, run: Run) -> list[Any]:
    """Tools for `add_tool` of a server, with its middleware, transforms and tags.

    `toolbridge.adapters.mcp.serve` does without these, and gives each client the tools in its own edition. A call that
    fits no tool becomes a failed result. The server handles exceptions of `run`.

    Args:
        tools: Tools in any format, or a `Toolbox` for an edition of MCP.
        run: A function that runs a call, which is in the format of the tool's own server.

    Returns:
        The tools.
    """
    form = get_format(f"mcp@{_EDITION}")
    service = Service(tools, run, to=form, otherwise="mcp", messages=partial(of_mcp, _EDITION))
    shown: list[Any] = service.box.tools
    return [ServerTool(Function(tool, service), each) for tool, each in zip(service.shown(), shown, strict=True)]


class ServerTool(_tools.Tool):
    """A tool of any format behind a server."""

    _function: Any = PrivateAttr()

    def __init__(self, function: Function, document: JsonObject) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - Any, where it is not installed
            name=function.tool.name,
            title=document.get("title"),
            description=document.get("description"),
            icons=document.get("icons"),
            parameters=document["inputSchema"],
            output_schema=document.get("outputSchema"),
            annotations=document.get("annotations"),
            meta=document.get("_meta"),
        )
        self._function = function

    async def run(self, arguments: Any) -> Any:
        result = plain_data(await self._function.answered(arguments))[0]
        parsed = _types.CallToolResult.model_validate(result)
        return _tools.ToolResult(
            content=parsed.content,
            structured_content=result.get("structuredContent"),
            meta=result.get("_meta"),
            is_error=result.get("isError", False),
        )


def from_tools(tools: Iterable[Any]) -> list[JsonObject]:
    """Tools of a server (`await server.list_tools()`) in the format of MCP, for `convert` and `Toolbox`."""
    return [plain_data(tool.to_mcp_tool())[0] for tool in tools]


def run(server: Any) -> Run:
    """A `run` for the other adapters, which runs calls with the tools of a server.

    Args:
        server: A FastMCP server.

    Returns:
        A function that runs a call.
    """

    async def invoke(call: SourceCall) -> object:
        try:
            result = await server.call_tool(call.name, call.arguments)
        except _exceptions.FastMCPError as error:
            return error
        # A tool that asks its client for input first (fastmcp 4.2.3, tools/base.py, InputRequiredToolResult, checked
        # 2026-11-29); fastmcp 3 has no such results.
        asked: object = getattr(result, "input_required", None)
        if asked is not None:
            return plain_data(asked)[0]
        written: JsonObject = {"content": [plain_data(block)[0] for block in result.content]}
        # A server behind this one may have any data: 0 and false are values as well (fastmcp 4.2.3, tools/base.py,
        # RawStructuredToolResult, checked 2026-11-29).
        more = {
            "structuredContent": result.structured_content,
            "_meta": result.meta,
            "isError": result.is_error or None,
        }
        return {**written, **{key: value for key, value in more.items() if value is not None}}

    return invoke
