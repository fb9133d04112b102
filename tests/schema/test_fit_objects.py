"""The root of a schema in a dialect; its objects, arrays and names; strict ones; results; nonsense."""

from __future__ import annotations

from typing import Any

import pytest

from laws.meaning import validator
from schema.generated_schemas import fitted
from schema.parameter import CLOSED, STRICT, STRING, Json, at_p, p
from toolbridge.formats.dialects import (
    ANTHROPIC,
    ANTHROPIC_STRICT,
    BEDROCK,
    COHERE,
    DIALECTS,
    GEMINI,
    GEMINI_JSON,
    OLLAMA,
    OPENAI,
    OPENAI_STRICT,
)
from toolbridge.formats.service_dialects import CEREBRAS_STRICT, DEEPSEEK_STRICT, VLLM
from toolbridge.schema import fit_output, lint
from toolbridge.schema.arguments import adapt_arguments, restore_arguments
from toolbridge.schema.dialect import Dialect

# the root

ONE, OTHER = {"properties": {"a": STRING}, "required": ["a"]}, {"properties": {"b": STRING}, "required": ["b"]}


@pytest.mark.parametrize("dialect", [OPENAI, ANTHROPIC, BEDROCK])
@pytest.mark.parametrize("key", ["anyOf", "oneOf", "allOf"])
def test_the_root_is_one_object(dialect: Dialect, key: str) -> None:
    fit, notes = fitted({"type": "object", key: [ONE, OTHER]}, dialect, prose=False)
    assert key not in fit.schema
    assert [*fit.schema["properties"]] == ["a", "b"]
    assert fit.schema.get("required", []) == (["a", "b"] if key == "allOf" else [])
    assert ("TB203", f"/{key}", "") in notes or key == "allOf"
    result, _ = fitted({"type": "object", key: [ONE, OTHER]}, dialect)
    assert key == "allOf" or result.schema["description"].startswith(f"{{{key}: [")


@pytest.mark.parametrize("dialect", [OPENAI, OPENAI_STRICT, ANTHROPIC, COHERE])
def test_a_closed_root_is_opened_for_the_properties_of_its_alternatives(dialect: Dialect) -> None:
    closed = {"type": "object", "additionalProperties": False}
    lost = ("TB201", "/additionalProperties", "")
    fit, notes = fitted({**closed, "oneOf": [{**closed, **ONE}, {**closed, **OTHER}]}, dialect)
    assert [*fit.schema["properties"]] == ["a", "b"]
    assert lost in notes
    properties = {"properties": {"a": STRING, "b": STRING}}
    _, notes = fitted({**closed, **properties, "oneOf": [{**closed, **ONE}, {**closed, **OTHER}]}, dialect)
    assert lost not in notes


@pytest.mark.parametrize("dialect", [OPENAI, ANTHROPIC, BEDROCK])
@pytest.mark.parametrize("key", ["anyOf", "oneOf"])
@pytest.mark.parametrize("inner", ["anyOf", "oneOf"])
def test_the_root_is_one_object_if_it_is_one_alternative_with_alternatives(
    dialect: Dialect, key: str, inner: str
) -> None:
    fit, notes = fitted({"type": "object", key: [{inner: [ONE, OTHER]}]}, dialect)
    assert fit.schema.keys() == {"type", "properties", "description"}
    assert [*fit.schema["properties"]] == ["a", "b"]
    assert fit.schema["description"].startswith(f"{{{inner}: [")
    assert [note for note in notes if note[0] == "TB203"] == [("TB203", f"/{key}/0/{inner}", "")]


@pytest.mark.parametrize("dialect", [OPENAI, ANTHROPIC, BEDROCK])
def test_alternatives_that_only_demand(dialect: Dialect) -> None:
    schema = {
        "type": "object",
        "properties": {"a": STRING, "b": STRING},
        "anyOf": [{"required": ["a", "b"]}, {"required": ["b"]}],
    }
    fit, notes = fitted(schema, dialect, prose=False)
    assert fit.schema == {"type": "object", "properties": {"a": STRING, "b": STRING}, "required": ["b"]}
    assert [code for code, _, _ in notes] == ["TB203"]


