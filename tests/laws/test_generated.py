"""The laws over generated tools, for every format and every ordered pair."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st

from laws import law, meaning
from laws.generated import JSON, NAMES, documents
from toolbridge import DocumentError, LossError, convert
from toolbridge.mapping.format import Format

IDS = [form.id for form in law.WRITABLE]


def crossing(document: Any, a: Format, b: Format) -> bool:
    """Whether the document can cross at all; one that cannot has said why."""
    try:
        convert(document, b, source=a)
    except (DocumentError, LossError) as error:
        note(f"refused: {error}")
        return False
    return True


@st.composite
def crossings(draw: st.DrawFn, a: Format, *, always: str | None = None) -> tuple[Any, Format]:
    b = draw(st.sampled_from([form for form in law.WRITABLE if form is not a]))
    document = draw(documents(a, always=always))
    assume(crossing(document, a, b))
    return document, b


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@given(data=st.data())
def test_identity(a: Format, data: st.DataObject) -> None:
    document = data.draw(documents(a))
    assume(crossing(document, a, a))
    assert law.identity(document, a) is None


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@given(data=st.data())
def test_restoring(a: Format, data: st.DataObject) -> None:
    document, b = data.draw(crossings(a))
    assert law.restoring(document, a, b) is None
    assert law.purity(document, a, b) is None


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@given(data=st.data())
def test_carried(a: Format, data: st.DataObject) -> None:
    document = data.draw(documents(a))
    b = data.draw(st.sampled_from([form for form in law.WRITABLE if form is not a and form.slot is not None]))
    assume(crossing(document, a, b))
    assert law.carried(document, a, b) is None


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@given(data=st.data())
def test_completeness(a: Format, data: st.DataObject) -> None:
    document, b = data.draw(crossings(a))
    assert law.completeness(document, a, b) is None


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@given(data=st.data())
def test_honesty(a: Format, data: st.DataObject) -> None:
    document, b = data.draw(crossings(a))
    assert law.honesty(document, a, b) is None
    assert law.places_exist(document, a, b) is None


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@given(data=st.data())
def test_validity(a: Format, data: st.DataObject) -> None:
    document, b = data.draw(crossings(a))
    assert law.validity(document, a, b) is None


SCHEMAS = [form for form in law.WRITABLE if form.tool.rows_of("input")]


@pytest.mark.parametrize("a", SCHEMAS, ids=[form.id for form in SCHEMAS])
@given(data=st.data())
def test_meaning(a: Format, data: st.DataObject) -> None:
    document, b = data.draw(crossings(a, always="input"))
    it = meaning.sides(document, a, b)
    assume(it is not None)
    assert it is not None
    names = [*it.meant.get("properties", {}), *it.got.get("properties", {})]
    keys = st.sampled_from(names) | NAMES if names else NAMES
    drawn = [data.draw(st.dictionaries(keys, JSON, max_size=3)) for _ in range(2)]
    seed = data.draw(st.integers(0, 2**16))
    assert meaning.breach(it, [*drawn, *meaning.arguments(it, Random(seed), 20)]) is None
