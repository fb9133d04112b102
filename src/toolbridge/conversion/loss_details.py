"""The details of losses, found in the documents of a conversion when somebody reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import msgspec
from msgspec import UNSET, Struct

from ..data import pointer as at
from ..data.json_text import levels_of
from ..data.types import Json, is_list
from ..errors import DocumentError
from ..hub import HINT_DEFAULTS, Kind
from ..limits import LIMITS, Limits
from ..losses.loss import NOTHING, Details, Excerpt, Limit
from ..losses.report import CODES, Loss
from ..mapping.format import Format
from ..mapping.table import Table
from ..schema import OPTIONS, Options, exceeded
from .catalogue import Catalogue
from .detect import without_any_secrets
from .item import Item, name_in, table_of
from .rules import rules_of


class Values(Protocol):
    """One of the documents of a conversion, or what is known of it."""

    def item(self, number: int | None) -> tuple[str, Json]:
        """The place of an item and the item; MISSING if there is none. None: the document, if it is one item."""
        ...

    def get(self, place: str, number: int | None) -> Json:
        """The value at a place of a loss of an item; MISSING if there is none, or if it is the list of the items."""
        ...


class DocumentValues:
    """A document that is at hand."""

    def __init__(self, form: Format, kind: Kind, document: Callable[[], Json], limits: Limits = LIMITS) -> None:
        self._form, self._kind, self._document, self._limits = form, kind, document, limits
        self._catalogue: Catalogue | None = None
        self._value: Json = None

    def _read(self) -> Catalogue:
        catalogue = self._catalogue
        if catalogue is None:
            value = self._document()
            if self._kind != "tool":
                value = [*map(self._without_secrets, value)] if is_list(value) else self._without_secrets(value)
            try:
                catalogue = rules_of(self._kind).catalogue(value, self._form, self._limits)
            except DocumentError:
                catalogue = Catalogue("tool", [value], [""], "")
            self._value = value  # first, as other threads read it where there is a catalogue
            self._catalogue = catalogue
        return catalogue

    def _without_secrets(self, document: Json) -> Json:
        return without_any_secrets(rules_of(self._kind).without_secrets(document, self._form), self._form)

    def item(self, number: int | None) -> tuple[str, Json]:
        catalogue = self._read()
        if number is None:
            return ("", catalogue.items[0]) if catalogue.shape == "tool" else ("", at.MISSING)
        if number >= len(catalogue.items):
            return "", at.MISSING
        return catalogue.places[number], catalogue.items[number]

    def get(self, place: str, number: int | None) -> Json:  # noqa: ARG002 - see Values
        catalogue = self._read()
        if catalogue.shape not in ("tool", "interface") and at.is_within(catalogue.wrap, place):
            return at.MISSING
        return at.get(self._value, place)


class ItemValues:
    """An item of a document of which nothing else is known."""

    def __init__(self, item: Item | None) -> None:
        self._item = item

    def item(self, number: int | None) -> tuple[str, Json]:
        item = self._item
        return ("", at.MISSING) if item is None or item.number != number else (item.place, item.original)

    def get(self, place: str, number: int | None) -> Json:  # noqa: ARG002 - see Values
        item = self._item
        return at.get(item.original, place) if item is not None and not item.place else at.MISSING


class CallDetails(Struct, frozen=True):
    """The details of the losses of one call or result, whose source document has no secrets here."""

    tool: str | None
    before: Json
    after: Json

    def details(self, loss: Loss) -> Details:
        """The details of a loss."""
        before = at.get(self.before, loss.source)
        after = at.MISSING if loss.target is None else at.get(self.after, loss.target)
        return Details(self.tool, _excerpt(before), _excerpt(after))


class LossDetails(Struct, eq=False):
    """Finds the details of losses in the documents before and after a conversion."""

    source: Format
    target: Format
    before: Values
    after: Values
    kind: Kind = "tool"
    options: Options = OPTIONS
    _last: tuple[Loss, Details] | None = None
    _item: tuple[int | None, _Item] | None = None

    def details(self, loss: Loss) -> Details:
        """The details of a loss."""
        last = self._last
        if last is None or last[0] != loss:
            last = self._last = loss, self._find(loss)
        return last[1]

    def _find(self, loss: Loss) -> Details:
        item = self._item_of(loss.item)
        if item.value is not at.MISSING and item.table is None:
            return NOTHING  # a call or a result that could not be read: nobody knows where its secrets are
        before: Json = at.MISSING
        field = limit = None
        if item.value is not at.MISSING and at.is_within(loss.source, item.place):
            place = loss.source[len(item.place) :]
            before = value_at(item.value, loss.code, place)
            if self.source.exports is not None and (place or before is not at.MISSING):
                before = self.before.get(loss.source, loss.item)  # the item is only made from the document
            # What is invented is a value of another field than the one from which it was made.
            if item.table is not None and loss.effect != "invented":
                field = item.table.field(place) if place or loss.effect != "dropped" else item.table.subject
            if loss.code in LIMITED:
                limit = limit_of(loss.code, place, field, before, item.value, self.source, self.target, self.options)
        else:
            before = self.before.get(loss.source, loss.item)
        after = at.MISSING if loss.target is None else self.after.get(loss.target, loss.item)
        return Details(item.name, _excerpt(before), _excerpt(after), limit, field, is_default(field, before))

    def _item_of(self, number: int | None) -> _Item:
        last = self._item
        if last is None or last[0] != number:
            place, value = self.before.item(number)
            table = name = None
            if value is not at.MISSING:
                value = without_any_secrets(value, self.source)
                table = table_of(value, self.source, self.kind)
                name = name_in(value, table)
            last = self._item = number, _Item(place, value, table, name)
        return last[1]  # not that of the attribute, which another thread may have replaced


class _Item(Struct, frozen=True):
    """An item of the source document: its place, its value, its table and its name."""

    place: str
    value: Json
    table: Table | None
    name: str | None


def _excerpt(value: Json) -> Excerpt | None:
    if value is at.MISSING or value is UNSET:
        return None
    try:
        return Excerpt.of(value)
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        return None  # what a caller put into the document since then


LIMITED: Final = frozenset({"TB501", "TB502", "TB603", "TB902"})
"""The codes that may have a limit of one item."""


def limit_of(  # noqa: PLR0917 - a loss, its item, and the rules of its conversion
    code: str, place: str, field: str | None, value: Json, item: Json, source: Format, target: Format, options: Options
) -> Limit | None:
    """The limit for which a loss came about, by the rules of the target and the limits of the conversion."""
    dialect = target.dialect
    if code == "TB501":
        rule, what = target.names, "characters of the name"
        if field != "name":
            rule, what = None if dialect is None else dialect.property_names, "characters of the name of a parameter"
            value = at.split(place)[-1] if place else None
        if rule is not None and isinstance(value, str) and len(value) > rule.most:
            return Limit(what, len(value), rule.most)
    elif code == "TB502" and isinstance(value, str):
        most = None if dialect is None else dialect.max_description
        most = options.description if options.description is not UNSET else most
        if most is not None:
            return Limit("characters of the description", len(value), most)
    elif code == "TB603" and dialect is not None:
        for row in source.tool.rows_of("input"):
            for _, what, found, allowed in exceeded(at.get(item, row.wire), dialect):
                return Limit(what, found, allowed)
    elif code == "TB902" and (levels := levels_of(item)) > options.limits.depth:
        return Limit("levels of nesting", levels, options.limits.depth)
    return None


def value_at(item: Json, code: str, place: str) -> Json:
    """The value in an item before a loss; MISSING if there was none."""
    if not place and CODES[code].effect in ("invented", "refused"):
        return at.MISSING  # the loss is not about the item as a whole, which may have secrets if it could not be read
    return at.get(item, place)


def is_default(field: str | None, value: Json) -> bool:
    """Whether a value of a field of the hub goes without saying."""
    return field is not None and value is HINT_DEFAULTS.get(field, UNSET)
