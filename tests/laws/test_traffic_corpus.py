"""The laws over real calls and results that lie beside the repository, for every ordered pair of editions.

Each pair takes a sample of its own, so that all pairs together see all documents; `CORPUS=all` takes every document for
every pair.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from zlib import crc32

import pytest

from laws import traffic_law as law
from laws.law import is_tested
from laws.toolbox import spelled
from laws.traffic import KINDS, OPENAI_ALIKE, SHAPES, SPEAKERS
from oracles import SHARED, WITHOUT
from toolbridge import DocumentError, get_format
from toolbridge.data.types import Json, JsonObject
from toolbridge.formats.mcp.tools import STATELESS, TABLES
from toolbridge.hub import Kind
from toolbridge.mapping.format import Format

pytestmark = pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)

SAMPLE = 40 if os.environ.get("CORPUS") != "all" else None
"""How many real documents each pair gets, of each kind."""

FILES: dict[tuple[str, Kind], tuple[str, ...]] = {
    ("mcp", "call"): (
        "calls.mcp",
        "envelopes.mcp-tools-call",
        "envelopes.mcp-CallToolRequest",
        "envelopes.mcp-jsonrpc",
    ),
    ("mcp", "result"): (
        *("results.mcp", "envelopes.mcp-tools-call-answer", "envelopes.mcp-CallToolResultResponse"),
        "envelopes.mcp-jsonrpc",
    ),
    ("arcade", "call"): ("calls.oxp",),
    ("arcade", "result"): ("results.oxp",),
    ("openai@functions", "call"): ("calls.openai-function",),
    ("openai@functions", "result"): ("results.openai-function",),
    ("openai@responses", "call"): ("calls.openai-responses",),
    ("openai@responses", "result"): ("results.openai-responses",),
    ("openai@realtime", "call"): ("calls.openai-responses",),
    ("openai@realtime", "result"): ("results.openai-responses",),
    ("openai@chat", "call"): ("calls.openai-chat",),
    ("openai@chat", "result"): ("results.openai-chat",),
    ("anthropic", "call"): ("calls.anthropic",),
    ("anthropic", "result"): ("results.anthropic",),
    ("gemini", "call"): ("calls.gemini",),
    ("gemini", "result"): ("results.gemini",),
    ("anthropic@managed-agents", "call"): ("calls.anthropic",),
    ("anthropic@managed-agents", "result"): ("results.anthropic",),
    ("gemini@interactions", "call"): ("calls.anthropic",),
    ("gemini@interactions", "result"): ("results.openai-responses",),
    ("bedrock", "call"): ("calls.bedrock",),
    ("bedrock", "result"): ("results.bedrock",),
    ("bedrock@agents", "call"): ("calls.bedrock",),
    ("bedrock@agents", "result"): ("results.openai-function",),
    ("cohere", "call"): ("calls.cohere",),
    ("cohere", "result"): ("results.cohere",),
    # Nobody has published many of these, but whoever has some has them in these words.
    ("ollama", "call"): ("calls.ollama", "calls.openai-chat"),
    ("ollama", "result"): ("results.ollama", "results.openai-chat"),
    ("mistral", "call"): ("calls.openai-chat",),
    ("mistral", "result"): ("results.openai-chat",),
    ("mistral@responses", "call"): ("calls.openai-responses",),
    ("mistral@responses", "result"): ("results.openai-responses",),
    ("mistral@conversations", "call"): ("calls.openai-function",),
    ("mistral@conversations", "result"): ("results.openai-function",),
    ("langchain", "call"): ("calls.anthropic",),
    ("langchain", "result"): ("results.openai-chat",),
    ("mcpx", "call"): ("calls.mcp",),
    ("mcpx", "result"): ("results.mcp",),
    ("hyper-mcp", "call"): ("calls.mcp",),
    ("hyper-mcp", "result"): ("results.mcp",),
    ("arcade-engine", "call"): ("calls.arcade-eval",),
    ("arcade-engine", "result"): ("results.oxp",),
}

_NOW = "2026-11-21T12:00:00Z"


def _stateless(edition: str, kind: Kind) -> Callable[[JsonObject], JsonObject]:
    said = {"io.modelcontextprotocol/protocolVersion": edition, "io.modelcontextprotocol/clientCapabilities": {}}
    more: JsonObject = {"_meta": said} if kind == "call" else {"resultType": "complete"}

    def spell(it: JsonObject) -> JsonObject:
        inner = "params" if "params" in it else "result" if "result" in it else None
        return {**more, **it} if inner is None else {**it, inner: {**more, **it[inner]}}

    return spell


def _engine_result(it: JsonObject, **of_error: str) -> JsonObject:
    output = {key: it[key] for key in ("value", "error") if key in it}
    if "error" in output:
        output["error"] = {**of_error, **output["error"]}
    return {
        "execution_id": it["call_id"],
        "finished_at": _NOW,
        "duration": it["duration"],
        "success": it["success"],
        "output": output,
    }


def _by_ollama(it: JsonObject) -> JsonObject:
    function = it["function"]
    given = function["arguments"]
    return {"function": {"name": function["name"], "arguments": json.loads(given) if isinstance(given, str) else given}}


SPELLED: dict[tuple[str, Kind], Callable[[JsonObject], JsonObject]] = {
    **{
        (f"mcp@{edition}", kind): _stateless(edition, kind)
        for edition in TABLES
        if edition >= STATELESS
        for kind in KINDS
    },
    ("mcpx", "call"): lambda it: {"params": it},
    ("hyper-mcp@1", "call"): lambda it: {"params": it},
    ("hyper-mcp@2", "call"): lambda it: {"request": it, "context": {"id": "7", "_meta": {"progressToken": 7}}},
    ("mistral", "call"): lambda it: {**it, "id": "a1B2c3D4e"},
    ("mistral", "result"): lambda it: {**it, "tool_call_id": "a1B2c3D4e"},
    ("anthropic@managed-agents", "call"): lambda it: {
        "type": "agent.custom_tool_use",
        "id": it["id"],
        "name": it["name"],
        "input": it["input"],
    },
    ("anthropic@managed-agents", "result"): lambda it: {
        "type": "user.custom_tool_result",
        "custom_tool_use_id": it["tool_use_id"],
        "content": [{"type": "text", "text": it["content"]}] if isinstance(it["content"], str) else it["content"],
    },
    ("gemini@interactions", "call"): lambda it: {
        "type": "function_call",
        "id": it["id"],
        "name": it["name"],
        "arguments": it["input"],
    },
    ("gemini@interactions", "result"): lambda it: {
        "type": "function_result",
        "call_id": it["call_id"],
        "result": it["output"],
    },
    ("bedrock@agents", "call"): lambda it: spelled(
        get_format("bedrock@agents"), it["toolUse"]["name"], it["toolUse"]["input"]
    ),
    ("bedrock@agents", "result"): lambda it: {
        "functionResult": {
            "actionGroup": "Sea",
            "function": it["name"],
            "responseBody": {"TEXT": {"body": it["content"]}},
        }
    },
    ("openai@realtime", "call"): lambda it: {
        key: it[key] for key in ("type", "id", "call_id", "name", "arguments") if key in it
    },
    ("openai@realtime", "result"): lambda it: {
        "type": it["type"],
        "call_id": it["call_id"],
        "output": it["output"] if isinstance(it["output"], str) else json.dumps(it["output"]),
        "object": "realtime.item",
    },
    ("mistral@responses", "call"): lambda it: it,
    ("mistral@responses", "result"): lambda it: it,
    ("mistral@conversations", "call"): lambda it: {"type": "function.call", "tool_call_id": "c1", **it},
    ("mistral@conversations", "result"): lambda it: {
        "type": "function.result",
        "tool_call_id": "c1",
        "result": it["content"],
    },
    ("ollama", "call"): _by_ollama,
    ("ollama", "result"): lambda it: {**it, "tool_name": "now"},
    ("langchain", "call"): lambda it: {"type": "tool_call", "name": it["name"], "args": it["input"], "id": it["id"]},
    ("langchain", "result"): lambda it: {"type": "tool", "tool_call_id": it["tool_call_id"], "content": it["content"]},
    ("arcade-engine", "call"): lambda it: {
        "run_id": "r1",
        "execution_id": "te_1",
        "created_at": _NOW,
        "tool": {"name": it["func"], "toolkit": "Evaluated", "version": "1.0.0"},
        "inputs": it["args"],
        "context": {"user_id": "u1"},
    },
    ("arcade-engine@4", "result"): lambda it: _engine_result(it, kind="TOOL_RUNTIME_FATAL"),
    ("arcade-engine@otc", "result"): _engine_result,
}
"""The same documents in the words of a format of which nobody has published any."""

MESSAGES = {
    "call": lambda it: it.get("method") == "tools/call",
    "result": lambda it: "content" in it.get("result", {}),
}
"""Which JSON-RPC messages of the specification's examples are calls or results of tools."""


