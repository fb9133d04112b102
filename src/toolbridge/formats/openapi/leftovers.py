"""What stands in an OpenAPI document and in none of its operations: their losses are those of the document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...mapping import Note
from .operations import METHODS, successes


def leftovers(document: JsonObject) -> Iterator[Note]:
    """What stands in the document and in none of its operations."""
    for key, value in document.items():
        if key in ("openapi", "paths", "security"):
            continue
        if key in ("servers", "info", "tags", "externalDocs", "jsonSchemaDialect", "$self"):
            yield Note("TB101", at.join(key))
        elif key == "webhooks" and is_object(value):
            yield from (Note("TB101", at.join(key, name)) for name in value)
        elif key != "components":
            yield Note("TB102", at.join(key))
    paths = document.get("paths")
    for path, shared in paths.items() if is_object(paths) else ():
        if path.startswith("x-"):
            yield Note("TB102", at.join("paths", path))
        if is_object(shared):
            yield from _rest("pathItems", shared, at.join("paths", path))
    components = document.get("components")
    used = _used(document)
    for group, members in components.items() if is_object(components) else ():
        for name, member in members.items() if is_object(members) else ():
            place = at.join("components", group, name)
            if group == "securitySchemes":
                yield Note("TB101", place)
            elif place not in used:
                yield Note("TB103" if group == "schemas" else "TB101", place)
            elif group in _USED_MEMBERS and is_object(member):
                yield from _rest(group, member, place)
        if not is_object(members):
            yield Note("TB102", at.join("components", group))


_USED_MEMBERS: Final[dict[str, frozenset[str]]] = {
    "examples": frozenset({"value"}),
    "parameters": frozenset({
        *("name", "in", "required", "description", "deprecated", "schema", "content", "example", "examples"),
        *("style", "explode", "allowReserved", "allowEmptyValue"),  # are noted for each operation
    }),
    "pathItems": frozenset({*METHODS, "$ref", "parameters", "summary", "description"}),
    "requestBodies": frozenset({"description", "required", "content"}),
    "responses": frozenset({"content"}),
}
"""The members of components, by groups, that become a part of tools."""

_DROPPED: Final = frozenset({
    *("summary", "description", "deprecated", "required", "example", "examples", "headers", "links", "servers"),
    *("externalValue", "dataValue", "serializedValue", "itemSchema", "itemEncoding", "prefixEncoding"),
})
"""Members that OpenAPI has and tools have not; others are unknown."""


def _rest(group: str, member: JsonObject, place: str) -> Iterator[Note]:
    """The members of a component, or of a path, that are no part of a tool."""
    for key in member:
        if key not in _USED_MEMBERS[group] or not _is_read(group, member, key):
            yield _dropped(place, key)
    yield from _rest_of_examples(member, place)
    content: Json = member.get("content")
    own = {"schema"} if group == "responses" else {"schema", "encoding", "example", "examples"}
    for name, media in content.items() if is_object(content) else ():
        inner = f"{place}/content{at.join(name)}"
        for key in media if is_object(media) else ():
            if key not in own or not _is_read(group, media, key):
                yield _dropped(inner, key)
        if is_object(media) and group != "responses":
            yield from _rest_of_examples(media, inner)


def _rest_of_examples(holder: JsonObject, place: str) -> Iterator[Note]:
    examples: Json = holder.get("examples")
    for name, each in examples.items() if is_object(examples) and "example" not in holder else ():
        for key in each if is_object(each) and "$ref" not in each else ():
            if key not in _USED_MEMBERS["examples"]:
                yield _dropped(f"{place}/examples{at.join(name)}", key)


def _dropped(place: str, key: str) -> Note:
    return Note("TB101" if key in _DROPPED else "TB102", place + at.join(key))


def _is_read(group: str, member: JsonObject, key: str) -> bool:
    """Whether the value of a member has the right type, and stands beside nothing that replaces it."""
    value: Json = member[key]
    if key in ("summary", "description"):
        inherits = (is_object(each := member.get(method)) and key not in each for method in METHODS)
        return isinstance(value, str) and (group != "pathItems" or "$ref" in member or any(inherits))
    if key in ("deprecated", "required"):
        return isinstance(value, bool)
    return key != "examples" or "example" not in member


def _used(document: JsonObject) -> set[str]:
    """The places of the components that tools are made of, directly or not."""
    used: set[str] = set()
    todo: list[Json] = [*_sources(document, used)]
    while todo:
        node = todo.pop()
        if is_list(node):
            todo += node
        elif is_object(node):
            todo += _followed(document, node, used)
            todo += node.values()
    return used


def _followed(document: JsonObject, node: JsonObject, used: set[str]) -> list[Json]:
    """The component that a reference leads to, if it is the first one to it; its place is added."""
    reference = node.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/components/"):
        return []
    place = at.join(*at.split(at.decoded(reference[1:]))[:3])
    if place in used:
        return []
    used.add(place)
    return [at.get(document, place, None)]


def _schemas_of(document: JsonObject, response: Json, used: set[str]) -> Iterator[Json]:
    """The schemas of a response."""
    for each in (response, *(_followed(document, response, used) if is_object(response) else ())):
        content: Json = each.get("content") if is_object(each) else None
        yield from (media.get("schema") for media in content.values() if is_object(media)) if is_object(content) else ()


def _sources(document: JsonObject, used: set[str]) -> Iterator[Json]:
    """What the tools of a document are made of: parameters, bodies, and the responses of success."""
    todo: list[Json] = [*document["paths"].values()] if is_object(document.get("paths")) else []
    while todo:
        shared = todo.pop()
        if not is_object(shared):
            continue
        todo += _followed(document, shared, used)
        for holder in (shared, *(shared.get(method) for method in METHODS)):
            if is_object(holder):
                yield holder.get("parameters")
                yield holder.get("requestBody")
                if is_object(responses := holder.get("responses")):
                    for code in successes(responses):
                        yield from _schemas_of(document, responses[code], used)
