"""ValueSchema and parameters to JSON Schema and back: no difference without a note."""

from __future__ import annotations

import copy
import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbridge.data.pointer import MISSING, drop, get, join, overlap, put, split
from toolbridge.errors import DocumentError
from toolbridge.formats.arcade_engine import places
from toolbridge.formats.arcade_engine.places import places_in
from toolbridge.formats.arcade_engine.value_schema import (
    parameters_from_schema,
    schema_from_parameters,
    schema_from_value,
    value_from_schema,
)
from toolbridge.losses.report import CODES
from toolbridge.schema import BudgetExceeded

SHARED = Path(__file__).parents[2].parent / "shared"
EDITIONS = ("4", "otc")
UNTOLD = ("inner_val_type", "enum", "properties", "inner_properties", "description", "required_keys")
UNTOLD += ("inner_required_keys", "nullable")


def written(schema: Any, edition: str = "4", *, value: bool = False) -> tuple[Any, list[tuple[str, str, str | None]]]:
    notes: list[tuple[str, str, str | None]] = []
    write: Any = value_from_schema if value else parameters_from_schema
    before = copy.deepcopy(schema)
    out = write(schema, lambda *loss: notes.append(loss), edition=edition)
    assert schema == before
    return out, notes


def read(wire: Any, *, value: bool = False) -> tuple[Any, dict[str, Any]]:
    kept: dict[str, Any] = {}
    reader: Any = schema_from_value if value else schema_from_parameters
    before = copy.deepcopy(wire)
    schema = reader(wire, lambda place, value, _: kept.__setitem__(place, value))
    assert wire == before
    return schema, kept


def stated(wire: Any) -> Any:
    """The wire value without what is merely spelled out."""
    if isinstance(wire, dict):
        return {k: stated(v) for k, v in wire.items() if v is not None}
    return [stated(v) for v in wire] if isinstance(wire, list) else wire


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


# what is exact


EXACT = [
    ({"type": "string"}, {"val_type": "string"}),
    ({"type": "integer"}, {"val_type": "integer"}),
    ({"type": "string", "const": "a"}, {"val_type": "string", "enum": ["a"]}),
    ({"type": "string", "enum": ["a", "b"]}, {"val_type": "string", "enum": ["a", "b"]}),
    ({"type": ["string", "null"], "enum": ["a", None]}, {"val_type": "string", "enum": ["a"], "nullable": True}),
    ({"type": ["string", "null"]}, {"val_type": "string", "nullable": True}),
    ({"oneOf": [{"type": "string"}, {"type": "null"}]}, {"val_type": "string", "nullable": True}),
    ({"type": "string", "anyOf": [{"enum": ["a"]}, {"const": "b"}]}, {"val_type": "string", "enum": ["a", "b"]}),
    ({"type": "string", "oneOf": [{"const": "a"}, {"const": "b"}]}, {"val_type": "string", "enum": ["a", "b"]}),
    ({"allOf": [{"type": "string"}]}, {"val_type": "string"}),
    ({"type": "object"}, {"val_type": "json"}),
    ({"type": "object", "additionalProperties": False}, {"val_type": "json", "properties": {}, "required_keys": []}),
    (
        {**closed(b={"type": "string"}, a={"type": "boolean"}), "required": ["b", "a"]},
        {
            "val_type": "json",
            "properties": {"b": {"val_type": "string"}, "a": {"val_type": "boolean"}},
            "required_keys": ["a", "b"],
        },
    ),
    (
        {
            "allOf": [
                {**closed(a={"type": "string"}), "required": ["a"]},
                {"properties": {"a": {"enum": ["x"]}}, "additionalProperties": False},
            ]
        },
        {"val_type": "json", "properties": {"a": {"val_type": "string", "enum": ["x"]}}, "required_keys": ["a"]},
    ),
    ({"type": "array"}, {"val_type": "array"}),
    (
        {"type": "array", "items": {"type": "string", "enum": ["a"]}},
        {"val_type": "array", "inner_val_type": "string", "enum": ["a"]},
    ),
    (
        {"type": "array", "items": closed(a={"type": "array", "items": {"type": "number"}})},
        {
            "val_type": "array",
            "inner_val_type": "json",
            "inner_properties": {"a": {"val_type": "array", "inner_val_type": "number"}},
            "inner_required_keys": [],
        },
    ),
    (
        {"anyOf": [{"type": "string", "description": "d"}, {"type": "null"}]},
        {"val_type": "string", "description": "d", "nullable": True},
    ),
]


@pytest.mark.parametrize(("schema", "value"), EXACT, ids=[json.dumps(schema) for schema, _ in EXACT])
def test_what_is_exact_is_said_without_a_note(schema: Any, value: Any) -> None:
    out, notes = written(schema, value=True)
    assert stated(out) == value
    assert list(out)[1:] == list(UNTOLD)
    assert notes == []
    nested, notes = written(closed(p=schema))
    text = out.pop("description")
    assert nested == [
        {
            "name": "p",
            "required": False,
            "description": text,
            "value_schema": {**out, "description": None},
            "inferrable": True,
        }
    ]
    assert notes == []
    again, notes = written(read(out, value=True)[0], value=True)
    assert (again, notes) == ({**out, "description": None}, [])


ADDS_NOTHING = [
    # No word of the value schema stands for these: the same value is written without them.
    ({"type": "boolean", "enum": [True, False]}, {"val_type": "boolean"}, ["/enum"]),
    ({"type": ["integer", "number"]}, {"val_type": "number"}, ["/type"]),
    ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, {"val_type": "number"}, ["/anyOf/0"]),
    ({"anyOf": [{"type": "number"}, {"type": "integer"}]}, {"val_type": "number"}, ["/anyOf/1"]),
    ({"anyOf": [{"type": "string"}, {"type": "string"}]}, {"val_type": "string"}, ["/anyOf/1"]),
    (
        {"type": "string", "oneOf": [{"enum": ["a"]}, {"enum": ["b"]}, {"enum": ["a"]}]},
        {"val_type": "string", "enum": ["a", "b"]},
        ["/oneOf"],
    ),
    (
        {"anyOf": [{"type": "string", "const": "a"}, {"type": "string", "enum": ["a", "b"]}, {"type": "null"}]},
        {"val_type": "string", "enum": ["a", "b"], "nullable": True},
        ["/anyOf/0"],
    ),
    (
        {"type": "string", "allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]},
        {"val_type": "string", "enum": ["b"]},
        ["/allOf/0/enum", "/allOf/1/enum"],
    ),
    ({"type": "string", "enum": ["a", "b"], "const": "a"}, {"val_type": "string", "enum": ["a"]}, ["/enum"]),
    ({"type": "object", "properties": {}}, {"val_type": "json"}, ["/properties"]),
    ({"type": "object", "required": []}, {"val_type": "json"}, ["/required"]),
    ({"type": "object", "additionalProperties": {}}, {"val_type": "json"}, ["/additionalProperties"]),
    ({"type": "array", "items": {}}, {"val_type": "array"}, ["/items"]),
]


