"""The marks of a catalogue of any size, by which `find_collisions` finds tools that would get the same name.

Each tool has a mark: a hash of 64 bits of the name that it would get without the other tools. Equal marks are found
part by part, so that they are never all in memory; only tools with equal marks are read and compared.
"""

from __future__ import annotations

import tempfile
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from ..collisions import NO_MARK, mark
from .source import read_at, stored, write_at

_PART: Final = 1 << 14
"""The approximate number of marks in a part."""

_PAGES: Final = 1 << 19
"""The bytes of marks that are buffered before they are written."""

_MARKS: Final = "what is needed to compare the names"


class MarkParts:
    """Marks, sorted into parts by their first bits and mostly in a file, so that one part at a time is in memory."""

    def __init__(self, total: int) -> None:
        count = 1 << min((total // _PART).bit_length(), 10)
        self._starts = [*(part * ((1 << 64) // count) for part in range(1, count)), 1 << 64]
        self._page_size = _PAGES // count
        self._parts = [bytearray() for _ in range(count)]
        self._pages: list[list[int]] = [[] for _ in range(count)]
        with stored(_MARKS):
            self._file = tempfile.TemporaryFile(prefix="toolbridge-")  # noqa: SIM115 - see close
        self._end = 0

    def add(self, marks: array[int]) -> None:
        ordered = sorted(marks)
        data = array("Q", ordered).tobytes()
        low = 0
        for part, start in enumerate(self._starts):
            high = bisect_left(ordered, start, low)
            if high > low:
                buffer = self._parts[part]
                buffer += data[8 * low : 8 * high]
                low = high
                while len(buffer) >= self._page_size:
                    with stored(_MARKS):
                        write_at(self._file.fileno(), self._end, bytes(buffer[: self._page_size]))
                    del buffer[: self._page_size]
                    self._pages[part].append(self._end)
                    self._end += self._page_size

    def repeated(self) -> set[int]:
        """The marks that occur several times."""
        duplicates: set[int] = set()
        for buffer, pages in zip(self._parts, self._pages, strict=True):
            marks: array[int] = array("Q", bytes(buffer))
            for place in pages:
                marks.frombytes(read_at(self._file.fileno(), place, self._page_size))
            if len(set(marks)) < len(marks):
                seen: set[int] = set()
                duplicates.update(mark for mark in marks if mark in seen or seen.add(mark))
        duplicates.discard(NO_MARK)
        return duplicates

    def close(self) -> None:
        self._file.close()


class MarkStore:
    """The marks of a catalogue in a file: for each block those of the names, then those of the identities.

    `blocks` are the numbers of items in the blocks.
    """

    key = staticmethod(mark)

    def __init__(self, fd: int, blocks: Sequence[int], *, identities: bool) -> None:
        self._fd = fd
        self._blocks = blocks
        self._has_identities = identities
        total = sum(blocks)
        self._names = MarkParts(total)
        self._identities = MarkParts(total) if identities else None
        self._added = self._place = 0

    def add_blocks(self, blocks: int) -> None:
        """Add the marks of the first so many blocks of the file to the parts, if they are not there yet."""
        while self._added < blocks:
            names, identities = self._read(self._place, self._blocks[self._added])
            self._names.add(names)
            if self._identities is not None:
                self._identities.add(identities)
            self._place += 8 * (len(names) + len(identities))
            self._added += 1

    def _read(self, place: int, count: int) -> tuple[array[int], array[int]]:
        marks: array[int] = array("Q", read_at(self._fd, place, count * (16 if self._has_identities else 8)))
        return marks[:count], marks[count:]

    def blocks_of_marks(self) -> Iterator[tuple[int, array[int], array[int]]]:
        """The number of the first item of each block, and the marks of its items."""
        place = first = 0
        for count in self._blocks:
            names, identities = self._read(place, count)
            place += 8 * (len(names) + len(identities))
            yield first, names, identities
            first += count

    def repeated(self) -> tuple[set[int], set[int]]:
        """The marks of names, and those of identities, that several items have."""
        self.add_blocks(len(self._blocks))
        return self._names.repeated(), set() if self._identities is None else self._identities.repeated()

    def close(self) -> None:
        """Delete the temporary files."""
        self._names.close()
        if self._identities is not None:
            self._identities.close()

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
