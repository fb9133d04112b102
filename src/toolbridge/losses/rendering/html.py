"""Reports as one HTML page that needs no network and no knowledge of toolbridge."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.json import encode

from ...characters import shorten, visible, visible_json
from ...errors import ToolbridgeError
from ..codes import CODES
from ..digest import PHRASES, Sentence, digest
from ..loss import Details, Excerpt
from ..report import Loss
from .findings import INVALID, UNREADABLE, Finding, JsonReport, findings, is_check, item_of, rules_of, title_of

MAX_PAGE_SIZE: Final = 100_000_000
"""The size in bytes of the largest page: browsers take longer than a few seconds to open a larger one."""

_NAMED: Final = 3

_EFFECTS: Final = (
    *("refused", "safety", "narrowed", "widened", "content", "repaired", "invented", "dropped", "reworded"),
    "remainder",
)
"""The effects of codes in the order of the filter."""


_OF_CHECKS: Final = {**PHRASES, "TB9": (3, "is not valid", "are not valid")}


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
        "heading": "What was found" if is_check(reports) else "What changed",
        "summary": _summary(reports, found, items),
        "codes": _codes(found),
        "data": _data(reports, found, items),
    }
    template = files("toolbridge.losses.rendering").joinpath("page.html").read_text(encoding="utf-8")
    for tag in ("script", "style"):
        inline = template.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
        parts[f"{tag}-hash"] = f"'sha256-{b64encode(sha256(inline.encode()).digest()).decode()}'"
    page = re.sub(r"\{\{([a-z-]+)\}\}", lambda match: parts[match[1]], template)
    if len(page) > MAX_PAGE_SIZE:
        raise ToolbridgeError(
            f"a page of {len(page) / 1e6:,.0f} MB is too large for browsers: write the report to a .json or .jsonl "
            "file, or convert a part of the tools"
        )
    return page


class _Item(Struct, eq=False):
    """An item of the page with its findings."""

    report: int
    documents: ItemDocuments
    findings: list[Finding] = []

    def as_json(self) -> dict[str, Any]:
        documents = self.documents
        return {
            "report": self.report,
            "name": visible(shorten(documents.name)),
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
    items: dict[tuple[int, int | str], _Item] = {}
    for number, group in enumerate(documents):
        for position, each in enumerate(group):
            item = position if each.item is None else each.item
            items[number, item] = _Item(number, each._replace(item=item))
    for finding in found:
        number = item_of(reports[finding.report], finding)
        key = finding.report, number
        item = items.get(key)
        if item is None:
            kind = reports[finding.report].get("kind") or "item"
            name = finding.tool or (number if isinstance(number, str) else f"{kind} {number}")
            item = items[key] = _Item(
                finding.report, ItemDocuments(name, None, item=number if isinstance(number, int) else None)
            )
        item.findings.append(finding)
    return [*items.values()]


def _summary(reports: Sequence[JsonReport], found: Sequence[Finding], items: Sequence[_Item]) -> str:
    """The sentences that sum up the reports, as list items."""
    checked = is_check(reports)
    total = sum(report.get("items") or 0 for report in reports)
    kinds = {report.get("kind") or "item" for report in reports}
    kind = kinds.pop() if len(kinds) == 1 else "item"
    losses = [((each.report, item_of(reports[each.report], each)), _loss(each)) for each in found]
    sentences = [
        f'<li class="{each.severity}"><strong>{escape(each.text)}</strong>{_listed(each)}.</li>'
        for each in digest(losses, (kind, f"{kind}s"), _OF_CHECKS if checked else PHRASES)
        if each.severity != "info"
    ]
    untouched = total - sum(bool(item.findings) for item in items if item.documents.item is not None)
    if untouched > 0 or not found:
        verbs, outcome = (("is", "are"), "valid") if checked else (("was", "were"), "converted without any loss")
        amount = f"{max(untouched, 0):,} {kind if untouched == 1 else kind + 's'}"
        sentences.append(f'<li class="good"><strong>{amount}</strong> {verbs[untouched != 1]} {outcome}.</li>')
    if count := sum(finding.severity == "info" for finding in found):
        words = "difference is" if count == 1 else "differences are"
        sentences.append(f'<li class="info">{count:,} further {words} for information only.</li>')
    return "\n".join(sentences)


def _loss(finding: Finding) -> Loss:
    """A finding as the loss that it is; what is not valid is one, too."""
    code = finding.rule.id if finding.rule.id in CODES else INVALID
    item = -1 if finding.rule == UNREADABLE else finding.item  # a line, and not the whole document
    before = Excerpt(finding.before, len(finding.before)) if finding.before else None
    is_default = finding.severity != CODES[code].severity
    details = Details(finding.tool, before, field=finding.field, is_default=is_default)
    return Loss(code, finding.pointer, finding.target, item).bound(details)


def _listed(sentence: Sentence) -> str:
    """The first names of a sentence."""
    names = ", ".join(f"<code>{escape(visible(shorten(name)))}</code>" for name in sentence.names[:_NAMED])
    more = sentence.tools - _NAMED
    return f": {names} and {more:,} more" if names and more > 0 else f": {names}" if names else ""


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
        "effects": _EFFECTS,
        "checked": is_check(reports),
        "items": [item.as_json() for item in items],
    }
    return visible_json(encode(data)).decode().replace("<", "\\u003c").replace(">", "\\u003e")
