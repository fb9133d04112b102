"""Runs that are stopped: by kill, by Ctrl-C, by a full disk, by a change underfoot. OUT is whole, or not there."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest

from toolbridge import ToolbridgeError
from toolbridge.bulk.files import output as parts
from toolbridge.bulk.files.job import Job
from toolbridge.bulk.files.plan import JobResult, JobSpec, ProgressState
from toolbridge.cli import main
from toolbridge.conversion.options import ConversionOptions

from .catalogues import as_lines, as_list, tools

FILES = {"output": "out.jsonl", "report": "losses.jsonl", "remainder": "rest.jsonl", "rejects": "bad.jsonl"}

SLOW = """
import sys, json
from toolbridge.bulk.files import output as parts
from toolbridge.bulk.files.plan import JobSpec
from toolbridge.bulk.files.job import Job
parts.EVERY = 0.0
Job(JobSpec(**json.loads(sys.argv[1]))).run()
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be forked")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parts, "EVERY", 0.0)


def order(**more: Any) -> dict[str, Any]:
    return {"name": "in", "to": "openai", "block": 8000, **FILES, **more}


def run(**more: Any) -> JobResult:
    return Job(JobSpec(**order(**more))).run()


def written(folder: str = ".") -> dict[str, bytes]:
    return {name: Path(folder, name).read_bytes() for name in FILES.values() if Path(folder, name).exists()}


def left() -> list[str]:
    """What is left of a run in the making."""
    return sorted(each.name for each in Path().iterdir() if "toolbridge" in each.name)


def catalogue(many: int = 300) -> list[Any]:
    items: list[Any] = tools("mcp", "2025-11-25", many)
    for n in range(17, many, 50):
        items[n] = {"no": "tool", "number": n}
    return items


def whole(**more: Any) -> dict[str, bytes]:
    """What a run gives that nobody stops."""
    Path("other").mkdir()
    run(**{**{key: f"other/{name}" for key, name in FILES.items()}, **more})
    return written("other")


def entries(ledger: Path) -> int:
    """The number of entries of a ledger; a run that is done removes it, perhaps just now."""
    try:
        return ledger.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("shape", ["lines", "list"])
def test_killed_at_any_moment_it_goes_on_to_the_same_bytes(jobs: int, shape: str) -> None:
    Path("in").write_bytes((as_lines if shape == "lines" else as_list)(catalogue(300)))
    want = whole()
    Path("out.jsonl").write_bytes(b"old")
    chance = random.Random(f"{jobs}{shape}")
    ledger = Path(".out.jsonl.toolbridge-part.json")
    for _ in range(3):
        safe = entries(ledger)
        process = subprocess.Popen([sys.executable, "-c", SLOW, json.dumps(order(jobs=jobs, resume=True))])
        until = safe + chance.randint(1, 4)
        while process.poll() is None and entries(ledger) < until:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        killed = process.wait() == -signal.SIGKILL
        assert Path("out.jsonl").read_bytes() in (b"old", want["out.jsonl"])
        if not killed:
            break
        time.sleep(0.05)  # whoever worked for it soon sees that it is gone
    # It may have been killed before anything was safe, and after everything was done.
    safe = entries(ledger) - 1
    tally = run(jobs=jobs, resume=True)
    assert (tally.resumed > 0) is (safe > 0)
    assert written() == want
    assert not left()


def stopped(after: int, **more: Any) -> None:
    """A run that somebody stops with Ctrl-C after so many tools."""

    def see(seen: ProgressState) -> None:
        if (seen.tools or 0) > after:
            raise KeyboardInterrupt

    one = Job(JobSpec(**order(**more)), see)
    with pytest.raises(KeyboardInterrupt):
        one.run()
    assert one.kept


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("then", [1, 2])
def test_ctrl_c_keeps_what_is_done(first: int, then: int) -> None:
    items = catalogue()
    Path("in").write_bytes(as_lines(items))
    want = whole()
    stopped(150, jobs=first)
    assert not written()
    assert ".out.jsonl.toolbridge-part.json" in left()
    tally = run(jobs=then, resume=True)
    assert 0 < tally.resumed < tally.tools == len(items)
    assert written() == want
    assert not left()


