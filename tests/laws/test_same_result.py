"""Same result: `Bridge.bytes` writes texts as the bridge converts their documents, for every ordered pair of editions.

Each pair has a sample of its own; `CORPUS=all` takes every real tool, `HYPOTHESIS_PROFILE=long` many more texts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from laws import catalogues, law, same_result
from laws.catalogues import siblings
from laws.generated import documents
from laws.spelled import COMPACT, SPELLINGS, content
from laws.test_corpus import HARD, hard, some
from oracles import SHARED, WITHOUT
from toolbridge import api, get_format
from toolbridge.api import Bridge
from toolbridge.conversion import converter
from toolbridge.mapping.format import Format

FREE = [form for form in law.WRITABLE if form.tool.free]
IDS = [form.id for form in law.WRITABLE]
PAIRS = [f"{a.id}-{b.id}" for a, b in law.PAIRS]
SAMPLE = 12 if os.environ.get("CORPUS") != "all" else None
"""How many real tools each pair gets, beside some of the hard ones."""

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


@pytest.fixture(autouse=True, scope="module")
def _at_once() -> Iterator[None]:
    """The fast path is compiled for the first tool."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api, "FAST_PATH_FROM", 0)
        patch.setattr(api, "FAST_PATH_FROM_IN_LISTS", 0)
        patch.setattr(converter, "FAST_PATH_FROM_IN_LISTS", 0)
        yield


@cache
def fixtures(edition: str) -> list[Any]:
    family, _, name = edition.partition("@")
    files = [FIXTURES / family / f"{name}.jsonl", *sorted((FIXTURES / family).glob("*.jsonl"))]
    lines = next(file for file in files if file.is_file()).read_text(encoding="utf-8").splitlines()
    return [each for each in map(json.loads, lines) if isinstance(each, dict)]


@cache
def pool(edition: str) -> list[Any]:
    """Tools to make contents of: those that lie beside the tests, and generated ones."""
    found = fixtures(edition)[:20]

    @settings(
        max_examples=25, derandomize=True, database=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck]
    )
    @given(documents(get_format(edition)))
    def gather(document: Any) -> None:
        found.append(document)

    gather()
    return found


# Each example is many texts. Pools are gathered within tests.
many = settings(max_examples=max(10, settings.default.max_examples // 3), suppress_health_check=[*HealthCheck])


def seeded(*words: object) -> Random:
    return Random(crc32(" ".join(map(str, words)).encode()))


@pytest.mark.parametrize(("a", "b"), law.PAIRS, ids=PAIRS)
def test_contents_that_come_again(a: Format, b: Format) -> None:
    random = seeded(a.id, b.id)
    bridge = Bridge(a, b)
    for usual, calls in ((True, 2), (False, 1)):
        make = catalogues.case(random, a, pool(a.id), 2, 5, usual=usual)
        for _ in range(calls):
            text, lines, options = make()
            assert same_result.breach(bridge, text, lines=lines, **options) is None


USED = {
    *("mcp", "mcpx", "hyper-mcp", "openai", "anthropic", "bedrock", "cohere", "mistral", "ollama"),
    *("webmcp", "vscode", "utcp", "agentcore", "server-json", "arcade"),
}
"""Families whose tools are read by the fast path."""


@pytest.mark.parametrize(("a", "b"), [pair for pair in law.PAIRS if pair[0].family in USED], ids=str)
def test_the_fast_path_is_used(a: Format, b: Format) -> None:
    """Or else the law would say nothing of it."""
    if b.family in ("gemini", "langchain"):
        pytest.skip("their rows look at what stands beside the schema")
    if "bedrock@agents" in (a.id, b.id):
        pytest.skip("its parameters are no schema")
    if a.family == "arcade" and b.family in ("arcade", "arcade-engine") and a is not b:
        pytest.skip("their rows look at the id")
    if a.id.endswith("strict") or "strict" in a.id.partition("@")[2]:
        pytest.skip("whether they are strict is asked of the schema")
    restored = Bridge(get_format("mcp"), a)
    tool = {
        "name": "add",
        "description": "Adds.",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "description": "A."}}},
    }
    assert same_result.fast(Bridge(a, b), restored(tool).value)


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)
@pytest.mark.parametrize(("a", "b"), law.PAIRS, ids=PAIRS)
def test_real_tools(a: Format, b: Format) -> None:
    if a.id == "arcade-engine@otc":
        pytest.skip("nobody has published tools of the draft of March 2025")
    random = seeded(a.id, b.id, "real")
    found = some(a, b)
    if SAMPLE is not None:
        found = random.sample(found, min(SAMPLE, len(found)))
        found += random.sample(hard(), 12) if a.id == HARD else []
    compact = random.random() < 0.5
    hows = [COMPACT] if compact else SPELLINGS
    made = [content(random, a, each, random.choice(hows), plain=True) for each in found]
    items = [text for each in made for text in catalogues.copies(random, a, each, 1)]
    items += [text for each in made[::4] for text in catalogues.copies(random, a, each, 3)]
    lines = random.random() < 0.5
    text = catalogues.catalogue(random, a, [each.encode() for each in items], lines=lines)
    assert same_result.breach(Bridge(a, b), text, lines=lines, on_error="skip") is None
    for document in found:
        assert same_result.differing(Bridge(a, b), document) is None


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@many
@given(data=st.data())
def test_generated_texts(a: Format, data: st.DataObject) -> None:
    b = data.draw(st.sampled_from([form for form in law.WRITABLE if form is not a]))
    random = Random(data.draw(st.integers(0, 2**32)))
    make = catalogues.case(random, a, [data.draw(documents(a)), *random.sample(pool(a.id), 2)], 2, 4)
    bridge = Bridge(a, b)
    text, lines, options = make()
    assert same_result.breach(bridge, text, lines=lines, **options) is None


