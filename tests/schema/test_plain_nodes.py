"""Plain nodes are written without taking them apart, and not a bit differently."""

from __future__ import annotations

import copy
from collections.abc import Callable
from importlib import import_module
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.generated_schemas import Notes, schemas
from toolbridge.data.equality import same
from toolbridge.formats.dialects import ANTHROPIC, COHERE, DIALECTS, GEMINI, GEMINI_JSON, OLLAMA, OPENAI, OPENAI_STRICT
from toolbridge.limits import Limits
from toolbridge.schema import BudgetExceeded, Options
from toolbridge.schema.dialect import PLAIN, Dialect
from toolbridge.schema.fitting import Fitted, fit, objects, plain_nodes

Json = Any
EACH = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda it: it.id)

# what real tools are made of, and what they get wrong

TEXTS = ("text", "", "a longer text, of several words", "ünicode")
SOUND: dict[str, tuple[Json, ...]] = {
    "type": ("string", "string", "integer", "number", "boolean"),
    "description": TEXTS,
    "title": TEXTS,
    "default": (None, "a", 1, True, [], {}, 1.5),
    "examples": (["a"], []),
    "deprecated": (True, False),
    "format": ("date", "uri", "int32", "own"),
    "minimum": (1, 0, -2.5),
    "maximum": (5, 0.5),
    "exclusiveMinimum": (0, 0.5),
    "minLength": (0, 1, 3),
    "maxLength": (9,),
    "pattern": ("^a", "a+", "(?!x)a", "\\bx"),
    "enum": (["a", "b"], ["a"], [""], ["a", "a"], ["x" * 3, None]),
}
ODD: dict[str, tuple[Json, ...]] = {
    "type": ("null", "array", "object", "str", ["string", "null"], ["integer"], [], None, 5),
    "description": (None, 5),
    "default": ([{"$ref": "#"}],),
    "minimum": (True, "1"),
    "minLength": (1.0, -1),
    "enum": ([], [1, 2], ["a", 1], None, [{}]),
    "const": ("a", None),
    "nullable": (True,),
    "x-own": (1, "a", None, [{"$ref": "#/$defs/A"}], {"type": "string", "$ref": "#/$defs/A"}),
    "contentSchema": ({"$ref": "#/$defs/A"}, {"type": "string", "minLength": 1}),
    "id": ("urn:a", 1),
    "examples": (1,),
    "$comment": ("c",),
    "$ref": ("#/$defs/A",),
    "exclusiveMaximum": (True,),
    "readOnly": (1,),
}
NULL: Json = {"type": "null"}
DRAFTS = (
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "urn:own",
    5,
)


