"""Toolboxes over recorded traffic: calls that models made of tools that were recorded with them, and their results.

Each recorded request holds tools, and the calls made of them stand in its answer or in the messages of later requests.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from typing import NamedTuple

import pytest

from laws import toolbox as law
from laws.law import text
from laws.meaning import validator
from oracles import SHARED, WITHOUT
from toolbridge import CallError, DocumentError, Toolbox, convert, get_format
from toolbridge.data.equality import same
from toolbridge.data.pointer import get
from toolbridge.data.types import Json, JsonObject
from toolbridge.mapping.format import Format, shape_of
from toolbridge.schema.arguments import adapt_arguments
from toolbridge.toolbox.records import SourceCall
from vendors.messages import judges

pytestmark = pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)

MCP = get_format("mcp@2025-11-25")


def lines(name: str) -> list[tuple[str, Json]]:
    """The records of a file, each with where it came from."""
    file = SHARED / "corpus" / f"{name}.jsonl"
    texts = file.read_text(encoding="utf-8").splitlines()
    sources = file.with_suffix(".src").read_text(encoding="utf-8").splitlines()
    return [(source, json.loads(line)) for source, line in zip(sources, texts, strict=True)]


# traffic with models


class Vendor(NamedTuple):
    """Where requests and answers of a vendor keep tools, calls and results."""

    target: str
    files: str
    tools: str
    messages: str
    call: str
    """The key by which a call is told, and a result; each with its value, where that tells it."""
    result: str
    answers: tuple[str, ...]


VENDORS = (
    Vendor(
        *("openai@chat", "openai-chat", "/tools", "/messages", "function", "role=tool"),
        ("/choices/0/message/tool_calls",),
    ),
    Vendor(
        *("openai@responses", "openai-responses", "/tools", "/input"),
        *("type=function_call", "type=function_call_output", ("/output",)),
    ),
    Vendor(
        "anthropic@messages", "anthropic", "/tools", "/messages", "type=tool_use", "type=tool_result", ("/content",)
    ),
    Vendor(
        *("gemini@json-schema", "gemini", "/tools", "/contents", "functionCall", "functionResponse"),
        ("/candidates/0/content/parts",),
    ),
    Vendor(
        *("bedrock@converse", "bedrock", "/toolConfig/tools", "/messages", "toolUse", "toolResult"),
        ("/output/message/content",),
    ),
    Vendor("cohere@v2", "cohere", "/tools", "/messages", "function", "role=tool", ("/message/tool_calls",)),
)


class Recorded(NamedTuple):
    """What one request says: its tools, the calls made of them, and the results that were given."""

    source: str
    tools: list[JsonObject]
    calls: list[JsonObject]
    results: list[JsonObject]


@cache
def recorded(vendor: Vendor) -> tuple[Recorded, ...]:
    """All requests that hold tools and calls."""
    every: list[Recorded] = []
    for folder in ("pydantic-ai-cassettes", "openllmetry-cassettes"):
        if not (SHARED / "corpus" / folder / f"requests.{vendor.files}.jsonl").is_file():
            continue
        answers: dict[str, Json] = {}
        if (SHARED / "corpus" / folder / f"responses.{vendor.files}.jsonl").is_file():
            answers = dict(lines(f"{folder}/responses.{vendor.files}"))
        for source, request in lines(f"{folder}/requests.{vendor.files}"):
            tools = get(request, vendor.tools, [])
            if not isinstance(tools, list) or not _fits(get_format(vendor.target), tools):
                continue  # Mistral's requests were recorded among OpenAI's, and say less
            messages = get(request, vendor.messages, [])
            calls = [*_told(messages, vendor.call)]
            for place in vendor.answers:
                calls += _told(get(answers.get(source, {}), place, []), vendor.call)
            every.append(Recorded(source, tools, calls, [*_told(messages, vendor.result)]))
    return tuple(every)


def _fits(form: Format, tools: list[JsonObject]) -> bool:
    try:
        known(form, tools)
    except DocumentError:
        return False
    return True


def _told(value: Json, mark: str) -> Iterator[JsonObject]:
    """The objects within that have this mark, the outermost ones."""
    key, _, wanted = mark.partition("=")
    todo = [value]
    for node in todo:
        if isinstance(node, dict):
            if key in node and (node[key] == wanted if wanted else isinstance(node[key], dict)):
                yield node
            else:
                todo += node.values()
        elif isinstance(node, list):
            todo += node


def known(form: Format, tools: list[JsonObject]) -> dict[str, Json]:
    """What the tools of a request take, by their names. Tools that the vendor runs itself are none of ours."""
    found: dict[str, Json] = {}
    for tool in law.listed(tools):
        if form.hosted is None or not form.hosted(tool):
            fields = form.tool.open(json.loads(json.dumps(tool)), form.family).fields
            found[fields["name"]] = fields.get("input")
    return found


def outcome(box: Toolbox, block: JsonObject, schema: Json, arguments: JsonObject) -> SourceCall | None:
    """What came of a call; None where it was refused, as it has to be where the tool's own schema refuses it."""
    accepts = None if schema is None else validator(schema)
    fine = accepts is None or accepts(arguments)
    (call,) = box.calls(block)
    if isinstance(call, CallError):
        assert not fine, f"{text(block)}: {call}"
        return None
    assert fine, f"{text(block)} should have been refused"
    assert call.checked == (accepts is not None)
    assert same(call.arguments, arguments), f"{text(block)} is {text(call)}"
    return call


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.target)
def test_recorded_calls_reach_the_recorded_tools(vendor: Vendor) -> None:
    form = get_format(vendor.target)
    reached = 0
    for request in recorded(vendor):
        takes = known(form, request.tools)
        box = Toolbox(request.tools, to=form, source=form)
        assert {own for _, own in box.names.values()} == takes.keys()
        for block in request.calls:
            name, arguments = law.asked(form, block)
            if name not in takes:
                words = r"no tool called|not a call|expected one call, found 0"
                with pytest.raises((CallError, DocumentError), match=words):
                    box.call(block)
                continue
            call = outcome(box, block, takes[name], arguments)
            if call is not None:
                assert law.asked(form, call) == (name, arguments)
                assert call.name == name
                reached += 1
    assert reached > 10


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.target)
def test_recorded_tools_are_given_back_as_they_are(vendor: Vendor) -> None:
    form = get_format(vendor.target)
    for request in recorded(vendor):
        box = Toolbox(request.tools, to=form, source=form)
        given = [*law.listed(box.tools)]
        missing = [tool for tool in law.listed(request.tools) if not any(same(tool, each) for each in given)]
        assert len(given) + len(missing) == len([*law.listed(request.tools)]), request.source
        # What the vendor runs itself may be left out, if somebody says so.
        assert [loss.code for loss in box.report] == ["TB105"] * len(missing), f"{request.source}: {text(missing)}"


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.target)
def test_recorded_calls_reach_the_same_tools_of_a_server(vendor: Vendor) -> None:
    """The recorded tools as a server of the Model Context Protocol would have them, given to the same vendor."""
    family = get_format(vendor.target).family
    reached = 0
    for index, request in enumerate(recorded(vendor)):
        source = get_format(vendor.target)
        tools = convert(request.tools, MCP, source=source, on_error="skip").value
        editions = [form for form in law.SPEAKERS if form.family == family]
        form = editions[index % len(editions)]
        box = Toolbox(tools, to=form, source=MCP)
        ways = dict(zip(box.names, convert(tools, form, source=MCP).argument_maps, strict=True))
        names = {own: called for called, (_, own) in box.names.items()}
        takes = {tool["name"]: tool["inputSchema"] for tool in tools}
        for block in request.calls:
            name, arguments = law.asked(source, block)
            if name not in names:
                continue
            again = law.spelled(form, names[name], adapt_arguments(arguments, ways[names[name]]))
            call = outcome(box, again, takes[name], arguments)
            if call is not None:
                assert call == {"name": name, "arguments": arguments}
                reached += 1
    assert reached > 10


