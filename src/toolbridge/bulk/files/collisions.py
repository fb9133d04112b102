"""The marks of a catalogue of any size, by which `find_collisions` finds tools that would get the same name.

Each tool has a mark: a hash of 64 bits of the name that it would get without the other tools. The marks are in a file,
and never all in memory; only tools with equal marks are read and compared.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from ..collisions import NO_MARK, mark
from .source import read_at

_AT_ONCE: Final = 1 << 21
"""How many marks, about, are compared at once; more are compared in parts."""

_SLOTS: Final = 16
"""How many bits the map of `repeated_marks` has for each mark, so that few marks have the bit of another one."""


def repeated_marks(blocks: Callable[[], Iterable[Iterable[int]]], total: int) -> set[int]:
    """The marks that occur several times, of so many in blocks, which are read again for each part."""
    parts = total // _AT_ONCE + 1
    found: set[int] = set()
    for part in range(parts):
        bits = bytearray(total // parts * _SLOTS // 8 + 1)
        size = 8 * len(bits)
        suspects: set[int] = set()
        for each in _part(blocks, part, parts):
            slot = (each >> 32) % size
            if bits[slot >> 3] >> (slot & 7) & 1:
                suspects.add(each)
            else:
                bits[slot >> 3] |= 1 << (slot & 7)
        seen: set[int] = set()
        again = (each for each in _part(blocks, part, parts) if each in suspects)
        found.update(each for each in again if each in seen or seen.add(each))
    return found - {NO_MARK}


def _part(blocks: Callable[[], Iterable[Iterable[int]]], part: int, parts: int) -> Iterator[int]:
    return (each for marks in blocks() for each in marks if each % parts == part)


class MarkStore:
    """The marks of a catalogue in a file: for each block those of the names, then those of the identities.

    `blocks` are the numbers of items in the blocks.
    """

    key = staticmethod(mark)

    def __init__(self, fd: int, blocks: Sequence[int], *, identities: bool) -> None:
        self._fd = fd
        self._blocks = blocks
        self._has_identities = identities

    def blocks_of_marks(self) -> Iterator[tuple[int, array[int], array[int]]]:
        """The number of the first item of each block, and the marks of its items."""
        place = first = 0
        for count in self._blocks:
            marks: array[int] = array("Q", read_at(self._fd, place, count * (16 if self._has_identities else 8)))
            yield first, marks[:count], marks[count:]
            place += 8 * len(marks)
            first += count

    def repeated(self) -> tuple[set[int], set[int]]:
        """The marks of names, and those of identities, that several items have."""
        total = sum(self._blocks)
        names = repeated_marks(lambda: (names for _, names, _ in self.blocks_of_marks()), total)
        if not self._has_identities:
            return names, set()
        return names, repeated_marks(lambda: (identities for *_, identities in self.blocks_of_marks()), total)

    def items_with(self, names: set[int], identities: set[int]) -> list[int]:
        """The numbers of the items that have one of these marks."""
        numbers: list[int] = []
        if not names and not identities:
            return numbers
        for first, block_names, block_identities in self.blocks_of_marks():
            if names.isdisjoint(block_names) and identities.isdisjoint(block_identities):
                continue
            numbers += (
                first + n
                for n, mark in enumerate(block_names)
                if mark in names or (self._has_identities and block_identities[n] in identities)
            )
        return numbers
