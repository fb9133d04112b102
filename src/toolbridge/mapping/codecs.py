"""Codecs that several formats share: names, descriptions, schemas, arguments, ids."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, UnsetType, to_builtins

from ..data.names import Rule, legal
from ..data.types import Json, JsonObject, is_object, quoted
from ..errors import DocumentError
from ..schema import fit, with_repairs
from .record import Codec, Record, WriteContext
from .table import Invent

if TYPE_CHECKING:
    from ..schema import Dialect

T = TypeVar("T")

Predicate: TypeAlias = "Callable[[JsonObject], bool]"
"""A test of a document, or of a part of one."""

BlockPredicate: TypeAlias = "Callable[[Record], bool]"
"""A test of a block that is to be written: which fields it has."""

Test: TypeAlias = "str | tuple[str | None, ...] | type | Predicate"
"""What a value must be: this text, one of these (None: absent or null), of this type, or an object that passes."""

# functions for codecs: they read or write one value


def identity(value: Any, _: Any) -> Any:
    """The value, unchanged."""
    return value


def constant(value: T) -> Callable[..., T]:
    """A function that returns `value` for any arguments: a codec, a predicate, or a value of `invent`."""
    return lambda *_: value


def apply(function: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """A function for a codec that depends on the value only."""
    return lambda value, _: function(value)


def from_context(write: Callable[[WriteContext], Any]) -> Callable[[Any, WriteContext], Any]:
    """A `write` that computes its value from the whole context, not from the value of its row."""
    return lambda _, w: write(w)


def rewrite(make: Callable[[Any, WriteContext], Any]) -> Callable[[Any, WriteContext], Any]:
    """A `write` that writes what `make` returns, and notes TB501 if that is another value."""

    def write(value: Any, w: WriteContext) -> Any:
        made = make(value, w)
        if made != value:
            w.note("TB501")
        return made

    return write


def write_if(test: Callable[[WriteContext], bool]) -> Callable[[Any, WriteContext], Any]:
    """A `write` that writes the value if the test passes, and notes TB101 otherwise."""

    def write(value: Any, w: WriteContext) -> Any:
        if test(w):
            return value
        w.note("TB101", "", None)
        return UNSET

    return write


def unless_none(write: Callable[[Any, WriteContext], Any]) -> Callable[[Any, WriteContext], Any]:
    """A `write` for output schemas in a format that cannot express that a tool returns nothing: None is lost."""

    def write_some(value: Any, w: WriteContext) -> Any:
        if value is not None:
            return write(value, w)
        w.note("TB101", "", None)
        return UNSET

    return write_some


def repair_schema(schema: JsonObject, w: WriteContext) -> JsonObject:
    """The schema with what is meant where it has values for which validators refuse all of it."""
    meant, places = with_repairs(schema)
    for place in places:
        w.note("TB001", place, None)
    return meant


def flag(true: str, false: str) -> Codec:
    """A boolean of the hub, written as one of two words."""
    return Codec(apply(lambda value: value == true), apply(lambda value: true if value else false))


def place_of_row(_: str, __: Any, ___: Record) -> str:
    """A `place` of codecs: every place in the hub value is the place of the row."""
    return ""


# values that a format requires and the source does not have


def invent(value: Json, wire: str | None = None) -> Callable[[WriteContext], Any]:
    """A value of `invent`: a copy of `value`, noted as TB401. A row without a hub field needs its `wire` here."""

    def answer(w: WriteContext) -> Any:
        w.note_at("TB401", "", w.wire if wire is None else wire)
        return to_builtins(value)

    return answer


def title_or_address(w: WriteContext) -> Any:
    """A name for a link that has none."""
    known = "title" if w.fields.get("title") else "address"
    w.note_at("TB401", w.source(known), w.wire)
    return w.fields[known]


# fields of the hub that no row reads


def borrow(record: Record, path: str, value: Any, place: str) -> None:
    """Set a field of the hub that is implied by `place`, which is not a row for this field."""
    record.put(path, value, place)
    record.borrowed.add(path)


def settle_failed(place: str) -> Callable[[Record], None]:
    """An `after_read`: a document with `place` is that of a failure."""
    return lambda record: borrow(record, "failed", value=True, place=place)


def settle_marker(place: str, path: str) -> Callable[[Record], None]:
    """An `after_read`: `place` is a marker of the field `path`, without a meaning of its own."""

    def add_marker(record: Record) -> None:
        record.markers[place] = path

    return add_marker


# predicates


never: Final = constant(value=False)
"""Rejects every document and every block."""


def has_type(*names: str) -> Predicate:
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


# A predicate calls `rest` itself: detection tries dozens of them on a document, and most fail at the first condition.


def _only(keys: frozenset[str], rest: Predicate | None) -> Predicate:
    return lambda document: document.keys() <= keys and (rest is None or rest(document))


def _any_of(keys: tuple[str, ...], rest: Predicate | None) -> Predicate:
    return lambda document: not document.keys().isdisjoint(keys) and (rest is None or rest(document))


def _without(key: str, rest: Predicate | None) -> Predicate:
    return lambda document: key not in document and (rest is None or rest(document))


def _key(key: str, rest: Predicate | None) -> Predicate:
    return lambda document: key in document and (rest is None or rest(document))


def holds(key: str, test: Test, rest: Predicate | None = None) -> Predicate:
    """Whether the value of a document at `key` passes `test`, and the document passes `rest`."""
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
    """A test that passes if all tests pass; they are called in this order."""
    first, *others = tests
    if not others:
        return first
    rest = all_of(*others)
    return lambda value: first(value) and rest(value)


def either(*tests: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether one of the tests holds."""
    return lambda it: any(test(it) for test in tests)


