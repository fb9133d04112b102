"""The adapter for FastMCP: tools of any format behind its servers, and its clients, in a server's own process."""

from __future__ import annotations

import asyncio
import importlib
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

if not find_spec("fastmcp"):
    pytest.skip("fastmcp is not installed", allow_module_level=True)

from adapters.contract import BERTH, Contract, Told, run
from toolbridge import Toolbox
from toolbridge.adapters import entered, mcp, wait
from toolbridge.adapters.fastmcp import from_tools, tools
from toolbridge.adapters.fastmcp import run as run_with
from toolbridge.data.from_python import plain_data

fastmcp: Any = importlib.import_module("fastmcp")


def told(result: Any) -> Told:
    blocks: Any = [plain_data(block)[0] for block in result.content]
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    return Told("\n".join(texts), result.is_error, tuple(b["data"] for b in blocks if b["type"] == "image"))


class TestFastMCP(Contract):
    sync = False
    raises = (KeyError,)

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        del later
        return tools(given, runs)

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        sent: Any = plain_data(tool.to_mcp_tool())[0]
        return sent["name"].replace(".", "_"), sent["description"], sent["inputSchema"]

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        return told(await tool.run(arguments))

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        server = fastmcp.FastMCP("sums")

        @server.tool
        def add(a: int, b: int = 1) -> int:
            """Adds."""
            if a < 0:
                raise ValueError("a is negative")
            return a + b

        return from_tools(asyncio.run(server.list_tools())), run_with(server)

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        """A client of a server, which a model would have."""
        server = fastmcp.FastMCP("harbour")
        for tool in made:
            server.add_tool(tool)

        async def story() -> list[str]:
            async with fastmcp.Client(server) as client:
                asked = [await client.call_tool(BERTH["name"], given, raise_on_error=False) for _, given in calls]
            return [told(result).text for result in asked]

        return asyncio.run(story())


def test_a_client_of_fastmcp_for_code_that_does_not_await() -> None:
    server = fastmcp.FastMCP("harbour")
    for tool in tools([BERTH], run):
        server.add_tool(tool)
    with entered(fastmcp.Client(server)) as client:
        box = wait(mcp.toolbox(client, to="anthropic"))
        block = {"type": "tool_use", "id": "t1", "name": "harbour_book-berth_v2", "input": {"ship": "A"}}
        assert wait(mcp.answer(client, box, block))["content"] == '{"ship": "A"}'


def test_what_a_tool_says_besides() -> None:
    hints = {"title": "Tide", "readOnlyHint": True}
    output = {"type": "object", "properties": {"height": {"type": "number"}}, "required": ["height"]}
    tide = {"name": "tide", "inputSchema": {"type": "object"}, "annotations": hints, "outputSchema": output}
    server = fastmcp.FastMCP("harbour")
    (made,) = tools([tide], lambda _: {"height": 2.5})
    server.add_tool(made)

    async def story() -> None:
        async with fastmcp.Client(server) as client:
            (listed,) = await mcp.tools(client)
            assert listed["annotations"] == hints
            assert listed["outputSchema"] == output
            assert (await client.call_tool("tide", {})).structured_content == {"height": 2.5}

    asyncio.run(story())
    with pytest.raises(TypeError, match="make another Toolbox for mcp@2025-11-25"):
        tools(Toolbox([tide], to="openai"), print)


@pytest.mark.parametrize("value", [0, False, "", [], {}])
def test_data_that_counts_as_false_is_data(value: Any) -> None:
    """0 and false of a server behind this one were dropped."""
    base: Any = importlib.import_module("fastmcp.tools.base")
    made = getattr(base, "RawStructuredToolResult", SimpleNamespace)  # fastmcp 3 has none

    class Given:
        async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
            del name, arguments
            return made(content=[], structured_content=value, meta=None, is_error=False)

    box = Toolbox([BERTH], to="anthropic")
    call = box.call({"type": "tool_use", "id": "t1", "name": next(iter(box.names)), "input": {"ship": "A"}})
    assert asyncio.run(run_with(Given())(call)) == {"content": [], "structuredContent": value}


def test_a_tool_that_asks_its_client_for_input_first() -> None:
    """Its result was empty, as if it had finished."""
    base: Any = importlib.import_module("fastmcp.tools.base")
    if not hasattr(base, "InputRequiredToolResult"):
        pytest.skip("fastmcp 3 has no such results")
    types: Any = importlib.import_module("mcp.types")
    asked = types.InputRequiredResult.model_validate({"resultType": "input_required", "requestState": "s"})

    class Given:
        async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
            del name, arguments
            return base.InputRequiredToolResult(asked)

    box = Toolbox([BERTH], to="anthropic")
    block = {"type": "tool_use", "id": "t1", "name": next(iter(box.names)), "input": {"ship": "A"}}
    call = box.call(block)
    answer = asyncio.run(run_with(Given())(call))
    assert answer == {"resultType": "input_required", "requestState": "s"}
    assert "asks for input first" in str(box.reply(answer, to=call))
