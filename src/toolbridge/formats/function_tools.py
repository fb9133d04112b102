"""What the function tools of several vendors share: the request around them, the flag `strict`, fixed words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct, defstruct

from ..data import pointer as at
from ..data.types import JsonObject
from ..mapping import Codec, Row, Table, Wire, WriteContext, constant, identity, local, row, write_nothing, written
from ..schema import Dialect, keeps


class RequestFrame(Wire, kw_only=True):
    """What stands around the tools in the body of a request: the rest of it, of which tools know nothing."""


def request_frame(base: type[Struct], name: str, members: Sequence[str]) -> Table:
    """The table of what stands around the tools in a request with these members, besides those of `base`."""
    words = {"__doc__": base.__doc__}
    model = defstruct(name, [(each, Any, UNSET) for each in members], bases=(base,), kw_only=True, namespace=words)
    return Table(model, *(local(f"/{each}") for each in model.__struct_encode_fields__))


def no_parameters(dialect: Dialect) -> Callable[[WriteContext], Any]:
    """Invents the parameters of a function whose source has no statement about them: an object without properties."""

    def invent(w: WriteContext) -> Any:
        w.note("TB401")
        nothing: JsonObject = {"type": "object", "properties": {}}
        if dialect.closed_objects:
            nothing |= {"required": [], "additionalProperties": False}
        return written(nothing, dialect, w)

    return invent


# words


def fixed(wire: str, beside: str, word: str, *, required: bool = True) -> Row:
    """A word that tells what kind of document this is, and nothing else. It goes with the field `beside`."""
    write = constant(word)
    codec = Codec(write_nothing, write)
    return row(wire, beside, codec, required=required, default=word, invent=write if required else None)


# the flag `strict`


def _write_strict(value: bool, w: WriteContext) -> bool:
    is_strict = w.strict is not False
    if value != is_strict:
        w.note("TB603" if value else "TB401")
    return is_strict


_STRICT_FLAG: Final = Codec(identity, _write_strict)


def _invent_strict(w: WriteContext) -> bool:
    if w.strict is False:
        w.note_at("TB603", w.source("input"), w.wire)
    return w.strict is not False


def strict_row(wire: str) -> Row:
    """The flag of a strict edition: true, unless the schema beside it could not be written by the strict rules."""
    return row(wire, "strict", _STRICT_FLAG, required=True, default=True, invent=_invent_strict)


def strict_if_kept(dialect: Dialect, parameters: str, otherwise: Any = UNSET) -> Codec:
    """The flag of an edition that is not strict: true only beside a schema that keeps the strict rules anyway.

    Args:
        dialect: The strict rules.
        parameters: The place of the schema.
        otherwise: What is written instead of true; UNSET: no flag.
    """

    def write(value: bool, w: WriteContext) -> Any:
        is_kept = value and w.options.strict
        if is_kept:
            is_kept = keeps(at.get(w.out, parameters), dialect) if w.keeps_rules is None else w.keeps_rules
        if is_kept or not value:
            return value
        w.note("TB603", "", None if otherwise is UNSET else "")
        return otherwise

    return Codec(identity, write, passes=re.compile(b"false"), rules=dialect)


def strict_mismatch(place: str, *, expected: bool) -> Callable[[JsonObject], int]:
    """For detection: counts one contradiction if the flag at `place` of a tool is not the expected one."""
    return lambda document: int((at.get(document, place, None) is True) is not expected)
