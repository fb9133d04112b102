"""Judges of written calls and results: official schemas where ../shared is there, and the vendors' own SDK types.

Each answers a sentence about the first thing that is wrong, or None. What a judge cannot know by its types alone, such
as the letters of an id, it is told here with the source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from toolbridge.formats.services import SERVICES
from vendors.judges import Judge, _typed
from vendors.official_messages import OFFICIAL, SHARED, Maker, Verdict, for_later


@cache
def judges(format_id: str, kind: str) -> tuple[Judge, ...]:
    """The judges of calls or results of a format; without the SDK's where SDKs may be absent (conftest.py)."""
    family, _, edition = format_id.partition("@")
    if any(service.name == family for service in SERVICES):
        family = "openai"  # the services take and give what OpenAI's own types say
    made = [make(kind, edition) for make in OFFICIAL.get(family, ())] if SHARED.is_dir() else []
    with suppress(pytest.skip.Exception):
        made += [make(kind, edition) for make in SDK.get(family, ())]
    return tuple(_voiced(format_id, verdict) for verdict in made if verdict is not None)


def _voiced(format_id: str, verdict: Verdict) -> Judge:
    def ask(value: Any) -> str | None:
        problem = next(verdict(value), None)
        return None if problem is None else f"{format_id}: {problem}"

    return ask


def _model(kind: Any, value: Any, *, strict: bool = True) -> Iterator[str]:
    """What a type says of a value; items of lists are judged when somebody asks for them."""
    try:
        yield from _typed(kind, value, strict=strict)
    except ValueError as error:
        yield str(error)


def _matches(what: str, pattern: str, value: Any) -> Iterator[str]:
    if isinstance(value, str) and not re.fullmatch(pattern, value):
        yield f"{what} {value!r} does not match {pattern}"


# MCP (mcp 2.3.0), for each edition


def _mcp_sdk(kind: str, edition: str) -> Verdict:
    from mcp.types.methods import SERVER_RESULTS, validate_client_request, validate_server_result

    # Since 2026-07-28 the answer may be another result, with a model that takes any members.
    answer: Any = SERVER_RESULTS["tools/call", edition]
    surface = {
        ("tools/call", edition): next((each for each in get_args(answer) if "CallToolResult" in str(each)), answer)
    }

    def verdict(value: Any) -> Iterator[str]:
        try:
            if kind == "call":
                validate_client_request("tools/call", edition, value.get("params", value))
            elif "error" not in value and not for_later(value):
                result = value["result"] if "jsonrpc" in value else value
                validate_server_result("tools/call", edition, result, surface=surface)
        except ValueError as error:
            yield str(error)

    return verdict


# Open eXecution Protocol (oxp 0.1.1)


def _arcade_sdk(kind: str, edition: str) -> Verdict:  # noqa: ARG001
    from oxp.types import ToolCallParams, ToolCallResponse

    types = TypeAdapter[Any](ToolCallParams if kind == "call" else ToolCallResponse)
    key = "request" if kind == "call" else "result"

    def verdict(value: Any) -> Iterator[str]:
        value = value if key in value else {key: value}
        if kind == "result" and "success" not in value["result"]:
            return  # an HTTP error, for which the SDK raises an exception
        try:
            types.validate_json(json.dumps(value), strict=False)
        except ValueError as error:
            yield str(error)

    return verdict


# Arcade's engine (arcade-core 4.23.0)


def _engine(kind: str, edition: str) -> Verdict | None:
    if edition != "4":
        return None
    from arcade_core.schema import ToolCallRequest, ToolCallResponse

    types = TypeAdapter[Any](ToolCallRequest if kind == "call" else ToolCallResponse)
    return lambda value: _model(types, value, strict=False)


# OpenAI (openai 3.57.0)


