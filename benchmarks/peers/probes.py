"""Argument objects for testing schemas: valid ones, and ones with an error at one place.

All are made from the keywords of the schema, in a fixed order, so that two runs test the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

MOST = 500
"""Probes for one schema."""
NODES = 300
"""Values in one good argument object."""
BROAD, DEEP = 5, 16
"""Levels down to which optional properties are filled in."""
JUNK: tuple[Any, ...] = (None, True, 0, -1, 1.5, 1000000, "", "zz", "z" * 300, [], [None], ["zz", 1], {}, {"zz": 1})
TEXTS = {
    "date-time": "2026-01-02T03:04:05Z",
    "date": "2026-01-02",
    "time": "03:04:05Z",
    "email": "a@example.org",
    "uri": "https://example.org/a",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "ipv4": "192.0.2.1",
}
WORDS = ("pattern", "minLength", "maxLength", "format")
NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")


def fitting(pattern: str) -> str:
    """A text that a pattern matches; the empty text for a pattern that is not supported here."""
    try:
        return _text(parser.parse(pattern))
    except (re.error, RecursionError, OverflowError):
        return ""


def _text(tokens: Any) -> str:
    out = ""
    for operation, argument in tokens:
        if operation is codes.LITERAL:
            out += chr(argument)
        elif operation is codes.NOT_LITERAL:
            out += "a" if argument != ord("a") else "b"
        elif operation is codes.ANY:
            out += "a"
        elif operation is codes.IN:
            out += _member(argument)
        elif operation in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            low, high, inner = argument
            out += _text(inner) * max(low, min(1, high))
        elif operation is codes.SUBPATTERN:
            out += _text(argument[-1])
        elif operation is codes.BRANCH:
            out += _text(argument[1][0])
    return out


def _member(choices: Any) -> str:
    kinds = {codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " ", codes.CATEGORY_WORD: "a"}
    negated = False
    for operation, argument in choices:
        if operation is codes.NEGATE:
            negated = True
        elif negated:
            continue
        elif operation is codes.LITERAL:
            return chr(argument)
        elif operation is codes.RANGE:
            return chr(argument[0])
        elif operation is codes.CATEGORY:
            return kinds.get(argument, "-")
    return "q"


class ArgumentGenerator:
    """Generates argument objects for a levelled schema (see `shape.levelled`)."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.table = root.get("$defs", {}) if isinstance(root, dict) else {}
        self.left = 0
        self.levels = BROAD

    def gather(self, schema: Any, turn: int, depth: int = 0) -> dict[str, Any]:
        """The keywords of a schema and its references and branches; `turn` chooses one branch of each union."""
        if not isinstance(schema, dict) or depth > 30:
            return {}
        out = {key: value for key, value in schema.items() if key not in ("$ref", "$defs", "allOf", "anyOf", "oneOf")}
        more = list(schema.get("allOf", ()))
        if "$ref" in schema:
            more.append(self.table.get(schema["$ref"][8:].replace("%25", "%"), True))
        more += [schema[key][turn % len(schema[key])] for key in ("anyOf", "oneOf") if key in schema]
        if "then" in schema:
            more.append(schema["then"] if turn % 2 else schema.get("else", schema["then"]))
        for inner in more:
            _join(out, self.gather(inner, turn, depth + 1))
        return out

    def make(self, schema: Any, turn: int, full: bool, depth: int = 0) -> Any:
        self.left -= 1
        keywords = self.gather(schema, turn)
        if "const" in keywords:
            return keywords["const"]
        if keywords.get("enum"):
            return keywords["enum"][turn % len(keywords["enum"])]
        kind = _kind(keywords, turn)
        if kind == "object":
            return self._object(keywords, turn, full, depth)
        if kind == "array":
            return self._array(keywords, turn, full, depth)
        if kind == "string":
            return _string(keywords)
        if kind in ("integer", "number"):
            return _number(keywords, kind, turn)
        return None if kind == "null" else bool(turn % 2)

    def _object(self, keywords: dict[str, Any], turn: int, full: bool, depth: int) -> dict[str, Any]:
        named = keywords.get("properties", {})
        required = [name for name in keywords.get("required", ()) if name not in named]
        made: dict[str, Any] = {}
        for name, schema in named.items():
            if name in keywords.get("required", ()) or (
                full and self.left > 0 and (depth < self.levels or len(named) == 1)
            ):
                made[name] = self.make(schema, turn, full, depth + 1) if depth < 90 else {}
        rest = keywords.get("additionalProperties", True)
        for name in required:
            made[name] = "x" if isinstance(rest, bool) else self.make(rest, turn, full, depth + 1)
        if full and depth < self.levels:
            for pattern, schema in keywords.get("patternProperties", {}).items():
                made[fitting(pattern)] = self.make(schema, turn, full, depth + 1)
            if isinstance(rest, dict):
                made["other"] = self.make(rest, turn, full, depth + 1)
        for index in range(keywords.get("minProperties", 0) - len(made)):
            made[f"more{index}"] = "x" if isinstance(rest, bool) else self.make(rest, turn, full, depth + 1)
        return made

    def _array(self, keywords: dict[str, Any], turn: int, full: bool, depth: int) -> list[Any]:
        first = keywords.get("prefixItems", [])
        made = (
            [self.make(schema, turn, full, depth + 1) for schema in first] if full or keywords.get("minItems") else []
        )
        if "contains" in keywords:
            made.append(self.make(keywords["contains"], turn, full, depth + 1))
        items = keywords.get("items", True)
        wish = 1 if full and depth < self.levels + 1 and items is not False and not first else 0
        count = min(max(keywords.get("minItems", 0), wish), keywords.get("maxItems", 50), 50)
        made += [
            self.make(items, turn + index, full, depth + 1) if items is not True else f"item{index}"
            for index in range(len(made), count)
        ]
        return made

    def places(self, schema: Any, value: Any, turn: int, path: tuple[Any, ...] = ()) -> Iterator[Any]:
        """Every place in an argument object, with the keywords of the schema there."""
        keywords = self.gather(schema, turn)
        yield path, value, keywords
        if isinstance(value, dict):
            for name, inner in value.items():
                below = keywords.get("properties", {}).get(name, keywords.get("additionalProperties", True))
                yield from self.places(below, inner, turn, (*path, name))
        elif isinstance(value, list):
            for index, inner in enumerate(value[:4]):
                first = keywords.get("prefixItems", [])
                below = first[index] if index < len(first) else keywords.get("items", True)
                yield from self.places(below, inner, turn, (*path, index))


