"""Calls of Mistral's models and the results that they get: the chunks of its messages."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from ...mapping import (
    AS_EITHER,
    Blocks,
    Part,
    Record,
    Result,
    Shape,
    Table,
    Wire,
    has,
    has_fields,
    has_type,
    id_codec,
    id_of_length,
    invent_id,
    local,
    media_type,
    never,
    no_arguments_text,
    row,
)
from ..function_tools import fixed
from ..openai import messages as openai
from ..openai.content import IS_PICTURE, IS_PICTURE_FILE, as_text_block, encoded, is_document, located

# models

# "Tool call id was ... but must be a-z, A-Z, 0-9, with a length of 9." (the service; langchain-ai/langchain#24668 and
# mistral-common, checked 2026-11-21)
_LENGTH: Final = 9
CallId = Annotated[str, Meta(extra_json_schema={"pattern": f"^[a-zA-Z0-9]{{{_LENGTH}}}$"})]
"""The id of a call."""


class MistralCalled(Wire, kw_only=True):
    """The function that a model calls; `arguments` are an object, or JSON text."""

    name: str
    arguments: dict[str, Any] | str


class MistralCall(Wire, kw_only=True):
    """An item of `tool_calls`. Its id is optional in the types, but the service always sends and requires one."""

    id: CallId
    type: Literal["function"] | UnsetType | None = UNSET
    function: MistralCalled
    index: int | UnsetType | None = UNSET


class MistralToolMessage(Wire, kw_only=True):
    """The result of a tool."""

    role: Literal["tool"]
    content: str | list[dict[str, Any]] | None
    tool_call_id: CallId | UnsetType | None = UNSET
    name: str | UnsetType | None = UNSET


class DocumentUrlChunk(Wire, kw_only=True):
    """A document by its URL, or in a data URL."""

    type: Literal["document_url"]
    document_url: str
    document_name: str | UnsetType | None = UNSET


class AudioChunk(Wire, kw_only=True):
    """Audio: base64, a data URL or a URL."""

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


class ResourceLinkChunk(Wire, kw_only=True):
    """The address of a resource of an MCP server."""

    type: Literal["resource_link"]
    uri: str
    metadata: dict[str, Any] | UnsetType | None = UNSET


# values

_ID = id_codec(id_of_length(_LENGTH))

# Media types that the OCR service lists (mistralai/client-python#217, 2025-05-05), to which the chat hands documents
# (mistralai/client-python#441, 2026-03-20). Spreadsheets are refused (mistralai/client-ts#119, 2025-08-12).
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
_DOCUMENTS: Final = frozenset((
    *("application/pdf", "application/rtf", "application/vnd.oasis.opendocument.text", "application/epub+zip"),
    *(f"{_OFFICE}.{kind}" for kind in ("wordprocessingml.document", "presentationml.presentation")),
    *("application/docbook+xml", "application/x-jats+xml", "application/x-opml+xml", "application/x-endnote+xml"),
    *("application/x-fictionbook+xml", "application/x-ipynb+json", "application/x-latex", "application/x-bibtex"),
    *("application/x-biblatex", "text/troff", "text/x-dokuwiki"),
))


def _is_audio(block: Record) -> bool:
    return "data" in block.fields and media_type(block.fields.get("mime")).startswith("audio/")


# tables

_AUDIO = openai.block(AudioChunk, "audio", "input_audio", encoded("/input_audio"))
CHUNKS = Blocks(
    "mistral",
    Part("text", openai.TEXT, has_type("text")),
    Part("image", openai.IMAGE_URL, has_type("image_url"), IS_PICTURE),
    Part("file", openai.IMAGE_URL, never, IS_PICTURE_FILE),
    Part(
        "file",
        openai.block(DocumentUrlChunk, "file", "document_url", located("/document_url"), row("/document_name", "name")),
        has_type("document_url"),
        is_document(_DOCUMENTS),
    ),
    Part("audio", _AUDIO, has_type("input_audio"), has_fields("data")),
    Part("file", _AUDIO, never, _is_audio),
    # Models read the text of these blocks, which all formats can express.
    Part(
        "file",
        openai.block(
            ResourceChunk,
            "file",
            "resource",
            *(
                row("/uri", "address", required=True),
                fixed("/content/type", "kind", "text"),
                row("/content/text", "text"),
            ),
        ),
        has(type="resource", content=has_type("text")),
        never,
    ),
    Part(
        "link",
        openai.block(
            ResourceLinkChunk, "link", "resource_link", row("/uri", "address", required=True), local("/metadata")
        ),
        has_type("resource_link"),
        never,
    ),
    closed=False,
)
"""The chunks of a message (models/contentchunk.py). Thoughts, references and uploaded files stay in the family."""

_AN_ID = invent_id("", 9)
CALL = (
    row("/id", "id", _ID, required=True, invent=_AN_ID),
    # The service leaves the type out (mistralai 3.7.0, client/models/toolcall.py, checked 2026-11-25).
    *(fixed("/type", "id", "function", required=False), row("/function/name", "name", openai.NAMED, required=True)),
    row("/function/arguments", "arguments", AS_EITHER, required=True, invent=no_arguments_text),
    local("/index"),
)
MESSAGE = (
    *(openai.ROLE, row("/tool_call_id", "id", _ID, required=True, invent=_AN_ID)),
    *(as_text_block("/content", CHUNKS), row("/name", "name", openai.NAMED)),
)

# formats

_OUTPUT = as_text_block("/output", openai.outputs("mistral@responses", _DOCUMENTS))
RESPONSES_CALLS = (replace(openai.RESPONSES_CALLS[0], repeated=openai.caller),)
RESPONSES_RESULTS = (replace(openai.RESPONSES_RESULTS[0], table=openai.call_outputs(_OUTPUT)),)

CALLS = (openai.chat_call(MistralCall, *CALL),)
RESULTS = (Shape(name="message", table=Table(MistralToolMessage, *MESSAGE, of=Result), matches=openai.is_tool_message),)
