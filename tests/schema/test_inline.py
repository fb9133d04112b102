"""Writing references out, rule by rule."""

from typing import Any

import pytest

from schema.inlined import Notes, written
from toolbridge.limits import Limits
from toolbridge.schema import BudgetExceeded, has_references

DRAFT_04 = "http://json-schema.org/draft-04/schema#"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"

# nothing to do


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object", "properties": {"q": {"type": "string"}}},
        {"properties": {"$ref": {"type": "string"}, "$defs": {}, "definitions": {"$comment": "a name"}}},
        {"enum": [{"$ref": "#/x"}], "default": {"$defs": {}}, "const": {"$ref": "#"}, "examples": [{"$ref": "#"}]},
        {"$id": "https://x.example/", "$anchor": "a", "x-own": {"$ref": "#"}},
        {"not": [{"$ref": "#"}], "properties": 5, "allOf": {"$ref": "#"}},
    ],
)
def test_the_very_same_object_comes_back(schema: dict[str, Any]) -> None:
    assert not has_references(schema)
    out, notes = written(schema)
    assert out is schema
    assert not notes


def test_what_is_no_json_is_looked_at_all_the_same() -> None:
    assert has_references({"default": object(), "items": {"$ref": "#"}})
    assert not has_references({"default": object()})
    odd: dict[str, Any] = {"enum": ["\ud800", {"a": ["\ud800"]}, 2**70, float("inf")]}
    schema = {"anyOf": [{"$ref": "#/$defs/A"}] * 9, "$defs": {"A": odd}}
    assert written(schema) == ({"anyOf": [odd] * 9}, [])
    with pytest.raises(BudgetExceeded):
        written(schema, limits=Limits(output=9 * 20))


# where references lead


@pytest.mark.parametrize(
    ("ref", "rest"),
    [
        ("#/$defs/A", {"$defs": {"A": {"type": "integer"}}}),
        ("#/definitions/A", {"definitions": {"A": {"type": "integer"}}}),
        ("#/$defs/a~1b~0c", {"$defs": {"a/b~c": {"type": "integer"}}}),
        ("#/$defs/a%20b%25", {"$defs": {"a b%": {"type": "integer"}}}),
        ("#/%24defs/A", {"$defs": {"A": {"type": "integer"}}}),
        ("#/$defs/Group/A", {"$defs": {"Group": {"A": {"type": "integer"}}}}),
        ("#/$defs/L/prefixItems/0", {"$defs": {"L": {"prefixItems": [{"type": "integer"}]}}}),
        ("#name", {"$defs": {"A": {"$anchor": "name", "type": "integer"}}}),
        ("#name", {"definitions": {"A": {"$id": "#name", "type": "integer"}}}),
        ("item", {"$defs": {"A": {"$id": "item", "type": "integer"}}}),
        ("item#/$defs/B", {"$defs": {"A": {"$id": "item", "$defs": {"B": {"type": "integer"}}}}}),
        (
            "https://x.example/s/item",
            {"$id": "https://x.example/s/r", "$defs": {"A": {"$id": "item", "type": "integer"}}},
        ),
        ("https://x.example/r#/$defs/A", {"$id": "https://x.example/r", "$defs": {"A": {"type": "integer"}}}),
        ("urn:a:b#/$defs/A", {"$id": "urn:a:b", "$defs": {"A": {"type": "integer"}}}),
    ],
)
def test_a_reference_is_found(ref: str, rest: dict[str, Any]) -> None:
    out, notes = written({"properties": {"a": {"$ref": ref}}} | rest)
    assert out == {"properties": {"a": {"type": "integer"}}}
    assert {code for code, *_ in notes} <= {"TB103"}


def test_a_reference_is_found_where_no_keyword_holds_schemas() -> None:
    rest = {"components": {"schemas": {"A": {"type": "integer"}}}}
    out, notes = written({"properties": {"a": {"$ref": "#/components/schemas/A"}}} | rest)
    assert out == {"properties": {"a": {"type": "integer"}}} | rest
    assert not notes


