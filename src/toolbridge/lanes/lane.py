"""Lane: texts of tools over one bridge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import msgspec
from msgspec import UNSET, Struct

from .. import pointer as at
from ..envelope import Context
from ..errors import DocumentError, LossError, ToolbridgeError
from ..ferry import Ferry, OnError
from ..files import parse_json
from ..format import Format
from ..framing import frame
from ..hub import Json, JsonObject, is_object
from ..losses import Loss
from ..names import is_legal
from ..passage import Passage
from ..reading import Reading
from ..row import Notes
from ..schema import OPTIONS, Options
from .frames import Frames
from .naming import NOTHING, Marks, Survey, known, survey
from .templates import (
    LENGTHS,
    SAMPLE,
    SHORT,
    Plain,
    Ran,
    Sample,
    Span,
    Template,
    Way,
    alike,
    around,
    description,
    made,
    name,
    plain_text,
    put,
    sample,
    stands_in,
    ways,
)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

_BRACKETS: Final = 200
"""Texts with more of them may be too deep in one catalogue and not in another: they are not kept."""

_REMEMBERED: Final = 1 << 16
"""How many texts are remembered that were seen once."""

_ALIKE: Final = 8
"""How many templates may look alike at first sight."""

_MANY: Final = 500
"""After how many texts that took the bridge it is worth asking what it leaves as it is."""

_SELDOM: Final = 8
"""Where less than one text in so many fits a template, only each of so many is looked at."""

_WHILE: Final = 4096
"""For how many texts that holds."""

_PATIENCE: Final = 16
"""How many texts are looked at to learn where their holes are."""


class Own(Struct, frozen=True, eq=False):
    """What became of a text that took the bridge: the written one (None: it was left out), and its losses.

    `reading` is what tells the tool from others (None: it could not be read, or is no tool of ours).
    """

    text: bytes | None
    notes: Notes = []
    reading: Reading | None = None


Spliced: TypeAlias = tuple[Template, bytes, tuple[bytes, ...]]
"""What became of a text that fits a template: that, the name, and what is in the other holes."""


class Crossed(Struct, eq=False):
    """What became of some texts, in their order. `failures` say of what was left out why, by the number of the item.

    `broken` are the numbers of texts that are not JSON. `parts` are the written texts in pieces, each with what stands
    behind it. `uniform` is whether templates that differ in names are told from each other by that.
    """

    items: list[Spliced | Own] = []
    parts: list[bytes] = []
    failures: list[tuple[int, ToolbridgeError]] = []
    broken: set[int] = set()
    uniform: bool = True

    def __iter__(self) -> Iterator[tuple[bytes | None, Notes]]:
        """The written text (None: it was left out), and the losses of each: code, place in the tool that was read (in
        the whole document, if it begins with `^`), place in the one that was written (None: nothing is there).
        """
        for each in self.items:
            if isinstance(each, tuple):
                yield b"".join(each[0].filled(each[1], *each[2])), each[0].notes
            else:
                yield each.text, each.notes

    @property
    def written(self) -> int:
        """How many of them were written."""
        return sum(isinstance(each, tuple) or each.text is not None for each in self.items)

    @property
    def several(self) -> bool:
        """Whether any of them took the bridge."""
        return any(isinstance(each, Own) for each in self.items)

    def counts(self) -> Counter[str]:
        """How often each code was noted."""
        alike: Counter[int] = Counter()
        notes: dict[int, Notes] = {}
        for each in self.items:
            of = each[0].notes if isinstance(each, tuple) else each.notes
            if of:
                alike[id(of)] += 1
                notes[id(of)] = of
        found: Counter[str] = Counter()
        for key, times in alike.items():
            for code, _, _ in notes[key]:
                found[code] += times
        return found

    def alone(self, target: Format) -> bool:
        """Whether each of them is what it would be without the others, as far as a quick look tells."""
        rule = target.names
        names = [each[1] if isinstance(each, tuple) else _name(each.reading) for each in self.items]
        own = [each.reading for each in self.items if isinstance(each, Own) and each.reading is not None]
        if rule is not None:
            if any(not is_legal(each.fields["name"], rule) for each in own):
                return False
            if rule.fold:
                names = [name if name is None else name.lower() for name in names]
        some = [name for name in names if name is not None]
        if len(set(some)) < len(some):
            return False
        if target.identity is None:
            return True
        if self.uniform and not own:
            return True
        told = [_identity(each, target.identity) for each in self.items]
        some_ids = [each for each in told if each is not None]
        return len(set(some_ids)) == len(some_ids)

    def readings(self) -> list[Reading | None]:
        """What tells each of them from others, without the tool."""
        return [each[0].named(each[1].decode()) if isinstance(each, tuple) else each.reading for each in self.items]

    def replace(self, others: Mapping[int, Crossed], between: bytes) -> None:
        """Put what became of some texts after all in their places."""
        for number, other in others.items():
            self.items[number] = other.items[0]
        mine = [each for each in self.failures if each[0] not in others]
        theirs = [each for other in others.values() for each in other.failures]
        self.failures = sorted([*mine, *theirs], key=lambda each: each[0])
        self.parts = [part for text, _ in self if text is not None for part in (text, between)]


def _identity(item: Spliced | Own, identity: Callable[[Reading, str], str]) -> str | None:
    if isinstance(item, tuple):
        before, after = cast("tuple[str, str]", item[0].identity)
        name = item[1].decode()
        return before + (name.lower() if item[0].lower else name) + after
    return None if item.reading is None else identity(item.reading, item.reading.fields["name"])


def _name(reading: Reading | None) -> bytes | None:
    return None if reading is None else reading.fields["name"].encode("utf-8", "surrogatepass")


_Find: TypeAlias = "Callable[[bytes, int, int], int]"
_Get: TypeAlias = "Callable[[Sample], list[Template] | None]"


class Statistics(Struct):
    """How many texts took which road: into a template that was there, or over the bridge; how many became templates."""

    spliced: int = 0
    converted: int = 0
    templates: int = 0


class GroupFound(Exception):  # noqa: N818 - it says what was found, not that somebody erred
    """An item of the list holds tools of its own, which count as items of the list."""


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


def _by_name(_: Reading, name: str) -> str:
    return name


def _no_cut(_: bytes) -> None:
    return None


_NOWHERE: Final = Road(Way(_no_cut, b"\0", (False,)))
"""Where there is no way yet."""


class Lane:
    """The lane of one bridge, for tools that cross with the same options.

    It may be kept, and used for one catalogue after the other, by one thread at a time. `context` is what an envelope
    tells about its tools; `size` is how many bytes of templates are kept, 0 for a lane that takes the bridge always.
    What cannot cross is left out, with `on_error="raise"` it is raised as the bridge does.
    """

    def __init__(
        self,
        source: Format,
        target: Format,
        *,
        fill: Mapping[str, Any] | None = None,
        refuse: Sequence[str] = ("TB9",),
        options: Options = OPTIONS,
        context: Context | None = None,
        size: int = 32_000_000,
        on_error: OnError = "skip",
    ) -> None:
        self.source, self.target = source, target
        self.statistics = Statistics()
        self._context = context or {}
        self._how: tuple[Any, ...] = (source, target, fill, False, refuse, on_error, False, False, options)
        self._ferry = Ferry(*self._how)
        self._room = size // 2
        self._ways = ways(source) if size else []
        self._roads: list[Road] = []
        self._patience = _PATIENCE
        self._asked = False
        self._plain = Plain(target)
        self._identity = target.identity or _by_name
        self._trusting = True
        self._hopeless = False
        self._looked = self._fitted = 0
        self._kinds: set[tuple[str, str]] = set()
        self._longest = name(self._plain.most)
        self._frames = Frames(source, target, self._plain, self._run, size=size // 2)
        self._name = source.tool.name
        self._words = [row.tokens for row in source.tool.rows_of("description")][:1]

    @property
    def unanswered(self) -> frozenset[str]:
        """What was filled in and had no place in any tool so far."""
        return frozenset(self._ferry.unanswered)

    # what the catalogue has to know

    def readings(self, data: bytes, spans: Iterable[Span]) -> list[Reading | None]:
        """What tells each of these tools from others; None where it cannot be read, or is no tool of ours."""
        found: list[Reading | None] = []
        for start, end in spans:
            text = data[start:end]
            hit = self.again(text)
            if hit is not None:
                found.append(hit[0].named(hit[1].decode()))
                continue
            try:
                item = self._ferry.open(parse_json(text)[0], "", 0, self._context)
            except DocumentError:
                found.append(None)
            else:
                found.append(None if item.reading is None else known(item.reading))
        return found

    def survey(self, data: bytes, spans: Iterable[Span]) -> Survey:
        """What the catalogue has to know to find those of these tools that meet others."""
        return survey(self.readings(data, spans), self.target)

    # crossing

    def cross(
        self,
        data: bytes,
        spans: Sequence[Span],
        first: int = 0,
        marks: Marks = NOTHING,
        *,
        wrap: str | None = None,
        between: bytes = b"\n",
    ) -> Crossed:
        """Convert the texts of items that stand in a text, behind each other; the first has the number `first`.

        `wrap` is where the list of the whole catalogue stands, for what failures say of their places; None: each text
        is a document of its own. `between` is what stands behind each of the written ones. Raises GroupFound in a list
        whose items are not all its items.
        """
        before = self.statistics.converted
        done = Crossed()
        append, put, plain, identified = done.items.append, done.parts.extend, self._plain.matches, self._identified
        trusting, hopeless = self._trusting, self._hopeless
        find, key, last, get = self._main(data)
        width, starts, quote = len(key), data.startswith, data.find
        for number, (start, end) in enumerate(spans, first):
            # What `_hit` does, for the texts that are most frequent, without taking them out.
            at = behind = find(key, start, end)
            template = None
            if at >= 0:
                at += width
                behind = quote(b'"', at)
                rest = end - behind
                middle = start + (at - start >> 1) if last else end - (rest >> 1)
                for like in get((at - start, rest, data[middle : middle + SAMPLE])) or ():
                    head, tail = like[0]
                    if starts(head, start) and starts(tail, behind):
                        template = like
                        break
            if template is not None:
                name = data[at:behind]
                if (
                    (trusting or plain(name))
                    and ((ids := template[6]) is None or identified(template, ids, name.decode("latin-1")))
                    and (marks is NOTHING or not marks.tells(number, name.decode("latin-1")))
                ):
                    append((template, name, ()))
                    pieces = template[1]
                    if len(pieces) == 2:
                        put((pieces[0], name, pieces[1], between))
                    else:
                        put((name.join(pieces), between))
                    continue
            text = data[start:end]
            dull = hopeless and number % _SELDOM != 0
            found = None if dull else self.again(text)
            if found is None or (marks is not NOTHING and marks.tells(number, found[1].decode())):
                own = self._convert(text, number, marks, wrap, done, remember=not dull)
                append(own)
                if own.text is not None:
                    put((own.text, between))
                find, key, last, get = self._main(data)
                width = len(key)
            else:
                append(found)
                put((*found[0].filled(found[1], *found[2]), between))
        names = [each[1] for each in done.items if isinstance(each, tuple)]
        if trusting and not self._plain.all(names):
            # There are others here: from now on each of them is looked at.
            self._trusting = False
            self.statistics.converted = before
            return self.cross(data, spans, first, marks, wrap=wrap, between=between)
        self.statistics.spliced += len(names)
        self._looked += len(done.items)
        self._fitted += len(names)
        if self._looked >= _WHILE:
            self._hopeless = self._fitted * _SELDOM < self._looked
            self._looked = self._fitted = 0
        done.uniform = len(self._kinds) <= 1
        return done

    def _main(self, data: bytes) -> tuple[_Find, bytes, bool, _Get]:
        """How the name is found in most texts, from which end, and what the templates are; for texts with one hole."""
        road = self._roads[0] if self._roads and len(self._roads[0].way.last) == 1 else _NOWHERE
        last = road.way.last[0]
        return data.rfind if last else data.find, road.way.key, last, road.templates.get

    def again(self, text: bytes) -> Spliced | None:
        """The template that a text fits, and what is in its holes; None where there is none."""
        return self._hit(text) or self._framed(text)

    def _hit(self, text: bytes) -> Spliced | None:
        """The template that a text fits, and what is in the holes."""
        for road in self._roads:
            spans = road.way.cut(text)
            if spans is None:
                continue
            for template in road.templates.get(road.sample(text, spans), ()):
                if stands_in(text, spans, template.around):
                    name, words = text[slice(*spans[0])], ()
                    if not self._plain.matches(name):
                        break
                    if template.identity is not None and not self._identified(
                        template, template.identity, name.decode()
                    ):
                        break
                    if len(spans) > 1:
                        words = (text[slice(*spans[1])],)
                        if not plain_text(words[0], template.longest):
                            break
                    return template, name, words
        return None

    def _framed(self, text: bytes) -> Spliced | None:
        """The frame that a text fits, and what is in the holes."""
        found = self._frames.found(text)
        if found is None:
            return None
        template, (name, *others) = found
        if template.identity is not None and not self._identified(template, template.identity, name.decode()):
            return None
        return template, name, tuple(others)

    def _identified(self, template: Template, around: tuple[str, str], name: str) -> bool:
        """Whether the target identifies a tool of this name as it does the others of the template."""
        told = self._identity(template.reading, name)
        if template.lower:
            name = name.lower()
        return told == f"{around[0]}{name}{around[1]}"

    # over the bridge

    def _convert(
        self, text: bytes, number: int, marks: Marks, wrap: str | None, done: Crossed, *, remember: bool = True
    ) -> Own:
        """One text over the bridge."""
        self.statistics.converted += 1
        place = "" if wrap is None else f"{wrap}/{number}"
        try:
            document, twice = _parsed(text, 0 if wrap is None else wrap.count("/") + 1)
        except DocumentError as error:
            done.broken.add(number)
            done.failures.append((number, error.at(place, number)))
            return Own(None, [("TB903", "", None)])
        source, ferry = self.source, self._ferry
        if wrap is None:
            if not is_object(document) or frame(document, source).shape != "tool":
                return self._whole(document, twice, number, done)
        elif is_object(document) and source.group is not None and source.group(document) is not None:
            raise GroupFound
        notes: Notes = []

        def lose(code: str, each: str) -> None:
            ferry.batches.clear()
            ferry.lose(Loss(code, place + each, None, number))
            if ferry.batches:  # what is refused is told otherwise
                notes.append((code, each, None))

        for each in twice:
            lose("TB002", each)
        item = ferry.open(document, place, number, self._context)
        reading = item.reading
        if reading is not None:
            if number in marks.repeated:
                lose("TB003", reading.places["name"])
            reading.apart = number in marks.apart
        ferry.batches.clear()
        value = ferry.cross(item, marks.called, None, "")
        for _, _, _, more in ferry.batches:
            notes += dict.fromkeys(more)
        done.failures += ((number, failure) for failure in ferry.failures)
        ferry.forget()
        if reading is None:
            return Own(None if value is UNSET else _encode(value), notes)
        own = Own(None if value is UNSET else _encode(value), notes, known(reading))
        if remember and own.text is not None and not twice and not marks.tells(number, reading.fields["name"]):
            self._remember(text, document, own)
        return own

    def _whole(self, document: Json, twice: list[str], number: int, done: Crossed) -> Own:
        """A line that is a list, or a catalogue: a document of its own, with names of its own."""
        run = Passage(*self._how)
        try:
            value = run.run(document, twice)
        except (DocumentError, LossError) as error:
            done.failures.append((number, error))
            return Own(None, [("TB903", "", None)])
        done.failures += ((number, failure) for failure in run.failures)
        return Own(_encode(value), [(loss.code, "^" + loss.source, loss.target) for loss in run.losses()])

    # templates

    def _remember(self, text: bytes, document: Json, own: Own) -> None:
        """Make a template of what crossed, if the like of it has been seen before."""
        if not self._ways or text.count(b"[") + text.count(b"{") > _BRACKETS:
            return
        if self._patience:
            self._learn(text, document)
        for road in self._roads:
            spans = road.way.cut(text)
            if spans is None or not self._plain.matches(text[slice(*spans[0])]):
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
            template = self._template(text, spans, document, own)
            if template is None:
                if len(road.vain) < _REMEMBERED:
                    road.vain.add(mark)
            else:
                road.templates.setdefault(key, []).append(template)
                self._count(template)
                self._room -= template.size
                self._make_room()
                return
        if not self._asked and self.statistics.converted >= _MANY:
            self._asked = True
            self._frames.ask(cast("JsonObject", document))
        template = self._frames.remember(text, cast("JsonObject", document), own.text or b"", own.notes)
        if template is not None:
            self._count(template)

    def _count(self, template: Template) -> None:
        self.statistics.templates += 1
        if template.identity is not None:
            # Where it is in lower case, names that differ may come to the same.
            self._kinds |= {template.identity, ("", "")} if template.lower else {template.identity}

    def _make_room(self) -> None:
        """Forget the oldest templates while they are too many bytes."""
        while self._room < 0:
            road = max(self._roads, key=lambda road: len(road.templates))
            for template in road.templates.pop(next(iter(road.templates))):
                self._room += template.size

    def _learn(self, text: bytes, document: Json) -> None:
        """Find out how texts like this one are cut."""
        self._patience -= 1
        known = {road.way.cut(text) for road in self._roads}
        for way in sorted(self._ways, key=lambda way: way.suits(text), reverse=True):
            spans = way.cut(text)
            if spans is None or spans in known or self._right(text, spans, document, (name(7), SHORT)) is None:
                continue
            known.add(spans)
            self._ways.remove(way)
            self._roads.append(Road(way))
            # The more is left to compare, the sooner it is done.
            self._roads.sort(key=lambda road: len(road.way.last))

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

    def _template(self, text: bytes, spans: tuple[Span, ...], document: Json, own: Own) -> Template | None:
        """What becomes of texts like this one; None where that cannot be told."""
        first = self._tried(text, spans, document, (name(7), SHORT))
        if first is None:
            return None
        for length in LENGTHS:
            other = self._tried(text, spans, document, (self._longest, description(length)))
            if other is not None and alike(first, other):
                break
            if len(spans) == 1:
                return None
        else:
            return None
        # The proof of the pudding.
        holes = [text[start:end] for start, end in spans]
        if first.notes != own.notes or _encode(_decode(b"".join(first.filled(*holes)))) != own.text:
            return None
        return first._replace(longest=length)

    def _tried(self, text: bytes, spans: tuple[Span, ...], document: Json, values: tuple[str, ...]) -> Template | None:
        """What becomes of a text with these values in its holes."""
        other = self._right(text, spans, document, values)
        if other is None or any(value.encode() in text for value in values):
            return None
        ran = self._run(other)
        if ran is None or ran.reading.fields.get("name") != values[0]:
            return None
        if len(spans) > 1 and ran.reading.fields.get("description") != values[1]:
            return None
        return made(self.target, ran, values, around(text, spans))

    def _run(self, document: JsonObject) -> Ran | None:
        """Take a tool over the bridge, alone."""
        ferry = Ferry(*self._how)
        try:
            item = ferry.open(document, "", 0, self._context)
            value = UNSET if item.reading is None else ferry.cross(item, {}, None, "")
        except (DocumentError, LossError):
            return None
        if value is UNSET or item.reading is None:
            return None
        notes = [note for _, _, _, more in ferry.batches for note in dict.fromkeys(more)]
        return Ran(value, notes, item.reading, ferry.way, bool(ferry.names))


def _parsed(text: bytes, deep: int) -> tuple[Json, list[str]]:
    """The document of a text that stands so many levels deep in another, and its duplicate members."""
    if not deep or text.count(b"[") + text.count(b"{") <= _BRACKETS:
        return parse_json(text)
    document, twice = parse_json(b"[" * deep + text + b"]" * deep)
    for _ in range(deep):
        document = document[0]
    return document, [place[2 * deep :] for place in twice]
