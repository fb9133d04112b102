"""Gemini's Schema, read as JSON Schema 2020-12. It is an OpenAPI 3.0 schema object in part, in proto JSON.

google-genai 3.4.0 (types.Schema, types.Type), https://ai.google.dev/api/caching#Schema and the rules of proto JSON
(https://protobuf.dev/programming-guides/json), checked 2026-11-21. No function is recursive.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...schema import SUBSCHEMAS, is_annotation
from ..dialects import GEMINI

Keep: TypeAlias = Callable[[str, Json], None]
"""Called with the place and the value of a keyword that adds nothing to what the others say."""

_Path: TypeAlias = "tuple[_Path, str | int] | None"
"""The tokens of a pointer from its last to its first: most places are never asked for."""

TYPES: Final = ("TYPE_UNSPECIFIED", *(GEMINI.types[name] for name in GEMINI.numbered_types))
"""By their numbers, which proto JSON takes as well."""

_COUNTS: Final = frozenset({"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"})
_BOUNDS: Final = frozenset({"minimum", "maximum"})
_NUMBERS: Final = frozenset({"INTEGER", "NUMBER"})
_BOOLEANS: Final = {"true": True, "false": False}

# A Value may be null; for every other field of a proto that is the same as being left out.
_VALUES: Final = frozenset({"default", "example", "examples", "const"})

_DUMPED: Final = frozenset({"default", "example"})
"""Those of them that the Python SDK dumps as null where they are left out, as it does every other field."""

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
    # As proto-plus spells them, in tools for the old SDK (google-ai-generativelanguage, types/content.py of v1beta,
    # checked 2026-11-30).
    "type_": "type",
    "format_": "format",
}
_NAMES: Final = {name: word for word, name in _RENAMED.items()}
_PROTO_NAMES: Final = {word: name for word, name in _RENAMED.items() if "_" in word.strip("_")}

_OTHERS: Final = frozenset({"$ref", "oneOf", "allOf", "const", "not"})
"""Keywords that Schema does not have, and that null may be allowed by as well: kept as `nullable`, as in OpenAPI."""

_INTEGER: Final = re.compile(r"-?[0-9]{1,19}")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,19}(\.[0-9]{1,19})?([eE][+-]?[0-9]{1,2})?")


def read(schema: JsonObject, keep: Keep) -> JsonObject:
    """The schema as JSON Schema. Keywords without an equivalent are unchanged."""
    whole: list[Any] = [None]
    todo: list[tuple[Json, _Path, Any, Any]] = [(schema, None, whole, 0)]
    while todo:
        raw, path, holder, key = todo.pop()
        if not is_object(raw):
            holder[key] = raw
            continue
        node: JsonObject = {}
        holder[key] = node
        is_dumped = any(value is None and word not in _VALUES for word, value in raw.items())
        for word, value in raw.items():
            name, base = _name(word, raw, path), (path, word)
            if value is None and (word not in _VALUES or (is_dumped and word in _DUMPED)):
                keep(_pointer(base), None)
            elif (container := _container(name, value)) is not None:
                node[name] = container
                pairs = value.items() if is_object(value) else enumerate(cast("list[Json]", value))
                todo += [(inner, (base, step), container, step) for step, inner in pairs]
            elif SUBSCHEMAS.get(name) in ("one", "one or list") and is_object(value):
                node[name] = None  # its place among the keywords
                todo.append((value, base, node, name))
            elif word != "nullable" and not _is_idle(name, value, raw):
                node[name] = _restored_value(name, value, raw)
            elif word != "nullable":
                keep(_pointer(base), value)
        if raw.get("nullable") is True and _is_alternative(path) and all(map(is_annotation, node)):
            node["type"] = "null"  # as `Schema.from_json_schema` writes it (google-genai 3.6.1, checked 2026-11-29)
        elif raw.get("nullable") is not None and not _nullable(node, raw):
            keep(_pointer((path, "nullable")), raw["nullable"])
    return cast("JsonObject", whole[0])


def in_camel_case(schema: JsonObject) -> JsonObject:
    """The same schema with the names of proto JSON, whose parsers take those of the proto (`any_of`) as well."""
    whole: list[Any] = [None]
    todo: list[tuple[Json, Any, Any]] = [(schema, whole, 0)]
    while todo:
        raw, holder, key = todo.pop()
        if not is_object(raw):
            holder[key] = raw
            continue
        node: JsonObject = {}
        holder[key] = node
        for word, value in raw.items():
            name = _PROTO_NAMES.get(word, word)
            name = word if name in raw else name
            node[name] = value
            if (container := _container(name, value)) is not None:
                node[name] = container
                pairs = value.items() if is_object(value) else enumerate(cast("list[Json]", value))
                todo += [(inner, container, step) for step, inner in pairs]
            elif SUBSCHEMAS.get(name) in ("one", "one or list") and is_object(value):
                todo.append((value, node, name))
    return cast("JsonObject", whole[0])


def _is_alternative(path: _Path) -> bool:
    """Whether a subschema is an element of `anyOf`."""
    return path is not None and isinstance(path[1], int) and path[0] is not None and path[0][1] in ("anyOf", "any_of")


def _pointer(path: _Path) -> str:
    tokens: list[str | int] = []
    while path is not None:
        path, token = path
        tokens.append(token)
    return at.join(*reversed(tokens))


def _name(word: str, raw: JsonObject, path: _Path) -> str:
    """The keyword that is meant by a word of the source."""
    if word == "defs":
        return "$defs" if path is None and "$defs" not in raw else word
    name = _RENAMED.get(word)
    if name is None or name in raw or (word == "ref" and not _is_reference(raw[word])):
        return word
    return name


def _is_reference(value: Json) -> bool:
    return isinstance(value, str) and value.startswith("#/defs/")


def _container(name: str, value: Json) -> Any:
    """The container for the subschemas of a keyword that has several; None for other keywords."""
    kind = SUBSCHEMAS.get(name)
    if kind == "map" and is_object(value):
        return dict.fromkeys(value)
    if kind in ("list", "one or list") and is_list(value):
        return [None] * len(value)
    return None


def _is_idle(name: str, value: Json, raw: JsonObject) -> bool:
    """Whether a node means the same without this keyword."""
    if name == "type":
        return _type_name(value) == TYPES[0] or _is_type_of_union(value, raw)
    # "To mark a field as an enum, set `format` to `enum`": the enum itself says as much.
    return name == "format" and value == "enum" and is_list(raw.get("enum"))


def _is_type_of_union(value: Json, raw: JsonObject) -> bool:
    """Whether a type is the OBJECT that google-genai writes beside `anyOf` for each union of types, also that of a text
    and a number (google-genai 3.6.1, _automatic_function_calling_util.py, checked 2026-11-30).
    """
    branches = raw.get("anyOf", raw.get("any_of"))
    if _type_name(value) != "OBJECT" or not is_list(branches) or "properties" in raw:
        return False
    kinds = [_stated_type(branch) if is_object(branch) else "" for branch in branches]
    return all(kinds) and any(kind != "OBJECT" for kind in kinds)


def _restored_value(name: str, value: Json, raw: JsonObject) -> Json:
    """The value of a keyword that holds no subschemas."""
    if name == "type":
        return [_type(kind) for kind in value] if is_list(value) else _type(value)
    if name == "enum" and is_list(value):
        return _enum(value, _stated_type(raw))
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


def _stated_type(raw: JsonObject) -> str:
    return _type_name(raw.get("type", raw.get("type_")))


def _type(kind: Json) -> Json:
    name = _type_name(kind)
    return name.lower() if name in TYPES else kind


def _enum(values: list[Json], kind: str) -> list[Json]:
    """Enumerated values, which are text even of numbers: `{type: INTEGER, enum: ["101", "201"]}`."""
    if kind in _NUMBERS:
        return [_number(value) if isinstance(value, str) else value for value in values]
    if kind == "BOOLEAN":
        return [_BOOLEANS.get(value.lower(), value) if isinstance(value, str) else value for value in values]
    return list(values)


def _number(text: str) -> Json:
    """The number that a text spells; the text itself where it spells none."""
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def _nullable(node: JsonObject, raw: JsonObject) -> bool:
    """Allow null in every keyword of the node that restricts its values; whether there is any.

    `node` is read already, its subschemas are not.
    """
    nullable = raw["nullable"]
    if not isinstance(nullable, bool) or (nullable and not _OTHERS.isdisjoint(node)):
        node["nullable"] = nullable
        return True
    if not nullable:
        return False
    allows_null = False
    kind, branches, choices = node.get("type"), node.get("anyOf"), node.get("enum")
    if isinstance(kind, str) and kind != "null":
        node["type"], allows_null = [kind, "null"], True
    elif is_list(kind) and "null" not in kind:
        node["type"], allows_null = [*kind, "null"], True
    if is_list(branches) and not any(map(_admits_null, cast("list[Json]", raw.get("anyOf", raw.get("any_of"))))):
        branches.append({"type": "null"})
        allows_null = True
    if is_list(choices) and None not in choices:
        choices.append(None)
        allows_null = True
    return allows_null


def _admits_null(branch: Json) -> bool:
    return is_object(branch) and (branch.get("nullable") is True or _stated_type(branch) == "NULL")


def place(sub: str, schema: Json) -> str:
    """The place in the source of a pointer into what was read of it, or the nearest above that."""
    tokens = at.split(sub)
    node, base = schema, ""
    n = 0
    while n < len(tokens) and is_object(node):
        name, rest = tokens[n], tokens[n + 1 :]
        word = _word(name, node, base)
        if word is None:
            return base
        value, inner_place = node[word], f"{base}/{at.escape(word)}"
        kind = SUBSCHEMAS.get(name)
        if kind == "one" or (kind == "one or list" and is_object(value)):
            node, base = value, inner_place
            n += 1
        elif kind is not None and rest:
            inner = at.get(value, at.join(rest[0]))
            if inner is at.MISSING:
                return _null(node, base, inner_place) if is_list(value) else inner_place
            node, base = inner, f"{inner_place}/{at.escape(rest[0])}"
            n += 2
        else:
            return _inside(node, base, word, name, rest)
    return base


def _word(name: str, node: JsonObject, base: str) -> str | None:
    """The word in the source for a keyword that was read from it."""
    if name in node:
        return name
    word = "defs" if name == "$defs" and not base else _NAMES.get(name)
    return word if word in node else None


def _null(node: JsonObject, base: str, inner_place: str) -> str:
    """The place of `nullable`, for a value that was read beyond the end of a list."""
    return f"{base}/nullable" if node.get("nullable") is True else inner_place


def _inside(node: JsonObject, base: str, word: str, name: str, rest: tuple[str, ...]) -> str:
    """A place in a value, as deep as the source has it."""
    inner_place, value = f"{base}/{at.escape(word)}", node[word]
    if word == "example" and name == "examples":
        rest = rest[1:]
    elif name == "type" and not is_list(value):
        return _null(node, base, inner_place) if rest[:1] == ("1",) else inner_place
    elif name == "enum" and rest and at.get(value, at.join(rest[0])) is at.MISSING:
        return _null(node, base, inner_place)
    for token in rest:
        value = at.get(value, at.join(token))
        if value is at.MISSING:
            break
        inner_place = f"{inner_place}/{at.escape(token)}"
    return inner_place
