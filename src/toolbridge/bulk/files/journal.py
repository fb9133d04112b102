"""The write-ahead journal that lets a job be resumed, synced by a thread."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import msgspec

from ...data.json_decoder import convert_to, decode_as, encode_json
from ...losses.report import CODES
from . import working_files
from .plan import OUT, Piece
from .report import Counts
from .source import parts_of, read_at, write

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor


_LINE: Final = 1 << 28
"""The longest line that is read."""

_PIECE: Final = 1 << 22


class Entry(NamedTuple):
    """A written block: its pieces and their offsets, the separator before it in the output, and its counts."""

    number: int
    pieces: dict[str, Piece]
    places: dict[str, int]
    lead: str
    counted: Counts

    def filled(self, name: str) -> list[Piece]:
        """The pieces of the block in a file, in the output with the separator before it."""
        piece = self.pieces[name]
        return [Piece.of(self.lead.encode()), piece] if name == OUT and self.lead and piece.size else [piece]


class Finished(NamedTuple):
    """A written file: whether it is one of the second files, and its pieces in their order."""

    second: bool
    pieces: list[Piece]


class Ended(NamedTuple):
    """The last entry, when everything is written and synced: the files to rename, the counts and the other losses."""

    finished: dict[str, Finished]
    counted: Counts
    catalogue_losses: list[tuple[str, str, str | None, int | None, str]]


def holds(fd: int, pieces: Sequence[Piece], start: int = 0, *, more: bool = False) -> bool:
    """Whether a file has these pieces at `start`, and nothing after them unless `more`."""
    end, size = start + sum(piece.size for piece in pieces), os.fstat(fd).st_size
    if end > size or (end < size and not more):
        return False
    for piece in pieces:
        digest = sha256()
        for data in parts_of(fd, start, piece.size):
            digest.update(data)
        if digest.hexdigest() != piece.digest:
            return False
        start += piece.size
    return True


_entry = decode_as(Entry)


def round_trip(value: Any) -> Any:
    """A value as it is read from a journal."""
    return json.loads(_encode_json(value))


def _encode_json(value: Any) -> bytes:
    # Paths may contain surrogates, which the standard library writes and reads, but msgspec does not.
    return json.dumps(msgspec.to_builtins(value)).encode()


class Journal:
    """The journal of a job, with which another run can resume it.

    Args:
        path: The path; None for a job that cannot be resumed, whose journal is a temporary file.
        shown: The name of the output, for errors.
    """

    def __init__(self, path: str | None, shown: str) -> None:
        self.resumable = path is not None
        self.path = path or ""
        self.begun = False
        """Whether this run has written to the journal, or is about to."""
        self._output = shown
        self._fd = -1
        self._files: list[int] = []
        self._thread: ThreadPoolExecutor | None = None
        self._synced: Future[None] | None = None

    # reading the journal of an earlier run

    def head(self) -> dict[str, Any] | None:
        """The header that an earlier run wrote; None if there is no journal, or its first line is not a header.

        Raises ToolbridgeError if another run has the journal open, or the path is not that of a working file.
        """
        if not self.resumable:
            return None
        if self._fd < 0:
            try:
                self._fd = working_files.resume(self.path, self._output)
            except FileNotFoundError:
                return None
        line = next(self._lines(), b"")
        try:
            header = json.loads(line) if line.endswith(b"\n") else None
        except (ValueError, RecursionError):
            return None
        is_header = isinstance(header, dict) and {"version", "options", "input"} <= header.keys()
        return cast("dict[str, Any]", header) if is_header else None

    def blocks(self) -> Iterator[Entry]:
        """The entries of blocks, from the first one up to the first gap."""
        lines = self._lines()
        next(lines, None)
        for number, line in enumerate(lines):
            try:
                entry = _entry(line)
            except (msgspec.DecodeError, ValueError):
                return  # a line that was cut off when the run was stopped, or the last entry
            if entry.number != number or not line.endswith(b"\n") or not _has_known_codes(entry.counted):
                return
            yield entry

    def ended(self) -> Ended | None:
        """The last entry, if the last line is one."""
        last = b""
        for line in self._lines():
            last = line
        try:
            ended = convert_to(json.loads(last), Ended) if last.endswith(b"\n") else None
        except (msgspec.ValidationError, ValueError, RecursionError):
            return None
        is_valid = (
            ended is not None
            and _has_known_codes(ended.counted)
            and CODES.keys() >= {code for code, *_ in ended.catalogue_losses}
        )
        return ended if is_valid else None

    def _lines(self) -> Iterator[bytes]:
        """The lines with their line breaks; the last one may have none."""
        place, rest = 0, b""
        while len(rest) < _LINE and (data := read_at(self._fd, place, _PIECE)):
            place += len(data)
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                yield line + b"\n"
        if rest:
            yield rest

    # this run

    def create(self) -> None:
        """Create the file, and remove that of an earlier run."""
        self.close()
        if self.resumable:
            self._fd = working_files.begin(self.path, self._output)
        else:
            self._fd, self.path = tempfile.mkstemp(prefix="toolbridge-")
        self.begun = True

    def begin(self, header: Mapping[str, Any]) -> None:
        """Write the header."""
        write(self._fd, _encode_json(header) + b"\n")
        if self.resumable:
            os.fsync(self._fd)

    def resume(self, blocks: int) -> None:
        """Continue after the header and so many blocks, and cut off the rest."""
        lines = self._lines()
        size = sum(len(next(lines, b"")) for _ in range(blocks + 1))
        self.begun = True
        os.ftruncate(self._fd, size)
        os.lseek(self._fd, 0, os.SEEK_END)

    def sync_files(self, files: list[int]) -> None:
        """Start to write the entries of blocks only when these files are synced, in a thread."""
        if self.resumable:
            from concurrent.futures import ThreadPoolExecutor

            self._files, self._thread = files, ThreadPoolExecutor(1)

    def add(self, entries: list[Entry]) -> None:
        """Write the entries of blocks."""
        lines = b"".join(encode_json(entry) + b"\n" for entry in entries)
        if self._thread is None:
            write(self._fd, lines)
            return
        if self._synced is not None and self._synced.done():
            self._synced.result()  # raises the error
        self._synced = self._thread.submit(self._sync, lines, self._synced)

    def _sync(self, lines: bytes, before: Future[None] | None) -> None:
        if before is not None:
            before.result()
        for fd in self._files:
            os.fsync(fd)
        # An entry must not be written before its block is durable.
        write(self._fd, lines)
        os.fsync(self._fd)

    def flush(self) -> None:
        """Wait until all entries are written."""
        thread, self._thread = self._thread, None
        synced, self._synced = self._synced, None
        if thread is not None:
            thread.shutdown()
        if synced is not None:
            synced.result()

    def end(self, ended: Ended) -> None:
        """Write the last entry."""
        os.lseek(self._fd, 0, os.SEEK_END)
        write(self._fd, _encode_json(ended) + b"\n")
        os.fsync(self._fd)

    def close(self) -> None:
        """Close the file."""
        if self._fd >= 0:
            with suppress(OSError):
                os.close(self._fd)
        self._fd = -1

    def remove(self) -> None:
        """Remove the file."""
        if self.path:
            with suppress(OSError):
                os.unlink(self.path)


def _has_known_codes(counted: Counts) -> bool:
    """Whether all codes in the counts are loss codes."""
    return CODES.keys() >= counted.codes.keys() | counted.places.keys()
