"""A job: the conversion of a catalogue of any size, from file to file, in bounded memory."""

# pathlib would take half as long to import as all the rest of a small conversion:
# ruff: noqa: PTH123

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any, Final, cast
from zlib import crc32

import msgspec

from ... import __version__
from ...conversion.converter import Converter
from ...conversion.detect import kinds_of
from ...conversion.envelope import Envelope
from ...conversion.fill import unanswered_error
from ...data.output import write_out
from ...errors import FormatError, ToolbridgeError
from ...formats.registry import get_format
from ...losses.report import Loss
from ...mapping.record import Record
from . import blocks as apart
from .blocks import Block, Layout, NotABlock, NotSplittable, Span, Splitter
from .collisions import MarkStore, find_collisions
from .envelope import envelope_of, heads_of, home_of, recognised, remainder_spans, samples
from .journal import LEAD
from .output import OutputFiles
from .plan import (
    MARKS,
    OUT,
    REJECTS,
    REMAINDER,
    REPORT,
    JobResult,
    JobSpec,
    Plan,
    ProgressState,
    Task,
    TaskResult,
    folder_of,
    is_file,
)
from .pool import InProcess, Pool, Processes, forks
from .report import Counts, ReportWriter
from .source import Text, open_text, read_at

_TOGETHER: Final = 8
"""The lines of so many parts of a text are counted in one go."""

_encode = msgspec.json.Encoder().encode

SMALL: Final = 32_000_000
"""Up to so many bytes one process is done before others would have begun."""


