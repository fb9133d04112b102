"""The fast path: what a bridge gives for a tool is what the general path gives."""

from __future__ import annotations

import copy
import datetime as dt
import json
import math
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, MsgspecError, UnsetType

from laws import law, same_result
from toolbridge import DocumentError, LossError, ToolbridgeError, api, convert
from toolbridge.api import Bridge
from toolbridge.bulk.fastpath import FastPath, fast_path
from toolbridge.bulk.holes import HoleError
from toolbridge.bulk.plan import Planner
from toolbridge.bulk.schema_step import MemoStore, SchemaStep, WrittenSchema
from toolbridge.conversion import converter
from toolbridge.conversion.parsed_document import parse_document
from toolbridge.data import pointer
from toolbridge.formats.registry import get_format
from toolbridge.limits import Limits
from toolbridge.losses.note import Note
from toolbridge.mapping import Codec, Format, Row, Table, Wire, flag, local, row
from toolbridge.schema import OPTIONS, BudgetExceeded, Options

MCP = get_format("mcp@2025-11-25")
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


@pytest.fixture(autouse=True, scope="module")
def _at_once() -> Iterator[None]:
    """The fast path is compiled for the first tool."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api, "FAST_PATH_FROM", 0)
        patch.setattr(api, "FAST_PATH_FROM_IN_LISTS", 0)
        patch.setattr(converter, "FAST_PATH_FROM_IN_LISTS", 0)
        for owner, name in ((Planner, "_plan"), (SchemaStep, "_converted")):
            patch.setattr(owner, name, without_bugs(getattr(owner, name)))
        yield


EXPECTED = (HoleError, ToolbridgeError, BudgetExceeded, MsgspecError, ValueError, RecursionError, OverflowError)
"""What may end a plan: another error is a bug, because of which tools would take the general path unnoticed."""


def without_bugs(function: Any) -> Any:
    def checked(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except EXPECTED:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is
            pytest.fail(f"{type(error).__name__}: {error}")  # passes through `except Exception`

    return checked


def told(made: Any) -> tuple[Any, ...]:
    remainder = made.remainder
    report = made.report
    return (
        json.dumps(made.value),
        list(report),
        (report.source, report.target, report.assumed, report.ties, list(report.failures)),
        None if remainder is None else remainder.to_json(),
        list(made.argument_maps),
        dict(made.names),
    )


def result(run: Any, document: Any) -> Any:
    try:
        return told(run(document))
    except ToolbridgeError as error:
        return type(error), str(error)


def general(bridge: Bridge) -> Any:
    """The general path of a bridge."""
    return lambda document: bridge.convert_parsed(parse_document(document), fast=False)


def documents(form: Format) -> list[Any]:
    folder = FIXTURES / form.family
    files = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    found = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [each for each in found if isinstance(each, dict)][:6]


@pytest.mark.parametrize(("source", "target"), law.PAIRS, ids=[f"{a.id}-{b.id}" for a, b in law.PAIRS])
def test_the_same_as_the_general_road(source: Format, target: Format) -> None:
    bridge = Bridge(source, target)
    for document in documents(source):
        without = result(general(bridge), document)
        for run in (bridge, bridge, lambda each: convert(each, target, source=source, kind="tool")):
            before = copy.deepcopy(document)
            assert result(run, document) == without
            assert document == before
        name = document.get("name")
        if isinstance(name, str):
            other = {**document, "name": "another_tool"}
            assert result(bridge, other) == result(general(bridge), other)


def tool(**more: Any) -> dict[str, Any]:
    properties = {"a": {"type": "string", "description": "An a."}}
    return {
        "name": "tool",
        "description": "A tool.",
        "inputSchema": {"type": "object", "properties": properties},
        **more,
    }


def test_the_first_tool_takes_it() -> None:
    path = FastPath(MCP, get_format("openai@chat"))
    done = path.convert(json.dumps(tool()).encode())
    assert done is not None
    assert json.loads(done.text) == convert(tool(), "openai@chat", source=MCP).value


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_escapes_of_visible_characters_are_no_hindrance(separators: tuple[str, str]) -> None:
    path = FastPath(MCP, get_format("openai@chat"))
    seen = tool(description="Tide — “é” 😀", title="\\u0041")
    text = json.dumps(seen, separators=separators)
    assert "\\u2014" in text
    done = path.convert(text.encode())
    assert done is not None
    assert json.loads(done.text) == convert(seen, "openai@chat", source=MCP).value
    hidden = [text.replace("\\u2014", escape) for escape in ("\\u200b", "\\u0007", "\\ud800", '\\u0022,"name":"b')]
    for other in (*hidden, text[:-1] + ',"n\\u0061me":"other"}', text[:-1] + f',"n":1{"0" * 30}' + "}"):
        assert path.convert(other.encode()) is None, other


def test_parameters_that_a_model_describes_are_read_by_it() -> None:
    path = FastPath(get_format("bedrock@agents"), get_format("openai@chat"))

    def converted(detail: Any) -> Any:
        return path.convert(
            json.dumps({"name": "t", "parameters": {"a": detail}, "requireConfirmation": "ENABLED"}).encode()
        )

    assert converted({"type": "string"}) is not None
    for detail in ({"type": "text"}, {}, {"type": "string", "required": 1}, "string"):
        assert converted(detail) is None, detail


class Card(Wire, kw_only=True):
    """A tool of a format of this test."""

    tool: str
    about: str | UnsetType = UNSET
    takes: dict[str, Any]
    heading: str | UnsetType = UNSET
    careful: bool | UnsetType = UNSET


CARD_ROWS = (
    row("/tool", "name", required=True),
    row("/about", "description"),
    row("/takes", "input", required=True),
)
HEADING, CAREFUL = row("/heading", "title"), row("/careful", "hints.destructive")


@pytest.mark.parametrize("more", [(HEADING,), (CAREFUL,), (HEADING, CAREFUL)], ids=["title", "hint", "both"])
def test_a_row_changes_both_paths(more: tuple[Row, ...]) -> None:
    """A row is all that a field takes: the fast path and the general path read it, write it, and note its loss."""
    card = {"tool": "tool", "about": "A tool.", "takes": tool()["inputSchema"], "heading": "Tool", "careful": True}
    as_mcp = tool(title="Tool", annotations={"destructiveHint": True})
    field = {HEADING: ("/title", "/heading"), CAREFUL: ("/annotations/destructiveHint", "/careful")}
    unshared = tuple(local(each.wire) for each in more)
    others = tuple(local(each.wire) for each in field if each not in more)
    for rows in ((*CARD_ROWS, *others, *unshared), (*CARD_ROWS, *others, *more)):
        form = Format(id="card@1", summary="Cards", spec="", tool=Table(Card, *rows))
        known = [place for each, place in field.items() if each in rows]
        lost = [place for each, place in field.items() if each not in rows]
        for source, target, document, own, other in ((form, MCP, card, 1, 0), (MCP, form, as_mcp, 0, 1)):
            bridge = Bridge(source, target)
            expected = general(bridge)(document)
            done = FastPath(source, target).convert(json.dumps(document).encode())
            assert done is not None
            assert json.loads(done.text) == expected.value
            assert [(note.code, note.source) for note in done.notes] == [each[:2] for each in expected.report]
            assert all(pointer.get(expected.value, place[other], None) for place in known)
            assert {place[own] for place in lost} == {loss.source for loss in expected.report}


COMPARED = Codec(lambda value, _: value != "something", lambda value, _: "nothing" if value else "something")


@pytest.mark.parametrize("via", [flag(true="nothing", false="something"), COMPARED])
def test_codecs_that_compare_a_text(via: Codec) -> None:
    """A comparison with a hole was false, so that every tool got the hint of tools that change something."""

    class Effects(Card, kw_only=True):
        effects: str

    rows = (*CARD_ROWS, local("/heading"), local("/careful"), row("/effects", "hints.read_only", via, required=True))
    bridge = Bridge(Format(id="card@1", summary="Cards", spec="", tool=Table(Effects, *rows)), MCP)
    for effects in ("nothing", "something", "nothing"):
        card = {"tool": "tool", "about": "A tool.", "takes": tool()["inputSchema"], "effects": effects}
        assert same_result.differing(bridge, card) is None
        assert json.loads(bridge.bytes(json.dumps(card))[0])["annotations"] == {"readOnlyHint": effects == "nothing"}


@pytest.mark.parametrize("read", [lambda value, _: not value, lambda value, _: value is False])
def test_codecs_that_look_at_a_flag(read: Any) -> None:
    via = Codec(read, lambda value, _: not value)
    rows = (*CARD_ROWS, local("/heading"), row("/careful", "hints.read_only", via))
    bridge = Bridge(Format(id="card@1", summary="Cards", spec="", tool=Table(Card, *rows)), MCP)
    for careful in (True, False, True):
        card = {"tool": "tool", "about": "A tool.", "takes": tool()["inputSchema"], "careful": careful}
        assert same_result.differing(bridge, card) is None
        assert json.loads(bridge.bytes(json.dumps(card))[0])["annotations"] == {"readOnlyHint": not careful}


def test_equal_limits_are_the_default_ones() -> None:
    """Limits were compared by identity, so that processes to which options are pickled had no fast path."""
    mcpx = get_format("mcpx")
    for options in (Options(limits=Limits()), pickle.loads(pickle.dumps(OPTIONS))):
        assert fast_path(MCP, mcpx, options) is not None
    assert fast_path(MCP, mcpx, Options(limits=Limits(nodes=9_999))) is None


def test_what_comes_out_is_the_callers() -> None:
    bridge = Bridge(MCP, get_format("mcpx"))
    for _ in range(4):
        bridge(tool())
    value = bridge(tool()).value
    value["inputSchema"]["properties"].clear()
    assert bridge(tool()).value["inputSchema"] == tool()["inputSchema"]


@pytest.mark.parametrize("value", [math.nan, ("a",), {1: "a"}, dt.date(2026, 1, 1), b"a"])
def test_what_is_no_plain_data_is_not_taken_for_it(value: Any) -> None:
    """Encoders write some of it as if it were: null for what is no number, lists for tuples, texts for dates."""
    bridge = Bridge(MCP, get_format("mcpx"))
    plain = {"nan": None, "tuple": ["a"], "dict": {"1": "a"}, "date": "2026-01-01", "bytes": "YQ=="}
    like = "nan" if isinstance(value, float) else type(value).__name__
    for _ in range(4):
        bridge(tool(_meta={"a": plain[like]}))
    odd = tool(_meta={"a": value})
    assert result(bridge, odd) == result(general(bridge), odd)


def test_refused_losses_are_refused_again() -> None:
    bridge = Bridge(MCP, get_format("mcpx"))
    for _ in range(4):
        bridge(tool(title="A tool"))
    with pytest.raises(LossError):
        bridge(tool(title="A tool"), refuse=("TB1",))
    assert bridge(tool(title="A tool")).report.counts() == {"TB101": 1}


def test_errors_are_raised_again() -> None:
    bridge = Bridge(MCP, get_format("mcpx"))
    for _ in range(4):
        with pytest.raises(DocumentError):
            bridge({"name": "a"} | {"inputSchema": 1})


def test_threads() -> None:
    bridge = Bridge(MCP, get_format("openai@chat-strict"))
    tools = [tool(name=f"tool_{n % 7}", title=f"Tool {n % 3}") for n in range(600)]
    expected = [result(general(bridge), each) for each in tools[:21]]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda each: result(bridge, each), tools))
    assert found == [expected[n % 21] for n in range(600)]


SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
WRAPPED = {
    "type": "object",
    "properties": {"result": {"title": "Result", "type": "integer"}},
    "required": ["result"],
    "x-fastmcp-wrap-result": True,
}
"""What FastMCP makes of a function that returns an integer."""


@pytest.mark.parametrize(
    "more",
    [
        {"annotations": None},
        {"annotations": None, "title": None, "_meta": None},
        {"annotations": {"title": None, "readOnlyHint": True, "destructiveHint": None}},
        {"annotations": {"openWorldHint": False, "title": "A"}, "title": "B"},
        {"annotations": {}},
        {"icons": [{"src": "https://e.x/i.png"}], "execution": {"taskSupport": "optional"}},
        {"_meta": {"ui": {"a": 1}, "x": None}},
        {"_meta": {"ui": {"resourceUri": "ui://a/b", "visibility": ["model", "app"]}}},
        {"_meta": {}},
        {"outputSchema": SCHEMA, "title": "T"},
        {"outputSchema": {**WRAPPED, "title": "_WrappedResult"}},
        {"title": ""},
        {"description": None},
        {"description": ""},
        {"name": "a b"},
        {"name": "x" * 99},
        {"inputSchema": {**SCHEMA, "$schema": "http://json-schema.org/draft-07/schema#"}},
    ],
)
@pytest.mark.parametrize("target", ["openai@chat", "anthropic", "mcpx", "mcp@2025-06-18", "mcp@2025-03-26", "arcade"])
def test_what_real_tools_say(more: dict[str, Any], target: str) -> None:
    bridge = Bridge(MCP, get_format(target))
    assert same_result.fast(bridge, tool(**more))
    assert same_result.differing(bridge, tool(**more)) is None


@pytest.mark.parametrize(
    "meta",
    [
        {"ui": {"visibility": ["app"]}},
        {"openai/visibility": "private"},
        {"securitySchemes": [{"type": "oauth2", "scopes": ["a"]}]},
    ],
)
def test_demands_take_the_other_path(meta: Any) -> None:
    bridge = Bridge(MCP, get_format("openai@chat"))
    assert same_result.fast(bridge, tool(_meta={"ui": {"visibility": ["app", "model"]}}))  # which has the same plan
    assert not same_result.fast(bridge, tool(_meta=meta))
    assert same_result.differing(bridge, tool(_meta=meta)) is None


def test_nulls_within_icons_take_the_other_path() -> None:
    bridge = Bridge(MCP, get_format("openai@chat"))
    assert same_result.differing(bridge, tool(title=None, icons=[{"src": "a", "theme": None}])) is None


@pytest.mark.parametrize("more", [{}, {"title": "T"}, {"outputSchema": SCHEMA}, {"name": "a b"}, {"annotations": None}])
@pytest.mark.parametrize(
    "target", ["openai@chat-strict", "openai@responses-strict", "anthropic@strict", "deepseek@strict"]
)
def test_tools_that_are_not_strict_take_it(more: dict[str, Any], target: str) -> None:
    """The fallback of a strict dialect writes maps; the tool is not strict."""
    mapped = {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}}}
    bridge = Bridge(MCP, get_format(target))
    for schema in (mapped, SCHEMA, mapped):
        document = tool(inputSchema=schema, **more)
        assert same_result.fast(bridge, document)
        assert same_result.differing(bridge, document) is None
        assert ("TB603" in bridge(document).report.counts()) is (schema is mapped)


def test_an_output_that_is_lost_may_be_wrapped() -> None:
    for target in ("openai@chat", "anthropic", "mcpx"):
        bridge = Bridge(MCP, get_format(target))
        assert same_result.fast(bridge, tool(outputSchema=WRAPPED))
        assert same_result.differing(bridge, tool(outputSchema=WRAPPED)) is None


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"title": "T"},
        {"properties": {"a": {"type": "string"}}, "required": None},
        {"properties": {"required": ["a"], "a": {"type": "integer"}}},
        {"type": "object", "properties": {"a": True}},
    ],
)
@pytest.mark.parametrize("target", ["openai@chat", "anthropic", "mcpx", "mcp@2025-03-26", "arcade"])
def test_schemas_that_are_repaired(schema: dict[str, Any], target: str) -> None:
    bridge = Bridge(MCP, get_format(target))
    for document in (tool(inputSchema=schema), tool(inputSchema=schema, title=None)):
        assert same_result.differing(bridge, document) is None


@pytest.mark.parametrize("name", ["a\nb", "a\n", "\na", "a\n\nb"])
@pytest.mark.parametrize("target", ["anthropic", "bedrock", "gemini", "gemini@json-schema"])
def test_names_of_parameters_with_a_line_break(name: str, target: str) -> None:
    """Two names on two lines were taken for two names."""
    document = tool(inputSchema={"type": "object", "properties": {name: {"type": "string"}}})
    bridge = Bridge(MCP, get_format(target))
    assert same_result.differing(bridge, document) is None
    assert json.loads(bridge.bytes(json.dumps(document))[0]) == convert(document, target, source="mcp").value
    assert "TB501" in bridge(document).report.counts()


@pytest.mark.parametrize(
    "text",
    [
        '{"name":"a","inputSchema":{"type":"object"},"name":"b"}',
        '{"name":"a","inputSchema":{"type":"object","type":"object"}}',
        '{"name":"a","inputSchema":{"type":"object"},"icons":[{"src":"a","src":"b"}]}',
        '{"name":"a","inputSchema":{"type":"object"},"x":1}',
        '{"name":"a\\u200b","inputSchema":{"type":"object"}}',
        '{"name":" ","inputSchema":{"type":"object"}}',
        '{"name":"a","inputSchema":[]}',
        '{"inputSchema":{"type":"object"}}',
        '{"name":"a","inputSchema":{"type":"object","maximum":1e400}}',
        '{"name":"a","inputSchema":{"type":"object","default":' + "[" * 600 + "]" * 600 + "}}",
        '{"name":"a","inputSchema":{"type":"object"},"_meta":{"dev.toolbridge/wrapped":true}}',
        "[]",
        "",
    ],
)
def test_what_takes_the_general_road(text: str) -> None:
    for target in ("openai@chat", "mcpx", "mcp@2025-06-18"):
        assert FastPath(MCP, get_format(target)).convert(text.encode()) is None


def definition(name: str, identity: str, **more: Any) -> dict[str, Any]:
    """A tool of Tool Definition 1.0; with `version=UNSET` without a version."""
    document = {
        "id": identity,
        "name": name,
        "description": "A tool.",
        "version": "1.2.0",
        "input_schema": {"parameters": tool()["inputSchema"]},
        "output_schema": {},
    }
    return {key: value for key, value in {**document, **more}.items() if value is not UNSET}


DEFINITIONS: list[tuple[dict[str, Any], bool]] = [
    (definition("add", "Math.add@1.2.0"), True),
    (definition("multiply", "Math.multiply@1.2.0"), True),
    (definition("Math_add", "Math.add@1.2.0"), True),
    (definition("add", "Other.add@1.2.0"), True),
    (definition("add", "Math.sum@1.2.0"), True),  # an id that says another name is local
    (definition("add-one", "Math.add_one_1@1.2.0"), True),
    (definition("add", "Math.add@2.0.0"), True),  # and another version
    (definition("add", "Math.add@2.0.0", version="2.0.0"), True),
    (definition("add", "Math.add@2", version=UNSET), True),
    (definition("add", "Math.add", version=UNSET), True),
    (definition("add", "Tools.add@0.0.0", version="0.0.0", output_schema=None), True),
    (definition("add", "Math.add@1.2.0", version=None), True),
    (definition("add", "Math.add@1.2.0", output_schema={"type": "object"}), True),
    (definition("add", "Math.add@1.2.0", requirements={"user_id": True}), True),
    (definition("add", "Math.add@1.2.0", unknown=1), False),
    (definition("", "Math.add@1.2.0"), False),
    (definition(" ", "Math.add@1.2.0"), False),
    (definition("add", "no identifier"), False),
    (definition("add", "Math.add@1.2.0", id=None), False),
    (definition("add", "Math.add@1.2.0", id=UNSET), False),
    (definition("add", "Math.add@1.2.0", input_schema={"parameters": {}}), False),
]


@pytest.mark.parametrize("target", ["mcp", "openai", "openai-strict", "gemini", "mcpx", "arcade-engine", "arcade"])
def test_tools_with_an_identifier_take_it(target: str) -> None:
    """The toolkit and the version are those of the tool, not those of another tool of its form."""
    bridge = Bridge(get_format("arcade"), get_format(target))
    for document, is_fast in DEFINITIONS:
        if target not in ("arcade", "arcade-engine"):
            assert same_result.fast(bridge, document) is is_fast, document
        assert same_result.differing(bridge, document) is None, document


class AnyVersion(Wire, kw_only=True):
    """A tool with a version of any type."""

    name: str
    version: Any = UNSET
    inputSchema: dict[str, Any]  # noqa: N815 - the name of a member


def test_versions_that_are_no_text() -> None:
    """Only text belongs to the form of a tool: 1 is equal to 1.0, and a list cannot be looked up."""
    rows = row("/name", "name", required=True), row("/version", "version"), row("/inputSchema", "input", required=True)
    source = Format(id="card@1", summary="Cards", spec="", tool=Table(AnyVersion, *rows))
    path = FastPath(source, get_format("arcade"))
    for version in (1, 1.0, [1], {"a": 1}, "1.0.0"):
        document = {"name": "a", "version": version, "inputSchema": {"type": "object"}}
        assert path.convert(json.dumps(document).encode()) is None


@pytest.mark.parametrize("target", ["openai@chat", "anthropic@messages", "bedrock@converse", "cerebras@chat"])
@pytest.mark.parametrize("keyword", ["title", "pattern"])
def test_strict_tools_where_the_target_asks_whether_the_schema_keeps_the_rules(target: str, keyword: str) -> None:
    """One keyword is taken by no strict rules, or by all of them, so that the flag is lost or stays."""
    schema = {"type": "object", "properties": {"a": {"type": "string", keyword: "(?=x)"}}}
    schema |= {"required": ["a"], "additionalProperties": False}
    document = {"type": "function", "name": "f", "description": "F.", "strict": True, "parameters": schema}
    both = get_format("openai@responses-strict"), get_format(target)
    general = Bridge(*both).convert_parsed(parse_document(document), fast=False)
    path = FastPath(*both)
    for done in (path.convert(json.dumps(document).encode()), path.convert(json.dumps(document).encode())):
        assert done is not None
        assert json.loads(done.text) == general.value
        assert {each.code for each in done.notes} == {loss.code for loss in general.report}


def test_no_plans_for_ever_more_toolkits() -> None:
    """Plans for a few tools each would cost more than they save."""
    path = FastPath(get_format("arcade"), MCP)
    for n in range(3_000):
        path.convert(json.dumps(definition("add", f"Kit{n}.add@1.2.0")).encode())
    assert len(path._plans) <= 2_048
    assert path.convert(json.dumps(definition("sum", "Kit0.sum@1.2.0")).encode()) is not None
    assert path.convert(json.dumps(definition("sum", "Kit2999.sum@1.2.0")).encode()) is None


def test_lists_of_losses_are_shared_and_bounded() -> None:
    path = FastPath(MCP, get_format("openai@chat-strict"))

    def notes(*names: str, bounds: int = 1) -> list[Note]:
        properties = {name: {"type": "string", "minLength": 1, "maxLength": bounds} for name in names}
        done = path.convert(json.dumps(tool(inputSchema={"type": "object", "properties": properties})).encode())
        assert done is not None
        return done.notes

    assert notes("a", "b") is notes("a", "b")
    assert notes("a", "b") is not notes("a", "c")
    assert notes("a", "b", bounds=2) == notes("a", "b", bounds=3)
    for n in range(1_200):
        notes("a", f"b{n}")
    plan = next(plan for plan in path._plans.values() if plan is not None)
    assert 0 < len(plan.known_notes) <= 1_024
    large = [f"p{n}" for n in range(100)]
    assert notes(*large) == notes(*large)
    assert all(len(each[2]) < 100 for each in plan.known_notes.values())


def test_what_is_remembered_is_bounded() -> None:
    memo = MemoStore(10_000).memo("rows")
    for n in range(1000):
        added = memo.add(b"%d" % n, WrittenSchema(b"{}", [], None), 100)
        assert len(memo.entries) < 20
    assert memo.entries[b"999"] is added
    memo.add(b"x" * 20_000, None, 0)
    assert b"x" * 20_000 not in memo.entries


def test_what_all_plans_remember_together_is_bounded() -> None:
    """Tools with fields of their own family have a memo for each plan, and there may be thousands of these."""
    path = FastPath(MCP, get_format("arcade"))
    for n in range(4_000):
        schema = {"type": "object", "properties": {f"p{n}": {"type": "string", "description": "D" * 4_000}}}
        assert path.convert(json.dumps(tool(inputSchema=schema, _meta={f"k{n % 500}": 1})).encode()) is not None
    steps = [step for plan in path._plans.values() if plan is not None for step in plan.steps]
    entries = [each for step in steps if isinstance(step, SchemaStep) for each in step._memo.entries.items()]
    assert 0 < sum(len(text) + len(schema.text) for text, schema in entries if schema is not None) < 9_000_000


def test_no_plans_for_ever_more_forms() -> None:
    path = FastPath(MCP, get_format("arcade"))
    for n in range(5_000):
        path.convert(json.dumps(tool(_meta={f"k{n % 2_500}": 1}, title="T" if n % 2 else None)).encode())
    assert len(path._plans) < 2_048
    assert path.convert(json.dumps(tool(_meta={"k1": 1}, title="T")).encode()) is not None
