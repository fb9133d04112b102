"""Calls and results of Anthropic: models, codecs and rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from ...data.types import Json, JsonObject, is_list, is_object
from ...hub import Block, Call, Result
from ...mapping.codecs import AS_OBJECT, an_id, by_rule, identified, no_arguments, write_name
from ...mapping.content import Blocks, Part, said, shown, tag, typed
from ...mapping.format import Shape
from ...mapping.record import Codec, Record, Row, WriteContext, local, row
from ...mapping.table import Invent, Table
from ...mapping.wire import Wire
from ...names import Rule
from .tools import RULE, CacheControl

# "messages.N.content.M.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'" (maximhq/bifrost#5097, 2026-07-10).
# The service names no length: this one is for what is made here.
IDS: Final = Rule(alphabet="a-zA-Z0-9_-", most=1000)

Id = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-zA-Z0-9_-]+$"})]
"""The id of a call."""


Hosted: TypeAlias = Literal[
    "advisor_tool_result",
    "bash_code_execution_tool_result",
    "code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "web_fetch_tool_result",
    "web_search_tool_result",
]
"""The results of tools that the service runs."""


class ToolUse(Wire, kw_only=True, omit_defaults=True):
    """A call of a tool that the caller runs. `caller` tells whether the model made it, or code that the model wrote."""

    type: Literal["tool_use"]
    id: Id
    name: str
    input: dict[str, Any]
    cache_control: CacheControl | UnsetType | None = UNSET
    caller: dict[str, Any] | UnsetType | None = UNSET
    toolset_name: str | UnsetType | None = UNSET


class HostedToolUse(Wire, kw_only=True, omit_defaults=True):
    """A call of a tool that the service runs: its own, or one of an MCP server that it asks."""

    type: Literal["server_tool_use", "mcp_tool_use"]
    id: Id
    name: str
    input: dict[str, Any]
    cache_control: CacheControl | UnsetType | None = UNSET
    caller: dict[str, Any] | UnsetType | None = UNSET
    server_name: str | UnsetType = UNSET


class _Result(Wire, kw_only=True, omit_defaults=True):
    tool_use_id: Id
    content: str | list[dict[str, Any]] | UnsetType = UNSET
    is_error: bool | UnsetType = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class ToolResult(_Result, kw_only=True, omit_defaults=True):
    """What came of a call."""

    type: Literal["tool_result"]
    toolset_name: str | UnsetType | None = UNSET


class McpToolResult(_Result, kw_only=True, omit_defaults=True):
    """What came of a call that the service itself made at an MCP server."""

    type: Literal["mcp_tool_result"]


class HostedResult(Wire, kw_only=True, omit_defaults=True):
    """What one of Anthropic's own tools gave back."""

    type: Hosted
    tool_use_id: Id
    content: Any
    caller: dict[str, Any] | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class TextBlock(Wire, kw_only=True, omit_defaults=True):
    """Text to read."""

    type: Literal["text"]
    text: str
    citations: list[dict[str, Any]] | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class Base64Source(Wire, kw_only=True):
    """A picture, or a document, of this media type."""

    type: Literal["base64"]
    media_type: str
    data: str


class UrlSource(Wire, kw_only=True):
    """Where the service fetches a picture, or a document in PDF."""

    type: Literal["url"]
    url: str


class TextSource(Wire, kw_only=True):
    """A document of plain text."""

    type: Literal["text"]
    media_type: str
    data: str


class _Image(Wire, kw_only=True, omit_defaults=True):
    type: Literal["image"]
    transformations: dict[str, Any] | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class ImageBlock(_Image, kw_only=True, omit_defaults=True):
    """A picture."""

    source: Base64Source


class ImageAtUrl(_Image, kw_only=True, omit_defaults=True):
    """A picture elsewhere."""

    source: UrlSource


class _Document(Wire, kw_only=True, omit_defaults=True):
    type: Literal["document"]
    title: str | UnsetType | None = UNSET
    context: str | UnsetType | None = UNSET
    citations: dict[str, Any] | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class DocumentBlock(_Document, kw_only=True, omit_defaults=True):
    """A document in PDF."""

    source: Base64Source


class DocumentAtUrl(_Document, kw_only=True, omit_defaults=True):
    """A document in PDF elsewhere."""

    source: UrlSource


