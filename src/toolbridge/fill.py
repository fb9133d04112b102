"""Fill: what a caller answers where the target demands something that the source lacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from . import pointer as at
from .errors import FormatError
from .format import Format
from .hub import Json, JsonObject
from .problems import kind


def fills(target: Format, fill: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What the caller answers: by hub field, and by place in the target as JSON text."""
    fields: dict[str, Any] = {}
    places: dict[str, bytes] = {}
    for key, value in fill.items():
        row = target.tool.rows.get(key)
        if key in ("toolkit", "version", "title", "description") and all(one.hub != key for one in target.tool.order):
            raise FormatError(f"fill: {target.id} has no place for a {key}")
        if row is not None and row.hub == "name":
            raise FormatError(f"fill: {key} is said by every source, so there is nothing to answer")
        if key in ("toolkit", "version", "title", "description"):
            fields[key] = value
        elif not key.startswith("/"):
            raise FormatError(
                f"fill: {key!r} is neither a JSON Pointer into {target.id} (such as /version) "
                "nor toolkit, version, title or description"
            )
        elif row is not None and row.hub is not None and row.via is None:
            fields[row.hub] = value
        else:
            told = row.via.fills(value) if row is not None and row.via is not None and row.via.fills is not None else {}
            fields.update(told)
            if row is None or row.hub not in told or told[row.hub] != value:
                # It says several things at once, or none that the hub has: it is set as it stands.
                places[key] = msgspec.json.encode(value)
    for row in target.tool.order:
        if row.hub in fields and row.via is not None and row.via.fills is not None:
            row.via.fills(fields[row.hub])
    for path, value in fields.items():
        if path in ("toolkit", "version") and value == "":
            raise FormatError(f"fill: {path} is empty")
        if path in ("toolkit", "version", "title", "description") and not isinstance(value, str):
            raise FormatError(f"fill: {path} is a string, found {kind(value)}")
    return fields, places


def put_through(document: JsonObject, place: str, value: Json) -> None:
    """Set the value at a place, making room where null stands on the way."""
    tokens = at.split(place)
    for depth in range(1, len(tokens)):
        holder = at.join(*tokens[:depth])
        if at.get(document, holder) is None:
            at.put(document, holder, {})
    at.put(document, place, value)
