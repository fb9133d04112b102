"""Table: rows that read a document downwards and write one upwards.

Reading visits the keys of the document, so that none is skipped; writing visits the rows of the table. Everything that
the table cannot write is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, cast, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UNSET, Struct

from ..data import pointer as at
from ..data.json_decoder import convert_to, copy_json, is_value_of
from ..data.types import Json, JsonObject, is_list, is_object
from ..errors import DocumentError
from ..hub import Result, Tool
from ..losses.note import Note
from ..schema import meant_types
from .record import Codec, Hub, Record, Row, WriteContext, check_rows, fields, struct_in, write_nothing
from .wire import from_msgspec
from .write import write


def _required_keys(model: type[Struct]) -> frozenset[str]:
    """The keys that a model requires; without evaluating its annotations, which takes long at start-up."""
    keys, defaults = model.__struct_encode_fields__, model.__struct_defaults__
    first = len(keys) - len(defaults)
    optional = {key for key, default in zip(keys[first:], defaults, strict=True) if default is not NODEFAULT}
    return frozenset(keys) - optional


class _Node(Struct, eq=False):
    """A node of the trie of places that a table has rows for."""

    wire: str = ""
    row: Row | None = None
    has_hub_field: bool = False
    """Whether the row reads a field of the hub."""
    nullable: bool = False
    """Whether null is a value of that field."""
    children: dict[str, _Node] = {}


Invent: TypeAlias = Callable[[WriteContext], Any]


def describe(w: WriteContext) -> str:
    """A description for a tool without one: its title, or its name."""
    w.note_at("TB401", w.source("title") or w.source("name"), w.wire)
    return w.fields.get("title") or w.fields["name"]


def any_input(w: WriteContext) -> JsonObject:
    """An input schema for a source without one."""
    w.note("TB401")
    return {"type": "object"}


class Demand(NamedTuple):
    """What a local field may demand of those who use the tool, so that its loss has a code of its own.

    Attributes:
        place: The place of the field.
        code: The code of the loss.
        is_made: Whether a value of the field makes the demand.
    """

    place: str
    code: str
    is_made: Callable[[Json], bool]


class Identifier(NamedTuple):
    """The members of a tool of which one has its name, and another is an identifier that has the name and more.

    Attributes:
        members: The two members.
        form: What is read from them but the name; it gets the members of the tool, whose values are text or null.
    """

    members: tuple[str, str]
    form: Callable[[Mapping[str, Any]], tuple[Any, ...]]


class Table:
    """The rows of one kind of document in one format, with the model that types it.

    A table whose model has a field without a row, or that has a row without a field, raises TypeError.

    Args:
        model: The model of a document.
        rows: For each field of the model, the field of the hub and how the one becomes the other.
        closed: The objects in which the specification forbids unknown keys.
        after_read: Sets fields that depend on several places.
        demands: What the values of local fields may demand of those who use the tool.
        before_write: Called before the rows are written; it writes values that depend on several fields of the record.
        also_writes: Fields of the hub without a row of their own, which codecs of other rows write or note as lost.
        check: Finds an error that the model does not express, and returns its pointer and the problem.
        problems: What is wrong, beyond the model and the rows, with documents that are read all the same: places,
            problems.
        repair: Repairs a document in place and yields the pointers; it changes only objects of the first four levels.
        invent: What is written where the source has no value and the format requires one or has a default, by place,
            besides what rows invent; UNSET where only a loss is noted.
        reads: A more lenient model for documents that are read.
        dialect: The draft of JSON Schema of documents that do not state one (None: unspecified).
        of: The class of the hub.
        unfinished: Whether the documents stand for a result that is not known yet.
        free: Fields of text on which the meaning of no other field depends.
        shows_data: Whether models read the data of these results beside the content.
        extensions: Fallback rows of fields that the format does not have and compatible services add. Here they are
            unknown fields; tables that have the field of the hub get their values.
        subject: What sentences of a report call that which is dropped at the place of the document itself.
        identifier: The members of an identifier and of the name in it; None where the name is not in another member.
    """

    def __init__(
        self,
        model: type[Struct],
        *rows: Row,
        closed: tuple[str, ...] = (),
        after_read: Callable[[Record], None] | None = None,
        demands: tuple[Demand, ...] = (),
        before_write: Callable[[WriteContext], None] | None = None,
        also_writes: tuple[str, ...] = (),
        check: Callable[[JsonObject], tuple[str, str] | None] | None = None,
        problems: Callable[[JsonObject], Iterator[tuple[str, str]]] | None = None,
        repair: Callable[[JsonObject], Iterator[str]] | None = None,
        invent: Mapping[str, Invent] | None = None,
        reads: type[Struct] | None = None,
        dialect: str | None = None,
        of: type[Hub] = Tool,
        unfinished: bool = False,
        free: tuple[str, ...] = (),
        shows_data: bool = False,
        extensions: tuple[Row, ...] = (),
        subject: str | None = None,
        identifier: Identifier | None = None,
    ) -> None:
        self.subject = subject
        self.identifier = identifier
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
        self.demands = demands
        self.before_write = before_write
        self.check = check
        self.problems = problems
        self.repair = repair
        self.invent = {row.wire: row.invent for row in rows if row.invent is not None} | dict(invent or {})
        self.extensions = extensions
        self.fallbacks = tuple(row for row in rows if row.fallback)
        self.lends = bool(self.fallbacks or extensions)
        """Whether local fields of documents may be fields of the hub for other tables."""
        self.required_keys = _required_keys(self.reads)
        self.hub_fields = frozenset({*(row.hub for row in rows if not row.fallback), *also_writes})
        self.name = next((row.tokens for row in rows if row.hub == "name" and not row.fallback), ())
        self._trie = _Node()
        self.containers = {""}
        for row in rows:
            node = self._trie
            for token in row.tokens:
                self.containers.add(node.wire)
                node = node.children.setdefault(token, _Node(f"{node.wire}/{at.escape(token)}"))
            node.row = row
            node.has_hub_field = row.hub is not None and not row.fallback
            node.nullable = row.nullable
        self.meanings = {row.wire: (row.hub, row.via) for row in rows if row.hub is not None}
        check_rows(self)

    def rows_of(self, path: str) -> list[Row]:
        """The rows of a field of the hub."""
        return [row for row in self.order if row.hub == path and not row.fallback]

    def field(self, place: str) -> str | None:
        """The field of the hub that has the value at a place; None if none has."""
        while place not in self.rows and place:
            place = place[: place.rindex("/")]
        row = self.rows.get(place)
        is_read = row is not None and (row.via is None or row.via.read is not write_nothing)
        return row.hub if row is not None and is_read else None

    # reading

    def open(self, document: JsonObject, family: str, *, verified: bool = False) -> Record:
        """The record of a document, which may be `verified` already.

        Raises DocumentError if the document is not one of this table, even repaired.
        """
        record = self.visit(document, family)
        if not verified and not self._is_valid(record):
            record, is_valid = self._repaired(record)
            if not is_valid:
                self.verify(self._known(record), self.reads)  # raises the error
        self.read_fields(record, self.meanings)
        own = record.local.get(family, {})
        for demand in self.demands:
            if demand.place in own and demand.is_made(own[demand.place]):
                record.derived[demand.place] = demand.code
        if self.of is Tool and (flaw := self.nameless(document) or _nameless(record)) is not None:
            raise DocumentError(flaw[1], flaw[0])
        return record

    def read_fields(self, record: Record, meanings: Mapping[str, tuple[str, Codec | None]]) -> None:
        """Set the fields of a visited document; `meanings` has the field and the codec of each place."""
        fields, places = record.fields, record.places
        for wire, value in record.raw.items():
            path, via = meanings[wire]
            if via is not None:
                try:
                    value = via.read(value, record)  # noqa: PLW2901 - the value of the hub
                except DocumentError as error:
                    raise error.at(wire, None) from None
                if value is UNSET:
                    continue
            fields[path] = value
            places[path] = wire
        if self.after_read is not None:
            self.after_read(record)

    def flaws(self, document: JsonObject, family: str) -> int | None:
        """The number of repairs with which a document is one of this table; None if it cannot be repaired."""
        record = self.visit(document, family)
        if self._is_valid(record):
            return 0
        repaired, is_valid = self._repaired(record)
        return len(repaired.notes) if is_valid else None

    def is_plain(self, document: JsonObject) -> bool:
        """Whether a document is valid if its members that are null are left out."""
        if None in document.values():
            document = {key: value for key, value in document.items() if value is not None}
        return self.accepts(document, self.reads)

    def is_valid(self, document: JsonObject, family: str) -> bool:
        """Whether a document is one of this table without a repair."""
        return self._is_valid(self.visit(document, family) if self.closed else Record(self, family, document))

    def visit(self, document: JsonObject, family: str) -> Record:
        """The raw and local values of a document by their places; the fields are not read yet."""
        record = Record(self, family, document)
        local: dict[str, Json] = {}
        self._descend(self._trie, document, "", record.raw, local)
        if local:
            record.local[family] = local
        return record

    def _descend(
        self, node: _Node, members: JsonObject, prefix: str, raw: dict[str, Any], local: dict[str, Json]
    ) -> None:
        """Sort the members of an object into values of rows (`raw`) and local and unknown fields (`local`)."""
        children = node.children
        if not members and prefix:
            local[prefix] = members
        for key, value in members.items():
            child = children.get(key)
            if child is None:
                local[f"{prefix}/{at.escape(key)}"] = value
            elif child.children and isinstance(value, dict):
                self._descend(child, cast("JsonObject", value), child.wire, raw, local)
            elif child.has_hub_field and (value is not None or child.nullable):
                raw[child.wire] = value
            else:
                local[child.wire] = value

    def _known(self, record: Record) -> JsonObject:
        """The document without the unknown members that the model would refuse."""
        document: Any = record.document
        if self.reads is self.model and self.closed and (local := record.local.get(record.family)):
            document = copy_with(document, [place for place in local if not self.has_row_at(place)])
        return document

    def _is_valid(self, record: Record) -> bool:
        return self.accepts(self._known(record), self.reads)

    def accepts(self, document: JsonObject, model: type[Struct] | None = None) -> bool:
        """Whether `verify` raises nothing; it is faster than to make the error."""
        try:
            convert_to(document, model or self.model)
        except msgspec.ValidationError:
            return False
        return self.check is None or self.check(document) is None

    def verify(self, document: JsonObject, model: type[Struct] | None = None) -> None:
        """Raises DocumentError for a document that is not valid without a repair."""
        try:
            convert_to(document, model or self.model)
        except msgspec.ValidationError as error:
            raise from_msgspec(error, document, model or self.model) from None
        if self.check is not None and (flaw := self.check(document)) is not None:
            raise DocumentError(flaw[1], flaw[0])

    def nameless(self, document: JsonObject) -> tuple[str, str] | None:
        """The pointer and the problem of a name that is empty or white space."""
        name = at.walk(document, self.name, None)
        if not isinstance(name, str) or name.strip():
            return None
        return at.join(*self.name), f"{_NAMELESS}{name!r}"

    def has_row_at(self, place: str) -> bool:
        """Whether the table has a row at, or below, this place."""
        return place in self.rows or place in self.containers

    def _repaired(self, record: Record) -> tuple[Record, bool]:
        """The record of the repaired document, and whether it is valid.

        Nulls that mean no value are left out; empty lists in place of objects, as PHP writes those without members,
        become objects, and words such as `dict` for the type of a tool's arguments become `object`. What is not valid
        even so gets the repair of the format.
        """
        document, family = record.document, record.family
        repairs: tuple[tuple[Callable[[Record], Iterable[str]], Json], ...] = (
            (self.nulls, at.MISSING),
            # Values with models of their own and no rows, such as icons, come second, as few tools have any.
            (lambda it: _nulls(self.reads, it.document, ""), at.MISSING),
            # In a result, an empty list may be the data of a tool that found nothing.
            (lambda it: () if self.of is Result else _empty_lists(self.reads, it.document, ""), {}),
            (self._words_for_object, "object"),
        )
        places: list[str] = []
        is_valid = False
        for find, value in repairs:
            if not is_valid and (found := [*find(record)]):
                places += found
                record = self.visit(copy_with(record.document, found, value), family)
                is_valid = self._is_valid(record)
        if not is_valid and self.repair is not None:
            repaired = _copied(record.document, _REPAIRED)
            more = [*self.repair(repaired)]
            if more:
                places += more
                record = self.visit(repaired, family)
                is_valid = self._is_valid(record)
                local = record.local.get(family, ())
                record.added = {place for place in local if at.get(document, place) is at.MISSING}
        record.notes = [Note("TB001", place) for place in places]
        return record, is_valid

    def _words_for_object(self, record: Record) -> Iterator[str]:
        """The places where schemas at rows have the type `object` in a word of a programming language, such as dict."""
        for row in self.order:
            if row.hub in ("input", "output"):
                place = row.wire if row.wire.endswith("/type") else f"{row.wire}/type"
                word = at.get(record.document, place, None)
                if isinstance(word, str) and word != "object" and meant_types([word]) == ["object"]:
                    yield place

    def nulls(self, record: Record) -> list[str]:
        """The places where null means no value, in the order of the document."""
        return [
            place
            for place, value in record.local.get(record.family, {}).items()
            if value is None
            and self.has_row_at(place)
            and place[1:] not in self.required_keys
            and not ((row := self.rows.get(place)) and row.default is None)
        ]

    @cached_property
    def nullable(self) -> frozenset[str]:
        """The members of a document that may be null without a repair."""
        return frozenset(field.encode_name for field in fields(self.reads) if is_value_of(None, field.type))

    # writing

    write = write

    @property
    def known_keys(self) -> frozenset[str]:
        """The keys at the root of a document for which the table has a row, or several below them."""
        return frozenset(self._trie.children)

    @cached_property
    def input_keys(self) -> frozenset[str]:
        """The keys at the root of a document at or below which the schema of a tool's arguments may be."""
        return frozenset(row.tokens[0] for row in self.rows_of("input") if row.tokens)

    @cached_property
    def nested_keys(self) -> frozenset[str]:
        """The keys at the root of a document below which `unknown_keys` looks."""
        return frozenset(key for key, child in self._trie.children.items() if child.children and child.row is None)

    def unknown_keys(self, document: JsonObject) -> int:
        """The number of unknown keys in a document."""
        children = self._trie.children
        count = 0
        for key, value in document.items():
            child = children.get(key)
            if child is None:
                count += 1
            elif child.children and child.row is None and isinstance(value, dict):
                count += sum(1 for inner in cast("JsonObject", value) if inner not in child.children)
        return count


