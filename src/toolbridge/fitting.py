"""Vias for schemas whose readers know only a dialect of JSON Schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from . import pointer as at
from .row import Via
from .schema import fitted, unprose

if TYPE_CHECKING:
    from .hub import Json, JsonObject
    from .reading import Reading, Writing
    from .row import Row
    from .schema.dialect import Dialect


def _as_it_is(value: Any, _: Any) -> Any:
    return value


_SAME: Final = Via(_as_it_is, _as_it_is).place
"""Places in the value of the hub are places in that of the document, unless a Via says otherwise."""


def spoken(dialect: Dialect) -> Via:
    """An input schema in a dialect; constraints that stand in the prose of descriptions are read back."""

    def read(value: Json, _: Reading) -> Json:
        return unprose(value, dialect)

    def write(value: JsonObject, w: Writing) -> Any:
        return written(value, dialect, w)

    return Via(read, write, place_said)


def place_said(sub: str, raw: Any, _: Reading) -> str:
    """The place itself; of what was read out of the prose of a description, that description."""
    if at.get(raw, sub) is not at.MISSING:
        return sub
    while sub and at.get(raw, sub) is at.MISSING:
        sub = sub[: sub.rindex("/")]
    told = f"{sub}/description"
    return sub if at.get(raw, told) is at.MISSING else told


def written(value: JsonObject, dialect: Dialect, w: Writing) -> JsonObject:
    """An input schema in a dialect, for the Via of a room. How arguments find home is kept in `w.way`.

    `w.strict` tells the row of a flag whether the schema beside it keeps the rules of a strict dialect.
    """
    it = fitted(value, dialect, w.options)
    if it.notes:
        _note(it.notes, w)
    w.way = it.way
    w.strict = it.dialect.closed
    return it.schema


def _note(notes: Sequence[tuple[str, str, str | None]], w: Writing) -> None:
    """As `w.note` for each; what all their places have in common is looked up once."""
    row = cast("Row", w.row)
    place = w.places.get(cast("str", row.hub))
    table = w.reading.table
    origin = None if table is None or place is None else table.rows.get(place)
    if origin is None or (origin.via is not None and origin.via.place is not _SAME):
        for code, source, target in notes:
            w.note(code, source, target)
        return
    wire = row.wire
    w.notes += [(code, f"{place}{at}", None if to is None else wire + to) for code, at, to in notes]
