"""Calls and results of Gemini's Interactions API: models, codecs and rows."""

from __future__ import annotations

from typing import Any, Final, Literal, cast

from msgspec import UNSET, Struct, UnsetType

from ...data.types import Json, JsonObject, is_object
from ...mapping import (
    AS_OBJECT,
    BlockPredicate,
    Blocks,
    Call,
    Codec,
    Part,
    Record,
    Result,
    Row,
    Shape,
    Table,
    Wire,
    WriteContext,
    borrow,
    either,
    from_context,
    has,
    has_address,
    has_data,
    has_type,
    id_codec,
    identity,
    invent_id,
    is_blank,
    local,
    media_type,
    never,
    no_arguments,
    repeating,
    row,
    write_if,
    write_name,
)
from ..function_tools import fixed
from ..openai.content import as_text_block
from ..openai.messages import block
from .messages import is_misread, write_exact_arguments
from .tools import RULE, Name


class FunctionCallStep(Wire, kw_only=True):
    """A step of an Interaction in which the model calls a function."""

    type: Literal["function_call"]
    id: str
    name: Name
    arguments: dict[str, Any]


class FunctionResultStep(Wire, kw_only=True):
    """A step with what a function gave back: a text, an object, or a list of contents."""

    type: Literal["function_result"]
    call_id: str
    name: str | UnsetType | None = UNSET
    result: str | dict[str, Any] | list[dict[str, Any]]
    is_error: bool | UnsetType | None = UNSET


class TextContent(Wire, kw_only=True):
    """Text to read."""

    type: Literal["text"]
    text: str
    annotations: list[dict[str, Any]] | UnsetType | None = UNSET


class _Media(Wire, kw_only=True):
    data: str | UnsetType | None = UNSET
    uri: str | UnsetType | None = UNSET
    mime_type: str | UnsetType | None = UNSET
    resolution: str | UnsetType | None = UNSET
    processing: Any = UNSET


class ImageContent(_Media, kw_only=True):
    """A picture."""

    type: Literal["image"]


class DocumentContent(_Media, kw_only=True):
    """A document."""

    type: Literal["document"]


class AudioContent(_Media, kw_only=True):
    """Sound."""

    type: Literal["audio"]
    channels: int | UnsetType | None = UNSET
    sample_rate: int | UnsetType | None = UNSET


class VideoContent(_Media, kw_only=True):
    """A video. The model may refer to its name."""

    type: Literal["video"]
    name: str | UnsetType | None = UNSET


# values

# The media types that the types of google-genai 3.6.1 list (interactions.ImageContent, DocumentContent, AudioContent,
# VideoContent; checked 2026-11-29).
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
_OPEN: Final = "application/vnd.oasis.opendocument"
_TYPES: Final = {
    "image": tuple(f"image/{kind}" for kind in ("png", "jpeg", "webp", "heic", "heif", "gif", "bmp", "tiff")),
    "audio": tuple(
        f"audio/{kind}"
        for kind in (
            *("wav", "mp3", "aiff", "aac", "ogg", "flac", "mpeg", "m4a", "l16", "opus", "alaw", "mulaw", "webm"),
        )
    ),
    "video": tuple(f"video/{kind}" for kind in ("mp4", "mpeg", "mpg", "mov", "avi", "x-flv", "webm", "wmv", "3gpp")),
    "document": (
        *("application/pdf", "text/csv", "application/msword"),
        *("application/vnd.ms-powerpoint", "application/vnd.ms-excel"),
        *(f"{_OFFICE}.presentationml.presentation", f"{_OFFICE}.spreadsheetml.sheet"),
        *(f"{_OFFICE}.wordprocessingml.{kind}" for kind in ("document", "template")),
        *(f"{_OPEN}.{kind}" for kind in ("presentation", "text", "spreadsheet")),
    ),
}


def _takes(kind: str) -> BlockPredicate:
    """Whether a block is media of a type that the service takes as this kind of content, here or elsewhere."""
    here, elsewhere = has_data(*_TYPES[kind]), has_address("https://", "gs://")
    return either(here, lambda it: elsewhere(it) and media_type(it.fields.get("mime")) in _TYPES[kind])


