"""The tools of a catalogue as they are compared: by their names, each with its record."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from ..conversion.catalogue import Catalogue, catalogue_of
from ..conversion.detect import choose
from ..conversion.envelope import Envelope
from ..conversion.item import Item, read_tool, tool_name
from ..conversion.parsed_document import ParsedDocument, parse_document
from ..data import pointer as at
from ..data.from_python import take
from ..data.types import Json, is_object
from ..errors import DocumentError, FormatError, ToolbridgeError
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..limits import Limits
from ..losses.report import Loss
from ..mapping.format import Format
from ..mapping.record import Record

ErrorText: TypeAlias = Callable[[ToolbridgeError], str]
"""Makes the text of an error, which names the document."""


class CatalogueTools(NamedTuple):
    """A document with its format, its catalogue, its tools, and the errors of those that are not JSON."""

    document: Json
    form: Format
    catalogue: Catalogue
    items: list[Item]
    unreadable: Mapping[str, DocumentError] = {}

    @property
    def failures(self) -> list[ToolbridgeError]:
        """The errors of the tools that cannot be read."""
        return [item.failure for item in self.items if item.failure is not None]

    @property
    def readable(self) -> int:
        """The number of tools that can be read."""
        return sum(item.record is not None for item in self.items)

    def check_format(self) -> None:
        """Raises FormatError if the document is not in the format in which it was read."""
        failures = self.failures
        if failures and len(failures) == len(self.items):
            raise not_of_format(self.form, failures)

    @classmethod
    def of(
        cls, document: Json, form: Format, limits: Limits, unreadable: Mapping[str, DocumentError] = {}
    ) -> CatalogueTools:
        """The tools of plain data."""
        catalogue = catalogue_of(document, form, limits).with_unreadable(unreadable)
        envelope = Envelope(form, form, catalogue, document, ignore)
        several = catalogue.shape != "tool"
        items = [
            read_tool(form, Item(index if several else None, place, item, context=envelope.context(index)))
            for index, (item, place) in enumerate(zip(catalogue.items, catalogue.places, strict=True))
        ]
        return cls(document, form, catalogue, items, unreadable)

    def as_it_stands(self, item: Item) -> Item:
        """A tool with the value in the document, from which that of an interface is only made."""
        is_made = self.catalogue.shape == "interface"
        return replace(item, original=at.get(self.document, item.place)) if is_made else item

    def parsed(self, limits: Limits) -> ParsedDocument:
        """The document for a conversion."""
        return ParsedDocument(*take(self.document, limits), self.unreadable)


def alike(
    old: object,
    new: object,
    old_format: FormatName | Format | None,
    new_format: FormatName | Format | None,
    *,
    limits: Limits,
    texts: tuple[ErrorText, ErrorText],
) -> tuple[CatalogueTools, CatalogueTools]:
    """The tools of two documents; one that fits the format of the other as well is read in that format.

    `texts` make the texts of the errors of each.
    """
    with errors_of(texts[0]):
        one = parse_document(old, limits, by_item=True)
        first, first_ties = (get_format(old_format), tuple) if old_format is not None else choose(one.value)
    with errors_of(texts[1]):
        other = one if new is old else parse_document(new, limits, by_item=True)
        second, second_ties = (get_format(new_format), tuple) if new_format is not None else choose(other.value)
    first, second = in_one_family(first, first_ties, second, second_ties)
    found: list[CatalogueTools] = []
    for text, document, form in zip(texts, (one, other), (first, second), strict=True):
        with errors_of(text):
            found.append(CatalogueTools.of(document.value, form, limits, document.unreadable))
            found[-1].check_format()
    return found[0], found[1]


def in_one_family(
    first: Format, first_ties: Callable[[], Sequence[str]], second: Format, second_ties: Callable[[], Sequence[str]]
) -> tuple[Format, Format]:
    """The formats in which two documents are compared, from the detected ones and the others that fit as well."""
    if first.family != second.family:
        if second.id in first_ties():
            first = second
        elif first.id in second_ties():
            second = first
    return first, second


@contextmanager
def errors_of(text: ErrorText) -> Generator[None, None, None]:
    """Lets errors have texts that name the document."""
    try:
        yield
    except ToolbridgeError as error:
        raise named(error, text) from None


def named(error: ToolbridgeError, text: ErrorText) -> ToolbridgeError:
    """The same error, with a text that names the document."""
    error.args = (text(error),)
    return error


def not_of_format(form: Format, failures: Sequence[ToolbridgeError]) -> FormatError:
    """The error of a catalogue none of whose tools is one of a format."""
    return FormatError(f"no tool of this catalogue is one of {form.id}: {failures[0]}")


def ignore(loss: Loss) -> None:
    """Take a loss that nobody asked for: nothing is converted here."""


def name_of(item: Item, form: Format) -> str:
    """The name of a tool, or what stands for it: a type of the vendor's own tools, a place."""
    if item.record is not None:
        name = item.record.fields.get("name")
    else:
        name = tool_name(item.original, form)
        if name is None and is_object(item.original):
            name = item.original.get("name", item.original.get("type"))
    return name if isinstance(name, str) else item.place


def place_of(item: Item, path: str, sub: str = "") -> str | None:
    """The place of a field of the hub, or of a pointer into it, in the document; None for one that is absent."""
    record = item.record
    if record is None or path not in record.places:
        return None
    place = _translated(record, path, sub)
    return at.absolute(place, item.place)


def _translated(record: Record, path: str, sub: str) -> str:
    place = record.places[path]
    if place.startswith(at.OUTSIDE):
        return place + sub
    row = None if record.table is None else record.table.rows.get(place)
    if row is not None and row.via is not None:
        sub = row.via.place(sub, record.raw.get(place), record)
        if sub.startswith(at.OUTSIDE):
            return sub[1:]
    return place + sub
