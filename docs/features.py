"""Features of JSON Schema, each in its smallest example: what dialects differ in."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

DEFINITIONS: Final[dict[str, Any]] = {
    "Berth": {"type": "string"},
    "Tree": {
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
        "required": ["children"],
        "additionalProperties": False,
    },
}
"""What the examples refer to."""

_TEXT: Final[dict[str, Any]] = {"type": "string"}
_NUMBER: Final[dict[str, Any]] = {"type": "number"}
_LIST: Final[dict[str, Any]] = {"type": "array", "items": {"type": "string"}}
_A: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}


def beyond(value: Any, base: Any) -> Any:
    """The part of a schema that another schema does not have."""
    if not isinstance(value, dict) or not isinstance(base, dict):
        return value
    return {key: beyond(it, base.get(key)) for key, it in value.items() if base.get(key, ...) != it}


class Feature(NamedTuple):
    """One feature: the schema of a parameter that has it, or of all arguments (`root`).

    `without` is a schema that does not have it: what is written or noted of that is not the feature's. `adds` says
    that the feature is nothing but keywords beside those of `without`. `parameter` is what the parameter is called,
    `optional` whether it may be omitted.
    """

    group: str
    name: str
    schema: dict[str, Any]
    without: dict[str, Any] = _TEXT
    root: bool = False
    adds: bool = False
    parameter: str = "x"
    optional: bool = False

    def whole(self) -> dict[str, Any]:
        return self.schema if self.root else self._around(self.schema, self.parameter, optional=self.optional)

    def plain(self) -> dict[str, Any]:
        return self.without if self.root else self._around(self.without, "x", optional=False)

    @property
    def shown(self) -> dict[str, Any]:
        """The schema for people to read: of one that adds keywords to another, only these."""
        if self.adds:
            return beyond(self.schema, self.without)
        return {self.parameter: self.schema} if self.parameter != "x" else self.schema

    def _around(self, schema: dict[str, Any], parameter: str, *, optional: bool) -> dict[str, Any]:
        whole: dict[str, Any] = {"type": "object", "properties": {parameter: schema}}
        if not optional:
            whole["required"] = [parameter]
        whole["additionalProperties"] = False
        name = schema.get("$ref", "").rpartition("/")[2]
        return {**whole, "$defs": {name: DEFINITIONS[name]}} if name in DEFINITIONS else whole


def _with(group: str, without: dict[str, Any], *features: tuple[str, dict[str, Any]]) -> list[Feature]:
    """Features that are keywords added to the same schema."""
    return [Feature(group, name, {**without, **words}, without, adds=True) for name, words in features]


def _alone(group: str, *features: tuple[str, dict[str, Any]]) -> list[Feature]:
    return [Feature(group, name, schema) for name, schema in features]


FEATURES: Final[tuple[Feature, ...]] = (
    *_alone(
        "Types",
        ("one type", {"type": "integer"}),
        ("several types", {"type": ["string", "integer"]}),
        ("or null", {"type": ["string", "null"]}),
        ("anything", {}),
    ),
    Feature("Types", "a parameter that may be omitted", {"type": "string"}, optional=True),
    Feature("Types", "one that may be omitted, or null", {"type": ["string", "null"]}, optional=True),
    Feature("Types", "a parameter called `filter[flag]`", {"type": "string"}, parameter="filter[flag]"),
    *_alone(
        "Values",
        ("enum of strings", {"type": "string", "enum": ["red", "green"]}),
        ("enum with an empty string", {"type": "string", "enum": ["", "red"]}),
        ("enum of numbers", {"type": "integer", "enum": [60, 1440]}),
        ("enum of several types", {"enum": ["auto", 1, None]}),
        ("enum of objects", {"enum": [{"a": 1}, {"a": 2}]}),
        ("const", {"const": "red"}),
    ),
    *_with(
        "Strings and numbers",
        _TEXT,
        ("minLength, maxLength", {"minLength": 1, "maxLength": 9}),
        ("pattern", {"pattern": "[a-z]+"}),
        ("pattern with anchors", {"pattern": "^[a-z]+$"}),
        ("pattern with a lookaround", {"pattern": "^(?!x)"}),
        ("pattern with \\p", {"pattern": "\\p{L}"}),
        ("format date-time", {"format": "date-time"}),
        ("format email", {"format": "email"}),
        ("format uri", {"format": "uri"}),
        ("a custom format", {"format": "imo-number"}),
    ),
    *_with(
        "Strings and numbers",
        _NUMBER,
        ("minimum, maximum", {"minimum": 1, "maximum": 9}),
        ("exclusiveMinimum", {"exclusiveMinimum": 0}),
        ("multipleOf", {"multipleOf": 5}),
    ),
    *_alone(
        "Lists",
        ("items", _LIST),
        ("no items", {"type": "array"}),
        ("a tuple", {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "items": False}),
        (
            "a tuple of drafts up to 2019-09",
            {"type": "array", "items": [{"type": "number"}, {"type": "number"}], "minItems": 2, "maxItems": 2},
        ),
    ),
    *_with(
        "Lists",
        _LIST,
        ("minItems: 1", {"minItems": 1}),
        ("minItems: 2, maxItems", {"minItems": 2, "maxItems": 9}),
        ("uniqueItems", {"uniqueItems": True}),
        ("contains", {"contains": {"const": "red"}}),
    ),
    *_alone(
        "Objects",
        ("these properties and no others", _A),
        ("these properties, others too", {key: it for key, it in _A.items() if key != "additionalProperties"}),
        ("anything in it", {"type": "object"}),
        ("a map", {"type": "object", "additionalProperties": {"type": "string"}}),
        ("patternProperties", {"type": "object", "patternProperties": {"^x-": {"type": "string"}}}),
    ),
    *_with(
        "Objects",
        _A,
        ("minProperties", {"minProperties": 2}),
        ("propertyNames", {"propertyNames": {"maxLength": 9}}),
        ("dependentRequired", {"dependentRequired": {"a": ["b"]}}),
        ("if, then", {"if": {"properties": {"a": {"const": "x"}}}, "then": {"properties": {"b": {"const": "y"}}}}),
    ),
    *_alone(
        "Alternatives",
        ("anyOf", {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        ("anyOf, with a description", {"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "Which"}),
        ("oneOf that cannot overlap", {"oneOf": [{"type": "string"}, {"type": "integer"}]}),
        ("oneOf that may overlap", {"oneOf": [{"type": "integer"}, {"type": "number"}]}),
        ("allOf", {"allOf": [{"type": "string"}, {"description": "Which"}]}),
    ),
    *_with("Alternatives", _TEXT, ("not", {"not": {"enum": ["red"]}})),
    Feature(
        "Alternatives",
        "alternatives at the root",
        {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
        root=True,
    ),
    *_alone(
        "References",
        ("$ref", {"$ref": "#/$defs/Berth"}),
        ("$ref, with a description", {"$ref": "#/$defs/Berth", "description": "Where"}),
        ("a definition that contains itself", {"$ref": "#/$defs/Tree"}),
    ),
    *_with(
        "Comments",
        _TEXT,
        ("description", {"description": "Which"}),
        ("title", {"title": "Colour"}),
        ("default", {"default": "red"}),
        ("examples", {"examples": ["red"]}),
        ("deprecated", {"deprecated": True}),
        ("$comment", {"$comment": "ours"}),
        ("a word of one's own", {"x-unit": "m"}),
    ),
)
"""Every feature, by group."""