IDS = ("id", "call_id", "tool_call_id", "tool_use_id", "toolUseId")


def pairs(request: Recorded) -> Iterator[tuple[JsonObject, JsonObject]]:
    """The recorded results with the calls that they answer, by the ids of both."""
    calls = {each: call for call in request.calls for each in _ids(call)}
    for result in request.results:
        call = next((calls[each] for each in _ids(result) if each in calls), None)
        if call is not None:
            yield call, result


def _ids(document: JsonObject) -> Iterator[str]:
    for node in (document, *(value for value in document.values() if isinstance(value, dict))):
        yield from (node[key] for key in IDS if isinstance(node.get(key), str))


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.target)
def test_recorded_results_answer_their_calls(vendor: Vendor) -> None:
    form = get_format(vendor.target)
    answered = 0
    for request in recorded(vendor):
        takes = known(form, request.tools)
        box = Toolbox(request.tools, to=form, source=form)
        for call, result in pairs(request):
            if law.asked(form, call)[0] not in takes:
                continue
            reply = box.reply(result, to=call)
            assert same(dict(reply), result), f"{text(result)} is {text(reply)}"
            served = convert(result, MCP, source=form, kind="result").value
            again = json.loads(json.dumps(box.reply(served, to=call, source=MCP)))
            assert not list(_unsaid(served, again)), f"{text(result)} is {text(again)}"
            assert [problem for judge in judges(form.id, "result") if (problem := judge(again))] == []
            answered += 1
    assert answered > 5


