"""The command: what it prints, writes and answers; every bad input, and every way home."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from errno import EINVAL
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from toolbridge import __version__
from toolbridge.cli import inspect, main
from toolbridge.formats import FAMILIES

SHARED = Path(__file__).parents[2].parent / "shared"

TOOL: dict[str, Any] = {
    "name": "web.search",
    "title": "Search",
    "description": "Searches the web.",
    "inputSchema": {"type": "object", "properties": {"q": {"type": "string", "minLength": 3}}},
    "annotations": {"destructiveHint": True},
}
PLAIN: dict[str, Any] = {"name": "ping", "description": "Pings.", "inputSchema": {"type": "object"}}


def write(name: str, *values: Any, indent: int | None = None) -> str:
    Path(name).write_text("\n".join(json.dumps(value, indent=indent) for value in values) + "\n", encoding="utf-8")
    return name


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in Path(name).read_text(encoding="utf-8").splitlines()]


def value(name: str) -> Any:
    return json.loads(Path(name).read_text(encoding="utf-8"))


# converting


def test_one_tool(run: Any) -> None:
    done = run("convert", write("a.json", TOOL), "--to", "mcpx@servlet")
    assert done.code == 0
    assert json.loads(done.out) == {key: TOOL[key] for key in ("name", "description", "inputSchema")}
    assert done.out.startswith('{\n  "name": "web.search",')
    assert done.out.endswith("}\n")
    first, *_, last = done.err.splitlines()
    assert first.startswith("a.json: JSON, mcp@")
    assert "(detected" in first
    assert first.endswith("-> mcpx@servlet")
    assert last == "1 tool: 0 lossless, 1 with losses, 0 refused"
    assert "TB101  field-dropped  dropped" in done.err
    assert "/title" in done.err


def test_a_given_format_is_not_called_detected(run: Any) -> None:
    done = run("convert", write("a.json", PLAIN), "--from", "mcp@2025-06-18", "--to", "mcpx@servlet")
    assert done.err == "a.json: JSON, mcp@2025-06-18 -> mcpx@servlet\n1 tool: 1 lossless, 0 with losses, 0 refused\n"


def test_quiet_is_the_same_for_every_command(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only errors are printed on standard error; standard output and the exit code are those of a run without it."""
    twice = '{"name": "a", "name": "b", "description": "A\u200b.", "inputSchema": {"type": "object"}}'
    other = '{"name": "c", "inputSchema": {"type": "object"}}'
    Path("a.jsonl").write_text(f"{twice}\n{other}\n", encoding="utf-8")
    Path("bad.jsonl").write_text(f"{twice}\n{other}\n{{]\n", encoding="utf-8")
    assert run("lock", "a.jsonl", "-o", "a.lock").code == 0
    Path("b.lock").write_text(Path("a.lock").read_text("utf-8").replace("sha256:", "sha256:0"), encoding="utf-8")
    for large in (1 << 40, 0):
        monkeypatch.setattr(inspect, "LARGE", large)
        for arguments, said in (
            (("detect", "a.jsonl"), ""),
            (("detect", "bad.jsonl"), "" if large == 0 else "bad.jsonl:3:2: not JSON"),
            (("check", "a.jsonl"), ""),
            (("check", "bad.jsonl", "--fail-on", "warning"), "failed: "),
            (("diff", "a.jsonl", "a.jsonl"), ""),
            (("diff", "bad.jsonl", "a.jsonl"), "bad.jsonl:3: not JSON"),
            (("diff", "a.jsonl", "missing"), "toolbridge: missing: "),
            (("lock", "a.jsonl"), ""),
            (("lock", "a.jsonl", "--check", "a.lock"), ""),
            (("lock", "a.jsonl", "--check", "b.lock"), "2 tools not as locked in b.lock"),
        ):
            loud, quiet = run(*arguments), run(*arguments, "-q")
            assert (quiet.code, quiet.out) == (loud.code, loud.out)
            assert said or loud.err
            assert (quiet.err[: len(said)], len(quiet.err.splitlines())) == (said, int(said != "")), arguments


def test_quiet_and_verbose(run: Any) -> None:
    write("a.json", TOOL)
    assert run("convert", "a.json", "--to", "mcpx", "--quiet").err == ""
    loud = run("convert", "a.json", "--to", "mcpx", "--verbose").err
    assert "TB101 field-dropped: The target format has no such field." in loud
    assert '\n  TB101 field-dropped /title: "' in loud
    assert run("convert", "a.json", "--to", "mcpx", "--quiet", "--verbose").code == 2


def test_a_list_and_a_catalogue_keep_their_shape(run: Any) -> None:
    assert isinstance(json.loads(run("convert", write("a.json", [TOOL, PLAIN]), "--to", "arcade").out), list)
    done = run("convert", write("b.json", {"tools": [TOOL, PLAIN]}), "--to", "arcade")
    assert [tool["name"] for tool in json.loads(done.out)["tools"]] == ["web_search", "ping"]
    assert done.err.splitlines()[-1] == "2 tools: 0 lossless, 2 with losses, 0 refused"


def test_json_lines_in_json_lines_out(run: Any) -> None:
    done = run("convert", write("a.jsonl", TOOL, PLAIN), "--from", "mcp", "--to", "mcpx@servlet")
    assert [tool["name"] for tool in done.lines] == ["web.search", "ping"]
    assert done.err.startswith("a.jsonl: JSON Lines, 2 documents, mcp@")
    assert "line 1 /title" in done.err


def test_names_are_unique_across_the_lines(run: Any) -> None:
    done = run("convert", write("a.jsonl", {**PLAIN, "name": "a.b"}, {**PLAIN, "name": "a/b"}), "--to", "arcade")
    names = [tool["name"] for tool in done.lines]
    assert len(set(names)) == 2


def test_the_output_has_the_form_of_the_input_or_the_one_that_was_asked_for(run: Any) -> None:
    Path("a.yaml").write_text("name: ping\ndescription: Pings.\ninputSchema: {type: object}\n")
    Path("b.yaml").write_text(
        "--- {name: ping, inputSchema: {type: object}}\n--- {name: pong, inputSchema: {type: object}}"
    )
    assert run("convert", "a.yaml", "--to", "mcpx@servlet").out.startswith("name: ping\n")
    both = run("convert", "b.yaml", "--to", "mcp@2025-06-18")
    assert both.out == "---\nname: ping\ninputSchema:\n  type: object\n---\nname: pong\ninputSchema:\n  type: object\n"
    assert len(run("convert", "b.yaml", "--to", "mcp", "--format", "jsonl").lines) == 2
    assert len(json.loads(run("convert", "b.yaml", "--to", "mcp", "--format", "json").out)) == 2
    write("c.json", [PLAIN, TOOL])
    assert len(run("convert", "c.json", "--to", "mcp", "--format", "jsonl").lines) == 2
    assert run("convert", "c.json", "--to", "mcp", "--format", "yaml").out.startswith("- name: ping\n")


@pytest.mark.parametrize("missing", [None, "pread"])
def test_standard_input(run: Any, monkeypatch: pytest.MonkeyPatch, missing: str | None) -> None:
    """Without `os.pread`, as on Windows, the first bytes of a file were lost."""
    if missing:
        monkeypatch.delattr(os, missing)

    class Stdin:
        buffer = Path(write("a.json", PLAIN)).open("rb")  # noqa: SIM115 - closed below

    monkeypatch.setattr(sys, "stdin", Stdin)
    done = run("convert", "-", "--to", "mcpx@servlet")
    Stdin.buffer.close()
    assert json.loads(done.out) == PLAIN
    assert done.err.startswith("<stdin>: JSON, ")
    assert run("convert", "-", "-", "--to", "mcpx").code == 2


def test_several_files_go_to_one_stream(run: Any) -> None:
    write("a.json", PLAIN)
    write("b.jsonl", TOOL, {**PLAIN, "name": "pong"})
    done = run("convert", "a.json", "b.jsonl", "--to", "mcpx@servlet", "-o", "out.jsonl")
    assert (done.code, done.out) == (0, "")
    assert [tool["name"] for tool in lines("out.jsonl")] == ["ping", "web.search", "pong"]
    assert [line.split(":")[0] for line in done.err.splitlines()[:2]] == ["a.json", "b.jsonl"]
    assert "b.jsonl:1 /title" in done.err
    refused = run("convert", "a.json", "b.jsonl", "--to", "mcpx", "--format", "json")
    assert refused.code == 2
    assert "2 documents cannot be one JSON text" in refused.err


