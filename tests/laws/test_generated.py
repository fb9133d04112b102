"""The laws over generated tools, for every format and every ordered pair."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st

from laws import law
from laws.generated import JSON, NAMES, documents
from oracles import judges
from toolbridge import DocumentError, LossError, convert
from toolbridge.format import Format

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
def crossings(draw: st.DrawFn, a: Format) -> tuple[Any, Format]:
    b = draw(st.sampled_from([form for form in law.WRITABLE if form is not a]))
    document = draw(documents(a))
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
def test_there_and_back(a: Format, data: st.DataObject) -> None:
    document, b = data.draw(crossings(a))
    assert law.there_and_back(document, a, b) is None
    assert law.hands_off(document, a, b) is None


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@given(data=st.data())
def test_no_silence(a: Format, data: st.DataObject) -> None:
    document, b = data.draw(crossings(a))
    assert law.no_silence(document, a, b) is None


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@given(data=st.data())
def test_honesty(a: Format, data: st.DataObject) -> None:
    document, b = data.draw(crossings(a))
    assert law.honesty(document, a, b) is None
    assert law.places_exist(document, a, b) is None


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@given(data=st.data())
def test_good_standing(a: Format, data: st.DataObject) -> None:
    document, b = data.draw(crossings(a))
    value = convert(document, b, source=a).value
    b.tool.verify(value)
    for judge in judges(b.id):
        assert judge(value) is None


def _validator(schema: Any) -> Any:
    try:
        return jsonschema_rs.validator_for(schema)
    except (ValueError, jsonschema_rs.ReferencingError):
        return None


@pytest.mark.parametrize("a", law.WRITABLE, ids=IDS)
@given(data=st.data())
def test_meaning(a: Format, data: st.DataObject) -> None:
    """An argument that only one of the schemas accepts is accounted for: TB2 if the target's, TB3 if the source's."""
    document, b = data.draw(crossings(a))
    value, report, _ = convert(document, b, source=a)
    meant = a.tool.open(document, a.family).fields.get("input")
    got = b.tool.open(value, b.family).fields.get("input")
    if meant is None or got is None:
        return
    one, other = _validator(meant), _validator(got)
    assume(one is not None and other is not None)
    names = [*meant.get("properties", {}), *got.get("properties", {})]
    keys = st.sampled_from(names) | NAMES if names else NAMES
    for _ in range(4):
        arguments = data.draw(st.dictionaries(keys, JSON, max_size=3))
        before, after = one.is_valid(arguments), other.is_valid(arguments)
        if after and not before:
            assert len(report.matching("TB2", "TB0")), (a.id, b.id, arguments, meant, got, list(report))
        if before and not after:
            assert len(report.matching("TB3", "TB0")), (a.id, b.id, arguments, meant, got, list(report))
