"""Calls of Gemini's models and their results: parts of messages, or what these hold, as the Live API has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET, Struct

from ...answers import one_text
from ...arguments import AS_OBJECT, identified, no_name
from ...blocks import Blocks, as_text, repeating, said
from ...forms import Form
from ...hub import Call, Json, JsonObject, Result, is_list, is_object
from ...naming import named
from ...reading import Reading, Writing
from ...row import Row, Via, local, row
from ...table import Invent, Table
from .media import PARTS, is_media, kind_of
from .messages import (
    FunctionCall,
    FunctionCallPart,
    FunctionCallSnakePart,
    FunctionResponse,
    FunctionResponsePart,
    FunctionResponseSnakePart,
)
from .values import RULE

# models

# values


# results


def _read_response(wire: str) -> Callable[[JsonObject, Reading], Any]:
    """What a function gave back: what stands under `output`, or why it failed under `error`; else all of it.

    google-genai 3.4.0, types.FunctionResponse.response, checked 2026-11-21.
    """

    def read(value: JsonObject, reading: Reading) -> Any:
        if not value:
            reading.keep(wire, value)
            return UNSET
        failed = _failed(value)
        if not _is_wrapper(value):
            if failed:
                reading.fields["failed"] = True
                reading.places["failed"] = f"{wire}/error"
                reading.borrowed.add("failed")
            return value
        if not failed and "error" in value:
            reading.keep(f"{wire}/error", value["error"])
        output = value.get("output", UNSET)
        if failed:
            error = value["error"]
            reading.fields["failed"] = True
            reading.places["failed"] = f"{wire}/error"
            reading.borrowed.add("failed")
            if isinstance(error, str) or output is not UNSET:
                reading.fields["problem.message"] = as_text(error)
                reading.places["problem.message"] = f"{wire}/error"
                reading.borrowed.add("problem.message")
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


def _place(sub: str, raw: JsonObject | None, _: Reading) -> str:
    """A place in the data, in the response."""
    if not is_object(raw) or not _is_wrapper(raw):
        return sub
    if "output" in raw:
        return f"/output{sub}"
    return f"/error{sub}" if _failed(raw) else sub


def _settle(wire: str) -> Callable[[Reading], None]:
    """What puts the text that a function gave back before the media that stand beside it."""

    def settle(reading: Reading) -> None:
        response = reading.raw.get(wire)
        if is_object(response) and _is_wrapper(response) and isinstance(response.get("output"), str):
            text = said(response["output"], f"{wire}/output")
            reading.fields["content"] = [text, *reading.fields.get("content", ())]
            reading.places["content"] = text.base

    return settle


def _read_parts(known: Blocks, wire: str) -> Callable[[list[Json], Reading], Any]:
    def read(value: list[Json], reading: Reading) -> Any:
        if not value:
            reading.keep(wire, value)
            return UNSET
        content = known.read(value, reading, wire)
        for block in content:
            if block.fields["kind"] != "other":
                block.fields["kind"] = kind_of(block.fields.get("mime"))
        return content

    return read


def _write_parts(known: Blocks, wire: str) -> Callable[[list[Reading], Writing], Any]:
    """What stands beside the response, which has told everything else."""

    def write(value: list[Reading], w: Writing) -> Any:
        return known.write([block for block in value if is_media(block)], w, wire) or UNSET

    return write


def _answer(wire: str) -> Invent:
    """What tells a result, but for its media: an object with its output, or why it failed.

    There is one output and one reason: data where nothing else is told, text otherwise.
    """

    def answer(w: Writing) -> JsonObject:
        failed = w.fields.get("failed") is True
        there = f"{wire}/{'error' if failed else 'output'}"
        value = _data(w, there)
        content = [block for block in _without(value, w) if not is_media(block)]
        text: Any = UNSET
        if content or any(w.fields.get(path) for path in ("problem.message", "problem.prompt")):
            if value is not UNSET and not failed:
                content.append(said(as_text(value), w.source("data")))
                w.note_at("TB703", w.source("data"), there)
            fields = {path: inner for path, inner in w.fields.items() if path != "data"}
            w.fields = {**fields, "content": content}
            text = one_text(w, there)
        if not failed:
            output = value if text is UNSET else text
            return {} if output is UNSET else {"output": output}
        w.say("failed")
        return _error(text, value, content, w, there)

    return answer


def _error(text: Any, value: Json, content: list[Reading], w: Writing, there: str) -> JsonObject:
    """Why a function failed: in words, or by its data, and its data beside words."""
    if text:
        return {"error": text} if value is UNSET else {"error": text, "output": value}
    for block in content:
        w.note_at("TB101", block.base, None)
    if value is not UNSET and value:
        return {"error": value}
    w.note_at("TB401", w.source("failed"), there)
    return {"error": "Error"} if value is UNSET else {"error": "Error", "output": value}


def _data(w: Writing, there: str) -> Any:
    """The data of a result. An object that refers to another is told as text.

    The service takes `$ref` for the name of one of the parts, wherever it stands: "The referenced name `...` in
    function_response.response does not match to a display_name" (twentyhq/twenty#21712, 2026-06-17).
    """
    value = w.fields.get("data", UNSET)
    if not _refers(value):
        return value
    w.note_at("TB703", w.source("data"), there)
    return as_text(value)


def _refers(value: Json) -> bool:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if is_object(each):
            if "$ref" in each:
                return True
            waiting += each.values()
        elif is_list(each):
            waiting += each
    return False


def _without(value: Json, w: Writing) -> list[Reading]:
    """The content of a result without texts that only repeat its data."""
    kept: list[Reading] = []
    content: list[Reading] = w.fields.get("content", [])
    same = set[int]() if value is UNSET else {id(block) for block in repeating(content, value)}
    for block in content:
        if id(block) in same:
            w.note_at("TB101", block.base, None)
        else:
            kept.append(block)
    return kept


# tables


_NAMED = named(RULE)
_ID = identified()


def _call(model: type[Struct], base: str, *more: Row) -> Table:
    return Table(
        model,
        *(row(f"{base}/id", "id", _ID), row(f"{base}/name", "name", _NAMED, must=True)),
        *(row(f"{base}/args", "arguments", AS_OBJECT), local(f"{base}/partialArgs"), local(f"{base}/willContinue")),
        *more,
        of=Call,
    )


def _result(model: type[Struct], base: str) -> Table:
    known, wire, parts = Blocks("gemini", *PARTS), f"{base}/response", f"{base}/parts"
    answer = _answer(wire)

    def write(_: Json, w: Writing) -> JsonObject:
        return answer(w)

    return Table(
        model,
        *(row(f"{base}/id", "id", _ID), row(f"{base}/name", "name", _NAMED, must=True)),
        row(wire, "data", Via(_read_response(wire), write, _place), must=True),
        row(parts, "content", Via(_read_parts(known, parts), _write_parts(known, parts))),
        *(local(f"{base}/willContinue"), local(f"{base}/scheduling")),
        of=Result,
        settle=_settle(wire),
        invent={f"{base}/name": no_name, wire: answer},
    )


# formats

_OF_CALL: Final = frozenset(("id", "name", "args", "partialArgs", "willContinue", "partial_args", "will_continue"))
_OF_RESPONSE: Final = frozenset(("id", "name", "response", "parts", "scheduling", "willContinue", "will_continue"))


def _has(key: str) -> Callable[[JsonObject], bool]:
    return lambda document: is_object(document.get(key))


def _is_snake_call(document: JsonObject) -> bool:
    """OpenAI's older calls stand under the same key, with `arguments`."""
    call = document.get("function_call")
    return is_object(call) and "arguments" not in call and "role" not in document


