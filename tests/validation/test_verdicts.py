"""What vendors answered to real requests with tools: `check` reports nothing of what they accepted.

All 297 recorded requests were accepted as far as their tools go: the few with an error were refused for their messages,
or for what the model answered.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import check

FORMATS = {
    "anthropic": "anthropic@messages",
    "bedrock": "bedrock",
    "bedrock-mantle": "openai@responses",
    "cohere": "cohere",
    "gemini": "gemini@parameters",
    "vertex": "gemini@parameters",
    "mistral": "mistral",
    "ollama": "ollama",
    "openai-responses": "openai@responses",
    "deepseek-responses": "openai@responses",
}

RELAYED = {"/tools/0/function/parameters", "/tools/1/function/parameters"}
"""Two requests to OpenRouter, which hands them to models of other vendors: there `strict` is only a wish. The page of
OpenAI's format says so."""


def format_of(api: str, tools: Any) -> str:
    if "arameters_json_schema" in json.dumps(tools) or "arametersJsonSchema" in json.dumps(tools):
        return "gemini@json-schema"
    return FORMATS.get(api, "openai@chat")


def test_every_verdict(shared: Path) -> None:
    """V2, and the 297 recorded verdicts."""
    lines = (shared / "corpus/pydantic-ai-recorded/verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 297
    relayed = objects = 0
    for number, line in enumerate(lines):
        row = json.loads(line)
        tools, api = row["tools"], row["api"]
        if row["status"] != 200:
            assert not any(word in row["error"] for word in ("schema is not", "parameters_schema", "function_declar"))
        if isinstance(tools, dict):
            # Gemini's service reads one object as a list of one; here a list is a list, as the page says.
            tools, objects = [tools], objects + 1
        document = {"toolConfig": {"tools": tools}} if api == "bedrock" else {"tools": tools}
        found = check(document, format_of(api, tools))
        if api == "openrouter" and found:
            relayed += 1
            assert all(any(error.pointer.startswith(place) for place in RELAYED) for error in found), number
            assert all("openai-strict" in str(error) for error in found), number
            continue
        assert found == [], (number, api, found)
    assert (relayed, objects) == (2, 1)


OBJECT: dict[str, Any] = {"type": "object", "additionalProperties": False}


@pytest.mark.parametrize(
    "schema",
    [
        {**OBJECT, "properties": {"a": {"allOf": [{"type": "string"}]}}},
        {**OBJECT, "properties": {"a": {"$ref": "#/definitions/A"}}, "definitions": {"A": {"type": "string"}}},
        {**OBJECT, "properties": {"a": {"const": "x"}}},
    ],
)
def test_anthropic_strict_accepts(schema: dict[str, Any]) -> None:
    """V2: accepted by the service with 200."""
    assert check({"name": "t", "input_schema": schema, "strict": True}, "anthropic@strict") == []


def test_anthropic_strict_accepts_what_its_sdk_writes() -> None:
    """`transform_schema` takes the type from a schema that enumerates its values."""
    from anthropic import transform_schema

    enumerated = {"type": "object", "properties": {"a": {"type": "string", "enum": ["x", "y"]}}, "required": ["a"]}
    tool = {"name": "t", "input_schema": transform_schema(enumerated), "strict": True}
    assert "type" not in tool["input_schema"]["properties"]["a"]
    assert check(tool, "anthropic@strict") == []


def test_anthropic_strict_refuses_a_reference_in_all_of() -> None:
    schema = {**OBJECT, "properties": {"a": {"allOf": [{"$ref": "#/$defs/A"}]}}, "$defs": {"A": {"type": "string"}}}
    (error,) = check({"name": "t", "input_schema": schema, "strict": True}, "anthropic@strict")
    assert "[anthropic-strict/keywords]" in str(error)


def test_types_of_gemini_may_be_numbers() -> None:
    """As SDKs of Vertex wrote them, which the service took; no number beyond the enum, and none of other vendors."""
    inner = {"a": {"type": 1, "enum": ["x"]}, "b": {"type": 5, "items": {"type": 3}}}
    tool = {"name": "t", "description": "d", "parameters": {"type": 6, "properties": inner}}
    for form in ("gemini@parameters", "gemini@vertex"):
        assert check({"functionDeclarations": [tool]}, form) == []
    for form, kind in (("gemini@parameters", 8), ("gemini@parameters", True), ("openai@functions", 6)):
        schema = {"type": "OBJECT" if form == "gemini@parameters" else "object", "properties": {"a": {"type": kind}}}
        found = check({**tool, "parameters": schema}, form)
        assert "type must be a string or a list" in str(found[0])


def test_gemini_takes_the_names_of_the_proto_in_its_own_schemas() -> None:
    """https://protobuf.dev/programming-guides/json: parsers accept both names of a field (checked 2026-11-30)."""
    properties: dict[str, Any] = {
        "a": {"any_of": [{"type": "STRING", "max_length": "5"}, {"type": "INTEGER"}]},
        "min_items": {"type": "ARRAY", "min_items": 1, "items": {"type": "STRING"}},
        "b": {"type": "OBJECT", "properties": {"c": {"type": "STRING"}}, "property_ordering": ["c"]},
    }
    schema = {"type": "OBJECT", "properties": properties}
    for form in ("gemini@parameters", "gemini@vertex", "gemini@json-schema"):
        assert check({"name": "t", "description": "d", "parameters": schema}, form) == []
    properties["a"]["any_of"][1] = {"type": "INTEGER", "multiple_of": 2}
    properties["b"]["additional_properties"] = False
    places = [error.pointer for error in check({"name": "t", "description": "d", "parameters": schema}, "gemini")]
    a, b = "/parameters/properties/a/any_of/1/multiple_of", "/parameters/properties/b/additional_properties"
    assert places == [a, b]
    json_schema = {"type": "object", "properties": {"a": {"any_of": [{"type": "string"}]}}}
    assert check({"name": "t", "description": "d", "parametersJsonSchema": json_schema}, "gemini@json-schema") != []


def test_gemini_reads_json_schema_beside_its_own_schemas() -> None:
    """Both are members of a function of one API, so each is checked for what it is, whatever the others have."""
    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "additionalProperties": False}
    tools = [{"name": key, "description": "d", key: schema} for key in ("parametersJsonSchema", "parameters")]
    for form in ("gemini@parameters", "gemini@json-schema"):
        found = check({"functionDeclarations": tools}, form)
        assert {error.item for error in found} == {1}
        assert all("[gemini/" in error.problem for error in found)
    assert check({"name": "a", "description": "d", "parameters_json_schema": schema}, "gemini@vertex") == []


