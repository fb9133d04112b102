"""ValueSchema and JSON Schema, in both directions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from ...data.json_decoder import decode_json
from ...data.pointer import join as pointer
from ...data.pointer import split
from ...errors import DocumentError
from ...schema import OPTIONS, BudgetExceeded, Options, inline, says_nothing
from .places import DEPTH, FoundValues, ParameterIndex, SchemaIndex, place_in_value, referred

if TYPE_CHECKING:
    from ...data.types import Json, JsonObject, Schema
    from ...schema import NoteCallback
    from .shapes import NoteLoss, ObjectShape, ValueShape

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

_WHOLE: Final = frozenset({"TB103", "TB201", "TB202"})
"""Losses of whatever stands at their place."""

_OF_WRITTEN: Final = frozenset({"TB302", "TB303", "TB304", "TB401"})
"""Losses that concern how a schema is written, not its content."""


# ValueSchema to JSON Schema


def schema_from_parameters(parameters: list[JsonObject], keep: Keep) -> Schema:
    """The JSON Schema of the arguments. Raises DocumentError where a parameter lacks what every edition demands."""
    last: dict[object, int] = {}
    for index, parameter in enumerate(cast("list[object]", parameters)):
        if not isinstance(parameter, dict):
            raise DocumentError("a parameter is an object", f"/{index}")
        name = cast("JsonObject", parameter).get("name")
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
                keep(at + pointer(key), value, "")
        properties[name] = _schema(parameter.get("value_schema"), f"{at}/value_schema", keep, 0, parameter)
        if demanded:
            required.append(name)
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def schema_from_value(value_schema: JsonObject, keep: Keep) -> Schema:
    """The JSON Schema of the values. Raises DocumentError where a val_type is missing or unknown."""
    return _schema(value_schema, "", keep, 0)


def _schema(value: Json, at: str, keep: Keep, level: int, parameter: JsonObject | None = None) -> Schema:
    """The JSON Schema of one value; in a parameter, whose own description goes first."""
    if level > DEPTH:
        raise BudgetExceeded(at, f"more than {DEPTH} levels of value schemas")
    if not isinstance(value, dict):
        raise DocumentError("a value schema is an object", at)
    wire = cast("JsonObject", value)
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
        expressed |= _restrict(target, wire, prefix, partial(_schema, keep=keep, level=level + 1), at)
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
            keep(at + pointer(key), item, code)
    return schema


def _restrict(target: Schema, wire: JsonObject, prefix: str, sub: Callable[..., Schema], at: str) -> set[str]:
    """Write which strings and properties are allowed, and return the keys whose values that expresses."""
    allowed = wire.get("enum")
    if target["type"] == "string" and isinstance(allowed, list) and allowed:
        strings = cast("list[object]", allowed)
        if not all(isinstance(item, str) for item in strings):
            return set()
        target["enum"] = list(strings)
        return {"enum"}
    if isinstance(allowed, list) and (values := _values(cast("list[Json]", allowed), target["type"])):
        target["enum"] = values  # the texts stay local, so that they are written again
    properties = wire.get(f"{prefix}properties")
    if target["type"] == "object" and isinstance(properties, dict):
        known = cast("JsonObject", properties)
        place = f"{at}/{prefix}properties"
        target["properties"] = {name: sub(value, place + pointer(name)) for name, value in known.items()}
        keys = wire.get(f"{prefix}required_keys")
        if isinstance(keys, list):
            required = [key for key in cast("list[object]", keys) if isinstance(key, str) and key in known]
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
    return isinstance(value, int) or (isinstance(value, float) and kind == "number")


# JSON Schema to ValueSchema


def parameters_from_schema(
    schema: Schema, note: NoteCallback, *, edition: Edition, options: Options = OPTIONS
) -> list[JsonObject]:
    """The parameters that take the place of an input schema, noting what they cannot say."""
    losses = _Losses(schema, options)
    parameters = _Writer(edition, losses.note, losses.note_subtree).parameters(losses.read(hoist=True))
    losses.report(note, ParameterIndex(parameters).place)
    return parameters


def value_from_schema(
    schema: Schema, note: NoteCallback, *, edition: Edition, options: Options = OPTIONS
) -> JsonObject:
    """The ValueSchema that takes the place of a schema, noting what it cannot say."""
    losses = _Losses(schema, options)
    value = _Writer(edition, losses.note, losses.note_subtree).value(losses.read(hoist=False))
    found: FoundValues = {}
    losses.report(note, lambda out: place_in_value(value, split(out), 0, "", found))
    return value


class _Losses:
    """What is lost of one schema. The places of what is written are known only when it is."""

    def __init__(self, schema: Schema, options: Options) -> None:
        self._schema = schema
        self._options = options
        self._index = SchemaIndex(schema)
        self._hoist = False
        self._inlined = False
        self._referred: dict[str, list[str]] = {}
        self._looked = 0
        self._flat: Schema = schema
        self._noted: set[str] = set()  # places of the schema without references
        self._losses: list[tuple[str, str, str | None]] = []

    def read(self, *, hoist: bool) -> ValueShape:
        """The shape of the schema without its references."""
        from .shapes import ShapeReader  # dataclasses take a while to import, and only this direction needs them

        self._hoist = hoist
        self._flat = inline(self._schema, self._add, self._options)
        self._inlined = self._flat is not self._schema
        return ShapeReader(self.note, self._options.limits, hoist=hoist).read(self._flat, "", "")

    def _add(self, code: str, source: str, out: str | None) -> None:
        self._losses.append((code, source, out))

    def note(self, code: str, source: str, out: str) -> None:
        """Note a loss at a place of the schema without references."""
        if code in _WHOLE:
            self.note_subtree(code, source, out)
        else:
            if code not in _OF_WRITTEN:
                self._noted.add(source)
            self._losses.append((code, self._index.place(source) if self._inlined else source, out))

    def note_subtree(self, code: str, source: str, out: str | None) -> None:
        """Note a loss of everything at a place of that schema, and of what it refers to."""
        self._noted.add(source)
        if not self._inlined:
            self._losses.append((code, source, out))
            return
        first = self._index.place(source)
        if first not in self._referred:
            self._referred[first], looked = referred(self._schema, first)
            self._looked += looked
        self._looked += len(self._referred[first])
        limit = 20 * self._options.limits.nodes
        if self._looked > limit:
            raise BudgetExceeded(first, f"more than {limit:,} places to look at (twenty times the limit nodes)")
        self._losses += ((code, place, out) for place in (first, *self._referred[first]))

    def report(self, note: NoteCallback, target: Callable[[str], str]) -> None:
        """Pass every loss on with its place in what was written."""
        self._note_idle(self._flat, "")
        places: dict[str | None, str | None] = {None: None}
        for code, source, out in self._losses:
            if out not in places:
                places[out] = target(cast("str", out))
            note(code, source, places[out])

    def _note_idle(self, schema: object, at: str) -> None:
        """Note keywords without effect (`required: []`), which shapes do not record, unless a loss is noted there."""
        if at in self._noted or not isinstance(schema, dict):
            return
        node = cast("Schema", schema)
        expressed: set[str] = set()
        if node.get("additionalProperties") is False or (self._hoist and not at):
            expressed = {
                "properties",
                "additionalProperties",
            }  # a closed object lists its properties, even if it has none
        elif node.get("properties"):
            expressed = {"additionalProperties"}  # as it is closed (TB302)
        for key, value in node.items():
            place = at + pointer(key)
            if key in _IDLE and says_nothing(key, value):
                if key not in expressed and place not in self._noted:
                    self.note_subtree("TB103", place, None)
            elif key == "properties" and isinstance(value, dict):
                for name, inner in cast("Schema", value).items():
                    self._note_idle(inner, place + pointer(name))
            elif key == "items":
                self._note_idle(value, place)
            elif key in ("allOf", "anyOf", "oneOf") and isinstance(value, list) and place not in self._noted:
                members = cast("list[object]", value)
                if key != "allOf" and any(map(_is_idle, members)):
                    self.note_subtree("TB103", place, None)
                    continue
                for index, member in enumerate(members):
                    if _is_idle(member):
                        self.note_subtree("TB103", f"{place}/{index}", None)
                    else:
                        self._note_idle(member, f"{place}/{index}")


def _is_idle(schema: object) -> bool:
    """Whether a schema accepts everything because it says nothing."""
    if not isinstance(schema, dict):
        return schema is True
    return all(
        isinstance(value, list) and ((all if key == "allOf" else any)(map(_is_idle, cast("list[object]", value))))
        if key in ("allOf", "anyOf", "oneOf")
        else key in _IDLE and says_nothing(key, value)
        for key, value in cast("Schema", schema).items()
    )


_IDLE: Final = frozenset({"properties", "required", "additionalProperties", "items"})
"""Keywords that shapes do not record where they have no effect."""


class _Writer:
    """Writes shapes in one edition."""

    def __init__(self, edition: Edition, note: NoteLoss, note_subtree: NoteLoss) -> None:
        self.note, self.note_subtree = note, note_subtree
        self._nested = edition == "4"  # the March 2025 draft has neither nested structure nor null

    def parameters(self, shape: ValueShape) -> list[JsonObject]:
        """The parameters of an object; the list is always closed."""
        if shape.description is not None:
            self.note("TB103", shape.description[1], "")
        if "object" not in shape.types:
            self._note_each("TB201", shape.why, "")
        if set(shape.types) - {"object"}:
            self._note_each("TB303" if shape.stated else "TB304", shape.why, "")
        elif not shape.named:
            self._note_each("TB401", shape.why, "")
        from .shapes import ObjectShape

        record = shape.record or ObjectShape(shape.at)
        self._close(record, "")
        parameters: list[JsonObject] = []
        for name, sub in record.properties.items():
            parameter: JsonObject = {"name": name, "required": name in record.required}
            if sub.description is not None or self._nested:
                parameter["description"] = None if sub.description is None else sub.description[0]
            parameter["value_schema"] = self.value(sub, described=True)
            parameter["inferrable"] = True
            parameters.append(parameter)
        return parameters

    def value(self, shape: ValueShape, *, described: bool = False) -> JsonObject:
        """One value; `described` where its description stands beside it."""
        kind = self._pick(shape)
        null = shape.stated and "null" in shape.types
        if null and not self._nested:
            self._note_each("TB303", shape.null_at or shape.why, shape.out)
        val_type = "integer" if kind == "number" and shape.integer else _VAL_TYPES[kind]
        value: JsonObject = {"val_type": val_type, "inner_val_type": None, "enum": None}
        properties: JsonObject | None = None
        keys: list[str] | None = None
        if kind == "array":
            properties, keys = self._items(shape.items, value)
        elif kind == "object":
            properties, keys = self._properties(shape.record, shape.out)
        elif kind == "string" and shape.strings is not None:
            value["enum"] = list(shape.strings)
        for place in _others(shape, kind):
            self.note_subtree("TB303", place, shape.out)
        text = None if described or shape.description is None else shape.description
        if not self._nested:
            if text is not None:
                self.note("TB103", text[1], shape.out)
            return value
        array = kind == "array"
        value["properties"] = None if array else properties
        value["inner_properties"] = properties if array else None
        value["description"] = None if text is None else text[0]
        value["required_keys"] = None if array else keys
        value["inner_required_keys"] = keys if array else None
        value["nullable"] = True if null else None
        return value

    def _note_each(self, code: str, places: tuple[str, ...], out: str) -> None:
        for place in places:
            self.note(code, place, out)

    def _pick(self, shape: ValueShape) -> str:
        """The one type that is written."""
        types = [t for t in shape.types if t != "null"]
        if not types:
            # only null, or nothing at all: there is no such type, and no narrower one than a string
            self._note_each("TB202" if shape.types else "TB201", shape.why if shape.types else shape.at, shape.out)
            return "string"
        if len(types) > 1:
            self._note_each("TB303" if shape.stated else "TB304", shape.why, shape.out)
        elif not shape.named:
            self._note_each("TB401", shape.why, shape.out)
        return types[0]

    def _items(self, items: ValueShape | None, value: JsonObject) -> tuple[JsonObject | None, list[str] | None]:
        """Write what the items are, or that they may be anything, and return their properties and required keys."""
        if items is None:
            return None, None
        if items.description is not None:
            self.note("TB103", items.description[1], items.out)
        kind = items.types[0] if len(items.types) == 1 else ""
        if kind in ("", "array", "null"):
            self._note_each("TB202" if items.types else "TB201", items.at, items.out)
            return None, None
        if not items.named:
            self._note_each("TB401", items.why, items.out)
        value["inner_val_type"] = "integer" if kind == "number" and items.integer else _VAL_TYPES[kind]
        if kind == "string" and items.strings is not None:
            value["enum"] = list(items.strings)
        return self._properties(items.record, items.out) if kind == "object" else (None, None)

    def _properties(self, record: ObjectShape | None, out: str) -> tuple[JsonObject | None, list[str] | None]:
        """Properties and required keys of an object; None where any object will do."""
        if record is None:
            return None, None
        if not self._nested:
            for place in record.read_places:
                if not place.endswith("/additionalProperties"):
                    self.note("TB201", place, out)
            self._note_each("TB204", record.closed_at, out)
            self._note_each("TB103", record.opened_at, out)
            return None, None
        if not record.properties and not record.closed:
            self._note_each("TB201", tuple(record.required_at.values()), out)
            return None, None
        self._close(record, out)
        # Known properties always come with a list, empty where all are optional: Arcade's OpenAI converter takes null
        # for "not known" and then demands every property that is not nullable (4.23.0, checked 2026-11-21).
        return (
            {name: self.value(sub) for name, sub in record.properties.items()},
            sorted(record.required & record.properties.keys()),
        )

    def _close(self, record: ObjectShape, out: str) -> None:
        if not record.closed:
            self._note_each("TB302", record.opened_at or record.at, out)
        for name, place in record.required_at.items():
            if name not in record.properties:
                self.note("TB201", place, out)


def _others(shape: ValueShape, kind: str) -> tuple[str, ...]:
    """The places of keywords for values that are not of the type that was picked."""
    items = shape.items.at if shape.items is not None and kind != "array" else ()
    return (*items, *(shape.record.read_places if shape.record is not None and kind != "object" else ()))
