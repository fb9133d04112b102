"""The report of a large catalogue, written line by line, with the same entries as `Report`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ...characters import visible, visible_json
from ...errors import ToolbridgeError
from ...losses.report import Loss, as_json
from ...mapping.format import Budgets
from ...mapping.record import Notes

_encode = msgspec.json.Encoder().encode

FIRST: Final = 3
"""The number of places that are kept for each code."""

_HOLE: Final = msgspec.Raw(b"\0")
"""A character that no JSON text contains."""


class Failed(NamedTuple):
    """An item that was left out: its index, its line in JSON Lines, the place in it, and the problem."""

    item: int
    line: int | None
    place: str
    problem: str


def shown_place(place: str) -> str:
    """A place as the report has it: in the tool, or in the whole document."""
    return place.removeprefix("^")


class ReportWriter:
    """Writes the losses of items as JSON Lines, from templates, since many tools have the same losses."""

    def __init__(self, name: str) -> None:
        # A path need not be text.
        self._name = name.encode("utf-8", "backslashreplace").decode()
        self._templates: dict[tuple[tuple[str, str, str | None], ...], tuple[bytes, int]] = {}
        self._by_id: dict[int, tuple[Notes, tuple[bytes, int]]] = {}

    def losses(self, notes: Notes, item: int, line: int | None) -> bytes:
        """The lines of an item."""
        # All tools of a plan have the same list of notes. The cache holds that list, so its id is not used again.
        cached = self._by_id.get(id(notes))
        if cached is None or cached[0] is not notes:
            if len(self._by_id) > 4096:
                self._by_id.clear()
            cached = self._by_id[id(notes)] = notes, self._template(tuple(notes))
        text, count = cached[1]
        return text % (((b"null" if line is None else b"%d" % line), b"%d" % item) * count)

    def _template(self, notes: tuple[tuple[str, str, str | None], ...]) -> tuple[bytes, int]:
        template = self._templates.get(notes)
        if template is None:
            if len(self._templates) > 4096:
                self._templates.clear()
            lines: list[bytes] = []
            for code, place, target in notes:
                entry = {**as_json(Loss(code, shown_place(place), target, None)), "item": _HOLE}
                text = _encode({"input": self._name, "line": _HOLE, **entry}) + b"\n"
                lines.append(visible_json(text.replace(b"%", b"%%").replace(b"\0", b"%s")))
            template = self._templates[notes] = b"".join(lines), len(notes)
        return template

    def loss(self, loss: Loss, line: int | None = None) -> bytes:
        """The line of one loss."""
        return visible_json(_encode({"input": self._name, "line": line, **as_json(loss)})) + b"\n"

    def failure(self, failed: Failed) -> bytes:
        """The line of an item that was left out."""
        entry: dict[str, Any] = {"item": failed.item, "pointer": failed.place, "problem": visible(failed.problem)}
        return visible_json(_encode({"input": self._name, "line": failed.line, **entry})) + b"\n"


class Counts(msgspec.Struct):
    """Counts of converted items and of their losses by code, with the first places (the item, its line, the place).

    For a place in a written tool (`-> `), the item is the index of the written tool.
    """

    items: int = 0
    written: int = 0
    strict: int = 0
    used: dict[int, Budgets] = {}
    oversized: dict[int, Budgets] = {}
    lossless: int = 0
    lossy: int = 0
    refused: int = 0
    codes: dict[str, int] = {}
    places: dict[str, list[tuple[int, int | None, str]]] = {}
    failed: int = 0
    failures: list[Failed] = []
    unanswered: list[str] | None = None
    restored: int = 0
    """The number of written tools that the first conversion had left out, restored from the remainder."""

    @property
    def none(self) -> bool:
        """Whether there were items, and none of them was converted."""
        return self.items > 0 and self.lossless + self.lossy + self.restored == 0

    def add(self, other: Counts, most: int = 20) -> None:
        """Add the counts of the items that follow."""
        before = self.written
        self.items += other.items
        self.written += other.written
        self.strict += other.strict
        self.used |= other.used
        self.oversized |= other.oversized
        self.lossless += other.lossless
        self.lossy += other.lossy
        self.refused += other.refused
        self.failed += other.failed
        self.restored += other.restored
        self.failures += other.failures[: most - len(self.failures)]
        for code, count in other.codes.items():
            self.codes[code] = self.codes.get(code, 0) + count
        for code, places in other.places.items():
            moved = [(item + before * place.startswith("-> "), line, place) for item, line, place in places]
            add_first(self.places.setdefault(code, []), moved)
        if other.unanswered is not None:
            places_of_both = other.unanswered if self.unanswered is None else {*self.unanswered} & {*other.unanswered}
            self.unanswered = sorted(places_of_both)


def add_first(places: list[tuple[int, int | None, str]], added: Sequence[tuple[int, int | None, str]]) -> None:
    """Add places up to the number that is kept."""
    for place in added:
        if len(places) < FIRST and place not in places:
            places.append(place)


def failed_at(error: ToolbridgeError, number: int, line: int | None, base: str) -> Failed:
    """The failure of an item, with the place in the item."""
    place: str = getattr(error, "pointer", "")
    problem: str = getattr(error, "problem", str(error))
    if base and (place == base or place.startswith(base + "/")):
        place = place[len(base) :]
    return Failed(number, line, place, problem)
