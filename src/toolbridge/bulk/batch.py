"""Batch: the converted texts of several items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from ..conversion.converter import Converter
from ..conversion.item import FastResult, tool_name
from ..conversion.remainder import Remainder
from ..data.types import Json
from ..errors import ToolbridgeError
from ..losses.digest import subjects_of
from ..losses.note import Note
from ..losses.report import CODES
from ..mapping.format import Format
from ..mapping.record import Record
from .collisions import NO_COLLISIONS, Collisions, legal_name


class DocumentCounts(NamedTuple):
    """The numbers of the items of a line that is a list or a catalogue, of those with losses, and of those left out.

    `named` has the names of the items with losses by the keys of PHRASES.
    """

    items: int
    lossy: int
    refused: int
    named: dict[str, list[str | None]]

    @classmethod
    def of(cls, converter: Converter, document: Json) -> DocumentCounts:
        """Those of a document that a converter has converted."""
        codes: dict[int, list[str]] = {}
        for loss in converter.item_converter.losses():
            if loss.item is not None:
                codes.setdefault(loss.item, []).append(loss.code)
        refused = sum(any(CODES[code].effect == "refused" for code in each) for each in codes.values())
        named: dict[str, list[str | None]] = {}
        source = converter.source
        items = converter.rules.catalogue(document, source, converter.options.schemas.limits).items if codes else []
        for number, each in codes.items():
            for subject in subjects_of(each):
                named.setdefault(subject, []).append(tool_name(items[number], source))
        return cls(converter.count, len(codes) - refused, refused, named)


class Written(Struct, frozen=True, eq=False):
    """The result of the general path for one text.

    Attributes:
        text: The written text; None if the item was left out.
        notes: The losses.
        record: The record that identifies the tool; None if it could not be read, or is hosted.
        document: The counts of a text that is a list or a catalogue; None for a tool, and if it was left out.
        remainder: The remainder, if remainders are made and it has one.
    """

    text: bytes | None
    notes: list[Note] = []
    record: Record | None = None
    document: DocumentCounts | None = None
    remainder: Remainder | None = None

    @property
    def name(self) -> str | None:
        return None if self.record is None else self.record.fields["name"]


class Batch(Struct, eq=False):
    """The results for several texts, in their order.

    Attributes:
        items: The results.
        parts: The written texts, each followed by the separator.
        failures: The errors of items that were left out, with their numbers.
        broken: The numbers of the texts that are not JSON.
        documents: The numbers of the lines that are lists or catalogues: documents of their own.
        collisions: The collisions among the tools.
    """

    items: list[FastResult | Written] = []
    parts: list[bytes] = []
    failures: list[tuple[int, ToolbridgeError]] = []
    broken: set[int] = set()
    documents: set[int] = set()
    collisions: Collisions = NO_COLLISIONS

    def __iter__(self) -> Iterator[tuple[bytes | None, list[Note]]]:
        """The written text of each item (None: it was left out), and its losses."""
        return ((item.text, item.notes) for item in self.items)

    def tools(self, first: int = 0) -> Iterator[tuple[int, bytes]]:
        """The texts of the written tools with their numbers, from that of the first item; none of the documents."""
        numbered = enumerate(self.items, first)
        return ((n, item.text) for n, item in numbered if item.text is not None and n not in self.documents)

    def records(self, numbers: Iterable[int]) -> list[tuple[int, Record | None]]:
        """The records that identify the tools with these numbers."""
        return [(number, self.items[number].record) for number in numbers]

    @property
    def written(self) -> int:
        """The number of written tools."""
        return sum(item.text is not None for item in self.items)

    def counts(self) -> Counter[str]:
        """The number of losses of each code."""
        lists = {id(item.notes): item.notes for item in self.items}  # most tools share theirs with others
        counts: Counter[str] = Counter()
        for key, times in Counter(id(item.notes) for item in self.items).items():
            for note in lists[key]:
                counts[note.code] += times
        return counts

    def replace(self, others: Mapping[int, Batch], between: bytes) -> None:
        """Replace the results of some items, given by their numbers."""
        for number, other in others.items():
            self.items[number] = other.items[0]
        old = [item for item in self.failures if item[0] not in others]
        new = [item for other in others.values() for item in other.failures]
        self.failures = sorted([*old, *new], key=lambda item: item[0])
        self.parts = [part for text, _ in self if text is not None for part in (text, between)]


class BatchIndex:
    """The names and the identities that the tools of a batch have in the target format, as a `NameIndex`.

    Attributes:
        names: The names.
        identities: The identities; none if the names identify the tools of the format.
    """

    def __init__(self, batch: Batch, target: Format) -> None:
        self.names = names = [item.name and legal_name(item.name, target) for item in batch.items]
        self.identities: list[str | bytes | None] = []
        if (identity := target.identity) is not None:
            records = [item.record for item in batch.items]
            self.identities = [
                None if record is None or not name else identity(record, name)
                for record, name in zip(records, names, strict=True)
            ]

    def key(self, text: str | bytes) -> str | bytes:
        return text

    def repeated(self) -> tuple[set[Any], set[Any]]:
        return _repeated(self.names), _repeated(self.identities)

    def items_with(self, names: set[Any], identities: set[Any]) -> list[int]:
        numbers = {n for n, name in enumerate(self.names) if name in names} if names else set[int]()
        if identities:
            numbers.update(n for n, identity in enumerate(self.identities) if identity in identities)
        return sorted(numbers)


def _repeated(values: Sequence[Any]) -> set[Any]:
    """The values that occur several times, without None."""
    if len(set(values)) == len(values):
        return set()
    return {value for value, count in Counter(values).items() if count > 1 and value is not None}
