"""Collisions in a catalogue of any size: tools that would get the same name or identity in the target format.

Of each tool there are 64 bits of its name as it would be alone. Those that another one shares are found part by part,
so that they are never all in memory; only the tools that meet are looked at.
"""

from __future__ import annotations

import tempfile
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ...mapping.format import Format
from ...mapping.record import Record
from ...names import digest, is_legal, legal
from ..collisions import NOBODY, NOTHING, Marks, mark, marks
from .source import read_at, write_at

_PART: Final = 1 << 14
"""About how many marks are looked at together."""

_PAGES: Final = 1 << 19
"""How many bytes of marks wait to be written."""

Look = Callable[[Sequence[int]], "list[tuple[int, Record | None]]"]
"""What tells these items from others."""


class _Parts:
    """Marks, those that begin alike together: most of them in a file, so that a part at a time can be looked at."""

    def __init__(self, total: int) -> None:
        many = 1 << min((total // _PART).bit_length(), 10)
        self._starts = [*(part * ((1 << 64) // many) for part in range(1, many)), 1 << 64]
        self._page = _PAGES // many
        self._parts = [bytearray() for _ in range(many)]
        self._pages: list[list[int]] = [[] for _ in range(many)]
        self._file = tempfile.TemporaryFile(prefix="toolbridge-")  # noqa: SIM115 - see close
        self._end = 0

    def add(self, marks: array[int]) -> None:
        ordered = sorted(marks)
        data = array("Q", ordered).tobytes()
        low = 0
        for part, start in enumerate(self._starts):
            high = bisect_left(ordered, start, low)
            if high > low:
                mine = self._parts[part]
                mine += data[8 * low : 8 * high]
                low = high
                while len(mine) >= self._page:
                    write_at(self._file.fileno(), self._end, bytes(mine[: self._page]))
                    del mine[: self._page]
                    self._pages[part].append(self._end)
                    self._end += self._page

    def repeated(self) -> set[int]:
        """Those that are there several times."""
        found: set[int] = set()
        for mine, pages in zip(self._parts, self._pages, strict=True):
            together: array[int] = array("Q", bytes(mine))
            for place in pages:
                together.frombytes(read_at(self._file.fileno(), place, self._page))
            if len(set(together)) < len(together):
                seen: set[int] = set()
                found.update(each for each in together if each in seen or seen.add(each))
        found.discard(NOBODY)
        return found

    def close(self) -> None:
        self._file.close()


class MarkStore:
    """The marks of a catalogue in a file: block by block those of the names, and then those of the identities.

    `blocks` is how many items each block has.
    """

    def __init__(self, fd: int, blocks: Sequence[int], *, identities: bool) -> None:
        self._fd = fd
        self._blocks = blocks
        self._both = identities
        total = sum(blocks)
        self._names = _Parts(total)
        self._identities = _Parts(total) if identities else None
        self._known = self._place = 0

    def know(self, blocks: int) -> None:
        """So many blocks are in the file by now: what they hold is put where it can be compared later."""
        while self._known < blocks:
            names, identities = self._read(self._place, self._blocks[self._known])
            self._names.add(names)
            if self._identities is not None:
                self._identities.add(identities)
            self._place += 8 * (len(names) + len(identities))
            self._known += 1

    def _read(self, place: int, many: int) -> tuple[array[int], array[int]]:
        both: array[int] = array("Q", read_at(self._fd, place, many * (16 if self._both else 8)))
        return both[:many], both[many:]

    def each(self) -> Iterator[tuple[int, array[int], array[int]]]:
        """The number of the first item of each block, and the marks of its items."""
        place = first = 0
        for many in self._blocks:
            names, identities = self._read(place, many)
            place += 8 * (len(names) + len(identities))
            yield first, names, identities
            first += many

    def repeated(self) -> tuple[set[int], set[int]]:
        """The marks of names, and those of identities, that several items have."""
        self.know(len(self._blocks))
        return self._names.repeated(), set() if self._identities is None else self._identities.repeated()

    def close(self) -> None:
        """Let go of what was put somewhere."""
        self._names.close()
        if self._identities is not None:
            self._identities.close()

    def having(self, names: set[int], identities: set[int]) -> list[int]:
        """The items that have one of these marks."""
        found: list[int] = []
        if not names and not identities:
            return found
        for first, mine, others in self.each():
            if names.isdisjoint(mine) and identities.isdisjoint(others):
                continue
            found += (
                first + n for n, each in enumerate(mine) if each in names or (self._both and others[n] in identities)
            )
        return found


def find_collisions(marked: MarkStore, target: Format, look: Look) -> tuple[Marks, list[int]]:
    """What the catalogue says of its tools, and the numbers of those of which it says anything.

    Those that meet may be called something else then, and so meet others.
    """
    rule, identity = target.names, target.identity
    fold = rule is not None and rule.fold
    names, identities = marked.repeated()
    known: dict[int, Record | None] = {}
    told = NOTHING
    while True:
        new = [number for number in marked.having(names, identities) if number not in known]
        if not new and known:
            break
        known.update(look(new) if new else ())
        readings = sorted((number, each) for number, each in known.items() if each is not None)
        if not readings:
            return NOTHING, []
        for _, each in readings:
            each.apart = False
        told = marks(readings, target)
        more_names, more_identities = set(names), set(identities)
        for _, each in readings:
            name: str = each.fields["name"]
            called = told.called.get(name, name)
            for own in {called, *_alone(name, target)}:
                more_names.add(mark(own.casefold() if fold else own))
            if identity is not None:
                more_identities.add(mark(identity(each, f"{called}_{digest(name)}" if each.apart else called)))
                more_identities.add(mark(identity(each, called)))
        if more_names == names and more_identities == identities:
            break
        names, identities = more_names, more_identities
    readings = sorted((number, each) for number, each in known.items() if each is not None)
    return told, [number for number, each in readings if told.tells(number, each.fields["name"])]


def _alone(name: str, target: Format) -> list[str]:
    """What a tool of this name would be called without the others."""
    if target.names is None or is_legal(name, target.names) or not name.strip():
        return [name]
    return [legal(name, target.names)]