def _openai(kind: str, edition: str) -> Verdict:
    if edition.startswith("responses"):
        return _responses(kind)
    if edition == "realtime":
        return _realtime(kind)
    from openai.types.chat import ChatCompletionAssistantMessageParam as Message
    from openai.types.chat import ChatCompletionFunctionMessageParam, ChatCompletionToolMessageParam
    from openai.types.chat import ChatCompletionMessageFunctionToolCallParam as Call
    from openai.types.chat.chat_completion_assistant_message_param import FunctionCall

    old = edition == "functions"
    call = TypeAdapter[Any](FunctionCall if old else Call)
    message = TypeAdapter[Any](Message)
    result = TypeAdapter[Any](ChatCompletionFunctionMessageParam if old else ChatCompletionToolMessageParam)

    def calls(value: Any) -> Iterator[str]:
        # The carrier of Gemini's OpenAI interface, which OpenAI's types do not know.
        extra = value.get("extra_content", {})
        if extra and extra.keys() == {"google"} and (extra["google"] or {}).keys() == {"thought_signature"}:
            value = {key: inner for key, inner in value.items() if key != "extra_content"}
        yield from _model(message if "role" in value else call, value)
        named = value if old else value.get("function", {})
        yield from _matches("name", "[a-zA-Z0-9_-]{1,64}", named.get("name"))

    def results(value: Any) -> Iterator[str]:
        yield from _model(result, value)

    return calls if kind == "call" else results


def _responses(kind: str) -> Verdict:
    from openai.types.responses import ResponseFunctionToolCallParam
    from openai.types.responses.response_input_item_param import FunctionCallOutput

    types = TypeAdapter[Any](ResponseFunctionToolCallParam if kind == "call" else FunctionCallOutput)

    def verdict(value: Any) -> Iterator[str]:
        yield from _model(types, value)
        # FunctionToolCall.call_id has 1 to 64 characters (openai-openapi at f85dbe2).
        yield from _matches("call_id", "(?s).{1,64}", value.get("call_id"))
        if kind == "call":
            yield from _matches("name", "[a-zA-Z0-9_-]{1,128}", value["name"])

    return verdict


def _realtime(kind: str) -> Verdict:
    from openai.types.realtime import RealtimeConversationItemFunctionCallOutputParam as Output
    from openai.types.realtime import RealtimeConversationItemFunctionCallParam as Call

    types = TypeAdapter[Any](Call if kind == "call" else Output)

    def verdict(value: Any) -> Iterator[str]:
        yield from _model(types, value)
        if kind == "call":
            yield from _matches("name", "[a-zA-Z0-9_-]{1,64}", value["name"])

    return verdict


# Anthropic (anthropic 2.14.0)


def _managed_agents(kind: str) -> Verdict:
    from anthropic.types.beta.sessions import (
        BetaManagedAgentsAgentCustomToolUseEvent,
        BetaManagedAgentsUserCustomToolResultEventParams,
    )

    call, result = BetaManagedAgentsAgentCustomToolUseEvent, BetaManagedAgentsUserCustomToolResultEventParams
    types = TypeAdapter[Any](call if kind == "call" else result)

    def verdict(value: Any) -> Iterator[str]:
        if kind == "call":  # only the service knows when it took the event
            value = {"processed_at": "2026-11-23T12:00:00Z", **value}
            yield from _matches("name", "[a-zA-Z0-9_-]{1,128}", value.get("name"))
        yield from _model(types, value)

    return verdict


def _anthropic(kind: str, edition: str) -> Verdict:
    if edition == "managed-agents":
        return _managed_agents(kind)
    from anthropic.types import ToolResultBlockParam, ToolUseBlockParam

    types = TypeAdapter[Any](ToolUseBlockParam if kind == "call" else ToolResultBlockParam)

    def verdict(value: Any) -> Iterator[str]:
        yield from _model(types, value)
        # "String should match pattern '^[a-zA-Z0-9_-]+$'": what the service says of other ids.
        yield from _matches("id", "[a-zA-Z0-9_-]+", value.get("id", value.get("tool_use_id")))
        if kind == "call":
            yield from _matches("name", "[a-zA-Z0-9_-]{1,128}", value["name"])

    return verdict


