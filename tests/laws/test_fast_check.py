"""What the fast check calls valid, the full check calls valid: for every edition, as itself and as every vendor's."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laws import catalogues, law
from laws.generated import documents
from laws.spelled import SPELLINGS, content
from laws.test_corpus import some
from laws.test_same_result import pool
from oracles import SHARED, WITHOUT
from toolbridge import bridge, check, validation
from toolbridge.bulk.fastcheck import FastCheck
from toolbridge.mapping.format import Format

PAIRS = [
    (a, b) for a in law.WRITABLE for b in law.WRITABLE if a is b or (b.dialect is not None and law.is_tested(a, b))
]
IDS = [f"{a.id}-{b.id}" for a, b in PAIRS]
PROVED = {"mcp", "mcpx", "openai", "anthropic", "bedrock", "mistral"}
"""Families whose schemas can be proved."""

many = settings(max_examples=max(10, settings.default.max_examples // 3), suppress_health_check=[*HealthCheck])


@cache
def fast_check(a: Format, b: Format) -> FastCheck:
    return FastCheck(a, b, lambda tool: not problems(tool, a, b))


def problems(tool: Any, a: Format, b: Format) -> list[str]:
    """What the full check finds in a tool of one edition that is sent to another's vendor as it is."""
    if a is b:
        return [str(each) for each in check(tool, b, kind="tool")]
    from toolbridge.limits import LIMITS
    from toolbridge.validation import item_problems

    return [str(each) for each in item_problems(tool, "", None, a, b, limits=LIMITS)]


def holds(a: Format, b: Format, text: str) -> bool:
    """Whether the fast check took a tool; fails where the full check does not agree."""
    name = fast_check(a, b).name_of(text.encode())
    if name is not None:
        assert problems(json.loads(text), a, b) == []
    return name is not None


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=IDS)
def test_fixtures(a: Format, b: Format) -> None:
    random = Random(crc32(f"{a.id} {b.id}".encode()))
    for tool in pool(a.id):
        for text in catalogues.copies(random, a, content(random, a, tool, random.choice(SPELLINGS)), 1):
            holds(a, b, text)


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=IDS)
def test_lists(a: Format, b: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    """`check` finds the same in a list with and without the fast check of its tools."""
    tools = [*pool(a.id), {}, None]

    def found() -> list[tuple[int | None, str]]:
        return [(error.item, str(error)) for error in check(tools, b, kind="tool")]

    monkeypatch.setattr(validation, "FAST_PATH_FROM", 0)
    fast = found()
    monkeypatch.setattr(validation, "fast_check", lambda *_: None)
    assert fast == found()


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)
@pytest.mark.parametrize(("a", "b"), PAIRS, ids=IDS)
def test_real_tools(a: Format, b: Format) -> None:
    if a.id == "arcade-engine@otc":
        pytest.skip("nobody has published tools of the draft of March 2025")
    random = Random(crc32(f"{a.id} {b.id} real".encode()))
    found = some(a, b)
    for tool in random.sample(found, min(12, len(found))):
        for text in catalogues.copies(random, a, content(random, a, tool, random.choice(SPELLINGS), plain=True), 1):
            holds(a, b, text)


@pytest.mark.parametrize("a", law.WRITABLE, ids=[form.id for form in law.WRITABLE])
@many
@given(data=st.data())
def test_generated(a: Format, data: st.DataObject) -> None:
    tool = data.draw(documents(a))
    for b in (a, data.draw(st.sampled_from([b for _, b in PAIRS if b is not a and b.dialect is not None]))):
        holds(a, b, json.dumps(tool, ensure_ascii=False))


TOOL = {
    "name": "add",
    "description": "Adds.",
    "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "description": "A."}}},
}


LOOKED_AT = {"arcade", "arcade-engine", "gemini", "langchain", "hyper-mcp", "bedrock@agents", "mcpb"}
"""Families and editions in which it depends on more than the types of their members whether tools are valid."""

USED = [
    (a, b)
    for a, b in PAIRS
    if {a.family, a.id, b.id}.isdisjoint(LOOKED_AT)
    and b.family in PROVED
    and not ("strict" in a.id or "strict" in b.id)
]


@pytest.mark.parametrize(("a", "b"), USED, ids=[f"{a.id}-{b.id}" for a, b in USED])
def test_it_is_used(a: Format, b: Format) -> None:
    """Or else the law would say nothing of it."""
    assert holds(a, b, json.dumps(bridge("mcp", a)(TOOL).value))
