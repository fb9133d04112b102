"""The adapter for the OpenAI Agents SDK: its own runner with a scripted model, no network."""

from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
from typing import Any

from agents import Agent, RunConfig, Runner, ToolOutputImage, ToolOutputText, function_tool
from agents.strict_schema import ensure_strict_json_schema
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call
from agents.tool_context import ToolContext

from toolbridge import Toolbox, convert
from toolbridge.adapters.openai_agents import from_tools, run, tools
from toolbridge.toolbox.records import SourceCall

MCP = [
    {
        "name": "harbour.book-berth/v2",
        "description": "Books a berth.",
        "inputSchema": {
            "type": "object",
            "properties": {"ship": {"type": "string"}, "pier": {"type": "integer", "enum": [1, 2, 5]}},
            "required": ["ship"],
            # Strict functions can be told this in words only, and words it stays.
            "oneOf": [{"required": ["ship"]}, {"required": ["pier"], "properties": {"ship": False}}],
        },
    },
    {
        "name": "log",
        "inputSchema": {"type": "object", "properties": {"entry": {"type": "object", "additionalProperties": True}}},
    },
]


def told(made: list[Any], *calls: tuple[str, str]) -> list[Any]:
    """What a model is told of its calls, in a run of the SDK."""
    script = ScriptedModel([
        ModelStep(
            output=[function_call(name, arguments, call_id=f"c{n}") for n, (name, arguments) in enumerate(calls)]
        ),
        ModelStep(output=[assistant_message("FastResult.")]),
    ])
    agent = Agent("Harbour master", tools=made, model=script)
    result = asyncio.run(Runner.run(agent, "Go.", run_config=RunConfig(tracing_disabled=True)))
    assert result.final_output == "FastResult."
    items = [item for item in script.calls[-1].input if item.get("type") == "function_call_output"]
    assert [item["call_id"] for item in items] == [f"c{n}" for n in range(len(calls))]
    return [item["output"] for item in items]


def test_a_run() -> None:
    seen: list[SourceCall] = []

    async def book(call: SourceCall) -> object:
        seen.append(call)
        return {"content": [], "structuredContent": {"berth": "N2"}}

    made = tools(MCP, book)
    name = "harbour_book-berth_v2"
    outputs = told(
        made,
        (name, '{"ship": "IMO 9074729", "pier": null}'),
        ("log", '{"entry": {"wind": 7}}'),
        (name, '{"ship": 7, "pier": 3}'),
        (name, '{"ship": '),
    )
    assert [(call.name, call.arguments, call.id) for call in seen] == [
        ("harbour.book-berth/v2", {"ship": "IMO 9074729"}, "c0"),
        ("log", {"entry": {"wind": 7}}, "c1"),
    ]
    assert outputs[:2] == ['{"berth":"N2"}'] * 2
    assert outputs[2].startswith("Error: ")
    assert '/ship: 7 is not of type "string"' in outputs[2]
    assert "not valid JSON" in outputs[3]


def answered(call: SourceCall) -> object:
    return {"content": [], "structuredContent": {"berth": call.arguments["ship"]}}


def test_a_tool_is_pickled() -> None:
    again = pickle.loads(pickle.dumps(tools(MCP, answered)))
    assert told(again, ("harbour_book-berth_v2", '{"ship": "IMO 9074729", "pier": null}')) == [
        '{"berth":"IMO 9074729"}'
    ]


def test_schemas_are_strict_where_that_says_the_same() -> None:
    berth, log = tools(MCP, len)
    written = convert(MCP, "openai@responses-strict", source="mcp").value
    for made, each in zip((berth, log), written, strict=True):
        assert (made.params_json_schema, made.strict_json_schema) == (each["parameters"], each["strict"])
    assert (berth.strict_json_schema, log.strict_json_schema) == (True, False)
    assert ensure_strict_json_schema(json.loads(json.dumps(berth.params_json_schema))) == berth.params_json_schema
    assert not any(made.strict_json_schema for made in tools(MCP, len, to="openai@responses"))
    assert not any(made.strict_json_schema for made in tools(MCP, len, to="anthropic@strict"))


def test_media() -> None:
    content = [
        {"type": "text", "text": "Look."},
        {"type": "image", "data": "aGk=", "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": "aGk="}},
    ]
    (output,) = told(tools(MCP, lambda _: {"content": content}), ("log", "{}"))
    assert output[:2] == [
        {"type": "input_text", "text": "Look."},
        {"type": "input_image", "image_url": "data:image/png;base64,aGk="},
    ]
    assert (output[2]["type"], output[2]["file_data"]) == ("input_file", "data:application/pdf;base64,aGk=")


def test_failures() -> None:
    def fail(call: SourceCall) -> object:
        if call.arguments:
            raise KeyError("berth")
        return {"content": [{"type": "text", "text": "closed"}], "isError": True}

    outputs = told(tools(MCP, fail), ("log", "{}"), ("log", '{"entry": {}}'))
    assert outputs == ["Error: closed", "An error occurred while running the tool. Please try again."]


def test_a_toolbox_of_ones_own() -> None:
    box = Toolbox({"north": MCP[1:], "south": MCP[1:]}, to="openai@responses")
    outputs = told(tools(box, lambda call: call.server), ("south_log", "{}"), ("north_log", "{}"))
    assert outputs == ["south", "north"]


# function tools of the SDK


@function_tool
def book_berth(ship: str, pier: int | None = None) -> str:
    """Books a berth.

    Args:
        ship: IMO number
    """
    if pier == 13:
        raise ValueError("no pier 13")
    return f"{ship} at {pier}"


@function_tool(strict_mode=False)
def chart(context: ToolContext[Any], port: str) -> list[Any]:
    """Shows a chart."""
    return [
        ToolOutputText(text=f"{port} for {context.context}"),
        ToolOutputImage(image_url="data:image/png;base64,aGk="),
    ]


def test_function_tools_in_any_format() -> None:
    first, second = from_tools([book_berth, chart])
    assert first == {
        "type": "function",
        "name": "book_berth",
        "description": "Books a berth.",
        "parameters": book_berth.params_json_schema,
        "strict": True,
    }
    assert second["strict"] is False
    written = convert([first, second], "mcp").value
    assert written[0]["inputSchema"]["properties"]["ship"]["description"] == "IMO number"
    made = tools(convert(MCP, "openai@responses-strict", source="mcp").value, len)
    assert from_tools(made)[0]["parameters"] == made[0].params_json_schema


def test_function_tools_for_any_model() -> None:
    every = [book_berth, chart]
    box = Toolbox(from_tools(every), to="anthropic")
    give = run(every, context="the pilot")

    def answer(name: str, **arguments: Any) -> Any:
        block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}
        return box.reply(asyncio.run(give(box.call(block))), to=block)["content"]

    assert answer("book_berth", ship="A", pier=5) == "A at 5"
    assert answer("book_berth", ship="A", pier=13).startswith("An error occurred")
    assert answer("chart", port="Ems") == [
        {"type": "text", "text": "Ems for the pilot"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
    ]


def test_a_missing_framework_is_named() -> None:
    script = (
        "import sys; sys.modules['agents'] = None\n"
        "try:\n    import toolbridge.adapters.openai_agents\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout == "needs openai-agents: pip install 'openai-agents'\n"
