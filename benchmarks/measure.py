"""What all benchmarks need: the tools, the clock, and the facts about the machine.

Real tools may lie beside the repository; they are not part of it. Where they are missing, its own fixtures and examples
are measured, and the results say so.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import toolbridge

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
RESULTS = HERE / "results"
EXAMPLES = ROOT / "examples" / "catalogue.json"
FIXTURES = ROOT / "tests" / "fixtures" / "mcp"
CORPUS = ROOT.parent / "shared" / "corpus"
GITHUB = CORPUS / "github-mcp-server" / "tools.mcp.jsonl"

_decoder = msgspec.json.Decoder()
_encoder = msgspec.json.Encoder()

# tools


def lines_of(*files: Path) -> list[Any]:
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def real_tools(file: Path | None = None) -> tuple[str, list[Any]]:
    """MCP tools, one on each line of a file (None: those that there are), and what to call them."""
    if file is not None:
        return f"tools of {file.name}", lines_of(file)
    if GITHUB.is_file():
        return "real tools of GitHub's MCP server", lines_of(GITHUB)
    examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))["tools"]
    return "tools of the fixtures and examples", [*lines_of(*sorted(FIXTURES.glob("*.jsonl"))), *examples]


def differing_tools(file: Path | None = None) -> tuple[str, list[Any]]:
    """MCP tools of which no two have the same schema, from a file (None: those that there are), and their title."""
    lists = sorted(CORPUS.glob("*/tools.mcp.jsonl")) if file is None else []
    title, tools = ("MCP tools of public servers", lines_of(*lists)) if lists else real_tools(file)
    by_schema = {json.dumps(tool.get("inputSchema"), sort_keys=True): tool for tool in tools}
    return title, [tool for tool in by_schema.values() if isinstance(tool.get("inputSchema"), dict)]


def renamed(tools: list[Any], count: int) -> Iterator[bytes]:
    """So many tools as lines: those that there are over and over, each under a name of its own."""
    for n in range(count):
        tool = tools[n % len(tools)]
        yield _encoder.encode({**tool, "name": f"{tool['name'][:40]}_{n}"})


def different(tools: list[Any], count: int) -> Iterator[bytes]:
    """The same, but no two schemas are alike: each has a number in the description of its first property."""
    for n in range(count):
        tool = tools[n % len(tools)]
        schema = tool["inputSchema"]
        properties = schema.get("properties", {})
        key = next((key for key, value in properties.items() if isinstance(value, dict)), None)
        if key is None:
            schema = {**schema, "description": f"Nothing, for the time {n}."}
        else:
            described = {**properties[key], "description": f"{properties[key].get('description', '')} Number {n}."}
            schema = {**schema, "properties": {**properties, key: described}}
        yield _encoder.encode({**tool, "name": f"{tool['name'][:40]}_{n}", "inputSchema": schema})


def blocks(lines: Iterator[bytes], size: int, shape: str = "lines") -> list[bytes]:
    """Texts of about so many bytes: JSON Lines, arrays, or envelopes."""
    found: list[list[bytes]] = [[]]
    room = size
    for line in lines:
        if room < 0:
            found.append([])
            room = size
        found[-1].append(line)
        room -= len(line) + 1
    if shape == "lines":
        return [b"\n".join(each) + b"\n" for each in found]
    before, after = (b"[", b"]") if shape == "array" else (b'{"tools":[', b"]}")
    return [before + b",".join(each) + after for each in found]


def yardstick(text: bytes) -> None:
    """The least that a converter of JSON Lines has to do."""
    _encoder.encode_lines(_decoder.decode_lines(text))


def yardstick_of_one(text: bytes) -> None:
    """The least that a converter of one document has to do."""
    _encoder.encode(_decoder.decode(text))


# the clock


def spent(work: Callable[[bytes], object], over: list[bytes]) -> float:
    """CPU seconds. The garbage collector runs as usual, and once before."""
    gc.collect()
    start = time.process_time()
    for text in over:
        work(text)
    return time.process_time() - start


class Spread(NamedTuple):
    """What several rounds came to."""

    median: float
    min: float
    max: float

    @classmethod
    def of(cls, values: list[float], digits: int = 3) -> Spread:
        return cls(*(round(each, digits) for each in (statistics.median(values), min(values), max(values))))


# whole processes

_LAUNCHER = """
import os, sys, threading, time
most = {}
def peaks(root):
    # Where /proc is: the peak of every process below this one, as long as they can be seen.
    while True:
        below, parents = {root}, {}
        try:
            for entry in os.listdir("/proc"):
                if entry.isdigit():
                    with open(f"/proc/{entry}/stat") as file:
                        parents[int(entry)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            pass
        for _ in range(4):
            below |= {pid for pid, parent in parents.items() if parent in below}
        for pid in below:
            try:
                with open(f"/proc/{pid}/status") as file:
                    for line in file:
                        if line.startswith("VmHWM"):
                            most[pid] = int(line.split()[1])
            except OSError:
                pass
        time.sleep(0.02)
start = time.perf_counter()
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
if os.path.isdir("/proc"):
    threading.Thread(target=peaks, args=(pid,), daemon=True).start()
_, status, used = os.wait4(pid, 0)
taken = time.perf_counter() - start
own = used.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
most[pid] = max(most.get(pid, 0), int(own))
print(os.waitstatus_to_exitcode(status), taken, used.ru_utime + used.ru_stime, most[pid], sum(most.values()))
"""
"""A small process between this one and the measured one, whose peak of memory would be inherited."""


class Run(NamedTuple):
    """One whole process: its code, seconds, CPU seconds of it and its children, and peaks of memory in MiB.

    `mib` is that of the largest process; `all_mib` is the sum over all, pages that they share counted each time.
    """

    code: int
    seconds: float
    cpu: float
    mib: float
    all_mib: float
    output: str


def run(*command: str, folder: Path | None = None) -> Run:
    """Run a command of this Python, and measure it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", _LAUNCHER, sys.executable, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    *output, last = done.stdout.splitlines()
    code, *numbers = last.split()
    seconds, cpu, own, every = map(float, numbers)
    text = "\n".join([*output, done.stderr])
    return Run(int(code), round(seconds, 3), round(cpu, 3), round(own / 1024, 1), round(every / 1024, 1), text)


# results


def machine() -> dict[str, Any]:
    """What it ran on, and when."""
    cpu = platform.processor()
    if (info := Path("/proc/cpuinfo")).is_file():
        models = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        cpu = models[0] if models else cpu
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "cpu": cpu,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "toolbridge": toolbridge.__version__,
        "msgspec": version("msgspec"),
    }


def kept(name: str) -> dict[str, Any]:
    """Committed results."""
    file = RESULTS / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def keep(name: str, found: dict[str, Any]) -> None:
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({**found, "machine": machine()}, indent=1, ensure_ascii=False)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    print(f"written: benchmarks/results/{name}.json", file=sys.stderr)
