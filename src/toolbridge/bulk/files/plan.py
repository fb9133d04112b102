"""The specification of a job, its tasks, and its results."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import Annotated, Any, Final, NamedTuple

from msgspec import Meta, Struct

from ...conversion.options import SKIP, ConversionOptions
from ...conversion.remainder import Remainder
from ...data.documents import TextKind
from ...data.output import check_apart, is_stream
from ...data.pointer import OUTSIDE
from ...errors import ToolbridgeError
from ...formats.registry import get_format
from ...hub import Kind
from ...losses.report import Loss
from ...mapping.format import Format
from ..text_converter import Span
from .report import Counts, ReportWriter
from .source import BINARY, Text

LINES: Final = b",\n"
ONE_LINE: Final = b", "
"""The texts between the tools of a list that has a line for each of them, and of one that is a single line."""


class JobSpec(Struct, frozen=True, kw_only=True):
    """The specification of a job. Paths are those of files; `-` is standard input or standard output."""

    name: str
    to: Format | str
    output: str
    source: Format | None = None
    kind: Kind | None = None
    options: ConversionOptions = SKIP
    form: str | None = None
    lists_as_lines: bool = False
    """Whether a list is written as JSON Lines and an envelope as one line of it, if `form` does not say more."""
    jobs: int | None = None
    report: str | None = None
    remainder: str | None = None
    restore: str | None = None
    rejects: str | None = None
    resume: bool = False
    text: Text | None = None
    """The input, if the caller has opened it; the caller closes it."""
    block: int | None = None

    def separator(self, wrap: str | None) -> bytes:
        """The text between the tools of the output, for a list at this place of the input; None is JSON Lines.

        It is empty if no list is written, and each tool is a line.
        """
        if self.form is None and self.lists_as_lines and wrap is not None:
            return ONE_LINE if wrap else b""
        is_listed = self.form == "json" if wrap is None else self.form != "jsonl"
        return LINES if is_listed else b""

    def check(self) -> None:
        """Raises ToolbridgeError if a file has an empty name, or the name of another file."""
        others = {"report": self.report, "remainder": self.remainder, "rejects": self.rejects}
        if "" in (self.name, self.output, self.restore, *others.values()):
            raise ToolbridgeError("each file needs a name, found an empty one")
        if self.resume and not is_file(self.output):
            raise ToolbridgeError(f"to resume, the output has to be a file, found {self.output}")
        check_apart([("IN", self.name), ("restore", self.restore)], [("output", self.output), *others.items()])


class ProgressState(NamedTuple):
    """The progress of a job: the bytes that are done, of how many, and the number of tools in them.

    `tools` is None while tools are only counted, `size` is 0 while a pipe or a compressed file is only read.
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
    """The JSON Pointer to the list of tools in its document; None for JSON Lines."""
    target_wrap: str = ""
    catalogue_losses: list[Loss] = []
    resumed: int = 0
    """The number of tools that an earlier run had converted."""

    @property
    def text(self) -> TextKind:
        """The kind of the text."""
        return "jsonl" if self.wrap is None else "json"

    @property
    def tools(self) -> int:
        """The number of tools; a text that could not be read counts as one."""
        return self.counted.items

    @property
    def refused(self) -> int:
        """The number of tools that were left out, because they could not be read or their losses were refused."""
        return self.counted.refused

    @property
    def lossless(self) -> bool:
        """Whether there are no losses."""
        return not self.counted.codes

    def place(self, item: int, place: str) -> str:
        """The place in the document for a place in a tool; with `^` it is one already, with `-> ` in a written tool."""
        if place.startswith(OUTSIDE):
            return place[1:]
        if self.wrap is None:
            return place
        if place.startswith("-> "):
            return f"-> {self.target_wrap}/{item}{place[3:]}"
        return f"{self.wrap}/{item}{place}"

    def counts(self) -> dict[str, int]:
        """The number of losses of each code, in the order of the codes."""
        return dict(sorted(self.counted.codes.items()))

    def __repr__(self) -> str:
        tools = f"{self.tools} tool{'s' * (self.tools != 1)}"
        return f"JobResult({self.source} -> {self.target}: {tools}, {self.counts()})"


def is_file(path: str) -> bool:
    """Whether an output is a file, or will be one; others are streams."""
    if path == "-":
        return False
    try:
        return not is_stream(path)
    except OSError:
        return True  # writing it raises the error


def folder_of(path: str) -> str | None:
    """The directory of an output, for temporary files as large as it; None if the output is not a file."""
    return os.path.dirname(os.path.realpath(path)) if is_file(path) else None


OUT: Final = "out"

REPORT: Final = "report"

REMAINDER: Final = "remainder"

REJECTS: Final = "rejects"

MARKS: Final = "marks"


class Plan(Struct, eq=False):
    """The data that all workers need. `writes` are the outputs besides the tools."""

    text: Text
    source: Format
    target: Format
    wrap: str | None
    options: ConversionOptions
    separator: bytes
    """The text between the tools of a list; empty if each tool is a line."""
    writes: tuple[str, ...]
    rest: Text | None = None
    remainder: Remainder | None = None

    def report_writer(self) -> ReportWriter:
        """What writes the report."""
        return ReportWriter(self.text.name, self.source, self.target, self.options.schemas)

    def __reduce__(self) -> tuple[Any, ...]:
        # For processes that are not forked: formats are pickled as their ids, and files are opened again.
        values = [getattr(self, name) for name in self.__struct_fields__]
        return _planned, tuple(value.id if isinstance(value, Format) else value for value in values)


def _planned(*values: Any) -> Plan:
    text, source, target, *others = values
    plan = Plan(text, get_format(source), get_format(target), *others)
    for file in (plan.text, plan.rest):
        if file is not None:
            file.fd = os.open(file.path, os.O_RDONLY | BINARY)
    return plan


class Task(NamedTuple):
    """A block to convert: its offsets, the numbers of its first item and line, and the offsets of its remainders."""

    number: int
    start: int
    end: int
    first: int
    line: int
    items: int
    rest: Span = (0, 0)


class Piece(NamedTuple):
    """The bytes of a file that a block fills: their number, and their SHA-256."""

    size: Annotated[int, Meta(ge=0)]
    digest: str

    @classmethod
    def of(cls, data: bytes) -> Piece:
        return cls(len(data), sha256(data).hexdigest())


class TaskResult(NamedTuple):
    """The result of a task; the worker holds the bytes until their offsets in the files are known."""

    number: int
    pieces: dict[str, Piece]
    counted: Counts
