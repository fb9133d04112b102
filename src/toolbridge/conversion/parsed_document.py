"""ParsedDocument: a document from a caller as plain data, also one of which some items are not JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
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
    values: list[Json] = []
    duplicates: list[str] = []
    unreadable: dict[str, DocumentError] = {}

    def read(start: int, stop: int) -> None:
        """Read the items between two offsets. Raises DocumentError if one of them is not JSON."""
        items, repeated = parse_json(b"[%b]" % text[start:stop], limits.depth)
        for each in repeated:
            index, slash, rest = each[1:].partition("/")
            duplicates.append(f"{place}/{len(values) + int(index)}{slash}{rest}")
        values.extend(items)

    spans = list_items(text, begin)
    end, line, counted = begin, 1, 0
    try:
        while some := [*islice(spans, _TOGETHER)]:
            end = some[-1][1]
            with suppress(DocumentError):
                read(some[0][0], end)
                continue
            for start, stop in some:
                try:
                    read(start, stop)
                except DocumentError as error:
                    line += text.count(b"\n", counted, start)
                    counted = start
                    item = f"{place}/{len(values)}"
                    unreadable[item] = DocumentError(f"line {line + (error.line or 1) - 1}: {error.problem}", item)
                    values.append(None)
                    if len(unreadable) > limits.failures:
                        return None
        envelope, around = parse_json(text[: begin + 1] + text[end:], limits.depth)
    except DocumentError:  # of what is around the items
        return None
    if len(unreadable) == len(values) or at.get(envelope, place) != []:  # a duplicate member may be in its place
        return None
    return _document(put_list(envelope, place, values), [*around, *duplicates], unreadable)


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
