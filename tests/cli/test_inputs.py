"""The inputs of the command: files, directories, patterns, and what their outputs are called."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from toolbridge import DocumentError, Toolbox, convert
from toolbridge.cli import inspect

TOOL: dict[str, Any] = {"name": "tide", "description": "Tells the tide.", "inputSchema": {"type": "object"}}
TO = ("--from", "mcp@2025-06-18", "--to", "mcpx@servlet")


def write(name: str, *values: Any) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return name


def files(folder: str) -> list[str]:
    return sorted(each.relative_to(folder).as_posix() for each in Path(folder).rglob("*") if each.is_file())


def test_inputs_may_be_before_and_behind_options(run: Any) -> None:
    write("a.json", TOOL)
    write("b.json", {**TOOL, "name": "wind"})
    done = run("convert", "a.json", *TO, "b.json", "-q")
    assert (done.code, [each["name"] for each in done.lines]) == (0, ["tide", "wind"])
    write("-c.json", {**TOOL, "name": "fog"})
    done = run("convert", "a.json", *TO, "-q", "--", "-c.json")
    assert (done.code, [each["name"] for each in done.lines]) == (0, ["tide", "fog"])
    done = run("convert", "a.json", *TO, "b.json", "-x")
    assert (done.code, done.err.splitlines()[0]) == (2, "toolbridge convert: error: convert has no option -x")


@pytest.fixture
def tree(run: Any) -> Any:
    """A directory as people have it."""
    write("tree/b/tools.json", {"tools": [TOOL]})
    write("tree/a/deep/t.jsonl", TOOL, {**TOOL, "name": "wind"})
    write("tree/a/t.json", TOOL)
    Path("tree/a/t.yaml").write_text("name: yam\ndescription: d\ninputSchema: {type: object}\n")
    Path("tree/a/p.jsonl.gz").write_bytes(gzip.compress(json.dumps(TOOL).encode()))
    write("tree/package.json", {"name": "pkg", "version": "1.0.0"})
    Path("tree/README.md").write_text("# A page\n")
    Path("tree/notes.txt").write_text("{")
    write("tree/.hidden/h.json", TOOL)
    write("tree/.h.json", TOOL)
    return run


def test_a_directory(tree: Any) -> None:
    done = tree("convert", "tree", *TO, "-o", "out/")
    assert done.code == 0
    assert files("out") == ["a/deep/t.jsonl", "a/p.jsonl", "a/t.json", "a/t.yaml", "b/tools.json"]
    assert json.loads(Path("out/b/tools.json").read_text()) == [TOOL]
    lines = done.err.splitlines()
    assert lines[:2] == [
        "tree/README.md: skipped: a Markdown page without a fenced block of JSON or YAML",
        lines[1],
    ]
    assert lines[1].startswith("tree/package.json: skipped: not a tool description of any known format: found an obj")
    read = ["tree/a/p.jsonl.gz", "tree/a/t.json", "tree/a/t.yaml", "tree/a/deep/t.jsonl", "tree/b/tools.json"]
    assert [line.partition(":")[0] for line in lines[2:-1]] == [*read, *read]  # the format, and the sum
    assert lines[-1] == "6 tools: 6 lossless, 0 with losses, 0 refused"
    checked = tree("check", "tree/")
    assert (checked.code, checked.err.splitlines()[-1]) == (0, "6 tools: 6 valid, 0 invalid")
    assert [line.partition(":")[0] for line in tree("detect", "tree").out.splitlines()] == [
        *("tree/a/p.jsonl.gz", "tree/a/t.json", "tree/a/t.yaml", "tree/a/deep/t.jsonl", "tree/b/tools.json")
    ]


@pytest.mark.parametrize("command", ["check", "detect"])
def test_a_directory_whose_tools_are_all_in_large_files(
    run: Any, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`detect` said that none of the files contains tools, and `check` said it beside a page without tools."""
    monkeypatch.setattr(inspect, "LARGE", 1000)
    write("tree/big.jsonl", *({**TOOL, "name": f"t{n}"} for n in range(20)))
    assert run(command, "tree").code == 0
    Path("tree/README.md").write_text("# A page\n")
    assert run(command, "tree").code == 0


