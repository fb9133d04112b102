"""Writing a record by the rows of a table; what has to be invented or dropped is noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import UNSET, Struct

from ..data import pointer as at
from ..data.json_decoder import is_value_of
from ..data.types import Json, JsonObject, holds_nothing
from ..losses.note import Note
from ..schema import OPTIONS, BudgetExceeded, Options
from .description import add_missing
from .record import Codec, Record, Row, Unrepresentable, WriteContext, type_at

if TYPE_CHECKING:
    from .table import Table

_DROPPED_CODES = {
    "hints": "TB601",
    "requirements": "TB602",
    "strict": "TB603",
    "user": "TB606",
    "allowed_callers": "TB608",
    "content": "TB701",
    "problem": "TB702",
    "data": "TB703",
    "failed": "TB704",
    **dict.fromkeys(("mode", "names", "single"), "TB201"),
}


class _LocalFields(Struct, eq=False):
    """The local fields of a record that the target's family has, while they are written.

    Attributes:
        values: The fields by place.
        same: Whether the record is of the target's family.
        done: The places that are written, or noted.
        unchanged: The places of rows that are written as they stand in the document.
    """

    values: dict[str, Json]
    same: bool
    done: list[str] = []
    unchanged: list[str] = []


_NONE_LOCAL: Final = _LocalFields({}, same=False)
"""Those of a record of another family, to which nothing is ever added."""


def write(
    table: Table,
    record: Record,
    family: str,
    notes: list[Note] | None = None,
    *,
    names: Mapping[str, str] | None = None,
    target: str = "",
    options: Options = OPTIONS,
    argument_maps: list[JsonObject | None] | None = None,
    number: int | None = None,
) -> JsonObject:
    """The document that a table makes of a record.

    Args:
        table: The table of the target.
        record: The record.
        family: The family of the target.
        notes: The list to which losses are appended.
        names: The new names of tools, by their old ones.
        target: The id of the target format.
        options: How schemas are written.
        argument_maps: The list to which the map of the written arguments to those of the source is appended.
        number: The index of the item.

    Raises:
        Unrepresentable: A value cannot be written at all.
    """
    if notes is None:
        notes = []
    w = WriteContext(record, record.fields, record.places, notes, names or {}, target, options, number=number)
    origin = record.table
    same = family == record.family or (origin is None and family in record.local)
    own = _LocalFields(_split_containers(table, record, family, notes), same) if same else _NONE_LOCAL
    own_values = own.values
    if origin is not table and (table.before_write is not None or (origin is not None and origin.lends)):
        _prepare(table, w, origin, same=same)
    described = bool(options.describe) and add_missing(table, w)
    dropped: list[str] = []
    out, fields, derived = w.out, w.fields, record.derived
    for row in table.order:
        wire, path = row.wire, row.hub
        if path is None or row.fallback:
            if wire in own_values or row.required or row.default is not UNSET:
                _write_local(table, w, row, own)
            continue
        w.row = row
        value = fields.get(path, UNSET)
        if same and not (described and path == "description"):
            value = _own_value(table, w, row, own, value)
            if value is _DONE:
                continue
        if value is UNSET:
            if row.required or row.default is not UNSET:
                _write_default(table, w, row, same=same)
            continue
        if path in derived:
            notes.append(Note(derived[path], w.places[path], wire))
        if row.via is not None:
            value = _encoded(row, row.via, value, w)
            if value is UNSET:
                dropped.append(path)
                continue
        _put(out, row.tokens, value)
    if own_values:
        _write_unknown(table, w, own)
    _note_dropped(table, w, family, dropped)
    if argument_maps is not None:
        argument_maps.append(w.argument_map)
    return out


def _prepare(table: Table, w: WriteContext, origin: Table | None, *, same: bool) -> None:
    """What a record of another table, or of none, needs before the rows are written."""
    if origin is not None and (local := w.record.local.get(w.record.family)):
        _use_fallbacks(w, local, _fallbacks(origin, table, same=same))
    if table.before_write is not None:
        table.before_write(w)


_DONE: Final = object()
"""The row is written, or not written because the document has no value for it."""


def _own_value(table: Table, w: WriteContext, row: Row, own: _LocalFields, value: Any) -> Any:
    """The hub's value for a row of a document of the same family; _DONE if the row needs no further writing.

    `value` is that of the record, as the context may have only a part of it, which an earlier row set for itself. A
    name of another edition follows the rule for names, also if its row is the same.
    """
    wire, path, record = row.wire, cast("str", row.hub), w.record
    source_row = None if record.table is None else record.table.rows.get(wire)
    adopt = None if row.via is None else row.via.adopt
    is_copied = source_row is row and (path != "name" or record.table is table)
    if wire in record.raw and source_row is not None and (is_copied or adopt is not None):
        raw = record.raw[wire]
        _put(w.out, row.tokens, raw if source_row is row or adopt is None else adopt(raw, w))
        own.unchanged.append(wire)
        own.done.append(wire)
        return _DONE
    own_values = own.values
    stands_elsewhere = w.places.get(path, "").startswith("/")
    if record.table is table and (wire in own_values or value is UNSET or stands_elsewhere):
        # The document has no value for this row at this place: null, or nothing, is not changed.
        if wire in own_values:
            _put(w.out, row.tokens, own_values[wire])
            own.done.append(wire)
        return _DONE
    if wire not in own_values:
        return value
    own.done.append(wire)
    if value is not UNSET:
        if record.table is None and own_values[wire] is not None:
            w.note_at("TB001", wire, wire)  # a repair: the value is written as the format demands
        else:
            # An unknown field of the source has another meaning in this edition.
            _note_local(w, wire, own_values[wire])
        return value
    if own_values[wire] is None and row.default is None:
        _put(w.out, row.tokens, None)
        return _DONE
    return _read_adopted(table, row, own_values[wire], wire, w)


def _encoded(row: Row, codec: Codec, value: Any, w: WriteContext) -> Any:
    """What the codec of a row writes; UNSET if that is nothing."""
    count = len(w.notes)
    try:
        value = codec.write(value, w)
    except Unrepresentable as error:
        raise Unrepresentable(error.problem, w.source(cast("str", row.hub), error.place), error.code) from None
    except BudgetExceeded as error:
        if row.hub == "output":  # a model can do without the schema of a result
            w.notes[count:] = ()
            w.note("TB101", "", None)
            return UNSET
        raise Unrepresentable(error.problem, w.source(cast("str", row.hub), error.pointer), "TB902") from None
    if value is UNSET:
        path = cast("str", row.hub)
        noted = [("TB402", row.wire), (w.record.derived.get(path, ""), w.places.get(path, ""))]
        for note in (Note(code, place, row.wire) for code, place in noted):
            if note in w.notes:
                w.notes[w.notes.index(note)] = Note(note.code, note.source)
    return value


def _note_dropped(table: Table, w: WriteContext, family: str, dropped: list[str]) -> None:
    """Note the hub fields and the local fields for which the target has no place.

    `dropped` has the field of each row that wrote nothing.
    """
    record, hub_fields = w.record, table.hub_fields
    if record.table is not None and record.table.unfinished and not table.unfinished:
        w.notes.append(Note("TB706", "", ""))
    if not w.places.keys() <= hub_fields:
        for path, place in w.places.items():
            if path not in hub_fields and path not in record.borrowed and path not in w.written_fields:
                w.notes.append(Note(_dropped_code(path, w.fields[path]), place))
    for other, values in record.local.items():
        if other != family:
            _note_dropped_local(table, w, values, dropped)


def _note_dropped_local(table: Table, w: WriteContext, values: dict[str, Json], dropped: list[str]) -> None:
    """Note the local fields of another family, but for those that only mark a field of the hub that was written."""
    record = w.record
    for place, value in values.items():
        if place in record.added or place in w.written_places:
            continue
        marked = record.markers.get(place)
        if marked in w.written_fields:
            continue
        if marked is None or marked not in table.hub_fields or _all_rows_wrote_nothing(table, marked, dropped):
            _note_local(w, place, value)


def _all_rows_wrote_nothing(table: Table, path: str, dropped: list[str]) -> bool:
    """Whether all rows of a field of the hub wrote nothing: a format may have several names for one field."""
    return path in dropped and dropped.count(path) == sum(row.hub == path and not row.fallback for row in table.order)


def _write_default(table: Table, w: WriteContext, row: Row, *, same: bool) -> None:
    invent = table.invent.get(row.wire)
    if invent is not None:
        value = invent(w)
        if value is not UNSET:
            _put(w.out, row.tokens, value)
    elif row.default is not UNSET and not same:
        _put(w.out, row.tokens, row.default)


def _write_local(table: Table, w: WriteContext, row: Row, own: _LocalFields) -> None:
    """Write a row without a field of the hub: the value of the document, or one that the format demands."""
    wire = row.wire
    if wire in own.values and (_write_kept(table, w, row, own) or not row.required):
        return
    # A document of this table has what it needs; within the family an optional field that was absent stays absent.
    stays_absent = own.same and w.record.table is table if row.required else own.same or row.default is UNSET
    if stays_absent:
        return
    if at.walk(w.out, row.tokens) is at.MISSING:
        value = row.default
        if value is UNSET and wire in table.invent:
            value = table.invent[wire](w)
        elif row.required and row.code:
            w.note_at("TB401", "", wire)
        if value is not UNSET:
            _put(w.out, row.tokens, value)


def _write_kept(table: Table, w: WriteContext, row: Row, own: _LocalFields) -> bool:
    """Write the value that a document of the family has for a local row, if it fits. Returns whether it does."""
    wire, source = row.wire, w.record.table
    own.done.append(wire)
    value = own.values[wire]
    if source is table or (value is None and row.default is None) or _fits(table, row, value, source):
        if at.walk(w.out, row.tokens) is at.MISSING:
            _put(w.out, row.tokens, value)
            if value is not None and source is not None and not source.has_row_at(wire):
                w.note_at("TB402", wire, wire)
        else:
            _note_local(w, wire, value, wire)
        return True
    # A marker says no more than what kind of document it was.
    if wire not in w.record.markers:
        _note_local(w, wire, value)
    return False


def _fallbacks(origin: Table, table: Table, *, same: bool) -> Sequence[Row]:
    """The rows of the source that give the target fields of the hub; `same` is whether they are of one family."""
    own = () if same else origin.fallbacks
    if not origin.extensions:
        return own
    places = table.rows if same else ()  # what stands at the same place in the family is adopted
    known = table.hub_fields
    return (*own, *(row for row in origin.extensions if row.hub in known and row.wire not in places))


def _use_fallbacks(w: WriteContext, own_values: dict[str, Json], fallbacks: Sequence[Row]) -> None:
    """Set the hub fields that only fallback rows have."""
    for row in fallbacks:
        wire = row.wire
        if wire not in own_values or row.hub in w.fields:
            continue
        value = own_values[wire]
        if value is not None and row.via is not None:
            value = row.via.read(value, w.record)
        if value is UNSET or value is None:
            continue
        path = cast("str", row.hub)
        w.fields = {**w.fields, path: value}
        w.places = {**w.places, path: wire}
        w.written_places.add(wire)


def _split_containers(table: Table, record: Record, family: str, notes: list[Note]) -> dict[str, Json]:
    """The local fields of the family; an unknown field that is a container of rows in this edition is split."""
    own_values = record.local.get(family, {})
    if record.table is table or not own_values:
        return own_values
    adopted: dict[str, Json] = {}
    queue = list(own_values.items())
    while queue:
        place, value = queue.pop(0)
        is_container = place in table.containers
        if is_container and value and isinstance(value, dict):
            queue[:0] = [(f"{place}/{at.escape(key)}", inner) for key, inner in cast("JsonObject", value).items()]
        elif is_container and place not in table.rows and value is not None and value != {}:
            notes.append(Note("TB102", place))
        else:
            adopted[place] = value
    return adopted


def has_same_type(source: Table, table: Table, wire: str) -> bool:
    """Whether both tables have a row at a place for values of one type."""
    row = source.rows.get(wire)
    return row is not None and type_at(source.model, row.tokens) == type_at(table.model, row.tokens) is not None


def _fits(table: Table, row: Row, value: Json, source: Table | None) -> bool:
    """Whether a value that another edition read is what this edition means by the place."""
    if source is not None and has_same_type(source, table, row.wire):
        return True
    known = None if source is None else source.rows.get(row.wire)
    if value is None and known is not None and known.hub is not None and row.hub is None:
        return False  # null, where that edition has a word or a field of the hub
    kind = type_at(table.model, row.tokens)
    return kind is None or is_value_of(value, kind)  # None: it stands in a value of any type


def _read_adopted(table: Table, row: Row, value: Json, wire: str, w: WriteContext) -> Any:
    """An unknown field that is a row in this edition, as a value of the hub; UNSET if it is not of that type, _DONE if
    it was written as it is.
    """
    if value is None and not row.nullable:
        w.note_at("TB104", wire, None)
        return UNSET
    if not _fits(table, row, value, w.record.table):
        _note_local(w, wire, value)
        return UNSET
    w.places = {**w.places, cast("str", row.hub): wire}
    if w.record.table is None or wire not in w.record.table.rows:
        w.note_at("TB402", wire, wire)
    found = value if row.via is None else row.via.read(value, w.record)
    if found is UNSET:  # the hub cannot hold it, and it stays at its place
        _put(w.out, row.tokens, value)
        return _DONE
    return found


def _write_unknown(table: Table, w: WriteContext, own: _LocalFields) -> None:
    """Write what no row of this edition has: unknown fields stay within the family, other editions' fields do not."""
    source, unchanged = w.record.table, own.unchanged
    for place, value in own.values.items():
        if place in own.done or place in w.written_places or any(place.startswith(wire + "/") for wire in unchanged):
            continue
        if (marked := w.record.markers.get(place)) is not None:
            if any(table.rows[wire].hub == marked for wire in unchanged):
                at.put(w.out, place, value)
            continue
        parent = place[: place.rindex("/")]
        is_known_to_source = source is not None and source is not table and place in source.rows
        if (
            is_known_to_source
            or parent not in table.containers
            or (parent in table.closed and source is not table and not table.has_row_at(place))
        ):
            _note_local(w, place, value)
        elif place in table.containers and value == {}:
            if at.get(w.out, place) is at.MISSING:
                at.put(w.out, place, value)
        elif value is None and table.has_row_at(place) and source is not table:
            w.note_at("TB104", place, None)
        else:
            at.put(w.out, place, value)


