"""The vocabulary of JSON Schema: keywords, where subschemas stand, drafts, and the size of a schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, TypeAlias, cast

from msgspec import MsgspecError, Struct, to_builtins
from msgspec.json import encode

from ..data.pointer import escape
from ..limits import LIMITS
from .dialect import Dialect, compiles

Value: TypeAlias = dict[str, Any] | list[Any] | str | float | bool | None
"""A JSON value of which only the outermost kind is known."""

Draft: TypeAlias = Literal["draft3", "draft4", "draft6", "draft7", "2019-09", "2020-12", "openapi-3.0"]

SUBSCHEMAS: Final[dict[str, Literal["one", "list", "map", "one or list"]]] = {
    "additionalItems": "one",
    "additionalProperties": "one",
    "contains": "one",
    "contentSchema": "one",
    "else": "one",
    "if": "one",
    "not": "one",
    "propertyNames": "one",
    "then": "one",
    "unevaluatedItems": "one",
    "unevaluatedProperties": "one",
    "allOf": "list",
    "anyOf": "list",
    "oneOf": "list",
    "prefixItems": "list",
    "$defs": "map",
    "definitions": "map",
    "dependencies": "map",  # its values may be lists of names as well
    "dependentSchemas": "map",
    "patternProperties": "map",
    "properties": "map",
    "items": "one or list",  # a list up to 2019-09
}
"""Every keyword that holds subschemas, and how it holds them."""

DEFINITIONS: Final = frozenset({"$defs", "definitions"})

REFERENCES: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})

IDENTIFIERS: Final = frozenset({"$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"})

CONSTRAINTS: Final = frozenset({
    "type",
    "enum",
    "const",
    "nullable",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "required",
    "dependentRequired",
})
"""Keywords that accept or refuse by themselves."""

APPLICATORS: Final = frozenset(SUBSCHEMAS) - DEFINITIONS - {"contentSchema"}
"""Keywords that accept or refuse by their subschemas."""

# In-place applicators: what they evaluate counts for an `unevaluatedProperties` above (2020-12 core, 10.2 and 11;
# checked 2026-11-21).
IN_PLACE: Final = frozenset({
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
})

LISTING_ELSEWHERE: Final = IN_PLACE | {"$ref"}
"""Keywords that may list properties of their own, beside those of the subschema in which they stand."""

_SAYS_SOMETHING: Final = CONSTRAINTS | APPLICATORS | DEFINITIONS | REFERENCES | IDENTIFIERS


def is_annotation(keyword: str) -> bool:
    """Whether nothing is accepted or refused because of this keyword, and nothing refers to it."""
    return keyword not in _SAYS_SOMETHING


def children(schema: Any) -> Iterator[tuple[str, dict[str, Any] | bool]]:
    """The subschemas that stand directly in a schema, each with its pointer from there: `("/properties/q", {...})`.

    Other values (a number, null) in the place of a subschema are left out.
    """
    if not isinstance(schema, dict):
        return
    for key, value in cast("dict[str, Value]", schema).items():
        kind = SUBSCHEMAS.get(key)
        if kind is None:
            continue
        if kind == "map":
            if isinstance(value, dict):
                for name, sub in value.items():
                    if isinstance(sub, (dict, bool)):
                        yield f"/{key}/{escape(name)}", cast("dict[str, Any] | bool", sub)
        elif isinstance(value, list):
            if kind != "one":
                for index, sub in enumerate(value):
                    if isinstance(sub, (dict, bool)):
                        yield f"/{key}/{index}", cast("dict[str, Any] | bool", sub)
        elif kind != "list" and isinstance(value, (dict, bool)):
            yield f"/{key}", value


def walk(schema: Any) -> Iterator[tuple[str, dict[str, Any] | bool]]:
    """A schema and all its subschemas in the order of the document, each with its pointer from the root."""
    if not isinstance(schema, (dict, bool)):
        return
    todo: list[tuple[str, str, dict[str, Any] | bool]] = [("", "", cast("dict[str, Any] | bool", schema))]
    while todo:
        around, way, sub = todo.pop()
        place = around + way
        yield place, sub
        todo.extend([(place, below, child) for below, child in children(sub)][::-1])


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and all its subschemas that are objects, without their places and in no particular order."""
    todo: list[Any] = [schema]
    while todo:
        sub = todo.pop()
        if sub.__class__ is dict:
            yield sub
            for key, value in sub.items():
                kind = SUBSCHEMAS.get(key)
                if kind is None:
                    continue
                if value.__class__ is list:
                    if kind in ("list", "one or list"):
                        todo += value
                elif value.__class__ is dict:
                    if kind == "map":
                        todo += value.values()
                    elif kind != "list":
                        todo.append(value)


