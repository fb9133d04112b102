"""Calls and results of MCP, edition by edition: models, codecs and rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType, defstruct, field

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...data.types import kind as kind_word
from ...errors import DocumentError
from ...mapping import (
    AS_OBJECT,
    Block,
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
    all_of,
    block_problems,
    blocks_at,
    borrow,
    constant,
    fields_of,
    has,
    has_fields,
    has_type,
    identity,
    invent,
    invent_id,
    local,
    never,
    object_only,
    row,
    settle_failed,
    shown,
    tag,
    title_or_address,
)
from .tools import Icon

VERSION: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"


def extended(model: type[Struct], edition: str, **members: Any) -> type[Struct]:
    """The model of a later edition, which adds optional members; that of `meta` is `_meta`."""
    added = [
        (key, kind | UnsetType, field(default=UNSET, name="_meta" if key == "meta" else None))
        for key, kind in members.items()
    ]
    name = f"{model.__name__}{edition.replace('-', '')}"
    words = {"__doc__": f"{(model.__doc__ or '').split(', up to')[0].rstrip('.')}, since {edition}."}
    return defstruct(name, added, bases=(model,), kw_only=True, rename="camel", namespace=words)


def required_meta(model: type[Struct], meta: Any) -> type[Struct]:
    """The parameters of a request of a client since 2026-07-28; `meta`: the type of their `_meta`."""
    name = f"{'' if meta is RequestMeta else 'Any'}{model.__name__}WithMeta"
    words = {"__doc__": model.__doc__}
    return defstruct(name, [("meta", meta, field(name="_meta"))], bases=(model,), kw_only=True, namespace=words)


class CallParams(Wire, kw_only=True):
    """What `tools/call` asks for, up to 2025-06-18."""

    name: str
    arguments: dict[str, Any] | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


CallParams20251125 = extended(CallParams, "2025-11-25", task=dict[str, Any])
CallParams20260728 = extended(CallParams, "2026-07-28", input_responses=dict[str, Any], request_state=str)


class RequestMeta(Wire, kw_only=True):
    """What every request says of its sender since 2026-07-28."""

    progress_token: str | int | UnsetType = field(default=UNSET, name="progressToken")
    version: str = field(name=VERSION)
    capabilities: dict[str, Any] = field(name=CAPABILITIES)


class CallRequest(Wire, kw_only=True):
    """A `tools/call` message."""

    jsonrpc: Literal["2.0"]
    id: str | int
    method: Literal["tools/call"]


def _request(params: type[Struct]) -> type[Struct]:
    """The message with these parameters."""
    name = params.__name__.replace("Params", "Request")
    words = {"__doc__": CallRequest.__doc__}
    return defstruct(name, [("params", params)], bases=(CallRequest,), kw_only=True, namespace=words)


class CallResult(Wire, kw_only=True):
    """What a tool gave back, up to 2025-03-26."""

    content: list[dict[str, Any]]
    is_error: bool | UnsetType = field(default=UNSET, name="isError")
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


CallResult20250618 = extended(CallResult, "2025-06-18", structured_content=dict[str, Any])


class CallResult20260728(CallResult, kw_only=True):
    """What a tool gave back since 2026-07-28: its data is any JSON value."""

    result_type: str = field(name="resultType")
    structured_content: Any = field(default=UNSET, name="structuredContent")


class AnyCallResult(CallResult20260728, kw_only=True):
    """What readers take since 2026-07-28: a result without its type is complete."""

    result_type: str | UnsetType = field(default=UNSET, name="resultType")  # pyright: ignore[reportIncompatibleVariableOverride] - wider


class ToolResultContent(Wire, kw_only=True, rename="camel"):
    """The result of a tool in a conversation, since 2026-07-28: its data is any JSON value."""

    type: Literal["tool_result"]
    tool_use_id: str
    content: list[dict[str, Any]]
    structured_content: Any = UNSET
    is_error: bool | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class ToolResultContent20251125(ToolResultContent, kw_only=True, rename="camel"):
    """The result of a tool in a conversation, in 2025-11-25: its data is an object."""

    structured_content: dict[str, Any] | UnsetType = UNSET


class TaskResult(Wire, kw_only=True):
    """A task in the place of a result, which is to be asked for later (2025-11-25)."""

    task: dict[str, Any]
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class UnfinishedResult(Wire, kw_only=True):
    """What stands in the place of a result since 2026-07-28: the server asks for input, or has begun a task."""

    result_type: Literal["input_required", "task"] = field(name="resultType")
    input_requests: dict[str, Any] | UnsetType = field(default=UNSET, name="inputRequests")
    request_state: str | UnsetType = field(default=UNSET, name="requestState")
    task_id: str | UnsetType = field(default=UNSET, name="taskId")
    status: str | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class RpcError(Wire, kw_only=True):
    """What went wrong with a message."""

    code: int
    message: str
    data: Any = UNSET


class NumberedErrorResponse(Wire, kw_only=True):
    """The response to a message that could not be handled, up to 2025-06-18."""

    jsonrpc: Literal["2.0"]
    id: str | int
    error: RpcError


class ErrorResponse(Wire, kw_only=True):
    """The response to a message that could not be handled; since 2025-11-25 that may be one without an id."""

    jsonrpc: Literal["2.0"]
    id: str | int | UnsetType | None = UNSET
    error: RpcError


class TextContent(Wire, kw_only=True):
    """Text to read."""

    type: Literal["text"]
    text: str
    annotations: Annotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class MediaContent(Wire, kw_only=True):
    """A picture or a sound, as base64."""

    type: Literal["image", "audio"]
    data: str
    mime_type: str = field(name="mimeType")
    annotations: Annotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class EmbeddedResource(Wire, kw_only=True):
    """A resource with what it holds."""

    type: Literal["resource"]
    resource: ResourceContents
    annotations: Annotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class ResourceContents(Wire, kw_only=True):
    """What a resource holds: text, or base64."""

    uri: str
    text: str | UnsetType = UNSET
    blob: str | UnsetType = UNSET
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class ResourceLink(Wire, kw_only=True):
    """Where a resource is."""

    type: Literal["resource_link"]
    uri: str
    name: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")
    size: int | UnsetType = UNSET
    icons: list[dict[str, Any]] | UnsetType = UNSET
    annotations: Annotations | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class Annotations(Wire, kw_only=True):
    """For whom a block is, and how much it matters."""

    audience: list[Literal["user", "assistant"]] | UnsetType = UNSET
    priority: float | UnsetType = UNSET
    last_modified: str | UnsetType = field(default=UNSET, name="lastModified")


# tables

ANNOTATIONS = (
    row("/annotations/audience", "audience"),
    row("/annotations/priority", "priority"),
    row("/annotations/lastModified", "modified"),
)

META = row("/_meta", "meta")
_MIME = row("/mimeType", "mime")


def _block(model: type[Struct], kind: str, *rows: Row, **more: Any) -> Table:
    wire = {"file": "resource", "link": "resource_link"}.get(kind, kind)
    head = row("/type", "kind", tag(kind, wire), required=True)
    return Table(model, head, *rows, *ANNOTATIONS, META, of=Block, **more)


TEXT = _block(TextContent, "text", row("/text", "text", required=True))
_DATA = (
    row("/data", "data", required=True),
    row("/mimeType", "mime", required=True, invent=invent("application/octet-stream")),
)

_RESOURCE = _block(
    EmbeddedResource,
    "file",
    row("/resource/uri", "address", required=True, invent=invent("resource:")),
    *(row("/resource/mimeType", "mime"), row("/resource/text", "text"), row("/resource/blob", "data")),
    row("/resource/_meta", "resource_meta"),
)


def link(model: type[Struct], *more: Row) -> Part:
    """The kind of content that says where a resource is."""
    table = _block(
        model,
        "link",
        *(row("/uri", "address", required=True), row("/name", "name", required=True, invent=title_or_address)),
        *(row("/title", "title"), row("/description", "description"), _MIME, row("/size", "size"), *more),
    )
    return Part("link", table, has_type("resource_link"), has_fields("address"))


def media(kind: str) -> Part:
    return Part(kind, _block(MediaContent, kind, *_DATA), has_type(kind), has_fields("data"))


_OLDEST = (
    Part("text", TEXT, has_type("text")),
    media("image"),
    Part("file", _RESOURCE, has_type("resource"), has_fields(any_of=("text", "data"))),
    Part("video", _RESOURCE, never, has_fields("data")),
)

OF_2025_03_26 = (*_OLDEST, media("audio"))
"""The kinds of content since 2025-03-26."""

BLOCKS_2024_11_05 = Blocks("mcp", *_OLDEST, Part("audio", _RESOURCE, never, has_fields("data")), check=block_problems)
BLOCKS_2025_03_26 = Blocks("mcp", *OF_2025_03_26, check=block_problems)
_ICON: Final = Table(Icon, *map(local, ("/src", "/mimeType", "/sizes", "/theme")), of=Block)


def _problems_with_links(block: Record) -> Iterator[tuple[str, str]]:
    """What is wrong with the values of a block, and with the name and the icons of a link."""
    yield from block_problems(block)
    if block.fields["kind"] == "link" and "name" not in block.fields:  # it is read without one
        yield "/name", "required, but missing"
    for number, icon in enumerate(block.document.get("icons", ())):
        try:
            _ICON.verify(icon)
        except DocumentError as error:
            yield f"/icons/{number}{error.pointer}", error.problem


BLOCKS = Blocks("mcp", *OF_2025_03_26, link(ResourceLink, local("/icons")), check=_problems_with_links)

# values

_OF_2026_07_28: Final = (VERSION, "io.modelcontextprotocol/clientInfo", CAPABILITIES)

_ARCADE: Final = {
    "problem.kind": ("errorKind", str),
    "problem.can_retry": ("canRetry", bool),
    "problem.prompt": ("additionalPromptContent", str),
    "problem.retry_after_ms": ("retryAfterMs", int),
    "problem.status": ("statusCode", int),
}
"""What Arcade's own MCP servers say of an error under `_meta.arcade` (arcade_mcp_server/convert.py at 597deba)."""


