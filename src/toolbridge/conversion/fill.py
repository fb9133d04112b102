"""Values from the caller for what the target requires and the source lacks."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, cast

import msgspec
from msgspec import Struct

from ..data import pointer as at
from ..data.from_python import copy_of
from ..data.json_decoder import decode_json
from ..data.pointer import put_through
from ..data.types import Json, JsonObject, kind
from ..errors import DocumentError, FormatError
from ..limits import LIMITS
from ..losses.note import Note
from ..mapping.format import Format
from ..mapping.record import Row
from ..mapping.table import Table


class Fill(Struct, frozen=True):
    """What a caller fills in: as given, by field of the hub, and by place in the target as JSON text."""

    values: Mapping[str, Any]
    fields: Mapping[str, Any]
    places: Mapping[str, bytes]


class FillOptions(Struct, frozen=True):
    """What a caller fills in, checked: for all items, and for some by the name of the tool; `places` has their keys."""

    common: Fill = Fill({}, {}, {})
    by_tool: Mapping[str, Fill] = {}
    places: frozenset[str] = frozenset()

    def of(self, name: str) -> Fill:
        """What is filled in for a tool."""
        return self.by_tool.get(name, self.common)

    @property
    def plain_fields(self) -> tuple[tuple[str, str], ...] | None:
        """The fields of the hub that all items get, whose values are text; None if anything else is filled in."""
        values = self.common.fields.items()
        is_plain = not (self.by_tool or self.common.places or any(_is_id(key) for key in self.common.values))
        return tuple(values) if is_plain and all(isinstance(value, str) for _, value in values) else None

    def has_field(self, path: str | None) -> bool:
        """Whether a field of the hub is filled in for any tool."""
        return any(path in fill.fields for fill in (self.common, *self.by_tool.values()))


NO_FILL = FillOptions()


def checked_fills(target: str, table: Table, fill: Mapping[str, Any], named_fields: tuple[str, ...]) -> FillOptions:
    """What a caller fills in; `named_fields` are those of the hub that may be given by their names.

    Raises FormatError for what has no place in the target.
    """
    if all(isinstance(value, str) for value in fill.values()):
        return _checked_texts(target, table, tuple(fill.items()), named_fields)
    common, by_tool = _fill_by_name(fill)
    shared = _checked(target, table, common, named_fields)
    own = {name: _checked(target, table, values, named_fields) for name, values in by_tool.items()}
    keys = {f"{name}:{key}" for name in by_tool for key in cast("Mapping[str, Any]", fill[name])}
    return FillOptions(shared, own, frozenset({*shared.places, *keys}))


@lru_cache(maxsize=16)
def _checked_texts(
    target: str, table: Table, fill: tuple[tuple[str, str], ...], named_fields: tuple[str, ...]
) -> FillOptions:
    """The same of text, which many documents of one catalogue get, one by one."""
    shared = _checked(target, table, _fill_by_name(dict(fill))[0], named_fields)
    return FillOptions(shared, {}, frozenset(shared.places))


def _fill_by_name(fill: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """What is filled in for all items, and what for each of some, by the name of the tool: that wins there."""
    inner = [cast("Mapping[object, Any]", value) for value in fill.values() if isinstance(value, Mapping)]
    for key in (*fill, *chain.from_iterable(inner)):
        if not isinstance(key, str):
            raise FormatError(f"fill: {key!r} is neither a JSON Pointer nor a name, which are strings")
    names = [key for key, value in fill.items() if isinstance(value, Mapping) and not key.startswith("/")]
    common = {key: value for key, value in fill.items() if key not in names}
    filled: dict[str, dict[str, Any]] = {}
    for name in names:
        given = cast("Mapping[str, Any]", fill[name])
        # An id says toolkit and version.
        in_id = ("toolkit", "version", "/version") if any(_is_id(key) for key in given) else ()
        shared = {key: value for key, value in common.items() if key not in in_id}
        filled[name] = {**shared, **given}
    return common, filled


def _is_id(key: str) -> bool:
    return key.rpartition("/")[2] in ("id", "tool_id")


def check_shared(table: Table, fill: Mapping[str, Any], fields: Container[str], name: str | None = None) -> None:
    """Raises FormatError where a further item of a list, which has these fields, would get the same id as the first.

    `name` is that of the tool for which the values are; None for values for all.
    """
    for key in fill:
        row = table.rows.get(key)
        path = key if row is None or row.hub is None else row.hub
        hub_path = "toolkit" if path == "name" else path  # the id of a tool says both
        if (path == "id" or (row is not None and _is_id(key))) and hub_path not in fields:
            if name is not None:
                raise FormatError(f"fill: {key} would be the same for several items of {name}; leave it out")
            raise FormatError(
                f"fill: {key} would be the same for several items of a list; give it by the name of the tool: "
                f'{{"NAME": {{"{key}": ...}}}}, or --fill NAME:{key}=...'
            )


class FillError(FormatError):
    """What was filled in has no place, or names a tool that is not there; `unused` has its keys."""

    def __init__(self, problem: str, unused: Iterable[str] = ()) -> None:
        super().__init__(problem)
        self.unused = frozenset(unused)


def unused_fill_error(keys: Iterable[str], target: str) -> FillError:
    """The error for what was filled in and has no place, or names a tool that is not there."""
    keys = sorted(keys)
    problem = f"no such place in {target} for any tool here"
    if any(key[:1] != "/" and ":" in key for key in keys):
        problem += ", or no tool of this name"
    return FillError(f"fill: {', '.join(keys)}: {problem}", keys)


def without_unused(fill: Mapping[str, Any], unused: Container[str]) -> dict[str, Any]:
    """What is filled in but for these keys; one for a single tool begins with its name."""
    rest: dict[str, Any] = {}
    for key, value in fill.items():
        if isinstance(value, Mapping) and not key.startswith("/"):
            own = cast("Mapping[str, Any]", value)
            rest[key] = {place: each for place, each in own.items() if f"{key}:{place}" not in unused}
        elif key not in unused:
            rest[key] = value
    return {key: value for key, value in rest.items() if value != {} or fill[key] == {}}


def plain_value(key: str, value: object) -> Json:
    """A value of the caller as plain data. Raises FormatError if it is not JSON."""
    try:
        return copy_of(value, "", LIMITS.depth)
    except DocumentError as error:
        raise FormatError(f"fill: {key}{error.pointer}: {error.problem}") from None


def _checked(target: str, table: Table, fill: Mapping[str, Any], named_fields: tuple[str, ...]) -> Fill:
    """The values of the caller, by hub field and by place in the target."""
    fields: dict[str, Any] = {}
    places: dict[str, bytes] = {}
    for key, given in fill.items():
        row, value = table.rows.get(key), plain_value(key, given)
        if key in named_fields and key not in table.hub_fields:
            raise FormatError(f"fill: {target} has no field for {key}")
        if row is not None and row.hub == "name" and "name" not in named_fields:
            raise FormatError(f"fill: {key} is in every source, so it cannot be filled")
        filled = _hub_fields(row, key, value, named_fields)
        if key not in named_fields:
            _require_place(target, table, key, row, named_fields)
            if row is None or row.hub not in filled or filled[row.hub] != value:
                # The value has several fields of the hub, or none: it is written unchanged.
                places[key] = msgspec.json.encode(value)
        for path, each in filled.items():
            if fields.setdefault(path, each) != each:
                raise FormatError(f"fill: {key} says that {path} is {each!r}, another key that it is {fields[path]!r}")
    for row in table.order:
        if row.hub in fields and row.via is not None and row.via.fills is not None:
            row.via.fills(fields[row.hub])
    for path, value in fields.items():
        if path in ("toolkit", "version") and value == "":
            raise FormatError(f"fill: {path} is empty")
        if path in named_fields and not isinstance(value, str):
            raise FormatError(f"fill: {path} is a string, found {kind(value)}")
    return Fill(fill, fields, places)


def _hub_fields(row: Row | None, key: str, value: Json, named_fields: tuple[str, ...]) -> dict[str, Any]:
    """The fields of the hub that a value of the caller has, by their paths."""
    if key in named_fields:
        return {key: value}
    if row is None or row.hub is None:
        return {}
    if row.via is None:
        return {row.hub: value}
    return {} if row.via.fills is None else row.via.fills(value)


def _require_place(target: str, table: Table, key: str, row: Row | None, named_fields: tuple[str, ...]) -> None:
    """Raises FormatError for a key that is no place in the target."""
    if not key.startswith("/"):
        allowed_names = f"{', '.join(named_fields[:-1])} or {named_fields[-1]}"
        raise FormatError(
            f"fill: {key!r} is neither a JSON Pointer into {target} (such as {_example(table)}) nor {allowed_names}"
        )
    member = at.join(at.split(key)[0])
    if row is None and not any(at.overlap(member, wire) for wire in table.rows):
        raise FormatError(f"fill: {target} has no field {key}")


def _example(table: Table) -> str:
    return "/version" if "/version" in table.rows else next(iter(table.rows))


def apply_fill(
    target: Format, table: Table, places: Mapping[str, bytes], hub: set[str], *, value: JsonObject, notes: list[Note]
) -> tuple[list[Note], set[str]]:
    """Set values of the caller in a written document, at places for which the source had no value.

    `hub` are the hub fields that were filled in. Returns the remaining notes, and the places that the document has.
    """
    used: set[str] = set()
    for place, text in places.items():
        current = at.get(value, place)
        is_inside_row = any(place.startswith(f"{wire}/") for wire, row in table.rows.items() if row.hub)
        if is_inside_row and at.get(value, place[: place.rindex("/")]) is at.MISSING:
            # A place within something that this tool does not have, such as a parameter of another tool.
            continue
        used.add(place)
        row = table.rows.get(place)
        invented = any(note.code == "TB401" and note.target == place for note in notes)
        if current is at.MISSING or current is None or invented or (row is not None and row.hub in hub):
            try:
                put_through(value, place, decode_json(text))
            except LookupError as error:
                raise FormatError(f"fill: {error} in {target.id}") from None
            notes = [note for note in notes if not (note.code == "TB401" and note.target == place)]
    try:
        table.verify(value)
    except DocumentError as error:
        filled_place = next((place for place in places if at.overlap(place, error.pointer)), error.pointer)
        raise FormatError(f"fill: {filled_place}: {error.problem}") from None
    for place, problem in target.problems(value) if table is target.tool and target.problems is not None else ():
        if any(at.overlap(filled, place) for filled in used):
            raise FormatError(f"fill: {place}: {problem}")
    return notes, used
