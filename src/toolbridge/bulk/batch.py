"""Crossed: what became of some texts of tools."""

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
    """What became of a text that took the bridge: the written one (None: it was left out), and its losses.

    `reading` is what tells the tool from others (None: it could not be read, or is no tool of ours).
    """

    text: bytes | None
    notes: Notes = []
    reading: Record | None = None

    @property
    def name(self) -> str | None:
        return None if self.reading is None else self.reading.fields["name"]


class Batch(Struct, eq=False):
    """What became of some texts, in their order. `failures` say of what was left out why, by the number of the item.

    `broken` are the numbers of texts that are not JSON. `parts` are the written texts, each with what stands behind it.
    """

    items: list[FastResult | Written] = []
    parts: list[bytes] = []
    failures: list[tuple[int, ToolbridgeError]] = []
    broken: set[int] = set()

    def __iter__(self) -> Iterator[tuple[bytes | None, Notes]]:
        """The written text (None: it was left out), and the losses of each: code, place in the tool that was read (in
        the whole document, if it begins with `^`), place in the one that was written (None: nothing is there).
        """
        return ((each.text, each.notes) for each in self.items)

    def values(self) -> Iterator[Json]:
        """The written tools."""
        return (decode_json(each.text) for each in self.items if each.text is not None)

    @property
    def written(self) -> int:
        """How many of them were written."""
        return sum(each.text is not None for each in self.items)

    @property
    def several(self) -> bool:
        """Whether any of them may have a loss that is known before any of them is converted."""
        return any(isinstance(each, Written) or (each.notes[:1] and each.notes[0][0] == "TB003") for each in self.items)

    def counts(self) -> Counter[str]:
        """How often each code was noted."""
        alike: Counter[int] = Counter()
        notes: dict[int, Notes] = {}
        for each in self.items:
            of = each.notes
            if of:
                alike[id(of)] += 1
                notes[id(of)] = of
        found: Counter[str] = Counter()
        for key, times in alike.items():
            for code, _, _ in notes[key]:
                found[code] += times
        return found

    def alone(self, target: Format) -> bool:
        """Whether each of them is what it would be without the others, as far as a quick look tells."""
        rule, identity = target.names, target.identity
        if rule is not None:
            for each in self.items:
                if isinstance(each, Written):
                    if each.reading is not None and not is_legal(each.reading.fields["name"], rule):
                        return False
                elif each.renamed is not None:
                    return False
        names = [each.name for each in self.items if each.name is not None]
        if rule is not None and rule.fold:
            names = [name.casefold() for name in names]
        if len(set(names)) < len(names):
            return False
        if identity is None:
            return True
        told = [identity(each, each.fields["name"]) for each in self.readings() if each is not None]
        return len(set(told)) == len(told)

    def readings(self) -> list[Record | None]:
        """What tells each of them from others, without the tool."""
        return [each.reading for each in self.items]

    def replace(self, others: Mapping[int, Batch], between: bytes) -> None:
        """Put what became of some texts after all in their places."""
        for number, other in others.items():
            self.items[number] = other.items[0]
        mine = [each for each in self.failures if each[0] not in others]
        theirs = [each for other in others.values() for each in other.failures]
        self.failures = sorted([*mine, *theirs], key=lambda each: each[0])
        self.parts = [part for text, _ in self if text is not None for part in (text, between)]