def has_fields(*paths: str, any_of: tuple[str, ...] = (), **values: Test) -> BlockPredicate:
    """Whether a block has all fields `paths`, one of `any_of`, and these values."""
    test = has(*paths, any_of=any_of, without=(), only=(), **values)
    return lambda block: test(block.fields)


def has_object(block: Record) -> bool:
    """Whether a block of data is an object."""
    return is_object(block.fields["value"])


def media_type(mime: object) -> str:
    """A media type without its parameters; empty if there is none."""
    return mime.partition(";")[0].strip().lower() if isinstance(mime, str) else ""


_BASE64: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"


def is_base64(data: object) -> bool:
    """Whether data is base64 that is not empty, in one of the two alphabets, with padding or without."""
    if not isinstance(data, str) or not data.isascii():
        return False
    digits = data.rstrip("=").encode()
    return len(digits) > 1 and len(digits) % 4 != 1 and not digits.translate(None, _BASE64)


def has_data(*mimes: str) -> BlockPredicate:
    """Whether a block has data that services take, and that is of one of these media types."""
    return lambda block: block.fields.get("mime") in mimes and is_base64(block.fields.get("data"))


def has_address(*starts: str) -> BlockPredicate:
    """Whether the content of a block is only an address, which starts with one of these, for the service to fetch."""

    def passes(block: Record) -> bool:
        address = block.fields.get("address")
        return isinstance(address, str) and address.startswith(starts) and not {"data", "text"} & block.fields.keys()

    return passes


def schema_codec(dialect: Dialect) -> Codec:
    """An input schema in a dialect. Raises ValueError for one in which no schema can be written."""
    dialect.check_writing()

    def write(value: JsonObject, w: WriteContext) -> Any:
        return written(value, dialect, w)

    return Codec(identity, write, passes=dialect, reads=())


def written(value: JsonObject, dialect: Dialect, w: WriteContext) -> JsonObject:
    """An input schema written in a dialect. The map that restores arguments is set as `w.argument_map`.

    `w.strict` becomes whether the written schema keeps the rules of a strict dialect, for the row of such a flag.
    """
    if not w.options.strict and dialect.fallback is not None:
        dialect = dialect.fallback
    result = fit(value, dialect, w.options)
    w.note_all(result.notes)
    w.argument_map = result.argument_map
    w.strict = result.dialect.closed_objects
    return result.schema


_SENTENCE_END: Final = re.compile(r"[.!?][\"')\]]*(?=\s)|[。！？]|\S(?=\s*\n)")

_CUT: Final = "..."

_NEAR: Final = 250
"""The characters before the limit of a text in which the end of a sentence is looked for first."""

