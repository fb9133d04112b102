"""The adapter for the `mcp` SDK: its own clients and servers, joined in memory."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import mcp as sdk
import pytest

if not hasattr(sdk, "Client"):
    pytest.skip("test_mcp_sdk_v1.py has the tests of version 1", allow_module_level=True)
from mcp import Client, MCPError
from mcp.server import MCPServer, Server
from mcp_types import (
    CONNECTION_CLOSED,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

from toolbridge import FormatError, Toolbox, convert, get_format
from toolbridge.adapters import mcp
from toolbridge.toolbox.records import SourceCall

OXP = [
    {
        "id": "Harbour.book_berth@1.2.0",
        "name": "book_berth",
        "description": "Books a berth.",
        "version": "1.2.0",
        "input_schema": {
            "parameters": {
                "type": "object",
                "properties": {"ship": {"type": "string", "description": "IMO number"}},
                "required": ["ship"],
            }
        },
        "output_schema": {"type": "object", "properties": {"berth": {"type": "string"}}, "required": ["berth"]},
    }
]
TIDE = {
    "name": "harbour.tide",
    "description": "Tells the tide.",
    "inputSchema": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]},
    "outputSchema": {"type": "array", "items": {"type": "number"}},
}


def inside(server: Any, story: Callable[[Client], Awaitable[None]], mode: str = "auto") -> None:
    async def tell() -> None:
        async with Client(server, mode=mode) as client:
            await story(client)

    asyncio.run(tell())


def low(*names: str) -> Server[Any]:
    """A server that has these tools, each on a page of its own, and tells how it was called."""

    async def listed(_: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        page = int(params.cursor) if params is not None and params.cursor else 0
        tool = Tool(name=names[page], input_schema={"type": "object", "properties": {"a": {"type": "integer"}}})
        return ListToolsResult(tools=[tool], next_cursor=str(page + 1) if page + 1 < len(names) else None)

    async def called(_: Any, params: CallToolRequestParams) -> CallToolResult:
        if params.arguments == {"a": 0}:
            raise MCPError(-32000, "the harbour is closed")
        return CallToolResult(content=[TextContent(type="text", text=f"{params.name} {params.arguments}")])

    return Server("low", on_list_tools=listed, on_call_tool=called)


def block(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


# using servers


def test_all_pages_of_a_servers_tools() -> None:
    async def story(client: Client) -> None:
        tools = await mcp.tools(client)
        assert [tool["name"] for tool in tools] == ["a", "b", "c"]
        assert tools == await mcp.tools(client.session)
        assert tools[0] == {"name": "a", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}}}

    inside(low("a", "b", "c"), story)


def test_a_list_without_end_is_an_error() -> None:
    async def listed(*_: Any) -> ListToolsResult:
        return ListToolsResult(tools=[], next_cursor="again")

    async def story(client: Client) -> None:
        with pytest.raises(ValueError, match="without an end: it names the cursor 'again' again"):
            await mcp.tools(client)

    inside(Server("endless", on_list_tools=listed), story)


def test_a_list_with_ever_new_cursors_is_an_error() -> None:
    asked = count()

    async def listed(*_: Any) -> ListToolsResult:
        return ListToolsResult(tools=[], next_cursor=f"page {next(asked)}")

    async def story(client: Client) -> None:
        with pytest.raises(ValueError, match="without an end: it has more than 1,000 pages"):
            await mcp.tools(client)

    inside(Server("endless", on_list_tools=listed), story)


def test_an_empty_cursor_that_repeats_its_page_ends_the_list() -> None:
    async def listed(*_: Any) -> ListToolsResult:
        return ListToolsResult(tools=[Tool(name="a", input_schema={"type": "object"})], next_cursor="")

    async def story(client: Client) -> None:
        assert [tool["name"] for tool in await mcp.tools(client)] == ["a"]

    inside(Server("empty", on_list_tools=listed), story)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_model_uses_a_server(mode: str) -> None:
    async def story(client: Client) -> None:
        box = await mcp.toolbox(client, to="mcp@2025-03-26", description=None)
        assert box.report.source == f"mcp@{client.protocol_version}"
        reply = await mcp.answer(client, box, block("book.berth", a=1))
        assert reply["content"] == [{"type": "text", "text": "book.berth {'a': 1}"}]
        assert not reply["isError"]

    inside(low("book.berth"), story, mode)


def test_what_goes_wrong_is_told_to_the_model() -> None:
    async def story(client: Client) -> None:
        box = await mcp.toolbox(client, to="mcp@2025-06-18")
        told = [await mcp.answer(client, box, each) for each in (block("a", a="x"), block("b", a=1), block("a", a=0))]
        assert all(reply["isError"] for reply in told)
        texts = [reply["content"][0]["text"] for reply in told]
        assert texts[0].startswith('/a: "x" is not of type')
        assert texts[1:] == ["there is no tool called 'b'; there are: a", "the harbour is closed"]

    inside(low("a"), story)


def test_a_connection_that_is_gone_is_an_error() -> None:
    class Gone(Client):
        async def call_tool(self, *_: Any, **__: Any) -> CallToolResult:
            raise MCPError(CONNECTION_CLOSED, "Connection closed")

    box = Toolbox([TIDE], to="mcp@2025-06-18")
    with pytest.raises(MCPError, match="Connection closed"):
        asyncio.run(mcp.answer(Gone(low("a")), box, block("harbour.tide", port="Ems")))


def test_several_servers() -> None:
    async def tell() -> None:
        async with Client(low("tide", "a")) as north, Client(low("tide")) as south:
            clients = {"north": north, "south": south}
            box = await mcp.toolbox(clients, to="mcp@2025-06-18")
            assert box.names == {"north_tide": ("north", "tide"), "a": ("north", "a"), "south_tide": ("south", "tide")}
            reply = await mcp.answer(clients, box, block("south_tide", a=4))
            assert reply["content"][0]["text"] == "tide {'a': 4}"

    asyncio.run(tell())


class FastMCPClient:
    """A client with the methods of fastmcp.Client (4.1.2), around one of the SDK's."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def list_tools(self) -> list[Tool]:
        return (await self.client.list_tools()).tools

    async def call_tool(self, *_: Any) -> object:
        raise AssertionError("it raises an error for a failed result")

    async def call_tool_mcp(self, name: str, arguments: dict[str, Any]) -> CallToolResult:
        return await self.client.call_tool(name, arguments)


