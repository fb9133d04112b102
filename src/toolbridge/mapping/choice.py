"""Choices of tools: the words in which a request says which calls a model may or must make, and their shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType

from ..data import pointer as at
from ..data.names import Rule, legal
from ..data.types import Json, JsonObject, is_list, is_object, quoted
from ..data.types import kind as json_type
from ..errors import DocumentError
from ..hub import Choice
from .codecs import apply, never
from .format import Shape
from .record import Codec, Record, Row, WriteContext, row
from .table import Table
from .wire import Wire


class RequestMembers(Wire, kw_only=True):
    """The members of a request that choose among its tools, as OpenAI spells them, and many with it."""

    tool_choice: str | dict[str, Any] | UnsetType | None = UNSET
    parallel_tool_calls: bool | UnsetType | None = UNSET


PARALLEL: Final = row("/parallel_tool_calls", "single", Codec(apply(lambda it: not it), apply(lambda it: not it)))
"""The row of the flag that allows several calls in one response, which is what the hub's flag forbids."""


class Listing(NamedTuple):
    """A list of the tools that may be called: what stands around it, its place, its items, and the names in these.

    `item` is None for bare names. As in protobuf, an empty list of these restricts nothing.
    """

    mode: str
    value: JsonObject
    place: str
    item: JsonObject | None = None
    name: str = ""


class ChoiceValue(NamedTuple):
    """A choice as it was read: its mode, the names with their place, and what no other format has, with codes.

    `places` are those of the single names.
    """

    mode: str | None
    names: list[str] | None
    place: str
    rest: list[tuple[str, Json, str]]
    places: Sequence[str] = ()