def _join(out: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if key not in out:
            out[key] = value
        elif key == "properties":
            both = dict(out[key])
            for name, schema in value.items():
                both[name] = {"allOf": [both[name], schema]} if name in both else schema
            out[key] = both
        elif key == "required":
            out[key] = list(dict.fromkeys([*out[key], *value]))
        elif key == "enum":
            out[key] = [member for member in out[key] if member in value] or out[key]
        elif key == "type":
            mine, other = _list(out[key]), _list(value)
            out[key] = [name for name in mine if name in other or (name == "integer" and "number" in other)] or mine
        elif key in ("minimum", "minLength", "minItems", "minProperties", "exclusiveMinimum"):
            out[key] = max(out[key], value)
        elif key in ("maximum", "maxLength", "maxItems", "maxProperties", "exclusiveMaximum"):
            out[key] = min(out[key], value)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _kind(keywords: dict[str, Any], turn: int) -> str:
    if "type" in keywords:
        kinds = _list(keywords["type"])
        return str(kinds[turn % len(kinds)])
    if (
        "properties" in keywords
        or "required" in keywords
        or "additionalProperties" in keywords
        or "patternProperties" in keywords
    ):
        return "object"
    if "items" in keywords or "prefixItems" in keywords:
        return "array"
    if any(key in keywords for key in NUMBERS):
        return "number"
    return "string" if any(key in keywords for key in WORDS) else ("string", "object", "integer", "array")[turn % 4]


def _string(keywords: dict[str, Any]) -> str:
    text = fitting(keywords["pattern"]) if "pattern" in keywords else TEXTS.get(keywords.get("format", ""), "abc")
    return (text + "a" * (min(keywords.get("minLength", 0), 5000) - len(text)))[: keywords.get("maxLength", 5000)]


def _number(keywords: dict[str, Any], kind: str, turn: int) -> float:
    step = keywords.get("multipleOf", 1)
    number = keywords.get("minimum", keywords.get("exclusiveMinimum"))
    if number is None:
        number = keywords.get("maximum", keywords.get("exclusiveMaximum", 3 + turn))
        if number == keywords.get("exclusiveMaximum"):
            number -= 1
    elif "minimum" not in keywords:
        number += 1
    try:
        number = -(-number // step) * step
    except (ZeroDivisionError, OverflowError):
        return 0
    return int(number) if kind == "integer" or number == int(number) else number


def _wrong(value: Any, keywords: dict[str, Any]) -> Iterator[Any]:
    """Values near what a place allows."""
    for key, away in (("minimum", -1), ("maximum", 1), ("exclusiveMinimum", 0), ("exclusiveMaximum", 0)):
        if key in keywords:
            yield keywords[key] + away
            yield keywords[key]
    if "multipleOf" in keywords:
        yield keywords["multipleOf"] * 1.5
    if isinstance(value, str):
        if keywords.get("minLength"):
            yield value[: keywords["minLength"] - 1]
        if keywords.get("maxLength", 5000) < 5000:
            yield value + "a" * (keywords["maxLength"] - len(value) + 1)
        if "pattern" in keywords:
            yield from ("~", "a", "1", value + "~")
    for member in keywords.get("enum", [])[:20]:
        yield member
        yield json.dumps(member)
    if isinstance(value, list):
        yield value + value
        yield value[: max(keywords.get("minItems", 0) - 1, 0)]
        yield [*value, *(value[:1] or ["x"]) * 3]
        yield [*value, "x"]
        yield list(reversed(value))
        if keywords.get("maxItems", 100) < 100 and value:
            yield value + value[-1:] * (keywords["maxItems"] - len(value) + 1)
    if isinstance(value, dict):
        for name in value:
            yield {key: inner for key, inner in value.items() if key != name}
        yield {**value, "unknown": "x"}
        yield {**value, "unknown": {"y": [1]}}
        yield {**value, "x-unknown": 1}


def put(whole: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with one place changed."""
    if not path:
        return value
    copy: Any = dict(whole) if isinstance(whole, dict) else list(whole)
    copy[path[0]] = put(copy[path[0]], path[1:], value)
    return copy


class Probe(NamedTuple):
    """An argument object, and the place at which it was made wrong, if it was."""

    value: dict[str, Any]
    path: tuple[Any, ...] | None = None


def probes(schema: Any) -> list[Probe]:
    """Argument objects for a levelled schema, good ones first."""
    generator = ArgumentGenerator(schema)
    good: list[tuple[int, dict[str, Any]]] = []
    for turn in range(5):
        for levels in (BROAD, 0, DEEP):
            generator.left, generator.levels = NODES, levels
            try:
                made = generator.make(schema, turn, levels > 0)
            except RecursionError:
                continue
            if isinstance(made, dict) and all(made != other for _, other in good):
                good.append((turn, made))
    found = [Probe(made) for _, made in good]
    found += [Probe({key: made[key] for key in made if key != name}, (name,)) for _, made in good for name in made]
    found += [Probe({}), Probe({"unknown": 1}, ())]
    known: set[str] = set()
    around = [_around(generator, schema, turn, made, known) for turn, made in good]
    # The first wrong value of every place, then the second, so that a limit cuts no place off.
    for wave in range(40):
        for one in around:
            found += [changed for wrongs in one for changed in wrongs[wave : wave + 1]]
    kept: dict[str, Probe] = {}
    for probe in found:
        kept.setdefault(json.dumps(probe.value, sort_keys=True), probe)
        if len(kept) >= MOST:
            break
    return list(kept.values())


def _around(
    generator: ArgumentGenerator, schema: Any, turn: int, made: dict[str, Any], known: set[str]
) -> list[list[Probe]]:
    """Argument objects with an error at one place each; of places with the same schema only the first one is used."""
    changes: list[list[Probe]] = []
    for path, value, keywords in generator.places(schema, made, turn):
        place = json.dumps([path, keywords, type(value).__name__], sort_keys=True, default=str)
        if place in known:
            continue
        known.add(place)
        wrong = [*_wrong(value, keywords), *(JUNK if path else ())]
        tried = [put(made, path, other) for other in wrong]
        changes.append([Probe(change, path) for change in tried if isinstance(change, dict)])
        if len(changes) > 150:
            break
    return changes
