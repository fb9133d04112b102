"""A schema in the words of a dialect: what it cannot say is widened, told in prose, and noted.

Nothing is narrowed unless it is noted as that, and a dialect that would have to refuse more than the schema did gives
way to its fallback.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias, cast

from msgspec import UNSET, UnsetType

from .. import pointer
from .dialect import Dialect
from .patterns import compiles
from .references import LIMITS, Limits

Note: TypeAlias = Callable[[str, str, "str | None"], None]
"""Called with a code, the place in the schema as given, and the place in the one that is written (None: nowhere)."""


class Options(NamedTuple):
    """How a schema is written: `prose` puts into descriptions what a dialect cannot say, `unroll` is how often a
    definition is written out inside itself, `limits` are the bounds of that, `description` is how long descriptions may
    be where the dialect's own answer is not wanted (None: as long as they are).
    """

    prose: bool = True
    unroll: int = 1
    limits: Limits = LIMITS
    description: int | UnsetType | None = UNSET


OPTIONS: Final = Options()


class Fitted(NamedTuple):
    """A schema as a dialect says it; how arguments get from there to the schema as it was given (None: as they are);
    and the dialect in which it is written, which is the fallback where the one asked for would refuse more.
    """

    schema: dict[str, Any]
    way: dict[str, Any] | None
    dialect: Dialect


def fit(schema: dict[str, Any], dialect: Dialect, note: Note, options: Options = OPTIONS) -> Fitted:
    """The schema as the dialect says it; the very same object where nothing has to change.

    The root is the schema of arguments: an object. Raises BudgetExceeded past the limits.
    """
    if fits(schema, dialect):
        return Fitted(schema, None, dialect)
    return _fitted(schema, dialect, note, options, arguments=True)


def fit_output(schema: dict[str, Any], dialect: Dialect, note: Note, options: Options = OPTIONS) -> dict[str, Any]:
    """The schema of a result as the dialect says it: its root may be of any type."""
    if dialect.keywords is None and fits(schema, dialect):
        return schema
    return _fitted(schema, dialect, note, options, arguments=False).schema


def _fitted(schema: dict[str, Any], dialect: Dialect, note: Note, options: Options, *, arguments: bool) -> Fitted:
    from .rewrite import Rewriting

    run = Rewriting(schema, dialect, options, arguments=arguments)
    out = run.write()
    if run.reasons and dialect.fallback is not None:
        fitted = fit(schema, dialect.fallback, note, options)
        for place in dict.fromkeys(run.reasons):
            note("TB603", place, "")
        return fitted
    told = [(code, at, None if target is None else _existing(out, target)) for code, at, target in run.notes]
    for code, source, target in dict.fromkeys(told) if len(told) > 1 else told:
        note(code, source, target)
    if not run.notes and out == schema:
        return Fitted(schema, run.way, dialect)
    return Fitted(out, run.way, dialect)


def _existing(schema: Any, place: str) -> str:
    """The place, or the nearest above it that the schema has."""
    node: Any = schema
    for token in place.split("/")[1:]:
        if node.__class__ is not dict or token not in node:
            break
        node = node[token]
    else:
        return place
    while place and pointer.get(schema, place) is pointer.MISSING:
        place = place[: place.rindex("/")]
    return place


_TEXT: Final = frozenset({str})
_NUMBER: Final = frozenset({int, float})
_COUNT: Final = frozenset({int})
_FLAG: Final = frozenset({bool})

# Keywords that every dialect without an allow-list takes as they stand, and the Python types of a sound value.
_EASY: Final[dict[str, frozenset[type]]] = {
    **dict.fromkeys(("description", "title", "format", "$comment"), _TEXT),
    **dict.fromkeys(("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"), _NUMBER),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _COUNT),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly", "additionalProperties"), _FLAG),
    **dict.fromkeys(("enum", "examples"), frozenset({list})),
    **dict.fromkeys(("default", "const"), frozenset({str, int, float, bool, list, dict, type(None)})),
}
_LISTS: Final = frozenset({"anyOf", "oneOf", "allOf"})
_SCALARS: Final = frozenset({"string", "integer", "number", "boolean", "null"})


def fits(schema: dict[str, Any], dialect: Dialect) -> bool:
    """Whether a schema is plainly in an open dialect as it stands; False may only mean that a closer look is needed."""
    if dialect.keywords is not None:
        return False
    kind = schema.get("type")
    if kind != "object" or not dialect.root_with <= schema.keys() or not dialect.root_without.isdisjoint(schema):
        return False
    if dialect.keys is not None:
        names: Any = schema.get("properties", {})
        if type(names) is not dict:
            return False
        matches = dialect.keys.matches
        for name in cast("dict[str, Any]", names):
            if matches(name) is None:
                return False
    if dialect.listed and "required" in schema:
        required, properties = schema["required"], schema.get("properties", {})
        if type(required) is not list or type(properties) is not dict:
            return False
        for name in cast("list[Any]", required):
            if type(name) is not str or name not in properties:
                return False
    return _is_plain(schema, dialect)


_WORDS: Final = frozenset({"array", "object"}) | _SCALARS


def _is_plain(schema: dict[str, Any], dialect: Dialect) -> bool:
    """Whether every node says only what every open dialect takes as it stands."""
    todo: list[Any] = [schema]
    for node in todo:
        if type(node) is not dict:
            return False
        for key, value in cast("dict[str, Any]", node).items():
            if key == "type":
                if type(value) is str:
                    if value not in _SCALARS and value not in _WORDS:
                        return False
                elif dialect.unions != "list" or type(value) is not list or not _WORDS.issuperset(_texts(value)):
                    return False
                if "array" in value and dialect.arrays and "items" not in node:
                    return False
            elif key == "properties":
                if type(value) is not dict:
                    return False
                todo += cast("dict[str, Any]", value).values()
            elif key == "items":
                todo.append(value)
            elif key in _LISTS:
                if type(value) is not list:
                    return False
                todo += cast("list[Any]", value)
            elif key == "required":
                if type(value) is not list or len(_texts(value)) != len(cast("list[Any]", value)):
                    return False
            elif key == "pattern":
                if type(value) is not str or not compiles(value, dialect.pattern):
                    return False
            elif key not in _EASY or type(value) not in _EASY[key]:
                return False
    return True


def _texts(values: Any) -> list[str]:
    return [value for value in values if type(value) is str]
