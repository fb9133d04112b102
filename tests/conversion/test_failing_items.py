"""One item at which the program itself fails is one item that is left out, with its name, its place and the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from toolbridge import (
    Bridge,
    DocumentError,
    LossError,
    Remainder,
    Toolbox,
    bridge,
    check,
    convert,
    convert_file,
    detect,
    get_format,
)
from toolbridge.cli import main
from toolbridge.conversion.parsed_document import parse_document
from toolbridge.mapping.table import Table
from toolbridge.schema import fit, lint

NAMES = ["one", "two", "poison", "three"]


def tool(name: str) -> dict[str, Any]:
    # No proof takes a keyword that no draft has: the schema has to be looked at.
    inner = {"type": "string", "minLength": 1, "x-order": 1}
    return {"name": name, "inputSchema": {"type": "object", "properties": {name: inner}}}


TOOLS = [tool(name) for name in NAMES]


@pytest.fixture(params=[TypeError, ZeroDivisionError, MemoryError, RecursionError])
def failing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type[Exception]:
    """Makes the writing, and the checking, of one schema fail as a bug would."""
    kind: type[Exception] = request.param
    write, look = fit, lint

    def broken(schema: Any, *given: Any, **more: Any) -> Any:
        if "poison" in schema.get("properties", {}):
            raise kind("what a bug says, with \x1b[2J in it")
        return write(schema, *given, **more)

    def blind(schema: Any, *given: Any, **more: Any) -> Any:
        if "poison" in schema.get("properties", {}):
            raise kind("what a bug says")
        return look(schema, *given, **more)

    monkeypatch.setattr("toolbridge.mapping.codecs.fit", broken)
    monkeypatch.setattr("toolbridge.validation.lint", blind)
    return kind


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def code_of(kind: type[Exception]) -> str:
    return "TB902" if kind is RecursionError else "TB905"


def said_of(kind: type[Exception]) -> str:
    return "nested too deeply" if kind is RecursionError else f"unexpected {kind.__name__}"


def test_convert(failing: type[Exception]) -> None:
    """S2: one tool stopped any catalogue."""
    done = convert(TOOLS, "openai", source="mcp", on_error="skip")
    assert [each["function"]["name"] for each in done.value] == ["one", "two", "three"]
    assert [(loss.source, loss.item) for loss in done.report.matching(code_of(failing))] == [("/2", 2)]
    (failure,) = done.report.failures
    assert str(failure).startswith(f"/2: 'poison': {said_of(failing)}")
    assert isinstance(failure.__cause__, failing)
    assert done.remainder is not None
    assert convert(done.value, "mcp", source="openai", restore=done.remainder).value == TOOLS


@pytest.mark.parametrize("document", [TOOLS, TOOLS[2], {"tools": TOOLS}], ids=["list", "tool", "catalogue"])
def test_convert_that_leaves_nothing_out(failing: type[Exception], document: Any) -> None:
    with pytest.raises(LossError, match="'poison': ") as found:
        convert(document, "openai", source="mcp")
    assert found.value.report[0].code == code_of(failing)
    assert isinstance(found.value.__cause__, failing)


@pytest.mark.parametrize("lines", [True, False])
def test_bytes(failing: type[Exception], lines: bool) -> None:
    text = b"\n".join(map(msgspec.json.encode, TOOLS)) if lines else msgspec.json.encode(TOOLS)
    value, report = bridge("mcp", "openai").bytes(text, lines=lines, on_error="skip")
    assert value.count(b'"function":{') == 3
    assert [loss.item for loss in report.matching(code_of(failing))] == [2]
    assert [said_of(failing) in str(failure) for failure in report.failures] == [True]


def test_files(failing: type[Exception], tmp_path: Path) -> None:
    source, out, rejects = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "rejects.jsonl"
    source.write_text("".join(json.dumps(each) + "\n" for each in TOOLS))
    tally = convert_file(source, "openai", out, source="mcp", rejects=rejects, jobs=1)
    assert (tally.tools, tally.refused) == (4, 1)
    assert [json.loads(line)["function"]["name"] for line in out.read_text().splitlines()] == ["one", "two", "three"]
    assert json.loads(rejects.read_text()) == TOOLS[2]
    (failed,) = tally.counted.failures
    assert failed.line == 3
    assert "'poison'" in failed.problem
    assert said_of(failing) in failed.problem


def test_toolbox(failing: type[Exception]) -> None:
    box = Toolbox(TOOLS, to="openai", source="mcp", on_error="skip")
    assert len(box) == 3
    assert [said_of(failing) in str(failure) for failure in box.report.failures] == [True]


def test_check(failing: type[Exception]) -> None:
    found = check([*TOOLS, {"name": 5}], "openai")
    assert [error.item for error in found] == [2, 4]
    assert found[0].pointer == "/2"
    assert failing.__name__ in str(found[0])


def test_the_command(failing: type[Exception], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """S2: the tool was not named, and nothing was written."""
    path, out = tmp_path / "in.json", tmp_path / "out.json"
    path.write_text(json.dumps(TOOLS))
    assert main(["convert", str(path), "--from", "mcp", "--to", "openai", "-o", str(out)]) == 1
    said = capfd.readouterr().err
    assert len(json.loads(out.read_text())) == 3
    assert "/2: 'poison': " in said
    assert said_of(failing) in said
    assert "Traceback" not in said
    assert main(["convert", str(path), "--from", "mcp", "--to", "openai", "-o", str(out), "--debug"]) == 1
    said = capfd.readouterr().err
    assert f"{failing.__name__}: what a bug says" in said
    assert "Traceback" in said
    assert "\x1b" not in said


def test_what_is_wrong_with_a_fill_is_no_fault_of_an_item() -> None:
    with pytest.raises(Exception, match="fill: ") as found:
        convert(TOOLS, "arcade", source="mcp", fill={"/version": 5}, on_error="skip")
    assert not isinstance(found.value, (LossError, DocumentError))


@pytest.mark.usefixtures("in_a_folder")
@pytest.mark.parametrize(
    ("command", "function", "code"),
    [
        (["convert", "--to", "openai", "-o", "out.jsonl"], "toolbridge.api.convert", 1),
        (["detect"], "toolbridge.cli.inspect.recognised_as", 2),
        (["check", "--as", "openai"], "toolbridge.cli.inspect.problems", 1),
    ],
    ids=lambda each: each[0] if isinstance(each, list) else "",
)
def test_a_document_at_which_the_program_fails_stops_no_other(
    command: list[str],
    function: str,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in NAMES:
        Path(f"{name}.json").write_text(json.dumps(tool(name)))
    module, _, name = function.rpartition(".")
    original = getattr(__import__(module, fromlist=[name]), name)

    def broken(given: Any, *more: Any, **options: Any) -> Any:
        if "poison" in str(given):
            raise ZeroDivisionError
        return original(given, *more, **options)

    monkeypatch.setattr(function, broken)
    assert main([*command, *(f"{name}.json" for name in NAMES)]) == code
    said = capfd.readouterr()
    assert "unexpected ZeroDivisionError, a bug in toolbridge" in said.out + said.err
    if command[0] == "convert":
        assert len(Path("out.jsonl").read_text().splitlines()) == 3
    if command[0] == "detect":
        assert said.out.count("mcp@") == 3


def test_what_fails_on_the_way_back_comes_back_by_its_remainder(monkeypatch: pytest.MonkeyPatch) -> None:
    write = Table.write

    def broken(table: Table, record: Any, family: str, *given: Any, **more: Any) -> Any:
        if family == "mcp" and record.fields["name"] == "poison":
            raise ZeroDivisionError
        return write(table, record, family, *given, **more)

    monkeypatch.setattr(Table, "write", broken)
    # New bridges: those of `convert` take the fast path, without Table.write, after enough conversions by other tests.
    mcp, openai = get_format("mcp"), get_format("openai")
    there = Bridge(mcp, openai)(TOOLS)
    assert len(there.value) == 4
    assert Bridge(openai, mcp)(there.value, restore=there.remainder).value == TOOLS


def test_what_a_check_did_not_look_at_is_not_called_valid(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.json"
    path.write_text(json.dumps([{"name": 1}] * 30))
    assert main(["check", str(path), "--as", "mcp", "--limits", "failures=10"]) == 1
    said = capfd.readouterr()
    assert "more than 10 problems (limit failures)" in said.out
    assert said.err.endswith("11 tools: 0 valid, 11 invalid\n")


# what it failed at

DEEP = "x\n\n{enum: " + "[" * 1000 + "]" * 1000 + "}"


@pytest.mark.parametrize(
    ("source", "schema", "to"),
    [
        ("openai", {"properties": {"x": {"type": "string", "description": DEEP}}}, "mcp"),
        ("mcp", {"properties": {"x": {"type": "string", "description": DEEP}}}, "gemini"),
        ("mcp", {"$ref": "#", "dependentRequired": {"a": [{}]}}, "openai@chat-strict"),
        ("mcp", {"properties": {"o": {"allOf": [{"dependencies": {"a": [{}]}}]}}}, "openai@chat-strict"),
        ("mcp", {"maxProperties": 10**400}, "gemini"),
        ("arcade", {"properties": 1}, "hyper-mcp@2"),
    ],
    ids=["description", "remainder", "root", "dependencies", "number", "properties"],
)
def test_schemas_that_stopped_a_catalogue(source: str, schema: dict[str, Any], to: str) -> None:
    """S2: RecursionError, TypeError, OverflowError and, on the way back, Unrepresentable."""
    schema = {"type": "object", **schema}
    mine = {"name": "poison", "description": "Is read.", "inputSchema": schema}
    if source == "openai":
        mine = {"type": "function", "function": {"name": "poison", "description": "Is read.", "parameters": schema}}
    elif source == "arcade":
        mine = {
            "id": "Kit.Poison@1.0.0", "name": "Kit_Poison", "description": "Is read.", "version": "1.0.0",
            "input_schema": {"parameters": schema}, "output_schema": {},
        }  # fmt: skip
    there = convert([mine, mine], to, source=source, on_error="skip")
    back = convert(there.value, source, source=to, restore=there.remainder, on_error="skip")
    assert not [loss for done in (there, back) for loss in done.report.matching("TB905")]
    assert back.value == [mine, mine]


def _cycle() -> dict[str, Any]:
    document: dict[str, Any] = {"name": "a"}
    document["inputSchema"] = document
    return document


@pytest.mark.parametrize(
    "read",
    [
        lambda: detect(_cycle()),
        lambda: detect({"name": "\ud800", "inputSchema": {}}),
        lambda: detect({"name": "a", "inputSchema": {(1,): 1}}),
        lambda: convert({"name": "a", "inputSchema": {10**5000: 1}}, "openai", source="mcp"),
        lambda: Remainder.from_json(b'{"\x9b":1}'),
    ],
    ids=["cycle", "surrogate", "odd key", "huge key", "remainder"],
)
def test_what_is_no_document(read: Callable[[], object]) -> None:
    """S8: these were raw errors."""
    with pytest.raises(DocumentError):
        read()


@pytest.mark.parametrize("wrap", ["[{}]", '{{"tools": [{}]}}'])
def test_bytes_leave_out_an_item_that_is_not_json(wrap: str) -> None:
    good = '{"name": "a", "inputSchema": {"type": "object"}}'
    bad = '{"name": "n", "inputSchema": {"type": "object", "default": NaN}}'
    data = wrap.format(f"{good}, {bad}").encode()
    convert_tools = bridge("mcp", "openai")
    text, report = convert_tools.bytes(data, on_error="skip")
    done = convert_tools(data, on_error="skip")
    assert json.loads(text) == done.value
    assert [str(failure) for failure in report.failures] == [str(failure) for failure in done.report.failures]
    with pytest.raises(DocumentError, match="not JSON"):
        convert_tools.bytes(data)


def test_the_error_of_an_item_that_is_not_json_holds_no_copy_of_the_document() -> None:
    for document in ([{"name": "a"}, {"name": "\ud83d"}], '[{"name": "a"}, {"name": "\ud83d"}]'):
        (error,) = parse_document(document, by_item=True).unreadable.values()
        assert error.__traceback__ is None
        assert error.__context__ is None


def test_the_report_has_the_name_of_an_unreadable_tool_as_plain_text() -> None:
    """A name of a subclass of str, such as a member of an enumeration, could not be encoded."""

    class Name(str):
        __slots__ = ()

    tools = [{"name": "x", "inputSchema": {"type": "object"}}, {"name": Name("a"), "inputSchema": {1, 2}}]
    report = convert(tools, "openai", source="mcp", on_error="skip").report
    (failure,) = report.failures
    assert isinstance(failure, DocumentError)
    assert type(failure.tool) is str
    assert '"tool":"a"' in report.to_json().replace(": ", ":")