def _dropped_code(path: str, value: Any) -> str:
    """The code for a hub field that the target does not have; a value that demands nothing is only TB101."""
    if path == "allowed_callers" and "direct" in value:
        return "TB101"  # a model may call the tool anyway
    group = path.partition(".")[0]
    is_empty = (group in ("requirements", "strict", "failed", "single") and not value) or (path, value) == _FREE
    return "TB101" if is_empty else _DROPPED_CODES.get(group, "TB101")


_FREE: Final = ("mode", "auto")
"""The choice of tools that demands nothing."""


def _put(out: JsonObject, tokens: tuple[str, ...], value: Json) -> None:
    for token in tokens[:-1]:
        inner: JsonObject | None = out.get(token)
        if inner is None:
            inner = out[token] = {}
        out = inner
    out[tokens[-1]] = value


def _note_local(w: WriteContext, place: str, value: Json, target: str | None = None) -> None:
    """Note that a local field is dropped, unless it is a constant, with the code of its row, of the nearest row above
    it, or of an unknown field.
    """
    code = "TB104" if value is None else _code_of_row(w.record, place, value)
    if code is not None:
        w.note_at("TB101" if code == "TB605" and holds_nothing(value) else code, place, target)


def _code_of_row(record: Record, place: str, value: Json) -> str | None:
    if place in record.derived:
        return record.derived[place]
    if record.table is None:
        return "TB102"
    rows = record.table.rows
    if place in rows:
        row = rows[place]
        if row.code in ("TB601", "TB704") and value is False:
            return "TB101"
        if not row.code:
            return None if value == row.default else "TB101"
        return _dropped_code(row.hub, value) if row.fallback and row.hub is not None else row.code
    if record.table.has_row_at(place) and value == {}:
        return "TB101"
    parent = place[: place.rindex("/")]
    row = rows.get(parent)
    if row is not None and row.hub is None:
        return row.code or "TB101"
    # Within a value of the hub only a codec keeps places: keywords without effect.
    while parent and (row is None or row.hub is None):
        parent = parent[: parent.rindex("/")]
        row = rows.get(parent)
    return "TB102" if row is None or row.hub is None else "TB103"
