"""Calls and results of Gemini: models, codecs and rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType, field

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...mapping import (
    AS_OBJECT,
    Block,
    BlockPredicate,
    Blocks,
    Call,
    Codec,
    Invent,
    Part,
    Record,
    Result,
    Row,
    Shape,
    Table,
    Wire,
    WriteContext,
    all_of,
    as_text,
    borrow,
    default_tool_name,
    fallback,
    for_model,
    from_context,
    has,
    has_address,
    has_data,
    has_fields,
    id_codec,
    identity,
    is_blank,
    is_read,
    local,
    never,
    one_text,
    repeating,
    row,
    text_block,
    write_name,
)
from .tools import RULE, Name, in_snake_case


class FunctionCall(Wire, kw_only=True):
    """A call of a function. What `willContinue` tells to go on has more arguments in later messages."""

    id: str | UnsetType | None = UNSET
    name: Name
    args: dict[str, Any] | UnsetType | None = UNSET
    partial_args: list[dict[str, Any]] | UnsetType | None = field(default=UNSET, name="partialArgs")
    will_continue: bool | UnsetType | None = field(default=UNSET, name="willContinue")
    partial_args_snake: list[dict[str, Any]] | UnsetType | None = field(default=UNSET, name="partial_args")
    will_continue_snake: bool | UnsetType | None = field(default=UNSET, name="will_continue")


class FunctionCallPart(Wire, kw_only=True):
    """A part of a model's response. Its signature has to be sent back with it."""

    function_call: FunctionCall = field(name="functionCall")
    thought_signature: str | UnsetType | None = field(default=UNSET, name="thoughtSignature")


class FunctionResponse(Wire, kw_only=True):
    """What came of a call. `willContinue` and `scheduling` are for functions that do not block."""

    id: str | UnsetType | None = UNSET
    name: Name
    response: dict[str, Any] | UnsetType | None = UNSET
    parts: list[dict[str, Any]] | UnsetType | None = UNSET
    will_continue: bool | UnsetType | None = field(default=UNSET, name="willContinue")
    will_continue_snake: bool | UnsetType | None = field(default=UNSET, name="will_continue")
    scheduling: str | UnsetType | None = UNSET


class FunctionResponsePart(Wire, kw_only=True):
    """A part of a message to the model."""

    function_response: FunctionResponse = field(name="functionResponse")


class Blob(Wire, kw_only=True):
    """Media of this type, as base64."""

    mime_type: str = field(name="mimeType")
    data: str
    display_name: str | UnsetType | None = field(default=UNSET, name="displayName")


class InlinePart(Wire, kw_only=True):
    """Media in a result."""

    inline_data: Blob = field(name="inlineData")


class FileData(Wire, kw_only=True):
    """Where media of this type are."""

    mime_type: str | UnsetType | None = field(default=UNSET, name="mimeType")
    file_uri: str = field(name="fileUri")
    display_name: str | UnsetType | None = field(default=UNSET, name="displayName")


class FilePart(Wire, kw_only=True):
    """Media of a result elsewhere."""

    file_data: FileData = field(name="fileData")


FunctionCallSnakePart = in_snake_case(FunctionCallPart, "FunctionCallSnakePart")
FunctionResponseSnakePart = in_snake_case(FunctionResponsePart, "FunctionResponseSnakePart")
SnakeBlob = in_snake_case(Blob, "SnakeBlob")
InlineSnakePart = in_snake_case(InlinePart, "InlineSnakePart", inline_data=SnakeBlob)
SnakeFileData = in_snake_case(FileData, "SnakeFileData")
FileSnakePart = in_snake_case(FilePart, "FileSnakePart", file_data=SnakeFileData)


# values

# The types of media that a result takes: "Multimodal function responses" of
# https://ai.google.dev/gemini-api/docs/function-calling as pydantic-ai 2.68.0 has them (profiles/google.py); a video is
# "not supported in `function_response.parts`" (google-gemini/gemini-cli#16995, 2026-01-19). Checked 2026-11-21.
_PICTURES: Final = ("image/png", "image/jpeg", "image/webp")
_FILES: Final = ("application/pdf", "text/plain")
_KINDS: Final = ("image", "audio", "video")


