"""Toolboxes and whatever programs hold: Python values as results, what nobody should send, and secrets."""

from __future__ import annotations

import copy
import dataclasses
import datetime as dt
import enum
import json
import math
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pydantic
import pytest

from conversion.test_secrets import CALLS, MARK, planted
from laws.toolbox import FILL, SPEAKERS, boxed, called, listed, spelled
from toolbridge import CallError, DocumentError, Toolbox, ToolbridgeError, convert, get_format
from toolbridge.data.types import JsonObject
from toolbridge.mapping.format import Format

TIDE: JsonObject = {
    "name": "tide",
    "description": "Tells the tide.",
    "inputSchema": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]},
}
MCP = get_format("mcp@2025-11-25")
EMS = {"port": "Ems"}
TEXT = json.dumps(EMS)


def taking(**properties: Any) -> JsonObject:
    return {"name": "t", "description": "d", "inputSchema": {"type": "object", "properties": properties}}


# values


class Weather(pydantic.BaseModel):
    """A model with a default, which is as much a part of it as the rest."""

    place: str
    unit: str = "C"
    day: dt.date = dt.date(2026, 11, 21)


@dataclasses.dataclass
class Point:
    x: int
    y: list[int]


class Colour(enum.Enum):
    RED = "red"


class Photo(pydantic.BaseModel):
    """A model with bytes that are no text, which pydantic refuses to write, and with a default."""

    name: str
    data: bytes = b"\xff\xfe"


class Rows(pydantic.BaseModel):
    """A model with values that can be read only once."""

    rows: Iterable[str]
    unit: str = "C"


DEEP: list[Any] = []
for _ in range(3000):
    DEEP = [DEEP]
LOOP: list[Any] = []
LOOP.append(LOOP)

VALUES: list[tuple[Any, str]] = [
    (Weather(place="Emden"), '{"place":"Emden","unit":"C","day":"2026-11-21"}'),
    ([Weather(place="Emden")], '[{"place":"Emden","unit":"C","day":"2026-11-21"}]'),
    (Point(1, [2]), '{"x":1,"y":[2]}'),
    (Colour.RED, "red"),
    ((1, "a"), '[1,"a"]'),
    ({1: 2}, '{"1":2}'),
    ({"day": dt.date(2026, 11, 21)}, '{"day":"2026-11-21"}'),
    ({"message": "sent"}, '{"message":"sent"}'),
    ({"error": "x"}, '{"error":"x"}'),
    ({"success": True, "value": 5}, '{"success":true,"value":5}'),
    ({"result": [1]}, '{"result":[1]}'),
    (True, "true"),
    ("", ""),
]


@pytest.mark.parametrize(("value", "text"), VALUES, ids=repr)
def test_python_values_are_told_whole(value: Any, text: str) -> None:
    block = {"id": "c", "type": "function", "function": {"name": "tide", "arguments": TEXT}}
    assert Toolbox([TIDE], to="openai").reply(value, to=block)["content"] == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"rows": map(str, [1, 2])}, '{"rows":["1","2"]}'),
        (Rows(rows=map(str, [1, 2])), '{"rows":["1","2"],"unit":"C"}'),
        ([Rows(rows=map(str, [1, 2]))], '[{"rows":["1","2"],"unit":"C"}]'),
    ],
    ids=["dict", "model", "list"],
)
def test_an_iterator_in_a_value_is_told_whole(value: Any, text: str) -> None:
    """It can be read only once: the model got an empty list."""
    block = {"id": "c", "type": "function", "function": {"name": "tide", "arguments": TEXT}}
    assert Toolbox([TIDE], to="openai").reply(value, to=block)["content"] == text


