"""The kinds of documents that a plugin of hyper-mcp, version 2, has beside tools, calls and results."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType, defstruct
from msgspec.structs import fields

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_object
from ...mapping import (
    Blocks,
    Codec,
    Kinds,
    Shape,
    Unrepresentable,
    Wire,
    WriteContext,
    block_problems,
    content_at,
    fields_of,
    has,
    id_codec,
    identity,
    invent,
    invent_id,
    items_at,
    local,
    never,
    row,
)
from ..mcp import prompts, resources, sampling
from ..mcp.exchange import Rows, Test, exact, item, required, table
from ..mcp.messages import OF_2025_03_26
from ..mcp.notifications import COMPLETE, LOG, PROGRESS, UPDATED
from ..mcpx.kinds import ListResourceTemplatesResult
from .messages import BLOCKS, PluginRequestContext

# models


class Resource(resources.Resource, kw_only=True):
    """A resource that a plugin has."""

    title: str | UnsetType = UNSET


class ResourceTemplate(resources.ResourceTemplate, kw_only=True):
    """A template for the URIs of resources (RFC 6570)."""

    title: str | UnsetType = UNSET


class ListResourcesResult(Wire, kw_only=True):
    """What `list_resources` gives."""

    resources: list[dict[str, Any]]


class ListPromptsResult(Wire, kw_only=True):
    """What `list_prompts` gives."""

    prompts: list[dict[str, Any]]


class ListRootsResult(Wire, kw_only=True):
    """What the import `list_roots` gives."""

    roots: list[dict[str, Any]]


class ReadResourceRequestParam(Wire, kw_only=True):
    """Which resource is read."""

    uri: str


class ReadResourceResult(Wire, kw_only=True):
    """What `read_resource` gives."""

    contents: list[dict[str, Any]]


class Prompt(Wire, kw_only=True):
    """A prompt that a plugin has."""

    name: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    arguments: list[dict[str, Any]] | UnsetType = UNSET


class GetPromptRequestParam(Wire, kw_only=True):
    """Which prompt is asked for, and with what."""

    name: str
    arguments: dict[str, Any] | UnsetType = UNSET


class GetPromptResult(Wire, kw_only=True):
    """What `get_prompt` gives."""

    messages: list[dict[str, Any]]
    description: str | UnsetType = UNSET


class Reference(Wire, kw_only=True):
    """What is completed: an argument of a prompt (`name`), or of a resource template (`uri`)."""

    type: Literal["prompt", "resource"]
    name: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    uri: str | UnsetType = UNSET


class CompleteRequestParam(Wire, kw_only=True):
    """What is completed."""

    ref: Reference
    argument: prompts.Argument
    context: prompts.CompletionContext | UnsetType = UNSET


class CompleteResult(Wire, kw_only=True):
    """What `complete` gives."""

    completion: prompts.Completion


class CreateMessageRequestParam(sampling.MessageParams, kw_only=True):
    """What the import `create_message` takes: a conversation that a model is to go on with."""


class CreateMessageResult(Wire, kw_only=True, rename="camel"):
    """What the import `create_message` gives."""

    role: Literal["user", "assistant"]
    content: dict[str, Any]
    model: str
    stop_reason: str | UnsetType = UNSET


class SimpleSchema(Wire, kw_only=True, rename="camel"):
    """The schema of one answer in a form: a text, a number, true or false, or a choice."""

    type: Literal["string", "number", "integer", "boolean"]
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    default: bool | UnsetType = UNSET
    min_length: int | UnsetType = UNSET
    max_length: int | UnsetType = UNSET
    format: Literal["email", "uri", "date", "date_time"] | UnsetType = UNSET
    minimum: float | UnsetType = UNSET
    maximum: float | UnsetType = UNSET
    enum: list[str] | UnsetType = UNSET
    enum_names: list[str] | UnsetType = UNSET


class RequestedSchema(Wire, kw_only=True):
    """The form that the user fills in."""

    type: Literal["object"]
    properties: dict[str, SimpleSchema]
    required: list[str] | UnsetType = UNSET


class FormElicitRequestParamWithTimeout(Wire, kw_only=True, rename="camel"):
    """What the import `create_elicitation` takes: a form. The timeout is in milliseconds."""

    message: str
    mode: Literal["form"]
    requested_schema: RequestedSchema
    timeout: int | UnsetType = UNSET


class UrlElicitRequestParamWithTimeout(Wire, kw_only=True, rename="camel"):
    """What the import `create_elicitation` takes: a page. The timeout is in milliseconds."""

    elicitation_id: str
    message: str
    mode: Literal["url"]
    url: str
    timeout: int | UnsetType = UNSET


class ElicitResult(Wire, kw_only=True):
    """What the import `create_elicitation` gives: what the user did, and the answers."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | UnsetType = UNSET


