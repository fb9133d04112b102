"""The command `toolbridge convert`, for catalogues of any size."""

# pathlib would take half as long to import as all the rest of a small conversion:
# ruff: noqa: PTH112

from __future__ import annotations

import os
import signal
import threading
from argparse import Namespace
from collections.abc import Generator
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

from ..bulk.files.blocks import NotSplittable
from ..bulk.files.job import Job
from ..bulk.files.plan import JobResult, JobSpec, ProgressState, folder_of
from ..bulk.files.report import FIRST, Failed
from ..bulk.files.source import Text, open_text
from ..conversion.options import conversion_options
from ..errors import LossError, ToolbridgeError
from ..limits import Limits
from ..losses.report import CODES, Loss
from .options import Options
from .output import TEXTS, Counts, Printer, Problem, Progress, stderr, unwritten


class WholeText(NamedTuple):
    """The text has to be converted as a whole; `data` is what it holds, where that cannot be read again."""

    data: bytes | None


class _Interrupt(KeyboardInterrupt):
    """Somebody asked by a signal that this ends."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def _heeding() -> Generator[None, None, None]:
    """Ends as with Ctrl-C where the system asks for it, or the terminal goes away, unless somebody sees to that."""
    before: dict[int, Any] = {}
    mine = os.getpid()

    def ask(number: int, _: object) -> None:
        if os.getpid() != mine:
            os._exit(128 + number)
        for each in before:
            signal.signal(each, signal.SIG_IGN)  # what is under way comes to an end
        raise _Interrupt(number)

    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.SIG_DFL
                signal.signal(number, ask)
    try:
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)


def convert(options: Namespace, read: bytes | None, pipe: IO[bytes] | None) -> int | WholeText:
    """Convert one catalogue of tools; `read` is what was taken already from a `pipe`."""
    try:
        with _heeding():
            return _convert(options, read, pipe)
    except _Interrupt as end:
        return 128 + end.number


def _convert(options: Namespace, read: bytes | None, pipe: IO[bytes] | None) -> int | WholeText:
    name: str = options.inputs[0]
    given = Options.of(options)
    why = _unfit(options)
    progress = Progress(quiet=options.quiet)
    text: Text | None = None
    if why or name == "-" or pipe is not None:

        def see(done: int) -> None:
            progress(ProgressState(done, 0, None))

        text = open_text(name, folder_of(options.output or "-"), see, read=read, pipe=pipe, limits=given.limits)
    if why:
        return _otherwise(options, text, why, given.limits)
    order = JobSpec(
        name=name,
        to=given.to,
        output=options.output or "-",
        source=given.source,
        kind=options.kind,
        options=conversion_options(
            fill=given.fill,
            refuse=given.refuse,
            on_error="skip",
            prose=given.prose,
            unroll=given.unroll,
            description=given.description,
            limits=given.limits,
        ),
        form=options.format,
        jobs=_jobs(options.jobs),
        report=options.report,
        remainder=options.remainder,
        restore=options.restore,
        rejects=options.rejects,
        resume=options.resume,
        text=text,
    )
    out = stderr()
    run = Job(order, progress)
    try:
        tally = run.run()
    except NotSplittable as error:
        progress.clear()
        return _otherwise(options, text or open_text(name, None, limits=given.limits), str(error), given.limits)
    except LossError as error:
        progress.clear()
        out.say(f"{'<stdin>' if name == '-' else name}: {error}", "error")
        return 1
    except KeyboardInterrupt as end:
        progress.clear()
        more = "; the same command with --resume continues from there" if run.kept else ""
        how = "nothing was written to" if not run.ending else "not everything was written yet to"
        out.say(f"toolbridge: interrupted, {how} {options.output or 'standard output'}{more}")
        return 128 + (end.number if isinstance(end, _Interrupt) else 2)
    finally:
        progress.clear()
        if text is not None:
            text.close()
    _say(out, options, order, tally, "<stdin>" if name == "-" else name)
    return 1 if tally.counted.failed else 0


def _unfit(options: Namespace) -> str:
    """Why the options want the whole in memory; empty where they do not."""
    lines = (".jsonl", ".ndjson")
    if options.kind not in (None, "tool"):
        return f"--kind {options.kind} is for calls and results"
    if options.format == "yaml":
        return "YAML is written as a whole"
    if options.embed or options.restore == "embedded":
        return "remainders in documents are for smaller ones"
    if options.key_file is not None:
        return "signed remainders are for smaller documents"
    if options.output and (os.path.isdir(options.output) or options.output.endswith(("/", os.sep))):
        return "OUT is a directory"
    for option in ("report", "remainder"):
        path: str | None = getattr(options, option)
        if path is not None and not path.endswith(lines):
            return f"--{option} has to be a .jsonl file, found {path}"
    return ""


def _otherwise(options: Namespace, text: Text | None, why: str, limits: Limits) -> WholeText:
    """The road for small documents, if this is one."""
    name = options.inputs[0]
    shown = "<stdin>" if name == "-" else name
    if text is None:
        return WholeText(None)
    for option in ("resume", "rejects"):
        if getattr(options, option):
            raise ToolbridgeError(
                f"{shown}: {why}: --{option} is for catalogues that are converted tool by tool (JSON Lines, a list, "
                "an envelope)"
            )
    if text.size > limits.document:
        raise ToolbridgeError(
            f"{shown}: {why}: it cannot be converted tool by tool, and is too large to be converted as a whole "
            f"({text.size / 1e6:,.0f} MB; up to {limits.document / 1e6:,.0f} MB are: limit document)"
        )
    data = text.at(0, text.size) if not text.path or text.path.startswith("/dev/fd") else None
    text.close()
    return WholeText(data)


def _jobs(given: str | None) -> int | None:
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and 0 < int(given) < 1000):
        raise ToolbridgeError(f"--jobs takes a number from 1, found {given!r}")
    return int(given)


# what is said


def _say(out: Printer, options: Namespace, order: JobSpec, tally: JobResult, name: str) -> None:
    counted = tally.counted
    if not options.quiet:
        packed = f" ({tally.packed})" if tally.packed else ""
        said = tally.source
        if tally.assumed:
            ties = f"; {', '.join(tally.ties)} would fit as well" if tally.ties else ""
            said += f" (detected{ties})"
        out.say(f"{name}: {TEXTS[tally.text]}{packed}, {said} -> {tally.target}")
        if tally.resumed:
            out.say(f"{name}: {tally.resumed:,} tools had been converted before")
        elif order.resume:
            out.say(f"{name}: there was nothing to resume")
        _losses(out, tally, verbose=options.verbose)
    for each in counted.failures:
        out.say(str(_problem(name, tally, each)), "error")
    more = counted.failed - len(counted.failures)
    if more:
        where = f"; {order.rejects} has them all" if order.rejects else "; --rejects FILE would keep them"
        out.say(f"{name}: and {more:,} more{where}", "error")
    if not options.quiet:
        counts = Counts(counted.items, counted.lossless, counted.lossy, counted.refused)
        out.say(counts.told("tool"), "error" if counted.refused else None)
    if counted.none:
        out.say(unwritten(order.output, {"tool": counted.items}), "error")


def _problem(name: str, tally: JobResult, failed: Failed) -> Problem:
    place = tally.place(failed.item, failed.place)
    at = place or "(root)"
    problem = failed.problem.removesuffix(f" at {at}").removeprefix(f"{at}: ")
    return Problem(name, failed.line, failed.item, place, problem)


def _losses(out: Printer, tally: JobResult, *, verbose: bool) -> None:
    """The table of what was lost, one row for each code."""
    counts = tally.counts()
    if not counts:
        return
    rows: list[list[str]] = []
    for code, many in counts.items():
        places = [_of_all(loss) for loss in tally.catalogue_losses if loss.code == code]
        for item, line, place in tally.counted.places.get(code, ()):
            shown = place if place.startswith("-> ") and line is not None else tally.place(item, place)
            places.append(f"line {line} {shown}".strip() if line is not None else shown or "(root)")
        places = list(dict.fromkeys(places))[:FIRST]
        first = ", ".join(places) + (" ..." if many > FIRST and len(places) >= FIRST else "")
        rows.append([code, CODES[code].name, CODES[code].effect, str(many), first])
    out.say()
    out.table(["code", "name", "effect", "count", "first places"], rows, [CODES[code].severity for code in counts])
    out.say()
    if verbose:
        for code in counts:
            out.say(f"{code} {CODES[code].name}: {CODES[code].meaning} {CODES[code].advice}", CODES[code].severity)
        out.say("Every place stands in the file of --report.")
        out.say()


def _of_all(loss: Loss) -> str:
    return loss.source or "(root)"
