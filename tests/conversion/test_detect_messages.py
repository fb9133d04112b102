"""Recognising calls and results: each as its family's, and never as a tool, which is never one of them."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from laws.test_traffic_corpus import PUBLISHED, real
from laws.traffic import KINDS, SPEAKERS
from oracles import SHARED, WITHOUT
from toolbridge import FormatError, convert, detect, get_format
from toolbridge.conversion.detect import MESSAGE_KEYS, OTHER_KEYS, kind_of, recognise_message
from toolbridge.data.types import Json
from toolbridge.formats.registry import detectable_formats
from toolbridge.hub import OTHER_KINDS, Kind
from toolbridge.mapping import AS_OBJECT, Call, Format, Shape, Table, Wire, row

needs_corpus = pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)

TIES: dict[str, set[str]] = {
    "openai": {"cohere", "mistral", "ollama", "langchain"},
    "mcp": {"mcpx", "hyper-mcp"},
}
"""Families whose documents may be the same as those of a family."""

TAKEN_FOR: dict[tuple[str, Kind], str] = {
    **{("cohere", kind): "openai" for kind in KINDS},
    ("ollama", "result"): "openai",
}
"""Families whose documents cannot be told from those of another, which is the one that is guessed."""

ODD: dict[tuple[str, Kind], tuple[int, str]] = {
    ("mcp", "call"): (1, "a name and no arguments may be anything"),
    ("mcp", "result"): (1, "the message of a model that was asked by a server (sampling)"),
}
"""Real documents that are not recognised: how many of a file, and why."""


def family(name: str) -> str:
    return name.partition("@")[0]


@needs_corpus
@pytest.mark.parametrize(("name", "kind"), PUBLISHED)
def test_real_documents_are_recognised(name: str, kind: Kind) -> None:
    wanted = TAKEN_FOR.get((family(name), kind), family(name))
    wrong = []
    for document in real(name, kind):
        told = told_as(document)
        if told is None or told[0] != kind or told[1] != wanted or not told[2] <= {wanted, *TIES.get(wanted, ())}:
            wrong.append((told, document))
    count, reason = ODD.get((name, kind), (0, ""))
    assert len(wrong) == count, (reason, Counter(str(told) for told, _ in wrong), [doc for _, doc in wrong[:3]])


def told_as(document: Json) -> tuple[Kind, str, set[str]] | None:
    """Kind, family and the families that would do as well; None where nothing fits."""
    kind = kind_of(document, None)
    if kind == "tool":
        return None
    try:
        form, others = recognise_message(document, kind)
    except FormatError:
        return None
    return kind, form.family, {other.family for other in others}


@cache
def records(pattern: str) -> list[tuple[str, Json]]:
    files = sorted((SHARED / "corpus").glob(pattern))
    return [(_name(file), json.loads(line)) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def _name(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


@needs_corpus
@pytest.mark.parametrize("pattern", ["*/tools.*.jsonl", "*/builtin.*.jsonl"])
def test_a_tool_is_never_a_call_or_a_result(pattern: str) -> None:
    wrong = [(name, kind_of(tool, None)) for name, tool in records(pattern) if kind_of(tool, None) != "tool"]
    assert Counter(wrong) == Counter()
    wrapped = [name for name, tool in records(pattern) if kind_of({"tools": [tool]}, None) != "tool"]
    assert Counter(wrapped) == Counter()


@needs_corpus
@pytest.mark.parametrize("form", [form.id for form in SPEAKERS["call"]])
def test_a_tool_is_one_where_its_format_is_given_too(form: str) -> None:
    known = get_format(form)
    for name, tool in records("*/tools.*.jsonl"):
        assert kind_of(tool, known) == "tool", (name, tool)


@needs_corpus
@pytest.mark.parametrize(
    "pattern", ["*/requests.*.jsonl", "*/envelopes.*tools-list.jsonl", "*/envelopes.*-tools.jsonl"]
)
def test_whole_requests_with_tools_are_tools(pattern: str) -> None:
    wrong = [name for name, it in records(pattern) if "tools" in it and kind_of(it, None) != "tool"]
    assert Counter(wrong) == Counter()


STRANGERS = {
    "*/calls.bfcl-answers.jsonl": None,  # {"name.of_tool": {"argument": ["one", "or another"]}}
    "*/calls.arcade-eval.jsonl": None,  # {"func": ..., "args": ...}
    "*/calls.python-call.jsonl": None,  # "f(a='b')"
    "*/calls.openai-mcp-call.jsonl": None,  # a call and its result in one, made on OpenAI's own servers
    "*/responses.*.jsonl": None,  # what a vendor answered: calls may stand in it
    "*/errors.mcp.jsonl": "mcp",  # the inner part of a JSON-RPC error
    "*/envelopes.mcp-initialize-result.jsonl": "mcp",
    "*/calls.name-arguments.jsonl": "mcp",  # just what MCP calls `params`
}
"""Documents of others, and the family that they may be taken for."""


@needs_corpus
@pytest.mark.parametrize(("pattern", "name"), STRANGERS.items())
def test_strangers_are_not_mistaken(pattern: str, name: str | None) -> None:
    told = Counter((file, None if it is None else it[1]) for file, it in _told(pattern))
    assert {as_family for _, as_family in told} <= {name, None}, told


def _told(pattern: str) -> list[tuple[str, tuple[Kind, str, set[str]] | None]]:
    return [(name, told_as(document)) for name, document in records(pattern)]


MIXED = [
    ({"name": "now", "arguments": {}}, "call"),
    ({"name": "now", "description": "Tells the time.", "inputSchema": {"type": "object"}}, "tool"),
    ({"name": "now", "parameters": {"type": "object"}}, "tool"),
    ({"type": "function", "function": {"name": "now", "parameters": {}}}, "tool"),
    ({"type": "function", "name": "now", "parameters": {}, "strict": True}, "tool"),
    ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "now"}}, "call"),
    ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, "list-request"),
    ({"jsonrpc": "2.0", "id": 1, "result": {"content": []}}, "result"),
    ({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}, "tool"),
    ({"content": [{"type": "text", "text": "a"}]}, "result"),
    ({"tools": [], "content": []}, "tool"),
    ({}, "tool"),
    ([], "tool"),
    (None, "tool"),
]


@pytest.mark.parametrize(("document", "kind"), MIXED)
def test_kinds(document: Any, kind: Kind) -> None:
    assert kind_of(document, None) == kind
    assert kind_of([document, document], None) == kind


@pytest.mark.parametrize(
    "document",
    [
        {"name": "now", "arguments": {}},
        {"content": [{"type": "text", "text": "12:00"}], "isError": False},
    ],
)
def test_what_was_assumed_is_said(document: Any) -> None:
    report = convert(document, "mcp").report
    assert report.assumed
    assert get_format(report.source).family == "mcp"
    assert report.source not in report.ties
    given = convert(document, "mcp", source="mcp@2025-06-18").report
    assert not given.assumed
    assert given.ties == ()


def test_a_kind_that_does_not_fit_is_an_error_in_words() -> None:
    with pytest.raises(FormatError, match="not a call"):
        convert({"description": "Tells the time."}, "mcp", kind="call")
    with pytest.raises(FormatError, match="kind is one of"):
        convert({"name": "now", "arguments": {}}, "mcp", kind="tools")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["tools/list", "resources/read", "completion/complete", "prompts/get"])
def test_a_request_that_names_no_protocol_is_of_an_older_edition_of_mcp(method: str) -> None:
    """Since 2026-07-28 its `_meta` says the version and the capabilities (`RequestMetaObject` in schema.json)."""
    reference = {"ref": {"type": "ref/prompt", "name": "a"}, "argument": {"name": "a", "value": ""}}
    params = {"tools/list": {}, "resources/read": {"uri": "file:///a"}, "completion/complete": reference}
    own = {**params.get(method, {"name": "a"}), "_meta": {"progressToken": 1}}
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": own}
    assert detect(request).id == "mcp@2025-11-25"
    value, report, _ = convert(request, "mcp@2026-07-28")
    assert "io.modelcontextprotocol/protocolVersion" in value["params"]["_meta"]
    assert [loss.code for loss in report] == ["TB401", "TB401"]


WITHOUT_KEYS = {"mcp/inputs", "hyper-mcp/roots"}
"""Shapes of which no document is recognised without its kind: objects of any members, and of none but `_meta`."""


def test_every_shape_has_a_key_that_detection_looks_for() -> None:
    for form in detectable_formats():
        for kind in (*KINDS, *OTHER_KINDS):
            keys = MESSAGE_KEYS if kind in KINDS else MESSAGE_KEYS | OTHER_KEYS
            for shape in form.shapes(kind):
                if f"{form.family}/{shape.name}" not in WITHOUT_KEYS:
                    assert not keys.isdisjoint(shape.table.known_keys), (
                        f"{form.id}, {kind} {shape.name}: add a key that tools have not to MESSAGE_KEYS, or for other "
                        "kinds to OTHER_KEYS, in conversion/detect.py"
                    )


def test_a_request_to_execute_a_tool_of_the_arcade_engine_is_a_call() -> None:
    request = {"tool_name": "Math.Add", "input": {"a": 1}}
    assert kind_of(request, None) == "call"
    assert detect(request).id == "arcade-engine@4"
    assert convert(request, "mcp@2025-06-18").value == {"name": "Math_Add", "arguments": {"a": 1}}


class Card(Wire, kw_only=True):
    caption: str
    takes: dict[str, Any]


class Order(Wire, kw_only=True):
    wanted: str
    given: dict[str, Any]


def test_a_call_of_a_format_of_another_package_needs_no_key_of_the_built_in_ones() -> None:
    order = Table(Order, row("/wanted", "name", required=True), row("/given", "arguments", AS_OBJECT), of=Call)
    calls = (Shape(name="order", table=order, matches=lambda document: "wanted" in document),)
    tool = Table(Card, row("/caption", "name", required=True), row("/takes", "input", required=True))
    spec = "https://example.org/cards"
    cards = Format(id="cards@1", summary="Cards", spec=spec, tool=tool, messages=lambda: (calls, ()))
    call = {"wanted": "tide", "given": {"port": "Ems"}}
    assert kind_of(call, cards) == "call"
    assert convert(call, "mcp@2025-06-18", source=cards).value == {"name": "tide", "arguments": {"port": "Ems"}}
    assert kind_of({"caption": "tide", "takes": {}, "wanted": 1}, cards) == "tool"
