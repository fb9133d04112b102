"""Differences between two JSON documents, their application, and digests of documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias, cast

from ..errors import DocumentError
from ..limits import LIMITS
from . import pointer as at
from .equality import same
from .json_decoder import decode_json, encode_json, encode_sorted
from .json_text import levels_of
from .types import Json, JsonObject, is_object

Operation: TypeAlias = list[Any]

_SHALLOW: Final = 2
"""Down to this level values are compared by their texts first: it is faster, and deeper it would be quadratic."""


def seal(document: Json) -> str:
    """The digest of a document: 128 bits of SHA-256 over its JSON text with sorted keys."""
    from hashlib import sha256  # loads OpenSSL, and most conversions need no seal

    return sha256(encode_sorted(document)).hexdigest()[:32]


def diff(base: Json, original: Json) -> list[Operation]:
    """The operations that turn `base` into `original`."""
    operations: list[Operation] = []
    orders: list[Operation] = []
    # Iterators, so that a long list does not stand on the stack a second time.
    stack: list[Iterator[tuple[str, Json, Json]]] = [iter([("", base, original)])]
    while stack:
        entry = next(stack[-1], None)
        if entry is None:
            stack.pop()
            continue
        place, a, b = entry
        if isinstance(a, dict) and isinstance(b, dict):
            old, new = cast("JsonObject", a), cast("JsonObject", b)
            removed = [["remove", f"{place}/{at.escape(key)}"] for key in old if key not in new]
            added = [["add", f"{place}/{at.escape(key)}", inner] for key, inner in new.items() if key not in old]
            operations += removed + added
            if added and [key for key in old if key in new] + [key for key in new if key not in old] != list(new):
                orders.append(["order", place, list(new)])
            stack.append(_common_members(place, old, new))
        elif isinstance(a, list) and isinstance(b, list) and len(cast("list[Json]", a)) == len(cast("list[Json]", b)):
            stack.append(_items(place, cast("list[Json]", a), cast("list[Json]", b)))
        elif not same(a, b):
            operations.append(["replace", place, b])
    return operations + orders


def _common_members(place: str, old: JsonObject, new: JsonObject) -> Iterator[tuple[str, Json, Json]]:
    for key, inner in new.items():
        if key in old and not (place.count("/") < _SHALLOW and _are_equal_texts(old[key], inner)):
            yield f"{place}/{at.escape(key)}", old[key], inner


def _are_equal_texts(a: Json, b: Json) -> bool:
    """Whether two values have the same JSON text, as most schemas have that are converted back."""
    try:
        return encode_json(a) == encode_json(b)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False  # a value that JSON does not have is compared member by member


def _items(place: str, old: list[Json], new: list[Json]) -> Iterator[tuple[str, Json, Json]]:
    return ((f"{place}/{index}", inner, new[index]) for index, inner in enumerate(old))


def is_in_lists(patch: list[Operation]) -> bool:
    """Whether an operation may have its place in a list: a token of the place is a number."""
    return any(token.isdecimal() for operation in patch for token in operation[1].split("/"))


def apply(patch: list[Operation], base: Json, depth: int = LIMITS.depth) -> Json:
    """The document after these operations. It shares with `base` what they do not change, and nothing with them.

    Raises DocumentError if an operation does not fit, or puts a value more than `depth` levels deep.
    """
    root: Any = base
    if base.__class__ is dict or base.__class__ is list:
        root = root.copy()
    copies: dict[int, Json] = {}
    ordered: set[tuple[str, ...]] = set()
    try:
        for operation in patch:
            if len(operation) != 2 + (operation[:1] != ["remove"]) or not isinstance(operation[1], str):
                raise ValueError(f"{operation!r} is no operation")
            kind, place, *rest = operation
            tokens = at.split(place)
            if kind == "order":
                if tokens in ordered:  # the order of a large object takes long
                    raise ValueError(f"{place or '(root)'}: ordered twice")
                ordered.add(tokens)
                _order(_changeable(root, tokens, copies), place, rest[0])
                continue
            if kind == "remove":
                parent: Any = _changeable(root, tokens[:-1], copies) if tokens else at.MISSING
                if at.step(parent, tokens[-1] if tokens else "") is at.MISSING:
                    raise LookupError(f"{place or '(root)'}: there is nothing to remove")
                del parent[tokens[-1] if isinstance(parent, dict) else int(tokens[-1])]
                continue
            if kind not in ("add", "replace"):
                raise ValueError(f"unknown operation {kind!r}")
            value = _copied(rest[0], depth, depth - len(tokens))
            if not tokens:
                root = value
                continue
            parent = _changeable(root, tokens[:-1], copies)
            if parent is at.MISSING:
                raise LookupError(f"{place}: its parent is missing")
            if isinstance(parent, dict):
                parent[tokens[-1]] = value
            else:
                at.put(parent, f"/{tokens[-1]}", value)
    except (LookupError, ValueError, TypeError, RecursionError) as error:
        raise DocumentError(f"the remainder does not fit: {str(error)[:200]}") from None
    return root


def _order(members: Any, place: str, keys: Any) -> None:
    if (
        not is_object(members)
        or not isinstance(keys, list)
        or not all(isinstance(key, str) and key in members for key in cast("list[Any]", keys))
    ):
        raise TypeError(f"{place or '(root)'}: an order is a list of the keys of an object")
    # A secret is in the document but not in the remainder: its key comes last.
    ordered = {key: members[key] for key in cast("list[str]", keys)} | members
    members.clear()
    members.update(ordered)


def _changeable(root: Any, tokens: tuple[str, ...], copies: dict[int, Json]) -> Any:
    """The value at a path in a document, copied with all above it but the root; MISSING if there is none.

    `copies` has the copies by their ids: they are made once.
    """
    value = root
    for token in tokens:
        child: Any = value.get(token, at.MISSING) if value.__class__ is dict else at.step(value, token)
        if child.__class__ in (dict, list) and id(child) not in copies:
            child = child.copy()
            copies[id(child)] = child
            value[token if value.__class__ is dict else int(token)] = child
        value = child
    return value


def _copied(value: Json, depth: int, room: int) -> Json:
    """A copy of a value. Raises ValueError if it has more than `room` levels, where a document may have `depth`."""
    if not isinstance(value, (dict, list)):
        return value
    text = encode_json(value)
    if is_deep(text, room):
        raise ValueError(f"its result is nested more than {depth} levels deep (limit depth)")
    return decode_json(text)


def is_deep(text: bytes, depth: int) -> bool:
    """Whether a JSON text is nested more than `depth` levels deep."""
    return text.count(b"[") + text.count(b"{") > depth and levels_of(decode_json(text)) > depth
