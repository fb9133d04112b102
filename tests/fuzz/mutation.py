"""Mutations: a document with another value, name or order somewhere, and texts with other bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from fuzz.cases import PYTHON, Made, realised
from fuzz.schemas import (
    NAMES,
    NUMBERS,
    REFERENCES,
    TEXTS,
    WORDS,
    anything,
    made,
    prose,
    scalar,
    schema,
    value_of,
)

LARGEST = 900_000
"""Texts are kept below so many bytes."""

Place = tuple[Any, Any]
"""What holds a value (a dict or a list), and its key there."""


def place(random: Random, document: Any) -> Place | None:
    """Any place in a document but its root; those with something in them are passed through to what they hold."""
    holder = key = None
    here = document
    while (isinstance(here, dict) or here.__class__ is list) and here:
        # What is changed near the root is mostly refused at once.
        if holder is not None and random.random() < (0.1 if holder is document else 0.3):
            break
        holder = here
        key = random.choice([*here]) if isinstance(here, dict) else random.randrange(len(here))
        here = holder[key]
    return None if holder is None else (holder, key)


def pointer(random: Random, document: Any) -> str:
    """A pointer to any place."""
    way, here = "", document
    while (isinstance(here, dict) or here.__class__ is list) and here and random.random() < 0.8:
        key = random.choice([*here]) if isinstance(here, dict) else random.randrange(len(here))
        way += "/" + str(key).replace("~", "~0").replace("/", "~1")
        here = here[key]
    return way


def mutated(random: Random, document: Any, other: Callable[[], Any]) -> Any:
    """The document, changed in a place or several; `other` gives further documents to take from."""
    while True:
        document = _once(random, document, other)
        if random.random() < 0.55:
            return document


def _once(random: Random, document: Any, other: Callable[[], Any]) -> Any:
    found = place(random, document)
    if found is None:
        return anything(random)
    holder, key = found
    random.choice(_OPERATIONS)(random, holder, key, (document, other))
    return document


def _scalar(random: Random, holder: Any, key: Any, _: Any) -> None:
    holder[key] = scalar(random)


def _anything(random: Random, holder: Any, key: Any, _: Any) -> None:
    holder[key] = anything(random)


def _schema(random: Random, holder: Any, key: Any, _: Any) -> None:
    holder[key] = schema(random)


def _delete(random: Random, holder: Any, key: Any, _: Any) -> None:
    del random
    del holder[key]


def _swapped(random: Random, holder: Any, key: Any, more: Any) -> None:
    found = place(random, more[1]())
    if found is not None:
        holder[key] = found[0][found[1]]


def _keyword(random: Random, holder: Any, key: Any, _: Any) -> None:
    inner = holder[key]
    word = random.choice(WORDS)
    target = inner if isinstance(inner, dict) else holder
    if isinstance(target, dict):
        target[word] = value_of(random, word)
    else:
        holder[key] = {word: value_of(random, word)}


def _reference(random: Random, holder: Any, key: Any, more: Any) -> None:
    known = random.random() < 0.6
    holder[key] = {"$ref": "#" + pointer(random, more[0]) if known else random.choice(REFERENCES)}
    if known and random.random() < 0.5 and isinstance(holder, dict):
        # Within the schema, not within the tool.
        holder[key]["$ref"] = "#" + pointer(random, holder)


def _renamed(random: Random, holder: Any, key: Any, _: Any) -> None:
    if isinstance(holder, dict):
        inner = holder.pop(key)
        chance = random.random()
        name = f"{key}{random.choice(TEXTS)}" if chance < 0.4 else random.choice(NAMES if chance < 0.7 else TEXTS)
        holder[name] = inner


def _wrapped(random: Random, holder: Any, key: Any, _: Any) -> None:
    inner = holder[key]
    holder[key] = [inner] if random.random() < 0.5 else {random.choice(NAMES): inner}


def _twice(random: Random, holder: Any, key: Any, _: Any) -> None:
    inner = holder[key]
    if inner.__class__ is list:
        holder[key] = inner * random.choice((2, 3, 20))
    elif isinstance(holder, list):
        holder[key:key] = [inner] * random.choice((1, 2, 20))
    elif isinstance(holder, dict):
        holder[random.choice(NAMES)] = inner


def _prose(random: Random, holder: Any, key: Any, _: Any) -> None:
    inner = holder[key]
    if isinstance(inner, str):
        holder[key] = inner + prose(random)
    elif isinstance(holder, dict):
        holder["description"] = "x" + prose(random)


def _text(random: Random, holder: Any, key: Any, _: Any) -> None:
    inner = holder[key]
    odd = random.choice(TEXTS)
    if isinstance(inner, str):
        cut = random.randrange(len(inner) + 1)
        holder[key] = inner[:cut] + odd + inner[cut + random.randrange(3) :]
    else:
        holder[key] = odd


def _number(random: Random, holder: Any, key: Any, _: Any) -> None:
    holder[key] = random.choice(NUMBERS)


def _made(random: Random, holder: Any, key: Any, _: Any) -> None:
    holder[key] = made(random)


def _long(random: Random, holder: Any, key: Any, _: Any) -> None:
    chance = random.random()
    if chance < 0.9:
        holder[key] = Made(random.choice(("text", "wide", "lines", "braces", "open braces")), random.choice((50, 2000)))
    elif chance < 0.97:
        holder[key] = Made(random.choice(("braces", "open braces", "lists", "objects", "schemas")), 1000)
    elif chance < 0.99:
        holder[key] = Made(random.choice(("ones", "empty objects", "text", "enum", "required", "branches")), 3000)
    elif random.random() < 0.3:
        # Some are as large as inputs are promised to be quick at.
        holder[key] = Made(
            random.choice(("text", "lines", "enum", "ones", "enum of numbers", "enum of lists")), 100_000
        )


_OPERATIONS: tuple[Callable[[Random, Any, Any, Any], None], ...] = (
    *(_scalar,) * 4,
    *(_anything,) * 3,
    *(_schema,) * 4,
    *(_delete,) * 4,
    *(_swapped,) * 4,
    *(_keyword,) * 8,
    *(_reference,) * 2,
    *(_renamed,) * 3,
    *(_wrapped,) * 2,
    *(_twice,) * 2,
    *(_prose,) * 2,
    *(_text,) * 3,
    _number,
    _made,
    _long,
)


def with_python(random: Random, document: Any) -> Any:
    """The document with something in it that only Python has."""
    found = place(random, document)
    odd = Made(random.choice(PYTHON), random.choice((1, 5000)))
    if found is None or random.random() < 0.1:
        return odd
    found[0][found[1]] = odd
    return document


# texts

_RAW = (
    "1e400", "-1e400", "1E5", "-0", "-0.0", "1.0", "1e308", "9" * 25, "9" * 5000, "NaN", "Infinity", "-Infinity", "01",
    "0.1e1", "\\u0000", '"\\ud800"', '"\\udc00\\ud800"', "'a'", "tru", "{", "]", ",", '"\x01"', "/* x */ 1", "1_000",
    '"\\u0022"', "[" * 600 + "]" * 600, '{"a":' * 600,
)  # fmt: skip
_MEMBER = re.compile(rb'\{\s*("(?:[^"\\]|\\.){0,40}")\s*:')
_BYTES = (
    b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n", b"\xe2\x80\xa8",
    b"\xf4\x90\x80\x80",
    b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b" ", b"\t", b"0", b"-", b"e", b"\x1a", b"\xff\xfe", b"\xc0\x80",
)  # fmt: skip
_VALUE = re.compile(rb'(?<=[:\[,])\s*("(?:[^"\\]|\\.){0,40}"|-?[0-9][0-9.eE+-]*|true|false|null)')


def text_of(random: Random, document: Any) -> bytes | None:
    """JSON text of a document, spelled in one way or another; None where Python's own writer cannot write it."""
    chance = random.random()
    try:
        if chance < 0.9:
            text = json.dumps(realised(document), ensure_ascii=chance < 0.6)
        elif chance < 0.95:
            text = json.dumps(realised(document), separators=(",", ":"))
        else:
            text = json.dumps(realised(document), ensure_ascii=False)
            if len(text) < 20_000:
                text = json.dumps(realised(document), indent=random.choice((0, 1, "\t", " \r")))
    except (TypeError, ValueError, RecursionError):
        return None
    return text.encode("utf-8", "surrogatepass")


