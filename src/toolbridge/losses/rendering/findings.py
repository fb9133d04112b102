"""The findings of JSON reports: losses and failures in one form, for all renderers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from ...characters import MAX_MESSAGE, shorten, visible
from ..codes import CATALOGUE, INVALID
from ..effects import DOCS
from ..report import CODES

JsonReport: TypeAlias = Mapping[str, Any]
"""A report as schemas/report.json describes it, parsed."""

SEVERITIES: Final = ("error", "warning", "info")


class Rule(NamedTuple):
    """A kind of finding: a loss code, or a rule of a vendor or of a format."""

    id: str
    name: str
    severity: str
    effect: str
    meaning: str
    advice: str
    url: str


class Finding(NamedTuple):
    """A loss or a failure of a report."""

    report: int
    input: str | None
    line: int | None
    column: int | None
    tool: str | None
    item: int | None
    pointer: str
    target: str | None
    severity: str
    rule: Rule
    problem: str
    """What was found, in a sentence."""
    before: str = ""
    after: str = ""
    field: str | None = None
    """The field that a loss is about, by its name in all formats."""

    @property
    def text(self) -> str:
        """The tool, the place, what was found, and what stood there before and stands there now, in one line."""
        where = " ".join(part for part in (self.tool, visible(shorten(self.pointer))) if part)
        parts = [f"{where}:"] if where else []
        parts.append(self.problem)
        if self.before:
            parts.append(f"Before: {self.before}")
        if self.after:
            parts.append(f"Now: {self.after}")
        return shorten(" ".join(parts), MAX_MESSAGE)


_CODES: Final[dict[str, Rule]] = {
    code.id: Rule(code.id, code.name, code.severity, code.effect, code.meaning, code.advice, code.url)
    for code in CATALOGUE
}
_INVALID: Final = _CODES[INVALID]._replace(
    meaning="This is not valid in its format.", advice="Correct it where it is made: other programs may reject it."
)


UNREADABLE: Final = _INVALID._replace(meaning="This line cannot be read.")
"""The rule of a line of JSON Lines that cannot be read, and so is no item."""


def findings(reports: Iterable[JsonReport]) -> Iterator[Finding]:
    """The losses and failures of reports, in their order.

    An item that was left out is one finding: the loss that says so, with the problem of its failure.
    """
    for number, report in enumerate(reports):
        failures: dict[int | None, list[Mapping[str, Any]]] = {}
        for failure in report.get("failures", ()):
            failures.setdefault(failure["item"], []).append(failure)
        for loss in report.get("losses", ()):
            rule = _CODES.get(loss["code"]) or _foreign(loss)
            failure = None
            if loss["effect"] == "refused" and failures.get(loss["item"]):
                failure = failures[loss["item"]].pop(0)
            yield _finding(number, report, loss, rule, failure)
        for group in failures.values():
            for failure in group:
                yield _finding(number, report, failure, _rule(report, failure), failure)


def item_of(report: JsonReport, finding: Finding) -> int | str:
    """Which item of its report a finding is about: its index, or a name for what is none."""
    if finding.item is not None:
        return finding.item
    if finding.rule == UNREADABLE:
        return f"line {finding.line}"
    return 0 if report.get("items") == 1 else "the whole document"


def rules_of(found: Iterable[Finding]) -> list[Rule]:
    """The rules of findings, sorted by their ids, each once."""
    return [rule for _, rule in sorted({finding.rule.id: finding.rule for finding in found}.items())]


def severe_first(found: Iterable[Finding]) -> list[Finding]:
    """Findings with errors first, then warnings."""
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


def _finding(
    number: int, report: JsonReport, entry: Mapping[str, Any], rule: Rule, failure: Mapping[str, Any] | None
) -> Finding:
    problem: str = rule.meaning if failure is None else failure["problem"]
    if limit := entry.get("limit"):
        problem += f" ({limit['found']:,} {limit['what']}, {limit['allowed']:,} allowed)"
    tool = entry.get("tool")
    places = (entry, failure or {})
    return Finding(
        number,
        report.get("input"),
        next((place["line"] for place in places if place.get("line")), None),
        next((place["column"] for place in places if place.get("column")), None),
        None if tool is None else visible(shorten(tool)),
        entry.get("item"),
        _place(entry, failure),
        entry.get("target"),
        entry.get("severity") or rule.severity,
        rule,
        visible(problem),
        _excerpt(entry.get("before")),
        _excerpt(entry.get("after")),
        entry.get("field"),
    )


def _place(entry: Mapping[str, Any], failure: Mapping[str, Any] | None) -> str:
    """The place of a loss or failure; that of the failure where it is within the place of the loss."""
    place: str = entry.get("source", entry.get("pointer")) or ""
    inner: str = (failure or {}).get("pointer") or ""
    return inner if inner.startswith(place) else place


def _excerpt(excerpt: Mapping[str, Any] | None) -> str:
    if not excerpt:
        return ""
    return visible(excerpt["text"]) + (" ..." if excerpt["length"] > len(excerpt["text"]) else "")


def _foreign(loss: Mapping[str, Any]) -> Rule:
    """The rule of a code that this version does not know."""
    return Rule(loss["code"], loss["name"], loss["severity"], loss["effect"], loss["message"], "", loss["url"])


def _rule(report: JsonReport, failure: Mapping[str, Any]) -> Rule:
    """The rule of a failure: a code, or one that the report explains."""
    name: str | None = failure.get("rule")
    if name is None:
        return _INVALID
    if name == INVALID and failure["item"] is None:
        return UNREADABLE
    if name in CODES:
        return _CODES[name]
    given: Mapping[str, Any] = report.get("rules", {}).get(name, {})
    return _INVALID._replace(
        id=name,
        name=name,
        meaning=given.get("meaning") or failure["problem"],
        advice=given.get("advice", ""),
        url=given.get("url") or DOCS,
    )


def is_check(reports: Sequence[JsonReport]) -> bool:
    """Whether the reports are those of checks, which explain the rules that they found."""
    return bool(reports) and all("rules" in report for report in reports)


def title_of(reports: Sequence[JsonReport]) -> str:
    """What the reports are about, in one line."""
    if not reports:
        return "Nothing was converted"
    sources, targets = ([*dict.fromkeys(report.get(key) or "?" for report in reports)] for key in ("source", "target"))
    names = [*dict.fromkeys(report["input"] for report in reports if report.get("input"))]
    files = "" if not names else f"{names[0]}: " if len(names) == 1 else f"{len(names)} files: "
    if is_check(reports):
        return visible(f"{files}checked as {', '.join(sources)}")
    return visible(f"{files}{', '.join(sources)} to {', '.join(targets)}")
