"""Same road: texts come out of lanes as the bridge converts their documents, for every ordered pair of editions.

Each pair has a sample of its own; `CORPUS=all` takes every real tool, `HYPOTHESIS_PROFILE=long` many more texts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from laws import catalogues, law, same_road
from laws.catalogues import siblings
from laws.generated import documents
from laws.spelled import COMPACT, SPELLINGS, content
from laws.test_corpus import HARD, hard, some
from oracles import SHARED, WITHOUT
from toolbridge import api, get_format
from toolbridge.api import Bridge
from toolbridge.bulk import lane
from toolbridge.mapping.format import Format

FREE = [form for form in law.WRITABLE if form.tool.free]
IDS = [form.id for form in law.WRITABLE]
PAIRS = [f"{a.id}-{b.id}" for a, b in law.PAIRS]
SAMPLE = 12 if os.environ.get("CORPUS") != "all" else None
"""How many real tools each pair gets, beside some of the hard ones."""

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


@contextmanager
def impatience() -> Iterator[None]:
    """What is worth while for hundreds of tools is done for a few."""
    usual = lane._MANY, api._OFTEN
    lane._MANY = api._OFTEN = 1
    try:
        yield
    finally:
        lane._MANY, api._OFTEN = usual


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
            assert same_road.breach(bridge, text, lines=lines, **options) is None


@pytest.mark.parametrize(("a", "b"), law.PAIRS, ids=PAIRS)
def test_templates_are_used(a: Format, b: Format) -> None:
    """Or else the law would say nothing of them."""
    random = seeded(b.id, a.id)
    bridge = Bridge(a, b)
    able = [each for each in fixtures(a.id) if same_road.by_bridge(bridge, msgspec.json.encode(each)).values]
    made = content(random, a, random.choice(able), random.choice(SPELLINGS[:4]), plain=True)
    items = [made.filled(catalogues.plain_name(random), f"Adds {n}.").encode() for n in range(5)]
    for lines in (True, False):
        text = catalogues.catalogue(random, a, items, lines=lines)
        assert same_road.breach(bridge, text, lines=lines, on_error="skip") is None
    assert (same_road.spliced(bridge) > 0) == ("name" in a.tool.free)


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
    with impatience() if compact and random.random() < 0.3 else nullcontext():
        assert same_road.breach(Bridge(a, b), text, lines=lines, on_error="skip") is None


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@many
@given(data=st.data())
def test_generated_texts(a: Format, data: st.DataObject) -> None:
    b = data.draw(st.sampled_from([form for form in law.WRITABLE if form is not a]))
    random = Random(data.draw(st.integers(0, 2**32)))
    make = catalogues.case(random, a, [data.draw(documents(a)), *random.sample(pool(a.id), 2)], 2, 4)
    bridge = Bridge(a, b)
    text, lines, options = make()
    assert same_road.breach(bridge, text, lines=lines, **options) is None


@pytest.mark.parametrize("a", FREE, ids=[form.id for form in FREE])
@many
@given(data=st.data())
def test_whatever_stands_in_the_holes(a: Format, data: st.DataObject) -> None:
    """A template gives what the bridge gives for any two fillings of its holes."""
    b = data.draw(st.sampled_from([form for form in law.WRITABLE if form is not a]))
    random = Random(data.draw(st.integers(0, 2**32)))
    bridge = Bridge(a, b)
    made = content(random, a, random.choice(pool(a.id)), random.choice(SPELLINGS), plain=random.random() < 0.5)
    before = [made.filled(catalogues.plain_name(random), f"Says {n}.") for n in range(4)]
    bridge.bytes("\n".join(before), lines=True, on_error="skip")
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
    with impatience():
        for b in targets if SAMPLE is None else targets[FREE.index(a) % 4 :: 4]:
            bridge = Bridge(a, b)
            document = random.choice(fixtures(a.id))
            for _ in range(2):
                made = [content(random, a, each, COMPACT, plain=True) for each in siblings(random, a, document)]
                items = [text for each in made for text in catalogues.copies(random, a, each, 2)]
                text = "\n".join(items).encode("utf-8", "surrogatepass")
                assert alike(bridge, text) is None, text


def alike(bridge: Bridge, text: bytes) -> str | None:
    """Whether the roads agree on JSON Lines, as warm as the bridge is."""
    wanted = same_road.by_bridge(bridge, text, lines=True, on_error="skip")
    return same_road.difference(same_road.by_lane(bridge, text, lines=True, on_error="skip"), wanted)


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
def test_documents_that_cross_again(a: Format) -> None:
    """A bridge that is called again and again gives what it gave at first, remainders and ways of calls included."""
    random = seeded(a.id, "again")
    targets = [form for form in law.WRITABLE if form is not a]
    known = 0
    with impatience():
        for b in targets if SAMPLE is None else targets[law.WRITABLE.index(a) % 4 :: 4]:
            bridge = Bridge(a, b)
            contents = [
                content(random, a, each, COMPACT, plain=random.random() < 0.7)
                for each in [*random.sample(pool(a.id), 2), *siblings(random, a, random.choice(fixtures(a.id)))[:3]]
            ]
            texts = [text for made in contents for text in catalogues.copies(random, a, made, 5)]
            for text in [*texts, *random.sample(texts, 8)]:
                try:
                    document = msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
                except (msgspec.DecodeError, RecursionError):
                    continue
                assert same_road.repeated(bridge, document) is None, text
            known += 0 if bridge._again is None else sum(each.statistics.templates for each in bridge._again._lanes)
    assert (known > 0) == ("name" in a.tool.free)
