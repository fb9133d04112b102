"""TextConverter: the texts of many items over one bridge, each by the fast path or over the general road."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from ..conversion.catalogue import catalogue_of
from ..conversion.converter import Converter
from ..conversion.envelope import Context
from ..conversion.invisible_characters import is_suspect
from ..conversion.item import ItemConverter, too_many_failures
from ..conversion.options import OnError
from ..data.json_text import parse_json
from ..data.types import Json, is_object
from ..errors import DocumentError, LossError, ToolbridgeError
from ..losses.report import Loss, selected
from ..mapping.format import Format
from ..mapping.record import Notes, Record
from ..schema import OPTIONS, Options
from .batch import Batch, Written
from .collisions import NOTHING, Marks, known
from .fastpath import FastResult, fast_path

Span: TypeAlias = tuple[int, int]
"""Where the text of an item begins and ends."""

_encode = msgspec.json.Encoder().encode


class GroupError(Exception):
    """An item of the list holds tools of its own, which count as items of the list."""


class TextConverter:
    """Converts the texts of items with the same options, by one thread at a time.

    `context` is what an envelope tells about its tools. What cannot be converted is left out, with `on_error="raise"`
    it is raised as the bridge does.
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
        on_error: OnError = "skip",
    ) -> None:
        self.source, self.target = source, target
        self._context = context or {}
        self._how: tuple[Any, ...] = (source, target, fill, False, refuse, on_error, False, False, options)
        self._ferry = ItemConverter(*self._how)
        self._limits = options.limits
        path = None if fill else fast_path(source, target, options, tuple(self._context.items()))
        self._fast = None if path is None else path.convert
        self._refused = selected((refuse,) if isinstance(refuse, str) else refuse)

    @property
    def unanswered(self) -> frozenset[str]:
        """What was filled in and had no place in any tool so far."""
        return frozenset(self._ferry.unanswered)

    def readings(self, data: bytes, spans: Iterable[Span]) -> list[Record | None]:
        """What tells each of these tools from others; None where it cannot be read, or is no tool of ours."""
        found: list[Record | None] = []
        for start, end in spans:
            try:
                item = self._ferry.open(parse_json(data[start:end], self._limits.depth)[0], "", 0, self._context)
            except DocumentError:
                found.append(None)
            else:
                found.append(None if item.reading is None else known(item.reading))
        return found

    def convert(
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
        is a document of its own. `between` is what stands behind each of the written ones. Raises GroupError in a list
        whose items are not all its items.
        """
        done = Batch()
        append, put, fast = done.items.append, done.parts.append, self._fast
        refused = self._refused if self._refused != ("TB9",) else ()
        most = self._limits.failures
        for number, (start, end) in enumerate(spans, first):
            text = data[start:end]
            quick = None if fast is None else fast(text)
            if quick is not None and marks is not NOTHING:
                quick = _marked(quick, number, marks)
            if quick is None or (refused and any(code.startswith(refused) for code, _, _ in quick.notes)):
                own = self._converted(text, number, marks, wrap, done)
                append(own)
                if len(done.failures) > most:
                    raise too_many_failures(done.failures[0][1], self._limits)
                if own.text is not None:
                    put(own.text)
                    put(between)
            else:
                append(quick)
                put(quick.text)
                put(between)
        return done

    def _converted(self, text: bytes, number: int, marks: Marks, wrap: str | None, done: Batch) -> Written:
        """One text over the general road."""
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
            raise GroupError
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
        written = None if value is UNSET else _encode(value)
        return Written(written, notes, None if reading is None else known(reading))

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


def _marked(done: FastResult, number: int, marks: Marks) -> FastResult | None:
    """What becomes of a text in its catalogue; None where it needs another name, or has to be told from others."""
    if number in marks.apart or done.name in marks.called:
        return None
    if number not in marks.repeated:
        return done
    notes: Notes = [("TB003", done.like.places["name"], None), *done.notes]
    return replace(done, notes=notes)


def parsed(text: bytes, deep: int, depth: int) -> tuple[Json, list[str]]:
    """The document of a text that stands so many levels deep in another, and its duplicate members."""
    if not deep or text.count(b"[") + text.count(b"{") + deep <= depth:
        return parse_json(text, depth)
    document, twice = parse_json(b"[" * deep + text + b"]" * deep, depth)
    for _ in range(deep):
        document = document[0]
    return document, [place[2 * deep :] for place in twice]
