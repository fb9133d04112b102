"""Documents as text, and files that are written completely or not at all."""

# pathlib would take half as long to import as all the rest of a small conversion:
# ruff: noqa: PTH105, PTH108, PTH116, PTH118, PTH120, PTH123

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from errno import EAGAIN
from stat import S_ISDIR, S_ISREG
from typing import Final, Literal, TypeAlias

from msgspec import json

from ..errors import ToolbridgeError, reason
from .types import Json

Form: TypeAlias = Literal["json", "jsonl", "yaml"]

NO_LINK: Final[int] = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
"""Flags with which an own file is opened: not through a symbolic link, and as bytes on Windows."""

# orjson indents about five times faster than msgspec; from about this size on, that outweighs its import.
_LARGE = 1_000_000


def dump(documents: list[Json], form: Form) -> bytes:
    """The documents as UTF-8 text that ends in a newline.

    `jsonl` has one on each line, `yaml` separates them by `---`; `json` holds exactly one, indented.
    """
    if form == "yaml":
        from .yaml_text import write_yaml

        return write_yaml(documents)
    if form == "jsonl":
        return b"".join(json.encode(document) + b"\n" for document in documents)
    if len(documents) != 1:
        raise ToolbridgeError(f"{len(documents)} documents cannot be one JSON text; JSON Lines or YAML can hold them")
    text = json.encode(documents[0])
    return _indented(documents[0], text) + b"\n"


def _indented(document: Json, text: bytes) -> bytes:
    """The indented JSON text of a document."""
    if len(text) > _LARGE:
        import orjson

        try:
            return orjson.dumps(document, option=orjson.OPT_INDENT_2)
        except TypeError:
            pass  # an integer of more than 64 bits, or more levels than orjson writes
    return json.format(text, indent=2)


def write_out(pieces: Iterable[bytes]) -> None:
    """Write all pieces to standard output, whose `write` may accept only a part where it is not buffered (`-u`).

    Raises OSError.
    """
    out = sys.stdout.buffer
    for piece in pieces:
        rest = memoryview(piece)
        while rest:
            size = out.write(rest)
            if size is None:  # pyright: ignore[reportUnnecessaryComparison] - None from a non-blocking stream
                raise BlockingIOError(EAGAIN, "it is full and does not block")
            rest = rest[size:]
    out.flush()


def check_distinct(
    inputs: Iterable[str], outputs: Iterable[str], beside: Iterable[str | None], restore: str | None
) -> None:
    """Raises ToolbridgeError if two files to be written are the same, or one is also read.

    Only an output may replace an input. `restore` is a remainder that is read, `beside` are the report, the remainder
    and the rejects that are written; `-` is standard input or output.
    """
    written = {os.path.realpath(path): path for path in outputs if path != "-"}
    read = os.path.realpath(restore) if restore is not None else ""
    if read in written:
        raise ToolbridgeError(f"the output needs a file of its own, found {written[read]}, the remainder that is read")
    seen = {*written, read, *(os.path.realpath(path) for path in inputs if path != "-")}
    for path in beside:
        if path is None:
            continue
        real = os.path.realpath(path)
        if path == "-" or real in seen:
            raise ToolbridgeError(f"the report, the remainder and the rejects need files of their own, found {path}")
        seen.add(real)


def create(path: str) -> int:
    """A new file that only its owner can access, open for reading and writing.

    Raises FileExistsError if the name exists, also as a broken symbolic link.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_LINK, 0o600)


def permit(fd: int, path: str) -> None:
    """Give an open file the permissions of the regular file at `path`, or those of a new file there."""
    if not hasattr(os, "fchmod"):
        return
    # Some file systems (FAT) have no permissions, and refuse to set them.
    with suppress(PermissionError):
        os.fchmod(fd, _permissions(path))


def _permissions(path: str) -> int:
    with suppress(FileNotFoundError):
        mode = os.stat(path).st_mode
        if S_ISREG(mode):
            return mode & 0o777
    # The system applies the umask, and the default permissions of the directory, to a file without a name.
    if hasattr(os, "O_TMPFILE"):
        with suppress(OSError):
            fd = os.open(os.path.dirname(path), os.O_TMPFILE | os.O_WRONLY, 0o666)
            try:
                return os.fstat(fd).st_mode & 0o777
            finally:
                os.close(fd)
    mask = os.umask(0o077)  # setting it is the only way to read it; files that other threads create then are private
    os.umask(mask)
    return 0o666 & ~mask


def write_atomically(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> None:
    """Write a file completely or not at all: if writing fails, an existing file of that name is unchanged.

    A symbolic link is followed, and the permissions of an existing file are kept; until the file has its name, only its
    owner can read it. Anything but a regular file (a pipe, a terminal) is written directly. Raises ToolbridgeError if
    the file system refuses.
    """
    try:
        _write(os.path.realpath(path), chunks)
    except OSError as error:
        raise ToolbridgeError(f"cannot write {os.fspath(path)}: {_reason(error, path)}") from error


def write_to(path: str, data: bytes) -> None:
    """Write a file completely or not at all, or standard output (`-`)."""
    if path == "-":
        write_out([data])
    else:
        write_atomically(path, [data])


def _write(real: str, chunks: Iterable[bytes]) -> None:
    mode: int | None = None
    with suppress(FileNotFoundError):
        mode = os.stat(real).st_mode
    if mode is not None:
        if S_ISDIR(mode):
            raise IsADirectoryError("it is a directory")
        if not os.access(real, os.W_OK):
            raise PermissionError("it is write-protected")
        if not S_ISREG(mode):
            with open(real, "wb") as file:
                file.writelines(chunks)
            return
    beside = os.path.join(os.path.dirname(real), f".toolbridge-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    fd = create(beside)
    try:
        with open(fd, "wb") as file:
            file.writelines(chunks)
            file.flush()
            permit(fd, real)
            os.fsync(fd)
        os.replace(beside, real)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def _reason(error: OSError, path: str | os.PathLike[str]) -> str:
    if error.errno is None:
        return str(error)
    if isinstance(error, FileNotFoundError):
        return f"there is no directory {os.path.dirname(os.path.realpath(path))}"
    if isinstance(error, PermissionError):
        return "its directory is write-protected"
    return reason(error)