def test_names_that_meet_across_the_stop_are_told_apart() -> None:
    # The first tool and the last want one name; only in the end is that known.
    items = catalogue()
    items[0] = {**items[1], "name": "wind!"}
    items[-1] = {**items[1], "name": "wind?"}
    Path("in").write_bytes(as_lines(items))
    want = whole()
    assert b'"name":"wind_' in want["out.jsonl"].splitlines()[0]
    assert b'"name":"wind_' in want["out.jsonl"].splitlines()[-1]
    stopped(150)
    run(resume=True, jobs=2)
    assert written() == want


def test_it_can_be_stopped_again_and_again() -> None:
    Path("in").write_bytes(as_lines(catalogue()))
    want = whole()
    for after in (60, 120, 121, 200):
        stopped(after, resume=True)
    run(resume=True)
    assert written() == want


def _other_bytes() -> None:
    known = Path("in").stat()
    data = Path("in").read_bytes()
    Path("in").write_bytes(data.replace(b"number", b"NUMBER"))
    os.utime("in", ns=(known.st_atime_ns, known.st_mtime_ns))


def _longer() -> None:
    with Path("in").open("ab") as file:
        file.write(b"{}\n")


def _touched() -> None:
    os.utime("in", ns=(0, 0))


def _flipped() -> None:
    path = Path(".losses.jsonl.toolbridge-part")
    data = bytearray(path.read_bytes())
    data[1000] ^= 1
    path.write_bytes(data)


def _cut() -> None:
    path = Path(".out.jsonl.toolbridge-part")
    path.write_bytes(path.read_bytes()[:3000])


def _gone() -> None:
    Path(".rest.jsonl.toolbridge-part").unlink()


def _version() -> None:
    path = Path(".out.jsonl.toolbridge-part.json")
    head, _, rest = path.read_bytes().partition(b"\n")
    path.write_bytes(json.dumps({**json.loads(head), "version": "0.0.1"}).encode() + b"\n" + rest)


@pytest.mark.parametrize(
    ("change", "more", "said"),
    [
        (_other_bytes, {}, "the input is not the one"),
        (_longer, {}, "the input is not the one"),
        (_touched, {}, "the input is not the one"),
        (None, {"options": ConversionOptions(refuse=("TB9", "TB2"), on_error="skip")}, "other options: refuse;"),
        (None, {"options": ConversionOptions(app_tools=False, on_error="skip")}, "other options: app_tools;"),
        (None, {"to": "anthropic"}, "other options: to;"),
        (None, {"report": None}, "other options: report;"),
        (_version, {}, "another version"),
        (_flipped, {}, "losses.jsonl.toolbridge-part was changed"),
        (_cut, {}, "out.jsonl.toolbridge-part was changed"),
        (_gone, {}, "there is no .*rest.jsonl.toolbridge-part"),
    ],
)
def test_it_does_not_go_on_where_anything_is_different(change: Any, more: dict[str, Any], said: str) -> None:
    Path("in").write_bytes(as_lines(catalogue(200)))
    stopped(100)
    before = left()
    if change is not None:
        change()
    with pytest.raises(ToolbridgeError, match=f"cannot resume out.jsonl: .*{said}"):
        run(resume=True, **more)
    assert not written()
    # What there is may still be of use to whoever puts the rest right.
    assert set(left()) >= set(before) - {".rest.jsonl.toolbridge-part"}
    run(**more)
    # Of a report that this run does not write nothing tells that it belonged to the run before.
    assert left() == ([".losses.jsonl.toolbridge-part"] if more == {"report": None} else [])


