"""ToolFile: the tools of a large file, which are read one by one in bounded memory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from typing import Final

from ...conversion.catalogue import catalogue_of, levels_around
from ...conversion.detect import Detected, kind_of, kinds_of
from ...data.types import Json, is_list, is_object
from ...errors import ToolbridgeError
from ...hub import singular
from ...limits import LIMITS, Limits
from ...mapping.format import Format
from ..layout import items_of_block
from . import blocks as splitting
from .blocks import BlockReader, NotSplittable
from .envelope import recognised, sample_document, samples
from .plan import ProgressState, Task
from .pool import InProcess, find_blocks, tasks_of
from .source import Text, open_text

_BLOCKS: Final = 16
"""In how many places of JSON Lines items are read."""


class ToolFile:
    """The tools of a file; `see` is called with the progress of reading it.

    Raises NotSplittable if it has to be read as a whole, FormatError if it fits no known format, and ToolbridgeError.

    Attributes:
        layout: The place of the tools in it.
        form: The format, detected if none is given (`is_detected`).
        ties: The other formats that fit as well.
        sample: The document with only the first of its tools.
        tasks: The blocks of the file.
        count: The number of the tools.
    """

    def __init__(self, text: Text, form: Format | None, see: Callable[[ProgressState], object]) -> None:
        self.text, self._see = text, see
        self.layout, items = splitting.layout(text, form)
        blocks, self._end = find_blocks(text, self.layout, InProcess(BlockReader(text)), splitting.BLOCK, see)
        around: Json = None
        with suppress(ToolbridgeError):  # of what is around the tools
            around = self.document()
        if any(kind != "tool" for kind in kinds_of(items, form)):
            raise NotSplittable("it holds calls or results")
        self.is_detected = form is None
        self.sample = sample_document(self.layout, items)
        # The same items as for a conversion, which is to detect the same format.
        known = [] if form is not None else [*items, *samples(text, self.layout, blocks)]
        self.form, self.ties = recognised(self.layout, known, form, around)
        self._items = items
        self.tasks = tasks_of(blocks)
        self.count = sum(task.items for task in self.tasks)

    def document(self) -> Json:
        """The document without its tools. Raises ToolbridgeError if it is not JSON."""
        return splitting.document_without_items(self.text, self.layout, self._end)

    def check_tools(self, source: Format) -> None:
        """Raises NotSplittable if its first items are not all tools of a format."""
        if source.exports is not None or (
            source.group is not None and any(is_object(item) and source.group(item) is not None for item in self._items)
        ):
            raise NotSplittable("it is an interface, or holds groups of tools")
        if self.layout.wrap is None and any(self.other(item, source) for item in self._items):
            raise NotSplittable("it has lines that are lists or catalogues")

    def tools(self) -> Iterator[tuple[int, bytes, int]]:
        """The number, the text and the line of each tool; in a list, lines are not counted, and are 0."""
        for task in self.tasks:
            for number, (tool, line) in enumerate(self.tools_of(task), task.first):
                yield number, tool, line
            self._see(ProgressState(task.end, self.text.size, task.first + task.items))

    def some(self, numbers: Iterable[int]) -> Iterator[tuple[int, bytes, int]]:
        """The same of the tools with these numbers, in their order."""
        starts = [task.first for task in self.tasks]
        for block, some in groupby(numbers, lambda number: bisect_right(starts, number) - 1):
            tools = [*self.tools_of(self.tasks[block])]
            yield from ((number, *tools[number - starts[block]]) for number in some)

    def tools_of(self, task: Task) -> Iterator[tuple[bytes, int]]:
        """The texts of the tools of a block, with their lines."""
        data, spans = items_of_block(self.text.at(task.start, task.end), self.layout.wrap)
        place, line = 0, task.line if self.layout.wrap is None else 0
        for start, end in spans:
            if line:
                line += data.count(b"\n", place, start)
                place = start
            yield data[start:end], line

    @property
    def levels(self) -> int:
        """How many levels of the document are around a tool."""
        return levels_around(self.layout.wrap)

    def other(self, document: Json, source: Format) -> str:
        """What a line of JSON Lines holds that is no tool of this format; empty if it is one."""
        if not is_object(document):
            return "a list" if is_list(document) else ""
        if catalogue_of(document, source).shape != "tool":
            return "a catalogue"
        kind = kind_of(document, None if self.is_detected else self.form)
        return "" if kind == "tool" else singular(kind, article=True)


def detect_file(path: str, limits: Limits = LIMITS) -> tuple[Detected, int, bool]:
    """The format of a file of tools, the number of tools that were read for it, and whether these are the first ones.

    At most some megabytes are read: the beginning, and of JSON Lines tools from all over the file.

    Raises:
        NotSplittable: The file has to be read as a whole.
        FormatError: The tools fit no known format.
        ToolbridgeError: The file cannot be read.
    """
    text = open_text(path, None, limits=limits)
    try:
        layout, items = splitting.layout(text, None)
        if layout.wrap is None:
            count = -(-(text.size - layout.begin) // splitting.BLOCK)
            chosen = range(0, count, -(-count // _BLOCKS))
            parts = [splitting.line_block(text, layout.begin, number, splitting.BLOCK) for number in chosen]
            items = [*items, *samples(text, layout, parts)]
        if any(kind != "tool" for kind in kinds_of(items, None)):
            raise NotSplittable("it holds calls or results")
        found, ties = recognised(layout, items, None)
        return Detected(found, ties, "tool"), len(items), layout.wrap is not None
    finally:
        text.close()
