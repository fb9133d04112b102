"""Repairing the tools of a vendor: what is written is valid, what was valid stays, and every change is reported."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.generated_schemas import schemas
from toolbridge import DocumentError, FormatError, Limits, check, convert, fix
from toolbridge.data.equality import same
from toolbridge.data.pointer import MISSING, get, put
from toolbridge.formats.registry import FORMATS
from toolbridge.mapping.format import Format

Json = Any
VENDORS = [
    form
    for form in FORMATS
    # The schema of a tool of LangChain is the tool; that of Bedrock Agents is a list of parameters.
    if form.dialect is not None and not form.reads_only and form.id not in ("langchain@json-schema", "bedrock@agents")
]
FIXTURES = Path(__file__).parents[1] / "fixtures"

SCHEMA: Json = {
    "type": "object",
    "properties": {"ship": {"type": "string", "minLength": 7}, "pier": {"type": "integer"}},
    "required": ["ship"],
}
OWN: Json = {
    "type": "function",
    "function": {"name": "book berth", "description": "Books.", "strict": True, "parameters": SCHEMA},
}


PING: Json = {"name": "ping", "description": "Pings.", "inputSchema": {"type": "object"}}


def named(form: Format, name: str, schema: Json) -> Json:
    """A tool of a format, as somebody writes it who does not know what the vendor accepts."""
    out = copy.deepcopy(convert(PING, form, source="mcp").value)
    put(out, form.tool.rows_of("name")[0].wire, name)
    rows = form.tool.rows_of("input")
    put(out, next((row.wire for row in rows if get(out, row.wire) is not MISSING), rows[0].wire), schema)
    return out


def test_a_strict_tool() -> None:
    before = copy.deepcopy(OWN)
    done = fix(OWN, "openai@chat-strict")
    assert before == OWN
    assert done.problems == check(done.value, "openai@chat-strict") == []
    assert done.report.counts() == {"TB201": 1, "TB302": 1, "TB501": 1, "TB503": 1}
    assert done.value["function"]["name"] == "book_berth"
    assert done.value["function"]["strict"] is True
    (argument_map,) = done.argument_maps
    assert argument_map is not None
    assert argument_map.restore({"ship": "IMO 9074", "pier": None}) == {"ship": "IMO 9074"}
    assert {loss.tool for loss in done.report} == {"book berth"}
    for loss in done.report:
        assert get(OWN, loss.source) is not MISSING
        assert loss.target is None or get(done.value, loss.target) is not MISSING


def test_a_conversion_within_a_format_repairs_nothing() -> None:
    assert convert(OWN, "openai@chat-strict", source="openai@chat-strict").value == OWN


def test_what_is_valid_and_what_the_vendor_runs_stays() -> None:
    good = {"name": "good", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}, "x-own": 1}
    hosted = {"type": "web_search_20250305", "name": "web_search"}
    bad = {"name": "bad name", "input_schema": {"type": "object", "anyOf": [{"required": ["k"]}]}, "x-own": 1}
    body = {"model": "m", "tools": [hosted, good, bad]}
    done = fix(body, "anthropic")
    assert done.problems == []
    assert done.repaired == 1
    assert done.value["model"] == "m"
    assert done.value["tools"][:2] == [hosted, good]
    assert done.value["tools"][2]["name"] == "bad_name"
    assert done.value["tools"][2]["x-own"] == 1
    assert {loss.item for loss in done.report} == {2}


def test_another_edition_of_the_same_vendor() -> None:
    done = fix([OWN], "openai@responses-strict")
    assert done.report.source.startswith("openai@chat")
    assert done.problems == check(done.value, "openai@responses-strict") == []
    assert done.value[0]["name"] == "book_berth"


@pytest.mark.parametrize("to", ["gemini", "gemini@vertex", "gemini@json-schema"])
def test_a_valid_schema_at_another_place_that_the_service_takes_stays(to: Any) -> None:
    """A valid `parametersJsonSchema` was rewritten as `parameters`, with losses."""
    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "additionalProperties": False}
    good = {"name": "good", "description": "d", "parametersJsonSchema": schema}
    done = fix({"functionDeclarations": [good, {**good, "name": "a b"}]}, to)
    assert (done.value["functionDeclarations"][0], done.repaired, done.problems) == (good, 1, [])
    assert {loss.item for loss in done.report} == {1}
    stated = fix([good], "gemini@parameters", source="gemini@json-schema")
    assert stated.value[0]["parameters"]["type"] == "OBJECT"


def test_a_member_of_another_edition_does_not_decide_how_a_tool_is_read() -> None:
    """With a `type`, as functions of the Interactions API have it, constraints in Gemini's own Schema were dropped."""
    parameters = {
        "type": "OBJECT",
        "properties": {"a": {"type": "ARRAY", "minItems": "2", "items": {"type": "STRING"}}},
    }
    tool = {"type": "function", "name": "a b", "description": "A.", "parameters": parameters}
    done = fix([tool], "gemini")
    assert (done.report.source, done.value) == ("gemini@parameters", [{**tool, "name": "a_b"}])
    assert [loss.code for loss in done.report] == ["TB501"]
    # A request of that API is written as one of the other.
    assert "functionDeclarations" in fix({"tools": [tool]}, "gemini").value