@pytest.mark.parametrize(("schema", "value", "places"), ADDS_NOTHING, ids=[json.dumps(it[0]) for it in ADDS_NOTHING])
def test_words_that_add_nothing_are_noted(schema: Any, value: Any, places: list[str]) -> None:
    out, notes = written(schema, value=True)
    assert stated(out) == value
    assert sorted(place for _, place, _ in notes) == places
    assert {code for code, _, _ in notes} <= {"TB103", "TB203"}


def test_empty_properties_that_are_written_are_not_noted() -> None:
    assert written(closed(), value=True)[1] == []
    assert written(closed())[1] == []
    assert {place for _, place, _ in written({"type": "object", "properties": {}})[1]} == {""}


# what is lost


LOSSES: list[tuple[Any, Any, set[tuple[str, str]]]] = [
    ({"type": "string", "minLength": 1, "pattern": "a"}, "string", {("TB201", "/minLength"), ("TB201", "/pattern")}),
    ({"type": "integer", "minimum": 1, "multipleOf": 2}, "integer", {("TB201", "/minimum"), ("TB201", "/multipleOf")}),
    (
        {"type": "string", "format": "uri", "title": "T", "default": "a", "x-a": 1, "$comment": "c"},
        "string",
        {("TB103", f"/{key}") for key in ("format", "title", "default", "x-a", "$comment")},
    ),
    ({"type": ["string", "integer"]}, "string", {("TB303", "/type")}),
    ({"anyOf": [{"type": "boolean"}, {"type": "string"}]}, "boolean", {("TB303", "/anyOf/1")}),
    ({"anyOf": [{"type": "string"}, {"type": "boolean"}], "description": "d"}, "string", {("TB303", "/anyOf/1")}),
    ({}, "json", {("TB304", "")}),
    ({"minimum": 1}, "number", {("TB304", ""), ("TB201", "/minimum")}),
    ({"items": {"type": "string"}}, "array", {("TB304", "")}),
    (
        {"properties": {}, "const": 0, "minimum": 1},
        "json",
        {("TB304", ""), ("TB103", "/properties"), ("TB103", "/minimum"), ("TB201", "/const")},
    ),
    ({"type": "null"}, "string", {("TB202", "/type")}),
    ({"type": ["string"], "nullable": True}, "string", {("TB103", "/nullable")}),
    ({"type": "string", "nullable": False}, "string", {("TB103", "/nullable")}),
    ({"type": "integer", "enum": [1, 2]}, "integer", {("TB201", "/enum")}),
    ({"const": 1.5}, "number", {("TB201", "/const"), ("TB401", "/const")}),
    ({"const": True}, "boolean", {("TB201", "/const"), ("TB401", "/const")}),
    ({"const": {"a": 1}}, "json", {("TB201", "/const"), ("TB401", "/const")}),
    # Values have a type, but nobody said it.
    ({"const": "a"}, "string", {("TB401", "/const")}),
    ({"enum": ["a", None]}, "string", {("TB401", "/enum")}),
    (
        {"anyOf": [{"enum": ["a"]}, {"const": "b"}]},
        "string",
        {("TB401", "/anyOf/0/enum"), ("TB401", "/anyOf/1/const")},
    ),
    (
        {"oneOf": [{"const": "a"}, {"const": "b"}]},
        "string",
        {("TB401", "/oneOf/0/const"), ("TB401", "/oneOf/1/const")},
    ),
    ({"type": "array", "items": {"enum": ["a"]}}, "array", {("TB401", "/items/enum")}),
    ({"type": "string", "enum": []}, "string", {("TB201", "/enum")}),
    ({"type": "string", "enum": ["a", None]}, "string", {("TB103", "/enum/1")}),
    ({"type": "integer", "enum": ["1"]}, "integer", {("TB201", "/enum"), ("TB103", "/enum/0")}),
    ({"type": "string", "enum": [1]}, "string", {("TB001", "/enum")}),
    ({"type": "string", "enum": ["a", "a"]}, "string", {("TB103", "/enum/1")}),
    ({"enum": ["a", 1]}, "string", {("TB303", "/enum"), ("TB401", "/enum")}),
    ({"type": "array", "items": {"type": "array"}}, "array", {("TB202", "/items")}),
    ({"type": "array", "items": {"type": ["string", "null"]}}, "array", {("TB202", "/items")}),
    (
        {"type": "array", "items": {"type": "string", "nullable": True}},
        "array",
        {("TB202", "/items")},
    ),
    ({"type": "array", "items": [{"type": "string"}]}, "array", {("TB202", "/items"), ("TB103", "/items")}),
    (
        {"type": "array", "prefixItems": [{"type": "string"}], "items": False},
        "array",
        {("TB201", "/prefixItems"), ("TB201", "/items")},
    ),
    (
        {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
        "array",
        {("TB202", "/prefixItems"), ("TB202", "/prefixItems/0"), ("TB201", "/prefixItems/0"), ("TB201", "/items")},
    ),
    ({"type": "array", "items": False}, "array", {("TB201", "/items")}),
    ({"type": "array", "items": {"title": "T"}}, "array", {("TB103", "/items")}),
    ({"type": "array", "items": {"type": "string", "description": "d"}}, "array", {("TB103", "/items/description")}),
    (
        {"type": "array", "uniqueItems": True, "contains": {}},
        "array",
        {("TB201", "/uniqueItems"), ("TB201", "/contains")},
    ),
    ({"type": "object", "properties": {"a": {"type": "string"}}}, "json", {("TB302", "")}),
    (
        {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}},
        "json",
        {("TB302", ""), ("TB201", "/additionalProperties")},
    ),
    ({"type": "object", "additionalProperties": {"type": "string"}}, "json", {("TB201", "/additionalProperties")}),
    (
        {"type": "object", "patternProperties": {"^x": {}}, "additionalProperties": False},
        "json",
        {("TB201", "/patternProperties"), ("TB204", "/additionalProperties")},
    ),
    ({"type": "object", "required": ["a"]}, "json", {("TB201", "/required/0")}),
    ({**closed(a={"type": "string"}), "required": ["a", "z"]}, "json", {("TB201", "/required/1")}),
    (
        {"type": "string", "not": {}, "if": {}, "then": {}, "dependentRequired": {}},
        "string",
        {("TB201", "/not"), ("TB103", "/if"), ("TB103", "/then"), ("TB103", "/dependentRequired")},
    ),
    ({"anyOf": [closed(a={"type": "string"}), closed(b={"type": "string"})]}, "json", {("TB203", "/anyOf")}),
    (
        {"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, closed(b={"type": "string"})]},
        "json",
        {("TB203", "/anyOf"), ("TB302", "/anyOf/0")},
    ),
    (
        {"anyOf": [{"type": "object"}, closed(a={"type": "string"})]},
        "json",
        {("TB103", "/anyOf/1")},
    ),
    (
        {"anyOf": [{"properties": {}, "multipleOf": 2}, closed(a={"type": "string"})]},
        "json",
        {
            ("TB304", "/anyOf/0"),
            ("TB103", "/anyOf/0/properties"),
            ("TB103", "/anyOf/0/multipleOf"),
            ("TB103", "/anyOf/1"),
        },
    ),
    (
        {"oneOf": [{"type": "string"}, {"enum": ["a"]}]},
        "string",
        {("TB203", "/oneOf"), ("TB103", "/oneOf/1"), ("TB401", "/oneOf/1/enum")},
    ),
    (
        {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "number"}}]},
        "array",
        {("TB203", "/anyOf")},
    ),
    (
        {"type": "string", "items": {"title": "T"}, "required": ["a"]},
        "string",
        {("TB103", "/items"), ("TB103", "/required")},
    ),
    ({"type": ["string", "array"], "items": {"type": "string"}}, "string", {("TB303", "/type"), ("TB103", "/items")}),
    ({"type": "dict"}, "json", {("TB001", "/type")}),
    (
        {"type": "object", "required": None, "properties": []},
        "json",
        {("TB001", "/required"), ("TB001", "/properties")},
    ),
    ({"type": "string", "anyOf": [], "allOf": {}}, "string", {("TB001", "/anyOf"), ("TB001", "/allOf")}),
    ({"type": "string", "allOf": [5]}, "string", {("TB001", "/allOf/0")}),
    ({"type": "string", "description": 5}, "string", {("TB001", "/description")}),
    (
        {"type": "string", "description": "a", "allOf": [{"description": "b"}]},
        "string",
        {("TB103", "/allOf/0/description")},
    ),
]


