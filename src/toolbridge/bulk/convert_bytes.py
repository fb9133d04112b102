"""Bridge.bytes: a text of one or many items converted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from ..conversion.budget import Budget, has_budget
from ..conversion.catalogue import without_items
from ..conversion.converter import Converter
from ..conversion.envelope import Envelope
from ..conversion.fill import unused_fill_error
from ..conversion.loss_details import LossDetails
from ..data import pointer as at
from ..data.documents import with_lines_before
from ..data.json_decoder import encode_json
from ..data.json_text import BOM, parse_json
from ..data.types import Json
from ..errors import DocumentError, LossError
from ..losses.loss import CatalogueLoss, Loss
from ..losses.report import Report
from .batch import Batch, BatchIndex
from .collisions import find_collisions
from .layout import are_lines, around_list, item_value, layout, lines_of
from .text_converter import GroupError, TextConverter, is_tool

if TYPE_CHECKING:
    from ..conversion.options import ConversionOptions
    from ..mapping.format import Format
    from .layout import Layout

Done: TypeAlias = tuple[bytes, Report]


def convert(
    source: Format, target: Format, data: bytes, options: ConversionOptions, *, lines: bool | None
) -> Done | None:
    """The converted text and its report; None if the document has to be converted as a whole."""
    items = None if target.reads_only else layout(data.removeprefix(BOM), source, lines=lines)
    if items is None:
        return None
    converter = Converter(source, target, options)

    try:
        return _lines(items, converter) if items.wrap is None else _listed(items, items.wrap, converter)
    except GroupError:
        return None


def documents(data: bytes, *, lines: bool | None, depth: int) -> tuple[Json, list[str], bool]:
    """The document of a text, those of JSON Lines as a list; its duplicate members; whether it is JSON Lines."""
    if not (lines or (lines is None and are_lines(data.removeprefix(BOM)))):
        return *parse_json(data, depth), False
    data = data.removeprefix(BOM)
    values: list[Json] = []
    duplicates: list[str] = []
    for n, (start, end) in enumerate(lines_of(data)):
        try:
            value, places = parse_json(data[start:end], depth)
        except DocumentError as error:
            raise with_lines_before(error, data.count(b"\n", 0, start)) from None
        values.append(value)
        duplicates += (f"/{n}{place}" for place in places)
    return values, duplicates, True


def join_documents(value: Json, *, lines: bool) -> bytes:
    """A document as JSON text, a list as JSON Lines."""
    return b"".join([encode_json(each) + b"\n" for each in value]) if lines else encode_json(value)


def _lines(found: Layout, converter: Converter) -> Done | None:
    texts = TextConverter(converter.source, converter.target, converter.options)
    batch = _converted(texts, found, b"\n")
    for loss in _keep_limits(texts, found, batch, "", b"\n"):
        if loss.code != "TB604":  # which is of lists: each line is a document
            converter.item_converter.add_limit_loss(loss)
    if batch.broken:
        _place(batch, found)
    if batch.failures and converter.options.on_error == "raise":
        raise _first(batch, found, converter)
    if texts.unused_fill and texts.has_tools:
        raise unused_fill_error(texts.unused_fill, converter.target.id)
    return b"".join(batch.parts), _report(converter, batch, found, None)


def _place(batch: Batch, found: Layout) -> None:
    """Add the numbers of the lines that cannot be read to their errors."""
    line = behind = 0
    for index, (number, error) in enumerate(batch.failures):
        if number in batch.broken and isinstance(error, DocumentError):
            start, _ = found.spans[number]
            line, behind = line + found.data.count(b"\n", behind, start), start
            batch.failures[index] = number, with_lines_before(error, line)


def _first(batch: Batch, found: Layout, converter: Converter) -> Exception:
    """The error of the first line that cannot be converted, as it is where items are not left out."""
    number, error = batch.failures[0]
    if number not in batch.broken:
        texts = TextConverter(converter.source, converter.target, converter.options, on_error="raise")
        try:
            again = texts.convert(found.data, found.spans[number : number + 1], number, batch.collisions)
        except (DocumentError, LossError) as other:
            return other
        if again.failures:  # a list or a catalogue; there is none if memory was short the first time
            error = again.failures[0][1]
    return error


def _listed(found: Layout, wrap: str, converter: Converter) -> Done | None:
    source, target, items = converter.source, converter.target, converter.item_converter
    try:
        envelope = Envelope(source, target, without_items(found.envelope, wrap), found.envelope, items.add_loss)
    except (DocumentError, LossError):
        return None  # the document has that error as a whole, unless it has another one before
    if envelope.choice is not None or envelope.groups:
        return None  # the choice of tools in it depends on all tools, and so does the size of a group
    texts = TextConverter(source, target, converter.options, context=envelope.context(0))
    batch = _converted(texts, found, b",")
    if batch.broken or (batch.failures and converter.options.on_error == "raise") or texts.unused_fill:
        return None  # the document has an error as a whole
    losses = _keep_limits(texts, found, batch, envelope.wrap, b",")
    if batch.failures and converter.options.on_error == "raise":
        return None
    text = b"[" + b"".join(batch.parts[:-1]) + b"]"
    if envelope.written is not None:
        before, after = around_list(envelope.written, envelope.wrap)
        text = before + text + after
    report = _report(converter, batch, found, envelope)
    for loss in losses:
        items.add_limit_loss(loss)
    return text, report


def _converted(texts: TextConverter, found: Layout, between: bytes) -> Batch:
    """All items of a catalogue, with names that differ."""
    batch = texts.convert(found.data, found.spans, wrap=found.wrap, between=between)
    batch.collisions, numbers = find_collisions(BatchIndex(batch, texts.target), texts.target, batch.records)
    _convert_again(batch, texts, found, numbers, between)
    return batch


def _convert_again(batch: Batch, texts: TextConverter, found: Layout, numbers: Iterable[int], between: bytes) -> None:
    """Convert the items with these numbers again, with the collisions of the batch."""
    again = {
        n: texts.convert(found.data, found.spans[n : n + 1], n, batch.collisions, wrap=found.wrap) for n in numbers
    }
    if again:
        batch.replace(again, between)


def _keep_limits(
    texts: TextConverter, found: Layout, batch: Batch, target_wrap: str, between: bytes
) -> list[CatalogueLoss]:
    """Write the fewest tools without strict so that the rest keeps the limits of the vendor; the losses of that."""
    source, target = texts.source, texts.target
    has_limits = has_budget(source, target)
    if source is target or not (has_limits or target.max_tools):
        return []
    budget = Budget(target, len(batch.items) - len(batch.documents))
    if has_limits:
        for number, text in batch.tools():
            budget.add_text(number, text)
    excess = budget.excess()
    not_strict = excess | budget.oversized.keys()
    names = [item.name for n, item in enumerate(batch.items) if n in not_strict and item.name is not None]
    if excess:
        batch.collisions = batch.collisions._replace(not_strict=excess)
        _convert_again(batch, texts, found, sorted(excess), between)
    return budget.losses(found.wrap or "", target_wrap, batch.written, names, excess)


class _BatchValues:
    """The texts of the items of a document, as those in which details of losses are found.

    `wrap` is the place of the list of the items (None: each is a line), `around` the document around the list; `text`
    returns the text of an item, or None if it was not written.
    """

    def __init__(self, form: Format, wrap: str | None, text: Callable[[int], bytes | None], around: Json) -> None:
        self._form, self._wrap, self._text, self._around = form, wrap, text, around
        self._last: tuple[int | None, Json] = None, at.MISSING

    def _read(self, number: int) -> Json:
        last = self._last
        if last[0] != number:
            text = self._text(number)
            last = self._last = number, at.MISSING if text is None else item_value(text)
        return last[1]  # not that of the attribute, which another thread may have replaced

    def item(self, number: int | None) -> tuple[str, Json]:
        value = at.MISSING if number is None else self._read(number)
        if self._wrap is not None:
            return f"{self._wrap}/{number}", value
        return "", value if is_tool(value, self._form) else at.MISSING

    def get(self, place: str, number: int | None) -> Json:
        if number is not None and self._wrap is None:
            return at.get(self._read(number), place)
        if number is not None and place.startswith(f"{self._wrap}/"):
            inside = place[len(self._wrap or "") + 1 :].partition("/")
            return at.get(self._read(number), f"/{inside[2]}" if inside[1] else "")
        return at.MISSING if at.is_within(self._wrap or "", place) else at.get(self._around, place)


_FIRST: Final = ("TB002", "TB003")
"""Losses of items that are known before any of them is converted."""


def _report(converter: Converter, batch: Batch, found: Layout, envelope: Envelope | None) -> Report:
    """The report of a catalogue, in the order of `Converter`; computed at the first access."""
    own, wrap = converter.item_converter, found.wrap
    target_wrap = None if envelope is None else envelope.wrap

    def losses() -> Iterator[Loss]:
        before = _BatchValues(converter.source, wrap, lambda n: found.data[slice(*found.spans[n])], found.envelope)
        written = None if envelope is None else envelope.written
        after = _BatchValues(converter.target, target_wrap, lambda n: batch.items[n].text, written)
        details = LossDetails(converter.source, converter.target, before, after, options=converter.options.schemas)
        around = [loss.bound(details) for loss in own.losses()]
        of_items = _of_items(batch, wrap, target_wrap, Loss.of(details))
        # Those for which an item was refused stand behind the refusal.
        early = [code for code in _FIRST if not code.startswith(converter.options.refuse)]
        first = [loss for loss in of_items if loss[0] in early]
        if first:
            of_items = [loss for loss in of_items if loss[0] not in early]
        yield from (loss for loss in first if loss.code == "TB002")
        yield from (loss for loss in around if not loss.detail)
        yield from (loss for loss in first if loss.code == "TB003")
        yield from of_items
        yield from (loss for loss in around if loss.detail)

    def counts() -> Counter[str]:
        return batch.counts() + Counter(loss.code for loss in own.losses())

    failures = [failure for _, failure in batch.failures]
    count = len(batch.items)
    return Report(losses, converter.source.id, converter.target.id, False, (), failures, counts, "tool", count)


def _of_items(batch: Batch, wrap: str | None, target_wrap: str | None, of: type[Loss]) -> list[Loss]:
    """The losses of all items, in their order."""
    found: list[Loss] = []
    new = cast("Any", tuple).__new__  # there may be millions, and a named tuple made by its name takes twice the time
    position = 0
    for number, item in enumerate(batch.items):
        notes = item.notes
        if notes:
            base, out = ("", "") if wrap is None else (f"{wrap}/{number}", f"{target_wrap}/{position}")
            found += [
                new(
                    of,
                    (
                        note.code,
                        at.absolute(note.source, base),
                        None if note.target is None else out + note.target,
                        number,
                    ),
                )
                for note in notes
            ]
        position += item.text is not None
    return found
