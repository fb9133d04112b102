"""The envelope of a catalogue, which stands around its tools, in the target format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias, cast

from ..data import pointer as at
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError
from ..losses.report import Loss
from ..mapping.format import Format
from ..mapping.record import Notes, Record
from .catalogue import Catalogue, Group, put_list

Lose: TypeAlias = Callable[[Loss], None]
Context: TypeAlias = Mapping[str, tuple[str, str]]
"""What an envelope tells about its tools: hub field, then value and place in the document."""


class Envelope:
    """An envelope on its way: `wrap` is where the written list will stand, `groups` are those that stay in it."""

    __slots__ = ("_contexts", "_general", "groups", "wrap", "written")

    def __init__(self, source: Format, target: Format, taken: Catalogue, document: Json, lose: Lose) -> None:
        self.wrap = ""
        self.written: JsonObject | None = None
        self.groups: tuple[Group, ...] = ()
        self._general: Context = {}
        self._contexts: dict[int, Context] = {}
        if taken.shape == "interface":
            self._interface(target, document, lose)
        elif taken.wrap:
            self._catalogue(source, target, taken, cast("JsonObject", document), lose)
        if taken.groups:
            self._grouped(source, target, taken, document, lose)

    def context(self, index: int) -> Context:
        """What is told about this tool around it."""
        return self._contexts.get(index, self._general)

    def around(self, values: list[Json]) -> Json:
        """The written document: the tools in their envelope, or a bare list."""
        if self.written is None:
            return values
        return put_list(self.written, self.wrap, values)

    def _interface(self, target: Format, document: Json, lose: Lose) -> None:
        from ..formats.xtp.tools import leftovers

        for code, place in leftovers(document):
            lose(Loss(code, place))
        if target.wrap is not None:
            self.wrap = target.wrap
            self.written = {self.wrap[1:]: []} | _invented(target, lose)

    def _catalogue(self, source: Format, target: Format, taken: Catalogue, document: JsonObject, lose: Lose) -> None:
        base, _, name = taken.wrap.rpartition("/")
        body = cast("JsonObject", at.get(document, base))
        inner: JsonObject = {key: value for key, value in body.items() if key != name}
        outer = [key for key in document if key != at.split(base)[0]] if base else []
        self._general = _context(source, inner, base)
        group = source.group is not None and source.group(document) == taken.wrap
        spelled = group or taken.wrap in source.requests
        if source.wrap is not None and source.wrap[1:] != name and not spelled and source is not target:
            lose(Loss("TB001", taken.wrap, None))
        home = target.family == source.family
        if source is target or (home and (target.wrap is None or _keeps(target, taken, document))):
            # What crosses nothing keeps its envelope; so does a family that has none of its own.
            self.wrap, self.written = taken.wrap, put_list(document, taken.wrap, [])
            return
        if not home:
            for key in outer:
                known = key in ("jsonrpc", "id") or taken.wrap in source.requests
                lose(Loss("TB101" if known else "TB102", at.join(key), None))
        if group:
            for code, place in _members(source, target, document, taken.wrap, taken.items):
                lose(Loss(code, place, None))
            written = _invented(target, lose)
        elif target.wrap is None or source.envelope is None or target.envelope is None:
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
            listed: JsonObject = {target.wrap[1:]: [], **written}
            self.wrap = base + target.wrap if home else target.wrap
            self.written = put_list(document, base, listed) if home else listed

    def _grouped(self, source: Format, target: Format, taken: Catalogue, document: Json, lose: Lose) -> None:
        kept = target.family == source.family and target.group is not None
        for place, group in taken.groups:
            own = range(group.start, group.start + group.size)
            context = {**self._general, **_context(source, _without(group.body, group.wrap), place)}
            self._contexts.update(dict.fromkeys(own, context))
            kept = kept and target.group is not None and target.group(group.body) == group.wrap
        if kept:
            self.groups = tuple(group for _, group in taken.groups)
            return
        for place, group in taken.groups:
            item = cast("JsonObject", at.get(document, place))
            own = taken.items[group.start : group.start + group.size]
            for code, sub in _members(source, target, item, group.wrap, own):
                lose(Loss(code, place + sub, None))


def _without(body: JsonObject, wrap: str) -> JsonObject:
    return {key: value for key, value in body.items() if at.join(key) != wrap}


def _context(source: Format, inner: JsonObject, place: str) -> Context:
    if source.context is None:
        return {}
    return {path: (value, place + sub) for path, (value, sub) in source.context(inner).items()}


def _keeps(target: Format, taken: Catalogue, document: JsonObject) -> bool:
    """Whether another edition of the family has its list in the same place."""
    return taken.wrap in target.requests or (target.group is not None and target.group(document) == taken.wrap)


def _members(
    source: Format, target: Format, group: JsonObject, wrap: str, tools: list[Json]
) -> Iterator[tuple[str, str]]:
    """What a group loses beside its tools, by its members. What it tells of its tools is told by them, if at all."""
    said = any(source.hosted is None or not (is_object(tool) and source.hosted(tool)) for tool in tools)
    words = {row.hub for row in target.tool.order} if said else set[str]()
    inner = _without(group, wrap)
    told = {place: path in words for path, (_, place) in _context(source, inner, "").items()}
    for key, value in inner.items():
        place = at.join(key)
        if told.get(place) or (source.group is not None and source.group(_without(group, place)) is None):
            # Its tools say it themselves, or it does no more than mark the group as one.
            continue
        if source.hosted is not None and source.hosted({key: value}):
            yield "TB105", place
        else:
            known = place in told or (source.envelope is not None and place in source.envelope.rows)
            yield ("TB101" if known else "TB102"), place


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
    written = target.envelope.write(Record(None, "", {}), target.family, notes, target=target.id)
    for code, place, there in notes:
        lose(Loss(code, place, there))
    return written


def without_tools(document: Json, taken: Catalogue) -> Json:
    """The envelope alone, its list empty; None where there is none."""
    return put_list(document, taken.wrap, []) if taken.wrap else None
