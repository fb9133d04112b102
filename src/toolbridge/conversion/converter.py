"""Converter: one document is converted, its items one by one, and put together again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from ..data.json_decoder import copy_json
from ..data.patch import apply, seal
from ..data.types import Json, is_object
from ..errors import DocumentError, FormatError
from ..losses.loss import CatalogueLoss, Loss
from ..mapping.format import Format
from ..schema import ArgumentMap
from .budget import Budget, has_budget
from .catalogue import Catalogue, Group, ListWriter, catalogue_of, put_list
from .envelope import Envelope
from .fill import unused_fill_error
from .item import Item, tool_name
from .item_converter import FastConvert, ItemConverter
from .options import CONVERSION_OPTIONS, FAST_PATH_FROM_IN_LISTS, ConversionOptions
from .remainder import Remainder, RemainderBuilder, belongs, check_formats, is_left_out, match, seal_of
from .rules import TOOLS, Rules

Parts: TypeAlias = Iterable[tuple[int | None, Remainder | None, list[Json]]]
"""In the order of the original: the index of an item with its remainder, and the tools before it that were left out."""


class Converter(Struct, eq=False):
    """Converts one document, and has the outcome of that.

    Attributes:
        source: The source format.
        target: The target format.
        options: The options of the conversion.
        rules: The rules for the kind of the document.
        aliases: The names that tools have to take, by their indices.
        not_strict: The indices of the tools that are written without strict; None: those over the vendor's limits.
        fast: Converts items by the fast path; None if that is not wanted.
        fast_back: Converts written items back by the fast path, for their remainders; None if that is not wanted.
        is_compiled: Whether the fast paths are compiled already, or worth it although the document has few items.
        is_clean: Whether the document is known to have no invisible characters.
        unreadable: The errors of the items that are not JSON, by their places; null stands there in the document.
        is_alone: Whether no other document can have the places of `fill` that this one lacks.
        item_converter: The converter of the items, which has the losses, the failures and the names.
        written: The items that were written.
        argument_maps: For each written tool the map of its arguments to those of the source; None if they are the same.
        remainder: The remainder of the document, if it was asked for.
        count: The number of the items of the source document.
    """

    source: Format
    target: Format
    options: ConversionOptions = CONVERSION_OPTIONS
    rules: Rules = TOOLS
    aliases: Mapping[int, str] = {}
    not_strict: frozenset[int] | None = None
    fast: FastConvert | None = None
    fast_back: FastConvert | None = None
    is_compiled: bool = False
    is_clean: bool = False
    unreadable: Mapping[str, DocumentError] = {}
    is_alone: bool = True
    item_converter: ItemConverter = UNSET  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType] - set at once
    written: list[Item] = []
    argument_maps: list[ArgumentMap | None] = []
    remainder: Remainder | None = None
    count: int = 0
    _excess: frozenset[int] = frozenset()
    _limit_losses: list[CatalogueLoss] = []
    _back: ItemConverter | None = None
    _duplicates: Sequence[str] = ()

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.written, self.argument_maps, self.remainder = [], [], None
        source, target, options = self.source, self.target, self.options
        self.item_converter = ItemConverter(
            source,
            target,
            options,
            self.rules,
            self.aliases,
            self.not_strict or frozenset(),
            self.fast,
            is_clean=self.is_clean,
        )
        if options.keep or options.embed:
            self.item_converter.remainders = RemainderBuilder(
                source, target, self._restored, embed=options.embed, slot=self.rules.slot(target), key=options.key
            )

    def __repr__(self) -> str:
        return f"Converter({self.source.id} -> {self.target.id})"

    @property
    def names(self) -> dict[str, str]:
        """The old names of renamed tools, by their new names."""
        return self.item_converter.old_names

    def run(self, document: Json, duplicates: Sequence[str] = ()) -> Json:
        """The document in the target format.

        Args:
            document: The document; what is returned may share values with it.
            duplicates: The JSON Pointers to its duplicate members.

        Raises:
            FormatError: The target cannot be written, or a value of `fill` has no place.
            DocumentError: The document is not valid.
            LossError: The conversion has a refused loss.
        """
        self._duplicates = duplicates
        value = self._run(document, duplicates)
        if self._excess:
            self.not_strict = self._excess
            self._begin()
            value = self._run(document, duplicates)
        for loss in self._limit_losses:
            self.item_converter.add_limit_loss(loss)
        return value

    def _run(self, document: Json, duplicates: Sequence[str]) -> Json:
        source, target, item_converter = self.source, self.target, self.item_converter
        remainder = self.options.restore if isinstance(self.options.restore, Remainder) else None
        if target.reads_only and not (remainder is not None and remainder.source == target.id):
            raise FormatError(
                f"{target.id} can be read, not written, as tools lack much of such a document; "
                "only the remainder of a conversion from it restores one"
            )
        catalogue = self.rules.catalogue(document, source, self.options.schemas.limits).with_unreadable(self.unreadable)
        self.count = len(catalogue.items)
        item_converter.is_interface = catalogue.shape == "interface"
        if duplicates:
            for place, number in zip(duplicates, catalogue.numbers_at(duplicates), strict=True):
                item_converter.add_loss(Loss("TB002", place, None, number))
        if remainder is not None:
            remainder = self._usable(remainder)
            if remainder is not None and target.reads_only:
                return self._interface(remainder, document)
        # A single tool comes here after the bridge has tried the fast path, unless it is restored or gets a remainder.
        was_tried = catalogue.shape == "tool" and self.options.plain
        if was_tried or (
            not self.is_compiled and (catalogue.shape == "tool" or len(catalogue.items) < FAST_PATH_FROM_IN_LISTS)
        ):
            self.fast = self.fast_back = item_converter.fast = None
        if catalogue.shape == "tool":
            value = item_converter.convert(item_converter.read(document, "", None, {}), {}, remainder, "")
            self.argument_maps.append(item_converter.argument_map)
            if item_converter.remainders is not None:
                self.remainder = item_converter.remainders.last()
        else:
            value = self._catalogue(document, catalogue, remainder)
        unused = item_converter.unused_fill if self.is_alone and item_converter.has_tools else ()
        if unused and not item_converter.restored:
            raise unused_fill_error(unused, target.id)
        return value

    def _usable(self, remainder: Remainder) -> Remainder | None:
        """The remainder, if it may be applied."""
        target, key = self.target, self.options.key
        check_formats(remainder, self.source, target)
        if key is not None and not remainder.is_signed(key):
            if target.reads_only:
                raise DocumentError("the remainder is not signed with this key, so the interface cannot be restored")
            self.item_converter.add_loss(Loss("TB806", "", None))
        elif target.reads_only or not remainder.is_empty:
            return remainder
        # The document, even if it was changed, is converted back as one of which nothing is missing.
        self.item_converter.restore = False
        return None

    def _catalogue(self, document: Json, catalogue: Catalogue, remainder: Remainder | None) -> Json:
        item_converter = self.item_converter
        before_envelope = len(item_converter.noted)
        envelope = Envelope(
            self.source, self.target, catalogue, document, item_converter.add_loss, choices=self.rules.choices
        )
        of_envelope = slice(before_envelope, len(item_converter.noted))
        items = self._read(catalogue, envelope, remainder)
        new_names = self.rules.new_names(items, self.target)
        if self.options.restore is True:
            item_converter.identities = frozenset(
                item_converter.identity(item.record) for item in items if item.record is not None
            )
        whole: Remainder | None = None
        parts: Parts = ((index, None, []) for index in range(len(items)))
        writer = ListWriter(envelope.wrap, envelope.groups)
        if remainder is not None:
            whole, parts = self._matched(remainder, items, document, catalogue)
            if whole is None:
                item_converter.add_loss(Loss("TB801", "", None))
            else:
                item_converter.restored = True
                del item_converter.noted[of_envelope]
                writer = ListWriter(whole.wrap or "", _groups_of(whole, envelope))
        has_groups = whole is not None and whole.groups is not None
        # Restored groups hold what they held: their tools are as much duplicates as they were.
        for item in () if has_groups else self.rules.duplicates(items):
            place = "" if item_converter.is_interface or item.record is None else item.record.places["name"]
            item_converter.add_loss(Loss("TB003", item.place + place, None, item.number))
        converted = self._write(items, parts, new_names, writer, in_groups=has_groups)
        values = writer.close()
        if whole is not None:
            return put_list(copy_json(whole.envelope), whole.wrap or "", values)
        value = self._enveloped(envelope, items, values, converted)
        self._check_limits(items, converted, (catalogue.wrap, envelope.wrap), writer.count)
        if item_converter.remainders is not None:
            self._keep(item_converter.remainders, document, catalogue, value, envelope)
        return value

    def _matched(
        self, remainder: Remainder, items: Sequence[Item], document: Json, catalogue: Catalogue
    ) -> tuple[Remainder | None, Parts]:
        """The remainder if it restores the envelope, else None; and the items with their own parts of it."""
        rest, seals = remainder.items or [], [self.item_converter.digest(item) for item in items]
        is_own = belongs(rest, seals)
        whole: Remainder | None = None
        if (
            is_own is not False
            and remainder.wrap is not None
            and remainder.seal == seal_of(document, catalogue, self.source, listed=remainder.groups is not None)
        ):
            whole = remainder
        parts = match(rest, seals)
        if not is_own and (whole is None or sum(not is_left_out(part) for part in rest) != len(seals)):
            return whole, ((index, part, []) for index, part, _ in parts)
        return whole, parts

    def _write(
        self, items: Sequence[Item], parts: Parts, new_names: Mapping[str, str], writer: ListWriter, *, in_groups: bool
    ) -> dict[int, Json]:
        """Convert the items, and put the values and restored tools into the list. Returns the values by index.

        `in_groups` is whether the groups of the list count the restored tools.
        """
        converted: dict[int, Json] = {}
        slot = 0
        for index, part, before in parts:
            for tool in before:
                writer.put(slot if in_groups else -1, copy_json(tool))
                self.argument_maps.append(None)
                slot += 1
            if index is not None:
                number = slot if in_groups else index
                value = self.item_converter.convert(items[index], new_names, part, writer.place(number))
                slot += 1
                if value is not UNSET:
                    writer.put(number, value)
                    self.argument_maps.append(self.item_converter.argument_map)
                    self.written.append(items[index])
                    converted[index] = value
        return converted

    def _enveloped(
        self, envelope: Envelope, items: Sequence[Item], values: list[Json], converted: Mapping[int, Json]
    ) -> Json:
        """The written document, with a choice among its tools, which are known now."""
        if envelope.choice is not None:
            names: dict[str, list[str]] = {}
            for index, value in converted.items():
                old, new = tool_name(items[index].original, self.source), tool_name(value, self.target)
                if old is not None and new is not None:
                    names.setdefault(old, []).append(new)
            renamed = {old: new for old, new in names.items() if {*new} != {old}}
            envelope.choose(renamed, self._gone(items), converted.values())
        return envelope.with_items(values)

    def _gone(self, items: Sequence[Item]) -> dict[str, str]:
        """The names of the tools that were not written, with the codes for why."""
        there = {item.number for item in self.written}
        gone = {
            name: "TB105" if item.hosted else "TB101"
            for item in items
            if item.number not in there and (name := tool_name(item.original, self.source)) is not None
        }
        # Another tool of that name is there.
        names = {item.record.fields.get("name") for item in self.written if item.record is not None}
        return {name: code for name, code in gone.items() if name not in names}

    def _read(self, catalogue: Catalogue, envelope: Envelope, remainder: Remainder | None) -> list[Item]:
        """The items of a catalogue. Those that have to get other names are read again with these as aliases."""
        item_converter = self.item_converter

        def read(index: int) -> Item:
            return item_converter.read(catalogue.items[index], catalogue.places[index], index, envelope.context(index))

        items = [read(index) for index in range(len(catalogue.items))]
        if remainder is None and self.not_strict is None and not self.aliases and self.source is not self.target:
            # A tool that is restored from its remainder gets the name that it had.
            others = [item for item in items if self.options.restore is not True or item.embedded is UNSET]
            self.aliases = item_converter.aliases = self.rules.distinct_names(
                others, self.target, envelope.keeps_groups
            )
            for index in self.aliases:
                items[index] = read(index)
        return items

    def _check_limits(
        self, items: Sequence[Item], converted: Mapping[int, Json], wraps: tuple[str, str], count: int
    ) -> None:
        """Find the tools that have to be written without strict for limits of the vendor, and the losses of that."""
        if self.rules.kind != "tool" or self.not_strict is not None or self.source is self.target:
            return
        budget = Budget(self.target, len(items))
        if has_budget(self.source, self.target):
            for index, value in converted.items():
                budget.add(index, value)
        self._excess = budget.excess()
        not_strict = self._excess | budget.oversized.keys()
        records = [items[index].record for index in sorted(not_strict)]
        names = [record.fields["name"] for record in records if record is not None]
        self._limit_losses = budget.losses(*wraps, count, names, self._excess)

    def _interface(self, remainder: Remainder, document: Json) -> Json:
        """An interface, restored from its remainder."""
        if remainder.seal != seal(document):
            raise DocumentError("the document was changed, so the interface cannot be restored from its remainder")
        self.item_converter.restored = True
        value = apply(remainder.patch, None, self.options.schemas.limits.depth)
        if not is_object(value) or catalogue_of(value, self.target).shape != "interface":
            raise DocumentError(f"the remainder does not restore a document of {self.target.id}")
        return value

    # remainders

    def _keep(
        self, builder: RemainderBuilder, document: Json, catalogue: Catalogue, value: Json, envelope: Envelope
    ) -> None:
        """Make the remainder of a catalogue or an interface."""
        item_converter = self.item_converter
        if item_converter.is_interface:
            self.remainder = builder.interface(document, value, item_converter.old_names)
        else:
            names = item_converter.old_names
            exceeds = self._exceeds_limits(catalogue.items)
            self.remainder = builder.catalogue(document, catalogue, value, envelope, names, exceeds=exceeds)
        whole = self.remainder
        outside = whole is not None and (whole.envelope is not None or whole.groups is not None or builder.has_left_out)
        if self.options.embed and (outside or item_converter.is_interface):
            # No tool has a place for what belongs to the catalogue.
            item_converter.add_loss(Loss("TB804", "", None))

    def _exceeds_limits(self, items: Sequence[Json]) -> bool:
        """Whether these tools of the source use more than its vendor allows: some would be restored without strict."""
        if self.rules.kind != "tool" or self.source is self.target or not has_budget(self.target, self.source):
            return False
        budget = Budget(self.source, len(items))
        for number, item in enumerate(items):
            if is_object(item):
                budget.add(number, item)
        return bool(budget.excess())

    def _restored(self, written: Json) -> tuple[Json, bool]:
        """A written document converted back without its remainder, and whether that lost anything."""
        if self.rules.catalogue(written, self.target, self.options.schemas.limits).shape != "tool":
            converter = Converter(self.target, self.source, rules=self.rules)
            value, back = converter.run(written), converter.item_converter
        else:
            if self._back is None:
                self._back = ItemConverter(self.target, self.source, rules=self.rules, fast=self.fast_back)
            back = self._back
            back.reset()
            value = back.convert(back.read(written, "", None, {}), {}, None, "")
        return self.rules.without_secrets(value, self.source), any(each.notes for each in back.noted)

    def item_remainder(self) -> Remainder | None:
        """The remainder of the last tool, with the name that it had."""
        builder = self.item_converter.remainders
        if builder is None:
            return None
        part = builder.last()
        if part is None or part.left_out is not UNSET:
            return part
        return replace(part, names=dict(self.item_converter.old_names))

    def remainder_of(self, document: Json) -> Remainder | None:
        """The remainder of a document that was converted here without making one."""
        options = replace(self.options, keep=True, embed=False)
        compiled = self.fast is not None
        again = replace(self, options=options, is_compiled=compiled, _excess=frozenset[int](), _limit_losses=[])
        again.run(document, self._duplicates)
        again.item_converter.remainders = None  # they refer to each other, which would keep the document for a while
        return again.remainder


def _groups_of(remainder: Remainder, envelope: Envelope) -> Sequence[Group]:
    """The groups of the original list: those of the remainder, which are copied, or of the converted list."""
    if remainder.groups is not None:
        return [group._replace(body=copy_json(group.body)) for group in remainder.groups]
    return envelope.groups if envelope.keeps_groups else ()
