"""Where subschemas live, and what a keyword is for."""

from typing import Any

import pytest

from toolbridge.data import pointer
from toolbridge.schema import (
    children,
    draft,
    is_annotation,
    meant_schema,
    meant_types,
    older_spellings,
    walk,
    with_properties,
)

DRAFT_04 = "http://json-schema.org/draft-04/schema#"


def deep(levels: int, innermost: dict[str, Any]) -> dict[str, Any]:
    schema = innermost
    for _ in range(levels):
        schema = {"type": "object", "properties": {"n": schema}}
    return schema


def test_children_of_every_kind() -> None:
    schema: dict[str, Any] = {
        "properties": {"a/b": {}, "q": True},
        "items": {"type": "string"},
        "allOf": [{}, False],
        "additionalProperties": False,
        "not": {},
        "dependencies": {"a": ["b"], "b": {"required": ["c"]}},
        "$defs": {"A": {}},
        "contentSchema": {},
    }
    found = dict(children(schema))
    assert list(found) == [
        "/properties/a~1b",
        "/properties/q",
        "/items",
        "/allOf/0",
        "/allOf/1",
        "/additionalProperties",
        "/not",
        "/dependencies/b",
        "/$defs/A",
        "/contentSchema",
    ]
    assert all(pointer.get(schema, place) is sub for place, sub in found.items())


def test_a_list_of_items_holds_subschemas_and_a_list_elsewhere_does_not() -> None:
    assert [place for place, _ in children({"items": [{}, {}], "not": [{}], "prefixItems": {}})] == [
        "/items/0",
        "/items/1",
    ]


def test_names_and_values_are_no_keywords() -> None:
    schema: dict[str, Any] = {
        "properties": {"$ref": {"type": "string"}, "properties": {"type": "string"}, "not": {}, "title": {}},
        "enum": [{"properties": {"x": {}}}],
        "const": {"not": {}},
        "default": {"items": {}},
        "examples": [{"items": {}}],
        "x-own": {"not": {}},
    }
    assert [place for place, _ in walk(schema)] == [
        "",
        "/properties/$ref",
        "/properties/properties",
        "/properties/not",
        "/properties/title",
    ]


@pytest.mark.parametrize("schema", [{"properties": 5}, {"allOf": {}}, {"items": None}, {"not": "x"}, {"$defs": []}])
def test_what_is_no_subschema_is_left_out(schema: dict[str, Any]) -> None:
    assert not list(children(schema))


@pytest.mark.parametrize("value", [None, 5, "x", [], True, False])
def test_only_objects_have_children(value: Any) -> None:
    assert not list(children(value))
    assert not older_spellings(value)
    assert draft(value) == "2020-12"


def test_depth_is_no_danger() -> None:
    schema = deep(3_000, {"items": [{}]})
    assert sum(1 for _ in walk(schema)) == 3_002
    assert older_spellings(schema)
    assert draft(schema) == "draft7"


@pytest.mark.parametrize("keyword", ["title", "format", "default", "$comment", "contentSchema", "x-unit", "enumNames"])
def test_comments(keyword: str) -> None:
    assert is_annotation(keyword)


