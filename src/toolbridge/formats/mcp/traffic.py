"""Calls of MCP tools and their results, by edition: bare as a client's library takes them, or as JSON-RPC messages."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Literal

from msgspec import Struct, defstruct

from ... import pointer as at
from ...answers import object_only, shown
from ...arguments import AS_OBJECT, an_id
from ...blocks import Blocks, blocks_at
from ...forms import Form
from ...hub import Call, Json, JsonObject, Result, is_list, is_object
from ...reading import Reading, Writing
from ...row import Row, Via, local, mark, row
from ...table import Invent, Table
from ...wire import Wire
from .contents import BLOCKS, BLOCKS_2024_11_05, BLOCKS_2025_03_26, META
from .messages import (
    AnyCallParams,
    AnyCallResult,
    CallParams,
    CallParams20251125,
    CallParams20260728,
    CallRequest,
    CallRequest20251125,
    CallRequest20260728,
    CallResult,
    CallResult20250618,
    CallResult20260728,
    ErrorResponse,
    NumberedErrorResponse,
    TaskResult,
    UnfinishedResult,
)

# models

# values

_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
_OF_2026_07_28: Final = (_VERSION, "io.modelcontextprotocol/clientInfo", _CAPABILITIES)

_ARCADE: Final = {
    "problem.kind": "errorKind",
    "problem.can_retry": "canRetry",
    "problem.prompt": "additionalPromptContent",
    "problem.retry_after_ms": "retryAfterMs",
    "problem.status": "statusCode",
}
"""What Arcade's own MCP servers say of an error under `_meta.arcade` (arcade_mcp_server/convert.py at 597deba)."""


def _same(value: Any, _: Reading) -> Any:
    return value


def _as_it_is(value: Any, _: Writing) -> Any:
    return value


def _write_meta(value: JsonObject, w: Writing) -> JsonObject:
    """Without what later editions say of the protocol in every message."""
    for key in _OF_2026_07_28:
        if key in value:
            w.note("TB101", "/" + at.escape(key), None)
            value = {name: inner for name, inner in value.items() if name != key}
    return value


def _write_meta_2026_07_28(value: JsonObject, w: Writing) -> JsonObject:
    needed: JsonObject = {_VERSION: "2026-07-28", _CAPABILITIES: {}}
    for key, inner in needed.items():
        if key not in value:
            w.note("TB401", "", "/" + at.escape(key))
            value = {**value, key: inner}
    return value


def _no_meta(w: Writing) -> JsonObject:
    wire = w.row.wire if w.row is not None else None
    w.note_at("TB401", "", wire)
    return {_VERSION: "2026-07-28", _CAPABILITIES: {}}


def _read_meta_of_result(value: JsonObject, reading: Reading) -> JsonObject:
    """Also what Arcade's servers say of an error; it stays where it is."""
    arcade = value.get("arcade")
    if is_object(arcade):
        wire = "/result/_meta" if "/result/_meta" in reading.raw else "/_meta"
        for path, key in _ARCADE.items():
            if key in arcade and path not in reading.fields:
                reading.fields[path] = arcade[key]
                reading.places[path] = f"{wire}/arcade/{key}"
                reading.borrowed.add(path)
    return value


def _write_failed(base: str) -> Callable[[bool, Writing], bool]:
    def write(value: bool, w: Writing) -> bool:
        if value:
            for path, key in _ARCADE.items():
                if path in w.fields and path not in w.reading.borrowed:
                    w.put(f"{base}/_meta/arcade/{key}", w.fields[path])
                    w.say(path)
        return value

    return write


def _content(base: str, blocks: Blocks, data: Callable[[Json], bool]) -> Callable[[Writing], list[JsonObject]]:
    """The content of a result; `data` tells what can stand beside it as `structuredContent`."""

    def write(w: Writing) -> list[JsonObject]:
        wire = f"{base}/content"
        kept = "data" in w.fields and data(w.fields["data"])
        return blocks.write(shown(w, wire, data=kept), w, wire)

    return write


def _never(_: Json) -> bool:
    return False


def _always(_: Json) -> bool:
    return True


# tables

_RPC = mark("/jsonrpc", "2.0")
_ID = row("/id", "id", must=True)
_REQUEST = (_RPC, _ID, mark("/method", "tools/call"))


