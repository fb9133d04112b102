"""What most schemas are made of (scalars, lists, objects that list their properties), written without being taken apart.

Nothing is decided here: each function gives the same as the long way round, or None where it would have to decide.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..pointer import escape
from .dialect import Dialect
from .objects import optional
from .way import Way

if TYPE_CHECKING:
    from .rewrite import Rewriting, Written

_TEXT: Final = frozenset({str})
_NUMBER: Final = frozenset({int, float})
_COUNT: Final = frozenset({int})
_ANY: Final = frozenset({str, int, float, bool, type(None)})
_OF_NUMBERS: Final = ("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")
_OF_TEXT: Final = ("minLength", "maxLength")
_KINDS: Final[dict[str, dict[str, frozenset[type]]]] = {
    "string": dict.fromkeys(_OF_TEXT, _COUNT),
    "integer": dict.fromkeys(_OF_NUMBERS, _NUMBER),
    "number": dict.fromkeys(_OF_NUMBERS, _NUMBER),
    "boolean": {},
}
_COMMENTS: Final = {"description": _TEXT, "title": _TEXT, "default": _ANY}
_SCALAR: Final = {kind: _COMMENTS | of for kind, of in _KINDS.items()}
_LIST: Final = {
    "description": _TEXT,
    "title": _TEXT,
    "minItems": _COUNT,
    "maxItems": _COUNT,
    "uniqueItems": frozenset({bool}),
}
_OBJECT: Final = frozenset({"type", "properties", "required", "additionalProperties", "description", "title"})


class Said(NamedTuple):
    """Of the keywords above, those that a dialect takes as they are, and those that it does not know."""

    said: frozenset[str]
    lost: frozenset[str]


@lru_cache(maxsize=64)
def said_by(dialect: Dialect) -> Said:
    words = frozenset(_COMMENTS) | frozenset(_LIST) | frozenset(_OF_NUMBERS) | frozenset(_OF_TEXT)
    said = frozenset(
        key for key in words if dialect.says(key) and key not in dialect.spelled and key not in dialect.most
    )
    return Said(said, frozenset(key for key in words if not dialect.says(key)))


def scalar(run: Rewriting, value: dict[str, Any], place: str, out: str) -> dict[str, Any] | None:
    """A scalar, perhaps with an enumeration of strings."""
    kind = value.get("type")
    if type(kind) is not str:
        return None
    sound = _SCALAR.get(kind)
    if sound is None:
        return None
    said = run.quick.said
    lost: list[str] | None = None
    for key, inner in value.items():
        if key == "type":
            continue
        if key == "enum":
            if kind != "string" or not _is_strings(inner, run.dialect):
                return None
        elif key not in sound or type(inner) not in sound[key]:
            return None
        elif key not in said:
            if key not in run.quick.lost:
                return None
            lost = [key] if lost is None else [*lost, key]
    word = run.dialect.types[kind]
    if lost is None:
        return value if word == kind else {**value, "type": word}
    return finished(run, value, {**value, "type": word}, lost, place, out)


def _is_strings(enum: Any, dialect: Dialect) -> bool:
    if type(enum) is not list or not enum:
        return False
    for it in enum:  # pyright: ignore[reportUnknownVariableType] - of whatever type, which is what is asked
        if type(it) is not str or not (it or dialect.empty):  # pyright: ignore[reportUnknownArgumentType]
            return False
    return len(set(enum)) == len(enum)  # pyright: ignore[reportUnknownArgumentType]


def finished(
    run: Rewriting, value: dict[str, Any], schema: dict[str, Any], lost: list[str], place: str, out: str
) -> dict[str, Any]:
    """The schema without some keywords, which are noted and told."""
    for key in lost:
        del schema[key]
    return run.finish({key: f"{place}/{key}" for key in lost}, value, schema, lost, out)


def node(
    run: Rewriting, value: dict[str, Any], place: str, opened: tuple[str, ...], out: str, level: int
) -> Written | None:
    """A scalar, a list, or an object with properties."""
    kind = value.get("type")
    if kind == "object":
        return objects(run, value, place, opened, out, level)
    if kind == "array":
        return lists(run, value, place, opened, out, level)
    schema = scalar(run, value, place, out)
    return None if schema is None else (schema, None)


def lists(
    run: Rewriting, value: dict[str, Any], place: str, opened: tuple[str, ...], out: str, level: int
) -> Written | None:
    """An array of one kind of items."""
    items: Any = value.get("items")
    if type(items) is not dict or not items:
        return None
    said = run.quick.said
    lost: list[str] | None = None
    for key, inner in value.items():
        if key in ("type", "items"):
            continue
        if key not in _LIST or type(inner) not in _LIST[key]:
            return None
        if key not in said:
            if key not in run.quick.lost:
                return None
            lost = [key] if lost is None else [*lost, key]
    inner, way = run.sub(((items, f"{place}/items", opened),), f"{out}/items", level + 1)
    schema = {**value, "type": run.dialect.types["array"], "items": inner}
    if lost is not None:
        schema = finished(run, value, schema, lost, place, out)
    return schema, None if way is None else {"items": way}


def objects(
    run: Rewriting, value: dict[str, Any], place: str, opened: tuple[str, ...], out: str, level: int
) -> Written | None:
    """An object that lists its properties, and says nothing of others but that there are none."""
    d = run.dialect
    properties: Any = value.get("properties")
    more = value.get("additionalProperties")
    required: Any = value.get("required", ())
    if type(properties) is not dict or not properties or (more is not None and more is not False):
        return None
    if not value.keys() <= _OBJECT or (not required and "required" in value):
        return None
    for key in ("description", "title"):
        if key in value and (type(value[key]) is not str or key not in run.quick.said):
            return None
    if required and not _is_listed(required, properties):
        return None
    ways: dict[str, Way] = {}
    omit: list[str] = []
    written: dict[str, Any] = {}
    for name, inner in properties.items():  # pyright: ignore[reportUnknownVariableType]
        if inner is False:
            return None
        token: str = escape(name)  # pyright: ignore[reportUnknownArgumentType]
        there = f"{out}/properties/{token}"
        sub = ((inner, f"{place}/properties/{token}", opened),)
        schema, way = run.sub(sub, there, level + 1)
        if d.complete and name not in required:
            schema, null = optional(run, sub, schema, there)
            if null:
                omit.append(name)  # pyright: ignore[reportUnknownArgumentType]
        written[name] = schema
        if way is not None:
            ways[name] = way
    said = {**value, "type": d.types["object"], "properties": written}
    if d.complete:
        said["required"] = [*written]
    if d.closed:
        if more is None:
            run.note("TB302", place, f"{out}/additionalProperties")
        said["additionalProperties"] = False
    elif more is False and not d.says("additionalProperties"):
        del said["additionalProperties"]
        run.note("TB204", f"{place}/additionalProperties", out)
    elif more is None and "additionalProperties" in value:
        return None
    way: Way = {}
    if ways:
        way["properties"] = ways
    if omit:
        way["omit"] = omit
    return said, way or None


def _is_listed(required: Any, properties: dict[str, Any]) -> bool:
    if type(required) is not list:
        return False
    for name in required:  # pyright: ignore[reportUnknownVariableType]
        if type(name) is not str or name not in properties:  # pyright: ignore[reportUnknownArgumentType]
            return False
    return len(set(required)) == len(required)  # pyright: ignore[reportUnknownArgumentType]
