"""Calls and results of Bedrock: models, codecs and rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from ...data.names import digest
from ...data.types import Json, JsonObject, is_object
from ...data.types import kind as json_type
from ...mapping import (
    AS_OBJECT,
    Block,
    Blocks,
    Call,
    Codec,
    Part,
    Predicate,
    Record,
    Result,
    Row,
    Rule,
    Shape,
    Table,
    Wire,
    WriteContext,
    apply,
    borrow,
    flag,
    for_model,
    from_context,
    has,
    has_address,
    has_fields,
    has_object,
    has_type,
    holds,
    id_by_rule,
    id_codec,
    identity,
    invent_id,
    is_base64,
    is_read,
    local,
    media_type,
    no_arguments,
    repeating,
    rewrite,
    row,
    text_block,
    unless_in_words,
    write_name,
)
from ..anthropic.messages import Citations, is_search_result, result_blocks, texts_at, with_source
from .tools import RULE

IDS: Final = Rule(alphabet="a-zA-Z0-9_.:-", most=64)

Id = Annotated[str, Meta(extra_json_schema={"pattern": IDS.pattern})]
"""The id of a call."""

DocumentName = Annotated[str, Meta(min_length=1)]
"""Letters, digits, single spaces, hyphens, parentheses and square brackets, 200 at most."""


class ToolUse(Wire, kw_only=True, rename="camel"):
    """A call of a tool. Services also send `tool_use` as its type, which is not in the model of the API."""

    tool_use_id: Id
    name: str
    input: dict[str, Any]
    type: str | UnsetType = UNSET


class HostedToolUse(Wire, kw_only=True, rename="camel"):
    """A call of a tool that the service runs."""

    tool_use_id: Id
    name: str
    input: dict[str, Any]
    type: Literal["server_tool_use"]


class ToolResult(Wire, kw_only=True, rename="camel"):
    """The result of a call."""

    tool_use_id: Id
    content: list[dict[str, Any]]
    status: Literal["success", "error"] | UnsetType = UNSET
    type: str | UnsetType = UNSET


class TextBlock(Wire, kw_only=True):
    """Text."""

    text: str


class JsonBlock(Wire, kw_only=True):
    """Data. The service accepts objects only."""

    json: Any


class BytesSource(Wire, kw_only=True):
    """The content of an image, a video or a document, as base64."""

    bytes: str


class S3Location(Wire, kw_only=True, rename="camel"):
    """A place in a bucket of Amazon S3."""

    uri: str
    bucket_owner: str | UnsetType = UNSET


class S3Source(Wire, kw_only=True, rename="camel"):
    """The place from which the service fetches an image, a video or a document."""

    s3_location: S3Location


class TextSource(Wire, kw_only=True):
    """The content of a text document."""

    text: str


class Image(Wire, kw_only=True):
    """An image, but for its source: png, jpeg, gif or webp."""

    format: str
    error: dict[str, Any] | UnsetType = UNSET


class Video(Wire, kw_only=True):
    """A video, but for its source: mkv, mov, mp4, webm, flv, mpeg, mpg, wmv or three_gp."""

    format: str


class Document(Wire, kw_only=True):
    """A document, but for its source: pdf, csv, doc, docx, xls, xlsx, html, txt or md."""

    name: DocumentName
    format: str | UnsetType = UNSET
    context: str | UnsetType = UNSET
    citations: Citations | UnsetType = UNSET


class SearchResult(Wire, kw_only=True):
    """A search result: texts, with the URL or identifier of their source."""

    source: str
    title: str
    content: list[dict[str, Any]]
    citations: Citations | UnsetType = UNSET


# formats and media types

_IMAGES: Final = {name: f"image/{name}" for name in ("png", "jpeg", "gif", "webp")}

_VIDEOS: Final = {
    **{name: f"video/{name}" for name in ("mp4", "webm", "mpeg", "mpg")},
    "mkv": "video/x-matroska",
    "mov": "video/quicktime",
    "flv": "video/x-flv",
    "wmv": "video/x-ms-wmv",
    "three_gp": "video/3gpp",
}

_TEXTS: Final = {"txt": "text/plain", "csv": "text/csv", "html": "text/html", "md": "text/markdown"}
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"

_DOCUMENTS: Final = {
    "pdf": "application/pdf",
    "doc": "application/msword",
    "docx": f"{_OFFICE}.wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": f"{_OFFICE}.spreadsheetml.sheet",
    **_TEXTS,
}


# ImageFormat, VideoFormat and DocumentFormat in bedrock-runtime/2023-09-30 of botocore 1.44.8, checked 2026-11-29.
_FORMATS: Final = {"/image/format": _IMAGES, "/video/format": _VIDEOS, "/document/format": _DOCUMENTS}


MEDIA_TYPES: Final = frozenset((*_IMAGES.values(), *_VIDEOS.values(), *_DOCUMENTS.values()))
"""The media types of everything that a result may show."""


def _formatted(kind: str, formats: dict[str, str]) -> Codec:
    """A codec between the media type of a kind of media and the name of its format."""
    names = {mime: name for name, mime in reversed(formats.items())}

    def read(value: str, _: Record) -> str:
        return formats.get(value, f"{kind}/{value}")

    def write(value: str, w: WriteContext) -> str:
        name = names.get(media_type(value))
        if name is None or formats[name] != value:
            w.note("TB101")
        return name or "txt"

    return Codec(read, write)


def _block_problems(block: Record) -> Iterator[tuple[str, str]]:
    """What the service refuses of a block that is read: formats that it does not know, and data that is no object.

    "Provide a json object for the field and try again." (sigoden/aichat#1550, 2026-09-09; checked 2026-11-25).
    """
    for place, value in block.raw.items():
        if place in _FORMATS and value not in _FORMATS[place]:
            yield place, f"expected {' or '.join(map(repr, _FORMATS[place]))}, found {value!r:.100}"
        if place == "/json" and not is_object(value):
            yield place, f"expected an object, found {json_type(value)}"


IMAGE_TYPE: Final = _formatted("image", _IMAGES)
"""The media type of an image, as the name of its format."""


def _holds(formats: dict[str, str]) -> Callable[[Record], bool]:
    """A predicate: whether a block has data in one of these formats. The service refuses what is empty or no base64."""
    known = frozenset(formats.values())
    return lambda block: media_type(block.fields.get("mime")) in known and is_base64(block.fields.get("data"))


def _in_s3(formats: dict[str, str]) -> Callable[[Record], bool]:
    """A predicate: whether a block has only an address in S3, and one of these formats."""
    known, in_s3 = frozenset(formats.values()), has_address("s3://")
    return lambda block: (
        in_s3(block)
        and _S3.fullmatch(block.fields["address"]) is not None
        and media_type(block.fields.get("mime")) in known
    )


_S3: Final = re.compile(r"s3://[a-z0-9][.\-a-z0-9]{1,61}[a-z0-9](/.*)?", re.DOTALL)
"""The pattern of S3Uri in the service model."""


# names of documents

_ILLEGAL: Final = re.compile(r"[^a-zA-Z0-9()\[\]\-]+")


def _named(text: str) -> str:
    """A name that the service allows; it refuses underscores and dots, among others (anomalyco/opencode#48756,
    2026-09-13; botocore's DocumentBlock).
    """
    return _ILLEGAL.sub(" ", text).strip()[:200].strip() or "Document"


def _any_name(w: WriteContext) -> str:
    """The required name of a document: its file name, the end of its address, or a default."""
    name, address = w.fields.get("name"), w.fields.get("address")
    if name:
        w.mark_written("name")
        called = _named(name)
        if called != name:
            w.note_at("TB501", w.source("name"), "/document/name")
        return called
    w.note_at("TB401", "", "/document/name")
    return _named(address.rstrip("/").rpartition("/")[2]) if isinstance(address, str) else "Document"


def _any_format(w: WriteContext) -> Any:
    """The format of a text document without a known one: plain text."""
    if "text" not in w.fields:
        return UNSET
    w.note("TB401")
    return "txt"


def _rename(written: list[JsonObject], w: WriteContext, wire: str) -> None:
    """Rename documents so that their names differ in a conversation, of which a result knows only the id of its call.

    "Messages can't contain duplicate document names" (maximhq/bifrost#7003, 2026-09-08) is about all messages of a
    request (ag-ui-protocol/ag-ui#2425, anomalyco/opencode#48756, checked 2026-11-27).
    """
    call_id = w.fields.get("id")
    suffix = f" {digest(call_id)}" if isinstance(call_id, str) and w.record.family != "bedrock" else ""
    noted = {note.target for note in w.notes}
    seen: set[str] = set()
    for n, block in enumerate(written):
        document = block.get("document")
        if not is_object(document):
            continue
        old, count = document["name"], 1
        name = old[: 200 - len(suffix)].rstrip() + suffix
        while name.casefold() in seen:
            count += 1
            name = f"{old[: 190 - len(suffix)].rstrip()} {count}{suffix}"
        seen.add(name.casefold())
        document["name"], place = name, f"{wire}/{n}/document/name"
        if name != old and place not in noted:
            w.note_at("TB501", w.source("content"), place)


# results


def _content(blocks: Blocks, wire: str) -> Row:
    """The row of the content of a result, which includes its data as a block."""

    def read(value: list[Json], record: Record) -> Any:
        content = blocks.read(value, record, wire)
        data = [block for block in content if block.fields["kind"] == "json"]
        if len(data) != 1:
            return content
        (block,) = data
        borrow(record, "data", block.fields["value"], f"{block.base}/json")
        for place, unknown_value in block.local.get(record.family, {}).items():
            record.keep(block.base + place, unknown_value)
        return [other for other in content if other is not block] or UNSET

    def write(w: WriteContext) -> list[JsonObject]:
        data: list[Record] = []
        value = w.fields.get("data")
        if is_object(value) and (is_read(w) or repeating(w.fields.get("content", ()), value)):
            data.append(_accepted(w))
        everything = [*result_blocks(w, wire, blocks, more=bool(data)), *data]
        if not everything:
            # Some models refuse a result without a block (strands-agents/harness-sdk#2123, 2026-04-14), and not of all
            # it is known that they take one without a word (see `result_blocks`).
            w.note_at("TB401", w.source("content"), f"{wire}/0")
            everything.append(text_block("(no output)"))
        written = blocks.write(everything, w, wire)
        _rename(written, w, wire)
        return written

    return row(wire, "content", Codec(read, from_context(write), blocks=blocks), required=True, invent=write)


def _accepted(w: WriteContext) -> Record:
    """The block of the data of a result; text that repeats the data is removed.

    There is no block for data that is not an object: "The format of the value at ...toolResult.content.0.json is
    invalid. Provide a json object for the field and try again." (sigoden/aichat#1550, 2026-09-09; checked 2026-11-21).
    """
    value, content = w.fields["data"], w.fields.get("content", ())
    same = {*repeating(content, value)}
    for block in content:
        if block in same:
            w.note_at("TB101", block.base, None)
    fields = {path: inner for path, inner in w.fields.items() if path != "data"}
    w.fields = {**fields, "content": [block for block in content if block not in same]}
    w.mark_written("data")
    for_vendor = for_model(value, w)
    if for_vendor is not value:
        w.note_at("TB703", w.source("data"), None)
    return Record(None, "", {}, {"kind": "json", "value": for_vendor}, base=w.source("data"))


# tables


@cache
def _with_envelope(key: str, model: type[Struct], words: str | None = None) -> type[Struct]:
    """The model of a block that has this model under its key."""
    return defstruct(f"{model.__name__}Block", [(key, model)], bases=(Wire,), namespace={"__doc__": words})


def _media(key: str, model: type[Struct], source: type[Struct], *rows: Row) -> Table:
    return Table(_with_envelope(key, with_source(model, source)), *rows, of=Block)


def _s3(key: str) -> tuple[Row, ...]:
    base = f"/{key}/source/s3Location"
    return (row(f"{base}/uri", "address", required=True), local(f"{base}/bucketOwner"))


def _tells(key: str, source: str) -> Predicate:
    return holds(key, has(source=has(source)))


def _bytes(key: str) -> Row:
    return row(f"/{key}/source/bytes", "data", required=True)


def _image(source: type[Struct], *rows: Row) -> Table:
    head = (row("/image/format", "mime", IMAGE_TYPE, required=True), local("/image/error"))
    return _media("image", Image, source, *head, *rows)


def _video(source: type[Struct], *rows: Row) -> Table:
    head = row("/video/format", "mime", _formatted("video", _VIDEOS), required=True)
    return _media("video", Video, source, head, *rows)


def _document(source: type[Struct], *rows: Row) -> Table:
    return _media(
        *("document", Document, source),
        row("/document/name", "title", Codec(identity, rewrite(apply(_named))), required=True, invent=_any_name),
        row("/document/format", "mime", _formatted("application", _DOCUMENTS), required=True, invent=_any_format),
        *rows,
        *(row("/document/context", "description"), row("/document/citations/enabled", "citations")),
    )


_PICTURE = Part("image", _image(BytesSource, _bytes("image")), _tells("image", "bytes"), _holds(_IMAGES))
_FILM = Part("video", _video(BytesSource, _bytes("video")), _tells("video", "bytes"), _holds(_VIDEOS))

BLOCKS: Final = Blocks(
    "bedrock",
    Part("text", Table(TextBlock, row("/text", "text", required=True), of=Block), has("text")),
    Part(
        "json", Table(JsonBlock, row("/json", "value", required=True, nullable=True), of=Block), has("json"), has_object
    ),
    _PICTURE,
    Part("image", _image(S3Source, *_s3("image")), _tells("image", "s3Location"), _in_s3(_IMAGES)),
    _FILM,
    Part("video", _video(S3Source, *_s3("video")), _tells("video", "s3Location"), _in_s3(_VIDEOS)),
    # A file may be an image or a video.
    Part("file", _PICTURE.table, _PICTURE.matches, _PICTURE.takes),
    Part("file", _FILM.table, _FILM.matches, _FILM.takes),
    Part("file", _document(BytesSource, _bytes("document")), _tells("document", "bytes"), _holds(_DOCUMENTS)),
    Part("file", _document(S3Source, *_s3("document")), _tells("document", "s3Location"), _in_s3(_DOCUMENTS)),
    Part(
        "file",
        _document(TextSource, row("/document/source/text", "text", required=True)),
        _tells("document", "text"),
        has_fields("text"),
    ),
    # SearchResultBlock in bedrock-runtime/2023-09-30 of botocore 1.44.8, checked 2026-11-29.
    Part(
        "search",
        Table(
            _with_envelope("searchResult", SearchResult),
            row("/searchResult/source", "address", required=True),
            row("/searchResult/title", "title", required=True),
            texts_at("/searchResult/content", lambda text: {"text": text}),
            row("/searchResult/citations/enabled", "citations"),
            of=Block,
        ),
        lambda document: is_search_result(document.get("searchResult"), {}),
    ),
    check=_block_problems,
    closed=False,
)
"""The blocks of a result. Documents of blocks stay in the family."""

_ID = id_codec(id_by_rule(IDS))


def _call(model: type[Struct], base: str) -> Table:
    return Table(
        model,
        row(f"{base}/toolUseId", "id", _ID, required=True, invent=invent_id("tooluse_")),
        row(f"{base}/name", "name", write_name(RULE), required=True),
        row(f"{base}/input", "arguments", AS_OBJECT, required=True, invent=no_arguments),
        local(f"{base}/type"),
        of=Call,
    )


def _result(model: type[Struct], base: str) -> Table:
    return Table(
        model,
        row(f"{base}/toolUseId", "id", _ID, required=True, invent=invent_id("tooluse_")),
        _content(BLOCKS, f"{base}/content"),
        row(f"{base}/status", "failed", unless_in_words(flag("error", "success"))),
        local(f"{base}/type"),
        of=Result,
        shows_data=True,
    )


# formats

_HOSTED: Final = "server_tool_use"
"""The type of a call that Amazon's servers make and answer themselves."""


def _is_call(document: JsonObject) -> bool:
    """Whether a document is a call that the caller must run."""
    call = document.get("toolUse")
    return is_object(call) and call.get("type") != _HOSTED


def _is_bare_call(document: JsonObject) -> bool:
    return {"toolUseId", "name", "input"} <= document.keys() and document.get("type") != _HOSTED


def _is_bare_result(document: JsonObject) -> bool:
    """Whether a document is a result; results of MCP's sampling have the same id, but a type and `isError`."""
    mcp = document.get("type") == "tool_result" or "isError" in document
    return {"toolUseId", "content"} <= document.keys() and not mcp


_TOOL_USE: Final = _with_envelope("toolUse", ToolUse, "A call of a tool in a message of the assistant.")
_HOSTED_USE: Final = _with_envelope(
    "toolUse", HostedToolUse, "A call of a tool that the service runs, in a message of the assistant."
)
_TOOL_RESULT: Final = _with_envelope("toolResult", ToolResult, "The result of a call, in a message of the user.")

CALLS: Final = (
    Shape(name="block", table=_call(_TOOL_USE, "/toolUse"), matches=_is_call),
    Shape(name="bare", table=_call(ToolUse, ""), matches=_is_bare_call, written=False),
    # A caller must not run the service's own calls; in a log they are calls all the same.
    Shape(
        name="hosted",
        table=_call(_HOSTED_USE, "/toolUse"),
        matches=has(toolUse=has_type(_HOSTED)),
        written=False,
        hosted=True,
    ),
)

RESULTS: Final = (
    Shape(name="block", table=_result(_TOOL_RESULT, "/toolResult"), matches=has(toolResult=dict)),
    Shape(name="bare", table=_result(ToolResult, ""), matches=_is_bare_result, written=False),
)
