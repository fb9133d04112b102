"""The command `toolbridge fix`."""

from __future__ import annotations

from argparse import Namespace

from ..comparison.repairs import Repaired
from ..comparison.repairs import fix as repair
from ..conversion.catalogue import catalogue_of
from ..data.output import check_distinct, dump, write_atomically, write_to
from ..errors import DocumentError, FormatError, ToolbridgeError
from ..formats.registry import get_format
from ..hub import amount
from ..limits import named_limits
from .compare import catalogue_in
from .inputs import Input
from .output import Result, losses, problem_of, stderr, unwritten


def fix(options: Namespace) -> int:
    """`toolbridge fix`."""
    limits = named_limits(options.limits)
    check_distinct([options.input], [options.output or "-"], [options.report], None)
    source = catalogue_in(options.input, limits, with_text=options.report is not None)
    unit = source.units[0]
    try:
        done = repair(unit.value, options.target, source=options.source, limits=limits)
    except (DocumentError, FormatError) as error:
        raise ToolbridgeError(str(problem_of(unit, error))) from None
    output = options.output or "-"
    reports = [] if options.report is None else _reports(options.report, source, done)
    written = len(done.argument_maps)
    if written:
        _write(output, source, done)
    else:
        stderr().say(unwritten(output, {"tool": len(done.report.failures)}), "error")
    for path, text in reports:
        write_atomically(path, [text])
    if not options.quiet:
        _print(source, done)
    for failure in done.report.failures:
        stderr().say(str(problem_of(unit, failure)), "error")
    # These places are in the document that was written.
    for problem in done.problems:
        stderr().say(f"not repaired: {problem}", "error")
    return 1 if done.report.failures or done.problems else 0


def _reports(path: str, source: Input, done: Repaired) -> list[tuple[str, bytes]]:
    """The report in the form of the file's ending, made before anything is written."""
    from .reports import UnitReport, add_positions, form_of, rendered, report_of

    result = Result(source.units[0], done.report, done.value, errors=done.report.failures)
    reported = UnitReport(source, result.unit, report_of(result), get_format(done.report.source), result)
    add_positions(reported)
    return [(path, rendered(form_of(path), [reported]))]


def _write(output: str, source: Input, done: Repaired) -> None:
    unit = source.units[0]
    items = catalogue_of(done.value, get_format(done.report.target)).items if unit.spread else [done.value]
    write_to(output, dump(items, "jsonl" if unit.spread and source.form == "json" else source.form))


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
