"""`toolbridge convert` with a catalogue that it converts tool by tool."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ran import Ran
from toolbridge import DocumentError, Format, ToolbridgeError, bridge, convert, convert_file, get_format
from toolbridge.bulk.files import blocks as apart
from toolbridge.bulk.files import convert as files
from toolbridge.bulk.files.plan import ProgressState
from toolbridge.cli.output import progress_line

from .catalogues import as_lines, as_list, in_envelope, tools

SRC = Path(__file__).resolve().parents[3] / "src"


@pytest.fixture
def run(run: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(apart, "BLOCK", 5000)

    def call(*arguments: str, stdin: bytes | None = None) -> Ran:
        if stdin is None:
            return run(*arguments)
        environment = {**os.environ, "PYTHONPATH": str(SRC)}
        command = [sys.executable, "-m", "toolbridge", *arguments]
        done = subprocess.run(command, input=stdin, capture_output=True, env=environment, check=False)
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in Path(name).read_text(encoding="utf-8").splitlines()]


TOOL = {"name": "plain", "description": "Does it.", "inputSchema": {"type": "object"}}
ITEMS = tools("mcp", "2025-11-25", 60)


def small(tmp: str, data: bytes, run: Any, *arguments: str) -> bytes:
    """What the command gives for the same in memory."""
    Path(tmp).write_bytes(data)
    run("convert", tmp, "--to", "openai", "-o", f"{tmp}.out", "-q", *arguments)
    return Path(f"{tmp}.out").read_bytes()


@pytest.mark.parametrize("more", [(), ("--remainder", "r.jsonl")])
@pytest.mark.parametrize("line", [[TOOL], {"tools": [TOOL]}])
def test_lists_in_lines_are_not_written_into_a_list_of_tools(run: Any, line: Any, more: tuple[str, ...]) -> None:
    """No format reads such a list."""
    Path("a.jsonl").write_bytes(as_lines([TOOL, line]))
    options = ("--from", "mcp", "--to", "openai", "--jobs", "1", *more)
    done = run("convert", "a.jsonl", *options, "-o", "o.json")
    assert (done.code, "a.jsonl:2: a list or a catalogue cannot be an item" in done.err) == (2, True)
    assert [each.name for each in Path().iterdir()] == ["a.jsonl"]
    assert run("convert", "a.jsonl", *options, "-o", "o.jsonl").code == 0


def test_every_way_to_hand_it_over_gives_the_same(run: Any) -> None:
    data = as_lines(ITEMS)
    want = small("in.jsonl", data, run)
    for jobs in ("1", "2", "3"):
        assert run("convert", "in.jsonl", "--to", "openai", "-o", "out", "--jobs", jobs).code == 0
        assert Path("out").read_bytes() == want
    packed = gzip.compress(data[:9000]) + gzip.compress(data[9000:])
    Path("in.gz").write_bytes(packed)
    said = run("convert", "in.gz", "--to", "openai", "-o", "out")
    assert Path("out").read_bytes() == want
    assert said.err.startswith("in.gz: JSON Lines (gzip), mcp@2025-11-25 (detected")
    assert run("convert", "-", "--to", "openai", "--jobs", "2", stdin=data).out.encode() == want
    assert run("convert", "-", "--to", "openai", "-q", stdin=packed).out.encode() == want


def test_zstd(run: Any) -> None:
    zstandard = pytest.importorskip("zstandard")
    data = as_lines(ITEMS)
    want = small("in.jsonl", data, run)
    packed = zstandard.compress(data[:9000]) + zstandard.compress(data[9000:])
    Path("in.zst").write_bytes(packed)
    assert run("convert", "in.zst", "--to", "openai", "-o", "out").code == 0
    assert Path("out").read_bytes() == want
    # As pzstd writes it: each frame stands behind one that says how long it is.
    Path("in.zst").write_bytes(b"\x50\x2a\x4d\x18\x04\0\0\0" + len(packed).to_bytes(4, "little") + packed)
    assert run("convert", "in.zst", "--to", "openai", "-o", "again", "--jobs", "1").code == 0
    assert Path("again").read_bytes() == want
    Path("in.zst").write_bytes(packed[:-7])
    done = run("convert", "in.zst", "--to", "openai", "-o", "out")
    assert (done.code, done.err) == (2, "toolbridge: in.zst: cannot be unpacked: it ends in the middle\n")


@pytest.mark.parametrize("cut", [1, 9, 300])
def test_a_packed_file_that_ends_in_the_middle(run: Any, cut: int) -> None:
    Path("in.gz").write_bytes(gzip.compress(as_lines(ITEMS))[:-cut])
    done = run("convert", "in.gz", "--to", "openai", "-o", "out")
    assert (done.code, done.err) == (2, "toolbridge: in.gz: cannot be unpacked: it ends in the middle\n")
    assert not Path("out").exists()


def test_packed_files_of_other_kinds_are_read_as_well(run: Any) -> None:
    Path("in.gz").write_bytes(gzip.compress(b"name: tide\ninputSchema:\n  type: object\n"))
    done = run("convert", "in.gz", "--to", "openai", "--format", "json")
    assert json.loads(done.out)["function"]["name"] == "tide"
    assert run("detect", "in.gz").out.startswith("mcp@")
    assert run("check", "in.gz", "--as", "mcp").code == 0


def test_small_documents_are_what_they_were(run: Any) -> None:
    Path("in.json").write_bytes(in_envelope(ITEMS[:3]))
    assert run("convert", "in.json", "--to", "openai").out.startswith('{\n  "tools": [\n    {')


def test_large_ones_have_a_tool_on_each_line(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolbridge.cli import convert as commands

    data = in_envelope(ITEMS, 2)
    want = json.loads(small("in.json", data, run))
    monkeypatch.setattr(commands, "LARGE", 1000)
    assert run("convert", "in.json", "--to", "openai", "-o", "out").code == 0
    text = Path("out").read_text(encoding="utf-8")
    assert json.loads(text) == want
    assert len(text.splitlines()) == len(ITEMS) + 2
    done = run("convert", "in.json", "--to", "openai", "--format", "jsonl", "-o", "out")
    assert done.code == 0
    for block in (1 << 20, 1000):
        monkeypatch.setattr(apart, "BLOCK", block)
        assert run("convert", "in.json", "--to", "openai", "-o", "out.jsonl").code == 0
        assert lines("out.jsonl") == [want], "an envelope is one line"
        # Tools that lose their envelope are a line each, as in memory.
        assert run("convert", "in.json", "--to", "mcpx@servlet", "-o", "out.jsonl").code == 0
        assert len(lines("out.jsonl")) == len(ITEMS)
        assert run("convert", "in.json", "--to", "mcpx@servlet", "-o", "two.jsonl", "--jobs", "2").code == 0
        assert Path("two.jsonl").read_bytes() == Path("out.jsonl").read_bytes()
    Path("list.json").write_bytes(as_list(ITEMS))
    run("convert", "list.json", "--to", "openai", "--format", "jsonl", "-o", "out")
    assert lines("out") == want["tools"]
    Path("in.jsonl").write_bytes(as_lines(ITEMS))
    run("convert", "in.jsonl", "--to", "openai", "--format", "json", "-o", "out")
    assert json.loads(Path("out").read_bytes()) == want["tools"]


def test_what_it_says(run: Any) -> None:
    bad = [b"{", b'{"name": "x"}']
    Path("in.jsonl").write_bytes(b"\n".join([*as_lines(ITEMS[:4]).splitlines(), *bad * 15]))
    done = run("convert", "in.jsonl", "--from", "mcp@2025-11-25", "--to", "arcade", "--fill", "toolkit=K", "-o", "out",
               "--rejects", "bad", "--report", "losses.jsonl")  # fmt: skip
    assert done.code == 1
    said = done.err.splitlines()
    assert said[0] == "in.jsonl: JSON Lines, mcp@2025-11-25 -> arcade@1.0"
    assert any(line.startswith("  TB903 ") and "30  line 5, line 6, line 7 ..." in line for line in said)
    assert "in.jsonl:5: not JSON: a name in double quotes is expected, the text ends" in said
    assert "in.jsonl:6: x: /inputSchema: required, but missing" in said
    assert said[-2:] == [
        "in.jsonl: and 10 more; bad has them all",
        "34 tools: 0 lossless, 4 with losses, 30 refused",
    ]
    assert Path("bad").read_bytes().splitlines() == bad * 15
    told = lines("losses.jsonl")
    assert {(each["input"], each["item"] + 1) for each in told} == {("in.jsonl", each["line"]) for each in told}
    first = next(each for each in told if each.get("code") == "TB401")
    assert first == {
        "input": "in.jsonl",
        "line": 1,
        "code": "TB401",
        "name": "value-invented",
        "effect": "invented",
        "severity": "warning",
        "tool": ITEMS[0]["name"],
        "source": "",
        "target": "/version",
        "item": 0,
        "field": None,
        "before": None,
        "after": {"text": '"0.0.0"', "length": 7},
        "limit": None,
        "message": first["message"],
        "url": first["url"],
    }
    quiet = run("convert", "in.jsonl", "--to", "arcade", "--fill", "toolkit=K", "-o", "out", "--rejects", "bad", "-q")
    assert len(quiet.err.splitlines()) == 21


def test_a_report_says_places_as_they_are(run: Any) -> None:
    names = ("987654321012345", "987654321012346", "100%d", "%s", "\0")
    items = [{**TOOL, "name": f"t{n}", **dict.fromkeys(names, n)} for n in range(5)]
    Path("in.jsonl").write_bytes(as_lines(items))
    run("convert", "in.jsonl", "--from", "mcp", "--to", "openai", "-o", "out", "--report", "large.jsonl", "--jobs", "1")
    found = [(each["source"], each["item"], each["line"]) for each in lines("large.jsonl") if each["code"] == "TB102"]
    assert sorted(found) == sorted((f"/{name}", n, n + 1) for n in range(5) for name in names)


def test_in_a_list_the_tools_have_numbers(run: Any) -> None:
    Path("in.json").write_bytes(in_envelope([*ITEMS[:3], {"name": "x"}, *ITEMS[3:5]]))
    done = run("convert", "in.json", "--from", "mcp@2025-11-25", "--to", "openai", "--jobs", "1", "-o", "out")
    assert "in.json: tool 3 (x): /tools/3/inputSchema: required, but missing" in done.err.splitlines()
    assert done.code == 1


@pytest.mark.parametrize("more", [(), ("--jobs", "2"), ("--remainder", "rest.jsonl")])
def test_places_of_written_tools_are_where_they_are_written(run: Any, more: tuple[str, ...]) -> None:
    bare = [{**TOOL, "name": f"t{n}"} for n in range(40)]
    items = [17, *bare[:1], {"name": "no schema"}, *bare[1:]]
    Path("in.json").write_bytes(in_envelope(items))
    done = run("convert", "in.json", "--from", "mcp", "--to", "openai", "--rejects", "bad", "-o", "out", *more)
    place = "/function/parameters/properties"
    assert f"-> /tools/0{place}, -> /tools/1{place}, -> /tools/2{place} ..." in done.err
    assert all("properties" in each["function"]["parameters"] for each in json.loads(Path("out").read_bytes())["tools"])


def test_refused_losses(run: Any) -> None:
    hinted = [{**each, "annotations": {"destructiveHint": True}} if n % 3 else TOOL for n, each in enumerate(ITEMS)]
    Path("in.jsonl").write_bytes(as_lines(hinted))
    done = run("convert", "in.jsonl", "--to", "openai", "--refuse", "TB601", "--rejects", "bad", "-o", "out", "-q")
    assert done.code == 1
    assert lines("bad") == [each for n, each in enumerate(hinted) if n % 3]
    assert len(lines("out")) == 20
    Path("in.json").write_bytes(in_envelope(ITEMS, nextCursor="x"))
    done = run("convert", "in.json", "--to", "openai", "--refuse", "TB101", "--jobs", "1", "-o", "new")
    assert (done.code, done.err) == (1, "in.json: refused: TB101 field-dropped at /nextCursor\n")
    assert not Path("new").exists()


@pytest.mark.parametrize("more", [(), ("--remainder", "rest.jsonl")])
def test_the_tools_of_lines_are_counted(run: Any, more: tuple[str, ...]) -> None:
    """Each line was counted as one tool, and named as one."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    lossy, lossless = ({"name": name, "inputSchema": schema} for name in ("a", "b"))
    Path("in.jsonl").write_bytes(as_lines([{"tools": [{**lossy, "title": "T"}, lossless]}, [{"name": 5}, lossless]]))
    done = run("convert", "in.jsonl", "--from", "mcp", "--to", "openai", "-o", "out", "--jobs", "1", *more)
    lines = done.err.splitlines()
    assert lines[-1] == "4 tools: 2 lossless, 1 with losses, 1 refused"
    assert lines[-1] == run("convert", "in.jsonl", "--from", "mcp", "--to", "openai").err.splitlines()[-1]
    assert "  1 tool lost fields: a" in lines


