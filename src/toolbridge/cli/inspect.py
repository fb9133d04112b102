"""The commands `toolbridge detect` and `toolbridge check`."""

# ruff: noqa: PTH113, PTH202 - pathlib would take half as long to import as all the rest of a small conversion

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from ..conversion.catalogue import Catalogue
from ..conversion.detect import Detected, is_interface
from ..conversion.item import name_in
from ..errors import DocumentError, FormatError, ToolbridgeError, as_document_error, describe_unexpected
from ..formats.registry import get_format
from ..hub import Kind
from ..limits import Limits, named_limits
from ..mapping.format import Format
from ..validation import BUG, item_warnings, source_of, unchecked
from ..validation import check as problems
from .convert import LARGE
from .files import Files
from .gates import Gate, Screen, code_of
from .inputs import hinted, load, recognised_as, say_unread
from .output import (
    MANY,
    CheckCounts,
    InputPrinter,
    Printer,
    Problem,
    Unit,
    amount_of,
    kind_in_format,
    lines_of,
    others,
    problem_of,
    stderr,
    stdout,
)

if TYPE_CHECKING:
    from .reports import CheckReports


def detect(options: Namespace) -> int:
    """`toolbridge detect`."""
    files, limits = Files(options.inputs, None), named_limits(options.limits)
    large = {name: detected for name in files.names if (detected := _large(name, limits)) is not None}
    rest = [name for name in files.names if name not in large]
    inputs, skipped = load(rest, allow_mixed=True, found=files.found, limits=limits, by_item=True)
    read = {input_.name: input_ for input_ in inputs}
    names = ["<stdin>" if name == "-" else name for name in files.names]
    out, err = stdout(), stderr()
    err.say_first([*files.skipped, *skipped], "files skipped")
    remarks = InputPrinter(err, many=len(names) > MANY)
    failed = incomplete = False
    for name in names:
        if name in large:
            detected, tools = large[name]
            out.say(f"{name}: {detected.format.id}" if len(names) > 1 else detected.format.id)
            err.say(f"{name}: detected from {tools:,} of its tools")
            if detected.ties:
                err.say(f"{name}: {others(detected.ties)}")
            continue
        if name not in read:
            continue  # it is skipped
        input_ = read[name]
        start = f"{input_.name}: " if len(names) > 1 else ""
        groups: dict[object, tuple[Detected, list[Unit]]] = {}
        for number, unit in enumerate(input_.units):
            try:
                detected = recognised_as(unit)
            except (FormatError, DocumentError) as error:
                failed = True
                line = f"line {unit.documents[0].line}: " if unit.several and not unit.spread else ""
                err.say(f"{input_.name}: {line}{hinted(error, unit)}", "error")
                continue
            except Exception as error:  # noqa: BLE001 - the other documents are still detected
                failed = True
                err.say(f"{input_.name}: {describe_unexpected(error, '')}", "error")
                continue
            # Consecutive calls or results of one format are printed on one line.
            groups.setdefault(detected if unit.spread else number, (detected, []))[1].append(unit)
        for detected, units in groups.values():
            line = lines_of(units) if len(input_.units) > 1 or (units[0].several and not units[0].spread) else ""
            kind = "" if detected.kind == "tool" else f", {amount_of(units)}"
            out.say(f"{start}{line}{detected.format.id}{kind}")
            for remark in _remarks(detected, units):
                remarks.say(input_.name, line + remark)
        broken = input_.broken + [
            problem_of(unit, error) for unit in input_.units for error in unit.unreadable.values()
        ]
        for problem in broken:
            err.say(str(problem), "error")
        incomplete |= bool(broken)
    remarks.finish()
    return 2 if failed else int(incomplete)


def _remarks(detected: Detected, units: list[Unit]) -> Iterator[str]:
    """What there is to say of a detected format."""
    if detected.format.remark:
        yield f"{detected.format.summary}; {detected.format.remark}"
    try:
        items = [item for unit in units for item in unit.catalogue(detected.format).items]
    except DocumentError as error:
        yield str(error)  # it is no reason to doubt the format
    else:
        if not items:
            yield "nothing in it, so other formats would fit as well"
        elif detected.ties:
            yield others(detected.ties)