@pytest.mark.parametrize("command", [("convert", *TO, "-o", "out/"), ("check",), ("detect",)])
def test_a_link_that_leads_out_of_a_directory_is_not_read(tree: Any, command: tuple[str, ...]) -> None:
    """A cloned repository named the user's own files."""
    write("private.json", {**TOOL, "name": "secret"})
    Path("tree/a/link.json").symlink_to("../../private.json")
    Path("tree/a/same.json").symlink_to("../b/tools.json")  # which stays within
    done = tree(*command, "tree")
    assert done.code == 0
    assert "tree/a/link.json: skipped: it is a symbolic link that leads out of tree" in done.err.splitlines()
    assert "secret" not in done.out + "".join(map(str, Path().glob("out/**/*link*")))
    assert tree("detect", "tree/a/link.json").code == 0  # somebody named it


def test_a_link_that_leads_out_of_the_folder_of_a_pattern_is_not_read(tree: Any) -> None:
    """GitHub's action passes patterns on, and the files of a pull request are not those of who runs it."""
    write("private.json", {**TOOL, "name": "secret"})
    Path("tree/a/link.json").symlink_to("../../private.json")
    Path("tree/a/same.json").symlink_to("../b/tools.json")  # which stays within
    done = tree("convert", "tree/*/*.json", *TO, "-o", "out.jsonl")
    assert done.code == 0
    assert "tree/a/link.json: skipped: it is a symbolic link that leads out of tree" in done.err.splitlines()
    assert "secret" not in Path("out.jsonl").read_text()
    assert tree("check", "*/a/link.json").code == 0  # it does not lead out of the working directory
    done = tree("check", "tree/a/l*.json")
    said = "toolbridge: tree/a/l*.json: all files that match are symbolic links that lead out of tree/a\n"
    assert (done.code, done.err) == (2, said)


def test_links_that_lead_to_other_directories_or_to_nothing_are_named(tree: Any) -> None:
    """Their tools were left out in silence, as if `check` had found nothing in them."""
    write("common/t.json", TOOL)
    Path("tree/a/common").symlink_to("../../common")
    Path("tree/a/within").symlink_to("../b")  # whose files are read where they are
    Path("tree/a/gone.json").symlink_to("no-such-file.json")
    done = tree("check", "tree")
    assert (done.code, done.out) == (1, "tree/a/gone.json:1: there is no such file\n")
    assert [line for line in done.err.splitlines() if "skipped: it" in line] == [
        "tree/a/common: skipped: it is a symbolic link that leads out of tree"
    ]


def test_a_directory_of_links_that_lead_out_of_it(run: Any) -> None:
    write("private.json", TOOL)
    write("tree/notes.txt", 1)
    Path("tree/link.json").symlink_to("../private.json")
    done = run("convert", "tree", *TO, "-o", "out/")
    assert (done.code, done.err) == (2, "toolbridge: tree: all files in it are symbolic links that lead out of it\n")


@pytest.mark.parametrize("link", [("out/a/t.json", "../../private"), ("out/a", "../elsewhere")])
def test_nothing_is_written_through_a_link_that_leads_out_of_a_directory(tree: Any, link: tuple[str, str]) -> None:
    """A cloned repository had the user's own files written."""
    Path("private").write_text("precious")
    Path("elsewhere").mkdir()
    Path(link[0]).parent.mkdir(parents=True)
    Path(link[0]).symlink_to(link[1])
    done = tree("convert", "tree", *TO, "-o", "out")
    assert done.code == 2
    assert "a symbolic link leads out of out" in done.err
    assert (Path("private").read_text(), files("elsewhere")) == ("precious", [])


def test_a_directory_that_is_written_to_one_file(tree: Any) -> None:
    """Who names a directory as the input may mean one as the output, too."""
    hint = "out is one file for all documents; -o out/ writes a file for each input\n"
    assert tree("convert", "tree", *TO, "-o", "out").err.endswith(hint)
    assert hint not in tree("convert", "tree", *TO, "-o", "out/all.jsonl").err
    Path("out").unlink()
    assert hint not in tree("convert", "tree", *TO, "-o", "out/").err
    assert "is one file" not in tree("convert", "tree", *TO, "-o", os.devnull).err


