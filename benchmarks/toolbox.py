"""What a Toolbox costs: to make one of 1,000 tools, to bring a call home, to bring a result back."""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from toolbridge import Toolbox

ROUNDS = 7
TOOLS = 1_000
BUILD_AIM = 100.0
CALL_AIM = 20.0
RESULT = {"content": [{"type": "text", "text": "Done."}], "isError": False}


def blocks(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """A call of this tool, as the models of each vendor make it."""
    text = json.dumps(arguments)
    function = {"name": name, "arguments": text}
    return {
        "openai@chat": {"id": "call_1", "type": "function", "function": function},
        "openai@chat-strict": {"id": "call_1", "type": "function", "function": function},
        "openai@responses": {"type": "function_call", "call_id": "call_1", **function},
        "anthropic": {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments},
        "gemini": {"functionCall": {"name": name, "args": arguments}},
        "bedrock": {"toolUse": {"toolUseId": "tooluse_1", "name": name, "input": arguments}},
        "mistral": {"id": "a1B2c3D4e", "type": "function", "function": function},
    }


def many(tools: list[Any]) -> list[Any]:
    """As many tools as are asked for: those that there are, under other names."""
    return [{**tools[n % len(tools)], "name": f"{tools[n % len(tools)]['name'][:40]}_{n}"} for n in range(TOOLS)]


def sound(schema: dict[str, Any]) -> dict[str, Any]:
    """Arguments that satisfy a simple schema."""
    kinds = {"string": "a", "integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    return {
        key: inner["enum"][0] if "enum" in inner else kinds[inner["type"]]
        for key, inner in schema["properties"].items()
        if key in schema.get("required", ()) or "enum" in inner or inner.get("type") == "string"
    }


def seconds(work: Callable[[], object], times: int) -> float:
    """CPU seconds for one of so many."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def median(work: Callable[[], object], times: int) -> float:
    gc.collect()
    gc.disable()
    taken = [seconds(work, times) for _ in range(ROUNDS + 1)][1:]  # the first round warms up
    gc.enable()
    return statistics.median(taken)


def verdict(taken: float, aim: float) -> str:
    return f"{aim:g}: {'reached' if taken <= aim else 'missed'}"


def table(tools: list[Any]) -> list[str]:
    """A line for each vendor."""
    lines = [
        f"{TOOLS:,} tools, made of {len(tools)}. Calls and results are those of one tool, on a warm box.",
        "",
        "| to | build, milliseconds | aim | call, microseconds | aim | call, validated | reply |",
        "| --- | ---: | --- | ---: | --- | ---: | ---: |",
    ]
    given = many(tools)
    name = given[0]["name"]
    arguments = sound(given[0]["inputSchema"])
    for vendor, block in blocks(name, arguments).items():
        build = median(lambda vendor=vendor: Toolbox(given, to=vendor, source="mcp"), 1) * 1e3
        box = Toolbox(given, to=vendor, source="mcp")
        call = median(lambda box=box, block=block: box.call(block, validate=False), 500) * 1e6
        checked = median(lambda box=box, block=block: box.call(block), 500) * 1e6
        reply = median(lambda box=box, block=block: box.reply(RESULT, to=block), 500) * 1e6
        cells = [f"{build:.0f}", verdict(build, BUILD_AIM), f"{call:.1f}", verdict(call, CALL_AIM)]
        lines.append(f"| {vendor} | {' | '.join(cells)} | {checked:.1f} | {reply:.1f} |")
    return lines
