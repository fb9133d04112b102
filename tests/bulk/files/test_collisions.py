"""Tools that meet are found, however many there are and wherever they stand."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbridge import bridge, get_format
from toolbridge.bulk.collisions import collisions_among, find_collisions
from toolbridge.bulk.files import collisions as meeting
from toolbridge.bulk.files.collisions import MarkStore
from toolbridge.bulk.text_converter import TextConverter
from toolbridge.conversion.options import ConversionOptions

from .catalogues import as_lines


@pytest.fixture
def marked(tmp_path: Path) -> Iterator[Any]:
    files: list[Any] = []

    def make(blocks: list[list[int]], others: list[list[int]]) -> MarkStore:
        with (tmp_path / "marks").open("wb") as file:
            for each, other in zip(blocks, others, strict=True):
                array("Q", [*each, *other]).tofile(file)
        files.append((tmp_path / "marks").open("rb"))
        return MarkStore(files[-1].fileno(), [len(each) for each in blocks], identities=True)

    yield make
    for each in files:
        each.close()


@pytest.mark.parametrize(("at_once", "slots"), [(1 << 21, 16), (1000, 1), (70, 0)])
def test_marks_that_are_there_twice(at_once: int, slots: int, marked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting, "_AT_ONCE", at_once)
    monkeypatch.setattr(meeting, "_SLOTS", slots)
    chance = random.Random(at_once)  # the same every time
    few = [chance.getrandbits(64) | 1 for _ in range(200)]
    sizes = [chance.randint(0, 99) for _ in range(120)]
    one = lambda: chance.choice([*few, 0]) if chance.random() < 0.05 else chance.getrandbits(64) | 1  # noqa: E731
    blocks = [[one() for _ in range(size)] for size in sizes]
    others = [[chance.getrandbits(64) for _ in each] for each in blocks]
    others[7][0:1] = others[100][0:1] = others[3][0:1] = [(1 << 64) - 1]
    every = [each for block in blocks for each in block]
    twice = {each for each, many in Counter(every).items() if many > 1 and each}
    assert len(twice) > 10
    found = marked(blocks, others)
    assert found.repeated() == (twice, {(1 << 64) - 1})
    numbers = found.items_with(twice, {(1 << 64) - 1})
    extra = {sum(map(len, blocks[:n])) for n in (3, 7, 100)}
    assert numbers == sorted({n for n, each in enumerate(every) if each in twice} | extra)
    assert found.items_with(set(), set()) == []


WORDS = st.text("aB_-! .é", min_size=1, max_size=3).filter(str.strip)


@given(st.lists(WORDS, min_size=2, max_size=30), st.sampled_from(["openai", "gemini", "bedrock", "arcade", "mcp"]))
def test_what_meets_is_told_as_if_all_were_looked_at(names: list[str], to: str) -> None:
    target = get_format(to)
    fill = {"toolkit": "Kit", "/version": "1.0.0"} if to == "arcade" else None
    converter = TextConverter(get_format("mcp"), target, ConversionOptions(fill=fill))
    data = as_lines([{"name": name, "inputSchema": {"type": "object"}} for name in names])
    spans: list[tuple[int, int]] = []
    for line in data.splitlines(keepends=True):
        start = spans[-1][1] + 1 if spans else 0
        spans.append((start, start + len(line) - 1))
    want = collisions_among(enumerate(converter.records(data, spans)), target)

    from toolbridge.bulk.files.plan import Plan
    from toolbridge.bulk.files.worker import Worker

    options = ConversionOptions(fill=fill, on_error="skip")
    plan: Any = Plan(None, get_format("mcp"), target, None, options, separator=b"", writes=("out",))
    plan.text = _Named()
    worker = Worker(plan)
    told: list[int] = []
    marks: array[int] = array("Q", worker._marked(converter.convert(data, spans)))
    names_of, identities = marks[: len(names)], marks[len(names) :]
    looked: list[int] = []

    def look(numbers: Any) -> Any:
        looked.extend(numbers)
        return [(number, converter.records(data, [spans[number]])[0]) for number in numbers]

    class Together(MarkStore):
        def __init__(self) -> None:
            self._has_identities = bool(identities)

        def blocks_of_marks(self) -> Any:
            yield 0, names_of, identities

        def repeated(self) -> Any:
            def twice(found: Any) -> set[int]:
                return {each for each, many in Counter(found).items() if many > 1 and each}

            return twice(names_of), twice(identities)

    found, told = find_collisions(Together(), target, look)
    assert len(looked) == len(set(looked))
    alone = {n for n in range(len(names)) if n not in looked}
    # Of those that meet nobody it may say that they are called what they would be called alone.
    for n in alone:
        one = bridge("mcp", to).bytes(data[slice(*spans[n])], fill=fill)[0]
        again = converter.convert(data, [spans[n]], n, want).parts[0]
        assert again == one
    for n in looked:
        assert converter.convert(data, [spans[n]], n, found).parts == converter.convert(data, [spans[n]], n, want).parts
    assert set(told) <= set(looked)
    assert want.ambiguous | want.duplicates <= set(looked)


class _Named:
    name = "in"
