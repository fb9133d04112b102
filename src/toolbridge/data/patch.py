"""Differences between two JSON documents, their application, and digests of documents."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

import msgspec

from ..errors import DocumentError
from ..limits import LIMITS
from . import pointer as at
from .json_decoder import decode_json
from .types import Json, JsonObject, is_object

Operation: TypeAlias = list[Any]


def seal(document: Json) -> str:
    """The digest of a document: 128 bits of SHA-256 over its JSON text with sorted keys."""
    from hashlib import sha256  # loads OpenSSL, and most crossings need no seal

    return sha256(msgspec.json.encode(document, order="deterministic")).hexdigest()[:32]


def same(one: Json, other: Json) -> bool:
    """JSON equality: 1, 1.0 and true are three values; the order of members does not count."""
    stack = [(one, other)]
    while stack:
        a, b = stack.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, dict):
            if a.keys() != b.keys():
                return False
            stack += [(inner, b[key]) for key, inner in cast("JsonObject", a).items()]
        elif isinstance(a, list):
            if len(cast("list[Json]", a)) != len(b):
                return False
            stack += zip(cast("list[Json]", a), b, strict=True)
        elif a != b:
            return False
    return True


def diff(home: Json, original: Json) -> list[Operation]:
    """The operations that turn `home` into `original`."""
    operations: list[Operation] = []
    stack: list[tuple[str, Json, Json]] = [("", home, original)]
    orders: list[Operation] = []
    while stack:
        place, a, b = stack.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            have, want = cast("JsonObject", a), cast("JsonObject", b)
            added = False
            operations += (["remove", f"{place}/{at.escape(key)}"] for key in have if key not in want)
            for key, inner in want.items():
                if key in have:
                    stack.append((f"{place}/{at.escape(key)}", have[key], inner))
                else:
                    added = True
                    operations.append(["add", f"{place}/{at.escape(key)}", inner])
            left = [key for key in have if key in want]
            if added and left + [key for key in want if key not in have] != list(want):
                orders.append(["order", place, list(want)])
        elif isinstance(a, list) and isinstance(b, list) and len(cast("list[Json]", a)) == len(cast("list[Json]", b)):
            stack += [
                (f"{place}/{index}", inner, cast("list[Json]", b)[index])
                for index, inner in enumerate(cast("list[Json]", a))
            ]
        elif not same(a, b):
            operations.append(["replace", place, b])
    return operations + orders


def apply(patch: list[Operation], home: Json, depth: int = LIMITS.depth) -> Json:
    """The document after these operations; `home` may be changed. Raises DocumentError where they do not fit.

    Nor do they fit where what they make is more than `depth` levels deep.
    """
    try:
        for operation in patch:
            kind, place, *rest = operation
            if not isinstance(place, str) or len(rest) != (kind != "remove"):
                raise ValueError(f"{operation!r} is no operation")
            if place and place[0] != "/":
                raise ValueError(f"a JSON Pointer is empty or starts with '/', found {place!r}")
            if kind == "remove":
                if not place or at.drop(home, place) is at.MISSING:
                    raise LookupError(f"{place or '(root)'}: there is nothing to remove")
            elif kind == "order":
                members, keys = at.get(home, place), rest[0]
                if not is_object(members) or not isinstance(keys, list):
                    raise TypeError(f"{place or '(root)'}: an order is a list of the keys of an object")
                # What the remainder was not to know, a secret, is there all the same: last.
                ordered = {key: members[key] for key in cast("list[str]", keys)} | members
                members.clear()
                members.update(ordered)
            elif kind not in ("add", "replace"):
                raise ValueError(f"unknown operation {kind!r}")
            elif place == "":
                home = rest[0]
            elif at.get(home, place[: place.rindex("/")]) is at.MISSING:
                raise LookupError(f"{place}: its parent is missing")
            else:
                at.put(home, place, rest[0])
        if is_deep(msgspec.json.encode(home), depth):
            raise ValueError(f"its result is nested more than {depth} levels deep (limit depth)")
    except (LookupError, ValueError, TypeError, RecursionError) as error:
        raise DocumentError(f"the remainder does not fit: {str(error)[:200]}") from None
    return home


def is_deep(text: bytes, depth: int) -> bool:
    """Whether a JSON text is nested more deeply."""
    if text.count(b"[") + text.count(b"{") <= depth:
        return False
    from .json_text import too_deep

    return too_deep(decode_json(text), depth)
