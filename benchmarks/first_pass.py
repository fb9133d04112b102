"""Tools that differ, first pass: real MCP tools of which no two schemas are alike, each converted once.

Also the same tools from other formats, in which toolbridge has written them before.

    python benchmarks/first_pass.py                        # writes results/first_pass.json
    python benchmarks/first_pass.py --tools more.jsonl --pairs openai@chat  # only printed

The tools are those of the corpus beside the checkout, else those of the repository.

`bytes`: `Bridge.bytes` on JSON Lines, and all losses counted, where nothing is known of any schema; `again` the same
where they are known. `call`: `bridge(tool)`, one by one. Ratios to `msgspec.json.decode` + `encode` of
the same lines, right before and right behind, in the same process; CPU time, medians over rounds. `stages`: what a tool
costs the fast path alone where all is known, what a schema adds that was never seen, what a form adds, and the rest of
`bytes`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from measure import differing_tools, keep, machine, yardstick_of_one

from toolbridge import bridge
from toolbridge.bulk.fastpath import FastPath, fast_path

MCP = "mcp@2025-11-25"
TARGETS = (
    *("openai@chat", "anthropic@messages", "bedrock@converse", "mcpx@servlet", "mcp@2025-06-18", "arcade@1.0"),
    *("gemini@parameters", "openai@chat-strict"),
)
OTHERS = (("arcade@1.0", MCP), ("arcade@1.0", "openai@chat"), ("openai@chat", "anthropic@messages"))
"""Conversions from other formats."""


def spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def measured(tools: list[Any], to: str, rounds: int, source: str = MCP) -> dict[str, Any]:
    """The ratios of one conversion of these MCP tools, which are written in the source format before."""
    if source != MCP:
        written = bridge(MCP, source)
        tools = [written(tool).value for tool in tools]
    lines = [msgspec.json.encode(tool) for tool in tools]
    text = b"\n".join(lines)
    across = bridge(source, to)

    def unit() -> None:
        for line in lines:
            yardstick_of_one(line)

    def whole() -> None:
        sum(1 for _ in across.bytes(text, lines=True, on_error="skip")[1])

    def singly() -> None:
        for tool in tools:
            across(tool)

    units: list[float] = []
    ratios: dict[str, list[float]] = {"bytes": [], "again": [], "call": [], "call again": []}
    for _ in range(rounds):
        for name, work in (("bytes", whole), ("again", whole), ("call", singly), ("call again", singly)):
            if " " not in name and name != "again":
                fast_path.cache_clear()
            before = spent(unit)
            cost = spent(work)
            units += (before, spent(unit))
            ratios[name].append(sum(units[-2:]) / 2 / cost)
    path = fast_path(across.source, across.target)
    fast = 0 if path is None else sum(path.convert(line) is not None for line in lines)
    found = {name: statistics.median(each) for name, each in ratios.items()}
    return {"to": to, "fast": fast / len(lines), "us": statistics.median(units) / len(lines) * 1e6, **found}


def stages(tools: list[Any], to: str, rounds: int) -> dict[str, float]:
    """Microseconds for one tool, by stage: the least of the rounds."""
    across = bridge(MCP, to)
    lines = [msgspec.json.encode(tool) for tool in tools]
    text = b"\n".join(lines)

    def whole(text: bytes) -> None:
        sum(1 for _ in across.bytes(text, lines=True, on_error="skip")[1])

    least: dict[str, float] = {}
    for number in range(rounds):
        # Of the same form, with a schema that is another one in each round.
        schemas = [{**tool["inputSchema"], "description": f"Round {number}"} for tool in tools]
        others = [msgspec.json.encode({**tool, "inputSchema": it}) for tool, it in zip(tools, schemas, strict=True)]
        path = FastPath(across.source, across.target)
        fast_path.cache_clear()
        works: tuple[tuple[str, Callable[[bytes], object], list[bytes]], ...] = (
            ("decode + encode", yardstick_of_one, lines),
            ("first", path.convert, lines),
            ("again", path.convert, lines),
            ("other schemas", path.convert, others),
            ("bytes", whole, [text]),
        )
        for name, work, texts in works:
            cost = spent(lambda: [work(each) for each in texts]) / len(lines) * 1e6  # noqa: B023 - called at once
            least[name] = min(cost, least.get(name, cost))
    return {
        "decode + encode": least["decode + encode"],
        "fast path, schema and form known": least["again"],
        "schema never seen: proof or rewriting": least["other schemas"] - least["again"],
        "form never seen: plans": least["first"] - least["other schemas"],
        "general path, equal names, losses, lines": least["bytes"] - least["first"],
        "the whole": least["bytes"],
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, metavar="FILE", help="MCP tools, one on each line")
    parser.add_argument("--pairs", nargs="+", default=TARGETS, metavar="FORMAT", help="these targets")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args(arguments)
    _, tools = differing_tools(options.tools)
    print(machine(), f"{len(tools)} tools")
    size = sum(len(msgspec.json.encode(tool)) for tool in tools)
    rows: list[dict[str, Any]] = []
    for to in options.pairs:
        found = measured(tools, to, options.rounds) | {"stages": stages(tools, to, options.rounds)}
        rows.append(found)
        cells = "  ".join(f"{name} {found[name]:.2f}x" for name in ("bytes", "again", "call", "call again"))
        print(f"{to:20} fast path {found['fast']:.0%}  {cells}  of {found['us']:.1f} us", flush=True)
        print("  " + "; ".join(f"{name} {cost:.1f}" for name, cost in found["stages"].items()), flush=True)
    if options.tools is None and tuple(options.pairs) == TARGETS:
        others = [{"source": source, **measured(tools, to, options.rounds, source)} for source, to in OTHERS]
        keep("first_pass", {"input": {"tools": len(tools), "bytes": size}, "rows": rows, "others": others})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
