"""The keywords of plain nodes in a dialect: which are kept, which are lost, which are spelled otherwise."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from ...data.pointer import escape
from ...limits import LIMITS
from ...losses.note import Note
from ..dialect import Dialect
from ..prose import NOTABLE
from ..vocabulary import BOUNDS, COUNTS, SUBSCHEMAS, broken_rule, is_annotation, is_number, is_sound
from .values import INCLUSIVE, RELEVANT, inclusive
from .views import Fragment, says_nothing

if TYPE_CHECKING:
    from .rewriter import Rewriter

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
    "const": (int, float),
}

_STRING: Final[dict[str, _Types]] = {
    **_COMMENTS,
    **dict.fromkeys(("minLength", "maxLength"), (int,)),
    **dict.fromkeys(("format", "pattern", "const"), (str,)),
    "enum": (list,),
}

SCALARS: Final = {
    "string": _STRING,
    "integer": _NUMBER,
    "number": _NUMBER,
    "boolean": {**_COMMENTS, "format": (str,), "const": (bool,)},
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
    "additionalProperties": (bool, dict),
    "$schema": (str,),
}

_ONLY_COMMENTS: Final = {key: types for key, types in _COMMENTS.items() if key != "type"}

_UNION: Final[dict[str, _Types]] = {**_ONLY_COMMENTS, **dict.fromkeys(("anyOf", "oneOf"), (list,))}

KEYWORDS: Final = frozenset({*_STRING, *_NUMBER, *_ARRAY, *_OBJECT, *_UNION})
"""All that plain nodes may say, besides comments that no draft knows."""

_NO_COMMENTS: Final = KEYWORDS | SUBSCHEMAS.keys() | RELEVANT.keys() | {"id"}
"""Keywords that are no such comments."""

_VALUED: Final = frozenset({"enum", "pattern", "format", "const"})

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


class PlainKinds(Struct, frozen=True, eq=False):
    """The types of a dialect, alternatives, and nodes that name no type."""

    scalars: Mapping[str, Kind]
    array: Kind
    object: Kind
    union: Kind
    comments: Kind


@lru_cache(maxsize=64)
def plain_kinds(dialect: Dialect) -> PlainKinds:
    """What a dialect does with the keywords of plain nodes."""
    scalars = {name: _kind(keys, dialect, name) for name, keys in SCALARS.items()}
    array, object_ = _kind(_ARRAY, dialect, "array"), _kind(_OBJECT, dialect, "object")
    return PlainKinds(scalars, array, object_, _kind(_UNION, dialect), _kind(_ONLY_COMMENTS, dialect))


def _kind(keys: Mapping[str, _Types], d: Dialect, name: str = "") -> Kind:
    kept: dict[type, set[str]] = {of: set() for of in _JSON}
    valued: dict[type, set[str]] = {of: set() for of in _JSON}
    odd: dict[type, set[str]] = {of: set() for of in _JSON}
    without = d.excluded_siblings.get(name, frozenset())
    for key, types in keys.items():
        if key in without:
            side = odd
        elif key == "const":
            side = valued
        elif not d.allows(key) or key in d.numbers_as_text:
            side = odd
        elif key in d.keyword_maxima or key in _VALUED:
            side = valued
        else:
            side = valued if key in _COUNTED or (d.max_number is not None and key in BOUNDS) else kept
        for of in types:
            side[of].add(key)
    return Kind(d.types.get(name, ""), kept, valued, odd, d)


def odd_in(value: dict[str, Any], kind: Kind) -> tuple[str, ...] | None:
    """The keywords of a node that are lost, or spelled otherwise; None where it says more than plain nodes do."""
    kept = kind.kept
    found: list[str] | None = None  # most nodes have none
    try:
        for key, inner in value.items():
            if key not in kept[inner.__class__]:
                stays = _stays(key, inner, kind, value)
                if stays is None:
                    return None
                if not stays:
                    found = found or []
                    found.append(key)
    except KeyError:  # not a type of JSON
        return None
    return () if found is None else tuple(found)


def _stays(key: str, value: Any, kind: Kind, node: dict[str, Any]) -> bool | None:
    """Whether a keyword of a node is kept with this value; None where that is not plain."""
    of = value.__class__
    dialect = kind.dialect
    if key == "enum" and of is list and not _is_strings(value, dialect):
        return None
    if key not in kind.valued[of]:
        if key in kind.odd[of]:
            if key in INCLUSIVE and INCLUSIVE[key][0] in node:
                return None
            is_plain = key not in _COUNTED or (is_number(key, value) and broken_rule(dialect, key, value) is None)
            return False if is_plain else None
        if key in _NO_COMMENTS or not is_annotation(key) or not is_sound(key, value):
            return None
        return dialect.allows(key)
    if key in dialect.excluded_siblings and not dialect.excluded_siblings[key].isdisjoint(node):
        return None
    if key == "enum":
        return True
    if key == "const":
        if "enum" in node:
            return None
        if dialect.allows("const"):
            return True
        return False if of is str and (value or dialect.empty_enum_values) and dialect.allows("enum") else None
    if key == "pattern":
        if len(value) > LIMITS.pattern:
            return None
    elif key != "format" and not is_number(key, value):
        return None
    return broken_rule(dialect, key, value) is None


def _is_strings(enum: list[Any], dialect: Dialect) -> bool:
    for it in enum:
        if type(it) is not str or not (it or dialect.empty_enum_values):
            return False
    return bool(enum) and len(set(enum)) == len(enum)


def amend(run: Rewriter, part: Fragment, schema: dict[str, Any], odd: tuple[str, ...], out: str) -> None:
    """Remove these keywords from a copy of the node, and note them, or write them in the words of the dialect."""
    value, place, _ = part
    spelled, notes = run.dialect.numbers_as_text, run.notes
    at: dict[str, str] = {}
    constraints: list[tuple[str, Any]] = []
    for key in odd:
        keyword_value = value[key]
        if key in spelled and run.dialect.allows(key):
            schema[key] = str(keyword_value)
            continue
        del schema[key]
        if key == "$schema":
            run.drops_draft = True
            continue
        if key == "const":
            schema["enum"] = [keyword_value]
            continue
        if key in INCLUSIVE:
            whole = schema["type"] == run.dialect.types["integer"]
            bound = inclusive(run.dialect, key, keyword_value, whole=whole)
            if bound is not None:
                schema[INCLUSIVE[key][0]] = bound
                if whole:
                    continue
        code, is_described = _CODES[key] if key in _CODES else _code_of(key, keyword_value)
        at[key] = where = f"{place}/{escape(key)}"
        notes.append(Note(code, where, out))
        if is_described and keyword_value is not None:  # null is not described
            constraints.append((key, keyword_value))
    if constraints:
        if value.get("description") == "":
            at["description"] = f"{place}/description"
        run.describe_constraints(constraints, at, schema, out)


def _code_of(key: str, value: Any = ...) -> tuple[str, bool]:
    """The code for a keyword that is lost, and whether the description says it."""
    if is_annotation(key) or says_nothing(key, value):
        return "TB103", key in NOTABLE
    return ("TB204", False) if value is False else ("TB201", True)  # no description says what nearly every schema does


_DEPENDING: Final = frozenset({"minLength", "minItems", "uniqueItems", "additionalProperties"})
"""Keywords that may say nothing with the value that they have."""

_CODES: Final = {key: _code_of(key) for key in KEYWORDS - _DEPENDING}
