"""Rows and codecs, the record that a table reads, and the context in which it writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

import msgspec
from msgspec import UNSET, Struct

from ..data import pointer as at
from ..data.types import Json, JsonObject
from ..hub import Block, Call, Hints, Requirements, Result, Tool, Trouble
from ..schema import OPTIONS, Options

if TYPE_CHECKING:
    from ..schema import Dialect
    from .table import Table

Notes: TypeAlias = list[tuple[str, str, "str | None"]]
"""Losses as they are noted: code, place in the source document, place in the written one (None: nothing is there)."""


class Unrepresentable(Exception):  # noqa: N818 - it says what happened, not that somebody erred
    """A Via cannot say the value at all: `place` is the pointer into the hub value being written."""

    def __init__(self, problem: str, place: str = "", code: str = "TB901") -> None:
        self.problem = problem
        self.place = place
        self.code = code
        super().__init__(problem)


def _same(sub: str, value: Any, reading: Record) -> str:  # noqa: ARG001 - the signature of Via.place
    return sub


Passes: TypeAlias = "re.Pattern[bytes] | int | Dialect | DialectProof | None"
"""What a Via says that it leaves as it is: values whose JSON text matches a pattern, strings of so many characters at
most (where the caller gives no other limit), or schemas that are in a dialect as they stand. None: nothing is known.
"""


class DialectProof(NamedTuple):
    """Schemas that are in a dialect as they stand, whichever draft they state."""

    dialect: Dialect


class Codec(NamedTuple):
    """A pair of functions for one value, where a row cannot speak plainly.

    `read` gets the wire value and answers the hub's (UNSET: nothing that the hub can hold); `write` the other way
    round. `place` translates a pointer into the hub value to one into the wire value, where the two are built
    differently; one that starts with `^` is a place in the whole document. `fills`: what a caller fills in here is the
    hub's value.

    `passes` declares which values `write` gives back as they are, without a note; `reads` that `read` does so with all
    values whose JSON text has none of these bytes in it.
    """

    read: Callable[[Any, Record], Any]
    write: Callable[[Any, WriteContext], Any]
    place: Callable[[str, Any, Record], str] = _same
    fills: Callable[[Any], dict[str, Any]] | None = None
    passes: Passes = None
    reads: tuple[bytes, ...] | None = None


class Row(Struct, frozen=True, eq=False, kw_only=True):
    """One line of a table. Two tables that share a row value say the same thing at this place: it passes as it is."""

    wire: str
    tokens: tuple[str, ...]
    hub: str | None = None
    via: Codec | None = None
    required: bool = False
    default: Any = UNSET
    nullable: bool = False
    fallback: bool = False
    code: str = "TB101"


def row(
    wire: str,
    hub: str,
    via: Codec | None = None,
    *,
    required: bool = False,
    default: Any = UNSET,
    nullable: bool = False,
) -> Row:
    """`wire` means the field `hub` (dotted for hints and requirements).

    `must`: the format demands it, `default` answers where the source says nothing. `nullable`: null is a value here;
    anywhere else null says nothing.
    """
    return Row(
        wire=wire, tokens=at.split(wire), hub=hub, via=via, required=required, default=default, nullable=nullable
    )


def local(wire: str, *, required: bool = False, default: Any = UNSET, code: str = "TB101") -> Row:
    """What only this family says at `wire`; it travels as it is, and leaving the family it is noted with `code`."""
    return Row(wire=wire, tokens=at.split(wire), required=required, default=default, code=code)


def constant(wire: str, value: Json) -> Row:
    """What only tells that a document is one of these: always the same, and missed by nobody elsewhere."""
    return Row(wire=wire, tokens=at.split(wire), required=True, default=value, code="")


def fallback(wire: str, hub: str, via: Codec | None = None) -> Row:
    """Local to the family; towards others it speaks for `hub` where no other row has."""
    return Row(wire=wire, tokens=at.split(wire), hub=hub, via=via, fallback=True)


H = TypeVar("H", Tool, Call, Result, Block)

_GROUPS: dict[str, type[Struct]] = {"hints": Hints, "requirements": Requirements, "problem": Trouble}

Hub: TypeAlias = Tool | Call | Result | Block


class Record(Struct, eq=False):
    """A document as a table understands it: hub fields by dotted name, their places, and what is local.

    `places` are pointers into the document. `borrowed` fields were said by the envelope, not by the tool itself.
    `apart`: another tool of the catalogue would be identified in the same way; `fixed`: it keeps its name all the same.
    `added` are places that a repair made. `derived` are fields that are not quite what the document says at their
    place, and local places; leaving the format, that is told by the code. `markers` maps a place that only helps to say
    a hub field to that field. `base` is where in the whole document this one stands: a block of a result. `index` is
    where which parameter stands, once a Via has asked for the place of one.
    """

    table: Table | None
    family: str
    document: JsonObject
    fields: dict[str, Any] = {}
    places: dict[str, str] = {}
    raw: dict[str, Any] = {}
    local: dict[str, dict[str, Json]] = {}
    notes: list[tuple[str, str]] = []
    borrowed: set[str] = set()
    added: set[str] = set()
    derived: dict[str, str] = {}
    apart: bool = False
    fixed: bool = False
    markers: dict[str, str] = {}
    base: str = ""
    index: dict[str, int] | None = None

    @classmethod
    def of(cls, tool: Hub) -> Record:
        """What comes from no document: a tool, a call or a result of the hub."""
        reading = cls(None, "", {})
        for name in tool.__struct_fields__:
            value = getattr(tool, name)
            if value is UNSET or name == "local":
                continue
            if name == "content":
                reading.fields[name] = [cls.of(block) for block in value]
            elif name in _GROUPS:
                for part in value.__struct_fields__:
                    if (inner := getattr(value, part)) is not UNSET:
                        reading.fields[f"{name}.{part}"] = inner
            else:
                reading.fields[name] = value
        if tool.local is not UNSET:
            reading.local = {family: dict(places) for family, places in tool.local.items()}
        return reading

    def keep(self, place: str, value: Json, code: str = "") -> None:
        """What the hub cannot hold stays local, under its pointer in the document; `code` is noted where it is lost."""
        self.local.setdefault(self.family, {})[place] = value
        if code:
            self.derived[place] = code

    @property
    def tool(self) -> Tool:
        """The hub's view of a tool."""
        return self.hub(Tool)

    def hub(self, kind: type[H]) -> H:
        """The hub's view."""
        plain: dict[str, Any] = {}
        groups: dict[str, dict[str, Any]] = {}
        for path, value in self.fields.items():
            name, _, part = path.partition(".")
            if part:
                groups.setdefault(name, {})[part] = value
            else:
                plain[name] = [block.hub(Block) for block in value] if name == "content" else value
        for name, parts in groups.items():
            plain[name] = _GROUPS[name](**parts)
        if self.local:
            plain["local"] = {family: dict(places) for family, places in self.local.items()}
        return kind(**plain)


