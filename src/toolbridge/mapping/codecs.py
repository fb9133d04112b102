"""Codecs that several formats share: names, descriptions, schemas, arguments, ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

import msgspec
from msgspec import UNSET, UnsetType, to_builtins

from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError
from ..names import Rule, legal
from ..schema import fitted
from .record import Codec, Record, WriteContext
from .table import Invent

if TYPE_CHECKING:
    from ..schema import Dialect
    from .record import Row

T = TypeVar("T")

Predicate: TypeAlias = "Callable[[JsonObject], bool]"
"""A test of a document, or of a part of one."""

BlockPredicate: TypeAlias = "Callable[[Record], bool]"
"""A test of a block that is to be written: which fields it has."""

Test: TypeAlias = "str | tuple[str | None, ...] | type | Predicate"
"""What a value must be: this text, one of these (None: absent or null), of this type, or an object that passes."""

# codecs: they read, or write, one value


def identity(value: Any, _: Any) -> Any:
    """The value as it is."""
    return value


def omit(_: Any, __: Any) -> Any:
    """UNSET. As `read`: nothing that the hub can hold. As `write`: the row is only read."""
    return UNSET


def constant(value: T) -> Callable[..., T]:
    """A function that returns `value` for any arguments: a codec, a predicate, or an answer of `invent`."""
    return lambda *_: value


def apply(function: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """A codec that needs the value alone."""
    return lambda value, _: function(value)


def from_writing(write: Callable[[WriteContext], Any]) -> Callable[[Any, WriteContext], Any]:
    """A codec that writes from all fields, not from the value of its row."""
    return lambda _, w: write(w)


def write_if(test: Callable[[WriteContext], bool]) -> Callable[[Any, WriteContext], Any]:
    """A codec that writes the value where the test holds, and else notes that it is lost."""

    def write(value: Any, w: WriteContext) -> Any:
        if test(w):
            return value
        w.note("TB101", "", None)
        return UNSET

    return write


def unless_none(write: Callable[[Any, WriteContext], Any]) -> Callable[[Any, WriteContext], Any]:
    """A codec of output schemas in a format that cannot say that a tool returns nothing: None is lost."""

    def write_some(value: Any, w: WriteContext) -> Any:
        if value is not None:
            return write(value, w)
        w.note("TB101", "", None)
        return UNSET

    return write_some


def flag(true: str, false: str) -> Codec:
    """A boolean of the hub, written as one of two words."""
    return Codec(apply(lambda value: value == true), apply(lambda value: true if value else false))


def whole(_: str, __: Any, ___: Record) -> str:
    """For `Via.place`: every place in the hub value is the row's own place."""
    return ""


# what a format demands and the source does not say


def invent(value: Json, wire: str | None = None) -> Callable[[WriteContext], Any]:
    """An answer of `invent`: a copy of `value`, noted as invented. A row without a hub field needs its `wire` here."""

    def answer(w: WriteContext) -> Any:
        w.note_at("TB401", "", w.row.wire if wire is None and w.row is not None else wire)
        return to_builtins(value)

    return answer


def title_or_address(w: WriteContext) -> Any:
    """A name for a link that has none."""
    known = "title" if w.fields.get("title") else "address"
    w.note_at("TB401", w.source(known), None if w.row is None else w.row.wire)
    return w.fields[known]


# what a document says without a row


def borrow(reading: Record, path: str, value: Any, place: str) -> None:
    """Set a field of the hub that `place`, which has a meaning of its own, implies."""
    reading.fields[path] = value
    reading.places[path] = place
    reading.borrowed.add(path)


def settle_failed(place: str) -> Callable[[Record], None]:
    """For `settle`: a document with `place` is that of a failure."""
    return lambda reading: borrow(reading, "failed", value=True, place=place)


def settle_marker(place: str, path: str) -> Callable[[Record], None]:
    """For `settle`: `place` only helps to say the field `path`."""

    def after_read(reading: Record) -> None:
        reading.markers[place] = path

    return after_read


# predicates


never: Final = constant(value=False)
"""No document and no block."""


def typed(*names: str) -> Predicate:
    """Whether the `type` of a document is one of these."""
    return has(type=names[0] if len(names) == 1 else names)


