"""Generated documents: from the models behind the tables, with strangers and nulls, and schemas with hard corners."""

from __future__ import annotations

import types
import typing
from collections.abc import Collection
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import Struct, UnsetType

from toolbridge.formats.mcp.tools import STATELESS
from toolbridge.mapping.format import Format

NAMES = st.sampled_from([
    "a",
    "b",
    "id",
    "title",
    "type",
    "$ref",
    "properties",
    "ünicode",
    "x y",
    "a/b",
    "m~n",
    "default",
])
TEXT = st.one_of(st.sampled_from(["", "text", "two words", "日本語", "a.b", "{x}"]), st.text(max_size=8))
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.just(1.0), st.just(2**70), st.floats(-9, 9), TEXT)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=5,
)


def _keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    schemas = st.one_of(inner, st.booleans())
    branches = st.lists(inner, min_size=1, max_size=3)
    number = st.integers(0, 4)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(
                st.sampled_from(["string", "integer", "number", "boolean", "object", "array", "null"]),
                st.lists(st.sampled_from(["string", "integer", "object", "null"]), min_size=1, max_size=2, unique=True),
            ),
            "properties": st.dictionaries(NAMES, schemas, max_size=3),
            "required": st.lists(NAMES, max_size=2, unique=True),
            "additionalProperties": schemas,
            "items": schemas,
            "enum": st.lists(st.one_of(TEXT, st.integers(0, 3), st.none()), min_size=1, max_size=3, unique_by=repr),
            "const": st.one_of(TEXT, st.integers(0, 3)),
            "anyOf": branches,
            "oneOf": branches,
            "allOf": branches,
            "not": inner,
            "minLength": number,
            "maximum": number,
            "minItems": number,
            "format": st.just("date"),
            "description": TEXT,
            "title": TEXT,
            "default": SCALARS,
            "examples": st.lists(SCALARS, max_size=2),
            "x-mcp-header": st.just("Region"),
            "$ref": st.sampled_from([
                "#/$defs/One",
                "#/$defs/Two",
                "#",
                "#/properties/a",
                "#/$defs/Gone",
                "https://e.x/s",
            ]),
        },
    ).map(_thin)


