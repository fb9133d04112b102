"""What the adapter of every framework is tested for, and a real MCP server. `make test-frameworks` has the results."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import mcp as sdk
import pytest
from mcp.client.stdio import StdioServerParameters, stdio_client

from toolbridge import Toolbox, convert
from toolbridge.adapters import entered, mcp, wait
from toolbridge.toolbox.records import SourceCall

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="  # one pixel

BERTH = {
    "name": "harbour.book-berth/v2",
    "description": "Books a berth.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "ship": {"type": "string", "description": "IMO number"},
            "pier": {"type": "integer", "enum": [1, 2, 5]},
            "note": {"type": ["string", "null"]},
            "config": {"type": "object", "properties": {"self": {"type": "boolean"}}},
        },
        "required": ["ship"],
    },
}
LOOK = {"name": "look", "description": "Shows the harbour.", "inputSchema": {"type": "object", "properties": {}}}


def run(call: SourceCall) -> object:
    """What the server of these tools does."""
    if call.name == "look":
        picture = {"type": "image", "data": PNG, "mimeType": "image/png"}
        return {"content": [{"type": "text", "text": "Look."}, picture]}
    assert call.name == BERTH["name"]
    if call.arguments["ship"] == "closed":
        return {"content": [{"type": "text", "text": "The harbour is closed."}], "isError": True}
    if call.arguments["ship"] == "broken":
        raise KeyError("berth")
    return {"content": [{"type": "text", "text": json.dumps(call.arguments)}]}


async def run_later(call: SourceCall) -> object:
    await asyncio.sleep(0)
    return run(call)


@asynccontextmanager
async def time_server() -> AsyncIterator[Any]:
    """A client of a real server in a process of its own, with version 1 or 2 of `mcp`."""
    arguments = ["-m", "mcp_server_time", "--local-timezone", "UTC"]
    with Path(os.devnull).open("w", encoding="utf-8") as silent:  # noqa: ASYNC230 - it is never slow
        transport = stdio_client(StdioServerParameters(command=sys.executable, args=arguments), errlog=silent)
        if hasattr(sdk, "Client"):
            async with sdk.Client(transport) as client:
                yield client
            return
        async with transport as streams, sdk.ClientSession(*streams) as session:
            await session.initialize()
            yield session


class Told(NamedTuple):
    """What a framework has of a result: its text, whether it failed, and the data of its images in base64."""

    text: str
    failed: bool = False
    images: tuple[str, ...] = ()


class Contract:
    """The tests. A subclass says how its framework does it; `sync` and `later` are its ways to call."""

    sync = True
    later = True
    images = True
    raises: tuple[type[Exception], ...] = ()
    """What a call raises if the framework handles exceptions of tools, and not the tool itself."""
    says = "'berth'"
    """What is in the text of such a failure otherwise."""
    refuses = "is not of type"
    """What an agent says of an argument of another type: most leave that to the tool."""

    # how a framework does it

    def made(self, tools: object, run: Any, *, later: bool = False) -> list[Any]:
        """Tools of the framework."""
        raise NotImplementedError

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        """Name, description and schema of a tool, as the framework sends them to a model."""
        raise NotImplementedError

    def called(self, tool: Any, arguments: dict[str, Any]) -> Told:
        raise NotImplementedError

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        raise NotImplementedError

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        """A tool `add(a: int, b: int = 1)` of the framework, which raises if a is negative: documents and a run."""
        raise NotImplementedError

    def agent(self, tools: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        """What a scripted model is told of its calls, in an agent of the framework. The tools are made for `later`."""
        raise NotImplementedError

    # what the tests need

    def pair(self, run: Any = run, *, later: bool = False) -> tuple[Any, Any]:
        berth, look = self.made([BERTH, LOOK], run, later=later)
        return berth, look

    def tell(self, index: int, arguments: dict[str, Any], run: Any = run) -> list[Told]:
        """A call, in every way that there is."""
        told = []
        if self.sync:
            told.append(self.called(self.pair(run)[index], arguments))
        if self.later:
            told.append(asyncio.run(self.awaited(self.pair(run, later=True)[index], arguments)))
        return told

    def test_tools_in(self) -> None:
        berth, look = self.pair()
        name, description, schema = self.shown(berth)
        assert name.startswith("harbour_book")
        assert description == "Books a berth."
        assert list(schema["properties"]) == ["ship", "pier", "note", "config"]
        assert schema["properties"]["ship"]["description"] == "IMO number"
        assert "ship" in schema["required"]
        assert 5 in json.loads(json.dumps(schema["properties"]["pier"]).replace("null", "0")).get("enum", [5])
        assert self.shown(look)[2].get("properties", {}) == {}

    def test_calls_sync(self) -> None:
        if not self.sync:
            pytest.skip("the framework awaits all tools")
        for each in (run, run_later):
            berth, _ = self.pair(each)
            given = {"ship": "A", "pier": 5, "config": {"self": True}}
            assert json.loads(self.called(berth, given).text) == given
        with entered(time_server()) as client:
            now, _ = sorted(
                self.made(wait(mcp.tools(client)), mcp.run(client)), key=lambda tool: -len(self.shown(tool)[0])
            )
            assert "UTC" in self.called(now, {"timezone": "UTC"}).text

    def test_calls_async(self) -> None:
        if not self.later:
            pytest.skip("the framework awaits no tools")

        async def story() -> None:
            for each in (run, run_later):
                berth, _ = self.pair(each, later=True)
                given = {"ship": "A", "pier": 5, "config": {"self": True}}
                assert json.loads((await self.awaited(berth, given)).text) == given
            async with time_server() as client:
                made = self.made(await mcp.tools(client), mcp.run(client), later=True)
                now, _ = sorted(made, key=lambda tool: -len(self.shown(tool)[0]))
                told = await self.awaited(now, {"timezone": "UTC"})
                assert ("UTC" in told.text, told.failed) == (True, False)
                assert (await self.awaited(now, {"timezone": "Nowhere/Atlantis"})).failed

        asyncio.run(story())

    def test_errors(self) -> None:
        for told in self.tell(0, {"ship": 7}):
            assert told.failed
            assert '/ship: 7 is not of type "string"' in told.text
        for told in self.tell(0, {"ship": "closed"}):
            assert told.failed
            assert "The harbour is closed." in told.text
        for each in (run, run_later):
            if self.raises:
                with pytest.raises(self.raises):
                    self.tell(0, {"ship": "broken"}, each)
                continue
            for told in self.tell(0, {"ship": "broken"}, each):
                assert told.failed
                assert self.says in told.text

    def test_parameters_with_words_of_frameworks(self) -> None:
        words = "config context input args kwargs name id arguments kernel service tool_context run_manager state cls"
        schema = {"type": "object", "properties": {word: {"type": "string"} for word in words.split()}}
        given = dict.fromkeys(words.split(), "x")
        tool = {"name": "words", "description": "Takes words.", "inputSchema": schema}

        def echo(call: SourceCall) -> object:
            return {"content": [{"type": "text", "text": json.dumps(call.arguments)}]}

        if self.sync:
            (made,) = self.made([tool], echo)
            assert json.loads(self.called(made, given).text) == given
        if self.later:
            (made,) = self.made([tool], echo, later=True)
            assert json.loads(asyncio.run(self.awaited(made, given)).text) == given

    def test_images(self) -> None:
        for told in self.tell(1, {}):
            assert "Look." in told.text
            assert PNG not in told.text
            if self.images:
                assert told.images == (PNG,)
        if not self.images:
            pytest.skip("results of this framework are text; images are described")

    def test_a_picture_that_is_none_fails_no_call(self) -> None:
        text = {"type": "text", "text": "Look."}
        for data in ("no base64!", "", PNG[:-10].rstrip("=")):
            picture = {"type": "image", "data": data, "mimeType": "image/png"}
            for told in self.tell(1, {}, lambda _, picture=picture: {"content": [text, picture]}):
                assert not told.failed
                assert "Look." in told.text
                assert told.images or "[image/png" in told.text
        picture = {"type": "image", "data": PNG, "mimeType": "image/png"}
        for told in self.tell(1, {}, lambda _: {"content": [picture], "isError": True}):
            assert told.images or "[image/png, 70 bytes]" in told.text

    def test_own_tools(self) -> None:
        documents, give = self.own()
        written = convert(documents, "mcp").value
        (tool,) = written if isinstance(written, list) else [written]
        assert tool["name"] == "add"
        assert "Adds" in tool["description"]
        assert tool["inputSchema"]["properties"]["a"]["type"] == "integer"
        assert tool["inputSchema"].get("required", []) == ["a"]
        box = Toolbox(documents, to="anthropic")

        def answer(**arguments: Any) -> Any:
            block = {"type": "tool_use", "id": "toolu_1", "name": "add", "input": arguments}
            call = box.call(block)
            result = give(call)
            return box.reply(asyncio.run(result) if asyncio.iscoroutine(result) else result, to=block)

        assert "5" in json.dumps(answer(a=2, b=3)["content"])
        assert not answer(a=2).get("is_error")
        try:
            failed = answer(a=-1)
        except Exception as error:  # noqa: BLE001 - whatever the framework raises
            assert "negative" in str(error)  # noqa: PT017 - or it is a failed result
        else:
            assert failed["is_error"]
            assert "negative" in json.dumps(failed["content"])

    def test_agent(self) -> None:
        tools = list(self.pair(later=True))
        name = self.shown(tools[0])[0]
        told = self.agent(tools, [(name, {"ship": "A"}), (name, {"ship": 7})])
        fine, wrong = sorted(told, key=lambda text: self.refuses in text)  # some run calls at the same time
        assert '"ship": "A"' in fine.replace('\\"', '"')
        assert self.refuses in wrong