class Maker:
    """Schemas of plain nodes, some of them with one thing that is not."""

    def __init__(self, draw: st.DrawFn, definitions: str = "") -> None:
        self.draw = draw
        self.definitions = definitions

    def one(self, of: Any) -> Json:
        return copy.deepcopy(self.draw(st.sampled_from(of)))

    def seldom(self, of: int = 5) -> bool:
        return self.draw(st.integers(0, of)) == of

    def scalar(self) -> dict[str, Json]:
        made = {"type": self.one(SOUND["type"])}
        for key in self.draw(st.lists(st.sampled_from(sorted(SOUND.keys() - {"type"})), max_size=3, unique=True)):
            made[key] = self.one(SOUND[key])
        if self.seldom():
            key = self.one(sorted(ODD))
            made[key] = self.one(ODD[key])
        return made

    def node(self, depth: int) -> Json:
        if self.definitions and self.seldom(2):
            return {"$ref": f"#/$defs/{self.one(self.definitions)}"}
        kinds = ("scalar", "scalar", "scalar", "array", "object", "null", "union", "map", "odd")
        kind = self.one(kinds) if depth else "scalar"
        if kind == "array":
            made: dict[str, Json] = {"type": "array", "items": self.node(depth - 1)}
            return made | self.some(minItems=(0, 1, 2), maxItems=(3,), uniqueItems=(True,), default=([], ["a"], None))
        if kind == "object":
            return self.properties(depth - 1)
        if kind == "null":
            last = NULL if not self.seldom() else self.node(depth - 1)
            return {"anyOf": [self.node(depth - 1), last]} | self.some(
                default=(None, 1), title=TEXTS, description=TEXTS
            )
        if kind == "union":
            branches = [self.node(depth - 1) for _ in range(self.one((2, 2, 3)))]
            branches.insert(self.one((0, 1, 2)), NULL)
            return {"anyOf": branches[: self.one((2, 3, 4))]} | self.some(default=(None, 1), description=TEXTS)
        if kind == "map":
            return {"type": "object", "additionalProperties": self.node(depth - 1)} | self.some(
                default=({}, {"k": None}), title=TEXTS, required=([], ["a"])
            )
        if kind == "odd":
            return self.one((True, False, {}, None, {"type": "object"}, {"type": "array"}, {"enum": ["a"]}, NULL))
        return self.scalar()

    def some(self, **values: Any) -> dict[str, Json]:
        return {key: self.one(of) for key, of in values.items() if self.seldom(2)}

    def properties(self, depth: int) -> dict[str, Json]:
        names = self.draw(st.lists(st.sampled_from(("a", "b", "type", "a/b", "x y", "$ref")), max_size=4, unique=True))
        made: dict[str, Json] = {"type": "object", "properties": {name: self.node(depth) for name in names}}
        made |= self.some(
            required=([name for name in names if self.seldom(1)], names, [], ["gone"], None),
            additionalProperties=(False, False, True, {}, {"type": "string", "minLength": 1}, {"type": "null"}),
            title=TEXTS,
            description=TEXTS,
        )
        return made | self.some(**{"id": ("urn:a",), "$id": ("urn:b", "#b")}) if self.seldom() else made

    def root(self) -> dict[str, Json]:
        made = self.properties(2) | ({"$schema": self.one(DRAFTS)} if self.seldom(2) else {})
        return made | ({"$defs": {"A": {"type": "string", "minLength": 1}}} if self.seldom(3) else {})


@st.composite
def plain_schemas(draw: st.DrawFn) -> dict[str, Json]:
    return Maker(draw).root()


@st.composite
def referring_schemas(draw: st.DrawFn) -> dict[str, Json]:
    """Definitions that lead to each other, some of which only refer."""
    maker = Maker(draw, "ABC")
    made = maker.properties(1) | {"$defs": {name: maker.node(2) for name in "ABC"}}
    return made | ({"$schema": maker.one(DRAFTS)} if maker.seldom(2) else {})


def outcome(schema: Json, dialect: Dialect, options: Options, *, arguments: bool) -> Fitted | str:
    before = copy.deepcopy(schema)
    try:
        return fit(schema, dialect, options, arguments=arguments)
    except BudgetExceeded as error:
        return str(error)
    finally:
        assert same(schema, before)