class Job:
    """A run in the making; `see` is told how far it is."""

    def __init__(self, order: JobSpec, see: Callable[[ProgressState], None] | None = None) -> None:
        self._order = order
        self._see: Callable[[ProgressState], object] = see or _nobody
        self._size = order.block or apart.BLOCK
        self._parts: list[OutputFiles] = []
        self._crew: Pool | None = None
        self._texts: list[Text] = []
        self._marked: MarkStore | None = None
        self.kept = False
        """Whether what was done is there for another run to go on with."""
        self.ending = False
        """Whether all is done, and what was written is on its way to where it belongs."""

    def go(self) -> JobResult:
        """Do it. Raises NotApart where the text has to be looked at as a whole; then nothing has been written."""
        self._order.check()
        try:
            tally = self._all()
        except KeyboardInterrupt:
            self._end(keep=True)
            raise
        except OSError as error:
            self._end(keep=False)
            out = self._order.output
            if out == "-" and isinstance(error, BrokenPipeError):
                raise  # nobody reads on, which is no fault
            raise ToolbridgeError(
                f"cannot write {'standard output' if out == '-' else out}: {_words(error)}"
            ) from error
        except BaseException:
            self._end(keep=False)
            raise
        self._end(keep=False)
        return tally

    def _end(self, *, keep: bool) -> None:
        if self._crew is not None:
            self._crew.close()
        for parts in self._parts:
            if keep and parts.resumable:
                self.kept = parts.keep()
            elif keep and parts.ending:
                parts.leave()
            else:
                parts.discard()
        for each in [*self._texts, *([] if self._marked is None else [self._marked])]:
            each.close()

    def _all(self) -> JobResult:
        order = self._order
        target = get_format(order.to)
        first = OutputFiles(self._paths())
        self._parts.append(first)
        first.check([path for path in (order.name, order.restore) if path is not None and path != "-"])
        rest = None if order.restore is None else open_text(order.restore, None, limits=order.options.limits)
        home = None
        if rest is not None:
            self._texts.append(rest)
            home = home_of(rest)
        if home is not None and isinstance(order.to, str) and "@" not in order.to:
            back = get_format(home.source)
            target = back if back.family == target.family else target
        if target.reads_only:
            raise FormatError(f"{target.id} is an interface, not a tool: it can be read, not written")
        text = order.text
        if text is None:
            text = open_text(
                order.name,
                folder_of(order.output),
                lambda done: self._see(ProgressState(done, 0, None)),
                limits=order.options.limits,
            )
            self._texts.append(text)
        given = order.source or (get_format(home.target) if home is not None else None)
        layout, items = apart.layout(text, given)
        if order.kind is None and any(kind != "tool" for kind in kinds_of(items, given)):
            raise NotSplittable("it holds calls or results")
        try:
            form, ties = recognised(layout, items, given)
        except FormatError:
            form, ties = target, ()  # what comes later may tell
        listed = order.form == "json" if layout.wrap is None else order.form != "jsonl"
        plan = Plan(
            text=text,
            source=form,
            target=target,
            wrap=layout.wrap,
            fill=order.fill,
            refuse=order.refuse,
            options=order.options,
            listed=listed,
            keep=order.remainder is not None,
            writes=tuple(self._paths()),
            rest=rest,
            home=home,
        )
        crew = self._crew = self._hired(plan)
        blocks, end = self._counted(plan, layout, crew)
        document = apart.document_without_items(text, layout, end)
        if given is None:
            # The first tools may have nothing of what later ones say.
            items = [*items, *samples(text, layout, blocks)]
            if order.kind is None and any(kind != "tool" for kind in kinds_of(items, given)):
                raise NotSplittable("it holds calls or results")
            form, ties = recognised(layout, items, given, document)
            plan.source = form
        apart.fits(document, layout, form)
        if home is not None and (home.source, home.target) != (target.id, form.id):
            raise FormatError(
                f"this remainder restores {home.source} from {home.target}, not {target.id} from {form.id}"
            )
        tally = JobResult(
            form.id, target.id, order.source is None, ties, Counts(), packed=text.packed, wrap=layout.wrap
        )
        envelope, losses, head, tail = envelope_of(plan, layout, document, home)
        tally.around, tally.wrap_there = losses, envelope.wrap
        crew.tell_all("about", None if given is not None else form.id, envelope.context(0))
        heads = heads_of(plan, envelope, losses, document, head)
        header = self._header(plan, blocks, layout.head + text.at(end, text.size))
        if order.resume and first.left:
            ended = first.ended(header)
            if ended is not None:
                tally.counted, tally.around = ended.counted, [Loss(*row) for row in ended.around]
                tally.resumed = tally.tools
                return tally
        parts = self._convert(plan, crew, first, blocks, tally, heads=heads, header=header)
        self._finally(plan, parts, tally, envelope, tail)
        text.verify()
        crew.tell_all("close")
        self.ending = True
        if first.targets[OUT] is None:
            self._hand_on(parts, nothing=tally.counted.none)
        parts.finish(first, tally.counted, tally.around)
        return tally

    # what is read

    def _counted(self, plan: Plan, layout: Layout, crew: Pool) -> tuple[list[Block], int]:
        """All blocks of the text, and where its list ends."""
        text, size = plan.text, self._size
        blocks: list[Block] = []
        if layout.wrap is None:
            parts = range(-(-(text.size - layout.begin) // size))
            tasks = ((layout.begin, parts[first : first + _TOGETHER], size) for first in parts[::_TOGETHER])
            for _, found, _ in crew.each("lines", tasks):
                blocks += (block for block in found if block.items or block.lines)
                self._see(ProgressState(found[-1].end, text.size, None))
            return blocks, text.size
        cutter = Splitter(text, layout, size)
        waiting: Span | None = None
        while True:
            wrong: Span | None = None
            with closing(crew.each("items", _cuts(cutter, waiting))) as done:
                for task, block, _ in done:
                    if isinstance(block, NotABlock):
                        wrong = cast("Span", task)
                        break
                    blocks.append(block)
                    self._see(ProgressState(block.end, text.size, None))
            if wrong is None:
                break
            waiting = cutter.again(wrong[0])
        if len(blocks) > 1 and not blocks[-1].items:
            raise ToolbridgeError(f"{text.name}: byte {blocks[-1].start + 1:,}: a comma with nothing behind it")
        return blocks, cutter.end

    def _hired(self, plan: Plan) -> Pool:
        size = plan.text.size
        most = max(-(-size // self._size), 1)
        jobs = self._order.jobs
        if jobs is None:
            jobs = 1 if size < SMALL else _cores()
        if not forks() and (not plan.text.path or plan.text.path.startswith("/dev/fd")):
            jobs = 1  # others could not open what has no name
        jobs = min(jobs, most)
        if jobs <= 1:
            return InProcess(plan)

        def where(method: str, task: tuple[Any, ...]) -> str:
            if method == "convert":
                one: Task = task[0]
                lines = "" if plan.wrap is not None else f", from line {one.line:,}"
                return f"bytes {one.start:,} to {one.end:,}{lines} ({one.items:,} tools from number {one.first:,})"
            if method == "lines":
                begin, numbers, block = task
                return f"bytes {begin + numbers[0] * block:,} to {begin + (numbers[-1] + 1) * block:,}"
            return f"bytes {task[0]:,} to {task[1]:,}" if method == "items" else "its names"

        return Processes(plan, jobs, where)

    # converting

    def _paths(self) -> dict[str, str | None]:
        order = self._order
        more = {REPORT: order.report, REMAINDER: order.remainder, REJECTS: order.rejects}
        out = order.output if is_file(order.output) else None
        return {OUT: out, **{name: path for name, path in more.items() if path is not None}}

    def _header(self, plan: Plan, blocks: list[Block], around: bytes) -> dict[str, Any]:
        """What tells a run from others: it goes on where all of this is the same."""
        order, text = self._order, plan.text
        seen = [[block.start, block.end, block.digest] for block in blocks]
        chosen = {
            "to": plan.target.id,
            "from": plan.source.id,
            "fill": dict(order.fill or {}),
            "refuse": list(order.refuse),
            "schemas": repr(order.options),
            "form": order.form,
            "files": [order.report, order.remainder, order.rejects],
            "restore": None if plan.rest is None else [order.restore, *plan.rest.outer],
            "block": self._size,
        }
        digest = crc32(_encode(seen) + around)
        return {
            "version": __version__,
            "options": chosen,
            "input": {"name": text.name, "size": text.outer[0], "changed": text.outer[1], "digest": digest},
        }

    def _convert(
        self,
        plan: Plan,
        crew: Pool,
        first: OutputFiles,
        blocks: list[Block],
        tally: JobResult,
        *,
        heads: Mapping[str, bytes],
        header: Mapping[str, Any],
    ) -> OutputFiles:
        """Convert all blocks, and those once more whose tools meet others."""
        begin = 0
        if self._order.resume and first.left:
            for entry in first.resume(header, heads):
                tally.counted.add(entry.counted)
                begin = entry.number + 1
            tally.resumed = tally.counted.items
        else:
            first.begin(header, heads)
        crew.tell_all("open", first.places())
        tasks = list(self._tasks(plan, blocks))
        lead = LEAD if plan.listed else b""
        identities = plan.target.identity is not None
        self._marked = marked = MarkStore(first.files[MARKS], [block.items for block in blocks], identities=identities)
        for task, made, who in crew.each("convert", ((task,) for task in tasks[begin:])):
            self._put(crew, first, who, made, lead)
            marked.know(first.whole)
            tally.counted.add(made.counted)
            self._see(ProgressState(task[0].end, plan.text.size, tally.tools))
        crew.after_read()
        first.written(crew.written())
        starts = [task.first for task in tasks]

        def look(numbers: Sequence[int]) -> list[tuple[int, Record | None]]:
            mine: dict[int, list[int]] = {}
            for number in numbers:
                mine.setdefault(bisect_right(starts, number) - 1, []).append(number)
            asked = ((tasks[block], some) for block, some in sorted(mine.items()))
            return [each for _, found, _ in crew.each("readings", asked) for each in found]

        told, numbers = find_collisions(marked, plan.target, look)
        if not numbers:
            return first
        crew.tell_all("marks", told)
        again = {bisect_right(starts, number) - 1 for number in numbers}
        return self._again(crew, first, tally, [tasks[number] for number in sorted(again)], heads=heads, lead=lead)

    def _put(self, crew: Pool, parts: OutputFiles, who: int, made: TaskResult, lead: bytes) -> None:
        places, lead = parts.place(made, lead)
        crew.tell(who, "write", made.number, places, lead)
        parts.written(crew.written())

    def _again(
        self,
        crew: Pool,
        first: OutputFiles,
        tally: JobResult,
        tasks: list[Task],
        *,
        heads: Mapping[str, bytes],
        lead: bytes,
    ) -> OutputFiles:
        """Convert some blocks once more, now that it is known what their tools are called; take the others over."""
        second = OutputFiles(self._paths(), second=True)
        self._parts.append(second)
        second.begin({}, heads)
        crew.tell_all("open", second.places())
        again = {task.number for task in tasks}
        counted = Counts()
        with closing(crew.each("convert", ((task,) for task in tasks))) as done:
            for entry in first.entries_of():
                if entry.number in again:
                    _, made, who = next(done)
                    self._put(crew, second, who, made, lead)
                    counted.add(made.counted)
                else:
                    second.take_over(first, entry, lead)
                    counted.add(entry.counted)
        crew.after_read()
        second.written(crew.written())
        tally.counted = counted
        return second

    def _tasks(self, plan: Plan, blocks: list[Block]) -> Iterator[Task]:
        first, line = 0, 1
        parts = remainder_spans(plan.rest, blocks) if plan.rest is not None else None
        for number, block in enumerate(blocks):
            rest = next(parts) if parts is not None else (0, 0)
            yield Task(number, block.start, block.end, first, line, block.items, rest)
            first += block.items
            line += block.lines

    def _finally(self, plan: Plan, parts: OutputFiles, tally: JobResult, envelope: Envelope, tail: bytes) -> None:
        """What can be said only now that everything is converted."""
        counted, target = tally.counted, plan.target
        if counted.unanswered and counted.items and plan.home is None:
            raise unanswered_error(counted.unanswered, target.id)
        if plan.source is not target and not target.takes(counted.written, lambda: counted.strict):
            run = Converter(plan.source, target, None, False, plan.refuse, "skip")
            run.lose(Loss("TB604", plan.wrap or "", envelope.wrap))
            tally.around += run.losses()
            if REPORT in plan.writes:
                teller = ReportWriter(plan.text.name)
                parts.add(REPORT, b"".join(teller.loss(loss) for loss in run.losses()))
        for loss in tally.around:
            counted.codes[loss.code] = counted.codes.get(loss.code, 0) + 1
        parts.add(OUT, tail)

    def _hand_on(self, parts: OutputFiles, *, nothing: bool) -> None:
        """Give what was written to standard output, or to whoever listens under the name of the output."""
        size, fd = 0 if nothing else parts.ends[OUT], parts.files[OUT]
        pieces = (read_at(fd, start, 1 << 20) for start in range(0, size, 1 << 20))
        if self._order.output == "-":
            write_out(pieces)
        else:
            with open(self._order.output, "wb") as file:
                file.writelines(pieces)


def _nobody(_: ProgressState) -> None:
    """Nobody wants to know how far it is."""


def _cuts(cutter: Splitter, first: Span | None) -> Iterator[Span]:
    """The parts of a list, behind one that is proved already."""
    each = first or cutter.next()
    while each is not None:
        yield each
        each = cutter.next()


def _cores() -> int:
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _words(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
