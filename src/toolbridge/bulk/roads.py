"""Roads: the ways in which texts are cut that have been right, with the templates of texts that are cut so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from ..data import pointer as at
from ..data.types import Json, JsonObject
from ..mapping.format import Format
from ..mapping.record import Notes
from .frames import Run
from .templates import (
    LENGTHS,
    SHORT,
    Plain,
    Sample,
    Span,
    Template,
    Way,
    alike,
    argument_maps,
    around,
    description,
    made,
    name,
    plain_text,
    plain_texts,
    put,
    sample,
    stands_in,
)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

_REMEMBERED: Final = 1 << 16
"""How many texts are remembered that were seen once."""

_ALIKE: Final = 8
"""How many templates may look alike at first sight."""

_PATIENCE: Final = 16
"""How many texts are looked at to learn where their holes are."""

Find: TypeAlias = Callable[[bytes, int, int], int]
Get: TypeAlias = "Callable[[Sample], list[Template] | None]"


class Road(Struct, eq=False):
    """A way to cut texts that has been right, and what was made of texts that it cuts.

    `seen` are those that were seen, `vain` those of which no template can be made.
    """

    way: Way
    templates: dict[Sample, list[Template]] = {}
    seen: set[int] = set()
    vain: set[int] = set()

    def sample(self, text: bytes, spans: tuple[Span, ...]) -> Sample:
        """What texts like this one have in common."""
        return sample(text, spans, last=self.way.last[0])


def _no_cut(_: bytes) -> None:
    return None


_NOWHERE: Final = Road(Way(_no_cut, b"\0", (False,)))
"""Where there is no way yet."""


class Roads:
    """The roads of one lane, which `run` over its bridge. `size` is about how many bytes of templates are kept."""

    def __init__(self, source: Format, target: Format, plain: Plain, run: Run, *, size: int) -> None:
        self.every: list[Road] = []
        self._ways = argument_maps(source) if size else []
        self._target = target
        self._plain = plain
        self._run = run
        self._room = size
        self._patience = _PATIENCE if self._ways else 0
        self._name = source.tool.name
        self._words = [row.tokens for row in source.tool.rows_of("description")][:1]

    def main(self, data: bytes) -> tuple[Find, bytes, bool, Get]:
        """How the name is found in most texts, from which end, and what the templates are; for texts with one hole."""
        road = self.every[0] if self.every and len(self.every[0].way.last) == 1 else _NOWHERE
        last = road.way.last[0]
        return data.rfind if last else data.find, road.way.key, last, road.templates.get

    def found(self, text: bytes) -> tuple[Template, tuple[bytes, ...]] | None:
        """The template that a text fits, and what is in the holes."""
        for road in self.every:
            spans = road.way.cut(text)
            if spans is None:
                continue
            for template in road.templates.get(road.sample(text, spans), ()):
                if stands_in(text, spans, template.around):
                    values = tuple([text[start:end] for start, end in spans])  # sooner than from a generator
                    if self._plain.matches(values[0]) and plain_texts(values[1:], template.longest):
                        return template, values
                    break
        return None

    def remember(self, text: bytes, document: JsonObject, written: bytes, notes: Notes) -> Template | None:
        """Make a template of what crossed, if the like of it has been seen before."""
        if self._patience:
            self._learn(text, document)
        for road in self.every:
            spans = road.way.cut(text)
            if spans is None or not self._plain.matches(text[slice(*spans[0])]):
                continue
            if not all(plain_text(text[start:end]) for start, end in spans[1:]):
                continue
            parts = around(text, spans)
            mark = hash(parts)
            if mark not in road.seen:
                if len(road.seen) >= _REMEMBERED:
                    road.seen.clear()
                road.seen.add(mark)
                continue
            key = road.sample(text, spans)
            like = road.templates.get(key, [])
            if len(like) >= _ALIKE or mark in road.vain or any(each.around == parts for each in like):
                continue  # it is there, but not for this one
            template = self._template(text, spans, document, written, notes)
            if template is not None:
                road.templates.setdefault(key, []).append(template)
                self._room -= template.size
                self._make_room()
                return template
            if len(road.vain) < _REMEMBERED:
                road.vain.add(mark)
        return None

    def _make_room(self) -> None:
        """Forget the oldest templates while they are too many bytes."""
        while self._room < 0:
            road = max(self.every, key=lambda road: len(road.templates))
            for template in road.templates.pop(next(iter(road.templates))):
                self._room += template.size

    def _learn(self, text: bytes, document: Json) -> None:
        """Find out how texts like this one are cut."""
        self._patience -= 1
        known = {road.way.cut(text) for road in self.every}
        for way in sorted(self._ways, key=lambda way: way.suits(text), reverse=True):
            spans = way.cut(text)
            if spans is None or spans in known or self._right(text, spans, document, (name(7), SHORT)) is None:
                continue
            known.add(spans)
            self._ways.remove(way)
            self.every.append(Road(way))
            # The more is left to compare, the sooner it is done.
            self.every.sort(key=lambda road: len(road.way.last))

    def _right(self, text: bytes, spans: tuple[Span, ...], document: Json, values: tuple[str, ...]) -> Json:
        """The document with other values in the holes; None where it is something else that would be cut out."""
        try:
            other: Json = _decode(put(text, spans, values))
        except msgspec.DecodeError:
            return None
        back: Json = _decode(_encode(other))
        for tokens, value in zip([self._name, *self._words], values[: len(spans)], strict=False):
            place = at.join(*tokens)
            if at.get(back, place, None) != value:
                return None
            at.put(back, place, at.get(document, place, None))
        return other if _encode(back) == _encode(document) else None

    def _template(
        self, text: bytes, spans: tuple[Span, ...], document: Json, written: bytes, notes: Notes
    ) -> Template | None:
        """What becomes of texts like this one; None where that is not known."""
        first = self._tried(text, spans, document, (name(7), SHORT))
        if first is None:
            return None
        for length in LENGTHS:
            other = self._tried(text, spans, document, (name(self._plain.most), description(length)))
            if other is not None and alike(first, other):
                break
            if len(spans) == 1:
                return None
        else:
            return None
        # The proof of the pudding.
        holes = [text[start:end] for start, end in spans]
        if first.notes != notes or _encode(_decode(b"".join(first.filled(*holes)))) != written:
            return None
        return first._replace(longest=length)

    def _tried(self, text: bytes, spans: tuple[Span, ...], document: Json, values: tuple[str, ...]) -> Template | None:
        """What becomes of a text with these values in its holes."""
        values = values[: len(spans)]
        other = self._right(text, spans, document, values)
        if other is None or any(value.encode() in text for value in values):
            return None
        ran = self._run(other)
        if ran is None or ran.reading.fields.get("name") != values[0]:
            return None
        if len(spans) > 1 and ran.reading.fields.get("description") != values[1]:
            return None
        return made(self._target, ran, values[0], values[1:], around(text, spans))
