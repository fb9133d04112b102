"""Working files: whatever stands where a run keeps them, nothing else is opened, changed or removed."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from toolbridge import ToolbridgeError
from toolbridge.bulk.files import output as parts
from toolbridge.bulk.files import working_files
from toolbridge.bulk.files.job import Job
from toolbridge.bulk.files.plan import JobSpec, ProgressState
from toolbridge.cli import main
from toolbridge.conversion.options import ConversionOptions
from toolbridge.data.output import write_together

from .catalogues import as_lines, as_list, tools

FILES = {"output": "out", "report": "losses.jsonl", "remainder": "rest.jsonl", "rejects": "bad.jsonl"}
WORKING = (
    ".out.toolbridge-part",
    ".out.toolbridge-part2",
    ".out.toolbridge-part.json",
    ".out.toolbridge-marks.toolbridge-part",
    ".losses.jsonl.toolbridge-part",
    ".rest.jsonl.toolbridge-part2",
    ".bad.jsonl.toolbridge-part",
)
ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs links, owners and permissions")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parts, "EVERY", 0.0)
    Path("in").write_bytes(as_lines(ITEMS))


ITEMS: list[Any] = [
    *({**each, "name": f"t{n}"} for n, each in enumerate(tools("mcp", "2025-11-25", 60))),
    {"no": "tool"},
]


def run(see: Any = None, **more: Any) -> Any:
    return Job(JobSpec(**{"name": "in", "to": "openai", "block": 5000, **FILES, **more}), see).run()


def left() -> list[str]:
    return sorted(each.name for each in Path().iterdir() if "toolbridge" in each.name)


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def stop(seen: ProgressState) -> None:
    if seen.tools:
        raise KeyboardInterrupt


KILLED = """
import os, sys, json
import msgspec
from toolbridge.bulk.files.plan import JobSpec
from toolbridge.bulk.files.output import OutputFiles
from toolbridge.bulk.files.job import Job
OutputFiles._rename_all = lambda self: os._exit(9)
Job(msgspec.convert(json.loads(sys.argv[1]), JobSpec)).run()
"""


def killed_before_the_files_get_their_names(**more: Any) -> None:
    given = {"name": "in", "to": "openai", "block": 5000, "jobs": 1, **FILES, **more}
    assert subprocess.run([sys.executable, "-c", KILLED, json.dumps(given)], check=False).returncode == 9


@pytest.mark.parametrize("name", WORKING)
@pytest.mark.parametrize("kind", ["symbolic link", "link to nothing", "hard link", "directory", "pipe"])
@pytest.mark.parametrize("resume", [False, True])
def test_what_is_no_working_file_of_ours_is_refused_and_not_touched(name: str, kind: str, resume: bool) -> None:
    """S3: what a link led to was written over."""
    precious = Path("precious")
    precious.write_bytes(b"export PRECIOUS=1\n")
    path, words = Path(name), "is a symbolic link"
    if kind == "symbolic link":
        path.symlink_to("precious")
    elif kind == "link to nothing":
        path.symlink_to("nothing")
    elif kind == "hard link":
        path.hardlink_to("precious")
        words = r"has other names as well \(hard links\)"
    elif kind == "directory":
        path.mkdir()
        words = "is a directory"
    else:
        os.mkfifo(path)
        words = "is not a regular file"
    Path("out").write_bytes(b"old")
    known, before = path.lstat(), {*Path().iterdir()}
    with pytest.raises(ToolbridgeError, match=rf"{name}, where toolbridge keeps .*, {words}: remove it, or choose"):
        run(resume=resume)
    assert path.lstat() == known
    assert precious.read_bytes() == b"export PRECIOUS=1\n"
    assert Path("out").read_bytes() == b"old"
    assert {*Path().iterdir()} == before


def test_the_command_names_the_link(capfd: pytest.CaptureFixture[str]) -> None:
    Path("precious").write_bytes(b"old")
    Path(".o.toolbridge-part").symlink_to("precious")
    assert main(["convert", "in", "--to", "openai", "-o", "o", "--jobs", "1"]) == 2
    said = capfd.readouterr().err
    assert said.startswith("toolbridge: cannot write o: ")
    assert ".o.toolbridge-part, where toolbridge keeps unfinished output, is a symbolic link: remove it" in said
    assert Path("precious").read_bytes() == b"old"


@pytest.mark.parametrize("name", WORKING)
def test_a_file_of_another_user_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(name).write_bytes(b"theirs")
    monkeypatch.setattr(working_files.os, "geteuid", lambda: 4242)
    with pytest.raises(ToolbridgeError, match="belongs to another user"):
        run()
    assert Path(name).read_bytes() == b"theirs"


def test_what_an_earlier_run_left_is_removed_and_not_written_over() -> None:
    for name in WORKING:
        Path(name).write_bytes(b"left")
    open_still = [Path(name).open("rb") for name in WORKING]  # noqa: SIM115 - closed below
    run()
    for file in open_still:
        with file:
            assert file.read() == b"left"  # whoever has it open does not see what is written now
    assert not left()


@pytest.mark.parametrize("name", ["precious.toolbridge-part", ".losses.jsonl.toolbridge-part"])
@pytest.mark.parametrize("resume", [False, True])
def test_a_ledger_that_somebody_put_there_removes_nothing_else(name: str, resume: bool) -> None:
    """S3: it removed the files that it named."""
    Path("precious").mkdir()
    other = Path("precious", name)
    other.write_bytes(b"precious")
    for _ in range(2):
        head = {"version": "0", "options": {}, "input": {}, "parts": [str(other), os.fspath(other.resolve())]}
        Path(".out.toolbridge-part.json").write_text(json.dumps(head) + "\n")
        if resume:
            with pytest.raises(ToolbridgeError, match="cannot resume out"):
                run(resume=True)
        run()
        assert other.read_bytes() == b"precious"
        assert not left()


def _entry(text: str, **more: Any) -> str:
    entry = json.loads(text)
    fields = {"number": 0, "pieces": 1, "places": 2, "lead": 3, "counted": 4}
    for key, value in more.items():
        entry[fields[key]] = value
    return json.dumps(entry)


@pytest.mark.parametrize(
    "change",
    [
        {"pieces": {"out": [-5, ""]}},
        {"pieces": {"out": [1 << 70, ""]}},
        {"pieces": {}},
        {"pieces": {"/etc/passwd": [1, ""]}},
        {"places": {}},
        {"places": {"out": -7}},
        {"lead": -100},
        {"lead": 1 << 40},
        {"counted": {"codes": {"TB999": 1}}},
        {"counted": {"places": {"nowhere": [[0, None, ""]]}}},
        {"counted": 7},
        {"number": 10**30},
    ],
    ids=str,
)
@pytest.mark.parametrize("size", [None, 1 << 50])
def test_a_ledger_that_says_anything_is_refused_or_counts_for_nothing(change: dict[str, Any], size: int | None) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(stop)
    ledger = Path(".out.toolbridge-part.json")
    head, first, *others = ledger.read_text().splitlines()
    if size is not None and "pieces" not in change:
        pieces = json.loads(first)[1]
        change = {**change, "pieces": {name: [size, digest] for name, (_, digest) in pieces.items()}}
    ledger.write_text("\n".join([head, _entry(first, **change), *others]) + "\n")
    said: list[str] = []
    try:
        run(resume=True)
    except ToolbridgeError as error:
        said.append(str(error))
        run()
    assert all(each.startswith("cannot resume out: ") for each in said)
    assert not left()
    assert len(Path("out").read_bytes().splitlines()) == 60


@pytest.mark.parametrize("shape", ["lines", "list"])
@pytest.mark.parametrize("meet", [False, True])
@pytest.mark.parametrize("name", ["out", "losses.jsonl", "rest.jsonl", "bad.jsonl"])
@pytest.mark.parametrize("named", [False, True])
def test_what_was_damaged_before_it_got_its_name_gets_none(shape: str, meet: bool, name: str, named: bool) -> None:
    """S7: only the sizes were compared."""
    items = [*ITEMS, {**ITEMS[0], "name": "wind!"}, {**ITEMS[0], "name": "wind?"}] if meet else ITEMS
    Path("in").write_bytes((as_lines if shape == "lines" else as_list)(items))
    killed_before_the_files_get_their_names()
    part = Path(f".{name}.toolbridge-part{'2' if meet else ''}")
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    if named:
        part.rename(name)
    before = left()
    with pytest.raises(ToolbridgeError, match=rf"cannot resume out: what was written to .*{name}.* was changed"):
        run(resume=True)
    assert left() == before
    assert [each for each in FILES.values() if Path(each).exists()] == ([name] if named else [])
    run()
    assert not left()


def test_every_byte_that_was_written_counts() -> None:
    Path("in").write_bytes(as_list(ITEMS))
    killed_before_the_files_get_their_names()
    part = Path(".out.toolbridge-part")
    data = part.read_bytes()
    head, comma, end = 0, data.index(b",\n"), len(data) - 1
    for changed in (
        *(data[:place] + b" " + data[place + 1 :] for place in (head, comma, comma + 1, end)),
        data + b" ",
        data[:-1],
    ):
        part.write_bytes(changed)
        with pytest.raises(ToolbridgeError, match=r"cannot resume out: what was written to .* was changed"):
            run(resume=True)
    part.write_bytes(data)
    assert run(resume=True).resumed == 61
    assert Path("out").read_bytes() == data
    assert not left()


def test_between_the_blocks_every_byte_counts_as_well() -> None:
    Path("in").write_bytes(as_list(ITEMS))
    with pytest.raises(KeyboardInterrupt):
        run(lambda seen: stop(seen) if (seen.tools or 0) > 40 else None)
    second = json.loads(Path(".out.toolbridge-part.json").read_bytes().splitlines()[2])
    place = second[2]["out"]
    part = Path(".out.toolbridge-part")
    data = part.read_bytes()
    assert data[place : place + 2] == b",\n"
    part.write_bytes(data[:place] + b";" + data[place + 1 :])
    with pytest.raises(ToolbridgeError, match=r"cannot resume out: what was written to .* was changed"):
        run(resume=True)


def test_a_ledger_cannot_leave_files_out() -> None:
    killed_before_the_files_get_their_names()
    ledger = Path(".out.toolbridge-part.json")
    *others, last = ledger.read_text().splitlines()
    for name in ("out", "report"):
        ended = json.loads(last)
        del ended[0][name]
        ledger.write_text("\n".join([*others, json.dumps(ended)]) + "\n")
        with pytest.raises(ToolbridgeError, match="is inconsistent"):
            run(resume=True)


def test_a_run_of_which_nothing_came_ends_as_such_when_it_is_resumed() -> None:
    refused = {"options": {"refuse": ["TB4", "TB1", "TB9"], "on_error": "skip"}, "to": "arcade"}
    Path("out").write_bytes(b"old")
    Path("rest.jsonl").write_bytes(b"old, too")
    killed_before_the_files_get_their_names(**refused)
    assert ".out.toolbridge-part" in left()
    options = ConversionOptions(refuse=("TB4", "TB1", "TB9"), on_error="skip")
    tally = run(resume=True, options=options, to="arcade")
    assert (tally.counted.none, tally.tools) == (True, 61)
    assert (Path("out").read_bytes(), Path("rest.jsonl").read_bytes()) == (b"old", b"old, too")
    assert len(Path("bad.jsonl").read_bytes().splitlines()) == 61
    assert not left()


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("mask", "new"), [(0, 0o666), (0o022, 0o644), (0o077, 0o600)])
def test_only_the_owner_reads_what_is_not_finished(jobs: int, mask: int, new: int) -> None:
    """S12: they were 0644."""
    Path("in").write_bytes(as_lines([*ITEMS, {**ITEMS[0], "name": "wind!"}, {**ITEMS[0], "name": "wind?"}]))
    modes: set[int] = set()
    usual = parts.OutputFiles.finish

    def look(*_: Any) -> None:
        modes.update(Path(name).stat().st_mode & 0o777 for name in left())

    def finish(self: parts.OutputFiles, *given: Any) -> None:
        look()
        usual(self, *given)

    Path("losses.jsonl").write_bytes(b"old")
    Path("losses.jsonl").chmod(0o640)
    with umask(mask), pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts.OutputFiles, "finish", finish)
        run(look, jobs=jobs)
    assert modes == {0o600}
    found = {name: Path(name).stat().st_mode & 0o777 for name in FILES.values()}
    assert found == {"out": new, "losses.jsonl": 0o640, "rest.jsonl": new, "bad.jsonl": new}
    assert not left()


def test_after_a_stop_only_the_owner_reads_what_is_left() -> None:
    with umask(0), pytest.raises(KeyboardInterrupt):
        run(stop)
    assert {Path(name).stat().st_mode & 0o777 for name in left()} == {0o600}
    with umask(0o027):
        run(resume=True)
    assert {Path(name).stat().st_mode & 0o777 for name in FILES.values()} == {0o640}


@pytest.mark.parametrize("unnamed", [True, False])
def test_a_small_file_is_private_until_it_has_its_name(unnamed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not unnamed:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    seen: set[int] = set()

    def pieces() -> Iterator[bytes]:
        seen.update(Path(name).stat().st_mode & 0o777 for name in left())
        yield b"text"

    with umask(0o002):
        write_together([("small", pieces())])
        assert os.umask(0o002) == 0o002
    assert (seen, Path("small").stat().st_mode & 0o777) == ({0o600}, 0o664)
    Path("small").chmod(0o4751)
    write_together([("small", pieces())])
    assert (seen, Path("small").stat().st_mode & 0o7777) == ({0o600}, 0o751)
    assert not left()


def test_a_report_is_written_by_one_run_at_a_time() -> None:
    pytest.importorskip("fcntl")
    said: list[str] = []

    def see(seen: ProgressState) -> None:
        if seen.tools and not said:
            try:
                run(output="another", rejects=None, remainder=None)
            except ToolbridgeError as error:
                said.append(str(error))

    run(see)
    assert said == ["another run is writing losses.jsonl"]
    assert not Path("another").exists()
    assert not left()


def test_a_working_file_that_somebody_replaces_gets_no_name() -> None:
    Path("precious").write_bytes(b"precious")

    def see(seen: ProgressState) -> None:
        if seen.tools == 61:
            Path(".out.toolbridge-part").unlink()
            Path(".out.toolbridge-part").symlink_to("precious")

    with pytest.raises(ToolbridgeError, match=r"cannot write out: .*\.out\.toolbridge-part was changed meanwhile"):
        run(see)
    assert not os.path.lexists("out")
    assert Path("precious").read_bytes() == b"precious"


def test_whoever_works_opens_the_file_that_was_made() -> None:
    one = working_files.begin("part", "out")
    known = os.fstat(one)
    Path("other").write_bytes(b"other")
    Path("other").replace("part")
    with pytest.raises(ToolbridgeError, match=r"part, .* was changed meanwhile: remove it"):
        working_files.reopen("part", "out", known)
    os.close(one)


def test_of_two_runs_that_find_the_same_one_gets_it() -> None:
    pytest.importorskip("fcntl")
    Path("part").write_bytes(b"left")
    one = working_files.begin("part", "out")
    for attempt in (working_files.begin, working_files.resume, working_files.remove):
        with pytest.raises(ToolbridgeError, match="another run is writing out"):
            attempt("part", "out")
    os.close(one)
    os.close(working_files.resume("part", "out"))
    working_files.remove("part", "out")
    working_files.remove("part", "out")
    with pytest.raises(FileNotFoundError):
        working_files.resume("part", "out")


def test_killed_at_random_it_goes_on_to_the_same_bytes() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "kills.py"), "--kills", "6", "--bytes", "400000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "kills: 6," in done.stdout
    assert done.stdout.endswith("no byte differs, no other file changed, no working file is left\n")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_program_without_standard_streams_converts_files(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert run(jobs=jobs).tools == 61


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are looked up in /proc")
@pytest.mark.parametrize("jobs", [1, 2])
def test_no_file_is_open_when_it_is_renamed_replaced_or_removed(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows allows none of these; here a descriptor would stay open until the process ends."""

    def is_open(path: str) -> bool:
        processes = [os.getpid(), *(each.pid for each in multiprocessing.active_children())]
        opened = [fd for process in processes for fd in Path(f"/proc/{process}/fd").iterdir()]
        return any(fd.exists() and os.path.samestat(fd.stat(), Path(path).stat()) for fd in opened)

    def rename(files: parts.OutputFiles, name: str, path: str) -> None:
        os.close(files.files.pop(name))
        assert not is_open(files.paths[name])
        assert not is_open("in")
        Path(files.paths[name]).replace(path)

    monkeypatch.setattr(parts.OutputFiles, "_rename", rename)
    run(output="in", jobs=jobs)
    before = len([*Path("/proc/self/fd").iterdir()])
    with pytest.raises(KeyboardInterrupt):
        run(stop, output="next", jobs=jobs)
    assert len([*Path("/proc/self/fd").iterdir()]) == before
