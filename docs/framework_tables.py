"""The table of agent frameworks, from the results of `make test-frameworks`."""

from __future__ import annotations

import json
from pathlib import Path

from markdown import table

RESULTS = Path(__file__).resolve().parent.parent / "tests" / "adapters" / "results.json"
COLUMNS = {
    "test_tools_in": "tools",
    "test_calls_sync": "without await",
    "test_calls_async": "with await",
    "test_errors": "errors",
    "test_images": "images",
    "test_own_tools": "own tools",
    "test_agent": "agent",
}
SKIPPED = {"test_calls_sync": "awaits all", "test_calls_async": "awaits none", "test_images": "described"}


def section() -> str:
    """A row for each framework."""
    results = json.loads(RESULTS.read_text(encoding="utf-8")).values()
    head = ("framework", "package", "checked", *COLUMNS.values())
    return table(
        head,
        (
            (
                result["title"],
                f"{result['package']} {result['version']}",
                result["checked"],
                *(_cell(column, result.get(column)) for column in COLUMNS),
            )
            for result in results
        ),
    )


def _cell(column: str, outcome: str | None) -> str:
    return {"passed": "yes", "skipped": SKIPPED.get(column, "-"), None: "-"}.get(outcome, "**no**")
