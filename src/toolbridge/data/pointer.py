"""JSON Pointer (RFC 6901): get, put, drop and change the value at a place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from .types import Json, JsonObject, is_list, is_object


class _Missing:
    """The type of MISSING, which `get` returns where there is no value: null is a value."""

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Final = _Missing()


def escape(key: str) -> str:
    """One reference token, with `~` and `/` escaped."""
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


def _unescape(token: str) -> str:
    return token.replace("~1", "/").replace("~0", "~") if "~" in token else token


def split(pointer: str) -> tuple[str, ...]:
    """The tokens of a pointer: `"/a~1b/0"` is `("a/b", "0")`, `""` is `()`. Raises ValueError without a leading `/`."""
    if pointer[:1] not in ("", "/"):
        raise ValueError(f"a JSON Pointer is empty or starts with '/', found {pointer!r}")
    return tuple(map(_unescape, pointer.split("/")[1:]))


def join(*tokens: str | int) -> str:
    """The pointer made of these tokens."""
    return "".join(["/" + escape(str(token)) for token in tokens])


OUTSIDE: Final = "^"
"""Before a pointer: it is a place in the whole document, where others are places in one of its items."""


def absolute(place: str, base: str) -> str:
    """The place in the document of a place in its item at `base`, or of one that begins with `OUTSIDE`."""
    return place[1:] if place.startswith(OUTSIDE) else base + place


def step(place: object, token: str) -> Any:
    """The member or element of a value that a token names; MISSING if there is none."""
    if isinstance(place, dict):
        return cast("dict[str, Any]", place).get(token, MISSING)
    if isinstance(place, list):
        items = cast("list[Any]", place)
        # A longer number is beyond any list, and Python refuses to parse thousands of digits.
        if (
            len(token) < 19
            and token.isascii()
            and token.isdigit()
            and (token == "0" or token[0] != "0")
            and int(token) < len(items)
        ):
            return items[int(token)]
    return MISSING


def get(document: Any, pointer: str, default: Any = MISSING) -> Any:
    """The value at `pointer`, or `default` (MISSING, unless given) where there is none."""
    tokens = pointer[1:].split("/") if pointer[:1] == "/" and "~" not in pointer else pointer and split(pointer)
    return walk(document, tokens, default)


def walk(document: Any, tokens: Sequence[str], default: Any = MISSING) -> Any:
    """The value to which these tokens lead, or `default` where there is none."""
    for token in tokens:
        document = document.get(token, MISSING) if document.__class__ is dict else step(document, token)
        if document is MISSING:
            return default
    return document


def put(document: Any, pointer: str, value: Any) -> None:
    """Set the value at `pointer` in place, and create missing objects above it; `-` appends to a list.

    Raises LookupError if a value above it is neither an object nor a list with that index.
    """
    *parents, last = split(pointer)
    place: Any = document
    for token in parents:
        child: Any = step(place, token)
        if child is MISSING and isinstance(place, dict):
            child = cast("dict[str, Any]", place)[token] = {}
        place = child
    if isinstance(place, dict):
        cast("dict[str, Any]", place)[last] = value
        return
    if isinstance(place, list):
        items = cast("list[Any]", place)
        if last in ("-", str(len(items))):
            items.append(value)
            return
        if step(items, last) is not MISSING:
            items[int(last)] = value
            return
    raise LookupError(f"{pointer}: there is no such place")


def drop(document: Any, pointer: str) -> Any:
    """Remove the value at `pointer` in place and return it; MISSING if there was none."""
    tokens = split(pointer)
    parent = get(document, join(*tokens[:-1]))
    value = step(parent, tokens[-1])
    if value is not MISSING:
        if isinstance(parent, dict):
            del cast("dict[str, Any]", parent)[tokens[-1]]
        else:
            del cast("list[Any]", parent)[int(tokens[-1])]
    return value


def decoded(fragment: str) -> str:
    """A URI fragment without its percent-encoding."""
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote  # takes longer to import than the rest of this module

    return unquote(fragment)


def overlap(one: str, other: str) -> bool:
    """Whether one of two pointers is the other one, or leads to a place in its value."""
    return one == other or other.startswith(one + "/") or one.startswith(other + "/")


def is_within(place: str, base: str) -> bool:
    """Whether a pointer is another one, or leads from there into its value."""
    return place == base or place.startswith(base + "/")


def put_through(document: JsonObject, place: str, value: Json) -> None:
    """Set the value at a place, replacing each null above it by an object."""
    tokens = split(place)
    for depth in range(1, len(tokens)):
        holder = join(*tokens[:depth])
        if get(document, holder) is None:
            put(document, holder, {})
    put(document, place, value)


def existing(document: Any, place: str) -> str:
    """The place, or the nearest above it that the document has."""
    if not place.startswith("/"):
        return place  # the root, or a place of the envelope
    value, end = document, 0
    for token in place.split("/")[1:]:
        name = _unescape(token) if "~" in token else token
        value = value.get(name, MISSING) if value.__class__ is dict else step(value, name)
        if value is MISSING:
            return place[:end]
        end += 1 + len(token)
    return place


def with_changes(value: Json, change: Callable[[Json], Json]) -> tuple[Json, list[str]]:
    """A copy with what `change` makes of each value that is no object and no list; the places of those that change.

    The value itself if none does.
    """
    whole: list[Json] = [value]
    todo: list[tuple[Any, Any, str]] = [(whole, 0, "")]
    places: list[str] = []
    for holder, key, place in todo:
        each: Json = holder[key]
        if is_object(each) or is_list(each):
            holder[key] = copy = each.copy()
            todo += [(copy, inner, place + join(inner)) for inner in (copy if is_object(copy) else range(len(copy)))]
        elif (changed := change(each)) is not each:
            holder[key] = changed
            places.append(place)
    return (whole[0] if places else value), places
