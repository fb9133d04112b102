"""A worker: converts blocks, in this process or in one of several."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET

from ...conversion.catalogue import catalogue_of
from ...conversion.converter import Converter
from ...conversion.envelope import Context
from ...conversion.item import too_many_failures
from ...conversion.remainder import Remainder
from ...data.patch import seal
from ...data.types import Json, is_object
from ...errors import DocumentError, FormatError, LossError, ToolbridgeError
from ...formats.registry import get_format
from ...losses.report import CODES, Loss
from ...mapping.record import Notes, Record
from ...names import is_legal, legal
from ..batch import Batch, Written
from ..collisions import NOBODY, NOTHING, Marks, mark
from ..layout import items_of, lines_of
from ..text_converter import GroupError, TextConverter, parsed
from .blocks import Block, NotSplittable, Span, line_block, line_breaks, list_block
from .envelope import beside, line, parts
from .plan import MARKS, OUT, REJECTS, REMAINDER, REPORT, Piece, Plan, Task, TaskResult
from .report import FIRST, Counts, ReportWriter, failed_at, first
from .source import write_at
from .working_files import reopen

_encode = msgspec.json.Encoder().encode


class _Item(NamedTuple):
    """What became of one item on the slow road."""

    texts: list[bytes]
    notes: Notes
    reading: Record | None
    rest: bytes = b""


_Each: TypeAlias = "tuple[Any, Notes, int]"


class Worker:
    """Converts blocks. It is used for one after the other, and what it learns of one helps with the next."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._marks = NOTHING
        self._waiting: dict[int, dict[str, bytes]] = {}
        self._files: dict[str, int] = {}
        self._teller = ReportWriter(plan.text.name)
        self._context: Context = {}
        self._lane = self._fresh()
        self._slow = plan.keep or plan.home is not None
        dialect = plan.target.dialect
        self._counts_strict = dialect is not None and dialect.strict_tools is not None
        rule = plan.target.names
        self._fold = rule is not None and rule.fold
        self._answered: set[str] | None = None

    def _fresh(self) -> TextConverter:
        plan = self._plan
        return TextConverter(
            plan.source,
            plan.target,
            fill=plan.fill,
            refuse=plan.refuse,
            options=plan.options,
            context=self._context,
        )

    def about(self, source: str | None, context: Context) -> None:
        """Know what the tools turned out to be (None: what was said), and what is told around them."""
        if source is not None:
            self._plan.source = get_format(source)
        self._context = context
        self._lane = self._fresh()

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
        """How many items there are in a part of a list. Raises Unproved where it is none."""
        return list_block(self._plan.text, start, end)

    def marks(self, told: Marks) -> None:
        """Know from now on what the catalogue says of its items."""
        self._marks = told

    def readings(self, task: Task, numbers: list[int]) -> list[tuple[int, Record | None]]:
        """What tells these items of a block from others."""
        data, spans = self._taken(task)
        found = self._lane.readings(data, [spans[number - task.first] for number in numbers])
        return list(zip(numbers, found, strict=True))

    def convert(self, task: Task) -> TaskResult:
        """Convert a block and keep what it became, until `write` says where that goes."""
        data, spans = self._taken(task)
        if len(spans) != task.items:
            raise ToolbridgeError(f"{self._plan.text.name}: changed while it was read")
        try:
            parts, counted, marks = (self._by_bridge if self._slow else self._by_lane)(task, data, spans)
        except GroupError:
            raise NotSplittable("its list holds groups of tools") from None
        parts = {name: part for name, part in parts.items() if name in self._plan.writes}
        parts[MARKS] = marks
        self._waiting[task.number] = parts
        return TaskResult(task.number, {name: Piece.of(part) for name, part in parts.items()}, counted)

    def write(self, number: int, places: dict[str, int], lead: bytes) -> int:
        """Write what a block became to these places; before the tools stands what parts them from those before."""
        for name, data in self._waiting.pop(number).items():
            if data and name in self._files:
                write_at(self._files[name], places[name], lead + data if lead and name == OUT else data)
        return number

    def _taken(self, task: Task) -> tuple[bytes, list[Span]]:
        data = self._plan.text.at(task.start, task.end)
        return (data, lines_of(data)) if self._plan.wrap is None else items_of(b"[" + data + b"]")

    # by the lane

    def _by_lane(self, task: Task, data: bytes, spans: list[Span]) -> tuple[dict[str, bytes], Counts, bytes]:
        plan, lane = self._plan, self._lane
        between = b",\n" if plan.listed else b"\n"
        done = lane.convert(data, spans, task.first, self._marks, wrap=plan.wrap, between=between)
        if plan.listed and done.parts:
            done.parts.pop()
        each: list[_Each] = [(item, item.notes, n) for n, item in enumerate(done.items)]
        refused = {n for n, item in enumerate(done.items) if isinstance(item, Written) and _refused(item.notes)}

        def position(n: int) -> int:
            return sum(item.text is not None for item in done.items[:n])

        counted, parts = self._told(task, data, spans, each, failures=done.failures, refused=refused, position=position)
        counted.written = done.written
        if self._counts_strict:
            counted.strict = plan.target.strict_among(done.values())
        counted.unanswered = sorted(lane.unanswered)
        parts[OUT] = b"".join(done.parts)
        return parts, counted, self._marked(done)

    def _marked(self, done: Batch) -> bytes:
        """The marks of the items' names, then those of their identities, if the target tells them by more."""
        names, identities = array("Q"), array("Q")
        fold, identity = self._fold, self._plan.target.identity
        for item in done.items:
            if identity is None and not isinstance(item, Written):
                rule = self._plan.target.names
                name = item.name if rule is None or is_legal(item.name, rule) else legal(item.name, rule)
                names.append(mark(name.casefold() if fold else name))
            else:
                self._mark(item.reading, names, identities)
        return names.tobytes() + identities.tobytes()

    def _mark(self, reading: Record | None, names: array[int], identities: array[int]) -> None:
        """The marks of what a tool is called when it crosses alone."""
        target = self._plan.target
        identity, rule = target.identity, target.names
        if reading is None:
            names.append(NOBODY)
            if identity is not None:
                identities.append(NOBODY)
            return
        name: str = reading.fields["name"]
        if rule is not None and not is_legal(name, rule) and name.strip():
            name = legal(name, rule)
        names.append(mark(name.casefold() if self._fold else name))
        if identity is not None:
            identities.append(mark(identity(reading, name)))

    # by the bridge, item by item

    def _by_bridge(self, task: Task, data: bytes, spans: list[Span]) -> tuple[dict[str, bytes], Counts, bytes]:
        rests = None if self._plan.rest is None else self._plan.rest.at(*task.rest)
        parts_of = None if rests is None else parts(rests, self._seals(data, spans), self._plan.options.limits.depth)
        texts: list[bytes] = []
        rest: list[bytes] = []
        alone: list[int] = []
        each: list[_Each] = []
        positions: list[int] = []
        names, identities = array("Q"), array("Q")
        failures: list[tuple[int, ToolbridgeError]] = []
        refused: set[int] = set()
        for n, (start, end) in enumerate(spans):
            before, part = parts_of[n] if parts_of is not None else ([], None)
            made = self._one(data[start:end], task.first + n, part, failures)
            if len(failures) > self._plan.options.limits.failures:
                raise too_many_failures(failures[0][1], self._plan.options.limits)
            texts += before
            positions.append(len(texts))
            texts += made.texts
            rest.append(made.rest)
            if made.rest and not made.texts:
                alone.append(n)
            elif alone and made.texts:
                beside(rest, alone, made.texts[0])
            each.append((None, made.notes, n))
            self._mark(made.reading, names, identities)
            if _refused(made.notes):
                refused.add(n)
        if parts_of is not None:
            texts += parts_of[len(spans)][0]
        counted, made_of = self._told(
            task, data, spans, each, failures=failures, refused=refused, position=positions.__getitem__
        )
        counted.written = len(texts)
        counted.restored = sum(len(before) for before, _ in parts_of or ())
        if self._counts_strict:
            counted.strict = self._plan.target.strict_among(map(msgspec.json.decode, texts))
        counted.unanswered = None if self._answered is None else sorted(self._answered)
        made_of[OUT] = (b",\n" if self._plan.listed else b"\n").join(texts)
        if texts and not self._plan.listed:
            made_of[OUT] += b"\n"
        made_of[REMAINDER] = b"".join(rest)
        return made_of, counted, names.tobytes() + identities.tobytes()

    def _seals(self, data: bytes, spans: list[Span]) -> Iterator[str]:
        """The seals of the items of a block that can be read."""
        for start, end in spans:
            with suppress(DocumentError):
                yield seal(self._run(False).bare(parsed(data[start:end], 1, self._plan.options.limits.depth)[0]))

    def _one(
        self, text: bytes, number: int, part: Remainder | None, failures: list[tuple[int, ToolbridgeError]]
    ) -> _Item:
        plan = self._plan
        place = "" if plan.wrap is None else f"{plan.wrap}/{number}"
        try:
            document, twice = parsed(
                text, 0 if plan.wrap is None else plan.wrap.count("/") + 1, plan.options.limits.depth
            )
        except DocumentError as error:
            failures.append((number, error.at(place, number)))
            return _Item([], [("TB903", "", None)], None)
        if plan.wrap is None and (not is_object(document) or catalogue_of(document, plan.source).shape != "tool"):
            return self._whole(document, twice, number, part, failures)
        group = plan.source.group
        if plan.wrap is not None and group is not None and is_object(document) and group(document) is not None:
            raise GroupError
        run = self._run(plan.home or False)
        item = run.open(document, place, number, self._context)
        before = [("TB002", each) for each in twice]
        if item.reading is not None:
            if number in self._marks.repeated:
                before.append(("TB003", item.reading.places["name"]))
            item.reading.apart = number in self._marks.apart
        for code, each in before:
            run.lose(Loss(code, place + each, None, number))
        run.batches.clear()
        value = run.cross(item, self._marks.called, part, "")
        notes: Notes = [(code, each, None) for code, each in before]
        for _, _, _, more in run.batches:
            notes += dict.fromkeys(more)
        failures += ((number, failure) for failure in run.failures)
        mine = set(run.unanswered)
        self._answered = mine if self._answered is None else self._answered & mine
        rest = line(run.rest()) if plan.keep else b""
        if value is UNSET:
            return _Item([], notes, item.reading, rest)
        return _Item([_encode(value)], notes, item.reading, rest)

    def _whole(
        self,
        document: Json,
        twice: list[str],
        number: int,
        part: Remainder | None,
        failures: list[tuple[int, ToolbridgeError]],
    ) -> _Item:
        """A line that is a list, or a catalogue: a document of its own."""
        plan = self._plan
        run = self._run(part or False)
        try:
            value = run.run(document, twice)
        except FormatError:
            raise
        except Exception as error:  # noqa: BLE001 - one line that is too much is no reason to lose the others
            known = isinstance(error, (DocumentError, LossError))
            failure = error if known else run.fault(document, "", number, error)
            failures.append((number, failure))
            code = "TB903" if known or not isinstance(failure, LossError) else failure.report[0].code
            left = Remainder(source=plan.source.id, target=plan.target.id, left_out=document)
            return _Item([], [(code, "", None)], None, line(left) if plan.keep else b"")
        failures += ((number, failure) for failure in run.failures)
        notes: Notes = [(loss.code, "^" + loss.source, loss.target) for loss in run.losses()]
        return _Item([_encode(value)], notes, None, line(run.remainder) if plan.keep else b"")

    def _run(self, restore: Remainder | bool) -> Converter:
        plan = self._plan
        return Converter(
            plan.source, plan.target, plan.fill, restore, plan.refuse, "skip", False, plan.keep, plan.options
        )

    # what is told of it

    def _told(
        self,
        task: Task,
        data: bytes,
        spans: list[Span],
        each: list[_Each],
        *,
        failures: list[tuple[int, ToolbridgeError]],
        refused: set[int],
        position: Callable[[int], int],
    ) -> tuple[Counts, dict[str, bytes]]:
        """What is counted, and the report and the rejects.

        `position` tells where in the output of the block an item stands.
        """
        plan, teller = self._plan, self._teller
        line_of = self._line_of(task, data, spans)
        base = "" if plan.wrap is None else f"{plan.wrap}/"
        failed = [failed_at(error, n, line_of(n - task.first), f"{base}{n}" if base else "") for n, error in failures]
        counted = Counts(len(each), failed=len(failed), failures=failed[:20])
        alike: dict[int, tuple[Notes, list[int]]] = {}
        lossless = 0
        for _, notes, n in each:
            if not notes:
                lossless += 1
                continue
            known = alike.get(id(notes))
            if known is None:
                alike[id(notes)] = notes, [n]
            else:
                known[1].append(n)
        counted.lossless, counted.refused = lossless, len(refused)
        counted.lossy = len(each) - lossless - len(refused)
        for notes, numbers in sorted(alike.values(), key=lambda alike: alike[1][0]):
            for code in (code for code, _, _ in notes):
                counted.codes[code] = counted.codes.get(code, 0) + len(numbers)
        early = sorted((n, notes) for notes, numbers in alike.values() for n in numbers[:FIRST])
        for n, notes in early:
            for code, place, there in notes:
                places = counted.places.setdefault(code, [])
                if len(places) < FIRST:
                    number, shown = task.first + n, place
                    if there and (not shown or CODES[code].effect == "invented"):
                        number, shown = position(n), f"-> {there}"
                    first(places, [(number, line_of(n), shown)])
        parts: dict[str, bytes] = {}
        if REPORT in plan.writes:
            why: dict[int, list[bytes]] = {}
            for failure in failed:
                why.setdefault(failure.item, []).append(teller.failure(failure))
            told: list[bytes] = []
            losses, quick = teller.losses, line_of
            for _, notes, n in each:
                if notes:
                    told.append(losses(notes, task.first + n, quick(n)))
                    if why:
                        told += why.get(task.first + n, ())
            parts[REPORT] = b"".join(told)
        if REJECTS in plan.writes:
            parts[REJECTS] = b"".join(
                _as_it_stood(data, spans[n - task.first]) for n in dict.fromkeys(n for n, _ in failures)
            )
        return counted, parts

    def _line_of(self, task: Task, data: bytes, spans: list[Span]) -> Callable[[int], int | None]:
        """Tells on which line an item stands, where the text is JSON Lines."""
        if self._plan.wrap is not None:
            return lambda _: None
        lines = line_breaks(data, spans) + (not data.endswith(b"\n"))
        if lines == len(spans):
            return lambda n: task.line + n
        return lambda n: task.line + data.count(b"\n", 0, spans[n][0])


def _refused(notes: Notes) -> bool:
    return any(code.startswith("TB9") for code, _, _ in notes)


def _as_it_stood(data: bytes, span: Span) -> bytes:
    """The text of an item on one line: outside of strings a line break is space, and none is in a string."""
    return data[slice(*span)].replace(b"\r\n", b" ").replace(b"\n", b" ") + b"\n"
