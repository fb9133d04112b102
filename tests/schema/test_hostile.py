"""Schemas that are made to crash, or to take for ever: unsound values, endless patterns, products, long names."""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from typing import Any

import pytest

from toolbridge import DocumentError, Toolbox, check, convert
from toolbridge.data.equality import Values, equal, exact_key, same, value_key
from toolbridge.data.pointer import MISSING, get
from toolbridge.formats.dialects import DIALECTS, GEMINI, OPENAI, OPENAI_STRICT
from toolbridge.formats.mcp.tools import headers
from toolbridge.formats.registry import FORMATS
from toolbridge.limits import LIMITS, Limits
from toolbridge.schema import BudgetExceeded, Dialect, Options, fit
from toolbridge.schema.dialect import compiles
from toolbridge.schema.references import Document

Json = Any
WRITTEN = [form.id for form in FORMATS if not form.reads_only]


def tool(schema: Json) -> Json:
    return {"name": "a", "inputSchema": {"type": "object", **schema}}


def deep(levels: int, last: Json = 1) -> Json:
    value = last
    for _ in range(levels):
        value = [value]
    return value


# values


@pytest.mark.parametrize(
    ("one", "other", "are_equal", "are_same"),
    [
        (1, 1.0, True, False),
        (1, True, False, False),
        (0, False, False, False),
        ("1", 1, False, False),
        (None, 0, False, False),
        ([], {}, False, False),
        ([1, [2]], [1.0, [2.0]], True, False),
        ([[1], 2], [[1, 2]], False, False),
        ([["a"], "b"], [["a", "b"]], False, False),
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1}, True, True),
        ({"a": 1}, {"a": 1.0}, True, False),
        ({"a": 1}, {"a": True}, False, False),
        ({"a": {"b": 1}}, {"a": {}, "b": 1}, False, False),
        (10**20, 1e20, True, False),
        (10**400, 10**400, True, True),
        (10**400, 10**400 + 1, False, False),
        (-(2**70), -(2.0**70), True, False),
        (2**70 + 1, 2.0**70, False, False),
        (10**308, 1e308, False, False),
        (int(1e308), 1e308, True, False),
        (float("inf"), float("inf"), True, True),
        (deep(5_000), deep(5_000), True, True),
        (deep(5_000), deep(5_000, 2), False, False),
    ],
)
def test_values_are_told_apart_as_json_schema_does(one: Json, other: Json, are_equal: bool, are_same: bool) -> None:
    assert equal(one, other) is (other in Values([one])) is are_equal
    assert same(one, other) is (exact_key(one) == exact_key(other)) is are_same


def test_no_two_numbers_are_chosen_to_have_one_hash() -> None:
    far = 2**61 - 1  # Python's hash of a number is what it leaves when divided by this
    assert len({hash(value_key(n * far)) for n in range(1, 1000)}) > 990


def test_the_keys_of_large_numbers_are_not_larger_than_the_numbers() -> None:
    """1e308 is an integer of 1,024 bits, of which only 53 say anything."""
    assert value_key(1e308) == value_key(int(1e308)) == 1e308
    assert value_key([1e308]) == ((list, 1), 1e308)


# what a keyword's value is of no kind that the drafts allow


