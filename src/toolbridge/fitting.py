"""Vias for schemas whose readers know only a dialect of JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import pointer as at
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
    fitted = fit(value, dialect, w.note, w.options)
    w.way = fitted.way
    w.strict = fitted.dialect.closed
    return fitted.schema
