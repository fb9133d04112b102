"""Calls and results of OpenAI: models, codecs and rows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field
from msgspec.structs import replace

from ...data.types import JsonObject, is_object
from ...mapping import (
    AS_TEXT,
    Block,
    Blocks,
    Call,
    Codec,
    Part,
    Record,
    Result,
    Row,
    Rule,
    Shape,
    Table,
    Wire,
    WriteContext,
    all_of,
    as_text,
    default_tool_name,
    fallback,
    has,
    has_type,
    id_by_rule,
    id_codec,
    identity,
    invent_id,
    local,
    never,
    no_arguments_text,
    place_of_row,
    row,
    tag,
    write_if,
    write_name,
    write_nothing,
)
from ..function_tools import fixed
from .content import IS_PICTURE, IS_PICTURE_FILE, as_text_block, inlined, is_document, located, one
from .tools import RULE

# FunctionToolCall.call_id has 1 to 64 characters (openai/openai-openapi at f85dbe2, checked 2026-11-21).
_RESPONSES_IDS: Final = Rule(alphabet=r"\s\S", most=64)
CallId: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": _RESPONSES_IDS.pattern})]
"""The id of a call in Responses."""


class CalledFunction(Wire, kw_only=True):
    """Which function the model calls; `arguments` is JSON text, which need not be valid."""

    name: str
    arguments: str | UnsetType | None = UNSET


class ChatCall(Wire, kw_only=True):
    """An item of `tool_calls` in a message of Chat Completions."""

    id: str | UnsetType | None = UNSET
    type: Literal["function"] | UnsetType | None = UNSET
    function: CalledFunction


class ThoughtSignature(Wire, kw_only=True):
    """The signature of the thoughts that led to a call."""

    thought_signature: str | UnsetType | None = UNSET


class ExtraContent(Wire, kw_only=True):
    """What Gemini says of a call where it is used through OpenAI's interface, at Google AI and at Vertex.

    It has to be sent back with the call (https://ai.google.dev/gemini-api/docs/thought-signatures#openai, and for
    Vertex earendil-works/pi#6733; checked 2026-11-23).
    """

    google: ThoughtSignature | UnsetType | None = UNSET
    vertex: ThoughtSignature | UnsetType | None = UNSET


class AnyChatCall(ChatCall, kw_only=True):
    """The same as services of others send it, too.

    `index`: put together from a stream, each piece says of which call it is a part. `provider_specific_fields`: where
    LiteLLM has Gemini's signature (https://docs.litellm.ai/blog/gemini_3, and litellm 1.110.2; checked 2026-11-30).
    """

    index: int | UnsetType | None = UNSET
    extra_content: ExtraContent | UnsetType | None = UNSET
    provider_specific_fields: ThoughtSignature | UnsetType | None = UNSET


class CalledCustom(Wire, kw_only=True):
    """Which custom tool the model calls; its input is any text."""

    name: str
    input: str


class ChatCustomCall(Wire, kw_only=True):
    """An item of `tool_calls` that calls a custom tool."""

    id: str | UnsetType | None = UNSET
    type: Literal["custom"]
    custom: CalledCustom


class FunctionCall(Wire, kw_only=True):
    """The deprecated `function_call` of a message."""

    name: str
    arguments: str


class _Item(Wire, kw_only=True):
    id: str | UnsetType | None = UNSET
    status: Literal["in_progress", "completed", "incomplete"] | UnsetType | None = UNSET
    caller: dict[str, Any] | UnsetType | None = UNSET
    created_by: str | UnsetType | None = UNSET


class _CallItem(_Item, kw_only=True):
    namespace: str | UnsetType | None = UNSET
    asynchronous: bool | UnsetType | None = field(default=UNSET, name="async")


class ResponsesCall(_CallItem, kw_only=True):
    """An item of Responses that calls a function. `id` is that of the item; its result names `call_id`."""

    type: Literal["function_call"]
    call_id: CallId
    name: str
    arguments: str


class ResponsesCustomCall(_CallItem, kw_only=True):
    """An item of Responses that calls a custom tool, whose input is any text."""

    type: Literal["custom_tool_call"]
    call_id: CallId
    name: str
    input: str


class ToolMessage(Wire, kw_only=True):
    """What a tool gave back, as a message of Chat Completions. The name is no part of OpenAI's any more.

    Others write content that is null, which OpenAI refuses.
    """

    role: Literal["tool"]
    tool_call_id: str | UnsetType | None = UNSET
    content: str | list[dict[str, Any]] | None
    name: str | UnsetType | None = UNSET


class FunctionMessage(Wire, kw_only=True):
    """What a function gave back, as the deprecated message."""

    role: Literal["function"]
    name: str
    content: str | None


class CallOutput(_Item, kw_only=True):
    """What a function gave back, as an item of Responses."""

    type: Literal["function_call_output"]
    call_id: CallId | UnsetType | None = UNSET
    output: str | list[dict[str, Any]]
    name: str | UnsetType | None = UNSET
    namespace: str | UnsetType | None = UNSET


class _RealtimeItem(Wire, kw_only=True):
    id: str | UnsetType = UNSET
    object: Literal["realtime.item"] | UnsetType = UNSET
    status: Literal["in_progress", "completed", "incomplete"] | UnsetType = UNSET


class RealtimeCall(_RealtimeItem, kw_only=True):
    """An item of the Realtime API that calls a function."""

    type: Literal["function_call"]
    call_id: CallId | UnsetType = UNSET
    name: str
    arguments: str


class RealtimeCallOutput(_RealtimeItem, kw_only=True):
    """What a function gave back, as an item of the Realtime API: a text."""

    type: Literal["function_call_output"]
    call_id: CallId
    output: str


class CustomCallOutput(_Item, kw_only=True):
    """What a custom tool gave back, as an item of Responses."""

    type: Literal["custom_tool_call_output"]
    call_id: CallId
    output: str | list[dict[str, Any]]


class TextPart(Wire, kw_only=True):
    """Text of a message."""

    type: Literal["text"]
    text: str
    prompt_cache_breakpoint: dict[str, Any] | UnsetType | None = UNSET


class InputText(Wire, kw_only=True):
    """Text for a model of Responses."""

    type: Literal["input_text"]
    text: str
    prompt_cache_breakpoint: dict[str, Any] | UnsetType | None = UNSET


class InputImage(Wire, kw_only=True):
    """A picture for a model of Responses: at a URL, in a data URL, or uploaded before."""

    type: Literal["input_image"]
    image_url: str | UnsetType | None = UNSET
    file_id: str | UnsetType | None = UNSET
    detail: str | UnsetType | None = UNSET
    prompt_cache_breakpoint: dict[str, Any] | UnsetType | None = UNSET


class InputFile(Wire, kw_only=True):
    """A file for a model of Responses: in a data URL, at a URL, or uploaded before."""

    type: Literal["input_file"]
    file_data: str | UnsetType | None = UNSET
    file_url: str | UnsetType | None = UNSET
    file_id: str | UnsetType | None = UNSET
    filename: str | UnsetType | None = UNSET
    detail: str | UnsetType | None = UNSET
    prompt_cache_breakpoint: dict[str, Any] | UnsetType | None = UNSET


class ImageUrl(Wire, kw_only=True):
    """Where a picture is."""

    url: str
    detail: str | UnsetType | None = UNSET


class ImageUrlPart(Wire, kw_only=True):
    """A picture as messages of users have them, which other services take from tools too."""

    type: Literal["image_url"]
    image_url: str | ImageUrl


# values

# "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40" (vercel/ai#8132,
# microsoft/autogen#6377, openclaw/openclaw#875). Not every model is so strict by now (vercel/ai#17233, 2026-07-14).
_CHAT_IDS: Final = Rule(alphabet=r"\s\S", most=40)

_OFFICE: Final = "application/vnd.openxmlformats-officedocument"

# Guide "File inputs", the full list of accepted file types, since 2026-02-24 (checked 2026-11-21): text and code of all
# kinds, and these. Anything else is refused: "The file type you uploaded is not supported" (openai/openai-node#1560),
# "but got unsupported MIME type" (pydantic/pydantic-ai#4445).
_DOCUMENTS: Final = frozenset((
    *("text/", "application/pdf", "application/rtf", "application/vnd.oasis.opendocument.text"),
    *("application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/csv"),
    *(f"{_OFFICE}.{kind}" for kind in ("wordprocessingml.document", "spreadsheetml.sheet")),
    f"{_OFFICE}.presentationml.presentation",
    *(f"application/vnd.apple.{kind}" for kind in ("pages", "keynote", "iwork")),
    *("application/json", "application/json5", "application/x-ndjson", "application/yaml", "application/x-yaml"),
    *("application/toml", "application/javascript", "application/typescript", "application/graphql"),
    *("application/x-sql", "application/x-subrip", "message/rfc822"),
))


def _read_namespace(value: str, record: Record) -> Any:
    """A tool that a search found has its own name here (recorded by pydantic-ai, 2026)."""
    return UNSET if value == record.document.get("name") else value


def _write_no_name(_: str, w: WriteContext) -> Any:
    """Compatible services have a name beside the id; OpenAI itself has no such key any more."""
    if "name" not in w.record.borrowed:
        w.note("TB101", "", None)
    return UNSET


_WRITE_FILE_URL: Final = write_if(lambda w: "data" not in w.fields)  # where a file is, if that is all there is


def _filename(w: WriteContext) -> Any:
    """The name of a file that has its content with it: "Missing required parameter" (laravel/ai#324, 2026-03-28)."""
    fields = w.fields
    if "data" not in fields:
        return UNSET
    if fields.get("title"):
        w.mark_written("title")
        return fields["title"]
    last = str(fields.get("address", "")).rpartition("/")[2]
    if last:
        return last
    w.note("TB401")
    return "file"


# tables

_CACHE = local("/prompt_cache_breakpoint")


def block(model: type[Struct], kind: str, wire: str, *rows: Row, **more: Any) -> Table:
    """A block of the type `wire`, which is of this kind."""
    return Table(model, row("/type", "kind", tag(kind, wire), required=True), *rows, of=Block, **more)


TEXT: Final = block(TextPart, "text", "text", row("/text", "text", required=True), _CACHE)

IMAGE_URL: Final = block(
    ImageUrlPart,
    "image",
    "image_url",
    *(located("/image_url/url", only_read=True), local("/image_url/detail")),
    located("/image_url", unless="image_url"),
)
"""A picture by its URL, or in a data URL."""

# OpenAI takes no pictures from tools here; OpenRouter and Ollama do (recorded by ruby_llm, checked 2026-11-29).
PARTS: Final = Blocks(
    "openai@chat", Part("text", TEXT, has_type("text")), only_read=(Part("image", IMAGE_URL, has_type("image_url")),)
)
"""What a message of a tool may show in Chat Completions. Other editions are no kin of it: they refuse its blocks."""

INPUT_IMAGE: Final = block(
    InputImage, "image", "input_image", located("/image_url"), *(local("/file_id"), local("/detail"), _CACHE)
)

INPUT_FILE: Final = block(
    InputFile,
    "file",
    "input_file",
    *(inlined("/file_data"), row("/filename", "name", required=True, invent=_filename)),
    *(row("/file_url", "address", Codec(identity, _WRITE_FILE_URL)), local("/file_id"), local("/detail"), _CACHE),
)

INPUT_TEXT: Final = block(InputText, "text", "input_text", row("/text", "text", required=True), _CACHE)


def outputs(family: str, documents: frozenset[str]) -> Blocks:
    """What the output of a function may show in Responses, here or at another vendor, which takes these documents."""
    return Blocks(
        family,
        Part("text", INPUT_TEXT, has_type("input_text")),
        Part("image", INPUT_IMAGE, has_type("input_image"), IS_PICTURE),
        Part("file", INPUT_IMAGE, never, IS_PICTURE_FILE),
        Part("file", INPUT_FILE, has_type("input_file"), is_document(documents)),
    )


NAMED: Final = write_name(RULE)
_CHAT_ID = id_codec(id_by_rule(_CHAT_IDS))
_RESPONSES_ID = id_codec(id_by_rule(_RESPONSES_IDS))
CALL_TYPE: Final = fixed("/type", "id", "function")
ARGUMENTS: Final = row("/function/arguments", "arguments", AS_TEXT, required=True, invent=no_arguments_text)

_ID = row("/id", "id", _CHAT_ID, required=True, invent=invent_id())
_CALL = (
    *(_ID, CALL_TYPE),
    *(row("/function/name", "name", NAMED, required=True), ARGUMENTS, local("/index")),
)
_GOOGLE_SIGNATURE: Final = "/extra_content/google/thought_signature"
_OTHER_SIGNATURES = (
    fallback("/extra_content/vertex/thought_signature", "signature"),
    fallback("/provider_specific_fields/thought_signature", "signature"),
)

CHAT_CALL = (*_CALL, row(_GOOGLE_SIGNATURE, "signature"), *_OTHER_SIGNATURES)

# Google's own interface takes the signature. None of the services documents `extra_content`, and Fireworks refuses it:
# "Extra inputs are not permitted, field: 'messages[N].tool_calls[M].extra_content'" (NousResearch/hermes-agent#18663,
# 2026-05-02; checked 2026-11-25). Where a call has it all the same, it is read.
_SERVICE_CALL = (*_CALL, fallback(_GOOGLE_SIGNATURE, "signature"), *_OTHER_SIGNATURES)


def _write_input(value: Any, _: WriteContext) -> str:
    is_input = is_object(value) and value.keys() == {"input"} and isinstance(value["input"], str)
    return value["input"] if is_input else as_text(value)


_CUSTOM = Codec(lambda text, _: {"input": text}, _write_input, place_of_row)
"""The input of a custom tool, as the parameter that the tool has in other formats."""

CHAT_CUSTOM_CALL = (
    *(_ID, fixed("/type", "id", "custom")),
    *(row("/custom/name", "name", NAMED, required=True), row("/custom/input", "arguments", _CUSTOM, required=True)),
)

FUNCTION_CALL = (
    row("/name", "name", NAMED, required=True),
    row("/arguments", "arguments", AS_TEXT, required=True, invent=no_arguments_text),
)
_CALL_ID = row("/call_id", "id", _RESPONSES_ID, required=True, invent=invent_id())
_ITEM = (local("/id"), local("/status"), local("/caller"), local("/created_by"))
_CALL_ITEM = (*_ITEM, local("/async"), fallback("/namespace", "toolkit", Codec(_read_namespace, write_nothing)))

# openai 3.57.0, types/realtime/realtime_conversation_item_function_call.py and
# realtime_conversation_item_function_call_output.py, checked 2026-11-30.
_REALTIME_ITEM = (local("/id"), local("/object"), local("/status"))
_REALTIME_CALL = (
    *(row("/call_id", "id", _RESPONSES_ID), fixed("/type", "id", "function_call"), *FUNCTION_CALL),
    *_REALTIME_ITEM,
)
_REALTIME_OUTPUT = (fixed("/type", "content", "function_call_output"), _CALL_ID, one("/output"), *_REALTIME_ITEM)

RESPONSES_CALL = (
    *(_CALL_ID, fixed("/type", "id", "function_call"), row("/name", "name", NAMED, required=True)),
    *(row("/arguments", "arguments", AS_TEXT, required=True, invent=no_arguments_text), *_CALL_ITEM),
)

RESPONSES_CUSTOM_CALL = (
    *(_CALL_ID, fixed("/type", "id", "custom_tool_call"), row("/name", "name", NAMED, required=True)),
    *(row("/input", "arguments", _CUSTOM, required=True), *_CALL_ITEM),
)

ROLE: Final = fixed("/role", "content", "tool")
_TOOL_CALL_ID = row("/tool_call_id", "id", _CHAT_ID, required=True, invent=invent_id())
_CHAT_TELLS = as_text_block("/content", PARTS)

# The content of a tool's message is a string at DeepSeek (https://api-docs.deepseek.com/api/create-chat-completion). A
# list is refused with 400: "invalid type: sequence, expected a string" (Gitlawb/openclaude#774 and #806;
# gptme/gptme#3472, 2026-08-06; checked 2026-11-25).
_TEXT_TELLS = one("/content", PARTS)

FUNCTION_MESSAGE = (
    fixed("/role", "content", "function"),
    *(row("/name", "name", NAMED, required=True, invent=default_tool_name), one("/content")),
)

_TELLS = as_text_block("/output", outputs("openai@responses", _DOCUMENTS))


CUSTOM_CALL_OUTPUT = (fixed("/type", "content", "custom_tool_call_output"), _CALL_ID, _TELLS, *_ITEM)


def _tool_messages(telling: Row, *, lists: bool) -> Table:
    """The table of messages of tools; `lists`: whether the service takes a list as content."""

    def problems(document: JsonObject) -> Iterator[tuple[str, str]]:
        # openai 3.57.0, types/chat/chat_completion_tool_message_param.py (checked 2026-11-29).
        content = document["content"]
        if content is None:
            yield "/content", "required, but missing"
        elif not lists and not isinstance(content, str):
            yield "/content", "expected a string, found a list"

    name = row("/name", "name", Codec(identity, _write_no_name))
    return Table(ToolMessage, ROLE, _TOOL_CALL_ID, telling, name, of=Result, problems=problems)


def call_outputs(telling: Row) -> Table:
    """The table of what functions gave back in Responses, here or at another vendor."""
    return Table(
        CallOutput,
        *(fixed("/type", "content", "function_call_output"), _CALL_ID, telling),
        # What has the id of a call needs no name; who wrote it before there was a place for it does not expect one.
        *(*_ITEM, fallback("/name", "name"), local("/namespace")),
        of=Result,
    )


# formats


_IS_CHAT_CALL: Final = has(function=has("name"), type=("function", None))
_SURELY_CHAT_CALL: Final = all_of(
    has(function=has(name=str, without=("description", "parameters")), type=("function", None)),
    # A tool has neither.
    lambda document: "id" in document or "arguments" in document["function"],
)


def chat_call(model: type[Struct], *rows: Row) -> Shape:
    """The shape of an item of `tool_calls`, here or at another vendor."""
    own = Table(model, *rows, of=Call)
    return Shape(name="function", table=own, matches=_IS_CHAT_CALL, identifies=_SURELY_CHAT_CALL)


is_tool_message: Final = has("content", role="tool")

FUNCTION_CALLS: Final = (
    Shape(
        name="function",
        table=Table(FunctionCall, *FUNCTION_CALL, of=Call),
        matches=has("name", "arguments", without=("type",)),
        identifies=has("name", only=("name", "arguments"), arguments=str),
    ),
)

FUNCTION_RESULTS: Final = (
    Shape(
        name="message",
        table=Table(FunctionMessage, *FUNCTION_MESSAGE, of=Result),
        matches=has("content", role="function"),
    ),
)

CHAT_CALLS: Final = (
    chat_call(AnyChatCall, *CHAT_CALL),
    Shape(
        name="custom",
        table=Table(ChatCustomCall, *CHAT_CUSTOM_CALL, of=Call),
        matches=has(type="custom", custom=dict),
        identifies=has(type="custom", custom=has("input")),
        written=False,
        is_text=True,
    ),
    # A model that got `functions` answers in the same messages. Alone, such a call is that of the other edition.
    replace(FUNCTION_CALLS[0], name="legacy", identifies=never, written=False, reply="legacy"),
)

CHAT_RESULTS: Final = (
    Shape(name="message", table=_tool_messages(_CHAT_TELLS, lists=True), matches=is_tool_message),
    replace(FUNCTION_RESULTS[0], name="legacy", identifies=never, written=False),
)


@cache
def service_calls(names: Rule) -> tuple[Shape, ...]:
    """The calls of a service that speaks OpenAI's words, and has this rule for names."""
    name = row("/function/name", "name", write_name(names), required=True)
    rows = (name if each.wire == name.wire else each for each in _SERVICE_CALL)
    return (chat_call(AnyChatCall, *rows), *CHAT_CALLS[1:])


TEXT_RESULTS: Final = (
    replace(CHAT_RESULTS[0], table=_tool_messages(_TEXT_TELLS, lists=False)),
    *CHAT_RESULTS[1:],
)
"""The results of services that take one text and no list."""


def caller(call: JsonObject) -> JsonObject:
    """What made a call, which its output names as well.

    Source: openai 3.57.0, types/responses/response_input_item_param.py, FunctionCallOutput (checked 2026-11-29).
    """
    return {} if call.get("caller") is None else {"/caller": call["caller"]}


def _caller_and_namespace(call: JsonObject) -> JsonObject:
    """The same, with the namespace of the tool.

    That of a tool that a search found is its own name, which clients do not repeat (recorded by pydantic-ai, 2026).
    """
    namespace = call.get("namespace")
    return caller(call) if namespace in (None, call.get("name")) else {**caller(call), "/namespace": namespace}


RESPONSES_CALLS: Final = (
    Shape(
        name="function",
        table=Table(ResponsesCall, *RESPONSES_CALL, of=Call),
        matches=has_type("function_call"),
        repeated=_caller_and_namespace,
    ),
    Shape(
        name="custom",
        table=Table(ResponsesCustomCall, *RESPONSES_CUSTOM_CALL, of=Call),
        matches=has_type("custom_tool_call"),
        written=False,
        is_text=True,
        reply="custom",
        repeated=caller,
    ),
)

REALTIME_CALLS: Final = (
    Shape(name="function", table=Table(RealtimeCall, *_REALTIME_CALL, of=Call), matches=has_type("function_call")),
)

REALTIME_RESULTS: Final = (
    Shape(
        name="message",
        table=Table(RealtimeCallOutput, *_REALTIME_OUTPUT, of=Result),
        matches=has_type("function_call_output"),
    ),
)

SERVICE_RESPONSES_CALLS: Final = (RESPONSES_CALLS[0], replace(RESPONSES_CALLS[1], hosted=True))
"""Calls of Responses at xAI, which has no custom tools: such a call is one of its own search (`x_keyword_search`).

It has been run already (recorded by vercel/ai at ed857f5, checked 2026-11-29).
"""

RESPONSES_RESULTS: Final = (
    Shape(name="message", table=call_outputs(_TELLS), matches=has_type("function_call_output")),
    Shape(
        name="custom",
        table=Table(CustomCallOutput, *CUSTOM_CALL_OUTPUT, of=Result),
        matches=has_type("custom_tool_call_output"),
        written=False,
    ),
)
