"""What a report says, in the forms in which tests compare it."""

from __future__ import annotations

from typing import Any


def places(done: Any) -> set[tuple[str, str, str | None]]:
    """The losses with their places in both documents."""
    return {(loss.code, loss.source, loss.target) for loss in done.report}


def source_places(done: Any) -> set[tuple[str, str]]:
    """The losses with their places in the source document."""
    return {(loss.code, loss.source) for loss in done.report}


def codes_by_place(done: Any) -> dict[str, str]:
    """The codes by the places in the source document."""
    return {loss.source: loss.code for loss in done.report}


def codes_within(done: Any, place: str) -> set[str]:
    """What is noted at, or within, a place of the source document."""
    return {loss.code for loss in done.report if f"{loss.source}/".startswith(f"{place}/")}