# Google (google-genai 3.6.1)


def _interactions(kind: str) -> Verdict:
    from google.genai._gaos.types.interactions import FunctionCallStepParam, FunctionResultStep

    # Files may be handed over as such in the type of what is sent, so the other is asked.
    types = TypeAdapter[Any](FunctionCallStepParam if kind == "call" else FunctionResultStep)

    def verdict(value: Any) -> Iterator[str]:
        if "type" not in value:  # which the SDK fills in itself
            yield "no type"
        # The type of a result that is an object has no members: it stands for any.
        judged = {**value, "result": {}} if isinstance(value.get("result"), dict) else value
        yield from _model(types, judged)
        if "name" in value:
            yield from _matches("name", "[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}", value["name"])

    return verdict


def _gemini(kind: str, edition: str) -> Verdict:
    if edition == "interactions":
        return _interactions(kind)
    from google.genai.types import Part

    types = TypeAdapter[Any](Part)
    keys = ("functionCall", "function_call") if kind == "call" else ("functionResponse", "function_response")

    def verdict(value: Any) -> Iterator[str]:
        yield from _model(types, value, strict=False)
        said = next((value[key] for key in keys if key in value), {})
        if not said.get("name"):
            yield "no name"
        yield from _matches("name", "[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}", said.get("name"))
        if kind == "result" and not isinstance(said.get("response"), dict):
            yield "a response is an object"

    return verdict


# Amazon (botocore 1.44.8)


def _agents(kind: str) -> Verdict:
    from vendors.judges import _refused_by, _shape

    outer = "functionInvocationInput" if kind == "call" else "functionResult"
    shape = _shape("bedrock-agent-runtime", "InvocationInputMember" if kind == "call" else "InvocationResultMember")
    key = "actionInvocationType" if kind == "call" else "responseState"
    words = shape.members[outer].members[key].enum

    def verdict(value: Any) -> Iterator[str]:
        if "messageVersion" in value:
            # What a Lambda function gets and answers, which no model describes, has the same members.
            value = {outer: _of_lambda(kind, value)}
        if list(value) != [outer]:
            yield f"{outer} and nothing else, found {list(value)}"
        yield from _refused_by(shape, value)
        if value[outer].get(key, words[0]) not in words:
            yield f"the {key} {value[outer][key]!r}"
        if not value[outer].get("function"):
            yield "no name"
        # The pattern of names in the service model bedrock-agent.
        yield from _matches("name", "([0-9a-zA-Z][_-]?){1,100}", value[outer].get("function"))
        body = value[outer].get("responseBody")
        if body is not None and len(body) != 1:
            yield f"one type of content, found {list(body)}"

    return verdict


def _of_lambda(kind: str, value: Any) -> Any:
    """The members of a call or of a result that a Lambda function gets or answers with."""
    if kind == "call":
        around = ("messageVersion", "agent", "inputText", "sessionId", "sessionAttributes", "promptSessionAttributes")
        return {key: inner for key, inner in value.items() if key not in around}
    response = dict(value["response"])
    return {**response.pop("functionResponse"), **response}


def _bedrock(kind: str, edition: str) -> Verdict:
    if edition == "agents":
        return _agents(kind)
    from botocore.loaders import Loader
    from botocore.model import ServiceModel
    from botocore.validate import ParamValidator

    model = ServiceModel(Loader().load_service_model("bedrock-runtime", "service-2"), "bedrock-runtime")
    content = model.shape_for("ContentBlock")
    rules = {key: model.shape_for(shape).metadata for key, shape in (("toolUseId", "ToolUseId"), ("name", "ToolName"))}
    outer = "toolUse" if kind == "call" else "toolResult"

    def verdict(value: Any) -> Iterator[str]:
        if list(value) != [outer]:
            yield f"{outer} and nothing else, found {list(value)}"
        errors = ParamValidator().validate(value, content)
        if errors.has_errors():
            yield errors.generate_report()
        for key, rule in rules.items():
            if key in value[outer]:
                # botocore leaves these to the service.
                yield from _matches(key, f"(?={rule['pattern']}$).{{1,{rule['max']}}}", value[outer][key])

    return verdict


