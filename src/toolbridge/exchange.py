"""Exchange: one run over a bridge with calls or results, which know no catalogue and no names beside their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, cast

from .envelope import Context
from .errors import DocumentError
from .format import Format
from .forms import Form, counterpart, form_of, forms, without
from .framing import Frame
from .hub import Json, Kind, is_object
from .items import Item
from .passage import Passage
from .problems import kind as found
from .reading import Reading
from .row import Notes
from .table import Table


class Exchange(Passage):
    """One run over a bridge with documents of this kind: `"call"` or `"result"`."""

    kind: Kind = "call"
    _forms: dict[int, Form] = {}  # noqa: RUF012 - msgspec makes each run its own

    _answers: ClassVar[tuple[str, ...]] = ("id", "name", "toolkit", "version")

    def _again(self, source: Format, target: Format, **more: Any) -> Passage:
        return Exchange(source, target, kind=self.kind, **more)

    def _framed(self, document: Json) -> Frame:
        if isinstance(document, list):
            items = cast("list[Json]", document)
            return Frame("list", items, [f"/{n}" for n in range(len(items))], "")
        return Frame("tool", [document], [""], "")

    def _slot(self, form: Format) -> str | None:  # noqa: ARG002 - what is sent once carries nothing for later
        return None

    def _read(self, item: Json, place: str, number: int | None, context: Context) -> Item:  # noqa: ARG002
        if not is_object(item):
            # A text may be a call with all that is secret in it: it is not shown.
            seen = "a string" if isinstance(item, str) else found(item)
            failure = DocumentError(f"expected a {self.kind}, found {seen}", place, item=number)
            return Item(number, place, item, failure=failure)
        among = forms(self.source, self.kind)
        form = form_of(item, among)
        if form is None:
            known = ", ".join(sorted({key for each in among for key in each.table.musts}))
            failure = DocumentError(
                f"not a {self.kind} of {self.source.id}: none of its forms ({known}) fits", place, item=number
            )
            return Item(number, place, item, failure=failure)
        try:
            reading = form.table.open(item, self.source.family)
        except DocumentError as error:
            return Item(number, place, item, failure=error.at(place, number))
        self._forms[id(reading)] = form
        for path, value in self._fields.items():
            if path not in reading.fields:
                reading.fields[path] = value
        return Item(number, place, item, reading)

    def _read_back(self, value: Json, item: Item) -> Item:
        form = form_of(value, forms(self.target, self.kind)) if is_object(value) else None
        try:
            if form is None:
                raise DocumentError(f"not a {self.kind}")
            return Item(item.number, "", value, form.table.open(value, self.target.family))
        except DocumentError as error:
            return Item(item.number, "", value, failure=error)

    def _written_by(self, reading: Reading | None) -> Table:
        form = None if reading is None else self._forms.get(id(reading))
        return counterpart(form, self.source, self.target, self.kind).table

    def _names(self, items: Sequence[Item]) -> dict[str, str]:  # noqa: ARG002
        return {}

    def _repeated(self, items: Sequence[Item], *, grouped: bool) -> Iterator[Item]:  # noqa: ARG002
        return iter(())

    def _invisible(self, reading: Reading) -> Notes:  # noqa: ARG002 - calls and results are no descriptions
        return []

    def _called(self, value: Json, reading: Reading) -> dict[str, str]:  # noqa: ARG002
        return {}

    def _kept(self, original: Json) -> Json:
        for form in forms(self.source, self.kind):
            original = without(original, form)
        return original
