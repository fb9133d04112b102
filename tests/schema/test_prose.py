"""Constraints in the prose of descriptions: told in one line that is read back exactly, or not told at all."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.arguments import samples
from laws.generated import JSON, TEXT
from laws.meaning import validator
from schema.generated_schemas import fitted, schemas
from schema.parameter import LISTED, p
from toolbridge.data.pointer import get
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
from toolbridge.schema import BudgetExceeded, unprose
from toolbridge.schema.dialect import PLAIN, Dialect
from toolbridge.schema.prose import line, parse


def described(schema: Any, dialect: Dialect, **options: Any) -> str:
    return fitted(p(schema), dialect, **options)[0].schema["properties"]["p"]["description"]


# what is told


@pytest.mark.parametrize(
    ("schema", "dialect", "text"),
    [
        ({"type": "string", "minLength": 2}, OPENAI_STRICT, "{minLength: 2}"),
        ({"type": "string", "minLength": 2, "description": "Town."}, OPENAI_STRICT, "Town.\n\n{minLength: 2}"),
        ({"type": "string", "minLength": 2, "maxLength": 5}, COHERE, "{minLength: 2, maxLength: 5}"),
        ({"type": "integer", "minimum": 1, "description": "n"}, ANTHROPIC_STRICT, "n\n\n{minimum: 1}"),
        ({"type": "integer", "exclusiveMinimum": 0, "minimum": 0}, GEMINI, "{exclusiveMinimum: 0}"),
        ({"type": "string", "default": "x"}, OPENAI_STRICT, '{default: "x"}'),
        ({"type": "string", "pattern": '^"ü$'}, OLLAMA, '{pattern: "^\\"ü$"}'),
        ({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, GEMINI, "{uniqueItems: true}"),
        ({"type": "string", "format": "uri"}, OPENAI_STRICT, '{format: "uri"}'),
        ({"type": "string", "not": {"const": "x"}}, GEMINI_JSON, '{not: {"const": "x"}}'),
    ],
)
def test_what_cannot_be_said_is_told_in_one_line(schema: dict[str, Any], dialect: Dialect, text: str) -> None:
    assert described(schema, dialect) == text
    _, notes = fitted(p(schema), dialect)
    key = text.rpartition("{")[2].partition(":")[0] if "not:" not in text else "not"
    assert ("TB503", f"/properties/p/{key}", "/properties/p/description") in notes or "maxLength" in text
    told = parse(text)
    assert told is not None
    assert told[0] == schema.get("description", "")
    assert all(told[1][key] == schema[key] for key in told[1])


@pytest.mark.parametrize("dialect", LISTED)
def test_prose_can_be_turned_off(dialect: Dialect) -> None:
    schema = p({"type": "string", "contentEncoding": "base64", "not": {"const": "x"}, "description": "Town."})
    fit, notes = fitted(schema, dialect, prose=False)
    assert fit.schema["properties"]["p"]["description"] == "Town."
    assert "TB503" not in {code for code, _, _ in notes}
    assert "TB201" in {code for code, _, _ in notes}
    assert fitted(schema, dialect)[0].schema["properties"]["p"]["description"].startswith("Town.\n\n{")


def test_closing_an_object_is_not_worth_the_words() -> None:
    fit, notes = fitted(
        p({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}), GEMINI
    )
    assert "description" not in fit.schema["properties"]["p"]
    assert {code for code, _, _ in notes} == {"TB204"}


def test_a_root_that_may_not_be_described_is_not() -> None:
    fit, notes = fitted({"type": "object", "properties": {}, "minProperties": 1}, OLLAMA)
    assert fit.schema == {"type": "object", "properties": {}}
    assert notes == [("TB201", "/minProperties", "")]


def test_a_reference_means_nothing_in_prose() -> None:
    schema = p({"type": "object", "not": {"$ref": "#/$defs/A"}}, **{"$defs": {"A": {"required": ["a"]}}})
    fit, notes = fitted(schema, GEMINI)
    assert "$ref" not in json.dumps(fit.schema)
    assert "description" not in fit.schema["properties"]["p"]
    assert "TB201" in {code for code, _, _ in notes}


def test_a_constraint_that_is_too_long_is_not_told() -> None:
    schema = {"type": "string", "pattern": "^" + "a?" * 300 + "$", "maxLength": 9}
    assert described(schema, OLLAMA) == "{maxLength: 9}"


@pytest.mark.parametrize("dialect", [OPENAI, OPENAI_STRICT])
@pytest.mark.parametrize("length", [900, 1000, 1004, 1005, 1006, 1024, 1100])
def test_descriptions_never_grow_past_the_limit(dialect: Dialect, length: int) -> None:
    schema = p({"type": "string", "pattern": "^(?!x)\\p{L}", "minLength": 2, "description": "d" * length})
    fit, _ = fitted(schema, dialect)
    text = fit.schema["properties"]["p"]["description"]
    assert len(text) <= max(length, 1024)
    assert text.startswith("d" * length)
    root = {"type": "object", "properties": {}, "description": "d" * length, "not": {"required": ["a"]}}
    assert len(fitted(root, dialect)[0].schema["description"]) <= max(length, 1024)


def test_the_limit_can_be_another_one() -> None:
    """What somebody knows about their own deployment goes before what we know."""
    schema = p({"type": "string", "minLength": 2, "description": "d" * 1020})
    assert described(schema["properties"]["p"], OPENAI_STRICT) == "d" * 1020
    assert described(schema["properties"]["p"], OPENAI_STRICT, description=None).endswith("{minLength: 2}")
    assert described(schema["properties"]["p"], OPENAI_STRICT, description=2000).endswith("{minLength: 2}")
    assert (
        described({"type": "string", "minLength": 2, "description": "d" * 30}, OPENAI_STRICT, description=40)
        == "d" * 30
    )


def test_the_description_of_a_lone_alternative_keeps_what_it_tells() -> None:
    schema = p({"oneOf": [{"type": "string", "minLength": 2}], "description": "Town."})
    fit, notes = fitted(schema, OLLAMA)
    assert ("TB503", "/properties/p/oneOf/0/minLength", "/properties/p/description") in notes
    assert fit.schema["properties"]["p"] == {"type": "string", "description": "Town.\n\n{minLength: 2}"}


@given(schemas())
def test_whoever_says_that_it_is_told_tells_it(schema: dict[str, Any]) -> None:
    for dialect in LISTED:
        try:
            fit, notes = fitted(schema, dialect)
        except BudgetExceeded:
            continue
        for code, source, target in notes:
            if code == "TB503":
                assert target is not None
                told = parse(str(get(fit.schema, target)))
                assert told is not None, (dialect, source, target, fit.schema)


# the line


KEYS = st.sampled_from(["minLength", "pattern", "enum", "not", "default", "examples", "additionalProperties", "format"])


@given(st.lists(st.tuples(KEYS, JSON), unique_by=lambda it: it[0]), TEXT)
def test_the_line_is_read_back_exactly(told: list[tuple[str, Any]], text: str) -> None:
    made = line(told, text, None)
    if made is None:
        return
    description, keys = made
    assert "\n" not in description.removeprefix(text).strip()
    read = parse(description)
    assert read is not None
    assert read[0] == text
    assert json.dumps(read[1]) == json.dumps({key: value for key, value in told if key in keys})


@given(TEXT)
def test_a_text_without_a_line_is_none(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Town. {minLength: 2}",
        "Town.\n{minLength: 2}",
        "Town.\n\n{minLength: 2} ",
        "Town.\n\n{minLength: 2}\n",
        "Town.\n\n{minLength:2}",
        "Town.\n\n{minLength: 2,maxLength: 3}",
        "Town.\n\n{minLength: 02}",
        "Town.\n\n{minLength: 2.}",
        "Town.\n\n{minLength: }",
        "Town.\n\n{minLength: 2, }",
        "Town.\n\n{minLength: 2}}",
        "Town.\n\n{lengthOfTown: 2}",
        'Town.\n\n{"minLength": 2}',
        "Town.\n\n{pattern: '^a'}",
        "Town.\n\n{}",
        "Town.\n\n{town: }",
        "Use {name}",
        "{name}",
        '{"type": "string"}',
        '{type: "string"}',
        "Town.\n\n{minLength: 2, minLength: 2}",
        "Town.\n\n{minimum: NaN}",
    ],
)
def test_what_only_looks_like_it_is_left_alone(text: str) -> None:
    schema = p({"type": "string", "description": text})
    for dialect in DIALECTS:
        assert unprose(schema, dialect) is schema
    assert parse(text) is None


# reading it back


@pytest.mark.parametrize(
    ("schema", "dialect"),
    [
        ({"type": "string", "minLength": 2, "maxLength": 4, "description": "Town."}, OPENAI_STRICT),
        ({"type": "string", "default": "x", "format": "uri"}, OPENAI_STRICT),
        ({"type": "string", "pattern": "^(?!x)"}, OPENAI_STRICT),
        ({"type": "integer", "minimum": 1, "multipleOf": 2}, ANTHROPIC_STRICT),
        ({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3}, ANTHROPIC_STRICT),
        ({"type": "string", "pattern": "\\bt"}, ANTHROPIC_STRICT),
        ({"type": "integer", "exclusiveMaximum": 3, "description": "n"}, GEMINI_JSON),
        ({"type": "string", "pattern": "^a$"}, COHERE),
        ({"type": "number", "minimum": 0.5}, COHERE),
        ({"type": "string", "format": "email"}, COHERE),
        ({"type": "string", "title": "T", "minLength": 1}, COHERE),
        ({"type": "integer", "minimum": 1, "default": 5}, OLLAMA),
        ({"type": "string", "not": {"enum": ["x"]}}, OLLAMA),
        ({"type": "string", "pattern": "^(?P<a>x)(?P=b)"}, OPENAI),
    ],
)
def test_constraints_come_home(schema: dict[str, Any], dialect: Dialect) -> None:
    whole = p(schema)
    written = fitted(whole, dialect)[0].schema
    assert written != whole
    before = copy.deepcopy(written)
    back = unprose(written, dialect)
    assert written == before
    assert back["properties"]["p"] == schema


def test_constraints_of_the_root_come_home() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    for dialect in (ANTHROPIC, BEDROCK, OPENAI, GEMINI_JSON, COHERE):
        written = fitted(schema, dialect)[0].schema
        assert "anyOf" not in written
        assert unprose(written, dialect)["anyOf"] == schema["anyOf"], dialect
        assert "description" not in unprose(written, dialect)


@pytest.mark.parametrize("dialect", [PLAIN, ANTHROPIC, OPENAI, BEDROCK])
def test_only_what_a_dialect_cannot_say_is_taken_for_a_constraint(dialect: Dialect) -> None:
    """A dialect that has the keyword would have used it: this is what somebody wrote."""
    schema = p({"type": "string", "description": "Town.\n\n{minLength: 2}"})
    assert unprose(schema, dialect) is schema


def test_what_is_said_already_is_not_said_by_prose() -> None:
    schema = p({"type": "string", "pattern": "a", "description": '{pattern: "^(?!x)"}'})
    assert unprose(schema, OPENAI_STRICT) is schema


def test_a_line_at_a_place_that_is_no_schema_is_no_constraint() -> None:
    schema = {
        "type": "object",
        "properties": {
            "description": {"type": "string", "enum": ["a"]},
            "b": {"type": "string", "const": {"description": "{not: {}}"}},
        },
    }
    assert unprose(schema, OLLAMA) is schema
    assert unprose({"description": 5, "properties": {"description": "{not: {}}"}}, OLLAMA) == {
        "description": 5,
        "properties": {"description": "{not: {}}"},
    }


@given(schemas(refers=False), st.integers(0, 10**6))
def test_prose_is_a_form_of_words_and_loses_nothing_more(schema: dict[str, Any], seed: int) -> None:
    """What is read back accepts no more than what it was read from, and is written and read back to the same."""
    for dialect in (COHERE, OLLAMA, GEMINI_JSON, ANTHROPIC_STRICT):
        first, _ = fitted(schema, dialect)
        home = unprose(first.schema, first.dialect)
        again = unprose(fitted(home, first.dialect)[0].schema, first.dialect)
        judges = [validator(it) for it in (first.schema, home, again)]
        if None in judges:
            continue
        written, meant, once_more = judges
        for value in samples([schema, home], Random(seed), 10):
            assert written(value) or not meant(value), (dialect, value, first.schema, home)
            assert meant(value) == once_more(value), (dialect, value, home, again)