def test_what_is_written_as_it_was_is_not_repaired() -> None:
    tool = {"name": "now", "inputSchema": {"type": "object", "properties": {}}}
    done = fix([tool], "mcp@2025-11-25", source="mcp@2025-06-18")
    assert (done.value == [tool], done.repaired) == (True, 0)


@pytest.mark.parametrize("to", ["mcp@2025-03-26", "mcp@2025-06-18", "mcp@2025-11-25"])
@pytest.mark.parametrize("more", [{}, {"icons": [{"src": "https://example.org/i"}]}])
def test_a_tool_that_is_valid_in_the_wanted_edition_stays(to: Any, more: Json) -> None:
    tool = {"name": "a", "inputSchema": {"type": "object"}, "annotations": {"title": "A"}, **more}
    done = fix(tool, to)
    assert (done.value, [*done.report], done.repaired) == (tool, [], 0)


def test_an_identifier_that_is_written_anew_is_repaired() -> None:
    """It was reported as a key that no specification defines (TB102)."""
    document = {
        "id": "Tides.now@1",
        "name": "now",
        "description": "Tells the tide.",
        "version": "1.0.0",
        "input_schema": {"parameters": {"type": "object"}},
        "output_schema": None,
    }
    done = fix(document, "arcade")
    assert done.value == {**document, "id": "Tides.now@1.0.0"}
    assert [(loss.code, loss.source, loss.target) for loss in done.report] == [("TB001", "/id", "/id")]


def test_another_vendor_is_refused() -> None:
    with pytest.raises(FormatError, match="`convert` writes them for gemini"):
        fix(OWN, "gemini")
    with pytest.raises(FormatError, match="this configures clients of MCP servers"):
        fix({"mcpServers": {"time": {"command": "uvx"}}}, "openai")


def test_what_cannot_be_repaired_is_said() -> None:
    done = fix([OWN, {"type": "function"}], "openai@chat-strict")
    assert len(done.value) == 1
    assert [str(failure) for failure in done.report.failures] == ["/1/function: required, but missing"]
    with pytest.raises(DocumentError):
        fix({"type": "function", "function": {"name": ""}}, "openai@chat-strict", source="openai@chat")
    broken = {"type": "function", "function": {"name": "x", "description": "\ud83d", "parameters": {}}}
    done = fix([OWN, broken], "openai@chat-strict")
    assert (len(done.value), [failure.item for failure in done.report.failures]) == (1, [1])
    done = fix([OWN], "openai@chat-strict", limits=Limits(nodes=1))
    assert (done.value, len(done.report.failures)) == ([], 1)
    assert [(loss.code, loss.source) for loss in done.report] == [("TB902", "/0/function/parameters/properties/pier")]
    twice = fix([OWN, OWN], "openai@chat-strict")
    assert ["the same name as" in str(problem) for problem in twice.problems] == [True]


@pytest.mark.parametrize("form", VENDORS, ids=lambda it: it.id)
def test_what_is_written_is_accepted(form: Format) -> None:
    @given(schemas(), st.sampled_from(["ping", "book berth", "a" * 200, "ü"]))
    def judged(schema: Json, name: str) -> None:
        tool = named(form, name, schema)
        before = copy.deepcopy(tool)
        try:
            done = fix([tool], form, source=form)
        except DocumentError:
            return
        assert same(tool, before)
        assert [str(problem) for problem in done.problems] == [], (tool, done.value)
        again = fix(done.value, form, source=form)
        assert same(again.value, done.value)
        assert (again.repaired, len(again.report)) == (0, 0)
        assert same(done.value, [tool]) or done.repaired == 1

    judged()


