"""What the command reads and writes at its edges: encodings, several documents of which some are unknown or broken."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toolbridge import DocumentError, Limits
from toolbridge.cli import inspect
from toolbridge.data.documents import read_documents

GOOD = '{"name":"a","inputSchema":{"type":"object","properties":{}}}'


def write(name: str, *lines: str) -> str:
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return name


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_diff_where_standard_output_is_not_utf8(run: Any, tmp_path: Path, encoding: str, form: str) -> None:
    del run
    for name, text in (("a.json", "A tide."), ("b.json", "潮 tide é \U000e0041")):
        tool = {"name": "a", "description": text, "inputSchema": {"type": "object"}}
        (tmp_path / name).write_text(json.dumps(tool), encoding="utf-8")
    code = "import sys; from toolbridge.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "diff", "a.json", "b.json", "--output-format", form],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert b"a bug" not in done.stderr
    assert done.returncode in (0, 1)
    if form == "json":
        assert json.loads(done.stdout)["changes"][0]["after"] == "潮 tide é \U000e0041"
    else:
        assert "\\u6f6e tide" in done.stdout.decode(encoding)


def test_an_unknown_document_does_not_stop_the_check_of_the_others(run: Any) -> None:
    source = write(
        "c.jsonl",
        '[{"name":"a","inputSchema":{"type":"object"}}]',
        '{"foo":1}',
        '[{"name":1,"inputSchema":{"type":"object"}}]',
    )
    done = run("check", source, write("d.json", GOOD), "--report", "c.sarif")
    assert done.code == 1
    assert done.out.splitlines() == [
        "c.jsonl:2: not a tool description of any known format: found an object with the keys foo",
        "c.jsonl:3: /0/name: expected a string, found an integer",
    ]
    assert done.err.endswith("4 tools: 2 valid, 2 invalid\n")
    assert len(json.loads(Path("c.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]) == 2
    assert run("check", source, "--ignore", "TB903").code == 0


def test_an_unknown_document_alone_is_an_error(run: Any) -> None:
    done = run("check", write("d.json", '{"foo":1}'))
    assert (done.code, done.out) == (2, "")
    assert (
        done.err
        == "toolbridge: d.json: not a tool description of any known format: found an object with the keys foo\n"
    )


def test_a_broken_line_is_a_finding(run: Any) -> None:
    source = write("x.jsonl", GOOD, "{bad")
    ignored = run("check", source, "--ignore", "TB903")
    assert (ignored.code, ignored.out) == (0, "")
    assert ignored.err.endswith(
        "2 tools: 1 valid, 0 invalid, 1 with known findings only\n1 finding ignored (--ignore)\n"
    )
    assert run("check", source, "--write-baseline", "k.json").err.endswith("k.json: 1 finding written\n")
    assert run("check", source, "--baseline", "k.json").code == 0
    assert run("check", write("x.jsonl", GOOD, "{bad", "{worse"), "--baseline", "k.json").out.startswith(
        "x.jsonl:3:2: "
    )
    mended = run("check", write("x.jsonl", GOOD), "--baseline", "k.json")
    assert mended.code == 0
    assert "1 finding no longer found" in mended.err


def test_a_broken_line_is_in_the_report_of_its_input(run: Any) -> None:
    source = write("x.jsonl", GOOD, "{bad")
    report = json.loads(run("check", source, "--output-format", "json").out)
    assert [(each["line"], each["column"]) for each in report["failures"]] == [(2, 2)]
    assert json.loads(run("check", source, "--output-format", "json", "--ignore", "TB903").out)["ignored"] == 1


def test_a_broken_line_keeps_its_place_beside_a_catalogue(run: Any) -> None:
    source = write("x.jsonl", f"[{GOOD}]", "{bad")
    for arguments in (("check", source), ("convert", source, "--to", "openai", "-o", "o.jsonl", "-q")):
        report = json.loads(run(*arguments, "--output-format", "json").out)
        assert [(each["line"], each["column"]) for each in report["failures"]] == [(2, 2)]


def test_a_streamed_report_has_the_tool_of_a_line_with_a_byte_order_mark(run: Any) -> None:
    tool = {"name": "a", "title": "A", "inputSchema": {"type": "object", "properties": {}}}
    write("x.jsonl", f"\ufeff{json.dumps(tool)}", f"\ufeff{json.dumps({**tool, 'name': 'b'})}")
    done = run("convert", "x.jsonl", "--to", "openai", "--jobs", "1", "-o", "o.jsonl", "--report", "r.jsonl")
    entries = [json.loads(line) for line in Path("r.jsonl").read_text(encoding="utf-8").splitlines()]
    titles = [each for each in entries if each["source"] == "/title"]
    assert [(each["tool"], each["before"]["text"]) for each in titles] == [("a", '"A"'), ("b", '"A"')]
    assert "2 tools lost fields: a, b" in done.err


@pytest.mark.parametrize("shape", ["[{0}{1},{2}]", "[{1},{0}{2}]", '{{"tools": [{1},\n {0}{2}]}}'])
def test_a_byte_order_mark_within_a_list(run: Any, monkeypatch: pytest.MonkeyPatch, shape: str) -> None:
    """It is no JSON there, as in other programs; in a large file it was taken for the beginning of a document."""
    source = write("x.json", shape.format("\ufeff", GOOD, GOOD.replace('"a"', '"b"')))
    problem = "not JSON: a byte order mark (U+FEFF) within the document"
    for jobs in ((), ("--jobs", "1")):
        done = run("convert", source, "--from", "mcp", "--to", "openai", "-o", "o.json", *jobs)
        assert (done.code, problem in done.err, len(json.loads(Path("o.json").read_text("utf-8")))) == (1, True, 1)
    for large in (1 << 40, 0):
        monkeypatch.setattr(inspect, "LARGE", large)
        assert problem in run("check", source, "--as", "mcp").out


@pytest.mark.skipif(sys.platform != "linux", reason="only there any bytes are a name of a file")
def test_a_baseline_of_an_input_whose_name_is_not_utf8(run: Any) -> None:
    name = os.fsdecode(b"caf\xe9.json")
    Path(name).write_text('{"name":1,"inputSchema":{"type":"object"}}', encoding="utf-8")
    assert run("check", name, "--as", "mcp", "--write-baseline", "k.json").code == 0
    assert run("check", name, "--as", "mcp", "--baseline", "k.json").code == 0


def test_an_item_that_is_not_json_does_not_stop_the_others(run: Any) -> None:
    cut = r'{"name":"b","description":"cut \ud83d","inputSchema":{"type":"object"}}'
    source = write("tools.json", '{"nextCursor":"x","tools":[', f"{GOOD},", f"{cut},", "NaN]}")
    done = run(
        "convert", source, "--to", "openai", "-o", "out.json", "--remainder", "rest.json", "--report", "rep.json"
    )
    assert done.code == 1
    assert "tools.json: tool 1: /tools/1: line 3: not JSON: \\ud83d is half of a surrogate pair" in done.err
    assert "tools.json: tool 2: /tools/2: line 4: not JSON: NaN" in done.err
    assert "3 tools: 1 lossless, 0 with losses, 2 refused" in done.err
    assert len(json.loads(Path("out.json").read_bytes())["tools"]) == 1
    assert json.loads(Path("rep.json").read_bytes())["counts"]["TB903"] == 2
    done = run("convert", "out.json", "--to", "mcp", "--restore", "rest.json")
    assert json.loads(done.out) == {"nextCursor": "x", "tools": [json.loads(GOOD)]}
    done = run("convert", source, "--to", "openai", "-o", "out.json", "--ignore", "TB903", "-q")
    assert (done.code, done.err) == (0, "")
    done = run("check", source)
    assert done.code == 1
    assert "tools.json: tool 1: /tools/1: line 3: not JSON: \\ud83d is half of a surrogate pair" in done.out
    assert "3 tools: 1 valid, 2 invalid" in done.err
    done = run("check", source, "--ignore", "TB903")
    assert done.code == 0
    done = run("detect", source)
    assert (done.code, done.out) == (1, "mcp@2024-11-05\n")
    assert "tools.json: /tools/2: line 4: not JSON: NaN" in done.err
    done = run("convert", write("all.json", f"[{cut}]"), "--to", "openai", "-o", "all.out.json")
    assert done.code == 2
    assert not Path("all.out.json").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("in.json", b'[%b,\n {"name": "\xff"},\n %b]'),
        ("in.jsonl", b'%b\n{"name": "\xff"}\n%b\n'),
    ],
)
@pytest.mark.parametrize("more", [[], ["--report", "r.sarif"], ["--jobs", "1"]])
def test_bytes_that_are_not_utf8_are_those_of_one_item(run: Any, name: str, text: bytes, more: list[str]) -> None:
    last = {**json.loads(GOOD), "name": "caf\u00e9", "title": "T"}
    Path(name).write_bytes(text % (GOOD.encode(), json.dumps(last, ensure_ascii=False).encode()))
    done = run("convert", name, "--from", "mcp", "--to", "openai", "-o", "out.jsonl", *more)
    assert (done.code, len(Path("out.jsonl").read_bytes().splitlines())) == (1, 2)
    assert any(line.startswith(name) and "byte 0xFF is not UTF-8" in line for line in done.err.splitlines())
    if "r.sarif" in more:
        results = json.loads(Path("r.sarif").read_bytes())["runs"][0]["results"]
        lines = {each["ruleId"]: each["locations"][0]["physicalLocation"]["region"]["startLine"] for each in results}
        assert lines["TB101"] == 3
        assert 2 in lines.values()


def test_a_line_that_is_a_list_takes_no_unique_names_from_the_others(run: Any) -> None:
    tools = [json.dumps({"name": name, "inputSchema": {"type": "object"}}) for name in ("wind!", "wind?")]
    write("in.jsonl", *tools, "[]")
    done = run("convert", "in.jsonl", "--from", "mcp", "--to", "openai", "-q")
    assert done.out == run("convert", "in.jsonl", "--from", "mcp", "--to", "openai", "-q", "--jobs", "1").out
    assert len({json.loads(line)["function"]["name"] for line in done.out.splitlines()[:2]}) == 2


def test_a_choice_in_a_response_is_lost_in_each_way(run: Any) -> None:
    tools = [{"type": "function", "function": {"name": "a", "parameters": {"type": "object", "properties": {}}}}]
    Path("in.json").write_text(
        json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools, "tool_choice": "auto"}})
    )
    done = run("convert", "in.json", "--from", "openai", "--to", "anthropic")
    other = run("convert", "in.json", "--from", "openai", "--to", "anthropic", "--jobs", "1")
    assert json.loads(done.out) == json.loads(other.out)
    assert "TB102" in done.err
    assert "TB102" in other.err


def test_files_that_are_packed_otherwise_are_named(run: Any) -> None:
    tool = b'{"name": "a", "inputSchema": {"type": "object"}}'
    for name, data in (("xz", lzma.compress(tool)), ("bzip2", bz2.compress(tool))):
        Path("in").write_bytes(data)
        for arguments in (
            ("convert", "in", "--to", "openai"),
            ("convert", "in", "--to", "openai", "--jobs", "1"),
            ("check", "in"),
        ):
            done = run(*arguments)
            assert (done.code, f"in: this is packed with {name}; gzip and zstandard are read" in done.err) == (2, True)


@pytest.mark.parametrize("more", [(), ("--jobs", "1")])
def test_no_file_is_named_as_a_packed_one(run: Any, more: tuple[str, ...]) -> None:
    Path("in.json").write_text('{"name": "a", "inputSchema": {"type": "object"}}', "utf-8")
    for files in (("-o", "out.json.gz"), ("-o", "out.json", "--remainder", "rest.jsonl.zst")):
        done = run("convert", "in.json", "--to", "openai", *files, *more)
        assert (done.code, f"cannot write {files[-1]}: files are written uncompressed" in done.err) == (2, True)
        assert not Path(files[-1]).exists()


def test_a_tab_and_a_small_limit_are_said_as_they_are(run: Any) -> None:
    Path("in.yaml").write_text("name: a\ninputSchema:\n\ttype: object\n", "utf-8")
    assert (
        "in.yaml:3:1: not YAML: found a tab, where YAML has spaces" in run("convert", "in.yaml", "--to", "openai").err
    )
    done = run("convert", "in.yaml", "--to", "openai", "--limits", "document=20")
    assert "a text of 35 bytes; up to 20 bytes are read as one document (limit document)" in done.err
    done = run("help", "nope")
    assert (done.code, "no command is called 'nope'" in done.err) == (2, True)


def test_a_lock_file_is_read_within_the_limits_that_are_given(run: Any) -> None:
    source = write("a.json", GOOD)
    assert run("lock", source, "-o", "a.lock").code == 0
    size = Path("a.lock").stat().st_size
    for most, code in ((size - 1, 2), (size, 0)):
        done = run("lock", source, "--check", "a.lock", "--limits", f"document={most}")
        assert (done.code, "toolbridge: a.lock: a text of " in done.err) == (code, code == 2)


def test_a_file_with_two_names_is_read_once(run: Any) -> None:
    write("a.jsonl", GOOD)
    done = run("convert", "a.jsonl", "./a.jsonl", str(Path("a.jsonl").resolve()), "--to", "openai", "-q")
    assert len(done.out.splitlines()) == 1
    # A link has an output of its own.
    Path("b.jsonl").symlink_to("a.jsonl")
    assert run("convert", "a.jsonl", "b.jsonl", "--to", "openai", "-q", "-o", "out/").code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["a.jsonl", "b.jsonl"]


def test_a_text_in_json_is_no_catalogue(run: Any) -> None:
    Path("in.json").write_text(json.dumps(GOOD), "utf-8")
    for arguments in (("lock", "in.json"), ("diff", "in.json", "in.json"), ("fix", "in.json", "--as", "mcp")):
        done = run(*arguments)
        assert (done.code, "in.json: expected tools, found the string" in done.err) == (2, True)


@pytest.mark.parametrize("more", [("--from", "mcpb"), (), ("--jobs", "1")])
def test_a_manifest_on_a_line_is_a_catalogue(run: Any, more: tuple[str, ...]) -> None:
    """Its own name and description were read as those of a tool, as the items of its list have nothing else."""
    manifest = {
        "manifest_version": "0.4",
        "name": "srv",
        "version": "1",
        "description": "d",
        "author": {"name": "a"},
        "server": {"type": "node", "entry_point": "x", "mcp_config": {"command": "node"}},
        "tools": [{"name": "search_files", "description": "S."}, {"name": "open_file"}],
    }
    source = write("m.jsonl", json.dumps(manifest), json.dumps({**manifest, "name": "srv2"}))
    done = run("convert", source, *more, "--to", "mcp", "-q")
    names = [[tool["name"] for tool in line["tools"]] for line in done.lines]
    assert (done.code, names) == (0, [["search_files", "open_file"]] * 2)
    assert run("check", source).err.splitlines()[-1] == "4 tools: 4 valid, 0 invalid"
    write("m.json", json.dumps(manifest))
    assert run("convert", "m.json", "--to", "mcpb", "-o", "o.json", "--remainder", "r.json", "-q").code == 0
    back = run("convert", "o.json", "--from", "mcpb", "--to", "mcpb", "--restore", "r.json", "-q")
    assert (back.code, json.loads(back.out)) == (0, manifest)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="the system has no such device")  # noqa: PTH110
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "/dev/zero"),
        ("lock", "--check", "/dev/zero", "t.json"),
        ("check", "t.json", "--as", "openai", "--baseline", "/dev/zero"),
        ("convert", "t.json", "--to", "arcade", "--embed", "--key-file", "/dev/zero"),
        ("convert", "t.json", "--to", "arcade", "--restore", "/dev/zero"),
    ],
)
def test_an_input_without_end_is_an_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """It was read until there was no more memory, or until the system ended the process."""
    (tmp_path / "t.json").write_text(GOOD, encoding="utf-8")
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9,) * 2); "
        "from toolbridge.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "/dev/zero: a text of more than" in done.stderr
    assert done.stderr.endswith("(limit document)\n")


def test_a_baseline_is_written_to_a_device(run: Any) -> None:
    """It was read first: /dev/full has no end."""
    Path("t.json").write_text(GOOD, encoding="utf-8")
    done = run("check", "t.json", "--as", "openai", "--write-baseline", os.devnull)
    assert done.code == 0
    assert f"{os.devnull}: " in done.err


@pytest.mark.parametrize("arguments", [("convert", "", "--to", "openai"), ("check", ""), ("diff", "", "t.json")])
def test_an_input_without_a_name_is_said_so(run: Any, arguments: tuple[str, ...]) -> None:
    """It was `: there is no such file`."""
    done = run(*arguments)
    assert (done.code, done.err) == (2, "toolbridge: IN needs the name of a file, found an empty one\n")


def test_a_file_that_is_compressed_twice_is_an_error(run: Any) -> None:
    """`convert` unpacked it twice, with the limit of each time; `check` took it for UTF-16."""
    Path("t.json.gz").write_bytes(gzip.compress(gzip.compress(GOOD.encode())))
    for arguments in (("check", "t.json.gz"), ("convert", "t.json.gz", "--to", "openai")):
        done = run(*arguments)
        assert (done.code, done.err) == (2, "toolbridge: t.json.gz: it is compressed twice: unpack it once\n")


@pytest.mark.parametrize("more", [(), ("--jobs", "1")])
def test_the_error_of_an_unknown_document_names_the_file(run: Any, more: tuple[str, ...]) -> None:
    Path("in.jsonl").write_text('{"a":1}\n{"b":2}\n', "utf-8")
    done = run("convert", "in.jsonl", "--to", "openai", *more)
    assert (done.code, "in.jsonl: not a tool description of any known format" in done.err) == (2, True)


def test_lines_of_numbers_are_no_documents() -> None:
    """17 MB of them took 2.7 GB: all lines were held, with a document for each."""
    text = b'{"name":"a"}\n' + b"1\n" * 50
    with pytest.raises(DocumentError, match="more than 20 lines that are no objects and no lists"):
        read_documents(text, name="a.jsonl", limits=Limits(failures=20))
    assert len(read_documents(text, name="a.jsonl").documents) == 51
