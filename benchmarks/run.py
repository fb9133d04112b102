"""What one conversion costs, and what the command costs to start. Writes benchmarks/results.md; `--dry` only prints it.

Conversions: CPU time of this process, garbage collection off, the median over several rounds. In every round each
variant runs over all documents and is divided by `msgspec.json.decode` + `encode` of the same documents in the same
round, so that the ratios stand on machines whose speed wanders. Vendors: the same with every format that can be
written, tool by tool, against `msgspec.json.decode` of its bytes; the median over the tools. Nothing here is a test.

Toolbox: see toolbox.py. Bombs: see growth.py. Start-up: see startup.py. `--tools FILE` takes MCP tools from a file, one
on each line; `--only conversions vendors toolbox bombs start-up` measures a part, which is only printed.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import growth
import msgspec
import startup
from measure import EXAMPLES, FIXTURES, GITHUB, HERE, lines_of

import toolbox
import toolbridge
from toolbridge import LossError, bridge, convert
from toolbridge.api import Bridge
from toolbridge.conversion.parsed_document import parse_document
from toolbridge.data import pointer as at
from toolbridge.formats.registry import FORMATS, get_format
from toolbridge.mapping.format import Format

ROUNDS = 15
VENDOR_ROUNDS = 7
MCP = "mcp@2025-11-25"
FILL = {"toolkit": "Bench", "/version": "1.0.0"}
AIM = 5.0
VENDOR_AIM = 30.0
FITTING_AIM = 10.0


class Variant(NamedTuple):
    """One kind of call that converts a document; `aim` is the ratio that was aimed at."""

    name: str
    run: Callable[[Any], object]
    aim: float | None = None


def everything(document: Any) -> None:
    """The report read loss by loss, and the remainder."""
    crossing = convert(document, "arcade", source="mcp@2025-11-25", fill=FILL)
    for _ in crossing.report:
        pass
    crossing.remainder  # noqa: B018 - it is worked out when asked for


def reported(document: Any) -> None:
    for _ in convert(document, "arcade", source="mcp@2025-11-25", fill=FILL).report:
        pass


VARIANTS = (
    Variant("MCP -> arcade", lambda d: convert(d, "arcade", source="mcp@2025-11-25", fill=FILL), AIM),
    Variant("MCP -> arcade, nothing filled in", lambda d: convert(d, "arcade", source="mcp@2025-11-25")),
    Variant("MCP -> arcade, source detected", lambda d: convert(d, "arcade", fill=FILL)),
    Variant("MCP -> arcade, report read", reported),
    Variant("MCP -> arcade, report read, remainder asked for", everything),
    Variant("MCP -> mcpx", lambda d: convert(d, "mcpx", source="mcp@2025-11-25")),
    Variant("MCP 2025-03-26 -> 2026-07-28", lambda d: convert(d, "mcp@2026-07-28", source="mcp@2025-03-26")),
    Variant("MCP -> the same edition", lambda d: convert(d, "mcp@2025-11-25", source="mcp@2025-11-25")),
)


def documents(tools: list[Any]) -> list[Any]:
    """Those tools that can cross every bridge measured here."""
    found: list[Any] = []
    for tool in tools:
        try:
            convert(tool, "arcade", source="mcp@2025-11-25")
        except LossError:
            continue
        found.append(tool)
    return found


def seconds(work: Callable[[Any], object], over: list[Any], times: int) -> float:
    """CPU seconds per document."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    for _ in range(times):
        for document in over:
            work(document)
    taken = time.process_time() - start
    gc.enable()
    return taken / times / len(over)


