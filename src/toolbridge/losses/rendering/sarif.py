"""Reports as SARIF 2.1.0, for code scanning. https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from msgspec.json import encode

from ...characters import visible, visible_json
from ..effects import HOME
from .findings import Finding, JsonReport, Rule, findings, rules_of

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_LEVEL: Final = {"info": "note", "warning": "warning", "error": "error"}


def render(reports: Sequence[JsonReport]) -> str:
    """The reports as one SARIF log with one run.

    Args:
        reports: Parsed JSON reports.

    Returns:
        JSON text. A finding has the file, line and column that its report states, and a logical location: the tool
        and the JSON Pointer.
    """
    from ... import __version__

    found = [*findings(reports)]
    rules = rules_of(found)
    index = {rule.id: number for number, rule in enumerate(rules)}
    driver = {
        "name": "toolbridge",
        "version": __version__,
        "informationUri": HOME,
        "rules": [_rule(rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, index[finding.rule.id]) for finding in found],
    }
    return visible_json(encode({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})).decode() + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    text = f"{rule.meaning} {rule.advice}".strip()
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": visible(rule.meaning)},
        "fullDescription": {"text": visible(rule.meaning)},
        "help": {"text": visible(text)},
        "helpUri": rule.url,
        "defaultConfiguration": {"level": _LEVEL[rule.severity]},
        "properties": {"tags": [rule.effect]},
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if finding.input and finding.input != "<stdin>":
        location["physicalLocation"] = {"artifactLocation": {"uri": uri(finding.input)}}
        if finding.line:
            region = {"startLine": finding.line, **({"startColumn": finding.column} if finding.column else {})}
            location["physicalLocation"] |= {"region": region}
    logical: dict[str, str] = {"fullyQualifiedName": finding.pointer} if finding.pointer else {}
    if finding.tool:
        logical["name"] = finding.tool
    if logical:
        location["logicalLocations"] = [logical]
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": index,
        "level": _LEVEL[finding.severity],
        "message": {"text": _without_links(finding.text)},
        **({"locations": [location]} if location else {}),
    }


def _without_links(text: str) -> str:
    """A text whose parts do not become links: `[words](destination)` is one in a plain text message (3.11.6)."""
    return re.sub(r"[\\\[\]]", r"\\\g<0>", text) if "](" in text else text


def uri(path: str) -> str:
    """A path as a URI reference (RFC 3986); an absolute one has the scheme `file`."""
    from urllib.parse import quote

    path = path.replace("\\", "/")
    drive = path[1:3] == ":/" and path[:1].isalpha()
    quoted = quote(path, safe="/:" if drive else "/", errors="surrogatepass")
    if drive:
        return f"file:///{quoted}"
    return f"file://{quoted}" if path.startswith("/") else quoted.removeprefix("./")
