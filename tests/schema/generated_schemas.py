"""Generated schemas of arguments: small, each with a few of the corners at which a dialect has to decide something."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

from laws.arguments import nodes, samples
from toolbridge.schema import Fitted, Options, fit
from toolbridge.schema.dialect import Dialect

Json = Any
Notes = list[tuple[str, str, str | None]]

NAMES = ("a", "b", "c", "kind", "type", "properties", "default")
RARE_NAMES = ("a", "b", "$ref", "x y", "a/b", "m~n", "ünicode", "x" * 70, "")
TEXTS = ("text", "", "two words", "ünicode", "x" * 12)
NUMBERS = (1, 0, -1, 2, 3, 2.5)
SCALARS = (*TEXTS, *NUMBERS, None, True, False)
VALUES = (*SCALARS, [], [1], {}, {"a": 1})
REFERENCES = ("#/$defs/One", "#/$defs/Two", "#", "#/properties/a")
PATTERNS = ("^a", "a$", "^(?!x)", "^\\p{L}", "\\bt", "(a)\\1", "[$]", "^[^x]*$", "a{2,5000}")
TYPES = ("string", "integer", "number", "boolean", "null", "array", "object")
FORMATS = ("date", "date-time", "uri", "own")

AT_ROOT: tuple[dict[str, Json], ...] = (
    {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    {"allOf": [{"required": ["a"]}, {"properties": {"a": {"type": "string"}}}]},
    {"allOf": [{"$ref": "#/$defs/One"}]},
    {"not": {"required": ["a"]}},
    {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
    {"dependentRequired": {"a": ["b"]}},
    {"patternProperties": {"^a": {"type": "string"}}},
    {"propertyNames": {"maxLength": 1}},
    {"propertyNames": {"enum": ["a", "b", "c d"]}},
    {"minProperties": 1},
    {"maxProperties": 1},
    {"enum": [{"a": 1}, {}]},
    {"const": {"a": 1}},
    {"unevaluatedProperties": False},
)
"""What may stand at the root, beside the properties."""

# A Hypothesis strategy within a strategy is slow to make, and slower to print; so these only draw.


class Maker:
    """Subschemas, one draw after the other. `refers` is whether they may refer to definitions."""

    def __init__(self, draw: st.DrawFn, *, refers: bool) -> None:
        self.draw = draw
        self.refers = refers

    def one(self, of: Sequence[Json]) -> Json:
        return copy.deepcopy(self.draw(st.sampled_from(of)))

    def some(self, of: Sequence[Json], least: int = 1, most: int = 3) -> list[Json]:
        found: list[Json] = []
        for _ in range(self.draw(st.integers(least, most))):
            value = self.one(of)
            if not any(type(value) is type(it) and value == it for it in found):
                found.append(value)
        return found

    def often(self, least: int = 1) -> bool:
        """True as often as not, or more seldom."""
        return self.draw(st.integers(0, least)) == least

    def keywords(self, **values: Sequence[Json]) -> dict[str, Json]:
        """Up to two of these keywords."""
        names = self.some(sorted(values), 0, 2)
        return {name: self.one(values[name]) for name in names}

    def schema(self, depth: int = 2) -> Json:
        """Any subschema, of so many levels at most."""
        kinds = ("leaf", "leaf", "ref", "object", "array", "tuple", "anyOf", "oneOf", "allOf", "tagged", "odd", "bool")
        kind = self.one(kinds if depth else kinds[:3])
        if kind == "bool":
            return self.draw(st.booleans())
        if kind == "leaf" or (kind == "ref" and not self.refers):
            return self.leaf()
        made = getattr(self, f"_{kind}")(depth - 1)
        if self.often(5):
            made |= self.leaf()
        return made

    def leaf(self) -> dict[str, Json]:
        kind = self.one(("plain", "string", "number", "enum", "const", "types", "anything", "comments"))
        if kind == "plain":
            return {"type": self.one(TYPES)}
        if kind == "string":
            more = {"pattern": PATTERNS, "format": FORMATS, "default": TEXTS}
            return {"type": "string"} | self.keywords(minLength=range(4), maxLength=range(6), **more)
        if kind == "number":
            bounds = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
            return {"type": self.one(("integer", "number"))} | self.keywords(
                multipleOf=(1, 2, 0.5), **dict.fromkeys(bounds, NUMBERS)
            )
        if kind == "enum":
            made = {"enum": self.some(self.one((SCALARS, SCALARS, TEXTS, VALUES)))}
            return made | (
                {"type": self.one((*TYPES, ["string", "null"], ["string", "integer"]))} if self.often() else {}
            )
        if kind == "const":
            return {"const": self.one(VALUES)}
        if kind == "types":
            more = {"minLength": (2,), "minimum": (1,), "default": (None,), "enum": ([1, "text"],)}
            return {"type": self.some(TYPES)} | self.keywords(**more)
        if kind == "comments":
            return self.keywords(description=TEXTS, title=TEXTS, default=VALUES)
        return {}

    def _ref(self, _: int) -> dict[str, Json]:
        more = self.keywords(description=TEXTS, type=TYPES, minLength=(2,), default=(None,), required=(["a"],))
        return {"$ref": self.one(REFERENCES), **(more if self.often() else {})}

    def _object(self, depth: int) -> dict[str, Json]:
        made: dict[str, Json] = {"type": self.one(("object", "object", ["object", "null"]))}
        keywords = ("properties", "properties", "required", "additionalProperties", "patternProperties",
                    "minProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties")  # fmt: skip
        for key in self.some(keywords, 0, 3):
            if key == "properties":
                made[key] = {name: self.schema(depth) for name in self.some(NAMES, 0, 2)}
            elif key == "required":
                made[key] = self.some(NAMES, 0, 2)
            elif key == "additionalProperties":
                made[key] = False if self.often() else self.schema(depth)
            elif key == "patternProperties":
                made[key] = {self.one(PATTERNS): self.schema(depth)}
            elif key == "dependentSchemas":
                made[key] = {"a": self.schema(depth)}
            else:
                made[key] = {"minProperties": 1, "dependentRequired": {"a": ["b"]}}.get(key, False)
        return made

    def _array(self, depth: int) -> dict[str, Json]:
        made = {"type": "array"} | self.keywords(minItems=range(3), maxItems=range(4), uniqueItems=(True, False))
        if self.often(3):
            made |= {"contains": self.schema(depth)} | self.keywords(maxContains=(1,), minContains=(0, 2))
        return made if self.often(3) else made | {"items": self.schema(depth)}

    def _tuple(self, depth: int) -> dict[str, Json]:
        made: dict[str, Json] = {"prefixItems": [self.schema(depth) for _ in range(self.draw(st.integers(1, 2)))]}
        if self.often():
            made["items"] = self.one((False, True)) if self.often() else self.schema(depth)
        return made | self.keywords(type=("array",), maxItems=range(4), minItems=range(4))

    def _branches(self, key: str, depth: int) -> dict[str, Json]:
        made: dict[str, Json] = {key: [self.schema(depth) for _ in range(self.draw(st.integers(1, 3)))]}
        return made | self.keywords(type=TYPES, description=TEXTS, default=VALUES, minLength=(2,), required=(["a"],))

    def _anyOf(self, depth: int) -> dict[str, Json]:  # noqa: N802 - the keyword itself
        return self._branches("anyOf", depth)

    def _oneOf(self, depth: int) -> dict[str, Json]:  # noqa: N802 - the keyword itself
        return self._branches("oneOf", depth)

    def _allOf(self, depth: int) -> dict[str, Json]:  # noqa: N802 - the keyword itself
        return self._branches("allOf", depth)

    def _tagged(self, depth: int) -> dict[str, Json]:
        """Alternatives that a word tells apart."""
        branches: list[Json] = []
        for word in ("x", "y"):
            branch = {"type": "object", "properties": {"kind": {"const": word}, "a": self.schema(depth)}}
            branch |= self.keywords(required=(["kind"], ["kind", "a"]), additionalProperties=(False,))
            branches.append(branch)
        return {self.one(("anyOf", "oneOf")): branches}

    def _odd(self, depth: int) -> dict[str, Json]:
        """A constraint that hardly any dialect knows."""
        key = self.one(("not", "if", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems"))
        made = {key: self.schema(depth)}
        if key == "propertyNames" and self.often():
            made = {key: {"enum": self.some(NAMES, 0, 3)}, "additionalProperties": self.schema(depth)}
        if key == "if":
            made |= {"then": self.schema(depth)}
        return made

    def root(self) -> dict[str, Json]:
        """A schema of arguments."""
        made: dict[str, Json] = {"type": "object"}
        names = self.some(RARE_NAMES if self.often(7) else NAMES, 0, 2)
        if names or self.often():
            made["properties"] = {name: self.schema() for name in names}
            required = [name for name in names if self.often()]
            if required or self.often(3):
                made["required"] = required
        if self.often():
            made["additionalProperties"] = self.one((False, True)) if self.often(3) else self.schema(1)
        if self.often(2):
            key = self.one(("anyOf", "oneOf", "allOf", ""))
            made |= {key: [self._object(1) for _ in range(self.draw(st.integers(1, 2)))]} if key else self.one(AT_ROOT)
        return self.defined(made)

    def defined(self, made: dict[str, Json]) -> dict[str, Json]:
        """The schema with the definitions to which it refers."""
        while missing := sorted(referred(made) - made.get("$defs", {}).keys()):
            made["$defs"] = {**made.get("$defs", {}), missing[0]: self.schema()}
        if any(node.get("$ref") == "#/properties/a" for node in nodes(made)):
            made["properties"] = {"a": {"type": "string"}, **made.get("properties", {})}
        return made


@st.composite
def schemas(draw: st.DrawFn, *, refers: bool = True) -> dict[str, Json]:
    """A schema of arguments: an object, often with something at its root, with the definitions that it uses."""
    return Maker(draw, refers=refers).root()


@st.composite
def subschemas(draw: st.DrawFn) -> Json:
    """A schema of anything, without references."""
    return Maker(draw, refers=False).schema()


def referred(schema: Json) -> set[str]:
    """The names of the definitions to which a schema refers."""
    found = (node["$ref"] for node in nodes(schema) if isinstance(node.get("$ref"), str))
    return {ref.removeprefix("#/$defs/") for ref in found if ref.startswith("#/$defs/")}


# what is made of them


def fitted(schema: dict[str, Json], dialect: Dialect, **options: Any) -> tuple[Fitted, Notes]:
    """A schema in a dialect, with all that was noted. Raises BudgetExceeded."""
    result = fit(schema, dialect, Options(**options))
    return result, [(note.code, note.source, note.target) for note in result.notes]


def spoken(fit: Fitted) -> Json:
    """A written schema as JSON Schema spells it: Gemini's `parameters` have their own words for types and counts."""
    return _as_json_schema(fit.schema, fit.dialect) if fit.dialect.null_form == "keyword" else fit.schema


def _as_json_schema(schema: Json, dialect: Dialect) -> Json:
    if not isinstance(schema, dict):
        return schema
    out: dict[str, Json] = {}
    for key, value in schema.items():
        if key == "properties":
            out[key] = {name: _as_json_schema(inner, dialect) for name, inner in value.items()}
        elif key in ("items", "additionalProperties"):
            out[key] = _as_json_schema(value, dialect)
        elif key == "anyOf":
            out[key] = [_as_json_schema(inner, dialect) for inner in value]
        elif key == "type":
            out[key] = value.lower()
        elif key in dialect.numbers_as_text:
            out[key] = int(value)
        elif key != "nullable":
            out[key] = value
    if schema.get("nullable") is True:
        return {"anyOf": [out, {"type": "null"}]}
    return out


def arguments(schema: Json, written: Json, seed: int, count: int) -> Iterator[dict[str, Json]]:
    """Arguments for both, right and nearly right."""
    yield from samples([schema, written], Random(seed), count)
