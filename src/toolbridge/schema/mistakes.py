"""Mistakes in schemas: what is meant by values for which validators refuse a whole schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

from ..data.pointer import escape
from .dialect import SAME
from .vocabulary import (
    SUBSCHEMAS,
    are_texts,
    is_sound,
    required_names,
    separate,
    sound_types,
    stated_draft,
    subschemas,
    walk,
)


def with_type(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with a type `object` that stands among its properties beside them; the same object where none does.

    It can be nothing else if the object has no type, and everything else there is a schema: `{"properties": {"type":
    "object", "symbol": {...}}}`.
    """
    properties: Any = schema.get("properties")
    if "type" in schema or properties.__class__ is not dict or properties.get("type") != "object":
        return schema
    others: dict[str, Any] = {name: inner for name, inner in properties.items() if name != "type"}
    left = [inner for name, inner in others.items() if name != "required" or not isinstance(inner, list)]
    if "type" in required_names(schema) or not left or not all(isinstance(inner, dict) for inner in left):
        return schema
    if _schema_as_properties(schema) is not None:
        return schema
    return {**schema, "properties": others, "type": "object"}


def with_required(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with a `required` that stands among its properties beside them; the same object where none does.

    Seen in tools of real servers: `{"properties": {"symbol": {...}, "required": ["symbol"]}}`. A list is no schema, so
    it can mean nothing else.
    """
    properties: Any = schema.get("properties")
    names: Any = properties.get("required") if properties.__class__ is dict else None
    if not names or not are_texts(names) or "required" in names or not all(name in properties for name in names):
        return schema
    others = {name: inner for name, inner in properties.items() if name != "required"}
    return {**schema, "properties": others, "required": _own_and(names, schema)}


def _own_and(names: list[str], schema: dict[str, Any]) -> list[str]:
    """The names in the `required` of a schema, as far as it has some, and these."""
    own: Any = schema.get("required") if is_list_of_names(schema) else meant_list("required", schema)
    return [*dict.fromkeys([*(own or ()), *names])]


def is_list_of_names(schema: dict[str, Any]) -> bool:
    """Whether the `required` of a schema is one, or absent; of another one TB001 is noted where it is replaced."""
    return are_texts(schema.get("required", []))


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
        return listed if are_texts(listed) else None
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
    lower = [part for word in words for part in _listed_types(word.lower())]
    kinds = [] if "any" in lower else [_meant_type(word) for word in lower]
    return list(dict.fromkeys(kind for kind in kinds if kind is not None))


def _listed_types(word: str) -> list[str]:
    """The types of a union that is one text: `string, integer` (ollama 0.6.3, _utils.py, which makes tools of
    Python functions so, checked 2026-11-30).
    """
    parts = word.split(", ")
    return parts if all(part in SAME for part in parts) else [word]


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
    meant: dict[str, Any] = {"type": kinds[0] if len(kinds) == 1 else kinds} if kinds else {}
    if (form := meant_format(words)) is not None:
        meant["format"] = form
    return meant


def with_properties(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object that is meant by nothing but its properties, each with a type: `{"query": {"type":
    "string"}}`, as many tools that are written by hand have it. The same object if it may mean something else.

    Of the `json` of Bedrock alone it is what stands there: Strands lists tools without the `toolSpec` around them,
    which then look like MCP's (strands-agents 1.62.0, types/tools.py, ToolSpec, checked 2026-11-30). A whole schema in
    the place of the properties is put in that of the schema around it.
    """
    if _is_input_of_bedrock(schema):
        return cast("dict[str, Any]", schema["json"])
    if (inner := _schema_as_properties(schema)) is not None:
        return {**schema, **inner}
    if "properties" in schema or not SUBSCHEMAS.keys().isdisjoint(schema):
        return schema
    properties = {key: value for key, value in schema.items() if not (key == "type" and value == "object")}
    kinds: list[Any] = [value.get("type") if value.__class__ is dict else None for value in properties.values()]
    are_typed = all(kind.__class__ is str for kind in kinds) and bool(meant_types(kinds))
    # The values of these may be any objects.
    is_named = any(name not in ("default", "const") and not name.startswith("x-") for name in properties)
    return {"type": "object", "properties": properties} if are_typed and is_named else schema


def place_in_original(schema: dict[str, Any], place: str) -> str:
    """The place in a schema for a place in what `with_properties` makes of it."""
    if (inner := _schema_as_properties(schema)) is not None:
        return f"/properties{place}" if place and place.split("/", 2)[1] in inner else place
    return f"/json{place}" if _is_input_of_bedrock(schema) else place.removeprefix("/properties")


def _schema_as_properties(schema: dict[str, Any]) -> dict[str, Any] | None:
    """The properties of a schema if they are the schema of an object, and can be nothing else: one of them is a type,
    and the others are keywords.

    Seen in tools of real servers: `{"type": "object", "properties": {"type": "object", "properties": {"gem": {"type":
    "string"}}, "required": ["gem"]}}`.
    """
    inner: Any = schema.get("properties")
    if inner.__class__ is not dict or inner.get("type") != "object" or schema.get("type", "object") != "object":
        return None
    properties: Any = inner.get("properties")
    if properties.__class__ is not dict or not all(_is_typed(each) for each in properties.values()):
        return None
    others = inner.keys() - {"type", "properties"}
    is_schema = others <= _BESIDE_PROPERTIES - schema.keys() and are_texts(inner.get("required", []))
    return inner if is_schema and not any(_is_typed(inner[key]) for key in others) else None


def _is_typed(value: Any) -> bool:
    """Whether a value is a schema that names its type."""
    return value.__class__ is dict and value.get("type").__class__ is str


_BESIDE_PROPERTIES: Final = frozenset({"required", "additionalProperties", "title", "description", "$schema"})
"""Keywords of objects that are written by hand."""


def _is_input_of_bedrock(schema: dict[str, Any]) -> bool:
    inner: Any = schema.get("json")
    is_alone = len(schema) == 1 or (len(schema) == 2 and schema.get("type") == "object")
    return is_alone and inner.__class__ is dict and inner.get("type") == "object" and "properties" in inner


def with_repairs(schema: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The schema without values for which validators refuse all of it, and the places of these values.

    It has what is meant by them, if that is plain: types by words that are not types, a parameter by nothing but such a
    word, no properties by an empty list, as PHP writes an object without members, a list by an object (`meant_list`),
    and required properties by a flag or by a list among the properties. Besides, an object that is nothing but its
    properties (`with_properties`).

    It is the same object if it has no such values. Draft 3 has other types, and such flags.
    """
    if (whole := with_properties(schema)) is not schema:
        meant, places = with_repairs(whole)
        return meant, ["", *(place_in_original(schema, place) for place in places)]
    if not any(map(_may_need_repairs, subschemas(schema))):
        return schema, []
    is_draft_3 = stated_draft(schema) == "draft3"
    places: list[str] = []
    meant = separate(schema)
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
        if not is_draft_3:
            places += _replace_unsound(node, place)
        if not has_list and node.get("required") is not own:
            places.append(f"{place}/required")
    return (meant, [*dict.fromkeys(places)]) if places else (schema, places)


def _move_misplaced(node: dict[str, Any], place: str) -> Iterator[str]:
    """Put keywords that stand among the properties of an object beside them; yields the places where they stood."""
    for key, moved in (("type", with_type), ("required", with_required)):
        if (beside := moved(node)) is not node:
            node.update(beside)
            yield f"{place}/properties/{key}"


def _replace_unsound(node: dict[str, Any], place: str) -> Iterator[str]:
    """Drop what no draft allows, and replace subschemas that are none by what is meant; yields the places."""
    for key, value in [*node.items()]:
        kind = VALUE_KINDS.get(key)
        if isinstance(kind, str):
            if not holds(kind, value):
                del node[key]
                yield f"{place}/{key}"
            elif kind != "one":
                for token in odd_members(key, value):
                    value[token] = meant_schema(value[token])
                    yield f"{place}/{key}/{escape(token) if isinstance(token, str) else token}"
        elif kind is not None and not is_sound(key, value) and not (key in _FLAGS and isinstance(value, bool)):
            del node[key]
            yield f"{place}/{key}"


def _may_need_repairs(node: dict[str, Any]) -> bool:
    """Whether a schema has a value that `with_repairs` looks at; it is called for each subschema of each tool."""
    for key, value in node.items():
        kind = VALUE_KINDS.get(key)
        if kind is None:
            continue
        if kind.__class__ is frozenset:
            if value.__class__ not in kind and not is_sound(key, value):
                return True
        elif not holds(kind, value) or (kind != "one" and odd_members(key, value)):
            return True
    given: Any = node.get("type", "object")
    return not (given.__class__ is str and given in SAME) and not _has_types(node)


VALUE_KINDS: Final[dict[str, str | frozenset[type]]] = {**sound_types(), **SUBSCHEMAS}
"""How a keyword holds subschemas, or the Python types of values that are plainly allowed (absent: all)."""

_FLAGS: Final = frozenset({"exclusiveMinimum", "exclusiveMaximum"})
"""Keywords that are flags in draft 4."""


def holds(kind: Any, value: Any) -> bool:
    """Whether a value is one of a keyword that holds subschemas in this way."""
    if value.__class__ is list:
        return kind in ("list", "one or list") and bool(value)
    return value.__class__ is dict if kind == "map" else kind != "list" and value.__class__ in (dict, bool)


def odd_members(key: str, value: Any) -> list[Any]:
    """The names or numbers of the subschemas in a map or a list that are no schemas."""
    if value.__class__ is dict and SUBSCHEMAS[key] == "map" and key != "dependencies":
        return [name for name, inner in value.items() if inner.__class__ not in (dict, bool)]
    if value.__class__ is list:
        return [number for number, inner in enumerate(value) if inner.__class__ not in (dict, bool)]
    return []


def _has_types(node: dict[str, Any]) -> bool:
    """Whether the types that a schema names are types; lists with schemas, as draft 3 has them, are not looked at."""
    given: Any = node.get("type", "object")
    if isinstance(given, list) and given:
        names = cast("list[Any]", given)
        return any(isinstance(name, dict) for name in names) or all(isinstance(it, str) and it in SAME for it in names)
    return isinstance(given, str) and given in SAME
