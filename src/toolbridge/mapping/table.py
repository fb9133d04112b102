"""Table: rows that read a document downwards and write one upwards.

A table is driven by the document when it reads, so that no key can be forgotten, and by its rows when it writes; what
nobody here can say is noted, always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import UNSET, Struct

from ..data import pointer as at
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError
from ..hub import Block, Call, Result, Tool
from ..schema import separate
from .record import Codec, Record, Row, WriteContext, account, fields
from .wire import from_msgspec
from .write import write


class _Node:
    """A place on the way to the rows of a table."""

    __slots__ = ("children", "nullable", "row", "speaks", "wire")

    def __init__(self, wire: str = "") -> None:
        self.wire = wire
        self.row: Row | None = None
        self.speaks = False
        """Whether the row says a field of the hub while reading."""
        self.nullable = False
        """Whether it says one with null as well."""
        self.children: dict[str, _Node] = {}


Invent: TypeAlias = Callable[[WriteContext], Any]


def describe(w: WriteContext) -> str:
    """A description for a tool that has none: its title, or its name."""
    wire = w.row.wire if w.row is not None else None
    w.note_at("TB401", w.source("title") or w.source("name"), wire)
    return w.fields.get("title") or w.fields["name"]


def any_input(w: WriteContext) -> JsonObject:
    """An input schema for a source that says nothing of its arguments."""
    w.note("TB401")
    return {"type": "object"}


class Table:
    """The rows of one kind of document in one format, with the model that types it.

    Cannot be made while its model has a field without a row, or a row leads to no field. `settle` runs after a
    reading, for fields that several places say together; `check` answers pointer and problem of what the model cannot
    see; `repair` puts a broken document right in place and yields the pointers; `invent` answers by place what the
    format demands. `closed` are the objects in which the specification forbids unknown keys. `dialect` is what JSON
    Schema means there where a document does not say (None: unspecified). `reads` is a more lenient model for documents
    that come in. `of` is what they are to the hub; `unfinished` results stand for one that is still to come. `free` are
    fields that nothing else in a document is compared with: where one has another text, all else means what it did.
    `shows_data`: models read the data of such results beside the content.
    """

    def __init__(
        self,
        model: type[Struct],
        *rows: Row,
        closed: tuple[str, ...] = (),
        after_read: Callable[[Record], None] | None = None,
        check: Callable[[JsonObject], tuple[str, str] | None] | None = None,
        repair: Callable[[JsonObject], Iterator[str]] | None = None,
        invent: Mapping[str, Invent] | None = None,
        reads: type[Struct] | None = None,
        dialect: str | None = None,
        of: type[Tool | Call | Result | Block] = Tool,
        unfinished: bool = False,
        free: tuple[str, ...] = (),
        shows_data: bool = False,
    ) -> None:
        self.shows_data = shows_data
        self.unfinished = unfinished
        self.free = free
        self.model = model
        self.of = of
        self.reads = reads or model
        self.dialect = dialect
        self.order = rows
        self.rows: dict[str, Row] = {row.wire: row for row in rows}
        self.closed = closed
        self.after_read = after_read
        self.check = check
        self.repair = repair
        self.invent = dict(invent or {})
        self.fallbacks = tuple(row for row in rows if row.fallback)
        self.required_keys = frozenset(field.encode_name for field in fields(self.reads) if field.required)
        self.says = frozenset(row.hub for row in rows if not row.fallback)
        self.name = next((row.tokens for row in rows if row.hub == "name" and not row.fallback), ())
        self._trie = _Node()
        self.containers = {""}
        for row in rows:
            node = self._trie
            for depth, token in enumerate(row.tokens):
                if depth:
                    self.containers.add(at.join(*row.tokens[:depth]))
                node = node.children.setdefault(token, _Node(at.join(*row.tokens[: depth + 1])))
            node.row = row
            node.speaks = row.hub is not None and not row.fallback
            node.nullable = row.nullable
        self.meanings = {row.wire: (row.hub, row.via) for row in rows if row.hub is not None}
        account(self)

    def rows_of(self, path: str) -> list[Row]:
        """The rows that say a field of the hub."""
        return [row for row in self.order if row.hub == path and not row.fallback]

    # reading

    def read(self, document: JsonObject, family: str) -> Tool | Call | Result | Block:
        """The hub's view of a document. Raises DocumentError where it is not one of this table's."""
        return self.open(document, family).hub(cast("type[Tool]", self.of))

    def open(self, document: JsonObject, family: str) -> Record:
        """A document, understood. Raises DocumentError where it is not one of this table's, even after repair."""
        reading = self.visit(document, family)
        try:
            self._validate(reading)
        except DocumentError as error:
            reading = self._repaired(document, family, error)
        self.understand(reading, self.meanings)
        if self.of is Tool and (flaw := self.nameless(document) or _nameless(reading)) is not None:
            raise DocumentError(flaw[1], flaw[0])
        return reading

    def understand(self, reading: Record, meanings: Mapping[str, tuple[str, Codec | None]]) -> None:
        """Let a visited document say its fields; `meanings` are the fields of places, and how they are read."""
        fields, places = reading.fields, reading.places
        for wire, value in reading.raw.items():
            path, via = meanings[wire]
            if via is not None:
                try:
                    value = via.read(value, reading)  # noqa: PLW2901 - the value as the hub says it
                except DocumentError as error:
                    raise error.at(wire, None) from None
                if value is UNSET:
                    continue
            fields[path] = value
            places[path] = wire
        if self.after_read is not None:
            self.after_read(reading)

    def flaws(self, document: JsonObject, family: str) -> int | None:
        """How many repairs a document needs to be one of this table's; None where it cannot be."""
        try:
            self._validate(self.visit(document, family))
        except DocumentError as error:
            try:
                return len(self._repaired(document, family, error).notes)
            except DocumentError:
                return None
        return 0

    def visit(self, document: JsonObject, family: str) -> Record:
        """What stands where in a document, of which nothing is understood yet."""
        reading = Record(self, family, document)
        unknown_keys: dict[str, Json] = {}
        self._descend(self._trie, document, "", reading.raw, unknown_keys)
        if unknown_keys:
            reading.local[family] = unknown_keys
        return reading

    def _descend(self, node: _Node, place: JsonObject, prefix: str, raw: dict[str, Any], own: dict[str, Json]) -> None:
        children = node.children
        if not place and prefix:
            own[prefix] = place
        for key, value in place.items():
            child = children.get(key)
            if child is None:
                own[f"{prefix}/{at.escape(key)}"] = value
            elif child.children and isinstance(value, dict):
                self._descend(child, cast("JsonObject", value), child.wire, raw, own)
            elif child.speaks and (value is not None or child.nullable):
                raw[child.wire] = value
            else:
                own[child.wire] = value

    def _validate(self, reading: Record) -> None:
        document: Any = reading.document
        if self.reads is self.model and self.closed and (own := reading.local.get(reading.family)):
            document = without(document, [place for place in own if not self.knows(place)])
        self.verify(document, self.reads)

    def verify(self, document: JsonObject, model: type[Struct] | None = None) -> None:
        """Raises DocumentError where a document is not valid as it stands."""
        try:
            msgspec.convert(document, model or self.model)
        except msgspec.ValidationError as error:
            raise from_msgspec(error, document) from None
        if self.check is not None and (flaw := self.check(document)) is not None:
            raise DocumentError(flaw[1], flaw[0])

    def nameless(self, document: JsonObject) -> tuple[str, str] | None:
        """Pointer and problem of a name without any character."""
        name: Any = document
        for token in self.name:
            name = name.get(token) if is_object(name) else None
        if not isinstance(name, str) or name.strip():
            return None
        return at.join(*self.name), f"{_NAMELESS}{name!r}"

    def knows(self, place: str) -> bool:
        """Whether the table has a row at, or below, this place."""
        node = self._trie
        for token in at.split(place):
            child = node.children.get(token)
            if child is None:
                return False
            node = child
        return True

    def _repaired(self, document: JsonObject, family: str, error: DocumentError) -> Record:
        """The document put right where its meaning is beyond doubt: null for nothing, and what the room knows."""
        nulls = self.nulls(self.visit(document, family))
        mended = without(document, nulls)
        fixed = list(nulls)
        reading = self._sound(mended, family) if nulls else None
        if reading is None:
            if self.repair is not None:
                mended = separate(mended)
                fixed += self.repair(mended)
            if not fixed:
                raise error
            reading = self.visit(mended, family)
            self._validate(reading)
        reading.notes = [("TB001", place) for place in fixed]
        reading.added = {place for place in reading.local.get(family, ()) if at.get(document, place) is at.MISSING}
        return reading

    def nulls(self, reading: Record) -> list[str]:
        """The places where null says nothing, in the order of the document."""
        return [
            place
            for place, value in reading.local.get(reading.family, {}).items()
            if value is None
            and self.knows(place)
            and place[1:] not in self.required_keys
            and not ((row := self.rows.get(place)) and row.default is None)
        ]

    def _sound(self, document: JsonObject, family: str) -> Record | None:
        """A document, visited; None where it is not valid."""
        reading = self.visit(document, family)
        try:
            self._validate(reading)
        except DocumentError:
            return None
        return reading

    # writing

    write = write

    def unknown_keys(self, document: JsonObject) -> int:
        """How many keys of a document this table does not know."""
        count = 0
        for key, value in document.items():
            child = self._trie.children.get(key)
            if child is None:
                count += 1
            elif child.children and child.row is None and isinstance(value, dict):
                count += sum(1 for inner in cast("JsonObject", value) if inner not in child.children)
        return count


_NAMELESS = "a name needs at least one character, found "


def _nameless(reading: Record) -> tuple[str, str] | None:
    """The same, where the name is not said by itself."""
    name: Any = reading.fields.get("name")
    if not isinstance(name, str) or name.strip():
        return None
    return reading.places.get("name", ""), f"{_NAMELESS}{name!r}"


def without(document: JsonObject, places: list[str]) -> JsonObject:
    """A copy without these places; everything off the way to them is shared."""
    for place in places:
        *way, last = at.split(place)
        document = dict(document)
        inner = document
        for token in way:
            inner[token] = inner = dict(cast("JsonObject", inner[token]))
        inner.pop(last, None)
    return document
