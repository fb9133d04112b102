"""Converter: one document is converted, its items one by one, and put together again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from ..data.patch import apply, seal
from ..data.types import Json, is_object
from ..errors import DocumentError, FormatError
from ..losses.loss import CatalogueLoss, Loss
from ..mapping.format import Format
from ..schema import ArgumentMap
from .budget import Budget, has_budget
from .catalogue import Catalogue, ListWriter, catalogue_of, put_list
from .envelope import Envelope
from .fill import unused_fill_error
from .item import Item, name_in
from .item_converter import FastConvert, ItemConverter
from .options import CONVERSION_OPTIONS, FEW, ConversionOptions
from .remainder import Remainder, RemainderBuilder, belongs, is_left_out, match, seal_of
from .rules import TOOLS, Rules


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
        is_compiled: Whether the fast paths are compiled already, so that they are worth it for a few items.
        is_clean: Whether the document is known to have no invisible characters.
        items: The converter of the items, which has the losses, the failures and the names.
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
    items: ItemConverter = UNSET  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType] - set at once
    written: list[Item] = []
    argument_maps: list[ArgumentMap | None] = []
    remainder: Remainder | None = None
    count: int = 0
    _excess: frozenset[int] = frozenset()
    _limit_losses: list[CatalogueLoss] = []
    _back: ItemConverter | None = None

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.written, self.argument_maps, self.remainder = [], [], None
        source, target, options = self.source, self.target, self.options
        self.items = ItemConverter(
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
            self.items.remainders = RemainderBuilder(
                source, target, self._restored, embed=options.embed, slot=self.rules.slot(target), key=options.key
            )

    def __repr__(self) -> str:
        return f"Converter({self.source.id} -> {self.target.id})"

    @property
    def names(self) -> dict[str, str]:
        """The old names of renamed tools, by their new names."""
        return self.items.names

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
        value = self._run(document, duplicates)
        if self._excess:
            self.not_strict = self._excess
            self._begin()
            value = self._run(document, duplicates)
        for loss in self._limit_losses:
            self.items.report_limit(loss)
        return value

    def _run(self, document: Json, duplicates: Sequence[str]) -> Json:
        source, target, items = self.source, self.target, self.items
        remainder = self.options.restore if isinstance(self.options.restore, Remainder) else None
        if target.reads_only and not (remainder is not None and remainder.source == target.id):
            raise FormatError(
                f"{target.id} is an interface, not a tool: it can be read, and written only by restoring it, "
                "since tools do not say all that it does"
            )
        catalogue = self.rules.catalogue(document, source, self.options.schemas.limits)
        self.count = len(catalogue.items)
        items.is_interface = catalogue.shape == "interface"
        for place in duplicates:
            items.report(Loss("TB002", place, None, _index_of(place, catalogue)))
        if remainder is not None:
            remainder = self._usable(remainder)
            if remainder is not None and target.reads_only:
                return self._interface(remainder, document)
        if not self.is_compiled and (catalogue.shape == "tool" or len(catalogue.items) < FEW):
            self.fast = self.fast_back = items.fast = None
        if catalogue.shape == "tool":
            value = items.convert(items.read(document, "", None, {}), {}, remainder, "")
            self.argument_maps.append(items.argument_map)
            if items.remainders is not None:
                self.remainder = items.remainders.last()
        else:
            value = self._catalogue(document, catalogue, remainder)
        if items.unused_fill and items.has_tools and not items.restored:
            raise unused_fill_error(items.unused_fill, target.id)
        return value

    def _usable(self, remainder: Remainder) -> Remainder | None:
        """The remainder, if it may be applied."""
        source, target, key = self.source, self.target, self.options.key
        if (remainder.source, remainder.target) != (target.id, source.id):
            raise FormatError(
                f"this remainder restores {remainder.source} from {remainder.target}, not {target.id} from {source.id}"
            )
        if key is None or remainder.is_signed(key):
            return remainder
        if target.reads_only:
            raise DocumentError("the remainder is not signed with this key, so the interface cannot be restored")
        self.items.report(Loss("TB806", "", None))
        self.items.distrust()
        return None

    def _catalogue(self, document: Json, catalogue: Catalogue, remainder: Remainder | None) -> Json:
        run = self.items
        before_envelope = len(run.noted)
        envelope = Envelope(self.source, self.target, catalogue, document, run.report, choices=self.rules.choices)
        of_envelope = slice(before_envelope, len(run.noted))
        items = self._read(catalogue, envelope, remainder)
        names = self.rules.names(items, self.target)
        if self.options.restore is True:
            run.identities = frozenset(run.identity(item.reading) for item in items if item.reading is not None)
        parts: Iterable[tuple[int | None, Remainder | None, list[Json]]] = ((n, None, []) for n in range(len(items)))
        writer = ListWriter(envelope.wrap, envelope.groups)
        whole: Remainder | None = None
        numbered = False
        if remainder is not None:
            rest, seals = remainder.items or [], [seal(run.bare(item.original)) for item in items]
            own = belongs(rest, seals)
            numbered = remainder.groups is not None
            if (
                own is not False
                and remainder.wrap is not None
                and remainder.seal == seal_of(document, catalogue, self.source, listed=numbered)
            ):
                whole = remainder
                run.restored = True
                del run.noted[of_envelope]
                writer = ListWriter(
                    remainder.wrap, remainder.groups if remainder.groups is not None else envelope.groups
                )
            else:
                numbered = False
                run.report(Loss("TB801", "", None))
            if rest:
                parts = match(rest, seals)
                if not own and (whole is None or sum(not is_left_out(part) for part in rest) != len(seals)):
                    parts = ((index, part, []) for index, part, _ in parts)
        # Restored groups hold what they held: their tools are as much duplicates as they were.
        for item in () if numbered else self.rules.duplicates(items):
            place = "" if run.is_interface or item.reading is None else item.reading.places["name"]
            run.report(Loss("TB003", item.place + place, None, item.number))
        converted: dict[int, Json] = {}
        slot = 0
        for index, part, before in parts:
            for tool in before:
                writer.put(slot if numbered else -1, tool)
                self.argument_maps.append(None)
                slot += 1
            if index is not None:
                own = slot if numbered else index
                value = run.convert(items[index], names, part, writer.place(own))
                slot += 1
                if value is not UNSET:
                    writer.put(own, value)
                    self.argument_maps.append(run.argument_map)
                    self.written.append(items[index])
                    converted[index] = value
        values = writer.close()
        if whole is not None:
            return put_list(whole.envelope, whole.wrap or "", values)
        value = self._enveloped(envelope, items, values)
        self._check_limits(items, converted, (catalogue.wrap, envelope.wrap), writer.count)
        if run.remainders is not None:
            self._keep(run.remainders, document, catalogue, value, envelope)
        return value

    def _enveloped(self, envelope: Envelope, items: Sequence[Item], values: list[Json]) -> Json:
        """The written document, with a choice among its tools, which are known now."""
        if envelope.choice is not None:
            names = {old: new for new, old in self.items.names.items()}
            envelope.choose(names, self._gone(items), self.items.report)
        return envelope.with_items(values)

    def _gone(self, items: Sequence[Item]) -> dict[str, str]:
        """The names of the tools that were not written, with the codes for why."""
        there = {item.number for item in self.written}
        gone = {
            name: "TB105" if item.hosted else "TB101"
            for item in items
            if item.number not in there and (name := name_in(item.original, self.source.tool)) is not None
        }
        # Another tool of that name is there.
        names = {item.reading.fields.get("name") for item in self.written if item.reading is not None}
        return {name: code for name, code in gone.items() if name not in names}

    def _read(self, catalogue: Catalogue, envelope: Envelope, remainder: Remainder | None) -> list[Item]:
        """The items of a catalogue. Those that have to get other names are read again with these as aliases."""
        run = self.items

        def read(index: int) -> Item:
            return run.read(catalogue.items[index], catalogue.places[index], index, envelope.context(index))

        items = [read(index) for index in range(len(catalogue.items))]
        if remainder is None and self.not_strict is None and not self.aliases and self.source is not self.target:
            # A tool that is restored from its remainder gets the name that it had.
            others = [item for item in items if self.options.restore is not True or item.embedded is UNSET]
            self.aliases = run.aliases = self.rules.distinct_names(others, self.target, bool(envelope.groups))
            for index in self.aliases:
                items[index] = read(index)
        return items

    def _check_limits(
        self, items: Sequence[Item], converted: Mapping[int, Json], wraps: tuple[str, str], count: int
    ) -> None:
        """Find the tools that have to be written without strict for limits of the vendor, and the losses of that."""
        if not self.rules.limited or self.not_strict is not None or self.source is self.target:
            return
        budget = Budget(self.target, len(items))
        if has_budget(self.source, self.target):
            for index, value in converted.items():
                budget.add(index, value)
        self._excess = budget.excess()
        not_strict = self._excess | budget.oversized.keys()
        readings = [items[index].reading for index in sorted(not_strict)]
        names = [reading.fields["name"] for reading in readings if reading is not None]
        self._limit_losses = budget.losses(*wraps, count, names, self._excess)

    def _interface(self, remainder: Remainder, document: Json) -> Json:
        """An interface, restored from its remainder."""
        if remainder.seal != seal(document):
            raise DocumentError("the document was changed, so the interface cannot be restored from its remainder")
        self.items.restored = True
        value = apply(remainder.patch, None, self.options.schemas.limits.depth)
        if not is_object(value) or catalogue_of(value, self.target).shape != "interface":
            raise DocumentError(f"the remainder does not restore a document of {self.target.id}")
        return value

    # remainders

    def _keep(
        self, builder: RemainderBuilder, document: Json, catalogue: Catalogue, value: Json, envelope: Envelope
    ) -> None:
        """Make the remainder of a catalogue or an interface."""
        items = self.items
        if items.is_interface:
            self.remainder = builder.interface(document, value, items.names)
        else:
            self.remainder = builder.catalogue(document, catalogue, value, envelope, items.names)
        whole = self.remainder
        outside = whole is not None and (
            whole.envelope is not None or whole.groups is not None or any(map(is_left_out, builder.parts))
        )
        if self.options.embed and (outside or items.is_interface):
            # No tool has a place for what belongs to the catalogue.
            items.report(Loss("TB804", "", None))

    def _restored(self, written: Json) -> tuple[Json, bool]:
        """A written document converted back without its remainder, and whether that lost anything."""
        if self.rules.catalogue(written, self.target, self.options.schemas.limits).shape != "tool":
            converter = Converter(self.target, self.source, rules=self.rules)
            value, back = converter.run(written), converter.items
        else:
            if self._back is None:
                self._back = ItemConverter(self.target, self.source, rules=self.rules, fast=self.fast_back)
            back = self._back
            back.forget()
            value = back.convert(back.read(written, "", None, {}), {}, None, "")
        return self.rules.without_secrets(value, self.source), any(each.notes for each in back.noted)

    def item_remainder(self) -> Remainder | None:
        """The remainder of the last tool, with the name that it had."""
        builder = self.items.remainders
        if builder is None:
            return None
        part = builder.last()
        if part is None or part.left_out is not UNSET:
            return part
        return replace(part, names=dict(self.items.names))

    def remainder_of(self, document: Json) -> Remainder | None:
        """The remainder of a document that was converted here without making one."""
        options = replace(self.options, keep=True, embed=False)
        again = Converter(
            self.source,
            self.target,
            options,
            self.rules,
            self.aliases,
            self.not_strict,
            self.fast,
            self.fast_back,
            is_compiled=self.fast is not None,
            is_clean=self.is_clean,
        )
        again.run(document)
        return again.remainder


def _index_of(place: str, catalogue: Catalogue) -> int | None:
    if catalogue.shape == "tool":
        return None
    return next((index for index, base in enumerate(catalogue.places) if place.startswith(base + "/")), None)