def test_several_files_go_to_a_directory(run: Any) -> None:
    write("a.json", PLAIN)
    write("b.jsonl", TOOL, PLAIN)
    assert run("convert", "a.json", "b.jsonl", "--to", "mcpx@servlet", "-o", "out/").code == 0
    assert sorted(each.name for each in Path("out").iterdir()) == ["a.json", "b.jsonl"]
    assert value("out/a.json") == PLAIN
    assert len(lines("out/b.jsonl")) == 2
    Path("other").mkdir()
    assert run("convert", "a.json", "--to", "mcpx@servlet", "--format", "yaml", "-o", "other").code == 0
    assert [each.name for each in Path("other").iterdir()] == ["a.yaml"]
    Path("a.jsonl").write_text(Path("a.json").read_text("utf-8"), "utf-8")
    twice = run("convert", "a.json", "a.jsonl", "--to", "mcpx", "--format", "json", "-o", "other/")
    assert (twice.code, "a.json and a.jsonl would be written to one file, other/a.json" in twice.err) == (2, True)


def test_lists_in_lines_stay_in_lines(run: Any) -> None:
    write("a.jsonl", [TOOL, PLAIN], {**PLAIN, "name": "pong"})
    way = ("convert", "a.jsonl", "--from", "mcp", "--to", "mcpx@servlet")
    done = run(*way, "--remainder", "r.jsonl")
    assert [each["name"] for each in done.lines[0]] == ["web.search", "ping"]
    assert done.lines[1]["name"] == "pong"
    assert run(*way, "--jobs", "1").out == done.out  # tool by tool, as a large file is
    Path("b.jsonl").write_text(done.out)
    assert run("convert", "b.jsonl", "--to", "mcp", "--restore", "r.jsonl").lines == lines("a.jsonl")


def test_lists_and_envelopes_among_the_lines_are_converted_each_on_its_own(run: Any) -> None:
    done = run("convert", write("a.jsonl", {"tools": [PLAIN]}, {"tools": [TOOL, PLAIN]}), "--to", "mcp@2025-06-18")
    assert done.code == 0
    assert [len(each["tools"]) for each in done.lines] == [1, 2]
    assert done.err.splitlines()[-1].startswith("3 tools: ")


def test_fill(run: Any) -> None:
    write("a.json", PLAIN)
    fill = ["--fill", "toolkit=Billing", "--fill", "/version=2.0", "--fill", "/requirements/user_id=true"]
    done = run("convert", "a.json", "--to", "arcade", *fill)
    tool = json.loads(done.out)
    assert tool["id"] == f"Billing.ping@{tool['version']}"
    assert tool["version"].startswith("2.0")
    assert tool["requirements"]["user_id"] is True
    bad = run("convert", "a.json", "--to", "arcade", "--fill", "toolkit")
    assert (bad.code, "--fill takes POINTER=VALUE" in bad.err) == (2, True)
    twice = run("convert", "in.json", "--to", "arcade", "--fill", "/version=1.0.0", "--fill", "/version=2.0.0")
    assert (twice.code, twice.err) == (2, "toolbridge: --fill has two values for /version\n")
    wrong = run("convert", "a.json", "--to", "arcade", "--fill", "nonsense=1")
    assert (wrong.code, wrong.out) == (2, "")


def test_refuse(run: Any) -> None:
    write("a.jsonl", PLAIN, TOOL)
    done = run("convert", "a.jsonl", "--to", "mcpx@servlet", "--refuse", "tb3,TB601")
    assert done.code == 1
    assert [tool["name"] for tool in done.lines] == ["ping"]
    assert "a.jsonl:2: web.search: /annotations/destructiveHint: refused: TB601 hint-dropped\n" in done.err
    assert done.err.splitlines()[-1] == "2 tools: 1 lossless, 0 with losses, 1 refused"
    by_name = run("convert", write("b.json", TOOL), "--to", "mcpx", "--refuse", "hint-dropped", "-o", "out.json")
    assert by_name.code == 1
    assert not Path("out.json").exists()
    unknown = run("convert", "a.jsonl", "--to", "mcpx", "--refuse", "TB77")
    assert (unknown.code, "--refuse: no loss is called 'TB77'" in unknown.err) == (2, True)


def test_duplicate_keys_are_reported_and_may_be_refused(run: Any) -> None:
    Path("a.jsonl").write_text(f'{json.dumps({**PLAIN, "name": "pong"})}\n{{"name": "x", {json.dumps(PLAIN)[1:]}\n')
    done = run("convert", "a.jsonl", "--to", "mcpx@servlet", "--report", "r.json")
    assert done.code == 0
    assert "TB002  duplicate-key  repaired      1  line 2 /name" in done.err
    (loss,) = value("r.json")["losses"]
    assert (loss["code"], loss["source"], loss["item"], loss["line"]) == ("TB002", "/1/name", 1, 2)
    Path("b.json").write_text(f'{{"tools": [{json.dumps(PLAIN)}, {{"name": "x", {json.dumps(TOOL)[1:]}], "tools2": 1}}')
    run("convert", "b.json", "--to", "mcp@2025-11-25", "--report", "r.json")
    losses = value("r.json")["losses"]
    assert ("TB002", "/tools/1/name", 1) in [(each["code"], each["source"], each["item"]) for each in losses]
    refused = run("convert", "b.json", "--to", "mcp", "--refuse", "TB0")
    assert refused.code == 1
    assert [each["name"] for each in json.loads(refused.out)["tools"]] == ["ping"]
    assert "tool 1 (web.search): /tools/1/name: refused: TB002 duplicate-key" in refused.err


def test_the_report_as_json_and_json_lines(run: Any) -> None:
    write("a.jsonl", TOOL, {"name": 5}, PLAIN)
    assert run("convert", "a.jsonl", "--from", "mcp", "--to", "mcpx@servlet", "--report", "r.json").code == 1
    report = value("r.json")
    assert (report["input"], report["source"], report["target"]) == ("a.jsonl", "mcp@2026-07-28", "mcpx@servlet")
    assert report["counts"]["TB101"] == 1
    assert [(each["item"], each["line"], each["pointer"]) for each in report["failures"]] == [(1, 2, "/1/name")]
    run("convert", "a.jsonl", "--from", "mcp", "--to", "mcpx@servlet", "--report", "r.jsonl")
    entries = lines("r.jsonl")
    assert {each["input"] for each in entries} == {"a.jsonl"}
    assert {"TB101", "TB601", "TB903"} <= {each.get("code") for each in entries}
    assert [each["line"] for each in entries if "problem" in each] == [2]
    run("convert", "a.jsonl", write("b.json", TOOL), "--to", "mcpx", "--report", "r.json")
    assert [each["input"] for each in value("r.json")] == ["a.jsonl", "b.json"]


# what is broken


def test_a_broken_line_and_a_broken_tool_do_not_stop_the_others(run: Any) -> None:
    Path("a.jsonl").write_text(f'{json.dumps(PLAIN)}\n\n{{"name":\n{{"name": 5}}\n{json.dumps(TOOL)}\n')
    done = run("convert", "a.jsonl", "--from", "mcp", "--to", "mcpx@servlet", "-o", "out.jsonl")
    assert done.code == 1
    assert [tool["name"] for tool in lines("out.jsonl")] == ["ping", "web.search"]
    assert "a.jsonl:3:9: not JSON: a value is expected, the text ends\n" in done.err
    assert "a.jsonl:4: /" in done.err
    assert done.err.startswith("a.jsonl: JSON Lines, 3 documents and 1 broken line, ")
    assert done.err.splitlines()[-1] == "4 tools: 1 lossless, 1 with losses, 2 refused"
    assert "  2 tools could not be written\n" in done.err
    assert "line 3, line 4" in next(line for line in done.err.splitlines() if "TB903" in line)
    ignored = run("convert", "a.jsonl", "--from", "mcp", "--to", "mcpx@servlet", "-o", "out.jsonl", "--ignore", "TB903")
    assert "TB903  " not in ignored.err


