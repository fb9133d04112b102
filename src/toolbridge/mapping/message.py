"""Messages of the other kinds: the fields of the hub that they share, and the codecs of the documents inside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ..data import pointer as at
from ..data.json_decoder import convert_to
from ..data.types import Json, JsonObject, Schema, is_list, is_object
from ..data.types import kind as json_type
from ..errors import DocumentError
from ..hub import Choice, Maybe
from ..losses.note import Note
from .content import value_problems
from .record import Codec, Record, Row, Unrepresentable, WriteContext, has_field, row, type_at
from .wire import pattern_problems

if TYPE_CHECKING:
    from .content import Blocks
    from .table import Table


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message that is no tool, call or result: its kind says which of the fields it has.

    `items` are the documents that it lists, `cursor` the place where the list goes on, `address` a URI, `template` one
    with parameters, `mime` a media type, `size` bytes, `data` what programs read, `text` what people read.
    """

    id: Maybe[str | int] = UNSET
    meta: Maybe[JsonObject] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET
    # lists, and requests for them
    items: Maybe[list[Any]] = UNSET
    cursor: Maybe[str] = UNSET
    method: Maybe[str] = UNSET
    # resources, templates, roots, prompts
    name: Maybe[str] = UNSET
    title: Maybe[str] = UNSET
    description: Maybe[str] = UNSET
    address: Maybe[str] = UNSET
    template: Maybe[str] = UNSET
    mime: Maybe[str] = UNSET
    size: Maybe[int] = UNSET
    audience: Maybe[list[str]] = UNSET
    priority: Maybe[float] = UNSET
    modified: Maybe[str] = UNSET
    parameters: Maybe[list[Any]] = UNSET
    required: Maybe[bool] = UNSET
    text: Maybe[str] = UNSET
    data: Maybe[Json] = UNSET
    # messages of prompts and models
    role: Maybe[str] = UNSET
    content: Maybe[list[Any]] = UNSET
    model: Maybe[str] = UNSET
    reason: Maybe[str] = UNSET
    max_tokens: Maybe[int] = UNSET
    system: Maybe[str] = UNSET
    temperature: Maybe[float] = UNSET
    stop: Maybe[list[str]] = UNSET
    include: Maybe[str] = UNSET
    tools: Maybe[list[Any]] = UNSET
    structured: Maybe[Json] = UNSET
    models: Maybe[list[JsonObject]] = UNSET
    cost: Maybe[float] = UNSET
    speed: Maybe[float] = UNSET
    intelligence: Maybe[float] = UNSET
    # completion
    reference: Maybe[str] = UNSET
    argument: Maybe[str] = UNSET
    value: Maybe[str] = UNSET
    arguments: Maybe[JsonObject] = UNSET
    values: Maybe[list[str]] = UNSET
    total: Maybe[float] = UNSET
    more: Maybe[bool] = UNSET
    # elicitation
    schema: Maybe[Schema] = UNSET
    action: Maybe[str] = UNSET
    elicitation: Maybe[str] = UNSET
    # notifications
    level: Maybe[str] = UNSET
    logger: Maybe[str] = UNSET
    token: Maybe[str | int] = UNSET
    progress: Maybe[float] = UNSET


class Items(Struct, frozen=True, eq=False):
    """The documents of a table in a list; each is read, written and checked as if it stood alone.

    `one_block`: whether each has one block of content; one with several is written as several documents.
    """

    table: Table
    family: str
    one_block: bool = False
    closed = True

    def models(self) -> list[type[Struct]]:
        """The model of the documents."""
        return [self.table.model]

    def problems(self, items: Sequence[Json]) -> Iterator[tuple[str, str]]:
        """What is wrong with the documents of a list: places in it, and problems."""
        for number, item in enumerate(items):
            try:
                if not is_object(item):
                    raise DocumentError(f"expected an object, found {json_type(item)}")
                self.table.verify(item)
            except DocumentError as error:
                yield f"/{number}{error.pointer}", error.problem
                continue
            yield from ((f"/{number}{place}", problem) for place, problem in inner_problems(item, self.table))

    def read(self, items: Sequence[Json], outer: Record, wire: str) -> list[Record]:
        """The records of a list at `wire` of a document, whose record is `outer`.

        Raises DocumentError if an item is none of the table.
        """
        records: list[Record] = []
        for number, item in enumerate(items):
            try:
                if not is_object(item):
                    raise DocumentError(f"expected an object, found {json_type(item)}")
                record = self.table.open(item, self.family)
            except DocumentError as error:
                raise error.at(f"/{number}", None) from None
            record.base = f"{wire}/{number}"
            outer.notes = [*outer.notes, *(Note(note.code, record.base + note.source) for note in record.notes)]
            records.append(record)
        return records

    def write(self, records: Sequence[Record], w: WriteContext, wire: str) -> list[JsonObject]:
        """The records as a list at `wire`."""
        written: list[JsonObject] = []
        for number, record in enumerate(_by_blocks(records, w, wire) if self.one_block else records):
            notes: list[Note] = []
            try:
                value = self.table.write(record, self.family, notes, target=w.format, number=number)
                convert_to(value, self.table.model)
            except Unrepresentable as error:
                raise Unrepresentable(error.problem, f"/{number}{error.place}", error.code) from None
            except msgspec.ValidationError as error:
                raise Unrepresentable(str(error), f"/{number}") from None
            w.note_within(notes, record.base, f"{wire}/{number}")
            written.append(value)
        return written