class WriteContext(Struct, eq=False):
    """One document in the making: what a Via may look at and note while it writes."""

    reading: Record
    fields: dict[str, Any]
    places: dict[str, str]
    notes: Notes
    names: Mapping[str, str]
    format: str
    options: Options = OPTIONS
    out: JsonObject = {}
    row: Row | None = None
    spoken: set[str] = set()
    said: set[str] = set()
    """Hub fields that were said at another field's place."""
    number: int | None = None
    """Which item of a list this is."""
    way: JsonObject | None = None
    """How arguments get from what is written to what was read; None: as they are."""
    strict: bool | None = None
    """Whether the input schema that was written keeps the rules of a strict dialect."""

    def source(self, path: str, sub: str = "") -> str:
        """The place in the source document of a pointer into the hub field `path`; the root where it has none."""
        place = self.places.get(path)
        if place is None:
            return ""
        table = self.reading.table
        origin = table.rows.get(place) if table is not None else None
        if origin is not None and origin.via is not None:
            sub = origin.via.place(sub, self.reading.raw.get(place), self.reading)
            if sub.startswith("^"):
                return sub[1:]
        return place + sub

    def note(self, code: str, sub: str = "", target: str | None = "") -> None:
        """Note a loss in the value being written: pointers into the hub value and into the written value."""
        row = cast("Row", self.row)
        self.notes.append((code, self.source(cast("str", row.hub), sub), None if target is None else row.wire + target))

    def note_at(self, code: str, source: str, target: str | None) -> None:
        """Note a loss by places in the two documents."""
        self.notes.append((code, source, target))

    def say(self, *paths: str) -> None:
        """These hub fields are said, though no row of theirs does."""
        self.said.update(paths)

    def speak(self, *places: str) -> None:
        """These local places have been said after all."""
        self.spoken.update(places)

    def put(self, wire: str, value: Json) -> None:
        """Write beside the row: a marker."""
        at.put(self.out, wire, value)


