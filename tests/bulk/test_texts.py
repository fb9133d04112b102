"""Texts that once came out otherwise by `Bridge.bytes` than by the bridge; threads, memory, catalogues in parts."""

from __future__ import annotations

import copy
import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from laws import same_result
from toolbridge import DocumentError, FormatError, LossError, get_format
from toolbridge.api import Bridge
from toolbridge.bulk import text_converter
from toolbridge.bulk.batch import Written
from toolbridge.bulk.collisions import NO_COLLISIONS, Collisions, collisions_among
from toolbridge.bulk.fastpath import FastPath
from toolbridge.bulk.layout import lines_of
from toolbridge.bulk.text_converter import TextConverter
from toolbridge.conversion.options import REFUSE, conversion_options
from toolbridge.conversion.remainder import Remainder

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "Which city"}},
    "required": ["city"],
}


def text(name: str = "add", description: str = "Adds.", **more: Any) -> str:
    return json.dumps({"name": name, "description": description, "inputSchema": SCHEMA, **more}, separators=(",", ":"))


def numbered(count: int, **more: Any) -> list[str]:
    return [text(f"tool_{n}", f"Says {n}.", **more) for n in range(count)]


def between(source: str, target: str) -> Bridge:
    """A bridge that nobody else uses."""
    return Bridge(get_format(source), get_format(target))


def on_lines(*items: str) -> bytes:
    return "\n".join(items).encode("utf-8", "surrogatepass")


# what once broke the law


@pytest.mark.parametrize("given", [b"[]", b'[{"name":"a"}]', b'{"tools":[]}', b'{"name":"a"}\n{"name":"b"}\n'])
def test_nothing_is_written_in_a_format_that_is_read_only(given: bytes) -> None:
    with pytest.raises(FormatError, match="can be read, not written"):
        between("mcp", "xtp").bytes(given, on_error="skip")


@pytest.mark.parametrize("target", ["openai", "anthropic", "mcpx", "arcade", "mcp@2025-06-18"])
def test_a_text_that_begins_and_ends_like_others_is_not_like_them(target: str) -> None:
    head = '{"inputSchema":{"type":"object"},"x":{"y":"0123456789"},"name":"'
    body = '","description":"'
    items = [f'{head}a{n}{body}Says {n}."}}' for n in range(4)]
    items.append(f'{head}b","x":{{"y":"0123456789"}},"name":"c{body}What is this?"}}')
    items.append(f'{head}b{body}Which one?","description":"This one."}}')
    items.append(f"{head}b{body}Which one?{body}")
    bridge = between("mcp", target)
    assert same_result.breach(bridge, on_lines(*items), lines=True, on_error="skip") is None


@pytest.mark.parametrize("target", ["openai", "anthropic", "mcpx", "bedrock", "mcp@2025-06-18"])
def test_a_member_that_is_there_twice_is_seen_whatever_the_length_of_numbers(target: str) -> None:
    def schema(*members: str) -> str:
        inner = ",".join(['"type":"number","description":"A."', *members])
        return f'{{"type":"object","properties":{{"a":{{{inner}}}}},"required":["a"]}}'

    odd = [(f'"title":"{n}"',) for n in range(5)]
    # The number is as much longer when it is written anew as the second title is.
    odd += [('"maximum":1e12', '"title":""', '"title":""'), ('"maximum":1e10', '"title": "abcdef"'), ('"minimum":-0',)]
    items = [f'{{"name":"a{n}","description":"Says it.","inputSchema":{schema(*each)}}}' for n, each in enumerate(odd)]
    bridge = between("mcp", target)
    assert same_result.breach(bridge, on_lines(*items), lines=True) is None


@pytest.mark.parametrize("around", ['{"nextCursor":"a","nextCursor":"b",%s}', '{"nextCursor":"a",%s,"nextCursor":"b"}'])
def test_a_member_that_is_there_twice_around_the_tools_is_seen(around: str) -> None:
    document = (around % f'"tools":[{",".join(numbered(3))}]').encode()
    assert same_result.breach(between("mcp", "openai"), document) is None
    _, report = between("mcp", "openai").bytes(document)
    assert report.counts()["TB002"] == 1