def test_a_half_written_line_of_the_ledger_counts_for_nothing() -> None:
    Path("in").write_bytes(as_lines(catalogue(200)))
    want = whole()
    stopped(100)
    path = Path(".out.jsonl.toolbridge-part.json")
    path.write_bytes(path.read_bytes()[:-20])
    assert run(resume=True).resumed > 0
    assert written() == want


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="file names are text there")
def test_file_names_need_not_be_text() -> None:
    name, output, bad, report = (os.fsdecode(each) for each in (b"in\xff", b"out\xff", b"bad\xfe", b"r\xff"))
    Path(name).write_bytes(as_lines(tools("mcp", "2025-11-25", 60)) + b"17\n")
    files = {"name": name, "output": output, "rejects": bad, "report": report}

    def stop(seen: ProgressState) -> None:
        if seen.tools:
            raise KeyboardInterrupt

    for before in (None, stop):
        if before is not None:
            with pytest.raises(KeyboardInterrupt):
                Job(JobSpec(to="openai", block=5000, **files), before).run()
        tally = Job(JobSpec(to="openai", block=5000, resume=True, **files)).run()
        assert (tally.resumed > 0, tally.tools) == (before is not None, 61)
        assert len(Path(output).read_bytes().splitlines()) == 60
        assert Path(bad).read_bytes() == b"17\n"
        assert {json.loads(line)["input"] for line in Path(report).read_bytes().splitlines()} == {r"in\udcff"}
    assert {str(each) for each in Path().iterdir()} == {*files.values()}


def test_without_anything_to_go_on_with_it_begins() -> None:
    Path("in").write_bytes(as_lines(catalogue(60)))
    assert run(resume=True).resumed == 0


def test_a_worker_that_dies_is_an_error_that_names_its_range() -> None:
    Path("in").write_bytes(as_lines(catalogue()))
    Path("out.jsonl").write_bytes(b"old")

    def see(seen: ProgressState) -> None:
        if (seen.tools or 0) > 100:
            for process in one._pool._processes:  # type: ignore[union-attr]
                process.kill()

    one = Job(JobSpec(**order(jobs=2)), see)
    with pytest.raises(
        ToolbridgeError, match=r"worker process died \(signal 9\) at bytes [\d,]+ to [\d,]+, from line \d+"
    ):
        one.run()
    assert Path("out.jsonl").read_bytes() == b"old"
    assert not left()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_is_an_error_and_leaves_nothing(jobs: int) -> None:
    Path("in").write_bytes(as_lines(catalogue()))
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n" + SLOW
    # Standard output is kept in a temporary file until all is converted: it was called full itself. The largest file is
    # that of the losses, if there is one: the output was called full.
    for more, problem in (
        ({}, "write losses.jsonl"),
        ({"report": None}, "write out.jsonl"),
        ({"report": None, "output": "-"}, f"store the output in {gettempdir()}"),
    ):
        given = json.dumps(order(jobs=jobs, **more))
        done = subprocess.run([sys.executable, "-c", limited, given], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert f"ToolbridgeError: cannot {problem}: file too large" in done.stderr
        assert not written()
        assert not left()


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_input_that_changes_underfoot_is_an_error(jobs: int) -> None:
    Path("in").write_bytes(as_lines(catalogue()))

    def see(seen: ProgressState) -> None:
        if (seen.tools or 0) > 100:
            _longer()

    with pytest.raises(ToolbridgeError, match="in: changed while it was read"):
        Job(JobSpec(**order(jobs=jobs)), see).run()
    assert not written()
    assert not left()


def test_an_output_is_written_by_one_run_at_a_time() -> None:
    pytest.importorskip("fcntl")
    Path("in").write_bytes(as_lines(catalogue(100)))

    def see(seen: ProgressState) -> None:
        if seen.tools and not said:
            try:
                run()
            except ToolbridgeError as error:
                said.append(str(error))

    said: list[str] = []
    Job(JobSpec(**order()), see).run()
    assert said == ["another run is writing out.jsonl"]
    assert written() == whole()


@pytest.mark.parametrize("name", ["report", "output"])
def test_what_cannot_be_written_is_said_before_anything_is_done(name: str) -> None:
    Path("in").write_bytes(as_lines(catalogue(60)))
    with pytest.raises(ToolbridgeError, match="there is no directory"):
        run(**{name: "nowhere/x.jsonl"})
    Path("folder").mkdir()
    with pytest.raises(ToolbridgeError, match="it is a directory"):
        run(**{name: "folder"})
    with pytest.raises(ToolbridgeError, match="each output needs the name of a file, found another/"):
        run(**{name: "another/"})
    assert not written()
    assert not left()


def test_the_command_says_how_to_go_on_after_ctrl_c() -> None:
    Path("in.jsonl").write_bytes(as_lines(catalogue(1000)))
    arguments = ["convert", "in.jsonl", "--to", "openai", "-o", "out.jsonl", "--remainder", "rest.jsonl", "--jobs", "2"]
    code = "from toolbridge.bulk.files import blocks as apart, output as parts; parts.EVERY = 0; apart.BLOCK = 10_000\n"
    code += "import sys; from toolbridge.cli import main; sys.exit(main(sys.argv[1:]))"
    slow = "import time\nfrom toolbridge.bulk.files import journal as ledger\nusual = ledger.Journal.add\n"
    slow += "ledger.Journal.add = lambda *those: (usual(*those), time.sleep(0.5))\n"  # so that nobody is too late
    process = subprocess.Popen([sys.executable, "-c", slow + code, *arguments], stderr=subprocess.PIPE, text=True)
    ledger = Path(".out.jsonl.toolbridge-part.json")
    while entries(ledger) < 3:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert said == ("toolbridge: interrupted, out.jsonl is unchanged; the same command with --resume continues\n")
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments, "--resume"], capture_output=True, text=True, check=False
    )
    assert "tools had been converted before" in done.stderr
    assert len(Path("out.jsonl").read_bytes().splitlines()) == 1000 - 20
    assert not left()


