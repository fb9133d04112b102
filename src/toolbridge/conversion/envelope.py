"""The envelope of a catalogue, which is the document around its tools, in the target format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from ..data import pointer as at
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError
from ..losses.note import Note
from ..losses.report import Loss
from ..mapping.format import Format
from ..mapping.record import Record
from .catalogue import Catalogue, Group, put_list
from .choices import RequestChoice

ReportLoss: TypeAlias = Callable[[Loss], None]
Context: TypeAlias = Mapping[str, tuple[Any, str]]
"""Values of the envelope that belong to its items: the value and its JSON Pointer in the document, by hub field."""


class Envelope:
    """The envelope of a catalogue in the target format; `report` takes the losses.

    `choices` is whether a choice of tools has a place beside the written tools.

    Attributes:
        wrap: The JSON Pointer to the written list.
        written: The written envelope with an empty list; None if there is none.
        groups: The groups that are kept.
        choice: The choice of tools in the source document that `choose` has still to write, since it depends on the
            written tools; None if there is none.
    """

    __slots__ = (
        *("_contexts", "_general", "_kept", "_place", "_report", "_source", "_target"),
        *("choice", "groups", "keeps_groups", "wrap", "written"),
    )

    def __init__(
        self,
        source: Format,
        target: Format,
        catalogue: Catalogue,
        document: Json,
        report: ReportLoss,
        *,
        choices: bool = True,
    ) -> None:
        self.choice: RequestChoice | None = None
        self._source, self._target, self._report = source, target, report
        self._place, self._kept = "", False
        self.wrap = ""
        self.written: JsonObject | None = None
        self.groups: tuple[Group, ...] = ()
        self.keeps_groups = False
        """Whether `groups` are those of the source."""
        self._general: Context = {}
        self._contexts: dict[int, Context] = {}
        if catalogue.shape == "interface":
            self._interface(cast("JsonObject", document))
        elif catalogue.wrap:
            self._catalogue(catalogue, cast("JsonObject", document), choices=choices)
        if catalogue.groups:
            self._grouped(catalogue, document)
        if self.choice is not None and not self.choice.names and not self.groups:
            self.choose({}, {})
            self.choice = None

    def context(self, index: int) -> Context:
        """The values of the envelope and of its group that belong to a tool."""
        return self._contexts.get(index, self._general)

    def with_items(self, values: list[Json]) -> Json:
        """The written document: the items in their envelope, or a bare list."""
        if self.written is None:
            return values
        return put_list(self.written, self.wrap, values)

    def _interface(self, document: JsonObject) -> None:
        source, target = self._source, self._target
        for note in () if source.leftovers is None else source.leftovers(document):
            self._report(Loss(note.code, note.source))
        if target.wrap is not None:
            self.wrap = target.wrap
            self.written = {self.wrap[1:]: []} | self._invented()

    def _catalogue(self, catalogue: Catalogue, document: JsonObject, *, choices: bool) -> None:
        source, target = self._source, self._target
        base, inner = catalogue.around(document)
        is_group = source.group is not None and source.group(document) == catalogue.wrap
        self._general = _context(source, document, "") if is_group else _context(source, inner, base)
        is_usual_place = is_group or catalogue.wrap in source.requests
        is_usual_place = is_usual_place or source.wrap in (None, catalogue.wrap[len(base) :])
        if not is_usual_place and source is not target:
            self._report(Loss("TB001", catalogue.wrap, None))
        # What stands further out is that of one service, and the editions of a family may be of several.
        is_event = catalogue.wrap in source.requests and catalogue.wrap not in target.requests
        same_family = target.family == source.family and (not base or (source.wrap == target.wrap and not is_event))
        bare = source.wrap is None and target.wrap is None
        if catalogue.shape == "catalogue" and not is_group:
            has_place = choices and (target.wrap is not None or bare)
            self.choice = RequestChoice.of(inner, base, source, target, written=has_place)
        if same_family:
            self._place = base
        if source is target or (same_family and (bare or _keeps(source, target, catalogue, document))):
            # The envelope is not changed within a format, or a family whose editions have no envelope of their own.
            self.wrap, self.written, self._kept = catalogue.wrap, put_list(document, catalogue.wrap, []), choices
            self._general = _around(self._general, target)
            return
        if self.choice is not None:
            inner = {key: value for key, value in inner.items() if key not in self.choice.keys}
        if not is_group and (not same_family or target.wrap is None):
            for place, _ in _siblings(document, base):
                is_known = place in ("/jsonrpc", "/id") or catalogue.wrap in source.requests
                self._report(Loss("TB101" if is_known else "TB102", place, None))
        if is_group:
            for loss in _members(source, target, document, catalogue.wrap, catalogue.items):
                self._report(loss)
            beside = self._invented()
        else:
            beside = self._translated(inner, base)
        if target.wrap is not None:
            listed: JsonObject = {target.wrap[1:]: [], **beside}
            self.wrap = self._place + target.wrap
            self.written = put_list(document, base, listed) if same_family else listed
        # An edition of the family whose requests list the tools themselves: its other members stay beside them.
        is_flat = same_family and source.group is None and not is_group
        if is_flat or not same_family:
            self._as_request(beside if is_flat else {}, len(catalogue.items))

    def _translated(self, inner: JsonObject, base: str) -> JsonObject:
        """The members beside the list at `base` in the target format, by the rows of both."""
        source, target = self._source, self._target
        if target.wrap is None or source.envelope is None or target.envelope is None:
            for key in inner:
                is_known = source.envelope is not None and at.join(key) in source.envelope.rows
                self._report(Loss("TB101" if is_known else "TB102", base + at.join(key), None))
            return {}
        if source.family == target.family and target.wrap[1:] in inner:
            # Another list of tools, such as `functions` beside `tools`, has the place of the written one.
            self._report(Loss("TB101", base + target.wrap))
            inner = _without(inner, target.wrap)
        try:
            record = source.envelope.open(inner, source.family)
        except DocumentError as error:
            raise error.at(base, None) from None
        notes = [*record.notes]
        written = target.envelope.write(record, target.family, notes, target=target.id)
        for note in notes:
            place = None if note.target is None else self._place + note.target
            self._report(Loss(note.code, base + note.source, place))
        return written

    def _invented(self) -> JsonObject:
        """The required members of the target's envelope, for a source without an envelope."""
        target = self._target
        if target.envelope is None:
            return {}
        notes: list[Note] = []
        written = target.envelope.write(Record(None, "", {}), target.family, notes, target=target.id)
        for note in notes:
            self._report(Loss(note.code, note.source, note.target))
        return written

    def _as_request(self, beside: JsonObject, count: int) -> None:
        """Make the envelope that of a request, with the tools in a group, if a choice or other members stand beside."""
        target = self._target
        if target.wrap is None or target.group is None or target.group({target.wrap[1:]: []}) != target.wrap:
            return  # its requests list the tools themselves
        if beside or (self.choice is not None and self.choice.write(target, {})[0]):
            self.wrap = target.requests[0]
            self.groups = (Group(0, count, target.wrap, {target.wrap[1:]: []}),)
            self.written = {self.wrap[1:]: [], **beside}

    def choose(self, names: Mapping[str, Sequence[str]], gone: Mapping[str, str], tools: Iterable[Json] = ()) -> None:
        """Write the choice of tools of the source document, when the names of the written tools are known.

        Args:
            names: The new names of tools, by their old names: several if the source has several tools of a name.
            gone: The names of tools that are not in the written list, with the codes for why.
            tools: The written tools.
        """
        if self.choice is None or (self._kept and not self.choice.is_affected(names, gone)):
            return
        notes = self.choice.follow(names, gone)
        members, more = self.choice.write(self._target, names, tools)
        if self.written is not None:
            for key in self.choice.keys if self._kept else ():
                at.drop(self.written, self._place + at.join(key))
            for key, value in members.items():
                at.put(self.written, self._place + at.join(key), value)
        for note in dict.fromkeys((*notes, *more)):
            source = self.choice.place + note.source.removeprefix(at.OUTSIDE)
            self._report(Loss(note.code, source, None if note.target is None else self._place + note.target))

    def _grouped(self, catalogue: Catalogue, document: Json) -> None:
        source, target = self._source, self._target
        is_kept = target.family == source.family and target.group is not None
        for place, group in catalogue.groups:
            members = range(group.start, group.start + group.size)
            context = {**self._general, **_context(source, _without(group.body, group.wrap), place)}
            self._contexts.update(dict.fromkeys(members, context))
            is_kept = is_kept and target.group is not None and target.group(group.body) == group.wrap
        if is_kept:
            self._contexts = {number: _around(context, target) for number, context in self._contexts.items()}
            self.groups, self.keeps_groups = tuple(group for _, group in catalogue.groups), True
            return
        for place, group in catalogue.groups:
            item = cast("JsonObject", at.get(document, place))
            members = catalogue.items[group.start : group.start + group.size]
            for loss in _members(source, target, item, group.wrap, members, place, group.start):
                self._report(loss)


