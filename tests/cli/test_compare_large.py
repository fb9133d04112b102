"""`toolbridge diff` and `lock` of large files, tool by tool: they print what they print of the whole documents."""

from __future__ import annotations

import copy
import gzip
import json
import tracemalloc
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laws.test_same_result import pool
from ran import Ran
from toolbridge.bulk.files import blocks
from toolbridge.cli import inputs, inspect
from toolbridge.data.documents import read_whole

RELEASES = Path(__file__).parents[1] / "comparison" / "releases"
SCHEMA = {"type": "object", "properties": {"q": {"type": "string", "description": "A query."}}, "required": ["q"]}
GOOD: list[Any] = [{"name": f"tool_{n}", "description": f"Says {n}.", "inputSchema": SCHEMA} for n in range(30)]
for number, tool in enumerate(GOOD):
    tool["annotations"] = {"readOnlyHint": number % 2 == 0}
ODD: list[Any] = [
    {"name": "no schema"},
    {"name": "tool_7", "inputSchema": SCHEMA},
    {"name": "tool_7", "description": "again", "inputSchema": SCHEMA},
    {"name": "hint", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": "yes"}},
    {"name": "large", "inputSchema": {"type": "object", "properties": {"n": {"minimum": 1 << 70}}}},
    {"description": "without a name", "inputSchema": SCHEMA},
]


@pytest.fixture
def agree(run: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a command in both ways, and holds that both print the same.

    `whole` is whether a large file is read as a whole all the same.
    """

    def call(*arguments: str, whole: bool = False) -> Ran:
        done: list[Ran] = []
        for large in (False, True):
            with monkeypatch.context() as patch:
                patch.setattr(inspect, "LARGE", 0 if large else 1 << 40)
                patch.setattr(blocks, "BLOCK", 1000)
                read: list[str] = []
                patch.setattr(inputs, "read_whole", lambda *given, read=read: read.append("") or read_whole(*given))
                done.append(run(*arguments))
                assert bool(read) == (whole or not large)
        small, large = done
        assert (large.code, large.out, large.err) == (small.code, small.out, small.err)
        return large

    return call


def written(name: str, shape: str, tools: list[Any]) -> str:
    text = {
        "lines": lambda: "\n".join(map(json.dumps, tools)) + "\n\n",
        "list": lambda: json.dumps(tools, indent=1),
        "catalogue": lambda: json.dumps({"tools": tools, "nextCursor": name}),
    }[shape]()
    Path(name).write_text(text, encoding="utf-8")
    return name


def changed(tools: list[Any], seed: int) -> list[Any]:
    """The tools with some changes, in another order, one gone and two new."""
    random, tools = Random(seed), copy.deepcopy(tools)
    for tool in random.sample(tools, 4):
        tool["description"] = "Another one."
    random.choice(tools)["name"] = "tool-new"
    del tools[random.randrange(len(tools))]
    tools += [{"name": f"new_{n}", "inputSchema": SCHEMA} for n in range(2)]
    if seed % 2:
        random.shuffle(tools)
    return tools


@pytest.mark.parametrize("shape", ["lines", "list", "catalogue"])
@pytest.mark.parametrize("seed", range(6))
def test_diff_prints_the_same(agree: Any, shape: str, seed: int) -> None:
    tools = [*GOOD[:20], *ODD, *GOOD[20:]] if seed > 1 else GOOD
    old, new = written("old", shape, tools), written("new", "lines" if seed % 3 else shape, changed(tools, seed))
    done = agree("diff", old, new)
    assert ("added" in done.out, done.code) == (True, int(seed > 1))
    agree("diff", old, new, "--output-format", "json", "--fail-on", "breaking")
    assert "nothing changed" in agree("diff", old, old).out
    agree("diff", old, new, "--old-format", "mcp@2024-11-05", "--new-format", "mcp@2025-11-25")
    agree("diff", old, new, "--old-format", "openai", "--new-format", "mcp", whole=True)


def test_diff_of_releases(agree: Any) -> None:
    for old, new in pairwise(sorted(RELEASES.glob("*.json"))):
        agree("diff", str(old), str(new))


@pytest.mark.parametrize(
    "form", ["openai@responses", "gemini@parameters", "arcade@1.0", "bedrock@converse", "mcpx@servlet"]
)
def test_tools_of_a_vendor(agree: Any, form: str) -> None:
    tools = [tool for tool in pool(form) if isinstance(tool, dict)]
    old, new = written("old.jsonl", "lines", tools), written("new.json", "list", [*tools[3:], *tools[:2]])
    agree("diff", old, new)
    agree("diff", old, new, "--old-format", form, "--new-format", form)
    for name in (old, new):
        agree("lock", name)
        agree("lock", name, "--from", form, "-o", "lock")
        agree("lock", new, "--check", "lock")


@pytest.mark.parametrize("shape", ["lines", "list", "catalogue"])
def test_lock_prints_the_same(agree: Any, shape: str) -> None:
    tools = [*GOOD[:20], *ODD, *GOOD[20:]]
    name = written("old", shape, tools)
    agree("lock", name)
    agree("lock", name, "--from", "mcp@2025-03-26")
    assert agree("lock", name, "--from", "arcade", whole=True).code == 2
    assert "locked as it is" in agree("lock", name, "-o", "lock").err
    assert agree("lock", name, "--check", "lock").code == 0
    assert "Another" not in agree("lock", written("new", shape, changed(tools, 3)), "--check", "lock").out
    # A field of one edition in a single tool.
    assert "mcp@2026-07-28" in agree("lock", written("one", shape, [*GOOD, {**GOOD[0], "name": "t", "icons": []}])).out


def test_what_is_wrong_with_lines(agree: Any) -> None:
    lines = [json.dumps(tool) for tool in GOOD]
    lines[9] = '{"name": "a", "name": "b", "inputSchema": {"type": "object"}}'
    lines[12] = "5"
    Path("duplicates.jsonl").write_text("\n".join(lines), encoding="utf-8")
    lines[7] = lines[7][:-5]
    Path("broken.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = agree("diff", "broken.jsonl", "duplicates.jsonl")
    assert "broken.jsonl:8: not JSON" in done.err
    assert "duplicates.jsonl:10: /name: appears twice in its object; the last one counts" in done.err
    assert "removed" not in done.out
    assert agree("lock", "duplicates.jsonl").code == 0
    assert agree("lock", "broken.jsonl", whole=True).err.startswith("toolbridge: broken.jsonl:8:")


@pytest.mark.parametrize("line", [GOOD[:2], {"tools": GOOD[:2]}])
def test_lines_that_are_no_tools_are_read_as_a_whole(agree: Any, line: Any) -> None:
    name = written("t.jsonl", "lines", [*GOOD, line])
    assert "expected one catalogue" in agree("diff", name, name, whole=True).err
    assert "expected one catalogue" in agree("lock", name, whole=True).err


def test_namespaces(agree: Any) -> None:
    tools = [{"type": "function", "name": f"t{n}", "parameters": SCHEMA, "strict": False} for n in range(3)]
    group = {"type": "namespace", "name": "files", "description": "About files.", "tools": tools}
    name, other = written("a.json", "list", [*tools, group]), Path("b.json")
    other.write_text(json.dumps({**group, "description": "Other files."}))
    agree("diff", name, str(other), whole=True)
    agree("lock", name, whole=True)
    agree("diff", str(other), str(other))
    agree("lock", str(other))


def test_the_version_of_the_server_is_another_one(agree: Any) -> None:
    for version in "12":
        meta = {"io.modelcontextprotocol/serverInfo": {"name": "server", "version": version}}
        Path(f"{version}.json").write_text(json.dumps({"tools": [*GOOD, *ODD[1:3]], "_meta": meta}))
    assert "1 change" in agree("diff", "1.json", "2.json").out


def test_a_compressed_file_is_large_if_its_tools_are(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was read as a whole below 16 MB, which may unpack to much more."""
    data = "\n".join(map(json.dumps, GOOD)).encode()
    Path("tools.jsonl").write_bytes(data)
    Path("tools.jsonl.gz").write_bytes(packed := gzip.compress(data))
    read: list[str] = []
    monkeypatch.setattr(inputs, "read_whole", lambda *given: read.append("") or read_whole(*given))
    for size, whole in ((len(packed), False), (5 * len(packed), False), (11 * len(packed), True)):
        monkeypatch.setattr(inspect, "LARGE", size)
        for arguments in (("check",), ("detect",), ("lock",), ("diff", "tools.jsonl.gz")):
            read.clear()
            assert run(*arguments, "tools.jsonl.gz").code == 0
            assert bool(read) == whole
    monkeypatch.setattr(inspect, "LARGE", len(data) + 1)
    assert run("check", "tools.jsonl").code == 0
    assert read


def test_memory_is_that_of_what_changed(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = [{**GOOD[0], "name": f"tool_{n}"} for n in range(3_000)]
    old, new = written("old", "lines", tools), written("new", "list", [*changed(tools[:30], 0), *tools[30:]])
    run("diff", old, new)  # imports

    def peak(*, large: bool) -> int:
        monkeypatch.setattr(inspect, "LARGE", 0 if large else 1 << 40)
        tracemalloc.start()
        assert run("diff", old, new).code == 0
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(large=True) < peak(large=False) / 2
