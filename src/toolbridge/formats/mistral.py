"""Mistral: tools in the words of OpenAI's Chat Completions. https://docs.mistral.ai/capabilities/function_calling

Edition `chat` (mistralai 3.7.0, checked 2026-11-21). Worth knowing:
- `type` may be left out; a tool of no type is a function.
- `parameters` are required, even of a function that has none.
- No rules for schemas are documented, nor what `strict` asks of them: it is said where OpenAI's rules are kept.
- Names have at most 64 letters, digits, `_` and `-`, ids of calls just nine letters and digits (the service's errors).
- Arguments come as JSON text or as an object. Nothing says that a tool failed: the text does.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from ..arguments import AS_EITHER, an_id, exactly, identified
from ..blocks import Blocks, Part, typed
from ..fitting import spoken
from ..format import Format
from ..forms import Form
from ..hub import JsonObject, is_object
from ..naming import described, named
from ..reading import Reading
from ..row import local, row
from ..schema.dialects import PLAIN
from ..table import Table
from ..wire import Wire
from . import openai
from .openai.contents import (
    encoded,
    fixed,
    is_document,
    is_picture,
    is_picture_file,
    located,
    never,
    nobody,
    told,
)
from .openai.models import Name, Parameters, RequestFrame
from .openai.traffic import (
    CALL_TYPE,
    CHAT_REPLIES,
    IMAGE_URL,
    NAMED,
    ROLE,
    TEXT,
    block,
    calls,
    is_chat_call,
    is_tool_message,
    results,
    surely_chat_call,
)
from .openai.values import RULE, is_strict, names

# models


class MistralFunction(Wire, kw_only=True, omit_defaults=True):
    """A function of Mistral."""

    name: Name
    description: str | UnsetType = UNSET
    parameters: Parameters
    strict: bool | UnsetType = UNSET


class MistralTool(Wire, kw_only=True, omit_defaults=True):
    """A tool of Mistral's chat completions."""

    type: Literal["function"] | UnsetType = UNSET
    function: MistralFunction


class MistralCalled(Wire, kw_only=True):
    """Which function a model calls; `arguments` are an object, or JSON text."""

    name: str
    arguments: dict[str, Any] | str


class MistralCall(Wire, kw_only=True, omit_defaults=True):
    """An item of `tool_calls`. The types make its id optional; the service always says one, and demands it."""

    id: str
    type: Literal["function"] | UnsetType | None = UNSET
    function: MistralCalled
    index: int | UnsetType | None = UNSET


class MistralToolMessage(Wire, kw_only=True, omit_defaults=True):
    """What a tool gave back."""

    role: Literal["tool"]
    content: str | list[dict[str, Any]] | None
    tool_call_id: str | UnsetType | None = UNSET
    name: str | UnsetType | None = UNSET


class DocumentUrlChunk(Wire, kw_only=True, omit_defaults=True):
    """A document by its URL, or in a data URL."""

    type: Literal["document_url"]
    document_url: str
    document_name: str | UnsetType | None = UNSET


class AudioChunk(Wire, kw_only=True):
    """A sound: base64, a data URL or a URL."""

    type: Literal["input_audio"]
    input_audio: str


class ResourceText(Wire, kw_only=True):
    """The text of a resource."""

    type: Literal["text"]
    text: str


class ResourceChunk(Wire, kw_only=True):
    """A resource of an MCP server with its text."""

    type: Literal["resource"]
    uri: str
    content: ResourceText


class ResourceLinkChunk(Wire, kw_only=True, omit_defaults=True):
    """Where a resource of an MCP server is."""

    type: Literal["resource_link"]
    uri: str
    metadata: dict[str, Any] | UnsetType | None = UNSET


# values


def _strict(document: JsonObject) -> int:
    """One where the function is strict, which is OpenAI's word first."""
    return int(is_strict(document, "/function/strict"))


# "Tool call id was ... but must be a-z, A-Z, 0-9, with a length of 9." (the service; langchain-ai/langchain#24668 and
# mistral-common, checked 2026-11-21)
_ID = identified(exactly(9))


def _is_text_resource(chunk: JsonObject) -> bool:
    content = chunk.get("content")
    return chunk.get("type") == "resource" and is_object(content) and content.get("type") == "text"


def _is_sound(part: Reading) -> bool:
    return "data" in part.fields


# tables

TYPE = local("/type", default="function")
TOOL = (
    TYPE,
    row("/function/name", "name", named(RULE), must=True),
    row("/function/description", "description", described(None)),
    row("/function/parameters", "input", spoken(PLAIN), must=True),
    openai.CHAT_LOOSE,
)

CHUNKS = Blocks(
    "mistral",
    Part("text", TEXT, typed("text")),
    Part("image", IMAGE_URL, typed("image_url"), is_picture),
    Part("file", IMAGE_URL, nobody, is_picture_file),
    Part(
        "file",
        block(DocumentUrlChunk, "file", "document_url", located("/document_url"), row("/document_name", "name")),
        typed("document_url"),
        is_document,
    ),
    Part("audio", block(AudioChunk, "audio", "input_audio", encoded("/input_audio")), typed("input_audio"), _is_sound),
    # What a model reads of these is their text, and that they say to everybody.
    Part(
        "file",
        block(
            ResourceChunk,
            "file",
            "resource",
            *(row("/uri", "address", must=True), fixed("/content/type", "kind", "text"), row("/content/text", "text")),
        ),
        _is_text_resource,
        never,
    ),
    Part(
        "link",
        block(ResourceLinkChunk, "link", "resource_link", row("/uri", "address", must=True), local("/metadata")),
        typed("resource_link"),
        never,
    ),
)
"""The chunks of a message (models/contentchunk.py). Thoughts, references and uploaded files stay in the family."""

CALL = (
    *(row("/id", "id", _ID, must=True), CALL_TYPE, row("/function/name", "name", NAMED, must=True)),
    *(row("/function/arguments", "arguments", AS_EITHER, must=True), local("/index")),
)
_TELLS = told("/content", CHUNKS)
MESSAGE = (ROLE, row("/tool_call_id", "id", _ID, must=True), _TELLS.row, row("/name", "name", NAMED))
_AN_ID = an_id("", 9)

# formats

CALLS = (
    Form(
        name="function",
        table=calls(MistralCall, *CALL, invent={"/id": _AN_ID}),
        tell=is_chat_call,
        sure=surely_chat_call,
    ),
)
RESULTS = (
    Form(
        name="message",
        table=results(MistralToolMessage, _TELLS, *MESSAGE, invent={"/tool_call_id": _AN_ID}),
        tell=is_tool_message,
    ),
)

FORMATS = (
    Format(
        id="mistral@chat",
        summary="Mistral, chat completions",
        spec="https://docs.mistral.ai/capabilities/function_calling",
        dialect=PLAIN,
        tool=openai.table(MistralTool, TOOL, PLAIN),
        call=CALLS,
        result=RESULTS,
        replies=CHAT_REPLIES,
        names=RULE,
        envelope=Table(RequestFrame),
        wrap="/tools",
        tell=_strict,
        problems=names(RULE, "/function/name"),
    ),
)