def _large(name: str, limits: Limits) -> tuple[Detected, int] | None:
    """The format of a large file of tools, and the number of tools that were read for it; None for other inputs."""
    if not _is_large(name):
        return None
    from ..bulk.files.blocks import NotSplittable
    from ..bulk.files.detection import detect_file

    try:
        return detect_file(name, limits)
    except (NotSplittable, FormatError):
        return None


def _is_large(name: str) -> bool:
    try:
        return name != "-" and os.path.isfile(name) and os.path.getsize(name) >= LARGE
    except OSError:
        return False


def check(options: Namespace) -> int:
    """`toolbridge check`."""
    form = get_format(options.source) if options.source else None
    limits = named_limits(options.limits)
    gate, screen = Gate.of(options), Screen(options, check=True)
    totals: dict[Kind, CheckCounts] = {}
    gated = 0
    names: list[str] = []
    reports = _check_reports(options)
    files = Files(options.inputs, None)
    for name in files.names:
        counts = None
        if options.kind in (None, "tool") and _is_large(name) and screen.is_empty:
            from .check_large import check_large

            counts = check_large(name, form, limits, gate, reports)
        if counts is None:
            names.append(name)
        else:
            found, stopping = counts
            _add(totals, "tool", found)
            gated += stopping
    with_text = reports is not None
    inputs, skipped = (
        load(names, options.kind, form, found=files.found, limits=limits, with_text=with_text, by_item=True)
        if names
        else ([], [])
    )
    stderr().say_first([*files.skipped, *skipped], "files skipped")
    remarks = InputPrinter(stderr(), many=len(files.names) > MANY)
    alone = len(files.names) == 1 and sum(len(each.units) + len(each.broken) for each in inputs) == 1
    for input_ in inputs:
        broken = screen.broken(input_)
        for problem in broken:
            _say(stdout(), problem, "error", reports)
        if reports is not None:
            reports.begin_input(input_, {problem.line for problem in broken}, form)
        if not input_.is_unread:
            known = len(input_.broken) - len(broken)
            _add(totals, input_.kind, CheckCounts(len(input_.broken), len(broken), known=known))
        heads: set[str] = set()
        for unit in input_.units:
            found, stopping = _check_unit(
                unit, form, limits, heads, remarks, alone=alone, gate=gate, screen=screen, reports=reports
            )
            _add(totals, unit.kind, found)
            gated += stopping
    remarks.finish()
    for kind, total in totals.items():
        if total.items or len(totals) == 1:
            stderr().say(total.summary(kind))
    unread = say_unread(stderr(), inputs)
    screen.finish(stderr(), quiet=False)
    if reports is not None:
        reports.write()
    gate.say(stderr(), gated)
    if gate.is_open:
        return 0
    return int(gated > 0 or unread > 0 or any(total.invalid or total.unchecked for total in totals.values()))


def _check_reports(options: Namespace) -> CheckReports | None:
    """The reports that the options ask for."""
    if options.report is None and options.output_format == "text":
        return None
    from .reports import CheckReports

    return CheckReports(options)


def _say(out: Printer, problem: Problem, severity: str, reports: CheckReports | None) -> None:
    """Print a problem, unless the report goes to standard output."""
    if reports is None or reports.is_text:
        out.say(str(problem), severity)


