"""The command `toolbridge convert`, for catalogues of any size."""

from __future__ import annotations

from argparse import Namespace
from typing import IO, NamedTuple

from ..bulk.files.blocks import NotSplittable
from ..bulk.files.job import Job
from ..bulk.files.plan import JobResult, JobSpec, ProgressState, folder_of
from ..bulk.files.report import Failed
from ..bulk.files.source import Text, open_text
from ..characters import number_in
from ..conversion.fill import FillError
from ..conversion.options import conversion_options
from ..data.json_text import size_text
from ..data.output import is_folder
from ..errors import FormatError, LossError, ToolbridgeError
from ..formats.registry import get_format
from ..hub import amount
from ..limits import Limits
from ..losses.digest import digest_of_counts
from ..losses.report import CODES, RANK
from ..mapping.format import Format
from .gates import Gate, Screen
from .interrupts import Interrupt, interruptible
from .options import Options, with_place
from .output import (
    TEXTS,
    Counts,
    LossRow,
    Printer,
    Problem,
    Progress,
    loss_table,
    meanings,
    others,
    stderr,
    unwritten,
    without_place,
    wrong_format,
)


class WholeText(NamedTuple):
    """An input that has to be converted as a whole; `data` is its content, if it cannot be read again."""

    data: bytes | None


@interruptible()
def convert(options: Namespace, read: bytes | None, pipe: IO[bytes] | None) -> int | WholeText:
    """Convert one catalogue of tools; `read` are the bytes that were read from a `pipe`."""
    name: str = options.inputs[0]
    shown = "<stdin>" if name == "-" else name
    checked = Options.of(options)
    reason = _reason_for_memory(options)
    for option in ("resume", "rejects") if reason else ():
        if getattr(options, option):
            raise ToolbridgeError(f"{shown}: --{option} converts tool by tool, and {reason}")
    gate, screen = Gate.of(options), Screen(options)
    progress = Progress(quiet=options.quiet)
    text: Text | None = None
    if reason or name == "-" or pipe is not None:
        text = open_text(
            name,
            folder_of(options.output or "-"),
            lambda done: progress(ProgressState(done, 0, None)),
            read=read,
            pipe=pipe,
            limits=checked.limits,
        )
    if reason:
        if options.jobs and not options.quiet:
            stderr().say(f"{shown}: converted as a whole, without --jobs: {reason}")
        return _whole_text(options, text, NotSplittable(reason), checked.limits)
    # As the name of the output says; an envelope stays one, which JSON Lines cannot hold.
    lists_as_lines = options.format == "jsonl" and options.form_of_name
    spec = JobSpec(
        name=name,
        to=checked.to,
        output=options.output or "-",
        source=checked.source,
        kind=options.kind,
        options=conversion_options(**checked.others),
        form=None if lists_as_lines else options.format,
        lists_as_lines=lists_as_lines,
        jobs=_jobs(options.jobs),
        report=options.report,
        remainder=options.remainder,
        restore=options.restore,
        rejects=options.rejects,
        resume=options.resume,
        text=text,
    )
    out = stderr()
    job = Job(spec, progress)
    try:
        result = job.run()
    except NotSplittable as error:
        progress.clear()
        return _whole_text(options, text or open_text(name, None, limits=checked.limits), error, checked.limits)
    except LossError as error:
        progress.clear()
        out.say(f"{shown}: {error}", "error")
        return 1
    except FormatError as error:
        if isinstance(error, FillError):  # it is about the option
            raise
        raise ToolbridgeError(f"{shown}: {with_place(error, options)}") from None
    except KeyboardInterrupt as end:
        progress.clear()
        output = options.output or "standard output"
        state = f"not everything was written yet to {output}" if job.ending else f"nothing was written to {output}"
        if job.kept:
            state = state if job.ending else f"{output} is unchanged"
            state += "; the same command with --resume continues"
        out.say(f"toolbridge: interrupted, {state}")
        return 128 + (end.number if isinstance(end, Interrupt) else 2)
    finally:
        progress.clear()
        if text is not None:
            text.close()
    hidden = screen.hidden_codes((code, CODES[code].severity) for code in result.counts())
    _summarise(out, options, result, shown, hidden)
    if result.counted.none:
        return int(result.counted.failed > 0)
    counts = {code: number for code, number in result.counts().items() if code not in hidden}
    number = sum(number for code, number in counts.items() if gate.fails(code, CODES[code].severity))
    gate.say(out, number)
    return int(not gate.is_open and (number > 0 or _failed(result, hidden) > 0))


def _reason_for_memory(options: Namespace) -> str:
    """The reason why the options need the whole document in memory; empty if they do not."""
    lines = (".jsonl", ".ndjson")
    if options.kind not in (None, "tool"):
        return f"--kind {options.kind} is not for tools"
    if options.format == "yaml":
        return "YAML is written as a whole"
    if options.embed or options.restore == "embedded":
        return "remainders in documents are for smaller ones"
    if options.key_file is not None:
        return "signed remainders are for smaller documents"
    if is_folder(options.output or "-"):
        return "OUT is a directory"
    if options.baseline or options.write_baseline:
        return "baselines need the whole document in memory"
    if options.ignore and (options.report or ":" in ",".join(options.ignore)):
        return "--ignore with --report, or of some tools, needs the whole document in memory"
    if options.output_format != "text":
        return f"--output-format {options.output_format} is for smaller documents, --report FILE.jsonl for all"
    for option in ("report", "remainder"):
        path: str | None = getattr(options, option)
        if path is not None and not path.endswith(lines):
            return f"--{option} has to be a .jsonl file, found {path}"
    return ""


