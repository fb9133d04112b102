"""The adapter for AutoGen: its own agents with a scripted model."""

from __future__ import annotations

import asyncio
import importlib
import json
from importlib.util import find_spec
from typing import Any

import pytest

if not find_spec("autogen_core"):
    pytest.skip("autogen-core is not installed", allow_module_level=True)

from adapters.contract import BERTH, LOOK, PNG, Contract, Told, run, run_later
from toolbridge import Toolbox, convert
from toolbridge.adapters import wait
from toolbridge.adapters.autogen import Workbench, from_tools
from toolbridge.adapters.autogen import run as run_with

core: Any = importlib.import_module("autogen_core")
core_tools: Any = importlib.import_module("autogen_core.tools")
models: Any = importlib.import_module("autogen_core.models")
agents: Any = importlib.import_module("autogen_agentchat.agents")


def add(a: int, b: int = 1) -> int:
    """Adds."""
    if a < 0:
        raise ValueError("a is negative")
    return a + b


class Scripted(models.ChatCompletionClient):
    """Makes these calls, then ends, and keeps what it was told of their results."""

    def __init__(self, calls: list[tuple[str, dict[str, Any]]]) -> None:
        self.calls, self.told = calls, []

    async def create(self, messages: Any, **_: Any) -> Any:
        results = [message for message in messages if isinstance(message, models.FunctionExecutionResultMessage)]
        self.told = [result.content for message in results for result in message.content]
        content: Any = "Done."
        if not self.told:
            content = [
                core.FunctionCall(id=f"c{n}", name=name, arguments=json.dumps(given))
                for n, (name, given) in enumerate(self.calls)
            ]
        usage = models.RequestUsage(prompt_tokens=0, completion_tokens=0)
        reason = "stop" if self.told else "function_calls"
        return models.CreateResult(content=content, finish_reason=reason, usage=usage, cached=False)

    @property
    def model_info(self) -> Any:
        return {"function_calling": True, "vision": True, "json_output": True, "family": "unknown"}

    capabilities = model_info

    def create_stream(self, *_: Any, **__: Any) -> Any: ...
    async def close(self) -> None: ...
    def actual_usage(self) -> Any: ...
    def total_usage(self) -> Any: ...
    def count_tokens(self, *_: Any, **__: Any) -> int:
        return 0

    def remaining_tokens(self, *_: Any, **__: Any) -> int:
        return 1000


class TestAutoGen(Contract):
    sync = False
    says = "KeyError: 'berth'"

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        """The schemas of a workbench, each with it."""
        del later
        bench = Workbench(given, runs)
        return [(schema, bench) for schema in wait(bench.list_tools())]

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        schema, _ = tool
        return schema["name"], schema["description"], schema["parameters"]

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        schema, bench = tool
        result = await bench.call_tool(schema["name"], arguments, core.CancellationToken())
        images = tuple(part.content.to_base64() for part in result.result if part.type == "ImageResultContent")
        # Its images are encoded anew.
        return Told(result.to_text("[image]"), result.is_error, tuple(PNG for _ in images))

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        tool = core_tools.FunctionTool(add, description="Adds.")
        return from_tools([tool]), run_with([tool])

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        model = Scripted(calls)
        agent = agents.AssistantAgent("a", model, workbench=made[0][1], reflect_on_tool_use=True)
        asyncio.run(agent.run(task="Go."))
        return model.told


def test_who_cancels_a_token_cancels_the_call() -> None:
    begun = asyncio.Event()

    async def long(_: Any) -> None:
        begun.set()
        await asyncio.sleep(60)

    async def story() -> None:
        token = core.CancellationToken()
        bench = Workbench([LOOK], long)
        task = asyncio.ensure_future(bench.call_tool("look", {}, token))
        await begun.wait()
        token.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await bench.call_tool("berth")).is_error

    asyncio.run(story())


def test_a_workbench_for_any_model() -> None:
    bench = Workbench([BERTH, LOOK], run_later)
    box = Toolbox(from_tools(asyncio.run(bench.list_tools())), to="anthropic")
    written = convert(BERTH, "anthropic", source="mcp").value["input_schema"]["properties"]
    assert [*box.tools[0]["input_schema"]["properties"]] == [*written]
    block = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
    reply = box.reply(asyncio.run(run_with(bench)(box.call(block))), to=block)
    assert [part["type"] for part in reply["content"]] == ["text", "image"]
    assert run(box.call({**block, "input": {}}))
