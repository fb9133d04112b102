"""A worker: converts blocks, in this process or in one of several."""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from ...conversion.budget import Budget, has_budget
from ...conversion.catalogue import catalogue_of
from ...conversion.converter import Converter
from ...conversion.envelope import Context
from ...conversion.item import name_in
from ...conversion.item_converter import too_many_failures
from ...conversion.remainder import Remainder
from ...data.json_decoder import decode_json, encode_json
from ...data.json_text import BOM
from ...data.patch import seal
from ...data.types import Json, is_object
from ...errors import DocumentError, ToolbridgeError
from ...formats.registry import get_format
from ...losses.digest import subjects_of
from ...losses.note import Note
from ...losses.report import CODES
from ...mapping.record import Record
from ..batch import Batch, DocumentCounts, Written
from ..collisions import NO_COLLISIONS, NO_MARK, Collisions, comparable, legal_name, mark
from ..layout import items_of_block, lines_of
from ..text_converter import GroupError, Span, TextConverter, converted_document, parsed
from .blocks import Block, NotSplittable, line_block, line_breaks, list_block
from .envelope import block_remainders, line, set_next_seal
from .plan import MARKS, OUT, REJECTS, REMAINDER, REPORT, Piece, Plan, Task, TaskResult
from .report import FIRST, Counts, Failed, add_first, failed_at
from .source import write_at
from .working_files import reopen


class _Item(NamedTuple):
    """The result of one item: the written texts, the losses, the record that identifies it, and its remainder."""

    texts: list[bytes]
    notes: list[Note]
    record: Record | None
    remainder: bytes = b""
    document: DocumentCounts | None = None


