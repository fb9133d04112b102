"""Writing a record by the rows of a table; what has to be invented or dropped is noted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import UNSET

from ..data import pointer as at
from ..data.types import Json, JsonObject
from ..schema import OPTIONS, BudgetExceeded, Options
from .record import Hub, Notes, Record, Row, Unrepresentable, WriteContext, probe

if TYPE_CHECKING:
    from .table import Table

_UNSAID = {
    "hints": "TB601",
    "requirements": "TB602",
    "strict": "TB603",
    "user": "TB606",
    "content": "TB701",
    "problem": "TB702",
    "data": "TB703",
    "failed": "TB704",
}


def write(
    table: Table,
    it: Hub | Record,
    family: str,
    notes: Notes | None = None,
    *,
    names: Mapping[str, str] | None = None,
    target: str = "",
    options: Options = OPTIONS,
    argument_maps: list[JsonObject | None] | None = None,
    number: int | None = None,
) -> JsonObject:
    """The document that says this; every way in which it does not is appended to `notes`.

    `names` maps names that the catalogue had to make unique, `options` say how schemas are written, `number` which item
    of a list it is. How arguments get from what is written to what was read (None: as they are) is appended to `ways`.
    Raises Unrepresentable where there is no way to say it.
    """
    reading = it if isinstance(it, Record) else Record.of(it)
    if notes is None:
        notes = []
    w = WriteContext(reading, reading.fields, reading.places, notes, names or {}, target, options, number=number)
    origin, raw = reading.table, reading.raw
    same = family == reading.family or (origin is None and family in reading.local)
    own: dict[str, Json] = {}
    shared: Mapping[str, Row] = {}
    if same:
        own = _adopt(table, reading, family, notes)
        shared = origin.rows if origin is not None else {}
    elif origin is not None and origin.fallbacks and (said := reading.local.get(reading.family)):
        _speak(w, said, origin.fallbacks)
    done: list[str] = []
    lost: list[str] = []
    carried: list[str] = []
    out, fields, derived = w.out, w.fields, reading.derived
    for row in table.order:
        wire, path = row.wire, row.hub
        if path is None or row.fallback:
            if wire in own or row.required or row.default is not UNSET:
                _write_local(table, w, row, own, done, same=same)
            continue
        w.row = row
        value = fields.get(path, UNSET)
        if same:
            if wire in raw and shared.get(wire) is row:
                _put(out, row.tokens, raw[wire])
                carried.append(wire)
                done.append(wire)
                continue
            if origin is table and (wire in own or value is UNSET or w.places.get(path, "^")[:1] not in ("", "^")):
                # The document itself did not say it here: null or nothing stays what it is.
                if wire in own:
                    _put(out, row.tokens, own[wire])
                    done.append(wire)
                continue
            if wire in own:
                done.append(wire)
                if value is not UNSET:
                    # What a stranger says here is not what this edition's reader would take for it.
                    notes.append((_code(reading, wire, own[wire]), wire, None))
                elif own[wire] is None and row.default is None:
                    _put(out, row.tokens, None)
                    continue
                else:
                    value = _adopted(table, row, own[wire], wire, w)
        if value is UNSET:
            if row.required or row.default is not UNSET:
                _write_unsaid(table, w, row, same=same)
            continue
        if path in derived:
            notes.append((derived[path], w.places[path], wire))
        if row.via is not None:
            try:
                value = row.via.write(value, w)
            except Unrepresentable as error:
                raise Unrepresentable(error.problem, w.source(path, error.place), error.code) from None
            except BudgetExceeded as error:
                raise Unrepresentable(error.problem, w.source(path, error.pointer), "TB902") from None
            if value is UNSET:
                lost.append(path)
                if ("TB402", wire, wire) in notes:
                    notes[notes.index(("TB402", wire, wire))] = ("TB402", wire, None)
                continue
        _put(out, row.tokens, value)
    if own:
        _strangers(table, w, own, done, carried)
    if origin is not None and origin.unfinished and not table.unfinished:
        notes.append(("TB706", "", ""))
    says = table.says
    for path, place in w.places.items():
        if path not in says and path not in reading.borrowed and path not in w.said:
            notes.append((_unsaid(path, fields[path]), place, None))
    for other, places in reading.local.items():
        if other != family:
            for place, value in places.items():
                helped = reading.markers.get(place)
                if place in reading.added:
                    continue
                missed = place not in w.spoken and (helped is None or helped in lost or helped not in says)
                if missed and (code := _code(reading, place, value)):
                    notes.append((code, place, None))
    if argument_maps is not None:
        argument_maps.append(w.way)
    return out


def _write_unsaid(table: Table, w: WriteContext, row: Row, *, same: bool) -> None:
    invent = table.invent.get(row.wire)
    if row.required and invent is not None:
        value = invent(w)
        if value is not UNSET:
            _put(w.out, row.tokens, value)
    elif row.default is not UNSET and not same:
        _put(w.out, row.tokens, row.default)


def _write_local(table: Table, w: WriteContext, row: Row, own: dict[str, Json], done: list[str], *, same: bool) -> None:
    wire = row.wire
    if wire in own:
        done.append(wire)
        value = own[wire]
        known = w.reading.table is not None and w.reading.table.rows.get(wire) is row
        if known or (value is None and row.default is None) or _fits(table, row, value):
            if not _stands(w.out, row.tokens):
                _put(w.out, row.tokens, value)
                if value is not None and w.reading.table is not None and wire not in w.reading.table.rows:
                    w.note_at("TB402", wire, wire)
            else:
                w.note_at(_code(w.reading, wire, value), wire, wire)
        else:
            w.note_at("TB104" if value is None else "TB102", wire, None)
        return
    if w.reading.table is table if row.required else (row.default is UNSET or same):
        return
    if not _stands(w.out, row.tokens):
        value = row.default
        if value is UNSET and wire in table.invent:
            value = table.invent[wire](w)
        elif row.required and row.code:
            w.note_at("TB401", "", wire)
        if value is not UNSET:
            _put(w.out, row.tokens, value)


def _speak(w: WriteContext, own: dict[str, Json], fallbacks: tuple[Row, ...]) -> None:
    """Let the fallback rows speak for fields that are silent."""
    for row in fallbacks:
        wire = row.wire
        if wire not in own or row.hub in w.fields:
            continue
        value = own[wire]
        if value is not None and row.via is not None:
            value = row.via.read(value, w.reading)
        if value is UNSET or value is None:
            continue
        path = cast("str", row.hub)
        w.fields = {**w.fields, path: value}
        w.places = {**w.places, path: wire}
        w.spoken.add(wire)


def _adopt(table: Table, reading: Record, family: str, notes: Notes) -> dict[str, Json]:
    """The family's own places; a stranger that has become a container of rows in this edition is taken apart."""
    own = reading.local.get(family, {})
    if reading.table is table or not own:
        return own
    adopted: dict[str, Json] = {}
    queue = list(own.items())
    while queue:
        place, value = queue.pop(0)
        opens = place in table.containers
        if opens and value and isinstance(value, dict):
            queue[:0] = [(f"{place}/{at.escape(key)}", inner) for key, inner in cast("JsonObject", value).items()]
        elif opens and place not in table.rows and value is not None and value != {}:
            notes.append(("TB102", place, None))
        else:
            adopted[place] = value
    return adopted


