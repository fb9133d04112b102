"""Results from whatever a tool returned: a result of some format, blocks of a library, a Python value."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from typing import Literal, cast

import msgspec
from msgspec import UNSET, UnsetType

from ..conversion.detect import misfit, misfit_of
from ..data import pointer as at
from ..data.from_python import jsonable, plain_data
from ..data.types import Json, JsonObject, is_list, is_object
from ..errors import DocumentError
from ..formats.format_names import FormatName
from ..formats.registry import detectable_formats, get_format
from ..losses.note import Note
from ..mapping.content import as_text, text_block
from ..mapping.format import Format, shape_of, shapes_of
from ..mapping.record import Record
from ..mapping.table import Table
from .python_names import is_content, result_with_protocol_keys


def to_result(
    result: object, source_format: Format | None, source: FormatName | Format | Literal["python"] | None
) -> Record:
    """The record of a result in any form. Raises DocumentError if it is not a result of its format.

    `source_format` is the format of the tool that it comes from, `source` the one that the caller states.
    """
    if isinstance(result, BaseException):
        return Record(None, "", {}, {"failed": True, "problem.message": clean(_said(result))})
    whole: Json | UnsetType = UNSET
    if source != "python":
        document = _plain(result)
        is_json = document is not None
        if not is_json and not isinstance(result, (str, bytes, bytearray)):
            whole = _whole(result)
            document = clean(whole)  # a result may hold NaN, or bytes, in its data
        document = _of_resource(result_with_protocol_keys(document))
        document = _of_pair(result, document) or document
        blocks = document if is_list(document) else [document]
        if blocks and all(map(is_content, blocks)):
            document = {"content": blocks}
        if is_object(document) and source is None and _is_output(document, result, source_format):
            return _of_output(document)
        if is_object(document):
            completed = _with_content(document)
            record = _record_of(completed, source_format, source)
            if record is not None:
                if completed is not document:
                    record.notes = [*record.notes, Note("TB001", "")]
                if not is_json:
                    record.notes = [*record.notes, Note("TB703", "")]
                return record
        if source is not None:
            raise DocumentError(f"not a result of {get_format(source).id}")
    record = _of_python(result, whole)
    if source != "python" and _has_failed(result):
        record.fields["failed"] = True
    return record


def _has_failed(result: object) -> bool:
    """Whether something that is no valid result says that it failed, as results of MCP say it."""
    todo: list[object] = [result]
    if isinstance(result, Mapping):
        todo.append(cast("Mapping[object, object]", result).get("result"))  # of a JSON-RPC response
    for each in todo:
        for name in ("isError", "is_error"):
            with suppress(Exception):  # an attribute that raises
                if isinstance(each, Mapping):
                    flag = cast("Mapping[object, object]", each).get(name)
                else:
                    flag = getattr(each, name, None)
                if flag is True:
                    return True
    return False


def _said(error: BaseException) -> str:
    """What an exception says, and what those in a group say; its type, if it cannot say it."""
    try:
        # What a KeyError says is no more than the key.
        text = repr(error) if isinstance(error, LookupError) or not str(error) else str(error)
    except Exception:  # noqa: BLE001 - exceptions of other packages
        return type(error).__name__
    if details := _details(error):
        text = f"{text}\n{as_text(details)}"
    if not isinstance(error, BaseExceptionGroup):
        return text
    group = cast("BaseExceptionGroup[BaseException]", error)
    return "; ".join([text, *map(_said, group.exceptions)])


def _details(error: BaseException) -> JsonObject:
    """The code and the data of an error of JSON-RPC; nothing for any other exception, and for a code without data.

    An exception of mcp has them in its `error` (McpError of mcp 1.30, MCPError of 2.3, checked 2026-11-27), those of
    other libraries for JSON-RPC have them themselves.
    """
    with suppress(Exception):  # an attribute that raises
        for each in (getattr(error, "error", None), error):
            code, data = getattr(each, "code", None), getattr(each, "data", None)
            if type(code) is int and data is not None:
                return cast("JsonObject", clean(_whole({"code": code, "data": data})))
    return {}


def _record_of(document: JsonObject, source_format: Format | None, source: FormatName | Format | None) -> Record | None:
    """The record of a document that is a result; None for any other."""
    if source is not None:
        stated = get_format(source)
        shape = shape_of(document, shapes_of(stated, "result"))
        return None if shape is None else shape.table.open(document, stated.family)
    if source_format is not None:
        for shape in source_format.result:
            if (shape.identifies or shape.matches)(document):
                with suppress(DocumentError):
                    record = shape.table.open(document, source_format.family)
                    if misfit_of(record, document, shape) in ((0, 0), (1, 0)):
                        return record
    own = () if source_format is None else (source_format.family,)
    for family in dict.fromkeys((*own, "mcp", "arcade", "arcade-engine")):
        fitting = [
            (misfit(document, shape, each), shape)
            for each in detectable_formats()
            if each.family == family
            for shape in each.result
            if (shape.identifies or shape.matches)(document)
        ]
        if fitting:
            (bad, _), shape = min(fitting, key=lambda guess: guess[0])
            if bad < 2:
                return shape.table.open(document, family)
    return None


def as_object(data: Json, *, unwrap: bool, wrap: bool) -> Json:
    """Data as it stands in an output schema that was taken out of `{"result": ...}`, or put into it."""
    if unwrap and is_object(data) and data.keys() == {"result"}:
        data = data["result"]
    return {"result": data} if wrap else data


def add_required(result: JsonObject, table: Table) -> None:
    """Add to a written result the words that its format requires, and that a result of a server may lack.

    `resultType` of MCP is read without one, and clients refuse a result without it.
    """
    for row in table.order:
        if row.hub is None and row.required and row.default is not UNSET and at.walk(result, row.tokens) is at.MISSING:
            at.put(result, row.wire, row.default)


def without_wrapping(meta: object) -> JsonObject | None:
    """The `_meta` of a result without the mark of FastMCP that its data is in `{"result": ...}`; None if it has none.

    A client of FastMCP takes the data out again (fastmcp 4.1, client/mixins/tools.py, checked 2026-11-29).
    """
    own = meta.get("fastmcp") if is_object(meta) else None
    if not is_object(meta) or not is_object(own) or "wrap_result" not in own:
        return None
    rest = {key: value for key, value in own.items() if key != "wrap_result"}
    return {**meta, "fastmcp": rest}


def _with_content(document: JsonObject) -> JsonObject:
    """A result of MCP with the content that it must have; servers that have nothing but data may leave it out."""
    known = {"content", "structuredContent", "isError", "_meta", "resultType"}
    marked = "structuredContent" in document or document.get("isError") is True
    if marked and document.get("content") is None and document.keys() <= known:
        return {**document, "content": []}
    return document


_IN_OUTPUT = {"value", "logs", "error", "requires_authorization"}


def _is_output(document: JsonObject, result: object, source_format: Format | None) -> bool:
    """Whether it is the ToolCallOutput of an Arcade tool without the response around it (arcade-core 4.23.0)."""
    if not document.keys() <= _IN_OUTPUT:
        return False
    error, challenge = document.get("error"), document.get("requires_authorization")
    is_output = (is_object(error) and {"message", "kind"} <= error.keys()) or (
        is_object(challenge) and "authorization_url" in challenge
    )
    own = source_format is not None and source_format.family == "arcade-engine" and "value" in document
    return is_output or own or type(result).__name__ == "ToolCallOutput"


def _of_output(output: JsonObject) -> Record:
    """Such an output as if the engine's response stood around it."""
    form = get_format("arcade-engine@4")
    failed = any(output.get(key) is not None for key in ("error", "requires_authorization"))
    response = {"execution_id": "", "finished_at": "", "duration": 0, "success": not failed}
    record = form.result[0].table.open({**response, "output": output}, form.family)
    record.borrowed |= {"id", "duration", "failed"}
    record.added |= {"/finished_at"}
    return record


