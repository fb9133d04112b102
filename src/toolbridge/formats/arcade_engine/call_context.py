"""The context of calls of Arcade's engine, which its two editions write differently.

In 4, secrets are a list and the data of the provider about the user is in the authorization; in the draft of March
2025, secrets are a map and that data is `user_info` beside the authorization.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from ...data.types import Json, JsonObject, is_list, is_object
from ...mapping import WriteContext
from .tools import FAMILY

_SECRETS: Final = "/context/secrets"
_AUTHORIZATION: Final = "/context/authorization"
_INFO: Final = "/context/user_info"


def write_otc_context(w: WriteContext) -> None:
    """Write the context of a call of this family in the form of the draft: secrets as a map, the user's data apart."""
    if w.record.family != FAMILY:
        return
    own = w.record.local.get(FAMILY, {})
    if any(place.startswith("/context/") for place in own):
        w.put("/context", {})  # it stays an object, even if it is empty
    secrets, authorization = own.get(_SECRETS, UNSET), own.get(_AUTHORIZATION, UNSET)
    if is_list(secrets):
        _put_secrets(w, dict(_entries(secrets, w)))
    elif secrets is None:
        _drop_null(w, _SECRETS)
    if authorization is None:
        _drop_null(w, _AUTHORIZATION)
    elif is_object(authorization):
        kept = {key: value for key, value in authorization.items() if not (key == "token" and value is None)}
        if len(kept) < len(authorization):
            w.note_at("TB104", f"{_AUTHORIZATION}/token", None)
        info = kept.get("user_info")
        if is_object(info) and _INFO not in own:
            del kept["user_info"]
            w.put(_INFO, info)
        if kept or not authorization:
            w.put(_AUTHORIZATION, kept)
        w.mark_places_written(_AUTHORIZATION)


def _entries(secrets: list[Json], w: WriteContext) -> Iterator[tuple[str, Json]]:
    """The secrets by their keys; a secret with further fields stays an object."""
    seen: set[str] = set()
    for index, entry in enumerate(secrets):
        key = entry.get("key") if is_object(entry) else None
        if not isinstance(key, str) or key in seen:
            w.note_at("TB605", f"{_SECRETS}/{index}", None)
            continue
        seen.add(key)
        rest = {name: value for name, value in entry.items() if name != "key"}
        yield key, rest["value"] if rest.keys() == {"value"} and isinstance(rest["value"], str) else rest


def write_engine_context(w: WriteContext) -> None:
    """Write the context of a call of this family in the form of the engine: secrets as a list."""
    if w.record.family != FAMILY:
        return
    own = w.record.local.get(FAMILY, {})
    secrets, authorization, info = (own.get(place, UNSET) for place in (_SECRETS, _AUTHORIZATION, _INFO))
    if is_object(secrets):
        _put_secrets(w, [*_listed(secrets, w)])
    if is_object(info) and (authorization is UNSET or is_object(authorization)):
        kept: JsonObject = {} if authorization is UNSET else authorization
        if "user_info" not in kept:
            w.put(_AUTHORIZATION, {**kept, "user_info": info})
            w.mark_places_written(_AUTHORIZATION, _INFO)


def _listed(secrets: JsonObject, w: WriteContext) -> Iterator[JsonObject]:
    for key, value in secrets.items():
        if isinstance(value, str):
            yield {"key": key, "value": value}
        elif is_object(value) and isinstance(value.get("value"), str) and "key" not in value:
            yield {"key": key, **value}
        else:
            w.note_at("TB605", _SECRETS, None)  # the engine allows only strings


def _put_secrets(w: WriteContext, value: Json) -> None:
    w.put(_SECRETS, value)
    w.mark_places_written(_SECRETS)


def _drop_null(w: WriteContext, place: str) -> None:
    w.note_at("TB104", place, None)
    w.mark_places_written(place)