def write_meta(value: JsonObject, w: WriteContext) -> JsonObject:
    """Without what later editions say of the protocol in every message."""
    for key in _OF_2026_07_28:
        if key in value:
            w.note("TB101", "/" + at.escape(key), None)
            value = {name: inner for name, inner in value.items() if name != key}
    return value


@cache
def needed_meta(edition: str) -> Row:
    """The row of `_meta` in what a client asks of a server since 2026-07-28."""
    needed: JsonObject = {VERSION: edition, CAPABILITIES: {}}

    def write(value: JsonObject, w: WriteContext) -> JsonObject:
        origin = None if w.record.table is None else w.record.table.rows.get(w.places.get("meta", ""))
        if value.get(VERSION, edition) != edition and (origin is None or origin.via is not codec):
            w.note("TB101", "/" + at.escape(VERSION), None)  # that of another edition
            value = {key: inner for key, inner in value.items() if key != VERSION}
        for key, inner in needed.items():
            if key not in value:
                w.note("TB401", "", "/" + at.escape(key))
                value = {**value, key: inner}
        return value

    codec = Codec(identity, write)
    return row("/_meta", "meta", codec, required=True, invent=invent(needed))


def _read_meta_of_result(value: JsonObject, record: Record) -> JsonObject:
    """Also what Arcade's servers say of an error; it stays where it is."""
    arcade = value.get("arcade")
    if is_object(arcade):
        wire = "/result/_meta" if "/result/_meta" in record.raw else "/_meta"
        for path, (key, kind) in _ARCADE.items():
            if type(arcade.get(key)) is kind and path not in record.fields:
                borrow(record, path, arcade[key], f"{wire}/arcade/{key}")
    return value


