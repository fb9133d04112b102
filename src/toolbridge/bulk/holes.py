"""Holes: placeholders for the values of a document, while a plan is made for all documents of one form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn, cast

from ..data.json_decoder import encode_json
from ..data.types import JsonObject


class HoleError(Exception):
    """Raised where a value is needed that is not known while a plan is made, and for what takes the general path."""


ANY_ERROR: Final = Exception
"""Whatever is raised while a plan is made or a value is written: the tool takes the general path, which reports the
error if it is one of the tool.
"""


class Hole:
    """A placeholder for a value: the one with this index, or the one that the step of this number computes.

    Code that asks for the type of a hole, compares it or uses it in another way raises HoleError. Only `is` does not.
    `is_flag` is whether the value is true or false; other values are not empty, as empty ones belong to the form.
    """

    __slots__ = ("index", "is_flag", "step")

    def __init__(self, index: int | None, step: int | None = None, *, is_flag: bool = False) -> None:
        self.index = index
        self.step = step
        self.is_flag = is_flag

    def __bool__(self) -> bool:
        if self.is_flag:
            raise HoleError
        return True

    @property
    def __class__(self) -> NoReturn:  # type: ignore[override]
        raise HoleError  # isinstance reads it

    def _refuse(self, *_: Any) -> NoReturn:
        raise HoleError

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __str__ = __repr__ = __format__ = _refuse
    __getattr__ = __getitem__ = __contains__ = __iter__ = __len__ = __add__ = __radd__ = _refuse


class UnknownDocument(dict[str, Any]):
    """A document of which nothing is known: reading it raises HoleError."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise HoleError

    __getitem__ = __setitem__ = __contains__ = __iter__ = __len__ = __eq__ = _refuse
    get = items = keys = values = pop = copy = _refuse
    setdefault = _refuse  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
    __hash__ = None


class PartialFields(dict[str, Any]):
    """The fields that are known of a record: using any other one raises HoleError."""

    def __missing__(self, key: str) -> NoReturn:
        raise HoleError

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ARG002 - the signature of dict
        return self[key]

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or self.__missing__(cast("str", key))


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


def template_of(document: JsonObject) -> tuple[bytes, list[tuple[tuple[str, ...], Hole]]]:
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
    return encode_json(value).replace(b"%", b"%%")