class ChoiceWords(Struct, frozen=True, kw_only=True):
    """The words of a format for a choice of tools.

    Each is a JSON value, or for an object the members that it has at least.

    Attributes:
        modes: How the modes are written.
        more: Further words that are read, with the mode that they mean; None: that of a request without a choice.
        named: How the one tool that must be called is written: what stands around its name, and the place of that.
            None around it: the name alone. The first is written, all are read.
        listed: How several tools are written; the first of a mode is written, all are read.
        single: The place of the flag for at most one call; empty if the value has none.
        is_single: Whether a response has at most one call anyway.
        hosted: Whether a value chooses a tool that the vendor's own servers run.
        optional: The members that an object may have besides, also without a mode; None: it always has a mode.
        rule: The rule for names.
        is_union: Whether an object has one member only, which tells the choice.
        restrictable: The modes that may stand beside the names of tools; None: all.
        text: How a tool that takes one free text is named, as in `named`; None: as any other.
    """

    modes: Mapping[str, Json]
    more: tuple[tuple[str | None, Json], ...] = ()
    named: tuple[tuple[JsonObject | None, str], ...] = ()
    listed: tuple[Listing, ...] = ()
    single: str = ""
    is_single: bool = False
    hosted: Callable[[JsonObject], bool] = never
    optional: frozenset[str] | None = None
    rule: Rule | None = None
    is_union: bool = False
    restrictable: frozenset[str] | None = None
    text: tuple[JsonObject, str] | None = None

    # reading

    def find(self, value: Json) -> ChoiceValue:
        """What a value chooses. Raises DocumentError if it is none of these words."""
        if isinstance(value, str):
            for mode, word in (*self.modes.items(), *self.more):
                if word == value:
                    return ChoiceValue(mode, None, "", [])
            if self.named and self.named[0][0] is None:
                return ChoiceValue("any", [value], "", [], [""])
        elif is_object(value):
            found = self._listed(value) or self._one(value)
            if found is not None:
                return found
        example = msgspec.json.encode(next(iter(self.modes.values()))).decode()
        found_word = repr(value[:80]) if isinstance(value, str) else json_type(value)
        raise DocumentError(f"expected a choice of tools such as {example}, found {found_word}")

    def _listed(self, value: JsonObject) -> ChoiceValue | None:
        for listing in self.listed:
            items = at.get(value, listing.place)
            if not is_list(items) or not _has(value, listing.value):
                continue
            rest = [*self._rest(value, listing.value, {listing.place})]
            if not items:
                mode = listing.mode if listing.item is None else "none"
                return ChoiceValue(mode, None, "", [*rest, (listing.place, items, "TB101")])
            names: list[str] = []
            places: list[str] = []
            for number, item in enumerate(items):
                place = f"{listing.place}/{number}"
                forms = ((listing.item, listing.name), *self.named)
                form = next((each for each in forms if _names_tool(item, *each)), None)
                if form is not None:
                    around, inner = form
                    names.append(at.get(item, inner))
                    places.append(place + inner)
                    if is_object(item):
                        rest += self._rest(item, around, {inner}, place)
                elif is_object(item) and self.hosted(item):
                    rest.append((place, item, "TB105"))
                else:
                    raise DocumentError(f"expected a tool that may be called, found {json_type(item)}", place)
            return ChoiceValue(listing.mode, names, listing.place, rest, places)
        return None

    def _one(self, value: JsonObject) -> ChoiceValue | None:
        for around, place in self.named:
            if around is not None and _has(value, around) and isinstance(name := at.get(value, place), str):
                return ChoiceValue("any", [name], place, [*self._rest(value, around, {place})], [place])
        for mode, word in (*self.modes.items(), *self.more):
            if is_object(word) and _has(value, word):
                rest = [*self._rest(value, word, set())]
                return ChoiceValue(mode, None, "", rest if mode is not None else [("", value, "TB101")])
        if self.hosted(value):
            return ChoiceValue("any", [], "", [("", value, "TB105")])
        if self.optional is not None and value.keys() <= self.optional:
            return ChoiceValue(None, None, "", [("", value, "TB101")])
        return None

    def _rest(
        self, value: JsonObject, known: Json, places: set[str], base: str = ""
    ) -> Iterator[tuple[str, Json, str]]:
        """The members of a value beside those that are known."""
        is_flag = self.single and not base and isinstance(at.get(value, self.single), bool)
        known_places = {*places, self.single} if is_flag else places
        for place, inner in _unknown_members(value, known, known_places):
            is_known = not base and at.split(place)[0] in (self.optional or ())
            yield base + place, inner, "TB101" if is_known else "TB102"

    def problems(self, value: Json) -> Iterator[tuple[str, str]]:
        """What the vendor refuses of a choice that can be read: places in it, and problems."""
        found = self.find(value)
        if self.is_union and is_object(value) and len(value) != 1:
            yield "", f"expected one member, found {len(value)} ({', '.join(map(quoted, value))})"
        if found.names and self.restrictable is not None and found.mode not in self.restrictable:
            words = (msgspec.json.encode(self.modes[mode]).decode() for mode in self.modes if mode in self.restrictable)
            yield found.place, f"expected only with {' or '.join(words)}"
        if self.rule is not None:
            for name, place in zip(found.names or (), found.places, strict=True):
                if self.rule.matches(name) is None:
                    yield place, f"expected to match {self.rule.pattern}, found {name!r:.100}"

    # writing

    def word(self, w: WriteContext, mode: str) -> Json:
        """A mode as it is written, or the nearest one, which is noted; UNSET if there is none."""
        if mode in self.modes:
            return deepcopy(self.modes[mode])
        if mode == "auto":
            w.note("TB101", "", None)
            return UNSET
        free = deepcopy(self.modes.get("auto", UNSET))
        w.note("TB202", "", None if free is UNSET else "")
        return free

    def write(self, mode: str, w: WriteContext) -> Json:
        """The choice of a record."""
        names: list[str] | None = w.fields.get("names")
        hosted = "TB105" in w.record.derived.values()
        if mode == "validated" and mode not in self.modes:
            w.note("TB201", "", None)
            mode = "auto"
        value: Json = UNSET
        if names:
            value = self._restricted(mode, names, w)
        elif hosted:  # without the tool that had to be called there is no choice
            w.note("TB201", "", None)
            return UNSET
        if value is UNSET:
            value = self.word(w, mode)
        return value

    def with_single(self, value: Json, mode: str, w: WriteContext) -> Json:
        """A choice with the flag for at most one call, if that is a part of it; otherwise its loss is noted."""
        if "single" not in w.fields:
            return value
        single: bool = w.fields["single"]
        if self.single and mode != "none":
            value = self.word(w, "auto") if value is UNSET else value
            at.put(value, self.single, single)
        else:
            is_needed = single and mode != "none" and not self.is_single
            w.note_at("TB201" if is_needed else "TB101", w.source("single"), None)
        return value

    def _named(self, function: tuple[JsonObject | None, str], name: str, new: str, w: WriteContext) -> tuple[Json, str]:
        """What names a tool, and the place of the new name in that; `function` is how one without text is named."""
        around, place = function if self.text is None or name not in w.record.text_tools else self.text
        if around is None:
            return new, place
        value = deepcopy(around)
        at.put(value, place, new)
        return value, place

    def _restricted(self, mode: str, names: list[str], w: WriteContext) -> Json:
        """The choice of these tools; UNSET, which is noted, if there is none."""
        source = w.source("names")
        if mode == "none":
            w.note_at("TB101", source, None)  # where nothing may be called, it does not matter which tools
            return UNSET
        written: list[tuple[str, str]] = []  # the old names, and the new ones
        for name in names:
            try:
                new = w.names.get(name) or (legal(name, self.rule) if self.rule is not None else name)
            except ValueError as error:
                raise DocumentError(f"{error}, found {quoted(name)}", source) from None
            written.append((name, new))
        words = [*self.modes.values(), *(word for _, word in self.more)]
        is_word = self.named and self.named[0][0] is None and written[0][1] in words
        wire = w.wire or ""
        targets: list[str] = []
        value: Json = UNSET
        if mode == "any" and len(names) == 1 and self.named and not is_word:
            value, place = self._named(self.named[0], *written[0], w)
            targets.append(place)
        else:
            listing = next((each for each in self.listed if each.mode == mode), None)
            if listing is None:
                if not w.record.names_all:
                    w.note_at("TB201", source, None)
                return UNSET
            value = deepcopy(listing.value)
            items: list[Json] = []
            for number, (old, new) in enumerate(written):
                item, place = self._named((listing.item, listing.name), old, new, w)
                items.append(item)
                targets.append(f"{listing.place}/{number}{place}")
            at.put(value, listing.place, items)
        several = is_list(at.get(w.record.document, at.absolute(source, ""), None))
        for number, ((old, new), target) in enumerate(zip(written, targets, strict=True)):
            if new != old:
                w.note_at("TB501", f"{source}/{number}" if several else source, wire + target)
        return value


