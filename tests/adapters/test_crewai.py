"""The adapter for CrewAI: its own agents with a scripted model."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
from importlib.util import find_spec
from typing import Any

import pytest

if not find_spec("crewai"):
    pytest.skip("crewai is not installed", allow_module_level=True)

from adapters.contract import BERTH, Contract, Told, run
from toolbridge import convert
from toolbridge.adapters.crewai import from_tools, tools
from toolbridge.adapters.crewai import run as run_with

os.environ |= {"CREWAI_DISABLE_TELEMETRY": "true", "OTEL_SDK_DISABLED": "true", "CREWAI_TRACING_ENABLED": "false"}
crewai: Any = importlib.import_module("crewai")
crewai_tools: Any = importlib.import_module("crewai.tools")
failures: Any = importlib.import_module("crewai.tools.tool_failure")
schemas: Any = importlib.import_module("crewai.utilities.agent_utils")


def read(given: Any) -> Told:
    failed = isinstance(given, failures.ToolFailure)
    return Told(given.as_agent_message() if failed else given, failed)


@crewai_tools.tool("add")
def add(a: int, b: int = 1) -> str:
    """Adds."""
    if a < 0:
        raise ValueError("a is negative")
    return str(a + b)


class TestCrewAI(Contract):
    images = False
    raises = (KeyError,)

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        del later
        return tools(given, runs)

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        sent = schemas.convert_tools_to_openai_schema([tool])[0][0]["function"]
        return sent["name"], sent["description"], sent["parameters"]

    def called(self, tool: Any, arguments: dict[str, Any]) -> Told:
        return read(tool.to_structured_tool().invoke(arguments))

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        return read(await tool.arun(**arguments))

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        return from_tools([add]), run_with([add])

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        script, told = list(calls), []

        class Scripted(crewai.BaseLLM):
            def call(self, messages: Any, *_: Any, **__: Any) -> Any:
                asked = [each for each in messages if isinstance(each, dict) and each.get("role") == "tool"]
                told[:] = [each["content"] for each in asked]
                if not script:
                    return "Final Answer: done"
                name, given = script.pop(0)
                call = {"name": name, "arguments": json.dumps(given)}
                return [{"id": f"c{len(script)}", "type": "function", "function": call}]

            async def acall(self, *args: Any, **kwargs: Any) -> Any:
                return self.call(*args, **kwargs)

            def supports_function_calling(self) -> bool:
                return True

        agent = crewai.Agent(
            role="Harbour master", goal="Berths.", backstory="-", tools=made, llm=Scripted(model="scripted")
        )
        assert agent.kickoff("Go.").raw.endswith("done")
        return told


def test_schemas_stay_what_they_are_in_the_code_of_crewai() -> None:
    """K3."""
    (tool,) = tools([BERTH], run)
    sent = schemas.convert_tools_to_openai_schema([tool])[0][0]["function"]
    written = convert(BERTH, "openai@chat-strict", source="mcp").value["function"]
    assert sent["strict"] is written["strict"] is True
    assert sent["parameters"]["required"] == written["parameters"]["required"]
    given = {"ship": "A", "pier": None, "note": None, "config": None}
    assert json.loads(tool.run(**given)) == {"ship": "A", "note": None}
    assert json.loads(asyncio.run(tool.arun(**given))) == {"ship": "A", "note": None}
    assert tool.origin == {"server": None, "name": BERTH["name"]}
