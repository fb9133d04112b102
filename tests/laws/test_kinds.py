"""The laws for the kinds beside tools, calls and results, for every shape and every ordered pair of formats."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws import traffic_law as law
from laws.traffic import Shape, documents
from oracles import SHARED
from toolbridge import LossError, get_format
from toolbridge.conversion.detect import kind_of
from toolbridge.data.types import Json
from toolbridge.formats.registry import FORMATS, shapes_in
from toolbridge.hub import OTHER_KINDS, Kind
from toolbridge.mapping.format import Format, shape_of
from vendors.official_kinds import judged

SHAPES = tuple(Shape(form, kind, each) for kind in OTHER_KINDS for form in FORMATS for each in form.shapes(kind))
SPEAKERS = {kind: tuple(form for form in FORMATS if form.shapes(kind)) for kind in OTHER_KINDS}
LAWS = (law.restoring, law.places_exist, law.completeness, law.purity)

REFUSED = (
    "it has no ",  # the target has no shape of that role
    "a choice of several values",
    "a form without properties",
    "required, but missing",
    "expected",
)


def _is_refused(document: Json, a: Format, b: Format, kind: Kind) -> bool:
    """Whether a document cannot be converted, for one of the reasons above."""
    try:
        law.cross(document, a, b, kind)
    except LossError as error:
        problem = str(error)
    else:
        return False
    assert any(words in problem for words in REFUSED), problem
    return True


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
@settings(max_examples=8)
@given(data=st.data())
def test_laws(shape: Shape, data: st.DataObject) -> None:
    a, kind = shape.format, shape.kind
    document = data.draw(documents(shape))
    law.holds(law.identity(document, a, kind))
    b = data.draw(st.sampled_from([form for form in SPEAKERS[kind] if form is not a]))
    if _is_refused(document, a, b, kind):
        return
    done = law.cross(document, a, b, kind)
    written = shape_of(done.value, shapes_in(b, kind))
    assert written is not None
    written.table.verify(done.value)
    problem = judged(b.id, kind, written.role, done.value)
    if problem is not None and a.family == b.family:  # what its own author broke may stay so in the family
        problem = problem if judged(a.id, kind, written.role, document) is None else None
    # Unknown blocks stay within a family, where nobody else takes them.
    assert problem is None or "hologram" in json.dumps(done.value), (
        f"{a.id} -> {b.id}: {problem}\n {document}\n {done.value}"
    )
    for each in LAWS:
        law.holds(each(document, a, b, kind))


EXAMPLES = sorted((SHARED / "specs" / "mcp" / "2026-07-28" / "examples").glob("*/*.json"))


@pytest.mark.skipif(not EXAMPLES, reason="the official examples are not beside the repository")
def test_official_examples() -> None:
    """The laws hold for each official example that is neither a tool nor a call nor a result, to every format."""
    a = get_format("mcp@2026-07-28")
    for file in EXAMPLES:
        document = json.loads(file.read_text(encoding="utf-8"))
        kind = kind_of(document, None)
        for b in SPEAKERS.get(kind, ()):
            if not _is_refused(document, a, b, kind):
                for each in LAWS:
                    law.holds(each(document, a, b, kind))
