"""What changed between two schemas: every verdict against the values that other people's validators accept."""

from __future__ import annotations

import copy
import json
from itertools import permutations
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.arguments import nodes, samples
from laws.meaning import validator
from oracles import SHARED
from schema.generated_schemas import schemas
from toolbridge.schema import compare_schemas, conjunction
from toolbridge.schema.vocabulary import is_annotation

Json = Any
SEEDS = st.integers(0, 10**6)


def changed(schema: Json, other: Json, rng: Random) -> Json:
    """The schema with one or two places changed, some of them to what stands in another one."""
    out = copy.deepcopy(schema)
    for _ in range(rng.choice((1, 1, 2))):
        node = rng.choice([*nodes(out)])
        source = rng.choice([*nodes(other)])
        key = rng.choice([*node] or [None])
        how = rng.randrange(6)
        if how == 0 and key is not None:
            del node[key]
        elif how == 1 and source:
            name = rng.choice([*source])
            node[name] = copy.deepcopy(source[name])
        elif how == 2 and key is not None and isinstance(node[key], (int, float)) and not isinstance(node[key], bool):
            node[key] = max(0, node[key] + rng.choice((-1, 1)))
        elif how == 3 and key is not None and isinstance(node[key], list) and node[key]:
            node[key] = rng.sample(node[key], len(node[key]))[: rng.choice((len(node[key]), len(node[key]) - 1))]
            if not node[key]:
                del node[key]
        elif how == 4 and isinstance(node.get("properties"), dict):
            node["properties"][rng.choice(("a", "b", "new"))] = copy.deepcopy(source)
            if rng.random() < 0.5:
                node["required"] = ["new"]
        else:
            node.update(rng.choice(CHANGES))
    return out


