"""Contexts: what only the tool may see of a call, in the words of the other edition. It never leaves the family."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from ...hub import Json, JsonObject, is_list, is_object
from ...reading import Writing

FAMILY: Final = "arcade-engine"
_SECRETS: Final = "/context/secrets"
_AUTHORIZATION: Final = "/context/authorization"
_INFO: Final = "/context/user_info"


def as_map(w: Writing) -> None:
    """Secrets as the draft has them: a map; and what the provider says of the user beside the authorization."""
    own = w.reading.local.get(FAMILY, {})
    if any(place.startswith("/context/") for place in own):
        w.put("/context", {})  # it stays one, whatever is left of it
    secrets, authorization = own.get(_SECRETS, UNSET), own.get(_AUTHORIZATION, UNSET)
    if is_list(secrets):
        _put(w, _SECRETS, dict(_entries(secrets, w)))
    elif secrets is None:
        _drop(w, _SECRETS, "TB104")
    if authorization is None:
        _drop(w, _AUTHORIZATION, "TB104")
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
        w.speak(_AUTHORIZATION)


def _entries(secrets: list[Json], w: Writing) -> Iterator[tuple[str, Json]]:
    """Each secret under its key; one that says more than a value keeps what it says."""
    seen: set[str] = set()
    for index, entry in enumerate(secrets):
        key = entry.get("key") if is_object(entry) else None
        if not isinstance(key, str) or key in seen:
            w.note_at("TB605", f"{_SECRETS}/{index}", None)
            continue
        seen.add(key)
        rest = {name: value for name, value in entry.items() if name != "key"}
        yield key, rest["value"] if rest.keys() == {"value"} and isinstance(rest["value"], str) else rest


def as_list(w: Writing) -> None:
    """Secrets as the engine has them: a list; and what the provider says of the user within the authorization."""
    own = w.reading.local.get(FAMILY, {})
    secrets, authorization, info = (own.get(place, UNSET) for place in (_SECRETS, _AUTHORIZATION, _INFO))
    if is_object(secrets):
        _put(w, _SECRETS, [*_listed(secrets, w)])
    if is_object(info) and (authorization is UNSET or is_object(authorization)):
        kept: JsonObject = {} if authorization is UNSET else authorization
        if "user_info" not in kept:
            w.put(_AUTHORIZATION, {**kept, "user_info": info})
            w.speak(_AUTHORIZATION, _INFO)


def _listed(secrets: JsonObject, w: Writing) -> Iterator[JsonObject]:
    for key, value in secrets.items():
        if isinstance(value, str):
            yield {"key": key, "value": value}
        elif is_object(value) and isinstance(value.get("value"), str) and "key" not in value:
            yield {"key": key, **value}
        else:
            w.note_at("TB605", _SECRETS, None)  # it is no text, and the engine has no others


def _put(w: Writing, place: str, value: Json) -> None:
    w.put(place, value)
    w.speak(place)


def _drop(w: Writing, place: str, code: str) -> None:
    w.note_at(code, place, None)
    w.speak(place)