@pytest.mark.parametrize("meet", [False, True])
@pytest.mark.parametrize("after", [0, 1, 3, 4])
def test_stopped_while_the_files_get_their_names(meet: bool, after: int) -> None:
    items = catalogue(100)
    if not meet:
        items = [{**item, "name": f"n{n}"} if "name" in item else item for n, item in enumerate(items)]
    Path("in").write_bytes(as_lines(items))
    want = whole()
    killed = f"""
import os
usual, done = os.replace, []
def replace(*paths):
    if len(done) == {after}:
        os._exit(9)
    done.append(paths)
    usual(*paths)
    if len(done) == {after} == 4:
        os._exit(9)
os.replace = replace
"""
    code = killed + SLOW
    done = subprocess.run([sys.executable, "-c", code, json.dumps(order(jobs=1))], check=False)
    assert done.returncode == 9
    assert any(name.endswith("part2") for name in left()) is (meet and after < 4)
    assert len(written()) == after
    again = run(resume=True)
    assert again.resumed == again.tools == 100
    assert again.counted.failed == 2
    assert written() == want
    assert not left()


def test_ctrl_c_while_the_files_get_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("in").write_bytes(as_lines(catalogue(100)))
    want = whole()
    with monkeypatch.context() as patch:
        usual = os.replace

        def replace(one: str, other: str) -> None:
            usual(one, other)
            raise KeyboardInterrupt

        patch.setattr(os, "replace", replace)
        one = Job(JobSpec(**order()))
        with pytest.raises(KeyboardInterrupt):
            one.run()
    assert one.kept
    assert len(written()) == 1
    run(resume=True)
    assert written() == want
    assert not left()


