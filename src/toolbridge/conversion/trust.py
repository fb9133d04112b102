"""Trust in remainders that were embedded in a document by somebody unknown.

It may only add what the document cannot hold: what it restores, converted again, has to give the document that carries
it, except for a toolkit, version, title or description that the restored tool lacks, and for invented values outside
of the input schema. So it can replace neither the tool nor its name, its parameters or its hints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, cast

from ..data import pointer as at
from ..data.equality import same
from ..data.patch import Operation, diff
from ..data.types import Json
from ..errors import DocumentError
from ..mapping.format import Format
from ..mapping.record import Notes, Record, Unrepresentable
from ..names import forms_of
from ..schema import Options
from .remainder import with_slot, without_slot

_FILLED: Final = ("toolkit", "version", "title", "description")
"""What callers fill in where the original is silent: the document may say it all the same."""

_MOST: Final = 100
"""How many places that a remainder changed are told one by one."""


def is_faithful(restored: Record, document: Json, written: Record, form: Format, options: Options) -> bool:
    """Whether a restored tool is what this document of the format `form` was made of.

    `document` is what carries the remainder, without it, and `written` what was read of it. What stands there because
    the original said nothing, invented or filled in by whoever converted it, need not come out again.
    """
    for path in _FILLED:
        if path not in restored.fields and path in written.fields:
            restored.fields[path] = written.fields[path]
    slot = cast("str", form.slot)
    for names, apart in _namings(restored.fields["name"], written.fields["name"], form):
        restored.apart = apart
        notes: Notes = []
        try:
            again = form.tool.write(restored, form.family, notes, names=names, target=form.id, options=options)
        except (DocumentError, Unrepresentable):
            return False
        again = without_slot(with_slot(again, slot, None), slot)
        for code, _, place in notes:
            if code == "TB401" and place and _is_answer(form, place):
                _copy(document, again, place)
        if same(again, document):
            return True
    return False


def replaces_all(operation: Operation) -> bool:
    """Whether an operation makes another document of this one."""
    return operation[1] == "" and operation[0] != "order"


def changed_places(before: Json, after: Json) -> Iterator[str]:
    """The places of a restored tool that are not what the document alone would have become there; not all of many."""
    told = dict.fromkeys(_place(operation, after) for operation in diff(before, after) if operation[0] != "order")
    for number, place in enumerate(told):
        if number == _MOST:
            yield ""
            return
        yield place


def _namings(original: str, written: str, form: Format) -> Iterator[tuple[Mapping[str, str], bool]]:
    """The ways in which a tool may be named: as it would be alone, and with a digest among others like it."""
    yield {}, False
    if form.identity is not None:
        yield {}, True
    if form.names is None:
        return
    for name in forms_of(original, form.names):
        if name == written or (form.identity is not None and written.endswith(f"_{name}")):
            yield {original: name}, False
            yield {original: name}, True


def _is_answer(form: Format, place: str) -> bool:
    """Whether what is invented at a place can be answered by whoever converts: all but what a tool takes."""
    row = form.tool.rows.get(place)
    return row is None or row.hub != "input"


def _copy(document: Json, again: Json, place: str) -> None:
    """Let what stands at a place of the document stand there in the other as well."""
    value = at.get(document, place)
    if value is not at.MISSING and at.get(again, place) is not at.MISSING:
        at.put(again, place, value)


def _place(operation: Operation, after: Json) -> str:
    """The place that an operation changed, or the nearest above it that is there."""
    place = cast("str", operation[1])
    while place and at.get(after, place) is at.MISSING:
        place = place[: place.rindex("/")]
    return place