def test_what_alternatives_demand_is_listed_where_it_must_be() -> None:
    fit, _ = fitted({"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["a", "b"]}]}, OPENAI, prose=False)
    assert lint(fit.schema, OPENAI) == []


def test_an_open_alternative_that_is_listed_is_narrowed() -> None:
    schema = {"type": "object", "anyOf": [ONE, {"properties": {"b": {"type": "integer"}}}]}
    _, notes = fitted(schema, ANTHROPIC)
    assert {(code, source) for code, source, _ in notes} >= {
        ("TB303", "/anyOf/0/properties/a"),
        ("TB303", "/anyOf/1/properties/b"),
    }


@pytest.mark.parametrize("key", ["enum", "const", "not"])
def test_the_root_enumerates_nothing(key: str) -> None:
    value: Json = {"enum": [{"a": "x"}], "const": {"a": "x"}, "not": {"required": ["b"]}}[key]
    fit, notes = fitted({"type": "object", "properties": {"a": STRING}, key: value}, OPENAI)
    assert key not in fit.schema
    assert ("TB201", f"/{key}", "") in notes


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"properties": {"a": STRING}},
        {"type": ["object", "null"]},
        {"type": "array"},
        {"$ref": "#/$defs/A", "$defs": {"A": CLOSED}},
    ],
)
def test_the_root_is_an_object(dialect: Dialect, schema: Json) -> None:
    fit, notes = fitted(schema, dialect)
    assert fit.schema["type"] == dialect.types["object"]
    codes = {code for code, _, _ in notes}
    if schema.get("type") == "array":
        assert "TB202" in codes
    elif isinstance(schema.get("type"), list):
        assert "TB303" in codes
    elif "$ref" not in schema:
        assert "TB401" in codes
    assert lint(fit.schema, fit.dialect) == []


def test_openai_requires_at_the_root_what_is_listed_there() -> None:
    nested = {"type": "object", "properties": {"a": STRING}, "required": ["a", "b"]}
    fit, notes = fitted({**nested, "properties": {"a": nested}}, OPENAI)
    assert fit.schema == {"type": "object", "properties": {"a": nested}, "required": ["a"]}
    assert notes == [("TB201", "/required/1", "")]


def test_openai_names_the_properties_even_if_there_are_none() -> None:
    assert fitted({"type": "object"}, OPENAI)[0].schema == {"type": "object", "properties": {}}
    assert fitted({"type": "object"}, ANTHROPIC)[0].schema == {"type": "object"}


@pytest.mark.parametrize("more", [{}, {"allOf": [{}]}])
def test_a_list_of_no_required_names_that_openai_strict_writes_is_no_loss(more: Json) -> None:
    fit, notes = fitted({"type": "object", "properties": {}, "required": [], **more}, OPENAI_STRICT)
    assert fit.schema["required"] == []
    assert "TB103" not in {code for code, source, _ in notes if source == "/required"}


def test_ollama_has_nothing_to_choose_from_at_the_root() -> None:
    fit, notes = fitted({"type": "object", "const": {"a": 1}}, OLLAMA)
    assert fit.schema == {"type": "object"}
    assert notes == [("TB201", "/const", "")]


@pytest.mark.parametrize("dialect", [ANTHROPIC, OPENAI])
def test_what_goes_for_strangers_goes_when_there_are_none(dialect: Dialect) -> None:
    schema = {"type": "object", "additionalProperties": STRING, "allOf": [{"additionalProperties": False}]}
    fit, notes = fitted(schema, dialect)
    assert fit.schema["additionalProperties"] in (False, {"not": {}})
    assert ("TB103", "/additionalProperties") in {(code, source) for code, source, _ in notes}


# arrays and objects