# The examples have either data or an address (https://ai.google.dev/gemini-api/docs/image-understanding), as parts of
# the other API must ("can only contain one of the accepted types", google-genai 3.6.1, types.FunctionResponsePart); an
# address beside data may be any that a server made, such as `file:///a`. Checked 2026-11-30.
_WRITE_URI: Final = write_if(lambda w: "data" not in w.fields)


# tables


def _media(model: type[Struct], kind: str, wire: str, *rows: Row) -> Table:
    return block(
        model,
        kind,
        wire,
        *(row("/data", "data"), row("/uri", "address", Codec(identity, _WRITE_URI)), row("/mime_type", "mime")),
        *(local("/resolution"), local("/processing"), *rows),
    )


_AUDIO: Final = (local("/channels"), local("/sample_rate"))

_TEXT = block(TextContent, "text", "text", row("/text", "text", required=True), local("/annotations"))

CONTENTS: Final = Blocks(
    "gemini@interactions",
    Part("text", _TEXT, has_type("text")),
    Part("image", _media(ImageContent, "image", "image"), has_type("image"), _takes("image")),
    Part("file", _media(ImageContent, "file", "image"), never, _takes("image")),
    Part("file", _media(DocumentContent, "file", "document"), has_type("document"), _takes("document")),
    Part("audio", _media(AudioContent, "audio", "audio", *_AUDIO), has_type("audio"), _takes("audio")),
    Part("video", _media(VideoContent, "video", "video", row("/name", "name")), has_type("video"), _takes("video")),
    closed=False,
)
"""The contents of a result. Functions, which a search for tools finds, stay in the family."""

_NAMED: Final = write_name(RULE)
_ID: Final = id_codec()
_RESULT: Final = "/result"
_CONTENT: Final = cast("Codec", as_text_block(_RESULT, CONTENTS, flag=True).via)


def _read_result(value: Json, record: Record) -> Any:
    """The content of a result; an object is its data."""
    if is_object(value):
        borrow(record, "data", value, _RESULT)
        return UNSET
    return _CONTENT.read(value, record)


def _write_result(w: WriteContext) -> JsonObject | str | list[JsonObject]:
    """The data of a result, if it is an object that its content only repeats; its content otherwise.

    Behind this API an object is a `response` as well: "Invalid function_response.response: field `results` has an empty
    value" (takeshy/obsidian-gemini-helper#80, 2026-04-07).
    """
    value, content = w.fields.get("data"), w.fields.get("content", [])
    same = repeating(content, value) if is_object(value) else []
    others = [each for each in content if each not in same and not is_blank(each)]
    if (
        not is_object(value)
        or is_misread(value)
        or others
        or any(w.fields.get(path) for path in ("problem.message", "problem.prompt"))
    ):
        return _CONTENT.write(value, w)
    for each in content:
        w.note_at("TB101", each.base, None)
    w.mark_written("data", "content")
    return value


CALL: Final = (
    *(fixed("/type", "id", "function_call"), row("/id", "id", _ID, required=True, invent=invent_id())),
    row("/name", "name", _NAMED, required=True),
    row("/arguments", "arguments", AS_OBJECT, required=True, invent=no_arguments),
)

RESULT: Final = (
    *(fixed("/type", "content", "function_result"), row("/call_id", "id", _ID, required=True, invent=invent_id())),
    *(row("/name", "name", _NAMED), row("/is_error", "failed")),
    row(_RESULT, "content", Codec(_read_result, from_context(_write_result)), required=True, invent=_write_result),
)

# formats

# OpenAI's calls are of the same type, and have the id of an item beside that of the call.
_IS_CALL: Final = has(type="function_call", without=("call_id",))

CALLS: Final = (
    Shape(
        name="step",
        table=Table(FunctionCallStep, *CALL, of=Call, before_write=write_exact_arguments("/arguments")),
        matches=_IS_CALL,
        identifies=has("id", type="function_call", without=("call_id",), arguments=dict),
    ),
)

RESULTS: Final = (
    Shape(name="step", table=Table(FunctionResultStep, *RESULT, of=Result), matches=has_type("function_result")),
)
