"""Put one schema inside another, and take it out again, with its references still leading where they led."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final, TypeGuard, cast

from ..data.names import Numbering
from ..data.patch import Operation, apply
from ..data.pointer import decoded, escape, existing, is_within, split
from .references import has_references
from .vocabulary import DEFINITIONS, ID_AS_ID, IDENTIFIERS, LONE_REF, REFERENCES, Value, children, stated_draft

_HOISTED: Final = ("$schema", "$defs", "definitions")

# `$recursiveRef` can only say "#", so a schema with one has to be a resource of its own to be put anywhere else.
_OWN: Final = "urn:toolbridge:nested"

_NOT_OF_COPIES: Final = IDENTIFIERS | DEFINITIONS

_Move = Callable[[str], str | None]


def nest(schema: dict[str, Any], key: str = "result") -> dict[str, Any]:
    """An object with one required property, described by the schema: `{"result": 5}` where the schema meant `5`.

    `$schema` and the definitions move to the root of the wrapper. A schema with an `$id` is a resource of its own and
    stays whole; only the draft that it states is stated for the wrapper as well.
    """
    wrapper: dict[str, Any] = {}
    if "$schema" in schema:
        wrapper["$schema"] = schema["$schema"]
    wrapper["type"] = "object"
    id_key = _id_key(schema)
    identity: Value = schema.get(id_key)
    if _is_address(identity):
        if identity.startswith(_OWN):  # so that taking out stays the inverse, whatever the schema is called
            schema = schema | {id_key: identity + "~"}
        wrapper["properties"] = {key: schema}
    elif (refers := has_references(schema)) and id_key not in schema and _recurses(schema):
        wrapper["properties"] = {key: {id_key: _OWN} | schema}
    else:
        moved = under(schema, "/properties/" + escape(key), hoisted=DEFINITIONS) if refers else schema
        inner = {name: value for name, value in moved.items() if name not in _HOISTED}
        wrapper["properties"] = {key: inner if len(inner) < len(moved) else moved}
        for name in ("$defs", "definitions"):
            if name in moved:
                wrapper[name] = moved[name]
    wrapper["required"] = [key]
    return wrapper


def unnest(
    wrapper: Any, key: str = "result", *, markers: Collection[str] = ("x-fastmcp-wrap-result",)
) -> dict[str, Any] | None:
    """The schema inside a wrapper, exactly as it was before `nest`; None for what is not such a wrapper.

    `markers` are keywords that a wrapper may carry as well (FastMCP marks its own, 2.10 and later; checked
    2026-11-21). A wrapper to which something inside refers as a whole, or to its own keywords, is more than a wrapper.
    """
    if not isinstance(wrapper, dict):
        return None
    outer = {name: value for name, value in cast("dict[str, Any]", wrapper).items() if name not in markers}
    kind, properties, required = outer.pop("type", None), outer.pop("properties", None), outer.pop("required", None)
    if kind != "object" or required != [key] or not isinstance(properties, dict):
        return None
    held = cast("dict[str, Any]", properties)
    inner: Value = held.get(key)
    if len(held) != 1 or not isinstance(inner, dict) or not outer.keys() <= set(_HOISTED):
        return None
    id_key = _id_key(outer)
    identity: Value = inner.get(id_key)
    if _is_address(identity):
        # A resource refers to nothing outside, so definitions beside it are somebody's for some other purpose.
        if not outer.keys() <= {"$schema"}:
            return None
        if identity.startswith(_OWN):
            rest = identity.removesuffix("~")
            inner = {name: value for name, value in inner.items() if name != id_key or rest != identity}
            return inner if rest == identity else inner | {id_key: rest}
        return inner if "$schema" in inner else outer | inner
    if not inner.keys().isdisjoint(outer):
        return None
    joined = {name: outer[name] for name in ("$schema",) if name in outer} | inner
    joined |= {name: outer[name] for name in ("$defs", "definitions") if name in outer}
    return _moved(joined, _back_from(key))


def under(schema: dict[str, Any], prefix: str, *, hoisted: Collection[str] = ()) -> dict[str, Any]:
    """The schema as it has to read at the place `prefix` of another one, such as `/allOf/0`.

    References to places are made to lead below the prefix, except those into the `hoisted` keywords, which the caller
    moves to the root of the other schema. Returns the very same object where nothing refers to a place.
    """

    def move(reference: str) -> str | None:
        from urllib.parse import quote  # see pointer.decoded

        if _first(reference) in hoisted:
            return reference
        return "#" + quote(prefix, safe="/~!$&'()*+,;=:@") + reference[1:]

    moved = _moved(schema, move)
    return schema if moved is None else moved


def original_place(schema: dict[str, Any], place: str, prefix: str) -> str:
    """The place in the schema of a place in another one that has it at `prefix`, as `nest` and `under` make it: the
    nearest above it where something was added.
    """
    return existing(schema, place[len(prefix) :] if is_within(place, prefix) else place)


def with_own_root(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with a definition in place of its root for all that refers to that: the root may be changed alone.

    Returns the very same object where nothing refers to the root.
    """
    key = next((each for each in ("$defs", "definitions") if isinstance(schema.get(each, {}), dict)), None)
    if key is None:
        return schema  # no place for definitions is one
    name = Numbering(schema.get(key, ())).unique("root")
    id_key = _id_key(schema)
    bare = {each: value for each, value in schema.items() if each != id_key}  # a resource refers to itself, too
    moved = cast("dict[str, Any]", _moved(bare, lambda it: f"#/{key}/{name}" if it == "#" else it))
    if moved is bare:
        return schema
    root = {each: value for each, value in moved.items() if each not in _NOT_OF_COPIES}
    return {**schema, **moved, key: {**moved.get(key, {}), name: root}}