def test_the_command_says_so_where_some_is_written(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    Path("in.jsonl").write_bytes(as_lines(catalogue(100)))
    usual = os.replace
    with monkeypatch.context() as patch:

        def replace(one: str, other: str) -> None:
            usual(one, other)
            raise KeyboardInterrupt

        patch.setattr(os, "replace", replace)
        arguments = ["convert", "in.jsonl", "--to", "openai", "-o", "out.jsonl", "--report", "r.jsonl", "--jobs", "1"]
        assert main(arguments) == 130
    assert capfd.readouterr().err == (
        "toolbridge: interrupted, not everything was written yet to out.jsonl; "
        "the same command with --resume continues\n"
    )
    assert main([*arguments, "--resume", "-q"]) == 1
    assert Path("out.jsonl").exists()
    assert not left()


def test_what_is_missing_in_the_end_is_said() -> None:
    Path("in").write_bytes(as_lines(catalogue(100)))
    code = "import os\nos.replace = lambda *paths: os._exit(9)\n" + SLOW
    subprocess.run([sys.executable, "-c", code, json.dumps(order(jobs=1))], check=False)
    Path(".losses.jsonl.toolbridge-part2").unlink()
    with pytest.raises(ToolbridgeError, match=r"cannot resume out.jsonl: there is no .*losses.jsonl.toolbridge-part"):
        run(resume=True)
    with pytest.raises(ToolbridgeError, match="other options"):
        run(resume=True, to="anthropic")
    run()
    assert not left()


@pytest.mark.parametrize(
    "data", [b"[1]\n", b"", b"garbage", b"{}\n", b"\xff\n", b'{"version": "1"', b"[" * 9999 + b"\n"]
)
@pytest.mark.parametrize("resume", [False, True])
def test_what_is_no_ledger_is_nothing_to_resume(data: bytes, resume: bool) -> None:
    Path("in").write_bytes(as_lines(catalogue(60)))
    want = whole()
    Path(".out.jsonl.toolbridge-part.json").write_bytes(data)
    assert run(resume=resume).resumed == 0
    assert written() == want
    assert not left()


def test_it_does_not_go_on_under_another_name() -> None:
    Path("in").write_bytes(as_lines(catalogue(200)))
    stopped(100)
    Path("in").rename("in2")
    with pytest.raises(ToolbridgeError, match="the input is not the one"):
        run(resume=True, name="in2")


def test_what_cannot_be_written_does_not_speak_of_resuming(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("in").write_bytes(as_lines(catalogue(60)))

    def nowhere(*_: Any) -> int:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(parts.os, "open", nowhere)
    made = parts.OutputFiles({"out": "out.jsonl"})
    with pytest.raises(ToolbridgeError, match=r"^cannot write out.jsonl: no files can be created in "):
        made.begin({}, {})


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_other_signals_end_it_as_well(number: int, code: int, jobs: str, tmp_path: Path) -> None:
    Path("in.jsonl").write_bytes(as_lines(catalogue(1000)))
    Path("temporary").mkdir()
    start = "import time, sys\n"
    start += "from toolbridge.bulk.files import blocks as apart; apart.BLOCK = 10_000\n"
    start += "from toolbridge.bulk.files.output import OutputFiles; usual = OutputFiles.place\n"
    start += "def place(*given):\n    print('going', flush=True); time.sleep(0.1); return usual(*given)\n"
    start += "OutputFiles.place = place\nfrom toolbridge.cli import main; sys.exit(main(sys.argv[1:]))"
    os.mkfifo("pipe")
    for output in ("pipe", "out.jsonl"):
        process = subprocess.Popen(
            [sys.executable, "-c", start, "convert", "in.jsonl", "--to", "openai", "-o", output, "--jobs", jobs],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
            start_new_session=True,
        )
        assert process.stdout is not None
        process.stdout.readline()
        os.killpg(process.pid, number)
        _, said = process.communicate()
        assert process.returncode == code
        state = "nothing was written to pipe" if output == "pipe" else "out.jsonl is unchanged"
        assert said.startswith(f"toolbridge: interrupted, {state}")
        assert "Traceback" not in said
        assert not list(Path("temporary").iterdir())


@pytest.mark.skipif(os.name == "nt", reason="there are no such terminals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGHUP, 129), (None, 1)])  # 1: some tools are invalid
def test_a_closed_terminal(number: int | None, code: int) -> None:
    """The progress could not be written: the run ended with exit code 2, and could not be resumed."""
    Path("in.jsonl").write_bytes(as_lines(catalogue(300)))
    start = "import time, sys\n"
    start += "from toolbridge.cli import output; output._EVERY = 0\n"
    start += "from toolbridge.bulk.files import blocks as apart; apart.BLOCK = 10_000\n"
    start += "from toolbridge.bulk.files.output import OutputFiles; usual = OutputFiles.place\n"
    start += "from toolbridge.bulk.files import output as files; files.EVERY = 0\n"
    start += "def place(*given):\n    print('going', flush=True); time.sleep(0.2); return usual(*given)\n"
    start += "OutputFiles.place = place\nfrom toolbridge.cli import main; sys.exit(main(sys.argv[1:]))"
    parent, child = os.openpty()
    convert = ["convert", "in.jsonl", "--to", "openai", "-o", "out.jsonl", "--jobs", "1"]
    with subprocess.Popen([sys.executable, "-c", start, *convert], stdout=subprocess.PIPE, stderr=child) as process:
        os.close(child)
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.readline()
        os.close(parent)
        if number is not None:
            process.send_signal(number)
        process.stdout.read()
    assert process.returncode == code
    assert Path("out.jsonl").exists() == (number is None)
    assert Path(".out.jsonl.toolbridge-part").exists() == (number is not None)
