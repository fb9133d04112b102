"""The converter of one document: its items are converted one by one and put together again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Final, cast

from msgspec import UNSET
from msgspec.structs import replace

from ..data.patch import apply, seal
from ..data.types import Json, is_object
from ..data.types import kind as found
from ..errors import DocumentError, FormatError
from ..hub import Kind
from ..losses.report import Loss
from ..mapping.format import Format, Shape, counterpart, shape_of, shapes_of, without_secrets
from ..mapping.record import Notes, Record
from ..mapping.table import Table
from .catalogue import Catalogue, ListWriter, catalogue_of, put_list
from .envelope import Context, Envelope
from .fill import unanswered_error
from .item import Item, ItemConverter, assign_names, duplicates
from .remainder import Remainder, RemainderBuilder, belongs, is_left_out, match, seal_of

_FEW: Final = 8
"""How many items are converted before it is worth a few milliseconds to compile the fast path."""


class Converter(ItemConverter, eq=False):
    """One run over a bridge with a document."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.keep or self.embed:
            self._keeping = RemainderBuilder(
                self.source, self.target, self._home, embed=self.embed, slot=self._slot(self.target), key=self.key
            )

    def _again(self, source: Format, target: Format, **more: Any) -> Converter:
        """A run over another bridge."""
        return Converter(source, target, **more)

    def _framed(self, document: Json) -> Catalogue:
        return catalogue_of(document, self.source)

    def _names(self, items: Sequence[Item]) -> dict[str, str]:
        """The names that the items need where they go, where they cannot keep their own."""
        return assign_names(items, self.target)

    def _repeated(self, items: Sequence[Item], *, grouped: bool) -> Iterator[Item]:
        """The items that another one before them cannot be told from."""
        return duplicates(items, self.target, grouped=grouped)

    # the whole document

    def run(self, document: Json, duplicates: Sequence[str] = ()) -> Json:
        """The document in the target's words."""
        source, target = self.source, self.target
        remainder = self.restore if isinstance(self.restore, Remainder) else None
        if target.reads_only and not (remainder is not None and remainder.source == target.id):
            raise FormatError(
                f"{target.id} is an interface, not a tool: it can be read, and written only by restoring it"
            )
        taken = self._framed(document)
        self._interface = taken.shape == "interface"
        for place in duplicates:
            self.lose(Loss("TB002", place, None, _index_of(place, taken)))
        if remainder is not None and (remainder.source, remainder.target) != (target.id, source.id):
            raise FormatError(
                f"this remainder restores {remainder.source} from {remainder.target}, not {target.id} from {source.id}"
            )
        if remainder is not None and self.key is not None and not remainder.is_signed(self.key):
            if target.reads_only:
                raise DocumentError("the remainder is not signed with this key, so the interface cannot be restored")
            self.lose(Loss("TB806", "", None))
            remainder, self.restore = None, False
        if remainder is not None and target.reads_only:
            return self._interface_restored(remainder, document)
        if taken.shape == "tool" or len(taken.items) < _FEW:
            self.quick = None
        if taken.shape == "tool":
            value = self.cross(self.open(document, "", None, {}), {}, remainder, "")
            self.argument_maps.append(self.way)
            if self._keeping is not None:
                self.remainder = self._keeping.last()
        else:
            value = self._catalogue(document, taken, remainder)
        if self.unanswered and self._tools and not self.restored:
            raise unanswered_error(self.unanswered, target.id)
        return value

    def _catalogue(self, document: Json, taken: Catalogue, remainder: Remainder | None) -> Json:
        before_envelope = len(self.batches)
        envelope = Envelope(self.source, self.target, taken, document, self.lose)
        of_envelope = slice(before_envelope, len(self.batches))
        items = [
            self.open(item, place, index, envelope.context(index))
            for index, (item, place) in enumerate(zip(taken.items, taken.places, strict=True))
        ]
        called = self._names(items)
        if self.restore is True:
            self._others = frozenset(self.identity(item.reading) for item in items if item.reading is not None)
        parts: Iterable[tuple[int | None, Remainder | None, list[Json]]] = ((n, None, []) for n in range(len(items)))
        listing = ListWriter(envelope.wrap, envelope.groups)
        home: Remainder | None = None
        numbered = False
        if remainder is not None:
            rest, seals = remainder.items or [], [seal(self.bare(item.original)) for item in items]
            own = belongs(rest, seals)
            numbered = remainder.groups is not None
            if (
                own is not False
                and remainder.wrap is not None
                and remainder.seal == seal_of(document, taken, self.source, listed=numbered)
            ):
                home = remainder
                self.restored = True
                del self.batches[of_envelope]
                listing = ListWriter(
                    remainder.wrap, remainder.groups if remainder.groups is not None else envelope.groups
                )
            else:
                numbered = False
                self.lose(Loss("TB801", "", None))
            if rest:
                parts = match(rest, seals)
                if not own and (home is None or sum(not is_left_out(part) for part in rest) != len(seals)):
                    parts = ((index, part, []) for index, part, _ in parts)
        # What comes home to its groups is as much the same there as it was.
        for item in () if numbered else self._repeated(items, grouped=bool(envelope.groups)):
            place = "" if self._interface or item.reading is None else item.reading.places["name"]
            self.lose(Loss("TB003", item.place + place, None, item.number))
        slot = 0
        for index, part, before in parts:
            for tool in before:
                listing.put(slot if numbered else -1, tool)
                self.argument_maps.append(None)
                slot += 1
            if index is not None:
                own = slot if numbered else index
                value = self.cross(items[index], called, part, listing.place(own))
                slot += 1
                if value is not UNSET:
                    listing.put(own, value)
                    self.argument_maps.append(self.way)
                    self.crossed.append(items[index])
        values = listing.close()
        if home is not None:
            return put_list(home.envelope, home.wrap or "", values)
        value = envelope.around(values)
        target = self.target
        written = lambda: target.strict_among(catalogue_of(value, target).items)  # noqa: E731 - few have to count them
        if self.source is not target and not target.takes(listing.count, written):
            self.lose(Loss("TB604", taken.wrap, envelope.wrap))
        if self._keeping is not None:
            self._keep(self._keeping, document, taken, value, envelope)
        return value

    def _keep(
        self, keeping: RemainderBuilder, document: Json, taken: Catalogue, value: Json, envelope: Envelope
    ) -> None:
        """The remainder of the whole catalogue, or interface."""
        if self._interface:
            self.remainder = keeping.interface(document, value, self.names)
        else:
            self.remainder = keeping.catalogue(document, taken, value, envelope, self.names)
        whole = self.remainder
        outside = whole is not None and (
            whole.envelope is not None or whole.groups is not None or any(map(is_left_out, keeping.parts))
        )
        if self.embed and (outside or self._interface):
            # No tool has a place for what belongs to the catalogue.
            self.lose(Loss("TB804", "", None))

    def _home(self, written: Json) -> tuple[Json, bool]:
        """A written document, gone home without its remainder, and whether that lost anything."""
        home = self._again(self.target, self.source)
        return self._kept(home.run(written)), any(notes for _, _, _, notes in home.batches)

    def rest(self) -> Remainder | None:
        """What is missing of the last tool that crossed, alone: with the name that it had."""
        if self._keeping is None:
            return None
        part = self._keeping.last()
        if part is None or part.left_out is not UNSET:
            return part
        return replace(part, names=dict(self.names))

    def missing(self, document: Json) -> Remainder | None:
        """The remainder of a document that has crossed here without being kept."""
        again = self._again(
            self.source,
            self.target,
            fill=self.fill,
            restore=self.restore,
            refuse=self.refuse,
            on_error=self.on_error,
            keep=True,
            options=self.options,
            key=self.key,
        )
        again.run(document)
        return again.remainder

    def _interface_restored(self, remainder: Remainder, document: Json) -> Json:
        """A document that only its remainder can bring back."""
        if remainder.seal != seal(document):
            raise DocumentError("the document was changed, so the interface cannot be restored from its remainder")
        self.restored = True
        value = apply(remainder.patch, None, self.options.limits.depth)
        if not is_object(value) or catalogue_of(value, self.target).shape != "interface":
            raise DocumentError(f"the remainder does not restore a document of {self.target.id}")
        return value