def _check_unit(
    unit: Unit,
    form: Format | None,
    limits: Limits,
    heads: set[str],
    remarks: InputPrinter,
    *,
    alone: bool,
    gate: Gate,
    screen: Screen,
    reports: CheckReports | None,
) -> tuple[CheckCounts, int]:
    """Check a unit. Returns the numbers of its items, and of its warnings that set the exit status.

    `heads` are what was remarked before of the input, to which that of the unit is added. `alone` is
    whether there are no other units. Raises ToolbridgeError if it is of no known format, and alone.
    """
    out, err = stdout(), stderr()
    try:
        detected = None if form else recognised_as(unit)
        chosen = form or cast("Detected", detected).format
        catalogue = unit.catalogue(recognised_as(unit).format if is_interface(unit.value) else chosen)
        errors = problems(unit.document, chosen, kind=unit.kind, limits=limits)
    except (FormatError, DocumentError) as error:
        failure = hinted(error, unit)
        if alone:
            raise ToolbridgeError(str(problem_of(unit, failure))) from None
        return _check_unknown(unit, failure, screen, reports), 0
    except Exception as error:  # noqa: BLE001 - the other documents are still checked
        failure = unchecked(error, "", None)
        _say(out, problem_of(unit, failure), "error", reports)
        if reports is not None:
            reports.add(unit, form, None, [failure], [], 1)
        return CheckCounts(1, unchecked=1), 0
    head = f"checked as {kind_in_format(chosen.id, [unit])}{'' if form else ' (detected)'}"
    if head not in heads:
        remarks.say(unit.name, head)
        heads.add(head)
    found = len(errors)
    last = errors[-1].item if errors else None
    with_errors = {error.item for error in errors}
    source = source_of(unit.value, chosen) if unit.kind == "tool" else None
    _name_tools(errors, catalogue, source)
    errors = screen.problems(unit, chosen, errors, "error")
    for error in errors:
        _say(out, problem_of(unit, hinted(error, unit)), "error", reports)
    duplicates = unit.duplicates
    warnings = [
        *(
            DocumentError("appears twice in its object [TB002]", place, item=number)
            for place, number in zip(duplicates, catalogue.numbers_at(duplicates), strict=True)
        ),
        *_warnings(unit, catalogue, chosen),
    ]
    _name_tools(warnings, catalogue, source)
    found_warnings = len(warnings)
    warnings = screen.problems(unit, chosen, warnings, "warning")
    for problem in warnings:
        _say(err, problem_of(unit, problem), "warning", reports)
    screen.examine(unit.name, chosen.id)
    stopping = sum(gate.fails(code_of(problem), "warning") for problem in warnings)
    checked_items = len(catalogue.items)
    if found > limits.failures and last is not None:
        checked_items = last + 1  # the items after it were not checked
    if reports is not None:
        ignored = found + found_warnings - len(errors) - len(warnings)
        reports.add(unit, chosen, detected, errors, warnings, checked_items, ignored)
    return _counts(checked_items, with_errors, errors), stopping


def _check_unknown(unit: Unit, error: ToolbridgeError, screen: Screen, reports: CheckReports | None) -> CheckCounts:
    """Say that a unit is of no known format. Returns the numbers of its items."""
    items = len(unit.documents)
    shown = as_document_error(error)
    if screen.hides_unread(unit.name, unit.documents[0].line, shown.pointer):
        if reports is not None:
            reports.add(unit, None, None, [], [], items, 1)
        return CheckCounts(items, known=items)
    _say(stdout(), problem_of(unit, error), "error", reports)
    if reports is not None:
        reports.add(unit, None, None, [shown], [], items)
    return CheckCounts(items, items)


def _name_tools(found: Iterable[DocumentError], catalogue: Catalogue, source: Format | None) -> None:
    """Add the names of the tools to the errors of items; `source` is the format of the tools."""
    for error in found:
        if source is not None and error.item is not None and error.item < len(catalogue.items):
            error.tool = name_in(catalogue.items[error.item], source.tool)


def _counts(items: int, with_errors: set[int | None], shown: list[DocumentError]) -> CheckCounts:
    """The numbers of the items of a unit: of those with errors, some may have none left that is shown."""
    invalid = {error.item for error in shown if code_of(error) != BUG}
    unchecked = {error.item for error in shown} - invalid
    known = with_errors - invalid - unchecked
    # An error of the document itself makes one item invalid, unless there are errors of items.
    numbers = [len(each - {None}) or int(bool(each)) for each in (invalid, unchecked, known)]
    return CheckCounts(items, *numbers)


def _warnings(unit: Unit, catalogue: Catalogue, form: Format) -> Iterator[DocumentError]:
    """What is odd in tools that are valid all the same."""
    if unit.kind != "tool":
        return
    source = form
    if form.dropped is not None:
        with suppress(FormatError):
            source = recognised_as(unit).format
    for number, (item, place) in enumerate(zip(catalogue.items, catalogue.places, strict=True)):
        index = None if catalogue.shape == "tool" else number
        for inner, problem in item_warnings(item, source, form):
            yield DocumentError(problem, place if catalogue.shape == "interface" else place + inner, item=index)


def _add(totals: dict[Kind, CheckCounts], kind: Kind, found: CheckCounts) -> None:
    totals[kind] = totals.get(kind, CheckCounts()).plus(found)
