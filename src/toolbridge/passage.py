"""Passage: one run over a bridge. A document is taken apart, its tools cross one by one, and it is put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import msgspec
from msgspec import UNSET

from . import pointer as at
from .errors import DocumentError, FormatError, LossError, ToolbridgeError
from .format import Format, Frame, frame
from .hub import Json, JsonObject
from .losses import Loss, Report
from .names import assign
from .remainder import LARGEST, Remainder, apply, diff, same, seal
from .reading import Reading
from .row import Unrepresentable

OnError: TypeAlias = Literal["raise", "skip"]


class _Item(NamedTuple):
    """One tool on its way: what was read, or why it could not be."""

    index: int | None
    place: str
    original: Json
    reading: Reading | None
    embedded: Json
    failure: ToolbridgeError | None


class Passage:
    """One run over a bridge."""

    def __init__(
        self,
        source: Format,
        target: Format,
        *,
        fill: Mapping[str, Any] | None = None,
        restore: bool | Remainder = False,
        refuse: Sequence[str] = ("TB9",),
        on_error: OnError = "raise",
        embed: bool = False,
        keep: bool = False,
    ) -> None:
        self.source, self.target = source, target
        self.restore = restore
        self.refuse = tuple(refuse)
        self.on_error = on_error
        self.embed = embed
        self.keep = keep or embed
        self.losses: list[Loss] = []
        self.failures: list[ToolbridgeError] = []
        self.remainder: Remainder | None = None
        self.restored = False
        self._interface = False
        self._wrap = ""
        self._fields, self._places = self._fills(fill or {})

    def _fills(self, fill: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """What the caller answers: by hub field, and by place in the target where that is no hub field."""
        fields: dict[str, Any] = {}
        places: dict[str, Any] = {}
        for key, value in fill.items():
            if not key.startswith("/"):
                if key not in ("toolkit", "version", "title", "description"):
                    raise FormatError(
                        f"fill: {key!r} is neither a JSON Pointer into {self.target.id} (such as /version) "
                        "nor toolkit, version, title or description"
                    )
                fields[key] = value
                continue
            row = self.target.tool.rows.get(key)
            # A place that says several things at once (an id) is set as it stands.
            if row is not None and row.hub is not None and row.via is None:
                fields[row.hub] = value
            elif row is not None and row.hub in ("version", "toolkit") and key != "/id":
                fields[row.hub] = value
            else:
                places[key] = value
        return fields, places

    # the whole document

    def run(self, document: Json, duplicates: Sequence[str]) -> Json:
        source, target = self.source, self.target
        remainder = self.restore if isinstance(self.restore, Remainder) else None
        if target.reads_only and not (remainder is not None and remainder.source == target.id):
            raise FormatError(f"{target.id} is an interface, not a tool: it can be read, and written only by restoring it")
        taken = frame(document, source)
        self._interface = taken.shape == "interface"
        for place in duplicates:
            self._lose(Loss("TB002", place, None, _index_of(place, taken)))
        several = taken.shape != "tool"
        parts: list[Remainder | None] | None = None
        if remainder is not None:
            if (remainder.source, remainder.target) != (target.id, source.id):
                raise FormatError(
                    f"this remainder leads from {remainder.target} home to {remainder.source}, "
                    f"not from {source.id} to {target.id}"
                )
            whole = self._restored_whole(remainder, document)
            if whole is not UNSET:
                return whole
            parts = remainder.items if several else [remainder]
            if parts is None or sum(not _is_left_out(part) for part in parts) != len(taken.items):
                if parts is not None or several:
                    self._lose(Loss("TB801", "", None))
                parts = None
        envelope, context = self._envelope(document, taken)
        self._wrap = self._target_wrap(taken)
        items = [self._open(item, place, n if several else None, context) for n, (item, place) in enumerate(_pairs(taken))]
        names = self._names(items)
        self._repeated(items)
        values: list[Json] = []
        kept: list[Remainder | None] = []
        queue = list(parts) if parts is not None else None
        for item in items:
            part = None
            while queue and (part := queue.pop(0)) is not None and part.left_out is not UNSET:
                values.append(part.left_out)
                part = None
            value = self._cross(item, names, part, several=several, kept=kept)
            if value is not UNSET:
                values.append(value)
        values += [part.left_out for part in queue or () if part is not None and part.left_out is not UNSET]
        if not several:
            if self.keep:
                self.remainder = kept[0]
            return values[0]
        if remainder is not None and parts is not None and remainder.wrap is not None:
            self.restored = True
            return _wrap(remainder.envelope, remainder.wrap, values)
        value = self._wrapped(envelope, values, taken)
        if self.keep:
            self.remainder = self._whole_remainder(document, taken, kept)
        return value

    def _restored_whole(self, remainder: Remainder, document: Json) -> Json:
        """A document that only its remainder can bring back, such as an interface."""
        if not self.target.reads_only:
            return UNSET
        if remainder.seal != seal(document):
            raise DocumentError("the document was changed, so its remainder cannot bring the interface back")
        self.restored = True
        return apply(remainder.patch, None)

    def _envelope(self, document: Json, taken: Frame) -> tuple[JsonObject | None, Mapping[str, tuple[str, str]]]:
        """The envelope in the target's words, without the tools, and what it tells about all of them."""
        source, target = self.source, self.target
        if taken.shape == "interface":
            from .formats.xtp import leftovers

            for code, place in leftovers(document):
                self._lose(Loss(code, place))
            return None, {}
        if not taken.wrap:
            return None, {}
        base, _, name = taken.wrap.rpartition("/")
        inner: JsonObject = {key: value for key, value in at.get(document, base).items() if key != name}
        context: dict[str, tuple[str, str]] = {}
        if source.context is not None:
            context = {path: (value, base + place) for path, (value, place) in source.context(inner).items()}
        family = target.family == source.family
        outer: JsonObject = {key: value for key, value in document.items() if key != "result"} if base else {}
        if not family or target.wrap is None:
            for key in outer:
                self._lose(Loss("TB101" if key in ("jsonrpc", "id") else "TB102", at.join(key), None))
        if family and target.wrap is None:
            return inner, context
        if source.envelope is None or target.envelope is None:
            for key in inner:
                self._lose(Loss("TB102", base + at.join(key), None))
            return {}, context
        try:
            reading = source.envelope.open(inner, source.family)
        except DocumentError as error:
            raise error.at(base, None) from None
        for code, place in reading.notes:
            self._lose(Loss(code, base + place, None))
        home = base if family else ""

        def note(code: str, place: str, target_place: str | None) -> None:
            self._lose(Loss(code, base + place, None if target_place is None else home + target_place))

        written = target.envelope.write(reading, target.family, note, target=target.id)
        if family and base:
            return {**outer, "result": written}, context
        return written, context

    def _wrapped(self, envelope: JsonObject | None, values: list[Json], taken: Frame) -> Json:
        target, source = self.target, self.source
        if envelope is None or (target.wrap is None and target.family != source.family):
            if taken.shape == "interface" and target.wrap is not None:
                empty: JsonObject = {}
                if target.envelope is not None:
                    empty = target.envelope.write(
                        Reading(None, "", {}), target.family, lambda c, s, t: self._lose(Loss(c, s, t)), target=target.id
                    )
                return {**empty, target.wrap[1:]: values}
            return values
        if target.wrap is None:
            return {taken.wrap[1:]: values, **envelope}
        if "result" in envelope and taken.shape == "response":
            return {**envelope, "result": {target.wrap[1:]: values, **envelope["result"]}}
        return {target.wrap[1:]: values, **envelope}

    def _whole_remainder(
        self, document: Json, taken: Frame, kept: list[Remainder | None]
    ) -> Remainder | None:
        """The remainder of a catalogue: its tools' and what its envelope lost."""
        if self._interface:
            return None
        envelope = _without_tools(document, taken)
        intact = True
        if taken.wrap:
            empty = _wrap(envelope, taken.wrap, [])
            there = Passage(self.source, self.target, refuse=()).run(empty, ())
            intact = same(Passage(self.target, self.source, refuse=()).run(there, ()), empty)
        if intact and all(part is None for part in kept):
            return None
        return Remainder(
            source=self.source.id,
            target=self.target.id,
            items=kept,
            envelope=None if intact and not taken.wrap else envelope,
            wrap=taken.wrap,
        )

    # one tool

    def _open(self, item: Json, place: str, index: int | None, context: Mapping[str, tuple[str, str]]) -> _Item:
        source = self.source
        original = item
        embedded: Json = UNSET
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
            return _Item(index, place, original, None, UNSET, failure)
        for path, (value, where) in context.items():
            if path not in reading.fields:
                reading.fields[path] = value
                reading.places[path] = "^" + where
                reading.borrowed.add(path)
        for path, value in self._fields.items():
            if path not in reading.fields:
                reading.fields[path] = value
        return _Item(index, place, original, reading, embedded, None)

    def _names(self, items: list[_Item]) -> dict[str, str]:
        rule = self.target.names
        if rule is None or len(items) < 2:  # noqa: PLR2004 - one name cannot collide
            return {}
        return assign((item.reading.fields["name"] for item in items if item.reading is not None), rule)

    def _repeated(self, items: list[_Item]) -> None:
        if len(items) < 2:  # noqa: PLR2004 - one name cannot be said twice
            return
        seen: set[object] = set()
        for item in items:
            if item.reading is not None:
                name = (item.reading.fields["name"], item.reading.fields.get("version"), item.reading.fields.get("toolkit"))
                if name in seen:
                    self._lose(Loss("TB003", f"{item.place}/name" if not self._interface else item.place, None, item.index))
                seen.add(name)

    def _cross(
        self,
        item: _Item,
        names: Mapping[str, str],
        part: Remainder | None,
        *,
        several: bool,
        kept: list[Remainder | None],
    ) -> Json:
        """One tool in the target's words; UNSET where it was left out."""
        before = len(self.losses)
        try:
            if item.failure is not None:
                raise item.failure
            return self._written(item, names, part, several=several, kept=kept)
        except (DocumentError, LossError) as error:
            if not several or self.on_error == "raise":
                raise
            del self.losses[before:]
            code = "TB903"
            if isinstance(error, LossError):
                code = next((loss.code for loss in error.report if loss.code.startswith("TB9")), "TB901")
                failure: ToolbridgeError = DocumentError(error.problem, item.place, item=item.index)
                if error.report:
                    failure = DocumentError(error.problem, error.report[-1].source, item=item.index)
                self.failures.append(failure)
            else:
                self.failures.append(error)
            self.losses.append(Loss(code, item.place, None, item.index))
            if self.keep:
                kept.append(Remainder(source=self.source.id, target=self.target.id, left_out=item.original))
            return UNSET

    def _written(
        self,
        item: _Item,
        names: Mapping[str, str],
        part: Remainder | None,
        *,
        several: bool,
        kept: list[Remainder | None],
    ) -> Json:
        reading = cast("Reading", item.reading)
        # Where the tool will stand is known only when the ones before it have been written.
        out = self._target_place(item, several=several)
        mine: list[Loss] = []

        def note(code: str, place: str, target: str | None) -> None:
            source = place[1:] if place.startswith("^") else self._source_place(item.place, place)
            mine.append(Loss(code, source, None if target is None else out + target, item.index))

        for code, place in reading.notes:
            note(code, place, None)
        embedded = self._embedded(item, note)
        chosen = part if part is not None and (part.patch or part.seal) else embedded
        if chosen is not None:
            body = lifted(cast("JsonObject", item.original), self.source.slot) if self.source.slot else item.original
            if (chosen.source, chosen.target) == (self.target.id, self.source.id) and chosen.seal == seal(body):
                # As the tool would go home alone: no names from its neighbours, nothing filled in.
                value = self.target.tool.write(reading, self.target.family, target=self.target.id)
                self.restored = True
                if self.keep:
                    kept.append(None)
                return apply(chosen.patch, value)
            note("TB801", "", None)
        value = self._write(reading, note, names, item)
        self._fill_places(value, item)
        if self.keep:
            entry = self._item_remainder(item, value)
            if self.embed and entry is not None:
                value = self._embedded_in(value, entry, note)
            kept.append(entry)
        mine = list(dict.fromkeys(mine))
        refused = [loss for loss in mine if loss.code.startswith(self.refuse)] if self.refuse else []
        if refused:
            first = refused[0]
            raise LossError(f"refused: {first.code} {first.name} at {first.source or '(root)'}", self._report(refused))
        self.losses += mine
        return value

    def _embedded(self, item: _Item, note: Callable[[str, str, str | None], None]) -> Remainder | None:
        if item.embedded is UNSET:
            return None
        slot = cast("str", self.source.slot)
        if self.restore is not True:
            note("TB802", slot, None)
            return None
        try:
            return Remainder.of(item.embedded)
        except DocumentError:
            note("TB801", slot, None)
            return None

    def _write(self, reading: Reading, note: Any, names: Mapping[str, str], item: _Item) -> JsonObject:
        from .schema import BudgetExceeded

        target = self.target
        try:
            value = target.tool.write(reading, target.family, note, names=names, target=target.id)
        except DocumentError as error:
            raise error.at(item.place, item.index) from None
        except Unrepresentable as error:
            raise self._refusal("TB901", error.place, error.problem, item) from None
        except BudgetExceeded as error:
            raise self._refusal("TB902", error.pointer, error.problem, item) from None
        try:
            target.tool.verify(value)
        except DocumentError as error:
            raise self._refusal("TB901", "", str(error), item) from None
        return value

    def _refusal(self, code: str, place: str, problem: str, item: _Item) -> LossError:
        loss = Loss(code, item.place + place, None, item.index)
        return LossError(f"{loss.source or '(root)'}: {self.target.id} cannot say this: {problem}", self._report([loss]))

    def _report(self, losses: Iterable[Loss]) -> Report:
        return Report(losses, source=self.source.id, target=self.target.id)

    def _fill_places(self, value: JsonObject, item: _Item) -> None:
        if not self._places:
            return
        for place, filled in self._places.items():
            if at.get(value, place) is at.MISSING:
                try:
                    at.put(value, place, filled)
                except LookupError as error:
                    raise DocumentError(f"fill: {error}", item.place, item=item.index) from None
        try:
            self.target.tool.verify(value)
        except DocumentError as error:
            raise FormatError(f"fill: {error}") from None

    def _item_remainder(self, item: _Item, value: JsonObject) -> Remainder | None:
        """What is missing when the tool goes home: the difference to the original."""
        if self._interface or self.source.reads_only:
            return None
        if self.embed and self.target.slot is not None:
            # What a reader will see once the remainder has been taken out again.
            value = lifted(value, self.target.slot)
        plain = cast("JsonObject", msgspec.json.decode(msgspec.json.encode(value)))
        patch = diff(_alone(self.target, self.source, plain), item.original)
        if not patch:
            return None
        return Remainder(source=self.source.id, target=self.target.id, seal=seal(value), patch=patch)

    def _embedded_in(self, value: JsonObject, entry: Remainder, note: Any) -> JsonObject:
        slot = self.target.slot
        if slot is None:
            note("TB804", "", None)
            return value
        plain = msgspec.to_builtins(entry)
        if len(msgspec.json.encode(plain)) > LARGEST:
            note("TB803", "", slot)
            return value
        carried = cast("JsonObject", msgspec.json.decode(msgspec.json.encode(value)))
        at.put(carried, slot, plain)
        return carried

    # places

    def _source_place(self, base: str, place: str) -> str:
        if self._interface and place == "/name":
            return base
        return base + place

    def _target_place(self, item: _Item, *, several: bool) -> str:
        if not several:
            return ""
        return f"{self._wrap}/{(item.index or 0) - len(self.failures)}"

    def _target_wrap(self, taken: Frame) -> str:
        """Where the tools of a catalogue will stand."""
        if taken.shape == "list":
            return ""
        if self.target.family == self.source.family:
            return taken.wrap if self.target.wrap is None else taken.wrap.rpartition("/")[0] + self.target.wrap
        return self.target.wrap or ""

    def _lose(self, loss: Loss) -> None:
        self.losses.append(loss)


