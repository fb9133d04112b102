"""Judges by the types in the vendors' SDKs: each answers a sentence about the first thing that is wrong, or None.

An SDK is imported when its judge is first asked for. A test environment without one is broken, and says so.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

import jsonschema_rs
import pytest
from pydantic import BaseModel, TypeAdapter

from vendors.peers import known

Judge: TypeAlias = Callable[[Any], "str | None"]


def judge(format_id: str) -> Judge | None:
    """The judge for an edition; None for a family whose vendor publishes no types."""
    make = MAKERS.get(format_id)
    return None if make is None else _voiced(format_id, make())


def _voiced(format_id: str, verdict: Callable[[Any], Iterator[str]]) -> Judge:
    def ask(value: Any) -> str | None:
        problem = next(verdict(value), None)
        return None if problem is None else f"{format_id}: {problem}"

    return ask


# what SDKs leave to others


def unknown_keys(value: Any, parsed: Any, place: str = "") -> Iterator[str]:
    """Places of keys that a type does not know: it either forgot them while parsing, or put them aside."""
    if isinstance(parsed, BaseModel):
        fields = type(parsed).model_fields
        names = {field.alias or name: name for name, field in fields.items()} | {name: name for name in fields}
        for key, inner in value.items():
            if key in names:
                yield from unknown_keys(inner, getattr(parsed, names[key]), f"{place}/{key}")
            else:
                yield f"{place}/{key}"
    elif isinstance(value, dict) and isinstance(parsed, Mapping):
        for key, inner in value.items():
            if key in parsed:
                yield from unknown_keys(inner, parsed[key], f"{place}/{key}")
            else:
                yield f"{place}/{key}"
    elif isinstance(value, list) and isinstance(parsed, Iterable) and not isinstance(parsed, str):
        for index, (one, other) in enumerate(zip(value, parsed, strict=True)):
            yield from unknown_keys(one, other, f"{place}/{index}")


def _typed(kind: Any, value: Any, *, strict: bool = True) -> Iterator[str]:
    """What a type has to say about a JSON value: what is wrong in it, then what is unknown to it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an enumeration that takes unknown words says so in a warning
        try:
            parsed = kind.validate_json(json.dumps(value), strict=strict)
        except (ValueError, Warning) as error:
            yield str(error)
            return
    for place in unknown_keys(value, parsed):
        yield f"unknown key at {place}"


def _schema(value: Any) -> Iterator[str]:
    """What is wrong in a JSON Schema, by the metaschema of 2020-12: a draft named in it is not asked for."""
    if not isinstance(value, dict):
        yield f"a schema is an object, found {value!r}"
        return
    error = next(metaschema().iter_errors({key: inner for key, inner in value.items() if key != "$schema"}), None)
    if error is not None:
        yield f"not JSON Schema 2020-12: {error.message[:300]} at {error.instance_path}"


@cache
def metaschema() -> Any:
    return jsonschema_rs.validator_for({"$ref": "https://json-schema.org/draft/2020-12/schema"})


def _name(pattern: str, most: int, name: str) -> Iterator[str]:
    if not re.fullmatch(pattern, name):
        yield f"name {name!r} does not match {pattern}"
    if len(name) > most:
        yield f"name of {len(name)} characters, {most} at most"


# OpenAI (openai 3.57.0)


def _openai_name(name: str, most: int = 64) -> Iterator[str]:
    # FunctionDefinition.name: "Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64".
    return _name("[a-zA-Z0-9_-]+", most, name)


def _functions() -> Callable[[Any], Iterator[str]]:
    from openai.types.chat.completion_create_params import Function

    kind = TypeAdapter(Function)

    def verdict(value: Any) -> Iterator[str]:
        yield from _typed(kind, value)
        yield from _openai_name(value["name"])
        if "parameters" in value:
            yield from _schema(value["parameters"])

    return verdict


def _chat() -> Callable[[Any], Iterator[str]]:
    from openai.types.chat import ChatCompletionFunctionToolParam, ChatCompletionToolUnionParam

    function, any_tool = TypeAdapter(ChatCompletionFunctionToolParam), TypeAdapter(ChatCompletionToolUnionParam)

    def verdict(value: Any) -> Iterator[str]:
        if value.get("type", "function") != "function":
            yield from _typed(any_tool, value)
            return
        yield from _typed(function, value)
        yield from _openai_name(value["function"]["name"])
        if "parameters" in value["function"]:
            yield from _schema(value["function"]["parameters"])

    return verdict


