"""Bridge.bytes: a text of one or many items converted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from ..conversion.catalogue import Catalogue, catalogue_of, put_list
from ..conversion.converter import Converter
from ..conversion.envelope import Context, Envelope
from ..data.json_text import BOM, parse_json
from ..data.types import Json, is_object
from ..errors import DocumentError, LossError
from ..losses.report import Loss, Report
from ..schema import Options
from .batch import Batch
from .collisions import marks
from .layout import LISTED, are_lines, decode, encode, layout, lines_of
from .text_converter import GroupError, TextConverter

if TYPE_CHECKING:
    from ..api import Bridge
    from ..conversion.options import OnError
    from .layout import Layout

Done: TypeAlias = tuple[bytes, Report]


class BytesOptions(NamedTuple):
    """The options of a crossing."""

    fill: Mapping[str, Any] | None
    refuse: Sequence[str]
    on_error: OnError
    options: Options


# crossing


def convert(bridge: Bridge, data: bytes, *, lines: bool | None, how: BytesOptions) -> Done | None:
    """A text in the target's words, with the report; None where the bridge itself has to see the whole of it."""
    found = None if bridge.target.reads_only else layout(data.removeprefix(BOM), bridge.source, lines=lines)
    if found is None:
        return None
    run = Converter(bridge.source, bridge.target, how.fill, False, how.refuse, how.on_error, options=how.options)

    def lane(context: Context) -> TextConverter:
        return TextConverter(
            bridge.source, bridge.target, fill=how.fill, refuse=how.refuse, options=how.options, context=context
        )

    try:
        return _lines(found, run, lane({})) if found.wrap is None else _listed(found, found.wrap, run, lane)
    except GroupError:
        return None


def documents(data: bytes, *, lines: bool | None, depth: int) -> tuple[Json, list[str], bool]:
    """The document of a text, those of JSON Lines as a list; its duplicate members; whether it is JSON Lines."""
    if not (lines or (lines is None and are_lines(data.removeprefix(BOM)))):
        return *parse_json(data, depth), False
    data = data.removeprefix(BOM)
    found: list[Json] = []
    twice: list[str] = []
    for n, (start, end) in enumerate(lines_of(data)):
        try:
            value, places = parse_json(data[start:end], depth)
        except DocumentError as error:
            raise _in_line(error, data.count(b"\n", 0, start)) from None
        found.append(value)
        twice += (f"/{n}{place}" for place in places)
    return found, twice, True


def _in_line(error: DocumentError, before: int) -> DocumentError:
    """The same error, in a text that so many lines stand before."""
    line = None if error.line is None else error.line + before
    return DocumentError(error.problem, error.pointer, item=error.item, line=line, column=error.column)


def join_documents(value: Json, *, lines: bool) -> bytes:
    """A document as JSON text, a list as JSON Lines."""
    return b"".join([encode(each) + b"\n" for each in value]) if lines else encode(value)


def _lines(found: Layout, run: Converter, lane: TextConverter) -> Done | None:
    done = _crossed(lane, found, b"\n")
    if done.broken:
        _place(done, found)
    if done.failures and run.on_error == "raise":
        raise _first(done, found, run)
    if lane.unanswered:
        # The bridge says so, where there is any tool.
        texts = [found.data[start:end] for number, (start, end) in enumerate(found.spans) if number not in done.broken]
        plain = [
            each for each in map(decode, texts) if is_object(each) and catalogue_of(each, run.source).shape == "tool"
        ]
        Converter(run.source, run.target, run.fill, False, run.refuse, run.on_error, options=run.options).run(plain)
    return b"".join(done.parts), _report(run, done, None, None)


def _place(done: Batch, found: Layout) -> None:
    """Say of each line that cannot be read which it is."""
    line = behind = 0
    for index, (number, error) in enumerate(done.failures):
        if number in done.broken and isinstance(error, DocumentError):
            start, _ = found.spans[number]
            line, behind = line + found.data.count(b"\n", behind, start), start
            done.failures[index] = number, _in_line(error, line)