def _unsaid(result: JsonObject, reply: JsonObject) -> Iterator[str]:
    """The texts of an MCP result that its reply does not say."""
    said = [*_strings(reply)]
    whole = "\n".join(said)
    values = [reply, *_within(reply)]
    for block in result.get("content", ()):
        told = block.get("text", block.get("data"))
        if told is not None and told not in whole and not _is_among(told, values):
            yield told


def _within(value: Json) -> Iterator[Json]:
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield inner
        yield from _within(inner)


def _strings(value: Json) -> Iterator[str]:
    yield from (inner for inner in _within(value) if isinstance(inner, str))


def _is_among(told: str, values: list[Json]) -> bool:
    """Whether a text says one of these values."""
    try:
        value = json.loads(told)
    except ValueError:
        return False
    return any(same(value, each) for each in values)


# traffic with servers


class Called(NamedTuple):
    """One call of a server's tool, as a client sent it."""

    server: str
    name: str
    arguments: JsonObject


@cache
def servers() -> dict[str, list[JsonObject]]:
    """Real servers and all their tools."""
    found: dict[str, list[JsonObject]] = {}
    for source, tool in lines("livemcpbench/tools.mcp"):
        found.setdefault(source.rpartition("#")[2].split("/")[3], []).append(tool)
    for source, tool in lines("mcp-captured-open/tools.mcp"):
        found.setdefault(source.split()[0], []).append(tool)
    return found


@cache
def clients() -> tuple[Called, ...]:
    """The recorded calls of tools that are known."""
    sent = [(source.partition("server=")[2], call) for source, call in lines("livemcpbench/calls.mcp")]
    sent += [(source.split()[0], call) for source, call in lines("mcp-captured-open/calls.mcp")]
    tools = {(server, tool["name"]) for server, each in servers().items() for tool in each}
    return tuple(
        Called(server, call["name"], call.get("arguments", {}))
        for server, call in sent
        if (server, call["name"]) in tools
    )


def some(form: Format) -> tuple[dict[str, list[JsonObject]], list[Called]]:
    """The servers for a format with their calls: an eighth of them, or all."""
    chosen = [*servers()]
    if os.environ.get("CORPUS") != "all":
        chosen = chosen[law.SPEAKERS.index(form) % 8 :: 8]
    return {server: servers()[server] for server in chosen}, [call for call in clients() if call.server in chosen]


