"""The SDKs of the vendors as judges: they take what is real, refuse what is broken, and agree where nobody is wrong."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from laws import law
from oracles import SHARED, WITHOUT
from toolbridge import LossError, convert, get_format
from toolbridge.data.pointer import drop, put
from toolbridge.formats.services import SERVICES
from vendors import peers
from vendors.judges import MAKERS, judge

needs_corpus = pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)

REAL = {
    "openai-function": "openai@functions",
    "openai-chat": "openai@chat",
    "openai-responses": "openai@responses",
    "anthropic": "anthropic@messages",
    "gemini": "gemini@parameters",
    "bedrock": "bedrock@converse",
    "cohere": "cohere@v2",
}

EXCEPTIONS = {
    ("openai-function", "hammerbench"): (
        1728,
        "does not match",
        "names with dots, which OpenAI refuses",
    ),
    ("openai-chat", "pydantic-ai-cassettes"): (10, "type|unknown key", "sent to services that are like OpenAI's"),
    ("openai-responses", "openllmetry-cassettes"): (2, "strict", "the service lets `strict` be left out"),
    ("gemini", "gemini-cookbook"): (15, "type", "the Live API takes `type: function`, and any case of a type"),
}
"""Folders of real tools with some that a judge refuses: how many, what it says, and why they are there all the same."""


def real(kind: str, format_id: str) -> dict[str, list[str]]:
    """What a judge says of the real tools, by folder."""
    ask = judge(format_id)
    assert ask is not None
    said: dict[str, list[str]] = {}
    for file in sorted((SHARED / "corpus").glob(f"*/tools.{kind}.jsonl")):
        verdicts = [ask(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
        said[file.parent.name] = [verdict for verdict in verdicts if verdict is not None]
    return said


@needs_corpus
@pytest.mark.parametrize(("kind", "format_id"), REAL.items())
def test_real_tools_are_accepted(kind: str, format_id: str) -> None:
    said = real(kind, format_id)
    assert said
    for folder, verdicts in said.items():
        count, words, _ = EXCEPTIONS.get((kind, folder), (0, "", ""))
        assert len(verdicts) == count, (folder, verdicts[:3])
        assert all(any(word in verdict for word in words.split("|")) for verdict in verdicts), (folder, verdicts[:3])


PLAIN = {
    "name": "add",
    "description": "Adds.",
    "inputSchema": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "string"}}},
        "required": ["a"],
    },
}
NAME = {
    **dict.fromkeys(MAKERS, "/function/name"),
    **dict.fromkeys(("openai@functions", "openai@responses", "openai@responses-strict", "openai@realtime"), "/name"),
    **dict.fromkeys(
        ("anthropic@messages", "anthropic@strict", "gemini@parameters", "gemini@vertex", "gemini@json-schema"), "/name"
    ),
    **dict.fromkeys(("gemini@interactions", "mistral@responses", "anthropic@managed-agents"), "/name"),
    **dict.fromkeys(("bedrock@agents", "agentcore@2023-06-05", "utcp@1"), "/name"),
    "bedrock@converse": "/toolSpec/name",
    "langchain@json-schema": "/title",
}
INPUT = {
    **dict.fromkeys(MAKERS, "/function/parameters"),
    **dict.fromkeys(("openai@functions", "openai@responses", "openai@responses-strict"), "/parameters"),
    "openai@realtime": "/parameters",
    **dict.fromkeys(("anthropic@messages", "anthropic@strict", "anthropic@managed-agents"), "/input_schema"),
    "gemini@parameters": "/parameters",
    "gemini@vertex": "/parameters",
    **dict.fromkeys(("gemini@interactions", "mistral@responses"), "/parameters"),
    "gemini@json-schema": "/parametersJsonSchema",
    "bedrock@converse": "/toolSpec/inputSchema/json",
    "langchain@json-schema": "",
}
NAMES_ARE_FREE = ("cohere@v2", "ollama@chat", "langchain@json-schema", "agentcore@2023-06-05", "utcp@1")
FREE = ("langchain@json-schema",)


@pytest.fixture(params=MAKERS)
def format_id(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def tool(format_id: str) -> Any:
    return convert(PLAIN, format_id, source="mcp").value


def said(format_id: str, value: Any) -> str | None:
    ask = judge(format_id)
    assert ask is not None
    return ask(value)


def test_there_is_a_judge_for_every_edition_of_a_vendor() -> None:
    ours = {"mcp", "mcpx", "hyper-mcp", "arcade", "arcade-engine"}
    ours |= {service.name for service in SERVICES}  # they speak OpenAI's words, and no SDK knows their subsets
    ours |= {"vscode", "mcpb", "server-json", "webmcp"}  # files and proposals, of which there is no SDK
    assert {form.id for form in law.WRITABLE if form.family not in ours} == MAKERS.keys(), (
        "formats without a judge: add one by the vendor's SDK to tests/vendors/judges.py, or name the family here"
    )


def test_a_plain_tool_is_accepted(format_id: str, tool: Any) -> None:
    assert said(format_id, tool) is None


def test_a_tool_without_a_name_is_refused(format_id: str, tool: Any) -> None:
    drop(tool, NAME[format_id])
    assert said(format_id, tool) is not None


def test_a_name_is_text(format_id: str, tool: Any) -> None:
    put(tool, NAME[format_id], 7)
    assert said(format_id, tool) is not None


def test_a_name_with_spaces_is_refused(format_id: str, tool: Any) -> None:
    put(tool, NAME[format_id], "two words")
    assert (said(format_id, tool) is None) == (format_id in NAMES_ARE_FREE)


def test_a_description_is_text(format_id: str, tool: Any) -> None:
    put(tool, NAME[format_id].rpartition("/")[0] + "/description", ["Adds."])
    assert said(format_id, tool) is not None


def test_a_key_that_nobody_knows_is_refused(format_id: str, tool: Any) -> None:
    for place in {"", NAME[format_id].rpartition("/")[0]}:
        strange = copy.deepcopy(tool)
        put(strange, f"{place}/stranger", value=True)
        assert (said(format_id, strange) is None) == (format_id in FREE)


@pytest.mark.parametrize("value", ["text", 7, []])
def test_a_schema_is_an_object(format_id: str, tool: Any, value: Any) -> None:
    put(tool, INPUT[format_id] + "/properties", value)
    assert said(format_id, tool) is not None


def test_a_type_is_a_word_of_the_format(format_id: str, tool: Any) -> None:
    put(tool, INPUT[format_id] + "/properties/a/type", "float")
    assert said(format_id, tool) is not None


def test_a_list_of_names_is_required(format_id: str, tool: Any) -> None:
    put(tool, INPUT[format_id] + "/required", [7])
    assert said(format_id, tool) is not None


def test_types_of_gemini_are_upper_case() -> None:
    tool = convert(PLAIN, "gemini@parameters", source="mcp").value
    put(tool, "/parameters/properties/b/items/type", "string")
    assert "upper-case" in (said("gemini@parameters", tool) or "")


def test_an_empty_description_is_refused_by_bedrock() -> None:
    tool = convert(PLAIN, "bedrock", source="mcp").value
    put(tool, "/toolSpec/description", "")
    assert "length" in (said("bedrock@converse", tool) or "")


# disagreements

LISTED = peers.disagreements()
IDS = [f"{it['peer']}-{it['does']}-{it['keyword']}" for it in LISTED]


@pytest.mark.parametrize("it", LISTED, ids=IDS)
def test_a_disagreement_is_still_one(it: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert it["reason"]
    tool = convert(it["case"], it["edition"], source=it["source"]).value
    if it["does"] == "refuses":
        assert said(it["edition"], tool) is None
        others = [other for other in LISTED if other is not it]
        monkeypatch.setattr(peers, "disagreements", lambda: others)
        assert said(it["edition"], tool) is not None
    else:
        found = peers.differences(it["edition"], tool)
        assert found == [peers.Difference(it["peer"], it["does"], it["keyword"])]


ASKED = [form for form in law.WRITABLE if form.id in ("openai@chat-strict", "openai@responses-strict")]
ASKED += [get_format("anthropic@strict"), get_format("gemini@parameters")]


@needs_corpus
@pytest.mark.parametrize("format_id", [form.id for form in ASKED])
def test_helpers_of_the_vendors_leave_what_is_written_as_it_is(format_id: str) -> None:
    asked = 0
    for document in mcp_tools():
        try:
            tool = convert(document, format_id, source="mcp").value
        except LossError:
            continue
        asked += peers.written(format_id, tool) is not None
        before = copy.deepcopy(tool)
        assert peers.unknown(format_id, tool) == [], tool
        assert tool == before
    assert asked > 300


def mcp_tools() -> list[Any]:
    files = [*sorted((SHARED / "corpus").glob("*/tools.mcp.jsonl")), SHARED / "cases" / "torture.jsonl"]
    return [json.loads(line) for file in files for line in lines(file)]


def lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()
