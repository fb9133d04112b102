"""The linter: each rule of each dialect is found where it is broken, and nothing else is."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from msgspec.structs import fields

from schema.generated_schemas import schemas
from schema.parameter import p
from toolbridge.data import pointer
from toolbridge.formats.dialects import (
    AGENTCORE,
    ANTHROPIC,
    ANTHROPIC_STRICT,
    BEDROCK,
    COHERE,
    DIALECTS,
    GEMINI,
    GEMINI_INTERACTIONS,
    GEMINI_JSON,
    GEMINI_VERTEX,
    OLLAMA,
    OPENAI,
    OPENAI_STRICT,
)
from toolbridge.formats.service_dialects import MOONSHOT, SERVICE_DIALECTS, XAI
from toolbridge.schema import lint
from toolbridge.schema.dialect import PLAIN, Dialect, Patterns, compiles


def found(schema: Any, dialect: Dialect, **options: Any) -> list[tuple[str, str]]:
    before = copy.deepcopy(schema)
    findings = lint(schema, dialect, **options)
    assert schema == before
    for finding in findings:
        assert finding.problem
        assert pointer.get(schema, finding.pointer) is not pointer.MISSING, finding
    return [(finding.rule, finding.pointer) for finding in findings]


STRING: dict[str, Any] = {"type": "string"}
OBJECT: dict[str, Any] = {
    "type": "object",
    "properties": {"a": STRING},
    "required": ["a"],
    "additionalProperties": False,
}


def nested(levels: int) -> dict[str, Any]:
    """Objects within objects."""
    return {"type": "object", "properties": {"a": nested(levels - 1)}} if levels else STRING


BROKEN: list[tuple[Dialect, Any, str, str]] = [
    # OpenAI
    *((OPENAI, {"type": "object", "properties": {}, key: value}, "root_excluded", f"/{key}") for key, value in {
        "anyOf": [OBJECT], "oneOf": [OBJECT], "allOf": [OBJECT], "enum": [{}], "const": {}, "not": {"required": ["b"]},
    }.items()),
    (OPENAI, {"type": "object"}, "root_required", ""),
    (OPENAI, {"type": "string"}, "root", "/type"),
    (OPENAI, {"properties": {}}, "root", ""),
    (OPENAI, {"type": ["object", "null"], "properties": {}}, "root", "/type"),
    (OPENAI, p({"type": "string", "pattern": "\\p{L}"}), "pattern_syntax", "/properties/p/pattern"),
    (OPENAI, p({"type": "object", "patternProperties": {"\\p{L}": {}}}), "pattern_syntax",
        "/properties/p/patternProperties/\\p{L}"),
    (OPENAI, p({"type": "array"}), "requires_items", "/properties/p"),
    (OPENAI, p({"type": ["array", "null"]}), "requires_items", "/properties/p"),
    (OPENAI, p(STRING, required=["p", "gone"]), "required_are_listed", "/required/1"),
    (OPENAI, p({"$ref": "#/$defs/Gone"}), "references", "/properties/p/$ref"),
    (OPENAI, p({"$ref": "https://e.example/s"}), "references", "/properties/p/$ref"),
    (OPENAI, p({"type": "str"}), "types", "/properties/p/type"),
    (OPENAI, p({"minLength": "2"}), "value", "/properties/p/minLength"),
    (OPENAI, p({"type": "array", "items": [STRING]}), "keywords", "/properties/p/items"),
    # OpenAI, strict
    *((OPENAI_STRICT, p({"type": "string", key: value}), "keywords", f"/properties/p/{key}") for key, value in {
        "minLength": 1, "maxLength": 2, "default": "x", "examples": [], "not": {"type": "null"}, "oneOf": [STRING],
        "allOf": [STRING], "if": STRING, "nullable": True, "x-own": 1, "$comment": "c", "contentEncoding": "base64",
    }.items()),
    *((OPENAI_STRICT, p({**OBJECT, key: value}), "keywords", f"/properties/p/{key}") for key, value in {
        "minProperties": 1, "maxProperties": 1, "patternProperties": {}, "propertyNames": STRING,
        "dependentRequired": {}, "unevaluatedProperties": False,
    }.items()),
    (OPENAI_STRICT, p({"type": "array", "items": STRING, "uniqueItems": True}), "keywords",
        "/properties/p/uniqueItems"),
    (OPENAI_STRICT, p({"type": "array", "items": STRING, "contains": STRING}), "keywords", "/properties/p/contains"),
    (OPENAI_STRICT, p({"type": "array", "items": STRING, "prefixItems": [STRING]}), "keywords",
        "/properties/p/prefixItems"),
    (OPENAI_STRICT, p({"type": "string", "format": "uri"}), "formats", "/properties/p/format"),
    (OPENAI_STRICT, p({"type": "string", "pattern": "^(?!x)"}), "pattern_syntax", "/properties/p/pattern"),
    (OPENAI_STRICT, p({"type": "string", "pattern": "^(a)\\1"}), "pattern_syntax", "/properties/p/pattern"),
    (OPENAI_STRICT, p({}), "requires_type", "/properties/p"),
    (OPENAI_STRICT, p(True), "keywords", "/properties/p"),
    (OPENAI_STRICT, p({"type": "array", "items": {}}), "requires_type", "/properties/p/items"),
    (OPENAI_STRICT, p({"type": "array"}), "requires_items", "/properties/p"),
    (OPENAI_STRICT, p({"anyOf": [STRING], "type": "string"}), "any_of_siblings", "/properties/p/type"),
    (OPENAI_STRICT, p({"$ref": "#/$defs/A", "description": "d"}, **{"$defs": {"A": STRING}}), "ref_siblings",
        "/properties/p/$ref"),
    (OPENAI_STRICT, p(STRING) | {"additionalProperties": True}, "closed_objects", ""),
    (OPENAI_STRICT, {"type": "object", "properties": {"p": STRING}, "required": ["p"]}, "closed_objects", ""),
    (OPENAI_STRICT, p({"type": ["object", "null"]}), "closed_objects", "/properties/p"),
    (OPENAI_STRICT, p({"properties": {"a": STRING}, "required": ["a"], "type": "object"}),
     "closed_objects", "/properties/p"),
    (OPENAI_STRICT, p(STRING, required=[]), "all_required", "/properties/p"),
    (OPENAI_STRICT, {"type": "object", "properties": {}, "additionalProperties": False}, "all_required", ""),
    (OPENAI_STRICT, p(STRING, required=["p", "gone"]), "required_are_listed", "/required/1"),
    (OPENAI_STRICT, p(STRING, anyOf=[OBJECT]), "root_excluded", "/anyOf"),
    # Anthropic
    *((ANTHROPIC, {"type": "object", key: [OBJECT]}, "root_excluded", f"/{key}")
      for key in ("anyOf", "oneOf", "allOf")),
    (MOONSHOT, {"type": "object", "properties": {"required": STRING}}, "reserved_properties", "/properties/required"),
    (MOONSHOT, p({"type": "object", "properties": {"$ref": STRING}}), "reserved_properties",
     "/properties/p/properties/$ref"),
    (MOONSHOT, {"type": "object", "properties": {"a": STRING, "b": {"$ref": "#/properties/a"}}},
     "refers_to_definitions", "/properties/b/$ref"),
    (MOONSHOT, p({"type": ["string", "null"], "maxLength": 3}), "type_unions", "/properties/p/type"),
    (MOONSHOT, p({"$ref": "#/$defs/A", "type": "object"}, **{"$defs": {"A": {"type": "object"}}}), "ref_siblings",
     "/properties/p/$ref"),
    (ANTHROPIC, {"type": "object", "properties": {"x y": STRING}}, "property_names", "/properties/x y"),
    (ANTHROPIC, {"type": "object", "properties": {"": STRING}}, "property_names", "/properties/"),
    (ANTHROPIC, {"type": "object", "properties": {"a/b": STRING}}, "property_names", "/properties/a~1b"),
    (ANTHROPIC, {"type": "object", "properties": {"x" * 65: STRING}}, "property_names", f"/properties/{'x' * 65}"),
    (ANTHROPIC, p({"type": "array", "items": [STRING]}), "keywords", "/properties/p/items"),
    (ANTHROPIC, {"properties": {"a": STRING}}, "root", ""),
    (ANTHROPIC, p({"type": "integer", "maximum": 2**63 - 1}), "max_number", "/properties/p/maximum"),
    (ANTHROPIC, p({"type": "integer", "minimum": -(2**53) - 1}), "max_number", "/properties/p/minimum"),
    (ANTHROPIC, p({"minLength": -1}), "value", "/properties/p/minLength"),
    (ANTHROPIC, p(STRING, required=["p", "p"]), "value", "/required"),
    (ANTHROPIC, p({"allOf": []}), "value", "/properties/p/allOf"),
    # Anthropic, strict
    *((ANTHROPIC_STRICT, p({"type": "integer", key: 1}), "keywords", f"/properties/p/{key}") for key in (
        "minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
    )),
    (ANTHROPIC_STRICT, p({"type": "array", "items": STRING, "maxItems": 3}), "keywords", "/properties/p/maxItems"),
    (ANTHROPIC_STRICT, p({"type": "array", "items": STRING, "minItems": 2}),
     "keyword_maxima", "/properties/p/minItems"),
    (ANTHROPIC_STRICT, p({"type": "object", "enum": [{}]}), "enum_values", "/properties/p/enum/0"),
    (ANTHROPIC_STRICT, p({"type": "array", "enum": ["a", [1]]}), "enum_values", "/properties/p/enum/1"),
    *((dialect, p({"type": ["string", "null"], "enum": ["a", None]}), "enum_values", "/properties/p/enum")
      for dialect in (ANTHROPIC_STRICT, GEMINI_JSON, COHERE, XAI)),
    *((dialect, p({"type": "string", "enum": ["a", None]}), "enum_values", "/properties/p/enum/1")
      for dialect in (ANTHROPIC_STRICT, GEMINI_JSON, COHERE, XAI, MOONSHOT)),
    (ANTHROPIC_STRICT, p({"type": "string", "pattern": "\\bt"}), "pattern_syntax", "/properties/p/pattern"),
    (ANTHROPIC_STRICT, p({"type": "string", "pattern": "a{2,5000}"}), "pattern_syntax", "/properties/p/pattern"),
    (ANTHROPIC_STRICT, p({"type": "string", "format": "own"}), "formats", "/properties/p/format"),
    (ANTHROPIC_STRICT, p({"oneOf": [STRING]}), "keywords", "/properties/p/oneOf"),
    (ANTHROPIC_STRICT, p({"type": "object", "properties": {}}), "closed_objects", "/properties/p"),
    (ANTHROPIC_STRICT, p({"$ref": "#/$defs/A", "title": "t"}, **{"$defs": {"A": STRING}}), "ref_siblings",
        "/properties/p/$ref"),
    (ANTHROPIC_STRICT, p({"anyOf": [STRING], "minItems": 1}), "any_of_siblings", "/properties/p/minItems"),
    (ANTHROPIC_STRICT, p(STRING, allOf=[OBJECT]), "root_excluded", "/allOf"),
    (ANTHROPIC_STRICT, p({"description": "d"}), "requires_type", "/properties/p"),
    (ANTHROPIC_STRICT, {"type": "object", "properties": {f"p{n}": STRING for n in range(24)},
        "additionalProperties": False}, "max_optional_parameters", ""),
    (ANTHROPIC_STRICT, {"type": "object", "properties": {f"p{n}": {"anyOf": [STRING]} for n in range(16)},
        "additionalProperties": False}, "max_union_parameters", ""),
    (ANTHROPIC_STRICT, p(STRING, required=["p", "gone"]), "required_are_listed", "/required/1"),
    (ANTHROPIC_STRICT, {"type": "object", "properties": {"x y": STRING}, "additionalProperties": False},
     "property_names",
        "/properties/x y"),
    # Gemini's parameters
    (GEMINI, {"type": "OBJECT", "properties": {"p": {"type": ["STRING", "INTEGER"]}}},
     "type_unions", "/properties/p/type"),
    (GEMINI, {"type": "OBJECT", "properties": {"p": {"type": "INTEGER", "enum": [1]}}},
     "enum_values", "/properties/p/enum/0"),
    (GEMINI, {"type": "OBJECT", "properties": {"p": {"type": "STRING", "enum": ["a", ""]}}}, "empty_enum_values",
        "/properties/p/enum/1"),
    (GEMINI, {"type": "OBJECT", "properties": {"p": {"title": "t"}}}, "requires_type", "/properties/p"),
    (GEMINI, {"type": "OBJECT", "properties": {"p": {"type": "STRING"}}, "required": ["q"]},
     "required_are_listed", "/required/0"),
    (GEMINI, {"type": "OBJECT", "properties": {}}, "nonempty_properties", "/properties"),
    (GEMINI, {"type": "OBJECT", "properties": {"p": {"type": "ARRAY"}}}, "requires_items", "/properties/p"),
    (GEMINI, {"type": "OBJECT", "properties": {"p": {"anyOf": [{"type": "STRING"}], "title": "t"}}}, "any_of_siblings",
        "/properties/p/title"),
    (GEMINI, {"type": "OBJECT", "properties": {"1p": {"type": "STRING"}}}, "property_names", "/properties/1p"),
    (GEMINI, {"type": "OBJECT", "properties": {"p": {"type": "STRING"}}, "anyOf": []}, "root_excluded", "/anyOf"),
    (GEMINI, {"type": "OBJECT", "properties": {"p": {"type": "STRING", "format": "uri"}}}, "formats",
        "/properties/p/format"),
    (GEMINI, {"type": "OBJECT", "properties": {"p": {"type": "STRING", "pattern": "(?<=a)b"}}}, "pattern_syntax",
        "/properties/p/pattern"),
    (GEMINI, {"type": "OBJECT", "additionalProperties": False}, "keywords", "/additionalProperties"),
    (GEMINI, {"type": "OBJECT", "properties": {"p": {"$ref": "#"}}}, "keywords", "/properties/p/$ref"),
    *((GEMINI, p({"type": "string", key: value}), "keywords", f"/properties/p/{key}") for key, value in {
        "const": "x", "oneOf": [STRING], "allOf": [STRING], "not": STRING, "multipleOf": 2, "exclusiveMinimum": 1,
        "examples": [1], "uniqueItems": True, "$schema": "x", "$defs": {},
    }.items()),
    # Gemini's JSON Schema
    *((GEMINI_JSON, p({key: value}), "keywords", f"/properties/p/{key}") for key, value in {
        "const": "x", "oneOf": [STRING], "allOf": [STRING], "not": STRING, "multipleOf": 2, "exclusiveMinimum": 1,
        "$schema": "x", "examples": [], "patternProperties": {},
    }.items()),
    (GEMINI_JSON, p({"$ref": "#/$defs/A", "default": 1}, **{"$defs": {"A": STRING}}), "ref_siblings",
        "/properties/p/$ref"),
    (GEMINI_JSON, p({"type": "string", "pattern": "(?<!a)b"}), "pattern_syntax", "/properties/p/pattern"),
    (GEMINI_JSON, p({"enum": [{}]}), "enum_values", "/properties/p/enum/0"),
    (GEMINI_JSON, {"type": "object", "properties": {"a.b": STRING}}, "property_names", "/properties/a.b"),
    (GEMINI_JSON, p(STRING, anyOf=[OBJECT]), "root_excluded", "/anyOf"),
    (GEMINI_JSON, p({"$ref": "#"}), "references", "/properties/p/$ref"),
    # the others
    (BEDROCK, p({"type": ["string", "null"]}), "type_unions", "/properties/p/type"),
    (BEDROCK, p({"type": "array", "items": [STRING]}), "keywords", "/properties/p/items"),
    (BEDROCK, p({"type": "integer", "maximum": 2**63 - 1}), "max_number", "/properties/p/maximum"),
    (BEDROCK, p(STRING, oneOf=[OBJECT]), "root_excluded", "/oneOf"),
    (BEDROCK, {"type": "object", "properties": {"x y": STRING}}, "property_names", "/properties/x y"),
    (COHERE, p({"oneOf": [STRING]}), "keywords", "/properties/p/oneOf"),
    (COHERE, p({"minimum": 1}), "keywords", "/properties/p/minimum"),
    (COHERE, p({"type": "string", "pattern": "^a"}), "pattern_syntax", "/properties/p/pattern"),
    (COHERE, p({"type": "string", "pattern": "a$"}), "pattern_syntax", "/properties/p/pattern"),
    (COHERE, p({"type": "string", "format": "uri"}), "formats", "/properties/p/format"),
    (COHERE, p({"enum": [[1]]}), "enum_values", "/properties/p/enum/0"),
    (COHERE, p({"const": [1]}), "enum_values", "/properties/p/const"),
    (COHERE, p(STRING, anyOf=[OBJECT]), "root_excluded", "/anyOf"),
    # AgentCore
    (AGENTCORE, p({"type": "string", "enum": ["a"]}), "keywords", "/properties/p/enum"),
    (AGENTCORE, p({"description": "d"}), "requires_type", "/properties/p"),
    (AGENTCORE, p({"type": ["string", "null"]}), "type_unions", "/properties/p/type"),
    (OLLAMA, {"type": "object", "properties": {}, "description": "d"}, "root_excluded", "/description"),
    (OLLAMA, {"type": "object", "properties": {"p": {"type": "string", "title": "t"}}}, "keywords",
        "/properties/p/title"),
    (OLLAMA, {"type": "object", "properties": {"p": {"$ref": "#"}}}, "keywords", "/properties/p/$ref"),
    (PLAIN, {"type": "array"}, "root", "/type"),
    (PLAIN, True, "root", ""),
    (PLAIN, p({"type": "text"}), "types", "/properties/p/type"),
    (GEMINI, p({"type": "STRING", "maxLength": str(2**63)}), "keyword_maxima", "/properties/p/maxLength"),
    (GEMINI, p({"type": "STRING", "maxLength": "9" * 5000}), "keyword_maxima", "/properties/p/maxLength"),
    (GEMINI, p({"type": "STRING", "maxLength": "many"}), "value", "/properties/p/maxLength"),
]  # fmt: skip
BROKEN += [
    *((GEMINI_VERTEX, *rest) for dialect, *rest in BROKEN if dialect is GEMINI and rest[-1] != "/additionalProperties"),
    # What parametersJsonSchema lacks is not written for Interactions either.
    *((GEMINI_INTERACTIONS, *rest) for dialect, *rest in BROKEN if dialect is GEMINI_JSON),
    (GEMINI_INTERACTIONS, p({"type": "string", "minLength": 1}), "keywords", "/properties/p/minLength"),
]

BREAKING: dict[str, tuple[Any, str]] = {
    "requires_items": (p({"type": "array"}), "/properties/p"),
    "any_of_siblings": (p({"anyOf": [STRING], "minLength": 1}), "/properties/p/minLength"),
    "ref_siblings": (p({"$ref": "#", "description": "d"}), "/properties/p/$ref"),
    "closed_objects": (p({"type": "object", "properties": {}}), "/properties/p"),
    "all_required": ({"type": "object", "properties": {"p": STRING}, "required": []}, "/properties/p"),
    "enum_values": (p({"enum": [[1]]}), "/properties/p/enum/0"),
    "formats": (p({"type": "string", "format": "regex"}), "/properties/p/format"),
    "keywords": (p({"not": STRING}), "/properties/p/not"),
    "max_schema_characters": (p({"type": "string", "description": "d" * 5000}), ""),
    "max_levels": (p(nested(11)), ""),
    "required_are_listed": (p({"type": "object", "properties": {}, "required": ["q"]}), "/properties/p/required/0"),
    "keyword_maxima": (p({"type": "string", "minLength": 2049}), "/properties/p/minLength"),
    "max_number": (p({"type": "integer", "minimum": 2**53 + 1}), "/properties/p/minimum"),
    "pattern_syntax": (p({"type": "string", "pattern": "^(?=a)b$"}), "/properties/p/pattern"),
    "references": (p({"$ref": "#/$defs/T"}, **{"$defs": {"T": {"anyOf": [{"$ref": "#/$defs/T"}]}}}), "*"),
    "root": ({"type": "array"}, "/type"),
    "root_required": ({"type": "object"}, ""),
    "root_excluded": (p(STRING, anyOf=[OBJECT]), "/anyOf"),
    "requires_type": (p({"description": "d"}), "/properties/p"),
    "type_unions": (p({"type": ["string", "null"]}), "/properties/p/type"),
    "excluded_siblings": (p({"type": "string", "pattern": "^a$", "minLength": 1}), "/properties/p/minLength"),
}
"""For each rule a schema that breaks it, and where."""

UNBROKEN = {"additional_properties", "uniform", "max_tools"}
"""Rules that no schema breaks: what it means if it does not say so, and rules of all tools together."""

ELSEWHERE = {
    ("deepseek-strict", "references"),  # which are written out
    *((dialect.id, "references") for dialect in DIALECTS if not dialect.allows("$ref")),  # a keyword out of the list
}
"""Rules that no schema breaks alone."""

BROKEN += [
    (dialect, BREAKING[rule][0], rule, BREAKING[rule][1])
    for dialect in SERVICE_DIALECTS
    for rule in dict.fromkeys(fact.rule for fact in dialect.facts)
    if rule in BREAKING and rule not in UNBROKEN and (dialect.id, rule) not in ELSEWHERE
]


@pytest.mark.parametrize(
    ("dialect", "schema", "rule", "place"), BROKEN, ids=[f"{it[0].id}-{it[2]}-{it[3]}" for it in BROKEN]
)
def test_a_broken_rule_is_found_at_its_place(dialect: Dialect, schema: Any, rule: str, place: str) -> None:
    there = found(schema, dialect)
    assert (rule, place) in there or (place == "*" and rule in dict(there))


def test_every_rule_of_every_dialect_is_tried() -> None:
    tried = {(it[0].id, it[2]) for it in BROKEN} | {("openai-strict", "max_levels"), ("anthropic-strict", "references")}
    tried |= ELSEWHERE
    outside = (
        *UNBROKEN,
        "max_strict_tools",
        "max_description",
        "numbers_as_text",
        "numbered_types",
        "null_form",
    )  # of lists and functions, and how things are spelled
    rules = {(dialect.id, fact.rule) for dialect in DIALECTS for fact in dialect.facts if fact.rule not in outside}
    # Types are read in either spelling.
    assert sorted(rules - tried) == [("gemini", "types"), ("gemini-vertex", "types")], (
        "rules without a schema that breaks them: add one to BROKEN, that of a service to BREAKING"
    )


def test_every_rule_says_how_it_is_known() -> None:
    others = {
        "max_levels": ("max_properties", "max_enum_values", "max_name_characters")
    }  # the limits of size, which have one source
    for dialect in DIALECTS:
        known = {fact.rule for fact in dialect.facts}
        known |= {rule for fact in known for rule in others.get(fact, ())} | {"id", "title", "facts", "fallback"}
        known |= {"keywords", "formats", "also_accepted"}  # lists in which each word has its own source
        rules = {it.name for it in fields(Dialect) if getattr(dialect, it.name) != it.default}
        assert rules <= known, dialect
        assert all(fact.sentence and fact.evidence.source for fact in dialect.facts)
        assert all(fact.evidence.checked >= "2026-11-21" for fact in dialect.facts)


def test_a_finding_says_what_was_found() -> None:
    (finding,) = lint(p({"type": "string", "format": "uri"}), OPENAI_STRICT)
    assert "uri" in finding.problem


@pytest.mark.parametrize("kind", ["$ref", "$dynamicRef", "$recursiveRef"])
def test_every_kind_of_reference_leads_somewhere(kind: str) -> None:
    assert ("references", f"/properties/p/{kind}") in found(p({kind: "#/$defs/Gone"}), PLAIN)
    assert found(p({"$ref": "#/$defs/a~1b%20c"}, **{"$defs": {"a/b c": STRING}}), PLAIN) == []
    assert found(p({"$ref": "#"}), PLAIN) == []


def test_recursion_is_refused_where_the_dialect_has_none() -> None:
    node = {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}, "additionalProperties": False}
    schema = p({"$ref": "#/$defs/N"}, **{"$defs": {"N": node}})
    assert "references" in {rule for rule, _ in found(schema, ANTHROPIC_STRICT)}
    assert found(p({"$ref": "#/$defs/N"}, **{"$defs": {"N": {**node, "required": ["n"]}}}), OPENAI_STRICT) == []


def test_recursion_runs_through_what_may_be_left_out_where_the_dialect_says_so() -> None:
    def refused(required: list[str], **more: Any) -> list[str]:
        node = {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}, "t": STRING}, "required": required}
        schema = p({"$ref": "#/$defs/N"}, **{"$defs": {"N": node | more}})
        return [place for rule, place in found(schema, GEMINI_JSON) if rule == "references"]

    assert refused(["t"]) == []
    assert refused(["t", "n"]) == ["/$defs/N/properties/n/$ref"]
    assert refused([], items={"$ref": "#/$defs/N"}) == ["/$defs/N/items/$ref"]
    beside = {"$ref": "#/$defs/L"}
    other = {"properties": {"a": beside}, "required": ["a"]}
    leaf = p({"$ref": "#/$defs/O"}, **{"$defs": {"O": other, "L": STRING}})
    assert found(leaf, GEMINI_JSON) == []
    assert found(p(other, **{"$defs": {"L": {"items": {"$ref": "#/$defs/L"}}}}), GEMINI_JSON) == [
        ("references", "/$defs/L/items/$ref")
    ]


def test_limits_of_size() -> None:
    deep: dict[str, Any] = STRING
    for _ in range(11):
        deep = {"type": "object", "properties": {"a": deep}, "required": ["a"], "additionalProperties": False}
    assert found(deep, OPENAI_STRICT) == [("max_levels", "")]
    assert found(deep["properties"]["a"], OPENAI_STRICT) == []
    assert found(p({"type": "integer", "enum": [*range(1001)]}), OPENAI_STRICT) == [("max_enum_values", "")]
    assert found(p({"type": "integer", "enum": [*range(1000)]}), OPENAI_STRICT) == []
    names = [f"p{number}" for number in range(5001)]
    wide = {
        "type": "object",
        "properties": dict.fromkeys(names, STRING),
        "required": names,
        "additionalProperties": False,
    }
    assert found(wide, OPENAI_STRICT) == [("max_properties", "")]
    assert found(p({"type": "string", "enum": ["x" * 120_001]}), OPENAI_STRICT) == [("max_name_characters", "")]
    shared = p({"$ref": f"#/$defs/{'x' * 120_000}"}, **{"$defs": {"x" * 120_000: STRING}})
    assert found(shared, OPENAI_STRICT) == [("max_name_characters", "")]


LOOKS_BAD = {"type": "object", "properties": {"a": {"patternProperties": {"[": {}}}}}
"""What is no regular expression is one to nobody; where nobody compiles patterns it is left to the target."""

NAMES = ("title", "type", "$ref", "properties", "default", "enum", "nullable", "required", "items", "const", "format")


def test_the_place_of_a_name_after_one_that_is_none() -> None:
    places = [each.pointer for each in lint({**p(STRING), "required": [1, "p", "x"]}, OPENAI)]
    assert "/required/2" in places
    assert "/required/1" not in places


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_parameter_named_like_a_keyword_is_none(dialect: Dialect) -> None:
    names = [name for name in NAMES if dialect.names_properties({name: True}, root=True)]
    properties = {name: {"type": dialect.types["string"]} for name in names}
    schema: dict[str, Any] = {"type": dialect.types["object"], "properties": properties, "required": names}
    if dialect.closed_objects:
        schema["additionalProperties"] = False
    assert found(schema, dialect) == []


@pytest.mark.parametrize("dialect", [PLAIN, OPENAI, ANTHROPIC, COHERE, ANTHROPIC_STRICT])
def test_values_are_never_walked(dialect: Dialect) -> None:
    value = {"$ref": "#/gone", "type": "nothing", "items": [1], "properties": 5}
    schema = p({"type": "object", "properties": {}, "required": [], "additionalProperties": False})
    if dialect.enum_values == "any":
        schema["properties"]["p"]["const"] = value
    if dialect.allows("default"):
        schema["properties"]["p"]["default"] = value
    assert found(schema, dialect) == []


@pytest.mark.parametrize(
    ("properties", "place", "problem"),
    [
        (["a"], "", "expected an object with schemas as values, found a list"),
        ({"a": "string"}, "/a", "expected a schema, found the string 'string'"),
        ({"a": {"anyOf": []}}, "/a/anyOf", "expected a list of schemas that is not empty, found an empty list"),
        ({"a": {"items": 5}}, "/a/items", "expected a schema, found the number 5"),
    ],
)
def test_what_a_keyword_holds_instead_of_schemas(properties: Any, place: str, problem: str) -> None:
    (finding,) = lint({"type": "object", "properties": properties}, PLAIN)
    assert (finding.pointer, finding.problem) == (f"/properties{place}", problem)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_schema_of_a_result_may_be_anything_at_its_root(dialect: Dialect) -> None:
    assert found({"type": dialect.types["string"]}, dialect, arguments=False) == []
    assert "root" in {rule for rule, _ in found({"type": dialect.types["string"]}, dialect)}


@pytest.mark.parametrize("schema", [5, None, "x", [], True, {}, {"type": 5}, {"properties": 5}, {"required": 5,
    "enum": 5},
                                    {"type": "object", "properties": {"a": 5}}, {"$ref": 5}, {"pattern": 5},
                                    {"required": [{}], "type": "object", "properties": {}},
                                    {"minItems": "x", "minLength": None, "items": 5, "anyOf": 5},
                                    LOOKS_BAD])  # fmt: skip
def test_nonsense_is_told_and_never_raises(schema: Any) -> None:
    for dialect in DIALECTS:
        assert lint(schema, dialect) or schema is LOOKS_BAD


@given(schemas())
def test_findings_lead_somewhere(schema: dict[str, Any]) -> None:
    for dialect in DIALECTS:
        found(schema, dialect)


@pytest.mark.parametrize("dialect", [OPENAI, ANTHROPIC_STRICT, PLAIN], ids=lambda dialect: dialect.id)
@pytest.mark.parametrize("word", ["STRING", "String", "str"])
def test_a_type_is_spelled_as_json_schema_spells_it(dialect: Dialect, word: str) -> None:
    assert ("types", "/properties/p/type") in found(p({"type": word}), dialect)
    assert ("types", "/properties/p/type") not in found(p({"type": "string"}), dialect)


@pytest.mark.parametrize(
    ("pattern", "kind", "accepted"),
    [
        (r"a\\$", "unanchored", False),
        (r"[$^]\$", "unanchored", True),
        (r"^a\\*?b$", "anchored", False),
        (r"^a\*?[*?]$", "anchored", True),
        (r"^C:\\bin$", "simple", True),
        (r"^\w\\\b", "simple", False),
        (r"f\(?=x[(?=]\\1", "plain", True),
        (r"(f)\\\1", "plain", False),
    ],
)
def test_the_syntax_of_a_pattern_is_not_what_stands_in_escapes_and_classes(
    pattern: str, kind: Patterns, accepted: bool
) -> None:
    assert compiles(pattern, kind) is accepted


def test_what_moonshot_accepts_beside_types_and_references() -> None:
    for part in ({"type": ["string", "null"], "description": "d"}, {"$ref": "#/$defs/A", "description": "d"}):
        schema = p(part, **{"$defs": {"A": {"type": "object"}}})
        assert [finding.rule for finding in lint(schema, MOONSHOT) if not finding.accepted] == []
