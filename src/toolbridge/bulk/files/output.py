"""Output files while they are written: under temporary names, with a journal from which a job can be resumed."""

# pathlib would take half as long to import as all the rest of a small conversion:
# ruff: noqa: PTH105, PTH108, PTH110, PTH112, PTH113, PTH118, PTH120

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, Final, TypeVar

from ...data.output import permit
from ...errors import ToolbridgeError
from ...losses.report import Loss
from . import working_files
from .journal import LEAD, Ended, Entry, Finished, Journal, holds, kept
from .plan import MARKS, OUT, REMAINDER, Piece, TaskResult
from .report import Counts
from .source import BINARY, read_at, write_at

EVERY: Final = 1.0
"""After so many seconds what is written is made safe."""

MUCH: Final = 64_000_000
"""After so many bytes, too."""

_PIECE: Final = 1 << 20

_T = TypeVar("_T")


class OutputFiles:
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
        self._ledger = Journal(self._beside(OUT) + ".json" if self.resumable else None, self._shown.get(OUT, OUT))
        self._preserve = False
        self._begun: dict[str, int] = {}
        self._pieces: dict[str, list[Piece]] = {}
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
                raise ToolbridgeError(f"{path} is where toolbridge keeps unfinished output: choose another name")
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
        if self.resumable:
            self._try(OUT, self._ledger.create)
        for name in self._order():
            path = self.targets[name]
            if path is None:
                self.files[name], self.paths[name] = tempfile.mkstemp(prefix="toolbridge-")
            else:
                path, shown = self._beside(name), self._shown.get(name, name)
                if not self._second:
                    self._try(name, lambda path=path, shown=shown: working_files.remove(path + "2", shown))
                self.files[name] = self._try(name, lambda path=path, shown=shown: working_files.begin(path, shown))
                self.paths[name] = path
            self.ends[name], self._pieces[name] = 0, []
        for name, data in heads.items():
            self.add(name, data)
        self._begun = dict(self.ends)
        if not self._second:
            if not self.resumable:
                self._ledger.create()
            self._ledger.begin(header)
        self._ledger.guard(list(self.files.values()))

    def resume(self, header: Mapping[str, Any], heads: Mapping[str, bytes]) -> Iterator[Entry]:
        """Go on with what an earlier run left: gives its blocks.

        Raises ToolbridgeError where that was another run, or what it left is no longer as it was.
        """
        self._preserve = True  # what there is may be of use to whoever puts the rest right
        self._same(header)
        for name in self._order():
            path = self._beside(name)
            self.files[name], self.paths[name] = self._left(name, path), path
            self.ends[name], self._pieces[name] = 0, []
        for name, data in heads.items():
            if read_at(self.files[name], 0, len(data)) != data:
                raise self._cannot(f"what was written to {self.paths[name]} was changed")
            self._count(name, Piece.of(data))
        self._begun = dict(self.ends)
        for entry in self._ledger.blocks():
            self._verify(entry)
            self._move(entry)
            self._next = self.whole = entry.number + 1
            yield entry
        self._preserve = False
        self._ledger.resume(self._next)
        for name, fd in self.files.items():
            os.ftruncate(fd, self.ends[name])
        self._ledger.guard(list(self.files.values()))

    def _order(self) -> list[str]:
        return sorted(self.targets, key=lambda name: name != OUT)

    def _left(self, name: str, path: str) -> int:
        """A file that an earlier run left. Raises ToolbridgeError where it is not there."""
        try:
            return working_files.resume(path, self._shown.get(name, name))
        except FileNotFoundError:
            raise self._cannot(f"there is no {path}") from None
        except OSError as error:
            raise self._refused(name, error) from error

    def _same(self, header: Mapping[str, Any]) -> None:
        """Raises ToolbridgeError where the run that left something was to do something else."""
        before = self._ledger.head() or {}
        told = {
            "version": "it was started by another version of toolbridge",
            "options": "it was started with other options",
            "input": "the input is not the one that it was started with",
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
        self._preserve = True
        self._same(header)
        names = {name for name in self.targets if name != MARKS}
        if ended.finished.keys() != names - unwritten(ended.counted):
            raise self._cannot(f"{self._ledger.path} is inconsistent")
        for name, finished in ended.finished.items():
            path = self._beside(name) + ("2" if finished.second else "")
            try:
                if os.path.lexists(path):
                    self.files[name], self.paths[name] = self._left(name, path), path
                    fd = os.dup(self.files[name])
                else:
                    path = self.targets[name] or ""
                    fd = os.open(path, os.O_RDONLY | BINARY)
            except FileNotFoundError:
                raise self._cannot(f"there is no {self._beside(name)}") from None
            try:
                if not holds(fd, finished.pieces):
                    raise self._cannot(f"what was written to {path} was changed")
            finally:
                os.close(fd)
        self._name()
        self._preserve = False
        self._over = True
        return ended

    def _cannot(self, why: str) -> ToolbridgeError:
        return ToolbridgeError(
            f"cannot resume {self._shown[OUT]}: {why}; without --resume it starts from the beginning"
        )

    def _verify(self, entry: Entry) -> None:
        if entry.pieces.keys() != self.files.keys():
            raise self._cannot(f"{self._ledger.path} is inconsistent")
        for name in entry.pieces:
            if entry.places.get(name) != self.ends[name] or entry.lead not in (0, len(LEAD)):
                raise self._cannot(f"{self._ledger.path} is inconsistent")
            if not holds(self.files[name], entry.filled(name), self.ends[name], more=True):
                raise self._cannot(f"what was written to {self.paths[name]} was changed")

    def places(self) -> dict[str, tuple[str, os.stat_result]]:
        """Where the files are, and which ones these are, for whoever opens them as well."""
        return {name: (self.paths[name], os.fstat(fd)) for name, fd in self.files.items()}

    # going on

    def place(self, made: TaskResult, lead: bytes) -> tuple[dict[str, int], bytes]:
        """Where the pieces of the next block go, and what stands before it in the output."""
        out = made.pieces[OUT].size
        lead = lead if out and self.ends[OUT] > self._begun[OUT] else b""
        places = dict(self.ends)
        entry = Entry(made.number, made.pieces, places, len(lead), made.counted)
        self._waiting[made.number] = entry
        self._move(entry)
        return places, lead

    def _move(self, entry: Entry) -> None:
        for name in entry.pieces:
            if name in self.ends:
                for each in entry.filled(name):
                    self._count(name, each)

    def _count(self, name: str, piece: Piece) -> None:
        """A piece is at the end of a file, or will be."""
        self.ends[name] += piece.size
        if piece.size:
            self._pieces[name].append(piece)

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
        self._count(name, Piece.of(data))

    def _copy(self, other: OutputFiles, name: str, start: int, piece: Piece) -> None:
        """Write a piece of another file to the end of one of these."""
        quick = getattr(os, "copy_file_range", None)
        place, end = self.ends[name], start + piece.size
        while start < end:
            done = 0
            if quick is not None:
                try:
                    done = quick(other.files[name], self.files[name], end - start, start, place)
                except OSError:
                    quick = None
            if not done:
                data = read_at(other.files[name], start, min(end - start, _PIECE))
                write_at(self.files[name], place, data)
                done = len(data)
            start += done
            place += done
        self._count(name, piece)

    def take_over(self, other: OutputFiles, entry: Entry, lead: bytes) -> None:
        """Take a block of others as it is."""
        for name, piece in entry.pieces.items():
            start = entry.places[name]
            if name == OUT and piece.size:
                start += entry.lead
                if self.ends[OUT] > self._begun[OUT]:
                    self.add(OUT, lead)
            if name != MARKS:
                self._copy(other, name, start, piece)

    def entries_of(self) -> Iterator[Entry]:
        """The blocks that were written, from the ledger."""
        self.safe()
        self._ledger.after_read()
        found = 0
        for entry in self._ledger.blocks():
            found += 1
            yield entry
        if found != self.whole:
            raise ToolbridgeError(
                f"cannot write {self._shown.get(OUT, OUT)}: {self._ledger.path} was changed meanwhile"
            )

    # the end

    def finish(self, first: OutputFiles, counted: Counts, around: list[Loss]) -> None:
        """Give the files their names, the output last. Before, the ledger of the first parts says what came of it.

        What has nothing to say where no tool could be converted gets none: what had its name before stays.
        """
        if first.resumable:
            first.safe()
        first._ledger.after_read()
        for name in unwritten(counted) & self.paths.keys():
            os.close(self.files.pop(name))
        for name, fd in self.files.items():
            if name != MARKS:
                self._try(name, lambda fd=fd: os.fsync(fd))
        if first.resumable:
            named = self.files.keys() & self._shown.keys()
            files = {name: Finished(self._second, self._pieces[name]) for name in sorted(named)}
            rows = [(loss.code, loss.source, loss.target, loss.item) for loss in around]
            self.ending = True
            first._ledger.end(Ended(files, counted, rows))
        self._name()

    def _name(self) -> None:
        """Give the files that are open their names, the output last."""
        for name in sorted(self.files, key=lambda name: name == OUT):
            path = self.targets[name]
            if name == MARKS or path is None or name not in self.paths:
                continue
            self._try(name, lambda name=name, path=path: self._named(name, path))
            del self.paths[name]
        for folder in {os.path.dirname(path) for path in self.targets.values() if path is not None}:
            with suppress(OSError):
                fd = os.open(folder, os.O_RDONLY)
                try:
                    os.fsync(fd)
                finally:
                    os.close(fd)

    def _named(self, name: str, path: str) -> None:
        part, fd = self.paths[name], self.files[name]
        if not working_files.leads_to(part, fd):
            raise ToolbridgeError(f"cannot write {self._shown.get(name, name)}: {part} was changed meanwhile")
        permit(fd, path)
        if os.name == "nt":
            os.close(self.files.pop(name))  # there, what is open keeps its name
        os.replace(part, path)

    def discard(self) -> None:
        """Remove whatever is not finished."""
        with suppress(Exception):
            self._ledger.after_read()
        if not self._preserve:
            self._remove()
        self.leave()

    def _remove(self) -> None:
        if os.name == "nt":
            self.leave()  # there, what is open cannot be removed
        for path in self.paths.values():
            with suppress(OSError):
                os.unlink(path)
        for name, path in self.targets.items():
            if self._over and path is not None:  # what second parts took the place of
                with suppress(OSError, ToolbridgeError):
                    working_files.remove(self._beside(name), self._shown.get(name, name))
        if self._ledger.begun or self._over:
            self._ledger.remove()

    def keep(self) -> bool:
        """Leave what is safe for a run that goes on with it; whether there is anything."""
        if self._preserve:
            self.leave()
            return True
        if not self.resumable or not self._ledger.begun:
            self.discard()
            return False
        self.safe()
        self._ledger.after_read()
        self.leave()
        return True

    def leave(self) -> None:
        """Let go of the files as they are."""
        for fd in self.files.values():
            with suppress(OSError):
                os.close(fd)
        self.files.clear()
        self._ledger.close()

    def _try(self, name: str, what: Callable[[], _T]) -> _T:
        try:
            return what()
        except OSError as error:
            raise self._refused(name, error) from error

    def _refused(self, name: str, error: OSError) -> ToolbridgeError:
        problem = (error.strerror or str(error)).lower()
        if isinstance(error, PermissionError) and not os.access(os.path.dirname(self._beside(name)), os.W_OK):
            problem = "its directory is write-protected"
        return ToolbridgeError(f"cannot write {self._shown.get(name, name)}: {problem}")


def unwritten(counted: Counts) -> set[str]:
    """The files that are not written: where none of the tools could be converted, the output and what belongs to it."""
    return {OUT, REMAINDER} if counted.none else set()