def _of_pair(result: object, document: Json) -> Json:
    """The result that a pair of content and data is; None for anything else.

    Handlers of mcp 1 return such pairs, also `call_tool` of its FastMCP (1.30, checked 2026-11-29).
    """
    if not isinstance(result, tuple) or not is_list(document) or len(document) != 2:
        return None
    content, data = result_with_protocol_keys(document[0]), document[1]
    if is_object(data) and is_list(content) and content and all(map(is_content, content)):
        return {"content": content, "structuredContent": data}
    return None


_IN_CONTENTS = {"uri", "mimeType", "text", "blob", "_meta"}
_BESIDE_CONTENTS = {"contents", "_meta", "resultType", "ttlMs", "cacheScope"}


def _of_resource(document: Json) -> Json:
    """A ReadResourceResult of MCP, or its contents, as a result with a block for each; anything else as it is."""
    is_result = is_object(document) and document.keys() <= _BESIDE_CONTENTS
    contents = document.get("contents") if is_result else document
    if not is_list(contents) or not contents or not all(map(_is_contents, contents)):
        return document
    result = {key: value for key, value in document.items() if key != "contents"} if is_object(document) else {}
    return {**result, "content": [{"type": "resource", "resource": each} for each in contents]}


def _is_contents(each: Json) -> bool:
    """Whether it is what a resource of MCP holds: with an address, and text or data."""
    if not is_object(each) or not each.keys() <= _IN_CONTENTS or not isinstance(each.get("uri"), str):
        return False
    return isinstance(each.get("text"), str) or isinstance(each.get("blob"), str)


