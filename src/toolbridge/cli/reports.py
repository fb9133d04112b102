"""The reports that the command writes: JSON, SARIF, JUnit, workflow commands of GitHub, an HTML page."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from msgspec import to_builtins
from msgspec.json import encode
from msgspec.structs import replace

from ..characters import visible, visible_json
from ..conversion.detect import Detected, without_any_secrets
from ..conversion.item import name_in, table_of
from ..conversion.rules import rules_of
from ..data import pointer as at
from ..data.documents import Document, Source
from ..data.json_decoder import decode_json
from ..data.location import locate
from ..data.types import Json
from ..errors import DocumentError, LossError, ToolbridgeError, as_document_error
from ..formats.dialects import DIALECTS
from ..formats.registry import get_format
from ..hub import Kind
from ..losses.codes import INVALID
from ..losses.effects import HOME
from ..losses.json_report import json_failure
from ..losses.report import Report
from ..mapping.format import Format
from ..validation import source_of
from .explanation import RULES
from .inputs import Input, hinted
from .interrupts import write_files
from .output import Problem, Result, Unit

if TYPE_CHECKING:
    from ..losses.rendering.html import ItemDocuments

REFUSED = "TB904"
"""The code of what `--refuse` left out."""

ReportForm: TypeAlias = Literal["json", "jsonl", "sarif", "junit", "github", "html"]

_ENDINGS: tuple[tuple[str, ReportForm], ...] = (
    (".jsonl", "jsonl"),
    (".ndjson", "jsonl"),
    (".sarif", "sarif"),
    (".sarif.json", "sarif"),
    (".xml", "junit"),
    (".html", "html"),
    (".htm", "html"),
)


def form_of(path: str) -> ReportForm:
    """The form of a report in a file of this name. Raises ToolbridgeError for another ending."""
    for ending, form in _ENDINGS:
        if path.lower().endswith(ending):
            return form
    if os.path.splitext(path)[1].lower() not in ("", ".json"):
        endings = ", ".join(ending for ending, _ in _ENDINGS)
        raise ToolbridgeError(f"--report takes a name that ends in .json, {endings}, found {path!r}")
    return "json"


class UnitReport(NamedTuple):
    """The JSON report of a unit (None: of lines that could not be read), and what it is about: its source format, if
    that is known, and the result of its conversion, if it was converted.
    """

    input: Input
    unit: Unit | None
    report: dict[str, Any]
    format: Format | None
    result: Result | None = None


def report_of(result: Result) -> dict[str, Any]:
    """The JSON report of a conversion, plain data, with the lines of JSON Lines."""
    unit, report = result.unit, result.report
    names = _item_names(unit, get_format(report.source)) if report.source else []
    plain = decode_json(report.to_json())
    for loss in plain["losses"]:
        loss["line"] = unit.line(loss["item"])
    failures: list[dict[str, Any]] = []
    for error in result.errors:
        failure = to_builtins(json_failure(error))
        item: int | None = failure["item"]
        failure |= {"tool": failure["tool"] or _name_of(item, names), "line": unit.line(item)}
        failures.append(failure | {"rule": REFUSED} if isinstance(error, LossError) else failure)
    items: int | None = plain["items"]
    return {
        **plain,
        "input": _shown(unit.name),
        "kind": unit.kind,
        "items": len(names) or None if items is None else items,
        "lossless": plain["lossless"] and not failures,
        "failures": failures,
        "ignored": result.ignored,
    }


def report_of_lines(input_: Input, broken: list[dict[str, Any]], target: str) -> dict[str, Any]:
    """The JSON report of an input of which nothing could be read."""
    plain = decode_json(Report((), "", target, kind=input_.kind, items=0).to_json())
    return plain | {"input": _shown(input_.name), "lossless": False, "failures": broken}


def _item_names(unit: Unit, form: Format) -> list[str | None]:
    """The names of the items of a unit in this format; None for one that has none."""
    return [_name(item, form, unit.kind) for item in unit.catalogue(form).items]


def _name_of(item: int | None, names: Sequence[str | None]) -> str | None:
    """The name of an item; that of the only one, if no item is given."""
    if item is None:
        return names[0] if len(names) == 1 else None
    return names[item] if item < len(names) else None


def broken_lines(input_: Input) -> list[dict[str, Any]]:
    """The failures of the lines that could not be read."""
    return [
        {
            "item": None,
            "tool": None,
            "line": document.line,
            "column": document.error.column,
            "pointer": "",
            "problem": visible(document.error.problem),
            "rule": INVALID,
        }
        for document in input_.source.documents
        if document.error is not None
    ]


def _shown(name: str) -> str:
    """The name of an input as JSON can have it: the name of a file need not be UTF-8."""
    return name.encode("utf-8", "backslashreplace").decode()


def rendered(form: ReportForm, reported: Sequence[UnitReport]) -> bytes:
    """The text of reports in this form. Raises ToolbridgeError if it would be too large for those who read it."""
    reports = [each.report for each in reported]
    if form == "jsonl":
        return visible_json(
            b"".join(
                encode({"input": report["input"], "line": None, **entry}) + b"\n"
                for report in reports
                for entry in (*report["losses"], *report["failures"])
            )
        )
    if form == "json":
        # Not indented: reports are read by programs.
        return visible_json(encode(reports[0] if len(reports) == 1 else reports)) + b"\n"
    from ..losses.rendering import github, html, junit, sarif

    if form == "html":
        return html.render(reports, [[*documents_of(each)] for each in reported]).encode()
    if form == "junit":
        names = (_item_names(each.unit, each.format) if each.unit and each.format else [] for each in reported)
        return junit.render(reports, [*names]).encode()
    return {"sarif": sarif, "github": github}[form].render(reports).encode()


def written(options: Namespace, reported: Sequence[UnitReport]) -> list[tuple[str, bytes]]:
    """The reports that the options ask for: where each is written, and its text."""
    asked: list[tuple[str, ReportForm]] = [(options.report, form_of(options.report))] if options.report else []
    if options.output_format != "text":
        asked.append(("-", options.output_format))
    if any(form != "jsonl" for _, form in asked):
        for each in reported:
            add_positions(each)
    return [(path, rendered(form, reported)) for path, form in asked]


# lines and columns


def add_positions(reported: UnitReport) -> None:
    """Add the line and the column of each loss and failure of a report: where its place is in the text of the input."""
    unit = reported.unit
    if unit is None or not reported.input.text:
        return
    places: list[str] | None = None
    wanted: dict[int, list[tuple[dict[str, Any], str]]] = {}
    for entry in (*reported.report["losses"], *reported.report["failures"]):
        if entry.get("rule") == INVALID and entry["item"] is None:
            continue  # a line that could not be read, and has no unit
        item: int | None = entry["item"]
        pointer: str = entry.get("source", entry.get("pointer")) or ""
        if unit.spread:
            if item is not None and item < len(unit.documents):
                wanted.setdefault(item, []).append((entry, unit.within(pointer, item)))
            continue
        if not pointer and item is not None and reported.format is not None:
            places = unit.catalogue(reported.format).places if places is None else places
            pointer = places[item] if item < len(places) else ""
        wanted.setdefault(0, []).append((entry, pointer))
    text = _SourceText(reported.input)
    for number, entries in wanted.items():
        document = unit.documents[number]
        if document.error is not None:
            continue
        part, is_yaml = text.of(document)
        pointers = [pointer for _, pointer in entries if pointer[:1] in ("", "/")]
        found = locate(part, pointers, yaml=is_yaml, first=document.line)
        for entry, pointer in entries:
            if pointer in found:
                entry["line"], entry["column"] = found[pointer].line, found[pointer].column


class _SourceText:
    """The text of an input, in which its documents are found."""

    def __init__(self, input_: Input) -> None:
        self._kind = input_.source.kind
        self._lines = input_.text.split("\n")
        starts = [document.line for document in input_.source.documents]
        self._ends = dict(zip(starts, [*starts[1:], len(self._lines) + 1], strict=True))

    def of(self, document: Document) -> tuple[str, bool]:
        """The text from the first line of a document, and whether it is YAML."""
        first = document.line - 1
        if self._kind == "jsonl":
            return self._lines[first], False
        last = self._ends[document.line] - 1
        if self._kind == "markdown":
            fences = (n for n in range(first, len(self._lines)) if re.match(r"[ \t]*(?:```|~~~)", self._lines[n]))
            last = min(next(fences, last), max(last, first + 1))
        text = "\n".join(self._lines[first:last] if self._kind != "json" else self._lines[first:])
        return text, self._kind == "yaml" or (self._kind == "markdown" and text.lstrip()[:1] not in ("{", "["))


# documents, for pages that show them


def documents_of(reported: UnitReport) -> Iterator[ItemDocuments]:
    """The items of a unit, as they were and as they were written, without secrets."""
    from ..losses.rendering.html import ItemDocuments

    unit, form, result = reported.unit, reported.format, reported.result
    if unit is None or form is None:
        return
    catalogue = unit.catalogue(form)
    targets = _targets(result, [_name(item, form, unit.kind) for item in catalogue.items])
    single = catalogue.shape == "tool"
    for number, (item, place) in enumerate(zip(catalogue.items, catalogue.places, strict=True)):
        shown = at.get(unit.value, place) if catalogue.shape == "interface" else item
        source = None if isinstance(item, DocumentError) else _public(shown, form, unit.kind)
        name = _name(item, form, unit.kind) or f"{unit.kind} {number}"
        target, target_place = targets.get(number, (None, ""))
        yield ItemDocuments(name, source, place, target, target_place, 0 if single else number)


def _targets(result: Result | None, names: Sequence[str | None]) -> dict[int, tuple[Json, str]]:
    """The written items with their places, by the number of the item that each was."""
    if result is None or result.missing:
        return {}
    target, unit = get_format(result.report.target), result.unit
    written_unit = replace(unit, documents=[Document(line=1, value=result.value)], spread=False)
    try:
        catalogue = written_unit.catalogue(target)
    except ToolbridgeError:
        return {}
    items = [*zip((_public(item, target, unit.kind) for item in catalogue.items), catalogue.places, strict=True)]
    left_out = {loss.item for loss in result.report if loss.effect == "refused"}
    numbers = [number for number in range(len(names)) if number not in left_out]
    if len(numbers) == len(items):
        return dict(zip(numbers, items, strict=True))
    # Tools that were left out before were restored: those that have their names are shown.
    by_name = {name: number for number, name in enumerate(names) if name is not None}
    found = ((by_name.get(_name(item, target, unit.kind) or ""), (item, place)) for item, place in items)
    return {number: written for number, written in found if number is not None}


def _name(item: Json, form: Format, kind: Kind) -> str | None:
    return name_in(item, table_of(item, form, kind))


def _public(item: Json, form: Format, kind: Kind) -> Json:
    """An item without the secrets of calls."""
    return without_any_secrets(rules_of(kind).without_secrets(item, form), form) if kind != "tool" else item


# checks


def _rule(name: str, form: Format | None) -> dict[str, str] | None:
    """The meaning of a rule of a vendor, and its page; None for a code and for an unknown rule."""
    dialect_id, _, rule = name.partition("/")
    dialect = next((each for each in DIALECTS if each.id == dialect_id), None)
    page = f"{HOME}formats/{'' if form is None else form.family}/"
    if dialect is None and form is not None and form.dialect is not None and form.dialect.id == dialect_id:
        dialect, page = form.dialect, form.spec  # of another package
    if dialect is None:
        return None
    # Not a fact that is recorded for it: `keywords` has one for each keyword.
    meaning = f"{dialect.title}: {RULES[rule]}" if rule in RULES else ""
    return {"meaning": meaning, "url": page}


class CheckReports:
    """The reports of a run of `toolbridge check`; `is_text` is whether the findings are printed as text as well."""

    def __init__(self, options: Namespace) -> None:
        if options.report is not None:
            form_of(options.report)  # raises the error of another ending
        self.is_text: bool = options.output_format == "text"
        self._options = options
        self._reported: list[UnitReport] = []
        self._input = Input("", Source("json", []), [])
        self._findings: list[dict[str, Any]] = []
        self._broken: list[dict[str, Any]] = []
        self._ignored = 0

    def begin_input(self, input_: Input, lines: Collection[int | None], form: Format | None) -> None:
        """Begin an input: add its lines that could not be read, but for those that are not among these `lines`.

        They are in the report of the first unit, or in one of their own if there is no unit.
        """
        self._input = input_
        broken = broken_lines(input_)
        self._broken = [each for each in broken if each["line"] in lines]
        self._ignored = len(broken) - len(self._broken)
        if broken and not input_.units:
            report = self._report(input_.name, form, input_.kind, None, 0, 0)
            self._reported.append(UnitReport(input_, None, report, form))

    def add_finding(self, severity: str, found: Problem) -> None:
        """Add a finding to the next report; only one about a line that could not be read has a column."""
        self._findings.append({
            "item": found.item,
            "tool": found.tool,
            "line": found.line,
            "column": found.column,
            "pointer": found.pointer,
            "problem": visible(found.problem),
            "severity": severity,
            "rule": found.rule if found.column is None else INVALID,
        })

    def _report(  # noqa: PLR0917 - what is known of the check
        self, name: str, form: Format | None, kind: Kind, ties: Sequence[str] | None, items: int, ignored: int
    ) -> dict[str, Any]:
        """The report of the findings so far, plain data; the first of an input has its lines that could not be read.

        `ties` are the ids of other formats that fit as well; None if the format was given.
        """
        failures = [*self._findings, *({**each, "severity": "error"} for each in self._broken)]
        names = [failure["rule"] for failure in failures]
        counts = {name: names.count(name) for name in sorted({name for name in names if name is not None})}
        report = {
            "version": 1,
            "input": _shown(name),
            "kind": kind,
            "source": "" if form is None else form.id,
            "target": "" if form is None else form.id,
            "assumed": ties is not None,
            "ties": [*(ties or ())],
            "items": items,
            "lossless": not failures,
            "ignored": ignored + self._ignored,
            "counts": counts,
            "losses": [],
            "failures": failures,
            "rules": {name: rule for name in counts if (rule := _rule(name, form)) is not None},
        }
        self._findings, self._broken, self._ignored = [], [], 0
        return report

    def add_large(self, name: str, form: Format, ties: Sequence[str] | None, items: int) -> None:
        """Add the report of a file that was checked tool by tool: its findings have the lines that are known."""
        report = self._report(name, form, "tool", ties, items, 0)
        self._reported.append(UnitReport(Input(report["input"], Source("json", []), []), None, report, None))

    def add(  # noqa: PLR0917 - what is known of the check of a unit
        self,
        unit: Unit,
        form: Format | None,
        detected: Detected | None,
        errors: Iterable[DocumentError],
        warnings: Iterable[DocumentError],
        items: int,
        ignored: int = 0,
    ) -> None:
        """Add the findings of a unit; `ignored` others are left out."""
        # Tools of any format are checked as those of a vendor: their names stand where their own format has them.
        source = source_of(unit.value, form) if form is not None and unit.kind == "tool" else form
        names = [] if source is None else _item_names(unit, source)
        for severity, group in (("error", errors), ("warning", warnings)):
            for error in group:
                tool, shown = _name_of(error.item, names), as_document_error(hinted(error, unit))
                place = (unit.name, unit.line(error.item), error.item, error.pointer)
                self.add_finding(severity, Problem(*place, shown.sentence, tool=tool, rule=shown.rule))
        ties = None if detected is None else detected.ties
        report = self._report(unit.name, form, unit.kind, ties, items, ignored)
        self._reported.append(UnitReport(self._input, unit, report, source))

    def write(self) -> None:
        """Write the reports."""
        for path, text in written(self._options, self._reported):
            write_files([(path, [text])])
