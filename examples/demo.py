"""Converts a catalogue of MCP tools to Tool Definition 1.0 and back, and compares the result with the original."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CATALOGUE = HERE / "catalogue.json"


def run(folder: Path, *arguments: str) -> int:
    """Run the command as a user would, showing what it says; the exit code."""
    print(f"\n$ toolbridge {' '.join(arguments)}", flush=True)
    return subprocess.run([sys.executable, "-m", "toolbridge", *arguments], cwd=folder, check=False).returncode


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "catalogue.json").write_bytes(CATALOGUE.read_bytes())
        tools = read(CATALOGUE)["tools"]
        print(f"catalogue.json: {len(tools)} MCP tools of a harbour, one of them hostile: {tools[-1]['name']}.")

        there = run(
            folder,
            *("convert", "catalogue.json", "--from", "mcp@2025-11-25", "--to", "arcade", "--fill", "toolkit=Tidewater"),
            *("--fill", "/version=4.2.0", "-o", "there.json", "--report", "report.json", "--remainder", "rest.json"),
        )
        if there not in (0, 1) or not (folder / "there.json").exists():
            return there
        definitions = read(folder / "there.json")["tools"]
        print(f"\nexit code {there}: the hostile tool was refused, the other {len(definitions)} were converted.")
        print("\nThe first of them:\n")
        print(json.dumps(definitions[0], indent=2, ensure_ascii=False))

        back = run(
            folder,
            *("convert", "there.json", "--from", "arcade", "--to", "mcp@2025-11-25", "--restore", "rest.json"),
            *("-o", "restored.json", "--quiet"),
        )
        if back != 0:
            return back
        if read(folder / "restored.json") != read(CATALOGUE):
            print("\nThe restored catalogue differs from the original.")
            return 1
        sizes = {name: (folder / name).stat().st_size for name in ("catalogue.json", "there.json", "rest.json")}
        print("\n" + ", ".join(f"{name} {size:,} bytes" for name, size in sizes.items()))
        print("The restored catalogue equals the original: every tool and every key, also the refused tool.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