def _nulls(kind: Any, value: Json, place: str) -> Iterator[str]:
    """The places in a value of this type where an optional field of a model is null and must not be."""
    if is_list(value):
        for each in (kind, *get_args(kind)):
            if get_origin(each) is list:
                for number, item in enumerate(value):
                    yield from _nulls(get_args(each)[0], item, f"{place}/{number}")
    elif is_object(value) and (model := struct_in(kind)) is not None:
        known = {field.encode_name: field for field in fields(model)}
        for key, member in value.items():
            field = known.get(key)
            if field is None:
                continue
            if member is not None:
                yield from _nulls(field.type, member, f"{place}/{at.escape(key)}")
            elif not field.required and not is_value_of(None, field.type):
                yield f"{place}/{at.escape(key)}"


def _empty_lists(kind: Any, value: Json, place: str) -> Iterator[str]:
    """The places in a value of this type where a model has an object, perhaps without members, and an empty list is."""
    if not is_object(value) or (model := struct_in(kind)) is None:
        return
    for field in fields(model):
        member, inner = value.get(field.encode_name), f"{place}/{at.escape(field.encode_name)}"
        if member != []:
            yield from _empty_lists(field.type, member, inner)
        elif not is_value_of([], field.type) and is_value_of({}, field.type):
            yield inner


