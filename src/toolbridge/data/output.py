"""Documents as text, and files that are written completely or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from errno import EACCES, EAGAIN, ENOENT
from stat import S_ISDIR, S_ISREG
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import json

from ..errors import ToolbridgeError, reason
from .types import Json

Form: TypeAlias = Literal["json", "jsonl", "yaml"]

_FORMS: dict[str, Form] = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".yaml": "yaml", ".yml": "yaml"}

NO_LINK: Final[int] = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
"""Flags with which an own file is opened: not through a symbolic link, and as bytes on Windows."""

# orjson indents about five times faster than msgspec; from about this size on, that outweighs its import.
_LARGE = 1_000_000


def form_of_name(path: str) -> Form | None:
    """The form that the ending of a file name says; None for other endings."""
    return _FORMS.get(os.path.splitext(path)[1].lower())


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
        with uninterrupted():
            import orjson

        try:
            return orjson.dumps(document, option=orjson.OPT_INDENT_2)
        except TypeError:
            pass  # an integer of more than 64 bits, or more levels than orjson writes
    return json.format(text, indent=2)


@contextmanager
def uninterrupted() -> Generator[None]:
    """Hold Ctrl-C back: an interrupted import of orjson 3.13.0 is a segmentation fault (tried 2026-11-26)."""
    import signal

    held: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if before is not None:
        try:
            signal.signal(signal.SIGINT, lambda number, _: held.append(number))
        except ValueError:
            before = None  # only the main thread of the main interpreter is interrupted
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
    if held:
        signal.raise_signal(signal.SIGINT)


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


_HOLDS: Final = {
    "IN": "an input",
    "catalogue": "the catalogue that is locked",
    "o": "the output",
    "output": "the output",
    "report": "the report",
    "remainder": "the remainder",
    "rejects": "the list of rejects",
    "restore": "the remainder that is read",
    "key-file": "the key",
    "baseline": "the baseline",
    "write-baseline": "the new baseline",
}
"""What the file of an option holds, without its dashes."""

_REPLACES: Final = {"-o": ("IN", "-o"), "output": ("IN",), "--write-baseline": ("--baseline",)}
"""The options of the files that the file of an option may replace."""


def check_apart(read: Iterable[tuple[str, str | None]], written: Iterable[tuple[str, str | None]]) -> None:
    """Raises ToolbridgeError if two files to be written are the same, or one is also read.

    Each is given with its option; `-` is standard input or output. Only an output may replace an input, and a new
    baseline the old one.
    """
    seen: dict[str, list[str]] = {}
    for option, path in read:
        if path is not None and path != "-":
            seen.setdefault(os.path.realpath(path), []).append(option)
    for option, path in written:
        if path is None or (path == "-" and "IN" in _REPLACES.get(option, ())):
            continue
        if path == "-":
            raise ToolbridgeError(f"{option} needs the name of a file, found -")
        options = seen.setdefault(os.path.realpath(path), [])
        for other in options:
            if other not in _REPLACES.get(option, ()):
                also, own = _HOLDS[other.lstrip("-")], _HOLDS[option.lstrip("-")]
                raise ToolbridgeError(f"{option} {path} is also {also}: give {own} a file of its own")
        options.append(option)


_PACKED: Final = (".gz", ".zst", ".xz", ".bz2", ".zip")


def check_writable(path: str, option: str) -> None:
    """Raises ToolbridgeError if a file cannot be written, before anything is; `-` is standard output.

    `option` is the one that names the file.
    """
    if not path or path.endswith(("/", os.sep)):
        raise ToolbridgeError(f"{option} needs the name of a file, found {path or 'an empty one'}")
    if path == "-":
        return
    if path.lower().endswith(_PACKED):
        raise ToolbridgeError(
            f"cannot write {path}: files are written uncompressed; leave out the ending, and compress the file yourself"
        )
    with explained(path):
        if is_stream(path):
            return
        folder = os.path.dirname(os.path.realpath(path))
        if not os.path.isdir(folder):
            raise FileNotFoundError(ENOENT, "no such directory")
        if not os.access(folder, os.W_OK):
            raise PermissionError(EACCES, "not permitted")


def is_folder(output: str) -> bool:
    """Whether an output is a directory, or will be one."""
    return output != "-" and (os.path.isdir(output) or output.endswith(("/", os.sep)))


def check_folder(path: str) -> None:
    """Raises ToolbridgeError if there is no such directory, and none can be made when something is written to it."""
    above = os.path.abspath(path)
    while not os.path.lexists(above) and os.path.dirname(above) != above:  # a drive of Windows may not exist
        above = os.path.dirname(above)
    if not os.path.isdir(above):
        raise ToolbridgeError(f"cannot write {path}: not a directory")
    if not os.access(above, os.W_OK):
        raise ToolbridgeError(f"cannot write {path}: permission denied")


def make_folder(folder: str, path: str) -> None:
    """Make a directory, and those above it, unless it exists. Raises ToolbridgeError: `path` cannot be written."""
    try:
        os.makedirs(folder, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise ToolbridgeError(f"cannot write {path}: not a directory") from None
    except OSError as error:
        raise ToolbridgeError(f"cannot write {path}: {reason(error)}") from error


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


def write_together(files: Iterable[tuple[str, Iterable[bytes]]]) -> None:
    """Write several files, or standard output (`-`), so that no file is replaced if any of them cannot be written.

    A symbolic link is followed, and the permissions of an existing file are kept; until a file has its name, only its
    owner can read it. Anything but a regular file (a pipe, a terminal) is written directly. Files get their names in
    the order given, after all of them are written. Raises ToolbridgeError if the file system refuses one, OSError for
    standard output.
    """
    temporary: list[_OutputFile] = []
    streams: list[tuple[str, Iterable[bytes]]] = []
    try:
        for path, chunks in files:
            with explained(path):
                if path == "-" or is_stream(path):
                    streams.append((path, chunks))
                else:
                    temporary.append(_OutputFile.write(path, chunks))
        for path, chunks in streams:
            if path == "-":
                write_out(chunks)
                continue
            with explained(path):
                write_stream(path, chunks)
        written: dict[tuple[int, int] | None, str] = {}
        for file in temporary:
            with explained(file.path):
                if (other := written.get(_identity(file.real))) is not None:
                    raise ToolbridgeError(f"cannot write {file.path}: {other}, just written, is the same file here")
                os.replace(file.temporary, file.real)
                written[_identity(file.real)] = file.path
    except BaseException:
        for file in temporary:
            file.remove()
        raise


class _OutputFile(NamedTuple):
    """A file that is written completely, but does not have its name yet."""

    path: str
    """The name that was given."""
    real: str
    """The name it will have: that of the file to which symbolic links lead."""
    temporary: str

    @classmethod
    def write(cls, path: str, chunks: Iterable[bytes]) -> _OutputFile:
        real = os.path.realpath(path)
        name = f".toolbridge-{os.getpid()}-{os.urandom(4).hex()}.tmp"
        made = cls(path, real, os.path.join(os.path.dirname(real), name))
        fd = create(made.temporary)
        try:
            with open(fd, "wb") as file:
                file.writelines(chunks)
                file.flush()
                permit(fd, real)
                os.fsync(fd)
        except BaseException:
            made.remove()
            raise
        return made

    def remove(self) -> None:
        """Remove the temporary file, if it was not renamed."""
        with suppress(OSError):
            os.unlink(self.temporary)


def _identity(path: str) -> tuple[int, int] | None:
    """What identifies a file, also if the file system does not distinguish the case of letters; None if it is none."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def is_stream(path: str) -> bool:
    """Whether a path is no name of a regular file, but a pipe, a terminal or a descriptor, and is written directly.

    Raises OSError if it cannot be written.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    if S_ISDIR(mode):
        raise IsADirectoryError("it is a directory")
    if not os.access(path, os.W_OK):
        raise PermissionError("it is write-protected")
    return not S_ISREG(mode) or _descriptor(path) is not None


def _descriptor(path: str) -> int | None:
    """The open descriptor that a path stands for, such as /dev/stdout; None for other paths.

    It may be redirected to a regular file, which has data already and gets more.
    """
    folder, name = os.path.split(os.path.abspath(path))
    if name.isdecimal() and os.path.realpath(folder) in ("/dev/fd", os.path.realpath("/proc/self/fd")):
        return int(name)
    for fd in (1, 2):
        with suppress(OSError):
            if os.path.samestat(os.fstat(fd), os.stat(path)):
                return fd
    return None


def write_stream(path: str, chunks: Iterable[bytes]) -> None:
    """Write to a pipe, a terminal or a descriptor. Raises OSError."""
    fd = _descriptor(path)
    for stream in filter(None, (sys.stdout, sys.stderr)):  # what was printed before comes first
        stream.flush()
    with open(path if fd is None else os.dup(fd), "wb") as file:
        file.writelines(chunks)


@contextmanager
def explained(path: str) -> Generator[None, None, None]:
    """Raises ToolbridgeError for an error of the system at a file that is written."""
    try:
        yield
    except OSError as error:
        raise ToolbridgeError(f"cannot write {path}: {_reason(error, path)}") from error


def _reason(error: OSError, path: str) -> str:
    if error.errno is None:
        return str(error)
    if isinstance(error, FileNotFoundError):
        folder = os.path.dirname(path) or "."
        real = os.path.dirname(os.path.realpath(path)) if os.path.isdir(folder) else folder
        return f"no files can be created in {real}" if os.path.isdir(real) else f"there is no directory {real}"
    if isinstance(error, PermissionError) and not os.access(os.path.dirname(os.path.realpath(path)), os.W_OK):
        return "its directory is write-protected"
    return reason(error)