def _responses() -> Callable[[Any], Iterator[str]]:
    from openai.types.responses import FunctionToolParam, ToolParam

    function, any_tool = TypeAdapter(FunctionToolParam), TypeAdapter(ToolParam)

    def verdict(value: Any) -> Iterator[str]:
        if value.get("type", "function") != "function":
            yield from _typed(any_tool, value)
            return
        yield from _typed(function, value)
        # 128 in the schema of functions in a namespace, 64 in that of functions elsewhere.
        yield from _openai_name(value["name"], 128)
        for key in ("parameters", "output_schema"):
            if value.get(key) is not None:
                yield from _schema(value[key])

    return verdict


def _realtime() -> Callable[[Any], Iterator[str]]:
    from openai.types.realtime import RealtimeFunctionToolParam, RealtimeToolsConfigUnionParam

    function, any_tool = TypeAdapter(RealtimeFunctionToolParam), TypeAdapter(RealtimeToolsConfigUnionParam)

    def verdict(value: Any) -> Iterator[str]:
        if value.get("type", "function") != "function":
            yield from _typed(any_tool, value)
            return
        yield from _typed(function, value)
        yield from _openai_name(value.get("name", ""))
        if "parameters" in value:
            yield from _schema(value["parameters"])

    return verdict


# Anthropic (anthropic 2.14.0)


def _anthropic() -> Callable[[Any], Iterator[str]]:
    from anthropic.types import ToolParam, ToolUnionParam
    from anthropic.types.tool_param import InputSchemaTyped

    # ToolParam takes any object for a schema, beside the typed one: what is documented is the typed one.
    tool, any_tool, schema = TypeAdapter(ToolParam), TypeAdapter(ToolUnionParam), TypeAdapter(InputSchemaTyped)

    def verdict(value: Any) -> Iterator[str]:
        if value.get("type") not in (None, "custom"):
            yield from _typed(any_tool, value)
            return
        yield from _typed(tool, value)
        yield from _name("[a-zA-Z0-9_-]+", 128, value["name"])
        yield from _typed(schema, value["input_schema"])
        yield from _schema(value["input_schema"])

    return verdict


# Google (google-genai 3.6.1)


def _upper(schema: Any) -> Iterator[str]:
    """Types that are not spelled as the API does; the SDK takes any case."""
    todo = [schema]
    for node in todo:
        kind = node.get("type")
        if kind is not None and kind != kind.upper():
            yield f"type {kind!r} is not upper-case"
        todo += node.get("properties", {}).values()
        todo += node.get("anyOf", [])
        todo += [node["items"]] if "items" in node else []


def _gemini(*, parameters: bool) -> Callable[[Any], Iterator[str]]:
    from google.genai.types import FunctionDeclaration, JSONSchema, Tool

    declaration, any_tool, typed = TypeAdapter(FunctionDeclaration), TypeAdapter(Tool), TypeAdapter(JSONSchema)

    def verdict(value: Any) -> Iterator[str]:
        if "name" not in value:
            found = list(_typed(any_tool, value, strict=False))
            yield from found or (["a declaration has a name"] if "description" in value or not value else [])
            return
        yield from _typed(declaration, value, strict=False)  # int64 is text in JSON
        # FunctionDeclaration.name says 128, the service refused more than 64 in 2026-03.
        yield from _name("[a-zA-Z_][a-zA-Z0-9_.:-]*", 128, value["name"])
        for one, other in (("parameters", "parametersJsonSchema"), ("response", "responseJsonSchema")):
            snake = re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", other)
            if sum(value.get(key) is not None for key in (one, other, snake)) > 1:
                yield f"{one} and {other} exclude each other"
            if value.get(one) is not None and parameters:
                yield from _upper(value[one])
            for schema in (value[key] for key in (other, snake) if value.get(key) is not None):
                yield from _schema(schema)
                if one == "parameters" and schema.get("type") != "object":
                    yield f"{other} describes an object, found type {schema.get('type')!r}"
                for problem in _typed(typed, _sdk_words(schema), strict=False):
                    yield f"{other}: {problem}"

    return verdict


def _interactions() -> Callable[[Any], Iterator[str]]:
    from google.genai._gaos.types.interactions import Function, ToolParam

    function, any_tool = TypeAdapter(Function), TypeAdapter(ToolParam)

    def verdict(value: Any) -> Iterator[str]:
        if value.get("type", "function") != "function":
            yield from _typed(any_tool, value)
            return
        yield from _typed(function, value)
        if "type" not in value or "name" not in value:  # which the SDK fills in itself, or leaves out
            yield "no type, or no name"
            return
        yield from _name("[a-zA-Z_][a-zA-Z0-9_.:-]*", 128, value["name"])
        if value.get("parameters") is not None:
            yield from _schema(value["parameters"])

    return verdict


