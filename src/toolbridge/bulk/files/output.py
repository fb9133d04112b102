"""Output files while they are written: under temporary names, with a journal from which a job can be resumed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from time import monotonic
from typing import Any, Final

from ...data.output import check_writable, explained, permit
from ...data.types import is_object
from ...errors import ToolbridgeError
from ...losses.report import Loss
from . import working_files
from .journal import Ended, Entry, Finished, Journal, holds, round_trip
from .plan import LINES, MARKS, ONE_LINE, OUT, REMAINDER, Piece, TaskResult, is_file
from .report import Counts
from .source import BINARY, parts_of, read_at, write_at

EVERY: Final = 1.0
"""The seconds between two syncs of what is written."""

MUCH: Final = 64_000_000
"""The bytes after which it is synced earlier."""

_LONGEST: Final = 200
"""The bytes of a name up to which its working files have it in their names, of which file systems take 255 bytes."""

_LEADS: Final = ("", LINES.decode(), ONE_LINE.decode())


class OutputFiles:
    """The files that a job writes, under temporary names until they are complete.

    Args:
        paths: The final paths by the names of the outputs; None for an output that is copied to a stream at the end.
        second: Whether the files replace others, of which some blocks have to be written again.
    """

    def __init__(self, paths: Mapping[str, str | None], *, second: bool = False) -> None:
        self.targets = {name: None if path is None else os.path.realpath(path) for name, path in paths.items()}
        out = self.targets[OUT]
        if not second:
            self.targets[MARKS] = None if out is None else out + ".toolbridge-marks"
        self.files: dict[str, int] = {}
        self.paths: dict[str, str] = {}
        self.ends: dict[str, int] = {}
        self._shown_paths = {name: path for name, path in paths.items() if path is not None}
        self._second = second
        self._journal = Journal(self._working_path(OUT) + ".json" if self.resumable else None, self._shown(OUT))
        self._preserve = False
        self._begun: dict[str, int] = {}
        self._pieces: dict[str, list[Piece]] = {}
        self._waiting: dict[int, Entry] = {}
        self._ready: dict[int, Entry] = {}
        self.block_count = 0
        """The number of blocks that are written without a gap."""
        self._next = 0
        self._last = monotonic()
        self._bytes = 0
        self._completed = False
        self.ending = False
        """Whether everything is written and synced, and the last entry of the journal is written or about to be."""

    # beginning

    @property
    def resumable(self) -> bool:
        """Whether a job that is stopped can be resumed."""
        return self.targets[OUT] is not None and not self._second

    @property
    def has_earlier_run(self) -> bool:
        """Whether an earlier run left a journal with which it can be resumed."""
        return self._journal.head() is not None

    def _working_path(self, name: str) -> str:
        path = self.targets[name]
        if path is None:
            raise AssertionError(name)
        folder, base = os.path.split(path)
        if len(os.fsencode(base)) > _LONGEST:
            base = sha256(os.fsencode(base)).hexdigest()
        return os.path.join(folder, f".{base}.toolbridge-part{'2' if self._second else ''}")

    def check(self, read: Iterable[str] = ()) -> None:
        """Raises ToolbridgeError if a file cannot be written, or a working file would overwrite another file.

        `read` are the input files.
        """
        working_paths = [self._working_path(name) for name, path in self.targets.items() if path is not None]
        working_paths += [self._journal.path, *(f"{path}2" for path in working_paths)]
        for path in (*self._shown_paths.values(), *read):
            if os.path.realpath(path) in working_paths:
                raise ToolbridgeError(f"{path} is where toolbridge keeps unfinished output: choose another name")
        for path in self._shown_paths.values():
            check_writable(path, "each output")
            if not is_file(path):
                raise ToolbridgeError(f"cannot write {path}: it is not a regular file")

    def begin(self, header: Mapping[str, Any], heads: Mapping[str, bytes]) -> None:
        """Create the files, with the heads that are before the blocks."""
        if self.resumable:
            with explained(self._shown(OUT)):
                self._journal.create()
        for name in self._order():
            path = self.targets[name]
            if path is None:
                self.files[name], self.paths[name] = tempfile.mkstemp(prefix="toolbridge-")
            else:
                path, shown = self._working_path(name), self._shown(name)
                with explained(shown):
                    if not self._second:
                        working_files.remove(path + "2", shown)
                    self.files[name] = working_files.begin(path, shown)
                self.paths[name] = path
            self.ends[name], self._pieces[name] = 0, []
        for name, data in heads.items():
            self.add(name, data)
        self._begun = dict(self.ends)
        if not self._second:
            if not self.resumable:
                self._journal.create()
            self._journal.begin(header)
        self._journal.sync_files(list(self.files.values()))

    def resume(self, header: Mapping[str, Any], heads: Mapping[str, bytes]) -> Iterator[Entry]:
        """Resume an earlier run: gives the blocks that it wrote.

        Raises ToolbridgeError if that run had other options, or its files were changed.
        """
        self._preserve = True  # a user may correct the input or the options, and resume then
        self._check_header(header)
        for name in self._order():
            path = self._working_path(name)
            self.files[name], self.paths[name] = self._earlier_file(name, path), path
            self.ends[name], self._pieces[name] = 0, []
        for name, data in heads.items():
            if read_at(self.files[name], 0, len(data)) != data:
                raise self._not_resumable(f"what was written to {self.paths[name]} was changed")
            self._count(name, Piece.of(data))
        self._begun = dict(self.ends)
        for entry in self._journal.blocks():
            self._verify(entry)
            self._move(entry)
            self._next = self.block_count = entry.number + 1
            yield entry
        self._preserve = False
        self._journal.resume(self._next)
        for name, fd in self.files.items():
            os.ftruncate(fd, self.ends[name])
        self._journal.sync_files(list(self.files.values()))

    def _order(self) -> list[str]:
        return sorted(self.targets, key=lambda name: name != OUT)

    def _earlier_file(self, name: str, path: str) -> int:
        """The working file of an earlier run. Raises ToolbridgeError if there is none."""
        with explained(self._shown(name)):
            try:
                return working_files.resume(path, self._shown(name))
            except FileNotFoundError:
                raise self._not_resumable(f"there is no {path}") from None

    def _check_header(self, header: Mapping[str, Any]) -> None:
        """Raises ToolbridgeError if the earlier run had another version, other options or another input."""
        earlier = self._journal.head() or {}
        reasons = {
            "version": "it was started by another version of toolbridge",
            "options": "it was started with other options",
            "input": "the input is not the one that it was started with",
        }
        for key, problem in reasons.items():
            before, now = earlier.get(key), round_trip(header[key])
            if before != now:
                given = before if is_object(before) else {}
                changed = [name for name in now if given.get(name) != now[name]] if key == "options" else []
                raise self._not_resumable(f"{problem}: {', '.join(changed)}" if changed else problem)

    def ended(self, header: Mapping[str, Any]) -> Ended | None:
        """The last entry of an earlier run that was stopped while it renamed the files, which is completed; else None.

        Raises ToolbridgeError if that run had other options, or its files were changed.
        """
        ended = self._journal.ended()
        if ended is None:
            return None
        self._preserve = True
        self._check_header(header)
        names = {name for name in self.targets if name != MARKS}
        if ended.finished.keys() != names - unwritten(ended.counted):
            raise self._not_resumable(f"{self._journal.path} is inconsistent")
        for name, finished in ended.finished.items():
            path = self._working_path(name) + ("2" if finished.second else "")
            try:
                if os.path.lexists(path):
                    self.files[name], self.paths[name] = self._earlier_file(name, path), path
                    fd = os.dup(self.files[name])
                else:
                    path = self.targets[name] or ""
                    fd = os.open(path, os.O_RDONLY | BINARY)
            except FileNotFoundError:
                raise self._not_resumable(f"there is no {self._working_path(name)}") from None
            try:
                if not holds(fd, finished.pieces):
                    raise self._not_resumable(f"what was written to {path} was changed")
            finally:
                os.close(fd)
        self._rename_all()
        self._preserve = False
        self._completed = True
        return ended

    def _not_resumable(self, reason: str) -> ToolbridgeError:
        return ToolbridgeError(
            f"cannot resume {self._shown_paths[OUT]}: {reason}; without --resume it starts from the beginning"
        )

    def _verify(self, entry: Entry) -> None:
        if entry.pieces.keys() != self.files.keys():
            raise self._not_resumable(f"{self._journal.path} is inconsistent")
        for name in entry.pieces:
            if entry.places.get(name) != self.ends[name] or entry.lead not in _LEADS:
                raise self._not_resumable(f"{self._journal.path} is inconsistent")
            if not holds(self.files[name], entry.filled(name), self.ends[name], more=True):
                raise self._not_resumable(f"what was written to {self.paths[name]} was changed")

    def places(self) -> dict[str, tuple[str, os.stat_result]]:
        """The paths of the files and their `stat`, for the workers, which open them as well."""
        return {name: (self.paths[name], os.fstat(fd)) for name, fd in self.files.items()}

    # writing blocks

    def place(self, block: TaskResult, lead: bytes) -> tuple[dict[str, int], bytes]:
        """The offsets for the pieces of the next block, and the text to write before it in the output."""
        out = block.pieces[OUT].size
        lead = lead if out and self.ends[OUT] > self._begun[OUT] else b""
        places = dict(self.ends)
        entry = Entry(block.number, block.pieces, places, lead.decode(), block.counted)
        self._waiting[block.number] = entry
        self._move(entry)
        return places, lead

    def _move(self, entry: Entry) -> None:
        for name in entry.pieces:
            if name in self.ends:
                for piece in entry.filled(name):
                    self._count(name, piece)

    def _count(self, name: str, piece: Piece) -> None:
        """Add a piece, which is written or will be, to the end of a file."""
        self.ends[name] += piece.size
        if piece.size:
            self._pieces[name].append(piece)

    def written(self, numbers: list[int]) -> None:
        """Note that blocks were written, and sync if it is time."""
        for number in numbers:
            entry = self._ready[number] = self._waiting.pop(number)
            self._bytes += sum(piece.size for piece in entry.pieces.values())
        while self.block_count in self._ready:
            self.block_count += 1
        if self._second:
            self._ready.clear()
        elif self._bytes >= MUCH or monotonic() - self._last >= EVERY:
            self.sync()

    def sync(self) -> None:
        """Add the blocks that are written without a gap to the journal, which syncs them."""
        entries = [self._ready.pop(number) for number in range(self._next, self.block_count)]
        self._next = self.block_count
        if entries:
            self._journal.add(entries)
        self._last, self._bytes = monotonic(), 0

    def add(self, name: str, data: bytes) -> None:
        """Append data that is not of a block."""
        write_at(self.files[name], self.ends[name], data, name)
        self._count(name, Piece.of(data))

    def _copy(self, other: OutputFiles, name: str, start: int, piece: Piece) -> None:
        """Copy a piece of another file to the end of one of these."""
        place = self.ends[name]
        for data in parts_of(other.files[name], start, piece.size):
            write_at(self.files[name], place, data, name)
            place += len(data)
        self._count(name, piece)

    def take_over(self, other: OutputFiles, entry: Entry, lead: bytes) -> None:
        """Copy a block of other files unchanged."""
        for name, piece in entry.pieces.items():
            start = entry.places[name]
            if name == OUT and piece.size:
                start += len(entry.lead)
                if self.ends[OUT] > self._begun[OUT]:
                    self.add(OUT, lead)
            if name != MARKS:
                self._copy(other, name, start, piece)

    def entries_of(self) -> Iterator[Entry]:
        """The written blocks, from the journal."""
        self.sync()
        self._journal.flush()
        count = 0
        for entry in self._journal.blocks():
            count += 1
            yield entry
        if count != self.block_count:
            raise ToolbridgeError(f"cannot write {self._shown(OUT)}: {self._journal.path} was changed meanwhile")

    # the end

    def finish(self, first: OutputFiles, counted: Counts, catalogue_losses: list[Loss]) -> None:
        """Rename the files, the output last, after the journal of the first files has got its last entry.

        If no tool could be converted, the output and its remainder are not renamed, and existing files are kept.
        """
        if first.resumable:
            first.sync()
        first._journal.flush()
        for name in unwritten(counted) & self.paths.keys():
            os.close(self.files.pop(name))
        for name, fd in self.files.items():
            if name != MARKS:
                with explained(self._shown(name)):
                    os.fsync(fd)
        if first.resumable:
            named = self.files.keys() & self._shown_paths.keys()
            files = {name: Finished(self._second, self._pieces[name]) for name in sorted(named)}
            rows = [(loss.code, loss.source, loss.target, loss.item, loss.detail) for loss in catalogue_losses]
            self.ending = True
            first._journal.end(Ended(files, counted, rows))
        self._rename_all()

    def _rename_all(self) -> None:
        """Rename the open files to their final paths, the output last."""
        for name in sorted(self.files, key=lambda name: name == OUT):
            path = self.targets[name]
            if name == MARKS or path is None or name not in self.paths:
                continue
            with explained(self._shown(name)):
                self._rename(name, path)
            del self.paths[name]
        for folder in {os.path.dirname(path) for path in self.targets.values() if path is not None}:
            with suppress(OSError):
                fd = os.open(folder, os.O_RDONLY)
                try:
                    os.fsync(fd)
                finally:
                    os.close(fd)

    def _rename(self, name: str, path: str) -> None:
        part, fd = self.paths[name], self.files[name]
        if not working_files.leads_to(part, fd):
            raise ToolbridgeError(f"cannot write {self._shown(name)}: {part} was changed meanwhile")
        permit(fd, path)
        if os.name == "nt":
            os.close(self.files.pop(name))  # Windows cannot rename an open file
        os.replace(part, path)

    def discard(self) -> None:
        """Remove the unfinished files."""
        with suppress(Exception):
            self._journal.flush()
        if not self._preserve:
            self._remove()
        self.close()

    def _remove(self) -> None:
        if os.name == "nt":
            self.close()  # Windows cannot remove an open file
        for path in self.paths.values():
            with suppress(OSError):
                os.unlink(path)
        for name, path in self.targets.items():
            if self._completed and path is not None:  # the first files, if second ones replaced them
                with suppress(OSError, ToolbridgeError):
                    working_files.remove(self._working_path(name), self._shown(name))
        if self._journal.begun or self._completed:
            self._journal.remove()

    def keep(self) -> bool:
        """Keep what is synced for a run that resumes the job. Returns whether there is anything to keep."""
        if self._preserve:
            self.close()
            return True
        if not self.resumable or not self._journal.begun:
            self.discard()
            return False
        self.sync()
        self._journal.flush()
        self.close()
        return True

    def close(self) -> None:
        """Close the files."""
        for fd in self.files.values():
            with suppress(OSError):
                os.close(fd)
        self.files.clear()
        self._journal.close()

    def _shown(self, name: str) -> str:
        """The path of an output as it was given, for errors; the marks have that of the tools."""
        return self._shown_paths.get(name) or self._shown_paths.get(OUT, OUT)


def unwritten(counted: Counts) -> set[str]:
    """The outputs that are not written: the output and its remainder if no tool could be converted, otherwise none."""
    return {OUT, REMAINDER} if counted.none else set()
