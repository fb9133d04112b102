"""JSON Schema as the engine can hear it: which types, which strings, which items, which properties, and nothing else.

A shape accepts everything that its schema accepts. Where it accepts more, a TB2 was noted on the way; the one place
where it may accept less, alternatives that are open objects with different properties, notes a TB302.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from ...limits import Limits
from ...pointer import join as pointer
from ...schema.walk import APPLICATORS, CONSTRAINTS, REFERENCES
from .shapes import TYPES, Emit, Record, Shape, Shapes

if TYPE_CHECKING:
    from collections.abc import Callable

_RECORD: Final = ("properties", "required", "additionalProperties")
_READ: Final = frozenset({
    *_RECORD,
    "type",
    "nullable",
    "enum",
    "const",
    "items",
    "prefixItems",
    "allOf",
    "anyOf",
    "oneOf",
})
_RULES: Final = (CONSTRAINTS | APPLICATORS) - _READ

_HINTS: Final[dict[str, str]] = {
    **dict.fromkeys((*_RECORD, "patternProperties", "propertyNames", "minProperties", "maxProperties"), "object"),
    **dict.fromkeys(("unevaluatedProperties", "dependentRequired", "dependentSchemas", "dependencies"), "object"),
    **dict.fromkeys(("items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"), "array"),
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), "string"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"),
}
"""Which type the author of a keyword had in mind who stated none."""


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def _integral(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


class Reader:
    """Reads schemas without references, noting what a shape cannot hold."""

    def __init__(
        self, emit: Emit, too_deep: Callable[[str, str], Exception], *, depth: int, limits: Limits, hoist: bool
    ) -> None:
        self._emit = emit
        self._too_deep = too_deep
        self._depth = depth
        self._length = 0
        self._longest = 20 * limits.output
        self._shapes = Shapes(emit, hoist=hoist)

    def read(self, schema: object, at: str, out: str, level: int = 0) -> Shape:
        """The shape of the schema at `at`, which will be written at `out`."""
        if level > self._depth:
            raise self._too_deep(at, f"more than {self._depth} levels of subschemas")
        self._length += len(at)
        if self._length > self._longest:
            raise self._too_deep(at, "names that are too long for so many subschemas (limit output)")
        if schema is False:
            return Shape((at,), (at,), out, types=(), stated=True, named=True)
        if not isinstance(schema, dict):
            if schema is not True:
                self._emit("TB201", at, out)
            return Shape((at,), (at,), out)
        node = cast("dict[str, Any]", schema)
        shape = self._own(node, at, out, level)
        members = node.get("allOf")
        if isinstance(members, list) and members:
            shape = self._shapes.all([
                shape,
                *(
                    self.read(member, f"{at}/allOf/{index}", out, level + 1)
                    for index, member in enumerate(cast("list[object]", members))
                ),
            ])
        elif "allOf" in node:
            self._emit("TB201", f"{at}/allOf", out)
        for union in ("anyOf", "oneOf"):
            members = node.get(union)
            if isinstance(members, list) and members:
                place = f"{at}/{union}"
                shapes = [
                    self.read(member, f"{place}/{index}", out, level + 1)
                    for index, member in enumerate(cast("list[object]", members))
                ]
                shape = self._shapes.meet(shape, self._shapes.join(shapes, place, out, exclusive=union == "oneOf"))
            elif union in node:
                self._emit("TB201", f"{at}/{union}", out)
        return shape

    # keywords

    def _own(self, node: dict[str, Any], at: str, out: str, level: int) -> Shape:
        """The shape of what the schema says itself, without its alternatives."""
        description: tuple[str, str] | None = None
        for key, value in node.items():
            place = at + pointer(key)
            if key in _RULES:
                self._emit("TB201", place, out)
            elif key in REFERENCES:
                self._emit("TB206", place, out)
            elif key == "description" and isinstance(value, str):
                description = (value, place)
            elif key not in _READ:
                self._emit("TB103", place, out)
        shape = self._types(node, at, out)
        if "nullable" in node:
            # OpenAPI's word for null; by JSON Schema's letter it says nothing, and null is refused
            null = node["nullable"] is True and shape.stated
            self._emit("TB202" if null else "TB103", f"{at}/nullable", out)
        for key in ("enum", "const"):
            if key in node:
                shape = self._limited(shape, [node[key]] if key == "const" else node[key], f"{at}/{key}")
        if "array" in shape.types:
            shape = replace(shape, items=self._items(node, at, out, level))
        if "object" in shape.types:
            shape = replace(shape, record=self._record(node, at, out, level))
        for key, type_ in (("items", "array"), ("prefixItems", "array"), *((key, "object") for key in _RECORD)):
            if key in node and type_ not in shape.types:
                self._emit("TB103", f"{at}/{key}", out)
        return replace(shape, description=description)

    def _types(self, node: dict[str, Any], at: str, out: str) -> Shape:
        stated: object = node.get("type")
        names = cast("list[object]", stated) if isinstance(stated, list) else [stated]
        if names and all(isinstance(name, str) and (name in TYPES or name == "integer") for name in names):
            types = tuple(dict.fromkeys("number" if name == "integer" else cast("str", name) for name in names))
            # an enum takes part in choosing, so the whole schema is the place then
            why = at if "enum" in node else f"{at}/type"
            if node.get("nullable") is True and "null" not in types:
                types = (*types, "null")
            integer = "integer" in names and "number" not in names
            return Shape((at,), (why,), out, types=types, stated=True, named=True, integer=integer)
        if "type" in node:
            self._emit("TB201", f"{at}/type", out)
        hint = next((_HINTS[key] for key in node if key in _HINTS), TYPES[0])
        return Shape((at,), (at,), out, types=tuple(dict.fromkeys((hint, *TYPES))))

    def _limited(self, shape: Shape, values: object, place: str) -> Shape:
        """The shape with only these values; the engine's enum holds strings, other values keep their type."""
        if not isinstance(values, list) or not values:
            self._emit("TB201", place, shape.out)
            return shape
        listed = cast("list[object]", values)
        kinds = dict.fromkeys(map(_kind, listed))
        numbers = [value for value in listed if _kind(value) == "number"]
        integer = shape.integer if shape.stated else all(map(_integral, numbers))
        if integer and not any(map(_integral, numbers)):
            kinds.pop("number", None)
        strings = tuple(value for value in listed if isinstance(value, str))
        if shape.strings is not None:
            common = set(shape.strings)
            strings = tuple(value for value in strings if value in common)
        if not strings:
            kinds.pop("string", None)
        types = tuple(t for t in (shape.types if shape.stated else kinds) if t in kinds and t in shape.types)
        if not types:
            self._emit("TB201", place, shape.out)
            return shape
        for index, value in enumerate(listed):
            if _kind(value) not in types:
                self._emit("TB001", f"{place}/{index}", shape.out)
        half = "boolean" in types and not (any(v is True for v in listed) and any(v is False for v in listed))
        if half or not {"number", "array", "object"}.isdisjoint(types):
            self._emit("TB201", place, shape.out)
        return replace(
            shape,
            types=types,
            why=shape.why if shape.stated else (place,),
            stated=True,
            integer=integer and "number" in types,
            strings=strings if "string" in types else None,
        )

    def _items(self, node: dict[str, Any], at: str, out: str, level: int) -> Shape | None:
        tuples = [key for key in ("prefixItems", "items") if isinstance(node.get(key), list) and node[key]]
        if tuples:
            for key in ("prefixItems", "items"):
                if key in node:
                    self._emit("TB202", f"{at}/{key}", out)
            return None
        if "prefixItems" in node:
            self._emit("TB201", f"{at}/prefixItems", out)
        if "items" not in node:
            return None
        shape = self.read(node["items"], f"{at}/items", f"{out}/items", level + 1)
        if not shape.anything:
            return shape
        self._shapes.unsaid(shape)
        return None

    def _record(self, node: dict[str, Any], at: str, out: str, level: int) -> Record | None:
        said = tuple(f"{at}/{key}" for key in _RECORD if key in node)
        if not said:
            return None
        properties: dict[str, Shape] = {}
        given: object = node.get("properties", {})
        if isinstance(given, dict):
            for name, sub in cast("dict[str, object]", given).items():
                step = pointer("properties", name)
                properties[name] = self.read(sub, at + step, out + step, level + 1)
        else:
            # null, and the empty list by which PHP writes an empty map
            self._emit("TB201" if given else "TB001", f"{at}/properties", out)
        required = self._required(node, at, out)
        closed = self._closed(node, at, out)
        return Record(
            (at,),
            said,
            closed_at=(f"{at}/additionalProperties",) if closed else (),
            properties=properties,
            required=frozenset(required),
            required_at=required,
            closed=closed,
        )

    def _required(self, node: dict[str, Any], at: str, out: str) -> dict[str, str]:
        given: object = node.get("required", [])
        if not isinstance(given, list):
            self._emit("TB001" if given is None else "TB201", f"{at}/required", out)
            return {}
        required: dict[str, str] = {}
        for index, name in enumerate(cast("list[object]", given)):
            place = f"{at}/required/{index}"
            if not isinstance(name, str):
                self._emit("TB201", place, out)
            elif name in required:
                self._emit("TB001", place, out)
            else:
                required[name] = place
        return required

    def _closed(self, node: dict[str, Any], at: str, out: str) -> bool:
        given: object = node.get("additionalProperties", True)
        if given is False:
            if not node.get("patternProperties"):
                return True
            # names that fit a pattern are welcome, and the engine has no patterns
            self._emit("TB204", f"{at}/additionalProperties", out)
        elif given is not True and given != {}:
            self._emit("TB201", f"{at}/additionalProperties", out)
        return False
