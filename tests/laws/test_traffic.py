"""The laws over generated calls and results, for every form of every format and every ordered pair of formats."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws import traffic_law as law
from laws.law import copied
from laws.traffic import KINDS, SHAPES, SPEAKERS, Shape, documents
from toolbridge import DocumentError
from toolbridge.api import Converted
from toolbridge.data.equality import same
from toolbridge.data.pointer import put
from toolbridge.data.types import Json
from toolbridge.hub import Kind


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
@given(data=st.data())
def test_laws(shape: Shape, data: st.DataObject) -> None:
    a, kind = shape.format, shape.kind
    document = data.draw(documents(shape))
    law.holds(law.identity(document, a, kind))
    b = data.draw(st.sampled_from([form for form in SPEAKERS[kind] if form is not a]))
    if not law.refused(document, a, b, kind):
        law.holds(law.breach(document, a, b, kind))


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_lists(kind: Kind, data: st.DataObject) -> None:
    a, b = (data.draw(st.sampled_from(SPEAKERS[kind])) for _ in range(2))
    shapes = [documents(shape) for shape in SHAPES if (shape.format, shape.kind) == (a, kind)]
    items = data.draw(st.lists(st.one_of(*shapes), max_size=4))
    whole = [item for item in items if not law.refused(item, a, b, kind)]
    law.holds(law.places_exist(whole, a, b, kind))
    law.holds(law.restoring(whole, a, b, kind))
    alone = [law.cross(item, a, b, kind) for item in whole]
    assert same(uninvented(law.cross(whole, a, b, kind)), [uninvented(done) for done in alone])


def uninvented(done: Converted) -> Json:
    """What came out, with nothing where something was invented: two calls without ids get two of them."""
    value = copied(done.value)
    for loss in done.report.matching("TB401"):
        if loss.target is not None:
            put(value, loss.target, None)
    return value


BROKEN: tuple[Any, ...] = (None, 7, "text", [], {}, {"x": 1})


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_what_is_broken_in_a_list_is_left_out_and_the_rest_crosses(kind: Kind, data: st.DataObject) -> None:
    a, b = (data.draw(st.sampled_from(SPEAKERS[kind])) for _ in range(2))
    shapes = [documents(shape) for shape in SHAPES if (shape.format, shape.kind) == (a, kind)]
    good = [item for item in data.draw(st.lists(st.one_of(*shapes), max_size=3)) if not law.refused(item, a, b, kind)]
    place = data.draw(st.integers(0, len(good)))
    items = [*good[:place], data.draw(st.sampled_from(BROKEN)), *good[place:]]
    done = law.cross(items, a, b, kind, on_error="skip")
    value, report, remainder = done
    assert same(uninvented(done), uninvented(law.cross(good, a, b, kind)))
    assert [(loss.code, loss.item) for loss in report.matching("TB9")] == [("TB903", place)]
    assert [error.item for error in report.failures] == [place]
    assert {loss.item for loss in report} <= {*range(len(items))}
    assert all(loss.source.split("/")[1] == str(loss.item) for loss in report)
    with pytest.raises(DocumentError) as found:
        law.cross(items, a, b, kind)
    assert found.value.item == place
    assert remainder is not None
    restored = law.cross(value, b, a, kind, restore=remainder)
    want = [law.unsecret(item, a, kind) if a.family != b.family else item for item in items]
    assert same(restored.value, want)