def test_a_broken_tool_of_a_catalogue_is_named_by_its_index(run: Any) -> None:
    write("a.json", {"tools": [PLAIN, {"name": 5, "inputSchema": {}}]})
    done = run("convert", "a.json", "--from", "mcp@2025-11-25", "--to", "mcp@2025-06-18", "-o", "out.json")
    assert done.code == 1
    assert value("out.json") == {"tools": [PLAIN]}
    assert "a.json: tool 1: /tools/1/name: expected a string, found an integer" in done.err


def test_a_catalogue_of_which_nothing_is_left_is_not_written(run: Any) -> None:
    write("a.json", [{"name": 5, "inputSchema": {}}])
    done = run("convert", "a.json", "--from", "mcp", "--to", "mcpx")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[-1] == "nothing was written to standard output: the tool could not be converted"


FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")

GUARDED = [{**PLAIN, "name": f"t{n}", "annotations": {"destructiveHint": True}} for n in range(3)]


@pytest.mark.parametrize("more", [(), ("--jobs", "1"), ("--jobs", "2")])
@pytest.mark.parametrize("shape", ["lines", "list", "envelope"])
@pytest.mark.parametrize("why", ["refused", "format"])
def test_what_none_of_the_tools_came_to_leaves_the_files_as_they_are(
    run: Any, shape: str, why: str, more: tuple[str, ...]
) -> None:
    """C1: a good file became one of 0 bytes."""
    if shape == "lines":
        Path("in").write_text("".join(json.dumps(each) + "\n" for each in GUARDED))
    else:
        write("in", GUARDED if shape == "list" else {"tools": GUARDED})
    kept = {"out.jsonl": b"whole and good\n", "rest.jsonl": b"its remainder\n"}
    for name, data in kept.items():
        Path(name).write_bytes(data)
    chosen = ["--from", "mcp", "--refuse", "TB6"] if why == "refused" else ["--from", "openai"]
    arguments = ["convert", "in", "--to", "mcpx" if why == "refused" else "anthropic", *chosen, *more]
    files = ["-o", "out.jsonl", "--remainder", "rest.jsonl", "--report", "losses.jsonl"]
    done = run(*arguments, *files, "--format", "jsonl")
    assert done.code == 1
    said = "nothing was written to out.jsonl: none of the 3 tools could be converted"
    assert done.err.splitlines()[-1] == said
    assert {name: Path(name).read_bytes() for name in kept} == kept
    assert Path("losses.jsonl").read_bytes().count(b'"problem"') == 3
    assert sorted(each.name for each in Path().iterdir()) == ["in", "losses.jsonl", "out.jsonl", "rest.jsonl"]
    quiet = run(*arguments, "-q")
    assert (quiet.code, quiet.out) == (1, "")
    assert quiet.err.splitlines()[-1] == said.replace("out.jsonl", "standard output")
    if more:
        run(*arguments, *more, "--rejects", "bad", "-o", "out.jsonl")
        assert Path("bad").read_bytes().count(b'"destructiveHint"') == 3
        assert Path("out.jsonl").read_bytes() == kept["out.jsonl"]


@pytest.mark.parametrize("more", [(), ("--jobs", "1")])
def test_what_some_of_the_tools_came_to_is_written(run: Any, more: tuple[str, ...]) -> None:
    write("in.json", {"tools": [*GUARDED, {**PLAIN, "name": "free"}]})
    done = run("convert", "in.json", "--from", "mcp", "--to", "mcpx", "--refuse", "TB6", "-o", "out.json", *more)
    assert done.code == 1
    assert "nothing was written" not in done.err
    assert [each["name"] for each in value("out.json")["tools"]] == ["free"]


@pytest.mark.parametrize("more", [(), ("--jobs", "1")])
@pytest.mark.parametrize("empty", [[], {"tools": []}])
def test_an_empty_catalogue_is_written_empty(run: Any, empty: Any, more: tuple[str, ...]) -> None:
    write("in.json", empty)
    Path("out.json").write_bytes(b"old")
    done = run("convert", "in.json", "--from", "mcp", "--to", "openai", "-o", "out.json", *more)
    assert done.code == 0
    assert value("out.json") == empty


def test_of_several_outputs_only_those_are_left_out_to_which_nothing_came(run: Any) -> None:
    write("a.json", GUARDED)
    write("b.json", [PLAIN])
    Path("c.jsonl").write_bytes(b'{"name": 5}\n{\n')
    done = run("convert", "a.json", "b.json", "c.jsonl", "--from", "mcp", "--to", "mcpx", "--refuse", "TB6",
               "-o", "out/", "--remainder", "rest.jsonl")  # fmt: skip
    assert done.code == 1
    assert done.err.splitlines()[-2:] == [
        "nothing was written to out/a.json: none of the 3 tools could be converted",
        "nothing was written to out/c.jsonl: none of the 2 tools could be converted",
    ]
    assert [each.name for each in Path("out").iterdir()] == ["b.json"]
    assert len(Path("rest.jsonl").read_bytes().splitlines()) == 1
    Path("new").write_bytes(b"old")
    done = run("convert", "a.json", "b.json", "--from", "mcp", "--to", "mcpx", "--refuse", "TB6", "-o", "new")
    assert "nothing was written" not in done.err
    assert Path("new").read_bytes() != b"old"


@pytest.mark.parametrize("more", [(), ("--jobs", "1")])
def test_tools_that_are_back_are_something(run: Any, more: tuple[str, ...]) -> None:
    """Of what was sent home nothing can be restored, but what had been left out on the way here is there again."""
    Path("in.jsonl").write_text("".join(json.dumps(each) + "\n" for each in [{**PLAIN, "title": "P"}, GUARDED[0]]))
    run("convert", "in.jsonl", "--from", "mcp", "--to", "mcpx", "--refuse", "TB6", "-o", "there.jsonl",
        "--remainder", "rest.jsonl", *more)  # fmt: skip
    Path("rest.jsonl").write_text(Path("rest.jsonl").read_text().replace('"add"', '"explode"'))
    done = run(
        "convert", "there.jsonl", "--from", "mcpx", "--to", "mcp", "--restore", "rest.jsonl", "-o", "home", *more
    )
    assert done.code == 1
    assert [json.loads(line)["name"] for line in Path("home").read_bytes().splitlines()] == ["t0"]


@pytest.mark.parametrize("more", [(), ("--jobs", "1")])
def test_what_had_been_left_out_of_another_document_is_not_written(run: Any, more: tuple[str, ...]) -> None:
    Path("in.jsonl").write_text("".join(json.dumps(each) + "\n" for each in [{**PLAIN, "title": "T"}, GUARDED[0]]))
    run("convert", "in.jsonl", "--from", "mcp", "--to", "mcpx", "--refuse", "TB6", "-o", "there.jsonl",
        "--remainder", "rest.jsonl", *more)  # fmt: skip
    Path("there.jsonl").write_bytes(b'{"name": 5}\n')
    done = run(
        "convert", "there.jsonl", "--from", "mcpx", "--to", "mcp", "--restore", "rest.jsonl", "-o", "home", *more
    )
    assert done.code == 1
    assert not Path("home").exists()
    assert "nothing was written to home" in done.err


def test_a_single_broken_tool_writes_nothing(run: Any) -> None:
    write("a.json", {"name": 5, "inputSchema": {}})
    done = run("convert", "a.json", "--from", "mcp", "--to", "mcpx", "-o", "out.json", "--remainder", "rest.json")
    assert done.code == 1
    assert "a.json: /name: expected a string, found an integer\n" in done.err
    assert sorted(each.name for each in Path().iterdir()) == ["a.json"]


