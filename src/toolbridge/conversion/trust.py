"""Trust in remainders without a signature that are embedded in a document.

It may only add what the document cannot hold: what it restores, converted again, has to give the document that carries
it, except for a toolkit, version, title or description that the restored tool lacks, and for invented values outside
of the input schema. So it can replace neither the tool nor its name, its parameters or its hints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final, cast

from ..data import pointer as at
from ..data.equality import same
from ..data.names import forms_of
from ..data.patch import Operation, diff
from ..data.types import Json
from ..errors import DocumentError
from ..losses.note import Note
from ..mapping.format import Format
from ..mapping.record import Record, Unrepresentable
from ..schema import Options
from .remainder import with_slot, without_slot
from .rules import long_name

_FILLED: Final = ("toolkit", "version", "title", "description")
"""Fields that the document may have although the original does not, because a caller filled them in."""

_MAX_PLACES: Final = 100
"""The largest number of places that are reported one by one."""


def is_faithful(restored: Record, document: Json, written: Record, form: Format, options: Options) -> bool:
    """Whether a restored tool, written in the format `form`, gives the document.

    `document` is the document without the remainder, and `written` its record. Values that were invented or filled in
    because the original did not have them need not be the same.
    """
    for path in _FILLED:
        if path not in restored.fields and path in written.fields:
            restored.fields[path] = written.fields[path]
    slot = cast("str", form.slot)
    original, is_same = restored.fields["name"], False
    for name, names, ambiguous in _possible_names({**restored.fields}, written.fields["name"], form):
        restored.fields["name"], restored.is_ambiguous = name, ambiguous
        notes: list[Note] = []
        try:
            rewritten = form.tool.write(restored, form.family, notes, names=names, target=form.id, options=options)
        except (DocumentError, Unrepresentable):
            break
        rewritten = without_slot(with_slot(rewritten, slot, None), slot)
        for place in [note.target for note in notes if note.code == "TB401" and note.target]:
            row, value = form.tool.rows.get(place), at.get(document, place)
            is_input = row is not None and row.hub == "input"  # which no caller can fill in
            if not is_input and value is not at.MISSING and at.get(rewritten, place) is not at.MISSING:
                at.put(rewritten, place, value)
        if same(rewritten, document):
            is_same = True
            break
    restored.fields["name"] = original
    return is_same


def replaces_all(operation: Operation) -> bool:
    """Whether an operation replaces the whole document."""
    return operation[1] == "" and operation[0] != "order"


def changed_places(before: Json, after: Json) -> Iterator[str]:
    """The places at which a remainder changed a restored tool; after the first hundred only the root."""
    changed = (cast("str", place) for name, place, *_ in diff(before, after) if name != "order")
    places = dict.fromkeys(at.existing(after, place) for place in changed)
    for number, place in enumerate(places):
        if number == _MAX_PLACES:
            yield ""
            return
        yield place


def _possible_names(
    fields: Mapping[str, Any], written: str, form: Format
) -> Iterator[tuple[str, Mapping[str, str], bool]]:
    """The possible names of a written tool: without other tools, and with its toolkit, version or a digest if others
    have the same name. Each is an alias, its new name if that is not legal, and whether another one has its identity.
    """
    original: str = fields["name"]
    yield original, {}, False
    if form.identity is not None:
        yield original, {}, True
    own_toolkit, own_version = fields.get("toolkit"), fields.get("version")
    for toolkit, version, unique in product((None, own_toolkit), (None, own_version), (False, True)):
        alias = long_name(original, toolkit, version, unique=unique) if toolkit or version else original
        for name in (alias,) if form.names is None else forms_of(alias, form.names):
            if name == written or (form.identity is not None and written.endswith(f"_{name}")):
                yield alias, {alias: name}, False
                yield alias, {alias: name}, True