def test_a_reference_into_another_parameter() -> None:
    point = {"type": "object", "properties": {"x": {"type": "number"}}}
    out, notes = written({"properties": {"from": point, "to": {"$ref": "#/properties/from"}}})
    assert out == {"properties": {"from": point, "to": point}}
    assert not notes


def test_a_reference_is_relative_to_its_resource() -> None:
    inner = {"$id": "item", "items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "string"}}}
    out, _ = written({"properties": {"a": {"$ref": "item"}}, "$defs": {"I": inner, "A": {"type": "integer"}}})
    assert out == {"properties": {"a": {"items": {"type": "string"}}}}


@pytest.mark.parametrize(
    "ref",
    [
        "#/$defs/No",
        "#/",
        "#no",
        "no",
        "https://x.example/s#/x",
        "http://[",
        "#/$defs/T",
        "#/properties/a/title/0",
        5,
        None,
        {},
    ],
)
def test_a_reference_that_leads_nowhere_is_cut_open(ref: Any) -> None:
    schema = {"properties": {"a": {"$ref": ref, "title": "A", "minimum": 1, "type": "integer"}}, "$defs": {"T": "text"}}
    out, notes = written(schema)
    assert out == {"properties": {"a": {"title": "A", "minimum": 1, "type": "integer"}}}
    code = "TB206" if isinstance(ref, str) else "TB001"
    assert (code, "/properties/a/$ref", "/properties/a") in notes


# siblings


def one(schema: dict[str, Any]) -> tuple[Any, Notes]:
    out, notes = written(schema)
    return out["properties"]["a"], notes


def test_comments_beside_a_reference_win() -> None:
    definition = {"type": "string", "description": "old", "title": "kept"}
    schema = {"properties": {"a": {"$ref": "#/$defs/A", "description": "new", "x-own": 1}}, "$defs": {"A": definition}}
    out, notes = one(schema)
    assert out == {"type": "string", "description": "new", "title": "kept", "x-own": 1}
    assert notes == [("TB103", "/$defs/A/description", "/properties/a")]


def test_comments_win_along_a_chain() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/$defs/A", "title": "first"}},
        "$defs": {"A": {"$ref": "#/$defs/B", "description": "second"}, "B": {"description": "third", "title": "third"}},
    }
    out, notes = one(schema)
    assert out == {"title": "first", "description": "second"}
    assert sorted(notes) == [
        ("TB103", "/$defs/B/description", "/properties/a"),
        ("TB103", "/$defs/B/title", "/properties/a"),
    ]


def test_constraints_beside_a_reference_apply_as_well() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/$defs/A", "minLength": 2, "title": "t", "allOf": [{"$ref": "#/$defs/B"}]}},
        "$defs": {"A": {"minLength": 1}, "B": {"pattern": "x"}},
    }
    out, notes = one(schema)
    assert out == {"minLength": 2, "title": "t", "allOf": [{"pattern": "x"}]}
    assert notes == [("TB103", "/$defs/A/minLength", "/properties/a")]


def test_the_nearer_of_two_formats_stays() -> None:
    schema = {"properties": {"a": {"$ref": "#/$defs/A", "format": "uri"}}, "$defs": {"A": {"format": "email"}}}
    assert one(schema) == ({"format": "uri"}, [("TB103", "/$defs/A/format", "/properties/a")])


@pytest.mark.parametrize(
    ("definition", "beside", "expected"),
    [
        (True, {}, {}),
        (True, {"title": "t"}, {"title": "t"}),
        (True, {"minimum": 1}, {"minimum": 1}),
        ({}, {}, {}),
        ({}, {"minimum": 1}, {"minimum": 1}),
        (False, {}, {"not": {}}),
        (False, {"title": "t"}, {"not": {}}),
        (False, {"minimum": 1}, {"not": {}}),
        (False, {"not": {"const": 1}}, {"not": {}}),
    ],
)
def test_booleans(definition: Any, beside: dict[str, Any], expected: dict[str, Any]) -> None:
    schema = {"properties": {"a": {"$ref": "#/$defs/A"} | beside}, "$defs": {"A": definition}}
    # A definition that adds nothing is named, and what says nothing more where nothing is accepted.
    place = "/$defs/A" if definition in (True, {}) else "".join(f"/properties/a/{key}" for key in beside)
    idle = [("TB103", place, "/properties/a")] if place else []
    assert one(schema) == (expected, idle)