class TextDocument(_Document, kw_only=True, omit_defaults=True):
    """A document of plain text."""

    source: TextSource


# models

# values

# types/base64_image_source_param.py and types/document_block_param.py of anthropic 2.11.0, checked 2026-11-21.
_IMAGES: Final = frozenset(("image/jpeg", "image/png", "image/gif", "image/webp"))

_PDF: Final = "application/pdf"

_PLAIN: Final = "text/plain"

_TEXTS: Final = frozenset(f"application/{kind}" for kind in ("json", "x-ndjson", "xml", "yaml", "x-yaml", "toml"))
"""Media types of what is text, though they do not begin so."""

_CONTENT: Final = "/content"

_HOSTED: Final = get_args(Hosted)


def _same(value: Any, _: Record) -> Any:
    return value


def _as_it_is(value: Any, _: WriteContext) -> Any:
    return value


def constant(value: str) -> Invent:
    """What always stands at a place."""

    def invent(_: WriteContext) -> str:
        return value

    return invent


def helps(place: str, field: str) -> Callable[[Record], None]:
    """What settles that a place only helps to say a field."""

    def after_read(reading: Record) -> None:
        reading.markers[place] = field

    return after_read


# content


def told(w: WriteContext, wire: str, *, more: bool = False) -> list[Record]:
    """The blocks that tell a result, to stand at `wire`: no text without a word among others, a word for a failure.

    `more`: whether they stand beside others anyway.

    "text content blocks must be non-empty" (anthropics/anthropic-sdk-python#461, 2024-05-31); "content cannot be empty
    if `is_error` is true" (jlevy/markform#153, 2026-02-16), and Bedrock's "cannot be empty when status value is error"
    (aws-samples/sample-multi-agent-orchestration-chat-on-agentcore#15, 2026-06-01).
    """
    content: list[Record] = w.fields.get("content", [])
    mute = [block for block in content if _is_mute(block)]
    others = more or any(w.fields.get(path, "") != "" for path in ("data", "problem.message", "problem.prompt"))
    if mute and (others or len(mute) < len(content)):
        w.fields = {**w.fields, "content": [block for block in content if block not in mute]}
        for block in mute:
            w.note_at("TB101", block.base, None)
    blocks = shown(w, wire)
    if w.fields.get("failed") is True and not more and all(map(_is_mute, blocks)):
        for block in blocks:
            w.note_at("TB101", block.base, None)
        w.note_at("TB401", w.source("failed"), f"{wire}/0")
        blocks = [said("Error")]
    return blocks


def _is_mute(block: Record) -> bool:
    return block.fields["kind"] == "text" and not block.fields["text"]


def _content(blocks: Blocks) -> tuple[Row, Invent]:
    """The row of the content of a result, which may be one text, and what tells a result that has none."""

    def read(value: str | list[Json], reading: Record) -> Any:
        if is_list(value) and not value:
            reading.keep(_CONTENT, value)
            return UNSET
        return [said(value, _CONTENT)] if isinstance(value, str) else blocks.read(value, reading, _CONTENT)

    def write(w: WriteContext) -> Any:
        before = len(w.notes)
        written = blocks.write(told(w, _CONTENT), w, _CONTENT)
        if len(written) != 1 or written[0].keys() != {"type", "text"}:
            return written or UNSET
        # One plain text needs no list: what was noted in the list is noted where it would be.
        for n in range(before, len(w.notes)):
            code, source, there = w.notes[n]
            if there is not None and there.startswith(_CONTENT):
                w.notes[n] = (code, source, _CONTENT)
        return written[0]["text"]

    def tell(_: Any, w: WriteContext) -> Any:
        return write(w)

    return row(_CONTENT, "content", Codec(read, tell), required=True), write


def _read_hosted(value: Json, reading: Record) -> Json:
    """What one of Anthropic's own tools gave back. An error says so by its type."""
    if is_object(value) and str(value.get("type")).endswith("_error"):
        reading.fields["failed"] = True
        reading.places["failed"] = f"{_CONTENT}/type"
        reading.borrowed.add("failed")
    return value


# sources


def _sourced(kind: str, source: str) -> Callable[[JsonObject], bool]:
    """Whether a block has this type, and a source of this type."""

    def tell(block: JsonObject) -> bool:
        inner = block.get("source")
        return block.get("type") == kind and is_object(inner) and inner.get("type") == source

    return tell


