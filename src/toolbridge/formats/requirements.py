"""What a caller must bring, in the words of Arcade's engine: one authorization object, secrets and metadata by key."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import UNSET, UnsetType

from ..data import pointer as at
from ..data.types import Json, JsonObject, is_list, is_object
from ..mapping import Codec, Record, Row, WriteContext, row


def _read_authorization(value: Any, record: Record, wire: str) -> Any:
    """The hub's list from Arcade's one object; what else that object says stays local."""
    if isinstance(value, str):
        # The draft's "none" and "token": no provider to name.
        if value != "none":
            return [{"id": value}]
        record.keep(wire, value)
        return UNSET
    if not is_object(value):
        return _unread(value, record, wire)
    named = next((key for key in ("provider_id", "id") if value.get(key)), "provider_type")
    scopes = at.get(value, "/oauth2/scopes", None)
    if (
        not isinstance(value.get(named), str)
        or not isinstance(value.get("oauth2"), dict | None)
        or not (scopes is None or (is_list(scopes) and all(isinstance(scope, str) for scope in scopes)))
    ):
        return _unread(value, record, wire)
    requirement: JsonObject = {"id": value[named]}
    for key, inner in value.items():
        if key == "oauth2" and is_object(inner):
            requirement["oauth2"] = {} if scopes is None else {"scopes": scopes}
            for name, scope in inner.items():
                if name != "scopes" or scope is None:
                    record.keep(f"{wire}/oauth2/{name}", scope)
        elif key != named:
            record.keep(f"{wire}/{key}", inner)
    return [requirement]


def _unread(value: Any, record: Record, wire: str) -> UnsetType:
    """Keep a requirement that does not say what it is: under `_meta.arcade` anything may stand, and the draft is read
    leniently.
    """
    record.keep(wire, value, "TB602")
    return UNSET


def _read_keys(value: Any, record: Record, wire: str) -> Any:
    """The hub's list from Arcade's, whose key is called differently in each edition."""
    if not is_list(value) or not all(
        is_object(entry) and isinstance(entry.get("key", entry.get("key_id")), str) for entry in value
    ):
        return _unread(value, record, wire)
    named: list[JsonObject] = []
    for index, entry in enumerate(value):
        used = "key" if "key" in entry else "key_id"
        named.append({"id": entry[used], **{key: inner for key, inner in entry.items() if key not in (used, "id")}})
        if "id" in entry:
            record.keep(f"{wire}/{index}/id", entry["id"])
    return named


def _place_authorization(sub: str, _: Any, __: Record) -> str:
    """The hub's list of one is this format's one object."""
    return sub.removeprefix("/0")


def _respelled(raw: JsonObject, place: str, w: WriteContext, *, closed: bool) -> JsonObject:
    """An authorization in the words of the other edition: the draft has no nulls and no strangers."""
    out: JsonObject = {}
    known = ("provider_id", "provider_type", "id", "oauth2")
    for key in known:
        value = raw.get(key)
        if key == "oauth2" and is_object(value):
            scopes = value.get("scopes")
            out[key] = {"scopes": scopes} if scopes is not None or not closed else {}
        elif value is not None or not closed:
            out[key] = value
    w.mark_places_written(*(f"{place}/{key}" for key in known if raw.get(key) is not None))
    return out


def _write_authorization(value: list[JsonObject], w: WriteContext) -> Json:
    closed = w.format.endswith("@otc")
    place = w.places.get("requirements.authorization", "")
    raw = at.get(w.record.document, place) if place.startswith("/") else None  # otherwise it is in the envelope
    if is_object(raw) and isinstance(raw.get("provider_type"), str):
        # Arcade's own words, in another edition or under _meta.arcade: nothing of them need be invented anew.
        return _respelled(raw, place, w, closed=closed)
    if not value:
        w.note("TB101", "", None)
        return UNSET
    first = value[0]
    for index in range(1, len(value)):
        w.note("TB602", f"/{index}", None)
    provider = first.get("id")
    out: JsonObject = {} if closed else {"provider_id": None, "provider_type": "", "id": None, "oauth2": None}
    out["provider_type"] = "oauth2" if "oauth2" in first else "token"
    w.note("TB401", "/0", "/provider_type")
    if isinstance(provider, str):
        out["provider_id"] = provider
    for key, inner in first.items():
        if key == "oauth2":
            scopes = inner.get("scopes")
            out["oauth2"] = {"scopes": scopes} if scopes is not None or not closed else {}
            for name in inner:
                if name != "scopes":
                    w.note("TB102", f"/0/oauth2/{name}", None)
        elif key != "id":
            w.note("TB102", f"/0/{key}", None)
    return out


def _write_keys(value: list[JsonObject], w: WriteContext, key: str) -> Json:
    for index, entry in enumerate(value):
        for name in entry:
            if name != "id":
                w.note("TB102", f"/{index}/{name}", None)
    return [{key: entry["id"]} for entry in value]


def requirements_at(base: str, key: str = "key", default: Any = UNSET) -> tuple[Row, Row, Row]:
    """The rows of authorization, secrets and metadata at `base`; the names of the last two stand under `key`."""

    def keyed(name: str) -> Row:
        wire = f"{base}/{name}"
        codec = Codec(partial(_read_keys, wire=wire), partial(_write_keys, key=key))
        return row(wire, f"requirements.{name}", codec, default=default)

    wire = f"{base}/authorization"
    codec = Codec(partial(_read_authorization, wire=wire), _write_authorization, _place_authorization)
    return row(wire, "requirements.authorization", codec, default=default), keyed("secrets"), keyed("metadata")
