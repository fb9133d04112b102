"""Holes: placeholders for the values of a document, while a plan is made for all documents of one form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn, cast

import msgspec

from ..data.types import JsonObject

_encode = msgspec.json.Encoder().encode


class HoleError(Exception):
    """Raised where code uses the value of a hole."""


DOUBTS: Final = Exception
"""The errors for which a tool takes the general path, which reports an error of the tool, if there is one."""


class Hole:
    """A placeholder for the value of the leaf of this number, or for the value that a step computes."""

    __slots__ = ("leaf", "step")

    def __init__(self, leaf: int | None, step: int | None = None) -> None:
        self.leaf = leaf
        self.step = step

    def __bool__(self) -> bool:
        return True  # empty values belong to the form, so a hole is never one

    @property
    def __class__(self) -> NoReturn:  # type: ignore[override]
        raise HoleError  # isinstance reads it


class HoleDocument(dict[str, Any]):
    """An object of which every use raises HoleError."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise HoleError

    __getitem__ = __setitem__ = __contains__ = __iter__ = __len__ = __eq__ = _refuse
    get = items = keys = values = pop = copy = _refuse
    setdefault = _refuse  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
    __hash__ = None


class HoleFields(dict[str, Any]):
    """An object of which every use of a missing key raises HoleError."""

    def __missing__(self, key: str) -> NoReturn:
        raise HoleError

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ARG002 - the signature of dict
        return self[key]

    def __contains__(self, key: object) -> bool:
        return self[cast("str", key)] is not HoleError


def holes_in(value: Any, tokens: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Hole]]:
    """The holes of a document, with their places."""
    if type(value) is Hole:
        yield tokens, value
    elif type(value) is dict:
        for key, inner in cast("JsonObject", value).items():
            yield from holes_in(inner, (*tokens, key))


def filled(value: Any, values: Mapping[tuple[str, ...], Any], tokens: tuple[str, ...] = ()) -> Any:
    """A document with these values in the holes at their places."""
    if type(value) is Hole:
        return values.get(tokens, value)
    if type(value) is dict:
        return {key: filled(inner, values, (*tokens, key)) for key, inner in cast("JsonObject", value).items()}
    return value


def pieces_of(document: JsonObject) -> tuple[bytes, list[tuple[tuple[str, ...], Hole]]]:
    """A document as text with `%b` for each hole, and the holes in their order, with their places."""

    def text(value: Any) -> bytes:
        if type(value) is Hole:
            return b"%b"
        if type(value) is dict:
            members = [_static(key) + b":" + text(inner) for key, inner in cast("JsonObject", value).items()]
            return b"{" + b",".join(members) + b"}"
        return _static(value)

    return text(document), [*holes_in(document)]


def _static(value: Any) -> bytes:
    return _encode(value).replace(b"%", b"%%")
