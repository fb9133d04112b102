"""Passage: one run over a bridge. A document is taken apart, its tools cross, and it is put together again."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import msgspec
from msgspec import UNSET

from . import pointer as at
from .envelope import Context, Envelope, without_tools, wrapped
from .errors import DocumentError, FormatError, LossError, ToolbridgeError
from .fill import answer, fills
from .format import Format, Frame, frame
from .hub import Json, JsonObject, is_object
from .losses import Loss, Report, selected
from .names import assign
from .reading import Reading
from .remainder import LARGEST, Remainder, apply, carrying, diff, lifted, matched, same, seal
from .row import Notes, Unrepresentable

OnError: TypeAlias = Literal["raise", "skip"]

_ALWAYS = ("TB9",)


class _Item(NamedTuple):
    """One tool on its way: what was read, or why it could not be."""

    number: int | None
    place: str
    original: Json
    reading: Reading | None
    embedded: Json
    failure: ToolbridgeError | None


class Passage:
    """One run over a bridge; `losses`, `failures` and `remainder` are what it leaves beside the value."""

    __slots__ = (
        *(
            "_batches",
            "_borrowed",
            "_fields",
            "_interface",
            "_forbidden",
            "_keep",
            "_places",
            "_position",
            "_unanswered",
            "_wrap",
        ),
        *("embed", "failures", "kept", "on_error", "refuse", "remainder", "restore", "restored", "source", "target"),
    )

    def __init__(
        self,
        source: Format,
        target: Format,
        *,
        fill: Mapping[str, Any] | None = None,
        restore: bool | Remainder = False,
        refuse: Sequence[str] = _ALWAYS,
        on_error: OnError = "raise",
        embed: bool = False,
        keep: bool = False,
    ) -> None:
        self.source, self.target = source, target
        self.restore = restore
        self.refuse = () if refuse == _ALWAYS else selected((refuse,) if isinstance(refuse, str) else refuse)
        self.on_error = on_error
        self.embed = embed
        self.failures: list[ToolbridgeError] = []
        self.kept: list[Remainder | None] = []
        self.remainder: Remainder | None = None
        self.restored = False
        self._keep = keep or embed
        self._batches: list[tuple[str, str, int | None, Notes]] = []
        self._interface = False
        self._wrap = ""
        self._position = 0
        self._forbidden: dict[int, Loss] = {}
        self._unanswered: set[str] = set()
        self._fields, self._places = fills(target, fill) if fill else ({}, {})
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
        if self.refuse and loss.code.startswith(self.refuse):
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
            value = self._cross(self._open(document, "", None, {}), {}, remainder)
            if self._keep:
                self.remainder = self.kept[0]
        else:
            value = self._catalogue(document, taken, remainder)
        if self._unanswered and taken.items and not self.restored:
            raise FormatError(
                f"fill: {', '.join(sorted(self._unanswered))}: no such place in {target.id} for any tool here"
            )
        return value

    def _catalogue(self, document: Json, taken: Frame, remainder: Remainder | None) -> Json:
        before_envelope = len(self._batches)
        envelope = Envelope(self.source, self.target, taken, document, self._lose)
        of_envelope = slice(before_envelope, len(self._batches))
        self._wrap = envelope.wrap
        items = [
            self._open(item, place, index, envelope.context)
            for index, (item, place) in enumerate(zip(taken.items, taken.places, strict=True))
        ]
        names = self._names(items)
        self._repeated(items)
        values: list[Json] = []
        parts: Iterable[tuple[int | None, Remainder | None, list[Json]]] = ((n, None, []) for n in range(len(items)))
        if remainder is not None and remainder.items is None:
            self._lose(Loss("TB801", "", None))
        elif remainder is not None and remainder.items is not None:
            parts = matched(remainder.items, [seal(self._bare(item.original)) for item in items])
        for index, part, before in parts:
            values += before
            item = items[index] if index is not None else None
            self._position = len(values)
            value = self._cross(item, names, part) if item is not None else UNSET
            if value is not UNSET:
                values.append(value)
        if remainder is not None and remainder.wrap is not None:
            if remainder.seal == seal(without_tools(document, taken)):
                self.restored = True
                del self._batches[of_envelope]
                return wrapped(remainder.envelope, remainder.wrap, values)
            self._lose(Loss("TB801", "", None))
        value = envelope.around(values)
        if self._keep:
            self.remainder = whole = self._whole_remainder(document, taken, value, envelope.around([]))
            outside = whole is not None and (
                whole.envelope is not None or any(part is not None and part.left_out is not UNSET for part in self.kept)
            )
            if self.embed and (outside or self._interface):
                # No tool has a place for what belongs to the catalogue.
                self._lose(Loss("TB804", "", None))
        return value

    def _bare(self, document: Json) -> Json:
        """A source document without a remainder in its slot."""
        return lifted(document, self.source.slot) if self.source.slot and is_object(document) else document

    def _interface_restored(self, remainder: Remainder, document: Json) -> Json:
        """A document that only its remainder can bring back."""
        if remainder.seal != seal(document):
            raise DocumentError("the document was changed, so its remainder cannot bring the interface back")
        self.restored = True
        return apply(remainder.patch, None)

    def _whole_remainder(self, document: Json, taken: Frame, value: Json, written: Json) -> Remainder | None:
        """The remainder of a catalogue: its tools' and what its envelope lost; of an interface, all of it."""
        if self._interface:
            patch = [["replace", "", document]]
            return Remainder(source=self.source.id, target=self.target.id, seal=seal(value), patch=patch)
        envelope = without_tools(document, taken)
        intact = not taken.wrap or same(Passage(self.target, self.source, refuse=()).run(written), envelope)
        if intact and all(part is None for part in self.kept):
            return None
        return Remainder(
            source=self.source.id,
            target=self.target.id,
            seal=seal(written) if self._wrap else seal(None),
            items=self.kept,
            envelope=None if intact and not taken.wrap else envelope,
            wrap=taken.wrap,
        )

    # one tool

    def _open(self, item: Json, place: str, index: int | None, context: Context) -> _Item:
        source = self.source
        embedded: Json = UNSET
        if isinstance(item, DocumentError):
            # An interface says itself which of its exports cannot be read, and where.
            failure = DocumentError(item.problem, item.pointer, item=index)
            if self.on_error == "raise":
                raise failure
            return _Item(index, place, None, None, UNSET, failure)
        try:
            if not isinstance(item, dict):
                from .problems import kind

                raise DocumentError(f"expected a tool, found {kind(item)}")
            body = cast("JsonObject", item)
            if source.slot is not None and (found := at.get(body, source.slot)) is not at.MISSING:
                embedded = found
                body = lifted(body, source.slot)
            reading = source.tool.open(body, source.family)
        except DocumentError as error:
            failure = error.at(place, index)
            if index is None or self.on_error == "raise":
                raise failure from None
            return _Item(index, place, item, None, UNSET, failure)
        for path, (value, where) in context.items():
            if path not in reading.fields:
                reading.fields[path] = value
                reading.places[path] = "^" + where
                reading.borrowed.add(path)
        for path, value in self._fields.items():
            if path not in reading.fields:
                reading.fields[path] = copy.deepcopy(value)
        return _Item(index, place, item, reading, embedded, None)

    def _names(self, items: list[_Item]) -> dict[str, str]:
        rule = self.target.names
        readings = [item.reading for item in items if item.reading is not None]
        names = assign((reading.fields["name"] for reading in readings), rule) if rule is not None else {}
        if self.target.identity is not None:
            self._tell_apart(readings, names)
        return names

    def _tell_apart(self, readings: list[Reading], names: Mapping[str, str]) -> None:
        """Mark the tools of different names that would be identified in the same way."""
        identity = cast("Callable[[Reading, str], str]", self.target.identity)
        owners: dict[str, set[str]] = {}
        for reading in readings:
            name = reading.fields["name"]
            owners.setdefault(identity(reading, names.get(name, name)), set()).add(name)
        for reading in readings:
            name = reading.fields["name"]
            reading.apart = len(owners[identity(reading, names.get(name, name))]) > 1

    def _repeated(self, items: list[_Item]) -> None:
        seen: set[object] = set()
        # By what the target says of them: two versions of a tool are one where versions have no word.
        said = [path for path in ("version", "toolkit") if any(row.hub == path for row in self.target.tool.order)]
        for item in items:
            if item.reading is not None:
                fields = item.reading.fields
                name = (fields["name"], *(fields.get(path) for path in said))
                if name in seen:
                    self._lose(
                        Loss("TB003", item.place if self._interface else f"{item.place}/name", None, item.number)
                    )
                seen.add(name)

    def _cross(self, item: _Item, names: Mapping[str, str], part: Remainder | None) -> Json:
        """One tool in the target's words; UNSET where it was left out."""
        try:
            if item.failure is not None:
                raise item.failure
            if item.number in self._forbidden:
                raise self._refused([self._forbidden[item.number]])
            return self._written(item, names, part)
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
            if self._keep:
                self.kept.append(Remainder(source=self.source.id, target=self.target.id, left_out=item.original))
            return UNSET

    def _written(self, item: _Item, names: Mapping[str, str], part: Remainder | None) -> Json:
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
                if self._keep:
                    self.kept.append(None)
                return apply(part.patch, value)
            notes.append(("TB801", "", None))
        value = self._write(reading, notes, names, item)
        if self._places:
            hub = {path for path in self._fields if path not in reading.places}
            notes, answered = answer(self.target, self._places, hub, value, notes)
            self._unanswered -= answered
        if reading.notes:
            # What was read is the repaired document; the places are those of the one that came in.
            notes = [(code, _existing(item.original, place), there) for code, place, there in notes]
        if self._keep:
            value = self._kept(item, value, notes)
        if self.refuse:
            self._refuse(item, notes)
        if notes:
            out = "" if item.number is None else f"{self._wrap}/{self._position}"
            self._batches.append((item.place, out, item.number, notes))
        return value

    def _write(self, reading: Reading, notes: Notes, names: Mapping[str, str], item: _Item) -> JsonObject:
        target = self.target
        try:
            value = target.tool.write(reading, target.family, notes, names=names, target=target.id)
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

    def _refuse(self, item: _Item, notes: Notes) -> None:
        refused = [
            Loss(code, place[1:] if place.startswith("^") else item.place + place, None, item.number)
            for code, place, _ in dict.fromkeys(notes)
            if code.startswith(self.refuse)
        ]
        if refused:
            if self._keep:
                self.kept.pop()
            raise self._refused(refused)

    def _refused(self, losses: list[Loss]) -> LossError:
        first, *more = losses
        words = f"refused: {first.code} {first.name} at {first.source or '(root)'}"
        return LossError(words + (f" and {len(more)} more" if more else ""), self._report(losses))

    def _refusal(self, code: str, place: str, problem: str, item: _Item) -> LossError:
        loss = Loss(code, item.place + place, None, item.number)
        return LossError(
            f"{loss.source or '(root)'}: {self.target.id} cannot say this: {problem}", self._report([loss])
        )

    def _report(self, losses: Iterable[Loss]) -> Report:
        return Report(losses, source=self.source.id, target=self.target.id)

    # remainders

    def _embedded(self, item: _Item, notes: Notes) -> Remainder | None:
        slot = cast("str", self.source.slot)
        if self.restore is not True:
            notes.append(("TB802", slot, None))
            return None
        try:
            return Remainder.of(item.embedded)
        except DocumentError:
            notes.append(("TB801", slot, None))
            return None

    def _kept(self, item: _Item, value: JsonObject, notes: Notes) -> JsonObject:
        """Keep the tool's remainder; answers the tool, which carries it where that was asked for and can be."""
        slot = self.target.slot if self.embed else None
        entry = self._item_remainder(item, value, slot)
        if entry is not None and slot is not None:
            plain = msgspec.to_builtins(entry)
            if len(msgspec.json.encode(plain)) <= LARGEST:
                self.kept.append(entry)
                return carrying(value, slot, plain)
            notes.append(("TB803", "", None))
            entry = self._item_remainder(item, value, None)
        elif entry is not None and self.embed:
            notes.append(("TB804", "", None))
        self.kept.append(entry)
        return value

    def _item_remainder(self, item: _Item, value: JsonObject, slot: str | None) -> Remainder | None:
        """What is missing when the tool goes home: the difference to the original."""
        if self._interface:
            return None
        if slot is not None:
            # What a reader will see once the remainder has been taken out again.
            value = lifted(carrying(value, slot, None), slot)
        plain = cast("JsonObject", msgspec.json.decode(msgspec.json.encode(value)))
        patch = diff(_alone(self.target, self.source, plain), item.original)
        if not patch:
            return None
        return Remainder(source=self.source.id, target=self.target.id, seal=seal(value), patch=patch)


def _existing(document: Json, place: str) -> str:
    """The place, or the nearest above it that the document has."""
    while place and not place.startswith("^") and at.get(document, place) is at.MISSING:
        place = place[: place.rindex("/")]
    return place


def _alone(source: Format, target: Format, value: JsonObject) -> Json:
    """A tool after the way home without its remainder, or None where there is no way home."""
    try:
        return Passage(source, target).run(value)
    except ToolbridgeError:
        return None


def _index_of(place: str, taken: Frame) -> int | None:
    if taken.shape == "tool":
        return None
    return next((index for index, base in enumerate(taken.places) if place.startswith(base + "/")), None)