def separate(schema: dict[str, Any]) -> dict[str, Any]:
    """A copy that shares nothing with the original, nor within itself, however deep it is.

    Not through JSON text: that has no infinity, which is how a parser reads 1e400.
    """
    try:
        return cast("dict[str, Any]", to_builtins(schema))
    except RecursionError:
        pass
    whole = schema.copy()
    todo: list[Any] = [whole]
    while todo:
        place = todo.pop()
        for key, inner in place.items() if place.__class__ is dict else enumerate(place):
            if inner.__class__ is dict or inner.__class__ is list:
                own = place[key] = inner.copy()
                todo.append(own)
    return whole


def text(schema: Any, order: Literal["sorted"] | None = None) -> bytes | None:
    """A schema as JSON without white space, for a first look at what can be in it; None where that cannot be had.

    Too deep for the encoder, or not quite JSON: then only a walk can tell.
    """
    try:
        return encode(schema, order=order)
    except (MsgspecError, RecursionError, TypeError, ValueError):
        return None


def length(schema: Any) -> int:
    """How many characters the JSON of a schema has without white space; none if it cannot be had."""
    data = text(schema)
    return 0 if data is None else len(data.decode())


def _may_be_old(data: bytes | None) -> bool:
    """Whether the JSON text of a schema may hold a form that is older than 2020-12."""
    return (
        data is None
        or b'"items":[' in data
        or b'"additionalItems":' in data
        or b'"dependencies":' in data
        or b'"exclusiveMinimum":' in data
        or b'"exclusiveMaximum":' in data
        or b'"$recursiveRef":' in data
        or b'"$id":"#' in data
    )


def _is_half_open(schema: dict[str, Any]) -> bool:
    return isinstance(schema.get("exclusiveMinimum"), bool) or isinstance(schema.get("exclusiveMaximum"), bool)


def _names_place(schema: dict[str, Any]) -> bool:
    """Whether an `$id` is the name of a place, as in drafts 6 and 7; that is `$anchor` since 2019-09."""
    identity = schema.get("$id")
    return isinstance(identity, str) and identity.startswith("#") and identity != "#"


def _is_old(schema: dict[str, Any]) -> bool:
    return (
        isinstance(schema.get("items"), list)
        or "additionalItems" in schema
        or "dependencies" in schema
        or "$recursiveRef" in schema
        or _is_half_open(schema)
        or _names_place(schema)
    )


def older_spellings(schema: Any, data: bytes | None = None) -> bool:
    """Whether a schema uses, anywhere, a form that means something else in 2020-12, or nothing.

    Lists of `items`, `additionalItems`, `dependencies`, `$recursiveRef`, an `exclusiveMinimum` or `exclusiveMaximum`
    that is true or false, and an `$id` that names a place. `data` is the JSON text of the schema, where that is known.
    """
    return _may_be_old(text(schema) if data is None else data) and any(map(_is_old, subschemas(schema)))


# json-schema.org/draft/2020-12/release-notes and its predecessors, checked 2026-11-21
ONLY_2019: Final = frozenset({"$recursiveRef", "$recursiveAnchor"})

SINCE_2019: Final = frozenset({
    "$defs",
    "$anchor",
    "$vocabulary",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
    "minContains",
    "maxContains",
    "contentSchema",
})

SINCE_2020: Final = frozenset({"prefixItems", "$dynamicRef", "$dynamicAnchor"})

# The address that each draft's own document names.
_BY_ADDRESS: Final[dict[str, Draft]] = {
    "json-schema.org/draft-03/schema": "draft3",
    "json-schema.org/draft-04/schema": "draft4",
    "json-schema.org/draft-06/schema": "draft6",
    "json-schema.org/draft-07/schema": "draft7",
    "json-schema.org/draft/2019-09/schema": "2019-09",
    "json-schema.org/draft/2020-12/schema": "2020-12",
    "json-schema.org/schema": "2020-12",
    "spec.openapis.org/oas/3.1/dialect/base": "2020-12",
}


def address_drafts() -> Iterable[tuple[str, Draft]]:
    """The addresses of the drafts, without their scheme, and the drafts."""
    return _BY_ADDRESS.items()


