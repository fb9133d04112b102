"""What is written, in the making: beside the files that it will be, with a ledger from which another run can go on."""

# pathlib would take half as long to import as all the rest of a small conversion:
# ruff: noqa: PTH101, PTH105, PTH108, PTH110, PTH112, PTH113, PTH116, PTH118, PTH120

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from stat import S_IMODE, S_ISREG
from time import monotonic
from typing import Any, Final, cast
from zlib import crc32

from ..errors import ToolbridgeError
from ..losses import Loss
from .ledger import Ended, Entry, Ledger, kept
from .plan import MARKS, OUT, Made
from .source import BINARY, read_at, write_at
from .told import Counted

EVERY: Final = 1.0
"""After so many seconds what is written is made safe."""

MUCH: Final = 64_000_000
"""After so many bytes, too."""

_PIECE: Final = 1 << 20


class Parts:
    """Files in the making. `paths` are those that they will be, by what they hold; none: they are for somebody else.

    `second` are those that take the place of others that have to be written once more.
    """

    def __init__(self, paths: Mapping[str, str | None], *, second: bool = False) -> None:
        self.targets = {name: None if path is None else os.path.realpath(path) for name, path in paths.items()}
        out = self.targets[OUT]
        if not second:
            self.targets[MARKS] = None if out is None else out + ".toolbridge-marks"
        self.files: dict[str, int] = {}
        self.paths: dict[str, str] = {}
        self.ends: dict[str, int] = {}
        self._shown = {name: path for name, path in paths.items() if path is not None}
        self._second = second
        self._ledger = Ledger(self._beside(OUT) + ".json" if self.resumable else None)
        self._foreign = False
        self._begun: dict[str, int] = {}
        self._waiting: dict[int, Entry] = {}
        self._ready: list[Entry] = []
        self.whole = 0
        """How many blocks are written without a gap."""
        self._next = 0
        self._done: set[int] = set()
        self._last = monotonic()
        self._bytes = 0
        self._over = False
        self.ending = False
        """Whether all is written and safe, and the ledger says so."""

    # beginning

    @property
    def resumable(self) -> bool:
        """Whether a run that is stopped can go on later."""
        return self.targets[OUT] is not None and not self._second

    @property
    def left(self) -> bool:
        """Whether an earlier run left something to go on with."""
        return self._ledger.head() is not None

    def _beside(self, name: str) -> str:
        path = self.targets[name]
        if path is None:
            raise AssertionError(name)
        folder, base = os.path.split(path)
        return os.path.join(folder, f".{base}.toolbridge-part{'2' if self._second else ''}")

    def check(self, read: Iterable[str] = ()) -> None:
        """Raises ToolbridgeError where something could not be written in the end, or would be written over.

        `read` are the files that are read.
        """
        mine = [self._beside(name) for name, path in self.targets.items() if path is not None]
        mine += [self._ledger.path, *(f"{path}2" for path in mine)]
        for path in (*self._shown.values(), *read):
            if os.path.realpath(path) in mine:
                raise ToolbridgeError(f"{path} is where toolbridge keeps what it has not finished: choose another name")
        for name, path in self.targets.items():
            if path is None or name == MARKS:
                continue
            shown, folder = self._shown[name], os.path.dirname(path)
            if not os.path.isdir(folder):
                raise ToolbridgeError(f"cannot write {shown}: there is no directory {folder}")
            if os.path.isdir(path):
                raise ToolbridgeError(f"cannot write {shown}: it is a directory")
            if os.path.exists(path) and not os.path.isfile(path):
                raise ToolbridgeError(f"cannot write {shown}: it is not a regular file")
            if os.path.exists(path) and not os.access(path, os.W_OK):
                raise ToolbridgeError(f"cannot write {shown}: it is write-protected")

    def begin(self, header: Mapping[str, Any], heads: Mapping[str, bytes]) -> None:
        """Begin with nothing but what stands before the blocks."""
        before = self._left_before()
        self._open(new=True)
        for path in before:
            for each in (path, path + "2"):
                if each not in self.paths.values():
                    with suppress(OSError):
                        os.unlink(each)
        for name, data in heads.items():
            self.add(name, data)
        self._begun = dict(self.ends)
        if not self._second:
            self._ledger.begin({**header, "parts": list(self.paths.values())})
        self._ledger.guard(list(self.files.values()))

    def resume(self, header: Mapping[str, Any], heads: Mapping[str, bytes]) -> Iterator[Entry]:
        """Go on with what an earlier run left: gives its blocks.

        Raises ToolbridgeError where that was another run, or what it left is no longer as it was.
        """
        self._same(header)
        self._open(new=False)
        for name, data in heads.items():
            if read_at(self.files[name], 0, len(data)) != data:
                raise self._cannot(f"what was written to {self.paths[name]} was changed")
            self.ends[name] = len(data)
        self._begun = dict(self.ends)
        for entry in self._ledger.blocks():
            self._verify(entry)
            self._move(entry)
            self._next = self.whole = entry.number + 1
            yield entry
        self._ledger.resume(self._next)
        for name, fd in self.files.items():
            os.ftruncate(fd, self.ends[name])
        self._ledger.guard(list(self.files.values()))

    def _same(self, header: Mapping[str, Any]) -> None:
        """Raises ToolbridgeError where the run that left something was to do something else."""
        before = self._ledger.head() or {}
        told = {
            "version": "it was begun by another version of toolbridge",
            "options": "it was begun with other options",
            "input": "the input is not the one that it was begun with",
        }
        for key, why in told.items():
            if before.get(key) != kept(header[key]):
                raise self._cannot(why)

    def ended(self, header: Mapping[str, Any]) -> Ended | None:
        """What came of an earlier run that was stopped while it gave the files their names: they get them now.

        Raises ToolbridgeError where that was another run, or what it left is no longer as it was.
        """
        ended = self._ledger.ended()
        if ended is None:
            return None
        self._same(header)
        for name, (part, size) in ended.finished.items():
            target = self.targets.get(name)
            if target is None or part not in (self._beside(name), self._beside(name) + "2"):
                raise self._cannot(f"what is kept in {self._ledger.path} does not fit together")
            there = part if os.path.exists(part) else target
            if not os.path.isfile(there):
                raise self._cannot(f"there is no {part}")
            if os.stat(there).st_size != size:
                raise self._cannot(f"what was written to {there} was changed")
        self.paths = {name: part for name, (part, _) in ended.finished.items() if os.path.exists(part)}
        if OUT in self.paths:
            self.files[OUT] = self._opened(OUT, new=False)
            self._lock()
        if os.name == "nt":
            self.leave()
        self._name()
        for name in self.targets:
            if self.targets[name] is not None:
                self.paths[name] = self._beside(name)  # to be removed, if it is there
        self._over = True
        return ended

    def _left_before(self) -> list[str]:
        """What an earlier run left with which nobody will go on any more."""
        paths = (self._ledger.head() or {}).get("parts")
        told = cast("list[Any]", paths) if isinstance(paths, list) else []
        return [path for path in told if isinstance(path, str) and path.endswith(".toolbridge-part")]

    def _cannot(self, why: str) -> ToolbridgeError:
        self._foreign = True  # what there is may be of use to whoever puts the rest right
        return ToolbridgeError(f"cannot resume {self._shown[OUT]}: {why}; without --resume it is begun anew")

    def _verify(self, entry: Entry) -> None:
        for name, piece in entry.pieces.items():
            lead = entry.lead if name == OUT and piece.size else 0
            if name not in self.files or entry.places[name] != self.ends[name]:
                raise self._cannot(f"what is kept in {self._ledger.path} does not fit together")
            data = read_at(self.files[name], entry.places[name] + lead, piece.size)
            if len(data) < piece.size or crc32(data) != piece.digest:
                raise self._cannot(f"what was written to {self.paths[name]} was changed")

    def _open(self, *, new: bool) -> None:
        for name in sorted(self.targets, key=lambda name: name != OUT):
            if self.targets[name] is None:
                self.files[name], self.paths[name] = tempfile.mkstemp(prefix="toolbridge-")
            else:
                self.paths[name] = self._beside(name)
                self.files[name] = self._opened(name, new=new)
            self.ends[name] = 0
            if name == OUT and self.targets[OUT] is not None:
                self._lock()
        if new:
            for name, fd in self.files.items():
                self._try(name, lambda fd=fd: os.ftruncate(fd, 0))

    def _opened(self, name: str, *, new: bool) -> int:
        flags = os.O_RDWR | BINARY | (os.O_CREAT if new else 0)
        try:
            return os.open(self.paths[name], flags, 0o666)
        except OSError as error:
            if not new and isinstance(error, FileNotFoundError):
                raise self._cannot(f"there is no {self.paths[name]}") from None
            problem = "its directory is write-protected" if isinstance(error, PermissionError) else _words(error)
            raise ToolbridgeError(f"cannot write {self._shown.get(name, name)}: {problem}") from None

    def _lock(self) -> None:
        """Nobody else may write the same output."""
        with suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(self.files[OUT], fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.paths.clear()
                self._foreign = True
                raise ToolbridgeError(f"another run is writing {self._shown[OUT]}") from None
            except OSError:
                pass  # a file system without locks

    # going on

    def place(self, made: Made, lead: bytes) -> tuple[dict[str, int], bytes]:
        """Where the pieces of the next block go, and what stands before it in the output."""
        out = made.pieces[OUT].size
        lead = lead if out and self.ends[OUT] > self._begun[OUT] else b""
        places = dict(self.ends)
        entry = Entry(made.number, made.pieces, places, len(lead), made.counted)
        self._waiting[made.number] = entry
        self._move(entry)
        return places, lead

    def _move(self, entry: Entry) -> None:
        for name, piece in entry.pieces.items():
            if name in self.ends:
                self.ends[name] += piece.size + (entry.lead if name == OUT else 0)

    def written(self, numbers: list[int]) -> None:
        """These blocks have been written: now and then that is made safe."""
        for number in numbers:
            self._done.add(number)
            entry = self._waiting[number]
            self._bytes += sum(piece.size for piece in entry.pieces.values())
            self._ready.append(entry)
            del self._waiting[number]
        while self.whole in self._done:
            self._done.discard(self.whole)
            self.whole += 1
        if self._second:
            self._ready.clear()
        elif self._bytes >= MUCH or monotonic() - self._last >= EVERY:
            self.safe()

    def safe(self) -> None:
        """Make safe what is written without a gap."""
        self._ready.sort(key=lambda entry: entry.number)
        safe: list[Entry] = []
        while self._ready and self._ready[0].number == self._next:
            safe.append(self._ready.pop(0))
            self._next += 1
        if safe:
            self._ledger.add(safe)
        self._last, self._bytes = monotonic(), 0

    def add(self, name: str, data: bytes) -> None:
        """Write something between the blocks."""
        write_at(self.files[name], self.ends[name], data)
        self.ends[name] += len(data)

    def copy(self, other: Parts, name: str, start: int, end: int) -> None:
        """Write a part of another file to the end of one of these."""
        quick = getattr(os, "copy_file_range", None)
        while start < end:
            done = 0
            if quick is not None:
                try:
                    done = quick(other.files[name], self.files[name], end - start, start, self.ends[name])
                except OSError:
                    quick = None
            if not done:
                data = read_at(other.files[name], start, min(end - start, _PIECE))
                self.add(name, data)
                start += len(data)
                continue
            start += done
            self.ends[name] += done

    def take_over(self, other: Parts, entry: Entry, lead: bytes) -> None:
        """Take a block of others as it is."""
        for name, piece in entry.pieces.items():
            start = entry.places[name]
            if name == OUT and piece.size:
                start += entry.lead
                if self.ends[OUT] > self._begun[OUT]:
                    self.add(OUT, lead)
            if name != MARKS:
                self.copy(other, name, start, start + piece.size)

    def entries_of(self) -> Iterator[Entry]:
        """The blocks that were written, from the ledger."""
        self.safe()
        self._ledger.settle()
        found = 0
        for entry in self._ledger.blocks():
            found += 1
            yield entry
        if found != self.whole:
            raise ToolbridgeError(
                f"cannot write {self._shown.get(OUT, OUT)}: {self._ledger.path} was changed meanwhile"
            )

    # the end

    def finish(self, first: Parts, counted: Counted, around: list[Loss]) -> None:
        """Give the files their names, the output last. Before, the ledger of the first parts says what came of it."""
        if first.resumable:
            first.safe()
        first._ledger.settle()
        for name, fd in self.files.items():
            if name != MARKS:
                self._try(name, lambda fd=fd: os.fsync(fd))
        if first.resumable:
            files = {name: (path, self.ends[name]) for name, path in self.paths.items() if name in self._shown}
            rows = [(loss.code, loss.source, loss.target, loss.item) for loss in around]
            self.ending = True
            first._ledger.end(Ended(files, counted, rows))
        if os.name == "nt":
            self.leave()  # there, what is open keeps its name
        self._name()

    def _name(self) -> None:
        for name in sorted(self.targets, key=lambda name: name == OUT):
            path = self.targets[name]
            if name == MARKS or path is None or name not in self.paths:
                continue
            with suppress(FileNotFoundError):
                mode = os.stat(path).st_mode
                if S_ISREG(mode):
                    os.chmod(self.paths[name], S_IMODE(mode))
            self._try(name, lambda name=name, path=path: os.replace(self.paths[name], path))
            del self.paths[name]
        for folder in {os.path.dirname(path) for path in self.targets.values() if path is not None}:
            with suppress(OSError):
                fd = os.open(folder, os.O_RDONLY)
                try:
                    os.fsync(fd)
                finally:
                    os.close(fd)

    def discard(self) -> None:
        """Remove whatever is not finished."""
        with suppress(Exception):
            self._ledger.settle()
        if not self._foreign:
            for path in self.paths.values():
                with suppress(OSError):
                    os.unlink(path)
            if self._ledger.begun or self._over:
                self._ledger.remove()
        self.leave()

    def keep(self) -> bool:
        """Leave what is safe for a run that goes on with it; whether there is anything."""
        if not self.resumable or not self._ledger.begun:
            self.discard()
            return False
        self.safe()
        self._ledger.settle()
        self.leave()
        return True

    def leave(self) -> None:
        """Let go of the files as they are."""
        for fd in self.files.values():
            with suppress(OSError):
                os.close(fd)
        self.files.clear()
        self._ledger.close()

    def _try(self, name: str, what: Any) -> None:
        try:
            what()
        except OSError as error:
            raise ToolbridgeError(f"cannot write {self._shown.get(name, name)}: {_words(error)}") from error


def _words(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
