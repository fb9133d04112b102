"""Lane: texts of tools over one bridge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

import msgspec
from msgspec import UNSET, Struct

from ..conversion.catalogue import catalogue_of
from ..conversion.converter import Converter
from ..conversion.envelope import Context
from ..conversion.invisible_characters import is_suspect
from ..conversion.item import ItemConverter, too_many_failures
from ..conversion.options import OnError
from ..data.json_text import parse_json
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError, LossError, ToolbridgeError, describe_unexpected
from ..losses.report import Loss
from ..mapping.format import Format
from ..mapping.record import Notes, Record
from ..schema import OPTIONS, Options
from .batch import Batch, Spliced, Written
from .collisions import NOTHING, Marks, known
from .frames import Frames
from .roads import Roads
from .templates import SAMPLE, Plain, Ran, Span, Template

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

_BRACKETS: Final = 200
"""Texts with more of them may be too deep in one catalogue and not in another: they are not kept."""

_MANY: Final = 500
"""After how many texts that took the bridge it is worth asking what it leaves as it is."""

_SELDOM: Final = 8
"""Where less than one text in so many fits a template, only each of so many is looked at."""

_WHILE: Final = 4096
"""For how many texts that holds."""


class Statistics(Struct):
    """How many texts took which road: into a template that was there, or over the bridge; how many became templates."""

    spliced: int = 0
    converted: int = 0
    templates: int = 0


class GroupFound(Exception):  # noqa: N818 - it says what was found, not that somebody erred
    """An item of the list holds tools of its own, which count as items of the list."""


def _by_name(_: Record, name: str) -> str:
    return name


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
        self._ferry = ItemConverter(*self._how)
        self._limits = options.limits
        self._asked = False
        self._plain = Plain(target)
        self._identity = target.identity or _by_name
        self._trusting = True
        self._hopeless = False
        self._looked = self._fitted = 0
        self._kinds: set[tuple[str, str]] = set()
        self._keeps = size > 0 and options.limits.depth > _BRACKETS
        self._roads = Roads(source, target, self._plain, self._run, size=size // 2)
        self._frames = Frames(source, target, self._plain, self._run, size=size // 2)
        self._looks = [self._roads.found, self._frames.found]

    @property
    def unanswered(self) -> frozenset[str]:
        """What was filled in and had no place in any tool so far."""
        return frozenset(self._ferry.unanswered)

    # what the catalogue has to know

    def readings(self, data: bytes, spans: Iterable[Span]) -> list[Record | None]:
        """What tells each of these tools from others; None where it cannot be read, or is no tool of ours."""
        found: list[Record | None] = []
        for start, end in spans:
            text = data[start:end]
            hit = self.again(text)
            if hit is not None:
                found.append(hit[0].named(hit[1].decode()))
                continue
            try:
                item = self._ferry.open(parse_json(text, self._limits.depth)[0], "", 0, self._context)
            except DocumentError:
                found.append(None)
            else:
                found.append(None if item.reading is None else known(item.reading))
        return found

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
    ) -> Batch:
        """Convert the texts of items that stand in a text, behind each other; the first has the number `first`.

        `wrap` is where the list of the whole catalogue stands, for what failures say of their places; None: each text
        is a document of its own. `between` is what stands behind each of the written ones. Raises GroupFound in a list
        whose items are not all its items.
        """
        before = self.statistics.converted
        done = Batch()
        append, put, plain, identified = done.items.append, done.parts.extend, self._plain.matches, self._identified
        trusting, hopeless = self._trusting, self._hopeless
        find, key, last, get = self._roads.main(data)
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
                if len(done.failures) > self._limits.failures:
                    raise too_many_failures(done.failures[0][1], self._limits)
                if own.text is not None:
                    put((own.text, between))
                find, key, last, get = self._roads.main(data)
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

    def again(self, text: bytes) -> Spliced | None:
        """The template that a text fits, and what is in its holes; None where there is none."""
        for look in self._looks:
            found = look(text)
            if found is not None:
                if look is not self._looks[0]:
                    self._looks.reverse()  # the next is likely to be like this one
                template, (name, *others) = found
                if template.identity is None or self._identified(template, template.identity, name.decode()):
                    return template, name, tuple(others)
        return None

    def _identified(self, template: Template, around: tuple[str, str], name: str) -> bool:
        """Whether the target identifies a tool of this name as it does the others of the template."""
        told = self._identity(template.reading, name)
        if template.lower:
            name = name.lower()
        return told == f"{around[0]}{name}{around[1]}"

    # over the bridge

    def _convert(
        self, text: bytes, number: int, marks: Marks, wrap: str | None, done: Batch, *, remember: bool = True
    ) -> Written:
        """One text over the bridge."""
        self.statistics.converted += 1
        place = "" if wrap is None else f"{wrap}/{number}"
        try:
            document, twice = parsed(text, 0 if wrap is None else wrap.count("/") + 1, self._limits.depth)
        except DocumentError as error:
            done.broken.add(number)
            done.failures.append((number, error.at(place, number)))
            return Written(None, [("TB903", "", None)])
        source, ferry = self.source, self._ferry
        if wrap is None:
            if not is_object(document) or catalogue_of(document, source).shape != "tool":
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
        ferry.seen = not is_suspect(text)
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
            return Written(None if value is UNSET else _encode(value), notes)
        own = Written(None if value is UNSET else _encode(value), notes, known(reading))
        if (
            remember
            and self._keeps
            and own.text is not None
            and not twice
            and not marks.tells(number, reading.fields["name"])
        ):
            try:
                self._remember(text, cast("JsonObject", document), own)
            except Exception as error:  # noqa: BLE001 - it is converted, and only the next one takes longer
                describe_unexpected(error, place)
        return own

    def _whole(self, document: Json, twice: list[str], number: int, done: Batch) -> Written:
        """A line that is a list, or a catalogue: a document of its own, with names of its own."""
        run = Converter(*self._how)
        try:
            value = run.run(document, twice)
        except (DocumentError, LossError) as error:
            done.failures.append((number, error))
            return Written(None, [("TB903", "", None)])
        except ToolbridgeError:
            raise
        except Exception as error:  # noqa: BLE001 - one line that is too much is no reason to lose the others
            fault = run.fault(document, "", number, error)
            done.failures.append((number, fault))
            return Written(None, [(fault.report[0].code, "", None)])
        done.failures += ((number, failure) for failure in run.failures)
        return Written(_encode(value), [(loss.code, "^" + loss.source, loss.target) for loss in run.losses()])

    # templates

    def _remember(self, text: bytes, document: JsonObject, own: Written) -> None:
        """Make a template, or a frame, of what crossed, if the like of it has been seen before."""
        if text.count(b"[") + text.count(b"{") > _BRACKETS:
            return
        written = own.text or b""
        template = self._roads.remember(text, document, written, own.notes)
        if template is None:
            if not self._asked and self.statistics.converted >= _MANY:
                self._asked = True
                self._frames.ask(document)
            template = self._frames.remember(text, document, written, own.notes)
        if template is not None:
            self._count(template)

    def _count(self, template: Template) -> None:
        self.statistics.templates += 1
        if template.identity is not None:
            # Where it is in lower case, names that differ may come to the same.
            self._kinds |= {template.identity, ("", "")} if template.lower else {template.identity}

    def _run(self, document: JsonObject) -> Ran | None:
        """Take a tool over the bridge, alone."""
        ferry = ItemConverter(*self._how)
        ferry.seen = True  # it is made up here: what may hold invisible characters fits no template
        try:
            item = ferry.open(document, "", 0, self._context)
            value = UNSET if item.reading is None else ferry.cross(item, {}, None, "")
        except (DocumentError, LossError):
            return None
        if value is UNSET or item.reading is None:
            return None
        notes = [note for _, _, _, more in ferry.batches for note in dict.fromkeys(more)]
        return Ran(value, notes, item.reading, ferry.way, bool(ferry.names))


def parsed(text: bytes, deep: int, depth: int) -> tuple[Json, list[str]]:
    """The document of a text that stands so many levels deep in another, and its duplicate members."""
    if not deep or text.count(b"[") + text.count(b"{") + deep <= depth:
        return parse_json(text, depth)
    document, twice = parse_json(b"[" * deep + text + b"]" * deep, depth)
    for _ in range(deep):
        document = document[0]
    return document, [place[2 * deep :] for place in twice]