def _first(done: Batch, found: Layout, run: Converter) -> Exception:
    """What the bridge says of the first line that cannot cross: where it may leave that out, it has other words."""
    number, error = done.failures[0]
    if number not in done.broken:
        lane = TextConverter(
            run.source, run.target, fill=run.fill, refuse=run.refuse, options=run.options, on_error="raise"
        )
        told = marks(enumerate(done.readings()), run.target)
        try:
            again = lane.convert(found.data, found.spans[number : number + 1], number, told)
        except (DocumentError, LossError) as other:
            return other
        error = again.failures[0][1]  # of a list, or a catalogue
    return error


def _listed(found: Layout, wrap: str, run: Converter, lane: Callable[[Context], TextConverter]) -> Done | None:
    source, target = run.source, run.target
    taken = Catalogue("catalogue" if wrap else "list", [], [], wrap)
    try:
        envelope = Envelope(source, target, taken, found.around, run.lose)
    except (DocumentError, LossError):
        return None  # so it is with the bridge, unless that finds something else before
    mine = lane(envelope.context(0))
    done = _crossed(mine, found, b",")
    if done.broken or (done.failures and run.on_error == "raise") or mine.unanswered:
        return None  # and the bridge says what is wrong with it
    many = source is not target and not target.takes(done.written, lambda: target.strict_among(done.values()))
    text = b"[" + b"".join(done.parts[:-1]) + b"]"
    if envelope.written is not None:
        before, _, after = encode(put_list(envelope.written, envelope.wrap, LISTED)).partition(encode(LISTED))
        text = before + text + after
    report = _report(run, done, wrap, envelope.wrap)
    if many:
        run.lose(Loss("TB604", wrap, envelope.wrap))
    return text, report


def _crossed(lane: TextConverter, found: Layout, between: bytes) -> Batch:
    """All items of a catalogue, with names that differ."""
    done = lane.convert(found.data, found.spans, wrap=found.wrap, between=between)
    if not done.alone(lane.target):
        readings = done.readings()
        told = marks(enumerate(readings), lane.target)
        again = {
            number: lane.convert(found.data, found.spans[number : number + 1], number, told, wrap=found.wrap)
            for number in told.numbers(readings)
        }
        done.replace(again, between)
    return done


_FIRST: Final = ("TB002", "TB003")
"""Losses of items that are known before any of them crosses."""


def _report(run: Converter, done: Batch, wrap: str | None, there: str | None) -> Report:
    """The report of a catalogue, in the order of the bridge; put together when somebody looks."""

    def losses() -> Iterator[Loss]:
        around = [*run.losses()]
        of_items = _of_items(done, wrap, there)
        first = [loss for loss in of_items if loss[0] in _FIRST] if done.several else []
        yield from (loss for loss in first if loss.code == "TB002")
        yield from (loss for loss in around if loss.code != "TB604")
        yield from (loss for loss in first if loss.code == "TB003")
        yield from (loss for loss in of_items if loss[0] not in _FIRST) if first else of_items
        yield from (loss for loss in around if loss.code == "TB604")

    def counts() -> Counter[str]:
        return done.counts() + Counter(loss.code for loss in run.losses())

    failures = [failure for _, failure in done.failures]
    return Report(losses, run.source.id, run.target.id, False, (), failures, counts)


def _of_items(done: Batch, wrap: str | None, there: str | None) -> list[Loss]:
    """The losses of all items, in their order."""
    found: list[Loss] = []
    new = cast("Any", tuple).__new__  # there may be millions, and a named tuple made by its name takes twice the time
    position = 0
    for number, item in enumerate(done.items):
        notes, written = item.notes, item.text is not None
        if notes:
            if wrap is None:
                found += [
                    new(Loss, (code, place[1:] if place[:1] == "^" else place, target, number))
                    for code, place, target in notes
                ]
            else:
                base, out = f"{wrap}/{number}", f"{there}/{position}"
                found += [
                    new(
                        Loss,
                        (
                            code,
                            place[1:] if place[:1] == "^" else base + place,
                            None if target is None else out + target,
                            number,
                        ),
                    )
                    for code, place, target in notes
                ]
        position += written
    return found
