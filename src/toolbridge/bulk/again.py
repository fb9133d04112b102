"""Tools that cross one by one, again and again: what became of the like of them before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from ..conversion.converter import Converter
from ..data.json_text import MAX_DEPTH, too_deep
from ..data.types import Json
from ..losses.report import Loss, Report
from .lane import Lane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..mapping.format import Format
    from .templates import Template

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

_REMEMBERED: Final = 1 << 14

_ROOM: Final = 4_000_000
"""How many bytes of tools are kept, with what became of them."""

_LARGEST: Final = 100_000
"""How many bytes a tool has at most that is kept."""

_TRUST: Final = 1024
"""After how many tools that are like none before only some are looked at; one that is makes up for `_WORTH` others."""

_WORTH: Final = 8
_SOME: Final = 16


Found: TypeAlias = "tuple[Json, Report | None, Converter | None, bytes | None]"
"""What a tool becomes: the value, the report, and for the rest the run and the text that it can be had from.

Without a report it is a tool that has to cross: the document of its text; without a text there is none.
"""

_NOTHING: Final[Found] = (None, None, None, None)


class Again:
    """What a bridge has seen. It may be asked by several threads at once."""

    def __init__(self, source: Format, target: Format) -> None:
        self._source, self._target = source, target
        self._lanes: list[Lane] = []
        self._seen: set[int] = set()
        self._known: dict[bytes, tuple[Json, bytes, Template]] = {}
        self._room = _ROOM
        self._trust = _TRUST
        self._asked = 0

    def find(self, document: Any) -> Found:
        """What a tool becomes, if the like of it has crossed before."""
        try:
            text = _encode(document)
            known = self._known.get(text) if self._known else None
            plain: Json = _decode(text) if known is None else known[0]
        except (TypeError, ValueError, RecursionError):
            return _NOTHING
        if plain != document:
            return _NOTHING  # encoders write null for what is no number, and lists for tuples
        if known is not None:
            return self._told(known[1], known[2], text)
        if text.count(b"[") + text.count(b"{") > MAX_DEPTH and too_deep(plain):
            return _NOTHING
        self._asked += 1
        # Those of some lengths, so that what comes again is looked at again; which lengths changes slowly.
        if self._trust <= 0 and (len(text) + (self._asked >> 12)) % _SOME:
            return plain, None, None, text
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
        if found is None or found[0].renamed:
            self._trust = max(self._trust - 1, 0)
            return plain, None, None, text
        self._trust = min(self._trust + _WORTH, _TRUST)
        template, name, others = found
        written = b"".join(template.filled(name, *others))
        if len(text) <= _LARGEST:
            self._room -= len(text) + len(written)
            if self._room < 0:
                self._known, self._room = {}, _ROOM
            self._known[text] = plain, written, template
        return self._told(written, template, text)

    def _look(self, lane: Lane, text: bytes) -> None:
        """Remember a text that is seen for the second time."""
        mark = hash(text)
        if mark in self._seen:
            for _ in range(2):
                lane.cross(text, ((0, len(text)),))
            return
        if len(self._seen) >= _REMEMBERED:
            self._seen.clear()
        self._seen.add(mark)

    def _told(self, written: bytes, template: Template, text: bytes) -> Found:
        notes = template.notes

        def losses() -> Iterator[Loss]:
            return (Loss(code, source, target, None) for code, source, target in notes)

        run = Converter(self._source, self._target)
        run.argument_maps.append(None if template.way is None else _decode(_encode(template.way)))
        return _decode(written), Report(losses, self._source.id, self._target.id), run, text
