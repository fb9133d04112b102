"""Proofs of what a bridge leaves of schemas as it is: what is proven is what the bridge itself says."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbridge import LossError, bridge, get_format
from toolbridge.bulk.lane import Lane
from toolbridge.bulk.proofs import GRAMMAR, Proof, proven
from toolbridge.data import pointer as at
from toolbridge.data.patch import same
from toolbridge.formats.registry import FORMATS

SOURCES = ("mcp@2025-11-25", "mcpx", "openai@responses", "anthropic@messages")
PLAIN = {"type": "object", "properties": {"a": {"type": "string", "description": "A."}}, "required": ["a"]}
PAIRS = [(a, b.id) for a in SOURCES for b in FORMATS if not b.reads_only and get_format(a) is not b]


def tool(source: str, schema: Any) -> dict[str, Any]:
    key = get_format(source).tool.rows_of("input")[0].tokens[0]
    kind = {"type": "function"} if source.startswith("openai") else {}
    return {**kind, "name": "a", "description": "Does it.", key: schema}


def crossed(source: str, target: str, schema: Any) -> tuple[Any, list[tuple[str, str, str | None]]]:
    """The written tool, and its losses."""
    made = bridge(source, target)(tool(source, copy.deepcopy(schema)))
    return made.value, [(loss.code, loss.source, loss.target) for loss in made.report]


def inputs(value: Any, target: str) -> list[Any]:
    return [at.get(value, row.wire, None) for row in get_format(target).tool.rows_of("input")]


@cache
def proof(source: str, target: str) -> Proof | None:
    plainest = crossed(source, target, PLAIN)[1]

    def ask(schema: Any) -> tuple[Any, bool]:
        value, losses = crossed(source, target, schema)
        found = inputs(value, target)
        return next((each for each in found if same(each, schema)), next(filter(None, found), None)), losses != plainest

    known = proven(ask)
    return None if known is None else Proof(known)


WORDS = st.one_of(
    st.sampled_from([
        "",
        "x",
        "a b",
        "{minimum: 1}",
        "Says.\n\n{maximum: 3}",
        "é",
        "\x7f",
        '"',
        "\\",
        "$ref",
        "y" * 1100,
    ]),
    st.text(max_size=8),
)
NAMES = st.one_of(
    st.sampled_from(["a", "b_1", "a-b", "$ref", "type", "properties", "description", "", "x" * 65]), WORDS
)
NUMBERS = st.one_of(
    st.integers(-3, 3), st.sampled_from([0.5, -0.0, 1.0, 1e300, 2**53, 2**53 + 1, 2**64]), st.floats(allow_nan=False)
)
ODD = st.one_of(st.none(), st.booleans(), NUMBERS, WORDS, st.lists(WORDS, max_size=2), st.just({}), st.just({"a": 1}))


def _value(keyword: str) -> st.SearchStrategy[Any]:
    """What a keyword mostly says, and sometimes something else."""
    usual: st.SearchStrategy[Any]
    if keyword in ("description", "title", "format", "pattern"):
        usual = WORDS
    elif keyword == "enum":
        usual = st.lists(WORDS, max_size=3)
    elif keyword in ("additionalProperties", "uniqueItems", "nullable"):
        usual = st.booleans()
    elif keyword == "default":
        usual = ODD
    else:
        usual = NUMBERS
    return st.one_of(usual, usual, usual, ODD)


@st.composite
def nodes(draw: st.DrawFn, depth: int = 2) -> Any:
    kind = draw(st.sampled_from([*GRAMMAR, *GRAMMAR, "null", ["string", "null"], None]))
    node: dict[str, Any] = {} if kind is None else {"type": kind}
    known = [*GRAMMAR.get(kind, {}), "description"] if isinstance(kind, str) else ["description"]
    others = [
        "format",
        "pattern",
        "const",
        "nullable",
        "uniqueItems",
        "minimum",
        "enum",
        "$comment",
        "x-odd",
        "readOnly",
    ]
    for keyword in draw(st.lists(st.one_of(*[st.sampled_from(known)] * 4, st.sampled_from(others)), max_size=4)):
        node[keyword] = draw(_value(keyword))
    if kind == "array" and draw(st.integers(0, 9)):
        node["items"] = draw(nodes(depth - 1)) if depth else {"type": "string"}
    if kind == "object" and depth:
        node |= draw(objects(depth - 1))
    return dict(draw(st.permutations(list(node.items()))))


@st.composite
def objects(draw: st.DrawFn, depth: int = 2) -> Any:
    properties = draw(st.dictionaries(NAMES, nodes(depth), max_size=4))
    node: dict[str, Any] = {"properties": properties} if draw(st.integers(0, 9)) else {}
    if draw(st.booleans()):
        required = [name for name in properties if draw(st.booleans())]
        node["required"] = [*required, *draw(st.lists(NAMES, max_size=1))] if not draw(st.integers(0, 4)) else required
    return node


@st.composite
def schemas(draw: st.DrawFn) -> Any:
    schema = {"type": "object", **draw(objects())}
    for keyword in draw(
        st.lists(st.sampled_from(["description", "title", "additionalProperties", "$schema"]), max_size=2)
    ):
        drafts = st.sampled_from([
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2020-12/schema",
            "",
        ])
        schema[keyword] = draw(drafts if keyword == "$schema" else _value(keyword))
    return dict(draw(st.permutations(list(schema.items()))))


@pytest.mark.parametrize("source", SOURCES)
@given(schema=schemas())
def test_what_is_proven_is_what_the_bridge_does(source: str, schema: Any) -> None:
    """Whatever the proof of a bridge takes, the bridge writes as the proof says, and loses nothing of it."""
    text = msgspec.json.encode(schema)
    for target in [b for a, b in PAIRS if a == source]:
        proves = proof(source, target)
        found = None if proves is None else proves(text)
        if found is None:
            continue
        draft, kept = found
        try:
            value, losses = crossed(source, target, schema)
        except LossError as error:
            raise AssertionError(f"{target}: {schema}") from error
        assert any(same(each, msgspec.json.decode(kept)) for each in inputs(value, target)), (target, schema)
        stated = {"$schema": draft, **PLAIN} if draft else PLAIN
        assert losses == crossed(source, target, stated)[1], (target, schema)


def test_the_proofs_are_not_empty() -> None:
    """Most bridges leave a plain schema as it is, and the proofs know."""
    schema = (
        b'{"type":"object","properties":{"a":{"type":"string","description":"A.","enum":["b","c"]}},"required":["a"]}'
    )
    known = {target for source, target in PAIRS if (each := proof(source, target)) is not None and each(schema)}
    assert {
        "openai@chat",
        "anthropic@messages",
        "bedrock@converse",
        "mcpx@plugin",
        "arcade@1.0",
        "mistral@chat",
    } <= known
    assert not {"openai@chat-strict", "gemini@parameters", "arcade-engine@4"} & known


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"string"}}}',
        '{"type":"object","type":"object","properties":{}}',
        '{"type":"object","properties":{"a":{"type":"string","description":"x","description":"x"}}}',
        '{"type":"object", "properties":{}}',
        '{"type":"object","properties":{"a":{"type":"string","description":"\\ud800"}}}',
        '{"type":"object","properties":{"a":{"type":"array"}}}',
        '{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}}}',
        '{"type":"object","properties":{},"required":["a"]}',
        '{"type":"object","properties":{"a":{"type":"string","enum":[]}}}',
        '{"type":"object","properties":null}',
        "{}",
        "[]",
        "",
    ],
)
def test_what_is_not_proven(text: str) -> None:
    proves = proof("mcp@2025-11-25", "openai@chat")
    assert proves is not None
    assert proves(text.encode()) is None


def test_what_is_too_large_is_not_proven() -> None:
    proves = proof("mcp@2025-11-25", "openai@chat")
    assert proves is not None
    many = {"type": "object", "properties": {f"p{n}": {"type": "string", "description": "d" * 40} for n in range(99)}}
    assert proves(msgspec.json.encode(many)) is None


@pytest.mark.parametrize("target", ["openai@chat", "arcade", "mcpx", "anthropic", "mcp@2025-06-18"])
def test_schemas_that_differ_take_the_lane(target: str) -> None:
    """Tools of which no two have the same schema, after enough of them have shown what the bridge does."""
    tools = [
        {
            "name": f"tool_{n}",
            "description": f"Does number {n}.",
            "inputSchema": {
                "type": "object",
                "properties": {f"p{n}": {"type": "string", "description": f"Number {n}."}},
            },
        }
        for n in range(700)
    ]
    lane = Lane(get_format("mcp@2025-11-25"), get_format(target))
    data, spans = b"", []
    for each in tools:
        text = msgspec.json.encode(each)
        spans.append((len(data), len(data) + len(text)))
        data += text
    done = lane.cross(data, spans)
    assert lane.statistics.spliced > 150
    usual = bridge("mcp@2025-11-25", target)
    for each, (text, notes) in zip(tools, done, strict=True):
        made = usual(each)
        assert text is not None
        assert same(msgspec.json.decode(text), made.value)
        assert notes == [(loss.code, loss.source, loss.target) for loss in made.report]
