"""Codecs that several formats share: names, descriptions, schemas, arguments, ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec
from msgspec import UNSET, UnsetType

from ..data import pointer as at
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError
from ..names import Rule, legal
from ..schema import fitted, unprose
from .record import Codec, Record, WriteContext
from .table import Invent

if TYPE_CHECKING:
    from ..schema import Dialect
    from .record import Row


def _as_it_is(value: Any, _: Any) -> Any:
    return value


_SAME: Final = Codec(_as_it_is, _as_it_is).place
"""Places in the value of the hub are places in that of the document, unless a Via says otherwise."""


def spoken(dialect: Dialect) -> Codec:
    """An input schema in a dialect; constraints that stand in the prose of descriptions are read back."""

    def read(value: Json, _: Record) -> Json:
        return unprose(value, dialect)

    def write(value: JsonObject, w: WriteContext) -> Any:
        return written(value, dialect, w)

    return Codec(read, write, place_said)


def place_said(sub: str, raw: Any, _: Record) -> str:
    """The place itself; of what was read out of the prose of a description, that description."""
    if at.get(raw, sub) is not at.MISSING:
        return sub
    while sub and at.get(raw, sub) is at.MISSING:
        sub = sub[: sub.rindex("/")]
    told = f"{sub}/description"
    return sub if at.get(raw, told) is at.MISSING else told


def written(value: JsonObject, dialect: Dialect, w: WriteContext) -> JsonObject:
    """An input schema in a dialect, for the Via of a room. How arguments find home is kept in `w.way`.

    `w.strict` tells the row of a flag whether the schema beside it keeps the rules of a strict dialect.
    """
    it = fitted(value, dialect, w.options)
    if it.notes:
        _note(it.notes, w)
    w.way = it.way
    w.strict = it.dialect.closed
    return it.schema


def _note(notes: Sequence[tuple[str, str, str | None]], w: WriteContext) -> None:
    """As `w.note` for each; what all their places have in common is looked up once."""
    row = cast("Row", w.row)
    place = w.places.get(cast("str", row.hub))
    table = w.reading.table
    origin = None if table is None or place is None else table.rows.get(place)
    if origin is None or (origin.via is not None and origin.via.place is not _SAME):
        for code, source, target in notes:
            w.note(code, source, target)
        return
    wire = row.wire
    w.notes += [(code, f"{place}{at}", None if to is None else wire + to) for code, at, to in notes]


_SENTENCE_END: Final = re.compile(r"[.!?][\"')\]]*(?=\s)|[。！？]|\S(?=\s*\n)")

_CUT: Final = "..."


def _plain(value: Any, _: Record) -> Any:
    return value


def _whole(_: str, __: Any, ___: Record) -> str:
    return ""


def _filled(value: Any) -> dict[str, Any]:
    return {"description": value}


def write_name(rule: Rule) -> Codec:
    """The name of a tool, made legal by a rule. Nothing stands within it, so every place in it is its own."""

    def write(value: str, w: WriteContext) -> str:
        try:
            called = w.names.get(value) or legal(value, rule)  # the catalogue's answer, where two tools wanted one name
        except ValueError as error:
            raise DocumentError(f"{error}, found {value!r}", w.source("name")) from None
        if called != value:
            w.note("TB501")
        return called

    return Codec(_plain, write, _whole)


def write_description(most: int | None) -> Codec:
    """The description of a tool in so many characters, if there is a limit; the caller's limit goes before it."""

    def write(value: str, w: WriteContext) -> str:
        asked = w.options.description
        limit = most if isinstance(asked, UnsetType) else asked
        if limit is None or len(value) <= limit:
            return value
        w.note("TB502")
        return shorten_text(value, limit)

    return Codec(_plain, write, _whole, _filled)


def shorten_text(text: str, most: int) -> str:
    """The beginning of a text up to the end of a sentence, else of a word, else with dots where it was cut."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, most + 1) if found.end() <= most]
    if ends and ends[-1] * 2 >= most:
        return text[: ends[-1]]
    words = re.match(r"(?s).*\S(?=\s)", text[: most + 1])
    if words is not None and words.end() * 2 >= most:
        return words[0]
    return text[: most - len(_CUT)] + _CUT if most > len(_CUT) else text[:most]


UNREADABLE: Final = "INVALID_JSON"
"""The key under which arguments travel that are no JSON object.

Anthropic's own advice for input that is not valid JSON (docs, "Fine-grained tool streaming", checked 2026-11-21).
"""


def _coarse(_: str, __: Any, ___: Record) -> str:
    return ""


def _same(value: Any, _: Record) -> Any:
    return value


def _read_object(value: Json, _: Record) -> Json:
    return value


def _write_object(value: JsonObject | str, w: WriteContext) -> JsonObject:
    if is_object(value):
        return value
    w.note("TB507")
    return {UNREADABLE: value}


def read_text(text: str, reading: Record) -> JsonObject | str:
    """The object that a text says; the text itself where it says none. No text and null say no arguments."""
    from ..data.json_text import parse_json

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


def _write_text(value: JsonObject | str, _: WriteContext) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _read_either(value: JsonObject | str, reading: Record) -> JsonObject | str:
    return read_text(value, reading) if isinstance(value, str) else value


AS_OBJECT = Codec(_read_object, _write_object)
"""Arguments as an object."""

AS_TEXT = Codec(read_text, _write_text, _coarse)
"""Arguments as JSON text; what is no JSON stays as it is."""

AS_EITHER = Codec(_read_either, _write_text)
"""Arguments as an object or as JSON text, which is written."""


def no_arguments(_: WriteContext) -> JsonObject:
    """Arguments for a call that has none, where they must be an object."""
    return {}


def no_arguments_text(_: WriteContext) -> str:
    """Arguments for a call that has none, where they must be text."""
    return "{}"


IDS: Final = Rule(alphabet="a-zA-Z0-9_-", most=64)
"""What ids of calls may look like at most vendors."""


def identified(make: Callable[[str], str] | None = None) -> Codec:
    """The id of a call, as text; `make` makes it legal. The same id is always made into the same."""

    def write(value: str | int, w: WriteContext) -> str:
        text = str(value)
        called = text if make is None else make(text)
        if called != value:
            w.note("TB506")
        return called

    return Codec(_same, write, _coarse)


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

    def invent(w: WriteContext) -> Any:
        wire = w.row.wire if w.row is not None else None
        fields = {path: w.fields[path] for path in ("name", "arguments", "data") if path in w.fields}
        content = [block.document or block.fields for block in w.fields.get("content", ())]
        text = msgspec.json.encode([w.number, fields, content], order="deterministic")
        w.note_at("TB401", "", wire)
        return prefix + token(text.decode(), length)

    return invent


def no_name(w: WriteContext) -> Any:
    """A name for the result of a tool that nobody names."""
    wire = w.row.wire if w.row is not None else None
    w.note_at("TB401", "", wire)
    return "tool"


def ids_only(value: object) -> Any:
    """A value where it can be an id, else UNSET."""
    return value if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)) else UNSET
