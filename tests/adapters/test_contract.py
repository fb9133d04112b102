"""The contract of all adapters, for the frameworks that install beside the other requirements of the tests."""

from __future__ import annotations

import asyncio
import json
import os
from importlib.util import find_spec
from typing import Any

import pytest

from adapters.contract import Contract, Told

if not os.environ.get("TOOLBRIDGE_FRAMEWORKS"):
    pytest.skip("these adapters have tests of their own; make test-frameworks", allow_module_level=True)


def needs(*modules: str) -> pytest.MarkDecorator:
    missing = [module for module in modules if not find_spec(module)]
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} is not installed")


@needs("langchain_core")
class TestLangChain(Contract):
    raises = (KeyError,)

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        from toolbridge.adapters import langchain

        del later
        return list(langchain.tools(given, runs))

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        from langchain_core.utils.function_calling import convert_to_openai_tool

        sent = convert_to_openai_tool(tool)["function"]
        return sent["name"], sent["description"], sent["parameters"]

    def called(self, tool: Any, arguments: dict[str, Any]) -> Told:
        return self.read(tool.invoke({"type": "tool_call", "id": "c1", "name": tool.name, "args": arguments}))

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        return self.read(await tool.ainvoke({"type": "tool_call", "id": "c1", "name": tool.name, "args": arguments}))

    def read(self, message: Any) -> Told:
        content = message.content
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        images = tuple(block["base64"] for block in blocks if block["type"] == "image")
        text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
        return Told(text, message.status == "error", images)

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        from langchain_core.tools import tool

        from toolbridge.adapters import langchain

        made = tool(add)
        return langchain.from_tools([made]), langchain.run([made])

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        """What its tool nodes do with a message: they are in another package."""
        from langchain_core.messages import AIMessage

        asked = [{"id": f"c{n}", "name": name, "args": given} for n, (name, given) in enumerate(calls)]
        message = AIMessage("", tool_calls=asked)
        known = {tool.name: tool for tool in made}

        async def story() -> list[str]:
            return [str((await known[call["name"]].ainvoke(call)).content) for call in message.tool_calls]

        return asyncio.run(story())


@needs("agents")
class TestOpenAIAgents(Contract):
    sync = False
    says = "An error occurred"

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        from toolbridge.adapters import openai_agents

        del later
        return list(openai_agents.tools(given, runs))

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        return tool.name, tool.description, tool.params_json_schema

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        from agents.tool import invoke_function_tool
        from agents.tool_context import ToolContext

        text = json.dumps(arguments)
        context: Any = ToolContext(context=None, tool_name=tool.name, tool_call_id="c1", tool_arguments=text)
        output = await invoke_function_tool(function_tool=tool, context=context, arguments=text)
        parts: Any = [{"type": "text", "text": output}] if isinstance(output, str) else output
        said = "\n".join(part["text"] for part in parts if part["type"] == "text")
        images = tuple(part["image_url"].partition(",")[2] for part in parts if part["type"] == "image")
        return Told(said, said.startswith(("Error", "An error")), images)

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        from agents import function_tool

        from toolbridge.adapters import openai_agents

        made = function_tool(strict_mode=False, failure_error_function=None)(add)
        return openai_agents.from_tools([made]), openai_agents.run([made])

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        from agents import Agent, RunConfig, Runner
        from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call

        asked = [function_call(name, json.dumps(given), call_id=f"c{n}") for n, (name, given) in enumerate(calls)]
        script: Any = ScriptedModel([ModelStep(output=[*asked]), ModelStep(output=[assistant_message("Done.")])])
        agent: Any = Agent("Harbour master", tools=made, model=script)
        asyncio.run(Runner.run(agent, "Go.", run_config=RunConfig(tracing_disabled=True)))
        return [each["output"] for each in script.calls[-1].input if each.get("type") == "function_call_output"]


@needs("pydantic_ai")
class TestPydanticAI(Contract):
    """A tool is a toolset and a name: what can be called is an agent."""

    raises = (KeyError,)

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        from toolbridge.adapters.pydantic_ai import Toolset

        del later
        toolset: Any = Toolset(given, runs)
        return [(toolset, name) for name in toolset.box().names]

    def asked(self, toolset: Any, calls: list[tuple[str, dict[str, Any]]]) -> tuple[Any, Any, dict[str, Any]]:
        from pydantic_ai import Agent
        from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
        from pydantic_ai.models.function import FunctionModel

        seen: dict[str, Any] = {"parts": []}

        def answer(messages: Any, info: Any) -> Any:
            seen["tools"] = info.function_tools
            seen["parts"] = [part for part in messages[-1].parts if part.part_kind != "user-prompt"]
            if seen["parts"] or not calls:
                return ModelResponse(parts=[TextPart("Done.")])
            return ModelResponse(parts=[ToolCallPart(name, given, f"c{n}") for n, (name, given) in enumerate(calls)])

        agent: Any = Agent(FunctionModel(answer), toolsets=[toolset], retries=3)
        return agent, answer, seen

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        toolset, name = tool
        service = toolset._service("")
        (found,) = [each for each in service.shown() if each.name == name]
        return found.name, found.description, found.schema

    def called(self, tool: Any, arguments: dict[str, Any]) -> Told:
        agent, _, seen = self.asked(tool[0], [(tool[1], arguments)])
        agent.run_sync("Go.")
        return self.read(seen["parts"])

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        agent, _, seen = self.asked(tool[0], [(tool[1], arguments)])
        await agent.run("Go.")
        return self.read(seen["parts"])

    def read(self, parts: list[Any]) -> Told:
        part = parts[0]
        if part.part_kind == "retry-prompt":
            return Told(part.model_response().replace('\\"', '"'), failed=True)
        failed = getattr(part, "outcome", "success") != "success"
        media = [each for each in (part.content if isinstance(part.content, list) else []) if hasattr(each, "data")]
        images = tuple(each.base64 for each in media)
        text = part.model_response_str()
        return Told(text.replace('\\"', '"') if failed else text, failed, images)

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        from pydantic_ai import Tool

        from toolbridge.adapters.pydantic_ai import from_tools

        def give(call: Any) -> Any:
            return add(**call.arguments)

        return from_tools([Tool(add)]), give  # an agent alone can run its tools

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        agent, _, seen = self.asked(made[0][0], calls)
        agent.run_sync("Go.")
        return [self.read([part]).text for part in seen["parts"]]


def add(a: int, b: int = 1) -> int:
    """Adds."""
    if a < 0:
        raise ValueError("a is negative")
    return a + b
