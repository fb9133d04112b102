"""Ledger: what of a run is safe, in a file beside the output.

The first line says what the run was to do and with what, each other line what became of one block, how many bytes that
filled of each file, and their digests. The last line, before the files get their names, says that everything is there.
"""

# pathlib would take half as long to import as all the rest of a small conversion:
# ruff: noqa: PTH108, PTH123

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple, cast

import msgspec

from .keeper import Keeper
from .plan import Piece
from .source import BINARY, write
from .told import Counted

_encode = msgspec.json.Encoder().encode

_HEAD: Final = 1 << 26


class Entry(NamedTuple):
    """A block that is written: where its pieces are, what stands before it in the output, and what became of it."""

    number: int
    pieces: dict[str, Piece]
    places: dict[str, int]
    lead: int
    counted: Counted


class Ended(NamedTuple):
    """All is written and safe: the files that still need their names, and their sizes; what came of it."""

    finished: dict[str, tuple[str, int]]
    counted: Counted
    around: list[tuple[str, str, str | None, int | None]]


_entry = msgspec.json.Decoder(Entry).decode


def kept(value: Any) -> Any:
    """A value as it is read from a ledger again."""
    return json.loads(_told(value))


def _told(value: Any) -> bytes:
    # Paths need not be text, and the standard library writes and reads what stands in them all the same.
    return json.dumps(msgspec.to_builtins(value)).encode()


class Ledger:
    """The ledger at `path`, where another run can go on with it; None: that of a run that cannot be resumed."""

    def __init__(self, path: str | None) -> None:
        self.kept = path is not None
        self.path = path or ""
        self._fd: int | None = None
        self._keeper: Keeper | None = None

    @property
    def begun(self) -> bool:
        """Whether this run has written to it, or is about to."""
        return self._fd is not None

    # what an earlier run left

    def head(self) -> dict[str, Any] | None:
        """What an earlier run was to do; None where there was none, or only what no run of ours wrote."""
        if not self.kept:
            return None
        try:
            with open(self.path, "rb") as file:
                line = file.readline(_HEAD)
        except OSError:
            return None
        if not line.endswith(b"\n"):
            return None
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return None
        ours = isinstance(found, dict) and {"version", "options", "input", "parts"} <= found.keys()
        return cast("dict[str, Any]", found) if ours else None

    def blocks(self) -> Iterator[Entry]:
        """The blocks that it names, in their order, as far as they follow each other."""
        with open(self.path, "rb") as file:
            file.readline()
            for number, line in enumerate(file):
                try:
                    entry = _entry(line)
                except (msgspec.DecodeError, ValueError):
                    return  # written when the run was stopped, or the end of one that was not
                if entry.number != number or not line.endswith(b"\n"):
                    return
                yield entry

    def ended(self) -> Ended | None:
        """The last line, where that says that everything is there."""
        last = b""
        with open(self.path, "rb") as file:
            for line in file:
                last = line
        try:
            return msgspec.convert(json.loads(last), Ended) if last.endswith(b"\n") else None
        except (msgspec.ValidationError, ValueError, RecursionError):
            return None

    # this run

    def begin(self, header: Mapping[str, Any]) -> None:
        """Begin anew with its first line."""
        fd = self._opened()
        os.ftruncate(fd, 0)
        write(fd, _told(header) + b"\n")
        if self.kept:
            os.fsync(fd)

    def resume(self, blocks: int) -> None:
        """Go on behind the first line and so many blocks."""
        with open(self.path, "rb") as file:
            safe = sum(len(file.readline()) for _ in range(blocks + 1))
        fd = self._opened()
        os.ftruncate(fd, safe)
        os.lseek(fd, 0, os.SEEK_END)

    def guard(self, files: list[int]) -> None:
        """From now on say of blocks that they are written when they are safe in these files."""
        if self.kept:
            self._keeper = Keeper(files, self._opened())

    def add(self, entries: list[Entry]) -> None:
        """Say of these blocks that they are written."""
        lines = b"".join(_encode(entry) + b"\n" for entry in entries)
        if self._keeper is not None:
            self._keeper.keep(lines)
        else:
            write(self._opened(), lines)

    def settle(self) -> None:
        """Wait until it says all that it was to say."""
        if self._keeper is not None:
            keeper, self._keeper = self._keeper, None
            keeper.close()

    def end(self, ended: Ended) -> None:
        """Say that everything is there."""
        fd = self._opened()
        os.lseek(fd, 0, os.SEEK_END)
        write(fd, _told(ended) + b"\n")
        os.fsync(fd)

    def close(self) -> None:
        """Let go of it as it is."""
        if self._fd is not None:
            with suppress(OSError):
                os.close(self._fd)
        self._fd = None

    def remove(self) -> None:
        """There is nothing to go on with any more."""
        if self.path:
            with suppress(OSError):
                os.unlink(self.path)

    def _opened(self) -> int:
        if self._fd is None:
            if self.kept:
                self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | BINARY, 0o666)
            else:
                self._fd, self.path = tempfile.mkstemp(prefix="toolbridge-")
        return self._fd