def test_a_client_of_fastmcp() -> None:
    """K2."""

    async def story(client: Client) -> None:
        other = FastMCPClient(client)
        assert await mcp.tools(other) == await mcp.tools(client)
        box = await mcp.toolbox(other, to="anthropic")
        reply = await mcp.answer(other, box, {"type": "tool_use", "id": "t1", "name": "a", "input": {"a": 1}})
        assert reply["content"] == "a {'a': 1}"

    inside(low("a"), story)


def test_a_server_of_fastmcp() -> None:
    """K2: its tools are beside ours; fastmcp.FastMCP keeps a server of the SDK to itself."""

    class FastMCP:
        _mcp_server = low("a")

    mcp.serve(FastMCP(), [TIDE], run)

    async def story(client: Client) -> None:
        assert [tool["name"] for tool in await mcp.tools(client)] == ["harbour.tide", "a"]
        assert (await client.call_tool("harbour.tide", {"port": "Ems"})).content[0].text == "[2.5,0.5]"
        assert (await client.call_tool("a", {"a": 1})).content[0].text == "a {'a': 1}"

    inside(FastMCP._mcp_server, story)


# serving


def run(call: SourceCall) -> object:
    if call.name == "harbour.tide":
        if call.arguments["port"] == "Atlantis":
            raise KeyError("Atlantis")
        return [2.5, 0.5]
    assert call["tool_id"] == "Harbour.book_berth@1.2.0"
    assert call["input"] == {"ship": "IMO 9074729"}
    return {"result": {"call_id": call["call_id"], "success": True, "duration": 4, "value": {"berth": "N2"}}}


async def run_later(call: SourceCall) -> object:
    await asyncio.sleep(0)
    return run(call)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("make", [Server, MCPServer])
def test_each_client_gets_the_tools_in_its_own_edition(make: Callable[[str], Any], mode: str) -> None:
    server = make("harbour")
    mcp.serve(server, [TIDE], run_later)

    async def story(client: Client) -> None:
        listed = await client.list_tools()
        edition = f"mcp@{client.protocol_version}"
        written = convert([TIDE], edition, source="mcp@2026-07-28").value
        assert [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed.tools] == written
        # The client holds it against the output schema that it was given.
        given = await client.call_tool("harbour.tide", {"port": "Ems"})
        assert given.structured_content == ([2.5, 0.5] if mode == "auto" else {"result": [2.5, 0.5]})
        assert not given.is_error

    inside(server, story, mode)


