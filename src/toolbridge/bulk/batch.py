"""Batch: the converted texts of several items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from ..data.json_decoder import decode_json
from ..data.types import Json
from ..errors import ToolbridgeError
from ..mapping.format import Format
from ..mapping.record import Notes, Record
from ..names import is_legal

if TYPE_CHECKING:
    from .fastpath import FastResult


class Written(Struct, frozen=True, eq=False):
    """The result of the general path for one text.

    Attributes:
        text: The written text; None if the item was left out.
        notes: The losses.
        reading: The record that identifies the tool; None if it could not be read, or is hosted.
    """

    text: bytes | None
    notes: Notes = []
    reading: Record | None = None

    @property
    def name(self) -> str | None:
        return None if self.reading is None else self.reading.fields["name"]


class Batch(Struct, eq=False):
    """The results for several texts, in their order.

    Attributes:
        items: The results.
        parts: The written texts, each followed by the separator.
        failures: The errors of items that were left out, with their numbers.
        broken: The numbers of the texts that are not JSON.
    """

    items: list[FastResult | Written] = []
    parts: list[bytes] = []
    failures: list[tuple[int, ToolbridgeError]] = []
    broken: set[int] = set()

    def __iter__(self) -> Iterator[tuple[bytes | None, Notes]]:
        """The written text of each item (None: it was left out), and its losses: code, place in the source tool (in the
        whole document, if it starts with `^`), place in the written tool (None: the value was dropped).
        """
        return ((item.text, item.notes) for item in self.items)

    def values(self) -> Iterator[Json]:
        """The written tools."""
        return (decode_json(item.text) for item in self.items if item.text is not None)

    @property
    def written(self) -> int:
        """The number of written tools."""
        return sum(item.text is not None for item in self.items)

    @property
    def has_early_losses(self) -> bool:
        """Whether an item may have a loss that is found before the conversion, such as a duplicate member."""
        return any(isinstance(item, Written) or (item.notes[:1] and item.notes[0][0] == "TB003") for item in self.items)

    def counts(self) -> Counter[str]:
        """The number of losses of each code."""
        uses: Counter[int] = Counter()
        notes: dict[int, Notes] = {}
        for item in self.items:
            item_notes = item.notes
            if item_notes:
                uses[id(item_notes)] += 1
                notes[id(item_notes)] = item_notes
        counts: Counter[str] = Counter()
        for key, times in uses.items():
            for code, _, _ in notes[key]:
                counts[code] += times
        return counts

    def has_no_collisions(self, target: Format) -> bool:
        """Whether no tool collides with another one, by a fast test that may be false without a collision."""
        rule, identity = target.names, target.identity
        if rule is not None:
            for item in self.items:
                if isinstance(item, Written):
                    if item.reading is not None and not is_legal(item.reading.fields["name"], rule):
                        return False
                elif item.renamed is not None:
                    return False
        names = [item.name for item in self.items if item.name is not None]
        if rule is not None and rule.fold:
            names = [name.casefold() for name in names]
        if len(set(names)) < len(names):
            return False
        if identity is None:
            return True
        identities = [identity(item, item.fields["name"]) for item in self.readings() if item is not None]
        return len(set(identities)) == len(identities)

    def readings(self) -> list[Record | None]:
        """The records that identify the tools."""
        return [item.reading for item in self.items]

    def replace(self, others: Mapping[int, Batch], between: bytes) -> None:
        """Replace the results of some items, given by their numbers."""
        for number, other in others.items():
            self.items[number] = other.items[0]
        old = [item for item in self.failures if item[0] not in others]
        new = [item for other in others.values() for item in other.failures]
        self.failures = sorted([*old, *new], key=lambda item: item[0])
        self.parts = [part for text, _ in self if text is not None for part in (text, between)]
