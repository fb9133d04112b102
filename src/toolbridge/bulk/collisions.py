"""What a catalogue says of its tools: which names they need where they go, and which are the same as another.

Where the tools are too many to be held, marks of their names are enough to find those few that have to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple
from zlib import adler32, crc32

from ..conversion.item import Item
from ..conversion.rules import assign_names, duplicates
from ..mapping.format import Format
from ..mapping.record import Record
from ..mapping.table import Table

_TOLD: Final = ("name", "toolkit", "version")

NOBODY: Final = 0
"""The mark of an item that has no name: it cannot be read, or is no tool of ours."""


class Marks(NamedTuple):
    """What a catalogue says of its items, by their numbers.

    `called` are names that have to be others, with what they become; `apart` are items that must be told from one
    that would be identified in the same way, `repeated` those that are the same as one before them.
    """

    called: Mapping[str, str] = {}
    apart: frozenset[int] = frozenset()
    repeated: frozenset[int] = frozenset()

    def numbers(self, readings: Sequence[Record | None]) -> list[int]:
        """The items of a catalogue of which it says anything."""
        called = self.called
        return [
            n
            for n, each in enumerate(readings)
            if each is not None and (n in self.apart or n in self.repeated or each.fields["name"] in called)
        ]

    def tells(self, number: int, name: str) -> bool:
        """Whether it says anything of an item."""
        return number in self.apart or number in self.repeated or name in self.called


NOTHING: Final = Marks()


def known(reading: Record) -> Record:
    """What tells a tool from others, without the tool: it can go to another process."""
    own = () if reading.table is None else _own(reading.table)
    return Record(
        None,
        reading.family,
        {},
        fields={path: reading.fields[path] for path in _TOLD if path in reading.fields},
        places={"name": reading.places["name"]} if "name" in reading.places else {},
        raw={wire: reading.raw[wire] for wire in own if wire in reading.raw},
    )


@lru_cache(maxsize=256)
def _own(table: Table) -> tuple[str, ...]:
    """The places where documents of a table say it."""
    return tuple(wire for wire, row in table.rows.items() if row.hub in _TOLD)


def mark(text: str | bytes) -> int:
    """Sixty-four bits that texts seldom share; those that do are looked at."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return (crc32(data) << 32 | adler32(data)) or 1


def marks(readings: Iterable[tuple[int, Record | None]], target: Format) -> Marks:
    """What the catalogue says of its items, all of them, or all that meet any other."""
    items = [Item(number, "", None, reading) for number, reading in readings if reading is not None]
    called = assign_names(items, target)
    apart = frozenset(item.number for item in items if item.reading is not None and item.reading.apart)
    again = frozenset(item.number for item in duplicates(items, target, False))
    return Marks(called, _numbers(apart), _numbers(again)) if called or apart or again else NOTHING


def _numbers(found: Iterable[Any]) -> frozenset[int]:
    return frozenset(number for number in found if number is not None)