def _is_left_out(part: Remainder | None) -> bool:
    return part is not None and part.left_out is not UNSET


def _alone(source: Format, target: Format, value: JsonObject) -> Json:
    """A tool after the way home without its remainder, or None where there is no way home."""
    try:
        return Passage(source, target, refuse=()).run(value, ())
    except ToolbridgeError:
        return None


def _pairs(taken: Frame) -> Iterator[tuple[Json, str]]:
    return zip(taken.items, taken.places, strict=True)


def _index_of(place: str, taken: Frame) -> int | None:
    if taken.shape == "tool":
        return None
    for index, base in enumerate(taken.places):
        if place.startswith(base + "/"):
            return index
    return None


def lifted(document: JsonObject, slot: str) -> JsonObject:
    """The document without its slot, and without what would be left empty around it."""
    plain = cast("JsonObject", msgspec.json.decode(msgspec.json.encode(document)))
    at.drop(plain, slot)
    tokens = at.split(slot)
    for depth in range(len(tokens) - 1, 0, -1):
        holder = at.join(*tokens[:depth])
        if at.get(plain, holder) != {}:
            break
        at.drop(plain, holder)
    return plain


def _without_tools(document: Json, taken: Frame) -> Json:
    if not taken.wrap:
        return None
    base, _, name = taken.wrap.rpartition("/")
    plain = {**document, "result": dict(document["result"])} if base else dict(document)
    (plain["result"] if base else plain)[name] = []
    return plain


def _wrap(envelope: Json, wrap: str, values: list[Json]) -> Json:
    if not wrap:
        return values
    base, _, name = wrap.rpartition("/")
    plain = {**envelope, "result": dict(envelope["result"])} if base else dict(envelope)
    (plain["result"] if base else plain)[name] = values
    return plain
