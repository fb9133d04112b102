"""Repairs: rewriting the tools of a vendor that the vendor would reject, by the vendor's own rules.

A conversion within one format changes nothing, so that nothing is lost; a conversion to another edition of the family
keeps the values that both editions share. A repair reads a tool as a hub tool without its document, so that every value
is written by the rules of the target. A valid tool is not changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from ..conversion.catalogue import ListWriter, catalogue_of
from ..conversion.detect import choose
from ..conversion.envelope import Envelope
from ..conversion.item import Item, tool_name, with_hosted_name
from ..conversion.loss_details import DocumentValues, LossDetails
from ..conversion.parsed_document import parse_document
from ..conversion.rules import assign_names
from ..data import pointer as at
from ..data.equality import same
from ..data.types import Json, JsonObject
from ..errors import DocumentError, FormatError, ToolbridgeError
from ..formats.format_names import FormatName
from ..formats.registry import FORMATS, get_format
from ..limits import LIMITS, Limits
from ..losses.report import Loss, Report
from ..mapping.format import Format
from ..mapping.record import Record, Unrepresentable
from ..schema import OPTIONS, ArgumentMap
from ..validation import check, is_of_format, item_problems
from .catalogue_tools import CatalogueTools, place_of


class Repaired(Struct, frozen=True, eq=False):
    """The repaired tools of a vendor.

    Attributes:
        value: The repaired document.
        report: The changes, and the tools that were left out because they cannot be read or written.
        argument_maps: For each written tool the map of its arguments to those of the original tool, or None if they
            are the same.
        problems: The remaining problems, as `check` reports them; empty if the document is valid.
        repaired: The number of tools that were changed.
    """

    value: Json
    report: Report
    argument_maps: list[ArgumentMap | None]
    problems: list[DocumentError]
    repaired: int

    def __repr__(self) -> str:
        return f"Repaired({self.report!r}, {self.repaired} changed, {len(self.problems)} with problems)"


def fix(
    document: object, to: FormatName | Format, *, source: FormatName | Format | None = None, limits: Limits = LIMITS
) -> Repaired:
    """Repair the tools of a vendor for the same vendor, in the same or another edition of its format.

    Args:
        document: A tool, a list or a catalogue, as for `convert`. It is never changed.
        to: The format for which the tools are repaired, such as `"openai@chat-strict"`.
        source: The format of the document, another edition of the same family; detected by default.
        limits: The limits of documents and schemas.

    Returns:
        The repaired document, the report of losses, and the problems that could not be repaired.

    Raises:
        FormatError: A format is unknown, or the document is of none, or not of the family of `to`.
        DocumentError: The document cannot be read.
    """
    target = get_format(to)
    if target.reads_only:
        raise FormatError(f"{target.id} can be read, not written, so no tools of it can be repaired")
    plain, _, duplicates, unreadable = parse_document(document, limits, by_item=True)
    form, fits_equally = _edition(plain, target, limits) if source is None else (get_format(source), False)
    tools = CatalogueTools.of(plain, form, limits, unreadable)
    if not tools.items:
        raise DocumentError("there are no tools in it: nothing to repair")
    if form.family != target.family:
        raise FormatError(f"these are tools of {form.id}; `convert` writes them for {target.family}", [form.id])
    numbers = tools.catalogue.numbers_at(duplicates)
    losses = [Loss("TB002", place, None, number) for place, number in zip(duplicates, numbers, strict=True)]
    return _Repair(tools, target, limits, losses, fits=form is target or fits_equally).run(assumed=source is None)


def _edition(document: Json, target: Format, limits: Limits) -> tuple[Format, bool]:
    """The edition of the target's family in which most tools can be read: the detected one, else the target.

    It is the target at once if its service takes the schemas of the detected one where they are. Besides, whether the
    target fits as well as the detected one.
    """
    unknown: FormatError | None = None
    ties: Callable[[], tuple[str, ...]] = tuple
    try:
        detected, ties = choose(document)
    except FormatError as error:
        detected, unknown = target, error
    if detected.family == target.family:
        inputs = {row.wire for row in detected.tool.rows_of("input")}
        is_accepted = target.dialects is not None and not inputs.isdisjoint(target.dialects)
        known = [target, detected] if is_accepted else [detected, target]
    else:
        # A tool that its vendor rejects may look like one of another family.
        editions = [target, *(form for form in FORMATS if form.family == target.family)]
        known = [
            form
            for form in editions
            if form.dialect is None or is_of_format(document, form, detected) or form.id in ties()
        ]
        if not known:
            return detected, False
        if target.dialects is not None and not catalogue_of(document, known[0], limits).wrap:
            # Its service has several spellings of a tool, and this one may only have a member of another one.
            known.insert(0, target)
    counts = [CatalogueTools.of(document, form, limits).readable for form in known]
    if unknown is not None and not max(counts):
        raise unknown
    return known[counts.index(max(counts))] if max(counts) else detected, target.id in ties()


class _Repair:
    """The repair of one document, with the losses of reading it.

    `fits` is whether the tools may be of the target itself, so that one that is valid there stays as it is.
    """

    def __init__(
        self, tools: CatalogueTools, target: Format, limits: Limits, losses: list[Loss], *, fits: bool
    ) -> None:
        self.tools = tools
        self.target = target
        self.limits = limits
        self.losses = losses
        self.fits = fits
        self.with_duplicates = {loss.item for loss in losses}
        self.failures: list[ToolbridgeError] = []
        self.argument_maps: list[ArgumentMap | None] = []
        self.repaired = 0

    def run(self, *, assumed: bool) -> Repaired:
        """Repair all tools that need it."""
        form, target, catalogue = self.tools.form, self.target, self.tools.catalogue
        items = [with_hosted_name(target, item) if item.hosted else item for item in self.tools.items]
        names = assign_names(items, target)
        if catalogue.shape == "tool":
            value = self._item(self.tools.items[0], names, "")
        else:
            envelope = Envelope(form, target, catalogue, self.tools.document, self.losses.append)
            written = ListWriter(envelope.wrap, envelope.groups)
            done: list[Json] = []
            for slot, item in enumerate(self.tools.items):
                try:
                    done.append(self._item(item, names, written.place(slot)))
                    written.put(slot, done[-1])
                except ToolbridgeError as error:
                    if isinstance(error, DocumentError):
                        error.tool = error.tool or tool_name(item.original, form)
                    self.failures.append(error)
            envelope.choose({old: [new] for old, new in names.items()}, {}, done)
            value = envelope.with_items(written.close())
        schemas = replace(OPTIONS, limits=self.limits)
        values = (
            DocumentValues(form, "tool", lambda: self.tools.document),
            DocumentValues(target, "tool", lambda: value),
        )
        report = Report(
            self.losses,
            source=form.id,
            target=target.id,
            assumed=assumed,
            failures=tuple(self.failures),
            items=len(self.tools.items),
            documents=LossDetails(form, target, *values, options=schemas),
        )
        problems = check(value, target, kind="tool", limits=self.limits)
        return Repaired(value, report, self.argument_maps, problems, self.repaired)

    def _item(self, item: Item, names: dict[str, str], place: str) -> Json:
        """One tool. Raises DocumentError if it cannot be read or written."""
        form, target = self.tools.form, self.target
        if item.hosted:
            self.argument_maps.append(None)
            return item.original
        if item.record is None:
            raise item.failure or DocumentError("it cannot be read", item.place, item=item.number)
        problems = item_problems(item.original, item.place, item.number, target, target, limits=self.limits)
        is_named = item.record.fields["name"] not in names
        if self.fits and is_named and next(problems, None) is None:
            self.argument_maps.append(None)
            self.repaired += item.number in self.with_duplicates
            return item.original
        notes = [*item.record.notes]
        maps: list[JsonObject | None] = []
        try:
            value = target.tool.write(
                _unbound(item.record),
                target.family,
                notes,
                names=names,
                target=target.id,
                options=replace(OPTIONS, limits=self.limits),
                argument_maps=maps,
                number=item.number,
            )
            target.tool.verify(value)
        except Unrepresentable as error:
            where = item.place + _place(item, error.place)
            self.losses.append(Loss(error.code, where, None, item.number))
            raise DocumentError(error.problem, where, item=item.number) from None
        except DocumentError as error:
            raise DocumentError(f"it cannot be repaired: {error.problem}", item.place, item=item.number) from None
        self.repaired += item.number in self.with_duplicates or not same(value, item.original)
        self.argument_maps.append(None if maps[0] is None else ArgumentMap(maps[0]))
        self.losses += [
            Loss(
                note.code,
                item.place + _place(item, note.source),
                None if note.target is None else place + note.target,
                item.number,
            )
            for note in dict.fromkeys(notes)
            # A tool without its document does not know which fields its own edition has.
            if note.code != "TB402" or not form.tool.has_row_at(note.source)
        ]
        return value


_MARK: Final = "\0"
"""Stands around the name of a field of the hub, in a pointer where its place in the document would stand."""


def _unbound(record: Record) -> Record:
    """The tool without its document: no value may be taken over from that unwritten."""
    fresh = Record(None, "", {}, {**record.fields}, local={**record.local})
    fresh.places = {path: f"/{_MARK}{path}{_MARK}" for path in fresh.fields}
    return fresh


def _place(item: Item, source: str) -> str:
    """The place in the tool of a loss that names a field of the hub, with a pointer into it."""
    parts = source.split(_MARK, 2)
    if len(parts) < 3 or parts[0] != "/" or item.record is None or parts[1] not in item.record.fields:
        return at.existing(item.original, source)
    found = place_of(item, parts[1], parts[2])
    return "" if found is None else at.existing(item.original, found.removeprefix(item.place))
