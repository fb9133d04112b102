"""The members of the objects of an OpenAPI document: which become a part of tools, and which are lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...mapping import Note

METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


class Kind(NamedTuple):
    """The members of a kind of object that become a part of tools, and those that hold objects, with their kinds."""

    used: frozenset[str]
    inner: Mapping[str, str] = {}


KINDS: Final = {
    "examples": Kind(frozenset({"value"})),
    "media types": Kind(frozenset({"schema", "encoding", "example", "examples"}), {"examples": "examples"}),
    "parameters": Kind(
        frozenset({
            *("name", "in", "required", "description", "deprecated", "schema", "content", "example", "examples"),
            *("style", "explode", "allowReserved", "allowEmptyValue"),  # are noted for each operation
        }),
        {"examples": "examples", "content": "media types"},
    ),
    "pathItems": Kind(frozenset({*METHODS, "parameters", "summary", "description"}), {"parameters": "parameters"}),
    "requestBodies": Kind(frozenset({"description", "required", "content"}), {"content": "media types"}),
    "responses": Kind(frozenset({"content"}), {"content": "media types of results"}),
    "media types of results": Kind(frozenset({"schema"})),
}
"""The kinds by the names of the groups of components."""

_DROPPED: Final = frozenset({
    *("summary", "description", "deprecated", "required", "example", "examples", "headers", "links", "servers"),
    *("externalValue", "dataValue", "serializedValue", "itemSchema", "itemEncoding", "prefixEncoding"),
})
"""Members that OpenAPI has and tools have not; others are unknown."""


def rest(kind: str, member: JsonObject, place: str) -> Iterator[Note]:
    """The members of an object that are no part of a tool; where it has a `$ref`, only a path has others that are."""
    used, inner = KINDS[kind] if "$ref" not in member or kind == "pathItems" else Kind(frozenset())
    for key in member:
        if key != "$ref" and (key not in used or not _is_read(kind, member, key)):
            yield Note("TB101" if key in _DROPPED else "TB102", place + at.join(key))
            continue
        held = member[key] if key in inner else None
        for name, each in held.items() if is_object(held) else enumerate(held) if is_list(held) else ():
            if is_object(each):
                yield from rest(inner[key], each, place + at.join(key, str(name)))


def _is_read(kind: str, member: JsonObject, key: str) -> bool:
    """Whether the value of a member has the right type, and stands beside nothing that replaces it."""
    value: Json = member[key]
    if key in ("summary", "description"):
        inherits = (is_object(each := member.get(method)) and key not in each for method in METHODS)
        return isinstance(value, str) and (kind != "pathItems" or "$ref" in member or any(inherits))
    if key in ("deprecated", "required"):
        return isinstance(value, bool)
    return key != "examples" or "example" not in member
