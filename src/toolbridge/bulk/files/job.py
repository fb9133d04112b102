"""A job: the conversion of a catalogue of any size, from file to file, in bounded memory."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from tempfile import gettempdir
from typing import Any, Final
from zlib import crc32

from msgspec.structs import asdict, replace

from ... import __version__
from ...conversion.budget import Budget
from ...conversion.detect import kinds_of
from ...conversion.envelope import Envelope
from ...conversion.fill import unused_fill_error
from ...conversion.item_converter import ItemConverter
from ...conversion.remainder import Remainder, check_formats, format_named
from ...data.json_decoder import encode_json
from ...data.output import write_out, write_stream
from ...data.types import Json
from ...errors import FormatError, ToolbridgeError, is_broken_pipe, reason
from ...formats.registry import get_format
from ...losses.loss import CatalogueLoss, Loss
from ...mapping.format import Format
from ...mapping.record import Record
from ..collisions import Collisions, find_collisions
from . import blocks as splitting
from .blocks import Block, NotSplittable
from .collisions import MarkStore
from .envelope import envelope_of, heads_of, recognised, remainder_spans, samples, whole_remainder
from .journal import Ended
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
from .pool import InProcess, Pool, Processes, can_start, find_blocks, tasks_of
from .report import Counts
from .source import Text, open_text, parts_of
from .worker import Worker

SMALL: Final = 32_000_000
"""Up to this size, in bytes, one process is faster than several."""


_MOST_ON_WINDOWS: Final = 30
"""The largest number of processes there: Python waits for at most 63 handles, two of each process, until 3.12, and not
for all of more than 60 since then (https://github.com/python/cpython/pull/156071, checked 2026-11-29)."""


class Job:
    """The conversion of one file.

    Attributes:
        kept: Whether the working files are kept, so that another job can resume.
        ending: Whether all is converted, and the files get their names.
    """

    def __init__(self, spec: JobSpec, progress: Callable[[ProgressState], None] | None = None) -> None:
        self._spec = spec
        self._progress: Callable[[ProgressState], object] = progress or (lambda _: None)
        self._size = spec.block or splitting.BLOCK
        self._parts: list[OutputFiles] = []
        self._pool: Pool | None = None
        self._texts: list[Text] = []
        self._budget: tuple[Budget, list[str], frozenset[int]] | None = None
        self.kept = False
        self.ending = False

    def run(self) -> JobResult:
        """Run the job. Raises NotSplittable if the text has to be converted as a whole; nothing is written then."""
        self._spec.check()
        try:
            result = self._run()
        except KeyboardInterrupt:
            self._end(keep=True)
            raise
        except OSError as error:
            self._end(keep=False)
            out = self._spec.output
            if out == "-" and is_broken_pipe(error):
                raise  # the reader has closed the pipe, which is no error
            path = self._paths().get(str(error.filename)) or out
            what = f"write {'standard output' if path == '-' else path}"
            if not is_file(path) and not self.ending:  # it is a temporary file until then
                what = f"store the output in {gettempdir()}"
            raise ToolbridgeError(f"cannot {what}: {reason(error)}") from error
        except BaseException:
            self._end(keep=False)
            raise
        self._end(keep=False)
        return result

    def _end(self, *, keep: bool) -> None:
        if self._pool is not None:
            self._pool.close()
        for parts in self._parts:
            if keep and parts.resumable:
                self.kept = parts.keep()
            elif keep and parts.ending:
                parts.close()
            else:
                parts.discard()
        for text in self._texts:
            text.close()

    def _run(self) -> JobResult:
        spec = self._spec
        first = OutputFiles(self._paths())
        self._parts.append(first)
        first.check([path for path in (spec.name, spec.restore) if path is not None and path != "-"])
        rest = None if spec.restore is None else self._open(spec.restore, None)
        remainder = None if rest is None else whole_remainder(rest)
        target = self._target(remainder)
        text = spec.text or self._open(spec.name, folder_of(spec.output))
        given = spec.source or (format_named(remainder.target) if remainder is not None else None)
        layout, items = splitting.layout(text, given)
        self._check_kinds(items, given)
        try:
            form, ties = recognised(layout, items, given)
        except FormatError:
            form, ties = target, ()  # later items may decide
        plan = Plan(
            text=text,
            source=form,
            target=target,
            wrap=layout.wrap,
            options=replace(spec.options, keep=spec.remainder is not None),
            separator=spec.separator(layout.wrap),
            writes=tuple(self._paths()),
            rest=rest,
            remainder=remainder,
        )
        pool = self._pool = self._new_pool(plan)
        blocks, end = find_blocks(text, layout, pool, self._size, self._progress)
        document = splitting.document_without_items(text, layout, end)
        if given is None:
            # The first tools may lack what identifies a format.
            items = [*items, *samples(text, layout, blocks)]
            self._check_kinds(items, given)
            form, ties = recognised(layout, items, given, document)
            plan.source = form
        splitting.fits(document, layout, form)
        if remainder is not None:
            check_formats(remainder, form, target)
        result = JobResult(form.id, target.id, given is None, ties, Counts(), packed=text.packed, wrap=layout.wrap)
        envelope, losses, head, tail = envelope_of(plan, layout, document, remainder)
        result.catalogue_losses, result.target_wrap = losses, envelope.wrap
        pool.broadcast("set_source", None if given is not None else form.id, envelope.context(0), plan.separator)
        heads = heads_of(plan, envelope, losses, document, head)
        header = self._header(plan, blocks, layout.head + text.at(end, text.size))
        if spec.resume and first.has_earlier_run:
            ended = first.ended(header)
            if ended is not None:
                return _of_ended(result, ended)
        parts = self._convert(plan, pool, first, blocks, result, heads=heads, header=header)
        self._finish(plan, parts, result, envelope, tail)
        text.verify()
        pool.close()  # Windows renames no file that is open, and replaces none, such as the input
        self._pool = None
        text.close()
        self.ending = True
        if first.targets[OUT] is None:
            self._write_out(parts, nothing=result.counted.none)
        parts.finish(first, result.counted, result.catalogue_losses)
        return result

    # what is read

    def _check_kinds(self, items: list[Json], source: Format | None) -> None:
        """Raises NotSplittable if some of these items are no tools, and no kind is stated."""
        if self._spec.kind is None and any(kind != "tool" for kind in kinds_of(items, source)):
            raise NotSplittable("it holds calls or results")

    def _open(self, name: str, folder: str | None) -> Text:
        limits = self._spec.options.schemas.limits
        text = open_text(name, folder, lambda done: self._progress(ProgressState(done, 0, None)), limits=limits)
        self._texts.append(text)
        return text

    def _target(self, remainder: Remainder | None) -> Format:
        """The target format: the edition that the remainder restores, if only its family is named."""
        to = self._spec.to
        target = get_format(to)
        if remainder is not None and isinstance(to, str) and "@" not in to:
            back = format_named(remainder.source)
            target = back if back.family == target.family else target
        if target.reads_only:
            raise FormatError(f"{target.id} can be read, not written")
        return target

    def _new_pool(self, plan: Plan) -> Pool:
        size = plan.text.size
        most = max(-(-size // self._size), 1)
        jobs = self._spec.jobs
        if jobs is None:
            jobs = 1 if size < SMALL else _cores()
        jobs = min(jobs, most, _MOST_ON_WINDOWS if os.name == "nt" else jobs)
        if jobs > 1 and not can_start(text for text in (plan.text, plan.rest) if text is not None):
            jobs = 1
        if jobs <= 1:
            return InProcess(Worker(plan))

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
        spec = self._spec
        more = {REPORT: spec.report, REMAINDER: spec.remainder, REJECTS: spec.rejects}
        out = spec.output if is_file(spec.output) else None
        return {OUT: out, **{name: path for name, path in more.items() if path is not None}}

    def _header(self, plan: Plan, blocks: list[Block], around: bytes) -> dict[str, Any]:
        """What identifies a job: one with the same header can be resumed."""
        spec, text = self._spec, plan.text
        seen = [[block.start, block.end, block.digest] for block in blocks]
        others = asdict(spec.options) | asdict(spec.options.schemas)
        chosen = {
            **{name: repr(value) for name, value in others.items() if name not in ("fill", "key", "schemas")},
            "to": plan.target.id,
            "from": plan.source.id,
            "fill": dict(spec.options.fill or {}),
            "format": spec.form,
            "separator": plan.separator.decode(),
            "report": spec.report,
            "remainder": spec.remainder,
            "rejects": spec.rejects,
            "restore": None if plan.rest is None else [spec.restore, *plan.rest.outer],
            "block": self._size,
        }
        digest = crc32(encode_json(seen) + around)
        return {
            "version": __version__,
            "options": chosen,
            "input": {"name": text.name, "size": text.outer[0], "changed": text.outer[1], "digest": digest},
        }

    def _convert(
        self,
        plan: Plan,
        pool: Pool,
        first: OutputFiles,
        blocks: list[Block],
        result: JobResult,
        *,
        heads: Mapping[str, bytes],
        header: Mapping[str, Any],
    ) -> OutputFiles:
        """Convert all blocks, and again those with tools whose names collide with others."""
        begin = 0
        if self._spec.resume and first.has_earlier_run:
            for entry in first.resume(header, heads):
                result.counted.add(entry.counted)
                begin = entry.number + 1
            result.resumed = result.counted.items
        else:
            first.begin(header, heads)
        pool.broadcast("open", first.places())
        tasks = tasks_of(blocks, None if plan.rest is None else remainder_spans(plan.rest, blocks))
        for task, done, worker in pool.run("convert", ((task,) for task in tasks[begin:])):
            self._send_write(pool, first, worker, done, plan.separator)
            result.counted.add(done.counted)
            self._progress(ProgressState(task[0].end, plan.text.size, result.tools))
        pool.wait()
        first.written(pool.written())
        identities = plan.target.identity is not None
        marked = MarkStore(first.files[MARKS], [block.items for block in blocks], identities=identities)
        collisions, again = self._collisions(plan, pool, tasks, marked, result.counted)
        if not again:
            return first
        pool.broadcast("set_collisions", collisions)
        return self._convert_again(pool, first, result, again, heads=heads, lead=plan.separator)

    def _collisions(
        self, plan: Plan, pool: Pool, tasks: list[Task], marked: MarkStore, counted: Counts
    ) -> tuple[Collisions, list[Task]]:
        """The collisions of the catalogue, and the blocks that have tools which they concern."""
        starts = [task.first for task in tasks]

        def records(numbers: Sequence[int]) -> list[tuple[int, Record | None]]:
            by_block: dict[int, list[int]] = {}
            for number in numbers:
                by_block.setdefault(bisect_right(starts, number) - 1, []).append(number)
            requests = ((tasks[block], some) for block, some in sorted(by_block.items()))
            return [each for _, found, _ in pool.run("records", requests) for each in found]

        collisions, numbers = find_collisions(marked, plan.target, records)
        if plan.source is not plan.target and plan.remainder is None:
            count = sum(task.items for task in tasks) - counted.documents
            budget = Budget(plan.target, count, counted.strict, counted.used, counted.oversized, counted.loose)
            excess = budget.excess()
            not_strict = sorted({*excess, *budget.oversized})
            found = records(not_strict) if not_strict else []
            self._budget = budget, [record.fields["name"] for _, record in found if record is not None], excess
            collisions, numbers = collisions._replace(not_strict=excess), [*numbers, *excess]
        return collisions, [tasks[block] for block in sorted({bisect_right(starts, number) - 1 for number in numbers})]

    def _send_write(self, pool: Pool, parts: OutputFiles, worker: int, done: TaskResult, lead: bytes) -> None:
        places, lead = parts.place(done, lead)
        pool.send(worker, "write", done.number, places, lead)
        parts.written(pool.written())

    def _convert_again(
        self,
        pool: Pool,
        first: OutputFiles,
        result: JobResult,
        tasks: list[Task],
        *,
        heads: Mapping[str, bytes],
        lead: bytes,
    ) -> OutputFiles:
        """Convert some blocks again, with the new names of their tools, and copy the others."""
        second = OutputFiles(self._paths(), second=True)
        self._parts.append(second)
        second.begin({}, heads)
        pool.broadcast("open", second.places())
        again = {task.number for task in tasks}
        counted = Counts()
        with closing(pool.run("convert", ((task,) for task in tasks))) as results:
            for entry in first.entries_of():
                if entry.number in again:
                    _, done, worker = next(results)
                    self._send_write(pool, second, worker, done, lead)
                    counted.add(done.counted)
                else:
                    second.take_over(first, entry, lead)
                    counted.add(entry.counted)
        pool.wait()
        second.written(pool.written())
        result.counted = counted
        return second

    def _finish(self, plan: Plan, parts: OutputFiles, result: JobResult, envelope: Envelope, tail: bytes) -> None:
        """Add the losses of the catalogue as a whole, and write what is behind the list."""
        counted, target = result.counted, plan.target
        if counted.unanswered and counted.items and plan.remainder is None:
            raise unused_fill_error(counted.unanswered, target.id)
        if self._budget is not None:
            budget, names, excess = self._budget
            items = ItemConverter(plan.source, target, replace(plan.options, fill=None, keep=False))
            tools = counted.written - counted.written_documents
            for loss in budget.losses(plan.wrap or "", envelope.wrap, tools, names, excess):
                items.add_limit_loss(loss)
            result.catalogue_losses += items.losses()
            if REPORT in plan.writes:
                writer = plan.report_writer()
                parts.add(REPORT, b"".join(writer.loss(loss) for loss in items.losses()))
        for loss in result.catalogue_losses:
            counted.codes[loss.code] = counted.codes.get(loss.code, 0) + 1
        parts.add(OUT, tail)

    def _write_out(self, parts: OutputFiles, *, nothing: bool) -> None:
        """Copy the output to standard output, or to a pipe that has the name of the output."""
        pieces = parts_of(parts.files[OUT], 0, 0 if nothing else parts.ends[OUT])
        if self._spec.output == "-":
            write_out(pieces)
        else:
            write_stream(self._spec.output, pieces)


def _of_ended(result: JobResult, ended: Ended) -> JobResult:
    """The result of a job of which an earlier run has written all."""
    result.counted = ended.counted
    result.catalogue_losses = [
        CatalogueLoss(code, place, target_place, detail) if detail else Loss(code, place, target_place, item)
        for code, place, target_place, item, detail in ended.catalogue_losses
    ]
    result.resumed = result.tools
    return result


def _cores() -> int:
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