class _Calls:
    """The rows of calls whose parameters stand at `base`. Those that editions share are the same in all of them."""

    def __init__(self, base: str) -> None:
        head = (row(f"{base}/name", "name", must=True), row(f"{base}/arguments", "arguments", AS_OBJECT))
        self.early = (*head, row(f"{base}/_meta", "meta", Via(_same, _write_meta)))
        self.of_2025_11_25 = (*self.early, local(f"{base}/task"))
        self.of_2026_07_28 = (
            *(*head, row(f"{base}/_meta", "meta", Via(_same, _write_meta_2026_07_28), must=True)),
            *(local(f"{base}/inputResponses"), local(f"{base}/requestState")),
        )


def _result(base: str, blocks: Blocks, data: Callable[[Json], bool]) -> tuple[tuple[Row, ...], dict[str, Invent]]:
    """The rows of a result at `base`; `data` tells what can be its data."""
    write = _content(base, blocks, data)
    rows = [blocks_at(blocks, f"{base}/content", write)]
    if data is not _never:
        via = None if data is _always else Via(_same, object_only)
        rows.append(row(f"{base}/structuredContent", "data", via, nullable=data is _always))
    rows.append(row(f"{base}/_meta", "meta", Via(_read_meta_of_result, _as_it_is)))
    rows.append(row(f"{base}/isError", "failed", Via(_same, _write_failed(base))))
    return tuple(rows), {f"{base}/content": write}


class _Results:
    """The tables of results at `base`, by edition."""

    def __init__(self, base: str, *around: Row) -> None:
        self.base = base
        self.around = around

    def table(self, model: type[Struct], blocks: Blocks, data: Callable[[Json], bool]) -> Table:
        rows, invent = _result(self.base, blocks, data)
        if data is _always:
            rows = (mark(f"{self.base}/resultType", "complete"), *rows)
        reads = AnyCallResult if model is CallResult20260728 else model
        return _table(
            _around(model, self.base),
            *self.around,
            *rows,
            of=Result,
            invent=invent,
            reads=_around(reads, self.base),
        )


@cache
def _around(model: type[Struct], base: str) -> type[Struct]:
    """The JSON-RPC response with this result; without a base, the result itself."""
    if not base:
        return model
    name = model.__name__.replace("CallResult", "CallResponse")
    return defstruct(name, [("jsonrpc", Literal["2.0"]), ("id", str | int), ("result", model)], bases=(Wire,))


def _table(model: type[Struct], *rows: Row, invent: dict[str, Invent] | None = None, **more: Any) -> Table:
    return Table(model, *rows, invent={"/id": an_id(), **(invent or {})}, **more)


def _is_params(document: JsonObject) -> bool:
    return "name" in document and document.keys().isdisjoint(("method", "params", "request"))


def _surely_params(document: JsonObject) -> bool:
    return (
        isinstance(document.get("name"), str)
        and is_object(document.get("arguments"))
        and document.keys() <= {"name", "arguments", "_meta", "task", "inputResponses", "requestState"}
    )


def _is_request(document: JsonObject) -> bool:
    return document.get("method") == "tools/call" and is_object(document.get("params")) and "jsonrpc" in document


def _is_result(document: JsonObject) -> bool:
    return "jsonrpc" not in document and ("content" in document or "structuredContent" in document)


def _surely_result(document: JsonObject) -> bool:
    content = document.get("content")
    blocks = is_list(content) and all(is_object(block) and "type" in block for block in content)
    return blocks and document.keys().isdisjoint(_NO_RESULT)


# What messages and results of vendors have, and the results of MCP have not.
_NO_RESULT = ("role", "type", "tool_call_id", "tool_use_id", "toolUseId", "jsonrpc", "call_id", "name", "stop_reason")


def _is_response(document: JsonObject) -> bool:
    result = document.get("result")
    return "jsonrpc" in document and is_object(result) and ("content" in result or "structuredContent" in result)


def _is_error(document: JsonObject) -> bool:
    return "jsonrpc" in document and is_object(document.get("error"))


def _is_task(document: JsonObject) -> bool:
    task = document.get("task")
    return is_object(task) and "taskId" in task and document.keys() <= {"task", "_meta"}


def _is_unfinished(document: JsonObject) -> bool:
    return document.get("resultType") in ("input_required", "task") and "jsonrpc" not in document