BAD = {
    b"": "a.json:1:1: the file is empty",
    b"{'a': 1}": "a.json:1:2: not JSON: a name in double quotes is expected",
    b'{"name": "x",\n "n": NaN}': "a.json:2:7: not JSON: NaN is no number in JSON",
    b'{"n": 1e400}': "a.json:1:7: not JSON: 1e400 is larger than a float can be",
    b'{"name": "\\ud800"}': "a.json:1:11: not JSON: \\ud800 is half of a surrogate pair",
    b'{"name": "\xff"}': "a.json:1:11: byte 0xFF is not UTF-8",
    '{"name": "x"}'.encode("utf-16"): "a.json:1:1: this looks like UTF-16",
    b"[" * 10_000 + b"]" * 10_000: "a.json:1:501: nested more than 500 levels deep",
    b"words": "a.json:1:1: not JSON: a value is expected, found 'w'",
    b"{}": "a.json: not a tool description of any known format",
    b"null": "a.json: ",
    b"5": "a.json: ",
    b'{"foo": 1, "bar": 2}': "a.json: not a tool description of any known format",
}


@pytest.mark.parametrize(("data", "message"), BAD.items(), ids=range(len(BAD)))
@pytest.mark.parametrize("command", ["convert", "detect", "check"])
def test_unreadable_input_is_told_and_nothing_is_written(run: Any, command: str, data: bytes, message: str) -> None:
    Path("a.json").write_bytes(data)
    done = run(command, "a.json", *(["--to", "arcade", "-o", "out.json"] if command == "convert" else []))
    assert (done.code, done.out) == (2, "") or (data in (b"null", b"5") and done.code == 1)
    assert message in done.err
    assert not Path("out.json").exists()


@pytest.mark.parametrize("text", ["[]", '{"tools": []}'])
def test_nothing_to_convert_is_no_error(run: Any, text: str) -> None:
    Path("a.json").write_text(text)
    done = run("convert", "a.json", "--to", "mcp@2025-06-18")
    assert (done.code, json.loads(done.out)) == (0, json.loads(text))
    assert done.err.splitlines()[-1] == "0 tools: 0 lossless, 0 with losses, 0 refused"
    assert run("check", "a.json").code == 0


def test_a_byte_order_mark_and_large_integers_pass(run: Any) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 10**40, "default": 1.0}}}
    Path("a.json").write_bytes(b"\xef\xbb\xbf" + json.dumps({**PLAIN, "inputSchema": schema}).encode())
    done = run("convert", "a.json", "--to", "mcpx@servlet")
    assert done.code == 0
    assert json.loads(done.out)["inputSchema"] == schema
    assert '"default": 1.0' in done.out


def test_what_cannot_be_opened(run: Any) -> None:
    assert run("convert", "missing.json", "--to", "mcp").err == "toolbridge: missing.json: there is no such file\n"
    done = run("check", "https://example.org/tools.json")
    assert "tools.json: there is no such file; URLs are not read: `curl -s URL | toolbridge COMMAND -` does" in done.err
    for code in ("import json\n", "def tide():\n    return 1\n"):
        Path("server.py").write_text(code)
        said = run("check", "server.py").err
        assert "code is not read: `toolbridge pull --stdio COMMAND` fetches" in said
        assert "/frameworks/#python-functions shows how functions become tools" in said
    Path("dir").mkdir()
    nothing = "toolbridge: dir: no file in it ends in .json, .jsonl, .ndjson, .yaml, .yml, .md\n"
    assert run("convert", "dir", "--to", "mcp").err == nothing
    write("a.json", PLAIN)
    done = run("convert", "a.json", "missing.json", "--to", "mcp", "-o", "out.jsonl")
    assert done.code == 2
    assert not Path("out.jsonl").exists()


def test_a_failed_run_leaves_the_old_file(run: Any) -> None:
    write("a.json", PLAIN)
    Path("out.json").write_text("old")
    Path("blocked").mkdir()
    assert run("convert", "a.json", "--to", "nothing", "-o", "out.json").code == 2
    assert run("convert", write("b.json", {}), "--to", "mcp", "-o", "out.json").code == 2
    assert Path("out.json").read_text() == "old"
    done = run("convert", "a.json", "--to", "mcp", "-o", "nowhere/out.json")
    assert (done.code, "cannot write nowhere/out.json: there is no directory" in done.err) == (2, True)
    assert run("convert", "a.json", "--to", "mcp", "-o", "out.json", "--report", "blocked").code == 2
    assert Path("out.json").read_text() == "old"
    assert run("convert", "a.json", "--to", "mcp", "-o", "out.json", "--report", "out.json").code == 2
    assert run("convert", "a.json", "--to", "mcp", "--remainder", "-").code == 2


def test_a_file_may_be_converted_in_its_place(run: Any) -> None:
    write("a.json", TOOL)
    assert run("convert", "a.json", "--to", "mcpx@servlet", "-o", "a.json").code == 0
    assert "title" not in value("a.json")


def test_what_strangers_write_cannot_drive_the_terminal(run: Any) -> None:
    write("a.json", [{**PLAIN, "\x1b[2J\x07\u202e": 1}])
    done = run("convert", "a.json", "--to", "mcpx@servlet")
    assert "/0/\\x1b[2J\\x07\\u202e" in done.err
    assert "\x1b" not in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["convert", "a.json", "--too", "mcp"], "convert has no option --too; near: --to"),
        (["convert", "a.json", "-to", "mcp"], "convert has no option -to; near: --to"),
        (["check", "a.json", "--to", "mcp"], "check has no option --to; near: --as"),
        (["convert", "a.json", "--to", "mcp", "--fail-on", "erro"], "no loss is called 'erro'; near: error"),
        (
            ["convert", "a.json", "--to", "mcp", "--report", "r.pdf"],
            "--report takes a name that ends in .json, .jsonl,",
        ),
        (["convert", "a.json", "--to", "mcp", "--fill", "/nosuch=1"], "fill: mcp@2026-07-28 has no field /nosuch"),
        (["convert"], "the following arguments are required"),
        (["convert", "a.json"], "required: --to"),
        (["convert", "a.json", "--to", "arcadia"], "no format is called 'arcadia'; near: arcade"),
        (["convert", "a.json", "--to", "mcp", "--from", "mpc"], "no format is called 'mpc'; near: mcp"),
        (["convert", "a.json", "--to", "mcp", "--format", "xml"], "invalid choice: 'xml'"),
        (["check", "a.json", "--as", "xxx"], "no format is called 'xxx'"),
        (["fly"], "no command is called 'fly'; commands: convert, detect, "),
        (["versio"], "no command is called 'versio'; near: version"),
        (["--to", "mcp", "convert", "a.json"], "the command comes first: toolbridge COMMAND --to ..."),
        (["formats", "mcp"], "toolbridge formats: error: unrecognized arguments: mcp"),
        (["convert", "a.json", "--to", "mcp", "--unroll", "-1"], "--unroll takes a number from 0 of at most"),
        (["explain", "TB21"], "no loss is called 'TB21'; near: TB201"),
        (["explain", "safty"], "no loss is called 'safty'; near: safety"),
        (["explain", "root_exclude"], "no loss is called 'root_exclude'; near: root_excluded"),
        (["explain", "opena"], "no loss is called 'opena'; near: openai"),
        (["explain", "zzz"], "no loss is called 'zzz'; `toolbridge explain` lists the codes"),
        (["explain", "openai/requires_type"], "openai has no rule requires_type; its rules are: root_excluded, "),
        (["explain", "json-schema/keywords"], "no rule is called 'json-schema/keywords'"),
        (["explain", "mcp"], "mcp@2026-07-28 has no rules of a vendor"),
        (["explain", "vscode"], "vscode@1 has no rules of a vendor"),
        (["diff", "a.json", "."], ".: expected a file, found a directory"),
        (["lock", "--check", "none.lock", "a.json"], "none.lock: there is no such file"),
        (["convert", "a.json", "--to", "mcp", "--embed", "--key-file", "none.key"], "none.key: there is no such file"),
    ],
)
def test_usage_errors(run: Any, arguments: list[str], message: str) -> None:
    write("a.json", PLAIN)
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_help_of_the_commands_without_options(run: Any) -> None:
    for name in ("help", "version"):
        assert run("help", name).out == run("--help").out


def test_a_document_to_which_the_remainder_does_not_belong(run: Any) -> None:
    """The original instead of the converted document: the error was that it has no /id."""
    write("a.json", TOOL)
    run("convert", "a.json", "--to", "arcade", "-o", "b.json", "--remainder", "rest.json")
    done = run("convert", "a.json", "--to", "mcp", "--restore", "rest.json")
    assert done.code == 1
    assert done.err.startswith("a.json: JSON, arcade@1.0 -> ")
    assert "a.json: not arcade@1.0, to which the remainder belongs: this looks like mcp@" in done.err