def test_the_heading_lists_no_editions_of_the_same_family(run: Any) -> None:
    Path("in.jsonl").write_bytes(as_lines([TOOL, TOOL]))
    heading = run("convert", "in.jsonl", "--to", "openai", "--jobs", "1").err.splitlines()[0]
    assert heading.startswith("in.jsonl: JSON Lines, mcp@")
    assert (heading.count(" mcp@"), heading.endswith(" -> openai@chat")) == (1, True)


def test_lines_that_are_interfaces_are_detected(run: Any) -> None:
    """They were taken for tools, and a list of them is of no format."""
    operation = {"operationId": "tide", "responses": {"200": {"description": "ok"}}}
    api = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/t": {"get": operation}}}
    Path("in.jsonl").write_bytes(as_lines([api, {**api, "servers": [{"url": "https://a.example"}]}]))
    done = run("convert", "in.jsonl", "--to", "mcp", "--jobs", "1", "-q")
    assert (done.code, done.out) == (0, run("convert", "in.jsonl", "--to", "mcp", "-q").out)
    assert done.out.count('"name":"tide"') == 2


def test_answers_that_no_tool_has_a_place_for(run: Any) -> None:
    Path("in.jsonl").write_bytes(as_lines(ITEMS))
    for jobs in ("1", "2"):
        done = run("convert", "in.jsonl", "--to", "openai", "--fill", "/function/parameters/properties/nowhere/x=1",
                   "--jobs", jobs, "-o", "out")  # fmt: skip
        assert done.code == 2
        assert "no such place in openai@chat for any tool here" in done.err
        assert not Path("out").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--jobs", "0"], "--jobs takes a number from 1 to 999, found '0'"),
        (["--jobs", "1000"], "--jobs takes a number from 1 to 999, found '1000'"),
        (["--jobs", "x"], "--jobs takes a number from 1 to 999, found 'x'"),
        (["--rejects", ""], "--rejects needs the name of a file, found an empty one"),
        (["-o", ""], "--output needs the name of a file, found an empty one"),
        (["-o", "-", "--resume"], "--resume needs -o FILE"),
        (["--rejects", "in.jsonl"], "--rejects in.jsonl is also an input: give the list of rejects a file of its own"),
        (
            ["--restore", "r.jsonl", "--report", "./r.jsonl", "--jobs", "1"],
            "--report ./r.jsonl is also the remainder that is read: give the report a file of its own",
        ),
        (
            ["--restore", "out", "--jobs", "1"],
            "-o out is also the remainder that is read: give the output a file of its own",
        ),
        (["--rejects", "-"], "--rejects needs the name of a file, found -"),
        (["--rejects", "out"], "--rejects out is also the output: give the list of rejects a file of its own"),
        (
            ["--rejects", "r", "--report", "r.json"],
            "in.jsonl: --rejects converts tool by tool, and --report has to be a .jsonl file, found r.json",
        ),
        (
            ["--rejects", "r", "--format", "yaml"],
            "in.jsonl: --rejects converts tool by tool, and YAML is written as a whole",
        ),
        (
            ["--resume", "--embed"],
            "in.jsonl: --resume converts tool by tool, and remainders in documents are for smaller ones",
        ),
        (
            ["--resume", "--baseline", "missing"],
            "in.jsonl: --resume converts tool by tool, and baselines need the whole document in memory",
        ),
    ],
)
def test_wrong_usage(run: Any, arguments: list[str], said: str) -> None:
    Path("in.jsonl").write_bytes(as_lines(ITEMS[:5]))
    done = run("convert", "in.jsonl", "--to", "openai", "-o", "out", *arguments)
    assert done.code == 2
    assert done.err.startswith(f"toolbridge: {said}")
    assert not Path("out").exists()


