"""Tools of LangChain: models, codecs and rows."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from ...data.pointer import OUTSIDE, escape, join
from ...data.types import Json, JsonObject
from ...mapping import Codec, Record, Wire, WriteContext, row, write_description
from ...schema import PLAIN, fit

# models


class ToolSchema(Wire, kw_only=True):
    """A tool of LangChain: the JSON Schema of its arguments, with a title. Other keywords are unknown fields here."""

    title: str
    description: str | UnsetType = UNSET
    type: Literal["object"]


# values

_OWN = ("title", "description")


def _read_input(_: Json, record: Record) -> JsonObject:
    return {key: value for key, value in record.document.items() if key not in _OWN}


def _write_input(value: JsonObject, w: WriteContext) -> str:
    """The schema without its title and description, which are those of the tool."""
    written = fit(value, PLAIN, w.options)
    for each in written.notes:
        is_dropped = each.target is not None and each.target.partition("/")[2].partition("/")[0] in _OWN
        w.note_at(each.code, w.source("input", each.source), None if is_dropped else each.target)
    w.argument_map = written.argument_map
    for key, inner in written.schema.items():
        if key in _OWN:
            w.note_at("TB103", w.source("input", f"/{key}" if key in value else ""), None)
        else:
            # Includes the type, which the row writes, too, to keep the order of the schema.
            w.put(f"/{escape(key)}", inner)
    return "object"


def _place(sub: str, _: Json, __: Record) -> str:
    """A place in the schema is the same place in the document."""
    return OUTSIDE + sub


def after_read(record: Record) -> None:
    for key in record.document:
        if key not in ("type", *_OWN):
            record.markers[join(key)] = "input"


def _any_input(w: WriteContext) -> str:
    w.note("TB401")
    w.put("/properties", {})
    return "object"


# tables

TOOL = (
    row("/title", "name", required=True),
    row("/description", "description", write_description(None)),
    row("/type", "input", Codec(_read_input, _write_input, _place), required=True, invent=_any_input),
)
