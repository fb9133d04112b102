"""Whether toolbridge became slower: ratios measured now against those in results/bulk.json. For people, not for CI.

    python benchmarks/check.py                  # `make bench-check`
    python benchmarks/check.py --tolerance 0.1  # stricter

Ratios to `msgspec` are compared, each taken in one process (see bulk.py), because seconds of two machines or two days
say nothing. A ratio may fall by the tolerance; one that fell further is measured again, and the best of the runs
counts. Ends with 1 where one is still lower. Where the ratios have risen, `make bench` makes them the new baseline.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, TypeAlias

from measure import blocks, different, kept, machine, real_tools, renamed

from bulk import BLOCK, PAIRS, Pair, documents, ratios

TOOLS = 10_000
ROUNDS = {"warm": 5, "different": 2}
DOCUMENT_ROUNDS = 3
Case: TypeAlias = tuple[str, str]
"""A target, and one of CASES."""

CASES = ("warm", "warm, counted", "different", "one by one, again", "one by one, new")


def baseline(found: dict[str, Any]) -> dict[Case, float]:
    """The committed ratios, by target and case."""
    ratios: dict[Case, float] = {}
    for each in found.get("ratios", ()):
        ratios |= cases_of(each)
    for each in found.get("documents", ()):
        ratios |= one_by_one(each)
    return ratios


def one_by_one(pair: dict[str, Any]) -> dict[Case, float]:
    return {(pair["to"], CASES[3]): pair["call"]["median"], (pair["to"], CASES[4]): pair["new"]["median"]}


def cases_of(pair: dict[str, Any]) -> dict[Case, float]:
    """The ratios of one pair that are compared. Cold ones depend on how many tools there are."""
    warm, other, to = pair["cases"]["warm"], pair["cases"]["different"], pair["to"]
    return {
        (to, CASES[0]): warm["call"]["median"],
        (to, CASES[1]): warm["counted"]["median"],
        (to, CASES[2]): other["call"]["median"],
    }


def measured(pair: Pair, tools: list[Any], texts: list[bytes]) -> dict[Case, float]:
    unlike = blocks(different(tools, TOOLS), BLOCK)
    now = cases_of(ratios(pair, {"same": texts, "different": unlike}, TOOLS, ROUNDS))
    return now | one_by_one(documents(tools, pair.to, DOCUMENT_ROUNDS))


def fallen(before: dict[Case, float], now: dict[Case, float], tolerance: float) -> list[Case]:
    """The cases whose ratios fell by more than the tolerance. A new case is none of them."""
    return [case for case, ratio in now.items() if ratio < before.get(case, 0) * (1 - tolerance)]


def compared(
    pair: Pair, before: dict[Case, float], runs: int, tolerance: float, given: tuple[list[Any], list[bytes]]
) -> list[Case]:
    """The cases in which a pair is slower than it was, even in the best of the runs."""
    best: dict[Case, float] = {}
    slower: list[Case] = []
    for _ in range(runs):
        now = measured(pair, *given)
        best = {case: max(ratio, best.get(case, 0)) for case, ratio in now.items()}
        slower = fallen(before, best, tolerance)
        if not slower:
            break
    for case, ratio in best.items():
        comment = (
            f"{before[case]:6.3f} before, {ratio / before[case] - 1:+.0%}" if case in before else "not measured before"
        )
        print(f"{case[0]:20} {case[1]:22} {ratio:6.3f}  {comment}{'  SLOWER' if case in slower else ''}", flush=True)
    return slower


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, metavar="FILE", help="MCP tools, one on each line")
    parser.add_argument("--tolerance", type=float, default=0.15, help="how much of a ratio may be missing")
    parser.add_argument("--runs", type=int, default=3, help="how often to measure what seems slower")
    parser.add_argument("--pairs", nargs="+", default=[], metavar="FORMAT", help="these targets")
    options = parser.parse_args(arguments)
    found = kept("bulk")
    if not found:
        print("there is no results/bulk.json to compare with: run benchmarks/bulk.py")
        return 1
    title, tools = real_tools(options.tools)
    if (title, len(tools)) != (found["input"]["which are"], found["input"]["made of"]):
        print(f"results/bulk.json is of {found['input']['made of']} {found['input']['which are']}, this is of others")
        return 1
    here, there = machine(), found["machine"]
    for what in ("cpu", "python", "msgspec"):
        if here[what] != there[what]:
            print(f"note: {what} is {here[what]}, in results/bulk.json {there[what]}")
    before = baseline(found)
    given = tools, blocks(renamed(tools, TOOLS), BLOCK)
    slower = [
        case
        for pair in PAIRS
        if not options.pairs or pair.to in options.pairs
        for case in compared(pair, before, options.runs, options.tolerance, given)
    ]
    print(f"{len(slower)} ratios fell by more than {options.tolerance:.0%}" if slower else "nothing is slower")
    return int(bool(slower))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
