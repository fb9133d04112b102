"""toolbridge and its peers side by side: hard schemas and real tools, from MCP to every target that a converter offers.

    python benchmarks/peers.py                          # everything; writes benchmarks/peers.md
    python benchmarks/peers.py --only toolbridge --dry  # measures toolbridge anew, prints
    python benchmarks/peers.py --speed                  # whole catalogues; writes benchmarks/results/peers.json

Each peer gets an environment of its own under --cache, made from the pinned files in `peers/pins/`, and is called there
by its adapter in `peers/adapters/` (see `peers/work.py`). What it answers is kept in the cache, so that a later run
measures only what changed, or what --only names. The judge (`peers/judge.py`) needs `jsonschema_rs`, which is among
the requirements of toolbridge's tests; how it judges stands in the header of the table.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import platform
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from peers import speed
from peers.environments import (
    OURS,
    PINS,
    NotInstalledError,
    adapter_of,
    environment_of,
    peers,
    python_of,
    version_of,
)
from peers.judge import Source, judge
from peers.table import Row, page

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
WORK = HERE / "peers" / "work.py"
START, PATIENCE = 180.0, 12.0
"""Seconds for a peer to be imported, and for one tool with all its measurements."""


def tools_in(path: Path) -> list[dict[str, Any]]:
    """The MCP tools of a file: JSON Lines, or a catalogue with `tools`."""
    text = path.read_text(encoding="utf-8")
    try:
        whole = json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return whole["tools"] if isinstance(whole, dict) and "tools" in whole else [whole]


def targets_of(peer: str) -> list[str]:
    """The targets that an adapter offers, read from its text: it can be imported only beside its peer.

    Those without any convert to none that is judged, and are only measured.
    """
    text = adapter_of(peer).read_text(encoding="utf-8")
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "TARGETS":
            assert isinstance(statement.value, ast.Dict)
            return [key.value for key in statement.value.keys if isinstance(key, ast.Constant)]
    return []


def ask(peer: str, target: str, python: str, tools: Path, count: int) -> list[dict[str, Any]]:
    """What a peer answers for every tool. One that keeps silent is ended, and begun again behind that tool."""
    adapter, environment = adapter_of(peer), environment_of(peer)
    answers: list[dict[str, Any]] = []
    while len(answers) < count:
        command = [python, "-P", str(WORK), str(adapter), target, str(tools), str(len(answers))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
            lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
            errors: list[bytes] = []
            threading.Thread(target=_pump, args=(process.stdout, lines.put), daemon=True).start()
            threading.Thread(target=_pump, args=(process.stderr, errors.append), daemon=True).start()
            begun = False
            while len(answers) < count:
                try:
                    line = lines.get(timeout=PATIENCE if begun else START)
                except queue.Empty:
                    process.kill()
                    line, silent = None, True
                else:
                    silent = False
                if line is None:
                    if not begun:
                        last = b"".join(filter(None, errors)).decode(errors="replace").strip().splitlines()
                        raise NotInstalledError(f"does not start: {(last or ['no answer'])[-1][:200]}")
                    answers.append({"error": "no answer in time" if silent else f"ended with {process.wait()}"})
                    break
                if begun:
                    answers.append(json.loads(line))
                begun = True
    return answers


def _pump(stream: Any, put: Any) -> None:
    for line in stream:
        put(line)
    put(None)


def digest(*parts: bytes | str) -> str:
    joined = hashlib.sha256()
    for part in parts:
        joined.update(part.encode() if isinstance(part, str) else part)
        joined.update(b"\0")
    return joined.hexdigest()[:16]


def kept(path: Path, make: Callable[[], Any]) -> Any:
    """What a file of the cache says, made where it is missing."""
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(make()), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


class Bench:
    """The tools of one run, and what was answered and judged about them before."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.hard = [tool for path in options.torture for tool in tools_in(path)]
        self.tools = self.hard + [tool for path in options.tools for tool in tools_in(path)]
        self.text = "".join(json.dumps(tool, ensure_ascii=False) + "\n" for tool in self.tools)
        self.file = options.cache / "tools" / f"{digest(self.text)}.jsonl"
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(self.text, encoding="utf-8")
        self.pythons: dict[str, str] = {}
        self.missing: dict[str, str] = {}
        self.sources: list[Source] = []
        judges = (HERE / "peers" / f"{name}.py" for name in ("judge", "probes", "rules", "shape"))
        self.judges = digest(*(path.read_bytes() for path in judges))

    def rows(self) -> Iterator[Row]:
        for peer in peers():
            for target in targets_of(peer):
                if not self.options.targets or target in self.options.targets:
                    try:
                        answers = self.answers(peer, target)
                    except NotInstalledError as error:
                        self.missing[f"{peer} -> {target}" if peer in self.pythons else peer] = str(error)
                        if peer not in self.pythons:
                            break
                    else:
                        if answers is not None:
                            verdicts = kept(*self.judged(target, answers))
                            yield Row(peer, target, self.tools, len(self.hard), answers, verdicts)

    def answers(self, peer: str, target: str) -> list[dict[str, Any]] | None:
        """What a peer answers, or answered; None where it was not to be asked and nothing is kept."""
        adapter = adapter_of(peer).read_bytes()
        pins = b"" if peer == OURS else (PINS / f"{peer}.txt").read_bytes()
        name = f"{peer}--{target}--{digest(self.text, adapter, pins, WORK.read_bytes())}.json"
        place = self.options.cache / "answers" / name
        chosen = not self.options.only or peer in self.options.only
        if chosen and (self.options.again or peer == OURS):
            place.unlink(missing_ok=True)
        if not chosen and not place.is_file():
            return None
        print(f"{peer} -> {target}", file=sys.stderr)
        if not place.is_file() and peer not in self.pythons:
            self.pythons[peer] = python_of(peer, self.options.cache)
        return kept(place, lambda: ask(peer, target, self.pythons[peer], self.file, len(self.tools)))

    def judged(self, target: str, answers: list[dict[str, Any]]) -> tuple[Path, Callable[[], Any]]:
        """Where the verdicts are kept, and how they are come by."""

        def verdicts() -> list[Any]:
            self.sources = self.sources or [Source(tool) for tool in self.tools]
            pairs = zip(self.sources, answers, strict=True)
            return [judge(source, target, one) if "schema" in one else None for source, one in pairs]

        name = f"{digest(target, self.text, json.dumps(answers), self.judges)}.json"
        return self.options.cache / "verdicts" / name, verdicts