class Worker:
    """Converts blocks, one after the other."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._collisions = NO_COLLISIONS
        self._waiting: dict[int, dict[str, bytes]] = {}
        self._files: dict[str, int] = {}
        self._context: Context = {}
        self._texts = self._text_converter()
        self._report = plan.report_writer()
        self._restores = plan.options.keep or plan.remainder is not None
        self._unused_fill: set[str] | None = None

    def _text_converter(self) -> TextConverter:
        plan = self._plan
        return TextConverter(plan.source, plan.target, plan.options, context=self._context)

    def set_source(self, source: str | None, context: Context, separator: bytes) -> None:
        """Set the detected format (None: the stated one), what the envelope says about the items, and the separator."""
        self._plan.separator = separator
        if source is not None:
            self._plan.source = get_format(source)
        self._context = context
        self._texts = self._text_converter()
        self._report = self._plan.report_writer()

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

    def lines(self, begin: int, numbers: Sequence[int], size: int) -> list[Block]:
        """How many lines there are in some parts of the text."""
        return [line_block(self._plan.text, begin, number, size) for number in numbers]

    def items(self, start: int, end: int) -> Block:
        """The block of the items in a part of a list. Raises NotABlock if it is not a block."""
        return list_block(self._plan.text, start, end)

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
            parts, counted, marks = (self._with_remainders if self._restores else self._converted)(task, data, spans)
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
                write_at(self._files[name], places[name], lead + data if lead and name == OUT else data)
        return number

    def _items_of(self, task: Task) -> tuple[bytes, list[Span]]:
        data = self._plan.text.at(task.start, task.end)
        return (data, lines_of(data)) if self._plan.wrap is None else items_of_block(b"[" + data + b"]")

    # without remainders

    def _converted(self, task: Task, data: bytes, spans: list[Span]) -> tuple[dict[str, bytes], Counts, bytes]:
        plan, texts = self._plan, self._texts
        between = plan.separator or b"\n"
        batch = texts.convert(data, spans, task.first, self._collisions, wrap=plan.wrap, between=between)
        if plan.separator and batch.parts:
            batch.parts.pop()
        notes = [item.notes for item in batch.items]

        def position(n: int) -> int:
            return sum(item.text is not None for item in batch.items[:n])

        block = _Block(task, data, spans, self._line_of(task, data, spans))
        failures = self._failures(block, batch.failures, notes)
        documents = {
            n: item.document for n, item in enumerate(batch.items) if isinstance(item, Written) and item.document
        }
        self._check_lines(block, documents)
        counted = self._counts(block, notes, failures, documents, position)
        counted.documents, counted.written = len(batch.documents), batch.written
        numbered = (
            (task.first + n, item.text)
            for n, item in enumerate(batch.items)
            if item.text is not None and task.first + n not in batch.documents
        )
        self._count_limits(counted, numbered)
        counted.unanswered = sorted(texts.unused_fill)
        parts = self._reports(block, notes, failures, [item.text for item in batch.items])
        parts[OUT] = b"".join(batch.parts)
        return parts, counted, self._marked(batch)

    def _marked(self, batch: Batch) -> bytes:
        """The marks of the items' names, then those of their identities, if these are not the names."""
        names, identities = array("Q"), array("Q")
        target = self._plan.target
        identity = target.identity
        for item in batch.items:
            if identity is None and not isinstance(item, Written):
                names.append(mark(comparable(legal_name(item.name, target), target)))
            else:
                self._mark(item.record, names, identities)
        return names.tobytes() + identities.tobytes()

    def _mark(self, record: Record | None, names: array[int], identities: array[int]) -> None:
        """Add the marks of the name and the identity that a tool has when it is converted alone."""
        target = self._plan.target
        identity = target.identity
        if record is None:
            names.append(NO_MARK)
            if identity is not None:
                identities.append(NO_MARK)
            return
        name = legal_name(record.fields["name"], target)
        names.append(mark(comparable(name, target)))
        if identity is not None:
            identities.append(mark(identity(record, name)))

    # with remainders, item by item

    def _with_remainders(self, task: Task, data: bytes, spans: list[Span]) -> tuple[dict[str, bytes], Counts, bytes]:
        plan = self._plan
        limits = plan.options.schemas.limits
        parts_of = None
        if plan.rest is not None:
            parts_of = block_remainders(plan.rest, task.rest, self._seals(data, spans), limits.depth)
        texts: list[bytes] = []
        remainders: list[bytes] = []
        alone: list[int] = []
        notes: list[list[Note]] = []
        written_texts: list[bytes | None] = []
        positions: list[int] = []
        numbered: list[tuple[int, bytes]] = []
        names, identities = array("Q"), array("Q")
        documents: dict[int, DocumentCounts] = {}
        errors: list[tuple[int, ToolbridgeError]] = []
        for n, (start, end) in enumerate(spans):
            before, part = parts_of[n] if parts_of is not None else ([], None)
            item = self._item(data[start:end], task.first + n, part, errors)
            if len(errors) > limits.failures:
                raise too_many_failures(errors[0][1], limits)
            texts += before
            positions.append(len(texts))
            texts += item.texts
            numbered += ((task.first + n, text) for text in item.texts)
            remainders.append(item.remainder)
            if item.remainder and not item.texts:
                alone.append(n)
            elif alone and item.texts:
                set_next_seal(remainders, alone, item.texts[0])
            notes.append(item.notes)
            if item.document is not None:
                documents[n] = item.document
            written_texts.append(item.texts[0] if item.texts else None)
            self._mark(item.record, names, identities)
        if parts_of is not None:
            texts += parts_of[len(spans)][0]
        block = _Block(task, data, spans, self._line_of(task, data, spans))
        failures = self._failures(block, errors, notes)
        self._check_lines(block, documents)
        counted = self._counts(block, notes, failures, documents, positions.__getitem__)
        counted.written = len(texts)
        counted.restored = sum(len(before) for before, _ in parts_of or ())
        self._count_limits(counted, numbered)
        counted.unanswered = None if self._unused_fill is None else sorted(self._unused_fill)
        written = self._reports(block, notes, failures, written_texts)
        written[OUT] = (plan.separator or b"\n").join(texts)
        if texts and not plan.separator:
            written[OUT] += b"\n"
        written[REMAINDER] = b"".join(remainders)
        return written, counted, names.tobytes() + identities.tobytes()

    def _seals(self, data: bytes, spans: list[Span]) -> Iterator[str]:
        """The seals of the items of a block that can be read."""
        items, depth = self._converter(restore=False).item_converter, self._plan.options.schemas.limits.depth
        for start, end in spans:
            with suppress(DocumentError):
                yield seal(items.without_remainder(parsed(data[start:end], 1, depth)[0]))

    def _item(
        self, text: bytes, number: int, part: Remainder | None, failures: list[tuple[int, ToolbridgeError]]
    ) -> _Item:
        plan = self._plan
        place = "" if plan.wrap is None else f"{plan.wrap}/{number}"
        depth = plan.options.schemas.limits.depth
        try:
            document, duplicates = parsed(text, 0 if plan.wrap is None else plan.wrap.count("/") + 1, depth)
        except DocumentError as error:
            failures.append((number, error.at(place, number)))
            return _Item([], [Note("TB903", "")], None)
        if plan.wrap is None and (not is_object(document) or catalogue_of(document, plan.source).shape != "tool"):
            return self._document(document, duplicates, number, part, failures)
        if plan.wrap is not None and is_object(document) and plan.source.is_group(document):
            raise GroupError
        converter = self._converter(restore=plan.remainder or False)
        items = converter.item_converter
        value, notes, record = self._texts.converted_item(
            items, document, duplicates, number, place=place, collisions=self._collisions, remainder=part
        )
        failures += ((number, failure) for failure in items.failures)
        self._note_unused(items.unused_fill)
        remainder = line(converter.item_remainder()) if plan.options.keep else b""
        texts = [] if value is UNSET else [encode_json(value)]
        return _Item(texts, notes, record, remainder)

    def _document(
        self,
        document: Json,
        duplicates: list[str],
        number: int,
        part: Remainder | None,
        failures: list[tuple[int, ToolbridgeError]],
    ) -> _Item:
        """A line that is a list or a catalogue: a document of its own."""
        plan = self._plan
        keep = plan.options.keep
        options = replace(plan.options, restore=part or False)
        done = converted_document(plan.source, plan.target, options, document, duplicates, number)
        failures += ((number, error) for error in done.failures)
        self._note_unused(done.unused_fill)
        if done.value is UNSET:
            left = Remainder(source=plan.source.id, target=plan.target.id, left_out=document)
            return _Item([], done.notes, None, line(left) if keep else b"")
        remainder = line(done.converter.remainder) if keep else b""
        counts = DocumentCounts.of(done.converter, document)
        return _Item([encode_json(done.value)], done.notes, None, remainder, counts)

    def _note_unused(self, places: AbstractSet[str]) -> None:
        """Note the places of `fill` that the tools of a line lack."""
        self._unused_fill = {*places} if self._unused_fill is None else self._unused_fill & places

    def _converter(self, *, restore: Remainder | bool) -> Converter:
        plan = self._plan
        return Converter(plan.source, plan.target, replace(plan.options, restore=restore))

    # counts and reports

    def _failures(
        self, block: _Block, errors: list[tuple[int, ToolbridgeError]], notes: list[list[Note]]
    ) -> list[Failed]:
        wrap = self._plan.wrap
        first = block.task.first
        failures: list[Failed] = []
        for number, error in errors:
            code = next((note.code for note in notes[number - first] if note.code.startswith("TB9")), "TB903")
            base = "" if wrap is None else f"{wrap}/{number}"
            failures.append(failed_at(error, code, number, block.line_of(number - first), base))
        return failures

    def _check_lines(self, block: _Block, documents: Mapping[int, DocumentCounts]) -> None:
        """Raises ToolbridgeError for a line that is a list or a catalogue, if the output is one list of tools."""
        if documents and self._plan.wrap is None and self._plan.separator:
            place = f"{self._plan.text.name}:{block.line_of(min(documents))}"
            raise ToolbridgeError(f"{place}: a list or a catalogue cannot be an item of a JSON list: write JSON Lines")

    def _counts(
        self,
        block: _Block,
        notes: list[list[Note]],
        failures: list[Failed],
        documents: Mapping[int, DocumentCounts],
        position: Callable[[int], int],
    ) -> Counts:
        """The counts of a block. `position` gives the index of an item in the output of the block."""
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
            if n not in documents and (name := self._name_of(block, n)) is not None:
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

    def _name_of(self, block: _Block, n: int) -> str | None:
        """The name of an item of a block."""
        try:
            text = block.data[slice(*block.spans[n])].removeprefix(BOM)
            return name_in(decode_json(text), self._plan.source.tool)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def _count_limits(self, counted: Counts, texts: Iterable[tuple[int, bytes]]) -> None:
        """Count what written tools use of the limits of the vendor over all tools; each text with its number."""
        source, target = self._plan.source, self._plan.target
        if has_budget(source, target):
            budget = Budget(target, 0)
            for number, text in texts:
                budget.add_text(number, text)
            counted.strict, counted.loose = budget.strict, budget.loose
            counted.used, counted.oversized = budget.used, budget.oversized

    def _reports(
        self, block: _Block, notes: list[list[Note]], failures: list[Failed], written: Sequence[bytes | None]
    ) -> dict[str, bytes]:
        """The text of the report, and that of the items that were left out, if they are asked for."""
        plan, writer = self._plan, self._report
        parts: dict[str, bytes] = {}
        if REPORT in plan.writes:
            errors: dict[int, list[bytes]] = {}
            for failure in failures:
                errors.setdefault(failure.item, []).append(writer.failure(failure))
            lines: list[bytes] = []
            for n, each in enumerate(notes):
                if each:
                    number = block.task.first + n
                    before = block.data[slice(*block.spans[n])]
                    lines.append(writer.losses(each, number, block.line_of(n), before, written[n]))
                    lines += errors.get(number, ())
            parts[REPORT] = b"".join(lines)
        if REJECTS in plan.writes:
            left_out = dict.fromkeys(failure.item - block.task.first for failure in failures)
            parts[REJECTS] = b"".join(_on_one_line(block.data[slice(*block.spans[n])]) for n in left_out)
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
    """A block: its task, its text, where its items are, and the function for the line of an item."""

    task: Task
    data: bytes
    spans: list[Span]
    line_of: Callable[[int], int | None]


def _on_one_line(text: bytes) -> bytes:
    """The text of an item on one line: outside of strings a line break is space, and none is in a string."""
    return text.replace(b"\r\n", b" ").replace(b"\n", b" ") + b"\n"