def _settle_error(reading: Reading) -> None:
    """An error of the protocol is a failure."""
    reading.fields["failed"] = True
    reading.places["failed"] = "/error"
    reading.borrowed.add("failed")


def _settle_unfinished(reading: Reading) -> None:
    """Who knows no unfinished results is told of them as of any data."""
    # The state is the server's own: no model reads it.
    reading.fields["data"] = {key: value for key, value in reading.document.items() if key not in _NO_DATA}
    reading.places["data"] = ""
    reading.borrowed.add("data")
    asks = reading.document["resultType"] == "input_required"
    _unfinished(reading, "the server asks for input first" if asks else "it runs as a task")


def _settle_task(reading: Reading) -> None:
    _unfinished(reading, "it runs as a task")


_NO_DATA = ("resultType", "requestState", "_meta")


def _unfinished(reading: Reading, why: str) -> None:
    """Who waits for a result has none, and should not take this for one."""
    reading.fields |= {"failed": True, "problem.message": f"The tool has not finished: {why}."}
    reading.places |= {"failed": "", "problem.message": ""}
    reading.borrowed |= {"failed", "problem.message"}


_BARE, _UNDER_PARAMS = _Calls(""), _Calls("/params")
_RESULTS, _RESPONSES = _Results(""), _Results("/result", _RPC, _ID)
_WRONG = (
    row("/error/message", "problem.message", must=True),
    *(local("/error/code", must=True, default=-32603), local("/error/data")),
)
_ERROR_2024_11_05 = _table(NumberedErrorResponse, _RPC, _ID, *_WRONG, of=Result, settle=_settle_error)
_ERROR = Table(ErrorResponse, _RPC, row("/id", "id"), *_WRONG, of=Result, settle=_settle_error)
_TASK = Table(TaskResult, row("/task", "data", must=True), META, of=Result, settle=_settle_task, unfinished=True)
_UNFINISHED = Table(
    UnfinishedResult,
    *(local("/resultType", must=True), local("/inputRequests"), local("/requestState"), local("/taskId")),
    *(local("/status"), META),
    of=Result,
    settle=_settle_unfinished,
    unfinished=True,
)

# formats


def _calls(bare: type[Struct], request: type[Struct], edition: str) -> tuple[Form, ...]:
    invent: dict[str, Invent] = {}
    if edition == "of_2026_07_28":
        invent = {"/_meta": _no_meta, "/params/_meta": _no_meta}
    own, inside = getattr(_BARE, edition), getattr(_UNDER_PARAMS, edition)
    return (
        Form(
            name="params",
            table=_table(bare, *own, of=Call, invent=invent, reads=AnyCallParams if invent else None),
            tell=_is_params,
            sure=_surely_params,
        ),
        Form(
            name="request",
            table=_table(request, *_REQUEST, *inside, of=Call, invent=invent),
            tell=_is_request,
            whole=True,
        ),
    )


def _results(
    model: type[Struct], blocks: Blocks, data: Callable[[Json], bool], *more: Form, error: Table = _ERROR_2024_11_05
) -> tuple[Form, ...]:
    return (
        Form(name="result", table=_RESULTS.table(model, blocks, data), tell=_is_result, sure=_surely_result),
        Form(name="response", table=_RESPONSES.table(model, blocks, data), tell=_is_response, whole=True),
        Form(name="error", table=error, tell=_is_error, whole=True, written=False),
        *more,
    )


CALLS_2024_11_05 = _calls(CallParams, CallRequest, "early")
CALLS_2025_11_25 = _calls(CallParams20251125, CallRequest20251125, "of_2025_11_25")
CALLS = _calls(CallParams20260728, CallRequest20260728, "of_2026_07_28")
RESULTS_2024_11_05 = _results(CallResult, BLOCKS_2024_11_05, _never)
RESULTS_2025_03_26 = _results(CallResult, BLOCKS_2025_03_26, _never)
RESULTS_2025_06_18 = _results(CallResult20250618, BLOCKS, is_object)
RESULTS_2025_11_25 = _results(
    CallResult20250618,
    BLOCKS,
    is_object,
    Form(name="task", table=_TASK, tell=_is_task, written=False),
    error=_ERROR,
)
RESULTS = _results(
    CallResult20260728,
    BLOCKS,
    _always,
    Form(name="unfinished", table=_UNFINISHED, tell=_is_unfinished, written=False),
    error=_ERROR,
)