@cache
def found(name: str) -> tuple[Json, ...]:
    """The real documents of these files."""
    files = sorted((SHARED / "corpus").glob(f"*/{name}.jsonl"))
    return tuple(json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines())


def real(family: str, kind: Kind) -> list[Json]:
    """The real documents of a family."""
    return [
        document
        for file in FILES[family, kind]
        for document in found(file)
        if file != "envelopes.mcp-jsonrpc" or MESSAGES[kind](document)
    ]


@cache
def documents(edition: str, kind: Kind) -> tuple[Json, ...]:
    """All real documents of an edition that are valid in it."""
    family, _, name = edition.partition("@")
    of_edition = f"{family}@{name.removesuffix('-strict')}"
    known = of_edition if (of_edition, kind) in FILES else family
    spell = SPELLED.get((edition, kind)) or SPELLED.get((family, kind)) or (lambda it: it)
    shapes = [each for each in SHAPES if (each.format.id, each.kind) == (edition, kind)]
    out = []
    for document in real(known, kind):
        with suppress(KeyError, ValueError):  # what only its own vendor says
            out.append(spell(document))
    return tuple(document for document in out if any(shape.has(document) for shape in shapes))


MENDED = ("TB001", "TB002")
"""What may be reported of a real document that stays where it is: null where there should be nothing, keys twice."""


