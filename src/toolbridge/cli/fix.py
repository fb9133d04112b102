"""The command `toolbridge fix`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from ..comparison.repairs import Repaired
from ..comparison.repairs import fix as repair
from ..conversion.catalogue import catalogue_of
from ..conversion.item import tool_name
from ..data.output import dump, form_of_name
from ..data.types import is_list
from ..errors import DocumentError, FormatError, ToolbridgeError
from ..formats.registry import get_format
from ..hub import amount
from ..limits import named_limits
from .compare import catalogue_in
from .inputs import Input
from .interrupts import write_files
from .options import check_files
from .output import Problem, Result, Unit, losses, problem_of, stderr, unwritten


def fix(options: Namespace) -> int:
    """`toolbridge fix`."""
    limits = named_limits(options.limits)
    output: str = "-" if options.output is None else options.output
    check_files(options, [options.input], [output])
    source = catalogue_in(options.input, options.source, limits, with_text=options.report is not None, by_item=True)
    unit = source.units[0]
    try:
        done = repair(unit.document, options.target, source=options.source, limits=limits)
    except (DocumentError, FormatError) as error:
        raise ToolbridgeError(str(problem_of(unit, error))) from None
    files = [] if options.report is None else _reports(options.report, source, done)
    written = len(done.argument_maps)
    if written:
        files.append((output, _text(output, source, done)))
    write_files((path, [text]) for path, text in files)
    if not written:
        stderr().say(unwritten(output, {"tool": len(done.report.failures)}), "error")
    if not options.quiet:
        _print(source, done)
    for failure in done.report.failures:
        stderr().say(str(problem_of(unit, failure)), "error")
    for problem in _unrepaired(unit, done):
        stderr().say(str(problem), "error")
    return 1 if done.report.failures or done.problems else 0


def _unrepaired(unit: Unit, done: Repaired) -> Iterator[Problem]:
    """The problems that the vendor would still have, with their tools and places in the document that was written."""
    target = get_format(done.report.target)
    items = catalogue_of(done.value, target).items if done.problems else []
    for error in done.problems:
        tool = None if error.item is None else tool_name(items[error.item], target)
        place = unit.within(error.pointer, error.item)
        yield Problem("not repaired", None, error.item, place, error.sentence, tool=tool, rule=error.rule)


def _reports(path: str, source: Input, done: Repaired) -> list[tuple[str, bytes]]:
    """The report in the form of the file's ending, made before anything is written."""
    from .reports import UnitReport, add_positions, form_of, rendered, report_of

    result = Result(source.units[0], done.report, done.value, errors=done.report.failures)
    reported = UnitReport(source, result.unit, report_of(result), get_format(done.report.source), result)
    add_positions(reported)
    return [(path, rendered(form_of(path), [reported]))]


def _text(output: str, source: Input, done: Repaired) -> bytes:
    """The text of the output, in the form of the file's ending, else in that of the input."""
    unit = source.units[0]
    form = form_of_name(output) or ("jsonl" if unit.spread and source.form == "json" else source.form)
    # JSON Lines have an item of a list on each line; a catalogue that is an object stays one.
    if unit.spread and form != "json":
        return dump(catalogue_of(done.value, get_format(done.report.target)).items, form)
    return dump(done.value if form == "jsonl" and is_list(done.value) else [done.value], form)


def _print(source: Input, done: Repaired) -> None:
    """Print what was changed, and how many tools."""
    err, report = stderr(), done.report
    detected = " (detected)" if report.assumed else ""
    err.say(f"{source.name}: {report.source}{detected} -> {report.target}")
    losses(err, [Result(source.units[0], report, done.value)], names=False, verbose=False)
    count, left_out = len(done.argument_maps), len(report.failures)
    err.say(
        f"{amount(count + left_out, 'tool')}: {count - done.repaired:,} unchanged, {done.repaired:,} repaired, "
        f"{left_out:,} left out"
    )
