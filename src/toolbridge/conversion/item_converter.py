"""ItemConverter: one item (a tool, a call or a result) is read, written and verified, and its losses are collected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

from msgspec import UNSET, Struct
from msgspec.structs import replace

from ..data import pointer as at
from ..data.json_decoder import copy_json, decode_json, encode_json
from ..data.names import assign, legal
from ..data.patch import apply, seal
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError, FormatError, LossError, ToolbridgeError, describe_unexpected
from ..limits import Limits
from ..losses.loss import CatalogueLoss, Loss
from ..losses.note import Note
from ..losses.report import Report
from ..mapping.format import Format, TextTool
from ..mapping.record import Record, Unrepresentable
from ..schema import OPTIONS, ArgumentMap, Options
from .detect import without_any_secrets
from .envelope import Context
from .fill import NO_FILL, FillOptions, apply_fill, check_shared, checked_fills
from .invisible_characters import find_invisible
from .item import IDENTIFYING, FastResult, Item, name_in, read_text_tool, table_of, with_hosted_name
from .options import CONVERSION_OPTIONS, REFUSE, ConversionOptions
from .remainder import Remainder, RemainderBuilder, without_slot
from .rules import TOOLS, Rules, place_of_export
from .trust import changed_places, is_faithful, replaces_all

if TYPE_CHECKING:
    from .loss_details import LossDetails

FastConvert: TypeAlias = Callable[[bytes, Context], FastResult | None]
"""Converts the text of an item in its context by the fast path; None where it takes the general path."""


class ItemLosses(Struct, frozen=True):
    """The losses of one item, or of what is around the items.

    Attributes:
        source_place: The JSON Pointer to the item in the source document.
        target_place: The JSON Pointer to it in the target document.
        number: The index of the item; None for what is around the items.
        notes: The losses.
    """

    source_place: str
    target_place: str
    number: int | None
    notes: list[Note]

    def place(self, note: Note, *, is_interface: bool) -> str:
        """The place of a loss in the source document."""
        # The name of an export of an interface is the key of the export.
        is_key = is_interface and note.source == "/name"
        return self.source_place if is_key else at.absolute(note.source, self.source_place)


class ItemConverter(Struct, eq=False):
    """Converts the items of one document, and keeps what a conversion has besides its values.

    Attributes:
        source: The source format.
        target: The target format.
        options: The options of the conversion.
        rules: The rules for the kind of the items.
        aliases: The names that items have to take, by their indices.
        original_names: The names that these items had.
        not_strict: The indices of the items that are written without strict, for the limits of the vendor.
        fast: Converts items by the fast path; None if that is not wanted.
        is_clean: Whether the document is known to have no invisible characters.
        is_interface: Whether the items are the exports of an interface.
        noted: The losses, item by item.
        limit_losses: The losses of the whole catalogue because of limits of the vendor.
        failures: The errors of the items that were left out.
        old_names: The old names of renamed tools, by their new names.
        argument_map: The map of the arguments of the last item to those of the source; None if they are the same.
        unused_fill: The places of `fill` that no item had so far.
        restored: Whether any item was restored from a remainder.
        has_tools: Whether any item that can be read is not hosted.
        remainders: The remainders so far; None if none are made.
        identities: What identifies the tools of the source document, where remainders inside it are applied.
        fills: What the caller fills in.
        restore: The remainder that is applied, or whether those inside the document are.
    """

    source: Format
    target: Format
    options: ConversionOptions = CONVERSION_OPTIONS
    rules: Rules = TOOLS
    aliases: Mapping[int, str] = {}
    not_strict: frozenset[int] = frozenset()
    fast: FastConvert | None = None
    is_clean: bool = False
    is_interface: bool = False
    noted: list[ItemLosses] = []
    limit_losses: list[CatalogueLoss] = []
    failures: list[ToolbridgeError] = []
    old_names: dict[str, str] = {}
    original_names: dict[int, str] = {}
    argument_map: ArgumentMap | None = None
    unused_fill: set[str] = set()
    restored: bool = False
    has_tools: bool = False
    remainders: RemainderBuilder | None = None
    identities: frozenset[tuple[Json, ...]] = frozenset()
    fills: FillOptions = NO_FILL
    restore: bool | Remainder = False
    _refused: tuple[str, ...] = ()
    _refused_items: dict[int, list[Loss]] = {}
    _read_failures: int = 0
    _filled_names: set[str] = set()
    _restored_identities: dict[tuple[Json, ...], tuple[Json, ...]] = {}
    _digests: dict[int | None, str] = {}

    def __post_init__(self) -> None:
        options = self.options
        self.restore = options.restore
        if options.refuse != REFUSE:
            self._refused = options.refuse
        if options.fill:
            table = self.rules.table(self.source, self.target, None)
            self.fills = checked_fills(self.target.id, table, options.fill, self.rules.fill)
            self.unused_fill.update(self.fills.places)

    def losses(self) -> Iterator[Loss]:
        """Every loss once, with its places in the two documents."""
        for each in self.noted:
            notes = each.notes
            for note in dict.fromkeys(notes) if len(notes) > 1 else notes:
                source = each.place(note, is_interface=self.is_interface)
                target = None if note.target is None else each.target_place + note.target
                yield Loss(note.code, source, target, each.number)
        yield from self.limit_losses

    def reset(self) -> None:
        """Forget the items so far: their losses, errors, names and remainders. What is known of all of them stays."""
        self.noted.clear()
        self.failures.clear()
        self.old_names.clear()
        self.original_names.clear()
        self._refused_items.clear()
        self._read_failures = 0
        self._restored_identities.clear()
        self._filled_names.clear()
        self._digests.clear()
        if self.remainders is not None:
            self.remainders.reset()

    def add_loss(self, loss: Loss) -> None:
        """Add a loss of the document itself, or one of an item that is known before the item is converted."""
        if self._refused and loss.code.startswith(self._refused):
            if loss.item is None or self.options.on_error == "raise":
                raise self._refused_error([loss], None)
            self._refused_items.setdefault(loss.item, []).append(loss)
            return
        self.noted.append(ItemLosses("", "", loss.item, [Note(loss.code, loss.source, loss.target)]))

    def add_limit_loss(self, loss: CatalogueLoss) -> None:
        """Add a loss of the whole catalogue. Raises LossError if it is refused."""
        if not self._refused or not loss.code.startswith(self._refused):
            self.limit_losses.append(loss)
        elif loss.code != "TB603":  # which is noted, and refused, at each tool that is not strict
            raise self._refused_error([loss], None)

    def without_remainder(self, document: Json) -> Json:
        """A source document without a remainder in its slot."""
        slot = self.rules.slot(self.source)
        return without_slot(document, slot) if slot and is_object(document) else document

    def digest(self, item: Item) -> str:
        """The digest of an item without its remainder, which a remainder has as its seal. It is worked out once."""
        digest = self._digests.get(item.number)
        if digest is None:
            digest = self._digests[item.number] = seal(self.without_remainder(item.original))
        return digest

    def identity(self, record: Record) -> tuple[Json, ...]:
        """What identifies a tool in the target format."""
        hub_fields = self.target.tool.hub_fields
        return tuple(record.fields.get(path) for path in IDENTIFYING if path in hub_fields)

    # reading

    def read(self, item: Json, place: str, number: int | None, context: Context) -> Item:
        """An item of the source document, read or already converted by the fast path.

        Raises:
            ToolbridgeError: It cannot be read, and errors are raised.
        """
        unread = Item(number, place, item, context=context)
        try:
            done = self._read_fast(unread) or self._read(unread)
        except ToolbridgeError:
            raise
        except Exception as error:  # noqa: BLE001 - one item that is too much is no reason to lose the others
            done = replace(unread, failure=self.unexpected_failure(item, place, number, error))
        if done.failure is not None:
            if number is None or self.options.on_error == "raise":
                raise done.failure
            self._read_failures += 1
            if self._read_failures > self.options.schemas.limits.failures:
                raise too_many_failures(done.failure, self.options.schemas.limits)
        if number in self.aliases and done.record is not None and not done.hosted:
            self._rename(done.record, cast("int", number))
        self.has_tools = self.has_tools or not (done.hosted or done.left_out or done.failure)
        return done

    def _read(self, item: Item) -> Item:
        item = self.rules.read(self.source, item)
        if item.hosted:
            if self._stays(item):
                return with_hosted_name(self.target, item)
            item = read_text_tool(self.source, item, prose=self.options.schemas.prose)
        if not self.options.app_tools and item.record is not None and self.source.family != self.target.family:
            item = self._without_app_tool(item, item.record)
        if self.options.fill and item.record is not None:
            self._fill_in(item.record, item.number)
        return item

    def _without_app_tool(self, item: Item, record: Record) -> Item:
        """The item, left out if it says that only an app may call the tool."""
        place = next((place for place, code in record.derived.items() if code == "TB608"), None)
        if place is None:
            return item
        report = self._report_of([Loss("TB608", item.place + place, None, item.number)], item)
        problem = "only an app may call this tool, so no model gets it; app_tools=True gives it all the same"
        return replace(item, record=None, left_out=LossError(problem, report))

    def _fill_in(self, record: Record, number: int | None) -> None:
        """Add the fields that the caller filled in. Raises FormatError if several items would get the same id."""
        name: str = record.fields.get("name", "")
        fill = self.fills.of(name)
        if name in self.fills.by_tool:
            self.unused_fill -= {f"{name}:{key}" for key in fill.values if key not in fill.places}
            if name in self._filled_names and self.rules.kind != "tool":  # tools that share a name get different ones
                check_shared(self.rules.table(self.source, self.target, None), fill.values, record.fields, name)
            self._filled_names.add(name)
        elif number is not None and number > 0:
            check_shared(self.rules.table(self.source, self.target, None), fill.values, record.fields)
        for path, value in fill.fields.items():
            if path not in record.fields:
                from copy import deepcopy  # few conversions fill anything in

                record.fields[path] = deepcopy(value)  # each item has its own

    def _read_fast(self, item: Item) -> Item | None:
        if self.fast is None or not is_object(item.original):
            return None
        if item.number in self.not_strict or item.number in self.aliases:
            return None
        try:
            done = self.fast(encode_json(item.original), item.context)
        except (TypeError, ValueError, OverflowError, RecursionError):
            return None
        if done is None or (self._refused and any(note.code.startswith(self._refused) for note in done.notes)):
            return None
        return replace(item, record=done.record, fast=done)

    def _rename(self, record: Record, number: int) -> None:
        """Give a tool its alias, as if the document had no name."""
        place = record.places["name"]
        self.original_names[number] = record.fields["name"]
        record.fields["name"] = self.aliases[number]
        record.places["name"] = ""
        record.fixed = True
        record.raw.pop(place, None)
        record.notes = [*record.notes, Note("TB501", place, at.join(*self.target.tool.name))]

    # converting

    def convert(self, item: Item, new_names: Mapping[str, str], remainder: Remainder | None, target_place: str) -> Json:
        """The item in the target format; UNSET if it is left out.

        Args:
            item: The item, as `read` returned it.
            new_names: The new names of tools, by their old names.
            remainder: The remainder of the item.
            target_place: The JSON Pointer to the written item.

        Raises:
            ToolbridgeError: It cannot be converted, and errors are raised.
        """
        self.argument_map = None
        try:
            if item.failure is not None:
                raise item.failure
            if item.number in self._refused_items:
                raise self._refused_error(self._refused_items[item.number], item)
            if item.left_out is not None:
                return self._leave_out(item, item.left_out)
            if item.hosted:
                return self._convert_hosted(item)
            return self._convert_item(item, new_names, remainder, target_place)
        except (DocumentError, LossError) as error:
            if item.number is None or self.options.on_error == "raise":
                raise
            return self._leave_out(item, error)
        except ToolbridgeError:
            raise
        except Exception as error:
            failure = self.unexpected_failure(item.original, item.place, item.number, error)
            if item.number is None or self.options.on_error == "raise":
                raise failure from error
            return self._leave_out(item, failure)

    def _leave_out(self, item: Item, error: DocumentError | LossError) -> Json:
        """Leave an item out. Raises DocumentError where too many were."""
        if isinstance(error, DocumentError):
            failure = error
            notes = [Note("TB903", "")]
        else:
            losses = [*error.report]
            first = losses[0].code
            notes = [Note(first if first.startswith("TB9") else "TB904", "")]
            notes += [Note(loss.code, _within(item.place, loss.source)) for loss in losses if first != notes[0].code]
            place = losses[0].source or "(root)"
            failure = DocumentError(error.problem.removeprefix(f"{place}: "), losses[0].source, item=item.number)
            failure.__cause__ = error.__cause__
        failure.tool = self._name_in(item.original) or getattr(error, "tool", None)
        if failure.tool is not None and failure.tool in self.fills.by_tool:
            # The tool is there, so its values are no mistake; which of them have a place cannot be known.
            self.unused_fill -= {f"{failure.tool}:{key}" for key in self.fills.of(failure.tool).values}
        # A report may live long: the frames of a traceback would hold the whole document as long.
        failure.__traceback__ = failure.__context__ = None
        self.failures.append(failure)
        if len(self.failures) > self.options.schemas.limits.failures:
            raise too_many_failures(self.failures[0], self.options.schemas.limits)
        self.noted.append(ItemLosses(item.place, "", item.number, notes))
        if self.remainders is not None and not item.is_unreadable:
            original = self.rules.without_secrets(item.original, self.source)
            self.remainders.left_out(without_any_secrets(original, self.source))
        return UNSET

    def _name_in(self, original: Json) -> str | None:
        return name_in(original, table_of(original, self.source, self.rules.kind))

    def unexpected_failure(self, original: Json, place: str, number: int | None, error: Exception) -> LossError:
        """The error of an item for which the program itself fails, or Python's stack ends."""
        code, problem = "TB905", describe_unexpected(error, place)
        if isinstance(error, RecursionError):
            code, problem = "TB902", "nested too deeply for Python's stack"
        name = self._name_in(original)
        tool = "" if name is None else f"{name!r}: "
        report = self._report_of([Loss(code, place, None, number)], Item(number, place, original))
        failure = LossError(f"{place or '(root)'}: {tool}{problem}", report)
        failure.__cause__ = error
        return failure

    def _stays(self, item: Item) -> bool:
        """Whether the target has a tool that is specific to its vendor as well: another API of the family has others.

        It has a rule of its own (openai 3.57.0, ChatCompletionToolUnionParam and types/responses/tool_param.py, checked
        2026-11-29).
        """
        is_of_family = self.target.family == self.source.family and self.target.hosted is self.source.hosted
        if not is_of_family or (self.target.text_tool is None and self.source.text_name(item.original) is not None):
            return False
        return self.target.is_hosted(cast("JsonObject", item.original))

    def _convert_hosted(self, item: Item) -> Json:
        """A tool that is specific to its vendor: it stays in the family, and is left out elsewhere."""
        if self._stays(item):
            alias = None if item.number is None else self.aliases.get(item.number)
            value = item.original if alias is None else self._renamed(item, alias)
            if self.remainders is not None:
                self.remainders.unchanged()
            return value
        if item.number is None:
            raise self._cannot_express("TB901", "", f"this tool is specific to {self.source.family}", item)
        notes = [Note("TB105", "")]
        self._check_refused(item, notes)
        if self.remainders is not None:
            self.remainders.left_out(item.original)
        self.noted.append(ItemLosses(item.place, "", item.number, notes))
        return UNSET

    def _renamed(self, item: Item, alias: str) -> JsonObject:
        """A tool that takes one text and stays as it is, but for its name."""
        target, tool = self.target, copy_json(cast("JsonObject", item.original))
        place = at.join(*cast("TextTool", target.text_tool).table.name)
        notes = [Note("TB501", place, place)]
        self._check_refused(item, notes)
        at.put(tool, place, alias if target.names is None else legal(alias, target.names))
        self.noted.append(ItemLosses(item.place, "", item.number, notes))
        return tool

    def _convert_item(
        self, item: Item, new_names: Mapping[str, str], remainder: Remainder | None, target_place: str
    ) -> Json:
        record = cast("Record", item.record)
        if item.fast is not None:
            value = self._convert_fast(item, item.fast, new_names, remainder, target_place)
            if value is not UNSET:
                return value
            item, record = self._read_fully(item, record)
        notes = [*record.notes]
        if item.embedded is not UNSET:
            remainder = self._usable_embedded(item, notes) or remainder
        if remainder is not None:
            value = self._apply_remainder(self._without_fills(item, record), remainder, notes, target_place)
            if value is not UNSET:
                return value
        # A tool that is not in the remainder of its document was written with the default options.
        restoring = remainder is None and isinstance(self.restore, Remainder)
        schemas = OPTIONS if restoring else self.options.schemas
        if item.number in self.not_strict:
            schemas = replace(schemas, strict=False)
        value = self._write_and_verify(record, notes, new_names, item, schemas)
        if self.is_interface:
            notes = [
                Note(note.code, place_of_export(record, note.source), note.target) if note.source[:1] == "/" else note
                for note in notes
            ]
        if self.options.fill:
            notes = self._set_filled(item, record, value, notes)
        if not self.is_clean and self.source is not self.target:
            notes += self.rules.invisible(record, self.is_interface)
        notes = _with_own_places(item, record, notes)
        old_names = self._old_names(value, record, item)
        if self.remainders is not None and self.is_interface:
            self.remainders.exported(self.argument_map)
        elif self.remainders is not None:
            # The remainder of a catalogue has the names of all its tools.
            own = old_names if self.options.embed or item.number is None else {}
            original = self.rules.without_secrets(item.original, self.source)
            value = self.remainders.tool(original, value, notes, self.argument_map, own)
        self._check_refused(item, notes, kept=True)
        self.old_names.update(old_names)
        if notes:
            self.noted.append(ItemLosses(item.place, target_place, item.number, notes))
        return value

    def _convert_fast(
        self, item: Item, done: FastResult, new_names: Mapping[str, str], remainder: Remainder | None, target_place: str
    ) -> Json:
        """An item that the fast path has converted; UNSET if it takes the general path all the same."""
        record = cast("Record", item.record)
        if remainder is not None:
            if self.options.fill:
                return UNSET  # the text has what was filled in, which a tool that is restored does not get
            # Where this fails, the general path tries it again, and keeps the notes of why.
            return self._apply_remainder(item, remainder, [], target_place)
        if record.is_ambiguous or done.name in new_names:
            return UNSET
        if done.argument_map is not None:
            self.argument_map = ArgumentMap(copy_json(done.argument_map))
        if done.renamed is not None:
            self.old_names[done.renamed] = done.name
        if done.notes:
            self.noted.append(ItemLosses(item.place, target_place, item.number, done.notes))
        value = decode_json(done.text)
        if self.remainders is not None:
            own = {} if item.number is not None or done.renamed is None else {done.renamed: done.name}
            original = self.rules.without_secrets(item.original, self.source)
            self.remainders.tool(original, value, [], self.argument_map, own)
        return value

    def _read_fully(self, item: Item, record: Record) -> tuple[Item, Record]:
        """An item that the fast path has converted, with its whole record."""
        item = self._read(replace(item, record=None, fast=None))
        if item.failure is not None:
            raise item.failure
        full = cast("Record", item.record)
        full.is_ambiguous = record.is_ambiguous
        return item, full

    def _filled(self, item: Item, record: Record) -> set[str]:
        """The fields of the hub that the caller filled in."""
        fill = self.fills.of(self._original_name(record, item))
        return {path for path in fill.fields if path not in record.places}

    def _without_fills(self, item: Item, record: Record) -> Item:
        """The item as it is restored: what it was, so that nothing is filled in."""
        filled = self._filled(item, record) if self.options.fill else ()
        if not filled:
            return item
        fields = {path: value for path, value in record.fields.items() if path not in filled}
        return replace(item, record=replace(record, fields=fields))

    def _set_filled(self, item: Item, record: Record, value: JsonObject, notes: list[Note]) -> list[Note]:
        """Set the places that the caller filled in; the losses without those that this mends."""
        name = self._original_name(record, item)
        fill = self.fills.of(name)
        if not fill.places:
            return notes
        hub = self._filled(item, record)
        table = self.rules.table(self.source, self.target, item)
        notes, used = apply_fill(self.target, table, fill.places, hub, value=value, notes=notes)
        self.unused_fill -= {*used, *(f"{name}:{place}" for place in used)}
        return notes

    def _original_name(self, record: Record, item: Item) -> str:
        return cast("str", self.original_names.get(cast("int", item.number), record.fields.get("name")))

    def _old_names(self, value: Json, record: Record, item: Item) -> dict[str, str]:
        """The name that a tool had in the source document, by the one that it has in the target document."""
        return self.rules.old_names(value, self._original_name(record, item), self.target)

    def _write_and_verify(
        self, record: Record, notes: list[Note], new_names: Mapping[str, str], item: Item, schemas: Options
    ) -> JsonObject:
        """The record written by the target's table, and verified."""
        target = self.target
        if item.tool_names and target.names is not None:
            new_names = {**new_names, **assign(item.tool_names, target.names)}
        try:
            table = self.rules.table(self.source, target, item)
            argument_maps: list[JsonObject | None] = []
            value = table.write(
                record,
                target.family,
                notes,
                names=new_names,
                target=target.id,
                options=schemas,
                argument_maps=argument_maps,
                number=item.number,
            )
            self.argument_map = None if argument_maps[0] is None else ArgumentMap(argument_maps[0])
        except DocumentError as error:
            raise error.at(item.place, item.number) from None
        except Unrepresentable as error:
            raise self._cannot_express(error.code, error.place, error.problem, item) from None
        try:
            # What readers take leniently stays as lenient where nothing was converted.
            table.verify(value, table.reads if record.table is table else None)
        except DocumentError as error:
            row = table.rows.get(error.pointer)
            if row is not None and self.fills.has_field(row.hub):
                raise FormatError(f"fill: {error}") from None
            raise self._cannot_express("TB901", "", str(error), item) from None
        return value

    # restoring

    def _usable_embedded(self, item: Item, notes: list[Note]) -> Remainder | None:
        """The remainder inside an item, if it may be applied."""
        slot = cast("str", self.source.slot)
        if self.restore is not True:
            notes.append(Note("TB802", slot))
            return None
        try:
            remainder = Remainder.of(item.embedded, self.options.schemas.limits.depth)
        except DocumentError:
            notes.append(Note("TB801", slot))
            return None
        if self.options.key is not None and not remainder.is_signed(self.options.key):
            notes.append(Note("TB806", slot))
            return None
        return remainder

    def _apply_remainder(self, item: Item, remainder: Remainder, notes: list[Note], target_place: str) -> Json:
        """The tool as its remainder says that it was; UNSET, with the reason in `notes`, if that is not trusted."""
        record = cast("Record", item.record)
        is_of_pair = (remainder.source, remainder.target) == (self.target.id, self.source.id)
        if not is_of_pair or remainder.seal != self.digest(item):
            notes.append(Note("TB801", ""))
            return UNSET
        before = self._write_alone(item, record)
        if remainder.base and remainder.base != seal(before):
            notes.append(Note("TB801", ""))
            return UNSET
        value: Json = None
        untrusted = self.restore is True and self.options.key is None
        try:
            value = apply(remainder.patch, before, self.options.schemas.limits.depth)
            restored = None if not untrusted and self._is_plain_tool(value) else self._read_back(value, item)
        except DocumentError as error:
            if self.restore is not True:
                raise error.at(item.place, item.number) from None
            is_usable = False
        else:
            is_usable = not untrusted or self._is_plausible(restored, item, remainder, before)
        slot = self.rules.slot(self.source) or ""
        if not is_usable:
            notes.append(Note("TB806", slot))
            return UNSET
        if untrusted:
            changes = [Note("TB805", slot, place) for place in changed_places(before, value)]
            changes += [Note("TB607", slot, place) for place, _ in find_invisible(value)]
            self._check_refused(item, changes)
            if changes:
                self.noted.append(ItemLosses(item.place, target_place, item.number, changes))
        self.restored = True
        if self.remainders is not None:
            self.remainders.unchanged()
        self.old_names.update(self._old_names(value, record, item))
        return value

    def _is_plain_tool(self, value: Json) -> bool:
        """Whether a value is a valid tool of the target for certain, which takes less time than to read it."""
        table = self.target.tool
        is_tool = self.rules.kind == "tool" and is_object(value) and table.is_plain(value)
        return is_tool and table.nameless(cast("JsonObject", value)) is None

    def _read_back(self, value: Json, item: Item) -> Record | None:
        """The record of a restored document; None for a hosted tool. Raises DocumentError if it has none."""
        back = read_text_tool(self.target, self.rules.read(self.target, Item(item.number, "", value)), prose=True)
        if back.failure is not None:
            raise DocumentError(f"the remainder does not restore a document of {self.target.id}: {back.failure}")
        return back.record

    def _write_alone(self, item: Item, record: Record) -> Json:
        """A tool as it would be converted alone: no names from its neighbours, no fills of places; None if it fails."""
        if item.fast is not None:
            return decode_json(item.fast.text)
        ambiguous, record.is_ambiguous = record.is_ambiguous, False
        try:
            # Without its number: an id that is invented depends on that.
            return self.rules.table(self.source, self.target, item).write(
                record, self.target.family, target=self.target.id
            )
        except (DocumentError, Unrepresentable):
            return None  # as it was when the remainder was made, which then has all of the tool
        except Exception as error:  # noqa: BLE001 - here too it was as it is now, and the remainder has all of the tool
            describe_unexpected(error, item.place)
            return None
        finally:
            record.is_ambiguous = ambiguous

    def _is_plausible(self, restored: Record | None, item: Item, remainder: Remainder, before: Json) -> bool:
        """Whether to apply an unsigned remainder from a document, which makes `restored` of an item.

        `before` is the item converted without it.
        """
        record = cast("Record", item.record)
        if restored is None or (before is not None and any(replaces_all(each) for each in remainder.patch)):
            return False
        new, old = self.identity(restored), self.identity(record)
        if new != old and new in self.identities:
            return False
        if not is_faithful(restored, self.without_remainder(item.original), record, self.source, self.options.schemas):
            return False
        return self._restored_identities.setdefault(new, old) == old

    # refusing

    def _check_refused(self, item: Item, notes: list[Note], *, kept: bool = False) -> None:
        """Raise LossError for refused losses. `kept` is whether a remainder was made of the item."""
        if not self._refused:
            return
        refused = [
            Loss(note.code, at.absolute(note.source, item.place), None, item.number)
            for note in dict.fromkeys(notes)
            if note.code.startswith(self._refused)
        ]
        if refused:
            if kept and self.remainders is not None:
                self.remainders.withdraw()
            raise self._refused_error(refused, item)

    def _refused_error(self, losses: list[Loss], item: Item | None) -> LossError:
        first, *more = losses
        where = f": {first.detail}" if first.detail else f" at {first.source or '(root)'}"
        message = f"refused: {first.code} {first.name}{where}"
        return LossError(message + (f" and {len(more):,} more" if more else ""), self._report_of(losses, item))

    def _cannot_express(self, code: str, place: str, problem: str, item: Item) -> LossError:
        loss = Loss(code, at.absolute(place, item.place), None, item.number)
        return LossError(
            f"{loss.source or '(root)'}: {self.target.id} cannot express this: {problem}", self._report_of([loss], item)
        )

    def _report_of(self, losses: Iterable[Loss], item: Item | None) -> Report:
        """A report of losses of an item, or of the document."""

        def details() -> LossDetails:
            from .loss_details import ItemValues, LossDetails

            kind, schemas = self.rules.kind, self.options.schemas
            return LossDetails(self.source, self.target, ItemValues(item), ItemValues(None), kind, schemas)

        return Report(
            losses, self.source.id, self.target.id, kind=self.rules.kind, documents=None if item is None else details
        )


def _within(base: str, place: str) -> str:
    """A place in an item at `base`, as its losses have it."""
    return place[len(base) :] if at.is_within(place, base) else at.OUTSIDE + place


def _with_own_places(item: Item, record: Record, notes: list[Note]) -> list[Note]:
    """The losses of an item with its own places: what was read may be around it, or repaired."""
    if item.around:
        start = len(item.around)
        notes = [
            Note(note.code, note.source[start:] if at.is_within(note.source, item.around) else "", note.target)
            for note in notes
        ]
    if record.notes:
        found = {place: at.existing(item.original, place) for place in {note.source for note in notes}}
        notes = [Note(note.code, found[note.source], note.target) for note in notes]
    return notes


def too_many_failures(example: ToolbridgeError, limits: Limits) -> DocumentError:
    """The error of a document with too many items that fail; `example` is the error of one of them."""
    return DocumentError(f"more than {limits.failures:,} of its items fail (limit failures), one of them: {example}")
