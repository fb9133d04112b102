"""Writes the sources of the website to build/website/: docs/, and what else of the repository belongs to it.

In the repository every link is a path that leads somewhere, on a forge as well. Here it is written for the place that
its page has on the website; one that leads to nothing on the website is an error.

`python docs/website.py` writes them once; with `serve` it also runs the server of the builder, and writes again what
changes. This is no plugin of the builder, so that another one can read the same sources and mkdocs.yml.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from os.path import normpath, relpath
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "build" / "website"

PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "reporting.md"}
"""Pages outside docs/, and their places on the website."""
PATTERNS = ("docs/**/*.md", "docs/**/*.svg", "docs/**/*.css", "benchmarks/*.md", "examples/*", "schemas/**/*.json")

_CODE = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")


def places() -> dict[str, str]:
    """The place on the website of every file of the repository that belongs to it."""
    found = {file.relative_to(ROOT).as_posix() for pattern in PATTERNS for file in ROOT.glob(pattern) if file.is_file()}
    return {**{path: path.removeprefix("docs/") for path in sorted(found)}, **PAGES}


def linked(text: str, path: str, known: dict[str, str]) -> str:
    """A page with its links as they are on the website."""

    def link(found: re.Match[str]) -> str:
        target = normpath(PurePosixPath(path).parent / found[2])
        if target not in known:
            raise SystemExit(f"{path}: {found[2]} is not on the website")
        return found[1] + relpath(known[target], PurePosixPath(known[path]).parent) + found[3]

    parts = _CODE.split(text)
    return "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in parts)


def write(folder: Path) -> None:
    """Writes the sources as they are now; files that are the same are not touched."""
    known = places()
    there = {file for file in folder.rglob("*") if file.is_file()}
    for path, place in known.items():
        source, target = ROOT / path, folder / place
        there.discard(target)
        if path.endswith(".md"):
            content = linked(source.read_text(encoding="utf-8"), path, known).encode()
        else:
            content = source.read_bytes()
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    for file in there:
        file.unlink()


def main(arguments: list[str]) -> int:
    shutil.rmtree(SOURCES, ignore_errors=True)
    write(SOURCES)
    if arguments != ["serve"]:
        return 0
    with subprocess.Popen([Path(sys.executable).with_name("mkdocs"), "serve"], cwd=ROOT) as server:
        try:
            while server.poll() is None:
                time.sleep(1)
                write(SOURCES)
        except KeyboardInterrupt:
            server.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