def kind_of(mime: Any) -> str:
    """What kind of block media of this type are."""
    head = mime.partition("/")[0] if isinstance(mime, str) else ""
    return head if head in _KINDS else "file"


def _elsewhere(*mimes: str) -> BlockPredicate:
    return all_of(has_address("https://", "gs://"), has_fields(mime=mimes))


def _read_base64(value: str, _: Record) -> str:
    """Proto JSON takes both alphabets, with padding or without, and Google's own SDKs write the other one."""
    plain = value.replace("-", "+").replace("_", "/")
    return plain + "=" * (-len(plain) % 4)


# tables


def _inline(model: type[Struct], key: str, mime: str, name: str) -> Table:
    data = row(f"/{key}/data", "data", Codec(_read_base64, identity), required=True)
    return Table(
        model, row(f"/{key}/{mime}", "mime", required=True), data, fallback(f"/{key}/{name}", "title"), of=Block
    )


def _file(model: type[Struct], key: str, mime: str, uri: str, name: str) -> Table:
    address = row(f"/{key}/{uri}", "address", required=True)
    return Table(model, row(f"/{key}/{mime}", "mime"), address, fallback(f"/{key}/{name}", "title"), of=Block)


# The Gemini API takes no display name (googleapis/js-genai#641, 2025-05-30): what others call a title is not written.
_INLINE = _inline(InlinePart, "inlineData", "mimeType", "displayName")
_INLINE_SNAKE = _inline(InlineSnakePart, "inline_data", "mime_type", "display_name")
_FILE = _file(FilePart, "fileData", "mimeType", "fileUri", "displayName")
_FILE_SNAKE = _file(FileSnakePart, "file_data", "mime_type", "file_uri", "display_name")
_IS_INLINE = has(inlineData=has(mimeType=str, data=str))
_IS_FILE = has(fileData=has(fileUri=str))

BLOCKS: Final = Blocks(
    "gemini",
    Part("file", _INLINE, _IS_INLINE, has_data(*_PICTURES, *_FILES)),
    Part("image", _INLINE, _IS_INLINE, has_data(*_PICTURES)),
    Part("file", _FILE, _IS_FILE, _elsewhere(*_PICTURES, *_FILES)),
    Part("image", _FILE, _IS_FILE, _elsewhere(*_PICTURES)),
    Part("file", _INLINE_SNAKE, has(inline_data=has(mime_type=str, data=str)), never),
    Part("file", _FILE_SNAKE, has(file_data=has(file_uri=str)), never),
)
"""The media of a result. There is no text among them."""


# results


def _read_response(wire: str) -> Callable[[JsonObject, Record], Any]:
    """What a function gave back: what stands under `output`, or why it failed under `error`; else all of it.

    google-genai 3.6.1, types.FunctionResponse.response, checked 2026-11-29.
    """

    def read(value: JsonObject, record: Record) -> Any:
        if not value:
            record.keep(wire, value)
            return UNSET
        failed = _failed(value)
        if not _is_wrapper(value):
            if failed:
                borrow(record, "failed", value=True, place=f"{wire}/error")
            return value
        if not failed and "error" in value:
            record.keep(f"{wire}/error", value["error"])
        output = value.get("output", UNSET)
        if failed:
            error = value["error"]
            borrow(record, "failed", value=True, place=f"{wire}/error")
            if isinstance(error, str) or output is not UNSET:
                borrow(record, "problem.message", as_text(error), f"{wire}/error")
            else:
                return error
        return UNSET if isinstance(output, str) else output

    return read


def _failed(response: JsonObject) -> bool:
    """Whether a response says that the function failed. Who says that nothing is wrong says it with nothing."""
    return bool(response.get("error"))


def _is_wrapper(response: JsonObject) -> bool:
    """Whether a response only holds what the function gave back; with other keys beside, all of it is that."""
    return ("output" in response or _failed(response)) and response.keys() <= {"output", "error"}


def _place(sub: str, raw: JsonObject | None, _: Record) -> str:
    """A place in the data, in the response."""
    if not is_object(raw) or not _is_wrapper(raw):
        return sub
    if "output" in raw:
        return f"/output{sub}"
    return f"/error{sub}" if _failed(raw) else sub


