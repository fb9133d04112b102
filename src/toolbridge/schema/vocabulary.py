"""The vocabulary of JSON Schema: keywords, where subschemas stand, drafts, and the size of a schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, TypeAlias, cast

from msgspec import MsgspecError, Struct, to_builtins
from msgspec.json import encode

from ..data.json_decoder import copy_json
from ..data.pointer import escape
from ..limits import LIMITS
from .dialect import SAME, Dialect, compiles

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


def may_be_older_draft(data: bytes | None) -> bool:
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


def older_spellings(schema: Any) -> bool:
    """Whether a schema uses, anywhere, a form that means something else in 2020-12, or nothing.

    Lists of `items`, `additionalItems`, `dependencies`, `$recursiveRef`, an `exclusiveMinimum` or `exclusiveMaximum`
    that is true or false, and an `$id` that names a place.
    """
    return may_be_older_draft(text(schema)) and any(_is_old(sub) for sub in subschemas(schema))


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
                        text += sum(map(len, inner))
                    elif key == "$defs":
                        text += sum(len(escape(name)) for name, sub in inner.items() if isinstance(sub, (dict, bool)))
        todo = below
        level += 1
    return Size(deepest, properties, choices, text)


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
                        required: Any = node.get("required")
                        listed = required.__class__ is list
                        named = {name for name in required if name.__class__ is str} if listed else ()
                        optional += sum(name not in named for name in value)
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
        return _are_texts(value)
    if keyword == "type":
        return isinstance(value, str) or (isinstance(value, list) and None not in value)
    if keyword == "dependentRequired":
        return isinstance(value, dict) and all(map(_are_texts, cast("dict[str, Any]", value).values()))
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


def misplaced_required(schema: dict[str, Any]) -> list[str]:
    """The names in a `required` that stands among the properties instead of beside them; none where it does not.

    Seen in tools of real servers: `{"properties": {"symbol": {...}, "required": ["symbol"]}}`. A list is no schema, so
    it can mean nothing else.
    """
    properties = schema.get("properties")
    names = cast("dict[str, Any]", properties).get("required") if isinstance(properties, dict) else None
    if not isinstance(names, list) or not names or "required" in names or not _are_texts(names):
        return []
    listed = cast("list[str]", names)
    return listed if all(name in cast("dict[str, Any]", properties) for name in listed) else []


def with_type(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with a type `object` that stands among its properties beside them; the same object where none does.

    It can be nothing else if the object has no type, and everything else there is a schema: `{"properties": {"type":
    "object", "symbol": {...}}}`.
    """
    properties: Any = schema.get("properties")
    if "type" in schema or properties.__class__ is not dict or properties.get("type") != "object":
        return schema
    others: dict[str, Any] = {name: inner for name, inner in properties.items() if name != "type"}
    listed: Any = schema.get("required")
    is_parameter = isinstance(listed, list) and "type" in listed
    left = [inner for name, inner in others.items() if name != "required" or not isinstance(inner, list)]
    if is_parameter or not left or not all(isinstance(inner, dict) for inner in left):
        return schema
    return {**schema, "properties": others, "type": "object"}


