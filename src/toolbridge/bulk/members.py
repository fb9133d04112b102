"""Members: the members of the documents of a table, by its rows and its model, with which a document is split."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import count
from typing import Any, Final, Literal, NamedTuple, TypedDict, get_args, get_origin

import msgspec
from msgspec import Meta, Raw, Struct, UnsetType

from ..conversion.invisible_characters import is_suspect, respelled
from ..data import pointer as at
from ..data.json_decoder import decode_as, decode_json
from ..data.patch import is_deep as is_deeper
from ..limits import LIMITS
from ..mapping.record import fields, struct_in
from ..mapping.table import Table

_encode = msgspec.json.Encoder().encode

SCHEMAS: Final = ("input", "output")
"""The fields of the hub that are schemas."""

TEXT, FLAG, SCHEMA, OBJECT, VALUE, OTHER = range(6)
"""The role of a member: a string, a boolean that no code depends on, a schema, an object with rows of its own, one of
a few values, or anything else.
"""

_FIXED: Final = frozenset({b"null", b"true", b"false", b"{}", b"[]", b'""'})
"""Empty and constant values, which belong to the form of a tool."""

_LONGEST: Final = 5

_SHAPES: Final = 1024
"""The largest number of orders of members that are cached."""

_MARK: Final = "dev.toolbridge/"
"""The prefix of the names that toolbridge itself writes into documents."""

_BRACE: Final = b"{"[0]

_DEEP: Final = LIMITS.depth - 50
"""The levels that a value may have, which is itself some levels deep in a document."""


class Leaf(NamedTuple):
    """A member of a document; `check` raises for texts that the model does not accept."""

    role: int
    check: Callable[[bytes], Any]
    inner: Members | None
    place: str
    nullable: bool
    required: bool


_UNKNOWN: Final = Leaf(OTHER, decode_json, None, "", True, False)

_numbers = count(1)


class _Shape(NamedTuple):
    """The members of an object in their order: a number of its own, and the members whose values are checked."""

    number: int
    checked: tuple[tuple[int, Leaf], ...]


class Members:
    """The members of an object: their leaves by name; no leaves if the object accepts any members."""

    __slots__ = ("_decoded", "_shapes", "leaves", "type")

    def __init__(self, table: Table, model: type[Struct] | None, prefix: str = "") -> None:
        self.leaves: dict[str, Leaf] = {}
        self._shapes: dict[tuple[Any, ...], _Shape] = {}
        self.type: Any = dict[str, Raw]
        if model is not None:
            self._add_leaves(table, model, prefix)
        self._decoded: Callable[[bytes], Any] = decode_as(self.type)

    def _add_leaves(self, table: Table, model: type[Struct], prefix: str) -> None:
        types: dict[str, Any] = {}
        for field in fields(model):
            place = f"{prefix}/{at.escape(field.encode_name)}"
            leaf = _leaf(table, place, field.type, required=field.required)
            self.leaves[field.encode_name] = leaf
            kind = core(field.type)[0]
            if leaf.role == OBJECT:
                kind = Raw if leaf.inner is None else leaf.inner.type
            types[field.encode_name] = Raw if leaf.role in (SCHEMA, OTHER) else kind | None
        self.type = TypedDict("Members", types, total=False)  # type: ignore[operator]

    def split(self, text: bytes) -> tuple[bytes, dict[str, Any], list[Any], tuple[Any, ...]] | None:
        """The text of a tool in its members; None if the tool takes the general path.

        It takes that if a member is unknown, a duplicate, or not in the usual spelling, if the model does not accept a
        value, or if there may be invisible characters.

        Returns:
            The text without escapes by number; its members, undecoded where codecs may look at them; the values of all
            members in their order, those of an object behind those of its owner; and the form of the tool: which
            members it has, and which of them are null, empty or constant.
        """
        if is_suspect(text):
            spelled = respelled(text)
            if spelled is None:
                return None
            text = spelled
        values: list[Any] = []
        form: list[Any] = []
        try:
            members = self._decoded(text)
            if _encode(members) != text:
                formatted = msgspec.json.format(text, indent=-1)
                members = self._decoded(formatted)
                if _encode(members) != formatted:
                    return None
            self.add(members, values, form)
        except (msgspec.MsgspecError, ValueError, RecursionError, LookupError):
            return None
        if "" in values:
            form += [number for number, value in enumerate(values) if value.__class__ is str and not value]
        return text, members, values, tuple(form)

    def add(self, members: Mapping[str, Any], values: list[Any], form: list[Any]) -> None:
        """Add the values of an object to `values`, and the parts that all tools of the form share to `form`.

        Raises LookupError and msgspec's errors for a tool that takes the general path.
        """
        base = (*members, *map(type, members.values()))
        shape = self._shapes.get(base)
        if shape is None:
            shape = self._shape(base, members)
        form.append(shape.number)
        start = len(values)
        values += members.values()
        for number, leaf in shape.checked:
            number += start  # noqa: PLW2901 - among all values
            value = values[number]
            role = leaf.role
            if role == OBJECT:
                assert leaf.inner is not None
                leaf.inner.add(value, values, form)
            elif role == VALUE:
                form.append(value)
            else:
                text = values[number] = bytes(value)
                if len(text) <= _LONGEST and text in _FIXED:
                    form.append(text)
                elif role == SCHEMA:
                    if text[0] != _BRACE:
                        raise LookupError
                    form.append(None)
                else:
                    leaf.check(text)
                    if _encode(decode_json(text)) != text or _MARK.encode() in text or is_deep(text):
                        raise LookupError
                    form.append(None)

    def _shape(self, base: tuple[Any, ...], members: Mapping[str, Any]) -> _Shape:
        if not self.leaves and any(key.startswith(_MARK) for key in members):
            raise LookupError
        leaves = [(n, self.leaves.get(key, _UNKNOWN)) for n, key in enumerate(members)]
        values = [*members.values()]
        checked = tuple((n, leaf) for n, leaf in leaves if leaf.role > FLAG and values[n] is not None)
        shape = _Shape(next(_numbers), checked)
        if len(self._shapes) >= _SHAPES:
            self._shapes = {}
        self._shapes[base] = shape
        return shape

    def document(self, members: Mapping[str, Any], hole: Callable[[int], Any]) -> dict[str, Any]:
        """A document of the same form, with holes for the values that do not belong to the form."""
        total = 0

        def with_holes(members: Mapping[str, Any], owner: Members) -> dict[str, Any]:
            nonlocal total
            first = total
            total += len(members)
            document: dict[str, Any] = {}
            for number, (key, value) in enumerate(members.items(), first):
                leaf = owner.leaves.get(key, _UNKNOWN)
                if value is None or value == "" or leaf.role == VALUE:
                    document[key] = value
                elif leaf.role == OBJECT and leaf.inner is not None:
                    document[key] = with_holes(value, leaf.inner)
                elif type(value) is Raw and bytes(value) in _FIXED:
                    document[key] = decode_json(value)
                else:
                    document[key] = hole(number)
            return document

        return with_holes(members, self)


def is_deep(text: bytes) -> bool:
    """Whether the value of a text is too deep for a document."""
    return len(text) > 2 * _DEEP and is_deeper(text, _DEEP)


def _leaf(table: Table, place: str, annotation: Any, *, required: bool) -> Leaf:
    kind, nullable = core(annotation)
    row = table.rows.get(place)
    hub = None if row is None or row.fallback else row.hub
    if place in table.containers:
        return Leaf(OBJECT, decode_json, Members(table, struct_in(kind), place), place, nullable, required)
    if hub in SCHEMAS:
        return Leaf(SCHEMA, decode_json, None, place, nullable, required)
    role = OTHER
    if is_text(kind):
        role = TEXT
    elif kind is bool:
        role = FLAG if hub is not None and hub.startswith("hints.") else VALUE
    elif get_origin(kind) is Literal:
        role = VALUE
    return Leaf(role, decode_as(kind), None, place, nullable, required)


def is_text(kind: Any) -> bool:
    """Whether an annotation is that of strings."""
    return kind is str or (hasattr(kind, "__metadata__") and kind.__origin__ is str)


def core(annotation: Any) -> tuple[Any, bool]:
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
    kind: Any = model
    for token in tokens:
        inner = struct_in(kind)
        matches = [] if inner is None else [field for field in fields(inner) if field.encode_name == token]
        if not matches:
            return Any
        kind = core(matches[0].type)[0]
    return kind