def _settle_pdf_at_url(reading: Record) -> None:
    """A document elsewhere is in PDF (types/url_pdf_source_param.py)."""
    reading.markers["/source/type"] = "address"
    reading.fields["mime"] = _PDF


def _is_image(block: Record) -> bool:
    return bool(block.fields.get("data")) and block.fields.get("mime") in _IMAGES


def _is_pdf(block: Record) -> bool:
    return bool(block.fields.get("data")) and block.fields.get("mime") == _PDF


def _is_elsewhere(block: Record) -> bool:
    """Whether a block has nothing but an address from which the service would fetch it."""
    address = block.fields.get("address")
    return isinstance(address, str) and address.startswith("https://") and not {"data", "text"} & block.fields.keys()


def _is_pdf_elsewhere(block: Record) -> bool:
    return _is_elsewhere(block) and block.fields.get("mime") == _PDF


def has_text(block: Record) -> bool:
    """Whether a block says its content in plain text."""
    return "text" in block.fields


def _is_coded_text(block: Record) -> bool:
    mime = str(block.fields.get("mime", "")).partition(";")[0].strip().lower()
    text = mime.startswith("text/") or mime in _TEXTS or mime.endswith(("+json", "+xml"))
    return text and _decoded(block.fields.get("data")) is not None


def _decoded(data: Any) -> str | None:
    """The text that stands in base64; None where there is none."""
    try:
        from base64 import b64decode

        return b64decode(data, validate=True).decode()
    except (TypeError, ValueError):
        return None


def _write_decoded(value: str, w: WriteContext) -> str:
    w.note("TB703")
    return _decoded(value) or ""


def _write_plain(value: str, w: WriteContext) -> str:
    if value != _PLAIN:
        w.note("TB101")
    return _PLAIN


def _plain(w: WriteContext) -> str:
    """The one media type that documents of text have."""
    w.note("TB401")
    return _PLAIN


def _a_title(w: WriteContext) -> Any:
    """The name of a document, for want of a title, or the end of an address that is not written."""
    fields = w.fields
    w.say("name")
    if fields.get("name"):
        return fields["name"]
    last = str(fields.get("address", "")).rstrip("/").rpartition("/")[2]
    return last if last and "url" not in w.out.get("source", {}) else UNSET


# tables

_CACHE = local("/cache_control")


def _block(model: type[Struct], wire: str, *rows: Row, says: str = "", **more: Any) -> Table:
    """A block of this type; `says` is the field that its source says."""
    if says:
        rows = (*rows, local("/source/type", required=True))
        more.setdefault("after_read", helps("/source/type", says))
    kind = "file" if wire == "document" else wire
    return Table(model, row("/type", "kind", tag(kind, wire), required=True), *rows, _CACHE, of=Block, **more)


def _image(model: type[Struct], source: str, *rows: Row, says: str) -> Table:
    invent = {"/source/type": constant(source)}
    return _block(model, "image", *rows, local("/transformations"), says=says, invent=invent)


def _document(model: type[Struct], source: str, *rows: Row, says: str, **more: Any) -> Table:
    invent = {"/source/type": constant(source), "/title": _a_title, "/source/media_type": _plain}
    head = (row("/title", "title", required=True), row("/context", "description"), local("/citations"))
    return _block(model, "document", *rows, *head, says=says, invent=invent, **more)


_DATA = (row("/source/media_type", "mime", required=True), row("/source/data", "data", required=True))

_URL = row("/source/url", "address", required=True)

_MIME = row("/source/media_type", "mime", Codec(_same, _write_plain), required=True)

_IMAGE = _image(ImageBlock, "base64", *_DATA, says="data")

_IMAGE_AT_URL = _image(ImageAtUrl, "url", _URL, says="address")

_DOCUMENT = _document(DocumentBlock, "base64", *_DATA, says="data")

_AT_URL = _document(DocumentAtUrl, "url", _URL, says="address", after_read=_settle_pdf_at_url)

_TEXT = _document(TextDocument, "text", _MIME, row("/source/data", "text", required=True), says="text")

_DECODED = Codec(_same, _write_decoded)

_CODED = _document(TextDocument, "text", _MIME, row("/source/data", "data", _DECODED, required=True), says="data")

