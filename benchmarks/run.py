"""What one conversion costs, and what the command costs to start. Writes benchmarks/results.md; `--dry` only prints it.

Conversions: CPU time of this process, garbage collection off, the median over several rounds. In every round each
variant runs over all documents and is divided by `msgspec.json.decode` + `encode` of the same documents in the same
round, so that the ratios stand on machines whose speed wanders. Start-up: wall-clock time of whole processes, the
variants in turn, against `python -c pass`. Nothing here is a test.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import toolbridge
from toolbridge import LossError, convert

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
EXAMPLES = ROOT / "examples" / "catalogue.json"
# Real tools may lie beside the repository; they are not part of it.
GITHUB = ROOT.parent / "shared" / "corpus" / "github-mcp-server" / "tools.mcp.jsonl"

ROUNDS = 15
STARTS = 31
FILL = {"toolkit": "Bench", "/version": "1.0.0"}
AIM = 5.0
AIMS = {"toolbridge --version": 2.0, "toolbridge convert": 6.0, "toolbridge convert -o FILE": 6.0}
SCRIPT = r"""
import re
import sys
from toolbridge.cli import main
if __name__ == "__main__":
    sys.argv[0] = re.sub(r"(-script\.pyw|\.exe)?$", "", sys.argv[0])
    sys.exit(main())
"""


class Variant(NamedTuple):
    """One way to convert a document; `aim` is the ratio that was aimed at."""

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


def start_up() -> list[str]:
    """A table of whole processes against an empty one."""
    python = sys.executable
    tool = json.loads(EXAMPLES.read_text(encoding="utf-8"))["tools"][1]
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        (folder / "tool.json").write_text(json.dumps(tool), encoding="utf-8")
        # What pip makes of the entry point.
        script = folder / "toolbridge"
        script.write_text(SCRIPT, encoding="utf-8")
        command = str(script)
        commands = {
            "python -c pass": ["-c", "pass"],
            "python -c 'import argparse'": ["-c", "import argparse"],
            "python -c 'import msgspec'": ["-c", "import msgspec"],
            "python -c 'from toolbridge import convert'": ["-c", "from toolbridge import convert"],
            "toolbridge --version": [command, "--version"],
            "toolbridge --help": [command, "--help"],
            "toolbridge convert": [command, "convert", "tool.json", "--to", "arcade"],
            "toolbridge convert -o FILE": [command, "convert", "tool.json", "--to", "arcade", "-o", "out.json"],
        }
        # As installed: with compiled modules, whatever the caller's environment says about writing them.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled"), "PYTHONPATH": str(ROOT / "src")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for turn in range(STARTS + 1):
            for name, arguments in commands.items():
                start = time.perf_counter()
                subprocess.run([python, *arguments], cwd=folder, env=environment, capture_output=True, check=True)
                if turn:
                    taken[name].append(time.perf_counter() - start)
    empty = taken["python -c pass"]
    lines = ["| process | milliseconds | x empty process | aim |", "| --- | ---: | ---: | --- |"]
    for name, each in taken.items():
        ratio = statistics.median(one / other for one, other in zip(each, empty, strict=True))
        aim = verdict(ratio, AIMS.get(name))
        lines.append(f"| `{name}` | {statistics.median(each) * 1e3:.1f} | {ratio:.1f} | {aim} |")
    return lines


def machine() -> str:
    """What it ran on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"toolbridge {toolbridge.__version__}, {python}, msgspec {version('msgspec')}, {system}."


def main(arguments: list[str]) -> int:
    examples = documents(json.loads(EXAMPLES.read_text(encoding="utf-8"))["tools"])
    parts = [
        "# Results",
        "",
        "Written by `make bench`. Ratios are medians of ratios taken in one run; microseconds are CPU time.",
        "",
        machine(),
        "",
        "## One conversion",
        "",
    ]
    if GITHUB.is_file():
        tools = [json.loads(line) for line in GITHUB.read_text(encoding="utf-8").splitlines()]
        parts += [*conversions("The tools of GitHub's MCP server", documents(tools)), ""]
    parts += [*conversions("The tools of examples/catalogue.json", examples), ""]
    parts += [
        "## Start-up",
        "",
        "Whole processes, compiled modules cached.",
        "",
    ]
    parts += [*start_up(), ""]
    text = "\n".join(parts)
    print(text)
    if "--dry" not in arguments:
        (HERE / "results.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