def _back_from(key: str) -> _Move:
    def move(reference: str) -> str | None:
        tokens = reference.split("/")
        if _first(reference) in DEFINITIONS:
            return reference
        if len(tokens) > 2 and _first(reference) == "properties" and _token(tokens[2]) == key:
            return "/".join(["#", *tokens[3:]])
        return None

    return move


def _token(raw: str) -> str:
    return decoded(raw).replace("~1", "/").replace("~0", "~")


def _first(reference: str) -> str | None:
    """The keyword of the root into which a reference leads; None for the root itself."""
    return next(iter(split(decoded(reference[1:]))), None)


def _id_key(schema: dict[str, Any]) -> str:
    return "id" if stated_draft(schema) in ID_AS_ID else "$id"


def _is_address(identity: Value) -> TypeGuard[str]:
    """Whether an `$id` makes a resource: `#name` only names a place (drafts 04 to 07)."""
    return isinstance(identity, str) and identity[:1] not in ("", "#")


def _local(schema: dict[str, Any], id_key: str, lone_ref: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """The subschemas that belong to the root's own resource, each with its place."""
    todo: list[tuple[str, dict[str, Any] | bool]] = [("", schema)]
    while todo:
        place, node = todo.pop()
        if isinstance(node, bool) or (place and _is_address(node.get(id_key)) and not (lone_ref and "$ref" in node)):
            continue
        yield place, node
        todo += [(place + below, inner) for below, inner in children(node)]


def _recurses(schema: dict[str, Any]) -> bool:
    return any("$recursiveRef" in node for _, node in _local(schema, _id_key(schema), lone_ref=False))


def _moved(schema: dict[str, Any], move: _Move) -> dict[str, Any] | None:
    """The schema with every reference to a place of it moved; None where one cannot be.

    It shares with the original what is not above these; it is the very same object if there are none.
    """
    id_key = _id_key(schema)
    if _is_address(schema.get(id_key)) or not has_references(schema):
        return schema
    changes: list[Operation] = []
    for place, node in _local(schema, id_key, stated_draft(schema) in LONE_REF):
        for keyword in REFERENCES - {"$recursiveRef"}:
            reference: Value = node.get(keyword)
            if isinstance(reference, str) and (reference == "#" or reference.startswith("#/")):
                new = move(reference)
                if new is None:
                    return None
                if new != reference:
                    changes.append(["replace", f"{place}/{keyword}", new])
    return apply(changes, schema) if changes else schema
