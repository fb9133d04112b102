"""The items of a document as they are read, before any of them crosses: one by one, and beside each other."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct

from . import pointer as at
from .envelope import Context
from .errors import DocumentError, ToolbridgeError
from .format import Format
from .hub import Json, is_object
from .names import assign, digest
from .problems import kind
from .reading import Reading
from .remainder import lifted


class Item(Struct, frozen=True):
    """One item: what was read, or why it could not be. A hosted one is a tool that nobody here has to read."""

    number: int | None
    place: str
    original: Json
    reading: Reading | None = None
    embedded: Json = UNSET
    failure: ToolbridgeError | None = None
    hosted: bool = False


def opened(
    source: Format, item: Json, place: str, number: int | None, *, context: Context, fields: Mapping[str, Any]
) -> Item:
    """An item, read. `context` is what stands around it and tells about it, `fields` what a caller filled in."""
    if isinstance(item, DocumentError):
        # An interface says itself which of its exports cannot be read, and where.
        return Item(number, place, None, failure=DocumentError(item.problem, item.pointer, item=number))
    if not is_object(item):
        failure = DocumentError(f"expected a tool, found {kind(item)}", place, item=number)
        return Item(number, place, item, failure=failure)
    if source.hosted is not None and source.hosted(item):
        return Item(number, place, item, hosted=True)
    body, embedded = item, UNSET
    if source.slot is not None and (found := at.get(body, source.slot)) is not at.MISSING:
        embedded = found
        body = lifted(body, source.slot)
    try:
        reading = source.tool.open(body, source.family)
    except DocumentError as error:
        return Item(number, place, item, failure=error.at(place, number))
    for path, (value, where) in context.items():
        if path not in reading.fields:
            reading.fields[path] = value
            reading.places[path] = "^" + where
            reading.borrowed.add(path)
    for path, value in fields.items():
        if path not in reading.fields:
            reading.fields[path] = copy.deepcopy(value)
    return Item(number, place, item, reading, embedded)


def names(items: Sequence[Item], target: Format) -> dict[str, str]:
    """The names that tools need there, where they cannot keep their own; those that look alike are marked."""
    readings = [item.reading for item in items if item.reading is not None]
    called = assign((reading.fields["name"] for reading in readings), target.names) if target.names is not None else {}
    if target.identity is not None:
        more = True
        while more:  # a marked one may meet one that is called so already, which is marked then, too
            owners: dict[str, list[Reading]] = {}
            for reading in readings:
                name: str = reading.fields["name"]
                known = called.get(name, name)
                known = f"{known}_{digest(name)}" if reading.apart else known
                owners.setdefault(target.identity(reading, known), []).append(reading)
            more = False
            for rivals in owners.values():
                if len({reading.fields["name"] for reading in rivals}) > 1:
                    free = [reading for reading in rivals if not reading.fixed]
                    more = more or not all(reading.apart for reading in free)
                    for reading in free:
                        reading.apart = True
    return called


def repeated(items: Sequence[Item], target: Format, *, grouped: bool) -> Iterator[Item]:
    """The tools that another one before them is the same as, by what is said of them there.

    Two versions of a tool are one where versions have no word; `grouped` tools are told apart by their groups.
    """
    words = {row.hub for row in target.tool.order}
    said = [path for path in ("version", "toolkit") if path in words or (grouped and path == "toolkit")]
    seen: set[object] = set()
    for item in items:
        if item.reading is not None:
            fields = item.reading.fields
            name = (fields["name"], *(fields.get(path) for path in said))
            if name in seen:
                yield item
            seen.add(name)
