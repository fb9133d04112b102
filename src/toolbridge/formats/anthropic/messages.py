"""Calls and results of Anthropic: models, codecs and rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from ...data.pointer import escape
from ...data.types import Json, JsonObject, is_list, is_object
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
    all_of,
    borrow,
    constant,
    fails_in_words,
    from_context,
    has,
    has_address,
    has_data,
    has_fields,
    has_type,
    id_by_rule,
    id_codec,
    identity,
    invent,
    invent_id,
    is_blank,
    local,
    media_type,
    no_arguments,
    row,
    shown,
    tag,
    text_block,
    unless_in_words,
    write_name,
)
from ..function_tools import fixed
from .tools import TOOL_NAME, CacheControl

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


class ToolUse(Wire, kw_only=True):
    """A call of a tool that the caller runs. `caller` tells whether the model made it, or code that the model wrote."""

    type: Literal["tool_use"]
    id: Id
    name: str
    input: dict[str, Any]
    cache_control: CacheControl | UnsetType | None = UNSET
    caller: dict[str, Any] | UnsetType | None = UNSET
    toolset_name: str | UnsetType | None = UNSET


class HostedToolUse(Wire, kw_only=True):
    """A call of a tool that the service runs: its own, or one of an MCP server that it asks."""

    type: Literal["server_tool_use", "mcp_tool_use"]
    id: Id
    name: str
    input: dict[str, Any]
    cache_control: CacheControl | UnsetType | None = UNSET
    caller: dict[str, Any] | UnsetType | None = UNSET
    server_name: str | UnsetType = UNSET


class _Result(Wire, kw_only=True):
    tool_use_id: Id
    content: str | list[dict[str, Any]] | UnsetType = UNSET
    is_error: bool | UnsetType = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class ToolResult(_Result, kw_only=True):
    """What came of a call."""

    type: Literal["tool_result"]
    toolset_name: str | UnsetType | None = UNSET


class McpToolResult(_Result, kw_only=True):
    """What came of a call that the service itself made at an MCP server."""

    type: Literal["mcp_tool_result"]


class HostedResult(Wire, kw_only=True):
    """What one of Anthropic's own tools gave back."""

    type: Hosted
    tool_use_id: Id
    content: Any
    caller: dict[str, Any] | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class TextBlock(Wire, kw_only=True):
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


class Image(Wire, kw_only=True):
    """A picture, but for its source."""

    type: Literal["image"]
    transformations: dict[str, Any] | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


class Citations(Wire, kw_only=True):
    """Whether a model may cite what is there."""

    enabled: bool | UnsetType = UNSET


class Document(Wire, kw_only=True):
    """A document in PDF or of plain text, but for its source."""

    type: Literal["document"]
    title: str | UnsetType | None = UNSET
    context: str | UnsetType | None = UNSET
    citations: Citations | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


@cache
def with_source(model: type[Struct], source: type[Struct]) -> type[Struct]:
    """The model of a block with a source of this kind."""
    return defstruct(f"{model.__name__}Of{source.__name__}", [("source", source)], bases=(model,), kw_only=True)


class SearchResultBlock(Wire, kw_only=True):
    """A search result: texts, with the URL or identifier of their source."""

    type: Literal["search_result"]
    source: str
    title: str
    content: list[dict[str, Any]]
    citations: Citations | UnsetType = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


# values

_PDF: Final = "application/pdf"
_PLAIN: Final = "text/plain"

# types/base64_image_source_param.py, types/base64_pdf_source_param.py and types/plain_text_source_param.py of
# anthropic 2.14.0, checked 2026-11-29.
_MEDIA_TYPES: Final = {
    ("image", "base64"): ("image/jpeg", "image/png", "image/gif", "image/webp"),
    ("document", "base64"): (_PDF,),
    ("document", "text"): (_PLAIN,),
}
"""The media types of what stands in a block itself, by the type of the block and of its source."""

_IMAGES: Final = frozenset(_MEDIA_TYPES["image", "base64"])

MEDIA_TYPES: Final = _IMAGES | {_PDF}
"""The media types of base64 that a result may have."""

_TEXTS: Final = frozenset(f"application/{kind}" for kind in ("json", "x-ndjson", "xml", "yaml", "x-yaml", "toml"))
"""Media types of what is text, though they do not begin so."""

_CONTENT: Final = "/content"
_HOSTED: Final = get_args(Hosted)


# content


