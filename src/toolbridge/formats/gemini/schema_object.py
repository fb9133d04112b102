"""Gemini's Schema, read as JSON Schema 2020-12. It is an OpenAPI 3.0 schema object in part, in proto JSON.

google-genai 3.4.0 (types.Schema, types.Type), https://ai.google.dev/api/caching#Schema and the rules of proto JSON
(https://protobuf.dev/programming-guides/json), checked 2026-11-21. Nothing here recurses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...schema import SUBSCHEMAS

Keep: TypeAlias = Callable[[str, Json], None]
"""Called with the place and the value of a keyword that adds nothing to what the others say."""

_Way: TypeAlias = "tuple[_Way, str | int] | None"
"""The tokens of a pointer from its last to its first: most places are never asked for."""

TYPES: Final = ("TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")
"""By their numbers, which proto JSON takes as well."""

_COUNTS: Final = frozenset({"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"})
_BOUNDS: Final = frozenset({"minimum", "maximum"})
_NUMBERS: Final = frozenset({"INTEGER", "NUMBER"})
_BOOLEANS: Final = {"true": True, "false": False}

# A Value may be null; for every other field of a proto that is the same as being left out.
_VALUES: Final = frozenset({"default", "example", "examples", "const"})

_RENAMED: Final = {
    "any_of": "anyOf",
    "additional_properties": "additionalProperties",
    "max_items": "maxItems",
    "max_length": "maxLength",
    "max_properties": "maxProperties",
    "min_items": "minItems",
    "min_length": "minLength",
    "min_properties": "minProperties",
    "property_ordering": "propertyOrdering",
    "example": "examples",
    "ref": "$ref",
}
_SPELLED: Final = {name: word for word, name in _RENAMED.items()}

_OTHERS: Final = frozenset({"$ref", "oneOf", "allOf", "const", "not"})
"""What Schema has no word for, and null may be let in to as well: left to those who know OpenAPI."""

_INTEGER: Final = re.compile(r"-?[0-9]{1,19}")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,19}(\.[0-9]{1,19})?([eE][+-]?[0-9]{1,2})?")


def read(schema: JsonObject, keep: Keep) -> JsonObject:
    """The schema in JSON Schema's words. What has no such word stays as the keyword that it is."""
    whole: list[Any] = [None]
    todo: list[tuple[Json, _Way, Any, Any]] = [(schema, None, whole, 0)]
    while todo:
        raw, way, holder, key = todo.pop()
        if not is_object(raw):
            holder[key] = raw
            continue
        node: JsonObject = {}
        holder[key] = node
        for word, value in raw.items():
            name, here = _name(word, raw, way), (way, word)
            if value is None and word not in _VALUES:
                keep(_pointer(here), None)
            elif (held := _held(name, value)) is not None:
                node[name] = held
                pairs = value.items() if is_object(value) else enumerate(cast("list[Json]", value))
                todo += [(inner, (here, step), held, step) for step, inner in pairs]
            elif SUBSCHEMAS.get(name) in ("one", "one or list") and is_object(value):
                node[name] = None  # its place among the keywords
                todo.append((value, here, node, name))
            elif word != "nullable" and not _is_idle(name, value, raw):
                node[name] = _restored_value(name, value, raw)
            elif word != "nullable":
                keep(_pointer(here), value)
        if raw.get("nullable") is not None and not _nullable(node, raw):
            keep(_pointer((way, "nullable")), raw["nullable"])
    return cast("JsonObject", whole[0])


def _pointer(way: _Way) -> str:
    tokens: list[str | int] = []
    while way is not None:
        way, token = way
        tokens.append(token)
    return at.join(*reversed(tokens))


def _name(word: str, raw: JsonObject, way: _Way) -> str:
    """The keyword that is meant by a word of the source."""
    if word == "defs":
        return "$defs" if way is None and "$defs" not in raw else word
    name = _RENAMED.get(word)
    if name is None or name in raw or (word == "ref" and not _is_reference(raw[word])):
        return word
    return name


def _is_reference(value: Json) -> bool:
    return isinstance(value, str) and value.startswith("#/defs/")


def _held(name: str, value: Json) -> Any:
    """Room for the subschemas that a keyword holds several of; None where it is not such a keyword."""
    kind = SUBSCHEMAS.get(name)
    if kind == "map" and is_object(value):
        return dict.fromkeys(value)
    if kind in ("list", "one or list") and is_list(value):
        return [None] * len(value)
    return None


def _is_idle(name: str, value: Json, raw: JsonObject) -> bool:
    """Whether a keyword says nothing that the node does not say without it."""
    if name == "type":
        return _type_name(value) == TYPES[0]
    # "To mark a field as an enum, set `format` to `enum`": the enum itself says as much.
    return name == "format" and value == "enum" and is_list(raw.get("enum"))


