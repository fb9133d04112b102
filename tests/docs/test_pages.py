"""Every example in README.md and docs/*.md does what the page says.

The blocks of a page run in order, in one folder with a copy of `examples/`. Blocks marked `python` share one
namespace; a `text` block right behind one is what it prints, and without it nothing may be printed. In a block marked
`console` each line that starts with `$ ` is a command and the lines below it are what it says on both streams. A line
`...` stands for any lines, ` ...` at the end of a line for its rest. Other blocks are not run.

README.md and docs/start.md are pasted into a shell: their `sh` blocks are run as they are, but for those that install.
The `python` block of docs/start.md is run as the file that the page names. With TOOLBRIDGE_VENV it is the shell of that
environment.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from toolbridge import Format, check, convert
from toolbridge.formats.dialects import DIALECTS
from toolbridge.formats.registry import FORMATS
from toolbridge.mapping.format import Budgets
from toolbridge.schema.dialect import Dialect

ROOT = Path(__file__).resolve().parents[2]
PAGES = [file for file in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if file.is_file()]

START = ROOT / "docs" / "start.md"

PASTED = (ROOT / "README.md", START)
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    language: str
    text: str
    line: int
    follows: bool
    """Whether only blank lines stand between the block before and this one."""


def blocks(page: str) -> list[Block]:
    found: list[Block] = []
    end = 0
    for match in _FENCE.finditer(page):
        line = page.count("\n", 0, match.start()) + 2
        found.append(Block(match[1], match[2], line, not page[end : match.start()].strip()))
        end = match.end()
    return found


def matches(said: str, expected: str) -> bool:
    """Whether a text is the expected one, in which dots stand for what may be anything."""

    def pattern(line: str) -> str:
        if line == "...":
            return "(?:.*\n)*?.*"
        return re.escape(line.removesuffix(" ...")) + " .*" if line.endswith(" ...") else re.escape(line)

    wanted = "\n".join(pattern(line.rstrip()) for line in expected.strip("\n").split("\n"))
    return re.fullmatch(wanted, "\n".join(line.rstrip() for line in said.strip("\n").split("\n"))) is not None


def agree(where: str, said: str, expected: str) -> None:
    assert matches(said, expected), f"{where}: the page says\n{expected.strip()}\nand it is\n{said.strip()}"


def run(command: str, folder: Path) -> str:
    path = os.pathsep.join([str(folder / ".bin"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}
    if fresh := os.environ.get("TOOLBRIDGE_VENV"):
        environment |= {"PATH": os.pathsep.join([f"{fresh}/bin", os.environ["PATH"]]), "PYTHONPATH": ""}
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a reader would try things: a folder with `examples/`, and the command on the path."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / ".bin").mkdir()
    for name, arguments in (("toolbridge", "-m toolbridge"), ("python3", "")):
        script = tmp_path / ".bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="the examples are written for a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=[str(file.relative_to(ROOT)) for file in PAGES])
def test_examples(page: Path, folder: Path) -> None:
    name = page.relative_to(ROOT)
    found = blocks(page.read_text(encoding="utf-8"))
    namespace: dict[str, Any] = {"__name__": "page"}
    for index, block in enumerate(found):
        after = found[index + 1] if index + 1 < len(found) else None
        expected = after.text if after is not None and after.language == "text" and after.follows else ""
        if page in PASTED:
            assert block.language != "text" or block.follows, f"{name}:{block.line}: nothing prints this"
        if page == START and block.language == "python":
            Path("call.py").write_text(block.text, encoding="utf-8")
            agree(f"{name}:{block.line}", run("python3 call.py", folder), expected)
        elif page in PASTED and block.language == "sh" and "pip install" not in block.text:
            agree(f"{name}:{block.line}", run(block.text, folder), expected)
        elif block.language == "python":
            printed = io.StringIO()
            code = compile("\n" * (block.line - 1) + block.text, str(page), "exec", dont_inherit=True)
            with contextlib.redirect_stdout(printed):
                exec(code, namespace)
            agree(f"{name}:{block.line}", printed.getvalue(), expected)
        elif block.language == "console":
            for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, _, expected = part.partition("\n")
                agree(f"{name}:{block.line}: {command}", run(command, folder), expected)


@pytest.mark.parametrize("page", PAGES, ids=[str(file.relative_to(ROOT)) for file in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}"


def test_the_page_on_pypi_has_no_relative_links() -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(targets) > 30
    assert [target for target in targets if not target.startswith(("https://", "#"))] == []


def test_every_page_of_the_documentation_can_be_reached() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for file in sorted((ROOT / "docs").rglob("*.md")):
        place = file.relative_to(ROOT / "docs").as_posix()
        if place != "index.md" and not re.match(r"losses/TB|formats/", place):
            assert f"]({place})" in index, place
    assert "](formats/index.md)" in index
    formats = (ROOT / "docs" / "formats" / "index.md").read_text(encoding="utf-8")
    for file in sorted((ROOT / "docs" / "formats").glob("*.md")):
        assert file.name == "index.md" or f"]({file.name})" in formats, file


def test_the_page_about_rejections_names_rules_that_there_are() -> None:
    page = (ROOT / "docs" / "rejected.md").read_text(encoding="utf-8")
    everywhere = {"root", "value", "names", *Dialect.__struct_fields__, *(f"max_{name}" for name in Budgets._fields)}
    rules = {dialect.id: everywhere for dialect in DIALECTS}
    named = re.findall(r"\[([a-z-]+)/(\w+)\]", page)
    assert len(named) > 30
    for dialect, rule in named:
        assert rule in rules[dialect], f"{dialect}/{rule}"


def test_the_page_about_rejections_names_every_vendor_with_rules() -> None:
    page = (ROOT / "docs" / "rejected.md").read_text(encoding="utf-8")
    vendors = {form.family for form in FORMATS if form.dialect is not None and form.dialect.facts}
    missing = {vendor for vendor in vendors if not re.search(f"^\\|.*`{vendor}[`@]", page, re.MULTILINE)}
    assert not missing, (
        "vendors that the first table of docs/rejected.md does not name; README.md has such a table, too"
    )


@pytest.mark.parametrize("name", ["README.md", "docs/index.md"])
def test_how_many_formats_there_are(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    named = re.search(r"between ([\w, ]+) and \[(\d+)\s+more", page)
    assert named is not None
    count = len(named[1].split(",")) + int(named[2])
    assert count == len({form.family for form in FORMATS}), "families of formats, also in CHANGELOG.md"


@pytest.mark.parametrize("target", [form for form in FORMATS if form.dialect is not None], ids=lambda form: form.id)
def test_the_tools_that_vendors_reject_are_written_so_that_they_do_not(target: Format) -> None:
    tools = json.loads((ROOT / "examples" / "rejected.json").read_text(encoding="utf-8"))["tools"]
    assert check(convert(tools, target, source="mcp").value, target) == []


def test_each_of_these_tools_is_rejected_by_somebody() -> None:
    tools = json.loads((ROOT / "examples" / "rejected.json").read_text(encoding="utf-8"))["tools"]
    vendors = ("openai", "anthropic", "gemini", "bedrock")
    rejected = {vendor: {error.item for error in check(tools, vendor)} for vendor in vendors}
    assert all(rejected.values())
    assert set().union(*rejected.values()) == set(range(len(tools)))


def test_what_dots_stand_for() -> None:
    assert matches("one\ntwo\nthree\n", "one\n...\nthree")
    assert matches("one: 17 ms\n", "one: ...")
    assert not matches("one\ntwo", "one")
    assert not matches("one: 17 ms\n", "two: ...")