class LoggingMessageNotificationParam(Wire, kw_only=True):
    """What the import `notify_logging_message` takes."""

    level: Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
    data: dict[str, Any]
    logger: str | UnsetType = UNSET


class ProgressNotificationParam(Wire, kw_only=True, rename="camel"):
    """What the import `notify_progress` takes."""

    progress_token: str
    progress: float
    total: float | UnsetType = UNSET
    message: str | UnsetType = UNSET


class ResourceUpdatedNotificationParam(Wire, kw_only=True):
    """What the import `notify_resource_updated` takes."""

    uri: str


class ElicitationResponseNotificationParam(Wire, kw_only=True, rename="camel"):
    """What the import `notify_url_elicitation_completed` takes."""

    elicitation_id: str


class PluginNotificationContext(Wire, kw_only=True, rename={"meta": "_meta"}):
    """What `on_roots_list_changed` gets."""

    meta: dict[str, Any]


class ListRequest(Wire, kw_only=True):
    """What `list_tools` and the other exports for lists get: nothing tells these requests apart."""

    context: PluginRequestContext


def _asked(param: type[Struct]) -> type[Struct]:
    """The model of what an export gets: these parameters and their context."""
    return defstruct(param.__name__.removesuffix("Param"), [("request", param)], bases=(ListRequest,), kw_only=True)


ReadResourceRequest = _asked(ReadResourceRequestParam)
GetPromptRequest = _asked(GetPromptRequestParam)
CompleteRequest = _asked(CompleteRequestParam)


# values


def _write_data(value: Json, w: WriteContext) -> JsonObject:
    """What is logged, which the interface types as an object."""
    if is_object(value):
        return value
    w.note("TB505")
    return {"value": value}


def _read_schema(value: JsonObject, _: Any) -> JsonObject:
    return _renamed(value, "date_time", "date-time")


def _write_schema(value: JsonObject, w: WriteContext) -> JsonObject:
    properties = value.get("properties")
    if not is_object(properties):
        raise Unrepresentable("a form without properties", "/properties")
    for key in value:
        if key not in ("type", "properties", "required"):
            w.note("TB103", at.join(key), None)
    simple = {key: sampling.simple_property(inner, w, at.join("properties", key)) for key, inner in properties.items()}
    kept = {key: inner for key, inner in value.items() if key in ("type", "required")}
    return _renamed({**kept, "properties": simple}, "date-time", "date_time")


def _renamed(schema: JsonObject, old: str, new: str) -> JsonObject:
    """The form with another name of a format."""
    properties = {
        key: {**inner, "format": new} if is_object(inner) and inner.get("format") == old else inner
        for key, inner in schema["properties"].items()
    }
    return {**schema, "properties": properties}


# tables

_CONTEXT: Final = (
    row("/context/id", "id", required=True, invent=invent_id("request_")),
    row("/context/_meta", "meta", required=True, invent=invent({})),
)

_CONTEXT_META: Final = row("/_meta", "meta", required=True, invent=invent({}))

_CONTENT: Final = Blocks(
    "hyper-mcp", *(part for part in OF_2025_03_26 if part.kind in ("text", "image", "audio")), check=block_problems
)

_COMPLETE: Final = (row("/ref/type", "reference", required=True), *prompts.COMPLETE[1:])

_LOG: Final = (LOG[0], row("/data", "data", Codec(identity, _write_data), required=True), LOG[2])

_PROGRESS: Final = (row("/progressToken", "token", id_codec(), required=True), *PROGRESS[1:])

_FORM: Final = (
    row("/message", "text", required=True),
    row("/requestedSchema", "schema", Codec(_read_schema, _write_schema), required=True),
    *(local("/mode", required=True, default="form", code=""), local("/timeout")),
)

_URL: Final = (*sampling.URL, local("/timeout"))

# formats