def _whole_text(options: Namespace, text: Text | None, error: NotSplittable, limits: Limits) -> WholeText:
    """The input for a conversion in memory. Raises ToolbridgeError if the options or its size exclude that."""
    name = options.inputs[0]
    shown = "<stdin>" if name == "-" else name
    where = error.name or shown
    if text is None:
        return WholeText(None)
    for option in ("resume", "rejects"):
        if getattr(options, option):
            raise ToolbridgeError(
                f"{where}: {error}: --{option} is for catalogues that are converted tool by tool (JSON Lines, a list, "
                "an envelope)"
            )
    if text.size > limits.document:
        raise ToolbridgeError(
            f"{where}: {error}: {shown if error.name else 'it'} cannot be converted tool by tool, and is too large to "
            f"be converted as a whole ({size_text(text.size)}; up to {size_text(limits.document)} are: limit document)"
        )
    data = None if text.has_name else text.at(0, text.size)
    text.close()
    return WholeText(data)


def _jobs(given: str | None) -> int | None:
    if given is None:
        return None
    number = number_in(given, 3)
    if not number:
        raise ToolbridgeError(f"--jobs takes a number from 1 to 999, found {given!r}")
    return number


# messages


def _summarise(out: Printer, options: Namespace, result: JobResult, name: str, hidden: set[str]) -> None:
    counts = result.counted
    if not options.quiet:
        packed = f" ({result.packed})" if result.packed else ""
        source = result.source
        if result.assumed:
            family = get_format(source).family
            ties = [tie for tie in result.ties if get_format(tie).family != family]  # as `heading` has them
            source += (
                " (nothing in it)" if not counts.items else f" (detected; {others(ties)})" if ties else " (detected)"
            )
        out.say(f"{name}: {TEXTS[result.text]}{packed}, {source} -> {result.target}")
        if result.resumed:
            out.say(f"{name}: {amount(result.resumed, 'tool')} had been converted before")
        elif options.resume:
            out.say(f"{name}: there was nothing to resume")
        _losses(out, result, hidden, verbose=options.verbose)
    looks = _detected(options, result) if counts.none else None
    if looks is not None:
        problem = wrong_format(result.source, looks.id, counts.failures[0].problem)
        out.say(f"{name}: {problem}", "error")
    failures = [failure for failure in counts.failures if failure.code not in hidden]
    for failure in failures if looks is None else ():
        out.say(str(_problem(name, result, failure)), "error")
    further = _failed(result, hidden) - len(failures)
    if further and looks is None:
        hint = f"; {options.rejects} has them all" if options.rejects else "; --rejects FILE would keep them"
        out.say(f"{name}: and {further:,} more{hint}", "error")
    if not options.quiet:
        summary = Counts(counts.items, counts.lossless, counts.lossy, counts.refused)
        out.say(summary.summary("tool"), "error" if counts.refused else None)
    if counts.none:
        out.say(unwritten(options.output or "-", {"tool": counts.items}), "error")


def _detected(options: Namespace, result: JobResult) -> Format | None:
    """The format that the tools of a file look like, if it is not the one that was given."""
    if options.source is None or options.inputs[0] == "-" or {*result.counted.failed_by_code} != {"TB903"}:
        return None  # of what was left out for another reason, the given one was right
    from ..bulk.files.tool_file import detect_file

    try:
        found = detect_file(options.inputs[0])[0].format
    except (NotSplittable, ToolbridgeError):
        return None
    return found if found.family != get_format(result.source).family else None


def _failed(result: JobResult, hidden: set[str]) -> int:
    """The number of tools that were left out, without those whose code is hidden."""
    return sum(number for code, number in result.counted.failed_by_code.items() if code not in hidden)


def _problem(name: str, result: JobResult, failed: Failed) -> Problem:
    place = result.place(failed.item, failed.place)
    problem = without_place(failed.problem, place)
    return Problem(name, failed.line, failed.item, place, problem, tool=failed.tool)


def _losses(out: Printer, result: JobResult, hidden: set[str], *, verbose: bool) -> None:
    """Print the table of losses, one row for each code that is not hidden."""
    counts = {code: number for code, number in result.counts().items() if code not in hidden}
    if ignored := sum(result.counts().values()) - sum(counts.values()):
        out.say(f"{amount(ignored, 'finding')} ignored (--ignore)")
    if not counts:
        return
    rows: list[LossRow] = []
    for code in (codes := sorted(counts, key=lambda code: (-RANK[CODES[code].severity], code))):
        places = [loss.source or "(root)" for loss in result.catalogue_losses if loss.code == code]
        for item, line, place in result.counted.places.get(code, ()):
            shown = place if place.startswith("-> ") and line is not None else result.place(item, place)
            places.append(f"line {line} {shown}".strip() if line is not None else shown or "(root)")
        rows.append(LossRow(code, CODES[code].severity, counts[code], places))
    counted = result.counted
    loss_table(out, digest_of_counts(codes, counted.tools, counted.names, result.catalogue_losses), rows)
    if verbose:
        meanings(out, codes)
        out.say("Every place stands in the file of --report.")
        out.say()