@pytest.mark.parametrize("a", FREE, ids=[form.id for form in FREE])
@many
@given(data=st.data())
def test_whatever_stands_in_the_texts(a: Format, data: st.DataObject) -> None:
    """Names and descriptions that are spelled in any way, and such as are no JSON."""
    b = data.draw(st.sampled_from([form for form in law.WRITABLE if form is not a]))
    random = Random(data.draw(st.integers(0, 2**32)))
    bridge = Bridge(a, b)
    made = content(random, a, random.choice(pool(a.id)), random.choice(SPELLINGS), plain=random.random() < 0.5)
    strings = st.text(max_size=12).map(lambda text: json.dumps(text)[1:-1])
    raw = st.text(alphabet='"\\{}[],:nu0\n \x00aé', max_size=8)
    holes = st.tuples(strings | raw | st.just("aB_3"), strings | raw | st.just("Says."))
    for filled, words in (data.draw(holes), data.draw(holes)):
        name = catalogues.stretched(random, a, made, filled) if random.random() < 0.3 else filled
        text = made.filled(name, words).replace("\n", " ").encode("utf-8", "surrogatepass")
        assert alike(bridge, text) is None, text


@pytest.mark.parametrize("a", FREE, ids=[form.id for form in FREE])
def test_schemas_that_differ(a: Format) -> None:
    """The same tool with schemas of all kinds, most of which the bridge leaves as they are."""
    random = seeded(a.id, "schemas")
    targets = [form for form in law.WRITABLE if form is not a]
    for b in targets if SAMPLE is None else targets[FREE.index(a) % 4 :: 4]:
        bridge = Bridge(a, b)
        document = random.choice(fixtures(a.id))
        for _ in range(2):
            made = [content(random, a, each, COMPACT, plain=True) for each in siblings(random, a, document)]
            items = [text for each in made for text in catalogues.copies(random, a, each, 2)]
            text = "\n".join(items).encode("utf-8", "surrogatepass")
            assert alike(bridge, text) is None, text


def alike(bridge: Bridge, text: bytes) -> str | None:
    """Whether the paths agree on JSON Lines, as warm as the bridge is."""
    wanted = same_result.by_bridge(bridge, text, lines=True, on_error="skip")
    return same_result.difference(same_result.by_bytes(bridge, text, lines=True, on_error="skip"), wanted)


@pytest.mark.parametrize(("a", "b"), law.PAIRS, ids=PAIRS)
def test_documents(a: Format, b: Format) -> None:
    """A bridge that is called gives what the general path gives, remainders and ways of calls included."""
    random = seeded(a.id, b.id, "again")
    bridge = Bridge(a, b)
    some = [*random.sample(pool(a.id), 3), *siblings(random, a, random.choice(fixtures(a.id)))[:3]]
    for each in some:
        made = content(random, a, each, COMPACT, plain=random.random() < 0.7)
        for text in catalogues.copies(random, a, made, 3):
            try:
                document = msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
            except (msgspec.DecodeError, RecursionError):
                continue
            assert same_result.differing(bridge, document) is None, text


NULLS = st.sampled_from(["title", "description", "annotations", "icons", "_meta", "execution", "outputSchema"])


@pytest.mark.parametrize("b", law.WRITABLE, ids=IDS)
@many
@given(data=st.data())
def test_what_says_nothing(b: Format, data: st.DataObject) -> None:
    """Null where null says nothing, and members in any order, as servers write them."""
    a = data.draw(st.sampled_from([form for form in law.WRITABLE if form.family == "mcp" and form is not b]))
    tool = data.draw(documents(a))
    tool.update(dict.fromkeys(data.draw(st.lists(NULLS, max_size=3)), None))
    if isinstance(tool.get("annotations"), dict):
        hints = st.sampled_from(["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"])
        tool["annotations"].update(data.draw(st.dictionaries(hints, st.none() | st.booleans(), max_size=3)))
    tool = dict(data.draw(st.permutations(list(tool.items()))))
    assert same_result.differing(Bridge(a, b), tool) is None