ENDLESS: Final = 1 << 62
"""A limit of characters that no text exceeds."""


def write_name(rule: Rule) -> Codec:
    """The codec of a tool's name, made legal by a rule. It has no inner places: each is the place of the name."""

    def write(value: str, w: WriteContext) -> str:
        try:
            name = w.names.get(value) or legal(value, rule)  # `names`: those of a catalogue, where each is unique
        except ValueError as error:
            raise DocumentError(f"{error}, found {quoted(value)}", w.source("name")) from None
        if name != value:
            w.note("TB501")
        return name

    return Codec(identity, write, place_of_row, passes=re.compile(f'"{rule.pattern[1:-1]}"'.encode()))


def write_description(most: int | None) -> Codec:
    """The codec of a tool's description, with at most so many characters; a limit of the caller replaces `most`."""

    def write(value: str, w: WriteContext) -> str:
        wanted_limit = w.options.description
        limit = most if isinstance(wanted_limit, UnsetType) else wanted_limit
        if limit is None or len(value) <= limit:
            return value
        w.note("TB502")
        return shorten_text(value, limit)

    passes = ENDLESS if most is None else most
    return Codec(identity, write, place_of_row, lambda value: {"description": value}, passes=passes)


def shorten_text(text: str, most: int) -> str:
    """The beginning of a text, cut at the end of a sentence, otherwise of a word, otherwise with dots at the cut."""
    # Usually a sentence ends near the limit. No match has white space, so a search may begin at any.
    for start in (max(text.rfind(" ", 0, max(most - _NEAR, 0)), 0), 0):
        ends = [match.end() for match in _SENTENCE_END.finditer(text, start, most + 1) if match.end() <= most]
        if ends and ends[-1] * 2 >= most:
            return text[: ends[-1]]
    words = re.match(r"(?s).*\S(?=\s)", text[: most + 1])
    if words is not None and words.end() * 2 >= most:
        return words[0]
    return text[: most - len(_CUT)] + _CUT if most > len(_CUT) else text[:most]


UNREADABLE: Final = "INVALID_JSON"
"""The key for arguments that are not a JSON object.

Anthropic's own advice for input that is not valid JSON (docs, "Fine-grained tool streaming", checked 2026-11-21).
"""


def _write_object(value: JsonObject | str, w: WriteContext) -> JsonObject:
    if is_object(value):
        return value
    w.note("TB507")
    return {UNREADABLE: value}


def read_text(text: str, record: Record) -> JsonObject | str:
    """The JSON object in a text; the text itself if it is none.

    An empty text and null are no arguments, and neither is an empty list, as PHP writes an object without members. An
    object in a string is one that was encoded twice: by watsonx (quarkiverse/quarkus-langchain4j#2569, 2026-06-10) and
    Qwen2.5 (langchain4j/langchain4j#2680, 2025-03-13). An object may stand there several times, as services send it
    again at the end of a stream (mimo: decolua/9router#2869, 2026-07-28; GLM: anomalyco/opencode#17339, 2026-03-13), or
    behind an empty one (Gemini in OpenAI's format: microsoft/autogen#7549, 2026-04-07). Line breaks and other control
    characters in strings are meant as such (DeepSeek: prism-php/prism#937, 2026-03-02; Kimi's own client:
    MoonshotAI/kimi-cli#1460, 2026-03-17). Checked 2026-11-30.
    """
    value, code = _object_in(text)
    if value is None:
        return text
    if code:
        record.derived["arguments"] = code
    return value


def _object_in(text: str) -> tuple[JsonObject | None, str]:
    """The JSON object that a text is understood as, None if it is none; the code of what was corrected for that."""
    if not text.strip():
        return {}, ""
    from ..data.json_text import json_in

    value, has_duplicates = json_in(text)
    if value is None or value == []:
        return {}, ""
    code = ""
    if value is UNSET or isinstance(value, str):
        value, has_duplicates = json_in(_escaped(_once(text)) if value is UNSET else value)
        code = "TB001"
    return (value, "TB002" if has_duplicates else code) if is_object(value) else (None, "")