NO_DATA: Final = constant(value=False)

_ANY_DATA: Final = constant(value=True)
"""What can be the data of a result: nothing, or any value. Other editions: what is an object."""


def _write_failed(value: bool, w: WriteContext, base: str) -> bool:
    if value:
        for path, (key, _) in _ARCADE.items():
            if path in w.fields and path not in w.record.borrowed:
                w.put(f"{base}/_meta/arcade/{key}", w.fields[path])
                w.mark_written(path)
    return value


def content(base: str, blocks: Blocks, data: Callable[[Json], bool]) -> Row:
    """The row of the content of a result; `data` tells what can stand beside it as `structuredContent`."""
    wire = f"{base}/content"

    def write(w: WriteContext) -> list[JsonObject]:
        if w.record.family == "mcp":  # there the prompt is a part of `_meta`, which is written as it is
            w.fields = {path: value for path, value in w.fields.items() if path != "problem.prompt"}
        kept = "data" in w.fields and data(w.fields["data"])
        return blocks.write(shown(w, wire, data=kept), w, wire)

    return blocks_at(blocks, wire, write)


# tables

RPC = local("/jsonrpc", required=True, default="2.0", code="")
ID = row("/id", "id", required=True, invent=invent_id())
_REQUEST = (RPC, ID, local("/method", required=True, default="tools/call", code=""))


_HEAD = (row("/name", "name", required=True), row("/arguments", "arguments", AS_OBJECT))
_CALL_2024_11_05 = (*_HEAD, row("/_meta", "meta", Codec(identity, write_meta)))
_CALL_2025_11_25 = (*_CALL_2024_11_05, local("/task"))
_CALL_2026_07_28 = (*_HEAD, needed_meta("2026-07-28"), local("/inputResponses"), local("/requestState"))


