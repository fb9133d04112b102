"""What a written schema accepts is what was accepted, or the report says otherwise: the smallest case of each kind.

The ids (D1, K5 ...) are those of the defects' first report.
"""

from __future__ import annotations

from typing import Any

import pytest

from laws import law
from laws.meaning import reads, validator
from toolbridge import check, convert
from toolbridge.formats.registry import get_format

MCP = "mcp@2026-07-28"


def tool(schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": "t", "description": "d", "inputSchema": schema}


def parameter(schema: Any, **root: Any) -> dict[str, Any]:
    return tool({"type": "object", "properties": {"a": schema}, **root})


def written(document: Any, target: str) -> tuple[dict[str, Any], set[tuple[str, str]]]:
    """The written schema in the words of JSON Schema, and the losses."""
    done = convert(document, target, source=MCP)
    schema: dict[str, Any] = reads(done.value, get_format(target)).fields["input"]
    return schema, {(loss.code, loss.source.removeprefix("/inputSchema")) for loss in done.report}


def accepts(schema: dict[str, Any], value: Any) -> bool:
    found = validator(schema, older=False)
    assert found is not None
    return found(value)


# Arcade's engine as a source


def engine_tool(**value_schema: Any) -> dict[str, Any]:
    one = {"name": "a", "required": True, "description": "x", "value_schema": value_schema}
    return {
        "name": "A",
        "fully_qualified_name": "T.A",
        "description": "d",
        "toolkit": {"name": "T"},
        "input": {"parameters": [one]},
        "output": {"available_modes": ["null"]},
        "requirements": {},
    }


@pytest.mark.parametrize(
    ("value_schema", "values"),
    [
        ({"val_type": "integer", "enum": ["1", "2"]}, [1, 2]),
        ({"val_type": "number", "enum": ["1", "2.5"]}, [1, 2.5]),
        ({"val_type": "boolean", "enum": ["true", "False"]}, [True, False]),
    ],
)
def test_d1_values_that_the_engine_spells_as_text(value_schema: dict[str, Any], values: list[Any]) -> None:
    """D1: an enum of numbers or booleans is not lost."""
    document = engine_tool(**value_schema)
    done = convert(document, "mcp", source="arcade-engine")
    assert done.value["inputSchema"]["properties"]["a"]["enum"] == values
    assert ("TB001", "/input/parameters/0/value_schema/enum") in {(loss.code, loss.source) for loss in done.report}
    assert convert(done.value, "arcade-engine", source="mcp", restore=done.remainder or False).value == document
    same = convert(document, "arcade-engine", source="arcade-engine")
    assert same.value == document
    assert not same.report


def test_d1_of_the_items_of_an_array() -> None:
    document = engine_tool(val_type="array", inner_val_type="integer", enum=["1"])
    done = convert(document, "mcp", source="arcade-engine")
    assert done.value["inputSchema"]["properties"]["a"]["items"] == {"type": "integer", "enum": [1]}


@pytest.mark.parametrize(
    "value_schema",
    [
        {"val_type": "integer", "enum": ["1", "two"]},
        {"val_type": "integer", "enum": ["1.5"]},
        {"val_type": "json", "enum": ["{}"]},
        {"val_type": "number", "enum": ["1", "NaN"]},
        {"val_type": "number", "enum": ["Infinity"]},
        {"val_type": "number", "enum": ["1e999"]},
        {"val_type": "integer", "enum": ["[" * 100_000]},
    ],
    ids=["a word", "a fraction", "json", "not a number", "infinite", "too large", "too deep"],
)
def test_d1_values_of_which_nobody_knows_the_meaning(value_schema: dict[str, Any]) -> None:
    done = convert(engine_tool(**value_schema), "mcp", source="arcade-engine")
    assert "enum" not in done.value["inputSchema"]["properties"]["a"]
    assert ("TB201", "/input/parameters/0/value_schema/enum") in {(loss.code, loss.source) for loss in done.report}


# alternatives


@pytest.mark.parametrize("target", ["gemini@parameters", "openai@chat-strict", "anthropic@strict"])
@pytest.mark.parametrize(("kind", "beside"), [("number", {"minimum": 0}), ("string", {"minLength": 1})])
def test_d2_alternatives_that_become_equal(kind: str, beside: dict[str, Any], target: str) -> None:
    """D2: where an alternative without a type becomes one of a type, values of others are refused."""
    _, losses = written(parameter({**beside, "anyOf": [{"type": kind}, {}]}), target)
    assert ("TB304", "/properties/a/anyOf/1") in losses


@pytest.mark.parametrize("target", ["cohere", "ollama"])
@pytest.mark.parametrize("union", [{"anyOf": [{"minItems": 1}]}, {"oneOf": [{"minItems": 1}, False]}])
def test_d3_a_tuple_stays_with_its_rest(union: dict[str, Any], target: str) -> None:
    """D3: prefixItems goes into an alternative together with items."""
    a = {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "object"}, **union}
    schema, losses = written(parameter(a), target)
    assert accepts(schema, {"a": ["s"]})
    assert accepts(schema, {"a": ["s", {}]})
    assert "TB202" in {code for code, _ in losses}


