"""ValueSchema and JSON Schema, in both directions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from msgspec import structs

from ...data.json_decoder import decode_json
from ...data.pointer import escape, split
from ...data.types import Json, JsonObject, Schema, is_list, is_object
from ...errors import DocumentError
from ...schema import OPTIONS, BudgetExceeded, Options, fit
from ..dialects import ARCADE_ENGINE, ARCADE_ENGINE_OTC, ARCADE_ENGINE_OTC_VALUE
from .places import DEPTH, FoundValues, place_in_value, places_in

if TYPE_CHECKING:
    from ...schema import NoteCallback

Edition: TypeAlias = Literal["4", "otc"]

Keep: TypeAlias = "Callable[[str, Any, str], None]"
"""Called with the place and the value of whatever the JSON Schema does not say, and the code of its loss ("": any)."""

_JSON_TYPES: Final = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "json": "object",
    "array": "array",
}
_VAL_TYPES: Final = {name: wire for wire, name in _JSON_TYPES.items()}

_DIALECTS: Final = {"4": ARCADE_ENGINE, "otc": ARCADE_ENGINE_OTC}
"""The dialect of parameters in each edition."""

_VALUE_DIALECTS: Final = {"4": ARCADE_ENGINE, "otc": ARCADE_ENGINE_OTC_VALUE}
"""The dialect of a single value in each edition."""


# ValueSchema to JSON Schema


def schema_from_parameters(parameters: list[Any], keep: Keep) -> Schema:
    """The JSON Schema of the arguments. Raises DocumentError where a parameter lacks what every edition demands."""
    last: dict[object, int] = {}
    for index, parameter in enumerate(parameters):
        if not is_object(parameter):
            raise DocumentError("a parameter is an object", f"/{index}")
        name = parameter.get("name")
        if not isinstance(name, str):
            raise DocumentError("a parameter has a name, a string", f"/{index}/name")
        last[name] = index
    properties: dict[str, Schema] = {}
    required: list[str] = []
    for index, parameter in enumerate(parameters):
        at = f"/{index}"
        name, demanded = parameter["name"], parameter.get("required")
        if not isinstance(demanded, bool):
            raise DocumentError("a parameter says whether it is required: true or false", f"{at}/required")
        if last[name] != index:
            # as in a JSON object that names a member twice
            keep(at, parameter, "")
            continue
        for key, value in parameter.items():
            if key not in ("name", "required", "value_schema") and not (
                key == "description" and isinstance(value, str)
            ):
                # A model would fill in what its client has to.
                keep(f"{at}/{escape(key)}", value, "TB602" if key == "inferrable" and value is False else "")
        properties[name] = schema_from_value(
            parameter.get("value_schema"), keep, f"{at}/value_schema", parameter=parameter
        )
        if demanded:
            required.append(name)
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def schema_from_value(
    wire: Json, keep: Keep, at: str = "", level: int = 0, parameter: JsonObject | None = None
) -> Schema:
    """The JSON Schema of the values; in a parameter, the description of that goes first.

    Raises DocumentError where a val_type is missing or unknown.
    """
    if level > DEPTH:
        raise BudgetExceeded(at, f"more than {DEPTH} levels of value schemas")
    if not is_object(wire):
        raise DocumentError("a value schema is an object", at)
    kind, inner = wire.get("val_type"), wire.get("inner_val_type")
    if not isinstance(kind, str) or kind not in _JSON_TYPES:
        raise DocumentError(f"a val_type is one of {', '.join(_JSON_TYPES)}", f"{at}/val_type")
    expressed = {"val_type"}  # the keys whose values the schema has
    schema: Schema = {"type": _JSON_TYPES[kind]}
    text = wire.get("description")
    own = None if parameter is None else parameter.get("description")
    if isinstance(own, str):
        schema["description"] = own
    elif isinstance(text, str):
        schema["description"] = text
        if parameter is None or "description" not in parameter:
            expressed.add("description")  # else a null stands where the text will be written
    # An array's enum and inner_ fields concern its items. Arcade's MCP converter puts the enum on the array itself,
    # its OpenAI and Anthropic converters on the items, which is what the catalogue means (checked 2026-11-21).
    target, prefix = schema, ""
    if kind == "array":
        if not isinstance(inner, str) or inner not in _JSON_TYPES or inner == "array":
            target = None
        else:
            expressed.add("inner_val_type")
            schema["items"] = target = {"type": _JSON_TYPES[inner]}
            prefix = "inner_"
    if target is not None:
        expressed |= _restrict(target, wire, prefix, partial(schema_from_value, keep=keep, level=level + 1), at)
        keys = wire.get(f"{prefix}required_keys")
        if f"{prefix}properties" in expressed and keys and keys == sorted(set(target.get("required", ()))):
            expressed.add(f"{prefix}required_keys")
    if wire.get("nullable") is True:
        expressed.add("nullable")
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
    for key, item in wire.items():
        if key not in expressed:
            code = "" if key != "enum" or not item else "TB001" if target and "enum" in target else "TB201"
            keep(f"{at}/{escape(key)}", item, code)
    return schema


def _restrict(target: Schema, wire: JsonObject, prefix: str, sub: Callable[..., Schema], at: str) -> set[str]:
    """Write which strings and properties are allowed, and return the keys whose values that expresses."""
    allowed = wire.get("enum")
    if target["type"] == "string" and is_list(allowed) and allowed:
        if not all(isinstance(item, str) for item in allowed):
            return set()
        target["enum"] = list(allowed)
        return {"enum"}
    if is_list(allowed) and (values := _values(allowed, target["type"])):
        target["enum"] = values  # the texts stay local, so that they are written again
    properties = wire.get(f"{prefix}properties")
    if target["type"] == "object" and is_object(properties):
        place = f"{at}/{prefix}properties"
        target["properties"] = {name: sub(value, at=f"{place}/{escape(name)}") for name, value in properties.items()}
        keys = wire.get(f"{prefix}required_keys")
        if is_list(keys):
            required = [key for key in keys if isinstance(key, str) and key in properties]
            if required:
                target["required"] = list(dict.fromkeys(required))
        target["additionalProperties"] = False
        return {f"{prefix}properties"}
    return set()


def _values(texts: list[Json], kind: str) -> list[Json]:
    """The values of one type that are spelled as texts, as engines spell them; none where one is spelled otherwise."""
    values: list[Json] = []
    for text in texts:
        try:
            value = decode_json(text.lower() if kind == "boolean" else text) if isinstance(text, str) else text
        except (ValueError, RecursionError):  # NaN and what is too large for a float are no JSON
            return []
        if not _is_of(value, kind):
            return []
        values.append(value)
    return values


def _is_of(value: Json, kind: str) -> bool:
    if isinstance(value, bool) or kind == "boolean":
        return isinstance(value, bool) and kind == "boolean"
    return (isinstance(value, int) and kind in ("integer", "number")) or (isinstance(value, float) and kind == "number")


# JSON Schema to ValueSchema


def parameters_from_schema(
    schema: Schema, note: NoteCallback, *, edition: Edition, options: Options = OPTIONS
) -> list[JsonObject]:
    """The parameters that take the place of an input schema, noting what they cannot say."""
    written = fit(schema, _DIALECTS[edition], structs.replace(options, prose=False))
    required = written.schema.get("required", ())
    parameters: list[JsonObject] = []
    for name, inner in written.schema.get("properties", {}).items():
        parameter: JsonObject = {"name": name, "required": name in required}
        if "description" in inner or edition == "4":
            parameter["description"] = inner.get("description")
        value = _value(inner, edition)
        if edition == "4":
            value["description"] = None  # it stands beside the value
        parameters.append({**parameter, "value_schema": value, "inferrable": True})
    place_of = places_in(parameters)
    for loss in written.notes:
        note(loss.code, loss.source, None if loss.target is None else place_of(loss.target))
    return parameters


def value_from_schema(
    schema: Schema, note: NoteCallback, *, edition: Edition, options: Options = OPTIONS
) -> JsonObject:
    """The ValueSchema that takes the place of a schema, noting what it cannot say."""
    written = fit(schema, _VALUE_DIALECTS[edition], structs.replace(options, prose=False), arguments=False)
    value = _value(written.schema, edition)
    found: FoundValues = {}
    for loss in written.notes:
        place = None if loss.target is None else place_in_value(value, split(loss.target), 0, "", found)
        note(loss.code, loss.source, place)
    return value


def _value(schema: Schema, edition: Edition) -> JsonObject:
    """The ValueSchema of a schema in the dialect of the edition."""
    items: Schema = schema.get("items", {})
    value: JsonObject = {
        "val_type": _VAL_TYPES[schema["type"]],
        "inner_val_type": _VAL_TYPES[items["type"]] if items else None,
        "enum": items.get("enum") if items else schema.get("enum"),
    }
    if edition == "otc":
        return value
    properties, required = _properties(schema)
    inner_properties, inner_required = _properties(items)
    value["properties"] = properties
    value["inner_properties"] = inner_properties
    value["description"] = schema.get("description")
    value["required_keys"] = required
    value["inner_required_keys"] = inner_required
    value["nullable"] = schema.get("nullable")
    return value


def _properties(schema: Schema) -> tuple[JsonObject | None, list[str] | None]:
    """The properties of an object and those that are required; None for an object of any properties."""
    if schema.get("additionalProperties") is not False:
        return None, None
    # Known properties always come with a list, empty where all are optional: Arcade's OpenAI converter takes null
    # for "not known" and then demands every property that is not nullable (4.23.0, checked 2026-11-21).
    properties = {name: _value(inner, "4") for name, inner in schema.get("properties", {}).items()}
    return properties, sorted(schema.get("required", ()))