def stated_draft(schema: Any) -> Draft | None:
    """The draft that a schema's `$schema` names; None where it names none, or one that is not known here."""
    if not isinstance(schema, dict):
        return None
    address = cast("dict[str, Value]", schema).get("$schema")
    if not isinstance(address, str):
        return None
    return _BY_ADDRESS.get(address.removeprefix("https://").removeprefix("http://").rstrip("#").rstrip("/"))


OLD_DRAFTS: Final[frozenset[Draft | None]] = frozenset({"draft3", "draft4", "draft6"})
"""Drafts that do not know all keywords of a plain schema, or know them by other names."""

LONE_REF: Final[frozenset[Draft | None]] = frozenset({*OLD_DRAFTS, "draft7"})
"""Drafts in which nothing beside a `$ref` has a meaning."""

ID_AS_ID: Final[frozenset[Draft | None]] = frozenset({"draft3", "draft4"})
"""Drafts that spell `$id` as `id`."""


def is_constrained_reference(schema: dict[str, Any]) -> bool:
    """Whether a reference and constraints stand side by side, which has a meaning since 2019-09."""
    return "$ref" in schema and not _CONSTRAINING.isdisjoint(schema)


_CONSTRAINING: Final = CONSTRAINTS | APPLICATORS


def draft(schema: Any) -> Draft:
    """The draft in which a schema is written: the one that `$schema` names, else the one that its keywords imply.

    Where they imply nothing, it is 2020-12, as in MCP (SEP-1613, checked 2026-11-21). `definitions` implies nothing: it
    is only a place that references point to, and they do so in every draft. A list of `items` with constraints beside
    a `$ref` is 2019-09, the only draft that knows both.
    """
    stated = stated_draft(schema)
    if stated is not None:
        return stated
    keywords: set[str] = set()
    nullable = half_open = tuples = named = constrained = False
    for sub in subschemas(schema):
        keywords.update(sub)
        nullable = nullable or isinstance(sub.get("nullable"), bool)
        half_open = half_open or _is_half_open(sub)
        tuples = tuples or isinstance(sub.get("items"), list)
        named = named or _names_place(sub)
        constrained = constrained or is_constrained_reference(sub)
    if named:  # with what is newer, or older, it is no draft's
        mixed = nullable or half_open or constrained or keywords & (SINCE_2019 | SINCE_2020 | ONLY_2019)
        return "2020-12" if mixed else "draft7"
    if keywords & SINCE_2020:
        return "2020-12"
    if keywords & ONLY_2019:
        return "2019-09"
    old = tuples or "additionalItems" in keywords or "dependencies" in keywords
    if keywords & SINCE_2019:
        return "2019-09" if old else "2020-12"
    if nullable:
        return "openapi-3.0"
    if half_open:
        return "draft4"
    if not old:
        return "2020-12"
    return "2019-09" if constrained else "draft7"


class Size(Struct, frozen=True):
    """How large a schema is: levels of objects and arrays, properties, enumerated values, characters of names and
    values.
    """

    levels: int
    properties: int
    choices: int
    text: int


_DEEPER: Final = frozenset({"properties", "items"})


def measure(schema: Any) -> Size:
    """The size of a schema."""
    level = deepest = properties = choices = text = 0
    todo: list[Any] = [schema]
    while todo:
        below: list[Any] = []  # on the next level
        for value in todo:
            if value.__class__ is not dict:
                continue
            deepest = level
            for key, inner in value.items():
                kind = SUBSCHEMAS.get(key)
                if kind is None:
                    if key == "enum" and inner.__class__ is list:
                        choices += len(inner)
                        text += sum(len(it) if it.__class__ is str else 8 for it in inner)
                    elif key == "const" and inner.__class__ is str:
                        text += len(inner)
                    continue
                further = below if key in _DEEPER else todo
                if inner.__class__ is list:
                    if kind in ("list", "one or list"):
                        further += inner
                elif kind != "map":
                    if kind != "list":
                        further.append(inner)
                elif inner.__class__ is dict:
                    further += inner.values()
                    if key == "properties":
                        properties += len(inner)
                    if key in ("properties", "$defs"):
                        text += sum(map(len, inner))
        todo = below
        level += 1
    return Size(deepest, properties, choices, text)


def required_names(schema: dict[str, Any]) -> list[str]:
    """The names in the `required` of a schema."""
    names: Any = schema.get("required")
    return [name for name in names if name.__class__ is str] if names.__class__ is list else []