@pytest.mark.parametrize("stated", [DRAFT_04, DRAFT_07])
def test_old_drafts_ignore_constraints_beside_a_reference(stated: str) -> None:
    schema = {
        "$schema": stated,
        "properties": {
            "a": {"$ref": "#/definitions/A", "minimum": 3, "not": {"$ref": "#/definitions/B"}, "title": "t"}
        },
        "definitions": {"A": {"type": "integer"}, "B": {}},
    }
    out, notes = one(schema)
    assert out == {"type": "integer"}
    assert notes == [
        ("TB103", "/properties/a/minimum", "/properties/a"),
        ("TB103", "/properties/a/not", "/properties/a"),
        ("TB103", "/properties/a/title", "/properties/a"),
        ("TB103", "/$schema", None),
        ("TB103", "/definitions/B", None),
    ]


def test_a_reference_at_the_root() -> None:
    schema = {"$schema": DRAFT_2020, "$ref": "#/$defs/R", "title": "t", "$defs": {"R": {"type": "object"}}}
    out, notes = written(schema)
    assert list(out.items()) == [("$schema", DRAFT_2020), ("title", "t"), ("type", "object")]
    assert not notes


# recursion


def test_recursion_is_cut_open() -> None:
    node = {"properties": {"kids": {"items": {"$ref": "#/$defs/N", "title": "kid"}}}, "type": "object"}
    out, notes = one({"properties": {"a": {"$ref": "#/$defs/N"}}, "$defs": {"N": node}})
    assert out == {"properties": {"kids": {"items": {"title": "kid", "type": "object"}}}, "type": "object"}
    assert notes == [("TB205", "/$defs/N/properties/kids/items/$ref", "/properties/a/properties/kids/items")]


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "#"}}},
        {"properties": {"a": {"items": {"$ref": "#/properties/a"}}}},
        {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}},
        {"$ref": "#"},
        {"$recursiveRef": "#"},
        {"$dynamicRef": "#n", "$dynamicAnchor": "n"},
    ],
)
def test_every_circle_ends(schema: dict[str, Any]) -> None:
    out, notes = written(schema)
    assert "TB205" in [code for code, *_ in notes]
    assert not has_references(out)


def test_mutual_recursion_is_cut_at_each_way_in() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}},
        "$defs": {"A": {"items": {"$ref": "#/$defs/B"}}, "B": {"not": False, "items": {"$ref": "#/$defs/A"}}},
    }
    out, notes = written(schema)
    assert out["properties"] == {
        "a": {"items": {"not": False, "items": {}}},
        "b": {"not": False, "items": {"items": {}}},
    }
    assert [code for code, *_ in notes if code != "TB103"] == ["TB205", "TB205"]


# widening never narrows

NO: dict[str, Any] = {"$ref": "#/$defs/No"}