_REPAIRED = 4
"""The number of levels of a document whose objects a repair may change."""


def _copied(document: JsonObject, levels: int) -> JsonObject:
    """A copy of the objects of the first levels; what is below them, or in lists, is shared."""
    return {
        key: _copied(cast("JsonObject", value), levels - 1) if levels > 1 and isinstance(value, dict) else value
        for key, value in document.items()
    }


_NAMELESS = "a name needs at least one character, found "


def _nameless(record: Record) -> tuple[str, str] | None:
    """The pointer and the problem of an empty name that is not a row of its own."""
    name: Any = record.fields.get("name")
    if not isinstance(name, str) or name.strip():
        return None
    return record.places.get("name", ""), f"{_NAMELESS}{name!r}"


def copy_with(document: JsonObject, places: list[str], value: Json = at.MISSING) -> JsonObject:
    """A copy with a value for each of these members of objects (MISSING: without them).

    It shares all values that do not contain one of them.
    """
    if not places:
        return document
    copies: dict[tuple[str, ...], Any] = {(): dict(document)}  # each object is copied once
    for place in places:
        *parents, last = at.split(place)
        way: tuple[str, ...] = ()
        inner = copies[way]
        for token in parents:
            way += (token,)
            step: Any = int(token) if is_list(inner) else token
            if way not in copies:
                copies[way] = inner[step] = inner[step].copy()
            inner = copies[way]
        if value is at.MISSING:
            inner.pop(last, None)
        else:
            inner[last] = copy_json(value)
    return copies[()]
