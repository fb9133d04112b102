"""The report of a large catalogue, written line by line: each loss as the report of a small one has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ...characters import visible, visible_json
from ...errors import ToolbridgeError
from ...losses.report import Loss, as_json
from ...mapping.record import Notes

_encode = msgspec.json.Encoder().encode

FIRST: Final = 3
"""How many places of each code are named in the end."""

_HOLE: Final = msgspec.Raw(b"\0")
"""What no JSON text has in it."""


class Failed(NamedTuple):
    """An item that was left out: its number, its line in JSON Lines, the place within it, and why."""

    item: int
    line: int | None
    place: str
    problem: str


def shown_place(place: str) -> str:
    """A place as it is told: within the tool, or in the whole document."""
    return place.removeprefix("^")


class ReportWriter:
    """Tells losses of items as JSON Lines. Many tools lose the same: what they have in common is put together once."""

    def __init__(self, name: str) -> None:
        # A path need not be text.
        self._name = name.encode("utf-8", "backslashreplace").decode()
        self._known: dict[tuple[tuple[str, str, str | None], ...], tuple[bytes, int]] = {}
        self._last: dict[int, tuple[Notes, tuple[bytes, int]]] = {}

    def losses(self, notes: Notes, item: int, line: int | None) -> bytes:
        """The lines of an item."""
        # The notes of a template are the same list for each of its tools; who keeps that has its number for itself.
        found = self._last.get(id(notes))
        if found is None or found[0] is not notes:
            if len(self._last) > 4096:
                self._last.clear()
            found = self._last[id(notes)] = notes, self._made(tuple(notes))
        text, many = found[1]
        return text % (((b"null" if line is None else b"%d" % line), b"%d" % item) * many)

    def _made(self, notes: tuple[tuple[str, str, str | None], ...]) -> tuple[bytes, int]:
        found = self._known.get(notes)
        if found is None:
            if len(self._known) > 4096:
                self._known.clear()
            lines: list[bytes] = []
            for code, place, there in notes:
                told = {**as_json(Loss(code, shown_place(place), there, None)), "item": _HOLE}
                text = _encode({"input": self._name, "line": _HOLE, **told}) + b"\n"
                lines.append(visible_json(text.replace(b"%", b"%%").replace(b"\0", b"%s")))
            found = self._known[notes] = b"".join(lines), len(notes)
        return found

    def loss(self, loss: Loss, line: int | None = None) -> bytes:
        """The line of one loss."""
        return visible_json(_encode({"input": self._name, "line": line, **as_json(loss)})) + b"\n"

    def failure(self, failed: Failed) -> bytes:
        """The line of an item that was left out."""
        told: dict[str, Any] = {"item": failed.item, "pointer": failed.place, "problem": visible(failed.problem)}
        return visible_json(_encode({"input": self._name, "line": failed.line, **told})) + b"\n"


class Counts(msgspec.Struct):
    """What became of some items, and what they lost: by code, with the first places (the item, its line, the place).

    Where a place is that of a written tool (`-> `), its item is the number of that.
    """

    items: int = 0
    written: int = 0
    strict: int = 0
    lossless: int = 0
    lossy: int = 0
    refused: int = 0
    codes: dict[str, int] = {}
    places: dict[str, list[tuple[int, int | None, str]]] = {}
    failed: int = 0
    failures: list[Failed] = []
    unanswered: list[str] | None = None
    restored: int = 0
    """How many tools are written that had been left out on the way here."""

    @property
    def none(self) -> bool:
        """Whether there were items, and none of them was converted."""
        return self.items > 0 and self.lossless + self.lossy + self.restored == 0

    def add(self, other: Counts, most: int = 20) -> None:
        """What became of the items behind these."""
        before = self.written
        self.items += other.items
        self.written += other.written
        self.strict += other.strict
        self.lossless += other.lossless
        self.lossy += other.lossy
        self.refused += other.refused
        self.failed += other.failed
        self.restored += other.restored
        self.failures += other.failures[: most - len(self.failures)]
        for code, many in other.codes.items():
            self.codes[code] = self.codes.get(code, 0) + many
        for code, places in other.places.items():
            moved = [(item + before * place.startswith("-> "), line, place) for item, line, place in places]
            first(self.places.setdefault(code, []), moved)
        if other.unanswered is not None:
            both = other.unanswered if self.unanswered is None else {*self.unanswered} & {*other.unanswered}
            self.unanswered = sorted(both)


def first(known: list[tuple[int, int | None, str]], more: Sequence[tuple[int, int | None, str]]) -> None:
    """Keep the first places."""
    for each in more:
        if len(known) < FIRST and each not in known:
            known.append(each)


def failed_at(error: ToolbridgeError, number: int, line: int | None, base: str) -> Failed:
    """Why an item was left out, in words about the item."""
    place: str = getattr(error, "pointer", "")
    problem: str = getattr(error, "problem", str(error))
    if base and (place == base or place.startswith(base + "/")):
        place = place[len(base) :]
    return Failed(number, line, place, problem)