def odd_text(random: Random, text: bytes) -> bytes:
    """JSON text with an odd value, or a member that stands twice."""
    chance = random.random()
    if chance < 0.5:
        values = [*_VALUE.finditer(text[:20_000])]
        if values:
            found = random.choice(values)
            return text[: found.start(1)] + random.choice(_RAW).encode("utf-8", "surrogatepass") + text[found.end(1) :]
    members = [*_MEMBER.finditer(text[:20_000])]
    if members:
        found = random.choice(members)
        again = found[1] + b":" + random.choice((b"1", b"null", b"{}", b"[]", b'"a"')) + b","
        return text[: found.start(1)] + again + text[found.start(1) :]
    return text


def odd_bytes(random: Random, text: bytes, other: Callable[[], bytes]) -> bytes:
    """Text with other bytes here and there, without its end, or with a part of another."""
    while True:
        at = random.randrange(len(text) + 1)
        chance = random.random()
        if chance < 0.3 and at < len(text):
            text = text[:at] + bytes([text[at] ^ 1 << random.randrange(8)]) + text[at + 1 :]
        elif chance < 0.55:
            text = text[:at] + random.choice(_BYTES) + text[at + random.randrange(2) :]
        elif chance < 0.65:
            text = text[:at]
        elif chance < 0.75:
            text = text[:at] + text[at + random.randrange(1, 20) :]
        elif chance < 0.85:
            rest = other()
            text = text[:at] + rest[random.randrange(len(rest) + 1) :]
        elif chance < 0.9:
            piece = text[at : at + random.randrange(1, 30)]
            text = text[:at] + piece * random.choice((2, 3, 50)) + text[at:]
        elif chance < 0.93:
            text = (
                random.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\x00", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"---\n"))
                + text
            )
        else:
            text = odd_text(random, text)
        if len(text) > LARGEST:
            text = text[:LARGEST]
        if random.random() < 0.6:
            return text
