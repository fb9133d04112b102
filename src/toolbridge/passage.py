"""Passage: one run over a bridge. A document is taken apart, its tools cross, and it is put together again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast

from msgspec import UNSET, Struct

from . import pointer as at
from .envelope import Context, Envelope
from .errors import DocumentError, FormatError, LossError, ToolbridgeError
from .fill import answer, fills
from .format import Format
from .framing import Frame, frame
from .hub import Json, JsonObject, is_object
from .items import Item, names, opened, repeated
from .keeping import Keeping, is_left_out, seal_of
from .listing import Listing, wrapped
from .losses import Loss, Report, selected
from .reading import Reading
from .remainder import Remainder, apply, lifted, matched, seal
from .row import Notes, Unrepresentable
from .schema import OPTIONS, Options

OnError: TypeAlias = Literal["raise", "skip"]

_ALWAYS = ("TB9",)


class Passage(Struct, eq=False):
    """One run over a bridge; `losses`, `failures`, `ways`, `names` and `remainder` are what it leaves beside the value.

    `options` say how schemas are written. A tool that goes home by its remainder is written without them, as whoever
    made the remainder did.
    """

    source: Format
    target: Format
    fill: Mapping[str, Any] | None = None
    restore: bool | Remainder = False
    refuse: Sequence[str] = _ALWAYS
    on_error: OnError = "raise"
    embed: bool = False
    keep: bool = False
    options: Options = OPTIONS
    failures: list[ToolbridgeError] = []
    ways: list[JsonObject | None] = []
    names: dict[str, str] = {}
    remainder: Remainder | None = None
    restored: bool = False
    _keeping: Keeping | None = None
    _batches: list[tuple[str, str, int | None, Notes]] = []
    _codes: tuple[str, ...] = ()
    _interface: bool = False
    _tools: bool = False
    _way: JsonObject | None = None
    _forbidden: dict[int, Loss] = {}
    _unanswered: set[str] = set()
    _fields: dict[str, Any] = {}
    _places: dict[str, bytes] = {}

    def __post_init__(self) -> None:
        if self.refuse != _ALWAYS:
            self._codes = selected((self.refuse,) if isinstance(self.refuse, str) else self.refuse)
        if self.keep or self.embed:
            self._keeping = Keeping(self.source, self.target, self._home, embed=self.embed)
        if self.fill:
            self._fields, self._places = fills(self.target, self.fill)
            self._unanswered.update(self._places)

    def losses(self) -> Iterator[Loss]:
        """Every loss, each once, by its place in the two documents."""
        for base, out, index, notes in self._batches:
            for code, place, there in dict.fromkeys(notes) if len(notes) > 1 else notes:
                if place.startswith("^"):
                    source = place[1:]
                else:
                    source = base if self._interface and place == "/name" else base + place
                yield Loss(code, source, None if there is None else out + there, index)

    def _lose(self, loss: Loss) -> None:
        """Note a loss of the document itself, around its tools."""
        if self._codes and loss.code.startswith(self._codes):
            if loss.item is None or self.on_error == "raise":
                raise self._refused([loss])
            self._forbidden[loss.item] = loss
            return
        self._batches.append(("", "", loss.item, [(loss.code, loss.source, loss.target)]))

    # the whole document

    def run(self, document: Json, duplicates: Sequence[str] = ()) -> Json:
        """The document in the target's words."""
        source, target = self.source, self.target
        remainder = self.restore if isinstance(self.restore, Remainder) else None
        if target.reads_only and not (remainder is not None and remainder.source == target.id):
            raise FormatError(
                f"{target.id} is an interface, not a tool: it can be read, and written only by restoring it"
            )
        taken = frame(document, source)
        self._interface = taken.shape == "interface"
        for place in duplicates:
            self._lose(Loss("TB002", place, None, _index_of(place, taken)))
        if remainder is not None and (remainder.source, remainder.target) != (target.id, source.id):
            raise FormatError(
                f"this remainder leads from {remainder.target} home to {remainder.source}, "
                f"not from {source.id} to {target.id}"
            )
        if remainder is not None and target.reads_only:
            return self._interface_restored(remainder, document)
        if taken.shape == "tool":
            value = self._cross(self._open(document, "", None, {}), {}, remainder, "")
            self.ways.append(self._way)
            if self._keeping is not None:
                self.remainder = self._keeping.parts[0]
        else:
            value = self._catalogue(document, taken, remainder)
        if self._unanswered and self._tools and not self.restored:
            raise FormatError(
                f"fill: {', '.join(sorted(self._unanswered))}: no such place in {target.id} for any tool here"
            )
        return value

    def _catalogue(self, document: Json, taken: Frame, remainder: Remainder | None) -> Json:
        before_envelope = len(self._batches)
        envelope = Envelope(self.source, self.target, taken, document, self._lose)
        of_envelope = slice(before_envelope, len(self._batches))
        items = [
            self._open(item, place, index, envelope.context(index))
            for index, (item, place) in enumerate(zip(taken.items, taken.places, strict=True))
        ]
        called = names(items, self.target)
        parts: Iterable[tuple[int | None, Remainder | None, list[Json]]] = ((n, None, []) for n in range(len(items)))
        listing = Listing(envelope.wrap, envelope.groups)
        home: Remainder | None = None
        numbered = False
        if remainder is not None and remainder.items is None:
            self._lose(Loss("TB801", "", None))
        elif remainder is not None and remainder.items is not None:
            parts = matched(remainder.items, [seal(self._bare(item.original)) for item in items])
        if remainder is not None and remainder.wrap is not None:
            numbered = remainder.groups is not None
            if remainder.seal == seal_of(document, taken, self.source, listed=numbered):
                home = remainder
                self.restored = True
                del self._batches[of_envelope]
                listing = Listing(remainder.wrap, remainder.groups if remainder.groups is not None else envelope.groups)
            else:
                numbered = False
                self._lose(Loss("TB801", "", None))
        # What comes home to its groups is as much the same there as it was.
        for item in () if numbered else repeated(items, self.target, grouped=bool(envelope.groups)):
            place = "" if self._interface or item.reading is None else item.reading.places["name"]
            self._lose(Loss("TB003", item.place + place, None, item.number))
        slot = 0
        for index, part, before in parts:
            for tool in before:
                listing.put(slot if numbered else -1, tool)
                self.ways.append(None)
                slot += 1
            if index is not None:
                own = slot if numbered else index
                value = self._cross(items[index], called, part, listing.place(own))
                slot += 1
                if value is not UNSET:
                    listing.put(own, value)
                    self.ways.append(self._way)
        values = listing.close()
        if home is not None:
            return wrapped(home.envelope, home.wrap or "", values)
        value = envelope.around(values)
        most = self.target.tools
        if most is not None and listing.count > most and self.source is not self.target:
            self._lose(Loss("TB604", taken.wrap, envelope.wrap))
        if self._keeping is not None:
            self._keep(self._keeping, document, taken, value, envelope)
        return value

    def _keep(self, keeping: Keeping, document: Json, taken: Frame, value: Json, envelope: Envelope) -> None:
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
            self._lose(Loss("TB804", "", None))

    def _home(self, written: Json) -> tuple[Json, bool]:
        """A written document, gone home without its remainder, and whether that lost anything."""
        home = Passage(self.target, self.source)
        return home.run(written), any(notes for _, _, _, notes in home._batches)

    def missing(self, document: Json) -> Remainder | None:
        """The remainder of a document that has crossed here without being kept."""
        again = Passage(
            self.source,
            self.target,
            self.fill,
            self.restore,
            self.refuse,
            self.on_error,
            keep=True,
            options=self.options,
        )
        again.run(document)
        return again.remainder

    def _bare(self, document: Json) -> Json:
        """A source document without a remainder in its slot."""
        return lifted(document, self.source.slot) if self.source.slot and is_object(document) else document

    def _interface_restored(self, remainder: Remainder, document: Json) -> Json:
        """A document that only its remainder can bring back."""
        if remainder.seal != seal(document):
            raise DocumentError("the document was changed, so its remainder cannot bring the interface back")
        self.restored = True
        return apply(remainder.patch, None)

    # one tool

    def _open(self, item: Json, place: str, number: int | None, context: Context) -> Item:
        found = opened(self.source, item, place, number, context=context, fields=self._fields)
        if found.failure is not None and (number is None or self.on_error == "raise"):
            raise found.failure
        self._tools = self._tools or not found.hosted
        return found

    def _cross(self, item: Item, names: Mapping[str, str], part: Remainder | None, there: str) -> Json:
        """One tool in the target's words, to stand `there`; UNSET where it was left out."""
        self._way = None
        try:
            if item.failure is not None:
                raise item.failure
            if item.number in self._forbidden:
                raise self._refused([self._forbidden[item.number]])
            return self._hosted(item) if item.hosted else self._written(item, names, part, there)
        except (DocumentError, LossError) as error:
            if item.number is None or self.on_error == "raise":
                raise
            code, failure = "TB903", error
            if isinstance(error, LossError):
                first = error.report[0]
                code = first.code if first.code.startswith("TB9") else "TB904"
                failure = DocumentError(error.problem, first.source, item=item.number)
            self.failures.append(failure)
            self._batches.append((item.place, "", item.number, [(code, "", None)]))
            if self._keeping is not None:
                self._keeping.left_out(item.original)
            return UNSET

    def _hosted(self, item: Item) -> Json:
        """A tool that the vendor's own servers run: it stays in the family, and nobody else has it."""
        hosted = self.target.hosted
        if self.target.family == self.source.family and hosted is not None and hosted(item.original):
            if self._keeping is not None:
                self._keeping.parts.append(None)
            return item.original
        if item.number is None:
            raise self._refusal("TB901", "", f"only the servers of {self.source.family} run this tool", item)
        notes: Notes = [("TB105", "", None)]
        if self._codes:
            self._refuse(item, notes)
        if self._keeping is not None:
            self._keeping.left_out(item.original)
        self._batches.append((item.place, "", item.number, notes))
        return UNSET

    def _written(self, item: Item, names: Mapping[str, str], part: Remainder | None, there: str) -> Json:
        reading = cast("Reading", item.reading)
        notes: Notes = [(code, place, None) for code, place in reading.notes] if reading.notes else []
        if item.embedded is not UNSET:
            part = self._embedded(item, notes) or part
        if part is not None:
            body = self._bare(item.original)
            if (part.source, part.target) == (self.target.id, self.source.id) and part.seal == seal(body):
                # As the tool would go home alone: no names from its neighbours, nothing filled in.
                value = self.target.tool.write(reading, self.target.family, target=self.target.id)
                self.restored = True
                if self._keeping is not None:
                    self._keeping.parts.append(None)
                value = apply(part.patch, value)
                self.names.update(self._called(value, reading))
                return value
            notes.append(("TB801", "", None))
        # A tool of which a remainder misses nothing goes home like those of which it does.
        home = part is None and isinstance(self.restore, Remainder)
        value = self._write(reading, notes, names, item, OPTIONS if home else self.options)
        if self._places:
            hub = {path for path in self._fields if path not in reading.places}
            notes, answered = answer(self.target, self._places, hub, value, notes)
            self._unanswered -= answered
        if reading.notes:
            # What was read is the repaired document; the places are those of the one that came in.
            notes = [(code, _existing(item.original, place), there) for code, place, there in notes]
        called = self._called(value, reading)
        if self._keeping is not None and self._interface:
            self._keeping.exported(self._way)
        elif self._keeping is not None:
            # The remainder of a catalogue has the names of all its tools.
            own = called if self.embed or item.number is None else {}
            value = self._keeping.tool(item.original, value, notes, self._way, own)
        if self._codes:
            try:
                self._refuse(item, notes)
            except LossError:
                if self._keeping is not None:
                    self._keeping.parts.pop()
                raise
        self.names.update(called)
        if notes:
            self._batches.append((item.place, there, item.number, notes))
        return value

    def _called(self, value: Json, reading: Reading) -> dict[str, str]:
        """The name of a written tool, where that is not the name of the one that was read, and the latter."""
        name = reading.fields["name"]
        try:
            for token in self.target.tool.name:
                value = value[token]
        except (LookupError, TypeError):
            return {}
        return {value: name} if value != name and isinstance(value, str) else {}

    def _write(
        self, reading: Reading, notes: Notes, names: Mapping[str, str], item: Item, options: Options
    ) -> JsonObject:
        target = self.target
        try:
            ways: list[JsonObject | None] = []
            value = target.tool.write(
                reading, target.family, notes, names=names, target=target.id, options=options, ways=ways
            )
            self._way = ways[0]
        except DocumentError as error:
            raise error.at(item.place, item.number) from None
        except Unrepresentable as error:
            raise self._refusal(error.code, error.place, error.problem, item) from None
        try:
            target.tool.verify(value)
        except DocumentError as error:
            row = target.tool.rows.get(error.pointer)
            if row is not None and row.hub in self._fields:
                raise FormatError(f"fill: {error}") from None
            raise self._refusal("TB901", "", str(error), item) from None
        return value

    def _refuse(self, item: Item, notes: Notes) -> None:
        refused = [
            Loss(code, place[1:] if place.startswith("^") else item.place + place, None, item.number)
            for code, place, _ in dict.fromkeys(notes)
            if code.startswith(self._codes)
        ]
        if refused:
            raise self._refused(refused)

    def _refused(self, losses: list[Loss]) -> LossError:
        first, *more = losses
        words = f"refused: {first.code} {first.name} at {first.source or '(root)'}"
        return LossError(words + (f" and {len(more)} more" if more else ""), self._report(losses))

    def _refusal(self, code: str, place: str, problem: str, item: Item) -> LossError:
        loss = Loss(code, item.place + place, None, item.number)
        return LossError(
            f"{loss.source or '(root)'}: {self.target.id} cannot say this: {problem}", self._report([loss])
        )

    def _report(self, losses: Iterable[Loss]) -> Report:
        return Report(losses, source=self.source.id, target=self.target.id)

    # remainders

    def _embedded(self, item: Item, notes: Notes) -> Remainder | None:
        slot = cast("str", self.source.slot)
        if self.restore is not True:
            notes.append(("TB802", slot, None))
            return None
        try:
            return Remainder.of(item.embedded)
        except DocumentError:
            notes.append(("TB801", slot, None))
            return None


def _existing(document: Json, place: str) -> str:
    """The place, or the nearest above it that the document has."""
    while place and not place.startswith("^") and at.get(document, place) is at.MISSING:
        place = place[: place.rindex("/")]
    return place


def _index_of(place: str, taken: Frame) -> int | None:
    if taken.shape == "tool":
        return None
    return next((index for index, base in enumerate(taken.places) if place.startswith(base + "/")), None)
