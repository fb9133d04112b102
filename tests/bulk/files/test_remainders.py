"""What the target could not say, a line for each tool, and the way home with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import ToolbridgeError, get_format
from toolbridge.bulk.files.blocks import NotSplittable
from toolbridge.bulk.files.job import Job
from toolbridge.bulk.files.plan import JobSpec
from toolbridge.cli import main
from toolbridge.conversion.options import ConversionOptions

from .catalogues import as_lines, as_list, in_envelope, tools


def convert(name: str, to: str, **more: Any) -> Any:
    options = ConversionOptions(fill=more.pop("fill", None), on_error="skip")
    return Job(JobSpec(name=name, to=to, options=options, **{"block": 4000, **more})).run()


def lines(path: str) -> list[Any]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


TARGETS = (
    "openai",
    "openai@chat-strict",
    "arcade",
    "gemini",
    "bedrock",
    "mcp@2024-11-05",
    "mcpx",
    "hyper-mcp",
    "langchain",
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("jobs", [1, 2])
def test_every_tool_comes_home_as_it_was(target: str, jobs: int) -> None:
    items = tools("mcp", "2025-11-25", 60)
    fill = {"toolkit": "Kit"} if target == "arcade" else None
    Path("in.jsonl").write_bytes(as_lines(items))
    convert("in.jsonl", target, output="there.jsonl", remainder="rest.jsonl", jobs=jobs, fill=fill)
    assert len(lines("rest.jsonl")) == 61
    back = convert("there.jsonl", "mcp", output="home.jsonl", restore="rest.jsonl", jobs=jobs)
    assert lines("home.jsonl") == items
    assert back.source.startswith(target)


@pytest.mark.parametrize("target", ["openai", "arcade", "mcp@2024-11-05"])
def test_lists_and_envelopes_come_home_with_what_stood_around_them(target: str) -> None:
    items = tools("mcp", "2025-11-25", 40)
    fill = {"toolkit": "Kit"} if target == "arcade" else None
    for data in (as_list(items), in_envelope(items, 2, nextCursor="x", _meta={"a": [{"b": 1}, {"c": 2}]})):
        Path("in.json").write_bytes(data)
        convert("in.json", target, output="there.json", remainder="rest.jsonl", fill=fill)
        convert("there.json", "mcp", output="home.json", restore="rest.jsonl")
        assert json.loads(Path("home.json").read_bytes()) == json.loads(data)


@pytest.mark.parametrize("target", ["gemini@parameters", "gemini@json-schema", "gemini@vertex"])
def test_the_envelope_of_gemini_is_read(target: str) -> None:
    """It is a group of tools as well, and was refused as one."""
    items = tools("mcp", "2025-11-25", 8)
    Path("in.json").write_bytes(in_envelope(items))
    convert("in.json", target, output="there.json", remainder="rest.jsonl")
    there = json.loads(Path("there.json").read_bytes())
    assert there.keys() == {"functionDeclarations"}
    convert("there.json", "mcp", output="home.json", source=get_format(target), restore="rest.jsonl")
    assert json.loads(Path("home.json").read_bytes()) == {"tools": items}
    Path("there.json").write_text(json.dumps({"googleSearch": {}, **there}))
    with pytest.raises(NotSplittable, match="it is a group with members besides its tools"):
        convert("there.json", "mcp", output="home.json", source=get_format(target))


def test_what_was_left_out_stands_where_it_stood() -> None:
    items: list[Any] = tools("mcp", "2025-11-25", 30)
    items[0] = {"not": "a tool"}
    items[7] = {**items[7], "inputSchema": 3}
    items[29] = 17
    Path("in.json").write_bytes(as_list(items))
    tally = convert("in.json", "openai", output="there.json", remainder="rest.jsonl", rejects="bad.jsonl")
    assert tally.counted.failed == 3
    assert len(json.loads(Path("there.json").read_bytes())) == 27
    convert("there.json", "mcp@2025-11-25", output="home.json", restore="rest.jsonl")
    assert json.loads(Path("home.json").read_bytes()) == items


def test_the_remainders_of_a_stream_are_read_by_the_command_for_small_documents() -> None:
    items = tools("mcp", "2025-11-25", 20)
    for data, name in ((as_lines(items), "jsonl"), (in_envelope(items, nextCursor="n"), "json")):
        Path(f"in.{name}").write_bytes(data)
        convert(f"in.{name}", "openai", output=f"there.{name}", remainder="rest.jsonl")
        done = main(["convert", f"there.{name}", "--to", "mcp", "--restore", "rest.jsonl", "-o", f"home.{name}", "-q"])
        assert done == 0
        if name == "json":
            assert json.loads(Path("home.json").read_bytes()) == json.loads(data)
        else:
            assert lines("home.jsonl") == items


def test_a_tool_that_was_changed_keeps_the_change() -> None:
    items = tools("mcp", "2025-11-25", 12)
    Path("in.jsonl").write_bytes(as_lines(items))
    convert("in.jsonl", "openai", output="there.jsonl", remainder="rest.jsonl")
    there = lines("there.jsonl")
    there[3]["function"]["description"] = "Changed."
    Path("there.jsonl").write_bytes(as_lines(there))
    tally = convert("there.jsonl", "mcp@2025-11-25", output="home.jsonl", restore="rest.jsonl", report="r.jsonl")
    assert tally.counts()["TB801"] == 1
    restored = lines("home.jsonl")
    assert restored[3]["description"] == "Changed."
    assert restored[:3] + restored[4:] == items[:3] + items[4:]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (-1, r"too many remainders \(12\) for these tools \(11\)"),
        (1, r"too few remainders \(12\) for these tools \(13\)"),
    ],
)
def test_remainders_of_other_tools_are_refused(change: int, said: str) -> None:
    items = tools("mcp", "2025-11-25", 12)
    Path("in.jsonl").write_bytes(as_lines(items))
    convert("in.jsonl", "openai", output="there.jsonl", remainder="rest.jsonl")
    there = lines("there.jsonl")
    Path("there.jsonl").write_bytes(as_lines(there[:-1] if change < 0 else [*there, there[0]]))
    with pytest.raises(Exception, match=said):
        convert("there.jsonl", "mcp", output="home.jsonl", restore="rest.jsonl")
    assert not Path("home.jsonl").exists()


@pytest.mark.parametrize(("kept", "said"), [(9, "few"), (1, "few"), (14, "many")])
@pytest.mark.parametrize("shape", [as_lines, as_list])
@pytest.mark.parametrize("more", [[], ["--jobs", "1"]])
def test_a_file_of_remainders_that_was_cut_restores_nothing(
    kept: int, said: str, shape: Any, more: list[str], capsys: Any
) -> None:
    name = "there.jsonl" if shape is as_lines else "there.json"
    Path("in").write_bytes(shape(tools("mcp", "2025-11-25", 12)))
    convert("in", "openai", output=name, remainder="rest.jsonl")
    rest = Path("rest.jsonl").read_bytes().splitlines(keepends=True)
    Path("rest.jsonl").write_bytes(b"".join([*rest, *rest[-1:]][:kept]))
    assert main(["convert", name, "--to", "mcp", "--restore", "rest.jsonl", "-o", "home", *more]) == 2
    problem = f"too {said} remainders ({kept - 1}) for these tools (12)"  # the first line is that of the catalogue
    assert capsys.readouterr().err == f"toolbridge: rest.jsonl holds {problem}\n"
    assert not Path("home").exists()


@pytest.mark.parametrize("bad", ["{", '"left_out"', '{"left_out": 1}'])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_line_that_is_no_remainder_is_an_error_with_its_place(bad: str, jobs: int) -> None:
    Path("in.jsonl").write_bytes(as_lines(tools("mcp", "2025-11-25", 12)))
    convert("in.jsonl", "openai", output="there.jsonl", remainder="rest.jsonl")
    rest = Path("rest.jsonl").read_text(encoding="utf-8").splitlines()
    Path("rest.jsonl").write_text("\n".join([*rest[:8], bad, *rest[9:]]), encoding="utf-8")
    with pytest.raises(ToolbridgeError, match=r"^rest\.jsonl:9: not a remainder"):
        convert("there.jsonl", "mcp", output="home.jsonl", restore="rest.jsonl", jobs=jobs)


def test_a_line_that_is_a_list_is_not_counted_as_a_tool_with_remainders_either() -> None:
    several = [{"name": f"t{n}", "inputSchema": {"type": "object", "properties": {}}} for n in range(513)]
    Path("in.jsonl").write_bytes(as_lines([*several[:512], several[512:]]))  # of 513 tools, some are chosen
    alone = convert("in.jsonl", "anthropic@strict", output="alone.jsonl")
    kept = convert("in.jsonl", "anthropic@strict", output="kept.jsonl", remainder="rest.jsonl")
    assert "TB603" in alone.counts()
    assert kept.counts() == alone.counts()
    assert lines("kept.jsonl") == lines("alone.jsonl")
