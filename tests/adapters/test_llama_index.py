"""The adapter for LlamaIndex: its own agents with a scripted model."""

from __future__ import annotations

import asyncio
import importlib
from base64 import b64decode
from importlib.util import find_spec
from typing import Any

import pytest

if not find_spec("llama_index"):
    pytest.skip("llama-index-core is not installed", allow_module_level=True)

from adapters.contract import BERTH, LOOK, PNG, Contract, Told, run
from toolbridge import Toolbox
from toolbridge.adapters.llama_index import from_tools, tools
from toolbridge.adapters.llama_index import run as run_with

core: Any = importlib.import_module("llama_index.core.tools")
calling: Any = importlib.import_module("llama_index.core.tools.calling")
workflow: Any = importlib.import_module("llama_index.core.agent.workflow")
mock: Any = importlib.import_module("llama_index.core.llms.mock")
llms: Any = importlib.import_module("llama_index.core.base.llms.types")


def read(output: Any) -> Told:
    images = tuple(block.image.decode() for block in output.blocks if block.block_type == "image")
    return Told(output.content, output.is_error, images)


def add(a: int, b: int = 1) -> int:
    """Adds."""
    if a < 0:
        raise ValueError("a is negative")
    return a + b


class TestLlamaIndex(Contract):
    says = "berth"

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        del later
        return tools(given, runs)

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        sent = tool.metadata.to_openai_tool()["function"]
        return sent["name"], sent["description"], sent["parameters"]

    def called(self, tool: Any, arguments: dict[str, Any]) -> Told:
        return read(calling.call_tool(tool, arguments))

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        return read(await calling.acall_tool(tool, arguments))

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        tool = core.FunctionTool.from_defaults(add)
        return from_tools([tool]), run_with([tool])

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        told: list[str] = []

        def answer(messages: Any) -> Any:
            told[:] = [message.content for message in messages if message.role == "tool"]
            if told:
                return [llms.TextBlock(text="Done.")]
            return [
                llms.ToolCallBlock(tool_call_id=f"c{n}", tool_name=name, tool_kwargs=given)
                for n, (name, given) in enumerate(calls)
            ]

        def respond(messages: Any, **_: Any) -> Any:
            return llms.ChatMessage(role="assistant", blocks=answer(messages))

        agent = workflow.FunctionAgent(
            tools=made, llm=mock.MockFunctionCallingLLM(response_generator=respond), streaming=False
        )

        async def story() -> None:
            await agent.run("Go.")

        asyncio.run(story())
        return told


def test_a_schema_is_not_reduced() -> None:
    closed = {**BERTH, "inputSchema": {**BERTH["inputSchema"], "additionalProperties": False}}
    (tool,) = tools([closed], run)
    assert tool.metadata.get_parameters_dict()["additionalProperties"] is False
    assert tool.metadata.origin == {"server": None, "name": BERTH["name"]}


def test_the_only_argument_has_no_name() -> None:
    port = {"name": "tide", "inputSchema": {"type": "object", "properties": {"port": {"type": "string"}}}}
    (tool,) = tools([port], lambda call: str(call.arguments))
    assert calling.call_tool(tool, {"port": "Ems"}).content == "{'port': 'Ems'}"


def test_images_of_its_tools() -> None:
    (look,) = tools([LOOK], run)
    box = Toolbox(from_tools([look]), to="anthropic")
    block = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
    reply = box.reply(asyncio.run(run_with([look])(box.call(block))), to=block)
    assert [part["type"] for part in reply["content"]] == ["text", "image"]
    assert reply["content"][1]["source"]["data"] == PNG


def test_other_media_of_its_tools() -> None:
    made = [
        llms.ImageBlock(url="https://example.org/a.png"),
        llms.AudioBlock(audio=b"abc", format="wav"),
        llms.DocumentBlock(data=b"%PDF-1", title="a b.pdf", document_mimetype="application/pdf"),
    ]

    draw = core.FunctionTool.from_defaults(lambda: made, name="draw", description="Draws.")
    box = Toolbox([{"name": "draw", "inputSchema": {"type": "object"}}], to="mcp@2025-11-25")
    call = box.call({"name": "draw", "arguments": {}})
    link, audio, file = box.reply(asyncio.run(run_with([draw])(call)), to=call)["content"]
    assert (link["type"], link["uri"]) == ("resource_link", "https://example.org/a.png")
    assert (audio["type"], b64decode(audio["data"]), audio["mimeType"]) == ("audio", b"abc", "audio/wav")
    assert (b64decode(file["resource"]["blob"]), file["resource"]["uri"]) == (b"%PDF-1", "file:///a%20b.pdf")
