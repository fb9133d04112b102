"""The adapter for version 1 of the `mcp` SDK, which many frameworks need: sessions and servers, joined in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

import mcp as installed
import pytest

if hasattr(installed, "Client"):
    pytest.skip("mcp is installed in version 2", allow_module_level=True)
from toolbridge import Toolbox, convert
from toolbridge.adapters import mcp
from toolbridge.toolbox.records import SourceCall

sdk: Any = installed
types: Any = import_module("mcp.types")
joined: Any = import_module("mcp.shared.memory").create_connected_server_and_client_session
Server: Any = import_module("mcp.server.lowlevel").Server
FastMCP: Any = import_module("mcp.server.fastmcp").FastMCP

TIDE = {
    "name": "harbour.tide",
    "description": "Tells the tide.",
    "inputSchema": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]},
    "outputSchema": {"type": "array", "items": {"type": "number"}},
}


def inside(server: Any, story: Callable[[Any], Awaitable[None]]) -> None:
    async def tell() -> None:
        async with joined(server) as session:
            await story(session)

    asyncio.run(tell())


def low(*names: str) -> Any:
    """A server that has these tools, each on a page of its own, and tells how it was called."""
    server = Server("low")

    async def listed(request: Any) -> Any:
        page = int(request.params.cursor) if request is not None and request.params and request.params.cursor else 0
        tool = types.Tool(name=names[page], inputSchema={"type": "object", "properties": {"a": {"type": "integer"}}})
        cursor = str(page + 1) if page + 1 < len(names) else None
        return types.ServerResult(types.ListToolsResult(tools=[tool], nextCursor=cursor))

    async def called(request: Any) -> Any:
        if request.params.arguments == {"a": 0}:
            raise sdk.McpError(types.ErrorData(code=-32000, message="the harbour is closed"))
        text = f"{request.params.name} {request.params.arguments}"
        return types.ServerResult(types.CallToolResult(content=[types.TextContent(type="text", text=text)]))

    server.request_handlers.update({types.ListToolsRequest: listed, types.CallToolRequest: called})
    return server


def block(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def run(call: SourceCall) -> object:
    assert call.name == "harbour.tide"
    return [2.5, 0.5]


def test_a_model_uses_a_server() -> None:
    """K9."""

    async def story(session: Any) -> None:
        tools = await mcp.tools(session)
        assert [tool["name"] for tool in tools] == ["a", "b", "c"]
        assert tools[0] == {"name": "a", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}}}
        box = await mcp.toolbox(session, to="mcp@2025-06-18")
        told = [await mcp.answer(session, box, each) for each in (block("a", a=1), block("d", a=1), block("a", a=0))]
        assert [bool(reply.get("isError")) for reply in told] == [False, True, True]
        texts = [reply["content"][0]["text"] for reply in told]
        assert texts == ["a {'a': 1}", "there is no tool called 'd'; there are: a, b, c", "the harbour is closed"]

    inside(low("a", "b", "c"), story)


def test_a_connection_that_is_gone_is_an_error() -> None:
    class Gone:
        async def call_tool(self, *_: Any, **__: Any) -> Any:
            raise sdk.McpError(types.ErrorData(code=types.CONNECTION_CLOSED, message="Connection closed"))

    gone: Any = Gone()
    box = Toolbox([TIDE], to="mcp@2025-06-18")
    with pytest.raises(sdk.McpError, match="Connection closed"):
        asyncio.run(mcp.answer(gone, box, block("harbour.tide", port="Ems")))


def made(kind: str) -> Any:
    """A server with one tool of its own."""
    if kind == "low":
        return low("wind")
    server = FastMCP("harbour")

    @server.tool()
    def wind(a: int) -> str:
        return f"wind {{'a': {a}}}"

    return server


@pytest.mark.parametrize("kind", ["low", "FastMCP"])
def test_tools_behind_a_server(kind: str) -> None:
    """K9: beside those that it has."""
    server = made(kind)
    mcp.serve(server, [TIDE], run)

    async def story(session: Any) -> None:
        listed = (await session.list_tools()).tools
        assert [tool.name for tool in listed] == ["harbour.tide", "wind"]
        written = convert([TIDE], "mcp@2025-11-25", source="mcp@2026-07-28").value
        assert [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed][:1] == written
        given = await session.call_tool("harbour.tide", {"port": "Ems"})
        assert (given.structuredContent, given.isError) == ({"result": [2.5, 0.5]}, False)
        wrong = await session.call_tool("harbour.tide", {"port": 7})
        assert (wrong.isError, wrong.content[0].text) == (True, '/port: 7 is not of type "string"')
        own = await session.call_tool("wind", {"a": 2})
        assert own.content[0].text == "wind {'a': 2}"

    inside(server, story)


def test_an_unknown_tool_is_an_error_of_the_protocol() -> None:
    server = Server("harbour")
    mcp.serve(server, [TIDE], run)

    async def story(session: Any) -> None:
        with pytest.raises(sdk.McpError, match=r"no tool called 'harbour\.tides'; nearest: harbour\.tide") as caught:
            await session.call_tool("harbour.tides", {})
        assert caught.value.error.code == types.INVALID_PARAMS

    inside(server, story)
