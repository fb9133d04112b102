"""The contract of all adapters for the `mcp` SDK, in version 1 or 2: a server with tools of any format, and clients."""

from __future__ import annotations

import asyncio
import importlib
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple

import mcp as installed

from adapters.contract import Contract, Told
from toolbridge.adapters import mcp, wait
from toolbridge.data.from_python import plain_data

sdk: Any = installed
Server: Any = importlib.import_module("mcp.server.lowlevel").Server
_name = "mcpserver" if hasattr(sdk, "Client") else "fastmcp"
_simple = importlib.import_module(f"mcp.server.{_name}")
SimpleServer: Any = _simple.MCPServer if hasattr(sdk, "Client") else _simple.FastMCP
ToolError: Any = importlib.import_module(f"mcp.server.{_name}.exceptions").ToolError


def connected(server: Any) -> AbstractAsyncContextManager[Any]:
    """A client that is joined to a server in memory."""
    if hasattr(sdk, "Client"):
        return sdk.Client(server)
    return importlib.import_module("mcp.shared.memory").create_connected_server_and_client_session(server)


class ServerTool(NamedTuple):
    """A tool as a server lists it."""

    server: Any
    listed: dict[str, Any]


class TestMcp(Contract):
    sync = False
    raises = (Exception,)

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        del later
        server = Server("harbour")
        mcp.serve(server, given, runs)

        async def story() -> list[Any]:
            async with connected(server) as client:
                return await mcp.tools(client)

        return [ServerTool(server, tool) for tool in wait(story())]

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        listed = tool.listed
        return listed["name"].replace(".", "_"), listed["description"], listed["inputSchema"]

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        async with connected(tool.server) as client:
            result: Any = plain_data(await client.call_tool(tool.listed["name"], arguments))[0]
        blocks = result["content"]
        texts = [block["text"] for block in blocks if block["type"] == "text"]
        images = tuple(block["data"] for block in blocks if block["type"] == "image")
        return Told("\n".join(texts), result.get("isError", False), images)

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        server = SimpleServer("sums")

        @server.tool()
        def add(a: int, b: int = 1) -> int:
            """Adds."""
            if a < 0:
                raise ToolError("a is negative")
            return a + b

        async def listed() -> Any:
            async with connected(server) as client:
                return await mcp.tools(client)

        async def run(call: Any) -> object:
            async with connected(server) as client:
                return await mcp.run(client)(call)

        return asyncio.run(listed()), run

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        """A client of the server, which a model would have."""

        async def story() -> list[str]:
            return [(await self.awaited(made[0], given)).text for _, given in calls]

        return asyncio.run(story())
