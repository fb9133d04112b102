"""ParsedDocument: a document from a caller as plain data, also one of which some items are not JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple, cast

from ..data import pointer as at
from ..data.from_python import copy_of, take, text_within_limits
from ..data.json_decoder import encode_json
from ..data.json_list import find_list, list_items
from ..data.json_text import BOM, exceeds_limits, parse_json
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError
from ..limits import LIMITS, Limits
from .catalogue import list_places, put_list

_TOGETHER: Final = 1_000
"""The largest number of items that are read at once."""


class ParsedDocument(NamedTuple):
    """A document as plain data that no other code uses.

    Attributes:
        value: The document.
        text: Its JSON text; empty if nobody needs it.
        duplicates: The JSON Pointers to the duplicate members of its objects.
        unreadable: The errors of the items of its list that are not JSON, by their places, where the document has null.
    """

    value: Json
    text: str | bytes
    duplicates: Sequence[str]
    unreadable: Mapping[str, DocumentError] = {}


def parse_document(document: object, limits: Limits = LIMITS, *, by_item: bool = False) -> ParsedDocument:
    """A document from a caller as plain data.

    `by_item` is whether a list or a catalogue may have items that are not JSON, such as tools with half of a surrogate
    pair, or that are nested too deeply. Raises DocumentError for other documents that are not JSON.
    """
    if isinstance(document, ParsedDocument):
        return document
    if isinstance(document, (bytearray, memoryview)):
        document = bytes(cast("bytes", document))
    try:
        return ParsedDocument(*take(document, limits))
    except DocumentError:
        found = None
        if by_item:
            text = document.encode("utf-8", "surrogatepass") if isinstance(document, str) else document
            found = by_item_of_text(text, limits) if isinstance(text, bytes) else _by_item_of_value(text, limits)
        if found is None:
            raise
    return found


def by_item_of_text(text: bytes, limits: Limits) -> ParsedDocument | None:
    """The list or catalogue of a text that was read item by item; None if it has none, or no item is JSON."""
    if len(text) > limits.document:
        return None
    text = text.removeprefix(BOM)
    places = {tuple(at.split(place)): place for place in ("", *list_places())}
    found = find_list(text, places)
    if found is None:
        return None
    place, begin = places[found[0]], found[1]
    reader = _ItemReader(text, place, limits)
    spans = list_items(text, begin)
    end = begin
    try:
        while some := [*islice(spans, _TOGETHER)]:
            end = some[-1][1]
            if not reader.read(some):
                return None
        envelope, duplicates = parse_json(text[: begin + 1] + text[end:], limits.depth)
    except DocumentError:  # of what is around the items
        return None
    values, unreadable = reader.values, reader.unreadable
    if len(unreadable) == len(values) or at.get(envelope, place) != []:  # a duplicate member may be in its place
        return None
    return _document(put_list(envelope, place, values), [*duplicates, *reader.duplicates], unreadable)


class _ItemReader:
    """Reads the items of a list in a text: all that follow each other at once, if all are JSON."""

    def __init__(self, text: bytes, place: str, limits: Limits) -> None:
        self.values: list[Json] = []
        self.duplicates: list[str] = []
        self.unreadable: dict[str, DocumentError] = {}
        self._text, self._place, self._limits = text, place, limits
        self._line, self._counted = 1, 0

    def read(self, spans: Sequence[tuple[int, int]]) -> bool:
        """Read the items in these spans. False if more items are unreadable than the limits allow."""
        start, end = spans[0][0], spans[-1][1]
        number = len(self.values)
        try:
            values, duplicates = parse_json(b"[%b]" % self._text[start:end], self._limits.depth)
        except DocumentError as error:
            if len(spans) > 1:
                half = len(spans) // 2
                return self.read(spans[:half]) and self.read(spans[half:])
            self._line += self._text.count(b"\n", self._counted, start)
            self._counted = start
            place = f"{self._place}/{number}"
            problem = f"line {self._line + (error.line or 1) - 1}: {error.problem}"
            self.unreadable[place] = DocumentError(problem, place)
            self.values.append(None)
            return len(self.unreadable) <= self._limits.failures
        self.values += cast("list[Json]", values)
        for each in duplicates:
            index, slash, rest = each[1:].partition("/")
            self.duplicates.append(f"{self._place}/{number + int(index)}{slash}{rest}")
        return True


def _by_item_of_value(document: object, limits: Limits) -> ParsedDocument | None:
    """A list or catalogue of Python that was read item by item; None if it has none, or no item is JSON."""
    for place in ("", *list_places()):
        items: object = at.get(document, place, None)
        if isinstance(items, (list, tuple)):
            break
    else:
        return None
    values: list[Json] = []
    unreadable: dict[str, DocumentError] = {}
    try:
        envelope = copy_of(put_list(cast("Json", document), place, []), "", limits.depth)
    except DocumentError:
        return None
    for number, item in enumerate(cast("list[object]", items)):
        base, member = f"{place}/{number}", str(number)
        try:  # as a member of something, as the list is a level of its own
            copy = cast("JsonObject", copy_of({member: item}, place, limits.depth))
            text_within_limits(copy, limits.depth)
            value = copy[member]
        except DocumentError as error:
            error.tool = _name(item)
            value, unreadable[base] = None, error if error.pointer.startswith(base) else error.at(place, None)
            if len(unreadable) > limits.failures:
                return None
        values.append(value)
    if len(unreadable) == len(values):
        return None
    return _document(put_list(envelope, place, values), (), unreadable)


def _name(item: object) -> str | None:
    """The name of a tool that is not JSON, if that is where most formats have it."""
    name: object = at.get(item, "/name", None) if is_object(item) else None
    # A value of a subclass of str is no text that a report in JSON can have.
    return str.__str__(name) if isinstance(name, str) and name.isprintable() else None


def _document(value: Json, duplicates: Sequence[str], unreadable: Mapping[str, DocumentError]) -> ParsedDocument:
    for error in unreadable.values():  # the frames of their tracebacks hold copies of the document
        error.__traceback__ = error.__context__ = None
    text = encode_json(value)
    exceeds_limits(value, len(text), len(text))  # each item may be within the limits
    return ParsedDocument(value, text, duplicates, unreadable)
