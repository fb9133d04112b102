"""The speed of toolbridge and its peers for thousands of tools, side by side in one run: `peers.py --speed`.

Every conversion of every peer is a process of its own in the environment of that peer (see timing.py), in turns, so
that all have the same machine. `peers.py` without `--speed` examines whether what they write is right.
"""

from __future__ import annotations

import ast
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from measure import differing_tools, keep, real_tools, renamed

from peers.environments import NotInstalledError, adapter_of, environment_of, peers, python_of, version_of

TOOLS = 4_000
"""The tools of the file in which schemas repeat."""

TURNS = 3
TIMING = Path(__file__).resolve().parent / "timing.py"
MCP = "mcp@2025-11-25"


def conversions_of(peer: str) -> list[str]:
    """The conversions of an adapter, those of texts first, read from its source: it runs only beside its peer."""
    found: dict[str, list[str]] = {"TEXT_CONVERSIONS": [], "CONVERSIONS": []}
    for statement in ast.parse(adapter_of(peer).read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and (name := ast.unparse(statement.targets[0])) in found:
            assert isinstance(statement.value, ast.Dict)
            found[name] = [key.value for key in statement.value.keys if isinstance(key, ast.Constant)]
    return [*found["TEXT_CONVERSIONS"], *found["CONVERSIONS"]]


def source_of(peer: str) -> str:
    """The format of the tools that a peer converts."""
    for statement in ast.parse(adapter_of(peer).read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "READS":
            return str(ast.literal_eval(statement.value))
    return MCP


def files(cache: Path, repeated: list[Any], different: list[Any], source: str) -> list[str]:
    """Two files of tools in a format: one in which schemas repeat, and one in which no two are alike."""
    from toolbridge import bridge

    found: list[str] = []
    for name, tools in (("repeated", renamed(repeated, TOOLS)), ("different", map(json.dumps, different))):
        file = cache / "tools" / f"{name}-{source}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        text = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in tools)
        file.write_bytes(text if source == MCP else bridge(MCP, source).bytes(text)[0])
        found.append(str(file))
    return found


def measured(peer: str, conversion: str, python: str, inputs: list[str]) -> dict[str, Any]:
    command = [python, "-P", str(TIMING), str(adapter_of(peer)), conversion, *inputs]
    done = subprocess.run(command, capture_output=True, text=True, env=environment_of(peer), check=False)
    if done.returncode:
        raise NotInstalledError((done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1][:200])
    return json.loads(done.stdout.splitlines()[-1])


def row(peer: str, conversion: str, runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The medians of the runs of a conversion."""
    median = {key: statistics.median(run[key] for run in runs) for key in ("import", "ready", "repeated", "different")}
    return {
        "peer": peer,
        "version": version_of(peer),
        "conversion": conversion,
        "microseconds": round(median["different"], 1),
        "tools a second": round(1e6 / median["different"]),
        "microseconds, repeated": round(median["repeated"], 1),
        "MiB": statistics.median(run["MiB"] for run in runs),
        "seconds to import": round(median["import"], 2),
        "seconds to the first tool": round(median["ready"], 2),
        "errors": max(run["errors"] for run in runs),
        **({"error": runs[0]["error"]} if runs[0]["error"] else {}),
    }


def main(cache: Path, only: list[str], tools: Path | None, dry: bool) -> int:
    title, repeated = real_tools(tools)
    different_title, different = differing_tools(tools)
    chosen = [(peer, conversion) for peer in peers() if not only or peer in only for conversion in conversions_of(peer)]
    inputs = {source: files(cache, repeated, different, source) for source in {source_of(peer) for peer, _ in chosen}}
    pythons: dict[str, str] = {}
    missing: dict[str, str] = {}
    for peer in dict.fromkeys(peer for peer, _ in chosen):
        try:
            pythons[peer] = python_of(peer, cache)
        except NotInstalledError as error:
            missing[peer] = str(error)
    runs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for turn in range(TURNS):
        for peer, conversion in chosen:
            if peer not in missing and f"{peer}, {conversion}" not in missing:
                print(f"{turn + 1}/{TURNS} {peer}, {conversion}", file=sys.stderr, flush=True)
                try:
                    run = measured(peer, conversion, pythons[peer], inputs[source_of(peer)])
                except NotInstalledError as error:
                    missing[f"{peer}, {conversion}"] = str(error)
                else:
                    runs.setdefault((peer, conversion), []).append(run)
    rows = sorted((row(*key, found) for key, found in runs.items()), key=lambda each: each["microseconds"])
    for each in rows:
        print(each)
    print(missing)
    about = {
        "different": len(different),
        "which are": different_title,
        "repeated": TOOLS,
        "made of": f"{len(repeated)} {title}",
    }
    if not dry and not only:
        keep("peers", {"input": about, "rows": rows, "missing": missing})
    return 0