def test_a_version_that_only_the_sdk_knows_has_the_newest_edition() -> None:
    """A client of such a version got an error for each request, and no Toolbox could be made of a server's tools."""

    class Later:
        protocol_version = "2999-01-01"

        async def list_tools(self) -> list[Any]:
            return [Tool(name="a", input_schema={"type": "object"})]

    newest = get_format("mcp")
    assert asyncio.run(mcp.toolbox(Later(), "openai")).report.source == newest.id
    assert mcp._ServedTools([TIDE], run)._for(Later()).box.target is newest


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_tools_of_another_format(mode: str) -> None:
    server = Server("harbour")
    mcp.serve(server, OXP, run)

    async def story(client: Client) -> None:
        assert [tool["name"] for tool in await mcp.tools(client)] == ["book_berth"]
        given = await client.call_tool("book_berth", {"ship": "IMO 9074729"})
        assert given.structured_content == {"berth": "N2"}
        assert given.content == [TextContent(type="text", text='{"berth":"N2"}')]

    inside(server, story, mode)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("make", [Server, MCPServer])
def test_a_call_that_a_tool_cannot_take(make: Callable[[str], Any], mode: str) -> None:
    server = make("harbour")
    mcp.serve(server, [TIDE], run)

    async def story(client: Client) -> None:
        wrong = await client.call_tool("harbour.tide", {"port": 7})
        assert wrong.is_error
        assert wrong.content == [TextContent(type="text", text='/port: 7 is not of type "string"')]

    inside(server, story, mode)


def test_an_unknown_tool_is_an_error_of_the_protocol() -> None:
    server = Server("harbour")
    mcp.serve(server, [TIDE], run)

    async def story(client: Client) -> None:
        with pytest.raises(MCPError, match=r"no tool called 'harbour\.tides'; nearest: harbour\.tide"):
            await client.call_tool("harbour.tides", {})

    inside(server, story)


def test_own_tools_stay() -> None:
    server = low("a", "harbour.tide", "b")
    mcp.serve(server, [TIDE], run)

    async def story(client: Client) -> None:
        tools = await mcp.tools(client)
        assert [tool["name"] for tool in tools] == ["harbour.tide", "a", "b"]
        assert tools[0]["description"] == "Tells the tide."
        own = await client.call_tool("b", {"a": 2})
        assert own.content == [TextContent(type="text", text="b {'a': 2}")]
        ours = await client.call_tool("harbour.tide", {"port": "Ems"})
        assert ours.structured_content == [2.5, 0.5]

    inside(server, story)


@pytest.mark.parametrize("make", [Server, MCPServer])
def test_tools_from_several_sources(make: Callable[[str], Any]) -> None:
    server = make("harbour")
    mcp.serve(server, [TIDE], run)
    mcp.serve(server, OXP, run)

    async def story(client: Client) -> None:
        assert {tool["name"] for tool in await mcp.tools(client)} == {"harbour.tide", "book_berth"}
        assert (await client.call_tool("harbour.tide", {"port": "Ems"})).structured_content == [2.5, 0.5]
        given = await client.call_tool("book_berth", {"ship": "IMO 9074729"})
        assert given.structured_content == {"berth": "N2"}

    inside(server, story)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_own_functions_stay(mode: str) -> None:
    server = MCPServer("harbour")

    @server.tool()
    def wind(port: str) -> str:
        return f"wind in {port}"

    mcp.serve(server, [TIDE], run)

    async def story(client: Client) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["harbour.tide", "wind"]
        assert (await client.call_tool("wind", {"port": "Ems"})).structured_content == {"result": "wind in Ems"}
        assert (await client.list_prompts()).prompts == []

    inside(server, story, mode)


def test_what_the_run_raises_is_the_servers_affair(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    server = Server("harbour")
    mcp.serve(server, [TIDE], run)

    async def story(client: Client) -> None:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("harbour.tide", {"port": "Atlantis"})
        assert "Atlantis" not in str(caught.value)

    inside(server, story)


def test_bad_tools_are_told_at_once() -> None:
    with pytest.raises(FormatError, match="not a tool description"):
        mcp.serve(Server("harbour"), [{"inputSchema": {"type": "object"}}], run)
    with pytest.raises(TypeError, match="make a Toolbox for mcp"):
        mcp.serve(Server("harbour"), Toolbox([TIDE], to="anthropic"), run)


def test_a_missing_sdk_is_named() -> None:
    script = (
        "import sys; sys.modules['mcp'] = None\n"
        "import toolbridge.adapters\n"
        "try:\n    import toolbridge.adapters.mcp\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout == "needs mcp>=1.30: pip install 'mcp>=1.30'\n"