@pytest.mark.parametrize(("schema", "kind", "expected"), LOSSES, ids=[json.dumps(row[0]) for row in LOSSES])
def test_what_is_lost_is_noted_where_it_stood(schema: Any, kind: str, expected: set[tuple[str, str]]) -> None:
    out, notes = written(schema, value=True)
    assert out["val_type"] == kind
    assert {note[:2] for note in notes} == expected


# laws of writing


NAMES = ("a", "b", "c")
SCALARS: list[Any] = ["a", "b", "abc", "", 0, 1, -1, 2.5, True, False, None]
names = st.sampled_from(NAMES)
texts = st.sampled_from(["one", "two"])


def one_of_these(*keywords: tuple[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.sampled_from(keywords).flatmap(lambda pair: st.builds(lambda value: {pair[0]: value}, pair[1]))


CONSTRAINTS = (
    ("minLength", st.integers(0, 3)),
    ("maxLength", st.integers(0, 2)),
    ("pattern", st.sampled_from(["^a", "b$"])),
    ("minimum", st.integers(-1, 2)),
    ("exclusiveMaximum", st.integers(0, 2)),
    ("multipleOf", st.just(2)),
    ("uniqueItems", st.booleans()),
    ("nullable", st.booleans()),
    ("minItems", st.integers(0, 2)),
    ("minProperties", st.integers(0, 2)),
    ("dependentRequired", st.just({"a": ["b"]})),
    ("format", st.just("date")),
    ("title", texts),
    ("description", texts),
    ("default", st.sampled_from(SCALARS)),
)
MALFORMED = (
    ("type", st.sampled_from(["dict", None, [], ["string", 5], 3])),
    ("required", st.sampled_from([None, True, "a", [5], ["a", "a"]])),
    ("properties", st.sampled_from([[], None, 5, {"a": 5}, {"a": None}])),
    ("items", st.sampled_from([[], None, 5, [{"type": "string"}]])),
    ("enum", st.sampled_from([[], None, "a", {}])),
    ("additionalProperties", st.sampled_from([None, 5, "no"])),
    ("anyOf", st.sampled_from([[], None, {}, [5], "a"])),
    ("allOf", st.sampled_from([[], None, [None]])),
    ("description", st.sampled_from([None, 5])),
    ("patternProperties", st.sampled_from([None, []])),
    ("prefixItems", st.sampled_from([None, []])),
)


def bigger(sub: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(sub, min_size=1, max_size=3)
    part = one_of_these(
        ("properties", st.dictionaries(names, sub, max_size=3)),
        ("required", st.lists(names, max_size=2, unique=True)),
        ("additionalProperties", st.one_of(st.booleans(), sub)),
        ("additionalProperties", st.just(False)),
        ("items", sub),
        ("prefixItems", several),
        ("anyOf", several),
        ("oneOf", several),
        ("allOf", several),
        ("not", sub),
        ("if", sub),
        ("then", sub),
        ("patternProperties", st.dictionaries(st.sampled_from(["^a", "b"]), sub, max_size=1)),
        ("unevaluatedProperties", st.just(False)),
        ("enum", st.lists(st.sampled_from([*SCALARS, [], {}]), min_size=1, max_size=3, unique_by=repr)),
        ("const", st.sampled_from(SCALARS)),
        ("type", st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])),
        ("type", st.lists(st.sampled_from(["string", "integer", "null", "array", "object"]), min_size=1, unique=True)),
        *CONSTRAINTS,
    )
    typed = st.builds(lambda *parts: {k: v for p in parts for k, v in p.items()}, part, part, part)
    record = st.builds(
        lambda properties, more: {"type": "object", "properties": properties, **more},
        st.dictionaries(names, sub, min_size=1, max_size=3),
        st.one_of(st.just({}), st.just({"additionalProperties": False}), part),
    )
    array = st.builds(lambda items: {"type": "array", "items": items}, sub)
    return st.one_of(typed, record, array)


small = st.one_of(
    st.sampled_from([{"type": t} for t in ("string", "integer", "number", "boolean", "null", "array", "object")]),
    st.sampled_from([{}, True, False, {"enum": ["a", "b"]}, {"const": "a"}, {"type": ["string", "null"]}]),
    st.builds(lambda a, b: {**a, **b}, st.sampled_from([{"type": "string"}, {}]), one_of_these(*CONSTRAINTS)),
)
schemas = st.recursive(small, bigger, max_leaves=6)
wild = st.recursive(
    st.one_of(small, one_of_these(*MALFORMED), st.sampled_from([None, 5, "x", []])), bigger, max_leaves=6
)
objects = bigger(schemas).filter(lambda schema: isinstance(schema, dict))


def samples(schema: Any, depth: int = 0) -> list[Any]:
    """Values that a schema may accept, and near misses."""
    found: list[Any] = [*SCALARS, [], ["a"], [1], [None], [[]], {}]
    if depth > 3 or not isinstance(schema, dict):
        return [*found, {"a": "a"}, {"a": 1, "z": "a"}]
    found += [v for v in schema.get("enum", ()) if v not in found] if isinstance(schema.get("enum"), list) else []
    known: dict[str, list[Any]] = {name: [] for name in (*NAMES, "z")}

    def collect(sub: Any) -> None:
        if not isinstance(sub, dict):
            return
        properties = sub.get("properties")
        for name, inner in properties.items() if isinstance(properties, dict) else ():
            known.setdefault(name, []).extend(samples(inner, depth + 1)[:40])
        if isinstance(sub.get("items"), dict):
            found.extend([item] for item in samples(sub["items"], depth + 1)[:40])
        for key in ("anyOf", "oneOf", "allOf"):
            for member in sub[key] if isinstance(sub.get(key), list) else ():
                collect(member)

    collect(schema)
    known = {name: values or ["a", 1] for name, values in known.items()}
    for name, values in known.items():
        for value in values:
            found.append({name: value})
            found.append({other: vs[0] for other, vs in known.items() if other != "z"} | {name: value})
            found.append({other: vs[-1] for other, vs in known.items() if other not in {name, "z"}})
    unique = {json.dumps(v, sort_keys=True): v for v in found}
    return list(unique.values())[:600]


def without_nullable(schema: Any) -> Any:
    """The schema with `null` for `nullable`, which means something beside one type (OpenAPI 3.0.3), in practice beside
    references, alternatives and enumerations, and in no draft.
    """
    if isinstance(schema, list):
        return [without_nullable(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    known = ("enum", "const", "default", "properties")
    plain = {key: value if key in known else without_nullable(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict):
        plain["properties"] = {name: without_nullable(each) for name, each in schema["properties"].items()}
    if plain.get("nullable") is True and "type" not in plain and plain.keys() & {"$ref", "allOf", "anyOf", "oneOf"}:
        held = {key: plain.pop(key) for key in ("$defs", "definitions") if key in plain}
        return {"anyOf": [plain, {"type": "null"}], **held}
    if plain.get("nullable") is True and (isinstance(plain.get("type"), str) or "type" not in plain):
        if "type" in plain:
            plain["type"] = [plain["type"], "null"]
        if isinstance(plain.get("enum"), list) and None not in plain["enum"]:
            plain["enum"] = [*plain["enum"], None]
    return plain


def judges(schema: Any) -> list[Any]:
    """Validators of the drafts by whose rules the schema is one."""
    schema = without_nullable(schema)
    found: list[Any] = []
    for draft in (jsonschema_rs.Draft202012Validator, jsonschema_rs.Draft7Validator):
        try:
            found.append(draft(schema, validate_formats=False))
        except (jsonschema_rs.ValidationError, ValueError):
            continue
    return found


def disagreement(schema: Any, other: Any, only: type = object, values: list[Any] | None = None) -> set[str]:
    """TB2 where the other accepts what the schema refuses, TB3 the other way round."""
    back = jsonschema_rs.Draft202012Validator(other)
    found: set[str] = set()
    for judge in judges(schema):
        for value in samples(schema) if values is None else values:
            if isinstance(value, only) and judge.is_valid(value) != back.is_valid(value):
                found.add("TB2" if back.is_valid(value) else "TB3")
    return found


def families(notes: list[tuple[str, str, str | None]], at: str = "") -> set[str]:
    return {code[:3] for code, source, _ in notes if overlap(source, at)}


@pytest.mark.parametrize("edition", EDITIONS)
@given(schema=objects)
def test_arguments_keep_their_meaning_or_a_note_says_so(edition: str, schema: dict[str, Any]) -> None:
    out, notes = written(schema, edition)
    back, _ = read(out)
    assert disagreement(schema, back, dict) <= families(notes), (notes, out)


@pytest.mark.parametrize("edition", EDITIONS)
@given(schema=schemas.filter(lambda schema: isinstance(schema, dict)))
def test_values_keep_their_meaning_or_a_note_says_so(edition: str, schema: Any) -> None:
    out, notes = written(schema, edition, value=True)
    back, _ = read(out, value=True)
    assert disagreement(schema, back) <= families(notes), (notes, out)


with_references = st.builds(
    lambda schema, one, other: {**schema, "$defs": {"A": one, "B": other}},
    st.recursive(
        st.one_of(
            small,
            st.sampled_from([{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B", "description": "here"}, {"$ref": "#"}]),
            st.builds(lambda more: {"$ref": "#/$defs/A", **more}, one_of_these(*CONSTRAINTS)),
        ),
        bigger,
        max_leaves=6,
    ).filter(lambda schema: isinstance(schema, dict)),
    st.one_of(schemas, st.builds(lambda sub: {**sub, "title": "A"}, objects)),
    st.sampled_from([{"$ref": "#/$defs/A"}, {"type": "object", "properties": {"a": {"$ref": "#/$defs/B"}}}]),
)


@pytest.mark.parametrize("edition", EDITIONS)
@given(schema=with_references)
def test_references_keep_their_meaning_and_their_places(edition: str, schema: dict[str, Any]) -> None:
    for value in (False, True):
        out, notes = written(schema, edition, value=value)
        back, _ = read(out, value=value)
        tried = [*samples(schema), *samples(schema["$defs"]["A"])]
        assert disagreement(schema, back, object if value else dict, tried) <= families(notes), (notes, out)
        for _, source, target in notes:
            assert get(schema, source) is not MISSING, (source, notes)
            assert target is None or get(out, target) is not MISSING, (target, out)


def compare(given_: Any, back: Any, notes: list[tuple[str, str, str | None]], at: str) -> None:
    """Property by property: a difference has its note at, under or above the property.

    Where other schemas stand beside `properties`, these may speak of the same property.
    """
    assert disagreement(given_, back) <= families(notes, at), (at, notes, back)
    beside = {"allOf", "anyOf", "oneOf", "if", "not"}
    if isinstance(given_, dict) and isinstance(given_.get("properties"), dict) and beside.isdisjoint(given_):
        for name, sub in given_["properties"].items():
            found = get(back, join("properties", name))
            if found is not MISSING:
                compare(sub, found, notes, at + join("properties", name))


@pytest.mark.parametrize("edition", EDITIONS)
@given(properties=st.dictionaries(names, schemas, min_size=1, max_size=3))
def test_a_note_lies_where_the_difference_is(edition: str, properties: dict[str, Any]) -> None:
    schema = closed(**properties)
    out, notes = written(schema, edition)
    compare(schema, read(out)[0], notes, "")


@pytest.mark.parametrize("edition", EDITIONS)
@given(schema=st.one_of(wild, bigger(wild)).filter(lambda schema: isinstance(schema, dict)))
def test_nonsense_does_not_crash_and_notes_know_their_places(edition: str, schema: Any) -> None:
    for value in (False, True):
        out, notes = written(schema, edition, value=value)
        read(out, value=value)
        for code, source, target in notes:
            assert code in CODES
            assert get(schema, source) is not MISSING, (source, notes)
            assert target is None or get(out, target) is not MISSING, (target, out)


def every_place(value: Any, at: str = "") -> list[str]:
    below: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        below = list(value.items())
    elif isinstance(value, list):
        below = list(enumerate(value))
    return [at] * bool(at) + [p for key, sub in below for p in every_place(sub, at + join(key))]


def mutants(document: Any) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for at in every_place(document):
        less = json.loads(json.dumps(document))
        drop(less, at)
        found.append((at, less))
        for other in ("other", 7, None, False, {"type": "boolean"}):
            if other is not get(document, at) and other != get(document, at):
                changed = json.loads(json.dumps(document))
                put(changed, at, other)
                found.append((at, changed))
    return found


@pytest.mark.parametrize("edition", EDITIONS)
@given(schema=schemas.filter(lambda schema: isinstance(schema, dict)))
def test_nothing_of_a_schema_goes_silently(edition: str, schema: dict[str, Any]) -> None:
    out, notes = written(schema, edition, value=True)
    for at, changed in mutants(schema):
        if any(overlap(source, at) for _, source, _ in notes):
            continue
        if written(changed, edition, value=True) != (out, notes):
            continue
        # The same words for the same meaning, such as a type beside an enum that implies it, are completeness.
        assert judges(changed), (at, changed)
        values = samples(schema) + samples(changed)
        for one, other in zip(judges(schema), judges(changed), strict=False):
            for value in values:
                assert one.is_valid(value) == other.is_valid(value), (at, changed, value)
        assert not {"description", "title", "default", "format"} & set(split(at)), (at, changed)


# losses of the draft, alternatives of parameters, bounds


def test_the_draft_has_neither_structure_nor_null() -> None:
    inner = {**closed(x={"type": "string"}), "required": ["x"]}
    schema = closed(p=inner, q={"type": ["string", "null"]}, r={"type": "array", "items": inner}, s={"type": "null"})
    out, notes = written(schema, "otc")
    assert out[0] == {
        "name": "p",
        "required": False,
        "value_schema": {"val_type": "json", "inner_val_type": None, "enum": None},
        "inferrable": True,
    }
    assert {note[:2] for note in notes} == {
        ("TB201", "/properties/p/properties"),
        ("TB201", "/properties/p/required"),
        ("TB204", "/properties/p/additionalProperties"),
        ("TB303", "/properties/q/type"),
        ("TB201", "/properties/r/items/properties"),
        ("TB201", "/properties/r/items/required"),
        ("TB204", "/properties/r/items/additionalProperties"),
        ("TB202", "/properties/s/type"),
        ("TB303", "/properties/s/type"),
    }
    assert written({"type": "string", "description": "d"}, "otc", value=True)[1] == [("TB103", "/description", "")]


@pytest.mark.parametrize("union", ["allOf", "anyOf", "oneOf"])
def test_no_parameter_is_lost_in_alternatives(union: str) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        union: [
            {"properties": {"b": {"type": "integer"}, "d": {"type": "string"}}, "required": ["b", "d"]},
            {"properties": {"c": {"type": "boolean"}, "d": {"type": "string"}}, "required": ["d"]},
        ],
    }
    out, notes = written(schema)
    every = union == "allOf"
    assert [(p["name"], p["required"]) for p in out] == [("a", True), ("b", every), ("d", True), ("c", False)]
    assert ("TB302", "", "") in notes
    assert any(note[0] == "TB203" for note in notes) is not every


def test_an_alternative_that_asks_for_nothing_loses_no_parameter_either() -> None:
    schema = {"type": "object", "anyOf": [closed(a={"type": "string"}), {}]}
    out, notes = written(schema)
    assert [p["name"] for p in out] == ["a"]
    assert {("TB203", "/anyOf"), ("TB303", "/anyOf/0/properties/a")} <= {note[:2] for note in notes}


def test_a_closed_half_of_an_all_of_does_not_swallow_the_other() -> None:
    schema = {"type": "object", "allOf": [closed(a={"type": "string"}), {"properties": {"b": {"type": "string"}}}]}
    out, notes = written(schema)
    assert [p["name"] for p in out] == ["a", "b"]
    assert {note[:2] for note in notes} == {
        ("TB201", "/allOf/0/additionalProperties"),
        ("TB103", "/allOf/0/type"),  # without it the same is written: D6
    }


def test_roots_that_are_not_plain_objects() -> None:
    assert written({"description": "d", **closed()}) == ([], [("TB103", "/description", "")])
    assert written({"type": "object"}) == ([], [("TB302", "", "")])
    assert written({})[1] == [("TB401", "", ""), ("TB302", "", "")]
    assert ("TB202", "/type", "") in written({"type": "string"})[1]


def test_what_was_referred_to_is_named_where_it_stands() -> None:
    schema = {**closed(a={"$ref": "#/$defs/A"}), "$defs": {"A": {"type": "string", "minLength": 3, "title": "T"}}}
    out, notes = written(schema)
    assert out[0]["value_schema"]["val_type"] == "string"
    assert {("TB201", "/$defs/A/minLength", "/0"), ("TB103", "/$defs/A/title", "/0")} <= set(notes)


def test_a_recursive_schema_is_cut_with_a_note() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}, "additionalProperties": False}
    out, notes = written({**closed(tree={"$ref": "#/$defs/Node"}), "$defs": {"Node": node}})
    assert out[0]["value_schema"]["properties"]["next"]["val_type"] == "json"
    assert "TB205" in {note[0] for note in notes}


@pytest.mark.parametrize("keyword", ["properties", "allOf", "anyOf"])
def test_depth_is_bounded(keyword: str) -> None:
    schema: Any = {"type": "string"}
    for _ in range(5000):
        schema = {keyword: {"a": schema} if keyword == "properties" else [schema]}
    with pytest.raises(BudgetExceeded):
        parameters_from_schema(schema, lambda *_: None, edition="4")
    value: Any = {"val_type": "string"}
    for _ in range(5000):
        value = {"val_type": "json", "properties": {"a": value}}
    with pytest.raises(BudgetExceeded):
        schema_from_value(value, lambda *_: None)


def test_many_alternatives_are_written_up_to_the_limit() -> None:
    for count in (1000, 3000):
        schema = {"type": "object", "anyOf": [closed(**{f"p{n}": {"type": "string"}}) for n in range(count)]}
        with nullcontext() if count == 1000 else pytest.raises(BudgetExceeded):
            assert len(written(schema)[0]) == count


def test_items_of_items_are_not_looked_into() -> None:
    schema: Any = {"type": "string"}
    for _ in range(5000):
        schema = {"items": schema}
    notes: list[tuple[str, str, str | None]] = []
    out = value_from_schema(schema, lambda *loss: notes.append(loss), edition="4")
    assert (out["val_type"], out["inner_val_type"]) == ("array", None)
    assert "/items" in {place for _, place, _ in notes}


# reading


PARAMETERS: list[Any] = [
    {"name": "q", "required": True, "description": "Query", "value_schema": {"val_type": "string", "enum": None}},
    {
        "name": "lines",
        "required": False,
        "description": None,
        "value_schema": {
            "val_type": "array",
            "inner_val_type": "json",
            "inner_properties": {
                "sku": {"val_type": "string", "description": "d", "enum": ["a", "b"], "nullable": True},
                "qty": {"val_type": "integer", "nullable": False},
            },
            "inner_required_keys": ["sku"],
            "description": "Lines",
        },
        "inferrable": False,
        "http_endpoint_parameter_name": "l",
    },
    {
        "name": "tags",
        "required": False,
        "value_schema": {"val_type": "array", "inner_val_type": "string", "enum": ["x"]},
    },
    {"name": "any", "required": False, "value_schema": {"val_type": "json", "properties": None}},
    {"name": "none", "required": True, "value_schema": {"val_type": "json", "properties": {}, "required_keys": []}},
    {"name": "n", "required": False, "value_schema": {"val_type": "number", "properties": {}, "enum": ["1"], "x": 1}},
]


def test_parameters_become_a_closed_object() -> None:
    schema, kept = read(PARAMETERS)
    assert schema == {
        "type": "object",
        "properties": {
            "q": {"type": "string", "description": "Query"},
            "lines": {
                "type": "array",
                "description": "Lines",
                "items": {
                    "type": "object",
                    "properties": {
                        "sku": {"type": ["string", "null"], "description": "d", "enum": ["a", "b", None]},
                        "qty": {"type": "integer"},
                    },
                    "required": ["sku"],
                    "additionalProperties": False,
                },
            },
            "tags": {"type": "array", "items": {"type": "string", "enum": ["x"]}},
            "any": {"type": "object"},
            "none": {"type": "object", "properties": {}, "additionalProperties": False},
            "n": {"type": "number", "enum": [1]},
        },
        "required": ["q", "none"],
        "additionalProperties": False,
    }
    assert kept == {
        "/0/value_schema/enum": None,
        "/1/description": None,
        "/1/value_schema/description": "Lines",
        "/1/value_schema/inner_properties/qty/nullable": False,
        "/1/inferrable": False,
        "/1/http_endpoint_parameter_name": "l",
        "/3/value_schema/properties": None,
        "/4/value_schema/required_keys": [],
        "/5/value_schema/properties": {},
        "/5/value_schema/enum": ["1"],
        "/5/value_schema/x": 1,
    }


def test_numbers_are_no_values_of_an_object() -> None:
    schema, kept = read({"val_type": "json", "enum": [1]}, value=True)
    assert schema == {"type": "object"}
    assert kept == {"/enum": [1]}


def test_the_last_of_two_parameters_of_one_name_wins() -> None:
    schema, kept = read([
        {"name": "a", "required": True, "value_schema": {"val_type": "string"}},
        {"name": "a", "required": False, "value_schema": {"val_type": "integer"}},
    ])
    assert schema == closed(a={"type": "integer"})
    assert list(kept) == ["/0"]


@pytest.mark.parametrize(
    ("wire", "at"),
    [
        ({"required": True, "value_schema": {"val_type": "string"}}, "/0/name"),
        ({"name": "a", "value_schema": {"val_type": "string"}}, "/0/required"),
        ({"name": "a", "required": True}, "/0/value_schema"),
        ({"name": "a", "required": True, "value_schema": {"val_type": "date"}}, "/0/value_schema/val_type"),
        (
            {"name": "a", "required": True, "value_schema": {"val_type": "json", "properties": {"b": {}}}},
            "/0/value_schema/properties/b/val_type",
        ),
        ("a", "/0"),
    ],
)
def test_what_every_edition_demands_is_demanded(wire: Any, at: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read([wire])
    assert caught.value.pointer == at


def wire_value(sub: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.one_of(st.none(), st.lists(names, max_size=3), st.just("a"))
    return st.fixed_dictionaries(
        {"val_type": st.sampled_from(["string", "integer", "json", "json", "array", "array"])},
        optional={
            "inner_val_type": st.sampled_from(["string", "json", "json", "number", "array", None, 5]),
            "enum": st.sampled_from([None, [], ["a"], ["a", "b"], [1], "a"]),
            "properties": st.one_of(st.none(), st.dictionaries(names, sub, max_size=2), st.just([])),
            "inner_properties": st.one_of(st.none(), st.dictionaries(names, sub, max_size=2)),
            "description": st.sampled_from([None, "d", "", 5]),
            "required_keys": keys,
            "inner_required_keys": keys,
            "nullable": st.sampled_from([None, True, False, "yes"]),
            "strange": st.sampled_from(SCALARS),
        },
    )


values = st.recursive(wire_value(st.just({"val_type": "string"})), wire_value, max_leaves=4)
parameter_lists = st.lists(
    st.fixed_dictionaries(
        {"name": names, "required": st.booleans(), "value_schema": values},
        optional={
            "description": st.sampled_from([None, "d", "", 5]),
            "inferrable": st.sampled_from([True, False, None]),
            "http_endpoint_parameter_name": st.just("a"),
        },
    ),
    max_size=3,
)


@given(wire=parameter_lists)
def test_nothing_of_the_parameters_goes_silently(wire: list[Any]) -> None:
    schema, kept = read(wire)
    for at, changed in mutants(wire):
        if any(overlap(place_, at) and len(place_) <= len(at) for place_ in kept):
            continue
        try:
            assert read(changed) != (schema, kept), (at, changed, kept)
        except DocumentError:
            continue


@given(wire=parameter_lists)
def test_what_is_read_is_written_again(wire: list[Any]) -> None:
    schema, kept = read(wire)
    back, notes = written(schema)
    assert not unexpected(notes)
    schema = without_numbers(schema)
    assert read(back)[0] == {**schema, "required": sorted(schema.get("required", ()))} or read(back)[0] == schema
    if len({p["name"] for p in wire}) < len(wire):
        return
    for at, value in kept.items():
        put(back, at, value)
    wire = copy.deepcopy(wire)
    for parameter in wire:
        # Arcade always writes a description, if only null; where there is none, that of the value is written there
        text = parameter["value_schema"].get("description")
        if "description" not in parameter and isinstance(text, str):
            parameter["description"] = parameter["value_schema"].pop("description")
    assert without_defaults(back) == without_defaults(wire)


def unexpected(notes: list[tuple[str, str, Any]]) -> list[tuple[str, str, Any]]:
    """Notes of what the engine can say. Values that are no strings it spells as text, which is read and not written;
    values that are not of the type, or that are listed twice, are left out.
    """
    lost = {at for code, at, _ in notes if code == "TB201" and at.endswith("/enum")}
    lost |= {at for code, at, _ in notes if code == "TB103" and at.rpartition("/")[0].endswith("/enum")}
    return [note for note in notes if note[1] not in lost]


def without_numbers(schema: Any) -> Any:
    """The schema without enumerated values that are no strings."""
    if isinstance(schema, list):
        return [without_numbers(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    lost = isinstance(schema.get("enum"), list) and not any(isinstance(it, str) for it in schema["enum"])
    return {key: without_numbers(inner) for key, inner in schema.items() if key != "enum" or not lost}


def without_defaults(wire: Any) -> Any:
    """The wire value without what is spelled out where the source may have said nothing."""
    if isinstance(wire, dict):
        kept = {k: without_defaults(v) for k, v in wire.items() if v is not None}
        if isinstance(kept.get("enum"), list):
            kept["enum"] = [it for n, it in enumerate(kept["enum"]) if it not in kept["enum"][:n]]
        for key, default in (("required_keys", []), ("inner_required_keys", []), ("inferrable", True)):
            if kept.get(key, MISSING) == default:
                del kept[key]
        return kept
    return [without_defaults(v) for v in wire] if isinstance(wire, list) else wire


# places


@pytest.mark.parametrize(
    ("sub", "expected"),
    [
        ("", ""),
        ("/required", ""),
        ("/required/1", "/4/required"),
        ("/additionalProperties", ""),
        ("/properties", ""),
        ("/properties/q", "/0"),
        ("/properties/q/type", "/0/value_schema/val_type"),
        ("/properties/q/minLength", "/0/value_schema"),
        ("/properties/q/enum", "/0/value_schema"),
        ("/properties/q/description", "/0/description"),
        ("/properties/lines/description", "/1/value_schema/description"),
        ("/properties/lines/type", "/1/value_schema/val_type"),
        ("/properties/lines/items", "/1/value_schema"),
        ("/properties/lines/items/type", "/1/value_schema/inner_val_type"),
        ("/properties/lines/items/required/0", "/1/value_schema/inner_required_keys/0"),
        ("/properties/lines/items/required/7", "/1/value_schema/inner_required_keys"),
        ("/properties/lines/items/properties", "/1/value_schema/inner_properties"),
        ("/properties/lines/items/properties/sku", "/1/value_schema/inner_properties/sku"),
        ("/properties/lines/items/properties/sku/enum/1", "/1/value_schema/inner_properties/sku/enum/1"),
        ("/properties/lines/items/properties/sku/enum/2", "/1/value_schema/inner_properties/sku/enum"),
        ("/properties/lines/items/properties/sku/x/y", "/1/value_schema/inner_properties/sku"),
        ("/properties/tags/items/enum/0", "/2/value_schema/enum/0"),
        ("/properties/tags/items/items/type", "/2/value_schema"),
        ("/properties/none/required", "/4/value_schema/required_keys"),
        ("/properties/zzz/type", ""),
    ],
)
def test_places_are_translated(sub: str, expected: str) -> None:
    assert places_in(PARAMETERS)(sub) == expected


@pytest.mark.parametrize("value", [False, True])
def test_places_are_found_from_those_above_them(value: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each was looked for from the root: twelve levels of doubled references took a second."""
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"minLength": 1}}}
    for _ in range(40):
        schema = {"type": "object", "properties": {"a": schema, "b": {"type": "string", "minLength": 1}}}
    looked: list[str] = []
    monkeypatch.setattr(places, "get", lambda document, place: looked.append(place) or get(document, place))
    _, notes = written(schema, value=value)
    assert len(notes) > 80
    assert len(looked) < 3 * len(notes)


# other people's word


def definition(parameters: Any, value: Any) -> dict[str, Any]:
    return {
        "name": "T",
        "fully_qualified_name": "K.T",
        "description": "d",
        "toolkit": {"name": "K", "version": "1.0.0"},
        "input": {"parameters": parameters},
        "output": {"description": None, "available_modes": ["value"], "value_schema": value},
        "requirements": {},
    }


@given(schema=wild.filter(lambda schema: isinstance(schema, dict)))
def test_arcade_accepts_what_is_written_and_spells_it_the_same(schema: Any) -> None:
    arcade: Any = pytest.importorskip("arcade_core.schema")
    parameters, _ = written(schema)
    value, _ = written(schema, value=True)
    dumped = arcade.ToolDefinition.model_validate(definition(parameters, value)).model_dump()
    assert json.dumps(dumped["input"]["parameters"]) == json.dumps(parameters)
    assert json.dumps(dumped["output"]["value_schema"]) == json.dumps(value)


@pytest.fixture(scope="module")
def draft() -> Any:
    path = SHARED / "specs/otc/tool_definition.schema.json"
    if not path.is_file():
        pytest.skip(f"the March 2025 draft is not here: {path}")
    return jsonschema_rs.validator_for(json.loads(path.read_bytes()))


@given(schema=wild.filter(lambda schema: isinstance(schema, dict)))
def test_the_draft_accepts_what_is_written(draft: Any, schema: Any) -> None:
    parameters, _ = written(schema, "otc")
    value, _ = written(schema, "otc", value=True)
    tool = definition(parameters, value)
    del tool["output"]["description"]
    draft.validate(tool)


@pytest.mark.parametrize(
    ("alternatives", "places"),
    [
        ({"anyOf": [{}, {}]}, ["/anyOf/0", "/anyOf/1"]),
        ({"anyOf": [{"description": "d"}, {}]}, ["/anyOf/0/description", "/anyOf/1"]),
        ({"oneOf": [True]}, ["/oneOf/0"]),
        ({"anyOf": [{"anyOf": [{}]}]}, ["/anyOf/0/anyOf/0"]),
        ({"allOf": [{}, {"required": ["a"]}]}, ["/allOf/0"]),
        ({"allOf": [True]}, ["/allOf/0"]),
    ],
)
@pytest.mark.parametrize("value", [False, True])
def test_alternatives_that_change_nothing_are_noted(alternatives: Any, places: list[str], value: bool) -> None:
    schema = {**closed(a={"type": "string"}, b={"type": "string"}), **alternatives}
    _, notes = written(closed(n=schema), value=value)
    assert sorted(place for _, place, _ in notes) == ["/properties/n" + place for place in places]
    assert {code for code, _, _ in notes} == {"TB103"}
    _, notes = written(schema)
    assert all(any(overlap(source, place) for _, source, _ in notes) for place in places)


def test_what_merged_alternatives_refer_to_is_noted() -> None:
    one, two = closed(a={"type": "string"}, b={"type": "string"}), closed(a={"type": "string"}, c={"type": "string"})
    union = {"oneOf": [{"$ref": "#/$defs/One"}, {"$ref": "#/$defs/Two"}]}
    _, notes = written({**closed(n=union), "$defs": {"One": one, "Two": two}})
    assert {source for code, source, _ in notes if code == "TB203"} == {
        "/properties/n/oneOf",
        "/$defs/One",
        "/$defs/Two",
    }
    _, notes = written({**closed(n=union), "$defs": {"One": one, "Two": one}})
    assert {source for code, source, _ in notes if code == "TB103"} == {"/properties/n/oneOf/1", "/$defs/Two"}
    _, notes = written(closed(n=union))  # there are no definitions
    assert {source for code, source, _ in notes if code == "TB103"} == {"/properties/n/oneOf/1"}


@pytest.mark.parametrize("outer", [{}, {"description": "outer"}], ids=["", "described"])
def test_items_have_no_description_of_an_alternative(outer: Any) -> None:
    inner = {**closed(a={"type": "string"}), "description": "Of one"}
    parameters, notes = written(closed(n={"type": "array", "items": {**outer, "oneOf": [inner]}}))
    assert "Of one" not in json.dumps(parameters)
    assert {source for code, source, _ in notes if code == "TB103"} == {
        "/properties/n/items/oneOf/0/description",
        *(["/properties/n/items/description"] if outer else []),
    }


@pytest.mark.parametrize("corpus", ["arcade-toolkits-a", "arcade-wrappers-a"])
def test_real_parameters_survive_the_way_through_json_schema(corpus: str) -> None:
    path = SHARED / "corpus" / corpus / "tools.arcade.jsonl"
    if not path.is_file():
        pytest.skip(f"the real tools are not here: {path}")
    for line in path.read_bytes().splitlines():
        tool = json.loads(line)
        wire = tool["input"]["parameters"]
        schema, kept = read(wire)
        jsonschema_rs.meta.validate(schema)
        back, notes = written(schema)
        assert not unexpected(notes)
        for at, value in kept.items():
            put(back, at, value)
        assert without_defaults(back) == without_defaults(wire)
        schema, kept = read(tool["output"]["value_schema"], value=True)
        out, notes = written(schema, value=True)
        for at, value in kept.items():
            put(out, at, value)
        assert (without_defaults(out), notes) == (without_defaults(tool["output"]["value_schema"]), [])


def test_real_input_schemas_keep_their_meaning_or_a_note_says_so() -> None:
    paths = sorted((SHARED / "corpus").glob("*/tools.mcp.jsonl"))
    if not paths:
        pytest.skip(f"the real tools are not here: {SHARED / 'corpus'}")
    lines = [line for path in paths for line in path.read_bytes().splitlines()]
    for line in lines[:: max(1, len(lines) // 300)]:
        schema = json.loads(line).get("inputSchema")
        if not isinstance(schema, dict):
            continue
        out, notes = written(schema)
        back, _ = read(out)
        tried = [value for value in samples(schema) if isinstance(value, dict)]
        assert disagreement(schema, back, dict, tried) <= families(notes), (line, notes)


def test_a_closed_object_with_patterns_is_named_by_these() -> None:
    node = {**closed(a={"type": "string"}), "patternProperties": {"^x": {"type": "string"}}}
    _, notes = written({**closed(n={"$ref": "#/$defs/One"}), "$defs": {"One": node}})
    assert [source for code, source, _ in notes if code == "TB302"] == ["/$defs/One/patternProperties"]
    del node["additionalProperties"]
    _, notes = written({**closed(n={"$ref": "#/$defs/One"}), "$defs": {"One": node}})
    assert [source for code, source, _ in notes if code == "TB302"] == ["/properties/n"]


def test_no_properties_beside_patterns_are_reported() -> None:
    node = {"type": "object", "properties": {}, "patternProperties": {"^x": {}}, "additionalProperties": False}
    parameters, notes = written(closed(n=node))
    assert parameters[0]["value_schema"]["properties"] is None
    assert ("TB103", "/properties/n/properties") in [(code, source) for code, source, _ in notes]


def test_enumerated_numbers_beside_strings_are_reported() -> None:
    parameters, notes = written(closed(n={"type": ["string", "number"], "enum": ["a", 403, None]}))
    assert parameters[0]["value_schema"]["enum"] == ["a"]
    assert ("TB303", "/properties/n/enum") in [(code, source) for code, source, _ in notes]