def _fits(table: Table, row: Row, value: Json) -> bool:
    """Whether a value that an older edition did not know is what this edition means by the place."""
    document: JsonObject = {}
    _put(document, row.tokens, value)
    try:
        msgspec.convert(document, probe(table.model, row.tokens))
    except msgspec.ValidationError:
        return False
    return True


def _adopted(table: Table, row: Row, value: Json, wire: str, w: WriteContext) -> Any:
    """A stranger that has become a row in this edition, as the hub says it; UNSET where it is not of that type."""
    if value is None and not row.nullable:
        w.note_at("TB104", wire, None)
        return UNSET
    if not _fits(table, row, value):
        w.note_at("TB102", wire, None)
        return UNSET
    w.places = {**w.places, cast("str", row.hub): wire}
    if w.reading.table is None or wire not in w.reading.table.rows:
        w.note_at("TB402", wire, wire)
    return row.via.read(value, w.reading) if row.via is not None else value


def _strangers(table: Table, w: WriteContext, own: dict[str, Json], done: list[str], carried: list[str]) -> None:
    """What no row of this edition knows: strangers travel within the family, known fields of an edition do not."""
    source = w.reading.table
    for place, value in own.items():
        if place in done or place in w.spoken or any(place.startswith(wire + "/") for wire in carried):
            continue
        if (helped := w.reading.markers.get(place)) is not None:
            if any(table.rows[wire].hub == helped for wire in carried):
                at.put(w.out, place, value)
            continue
        parent = place[: place.rindex("/")]
        known = source is not None and source is not table and place in source.rows
        if (
            known
            or parent not in table.containers
            or (parent in table.closed and source is not table and not table.knows(place))
        ):
            if code := _code(w.reading, place, value):
                w.note_at(code, place, None)
        elif value == {} and place in table.containers:
            if at.get(w.out, place) is at.MISSING:
                at.put(w.out, place, value)
            else:
                w.note_at("TB101", place, place)
        elif value is None and table.knows(place) and source is not table:
            w.note_at("TB104", place, None)
        else:
            at.put(w.out, place, value)


def _unsaid(path: str, value: Any) -> str:
    """The code for a hub field that the target cannot say; nobody leans on what is not required, strict or failed."""
    group = path.partition(".")[0]
    silent = group in ("requirements", "strict", "failed") and not value
    return "TB101" if silent else _UNSAID.get(group, "TB101")


def _put(out: JsonObject, tokens: tuple[str, ...], value: Json) -> None:
    for token in tokens[:-1]:
        inner: JsonObject | None = out.get(token)
        if inner is None:
            inner = out[token] = {}
        out = inner
    out[tokens[-1]] = value


def _stands(out: JsonObject, tokens: tuple[str, ...]) -> bool:
    """Whether something has been written there."""
    inner: Any = out
    for token in tokens:
        if inner.__class__ is not dict or token not in inner:
            return False
        inner = inner[token]
    return True


def _code(reading: Record, place: str, value: Json) -> str:
    """The code for leaving `place` behind: its own row's, or the nearest row's above it, or that of a stranger.

    None is needed for a mark.
    """
    if value is None:
        return "TB104"
    if place in reading.derived:
        return reading.derived[place]
    if reading.table is None:
        return "TB102"
    rows = reading.table.rows
    if place in rows:
        row = rows[place]
        if row.code == "TB605" and value in ({}, []):
            return "TB101"
        if not row.code:
            return "" if value == row.default else "TB101"
        return _unsaid(row.hub, value) if row.fallback and row.hub is not None else row.code
    if value == {} and reading.table.knows(place):
        return "TB101"
    parent = place[: place.rindex("/")]
    row = rows.get(parent)
    if row is not None and row.hub is None:
        return row.code
    # Within a value of the hub only a Via keeps places: keywords that say nothing.
    said = any(row.hub is not None and place.startswith(row.wire + "/") for row in rows.values())
    return "TB103" if said else "TB102"
