"""The source of a job: a file or standard input, compressed or not, which can be read again from any place."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from stat import S_ISREG
from typing import IO, Final

from msgspec import Struct

from ...data.compression import packed_as, pieces, read_errors, unpacking
from ...errors import ToolbridgeError, reason
from ...limits import LIMITS, Limits

BINARY: Final[int] = getattr(os, "O_BINARY", 0)

_PART: Final = 1 << 20


class Text(Struct, eq=False):
    """A text that can be read at any place.

    Attributes:
        name: The name in messages.
        path: The path; empty for a temporary copy of a pipe or of a decompressed file.
        fd: The file descriptor.
        size: The size when it was opened.
        stamp: The time of its last modification then; 0 for a temporary copy, which nothing else changes.
        packed: The kind of compression.
    """

    name: str
    path: str
    fd: int
    size: int
    stamp: int
    packed: str = ""
    outer: tuple[int, int] = (0, 0)
    """Size and stamp of the input file itself, compressed or not."""

    @property
    def has_name(self) -> bool:
        """Whether the text can be opened by its path."""
        return bool(self.path) and not self.path.startswith("/dev/fd")

    def at(self, start: int, end: int) -> bytes:
        """The bytes between two offsets. Raises ToolbridgeError if the file was changed since it was opened."""
        try:
            data = read_at(self.fd, start, end - start)
        except OSError as error:
            raise ToolbridgeError(f"{self.name}: cannot be read: {reason(error)}") from None
        if len(data) < end - start:
            raise self._changed()
        self.verify()
        return data

    def verify(self) -> None:
        """Raises ToolbridgeError if the file was changed since it was opened."""
        if self.path:
            now = os.fstat(self.fd)
            if (now.st_size, now.st_mtime_ns) != (self.size, self.stamp):
                raise self._changed()

    def _changed(self) -> ToolbridgeError:
        return ToolbridgeError(f"{self.name}: changed while it was read")

    def close(self) -> None:
        with suppress(OSError):
            fd, self.fd = self.fd, -1
            if fd > 2:
                os.close(fd)


def write(fd: int, data: bytes) -> None:
    """Write all of these bytes at the position of a file; one call may write a part only, as on a full disk."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def read_at(fd: int, start: int, size: int) -> bytes:
    """Up to so many bytes of a file; fewer only at its end."""
    parts: list[bytes] = []
    while size and (data := _read_part(fd, start, size)):
        parts.append(data)
        start += len(data)
        size -= len(data)
    return b"".join(parts)


def parts_of(fd: int, start: int, size: int) -> Iterator[bytes]:
    """The bytes at a place of a file, in parts."""
    for place in range(start, start + size, _PART):
        yield read_at(fd, place, min(start + size - place, _PART))


def _read_part(fd: int, start: int, size: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(fd, size, start)
    os.lseek(fd, start, os.SEEK_SET)
    return os.read(fd, size)


def write_at(fd: int, start: int, data: bytes, name: str = "") -> None:
    """Write all of these bytes at a place of a file, whose name is that of an error."""
    view = memoryview(data)
    try:
        while view:
            if hasattr(os, "pwrite"):
                count = os.pwrite(fd, view, start)
            else:
                os.lseek(fd, start, os.SEEK_SET)
                count = os.write(fd, view)
            view = view[count:]
            start += count
    except OSError as error:
        error.filename = name
        raise


def open_text(
    name: str,
    directory: str | None,
    see: Callable[[int], object] | None = None,
    *,
    read: bytes | None = None,
    pipe: IO[bytes] | None = None,
    limits: Limits = LIMITS,
) -> Text:
    """A file, or standard input (`-`), opened for reading.

    A pipe, of which some bytes may have been `read` before, and decompressed data are copied to a temporary file in the
    directory; `see` is called with the number of bytes that are copied so far.
    """
    shown = "<stdin>" if name == "-" else name
    with read_errors(shown):
        path = ""
        if pipe is not None:
            fd = _kept(chain([read or b""], pieces(pipe)), directory, see)
        elif name == "-":
            fd = os.dup(sys.stdin.buffer.fileno())
            path = f"/dev/fd/{fd}"
        else:
            path = os.path.realpath(name)
            with open(name, "rb", buffering=0) as file:
                fd = os.dup(file.fileno())
        status = os.fstat(fd)
        if not S_ISREG(status.st_mode):
            with os.fdopen(fd, "rb") as file:
                fd, path = _kept(pieces(file), directory, see), ""
            status = os.fstat(fd)
        outer = status.st_size, status.st_mtime_ns if path else 0
        kind = packed_as(read_at(fd, 0, 4))
        if not kind:
            return Text(shown, path, fd, *outer, "", outer)
        with os.fdopen(fd, "rb") as file:
            file.seek(0)
            inner = _kept(unpacking(file, kind, limits), directory, see)
            now = os.fstat(file.fileno())
        if path and (now.st_size, now.st_mtime_ns) != outer:
            raise ToolbridgeError(f"{shown}: changed while it was read")
        return Text(shown, "", inner, os.fstat(inner).st_size, 0, kind, outer)


@contextmanager
def _stored(directory: str | None) -> Generator[None, None, None]:
    """Raises ToolbridgeError for an error of the system at a temporary copy of the input."""
    try:
        yield
    except OSError as error:
        place = directory or tempfile.tempdir or "a temporary directory"
        raise ToolbridgeError(f"cannot store the input in {place}: {reason(error)}") from None


def _kept(pieces: Iterator[bytes], directory: str | None, see: Callable[[int], object] | None) -> int:
    """A file without a name that has these bytes, which cannot be read again; its last user deletes it."""
    size = 0
    with _stored(directory):
        made = tempfile.TemporaryFile(dir=directory)  # noqa: SIM115 - closed below
    with made as file:
        for piece in pieces:
            with _stored(directory):
                file.write(piece)
                file.flush()
            size += len(piece)
            if see is not None:
                see(size)
        return os.dup(file.fileno())
