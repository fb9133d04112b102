"""Kills `toolbridge convert` at random moments, resumes it until it is done, and compares what it wrote.

    python benchmarks/kills.py --kills 300

Each round converts a generated catalogue of some megabytes (JSON Lines or a list, one process or two, with and without
the files beside the output, with tools that want one name). It is killed several times, also while it resumes, then it
may finish. Then every file has the bytes that a run gives which nobody kills, no other file has changed, and no working
file is left. The exit code is 1 where that is not so.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

BESIDE = {"--report": "losses.jsonl", "--remainder": "rest.jsonl", "--rejects": "bad.jsonl"}
MORE_OFTEN = (
    "from toolbridge.bulk.files import blocks as apart, output as parts; parts.EVERY = 0.02; apart.BLOCK = 100_000\n"
)
START = "import sys; from toolbridge.cli import main; sys.exit(main(sys.argv[1:]))"


class Case(NamedTuple):
    """What is converted, and how: `often` makes a run safe 50 times a second, in small blocks."""

    shape: str
    jobs: int
    beside: bool
    meet: bool
    often: bool

    def command(self) -> list[str]:
        files = [part for option, name in BESIDE.items() if self.beside for part in (option, name)]
        options = ["--from", "mcp@2025-11-25", "--to", "openai", "--jobs", str(self.jobs), "-q", "--resume", *files]
        return [
            sys.executable,
            "-c",
            (MORE_OFTEN if self.often else "") + START,
            "convert",
            "in",
            "-o",
            "out",
            *options,
        ]

    def written(self) -> list[str]:
        return ["out", *(BESIDE.values() if self.beside else ())]


class FailedError(Exception):
    """What was not as it has to be."""


def catalogue(case: Case, size: int, chance: random.Random) -> bytes:
    """A catalogue of about so many bytes; one item of a hundred is no tool."""
    items: list[bytes] = []
    left, number = size, 0
    while left > 0:
        name = "tide!" if case.meet and number % 500 == 7 else f"tool_{number}"
        many = chance.randint(1, 12)
        properties = {f"p{n}": {"type": "string", "description": "x" * chance.randint(0, 90)} for n in range(many)}
        item: dict[str, Any] = {"name": name, "title": "T", "inputSchema": {"type": "object", "properties": properties}}
        items.append(json.dumps(item if number % 100 != 50 else {"no": "tool"}).encode())
        left -= len(items[-1])
        number += 1
    return b"\n".join(items) + b"\n" if case.shape == "lines" else b"[" + b",\n".join(items) + b"]"


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """All files in a folder, with their modes."""
    return {
        str(each.relative_to(folder)): (each.read_bytes(), each.stat().st_mode & 0o777)
        for each in sorted(folder.rglob("*"))
        if each.is_file()
    }


class Kills:
    """The rounds, and what came of them."""

    def __init__(self, folder: Path, size: int, seed: int) -> None:
        self.folder, self.size = folder, size
        self.chance = random.Random(seed)  # noqa: S311 - nothing secret
        self.figures = dict.fromkeys(
            ("rounds", "kills", "too late", "with a ledger", "while files got their names", "runs that resumed"), 0
        )
        self._wanted: dict[Case, tuple[dict[str, bytes], bytes, float]] = {}

    def wanted(self, case: Case) -> tuple[dict[str, bytes], bytes, float]:
        """What a run gives that nobody kills, the catalogue, and how long it takes."""
        if case not in self._wanted:
            data = catalogue(case, self.size, random.Random(case.shape))  # noqa: S311
            folder = self.folder / "whole"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / "in").write_bytes(data)
            begun = time.monotonic()
            done = subprocess.run(case.command(), cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode != 1:
                raise FailedError(f"{case}: exit code {done.returncode}: {done.stderr}")
            seconds = time.monotonic() - begun
            self._wanted[case] = {name: (folder / name).read_bytes() for name in case.written()}, data, seconds
        return self._wanted[case]

    def round(self, kills: int) -> None:
        """One catalogue, killed up to so many times."""
        chance = self.chance
        case = Case(
            chance.choice(["lines", "list"]),
            chance.choice([1, 2]),
            *(chance.random() < share for share in (0.5, 0.5, 0.7)),
        )
        want, data, seconds = self.wanted(case)
        folder = self.folder / "round"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "sub").mkdir(parents=True)
        (folder / "in").write_bytes(data)
        others = [
            "in",
            "other.jsonl",
            ".other.toolbridge-part",
            ".other.toolbridge-part.json",
            "sub/.out.toolbridge-part",
        ]
        for name in others[1:]:
            (folder / name).write_bytes(name.encode())
        before = contents(folder)
        if chance.random() < 0.5:
            (folder / "out").write_bytes(b"old")
        for _ in range(kills):
            if not self.kill(case, folder, seconds):
                break
            if (folder / "out").exists() and (folder / "out").read_bytes() not in (b"old", want["out"]):
                raise FailedError(f"{case}: the output is neither the old one nor the new one")
            wide = [name for name, (_, mode) in contents(folder).items() if name.startswith(".out.") and mode & 0o077]
            if wide and not self.ended(folder):
                raise FailedError(f"{case}: others can read {wide}")
        done = subprocess.run(case.command(), cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 1:
            raise FailedError(f"{case}: exit code {done.returncode}: {done.stderr}")
        after = contents(folder)
        for name, expected in want.items():
            if after.pop(name, (b"", 0))[0] != expected:
                raise FailedError(f"{case}: {name} differs from that of a run that nobody killed")
        if after != before:
            raise FailedError(f"{case}: other files: {sorted(after.keys() ^ before.keys()) or 'changed'}")
        self.figures["rounds"] += 1

    def ended(self, folder: Path) -> bool:
        """Whether a ledger says that everything is written, and that files get their names."""
        ledger = folder / ".out.toolbridge-part.json"
        return ledger.exists() and ledger.read_bytes().rpartition(b"\n")[0].rpartition(b"\n")[2].startswith(b"[{")

    def kill(self, case: Case, folder: Path, seconds: float) -> bool:
        """Start a run and kill it; whether it was still running."""
        ledger = folder / ".out.toolbridge-part.json"
        resumes = ledger.exists() and ledger.read_bytes().count(b"\n") > 1
        # Half of all a moment between start and end, the others when a file gets its name.
        late = case.beside and self.chance.random() < 0.5
        known = {name: (folder / name).stat().st_ino for name in BESIDE.values() if (folder / name).exists()}
        process = subprocess.Popen(
            case.command(), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        )
        until = time.monotonic() + (20 * seconds + 30 if late else self.chance.uniform(0, 1.1 * seconds))
        while process.poll() is None and time.monotonic() < until:
            if late and known != {
                name: (folder / name).stat().st_ino for name in BESIDE.values() if (folder / name).exists()
            }:
                break
            time.sleep(0.0002 if late else 0.002)
        if self.chance.random() < 0.5:
            process.send_signal(signal.SIGKILL)
        elif process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)  # its workers as well
        code = process.wait()
        assert process.stderr is not None
        message = process.stderr.read().decode()
        process.stderr.close()
        if code not in (1, -signal.SIGKILL):
            raise FailedError(f"{case}: exit code {code}: {message}")
        if code == 1:
            self.figures["too late"] += 1
            return False
        self.figures["kills"] += 1
        self.figures["with a ledger"] += ledger.exists()
        self.figures["runs that resumed"] += resumes
        self.figures["while files got their names"] += self.ended(folder)
        return True


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--bytes", type=int, default=4_000_000, help="how large a catalogue is")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        kills = Kills(Path(folder), options.bytes, options.seed)
        try:
            while (left := options.kills - kills.figures["kills"]) > 0:
                kills.round(min(left, kills.chance.randint(1, 8)))
        except FailedError as error:
            print(f"seed {options.seed}, round {kills.figures['rounds'] + 1}: {error}", file=sys.stderr)
            return 1
        finally:
            print(", ".join(f"{name}: {many}" for name, many in kills.figures.items()))
    print("no byte differs, no other file changed, no working file is left")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