def test_an_output_in_the_tree_is_no_input(tree: Any) -> None:
    first = tree("convert", "tree", *TO, "-o", "tree/out/")
    assert tree("convert", "tree", *TO, "-o", "tree/out").err == first.err
    shutil.rmtree("tree/out")
    single = tree("convert", "tree", *TO, "-o", "tree/all.jsonl", "-q")
    again = tree("convert", "tree", *TO, "-o", "tree/all.jsonl", "-q")
    assert (again.code, again.err) == (single.code, single.err) == (0, "")
    assert len(Path("tree/all.jsonl").read_text().splitlines()) == 6


def test_a_file_that_cannot_be_read_does_not_stop_the_others(tree: Any) -> None:
    Path("tree/a/t.json").write_text('{"name": "t",}')
    done = tree("convert", "tree", *TO, "-o", "out/")
    assert done.code == 1
    assert "tree/a/t.json:1:14: not JSON: a comma with nothing behind it" in done.err.splitlines()
    assert files("out") == ["a/deep/t.jsonl", "a/p.jsonl", "a/t.yaml", "b/tools.json"]
    checked = tree("check", "tree")
    assert (checked.code, checked.out) == (1, "tree/a/t.json:1:14: not JSON: a comma with nothing behind it\n")
    for lines in (done.err.splitlines(), checked.err.splitlines()):
        summary = lines.index("1 file not read") - 1  # nobody knows how many tools it has
        assert lines[summary].startswith("5 tools: ")
    assert done.err.splitlines()[-1] == "nothing was written to out/a/t.json: the file could not be converted"
    # A file that was named is an error, as is one without tools.
    assert tree("check", "tree/a/t.json").code == 2
    assert tree("check", "tree/package.json").code == 2


def test_a_file_that_is_skipped_is_not_said_to_have_no_tools(tree: Any) -> None:
    write("tree/a/half.json", {"name": "half", "description": "Lacks its schema."})
    Path("tree/a/page.md").write_text('# Page\n\n```json\n{"name": "half",}\n```\n', encoding="utf-8")
    lines = tree("check", "tree").err.splitlines()
    assert "tree/a/page.md:4:17: skipped: not JSON: a comma with nothing behind it" in lines
    (half,) = (line for line in lines if line.startswith("tree/a/half.json: skipped: "))
    assert "nearest: mcp@2026-07-28 (would need inputSchema); " in half


def test_of_many_files_not_each_has_its_lines(run: Any) -> None:
    """4,000 files had 8,000 lines, among which nobody finds those that matter."""
    for number in range(30):
        write(f"tree/t{number:02}.json", {**TOOL, "name": f"t{number}"})
        write(f"tree/x{number:02}.json", {"other": number})
        write(f"tree/y{number:02}.json", {"name": number, "inputSchema": {}})
    skipped, missing = ["and 20 more files skipped"], ["and 20 more outputs were not written"]
    done = run("convert", "tree", *TO, "-o", "out/")
    err = done.err.splitlines()
    assert err[10:12] == [*skipped, "tree/t00.json and 59 others: JSON, mcp@2025-06-18 -> mcpx@servlet"]
    assert ("and 20 more errors; -v shows them all" in err, err[-1:]) == (True, missing)
    assert "60 tools: 30 lossless, 0 with losses, 30 refused" in err
    assert not any(line.startswith("tree/t01.json") for line in err)
    assert "tree/t01.json: 1 tool: 1 lossless, 0 with losses, 0 refused\n" in run("convert", "tree", *TO, "-v").err
    checked = run("check", "tree").err.splitlines()
    assert (checked[10:11], len(checked)) == (skipped, 13)
    assert checked[11].startswith("tree/t00.json and 59 others: checked as ")


def test_a_manifest_that_lists_no_tools(tree: Any) -> None:
    """A directory with one was an error, and `detect` did not say in which file no tools are."""
    write("tree/a/manifest.json", {"manifest_version": "0.3", "name": "x", "version": "1", "server": {}})
    none = "tree/a/manifest.json: {}it lists no tools: there is no /tools"
    checked = tree("check", "tree")
    assert (checked.code, none.format("skipped: ") in checked.err.splitlines()) == (0, True)
    detected = tree("detect", "tree/a/manifest.json")
    assert (detected.code, detected.out, detected.err) == (0, "mcpb@0.4\n", none.format("") + "\n")


