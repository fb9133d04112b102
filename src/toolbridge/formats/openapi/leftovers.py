"""What stands in an OpenAPI document and in none of its operations: their losses are those of the document."""

from __future__ import annotations

from collections.abc import Iterator

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...mapping import Note
from .members import KINDS, METHODS, rest
from .operations import successes


def leftovers(document: JsonObject) -> Iterator[Note]:
    """What stands in the document and in none of its operations."""
    for key, value in document.items():
        if key == "security":
            operations = (shared.get(method) for shared in _path_items(document, set()) for method in METHODS)
            if value and not any(is_object(each) and each.get(key) is None for each in operations):
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
            yield from rest("pathItems", shared, at.join("paths", path))
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
            elif group in KINDS and is_object(member):
                yield from rest(group, member, place)
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


def _with_targets(document: JsonObject, todo: list[Json], used: set[str]) -> Iterator[JsonObject]:
    """The objects of a list, and what these refer to."""
    while todo:
        each = todo.pop()
        if is_object(each):
            todo += _followed(document, each, used)
            yield each


def _path_items(document: JsonObject, used: set[str]) -> Iterator[JsonObject]:
    """What stands at the paths, and what that refers to."""
    paths = document.get("paths")
    return _with_targets(document, [*paths.values()] if is_object(paths) else [], used)


def _schemas_of(document: JsonObject, response: Json, used: set[str]) -> Iterator[Json]:
    """The schemas of a response."""
    for each in _with_targets(document, [response], used):
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
