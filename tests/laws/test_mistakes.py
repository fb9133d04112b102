"""The laws over schemas with mistakes that servers make, most of them seen in public reports of rejected tools."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from laws import law
from toolbridge import LossError, convert, get_format
from toolbridge.data import pointer as at
from toolbridge.errors import ToolbridgeError
from toolbridge.schema.vocabulary import draft

MCP = get_format("mcp@2026-07-28")
TARGETS = [
    *(
        "openai@chat",
        "openai@chat-strict",
        "anthropic@messages",
        "gemini@parameters",
        "gemini@json-schema",
        "ollama@chat",
    ),
    *("mcp@2025-11-25", "arcade@1.0", "arcade-engine@4", "hyper-mcp@2"),
]

S: dict[str, Any] = {"type": "string"}
FLAGGED: dict[str, Any] = {"type": "string", "required": True}
ADDRESS: dict[str, Any] = {"type": "object", "properties": {"s": S, "t": {"$ref": "#/$defs/B"}}}


def p(value: Any) -> dict[str, Any]:
    """A schema with one parameter."""
    return {"type": "object", "properties": {"a": value}}


def o(properties: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **more}


IN_PARAMETER = [
    *("string", "date", "any", "foo", None, ["string"], 5),
    *(
        {"type": kind}
        for kind in ("strng", "", "HashMap", None, [], ["string", None], [None], ["string", 5], {"type": "x"})
    ),
    *({"type": kind} for kind in ([["string"]], ["any", None], ["date", None], ["string", {"type": "object"}])),
    *({"type": "array", "items": items} for items in (None, [], "string", [S, {"type": "integer"}])),
    *(
        {"type": "array", "items": {"$ref": "#/definitions/A"}, "definitions": {"A": definition}}
        for definition in (S, "string")
    ),
    *({"type": "object", "additionalProperties": more} for more in (None, "string", {})),
    *({"anyOf": branches} for branches in ([], None, {"type": "string"}, ["string", S], [{"not": {}}, S])),
    {"anyOf": [{"type": "string", "enum": ["A"]}, {"type": "null", "enum": ["A"]}]},
    *({"type": "string", "enum": values} for values in ("a,b", [], ["a", "a"], {"0": "a", "2": "b"})),
    *(
        {"type": "integer", key: value}
        for key, value in (("minimum", "0"), ("exclusiveMinimum", True), ("multipleOf", 0))
    ),
    *({"type": "string", key: value} for key, value in (("maxLength", "10"), ("minLength", -1), ("pattern", "["))),
    *({"type": "string", key: None} for key in ("description", "format", "default", "title")),
    *({"type": "string", "description": ["a"], "title": 5, "examples": "x"}, FLAGGED),
    *({"$ref": to} for to in ("#/components/schemas/X", "https://example.org/x.json", "#/properties/a", 5, None)),
    o({"h": {"$ref": "#/$defs/A"}, "k": {"$ref": "#/$defs/No"}}, **{"$defs": {"A": ADDRESS, "B": S, "C": S}}),
    o({"h": {"$ref": "#/$defs/A"}}, **{"$defs": {"A": {"type": "object", "properties": {"s": {"$ref": "#/$defs/A"}}}}}),
]

# A `required` among the properties, or as a flag of one, beside one of the object that is a list of names, or is not.
OBJECTS = [
    o({"a": a, "b": S, **more}, **own)
    for a, more in ((S, {"c": S, "required": ["c"]}), (FLAGGED, {}), (FLAGGED, {"c": S, "required": ["c"]}))
    for own in ({}, *({"required": own} for own in (["b"], "b", ["b", 5], {"0": "b"}, {"b": True}, True, None, 5)))
]

# A `type` of the object among the properties, if it can be nothing else, or a parameter.
TYPED = [
    *({"properties": {"type": "object", "a": S, **more}} for more in ({}, {"required": ["a"]}, {"b": "string"})),
    {"properties": {"type": "object", "a": S}, "required": ["type"]},
    {"properties": {"type": "object"}},
]

# An object that is nothing but its properties, or may be something else.
FLAT = [
    *(
        {"a": S, **more}
        for more in ({}, {"b": FLAGGED, "c": {"type": "int"}}, {"type": S}, {"type": "object"}, {"d": 5})
    ),
    {"a": {"type": "string", "format": "uri", "pattern": "^a$"}, "b": p(FLAGGED), "description": S},
    *({"default": S}, {"x-a": S}, {"a": S, "items": S}, {"a": {"type": "strng"}}, {"a": S, "description": "d"}),
    # The ToolInputSchema of Bedrock.
    *({"json": {"type": "object", "properties": inner}} for inner in ({}, {"a": {"type": "str", "required": True}})),
]

# A whole schema in the place of the properties, if it can be nothing else.
WITHIN = [
    o({"type": "object", "properties": inner, **more}, **own)
    for inner in ({}, {"a": S, "b": FLAGGED}, {"a": {"type": "string", "format": "uri", "pattern": "^a$"}})
    for more in ({}, {"required": ["a"], "description": "d"}, {"additionalProperties": False}, {"c": S}, {"title": S})
    for own in ({}, {"required": ["b"]}, {"required": "a"})
] + [{"properties": {"type": "object", "properties": {"a": S}, "required": ["a"]}}, o({"properties": {"a": S}})]

SCHEMAS = [
    *FLAT,
    *WITHIN,
    *map(p, IN_PARAMETER),
    *OBJECTS,
    *map(p, OBJECTS),
    *TYPED,
    *map(p, TYPED),
    *({"type": kind, "properties": {"a": S}} for kind in ("dict", "OBJECT")),
    *(o({"a": S, "type": "object"}), o({"a": S, "description": "x"}), o(None), o([]), {"properties": {"a": S}}, {}),
    o({"a": {"$ref": "#/$defs/A", "$defs": {"A": S}}, "b": {"$ref": "#/$defs/A", "$defs": {"A": {"type": "integer"}}}}),
]


@pytest.mark.parametrize("side", ["inputSchema", "outputSchema"])
@pytest.mark.parametrize("target", TARGETS)
def test_laws(target: str, side: str) -> None:
    form, count = get_format(target), 0
    for schema in SCHEMAS:
        document = {"name": "t", "description": "d", "inputSchema": {"type": "object"}, side: schema}
        try:
            convert(document, form, source=MCP)
        except ToolbridgeError:
            continue  # refused, by MCP or by the target, with the place
        count += 1
        assert law.restoring(document, MCP, form) is None
        assert law.honesty(document, MCP, form) is None
        assert law.places_exist(document, MCP, form) is None
        assert law.validity(document, MCP, form) is None
        assert law.completeness(document, MCP, form) is None
    assert count > len(SCHEMAS) * 0.7


@pytest.mark.parametrize(
    "target", ["mcp@2025-06-18", "mcp@2026-07-28", "mcpx", "hyper-mcp@1", "hyper-mcp@2", "arcade@1.0", "webmcp"]
)
def test_a_written_schema_is_one(target: str) -> None:
    """Formats that take any JSON Schema got values for which validators refuse all of it, without a loss."""
    place = "/input_schema/parameters" if target == "arcade@1.0" else "/inputSchema"
    for schema in SCHEMAS:
        if draft(schema) != "2020-12" or schema == p({"type": ["string", {"type": "object"}]}):
            continue  # it is one of an older draft, as a type that is a schema is one of draft 3
        done = convert({"name": "t", "parameters": schema}, target, source="openai@functions", on_error="skip")
        if done.value is not None:
            written = at.get(done.value, place)
            validator_for(written, default=Draft202012Validator).check_schema(written, None)


@pytest.mark.parametrize("target", ["mcp@2025-06-18", "mcp@2025-11-25", "mcp@2026-07-28"])
@pytest.mark.parametrize("properties", [[{"name": "a", "type": "string"}], "a", 5])
def test_parameters_that_cannot_be_read_are_not_left_out_for_mcp(properties: Any, target: str) -> None:
    with pytest.raises(LossError) as found:
        convert({"name": "t", "parameters": o(properties)}, target, source="openai@functions")
    assert [(loss.code, loss.source) for loss in found.value.report] == [("TB901", "/parameters/properties")]