def _settle(wire: str) -> Callable[[Record], None]:
    """What puts the text that a function gave back before the media that stand beside it."""

    def after_read(record: Record) -> None:
        response = record.raw.get(wire)
        if is_object(response) and _is_wrapper(response) and isinstance(response.get("output"), str):
            text = text_block(response["output"], f"{wire}/output")
            record.put("content", [text, *record.fields.get("content", ())], text.base)

    return after_read


def _content(wire: str) -> Codec:
    """The media that stand beside the response, which has everything else."""

    def read(value: list[Json], record: Record) -> Any:
        if not value:
            record.keep(wire, value)
            return UNSET
        content = BLOCKS.read(value, record, wire)
        for block in content:
            if block.fields["kind"] != "other":
                block.fields["kind"] = kind_of(block.fields.get("mime"))
        return content

    def write(value: list[Record], w: WriteContext) -> Any:
        return BLOCKS.write(list(filter(BLOCKS.is_media, value)), w, wire) or UNSET

    return Codec(read, write)


def _answer(wire: str) -> Invent:
    """What tells a result, but for its media: an object with its output, or why it failed.

    There is one output and one reason: data if there is nothing else, text otherwise.
    """

    def answer(w: WriteContext) -> JsonObject:
        failed = w.fields.get("failed") is True
        target_place = f"{wire}/{'error' if failed else 'output'}"
        troubled = any(w.fields.get(path) for path in ("problem.message", "problem.prompt"))
        value, content = _data(w, target_place, alone=not (failed or troubled))
        text: Any = UNSET
        if content or troubled:
            if value is not UNSET and not failed:
                content.append(text_block(as_text(value), w.source("data")))
                w.note_at("TB703", w.source("data"), target_place)
            fields = {path: inner for path, inner in w.fields.items() if path != "data"}
            w.fields = {**fields, "content": content}
            text = one_text(w, target_place)
        if not failed:
            output = value if text is UNSET else text
            return {} if output is UNSET else {"output": output}
        w.mark_written("failed")
        if (code := w.record.derived.get("failed")) is not None:  # that it failed is not all that it says
            w.note_at(code, w.source("failed"), target_place)
        return _error(text, value, content, w, target_place)

    return answer


def _data(w: WriteContext, target_place: str, *, alone: bool) -> tuple[Any, list[Record]]:
    """The data of a result that is written as such, and the content beside it, but for media.

    `alone`: whether text that repeats the data can only be left out where there is no other. Data that the service
    would read otherwise is written as text. It takes `$ref` for the name of one of the parts, wherever it stands ("The
    referenced name `...` in function_response.response does not match to a display_name", twentyhq/twenty#21712,
    2026-06-17). The response is a google.protobuf.Struct (https://ai.google.dev/api/caching#FunctionResponse), whose
    numbers are doubles (checked 2026-11-28): a longer integer, such as an id, would become another one.
    """
    value = w.fields.get("data", UNSET)
    content: list[Record] = w.fields.get("content", [])
    shown = [block for block in content if not BLOCKS.is_media(block)]
    if value is UNSET:
        return value, shown
    same = repeating(content, value)
    others = [block for block in shown if block not in same and not is_blank(block)]
    if not (same or is_read(w)) or (same and others and alone):
        w.note_at("TB703", w.source("data"), None)
        return UNSET, shown
    for block in shown:
        if block not in others:
            w.note_at("TB101", block.base, None)
    for_vendor = for_model(value, w)
    if is_misread(for_vendor):
        for_vendor = as_text(for_vendor)
    if for_vendor is not value:
        w.note_at("TB703", w.source("data"), target_place)
    return for_vendor, others


def _error(text: Any, value: Json, content: list[Record], w: WriteContext, target_place: str) -> JsonObject:
    """Why a function failed: in words, or by its data, and its data beside words."""
    if text:
        return {"error": text} if value is UNSET else {"error": text, "output": value}
    for block in content:
        w.note_at("TB101", block.base, None)
    if value is not UNSET and value:
        return {"error": value}
    w.note_at("TB401", w.source("failed"), target_place)
    return {"error": "Error"} if value is UNSET else {"error": "Error", "output": value}


def _is_rounded(value: Json) -> bool:
    """Whether a value is an integer that no double is."""
    try:
        return type(value) is int and float(value) != value
    except OverflowError:
        return True