@pytest.mark.parametrize(
    ("schema", "written", "codes"),
    [
        ({"prefixItems": [STRING, STRING]}, {"items": STRING}, {"TB202"}),
        ({"prefixItems": [STRING, STRING], "items": False}, {"items": STRING}, {"TB201"}),
        ({"prefixItems": [STRING, {"type": "integer"}], "items": False},
         {"items": {"anyOf": [STRING, {"type": "integer"}]}}, {"TB201", "TB202"}),
        ({"prefixItems": [STRING], "items": {"type": "integer"}}, {"items": {"anyOf": [STRING, {"type": "integer"}]}},
            {"TB202"}),
        ({"prefixItems": [STRING, {"type": "integer"}], "maxItems": 1}, {"items": STRING}, {"TB103", "TB201"}),
        ({"prefixItems": [False, STRING], "maxItems": 1}, {}, {"TB201"}),
        ({"items": False}, {}, {"TB201"}),
        ({"items": STRING, "contains": STRING}, {"items": STRING}, {"TB201"}),
    ],
)  # fmt: skip
def test_tuples_become_lists_of_any_of_theirs(schema: Json, written: Json, codes: set[str]) -> None:
    said, noted = at_p({"type": "array", **schema}, COHERE)
    assert {code for code, _ in noted} >= {code for code in codes if code != "TB201"}
    assert any(code[:3] == "TB2" for code, _ in noted)
    if schema != {"prefixItems": [STRING, STRING]} and False not in schema.get("prefixItems", ()):
        assert said == {"type": "array", **written}


@pytest.mark.parametrize("dialect", [GEMINI, OLLAMA, COHERE])
def test_a_tuple_that_accepts_nothing_is_widened(dialect: Dialect) -> None:
    parts = [{"type": "array", "prefixItems": [False, False]}, {"prefixItems": [STRING, STRING]}]
    _, noted = at_p({"allOf": parts, "items": False}, dialect)
    assert ("TB201", "/allOf/0/prefixItems") in noted


def test_patterns_of_names() -> None:
    schema = {"type": "object", "patternProperties": {"^a": STRING}, "additionalProperties": False}
    assert at_p(schema, ANTHROPIC) == (schema, set())
    for others, written in (
        (False, STRING),
        ({"type": "integer"}, {"anyOf": [STRING, {"type": "integer"}]}),
        ({"type": "string"}, STRING),
    ):
        said, noted = at_p({**schema, "additionalProperties": others}, COHERE)
        assert said == {"type": "object", "additionalProperties": written}
        assert ("TB201", "/patternProperties") in noted
    assert at_p({**schema, "additionalProperties": True}, COHERE)[0] == {"type": "object"}
    several = {"^a": STRING, "^b": False, "^c": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    said, noted = at_p({**schema, "patternProperties": several}, COHERE)
    assert said["additionalProperties"] == {"anyOf": [STRING, several["^c"]]}
    assert noted == {("TB201", "/patternProperties")}


# strict


@pytest.mark.parametrize(
    ("schema", "written"),
    [
        (STRING, {"type": ["string", "null"]}),
        ({"type": ["string", "integer"]}, {"type": ["string", "integer", "null"]}),
        ({"type": "string", "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"type": ["string", "null"], "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"const": 1}, {"type": ["integer", "null"], "enum": [1, None]}),
        ({"anyOf": [STRING, {"type": "integer"}]}, {"anyOf": [STRING, {"type": "integer"}, {"type": "null"}]}),
        ({"$ref": "#/$defs/A"}, {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}),
        (CLOSED, {**CLOSED, "type": ["object", "null"]}),
    ],
)
def test_what_may_be_omitted_may_be_null(schema: Json, written: Json) -> None:
    fit, notes = fitted(p(schema, required=[], **{"$defs": {"A": STRING}}), OPENAI_STRICT)
    assert fit.schema["properties"]["p"] == written
    assert fit.schema["required"] == ["p"]
    assert fit.argument_map == {"omit": ["p"]}
    assert restore_arguments({"p": None}, fit.argument_map) == {}
    assert {code for code, _, _ in notes} <= {"TB103", "TB401"}
    same, _ = fitted(p(schema, required=[], **{"$defs": {"A": STRING}}), ANTHROPIC_STRICT)
    assert same.argument_map is None
    assert same.schema.get("required", []) == []


@pytest.mark.parametrize("shape", ["chain", "wide", "circle"])
def test_null_that_references_lead_to_means_something_however_far_it_is(shape: str) -> None:
    """The property itself does not list null: definitions stay definitions."""
    many = {f"D{n}": {"anyOf": [{"$ref": f"#/$defs/D{n + 1}"}, {"const": n}]} for n in range(150)}
    defs = {
        "chain": many | {"D150": {"type": ["string", "null"]}},
        "wide": {"D0": {"anyOf": [*({"const": n} for n in range(150)), {"$ref": "#/$defs/N"}]}, "N": {"type": "null"}},
        "circle": many | {"D150": {"anyOf": [{"$ref": "#/$defs/D0"}, {"$ref": "#/$defs/N"}]}, "N": {"type": "null"}},
    }[shape]
    fit, notes = fitted(p({"$ref": "#/$defs/D0"}, required=[], **{"$defs": defs}), OPENAI_STRICT)
    assert fit.argument_map is None
    assert ("TB301", "/properties/p", "/properties/p") in notes


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "null"]},
        {"enum": ["a", None]},
        {"anyOf": [STRING, {"type": "null"}]},
        {"$ref": "#/$defs/N"},
        {"const": None},
    ],
)
def test_where_null_means_something_it_cannot_mean_nothing(schema: Json) -> None:
    defs = {"$defs": {"N": {"type": ["integer", "null"]}}}
    fit, notes = fitted(p(schema, required=[], **defs), OPENAI_STRICT)
    assert fit.argument_map is None
    assert ("TB301", "/properties/p", "/properties/p") in notes
    fit, notes = fitted(p({**schema, "default": None}, required=[], **defs), OPENAI_STRICT)
    assert "TB301" not in {code for code, _, _ in notes}
    assert adapt_arguments({}, fit.argument_map) == {"p": None}
    assert restore_arguments({"p": None}, fit.argument_map) == {}