def test_arrays_are_told_whole() -> None:
    """Of a long one the model got the first and the last numbers, and of a number in a dict its text."""
    numpy = pytest.importorskip("numpy")
    block = {"id": "c", "type": "function", "function": {"name": "tide", "arguments": TEXT}}
    value = {"heights": numpy.arange(2000).reshape(2, 1000), "count": numpy.int64(2), "high": numpy.bool_(True)}
    reply = Toolbox([TIDE], to="openai").reply(value, to=block)
    whole = {"heights": [[*range(1000)], [*range(1000, 2000)]], "count": 2, "high": True}
    assert json.loads(reply["content"]) == whole


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"data": b"\xff\xfe"}, '{"data":"//4="}'),
        ([(memoryview(b"\xff\xfe"),)], '[["//4="]]'),
        (Photo(name="quay"), '{"name":"quay","data":"//4="}'),
        ({"photos": [Photo(name="quay")]}, '{"photos":[{"name":"quay","data":"//4="}]}'),
    ],
    ids=["dict", "list", "model", "models"],
)
def test_bytes_in_a_value_are_base64(value: Any, text: str) -> None:
    """The model got `_` for `/`; of a pydantic model the beginning of its repr, or nothing but what was set."""
    block = {"id": "c", "type": "function", "function": {"name": "tide", "arguments": TEXT}}
    assert Toolbox([TIDE], to="openai").reply(value, to=block)["content"] == text


ODD: list[Any] = [
    *(None, b"bytes", bytearray(b"bytes"), memoryview(b"bytes"), {1, 2}, frozenset((1,)), 10**400, range(3), object()),
    *(math.nan, -math.inf, {"a": math.nan}, [1j], "\ud800", {"a": "\ud800"}, {"\ud800": 1}, "\0", iter("ab"), int),
    *(ValueError("\ud800"), ValueError(), KeyError("a"), ExceptionGroup("g", [OSError(2, "x")])),
]


@pytest.mark.parametrize("value", ODD, ids=lambda value: type(value).__name__)
def test_no_value_is_too_odd_to_be_told(value: Any) -> None:
    for to in ("openai", "anthropic", "gemini", "arcade", "langchain", "bedrock"):
        form = get_format(to)
        box = Toolbox([TIDE], to=form, fill=FILL.get(form.family))
        (tool,) = listed(box.tools)
        reply = box.reply(value, to=spelled(form, called(form, tool), EMS))
        json.dumps(reply, allow_nan=False, ensure_ascii=False).encode()


class Node(pydantic.BaseModel):
    """An object that may refer to itself."""

    next: Any = None


NODE = Node()
NODE.next = NODE
BYTES = {"bytes": b"\xff"}
CYCLE = "contains itself, which JSON does not allow"
TOO_DEEP = "nested more than 255 levels deep"


@pytest.mark.parametrize(
    ("value", "place", "problem"),
    [
        (LOOP, "/0", CYCLE),
        ({"a/b": [BYTES, LOOP, BYTES]}, "/a~1b/1/0", CYCLE),
        ([NODE, b"\xff"], "", CYCLE),
        (DEEP, "", TOO_DEEP),
        ([object(), DEEP], "", TOO_DEEP),
    ],
    ids=["list", "inner", "model", "deep", "deep with an object"],
)
@pytest.mark.parametrize("source", [None, "python"])
def test_a_value_without_an_end_is_an_error(value: Any, place: str, problem: str, source: Any) -> None:
    """The model got the beginning of its repr, without most of it, and nobody was told."""
    block = {"id": "c", "type": "function", "function": {"name": "tide", "arguments": TEXT}}
    with pytest.raises(DocumentError) as error:
        Toolbox([TIDE], to="openai").reply(value, to=block, source=source)
    assert (error.value.pointer, error.value.problem) == (place, problem)


def test_a_value_that_is_there_twice_has_an_end() -> None:
    block = {"id": "c", "type": "function", "function": {"name": "tide", "arguments": TEXT}}
    content = Toolbox([TIDE], to="openai").reply([BYTES, BYTES], to=block)["content"]
    assert content == '[{"bytes":"/w=="},{"bytes":"/w=="}]'


# what nobody should send


@pytest.mark.parametrize("form", SPEAKERS, ids=lambda form: form.id)
def test_what_is_no_call_is_refused_in_words(form: Format) -> None:
    box = boxed([convert(TIDE, form, source=MCP, fill=FILL.get(form.family)).value], form, form)
    (tool,) = listed(box.tools)
    good = spelled(form, called(form, tool), EMS)
    assert not isinstance(box.calls(good)[0], CallError)
    odd: list[Any] = [None, 7, "", "text", b"", [], {}, [None], [[good]], {1: 2}, object(), LOOP, DEEP, math.nan]
    odd += [
        {**good, key: value} for key in good for value in (None, 7, "", [], {}, [[]], {"a": 1}, object(), "x" * 9999)
    ]
    for value in odd:
        for ask in (box.call, box.calls):
            with suppress(ToolbridgeError):
                ask(value)