def _sdk_words(schema: Any) -> Any:
    """A schema without the keywords in which the SDK's class is behind the documented list."""
    if not isinstance(schema, dict):
        return schema
    missing = known("google-genai", "refuses")
    out = {key: inner for key, inner in schema.items() if key not in missing}
    for key in ("properties", "$defs"):
        if isinstance(schema.get(key), dict):
            out[key] = {name: _sdk_words(inner) for name, inner in schema[key].items()}
    for key in ("items", "additionalProperties"):
        if key in schema:
            out[key] = _sdk_words(schema[key])
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            out[key] = [_sdk_words(inner) for inner in schema[key]]
    return out


# Amazon (botocore 1.44.8)


def _bedrock() -> Callable[[Any], Iterator[str]]:
    from botocore.loaders import Loader
    from botocore.model import ServiceModel
    from botocore.validate import ParamValidator

    model = ServiceModel(Loader().load_service_model("bedrock-runtime", "service-2"), "bedrock-runtime")
    configuration, name = model.shape_for("ToolConfiguration"), model.shape_for("ToolName").metadata

    def verdict(value: Any) -> Iterator[str]:
        errors = ParamValidator().validate({"tools": [value]}, configuration)
        if errors.has_errors():
            yield errors.generate_report()
        if "toolSpec" in value:
            # The model says the pattern and the maximum too; botocore leaves these to the service.
            yield from _name(name["pattern"], name["max"], value["toolSpec"]["name"])
            yield from _schema(value["toolSpec"]["inputSchema"]["json"])

    return verdict


def _agents() -> Callable[[Any], Iterator[str]]:
    shape = _shape("bedrock-agent", "Function")
    name = shape.members["name"].metadata["pattern"]
    most = shape.members["description"].metadata["max"]
    detail = shape.members["parameters"].value.members
    kinds, inner = detail["type"].enum, detail["description"].metadata["max"]

    def verdict(value: Any) -> Iterator[str]:
        yield from _refused_by(shape, value)
        parameters = value.get("parameters", {})
        for each in (value["name"], *parameters):
            if not re.fullmatch(name, each):
                yield f"the name {each!r} is not of {name}"
        for text, length in ((value, most), *((one, inner) for one in parameters.values())):
            if not 1 <= len(text.get("description", "x")) <= length:
                yield f"a description of {len(text['description'])} characters"
        for one in parameters.values():
            if one["type"] not in kinds:
                yield f"the type {one['type']!r}"

    return verdict


def _agentcore() -> Callable[[Any], Iterator[str]]:
    shape = _shape("bedrock-agentcore-control", "ToolDefinition")
    kinds = shape.members["inputSchema"].members["type"].enum

    def types(schema: Any) -> Iterator[str]:
        if schema["type"] not in kinds:
            yield f"the type {schema['type']!r}"
        inner = [schema["items"]] if "items" in schema else []
        for one in (*schema.get("properties", {}).values(), *inner):
            yield from types(one)

    def verdict(value: Any) -> Iterator[str]:
        yield from _refused_by(shape, value)
        for key in ("inputSchema", "outputSchema"):
            if key in value:
                yield from types(value[key])

    return verdict


def _shape(service: str, name: str) -> Any:
    from botocore.loaders import Loader
    from botocore.model import ServiceModel

    return ServiceModel(Loader().load_service_model(service, "service-2"), service).shape_for(name)


def _refused_by(shape: Any, value: Any) -> Iterator[str]:
    from botocore.validate import ParamValidator

    errors = ParamValidator().validate(value, shape)
    if errors.has_errors():
        yield errors.generate_report()


# UTCP (utcp 1.2.0)


def _utcp() -> Callable[[Any], Iterator[str]]:
    tool = pytest.importorskip("utcp.data.tool", reason="utcp is not installed")
    from utcp.data.call_template import CallTemplate

    def verdict(value: Any) -> Iterator[str]:
        template = CallTemplate(call_template_type=value["tool_call_template"].get("call_template_type", ""))
        given = {**value, "tool_call_template": template}
        try:
            parsed = tool.Tool.model_validate(given)
        except ValueError as error:
            yield str(error)
            return
        for key in value.keys() - type(parsed).model_fields.keys():
            yield f"unknown key {key}"

    return verdict


# the others (cohere 7.3.1, mistralai 3.7.0, ollama 0.6.3)


