"""What stands in an OpenAPI document and in none of its operations: their losses are those of the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...mapping import Note
from .operations import METHODS, successes


def leftovers(document: JsonObject) -> Iterator[Note]:
    """What stands in the document and in none of its operations."""
    for key, value in document.items():
        if key == "security":
            if value and not any(operation.get(key) is None for operation in _operations(document)):
                yield Note("TB101", at.join(key))
        elif key in ("servers", "info", "tags", "externalDocs", "jsonSchemaDialect", "$self"):
            yield Note("TB101", at.join(key))
        elif key == "webhooks" and is_object(value):
            yield from (Note("TB101", at.join(key, name)) for name in value)
        elif key not in ("openapi", "paths", "components"):
            yield Note("TB102", at.join(key))
    paths = document.get("paths")
    for path, shared in paths.items() if is_object(paths) else ():
        if path.startswith("x-"):
            yield Note("TB102", at.join("paths", path))
        elif is_object(shared):
            if "$ref" not in shared and shared.keys().isdisjoint(METHODS):
                yield Note("TB101", at.join("paths", path))
            yield from _rest("pathItems", shared, at.join("paths", path))
    components = document.get("components")
    if is_object(components):
        yield from _components(components, _used(document))


def _components(components: JsonObject, used: set[str]) -> Iterator[Note]:
    """What stands in the components and in no tool."""
    above = {place for each in used for place in _above(each)}
    for group, members in components.items():
        for name, member in members.items() if is_object(members) else ():
            place = at.join("components", group, name)
            if group == "securitySchemes":
                yield Note("TB101", place)
            elif place not in used:
                yield from _unused("TB103" if group == "schemas" else "TB101", member, place, used, above)
            elif group in _KINDS and is_object(member):
                yield from _rest(group, member, place)
        if not is_object(members):
            yield Note("TB102", at.join("components", group))


def _above(place: str) -> Iterator[str]:
    """The places of the component that a place is in, and of what is between them."""
    tokens = place.split("/")
    yield from ("/".join(tokens[:n]) for n in range(4, len(tokens)))


def _unused(code: str, value: Json, place: str, used: set[str], above: set[str]) -> Iterator[Note]:
    """What tools are not made of: a value, or what is in it beside the places that references lead to."""
    if place not in above:
        yield Note(code, place)
        return
    for key, each in value.items() if is_object(value) else enumerate(value) if is_list(value) else ():
        if (inner := place + at.join(key)) not in used:
            yield from _unused(code, each, inner, used, above)


class _Kind(NamedTuple):
    """The members of a kind of object that become a part of tools, and those that hold objects, with their kinds."""

    used: frozenset[str]
    inner: Mapping[str, str] = {}


_KINDS: Final = {
    "examples": _Kind(frozenset({"value"})),
    "media types": _Kind(frozenset({"schema", "encoding", "example", "examples"}), {"examples": "examples"}),
    "parameters": _Kind(
        frozenset({
            *("name", "in", "required", "description", "deprecated", "schema", "content", "example", "examples"),
            *("style", "explode", "allowReserved", "allowEmptyValue"),  # are noted for each operation
        }),
        {"examples": "examples", "content": "media types"},
    ),
    "pathItems": _Kind(frozenset({*METHODS, "parameters", "summary", "description"}), {"parameters": "parameters"}),
    "requestBodies": _Kind(frozenset({"description", "required", "content"}), {"content": "media types"}),
    "responses": _Kind(frozenset({"content"}), {"content": "media types of results"}),
    "media types of results": _Kind(frozenset({"schema"})),
}
"""The kinds by the names of the groups of components."""

_DROPPED: Final = frozenset({
    *("summary", "description", "deprecated", "required", "example", "examples", "headers", "links", "servers"),
    *("externalValue", "dataValue", "serializedValue", "itemSchema", "itemEncoding", "prefixEncoding"),
})
"""Members that OpenAPI has and tools have not; others are unknown."""


def _rest(kind: str, member: JsonObject, place: str) -> Iterator[Note]:
    """The members of an object that are no part of a tool; where it has a `$ref`, only a path has others that are."""
    used, inner = _KINDS[kind] if "$ref" not in member or kind == "pathItems" else _Kind(frozenset())
    for key in member:
        if key != "$ref" and (key not in used or not _is_read(kind, member, key)):
            yield Note("TB101" if key in _DROPPED else "TB102", place + at.join(key))
            continue
        held = member[key] if key in inner else None
        for name, each in held.items() if is_object(held) else enumerate(held) if is_list(held) else ():
            if is_object(each):
                yield from _rest(inner[key], each, place + at.join(key, str(name)))


def _is_read(kind: str, member: JsonObject, key: str) -> bool:
    """Whether the value of a member has the right type, and stands beside nothing that replaces it."""
    value: Json = member[key]
    if key in ("summary", "description"):
        inherits = (is_object(each := member.get(method)) and key not in each for method in METHODS)
        return isinstance(value, str) and (kind != "pathItems" or "$ref" in member or any(inherits))
    if key in ("deprecated", "required"):
        return isinstance(value, bool)
    return key != "examples" or "example" not in member


def _used(document: JsonObject) -> set[str]:
    """The places that references lead to from what tools are made of, directly or not."""
    used: set[str] = set()
    seen: set[int] = set()  # a place may be in another one
    todo: list[Json] = [*_sources(document, used)]
    while todo:
        node = todo.pop()
        if is_list(node):
            todo += node
        elif is_object(node) and id(node) not in seen:
            seen.add(id(node))
            todo += _followed(document, node, used)
            todo += node.values()
    return used


def _followed(document: JsonObject, node: JsonObject, used: set[str]) -> list[Json]:
    """What a reference leads to, if it is the first one to that; its place is added."""
    reference = node.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return []
    place = at.join(*at.split(at.decoded(reference[1:])))
    if place in used:
        return []
    used.add(place)
    return [at.get(document, place, None)]


def _path_items(document: JsonObject, used: set[str]) -> Iterator[JsonObject]:
    """What stands at the paths, and what that refers to."""
    todo: list[Json] = [*document["paths"].values()] if is_object(document.get("paths")) else []
    while todo:
        shared = todo.pop()
        if is_object(shared):
            todo += _followed(document, shared, used)
            yield shared


def _operations(document: JsonObject) -> Iterator[JsonObject]:
    for shared in _path_items(document, set()):
        yield from (operation for method in METHODS if is_object(operation := shared.get(method)))


def _schemas_of(document: JsonObject, response: Json, used: set[str]) -> Iterator[Json]:
    """The schemas of a response."""
    todo = [response]
    while todo:
        each = todo.pop()
        if is_object(each):
            todo += _followed(document, each, used)
            content: Json = each.get("content")
            media = content.values() if is_object(content) else ()
            yield from (it.get("schema") for it in media if is_object(it))


def _sources(document: JsonObject, used: set[str]) -> Iterator[Json]:
    """What the tools of a document are made of: parameters, bodies, and the responses of success."""
    for shared in _path_items(document, used):
        for holder in (shared, *(shared.get(method) for method in METHODS)):
            if is_object(holder):
                yield holder.get("parameters")
                yield holder.get("requestBody")
                if is_object(responses := holder.get("responses")):
                    for code in successes(responses):
                        yield from _schemas_of(document, responses[code], used)
