"""Older drafts and OpenAPI 3.0 under present names: the upgrade is exact, judged by a validator of the stated draft."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.arguments import nodes, samples
from schema.generated_schemas import fitted
from toolbridge.data.pointer import MISSING, get
from toolbridge.formats.dialects import DIALECTS, GEMINI, OLLAMA, OPENAI_STRICT
from toolbridge.schema.dialect import PLAIN, BudgetExceeded, Dialect

DRAFTS = {
    "http://json-schema.org/draft-04/schema#": jsonschema_rs.Draft4Validator,
    "http://json-schema.org/draft-06/schema#": jsonschema_rs.Draft6Validator,
    "http://json-schema.org/draft-07/schema#": jsonschema_rs.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema_rs.Draft201909Validator,
}
DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019 = DRAFTS
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"

Json = Any


def p(schema: Json, **root: Json) -> dict[str, Json]:
    return {"type": "object", "properties": {"p": schema}, **root}


def upgraded(schema: Json) -> Json:
    """What is written, which has to be exact, and to name its losses at places that exist."""
    before = copy.deepcopy(schema)
    fit, notes = fitted(schema, PLAIN)
    assert schema == before
    assert fit.argument_map is None
    for code, source, target in notes:
        assert code == "TB103", (code, source)
        assert get(schema, source) is not MISSING
        assert target is None or get(fit.schema, target) is not MISSING
    return fit.schema


# each form


CASES: list[tuple[str, Json, Json]] = [
    (DRAFT_07, {"items": [{"type": "string"}]}, {"prefixItems": [{"type": "string"}]}),
    (DRAFT_07, {"items": [{}], "additionalItems": False}, {"prefixItems": [{}], "items": False}),
    (DRAFT_07, {"items": [{}], "additionalItems": {"type": "null"}}, {"prefixItems": [{}], "items": {"type": "null"}}),
    (DRAFT_07, {"items": {"type": "string"}, "additionalItems": False}, {"items": {"type": "string"}}),
    (DRAFT_07, {"additionalItems": False}, {}),
    (DRAFT_07, {"dependencies": {"a": ["b"]}}, {"dependentRequired": {"a": ["b"]}}),
    (DRAFT_07, {"dependencies": {"a": {"required": ["b"]}}}, {"dependentSchemas": {"a": {"required": ["b"]}}}),
    (
        DRAFT_07,
        {"dependencies": {"a": ["b"], "c": {"minProperties": 2}}},
        {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"minProperties": 2}}},
    ),
    (DRAFT_04, {"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
    (DRAFT_04, {"maximum": 1, "exclusiveMaximum": True}, {"exclusiveMaximum": 1}),
    (DRAFT_04, {"minimum": 1, "exclusiveMinimum": False}, {"minimum": 1}),
    (DRAFT_04, {"exclusiveMinimum": True}, {}),
    (DRAFT_04, {"const": 1}, {}),
    (DRAFT_04, {"contains": {}, "propertyNames": False, "if": {}, "then": False}, {}),
    (DRAFT_06, {"if": {}, "then": False, "const": 1}, {"const": 1}),
    (DRAFT_06, {"exclusiveMinimum": 1, "minimum": 0}, {"exclusiveMinimum": 1, "minimum": 0}),
    (DRAFT_07, {"dependentRequired": {"a": ["b"]}, "unevaluatedProperties": False, "minContains": 1}, {}),
    (DRAFT_07, {"prefixItems": [False]}, {}),
    (DRAFT_2019, {"prefixItems": [False], "items": [{"type": "string"}]}, {"prefixItems": [{"type": "string"}]}),
    (DRAFT_2019, {"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {"a": ["b"]}}),
]


@pytest.mark.parametrize(("draft", "old", "new"), CASES)
def test_each_form_has_a_present_name(draft: str, old: Json, new: Json) -> None:
    assert upgraded(p(old, **{"$schema": draft})) == p(new)


@pytest.mark.parametrize(
    ("draft", "old", "new"), [case for case in CASES if case[0] == DRAFT_07 and "prefixItems" not in case[1]]
)
def test_forms_that_are_known_by_their_shape(draft: str, old: Json, new: Json) -> None:
    del draft
    if old.keys() & {"dependentRequired"}:
        new = old
    assert upgraded(p(old)) == p(new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        ({"nullable": True}, {}),
        ({"type": "string", "nullable": True, "enum": ["a", None]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": True, "nullable": True},
         {"type": ["integer", "null"], "exclusiveMinimum": 1}),
    ],
)  # fmt: skip
def test_openapi_says_null_in_its_own_way(old: Json, new: Json) -> None:
    """A true value adds null to the type that stands beside it, and to nothing else (OpenAPI 3.0.3)."""
    assert upgraded(p(old)) == p(new)


@pytest.mark.parametrize("root", [{"$schema": DRAFT_07}, {"$schema": DRAFT_2020}, {"$defs": {}}])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_who_says_nullable_elsewhere_means_it_and_is_told(dialect: Dialect, root: Json) -> None:
    """No draft of JSON Schema knows the word; what it means there is beyond doubt."""
    fit, notes = fitted(p({"type": "string", "nullable": True}, required=["p"], **root), dialect)
    said = fit.schema["properties"]["p"]
    told = {(code, source) for code, source, _ in notes}
    if dialect.type_unions == "none":  # nothing is null there, which is told
        assert said == {"type": "string"}
        assert ("TB303", "/properties/p/type") in told
    else:
        assert said.get("nullable") or "null" in str(said)
    assert ("TB001", "/properties/p/nullable") in told


def test_null_is_one_of_the_values_where_it_is_said_beside_them() -> None:
    """3.0.3 wants it to be listed; who says it beside values that lack it cannot mean anything else."""
    for held in ({"enum": ["a"]}, {"const": "a"}):
        for schema in ({"type": "string", "nullable": True, **held}, {**held, "type": "string", "nullable": True}):
            fit, notes = fitted(p(schema), PLAIN)
            assert fit.schema == p({"type": ["string", "null"], "enum": ["a", None]})
            assert [(code, source) for code, source, _ in notes] == [("TB001", "/properties/p/nullable")]
    fit, notes = fitted(p({"nullable": True, "enum": ["a"]}), PLAIN)
    assert fit.schema == p({"enum": ["a", None]})
    assert [(code, source) for code, source, _ in notes] == [("TB001", "/properties/p/nullable")]


@pytest.mark.parametrize(
    "held",
    [{"$ref": "#/$defs/A"}, {"allOf": [{"$ref": "#/$defs/A"}]}, {"oneOf": [{"minLength": 1}, {"type": "object"}]}],
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_null_that_is_said_beside_references_and_alternatives_is_meant(dialect: Dialect, held: Json) -> None:
    """3.0.3 gives it no effect without a type; generators of documents write it, and mean it."""
    schema = p({**held, "nullable": True, "description": "d"}, **{"$defs": {"A": {"type": "string", "minLength": 2}}})
    fit, notes = fitted(schema, dialect)
    assert ("TB001", "/properties/p/nullable") in {(code, source) for code, source, _ in notes}
    said = fit.schema["properties"]["p"]
    assert said.get("description", "d").startswith("d")
    if dialect.type_unions == "none":  # nothing is null there, which is told
        assert {code for code, _, _ in notes} & {"TB303", "TB203"}
    else:
        assert said.get("nullable") or "null" in str(said)
    if dialect is PLAIN:
        assert said == {"anyOf": [held, {"type": "null"}], "description": "d"}


@pytest.mark.parametrize("idle", [{"exclusiveMinimum": True}, {"exclusiveMaximum": False}, {"dependencies": {}}])
def test_what_says_nothing_in_an_old_draft_is_noted(idle: Json) -> None:
    (key,) = idle
    fit, notes = fitted(p({"type": "object", **idle}, **{"$schema": DRAFT_04}), PLAIN)
    assert fit.schema == p({"type": "object"})
    assert ("TB103", f"/properties/p/{key}", "/properties/p") in notes


def test_a_flag_is_lost_with_the_bound_that_it_makes_exclusive() -> None:
    _, notes = fitted(p({"type": "number", "minimum": 1, "exclusiveMinimum": True}), OLLAMA, prose=False)
    lost = [("TB201", f"/properties/p/{key}", "/properties/p") for key in ("minimum", "exclusiveMinimum")]
    assert notes == lost


def test_null_that_is_said_beside_values_is_one_of_them_in_a_union() -> None:
    branches = [{"type": "string", "nullable": True, "const": "a"}, {"type": "string", "nullable": True, "enum": ["b"]}]
    _, notes = fitted(p({"oneOf": branches}), OPENAI_STRICT)
    assert ("TB203", "/properties/p/oneOf") in {(code, source) for code, source, _ in notes}


@pytest.mark.parametrize("draft", [DRAFT_04, DRAFT_06, DRAFT_07])
def test_nothing_beside_a_reference_means_anything_up_to_draft_7(draft: str) -> None:
    schema = p(
        {"$ref": "#/definitions/A", "minLength": 5, "type": "null"},
        **{"$schema": draft, "definitions": {"A": {"type": "string"}}},
    )
    assert upgraded(schema) == {
        "type": "object",
        "properties": {"p": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"type": "string"}},
    }


@pytest.mark.parametrize("draft", [DRAFT_2019, DRAFT_2020])
def test_what_stands_beside_a_reference_means_something_since(draft: str) -> None:
    schema = p(
        {"$ref": "#/definitions/A", "minLength": 5}, **{"$schema": draft, "definitions": {"A": {"type": "string"}}}
    )
    written, _ = fitted(schema, PLAIN)
    judge = jsonschema_rs.Draft202012Validator({k: v for k, v in written.schema.items() if k != "$schema"})
    assert [judge.is_valid({"p": value}) for value in ("abc", "abcde", 5)] == [False, True, False]


def test_references_lead_where_they_led() -> None:
    """Into tuples, dependencies and properties; by escapes, addresses and anchors."""
    schema = p(
        {"items": [{"type": "string"}, {"$ref": "#/properties/p/items/0"}], "additionalItems": {"$ref": "#tail"}},
        **{
            "$schema": DRAFT_07,
            "dependencies": {"p": {"required": ["a/b"]}, "q": {"$ref": "#/dependencies/p"}},
            "definitions": {"T": {"$id": "#tail", "type": "boolean"}, "x%y": {"type": "null"}},
        },
    )
    schema["properties"]["a/b"] = {"$ref": "#/definitions/x%25y"}
    old, new = jsonschema_rs.Draft7Validator(schema), jsonschema_rs.Draft202012Validator(upgraded(schema))
    for value in (
        *({"p": ["x", "y", True], "a/b": None}, {"p": ["x", "y", 1], "a/b": None}, {"p": ["x", 5], "a/b": None}),
        *({"p": ["x"]}, {"q": 1}, {"q": 1, "a/b": None}, {"a/b": 1}, {}),
    ):
        assert old.is_valid(value) == new.is_valid(value), value


def test_a_recursive_reference() -> None:
    schema = p(
        {"$recursiveRef": "#"}, **{"$schema": DRAFT_2019, "$recursiveAnchor": True, "additionalProperties": False}
    )
    old, new = jsonschema_rs.Draft201909Validator(schema), jsonschema_rs.Draft202012Validator(upgraded(schema))
    for value in ({}, {"p": {}}, {"p": {"p": {}}}, {"p": {"q": 1}}, {"p": 5}):
        assert old.is_valid(value) == new.is_valid(value), value


@pytest.mark.parametrize("root", [{"$schema": DRAFT_2019}, {}])
def test_an_anchor_for_recursive_references_is_none_in_2020_12(root: Json) -> None:
    schema = p({"$recursiveAnchor": True}, **{"$recursiveAnchor": True}, **root)
    fit, notes = fitted(schema, PLAIN)
    assert fit.schema == p({})
    assert {*notes} >= {("TB103", place, None) for place in ("/$recursiveAnchor", "/properties/p/$recursiveAnchor")}


def test_what_contains_has_seen_was_not_evaluated_in_2019() -> None:
    """Since 2020-12 an item that `contains` matched is evaluated; before, it was not (core, 10.3.1.3 and 11.2)."""
    schema = p({"contains": {"type": "string"}, "unevaluatedItems": False}, **{"$schema": DRAFT_2019})
    old = jsonschema_rs.Draft201909Validator(schema)
    fit, notes = fitted(schema, PLAIN)
    new = jsonschema_rs.Draft202012Validator(fit.schema)
    if not {code[:3] for code, _, _ in notes} & {"TB2", "TB3"}:
        for value in ({"p": ["x"]}, {"p": []}, {"p": [1]}, {"p": 5}):
            assert old.is_valid(value) == new.is_valid(value), value


def test_what_is_2020_12_is_left_alone() -> None:
    schema = p({"prefixItems": [{}], "items": False, "exclusiveMinimum": 1}, **{"$schema": DRAFT_2020})
    fit, notes = fitted(schema, PLAIN)
    assert fit.schema is schema
    assert notes == []


def test_parameters_that_are_named_like_old_keywords() -> None:
    names = ("definitions", "dependencies", "additionalItems", "nullable", "id", "exclusiveMinimum", "items", "$schema")
    schema = {"type": "object", "properties": {name: {"type": "boolean"} for name in names}}
    fit, notes = fitted(schema, PLAIN)
    assert fit.schema is schema
    assert notes == []


def test_values_that_look_like_old_keywords() -> None:
    schema = p({
        "enum": [{"items": [1], "nullable": True}],
        "default": {"dependencies": {"a": ["b"]}},
        "const": {"exclusiveMinimum": True},
    })
    fit, notes = fitted(schema, PLAIN)
    assert fit.schema is schema
    assert notes == []


# any schema


class Older:
    """Schemas of an older draft, by drawing."""

    def __init__(self, draw: st.DrawFn, draft: str) -> None:
        self.draw = draw
        self.draft = draft
        self.year = [*DRAFTS, ""].index(draft)  # 0 is draft-04; "" is OpenAPI 3.0, which builds on it
        if not draft:
            self.year = 0

    def one(self, *of: Json) -> Json:
        return copy.deepcopy(self.draw(st.sampled_from(of)))

    def schema(self, depth: int = 3) -> Json:
        if self.year and depth < 3 and self.one(*(0,) * 7, 1):
            return self.one(True, False)
        made: dict[str, Json] = {}
        for _ in range(self.one(1, 1, 2, 3)):
            made |= self.keyword(depth)
        return made

    def keyword(self, depth: int) -> dict[str, Json]:
        flat = ("type", "bound", "bound", "enum", "text", "ref", "later", "null")
        deep = ("tuple", "tuple", "items", "properties", "dependencies", "union", "not", "contains", "rest")
        kind = self.one(*flat, *(deep if depth else ()))
        sub = lambda: self.schema(depth - 1)  # noqa: E731 - each call draws another
        match kind:
            case "type":
                return {"type": self.one("string", "integer", "array", "object", ["string", "null"], "boolean")}
            case "bound":
                side = self.one("Minimum", "Maximum")
                if self.year == 0:
                    return self.one({side.lower(): 2, f"exclusive{side}": True}, {side.lower(): 2,
                        f"exclusive{side}": False},
                                    {f"exclusive{side}": True}, {side.lower(): 1})  # fmt: skip
                return self.one({side.lower(): 2}, {f"exclusive{side}": 2}, {f"exclusive{side}": 1, side.lower(): 2})
            case "enum":
                return {"enum": self.one(["a", None], [1, 2, {}], [[1]])}
            case "text":
                return self.one({"minLength": 2}, {"pattern": "^t"}, {"title": "t"}, {"format": "date"})
            case "ref":
                if not self.draft:  # where nothing says which draft it is, what stands beside a reference counts
                    return {"$ref": self.one("#/definitions/A", "#/properties/p")}
                beside = self.one({}, {"minLength": 2}, {"type": "integer"}, {"properties": {"a": {"type": "null"}}})
                return {"$ref": self.one("#/definitions/A", "#/definitions/B", "#", "#/properties/p"), **beside}
            case "later":
                if not self.draft:
                    return {}
                return self.one(
                    *(
                        {"const": 1},
                        {"propertyNames": {"maxLength": 1}},
                        {"if": {"type": "string"}, "then": {"minLength": 2}},
                    ),
                    *({"dependentRequired": {"a": ["b"]}}, {"prefixItems": [{"type": "null"}]}, {"minContains": 0}),
                    *({"unevaluatedProperties": {"type": "string"}}, {"contains": {"type": "string"}}),
                )
            case "null":
                return (
                    {}
                    if self.draft
                    else self.one({"type": "string", "nullable": True}, {"nullable": True}, {"nullable": False})
                )
            case "tuple":
                items = [sub() for _ in range(self.one(1, 2))]
                more = self.one({}, {"additionalItems": False}, {"additionalItems": {"type": "string"}})
                return {"items": items if self.draft else (items[0] or {}), **(more if self.draft else {})}
            case "items":
                return {"items": sub(), **self.one({}, {}, {"additionalItems": False}, {"minItems": 1})}
            case "properties":
                return {
                    "properties": {self.one("a", "items", "definitions", "b"): sub()},
                    **self.one({}, {"required": ["a"]}),
                }
            case "dependencies":
                key = "dependencies" if self.draft != DRAFT_2019 else "dependentSchemas"
                return {
                    key: {"a": sub() if key == "dependentSchemas" or self.one(0, 1) else self.one(["b"], ["b", "p"])}
                }
            case "union":
                return {self.one("anyOf", "oneOf", "allOf"): [sub(), sub()]}
            case "not":
                return {"not": sub()}
            case "contains":
                return {"contains": sub()} if self.year else {}
            case _:
                return self.one(
                    {"additionalProperties": False},
                    {"additionalProperties": sub()},
                    {"patternProperties": {"^a": sub()}},
                )

    def root(self) -> Json:
        made = {"type": "object", "properties": {"p": self.schema(), "a": self.schema(1)}}
        if self.one(*(0,) * 3, 1):
            made |= self.keyword(1)
            made["type"] = "object"
            made.pop("$ref", None)
        found = {node["$ref"] for node in nodes(made) if isinstance(node.get("$ref"), str)}
        if found & {"#/definitions/A", "#/definitions/B"}:
            made["definitions"] = {"A": self.schema(1), "B": self.schema(0)}
        made.setdefault("properties", {}).setdefault("p", {})
        return {"$schema": self.draft, **made} if self.draft else made


@st.composite
def older(draw: st.DrawFn, draft: str) -> Json:
    return Older(draw, draft).root()


def judge_of(schema: Json, draft: str) -> Any:
    try:
        if draft:
            return DRAFTS[draft](schema, validate_formats=False)
        return jsonschema_rs.Draft4Validator(_with_null(schema), validate_formats=False)
    except (ValueError, jsonschema_rs.ReferencingError):
        return None


def _with_null(schema: Json) -> Json:
    """OpenAPI's `nullable` in words that a validator knows; where no draft is stated, references have siblings."""
    schema = copy.deepcopy(schema)
    for node in [*nodes(schema)]:
        if isinstance(node.get("$ref"), str):
            node["allOf"] = [*node.get("allOf", []), {"$ref": node.pop("$ref")}]
        if node.pop("nullable", None) is True and (isinstance(node.get("type"), str) or "type" not in node):
            if "type" in node:
                node["type"] = [node["type"], "null"]
            elif not node.keys().isdisjoint(("allOf", "anyOf", "oneOf")):
                inner = dict(node)
                node.clear()
                node["anyOf"] = [inner, {"type": "null"}]
                continue
            if "enum" in node and None not in node["enum"]:
                node["enum"] = [*node["enum"], None]
    return schema