CAUSES: list[tuple[Json, str]] = [
    ({"type": "object"}, ""),
    ({"type": "object", "properties": {}}, ""),
    ({"type": "object", "additionalProperties": True}, "/additionalProperties"),
    ({"type": "object", "additionalProperties": STRING}, "/additionalProperties"),
    (
        {"type": "object", "properties": {"a": STRING}, "required": ["a"], "additionalProperties": STRING},
        "/additionalProperties",
    ),
    ({"type": "object", "patternProperties": {"^a": STRING}}, "/patternProperties"),
    ({"type": ["object", "null"]}, ""),
    ({}, ""),
    (True, ""),
    ({"description": "Anything."}, ""),
    ({"type": "array"}, ""),
    ({"type": "array", "items": {}}, "/items"),
    ({"type": "array", "items": {"type": "object"}}, "/items"),
    ({"propertyNames": {"maxLength": 1}}, ""),
    ({"minProperties": 1}, ""),
]


@pytest.mark.parametrize("dialect", STRICT)
@pytest.mark.parametrize(("schema", "place"), CAUSES)
def test_nothing_is_closed_in_silence(dialect: Dialect, schema: Json, place: str) -> None:
    if dialect is ANTHROPIC_STRICT and schema == {"type": "array"}:
        return
    fit, notes = fitted(p(schema), dialect)
    assert fit.dialect is dialect.fallback
    assert [(code, source) for code, source, _ in notes if code == "TB603"] == [("TB603", f"/properties/p{place}")]
    assert not {code for code, _, _ in notes} - {"TB603", *(["TB401"] if schema == {"type": "array"} else [])}


def test_an_object_that_lists_its_properties_is_closed_and_that_is_said() -> None:
    fit, notes = fitted({"type": "object", "properties": {"a": STRING}, "required": ["a"]}, OPENAI_STRICT)
    assert fit.schema == CLOSED
    assert fit.dialect is OPENAI_STRICT
    assert notes == [("TB302", "", "/additionalProperties")]