def machine() -> str:
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{platform.python_implementation()} {platform.python_version()}, {system}, {datetime.now(UTC):%Y-%m-%d}"


def main(arguments: list[str]) -> int:
    listed = lambda text: [part for part in text.split(",") if part]  # noqa: E731 - a type of argparse
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torture", type=Path, nargs="+", default=[HERE / "peers" / "torture.jsonl"], metavar="FILE")
    real = [*sorted((ROOT / "tests" / "fixtures" / "mcp").glob("*.jsonl")), ROOT / "examples" / "catalogue.json"]
    parser.add_argument("--tools", type=Path, nargs="+", default=real, metavar="FILE", help="real MCP tools")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "peers", help="environments and answers")
    parser.add_argument("--only", type=listed, default=[], metavar="A,B", help="ask these; of others show what is kept")
    parser.add_argument("--targets", type=listed, default=[], metavar="A,B", help="these targets only")
    parser.add_argument("--again", action="store_true", help="ask peers again whose answers are kept")
    parser.add_argument("--details", type=Path, metavar="FILE", help="write every finding as JSON")
    parser.add_argument("--speed", action="store_true", help="how long all take for thousands of tools, and no judge")
    parser.add_argument("--dry", action="store_true", help="print the table, write nothing")
    options = parser.parse_args(arguments)
    if options.speed:
        return speed.main(options.cache, options.only, None if options.tools == real else options.tools[0], options.dry)
    bench = Bench(options)
    rows = list(bench.rows())
    known = {row.peer: version_of(row.peer) for row in rows}
    text = page(rows, bench.missing, known, machine())
    print(text)
    if options.details:
        findings = [finding for row in rows for finding in row.findings()]
        options.details.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in findings), "utf-8")
    if not options.dry:
        (HERE / "peers.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
