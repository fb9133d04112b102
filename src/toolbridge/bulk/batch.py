"""Crossed: what became of some texts of tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias, cast

from msgspec import Struct
from msgspec.json import Decoder

from ..data.types import Json
from ..errors import ToolbridgeError
from ..mapping.format import Format
from ..mapping.record import Notes, Record
from ..names import is_legal
from .templates import Template

_decode = Decoder().decode


class Written(Struct, frozen=True, eq=False):
    """What became of a text that took the bridge: the written one (None: it was left out), and its losses.

    `reading` is what tells the tool from others (None: it could not be read, or is no tool of ours).
    """

    text: bytes | None
    notes: Notes = []
    reading: Record | None = None


Spliced: TypeAlias = tuple[Template, bytes, tuple[bytes, ...]]
"""What became of a text that fits a template: that, the name, and what is in the other holes."""


class Batch(Struct, eq=False):
    """What became of some texts, in their order. `failures` say of what was left out why, by the number of the item.

    `broken` are the numbers of texts that are not JSON. `parts` are the written texts in pieces, each with what stands
    behind it. `uniform` is whether templates that differ in names are told from each other by that.
    """

    items: list[Spliced | Written] = []
    parts: list[bytes] = []
    failures: list[tuple[int, ToolbridgeError]] = []
    broken: set[int] = set()
    uniform: bool = True

    def __iter__(self) -> Iterator[tuple[bytes | None, Notes]]:
        """The written text (None: it was left out), and the losses of each: code, place in the tool that was read (in
        the whole document, if it begins with `^`), place in the one that was written (None: nothing is there).
        """
        for each in self.items:
            if isinstance(each, tuple):
                yield b"".join(each[0].filled(each[1], *each[2])), each[0].notes
            else:
                yield each.text, each.notes

    def values(self) -> Iterator[Json]:
        """The written tools."""
        return (_decode(text) for text, _ in self if text is not None)

    @property
    def written(self) -> int:
        """How many of them were written."""
        return sum(isinstance(each, tuple) or each.text is not None for each in self.items)

    @property
    def several(self) -> bool:
        """Whether any of them took the bridge."""
        return any(isinstance(each, Written) for each in self.items)

    def counts(self) -> Counter[str]:
        """How often each code was noted."""
        alike: Counter[int] = Counter()
        notes: dict[int, Notes] = {}
        for each in self.items:
            of = each[0].notes if isinstance(each, tuple) else each.notes
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
        rule = target.names
        names = [each[1] if isinstance(each, tuple) else _name(each.reading) for each in self.items]
        own = [each.reading for each in self.items if isinstance(each, Written) and each.reading is not None]
        if rule is not None:
            if any(not is_legal(each.fields["name"], rule) for each in own):
                return False
            if rule.fold:
                names = [name if name is None else name.lower() for name in names]
        some = [name for name in names if name is not None]
        if len(set(some)) < len(some):
            return False
        if target.identity is None:
            return True
        if self.uniform and not own:
            return True
        told = [_identity(each, target.identity) for each in self.items]
        some_ids = [each for each in told if each is not None]
        return len(set(some_ids)) == len(some_ids)

    def readings(self) -> list[Record | None]:
        """What tells each of them from others, without the tool."""
        return [each[0].named(each[1].decode()) if isinstance(each, tuple) else each.reading for each in self.items]

    def replace(self, others: Mapping[int, Batch], between: bytes) -> None:
        """Put what became of some texts after all in their places."""
        for number, other in others.items():
            self.items[number] = other.items[0]
        mine = [each for each in self.failures if each[0] not in others]
        theirs = [each for other in others.values() for each in other.failures]
        self.failures = sorted([*mine, *theirs], key=lambda each: each[0])
        self.parts = [part for text, _ in self if text is not None for part in (text, between)]


def _identity(item: Spliced | Written, identity: Callable[[Record, str], str]) -> str | None:
    if isinstance(item, tuple):
        before, after = cast("tuple[str, str]", item[0].identity)
        name = item[1].decode()
        return before + (name.lower() if item[0].lower else name) + after
    return None if item.reading is None else identity(item.reading, item.reading.fields["name"])


def _name(reading: Record | None) -> bytes | None:
    return None if reading is None else reading.fields["name"].encode("utf-8", "surrogatepass")