@pytest.mark.parametrize("to", WRITTEN)
@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#", "dependentRequired": {"a": [{}]}},
        {"allOf": [{"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {"a": 1, "b": [[]]}}]},
        {"maxProperties": 10**400},
        {"properties": {"x": {"type": "string", "maxLength": 10**400, "minLength": 1e308}}},
        {"properties": {"x": {"type": "number", "maximum": 10**400, "multipleOf": 1e308, "enum": [10**400, 1e308]}}},
        {"properties": {"x": {"type": ["string", [], {}], "required": [[]], "enum": [[], {}]}}},
        {"properties": {"x": {"enum": [deep(400), {"a": deep(400)}], "default": deep(400), "const": deep(400)}}},
        {"properties": {"x": {"prefixItems": [{}], "$ref": "#/properties/x/prefixItems/" + "1" * 5000}}},
    ],
)
def test_values_of_any_kind_cross_or_are_refused(schema: Json, to: str) -> None:
    assert "TB905" not in convert([tool(schema)], to, source="mcp", on_error="skip").report.counts()


@pytest.mark.parametrize("told", [f"enum: {'[' * 1000}{']' * 1000}", "format: []", f"minimum: {'1' * 5000}", "enum: 1"])
def test_what_a_description_tells_is_read_only_where_it_is_sound(told: str) -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string", "description": f"x\n\n{{{told}}}"}}}
    found = convert({"type": "function", "name": "a", "parameters": schema}, "mcp", source="openai@responses")
    assert found.value["inputSchema"] == schema
    assert convert(tool(schema), "gemini@parameters", source="mcp").remainder is not None
    Toolbox([tool(schema)], to="gemini@parameters", source="mcp")


def test_an_index_of_thousands_of_digits_leads_nowhere() -> None:
    assert get([1], "/" + "1" * 5000) is MISSING


def test_headers_are_looked_for_at_any_depth() -> None:
    schema: Json = {"type": "string", "x-mcp-header": "A"}
    for _ in range(5_000):
        schema = {"type": "object", "properties": {"a": schema}}
    assert headers({"name": "a", "inputSchema": schema}) == 1


def test_the_scope_of_a_place_does_not_depend_on_how_many_resources_there_are() -> None:
    """All of them were looked at for each reference, so that many dynamic references took the square."""

    def seconds(number: int) -> float:
        resources = {f"p{n}": {"$id": f"https://a.example/p{n}", "properties": {"x": {}}} for n in range(number)}
        document = Document({"properties": resources}, LIMITS)
        place = "/properties/p1/properties/x"
        assert document.scope((), place) == ("", "/properties/p1")
        taken: list[float] = []
        for _ in range(5):
            start = time.process_time()
            for _ in range(100):
                document.scope((), place)
            taken.append(time.process_time() - start)
        return min(taken)

    assert seconds(4_000) < 8 * max(seconds(40), 0.0005)


# patterns


@pytest.mark.parametrize(
    "pattern",
    ["(?i)" + "[\x01-\U0010ffff]" * 190, r"[\u0100-\uffff]" * 60, "(?s)(?:(?i:[a-z]))" * 50, "(a{1,100}){1,100}" * 50],
)
def test_a_pattern_is_soon_looked_at(pattern: str) -> None:
    start = time.process_time()
    for n in range(10):
        assert compiles(f"{n}{pattern}", "python") is (pattern[0] != "(" or pattern[1] != "?")
    assert time.process_time() - start < 0.5  # compiling one of them takes as much


@pytest.mark.parametrize(
    "pattern",
    ["[中-文]", "[文-中]", "[a-文]", "[文-a]", "文-中", r"[\u4e00-\u9fff]", r"[\u9fff-\u4e00]", r"\\u9fff-\\u4e00",
     "(?i)a", "(?im)é", "(?i:a)b", "(?j)a", "[é", "(?P<é>文)", r"[\\-\u4e00]", r"\文", "[\U0001f600-\U0001f64f]"],
)  # fmt: skip
def test_characters_beyond_latin_compile_where_they_did(pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error:
        assert not compiles(pattern, "python")
    else:
        assert compiles(pattern, "python")


@pytest.mark.parametrize("key", ["pattern", "patternProperties"])
def test_a_longer_pattern_than_the_limit_is_left_out(key: str) -> None:
    pattern = "a" * (LIMITS.pattern + 1)
    value: Json = pattern if key == "pattern" else {pattern: {}}
    schema: Json = {"type": "object", "properties": {"x": {"title": "t", key: value}}}
    lost = fit(schema, OPENAI, Options(prose=False))
    assert lost.schema["properties"]["x"].keys() <= {"title", "patternProperties"}
    assert any(note.code == "TB201" and note.source.startswith(f"/properties/x/{key}") for note in lost.notes)
    kept = fit(schema, OPENAI, Options(limits=Limits(pattern=2_000)))
    assert kept.schema == schema
    assert not kept.notes
    if key == "pattern":
        plain = {"type": "object", "properties": {"x": {"type": "string", key: value}}}
        assert "TB201" in {note.code for note in fit(plain, GEMINI, Options(prose=False)).notes}
        assert "pattern" in fit(plain, GEMINI, Options(limits=Limits(pattern=2_000))).schema["properties"]["x"]


@pytest.mark.parametrize("dialect", [it for it in DIALECTS if it.pattern_syntax != "any"], ids=lambda it: it.id)
@pytest.mark.parametrize("around", ["property", "allOf", "items", "property beside an array without items"])
def test_a_smaller_limit_holds_wherever_a_pattern_is(dialect: Dialect, around: str) -> None:
    node: Json = {"type": "string", "pattern": "^" + "a" * 20 + "$"}
    if around == "allOf":
        node = {"allOf": [node]}
    elif around == "items":
        node = {"type": "array", "items": node}
    schema: Json = {"type": "object", "properties": {"x": node}, "required": ["x"], "additionalProperties": False}
    if around.endswith("without items"):
        schema["properties"]["z"] = {"type": "array"}
    found = fit(schema, dialect, Options(prose=False, limits=Limits(pattern=10)))
    assert '"pattern"' not in json.dumps(found.schema)
    assert any(note.code == "TB201" and note.source.endswith("/pattern") for note in found.notes)


def test_check_says_that_a_pattern_is_too_long() -> None:
    schema = {"properties": {"x": {"type": "string", "pattern": "a" * 5_000}}}
    assert "a pattern of 5,000 characters" in str(check(tool(schema), "openai@chat")[0])
    assert not check(tool(schema), "anthropic@messages")


# bounds


def test_more_enumerated_values_than_the_limit_are_not_worked_on() -> None:
    schema: Json = {"type": "object", "properties": {"x": {"enum": [1, 2, 3]}}}
    assert fit(schema, GEMINI, Options(limits=Limits(enum=3))).schema
    with pytest.raises(BudgetExceeded, match=r"more than 2 enumerated values \(limit enum\)"):
        fit(schema, GEMINI, Options(limits=Limits(enum=2)))
    assert fit(schema, OPENAI, Options(limits=Limits(enum=2))).schema is schema


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda it: it.id)
@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"title": f"{n}"} for n in range(5_000)], "oneOf": [{"maximum": n} for n in range(5_000)]},
        {"allOf": [{"properties": {f"p{n}": {}}, "additionalProperties": {"minLength": n}} for n in range(400)]},
    ],
    ids=["product", "parts"],
)
def test_what_grows_by_itself_is_bounded(schema: Json, dialect: Any) -> None:
    start = time.process_time()
    with suppress(BudgetExceeded):
        fit({"type": "object", "properties": {"x": schema}}, dialect)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("key", ["maxLength", "x-a"])
