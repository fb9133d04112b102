"""What the command costs to start, against an empty Python. Writes results/startup.json; `--dry` only prints it.

Wall-clock time of whole processes, the variants in turn, with compiled modules cached as after an installation. The
ratio is the median of ratios to the empty process of the same turn.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import EXAMPLES, ROOT, keep

STARTS = 31
AIMS = {"toolbridge --version": 2.0, "toolbridge convert": 6.0, "toolbridge convert -o FILE": 6.0}
SCRIPT = r"""
import re
import sys
from toolbridge.cli import main
if __name__ == "__main__":
    sys.argv[0] = re.sub(r"(-script\.pyw|\.exe)?$", "", sys.argv[0])
    sys.exit(main())
"""
"""What pip makes of the entry point."""


def measured(starts: int = STARTS) -> list[dict[str, Any]]:
    """Milliseconds, and how often an empty process takes as long."""
    tool = json.loads(EXAMPLES.read_text(encoding="utf-8"))["tools"][1]
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        (folder / "tool.json").write_text(json.dumps(tool), encoding="utf-8")
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
        for turn in range(starts + 1):
            for name, arguments in commands.items():
                start = time.perf_counter()
                subprocess.run(
                    [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, check=True
                )
                if turn:  # the first compiles
                    taken[name].append(time.perf_counter() - start)
    empty = taken["python -c pass"]
    return [
        {
            "process": name,
            "milliseconds": round(statistics.median(each) * 1e3, 1),
            "times": round(statistics.median(a / b for a, b in zip(each, empty, strict=True)), 1),
            **({"aim": AIMS[name]} if name in AIMS else {}),
        }
        for name, each in taken.items()
    ]


def table(found: list[dict[str, Any]]) -> list[str]:
    """The same for people."""
    lines = ["| process | milliseconds | x empty process | aim |", "| --- | ---: | ---: | --- |"]
    for each in found:
        aim = each.get("aim")
        comment = "" if aim is None else f"{aim:g}x: {'reached' if each['times'] <= aim else 'missed'}"
        lines.append(f"| `{each['process']}` | {each['milliseconds']:.1f} | {each['times']:.1f} | {comment} |")
    return lines


def save(found: list[dict[str, Any]], starts: int = STARTS) -> None:
    keep("startup", {"starts": starts, "processes": found})


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry", action="store_true", help="print the results and write nothing")
    parser.add_argument("--starts", type=int, default=STARTS, help="how often each is started")
    options = parser.parse_args(arguments)
    found = measured(options.starts)
    print("\n".join(table(found)))
    if not options.dry:
        save(found, options.starts)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
