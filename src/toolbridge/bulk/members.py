"""Members: the members of the documents of a table, by its rows and its model, with which a document is split."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import count
from typing import Any, Final, Literal, NamedTuple, TypedDict, get_args, get_origin

import msgspec
from msgspec import Meta, Raw, Struct, UnsetType

from ..conversion.invisible_characters import is_suspect, respelled
from ..conversion.item import BESIDE_NAME
from ..data import pointer as at
from ..data.json_decoder import decode_as, decode_json, encode_json
from ..data.json_text import FEW_PLACES, too_deep
from ..data.patch import is_deep as is_deeper
from ..errors import DocumentError
from ..limits import LIMITS
from ..mapping.record import fields, struct_in, type_at
from ..mapping.table import Table
from .holes import Hole

SCHEMAS: Final = ("input", "output")
"""The fields of the hub that are schemas."""

TEXT, FLAG, SCHEMA, OBJECT, VALUE, OTHER = range(6)
"""The role of a member: a string or a flag, which need no check and do not belong to the form of a tool; a schema; an
object with members of its own; a value that belongs to the form, as one of a few words does; or anything else.

Their order counts: the first two are not checked, the last four are no Python values of their type.
"""

_CONSTANTS: Final = frozenset({b"null", b"true", b"false", b"{}", b"[]", b'""'})
"""Empty and constant values, which belong to the form of a tool."""

_LONGEST_CONSTANT: Final = max(map(len, _CONSTANTS))

_MAX_ORDERS: Final = 1024
"""The largest number of orders of members that are cached."""

_OWN_PREFIX: Final = "dev.toolbridge/"
"""The prefix of the names that toolbridge itself writes into documents."""

_OWN_BYTES: Final = _OWN_PREFIX.encode()

_BRACE: Final = b"{"[0]

_MAX_DEPTH: Final = LIMITS.depth - 50
"""The levels that a value may have, which is itself some levels deep in a document."""


class Member(NamedTuple):
    """What is known of a member of a document.

    Attributes:
        role: Its role.
        check: Raises for a text that the model does not accept.
        inner: The members of an object; None for another role.
        place: Where it is.
        nullable: Whether the model accepts null.
        required: Whether the model requires it.
    """

    role: int
    check: Callable[[bytes], Any]
    inner: Members | None
    place: str
    nullable: bool
    required: bool


_IN_OPEN_OBJECT: Final = Member(OTHER, decode_json, None, "", True, False)

_numbers = count(1)


class _Order(NamedTuple):
    """The members of an object in their order: a number of its own, and the members whose values are checked."""

    number: int
    checked: tuple[tuple[int, Member], ...]


class Members:
    """The members of an object by name; none if the object accepts any members."""

    __slots__ = ("_decode", "_orders", "by_name", "identifier", "type")

    def __init__(self, table: Table, model: type[Struct] | None, prefix: str = "") -> None:
        self.identifier = None if prefix else table.identifier
        self.by_name: dict[str, Member] = {}
        self._orders: dict[tuple[Any, ...], _Order] = {}
        self.type: Any = dict[str, Raw]
        if model is not None:
            self._add_fields(table, model, prefix)
        self._decode: Callable[[bytes], Any] = decode_as(self.type)

    def _add_fields(self, table: Table, model: type[Struct], prefix: str) -> None:
        types: dict[str, Any] = {}
        for field in fields(model):
            place = f"{prefix}/{at.escape(field.encode_name)}"
            member = _member(table, place, field.type, required=field.required)
            self.by_name[field.encode_name] = member
            kind = without_null(field.type)[0] if member.inner is None else member.inner.type
            types[field.encode_name] = Raw if member.role in (SCHEMA, OTHER) else kind | None
        self.type = TypedDict("Members", types, total=False)  # type: ignore[operator]

    def member_at(self, tokens: Iterable[str]) -> Member | None:
        """What is known of the member at a place; None if nothing is."""
        members: Members | None = self
        member = None
        for token in tokens:
            member = None if members is None else members.by_name.get(token)
            members = None if member is None else member.inner
        return member

    def split(self, text: bytes) -> tuple[dict[str, Any], list[Any], tuple[Any, ...]] | None:
        """The text of a tool in its members; None if the tool takes the general path.

        It takes that if a member is unknown, a duplicate, or not in the usual spelling, if the model does not accept a
        value, or if there may be invisible characters.

        Returns:
            The members, of which schemas and other values are text; the values of all members in their order, those
            of an object behind those of its owner; and the form of the tool: its members in their order, which of them
            are null, empty, true or false, and the values of members that have only a few.
        """
        if is_suspect(text):
            spelled = respelled(text)
            if spelled is None:
                return None
            text = spelled
        values: list[Any] = []
        form: list[Any] = []
        try:
            members = self._decode(text)
            # Decoding leaves out unknown members, and all but the last of duplicates, so that their encoding differs.
            if encode_json(members) != text:
                text = msgspec.json.format(text, indent=-1)
                members = self._decode(text)
                if encode_json(members) != text:
                    return None
            self.add_values(members, values, form)
            if self.identifier is not None:
                form += self.identifier.form(members)
        except (ValueError, RecursionError, LookupError):  # also msgspec's errors
            return None
        if "" in values:  # empty strings belong to the form
            form += [number for number, value in enumerate(values) if value.__class__ is str and not value]
        return members, values, tuple(form)

    def add_values(self, members: Mapping[str, Any], values: list[Any], form: list[Any]) -> None:
        """Add the values of an object to `values`, and the parts that all tools of the form share to `form`.

        Raises LookupError and msgspec's errors for a tool that takes the general path.
        """
        key = (*members, *map(type, members.values()))
        order = self._orders.get(key)
        if order is None:
            order = self._order(key, members)
        form.append(order.number)
        start = len(values)
        values += members.values()
        for index, member in order.checked:
            index += start  # noqa: PLW2901 - among all values
            value = values[index]
            if member.inner is not None:
                member.inner.add_values(value, values, form)
            elif member.role == VALUE:
                form.append(value)
            else:
                text = values[index] = bytes(value)
                if len(text) <= _LONGEST_CONSTANT and text in _CONSTANTS:
                    form.append(text)
                    continue
                if member.role != SCHEMA:
                    member.check(text)
                    if encode_json(decode_json(text)) != text or _OWN_BYTES in text or is_deep(text):
                        raise LookupError
                elif text[0] != _BRACE:
                    raise LookupError
                form.append(None)  # so that the other parts of the form keep their places

    def _order(self, key: tuple[Any, ...], members: Mapping[str, Any]) -> _Order:
        if not self.by_name and any(name.startswith(_OWN_PREFIX) for name in members):
            raise LookupError
        known = [self.by_name.get(name, _IN_OPEN_OBJECT) for name in members]
        values = [*members.values()]
        checked = tuple((n, member) for n, member in enumerate(known) if member.role > FLAG and values[n] is not None)
        order = _Order(next(_numbers), checked)
        if len(self._orders) >= _MAX_ORDERS:
            raise LookupError  # as for plans, see `FastPath`
        self._orders[key] = order
        return order

    def document(self, members: Mapping[str, Any]) -> dict[str, Any]:
        """A document of the same form, with holes for the values that do not belong to the form.

        What `add_values` adds to the form stands here as it is, and so do an identifier and the name in it.
        """
        total = 0
        own = () if self.identifier is None else self.identifier.members

        def with_holes(members: Mapping[str, Any], owner: Members) -> dict[str, Any]:
            nonlocal total
            first = total
            total += len(members)
            document: dict[str, Any] = {}
            for index, (name, value) in enumerate(members.items(), first):
                member = owner.by_name.get(name, _IN_OPEN_OBJECT)
                if value is None or value == "" or member.role == VALUE or (owner is self and name in own):
                    document[name] = value
                elif member.inner is not None:
                    document[name] = with_holes(value, member.inner)
                elif type(value) is Raw and bytes(value) in _CONSTANTS:
                    document[name] = decode_json(value)
                else:
                    document[name] = Hole(index, is_flag=member.role == FLAG)
            return document

        return with_holes(members, self)


def is_deep(text: bytes) -> bool:
    """Whether the value of a text is too deep for a document, or the places in it are too long."""
    if len(text) <= 2 * _MAX_DEPTH:
        return False
    if len(text) <= FEW_PLACES:
        return is_deeper(text, _MAX_DEPTH)
    try:
        return too_deep(decode_json(text), _MAX_DEPTH, text)
    except DocumentError:
        return True


def _member(table: Table, place: str, annotation: Any, *, required: bool) -> Member:
    kind, nullable = without_null(annotation)
    row = table.rows.get(place)
    hub = None if row is None or row.fallback else row.hub
    if place in table.containers:
        return Member(OBJECT, decode_json, Members(table, struct_in(kind), place), place, nullable, required)
    if hub in SCHEMAS:
        return Member(SCHEMA, decode_json, None, place, nullable, required)
    role = OTHER
    if kind is str or (hasattr(kind, "__metadata__") and kind.__origin__ is str):
        role = TEXT
    elif kind is bool:
        # Functions of the format may ask whether a flag `is True`, which a hole cannot answer.
        is_looked_at = table.after_read is not None or (row is not None and row.via is not None)
        role = FLAG if hub is not None and hub.startswith("hints.") and not is_looked_at else VALUE
    elif get_origin(kind) is Literal:
        role = VALUE
    own = () if table.identifier is None else table.identifier.members
    if role == TEXT and hub in BESIDE_NAME and at.split(place)[-1] not in own:
        role = VALUE
    return Member(role, decode_as(kind), None, place, nullable, required)


def without_null(annotation: Any) -> tuple[Any, bool]:
    """The type of the values of an annotation without null and UNSET, and whether null is a value."""
    options = get_args(annotation)
    if UnsetType not in options and type(None) not in options:
        options = (annotation,)
    kinds = [option for option in options if option is not UnsetType and option is not type(None)]
    kind: Any = kinds[0]
    for option in kinds[1:]:
        kind |= option
    while hasattr(kind, "__metadata__") and not any(map(_has_constraint, kind.__metadata__)):
        kind = kind.__origin__
    return kind, type(None) in options


def _has_constraint(meta: Meta) -> bool:
    """Whether a Meta has any constraint."""
    bounds = (meta.gt, meta.ge, meta.lt, meta.le, meta.multiple_of, meta.pattern, meta.min_length, meta.max_length)
    return any(bound is not None for bound in bounds)


@lru_cache(maxsize=4096)
def kind_at(model: type[Struct], tokens: tuple[str, ...]) -> Any:
    """The type of the values at a place of a model; Any if the model has no field there."""
    annotation = type_at(model, tokens)
    return Any if annotation is None else without_null(annotation)[0]