def test_gemini_and_ollama_accept() -> None:
    """V2: empty properties, a look-ahead, and keywords that Ollama drops."""
    empty = {"name": "t", "description": "d", "parameters": {"type": "OBJECT", "properties": {}}}
    assert check({"functionDeclarations": [empty]}, "gemini@parameters") == []
    ahead = {"type": "object", "properties": {"p": {"type": "string", "pattern": "(?=.*[0-9]).+"}}}
    assert check({"name": "t", "description": "d", "parametersJsonSchema": ahead}, "gemini@json-schema") == []
    stated = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {}}
    tool = {"type": "function", "function": {"name": "t", "description": "d", "parameters": stated}}
    assert check(tool, "ollama") == []


def test_a_strict_tool_is_checked_strictly_in_every_edition() -> None:
    """A tool that asks for `strict: true` is refused for what strict tools are refused for."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    function = {"name": "t", "description": "d", "parameters": schema, "strict": True}
    for document, form in (
        ({"type": "function", "function": function}, "openai@chat"),
        ({"type": "function", **function}, "openai@responses"),
        ({"name": "t", "input_schema": schema, "strict": True}, "anthropic@messages"),
    ):
        assert any("-strict/closed_objects]" in str(error) for error in check(document, form)), form


def test_a_name_that_the_vendor_refuses_is_a_rule_of_its_own_format_as_well() -> None:
    """A message without its rule could neither be ignored by it nor be looked up."""
    tool = {"type": "function", "function": {"name": "a b", "description": "d"}}
    assert [str(error) for error in check(tool, "openai@chat")] == [
        "/function/name: a name must match ^[a-zA-Z0-9_-]{1,64}$ [openai/names]"
    ]
    declared = {"functionDeclarations": [{"name": "a b", "description": "d"}]}
    assert ["[gemini/names]" in str(error) for error in check(declared, "gemini@parameters")] == [True]


@pytest.mark.parametrize("keyword", ["strict", "x-other"])
def test_xai_accepts_strict_in_a_schema(keyword: str) -> None:
    """As ruby_llm writes it, beside the flag of the function (recorded with 200)."""
    schema = {**OBJECT, "properties": {"a": {"type": "string"}}, keyword: True}
    tool = {"type": "function", "name": "t", "description": "d", "parameters": schema}
    found = [str(error) for error in check(tool, "xai@responses")]
    assert found == ([] if keyword == "strict" else [f"/parameters/{keyword}: {keyword} is not allowed [xai/keywords]"])
