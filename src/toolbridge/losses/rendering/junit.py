"""Reports as JUnit XML, as Jenkins and GitLab read it.

https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
(checked 2026-11-23)
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from ...characters import shorten, visible
from .findings import Finding, JsonReport, findings, item_of


def render(reports: Sequence[JsonReport], names: Sequence[Sequence[str | None]] = ()) -> str:
    """The reports as test suites: a test case for each item, which fails if one of its findings is an error.

    Args:
        reports: Parsed JSON reports.
        names: For each report the names of its items. Without them only an item with a finding has its name.

    Returns:
        XML text. Warnings and what is for information stand in the output of the test case.
    """
    suites = [_Suite(number, report, names[number] if names else ()) for number, report in enumerate(reports)]
    for finding in findings(reports):
        suites[finding.report].add(item_of(reports[finding.report], finding), finding)
    lines = [suite.written() for suite in suites]
    tests, failures = sum(suite.tests for suite in suites), sum(suite.failures for suite in suites)
    head = f'<testsuites name="toolbridge" tests="{tests}" failures="{failures}" errors="0">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *lines, "</testsuites>"]) + "\n"


class _Suite:
    """The test suite of one report."""

    def __init__(self, number: int, report: JsonReport, names: Sequence[str | None]) -> None:
        self._names = names
        self.name = report.get("input") or f"report {number}"
        self._kind = report.get("kind") or "item"
        source, target = report.get("source"), report.get("target")
        formats = f"{source} to {target}" if source != target else str(source)
        self._class = f"{self.name}: {formats}" if source else self.name
        self._cases: dict[int | str, list[Finding]] = {item: [] for item in range(report.get("items") or 0)}

    def add(self, item: int | str, finding: Finding) -> None:
        self._cases.setdefault(item, []).append(finding)

    @property
    def tests(self) -> int:
        return len(self._cases)

    @property
    def failures(self) -> int:
        return sum(any(finding.severity == "error" for finding in found) for found in self._cases.values())

    def written(self) -> str:
        head = f'<testsuite name={_attribute(self._class)} tests="{self.tests}" failures="{self.failures}" errors="0">'
        return "\n".join([f"  {head}", *(self._case(item) for item in self._cases), "  </testsuite>"])

    def _name(self, item: int | str) -> str:
        """The name of an item, or what it is called without one."""
        if isinstance(item, str):
            return item
        return shorten((self._names[item] if item < len(self._names) else None) or f"{self._kind} {item}")

    def _case(self, item: int | str) -> str:
        found = self._cases[item]
        name = next((finding.tool for finding in found if finding.tool), None) or self._name(item)
        written = f" name={_attribute(name)} classname={_attribute(self._class)}"
        errors = [finding for finding in found if finding.severity == "error"]
        others = [finding for finding in found if finding.severity != "error"]
        parts: list[str] = []
        if errors:
            kinds = f"type={_attribute(errors[0].rule.id)} message={_attribute(errors[0].text)}"
            parts.append(f"<failure {kinds}>{_lines(errors)}</failure>")
        if others:
            parts.append(f"<system-out>{_lines(others)}</system-out>")
        return f"    <testcase{written}>{''.join(parts)}</testcase>" if parts else f"    <testcase{written}/>"


def _lines(found: Sequence[Finding]) -> str:
    """One line for each finding."""
    return escape("".join(f"{_at(each)}{each.severity} {each.rule.id} {each.text}\n" for each in found))


def _at(finding: Finding) -> str:
    places = [str(place) for place in (finding.line, finding.column) if place]
    return f"{':'.join(places)}: " if places else ""


def _attribute(text: str) -> str:
    return quoteattr(visible(text))