@pytest.mark.parametrize("form", law.SPEAKERS, ids=lambda form: form.id)
def test_calls_of_real_servers_come_home_from_every_vendor(form: Format) -> None:
    chosen, calls = some(form)
    fill = law.FILL.get(form.family)
    box = Toolbox(servers=chosen, to=form, source=MCP, fill=fill)
    written = dict(zip(box.names.values(), law.listed(box.tools), strict=True))
    assert written.keys() == {(server, tool["name"]) for server, tools in chosen.items() for tool in tools}
    assert len({law.called(form, tool) for tool in written.values()}) == len(written)
    takes = {(server, tool["name"]): tool["inputSchema"] for server, tools in chosen.items() for tool in tools}
    # All tools at once: where one cannot be strict, a service that wants all or none has none.
    every = [tool for tools in chosen.values() for tool in tools]
    ways = dict(zip(takes, convert(every, form, source=MCP, fill=fill).argument_maps, strict=True))
    results = [result for _, result in lines("mcp-captured-open/envelopes.mcp-tools-call-answer")]
    results += [result for _, result in lines("livemcpbench/results.mcp")][law.SPEAKERS.index(form) :: 40]
    blocks: list[JsonObject] = []
    for server, name, arguments in calls:
        own = (server, name)
        block = law.spelled(form, law.called(form, written[own]), adapt_arguments(arguments, ways[own]))
        call = outcome(box, block, takes[own], arguments)
        if call is not None:
            assert (call.server, call.name, call["name"]) == (server, name, name)
            told = {key: value for key, value in call.items() if key != "_meta"}
            assert told == {"name": name, "arguments": arguments}
            assert [problem for judge in judges(MCP.id, "call") if (problem := judge(told))] == []
        blocks.append(block)
    for result, block in zip(results, cycle(blocks or [law.spelled(form, "Un.known", {})]), strict=False):
        reply = json.loads(json.dumps(box.reply(result, to=block)))
        inner = result.get("result", {})
        assert not list(_unsaid(inner, reply)), f"{text(result)} is {text(reply)}"
        if form.family != "mcp":
            assert [problem for judge in judges(form.id, "result") if (problem := judge(reply))] == []


def test_captured_answers_answer_the_calls_that_they_were_given_to() -> None:
    """Each JSON-RPC answer of a real server, to the call that it was sent for, as a model would have made it."""
    box = Toolbox(servers=servers(), to="openai@chat", source=MCP)
    names = {own: called for called, own in box.names.items()}
    sent = lines("mcp-captured-open/envelopes.mcp-tools-call")
    answers = lines("mcp-captured-open/envelopes.mcp-tools-call-answer")
    for (source, request), (_, answer) in zip(sent, answers, strict=True):
        own = (source.split()[0], request["params"]["name"])
        block = law.spelled(get_format("openai@chat"), names.get(own, own[1]), request["params"].get("arguments", {}))
        reply = box.reply(answer, to=block)
        result = answer.get("result", {"isError": True, "content": []})
        failed = result.get("isError", False)
        said = json.dumps(reply["content"])
        assert ("Error" in said) or not failed
        assert not list(_unsaid(result, reply))
        if "error" in answer:
            assert answer["error"]["message"] in reply["content"]


def test_there_is_traffic_of_every_vendor_and_of_many_servers() -> None:
    assert all(len(recorded(vendor)) > 5 for vendor in VENDORS)
    assert sum(map(len, servers().values())) > 500
    assert len(clients()) > 500


# what belongs to a call


def marks(value: Json) -> list[Json]:
    """The signatures, callers and namespaces in a call."""
    if not isinstance(value, dict):
        return []
    inner = [mark for key in ("function", "extra_content", "google") for mark in marks(value.get(key))]
    names = ("thoughtSignature", "thought_signature", "caller", "namespace", "toolset_name")
    return [value[name] for name in names if value.get(name) is not None] + inner


@pytest.mark.parametrize(
    ("target", "name", "least"),
    [("gemini", "gemini", 300), ("anthropic", "anthropic", 25), ("openai@responses", "openai-responses", 25)],
)
def test_nothing_that_belongs_to_a_call_is_lost(target: str, name: str, least: int) -> None:
    """A signature, caller or namespace is there when the call is sent back, and where its result has to repeat it."""
    form = get_format(target)
    kept = 0
    for source, block in lines(f"pydantic-ai-cassettes/calls.{name}"):
        if not isinstance(block, dict) or not (said := marks(block)):
            continue
        shape = shape_of(block, form.call)
        assert shape is not None, source
        called = shape.table.open(block, form.family).fields["name"]
        box = Toolbox([{"name": called, "inputSchema": {"type": "object"}}], to=form)
        (call,) = box.calls([block]) or (None,)
        if call is None:
            continue  # the vendor runs it
        assert isinstance(call, SourceCall), source
        assert same(call.block, block), source
        reply = box.reply({"content": []}, to=call)
        if form.family == "openai" and block["namespace"] != called:
            assert marks(reply) == said, source
        if form.family == "gemini":
            for other in ("openai@chat", "gemini"):
                there = convert(block, other, source=form, kind="call")
                assert same(marks(there.value), said), source
                home = convert(there.value, form, source=other, kind="call").value
                assert same(marks(home), said), source
        kept += 1
    assert kept >= least
