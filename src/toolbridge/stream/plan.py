"""What whoever works has to know, is given, and gives back."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, NamedTuple

from msgspec import Meta, Struct

from ..format import Format, find
from ..remainder import Remainder
from ..schema import Options
from .apart import Span
from .source import BINARY, Text
from .told import Counted

OUT: Final = "out"
REPORT: Final = "report"
REMAINDER: Final = "remainder"
REJECTS: Final = "rejects"
MARKS: Final = "marks"


class Plan(Struct, eq=False):
    """What whoever works has to know. `writes` says what is written beside the tools."""

    text: Text
    source: Format
    target: Format
    wrap: str | None
    fill: Mapping[str, Any] | None
    refuse: Sequence[str]
    options: Options
    listed: bool
    """Whether a list is written; else each tool has its line."""
    keep: bool
    writes: tuple[str, ...]
    rest: Text | None = None
    home: Remainder | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # What is forked gets it as it is. Whoever else gets it knows a format by its id, and opens files anew.
        values = [getattr(self, name) for name in self.__struct_fields__]
        return _planned, tuple(value.id if isinstance(value, Format) else value for value in values)


def _planned(*values: Any) -> Plan:
    text, source, target, *others = values
    plan = Plan(text, find(source), find(target), *others)
    for each in (plan.text, plan.rest):
        if each is not None:
            each.fd = os.open(each.path, os.O_RDONLY | BINARY)
    return plan


class Task(NamedTuple):
    """A block to convert: where it is, the numbers of its first item and line, and where its remainders are."""

    number: int
    start: int
    end: int
    first: int
    line: int
    items: int
    rest: Span = (0, 0)


class Piece(NamedTuple):
    """How many bytes of a file a block fills, and their SHA-256."""

    size: Annotated[int, Meta(ge=0)]
    digest: str

    @classmethod
    def of(cls, data: bytes) -> Piece:
        return cls(len(data), sha256(data).hexdigest())


class Made(NamedTuple):
    """What became of a block; its bytes wait until it is known where they go."""

    number: int
    pieces: dict[str, Piece]
    counted: Counted
