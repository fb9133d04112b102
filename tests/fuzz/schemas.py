"""Schemas that nobody means well with: any keyword with any value, sound or not."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from fuzz.cases import Made

TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")
NAMES = ("a", "b", "id", "type", "$ref", "properties", "required", "a/b", "m~n", "", "x y", "ünï", "default", "$defs")
TEXTS = (
    "", "text", "a b", "日本語", "\x00", "\x1b[31mred", "a\nb", "\u202eevil\u202c", "a\u200bb", "\ufeff", "\u2028",
    "x" * 300,
    "\U000e0041\U000e0042", "[link=file:///x]y[/link]", "{x}", "../..", "null", "1", "\\", '"', "é", "a.b", "a-b",
)  # fmt: skip
NUMBERS = (
    0, 1, -1, 2, 7, 1.0, -0.0, 0.5, 1e308, -1e308, 5e-324, 2**31, 2**53, 2**53 + 1, 2**63, 2**64, 10**30, -(10**30),
    10**400, True, False,
)  # fmt: skip
SCALARS = (None, *NUMBERS, *TEXTS)
REFERENCES = (
    "#", "#/", "#/$defs/One", "#/$defs/Two", "#/definitions/One", "#/properties/a", "#/$defs/Gone", "#One", "One", "",
    "#/$defs/a~1b", "#/$defs/%7e", "#/$defs/%", "#/properties/a/properties/a", "#/anyOf/0", "#/anyOf/-1", "#/anyOf/x",
    "https://example.org/s", "urn:x:y", "//", "#/$defs/One/$ref", "file:///etc/passwd", "http://[", "#\x00", "#/\ud800",
)  # fmt: skip
DRAFTS = (
    "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#", "x", 1, None,
    "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-03/schema#", "http://[",
    "https://json-schema.org/draft/2019-09/schema",
)  # fmt: skip
PATTERNS = (
    "^a", "[", "(", "(?P<a>", "\\", "(a+)+$", "(a|a)*b", "a{2,5000}", "a{99999999999}", "\\p{L}", "(?!x)", "(a)\\1",
    "(?i)ß", "[\x01-\U0010ffff]", "(?#", "\\u{110000}", "\\cA", "[[:alpha:]]", "(?<=a*)b", "^$", "x" * 2000, "(" * 200,
)  # fmt: skip
FORMATS = ("date", "date-time", "uri", "int32", "byte", "regex", "", "x" * 100, "\u202e", 1, None)


def scalar(random: Random) -> Any:
    return random.choice(SCALARS) if random.random() < 0.98 else random.choice(("\ud800", "a\udfffb"))


def anything(random: Random, deep: int = 0) -> Any:
    """Any JSON value, mostly a small one."""
    chance = random.random()
    if deep > 3 or chance < 0.6:
        return scalar(random)
    if chance < 0.62:
        return Made(random.choice(("lists", "objects")), random.choice((10, 100, 499, 500, 501, 1000)))
    if chance < 0.8:
        return [anything(random, deep + 1) for _ in range(random.randrange(4))]
    if chance < 0.9:
        return {random.choice(NAMES): anything(random, deep + 1) for _ in range(random.randrange(4))}
    return schema(random, deep + 1)


def schema(random: Random, deep: int = 0) -> Any:
    """A schema with a few keywords, most of them sound."""
    chance = random.random()
    if chance < 0.06:
        return random.choice((True, False))
    if chance < 0.08:
        return scalar(random)
    if chance < 0.1:
        return made(random)
    found: dict[str, Any] = {}
    if random.random() < 0.7:
        found["type"] = random.choice(TYPES)
    for _ in range(random.randrange(4)):
        keyword = random.choice(WORDS)
        found[keyword] = value_of(random, keyword, deep)
    if deep == 0 and random.random() < 0.4:
        found["$defs"] = {name: schema(random, deep + 1) for name in ("One", "Two", "a/b")[: random.randrange(4)]}
    return found


_MADE = (
    *("schemas", "items", "anyOf", "allOf", "not", "chain", "enum", "enum of lists", "required", "properties"),
    *("branches", "pattern", "classes", "enum of numbers", "ring"),
    *("doubling", "allOf twice", "anyOf twice", "oneOf twice"),
)


def made(random: Random) -> Made:
    """A large or deep schema; mostly not very."""
    recipe = random.choice(_MADE)
    if recipe == "doubling" or recipe.endswith("twice"):
        return Made(recipe, random.choice((2, 5, 8, 12, 20, 40)))
    return Made(recipe, random.choice((3, 10, 10, 30, 30, 100, 100, 200, 490, 600)))


def value_of(random: Random, keyword: str, deep: int = 0) -> Any:
    """A value of a keyword; one in eight is not one that it takes."""
    if random.random() < 0.12:
        return anything(random, deep + 1)
    return KEYWORDS[keyword](random, deep + 1)


def _schemas(random: Random, deep: int) -> list[Any]:
    return [] if deep > 4 else [schema(random, deep) for _ in range(random.randrange(4))]


def _one(random: Random, deep: int) -> Any:
    return {} if deep > 4 else schema(random, deep)


def _by_name(random: Random, deep: int) -> dict[str, Any]:
    if deep > 4:
        return {}
    return {random.choice(NAMES): schema(random, deep) for _ in range(random.randrange(4))}


def _number(random: Random, _: int) -> Any:
    return random.choice(NUMBERS)


def _text(random: Random, _: int) -> str:
    return random.choice(TEXTS) + (prose(random) if random.random() < 0.5 else "")


def _names(random: Random, _: int) -> list[Any]:
    return random.choices(NAMES, k=random.randrange(4))


def _values(random: Random, deep: int) -> list[Any]:
    return [anything(random, deep) for _ in range(random.randrange(5))]


def _of(values: tuple[Any, ...]) -> Callable[[Random, int], Any]:
    return lambda random, _: random.choice(values)


def _type(random: Random, _: int) -> Any:
    return random.choices((*TYPES, "STRING", "any", None), k=random.randrange(4)) if random.random() < 0.5 else "file"


KEYWORDS: dict[str, Callable[[Random, int], Any]] = {
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), _schemas),
    **dict.fromkeys(("not", "if", "then", "else", "items", "additionalProperties", "contains", "propertyNames"), _one),
    **dict.fromkeys(("unevaluatedProperties", "unevaluatedItems", "additionalItems", "contentSchema", "extends"), _one),
    **dict.fromkeys(("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"), _by_name),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), _number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _number),
    **dict.fromkeys(("minContains", "maxContains"), _number),
    **dict.fromkeys(("title", "description", "$comment", "contentEncoding", "contentMediaType"), _text),
    **dict.fromkeys(("enum", "examples"), _values),
    **dict.fromkeys(("const", "default", "example", "x-vendor"), anything),
    **dict.fromkeys(
        ("$ref", "$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor", "id"), _of(REFERENCES)
    ),
    "$schema": _of(DRAFTS),
    "type": _type,
    "required": _names,
    "propertyOrdering": _names,
    "format": _of(FORMATS),
    "pattern": _of(PATTERNS),
    "dependentRequired": lambda random, deep: {random.choice(NAMES): _names(random, deep) for _ in range(2)},
    "dependencies": lambda random, deep: {
        random.choice(NAMES): random.choice((_names, _one, _values))(random, deep) for _ in range(2)
    },
    "nullable": _of((True, False)),
    "readOnly": _of((True, False)),
    "uniqueItems": _of((True, False)),
    "deprecated": _of((True,)),
    "$recursiveAnchor": _of((True, False)),
    "x-mcp-header": _of(("Region", "", "a:b", "\r\n")),
    "discriminator": lambda random, _: {"propertyName": "a", "mapping": {"a": random.choice(REFERENCES)}},
}
WORDS = (*KEYWORDS, *("properties", "anyOf", "allOf", "items", "$ref", "enum", "required", "description") * 3)


def prose(random: Random) -> str:
    """A line at the end of a description that looks like what is written there for constraints."""
    keyword = random.choice(WORDS)
    value = random.choice((
        "1", "[", "[[", "{", '{"not": {}}', '"a', "1e400", "-0.0", "NaN", "[1, 2]", '["a"]', "true", "", "{}}",
        "1}{x: 2",
        '{"$ref": "#"}', "[" * 50 + "]" * 50, '{"a":' * 30 + "1" + "}" * 30, "9" * 60, '"\\ud800"', "null",
        '[{"a": [{}]}]',
    ))  # fmt: skip
    begin = random.choice(("\n\n", "\n\n", "\n\n", "\n", " ", ""))
    more = "" if random.random() < 0.8 else f", {random.choice(WORDS)}: {random.choice(('1', '{', '[]'))}"
    return f"{begin}{{{keyword}: {value}{more}}}"