@pytest.mark.parametrize("target", ["mistral", "openai@chat", "anthropic", "mcp"])
def test_whether_a_tool_is_strict_depends_on_its_schema(target: str) -> None:
    strict = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    loose = [{**SCHEMA, "additionalProperties": True}, {**SCHEMA, "required": []}, {"type": "object", "properties": {}}]
    items = [
        json.dumps({"type": "function", "name": f"a{n}", "parameters": each, "strict": True}, separators=(",", ":"))
        for n, each in enumerate([strict, {**strict, "required": []}, strict, *loose, strict, *loose])
    ]
    for source in ("openai@responses-strict", "openai@responses"):
        assert same_result.breach(between(source, target), on_lines(*items), lines=True, on_error="skip") is None


@pytest.mark.parametrize("target", ["cerebras@strict", "deepseek@strict"])
def test_a_list_in_a_line_has_the_losses_of_the_tools_that_are_not_strict_for_others(target: str) -> None:
    """The report was that of the first try, in which a tool was still strict."""
    mapped = {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}}}
    items = [{"name": name, "inputSchema": schema} for name, schema in (("a", mapped), ("b", SCHEMA))]
    bridge = between("mcp@2025-11-25", target)
    data = on_lines(json.dumps(items), text("c"))
    assert same_result.breach(bridge, data, lines=True) is None
    _, report = bridge.bytes(data, lines=True)
    assert {loss.source for loss in report.matching("TB603") if loss.item == 0} >= {
        "/0/inputSchema",
        "/1/inputSchema",
        "",
    }


@pytest.mark.parametrize("source", ["anthropic@strict", "openai@chat-strict", "mcp", "cohere"])
def test_a_property_that_needs_a_description_gets_one(source: str) -> None:
    restored = between("mcp", source)
    schemas = [{"type": "object", "properties": {f"p{n}": {"type": "string"}}, "required": [f"p{n}"]} for n in range(5)]
    tools = [
        restored({"name": f"a{n}", "description": "A.", "inputSchema": each}).value for n, each in enumerate(schemas)
    ]
    items = [json.dumps(each, separators=(",", ":")) for each in tools]
    assert same_result.breach(between(source, "arcade"), on_lines(*items), lines=True) is None


def test_the_error_of_a_line_is_the_error_of_the_bridge() -> None:
    bridge = between("mcp", "openai")
    with pytest.raises(LossError, match=r"refused: TB102 .* at /x") as caught:
        bridge.bytes(on_lines(text(), text(x=1), "{"), refuse=["TB1"])
    assert [(loss.source, loss.item) for loss in caught.value.report] == [("/x", 1)]
    with pytest.raises(DocumentError, match="expected a string") as wrong:
        bridge.bytes(on_lines(text(), '{"name":1,"inputSchema":{"type":"object"}}', "{"))
    assert (wrong.value.pointer, wrong.value.item) == ("/name", 1)
    with pytest.raises(DocumentError, match="not JSON") as broken:
        bridge.bytes(on_lines(text(), text("b"), "{"))
    assert (broken.value.pointer, broken.value.item, broken.value.line) == ("", 2, 3)
    _, report = bridge.bytes(on_lines(text(), "", "{", "", "", "{", text("b"), "{"), on_error="skip")
    assert [error.line for error in report.failures if isinstance(error, DocumentError)] == [3, 6, 8]


@pytest.mark.parametrize("source", ["xtp", "openapi"])
def test_a_line_that_is_no_interface_is_left_out(source: Any) -> None:
    """No line was converted."""
    good = {
        "xtp": '{"version":"v1-draft","exports":{}}',
        "openapi": '{"openapi":"3.1.0","info":{"title":"","version":""},"paths":{}}',
    }[source]
    out, report = between(source, "mcp").bytes(on_lines(good, "{}", good), lines=True, on_error="skip")
    assert (out.count(b"\n"), len(report.failures), [loss.item for loss in report if loss.code == "TB903"]) == (
        2,
        1,
        [1],
    )


def test_the_error_of_a_line_of_calls_says_which() -> None:
    with pytest.raises(DocumentError, match=r"^line 3, column 2: not JSON") as caught:
        Bridge(get_format("mcp"), get_format("openai"), "call").bytes(on_lines('{"name":"a"}', "", "{"), lines=True)
    assert caught.value.line == 3


