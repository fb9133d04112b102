"""Cases: one input of one entry point each, as data that can be kept in a file and run again."""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import decimal
import enum
import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

CORPUS = Path(__file__).parent / "corpus"


class Case(NamedTuple):
    """A document, the entry point it goes through, and the options there. Both may hold `Made` values."""

    entry_point: str
    document: Any
    options: dict[str, Any]


class Made(NamedTuple):
    """A value that JSON text cannot have, or that would be long in it: a recipe and how often, how deep, how large."""

    recipe: str
    size: int = 0


class Dumped:
    """An object with a `model_dump` that does something else than dump."""

    def __init__(self, answer: Callable[[Dumped], Any]) -> None:
        self.answer = answer

    def model_dump(self, **_: object) -> Any:
        return self.answer(self)


class Text(str):
    """A subclass of str."""

    __slots__ = ()


class Number(enum.IntEnum):
    """Numbers with names."""

    ONE = 1


class Word(enum.Enum):
    """Words with names."""

    A = "a"


@dataclasses.dataclass
class Record:
    """A dataclass, which is no model."""

    name: str = "a"
    inputSchema: Any = None  # noqa: N815 - the word of the format


class Strange(Mapping[str, Any]):
    """A mapping whose values cannot be read."""

    def __getitem__(self, key: str) -> Any:
        raise KeyError(key)

    def __iter__(self) -> Any:
        return iter(["name", "inputSchema"])

    def __len__(self) -> int:
        return 2


def _raising(error: Exception) -> Callable[[Dumped], Any]:
    def answer(_: Dumped) -> Any:
        raise error

    return answer


def _cycle(kind: str) -> Any:
    if kind == "list":
        around: list[Any] = []
        around.append(around)
        return around
    body: dict[str, Any] = {"type": "object"}
    body["properties"] = {"a": body}
    return body


def _deep(size: int, wrap: Callable[[Any], Any], inner: Any) -> Any:
    for _ in range(size):
        inner = wrap(inner)
    return inner


RECIPES: dict[str, Callable[[int], Any]] = {
    "lists": lambda size: _deep(size, lambda inner: [inner], []),
    "objects": lambda size: _deep(size, lambda inner: {"a": inner}, {}),
    "schemas": lambda size: _deep(size, lambda inner: {"type": "object", "properties": {"a": inner}}, {}),
    "items": lambda size: _deep(size, lambda inner: {"items": inner}, {}),
    "anyOf": lambda size: _deep(size, lambda inner: {"anyOf": [inner, {"type": "null"}]}, {}),
    "allOf": lambda size: _deep(size, lambda inner: {"allOf": [inner]}, {}),
    "not": lambda size: _deep(size, lambda inner: {"not": inner}, {}),
    "integer": lambda size: 10**size,
    "negative": lambda size: -(10**size),
    "text": lambda size: "x" * size,
    "wide": lambda size: "\U0001f600" * size,
    "lines": lambda size: "\n" * size,
    "braces": lambda size: "x\n\n{enum: " + "[" * size + "]" * size + "}",
    "open braces": lambda size: "x\n\n{not: " + '{"not":' * size,
    "enum": lambda size: {"enum": list(range(size))},
    "enum of lists": lambda size: {"enum": [[each] for each in range(size)]},
    "enum of numbers": lambda size: {"enum": [1e308] * size},
    "required": lambda size: {"type": "object", "required": [f"a{each}" for each in range(size)]},
    "properties": lambda size: {"type": "object", "properties": {f"a{each}": {} for each in range(size)}},
    "branches": lambda size: {"anyOf": [{"const": each} for each in range(size)]},
    "ones": lambda size: [1] * size,
    "empty objects": lambda size: [{}] * size,
    "pattern": lambda size: {"type": "string", "pattern": "(a?)" * size + "a" * size},
    "classes": lambda size: {"type": "string", "pattern": "(?i)" + "[\x01-\U0010ffff]" * size},
    "chain": lambda size: {
        "$ref": "#/$defs/c0",
        "$defs": {f"c{each}": {"$ref": f"#/$defs/c{each + 1}"} for each in range(size)},
    },
    "doubling": lambda size: {
        "properties": {"a": {"$ref": "#/$defs/d0"}},
        "$defs": {
            f"d{each}": {"properties": {key: {"$ref": f"#/$defs/d{each + 1}"} for key in "ab"}} for each in range(size)
        },
    },
    **{
        f"{word} twice": lambda size, word=word: {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/d0"}},
            "$defs": {f"d{each}": {word: [{"$ref": f"#/$defs/d{each + 1}"}] * 2} for each in range(size)}
            | {f"d{size}": {"type": "string"}},
        }
        for word in ("allOf", "anyOf", "oneOf")
    },
    "ring": lambda size: {
        "properties": {"a": {"$ref": "#/$defs/c0"}},
        "$defs": {
            f"c{each}": {"properties": {"a": {"$ref": f"#/$defs/c{(each + 1) % size}"}}} for each in range(max(1, size))
        },
    },
    "lines of objects": lambda size: b'{"a":1}\n' * size,
    "text of ones": lambda size: b"[" + b"1," * size + b"1]",
    "cycle": lambda _: _cycle("object"),
    "list cycle": lambda _: _cycle("list"),
    "tuple": lambda _: ("a", 1),
    "nan": lambda _: math.nan,
    "infinity": lambda _: math.inf,
    "bytes": lambda _: b"\xff\x00",
    "bytearray": lambda _: bytearray(b"{}"),
    "set": lambda _: {1, 2},
    "frozenset": lambda _: frozenset(["a"]),
    "number key": lambda _: {1: "a"},
    "large key": lambda size: {10**size: 1},
    "tuple key": lambda _: {("a", 1): 1},
    "null key": lambda _: {None: 1, True: 2},
    "bytes key": lambda _: {b"a": 1},
    "surrogate key": lambda _: {"\ud800": 1},
    "surrogate": lambda _: "\udfff",
    "decimal": lambda _: decimal.Decimal("1.5"),
    "date": lambda _: dt.datetime(2026, 11, 21, tzinfo=dt.UTC),
    "dataclass": lambda _: Record(),
    "class": lambda _: Record,
    "function": lambda _: len,
    "generator": lambda _: (each for each in ("a", "b")),
    "ellipsis": lambda _: ...,
    "object": lambda _: object(),
    "subclass of text": lambda _: Text("a"),
    "enumeration": lambda _: Number.ONE,
    "word": lambda _: Word.A,
    "raw": lambda _: msgspec.Raw(b'{"a":1}'),
    "broken raw": lambda _: msgspec.Raw(b'{"a":'),
    "unset": lambda _: msgspec.UNSET,
    "strange mapping": lambda _: Strange(),
    "exception": lambda _: ValueError("it went wrong"),
    "model": lambda _: Dumped(lambda _: {"name": "a", "inputSchema": {"type": "object"}}),
    "model of itself": lambda _: Dumped(lambda mine: mine),
    "model of a set": lambda _: Dumped(lambda _: {1}),
    "model of nothing": lambda _: Dumped(lambda _: None),
    "model that raises ValueError": lambda _: Dumped(_raising(ValueError("no"))),
    "model that raises TypeError": lambda _: Dumped(_raising(TypeError("no"))),
    "model that raises RuntimeError": lambda _: Dumped(_raising(RuntimeError("no"))),
    "model that raises KeyError": lambda _: Dumped(_raising(KeyError("no"))),
}
"""What a `Made` stands for, by its name."""