def _restored_value(name: str, value: Json, raw: JsonObject) -> Json:
    """The value of a keyword that holds no subschemas."""
    if name == "type":
        return [_type(kind) for kind in value] if is_list(value) else _type(value)
    if name == "enum" and is_list(value):
        return _enum(value, _type_name(raw.get("type")))
    if name in _COUNTS and isinstance(value, str):
        return int(value) if _INTEGER.fullmatch(value) else value
    if name in _BOUNDS and isinstance(value, str):
        return _number(value)
    if name == "examples" and "examples" not in raw:
        return [value]
    if name == "$ref" and _is_reference(value):
        return "#/$defs/" + value.removeprefix("#/defs/")
    return value


def _type_name(kind: Json) -> str:
    """A type as the API spells it; the SDK takes any case."""
    if isinstance(kind, str):
        return kind.upper()
    if type(kind) is int and 0 <= kind < len(TYPES):
        return TYPES[kind]
    return ""


def _type(kind: Json) -> Json:
    name = _type_name(kind)
    return name.lower() if name in TYPES else kind


def _enum(values: list[Json], kind: str) -> list[Json]:
    """Enumerated values, which are text even of numbers: `{type: INTEGER, enum: ["101", "201"]}`."""
    if kind in _NUMBERS:
        return [_number(value) if isinstance(value, str) else value for value in values]
    if kind == "BOOLEAN":
        return [_BOOLEANS.get(value, value) if isinstance(value, str) else value for value in values]
    return list(values)


def _number(text: str) -> Json:
    """The number that a text spells; the text itself where it spells none."""
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def _nullable(node: JsonObject, raw: JsonObject) -> bool:
    """Let null in wherever the node says what may be there; answers whether it says so anywhere.

    `node` is read already, its subschemas are not.
    """
    nullable = raw["nullable"]
    if not isinstance(nullable, bool) or (nullable and not _OTHERS.isdisjoint(node)):
        node["nullable"] = nullable
        return True
    if not nullable:
        return False
    letting = False
    kind, branches, choices = node.get("type"), node.get("anyOf"), node.get("enum")
    if isinstance(kind, str) and kind != "null":
        node["type"], letting = [kind, "null"], True
    elif is_list(kind) and "null" not in kind:
        node["type"], letting = [*kind, "null"], True
    if is_list(branches) and not any(map(_admits_null, cast("list[Json]", raw.get("anyOf", raw.get("any_of"))))):
        branches.append({"type": "null"})
        letting = True
    if is_list(choices) and None not in choices:
        choices.append(None)
        letting = True
    return letting


def _admits_null(branch: Json) -> bool:
    return is_object(branch) and (branch.get("nullable") is True or _type_name(branch.get("type")) == "NULL")


def place(sub: str, schema: Json) -> str:
    """The place in the source of a pointer into what was read of it, or the nearest above that."""
    tokens = at.split(sub)
    node, here = schema, ""
    n = 0
    while n < len(tokens) and is_object(node):
        name, rest = tokens[n], tokens[n + 1 :]
        word = _word(name, node, here)
        if word is None:
            return here
        value, there = node[word], f"{here}/{at.escape(word)}"
        kind = SUBSCHEMAS.get(name)
        if kind == "one" or (kind == "one or list" and is_object(value)):
            node, here = value, there
            n += 1
        elif kind is not None and rest:
            inner = at.get(value, at.join(rest[0]))
            if inner is at.MISSING:
                return _null(node, here, there) if is_list(value) else there
            node, here = inner, f"{there}/{at.escape(rest[0])}"
            n += 2
        else:
            return _inside(node, here, word, name, rest)
    return here


def _word(name: str, node: JsonObject, here: str) -> str | None:
    """The word in the source for a keyword that was read there."""
    if name in node:
        return name
    word = "defs" if name == "$defs" and not here else _SPELLED.get(name)
    return word if word in node else None


def _null(node: JsonObject, here: str, there: str) -> str:
    """Where it is said that null is let in, for what was read beyond the end of a list."""
    return f"{here}/nullable" if node.get("nullable") is True else there


def _inside(node: JsonObject, here: str, word: str, name: str, rest: tuple[str, ...]) -> str:
    """A place in a value, as deep as the source has it."""
    there, value = f"{here}/{at.escape(word)}", node[word]
    if word == "example" and name == "examples":
        rest = rest[1:]
    elif name == "type" and not is_list(value):
        return _null(node, here, there) if rest[:1] == ("1",) else there
    elif name == "enum" and rest and at.get(value, at.join(rest[0])) is at.MISSING:
        return _null(node, here, there)
    for token in rest:
        value = at.get(value, at.join(token))
        if value is at.MISSING:
            break
        there = f"{there}/{at.escape(token)}"
    return there