def _once(text: str) -> str:
    """The text without the empty objects at its start; if it repeats one text several times, that text."""
    start = 0
    while text.startswith("{}", start) and start + 2 < len(text):
        start += 2
    text = text[start:]
    return text[: (text + text).find(text, 1)]


_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)  # one without an end is taken whole: once
_RAW: Final = re.compile(r"\\.|[\x00-\x1f]", re.DOTALL)


def _escaped(text: str) -> str:
    """A JSON text whose strings have escapes for the control characters that stand in them."""

    def escape(found: re.Match[str]) -> str:
        return found[0] if found[0].startswith("\\") else f"\\u{ord(found[0]):04x}"

    return _STRING.sub(lambda found: _RAW.sub(escape, found[0]), text)


def _write_text(value: JsonObject | str, w: WriteContext) -> str:
    if isinstance(value, str) and _object_in(value)[0] is None:
        return value
    # A text of a custom tool is no object, also if it would be understood as one.
    return msgspec.json.encode(_write_object(value, w)).decode()


def _read_either(value: JsonObject | str, record: Record) -> JsonObject | str:
    return read_text(value, record) if isinstance(value, str) else value


def _place_in_either(sub: str, raw: Json, _: Record) -> str:
    return "" if isinstance(raw, str) else sub


AS_OBJECT = Codec(identity, _write_object)
"""Arguments as an object."""

AS_TEXT = Codec(read_text, _write_text, place_of_row)
"""Arguments as JSON text; text that is not understood as an object is not changed."""

AS_EITHER = Codec(_read_either, _write_text, _place_in_either)
"""Arguments, read as an object or as JSON text, written as JSON text."""


def no_arguments(_: WriteContext) -> JsonObject:
    """The arguments of a call without any, in a format that requires an object."""
    return {}


no_arguments_text: Final = constant("{}")
"""The arguments of a call without any, in a format that requires text."""


def id_codec(make: Callable[[str], str] | None = None) -> Codec:
    """The codec of a call's id, as text. `make` makes it legal, and always gives the same id for the same id."""

    def write(value: str | int, w: WriteContext) -> str:
        text = str(value)
        legal_id = text if make is None else make(text)
        if legal_id != value:
            w.note("TB506")
        return legal_id

    return Codec(identity, write, place_of_row)


def id_text(value: Json) -> str | None:
    """The text of an id where a format has texts only; None for what is no id.

    Models behind OpenAI's interface give numbers (GLM, MiniMax: anomalyco/opencode#25786 and Kilo-Org/kilocode#5816,
    checked 2026-11-28), of which other clients make texts as well.
    """
    if type(value) is int and value.bit_length() < 64:
        return str(value)
    return value if isinstance(value, str) else None


def id_by_rule(rule: Rule) -> Callable[[str], str]:
    """A function that makes ids legal by a rule; an id without any legal character is replaced by a token."""

    def make(text: str) -> str:
        try:
            return legal(text, rule)
        except ValueError:
            return hash_id(text, 16)

    return make


def hash_id(text: str, length: int) -> str:
    """A hash of a text, as so many letters and digits."""
    from hashlib import blake2b  # loads OpenSSL, and few calls need it

    number = int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).digest())
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    characters = ""
    for _ in range(length):
        number, digit = divmod(number, 62)
        characters += digits[digit]
    return characters


def id_of_length(length: int) -> Callable[[str], str]:
    """A function that makes ids of exactly so many letters and digits."""
    matches = re.compile(rf"[a-zA-Z0-9]{{{length}}}").fullmatch
    return lambda text: text if matches(text) else hash_id(text, length)


def invent_id(prefix: str = "call_", length: int = 24) -> Invent:
    """A value of `invent`: an id, computed from the content, so that equal calls get equal ids."""

    def invent(w: WriteContext) -> Any:
        fields = {path: w.fields[path] for path in ("name", "arguments", "data") if path in w.fields}
        content = [block.document or block.fields for block in w.fields.get("content", ())]
        text = msgspec.json.encode([w.number, fields, content], order="deterministic")
        w.note_at("TB401", "", w.wire)
        return prefix + hash_id(text.decode(), length)

    return invent


default_tool_name: Final = invent("tool")
"""A value of `invent`: a name of the tool for a result without one."""
