"""The loop of an agent with the SDKs of two vendors, as docs/toolbox.md states it, for pyright and mypy: never run."""

from __future__ import annotations

from typing import Any, assert_type

from anthropic import AsyncAnthropic
from anthropic.types import MessageParam
from openai import OpenAI

from toolbridge import CallError, CallStream, Reply, SourceCall, Toolbox


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
