"""The laws of toolboxes: calls reach their tools with what was meant, and names stay what they are."""

from __future__ import annotations

import json
from itertools import count
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from laws import law, toolbox
from laws.arguments import nodes, samples, spoiled
from laws.generated import documents
from laws.meaning import Accepts, reads, validator
from laws.traffic import SHAPES, vendor_of
from laws.traffic import documents as messages
from toolbridge import CallError, DocumentError, LossError, Toolbox, convert, get_format
from toolbridge.data.equality import same
from toolbridge.data.pointer import MISSING, get, overlap
from toolbridge.data.types import Json, JsonObject
from toolbridge.mapping.format import Format
from toolbridge.schema.arguments import adapt_arguments
from vendors.messages import judges

FEW = settings(max_examples=max(1, settings.default.max_examples // 5))
"""A box is made for every example, and many calls of it."""

MCP = get_format("mcp@2025-11-25")
WAYWARD = (get_format("gemini@parameters"), get_format("openai@chat-strict"))
"""The formats for which most of what arguments can be changed into is changed."""
WORDLESS = (get_format("bedrock@agents"),)
"""The formats whose schemas do not list values."""
WORDED = (get_format("gemini@vertex"),)
"""The formats that list numbers as texts, which nothing says of an argument where that schema is not written."""


class Case(NamedTuple):
    """A box of one tool, and what judges its arguments on both sides."""

    tool: JsonObject
    a: Format
    b: Format
    box: Toolbox
    written: JsonObject
    meant: Json
    got: Json
    accepts: Accepts | None
    takes: Accepts | None

    def spelled(self, arguments: JsonObject) -> JsonObject:
        return toolbox.spelled(self.b, toolbox.called(self.b, self.written), arguments)

    def told(self, *codes: str) -> bool:
        """Whether the report says so of the arguments of the tool, or of something above them."""
        source = "/0" + law.schema_place(reads(self.tool, self.a))
        return any(overlap(loss.source, source) for loss in self.box.report.matching(*codes))

    def __str__(self) -> str:
        losses = [(loss.code, loss.source) for loss in self.box.report]
        return f"{self.a.id} -> {self.b.id}\n {law.text(self.tool)}\n {law.text(self.written)}\n {losses}\n"


def case(tool: JsonObject, a: Format, b: Format) -> Case:
    box = toolbox.boxed([tool], a, b)
    (written,) = toolbox.listed(box.tools)
    meant, got = reads(tool, a).fields.get("input"), reads(written, b).fields.get("input")
    accepts, takes = (None if schema is None else validator(schema) for schema in (meant, got))
    return Case(tool, a, b, box, written, meant, got, accepts, takes)


def restored(it: Case, arguments: JsonObject) -> JsonObject | None:
    """What came of arguments at the tool; None where the call was refused, as it may only be for a reason."""
    taken = it.takes is None or it.takes(arguments)
    where = f"{it} {law.text(arguments)}"
    (call,) = it.box.calls(it.spelled(arguments))
    if isinstance(call, CallError):
        assert not taken or it.told("TB2", "TB0"), f"{where} was refused: {call}"
        # No validator tells of a property without a name that it is the way to a problem.
        assert get(arguments, call.pointer) is not MISSING or '""' in json.dumps(it.tool), f"{where} {call}"
        return None
    assert toolbox.asked(it.a, call) == (toolbox.owned(it.a, it.tool), call.arguments), where
    if "without end" in str(call.unchecked):
        return None  # a schema that is its own alternative has no bound, so that nothing is held against it
    assert it.accepts is None or it.accepts(call.arguments), f"{where} is {law.text(call.arguments)}"
    assert call.checked == (it.accepts is not None), call.unchecked
    return call.arguments


@pytest.mark.parametrize("a", toolbox.SPEAKERS, ids=lambda form: form.id)
@FEW
@given(data=st.data())
def test_arguments_come_home(a: Format, data: st.DataObject) -> None:
    b = data.draw(st.sampled_from(toolbox.SPEAKERS))
    tool = data.draw(documents(a))
    try:
        it = case(tool, a, b)
    except (DocumentError, LossError):
        assume(False)
    (way,) = convert(
        [tool], b, source=a, fill=None if a.family == b.family else toolbox.FILL.get(b.family)
    ).argument_maps
    taken = {name for node in nodes(way) for names in node.get("rename", {}).items() for name in names}
    schemas = [schema for schema in (it.meant, it.got) if schema is not None] or [True]
    for value in samples(schemas, Random(data.draw(st.integers(0, 999))), 6):
        if not taken.isdisjoint(key for node in nodes(value) for key in node):
            continue  # a stranger that is called as a parameter is there or here: nobody can tell the two apart
        back = restored(it, value)
        if back is not None:
            assert toolbox.estranged(value, back) is None, f"{it} {law.text(value)} is {law.text(back)}"
            for place in toolbox.silenced(value, back):
                silent = it.accepts is not None and it.accepts(toolbox.restored(back, place))
                assert not silent or it.told("TB2", "TB3", "TB0"), f"{it} {law.text(value)} lost its null at {place}"
        if it.accepts is not None and it.accepts(value):
            there = adapt_arguments(value, way)
            if it.takes is None or it.takes(there):
                back = restored(it, there)
                # Where the kind of a value was narrowed, null says no more than that there is none.
                alike = it.told("TB3") and same(back, toolbox.unasked(value, back))
                assert same(back, value) or alike, f"{it} {law.text(value)} was sent as {law.text(there)}"
            else:
                assert it.told("TB3", "TB0"), f"{it} {law.text(there)} cannot be sent"


@pytest.mark.parametrize("b", toolbox.SPEAKERS, ids=lambda form: form.id)
@FEW
@given(data=st.data())
def test_a_model_that_obeys_the_written_schema_is_understood(b: Format, data: st.DataObject) -> None:
    obeyed(b, data)


@pytest.mark.parametrize("b", WAYWARD, ids=lambda form: form.id)
@given(data=st.data())
def test_a_model_is_understood_where_much_was_changed(b: Format, data: st.DataObject) -> None:
    obeyed(b, data)


def obeyed(b: Format, data: st.DataObject) -> None:
    """Fails unless calls of a model that obeys the schema of a tool in this format reach it as they are meant."""
    kind = data.draw(toolbox.objects(count(), maps=data.draw(st.booleans())))
    schema = {**kind.schema, **({"$defs": kind.defs} if kind.defs else {})}
    tool: JsonObject = {"name": "t", "description": "d", "inputSchema": schema}
    # Which texts stand for values only a description of such a target says.
    a = MCP if b in WORDLESS else data.draw(st.sampled_from((MCP, MCP, *toolbox.SPEAKERS)))
    try:
        if a is not MCP:
            # What a description tells of constraints would be read back, though it binds no model.
            tool = convert(tool, a, source=MCP, fill=toolbox.FILL.get(a.family)).value
        it = case(tool, a, b)
    except (DocumentError, LossError):
        assume(False)
    assert it.accepts is not None
    assert it.takes is not None
    rng = Random(data.draw(st.integers(0, 999)))
    for _ in range(4):
        value = data.draw(kind.values)
        try:
            meant = toolbox.obeying(value, it.meant)
        except toolbox.UnsaidError:
            continue
        try:
            there = toolbox.obeying(value, it.got)
        except toolbox.UnsaidError:
            assert len(it.box.report), it
            continue
        if it.accepts(meant) and it.takes(there):
            back = restored(it, there)
            # Where null is a value, it cannot say that there is none; and a text is no null where that became one.
            alike = same(toolbox.unasked(back, meant), meant) and it.told("TB301", "TB302")
            alike = alike or (back is None and a in WORDED and it.told("TB201"))
            assert same(back, meant) or alike or it.told("TB303"), f"{it} {law.text(there)} is {law.text(back)}"
        elif it.accepts(meant):
            assert it.told("TB3"), f"{it} {law.text(there)} cannot be sent"
        restored(it, spoiled(there, rng))


@pytest.mark.parametrize("b", toolbox.SPEAKERS, ids=lambda form: form.id)
@FEW
@given(data=st.data())
def test_results_are_those_that_convert_writes(b: Format, data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from([shape for shape in SHAPES if shape.kind == "result"]))
    result, a = data.draw(messages(shape)), shape.format
    tool: JsonObject = {"name": "tide", "description": "d", "inputSchema": {"type": "object"}}
    own = convert(tool, a, source=MCP, fill=toolbox.FILL.get(a.family)).value
    it = case(own, a, b)
    before = json.dumps(result)
    reply = it.box.reply(result, to=it.spelled({}), source=a)
    assert json.dumps(result) == before
    whole = json.loads(json.dumps(reply))
    if a.family != b.family and not shape.form.whole:
        assert nameless(whole) == nameless(convert(result, b, source=a, kind="result").value)
    if vendor_of(a) != vendor_of(b):
        assert [problem for judge in judges(b.id, "result") if (problem := judge(whole))] == []
    for loss in reply.report:
        assert get(result, loss.source) is not MISSING
        assert loss.target is None or get(whole, loss.target) is not MISSING


NAMES = ("id", "call_id", "tool_call_id", "tool_use_id", "toolUseId", "execution_id", "name", "tool_name")
NAMES += ("custom_tool_use_id", "actionGroup", "function")


def nameless(result: JsonObject) -> Json:
    """A result without what says of which call it is."""
    whole = json.loads(json.dumps(result))
    for node in (whole, *(value for value in whole.values() if isinstance(value, dict))):
        for name in NAMES:
            node.pop(name, None)
    return whole


# names


CALLED = st.sampled_from((
    *(
        "tide",
        "Tide",
        "a.b",
        "a_b",
        "A_B",
        "a b",
        "a-b",
        "a__b",
        "日本語",
        "中文",
        "north_tide",
        "south_tide",
        "ü",
        "u",
    ),
    *("x" * 70, "x" * 130, "x" * 64 + "y", "tide_00000000", "1st", "_", "north"),
))
SERVERS = st.sampled_from(("north", "south", "north_tide", "a b", "日本", "x" * 80, ""))
CATALOGUES = st.lists(CALLED, max_size=5, unique=True)
MEETING = tuple(
    get_format(name) for name in ("anthropic", "gemini", "openai", "mcp", "arcade", "arcade-engine", "bedrock")
)


def own(server: str, names: list[str], turn: int) -> list[JsonObject]:
    """Tools that say in their descriptions whose they are."""
    schema = {"type": "object", "properties": {"who": {"type": "string"}}}
    return [{"name": name, "description": f"{server}|{name}|{turn}", "inputSchema": schema} for name in names]


def in_order(box: Toolbox, wanted: dict[str, dict[str, int]]) -> None:
    """Fails unless the tools of a box are those, each under a name of its own that leads to it."""
    form, rule = box.target, box.target.names
    assert len(box) == len(box.names) == sum(map(len, wanted.values()))
    if rule is not None:
        assert all(map(rule.matches, box.names))
    found: dict[str, dict[str, int]] = {server: {} for server in wanted}
    for tool in toolbox.listed(box.tools):
        server, name, turn = toolbox.described(tool).split("|")
        call = box.call(toolbox.spelled(form, toolbox.called(form, tool), {"who": name}))
        assert (call.server, call.name, call["name"], call.arguments) == (server, name, name, {"who": name})
        found[server][name] = int(turn)
    assert found == wanted


@pytest.mark.parametrize("to", MEETING, ids=lambda form: form.id)
@given(data=st.data())
def test_names_stay(to: Format, data: st.DataObject) -> None:
    first = data.draw(st.dictionaries(SERVERS, CATALOGUES, min_size=1, max_size=3))
    servers = {server: own(server, names, 0) for server, names in first.items()}
    box = Toolbox(servers=servers, to=to, source=MCP, fill=toolbox.FILL.get(to.family))
    wanted = {server: dict.fromkeys(names, 0) for server, names in first.items()}
    in_order(box, wanted)
    for turn in range(1, data.draw(st.integers(2, 5))):
        server, names, adds = data.draw(SERVERS), data.draw(CATALOGUES), data.draw(st.booleans())
        tools = own(server, names, turn)
        later = (box.add if adds else box.replace)(tools, server=server, source=MCP)
        wanted = {**wanted, server: {**(wanted.get(server, {}) if adds else {}), **dict.fromkeys(names, turn)}}
        before = {whose: name for name, whose in box.names.items()}
        after = {whose: name for name, whose in later.names.items()}
        assert all(before[whose] == after[whose] for whose in before.keys() & after.keys())
        box = later
        in_order(box, wanted)


@given(data=st.data())
def test_nothing_that_is_handed_out_is_shared(data: st.DataObject) -> None:
    a, b = (data.draw(st.sampled_from(toolbox.SPEAKERS)) for _ in range(2))
    tool = data.draw(documents(a))
    try:
        it = case(tool, a, b)
    except (DocumentError, LossError):
        assume(False)
    assume(it.got is not None)
    rng = Random(data.draw(st.integers(0, 999)))
    block = it.spelled(next(samples([it.got], rng, 1)))
    answers: list[Any] = []
    for _ in range(2):
        (call,) = it.box.calls(block)
        whole = [dict(call), call.arguments] if not isinstance(call, CallError) else str(call)
        answers.append(json.dumps([it.box.tools, it.box.names, list(it.box.report), whole]))
        for each in (it.box.tools, it.box.names, whole):
            spoil(each)
    assert answers[0] == answers[1]


def spoil(value: Any) -> None:
    """Change everything that can be."""
    for inner in list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ():
        spoil(inner)
    if isinstance(value, dict):
        value["spoilt"] = "spoilt"
    elif isinstance(value, list):
        value.append("spoilt")