fields = lru_cache(msgspec.structs.fields)

_PATHS = frozenset((
    *(
        name
        for kind in (Tool, Call, Result, Block)
        for name in kind.__struct_fields__
        if name not in (*_GROUPS, "local")
    ),
    *(f"{group}.{name}" for group, kind in _GROUPS.items() for name in kind.__struct_fields__),
))
"""What rows may say: the fields of the hub."""

_PROBES: dict[tuple[type[Struct], tuple[str, ...]], Any] = {}


def probe(model: type[Struct], tokens: tuple[str, ...]) -> Any:
    """A model with this one optional field, nested as deep as `tokens` say."""
    found = _PROBES.get((model, tokens))
    if found is None:
        first, *rest = tokens
        kind: Any = next(field.type for field in fields(model) if field.encode_name == first)
        inner = struct_in(kind)
        if rest and inner is not None:
            kind = probe(inner, tuple(rest))
        found = msgspec.defstruct("Probe", [("probe", kind, UNSET)], rename={"probe": first})
        _PROBES[model, tokens] = found
    return found


def struct_in(kind: Any) -> type[Struct] | None:
    """The Struct among the alternatives of an annotation."""
    for option in (kind, *getattr(kind, "__args__", ())):
        if isinstance(option, type) and issubclass(option, Struct):
            return option
    return None


def account(table: Table) -> None:
    """Refuse a table in which a field of the model has no row, or a row no field in the model or in the hub."""
    own = table.model.__name__
    for row in table.order:
        if row.hub is not None and row.hub not in _PATHS:
            raise TypeError(f"{own}: {row.wire} means {row.hub!r}, which the hub does not have")
    unfound = set(table.rows)

    def visit(model: type[Struct], prefix: str) -> None:
        for field in fields(model):
            wire = f"{prefix}/{at.escape(field.encode_name)}"
            inner = struct_in(field.type)
            if wire in table.containers and inner is not None:
                unfound.discard(wire)
                visit(inner, wire)
            elif wire in table.rows:
                unfound.discard(wire)
            elif wire not in table.containers:
                what = f"add row({wire!r}, ...) with the hub's field for it, or local({wire!r}) where the hub has none"
                raise TypeError(f"{model.__name__}: no row for {wire}; {what}")

    visit(table.model, "")
    if unfound:
        free = tuple(place + "/" for place in _free(table.model, ""))
        unfound = {wire for wire in unfound if not wire.startswith(free)}
    if unfound:
        raise TypeError(f"{own}: no field for {', '.join(sorted(unfound))}; add it to the model, or take the row out")


def _free(model: type[Struct], prefix: str) -> Iterator[str]:
    """Places that a model leaves to anybody: a plain dict."""
    for field in fields(model):
        wire = f"{prefix}/{at.escape(field.encode_name)}"
        inner = struct_in(field.type)
        if inner is not None:
            yield from _free(inner, wire)
        else:
            yield wire
