"""One schema inside another, and out again."""

from copy import deepcopy
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbridge.schema import nest, under, unnest, with_own_root

KEYS = st.sampled_from(["result", "a/b", "x y", "%41", "é", ""])
REFS = st.one_of(
    st.sampled_from([
        "#",
        "#/items",
        "#/$defs/A",
        "#/$defs/A/properties/a",
        "#/definitions/A",
        "#/%24defs/A",
        "#/properties/result",
        "#/properties/result/items",
        "#/properties/a%20b",
        "#/~0/~1",
        "#/%zz",
        "#anchor",
        "other.json#/x",
        "",
    ]),
    st.text(max_size=4).map(lambda text: "#/" + text),
)
NODES = st.recursive(
    st.one_of(
        st.booleans(),
        st.just({}),
        st.just({"type": "string", "enum": [{"$ref": "#"}]}),
        REFS.map(lambda ref: {"$ref": ref}),
        REFS.map(lambda ref: {"$dynamicRef": ref, "title": "t"}),
        st.just({"$recursiveRef": "#"}),
        st.sampled_from([5, None, []]).map(lambda ref: {"$ref": ref}),
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "items": st.one_of(inner, st.lists(inner, max_size=2)),
            "properties": st.dictionaries(st.sampled_from(["a", "$ref", "result"]), inner, max_size=2),
            "allOf": st.lists(inner, max_size=2),
            "$defs": st.dictionaries(st.just("A"), inner),
            "$id": st.sampled_from(["inner.json", "#name", "", 5]),
            "$ref": REFS,
            "dependencies": st.dictionaries(st.just("a"), st.one_of(inner, st.just(["b"])), max_size=1),
        },
    ),
    max_leaves=6,
)
SCHEMAS = st.tuples(
    NODES.filter(lambda node: isinstance(node, dict)),
    st.fixed_dictionaries(
        {},
        optional={
            "$schema": st.sampled_from([
                "http://json-schema.org/draft-04/schema#",
                "http://json-schema.org/draft-07/schema#",
                "https://json-schema.org/draft/2019-09/schema",
                None,
            ]),
            "$defs": st.one_of(st.dictionaries(st.just("A"), NODES), st.just(5)),
            "definitions": st.dictionaries(st.just("A"), NODES),
            "$id": st.sampled_from([
                "https://x.example/root",
                "urn:toolbridge:nested",
                "urn:toolbridge:nested~",
                "#n",
                1,
            ]),
            "id": st.sampled_from(["root.json", "#n"]),
        },
    ),
).map(lambda parts: parts[0] | parts[1])


@given(SCHEMAS, KEYS)
def test_unnest_is_the_inverse(schema: dict[str, Any], key: str) -> None:
    before = deepcopy(schema)
    wrapper = nest(schema, key)
    assert schema == before
    assert wrapper["type"] == "object"
    assert wrapper["required"] == [key]
    assert list(wrapper["properties"]) == [key]
    held = deepcopy(wrapper)
    assert unnest(wrapper, key) == schema
    assert wrapper == held


WORKING: list[dict[str, Any]] = [
    {"type": "integer"},
    {"$ref": "#/$defs/A", "$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}}},
    {"type": ["array", "integer"], "items": {"$ref": "#"}},
    {"type": "array", "prefixItems": [{"type": "string"}], "items": {"$ref": "#/prefixItems/0"}},
    {"$id": "https://x.example/tree", "type": ["array", "integer"], "items": {"$ref": "#"}},
    {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "id": "https://x.example/tree",
        "items": {"$ref": "#/definitions/A"},
        "definitions": {"A": {"minimum": 0, "exclusiveMinimum": True}},
    },
    {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "items": [{"$ref": "#/definitions/A"}],
        "definitions": {"A": False},
    },
    {
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "type": ["array", "integer"],
        "items": {"$recursiveRef": "#"},
        "$recursiveAnchor": True,
    },
    {"items": {"$id": "inner", "$ref": "#/$defs/N", "$defs": {"N": {"type": "null"}}}},
    {"items": {"$ref": "#name"}, "$defs": {"A": {"$anchor": "name", "type": "integer"}}},
    {"$dynamicAnchor": "node", "type": ["array", "integer"], "items": {"$dynamicRef": "#node"}},
]
VALUES: list[Any] = [None, 0, 1, "x", [], [1], [0], ["x"], ["x", "y"], ["x", 1], [[1]], [["x"]], [None], {}]


@pytest.mark.parametrize("schema", WORKING)
def test_a_nested_schema_accepts_what_it_accepted(schema: dict[str, Any]) -> None:
    alone = jsonschema_rs.validator_for(schema)
    nested = jsonschema_rs.validator_for(nest(schema))
    for value in VALUES:
        assert nested.is_valid({"result": value}) == alone.is_valid(value), value
    assert not nested.is_valid({})


@pytest.mark.parametrize("schema", [schema for schema in WORKING if "$recursiveAnchor" not in schema])
def test_a_schema_under_allof_accepts_what_it_accepted(schema: dict[str, Any]) -> None:
    alone = jsonschema_rs.validator_for(schema)
    moved = under(schema, "/allOf/0")
    both = {"allOf": [moved]} | ({"$schema": schema["$schema"]} if "$schema" in schema else {})
    joined = jsonschema_rs.validator_for(both)
    for value in VALUES:
        assert joined.is_valid(value) == alone.is_valid(value), value


@pytest.mark.parametrize("schema", [schema for schema in WORKING if "$recursiveAnchor" not in schema])
def test_a_schema_with_its_own_root_accepts_what_it_accepted(schema: dict[str, Any]) -> None:
    alone, own = jsonschema_rs.validator_for(schema), jsonschema_rs.validator_for(with_own_root(schema))
    for value in VALUES:
        assert own.is_valid(value) == alone.is_valid(value), value


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"$defs": {"root": {"type": "null"}}},
        {"definitions": {"A": {}}},
        {"$id": "https://x.example/tree"},
        {"$schema": "http://json-schema.org/draft-04/schema#", "id": "https://x.example/tree"},
        {"$anchor": "here"},
    ],
)
def test_the_root_may_be_changed_alone(more: dict[str, Any]) -> None:
    schema = {"properties": {"a": {"$ref": "#"}, "n": {"type": "integer"}}, "maxProperties": 1, **more}
    before = deepcopy(schema)
    own = with_own_root(schema)
    assert schema == before
    accepts = jsonschema_rs.validator_for({**own, "type": "object"}).is_valid
    assert [accepts(value) for value in (1, {"a": 1}, {"a": {"a": [1]}})] == [False, True, True]
    assert not accepts({"a": {"a": {"n": "x"}}})
    assert not accepts({"a": {"a": 1, "n": 2}})
    assert {key: own[key] for key in more if key not in ("$defs", "definitions")} == {
        key: more[key] for key in more if key not in ("$defs", "definitions")
    }


