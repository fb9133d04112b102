"""ToolFile: the tools of a large file, which are read one by one in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from ...conversion.catalogue import catalogue_of, levels_around
from ...conversion.detect import kind_of, kinds_of
from ...data.types import Json, is_list, is_object
from ...errors import ToolbridgeError
from ...hub import singular
from ...mapping.format import Format
from ..layout import items_of_block, lines_of
from . import blocks as splitting
from .blocks import BlockReader, NotSplittable
from .envelope import recognised, sample_document, samples
from .plan import ProgressState, Task
from .pool import InProcess, find_blocks, tasks_of
from .source import Text


class ToolFile:
    """The tools of a file; `see` is called with the progress of reading it.

    Raises NotSplittable if it has to be read as a whole, FormatError if it fits no known format, and ToolbridgeError.

    Attributes:
        text: The file.
        layout: The place of the tools in it.
        form: The format, detected if none is given.
        ties: The other formats that fit as well.
        is_detected: Whether the format is detected.
        sample: The document with only the first of its tools.
        around: The document without its tools; None if it is not JSON.
        tasks: The blocks of the file.
        count: The number of the tools.
    """

    def __init__(self, text: Text, form: Format | None, see: Callable[[ProgressState], object]) -> None:
        self.text, self._see = text, see
        self.layout, items = splitting.layout(text, form)
        blocks, self._end = find_blocks(text, self.layout, InProcess(BlockReader(text)), splitting.BLOCK, see)
        self.around: Json = None
        with suppress(ToolbridgeError):
            self.around = self.document()
        if any(kind != "tool" for kind in kinds_of(items, form)):
            raise NotSplittable("it holds calls or results")
        self.is_detected = form is None
        self.sample = sample_document(self.layout, items)
        # The same items as for a conversion, which is to detect the same format.
        known = [] if form is not None else [*items, *samples(text, self.layout, blocks)]
        self.form, self.ties = recognised(self.layout, known, form, self.around)
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

    def tools_of(self, task: Task) -> Iterator[tuple[bytes, int]]:
        """The texts of the tools of a block, with their lines."""
        data, line = self.text.at(task.start, task.end), task.line
        if self.layout.wrap is not None:
            data, spans = items_of_block(b"[" + data + b"]")
            yield from ((data[start:end], 0) for start, end in spans)
            return
        place = 0
        for start, end in lines_of(data):
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
