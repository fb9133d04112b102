"""Judges of choices of tools: the types of the vendors' SDKs for the members of a request that hold them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Literal

import pytest
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from toolbridge.formats.services import SERVICES
from vendors.judges import _typed

Verdict = Callable[[Any], Iterator[str]]


def judged(format_id: str, value: Any) -> Iterator[str]:
    """What the SDK of a vendor refuses of a choice; nothing if the SDK is not installed."""
    family, _, edition = format_id.partition("@")
    edition = edition.removesuffix("-strict")
    try:
        verdict = _verdict(family, edition)
    except ImportError as error:
        pytest.skip(str(error))
    yield from verdict(value)


@cache
def _verdict(family: str, edition: str) -> Verdict:
    return MAKERS[family](edition)


def _member(key: str, kind: Any, rule: str = "", *, strict: bool = True, flag: bool = False) -> Verdict:
    """A verdict on a request with a choice at `key`, and a flag beside it; names match `rule`."""
    choice, parallel = TypeAdapter(kind), TypeAdapter(bool)

    def verdict(value: Any) -> Iterator[str]:
        for name in value.keys() - ({key, "parallel_tool_calls"} if flag else {key}):
            yield f"unknown key {name}"
        if key in value:
            yield from _typed(choice, value[key], strict=strict)
            for name in _names(value[key]) if rule else ():
                if not re.fullmatch(rule, name):
                    yield f"a name matches {rule}, found {name!r}"
        if "parallel_tool_calls" in value:
            yield from _typed(parallel, value["parallel_tool_calls"])

    return verdict


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("name"), str):
            yield value["name"]
        for inner in value.values():
            yield from _names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner)


_NAME = "[a-zA-Z0-9_-]{1,64}"


def _openai(edition: str) -> Verdict:
    if edition == "functions":
        from openai.types.chat.completion_create_params import FunctionCall

        return _member("function_call", FunctionCall, _NAME)
    if edition == "chat":
        from openai.types.chat import ChatCompletionToolChoiceOptionParam

        return _member("tool_choice", ChatCompletionToolChoiceOptionParam, _NAME, flag=True)
    from openai.types.responses.response_create_params import ToolChoice

    return _member("tool_choice", ToolChoice, _NAME, flag=True)


def _anthropic(_: str) -> Verdict:
    from anthropic.types import ToolChoiceParam

    return _member("tool_choice", ToolChoiceParam, _NAME)


def _interactions() -> Verdict:
    from google.genai._gaos.types.interactions.generationconfig import GenerationConfig

    return _member("generation_config", GenerationConfig, strict=False)


def _gemini(edition: str) -> Verdict:
    if edition == "interactions":
        return _interactions()
    from google.genai.types import ToolConfig

    sdk = _member("toolConfig", ToolConfig, strict=False)

    def verdict(value: Any) -> Iterator[str]:
        yield from sdk(value)
        config = (value.get("toolConfig") or {}).get("functionCallingConfig") or {}
        # "This should only be set when the Mode is ANY or VALIDATED." (ai.google.dev/api/caching#FunctionCallingConfig)
        if config.get("allowedFunctionNames") and config.get("mode") not in ("ANY", "VALIDATED"):
            yield "names without ANY or VALIDATED"

    return verdict


def _bedrock(_: str) -> Verdict:
    from botocore.loaders import Loader
    from botocore.model import ServiceModel
    from botocore.validate import ParamValidator

    model = ServiceModel(Loader().load_service_model("bedrock-runtime", "service-2"), "bedrock-runtime")
    configuration, name = model.shape_for("ToolConfiguration"), model.shape_for("ToolName").metadata

    def verdict(value: Any) -> Iterator[str]:
        spec = {"toolSpec": {"name": "tide", "inputSchema": {"json": {}}}}
        errors = ParamValidator().validate({"tools": [spec], **value.get("toolConfig", value)}, configuration)
        if errors.has_errors():
            yield errors.generate_report()
        for found in _names(value):
            if not re.fullmatch(name["pattern"], found) or len(found) > name["max"]:
                yield f"a name matches {name['pattern']}, found {found!r}"

    return verdict


def _cohere(_: str) -> Verdict:
    from typing import get_args

    from cohere.v2.types.v2chat_request_tool_choice import V2ChatRequestToolChoice

    return _member("tool_choice", get_args(V2ChatRequestToolChoice)[0])  # the other one is Any


def _mistral(edition: str) -> Verdict:
    if edition == "responses":
        from mistralai.client.models.createresponserequest import CreateResponseRequestToolChoiceUnion

        return _member("tool_choice", CreateResponseRequestToolChoiceUnion, _NAME, strict=False, flag=True)
    if edition == "conversations":
        from mistralai.client.models import CompletionArgs

        return _member("completion_args", CompletionArgs, strict=False)
    from mistralai.client.models.chatcompletionrequest import ChatCompletionRequestToolChoice

    return _member("tool_choice", ChatCompletionRequestToolChoice, _NAME, strict=False, flag=True)


def _langchain(_: str) -> Verdict:
    return _member("tool_choice", str, flag=True)


def _mcp(_: str) -> Verdict:
    from mcp_types._v2025_11_25 import ToolChoice

    return _member("toolChoice", ToolChoice)


class _Function(TypedDict):
    name: str


class _Named(TypedDict):
    type: Literal["function"]
    function: _Function


class _Flat(TypedDict):
    type: Literal["function"]
    name: str


# No SDK of these is among the packages of the tests; sources of the words are in `formats/service_kinds.py`.
_WORDS = Literal["auto", "required", "none"]
_BY_WORD = ("moonshot", "llama-cpp", "lm-studio")
_UNFLAGGED = ("deepseek", "moonshot", "lm-studio")


def _service(family: str) -> Callable[[str], Verdict]:
    def maker(edition: str) -> Verdict:
        named = _Flat if edition == "responses" else _Named
        kind: Any = _WORDS if family in _BY_WORD else _WORDS | named
        return _member("tool_choice", kind, "" if family in _BY_WORD else _NAME, flag=family not in _UNFLAGGED)

    return maker


MAKERS: dict[str, Callable[[str], Verdict]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "bedrock": _bedrock,
    "cohere": _cohere,
    "mistral": _mistral,
    "langchain": _langchain,
    "mcp": _mcp,
    **{service.name: _service(service.name) for service in SERVICES},
}