def test_processes_that_are_not_used_are_told(run: Any) -> None:
    Path("in.jsonl").write_bytes(as_lines(ITEMS[:5]))
    convert = ["convert", "in.jsonl", "--to", "openai", "-o", "out", "--jobs", "2", "--report", "r.json"]
    said = "in.jsonl: converted as a whole, without --jobs: --report has to be a .jsonl file, found r.json\n"
    assert run(*convert).err.startswith(said)
    assert said not in run(*convert, "-q").err


def test_what_is_too_large_for_memory_says_so(run: Any) -> None:
    Path("in.yaml").write_bytes(b"name: tide\ninputSchema:\n  type: object\n" * 5)
    done = run("convert", "in.yaml", "--to", "openai", "--jobs", "1", "--limits", "document=100")
    assert done.code == 2
    assert "it cannot be converted tool by tool, and is too large to be converted as a whole" in done.err


def test_calls_are_converted_as_before(run: Any) -> None:
    Path("in.jsonl").write_bytes(as_lines([{"name": f"t{n}", "arguments": {}} for n in range(5)]))
    done = run("convert", "in.jsonl", "--to", "anthropic", "--jobs", "2")
    assert done.code == 0
    assert len(done.out.splitlines()) == 5


def test_small_documents_load_nothing_of_this(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_bytes(as_list(ITEMS[:2]))
    code = (
        "import sys; from toolbridge.cli import main\n"
        f"main(['convert', {str(tmp_path / 'in.json')!r}, '--to', 'openai', '-o', {str(tmp_path / 'out')!r}, '-q'])\n"
        "print([name for name in sys.modules if name.startswith(('toolbridge.bulk', 'tempfile', "
        "'multiprocessing', 'threading', 'queue', 'zlib', 'gzip'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_progress() -> None:
    assert progress_line(ProgressState(25, 100, None), 25, 1.0) == "  counting, 25 %, 0 MB/s"
    seen = ProgressState(500_000_000, 1_000_000_000, 400_000)
    assert progress_line(seen, 500_000_000, 2.0) == "  400,000 tools, 50 %, 250 MB/s, 2 s left"
    assert progress_line(seen, 1_000_000, 2.0) == "  400,000 tools, 50 %, 0 MB/s, 16 min 40 s left"
    assert progress_line(seen, 10_000, 2.0).endswith(" 27 h 46 min left")
    assert progress_line(seen, 0, 0.0) == "  400,000 tools, 50 %"


def test_for_programs(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(as_lines([*ITEMS, {"name": 1}]))
    seen: list[ProgressState] = []
    tally = convert_file(path, "openai", tmp_path / "out", report=tmp_path / "r.jsonl", progress=seen.append)
    assert (tally.source, tally.target, tally.assumed) == ("mcp@2025-11-25", "openai@chat", True)
    assert (tally.tools, tally.refused, tally.lossless) == (61, 1, False)
    assert seen[-1] == ProgressState(path.stat().st_size, path.stat().st_size, 61)
    assert tally.counts()["TB903"] == 1
    (tmp_path / "one.json").write_bytes(b'{"name": "x"}')
    with pytest.raises(DocumentError, match="cannot be split into items: it is not a list of tools"):
        convert_file(tmp_path / "one.json", "openai", tmp_path / "out2")
    for line, problem in (("{x", "line 1: not a remainder"), ('{"items": []}', "its first line is not the remainder")):
        (tmp_path / "rest").write_text(
            line.replace('{"', '{"source": "mcp@2025-11-25", "target": "openai@chat", "seal": "", "')
        )
        with pytest.raises(DocumentError) as caught:
            convert_file(path, "openai", tmp_path / "out2", restore=tmp_path / "rest")
        assert str(caught.value).startswith(f"{tmp_path / 'rest'}: {problem}")
    own: Format = get_format("openai")
    path.write_bytes(as_lines(ITEMS))
    files.convert_file(path, own, tmp_path / "out3", source=get_format("mcp@2025-11-25"), jobs=2)
    assert len((tmp_path / "out3").read_bytes().splitlines()) == 60


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_with_a_name_is_read_once(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolbridge.cli import convert as commands

    data = as_lines(ITEMS)
    want = small("in.jsonl", data, run)
    os.mkfifo("pipe")
    for large in (16_000_000, 1000):
        monkeypatch.setattr(commands, "LARGE", large)
        writer = subprocess.Popen(["/bin/sh", "-c", "cat in.jsonl > pipe"])
        assert run("convert", "pipe", "--to", "openai", "-o", "out", "-q").code == 0
        assert writer.wait() == 0
        assert Path("out").read_bytes() == want


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
@pytest.mark.parametrize("option", ["--rejects", "--report", "--remainder"])
def test_what_is_no_regular_file_is_not_replaced(run: Any, option: str) -> None:
    Path("in.jsonl").write_bytes(as_lines(ITEMS[:5]))
    os.mkfifo("pipe.jsonl")
    done = run("convert", "in.jsonl", "--to", "openai", "-o", "out", "--jobs", "1", option, "pipe.jsonl")
    assert (done.code, done.err) == (2, "toolbridge: cannot write pipe.jsonl: it is not a regular file\n")
    assert Path("pipe.jsonl").is_fifo()


def test_files_of_programs_are_apart_from_each_other(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(data := as_lines(ITEMS[:5]))
    out, same = tmp_path / "out", tmp_path / "same.jsonl"
    wrong: list[dict[str, Any]] = [
        {"report": same, "rejects": same},
        {"report": out},
        {"remainder": path},
        {"report": same, "restore": same},
        {"restore": out},
        {"rejects": ""},
    ]
    for more in wrong:
        with pytest.raises(ToolbridgeError, match=r"a file of its own$|needs a name"):
            convert_file(path, "openai", out, **more)
    assert path.read_bytes() == data
    assert [each.name for each in tmp_path.iterdir()] == ["in.jsonl"]
    convert_file(path, "openai", path)
    assert path.read_bytes() != data


@pytest.mark.parametrize(
    ("name", "output", "more"),
    [
        (".out.toolbridge-part", "out", {}),
        (".out.toolbridge-marks.toolbridge-part2", "out", {}),
        (".bad.toolbridge-part", "-", {"rejects": "bad"}),
        ("link", "out", {"report": "r.jsonl"}),
        ("in.jsonl", "out", {"rejects": ".out.toolbridge-part.json"}),
        ("in.jsonl", "out", {"rejects": ".out.toolbridge-marks.toolbridge-part"}),
        ("in.jsonl", ".bad.toolbridge-part", {"rejects": "bad"}),
        ("in.jsonl", "out", {"restore": ".out.toolbridge-part"}),
    ],
)
def test_what_is_kept_meanwhile_takes_no_file_of_others(
    name: str, output: str, more: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("link").symlink_to(".r.jsonl.toolbridge-part")
    Path(name).write_bytes(as_lines(ITEMS[:5]))
    if "restore" in more:
        Path(more["restore"]).write_bytes(b"{}\n")
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.exists()}
    with pytest.raises(ToolbridgeError, match="choose another name"):
        convert_file(name, "openai", output, source="mcp", **more)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.exists()} == before


def test_rejects_may_be_called_as_the_marks_are(tmp_path: Path) -> None:
    path, out, bad = tmp_path / "in.jsonl", tmp_path / "out", tmp_path / "out.marks"
    path.write_bytes(as_lines(ITEMS[:5]) + b"17\n")
    convert_file(path, "openai", out, rejects=bad)
    assert bad.read_bytes() == b"17\n"


@pytest.mark.parametrize("option", ["embed", "key", "on_error"])
def test_files_have_no_options_of_single_documents(option: str) -> None:
    options: dict[str, Any] = {option: None}
    with pytest.raises(TypeError, match=f"there is no option '{option}'"):
        convert_file("in", "openai", "out", **options)
    if option != "on_error":
        with pytest.raises(TypeError, match=f"there is no option '{option}'"):
            bridge("mcp", "openai").bytes(b"{}", **options)


def test_wrong_arguments_of_programs(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(as_lines(ITEMS[:5]))
    jobs: Any
    for jobs in (0, -1, True, "2", 1.0):
        with pytest.raises(ValueError, match="jobs takes a whole number from 1, found"):
            convert_file(path, "openai", tmp_path / "out", jobs=jobs)
    with pytest.raises(ToolbridgeError, match="to resume, the output has to be a file, found -"):
        convert_file(path, "openai", "-", resume=True)
    nothing: Any = None
    with pytest.raises(TypeError, match=r"^output is the path of a file, found NoneType$"):
        convert_file(path, "openai", nothing)
    paths: Any = os.fsencode(path), os.fsencode(tmp_path / "out")
    assert convert_file(paths[0], "openai", paths[1]).tools == 5


def test_resuming_needs_a_file(run: Any) -> None:
    Path("in.jsonl").write_bytes(as_lines(ITEMS[:5]))
    done = run("convert", "in.jsonl", "--to", "openai", "--resume")
    assert (done.code, done.err) == (2, "toolbridge: --resume needs -o FILE\n")
    Path("two.jsonl").write_bytes(as_lines(ITEMS[:5]))
    done = run("convert", "in.jsonl", "two.jsonl", "--to", "openai", "--resume", "-o", "out")
    assert (done.code, done.err) == (2, "toolbridge: --resume is for one IN, found 2\n")
    assert run("convert", "in.jsonl", "two.jsonl", "--to", "openai", "--jobs", "2").code == 0


@pytest.mark.parametrize(
    ("name", "data", "want"),
    [
        ("one.jsonl", as_lines([TOOL]), 1),
        ("one.jsonl.gz", gzip.compress(as_lines([TOOL]), mtime=0), 1),
        ("none.json", b"[]", 0),
        ("none.json", b'{"tools": [], "nextCursor": "x"}', 0),
    ],
)
def test_one_tool_or_none(run: Any, name: str, data: bytes, want: int) -> None:
    Path(name).write_bytes(data)
    for given in ([], ["--from", "mcp"]):
        done = run("convert", name, *given, "--to", "openai", "-o", "out", "--rejects", "bad", "--jobs", "2")
        assert done.code == 0, done.err
        assert f"{want} tool" in done.err
        found = json.loads(Path("out").read_bytes())
        made = json.loads(run("convert", name, *given, "--to", "openai", "-q").out)
        assert found == made
        assert Path("bad").read_bytes() == b""


@pytest.mark.parametrize("source", ["mcp", "openai@responses", "arcade"])
@pytest.mark.parametrize("shape", [as_lines, as_list])
def test_a_large_file_is_detected_from_some_of_its_tools(
    source: str, shape: Any, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C2: all of it was read into memory."""
    from toolbridge.cli import inspect as commands

    fill = {"toolkit": "Kit", "/version": "1.0.0"} if source == "arcade" else None
    mine = [item for item in ITEMS if isinstance(item, dict)]
    values = convert(mine, source, source="mcp", fill=fill, on_error="skip").value
    Path("in").write_bytes(shape(values))
    whole = run("detect", "in")
    monkeypatch.setattr(commands, "LARGE", 1000)
    monkeypatch.setattr(apart, "BLOCK", 4000)
    done = run("detect", "in")
    assert (done.code, done.out) == (0, whole.out)
    assert " of its tools" in done.err
    # Of a list only the beginning is read, and `convert` may find another format than that.
    assert ("`convert` looks at later ones" in done.err) is (shape is as_list)


def test_what_is_no_list_of_tools_is_detected_as_a_whole(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolbridge.cli import inspect as commands

    monkeypatch.setattr(commands, "LARGE", 10)
    call = {"id": "1", "type": "function", "function": {"name": "a", "arguments": "{}"}}
    Path("calls.jsonl").write_bytes(as_lines([call] * 3))
    Path("one.json").write_text('{"name": "a", "inputSchema": {"type": "object"}}', encoding="utf-8")
    Path("none.jsonl").write_bytes(as_lines([{"x": 1}] * 3))
    assert "calls" in run("detect", "calls.jsonl").out
    assert run("detect", "one.json").out.startswith("mcp@")
    assert run("detect", "none.jsonl").code == 2


@pytest.mark.parametrize("more", [(), ("--remainder", "r.jsonl")])
@pytest.mark.parametrize("single", [True, False])
def test_a_value_for_a_tool_of_one_of_several_lists(run: Any, more: tuple[str, ...], *, single: bool) -> None:
    """A list without this tool was an error of the whole file."""
    first, second = ({"name": name, "description": "x", "inputSchema": {"type": "object"}} for name in "ab")
    lines = [first if single else [first], [second]]
    Path("in.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    for name in "ab":
        done = run(
            "convert",
            "in.jsonl",
            "--to",
            "arcade",
            "--fill",
            f"{name}:/version=2.0.0",
            "-o",
            "out",
            "--jobs",
            "1",
            *more,
        )
        assert done.code == 0
        text = Path("out").read_text(encoding="utf-8")
        assert (f".{name}@2.0.0" in text, text.count("@2.0.0")) == (True, 1)
    done = run("convert", "in.jsonl", "--to", "arcade", "--fill", "c:/version=2.0.0", "-o", "out", "--jobs", "1", *more)
    assert (done.code, done.err) == (
        2,
        "toolbridge: fill: c:/version: no such place in arcade@1.0 for any tool here, or no tool of this name\n",
    )