def _result(base: str, blocks: Blocks, data: Callable[[Json], bool]) -> tuple[Row, ...]:
    """The rows of a result at `base`; `data` tells what can be its data."""
    rows = [content(base, blocks, data)]
    if data is not NO_DATA:
        via = None if data is _ANY_DATA else Codec(identity, object_only)
        rows.append(row(f"{base}/structuredContent", "data", via, nullable=data is _ANY_DATA))
    rows.append(row(f"{base}/_meta", "meta", Codec(_read_meta_of_result, identity)))
    rows.append(row(f"{base}/isError", "failed", Codec(identity, partial(_write_failed, base=base))))
    return tuple(rows)


# JSON-RPC allows one of the two: what a response with a result says of an error is content that is lost elsewhere.
_RESPONSE = (RPC, ID, local("/error", code="TB701"))


def _result_table(base: str, model: type[Struct], blocks: Blocks, data: Callable[[Json], bool]) -> Table:
    """The table of results, which stand at `base` of a response, or alone."""
    rows = _result(base, blocks, data)
    if data is _ANY_DATA:
        rows = (local(f"{base}/resultType", required=True, default="complete", code=""), *rows)
    reads = AnyCallResult if data is _ANY_DATA else model
    if base:
        model, reads, rows = _response(model), _response(reads), (*_RESPONSE, *rows)
    return Table(model, *rows, of=Result, reads=reads)


@cache
def _response(model: type[Struct]) -> type[Struct]:
    """The JSON-RPC response with this result."""
    name = model.__name__.replace("CallResult", "CallResponse")
    members = [("jsonrpc", Literal["2.0"]), ("id", str | int), ("result", model), ("error", Any, UNSET)]
    return defstruct(name, members, bases=(Wire,))


_RESULT_KEYS = ("content", "structuredContent")
# What stands in a message of sampling has a type, as the calls of vendors have, and its arguments elsewhere.
_IS_PARAMS = has("name", without=("method", "params", "request", "type"))

_SURELY_PARAMS = has(
    name=str, arguments=dict, only=("name", "arguments", "_meta", "task", "inputResponses", "requestState")
)

_IS_REQUEST = has("jsonrpc", method="tools/call", params=dict)
_IS_RESULT = has(any_of=_RESULT_KEYS, without=("jsonrpc",))
_IS_BLOCK = has("toolUseId", "content", type="tool_result")
_IS_RESPONSE = has("jsonrpc", result=has(any_of=_RESULT_KEYS))
_IS_RESPONSE_WITHOUT_DATA = has("jsonrpc", result=has("content", without=("structuredContent",)))
_IS_ERROR = has("jsonrpc", error=dict)


def has_blocks(document: JsonObject) -> bool:
    """Whether a document has a list of what may be blocks as its content."""
    blocks = document.get("content")
    return is_list(blocks) and all(is_object(block) and "type" in block for block in blocks)


def _surely_result(document: JsonObject) -> bool:
    return has_blocks(document) and document.keys().isdisjoint(_NO_RESULT)


# What messages and results of vendors have, and the results of MCP have not.
_NO_RESULT = ("role", "type", "tool_call_id", "tool_use_id", "toolUseId", "jsonrpc", "call_id", "name", "stop_reason")


def _settle_unfinished(record: Record) -> None:
    """Editions without unfinished results get them as other data."""
    # The state is the server's own: no model reads it.
    data = {key: value for key, value in record.document.items() if key not in _NOT_FOR_MODELS}
    borrow(record, "data", data, "")
    asks = record.document["resultType"] == "input_required"
    _unfinished(record, "the server asks for input first" if asks else "it runs as a task")


_NOT_FOR_MODELS = ("resultType", "requestState", "_meta")


def _unfinished(record: Record, why: str) -> None:
    """Who waits for a result has none, and should not take this for one."""
    borrow(record, "failed", value=True, place="")
    borrow(record, "problem.message", f"The tool has not finished: {why}.", "")


_WRONG = (
    row("/error/message", "problem.message", required=True),
    *(local("/error/code", required=True, default=-32603), row("/error/data", "data")),
)

_ERROR_2024_11_05 = Table(NumberedErrorResponse, RPC, ID, *_WRONG, of=Result, after_read=settle_failed("/error"))
_ERROR = Table(ErrorResponse, RPC, row("/id", "id"), *_WRONG, of=Result, after_read=settle_failed("/error"))

_TASK = Table(
    TaskResult,
    *(row("/task", "data", required=True), META),
    of=Result,
    after_read=lambda record: _unfinished(record, "it runs as a task"),
    unfinished=True,
)