def test_an_object_of_any_type_that_lists_no_properties_stays_open() -> None:
    assert at_p({"properties": {}}, VLLM) == ({"properties": {}, "additionalProperties": True}, set())


def test_a_constant_tells_alternatives_apart_on_the_way_home() -> None:
    def branch(kind: str, about: Json) -> Json:
        properties = {"kind": {"const": kind}, "a": about, "b": STRING}
        return {"type": "object", "properties": properties, "required": ["kind"], "additionalProperties": False}

    fit, _ = fitted(p({"anyOf": [branch("x", {"type": ["string", "null"]}), branch("y", STRING)]}), OPENAI_STRICT)
    assert restore_arguments({"p": {"kind": "x", "a": None, "b": None}}, fit.argument_map) == {
        "p": {"kind": "x", "a": None}
    }
    assert restore_arguments({"p": {"kind": "y", "a": None, "b": None}}, fit.argument_map) == {"p": {"kind": "y"}}


# names


def test_keys_are_rewritten_at_the_root_and_only_there() -> None:
    schema = {
        "type": "object",
        "properties": {"unit price": {"type": "object", "properties": {"a b": STRING}}},
        "required": ["unit price"],
    }
    for dialect in (ANTHROPIC, BEDROCK, GEMINI, GEMINI_JSON):
        fit, notes = fitted(schema, dialect)
        assert [*fit.schema["properties"]] == fit.schema["required"] == ["unit_price"]
        assert [*fit.schema["properties"]["unit_price"]["properties"]] == ["a b"]
        assert fit.argument_map == {"rename": {"unit_price": "unit price"}}
        assert notes == [("TB501", "/properties/unit price", "/properties/unit_price")]


@pytest.mark.parametrize("dialect", [ANTHROPIC, ANTHROPIC_STRICT, BEDROCK, GEMINI, GEMINI_JSON])
@pytest.mark.parametrize(
    "names", [[""], ["a b", "a_b"], ["a b", "a/b"], ["x" * 70, "x" * 71], ["日本", "語"], ["$ref", "_ref"], ["1", "-"]]
)
def test_new_names_are_legal_and_tell_all_apart(dialect: Dialect, names: list[str]) -> None:
    schema = {"type": "object", "properties": dict.fromkeys(names, STRING), "additionalProperties": False}
    fit, _ = fitted(schema, dialect)
    assert lint(fit.schema, fit.dialect) == []
    rename = (fit.argument_map or {}).get("rename", {})
    assert [rename.get(name, name) for name in fit.schema["properties"]] == names
    backwards, _ = fitted({**schema, "properties": dict.fromkeys(names[::-1], STRING)}, dialect)
    assert {*backwards.schema["properties"]} == {*fit.schema["properties"]}


@pytest.mark.parametrize("dialect", [ANTHROPIC, BEDROCK])
@pytest.mark.parametrize("key", ["propertyNames", "dependentRequired", "patternProperties", "not", "if"])
def test_what_goes_by_names_goes_with_them(dialect: Dialect, key: str) -> None:
    value: Json = {"propertyNames": {"pattern": " "}, "dependentRequired": {"a b": ["c"]},
        "patternProperties": {" ": STRING}, "not": {"required": ["a b"]}, "if": {"required": ["a b"]}}[key]  # fmt: skip
    _, notes = fitted({"type": "object", "properties": {"a b": STRING}, key: value}, dialect)
    assert ("TB201", f"/{key}") in {(code, source) for code, source, _ in notes}


def test_who_refers_to_a_renamed_root_meets_it_as_it_is() -> None:
    schema = {"type": "object", "properties": {"a b": {"type": "integer"}, "n": {"$ref": "#", "required": ["a b"]}}}
    fit, notes = fitted(schema, ANTHROPIC)
    from laws.meaning import validator
    from toolbridge.schema.arguments import adapt_arguments

    accepts, takes = validator(schema), validator(fit.schema)
    assert accepts is not None
    assert takes is not None
    value = {"n": {"a b": 1}}
    assert accepts(value)
    assert takes(adapt_arguments(value, fit.argument_map)) or {"TB301", "TB302", "TB303"} & {
        code for code, _, _ in notes
    }


