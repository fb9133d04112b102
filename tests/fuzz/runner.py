"""The run: cases made by number, judged in processes of their own, counted by entry point; what is found is kept."""

from __future__ import annotations

import contextlib
import gc
import json
import mmap
import os
import resource
import select
import signal
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from fuzz.apart import HANG, apart, confirmed
from fuzz.cases import Case, written
from fuzz.entry_points import ENTRY_POINTS, Maker, clean, warm
from fuzz.verdict import Finding, confine, judge, peak, prepare, size, too_much

CHUNK = 5_000
"""So many cases are judged by one process, so that what it remembers stays little, and the same in every run."""

_SLOTS = 6  # inputs, refused, found, slowest in µs, its number, largest


class Row(NamedTuple):
    """What became of the inputs of one entry point."""

    entry_point: str
    inputs: int
    refused: int
    ok: int
    findings: int
    slowest: float
    slowest_number: int
    largest: int


class Found(NamedTuple):
    """A finding, the number of the first case that led to it, the case (made smaller), and how often it came."""

    finding: Finding
    number: int
    case: Case
    alone: bool


class Shared:
    """What a worker tells by the way: the case that it is at, and counts by entry point."""

    def __init__(self) -> None:
        self._map = mmap.mmap(-1, 8 * (2 + _SLOTS * len(ENTRY_POINTS)))
        self.view = memoryview(self._map).cast("q")

    @property
    def at(self) -> int:
        """The number of the case that is judged."""
        return self.view[0]


