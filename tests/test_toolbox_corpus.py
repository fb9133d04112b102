"""Toolboxes over recorded traffic: calls that models made of tools that were recorded with them, and their results.

Each recorded request holds tools, and the calls made of them stand in its answer or in the messages of later requests.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from laws import toolbox as law
from laws.law import text
from laws.meaning import validator
from oracles import SHARED, WITHOUT
from sdk.traffic import judges
from toolbridge import CallError, Toolbox, convert, find
from toolbridge.format import Format
from toolbridge.hub import Json, JsonObject
from toolbridge.pointer import MISSING, get
from toolbridge.remainder import same
from toolbridge.schema.way import out

pytestmark = pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)

MCP = find("mcp@2025-11-25")


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
    Vendor("anthropic@messages", "anthropic", "/tools", "/messages", "type=tool_use", "type=tool_result", ("/content",)),
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
            if not isinstance(tools, list):
                continue
            messages = get(request, vendor.messages, [])
            calls = [*_told(messages, vendor.call)]
            for place in vendor.answers:
                calls += _told(get(answers.get(source, {}), place, []), vendor.call)
            every.append(Recorded(source, tools, calls, [*_told(messages, vendor.result)]))
    return tuple(every)


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


class Spelled(NamedTuple):
    """One tool as it was recorded, and what it takes."""

    name: str
    schema: Json


def known(form: Format, tools: list[JsonObject]) -> dict[str, Spelled]:
    """The tools of a request by their names; of those that the vendor runs itself nothing is said."""
    found: dict[str, Spelled] = {}
    for tool in law.listed(tools):
        if form.hosted is not None and form.hosted(tool):
            continue
        fields = form.tool.open(json.loads(json.dumps(tool)), form.family).fields
        found[fields["name"]] = Spelled(fields["name"], fields.get("input"))
    return found