def test_what_a_model_reads_of_its_error_is_short() -> None:
    box = Toolbox([TIDE], to="anthropic")
    for name, given in (("tide", {"port": ["x" * 100_000]}), ("x" * 100_000, {})):
        with pytest.raises(CallError) as caught:
            box.call({"type": "tool_use", "id": "a", "name": name, "input": given})
        assert len(str(caught.value)) < 2000


def test_arguments_said_twice_are_told() -> None:
    block = {
        "id": "c",
        "type": "function",
        "function": {"name": "tide", "arguments": '{"port": "Ems", "port": "Rhine"}'},
    }
    call = Toolbox([TIDE], to="openai").call(block)
    assert call.arguments == {"port": "Rhine"}
    assert "TB002" in call.report.counts()


def test_options_are_those_of_convert() -> None:
    with pytest.raises(ValueError, match="on_error"):
        Toolbox([TIDE], to="anthropic", on_error="ignore")  # type: ignore[arg-type]
    with pytest.raises(ToolbridgeError, match="is neither a JSON Pointer"):
        Toolbox([TIDE], to="anthropic", fill={"nowhere": 1})


def test_too_many_tools_are_told_whoever_they_are_from() -> None:
    many = {server: [{**TIDE, "name": f"{server}_{n}"} for n in range(100)] for server in ("north", "south")}
    assert Toolbox(many, to="openai").report.counts() == {"TB604": 1}


# the way home


def test_values_that_travelled_as_text_are_nobody_elses() -> None:
    box = Toolbox([taking(k={"enum": [{"a": [1]}, [2], 3]})], to="gemini@parameters")
    (tool,) = listed(box.tools)
    for text in tool["parameters"]["properties"]["k"]["enum"]:
        block = {"functionCall": {"name": "t", "args": {"k": text}}}
        first = box.call(block).arguments["k"]
        kept = copy.deepcopy(first)
        if isinstance(first, (dict, list)):
            first.clear()
        assert box.call(block).arguments["k"] == kept


def test_an_alternative_is_known_though_a_value_of_it_is_null() -> None:
    inner = {"n": {"type": ["string", "null"], "enum": ["x", None]}, "f": {"enum": [False]}}
    alternatives = [{"type": "object", "properties": inner, "required": ["n", "f"]}, {"type": "boolean"}]
    box = Toolbox([taking(k={"anyOf": alternatives})], to="gemini@parameters")
    for said in ("x", None):
        call = box.call({"functionCall": {"name": "t", "args": {"k": {"n": said, "f": "false"}}}})
        assert call.arguments == {"k": {"n": said, "f": False}}


@pytest.mark.parametrize("to", ["anthropic", "gemini", "mcp@2025-11-25"])
def test_a_tool_that_its_own_vendor_would_not_name_so_is_called_by_its_name(to: str) -> None:
    tool = {"type": "function", "function": {"name": "math.factorial", "parameters": {"type": "object"}}}
    box = Toolbox([tool], to=to)
    (name,) = box.names
    assert box.call(spelled(get_format(to), name, {}))["function"]["name"] == "math.factorial"


def test_names_outlive_a_new_version() -> None:
    def sms(version: str) -> JsonObject:
        schema = {"type": "object", "properties": {}}
        identity = {"id": f"Sms.Send@{version}", "name": "Sms_Send", "version": version}
        return {**identity, "description": "Sends.", "input_schema": {"parameters": schema}}

    box = Toolbox({"north": [sms("1.0.0")], "south": [sms("1.0.0")]}, to="anthropic")
    assert box.replace([sms("1.1.0")], server="north").names.keys() == box.names.keys()
    assert box.add([sms("1.1.0")], server="north").names.keys() == box.names.keys()


