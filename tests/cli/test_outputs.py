"""The files that the command writes: all of them or none, each under its own name, and pipes directly."""

from __future__ import annotations

import errno
import gzip
import json
import ntpath
import os
import subprocess
import sys
import tempfile
import threading
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from steps import steps
from toolbridge import DocumentError, ToolbridgeError, api
from toolbridge.bulk.files import blocks
from toolbridge.cli.inputs import hinted
from toolbridge.cli.output import Unit
from toolbridge.data.documents import Document
from toolbridge.data.output import check_folder

TOOL: dict[str, Any] = {
    "name": "tide",
    "title": "Tide",
    "description": "Tells the tide.",
    "inputSchema": {"type": "object", "properties": {"port": {"type": "string"}}},
}
TO = ("--from", "mcp@2025-06-18", "--to", "openai", "-q")

no_devices = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
no_pipes = pytest.mark.skipif(os.name == "nt", reason="pipes have no names there")


def write(name: str, *values: Any) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return name


def contents() -> dict[str, bytes]:
    return {each.as_posix(): each.read_bytes() for each in Path().rglob("*") if each.is_file()}


def refuse(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let files and directories be write-protected; the tests may run as root, whom permissions do not stop."""
    usual, refused = os.access, {os.path.realpath(name) for name in names}
    monkeypatch.setattr(os, "access", lambda path, mode: os.path.realpath(path) not in refused and usual(path, mode))


def fifo(name: str, data: bytes) -> threading.Thread:
    """A pipe with a name, and what writes these bytes to it."""
    os.mkfifo(name)
    writer = threading.Thread(target=Path(name).write_bytes, args=(data,), daemon=True)
    writer.start()
    return writer


# all files or none


@no_devices
def test_no_file_is_replaced_if_the_output_cannot_be_written(run: Any) -> None:
    write("a.json", TOOL)
    write("rest.json", "earlier")
    write("report.json", "earlier")
    before = contents()
    done = run("convert", "a.json", *TO, "-o", "/dev/full", "--remainder", "rest.json", "--report", "report.json")
    assert (done.code, done.err) == (2, "toolbridge: cannot write /dev/full: no space left on device\n")
    assert contents() == before


@pytest.mark.parametrize(
    ("refused", "reason"), [("out/o.json", "it is write-protected"), ("out", "its directory is write-protected")]
)
@pytest.mark.parametrize("command", [("convert", *TO), ("fix", "--as", "mcp")])
def test_no_file_is_replaced_if_the_output_is_protected(
    run: Any, monkeypatch: pytest.MonkeyPatch, refused: str, reason: str, command: tuple[str, ...]
) -> None:
    write("a.json", TOOL)
    write("out/o.json", "earlier")
    write("report.json", "earlier")
    before = contents()
    refuse(monkeypatch, refused)
    done = run(*command, "a.json", "-o", "out/o.json", "--report", "report.json")
    assert (done.code, done.err) == (2, f"toolbridge: cannot write out/o.json: {reason}\n")
    assert contents() == before


def test_no_output_is_written_if_another_cannot_be(run: Any) -> None:
    write("a.json", TOOL)
    write("b.json", TOOL)
    Path("out/b.json").mkdir(parents=True)
    done = run("convert", "a.json", "b.json", *TO, "-o", "out/", "--remainder", "rest.jsonl")
    assert (done.code, done.err) == (2, "toolbridge: cannot write out/b.json: it is a directory\n")
    assert sorted(contents()) == ["a.json", "b.json"]


def test_names_that_differ_in_case_only_go_to_directories(run: Any) -> None:
    """Where the file system does not distinguish them, one output replaced the other."""
    run("convert", write("a/Tool.json", TOOL), write("b/tool.json", TOOL), *TO, "-o", "out/")
    assert {"out/a/Tool.json", "out/b/tool.json"} <= contents().keys()


# a file of its own


@pytest.mark.parametrize("jobs", [(), ("--jobs", "1")])
@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--write-baseline", "o.json"], "--write-baseline o.json is also the output: give the new baseline"),
        (
            ["--write-baseline", "./report.json"],
            "--write-baseline ./report.json is also the report: give the new baseline",
        ),
        (["--write-baseline", "rest.json"], "--write-baseline rest.json is also the remainder: give the new baseline"),
        (["--write-baseline", "a.json"], "--write-baseline a.json is also an input: give the new baseline"),
        (["--baseline", "o.json"], "-o o.json is also the baseline: give the output"),
    ],
)
def test_a_baseline_needs_a_file_of_its_own(run: Any, jobs: tuple[str, ...], more: list[str], problem: str) -> None:
    write("a.json", {"tools": [TOOL]})
    write("o.json", {"version": 1, "findings": {}})
    # Not used as baselines: other files that are written, and the input.
    for name in ("report.json", "rest.json") if "--write-baseline" in more else ():
        write(name, {"version": 1, "findings": {}})
    if more[-1] == "a.json":
        write("a.json", {"version": 1, "findings": {}})
    before = contents()
    files = ("-o", "o.json", "--report", "report.json", "--remainder", "rest.json")
    done = run("convert", "a.json", *TO, *files, *more, *jobs)
    assert (done.code, contents()) == (2, before)
    assert done.err == f"toolbridge: {problem} a file of its own\n"


@pytest.mark.parametrize("named", ["dir", "dir/*.json", "dir/a.json"])
def test_the_report_of_a_check_does_not_replace_an_input(run: Any, named: str) -> None:
    write("dir/a.json", TOOL)
    done = run("check", named, "--as", "mcp", "--report", "dir/a.json")
    problem = "--report dir/a.json is also an input: give the report a file of its own"
    assert (done.code, done.err) == (2, f"toolbridge: {problem}\n")
    assert json.loads(Path("dir/a.json").read_text()) == TOOL
    for _ in range(2):  # the report itself has no tools
        assert run("check", "dir", "--as", "mcp", "--report", "dir/report.json").code == 0


def test_the_report_of_a_check_that_is_a_directory(run: Any) -> None:
    write("a.json", {"broken": 1})
    done = run("check", "a.json", "--report", "sub/")
    assert (done.code, done.err) == (2, "toolbridge: --report needs the name of a file, found sub/\n")
    Path("sub").mkdir()
    done = run("check", "a.json", "--report", "sub")
    assert (done.code, done.err) == (2, "toolbridge: cannot write sub: it is a directory\n")


@pytest.mark.parametrize("jobs", [(), ("--jobs", "1")])
def test_a_baseline_that_cannot_be_written(run: Any, jobs: tuple[str, ...]) -> None:
    write("a.json", {"tools": [TOOL]})
    done = run("convert", "a.json", *TO, "-o", "o.json", "--write-baseline", "nowhere/k.json", *jobs)
    assert (done.code, done.err) == (2, "toolbridge: cannot write nowhere/k.json: there is no directory nowhere\n")
    assert not Path("o.json").exists()


def test_a_directory_on_a_drive_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was looked for without end."""
    monkeypatch.setattr(os, "path", ntpath)
    with pytest.raises(ToolbridgeError, match="not a directory"):
        check_folder("Z:\\out\\")


def test_a_baseline_may_replace_the_one_that_is_read(run: Any) -> None:
    write("a.json", TOOL)
    done = run("convert", "a.json", *TO, "-o", "o.json", "--baseline", "k.json", "--write-baseline", "k.json")
    assert (done.code, sorted(contents())) == (0, ["a.json", "k.json", "o.json"])


def test_a_lock_does_not_replace_its_catalogue(run: Any) -> None:
    write("t.json", TOOL)
    done = run("lock", "t.json", "-o", "./t.json")
    problem = "-o ./t.json is also the catalogue that is locked: give the output a file of its own"
    assert (done.code, done.err) == (2, f"toolbridge: {problem}\n")
    assert json.loads(Path("t.json").read_text()) == TOOL
    assert run("lock", "t.json", "-o", "t.lock").code == 0


# what cannot be stored


def test_a_pipe_for_an_output_that_has_no_directory(tmp_path: Path) -> None:
    """The error named standard input."""
    command = [sys.executable, "-m", "toolbridge", "convert", "-", *TO, "--jobs", "1", "-o", "nodir/o.jsonl"]
    done = subprocess.run(command, cwd=tmp_path, input=json.dumps(TOOL), capture_output=True, text=True, check=False)
    problem = "cannot write nodir/o.jsonl: there is no directory nodir"
    assert (done.returncode, done.stderr) == (2, f"toolbridge: {problem}\n")


def test_temporary_files_that_cannot_be_written(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The errors named standard output and standard input."""
    Path("a.gz").write_bytes(gzip.compress(json.dumps([TOOL]).encode()))
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    done = run("convert", "a.gz", *TO, "-o", "o.json")
    assert done.code == 2
    assert "toolbridge: cannot store the input in " in done.err
    assert "no space left on device" in done.err


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_processes_that_cannot_be_started(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error named the output, and those that were started went on."""
    started: list[BaseProcess] = []
    usual = BaseProcess.start

    def start(process: BaseProcess) -> None:
        if started:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        started.append(process)
        usual(process)

    monkeypatch.setattr(BaseProcess, "start", start)
    monkeypatch.setattr(blocks, "BLOCK", 100)
    write("a.jsonl", *[TOOL] * 9)
    done = run("convert", "a.jsonl", *TO, "--jobs", "2", "-o", "o.jsonl")
    assert done.code == 2
    assert done.err.startswith("toolbridge: cannot start 2 processes: ")
    assert done.err.endswith("; choose fewer jobs\n")
    with pytest.raises(ValueError, match="closed"):
        started[0].is_alive()
    assert sorted(contents()) == ["a.jsonl"]


@pytest.mark.parametrize("length", [200, 201, 255])
def test_the_name_of_the_output_may_be_long(run: Any, length: int) -> None:
    """The names of the working files were too long."""
    write("a.jsonl", TOOL)
    name = "o" * (length - 6) + ".jsonl"
    assert run("convert", "a.jsonl", *TO, "--jobs", "1", "-o", name).code == 0
    assert sorted(contents()) == ["a.jsonl", name]


# pipes


@no_pipes
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("more", [("--jobs", "1"), ("--jobs", "1", "--rejects", "rejects.jsonl"), ()])
def test_a_pipe_with_a_name_is_read(run: Any, packed: bool, more: tuple[str, ...]) -> None:
    data = json.dumps({"tools": [TOOL]}).encode()
    writer = fifo("pipe", gzip.compress(data) if packed else data)
    done = run("convert", "pipe", *TO, *more, "-o", "o.json")
    writer.join(10)
    assert (done.code, done.err) == (0, "")
    assert "tide" in Path("o.json").read_text()


@no_devices
def test_the_null_device_is_read(run: Any) -> None:
    done = run("convert", "/dev/null", *TO, "--jobs", "1")
    assert done.code == 2
    assert "unexpected" not in done.err


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this system has no /dev/stdout")
@pytest.mark.parametrize(
    "command",
    [
        ("convert", "--to", "mcpx", "-o", "/dev/stdout"),
        ("convert", "--to", "mcpx", "-o", "o.json", "--remainder", "/dev/stdout"),
        ("convert", "--to", "mcpx", "--jobs", "1", "-o", "/dev/stdout"),
        ("fix", "--as", "mcp", "-o", "/dev/stdout"),
        ("lock", "-o", "/dev/stdout"),
    ],
)
def test_a_pipe_is_written_directly(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"tools": [TOOL]}))
    done = subprocess.run(
        [sys.executable, "-m", "toolbridge", *command, "a.json"], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert isinstance(json.loads(done.stdout), (dict, list))


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this system has no /dev/stdout")
@pytest.mark.parametrize("jobs", [(), ("--jobs", "1")])
@pytest.mark.parametrize("mode", ["ab", "r+b"])
@pytest.mark.parametrize("files", [("-o", "/dev/stdout"), ("-o", "/dev/fd/1"), ("--remainder", "/dev/stdout")])
def test_a_descriptor_of_a_file_keeps_what_the_file_has(
    tmp_path: Path, jobs: tuple[str, ...], mode: str, files: tuple[str, ...]
) -> None:
    (tmp_path / "a.json").write_text(json.dumps(TOOL))
    log = tmp_path / "log"
    log.write_bytes(b"precious\n")
    with log.open(mode) as out:
        out.seek(0, os.SEEK_END)
        done = subprocess.run(
            [sys.executable, "-m", "toolbridge", "convert", "a.json", *TO, "--format", "jsonl", *files, *jobs],
            cwd=tmp_path, stdout=out, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    first, *rest = log.read_bytes().splitlines()
    assert first == b"precious"
    kinds = ["function" if "function" in json.loads(line) else "remainder" for line in rest]
    assert kinds == ["remainder", "function"][files[0] == "-o" :]


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this system has no /dev/stdout")
def test_a_report_on_standard_output_leaves_the_output_there(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(TOOL))
    with (tmp_path / "x").open("wb") as out:
        command = [sys.executable, "-m", "toolbridge", "convert", "a.json", *TO, "--report", "/dev/stdout"]
        subprocess.run(command, cwd=tmp_path, stdout=out, check=True)
    text = (tmp_path / "x").read_text()
    assert text.startswith('{"version":1')
    assert '"function": {' in text


# fix


@pytest.mark.parametrize("file", ["-o", "--report"])
def test_fix_checks_all_files_first(run: Any, file: str) -> None:
    write("a.json", TOOL)
    files = {"-o": "o.json", "--report": "r.json", file: "nowhere/f.json"}
    done = run("fix", "a.json", "--as", "mcp", *(part for each in files.items() for part in each))
    assert (done.code, done.err) == (2, "toolbridge: cannot write nowhere/f.json: there is no directory nowhere\n")
    assert sorted(contents()) == ["a.json"]


def test_fix_writes_the_form_of_the_ending(run: Any) -> None:
    yaml = Path("y.yaml")
    yaml.write_text("name: tide\ndescription: d\ninputSchema: {type: object}\n")
    write("l.json", [TOOL, {**TOOL, "name": "wind"}])
    assert run("fix", "y.yaml", "--as", "mcp", "-q", "-o", "o.json").code == 0
    assert json.loads(Path("o.json").read_text())["name"] == "tide"
    assert run("fix", "l.json", "--as", "mcp", "-q", "-o", "o.jsonl").code == 0
    assert [json.loads(line)["name"] for line in Path("o.jsonl").read_text().splitlines()] == ["tide", "wind"]
    assert run("fix", "o.jsonl", "--as", "mcp", "-q", "-o", "l2.json").code == 0
    assert [each["name"] for each in json.loads(Path("l2.json").read_text())] == ["tide", "wind"]
    assert run("fix", "l.json", "--as", "mcp", "-q", "-o", "o.yml").code == 0
    assert Path("o.yml").read_text().startswith("- name: tide")
    assert run("fix", "y.yaml", "--as", "mcp", "-q").out.startswith("name: tide")


# inputs that are given twice


@pytest.mark.parametrize("inputs", [["t.json", "t.json"], ["t.json", "d", "t.json"], ["d", "d/u.json", "t.json"]])
def test_an_input_that_is_given_twice_is_read_once(run: Any, inputs: list[str]) -> None:
    write("t.json", TOOL)
    if "d" in inputs:
        write("d/u.json", {**TOOL, "name": "wind"})
    done = run("convert", *inputs, "--to", "openai", "-o", "o.jsonl", "--report", "r.jsonl")
    number = 2 if "d" in inputs else 1
    assert done.code == 0
    assert len(Path("o.jsonl").read_text().splitlines()) == number
    assert len(Path("r.jsonl").read_text().splitlines()) == number


def test_standard_input_cannot_be_given_twice(run: Any) -> None:
    Path("d").mkdir()
    write("d/u.json", TOOL)
    for inputs in (["-", "-"], ["-", "d", "-"]):
        done = run("convert", *inputs, "--to", "openai")
        assert (done.code, done.err) == (2, "toolbridge: standard input (-) can be read only once\n")


# messages


@pytest.mark.parametrize("command", [("fix", "--as", "mcp"), ("lock",)])
@pytest.mark.parametrize(("name", "found"), [("", "an empty one"), ("new/", "new/")])
def test_an_output_without_the_name_of_a_file(run: Any, command: tuple[str, ...], name: str, found: str) -> None:
    write("a.json", TOOL)
    done = run(*command, "a.json", "-o", name)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"toolbridge: -o needs the name of a file, found {found}\n"
    assert [each.name for each in Path().iterdir()] == ["a.json"]


def test_a_directory_that_cannot_be_made(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.json", TOOL)
    write("file", 1)
    for path in ("file/", "file/sub/"):
        done = run("convert", "a.json", *TO, "-o", path)
        assert (done.code, done.err) == (2, f"toolbridge: cannot write {path}: not a directory\n")

    refuse(monkeypatch, ".")
    done = run("convert", "a.json", *TO, "-o", "nowhere/sub/")
    assert (done.code, done.err) == (2, "toolbridge: cannot write nowhere/sub/: permission denied\n")


@pytest.mark.parametrize(("given", "out"), [("d", "d"), ("d/a.json", "d/"), ("a.json", ".")])
def test_an_input_that_is_replaced_is_named(run: Any, given: str, out: str) -> None:
    """Somebody who names a directory does not name its files."""
    name = write("a.json" if given == "a.json" else "d/a.json", TOOL)
    options = ("--from", "mcp@2025-06-18", "--to", "openai")
    said = run("convert", given, *options, "-o", out).err.splitlines()
    assert said[-1].removeprefix("./") == f"{name}: the input was replaced"
    assert "replaced" not in run("convert", name, "--to", "openai", "-o", name).err
    assert "replaced" not in run("convert", name, "--to", "openai", "-o", "elsewhere/").err


def test_a_run_that_is_interrupted_makes_no_directory(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(api, "convert", interrupted)
    assert run("convert", write("a.json", TOOL), *TO, "-o", "out/").code == 130
    assert not Path("out").exists()


def test_a_document_that_is_a_string_does_not_stop_the_others(run: Any, tmp_path: Path) -> None:
    """The JSON in it was converted, and then the run ended."""
    (tmp_path / "s.json").write_text(json.dumps(json.dumps({"name": "x", "inputSchema": {"type": "object"}})))
    tool = {"name": "a", "inputSchema": {"type": "object", "properties": {}}}
    (tmp_path / "a.json").write_text(json.dumps(tool))
    out = f"{tmp_path / 'out'}/"
    done = run("convert", str(tmp_path / "a.json"), str(tmp_path / "s.json"), "--to", "openai", "-o", out)
    assert done.code == 1
    assert "give the JSON value instead of a string" in done.err
    assert json.loads((tmp_path / "out" / "a.json").read_text())["function"]["name"] == "a"


def test_equal_names_of_several_inputs_are_reported(run: Any) -> None:
    """Both tools were called `get_x` in one output, without a loss."""
    for name in ("get.x", "get_x"):
        write(f"{name}.json", {"name": name, "inputSchema": TOOL["inputSchema"]})
    to = ("--from", "mcp", "--to", "openai", "-q")
    done = run("convert", "get.x.json", "get_x.json", *to, "-o", "all.jsonl", "--report", "r.json")
    first, second = ([loss["code"] for loss in each["losses"]] for each in json.loads(Path("r.json").read_text()))
    assert (done.code, first, second) == (0, ["TB501"], ["TB003"])
    run("convert", "get.x.json", "get_x.json", *to, "-o", "out/", "--report", "r.json")
    assert [each["losses"] for each in json.loads(Path("r.json").read_text())][1] == []


def test_equal_names_of_several_inputs_are_said_with_the_name(run: Any) -> None:
    """It was "the list has the name of another one", and the report had no tool."""
    for name in ("a", "b"):
        write(f"{name}.json", {"name": "tide", "inputSchema": TOOL["inputSchema"]})
    done = run("convert", "a.json", "b.json", "--to", "openai", "-o", "all.jsonl", "--report", "r.json")
    assert "  1 tool has the name of another one: tide\n" in done.err
    (loss,) = json.loads(Path("r.json").read_text())[1]["losses"]
    assert (loss["tool"], loss["before"]["text"]) == ("tide", '"tide"')


def test_an_error_of_a_line_takes_no_longer_among_many() -> None:
    """All values of the text were listed again for each error of `check`: 15 MB of tools took 40 seconds."""
    few, many = (
        Unit("in.jsonl", [Document(line=n + 1, value={**TOOL, "name": f"t{n}"}) for n in range(count)], True, True)
        for count in (10, 10_000)
    )
    error = DocumentError("no", "/0/name", item=0)
    hinted(error, few)  # imports what is needed
    assert steps(lambda: hinted(error, many)) == steps(lambda: hinted(error, few))


def test_a_file_takes_no_longer_among_many(run: Any) -> None:
    """Several loops went over all results for each file."""
    each: list[float] = []
    for number in (5, 50, 200):
        for n in range(number):
            write(f"in{number}/t{n}.json", TOOL | {"name": f"t{n}"})
        arguments = ("convert", f"in{number}", *TO, "-o", f"out{number}/", "--report", "r.json")
        each.append(steps(lambda arguments=arguments: run(*arguments)) / number)
    _, some, many = each  # the first run imports what is needed
    assert many < some