@pytest.mark.parametrize("target", ["openai@chat-strict", "openai@responses-strict", "anthropic@strict"])
def test_d4_a_format_beside_alternatives(target: str) -> None:
    """D4: what may not stand beside anyOf is told in the description."""
    done = convert(
        parameter({"format": "date", "anyOf": [{"type": "string"}, {"type": "integer"}]}), target, source=MCP
    )
    assert check([done.value], target) == []
    assert ("TB103", "/inputSchema/properties/a/format") in {(loss.code, loss.source) for loss in done.report}


NULLS: list[Any] = [
    {"anyOf": [{"type": "string"}, {"anyOf": [{"type": "null"}, {"type": "null"}]}, {"type": "null"}]},
    {"anyOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "null"}]},
    {"anyOf": [{"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}, {"type": "null"}]},
    {"anyOf": [{"type": ["string", "null"]}, {"type": ["integer", "null"]}, {"type": "null"}]},
]
MEETINGS: list[Any] = [
    {"allOf": [{"type": "number", "maximum": 9}, {"type": "integer"}]},
    {"allOf": [{"type": "integer"}, {"type": "number"}]},
    {"allOf": [{"type": "string"}, {"type": "string"}]},
    {"type": ["string", "null"], "allOf": [{"type": "string"}]},
]


@pytest.mark.parametrize(
    ("schema", "target"),
    [*((it, "gemini@parameters") for it in NULLS), *((it, "arcade-engine") for it in MEETINGS)],
)
def test_d6_what_adds_nothing_is_reported(schema: Any, target: str) -> None:
    """D6: no part of a schema goes without a word, even where the same values are accepted."""
    assert law.completeness(parameter(schema), get_format(MCP), get_format(target)) is None


def test_d7_null_that_is_none_of_the_values() -> None:
    """D7: an alternative of type null that enumerates other values accepts nothing."""
    document = parameter({"oneOf": [{"type": "string"}, {"type": "null", "enum": [False]}]})
    schema, losses = written(document, "gemini@parameters")
    assert not accepts(schema, {"a": None})
    assert ("TB103", "/properties/a/oneOf/1") in losses


# values in comments


def test_d9_defaults_follow_what_they_are_values_of() -> None:
    """D9: a default is a value of the schema that is written."""
    schema, losses = written(
        parameter({"type": "array", "items": {"enum": [1, 2]}, "default": [1]}), "gemini@parameters"
    )
    assert schema["properties"]["a"]["default"] == ["1"]
    assert ("TB505", "/properties/a/default") in losses
    inner = {"type": "object", "properties": {"k": {"type": "integer", "enum": [1, 2]}}, "default": {"k": 2}}
    schema, losses = written(parameter(inner), "gemini@parameters")
    assert schema["properties"]["a"]["default"] == {"k": "2"}
    assert ("TB505", "/properties/a/default") in losses


def test_d9_defaults_follow_new_names() -> None:
    document = tool({"type": "object", "properties": {"ü": {"type": "integer"}}, "default": {"ü": 1}})
    schema, losses = written(document, "anthropic")
    (name,) = schema["properties"]
    assert schema["default"] == {name: 1}
    assert ("TB501", "/default") in losses


# `required` among the properties


@pytest.mark.parametrize(
    "target",
    [
        *("openai", "openai@chat-strict", "anthropic", "gemini", "cohere", "ollama", "mcp@2025-11-25", "hyper-mcp@2"),
        *("arcade-engine@4", "bedrock", "mistral", "gemini@parameters", "arcade@1.0", "arcade@1.0-errata"),
    ],
)
def test_d10_required_among_the_properties(target: str) -> None:
    """D10: a list of names among the properties is the `required` of the object, and no parameter."""
    properties = {"symbol": {"type": "string", "description": "s"}, "required": ["symbol"]}
    schema, losses = written(tool({"type": "object", "properties": properties}), target)
    assert list(schema["properties"]) == ["symbol"]
    assert schema["required"] == ["symbol"]
    assert ("TB001", "/properties/required") in losses
    nested = {"type": "object", "properties": {"b": {"type": "string"}, "required": ["b"]}, "required": []}
    schema, losses = written(parameter(nested), "anthropic")
    assert schema["properties"]["a"]["required"] == ["b"]
    assert list(schema["properties"]["a"]["properties"]) == ["b"]


@pytest.mark.parametrize("target", ["openai", "openai@chat-strict", "anthropic", "gemini", "hyper-mcp@2", "ollama"])
def test_definitions_that_stand_in_a_parameter(target: str) -> None:
    """A schema that was put into a property with its definitions still refers to them as to those of the root."""
    street = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    home = {"$ref": "#/$defs/Address"}
    address = {"type": "object", "properties": {"street": {"$ref": "#/$defs/Street"}}, "required": ["street"]}
    definitions = {"Address": address, "Street": street}
    config = {"type": "object", "properties": {"home": home}, "required": ["home"], "$defs": definitions}
    document = parameter(config, required=["a"])
    schema, losses = written(document, target)
    if target not in ("gemini", "ollama"):
        assert accepts(schema, {"a": {"home": {"street": {"name": "x"}}}})
        assert not accepts(schema, {"a": {"home": {"street": {"name": 1}}}})
    assert "name" in str(schema)
    assert ("TB001", "/properties/a/properties/home/$ref") in losses
    assert not {loss for loss in losses if loss[0].startswith("TB2")}
    form = get_format("mcp@2026-07-28")
    assert law.restoring(document, form, get_format(target)) is None
    assert law.places_exist(document, form, get_format(target)) is None


def test_a_definition_of_the_nearest_schema_is_meant_and_one_that_is_nowhere_is_lost() -> None:
    inner = {"type": "object", "properties": {"x": {"$ref": "#/$defs/A"}, "y": {"$ref": "#/$defs/No"}}}
    outer = {"type": "object", "properties": {"in": {**inner, "$defs": {"A": {"type": "integer"}}}}}
    schema, losses = written(parameter({**outer, "$defs": {"A": {"type": "string"}}}), "gemini")
    assert schema["properties"]["a"]["properties"]["in"]["properties"]["x"] == {"type": "integer"}
    assert ("TB206", "/properties/a/properties/in/properties/y/$ref") in losses


@pytest.mark.parametrize("target", ["openai", "anthropic", "gemini@json-schema", "mcp@2025-11-25", "arcade@1.0"])
def test_names_of_types_instead_of_schemas_and_null_as_yaml_reads_it(target: str) -> None:
    properties = {"a": "string", "b": {"type": ["integer", None]}, "c": None, "d": "date"}
    schema, losses = written(tool({"type": "object", "properties": properties}), target)
    got = {
        name: {key: inner[key] for key in inner if key != "description"} for name, inner in schema["properties"].items()
    }
    assert got == {
        "a": {"type": "string"},
        "b": {"type": ["integer", "null"]},
        "c": {},
        "d": {"type": "string", "format": "date"},
    }
    assert {("TB001", f"/properties/{place}") for place in ("a", "b/type", "c", "d")} <= losses


def test_check_reports_null_among_types() -> None:
    document = parameter({"type": ["integer", None]})
    assert [str(error) for error in check(document, "anthropic")] == [
        "/inputSchema/properties/a/type: type must be a string or a list of strings, found a list [anthropic/value]"
    ]


def test_d10_a_parameter_that_is_called_required() -> None:
    schema, losses = written(parameter({"type": "string"}, required=["a"]), "openai")
    assert schema["required"] == ["a"]
    document = tool({"type": "object", "properties": {"required": {"type": "boolean"}}})
    schema, losses = written(document, "openai")
    assert schema["properties"] == {"required": {"type": "boolean"}}
    assert not losses


# identifiers and references


def test_d11_an_id_that_is_a_fragment() -> None:
    """D11: `$id: "#x"` names a place up to draft 7, and is no id in 2020-12."""
    draft_7 = "http://json-schema.org/draft-07/schema#"
    document = tool({"$schema": draft_7, "$id": "#root", "type": "object", "properties": {"a": {"type": "string"}}})
    for target in ("anthropic", "openai", "mistral", "bedrock", "hyper-mcp@2"):
        schema, losses = written(document, target)
        assert "$id" not in schema
        assert ("TB103", "/$id") in losses
    bad = {"name": "t", "input_schema": {"type": "object", "$id": "#root"}}
    assert [error.pointer for error in check(bad, "anthropic")] == ["/input_schema/$id"]
    kept = convert(document, "mcp@2025-11-25", source=MCP)
    assert kept.value["inputSchema"] == document["inputSchema"]
    assert check(kept.value, "mcp@2025-11-25") == []


@pytest.mark.parametrize("target", ["arcade@1.0", "arcade@1.0-errata"])
def test_v5_a_root_reference_is_laid_into_the_root(target: str) -> None:
    """V5 (R9): the parameters of a schema whose root is a reference are listed, and described."""
    definition = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    document = tool({"type": "object", "$ref": "#/$defs/T", "$defs": {"T": definition}})
    done = convert(document, target, source=MCP)
    schema = reads(done.value, get_format(target)).fields["input"]
    assert schema["properties"] == {"a": {"type": "string", "description": "a"}}
    assert schema["additionalProperties"] is False
    assert "allOf" not in schema
    assert "TB401" in {loss.code for loss in done.report if loss.source == "/inputSchema"}
    assert law.completeness(document, get_format(MCP), get_format(target)) is None


def test_v5_a_part_that_is_closed_to_the_rest_is_opened_for_it() -> None:
    definition = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    root = {
        "type": "object",
        "properties": {"b": {"description": "B"}},
        "$ref": "#/$defs/T",
        "$defs": {"T": definition},
    }
    schema, losses = written(tool(root), "arcade")
    described = {"a": {"type": "string", "description": "a"}}  # the format wants it of every parameter
    assert schema["properties"] == {"b": {"description": "B"}, **described}
    assert ("TB201", "/$defs/T/additionalProperties") in losses


# unevaluated properties

CLOSED = {"type": "object", "unevaluatedProperties": False}


@pytest.mark.parametrize("target", ["openai@chat-strict", "openai@responses-strict", "anthropic@strict"])
@pytest.mark.parametrize(
    "beside",
    [
        {"if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": {}}}},
        {"dependentSchemas": {"a": {"properties": {"b": {}}}}},
        {"if": {"patternProperties": {"foo": {"type": "string"}}}},
    ],
)
def test_k5_properties_that_only_a_condition_lists(beside: dict[str, Any], target: str) -> None:
    """K5: an object that is closed to what conditions list is not written as one without parameters."""
    schema, losses = written(tool({**CLOSED, **beside}), target)
    assert {code for code, _ in losses} >= {"TB603"}
    assert schema.get("unevaluatedProperties") is False
    assert beside.items() <= schema.items()


@pytest.mark.parametrize("target", ["openai", "anthropic", "bedrock", "mistral"])
@pytest.mark.parametrize(
    "part", [{"additionalProperties": True}, {"unevaluatedProperties": True}, {"$ref": "http://x.example/y"}]
)
def test_k5_parts_that_list_more_properties(part: dict[str, Any], target: str) -> None:
    """K5: where a part that opens an object is lost, so is what closes the object to the rest."""
    schema, losses = written(tool({**CLOSED, "properties": {"a": {"type": "string"}}, "allOf": [part]}), target)
    if "allOf" in schema:
        return
    assert accepts(schema, {"a": "x", "b": 1}) or "TB3" in {code[:3] for code, _ in losses}


@pytest.mark.parametrize("target", ["openai", "anthropic", "bedrock"])
def test_k5_a_reference_that_leads_nowhere(target: str) -> None:
    schema, losses = written(tool({**CLOSED, "$ref": "http://x.example/y"}), target)
    assert "unevaluatedProperties" not in schema
    assert ("TB201", "/unevaluatedProperties") in losses


@pytest.mark.parametrize(
    "target", ["openai", "anthropic", "bedrock", "mistral", "gemini", "gemini@parameters", "cohere", "ollama"]
)
def test_k5_dynamic_references_in_a_resource_of_their_own(target: str) -> None:
    """K5: the resources on the way to a dynamic reference are those around it, too."""
    inner = {
        "$id": "https://x.example/root",
        "$ref": "list",
        "$defs": {
            "foo": {"$dynamicAnchor": "items", "type": "string"},
            "list": {
                "$id": "list",
                "type": "array",
                "items": {"$dynamicRef": "#items"},
                "$defs": {"items": {"$dynamicAnchor": "items"}},
            },
        },
    }
    schema, losses = written(parameter(inner), target)
    assert accepts(schema, {"a": ["x"]})
    assert not accepts(schema, {"a": [42]}), losses


@pytest.mark.parametrize("target", ["openai", "anthropic", "bedrock", "mistral", "langchain"])
def test_k5_one_definition_on_two_ways(target: str) -> None:
    """K5: what a dynamic reference leads to is not remembered for another way."""
    generic = {
        "$id": "list",
        "properties": {"list": {"type": "array", "items": {"$dynamicRef": "#item"}}},
        "$defs": {"item": {"$dynamicAnchor": "item"}},
    }

    def of(kind: str) -> dict[str, Any]:
        return {"$id": kind, "$defs": {"item": {"$dynamicAnchor": "item", "type": kind}}, "$ref": "list"}

    properties = {"n": {"$ref": "number"}, "s": {"$ref": "string"}}
    root = {"$id": "https://x.example/main", "$defs": {"l": generic, "n": of("number"), "s": of("string")}}
    schema, _ = written(parameter({**root, "type": "object", "properties": properties}), target)
    assert accepts(schema, {"a": {"n": {"list": [1]}, "s": {"list": ["x"]}}})
    assert not accepts(schema, {"a": {"n": {"list": ["x"]}}})
    assert not accepts(schema, {"a": {"s": {"list": [1]}}})


def test_k5_a_tuple_without_a_draft_and_constraints_beside_a_reference() -> None:
    """K5: MCP gets the draft in which both have a meaning, as every other target does."""
    root = {
        "type": "object",
        "properties": {"a": {"items": [{"$ref": "#/$defs/X", "maxLength": 1}]}},
        "$defs": {"X": {}},
    }
    document = {"name": "t", "description": "d", "parameters": root}
    source = {"type": "function", "function": document}
    done = convert(source, "mcp@2026-07-28", source="openai@chat")
    assert done.value["inputSchema"]["$schema"] == "https://json-schema.org/draft/2019-09/schema"
    half_open = {**root, "properties": {"a": {"$ref": "#/$defs/X", "minimum": 1, "exclusiveMinimum": True}}}
    source["function"]["parameters"] = half_open
    done = convert(source, "mcp@2026-07-28", source="openai@chat")
    assert done.value["inputSchema"]["properties"]["a"] == {"$ref": "#/$defs/X", "exclusiveMinimum": 1}
    assert "$schema" not in done.value["inputSchema"]


DRAFT_3 = {"$schema": "http://json-schema.org/draft-03/schema#", "type": "object"}


@pytest.mark.parametrize("target", ["openai", "anthropic", "gemini", "cohere", "hyper-mcp@2", "openai@chat-strict"])
def test_k5_draft_3(target: str) -> None:
    """K5: draft 3 is read as draft 3; what has no plain counterpart is reported."""
    properties = {"a": {"type": "integer", "divisibleBy": 5, "required": True}, "b": {"type": "string"}}
    schema, losses = written(tool({**DRAFT_3, "properties": properties, "dependencies": {"a": "b"}}), target)
    assert "a" in schema["required"]
    assert not accepts(schema, {"a": 3, "b": "x"}) or ("TB201", "/properties/a/divisibleBy") in losses
    assert not accepts(schema, {"a": 5}) or ("TB201", "/dependencies") in losses
    for key, value in (("extends", {"minimum": 1}), ("disallow", "string"), ("type", ["integer", {"minimum": 1}])):
        _, losses = written(tool({**DRAFT_3, "properties": {"a": {key: value}}}), target)
        assert ("TB201", f"/properties/a/{key}") in losses
    _, losses = written(tool({**DRAFT_3, "properties": {"a": {"type": "any"}}}), target)
    assert ("TB103", "/properties/a/type") in losses


# hyper-mcp


def test_k8_what_states_no_draft_is_of_2020_12() -> None:
    """K8: hyper-mcp has no word for the draft, so that its schemas are written in the one that readers assume."""
    draft_7 = "http://json-schema.org/draft-07/schema#"
    properties = {
        "a": {"type": "array", "items": [{"type": "string"}], "additionalItems": False},
        "b": {"dependencies": {"x": ["y"]}},
    }
    document = tool({"$schema": draft_7, "type": "object", "properties": properties})
    schema, losses = written(document, "hyper-mcp@2")
    assert schema["properties"]["a"] == {"type": "array", "prefixItems": [{"type": "string"}], "items": False}
    assert schema["properties"]["b"] == {"dependentRequired": {"x": ["y"]}}
    assert losses == {("TB103", "/$schema")}


# found by combining groups of the suite


@pytest.mark.parametrize("target", ["anthropic", "bedrock"])
def test_new_names_of_parameters_go_before_all_that_speaks_of_them(target: str) -> None:
    """`required` that stood before `properties` kept the old names."""
    schema, _ = written(tool({"type": "object", "required": ["ü"], "properties": {"ü": {"type": "string"}}}), target)
    assert schema["required"] == [*schema["properties"]]
    root = {
        "type": "object",
        "patternProperties": {"^x": {"type": "string"}},
        "properties": {"xü": {"type": "integer"}},
    }
    schema, losses = written(tool(root), target)
    assert "patternProperties" not in schema
    assert ("TB201", "/patternProperties") in losses


def test_an_alternative_of_the_root_that_is_closed_but_for_patterns() -> None:
    branch = {"properties": {"a": {}}, "patternProperties": {"^v": {}}, "additionalProperties": False}
    document = tool({"type": "object", "oneOf": [branch, {"type": "integer"}]})
    for target in ("openai", "anthropic", "bedrock", "cohere", "gemini"):
        schema, _ = written(document, target)
        assert accepts(schema, {"a": 1, "vroom": 2})


def test_items_that_are_added_evaluate_them() -> None:
    schema, losses = written(
        parameter({"if": {"type": ["array", "null"]}, "unevaluatedItems": {"type": "boolean"}}), "openai"
    )
    assert "unevaluatedItems" not in schema["properties"]["a"]
    assert ("TB201", "/properties/a/unevaluatedItems") in losses


# results


@pytest.mark.parametrize("target", ["mcp@2025-06-18", "mcp@2025-11-25"])
@pytest.mark.parametrize("output", [{"type": "string"}, {}, {"anyOf": [{"type": "object"}, {"type": "string"}]}])
def test_d8_an_output_that_is_wrapped_is_reported(output: dict[str, Any], target: str) -> None:
    """D8: it was wrapped with an empty report."""
    document = {"name": "t", "inputSchema": {"type": "object"}, "outputSchema": output}
    done = convert(document, target, source=MCP)
    assert done.value["outputSchema"] == {"type": "object", "properties": {"result": output}, "required": ["result"]}
    assert [(loss.code, loss.source, loss.target) for loss in done.report] == [
        ("TB508", "/outputSchema", "/outputSchema")
    ]


@pytest.mark.parametrize("target", ["mcp@2025-06-18", "mcp@2025-11-25"])
def test_d8_a_root_that_refers_to_an_object_is_not_wrapped(target: str) -> None:
    output = {"$ref": "#/$defs/T", "$defs": {"T": {"type": "object", "properties": {"a": {"type": "string"}}}}}
    document = {"name": "t", "inputSchema": {"type": "object"}, "outputSchema": output}
    done = convert(document, target, source=MCP)
    assert done.value["outputSchema"] == {"type": "object", **output}
    assert "_meta" not in done.value
    assert convert(done.value, MCP, source=target, restore=done.remainder or False).value == document