@pytest.mark.parametrize(
    ("schema", "expected", "dropped"),
    [
        ({"not": NO}, {}, ["/not"]),
        ({"not": {"properties": {"a": {"items": NO}}}}, {}, ["/not"]),
        ({"not": {"not": NO}}, {}, ["/not"]),
        ({"if": NO, "then": False}, {}, ["/if", "/then"]),
        ({"if": NO, "then": False, "else": {}}, {}, ["/if", "/then"]),
        ({"if": {}, "then": NO}, {"if": {}, "then": {}}, []),
        ({"contains": NO, "maxContains": 2, "minContains": 1}, {}, ["/contains", "/minContains", "/maxContains"]),
        ({"contains": NO}, {"contains": {}}, []),
        ({"propertyNames": {"not": NO}}, {"propertyNames": {}}, ["/propertyNames/not"]),
        ({"propertyNames": NO}, {"propertyNames": {}}, []),
        ({"oneOf": [NO, {}]}, {"anyOf": [{}, {}]}, ["/oneOf"]),
        ({"oneOf": [NO]}, {"anyOf": [{}]}, ["/oneOf"]),
        ({"oneOf": [{"not": NO}, {}]}, {"anyOf": [{}, {}]}, ["/oneOf", "/oneOf/0/not"]),
        ({"not": {"oneOf": [NO, {}]}}, {}, ["/not"]),
        ({"oneOf": [NO, {}], "anyOf": [{"a": 1}]}, {"anyOf": [{"a": 1}]}, ["/oneOf"]),
        (
            {"oneOf": [NO, {}], "anyOf": [{"a": 1}], "allOf": [{"b": 1}]},
            {"anyOf": [{"a": 1}], "allOf": [{"b": 1}]},
            ["/oneOf"],
        ),
        ({"oneOf": [{"oneOf": [NO, {}]}, {}]}, {"anyOf": [{"anyOf": [{}, {}]}, {}]}, ["/oneOf", "/oneOf/0/oneOf"]),
        (NO | {"unevaluatedProperties": False}, {}, ["/unevaluatedProperties"]),
        (
            {"allOf": [NO], "unevaluatedProperties": False, "unevaluatedItems": False},
            {"allOf": [{}]},
            ["/unevaluatedProperties", "/unevaluatedItems"],
        ),
        (
            {"anyOf": [{"unevaluatedItems": {}, "dependentSchemas": {"a": NO}}], "unevaluatedProperties": False},
            {"anyOf": [{"dependentSchemas": {"a": {}}}]},
            ["/unevaluatedProperties"],
        ),
        (
            {"properties": {"a": NO}, "unevaluatedProperties": False},
            {"properties": {"a": {}}},
            ["/unevaluatedProperties"],
        ),
        ({"not": NO, "unevaluatedProperties": False}, {"unevaluatedProperties": False}, ["/not"]),
        ({"if": NO, "unevaluatedProperties": False}, {}, ["/if", "/unevaluatedProperties"]),
        ({"unevaluatedProperties": NO}, {}, ["/unevaluatedProperties"]),
        ({"contentSchema": NO, "not": {"contentSchema": NO}}, {"contentSchema": {}}, ["/not"]),
    ],
)
def test_what_turns_more_into_less_goes_too(
    schema: dict[str, Any], expected: dict[str, Any], dropped: list[str]
) -> None:
    out, notes = written(schema)
    assert out == expected
    assert sorted(source for code, source, _ in notes if code in ("TB201", "TB203")) == sorted(dropped)
    assert {code for code, source, _ in notes if source.endswith("$ref")} <= {"TB206"}


def test_what_is_used_only_in_what_went_goes_with_it() -> None:
    schema = {
        "properties": {"a": {"not": {"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#"}]}}, "b": {"$ref": "#/$defs/B"}},
        "$defs": {
            "A": {"allOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/C"}]},
            "B": {"minimum": 1},
            "C": {"title": "c"},
        },
    }
    out, notes = written(schema)
    assert out == {"properties": {"a": {}, "b": {"minimum": 1}}}
    assert notes == [("TB201", "/properties/a/not", "/properties/a")]


def test_a_note_names_the_place_where_things_ended_up() -> None:
    assert written({"oneOf": [{"items": NO}, {"type": "null"}]})[1] == [
        ("TB206", "/oneOf/0/items/$ref", ""),
        ("TB203", "/oneOf", "/anyOf"),
    ]


# definitions and names


def test_definitions_are_pruned_and_what_nothing_uses_is_named() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/$defs/A/properties/x"}, "b": {"$defs": {"In": {}}}},
        "$defs": {"A": {"type": "object", "properties": {"x": {"$defs": {}}, "y": {}}}, "U": {"$defs": {"V": {}}}},
        "definitions": 5,
    }
    out, notes = written(schema)
    assert out == {"properties": {"a": {}, "b": {}}}
    assert sorted(notes) == [
        ("TB001", "/definitions", ""),
        ("TB103", "/$defs/A/properties/x/$defs", None),
        ("TB103", "/$defs/A/properties/y", None),
        ("TB103", "/$defs/A/type", None),
        ("TB103", "/$defs/U", None),
        ("TB103", "/properties/b/$defs/In", None),
    ]


