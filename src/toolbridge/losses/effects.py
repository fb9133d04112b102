"""What a loss does to a document, how much that matters, and the description of a code."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

Severity: TypeAlias = Literal["info", "warning", "error"]

RANK: dict[Severity, int] = {"info": 0, "warning": 1, "error": 2}
"""How much a severity matters."""

HOME = "https://toolbridge.readthedocs.io/"

DOCS = "https://toolbridge.readthedocs.io/losses/"

EFFECTS: dict[str, tuple[str, str]] = {
    "TB0": (
        "repaired",
        "the source does not follow its own specification, and was converted all the same: the code says how",
    ),
    "TB1": ("dropped", "information is missing from the written document; it accepts the same values as the source"),
    "TB2": ("widened", "the written document accepts values that the source rejects"),
    "TB3": ("narrowed", "the written document rejects values that the source accepts"),
    "TB4": ("invented", "the written document has a value that the source does not have"),
    "TB5": ("reworded", "the written document expresses it differently"),
    "TB6": ("safety", "the written document lacks information that callers need for safety"),
    "TB7": ("content", "the result lacks part of what the tool returned, or has it in another form"),
    "TB8": ("remainder", "a remainder was left out, applied or rejected, or no longer fits"),
    "TB9": ("refused", "the item could not be converted"),
}
"""Effect and meaning of each family of codes."""


class Example(Struct, frozen=True, kw_only=True):
    """A conversion that reports the code, possibly among others: `convert(document, to, source=source, **options)`."""

    document: Any
    source: str
    to: str
    options: dict[str, Any] = {}


class Code(Struct, frozen=True, kw_only=True):
    """One kind of loss; `example` is None where no document is known to cause it.

    `of_default` is the severity where the value that is lost goes without saying, if that is another.
    """

    id: str
    name: str
    severity: Severity
    meaning: str
    advice: str
    example: Example | None
    since: str = "0.1.0"
    of_default: Severity | None = None

    @property
    def effect(self) -> str:
        """What the loss does to the new document: `"dropped"`, `"widened"`, `"narrowed"` ..."""
        return EFFECTS[self.id[:3]][0]

    @property
    def url(self) -> str:
        return f"{DOCS}{self.id}/"
