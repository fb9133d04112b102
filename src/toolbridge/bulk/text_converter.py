"""TextConverter: the texts of many items over one bridge, each by the fast path or by the general path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from ..conversion.catalogue import catalogue_of, levels_around
from ..conversion.converter import Converter
from ..conversion.envelope import Context
from ..conversion.invisible_characters import is_suspect
from ..conversion.item import FastResult, Item
from ..conversion.item_converter import too_many_failures
from ..conversion.options import CONVERSION_OPTIONS, REFUSE, ConversionOptions, OnError
from ..conversion.remainder import Remainder
from ..data.json_decoder import decode_json, encode_json
from ..data.json_text import parse_json
from ..data.pointer import OUTSIDE
from ..data.types import Json, is_object
from ..errors import DocumentError, LossError, ToolbridgeError
from ..losses.note import Note
from ..losses.report import Loss
from ..mapping.format import Format
from ..mapping.record import Record
from ..schema import OPTIONS
from .batch import Batch, DocumentCounts, Written
from .collisions import NO_COLLISIONS, Collisions, identifying_record
from .fastpath import fast_path

Span: TypeAlias = tuple[int, int]
"""Where the text of an item begins and ends."""


class GroupError(Exception):
    """An item of the list holds tools of its own, which count as items of the list."""


class TextConverter:
    """Converts the texts of items with the same options, by one thread at a time.

    `context` is what the envelope says about the items. `on_error` says what is done with items that cannot be
    converted; it replaces that of `options`. `together` is whether the texts are items of one document, which is
    refused where too many of them fail.
    """

    def __init__(
        self,
        source: Format,
        target: Format,
        options: ConversionOptions = CONVERSION_OPTIONS,
        *,
        context: Context | None = None,
        on_error: OnError = "skip",
        together: bool = True,
    ) -> None:
        self.source, self.target = source, target
        self._context = context or {}
        self._options = options = replace(options, on_error=on_error)
        self._limits = options.schemas.limits
        self._together = together
        path = back = None

        def fast_back(text: bytes, _: Context) -> FastResult | None:
            return None if back is None else back.convert(text)

        self._converter = Converter(source, target, options, fast_back=fast_back, is_compiled=True)
        self._items = self._converter.item_converter
        fill = self._items.fills.plain_fields
        if options.converts_plainly and options.restore is not True and fill is not None:
            # What a remainder restores was converted without options.
            schemas = OPTIONS if options.restore else options.schemas
            path = fast_path(source, target, schemas, tuple(self._context.items()), fill)
            back = fast_path(target, source) if options.keep else None
        self._fast = None if path is None else path.convert
        self._refused = () if options.refuse == REFUSE else options.refuse

    @property
    def unused_fill(self) -> frozenset[str]:
        """The places of `fill` that no tool had so far."""
        return frozenset(self._items.unused_fill)

    @property
    def has_tools(self) -> bool:
        """Whether the general path, which alone leaves places of `fill` unused, has read a tool that is not hosted."""
        return self._items.has_tools

    def records(self, data: bytes, spans: Iterable[Span]) -> list[Record | None]:
        """The records that identify these tools; None for those that cannot be read, and hosted ones."""
        records: list[Record | None] = []
        for start, end in spans:
            try:
                item = self._items.read(parse_json(data[start:end], self._limits.depth)[0], "", 0, self._context)
            except DocumentError:
                records.append(None)
            else:
                records.append(None if item.record is None else identifying_record(item.record))
        return records

    def convert(
        self,
        data: bytes,
        spans: Sequence[Span],
        first: int = 0,
        collisions: Collisions = NO_COLLISIONS,
        *,
        wrap: str | None = None,
        between: bytes = b"\n",
        remainders: Sequence[Remainder | None] = (),
    ) -> Batch:
        """Convert texts of items, which are at these spans of a text; the `first` of them has this number.

        `wrap` is the JSON Pointer to the list of the catalogue, for the places in errors; None if each text is a
        document of its own. `between` is put behind each written text. `remainders` are those of the items, if they
        are restored. Raises GroupError if an item holds tools of its own.
        """
        batch = Batch()
        append, put, fast = batch.items.append, batch.parts.append, self._fast
        refused, keeps = self._refused, self._options.keep
        for number, (start, end) in enumerate(spans, first):
            text = data[start:end]
            done = alone = None if fast is None else fast(text)
            if done is not None and collisions is not NO_COLLISIONS:
                done = _with_collisions(done, number, collisions)
            if done is not None and refused and any(note.code.startswith(refused) for note in done.notes):
                done = None
            remainder = remainders[number - first] if remainders else None
            if done is None or keeps or remainder is not None:
                written = self._converted(text, number, collisions, wrap, batch, remainder, done and alone)
                append(written)
                if self._together and len(batch.failures) > self._limits.failures:
                    raise too_many_failures(batch.failures[0][1], self._limits)
                if written.text is not None:
                    put(written.text)
                    put(between)
            else:
                append(done)
                put(done.text)
                put(between)
        return batch

    def _converted(  # noqa: PLR0917 - what is known of one text
        self,
        text: bytes,
        number: int,
        collisions: Collisions,
        wrap: str | None,
        batch: Batch,
        remainder: Remainder | None,
        done: FastResult | None,
    ) -> Written:
        """One text by the general path, or one that the fast path has converted, with its remainder."""
        place = "" if wrap is None else f"{wrap}/{number}"
        if done is not None:
            document, duplicates = decode_json(text), []
        else:
            try:
                document, duplicates = parse_json(text, self._limits.depth, levels_around(wrap))
            except DocumentError as error:
                batch.broken.add(number)
                batch.failures.append((number, error.at(place, number)))
                return Written(None, [Note("TB903", "")])
            if wrap is None and not is_tool(document, self.source):
                batch.documents.add(number)
                return self._document(document, duplicates, number, remainder, batch)
            if wrap is not None and is_object(document) and self.source.is_group(document):
                raise GroupError
        items = self._items
        items.is_clean = not is_suspect(text)
        value, notes, record = self._item(document, duplicates, number, place, collisions, remainder, done)
        batch.failures += ((number, failure) for failure in items.failures)
        made = self._converter.item_remainder()
        items.reset()
        written = None if value is UNSET else encode_json(value)
        return Written(written, notes, None if record is None else identifying_record(record), remainder=made)

    def _document(
        self, document: Json, duplicates: Sequence[str], number: int, remainder: Remainder | None, batch: Batch
    ) -> Written:
        """A line that is a list or a catalogue: a document of its own."""
        source, target, options = self.source, self.target, self._options
        if options.restore:
            options = replace(options, restore=remainder or False)
        converter = Converter(source, target, options, is_alone=False)
        try:
            value = converter.run(document, duplicates)
        except (DocumentError, LossError) as error:
            value, notes, failures = UNSET, [Note("TB903", "")], [error]
        except ToolbridgeError:
            raise
        except Exception as error:  # noqa: BLE001 - one line that is too much is no reason to lose the others
            failure = converter.item_converter.unexpected_failure(document, "", number, error)
            value, notes, failures = UNSET, [Note(failure.report[0].code, "")], [failure]
        else:
            items = converter.item_converter  # another one than before, if tools were written again without strict
            notes = [Note(loss.code, OUTSIDE + loss.source, loss.target) for loss in items.losses()]
            failures = items.failures
        batch.failures += ((number, failure) for failure in failures)
        self._items.unused_fill &= converter.item_converter.unused_fill
        if value is UNSET:
            left_out = Remainder(source=source.id, target=target.id, left_out=document) if options.keep else None
            return Written(None, notes, remainder=left_out)
        return Written(encode_json(value), notes, None, DocumentCounts.of(converter, document), converter.remainder)

    def _item(  # noqa: PLR0917 - what is known of one item
        self,
        document: Json,
        duplicates: Iterable[str],
        number: int,
        place: str,
        collisions: Collisions,
        remainder: Remainder | None,
        done: FastResult | None,
    ) -> tuple[Json, list[Note], Record | None]:
        """An item: its value (UNSET: it is left out), its losses, and what was read of it."""
        items = self._items
        notes: list[Note] = []

        def report(code: str, sub: str) -> None:
            items.noted.clear()
            items.add_loss(Loss(code, place + sub, None, number))
            if items.noted:  # a refused loss is an error instead
                notes.append(Note(code, sub))

        for sub in duplicates:
            report("TB002", sub)
        items.aliases, items.not_strict = collisions.aliases, collisions.not_strict
        if done is not None:
            item = Item(number, place, document, done.record, fast=done, context=self._context)
        else:
            item = items.read(document, place, number, self._context)
        record = item.record
        if record is not None:
            if number in collisions.duplicates:
                report("TB003", record.places["name"])
            record.is_ambiguous = number in collisions.ambiguous
        items.noted.clear()
        value = items.convert(item, collisions.new_names, remainder, "")
        for each in items.noted:
            notes += dict.fromkeys(each.notes)
        return value, notes, record


def _with_collisions(done: FastResult, number: int, collisions: Collisions) -> FastResult | None:
    """A result of the fast path in its catalogue; None if the tool takes the general path."""
    if collisions.changes(number, done.name):
        return None
    if number not in collisions.duplicates:
        return done
    notes = [Note("TB003", done.form_record.places["name"]), *done.notes]
    return replace(done, notes=notes)


def is_tool(document: Json, source: Format) -> bool:
    """Whether a document is a tool, and not a list, a catalogue or an interface, or what would be one."""
    return is_object(document) and source.exports is None and catalogue_of(document, source).shape == "tool"