@pytest.mark.parametrize("form", VENDORS, ids=lambda it: it.id)
def test_fixtures(form: Format) -> None:
    """Documents of the vendor stay as they are where the vendor takes them."""
    for file in sorted((FIXTURES / form.family).glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            document = json.loads(line)
            try:
                valid = not check(document, form, kind="tool")
                done = fix(document, form, source=form)
            except (DocumentError, FormatError):
                continue
            if valid:
                assert same(done.value, document), line
            assert done.problems == [] or not valid


# The command


@pytest.fixture
def run(run: Any) -> Any:
    Path("own.json").write_text(json.dumps({"tools": [OWN]}), "utf-8")
    return run


@pytest.mark.parametrize("to", ["openai", "openai@responses", "openai@functions", "gemini", "anthropic"])
def test_tools_of_another_family_are_not_repaired(to: str) -> None:
    """The older functions of OpenAI would take them with all that they have as unknown members."""
    mcp = {"name": "add", "description": "Adds.", "inputSchema": {"type": "object"}, "annotations": {"title": "Add"}}
    with pytest.raises(FormatError, match="these are tools of mcp"):
        fix({"tools": [mcp]}, to)


@pytest.mark.parametrize("to", ["openapi", "xtp"])
def test_a_format_that_is_not_written_is_named(to: str) -> None:
    """The document was read as one of this format, and refused for what it lacks."""
    with pytest.raises(FormatError, match=f"{to}@.* can be read, not written"):
        fix({"name": "add", "inputSchema": {"type": "object"}}, to)


@pytest.mark.parametrize("to", ["mcp", "openai", "openai@responses", "openai@functions", "gemini", "anthropic"])
def test_a_document_without_tools_is_not_repaired(to: str) -> None:
    with pytest.raises(DocumentError, match="there are no tools in it"):
        fix({"tools": []}, to)


def test_command(run: Any) -> None:
    done = run("fix", "own.json", "--as", "openai@chat-strict", "-o", "out.json", "--report", "report.json")
    assert (done.code, done.out) == (0, "")
    assert done.err.splitlines()[0].endswith("-> openai@chat-strict")
    assert done.err.splitlines()[-1] == "1 tool: 0 unchanged, 1 repaired, 0 left out"
    assert run("check", "out.json", "--as", "openai@chat-strict").code == 0
    assert json.loads(Path("report.json").read_text("utf-8"))["counts"]["TB501"] == 1
    assert run("fix", "own.json", "--as", "openai@chat-strict", "-o", "out.json", "--report", "page.html").code == 0
    assert Path("page.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert (
        "give the report a file of its own"
        in run("fix", "own.json", "--as", "openai", "-o", "a.json", "--report", "a.json").err
    )
    assert json.loads(run("fix", "out.json", "--as", "openai@chat-strict", "-q").out) == json.loads(
        Path("out.json").read_text("utf-8")
    )


def test_what_cannot_be_repaired_is_told_with_the_tool(run: Any) -> None:
    """It had the place in a list of the lines alone, which nobody wrote."""
    twice = [PING, PING]
    Path("own.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in twice), "utf-8")
    Path("own.json").write_text(json.dumps({"tools": twice}), "utf-8")
    for name, place in (("own.jsonl", ""), ("own.json", "/tools/1: ")):
        done = run("fix", name, "--as", "mcp@2025-06-18")
        assert done.code == 1
        assert f"not repaired: tool 1 (ping): {place}the same name as the tool with index 0" in done.err
    Path("own.json").write_text(json.dumps([PING, {**PING, "inputSchema": 5}, {**PING, "name": ""}]), "utf-8")
    assert run("fix", "own.json", "--as", "mcp@2025-06-18").err.splitlines()[-2:] == [
        "own.json: tool 1 (ping): /1/inputSchema: expected an object, found an integer",
        "own.json: tool 2: /2/name: a name needs at least one character, found ''",
    ]


def test_a_duplicate_member_that_is_left_out_is_reported(run: Any) -> None:
    """`fix` wrote the last one in silence; `diff` and `lock` took it in silence."""
    twice = '{"name": "a", "inputSchema": {"type": "object"}, "name": "b"}'
    done = fix(f'{{"tools": [{json.dumps(PING)}, {twice}]}}', "mcp@2025-06-18", source="mcp@2025-06-18")
    assert [(loss.code, loss.source, loss.tool) for loss in done.report] == [("TB002", "/tools/1/name", "b")]
    assert done.repaired == 1
    Path("twice.json").write_text(twice, "utf-8")
    Path("twice.jsonl").write_text(f"{json.dumps(PING)}\n{twice}\n", "utf-8")
    for name in ("twice.json: ", "twice.jsonl:2: "):
        for command in (["diff", "own.json"], ["lock"]):
            said = run(*command, name.split(":")[0]).err.splitlines()
            assert f"{name}/name: appears twice in its object; the last one counts" in said


def test_command_with_lines(run: Any) -> None:
    Path("own.jsonl").write_text(f"{json.dumps(OWN)}\n{json.dumps({'type': 'function'})}\n", "utf-8")
    done = run("fix", "own.jsonl", "--as", "openai@chat-strict", "--from", "openai@chat-strict")
    assert done.code == 1
    assert len(done.lines) == 1
    assert "1 repaired, 1 left out" in done.err
    Path("own.jsonl").write_text(f'{{"name"\n{json.dumps(OWN)}\n', "utf-8")
    done = run("fix", "own.jsonl", "--as", "openai@chat-strict", "--report", "report.json")
    assert (done.code, len(done.lines)) == (1, 1)
    assert "1 repaired, 1 left out" in done.err
    assert done.err.splitlines()[-1].startswith("own.jsonl:1: not JSON: ")
    Path("own.jsonl").write_text(f"{json.dumps({'type': 'function'})}\n", "utf-8")
    done = run("fix", "own.jsonl", "--as", "openai@chat-strict", "--from", "openai@chat-strict", "-o", "none.json")
    assert done.code != 0
    assert not Path("none.json").exists()
    assert run("fix", "own.json", "--as", "gemini").code == 2
