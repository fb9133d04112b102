"""The adapter for Google's Agent Development Kit: its own runner with a scripted model."""

from __future__ import annotations

import asyncio
import importlib
import json
from base64 import b64decode, b64encode
from importlib.util import find_spec
from typing import Any

import pytest

if not find_spec("google.adk"):
    pytest.skip("google-adk is not installed", allow_module_level=True)

from adapters.contract import BERTH, LOOK, PNG, Contract, Told, run, run_later
from toolbridge import Toolbox
from toolbridge.adapters.google_adk import from_tools, tools
from toolbridge.adapters.google_adk import run as run_with

adk: Any = importlib.import_module("google.adk.agents")
models: Any = importlib.import_module("google.adk.models")
runners: Any = importlib.import_module("google.adk.runners")
own_tools: Any = importlib.import_module("google.adk.tools")
types: Any = importlib.import_module("google.genai.types")


def add(a: int, b: int = 1) -> object:
    """Adds."""
    return {"error": "a is negative"} if a < 0 else a + b


class TestGoogleADK(Contract):
    sync = False
    raises = (KeyError,)

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        del later
        return tools(given, runs)

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        sent = tool._get_declaration()
        return sent.name.replace(".", "_"), sent.description, sent.parameters_json_schema

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        given = await tool.run_async(args=arguments, tool_context=None)
        media = tuple(b64encode(part.inline_data.data).decode() for part in given.get("media", ()))
        rest = {key: value for key, value in given.items() if key != "media"}
        said = next(iter(rest.values())) if rest.keys() <= {"output", "error"} else rest
        return Told(said if isinstance(said, str) else json.dumps(said), "error" in given, media)

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        tool = own_tools.FunctionTool(add)
        return from_tools([tool]), run_with([tool])

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        return [str(part.function_response.response) for part in told(made, calls, sync=False)]


def told(made: list[Any], calls: list[tuple[str, dict[str, Any]]], *, sync: bool) -> list[Any]:
    """The parts that a scripted model gets, in a run that awaits, or that does not."""
    given: list[Any] = []
    asks = [
        types.Part(function_call=types.FunctionCall(id=f"c{n}", name=made[0].name, args=arguments))
        for n, (_, arguments) in enumerate(calls)
    ]

    class Scripted(models.BaseLlm):
        async def generate_content_async(self, request: Any, *_: Any, **__: Any) -> Any:
            parts = request.contents[-1].parts
            found = [part for part in parts if part.function_response]
            given.extend(found)
            answer = [types.Part(text="Done.")] if found else asks
            yield models.LlmResponse(content=types.Content(role="model", parts=answer))

    agent = adk.LlmAgent(name="harbour_master", model=Scripted(model="scripted"), tools=made)
    runner = runners.InMemoryRunner(agent=agent, app_name="harbour")
    session = asyncio.run(runner.session_service.create_session(app_name="harbour", user_id="u"))
    message = types.Content(role="user", parts=[types.Part(text="Go.")])
    asked = {"user_id": "u", "session_id": session.id, "new_message": message}
    if sync:
        list(runner.run(**asked))
        return given

    async def story() -> None:
        async for _ in runner.run_async(**asked):
            pass

    asyncio.run(story())
    return given


def test_a_runner_that_does_not_await() -> None:
    (part,) = told(tools([LOOK, BERTH], run_later), [("", {})], sync=True)
    assert part.function_response.response == {"output": "Look."}
    assert [media.inline_data.mime_type for media in part.function_response.parts] == ["image/png"]


def test_media_of_its_tools() -> None:
    (look,) = tools([LOOK], run)
    picture = types.Part.from_bytes(data=b64decode(PNG), mime_type="image/png")

    def draw(in_list: bool) -> Any:
        """Draws."""
        return [{"n": 1, "of": picture}] if in_list else picture

    made = [look, own_tools.FunctionTool(draw)]
    box = Toolbox(from_tools(made), to="anthropic")
    for name, given, words in (
        ("look", {}, "Look."),
        ("draw", {"in_list": True}, '[{"n":1}]'),
        ("draw", {"in_list": False}, None),
    ):
        block = {"type": "tool_use", "id": "t", "name": name, "input": given}
        content = box.reply(asyncio.run(run_with(made)(box.call(block))), to=block)["content"]
        assert [part["text"] for part in content if part["type"] == "text"] == [words] * (words is not None)
        assert [part["source"]["data"] for part in content if part["type"] == "image"] == [PNG]