def without_haste(call: Callable[[], Any]) -> Any:
    """The same with every node written the long way round."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(plain_nodes, "node", lambda *_: None)
        patched.setattr(plain_nodes, "objects", lambda *_: None)
        patched.setattr(plain_nodes, "open_node", lambda *_: None)
        patched.setattr(objects, "odd_in", lambda *_: None)
        patched.setattr(objects, "plain_containers", lambda *_: None)
        patched.setattr(import_module("toolbridge.schema.fitting"), "fits", lambda *_: False)
        return call()


@EACH
def test_haste_changes_nothing(dialect: Dialect) -> None:
    # An open dialect counts nothing where nothing is written.
    counts = dialect.keywords is not None and dialect.fallback is None
    few = Options(limits=Limits(nodes=6)) if counts else Options()

    @given(
        st.one_of(plain_schemas(), plain_schemas(), schemas(), referring_schemas()),
        st.sampled_from((Options(), Options(unroll=0), Options(prose=False), Options(description=60), few)),
        st.booleans(),
    )
    def judged(schema: Json, options: Options, arguments: bool) -> None:
        hasty = outcome(schema, dialect, options, arguments=arguments)
        slow = without_haste(lambda: outcome(schema, dialect, options, arguments=arguments))
        if isinstance(hasty, str) or isinstance(slow, str):
            assert hasty == slow
            return
        assert same(hasty.schema, slow.schema), (schema, hasty.schema, slow.schema)
        assert hasty.argument_map == slow.argument_map, schema
        assert hasty.dialect is slow.dialect
        assert [*hasty.notes] == [*slow.notes], schema

    judged()


# what plain schemas are written like


def written(schema: Json, dialect: Dialect) -> tuple[Json, Notes]:
    it = fit(schema, dialect)
    return it.schema, [*map(msgspec.structs.astuple, it.notes)]


STRING: Json = {"type": "string"}


@pytest.mark.parametrize("dialect", [PLAIN, OPENAI, ANTHROPIC, GEMINI_JSON, COHERE, OLLAMA])
def test_nothing_is_made_anew_that_stays_as_it_is(dialect: Dialect) -> None:
    inner = {"type": "object", "properties": {"b": STRING}, "required": ["b"]}
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": STRING}, "o": inner}, "required": ["a"]}
    assert fit(schema, dialect).schema is schema
    wider = schema | {"properties": {**schema["properties"], "n": {"type": "integer", "x-own": 1}}}
    assert fit(wider, dialect).schema["properties"]["o"] is inner


@EACH
def test_the_draft_that_a_root_states_is_no_constraint(dialect: Dialect) -> None:
    for stated in DRAFTS[:6]:
        _, notes = written({"$schema": stated, "type": "object", "properties": {"a": STRING}}, dialect)
        assert {code for code, place, _ in notes if place == "/$schema"} <= {"TB103"}
    _, notes = written({"$schema": DRAFTS[0], "type": "object", "properties": {"a": STRING}}, dialect)
    assert ("TB103", "/$schema", None) in notes


def test_an_empty_description_that_makes_room_for_prose_is_named() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "description": "", "minLength": 2}}}
    said, notes = written(schema, OLLAMA)
    assert said["properties"]["a"]["description"] == "{minLength: 2}"
    assert ("TB103", "/properties/a/description", "/properties/a") in notes


def test_a_default_that_is_left_out_is_not_rewritten() -> None:
    schema = {"type": "object", "properties": {"a": STRING, "b": STRING}, "default": {"a": "x"}}
    _, notes = written(schema, OPENAI_STRICT)
    assert [code for code, place, _ in notes if place == "/default"] == ["TB103", "TB503"]


def test_what_may_be_null_is_said_as_the_dialect_does() -> None:
    parameter = {"anyOf": [{"type": "array", "items": STRING}, NULL], "default": None, "title": "T"}
    schema = {"type": "object", "properties": {"a": parameter}}
    assert written(schema, GEMINI)[0]["properties"]["a"] == {
        "type": "ARRAY", "items": {"type": "STRING"}, "nullable": True, "default": None, "title": "T"
    }  # fmt: skip
    said, notes = written(schema, OPENAI_STRICT)
    assert said["properties"]["a"] == {key: parameter[key] for key in ("anyOf", "title")}
    assert {code for code, place, _ in notes if place.startswith("/properties")} == {"TB103"}
    assert fit(schema, COHERE).schema is schema


def test_large_schemas_are_counted() -> None:
    def tool(names: int, values: int) -> Json:
        enum = {"type": "string", "enum": [f"value {n}" for n in range(values)]}
        properties = {f"p{n}": STRING for n in range(names)} | {"e": enum}
        return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}

    for names, values, strict in ((300, 300, True), (1, 999, True), (1, 1001, False), (5000, 1, False)):
        assert (fit(tool(names, values), OPENAI_STRICT).dialect is OPENAI_STRICT) == strict