def count_parameters(schema: Any) -> tuple[int, int]:
    """How many properties of a schema are not required, and how many of its subschemas have several types."""
    optional = unions = 0
    todo: list[Any] = [schema]
    for node in todo:
        if node.__class__ is not dict:
            continue
        for key, value in cast("dict[str, Any]", node).items():
            if key == "type":
                unions += value.__class__ is list
            elif value.__class__ is dict:
                if key in _NAMED:
                    todo += value.values()
                    if key == "properties":
                        required = {*required_names(node)}
                        optional += sum(name not in required for name in value)
                elif key in ("items", "additionalProperties"):
                    todo.append(value)
            elif value.__class__ is list and key in _ALTERNATIVES:
                todo += value
                unions += key == "anyOf"
    return optional, unions


_NAMED: Final = frozenset({"properties", "$defs", "definitions"})

_ALTERNATIVES: Final = frozenset({"anyOf", "oneOf", "allOf"})

BOUNDS: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
"""Keywords with a number that a number is held to."""

COUNTS: Final = frozenset({
    *("minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties")
})
"""Keywords with a number of characters, items or properties."""

_NUMBER: Final = (int, float)

_MUST_BE: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(BOUNDS | COUNTS, _NUMBER),
    **dict.fromkeys(("pattern", "format", "title", "description", "$comment", "$ref", "$anchor", "$id"), (str,)),
    **dict.fromkeys(("enum", "required", "examples"), (list,)),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), (bool,)),
    "type": (str, list),
    "dependentRequired": (dict,),
}


CONSTRAINED: Final = frozenset({*_SAYS_SOMETHING, *SUBSCHEMAS, *_MUST_BE, "id"})
"""Keywords to which a draft gives a meaning, or which do not take every value. All others are comments."""


def sound_types() -> dict[str, frozenset[type]]:
    """The types of values that are plainly of a kind that the drafts allow, for keywords that do not take all."""
    closer = COUNTS | {"multipleOf", "required", "dependentRequired"}
    of = {**_MUST_BE, "type": (str,)}
    return {key: frozenset(() if key in closer else kinds) for key, kinds in of.items()}


def is_sound(keyword: str, value: Any) -> bool:
    """Whether a keyword has a value of a kind that the drafts allow."""
    kinds = _MUST_BE.get(keyword)
    if kinds is None:
        return True
    if kinds is _NUMBER:
        return type(value) in _NUMBER and is_number(keyword, value)
    if keyword == "required":
        return are_texts(value)
    if keyword == "type":
        return isinstance(value, str) or (isinstance(value, list) and None not in value)
    if keyword == "dependentRequired":
        return isinstance(value, dict) and all(map(are_texts, cast("dict[str, Any]", value).values()))
    return isinstance(value, kinds)


def sound_value(keyword: str) -> str:
    """What the drafts allow as the value of a keyword, in words."""
    if keyword in COUNTS:
        return "a whole number from 0"
    return {
        "required": "a list of strings",
        "type": "a string or a list of strings",
        "dependentRequired": "an object with lists of strings",
    }.get(keyword, " or ".join(_KIND_WORDS[kind] for kind in _MUST_BE[keyword] if kind is not int))


_KIND_WORDS: Final[dict[type, str]] = {
    str: "a string",
    list: "a list",
    dict: "an object",
    bool: "true or false",
    float: "a number",
}


def are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(it, str) for it in cast("list[Any]", value))


def is_number(keyword: str, value: float) -> bool:
    """Whether a number is one that the drafts allow for a bound or a count."""
    if keyword in COUNTS:
        return value >= 0 and value == value // 1
    return keyword != "multipleOf" or value > 0


def broken_rule(dialect: Dialect, key: str, value: Any, longest: int = LIMITS.pattern) -> str | None:
    """The rule of the dialect for which it refuses the value of a keyword without subschemas; None if it accepts it.

    The value is of the type that the keyword has. A pattern has at most `longest` characters. Values of `enum` and
    `const` are not looked at.
    """
    if key == "pattern":
        return None if compiles(value, dialect.pattern_syntax, longest) else "pattern_syntax"
    if key == "format":
        return None if dialect.formats is None or value in dialect.formats else "formats"
    if key in dialect.keyword_maxima and value > dialect.keyword_maxima[key]:
        return "keyword_maxima"
    most = dialect.max_number
    if most is not None and (key in BOUNDS or key in COUNTS) and isinstance(value, int) and abs(value) > most:
        return "max_number"  # numbers with a fraction are read as what they are
    return None
