"""Vias for what a call says beside its name: its arguments, as an object or as JSON text, and its id."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import UNSET

from .errors import DocumentError
from .hub import Json, JsonObject, is_object
from .names import Rule, legal
from .reading import Reading, Writing
from .row import Via
from .table import Invent

UNREADABLE: Final = "INVALID_JSON"
"""The key under which arguments travel that are no JSON object.

Anthropic's own advice for input that is not valid JSON (docs, "Fine-grained tool streaming", checked 2026-11-21).
"""


def _coarse(_: str, __: Any, ___: Reading) -> str:
    return ""


def _same(value: Any, _: Reading) -> Any:
    return value


def _read_object(value: Json, _: Reading) -> Json:
    return value


def _write_object(value: JsonObject | str, w: Writing) -> JsonObject:
    if is_object(value):
        return value
    w.note("TB507")
    return {UNREADABLE: value}


def read_text(text: str, reading: Reading) -> JsonObject | str:
    """The object that a text says; the text itself where it says none. No text and null say no arguments."""
    from .files.json_text import parse_json

    if not text.strip():
        return {}
    try:
        value, twice = parse_json(text)
    except DocumentError:
        return text
    if value is None:
        return {}
    if not is_object(value):
        return text
    if twice:
        reading.derived["arguments"] = "TB002"
    return value


def _write_text(value: JsonObject | str, _: Writing) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _read_either(value: JsonObject | str, reading: Reading) -> JsonObject | str:
    return read_text(value, reading) if isinstance(value, str) else value


AS_OBJECT = Via(_read_object, _write_object)
"""Arguments as an object."""

AS_TEXT = Via(read_text, _write_text, _coarse)
"""Arguments as JSON text; what is no JSON stays as it is."""

AS_EITHER = Via(_read_either, _write_text)
"""Arguments as an object or as JSON text, which is written."""


def no_arguments(_: Writing) -> JsonObject:
    """Arguments for a call that has none, where they must be an object."""
    return {}


def no_arguments_text(_: Writing) -> str:
    """Arguments for a call that has none, where they must be text."""
    return "{}"


IDS: Final = Rule(alphabet="a-zA-Z0-9_-", most=64)
"""What ids of calls may look like at most vendors."""


def identified(make: Callable[[str], str] | None = None) -> Via:
    """The id of a call, as text; `make` makes it legal. The same id is always made into the same."""

    def write(value: str | int, w: Writing) -> str:
        text = str(value)
        called = text if make is None else make(text)
        if called != value:
            w.note("TB506")
        return called

    return Via(_same, write, _coarse)


def by_rule(rule: Rule) -> Callable[[str], str]:
    """What makes ids legal by a rule; one that has nothing legal in it gets another."""

    def make(text: str) -> str:
        try:
            return legal(text, rule)
        except ValueError:
            return token(text, 16)

    return make


def token(text: str, length: int) -> str:
    """So many letters and digits that stand for a text."""
    from hashlib import blake2b  # loads OpenSSL, and few calls need it

    number = int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).digest())
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    out = ""
    for _ in range(length):
        number, place = divmod(number, 62)
        out += digits[place]
    return out


def exactly(length: int) -> Callable[[str], str]:
    """What makes ids that have just so many letters and digits."""
    matches = re.compile(rf"[a-zA-Z0-9]{{{length}}}").fullmatch
    return lambda text: text if matches(text) else token(text, length)


def an_id(prefix: str = "call_", length: int = 24) -> Invent:
    """An id where the source has none: from what is said, so that the same gets the same; it matches nothing else."""

    def invent(w: Writing) -> Any:
        wire = w.row.wire if w.row is not None else None
        fields = {path: w.fields[path] for path in ("name", "arguments", "data") if path in w.fields}
        content = [block.document or block.fields for block in w.fields.get("content", ())]
        text = msgspec.json.encode([w.number, fields, content], order="deterministic")
        w.note_at("TB401", "", wire)
        return prefix + token(text.decode(), length)

    return invent


def no_name(w: Writing) -> Any:
    """A name for the result of a tool that nobody names."""
    wire = w.row.wire if w.row is not None else None
    w.note_at("TB401", "", wire)
    return "tool"


def ids_only(value: object) -> Any:
    """A value where it can be an id, else UNSET."""
    return value if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)) else UNSET
