"""Whole catalogues from bytes to bytes, against the least that a converter of JSON has to do.

    python benchmarks/bulk.py                        # everything; writes results/bulk.json
    python benchmarks/bulk.py --only command         # a part, which is put beside the others there
    python benchmarks/bulk.py --quick --only ratios  # a look, which is only printed
    python benchmarks/bulk.py --profile openai@chat  # where the time of one conversion goes

Ratios: how many times faster than `msgspec` decodes and encodes the same bytes without types (`decode_lines` and
`encode_lines`), in the same process, right before; CPU time, medians over rounds. Texts are JSON Lines in blocks of
1 MB, of real tools under other names. `call` is `bridge.bytes(block)` as users call it: the written text, and every
loss found and kept. `counted` reads the report too: each loss is made, with its places, and counted.

Three cases: `warm`, where the schemas of these tools are known; `cold`, a new bridge, and all tools once; `different`,
a new bridge, and no two schemas alike. Real tools of which no two are alike: see first_pass.py. The command: scale.py.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import scale
import stages
from measure import (
    Spread,
    blocks,
    different,
    keep,
    kept,
    machine,
    real_tools,
    renamed,
    spent,
    yardstick,
    yardstick_of_one,
)

from toolbridge import Bridge, bridge
from toolbridge.bulk.fastpath import fast_path

MCP = "mcp@2025-11-25"
TOOLS, BLOCK = 20_000, 1_000_000


class Pair(NamedTuple):
    """A target, and the ratios that were aimed at, by case."""

    to: str
    aims: dict[str, float]


PASSING = {"warm": 1.8, "cold": 1.8, "different": 0.5}
REWRITTEN = {"warm": 0.5, "cold": 0.5, "different": 0.15}
PAIRS = (
    Pair("openai@chat", PASSING),
    Pair("anthropic@messages", PASSING),
    Pair("bedrock@converse", PASSING),
    Pair("mcpx@servlet", PASSING),
    Pair("mcp@2024-11-05", PASSING),
    Pair("mcp@2025-03-26", PASSING),
    Pair("mcp@2025-06-18", PASSING),
    Pair("mcp@2026-07-28", PASSING),
    Pair("arcade@1.0", {"warm": 1.8, "cold": 1.8, "different": 0.35}),
    Pair("gemini@parameters", REWRITTEN),
    Pair("openai@chat-strict", REWRITTEN),
)
ROUNDS = {"warm": 7, "cold": 5, "different": 3, "document": 5}
TIMES = 5
CASES = ["warm", "cold", "different"]
SHAPED = ("openai@chat", "arcade@1.0", "gemini@parameters")


def fresh(to: str) -> Bridge:
    """A bridge that knows nothing yet."""
    fast_path.cache_clear()
    return bridge(MCP, to)


class Tally:
    """What some rounds of one case came to."""

    def __init__(self, texts: list[bytes], tools: int) -> None:
        self.texts, self.tools = texts, tools
        self.call: list[float] = []
        self.counted: list[float] = []
        self.cost: list[float] = []
        self.cost_counted: list[float] = []
        self.unit: list[float] = []
        self.losses = 0

    def round(self, across: Bridge, again: Bridge, unit: Any) -> None:
        """Both kinds of call, each right after the yardstick."""
        one = spent(unit, self.texts)
        call = spent(across.bytes, self.texts)
        self.losses = 0
        other = spent(unit, self.texts)
        counted = spent(lambda text: self.count(again, text), self.texts)
        self.unit += (one, other)
        self.call.append(one / call)
        self.counted.append(other / counted)
        self.cost.append(call)
        self.cost_counted.append(counted)

    def count(self, across: Bridge, text: bytes) -> None:
        self.losses += sum(1 for _ in across.bytes(text)[1])

    def result(self) -> dict[str, Any]:
        size = sum(map(len, self.texts))
        microseconds = [Spread.of([each / self.tools * 1e6 for each in part], 2) for part in self._parts()]
        found: dict[str, Any] = {
            "call": Spread.of(self.call)._asdict(),
            "counted": Spread.of(self.counted)._asdict(),
            "microseconds": microseconds[0].median,
            "microseconds counted": microseconds[1].median,
            "microseconds of the yardstick": microseconds[2].median,
            "MB/s": round(size / 1e6 / Spread.of(self.cost, 9).median, 1),
            "losses per tool": round(self.losses / self.tools, 2),
        }
        return found

    def _parts(self) -> tuple[list[float], list[float], list[float]]:
        return self.cost, self.cost_counted, self.unit


def ratios(pair: Pair, texts: dict[str, list[bytes]], tools: int, rounds: dict[str, int]) -> dict[str, Any]:
    """Some cases of one pair, each in so many rounds."""
    found: dict[str, Any] = {"to": pair.to, "aims": pair.aims, "cases": {}}
    warm = fresh(pair.to)
    for text in texts["same"]:
        warm.bytes(text)
    for case, times in rounds.items():
        tally = Tally(texts["different" if case == "different" else "same"], tools)
        for _ in range(times):
            if case == "warm":
                tally.round(warm, warm, yardstick)
            else:
                tally.round(fresh(pair.to), bridge(MCP, pair.to), yardstick)
        found["cases"][case] = tally.result()
    return found


def all_ratios(tools: list[Any], same: list[bytes], pairs: list[Pair], rounds: dict[str, int]) -> list[dict[str, Any]]:
    """All pairs, each printed as it is measured."""
    count = sum(text.count(b"\n") for text in same)
    texts = {"same": same, "different": blocks(different(tools, count), BLOCK)}
    found: list[dict[str, Any]] = []
    for pair in pairs:
        found.append(ratios(pair, texts, count, rounds))
        say(found[-1])
    return found


def shapes(tools: list[Any], count: int, chosen: list[str], rounds: int) -> Iterator[dict[str, Any]]:
    """Arrays and envelopes, with a bridge that met these tools before."""
    for shape in ("array", "envelope"):
        texts = blocks(renamed(tools, count), BLOCK, shape)
        for to in chosen:
            across = fresh(to)
            tally = Tally(texts, count)
            for text in texts:
                across.bytes(text)
            for _ in range(rounds):
                tally.round(across, across, yardstick_of_one)
            yield {"to": to, "shape": shape, **tally.result()}


def documents(tools: list[Any], to: str, rounds: int) -> dict[str, Any]:
    """Tools one by one, as Python objects: with `bridge(tool)`, compared with decoding and encoding each.

    `call` is with tools that crossed before, `new` with tools that none was like.
    """
    texts = [msgspec.json.encode(tool) for tool in tools]
    unlike = [msgspec.json.decode(line) for line in different(tools, (rounds + 1) * TIMES * len(tools))]
    across = bridge(MCP, to)
    seen: list[float] = []
    new: list[float] = []
    for turn in range(rounds + 1):
        unit = _fastest(lambda _: [yardstick_of_one(text) for text in texts], 20)
        seen.append(unit / _fastest(lambda _: [across(tool) for tool in tools], TIMES))
        first = turn * TIMES * len(tools)
        parts = [unlike[first + n * len(tools) : first + (n + 1) * len(tools)] for n in range(TIMES)]
        unit = _fastest(lambda _: [yardstick_of_one(text) for text in texts], 20)
        new.append(unit / _fastest(lambda n, parts=parts: [across(tool) for tool in parts[n]], TIMES))
    return {"to": to, "call": Spread.of(seen[1:])._asdict(), "new": Spread.of(new[1:])._asdict()}


def _fastest(work: Callable[[int], object], times: int) -> float:
    """The least CPU seconds of some runs: short ones are disturbed by others more than they wander."""
    least = float("inf")
    for turn in range(times):
        start = time.process_time()
        work(turn)
        least = min(least, time.process_time() - start)
    return least


def say(found: dict[str, Any]) -> None:
    """A line for each case of a pair."""
    for case, each in found["cases"].items():
        aim = found["aims"].get(case)
        comment = "" if aim is None else f"  aim {aim:g}"
        call, counted = each["call"], each["counted"]
        print(
            f"{found['to']:20} {case:10} call {call['median']:5.2f} ({call['min']:.2f}-{call['max']:.2f})"
            f"  counted {counted['median']:5.2f} ({counted['min']:.2f}-{counted['max']:.2f})"
            f"  {each['microseconds']:6.1f} us, {each['MB/s']:6.1f} MB/s"
            f"{comment}",
            flush=True,
        )


def listed(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """All of them, each printed as it comes."""
    made: list[dict[str, Any]] = []
    for each in found:
        print(each, flush=True)
        made.append(each)
    return made


def main(arguments: list[str]) -> int:
    sections = ("ratios", "shapes", "documents", "profiles", "command")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, metavar="FILE", help="MCP tools, one on each line")
    parser.add_argument("--count", type=int, default=TOOLS, help="how many tools to make of them")
    parser.add_argument("--only", nargs="+", choices=sections, default=sections, help="measure a part")
    parser.add_argument("--pairs", nargs="+", default=[], metavar="FORMAT", help="these targets, only printed")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=CASES)
    parser.add_argument("--quick", action="store_true", help="few rounds and short files, only printed")
    parser.add_argument("--profile", metavar="FORMAT", help="where the time of conversions to this format goes")
    options = parser.parse_args(arguments)
    title, tools = real_tools(options.tools)
    same = blocks(renamed(tools, options.count), BLOCK)
    if options.profile:
        stages.say(fresh(options.profile), same, options.count)
        return 0
    size = sum(map(len, same))
    given = {"tools": options.count, "made of": len(tools), "which are": title, "bytes": size, "block": BLOCK}
    print(machine(), given)
    pairs = [pair for pair in PAIRS if not options.pairs or pair.to in options.pairs]
    rounds = {case: max(2, times // 3) if options.quick else times for case, times in ROUNDS.items()}
    measure: dict[str, Callable[[], Any]] = {
        "ratios": lambda: all_ratios(tools, same, pairs, {case: rounds[case] for case in options.cases}),
        "shapes": lambda: listed(
            shapes(tools, options.count, [pair.to for pair in pairs if pair.to in SHAPED], rounds["warm"])
        ),
        "documents": lambda: listed(documents(tools, pair.to, rounds["document"]) for pair in pairs),
        "profiles": lambda: listed(
            {"to": pair.to, **stages.stages(fresh(pair.to), same, options.count)} for pair in pairs
        ),
        "command": lambda: scale.measured(tools, quick=options.quick),
    }
    whole = not (options.quick or options.pairs or options.count != TOOLS or options.cases != CASES)
    found = kept("bulk")
    if found.get("input") != given:
        found = {"input": given, "machines": {}}
    for section in options.only:
        found[section] = measure[section]()
        found["machines"][section] = machine()
        if whole:
            keep("bulk", found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