@pytest.mark.parametrize("options", [(), ("--refuse", "TB6")])
def test_the_formats_of_a_tool_that_is_left_out(run: Any, options: tuple[str, ...]) -> None:
    """The first line had no formats, or did not say that the one of the source was detected."""
    write("a.json", TOOL if options else {"name": "tide", "inputSchema": {"type": "objct"}, "annotations": {}})
    done = run("convert", "a.json", "--to", "mcpx", *options)
    assert done.code == 1
    assert re.match(r"a.json: JSON, mcp@\S+ \(detected.*\) -> mcpx@plugin\n", done.err)


# the way home


def test_json_lines_come_home(run: Any) -> None:
    write("a.jsonl", TOOL, PLAIN, {**TOOL, "name": "web_search", "vendor": {"a": None}})
    run("convert", "a.jsonl", "--to", "arcade", "-o", "b.jsonl", "--remainder", "r.json")
    done = run("convert", "b.jsonl", "--from", "arcade", "--to", "mcp", "--restore", "r.json", "-o", "c.jsonl")
    assert done.code == 0
    assert lines("c.jsonl") == lines("a.jsonl")


def test_json_lines_come_home_although_some_were_left_out(run: Any) -> None:
    good = [TOOL, {"name": 5, "inputSchema": {}}, PLAIN, {"nonsense": True}]
    Path("a.jsonl").write_text("\n".join([*(json.dumps(each) for each in good), '{"broken":']))
    run("convert", "a.jsonl", "--from", "mcp", "--to", "arcade", "-o", "b.jsonl", "--remainder", "r.json")
    assert len(lines("b.jsonl")) == 2
    done = run("convert", "b.jsonl", "--from", "arcade", "--to", "mcp", "--restore", "r.json", "-o", "c.jsonl")
    assert done.code == 0
    assert lines("c.jsonl") == good


@pytest.mark.parametrize("form", ["json", "jsonl", "yaml"])
@pytest.mark.parametrize("document", [TOOL, PLAIN, [TOOL, PLAIN], {"tools": [TOOL], "nextCursor": "c"}, [PLAIN], []])
def test_every_shape_comes_home_in_every_form(run: Any, document: Any, form: str) -> None:
    write("a.json", document)
    there = ["--from", "mcp@2025-11-25", "--to", "arcade", "--format", form, "-o", f"b.{form}"]
    assert run("convert", "a.json", *there, "--remainder", "r.json").code == 0
    if document == [] and form == "jsonl":
        assert Path("b.jsonl").read_bytes() == b""  # JSON Lines without lines are an empty file
        return
    done = run("convert", f"b.{form}", "--to", "mcp", "--restore", "r.json", "--format", "json")
    assert done.code == 0
    assert json.loads(done.out) == document


def test_a_single_line_comes_home(run: Any) -> None:
    write("a.jsonl", TOOL)
    run("convert", "a.jsonl", "--to", "arcade", "-o", "b", "--remainder", "r.jsonl")
    done = run("convert", "b", "--to", "mcp", "--restore", "r.jsonl", "--format", "jsonl")
    assert done.lines == [TOOL]


def test_files_of_a_directory_come_home_under_another_ending(run: Any) -> None:
    """Before ".json", the name "a" sorts before "a.old"; before ".yaml" it would sort after it."""
    Path("in").mkdir()
    tools = {f"in/{name}.json": {**TOOL, "name": name} for name in ("a", "a.old")}
    for name, tool in tools.items():
        write(name, tool)
    there = ("--from", "mcp@2025-11-25", "--to", "arcade", "--format", "yaml", "-o", "out/", "--remainder", "r.json")
    assert run("convert", "in", *there).code == 0
    for names in ("out", "out/*"):
        assert run("convert", names, "--to", "mcp", "--restore", "r.json", "--format", "json", "-o", "in/").code == 0
        assert {name: value(name) for name in tools} == tools


@pytest.mark.parametrize("rest", ["r.json", "r.jsonl"])
def test_several_documents_come_home(run: Any, rest: str) -> None:
    write("a.json", TOOL)
    write("b.jsonl", {"tools": [TOOL], "nextCursor": "x"}, {"tools": [PLAIN]})
    names = ["a.json", "b.jsonl"]
    run("convert", *names, "--from", "mcp@2025-11-25", "--to", "arcade", "-o", "out/", "--remainder", rest)
    back = ["out/a.json", "out/b.jsonl"]
    assert run("convert", *back, "--from", "arcade", "--to", "mcp", "--restore", rest, "-o", "home/").code == 0
    assert value("home/a.json") == TOOL
    assert lines("home/b.jsonl") == lines("b.jsonl")
    wrong = run("convert", "out/a.json", "--from", "arcade", "--to", "mcp", "--restore", rest)
    assert (wrong.code, "holds too many remainders (3) for these documents" in wrong.err) == (2, True)
    wrong = run("convert", *back, write("c.json", TOOL), "--from", "arcade", "--to", "mcp", "--restore", rest)
    assert (wrong.code, "holds too few remainders (3) for these documents" in wrong.err) == (2, True)
    Path("cut.jsonl").write_text('{"source": "mcp"}\nnull\n{"source":', encoding="utf-8")
    wrong = run("convert", *back, "--to", "mcp", "--restore", "cut.jsonl")
    assert (wrong.code, "cut.jsonl:3:11: not JSON: a value is expected, the text ends" in wrong.err) == (2, True)
    for name, text, place in (("odd.jsonl", 'null\n\n{"a": 1}\n', ":3"), ("odd.json", '[null, {"a": 1}]', ": /1")):
        Path(name).write_text(text, encoding="utf-8")
        wrong = run("convert", *back, "--to", "mcp", "--restore", name)
        assert (wrong.code, f"{name}{place}: not a remainder that a conversion made: " in wrong.err) == (2, True)


def test_files_in_another_order_are_told(run: Any) -> None:
    names = [write("a.json", TOOL), write("b.json", {**TOOL, "name": "other"})]
    run("convert", *names, "--to", "arcade", "-o", "out/", "--remainder", "r.json")
    hint = "r.json: its remainders are in the order of the files of the conversion that wrote it\n"
    for back, is_other in ((["out/a.json", "out/b.json"], False), (["out/b.json", "out/a.json"], True)):
        done = run("convert", *back, "--from", "arcade", "--to", "mcp", "--restore", "r.json")
        assert ("TB801" in done.err, hint in done.err) == (is_other, is_other)


@pytest.mark.parametrize("documents", [([TOOL], [PLAIN]), (TOOL, [], PLAIN)])
def test_remainders_of_lists_that_were_written_tool_by_tool(run: Any, documents: Any) -> None:
    """In memory each of them was taken for that of a tool, and none of the lists for a tool."""
    write("a.jsonl", *documents)
    run("convert", "a.jsonl", "--to", "arcade", "-o", "b.jsonl", "--remainder", "r.jsonl", "--jobs", "1")
    back = ("convert", "b.jsonl", "--from", "arcade", "--to", "mcp", "--restore", "r.jsonl")
    wrong = run(*back)
    assert (wrong.code, "tool by tool, for lines with lists: --jobs 1 reads it in the same way" in wrong.err) == (
        2,
        True,
    )
    assert run(*back, "--jobs", "1").lines == lines("a.jsonl")


def test_several_files_come_home_from_one(run: Any) -> None:
    files = [write("a.json", TOOL), write("b.jsonl", PLAIN, {"name": 5}, TOOL), write("c.json", [PLAIN])]
    run("convert", *files, "--from", "mcp", "--to", "arcade", "-o", "out.jsonl", "--remainder", "r.json")
    assert len(lines("out.jsonl")) == 4
    done = run("convert", "out.jsonl", "--from", "arcade", "--to", "mcp", "--restore", "r.json")
    assert (done.code, done.lines) == (0, [TOOL, PLAIN, {"name": 5}, TOOL, PLAIN])