CHANGES: tuple[Json, ...] = (
    {"type": "string"},
    {"type": ["string", "null"]},
    {"enum": ["text", 1, None]},
    {"additionalProperties": False},
    {"additionalProperties": {"type": "string"}},
    {"anyOf": [{"type": "string"}, {"type": "null"}]},
    {"oneOf": [{"type": "integer"}, {"type": "number"}]},
    {"not": {"type": "string", "minLength": 2}},
    {"minLength": 2},
    {"maximum": 7},
    {"minItems": 1},
    {"items": {"type": "integer"}},
    {"required": ["a"]},
    {"propertyNames": {"maxLength": 2}},
    {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
    {"description": "other"},
    {"default": 1},
)


def breach(old: Json, new: Json, values: list[Json]) -> str | None:
    """A value that contradicts what is said of two schemas."""
    accepted, accepts = validator(old), validator(new)
    if accepted is None or accepts is None:
        return None
    changes = compare_schemas(old, new)
    more, less = any(change.more for change in changes), any(change.less for change in changes)
    for value in values:
        before, after = accepted(value), accepts(value)
        if (before and not after and not less) or (after and not before and not more):
            return f"{value}: {before} -> {after}\n {old}\n {new}\n {changes}"
    return None


@given(schemas(), schemas(), SEEDS)
def test_no_verdict_is_contradicted(schema: Json, other: Json, seed: int) -> None:
    rng = Random(seed)
    new = changed(schema, other, rng)
    values = [*samples([schema, new], rng, 24)]
    assert breach(schema, new, values) is None
    assert breach(new, schema, values) is None


@given(schemas(), schemas(), SEEDS)
def test_two_schemas(schema: Json, other: Json, seed: int) -> None:
    values = [*samples([schema, other], Random(seed), 16)]
    assert breach(schema, other, values) is None


@given(schemas(), schemas(), SEEDS)
def test_the_reverse_comparison_says_the_reverse(schema: Json, other: Json, seed: int) -> None:
    new = changed(schema, other, Random(seed))
    forth, back = compare_schemas(schema, new), compare_schemas(new, schema)
    assert any(it.more for it in forth) == any(it.less for it in back)
    assert bool(forth) == bool(back)


@given(schemas())
def test_a_schema_equals_itself(schema: Json) -> None:
    assert compare_schemas(schema, copy.deepcopy(schema)) == []


SUITE = SHARED / "corpus" / "json-schema-test-suite" / "tests"


@pytest.mark.skipif(not SUITE.is_dir(), reason="the suite is not beside the repository")
@pytest.mark.parametrize("draft", ["draft4", "draft7", "draft2020-12"])
def test_the_schemas_of_the_official_suite_by_its_values(draft: str) -> None:
    """Every schema of a keyword against others of that keyword, by the values that the suite has for it."""
    checked = 0
    for file in sorted((SUITE / draft).glob("*.json")):
        groups = json.loads(file.read_text("utf-8"))
        values = [test["data"] for group in groups for test in group["tests"]]
        known: list[tuple[Json, list[bool]]] = []
        for group in groups:
            accepts = validator(group["schema"], older=False) if isinstance(group["schema"], dict) else None
            if accepts is not None:
                known.append((group["schema"], [accepts(value) for value in values]))
        pairs = [*permutations(known, 2)]
        for (old, before), (new, after) in Random(file.stem).sample(pairs, min(len(pairs), 200)):
            changes = compare_schemas(old, new)
            more, less = any(it.more for it in changes), any(it.less for it in changes)
            for value, was, now in zip(values, before, after, strict=True):
                assert was == now or (less if was else more), f"{value}\n {old}\n {new}\n {changes}"
            checked += 1
    assert checked > 500


def verdict(old: Json, new: Json) -> set[tuple[str, str]]:
    return {(it.kind, it.target if it.target is not None else it.source or "") for it in compare_schemas(old, new)}


def test_a_tree_that_refers_to_itself() -> None:
    tree = {
        "type": "object",
        "properties": {"node": {"$ref": "#/$defs/node"}},
        "$defs": {
            "node": {
                "type": "object",
                "properties": {
                    "value": {"type": "integer", "maximum": 5},
                    "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
                },
            }
        },
    }
    new = copy.deepcopy(tree)
    new["$defs"]["node"]["properties"]["value"]["maximum"] = 7
    assert verdict(tree, new) == {("widened", "/$defs/node/properties/value/maximum")}
    assert verdict(new, tree) == {("narrowed", "/$defs/node/properties/value/maximum")}
    new["properties"]["node"] = {"not": {"$ref": "#/$defs/node"}}
    tree["properties"]["node"] = {"not": {"$ref": "#/$defs/node"}}
    assert verdict(tree, new) == {("narrowed", "/$defs/node/properties/value/maximum")}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "null"}, {"type": "string"}]}),
        ({"enum": ["a", None]}, {"anyOf": [{"const": "a"}, {"type": "null"}]}),
        ({"enum": ["a", "b"]}, {"oneOf": [{"const": "b"}, {"const": "a"}]}),
        ({"type": "boolean"}, {"enum": [False, True]}),
        ({"type": "integer", "minimum": 1}, {"type": "integer", "exclusiveMinimum": 0.5}),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, {"type": "string"}),
        ({"allOf": [{"type": "object"}, {"required": ["a"]}]}, {"type": "object", "required": ["a"]}),
        ({"type": "object", "properties": {}}, {"type": "object"}),
        ({"type": "array", "items": {}}, {"type": "array"}),
        ({"type": "number", "multipleOf": 6}, {"type": "number", "allOf": [{"multipleOf": 2}, {"multipleOf": 3}]}),
        ({"items": [{"type": "string"}], "type": "array"}, {"prefixItems": [{"type": "string"}], "type": "array"}),
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        (
            {"allOf": [{"type": "string"}], "nullable": True},
            {"anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}]},
        ),
    ],
)
def test_other_words_for_the_same(one: Json, other: Json) -> None:
    assert {it.kind for it in compare_schemas(one, other)} == {"rewritten"}
    assert {it.kind for it in compare_schemas(other, one)} == {"rewritten"}


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ({"type": "integer"}, {"type": "number"}),
        ({"const": "a"}, {"type": "string", "maxLength": 1}),
        ({"enum": [1, 2]}, {"type": "integer", "minimum": 1}),
        ({"multipleOf": 4, "type": "integer"}, {"multipleOf": 2, "type": "integer"}),
        ({"multipleOf": 4, "type": "number"}, {"multipleOf": 2.0, "type": "number"}),
        ({"type": "string", "pattern": "^a"}, {"type": "string"}),
        ({"type": "string", "format": "date"}, {"type": "string"}),
        ({"type": "array", "items": {"type": "integer"}}, {"type": "array", "items": {"type": ["integer", "null"]}}),
        ({"type": "array", "uniqueItems": True}, {"type": "array"}),
        ({"type": "object", "additionalProperties": False}, {"type": "object"}),
        ({"type": "object", "dependentRequired": {"a": ["b"]}}, {"type": "object"}),
        ({"type": "object", "patternProperties": {"^x-": {"type": "string"}}}, {"type": "object"}),
        ({"type": "object", "additionalProperties": False}, {"type": "object", "patternProperties": {"^x-": True}}),
        ({"anyOf": [{"type": "string"}]}, {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        ({"type": "string", "maxLength": 3}, {"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 3}]}),
        ({"not": {"type": ["string", "null"]}}, {"not": {"type": "null"}}),
        ({"if": {"type": "string"}, "then": {"maxLength": 3}}, {"if": {"type": "string"}, "then": {"maxLength": 5}}),
        ({"contains": {"type": "integer"}, "minContains": 2}, {"contains": {"type": "integer"}}),
        (False, True),
    ],
)
def test_one_contains_the_other(narrow: Json, wide: Json) -> None:
    old, new = ({"type": "object", "properties": {"a": schema}} for schema in (narrow, wide))
    assert {it.kind for it in compare_schemas(old, new)} == {"widened"}
    assert {it.kind for it in compare_schemas(new, old)} == {"narrowed"}


def test_a_constraint_that_nobody_reads_is_no_other_wording(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a keyword that is added to the vocabulary alone."""
    monkeypatch.setattr(conjunction, "is_annotation", lambda key: key != "minUnique" and is_annotation(key))
    old, new = {"type": "array"}, {"type": "array", "minUnique": 2}
    for one, other in ((old, new), (new, old), (new, {**new, "minUnique": 3})):
        assert {(it.kind, it.keyword) for it in compare_schemas(one, other)} == {("incomparable", "minUnique")}
    assert compare_schemas(new, {**new}) == []


@pytest.mark.parametrize("new", [{"type": "integer"}, {"type": ["integer", "null"]}])
def test_another_type_is_decided_to_be_wider_and_narrower(new: Json) -> None:
    assert [it.kind for it in compare_schemas({"type": "string"}, new)] == ["narrowed", "widened"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}),
        ({"type": "string", "format": "date"}, {"type": "string", "format": "email"}),
        ({"multipleOf": 0.1}, {"multipleOf": 0.3}),
        ({"oneOf": [{"minimum": 3}, {"maximum": 5}]}, {"oneOf": [{"minimum": 2}, {"maximum": 5}]}),
        ({"if": {"minimum": 3}, "then": {"maximum": 5}}, {"if": {"minimum": 4}, "then": {"maximum": 5}}),
        ({"$ref": "https://example.org/a"}, {"$ref": "https://example.org/b"}),
        (
            {"allOf": [{"properties": {"a": True}}], "unevaluatedProperties": False},
            {"allOf": [{"properties": {"b": True}}], "unevaluatedProperties": False},
        ),
    ],
)
def test_what_is_not_decided(one: Json, other: Json) -> None:
    old, new = ({"type": "object", "properties": {"a": schema}} for schema in (one, other))
    assert "incomparable" in {it.kind for it in compare_schemas(old, new)}


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ({"contains": True}, {}, [("widened", "contains")]),
        ({}, {"contains": True}, [("narrowed", "contains")]),
        (
            {"anyOf": [{"const": 1, "description": "x"}, {"const": 2}]},
            {"anyOf": [{"const": 1, "description": "y"}, {"const": 2}]},
            [("text", "anyOf")],
        ),
        (
            {"allOf": [{"patternProperties": {"^a": True}}, {"additionalProperties": False}]},
            {"patternProperties": {"^a": True}},
            [("incomparable", "patternProperties"), ("widened", "")],
        ),
    ],
)
def test_what_one_schema_states_alone(one: Json, other: Json, found: list[tuple[str, str]]) -> None:
    kind = "array" if "contains" in {**one, **other} else "object"
    old, new = ({"type": kind, **schema} if "anyOf" not in schema else schema for schema in (one, other))
    assert [(each.kind, each.keyword) for each in compare_schemas(old, new)] == found


def word(text: str, **more: Json) -> Json:
    return {"type": "string", "enum": [text], **more}


def tagged(name: str, **tag: Json) -> Json:
    return {"type": "object", "properties": {name: tag}, "required": [name]}


@pytest.mark.parametrize(
    ("branches", "are_apart"),
    [
        ([{"type": "string"}, {"type": "integer"}], True),
        ([tagged("kind", const="a"), tagged("kind", enum=["b", "c"])], True),
        ([tagged("kind", const="a"), tagged("kind", const="a")], False),
        ([tagged("kind", const="a"), tagged("sort", const="b")], False),
        # OpenAPI 3.0
        ([{"type": "string", "nullable": True}, {"type": "integer"}], True),
        ([{"type": "string", "nullable": True}, {"type": "integer", "nullable": True}], False),
        ([word("a"), word("b", nullable=True)], True),
        ([word("a", nullable=True), word("b", nullable=True)], False),
        ([tagged("kind", **word("a", nullable=True)), tagged("kind", **word("b", nullable=True))], False),
    ],
)
def test_one_of_is_any_of_where_no_value_fits_two_alternatives(branches: list[Json], are_apart: bool) -> None:
    old, new = ({"type": "object", "properties": {"a": {key: branches}}} for key in ("oneOf", "anyOf"))
    assert ({it.kind for it in compare_schemas(old, new)} == {"rewritten"}) is are_apart


def test_hostile_schemas_come_to_an_end() -> None:
    deep: Json = {"type": "string"}
    for _ in range(200):
        deep = {"type": "object", "properties": {"a": {"anyOf": [deep, {"type": "null"}]}}}
    bomb = {"type": "object", "properties": {"a": {"$ref": "#/$defs/0"}}, "$defs": {}}
    for number in range(200):
        bomb["$defs"][str(number)] = {"allOf": [{"$ref": f"#/$defs/{number + 1}"}] * 3 + [{"maxLength": number}]}
    bomb["$defs"]["200"] = {"anyOf": [{"const": number} for number in range(500)]}
    loop = {"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}}
    slow = {"type": "object", "patternProperties": {"(a+)+$": {}}, "properties": {"a" * 60 + "!": {}}}
    rivals, others = (
        {"type": "object", "properties": {"a": {"anyOf": [{"type": "object", word: number} for number in range(300)]}}}
        for word in ("maxProperties", "minProperties")
    )
    start = process_time()
    for old, new in permutations((bomb, loop, slow, rivals, others, {"type": "object"}), 2):
        assert compare_schemas(old, new)
    assert compare_schemas(deep["properties"]["a"]["anyOf"][0], deep) != []
    assert process_time() - start < 10


@pytest.mark.parametrize("family", ["root", "patterns", "parts", "alternatives"])
def test_what_is_compared_with_much_is_limited(family: str) -> None:
    """Each property refers to all, each name is matched with each pattern ...: seconds, and hundreds of megabytes."""
    number = 1_000
    names = [f"p{n}" for n in range(number)]
    many: Json = {
        "root": {"properties": {name: {"$ref": "#"} for name in names}},
        "patterns": {"patternProperties": {f"^{name}": {} for name in names}, "properties": {it: {} for it in names}},
        "parts": {"allOf": [{"properties": {name: {}}, "additionalProperties": {"maxItems": 2}} for name in names]},
        "alternatives": {"properties": {"a": {"anyOf": [{"type": "string"}] * 4 * number}}},
    }[family]
    other = json.loads(json.dumps(many).replace('"p1"', '"q1"').replace('"string"', '"integer"'))
    start = process_time()
    assert compare_schemas({"type": "object", **many}, {"type": "object", **other})
    assert process_time() - start < 3


def test_bounds_beyond_every_float_are_compared() -> None:
    large, larger = {"type": "integer", "minimum": 10**400}, {"type": "integer", "minimum": 10**401}
    above = {"type": "integer", "exclusiveMinimum": 10**400 - 1}
    assert [each.kind for each in compare_schemas(large, larger)] == ["narrowed"]
    assert [each.kind for each in compare_schemas(larger, large)] == ["widened"]
    assert [each.kind for each in compare_schemas(above, large)] == ["rewritten"]


def test_values_beyond_every_float_are_compared_with_multiples() -> None:
    listed, even = {"type": "integer", "enum": [10**400]}, {"type": "integer", "multipleOf": 2}
    assert [each.kind for each in compare_schemas(listed, even)] == ["widened"]
    assert [each.kind for each in compare_schemas(even, listed)] == ["narrowed"]
    assert "incomparable" not in {each.kind for each in compare_schemas(listed, {"multipleOf": 10**401})}
    assert compare_schemas(listed, {"type": "number", "multipleOf": 0.1})