def _exact(value: Json) -> Json:
    return str(value) if type(value) is int and _is_rounded(value) else value


def write_exact_arguments(wire: str) -> Callable[[WriteContext], None]:
    """The `before_write` of calls: integers in the arguments at `wire` that no double is are written as text.

    The arguments are a google.protobuf.Struct, too: for 10000000000000001 a function got 1e16 (google/adk-python#3592,
    2025-11-18).
    """

    def write(w: WriteContext) -> None:
        arguments, places = at.with_changes(w.fields.get("arguments"), _exact)
        if places:
            w.fields = {**w.fields, "arguments": arguments}
        for place in places:
            w.note_at("TB505", w.source("arguments", place), wire + place)

    return write


def is_misread(value: Json) -> bool:
    """Whether the service would read something else in data: a reference, or an integer that no double is."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if is_object(each):
            if "$ref" in each:
                return True
            waiting += each.values()
        elif is_list(each):
            waiting += each
        elif _is_rounded(each):
            return True
    return False


# tables


_NAMED = write_name(RULE)
_ID = id_codec()


def _call(model: type[Struct], base: str, *more: Row) -> Table:
    return Table(
        model,
        *(row(f"{base}/id", "id", _ID), row(f"{base}/name", "name", _NAMED, required=True)),
        row(f"{base}/args", "arguments", AS_OBJECT),
        *(local(f"{base}/{key}") for key in ("partialArgs", "willContinue", "partial_args", "will_continue")),
        *more,
        of=Call,
        before_write=write_exact_arguments(f"{base}/args"),
    )


def _result(model: type[Struct], base: str) -> Table:
    wire, parts = f"{base}/response", f"{base}/parts"
    answer = _answer(wire)
    return Table(
        model,
        *(row(f"{base}/id", "id", _ID), row(f"{base}/name", "name", _NAMED, required=True, invent=default_tool_name)),
        row(wire, "data", Codec(_read_response(wire), from_context(answer), _place), required=True, invent=answer),
        row(parts, "content", _content(parts)),
        *(local(f"{base}/{key}") for key in ("willContinue", "will_continue", "scheduling")),
        of=Result,
        after_read=_settle(wire),
        shows_data=True,
    )


# formats

_OF_CALL: Final = frozenset(("id", "name", "args", "partialArgs", "willContinue", "partial_args", "will_continue"))
_OF_RESPONSE: Final = frozenset(("id", "name", "response", "parts", "scheduling", "willContinue", "will_continue"))


_IS_BARE_CALL: Final = has(name=str, only=_OF_CALL)
_IS_BARE_RESPONSE: Final = has("name", response=dict, only=_OF_RESPONSE)


def _surely_bare_response(document: JsonObject) -> bool:
    """A declaration says under the same key what a function will give back: a schema."""
    kind = document["response"].get("type") if _IS_BARE_RESPONSE(document) else None
    return _IS_BARE_RESPONSE(document) and not (isinstance(kind, str) and kind.upper() in _TYPES)


_TYPES: Final = frozenset(("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"))


CALLS: Final = (
    Shape(
        name="part",
        table=_call(FunctionCallPart, "/functionCall", row("/thoughtSignature", "signature")),
        matches=has(functionCall=dict),
    ),
    Shape(
        name="snake",
        table=_call(FunctionCallSnakePart, "/function_call", row("/thought_signature", "signature")),
        # OpenAI's older calls stand under the same key, with `arguments`.
        matches=has(function_call=has(without=("arguments",)), without=("role",)),
        written=False,
    ),
    Shape(
        name="bare",
        table=_call(FunctionCall, ""),
        matches=_IS_BARE_CALL,
        identifies=all_of(_IS_BARE_CALL, has(args=dict, without=("id",))),  # with an id it may be one of LangChain's
        written=False,
    ),
)

RESULTS: Final = (
    Shape(name="part", table=_result(FunctionResponsePart, "/functionResponse"), matches=has(functionResponse=dict)),
    Shape(
        name="snake",
        table=_result(FunctionResponseSnakePart, "/function_response"),
        matches=has(function_response=dict),
        written=False,
    ),
    Shape(
        name="bare",
        table=_result(FunctionResponse, ""),
        matches=_IS_BARE_RESPONSE,
        identifies=_surely_bare_response,
        written=False,
    ),
)
