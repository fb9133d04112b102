"""Vias for schemas whose readers know only a dialect of JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .row import Via
from .schema import fit, unprose

if TYPE_CHECKING:
    from .hub import Json, JsonObject
    from .reading import Reading, Writing
    from .schema.dialect import Dialect


def spoken(dialect: Dialect) -> Via:
    """An input schema in a dialect; constraints that stand in the prose of descriptions are read back."""

    def read(value: Json, _: Reading) -> Json:
        return unprose(value, dialect)

    def write(value: JsonObject, w: Writing) -> Any:
        return written(value, dialect, w)

    return Via(read, write)


def written(value: JsonObject, dialect: Dialect, w: Writing) -> JsonObject:
    """An input schema in a dialect, for the Via of a room. How arguments find home is kept in `w.way`.

    `w.strict` tells the row of a flag whether the schema beside it keeps the rules of a strict dialect.
    """
    fitted = fit(value, dialect, w.note, w.options)
    w.way = fitted.way
    w.strict = fitted.dialect.closed
    return fitted.schema