@pytest.mark.parametrize("dialect", [OPENAI_STRICT, GEMINI], ids=["kept", "renamed"])
def test_long_names_around_much_are_refused(key: str, dialect: Dialect) -> None:
    inner = {"type": "object", "properties": {f"p{n}": {"type": "string", key: 10**20} for n in range(2_000)}}
    schema: Json = {"type": "object", "properties": {"a" * 50_000: inner}}
    with pytest.raises(BudgetExceeded, match="names that are too long"):
        fit(schema, dialect)
    with pytest.raises(DocumentError, match="names that are too long"):
        check(tool(schema), "openai@chat-strict")


def test_a_long_name_of_what_is_written_out_again_and_again_is_refused() -> None:
    """The places of its losses were 400 MB."""
    name, several = "k" * 5_000, range(290)
    unknown: Json = {"type": "string", **{f"x-{n}": n for n in several}}
    definitions = {"S": {"$ref": f"#/$defs/{name}"}, name: unknown}
    properties = {f"p{n}": {"$ref": "#/$defs/S"} for n in several}
    with pytest.raises(BudgetExceeded, match="names that are too long"):
        fit({"type": "object", "properties": properties, "$defs": definitions}, GEMINI)


def test_a_definition_keeps_its_name_where_others_would_be_called_so() -> None:
    there: Json = {
        "type": "object",
        "properties": {f"p{n}": {"$ref": place} for n, place in enumerate([
            "#/$defs/a/$defs/x", "#/$defs/b/$defs/x", "#/$defs/x_2", "#/$defs/c/$defs/x", "#/$defs/x_3",
        ])},
        "$defs": {**{key: {"$defs": {"x": {"type": "string", "title": key}}} for key in "abc"},
                  "x_2": {"type": "string", "title": "x_2"}, "x_3": {"type": "string", "title": "x_3"}},
    }  # fmt: skip
    found = fit(there, OPENAI_STRICT).schema["$defs"]
    assert {name: it["title"] for name, it in found.items()} == {
        "x": "a", "x_2": "b", "x_2_2": "x_2", "x_3": "c", "x_3_2": "x_3",
    }  # fmt: skip