def test_a_chain_of_unused_definitions_is_named() -> None:
    schema: dict[str, Any] = {"type": "string", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {}}}
    assert written(schema) == (
        {"type": "string"},
        [("TB103", "/$defs/A", None), ("TB103", "/$defs/B", None)],
    )


def test_names_are_stripped_once_something_was_written_out() -> None:
    schema = {
        "$schema": DRAFT_2020,
        "$id": "https://x.example/r",
        "properties": {"a": {"$ref": "#used"}, "b": {"$ref": "item"}, "c": {"$anchor": "unused"}},
        "$defs": {
            "A": {"$anchor": "used", "minimum": 1},
            "B": {"$id": "item", "$dynamicAnchor": "d", "minimum": 2},
        },
    }
    out, notes = written(schema)
    assert out == {"$schema": DRAFT_2020, "properties": {"a": {"minimum": 1}, "b": {"minimum": 2}, "c": {}}}
    assert sorted(notes) == [
        ("TB103", "/$defs/B/$dynamicAnchor", None),
        ("TB103", "/$id", None),
        ("TB103", "/properties/c/$anchor", None),
    ]


def test_a_dynamic_reference_leads_to_the_outermost_namesake() -> None:
    rows = {"$id": "rows", "$defs": {"T": {"$dynamicAnchor": "T", "title": "t"}}, "items": {"$dynamicRef": "#T"}}
    texts = {"$id": "texts", "$defs": {"T": {"$dynamicAnchor": "T", "type": "string"}}, "$ref": "rows"}
    out, notes = written({
        "properties": {"r": {"$ref": "rows"}, "t": {"$ref": "texts"}},
        "$defs": {"R": rows, "T": texts},
    })
    assert out == {"properties": {"r": {"items": {"title": "t"}}, "t": {"items": {"type": "string"}}}}
    assert not notes


def test_a_recursive_reference_leads_to_the_outermost_root_that_wants_it() -> None:
    tree = {"$id": "tree", "$recursiveAnchor": True, "items": {"$recursiveRef": "#"}}
    strict = {"$id": "strict", "$recursiveAnchor": True, "$ref": "tree", "unevaluatedItems": False, "minItems": 1}
    schema = {"$schema": DRAFT_2019, "properties": {"a": {"$ref": "strict"}}, "$defs": {"T": tree, "S": strict}}
    out, notes = one(schema)
    assert out == {"minItems": 1, "items": {}}
    assert ("TB205", "/$defs/T/items/$recursiveRef", "/properties/a/items") in notes
    assert ("TB201", "/$defs/S/unevaluatedItems", "/properties/a") in notes


@pytest.mark.parametrize(("stated", "keyword"), [(DRAFT_07, "$dynamicRef"), (DRAFT_2020, "$recursiveRef")])
def test_a_reference_that_the_draft_does_not_know_means_nothing(stated: str, keyword: str) -> None:
    out, notes = written({"$schema": stated, "items": {keyword: "#", "type": "null"}})
    assert out == {"items": {"type": "null"}}
    assert notes == [("TB103", f"/items/{keyword}", "/items"), ("TB103", "/$schema", None)]


def test_strange_definitions_do_no_harm() -> None:
    for strange in (None, 5, "x", [], [{"$ref": "#"}], {"A": None}, {"A": []}):
        out, notes = written({"$defs": strange, "definitions": strange, "items": {"$ref": "#/$defs/A"}})
        assert out == {"items": {}}
        assert ("TB206", "/items/$ref", "/items") in notes
    out, notes = written({"$defs": [{"type": "null"}], "items": {"$ref": "#/$defs/0"}})
    assert (out, notes) == ({"items": {"type": "null"}}, [("TB001", "/$defs", "")])
    out, notes = written({"$ref": "#/$defs/A", "allOf": 5, "minimum": 1, "$defs": {"A": {"type": "integer"}}})
    assert out == {"minimum": 1, "type": "integer"}
    assert notes == [("TB001", "/allOf", "")]
