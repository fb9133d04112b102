"""What a bridge gives for a tool of which it has seen the like is what it gives for one that it has not."""

from __future__ import annotations

import copy
import datetime as dt
import json
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from laws import law
from toolbridge import DocumentError, LossError, ToolbridgeError, api, convert
from toolbridge.api import Bridge
from toolbridge.bulk import again
from toolbridge.formats.registry import get_format
from toolbridge.mapping.format import Format

MCP = get_format("mcp@2025-11-25")
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "_OFTEN", 0)


def told(made: Any) -> tuple[Any, ...]:
    remainder = made.remainder
    report = made.report
    return (
        json.dumps(made.value),
        list(report),
        (report.source, report.target, report.assumed, report.ties, list(report.failures)),
        None if remainder is None else remainder.to_json(),
        list(made.argument_maps),
        dict(made.names),
    )


def result(run: Any, document: Any) -> Any:
    try:
        return told(run(document))
    except ToolbridgeError as error:
        return type(error), str(error)


def documents(form: Format) -> list[Any]:
    folder = FIXTURES / form.family
    files = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    found = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [each for each in found if isinstance(each, dict)][:6]


@pytest.mark.parametrize(("source", "target"), law.PAIRS, ids=[f"{a.id}-{b.id}" for a, b in law.PAIRS])
def test_the_same_as_without(source: Format, target: Format) -> None:
    bridge = Bridge(source, target)
    for document in documents(source):
        without = result(lambda each: convert(each, target, source=source), document)
        for _ in range(4):
            before = copy.deepcopy(document)
            assert result(bridge, document) == without
            assert document == before
        name = document.get("name")
        if isinstance(name, str):
            other = {**document, "name": "another_tool"}
            assert result(bridge, other) == result(lambda each: convert(each, target, source=source), other)


def tool(**more: Any) -> dict[str, Any]:
    properties = {"a": {"type": "string", "description": "An a."}}
    return {
        "name": "tool",
        "description": "A tool.",
        "inputSchema": {"type": "object", "properties": properties},
        **more,
    }


def test_it_is_used() -> None:
    bridge = Bridge(MCP, get_format("openai@chat"))
    for _ in range(4):
        bridge(tool())
    assert bridge._again is not None
    assert bridge._again._lanes[0].again(json.dumps(tool(), separators=(",", ":")).encode()) is not None


def test_what_comes_out_is_the_callers() -> None:
    bridge = Bridge(MCP, get_format("mcpx"))
    for _ in range(4):
        bridge(tool())
    value = bridge(tool()).value
    value["inputSchema"]["properties"].clear()
    assert bridge(tool()).value["inputSchema"] == tool()["inputSchema"]


@pytest.mark.parametrize("value", [math.nan, ("a",), {1: "a"}, dt.date(2026, 1, 1), b"a"])
def test_what_is_no_plain_data_is_not_taken_for_it(value: Any) -> None:
    """Encoders write some of it as if it were: null for what is no number, lists for tuples, texts for dates."""
    bridge = Bridge(MCP, get_format("mcpx"))
    plain = {"nan": None, "tuple": ["a"], "dict": {"1": "a"}, "date": "2026-01-01", "bytes": "YQ=="}
    like = "nan" if isinstance(value, float) else type(value).__name__
    for _ in range(4):
        bridge(tool(_meta={"a": plain[like]}))
    odd = tool(_meta={"a": value})
    assert result(bridge, odd) == result(lambda each: convert(each, "mcpx", source=MCP), odd)


def test_refused_losses_are_refused_again() -> None:
    bridge = Bridge(MCP, get_format("mcpx"))
    for _ in range(4):
        bridge(tool(title="A tool"))
    with pytest.raises(LossError):
        bridge(tool(title="A tool"), refuse=("TB1",))
    assert bridge(tool(title="A tool")).report.counts() == {"TB101": 1}


def test_errors_are_raised_again() -> None:
    bridge = Bridge(MCP, get_format("mcpx"))
    for _ in range(4):
        with pytest.raises(DocumentError):
            bridge({"name": "a"} | {"inputSchema": 1})


def test_threads() -> None:
    bridge = Bridge(MCP, get_format("openai@chat-strict"))
    tools = [tool(name=f"tool_{n % 7}", title=f"Tool {n % 3}") for n in range(600)]
    expected = [result(lambda each: convert(each, "openai@chat-strict", source=MCP), each) for each in tools[:21]]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda each: result(bridge, each), tools))
    assert found == [expected[n % 21] for n in range(600)]


def test_where_nothing_comes_again_few_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(again, "_TRUST", 8)
    bridge = Bridge(MCP, get_format("openai@chat"))

    def other(n: int) -> dict[str, Any]:
        return tool(inputSchema={"type": "object", "properties": {f"a{n}" + n % 16 * "_": {"type": "string"}}})

    for n in range(1000, 1640):
        assert bridge(other(n)).report.counts() == {}
    memory = bridge._again
    assert memory is not None
    assert len(memory._seen) < 100
    # What comes again all the same is found, some time.
    monkeypatch.setattr(memory, "_asked", memory._asked - memory._asked % 4096 + 4096 * 15)
    want = result(lambda each: convert(each, "openai@chat", source=MCP), tool())
    for _ in range(4096 * 17):
        made = bridge(tool())
        if memory._known:
            break
    assert memory._known
    assert told(made) == want == result(bridge, tool())
    # From then on what is like it is looked at again.
    for n in range(3):
        bridge(other(n))
    assert len(memory._seen) >= 3


def test_what_was_seen_is_forgotten_when_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(again, "_REMEMBERED", 4)
    bridge = Bridge(MCP, get_format("openai@chat"))
    for n in range(9):
        bridge(tool(inputSchema={"type": "object", "properties": {f"a{n}": {"type": "string"}}}))
    for _ in range(3):
        bridge(tool())
    assert bridge._again is not None
    assert bridge._again._known