def has(
    *keys: str,
    any_of: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    only: tuple[str, ...] | frozenset[str] = (),
    **values: Test,
) -> Predicate:
    """Whether a document has all `keys`, one of `any_of`, none of `without`, no other than `only`, and these values."""
    rest: Predicate | None = None
    if only:
        rest = _only(frozenset(only), rest)
    if any_of:
        rest = _any_of(any_of, rest)
    for key in reversed(without):
        rest = _without(key, rest)
    for key in reversed(keys):
        rest = _key(key, rest)
    for key, test in reversed(values.items()):
        rest = holds(key, test, rest)
    return rest or constant(value=True)


# Each asks `rest` itself: detection asks dozens of these of a document, and most say no at once.


def _only(known: frozenset[str], rest: Predicate | None) -> Predicate:
    return lambda document: document.keys() <= known and (rest is None or rest(document))


def _any_of(keys: tuple[str, ...], rest: Predicate | None) -> Predicate:
    return lambda document: not document.keys().isdisjoint(keys) and (rest is None or rest(document))


def _without(key: str, rest: Predicate | None) -> Predicate:
    return lambda document: key not in document and (rest is None or rest(document))


def _key(key: str, rest: Predicate | None) -> Predicate:
    return lambda document: key in document and (rest is None or rest(document))


def holds(key: str, test: Test, rest: Predicate | None = None) -> Predicate:
    """Whether the value of a document at `key` is what it must be, and `rest` holds of the document."""
    if isinstance(test, str):
        return lambda document: document.get(key) == test and (rest is None or rest(document))
    if isinstance(test, tuple):
        return lambda document: document.get(key) in test and (rest is None or rest(document))
    if isinstance(test, type):
        return lambda document: isinstance(document.get(key), test) and (rest is None or rest(document))
    return lambda document: (
        isinstance(document.get(key), dict) and test(document[key]) and (rest is None or rest(document))
    )


def all_of(*tests: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether all tests hold, asked in this order."""
    first, *others = tests
    if not others:
        return first
    rest = all_of(*others)
    return lambda it: first(it) and rest(it)


def either(*tests: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether one of the tests holds."""
    return lambda it: any(test(it) for test in tests)


def says(*paths: str, any_of: tuple[str, ...] = (), **values: Test) -> BlockPredicate:
    """Whether a block has all fields `paths`, one of `any_of`, and these values."""
    test = has(*paths, any_of=any_of, without=(), only=(), **values)
    return lambda block: test(block.fields)


def has_object(block: Record) -> bool:
    """Whether a block of data is an object."""
    return is_object(block.fields["value"])


def media_type(mime: object) -> str:
    """A media type without its parameters; empty where there is none."""
    return mime.partition(";")[0].strip().lower() if isinstance(mime, str) else ""


def has_data(*mimes: str) -> BlockPredicate:
    """Whether a block has content, which is not empty and of one of these media types."""
    return lambda block: bool(block.fields.get("data")) and block.fields.get("mime") in mimes


def has_address(*starts: str) -> BlockPredicate:
    """Whether a block has nothing but an address, with one of these beginnings, from which a service would fetch it."""

    def passes(block: Record) -> bool:
        address = block.fields.get("address")
        return isinstance(address, str) and address.startswith(starts) and not {"data", "text"} & block.fields.keys()

    return passes


_SAME: Final = Codec(identity, identity).place
"""Places in the value of the hub are places in that of the document, unless a Via says otherwise."""


def spoken(dialect: Dialect) -> Codec:
    """An input schema in a dialect."""

    def write(value: JsonObject, w: WriteContext) -> Any:
        return written(value, dialect, w)

    return Codec(identity, write, passes=dialect, reads=())


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

ENDLESS: Final = 1 << 62
"""More characters than any text has."""


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

    return Codec(identity, write, whole, passes=re.compile(f'"{rule.pattern[1:-1]}"'.encode()))


def write_description(most: int | None) -> Codec:
    """The description of a tool in so many characters, if there is a limit; the caller's limit goes before it."""

    def write(value: str, w: WriteContext) -> str:
        asked = w.options.description
        limit = most if isinstance(asked, UnsetType) else asked
        if limit is None or len(value) <= limit:
            return value
        w.note("TB502")
        return shorten_text(value, limit)

    return Codec(identity, write, whole, _filled, passes=ENDLESS if most is None else most)


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


AS_OBJECT = Codec(identity, _write_object)
"""Arguments as an object."""

AS_TEXT = Codec(read_text, _write_text, whole)
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

    return Codec(identity, write, whole)


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
