"""Collisions in a catalogue: tools that need another name in the target format, and tools that are duplicates.

Only tools are compared that share a name or an identity with another one, or would if they were converted alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, Protocol
from zlib import adler32, crc32

from msgspec.structs import replace

from ..conversion.item import IDENTIFYING, Item
from ..conversion.rules import assign_names, distinct_names, duplicates
from ..data.names import digest, is_legal, legal
from ..mapping.format import Format
from ..mapping.record import Record
from ..mapping.table import Table

NO_MARK: Final = 0
"""The mark of an item without a name: it cannot be read, or is a hosted tool."""


class Collisions(NamedTuple):
    """The collisions of a catalogue.

    Attributes:
        new_names: The new names of tools, by their old ones or their aliases.
        aliases: The names of the items that share one with an item of another toolkit or version, by their numbers.
        ambiguous: The numbers of the items that have the same identity as another one.
        duplicates: The numbers of the items that are duplicates of an earlier one.
        not_strict: The numbers of the items that are written without strict, for limits of the vendor over all tools.
    """

    new_names: Mapping[str, str] = {}
    aliases: Mapping[int, str] = {}
    ambiguous: frozenset[int] = frozenset()
    duplicates: frozenset[int] = frozenset()
    not_strict: frozenset[int] = frozenset()

    def changes(self, number: int, name: str) -> bool:
        """Whether an item is written in another way than alone."""
        return name in self.new_names or number in self.aliases or number in self.ambiguous or number in self.not_strict


NO_COLLISIONS: Final = Collisions()


def identifying_record(record: Record) -> Record:
    """The record that identifies a tool, without its document, so that it is small to send to another process."""
    places = () if record.table is None else _identifying_places(record.table)
    return Record(
        None,
        record.family,
        {},
        fields={path: record.fields[path] for path in IDENTIFYING if path in record.fields},
        places={"name": record.places["name"]} if "name" in record.places else {},
        raw={wire: record.raw[wire] for wire in places if wire in record.raw},
    )


@lru_cache(maxsize=256)
def _identifying_places(table: Table) -> tuple[str, ...]:
    """The places of the fields in a table that identify a tool."""
    return tuple(wire for wire, row in table.rows.items() if row.hub in IDENTIFYING)


def mark(text: str | bytes) -> int:
    """A hash of 64 bits of a text; texts with equal marks have to be compared."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return (crc32(data) << 32 | adler32(data)) or 1


class NameIndex(Protocol):
    """The names and the identities that the tools of a catalogue have in the target format, each converted alone."""

    def key(self, text: str | bytes, /) -> Hashable:
        """What the index keeps of a name or an identity."""
        ...

    def repeated(self) -> tuple[set[Any], set[Any]]:
        """The keys of names, and those of identities, that several tools have."""
        ...

    def items_with(self, names: set[Any], identities: set[Any], /) -> list[int]:
        """The numbers of the tools that have one of these keys."""
        ...


def find_collisions(
    index: NameIndex, target: Format, records_of: Callable[[Sequence[int]], list[tuple[int, Record | None]]]
) -> tuple[Collisions, list[int]]:
    """The collisions in a catalogue, and the numbers of the tools that they concern.

    A tool that gets a new name because of a collision may collide with others under that name, which are added.
    `records_of` gives the records that identify the tools with these numbers.
    """
    identity = target.identity
    names, identities = index.repeated()
    records: dict[int, Record | None] = {}
    collisions = NO_COLLISIONS
    while True:
        added = [number for number in index.items_with(names, identities) if number not in records]
        if not added:
            break
        records.update(records_of(added))
        known = sorted((number, record) for number, record in records.items() if record is not None)
        for _, record in known:
            record.is_ambiguous = False
        collisions = collisions_among(known, target)
        more_names, more_identities = set(names), set(identities)
        for number, record in known:
            name: str = collisions.aliases.get(number, record.fields["name"])
            assigned = collisions.new_names.get(name, name)
            more_names |= {index.key(assigned), index.key(legal_name(name, target))}
            if identity is not None:
                unique = f"{assigned}_{digest(name)}" if record.is_ambiguous else assigned
                more_identities |= {index.key(identity(record, each)) for each in (unique, assigned)}
        if more_names == names and more_identities == identities:
            break
        names, identities = more_names, more_identities
    known = sorted((number, record) for number, record in records.items() if record is not None)
    return collisions, [
        number
        for number, record in known
        if number in collisions.duplicates or collisions.changes(number, record.fields["name"])
    ]


def legal_name(name: str, target: Format) -> str:
    """The name that a tool gets in a format without the other tools of its catalogue."""
    rule = target.names
    return name if rule is None or is_legal(name, rule) or not name.strip() else legal(name, rule)


def collisions_among(records: Iterable[tuple[int, Record | None]], target: Format) -> Collisions:
    """The collisions among these items, which are all of a catalogue, or all that collide with another one."""
    items = [Item(number, "", None, record) for number, record in records if record is not None]
    aliases = distinct_names(items, target, False)
    for n, item in enumerate(items) if aliases else ():
        if item.number in aliases and (record := item.record) is not None:
            fields = {**record.fields, "name": aliases[item.number]}
            items[n] = replace(item, record=replace(record, fields=fields, fixed=True))
    names = assign_names(items, target)
    ambiguous = _numbers(item for item in items if item.record is not None and item.record.is_ambiguous)
    copies = _numbers(duplicates(items))
    has_any = names or aliases or ambiguous or copies
    return Collisions(names, aliases, ambiguous, copies) if has_any else NO_COLLISIONS


def _numbers(items: Iterable[Item]) -> frozenset[int]:
    return frozenset(item.number for item in items if item.number is not None)
