"""Reports as one HTML page that needs no network and no knowledge of toolbridge."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any, Final, NamedTuple

from msgspec.json import encode

from ...characters import visible
from ...errors import ToolbridgeError
from .findings import SEVERITIES, Finding, JsonReport, findings, rules_of, title_of

LARGEST: Final = 100_000_000
"""The size in bytes of the largest page: browsers take longer than a few seconds to open a larger one."""

_NAMED: Final = 3

_SENTENCES: Final = {
    "refused": ("could not be converted, and is not in the result", "could not be converted, and are not in the result"),
    "safety": ("lost information that callers need for safety", "lost information that callers need for safety"),
    "narrowed": ("now rejects values that it accepted before", "now reject values that they accepted before"),
    "widened": ("now accepts values that it rejected before", "now accept values that they rejected before"),
    "content": ("lacks part of what the tool returned", "lack part of what the tools returned"),
    "repaired": ("had a mistake that was corrected", "had mistakes that were corrected"),
    "invented": ("has a value that the source does not have", "have values that the source does not have"),
    "dropped": ("lacks some information of the source", "lack some information of the source"),
    "reworded": ("expresses something differently", "express something differently"),
    "remainder": ("has a remainder that needs attention", "have remainders that need attention"),
}
"""What the findings of an effect mean for one item, and for several; the most serious ones first."""

_INVALID: Final = ("is not accepted", "are not accepted")


class ItemDocuments(NamedTuple):
    """One item of a report, as it was and as it was written.

    Attributes:
        name: The name of the tool.
        source: The item in the source document, plain JSON data; None if there is none.
        source_place: Its place there, a JSON Pointer.
        target: The item in the result; None if it was left out.
        target_place: Its place there.
        item: Its index, as in the losses of the report.
    """

    name: str
    source: Any
    source_place: str = ""
    target: Any = None
    target_place: str = ""
    item: int | None = None


def render(reports: Sequence[JsonReport], documents: Sequence[Iterable[ItemDocuments]] = ()) -> str:
    """The reports as a page.

    Args:
        reports: Parsed JSON reports.
        documents: For each report its items. Without them the page shows what the report has.

    Returns:
        HTML text, which loads nothing and runs only its own script.

    Raises:
        ToolbridgeError: The page would be too large for browsers.
    """
    found = [*findings(reports)]
    items = _items(reports, found, documents)
    parts = {
        "title": escape(title_of(reports)),
        "summary": _summary(reports, found, items),
        "codes": _codes(found),
        "data": _data(reports, found, items),
    }
    template = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    for tag in ("script", "style"):
        inline = template.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
        parts[f"{tag}-hash"] = f"'sha256-{b64encode(sha256(inline.encode()).digest()).decode()}'"
    page = re.sub(r"\{\{([a-z-]+)\}\}", lambda match: parts[match[1]], template)
    if len(page) > LARGEST:
        raise ToolbridgeError(
            f"a page of {len(page) / 1e6:,.0f} MB is too large for browsers: write the report to a .json or .jsonl file,"
            " or convert a part of the tools"
        )
    return page


class _Item:
    """An item of the page with its findings."""

    def __init__(self, report: int, documents: ItemDocuments) -> None:
        self.report = report
        self.documents = documents
        self.findings: list[Finding] = []

    def as_json(self) -> dict[str, Any]:
        documents = self.documents
        return {
            "report": self.report,
            "name": visible(documents.name),
            "source": None if documents.source is None else encode(documents.source).decode(),
            "sourcePlace": documents.source_place,
            "target": None if documents.target is None else encode(documents.target).decode(),
            "targetPlace": documents.target_place,
            "findings": [
                [
                    each.rule.id,
                    each.severity,
                    each.pointer,
                    each.target,
                    "" if each.problem == each.rule.meaning else each.problem,
                    each.before,
                    each.after,
                    f"{each.line}:{each.column}" if each.line and each.column else str(each.line or ""),
                ]
                for each in self.findings
            ],
        }


def _items(
    reports: Sequence[JsonReport], found: Sequence[Finding], documents: Sequence[Iterable[ItemDocuments]]
) -> list[_Item]:
    items: dict[tuple[int, int | None], _Item] = {}
    for number, group in enumerate(documents):
        for position, each in enumerate(group):
            item = position if each.item is None else each.item
            items[number, item] = _Item(number, each)
    for finding in found:
        single = reports[finding.report].get("items") == 1 and finding.item is None
        key = finding.report, 0 if single else finding.item
        item = items.get(key)
        if item is None:
            what = reports[finding.report].get("kind") or "item"
            name = finding.tool or ("The whole document" if key[1] is None else f"{what} {key[1]}")
            item = items[key] = _Item(finding.report, ItemDocuments(name, None))
        item.findings.append(finding)
    return [*items.values()]


def _summary(reports: Sequence[JsonReport], found: Sequence[Finding], items: Sequence[_Item]) -> str:
    """The sentences that sum up the reports, as list items."""
    checked = bool(reports) and all(report.get("source") == report.get("target") for report in reports)
    total = sum(report.get("items") or 0 for report in reports)
    kinds = {report.get("kind") or "item" for report in reports}
    kind = kinds.pop() if len(kinds) == 1 else "item"
    sentences: list[str] = []
    for effect, words in _SENTENCES.items():
        names = [
            item.documents.name
            for item in items
            if any(each.rule.effect == effect and each.severity != "info" for each in item.findings)
        ]
        if names:
            said = (_INVALID if checked and effect == "refused" else words)[len(names) > 1]
            sentences.append(
                f'<li class="{_worst(found, effect)}"><strong>{_amount(len(names), kind)}</strong> {said}: '
                f"{_listed(names)}.</li>"
            )
    untouched = total - sum(bool(item.findings) for item in items if item.documents.name != "The whole document")
    if untouched > 0 or not found:
        said = "valid" if checked else "converted without any loss"
        verb = "is" if untouched == 1 else "are"
        sentences.append(f'<li class="good"><strong>{_amount(max(untouched, 0), kind)}</strong> {verb} {said}.</li>')
    if any(finding.severity == "info" for finding in found):
        count = sum(finding.severity == "info" for finding in found)
        sentences.append(f'<li class="info">{count:,} further differences are for information only.</li>')
    return "\n".join(sentences)


def _worst(found: Sequence[Finding], effect: str) -> str:
    severities = {finding.severity for finding in found if finding.rule.effect == effect}
    return next(severity for severity in SEVERITIES if severity in severities)


def _amount(count: int, kind: str) -> str:
    return f"{count:,} {kind if count == 1 else kind + 's'}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"<code>{escape(visible(name))}</code>" for name in names[:_NAMED])
    more = len(names) - _NAMED
    return f"{shown} and {more:,} more" if more > 0 else shown


def _codes(found: Sequence[Finding]) -> str:
    """The rows of the table of codes."""
    rows: list[str] = []
    for rule in rules_of(found):
        group = [finding for finding in found if finding.rule.id == rule.id]
        tools = len({(finding.report, finding.item) for finding in group})
        name = "" if rule.name == rule.id else f" {escape(rule.name)}"
        rows.append(
            f'<tr><td><button type="button" class="code" data-rule="{escape(rule.id)}">{escape(rule.id)}{name}</button>'
            f'</td><td><span class="effect">{escape(rule.effect)}</span></td><td class="number">{tools:,}</td>'
            f'<td class="number">{len(group):,}</td><td>{escape(visible(rule.meaning))}</td></tr>'
        )
    return "\n".join(rows)


def _data(reports: Sequence[JsonReport], found: Sequence[Finding], items: Sequence[_Item]) -> str:
    """What the script of the page reads: JSON text that cannot end its element."""
    data = {
        "rules": {
            rule.id: [rule.name, rule.effect, rule.severity, visible(rule.meaning), visible(rule.advice), rule.url]
            for rule in rules_of(found)
        },
        "reports": [
            [visible(report.get("input") or ""), report.get("source"), report.get("target")] for report in reports
        ],
        "effects": [*_SENTENCES],
        "items": [item.as_json() for item in items],
    }
    return encode(data).decode().replace("<", "\\u003c").replace(">", "\\u003e")
