"""Arguments for a schema: objects that it accepts, and near misses of them.

Nothing here judges. What is made is right as often as a walk through the schema can make it so, and wrong at one place,
often enough, for a validator to say which of two schemas accepts more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any
from urllib.parse import unquote

from laws.law import copied, places
from toolbridge import DocumentError
from toolbridge.data.pointer import drop, get, put
from toolbridge.schema.arguments import restore_arguments

DEPTH = 6
LONGEST = 5000
WORDS = ("", "a", "text", "two words", "2026-11-21", "ünicode", "a@b.example", "https://example.org/x", "x-y", "10")
ANYTHING: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2.5, 10**12, "", "text"),
    *([], ["text"], [1], {}, {"k": "v"}, {"k": None}),
)
STRANGERS = ("stranger", "x-y", "id", "value")
KEYWORDS_OF = {
    "object": ("properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"),
    "string": ("minLength", "maxLength", "pattern"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


def home(value: Any, argument_map: dict[str, Any] | None) -> Any:
    """The arguments for the source; None for those with a name of the source that the written tool has not."""
    try:
        return restore_arguments(value, argument_map)
    except DocumentError as error:
        if "there is no such parameter" not in error.problem:
            raise
        return None


def samples(schemas: list[Any], rng: Random, count: int) -> Iterator[dict[str, Any]]:
    """Objects made for these schemas: the plain cases of each, then others, up to two places of them changed."""
    for schema in schemas:
        yield from corners(schema, rng)
    for number in range(count):
        schema = schemas[number % len(schemas)]
        value = make(schema, schema, rng)
        if not isinstance(value, dict):
            value = {}
        for _ in range(number // len(schemas) % 3):
            value = spoiled(value, rng)
        yield value


def corners(schema: Any, rng: Random) -> Iterator[dict[str, Any]]:
    """Nothing, all, what is required; all with a place within changed; a few properties alone, left out, and wrong."""
    yield {}
    node = gathered(schema, schema, rng, 0)
    properties = node.get("properties") if isinstance(node.get("properties"), dict) else {}
    everything = {name: make(inner, schema, rng, 1, share=1.0) for name, inner in properties.items()}
    least = {name: everything[name] for name in node.get("required", []) if name in properties}
    yield everything
    yield least
    yield {**least, rng.choice(STRANGERS): copied(rng.choice(ANYTHING))}
    within = [place for place in places(everything) if place.count("/") > 1]
    for place in rng.sample(within, min(len(within), 8)):
        yield without(everything, place)
        old = get(everything, place)
        for value in (None, 7 if isinstance(old, str) else "text", spoiled({"k": old}, rng).get("k")):
            yield replaced(everything, place, value)
    for name in rng.sample([*properties], min(len(properties), 6)):
        yield {**least, name: make(properties[name], schema, rng, 1)}
        yield {key: inner for key, inner in everything.items() if key != name}
        for value in (None, "", 0, [], {}, *edges(gathered(properties[name], schema, rng, 1), everything[name])):
            yield {**least, name: copied(value)}


def without(value: Any, place: str) -> Any:
    out = copied(value)
    drop(out, place)
    return out


def replaced(value: Any, place: str, new: Any) -> Any:
    out = copied(value)
    put(out, place, new)
    return out


def edges(node: dict[str, Any], value: Any) -> Iterator[Any]:
    """Values at the bounds of a node and beyond; `value` is one within them."""
    for word in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
        bound = node.get(word)
        if isinstance(bound, (int, float)) and not isinstance(bound, bool):
            yield from (bound - 1, bound, bound + 1, bound + 0.5)
    for word in ("minLength", "maxLength"):
        if isinstance(node.get(word), int) and node[word] <= LONGEST:
            yield from ("x" * max(0, node[word] + step) for step in (-1, 0, 1))
    for word in ("minItems", "maxItems"):
        if isinstance(node.get(word), int) and node[word] <= LONGEST and isinstance(value, list):
            items = value or [None]
            yield from ((items * (node[word] + 1))[: max(0, node[word] + step)] for step in (-1, 0, 1))
    if isinstance(value, list):
        yield [*value, None]
        yield [*value, *value]
    if isinstance(value, int) and not isinstance(value, bool):
        yield from (value + 0.5, str(value))


def at(root: Any, reference: str) -> Any:
    """What a reference within the document leads to; None where it leads nowhere."""
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return next((node for node in nodes(root) if f"#{node.get('$anchor')}" == reference), None)
    place = root
    for token in reference[2:].split("/"):
        key = unquote(token).replace("~1", "/").replace("~0", "~")
        if isinstance(place, dict) and key in place:
            place = place[key]
        elif isinstance(place, list) and key.isdecimal() and int(key) < len(place):
            place = place[int(key)]
        else:
            return None
    return place


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object within a schema, whatever it means there."""
    todo = [schema]
    for node in todo:
        if isinstance(node, dict):
            yield node
            todo += node.values()
        elif isinstance(node, list):
            todo += node


