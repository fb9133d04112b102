"""Agents as docs/toolbox.md, docs/pull.md and docs/frameworks.md state them, for pyright and mypy: never run."""

from __future__ import annotations

from typing import Any, assert_type

from agents import Agent
from anthropic import AsyncAnthropic
from anthropic.types import MessageParam
from openai import OpenAI

from toolbridge import CallError, CallStream, Reply, SourceCall, Toolbox
from toolbridge.adapters import Run, openai_agents
from toolbridge.pull import pull_stdio


def run(box: Toolbox, call: SourceCall | CallError) -> Reply:
    return box.reply(call if isinstance(call, CallError) else {"berth": call.arguments}, to=call)


def chat(client: OpenAI, box: Toolbox) -> str | None:
    messages: list[Any] = [{"role": "user", "content": "Which berth is free?"}]
    tools, choice = box.tools, box.choice("any", parallel=False)
    response = client.chat.completions.create(model="m", messages=messages, tools=tools, stream=False, **choice)
    message = response.choices[0].message
    messages.append(message)
    messages += [run(box, call) for call in box.calls(response)]
    return message.content


async def stream(claude: AsyncAnthropic, box: Toolbox, messages: list[MessageParam]) -> list[Any]:
    events = await claude.messages.create(
        model="m", max_tokens=1024, messages=messages, tools=box.tools, stream=True, **box.choice("auto")
    )
    calls = box.stream()
    assert_type(calls, CallStream)
    return [run(box, call) async for call in calls.async_calls(events)]


def of_a_server(run: Run) -> Agent[Any]:
    pulled = pull_stdio("python -m mcp_server_time")
    box = Toolbox(pulled.value, "openai@responses-strict", source=pulled.source)
    return Agent("Clock", tools=openai_agents.tools(box, run))
