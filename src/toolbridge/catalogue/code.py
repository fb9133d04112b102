"""Code: an entry of the catalogue, and the families of codes by what happens to whoever reads the output."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

Severity: TypeAlias = Literal["info", "warning", "error"]

DOCS = "https://toolbridge.readthedocs.io/losses/"

EFFECTS: dict[str, tuple[str, str]] = {
    "TB0": ("repaired", "the source broke its own specification and was put right where its meaning is beyond doubt"),
    "TB1": ("unsaid", "the document is silent about something; what it accepts is unchanged"),
    "TB2": ("widened", "the document accepts what the source refused"),
    "TB3": ("narrowed", "the document refuses what the source accepted"),
    "TB4": ("invented", "the document says what nobody said"),
    "TB5": (
        "reworded",
        "the document says it in other words, which only its remainder or toolbridge itself turns back",
    ),
    "TB6": ("unguarded", "the document lost something that a caller leans on for safety"),
    "TB7": ("content", "the result lost part of what the tool returned"),
    "TB8": ("remainder", "an old truth was carried or refused"),
    "TB9": ("refused", "it could not be written at all"),
}
"""Effect and meaning of each family of codes."""


class Example(Struct, frozen=True, kw_only=True):
    """A crossing that raises the code, whatever else it raises: `convert(document, to, source=source, **options)`."""

    document: Any
    source: str
    to: str
    options: dict[str, Any] = {}


class Code(Struct, frozen=True, kw_only=True):
    """One way to lose something; `example` is None where no document is known to cause it."""

    id: str
    name: str
    severity: Severity
    meaning: str
    advice: str
    example: Example | None
    since: str = "0.1.0"

    @property
    def effect(self) -> str:
        """What happens to whoever reads the output: `"unsaid"`, `"widened"`, `"narrowed"` ..."""
        return EFFECTS[self.id[:3]][0]

    @property
    def url(self) -> str:
        return f"{DOCS}{self.id}/"
