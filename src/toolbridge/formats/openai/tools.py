"""Tools of OpenAI: models, codecs and rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from ...data import pointer as at
from ...data.types import JsonObject, is_object, quoted
from ...mapping import (
    Codec,
    GroupRule,
    Note,
    Record,
    Row,
    Rule,
    Table,
    TextTool,
    Wire,
    WriteContext,
    apply,
    constant,
    fallback,
    identity,
    local,
    row,
    schema_codec,
    unless_none,
    write_description,
    write_name,
    write_nothing,
)
from ...schema import PLAIN, TYPES, Dialect, fit_output
from .. import callers
from ..dialects import GEMINI, OPENAI, OPENAI_STRICT
from ..function_tools import RequestFrame, no_parameters, request_frame, strict_if_kept, strict_row

# FunctionObject.name in openai/openai-openapi at f85dbe2, checked 2026-11-21. FunctionToolParam, for the functions of a
# namespace in Responses, allows 128 characters; what is legal everywhere has 64. Mistral, whose errors say the same,
# and the services without a rule of their own (`services.py`) have this one: if OpenAI's changes, theirs is another.
RULE: Final = Rule(alphabet="a-zA-Z0-9_-", most=64)

Name = Annotated[str, Meta(extra_json_schema={"pattern": RULE.pattern})]
"""The name of a function. What circulates has dots too, so reading does not enforce it."""

Parameters = Annotated[dict[str, Any], Meta(extra_json_schema={"properties": {"type": {"const": "object"}}})]
"""JSON Schema of the arguments; left out, the function has none."""


class Function(Wire, kw_only=True):
    """A function as the deprecated `functions` of a request list it."""

    name: Name
    description: str | UnsetType = UNSET
    parameters: Parameters | UnsetType = UNSET
    strict: bool | UnsetType | None = UNSET


class ChatFunction(Function, kw_only=True):
    """A function of Chat Completions."""


class ChatTool(Wire, kw_only=True):
    """A tool of Chat Completions, and of Assistants."""

    type: Literal["function"]
    function: ChatFunction


class ServiceFunction(Wire, kw_only=True):
    """A function of Responses as services that are not OpenAI know it."""

    type: Literal["function"]
    name: Name
    description: str | UnsetType | None = UNSET
    parameters: Parameters | UnsetType | None = UNSET
    strict: bool | UnsetType | None = UNSET


class ResponsesTool(ServiceFunction, kw_only=True):
    """A function of Responses. Parameters and strict are required there, and left out by many all the same.

    `output_schema` describes the JSON in a text that the tool gives back; `asynchronous` is spelled `async`.
    """

    output_schema: dict[str, Any] | UnsetType | None = UNSET
    defer_loading: bool | UnsetType = UNSET
    allowed_callers: list[Literal["direct", "programmatic"]] | UnsetType | None = UNSET
    asynchronous: bool | UnsetType = field(default=UNSET, name="async")


class RealtimeTool(Wire, kw_only=True):
    """A function of the Realtime API, which refuses `strict`."""

    type: Literal["function"]
    name: Name
    description: str | UnsetType = UNSET
    parameters: Parameters | UnsetType = UNSET


class CustomTool(Wire, kw_only=True):
    """A custom tool of Responses: the model gives it one text, and the caller runs it."""

    type: Literal["custom"]
    name: Name
    description: str | UnsetType | None = UNSET
    format: dict[str, Any] | UnsetType | None = UNSET
    defer_loading: bool | UnsetType = UNSET
    allowed_callers: list[Literal["direct", "programmatic"]] | UnsetType | None = UNSET
    asynchronous: bool | UnsetType = field(default=UNSET, name="async")


class ChatCustom(Wire, kw_only=True):
    """What a custom tool of Chat Completions is."""

    name: Name
    description: str | UnsetType | None = UNSET
    format: dict[str, Any] | UnsetType | None = UNSET


class ChatCustomTool(Wire, kw_only=True):
    """A custom tool of Chat Completions."""

    type: Literal["custom"]
    custom: ChatCustom


class ResponsesFrame(RequestFrame, kw_only=True):
    """What stands around the functions of a request, or of a namespace, which is described too."""

    description: str | UnsetType = UNSET


# The members of a request that only one of the two APIs has, and those of both (openai 3.57.0,
# types/chat/completion_create_params.py and types/responses/response_create_params.py, checked 2026-11-29). What both
# have, and unknown members, stay in a request for the other one.
COMMON_MEMBERS: Final = (
    *("metadata", "model", "moderation", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention"),
    *("safety_identifier", "service_tier", "store", "stream", "stream_options", "temperature", "top_logprobs", "top_p"),
    "user",
)
CHAT_MEMBERS: Final = (
    *("messages", "audio", "frequency_penalty", "logit_bias", "logprobs", "max_completion_tokens", "max_tokens"),
    *("modalities", "n", "prediction", "presence_penalty", "reasoning_effort", "response_format", "seed", "stop"),
    *("verbosity", "web_search_options"),
)
RESPONSES_MEMBERS: Final = (
    *("input", "instructions", "access_programs", "background", "background_options", "context_management"),
    *("conversation", "image", "include", "max_output_tokens", "max_tool_calls", "previous_response_id", "prompt"),
    *("reasoning", "text", "truncation"),
)
# What the beta of Responses has besides, as a member or as an argument of the SDK (openai 3.57.0,
# types/beta/response_create_params.py, checked 2026-11-29).
BETA_MEMBERS: Final = ("betas", "multi_agent")
# Of a session of the Realtime API (openai 3.57.0, types/realtime/realtime_session_create_request.py, checked
# 2026-11-29), which has these besides. Its `audio` is another one than that of Chat Completions.
REALTIME_MEMBERS: Final = ("output_modalities", "tracing", "type")


CHAT_FRAME: Final = request_frame(RequestFrame, "ChatFrame", (*COMMON_MEMBERS, *CHAT_MEMBERS))
RESPONSES_FRAME: Final = request_frame(
    ResponsesFrame,
    "ResponsesFrame",
    (*COMMON_MEMBERS, *RESPONSES_MEMBERS, *BETA_MEMBERS, *REALTIME_MEMBERS),
)
# What services take that speak OpenAI's words (references of Cerebras, Moonshot and LM Studio; for Responses xAI's, as
# https://reference.langchain.com/javascript/langchain-xai/XAIResponsesCreateParams lists it; checked 2026-11-28).
LIKE_CHAT: Final = request_frame(
    RequestFrame, "LikeChatFrame", ("model", "messages", "max_tokens", "stop", "stream", "temperature", "top_p")
)
LIKE_RESPONSES: Final = request_frame(
    ResponsesFrame,
    "LikeResponsesFrame",
    (
        *("model", "input", "instructions", "max_output_tokens", "previous_response_id", "reasoning", "store"),
        *("stream", "temperature", "text", "top_p"),
    ),
)
"""Those of other services, whose requests have members of their own."""


# Types of tools at Anthropic end in a date without separators (anthropic-sdk-python 2.14.0, checked 2026-11-29).
_ELSEWHERE: Final = re.compile(r".*_[0-9]{8}|mcp_toolset")


def hosted(document: JsonObject) -> bool:
    """Whether a tool is one of the vendor's own: web_search, mcp, or custom, which other formats have as a function.

    New ones appear all the time, so it is any word that means nothing else: a namespace groups functions, and a schema
    has a type as well.
    """
    kind = document.get("type")
    return (
        isinstance(kind, str) and kind not in ("function", "namespace", *TYPES) and _ELSEWHERE.fullmatch(kind) is None
    )


def _is_function(document: JsonObject) -> bool:
    """Whether a tool has what only functions have, whatever its type says. (OpenRouter's own tools have parameters.)"""
    return document.get("function") is not None or {"name", "parameters"} <= document.keys()


def hosted_by_responses(document: JsonObject) -> bool:
    return hosted(document) and "custom" not in document and not _is_function(document)


# Types of tools of Gemini's Interactions API (google-genai 3.6.1, interactions.Tool) that are none of OpenAI's
# (openai-python 3.57.0, types.responses.Tool and ToolChoiceTypes), checked 2026-11-29.
TYPES_OF_GEMINI: Final = frozenset(("code_execution", "google_maps", "google_search", "mcp_server", "url_context"))


def hosted_by_chat(document: JsonObject) -> bool:
    """Chat nests what is custom, as it does functions. Other types are those of Assistants and of other services."""
    nests = document.get("type") != "custom" or "custom" in document
    return hosted(document) and nests and not _is_function(document)


NAMESPACE: Final = GroupRule(("/tools",), type="namespace")
"""A namespace, which is OpenAI's word for a toolkit, holds its functions."""


def context(document: JsonObject) -> Mapping[str, tuple[str, str]]:
    """The name of a namespace is that of the toolkit."""
    name = document.get("name")
    return {"toolkit": (name, "/name")} if document.get("type") == "namespace" and isinstance(name, str) else {}


_DETAILS: Final = frozenset(("type", "description", "required"))
_KEYWORDS: Final = frozenset(("items", "additionalProperties", "contains", "not", "if", "then", "else", "properties"))


def has_details(function: JsonObject) -> bool:
    """Whether the parameters of a function are those of Bedrock Agents: by name, each with a type, not JSON Schema."""
    parameters = function.get("parameters")
    if not is_object(parameters) or not parameters:
        return False
    details = [each for each in parameters.values() if is_object(each) and each.keys() <= _DETAILS]
    are_sure = any(isinstance(each.get("required"), bool) for each in details) or _KEYWORDS.isdisjoint(parameters)
    return are_sure and len(details) == len(parameters) and all(isinstance(each.get("type"), str) for each in details)


# parameters


def after_read(name: str) -> Callable[[Record], None]:
    """A function without a statement about its parameters has none, which is noted at its name.

    The type `function` says no more than that it is one.
    """

    def after_read(record: Record) -> None:
        if record.document.get("type") == "function":
            record.markers["/type"] = "name"
        if "input" not in record.fields:
            record.put("input", {"type": "object", "properties": {}}, name)

    return after_read


def check(place: str) -> Callable[[JsonObject], tuple[str, str] | None]:
    """Parameters have a type of JSON Schema; a word such as `dict` or `OBJECT` is corrected where a tool is read."""

    def check(document: JsonObject) -> tuple[str, str] | None:
        kind = at.get(document, place, None)
        return (
            (place, f'expected "object", found {quoted(kind)}') if isinstance(kind, str) and kind not in TYPES else None
        )

    return check


# strict


def _drop(value: bool, w: WriteContext) -> Any:
    w.note("TB603" if value else "TB101", "", None)
    return UNSET


# What a tool of Chat Completions has under `function` is passed on alone as well, and it may have the flag
# (openai 3.57.0, types/shared/function_definition.py). The `functions` of a request may not
# (types/chat/completion_create_params.py; both checked 2026-11-29).
ONLY_READ: Final = Codec(identity, _drop)
"""The flag of a bare function."""

# output


OUTPUT: Final = Codec(identity, unless_none(lambda value, w: fit_output(value, PLAIN, w.note, w.options)), reads=())
"""The schema of what a function gives back, with no rules but those of 2020-12. That it gives nothing back has no word
here."""


# fields of services that are compatible with OpenAI's


def _read_cache(value: Any, _: Record) -> Any:
    is_known = is_object(value) and value.get("type") == "ephemeral" and isinstance(value.get("ttl", ""), str)
    return value if is_known else UNSET


# OpenRouter takes the `cache_control` of Anthropic beside `function` (pydantic-ai 2.68.0, models/openrouter.py). vLLM
# has `defer_loading` in the function (FunctionDefinition in entrypoints/openai), gateways such as orq.ai beside it
# (docs.orq.ai, "Tool search"). Checked 2026-11-23.
_CACHE: Final = fallback("/cache_control", "cache_control", Codec(_read_cache, write_nothing))

_FLAG: Final = Codec(apply(lambda value: value if isinstance(value, bool) else UNSET), write_nothing)

EXTENSIONS: Final = (
    fallback("/function/defer_loading", "defer_loading", _FLAG),
    fallback("/defer_loading", "defer_loading", _FLAG),
    _CACHE,
)
"""What compatible services add to a tool of Chat Completions."""


# detection and findings


_OBJECT: Final = GEMINI.numbered_types.index("object") + 1
"""The number of an object among the types of Gemini's API."""


def has_types_of_gemini(document: JsonObject) -> int:
    """One where the parameters state their type as Gemini does: in capitals, by its number, or as `type_`."""
    parameters = document.get("parameters")
    kind = parameters.get("type") if is_object(parameters) else None
    is_gemini = kind == _OBJECT or (isinstance(kind, str) and kind.isupper())
    return int(is_gemini or (is_object(parameters) and "type_" in parameters))


# tables


def head(base: str, dialect: Dialect, names: Rule = RULE) -> tuple[Row, ...]:
    """Name, description and parameters. Rows of one edition only: what crosses to another must obey the rules."""
    return (
        row(f"{base}/name", "name", write_name(names), required=True),
        row(f"{base}/description", "description", write_description(dialect.max_description)),
        row(f"{base}/parameters", "input", schema_codec(dialect), required=True, invent=no_parameters(dialect)),
    )


TYPE = local("/type", required=True)

OF_RESPONSES = (
    row("/output_schema", "output", OUTPUT),
    row("/defer_loading", "defer_loading"),
    row("/allowed_callers", "allowed_callers", callers.WORDS),
    local("/async"),
)

FUNCTIONS = (*head("", OPENAI), row("/strict", "strict", ONLY_READ))

REALTIME = (TYPE, *head("", OPENAI))

# Responses would try to be strict by default (guide on function calling, checked 2026-11-21).
STRICT_OR_FALSE = row(
    "/strict",
    "strict",
    strict_if_kept(OPENAI_STRICT, "/parameters", otherwise=False),
    required=True,
    default=False,
    invent=constant(value=False),
)

RESPONSES = (TYPE, *head("", OPENAI), STRICT_OR_FALSE, *OF_RESPONSES)

RESPONSES_STRICT = (TYPE, *head("", OPENAI_STRICT), strict_row("/strict"), *OF_RESPONSES)

CHAT_STRICT = (TYPE, *head("/function", OPENAI_STRICT), strict_row("/function/strict"))

CHAT_LOOSE = row("/function/strict", "strict", strict_if_kept(OPENAI_STRICT, "/function/parameters"))
CHAT = (TYPE, *head("/function", OPENAI), CHAT_LOOSE)

# custom tools


def _read_custom(base: str) -> Callable[[Record], None]:
    """The `after_read` of a custom tool: its parameter, and what texts it takes, which only OpenAI enforces.

    openai 3.57.0, types/responses/custom_tool_param.py and types/chat/chat_completion_custom_tool_param.py, where the
    grammar is nested (checked 2026-11-29). Without a format any text is taken.
    """
    place = f"{base}/format"

    def after_read(record: Record) -> None:
        text: JsonObject = {"type": "string"}
        record.markers["/type"] = "name"
        record.notes = [*record.notes, Note("TB505", "/type")]
        given = at.get(record.document, place, None)
        rule: Any = given.get("grammar", given) if is_object(given) else None
        if given == {"type": "text"}:
            record.markers[place] = "name"
        elif is_object(rule) and isinstance(definition := rule.get("definition"), str):
            text["description"] = f"Text that this grammar ({rule.get('syntax')}) accepts:\n{definition}"
            record.notes.append(Note("TB503", place))
        schema = {"type": "object", "properties": {"input": text}, "required": ["input"], "additionalProperties": False}
        record.put("input", schema, f"{base}/name")

    return after_read


def _custom(model: type[Struct], base: str, *rows: Row) -> TextTool:
    head = (
        row(f"{base}/name", "name", write_name(RULE), required=True),
        row(f"{base}/description", "description"),
        local(f"{base}/format", code="TB201"),
    )
    return TextTool(Table(model, TYPE, *head, *rows, after_read=_read_custom(base)), "custom")


CUSTOM: Final = _custom(
    CustomTool,
    "",
    *(row("/defer_loading", "defer_loading"), row("/allowed_callers", "allowed_callers", callers.WORDS)),
    local("/async"),
)
CHAT_CUSTOM: Final = _custom(ChatCustomTool, "/custom")

# formats


def table(model: type[Struct], rows: tuple[Row, ...]) -> Table:
    """The table of functions in OpenAI's words, flat or nested under `function`, here or at another vendor."""
    base = "" if any(row.wire == "/name" for row in rows) else "/function"
    return Table(
        model,
        *rows,
        after_read=after_read(f"{base}/name"),
        check=check(f"{base}/parameters/type"),
        invent={"/type": constant("function")},
        free=("name", "description"),
        extensions=(_CACHE,) if base == "" else EXTENSIONS,
    )