def check(schema: Json, draft: str, seed: int) -> None:
    old = judge_of(schema, draft)
    if old is None:
        return
    try:
        fit, notes = fitted(schema, PLAIN)
    except BudgetExceeded:
        return
    assert "$schema" not in fit.schema or fit.schema is schema
    new = jsonschema_rs.Draft202012Validator(fit.schema, validate_formats=False)
    families = {code[:3] for code, _, _ in notes}
    for value in samples([schema, fit.schema], Random(seed), 20):
        one, other = old.is_valid(value), new.is_valid(value)
        if one != other and ("TB2" if other else "TB3") not in families:
            pytest.fail(
                f"{'accepted' if other else 'refused'} now: {value}\n old {schema}\n new {fit.schema}\n {notes}"
            )


@pytest.mark.parametrize("draft", [*DRAFTS, ""], ids=["4", "6", "7", "2019-09", "openapi-3.0"])
def test_the_upgrade_is_exact(draft: str) -> None:
    @given(older(draft), st.integers(0, 10**6))
    def judged(schema: Json, seed: int) -> None:
        check(schema, draft, seed)

    judged()


@pytest.mark.parametrize("inner", [{"$ref": "#/definitions/A"}, {"type": "string", "readOnly": True}])
def test_a_keyword_that_is_younger_than_the_draft_says_nothing(inner: Json) -> None:
    """A description has `readOnly` for Gemini, which was not in draft 4; also where a definition is written out."""
    schema = p(inner, definitions={"A": {"type": "string", "readOnly": True}})
    prose = [note for note in fitted(schema, GEMINI)[1] if note[0] == "TB503"]
    assert len(prose) == 1
    fit, notes = fitted({"$schema": DRAFT_04, **schema}, GEMINI)
    assert "description" not in fit.schema["properties"]["p"]
    assert prose[0][1] in {source for code, source, _ in notes if code == "TB103"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_old_schema_is_none_to_any_dialect(dialect: Any) -> None:
    """Nobody is handed an old form: what is written is 2020-12."""
    schema = p(
        {
            "items": [{"type": "integer", "minimum": 1, "exclusiveMinimum": True}],
            "additionalItems": False,
            "type": "array",
        },
        **{
            "$schema": DRAFT_04,
            "id": "https://e.example/s",
            "dependencies": {"p": ["q"]},
            "definitions": {"Unused": {}},
        },
    )
    fit, _ = fitted(schema, dialect)
    for node in nodes(fit.schema):
        assert not node.keys() & {"additionalItems", "dependencies", "definitions", "id"}
        assert not isinstance(node.get("items"), list)
        assert not isinstance(node.get("exclusiveMinimum"), bool)
        assert node.get("$schema") in (None, DRAFT_2020)
