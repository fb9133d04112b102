"""The command on large files: the peak of its memory as they grow, and what a second process brings.

Every run is a process of its own. `available` tells whether this command converts files in bounded memory; without
that nothing is measured.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import Run, Spread, renamed, run

TARGETS = ("openai@chat", "arcade@1.0")
SIZES = (10_000, 100_000, 1_000_000)
JOBS_TOOLS = 1_000_000
ROUNDS = 3
MEMORY_AIM, FLAT_AIM, JOBS_AIM = 150.0, 1.1, 1.8
_BUSY = "n = 0\nfor n in range(30_000_000): pass"


class CommandError(Exception):
    """An error message of the command."""


def available() -> bool:
    """Whether the command knows jobs, and so large files."""
    done = run("-m", "toolbridge", "convert", "--help")
    return done.code == 0 and "--jobs" in done.output


def written(tools: list[Any], count: int, file: Path) -> None:
    with file.open("wb") as out:
        for line in renamed(tools, count):
            out.write(line + b"\n")


def convert(file: Path, to: str, jobs: int) -> Run:
    """The command as people call it, with the whole report."""
    out, report = file.with_suffix(".out"), file.with_suffix(".losses.jsonl")
    options = ["--from", "mcp@2025-11-25", "--to", to, "--jobs", str(jobs), "--report", str(report), "-q"]
    done = run("-m", "toolbridge", "convert", str(file), *options, "-o", str(out))
    if done.code not in {0, 1} or not out.is_file():
        raise CommandError(f"the command ended with {done.code}: {done.output.strip().splitlines()[-1:]}")
    out.unlink()
    report.unlink(missing_ok=True)
    return done


def cores() -> float:
    """How many processors two busy processes really get: 2.0 where nothing else wants them."""

    def seconds(count: int) -> float:
        start = time.perf_counter()
        running = [subprocess.Popen([sys.executable, "-S", "-E", "-c", _BUSY]) for _ in range(count)]
        for each in running:
            each.wait()
        return time.perf_counter() - start

    return round(2 * min(seconds(1) for _ in range(3)) / min(seconds(2) for _ in range(3)), 2)


def measured(tools: list[Any], *, quick: bool = False) -> dict[str, Any]:
    """The memory curve, and jobs 1 against 2; or why there are none."""
    if not available():
        return {"available": False, "reason": "this command has no jobs"}
    try:
        return _measured(tools, quick=quick)
    except CommandError as error:
        return {"available": False, "reason": str(error)}


def _measured(tools: list[Any], *, quick: bool) -> dict[str, Any]:
    sizes = SIZES[:2] if quick else SIZES
    found: dict[str, Any] = {"available": True, "memory": [], "jobs": []}
    with tempfile.TemporaryDirectory() as directory:
        for count in sizes:
            file = Path(directory) / f"{count}.jsonl"
            written(tools, count, file)
            for to in TARGETS:
                one = convert(file, to, 1)
                row = {"to": to, "tools": count, "bytes": file.stat().st_size, "MiB": one.mib, "seconds": one.seconds}
                found["memory"].append({**row, "MB/s": round(row["bytes"] / 1e6 / one.seconds, 1)})
                print(found["memory"][-1], flush=True)
            if count != (sizes[-1] if quick else JOBS_TOOLS):
                file.unlink()
        for to in TARGETS:
            alone: list[Run] = []
            both: list[Run] = []
            free: list[float] = []
            for _ in range(1 if quick else ROUNDS):
                free.append(cores())
                alone.append(convert(file, to, 1))
                both.append(convert(file, to, 2))
            found["jobs"].append({
                "to": to,
                "tools": sizes[-1],
                "times": Spread.of([a.seconds / b.seconds for a, b in zip(alone, both, strict=True)], 2)._asdict(),
                "seconds with 1": Spread.of([each.seconds for each in alone]).median,
                "seconds with 2": Spread.of([each.seconds for each in both]).median,
                "CPU seconds with 1": Spread.of([each.cpu for each in alone]).median,
                "CPU seconds with 2": Spread.of([each.cpu for each in both]).median,
                "MiB of all with 2": max(each.all_mib for each in both),
                "processors that were free": Spread.of(free, 2)._asdict(),
            })
            print(found["jobs"][-1], flush=True)
    return found
