"""The envelope of a catalogue: what stands around the tools, in another format's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from . import pointer as at
from .errors import DocumentError
from .format import Format, Frame
from .hub import Json, JsonObject
from .losses import Loss
from .reading import Reading
from .row import Notes

Lose: TypeAlias = Callable[[Loss], None]
Context: TypeAlias = Mapping[str, tuple[str, str]]
"""What an envelope tells about its tools: hub field, then value and place in the document."""


class Envelope:
    """An envelope on its way: `context` tells about all its tools, `wrap` where the written list will stand."""

    __slots__ = ("context", "wrap", "written")

    def __init__(self, source: Format, target: Format, taken: Frame, document: Json, lose: Lose) -> None:
        self.context: Context = {}
        self.wrap = ""
        self.written: JsonObject | None = None
        if taken.shape == "interface":
            self._interface(target, document, lose)
        elif taken.wrap:
            self._catalogue(source, target, taken, cast("JsonObject", document), lose)

    def around(self, values: list[Json]) -> Json:
        """The written document: the tools in their envelope, or a bare list."""
        if self.written is None:
            return values
        return wrapped(self.written, self.wrap, values)

    def _interface(self, target: Format, document: Json, lose: Lose) -> None:
        from .formats.xtp import leftovers

        for code, place in leftovers(document):
            lose(Loss(code, place))
        if target.wrap is not None:
            self.wrap = target.wrap
            self.written = {self.wrap[1:]: []} | _invented(target, lose)

    def _catalogue(self, source: Format, target: Format, taken: Frame, document: JsonObject, lose: Lose) -> None:
        base, _, name = taken.wrap.rpartition("/")
        body = cast("JsonObject", at.get(document, base))
        inner: JsonObject = {key: value for key, value in body.items() if key != name}
        outer: JsonObject = {key: value for key, value in document.items() if key != "result"} if base else {}
        if source.context is not None:
            self.context = {path: (value, base + place) for path, (value, place) in source.context(inner).items()}
        if source.wrap is not None and source.wrap[1:] != name and source is not target:
            lose(Loss("TB001", taken.wrap, None))
        if source is target or (target.family == source.family and target.wrap is None):
            # What crosses nothing keeps its envelope; so does a family that has none of its own.
            self.wrap, self.written = taken.wrap, wrapped({**document}, taken.wrap, [])
            return
        home = target.family == source.family
        if not home:
            for key in outer:
                lose(Loss("TB101" if key in ("jsonrpc", "id") else "TB102", at.join(key), None))
        if target.wrap is None or source.envelope is None or target.envelope is None:
            for key in inner:
                known = source.envelope is not None and at.join(key) in source.envelope.rows
                lose(Loss("TB101" if known else "TB102", base + at.join(key), None))
            written: JsonObject = {}
        else:

            def moved(loss: Loss) -> None:
                there = loss.target if loss.target is None or not home else base + loss.target
                lose(Loss(loss.code, base + loss.source, there))

            written = _translated(source, target, inner, base, moved)
        if target.wrap is not None:
            self.wrap = base + target.wrap if home else target.wrap
            listed: JsonObject = {target.wrap[1:]: [], **written}
            self.written = {**outer, "result": listed} if home and base else listed


def _translated(source: Format, target: Format, inner: JsonObject, base: str, lose: Lose) -> JsonObject:
    """What stands around the tools, by the rows of the two envelopes; places are those within it."""
    if source.envelope is None or target.envelope is None:
        return {}
    try:
        reading = source.envelope.open(inner, source.family)
    except DocumentError as error:
        raise error.at(base, None) from None
    notes: Notes = [(code, place, None) for code, place in reading.notes]
    written = target.envelope.write(reading, target.family, notes, target=target.id)
    for code, place, there in notes:
        lose(Loss(code, place, there))
    return written


def _invented(target: Format, lose: Lose) -> JsonObject:
    """What the target's envelope must say where the source has none."""
    if target.envelope is None:
        return {}
    notes: Notes = []
    written = target.envelope.write(Reading(None, "", {}), target.family, notes, target=target.id)
    for code, place, there in notes:
        lose(Loss(code, place, there))
    return written


def without_tools(document: Json, taken: Frame) -> Json:
    """The envelope alone, its list empty; None where there is none."""
    return wrapped(document, taken.wrap, []) if taken.wrap else None


def wrapped(envelope: Json, wrap: str, values: list[Json]) -> Json:
    """A copy of an envelope with these tools at `wrap`."""
    if not wrap:
        return values
    base, _, name = wrap.rpartition("/")
    if base:
        return {**envelope, "result": {**envelope["result"], name: values}}
    return {**envelope, name: values}
