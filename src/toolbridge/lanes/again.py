"""Tools that cross one by one, again and again: what became of the like of them before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from ..losses import Loss, Report
from ..passage import Passage
from .lane import Lane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..format import Format
    from ..hub import Json
    from .lane import Spliced

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

_REMEMBERED: Final = 1 << 14

_ROOM: Final = 4_000_000
"""How many bytes of tools are kept to compare others with."""

_LARGEST: Final = 100_000
"""How many bytes a tool has at most that is kept."""


class Again:
    """What a bridge has seen. It may be asked by several threads at once."""

    def __init__(self, source: Format, target: Format) -> None:
        self._source, self._target = source, target
        self._lanes: list[Lane] = []
        self._seen: set[int] = set()
        self._plain: dict[bytes, Json] = {}
        self._room = _ROOM

    def find(self, document: Any) -> tuple[Json, Report, Passage, bytes] | None:
        """What a tool becomes, the report, the run that knows the rest, and its text; None where it has to cross."""
        try:
            text = _encode(document)
            plain = self._plain.get(text)
            if plain is None:
                plain = self._decoded(text)
        except (TypeError, ValueError, RecursionError):
            return None
        if plain is None or plain != document:
            return None  # encoders write null for what is no number, and lists for tuples
        try:
            lane = self._lanes.pop()
        except IndexError:
            lane = Lane(self._source, self._target)
        try:
            found = lane.again(text)
            if found is None:
                self._look(lane, text)
        finally:
            self._lanes.append(lane)
        return None if found is None or found[0].renamed else self._told(found, text)

    def _decoded(self, text: bytes) -> Json:
        """The document of a text, kept for the next time; None for one that is too large."""
        if len(text) > _LARGEST:
            return None
        plain: Json = _decode(text)
        self._room -= len(text)
        if self._room < 0:
            self._plain, self._room = {}, _ROOM
        self._plain[text] = plain
        return plain

    def _look(self, lane: Lane, text: bytes) -> None:
        """Remember a text that is seen for the second time."""
        mark = hash(text)
        if mark in self._seen:
            for _ in range(2):
                lane.cross(text, ((0, len(text)),))
        elif len(self._seen) < _REMEMBERED:
            self._seen.add(mark)

    def _told(self, found: Spliced, text: bytes) -> tuple[Json, Report, Passage, bytes]:
        template, name, others = found
        notes = template.notes

        def losses() -> Iterator[Loss]:
            return (Loss(code, source, target, None) for code, source, target in notes)

        run = Passage(self._source, self._target)
        run.ways.append(template.way)
        report = Report(losses, self._source.id, self._target.id)
        return _decode(b"".join(template.filled(name, *others))), report, run, text
