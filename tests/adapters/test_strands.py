"""The adapter for Strands Agents: its own agent with a scripted model."""

from __future__ import annotations

import asyncio
import importlib
import json
from base64 import b64encode
from importlib.util import find_spec
from typing import Any

import pytest

if not find_spec("strands"):
    pytest.skip("strands-agents is not installed", allow_module_level=True)

from adapters.contract import BERTH, LOOK, PNG, Contract, Told, run
from toolbridge import Toolbox
from toolbridge.adapters.strands import from_tools, tools
from toolbridge.adapters.strands import run as run_with

strands: Any = importlib.import_module("strands")
models: Any = importlib.import_module("strands.models")


def read(result: Any) -> Told:
    content = result["content"]
    texts = [block["text"] if "text" in block else str(block["json"]) for block in content if not block.get("image")]
    images = tuple(b64encode(block["image"]["source"]["bytes"]).decode() for block in content if "image" in block)
    return Told("\n".join(texts), result["status"] == "error", images)


@strands.tool
def add(a: int, b: int = 1) -> str:
    """Adds."""
    if a < 0:
        raise ValueError("a is negative")
    return str(a + b)


class Scripted(models.Model):
    """Makes these calls, then ends, and keeps what it was told of their results."""

    def __init__(self, calls: list[tuple[str, dict[str, Any]]]) -> None:
        self.calls, self.told = calls, []

    def update_config(self, **_: Any) -> None: ...
    def get_config(self) -> dict[str, Any]:
        return {}

    def structured_output(self, *_: Any, **__: Any) -> Any: ...

    async def stream(self, messages: Any, *_: Any, **__: Any) -> Any:
        self.told = [block["toolResult"] for block in messages[-1]["content"] if "toolResult" in block]
        yield {"messageStart": {"role": "assistant"}}
        for n, (name, given) in enumerate([] if self.told else self.calls):
            yield {"contentBlockStart": {"start": {"toolUse": {"toolUseId": f"c{n}", "name": name}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(given)}}}}
            yield {"contentBlockStop": {}}
        if self.told:
            yield {"contentBlockDelta": {"delta": {"text": "Done."}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if self.told else "tool_use"}}


class TestStrands(Contract):
    says = "KeyError"

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        del later
        return tools(given, runs)

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        sent = tool.tool_spec
        return sent["name"], sent["description"], sent["inputSchema"]["json"]

    def called(self, tool: Any, arguments: dict[str, Any]) -> Told:
        """By an agent that does not await: it has an event loop of its own for every run."""
        model = Scripted([(tool.tool_name, arguments)])
        strands.Agent(model=model, tools=[tool], callback_handler=None)("Go.")
        return read(model.told[0])

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        use = {"toolUseId": "c1", "name": tool.tool_name, "input": arguments}
        (event,) = [event async for event in tool.stream(use, {})]
        return read(event.tool_result)

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        return from_tools([add]), run_with([add])

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        model = Scripted(calls)
        agent = strands.Agent(model=model, tools=made, callback_handler=None)
        asyncio.run(agent.invoke_async("Go."))
        return [read(result).text for result in model.told]


def test_images_of_its_tools() -> None:
    berth, look = tools([BERTH, LOOK], run)
    assert berth.origin == {"server": None, "name": BERTH["name"]}
    box = Toolbox(from_tools([look]), to="anthropic")
    block = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
    reply = box.reply(asyncio.run(run_with([look])(box.call(block))), to=block)
    assert reply["content"][1]["source"]["data"] == PNG