def case_of(seed: int, number: int, entry_point: str | None = None, maker: Maker | None = None) -> Case:
    """The case of a number: always the same for the same seed, and the entry points that are asked for."""
    if maker is None:
        maker = _maker(seed, number // CHUNK)
    maker.random.seed(seed << 48 | number)
    chosen = entry_point or maker.random.choices(_NAMES, _WEIGHTS)[0]
    return ENTRY_POINTS[chosen].make(maker)


_NAMES = [*ENTRY_POINTS]
_WEIGHTS = [entry_point.weight for entry_point in ENTRY_POINTS.values()]


def _maker(seed: int, chunk: int) -> Maker:
    return Maker(Random(seed << 48 | 1 << 47 | chunk))


def close_to(number: int) -> bool:
    """Whether what comes out of a case is looked at as well: of one in four."""
    return number % 4 == 0


class Run:
    """One run, from the input `first` on. `minutes` or `inputs` bound it; findings are written to `out` at once."""

    def __init__(
        self,
        seed: int,
        *,
        minutes: float | None = None,
        first: int = 0,
        inputs: int | None = None,
        jobs: int = 1,
        entry_point: str | None = None,
        out: Path | None = None,
        seconds: float = 2.0,
        loud: bool = False,
    ) -> None:
        self.seed, self.entry_point, self.out, self.seconds, self.loud = seed, entry_point, out, seconds, loud
        self.minutes, self.first, self.inputs, self.jobs = minutes, first, inputs, jobs
        self.next = first
        self.found: dict[str, Found] = {}
        self.times: dict[str, int] = {}
        self.totals = {name: [0] * _SLOTS for name in ENTRY_POINTS}
        self.took = self.cpu = 0.0
        self._shared = [Shared() for _ in range(jobs)]

    # what it came to

    def rows(self) -> list[Row]:
        """Counts by entry point."""
        found: list[Row] = []
        for name, (inputs, refused, bad, slowest, number, largest) in self.totals.items():
            if inputs:
                ok = inputs - refused - bad
                found.append(Row(name, inputs, refused, ok, bad, slowest / 1e6, number, largest))
        return found

    def _add(self, shared: Shared) -> None:
        for index, name in enumerate(ENTRY_POINTS):
            base = 2 + index * _SLOTS
            mine, total = shared.view[base : base + _SLOTS].tolist(), self.totals[name]
            for slot in range(3):
                total[slot] += mine[slot]
            if mine[3] > total[3]:
                total[3:5] = mine[3:5]
            total[5] = max(total[5], mine[5])

    # the run

    def go(self) -> None:
        """Judge until the time or the number of inputs is over, or an interrupt; `next` is where to go on then."""
        began, spent = monotonic(), _spent()
        ends = None if self.minutes is None else began + 60 * self.minutes
        numbers = self._chunks()
        busy: dict[int, _Worker] = {}
        free = [*range(self.jobs)]
        warm()
        gc.collect()
        gc.freeze()
        try:
            while True:
                while free and (ends is None or monotonic() < ends):
                    span = next(numbers, None)
                    if span is None:
                        break
                    self.next = span[1]
                    place = free.pop()
                    busy[place] = self._start(place, *span)
                if not busy:
                    break
                for place in [*busy]:
                    worker = busy[place]
                    if ends is not None and monotonic() > ends + 5:
                        worker.kill()
                    again = self._hear(worker)
                    if again is None:
                        continue
                    del busy[place]
                    if again and (ends is None or monotonic() < ends):
                        busy[place] = self._start(place, *again)
                    else:
                        free.append(place)
        except KeyboardInterrupt:
            self.next = min((worker.start for worker in busy.values()), default=self.next)
        finally:
            for worker in busy.values():
                worker.kill()
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(worker.pid, 0)
            gc.unfreeze()
        self.took, self.cpu = monotonic() - began, _spent() - spent

    def _chunks(self) -> Iterator[tuple[int, int]]:
        start = self.first
        last = None if self.inputs is None else start + self.inputs
        while last is None or start < last:
            end = start + CHUNK - start % CHUNK
            end = end if last is None else min(end, last)
            yield start, end
            start = end

    def _start(self, place: int, start: int, end: int) -> _Worker:
        shared = self._shared[place]
        for index in range(len(shared.view)):
            shared.view[index] = 0
        shared.view[0] = start
        reading, writing = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                os.close(reading)
                for each in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(each, signal.SIG_IGN)  # the parent ends its workers
                self._work(shared, start, end, writing)
                code = 0
            except BaseException:  # noqa: BLE001 - a process of its own ends here, whatever happens
                traceback.print_exc()
            finally:
                with contextlib.suppress(BaseException):
                    clean()
                os._exit(code)
        os.close(writing)
        return _Worker(pid, reading, start, end, shared)

    def _hear(self, worker: _Worker) -> tuple[int, int] | tuple[()] | None:
        """None while a worker works; what is left of its cases where it died; nothing where it is done."""
        ready, _, _ = select.select([worker.pipe], [], [], 0.2)
        if ready:
            piece = os.read(worker.pipe, 1 << 16)
            if piece:
                worker.text += piece
                worker.at, worker.since = worker.shared.at, monotonic()
                return None
            _, status = os.waitpid(worker.pid, 0)
            os.close(worker.pipe)
            return self._ended(worker, status)
        if worker.shared.at != worker.at:
            worker.at, worker.since = worker.shared.at, monotonic()
        elif monotonic() - worker.since > HANG:
            worker.hung = True
            worker.kill()
        return None

    def _ended(self, worker: _Worker, status: int) -> tuple[int, int] | tuple[()]:
        self._add(worker.shared)
        for line in worker.text.splitlines():
            number, kind, place, words = json.loads(line)
            self._take(Finding(kind, place, words), number)
        if status == 0 or (worker.killed and not worker.hung):
            return ()
        number = worker.shared.at
        case = case_of(self.seed, number, self.entry_point, _maker(self.seed, number // CHUNK))
        total = self.totals[case.entry_point]
        total[0] += 1
        total[2] += 1
        how = "hang" if worker.hung else "death"
        end = os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        self._take(Finding(how, case.entry_point, f"the process ended with {end}"), number)
        return (number + 1, worker.end) if number + 1 < worker.end else ()

    # a worker

    def _work(self, shared: Shared, start: int, end: int, pipe: int) -> None:
        prepare()
        confine()
        view = shared.view
        maker = _maker(self.seed, start // CHUNK)
        bases = {name: 2 + index * _SLOTS for index, name in enumerate(ENTRY_POINTS)}
        known: dict[str, int] = {}
        before = peak()
        for number in range(start, end):
            view[0] = number
            case = case_of(self.seed, number, self.entry_point, maker)
            verdict = judge(case, close=close_to(number), seconds=self.seconds)
            after = peak()
            finding = verdict.finding
            if after > before + (1 << 20):
                if finding is None:
                    finding = too_much(case, before, after)
                before = after
            base = bases[case.entry_point]
            view[base] += 1
            if finding is not None:
                view[base + 2] += 1
                times = known[finding.key] = known.get(finding.key, 0) + 1
                if times <= 3:
                    os.write(pipe, json.dumps([number, *finding]).encode() + b"\n")
            elif verdict.refused:
                view[base + 1] += 1
            micro = int(verdict.seconds * 1e6)
            if micro > view[base + 3]:
                view[base + 3], view[base + 4] = micro, number
            if number % 16 == 0 or micro > 20_000:
                many = size(case)
                view[base + 5] = max(view[base + 5], many)

    # what was found

    def _take(self, finding: Finding, number: int) -> None:
        self.times[finding.key] = self.times.get(finding.key, 0) + 1
        if finding.key in self.found:
            return
        case = case_of(self.seed, number, self.entry_point, _maker(self.seed, number // CHUNK))
        if finding.kind == "memory" and close_to(number) and apart(case, self.seconds, close=True) is None:
            self.totals[case.entry_point][2] -= 1  # the copies with which the entry points compare took the memory
            return
        self._keep(Found(finding, number, case, alone=False))
        if self.loud:
            sys.stdout.write(f"  found: {finding.key} ({finding.words:.160}), input {number}\n")
            sys.stdout.flush()

    def _keep(self, found: Found) -> None:
        self.found[found.finding.key] = found
        if self.out is not None:
            keep(found, self.seed, self.out)

    def shrink(self) -> None:
        """Make the cases that were found smaller, those that lead there alone."""
        for found in [*self.found.values()]:
            small, alone = confirmed(found.case, found.finding, self.seconds, close=close_to(found.number))
            self._keep(found._replace(case=small, alone=alone))


def _spent() -> float:
    """CPU seconds of this process and of those that it has waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


class _Worker:
    """A process that judges cases."""

    def __init__(self, pid: int, pipe: int, start: int, end: int, shared: Shared) -> None:
        self.pid, self.pipe, self.start, self.end, self.shared = pid, pipe, start, end, shared
        self.text = b""
        self.at, self.since = start, monotonic()
        self.killed = self.hung = False

    def kill(self) -> None:
        self.killed = True
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


def keep(found: Found, seed: int, out: Path) -> None:
    """Write a finding to a folder: one line for the corpus, and what it is."""
    out.mkdir(parents=True, exist_ok=True)
    words = "".join(each if each.isalnum() else "-" for each in found.finding.key)[:120]
    name = f"{found.finding.kind} at {found.finding.place}"
    more = {"name": name, "found": found.finding.words, "seed": seed, "number": found.number, "alone": found.alone}
    (out / f"{words}.json").write_text(written(found.case, **more) + "\n", encoding="utf-8")


def summary(run: Run) -> dict[str, Any]:
    """What a run came to, for machines."""
    rows = run.rows()
    return {
        "seed": run.seed,
        "first": run.first,
        "next": run.next,
        "seconds": round(run.took, 1),
        "jobs": run.jobs,
        "cpu": round(run.cpu, 1),
        "inputs": sum(row.inputs for row in rows),
        "entry_points": [row._asdict() for row in rows],
        "findings": [
            {
                "kind": found.finding.kind,
                "place": found.finding.place,
                "words": found.finding.words,
                "number": found.number,
                "alone": found.alone,
            }
            for found in run.found.values()
        ],
    }