def conversions(title: str, tools: list[Any]) -> list[str]:
    """A table of microseconds, and of ratios to decoding and encoding."""
    texts = [msgspec.json.encode(tool) for tool in tools]
    sizes = sorted(map(len, texts))

    def baseline(text: bytes) -> None:
        msgspec.json.encode(msgspec.json.decode(text))

    times = max(1, round(1500 / len(tools)))
    costs: dict[str, list[float]] = {variant.name: [] for variant in VARIANTS}
    ratios: dict[str, list[float]] = {variant.name: [] for variant in VARIANTS}
    base: list[float] = []
    for turn in range(ROUNDS + 1):
        for variant in VARIANTS:
            # The yardstick is taken right before each variant, so that both see the same machine.
            unit = seconds(baseline, texts, times)
            cost = seconds(variant.run, tools, times)
            if turn:  # the first round warms up
                base.append(unit)
                costs[variant.name].append(cost)
                ratios[variant.name].append(cost / unit)
    lines = [
        f"### {title}",
        "",
        f"{len(tools)} tools, {sizes[0]:,} to {sizes[-1]:,} bytes of JSON each, median {sizes[len(sizes) // 2]:,}.",
        "",
        "| conversion of one tool | microseconds | x decode + encode | aim |",
        "| --- | ---: | ---: | --- |",
        f"| `msgspec.json.decode` + `encode` | {statistics.median(base) * 1e6:.1f} | 1.0 | |",
    ]
    for variant in VARIANTS:
        cost, ratio = statistics.median(costs[variant.name]) * 1e6, statistics.median(ratios[variant.name])
        lines.append(f"| {variant.name} | {cost:.1f} | {ratio:.1f} | {verdict(ratio, variant.aim)} |")
    return lines


def verdict(ratio: float, aim: float | None) -> str:
    if aim is None:
        return ""
    return f"{aim:g}x: {'reached' if ratio <= aim else 'missed'}"


class Cost(NamedTuple):
    """What one tool takes: seconds, and how often decoding its bytes takes as long."""

    seconds: float
    ratio: float


HEAD = "| MCP -> | tools | general | x decode | bridge | x decode | aim | fit | general | bridge | x decode | aim |"


