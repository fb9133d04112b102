"""What a server asks of a client, by edition of MCP: a message of its model, and answers of its user (elicitation)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...mapping import (
    Blocks,
    ChoiceWords,
    Codec,
    Message,
    Part,
    Row,
    Shape,
    Table,
    Unrepresentable,
    Wire,
    WriteContext,
    block_problems,
    borrow,
    choice_shape,
    content_at,
    has,
    has_type,
    identity,
    items_at,
    local,
    object_only,
    row,
    tag,
)
from .exchange import META, exact, item, request, result, since, table
from .messages import TEXT, ToolResultContent, ToolResultContent20251125, extended, media
from .resources import Result
from .tools import STATELESS, TABLES

# models


class SamplingMessage(Wire, kw_only=True):
    """A message of a conversation, up to 2025-06-18."""

    role: Literal["user", "assistant"]
    content: dict[str, Any]


class SamplingMessage20251125(Wire, kw_only=True, rename={"meta": "_meta"}):
    """A message of a conversation, since 2025-11-25: its content may be a list of blocks."""

    role: Literal["user", "assistant"]
    content: dict[str, Any] | list[dict[str, Any]]
    meta: dict[str, Any] | UnsetType = UNSET


class ToolUseContent(Wire, kw_only=True, rename={"meta": "_meta"}):
    """A call of a tool in a conversation."""

    type: Literal["tool_use"]
    id: str
    name: str
    input: dict[str, Any]
    meta: dict[str, Any] | UnsetType = UNSET


class ModelHint(Wire, kw_only=True):
    """A part of the name of a model."""

    name: str | UnsetType = UNSET


Share = Annotated[float, Meta(ge=0, le=1)]
"""A number from 0 to 1."""


class ModelPreferences(Wire, kw_only=True, rename="camel"):
    """What matters for the choice of a model, from 0 to 1."""

    hints: list[ModelHint] | UnsetType = UNSET
    cost_priority: Share | UnsetType = UNSET
    speed_priority: Share | UnsetType = UNSET
    intelligence_priority: Share | UnsetType = UNSET


class MessageParams(Wire, kw_only=True, rename="camel"):
    """A conversation that a model is to go on with, as plugins of hyper-mcp ask for it, too."""

    messages: list[dict[str, Any]]
    max_tokens: int
    system_prompt: str | UnsetType = UNSET
    temperature: float | UnsetType = UNSET
    stop_sequences: list[str] | UnsetType = UNSET
    model_preferences: ModelPreferences | UnsetType = UNSET
    include_context: Literal["none", "thisServer", "allServers"] | UnsetType = UNSET


class CreateMessageParams(MessageParams, kw_only=True):
    """A conversation that a model is to go on with."""

    metadata: dict[str, Any] | UnsetType = UNSET


class ToolChoice(Wire, kw_only=True):
    """Whether the model may, must or must not call tools."""

    mode: Literal["auto", "required", "none"] | UnsetType = UNSET


class ToolChoiceMembers(Wire, kw_only=True, rename="camel"):
    """The member of the parameters that chooses among the tools of a sampling request."""

    tool_choice: dict[str, Any] | UnsetType = UNSET


CreateMessageParams20241105 = extended(CreateMessageParams, "2024-11-05", meta=META)
CreateMessageParams20260728 = extended(CreateMessageParams, STATELESS, tools=list[META], tool_choice=ToolChoice)
CreateMessageParams20251125 = extended(CreateMessageParams20260728, "2025-11-25", task=META, meta=META)


class CreateMessageResult(Result, kw_only=True, rename="camel"):
    """The message of a model, up to 2025-06-18."""

    role: Literal["user", "assistant"]
    content: dict[str, Any]
    model: str
    stop_reason: str | UnsetType = UNSET


class CreateMessageResult20251125(CreateMessageResult, kw_only=True):
    """The message of a model, since 2025-11-25: its content may be a list of blocks."""

    content: dict[str, Any] | list[dict[str, Any]]  # pyright: ignore[reportIncompatibleVariableOverride] - a wider type


class FormParams20250618(Wire, kw_only=True, rename={"requested_schema": "requestedSchema", "meta": "_meta"}):
    """A form for the user, in 2025-06-18."""

    message: str
    requested_schema: dict[str, Any]
    meta: dict[str, Any] | UnsetType = UNSET


class FormParams(Wire, kw_only=True, rename="camel"):
    """A form for the user."""

    message: str
    requested_schema: dict[str, Any]
    mode: Literal["form"] | UnsetType = UNSET


FormParams20251125 = extended(FormParams, "2025-11-25", task=META, meta=META)


class UrlParams(Wire, kw_only=True):
    """A page for the user, since 2026-07-28."""

    mode: Literal["url"]
    message: str
    url: str


class UrlParams20251125(UrlParams, kw_only=True, rename={"elicitation_id": "elicitationId", "meta": "_meta"}):
    """A page for the user, in 2025-11-25: with an id, and perhaps as a task."""

    elicitation_id: str
    task: dict[str, Any] | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = UNSET


class ElicitResult20250618(Result, kw_only=True):
    """What the user did, and the answers, in 2025-06-18."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, str | int | float | bool] | UnsetType = UNSET


