"""Reports as workflow commands of GitHub Actions, which annotate files.

https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts (checked 2026-11-23) defines the escapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import normpath
from typing import Final

from ...characters import visible
from .findings import JsonReport, findings, severe_first

_COMMAND: Final = {"error": "error", "warning": "warning", "info": "notice"}


def render(reports: Sequence[JsonReport]) -> str:
    """A workflow command for each finding; errors come first, because GitHub shows ten of each kind.

    Args:
        reports: Parsed JSON reports.

    Returns:
        Lines such as `::error file=tools.json,line=3,col=5,title=TB601 hint-dropped::search: ...`.
    """
    lines: list[str] = []
    for finding in severe_first(findings(reports)):
        rule = finding.rule
        properties = {
            "file": normpath(finding.input) if finding.input and finding.input != "<stdin>" else None,
            "line": finding.line,
            "col": finding.column,
            "title": rule.id if rule.id == rule.name else f"{rule.id} {rule.name}",
        }
        written = ",".join(f"{key}={_property(str(each))}" for key, each in properties.items() if each)
        lines.append(f"::{_COMMAND[finding.severity]} {written}::{_data(finding.text)}\n")
    return "".join(lines)


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