def test_a_second_byte_order_mark_is_none() -> None:
    for begin in (same_result.BOM, 2 * same_result.BOM):
        for data in (text().encode(), f"[{text()}]".encode(), f'{{"tools":[{text()}]}}'.encode()):
            assert same_result.breach(between("mcp", "openai"), begin + data) is None


@pytest.mark.parametrize("lines", [True, False])
def test_what_is_refused_is_not_told_twice(lines: bool) -> None:
    twice = '{"name":"b","description":"B.","name":"c","inputSchema":{"type":"object"}}'
    items = [text(), twice, text("d"), text("d")]
    joined = on_lines(*items) if lines else f"[{','.join(items)}]".encode()
    for codes in (["TB002"], ["TB003"], ["TB0"]):
        for on_error in ("skip", "raise"):
            bridge = between("mcp", "anthropic")
            assert same_result.breach(bridge, joined, lines=lines, refuse=codes, on_error=on_error) is None


def test_what_is_wrong_with_the_text_is_told_before_what_its_envelope_loses() -> None:
    bad = f'{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{text()},{{"name":1e400}}],"x":1}}}}'.encode()
    assert same_result.breach(between("mcp", "openai"), bad, refuse=["TB1"]) is None
    with pytest.raises(DocumentError, match="1e400"):
        between("mcp", "openai").bytes(bad, refuse=["TB1"])


def test_an_answer_without_a_place_is_told_though_a_line_is_broken() -> None:
    with pytest.raises(FormatError, match="no such place"):
        between("mcp", "langchain").bytes(
            on_lines('{"name":"a","inputSchema":{"type":"object"}}', "{"), fill={"/description/y": "1"}, on_error="skip"
        )


def test_a_name_that_is_no_text_is_told_in_a_catalogue_that_says_something_of_others() -> None:
    items = [text(f"a{n}") for n in range(5)]
    data = on_lines(*items) + b"\n" + text("\0").encode().replace(b"\\u0000", b"\xff")
    done = TextConverter(get_format("mcp"), get_format("openai")).convert(
        data, lines_of(data), collisions=Collisions({"a1": "b1"})
    )
    assert [number for number, _ in done.failures] == [5]
    assert [json.loads(each or b"{}").get("function", {}).get("name") for each, _ in done] == [
        "a0", "b1", "a2", "a3", "a4", None,
    ]  # fmt: skip


# one bridge for all