@pytest.mark.parametrize(
    "keyword", ["type", "const", "nullable", "items", "$ref", "$defs", "$id", "$schema", "dependencies"]
)
def test_no_comments(keyword: str) -> None:
    assert not is_annotation(keyword)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, "2020-12"),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "items": [{}]}, "2020-12"),
        ({"$schema": "https://json-schema.org/draft/2019-09/schema#"}, "2019-09"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, "draft7"),
        ({"$schema": "https://json-schema.org/draft-07/schema"}, "draft7"),
        ({"$schema": "http://json-schema.org/draft-06/schema#"}, "draft6"),
        ({"$schema": DRAFT_04}, "draft4"),
        ({"$schema": 5}, "2020-12"),
        ({"$schema": "https://example.com/mine"}, "2020-12"),
        ({"properties": {"a": {"items": [{}]}}}, "draft7"),
        ({"additionalItems": False}, "draft7"),
        ({"dependencies": {"a": ["b"]}}, "draft7"),
        ({"definitions": {"A": {}}}, "2020-12"),
        ({"minimum": 1, "exclusiveMinimum": True}, "draft4"),
        ({"exclusiveMinimum": 1, "exclusiveMaximum": True}, "draft4"),
        ({"properties": {"a": {"type": "string", "nullable": True}}}, "openapi-3.0"),
        ({"nullable": True, "minimum": 1, "exclusiveMinimum": True}, "openapi-3.0"),
        ({"nullable": True, "$defs": {}}, "2020-12"),
        ({"items": [{}], "$defs": {"A": {}}}, "2019-09"),
        ({"items": [{}], "prefixItems": [{}]}, "2020-12"),
        ({"items": {"$recursiveRef": "#"}}, "2019-09"),
        ({"properties": {"nullable": {"type": "boolean"}, "dependencies": {}}}, "2020-12"),
        ({"default": {"items": []}}, "2020-12"),
        ({"properties": {"a": {"$id": "#a"}, "b": {"$ref": "#a"}}}, "draft7"),
        ({"$id": "#a", "items": [{}]}, "draft7"),
        ({"$id": "#a", "minimum": 1, "exclusiveMinimum": True}, "2020-12"),
        ({"$id": "#a", "items": {"$ref": "#a", "minLength": 1}}, "2020-12"),
        ({"$id": "#a", "$defs": {"A": {}}}, "2020-12"),
        ({"$id": "#"}, "2020-12"),
        ({"$id": "https://example.com/a#"}, "2020-12"),
    ],
)
def test_draft(schema: dict[str, Any], expected: str) -> None:
    assert draft(schema) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"items": [{}]}, True),
        ({"items": []}, True),
        ({"items": {}}, False),
        ({"additionalItems": {}}, True),
        ({"dependencies": {}}, True),
        ({"exclusiveMinimum": 3}, False),
        ({"exclusiveMaximum": False}, True),
        ({"$defs": {"A": {"not": {"items": [{}]}}}}, True),
        ({"properties": {"dependencies": {"type": "string"}, "additionalItems": {}}}, False),
        ({"enum": [{"items": [1]}], "default": {"exclusiveMinimum": True}}, False),
        ({"$id": "#a"}, True),
        ({"$id": "#"}, False),
        ({"const": {"$id": "#a"}}, False),
    ],
)
def test_old_forms(schema: dict[str, Any], expected: bool) -> None:
    assert older_spellings(schema) is expected


@pytest.mark.parametrize(
    ("schema", "properties"),
    [
        ({"a": {"type": "string"}}, {"a": {"type": "string"}}),
        ({"type": "object", "a": {"type": "int"}}, {"a": {"type": "int"}}),
        (
            {"type": {"type": "string"}, "title": {"type": "str"}},
            {"type": {"type": "string"}, "title": {"type": "str"}},
        ),
    ],
)
def test_an_object_that_is_nothing_but_its_properties(schema: dict[str, Any], properties: dict[str, Any]) -> None:
    assert with_properties(schema) == {"type": "object", "properties": properties}


def test_a_schema_in_the_place_of_the_properties() -> None:
    """As tools of real servers have it: each of them was read as an object with the parameters type and properties."""
    inner = {"type": "object", "properties": {"gem": {"type": "string"}}, "required": ["gem"]}
    for schema in ({"type": "object", "properties": inner}, {"properties": inner}):
        assert with_properties(schema) == inner
    own = {"type": "object", "title": "T", "properties": inner}
    assert with_properties(own) == {**inner, "title": "T"}
    for more in (
        {"c": {"type": "string"}},
        {"title": {"type": "string"}},
        {"required": "gem"},
        {"properties": {"a": 5}},
    ):
        schema: dict[str, Any] = {"type": "object", "properties": inner | more}
        assert with_properties(schema) is schema
    twice = {**own, "required": ["a"]}
    assert with_properties(twice) is twice


@pytest.mark.parametrize(
    "schema",
    [
        *({}, {"type": "object"}, {"type": "object", "description": "d"}, {"type": "array", "a": {"type": "string"}}),
        *({"default": {"type": "string"}}, {"x-a": {"type": "string"}}, {"not": {"type": "string"}}),
        *({"a": {"type": "string"}, "b": 5}, {"a": {"type": "word"}}, {"a": {"description": "d"}}),
        *({"a": {"type": "string"}, "properties": {}}, {"a": {"type": "string"}, "$defs": {}}),
    ],
)
def test_a_schema_that_may_mean_something_else(schema: dict[str, Any]) -> None:
    assert with_properties(schema) is schema


@pytest.mark.parametrize(
    ("word", "kinds"),
    [
        *(("str, optional", ["string"]), ("String (optional)", ["string"]), ("List[int], optional", ["array"])),
        *(("Dict[str, Any]", ["object"]), ("Array<string>", ["array"]), ("string[]", []), ("Optional[int]", [])),
        *(("string or null", []), ("string|null", []), ("any", [])),
        *(("string, integer", ["string", "integer"]), ("string, of course", [])),
    ],
)
def test_words_for_types(word: str, kinds: list[str]) -> None:
    assert meant_types([word]) == kinds
    assert meant_schema(word).get("type", []) == (kinds[0] if len(kinds) == 1 else kinds)