def vendors(title: str, tools: list[Any]) -> list[str]:
    """A table of microseconds a tool, for every format that can be written."""
    lines = [
        f"### {title}",
        "",
        f"{len(tools)} tools. Those fit whose input schema is written as it stands. `general` is what a tool costs in",
        "microseconds on the general path, `bridge` what `bridge(tool)` costs where schemas are known.",
        "",
        HEAD,
        "| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    texts = [msgspec.json.encode(tool) for tool in tools]
    base = medians(costs_of(msgspec.json.decode, texts, texts), VENDOR_AIM)
    lines.append(f"| `msgspec.json.decode` | {' | '.join(base[:3])} | | | | | | | | |")
    for form in FORMATS:
        if not form.reads_only:
            over = crossing(tools, form)
            texts = [msgspec.json.encode(tool) for tool in over]
            general = costs_of(by_general_path(form), over, texts)
            again = bridge(MCP, form)
            for _ in range(3):
                crossing(over, form)
            costs = costs_of(again, over, texts)
            fitting = [n for n, tool in enumerate(over) if fits(tool, form)]
            cells = medians(general, VENDOR_AIM)[:3] + medians(costs, VENDOR_AIM)[1:]
            few = medians([general[n] for n in fitting], FITTING_AIM)
            cells += few[:2] + medians([costs[n] for n in fitting], FITTING_AIM)[1:]
            lines.append(f"| {form.id} | {' | '.join(cells)} |")
    return lines


def by_general_path(form: Format) -> Callable[[Any], object]:
    """Takes a tool over a bridge by the general path."""
    made = Bridge(get_format(MCP), form)

    def run(tool: Any) -> object:
        return made.convert_parsed(parse_document(tool), fast=False)

    return run


def crossing(tools: list[Any], form: Format) -> list[Any]:
    """Those tools that can be written in a format."""
    found: list[Any] = []
    for tool in tools:
        try:
            bridge(MCP, form)(tool)
        except LossError:
            continue
        found.append(tool)
    return found


def fits(tool: Any, form: Format) -> bool:
    """Whether the input schema arrives as it is."""
    value = bridge(MCP, form)(tool).value
    places = [row.wire for row in form.tool.order if row.hub == "input" and not row.fallback]
    return any(at.get(value, place) == tool["inputSchema"] for place in places)


def costs_of(run: Callable[[Any], object], over: list[Any], texts: list[bytes]) -> list[Cost]:
    """For each document the medians over the rounds; the yardstick is taken right before what it measures."""
    rounds: list[list[Cost]] = [[] for _ in over]
    gc.collect()
    gc.disable()
    for turn in range(VENDOR_ROUNDS + 1):
        for document, text, found in zip(over, texts, rounds, strict=True):
            unit = once(msgspec.json.decode, text)
            cost = once(run, document)
            if turn:  # the first round warms up
                found.append(Cost(cost, cost / unit))
    gc.enable()
    return [Cost(*map(statistics.median, zip(*found, strict=True))) for found in rounds]


def once(work: Callable[[Any], object], document: Any, times: int = 20) -> float:
    """CPU seconds for one document."""
    start = time.process_time()
    for _ in range(times):
        work(document)
    return (time.process_time() - start) / times


def medians(costs: list[Cost], aim: float) -> list[str]:
    """Cells of a table: how many tools, microseconds, the ratio, and whether that was aimed at."""
    if not costs:
        return ["0", "", "", ""]
    cost, ratio = (statistics.median(column) for column in zip(*costs, strict=True))
    reached = "reached" if cost * 1e6 <= aim else "missed"
    return [str(len(costs)), f"{cost * 1e6:.1f}", f"{ratio:.1f}", f"{aim:g}: {reached}"]


def machine() -> str:
    """What it ran on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"toolbridge {toolbridge.__version__}, {python}, msgspec {version('msgspec')}, {system}."


def real_tools(file: Path | None) -> tuple[str, list[Any]] | None:
    """Tools of a server that people use, with a title; None where there are none."""
    if file is not None:
        return f"The tools of {file.name}", lines_of(file)
    if GITHUB.is_file():
        return "The tools of GitHub's MCP server", lines_of(GITHUB)
    return None


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Measures what conversions and the command cost.")
    parser.add_argument("--dry", action="store_true", help="print the results and write nothing")
    parser.add_argument("--tools", type=Path, metavar="FILE", help="MCP tools, one on each line")
    sections = ("conversions", "vendors", "toolbox", "bombs", "start-up")
    parser.add_argument("--only", nargs="+", choices=sections, default=sections, help="print a part")
    options = parser.parse_args(arguments)
    real = real_tools(options.tools)
    started: list[Any] = []
    parts = [
        "# Results",
        "",
        "Written by `make bench`. Ratios are medians of ratios taken in one run; microseconds are CPU time.",
        "",
        machine(),
        "",
    ]
    if "conversions" in options.only:
        parts += ["## One conversion", ""]
        if real is not None:
            title, tools = real
            parts += [*conversions(title, documents(tools)), ""]
        examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))["tools"]
        parts += [*conversions("The tools of examples/catalogue.json", documents(examples)), ""]
    if "vendors" in options.only:
        title, tools = real or ("The fixtures of MCP", lines_of(*sorted(FIXTURES.glob("*.jsonl"))))
        parts += ["## Vendors", "", *vendors(title, tools), ""]
    if "toolbox" in options.only:
        title, tools = real or ("The fixtures of MCP", lines_of(*sorted(FIXTURES.glob("*.jsonl"))))
        parts += ["## Toolbox", "", f"### {title}", "", *toolbox.table(tools), ""]
    if "bombs" in options.only:
        parts += ["## Bombs", "", *growth.bombs(), ""]
    if "start-up" in options.only:
        parts += ["## Start-up", "", "Whole processes, compiled modules cached.", ""]
        started = startup.measured()
        parts += [*startup.table(started), ""]
    text = "\n".join(parts)
    print(text)
    if not options.dry and options.only == sections:
        (HERE / "results.md").write_text(text, encoding="utf-8")
        startup.save(started)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
