"""What the adapters share: no framework is needed for it."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from frameworks import FRAMEWORKS
from toolbridge import CallError, Toolbox
from toolbridge.adapters import Service, functions, in_parts, needed
from toolbridge.formats.registry import FORMATS
from toolbridge.mapping.format import Format
from toolbridge.toolbox.records import SourceCall

TOOL = {
    "name": "harbour.book-berth/v2",
    "description": "Books a berth.",
    "inputSchema": {
        "type": "object",
        "properties": {"ship": {"type": "string", "pattern": "^IMO"}, "pier": {"type": "integer", "enum": [1, 2]}},
        "required": ["ship"],
        "oneOf": [{"required": ["ship"]}, {"required": ["pier"]}],
    },
}
CALL = {"type": "tool_call", "id": "c1", "name": "harbour_book-berth_v2", "args": {"ship": "IMO 1"}}


def served(run: Any, to: str = "openai") -> Service:
    return Service([TOOL], run, to=to, otherwise="", messages="langchain")


def echo(call: SourceCall) -> Any:
    return {"structuredContent": dict(call), "content": []}


async def echo_later(call: SourceCall) -> Any:
    return echo(call)


def test_calls_and_replies_are_the_frameworks_whoever_the_vendor_is() -> None:
    for vendor in ("openai", "anthropic", "mistral"):
        reply = served(echo, vendor).answer(CALL)
        assert (reply["type"], reply["tool_call_id"]) == ("tool", "c1")
        assert reply["artifact"]["structured_content"] == {"name": TOOL["name"], "arguments": CALL["args"]}


def test_whatever_runs_the_calls() -> None:
    expected = served(echo).answer(CALL)
    for run in (echo, echo_later, functools.partial(echo_later), lambda call: echo_later(call) if call else None):
        assert asyncio.run(served(run).answered(CALL)) == expected
        assert served(run).answer(CALL) == expected


@pytest.mark.parametrize("to", ["openai", "anthropic"])
def test_a_tool_is_pickled_with_a_run_that_can_be(to: str) -> None:
    """The format of its messages is in no registry: the framework's processes did not get the tool."""
    (function,) = functions([TOOL], echo, to)
    again = pickle.loads(pickle.dumps(function))
    assert again.answer({"ship": "IMO 1"}, "c1") == function.answer({"ship": "IMO 1"}, "c1")
    assert (again.tool, again.origin) == (function.tool, function.origin)


def test_what_cannot_be_a_call() -> None:
    service = served(echo)
    for wrong, place in (({"ship": 1}, "/ship"), ({"ship": float("inf")}, "/ship")):
        with pytest.raises(CallError) as caught:
            service.call({**CALL, "args": wrong})
        assert caught.value.pointer == place
    assert service.reply(CallError("no"), CALL)["status"] == "error"


def test_a_call_that_fits_no_tool_becomes_a_failed_result_whatever_its_arguments_are() -> None:
    service = served(echo)
    for wrong in ({"ship": 1}, {"ship": float("inf")}, [1], 5, None, "{}"):
        block = {**CALL, "args": wrong}
        reply = service.result(block)
        assert (reply["status"], reply["tool_call_id"]) == ("error", "c1")
        assert asyncio.run(service.async_result(block)) == reply
    assert service.result(CALL) == service.answer(CALL)


@pytest.mark.parametrize(
    "target", [form for form in FORMATS if form.call and not form.reads_only], ids=lambda form: form.id
)
def test_schemas_are_shown_as_they_were_written(target: Format) -> None:
    box = Toolbox([TOOL], to=target, source="mcp")
    service = Service(box, echo, to=None, otherwise="", messages="langchain")
    (tool,) = service.shown()
    assert tool.schema["type"] == "object"
    assert tool.schema["properties"]["ship"]["type"] == "string"
    assert list(service.names) == [tool.name]
    written = json.dumps(box.tools)
    for keyword in ("oneOf", "pattern"):
        assert (f'"{keyword}"' in json.dumps(tool.schema)) == (f'"{keyword}"' in written)


@pytest.mark.parametrize("search", ["web_search", "web_search_preview"])
@pytest.mark.parametrize("first", [True, False])
def test_a_tool_that_the_vendor_runs_is_not_shown(search: str, *, first: bool) -> None:
    tide = {"type": "function", "name": "tide", "parameters": {"type": "object", "properties": {}}, "strict": False}
    tools = [{"type": search}, tide] if first else [tide, {"type": search}]
    box = Toolbox(tools, to="openai@responses", source="openai@responses")
    assert {"type": search} in box.tools
    service = Service(box, echo, to=None, otherwise="", messages="langchain")
    assert [(tool.name, tool.schema) for tool in service.shown()] == [("tide", tide["parameters"])]


