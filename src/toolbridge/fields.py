"""What a model and the rows of its table say of each other: every field has a row, and every row a field."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Struct

from . import pointer as at

if TYPE_CHECKING:
    from .table import Table

fields = lru_cache(msgspec.structs.fields)

_PROBES: dict[tuple[type[Struct], tuple[str, ...]], Any] = {}


def probe(model: type[Struct], tokens: tuple[str, ...]) -> Any:
    """A model with this one optional field, nested as deep as `tokens` say."""
    found = _PROBES.get((model, tokens))
    if found is None:
        first, *rest = tokens
        kind: Any = next(field.type for field in fields(model) if field.encode_name == first)
        inner = struct_in(kind)
        if rest and inner is not None:
            kind = probe(inner, tuple(rest))
        found = msgspec.defstruct("Probe", [("probe", kind, UNSET)], rename={"probe": first})
        _PROBES[model, tokens] = found
    return found


def struct_in(kind: Any) -> type[Struct] | None:
    """The Struct among the alternatives of an annotation."""
    for option in (kind, *getattr(kind, "__args__", ())):
        if isinstance(option, type) and issubclass(option, Struct):
            return option
    return None


def account(table: Table) -> None:
    """Refuse a table in which a field of the model has no row or a row no field."""
    unfound = set(table.rows)

    def visit(model: type[Struct], prefix: str) -> None:
        for field in fields(model):
            wire = f"{prefix}/{at.escape(field.encode_name)}"
            inner = struct_in(field.type)
            if wire in table.containers and inner is not None:
                unfound.discard(wire)
                visit(inner, wire)
            elif wire in table.rows:
                unfound.discard(wire)
            elif wire not in table.containers:
                raise TypeError(f"{model.__name__}: no row for {wire}")

    visit(table.model, "")
    if unfound:
        free = tuple(place + "/" for place in _free(table.model, ""))
        unfound = {wire for wire in unfound if not wire.startswith(free)}
    if unfound:
        raise TypeError(f"{table.model.__name__}: no field for {', '.join(sorted(unfound))}")


def _free(model: type[Struct], prefix: str) -> Iterator[str]:
    """Places that a model leaves to anybody: a plain dict."""
    for field in fields(model):
        wire = f"{prefix}/{at.escape(field.encode_name)}"
        inner = struct_in(field.type)
        if inner is not None:
            yield from _free(inner, wire)
        else:
            yield wire
