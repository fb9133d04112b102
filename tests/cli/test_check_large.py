"""`toolbridge check` of a large file, tool by tool: it prints what the check of the whole document prints."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from laws.test_same_result import pool
from ran import Ran
from toolbridge import validation
from toolbridge.bulk.files import blocks
from toolbridge.cli import inspect

SCHEMA = {"type": "object", "properties": {"q": {"type": "string", "description": "A query."}}}
GOOD = [{"name": f"tool_{n}", "description": f"Says {n}.", "inputSchema": SCHEMA} for n in range(30)]
# The edition is detected from the first block of a large file, and from all tools of a small one.
GOOD[0]["annotations"] = {"readOnlyHint": True}
ODD: list[Any] = [
    {"name": "no schema"},
    {"name": "", "inputSchema": SCHEMA},
    {"name": "with.dots and spaces", "inputSchema": SCHEMA},
    {"name": "long", "description": "y" * 2000, "inputSchema": SCHEMA},
    {"name": "type", "inputSchema": {"type": "string"}},
    {"name": "hidden", "description": "Says\u200b nothing.", "inputSchema": SCHEMA},
    {"name": "tool_7", "inputSchema": SCHEMA},
    {"name": "tool_7", "description": "again", "inputSchema": SCHEMA},
    {"name": "hint", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": "yes"}},
    {"name": "bad", "inputSchema": {"type": "object", "properties": {"a": {"type": "text"}, "b": {"minLength": -1}}}},
]
VENDORS = ["mcp@2025-06-18", "openai@chat", "openai@chat-strict", "anthropic", "gemini", "ollama", None]


@pytest.fixture
def run(run: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    def call(*arguments: str, large: bool) -> Ran:
        with monkeypatch.context() as patch:
            patch.setattr(inspect, "LARGE", 0 if large else 1 << 40)
            patch.setattr(blocks, "BLOCK", 1000)
            return run("check", *arguments)

    return call


def agree(run: Any, *arguments: str) -> Ran:
    """Holds that both ways print the same; errors of several tools together come at the end for a large file."""
    small, large = run(*arguments, large=False), run(*arguments, large=True)
    assert (large.code, sorted(large.out.splitlines())) == (small.code, sorted(small.out.splitlines()))
    assert sorted(large.err.splitlines()) == sorted(small.err.splitlines())
    return large


def written(name: str, shape: str, tools: list[Any]) -> str:
    text = {
        "lines": lambda: "\n".join(map(json.dumps, tools)) + "\n\n",
        "list": lambda: json.dumps(tools, indent=1),
        "catalogue": lambda: json.dumps({"tools": tools, "nextCursor": "x"}),
        "broken catalogue": lambda: json.dumps({"tools": tools, "nextCursor": 5}),
    }[shape]()
    Path(name).write_text(text, encoding="utf-8")
    return name


def test_a_tool_on_which_toolbridge_fails_is_not_invalid(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = validation._item_problems  # pyright: ignore[reportPrivateUsage]

    def fails(item: Any, *given: Any, **options: Any) -> Any:
        if item["name"] == "hidden":
            raise ZeroDivisionError
        return real(item, *given, **options)

    monkeypatch.setattr(validation, "_item_problems", fails)
    for shape in ("lines", "list"):
        done = agree(run, written("t.jsonl" if shape == "lines" else "t.json", shape, [*GOOD, ODD[0], ODD[5]]))
        assert done.code == 1
        assert done.err.splitlines()[-1] == "32 tools: 30 valid, 1 invalid, 1 not checked"
        assert "a bug in toolbridge (the log `toolbridge` has its traceback at level DEBUG, " in done.out
        assert "which --debug of the command shows) [TB905]" in done.out


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("shape", ["lines", "list", "catalogue", "broken catalogue"])
def test_it_prints_the_same(run: Any, shape: str, vendor: str | None) -> None:
    name = written("t.jsonl" if shape == "lines" else "t.json", shape, [*GOOD[:20], *ODD, *GOOD[20:]])
    options = ["--as", vendor] if vendor is not None else []
    done = agree(run, name, *options)
    assert done.code == 1
    assert done.err.count("tools: ") == 1


@pytest.mark.parametrize(
    "edition", ["openai@chat", "anthropic@messages", "arcade@1.0", "bedrock@converse", "mcpx@servlet"]
)
def test_tools_of_a_vendor(run: Any, edition: str) -> None:
    tools = [tool for tool in pool(edition) if isinstance(tool, dict)]
    agree(run, written("t.jsonl", "lines", tools), "--as", edition)
    agree(run, written("u.json", "list", tools), "--as", "openai@chat")


def test_an_envelope_with_a_duplicate_member_is_checked_as_a_whole(run: Any) -> None:
    text = json.dumps({"tools": GOOD, "nextCursor": "x"})
    Path("t.json").write_text(f'{{"nextCursor": "a", {text[1:]}', encoding="utf-8")
    done = agree(run, "t.json", "--as", "mcp@2025-11-25")
    assert (done.code, "/nextCursor: appears twice in its object" in done.err) == (0, True)


def test_the_edition_is_that_of_a_conversion(run: Any) -> None:
    tools = [*GOOD[1:], *({**tool, "annotations": {"readOnlyHint": True}} for tool in GOOD[1:])]
    assert "checked as mcp@2025-03-26 (detected)" in agree(run, written("t.json", "list", tools)).err


def test_lines_that_are_broken(run: Any) -> None:
    lines = [json.dumps(tool) for tool in GOOD]
    lines[7] = lines[7][:-5]
    lines[9] = '{"name": "a", "name": "b", "inputSchema": {"type": "object"}}'
    Path("t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = agree(run, "t.jsonl", "--as", "mcp")
    assert done.out.startswith("t.jsonl:8:")
    assert "t.jsonl:10: b: /name: appears twice in its object" in done.err
    assert done.err.endswith("30 tools: 29 valid, 1 invalid\n")
    found = [json.loads(run("t.jsonl", "--output-format", "json", large=large).out) for large in (False, True)]
    small, large = ([each for each in report["failures"] if each["severity"] == "error"] for report in found)
    assert [{**each, "item": None} for each in large] == small
    assert small[0]["rule"] == "TB903"


def test_a_line_that_is_no_tool(run: Any) -> None:
    lines = [json.dumps({**GOOD[0], "name": f"t{n}"}) for n in range(250)]
    lines[220] = json.dumps(GOOD[:2])
    lines[221] = json.dumps({"tools": GOOD[:2]})
    lines[222] = json.dumps({"id": "c", "type": "function", "function": {"name": "a", "arguments": "{}"}})
    lines[224] = "5"
    Path("t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = run("t.jsonl", large=True)
    assert done.code == 1
    assert done.out == (
        "t.jsonl:221: expected a tool, found a list: check it in a file of its own\n"
        "t.jsonl:222: expected a tool, found a catalogue: check it in a file of its own\n"
        "t.jsonl:223: expected a tool, found a call: check it in a file of its own\n"
        "t.jsonl:225: expected a tool, found the number 5\n"
    )


@pytest.mark.parametrize("line", [GOOD[:2], {"tools": GOOD[:2]}])
@pytest.mark.parametrize("vendor", ["openai", None])
def test_lines_that_are_lists_or_catalogues_are_read_as_a_whole(run: Any, line: Any, vendor: str | None) -> None:
    name = written("t.jsonl", "lines", [GOOD[0], *[line] * 30])
    done = agree(run, name, *(["--as", vendor] if vendor is not None else []))
    assert (done.code, done.out) == (0, "")
    assert done.err.endswith("61 tools: 61 valid, 0 invalid\n")


def test_calls_and_interfaces_are_read_as_a_whole(run: Any) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "a", "arguments": "{}"}}
    Path("t.jsonl").write_text("\n".join([json.dumps(call)] * 40), encoding="utf-8")
    assert agree(run, "t.jsonl").err.endswith("40 calls: 40 valid, 0 invalid\n")


def test_too_many_problems(run: Any) -> None:
    name = written("t.jsonl", "lines", [{"name": f"a {n}", "inputSchema": SCHEMA} for n in range(50)])
    done = run(name, "--as", "openai", "--limits", "failures=10", large=True)
    assert done.code == 1
    assert len(done.out.splitlines()) == 11
    assert done.out.endswith("more than 10 problems (limit failures): the rest was not checked\n")


def test_tools_of_one_name_on_lines(run: Any) -> None:
    """The message had the index of the earlier tool, which nobody counts in a file with empty lines."""
    lines = [json.dumps(each) for each in GOOD[:3]]
    Path("t.jsonl").write_text("\n\n".join([*lines, lines[1]]), encoding="utf-8")
    assert ": the same name as the tool in line 3: a call cannot say which is meant" in agree(run, "t.jsonl").out


def test_too_many_tools_of_one_name(run: Any) -> None:
    name = written("t.jsonl", "lines", [GOOD[0]] * 50)
    done = run(name, "--as", "bedrock", "--limits", "failures=10", large=True)
    assert done.code == 1
    assert len(done.out.splitlines()) == 11
    assert done.out.count("more than 10 problems") == 1


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux tells the most memory of a process alone"
)
def test_memory(tmp_path: Path) -> None:
    """A file of 20 MB is checked in less than 64 MiB."""
    path = tmp_path / "t.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for n in range(42_000):
            tool = {"name": f"tool_{n}", "description": f"Says {n}. " * 20, "inputSchema": {**SCHEMA, "title": str(n)}}
            file.write(json.dumps(tool) + "\n")
    assert path.stat().st_size > inspect.LARGE
    code = (
        "import re, sys; from pathlib import Path; from toolbridge.cli import main; code = main(sys.argv[1:]);"
        "print(re.search(r'VmHWM:\\s*(\\d+) kB', Path('/proc/self/status').read_text())[1]); sys.exit(code)"
    )
    command = [sys.executable, "-c", code, "check", str(path), "--as", "bedrock"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 64 * 1024
    assert done.stderr.endswith("42,000 tools: 42,000 valid, 0 invalid\n")
