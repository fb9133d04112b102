"""Row and Via: one line that says that a place in a document means a field of the hub."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec import UNSET, Struct

from . import pointer as at
from .hub import Json

if TYPE_CHECKING:
    from .reading import Reading, Writing

Notes: TypeAlias = list[tuple[str, str, "str | None"]]
"""Losses as they are noted: code, place in the source document, place in the written one (None: nothing is there)."""


class Unrepresentable(Exception):  # noqa: N818 - it says what happened, not that somebody erred
    """A Via cannot say the value at all: `place` is the pointer into the hub value being written."""

    def __init__(self, problem: str, place: str = "", code: str = "TB901") -> None:
        self.problem = problem
        self.place = place
        self.code = code
        super().__init__(problem)


def _same(sub: str, value: Any, reading: Reading) -> str:  # noqa: ARG001 - the signature of Via.place
    return sub


class Via(NamedTuple):
    """A pair of functions for one value, where a row cannot speak plainly.

    `read` gets the wire value and answers the hub's (UNSET: nothing that the hub can hold); `write` the other way
    round. `place` translates a pointer into the hub value to one into the wire value, where the two are built
    differently; one that starts with `^` is a place in the whole document. `fills`: what a caller fills in here is the
    hub's value.
    """

    read: Callable[[Any, Reading], Any]
    write: Callable[[Any, Writing], Any]
    place: Callable[[str, Any, Reading], str] = _same
    fills: Callable[[Any], dict[str, Any]] | None = None


class Row(Struct, frozen=True, eq=False, kw_only=True):
    """One line of a table. Two tables that share a row value say the same thing at this place: it passes as it is."""

    wire: str
    tokens: tuple[str, ...]
    hub: str | None = None
    via: Via | None = None
    must: bool = False
    default: Any = UNSET
    nullable: bool = False
    fallback: bool = False
    code: str = "TB101"


def row(
    wire: str,
    hub: str,
    via: Via | None = None,
    *,
    must: bool = False,
    default: Any = UNSET,
    nullable: bool = False,
) -> Row:
    """`wire` means the field `hub` (dotted for hints and requirements).

    `must`: the format demands it, `default` answers where the source says nothing. `nullable`: null is a value here;
    anywhere else null says nothing.
    """
    return Row(wire=wire, tokens=at.split(wire), hub=hub, via=via, must=must, default=default, nullable=nullable)


def local(wire: str, *, must: bool = False, default: Any = UNSET, code: str = "TB101") -> Row:
    """What only this family says at `wire`; it travels as it is, and leaving the family it is noted with `code`."""
    return Row(wire=wire, tokens=at.split(wire), must=must, default=default, code=code)


def mark(wire: str, value: Json) -> Row:
    """What only tells that a document is one of these: always the same, and missed by nobody elsewhere."""
    return Row(wire=wire, tokens=at.split(wire), must=True, default=value, code="")


def fallback(wire: str, hub: str, via: Via | None = None) -> Row:
    """Local to the family; towards others it speaks for `hub` where no other row has."""
    return Row(wire=wire, tokens=at.split(wire), hub=hub, via=via, fallback=True)