def test_a_directory_without_tools(run: Any) -> None:
    write("tree/package.json", {"name": "pkg", "version": "1.0.0"})
    done = run("check", "tree")
    assert (done.code, done.err) == (2, "toolbridge: none of the files contains tools\n")
    Path("empty").mkdir()
    assert run("check", "empty").err.startswith("toolbridge: empty: no file in it ends in .json, ")


def test_a_tool_of_the_given_format_is_not_skipped(run: Any) -> None:
    """A function of Gemini without parameters is recognised as nothing, and a tool without its schema neither."""
    tool = {"name": "tide", "description": "T"}
    write("in/a.json", tool)
    write("in/package.json", {"name": "pkg", "version": "1.0.0"})
    done = run("convert", "in", "--from", "gemini", "--to", "mcp", "-o", "out/")
    assert (done.code, files("out")) == (0, ["a.json"])
    assert done.err.startswith("in/package.json: skipped: ")
    checked = run("check", "in", "--as", "mcp")
    assert (checked.code, checked.out) == (1, "in/a.json: /inputSchema: required, but missing\n")
    write("mcp/a.json", {**tool, "inputSchema": {"type": "object"}})
    assert run("convert", "mcp", "--to", "mcpb", "-o", "mcpb/", "--remainder", "r.json", "-q").code == 0
    assert run("convert", "mcpb", "--to", "mcp", "--restore", "r.json", "-o", "back/", "-q").code == 0
    assert json.loads(Path("back/a.json").read_text()) == {**tool, "inputSchema": {"type": "object"}}


def test_a_value_for_one_tool_needs_a_place_in_one_file(run: Any) -> None:
    """Every other file was left out."""
    write("in/a.json", TOOL)
    write("in/b.json", {**TOOL, "name": "wind"})
    to = ("--from", "mcp", "--to", "arcade", "-q")
    assert run("convert", "in", *to, "--fill", "tide:/version=2.0.0", "-o", "out/").code == 0
    assert [json.loads(Path("out", name).read_text())["version"] for name in files("out")] == ["2.0.0", "0.0.0"]
    done = run("convert", "in", *to, "--fill", "fog:/version=2.0.0", "-o", "new/")
    said = "toolbridge: fill: fog:/version: no such place in arcade@1.0 for any tool here, or no tool of this name\n"
    assert (done.code, done.err, files("new")) == (2, said, [])


def test_patterns_that_no_shell_expanded(tree: Any) -> None:
    assert tree("check", "tree/*/*.json").err.splitlines()[-1] == "2 tools: 2 valid, 0 invalid"
    assert tree("check", "tree/**/t.*").err.splitlines()[-1] == "4 tools: 4 valid, 0 invalid"
    done = tree("check", "nothing/*.json")
    assert (done.code, done.err) == (2, "toolbridge: nothing/*.json: no file matches\n")
    write("odd[1].json", TOOL)
    assert tree("check", "odd[1].json").code == 0


def test_equal_names_are_mirrored(run: Any) -> None:
    write("x/a/t.jsonl", TOOL)
    write("x/b/t.jsonl", TOOL)
    write("x/b/u.jsonl", TOOL)
    assert run("convert", "x/a/t.jsonl", "x/b/t.jsonl", *TO, "-o", "out/").code == 0
    assert files("out") == ["a/t.jsonl", "b/t.jsonl"]
    assert run("convert", "x/a/t.jsonl", "x/b/u.jsonl", *TO, "-o", "flat/").code == 0
    assert files("flat") == ["t.jsonl", "u.jsonl"]
    assert run("convert", "x/a", "x/b", *TO, "-o", "two/").code == 0
    assert files("two") == ["a/t.jsonl", "b/t.jsonl", "b/u.jsonl"]
    assert run("convert", "x/a", *TO, "-o", "one/").code == 0
    assert files("one") == ["t.jsonl"]
    write("y/deep/t.jsonl", TOOL)
    assert run("convert", "y", *TO, "-o", "below/").code == 0
    assert files("below") == ["deep/t.jsonl"]