class ElicitResult(Wire, kw_only=True):
    """What the user did, and the answers, since 2026-07-28."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, str | int | float | bool | list[str]] | UnsetType = UNSET


ElicitResult20251125 = extended(ElicitResult, "2025-11-25", meta=META)


# values


def _write_simple(value: JsonObject, w: WriteContext) -> JsonObject:
    """The form as editions up to 2025-06-18 take it: only booleans have a default, and a choice is one `enum`."""
    properties = value.get("properties")
    if not is_object(properties):
        return value
    simple = {key: simple_property(inner, w, at.join("properties", key)) for key, inner in properties.items()}
    return value if simple == properties else {**value, "properties": simple}


def simple_property(schema: Json, w: WriteContext, place: str) -> Json:
    """The schema of one answer without what 2025-11-25 added to it."""
    if not is_object(schema):
        return schema
    if schema.get("type") == "array":
        raise Unrepresentable("a choice of several values", place)
    choices = schema.get("oneOf")
    if is_list(choices) and "enum" not in schema and all(is_object(each) and "const" in each for each in choices):
        for number, choice in enumerate(choices):
            for key in choice.keys() - {"const", "title"}:
                w.note("TB103", place + at.join("oneOf", number, key), None)
        if "enumNames" in schema:  # names of an enumeration that is not there
            w.note("TB103", f"{place}/enumNames", None)
        names = [each.get("title", each["const"]) for each in choices]
        schema = {key: inner for key, inner in schema.items() if key != "oneOf"}
        schema |= {"enum": [each["const"] for each in choices], "enumNames": names}
    if "default" in schema and schema.get("type") != "boolean":
        w.note("TB103", f"{place}/default", None)
        schema = {key: inner for key, inner in schema.items() if key != "default"}
    return schema


def _answers_tools(document: JsonObject) -> bool:
    """Whether a message gives results of tools as MCP spells them; nothing tells other ones from those of prompts."""
    content = document.get("content")
    known = is_list(content) and all(is_object(each) and IS_TOOL_RESULT(each) for each in content)
    return known and _IS_MESSAGE(document)


def _asks(model: Any) -> Callable[[JsonObject], bool]:
    """Whether parameters ask for a message: with messages of MCP they do, whatever else is beside the tools."""
    known = exact(model)

    def test(document: JsonObject) -> bool:
        messages = document.get("messages")
        if known(document) or not (is_list(messages) and messages) or type(document.get("maxTokens")) is not int:
            return known(document)
        return "jsonrpc" not in document and all(is_object(each) and _IS_MESSAGE(each) for each in messages)

    return test


IS_TOOL_RESULT: Final = exact(ToolResultContent)

_IS_MESSAGE: Final = exact(SamplingMessage20251125)


# tables


def _block(model: Any, kind: str, *rows: Row) -> Part:
    head = row("/type", "kind", tag(kind, kind), required=True)
    # Who has no such block gets it as text.
    own = Table(model, head, *rows, of=Message, after_read=lambda block: borrow(block, "value", block.document, ""))
    return Part(kind, own, has_type(kind))


def _tool_blocks(model: type[ToolResultContent], data: Codec | None) -> tuple[Part, Part]:
    """A call of a tool, and its result; `data` writes what the result has for programs."""
    structured = row("/structuredContent", "structured", data, nullable=True)
    members = (local("/toolUseId"), local("/content"), structured, local("/isError"), local("/_meta"))
    return (
        _block(ToolUseContent, "tool_use", *map(local, ("/id", "/name", "/input", "/_meta"))),
        _block(model, "tool_result", *members),
    )


_PLAIN: Final = (Part("text", TEXT, has_type("text")), media("image"))

_CONTENT: Final = {
    "2024": Blocks("mcp", *_PLAIN, check=block_problems),
    "2025-03-26": Blocks("mcp", *_PLAIN, media("audio"), check=block_problems),
    "2025-11-25": Blocks(
        *("mcp", *_PLAIN, media("audio")),
        *_tool_blocks(ToolResultContent20251125, Codec(identity, object_only)),
        check=block_problems,
    ),
    "2026": Blocks("mcp", *_PLAIN, media("audio"), *_tool_blocks(ToolResultContent, None), check=block_problems),
}

CREATE: Final = (
    *(row("/maxTokens", "max_tokens", required=True), row("/systemPrompt", "system")),
    *(row("/temperature", "temperature"), row("/stopSequences", "stop"), row("/includeContext", "include")),
    *(row("/modelPreferences/hints", "models"), row("/modelPreferences/costPriority", "cost")),
    *(row("/modelPreferences/speedPriority", "speed"), row("/modelPreferences/intelligencePriority", "intelligence")),
    *(local("/metadata"), local("/toolChoice"), local("/task")),
)

_TOOLS: Final = {
    edition: items_at("/tools", tools, "mcp", "tools", required=False) for edition, tools in TABLES.items()
}
"""The tools of a request, as each edition describes tools."""

CREATED: Final = (
    *(row("/role", "role", required=True), row("/model", "model", required=True), row("/stopReason", "reason")),
)

FORM: Final = (row("/message", "text", required=True), local("/mode", default="form", code=""), local("/task"))

_SCHEMA: Final = row("/requestedSchema", "schema", required=True)

_SIMPLE_SCHEMA: Final = row("/requestedSchema", "schema", Codec(identity, _write_simple), required=True)

URL: Final = (
    *(row("/message", "text", required=True), row("/url", "address", required=True)),
    *(local("/mode", required=True, default="url", code=""), row("/elicitationId", "elicitation", required=True)),
    local("/task"),
)

ANSWER: Final = (row("/action", "action", required=True), row("/content", "data"))

# formats


def messages(edition: str) -> tuple[Shape, ...]:
    several = edition >= "2025-11-25"
    content = content_at("/content", since(edition, _CONTENT), several=several)
    model = SamplingMessage20251125 if several else SamplingMessage
    rows = (row("/role", "role", required=True), content, row("/_meta", "meta"))
    params = since(
        edition,
        {
            "2024": CreateMessageParams20241105,
            "2025-11-25": CreateMessageParams20251125,
            "2026": CreateMessageParams20260728,
        },
    )
    asked = (items_at("/messages", table(model, rows), "mcp", one_block=not several), *CREATE, _TOOLS[edition])
    created = CreateMessageResult20251125 if several else CreateMessageResult
    return (
        *result("result", edition, created, (*CREATED, content), by_server=False),
        *request(
            "request", edition, "sampling/createMessage", params, asked, by_client=False, identifies=_asks(params)
        ),
        item(model, rows, identifies=_answers_tools),
    )


def elicitations(edition: str) -> tuple[Shape, ...]:
    """None before 2025-06-18."""
    old = edition < "2025-11-25"
    models = {"2025-06-18": FormParams20250618, "2025-11-25": FormParams20251125, "2026": FormParams}
    form, is_form = (*FORM, _SIMPLE_SCHEMA if old else _SCHEMA), has("message", "requestedSchema")
    method = "elicitation/create"
    page = since(edition, {"2025": UrlParams20251125, "2026": UrlParams})
    pages = () if old else request("url", edition, method, page, URL, by_client=False, matches=has(mode="url"))
    answers = since(edition, {"2025": ElicitResult20250618, "2025-11-25": ElicitResult20251125, "2026": ElicitResult})
    return (
        *request("request", edition, method, since(edition, models), form, by_client=False, matches=is_form),
        *pages,
        *result("result", edition, answers, ANSWER, by_server=False),
    )


CHOICE: Final = choice_shape(
    ToolChoiceMembers,
    "/toolChoice",
    ChoiceWords(
        modes={"auto": {"mode": "auto"}, "any": {"mode": "required"}, "none": {"mode": "none"}}, optional=frozenset()
    ),
)