# the others (cohere 7.3.1, mistralai 3.7.0, ollama 0.6.3, langchain-core 1.8.3)


def _like_openai(kind: str, call: Any, result: Any, *needs: str) -> Verdict:
    types = TypeAdapter[Any](call if kind == "call" else result)

    def verdict(value: Any) -> Iterator[str]:
        yield from (f"no {key}" for key in needs if key not in value)  # which these SDKs fill in themselves
        yield from _model(types, value, strict=False)
        if kind == "call" and not value["function"].get("name"):
            yield "no name"

    return verdict


def _cohere(kind: str, edition: str) -> Verdict:  # noqa: ARG001
    from cohere import ToolCallV2, ToolChatMessageV2

    return _like_openai(kind, ToolCallV2, ToolChatMessageV2, *(("id", "type") if kind == "call" else ("role",)))


def _mistral_items(kind: str, edition: str) -> Verdict:
    from mistralai.client import models

    call, result = models.ResponsesFunctionToolCall, models.ResponsesFunctionCallOutput
    if edition == "conversations":
        call, result = models.FunctionCallEntry, models.FunctionResultEntry
    types = TypeAdapter[Any](call if kind == "call" else result)

    def verdict(value: Any) -> Iterator[str]:
        if "type" not in value:  # which the SDK fills in itself
            yield "no type"
        yield from _model(types, value)
        if kind == "call":
            yield from _matches("name", "[a-zA-Z0-9_-]{1,64}", value["name"])

    return verdict


def _mistral(kind: str, edition: str) -> Verdict:
    if edition != "chat":
        return _mistral_items(kind, edition)
    from mistralai.client.models import ToolCall, ToolMessage

    plain = _like_openai(kind, ToolCall, ToolMessage, "id" if kind == "call" else "tool_call_id")

    def verdict(value: Any) -> Iterator[str]:
        yield from plain(value)
        # "Tool call id was ... but must be a-z, A-Z, 0-9, with a length of 9." (the service's own words)
        yield from _matches("id", "[a-zA-Z0-9]{9}", value.get("id", value.get("tool_call_id")))
        if kind == "call":
            yield from _matches("name", "[a-zA-Z0-9_-]{1,64}", value["function"]["name"])

    return verdict


def _ollama(kind: str, edition: str) -> Verdict:  # noqa: ARG001
    from ollama import Message

    plain = _like_openai(kind, Message.ToolCall, Message, *(() if kind == "call" else ("role", "content")))

    def verdict(value: Any) -> Iterator[str]:
        # The service sends and takes an id, which the SDK does not know yet (ollama/ollama api/types.go at fb30760).
        for problem in plain(value):
            if problem not in ("unknown key at /id", "unknown key at /tool_call_id", "unknown key at /function/index"):
                yield problem

    return verdict


def _langchain(kind: str, edition: str) -> Verdict:  # noqa: ARG001
    from langchain_core.messages import ToolMessage
    from langchain_core.messages.tool import ToolCall

    types = TypeAdapter[Any](ToolCall if kind == "call" else ToolMessage)

    def verdict(value: Any) -> Iterator[str]:
        if kind == "result" and "tool_call_id" not in value:
            yield "no tool_call_id"  # a KeyError there
        else:
            yield from _model(types, value, strict=False)

    return verdict


SDK: dict[str, tuple[Maker, ...]] = {
    "mcp": (_mcp_sdk,),
    "arcade": (_arcade_sdk,),
    "arcade-engine": (_engine,),
    "openai": (_openai,),
    "anthropic": (_anthropic,),
    "gemini": (_gemini,),
    "bedrock": (_bedrock,),
    "cohere": (_cohere,),
    "mistral": (_mistral,),
    "ollama": (_ollama,),
    "langchain": (_langchain,),
}