def make(schema: Any, root: Any, rng: Random, depth: int = 0, share: float | None = None) -> Any:
    """A value that the schema accepts, if it is not too clever a schema; `share` of its properties are there."""
    node = gathered(schema, root, rng, depth)
    if "const" in node and rng.random() < 0.95:
        return copied(node["const"])
    if isinstance(node.get("enum"), list) and node["enum"] and rng.random() < 0.95:
        return copied(rng.choice(node["enum"]))
    if depth and "default" in node and rng.random() < 0.1:
        return copied(node["default"])
    kind = _kind(node, rng)
    if kind == "object":
        return _object(node, root, rng, depth, share)
    if kind == "array":
        return _array(node, root, rng, depth, share)
    if kind == "string":
        return _string(node, rng)
    if kind in ("integer", "number"):
        return _number(node, kind, rng)
    if kind == "boolean":
        return rng.random() < 0.5
    return None if kind == "null" else copied(rng.choice(ANYTHING))


def gathered(schema: Any, root: Any, rng: Random, depth: int) -> dict[str, Any]:
    """One branch of a node: references followed, one alternative chosen, all that holds beside it put together."""
    node: dict[str, Any] = {}
    todo = [schema]
    for step, part in enumerate(todo):
        if not isinstance(part, dict) or step > 20:
            continue
        if isinstance(part.get("$ref"), str) and depth < DEPTH * 3:
            todo.append(at(root, part["$ref"]))
        todo += [
            rng.choice(part[word]) for word in ("anyOf", "oneOf") if part.get(word) and isinstance(part[word], list)
        ]
        if isinstance(part.get("allOf"), list):
            todo += part["allOf"]
        if isinstance(part.get("if"), dict):
            todo += rng.choice(([part["if"], part.get("then")], [part.get("else")]))
        for word, value in part.items():
            if word == "properties" and isinstance(value, dict):
                node[word] = {**value, **node.get(word, {})}
            elif word == "required" and isinstance(value, list):
                node[word] = [*node.get(word, []), *(name for name in value if isinstance(name, str))]
            elif word == "type" and "type" in node and rng.random() < 0.8:
                node[word] = _both(node[word], value)
            else:
                node.setdefault(word, value)
    return node


def _both(one: Any, other: Any) -> Any:
    names = [*one] if isinstance(one, list) else [one]
    others = [*other] if isinstance(other, list) else [other]
    return [name for name in names if name in others] or ["integer" if "integer" in (*names, *others) else names[0]]


def _kind(node: dict[str, Any], rng: Random) -> Any:
    kind = node.get("type")
    if isinstance(kind, list):
        return rng.choice(kind) if kind else None
    if kind is None:
        hints = [name for name, words in KEYWORDS_OF.items() if any(word in node for word in words)]
        return rng.choice(hints) if hints and rng.random() < 0.8 else "anything"
    if node.get("nullable") is True and rng.random() < 0.2:
        return "null"
    return kind


def _object(node: dict[str, Any], root: Any, rng: Random, depth: int, chosen: float | None) -> dict[str, Any]:
    out: dict[str, Any] = {}
    properties = node.get("properties") if isinstance(node.get("properties"), dict) else {}
    required = node.get("required", [])
    share = rng.choice((0.0, 0.5, 0.5, 1.0)) if chosen is None else chosen
    if depth >= (DEPTH if chosen is None else 3):
        share = 0.0
    for name, inner in properties.items():
        if name in required or rng.random() < share:
            # Beyond the depth what is made is wrong, and ends.
            out[name] = make(inner, root, rng, depth + 1, chosen) if depth < DEPTH * 2 else None
    for name in required:
        if name not in out:
            out[name] = copied(rng.choice(ANYTHING))
    open_to = node.get("additionalProperties", True)
    patterns = node.get("patternProperties")
    if depth < DEPTH and isinstance(patterns, dict):
        for pattern, inner in patterns.items():
            name = _matching(pattern, rng)
            if name is not None and rng.random() < 0.5:
                out[name] = make(inner, root, rng, depth + 1)
    if depth < DEPTH and open_to is not False and rng.random() < (0.15 if properties else 0.6):
        name = rng.choice(STRANGERS)
        if name not in properties:
            out[name] = make(open_to, root, rng, depth + 1)
    if isinstance(least := node.get("minProperties"), int):
        for number in range(len(out), min(least, 8)):
            out[f"k{number}"] = make(open_to, root, rng, depth + 1) if depth < DEPTH else None
    return out


