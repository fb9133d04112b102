"""What sets the exit code of the command, what is ignored, and baselines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import ToolbridgeError, convert
from toolbridge.cli import convert as command


def tool(name: str = "book", **annotations: bool) -> dict[str, Any]:
    return {
        "name": name,
        "title": "Book",
        "description": "Books a berth.",
        "inputSchema": {"type": "object", "properties": {"ship": {"type": "string"}}},
        "annotations": annotations or {"destructiveHint": True},
    }


BAD = {"name": "bad", "inputSchema": 7}
TO = ("--from", "mcp@2025-06-18", "--to", "mcpx")


def write(name: str, *values: Any) -> str:
    Path(name).write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return name


def test_a_summary_does_not_call_valid_what_a_baseline_hides(run: Any) -> None:
    write("a.jsonl", tool("good"), tool("b\u00e9"), tool("c\u00e9"))
    for option in ("--write-baseline", "--baseline"):
        done = run("check", "a.jsonl", "--as", "openai", option, "known.json")
        assert (done.code, done.out) == (0, "")
        assert "3 tools: 1 valid, 0 invalid, 2 with known findings only" in done.err.splitlines()
    done = run("check", "a.jsonl", "--as", "openai", "--ignore", "openai/names:b*")
    assert done.code == 1
    assert "3 tools: 1 valid, 1 invalid, 1 with known findings only" in done.err.splitlines()


def test_an_exception_that_leaves_nothing_out_is_said(run: Any) -> None:
    write("a.jsonl", tool())
    done = run("convert", "a.jsonl", *TO, "-o", "b.jsonl", "--ignore", "TB601:nosuch")
    assert done.err.splitlines()[-1] == "0 findings ignored (--ignore)"


# the exit code


@pytest.mark.parametrize(
    ("selector", "code"),
    [
        ("error", 1),
        ("info", 1),
        ("never", 0),
        ("safety", 1),
        ("TB6", 1),
        ("tb601", 1),
        ("hint-dropped", 1),
        ("TB3,narrowed", 0),
        ("TB3,dropped", 1),
    ],
)
@pytest.mark.parametrize("large", [False, True])
def test_a_gate_sets_the_exit_status_and_leaves_nothing_out(run: Any, selector: str, code: int, large: bool) -> None:
    write("a.jsonl", tool(), tool("other"))
    more = ("--jobs", "1") if large else ()
    plain = run("convert", "a.jsonl", *TO, "-o", "plain.jsonl", *more)
    done = run("convert", "a.jsonl", *TO, "-o", "out.jsonl", "--fail-on", selector, *more)
    more_lines = done.err.removeprefix(plain.err).splitlines()
    assert (done.code, done.out) == (code, plain.out)
    assert [line.endswith(f" of --fail-on {selector}") for line in more_lines] == [True] * code
    assert Path("out.jsonl").read_bytes() == Path("plain.jsonl").read_bytes()


def test_what_could_not_be_converted_is_an_error_unless_nothing_is(run: Any) -> None:
    write("a.jsonl", tool(), BAD)
    assert run("convert", "a.jsonl", *TO).code == 1
    assert run("convert", "a.jsonl", *TO, "--fail-on", "narrowed").code == 1
    assert run("convert", "a.jsonl", *TO, "--fail-on", "never").code == 0
    # An output that is not written is no success, whatever was asked for.
    Path("out.jsonl").write_text("good\n")
    done = run("convert", write("b.jsonl", BAD), *TO, "-o", "out.jsonl", "--fail-on", "never")
    assert done.code == 1
    assert Path("out.jsonl").read_text() == "good\n"


def test_a_gate_of_a_check(run: Any) -> None:
    hidden = {**tool("hidden"), "description": "Reads.\u200b\u202e"}
    write("a.jsonl", tool(), hidden)
    assert run("check", "a.jsonl").code == 0
    assert run("check", "a.jsonl", "--fail-on", "error").code == 0
    for selector in ("warning", "TB607", "safety", "invisible-characters"):
        done = run("check", "a.jsonl", "--fail-on", selector)
        assert (done.code, done.err.splitlines()[-1]) == (1, f"failed: 1 finding of --fail-on {selector}")
    write("b.jsonl", tool("b\u00e9"))
    assert run("check", "b.jsonl", "--as", "openai").code == 1
    assert run("check", "b.jsonl", "--as", "openai", "--fail-on", "never").code == 0


def test_a_gate_of_a_large_check(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolbridge.cli import inspect

    monkeypatch.setattr(inspect, "LARGE", 1)
    write("a.jsonl", {**tool(), "description": "Reads.\u200b\u202e"})
    assert run("check", "a.jsonl", "--as", "mcp@2025-06-18").code == 0
    done = run("check", "a.jsonl", "--as", "mcp@2025-06-18", "--fail-on", "warning")
    assert (done.code, done.err.splitlines()[-1]) == (1, "failed: 1 finding of --fail-on warning")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fail-on", "TB77"], "--fail-on: no loss is called 'TB77'; near: TB7"),
        (["--fail-on", "never,error"], "--fail-on: never stands alone"),
        (
            ["--fail-on", "openai/root_exluded"],
            "--fail-on: no rule is called 'openai/root_exluded'; near: openai/root_excluded",
        ),
        (["--ignore", "sfaety"], "--ignore: no loss is called 'sfaety'; near: safety"),
        (["--ignore", ":book"], "--ignore takes CODE or CODE:TOOL, found ':book'"),
        (["--ignore", "TB601:"], "--ignore takes CODE or CODE:TOOL, found 'TB601:'"),
        (["--baseline", "none.json"], "none.json: there is no such file; --write-baseline none.json writes it"),
        (["--baseline", "a.jsonl"], "a.jsonl: not a baseline, as --write-baseline writes it"),
        (["--baseline", ""], "--baseline needs the name of a file, found an empty one"),
    ],
)
def test_usage(run: Any, arguments: list[str], message: str) -> None:
    write("a.jsonl", tool())
    done = run("convert", "a.jsonl", *TO, *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"toolbridge: {message}")


def test_a_gate_in_python() -> None:
    report = convert(tool(), "mcpx", source="mcp@2025-06-18").report
    assert [loss.code for loss in report] == ["TB101", "TB601"]
    assert [loss.code for loss in report.matching("safety")] == ["TB601"]
    assert [loss.code for loss in report.matching("dropped", "TB3")] == ["TB101"]
    assert [loss.code for loss in report.matching("info")] == ["TB101", "TB601"]
    assert [loss.code for loss in report.matching("error")] == [
        loss.code for loss in report if loss.severity == "error"
    ]
    with pytest.raises(ToolbridgeError, match="no loss is called 'sefety'; near: safety"):
        report.matching("sefety")
    with pytest.raises(ToolbridgeError, match="refused"):
        convert(tool(), "mcpx", source="mcp@2025-06-18", refuse=["safety"])


# what is ignored


def test_codes_are_ignored_for_some_tools(run: Any) -> None:
    write("a.jsonl", tool("book"), tool("look"))
    done = run(
        "convert", "a.jsonl", *TO, "-o", "o.jsonl", "--fail-on", "error", "--ignore", "TB601:b*", "--report", "r.json"
    )
    assert done.code == 1
    assert "1 finding ignored (--ignore)" in done.err.splitlines()
    assert "2 tools: 0 lossless, 2 with losses, 0 refused" in done.err
    report = json.loads(Path("r.json").read_text())
    assert (report["ignored"], report["counts"]) == (1, {"TB101": 2, "TB601": 1})
    assert [loss["item"] for loss in report["losses"] if loss["code"] == "TB601"] == [1]
    both = run(
        "convert", "a.jsonl", *TO, "-o", "o.jsonl", "--fail-on", "error", "--ignore", "safety:book,hint-dropped:look"
    )
    assert both.code == 0
    assert "TB601" not in both.err
    assert "2 findings ignored (--ignore)" in both.err


@pytest.mark.parametrize("large", [False, True])
def test_a_code_is_ignored_for_all_tools(run: Any, large: bool) -> None:
    write("a.jsonl", tool("book"), tool("look"))
    more = ("--jobs", "1") if large else ()
    done = run("convert", "a.jsonl", *TO, "-o", "o.jsonl", "--fail-on", "error", "--ignore", "safety", *more)
    assert done.code == 0
    assert "TB601" not in done.err
    assert "2 findings ignored (--ignore)" in done.err


@pytest.mark.parametrize("large", [False, True])
def test_tools_that_are_left_out_may_be_ignored(run: Any, large: bool) -> None:
    Path("a.jsonl").write_text(json.dumps(tool()) + "\nnull\n", encoding="utf-8")
    more = ("--jobs", "1") if large else ()
    done = run("convert", "a.jsonl", *TO, "-o", "o.jsonl", "--ignore", "TB903", *more)
    assert (done.code, "found null" in done.err) == (0, False)
    assert "1 finding ignored (--ignore)" in done.err
    done = run("convert", "a.jsonl", *TO, "-o", "o.jsonl", *more)
    assert (done.code, "a.jsonl:2: expected a tool" in done.err) == (1, True)


@pytest.mark.parametrize("large", [False, True])
def test_lines_that_cannot_be_read_may_be_ignored(run: Any, large: bool) -> None:
    Path("a.jsonl").write_text(json.dumps(tool()) + "\n{\n", encoding="utf-8")
    more = ("--jobs", "1") if large else ()
    arguments = ("convert", "a.jsonl", *TO, "-o", "o.jsonl")
    done = run(*arguments, "--ignore", "TB903", "--output-format", "sarif" if not large else "text", *more)
    assert (done.code, "not JSON" in done.err + done.out) == (0, False)
    assert "1 finding ignored (--ignore)" in done.err
    assert run(*arguments, *more).code == 1
    assert run(*arguments, "--write-baseline", "known.json", *more).code == 0
    assert run(*arguments, "--baseline", "known.json", *more).code == 0
    assert run("check", "a.jsonl", "--baseline", "known.json").code == 0


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("listed", [False, True])
def test_a_tool_with_duplicate_members_is_refused_alone(run: Any, large: bool, listed: bool) -> None:
    twice = json.dumps(tool("twice"))[:-1] + ', "description": "d", "description": "e", "name": "twice"}'
    tools = [json.dumps(tool()), twice]
    Path("a.json").write_text(f"[{', '.join(tools)}]" if listed else "\n".join(tools), encoding="utf-8")
    more = ("--jobs", "1") if large else ()
    done = run("convert", "a.json", *TO, "-o", "o.json", "--refuse", "TB002", *more)
    assert done.code == 1
    where = "a.json: tool 1 (twice): /1" if listed else "a.json:2: twice: "
    assert f"{where}/description: refused: TB002 duplicate-key and 1 more" in done.err
    assert "2 tools: 0 lossless, 1 with losses, 1 refused" in done.err
    assert run("convert", "a.json", *TO, "-o", "o.json", "--refuse", "repaired", *more).code == 1
    ignored = run("convert", "a.json", *TO, "-o", "o.json", "--refuse", "TB002", "--ignore", "TB904", *more)
    assert (ignored.code, "refused: " in ignored.err) == (0, False)
    # Several losses of one tool are not those of several tools.
    other = run("convert", "a.json", *TO, "-o", "o.json", "--refuse", "TB002", "--ignore", "TB002", *more)
    assert (other.code, "refused: TB002" in other.err) == (1, True)


def test_a_tool_that_is_left_out_may_be_ignored(run: Any) -> None:
    write("a.jsonl", tool(), BAD)
    done = run("convert", "a.jsonl", *TO, "-o", "o.jsonl", "--ignore", "TB903:bad")
    assert done.code == 0
    assert "inputSchema: " not in done.err
    assert "2 tools: 0 lossless, 1 with losses, 1 refused" in done.err  # what happened is still said
    assert run("convert", "a.jsonl", *TO, "-o", "o.jsonl", "--ignore", "TB903:book").code == 1


def test_findings_that_are_left_out_are_in_no_report(run: Any) -> None:
    Path("a.jsonl").write_text("\n".join([json.dumps(tool()), json.dumps(BAD), "{"]), encoding="utf-8")
    convert_all = ("convert", "a.jsonl", *TO, "-o", "o.jsonl")
    run(*convert_all, "--write-baseline", "known.json")
    for option in (("--ignore", "info,warning,error"), ("--baseline", "known.json")):
        done = run(*convert_all, *option, "--report", "r.json", "--output-format", "sarif")
        assert (done.code, json.loads(done.out)["runs"][0]["results"]) == (0, [])
        report = json.loads(Path("r.json").read_text(encoding="utf-8"))
        assert (report["failures"], report["ignored"]) == ([], 4)
        assert "4 findings ignored" in done.err


def test_problems_of_a_check_are_ignored_by_their_rule(run: Any) -> None:
    write("a.jsonl", tool("b\u00e9"), tool("c\u00e9"))
    assert run("check", "a.jsonl", "--as", "openai").code == 1
    for ignored in ("openai/names", "openai/*", "openai/names:b*,openai/names:c*"):
        done = run("check", "a.jsonl", "--as", "openai", "--ignore", ignored)
        assert (done.code, done.out) == (0, ""), ignored
        assert "2 tools: 0 valid, 0 invalid, 2 with known findings only\n2 findings ignored (--ignore)\n" in done.err
    one = run("check", "a.jsonl", "--as", "openai", "--ignore", "openai/names:b*")
    assert (one.code, len(one.out.splitlines())) == (1, 1)


# baselines


def test_a_document_cannot_name_the_rule_of_its_finding(run: Any) -> None:
    """The message ends in the keys of the document."""
    write("a.jsonl", {"tools": [tool()]}, {"zz [TB601]": 1})
    done = run("check", "a.jsonl", "--output-format", "github")
    assert "zz [TB601]" in done.out
    assert "title=TB903 " in done.out
    assert run("check", "a.jsonl", "--ignore", "TB601").code == 1


def test_a_baseline_hides_what_is_known_and_says_what_is_gone(run: Any) -> None:
    Path("sub").mkdir()
    write("sub/a.jsonl", tool("book"), tool("look"))
    wrote = run("convert", "sub/a.jsonl", *TO, "-o", "o.jsonl", "--fail-on", "info", "--write-baseline", "known.json")
    assert wrote.code == 0
    assert "known.json: 4 findings written" in wrote.err
    # Each finding is a line, so that a change of the file can be reviewed.
    text = Path("known.json").read_text()
    assert '{"format":"mcpx@plugin","tool":"look","code":"TB601","place":"/annotations/destructiveHint"}\n' in text
    assert json.loads(text)["version"] == 1
    known = run("convert", "sub/a.jsonl", *TO, "-o", "o.jsonl", "--fail-on", "info", "--baseline", "known.json")
    assert known.code == 0
    assert "4 findings ignored (known.json)" in known.err
    # The order of tools does not matter; what is new is reported, what is gone is stale.
    write("sub/a.jsonl", tool("look"), tool("new"))
    changed = run("convert", "sub/a.jsonl", *TO, "-o", "o.jsonl", "--fail-on", "info", "--baseline", "known.json")
    assert changed.code == 1
    assert "2 findings ignored (known.json)" in changed.err
    assert changed.err.endswith(
        "known.json: 2 findings no longer found, which --write-baseline drops:\n"
        "  sub/a.jsonl: TB101 book /title (mcpx@plugin)\n"
        "  sub/a.jsonl: TB601 book /annotations/destructiveHint (mcpx@plugin)\n"
        "failed: 2 findings of --fail-on info\n"
    )
    assert "line 2 /title" in changed.err


def test_the_first_baseline_is_written_with_the_options_of_all_others(run: Any) -> None:
    """As pyproject.toml names the baseline for every run."""
    write("a.jsonl", tool())
    both = ("--baseline", "known.json", "--write-baseline", "known.json")
    for _ in range(2):
        again = run("convert", "a.jsonl", *TO, "-o", "o.jsonl", "--fail-on", "info", *both)
        assert (again.code, "no longer found" in again.err) == (0, False)
    assert run("convert", "a.jsonl", *TO, "-o", "o.jsonl", "--fail-on", "info", *both[:2]).code == 0
    assert run("convert", "a.jsonl", *TO, "-o", "o.jsonl", "--report", "a.html", "--report", "a.sarif").code == 2
    assert not Path("a.html").exists()


def test_a_baseline_has_several_inputs_and_targets(run: Any) -> None:
    write("a.jsonl", tool())
    write("b.jsonl", tool())
    run("convert", "a.jsonl", "b.jsonl", *TO, "-o", "o.jsonl", "--write-baseline", "known.json")
    before = Path("known.json").read_text()
    # Only what a run has looked at may be stale, or is replaced.
    some = run("convert", "a.jsonl", *TO, "-o", "o.jsonl", "--baseline", "known.json")
    assert "no longer found" not in some.err
    run("check", "a.jsonl", "--as", "arcade", "--write-baseline", "known.json")
    findings = json.loads(Path("known.json").read_text())["findings"]
    assert [entry["format"] for entry in findings["a.jsonl"]] == ["arcade@1.0", "mcpx@plugin", "mcpx@plugin"]
    assert findings["b.jsonl"] == json.loads(before)["findings"]["b.jsonl"]
    assert run("check", "a.jsonl", "--as", "arcade", "--baseline", "known.json").code == 0
    write("a.jsonl", {"name": "plain", "description": "Plain.", "inputSchema": {"type": "object"}})
    run("convert", "a.jsonl", *TO, "-o", "o.jsonl", "--write-baseline", "known.json")
    findings = json.loads(Path("known.json").read_text())["findings"]
    assert [entry["format"] for entry in findings["a.jsonl"]] == ["arcade@1.0"]


def test_a_baseline_of_both_commands(run: Any) -> None:
    """As pyproject.toml names one baseline, and one format, for all commands."""
    Path("a.jsonl").write_text("\n".join([json.dumps(tool("b\u00e9")), json.dumps(BAD), "{"]), encoding="utf-8")
    commands = (("check", "a.jsonl", "--as", "openai"), ("convert", "a.jsonl", "--to", "openai", "-o", "o.jsonl"))
    for command_line in commands:
        assert run(*command_line, "--write-baseline", "known.json").code == 0
    for command_line in commands:
        done = run(*command_line, "--fail-on", "info", "--baseline", "known.json")
        assert (done.code, "no longer found" in done.err) == (0, False)


def test_a_place_is_in_its_tool(run: Any) -> None:
    write("a.json", {"tools": [tool("one"), {"name": "two", "inputSchema": {"type": "object"}}]})
    run("convert", "a.json", "--from", "mcp", "--to", "arcade", "-o", "o.json", "--write-baseline", "k.json")
    entries = json.loads(Path("k.json").read_text())["findings"]["a.json"]
    places = {(entry["tool"], entry["place"]) for entry in entries}
    assert {("one", "/title"), ("two", "-> /description"), ("two", "-> /output_schema")} <= places


def test_an_empty_baseline(run: Any) -> None:
    write("a.json", {"name": "plain", "inputSchema": {"type": "object"}})
    assert run("check", "a.json", "--write-baseline", "k.json").code == 0
    assert json.loads(Path("k.json").read_text()) == {"version": 1, "findings": {}}
    assert run("check", "a.json", "--baseline", "k.json").code == 0


def test_a_large_file_with_a_baseline_is_read_as_a_whole(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "LARGE", 1)
    write("a.jsonl", tool())
    done = run("convert", "a.jsonl", *TO, "-o", "o.jsonl", "--write-baseline", "k.json")
    assert (done.code, len(json.loads(Path("k.json").read_text())["findings"]["a.jsonl"])) == (0, 2)
    refused = run("convert", "a.jsonl", *TO, "-o", "o.jsonl", "--baseline", "k.json", "--rejects", "r.jsonl")
    assert refused.code == 2
    assert "baselines need the whole document in memory" in refused.err


@pytest.mark.parametrize("given", ["", ",", " "])
def test_an_empty_gate(run: Any, given: str) -> None:
    for arguments in (("check", "a.json"), ("diff", "a.json", "a.json")):
        done = run(*arguments, "--fail-on", given)
        problem = "--fail-on is empty; write never if no finding sets the exit code"
        assert (done.code, done.err) == (2, f"toolbridge: {problem}\n")


@pytest.mark.parametrize("more", [("--header", "A: b"), ("--env", "A=b"), ("--timeout", "3")])
def test_a_file_that_is_locked_is_no_server(run: Any, more: tuple[str, str]) -> None:
    write("a.json", tool())
    done = run("lock", "a.json", *more)
    assert (done.code, done.err) == (2, f"toolbridge: {more[0]} is for a server, found the file a.json\n")


def test_columns_of_many_digits(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "9" * 5000)
    assert run("check", "--help").code == 0
    assert run("explain", "TB101").code == 0