def some(a: Format, b: Format, kind: Kind) -> list[Json]:
    """The documents for a pair: evenly spread, beginning where no neighbour does."""
    known = documents(a.id, kind)
    if SAMPLE is None or len(known) <= SAMPLE:
        return list(known)
    step = len(known) / SAMPLE
    start = crc32(f"{a.id} {b.id} {kind}".encode()) % max(1, int(step))
    return [known[start + int(n * step)] for n in range(SAMPLE) if start + int(n * step) < len(known)]


# Services have no documents but OpenAI's, and its shapes.
OTHERS = {kind: [form for form in SPEAKERS[kind] if form.family not in OPENAI_ALIKE] for kind in KINDS}
PAIRS = [(a, b, kind) for kind in KINDS for a in OTHERS[kind] for b in OTHERS[kind] if is_tested(a, b)]


@pytest.mark.parametrize(("a", "b", "kind"), PAIRS, ids=[f"{a.id}-{b.id}-{kind}" for a, b, kind in PAIRS])
def test_laws(a: Format, b: Format, kind: Kind) -> None:
    for index, document in enumerate(some(a, b, kind)):
        if a is b:
            law.holds(law.identity(document, a, kind, *MENDED))
            continue
        if law.refused(document, a, b, kind):
            continue
        law.holds(law.restoring(document, a, b, kind))
        law.holds(law.honesty(document, a, b, kind))
        law.holds(law.places_exist(document, a, b, kind))
        law.holds(law.validity(document, a, b, kind))
        if index % 5 == 0:
            law.holds(law.purity(document, a, b, kind))
            law.holds(law.completeness(document, a, b, kind, every=7, start=index // 5))


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_real_documents_for_every_format(kind: Kind) -> None:
    counts = {form.id: len(documents(form.id, kind)) for form in OTHERS[kind]}
    assert min(counts.values(), default=0) > 0, counts


UNKNOWN: dict[tuple[str, Kind], tuple[int, str]] = {}
"""Real documents that no edition of their family takes: how many, and why."""


_BY_HAND = {of.partition("@")[0] for of, kind in SPELLED if "@" not in of or (of, kind) not in FILES} - {"mcp"}
PUBLISHED = [(name, kind) for name, kind in FILES if name not in _BY_HAND and (name, kind) not in SPELLED]
"""Families of which somebody has published documents."""


@pytest.mark.parametrize(("family", "kind"), PUBLISHED)
def test_every_real_document_is_one_of_its_family(family: str, kind: Kind) -> None:
    forms = [form for form in SPEAKERS[kind] if family in (form.id, form.family)]
    strange = [it for it in real(family, kind) if not any(takes(form, it, kind) for form in forms)]
    count, reason = UNKNOWN.get((family, kind), (0, ""))
    assert len(strange) == count, (reason, strange[:3])


def takes(form: Format, document: Json, kind: Kind) -> bool:
    try:
        return law.same(law.cross(document, form, form, kind).value, document)
    except DocumentError:
        return False