@pytest.mark.parametrize("more", [(), ("--jobs", "1")])
def test_the_name_of_the_output_decides_its_form(run: Any, more: tuple[str, ...]) -> None:
    """C5 (R16): YAML was written into out.json."""
    Path("t.yaml").write_text("name: tide\ndescription: Tells the tide.\ninputSchema:\n  type: object\n")
    assert run("convert", "t.yaml", *TO, "-o", "o.json", *more).code == 0
    assert json.loads(Path("o.json").read_text()) == TOOL
    write("t.json", [TOOL, {**TOOL, "name": "wind"}])
    assert run("convert", "t.json", *TO, "-o", "o.jsonl", *more).code == 0
    assert [json.loads(line)["name"] for line in Path("o.jsonl").read_text().splitlines()] == ["tide", "wind"]
    assert run("convert", "t.json", *TO, "-o", "o.yml", *more).code == 0
    assert Path("o.yml").read_text().startswith("- name: tide\n")
    write("lines.jsonl", TOOL, {**TOOL, "name": "wind"})
    assert run("convert", "lines.jsonl", *TO, "-o", "list.json", *more).code == 0
    assert [each["name"] for each in json.loads(Path("list.json").read_text())] == ["tide", "wind"]
    # An option is stronger, and another ending decides nothing.
    assert run("convert", "lines.jsonl", *TO, "-o", "o.json", "--format", "jsonl", *more).code == 0
    assert len(Path("o.json").read_text().splitlines()) == 2
    assert run("convert", "lines.jsonl", *TO, "-o", "o.txt", *more).code == 0
    assert Path("o.txt").read_text() == Path("o.json").read_text()


@pytest.mark.parametrize("more", [(), ("--jobs", "1")])
@pytest.mark.parametrize("shape", ["lines", "list"])
def test_a_wrong_source_format_is_one_error(run: Any, shape: str, more: tuple[str, ...]) -> None:
    tools = [{**TOOL, "name": f"t{number}"} for number in range(50)]
    write("a.jsonl", *tools) if shape == "lines" else write("a.jsonl", tools)
    done = run("convert", "a.jsonl", "--from", "openai", "--to", "anthropic", "-o", "o.jsonl", *more)
    assert done.code == 1
    said = [line for line in done.err.splitlines() if line.startswith("a.jsonl: not ")]
    assert len(said) == 1
    assert said[0].startswith("a.jsonl: not openai@chat: this looks like mcp@2024-11-05; without --from ")
    assert len(done.err.splitlines()) < 12  # with the sentence of the digest, and a blank line
    # What is of the given format, and not valid, keeps its own errors.
    write("b.jsonl", {"name": 5, "inputSchema": {"type": "object"}})
    assert "looks like" not in run("convert", "b.jsonl", "--from", "mcp", "--to", "anthropic", *more).err
    # So does what can be read in the given format, and is refused.
    write("c.jsonl", {"name": "a", "description": "", "inputSchema": {"type": "object"}, "title": "A"})
    refused = run("convert", "c.jsonl", "--from", "mcpx", "--to", "anthropic", "--refuse", "TB1", *more).err
    assert ("looks like" in refused, "refused: TB102" in refused) == (False, True)


def test_an_empty_list_does_not_name_every_format(run: Any) -> None:
    """C5: it named 27 formats."""
    write("e.json", [])
    assert run("detect", "e.json").err == ("e.json: nothing in it, so other formats would fit as well\n")
    assert len(run("convert", "e.json", "--to", "openai").err.splitlines()[0]) < 200


def test_one_of_each(run: Any) -> None:
    """C7: "1 documents and 1 broken line", "1 tools"."""
    Path("a.jsonl").write_text('{"name": "a", "inputSchema": {"type": "object"}}\n{\n')
    assert run("convert", "a.jsonl", "--to", "mcpx").err.startswith("a.jsonl: JSON Lines, 1 document and 1 broken line")
    assert repr(Toolbox([TOOL], to="openai")).startswith("Toolbox(1 tool for openai@chat")