def _request(model: type[Struct], rows: Rows, identifies: Test, check: Any = None, *, whole: bool = True) -> Shape:
    """The shape of what an export gets: a request and its context; `whole`: it says what is asked for."""
    inner = next((each.type for each in fields(model) if each.encode_name == "request"), None)
    matches = has("context", without=("request",)) if inner is None else has("context", request=has(*required(inner)))
    own = (*(() if inner is None else fields_of(inner, rows, "/request")), *_CONTEXT)
    return item(model, own, "request", identifies, matches=matches, whole=whole, check=check)


def _asks(params: type[Struct]) -> Test:
    """Whether a document is a request with these parameters."""
    return has(context=has("id"), request=exact(params))


def _list(
    model: type[Struct], of: type[Struct], rows: Rows, key: str, identifies: Test | None = None
) -> tuple[Shape, Shape]:
    """The shapes of a list and of what it lists."""
    listed = (items_at(f"/{key}", table(of, rows), "hyper-mcp"), resources.CURSOR)
    return item(model, listed, "list"), item(of, rows, identifies=identifies)


_ARGUMENT: Final = table(prompts.PromptArgument20250618, prompts.PROMPT_ARGUMENT)

_PROMPT: Final = (*prompts.PROMPT, items_at("/arguments", _ARGUMENT, "hyper-mcp", "parameters", required=False))

_CONTENTS: Final = table(resources.ResourceContents20250618, resources.CONTENTS, **resources.WHOLE)

_MESSAGE: Final = (prompts.PROMPT_MESSAGE, content_at("/content", BLOCKS))

_MESSAGES: Final = items_at("/messages", table(prompts.PromptMessage, _MESSAGE), "hyper-mcp")

_SAMPLE: Final = (prompts.PROMPT_MESSAGE, content_at("/content", _CONTENT))

_SAMPLES: Final = items_at("/messages", table(prompts.PromptMessage, _SAMPLE), "hyper-mcp", one_block=True)

KINDS: Final[Kinds] = {
    "resource": _list(ListResourcesResult, Resource, resources.RESOURCE, "resources"),
    "resource-template": _list(ListResourceTemplatesResult, ResourceTemplate, resources.TEMPLATE, "resourceTemplates"),
    "prompt": _list(ListPromptsResult, Prompt, _PROMPT, "prompts", prompts.is_prompt),
    "prompt-message": (
        item(GetPromptResult, (prompts.DESCRIPTION, _MESSAGES), "result"),
        item(prompts.PromptMessage, _MESSAGE, identifies=prompts.is_message),
        # Nothing tells the request from that of a call of a tool.
        _request(GetPromptRequest, prompts.GET, has("context", request=has("name"))),
    ),
    "resource-contents": (
        item(ReadResourceResult, (items_at("/contents", _CONTENTS, "hyper-mcp"),), "result"),
        item(resources.ResourceContents20250618, resources.CONTENTS, needs=resources.HELD, **resources.WHOLE),
        _request(ReadResourceRequest, resources.READ, _asks(ReadResourceRequestParam)),
    ),
    "completion": (
        item(CompleteResult, prompts.COMPLETED, "result"),
        _request(CompleteRequest, _COMPLETE, _asks(CompleteRequestParam), prompts.check_reference),
    ),
    "message": (
        item(CreateMessageResult, (*sampling.CREATED, content_at("/content", _CONTENT)), "result"),
        item(CreateMessageRequestParam, (_SAMPLES, *sampling.CREATE), "request"),
        item(prompts.PromptMessage, _SAMPLE, identifies=prompts.is_message),
    ),
    "elicitation": (
        item(FormElicitRequestParamWithTimeout, _FORM, "request"),
        item(UrlElicitRequestParamWithTimeout, _URL, "url"),
        item(ElicitResult, sampling.ANSWER, "result"),
    ),
    "root": _list(ListRootsResult, resources.Root, resources.ROOT, "roots", has("name", uri=str, only=("uri", "name"))),
    "log": (item(LoggingMessageNotificationParam, _LOG, "log"),),
    "progress": (item(ProgressNotificationParam, _PROGRESS, "progress"),),
    "notification": (
        item(ResourceUpdatedNotificationParam, UPDATED, "updated"),
        item(ElicitationResponseNotificationParam, COMPLETE, "complete"),
        item(PluginNotificationContext, (_CONTEXT_META,), "roots", never),
    ),
    "list-request": (_request(ListRequest, (), has(context=has("id"), only=("context",)), whole=False),),
}