def test_what_was_changed_is_not_restored_and_told(run: Any) -> None:
    run("convert", write("a.jsonl", TOOL, PLAIN), "--to", "arcade", "-o", "b.jsonl", "--remainder", "r.json")
    first, second = lines("b.jsonl")
    write("b.jsonl", {**first, "description": "Changed."}, second)
    done = run("convert", "b.jsonl", "--from", "arcade", "--to", "mcp", "--restore", "r.json")
    assert (done.code, len(done.lines)) == (0, 2)
    assert done.lines[0]["description"] == "Changed."
    assert done.lines[1] == PLAIN
    assert "TB801" in done.err


@pytest.mark.parametrize("document", [PLAIN, [PLAIN], {"tools": [PLAIN]}])
def test_a_remainder_of_nothing_is_not_stale(run: Any, document: Any) -> None:
    """It was reported as one of a changed document (TB801), which --refuse TB8 then refused."""
    write("a.json", document)
    run("convert", "a.json", "--from", "mcp@2025-11-25", "--to", "mcpx", "-o", "b.json", "--remainder", "r.json")
    assert value("r.json").keys() <= {"source", "target", "items"}
    done = run("convert", "b.json", "--to", "mcp@2025-11-25", "--restore", "r.json", "--refuse", "TB8")
    assert (done.code, json.loads(done.out)) == (0, document)
    assert done.err.splitlines()[-1] == "1 tool: 1 lossless, 0 with losses, 0 refused"


def test_yaml_documents_come_home(run: Any) -> None:
    import yaml

    Path("a.yaml").write_text(yaml.safe_dump_all([TOOL, PLAIN]))
    run("convert", "a.yaml", "--to", "arcade", "-o", "b.yaml", "--remainder", "r.json")
    done = run("convert", "b.yaml", "--to", "mcp", "--restore", "r.json")
    assert list(yaml.safe_load_all(done.out)) == [TOOL, PLAIN]


def test_the_remainder_may_ride_along(run: Any) -> None:
    run("convert", write("a.json", TOOL), "--from", "mcp@2025-06-18", "--to", "arcade", "--embed", "-o", "b.json")
    source = json.loads(run("convert", "b.json", "--to", "mcp@2025-06-18", "--restore", "embedded").out)
    assert source["title"] == "Search"
    assert source["name"] == "web.search"
    ignored = run("convert", "b.json", "--to", "mcp")
    assert "TB802" in ignored.err


def test_a_remainder_that_is_none_is_told(run: Any) -> None:
    write("a.json", PLAIN)
    for text in ("{", "[1]", '{"a": 1}', "words"):
        Path("r.json").write_text(text)
        done = run("convert", "a.json", "--to", "arcade", "--restore", "r.json")
        assert done.code == 2
        assert "r.json" in done.err
    assert "there is no such file" in run("convert", "a.json", "--to", "arcade", "--restore", "none.json").err


# the other commands


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"id": "my-app", "name": "My app", "version": "1.0", "description": "An app."}, "/id: expected to match "),
        ([{"id": n, "name": "n", "version": "1", "description": "A row."} for n in "12"], "/0/id: expected to match "),
        (
            {"name": "Get", "type": "n8n.http", "parameters": {"url": "x"}},
            "/type: expected 'function', found 'n8n.http'",
        ),
    ],
)
def test_detect_says_that_no_tool_is_valid(run: Any, document: Any, said: str) -> None:
    """A document that is no tool may have the keys that a format requires."""
    done = run("detect", write("a.json", document))
    assert done.code == 0
    assert done.err.startswith(f"a.json: no tool in it is valid in this format: {said}")


def test_detect(run: Any) -> None:
    done = run("detect", write("a.json", {"tools": [TOOL], "nextCursor": "x"}))
    assert done.code == 0
    assert done.out.startswith("mcp@")
    several = run("detect", "a.json", write("b.jsonl", TOOL, PLAIN))
    assert [line.split(": ")[0] for line in several.out.splitlines()] == ["a.json", "b.jsonl"]
    each = run("detect", write("c.jsonl", [TOOL], {"tools": [PLAIN]}))
    assert [line.split(": ")[0] for line in each.out.splitlines()] == ["line 1", "line 2"]


def test_check(run: Any) -> None:
    good = run("check", write("a.jsonl", TOOL, PLAIN))
    assert (good.code, good.out) == (0, "")
    assert good.err.splitlines()[-1] == "2 tools: 2 valid, 0 invalid"
    bad = run("check", write("b.jsonl", TOOL, {"name": 5, "inputSchema": {}}), "--as", "mcp@2025-06-18")
    assert bad.code == 1
    assert bad.out == "b.jsonl:2: /name: expected a string, found an integer\n"
    assert bad.err == "b.jsonl: checked as mcp@2025-06-18\n2 tools: 1 valid, 1 invalid\n"
    envelope = run("check", write("c.json", {"tools": [PLAIN, {"inputSchema": {}}]}), "--as", "mcp@2025-06-18")
    assert envelope.out.startswith("c.json: tool 1: /tools/1/name: required, but missing")


def test_a_check_of_tools_in_another_format_names_it(run: Any) -> None:
    """Only one of the fields that MCP has was said to be none of the given format."""
    line = "a.json: this looks like mcp@2025-06-18; `toolbridge convert` writes arcade from it"
    for tools in ([TOOL, TOOL], TOOL):
        assert line in run("check", write("a.json", tools), "--as", "arcade").err.splitlines()
    odd = {**value("a.json"), "inputSchema": {"type": "array"}}
    assert "looks like" not in run("check", write("b.json", odd), "--as", "mcp@2025-11-25").err
    assert "looks like" not in run("check", write("c.json", TOOL), "--as", "openai@chat-strict").err
    missing = run("check", "a.json", "--as", "openapi")
    assert missing.err.startswith("toolbridge: a.json: /openapi: expected the version of an OpenAPI document, 3.0 to")
    assert missing.err.endswith(", but it is missing\n")


def test_formats(run: Any) -> None:
    from toolbridge.formats.registry import FORMATS

    done = run("formats")
    assert done.code == 0
    for form in FORMATS:
        assert f"  {form.id} " in done.out


def test_explain(run: Any) -> None:
    from toolbridge.losses.codes import CATALOGUE

    by_code = run("explain", "TB201")
    assert by_code.out.startswith("TB201 constraint-dropped\n")
    assert run("explain", "constraint-dropped").out == by_code.out == run("explain", "tb201").out
    for code in CATALOGUE:
        text = run("explain", code.id).out
        assert code.meaning in text
        assert code.url in text
    assert len(run("explain").out.splitlines()) == len(CATALOGUE) + 1


@pytest.mark.parametrize("command", [[], ["convert"], ["detect"], ["check"], ["formats"], ["explain"], ["completion"]])
def test_every_help_shows_an_example(run: Any, command: list[str]) -> None:
    done = run(*command, "--help")
    assert done.code == 0
    assert "example" in done.out
    assert f"\n  toolbridge {' '.join(command)}" in done.out


def test_version(run: Any) -> None:
    assert run("--version").out == f"toolbridge {__version__}\n"
    assert run("-V").out == f"toolbridge {__version__}\n"


def test_colour_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from toolbridge.cli.output import Printer

    class Terminal(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    Printer(bright := Terminal()).table(["code", "place"], [["TB101", "x" * 300]], ["error"])
    assert "\x1b[31m" in bright.getvalue()
    assert bright.getvalue().count("x") == 300
    monkeypatch.setenv("NO_COLOR", "1")
    Printer(plain := Terminal()).say("words", "error")
    assert plain.getvalue() == "words\n"
    monkeypatch.delenv("NO_COLOR")
    Printer(piped := io.StringIO()).say("words", "error")
    assert piped.getvalue() == "words\n"


# the process


def command(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "toolbridge", *arguments], capture_output=True, check=False, timeout=60, **options
    )


def test_the_module_runs(tmp_path: Path) -> None:
    done = command("--version")
    assert done.stdout.decode().strip() == f"toolbridge {__version__}"
    (tmp_path / "a.json").write_text(json.dumps(PLAIN))
    done = command("convert", "-", "--to", "mcpx@servlet", input=json.dumps(PLAIN).encode())
    assert (done.returncode, json.loads(done.stdout)) == (0, PLAIN)


