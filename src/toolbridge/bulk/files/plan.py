"""The specification of a job, its tasks, and its results."""

# ruff: noqa: PTH110, PTH112, PTH113, PTH120

from __future__ import annotations

import os
from hashlib import sha256
from typing import Annotated, Any, Final, NamedTuple

from msgspec import Meta, Struct

from ...conversion.options import SKIP, ConversionOptions
from ...conversion.remainder import Remainder
from ...data.documents import Kind as Form
from ...data.output import check_distinct
from ...errors import ToolbridgeError
from ...formats.registry import get_format
from ...hub import Kind
from ...losses.report import Loss
from ...mapping.format import Format
from .blocks import Span
from .report import Counts
from .source import BINARY, Text


class JobSpec(Struct, frozen=True, kw_only=True):
    """What is to be done. Paths are those of files, `-` of standard input and standard output."""

    name: str
    to: Format | str
    output: str
    source: Format | None = None
    kind: Kind | None = None
    options: ConversionOptions = SKIP
    form: str | None = None
    jobs: int | None = None
    report: str | None = None
    remainder: str | None = None
    restore: str | None = None
    rejects: str | None = None
    resume: bool = False
    text: Text | None = None
    """What is read, where it is open already; whoever opened it closes it."""
    block: int | None = None

    def check(self) -> None:
        """Raises ToolbridgeError where a file has no name, or that of another."""
        beside = [path for path in (self.report, self.remainder, self.rejects) if path is not None]
        if "" in (self.name, self.output, self.restore, *beside):
            raise ToolbridgeError("each file needs a name, found an empty one")
        if self.resume and not is_file(self.output):
            raise ToolbridgeError(f"to resume, the output has to be a file, found {self.output}")
        check_distinct([self.name], [self.output], beside, self.restore)


class ProgressState(NamedTuple):
    """How far a run is: bytes that are done, of how many, and the tools in them.

    `tools` is None while they are only counted, `size` 0 while a pipe or a packed file is only read.
    """

    done: int
    size: int
    tools: int | None


class JobResult(Struct, eq=False):
    """The result of a conversion of a file: the formats, the number of tools, and the losses by code.

    `assumed` is true if the source format was detected, `ties` has other formats that fit as well.
    """

    source: str
    target: str
    assumed: bool
    ties: tuple[str, ...]
    counted: Counts
    packed: str = ""
    wrap: str | None = None
    """Where the list of tools is in its document; None where there is none: JSON Lines."""
    wrap_there: str = ""
    around: list[Loss] = []
    resumed: int = 0
    """How many tools an earlier run had converted."""

    @property
    def text(self) -> Form:
        """How the text was written down."""
        return "jsonl" if self.wrap is None else "json"

    @property
    def tools(self) -> int:
        """How many there were; what could not be read counts as one."""
        return self.counted.items

    @property
    def refused(self) -> int:
        """How many were left out, because they could not be read or must not cross like that."""
        return self.counted.refused

    @property
    def lossless(self) -> bool:
        """Whether there is nothing to report."""
        return not self.counted.codes

    def place(self, item: int, place: str) -> str:
        """A place within a tool as one in the document. `^` begins one that is that already, `-> ` a written one."""
        if place.startswith("^"):
            return place[1:]
        if self.wrap is None:
            return place
        if place.startswith("-> "):
            return f"-> {self.wrap_there}/{item}{place[3:]}"
        return f"{self.wrap}/{item}{place}"

    def counts(self) -> dict[str, int]:
        """How often each code occurs, by code."""
        return dict(sorted(self.counted.codes.items()))

    def __repr__(self) -> str:
        return f"Tally({self.source} -> {self.target}: {self.tools} tools, {self.counts()})"


def is_file(path: str) -> bool:
    """Whether an output is a file, or will be one; others are written straight."""
    return path != "-" and (os.path.isfile(path) or os.path.isdir(path) or not os.path.exists(path))


def folder_of(path: str) -> str | None:
    """Where there is place for what is as large as the output."""
    return os.path.dirname(os.path.realpath(path)) if is_file(path) else None


OUT: Final = "out"

REPORT: Final = "report"

REMAINDER: Final = "remainder"

REJECTS: Final = "rejects"

MARKS: Final = "marks"


class Plan(Struct, eq=False):
    """What whoever works has to know. `writes` says what is written beside the tools."""

    text: Text
    source: Format
    target: Format
    wrap: str | None
    options: ConversionOptions
    listed: bool
    """Whether a list is written; else each tool has its line."""
    writes: tuple[str, ...]
    rest: Text | None = None
    remainder: Remainder | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # What is forked gets it as it is. Whoever else gets it knows a format by its id, and opens files anew.
        values = [getattr(self, name) for name in self.__struct_fields__]
        return _planned, tuple(value.id if isinstance(value, Format) else value for value in values)


def _planned(*values: Any) -> Plan:
    text, source, target, *others = values
    plan = Plan(text, get_format(source), get_format(target), *others)
    for each in (plan.text, plan.rest):
        if each is not None:
            each.fd = os.open(each.path, os.O_RDONLY | BINARY)
    return plan


class Task(NamedTuple):
    """A block to convert: where it is, the numbers of its first item and line, and where its remainders are."""

    number: int
    start: int
    end: int
    first: int
    line: int
    items: int
    rest: Span = (0, 0)


class Piece(NamedTuple):
    """How many bytes of a file a block fills, and their SHA-256."""

    size: Annotated[int, Meta(ge=0)]
    digest: str

    @classmethod
    def of(cls, data: bytes) -> Piece:
        return cls(len(data), sha256(data).hexdigest())


class TaskResult(NamedTuple):
    """What became of a block; its bytes wait until it is known where they go."""

    number: int
    pieces: dict[str, Piece]
    counted: Counts
