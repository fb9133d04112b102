"""The envelope of a catalogue, which is the document around its tools, in the target format."""

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

ReportLoss: TypeAlias = Callable[[Loss], None]
Context: TypeAlias = Mapping[str, tuple[str, str]]
"""Values of the envelope that belong to its items: the value and its JSON Pointer in the document, by hub field."""


class Envelope:
    """The envelope of a catalogue in the target format.

    Attributes:
        wrap: The JSON Pointer to the written list.
        written: The written envelope with an empty list; None if there is none.
        groups: The groups that are kept.
    """

    __slots__ = ("_contexts", "_general", "groups", "wrap", "written")

    def __init__(
        self, source: Format, target: Format, catalogue: Catalogue, document: Json, report: ReportLoss
    ) -> None:
        self.wrap = ""
        self.written: JsonObject | None = None
        self.groups: tuple[Group, ...] = ()
        self._general: Context = {}
        self._contexts: dict[int, Context] = {}
        if catalogue.shape == "interface":
            self._interface(target, document, report)
        elif catalogue.wrap:
            self._catalogue(source, target, catalogue, cast("JsonObject", document), report)
        if catalogue.groups:
            self._grouped(source, target, catalogue, document, report)

    def context(self, index: int) -> Context:
        """The values of the envelope and of its group that belong to a tool."""
        return self._contexts.get(index, self._general)

    def with_items(self, values: list[Json]) -> Json:
        """The written document: the items in their envelope, or a bare list."""
        if self.written is None:
            return values
        return put_list(self.written, self.wrap, values)

    def _interface(self, target: Format, document: Json, report: ReportLoss) -> None:
        from ..formats.xtp.tools import leftovers

        for code, place in leftovers(document):
            report(Loss(code, place))
        if target.wrap is not None:
            self.wrap = target.wrap
            self.written = {self.wrap[1:]: []} | _invented(target, report)

    def _catalogue(
        self, source: Format, target: Format, catalogue: Catalogue, document: JsonObject, report: ReportLoss
    ) -> None:
        base, _, name = catalogue.wrap.rpartition("/")
        body = cast("JsonObject", at.get(document, base))
        inner: JsonObject = {key: value for key, value in body.items() if key != name}
        outer = [key for key in document if key != at.split(base)[0]] if base else []
        self._general = _context(source, inner, base)
        is_group = source.group is not None and source.group(document) == catalogue.wrap
        is_usual_place = is_group or catalogue.wrap in source.requests
        if source.wrap is not None and source.wrap[1:] != name and not is_usual_place and source is not target:
            report(Loss("TB001", catalogue.wrap, None))
        same_family = target.family == source.family
        bare = source.wrap is None and target.wrap is None
        if source is target or (same_family and (bare or _keeps(target, catalogue, document))):
            # The envelope is not changed within a format, or a family whose editions have no envelope of their own.
            self.wrap, self.written = catalogue.wrap, put_list(document, catalogue.wrap, [])
            return
        if not same_family or target.wrap is None:
            for key in outer:
                is_known = key in ("jsonrpc", "id") or catalogue.wrap in source.requests
                report(Loss("TB101" if is_known else "TB102", at.join(key), None))
        if is_group:
            for code, place in _members(source, target, document, catalogue.wrap, catalogue.items):
                report(Loss(code, place, None))
            written = _invented(target, report)
        elif target.wrap is None or source.envelope is None or target.envelope is None:
            for key in inner:
                is_known = source.envelope is not None and at.join(key) in source.envelope.rows
                report(Loss("TB101" if is_known else "TB102", base + at.join(key), None))
            written: JsonObject = {}
        else:

            def report_in_document(loss: Loss) -> None:
                target_place = loss.target if loss.target is None or not same_family else base + loss.target
                report(Loss(loss.code, base + loss.source, target_place))

            written = _translated(source, target, inner, base, report_in_document)
        if target.wrap is not None:
            listed: JsonObject = {target.wrap[1:]: [], **written}
            self.wrap = base + target.wrap if same_family else target.wrap
            self.written = put_list(document, base, listed) if same_family else listed

    def _grouped(
        self, source: Format, target: Format, catalogue: Catalogue, document: Json, report: ReportLoss
    ) -> None:
        is_kept = target.family == source.family and target.group is not None
        for place, group in catalogue.groups:
            members = range(group.start, group.start + group.size)
            context = {**self._general, **_context(source, _without(group.body, group.wrap), place)}
            self._contexts.update(dict.fromkeys(members, context))
            is_kept = is_kept and target.group is not None and target.group(group.body) == group.wrap
        if is_kept:
            self.groups = tuple(group for _, group in catalogue.groups)
            return
        for place, group in catalogue.groups:
            item = cast("JsonObject", at.get(document, place))
            members = catalogue.items[group.start : group.start + group.size]
            for code, sub in _members(source, target, item, group.wrap, members):
                report(Loss(code, place + sub, None))


def _without(body: JsonObject, wrap: str) -> JsonObject:
    return {key: value for key, value in body.items() if at.join(key) != wrap}


def _context(source: Format, inner: JsonObject, place: str) -> Context:
    if source.context is None:
        return {}
    return {path: (value, place + sub) for path, (value, sub) in source.context(inner).items()}


def _keeps(target: Format, catalogue: Catalogue, document: JsonObject) -> bool:
    """Whether the target, another edition of the family, has a list at the same place."""
    return catalogue.wrap in target.requests or (target.group is not None and target.group(document) == catalogue.wrap)


def _members(
    source: Format, target: Format, group: JsonObject, wrap: str, tools: list[Json]
) -> Iterator[tuple[str, str]]:
    """The losses of a group: code and place. A value of its tools is not among them: the tools report it."""
    has_tools = any(source.hosted is None or not (is_object(tool) and source.hosted(tool)) for tool in tools)
    hub_fields = {row.hub for row in target.tool.order} if has_tools else set[str]()
    inner = _without(group, wrap)
    has_field = {place: path in hub_fields for path, (_, place) in _context(source, inner, "").items()}
    for key, value in inner.items():
        place = at.join(key)
        if has_field.get(place) or (source.group is not None and source.group(_without(group, place)) is None):
            # Its tools have the value, or it only marks a group.
            continue
        if source.hosted is not None and source.hosted({key: value}):
            yield "TB105", place
        else:
            is_known = place in has_field or (source.envelope is not None and place in source.envelope.rows)
            yield ("TB101" if is_known else "TB102"), place


def _translated(source: Format, target: Format, inner: JsonObject, base: str, report: ReportLoss) -> JsonObject:
    """The members of an envelope in the target format, by the rows of both; losses have places in the envelope."""
    if source.envelope is None or target.envelope is None:
        return {}
    try:
        reading = source.envelope.open(inner, source.family)
    except DocumentError as error:
        raise error.at(base, None) from None
    notes: Notes = [(code, place, None) for code, place in reading.notes]
    written = target.envelope.write(reading, target.family, notes, target=target.id)
    for code, place, target_place in notes:
        report(Loss(code, place, target_place))
    return written


def _invented(target: Format, report: ReportLoss) -> JsonObject:
    """The required members of the target's envelope, for a source without an envelope."""
    if target.envelope is None:
        return {}
    notes: Notes = []
    written = target.envelope.write(Record(None, "", {}), target.family, notes, target=target.id)
    for code, place, target_place in notes:
        report(Loss(code, place, target_place))
    return written


def without_tools(document: Json, catalogue: Catalogue) -> Json:
    """The envelope with an empty list; None if there is no envelope."""
    return put_list(document, catalogue.wrap, []) if catalogue.wrap else None
