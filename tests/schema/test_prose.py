"""Constraints in descriptions: told in one line, or not at all; what stands in a text is never read as schema."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from laws.generated import JSON, TEXT
from laws.law import WRITABLE
from laws.meaning import reads
from schema.generated_schemas import fitted, schemas
from schema.parameter import LISTED, p
from toolbridge import convert
from toolbridge.data.pointer import get
from toolbridge.formats.dialects import (
    ANTHROPIC_STRICT,
    COHERE,
    GEMINI,
    GEMINI_JSON,
    OLLAMA,
    OPENAI,
    OPENAI_STRICT,
)
from toolbridge.mapping.format import Format
from toolbridge.schema import BudgetExceeded
from toolbridge.schema.dialect import Dialect
from toolbridge.schema.prose import line


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
        ({"type": "number", "exclusiveMinimum": 0, "minimum": 0}, GEMINI, "{exclusiveMinimum: 0}"),
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


@example({"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"default": "text"}]}}})
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
                told = str(get(fit.schema, target)).rpartition("\n")[2]
                assert re.fullmatch(r"\{[$A-Za-z]+: .+\}", told), (dialect, source, fit.schema)


# the line


KEYS = st.sampled_from(["minLength", "pattern", "enum", "not", "default", "examples", "additionalProperties", "format"])


@given(st.lists(st.tuples(KEYS, JSON), unique_by=lambda it: it[0]), TEXT)
def test_the_line_is_one_and_holds_json(told: list[tuple[str, Any]], text: str) -> None:
    made = line(told, text, None)
    if made is None:
        return
    description, keys = made
    found = description.removeprefix(text).removeprefix("\n\n" if text else "")
    parts = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in told if key in keys]
    assert found == "{" + ", ".join(parts) + "}"
    assert "\n" not in found


# text is text


TEXTS = ["A\n\n{not: {}}", "A\n\n{exclusiveMinimum: 5}", "{minLength: 2}", 'Town.\n\n{pattern: "^(?!x)"}']


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("source", [form for form in WRITABLE if form.dialect is not None], ids=lambda form: form.id)
def test_d5_a_description_is_never_read_as_schema(source: Format, text: str) -> None:
    """D5: what somebody wrote into a text, and what we wrote into one, stays text without a remainder."""
    tool = {"name": "t", "description": text, "inputSchema": {**p({"type": "string", "description": text})}}
    written = convert(tool, source, source="mcp").value
    back = convert(written, "mcp", source=source).value
    assert back["inputSchema"]["properties"]["p"]["description"] == text
    assert not {"not", "minLength", "exclusiveMinimum", "pattern"} & back["inputSchema"]["properties"]["p"].keys()
    constrained = {**tool, "inputSchema": p({"type": "string", "minLength": 2, "not": {"const": "x"}})}
    done = convert(constrained, source, source="mcp")
    back = convert(done.value, "mcp", source=source).value
    assert "{" not in text or back["inputSchema"]["properties"]["p"].keys() <= {*_schema(done.value, source)}
    assert convert(done.value, "mcp", source=source, restore=done.remainder or False).value == constrained


def _schema(tool: Any, form: Format) -> dict[str, Any]:
    """What the parameter says in the format itself."""
    found: dict[str, Any] = reads(tool, form).fields["input"]["properties"]["p"]
    return found
