"""Defaults of options in pyproject.toml."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TOOL: dict[str, Any] = {
    "name": "book",
    "description": "Books.",
    "inputSchema": {"type": "object", "properties": {"q": {"type": "string", "minLength": 3, "pattern": "(?!x)"}}},
    "annotations": {"destructiveHint": True},
}


@pytest.fixture
def run(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    Path("a.json").write_text(json.dumps(TOOL))
    return run


def configure(text: str, name: str = "../pyproject.toml") -> None:
    Path(name).write_text(f'[project]\nname = "x"\ndependencies = ["toolbridge"]\n\n{text}\n', encoding="utf-8")


def test_options_have_defaults(run: Any) -> None:
    configure('[tool.toolbridge]\nto = "mcpx@servlet"\nfrom = "mcp"\nfail-on = ["safety"]')
    done = run("convert", "a.json", "-q")
    assert (done.code, json.loads(done.out)["name"]) == (1, "book")
    # The command line is stronger, lists included.
    assert json.loads(run("convert", "a.json", "-q", "--to", "openai").out)["type"] == "function"
    assert run("convert", "a.json", "-q", "--fail-on", "never").code == 0
    # Empty is not "never": it is what a variable of a CI system gives that is not set.
    for option in ("--fail-on", "--refuse"):
        empty = run("convert", "a.json", "-q", option, "")
        assert (empty.code, f"{option} is empty" in empty.err) == (2, True)
    plain = run("convert", "a.json", "-q", "--no-config")
    assert plain.code == 2
    assert "the following arguments are required: --to" in plain.err
    assert run("explain", "TB601").code == 0


def test_every_kind_of_value(run: Any) -> None:
    configure(
        "[tool.toolbridge]\nquiet = true\nno-prose = true\nunroll = 2\nlimits = {nodes = 500, depth = 20}\n"
        'fill = {toolkit = "Harbour", "/version" = "2.0.0"}\nformat = "jsonl"\n'
        '[tool.toolbridge.convert]\nto = "arcade"\nignore = "TB401,safety:b*"\n'
        '[tool.toolbridge.check]\nas = "openai@chat-strict"\nquiet = false\n'
    )
    done = run("convert", "a.json")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith('{"id":"Harbour.book@2.0.0"')
    assert "{minLength" not in done.out
    assert "TB101" not in run("convert", "a.json", "-v").err.split("findings ignored")[1]
    assert "checked as openai@chat-strict" in run("check", "a.json").err


def test_one_command_is_stronger_than_all(run: Any) -> None:
    configure('[tool.toolbridge]\nfail-on = "safety"\nto = "mcpx"\n[tool.toolbridge.convert]\nfail-on = "never"\n')
    assert run("convert", "a.json", "-q").code == 0


def test_diff_takes_its_own_words_only(run: Any) -> None:
    """`fail-on` of all commands made `diff` end with an error: it knows changes, not losses."""
    configure('[tool.toolbridge]\nfail-on = ["error"]\noutput-format = "sarif"\n')
    assert run("diff", "a.json", "a.json").code == 0
    Path("b.json").write_text(json.dumps(TOOL | {"description": "Books a berth."}))
    configure('[tool.toolbridge]\nfail-on = ["error"]\n[tool.toolbridge.diff]\nfail-on = "text"\n')
    assert run("diff", "a.json", "b.json").code == 1


def test_files_are_relative_to_the_pyproject(run: Any) -> None:
    configure('[tool.toolbridge]\nbaseline = "known.json"\nto = "mcpx"\n')
    assert "baseline: ../known.json: there is no such file" in run("convert", "a.json", "-o", "o.json").err
    run("convert", "a.json", "-o", "o.json", "--no-config", "--to", "mcpx", "--write-baseline", "../known.json")
    done = run("convert", "a.json", "-o", "o.json", "--fail-on", "info")
    assert (done.code, "1 finding ignored (../known.json)" in done.err) == (0, True)


def test_a_key_is_for_the_runs_that_have_a_remainder(run: Any) -> None:
    configure('[tool.toolbridge]\nkey-file = "own.key"')
    assert run("convert", "a.json", "-q", "--to", "arcade").code == 0
    assert "own.key" in run("convert", "a.json", "-q", "--to", "arcade", "--embed").err
    Path("../own.key").write_bytes(b"0123456789abcdef")
    assert run("convert", "a.json", "-q", "--to", "arcade", "--embed").code == 0
    assert run("convert", "a.json", "-q", "--to", "arcade", "--key-file", "../own.key").code == 2


def test_the_nearest_table_counts(run: Any) -> None:
    configure('[tool.toolbridge]\nto = "mcpx"')
    configure("[tool.other]\nx = 1", "pyproject.toml")  # without the table: the next one above
    assert run("convert", "a.json", "-q").code == 0
    configure('[tool.toolbridge]\nto = "openai"', "pyproject.toml")
    assert json.loads(run("convert", "a.json", "-q").out)["type"] == "function"


@pytest.mark.parametrize(
    "text", ['tool.toolbridge.to = "mcpx"', '[tool]\ntoolbridge = {to = "mcpx"}', '["tool"."toolbridge"]\nto = "mcpx"']
)
def test_other_spellings(run: Any, text: str) -> None:
    Path("pyproject.toml").write_text(text)
    assert run("convert", "a.json", "-q").code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fail_on = 'error'", "fail_on is not an option; near: fail-on"),
        ("convert = {refus = 'x'}", "convert.refus is not an option; near: refuse"),
        ("check = {to = 'x'}", "check.to is not an option; near: as"),
        ("output = 'x'", "output is for the command line only"),
        ("convert.write-baseline = 'x'", "convert.write-baseline is for the command line only"),
        ("quiet = 'yes'", "quiet takes true or false, found 'yes'"),
        ("to = ['x']", "to takes a text or a number, found ['x']"),
        ("ignore = [true]", "ignore takes a text or a number, found True"),
        ("format = 'xml'", "format is one of json, jsonl, yaml, found 'xml'"),
    ],
)
def test_mistakes(run: Any, text: str, message: str) -> None:
    configure(f"[tool.toolbridge]\n{text}")
    done = run("convert", "a.json", "--to", "mcpx")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"toolbridge: ../pyproject.toml: [tool.toolbridge] {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('to = "opnai"', "../pyproject.toml: [tool.toolbridge] to: no format is called 'opnai'; near: openai"),
        ('to = "openai"\nfrom = "mpc"', "../pyproject.toml: [tool.toolbridge] from: no format is called 'mpc'"),
        ('to = "openai"\nrefuse = ["TB999"]', "../pyproject.toml: [tool.toolbridge] refuse: no loss is called"),
        ('to = "openai"\njobs = "a"', "../pyproject.toml: [tool.toolbridge] jobs takes a number from 1 to 999"),
        ('to = "openai"\nlimits = {nodes = "q"}', "../pyproject.toml: [tool.toolbridge] limits nodes takes"),
        ('to = "openai"\nbaseline = "gone.json"', "../pyproject.toml: [tool.toolbridge] baseline: ../gone.json: there"),
        ('convert.to = "opnai"', "../pyproject.toml: [tool.toolbridge] convert.to: no format is called 'opnai'"),
    ],
)
def test_a_wrong_value_is_named_with_its_place(run: Any, text: str, message: str) -> None:
    configure(f"[tool.toolbridge]\n{text}")
    done = run("convert", "a.json", "-q")
    assert done.code == 2
    assert done.err.startswith(f"toolbridge: {message}")


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("/verzion", "arcade@1.0 has no field /verzion"),
        ("verzion", "'verzion' is neither a JSON Pointer into arcade@1.0"),
        ("/version/x", "/version/x: "),
    ],
)
@pytest.mark.parametrize("large", [False, True])
def test_a_wrong_place_to_fill_is_named_with_its_place(run: Any, place: str, problem: str, large: bool) -> None:
    configure(f'[tool.toolbridge]\nto = "arcade"\nfill = {{"{place}" = "1.0.0"}}')
    Path("a.jsonl").write_text("".join(json.dumps({**TOOL, "name": name}) + "\n" for name in ("a", "b")))
    done = run("convert", "a.jsonl", "-o", "out.jsonl", *(["--jobs", "1", "--rejects", "r.jsonl"] if large else []))
    assert f"../pyproject.toml: [tool.toolbridge] fill: {problem}" in done.err
    assert "pyproject" not in run("convert", "a.jsonl", "--no-config", "--to", "arcade", "--fill", f"{place}=1.0.0").err


def test_a_wrong_value_of_the_command_line_is_not_one_of_the_file(run: Any) -> None:
    configure('[tool.toolbridge]\nto = "openai"')
    assert run("convert", "a.json", "-q", "--to", "opnai").err.startswith("toolbridge: no format is called 'opnai'")


def test_a_broken_file(run: Any) -> None:
    configure("[tool.toolbridge]\nto = ")
    done = run("convert", "a.json", "--to", "mcpx")
    assert (done.code, done.err.startswith("toolbridge: ../pyproject.toml: not TOML: ")) == (2, True)
    configure("to = ")  # of others: it is not read
    assert run("convert", "a.json", "--to", "mcpx", "-q").code == 0


def test_a_file_of_others_costs_nothing(run: Any) -> None:
    assert run("explain", "TB601").code == 0
    configure('[tool.other]\nx = "see toolbridge"')
    code = "import sys; from toolbridge.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    arguments = [sys.executable, "-c", code, "convert", "a.json", "--to", "mcpx", "-q"]
    modules = subprocess.run(arguments, capture_output=True, check=True).stderr.decode().split()
    assert not {"tomllib", "fnmatch", "toolbridge.cli.gates", "toolbridge.cli.files", "shutil"} & {*modules}


def test_a_file_that_cannot_be_read_is_an_error(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or else a gate that it sets would be open, and nobody would know."""
    configure('[tool.toolbridge]\nfail-on = ["safety"]\n')
    real = open

    def refuse(path: Any, *more: Any, **options: Any) -> Any:
        if str(path).endswith("pyproject.toml"):
            raise PermissionError(13, "Permission denied")
        return real(path, *more, **options)

    monkeypatch.setattr("builtins.open", refuse)
    done = run("check", "a.json")
    assert (done.code, done.err) == (
        2,
        "toolbridge: ../pyproject.toml: cannot be read: permission denied; or give --no-config\n",
    )
    assert run("check", "a.json", "--no-config").code == 0


