"""Plain nodes, which say only what every draft means by it: which of their keywords a dialect keeps as they stand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

from msgspec import Struct

from ..limits import LIMITS
from .dialect import Dialect
from .patterns import compiles
from .view import COUNTS, is_number

_Types: TypeAlias = tuple[type, ...]
_Sorted: TypeAlias = Mapping[type, Collection[str]]

_JSON: Final[_Types] = (str, int, float, bool, type(None), list, dict)

# The keywords that are looked at here, and the Python types of their values.
_COMMENTS: Final[dict[str, _Types]] = {
    **dict.fromkeys(("type", "title", "description"), (str,)),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly"), (bool,)),
    "default": _JSON,
    "examples": (list,),
}
_NUMBER: Final[dict[str, _Types]] = {
    **_COMMENTS,
    **dict.fromkeys(("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"), (int, float)),
    "format": (str,),
}
_STRING: Final[dict[str, _Types]] = {
    **_COMMENTS,
    **dict.fromkeys(("minLength", "maxLength"), (int,)),
    **dict.fromkeys(("format", "pattern"), (str,)),
    "enum": (list,),
}
_SCALARS: Final = {
    "string": _STRING,
    "integer": _NUMBER,
    "number": _NUMBER,
    "boolean": {**_COMMENTS, "format": (str,)},
}
_ARRAY: Final[dict[str, _Types]] = {
    **_COMMENTS,
    **dict.fromkeys(("minItems", "maxItems"), (int,)),
    "uniqueItems": (bool,),
    "items": (dict,),
}
_OBJECT: Final[dict[str, _Types]] = {
    **_COMMENTS,
    "properties": (dict,),
    "required": (list,),
    "additionalProperties": (bool,),
    "$schema": (str,),
}
_UNION: Final[dict[str, _Types]] = {**_COMMENTS, "anyOf": (list,)}
del _UNION["type"]

KEYWORDS: Final = frozenset({*_STRING, *_NUMBER, *_ARRAY, *_OBJECT, *_UNION})
"""All that plain nodes may say."""

_VALUED: Final = frozenset({"enum", "pattern", "format"})
_COUNTED: Final = frozenset({*_STRING, *_NUMBER, *_ARRAY}) & (COUNTS | {"multipleOf"})


class Kind(Struct, frozen=True, eq=False):
    """A type in a dialect: its word, and the keywords beside it by the Python types of their values.

    Some are `kept` as they stand, of some the value decides (`valued`), and some are `odd`: lost, or spelled otherwise.
    """

    word: str
    kept: _Sorted
    valued: _Sorted
    odd: _Sorted
    dialect: Dialect


class Words(Struct, frozen=True, eq=False):
    """The types of a dialect, and alternatives."""

    scalars: Mapping[str, Kind]
    array: Kind
    object: Kind
    union: Kind


@lru_cache(maxsize=64)
def words(dialect: Dialect) -> Words:
    """What a dialect does with the keywords of plain nodes."""
    scalars = {name: _kind(keys, dialect, name) for name, keys in _SCALARS.items()}
    array, object_ = _kind(_ARRAY, dialect, "array"), _kind(_OBJECT, dialect, "object")
    return Words(scalars, array, object_, _kind(_UNION, dialect))


def _kind(keys: Mapping[str, _Types], d: Dialect, name: str = "") -> Kind:
    kept: dict[type, set[str]] = {of: set() for of in _JSON}
    valued: dict[type, set[str]] = {of: set() for of in _JSON}
    odd: dict[type, set[str]] = {of: set() for of in _JSON}
    for key, types in keys.items():
        if key in d.most or key in _VALUED or (key == "additionalProperties" and d.closed):
            side = valued if d.says(key) else odd
        elif not d.says(key) or key in d.spelled:
            side = odd
        else:
            side = valued if key in _COUNTED else kept
        for of in types:
            side[of].add(key)
    return Kind(d.types.get(name, ""), kept, valued, odd, d)


def odd_in(value: dict[str, Any], kind: Kind) -> tuple[str, ...] | None:
    """The keywords of a node that are lost, or spelled otherwise; None where it says more than plain nodes do."""
    kept, valued, odd, dialect = kind.kept, kind.valued, kind.odd, kind.dialect
    found: tuple[str, ...] = ()
    try:
        for key, inner in value.items():
            of = inner.__class__
            if key in kept[of]:
                continue
            if key in valued[of]:
                stays = _stays(key, inner, dialect)
                if stays is None:
                    return None
                if stays:
                    continue
            elif key not in odd[of] or (key in _COUNTED and not is_number(key, inner)):
                return None
            found = (*found, key)
    except KeyError:  # not a type of JSON
        return None
    return found


def _stays(key: str, value: Any, dialect: Dialect) -> bool | None:
    """Whether a keyword is kept with this value; None where that is not plain."""
    if key == "enum":
        return True if _is_strings(value, dialect) else None
    if key == "format":
        return dialect.formats is None or value in dialect.formats
    if key == "pattern":
        return compiles(value, dialect.pattern) if len(value) <= LIMITS.pattern else None
    if key == "additionalProperties":
        return None if value else True
    if not is_number(key, value):
        return None
    return key not in dialect.most or bool(value <= dialect.most[key])


def _is_strings(enum: list[Any], dialect: Dialect) -> bool:
    for it in enum:
        if type(it) is not str or not (it or dialect.empty):
            return False
    return bool(enum) and len(set(enum)) == len(enum)
