"""The laws over the real tools that lie beside the repository, for every ordered pair of editions.

Each pair takes a sample of its own, so that all pairs together see all tools; `CORPUS=all` takes every tool for every
pair, which needs hours.
"""

from __future__ import annotations

import json
import os
from functools import cache
from random import Random
from typing import Any
from zlib import crc32

import pytest

from laws import law, meaning
from oracles import SHARED, WITHOUT
from toolbridge import LossError, convert, get_format
from toolbridge.formats.services import SERVICES
from toolbridge.mapping.format import Format

pytestmark = pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)

SAMPLE = 40 if os.environ.get("CORPUS") != "all" else None
"""How many real tools each pair gets."""

FILES = {
    "mcp": "mcp",
    "mcpx": "mcpx",
    "hyper-mcp": "hyper-mcp",
    "arcade": "oxp",
    "arcade-engine": "arcade",
    "openai@functions": "openai-function",
    "openai@responses": "openai-responses",
    "openai@responses-strict": "openai-responses",
    "openai@realtime": "openai-responses",
    "openai@chat": "openai-chat",
    "openai@chat-strict": "openai-chat",
    "anthropic": "anthropic",
    "gemini": "gemini",
    "gemini@interactions": "openai-responses",  # nobody has published any, but they are in these words
    "bedrock": "bedrock",
    "cohere": "cohere",
    # Nobody has published tools of these, but whoever has some has them in these words.
    "mistral": "openai-chat",
    "mistral@responses": "openai-responses",
    "mistral@conversations": "openai-chat",
    "ollama": "openai-chat",
    "langchain": "mcp",
    "vscode": "vscode-lm",
    "utcp": "utcp",
    # Nobody has published tools of these: what tools of MCP say in their words.
    **dict.fromkeys(("webmcp", "mcpb", "server-json", "agentcore", "bedrock@agents"), "mcp"),
    **dict.fromkeys((service.name for service in SERVICES), "openai-chat"),
    "xai@responses": "openai-responses",
}
HARD = "mcp@2025-11-25"
"""The edition in which schemas that were written to break converters are tried on every other."""


@cache
def tools(edition: str) -> list[Any]:
    """All real tools of an edition."""
    kind = FILES.get(edition) or FILES[edition.partition("@")[0]]
    found = [
        json.loads(line)
        for file in sorted((SHARED / "corpus").glob(f"*/tools.{kind}.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    if edition.startswith("langchain"):
        return [_langchain(tool) for tool in found]
    if edition == "anthropic@managed-agents":  # which nobody has published
        words = ("name", "description", "input_schema")
        return [{"type": "custom", "description": "", **{k: tool[k] for k in words if k in tool}} for tool in found]
    if edition == "openai@realtime":  # which nobody has published
        words = ("type", "name", "description", "parameters")
        return [{word: tool[word] for word in words if tool.get(word) is not None} for tool in found]
    if kind == "openai-chat":
        return [{"type": "function", **tool} for tool in found]  # which some left out
    if kind == "utcp":
        return [tool for tool in found if get_format(edition).tool.required_keys <= tool.keys()]  # others are of 0.1
    if kind == "mcp" and not edition.startswith("mcp@"):
        return [convert(tool, edition, source=HARD).value for tool in found]
    return found


def _langchain(tool: dict[str, Any]) -> dict[str, Any]:
    words = {"description": tool["description"]} if "description" in tool else {}
    return {**tool["inputSchema"], "title": tool["name"], **words, "type": "object"}


@cache
def hard() -> list[Any]:
    """Schemas that broke converters, or were written to."""
    lines = (SHARED / "cases" / "torture.jsonl").read_text(encoding="utf-8").splitlines()
    pains = json.loads((SHARED / "cases" / "pain.json").read_text(encoding="utf-8"))
    inputs = [pain["input"] for pain in pains]
    return [*map(json.loads, lines), *(tool for tool in inputs if isinstance(tool, dict) and "inputSchema" in tool)]


def some(a: Format, b: Format) -> list[Any]:
    """The tools for a pair: evenly spread, beginning where no neighbour does, and the hard ones."""
    found = tools(a.id)
    if SAMPLE is not None and len(found) > SAMPLE:
        step = len(found) / SAMPLE
        start = crc32(f"{a.id} {b.id}".encode()) % max(1, int(step))
        found = [found[start + int(index * step)] for index in range(SAMPLE) if start + int(index * step) < len(found)]
    return found + (hard() if a.id == HARD else [])


@pytest.mark.parametrize(("a", "b"), law.PAIRS, ids=[f"{a.id}-{b.id}" for a, b in law.PAIRS])
def test_laws(a: Format, b: Format) -> None:
    if a.id == "arcade-engine@otc":
        pytest.skip("nobody has published tools of the draft of March 2025")
    refusals: dict[str, set[str]] = {}
    for index, document in enumerate(some(a, b)):
        try:
            convert(document, b, source=a)
        except LossError as error:
            # Schemas written to break converters may do so, if they say why.
            refusals[document["name"]] = {loss.code for loss in error.report}
            continue
        assert law.restoring(document, a, b) is None
        assert law.carried(document, a, b) is None
        assert law.honesty(document, a, b) is None
        assert law.places_exist(document, a, b) is None
        assert law.validity(document, a, b) is None
        assert meaning.meaning(document, a, b, Random(index)) is None
        if index % 7 == 0:
            assert law.purity(document, a, b) is None
            assert law.completeness(document, a, b, every=5, start=index // 7) is None
    assert all(name.startswith("c") and codes <= {"TB901", "TB902"} for name, codes in refusals.items()), refusals