@pytest.mark.parametrize("document", ["tools.json", "/srv/a b/tools.jsonl.gz", Path("tools.json"), io.StringIO()])
def test_the_name_of_a_file_is_no_document(document: object) -> None:
    """C5: it was "not JSON"."""
    with pytest.raises(
        DocumentError, match=r"pass what it contains, as in Path\(\.\.\.\)\.read_text\(\), or use convert"
    ):
        convert(document, "openai")


def test_many_errors_are_not_all_printed(run: Any) -> None:
    refused = {**TOOL, "annotations": {"destructiveHint": True, "idempotentHint": True, "readOnlyHint": True}}
    write("a.jsonl", *({**refused, "name": f"t{number}"} for number in range(30)))
    done = run("convert", "a.jsonl", *TO[:3], "openai", "--refuse", "safety", "-q")
    lines = done.err.splitlines()
    # The place stands once, before the message.
    assert lines[0] == "a.jsonl:1: t0: /annotations/destructiveHint: refused: TB601 hint-dropped and 2 more"
    assert len(lines) == 12
    assert lines[10] == "and 20 more errors; -v shows them all"
    assert run("convert", "a.jsonl", *TO[:3], "openai", "--refuse", "safety", "-v").err.count("refused: TB601") == 30
    short = run("convert", "a.jsonl", *TO[:3], "openai", "--refuse", "safety", "-q", "--report", "r.json").err
    assert "and 20 more errors; r.json has them all" in short


def test_tools_that_an_sdk_dumped_with_names_of_python(run: Any) -> None:
    """They are read as Anthropic's, which have no output schema and no hints: why these are lost is said."""
    tool = {"name": "tide", "input_schema": {"type": "object"}, "output_schema": {"type": "object"}, "meta": None}
    tools = write("t.json", [tool])
    said = "tools of MCP with names of Python (input_schema); `model_dump(by_alias=True)` writes those of MCP"
    for arguments in (["detect"], ["check"], ["check", "--as", "mcp"], ["convert", "--to", "openai"]):
        assert f"t.json: {said}" in run(*arguments, tools).err.splitlines(), arguments
    assert f"t.json: not mcp@2026-07-28: {said}" in run("convert", "--from", "mcp", "--to", "openai", tools).err
    plain = write("p.json", [{"name": "tide", "input_schema": {"type": "object"}}])
    assert "Python" not in run("convert", plain, "--to", "openai").err


@pytest.mark.parametrize("document", [[], {"tools": []}])
def test_nothing_looks_like_nothing(run: Any, document: Any) -> None:
    """An empty list was called one of MCP, and its conversion tool by tool one that 24 other formats would fit."""
    Path("l.json").write_text(json.dumps(document))
    done = run("check", "l.json", "--as", "openai")
    assert (done.code, "looks like" in done.err) == (0, False)
    said = [run("convert", "l.json", "--to", "mcpx", "-o", "o.json", *more).err for more in ((), ("--jobs", "1"))]
    assert "(nothing in it) -> mcpx" in said[0]
    assert said[0].splitlines()[0] == said[1].splitlines()[0]


@pytest.mark.parametrize("more", [(), ("--jobs", "1")])
def test_the_limit_of_levels_is_that_of_each_document_of_json_lines(run: Any, more: tuple[str, ...]) -> None:
    """The list of the documents counted as a level, so that a small file could have one less than a large one."""
    schema: Any = {"type": "string"}
    for _ in range(6):
        schema = {"type": "array", "items": schema}
    deep = {"name": "deep", "inputSchema": {"type": "object", "properties": {"a": schema}}}
    Path("tools.jsonl").write_text(f"{json.dumps(deep)}\n{json.dumps(TOOL)}\n", encoding="utf-8")
    for depth, code in ((9, 1), (10, 0)):
        command = ("convert", "tools.jsonl", "--from", "mcp", "--to", "anthropic", "--limits", f"depth={depth}")
        assert run(*command, *more).code == code
    assert run("lock", "tools.jsonl", "--limits", "depth=9").code == 2
    assert run("lock", "tools.jsonl", "--limits", "depth=10").code == 0
