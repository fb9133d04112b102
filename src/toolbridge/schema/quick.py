"""What most schemas are made of, scalars, lists, objects that list their properties: written without being taken apart.

Nothing is decided here: each function gives the same as the long way round, or None where it would have to decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..pointer import escape
from .dialect import Dialect
from .objects import optional, or_null
from .sheet import Written
from .view import Part
from .way import Way

if TYPE_CHECKING:
    from .rewrite import Rewriting

_Types: TypeAlias = frozenset[type]

_TEXT: Final[_Types] = frozenset({str})
_NUMBER: Final[_Types] = frozenset({int, float})
_COUNT: Final[_Types] = frozenset({int})
_ANY: Final[_Types] = frozenset({str, int, float, bool, type(None)})
_OF_NUMBERS: Final = ("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")
_OF_TEXT: Final = ("minLength", "maxLength")
_KINDS: Final[dict[str, dict[str, _Types]]] = {
    "string": dict.fromkeys(_OF_TEXT, _COUNT),
    "integer": dict.fromkeys(_OF_NUMBERS, _NUMBER),
    "number": dict.fromkeys(_OF_NUMBERS, _NUMBER),
    "boolean": {},
}
_COMMENTS: Final[dict[str, _Types]] = {"description": _TEXT, "title": _TEXT, "default": _ANY}
_LIST: Final[dict[str, _Types]] = {
    "description": _TEXT,
    "title": _TEXT,
    "minItems": _COUNT,
    "maxItems": _COUNT,
    "uniqueItems": frozenset({bool}),
}
_OBJECT: Final = frozenset({"type", "properties", "required", "additionalProperties", "description", "title"})


class Words(NamedTuple):
    """Of the keywords above, those of which it is plain what a dialect does with them, and the types of their values.

    `lost` are those that it does not know.
    """

    scalars: dict[str, dict[str, _Types]]
    lists: dict[str, _Types]
    comments: frozenset[str]
    lost: frozenset[str]


@lru_cache(maxsize=64)
def words(dialect: Dialect) -> Words:
    def known(sound: dict[str, _Types]) -> dict[str, _Types]:
        doubtful = {key for key in sound if dialect.says(key) and (key in dialect.spelled or key in dialect.most)}
        return {"type": _TEXT} | {key: types for key, types in sound.items() if key not in doubtful}

    every = {*_COMMENTS, *_LIST, *_OF_NUMBERS, *_OF_TEXT}
    return Words(
        {kind: known(_COMMENTS | of) for kind, of in _KINDS.items()},
        known(_LIST),
        frozenset(key for key in ("description", "title") if dialect.says(key)),
        frozenset(key for key in every if not dialect.says(key)),
    )


def node(run: Rewriting, part: Part, out: str, level: int) -> Written | None:
    """A scalar, a list, or an object with properties."""
    value, place, _ = part
    kind: Any = value.get("type")
    if kind == "object":
        return objects(run, part, out, level)
    if kind == "array":
        return lists(run, part, out, level)
    lost = _lost(run, value)
    return None if lost is None else (_scalar(run, value, lost, place, out), None)


def _lost(run: Rewriting, value: dict[str, Any]) -> Iterable[str] | None:
    """The keywords that are lost of a scalar, perhaps with an enumeration of strings; None where it is no plain one."""
    kind: Any = value.get("type")
    known = run.words.scalars.get(kind) if type(kind) is str else None
    if known is None:
        return None
    unknown = run.words.lost
    lost: Iterable[str] = ()
    for key, inner in value.items():
        if key in known:
            if type(inner) not in known[key]:
                return None
            if key in unknown:
                lost = (*lost, key)
        elif key != "enum" or kind != "string" or not _is_strings(inner, run.dialect):
            return None
    return lost


def _is_strings(enum: Any, dialect: Dialect) -> bool:
    if enum.__class__ is not list or not enum:
        return False
    for it in enum:
        if type(it) is not str or not (it or dialect.empty):
            return False
    return len(set(enum)) == len(enum)


def _scalar(run: Rewriting, value: dict[str, Any], lost: Iterable[str], place: str, out: str) -> dict[str, Any]:
    kind = value["type"]
    word = run.dialect.types[kind]
    if lost:
        return _finished(run, (value, place, ()), {**value, "type": word}, lost, out)
    return value if word == kind else {**value, "type": word}


def _finished(run: Rewriting, part: Part, schema: dict[str, Any], lost: Iterable[str], out: str) -> dict[str, Any]:
    """The schema without some keywords, which are noted and told."""
    value, place, _ = part
    for key in lost:
        del schema[key]
    return run.finish({key: f"{place}/{key}" for key in lost}, value, schema, dict.fromkeys(lost, False), out)


def lists(run: Rewriting, part: Part, out: str, level: int) -> Written | None:
    """An array of one kind of items."""
    value, place, opened = part
    items: Any = value.get("items")
    if items.__class__ is not dict or not items:
        return None
    known, unknown = run.words.lists, run.words.lost
    lost: Iterable[str] = ()
    for key, inner in value.items():
        if key == "items":
            continue
        if key not in known or type(inner) not in known[key]:
            return None
        if key in unknown:
            lost = (*lost, key)
    inner, way = run.sub(((items, f"{place}/items", opened),), f"{out}/items", level + 1)
    schema = {**value, "type": run.dialect.types["array"], "items": inner}
    if lost:
        schema = _finished(run, part, schema, lost, out)
    return schema, None if way is None else {"items": way}


def objects(run: Rewriting, part: Part, out: str, level: int) -> Written | None:
    """An object that lists its properties, and says nothing of others but that there are none."""
    d = run.dialect
    value, place, _ = part
    properties: Any = value.get("properties")
    if properties.__class__ is not dict or not properties or not _is_plain(run, value):
        return None
    way: Way = {}
    written = _properties(run, part, out, level, way)
    if written is None:
        return None
    said = {**value, "type": d.types["object"], "properties": written}
    if d.complete:
        said["required"] = [*written]
    more = value.get("additionalProperties")
    if d.closed:
        if more is None:
            run.note("TB302", place, f"{out}/additionalProperties")
        said["additionalProperties"] = False
    elif more is False and not d.says("additionalProperties"):
        del said["additionalProperties"]
        run.note("TB204", f"{place}/additionalProperties", out)
    elif more is None and "additionalProperties" in value:
        return None
    return said, way or None


def _is_plain(run: Rewriting, value: dict[str, Any]) -> bool:
    """Whether an object says nothing but the plainest beside its properties."""
    for key, inner in value.items():
        if key in ("description", "title"):
            if type(inner) is not str or key not in run.words.comments:
                return False
        elif key == "additionalProperties":
            if inner is not False:
                return False
        elif key == "properties":
            if False in inner.values():
                return False
        elif key == "required":
            if not inner or not _is_listed(inner, value["properties"]):
                return False
        elif key not in _OBJECT:
            return False
    return True


def _is_listed(required: Any, properties: dict[str, Any]) -> bool:
    if required.__class__ is not list:
        return False
    for name in required:
        if type(name) is not str or name not in properties:
            return False
    return len(set(required)) == len(required)


def _properties(run: Rewriting, part: Part, out: str, level: int, way: Way) -> dict[str, Any] | None:
    value, place, opened = part
    complete = run.dialect.complete
    is_plain = not opened and run.reaches(level + 1)
    required: Sequence[str] = value.get("required", ())
    properties: dict[str, Any] = value["properties"]
    ways: dict[str, Way] = {}
    omit: list[str] = []
    written: dict[str, Any] = {}
    for name, inner in properties.items():
        lost = _lost(run, inner) if is_plain and inner.__class__ is dict and run.nodes < run.most else None
        if lost is not None:
            run.nodes += 1
            if lost:
                token = escape(name)
                schema = _scalar(run, inner, lost, f"{place}/properties/{token}", f"{out}/properties/{token}")
            else:
                schema = _scalar(run, inner, (), "", "")
            if complete and name not in required:
                schema = or_null(schema)
                omit.append(name)
        else:
            token = escape(name)
            there = f"{out}/properties/{token}"
            sub = ((inner, f"{place}/properties/{token}", opened),)
            schema, it = run.sub(sub, there, level + 1)
            if complete and name not in required:
                schema, null = optional(run, sub, schema, there)
                if null:
                    omit.append(name)
            if it is not None:
                ways[name] = it
        written[name] = schema
    if ways:
        way["properties"] = ways
    if omit:
        way["omit"] = omit
    return written