@pytest.mark.parametrize(
    "target", ["openai", "openai-strict", "anthropic", "arcade", "gemini", "mcpx", "mcp@2025-06-18"]
)
def test_remainders_are_those_of_the_general_path(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that takes the fast path gets the remainder that it gets otherwise, and is restored with it."""
    mapped = {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}}}
    items = [
        text(),
        text("a b", title="T"),
        text("add"),  # a name that is there twice
        text("long", inputSchema=mapped, annotations={"readOnlyHint": True}, _meta={"x": 1}),
        text("out", outputSchema={"type": "object", "properties": {"b": {"type": "integer"}}}, x=1),
        text("none", title=None),
        text("\u200b"),
        '{"name":1}',
        "{",
        f"[{text('listed', title='T')}]",
    ]
    mcp, other = get_format("mcp"), get_format(target)
    data = on_lines(*items)
    spans = lines_of(data)

    def converted(refuse: str, *, is_fast: bool) -> tuple[list[Any], list[Any]]:
        options = conversion_options(refuse=refuse or REFUSE)
        converter = TextConverter(mcp, other, replace(options, keep=True))
        assert (converter._fast is not None) is is_fast
        batch = converter.convert(data, spans, collisions=collisions)
        written = [item for item in batch.items if isinstance(item, Written)]
        assert len(written) == len(items)
        told = [(item.text, item.notes, item.name, item.remainder) for item in written]
        kept = [item for item in written if item.text is not None]
        texts = b"".join(item.text + b"\n" for item in kept if item.text is not None)
        rest = [item.remainder for item in kept]
        options = conversion_options(restore=Remainder(source=mcp.id, target=other.id))
        converter = TextConverter(other, mcp, options)
        assert (converter._fast is not None) is is_fast
        back = converter.convert(texts, lines_of(texts), remainders=rest)
        return told, [(item.text, item.notes, item.name) for item in back.items]

    aliases = {2: "add_2"} if target != "mcp@2025-06-18" else {}
    collisions = NO_COLLISIONS._replace(aliases=aliases, duplicates=frozenset({0, 2}))
    for refuse in ("", "TB101", "TB003"):
        fast = converted(refuse, is_fast=True)
        with monkeypatch.context() as patch:
            patch.setattr(text_converter, "fast_path", lambda *_: None)
            slow = converted(refuse, is_fast=False)
        assert fast == slow
    restored = {json.loads(line)["name"]: json.loads(line) for line, _, _ in fast[1] if line and line[:1] == b"{"}
    assert restored["a b"] == json.loads(items[1])


@pytest.mark.parametrize(
    ("target", "fill", "is_fast"),
    [
        ("arcade", {"toolkit": "Kit", "version": "1.2"}, True),
        ("arcade", {"toolkit": "My Kit"}, True),
        ("arcade", {"/version": "1.2.0"}, True),
        ("arcade", {"toolkit": "K" * 200}, True),
        ("arcade-engine", {"toolkit": "Kit", "version": "1.2.0"}, True),
        ("arcade-engine", {"toolkit": "Kit", "/toolkit/description": "Says."}, False),
        ("arcade", {"toolkit": "Kit", "add": {"toolkit": "Math"}}, False),
        ("arcade", {"/requirements/user_id": True}, False),
    ],
)
def test_fills_are_those_of_the_general_path(
    target: str, fill: dict[str, Any], is_fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    mcp, arcade = get_format("mcp"), get_format("arcade")
    own = [json.loads(text()), json.loads(text("a b", title="T")), json.loads(text("x", _meta={"y": 1}))]
    lines = {mcp: own, arcade: [Bridge(mcp, arcade)(each).value for each in own]}
    lines[arcade] += [{**each, "id": f"Own.{each['name']}@2.0.0", "version": "2.0.0"} for each in lines[arcade]]
    for source, documents in lines.items():
        data = on_lines(*map(json.dumps, documents))

        def converted(source: Any, data: bytes, *, is_fast: bool) -> list[Any]:
            options = conversion_options(fill=fill)
            converter = TextConverter(source, get_format(target), options)
            assert (converter._fast is not None) is is_fast
            batch = converter.convert(data, lines_of(data))
            told: list[Any] = [converter.unused_fill, [str(error) for _, error in batch.failures]]
            return [*told, *((item.text, item.notes, item.record and item.record.fields) for item in batch.items)]

        with monkeypatch.context() as patch:
            patch.setattr(text_converter, "fast_path", lambda *_: None)
            slow = converted(source, data, is_fast=False)
        assert converted(source, data, is_fast=is_fast) == slow


def test_a_bridge_serves_several_threads_at_once() -> None:
    bridge = between("mcp", "openai")
    random = Random(0)
    some = [*numbered(8), text("tool_1", "Says that."), text("a b"), text("a_b"), text(x=1), "{", '{"name":1}', "[]"]
    texts = [on_lines(*random.choices(some, k=30)) for _ in range(40)]
    wanted = [same_result.by_bridge(bridge, each, lines=True, on_error="skip") for each in texts]
    with ThreadPoolExecutor(4) as threads:
        for _ in range(3):
            found = threads.map(lambda each: same_result.by_bytes(bridge, each, lines=True, on_error="skip"), texts)
            assert [same_result.difference(*pair) for pair in zip(found, wanted, strict=True)] == [None] * len(texts)


def test_nothing_that_is_passed_in_is_changed() -> None:
    options: dict[str, Any] = {
        "fill": {"toolkit": "Math", "/version": "2.0.0"},
        "refuse": ["TB9"],
        "on_error": "skip",
    }
    before = copy.deepcopy(options)
    bridge = between("mcp", "arcade")
    data = bytearray(on_lines(*numbered(4)))
    out, report = bridge.bytes(bytes(data), **options)
    assert options == before
    assert bridge.bytes(bytes(data), **options) == (out, report)


# catalogues in parts


@pytest.mark.parametrize("target", ["openai", "arcade", "arcade-engine", "mcpx", "gemini", "mcp@2025-06-18"])
def test_a_catalogue_in_parts_is_one_catalogue(target: str) -> None:
    names = [
        "a b",
        "a_b",
        "a.b",
        "A_b",
        "x",
        "x",
        "Tools_x",
        "add",
        "Add",
        "ünï",
        "b" * 70,
        "b" * 71,
        "y",
        "z-1",
        "z_1",
    ]
    random = Random(1)
    items = [text(random.choice([*names, f"t{n}"]), f"Says {n % 3}.") for n in range(60)]
    source, there = get_format("mcp"), get_format(target)
    whole = on_lines(*items)
    wanted = same_result.by_bridge(Bridge(source, there), whole, lines=True, on_error="skip")
    parts = [on_lines(*items[n : n + 17]) for n in range(0, len(items), 17)]
    converters = [TextConverter(source, there) for _ in parts]
    spans = [lines_of(part) for part in parts]
    records = [
        each for kept, part, inside in zip(converters, parts, spans, strict=True) for each in kept.records(part, inside)
    ]
    told = collisions_among(enumerate(records), there)
    assert told is not NO_COLLISIONS
    values: list[Any] = []
    losses: list[Any] = []
    for n, (kept, part, inside) in enumerate(zip(converters, parts, spans, strict=True)):
        done = kept.convert(part, inside, n * 17, told)
        values += [json.loads(each) for each, _ in done if each is not None]
        losses += [
            (note.code, note.source, note.target, n * 17 + k) for k, (_, notes) in enumerate(done) for note in notes
        ]
        assert b"".join(done.parts) == b"".join(each + b"\n" for each, _ in done if each is not None)
    assert values == list(wanted.values)
    assert sorted(losses, key=repr) == sorted(map(tuple, ((c, s, t, i) for c, s, t, i in wanted.losses)), key=repr)


SPELLED = (
    r'"caf\u00e9"',
    '"café"',
    r'"a\/b"',
    r'"\u001F"',
    r'"\u001f"',
    r'"say \"it\""',
    r'"\ud83d\ude00"',
)


@pytest.mark.parametrize("target", ["openai@chat", "openai@chat-strict", "mcpx", "arcade", "cohere", "mcp@2026-07-28"])
def test_what_is_written_does_not_depend_on_what_was_seen_before(target: str) -> None:
    """To the byte: the parts of a catalogue may be converted by whoever has seen the others, or has not."""
    texts = [
        b'{"name":"tool_%d","description":%s,"inputSchema":{%s"properties":{"a":{%s}%s},"type":"object"}}'
        % (n, words.encode(), stated, inner, b',"b%d":{"type":"string","description":"B."}' % (n if other else 0))
        for n, (words, stated, inner, other) in enumerate(
            itertools.product(
                SPELLED,
                (b"", b'"$schema":"http://json-schema.org/draft-07/schema#",'),
                (
                    b'"type":"string","description":"A."',
                    b'"description":"A.","type":"string"',
                    rb'"type":"string","description":"\u0041"',
                    b'"type":"number","description":"A.","minimum":1.10',
                    b'"type":"integer","description":"A.","minimum":1e2,"maximum":-0',
                ),
                (False, True),
            )
        )
    ]
    fresh = [FastPath(get_format("mcp@2025-11-25"), get_format(target)).convert(each) for each in texts]
    path = FastPath(get_format("mcp@2025-11-25"), get_format(target))
    for _ in range(2):
        assert [done and (done.text, done.notes) for done in map(path.convert, texts)] == [
            done and (done.text, done.notes) for done in fresh
        ]
    assert sum(done is not None for done in fresh) > len(texts) / 10  # few of them are spelled as they are written
    bridge = between("mcp@2025-11-25", target)
    assert same_result.breach(bridge, b"\n".join(texts[::7]), lines=True) is None


@pytest.mark.parametrize(
    "name", ['"add"', "12345", "null", "[1,2]", '"add","name":"more"', ' "add"', '"\\u0061dd"', ""]
)
def test_a_name_that_is_none(name: str) -> None:
    said = f'"name":{name},' if name else ""
    odd = f'{{{said}"inputSchema":{{"type":"object","properties":{{"odd":{{"type":"string"}}}}}}}}'
    bridge = between("mcp@2025-11-25", "openai@chat")
    assert same_result.breach(bridge, on_lines(text(), odd, text("b")), lines=True, on_error="skip") is None
    done = TextConverter(bridge.source, bridge.target).convert(odd.encode(), [(0, len(odd))])
    assert isinstance(done.items[0], Written) is (name not in ('"add"', ' "add"', '"\\u0061dd"'))
