"""Rows and codecs, the record that a table reads, and the context in which it writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from msgspec import UNSET, Struct
from msgspec.structs import force_setattr

from ..data import pointer as at
from ..data.types import Json, JsonObject
from ..errors import near
from ..hub import Block, Call, Choice, Hints, Requirements, Result, Tool, Trouble
from ..losses.note import Note
from ..schema import OPTIONS, Options
from .wire import fields

if TYPE_CHECKING:
    from ..schema import Dialect
    from .content import Blocks
    from .message import Items, Message
    from .table import Table


class Unrepresentable(Exception):  # noqa: N818 - not the error of a caller
    """Raised by a codec that cannot write a value at all: `place` is the pointer into the hub value."""

    def __init__(self, problem: str, place: str = "", code: str = "TB901") -> None:
        self.problem = problem
        self.place = place
        self.code = code
        super().__init__(problem)


def same_place(sub: str, value: Any, record: Record) -> str:  # noqa: ARG001 - the signature of Codec.place
    return sub


Passes: TypeAlias = "re.Pattern[bytes] | int | Dialect | DialectProof | None"
"""The values that a codec declares not to change: those whose JSON text matches a pattern, strings of at most so many
characters (if the caller sets no other limit), or schemas that a dialect accepts as they are, but for the spelling of
types. None: nothing is declared.
"""


class DialectProof(Struct, frozen=True):
    """Schemas that a dialect accepts unchanged, whichever draft they state.

    `described` is whether each of their parameters has to have a description.
    """

    dialect: Dialect
    described: bool = False


def write_nothing(_: Any, __: Any) -> Any:
    """UNSET. As `read`: the hub has no value for it. As `write`: the row is only read."""
    return UNSET


class Codec(Struct, frozen=True):
    """A pair of functions for one value, for a row whose value differs between document and hub.

    `read` returns the hub value for a wire value (UNSET: the hub has none), `write` the wire value for a hub value.
    `place` translates a pointer into the hub value to one into the wire value, if their structures differ; a result
    that starts with `^` is a place in the whole document. `fills` turns a value that a caller fills in into fields of
    the hub.

    `passes` declares the values that `write` returns as they are and without a note; `reads` declares that `read`
    returns unchanged all values whose JSON text contains none of these bytes. `blocks` are the kinds of blocks in a
    list, if the format has no others. `adopt` writes the value that another edition of the family has at the same
    place, instead of `write`. `rules` are the strict rules that decide what `write` returns for true, by whether the
    written input schema keeps them.
    """

    read: Callable[[Any, Record], Any]
    write: Callable[[Any, WriteContext], Any]
    place: Callable[[str, Any, Record], str] = same_place
    fills: Callable[[Any], dict[str, Any]] | None = None
    passes: Passes = None
    reads: tuple[bytes, ...] | None = None
    blocks: Blocks | Items | None = None
    adopt: Callable[[Any, WriteContext], Any] | None = None
    rules: Dialect | None = None


class Row(Struct, frozen=True, eq=False):
    """One line of a table. A value is copied unchanged between two tables that share the same row.

    `invent` returns what is written where the source has no value, as `invent` of a table does. `tokens` are those of
    the place.
    """

    wire: str
    hub: str | None = None
    via: Codec | None = None
    required: bool = False
    default: Any = UNSET
    nullable: bool = False
    invent: Callable[[WriteContext], Any] | None = None
    code: str = "TB101"
    fallback: bool = False
    tokens: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        force_setattr(self, "tokens", at.split(self.wire))


def row(
    wire: str,
    hub: str,
    via: Codec | None = None,
    *,
    required: bool = False,
    default: Any = UNSET,
    nullable: bool = False,
    invent: Callable[[WriteContext], Any] | None = None,
) -> Row:
    """The row of the hub field `hub` (dotted for hints and requirements) at `wire`.

    `required`: the format demands a value; `default`, or what `invent` returns, is written if the source has none.
    `nullable`: null is a value here; in other rows null means that there is no value.
    """
    return Row(wire, hub, via, required, default, nullable, invent)


def local(
    wire: str,
    *,
    required: bool = False,
    default: Any = UNSET,
    code: str = "TB101",
    invent: Callable[[WriteContext], Any] | None = None,
) -> Row:
    """The row of a field of this family only: unchanged within the family, otherwise dropped and noted with `code`.

    `code` is empty for a value that is the same in all documents, which is no loss.
    """
    return Row(wire, required=required, default=default, code=code, invent=invent)


def fallback(wire: str, hub: str, via: Codec | None = None) -> Row:
    """The row of a local field, which other families get as `hub` if no other row has a value for that."""
    return Row(wire, hub, via, fallback=True)


_GROUPS: dict[str, type[Struct]] = {"hints": Hints, "requirements": Requirements, "problem": Trouble}

Hub: TypeAlias = "Tool | Call | Result | Block | Choice | Message"


class Record(Struct, eq=False):
    """A document as a table understands it.

    Attributes:
        fields: The hub fields by dotted name.
        places: The pointers to them in the document.
        raw: The values of rows in the document, by place.
        local: The local fields by place, for each family: those that only the family has, and unknown ones. write.py
            decides what becomes of them.
        notes: The losses while reading.
        borrowed: The fields that come from the envelope, not from the tool itself.
        added: The places that a repair added.
        derived: The codes for fields that differ from the value at their place, and for local places; they are noted
            when another format is written.
        is_ambiguous: Whether another tool of the catalogue has the same identity.
        fixed: Whether the tool keeps its name even so.
        markers: The hub fields of places that only mark such a field.
        base: The place of this document in the whole one, for a block of a result.
        parameter_place: The function that finds places in parameters, made when a codec first needs one.
        text_tools: The names of the tools in a choice that take one free text where it is written.
        names_all: Whether a choice names all tools of its request, so that the names restrict nothing.
    """

    table: Table | None
    family: str
    document: JsonObject
    fields: dict[str, Any] = {}
    places: dict[str, str] = {}
    raw: dict[str, Any] = {}
    local: dict[str, dict[str, Json]] = {}
    notes: list[Note] = []
    borrowed: set[str] = set()
    added: set[str] = set()
    derived: dict[str, str] = {}
    is_ambiguous: bool = False
    fixed: bool = False
    markers: dict[str, str] = {}
    base: str = ""
    parameter_place: Callable[[str], str] | None = None
    text_tools: frozenset[str] = frozenset()
    names_all: bool = False

    def put(self, path: str, value: Any, place: str) -> None:
        """Set a field of the hub, and its place in the document."""
        self.fields[path] = value
        self.places[path] = place

    def keep(self, place: str, value: Json, code: str = "") -> None:
        """Add a local field: a value without a hub field, at its pointer in the document; `code` is noted if lost."""
        self.local.setdefault(self.family, {})[place] = value
        if code:
            self.derived[place] = code


class WriteContext(Struct, eq=False):
    """The context in which a codec writes: the record, the document so far, and the notes of losses."""

    record: Record
    fields: dict[str, Any]
    places: dict[str, str]
    notes: list[Note]
    names: Mapping[str, str]
    format: str
    options: Options = OPTIONS
    out: JsonObject = {}
    row: Row | None = None
    written_places: set[str] = set()
    """Local places that were written, although not by a row of their own."""
    written_fields: set[str] = set()
    """Hub fields that were written at the place of another field."""
    number: int | None = None
    """The index of the item in its list."""
    argument_map: JsonObject | None = None
    """The map of arguments for the written schema to those for the original one; None if they are the same."""
    strict: bool | None = None
    """Whether the input schema that was written keeps the rules of a strict dialect."""
    keeps_rules: bool | None = None
    """Whether it keeps the `rules` of a codec, where that is known."""

    def source(self, path: str, sub: str = "") -> str:
        """The place in the source document of a pointer into the hub field `path`; the root if the field has none."""
        place = self.places.get(path)
        if place is None:
            return ""
        if place.startswith(at.OUTSIDE):
            return place  # a value of the envelope has no places of its own
        table = self.record.table
        origin = table.rows.get(place) if table is not None else None
        raw = self.record.raw.get(place)
        if origin is None and self.row is not None and self.row.wire == place:
            # An unknown field of the source, which this edition of the family has.
            origin, raw = self.row, at.get(self.record.document, place, None)
        if origin is not None and origin.via is not None:
            sub = origin.via.place(sub, raw, self.record)
            if sub.startswith(at.OUTSIDE):
                return sub[1:]
        return place + sub

    @property
    def wire(self) -> str | None:
        """The place of the row that is written; None outside of rows."""
        return None if self.row is None else self.row.wire

    def note(self, code: str, sub: str = "", target: str | None = "") -> None:
        """Note a loss in the value being written: pointers into the hub value and into the written value."""
        row = cast("Row", self.row)
        source = self.source(cast("str", row.hub), sub)
        self.notes.append(Note(code, source, None if target is None else row.wire + target))

    def note_all(self, notes: Sequence[Note]) -> None:
        """Note losses in the value being written; the row and the place, which they share, are looked up once."""
        if not notes:
            return
        row = cast("Row", self.row)
        place = self.places.get(cast("str", row.hub))
        table = self.record.table
        origin = None if table is None or place is None else table.rows.get(place)
        if place is None or origin is None or (origin.via is not None and origin.via.place is not same_place):
            for each in notes:
                self.note(each.code, each.source, each.target)
            return
        self.note_within(notes, place, row.wire)

    def note_within(self, notes: Sequence[Note], source: str, target: str) -> None:
        """Note losses in a value that stands at these places in the two documents."""
        self.notes += [
            Note(each.code, source + each.source, None if each.target is None else target + each.target)
            for each in notes
        ]

    def note_as_one(self, start: int, wire: str) -> None:
        """Let the notes since `start` on the items of a list at `wire` be notes on the one value written there."""
        self.notes[start:] = [
            note
            if note.target is None or not note.target.startswith(wire + "/")
            else Note(note.code, note.source, wire)
            for note in self.notes[start:]
        ]

    def note_at(self, code: str, source: str, target: str | None) -> None:
        """Note a loss by places in the two documents."""
        self.notes.append(Note(code, source, target))

    def mark_written(self, *paths: str) -> None:
        """Mark hub fields as written, although not by a row of their own, so that they are not noted as dropped."""
        self.written_fields.update(paths)

    def mark_places_written(self, *places: str) -> None:
        """Mark local places as written, so that they are not noted as dropped."""
        self.written_places.update(places)

    def put(self, wire: str, value: Json) -> None:
        """Write a value at a place other than that of the row, such as a marker."""
        at.put(self.out, wire, value)


@cache
def _paths(of: type[Hub]) -> frozenset[str]:
    """The fields of a class of the hub, which rows may name; a message may have blocks."""
    names = {*of.__struct_fields__, *(() if of is Tool else Block.__struct_fields__)} - {"local"}
    inside = (f"{name}.{inner}" for name in names & _GROUPS.keys() for inner in _GROUPS[name].__struct_fields__)
    return frozenset({*(names - _GROUPS.keys()), *inside})


@lru_cache(maxsize=256)
def type_at(model: type[Struct], tokens: tuple[str, ...]) -> Any:
    """The type of the value at `tokens` in a model; None if it has no field there."""
    first, *rest = tokens
    kind: Any = next((field.type for field in fields(model) if field.encode_name == first), None)
    if not rest or kind is None:
        return kind
    inner = struct_in(kind)
    return None if inner is None else type_at(inner, tuple(rest))


def struct_in(kind: Any) -> type[Struct] | None:
    """The Struct among the alternatives of an annotation."""
    for option in (kind, *getattr(kind, "__args__", ())):
        if isinstance(option, type) and issubclass(option, Struct):
            return option
    return None


def check_rows(table: Table) -> None:
    """Raise TypeError if a field of the model has no row, or a row has no field in the model or in the hub."""
    model_name = table.model.__name__
    paths = _paths(table.of)
    strange = [row.wire for row in table.order if not has_field(table.model, row.tokens)]
    for row in (*table.order, *table.extensions):
        if row.hub is not None and row.hub not in paths:
            similar = _similar(row.hub, paths)
            lacks = f"{row.wire} means {row.hub!r}, which {table.of.__name__} of the hub does not have{similar}"
            raise TypeError(f"{model_name}: {lacks}; take one of hub.py, or local({row.wire!r}) where there is none")
        if row.via is not None and not isinstance(row.via, Codec):  # pyright: ignore[reportUnnecessaryIsInstance]
            found = type(row.via).__name__
            raise TypeError(f"{model_name}: {row.wire} needs a Codec(read, write) or no codec at all, found {found}")

    def visit(model: type[Struct], prefix: str) -> None:
        for name in model.__struct_encode_fields__:
            wire = f"{prefix}/{at.escape(name)}"
            # Evaluating the annotations of a model takes long at start-up, and only those of containers are needed.
            inner = struct_in(type_at(model, (name,))) if wire in table.containers else None
            if inner is not None:
                visit(inner, wire)
            elif not table.has_row_at(wire):
                advice = (
                    f"add row({wire!r}, ...) with the hub's field for it, or local({wire!r}) where the hub has none"
                )
                similar = _similar(wire, strange)
                raise TypeError(f"{model.__name__}: no row for {wire}{similar}; {advice}")

    visit(table.model, "")
    if strange:
        raise TypeError(
            f"{model_name}: no field for {', '.join(sorted(strange))}; add it to the model, or take the row out"
        )


def _similar(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    return near(get_close_matches(name, [*known]))


def has_field(model: type[Struct], tokens: Sequence[str]) -> bool:
    """Whether a model has a field at `tokens`, or one that is no model and may have anything there."""
    first, *rest = tokens
    if first not in model.__struct_encode_fields__:
        return False
    inner = struct_in(type_at(model, (first,))) if rest else None
    return inner is None or has_field(inner, rest)