def imported(*arguments: str) -> set[str]:
    code = "import sys; from toolbridge.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=True)
    return set(done.stderr.decode().split("\n")[-2].split())


def families_of(loaded: set[str]) -> set[str]:
    return {name.split(".")[2] for name in loaded if name.startswith("toolbridge.formats.")} & {*FAMILIES}


def test_the_start_is_lean(tmp_path: Path) -> None:
    assert not {"msgspec", "argparse", "re", "typing", "importlib.metadata"} & imported("--version")
    (tmp_path / "b.json").write_text(json.dumps(TOOL))
    assert families_of(imported("convert", str(tmp_path / "b.json"), "--to", "arcade", "--quiet")) == {"mcp", "arcade"}
    tool = {**TOOL, "icons": [{"src": "https://example.com/a.png"}]}
    (tmp_path / "a.json").write_text(json.dumps(tool))
    loaded = imported("convert", str(tmp_path / "a.json"), "--to", "arcade")
    assert "msgspec" in loaded
    assert not {"pydantic", "rich", "yaml", "orjson", "importlib.metadata", "difflib"} & loaded
    if sys.version_info < (3, 14):  # whose own argparse and msgspec import them
        assert not {"typing_extensions", "copy"} & loaded
    # Packages without `icons` in their tools are not searched for formats that fit equally.
    assert families_of(loaded) == {"mcp", "arcade"}


@pytest.mark.parametrize("more", [[], ["--jobs", "1"]])
def test_a_closed_pipe_of_windows_is_quiet(run: Any, monkeypatch: pytest.MonkeyPatch, more: list[str]) -> None:
    """It was an error of standard output: invalid argument."""

    def refuse(*_: Any) -> None:
        raise OSError(EINVAL, "Invalid argument")

    write("a.json", TOOL)
    monkeypatch.setattr("toolbridge.errors.os", SimpleNamespace(name="nt"))
    for place in ("data.output", "bulk.files.job"):
        monkeypatch.setattr(f"toolbridge.{place}.write_out", refuse)
    done = run("convert", "a.json", "--to", "mcpx", "-q", *more)
    assert (done.code, done.err) == (141, "")


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently there")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("more", [[], ["--jobs", "1"]])
def test_a_closed_pipe_is_quiet(tmp_path: Path, more: list[str], unbuffered: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({**TOOL, "name": f"t{n}"}) + "\n" for n in range(2_000)))
    with subprocess.Popen(
        [sys.executable, "-m", "toolbridge", "convert", str(path), "--to", "mcpx", *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        told = process.stderr.read().decode()
        assert process.wait(60) == 141
    assert "Traceback" not in told
    assert "Exception ignored" not in told
    assert "Broken" not in told


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--report", "s.json", "--remainder", "./s.json"], "--remainder ./s.json is also the report"),
        (["--report", "a.json"], "--report a.json is also an input"),
        (["--remainder", "a.json"], "--remainder a.json is also an input"),
        (["-o", "out/", "--report", "out/a.json"], "--report out/a.json is also the output"),
        (["-o", "o.json", "--report", "o.json"], "--report o.json is also the output"),
        (["--report", "-"], "--report needs the name of a file, found -"),
    ],
)
def test_files_that_are_written_are_apart(run: Any, more: list[str], problem: str) -> None:
    write("a.json", PLAIN)
    Path("out").mkdir()
    before = Path("a.json").read_bytes()
    done = run("convert", "a.json", "--to", "mcpx", *more)
    assert done.code == 2
    assert done.err.startswith(f"toolbridge: {problem}")
    assert Path("a.json").read_bytes() == before
    assert [each.name for each in Path().rglob("*") if each.is_file()] == ["a.json"]


def test_the_remainder_that_is_read_is_not_written_over(run: Any) -> None:
    run("convert", write("a.json", TOOL), "--to", "mcpx", "-o", "b.json", "--remainder", "r.json")
    done = run("convert", "b.json", "--to", "mcp", "--restore", "r.json", "-o", "./r.json")
    assert (done.code, done.out) == (2, "")
    assert "-o ./r.json is also the remainder that is read: give the output a file of its own" in done.err
    assert run("convert", "b.json", "--to", "mcp", "--restore", "r.json", "-o", "b.json").code == 0
    assert value("b.json") == TOOL


def _open_for_writing(fifo: Path) -> int | None:
    """The end of a pipe; None while nobody reads the other."""
    try:
        return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
