"""A schema in a dialect, rule by rule."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace

from laws.arguments import nodes
from laws.meaning import validator
from schema.generated_schemas import fitted
from schema.parameter import CLOSED, STRICT, STRING, Json, Noted, at_p, p
from toolbridge.bulk.passthrough import proof
from toolbridge.data.pointer import MISSING, get
from toolbridge.formats.dialects import (
    AGENTCORE,
    ANTHROPIC,
    ANTHROPIC_STRICT,
    ARCADE_ENGINE,
    BEDROCK,
    COHERE,
    DIALECTS,
    GEMINI,
    GEMINI_JSON,
    OLLAMA,
    OPENAI,
    OPENAI_STRICT,
)
from toolbridge.formats.service_dialects import CEREBRAS, CEREBRAS_STRICT, MOONSHOT, XAI
from toolbridge.mapping import schema_codec
from toolbridge.schema import BudgetExceeded, fit
from toolbridge.schema.dialect import PLAIN, Dialect, Evidence, allow

# nothing to do


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "name", ["title", "type", "$ref", "properties", "default", "enum", "required", "items", "nullable"]
)
def test_a_parameter_may_be_named_like_a_keyword(dialect: Dialect, name: str) -> None:
    schema = {"type": "object", "properties": {name: STRING}, "required": [name]}
    fit, notes = fitted(schema, dialect)
    written = (fit.argument_map or {}).get("rename", {})
    (new,) = fit.schema["properties"]
    assert written.get(new, new) == name
    assert fit.schema["properties"][new]["type"].lower() == "string"
    assert fit.schema["required"] == [new]
    assert {code for code, _, _ in notes} <= {"TB302", "TB501"}


def test_enumerated_names_may_be_those_of_a_definition() -> None:
    schema = p(
        {"type": "object", "propertyNames": {"$ref": "#/$defs/E"}, "additionalProperties": STRING},
        **{"$defs": {"E": {"type": "string", "enum": ["a", "b"], "title": "E"}}},
    )
    fit, notes = fitted(schema, GEMINI_JSON)
    written = {"type": "object", "properties": {"a": STRING, "b": STRING}, "additionalProperties": False}
    assert fit.schema["properties"]["p"] == written
    assert {(code, place) for code, place, _ in notes} == {("TB103", "/$defs/E/type"), ("TB103", "/$defs/E/title")}
    schema["properties"]["other"] = {"$ref": "#/$defs/E"}  # what is dropped of the names is dropped all the same
    assert fitted(schema, GEMINI_JSON)[1] == notes
    schema["$defs"]["E"] = {"enum": ["a", "b"]}
    assert fitted(schema, GEMINI_JSON)[1] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_values_are_never_walked(dialect: Dialect) -> None:
    value = {"$ref": "#/$defs/Gone", "type": "nothing", "properties": {"a": {"$ref": "#"}}, "nullable": True}
    schema = p({
        "type": "object",
        "properties": {"a": STRING},
        "additionalProperties": False,
        "default": value,
        "examples": [value],
    })
    schema["properties"]["p"]["required"] = ["a"]
    fit, notes = fitted(schema, dialect)
    said = fit.schema["properties"]["p"]
    assert all(said[key] == schema["properties"]["p"][key] for key in ("default", "examples") if key in said)
    assert {code for code, _, _ in notes} <= {"TB103", "TB204", "TB503"}
    if "TB103" in {code for code, _, _ in notes} and "description" in said:
        assert "Gone" not in said["description"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_enumeration_of_anything_is_never_walked(dialect: Dialect) -> None:
    schema = p({"enum": [{"$ref": "#/$defs/Gone"}, {"items": [1], "nullable": True}]})
    _, notes = fitted(schema, dialect)
    assert not {"TB206", "TB001"} & {code for code, _, _ in notes}


@pytest.mark.parametrize("dialect", [OPENAI, ANTHROPIC, BEDROCK, PLAIN, *STRICT, GEMINI_JSON, COHERE])
def test_the_very_same_object_comes_back(dialect: Dialect) -> None:
    schema = p({"type": "array", "items": {"type": "string", "description": "d"}})
    fit, notes = fitted(schema, dialect)
    assert fit.schema is schema
    assert fit.argument_map is None
    assert fit.dialect is dialect
    assert notes == []


# each rule: what a parameter becomes, and what is noted of it

TEXT_OR_NUMBER: Json = {"type": ["string", "integer"]}

RULES: list[tuple[Dialect, Json, Json, Noted]] = [
    # any draft's nonsense is mended where it is beyond doubt
    (PLAIN, {"type": "str"}, {"type": "string"}, {("TB001", "/type")}),
    (PLAIN, {"type": ["int", "None"]}, {"type": ["integer", "null"]}, {("TB001", "/type")}),
    (PLAIN, {"type": "String"}, {"type": "string"}, {("TB001", "/type")}),
    (PLAIN, {"type": "any"}, {}, {("TB001", "/type")}),
    (PLAIN, {"type": ["string", "Any"]}, {}, {("TB001", "/type")}),
    *((PLAIN, {"type": word}, {"type": kind}, {("TB001", "/type")})
      for word, kind in {"short": "integer", "Bigint": "integer", "char": "string", "ArrayList": "array",
                         "Queue": "array", "HashMap": "object"}.items()),
    (PLAIN, {"type": []}, {}, {("TB001", "/type")}),
    (PLAIN, {"type": ["string", 5]}, STRING, {("TB001", "/type")}),
    (PLAIN, {"required": None, "type": "object"}, {"type": "object"}, {("TB001", "/required")}),
    (PLAIN, {"type": "object", "properties": {"a": {"type": "string", "required": True}}, "required": True},
     {"type": "object", "properties": {"a": STRING}, "required": ["a"]},
     {("TB001", "/required"), ("TB001", "/properties/a/required")}),
    (PLAIN, {"type": "string", "minLength": "2"}, STRING, {("TB001", "/minLength")}),
    (PLAIN, {"type": "string", "minLength": -1}, STRING, {("TB001", "/minLength")}),
    (PLAIN, {"type": "string", "maxLength": 1.5}, STRING, {("TB001", "/maxLength")}),
    (PLAIN, {"type": "string", "maxLength": 2.0}, {"type": "string", "maxLength": 2.0}, set()),
    (PLAIN, {"type": "number", "multipleOf": 0}, {"type": "number"}, {("TB001", "/multipleOf")}),
    (PLAIN, {"type": "number", "minimum": -0.5}, {"type": "number", "minimum": -0.5}, set()),
    *((PLAIN, {"type": "string", key: []}, STRING, {("TB001", f"/{key}")}) for key in ("allOf", "anyOf", "oneOf")),
    (PLAIN, {"type": "array", "items": []}, {"type": "array"}, {("TB001", "/items")}),
    (PLAIN, {"type": "object", "required": ["a", "b", "a"]}, {"type": "object", "required": ["a", "b"]},
     {("TB103", "/required")}),
    (PLAIN, {"type": ["string", "string"]}, STRING, {("TB001", "/type")}),
    (GEMINI_JSON, {"type": "string", "minLength": -1}, STRING, {("TB001", "/minLength")}),
    (GEMINI_JSON, {"type": "array", "items": STRING, "minItems": 0}, {"type": "array", "items": STRING, "minItems": 0},
     set()),
    (GEMINI_JSON, {"allOf": [{"type": "object", "additionalProperties": True}, {"minProperties": 1}]},
     {"type": "object", "additionalProperties": True, "minProperties": 1}, set()),
    (GEMINI_JSON, {"allOf": [{"type": "object", "additionalProperties": True}, {"properties": {"a": STRING}}]},
     {"type": "object", "properties": {"a": STRING}}, {("TB103", "/allOf/0/additionalProperties")}),
    # Anthropic and Bedrock
    *((dialect, {"type": "integer", "maximum": 2**63 - 1, "minimum": -(2**63), "multipleOf": 2},
       {"type": "integer", "multipleOf": 2}, {("TB201", "/maximum"), ("TB201", "/minimum")})
      for dialect in (ANTHROPIC, BEDROCK)),
    (ANTHROPIC, {"type": "integer", "maximum": 2**53}, {"type": "integer", "maximum": 2**53}, set()),
    (ANTHROPIC, {"type": "string", "maxLength": 2**53 + 1}, STRING, {("TB201", "/maxLength")}),
    (OPENAI, {"type": "integer", "maximum": 2**63}, {"type": "integer", "maximum": 2**63}, set()),
    # OpenAI
    (OPENAI, {"type": "array"}, {"type": "array", "items": {}}, {("TB401", "")}),
    (OPENAI, {"type": ["array", "null"]}, {"type": ["array", "null"], "items": {}}, {("TB401", "")}),
    (OPENAI, {"prefixItems": [STRING], "type": "array"}, {"prefixItems": [STRING], "type": "array"}, set()),
    (OPENAI, {"type": "string", "pattern": "^\\p{L}"}, STRING, {("TB201", "/pattern")}),
    (OPENAI, {"type": "object", "patternProperties": {"\\p{L}": STRING, "^a": STRING}},
     {"type": "object", "patternProperties": {"^a": STRING}}, {("TB201", "/patternProperties/\\p{L}")}),
    *((OPENAI, dict(items), {"type": "object", "patternProperties": {}},
       {("TB201", "/patternProperties/\\p{L}"), ("TB204", "/additionalProperties")}) for items in permutations((
        ("type", "object"), ("patternProperties", {"\\p{L}": STRING}), ("additionalProperties", False)))),
    (OPENAI, {"type": "array", "unevaluatedItems": STRING}, {"type": "array", "items": {}},
     {("TB401", ""), ("TB201", "/unevaluatedItems")}),
    (OPENAI, {"oneOf": [STRING, {"type": "null"}]}, {"oneOf": [STRING, {"type": "null"}]}, set()),
    # strict: what is said
    (OPENAI_STRICT, {"const": "x"}, {"type": "string", "const": "x"}, {("TB401", "/const")}),
    (OPENAI_STRICT, {"enum": ["x", 1]}, {"type": ["string", "integer"], "enum": ["x", 1]}, {("TB401", "/enum")}),
    (OPENAI_STRICT, {"type": "string", "minLength": 1}, STRING, {("TB201", "/minLength")}),
    (OPENAI_STRICT, {"type": "string", "format": "uri"}, STRING, {("TB103", "/format")}),
    (OPENAI_STRICT, {"type": "string", "format": "date"}, {"type": "string", "format": "date"}, set()),
    (OPENAI_STRICT, {"type": "string", "pattern": "^(?=x)"}, STRING, {("TB201", "/pattern")}),
    (OPENAI_STRICT, {"type": "string", "default": "x", "examples": ["y"], "title": "T"}, {"type": "string",
        "title": "T"},
     {("TB103", "/default"), ("TB103", "/examples")}),
    (OPENAI_STRICT, {"anyOf": [STRING, {"type": "integer"}], "description": "d", "type": ["string", "integer"]},
     {"anyOf": [STRING, {"type": "integer"}], "description": "d"}, {("TB103", "/type")}),
    (OPENAI_STRICT, {"oneOf": [STRING, {"type": "integer"}]}, {"anyOf": [STRING, {"type": "integer"}]}, set()),
    (OPENAI_STRICT, {"type": "array", "items": STRING, "anyOf": [STRING, {"type": "integer"}]},
     {"type": "array", "items": STRING}, {("TB103", "/anyOf/0"), ("TB103", "/anyOf/1"), ("TB201", "/anyOf")}),
    (BEDROCK, {"type": ["string", "integer"], "enum": [[]], "minLength": 3, "description": "d"}, {"description": "d"},
     {("TB103", "/type"), ("TB103", "/enum/0"), ("TB201", "/type"), ("TB201", "/enum"), ("TB201", "/minLength")}),
    (BEDROCK, {"type": ["string", "integer"], "enum": [1], "minLength": 3}, {"type": "integer", "enum": [1]},
     {("TB103", "/type"), ("TB103", "/minLength")}),
    (AGENTCORE, {"type": "array", "items": STRING, "anyOf": [STRING, {"type": "integer"}]},
     {"type": "array", "items": STRING}, {("TB303", "/anyOf/0"), ("TB303", "/anyOf/1"), ("TB201", "/anyOf")}),
    (OPENAI_STRICT, {"allOf": [STRING, {"pattern": "^a"}]}, {"type": "string", "pattern": "^a"}, set()),
    (OPENAI_STRICT, {"type": "object", "properties": {"a": STRING}, "required": ["a"], "unevaluatedProperties": False},
     CLOSED, set()),
    (OPENAI_STRICT, {"type": "object", "properties": {"a": {"type": "string", "const": "x"}}}, {**CLOSED, "properties":
        {"a": {"type": ["string", "null"], "enum": ["x", None]}}}, {("TB302", "")}),
    # the end of a tuple is the smaller one of two
    *((GEMINI_JSON, {"type": "array", "prefixItems": [STRING] * 2, "items": False, "maxItems": most},
       {"type": "array", "prefixItems": [STRING] * 2, "maxItems": min(most, 2)}, {("TB103", lost)})
      for most, lost in ((1, "/items"), (2, "/items"), (3, "/maxItems"))),
    *((GEMINI_JSON, {"type": "array", "items": STRING, "allOf": [{"uniqueItems": each} for each in (one, other)]},
       {"type": "array", "items": STRING, "uniqueItems": one or other}, {("TB103", f"/allOf/{lost}/uniqueItems")})
      for one, other, lost in ((False, True, 0), (True, False, 1), (True, True, 1))),
    (OPENAI_STRICT, {"type": "integer", "not": {"const": 1}}, {"type": "integer"}, {("TB201", "/not")}),
    (ANTHROPIC_STRICT, {"type": "integer", "minimum": 1}, {"type": "integer"}, {("TB201", "/minimum")}),
    (ANTHROPIC_STRICT, {"type": "array", "items": STRING, "minItems": 1}, {"type": "array", "items": STRING,
        "minItems": 1}, set()),
    (ANTHROPIC_STRICT, {"type": "array", "items": STRING, "minItems": 2}, {"type": "array", "items": STRING},
        {("TB201", "/minItems")}),
    (ANTHROPIC_STRICT, {"type": "string", "pattern": "\\bx"}, STRING, {("TB201", "/pattern")}),
    (ANTHROPIC_STRICT, {"enum": ["x", 1]}, {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "integer",
        "enum": [1]}]}, {("TB401", "/enum")}),
    # Gemini's parameters
    (GEMINI, {"type": ["string", "null"]}, {"type": "STRING", "nullable": True}, set()),
    (GEMINI, {"type": "null"}, {"type": "NULL"}, set()),
    (GEMINI, TEXT_OR_NUMBER, {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}, set()),
    (GEMINI, {"type": ["integer", "string", "null"], "enum": [1, "auto", None]},
     {"type": "STRING", "nullable": True, "enum": ["1", "auto"]}, {("TB505", "/enum")}),
    (GEMINI, {"enum": [1, "1"], "type": ["integer", "string"]}, {"anyOf": [{"type": "INTEGER"}, {"type": "STRING",
        "enum": ["1"]}]},
     {("TB201", "/enum")}),
    (GEMINI, {"anyOf": [{"type": "integer", "enum": [1, 2], "minimum": 2}, {"type": "boolean"}]},
     {"anyOf": [{"type": "INTEGER", "minimum": 2}, {"type": "BOOLEAN"}]}, {("TB201", "/anyOf/0/enum")}),
    (OLLAMA, {"allOf": [{"type": "string", "enum": ["a"], "nullable": True}, STRING]},
     {"type": "string", "enum": ["a"]},
     {("TB001", "/allOf/0/nullable"), *(("TB103", f"/allOf/{at}") for at in ("0/type", "1/type", "0/enum"))}),
    (COHERE, {"type": "array", "prefixItems": [STRING, STRING], "items": False}, {"type": "array", "items": STRING},
     {("TB201", "/items"), ("TB201", "/prefixItems")}),
    (GEMINI, {"type": "string", "enum": []}, {"type": "STRING"}, {("TB201", "/enum")}),
    (GEMINI, {"type": ["integer", "number"]}, {"type": "NUMBER"}, {("TB103", "/type")}),
    (GEMINI, {"type": ["string", "null"], "enum": ["a"]}, {"type": "STRING", "enum": ["a"]}, {("TB103", "/type")}),
    (GEMINI, {"anyOf": [{"anyOf": [STRING, {"type": "null"}]}, {"type": "null"}]}, {"type": "STRING", "nullable": True},
     {("TB103", "/anyOf/1")}),
    (GEMINI, {"anyOf": [STRING, {"type": "null"}]}, {"type": "STRING", "nullable": True}, set()),
    (GEMINI, {"anyOf": [{"type": "string", "title": "T"}, {"title": "T", "type": "string"}]},
     {"type": "STRING", "title": "T"}, {("TB103", "/anyOf/1")}),
    (GEMINI, {"const": "x"}, {"type": "STRING", "enum": ["x"]}, {("TB401", "/const")}),
    (GEMINI, {"type": "string", "enum": [1, 2.5]}, {"type": "STRING", "enum": ["1", "2.5"]}, {("TB001", "/enum")}),
    (GEMINI, {"type": ["string", "null"], "enum": [1, None]}, {"type": "STRING", "nullable": True, "enum": ["1"]},
     {("TB001", "/enum")}),
    (GEMINI, {"type": "integer", "enum": [60, 1440]}, {"type": "STRING", "enum": ["60", "1440"]}, {("TB505", "/enum")}),
    (GEMINI, {"type": "integer", "enum": [1, 2], "default": 2.0},
     {"type": "STRING", "enum": ["1", "2"], "default": "2"}, {("TB505", "/enum"), ("TB505", "/default")}),
    (GEMINI, {"enum": [1, "auto"], "default": "auto"}, {"type": "STRING", "enum": ["1", "auto"], "default": "auto"},
     {("TB401", "/enum"), ("TB505", "/enum")}),
    (GEMINI, {"type": "string", "enum": ["a", ""]},
     {"anyOf": [{"type": "STRING", "enum": ["a"]}, {"type": "STRING", "maxLength": "0"}]}, set()),
    (GEMINI, {"type": "string", "enum": ["", "a", "", "a"]},
     {"anyOf": [{"type": "STRING", "enum": ["a"]}, {"type": "STRING", "maxLength": "0"}]},
     {("TB103", "/enum/2"), ("TB103", "/enum/3")}),
    (GEMINI, {"type": "string", "enum": ["", None], "maxLength": 3}, {"type": "STRING", "maxLength": "0"},
     {("TB103", "/enum/1"), ("TB103", "/maxLength")}),
    (GEMINI, {"type": ["string", "integer"], "enum": ["", 2]},
     {"anyOf": [{"type": "STRING", "maxLength": "0"}, {"type": "INTEGER"}]}, {("TB201", "/enum")}),
    (GEMINI, {"type": "string", "minLength": 1, "maxLength": 2}, {"type": "STRING", "minLength": "1",
        "maxLength": "2"}, set()),
    (GEMINI, {"type": "string", "maxLength": 2**63}, {"type": "STRING"}, {("TB201", "/maxLength")}),
    (GEMINI, {"type": "integer", "exclusiveMinimum": 1}, {"type": "INTEGER", "minimum": 2}, set()),
    (GEMINI, {"type": ["integer", "null"], "exclusiveMinimum": -1.5, "exclusiveMaximum": 1.5},
     {"type": "INTEGER", "nullable": True, "minimum": -1, "maximum": 1}, set()),
    (GEMINI, {"type": "integer", "exclusiveMinimum": 1, "minimum": 2}, {"type": "INTEGER", "minimum": 2},
     {("TB103", "/exclusiveMinimum")}),
    (GEMINI, {"type": "integer", "exclusiveMaximum": 1, "maximum": 2}, {"type": "INTEGER", "maximum": 0},
     {("TB103", "/maximum")}),
    (GEMINI, {"type": "integer", "exclusiveMaximum": 2**53}, {"type": "INTEGER"}, {("TB201", "/exclusiveMaximum")}),
    (GEMINI, {"type": "number", "exclusiveMinimum": 0}, {"type": "NUMBER", "minimum": 0},
     {("TB201", "/exclusiveMinimum")}),
    (GEMINI, {"type": "number", "exclusiveMinimum": 0, "minimum": 0}, {"type": "NUMBER", "minimum": 0},
     {("TB201", "/exclusiveMinimum"), ("TB103", "/minimum")}),
    (GEMINI_JSON, {"type": ["integer", "string"], "exclusiveMinimum": 0}, {"type": ["integer", "string"], "minimum": 1},
     set()),
    (GEMINI_JSON, {"exclusiveMinimum": 0, "maximum": 1}, {"minimum": 0, "maximum": 1},
     {("TB201", "/exclusiveMinimum")}),
    (MOONSHOT, {"type": "object", "properties": {"required": STRING, "anyOf": STRING}, "required": ["required"]},
     {"type": "object", "properties": {"required_": STRING, "anyOf_": STRING}, "required": ["required_"]},
     {("TB501", "/properties/required"), ("TB501", "/properties/anyOf")}),
    (MOONSHOT, {"type": "integer", "exclusiveMaximum": 1 - 2**53}, {"type": "integer"},
     {("TB201", "/exclusiveMaximum")}),
    (GEMINI, {"type": "string", "format": "uri"}, {"type": "STRING"}, {("TB103", "/format")}),
    (GEMINI, {"type": "object", "properties": {}}, {"type": "OBJECT"}, {("TB103", "/properties")}),
    (GEMINI, {"type": "object", "properties": {"a": STRING}, "required": ["b"]},
     {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}, {("TB201", "/required/0")}),
    (GEMINI, {"properties": {"a": STRING}, "required": ["a"]},
     {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]}, {("TB304", "")}),
    (GEMINI, {"type": "string", "properties": {"a": STRING}}, {"type": "STRING"}, {("TB103", "/properties")}),
    (GEMINI, {"anyOf": [STRING, {"type": "integer"}], "description": "d"},
     {"anyOf": [{"type": "STRING", "description": "d"}, {"type": "INTEGER", "description": "d"}]}, set()),
    (GEMINI, {"anyOf": [STRING, {"anyOf": [{"type": "object", "properties": {"a": {"type": "integer", "enum": [1]}}},
        {"type": "boolean"}], "description": "d"}], "title": "t"},
     {"anyOf": [{"type": "STRING", "title": "t"}, {"type": "OBJECT", "properties": {"a": {"type": "STRING",
        "enum": ["1"]}}, "description": "d", "title": "t"}, {"type": "BOOLEAN", "description": "d", "title": "t"}]},
     {("TB505", "/anyOf/1/anyOf/0/properties/a/enum")}),
    # Gemini's JSON Schema
    (GEMINI_JSON, {"const": 1}, {"enum": [1]}, set()),
    (OPENAI_STRICT, {"type": "object", "propertyNames": {"type": "string", "enum": ["a", "b"]},
        "additionalProperties": STRING, "required": ["a", "b"]},
     {"type": "object", "properties": {"a": STRING, "b": STRING}, "required": ["a", "b"],
        "additionalProperties": False}, {("TB103", "/propertyNames/type")}),
    (GEMINI, {"type": "object", "propertyNames": {"enum": ["a", "b"]}, "additionalProperties": STRING},
     {"type": "OBJECT", "properties": {"a": {"type": "STRING"}, "b": {"type": "STRING"}}},
     {("TB204", "/propertyNames")}),
    (GEMINI_JSON, {"type": "object", "propertyNames": {"enum": ["a", "b"]}, "properties": {"a": STRING, "c": STRING},
        "additionalProperties": False},
     {"type": "object", "properties": {"a": STRING}, "additionalProperties": False},
     {("TB103", "/propertyNames"), ("TB103", "/properties/c")}),
    (GEMINI_JSON, {"type": "object", "propertyNames": {"const": "a"}, "properties": {"a": STRING},
        "additionalProperties": STRING},
     {"type": "object", "properties": {"a": STRING}, "additionalProperties": False},
     {("TB103", "/additionalProperties")}),
    *((GEMINI_JSON, {"type": "object", "propertyNames": names, **more}, {"type": "object"},
       {("TB201", "/propertyNames"), *((("TB201", f"/{key}")) for key in more)})
      for names, more in (
          ({"enum": ["a", 1]}, {}), ({"enum": ["a"], "minLength": 2}, {}), ({"enum": [f"{n}" for n in range(31)]}, {}),
          ({"const": "a"}, {"patternProperties": {"^a": STRING}}), ({"const": "a"}, {"unevaluatedProperties": False}),
      )),
    (GEMINI_JSON, {"type": "object", "propertyNames": STRING, "additionalProperties": STRING},
     {"type": "object", "additionalProperties": STRING}, {("TB103", "/propertyNames")}),
    # patterns that match every name, as TypeBox and Effect write records
    *((to, {"type": "object", "patternProperties": {pattern: STRING}},
       {"type": "object", "additionalProperties": STRING}, set())
      for to in (GEMINI_JSON, COHERE, XAI, MOONSHOT) for pattern in ("^(.*)$", "^.*$", "")),
    (GEMINI_JSON, {"type": "object", "properties": {"a": {"minLength": 2}}, "required": ["a"],
                   "patternProperties": {"": STRING}, "additionalProperties": False},
     {"type": "object", "properties": {"a": {"minLength": 2, "type": "string"}}, "required": ["a"],
      "additionalProperties": STRING}, {("TB103", "/additionalProperties")}),
    (GEMINI_JSON, {"type": "object", "patternProperties": {"^(.*)$": STRING, "^x": {"minLength": 1}}},
     {"type": "object"}, {("TB201", "/patternProperties")}),
    (GEMINI_JSON, {"type": "object", "patternProperties": {"": STRING}, "unevaluatedProperties": False},
     {"type": "object"}, {("TB201", "/patternProperties"), ("TB201", "/unevaluatedProperties")}),
    (COHERE, {"type": "object", "patternProperties": {"": STRING, "^(.*)$": {"type": "string"}}},
     {"type": "object", "additionalProperties": STRING}, {("TB103", "/patternProperties/^(.*)$/type")}),
    (GEMINI_JSON, {"type": "object", "properties": {"a": STRING, "b": {"not": {}}}, "additionalProperties": False},
     {"type": "object", "properties": {"a": STRING}, "additionalProperties": False}, {("TB103", "/properties/b")}),
    (GEMINI_JSON, {"type": "object", "properties": {"a": STRING, "b": False}, "required": ["a"],
        "additionalProperties": False, "title": ["not plain"]},
     {"type": "object", "properties": {"a": STRING}, "required": ["a"], "additionalProperties": False},
     {("TB103", "/properties/b"), ("TB001", "/title")}),
    (GEMINI_JSON, {"type": "object", "properties": {"a": STRING, "b": {"not": {}}}},
     {"type": "object", "properties": {"a": STRING}}, {("TB201", "/properties/b")}),
    (OPENAI_STRICT, {"type": "object", "properties": {"a": STRING, "b": {"not": {}}}, "required": ["a"],
        "additionalProperties": False},
     {"type": "object", "properties": {"a": STRING}, "required": ["a"], "additionalProperties": False},
     {("TB103", "/properties/b")}),
    (GEMINI_JSON, {"oneOf": [STRING, {"type": "null"}]}, {"anyOf": [STRING, {"type": "null"}]}, set()),
    (GEMINI_JSON, {"type": "number", "multipleOf": 2}, {"type": "number"}, {("TB201", "/multipleOf")}),
    # Bedrock
    (BEDROCK, {"type": ["string", "null"]}, {"anyOf": [STRING, {"type": "null"}]}, set()),
    (BEDROCK, {"type": ["string", "integer"], "minLength": 2, "minimum": 1, "description": "d"},
     {"anyOf": [{"type": "string", "minLength": 2}, {"type": "integer", "minimum": 1}], "description": "d"}, set()),
    (BEDROCK, {"type": ["string", "null"], "enum": [1, None]},
     {"anyOf": [{"type": "string", "enum": ["1"]}, {"type": "null", "enum": [None]}]}, {("TB001", "/enum")}),
    (BEDROCK, {"type": ["string", "integer"], "enum": [True]}, {"type": "string", "enum": ["true"]},
     {("TB001", "/enum"), ("TB103", "/type")}),
    (BEDROCK, {"type": ["string"]}, STRING, set()),
    (BEDROCK, {"anyOf": [STRING, {"type": "integer"}], "type": ["string", "null"]}, STRING,
     {("TB103", "/type"), ("TB103", "/anyOf/1")}),
    # Cohere, Ollama
    (OLLAMA, {"prefixItems": [True], "items": STRING}, {"items": {}}, {("TB202", "/prefixItems"), ("TB103", "/items")}),
    (COHERE, {"type": "string", "pattern": "^a$"}, STRING, {("TB201", "/pattern")}),
    (COHERE, {"type": "integer", "minimum": 1, "maximum": 2}, {"type": "integer"}, {("TB201", "/minimum"), ("TB201",
        "/maximum")}),
    (COHERE, {"enum": [[1]]}, {}, {("TB201", "/enum")}),
    (COHERE, {"contains": {}}, {}, {("TB201", "/contains")}),
    (COHERE, {"const": [1]}, {}, {("TB201", "/const")}),
    (COHERE, {"const": 1}, {"const": 1}, set()),
    (OLLAMA, {"type": "string", "title": "T", "default": "x"}, STRING, {("TB103", "/title"), ("TB103", "/default")}),
    (OLLAMA, {"type": "object", "additionalProperties": False}, {"type": "object"}, {("TB204",
        "/additionalProperties")}),
    (OLLAMA, {"type": "object", "additionalProperties": STRING}, {"type": "object"}, {("TB201",
        "/additionalProperties")}),
    (COHERE, {"prefixItems": [True], "items": STRING, "maxItems": 1}, {"items": {}}, {("TB201", "/maxItems"), ("TB103",
        "/items")}),
    (OLLAMA, {"allOf": [{"enum": ["a"]}, {"enum": ["b"]}]}, {"enum": ["a"]}, {("TB201", "/allOf/1/enum")}),
    # what says the same as the rest of a node
    (GEMINI, {"enum": [4, 5], "minimum": 3}, {"type": "STRING", "enum": ["4", "5"]}, {("TB505", "/enum"), ("TB103",
        "/minimum"), ("TB401", "/enum")}),
    (GEMINI, {"oneOf": [{}], "const": None}, {"type": "NULL"}, {("TB103", "/oneOf/0")}),
    (GEMINI_JSON, {"type": ["object", "null"], "const": None}, {"type": "null", "enum": [None]}, {("TB103", "/type")}),
    (GEMINI_JSON, {"anyOf": [STRING, {"type": "null"}, {"enum": [None]}]}, {"anyOf": [STRING, {"type": "null"}]},
     {("TB103", "/anyOf/2")}),
    (BEDROCK, {"type": ["integer", "string"], "enum": [1, "a", None]},
     {"anyOf": [{"type": "integer", "enum": [1]}, {"type": "string", "enum": ["a"]}]}, {("TB103", "/enum/2")}),
    (MOONSHOT, {"title": "t", "anyOf": [{**STRING, "title": "a"}, {"type": "integer", "title": "b"}]},
     {"anyOf": [{**STRING, "title": "a"}, {"type": "integer", "title": "b"}]}, {("TB103", "/title")}),
    # Arcade's engine
    (ARCADE_ENGINE, {"type": ["string", "null"], "enum": ["a"]}, {"type": "string", "enum": ["a"]}, {("TB103",
        "/type")}),
    (ARCADE_ENGINE, {"type": "array", "items": {"allOf": [False]}}, {"type": "array"}, {("TB201", "/items")}),
    (ARCADE_ENGINE, {"anyOf": [{**CLOSED, "required": []}, CLOSED]}, {"type": "object", "properties": {"a": STRING},
        "additionalProperties": False}, {("TB103", "/anyOf/1"), ("TB103", "/anyOf/0/required")}),
    (ARCADE_ENGINE, {"anyOf": [{"type": ["string", "null"], "enum": ["a", None]}, {"type": "string", "enum": ["b"]}]},
     {"type": "string", "nullable": True, "enum": ["a", "b"]}, set()),
    (ARCADE_ENGINE, {"anyOf": [{"type": "array", "items": {"type": "string", "enum": [word]}} for word in "ab"]},
     {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}, {("TB203", "/anyOf")}),
    # the first type of a property is that of all alternatives: the integer is refused
    (ARCADE_ENGINE, {"anyOf": [CLOSED, {**CLOSED, "properties": {"a": {"type": "integer"}}}]}, CLOSED, {("TB303",
        "/anyOf")}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("dialect", "schema", "written", "noted"), RULES, ids=lambda it: it.id if isinstance(it, Dialect) else None
)
def test_each_rule(dialect: Dialect, schema: Json, written: Json, noted: Noted) -> None:
    assert at_p(schema, dialect) == (written, noted)


@pytest.mark.parametrize(
    ("dialect", "schema", "written", "noted"),
    [
        (GEMINI, {"$id": "https://e.example/a", "type": "object"}, {"type": "OBJECT"}, [("TB103", "/$id", None)]),
        (COHERE, p(STRING, **{"$id": "https://e.example/a"}), p(STRING), [("TB103", "/$id", None)]),
        (  # closed, it would refuse what the pattern accepted
            ANTHROPIC,
            p(STRING, properties={"a b": STRING}, required=["a b"], patternProperties={"^x": STRING}),
            {"type": "object", "properties": {"a_b": STRING}, "required": ["a_b"]},
            [
                ("TB501", "/properties/a b", "/properties/a_b"),
                ("TB201", "/patternProperties", None),
                ("TB201", "/additionalProperties", None),
            ],
        ),
        (
            OPENAI,
            p(STRING, anyOf=[{"properties": {"p": {"const": word}}} for word in "xy"]),
            p({**STRING, "anyOf": [{"const": "x"}, {"const": "y"}]}),
            [("TB203", "/anyOf", "")],
        ),
        (
            OPENAI,
            {"allOf": [False]},
            {"type": "object", "properties": {}},
            [("TB201", "", ""), ("TB401", "", "/type"), ("TB401", "", "/properties")],
        ),
        (
            OLLAMA,
            p({"$ref": "#/$defs/A"}, additionalProperties=None, **{"$defs": {"A": {"$ref": "#/$defs/A"}}}),
            {"type": "object", "properties": {"p": {}}, "required": ["p"]},
            [("TB205", "/$defs/A/$ref", "/properties/p")],
        ),
        (
            OPENAI_STRICT,
            {"type": "object"},
            {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
            [("TB401", "", "/properties"), ("TB302", "", "/additionalProperties")],
        ),
        (
            OPENAI,
            {"type": "object", "properties": {"a": STRING}, "anyOf": [{"required": ["a"]}, STRING]},
            {"type": "object", "properties": {"a": STRING}, "required": ["a"]},
            [("TB103", "/anyOf/1", ""), ("TB203", "/anyOf", "")],
        ),
        (
            COHERE,
            p({"$ref": "#/$defs/A", "examples": ["x"]}, **{"$defs": {"A": STRING}}),
            p({"$ref": "#/$defs/A"}, **{"$defs": {"A": STRING}}),
            [("TB103", "/properties/p/examples", "/properties/p")],
        ),
        (  # beside a reference may be nothing, so the first alternative is written out with the description
            MOONSHOT,
            p({"anyOf": [{"$ref": "#/$defs/A"}] * 2, "description": "d"}, **{"$defs": {"A": STRING}}),
            p({"anyOf": [STRING | {"description": "d"}, {"$ref": "#/$defs/A"}]}, **{"$defs": {"A": STRING}}),
            [],
        ),
        (
            XAI,
            p({"$ref": "#/$defs/A"}, **{"$defs": {"A": p({"$ref": "#/$defs/A"})}}),
            p({"$ref": "#/$defs/A"}, **{"$defs": {"A": p({"type": "object", "additionalProperties": True})}}),
            [("TB205", "/$defs/A/properties/p/$ref", "/$defs/A/properties/p")],
        ),
        (
            ARCADE_ENGINE,
            p(
                {"anyOf": [STRING, {"$ref": "#/$defs/A"}]},
                **{"$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/B"}}, "B": {"type": "integer"}}},
            ),
            p(STRING),
            [("TB303", place, "/properties/p") for place in ("/properties/p/anyOf/1", "/$defs/A", "/$defs/B")],
        ),
    ],
)
def test_what_is_lost_of_a_root_and_beside_references(
    dialect: Dialect, schema: Json, written: Json, noted: list[tuple[str, str, str | None]]
) -> None:
    fit, notes = fitted(schema, dialect, prose=False)
    assert (fit.schema, notes) == (written, noted)


def test_a_schema_of_too_many_characters_is_not_strict() -> None:
    fit, notes = fitted(p({"type": "string", "description": "d" * 5000}), CEREBRAS_STRICT)
    assert (fit.dialect, notes) == (CEREBRAS, [("TB603", "", "")])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_one_value_is_never_named_as_one_of_a_list(dialect: Dialect) -> None:
    schema = p({"allOf": [{"const": {}}, {"type": ["boolean", "string"], "enum": [True, "auto"]}]})
    _, notes = fitted(schema, dialect)
    assert all(get(schema, source) is not MISSING for _, source, _ in notes)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_enumeration_of_nothing_is_still_a_node_of_some_type(dialect: Dialect) -> None:
    said, noted = at_p({"enum": []}, dialect)  # which looks whether the dialect takes it
    assert said == {"enum": []} or ("TB201", "/enum") in noted


# together and alternatives


@pytest.mark.parametrize(
    ("parts", "written", "codes"),
    [
        ([{"type": "string"}, {"minLength": 2}, {"minLength": 3}], {"type": "string", "minLength": 3}, {"TB103"}),
        ([{"type": ["string", "null"]}, {"type": "string"}], STRING, {"TB103"}),
        ([{"type": "integer"}, {"type": "number"}], {"type": "integer"}, {"TB103"}),
        ([{"enum": ["a", "b"]}, {"enum": ["b", "c"]}, STRING], {"type": "string", "enum": ["b"]}, {"TB103"}),
        ([{"maximum": 3, "type": "integer"}, {"maximum": 5}], {"type": "integer", "maximum": 3}, {"TB103"}),
        ([STRING, {"pattern": "^a"}, {"pattern": "b$"}], {"type": "string", "pattern": "^a"}, {"TB201"}),
        ([STRING, {"type": "integer"}], STRING, {"TB201"}),
        ([{"properties": {"a": STRING}, "type": "object"}, {"properties": {"b": STRING}, "required": ["b"]}],
         {"type": "object", "properties": {"a": STRING, "b": STRING}, "required": ["b"]}, set()),
        ([CLOSED, {"properties": {"b": STRING}, "type": "object"}],
         {"type": "object", "properties": {"a": STRING, "b": STRING}, "required": ["a"], "additionalProperties": False},
         {"TB201", "TB103"}),
        ([{"anyOf": [STRING, {"type": "null"}]}, {"type": "string"}], STRING, {"TB103"}),
    ],
)  # fmt: skip
def test_all_of_is_merged_exactly_or_widened(parts: list[Json], written: Json, codes: set[str]) -> None:
    said, noted = at_p({"allOf": parts}, GEMINI_JSON)
    assert said == written
    assert {code for code, _ in noted} == codes


@pytest.mark.parametrize(("key", "idle"), [("required", []), ("properties", {})])
def test_what_is_joined_in_place_of_an_idle_keyword_is_not_idle(key: str, idle: Json) -> None:
    """It was taken for the idle one when it was joined with a third part."""
    a, b, c = (["a"], ["b"], ["c"]) if key == "required" else ({"a": STRING}, {"b": STRING}, {"c": STRING})
    schema = {"allOf": [{key: a}, {key: b}], "anyOf": [{"$ref": "#/$defs/C", key: idle}]}
    said, _ = at_p(schema, GEMINI_JSON, **{"$defs": {"C": {key: c}}})
    assert {*said[key]} == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("schema", "dialect", "lost"),
    [
        (
            p({"allOf": [{"required": ["e"]}, {"oneOf": [{"required": ["k"]}]}, {"required": ["k"]}]}),
            GEMINI_JSON,
            {("TB103", "/properties/p/allOf/0/required"), ("TB103", "/properties/p/allOf/2/required")},
        ),
        (
            p({}, oneOf=[{"required": ["k"]}, {"required": ["k", "l"]}]),
            OPENAI,
            {("TB203", "/oneOf"), ("TB201", "/required")},
        ),
        (
            p({"type": "object", "required": ["c"], "$ref": "#/$defs/D"}, **{"$defs": {"D": {"required": ["b"]}}}),
            MOONSHOT,
            {("TB201", "/properties/p/required"), ("TB201", "/$defs/D/required")},
        ),
    ],
)
def test_lost_names_of_joined_lists_are_noted_at_these(schema: Json, dialect: Dialect, lost: Noted) -> None:
    _, notes = fitted(schema, dialect, prose=False)
    assert {(code, source) for code, source, _ in notes} == lost


@pytest.mark.parametrize("dialect", [OPENAI_STRICT, GEMINI_JSON, COHERE, OLLAMA])
@pytest.mark.parametrize(
    ("branches", "apart"),
    [
        ([STRING, {"type": "integer"}], True),
        ([STRING, {"type": "null"}], True),
        ([{"type": "integer"}, {"type": "number"}], False),
        ([{"const": 1}, {"const": 2}], True),
        ([{"enum": [1, 2]}, {"enum": [2.0, 3]}], False),
        ([{"const": True}, {"const": 1}], True),
        ([STRING, {"type": "string", "minLength": 2}], False),
        ([CLOSED | {"properties": {"a": {"const": "x"}}}, CLOSED | {"properties": {"a": {"const": "y"}}}], True),
        ([CLOSED | {"properties": {"a": {"const": "x"}}}, CLOSED], False),
        ([{"$ref": "#/$defs/A"}, {"type": "integer"}], True),
        ([{"$ref": "#/$defs/A"}, STRING], False),
    ],
)
def test_one_of_is_any_of_where_they_exclude_each_other(dialect: Dialect, branches: list[Json], apart: bool) -> None:
    _, noted = at_p({"oneOf": branches}, dialect, **{"$defs": {"A": STRING}})
    assert (("TB203", "/oneOf") in noted) == (not apart)


def test_tags_that_need_not_be_there_do_not_tell_apart() -> None:
    branches = [{"type": "object", "properties": {"kind": {"const": word}}} for word in "xy"]
    _, noted = at_p({"oneOf": branches}, GEMINI_JSON)
    assert ("TB203", "/oneOf") in noted


@pytest.mark.parametrize("dialect", [GEMINI, GEMINI_JSON, COHERE, OLLAMA, *STRICT])
def test_a_whole_number_is_a_number_in_a_union(dialect: Dialect) -> None:
    """What stands beside alternatives holds for each; an integer is one of the numbers."""
    schema = p({"type": ["integer", "string"], "anyOf": [{"type": "number"}, STRING]})
    fit, _ = fitted(schema, dialect, prose=False)
    kinds = {
        kind.lower()
        for node in nodes(fit.schema["properties"]["p"])
        for kind in [node.get("type")]
        if isinstance(kind, str)
    }
    listed = fit.schema["properties"]["p"].get("type")
    assert kinds | {*(listed if isinstance(listed, list) else ())} == {"integer", "string"}


@pytest.mark.parametrize(
    "schema",
    [
        {"not": {"$ref": "#/$defs/A"}},
        {"oneOf": [{"$ref": "#/$defs/A"}, {"const": "1"}]},
        {"if": {"$ref": "#/$defs/A"}, "then": {"maxLength": 1}},
        {"type": "array", "items": {}, "contains": {"$ref": "#/$defs/A"}, "maxContains": 1},
        {"not": {"type": "array", "items": {"$ref": "#/$defs/A"}}},
    ],
)
def test_a_definition_that_says_less_never_makes_more_of_what_turns_on_it(schema: Json) -> None:
    """The pattern is none to Python, so that A becomes any string: nothing that was accepted is refused for that."""
    whole = p(schema, **{"$defs": {"A": {"type": "string", "pattern": "^\\p{L}"}}})
    fit, notes = fitted(whole, OPENAI)
    accepts, takes = validator(whole), validator(fit.schema)
    assert accepts is not None
    assert takes is not None
    for value in ("1", "12", "a", ["1", "2"], ["a", "1"], [], 5, None):
        assert takes({"p": value}) or not accepts({"p": value}), (value, fit.schema)
    assert "TB201" in {code for code, _, _ in notes}


@pytest.mark.parametrize("dialect", [OPENAI_STRICT, GEMINI], ids=["openai-strict", "gemini"])
def test_the_place_of_a_property_named_description_in_an_alternative(dialect: Dialect) -> None:
    described = {"type": "string", "description": "What it is.", "x-order": 1}
    inner = {"type": "object", "properties": {"description": described}, "required": ["description"]}
    _, notes = fitted(p({"anyOf": [inner, STRING]}), dialect)
    place = "/properties/p/anyOf/0/properties/description"
    assert ("TB103", f"{place}/x-order", place) in notes


@pytest.mark.parametrize(
    "dialect", [BEDROCK, GEMINI, OPENAI_STRICT, COHERE], ids=["bedrock", "gemini", "openai", "cohere"]
)
def test_alternatives_of_the_types_of_a_node_share_nothing(dialect: Dialect) -> None:
    branches = [{"type": "object", "properties": {"kind": {"const": name}, "a": {"type": "string"}}} for name in "xy"]
    fit, _ = fitted(p({"type": ["string", "integer"], "oneOf": branches}), dialect)
    inner = [each for each in nodes(fit.schema) if each]
    assert len({id(each) for each in inner}) == len(inner)


@pytest.mark.parametrize(("dialect", "form"), [(BEDROCK, "email"), (GEMINI, "date-time")], ids=["bedrock", "gemini"])
def test_the_format_of_a_node_with_several_types_is_that_of_the_text(dialect: Dialect, form: str) -> None:
    fit, notes = fitted(p({"type": ["string", "integer"], "format": form}), dialect)
    (written,) = fit.schema["properties"].values()
    assert written.keys() == {"anyOf"}
    assert [each.get("format") for each in written["anyOf"]] == [form, None]
    assert written["anyOf"][0].keys() == {"type", "format"}
    assert not [note for note in notes if note[0] == "TB103"]


def test_losses_of_merged_alternatives_are_noted_at_them() -> None:
    """The second look at an alternative, after its subschemas, noted its losses again, at the last of them."""
    child = {"type": "object", "allOf": [{"properties": {"z": STRING}}]}
    first = {"type": "object", "description": "One.", "minLength": "two", "properties": {"a": child}}
    branches = [first, {"type": "object", "properties": {"b": child}}]
    _, notes = fitted(p({"anyOf": branches}), ARCADE_ENGINE)
    repairs = {(source, target) for code, source, target in notes if code == "TB001"}
    assert repairs == {("/properties/p/anyOf/0/minLength", "/properties/p")}


@pytest.mark.parametrize(("kind", "lost"), [("null", "enum"), (["string", "null"], "type"), (None, None)])
def test_null_as_the_only_value(kind: Json, lost: str | None) -> None:
    node = {"enum": [None], **({} if kind is None else {"type": kind})}
    fit, notes = fitted({"type": "object", "properties": {"a": node}}, GEMINI)
    assert fit.schema["properties"]["a"] == {"type": "NULL"}
    assert [source for code, source, _ in notes if code == "TB103"] == (
        [] if lost is None else [f"/properties/a/{lost}"]
    )


@pytest.mark.parametrize("dialect", [OPENAI, ANTHROPIC, BEDROCK, GEMINI_JSON])
def test_a_word_for_an_object_at_the_root(dialect: Dialect) -> None:
    """It was said to accept more than before, TB202, though it means the same."""
    for word, codes in (("dict", {"TB001"}), ("int", {"TB001", "TB202"}), ("Struct", {"TB001"})):
        fit, notes = fitted({"type": word, "properties": {"a": STRING}}, dialect)
        assert fit.schema["type"] == "object"
        assert {code for code, source, _ in notes if source == "/type"} == codes
    branch = {"anyOf": [{"type": "dict", "properties": {"a": STRING}, "required": ["a"]}]}
    assert fitted({"type": "object", **branch}, dialect)[0].schema["properties"] == {"a": STRING}


def test_an_object_that_is_nothing_but_its_properties() -> None:
    """Its parameters were unknown keywords: the written tool had none."""
    schema = {"a": {"type": "str", "required": True}, "b": {"type": "string", "format": "uri"}}
    fit, notes = fitted(schema, OPENAI_STRICT)
    assert fit.schema["properties"].keys() == {"a", "b"}
    assert fit.schema["properties"]["a"] == {"type": "string"}
    assert ("TB001", "", "/properties") in notes
    assert ("TB103", "/b/format") in {note[:2] for note in notes}


@pytest.mark.parametrize("rule", [{"enum_values": "strings"}, {"all_required": True}, {"formats": {}}])
def test_a_rule_that_needs_an_allow_list_is_refused_without_one(rule: dict[str, Any]) -> None:
    """It was taken, and schemas that broke it were written as they stood, without a loss."""
    with pytest.raises(ValueError, match=f"dialect own: {next(iter(rule))} needs an allow-list"):
        Dialect(id="own", title="Own", **rule)
    assert Dialect(id="own", title="Own", keywords={}, **rule).keywords == {}


@pytest.mark.parametrize("dialect", [OPENAI, GEMINI, COHERE], ids=lambda dialect: dialect.id)
@pytest.mark.parametrize(
    ("limit", "problem"),
    [
        ({"max_properties": 2}, "at most 2 properties, found 4"),
        ({"max_levels": 1}, "at most 1 levels"),
        ({"max_enum_values": 1}, "at most 1 choices"),
        ({"max_name_characters": 3}, "at most 3 characters of names"),
        ({"max_schema_characters": 40}, "at most 40 characters of the schema"),
        ({"max_optional_parameters": 3}, "at most 3 optional"),
        ({"max_union_parameters": 0}, "at most 0 parameters with several types"),
    ],
)
def test_a_limit_of_a_dialect_without_a_fallback_is_an_error(
    dialect: Dialect, limit: dict[str, int], problem: str
) -> None:
    """The schema was written as it stood, without a loss."""
    inner = {"type": "object", "properties": {"a": STRING, "b": {"type": "string", "enum": ["x", "y"]}}}
    schema = {"type": "object", "properties": {"p": inner, "q": {"anyOf": [STRING, {"type": "integer"}]}}}
    own = replace(dialect, id="own", **limit)
    with pytest.raises(BudgetExceeded, match=f"{problem}.* of own"):
        fit(schema, own)
    assert proof(own) is None
    small = replace(dialect, id="own", max_properties=2)
    assert [*fit(p(STRING), small).notes] == [*fit(p(STRING), dialect).notes]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.id)
def test_an_allow_list_suits_the_writing(dialect: Dialect) -> None:
    dialect.check_writing()


@pytest.mark.parametrize(
    ("words", "rules", "problem"),
    [
        ("type properties", {}, "type_unions .* needs anyOf"),
        ("type properties $ref", {"type_unions": "none"}, "needs \\$defs"),
        ("type properties", {"type_unions": "none", "closed_objects": True}, "closed_objects needs additionalProp"),
        (
            "type properties",
            {"type_unions": "none", "additional_properties": "none"},
            "properties needs additionalProp",
        ),
        ("type properties", {"type_unions": "merge", "all_required": True}, "all_required needs required"),
        ("type properties anyOf", {"requires_items": True}, "requires_items needs items"),
        ("type properties anyOf patternProperties", {}, "patternProperties, which is never written"),
        ("type anyOf additionalProperties", {"closed_objects": True}, "closed_objects needs a fallback"),
    ],
)
def test_an_allow_list_has_what_is_written_and_no_more(words: str, rules: dict[str, Any], problem: str) -> None:
    """Without anyOf it was written all the same; beside patternProperties, which were not, objects were closed."""
    keywords = allow(Evidence("https://example.org", "2026-11-30"), words)
    own = Dialect(id="own", title="Own", keywords=keywords, **rules)
    with pytest.raises(ValueError, match=f"dialect own: .*{problem}"):
        schema_codec(own)