# results


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_result_may_be_of_any_type(dialect: Dialect) -> None:
    notes: list[Any] = []
    schema = {"type": "array", "items": STRING}
    said = fit_output(schema, dialect, lambda *it: notes.append(it))
    assert said["type"] == dialect.types["array"]
    assert said["items"]["type"] == dialect.types["string"]
    assert notes == []


# nonsense


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": 5},
        {"type": "object", "properties": None},
        {"type": "object", "properties": {"a": 5}},
        {"type": "object", "properties": {"a": None}, "required": ["a"]},
        {"type": "object", "properties": {}, "required": [{}]},
        {"type": "object", "properties": {}, "required": [1]},
        {"type": "object", "properties": {"a": {"type": {}}}},
        {"type": "object", "properties": {"a": {"enum": 5, "anyOf": {}}}},
        {"type": "object", "properties": {"a": {"enum": [], "const": []}}},
        {"type": "object", "properties": {"a": {"anyOf": []}}},
        {"type": "object", "properties": {"a": {"type": []}}},
        {"type": "object", "properties": {"a": {"items": "string", "type": "array"}}},
        {"type": "object", "properties": {"a": {"$ref": 5}}},
        {"type": "object", "properties": {"a": {"pattern": "["}}},
        {"type": "object", "properties": {"a": {"minLength": True, "minimum": "1"}}},
        {"type": "object", "properties": {"a": {"minLength": -1, "type": "string"}}},
        {"type": "object", "anyOf": [5, None], "allOf": [None]},
        {"type": "object", "$defs": 5, "definitions": [1]},
        {"type": "object", "$schema": 5, "$id": 7},
        {"type": "object", "properties": {"a": {"description": 5, "title": None, "default": float("inf")}}},
        {"type": 5, "required": None, "additionalProperties": "no"},
    ],
)
def test_nonsense_is_mended_or_left_out_and_never_raises(dialect: Dialect, schema: Json) -> None:
    before = repr(schema)
    fit, notes = fitted(schema, dialect)
    assert repr(schema) == before
    assert fit.schema["type"] == dialect.types["object"]
    for place in ("properties", "required"):
        if place in schema and not isinstance(schema[place], dict if place == "properties" else list):
            assert ("TB001", f"/{place}") in {(code, source) for code, source, _ in notes}
    assert lint(fit.schema, fit.dialect) == []


SHIP = {**CLOSED, "properties": {"name": STRING, "flag": STRING}, "required": ["name"]}
PIER = {**CLOSED, "properties": {"name": {"type": "integer"}, "flag": STRING}, "required": ["name"]}


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [SHIP, PIER], "default": {"name": 1}},
        {"type": "array", "items": {"anyOf": [SHIP, PIER]}, "default": [{"name": 1}, {"name": "a"}]},
        {**SHIP, "enum": [{"name": "a"}, {"name": "b", "flag": "Q"}]},
        {**SHIP, "const": {"name": "a"}},
        {"type": "array", "items": SHIP, "enum": [[{"name": "a"}]]},
        {"anyOf": [SHIP, PIER], "enum": [{"name": 1}]},
    ],
)
@pytest.mark.parametrize("dialect", [OPENAI_STRICT, DEEPSEEK_STRICT])
def test_values_are_values_of_what_is_written(schema: Json, dialect: Dialect) -> None:
    """Where all properties are required, a value has null for those that it omits, in the alternative that it is of."""
    fit, notes = fitted(p(schema, required=["p"]), dialect)
    takes = validator(fit.schema)
    assert takes is not None
    key = next(key for key in ("default", "enum", "const") if key in schema)
    values = schema["enum"] if key == "enum" else [schema[key]]
    for value in values:
        there = adapt_arguments({"p": value}, fit.argument_map)
        assert takes(there)
        assert restore_arguments(there, fit.argument_map) == {"p": value}
    written = fit.schema["properties"]["p"]
    assert "default" not in written or takes({"p": written["default"]})
    assert f"/properties/p/{key}" in {place for code, place, _ in notes if code in ("TB505", "TB103")}


