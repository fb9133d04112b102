"""What changed between two schemas: every verdict against the values that other people's validators accept."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from laws.arguments import nodes, samples
from laws.meaning import validator
from schema.generated_schemas import schemas
from toolbridge.schema import compare_schemas

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