PYTHON = tuple([*RECIPES][[*RECIPES].index("cycle") :])
"""Recipes of what only Python has."""


def realised(value: Any) -> Any:
    """The value with everything made that it asks for; a copy where that is not the value itself."""
    try:
        return _realised(value)
    except RecursionError:  # what is so deep was read from text, which asks for nothing
        return value


def _realised(value: Any) -> Any:
    if isinstance(value, Made):
        return RECIPES[value.recipe](value.size)
    if isinstance(value, dict):
        return {key: _realised(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_realised(inner) for inner in value]
    return value


_encode = msgspec.json.Encoder(enc_hook=lambda value: "?" * len(repr(value))).encode


def size_of(value: Any) -> int:
    """Roughly how many bytes of JSON a realised value is."""
    if isinstance(value, (bytes, bytearray)):
        return len(value)
    try:
        return len(_encode(value))
    except (TypeError, ValueError, RecursionError):
        pass
    count, waiting, seen = 0, [value], set[int]()
    while waiting:
        each = waiting.pop()
        if isinstance(each, (dict, list, tuple)):
            if id(each) not in seen:
                seen.add(id(each))
                waiting += [*each, *each.values()] if isinstance(each, dict) else each
            count += 2
        elif isinstance(each, (str, bytes)):
            count += len(each) + 3
        else:
            count += each.bit_length() // 3 if isinstance(each, int) else 8
    return count


# kept in files


def written(case: Case, **more: Any) -> str:
    """A case as one line of JSON."""
    try:
        body = {"document": _plain(case.document), "options": _plain(case.options)}
        return json.dumps({**more, "entry_point": case.entry_point, **body})
    except RecursionError:  # the number still leads to it
        return json.dumps({**more, "entry_point": case.entry_point, "document": None, "options": {}})


def _plain(value: Any) -> Any:
    if isinstance(value, Made):
        return {"$made": value.recipe, "size": value.size}
    if isinstance(value, bytes):
        try:
            return {"$text": value.decode()}
        except UnicodeDecodeError:
            return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value


def read(line: str) -> tuple[str, Case]:
    """The name of a case, and the case, of its line."""
    found = json.loads(line)
    return found.get("name", ""), Case(found["entry_point"], _again(found["document"]), _again(found["options"]))


def _again(value: Any) -> Any:
    if isinstance(value, dict):
        if "$made" in value:
            return Made(value["$made"], value.get("size", 0))
        if "$text" in value:
            return value["$text"].encode()
        if "$bytes" in value:
            return base64.b64decode(value["$bytes"])
        return {key: _again(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_again(inner) for inner in value]
    return value


def corpus() -> list[tuple[str, Case]]:
    """The cases that were found, with their names."""
    return [
        read(line)
        for file in sorted(CORPUS.glob("*.jsonl"))
        if file.name != "documents.jsonl"
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