def _index_of(place: str, taken: Catalogue) -> int | None:
    if taken.shape == "tool":
        return None
    return next((index for index, base in enumerate(taken.places) if place.startswith(base + "/")), None)


class MessageConverter(Converter):
    """One run over a bridge with documents of this kind: `"call"` or `"result"`."""

    kind: Kind = "call"
    _forms: dict[int, Shape] = {}  # noqa: RUF012 - msgspec makes each run its own

    _answers: ClassVar[tuple[str, ...]] = ("id", "name", "toolkit", "version")

    def _again(self, source: Format, target: Format, **more: Any) -> Converter:
        return MessageConverter(source, target, kind=self.kind, **more)

    def _framed(self, document: Json) -> Catalogue:
        if isinstance(document, list):
            items = cast("list[Json]", document)
            return Catalogue("list", items, [f"/{n}" for n in range(len(items))], "")
        return Catalogue("tool", [document], [""], "")

    def _slot(self, form: Format) -> str | None:  # noqa: ARG002 - what is sent once carries nothing for later
        return None

    def _read(self, item: Json, place: str, number: int | None, context: Context) -> Item:  # noqa: ARG002
        if not is_object(item):
            # A text may be a call with all that is secret in it: it is not shown.
            seen = "a string" if isinstance(item, str) else found(item)
            failure = DocumentError(f"expected a {self.kind}, found {seen}", place, item=number)
            return Item(number, place, item, failure=failure)
        among = shapes_of(self.source, self.kind)
        form = shape_of(item, among)
        if form is None:
            known = ", ".join(sorted({key for each in among for key in each.table.required_keys}))
            failure = DocumentError(
                f"not a {self.kind} of {self.source.id}: none of its forms ({known}) fits", place, item=number
            )
            return Item(number, place, item, failure=failure)
        try:
            reading = form.table.open(item, self.source.family)
        except DocumentError as error:
            return Item(number, place, item, failure=error.at(place, number))
        self._forms[id(reading)] = form
        if self.fill:
            self._fill_in(reading, number)
        return Item(number, place, item, reading)

    def _read_back(self, value: Json, item: Item) -> Item:
        form = shape_of(value, shapes_of(self.target, self.kind)) if is_object(value) else None
        try:
            if form is None:
                raise DocumentError(f"not a {self.kind}")
            return Item(item.number, "", value, form.table.open(value, self.target.family))
        except DocumentError as error:
            return Item(item.number, "", value, failure=error)

    def _written_by(self, reading: Record | None) -> Table:
        form = None if reading is None else self._forms.get(id(reading))
        return counterpart(form, self.source, self.target, self.kind).table

    def _names(self, items: Sequence[Item]) -> dict[str, str]:  # noqa: ARG002
        return {}

    def _repeated(self, items: Sequence[Item], *, grouped: bool) -> Iterator[Item]:  # noqa: ARG002
        return iter(())

    def _invisible(self, reading: Record) -> Notes:  # noqa: ARG002 - calls and results are no descriptions
        return []

    def _called(self, value: Json, reading: Record) -> dict[str, str]:  # noqa: ARG002
        return {}

    def _kept(self, original: Json) -> Json:
        for form in shapes_of(self.source, self.kind):
            original = without_secrets(original, form)
        return original
