"""A worker: converts blocks, in this process or in one of several."""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import zip_longest
from typing import NamedTuple

from msgspec.structs import replace

from ...conversion.budget import Budget, has_budget
from ...conversion.catalogue import levels_around
from ...conversion.envelope import Context
from ...conversion.item import tool_name
from ...conversion.item_converter import ItemConverter
from ...conversion.remainder import Remainder
from ...data import pointer as at
from ...data.json_text import parse_json
from ...data.patch import seal
from ...errors import DocumentError, ToolbridgeError, as_document_error
from ...formats.registry import get_format
from ...losses.digest import subjects_of
from ...losses.report import CODES
from ...mapping.record import Record
from ..batch import Batch, BatchIndex, DocumentCounts, Written
from ..collisions import NO_COLLISIONS, NO_MARK, Collisions, mark
from ..layout import item_value, items_of_block
from ..text_converter import GroupError, Span, TextConverter
from .blocks import BlockReader, NotSplittable, line_breaks
from .envelope import block_remainders, remainder_lines
from .plan import MARKS, OUT, REJECTS, REMAINDER, REPORT, Piece, Plan, Task, TaskResult
from .report import FIRST, Counts, Failed, add_first
from .source import write_at
from .working_files import reopen


class Worker(BlockReader):
    """Converts blocks, one after the other."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.text)
        self._plan = plan
        self._collisions = NO_COLLISIONS
        self._waiting: dict[int, dict[str, bytes]] = {}
        self._files: dict[str, int] = {}
        self.set_source(None, {}, plan.separator)

    def set_source(self, source: str | None, context: Context, separator: bytes) -> None:
        """Set the detected format (None: the stated one), what the envelope says about the items, and the separator."""
        plan = self._plan
        plan.separator = separator
        if source is not None:
            plan.source = get_format(source)
        options = replace(plan.options, restore=plan.remainder or False)
        self._texts = TextConverter(plan.source, plan.target, options, context=context)
        self._report = plan.report_writer()

    def open(self, files: Mapping[str, tuple[str, os.stat_result]]) -> None:
        """Write to these files from now on: their paths, and which files these have to be."""
        self.close()
        self._files = {name: reopen(path, name, known) for name, (path, known) in files.items()}

    def close(self) -> None:
        """Write no more."""
        for fd in self._files.values():
            os.close(fd)
        self._files = {}

    # one block

    def set_collisions(self, collisions: Collisions) -> None:
        """Set the collisions of the catalogue."""
        if self._plan.remainder is not None:  # what is restored has the name and the flag that it had
            collisions = collisions._replace(aliases={}, not_strict=frozenset())
        self._collisions = collisions

    def records(self, task: Task, numbers: list[int]) -> list[tuple[int, Record | None]]:
        """The records that identify these items of a block."""
        data, spans = self._items_of(task)
        records = self._texts.records(data, [spans[number - task.first] for number in numbers])
        return list(zip(numbers, records, strict=True))

    def convert(self, task: Task) -> TaskResult:
        """Convert a block, and keep the result until `write` says where it goes."""
        data, spans = self._items_of(task)
        if len(spans) != task.items:
            raise ToolbridgeError(f"{self._plan.text.name}: changed while it was read")
        try:
            parts, counted, marks = self._converted(task, data, spans)
        except GroupError:
            raise NotSplittable("its list holds groups of tools") from None
        parts = {name: part for name, part in parts.items() if name in self._plan.writes}
        parts[MARKS] = marks
        self._waiting[task.number] = parts
        return TaskResult(task.number, {name: Piece.of(part) for name, part in parts.items()}, counted)

    def write(self, number: int, places: dict[str, int], lead: bytes) -> int:
        """Write the result of a block to these places, the tools behind `lead`."""
        for name, data in self._waiting.pop(number).items():
            if data and name in self._files:
                write_at(self._files[name], places[name], lead + data if lead and name == OUT else data, name)
        return number

    def _items_of(self, task: Task) -> tuple[bytes, list[Span]]:
        return items_of_block(self._plan.text.at(task.start, task.end), self._plan.wrap)

    def _converted(self, task: Task, data: bytes, spans: list[Span]) -> tuple[dict[str, bytes], Counts, bytes]:
        plan, texts = self._plan, self._texts
        parts_of: list[tuple[list[bytes], Remainder | None]] = []
        if plan.rest is not None:
            depth = plan.options.schemas.limits.depth
            parts_of = block_remainders(plan.rest, task.rest, self._seals(data, spans), depth)
        restored = [before for before, _ in parts_of]
        between = plan.separator or b"\n"
        batch = texts.convert(
            *(data, spans, task.first, self._collisions),
            wrap=plan.wrap,
            between=between,
            remainders=[remainder for _, remainder in parts_of],
        )
        items, parts = batch.items, batch.parts
        if any(restored):
            own = [[] if item.text is None else [item.text] for item in items]
            written = (text for pair in zip_longest(restored, own, fillvalue=()) for each in pair for text in each)
            parts = [part for text in written for part in (text, between)]
        if plan.separator and parts:
            parts.pop()

        def position(n: int) -> int:
            return sum(item.text is not None for item in items[:n]) + sum(map(len, restored[: n + 1]))

        block = _Block(task, data, spans, batch, self._line_of(task, data, spans))
        failures = self._failures(block)
        counted = self._counts(block, failures, position)
        counted.documents, counted.restored = len(batch.documents), sum(map(len, restored))
        counted.written = batch.written + counted.restored
        if batch.documents:
            counted.written_documents = batch.written - sum(1 for _ in batch.tools(task.first))
        counted.unanswered = sorted(texts.unused_fill)
        if has_budget(plan.source, plan.target):
            budget = Budget(plan.target, 0)
            for number, text in batch.tools(task.first):
                budget.add_text(number, text)
            counted.strict, counted.loose = budget.strict, budget.loose
            counted.used, counted.oversized = budget.used, budget.oversized
        outputs = self._reports(block, failures)
        outputs[OUT] = b"".join(parts)
        if plan.options.keep:
            outputs[REMAINDER] = remainder_lines(batch, task.first)
        return outputs, counted, self._marked(batch)

    def _seals(self, data: bytes, spans: list[Span]) -> Iterator[str]:
        """The seals of the items of a block that can be read."""
        plan = self._plan
        items, depth = ItemConverter(plan.source, plan.target), plan.options.schemas.limits.depth
        outer = levels_around(plan.wrap)
        for start, end in spans:
            with suppress(DocumentError):
                yield seal(items.without_remainder(parse_json(data[start:end], depth, outer)[0]))

    def _marked(self, batch: Batch) -> bytes:
        """The marks of the items' names, then those of their identities, if these are not the names."""
        index = BatchIndex(batch, self._plan.target)
        marks = [NO_MARK if each is None else mark(each) for each in (*index.names, *index.identities)]
        return array("Q", marks).tobytes()

    # counts and reports

    def _failures(self, block: _Block) -> list[Failed]:
        wrap = self._plan.wrap
        first = block.task.first
        failures: list[Failed] = []
        for number, error in block.batch.failures:
            notes = block.batch.items[number - first].notes
            code = next((note.code for note in notes if note.code.startswith("TB9")), "TB903")
            failure = as_document_error(error)
            place = failure.pointer
            if wrap is not None and at.is_within(place, f"{wrap}/{number}"):
                place = place.removeprefix(f"{wrap}/{number}")
            line = block.line_of(number - first)
            failures.append(Failed(number, line, place, failure.problem, failure.tool, code))
        return failures

    def _documents(self, block: _Block) -> dict[int, DocumentCounts]:
        """The counts of the lines that are lists or catalogues. Raises ToolbridgeError if the output is one list."""
        items = enumerate(block.batch.items)
        documents = {n: item.document for n, item in items if isinstance(item, Written) and item.document}
        if documents and self._plan.wrap is None and self._plan.separator:
            place = f"{self._plan.text.name}:{block.line_of(min(documents))}"
            raise ToolbridgeError(f"{place}: a list or a catalogue cannot be an item of a JSON list: write JSON Lines")
        return documents

    def _counts(self, block: _Block, failures: list[Failed], position: Callable[[int], int]) -> Counts:
        """The counts of a block. `position` gives the index of an item in the output of the block."""
        documents = self._documents(block)
        notes = [item.notes for item in block.batch.items]
        by_code = dict(Counter(failure.code for failure in failures))
        tools = len(notes) - len(documents)
        counted = Counts(tools, failed_by_code=by_code, failures=failures[:20])
        # Most tools share their losses with others: each list of them is counted once.
        sharing: dict[int, list[int]] = {}
        for n, each in enumerate(notes):
            if each:
                sharing.setdefault(id(each), []).append(n)
        for numbers in sharing.values():
            codes = [note.code for note in notes[numbers[0]]]
            for code in codes:
                counted.codes[code] = counted.codes.get(code, 0) + len(numbers)
            if numbers[0] in documents:
                continue
            if any(code.startswith("TB9") for code in codes):
                counted.refused += len(numbers)
            else:
                counted.lossy += len(numbers)
            for subject in subjects_of(codes):
                counted.tools[subject] = counted.tools.get(subject, 0) + len(numbers)
        counted.lossless = tools - counted.lossy - counted.refused
        for each in documents.values():
            counted.add_document(each)
        for n in sorted(n for numbers in sharing.values() for n in numbers[:FIRST]):
            name = None if n in documents else tool_name(item_value(block.text(n)), self._plan.source)
            if name is not None:
                for subject in subjects_of(note.code for note in notes[n]):
                    add_first(counted.names.setdefault(subject, []), [name])
            for note in notes[n]:
                places = counted.places.setdefault(note.code, [])
                if len(places) < FIRST:
                    number, shown = block.task.first + n, note.source
                    if note.target and (not shown or CODES[note.code].effect == "invented"):
                        number, shown = position(n), f"-> {note.target}"
                    add_first(places, [(number, block.line_of(n), shown)])
        return counted

    def _reports(self, block: _Block, failures: list[Failed]) -> dict[str, bytes]:
        """The text of the report, and that of the items that were left out, if they are asked for."""
        plan, writer = self._plan, self._report
        parts: dict[str, bytes] = {}
        if REPORT in plan.writes:
            errors: dict[int, list[bytes]] = {}
            for failure in failures:
                errors.setdefault(failure.item, []).append(writer.failure(failure))
            lines: list[bytes] = []
            for n, item in enumerate(block.batch.items):
                if item.notes:
                    number = block.task.first + n
                    before = block.text(n)
                    lines.append(writer.losses(item.notes, number, block.line_of(n), before, item.text))
                    lines += errors.get(number, ())
            parts[REPORT] = b"".join(lines)
        if REJECTS in plan.writes:
            left_out = dict.fromkeys(failure.item - block.task.first for failure in failures)
            parts[REJECTS] = b"".join(_on_one_line(block.text(n)) for n in left_out)
        return parts

    def _line_of(self, task: Task, data: bytes, spans: list[Span]) -> Callable[[int], int | None]:
        """The function for the number of the line of an item, which is None in a list."""
        if self._plan.wrap is not None:
            return lambda _: None
        lines = line_breaks(data, spans) + (not data.endswith(b"\n"))
        if lines == len(spans):
            return lambda n: task.line + n
        return lambda n: task.line + data.count(b"\n", 0, spans[n][0])


class _Block(NamedTuple):
    """A block: its task, its text, where its items are, their results, and the function for the line of an item."""

    task: Task
    data: bytes
    spans: list[Span]
    batch: Batch
    line_of: Callable[[int], int | None]

    def text(self, n: int) -> bytes:
        return self.data[slice(*self.spans[n])]


def _on_one_line(text: bytes) -> bytes:
    """The text of an item on one line: outside of strings a line break is space, and none is in a string."""
    return text.replace(b"\r\n", b" ").replace(b"\n", b" ") + b"\n"
