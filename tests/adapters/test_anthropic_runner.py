"""The adapter for Anthropic's tool runner: clients with a transport that plays the service."""

from __future__ import annotations

import asyncio
import json
import pickle
from typing import Any

import anthropic
import httpx2
import pytest
from anthropic import beta_async_tool, beta_tool
from anthropic.lib.tools import ToolError

from adapters.contract import BERTH, Contract, Told, run
from toolbridge import Toolbox, convert
from toolbridge.adapters.anthropic import async_tools, from_tools, tools
from toolbridge.adapters.anthropic import run as run_with


def told(call: Any) -> Told:
    try:
        content = call()
    except ToolError as error:
        return Told(str(error), failed=True)
    return read(content)


def read(content: Any) -> Told:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    return Told("\n".join(texts), images=tuple(b["source"]["data"] for b in blocks if b["type"] == "image"))


@beta_tool
def add(a: int, b: int = 1) -> str:
    """Adds."""
    if a < 0:
        raise ToolError("a is negative")
    return str(a + b)


class TestAnthropicToolRunner(Contract):
    raises = (KeyError,)

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        return async_tools(given, runs) if later else tools(given, runs)

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        sent = tool.to_dict()
        return sent["name"], sent["description"], sent["input_schema"]

    def called(self, tool: Any, arguments: dict[str, Any]) -> Told:
        return told(lambda: tool.call(arguments))

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        try:
            return read(await tool.call(arguments))
        except ToolError as error:
            return Told(str(error), failed=True)

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        return from_tools([add]), run_with([add])

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        play, told = scripted(calls)

        async def story() -> None:
            http = httpx2.AsyncClient(transport=httpx2.MockTransport(play))
            async with anthropic.AsyncAnthropic(api_key="x", http_client=http) as client:
                await client.beta.messages.tool_runner(**request(made)).until_done()

        asyncio.run(story())
        return told


def request(made: list[Any]) -> dict[str, Any]:
    return {"tools": made, "model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Go."}]}


def scripted(calls: list[tuple[str, dict[str, Any]]]) -> tuple[Any, list[str]]:
    """A service whose model makes these calls, then ends; and what it was sent of their results."""
    told: list[str] = []

    def play(request: httpx2.Request) -> httpx2.Response:
        last = json.loads(request.content)["messages"][-1]
        if isinstance(last["content"], list):
            told.extend(json.dumps(block) for block in last["content"] if block["type"] == "tool_result")
            content, why = [{"type": "text", "text": "Done."}], "end_turn"
        else:
            content = [
                {"type": "tool_use", "id": f"t{n}", "name": name, "input": given}
                for n, (name, given) in enumerate(calls)
            ]
            why = "tool_use"
        said = {"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
        usage = {"input_tokens": 1, "output_tokens": 1}
        return httpx2.Response(200, json={**said, "content": content, "stop_reason": why, "usage": usage})

    return play, told


def test_a_client_that_does_not_await() -> None:
    made = tools([BERTH], run)
    name = made[0].name
    play, told = scripted([(name, {"ship": "A"}), (name, {"ship": 7}), (name, {"ship": "broken"})])
    with anthropic.Anthropic(api_key="x", http_client=httpx2.Client(transport=httpx2.MockTransport(play))) as client:
        client.beta.messages.tool_runner(**request(made)).until_done()
    assert [json.loads(each).get("is_error", False) for each in told] == [False, True, True]
    assert "is not of type" in told[1]


def test_tools_are_sent_as_toolbridge_writes_them() -> None:
    assert from_tools(tools([BERTH], run)) == [convert(BERTH, "anthropic", source="mcp").value]
    (strict,) = tools([BERTH], run, to="anthropic@strict")
    assert strict.to_dict()["strict"] is True
    with pytest.raises(TypeError, match="the tool runner sends them to Anthropic"):
        tools(Toolbox([BERTH], to="openai"), run)


def test_asynchronous_tools_for_any_model() -> None:
    @beta_async_tool
    async def picture(port: str) -> Any:
        """Shows a port."""
        return [{"type": "text", "text": port}]

    box = Toolbox(from_tools([picture]), to="mcp")
    call = box.call({"name": "picture", "arguments": {"port": "Ems"}})
    reply = box.reply(asyncio.run(run_with([picture])(call)), to=call)
    assert reply["content"] == [{"type": "text", "text": "Ems"}]


def test_a_tool_that_returns_nothing() -> None:
    @beta_tool
    def moor(berth: str) -> Any:
        """Moors."""

    box = Toolbox(from_tools([moor]), to="openai")
    function = {"name": "moor", "arguments": '{"berth": "N2"}'}
    call = box.call({"id": "1", "type": "function", "function": function})
    assert box.reply(asyncio.run(run_with([moor])(call)), to=call)["content"] == ""


def test_a_tool_is_pickled() -> None:
    (again,) = pickle.loads(pickle.dumps(tools([BERTH], run)))
    assert read(again.call({"ship": "IMO 9074729"})).text == '{"ship": "IMO 9074729"}'
