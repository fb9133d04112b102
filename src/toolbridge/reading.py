"""Reading and Writing: a document as a table understands it, and one in the making."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from msgspec import UNSET, Struct

from . import pointer as at
from .hub import Block, Call, Hints, Json, JsonObject, Requirements, Result, Tool, Trouble
from .row import Notes, Row
from .schema import OPTIONS, Options

if TYPE_CHECKING:
    from .table import Table

H = TypeVar("H", Tool, Call, Result, Block)

_GROUPS: dict[str, type[Struct]] = {"hints": Hints, "requirements": Requirements, "problem": Trouble}

Hub: TypeAlias = Tool | Call | Result | Block


class Reading(Struct, eq=False):
    """A document as a table understands it: hub fields by dotted name, their places, and what is local.

    `places` are pointers into the document. `borrowed` fields were said by the envelope, not by the tool itself.
    `apart`: another tool of the catalogue would be identified in the same way; `fixed`: it keeps its name all the same.
    `added` are places that a repair made. `derived` are fields that are not quite what the document says at their
    place; leaving the format, that is told by the code. `markers` maps a place that only helps to say a hub field to
    that field. `base` is where in the whole document this one stands: a block of a result. `index` is where which
    parameter stands, once a Via has asked for the place of one.
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
    def of(cls, tool: Hub) -> Reading:
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

    def keep(self, place: str, value: Json) -> None:
        """What the hub cannot hold stays local, under its pointer in the document."""
        self.local.setdefault(self.family, {})[place] = value

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


class Writing(Struct, eq=False):
    """One document in the making: what a Via may look at and note while it writes."""

    reading: Reading
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