BLOCKS: Final = Blocks(
    "anthropic",
    Part("text", _block(TextBlock, "text", row("/text", "text", required=True), local("/citations")), typed("text")),
    Part("image", _IMAGE, _sourced("image", "base64"), _is_image),
    Part("image", _IMAGE_AT_URL, _sourced("image", "url"), _is_elsewhere),
    Part("file", _IMAGE, _sourced("image", "base64"), _is_image),  # what comes as a file may be a picture
    Part("file", _DOCUMENT, _sourced("document", "base64"), _is_pdf),
    Part("file", _AT_URL, _sourced("document", "url"), _is_pdf_elsewhere),
    Part("file", _TEXT, _sourced("document", "text"), has_text),
    Part("file", _CODED, _sourced("document", "text"), _is_coded_text),
)
"""What a result shows. Files that were uploaded before, documents of blocks, search results and references to tools
stay in the family."""

_ID = identified(by_rule(IDS))

_TYPE = local("/type", required=True)

_TOOLSET = local("/toolset_name")

CALL = (
    *(_TYPE, row("/id", "id", _ID, required=True), row("/name", "name", write_name(RULE), required=True)),
    *(row("/input", "arguments", AS_OBJECT, required=True), local("/caller"), _CACHE, _TOOLSET),
)

HOSTED_CALL = (
    *(
        local("/type", required=True),
        row("/id", "id", _ID, required=True),
        row("/name", "name", write_name(RULE), required=True),
    ),
    *(row("/input", "arguments", AS_OBJECT, required=True), local("/caller"), local("/server_name"), _CACHE),
)

_SAYS, _tell = _content(BLOCKS)

RESULT = (
    *(_TYPE, row("/tool_use_id", "id", _ID, required=True), _SAYS),
    *(row("/is_error", "failed"), _CACHE),
)

HOSTED_RESULT = (
    *(_TYPE, row("/tool_use_id", "id", _ID, required=True)),
    *(row("/content", "data", Codec(_read_hosted, _as_it_is), required=True), local("/caller"), _CACHE),
)


def _result(model: type[Struct], kind: str, *rows: Row) -> Table:
    invent = {"/type": constant(kind), "/tool_use_id": an_id("toolu_"), _CONTENT: _tell}
    return Table(model, *rows, of=Result, invent=invent, after_read=helps("/type", "content"))


# formats


def _is_call(document: JsonObject) -> bool:
    return document.get("type") == "tool_use"


def _is_hosted_call(document: JsonObject) -> bool:
    return document.get("type") in ("server_tool_use", "mcp_tool_use")


def _surely_call(document: JsonObject) -> bool:
    return _is_call(document) and isinstance(document.get("name"), str) and "input" in document


def _is_result(document: JsonObject) -> bool:
    """The same type stands in MCP's sampling, which has `toolUseId` and `isError`."""
    return document.get("type") == "tool_result" and "toolUseId" not in document


def _surely_result(document: JsonObject) -> bool:
    return _is_result(document) and "tool_use_id" in document


def _is_mcp_result(document: JsonObject) -> bool:
    return document.get("type") == "mcp_tool_result"


def _is_hosted_result(document: JsonObject) -> bool:
    return document.get("type") in _HOSTED


CALLS: Final = (
    Shape(
        name="block",
        table=Table(
            ToolUse,
            *CALL,
            of=Call,
            invent={"/type": constant("tool_use"), "/id": an_id("toolu_"), "/input": no_arguments},
            after_read=helps("/type", "name"),
        ),
        tell=_is_call,
        sure=_surely_call,
    ),
    # What the service itself calls nobody else should call; in a log it is a call all the same.
    Shape(
        name="hosted",
        table=Table(HostedToolUse, *HOSTED_CALL, of=Call, invent={"/type": constant("server_tool_use")}),
        tell=_is_hosted_call,
        written=False,
        hosted=True,
    ),
)

RESULTS: Final = (
    Shape(
        name="block",
        table=_result(ToolResult, "tool_result", *RESULT, _TOOLSET),
        tell=_is_result,
        sure=_surely_result,
    ),
    Shape(
        name="mcp",
        table=_result(McpToolResult, "mcp_tool_result", *RESULT),
        tell=_is_mcp_result,
        written=False,
    ),
    Shape(
        name="hosted",
        table=_result(HostedResult, "", *HOSTED_RESULT),
        tell=_is_hosted_result,
        written=False,
    ),
)