def result_blocks(w: WriteContext, wire: str, known: Blocks, *, more: bool = False) -> list[Record]:
    """The blocks that tell a result, to stand at `wire`: no text without a word, a word for a failure.

    `known`: the blocks of the format; `more`: whether they stand beside others anyway.

    A failed result with a picture says in words that it failed: "all content must be type `text` if `is_error` is true"
    (vellum-ai/vellum-assistant#18387, 2026-03-17; Claude at Bedrock: can1357/oh-my-pi#12809, 2026-09-22).
    "text content blocks must be non-empty" (anthropics/anthropic-sdk-python#461, 2024-05-31), "must contain
    non-whitespace text" (anthropics/claude-code#23369, 2026-02-05), and an empty text as the content of a result is
    refused (anomalyco/opencode#15371, 2026-02-27); Claude Sonnet 4.5 at Bedrock takes all of these in a result
    (NousResearch/hermes-agent#55092, 2026-09-02). "content cannot be empty if `is_error` is true" (jlevy/markform#153,
    2026-02-16), and Bedrock's "cannot be empty when status value is error"
    (aws-samples/sample-multi-agent-orchestration-chat-on-agentcore#15, 2026-06-01). Checked 2026-11-29.
    """
    _drop_blank_texts(w)
    in_words = fails_in_words(known, w)
    blocks = shown(w, wire, flag=not in_words)
    if w.fields.get("failed") is True and not (in_words or more or blocks):
        w.note_at("TB401", w.source("failed"), f"{wire}/0")
        blocks = [text_block("Error")]
    return blocks


def _drop_blank_texts(w: WriteContext) -> None:
    """Leave out, and note, the texts of a result in which there is no word."""
    fields = dict(w.fields)
    content: list[Record] = fields.get("content", [])
    for block in filter(is_blank, content):
        w.note_at("TB101", block.base, None)
    fields["content"] = [block for block in content if not is_blank(block)]
    for path in ("data", "problem.message", "problem.prompt"):
        text = fields.get(path)
        if isinstance(text, str) and not text.strip():
            w.note_at("TB101", w.source(path), None)
            w.mark_written(path)
            del fields[path]
    w.fields = fields


FAILED: Final = row("/is_error", "failed", unless_in_words(Codec(identity, identity)))


def _block_problems(block: Record) -> Iterator[tuple[str, str]]:
    """What the service refuses of a block that is read: a media type that it does not know."""
    source = block.document.get("source")
    if not is_object(source):
        return
    known = _MEDIA_TYPES.get((block.document["type"], str(source.get("type"))))
    if known is not None and source["media_type"] not in known:
        problem = f"expected {' or '.join(map(repr, known))}, found {source['media_type']!r:.100}"
        yield "/source/media_type", problem


def content_row(blocks: Blocks, *, listed: bool = False) -> Row:
    """The row of the content of a result.

    `listed`: whether it is always a list; otherwise it may be one text.
    """

    def read(value: str | list[Json], record: Record) -> Any:
        if is_list(value) and not value:
            record.keep(_CONTENT, value)
            return UNSET
        return [text_block(value, _CONTENT)] if isinstance(value, str) else blocks.read(value, record, _CONTENT)

    def write(w: WriteContext) -> Any:
        before = len(w.notes)
        written = blocks.write(result_blocks(w, _CONTENT, blocks), w, _CONTENT)
        if listed or len(written) != 1 or written[0].keys() != {"type", "text"}:
            return written or UNSET  # "Example of empty tool result" (documentation, "Handle tool calls")
        # One plain text needs no list: what was noted in the list is noted where it would be.
        w.note_as_one(before, _CONTENT)
        return written[0]["text"]

    return row(_CONTENT, "content", Codec(read, from_context(write), blocks=blocks), required=True, invent=write)


def _read_hosted(value: Json, record: Record) -> Json:
    """What one of Anthropic's own tools gave back. An error says so by its type."""
    if is_object(value) and str(value.get("type")).endswith("_error"):
        borrow(record, "failed", value=True, place=f"{_CONTENT}/type")
    return value


# sources


def _settle_pdf_at_url(record: Record) -> None:
    """A document elsewhere is in PDF (types/url_pdf_source_param.py)."""
    record.fields["mime"] = _PDF


def _is_coded_text(block: Record) -> bool:
    mime = media_type(block.fields.get("mime"))
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