def _by_blocks(records: Sequence[Record], w: WriteContext, wire: str) -> Iterator[Record]:
    """The records of a list at `wire`, those of several blocks of content once for each block."""
    number = 0
    for record in records:
        content: list[Record] = record.fields.get("content", [])
        if len(content) > 1:
            w.note_at("TB703", f"{record.base}{record.places['content']}", f"{wire}/{number}")
            yield from (replace(record, fields={**record.fields, "content": [block]}) for block in content)
        else:
            yield record
        number += max(len(content), 1)


Place: TypeAlias = Callable[[str], Row]
"""A row that depends on where its document stands: made from the JSON Pointer to that."""


def items_at(
    wire: str, table: Table, family: str, hub: str = "items", *, required: bool = True, one_block: bool = False
) -> Place:
    """The row of a list of documents of a table at `wire`; `one_block`: each has one block of content."""
    items = Items(table, family, one_block=one_block)

    def make(base: str) -> Row:
        place = base + wire

        def read(value: list[Json], outer: Record) -> list[Record]:
            return items.read(value, outer, place)

        def write(value: list[Record], w: WriteContext) -> list[JsonObject]:
            return items.write(value, w, place)

        codec = Codec(read, write, blocks=items)
        return row(place, hub, codec, required=required)

    return make


def content_at(wire: str, blocks: Blocks, *, several: bool = False) -> Place:
    """The row of the content of a message at `wire`: one block, or (`several`) also a list of them."""

    def make(base: str) -> Row:
        place = base + wire

        def read(value: Json, outer: Record) -> list[Record]:
            return blocks.read(value, outer, place) if is_list(value) else [blocks.read_one(value, outer, place)]

        def write(value: list[Record], w: WriteContext) -> Json:
            if several and (len(value) != 1 or is_list(w.record.raw.get(w.places.get("content", "")))):
                return blocks.write(value, w, place)
            if not value:
                w.note("TB401")
                return blocks.words("")
            for block in value[1:]:
                w.note_at("TB701", block.base, None)
            return blocks.write_one(value[0], w, place)

        return row(place, "content", Codec(read, write, blocks=blocks), required=True)

    return make


def inner_problems(document: JsonObject, table: Table) -> Iterator[tuple[str, str]]:
    """What is wrong with the values of a message, and with the documents and blocks inside it: places, problems."""
    yield from pattern_problems(table.model, document)
    if table.of is Message:
        # What is logged is any data; that of a resource is base64.
        yield from value_problems(table.open(document, ""), "data" if "/blob" in table.rows else "")
    elif table.of is not Choice:  # the members of a request are optional
        yield from _missing(document, table)
    if table.problems is not None:
        yield from table.problems(document)
    for each in table.order:
        inner = None if each.via is None else each.via.blocks
        if inner is None:
            continue
        value = at.get(document, each.wire, None)
        if is_list(value):
            yield from ((each.wire + place, problem) for place, problem in inner.problems(value))
        elif is_object(value):
            found = inner.problems([value])
            yield from ((each.wire + place.removeprefix("/0"), problem) for place, problem in found)


def _missing(document: JsonObject, table: Table) -> Iterator[tuple[str, str]]:
    """The places of values that the format demands and readers do without."""
    for each in table.order:
        holder = at.get(document, each.wire.rpartition("/")[0], None)
        if (
            each.required
            and not (each.nullable or _is_optional(table.model, each.tokens))
            and is_object(holder)
            and at.get(document, each.wire, None) is None
        ):
            yield each.wire, "required, but missing"


@cache
def _is_optional(model: type[Struct], tokens: tuple[str, ...]) -> bool:
    """Whether a format does without a value that its table writes always.

    A field that may be either missing or null, and not both, has the type of the specification. One that may be both is
    read where others left it out.
    """
    choices = get_args(type_at(model, tokens))
    return (UnsetType in choices) != (NoneType in choices)


def fields_of(model: type[Struct], rows: Sequence[Row | Place], base: str = "") -> tuple[Row, ...]:
    """The rows, at `base`, for which a model has a field: editions differ in their fields, not in their meanings."""
    return tuple(at_base(each, base) for each in rows if has_field(model, at_base(each, "").tokens))


@cache
def at_base(line: Row | Place, base: str) -> Row:
    """The row at `base`; the same row for the same arguments, so that editions share it."""
    if not isinstance(line, Row):
        return line(base)
    return replace(line, wire=base + line.wire) if base else line
