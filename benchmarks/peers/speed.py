"""How long toolbridge and its peers take for thousands of tools, side by side in one run: `peers.py --speed`.

Every way of every peer is a process of its own in the environment of that peer (see lap.py), in turns, so that all see
the same machine. What they lose on the way is another question, which the table of peers.py answers.
"""

from __future__ import annotations

import ast
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from measure import different, keep, real_tools, renamed

from peers.environments import NotInstalledError, adapter_of, environment_of, peers, python_of, version_of

TOOLS = 4_000
TURNS = 3
LAP = Path(__file__).resolve().parent / "lap.py"
MCP = "mcp@2025-11-25"


def ways_of(peer: str) -> list[str]:
    """The ways of an adapter, those over whole texts first, read from its text: it can be run only beside its peer."""
    found: dict[str, list[str]] = {"WHOLE": [], "LAPS": []}
    for statement in ast.parse(adapter_of(peer).read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and (name := ast.unparse(statement.targets[0])) in found:
            assert isinstance(statement.value, ast.Dict)
            found[name] = [key.value for key in statement.value.keys if isinstance(key, ast.Constant)]
    return [*found["WHOLE"], *found["LAPS"]]


def reads(peer: str) -> str:
    """The format that a peer takes its tools in."""
    for statement in ast.parse(adapter_of(peer).read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "READS":
            return str(ast.literal_eval(statement.value))
    return MCP


def files(cache: Path, tools: list[Any], form: str) -> list[str]:
    """The tools in a format: those that repeat, and those that do not."""
    from toolbridge import bridge

    found: list[str] = []
    for made in (renamed, different):
        file = cache / "tools" / f"{made.__name__}-{form}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = b"".join(line + b"\n" for line in made(tools, TOOLS))
        file.write_bytes(lines if form == MCP else bridge(MCP, form).bytes(lines)[0])
        found.append(str(file))
    return found


def lap(peer: str, way: str, python: str, given: list[str]) -> dict[str, Any]:
    command = [python, "-P", str(LAP), str(adapter_of(peer)), way, *given]
    done = subprocess.run(command, capture_output=True, text=True, env=environment_of(peer), check=False)
    if done.returncode:
        raise NotInstalledError((done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1][:200])
    return json.loads(done.stdout.splitlines()[-1])


def row(peer: str, way: str, laps: list[dict[str, Any]]) -> dict[str, Any]:
    """The medians of what a way took."""
    middle = {key: statistics.median(each[key] for each in laps) for key in ("import", "ready", "same", "different")}
    return {
        "peer": peer,
        "version": version_of(peer),
        "way": way,
        "microseconds": round(middle["same"], 1),
        "tools a second": round(1e6 / middle["same"]),
        "microseconds, all different": round(middle["different"], 1),
        "MiB": statistics.median(each["MiB"] for each in laps),
        "seconds to import": round(middle["import"], 2),
        "seconds to the first tool": round(middle["ready"], 2),
        "errors": max(each["errors"] for each in laps),
        **({"error": laps[0]["error"]} if laps[0]["error"] else {}),
    }


def main(cache: Path, only: list[str], tools: Path | None, dry: bool) -> int:
    title, real = real_tools(tools)
    chosen = [(peer, way) for peer in peers() if not only or peer in only for way in ways_of(peer)]
    given = {form: files(cache, real, form) for form in {reads(peer) for peer, _ in chosen}}
    pythons: dict[str, str] = {}
    missing: dict[str, str] = {}
    for peer in dict.fromkeys(peer for peer, _ in chosen):
        try:
            pythons[peer] = python_of(peer, cache)
        except NotInstalledError as error:
            missing[peer] = str(error)
    laps: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for turn in range(TURNS):
        for peer, way in chosen:
            if peer not in missing and f"{peer}, {way}" not in missing:
                print(f"{turn + 1}/{TURNS} {peer}, {way}", file=sys.stderr, flush=True)
                try:
                    laps.setdefault((peer, way), []).append(lap(peer, way, pythons[peer], given[reads(peer)]))
                except NotInstalledError as error:
                    missing[f"{peer}, {way}"] = str(error)
    rows = sorted((row(*key, found) for key, found in laps.items()), key=lambda each: each["microseconds"])
    for each in rows:
        print(each)
    print(missing)
    found = {"input": {"tools": TOOLS, "made of": len(real), "which are": title}, "rows": rows, "missing": missing}
    if not dry and not only:
        keep("peers", found)
    return 0
