"""The converter of one item (a tool, a call or a result): reads, writes, verifies, collects losses."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

import msgspec
from msgspec import UNSET, Struct

from ..data import pointer as at
from ..data.patch import apply, seal
from ..data.pointer import existing
from ..data.types import Json, JsonObject, is_object, kind
from ..errors import DocumentError, FormatError, LossError, ToolbridgeError, describe_unexpected
from ..limits import Limits
from ..losses.report import Loss, Report, selected
from ..mapping.format import Format
from ..mapping.record import Notes, Record, Unrepresentable
from ..mapping.table import Table
from ..names import assign, digest
from ..schema import OPTIONS, Options
from .detect import without_any_secrets
from .envelope import Context
from .fill import answer, check_fill
from .invisible_characters import find_invisible
from .options import OnError
from .remainder import Remainder, RemainderBuilder, without_slot
from .trust import changed_places, copy_of, is_faithful, replaces_all

if TYPE_CHECKING:
    from ..bulk.fastpath import FastResult


class Item(Struct, frozen=True):
    """One item: what was read, or why it could not be. A hosted one is a tool that nobody here has to read.

    Where it took the fast path, `done` is what became of it: then no more was read than what tells it from others.
    `context` is what stands around it and tells about it.
    """

    number: int | None
    place: str
    original: Json
    reading: Record | None = None
    embedded: Json = UNSET
    failure: ToolbridgeError | None = None
    hosted: bool = False
    done: FastResult | None = None
    context: Context = {}


def read_item(
    source: Format, item: Json, place: str, number: int | None, *, context: Context, fields: Mapping[str, Any]
) -> Item:
    """An item, read. `context` is what stands around it and tells about it, `fields` what a caller filled in."""
    if isinstance(item, DocumentError):
        # An interface says itself which of its exports cannot be read, and where.
        return Item(number, place, None, failure=DocumentError(item.problem, item.pointer, item=number))
    if not is_object(item):
        failure = DocumentError(f"expected a tool, found {kind(item)}", place, item=number)
        return Item(number, place, item, failure=failure)
    if source.hosted is not None and source.hosted(item):
        return Item(number, place, item, hosted=True)
    body, embedded = item, UNSET
    if source.slot is not None and (found := at.get(body, source.slot)) is not at.MISSING:
        embedded = found
        body = without_slot(body, source.slot)
    try:
        reading = source.tool.open(body, source.family)
    except DocumentError as error:
        return Item(number, place, item, failure=error.at(place, number))
    borrow(reading, context)
    for path, value in fields.items():
        if path not in reading.fields:
            reading.fields[path] = copy.deepcopy(value)
    return Item(number, place, item, reading, embedded)


def borrow(reading: Record, context: Context) -> None:
    """Let what stands around an item say what the item itself does not."""
    for path, (value, where) in context.items():
        if path not in reading.fields:
            reading.fields[path] = value
            reading.places[path] = "^" + where
            reading.borrowed.add(path)


def assign_names(items: Sequence[Item], target: Format) -> dict[str, str]:
    """The names that tools need there, where they cannot keep their own; those that look alike are marked."""
    readings = [item.reading for item in items if item.reading is not None]
    called = assign((reading.fields["name"] for reading in readings), target.names) if target.names is not None else {}
    if target.identity is not None:
        more = True
        while more:  # a marked one may meet one that is called so already, which is marked then, too
            owners: dict[str, list[Record]] = {}
            for reading in readings:
                name: str = reading.fields["name"]
                known = called.get(name, name)
                known = f"{known}_{digest(name)}" if reading.apart else known
                owners.setdefault(target.identity(reading, known), []).append(reading)
            more = False
            for rivals in owners.values():
                if len({reading.fields["name"] for reading in rivals}) > 1:
                    free = [reading for reading in rivals if not reading.fixed]
                    more = more or not all(reading.apart for reading in free)
                    for reading in free:
                        reading.apart = True
    return called


def duplicates(items: Sequence[Item], target: Format, *, grouped: bool) -> Iterator[Item]:
    """The tools that another one before them is the same as, by what is said of them there.

    Two versions of a tool are one where versions have no word; `grouped` tools are told apart by their groups.
    """
    words = {row.hub for row in target.tool.order}
    said = [path for path in ("version", "toolkit") if path in words or (grouped and path == "toolkit")]
    seen: set[object] = set()
    for item in items:
        if item.reading is not None:
            fields = item.reading.fields
            name = (fields["name"], *(fields.get(path) for path in said))
            if name in seen:
                yield item
            seen.add(name)


Quick: TypeAlias = "Callable[[bytes, Context], FastResult | None]"
"""Converts the text of an item by the fast path, with what stands around it; None where it takes the general road."""

_ALWAYS = ("TB9",)

_encode = msgspec.json.Encoder().encode

_decode = msgspec.json.Decoder().decode


class ItemConverter(Struct, eq=False):
    """One run over a bridge; `losses`, `failures`, `ways`, `names` and `remainder` are what it leaves beside the value.

    `aliases` are names that items of a list, by number, have to take (`unaliased`: what they were called); `crossed`
    are the items that were written. `options` say how schemas are written. A tool that goes home by its remainder is
    written without them, as whoever made the remainder did. `key` signs remainders, and vouches for those in documents.
    `quick` converts items by the fast path, None where nobody wants that.
    `seen`: whoever had the text of the document found nothing suspect in it, so that nobody has to look for invisible
    characters.
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
    aliases: Mapping[int, str] = {}
    failures: list[ToolbridgeError] = []
    argument_maps: list[JsonObject | None] = []
    names: dict[str, str] = {}
    crossed: list[Item] = []
    unaliased: dict[int, str] = {}
    batches: list[tuple[str, str, int | None, Notes]] = []
    remainder: Remainder | None = None
    restored: bool = False
    way: JsonObject | None = None
    unanswered: set[str] = set()
    key: bytes | None = None
    seen: bool = False
    quick: Quick | None = None
    _keeping: RemainderBuilder | None = None
    _codes: tuple[str, ...] = ()
    _interface: bool = False
    _tools: bool = False
    _unread: int = 0
    _forbidden: dict[int, Loss] = {}
    _fields: dict[str, Any] = {}
    _places: dict[str, bytes] = {}
    _others: frozenset[tuple[Json, ...]] = frozenset()
    _identities: dict[tuple[Json, ...], tuple[Json, ...]] = {}

    def __post_init__(self) -> None:
        if self.refuse != _ALWAYS:
            self._codes = selected((self.refuse,) if isinstance(self.refuse, str) else self.refuse)
        if self.fill:
            self._fields, self._places = check_fill(self.target.id, self._written_by(None), self.fill, self._answers)
            self.unanswered.update(self._places)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.source.id} -> {self.target.id})"  # and nothing of the key

    def losses(self) -> Iterator[Loss]:
        """Every loss, each once, by its place in the two documents."""
        for base, out, index, notes in self.batches:
            for code, place, there in dict.fromkeys(notes) if len(notes) > 1 else notes:
                if place.startswith("^"):
                    source = place[1:]
                else:
                    source = base if self._interface and place == "/name" else base + place
                yield Loss(code, source, None if there is None else out + there, index)

    def forget(self) -> None:
        """Begin anew with the next item, as if none had been before."""
        self.batches.clear()
        self.failures.clear()
        self.names.clear()
        self._forbidden.clear()
        self._unread = 0
        self._identities.clear()

    def lose(self, loss: Loss) -> None:
        """Note a loss of the document itself, around its tools."""
        if self._codes and loss.code.startswith(self._codes):
            if loss.item is None or self.on_error == "raise":
                raise self._refused([loss])
            self._forbidden[loss.item] = loss
            return
        self.batches.append(("", "", loss.item, [(loss.code, loss.source, loss.target)]))

    # what another kind of documents does in another way

    _answers: ClassVar[tuple[str, ...]] = ("toolkit", "version", "title", "description")

    def _slot(self, form: Format) -> str | None:
        """Where a document of this format may carry a remainder."""
        return form.slot

    def _read(self, item: Json, place: str, number: int | None, context: Context) -> Item:
        return read_item(self.source, item, place, number, context=context, fields=self._fields)

    def _written_by(self, reading: Record | None) -> Table:  # noqa: ARG002 - tools are written in one way
        """The table that writes what was read; None: in general."""
        return self.target.tool

    def _kept(self, original: Json) -> Json:
        """An original document, as a remainder may keep it."""
        return original

    def bare(self, document: Json) -> Json:
        """A source document without a remainder in its slot."""
        slot = self._slot(self.source)
        return without_slot(document, slot) if slot and is_object(document) else document

    # one tool

    def open(self, item: Json, place: str, number: int | None, context: Context) -> Item:
        try:
            found = self._quick(item, place, number, context) or self._read(item, place, number, context)
        except ToolbridgeError:
            raise
        except Exception as error:  # noqa: BLE001 - one item that is too much is no reason to lose the others
            found = Item(number, place, item, failure=self.fault(item, place, number, error))
        if found.failure is not None and (number is None or self.on_error == "raise"):
            raise found.failure
        if found.failure is not None:
            self._unread += 1
            if self._unread > self.options.limits.failures:
                raise too_many_failures(found.failure, self.options.limits)
        if number in self.aliases and found.reading is not None:
            self._rename(found.reading, cast("int", number))
        self._tools = self._tools or not found.hosted
        return found

    def _quick(self, item: Json, place: str, number: int | None, context: Context) -> Item | None:
        """An item that takes the fast path."""
        if self.quick is None or not is_object(item):
            return None
        try:
            done = self.quick(_encode(item), context)
        except (TypeError, ValueError, OverflowError, RecursionError):
            return None
        if done is None or (self._codes and any(code.startswith(self._codes) for code, _, _ in done.notes)):
            return None
        return Item(number, place, item, done.reading, done=done, context=context)

    def _quickly(self, item: Item, done: FastResult, there: str) -> Json:
        """What became of an item that took the fast path."""
        if done.way is not None:
            self.way = _decode(_encode(done.way))
        if done.renamed is not None:
            self.names[done.renamed] = done.name
        if done.notes:
            self.batches.append((item.place, there, item.number, done.notes))
        return _decode(done.text)

    def _rename(self, reading: Record, number: int) -> None:
        """Call a tool as it has to be called, as if nobody had said its name."""
        place = reading.places["name"]
        self.unaliased[number] = reading.fields["name"]
        reading.fields["name"] = self.aliases[number]
        reading.places["name"] = ""
        reading.fixed = True
        reading.raw.pop(place, None)
        reading.notes = [*reading.notes, ("TB501", place)]

    def cross(self, item: Item, names: Mapping[str, str], part: Remainder | None, there: str) -> Json:
        """One tool in the target's words, to stand `there`; UNSET where it was left out."""
        self.way = None
        try:
            if item.failure is not None:
                raise item.failure
            if item.number in self._forbidden:
                raise self._refused([self._forbidden[item.number]])
            return self._hosted(item) if item.hosted else self._written(item, names, part, there)
        except (DocumentError, LossError) as error:
            if item.number is None or self.on_error == "raise":
                raise
            return self._left_out(item, error)
        except ToolbridgeError:
            raise
        except Exception as error:
            failure = self.fault(item.original, item.place, item.number, error)
            if item.number is None or self.on_error == "raise":
                raise failure from error
            return self._left_out(item, failure)

    def _left_out(self, item: Item, error: DocumentError | LossError) -> Json:
        """Leave an item out. Raises DocumentError where too many were."""
        code: str = "TB903"
        failure: ToolbridgeError = error
        if isinstance(error, LossError):
            first = error.report[0]
            code = first.code if first.code.startswith("TB9") else "TB904"
            place = first.source or "(root)"
            failure = DocumentError(error.problem.removeprefix(f"{place}: "), first.source, item=item.number)
            failure.__cause__ = error.__cause__
        self.failures.append(failure)
        if len(self.failures) > self.options.limits.failures:
            raise too_many_failures(self.failures[0], self.options.limits)
        self.batches.append((item.place, "", item.number, [(code, "", None)]))
        if self._keeping is not None:
            self._keeping.left_out(without_any_secrets(self._kept(item.original), self.source))
        return UNSET

    def fault(self, original: Json, place: str, number: int | None, error: Exception) -> LossError:
        """The error of an item at which the program itself fails, or the stack of Python ends."""
        code, problem = "TB905", describe_unexpected(error, place)
        if isinstance(error, RecursionError):
            code, problem = "TB902", "nested too deeply for Python's stack"
        name = _name_in(original, self.source)
        tool = "" if name is None else f"{name!r}: "
        found = LossError(f"{place or '(root)'}: {tool}{problem}", self._report([Loss(code, place, None, number)]))
        found.__cause__ = error
        return found

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
        self.batches.append((item.place, "", item.number, notes))
        return UNSET

    def _written(self, item: Item, names: Mapping[str, str], part: Remainder | None, there: str) -> Json:
        reading = cast("Record", item.reading)
        if item.done is not None:
            if not reading.apart and item.done.name not in names:
                return self._quickly(item, item.done, there)
            full = self._read(item.original, item.place, item.number, item.context)
            if full.failure is not None:
                raise full.failure
            full_reading = cast("Record", full.reading)
            full_reading.apart, reading = reading.apart, full_reading
        notes: Notes = [(code, place, None) for code, place in reading.notes] if reading.notes else []
        if item.embedded is not UNSET:
            part = self._embedded(item, notes) or part
        if part is not None:
            value = self._restored(item, reading, part, notes, there)
            if value is not UNSET:
                return value
        # A tool of which a remainder misses nothing goes home like those of which it does.
        home = part is None and isinstance(self.restore, Remainder)
        value = self._write(reading, notes, names, item, OPTIONS if home else self.options)
        if self._places:
            hub = {path for path in self._fields if path not in reading.places}
            notes, answered = answer(
                self.target.id, self._written_by(reading), self._places, hub, value=value, notes=notes
            )
            self.unanswered -= answered
        if not self.seen and self.source is not self.target:
            notes += self._invisible(reading)
        if reading.notes:
            # What was read is the repaired document; the places are those of the one that came in.
            notes = [(code, existing(item.original, place), there) for code, place, there in notes]
        called = self._called(value, reading)
        if self._keeping is not None and self._interface:
            self._keeping.exported(self.way)
        elif self._keeping is not None:
            # The remainder of a catalogue has the names of all its tools.
            own = called if self.embed or item.number is None else {}
            value = self._keeping.tool(self._kept(item.original), value, notes, self.way, own)
        if self._codes:
            try:
                self._refuse(item, notes)
            except LossError:
                if self._keeping is not None:
                    self._keeping.parts.pop()
                raise
        self.names.update(called)
        if notes:
            self.batches.append((item.place, there, item.number, notes))
        return value

    def _invisible(self, reading: Record) -> Notes:
        """The names and texts of a tool that hold invisible characters."""
        places = (place for place, _ in find_invisible(reading.document))
        if self._interface:
            # Its references were written out, so that a place in a schema is no place in the document.
            places = dict.fromkeys(at.join(*at.split(place)[:1]) for place in places)
        return [("TB607", place, None) for place in places]

    def _restored(self, item: Item, reading: Record, part: Remainder, notes: Notes, there: str) -> Json:
        """The tool as its remainder says that it was; UNSET, with the reason in `notes`, where that is not believed."""
        if (part.source, part.target) != (self.target.id, self.source.id) or part.seal != seal(
            self.bare(item.original)
        ):
            notes.append(("TB801", "", None))
            return UNSET
        apart, reading.apart = reading.apart, False
        try:
            # As the tool would go home alone: no names from its neighbours, nothing filled in.
            value = self._written_by(reading).write(
                reading, self.target.family, target=self.target.id, number=item.number
            )
        except (DocumentError, Unrepresentable):
            value = None  # as it was when the remainder was made, which then has all of the tool
        except Exception as error:  # noqa: BLE001 - here too it was as it is now, and the remainder has all of the tool
            describe_unexpected(error, item.place)
            value = None
        reading.apart = apart
        doubted = self.restore is True and self.key is None
        before = value
        try:
            # What was written shares values with what was read, which is written in the usual way where this fails.
            value = apply(part.patch, copy_of(before), self.options.limits.depth)
            found = self._read_back(value, item)
            if found.failure is not None:
                raise DocumentError(f"the remainder does not restore a document of {self.target.id}: {found.failure}")
        except DocumentError as error:
            if self.restore is not True:
                raise error.at(item.place, item.number) from None
            found = None
        slot = self._slot(self.source) or ""
        if found is None or (doubted and not self._believed(found.reading, item, part, before)):
            notes.append(("TB806", slot, None))
            return UNSET
        if doubted:
            told: Notes = [("TB805", slot, place) for place in changed_places(before, value)]
            told += [("TB607", slot, place) for place, _ in find_invisible(value)]
            if self._codes:
                self._refuse(item, told)
            if told:
                self.batches.append((item.place, there, item.number, told))
        self.restored = True
        if self._keeping is not None:
            self._keeping.parts.append(None)
        self.names.update(self._called(value, reading))
        return value

    def _believed(self, restored: Record | None, item: Item, part: Remainder, before: Json) -> bool:
        """Whether to believe a remainder that nobody vouches for, and that makes this of an item.

        `before` is what the item would have become without it.
        """
        reading = cast("Record", item.reading)
        if restored is None or (before is not None and any(replaces_all(each) for each in part.patch)):
            return False
        own, its = self.identity(restored), self.identity(reading)
        if own != its and own in self._others:
            return False
        if not is_faithful(restored, self.bare(item.original), reading, self.source, self.options):
            return False
        return self._identities.setdefault(own, its) == its

    def identity(self, reading: Record) -> tuple[Json, ...]:
        """What tells a tool from others in the target."""
        words = {row.hub for row in self.target.tool.order}
        return tuple(reading.fields.get(path) for path in ("name", "toolkit", "version") if path in words)

    def _read_back(self, value: Json, item: Item) -> Item:
        """What is read of a restored document."""
        return read_item(self.target, value, "", item.number, context={}, fields={})

    def _called(self, value: Json, reading: Record) -> dict[str, str]:
        """The name of a written tool, where that is not the name of the one that was read, and the latter."""
        name = reading.fields["name"]
        try:
            for token in self.target.tool.name:
                value = value[token]
        except (LookupError, TypeError):
            return {}
        return {value: name} if value != name and isinstance(value, str) else {}

    def _write(
        self, reading: Record, notes: Notes, names: Mapping[str, str], item: Item, options: Options
    ) -> JsonObject:
        target, table = self.target, self._written_by(reading)
        try:
            argument_maps: list[JsonObject | None] = []
            value = table.write(
                reading,
                target.family,
                notes,
                names=names,
                target=target.id,
                options=options,
                argument_maps=argument_maps,
                number=item.number,
            )
            self.way = argument_maps[0]
        except DocumentError as error:
            raise error.at(item.place, item.number) from None
        except Unrepresentable as error:
            raise self._refusal(error.code, error.place, error.problem, item) from None
        try:
            # What readers take leniently stays as lenient where nothing was converted.
            table.verify(value, table.reads if reading.table is table else None)
        except DocumentError as error:
            row = table.rows.get(error.pointer)
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
            f"{loss.source or '(root)'}: {self.target.id} cannot express this: {problem}", self._report([loss])
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
            part = Remainder.of(item.embedded, self.options.limits.depth)
        except DocumentError:
            notes.append(("TB801", slot, None))
            return None
        if self.key is not None and not part.is_signed(self.key):
            notes.append(("TB806", slot, None))
            return None
        return part


def too_many_failures(example: ToolbridgeError, limits: Limits) -> DocumentError:
    """The error of a document of which too many items fail; `example` is what is wrong with one of them."""
    return DocumentError(f"more than {limits.failures:,} of its items fail (limit failures), one of them: {example}")


def _name_in(document: Json, form: Format) -> str | None:
    """The name of an item, where it has one at the place of its format."""
    for token in form.tool.name:
        document = document.get(token) if is_object(document) else None
    return document if isinstance(document, str) else None
