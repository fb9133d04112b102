"""The write-ahead journal that lets a job be resumed, synced by a thread."""

# ruff: noqa: PTH108

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, cast

import msgspec

from ...losses.report import CODES
from . import working_files
from .plan import OUT, Piece
from .report import Counts
from .source import read_at, write


class SyncThread:
    """A thread that makes safe what others wrote to some files, and then writes to the ledger that it is."""

    def __init__(self, files: list[int], ledger: int) -> None:
        self._files, self._ledger = files, ledger
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._failed: OSError | None = None
        self._thread: threading.Thread | None = None

    def keep(self, lines: bytes) -> None:
        if self._failed is not None:
            raise self._failed
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        self._queue.put(lines)

    def close(self) -> None:
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
        if self._failed is not None:
            raise self._failed

    def _run(self) -> None:
        while (lines := self._queue.get()) is not None:
            try:
                for fd in self._files:
                    os.fsync(fd)
                # Only now may the ledger say so.
                write(self._ledger, lines)
                os.fsync(self._ledger)
            except OSError as error:
                self._failed = error
                return


_encode = msgspec.json.Encoder().encode

_LINE: Final = 1 << 28
"""No line of ours is longer."""

_PIECE: Final = 1 << 22


LEAD: Final = b",\n"
"""What parts a block of a list from those before."""

_LEAD: Final = Piece.of(LEAD)


class Entry(NamedTuple):
    """A block that is written: where its pieces are, what stands before it in the output, and what became of it."""

    number: int
    pieces: dict[str, Piece]
    places: dict[str, int]
    lead: int
    counted: Counts

    def filled(self, name: str) -> list[Piece]:
        """What it fills of a file, in the output with what stands before it."""
        piece = self.pieces[name]
        return [_LEAD, piece] if name == OUT and self.lead and piece.size else [piece]


class Finished(NamedTuple):
    """A file that is written: whether it is of the second parts, and all of its pieces, in their order."""

    second: bool
    pieces: list[Piece]


class Ended(NamedTuple):
    """All is written and safe: the files that still need their names, and what came of it."""

    finished: dict[str, Finished]
    counted: Counts
    around: list[tuple[str, str, str | None, int | None]]


def holds(fd: int, pieces: Sequence[Piece], start: int = 0, *, more: bool = False) -> bool:
    """Whether these pieces stand in a file, and nothing behind them unless there may be `more`."""
    end, size = start + sum(piece.size for piece in pieces), os.fstat(fd).st_size
    if end > size or (end < size and not more):
        return False
    for piece in pieces:
        digest, end = sha256(), start + piece.size
        while start < end:
            data = read_at(fd, start, min(end - start, _PIECE))
            if not data:
                return False
            digest.update(data)
            start += len(data)
        if digest.hexdigest() != piece.digest:
            return False
    return True


_entry = msgspec.json.Decoder(Entry).decode


def kept(value: Any) -> Any:
    """A value as it is read from a ledger again."""
    return json.loads(_told(value))


def _told(value: Any) -> bytes:
    # Paths need not be text, and the standard library writes and reads what stands in them all the same.
    return json.dumps(msgspec.to_builtins(value)).encode()


class Journal:
    """The ledger at `path`, where another run can go on with it; None: that of a run that cannot be resumed.

    `shown` is the output that it is about.
    """

    def __init__(self, path: str | None, shown: str) -> None:
        self.kept = path is not None
        self.path = path or ""
        self.begun = False
        """Whether this run has written to it, or is about to."""
        self._shown = shown
        self._fd: int | None = None
        self._keeper: SyncThread | None = None

    # what an earlier run left

    def head(self) -> dict[str, Any] | None:
        """What an earlier run was to do; None where there was none, or only what no run of ours wrote.

        Raises ToolbridgeError where another run has it, or where something else stands in its place.
        """
        if not self.kept:
            return None
        if self._fd is None:
            try:
                self._fd = working_files.resume(self.path, self._shown)
            except FileNotFoundError:
                return None
        line = next(self._lines(), b"")
        try:
            found = json.loads(line) if line.endswith(b"\n") else None
        except (ValueError, RecursionError):
            return None
        ours = isinstance(found, dict) and {"version", "options", "input"} <= found.keys()
        return cast("dict[str, Any]", found) if ours else None

    def blocks(self) -> Iterator[Entry]:
        """The blocks that it names, in their order, as far as they follow each other."""
        lines = self._lines()
        next(lines, None)
        for number, line in enumerate(lines):
            try:
                entry = _entry(line)
            except (msgspec.DecodeError, ValueError):
                return  # written when the run was stopped, or the end of one that was not
            if entry.number != number or not line.endswith(b"\n") or not _known(entry.counted):
                return
            yield entry

    def ended(self) -> Ended | None:
        """The last line, where that says that everything is there."""
        last = b""
        for line in self._lines():
            last = line
        try:
            found = msgspec.convert(json.loads(last), Ended) if last.endswith(b"\n") else None
        except (msgspec.ValidationError, ValueError, RecursionError):
            return None
        ours = found is not None and _known(found.counted) and CODES.keys() >= {code for code, *_ in found.around}
        return found if ours else None

    def _lines(self) -> Iterator[bytes]:
        """Its lines, with what ends them; the last one may have no end."""
        place, left = 0, b""
        while len(left) < _LINE and (data := read_at(self._opened(), place, _PIECE)):
            place += len(data)
            *lines, left = (left + data).split(b"\n")
            for line in lines:
                yield line + b"\n"
        if left:
            yield left

    # this run

    def create(self) -> None:
        """Take its place, where nothing of an earlier run is left then."""
        self.close()
        if self.kept:
            self._fd = working_files.begin(self.path, self._shown)
        else:
            self._fd, self.path = tempfile.mkstemp(prefix="toolbridge-")
        self.begun = True

    def begin(self, header: Mapping[str, Any]) -> None:
        """Begin anew with its first line."""
        fd = self._opened()
        write(fd, _told(header) + b"\n")
        if self.kept:
            os.fsync(fd)

    def resume(self, blocks: int) -> None:
        """Go on behind the first line and so many blocks."""
        lines = self._lines()
        safe = sum(len(next(lines, b"")) for _ in range(blocks + 1))
        fd = self._opened()
        self.begun = True
        os.ftruncate(fd, safe)
        os.lseek(fd, 0, os.SEEK_END)

    def guard(self, files: list[int]) -> None:
        """From now on say of blocks that they are written when they are safe in these files."""
        if self.kept:
            self._keeper = SyncThread(files, self._opened())

    def add(self, entries: list[Entry]) -> None:
        """Say of these blocks that they are written."""
        lines = b"".join(_encode(entry) + b"\n" for entry in entries)
        if self._keeper is not None:
            self._keeper.keep(lines)
        else:
            write(self._opened(), lines)

    def after_read(self) -> None:
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
            raise AssertionError(self.path)
        return self._fd


def _known(counted: Counts) -> bool:
    """Whether all codes that are counted are codes."""
    return CODES.keys() >= counted.codes.keys() | counted.places.keys()
