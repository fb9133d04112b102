"""The commands `toolbridge detect` and `toolbridge check`."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from ..conversion.catalogue import Catalogue
from ..conversion.detect import Detected, is_interface
from ..conversion.item import Item, read_tool, tool_name
from ..data.compression import packed_as
from ..errors import DocumentError, FormatError, ToolbridgeError, as_document_error, describe_unexpected
from ..formats.registry import get_format
from ..hub import Kind
from ..limits import Limits, named_limits
from ..losses.codes import INVALID
from ..mapping.format import Format
from ..validation import BUG, item_warnings, repeated, source_of, unchecked
from ..validation import check as problems
from .convert import LARGE
from .files import Files
from .gates import Gate, Screen
from .inputs import Input, hinted, load, looks_like, recognised_as, remark_of, say_unread
from .options import check_files
from .output import (
    MAX_PRINTED,
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
    out, err = stdout(), stderr(quiet=options.quiet)
    err.say_first([*files.skipped, *skipped], "files skipped")
    remarks = InputPrinter(err, many=len(names) > MAX_PRINTED)
    failed = incomplete = False
    for name in names:
        if name in large:
            detected, tools, are_first = large[name]
            out.say(f"{name}: {detected.format.id}" if len(names) > 1 else detected.format.id)
            if are_first:
                err.say(f"{name}: detected from the first {tools:,} of its tools; `convert` looks at later ones, too")
            else:
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
    else:
        yield from dict.fromkeys(remark for unit in units if (remark := remark_of(detected.format, unit)))
    try:
        catalogues = [unit.catalogue(detected.format) for unit in units]
        items = [item for catalogue in catalogues for item in catalogue.items]
    except DocumentError as error:
        yield str(error)  # it is no reason to doubt the format
    else:
        if not items:
            yield "nothing in it, so other formats would fit as well"
            return
        if detected.kind == "tool" and (error := _no_valid_tool(catalogues[0], detected.format)) is not None:
            yield f"no tool in it is valid in this format: {error}"
        if detected.ties:
            yield others(detected.ties)


def _no_valid_tool(catalogue: Catalogue, form: Format) -> ToolbridgeError | None:
    """The error of the first tool if none can be read in a format, which then may be another one."""
    failure = None
    for item, place in zip(catalogue.items, catalogue.places, strict=True):
        error = read_tool(form, Item(None, place, item)).failure
        if error is None:
            return None
        failure = failure or error
    return failure


def _large(name: str, limits: Limits) -> tuple[Detected, int, bool] | None:
    """What `detect_file` finds of a large file of tools; None for other inputs."""
    if not is_large(name):
        return None
    from ..bulk.files.blocks import NotSplittable
    from ..bulk.files.tool_file import detect_file

    try:
        return detect_file(name, limits)
    except (NotSplittable, FormatError):
        return None


def is_large(name: str) -> bool:
    """Whether an input is a file that is read tool by tool."""
    try:
        if name == "-" or not os.path.isfile(name) or (size := os.path.getsize(name)) * _RATIO < LARGE:
            return False
        if size >= LARGE:
            return True
        with open(name, "rb") as file:
            return packed_as(file.read(4)) != ""
    except OSError:
        return False


_RATIO = 10
"""How many times smaller tools are when they are compressed, about."""


def check(options: Namespace) -> int:
    """`toolbridge check`."""
    return _Check(options).run()


class _Check:
    """One run of `toolbridge check`: what its inputs have in common, and the counts so far."""

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._form = get_format(options.source) if options.source else None
        self._limits = named_limits(options.limits)
        self._files = Files(options.inputs, None)
        named = [name for name in self._files.names if name not in self._files.found or is_large(name)]
        check_files(options, named, ())  # a file in a directory is no input if it has no tools, as the last report
        self._gate, self._screen = Gate.of(options), Screen(options, check=True)
        self._reports = _check_reports(options)
        self._err = stderr(quiet=options.quiet)
        self._remarks = InputPrinter(self._err, many=len(self._files.names) > MAX_PRINTED)
        self._totals: dict[Kind, CheckCounts] = {}
        self._gated = 0

    def run(self) -> int:
        """Check all inputs. Returns the exit code."""
        options, files = self._options, self._files
        names = [name for name in files.names if not self._check_large(name)]
        inputs, skipped = load(
            names,
            options.kind,
            self._form,
            found=files.found,
            limits=self._limits,
            with_text=self._reports is not None,
            by_item=True,
        )
        check_files(options, [input_.name for input_ in inputs], ())
        self._err.say_first([*files.skipped, *skipped], "files skipped")
        alone = len(files.names) == 1 and sum(len(each.units) + len(each.broken) for each in inputs) == 1
        for input_ in inputs:
            self._check_input(input_, alone=alone)
        self._remarks.finish()
        for kind, total in self._totals.items():
            if total.items or len(self._totals) == 1:
                self._err.say(total.summary(kind))
        unread = say_unread(self._err, inputs)
        self._screen.finish(self._err, quiet=options.quiet)
        if self._reports is not None:
            self._reports.write()
        self._gate.say(self._err, self._gated)
        if self._gate.is_open:
            return 0
        is_invalid = any(total.invalid or total.unchecked for total in self._totals.values())
        return int(self._gated > 0 or unread > 0 or is_invalid)

    def _add(self, kind: Kind, found: CheckCounts) -> None:
        self._totals[kind] = self._totals.get(kind, CheckCounts()).plus(found)

    def _say(self, out: Printer, problem: Problem, severity: str) -> None:
        """Print a problem, unless the report goes to standard output."""
        if self._reports is None or self._reports.is_text:
            out.say(str(problem), severity)

    def _check_large(self, name: str) -> bool:
        """Check a large file of tools one by one. Returns whether the input is one."""
        if self._options.kind not in (None, "tool") or not is_large(name) or not self._screen.is_empty:
            return False
        from .check_large import check_large

        counts = check_large(name, self._form, self._limits, self._gate, self._reports, quiet=self._options.quiet)
        if counts is None:
            return False
        self._add("tool", counts[0])
        self._gated += counts[1]
        return True

    def _check_input(self, input_: Input, *, alone: bool) -> None:
        """Check the units of an input; `alone` is whether there is only one unit."""
        broken = self._screen.broken(input_)
        for problem in broken:
            self._say(stdout(), problem, "error")
        if self._reports is not None:
            self._reports.begin_input(input_, {problem.line for problem in broken}, self._form)
        if not input_.is_unread:
            known = len(input_.broken) - len(broken)
            self._add(input_.kind, CheckCounts(len(input_.broken), len(broken), known=known))
        heads: set[str] = set()
        for unit in input_.units:
            self._add(unit.kind, self._check_unit(unit, heads, alone=alone))

    def _check_unit(self, unit: Unit, heads: set[str], *, alone: bool) -> CheckCounts:
        """Check a unit. Returns the numbers of its items.

        `heads` are what was remarked before of the input, to which that of the unit is added. Raises ToolbridgeError if
        it is of no known format, and alone.
        """
        form, limits, screen = self._form, self._limits, self._screen
        try:
            detected = None if form else recognised_as(unit)
            chosen = form or cast("Detected", detected).format
            catalogue = unit.catalogue(recognised_as(unit).format if is_interface(unit.value) else chosen)
            errors = problems(unit.document, chosen, kind=unit.kind, limits=limits)
            errors = [_with_line(error, unit) for error in errors] if unit.spread else errors
        except (FormatError, DocumentError) as error:
            failure = hinted(error, unit)
            if alone:
                raise ToolbridgeError(str(problem_of(unit, failure))) from None
            return self._check_unknown(unit, failure)
        except Exception as error:  # noqa: BLE001 - the other documents are still checked
            failure = unchecked(error, "", None)
            self._say(stdout(), problem_of(unit, failure), "error")
            if self._reports is not None:
                self._reports.add(unit, form, None, [failure], [], 1)
            return CheckCounts(1, unchecked=1)
        head = f"checked as {kind_in_format(chosen.id, [unit])}{'' if form else ' (detected)'}"
        if head not in heads:
            self._remarks.say(unit.name, head)
            heads.add(head)
        remark = "" if form else remark_of(chosen, unit)
        if remark and remark != chosen.remark and remark not in heads:
            self._remarks.say(unit.name, remark)
            heads.add(remark)
        with_errors = {error.item for error in errors}
        source = source_of(unit.value, chosen) if unit.kind == "tool" else None
        _name_tools(errors, catalogue, source)
        if form is not None and source is form and catalogue.items and len(with_errors) == len(catalogue.items):
            self._remark_other_format(unit, form)
        shown = screen.problems(unit, chosen, errors, "error")
        for error in shown:
            self._say(stdout(), problem_of(unit, hinted(error, unit)), "error")
        warnings = [*_duplicates(unit, catalogue), *_warnings(unit, catalogue, chosen)]
        _name_tools(warnings, catalogue, source)
        shown_warnings = screen.problems(unit, chosen, warnings, "warning")
        for problem in shown_warnings:
            self._say(self._err, problem_of(unit, problem), "warning")
        screen.examine(unit.name, chosen.id)
        self._gated += sum(self._gate.fails(problem.rule or INVALID, "warning") for problem in shown_warnings)
        checked_items = len(catalogue.items)
        if len(errors) > limits.failures and (last := errors[-1].item) is not None:
            checked_items = last + 1  # the items after it were not checked
        if self._reports is not None:
            ignored = len(errors) + len(warnings) - len(shown) - len(shown_warnings)
            self._reports.add(unit, chosen, detected, shown, shown_warnings, checked_items, ignored)
        return _counts(checked_items, with_errors, shown)

    def _remark_other_format(self, unit: Unit, form: Format) -> None:
        """Say that all tools of a unit, which are not valid in the given format, look like those of another one."""
        found = looks_like(unit, form)
        if found is not None:
            how = "" if form.reads_only else f"; `toolbridge convert` writes {form.family} from it"
            remark = remark_of(found, unit) if form.family == "mcp" else ""
            self._remarks.say(unit.name, remark or f"this looks like {found.id}{how}")

    def _check_unknown(self, unit: Unit, error: ToolbridgeError) -> CheckCounts:
        """Say that a unit is of no known format. Returns the numbers of its items."""
        items = len(unit.documents)
        shown = as_document_error(error)
        if self._screen.hides_unread(unit.name, unit.documents[0].line, shown.pointer):
            if self._reports is not None:
                self._reports.add(unit, None, None, [], [], items, 1)
            return CheckCounts(items, known=items)
        self._say(stdout(), problem_of(unit, error), "error")
        if self._reports is not None:
            self._reports.add(unit, None, None, [shown], [], items)
        return CheckCounts(items, items)


def _check_reports(options: Namespace) -> CheckReports | None:
    """The reports that the options ask for."""
    if options.report is None and options.output_format == "text":
        return None
    from .reports import CheckReports

    return CheckReports(options)


def _with_line(error: DocumentError, unit: Unit) -> DocumentError:
    """The error of an item; that of a name that an earlier tool has with the line of this tool."""
    if error.earlier is None:
        return error
    return repeated(error.item, error.earlier, error.pointer, unit.line(error.earlier))


def _name_tools(found: Iterable[DocumentError], catalogue: Catalogue, source: Format | None) -> None:
    """Add the names of the tools to the errors of items; `source` is the format of the tools."""
    for error in found:
        if source is not None and error.item is not None and error.item < len(catalogue.items):
            error.tool = error.tool or tool_name(catalogue.items[error.item], source)


def _counts(items: int, with_errors: set[int | None], shown: list[DocumentError]) -> CheckCounts:
    """The numbers of the items of a unit: of those with errors, some may have none left that is shown."""
    invalid = {error.item for error in shown if error.rule != BUG}
    unchecked = {error.item for error in shown} - invalid
    known = with_errors - invalid - unchecked
    # An error of the document itself makes one item invalid, unless there are errors of items.
    numbers = [len(each - {None}) or int(bool(each)) for each in (invalid, unchecked, known)]
    return CheckCounts(items, *numbers)


def _duplicates(unit: Unit, catalogue: Catalogue) -> Iterator[DocumentError]:
    """The members that appear twice in their objects."""
    for place, number in zip(unit.duplicates, catalogue.numbers_at(unit.duplicates), strict=True):
        yield DocumentError("appears twice in its object", place, item=number, rule="TB002")


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
        for warning in item_warnings(item, source, form):
            yield warning.moved(place if catalogue.shape == "interface" else place + warning.pointer, index)