def _thin(schema: dict[str, Any]) -> dict[str, Any]:
    """Few keywords at a time say more than all of them at once."""
    keys = list(schema)
    return {key: schema[key] for key in keys[:: max(1, len(keys) // 3)]}


SCHEMAS = st.recursive(st.just({}), _keywords, max_leaves=6)


@st.composite
def input_schemas(draw: st.DrawFn) -> dict[str, Any]:
    """A schema for arguments: an object, now and then with definitions."""
    schema: dict[str, Any] = {"type": "object"}
    if draw(st.booleans()):
        schema["properties"] = draw(st.dictionaries(NAMES, SCHEMAS, max_size=4))
        schema["required"] = [name for name in schema["properties"] if draw(st.booleans())]
    extra = draw(SCHEMAS)
    schema = {**{k: v for k, v in extra.items() if k not in ("type", "properties", "required", "$ref")}, **schema}
    if draw(st.booleans()):
        schema["$defs"] = {"One": draw(SCHEMAS), "Two": draw(SCHEMAS)}
    if draw(st.integers(0, 5)) == 0:
        schema["$schema"] = draw(
            st.sampled_from(["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"])
        )
    return schema


INPUTS = (
    "inputSchema",
    "inputs",
    "input_schema",
    "parameters",
    "parametersJsonSchema",
    "parameters_json_schema",
    "json",
)
OUTPUTS = ("outputSchema", "outputs", "response", "responseJsonSchema", "response_json_schema")
WORDS = {
    "behavior": ["UNSPECIFIED", "BLOCKING", "NON_BLOCKING"],
    "ttl": ["5m", "1h"],
}
"""Fields whose type is text for the sake of words to come."""

CALLERS = [["direct"], [], ["direct", "programmatic"], ["programmatic"]]
CALLERS_OF_ANTHROPIC = [["direct"], [], ["direct", "code_execution_20260120"], ["code_execution_20250825"]]


def in_proto(schema: Any) -> Any:
    """A schema in the words of Gemini's `parameters`: what these cannot say is left out."""
    if not isinstance(schema, dict):
        return {}
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    node: dict[str, Any] = {"type": next((kind for kind in kinds if kind != "null"), "string").upper()}
    if "null" in kinds:
        node["nullable"] = True
    if "properties" in schema:
        node["properties"] = {key: in_proto(inner) for key, inner in schema["properties"].items()}
    for key in ("minLength", "minItems"):
        if key in schema:
            node[key] = str(schema[key])
    if node["type"] in ("STRING", "INTEGER") and "enum" in schema:
        node["enum"] = [str(inner) for inner in schema["enum"]]
    if node["type"] == "ARRAY":
        node["items"] = in_proto(schema.get("items"))
    if "anyOf" in schema:
        node["anyOf"] = [in_proto(inner) for inner in schema["anyOf"]]
    return node | {key: schema[key] for key in ("required", "description", "title", "maximum") if key in schema}


def _of(kind: Any, name: str, form: Format) -> st.SearchStrategy[Any]:
    """Values of a field's type; where the type says less than the specification, by the field's name."""
    if name in INPUTS + OUTPUTS and _is_dict(kind) and form.id != "bedrock@agents":
        schemas = input_schemas()
        if name == "outputSchema" and form.family == "mcp" and form.edition >= STATELESS:
            schemas = SCHEMAS
        elif form.family == "gemini" and form.edition != "interactions" and name in ("parameters", "response"):
            schemas = schemas.map(in_proto)
        return st.none() | schemas if type(None) in typing.get_args(kind) else schemas
    if name == "allowed_callers":
        return st.sampled_from(CALLERS_OF_ANTHROPIC if form.family == "anthropic" else CALLERS)
    if name in WORDS:
        return st.sampled_from(WORDS[name])
    if name == "title" and form.family == "langchain":
        name = "name"
    if name == "output_schema":
        return st.one_of(st.none(), st.just({}), SCHEMAS)
    if name == "id" and form.family == "arcade" and kind is not str:
        return st.sampled_from(["Math.Add@1.0.0", "Math.Add", "Math.Add@2", "A_b.C@10.2.3"])
    if name == "version" and form.family == "arcade":
        return st.sampled_from(["1.0.0", "10.2.3"])
    if name == "name" and form.family == "arcade":
        return st.sampled_from(["Math_Add", "Add", "a-b", "x" * 64])
    if name == "name":
        return st.sampled_from(["add", "Math_Add", "a.b", "a-b", "日本語", "x" * 130, "with space"])
    if name == "fully_qualified_name":
        return st.sampled_from(["Math.Add", "Other.Name@1.0.0", "plain"])
    if name == "version":
        return st.sampled_from(["1.0.0", "1.2", "1.0.0-rc.1+b", "latest"])
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        if _minimum(kind) and args[0] is str:
            return TEXT.filter(bool)
        if _minimum(kind):
            return st.lists(_of(args[0].__args__[0], "", form), min_size=1)
        return _of(args[0], name, form)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*(_of(arg, name, form) for arg in args if arg is not UnsetType))
    if origin is typing.Literal:
        return st.sampled_from(args)
    if origin is list:
        return st.lists(_of(args[0], "", form), max_size=3)
    if origin is dict:
        return st.dictionaries(NAMES, JSON if args[1] is Any else _of(args[1], "", form), max_size=2)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return st.deferred(lambda: structs(kind, form))
    return {
        str: TEXT,
        int: st.integers(0, 9),
        float: st.floats(0, 1),
        bool: st.booleans(),
        type(None): st.none(),
        Any: JSON,
    }[kind]


def _is_dict(kind: Any) -> bool:
    if kind is dict or typing.get_origin(kind) is dict:
        return True
    return any(_is_dict(arg) for arg in typing.get_args(kind))


def _minimum(kind: Any) -> bool:
    return any(getattr(meta, "min_length", None) for meta in kind.__metadata__)


@st.composite
def structs(draw: st.DrawFn, model: type[Struct], form: Format, always: Collection[str] = ()) -> dict[str, Any]:
    """A document of a model, its optional fields there or not, but those that are `always` there."""
    document: dict[str, Any] = {}
    for field in msgspec.structs.fields(model):
        if field.required or field.encode_name in always or draw(st.integers(0, 3)) == 0:
            document[field.encode_name] = draw(_of(field.type, field.encode_name, form))
    return document


@st.composite
def documents(draw: st.DrawFn, form: Format, *, always: str | None = None) -> dict[str, Any]:
    """A tool of a format, as valid as its table demands, sometimes with a key that nobody knows.

    It has one of the fields from which the hub's field `always` is read, where such a field is not required anyway.
    """
    rows = form.tool.rows_of(always) if always else []
    document = draw(structs(form.tool.model, form, draw(st.sampled_from(rows)).wire.split("/")[1:2] if rows else ()))
    if "toolkit" in document and form.family == "arcade-engine":
        document["toolkit"]["name"] = draw(st.sampled_from(["Math", "Other", "My Kit"]))
    if form.family == "langchain":  # the tool is its schema
        document = {**draw(input_schemas()), **document}
    for names in (INPUTS, OUTPUTS) if form.family == "gemini" else ():  # which exclude each other
        for key in [key for key in names if document.get(key) is not None][1:]:
            del document[key]
    if "" not in form.tool.closed and draw(st.integers(0, 3)) == 0:
        document["x-vendor"] = draw(JSON)
        if isinstance(document.get("annotations"), dict) and draw(st.booleans()):
            document["annotations"]["vendor"] = draw(JSON)
    return document