def test_a_byte_order_mark_is_no_part_of_the_table(run: Any) -> None:
    Path("../pyproject.toml").write_text('[tool.toolbridge]\nto = "openai"\n', encoding="utf-8-sig")
    assert json.loads(run("convert", "a.json", "-q").out)["type"] == "function"


def test_a_number_with_a_fraction(run: Any) -> None:
    configure("[tool.toolbridge.pull]\ntimeout = 2.5")
    assert "[tool.toolbridge]" not in run("pull", "--stdio", "no-such-program").err
    configure("[tool.toolbridge.convert]\nunroll = 2.5")
    done = run("convert", "a.json", "--to", "openai")
    assert done.code == 2
    assert "2.5" in done.err


def test_a_check_of_a_lock_file_does_not_take_the_configured_format(run: Any) -> None:
    configure('[tool.toolbridge.lock]\nfrom = "mcp@2025-06-18"')
    assert "of mcp@2025-06-18 locked" in run("lock", "a.json", "-o", "a.lock").err
    assert run("lock", "a.json", "--check", "a.lock").code == 0
    assert run("lock", "a.json", "--check", "a.lock", "--from", "mcp").code == 2


def test_a_file_on_another_drive_keeps_its_path(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows no path leads there from the current directory: ValueError."""
    usual = os.path.relpath

    def relpath(path: str) -> str:
        if path.startswith("/other"):
            raise ValueError("path is on mount 'D:', start on mount 'C:'")
        return usual(path)

    monkeypatch.setattr(os.path, "relpath", relpath)
    configure('[tool.toolbridge]\nto = "mcpx"\nbaseline = "/other/known.json"')
    assert "baseline: /other/known.json: there is no such file" in run("convert", "a.json", "-o", "o.json").err
