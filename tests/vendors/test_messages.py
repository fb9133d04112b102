"""The judges of calls and results: they take what is real, and refuse what is broken."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from laws.traffic import KINDS, SPEAKERS
from oracles import SHARED, WITHOUT
from toolbridge.data.pointer import drop, put
from toolbridge.data.types import Json
from toolbridge.hub import Kind
from vendors.messages import judges

needs_corpus = pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)

REAL: list[tuple[str, str, Kind]] = [
    ("calls.mcp", "mcp@2025-11-25", "call"),
    ("results.mcp", "mcp@2025-11-25", "result"),
    ("envelopes.mcp-tools-call", "mcp@2025-06-18", "call"),
    ("envelopes.mcp-tools-call-answer", "mcp@2025-06-18", "result"),
    ("envelopes.mcp-CallToolRequest", "mcp@2026-07-28", "call"),
    ("envelopes.mcp-CallToolResultResponse", "mcp@2026-07-28", "result"),
    ("calls.oxp", "arcade@1.0", "call"),
    ("results.oxp", "arcade@1.0", "result"),
    ("calls.openai-function", "openai@functions", "call"),
    ("results.openai-function", "openai@functions", "result"),
    ("calls.openai-responses", "openai@responses", "call"),
    ("results.openai-responses", "openai@responses", "result"),
    ("calls.openai-chat", "openai@chat", "call"),
    ("results.openai-chat", "openai@chat", "result"),
    ("calls.anthropic", "anthropic@messages", "call"),
    ("results.anthropic", "anthropic@messages", "result"),
    ("calls.gemini", "gemini@parameters", "call"),
    ("results.gemini", "gemini@parameters", "result"),
    ("calls.bedrock", "bedrock@converse", "call"),
    ("results.bedrock", "bedrock@converse", "result"),
    ("calls.cohere", "cohere@v2", "call"),
    ("results.cohere", "cohere@v2", "result"),
    ("calls.ollama", "ollama@chat", "call"),
    ("results.ollama", "ollama@chat", "result"),
]
EXCEPTIONS = {
    "results.mcp": (603, "annotations|content|type", "null where nothing should be; a result with data that is a list"),
    "calls.openai-function": (1, "name ''", "a call that was never finished"),
    "calls.openai-responses": (2, "status", "null where nothing should be"),
    "calls.openai-chat": (77, "index|type|custom|id|arguments", "made by services that are like OpenAI's"),
    "results.openai-chat": (2, "tool_call_id|cache_control", "sent to services that are like OpenAI's"),
    "calls.anthropic": (76, "tool_use", "tools of Anthropic's own servers"),
    "results.anthropic": (77, "tool_result", "tools of Anthropic's own servers"),
}
"""Real documents that a judge refuses: how many of a file, what it says, and why they are there all the same."""


def verdict(format_id: str, kind: Kind, value: Json) -> str | None:
    """What the first judge to find anything says."""
    found = judges(format_id, kind)
    assert found
    return next((said for judge in found if (said := judge(value)) is not None), None)


def real(name: str) -> list[Json]:
    files = sorted((SHARED / "corpus").glob(f"*/{name}.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


@needs_corpus
@pytest.mark.parametrize(("name", "format_id", "kind"), REAL)
def test_real_documents_are_accepted(name: str, format_id: str, kind: Kind) -> None:
    documents = real(name)
    assert documents
    said = [found for document in documents if (found := verdict(format_id, kind, document)) is not None]
    count, words, _ = EXCEPTIONS.get(name, (0, "", ""))
    assert len(said) == count, said[:3]
    assert all(any(word in each for word in words.split("|")) for each in said), said[:3]


@pytest.mark.parametrize("kind", KINDS)
def test_every_format_has_a_judge(kind: Kind) -> None:
    without = {form.id for form in SPEAKERS[kind] if not judges(form.id, kind)}
    if not SHARED.is_dir():  # the documents of these are their only judges
        without -= {form.id for form in SPEAKERS[kind] if form.family in ("mcpx", "hyper-mcp")} | {"arcade-engine@otc"}
    assert without == NO_JUDGE[kind]


NO_JUDGE: dict[Kind, set[str]] = {"call": set(), "result": set()}
"""Formats about which nobody else has a word to say."""

MCP_META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
GOOD: dict[tuple[str, Kind], Any] = {
    ("mcp@2025-06-18", "call"): {"name": "now", "arguments": {"zone": "UTC"}},
    ("mcp@2026-07-28", "call"): {"name": "now", "arguments": {}, "_meta": MCP_META},
    ("mcp@2025-06-18", "result"): {"content": [{"type": "text", "text": "12:00"}], "isError": False},
    ("mcp@2026-07-28", "result"): {"resultType": "complete", "content": [], "structuredContent": [1]},
    ("mcpx@servlet", "call"): {"params": {"name": "now", "arguments": {}}},
    ("mcpx@servlet", "result"): {"content": [{"type": "text", "text": "12:00"}], "isError": False},
    ("hyper-mcp@2", "call"): {"request": {"name": "now", "arguments": {}}, "context": {"id": 7, "_meta": {}}},
    ("hyper-mcp@2", "result"): {"content": [{"type": "text", "text": "12:00"}], "structuredContent": {"a": 1}},
    ("arcade@1.0", "call"): {"tool_id": "Tides.Now@1.0.0", "input": {"harbour": "Hull"}},
    ("arcade@1.0", "result"): {"call_id": "c1", "success": True, "duration": 3, "value": {"metres": 4}},
    ("arcade-engine@4", "call"): {"tool": {"name": "Now", "toolkit": "Tides"}, "inputs": {}, "context": {}},
    ("arcade-engine@4", "result"): {
        "execution_id": "te_1",
        "finished_at": "2026-11-21T12:00:00Z",
        "duration": 3,
        "success": True,
        "output": {"value": 4},
    },
    ("arcade-engine@otc", "call"): {
        "run_id": "r1",
        "execution_id": "te_1",
        "created_at": "2026-11-21T12:00:00Z",
        "tool": {"name": "Now", "toolkit": "Tides", "version": "1.0.0"},
        "inputs": {},
        "context": {},
    },
    ("arcade-engine@otc", "result"): {
        "execution_id": "te_1",
        "finished_at": "2026-11-21T12:00:00Z",
        "success": True,
        "output": {"value": 4},
    },
    ("openai@functions", "call"): {"name": "now", "arguments": "{}"},
    ("openai@functions", "result"): {"role": "function", "name": "now", "content": "12:00"},
    ("openai@chat", "call"): {"id": "call_1", "type": "function", "function": {"name": "now", "arguments": "{}"}},
    ("openai@chat", "result"): {
        "role": "tool",
        "tool_call_id": "call_1",
        "content": [{"type": "text", "text": "12:00"}],
    },
    ("openai@responses", "call"): {"type": "function_call", "call_id": "call_1", "name": "now", "arguments": "{}"},
    ("openai@responses", "result"): {
        "type": "function_call_output",
        "call_id": "call_1",
        "output": [{"type": "input_image", "image_url": "data:image/png;base64,aGk="}],
    },
    ("anthropic@messages", "call"): {"type": "tool_use", "id": "toolu_1", "name": "now", "input": {}},
    ("anthropic@messages", "result"): {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": [{"type": "text", "text": "12:00"}],
        "is_error": False,
    },
    ("gemini@parameters", "call"): {"functionCall": {"name": "now", "args": {}}},
    ("gemini@parameters", "result"): {"functionResponse": {"name": "now", "response": {"output": "12:00"}}},
    ("anthropic@managed-agents", "call"): {"type": "agent.custom_tool_use", "id": "sevt_1", "name": "now", "input": {}},
    ("anthropic@managed-agents", "result"): {
        "type": "user.custom_tool_result",
        "custom_tool_use_id": "sevt_1",
        "content": [{"type": "text", "text": "12:00"}],
        "is_error": False,
    },
    ("gemini@interactions", "call"): {"type": "function_call", "id": "1", "name": "now", "arguments": {}},
    ("gemini@interactions", "result"): {
        "type": "function_result",
        "call_id": "1",
        "result": [{"type": "text", "text": "12:00"}],
        "is_error": False,
    },
    ("bedrock@converse", "call"): {"toolUse": {"toolUseId": "tooluse_1", "name": "now", "input": {}}},
    ("bedrock@converse", "result"): {
        "toolResult": {"toolUseId": "tooluse_1", "content": [{"text": "12:00"}], "status": "success"}
    },
    ("bedrock@agents", "call"): {
        "functionInvocationInput": {
            "actionGroup": "Clock",
            "actionInvocationType": "RESULT",
            "agentId": "AGENT12345",
            "function": "now",
            "parameters": [{"name": "zone", "type": "string", "value": "UTC"}],
        }
    },
    ("bedrock@agents", "result"): {
        "functionResult": {
            "actionGroup": "Clock",
            "function": "now",
            "responseState": "REPROMPT",
            "responseBody": {"TEXT": {"body": "12:00"}},
        }
    },
    ("cohere@v2", "call"): {"id": "c1", "type": "function", "function": {"name": "now", "arguments": "{}"}},
    ("cohere@v2", "result"): {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "12:00"}]},
    ("mistral@chat", "call"): {"id": "a1B2c3D4e", "function": {"name": "now", "arguments": "{}"}},
    ("mistral@chat", "result"): {"role": "tool", "tool_call_id": "a1B2c3D4e", "name": "now", "content": "12:00"},
    ("mistral@responses", "call"): {"type": "function_call", "call_id": "call_1", "name": "now", "arguments": "{}"},
    ("mistral@responses", "result"): {
        "type": "function_call_output",
        "call_id": "call_1",
        "output": [{"type": "input_image", "image_url": "data:image/png;base64,aGk="}],
    },
    ("mistral@conversations", "call"): {
        "type": "function.call",
        "tool_call_id": "chatcmpl-tool-1",
        "name": "now",
        "arguments": "{}",
    },
    ("mistral@conversations", "result"): {
        "object": "entry",
        "type": "function.result",
        "tool_call_id": "chatcmpl-tool-1",
        "result": "12:00",
    },
    ("ollama@chat", "call"): {"function": {"name": "now", "arguments": {}}},
    ("ollama@chat", "result"): {"role": "tool", "tool_name": "now", "content": "12:00"},
    ("langchain@json-schema", "call"): {"type": "tool_call", "name": "now", "args": {}, "id": "call_1"},
    ("langchain@json-schema", "result"): {
        "type": "tool",
        "tool_call_id": "call_1",
        "content": "12:00",
        "status": "success",
    },
}

MCP_CALLS = ("/arguments", 7), ("/name", None), ("/name", 7)
BAD: dict[tuple[str, Kind], tuple[tuple[str, Any], ...]] = {
    ("mcp@2025-06-18", "call"): MCP_CALLS,
    ("mcp@2026-07-28", "call"): (*MCP_CALLS, ("/_meta", None)),
    ("mcp@2025-06-18", "result"): (
        *(("/structuredContent", [1]), ("/content/0/type", "hologram"), ("/content/0/text", None), ("/isError", 7)),
    ),
    ("mcp@2026-07-28", "result"): (("/content", None), ("/resultType", 7)),
    ("mcpx@servlet", "call"): (("/params/name", 7), ("/params", None)),
    ("mcpx@servlet", "result"): (("/content/0/text", None), ("/content/0/type", "audio"), ("/isError", "no")),
    ("hyper-mcp@2", "call"): (("/context/_meta", None), ("/context/id", None), ("/request/name", 7)),
    ("hyper-mcp@2", "result"): (("/content/0/type", "hologram"), ("/structuredContent", 7)),
    ("arcade@1.0", "call"): (("/tool_id", "Now"), ("/tool_id", "A.B@1.2"), ("/input", []), ("/stranger", 1)),
    ("arcade@1.0", "result"): (("/success", False), ("/error", {"message": "no"}), ("/call_id", None), ("/x", 1)),
    ("arcade-engine@4", "call"): (("/tool/toolkit", None), ("/inputs", []), ("/context/secrets", {}), ("/stranger", 1)),
    ("arcade-engine@4", "result"): (("/finished_at", None), ("/output/error", {"message": "no"}), ("/output/x", 1)),
    ("arcade-engine@otc", "call"): (("/run_id", None), ("/tool/version", None), ("/stranger", 1)),
    ("arcade-engine@otc", "result"): (("/output/value", []), ("/success", None), ("/stranger", 1)),
    ("openai@functions", "call"): (("/arguments", {}), ("/name", "two words"), ("/id", "call_1")),
    ("openai@functions", "result"): (("/name", None), ("/content", []), ("/role", "tool")),
    ("openai@chat", "call"): (("/function/arguments", {}), ("/id", None), ("/type", None), ("/function/name", "a.b")),
    ("openai@chat", "result"): (("/content/0/type", "image"), ("/tool_call_id", None), ("/is_error", True)),
    ("openai@responses", "call"): (("/call_id", "x" * 65), ("/call_id", ""), ("/arguments", {}), ("/is_error", True)),
    ("openai@responses", "result"): (("/output/0/type", "text"), ("/output/0/image_url", 7), ("/output", {})),
    ("anthropic@messages", "call"): (("/id", "a.b"), ("/input", "{}"), ("/name", "a.b"), ("/stranger", 1)),
    ("anthropic@messages", "result"): (
        *(("/content/0/type", "audio"), ("/tool_use_id", None), ("/isError", True), ("/content/0/text", 7)),
    ),
    ("gemini@parameters", "call"): (("/functionCall/name", "1st"), ("/functionCall/args", []), ("/stranger", 1)),
    ("gemini@parameters", "result"): (("/functionResponse/response", "12:00"), ("/functionResponse/name", None)),
    ("anthropic@managed-agents", "call"): (("/name", "a.b"), ("/input", "{}"), ("/id", None), ("/stranger", 1)),
    ("anthropic@managed-agents", "result"): (("/content/0/type", "audio"), ("/custom_tool_use_id", None), ("/x", 1)),
    ("gemini@interactions", "call"): (("/name", "1st"), ("/arguments", "{}"), ("/id", None), ("/stranger", 1)),
    ("gemini@interactions", "result"): (("/result/0/type", "hologram"), ("/call_id", None), ("/result", 7)),
    ("bedrock@converse", "call"): (("/toolUse/toolUseId", "ü"), ("/toolUse/name", "a b"), ("/toolUse/input", None)),
    ("bedrock@converse", "result"): (
        *(("/toolResult/status", 7), ("/toolResult/content/0/audio", {}), ("/toolResult/toolUseId", "x" * 65)),
    ),
    ("bedrock@agents", "call"): (
        *(("/functionInvocationInput/actionGroup", None), ("/functionInvocationInput/function", "a b"), ("/x", 1)),
        *(("/functionInvocationInput/parameters", {}), ("/functionInvocationInput/parameters/0/value", 7)),
    ),
    ("bedrock@agents", "result"): (
        *(("/functionResult/actionGroup", None), ("/functionResult/responseState", "SUCCESS"), ("/x", 1)),
        *(("/functionResult/responseBody/TEXT/body", 7), ("/functionResult/responseBody/JSON", {"body": "{}"})),
    ),
    ("cohere@v2", "call"): (("/function/arguments", {}), ("/id", None), ("/function/name", None)),
    ("cohere@v2", "result"): (("/content/0/type", "image"), ("/tool_call_id", None), ("/content", 7)),
    ("mistral@chat", "call"): (("/id", "call_1"), ("/function/name", "a.b"), ("/function/arguments", 7)),
    ("mistral@chat", "result"): (("/tool_call_id", "call_1"), ("/content", 7), ("/stranger", 1)),
    ("mistral@responses", "call"): (("/name", "a.b"), ("/arguments", {}), ("/call_id", None), ("/stranger", 1)),
    ("mistral@responses", "result"): (("/output/0/type", "text"), ("/call_id", None), ("/output", {})),
    ("mistral@conversations", "call"): (("/name", "a.b"), ("/arguments", 7), ("/tool_call_id", None), ("/stranger", 1)),
    ("mistral@conversations", "result"): (("/tool_call_id", None), ("/result", []), ("/type", "function.call")),
    ("ollama@chat", "call"): (("/function/arguments", "{}"), ("/function/name", None), ("/stranger", 1)),
    ("ollama@chat", "result"): (("/content", []), ("/role", None), ("/stranger", 1)),
    ("langchain@json-schema", "call"): (("/args", "{}"), ("/name", None), ("/type", "call"), ("/id", None)),
    ("langchain@json-schema", "result"): (("/tool_call_id", None), ("/status", "failed"), ("/type", "human")),
}
"""Places of the good documents, and what makes them bad there (None: nothing is there)."""

ONLY_OFFICIAL = ("mcpx", "hyper-mcp", "arcade-engine@otc")
"""Formats whose judges are among the reference material."""


def of_reference(format_id: str) -> bool:
    return format_id.startswith(ONLY_OFFICIAL) and not SHARED.is_dir()


@pytest.mark.parametrize(("format_id", "kind"), GOOD)
def test_good_documents_are_accepted(format_id: str, kind: Kind) -> None:
    if of_reference(format_id):
        pytest.skip(WITHOUT)
    assert verdict(format_id, kind, GOOD[format_id, kind]) is None


@pytest.mark.parametrize(
    ("format_id", "kind", "place", "value"), [(*key, place, value) for key in BAD for place, value in BAD[key]]
)
def test_bad_documents_are_refused(format_id: str, kind: Kind, place: str, value: Any) -> None:
    if format_id.startswith((*ONLY_OFFICIAL, "arcade@", "mcp@")) and not SHARED.is_dir():
        pytest.skip(WITHOUT)
    document = copy.deepcopy(GOOD[format_id, kind])
    if value is None:
        drop(document, place)
    else:
        put(document, place, value)
    assert verdict(format_id, kind, document) is not None, document