def _a_title(w: WriteContext) -> Any:
    """The name of a document, for want of a title, or the end of an address that is not written."""
    fields = w.fields
    w.mark_written("name")
    if fields.get("name"):
        return fields["name"]
    last = str(fields.get("address", "")).rstrip("/").rpartition("/")[2]
    return last if last and "url" not in w.out.get("source", {}) else UNSET


# search results


_BESIDE_TEXT: Final = frozenset({"cache_control", "citations"})


def texts_at(wire: str, text: Callable[[str], JsonObject], known: Collection[str] = ()) -> Row:
    """The row of the texts of a search result, each in a block that `text` makes; `known`: what else it may have."""

    def read(value: list[JsonObject], record: Record) -> list[str]:
        for n, block in enumerate(value):
            for key in [key for key in block if key not in text("")]:
                code = "" if block[key] is None else "TB101" if key in known else "TB102"
                record.keep(f"{wire}/{n}/{escape(key)}", block[key], code)
        return [block["text"] for block in value]

    def write(value: list[str], _: WriteContext) -> list[JsonObject]:
        return [text(each) for each in value]

    return row(wire, "texts", Codec(read, write), required=True)


def is_search_result(document: Json, text: JsonObject) -> bool:
    """Whether a document has what a search result must have; `text`: what the blocks in it have besides their text."""
    if not is_object(document):
        return False
    strings, content = [document.get("source"), document.get("title")], document.get("content")
    if not is_list(content) or not is_object(document.get("citations", {})):
        return False
    strings += [block.get("text") if is_object(block) and text.items() <= block.items() else None for block in content]
    return all(isinstance(each, str) for each in strings)


def _is_search_result(document: JsonObject) -> bool:
    return document.get("type") == "search_result" and is_search_result(document, {"type": "text"})


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


# tables

_CACHE = local("/cache_control")


def _block(model: type[Struct], wire: str, *rows: Row, **more: Any) -> Table:
    """A block of this type."""
    kind = "file" if wire == "document" else wire
    return Table(model, row("/type", "kind", tag(kind, wire), required=True), *rows, _CACHE, of=Block, **more)


def _image(held: type[Struct], source: str, *rows: Row) -> Table:
    """A picture, whose source is of this type."""
    head = (local("/transformations"), fixed("/source/type", "kind", source))
    return _block(with_source(Image, held), "image", *rows, *head)


def _document(held: type[Struct], source: str, *rows: Row, **more: Any) -> Table:
    """A document, whose source is of this type."""
    title = row("/title", "title", required=True, invent=_a_title)
    head = (title, row("/context", "description"), row("/citations/enabled", "citations"))
    return _block(with_source(Document, held), "document", *rows, *head, fixed("/source/type", "kind", source), **more)


_DATA = (row("/source/media_type", "mime", required=True), row("/source/data", "data", required=True))
_URL = row("/source/url", "address", required=True)
_MIME = row("/source/media_type", "mime", Codec(identity, _write_plain), required=True, invent=invent(_PLAIN))
_IMAGE = _image(Base64Source, "base64", *_DATA)
_IMAGE_AT_URL = _image(UrlSource, "url", _URL)
_DOCUMENT = _document(Base64Source, "base64", *_DATA)
_AT_URL = _document(UrlSource, "url", _URL, after_read=_settle_pdf_at_url)
_TEXT = _document(TextSource, "text", _MIME, row("/source/data", "text", required=True))
_DECODED = Codec(identity, _write_decoded)
_CODED = _document(TextSource, "text", _MIME, row("/source/data", "data", _DECODED, required=True))
_IN_WEB: Final = has_address("https://")


def _sourced(wire: str, source: str) -> Predicate:
    return has(type=wire, source=has_type(source))


PARTS: Final = (
    Part("text", _block(TextBlock, "text", row("/text", "text", required=True), local("/citations")), has_type("text")),
    Part("image", _IMAGE, _sourced("image", "base64"), has_data(*_IMAGES)),
    Part("image", _IMAGE_AT_URL, _sourced("image", "url"), _IN_WEB),
    Part("file", _IMAGE, _sourced("image", "base64"), has_data(*_IMAGES)),  # what comes as a file may be a picture
    Part("file", _DOCUMENT, _sourced("document", "base64"), has_data(_PDF)),
    Part("file", _AT_URL, _sourced("document", "url"), all_of(_IN_WEB, has_fields(mime=_PDF))),
    Part("file", _TEXT, _sourced("document", "text"), has_fields("text")),
    Part("file", _CODED, _sourced("document", "text"), _is_coded_text),
)
"""What a result shows, but for search results."""


