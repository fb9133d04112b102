"""What codecs declare that they leave as it is, held against what they do; and what is proved of schemas."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolbridge.bulk.passthrough import Proof, proof, provable
from toolbridge.formats.dialects import DIALECTS
from toolbridge.formats.registry import FORMATS
from toolbridge.limits import LIMITS
from toolbridge.losses.note import Note
from toolbridge.mapping.format import Format
from toolbridge.mapping.record import Codec, DialectProof, Record, Row, WriteContext
from toolbridge.schema import OPTIONS, PLAIN, fit, lint
from toolbridge.schema.dialect import Dialect

_encode = msgspec.json.encode
_decode = msgspec.json.decode

WRITABLE = [form for form in FORMATS if form.exports is None]
PROVED = [dialect for dialect in DIALECTS if provable(dialect)]
ROWS = [(form, row) for form in WRITABLE for row in form.tool.order if row.via is not None]


def ids(rows: list[tuple[Format, Row]]) -> list[str]:
    return [f"{form.id}{row.wire}" for form, row in rows]


# schemas

WORDS = st.one_of(
    st.sampled_from(["", "x", "a b", "{minimum: 1}", "Says.\n\n{maximum: 3}", "é", '"', "\\", "$ref", "y" * 1100, "}"]),
    st.text(max_size=8),
)
NAMES = st.one_of(
    st.sampled_from(["a", "b", "b_1", "a-b", "$ref", "type", "properties", "description", "", "x" * 65, "ü", "items"]),
    WORDS,
)
NUMBERS = st.one_of(
    st.integers(-3, 3), st.sampled_from([0.5, -0.0, 1.0, 1e300, 2**53, 2**53 + 1, 2**64, 1e10]), st.floats(-9, 9)
)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, WORDS)
ODD = st.one_of(SCALARS, st.lists(SCALARS, max_size=2), st.just({}), st.just({"a": 1}))
KINDS = ["string", "integer", "number", "boolean", "array", "object", "null"]
USUAL: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("description", "title", "$comment"), WORDS),
    "format": st.sampled_from(["date-time", "uri", "x"]),
    "pattern": st.sampled_from(["^a", "(?=a)", "[", "a{3}", r"\d+$", r"(a)\1"]),
    "enum": st.lists(SCALARS, max_size=3),
    "const": SCALARS,
    "examples": st.lists(SCALARS, max_size=2),
    "default": ODD,
    **dict.fromkeys(("uniqueItems", "readOnly", "writeOnly", "deprecated", "nullable"), st.booleans()),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), NUMBERS),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), NUMBERS),
    "x-odd": ODD,
    "$ref": st.sampled_from(["#/$defs/A", "#/$defs/B", "#", "#/properties/a"]),
}


@st.composite
def nodes(draw: st.DrawFn, depth: int = 2) -> Any:
    """A schema within another: what most say, and sometimes something else."""
    kind = draw(
        st.sampled_from([*KINDS, *KINDS, ["string", "null"], ["string", "string"], [], ["array", "null"], None])
    )
    node: dict[str, Any] = {} if kind is None else {"type": kind}
    for keyword in draw(st.lists(st.sampled_from(["description", "default", "enum", "minimum", *USUAL]), max_size=3)):
        node[keyword] = draw(st.one_of(*[USUAL[keyword]] * 5, ODD))
    if draw(st.integers(0, 4)) == 0 and depth:
        node[draw(st.sampled_from(["anyOf", "oneOf", "allOf"]))] = draw(st.lists(nodes(depth - 1), max_size=2))
    if kind == "array" and draw(st.integers(0, 9)):
        node["items"] = draw(nodes(depth - 1)) if depth else {"type": "string"}
    if kind == "object" and depth:
        node |= draw(objects(depth - 1))
        if draw(st.integers(0, 3)) == 0:
            node["additionalProperties"] = draw(st.one_of(st.booleans(), nodes(depth - 1)))
    return dict(draw(st.permutations(list(node.items()))))


@st.composite
def objects(draw: st.DrawFn, depth: int = 2) -> Any:
    properties = draw(st.dictionaries(NAMES, nodes(depth), max_size=4))
    node: dict[str, Any] = {"properties": properties} if draw(st.integers(0, 9)) else {}
    if draw(st.booleans()):
        required = [name for name in properties if draw(st.booleans())]
        node["required"] = [*required, *draw(st.lists(NAMES, max_size=2))] if not draw(st.integers(0, 4)) else required
    return node


STATED = st.sampled_from([
    *("http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", ""),
    *("https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-04/schema#"),
])


@st.composite
def schemas(draw: st.DrawFn) -> Any:
    """A schema of arguments."""
    schema = {"type": "object", **draw(objects())}
    for keyword in draw(
        st.lists(st.sampled_from(["description", "title", "additionalProperties", "$schema"]), max_size=2)
    ):
        schema[keyword] = draw(STATED if keyword == "$schema" else USUAL.get(keyword, st.booleans()))
    if draw(st.integers(0, 4)) == 0:
        schema["$defs"] = draw(st.dictionaries(st.sampled_from(["A", "B", "a b"]), nodes(1), max_size=2))
    if draw(st.integers(0, 9)) == 0:
        key = draw(st.sampled_from([*USUAL]))
        schema[key] = draw(USUAL[key])
    if draw(st.integers(0, 9)) == 0:
        schema[draw(st.sampled_from(["anyOf", "oneOf", "allOf"]))] = draw(st.lists(nodes(1), max_size=2))
    return dict(draw(st.permutations(list(schema.items()))))


@pytest.mark.parametrize("dialect", PROVED, ids=[dialect.id for dialect in PROVED])
@given(schema=schemas())
def test_what_is_proved_is_what_fit_does(dialect: Dialect, schema: Any) -> None:
    """What the proof takes, `fit` writes as the proof says, in the same order, and arguments need no translation."""
    proves = proof(dialect)
    assert proves is not None
    text = _encode(schema)
    found = proves(text)
    if found is not None:
        written, drops = found
        notes = [Note("TB103", "/$schema", None)] if drops else []
        made = fit(schema, dialect)
        assert _encode(made.schema) == written
        assert (made.argument_map, made.dialect, [*made.notes]) == (None, dialect, notes)


@pytest.mark.parametrize("dialect", PROVED, ids=[dialect.id for dialect in PROVED])
def test_the_proofs_are_not_empty(dialect: Dialect) -> None:
    inner: dict[str, Any] = {"type": "string", "description": "A."}
    if dialect.allows("enum"):
        inner["enum"] = ["b", "c"]
    items: dict[str, Any] = {"type": "array"}
    if dialect.allows("items"):
        items["items"] = {"type": "object", "properties": {"d": {"type": "integer"}}}
    properties = {"a": inner, "c": items}
    if dialect.keywords is None:
        inner["default"] = "b"
        items["items"]["additionalProperties"] = False
        properties["b"] = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "default": None}
    schema = {"type": "object", "properties": properties, "required": ["a"]}
    expected = _encode(schema)
    for name, word in dialect.types.items():
        expected = expected.replace(f'"type":"{name}"'.encode(), f'"type":"{word}"'.encode())
    proves = proof(dialect)
    assert proves is not None
    assert proves(_encode(schema)) == (expected, False)
    stated = {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
    assert proves(_encode(stated)) == (expected, True)


NOT_PROVED = [
    b'{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"string"}}}',
    b'{"type":"object","type":"object","properties":{}}',
    b'{"type":"object","properties":{"a":{"type":"string","description":"x","description":"x"}}}',
    b'{"type":"object","properties":{"a":{"type":"number","maximum":1e12,"title":"","title":""}}}',
    b'{"type":"object","properties":{"a":{"type":"number","minimum":-0}}}',
    b'{"type":"object","properties":{"a":{"type":"number","maximum":1e5,"title":"","title":""}}}',
    b'{"type":"object","properties":{"a":{"type":"number","default":0.5,"default":0.5}}}',
    b'{"type":"object","properties":{"a":{"type":"number","default":0.50}}}',
    b'{"type":"object","properties":{"a":{"type":"number","default":1e999}}}',
    b'{"type":"object", "properties":{}}',
    b'{"type":"object","properties":{"a":{"type":"string","description":"\\ud800"}}}',
    b'{"type":"object","properties":{"a":{"type":"string","description":"\\u001F"}}}',
    b'{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}}}',
    b'{"type":"object","properties":{},"required":["a","a"]}',
    b'{"type":"object","properties":{"a":{"type":"string","default":0.5,"required":["a","a"]}}}',
    b'{"type":"object","properties":{"a":{"type":"string","enum":[]}}}',
    b'{"type":"object","properties":null}',
    b"{}",
    b"[]",
    b"",
    b"\xff",
]


@pytest.mark.parametrize("dialect", PROVED, ids=[dialect.id for dialect in PROVED])
@pytest.mark.parametrize("text", NOT_PROVED)
def test_what_is_not_proved(dialect: Dialect, text: bytes) -> None:
    proves = proof(dialect)
    assert proves is not None
    assert proves(text) is None


_INNER = {"type": "object", "properties": {"b": {"type": "string"}}}
REWRITTEN = [
    _INNER | {"required": []},  # Gemini: nothing is required
    {"minProperties": 1, **_INNER},  # the members come in another order where anything changes
    {"required": ["c"], **_INNER},
    {"type": "string", "enum": ["a", "a"]},
    {"type": "string", "enum": [""]},
    {"type": "object", "properties": {}},
    {"type": "array"},
    {"type": "string", "pattern": "(?=a)"},
]


@pytest.mark.parametrize("dialect", PROVED, ids=[dialect.id for dialect in PROVED])
@pytest.mark.parametrize("node", REWRITTEN, ids=str)
def test_what_some_dialects_write_otherwise(dialect: Dialect, node: Any) -> None:
    """The smallest schemas of which a proof and `fit` could say different things."""
    schema = {"type": "object", "properties": {"a": node}, "$schema": "http://json-schema.org/draft-07/schema#"}
    proves = proof(dialect)
    assert proves is not None
    found = proves(_encode(schema))
    made = fit(schema, dialect)
    assert found in (None, (_encode(made.schema), True))
    assert found is None or [*made.notes] == [Note("TB103", "/$schema", None)]


@given(schema=schemas())
def test_what_is_proved_has_no_error(schema: Any) -> None:
    """`check` does not look at the keywords of a proved schema."""
    proves = proof(PLAIN, states=True)
    assert proves is not None
    if proves(_encode(schema)) is not None:
        found = lint(schema, PLAIN, arguments=False, limits=LIMITS)
        assert [finding for finding in found if finding.rule in ("types", "value")] == []


# codecs


def writing(form: Format, row: Row, value: Any) -> WriteContext:
    """A document in the making that says a field, and an input schema where it is another one."""
    fields = {"name": "a", "input": {"type": "object", "properties": {}}, row.hub: value}
    places = {path: f"/{path}" for path in fields}
    record = Record(None, "", {}, fields, places)  # type: ignore[arg-type]
    return WriteContext(record, fields, places, [], {}, form.id, OPTIONS, row=row)


def leaves(form: Format, row: Row, value: Any, text: bytes | None = None) -> None:
    """Holds that a codec writes a value as it is, or as this text, and says nothing of it."""
    w = writing(form, row, value)
    assert isinstance(row.via, Codec)
    written = row.via.write(value, w)
    assert _encode(written) == (text or _encode(value))
    assert (w.notes, w.argument_map, w.out, w.written_fields, w.written_places) == ([], None, {}, set(), set())


TEXTS = [(form, row) for form, row in ROWS if row.via and isinstance(row.via.passes, (re.Pattern, int))]
HELD = [(form, row) for form, row in ROWS if row.via and isinstance(row.via.passes, (DialectProof, Dialect))]
READ = [(form, row) for form, row in ROWS if row.via and row.via.reads is not None]


@pytest.mark.parametrize(("form", "row"), TEXTS, ids=ids(TEXTS))
@given(data=st.data())
def test_texts_that_are_left_alone(form: Format, row: Row, data: st.DataObject) -> None:
    passes = row.via and row.via.passes
    if isinstance(passes, re.Pattern):
        text = data.draw(st.from_regex(passes, fullmatch=True).filter(lambda text: b"\n" not in text))
        leaves(form, row, _decode(text))
    else:
        some = st.one_of(WORDS, st.sampled_from(["y" * 1024, "Word. " * 170])).filter(bool)
        value = data.draw(some.filter(lambda text: len(text) <= passes))
        leaves(form, row, value)


@pytest.mark.parametrize(("form", "row"), HELD, ids=ids(HELD))
@given(schema=schemas())
@example(schema={"type": "object", "oneOf": [{"properties": {"a": {"type": "string"}}}]})
def test_schemas_that_are_left_alone(form: Format, row: Row, schema: Any) -> None:
    passes = row.via and row.via.passes
    if isinstance(passes, DialectProof):
        proves = proof(passes.dialect, states=True, described=passes.described)
    else:
        proves = proof(passes)  # type: ignore[arg-type]
    found = None if proves is None else proves(_encode(schema))
    if found is None or found[1]:
        return
    leaves(form, row, schema, found[0])
    check = form.tool.check
    if check is not None:
        from toolbridge.data import pointer as at

        document: dict[str, Any] = {}
        at.put(document, form.tool.rows_of("input")[0].wire, {"type": "object"})
        at.put(document, row.wire, schema)
        assert check(document) is None


@pytest.mark.parametrize(("form", "row"), READ, ids=ids(READ))
@given(schema=schemas())
def test_what_is_read_as_it_stands(form: Format, row: Row, schema: Any) -> None:
    assert row.via is not None
    assert row.via.reads is not None
    if any(mark in _encode(schema) for mark in row.via.reads):
        return
    record = Record(form.tool, form.family, {})
    assert row.via.read(schema, record) is schema
    assert (record.local, record.markers, record.notes) == ({}, {}, [])


def test_every_proof_is_of_a_dialect() -> None:
    assert {dialect.id for dialect in PROVED} == {
        *("openai", "anthropic", "bedrock", "plain"),
        *("gemini", "gemini-json", "gemini-vertex", "gemini-interactions", "cohere", "ollama", "agentcore"),
        *("deepseek", "groq", "cerebras", "moonshot"),
    }, "dialects that the fast path can prove, by their rules: name a new one; it is slower for one that left"
    assert all(isinstance(proof(dialect), Proof) for dialect in PROVED)