def _array(node: dict[str, Any], root: Any, rng: Random, depth: int, share: float | None) -> list[Any]:
    first = node.get("prefixItems")
    items = node.get("items", True)
    if isinstance(items, list):
        first, items = items, node.get("additionalItems", True)
    first = first if isinstance(first, list) else []
    least, most = node.get("minItems", 0), node.get("maxItems", 4)
    low, high = (least if isinstance(least, int) else 0), (most if isinstance(most, int) else 4)
    length = rng.choice((low, high, low + 1, len(first), low - 1, high + 1))
    if items is False:
        length = min(length, len(first))
    out = []
    for index in range(max(0, min(length, 6)) if depth < DEPTH else max(0, min(low, 6))):
        inner = first[index] if index < len(first) else items
        out.append(make(inner, root, rng, depth + 1, share) if depth < DEPTH * 2 else None)
    return out


def _string(node: dict[str, Any], rng: Random) -> str:
    least, most, pattern = node.get("minLength"), node.get("maxLength"), node.get("pattern")
    if isinstance(pattern, str) and rng.random() < 0.8 and (made := _matching(pattern, rng)) is not None:
        return made
    if isinstance(least, int) and rng.random() < 0.7:
        return "y" * max(0, min(least + rng.choice((-1, 0, 1)), LONGEST))
    if isinstance(most, int) and rng.random() < 0.7:
        return "z" * max(0, min(most + rng.choice((-1, 0, 1)), LONGEST))
    return rng.choice(WORDS)


def _number(node: dict[str, Any], kind: str, rng: Random) -> Any:
    bounds = [
        node[word]
        for word in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
        if isinstance(node.get(word), (int, float)) and not isinstance(node[word], bool)
    ]
    value = rng.choice(bounds) + rng.choice((-1, 0, 1)) if bounds else rng.choice((0, 1, -1, 7, 60, 10**12))
    if isinstance(multiple := node.get("multipleOf"), int) and multiple and rng.random() < 0.6:
        value = value // multiple * multiple
    if kind == "number" and rng.random() < 0.5:
        return value + 0.5
    return int(value) if kind == "integer" and abs(value) < 1e18 else value


def _matching(pattern: str, rng: Random) -> str | None:
    """A text that a simple pattern finds; None where none of a few guesses is one."""
    try:
        known = re.compile(pattern)
    except re.error:
        return None
    bare = re.sub(r"\\(.)", r"\1", pattern.strip("^$"))
    guesses = [*WORDS, bare, bare + "a", "a" * 8, "A", "AB", "0", "1234", "a1b2c3d4", "x-a", "12:30", "a.b", "#aabbcc"]
    found = [guess for guess in guesses if known.search(guess)]
    return rng.choice(found) if found else None


def spoiled(value: dict[str, Any], rng: Random) -> dict[str, Any]:
    """The same object, changed at one place."""
    out = copied(value)
    holders = [holder for holder in _holders(out) if holder]
    if not holders or rng.random() < 0.15:
        out[rng.choice(STRANGERS)] = copied(rng.choice(ANYTHING))
        return out
    holder = rng.choice(holders)
    key = rng.choice([*holder] if isinstance(holder, dict) else range(len(holder)))
    how = rng.randrange(6)
    old = holder[key]
    if how == 0:
        del holder[key]
    elif how == 1:
        holder[key] = None
    elif how == 2 and isinstance(holder, dict):
        holder[rng.choice(STRANGERS)] = copied(rng.choice(ANYTHING))
    elif how == 3 and isinstance(old, list):
        holder[key] = old + old[-1:] if old else [None]
    elif how == 3 and isinstance(old, (int, float)) and not isinstance(old, bool):
        holder[key] = rng.choice((old + 1, old - 1, old + 0.5, -old, str(old)))
    elif how == 3 and isinstance(old, str):
        holder[key] = rng.choice((old + "x", old[:-1], old.upper(), old * 2, 0))
    else:
        holder[key] = copied(rng.choice(ANYTHING))
    return out


def _holders(value: Any) -> Iterator[Any]:
    todo = [value]
    for node in todo:
        if isinstance(node, (dict, list)):
            yield node
            todo += node.values() if isinstance(node, dict) else node