_UNFINISHED = Table(
    UnfinishedResult,
    *(local("/resultType", required=True), local("/inputRequests"), local("/requestState"), local("/taskId")),
    *(local("/status"), META),
    of=Result,
    after_read=_settle_unfinished,
    unfinished=True,
)

_CONTENT_ID = row("/toolUseId", "id", required=True, invent=invent_id())
_CONTENT_TYPE = local("/type", required=True, default="tool_result", code="")


def _result_in_conversation(model: type[Struct], data: Callable[[Json], bool]) -> Shape:
    """The result of a tool in a message of sampling, since 2025-11-25."""
    table = Table(model, _CONTENT_TYPE, _CONTENT_ID, *_result("", BLOCKS, data), of=Result)
    return Shape(name="block", table=table, matches=_IS_BLOCK, written=False)


# formats


def _problems_of_meta(document: JsonObject, place: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the token, in `_meta` at a place, by which a server tells of its progress."""
    meta: Json = at.get(document, place, None)
    token: Json = meta.get("progressToken", "") if is_object(meta) else ""
    if not isinstance(token, (str, int)) or isinstance(token, bool):
        yield f"{place}/progressToken", f"expected an integer or a string, found {kind_word(token)}"


def _calls(model: type[Struct], rows: tuple[Row, ...]) -> tuple[Shape, ...]:
    params = lenient = model
    if any(each.wire == "/_meta" and each.required for each in rows):
        # Clients of the protocol add `_meta` to bare parameters themselves.
        params, lenient = required_meta(model, RequestMeta), required_meta(model, dict[str, Any])
    inside = fields_of(params, rows, "/params")
    return (
        Shape(
            name="params",
            table=Table(params, *rows, of=Call, reads=model, problems=partial(_problems_of_meta, place="/_meta")),
            matches=_IS_PARAMS,
            identifies=_SURELY_PARAMS,
        ),
        Shape(
            name="request",
            table=Table(
                _request(params),
                *(*_REQUEST, *inside),
                of=Call,
                reads=_request(lenient),
                problems=partial(_problems_of_meta, place="/params/_meta"),
            ),
            matches=_IS_REQUEST,
            whole=True,
        ),
    )


def _results(
    model: type[Struct],
    blocks: Blocks,
    data: Callable[[Json], bool],
    *more: Shape,
    error: Table = _ERROR_2024_11_05,
    content: type[Struct] | None = None,
) -> tuple[Shape, ...]:
    # What has data is of a later edition than those that know none, whatever kind of data it is.
    old = data is NO_DATA
    identifies = all_of(_surely_result, has(without=("structuredContent",))) if old else _surely_result
    matches = _IS_RESULT
    if content is not None:
        matches = all_of(_IS_RESULT, has(without=("toolUseId",)))
        more = (*more, _result_in_conversation(content, data))
    response = _IS_RESPONSE_WITHOUT_DATA if old else _IS_RESPONSE
    return (
        Shape(name="result", table=_result_table("", model, blocks, data), matches=matches, identifies=identifies),
        Shape(
            name="response",
            table=_result_table("/result", model, blocks, data),
            matches=_IS_RESPONSE,
            identifies=response,
            whole=True,
        ),
        Shape(name="error", table=error, matches=_IS_ERROR, whole=True, written=False),
        *more,
    )


CALLS_2024_11_05 = CALLS_2025_03_26 = CALLS_2025_06_18 = _calls(CallParams, _CALL_2024_11_05)
CALLS_2025_11_25 = _calls(CallParams20251125, _CALL_2025_11_25)
CALLS_2026_07_28 = _calls(CallParams20260728, _CALL_2026_07_28)
RESULTS_2024_11_05 = _results(CallResult, BLOCKS_2024_11_05, NO_DATA)
RESULTS_2025_03_26 = _results(CallResult, BLOCKS_2025_03_26, NO_DATA)
RESULTS_2025_06_18 = _results(CallResult20250618, BLOCKS, is_object)

RESULTS_2025_11_25 = _results(
    CallResult20250618,
    BLOCKS,
    is_object,
    Shape(name="task", table=_TASK, matches=has(task=has("taskId"), only=("task", "_meta")), written=False),
    error=_ERROR,
    content=ToolResultContent20251125,
)

RESULTS_2026_07_28 = _results(
    CallResult20260728,
    BLOCKS,
    _ANY_DATA,
    Shape(
        name="unfinished",
        table=_UNFINISHED,
        matches=has(resultType=("input_required", "task"), without=("jsonrpc",)),
        written=False,
    ),
    error=_ERROR,
    content=ToolResultContent,
)
