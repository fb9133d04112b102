"""The smallest tools that once broke a law, held to all of them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from laws import law, meaning
from toolbridge import DocumentError, LossError, convert
from toolbridge.data.equality import same
from toolbridge.formats.registry import get_format


def mcp(**fields: Any) -> dict[str, Any]:
    return {"name": "a", "inputSchema": {"type": "object"}} | fields


def arcade(**fields: Any) -> dict[str, Any]:
    return {"id": "A.Add@1.0.0", "name": "Add", "description": "", "version": "1.0.0"} | fields


def takes(schema: dict[str, Any] | None = None, **properties: Any) -> dict[str, Any]:
    return mcp(inputSchema={"type": "object", "properties": properties, **(schema or {})})


DEFS = {"$defs": {"x": {"minProperties": 1}}}
NOTHING = {"type": "object", "properties": {}}
DRAFT_7 = "http://json-schema.org/draft-07/schema#"

ENDS = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}]}
QUIET: list[dict[str, Any]] = [  # words that once went without a note, a few at a time
    {"x": {"type": "object", "additionalProperties": True}, "y": {"type": "object", "properties": {}, "required": []}},
    {"x": {"type": "array", "items": {}}, "y": {"type": "object", "properties": {"k": {}}, "additionalProperties": {}}},
    {"x": {"anyOf": [{"type": "string"}, {"type": "string"}]}, "y": {"type": ["integer", "number"]}},
    {
        "x": {"type": "string", "allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]},
        "y": {"anyOf": [{"type": "null"}]},
    },
    {"x": {"oneOf": [False, False], "minLength": 2}, "y": {"anyOf": [{"type": "null", "title": "t", "const": None}]}},
    {"x": {"oneOf": [{"oneOf": [{"type": "null"}]}], "not": {"type": "null"}}},
    {"x": {"items": [{"type": "integer"}], "prefixItems": [{"type": "string"}]}},
    {"x": {"dependencies": {"a": ["b"]}, "dependentRequired": {"c": ["d"]}}},
    {"x": {"allOf": [{"properties": {"k": {}}}, {"properties": {"k": {"type": "string"}}}], "properties": {}}},
    {"x": {"allOf": [{"required": ["k", "k"]}, {"patternProperties": {}}], "properties": {"k": {}}, "required": []}},
    {
        "x": {
            "allOf": [{"items": {"type": "string"}}, {"propertyNames": {"minLength": 1}}],
            "items": {},
            "propertyNames": {},
        }
    },
    {"x": {**ENDS, "items": {"type": "string"}}, "y": {**ENDS, "items": False, "maxItems": 3}},
    {"x": {**ENDS, "items": False, "maxItems": 2}},
    {"x": {"type": "object", "allOf": [{"prefixItems": [{"minimum": 1}]}], "prefixItems": [{"type": "integer"}]}},
    {"x": {"allOf": [{"type": "object"}, {"type": "object", "nullable": True}]}},
]

TOOLS = [
    ("mcp@2025-03-26", mcp(_meta={"arcade": {"requirements": {"secrets": []}}})),
    ("mcp@2024-11-05", mcp(_meta={"arcade": {"metadata": {"behavior": {"read_only": True}}}})),
    ("mcp@2025-03-26", mcp(title="x", annotations={"title": "y"})),
    ("mcp@2025-03-26", mcp(title="x", annotations={"title": "x"})),
    ("mcp@2025-03-26", mcp(inputSchema={"type": "object", "allOf": [{}]})),
    ("mcp@2026-07-28", mcp(inputSchema={"type": "object", "if": {"$ref": "#/$defs/x"}, **DEFS})),
    ("mcp@2026-07-28", mcp(inputSchema={"type": "object", "oneOf": [{"$ref": "#/$defs/x"}, {}], **DEFS})),
    ("mcp@2026-07-28", mcp(inputSchema={"type": "object", "oneOf": [{"$ref": "#"}, {}]})),
    ("mcp@2025-06-18", mcp(outputSchema={"type": "object", "properties": {}, "required": []})),
    ("mcp@2025-11-25", mcp(outputSchema={}, _meta={"dev.toolbridge/wrapped": False})),
    ("mcp@2025-11-25", mcp(outputSchema={}, _meta={})),
    ("arcade@1.0-errata", arcade()),
    ("arcade@1.0", arcade(input_schema={"parameters": {}}, output_schema=None)),
    ("hyper-mcp@1", mcp(description="", outputSchema={"type": "string"})),
    ("mcp@2025-11-25", takes()),
    ("mcp@2025-11-25", takes(x={"allOf": [{}]}, y={"anyOf": [{}]})),
    ("mcp@2025-11-25", takes(x={"type": "string", "enum": ["a"]})),
    ("mcp@2025-11-25", takes({"description": "A root."})),
    ("mcp@2025-11-25", takes({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, a={}, b={})),
    ("mcp@2025-11-25", takes(x={"maximum": 1, "not": {}, "minLength": 3, "$ref": "#"})),
    ("mcp@2025-11-25", takes({"required": ["ü"]}, ü={}, a={"$ref": "#", "required": ["ü"]})),
    ("mcp@2025-11-25", takes({"$schema": DRAFT_7, **DEFS}, a={"type": "string", "$ref": "#/$defs/x"})),
    ("mcp@2025-11-25", takes({"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]})),
    (
        "mcp@2025-11-25",
        takes(
            {"$defs": {"x": takes({"required": ["k"]}, k={"type": "string"})["inputSchema"]}},
            x={"type": "array", "items": {"$ref": "#/$defs/x"}},
        ),
    ),
    *(("mcp@2025-11-25", takes({"additionalProperties": False}, **properties)) for properties in QUIET),
    ("openai@functions", {"name": "a", "description": "", "parameters": NOTHING}),
    ("gemini@parameters", {"name": "a", "description": "", "parameters": {**NOTHING, "type": "OBJECT"}}),
    ("langchain@json-schema", {"title": "a", "type": "object", "maximum": 3, "allOf": [{"enum": [0]}]}),
    (
        "arcade-engine@4",
        {
            "name": "Add",
            "fully_qualified_name": "Math.Add",
            "description": "",
            "toolkit": {"name": "Math"},
            "input": {"parameters": []},
            "output": {"description": None, "value_schema": {"val_type": "string", "description": "t"}},
            "requirements": {},
        },
    ),
]


@pytest.mark.parametrize(("source", "document"), TOOLS, ids=[f"{n}-{source}" for n, (source, _) in enumerate(TOOLS)])
def test_a_tool(source: str, document: dict[str, Any]) -> None:
    a = get_format(source)
    for b in law.WRITABLE:
        if b is not a:
            assert law.restoring(document, a, b) is None
            assert law.honesty(document, a, b) is None
            assert law.places_exist(document, a, b) is None
            assert law.completeness(document, a, b) is None
            assert law.validity(document, a, b) is None
            assert meaning.meaning(document, a, b, Random(0)) is None


TWINS = [
    ("mcp@2026-07-28", "mcp@2024-11-05", [mcp(title="one"), mcp(title="two"), mcp()]),
    ("arcade@1.0-errata", "mcp", [arcade(id="A.x@1.0.0", name="x"), arcade(id="B.x@1.0.0", name="x")]),
    ("mcpx", "arcade-engine@4", [mcp(name=".", description=""), mcp(name="_", description="")]),
]


@pytest.mark.parametrize(("source", "target", "documents"), TWINS)
def test_tools_that_become_equal_come_home_different(source: str, target: str, documents: list[Any]) -> None:
    done = convert(documents, target, source=source)
    rest = done.remainder
    assert rest is not None
    restored = convert(json.loads(json.dumps(done.value)), source, source=target, restore=rest.to_json())
    assert same(restored.value, documents)


@pytest.mark.parametrize("names", [["a.b", "a_b"], ["a@b", "a.b"], ["a_b", "A_b"]])
def test_no_two_tools_have_one_name_in_the_engine(names: list[str]) -> None:
    done = convert([mcp(name=name) for name in names], "arcade-engine", source="mcp")
    assert len({value["fully_qualified_name"].lower() for value in done.value}) == len(names)


@pytest.mark.parametrize("source", ["mcp@2025-06-18", "mcp@2025-11-25"])
def test_a_meta_that_is_no_object_is_an_error_in_words(source: str) -> None:
    with pytest.raises((DocumentError, LossError), match="_meta"):
        convert(mcp(_meta=0.5, outputSchema={}), "mcpx", source=source)