def _names_tool(value: Json, around: JsonObject | None, place: str) -> bool:
    """Whether a value names a tool at `place`, with these members around the name; None: it is the name alone."""
    return isinstance(at.get(value, place), str) and (around is None or _has(value, around))


def _has(value: Json, part: Json) -> bool:
    """Whether a value is a word, or an object with at least the members of one; UNSET: it has no such member."""
    if not is_object(part):
        return value == part
    return is_object(value) and all(_has(value.get(key, UNSET), inner) for key, inner in part.items())


def _unknown_members(
    value: JsonObject, known: Json, places: Iterable[str], base: str = ""
) -> Iterator[tuple[str, Json]]:
    """The members of an object that are neither among the known ones nor at one of these places."""
    for key, inner in value.items():
        place = base + at.join(key)
        if place in places:
            continue
        if is_object(known) and key in known:
            if is_object(inner):
                yield from _unknown_members(inner, known[key], places, place)
        elif is_object(inner) and any(other.startswith(f"{place}/") for other in places):
            yield from _unknown_members(inner, {}, places, place)
        else:
            yield place, inner


def choice_shape(
    model: type[Struct], wire: str, words: ChoiceWords, *rows: Row, name: str = "request", written: bool = True
) -> Shape:
    """The shape of the members of a request that choose among its tools.

    A value that is a choice alone stands for the members that have it.

    Args:
        model: The model of the members.
        wire: The place of the choice.
        words: Its words.
        rows: The rows of the other members.
        name: The name of the shape.
        written: Whether documents of other families are written in it.
    """
    has_flag = any(each.hub == "single" for each in rows)

    def check(document: JsonObject) -> tuple[str, str] | None:
        value = at.get(document, wire, None)
        if value is None:
            return None
        try:
            words.find(value)
        except DocumentError as error:
            return wire + error.pointer, error.problem
        return None

    def problems(document: JsonObject) -> Iterator[tuple[str, str]]:
        value = at.get(document, wire, None)
        if value is not None:
            yield from ((wire + place, problem) for place, problem in words.problems(value))

    def invent(w: WriteContext) -> Json:
        return words.with_single(UNSET, "auto", w)

    table = Table(
        model,
        row(wire, "mode", _codec(wire, words, has_flag=has_flag), required=not has_flag),
        *rows,
        of=Choice,
        closed=("",),  # the rest of a request does not follow its choice to another edition
        also_writes=("names", "single"),
        check=check,
        problems=problems,
        invent=None if has_flag else {wire: invent},
    )
    places = [each.wire for each in table.order if each.hub is not None]

    def matches(document: JsonObject) -> bool:
        if not document:
            return True
        return any(at.get(document, place) is not at.MISSING for place in places) and check(document) is None

    def identifies(document: JsonObject) -> bool:
        return bool(document) and not table.unknown_keys(document) and matches(document)

    return Shape(
        name=name,
        table=table,
        matches=matches,
        identifies=identifies,
        written=written,
        bare=lambda value: _place_of(value, wire, words),
    )


def _codec(wire: str, words: ChoiceWords, *, has_flag: bool) -> Codec:
    """The codec of a choice at `wire`; `has_flag`: whether the flag for at most one call has a row of its own."""

    def read(value: Json, record: Record) -> Any:
        found = words.find(value)
        if found.names:
            record.put("names", found.names, wire + found.place)
        single = at.get(value, words.single, None) if words.single else None
        if isinstance(single, bool):
            record.put("single", single, wire + words.single)
        for place, inner, code in found.rest:
            record.keep(wire + place, inner, code)
        return UNSET if found.mode is None else found.mode

    def write(mode: str, w: WriteContext) -> Json:
        value = words.write(mode, w)
        return value if has_flag else words.with_single(value, mode, w)

    return Codec(read, write)


def _place_of(value: Json, wire: str, words: ChoiceWords) -> str | None:
    """The place in a request of this value, which is a choice or an object around one; None if it is neither."""
    tokens = at.split(wire)
    for depth in range(len(tokens), 0, -1):
        document: JsonObject = {}
        place = at.join(*tokens[:depth])
        at.put(document, place, value)
        try:
            found = words.find(at.get(document, wire, None))
        except DocumentError:
            continue
        if found.mode is not None:
            return place
    return None