_OF_RESULTS = ("content", "structured_content", "is_error", "meta")


def _plain(value: object) -> Json:
    """Plain data where it can be had: dicts, models, results of FastMCP. Text is text here, not a document."""
    if isinstance(value, (str, bytes, bytearray)):
        return value
    try:
        if not hasattr(value, "model_dump") and all(hasattr(value, name) for name in _OF_RESULTS):
            # CallToolResult of fastmcp 2 to 4: a dataclass with the members of MCP, and the data once more.
            value = {name: getattr(value, name) for name in _OF_RESULTS}
        return plain_data(value)[0]
    except Exception:  # noqa: BLE001 - not JSON, or an attribute that raises: of an ORM without a session
        return None


def _of_python(value: object, whole: Json | UnsetType = UNSET) -> Record:
    """A Python value that a tool gave back: nothing for None, text for what is no data.

    `whole` is its JSON, if it was made already: an iterator can be read only once.
    """
    record = Record(None, "", {}, {})
    if isinstance(value, (bytes, bytearray)):
        from base64 import b64encode

        block = text_block("")
        block.fields = {"kind": "file", "data": b64encode(value).decode(), "mime": "application/octet-stream"}
        record.fields["content"] = [block]
        return record
    if value is None:
        return record
    if whole is UNSET:
        whole = _whole(value)
    record.fields["data"] = data = clean(whole)
    if _plain(value) is None or data != whole:
        # Not all of it is JSON: dates, sets, objects of other kinds are written in some other way.
        record.notes = [Note("TB703", "")]
    return record


def _whole(value: object) -> Json:
    """A value as JSON tells it, its defaults too; text where it is no data.

    Raises DocumentError if it contains itself or is nested too deeply: a text would lack most of it.
    """
    from reprlib import repr as brief

    def known(value: object) -> Json:
        # Objects that pydantic does not know, but we do.
        document = _plain(value)
        if document is None:
            # The text of an array of numpy or a tensor of torch lacks most of a long one.
            items = getattr(value, "tolist", None)
            document = jsonable(value if items is None else items(), inf_nan_mode="strings")
        return document

    try:
        return jsonable(value, inf_nan_mode="strings", fallback=known)
    except Exception as error:  # objects of other packages
        if (document := _plain(value)) is not None:
            return document
        if isinstance(error, DocumentError):
            raise
    try:
        return brief(value)
    except ValueError:  # an integer of more digits than Python writes
        return f"<{type(value).__name__}>"


def clean(value: Json) -> Json:
    """The same where JSON can hold it; numbers that it cannot hold as text, and a mark for halves of characters."""
    try:
        if b"null" not in msgspec.json.encode(value):
            return value
    except ValueError:  # half a character, or an integer of more digits than Python writes
        pass
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if isinstance(value, int) and value.bit_length() > _BITS:
        from decimal import Decimal

        return str(Decimal(value))
    if is_object(value):
        return {clean(name): clean(inner) for name, inner in value.items()}
    return [clean(inner) for inner in value] if is_list(value) else value


_BITS = 14_000
"""How long an integer may be that is written as a number: Python writes no more than 4,300 digits (3.11)."""