def search_part(citations: Row) -> Part:
    """Search results, with the row of whether a model may cite them."""
    table = Table(
        SearchResultBlock,
        row("/type", "kind", tag("search", "search_result"), required=True),
        row("/source", "address", required=True),
        row("/title", "title", required=True),
        texts_at("/content", _text, _BESIDE_TEXT),
        *(citations, _CACHE),
        of=Block,
    )
    return Part("search", table, _is_search_result)


# anthropic 2.14.0, types/search_result_block_param.py, checked 2026-11-29.
SEARCH: Final = search_part(row("/citations/enabled", "citations"))

BLOCKS: Final = Blocks("anthropic", *PARTS, SEARCH, check=_block_problems, closed=False)
"""The blocks of a result. Files that were uploaded before, documents of blocks and references to tools stay in the
family."""

CALL_ID: Final = id_codec(id_by_rule(IDS))
INPUT: Final = row("/input", "arguments", AS_OBJECT, required=True, invent=no_arguments)
_TYPE = local("/type", required=True)
_TOOLSET = local("/toolset_name")
_OF_CALL = row("/tool_use_id", "id", CALL_ID, required=True, invent=invent_id("toolu_"))

CALL = (
    row("/id", "id", CALL_ID, required=True, invent=invent_id("toolu_")),
    *(row("/name", "name", write_name(TOOL_NAME), required=True), INPUT, local("/caller"), _CACHE, _TOOLSET),
)

HOSTED_CALL = (_TYPE, *CALL[:-2], local("/server_name"), _CACHE)

RESULT = (_OF_CALL, content_row(BLOCKS), FAILED, _CACHE)

HOSTED_RESULT = (
    *(_TYPE, _OF_CALL, row("/content", "data", Codec(_read_hosted, identity), required=True)),
    *(local("/caller"), _CACHE),
)


def _problems(document: JsonObject) -> Iterator[tuple[str, str]]:
    """What the service refuses of a result that is read.

    "content cannot be empty if `is_error` is true" (jlevy/markform#153, 2026-02-16; checked 2026-11-25), and
    "all content must be type `text`" (see `result_blocks`).
    """
    if document.get("is_error") is not True:
        return
    content = document.get("content")
    if not content:
        yield _CONTENT, "it cannot be empty if is_error is true"
    for number, block in enumerate(content if is_list(content) else ()):
        if is_object(block) and block.get("type") != "text":
            yield f"{_CONTENT}/{number}/type", "expected only text if is_error is true"


# formats

# The same type stands in MCP's sampling, which has `toolUseId` and `isError`.
_IS_RESULT: Final = has(type="tool_result", without=("toolUseId",))


def _toolset(call: JsonObject) -> JsonObject:
    """The toolset of a tool, which its result names as well.

    Source: anthropic 2.14.0, types/tool_result_block_param.py (checked 2026-11-29).
    """
    return {} if call.get("toolset_name") is None else {"/toolset_name": call["toolset_name"]}


CALLS: Final = (
    Shape(
        name="block",
        table=Table(ToolUse, fixed("/type", "id", "tool_use"), *CALL, of=Call),
        matches=has_type("tool_use"),
        identifies=has("input", type="tool_use", name=str),
        repeated=_toolset,
        # Members of its toolsets for browsers and computers, such as `find` (anthropic 2.14.0,
        # types/browser_find_tool_use_block.py, checked 2026-11-29).
        of_vendor=has(toolset_name=str),
    ),
    # What the service itself calls nobody else should call; in a log it is a call all the same.
    Shape(
        name="hosted",
        table=Table(HostedToolUse, *HOSTED_CALL, of=Call, invent={"/type": constant("server_tool_use")}),
        matches=has_type("server_tool_use", "mcp_tool_use"),
        written=False,
        hosted=True,
    ),
)

RESULTS: Final = (
    Shape(
        name="block",
        table=Table(
            ToolResult, fixed("/type", "content", "tool_result"), *RESULT, _TOOLSET, of=Result, problems=_problems
        ),
        matches=_IS_RESULT,
        identifies=all_of(_IS_RESULT, has("tool_use_id")),
    ),
    Shape(
        name="mcp",
        table=Table(McpToolResult, _TYPE, *RESULT, of=Result),
        matches=has_type("mcp_tool_result"),
        written=False,
    ),
    Shape(
        name="hosted",
        table=Table(HostedResult, *HOSTED_RESULT, of=Result),
        matches=has_type(*_HOSTED),
        written=False,
    ),
)
