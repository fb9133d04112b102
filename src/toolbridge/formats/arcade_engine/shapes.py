"""Shapes: the part of a JSON Schema that Arcade's engine can express."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias, cast

from ...data.pointer import join as pointer
from ...limits import Limits
from ...schema import APPLICATORS, CONSTRAINTS, REFERENCES, BudgetExceeded, stated_draft, with_required
from .places import DEPTH, is_within_any

NoteLoss: TypeAlias = Callable[[str, str, str], None]
"""Called with a code, the place in the schema, and the place in the JSON Schema of the written value."""

Places: TypeAlias = tuple[str, ...]
"""The places of a schema about one aspect; several if allOf or anyOf combined them."""

_PREFERENCE: Final = ("object", "string", "number", "array", "boolean", "null")
"""The types of JSON Schema, in the order in which one of several is written."""


@dataclass(slots=True, frozen=True)
class ObjectShape:
    """The properties of an object."""

    at: Places = field(compare=False)
    read_places: Places = field(compare=False, default=())  # of the keywords that were read
    closed_at: Places = field(compare=False, default=())
    opened_at: Places = field(compare=False, default=(), kw_only=True)
    properties: dict[str, ValueShape] = field(default_factory=dict[str, "ValueShape"])
    required: frozenset[str] = frozenset()
    required_at: dict[str, str] = field(compare=False, default_factory=dict[str, str])
    closed: bool = False


@dataclass(slots=True, frozen=True)
class ValueShape:
    """The values of a schema: `types` in order of preference, and for each type what restricts it."""

    at: Places = field(compare=False)
    why: Places = field(compare=False)  # the places that name the types
    out: str = field(compare=False)
    null_at: Places = field(compare=False, default=(), kw_only=True)  # of alternatives that are null
    types: tuple[str, ...] = _PREFERENCE
    stated: bool = False  # whether any keyword restricts the types
    named: bool = field(compare=False, default=False)  # whether a keyword names the types; an enum only implies them
    integer: bool = False  # whether numbers are integers
    strings: tuple[str, ...] | None = None  # the allowed strings
    strings_at: Places = field(compare=False, default=())  # where they are listed
    items: ValueShape | None = None
    record: ObjectShape | None = None
    description: tuple[str, str] | None = field(compare=False, default=None)  # text, place

    def with_parts(
        self, items: ValueShape | None, record: ObjectShape | None, description: tuple[str, str] | None
    ) -> ValueShape:
        """The same shape with these parts; `replace` takes ten times as long."""
        return ValueShape(
            self.at,
            self.why,
            self.out,
            null_at=self.null_at,
            types=self.types,
            stated=self.stated,
            named=self.named,
            integer=self.integer,
            strings=self.strings,
            strings_at=self.strings_at,
            items=items,
            record=record,
            description=description,
        )

    @property
    def anything(self) -> bool:
        """Whether it accepts every value."""
        free = self.strings is None and self.items is None and self.record is None and not self.integer
        return free and set(self.types) == set(_PREFERENCE)


def _merged(one: Places, other: Places) -> Places:
    """The union, without places below others."""
    known = set(one)
    return one + tuple(place for place in other if not is_within_any(place, known))


class Shapes:
    """Combines shapes, and notes losses of the combination.

    `hoist` keeps the properties of root alternatives even where another alternative allows any object: a parameter
    that is not listed cannot be sent at all.
    """

    def __init__(self, note: NoteLoss, *, hoist: bool) -> None:
        self._note = note
        self._hoist = hoist

    def note_description(self, shape: ValueShape) -> None:
        """Note the loss of a description."""
        if shape.description is not None:
            self._note("TB103", shape.description[1], shape.out)

    def _note_parts(self, shape: ValueShape) -> None:
        """Note the loss of keywords for items and properties of values that are neither arrays nor objects."""
        for place in (*(shape.items.at if shape.items else ()), *(shape.record.read_places if shape.record else ())):
            self._note("TB103", place, shape.out)

    def _note_descriptions(self, shape: ValueShape | None) -> None:
        """Note the loss of all descriptions of a shape that duplicates another one."""
        if shape is None:
            return
        self.note_description(shape)
        self._note_descriptions(shape.items)
        for sub in shape.record.properties.values() if shape.record else ():
            self._note_descriptions(sub)

    def all(self, shapes: list[ValueShape]) -> ValueShape:
        """The intersection of shapes; combined by halves, so that a long allOf does not take quadratic time."""
        if len(shapes) == 1:
            return shapes[0]
        half = len(shapes) // 2
        return self.meet(self.all(shapes[:half]), self.all(shapes[half:]))

    def meet(self, one: ValueShape, other: ValueShape) -> ValueShape:
        """The intersection of two shapes."""
        order = one.types if one.stated or not other.stated else other.types
        types = tuple(t for t in order if t in one.types and t in other.types)
        strings = one.strings if other.strings is None else other.strings
        if one.strings is not None and other.strings is not None:
            strings = self.common(one, other.strings, other.strings_at)
        if "string" in types and strings == ():
            types = tuple(t for t in types if t != "string")
        if one.description is not None:
            self.note_description(other)
        if one.stated and other.stated:
            self._repeated(one, other)
        for shape in (one, other):
            items = shape.items if "array" not in types else None
            self._note_parts(replace(shape, items=items, record=shape.record if "object" not in types else None))
        return ValueShape(
            _merged(one.at, other.at),
            one.why if not other.stated else other.why if not one.stated else _merged(one.why, other.why),
            one.out,
            types=types,
            stated=one.stated or other.stated,
            named=one.named or other.named,
            integer=(one.integer or other.integer) and "number" in types,
            strings=strings if "string" in types else None,
            strings_at=one.strings_at + other.strings_at,
            null_at=one.null_at + other.null_at,
            items=self._both(one.items, other.items) if "array" in types else None,
            record=self._both_records(one, other) if "object" in types else None,
            description=one.description or other.description,
        )

    def common(self, shape: ValueShape, others: tuple[str, ...], at: Places) -> tuple[str, ...]:
        """The strings of a shape that others, listed at `at`, have too; the lists that have more are noted."""
        known = set(others)
        strings = tuple(value for value in shape.strings or () if value in known)
        for listed, places in ((shape.strings or (), shape.strings_at), (others, at)):
            for place in places if len(strings) < len(listed) else ():
                self._note("TB103", place, shape.out)
        return strings

    def _repeated(self, one: ValueShape, other: ValueShape) -> None:
        """Note the types that one of two shapes names, and the other names as well."""
        for shape, rest in ((other, one), (one, other)):
            if one.named and other.named and set(rest.types) <= set(shape.types) and rest.integer >= shape.integer:
                for place in shape.why:
                    if place.endswith("/type"):
                        self._note("TB103", place, one.out)
                return

    def _both(self, one: ValueShape | None, other: ValueShape | None) -> ValueShape | None:
        return other if one is None else one if other is None else self.meet(one, other)

    def _both_records(self, one: ValueShape, other: ValueShape) -> ObjectShape | None:
        a, b = one.record, other.record
        if a is None or b is None:
            return a or b
        for closed, other_shape in ((a, b), (b, a)):
            if closed.closed and not other_shape.properties.keys() <= closed.properties.keys():
                # Strictly, no value is valid here. Authors who close one part of an allOf mean the whole, and a
                # property that is not listed could not be sent at all.
                for place in closed.read_places:
                    if not place.endswith("/required"):
                        self._note("TB204", place, one.out)
        properties = dict(a.properties)
        for name, shape in b.properties.items():
            own = properties.get(name)
            for place in () if own is None else shape.at if shape.anything else own.at if own.anything else ():
                self._note("TB103", place, one.out)
            properties[name] = shape if own is None else self.meet(own, shape)
        return ObjectShape(
            _merged(a.at, b.at),
            _merged(a.read_places, b.read_places),
            a.closed_at + b.closed_at,
            properties,
            a.required | b.required,
            b.required_at | a.required_at,
            a.closed or b.closed,
            opened_at=a.opened_at + b.opened_at,
        )

    def join(self, shapes: list[ValueShape], at: str, out: str, *, exclusive: bool) -> ValueShape:
        """The union of shapes, or a superset; `exclusive` is whether a value may fit only one."""
        typed = [shape for shape in shapes if shape.types]
        types = tuple(dict.fromkeys(t for shape in typed for t in shape.types))
        bearers = {t: [shape for shape in typed if t in shape.types] for t in types}
        strings, disjoint = _either_strings(bearers.get("string", []))
        overlap = any(len(found) > 1 for t, found in bearers.items() if t != "string" or not disjoint)
        merged = exclusive and overlap
        records, wider = self._either_records(bearers.get("object", []), at)
        merged |= wider
        items, wider = self._either_items(bearers.get("array", []), at)
        merged |= wider
        if merged:
            self._note("TB203", at, out)
        else:
            self._note_redundant(typed, bearers)
        described = [shape for shape in typed if shape.types != ("null",)]
        lifted = described[0].description if len(described) == 1 else None
        for shape in shapes:
            if shape.description is not lifted:
                self.note_description(shape)
        return ValueShape(
            (at,),
            typed[0].why if len(typed) == 1 else (at,),
            out,
            types=types,
            stated=all(shape.stated for shape in typed),
            named=all(shape.named for shape in typed),
            integer=all(shape.integer for shape in bearers.get("number", ())) and "number" in types,
            strings=strings,
            strings_at=_flat(shape.strings_at for shape in typed),
            null_at=_flat(shape.at if shape.types == ("null",) else shape.null_at for shape in typed),
            items=items,
            record=records,
            description=lifted,
        )

    def _note_redundant(self, shapes: list[ValueShape], bearers: dict[str, list[ValueShape]]) -> None:
        """Note the alternatives, the last ones first, that accept nothing but what others accept.

        What they say of items and properties is alike, or a merger would have been noted.
        """
        if all(shape.anything for shape in shapes):  # the alternatives change nothing: that is noted of them together
            return
        left = {t: len(found) for t, found in bearers.items()}
        fractions = sum(not shape.integer for shape in bearers.get("number", ()))
        free = sum(shape.strings is None for shape in bearers.get("string", ()))
        listed = Counter(value for shape in bearers.get("string", ()) for value in set(shape.strings or ()))
        for shape in reversed(shapes):
            own = set(shape.strings or ())
            if (
                any(left[t] == 1 for t in shape.types)
                or ("number" in shape.types and not shape.integer and fractions == 1)
                or (
                    "string" in shape.types
                    and free == (shape.strings is None)
                    and not all(listed[it] > 1 for it in own)
                )
                or ("string" in shape.types and shape.strings is None and free == 1)
            ):
                continue
            for place in shape.at:
                self._note("TB103", place, shape.out)
            for t in shape.types:
                left[t] -= 1
            fractions -= "number" in shape.types and not shape.integer
            free -= "string" in shape.types and shape.strings is None
            listed.subtract(own)

    def _either_items(self, shapes: list[ValueShape], at: str) -> tuple[ValueShape | None, bool]:
        items = [shape.items for shape in shapes if shape.items is not None]
        if len(items) < len(shapes):
            return None, len(shapes) > 1 and bool(items)
        if not items:
            return None, False
        if all(item == items[0] for item in items):
            return self._either(items, at), False
        return self.join(items, at, items[0].out, exclusive=False), True

    def _either_records(self, shapes: list[ValueShape], at: str) -> tuple[ObjectShape | None, bool]:
        """The object that accepts what any of these accept; properties of different shapes may be combined."""
        records = [shape.record for shape in shapes]
        known = [record for record in records if record is not None]
        if len(known) < len(records) and not (self._hoist and shapes[0].out == "" and known):
            return None, bool(known)
        if all(record == known[0] for record in known[1:]) and len(known) == len(records):
            if not known:
                return None, False
            alike = {name: [record.properties[name] for record in known] for name in known[0].properties}
            properties = {name: self._either(found, at) for name, found in alike.items()}
            return replace(known[0], properties=properties), False
        by_name: dict[str, list[ValueShape]] = {}
        for record in known:
            for name, shape in record.properties.items():
                by_name.setdefault(name, []).append(shape)
        properties = {name: self._either(found, at) for name, found in by_name.items()}
        firm = {name for name, shape in properties.items() if not shape.anything}
        for shape, record in zip(shapes, records, strict=True):
            lists: Iterable[str] = () if record is None else record.properties
            if (record is None or not record.closed) and not firm <= set(lists):
                # other alternatives may restrict a property that this one allows
                for place in shape.at if record is None else record.at:
                    self._note("TB302", place, shape.out)
        required: frozenset[str] = frozenset()
        if len(known) == len(records):
            required = known[0].required.intersection(*(record.required for record in known))
        return (
            ObjectShape(
                (at,),
                _flat(record.read_places for record in known),
                _flat(record.closed_at for record in known),
                properties,
                required,
                {name: known[0].required_at[name] for name in required},
                len(known) == len(records) and all(record.closed for record in known),
            ),
            True,
        )

    def _either(self, shapes: list[ValueShape], at: str) -> ValueShape:
        if all(shape == shapes[0] for shape in shapes):
            for shape in shapes[1:]:
                self._note_descriptions(shape)
            named = all(shape.named for shape in shapes)
            return replace(shapes[0], at=_flat(s.at for s in shapes), why=_flat(s.why for s in shapes), named=named)
        shape = self.join(shapes, at, shapes[0].out, exclusive=False)
        return replace(shape, at=_flat(s.at for s in shapes), why=_flat(s.why for s in shapes))


def _either_strings(shapes: list[ValueShape]) -> tuple[tuple[str, ...] | None, bool]:
    """The strings that any of these accept, and whether they are disjoint."""
    if not shapes or any(shape.strings is None for shape in shapes):
        return None, len(shapes) < 2
    everything = [value for shape in shapes for value in shape.strings or ()]
    distinct = tuple(dict.fromkeys(everything))
    return distinct, len(distinct) == len(everything)


def _flat(places: Iterable[Places]) -> Places:
    return tuple(dict.fromkeys(place for some in places for place in some))


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

_RULES_3: Final = frozenset({"extends", "disallow", "divisibleBy"})
"""Keywords that accept or refuse in draft 3 only, as does a `required` that is true."""

_HINTS: Final[dict[str, str]] = {
    **dict.fromkeys((*_RECORD, "patternProperties", "propertyNames", "minProperties", "maxProperties"), "object"),
    **dict.fromkeys(("unevaluatedProperties", "dependentRequired", "dependentSchemas", "dependencies"), "object"),
    **dict.fromkeys(("items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"), "array"),
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), "string"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"),
}
"""The type that a keyword implies if none is stated."""


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


class ShapeReader:
    """Reads schemas without references as shapes, and notes losses."""

    def __init__(self, note: NoteLoss, limits: Limits, *, hoist: bool) -> None:
        self._note = note
        self._length = 0
        self._longest = 20 * limits.output
        self._shapes = Shapes(note, hoist=hoist)
        self._draft: str | None = None

    def read(self, schema: object, at: str, out: str, level: int = 0) -> ValueShape:
        """The shape of the schema at `at`, which will be written at `out`."""
        if level == 0:
            self._draft = stated_draft(schema)
        if level > DEPTH:
            raise BudgetExceeded(at, f"more than {DEPTH} levels of subschemas")
        self._length += len(at)
        if self._length > self._longest:
            raise BudgetExceeded(at, "names that are too long for so many subschemas (limit output)")
        if schema is False:
            return ValueShape((at,), (at,), out, types=(), stated=True, named=True)
        if not isinstance(schema, dict):
            if schema is not True:
                self._note("TB201", at, out)
            return ValueShape((at,), (at,), out)
        node = cast("dict[str, Any]", schema)
        meant = with_required(node)
        if meant is not node:
            self._note("TB001", f"{at}/properties/required", out)
        shape = self._own(meant, at, out, level)
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
            self._note("TB201", f"{at}/allOf", out)
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
                self._note("TB201", f"{at}/{union}", out)
        return shape

    # keywords

    def _own(self, node: dict[str, Any], at: str, out: str, level: int) -> ValueShape:
        """The shape of a schema without its alternatives."""
        description: tuple[str, str] | None = None
        for key, value in node.items():
            if key in _RULES or (key in _RULES_3 and self._draft == "draft3") or (key == "required" and value is True):
                self._note("TB201", at + pointer(key), out)
            elif key in REFERENCES:
                self._note("TB206", at + pointer(key), out)
            elif key == "description" and isinstance(value, str):
                description = (value, f"{at}/description")
            elif key not in _READ:
                self._note("TB103", at + pointer(key), out)
        shape = self._types(node, at, out)
        if "nullable" in node:
            # OpenAPI's keyword for null, which JSON Schema ignores: null is refused then
            null = node["nullable"] is True and shape.stated
            self._note("TB202" if null else "TB103", f"{at}/nullable", out)
        for key in ("enum", "const"):
            if key in node:
                shape = self._limited(shape, [node[key]] if key == "const" else node[key], f"{at}/{key}")
        items = self._items(node, at, out, level) if "array" in shape.types else None
        record = self._record(node, at, out, level) if "object" in shape.types else None
        for key, type_ in (("items", "array"), ("prefixItems", "array"), *((key, "object") for key in _RECORD)):
            if key in node and type_ not in shape.types:
                self._note("TB103", f"{at}/{key}", out)
        return shape.with_parts(items, record, description)

    def _types(self, node: dict[str, Any], at: str, out: str) -> ValueShape:
        stated: object = node.get("type")
        names = cast("list[object]", stated) if isinstance(stated, list) else [stated]
        if names and all(isinstance(name, str) and (name in _PREFERENCE or name == "integer") for name in names):
            types = tuple(dict.fromkeys("number" if name == "integer" else cast("str", name) for name in names))
            if len(types) < len(names):  # an integer is a number
                self._note("TB103", f"{at}/type/{names.index('integer') if 'integer' in names else 0}", out)
            # an enum selects the type, too, so the place is the whole schema
            why = at if "enum" in node else f"{at}/type"
            if node.get("nullable") is True and "null" not in types:
                types = (*types, "null")
            integer = "integer" in names and "number" not in names
            return ValueShape((at,), (why,), out, types=types, stated=True, named=True, integer=integer)
        if "type" in node:
            self._note("TB201", f"{at}/type", out)
        hint = next((_HINTS[key] for key in node if key in _HINTS), _PREFERENCE[0])
        return ValueShape((at,), (at,), out, types=tuple(dict.fromkeys((hint, *_PREFERENCE))))

    def _limited(self, shape: ValueShape, values: object, place: str) -> ValueShape:
        """The shape with these values only; the engine's enum has strings, other values become their type."""
        if not isinstance(values, list) or not values:
            self._note("TB201", place, shape.out)
            return shape
        listed = cast("list[object]", values)
        kinds = dict.fromkeys(map(_kind, listed))
        numbers = [value for value in listed if _kind(value) == "number"]
        integer = shape.integer if shape.stated else all(map(_integral, numbers))
        if integer and not any(map(_integral, numbers)):
            kinds.pop("number", None)
        strings = tuple(value for value in listed if isinstance(value, str))
        if shape.strings is not None:
            strings = self._shapes.common(shape, strings, (place,))
        if not strings:
            kinds.pop("string", None)
        types = tuple(t for t in (shape.types if shape.stated else kinds) if t in kinds and t in shape.types)
        if not types:
            self._note("TB201", place, shape.out)
            return shape
        for index, value in enumerate(listed):
            if _kind(value) not in types:
                self._note("TB001", f"{place}/{index}", shape.out)
        half = "boolean" in types and not (any(v is True for v in listed) and any(v is False for v in listed))
        if half or not {"number", "array", "object"}.isdisjoint(types):
            self._note("TB201", place, shape.out)
        elif shape.stated and types == shape.types and "string" not in types:
            self._note("TB103", place, shape.out)
        return replace(
            shape,
            types=types,
            why=shape.why if shape.stated else (place,),
            stated=True,
            integer=integer and "number" in types,
            strings=strings if "string" in types else None,
            strings_at=(*shape.strings_at, place),
        )

    def _items(self, node: dict[str, Any], at: str, out: str, level: int) -> ValueShape | None:
        tuples = [key for key in ("prefixItems", "items") if isinstance(node.get(key), list) and node[key]]
        if tuples:
            for key in ("prefixItems", "items"):
                if key in node:
                    self._note("TB202", f"{at}/{key}", out)
            return None
        if "prefixItems" in node:
            self._note("TB201", f"{at}/prefixItems", out)
        if "items" not in node:
            return None
        shape = self.read(node["items"], f"{at}/items", f"{out}/items", level + 1)
        if not shape.anything:
            return shape
        self._shapes.note_description(shape)
        return None

    def _record(self, node: dict[str, Any], at: str, out: str, level: int) -> ObjectShape | None:
        read_places = tuple(f"{at}/{key}" for key in _RECORD if key in node)
        if not read_places:
            return None
        properties: dict[str, ValueShape] = {}
        given: object = node.get("properties", {})
        if isinstance(given, dict):
            for name, sub in cast("dict[str, object]", given).items():
                step = pointer("properties", name)
                properties[name] = self.read(sub, at + step, out + step, level + 1)
        else:
            # null, and the empty list that PHP writes for an empty map
            self._note("TB201" if given else "TB001", f"{at}/properties", out)
        required = self._required(node, at, out)
        closed = self._closed(node, at, out)
        return ObjectShape(
            (at,),
            read_places,
            closed_at=(f"{at}/additionalProperties",) if closed else (),
            opened_at=(f"{at}/additionalProperties",) if node.get("additionalProperties") in (True, {}) else (),
            properties=properties,
            required=frozenset(required),
            required_at=required,
            closed=closed,
        )

    def _required(self, node: dict[str, Any], at: str, out: str) -> dict[str, str]:
        given: object = node.get("required", [])
        if not isinstance(given, list):
            self._note("TB001" if given is None else "TB201", f"{at}/required", out)
            return {}
        required: dict[str, str] = {}
        for index, name in enumerate(cast("list[object]", given)):
            place = f"{at}/required/{index}"
            if not isinstance(name, str):
                self._note("TB201", place, out)
            elif name in required:
                self._note("TB001", place, out)
            else:
                required[name] = place
        return required

    def _closed(self, node: dict[str, Any], at: str, out: str) -> bool:
        given: object = node.get("additionalProperties", True)
        if given is False:
            if not node.get("patternProperties"):
                return True
            # properties that match a pattern are allowed, and the engine has no patterns
            self._note("TB204", f"{at}/additionalProperties", out)
        elif given is not True and given != {}:
            self._note("TB201", f"{at}/additionalProperties", out)
        return False
