"""Calls and results of LangChain: `ToolCall`, `ToolMessage` and the standard blocks of a message.

Worth knowing:
- Data goes to `artifact`, as langchain-mcp-adapters has it, and no model reads that. Where the content is blank, the
  data is written there as JSON text as well; beside other content it is for programs alone, which is reported.
- A file of the media type of a picture is one, as langchain-mcp-adapters has it (tools.py at 0131867, checked
  2026-11-21); likewise a sound, which that refuses though the standard blocks have it.
- A link is written as text. langchain-mcp-adapters and `langchain.mcp` make a block with a URL of it, which some model
  classes then fetch on the machine that they run on (langchain-google-genai 4.4.3, _image_utils.py) and others refuse:
  the address is a server's choice. `results(links=True)` writes such blocks.
- Tools also return blocks of Anthropic and OpenAI, which integrations pass on or translate (`content_blocks` of a
  message in langchain-core 1.8.3, checked 2026-11-30): they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, Literal

from msgspec import UNSET, UnsetType

from ...data.types import Json, JsonObject
from ...errors import DocumentError
from ...mapping import (
    AS_OBJECT,
    Blocks,
    Call,
    Codec,
    Part,
    Record,
    Result,
    Shape,
    Table,
    Wire,
    WriteContext,
    all_of,
    apply,
    as_text,
    fallback,
    flag,
    has,
    has_type,
    id_codec,
    identity,
    invent,
    invent_id,
    is_base64,
    local,
    media_type,
    never,
    no_arguments,
    place_of_row,
    read_text,
    repeating,
    row,
    unless_in_words,
    write_if,
    write_nothing,
)
from ..anthropic import messages as anthropic
from ..function_tools import fixed
from ..openai.content import as_text_block, inlined
from ..openai.messages import IMAGE_URL, INPUT_FILE, INPUT_IMAGE, INPUT_TEXT, block

# models


class ToolCall(Wire, kw_only=True):
    """A call of a tool; also a block of a message, which has an index and extras."""

    name: str
    args: dict[str, Any]
    id: str | None
    type: Literal["tool_call"] | UnsetType = UNSET
    index: int | str | UnsetType | None = UNSET
    extras: dict[str, Any] | UnsetType | None = UNSET


class AnyToolCall(ToolCall, kw_only=True):
    """What readers take: others write no id, or a type that is null."""

    id: str | UnsetType | None = UNSET  # pyright: ignore[reportIncompatibleVariableOverride] - a wider type
    type: Literal["tool_call"] | UnsetType | None = UNSET  # pyright: ignore[reportIncompatibleVariableOverride]


class InvalidToolCall(Wire, kw_only=True):
    """A call whose arguments are no JSON object, or in which something else was wrong."""

    type: Literal["invalid_tool_call"]
    name: str
    args: str | UnsetType | None = UNSET
    id: str | UnsetType | None = UNSET
    error: str | UnsetType | None = UNSET
    index: int | str | UnsetType | None = UNSET
    extras: dict[str, Any] | UnsetType | None = UNSET


class ToolMessage(Wire, kw_only=True):
    """What a tool gave back. `id` is that of the message; a dump of what was set has no type."""

    type: Literal["tool"] | UnsetType = UNSET
    content: str | list[str | dict[str, Any]]
    tool_call_id: str
    status: Literal["success", "error"] | UnsetType = UNSET
    name: str | UnsetType | None = UNSET
    artifact: Any = UNSET
    id: str | UnsetType | None = UNSET
    additional_kwargs: dict[str, Any] | UnsetType = UNSET
    response_metadata: dict[str, Any] | UnsetType = UNSET


class TextBlock(Wire, kw_only=True):
    """Text."""

    type: Literal["text"]
    text: str
    id: str | UnsetType | None = UNSET
    annotations: list[Any] | UnsetType | None = UNSET
    index: int | str | UnsetType | None = UNSET
    extras: dict[str, Any] | UnsetType | None = UNSET


class _Data(Wire, kw_only=True):
    base64: str | UnsetType | None = UNSET
    mime_type: str | UnsetType | None = UNSET
    url: str | UnsetType | None = UNSET
    file_id: str | UnsetType | None = UNSET
    id: str | UnsetType | None = UNSET
    index: int | str | UnsetType | None = UNSET
    extras: dict[str, Any] | UnsetType | None = UNSET


class DataBlock(_Data, kw_only=True):
    """A picture, a sound, a film or another file: base64, at a URL, or uploaded before.

    `source_type` and `data` are from the blocks of langchain-core 0.3, which version 1 still takes. Its converter for
    OpenAI asks for `filename` (langchain-core 1.8.3, messages/block_translators/openai.py, checked 2026-11-30).
    """

    type: Literal["image", "audio", "video", "file"]
    source_type: str | UnsetType | None = UNSET
    data: str | UnsetType | None = UNSET
    text: str | UnsetType | None = UNSET
    filename: str | UnsetType | None = UNSET


class PlainTextBlock(_Data, kw_only=True):
    """A file of plain text."""

    type: Literal["text-plain"]
    text: str | UnsetType | None = UNSET
    title: str | UnsetType | None = UNSET
    context: str | UnsetType | None = UNSET


class ChatFile(Wire, kw_only=True):
    """The content of a file in a data URL, or the id of one that was uploaded before."""

    file_data: str | UnsetType | None = UNSET
    file_id: str | UnsetType | None = UNSET
    filename: str | UnsetType | None = UNSET


class FilePart(Wire, kw_only=True):
    """A file as messages of users have it in Chat Completions."""

    type: Literal["file"]
    file: ChatFile


# values

MEDIA = ("image", "audio", "video", "file")
"""The kinds of blocks that are not text."""


def _write_data(value: Json, w: WriteContext) -> Json:
    """Data stands where no model reads it, which is noted if the content does not have it."""
    content: list[Record] = w.fields.get("content", [])
    if content and not repeating(content, value):
        w.note("TB703")
    return value


def _has_content(part: Record) -> bool:
    if "data" in part.fields:
        return is_base64(part.fields["data"])
    return "address" in part.fields and "text" not in part.fields


def _is_of(kind: str) -> Callable[[Record], bool]:
    return lambda part: _has_content(part) and media_type(part.fields.get("mime")).startswith(kind + "/")


def _is_other(media: Collection[str]) -> Callable[[Record], bool]:
    """Whether a file can be written, and is of none of the kinds of media that must not be."""
    barred = tuple(f"{each}/" for each in MEDIA if each not in media)
    return lambda part: _has_content(part) and not media_type(part.fields.get("mime")).startswith(barred)


def _drop_text(_: str, w: WriteContext) -> Any:
    """A block has either content or text."""
    w.note("TB101", "", None)
    return UNSET


# "Required for base64 data" (langchain-core 1.8.3, messages/content.py, checked 2026-11-29): without it its converters
# raise KeyError.
_UNKNOWN_TYPE = invent("application/octet-stream")


def _write_type(w: WriteContext) -> Any:
    """The media type of data of which none is known."""
    return _UNKNOWN_TYPE(w) if "data" in w.fields else UNSET


def _untyped(block: Record) -> Iterator[tuple[str, str]]:
    """What is wrong with a block whose base64 has no media type."""
    if block.places.get("data") == "/base64" and "mime" not in block.fields:
        yield "/mime_type", "required beside base64, but missing"


# tables

_REST = (local("/id"), local("/index"), local("/extras"))
# Where a file is, if that is all there is: integrations look for it first.
_WRITE_URL = write_if(lambda w: "data" not in w.fields)
_DATA = (
    *(row("/base64", "data"), row("/mime_type", "mime", required=True, invent=_write_type)),
    *(row("/data", "data", Codec(identity, write_nothing)), row("/text", "text", Codec(identity, _drop_text))),
    local("/source_type"),
    *(row("/url", "address", Codec(identity, _WRITE_URL)), local("/file_id"), *_REST),
    # Where LangChain looks for the name of a file (messages/block_translators/openai.py).
    *(row("/extras/filename", "name"), fallback("/filename", "name")),
)


def _settle_source_type(record: Record) -> None:
    """The type of the source says no more than the member that has the content."""
    if (path := next((each for each in ("data", "address", "text") if each in record.fields), None)) is not None:
        record.markers["/source_type"] = path


def _data_block(kind: str, wire: str) -> Table:
    return block(DataBlock, kind, wire, *_DATA, after_read=_settle_source_type)


_MEDIA = {kind: _data_block(kind, kind) for kind in ("image", "audio", "video")}
_PLAIN_TEXT = (
    *(row("/text", "text"), row("/base64", "data"), row("/mime_type", "mime"), row("/url", "address")),
    *(row("/title", "title"), row("/context", "description"), local("/file_id"), *_REST),
)
_FILE_PART = block(
    *(FilePart, "file", "file"),
    *(inlined("/file/file_data"), row("/file/filename", "name"), local("/file/file_id")),
)
_TEXT = block(TextBlock, "text", "text", row("/text", "text", required=True), local("/annotations"), *_REST)


def _of_vendor(part: Part) -> Part:
    """A block of a vendor, which is read and never written; one that is not valid is a block that nobody knows."""

    def matches(document: JsonObject) -> bool:
        if not part.matches(document):
            return False
        try:
            part.table.open(document, "langchain")
        except DocumentError:
            return False
        return True

    return Part(part.kind, part.table, matches, never)


_OF_VENDORS = tuple(
    map(
        _of_vendor,
        (
            *(*anthropic.PARTS[1:], anthropic.SEARCH),  # but for text, which is LangChain's as well
            Part("image", IMAGE_URL, has_type("image_url")),
            Part("file", _FILE_PART, has_type("file")),
            Part("text", INPUT_TEXT, has_type("input_text")),
            Part("image", INPUT_IMAGE, has_type("input_image")),
            Part("file", INPUT_FILE, has_type("input_file")),
        ),
    )
)


def _blocks(media: Collection[str], types: Collection[str] | None, *, links: bool) -> Blocks:
    """The standard blocks of a message."""

    def written(kind: str, takes: Callable[[Record], bool]) -> Callable[[Record], bool]:
        if kind not in media:
            return never
        return lambda part: takes(part) and (types is None or media_type(part.fields.get("mime")) in types)

    # The blocks of vendors have the same types.
    standard = {kind: has(type=kind, without=("source", "file")) for kind in _MEDIA}
    filed = ("file", "link") if links else ("file",)
    return Blocks(
        "langchain",
        Part("text", _TEXT, has_type("text")),
        *(Part(kind, _MEDIA[kind], standard[kind], written(kind, _has_content)) for kind in _MEDIA),
        *(
            Part(kind, _MEDIA[other], never, written(other, _is_of(other)))
            for kind in filed
            for other in ("image", "audio")
        ),
        Part(
            "file", _data_block("file", "file"), has(type="file", without=("file",)), written("file", _is_other(media))
        ),
        *([Part("link", _data_block("link", "file"), never, written("file", _is_other(media)))] if links else []),
        # Integrations do not all know this one; text is text to them.
        Part("file", block(PlainTextBlock, "file", "text-plain", *_PLAIN_TEXT), has_type("text-plain"), never),
        *_OF_VENDORS,
        check=_untyped,
        closed=False,
    )


CALL = (
    row("/name", "name", required=True),
    row("/args", "arguments", AS_OBJECT, required=True, invent=no_arguments),
    *(row("/id", "id", id_codec(), required=True, invent=invent_id()), fixed("/type", "id", "tool_call")),
    *(local("/index"), local("/extras")),
)
INVALID_CALL = (
    *(row("/name", "name", required=True), row("/args", "arguments", Codec(read_text, apply(as_text), place_of_row))),
    *(row("/id", "id", id_codec()), fixed("/type", "id", "invalid_tool_call"), local("/error")),
    *(local("/index"), local("/extras")),
)
MESSAGE = (
    *(row("/tool_call_id", "id", id_codec(), required=True, invent=invent_id()), fixed("/type", "content", "tool")),
    *(row("/name", "name"), row("/status", "failed", unless_in_words(flag("error", "success")), default="success")),
    *(local("/artifact"), row("/artifact/structured_content", "data", Codec(identity, _write_data), nullable=True)),
    *(local("/id"), local("/additional_kwargs"), local("/response_metadata")),
)

# formats

_IS_CALL = has("name", args=dict, type=("tool_call", None))
_IS_TYPED_CALL = has("name", type="tool_call")

CALLS = (
    Shape(
        name="call",
        table=Table(ToolCall, *CALL, of=Call, reads=AnyToolCall),
        # One that says what it is may lack its arguments.
        matches=lambda document: _IS_CALL(document) or _IS_TYPED_CALL(document),
        identifies=all_of(_IS_CALL, has(only=("name", "args", "id", "type", "index", "extras"))),
    ),
    Shape(
        name="invalid",
        table=Table(InvalidToolCall, *INVALID_CALL, of=Call),
        matches=has_type("invalid_tool_call"),
        written=False,
    ),
)


# Vendors have such messages too; those say whose role it is.
_IS_MESSAGE = all_of(
    has("tool_call_id", "content", without=("role",)), lambda document: document.get("type", "tool") == "tool"
)


def results(
    media: Collection[str] = MEDIA,
    types: Collection[str] | None = None,
    *,
    links: bool = False,
    media_fail: bool = True,
) -> tuple[Shape, ...]:
    """Results whose content has blocks of these media, and text instead of others; `links` are blocks of a URL.

    `types` are the media types of such blocks, if not all are taken; `media_fail`: whether a message with one may have
    the status of a failure.
    """
    blocks = _blocks(media, types, links=links)
    content = as_text_block("/content", blocks, data=True, flag=True, media_fail=media_fail)
    return (Shape(name="message", table=Table(ToolMessage, content, *MESSAGE, of=Result), matches=_IS_MESSAGE),)


RESULTS = results()