def _is_bare_call(document: JsonObject) -> bool:
    return isinstance(document.get("name"), str) and document.keys() <= _OF_CALL


def _surely_bare_call(document: JsonObject) -> bool:
    """With an id it may be one of LangChain's."""
    return _is_bare_call(document) and is_object(document.get("args")) and "id" not in document


def _is_bare_response(document: JsonObject) -> bool:
    return "name" in document and is_object(document.get("response")) and document.keys() <= _OF_RESPONSE


def _surely_bare_response(document: JsonObject) -> bool:
    """A declaration says under the same key what a function will give back: a schema."""
    kind = document["response"].get("type") if _is_bare_response(document) else None
    return _is_bare_response(document) and not (isinstance(kind, str) and kind.upper() in _TYPES)


_TYPES: Final = frozenset(("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"))


CALLS: Final = (
    Form(
        name="part",
        table=_call(FunctionCallPart, "/functionCall", local("/thoughtSignature")),
        tell=_has("functionCall"),
    ),
    Form(
        name="snake",
        table=_call(FunctionCallSnakePart, "/function_call", local("/thought_signature")),
        tell=_is_snake_call,
        written=False,
    ),
    Form(
        name="bare",
        table=_call(FunctionCall, ""),
        tell=_is_bare_call,
        sure=_surely_bare_call,
        written=False,
    ),
)
RESULTS: Final = (
    Form(name="part", table=_result(FunctionResponsePart, "/functionResponse"), tell=_has("functionResponse")),
    Form(
        name="snake",
        table=_result(FunctionResponseSnakePart, "/function_response"),
        tell=_has("function_response"),
        written=False,
    ),
    Form(
        name="bare",
        table=_result(FunctionResponse, ""),
        tell=_is_bare_response,
        sure=_surely_bare_response,
        written=False,
    ),
)
# The last is a message of the Live API.