def test_a_toolbox_of_many_threads() -> None:
    tools = [{**taking(port={"type": "string"}, pier={"enum": [1, 2]}), "name": f"t{n}"} for n in range(50)]
    box = Toolbox(tools, to="gemini@parameters")

    def once(n: int) -> None:
        block = {"functionCall": {"name": f"t{n % 50}", "args": {"port": str(n), "pier": "2"}}}
        assert box.call(block).arguments == {"port": str(n), "pier": 2}
        said = box.reply({"content": [{"type": "text", "text": str(n)}]}, to=block)
        assert said["functionResponse"]["response"] == {"output": str(n)}
        with pytest.raises(CallError, match="/port"):
            box.call({"functionCall": {"name": f"t{n % 50}", "args": {"port": n}}})
        if n % 40 == 0:
            assert len(box.add([TIDE], server=str(n))) == 51
            assert len(box.tools[0]["functionDeclarations"]) == len(box.names) == 50
            assert box.report.counts()

    with ThreadPoolExecutor(8) as pool:
        assert len([*pool.map(once, range(400))]) == 400


# secrets


SENT: list[tuple[str, JsonObject]] = [
    ("mcp@2025-11-25", {"isError": True, "content": [{"type": "text", "text": "Busy"}]}),
    ("arcade", {"call_id": "x", "success": False, "error": {"message": "Busy", "developer_message": planted("dev")}}),
    ("arcade", {"result": {"call_id": "x", "success": False, "error": {"message": "Busy", "x": planted("more")}}}),
    ("arcade", {"message": "Busy", "developer_message": planted("dev")}),
    ("arcade", {"message": "Busy", "parameter_errors": {}, "developer_message": planted("dev")}),
]


@pytest.mark.parametrize("a", [form for form in SPEAKERS if not form.id.startswith("arcade")], ids=lambda form: form.id)
def test_secrets_of_a_call_stay_with_who_made_it(a: Format) -> None:
    given = {key: {"type": "string"} for key in ("to", "text")}
    tool = convert({**taking(**given), "name": "Send"}, a, source=MCP).value
    for to, block in CALLS:
        form = get_format(to)
        fill = {**FILL[form.family], "toolkit": "Sms"}
        box = Toolbox([tool], to=form, source=a, fill=fill)
        (call,) = box.calls(block)
        assert not isinstance(call, CallError), call
        reply = box.reply(ValueError("Busy"), to=call)
        told = [dict(call), list(call.report), call.arguments, dict(reply), list(reply.report), repr(call)]
        assert MARK not in json.dumps(told)
        (error,) = Toolbox([], to=form).calls(block)
        assert MARK not in str(error) + repr(error)


@pytest.mark.parametrize("b", [form for form in SPEAKERS if not form.id.startswith("arcade")], ids=lambda form: form.id)
@pytest.mark.parametrize(("source", "result"), SENT)
def test_what_is_for_developers_is_not_for_models(b: Format, source: str, result: JsonObject) -> None:
    box = Toolbox([TIDE], to=b, source=MCP)
    (tool,) = listed(box.tools)
    for said in (source, None):
        reply = box.reply(result, to=spelled(b, called(b, tool), EMS), source=said)
        assert "Busy" in json.dumps(reply)
        assert MARK not in json.dumps([dict(reply), list(reply.report)])


class Sessionless:
    """An object whose attributes and texts raise, as those of an ORM without a session do."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __repr__


class Speechless(Exception):  # noqa: N818
    def __str__(self) -> str:
        raise ValueError


def test_values_and_exceptions_that_cannot_be_written() -> None:
    box = Toolbox([{"name": "now", "inputSchema": {"type": "object"}}], to="openai@chat")
    call = {"id": "call_1", "type": "function", "function": {"name": "now", "arguments": "{}"}}
    assert box.reply(Speechless(), to=call)["content"] == "Error: Speechless"
    for value in (Sessionless(), [Sessionless()], {"a": Sessionless()}):
        assert "Sessionless" in box.reply(value, to=call)["content"]


def test_no_servers() -> None:
    """They were an object that is no tool, and an empty toolbox if given as `servers`."""
    for box in (Toolbox({}, to="openai"), Toolbox(servers={}, to="openai")):
        assert box.tools == []


@pytest.mark.parametrize("name", ["function", "toolSpec", "name", "type", "exports", "jsonrpc", "openapi"])
def test_a_server_with_the_name_of_a_member(name: str) -> None:
    for tools in ([TIDE], {"tools": [TIDE]}):
        assert Toolbox({name: tools}, to="openai").names == {"tide": (name, "tide")}