@pytest.mark.parametrize("to", ["openai", "openai@responses"])
def test_a_tool_that_takes_one_text_is_a_function_of_the_framework(to: Any) -> None:
    """In its own API it stays as it is, and no tools could be shown."""
    custom = {"name": "sql", "format": {"type": "text"}}
    tool = {"type": "custom", "custom": custom} if to == "openai" else {"type": "custom", **custom}
    own = {"type": "function", "name": "now", "parameters": {"type": "object"}, "strict": None}
    box = Toolbox([tool, {"type": "function", "function": {"name": "now"}} if to == "openai" else own], to=to)
    service = Service(box, dict, to=None, otherwise="", messages="langchain")
    sql, now = service.shown()
    assert (sql.name, now.name, [*sql.schema["properties"]], sql.schema["required"]) == (
        "sql",
        "now",
        ["input"],
        ["input"],
    )
    call = service.call({"type": "tool_call", "id": "c1", "name": "sql", "args": {"input": "SELECT 1"}})
    assert (call["type"], call.arguments) == (box.call(call)["type"], {"input": "SELECT 1"})


def test_what_a_result_lost_is_told_to_the_log_in_numbers(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="toolbridge")
    secret = {"hush": "hush"}
    reply = served(lambda _: {"content": [], "structuredContent": secret, "_meta": secret, "hush": 1}).answer(CALL)
    assert "hush" in json.dumps(reply)
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("toolbridge", "INFO")
    assert record.getMessage() == f"losses in the result of a call: {reply.report.counts()}"
    assert "'TB102': 1" in record.getMessage()
    assert "hush" not in str(record.__dict__)


def test_nothing_is_told_to_the_log_where_nothing_is_lost(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="toolbridge")
    assert served(echo).answer(CALL).report.lossless
    assert not caplog.records


def test_the_text_beside_a_picture_does_not_repeat_it() -> None:
    picture = {"type": "image", "data": "iVBORw0KGgo0" * 20, "mimeType": "image/png"}
    said = {"content": [{"type": "text", "text": "Drawn."}, picture]}
    for data, told in (({"n": 3, "picture": picture["data"]}, '{"n":3,"picture":"[image/png, 180 bytes]"}'), ({}, "")):
        text, media = in_parts({**said, "structuredContent": data}, lambda block: block)
        assert text == "\n\n".join(filter(None, ("Drawn.", told)))
        assert media == [picture]


def test_a_toolbox_stays_what_it_is() -> None:
    box = Toolbox([TOOL], to="anthropic")
    Service(box, echo, to="anthropic", otherwise="", messages="langchain")
    assert box.call({"type": "tool_use", "id": "t", "name": CALL["name"], "input": CALL["args"]}).name == TOOL["name"]
    with pytest.raises(TypeError, match="these tools are for anthropic@messages: make another Toolbox for openai@chat"):
        Service(box, echo, to="openai", otherwise="", messages="langchain")


def test_only_a_missing_framework_is_excused() -> None:
    inside = ImportError("cannot import name 'a'", name="typing")
    assert needed(inside, "mcp", "mcp>=2.3") is inside
    assert str(needed(ImportError("no", name="mcp.server"), "mcp", "mcp>=2.3")).startswith("needs mcp>=2.3")


def test_no_framework_is_imported_before_it_is_wanted() -> None:
    script = "import sys, toolbridge, toolbridge.adapters\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    frameworks = {"agents", "anyio", "langchain_core", "mcp", "mcp_types", "pydantic", "pydantic_ai"}
    assert not frameworks & set(done.stdout.split())


ROOT = Path(__file__).parents[2]
ADAPTERS = {path.stem for path in (ROOT / "src/toolbridge/adapters").glob("*.py")} - {"__init__", "event_loop"}


def test_every_adapter_is_tested_and_documented() -> None:
    tested = {name.replace("-", "_") for name in FRAMEWORKS}
    assert not ADAPTERS - tested, "adapters without a row in FRAMEWORKS of tests/frameworks.py"
    reference = (ROOT / "docs/api/adapters.md").read_text(encoding="utf-8")
    missing = {each for each in ADAPTERS if f"::: toolbridge.adapters.{each}\n" not in reference}
    assert not missing, "adapters that docs/api/adapters.md does not name"
    page = (ROOT / "docs/frameworks.md").read_text(encoding="utf-8")
    missing = {each for each in ADAPTERS if not re.search(rf"toolbridge\.adapters(\.| import .*\b){each}\b", page)}
    assert not missing, "adapters without an example in docs/frameworks.md"
