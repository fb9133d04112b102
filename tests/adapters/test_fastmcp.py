"""The adapter for the `mcp` SDK with real clients and servers of FastMCP, where that is installed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from toolbridge import Toolbox

fastmcp: Any = pytest.importorskip("fastmcp", reason="fastmcp is not installed")
mcp: Any = pytest.importorskip("toolbridge.adapters.mcp", reason="the mcp SDK is not installed")

TIDE = {"name": "tide", "inputSchema": {"type": "object", "properties": {"port": {"type": "string"}}}}


def test_both_directions() -> None:
    """K2."""
    server = fastmcp.FastMCP("harbour")

    @server.tool
    def add(a: int, b: int) -> int:
        if a > b:
            raise ValueError("in this order")
        return a + b

    mcp.serve(server, [TIDE], lambda call: {"content": [{"type": "text", "text": f"low in {call.arguments['port']}"}]})

    async def story() -> None:
        async with fastmcp.Client(server) as client:
            box = await mcp.toolbox(client, to="anthropic")
            assert [*box.names] == ["tide", "add"]
            for name, given, text, failed in (
                ("add", {"a": 1, "b": 2}, "3", False),
                ("add", {"a": 2, "b": 1}, "Error calling tool 'add': in this order", True),
                ("tide", {"port": "Ems"}, "low in Ems", False),
            ):
                block = {"type": "tool_use", "id": "t1", "name": name, "input": given}
                for reply in (
                    await mcp.answer(client, box, block),
                    box.reply(await client.call_tool(name, given, raise_on_error=False), to=block),
                ):
                    assert (reply["content"], bool(reply.get("is_error"))) == (text, failed)
        with pytest.raises(TypeError, match="make a Toolbox for mcp"):
            mcp.serve(server, Toolbox([TIDE], to="openai"), print)

    asyncio.run(story())
