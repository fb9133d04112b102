"""The gate of the command: which losses and problems set the exit code, and which are ignored."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from msgspec.structs import replace

from ..conversion.catalogue import Catalogue, catalogue_of
from ..conversion.item import tool_name
from ..data.types import is_object
from ..errors import DocumentError, ToolbridgeError
from ..formats.registry import get_format
from ..hub import Kind, amount
from ..losses.codes import INVALID
from ..losses.effects import Severity
from ..losses.report import Loss, Selection
from ..mapping.format import Format
from ..validation import source_of
from .baseline import Baseline, Entry
from .inputs import Input
from .options import SEVERITIES, codes_of, gate_of, parts_of
from .output import Printer, Problem, Result, Unit

_UNKNOWN = "unknown"
"""The format that a baseline has for documents of no known format, and for lines that could not be read."""

_LISTED = 10
"""How many entries of a baseline are listed that were not found."""


class Finding(NamedTuple):
    """A loss, or a problem that `check` found: its code or its rule, how severe it is, and the place in the tool."""

    code: str
    severity: Severity
    tool: str
    place: str


class _Selectors(NamedTuple):
    """Findings by their codes and severities, or by the rules of vendors, such as `openai/root_excluded`."""

    selection: Selection
    rules: tuple[str, ...]

    @classmethod
    def of(cls, option: str, given: Iterable[str]) -> _Selectors:
        rules: list[str] = []
        selectors: list[str] = []
        for part in given:
            if "/" in part:
                rules.append(part)
            else:
                selectors.append(part.upper() if part[:2].upper() == "TB" else part.lower())
        codes_of(option, (each for each in selectors if each not in SEVERITIES))  # raises the error
        if rules:
            from .explanation import rule_names, unknown_rule

            for rule in rules:  # `openai/*` are several
                if not any(fnmatchcase(name, rule) for name in rule_names(rule)):
                    raise ToolbridgeError(f"{option}: {unknown_rule(rule)}")
        return cls(Selection.of(selectors), tuple(rules))

    def has(self, code: str, severity: Severity) -> bool:
        return self.selection.has(code, severity) or any(fnmatchcase(code, rule) for rule in self.rules)


class Gate(NamedTuple):
    """Which findings set the exit code 1, besides items that could not be converted or are not valid."""

    selectors: _Selectors
    is_open: bool
    """Whether nothing sets it."""
    text: str
    """The selectors as they were given."""

    @classmethod
    def of(cls, options: Namespace) -> Gate:
        """The gate of `--fail-on`. Raises ToolbridgeError for what is no selector."""
        parts = gate_of(options.fail_on)
        is_open = parts == ["never"]
        return cls(_Selectors.of("--fail-on", () if is_open else parts), is_open, ",".join(parts))

    def fails(self, code: str, severity: Severity) -> bool:
        """Whether a finding sets the exit code."""
        return not self.is_open and self.selectors.has(code, severity)

    def count(self, results: Iterable[Result]) -> int:
        """The number of losses that set the exit code."""
        return sum(self.fails(loss.code, loss.severity) for result in results for loss in result.report)

    def say(self, out: Printer, number: int) -> None:
        """Say why the exit code is 1, if that is because of so many findings."""
        if number:
            out.say(f"failed: {amount(number, 'finding')} of --fail-on {self.text}", "error")


class _Ignore(NamedTuple):
    """What one part of `--ignore` names: findings, of the tools that a pattern names."""

    selectors: _Selectors
    tools: str

    @classmethod
    def of(cls, given: str) -> _Ignore:
        code, colon, tools = given.partition(":")
        if not code or (colon and not tools):
            raise ToolbridgeError(f"--ignore takes CODE or CODE:TOOL, found {given!r}")
        return cls(_Selectors.of("--ignore", [code]), tools or "*")

    def has(self, found: Finding) -> bool:
        return fnmatchcase(found.tool, self.tools) and self.selectors.has(found.code, found.severity)


class Screen:
    """What is left out of the messages, the reports and the gate: by `--ignore`, and by a baseline.

    `check` is whether the findings are those of a check.
    """

    def __init__(self, options: Namespace, *, check: bool = False) -> None:
        self._check = check
        self._exceptions = [_Ignore.of(part) for part in parts_of(options.ignore)]
        # The first baseline is written with the options that are meant for all that follow.
        begins = options.write_baseline is not None and not os.path.exists(options.baseline or "")
        self._baseline = None if options.baseline is None or begins else Baseline.read(options.baseline)
        self._new = Baseline.begin(options.write_baseline) if options.write_baseline is not None else None
        self._ignored = self._known = self._written = 0

    @property
    def is_empty(self) -> bool:
        """Whether no option leaves anything out."""
        return not self._exceptions and self._baseline is None and self._new is None

    def hides(self, name: str, form: str, found: Finding) -> bool:
        """Whether a finding is left out; `name` is the input, `form` the target format, or that of a check."""
        if any(each.has(found) for each in self._exceptions):
            self._ignored += 1
            return True
        entry = Entry(form, found.tool, found.code, found.place, self._is_of_check(form))
        is_known = self._baseline is not None and self._baseline.has(name, entry)
        if self._new is not None:
            self._new.add(name, entry)
            self._written += 1
            return True
        self._known += is_known
        return is_known

    def examine(self, name: str, form: str) -> None:
        """Note that an input was read completely: entries of the baseline for it that were not found are stale."""
        for baseline in (self._baseline, self._new):
            if baseline is not None:
                baseline.examine(name, form, check=self._is_of_check(form))

    def _is_of_check(self, form: str) -> bool:
        """Whether only a check has the findings of a format; what could not be read is the same for all commands."""
        return self._check and form != _UNKNOWN

    def broken(self, input_: Input) -> list[Problem]:
        """The lines of an input that could not be read and are not left out."""
        if self.is_empty or input_.is_unread:
            return input_.broken
        self.examine(input_.name, _UNKNOWN)
        return [problem for problem in input_.broken if not self.hides_unread(input_.name, problem.line, "")]

    def hides_unread(self, name: str, line: int | None, pointer: str) -> bool:
        """Whether the finding of a document that was not read is left out; a baseline has its line as its place."""
        return self.hides(name, _UNKNOWN, Finding(INVALID, "error", "", f"line {line}{pointer and ' '}{pointer}"))

    def hidden_codes(self, codes: Iterable[tuple[str, Severity]]) -> set[str]:
        """The codes that are left out of every tool."""
        return {
            code
            for code, severity in codes
            if any(each.has(Finding(code, severity, "", "")) for each in self._exceptions)
        }

    def shown(self, result: Result) -> tuple[Result, set[int | None]]:
        """A result without the losses that are left out, and the items of which no refusal is left."""
        if self.is_empty:
            return result, set()
        name, report = result.unit.name, result.report
        if not report.source:
            return result, set()
        kept: list[Loss] = []
        refused: set[int | None] = set()
        hidden: set[int | None] = set()
        for loss, found in zip(report, _findings(result), strict=True):
            if self.hides(name, report.target, found):
                if loss.effect == "refused":
                    hidden.add(loss.item)
                continue
            kept.append(loss)
            if loss.effect == "refused":
                refused.add(loss.item)
        self.examine(name, report.target)
        hidden -= refused
        errors = [error for error in result.errors if getattr(error, "item", None) not in hidden]
        ignored = len(report) - len(kept)
        return replace(result, report=report.of(kept), ignored=ignored, errors=errors), hidden

    def problems(
        self, unit: Unit, form: Format, given: Sequence[DocumentError], severity: Severity
    ) -> list[DocumentError]:
        """The problems of a unit that are not left out."""
        if self.is_empty:
            return list(given)
        catalogue = unit.catalogue(form)
        source = source_of(unit.value, form) if unit.kind == "tool" else form
        kept: list[DocumentError] = []
        for problem in given:
            tool, place = _in_tool(catalogue, problem.item, problem.pointer, unit.kind, source)
            if not self.hides(unit.name, form.id, Finding(problem.rule or INVALID, severity, tool, place)):
                kept.append(problem)
        return kept

    def finish(self, out: Printer, *, quiet: bool) -> None:
        """Write the new baseline, and say how much was left out, and what the baseline has that was not found."""
        if self._new is not None:
            self._new.write()
            if not quiet:
                out.say(f"{self._new.path}: {amount(self._written, 'finding')} written")
        if quiet:
            return
        if self._exceptions:
            out.say(f"{amount(self._ignored, 'finding')} ignored (--ignore)")
        if self._baseline is None:
            return
        if self._known:
            out.say(f"{amount(self._known, 'finding')} ignored ({self._baseline.path})")
        stale = self._baseline.stale()
        if stale:
            path, number = self._baseline.path, amount(len(stale), "finding")
            out.say(f"{path}: {number} no longer found, which --write-baseline drops:")
            for name, entry in stale[:_LISTED]:
                where = " ".join(part for part in (entry.code, entry.tool, entry.place) if part)
                out.say(f"  {name}: {where} ({entry.format})")
            if len(stale) > _LISTED:
                out.say(f"  and {len(stale) - _LISTED:,} more")


def _in_tool(catalogue: Catalogue, item: int | None, place: str, kind: Kind, form: Format) -> tuple[str, str]:
    """The name of the tool, or the call, of an item (empty if it has none), and a place as one in the item."""
    number = 0 if item is None and catalogue.shape == "tool" else item
    if number is None or number >= len(catalogue.items):
        return "", place
    found = catalogue.items[number]
    name = tool_name(found, form) if kind == "tool" else found.get("name") if is_object(found) else None
    return name if isinstance(name, str) else "", place.removeprefix(catalogue.places[number])


def _findings(result: Result) -> Iterable[Finding]:
    """The losses of a result, each with its tool and its place in that."""
    unit, report = result.unit, result.report
    source = get_format(report.source)
    catalogue = unit.catalogue(source)
    written: set[str] = set()
    if not result.missing and unit.kind == "tool":
        written = {*catalogue_of(result.value, get_format(report.target)).places}
    for loss in report:
        tool, place = _in_tool(catalogue, loss.item, loss.source, unit.kind, source)
        if loss.target and (not place or loss.effect == "invented"):
            place = f"-> {_within(loss.target, written)}"
        yield Finding(loss.code, loss.severity, tool, place)


def _within(target: str, written: set[str]) -> str:
    """A place in a written catalogue as the place in its tool."""
    start = len(target)
    while start > 0:
        if target[:start] in written:
            return target[start:]
        start = target.rfind("/", 0, start)
    return target