def _like_openai(kind: Any) -> Callable[[Any], Iterator[str]]:
    tool = TypeAdapter(kind)

    def verdict(value: Any) -> Iterator[str]:
        for key in ("type", "function"):
            if key not in value:  # which these SDKs fill in themselves
                yield f"no {key}"
        yield from _typed(tool, value)
        if not value["function"].get("name"):
            yield "no name"
        yield from _schema(value["function"]["parameters"])

    return verdict


def _cohere() -> Callable[[Any], Iterator[str]]:
    from cohere import ToolV2

    return _like_openai(ToolV2)


def _mistral() -> Callable[[Any], Iterator[str]]:
    from mistralai.client.models import Tool

    plain = _like_openai(Tool)

    def verdict(value: Any) -> Iterator[str]:
        yield from plain(value)
        # "Function name was ... but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length
        # of 64." (the service's own words, https://github.com/danny-avila/LibreChat/issues/7220, checked 2026-11-21)
        yield from _name("[a-zA-Z0-9_-]+", 64, value["function"]["name"])

    return verdict


def _mistral_responses() -> Callable[[Any], Iterator[str]]:
    from mistralai.client.models import ResponsesFunctionTool

    function = TypeAdapter(ResponsesFunctionTool)

    def verdict(value: Any) -> Iterator[str]:
        if "type" not in value:  # which the SDK fills in itself
            yield "no type"
        yield from _typed(function, value)
        yield from _name("[a-zA-Z0-9_-]+", 64, value["name"])
        for key in ("parameters", "output_schema"):
            if value.get(key) is not None:
                yield from _schema(value[key])

    return verdict


def _ollama() -> Callable[[Any], Iterator[str]]:
    from ollama import Tool

    tool = TypeAdapter(Tool)

    def verdict(value: Any) -> Iterator[str]:
        kept = "|".join(map(re.escape, known("ollama", "refuses")))
        fine = re.compile(f"unknown key at /function/parameters/properties/[^/]*/({kept})")
        for problem in _typed(tool, value, strict=False):  # a sequence is a list
            if not fine.fullmatch(problem):
                yield problem
        for key in ("type", "function"):
            if key not in value:
                yield f"no {key}"
        if not value["function"].get("name"):
            yield "no name"
        if "parameters" in value["function"]:
            yield from _schema(value["function"]["parameters"])

    return verdict


def _langchain() -> Callable[[Any], Iterator[str]]:
    """No type stands behind this one: a JSON Schema with the tool's name for a title, as convert_to_openai_function
    of langchain-core takes it."""

    def verdict(value: Any) -> Iterator[str]:
        yield from _schema(value)
        for key in ("title", "description"):
            if not isinstance(value.get(key, ""), str):
                yield f"{key} is no text"
        if not value.get("title"):
            yield "no title, which is the name"

    return verdict


def _managed_agents() -> Callable[[Any], Iterator[str]]:
    from anthropic.types.beta import BetaManagedAgentsCustomToolParams

    kind = TypeAdapter(BetaManagedAgentsCustomToolParams)

    def verdict(value: Any) -> Iterator[str]:
        # The type of the schema takes more than the members that it names: the metaschema judges those.
        named = {
            key: inner for key, inner in value["input_schema"].items() if key in ("type", "properties", "required")
        }
        yield from _typed(kind, {**value, "input_schema": named})
        yield from _name("[a-zA-Z0-9_-]+", 128, value["name"])
        yield from _schema(value["input_schema"])

    return verdict


MAKERS: dict[str, Callable[[], Callable[[Any], Iterator[str]]]] = {
    "openai@functions": _functions,
    "openai@chat": _chat,
    "openai@chat-strict": _chat,
    "openai@responses": _responses,
    "openai@responses-strict": _responses,
    "openai@realtime": _realtime,
    "anthropic@messages": _anthropic,
    "anthropic@strict": _anthropic,
    "gemini@parameters": lambda: _gemini(parameters=True),
    "gemini@vertex": lambda: _gemini(parameters=True),
    "gemini@json-schema": lambda: _gemini(parameters=False),
    "anthropic@managed-agents": _managed_agents,
    "gemini@interactions": _interactions,
    "bedrock@agents": _agents,
    "bedrock@converse": _bedrock,
    "agentcore@2023-06-05": _agentcore,
    "utcp@1": _utcp,
    "cohere@v2": _cohere,
    "mistral@chat": _mistral,
    "mistral@conversations": _mistral,
    "mistral@responses": _mistral_responses,
    "ollama@chat": _ollama,
    "langchain@json-schema": _langchain,
}