def with_required(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with a `required` that stands among its properties beside them; the same object where none does."""
    names = misplaced_required(schema)
    if not names:
        return schema
    properties = {name: inner for name, inner in schema["properties"].items() if name != "required"}
    return {**schema, "properties": properties, "required": _own_and(names, schema)}


def _own_and(names: list[str], schema: dict[str, Any]) -> list[str]:
    """The names in the `required` of a schema, as far as it has some, and these."""
    own: Any = schema.get("required") if is_list_of_names(schema) else meant_list("required", schema)
    return [*dict.fromkeys([*(own or ()), *names])]


def is_list_of_names(schema: dict[str, Any]) -> bool:
    """Whether the `required` of a schema is one, or absent; of another one TB001 is noted where it is replaced."""
    return _are_texts(schema.get("required", []))


def flagged_required(properties: Any) -> list[str]:
    """The names of the properties that say themselves that they are required, which only draft 3 knows.

    Seen in tools of real servers (NousResearch/hermes-agent#104897): `{"unit": {"type": "string", "required": true}}`.
    """
    if properties.__class__ is not dict:
        return []
    held: dict[str, Any] = properties
    return [
        name
        for name, inner in held.items()
        if inner.__class__ is dict and "required" in inner and inner["required"] is True
    ]


def require_flagged(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema whose `required` also has the properties that say so themselves; the same object if none does."""
    names = flagged_required(schema.get("properties"))
    return {**schema, "required": _own_and(names, schema)} if names else schema


def meant_list(keyword: str, schema: dict[str, Any]) -> list[Any] | None:
    """The list that is meant by the object of a `required` or an `enum`, as PHP writes a list that lacks some items:
    `{"0": "a", "2": "b"}`, and by a `type` with the null that YAML reads.

    None where it may mean something else, such as labels of the numbers.
    """
    value: Any = schema.get(keyword)
    if keyword == "type" and isinstance(value, list):
        return types_of(value)
    if not isinstance(value, dict) or not value:
        return None
    items = cast("dict[str, Any]", value)
    if not all(map(_is_index, items)):
        return None
    listed = list(items.values())
    if keyword == "required":
        return listed if _are_texts(listed) else None
    numbers = list(map(int, items))
    kind: Any = _SCALARS.get(schema["type"]) if isinstance(schema.get("type"), str) else None
    is_plain = keyword == "enum" and numbers[0] == 0 and numbers == sorted(numbers)
    return listed if is_plain and (kind is None or all(isinstance(each, kind) for each in listed)) else None


def _is_index(key: str) -> bool:
    return key == "0" or (key.isascii() and key.isdecimal() and key[0] != "0" and len(key) < _LONG_INDEX)


_LONG_INDEX: Final = 10
_SCALARS: Final[dict[str, type | tuple[type, ...]]] = {"string": str, "integer": int, "number": (int, float)}

# WooCommerce has them in its tools (woocommerce/woocommerce#62764).
_FORMATS: Final[dict[str, str]] = {
    **{name: name for name in ("date", "date-time", "email", "uri", "uuid")},
    "datetime": "date-time",
    "url": "uri",
}
"""The formats that are meant by these words where a type should be: those of texts."""

# Those of Java and JavaScript are in the tools of the Berkeley Function Calling Leaderboard (ShishirPatil/gorilla at
# c15b2a1, bfcl_eval/constants/type_mappings.py, checked 2026-11-29).
_MEANT: Final[dict[str, str]] = {
    **{name: name for name in SAME},
    **dict.fromkeys(_FORMATS, "string"),
    **dict.fromkeys(("str", "text", "char"), "string"),
    **dict.fromkeys(("int", "long", "byte", "short", "bigint"), "integer"),
    **dict.fromkeys(("float", "double"), "number"),
    **dict.fromkeys(("dict", "map", "hashmap", "hashtable"), "object"),
    **dict.fromkeys(("list", "tuple", "arraylist", "queue", "stack"), "array"),
    "bool": "boolean",
    "none": "null",
}
"""What words of programming languages mean where a type should be, in any case: Gemini writes STRING, others String."""


def types_of(kind: Any) -> list[str]:
    """The types that a `type` names, and null for the null that YAML reads in `type: [string, null]`."""
    if kind.__class__ is str:
        return [kind]
    names: list[Any] = kind if kind.__class__ is list else []
    return ["null" if name is None else name for name in names if name is None or name.__class__ is str]


def meant_types(words: Iterable[str]) -> list[str]:
    """The types that are meant by these words, each once; unknown words are left out. With `any` there are none."""
    lower = [word.lower() for word in words]
    kinds = [] if "any" in lower else [_meant_type(word) for word in lower]
    return list(dict.fromkeys(kind for kind in kinds if kind is not None))


# `str, optional` and `List[int]`, as in many public tools for training models on calls (checked 2026-11-30).
_DETAILED_TYPE: Final = re.compile(r"([a-z-]+)(\[.*\]|<.*>)?(?:, optional| \(optional\))?")


def _meant_type(word: str) -> str | None:
    """The type that is meant by a word in lower case, perhaps with the types of its items, or with `optional`."""
    found = _DETAILED_TYPE.fullmatch(word)
    kind = None if found is None else _MEANT.get(found[1])
    return None if found is None or (found[2] and kind not in ("array", "object")) else kind


def meant_format(words: Iterable[str]) -> str | None:
    """The format that is meant by the first of these words that means one."""
    return next((_FORMATS[word.lower()] for word in words if word.lower() in _FORMATS), None)


def meant_schema(value: Any) -> dict[str, Any]:
    """The schema that is meant by a value that is none: a word for a type, or anything."""
    words = [value] if isinstance(value, str) else []
    kinds = meant_types(words)
    meant: dict[str, Any] = {"type": kinds[0]} if kinds else {}
    if (form := meant_format(words)) is not None:
        meant["format"] = form
    return meant


def with_properties(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object that is meant by nothing but its properties, each with a type: `{"query": {"type":
    "string"}}`, as many tools that are written by hand have it. The same object if it may mean something else.
    """
    if "properties" in schema or not SUBSCHEMAS.keys().isdisjoint(schema):
        return schema
    properties = {key: value for key, value in schema.items() if not (key == "type" and value == "object")}
    kinds: list[Any] = [value.get("type") if value.__class__ is dict else None for value in properties.values()]
    are_typed = all(kind.__class__ is str for kind in kinds) and bool(meant_types(kinds))
    # The values of these may be any objects.
    is_named = any(name not in ("default", "const") and not name.startswith("x-") for name in properties)
    return {"type": "object", "properties": properties} if are_typed and is_named else schema


def with_repairs(schema: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The schema with what is meant by values for which validators refuse all of it, and the places of these: types by
    words that are not types, a parameter by nothing but such a word, no properties by an empty list, as PHP writes an
    object without members, a list by an object (`meant_list`), and required properties by a flag or by a list among the
    properties. Besides, an object that is nothing but its properties (`with_properties`).

    It is the same object if it has no such values. Draft 3 has other types, and such flags.
    """
    if (whole := with_properties(schema)) is not schema:
        meant, places = with_repairs(whole)
        return meant, ["", *(place.removeprefix("/properties") for place in places)]
    if not any(map(_may_need_repairs, subschemas(schema))):
        return schema, []
    is_draft_3 = stated_draft(schema) == "draft3"
    places: list[str] = []
    meant = copy_json(schema)
    for place, node in walk(meant):
        if not isinstance(node, dict):
            continue
        own, has_list = node.get("required"), is_list_of_names(node)
        if not is_draft_3:
            node.update(require_flagged(node))
            if isinstance(node.get("required"), bool):
                del node["required"]
        if not (is_draft_3 or _has_types(node)):
            given = types_of(node["type"])
            kinds = meant_types(given)
            if kinds:
                node["type"] = kinds[0] if len(kinds) == 1 else kinds
            else:
                del node["type"]
            if (form := meant_format(given)) is not None:
                node.setdefault("format", form)
            places.append(f"{place}/type")
        if node.get("properties") == []:
            node["properties"] = {}
            places.append(f"{place}/properties")
        for key in ("required", "enum"):
            if (listed := meant_list(key, node)) is not None:
                node[key] = listed
                places += [f"{place}/{key}"] if key == "enum" else []
        places += _move_misplaced(node, place)
        for name in _odd_properties(node):
            node["properties"][name] = meant_schema(node["properties"][name])
            places.append(f"{place}/properties/{escape(name)}")
        if not has_list and node.get("required") is not own:
            places.append(f"{place}/required")
    return (meant, places) if places else (schema, places)


def _move_misplaced(node: dict[str, Any], place: str) -> Iterator[str]:
    """Put keywords that stand among the properties of an object beside them; yields the places where they stood."""
    for key, moved in (("type", with_type), ("required", with_required)):
        if (beside := moved(node)) is not node:
            node.update(beside)
            yield f"{place}/properties/{key}"


def _may_need_repairs(node: dict[str, Any]) -> bool:
    """Whether a schema has a value that `with_repairs` looks at; it is called for each subschema of each tool."""
    if "type" in node:
        given: Any = node["type"]
        if not (given.__class__ is str and given in SAME) and not _has_types(node):
            return True
    if "properties" in node:
        properties: Any = node["properties"]
        if properties == []:
            return True
        if properties.__class__ is dict:
            for inner in properties.values():
                if inner.__class__ is not dict and inner.__class__ is not bool:
                    return True
    return ("required" in node and node["required"].__class__ in (bool, dict)) or (
        "enum" in node and node["enum"].__class__ is dict
    )


def _has_types(node: dict[str, Any]) -> bool:
    """Whether the types that a schema names are types; lists with schemas, as draft 3 has them, are not looked at."""
    given: Any = node.get("type", "object")
    if isinstance(given, list) and given:
        names = cast("list[Any]", given)
        return any(isinstance(name, dict) for name in names) or all(isinstance(it, str) and it in SAME for it in names)
    return isinstance(given, str) and given in SAME


def _odd_properties(node: dict[str, Any]) -> list[str]:
    """The names of the properties that are no schemas."""
    properties: Any = node.get("properties")
    if properties.__class__ is not dict:
        return []
    return [name for name, inner in properties.items() if inner.__class__ not in (dict, bool)]


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(it, str) for it in cast("list[Any]", value))


def is_number(keyword: str, value: float) -> bool:
    """Whether a number is one that the drafts allow for a bound or a count."""
    if keyword in COUNTS:
        return value >= 0 and value == value // 1
    return keyword != "multipleOf" or value > 0


def is_beyond(value: Any, most: int) -> bool:
    """Whether a number is a whole one beyond a bound on either side of zero; others are read as what they are."""
    return isinstance(value, int) and abs(value) > most


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
    if dialect.max_number is not None and (key in BOUNDS or key in COUNTS) and is_beyond(value, dialect.max_number):
        return "max_number"
    return None