@pytest.mark.parametrize(
    ("dialect", "schema"),
    [
        # 1,200 values, of which 300 stand in the source, as OpenAI takes nothing beside a reference.
        (
            OPENAI_STRICT,
            {
                "type": "object",
                "properties": {name: {"$ref": "#/$defs/E", "description": f"The {name}."} for name in "abcd"},
                "required": [*"abcd"],
                "additionalProperties": False,
                "$defs": {"E": {"type": "integer", "enum": [*range(300)]}},
            },
        ),
        # More than 500 values, in less than 2,000 characters.
        (CEREBRAS_STRICT, p({"enum": [*range(501)]})),
    ],
    ids=["written out", "short"],
)
def test_values_are_counted_as_they_are_written(dialect: Dialect, schema: Json) -> None:
    fit, _ = fitted(schema, dialect)
    assert fit.dialect is not dialect
    assert lint(fit.schema, fit.dialect) == []


def test_a_union_in_alternatives_that_are_written_alike_clashes_once() -> None:
    null = {"type": ["string", "null"], "pattern": "^x"}
    union = {"anyOf": [{**CLOSED, "required": []}, {**CLOSED, "properties": {"a": null}, "required": ["a"]}]}
    around = {"type": "object", "properties": {"q": union}, "required": ["q"], "additionalProperties": False}
    _, notes = fitted(p({"anyOf": [around, {**around, "minProperties": 0}]}, required=["p"]), OPENAI_STRICT)
    clashes = [(source, target) for code, source, target in notes if code == "TB303"]
    assert clashes == [("/properties/p/anyOf/0/properties/q/anyOf/1", "/properties/p/properties/q/anyOf/1")]


@pytest.mark.parametrize("dialect", [OPENAI, GEMINI_JSON], ids=lambda it: it.id)
@pytest.mark.parametrize(
    ("properties", "beside", "is_type"),
    [
        ({"type": "object", "city": STRING}, {}, True),
        ({"type": "object", "city": STRING, "required": ["city"]}, {}, True),
        ({"type": "object", "city": STRING}, {"type": "object"}, False),
        ({"type": "object", "city": STRING}, {"required": ["type"]}, False),
        ({"type": "object", "city": "string"}, {}, False),
        ({"type": "object"}, {}, False),
        ({"type": "string", "city": STRING}, {}, False),
    ],
)
def test_a_type_among_the_properties_is_that_of_the_object_if_it_can_be_nothing_else(
    dialect: Dialect, properties: Any, beside: Any, is_type: bool
) -> None:
    given = {"type": "object", "properties": {"place": {"properties": properties, **beside}}}
    fit, notes = fitted(given, dialect)
    place = fit.schema["properties"]["place"]
    assert ("type" in place["properties"]) is not is_type
    assert not is_type or place["type"] == "object"
    assert ("TB001", "/properties/place/properties/type") in [(code, source) for code, source, *_ in notes]


@pytest.mark.parametrize("dialect", [GEMINI, ANTHROPIC])
def test_where_parameters_get_other_names_their_number_is_as_it_was(dialect: Dialect) -> None:
    schema = {"type": "object", "properties": {"a b": STRING, "c": STRING}, "minProperties": 1, "maxProperties": 2}
    fit, notes = fitted(schema, dialect)
    assert (int(fit.schema["minProperties"]), int(fit.schema["maxProperties"])) == (1, 2)
    assert [code for code, *_ in notes] == ["TB501"]


def test_where_parameters_get_other_names_a_loss_of_the_root_is_noted_once() -> None:
    schema = {"type": "object", "properties": {"a b": STRING, "c": STRING}, "anyOf": [{"required": ["c"]}, {}]}
    _, notes = fitted(schema, GEMINI)
    assert sorted(code for code, place, _ in notes if place == "/anyOf") == ["TB203", "TB503"]