def _without(body: JsonObject, wrap: str) -> JsonObject:
    return {key: value for key, value in body.items() if at.join(key) != wrap}


def _context(source: Format, inner: JsonObject, place: str) -> Context:
    if source.context is None:
        return {}
    return {path: (value, place + sub) for path, (value, sub) in source.context(inner).items()}


def _around(context: Context, target: Format) -> Context:
    """The values that tools have no field for: the others stay in the envelope where it is kept."""
    return {path: value for path, value in context.items() if path not in target.tool.hub_fields}


def _keeps(source: Format, target: Format, catalogue: Catalogue, document: JsonObject) -> bool:
    """Whether the target, another edition of the family, has a list of the same groups or tools at the same place."""
    if source.group is not target.group:
        return False
    in_requests = catalogue.wrap in source.requests and catalogue.wrap in target.requests
    return in_requests or (target.group is not None and target.group(document) == catalogue.wrap)


def _members(  # noqa: PLR0917 - the group, and where it stands
    source: Format, target: Format, group: JsonObject, wrap: str, tools: list[Json], base: str = "", start: int = 0
) -> Iterator[Loss]:
    """The losses of a group at `base`, whose first tool is the one of index `start`.

    A value of its tools is not among them: the tools report it.
    """
    has_tools = any(not (is_object(tool) and source.is_hosted(tool)) for tool in tools)
    hub_fields = target.tool.hub_fields if has_tools else frozenset[str]()
    inner = _without(group, wrap)
    has_field = {place: path in hub_fields for path, (_, place) in _context(source, inner, "").items()}
    for place, value in _siblings(inner, wrap):
        own = [has_field.get(place + at.join(key)) for key in value] if is_object(value) else []
        if has_field.get(place) or (own and all(own)):
            continue  # the tools have the value
        is_root = place.count("/") == 1
        if is_root and source.group is not None and source.group(_without(group, place)) is None:
            continue  # it only marks a group
        if is_root and source.is_hosted({at.split(place)[0]: value}):
            code = "TB104" if value is None else "TB105"
        else:
            is_known = place in has_field or (source.envelope is not None and place in source.envelope.rows)
            code = "TB101" if is_known else "TB102"
        yield Loss(code, base + place, None)
    for number, tool in enumerate(tools, start):
        place = source.disabled(inner, tool) if source.disabled is not None and is_object(tool) else None
        if place is not None:
            yield Loss("TB608", base + place, None, number)


def _siblings(document: JsonObject, path: str) -> Iterator[tuple[str, Json]]:
    """What stands beside each step to a place: places and values."""
    base, inner = "", document
    for step in at.split(path):
        for key, value in inner.items():
            if key != step:
                yield base + at.join(key), value
        base, inner = base + at.join(step), inner.get(step, {})


def without_tools(document: Json, catalogue: Catalogue) -> Json:
    """The envelope with an empty list; None if there is no envelope."""
    return put_list(document, catalogue.wrap, []) if catalogue.wrap else None