def test_an_interrupt_is_one_line(tmp_path: Path) -> None:
    """It was quiet, and that of a large file said whether something was written."""
    fifo = tmp_path / "never"
    os.mkfifo(fifo)
    with subprocess.Popen(
        [sys.executable, "-m", "toolbridge", "convert", str(fifo), "--to", "mcpx", "-o", str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        while (end := _open_for_writing(fifo)) is None:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, told = process.communicate(timeout=60)
        os.close(end)
    assert (process.returncode, out, told) == (
        130,
        b"",
        f"toolbridge: interrupted, nothing was written to {tmp_path / 'out'}\n".encode(),
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
@pytest.mark.parametrize("command", [["convert", "a.json", "--to", "mcpx"], ["fix", "a.json", "--as", "mcp"], ["lock"]])
def test_a_signal_leaves_no_working_file(command: list[str], tmp_path: Path) -> None:
    """SIGTERM ended the process while it wrote, with the file that has no name yet."""
    (tmp_path / "a.json").write_text(json.dumps([PLAIN]))
    code = "import os, sys, time\ndef fsync(fd):\n    print('going', flush=True); time.sleep(60)\n"
    code += "os.fsync = fsync\nfrom toolbridge.cli import main; sys.exit(main(sys.argv[1:]))"
    arguments = ["lock", "a.json"] if command == ["lock"] else command
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments, "-o", "out.json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "going\n"
        process.terminate()
        _, said = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in said) == (143, False)
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_standard_output_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(PLAIN))
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "toolbridge", "convert", str(tmp_path / "a.json"), "--to", "mcpx"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert "toolbridge: standard output: no space left on device" in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
    assert "Exception ignored" not in done.stderr.decode()


def test_a_check_says_what_a_value_must_be_and_names_the_tool(run: Any) -> None:
    schema = {"a": {"enum": "a"}, "b": {"type": "strng"}, "c": {"pattern": "("}, "d": {"minLength": -1}}
    bad = {"name": "bad", "description": "Bad.", "inputSchema": {"type": "object", "properties": schema}}
    plain = {**PLAIN, "inputSchema": {"type": "object", "properties": {}}}
    Path("a.json").write_text(json.dumps({"tools": [plain, bad, plain]}))
    place = "a.json: tool 1 (bad): /tools/1/inputSchema/properties"
    types = "null, boolean, integer, number, string, array, object"
    assert [line.rpartition(" [")[0] or line for line in run("check", "a.json", "--as", "openai").out.splitlines()] == [
        f"{place}/a/enum: enum must be a list, found the string 'a'",
        f"{place}/b/type: a type must be one of {types}, found 'strng'; near: string",
        f"{place}/c/pattern: not a valid regular expression: '('",
        f"{place}/d/minLength: minLength must be a whole number from 0, found the number -1",
        "a.json: tool 2 (ping): /tools/2: the same name as the tool with index 0: a call cannot say which is meant",
    ]


def test_without_a_command_the_help_is_printed(run: Any) -> None:
    alone = run()
    assert (alone.code, alone.out) == (2, "")
    assert "usage: toolbridge" in alone.err
    assert "convert tools, calls or results to another format" in alone.err
    asked = run("help")
    assert (asked.code, asked.out, asked.err) == (0, alone.err, "")
    assert run("help", "convert").out == run("convert", "--help").out
    assert run("version").out == run("--version").out == run("version", "--help").out


def test_wrong_usage_is_an_error_in_two_lines(run: Any) -> None:
    for arguments, problem in (
        (["convrt", "a.json"], "no command is called 'convrt'; near: convert"),
        (["help", "convrt"], "no command is called 'convrt'; near: convert"),
        (["a.json", "--to", "mcp"], "no command is called 'a.json'; commands: convert, detect, "),
        (["convert", "a.json", "-t", "mcp"], "convert has no option -t; near: --to\n"),
        (["convert", "a.json", "--target", "mcp"], "convert has no option --target; near: --to\n"),
        (["convert", "a.json", "--to", "mcp", "--source", "mcp"], "convert has no option --source; near: --from\n"),
        (["convert", "a.json"], "the following arguments are required: --to\n"),
    ):
        done = run(*arguments)
        program = "toolbridge convert" if arguments[0] == "convert" else "toolbridge"
        assert (done.code, done.out) == (2, "")
        first, hint = done.err.splitlines()
        assert f"{first}\n".startswith(f"{program}: error: {problem}")
        assert hint == f"`{program} --help` shows the usage"


@pytest.mark.parametrize("text", ["null", "42", '"hello"', "{}"])
def test_what_can_be_no_tool_is_no_input(run: Any, text: str) -> None:
    Path("a.json").write_text(text)
    assert run("convert", "a.json", "--to", "openai").code == run("check", "a.json").code == 2


def test_a_remainder_that_is_not_there_is_said(run: Any) -> None:
    Path("a.json").write_text(json.dumps({**PLAIN, "title": "Ping"}))
    said = ": no remainder in it, so nothing was restored"
    done = run("convert", "a.json", "--from", "mcp", "--to", "arcade", "--restore", "embedded", "-o", "b.json")
    assert (done.code, f"a.json{said}" in done.err.splitlines()) == (0, True)
    assert run("convert", "a.json", "--from", "mcp", "--to", "arcade", "--embed", "-o", "b.json").code == 0
    assert said not in run("convert", "b.json", "--to", "mcp", "--restore", "embedded").err


def test_a_bug_gets_one_line_and_a_traceback_only_on_request(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def broken(*_: Any) -> int:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("toolbridge.cli.explanation.formats", broken)
    monkeypatch.delenv("TOOLBRIDGE_DEBUG", raising=False)
    assert main(["formats"]) == 2
    assert capsys.readouterr().err == (
        "toolbridge: unexpected ZeroDivisionError: by zero (a bug; --debug shows where)\n"
    )
    monkeypatch.setenv("TOOLBRIDGE_DEBUG", "1")
    assert main(["formats"]) == 2
    assert "in broken\n    raise ZeroDivisionError" in capsys.readouterr().err


# real documents


def shared(*parts: str) -> Path:
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"not beside this checkout: {path}")
    return path


def test_the_tools_of_github_go_to_tool_definition_and_come_home(run: Any) -> None:
    source = str(shared("corpus", "github-mcp-server", "tools.mcp.jsonl"))
    done = run("convert", source, "--to", "arcade", "-o", "out.jsonl", "--report", "r.json", "--remainder", "rest.json")
    assert done.code == 0
    assert len(lines("out.jsonl")) == 117
    assert run("check", "out.jsonl", "--as", "arcade").code == 0
    assert set(value("r.json")["counts"]) <= {"TB101", "TB102", "TB401", "TB501", "TB601", "TB608"}
    assert (
        run(
            "convert", "out.jsonl", "--from", "arcade", "--to", "mcp", "--restore", "rest.json", "-o", "home.jsonl"
        ).code
        == 0
    )
    assert lines("home.jsonl") == lines(source)


def test_the_source_documents(run: Any) -> None:
    (lost,) = shared("specs", "source").glob("000_*")
    done = run("convert", str(lost), "--to", "mcp")
    assert done.code == 2
    assert "this looks like an XTP schema document whose indentation was lost" in done.err
    (page,) = shared("specs", "source").glob("003_*")
    assert run("detect", str(page)).out == "xtp@mcpx-servlet\n"
    done = run("convert", str(page), "--to", "mcp")
    assert done.code == 0
    found = json.loads(done.out)
    assert "call" in [tool["name"] for tool in (found if isinstance(found, list) else found["tools"])]


@pytest.mark.parametrize("form", ["json", "jsonl", "yaml"])
def test_an_interface_comes_home(run: Any, form: str) -> None:
    (page,) = shared("specs", "source").glob("003_*")
    out = f"b.{form}"
    run("convert", str(page), "--to", "mcp", "--format", form, "-o", out, "--remainder", "r.json")
    done = run("convert", out, "--from", "mcp", "--to", "xtp@mcpx-servlet", "--restore", "r.json", "--format", "json")
    assert done.code == 0
    assert set(json.loads(done.out)) == {"version", "exports", "components"}


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
def test_a_file_name_that_is_no_text_is_reported_as_it_can_be(run: Any) -> None:
    name = os.fsdecode(b"\xff.json")
    write(name, TOOL)
    assert run("convert", name, "--to", "mcpx@servlet", "--report", "r.json").code == 0
    assert value("r.json")["input"] == "\\udcff.json"


def test_zstd_that_begins_with_a_frame_to_skip(run: Any) -> None:
    zstandard = pytest.importorskip("zstandard")
    packed = zstandard.ZstdCompressor().compress(json.dumps(PLAIN).encode())
    Path("a.json.zst").write_bytes(b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd" + packed)
    assert run("check", "a.json.zst", "--as", "mcp").code == 0
    assert json.loads(run("convert", "a.json.zst", "--to", "mcpx@servlet").out)["name"] == "ping"


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes streams")
@pytest.mark.parametrize("more", ["", "--jobs 1", "--jobs 2"])
@pytest.mark.parametrize(
    ("closed", "code", "out", "file", "said"),
    [
        (">&-", 2, 0, None, "standard output: bad file descriptor\n"),
        ("2>&-", 0, 2, None, ""),
        ("<&- >&- 2>&-", 2, 0, None, ""),
        ("-o out.jsonl >&-", 0, 0, 2, "2 tools: 0 lossless, 2 with losses, 0 refused\n"),
        ("-o out.jsonl 2>&-", 0, 0, 2, ""),
        ("-o out.jsonl <&- >&- 2>&-", 0, 0, 2, ""),
        ("-o out.jsonl --report r.jsonl --remainder m.jsonl <&- >&- 2>&-", 0, 0, 2, ""),
    ],
)
def test_standard_streams_may_be_closed(
    tmp_path: Path, closed: str, more: str, *, code: int, out: int, file: int | None, said: str
) -> None:
    """S13: a traceback, or an exit code of 1."""
    tools = "".join(json.dumps({**PLAIN, "name": f"t{n}"}) + "\n" for n in range(2))
    (tmp_path / "in.jsonl").write_text(tools)
    command = f'"{sys.executable}" -m toolbridge convert in.jsonl --from mcp --to openai {more} {closed}'
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, len(done.stdout.splitlines())) == (code, out), done.stderr
    assert done.stderr.endswith(said)
    assert "Traceback" not in done.stderr
    written = tmp_path / "out.jsonl"
    assert (len(written.read_bytes().splitlines()) if written.exists() else None) == file
    for each in tmp_path.glob("*.jsonl"):
        assert b"lossless" not in each.read_bytes()  # what is said lands in no file


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes streams")
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("--version >&-", 2),
        ("--help >&-", 2),
        ("formats >&-", 2),
        ("formats 2>&-", 0),
        ("check in.json >&-", 0),
        ("check in.json 2>&-", 0),
        ("detect in.json >&-", 2),
        ("convert - --to openai <&-", 2),
        ("nonsense 2>&-", 2),
        pytest.param("convert nowhere.json --to openai 2>/dev/full", 2, marks=FULL),
        pytest.param("convert in.json --to openai -o out.json 2>/dev/full", 0, marks=FULL),
        pytest.param("convert in.json --to openai -o out.json --jobs 1 2>/dev/full", 0, marks=FULL),
        pytest.param("check in.json 2>/dev/full", 0, marks=FULL),
        ("convert in.json --to openai -o out.json 2>&1 >&- | true", 0),
    ],
)
def test_other_commands_with_closed_streams(tmp_path: Path, command: str, code: int) -> None:
    (tmp_path / "in.json").write_text(json.dumps(PLAIN))
    done = subprocess.run(
        ["/bin/sh", "-c", f'"{sys.executable}" -m toolbridge {command}'], capture_output=True, text=True, check=False,
        cwd=tmp_path
    )  # fmt: skip
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "a bug" not in done.stderr
    assert (tmp_path / "out.json").exists() == ("out.json" in command)