def test_the_root_stays_as_it_is_where_nothing_refers_to_it() -> None:
    for schema in ({"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {}}}, {"$defs": 5, "definitions": 5}):
        assert with_own_root(schema) is schema


def test_nest_hoists_definitions_and_moves_references() -> None:
    schema = {"$schema": "s", "$defs": {"A": {"$ref": "#/items"}}, "items": {"$ref": "#/$defs/A"}, "not": {"$ref": "#"}}
    assert nest(schema, "a b") == {
        "$schema": "s",
        "type": "object",
        "properties": {"a b": {"items": {"$ref": "#/$defs/A"}, "not": {"$ref": "#/properties/a%20b"}}},
        "$defs": {"A": {"$ref": "#/properties/a%20b/items"}},
        "required": ["a b"],
    }


def test_under_leaves_what_need_not_move() -> None:
    schema: dict[str, Any] = {"items": {"$ref": "#name"}, "$defs": {"A": {}}}
    assert under(schema, "/allOf/0") is schema
    assert under({"$ref": "#/$defs/A", "$defs": {}}, "/x", hoisted=("$defs",)) == {"$ref": "#/$defs/A", "$defs": {}}
    assert under({"$ref": "#/$defs%2FA", "$defs": {}}, "/x", hoisted=("$defs",)) == {"$ref": "#/$defs%2FA", "$defs": {}}
    assert under({"$ref": "#/$defs/A", "$defs": {}}, "/x") == {"$ref": "#/x/$defs/A", "$defs": {}}


WRAPPER: dict[str, Any] = {"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]}


@pytest.mark.parametrize(
    "wrapper",
    [
        None,
        [],
        {},
        {"type": "object"},
        WRAPPER | {"type": ["object"]},
        WRAPPER | {"required": []},
        WRAPPER | {"required": "result"},
        WRAPPER | {"properties": {"result": {}, "more": {}}},
        WRAPPER | {"properties": {"other": {}}},
        WRAPPER | {"properties": {"result": True}},
        WRAPPER | {"title": "Result"},
        WRAPPER | {"additionalProperties": False},
        WRAPPER | {"x-fastmcp-wrap-result": True, "x-other": True},
        WRAPPER | {"properties": {"result": {"$ref": "#"}}},
        WRAPPER | {"properties": {"result": {"$ref": "#/required"}}},
        WRAPPER | {"properties": {"result": {"$defs": {}}}, "$defs": {"A": {}}},
        WRAPPER | {"properties": {"result": {"$id": "inner"}}, "$defs": {"A": {}}},
    ],
)
def test_what_is_no_wrapper(wrapper: Any) -> None:
    assert unnest(wrapper) is None


def test_markers_of_others_are_taken_off() -> None:
    assert unnest(WRAPPER | {"x-fastmcp-wrap-result": True}) == {"type": "integer"}
    assert unnest(WRAPPER | {"x-mine": 1}, markers=("x-mine",)) == {"type": "integer"}
    assert unnest(WRAPPER | {"properties": {"result": {"$id": "i"}}, "$schema": "s"}) == {"$schema": "s", "$id": "i"}


def test_depth_is_no_danger() -> None:
    schema: dict[str, Any] = {"$ref": "#"}
    for _ in range(900):
        schema = {"properties": {"n": schema}}
    place = unnest(nest(schema))
    for _ in range(900):
        assert place is not None
        place = place["properties"]["n"]
    assert place == {"$ref": "#"}
