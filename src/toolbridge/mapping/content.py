"""Content blocks of results; results as blocks, as one text or as one value."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ..data.json_decoder import decode_json
from ..data.pointer import escape, with_changes
from ..data.types import Json, JsonObject, is_list, is_object
from ..data.types import kind as json_type
from ..errors import DocumentError
from ..hub import Block
from ..losses.note import Note
from .codecs import constant, from_context, is_base64, media_type
from .record import Codec, Record, Row, WriteContext, fields, row
from .table import Table
from .wire import Wire

BlockCheck: TypeAlias = Callable[[Record], Iterator[tuple[str, str]]]
"""Finds the problems with the values of a block: places in it, and texts."""


class Part(Struct, frozen=True, eq=False):
    """One kind of block in a format. `matches`: whether a document is such a block; `takes`: whether it can be one."""

    kind: str
    table: Table
    matches: Callable[[JsonObject], bool]
    takes: Callable[[Record], bool] | None = None


def tag(kind: str, wire: str) -> Codec:
    """The codec for the type of a block: `kind` in the hub, `wire` in the format."""
    return Codec(constant(kind), constant(wire))


class Blocks:
    """The kinds of blocks of a format; the first is text, as which every other block can be written.

    Args:
        family: The family of the format.
        parts: The kinds.
        check: Finds the problems with the values of a block.
        closed: Whether the format has no other kinds.
        only_read: Kinds that the format itself does not have, but services that imitate it.
    """

    __slots__ = ("_only_read", "_parts", "_tag", "check", "closed", "family")

    def __init__(
        self,
        family: str,
        *parts: Part,
        check: BlockCheck | None = None,
        closed: bool = True,
        only_read: tuple[Part, ...] = (),
    ) -> None:
        self.family = family
        self.check = check
        self.closed = closed
        self._parts = parts
        self._only_read = only_read
        # The member that says what a block is; None where the name of its only member does.
        self._tag = next((row.tokens[0] for row in parts[0].table.rows.values() if row.hub == "kind"), None)

    def models(self) -> list[type[Struct]]:
        """The models of the blocks."""
        return [*dict.fromkeys(part.table.model for part in self._parts)]

    def problems(self, items: Sequence[Json]) -> Iterator[tuple[str, str]]:
        """What is wrong with the blocks of a list: places in it, and problems."""
        for number, item in enumerate(items):
            if is_object(item):
                yield from ((f"/{number}{place}", problem) for place, problem in self._problems(item))

    def _problems(self, item: JsonObject) -> Iterator[tuple[str, str]]:
        tag = self._tag
        if tag is None:
            yield from self._problems_of_member(item)
            return
        kind = item.get(tag)
        words = [_words_of(part, tag) for part in self._parts]
        parts = [
            part for part, own in zip(self._parts, words, strict=True) if (kind in own if own else part.matches(item))
        ]
        if not self.closed:
            parts = [part for part in parts if part.matches(item)]
            if not parts and isinstance(kind, str):
                return
        if not parts:
            known = ", ".join(dict.fromkeys(word for own in words for word in own))
            problem = f"expected {f'one of {known}' if known else 'a known kind'}, found {json_type(kind)}"
            yield f"/{escape(tag)}", problem if tag in item else "required, but missing"
            return
        yield from self._problems_as(parts, item)

    def _problems_of_member(self, item: JsonObject) -> Iterator[tuple[str, str]]:
        """What is wrong with a block without a type: its only member says what it is."""
        if len(item) != 1:
            known = ", ".join(dict.fromkeys(field.encode_name for model in self.models() for field in fields(model)))
            yield "", f"expected one member ({known}), found {len(item) or 'none'}"
        elif parts := [part for part in self._parts if part.matches(item)]:
            yield from self._problems_as(parts, item)

    def _problems_as(self, parts: Sequence[Part], item: JsonObject) -> Iterator[tuple[str, str]]:
        """What is wrong with a block that is of one of these kinds."""
        errors: list[DocumentError] = []
        for part in sorted(parts, key=lambda part: not part.matches(item)):
            try:
                part.table.verify(item)
            except DocumentError as error:
                errors.append(error)
                continue
            if self.check is not None:
                yield from self.check(part.table.open(item, self.family))
            return
        yield errors[0].pointer, errors[0].problem

    def read(self, items: Sequence[Json], record: Record, wire: str) -> list[Record]:
        """The blocks of a list at `wire`. Raises DocumentError if an item is not a block."""
        return [self.read_one(item, record, wire, f"/{n}") for n, item in enumerate(items)]

    def read_one(self, item: Json, record: Record, wire: str, place: str = "") -> Record:
        """The block at `wire`, or at a place in the list there. Raises DocumentError if it is not a block."""
        base = wire + place
        if not is_object(item):
            raise DocumentError(f"expected a block, found {json_type(item)}", place)
        for part in (*self._parts, *self._only_read):
            if part.matches(item):
                try:
                    block = part.table.open(item, self.family)
                except DocumentError as error:
                    raise error.at(place, None) from None
                block.fields["kind"] = part.kind
                block.places.pop("kind", None)
                _mend_media(block)
                record.notes = [*record.notes, *(Note(note.code, base + note.source) for note in block.notes)]
                break
        else:
            block = Record(None, self.family, item, {"kind": "other", "value": item}, {"value": ""})
        block.base = base
        return block

    def write(self, blocks: Sequence[Record], w: WriteContext, wire: str) -> list[JsonObject]:
        """The blocks in this format, as text if it has no such kind."""
        return [self.write_one(block, w, f"{wire}/{n}") for n, block in enumerate(blocks)]

    def write_one(self, block: Record, w: WriteContext, place: str) -> JsonObject:
        """A block in this format at a place, as text if it has no such kind."""
        if self._stays(block):
            return block.document
        part = self._part(block)
        if part is None:
            w.note_at("TB705", block.base, place)
            return self.words(block_text(block))
        notes: list[Note] = []
        written = part.table.write(block, self.family, notes, target=w.format)
        w.note_within(notes, block.base, place)
        return written

    def is_media(self, block: Record) -> bool:
        """Whether a block is written as something else than text or data."""
        if self._stays(block):
            return True
        part = self._part(block)
        return part is not None and part.kind not in ("text", "json")

    def _stays(self, block: Record) -> bool:
        """Whether a block that only this family has is written as it is."""
        if block.family != self.family:
            return False
        is_other = block.fields["kind"] == "other" or any(part.matches(block.document) for part in self._only_read)
        return is_other and self._accepts(block.document)

    def _accepts(self, item: JsonObject) -> bool:
        """Whether a block that another edition does not know is valid in this one, or unknown as well."""
        part = next((part for part in self._parts if part.matches(item)), None)
        try:
            if part is not None:
                part.table.open(item, self.family)
        except DocumentError:
            return False
        return True

    def words(self, text: str) -> JsonObject:
        """A block of text."""
        return self._parts[0].table.write(text_block(text), self.family)

    def _part(self, block: Record) -> Part | None:
        kind = block.fields["kind"]
        for part in self._parts:
            if part.kind == kind and (part.takes is None or part.takes(block)):
                return part
        return None


def _words_of(part: Part, tag: str) -> tuple[str, ...]:
    """What the member `tag` of a kind of block may be; nothing if its model has any text there."""
    return next((get_args(each.type) for each in fields(part.table.model) if each.encode_name == tag), ())


_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?")

_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII)

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S*")


def block_problems(block: Record) -> Iterator[tuple[str, str]]:
    """What is wrong with the values of a block, as MCP describes blocks."""
    fields = block.fields
    yield from value_problems(block)
    if fields["kind"] == "file" and ("text" in fields) == ("data" in fields):
        found = "both" if "text" in fields else "neither"
        yield "", f"a resource has its text or its data, found {found}"


def value_problems(document: Record, base64: str = "data") -> Iterator[tuple[str, str]]:
    """What is wrong with values that are more than their types say; `base64` is the field with data."""
    fields, places = document.fields, document.places
    for path, pattern, expected in (
        (base64, _BASE64, "base64"),
        ("modified", _DATE_TIME, "a date and time such as 2025-01-12T15:00:58Z"),
        ("address", _URI, "a URI"),
    ):
        if path in fields and pattern.fullmatch(fields[path]) is None:
            yield places[path], f"expected {expected}"
    if not 0 <= fields.get("priority", 0) <= 1:
        yield places["priority"], "expected a number from 0 to 1"


def blocks_at(blocks: Blocks, wire: str, write: Callable[[WriteContext], Any]) -> Row:
    """The row of a list of blocks at `wire`; `write` makes the list for a whole result, also one without content."""

    def read(value: list[Json], record: Record) -> list[Record]:
        return blocks.read(value, record, wire)

    return row(wire, "content", Codec(read, from_context(write), blocks=blocks), required=True, invent=write)


def text_block(text: str, base: str = "") -> Record:
    """A new block of text, for the value at `base` in the document, if there is one."""
    return Record(None, "", {}, {"kind": "text", "text": text}, base=base)


_PICTURES = {"iVBORw0KGgo": "image/png", "/9j/": "image/jpeg", "R0lGOD": "image/gif", "UklGR": "image/webp"}
"""How pictures begin in base64, by media type."""

_STANDARD = str.maketrans("-_", "+/")
"""The alphabet for URLs in the standard one, the only one that most services take."""


def _mend_media(block: Record) -> None:
    """Let data be base64 alone, and a picture have the media type of its first bytes.

    Servers send data URLs and other media types (nota/gyazo-mcp-server#129, 2026-03-11; ChromeDevTools/
    chrome-devtools-mcp#583, 2025-11-19), and services refuse it: "Image does not match the provided media type
    image/jpeg" (anthropics/claude-code#11975 and #12009, 2025-11-20; checked 2026-11-28). Python's base64.encodebytes
    writes lines, and pydantic the alphabet for URLs, as in google-genai. Decoders need not take base64 without padding
    (RFC 4648, section 3.2): Python's raises an error.
    """
    fields, derived = block.fields, block.derived
    data, mime = fields.get("data"), fields.get("mime")
    if not isinstance(data, str):
        return
    if data.startswith("data:") and ";base64," in data[:200]:
        data = fields["data"] = data.partition(";base64,")[2]
        derived = {**derived, "data": "TB001"}
    whole = "".join(data.split())
    if is_base64(whole):
        whole = whole.rstrip("=").translate(_STANDARD)
        whole += "=" * (-len(whole) % 4)
        if whole != data:
            data = fields["data"] = whole
            derived = {**derived, "data": "TB001"}
    is_picture = fields["kind"] == "image" or media_type(mime).startswith("image/")
    found = next((each for start, each in _PICTURES.items() if data.startswith(start)), mime) if is_picture else mime
    if found != mime:
        fields["mime"] = found
        if mime is None:
            block.places["mime"] = block.places["data"]
            block.borrowed = {*block.borrowed, "mime"}
        # Parameters of a media type say nothing more of a picture.
        derived = {**derived, "mime": "TB401" if mime is None else "TB101" if media_type(mime) == found else "TB001"}
    block.derived = derived


def block_text(block: Record) -> str:
    """The text that a block is written as, in a format without such blocks."""
    fields = block.fields
    kind: str = fields["kind"]
    if "value" in fields:
        return as_text(fields["value"])
    if "text" in fields:
        return fields["text"]
    if (text := _coded(fields.get("data"), fields.get("mime"))) is not None:
        return text
    if kind in ("link", "search"):
        label, address = fields.get("title") or fields.get("name"), fields.get("address")
        lines = [f"{label}: {address}" if label else str(address), fields.get("description") or ""]
        lines += fields.get("texts", ())
        return "\n".join(line for line in lines if line)
    return _label(block)


def _label(block: Record) -> str:
    """What stands for a block that is no text: its media type, its size, its name and its address."""
    fields = block.fields
    parts = [str(fields.get("mime") or fields["kind"])]
    if "data" in fields:
        parts.append(_size(fields["data"]))
    parts += [str(part) for part in (fields.get("title") or fields.get("name"), fields.get("address")) if part]
    return f"[{', '.join(parts)}]"


_TEXTS = ("text/", "application/json", "application/xml", "application/yaml", "application/toml")

_MAX_BASE64_TEXT = 100_000
"""The largest number of characters of base64 that are decoded as text; longer data is treated as a file."""


def _coded(data: object, mime: object) -> str | None:
    """The text encoded in base64; None if the media type is not one of a text."""
    if not (
        isinstance(data, str) and isinstance(mime, str) and mime.startswith(_TEXTS) and len(data) <= _MAX_BASE64_TEXT
    ):
        return None
    from base64 import b64decode

    try:
        return b64decode(data, validate=True).decode()
    except ValueError:
        return None


def _size(data: str) -> str:
    if data and not is_base64(data):
        return "not base64"
    count = len(data) * 3 // 4 - data[-2:].count("=")
    return f"{count} bytes" if count < 10_000 else f"{count // 1000} kB"


def as_text(value: Json) -> str:
    """A value as text for a model: a string is not changed, anything else becomes JSON."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def repeating(blocks: Sequence[Record], value: Json) -> list[Record]:
    """The texts that say just this data once more; none where they do not."""
    texts = [block for block in blocks if block.fields["kind"] == "text"]
    return [texts[n] for n in repeats([block.fields["text"] for block in texts], value)]


def repeats(texts: Sequence[str], value: Json) -> Sequence[int]:
    """The positions of the texts that say just this data; none where they do not.

    Servers that wrap a value that is not an object (`{"result": ...}`) repeat the inner value, and a list as one block
    for each item (mcp 2.3.0, MCPServer; checked 2026-11-21).
    """
    inside = value["result"] if is_object(value) and value.keys() == {"result"} else value
    for meant in (value, inside):
        same = [n for n, text in enumerate(texts) if means(text, meant)]
        if same:
            return same
    every = is_list(inside) and inside and len(inside) == len(texts)
    return range(len(texts)) if every and all(map(means, texts, inside)) else ()


def means(text: str, value: Json) -> bool:
    """Whether a text is this value, or its JSON with any white space."""
    if isinstance(value, str):
        return text == value
    from ..data.equality import same

    try:
        return same(decode_json(text), value)
    except (ValueError, RecursionError):
        return False


def is_read(w: WriteContext) -> bool:
    """Whether a model is to read the data of a result beside its content: the content does not say all of it.

    Servers say the same in both, a file as text and as a member, a picture also as base64 in the data.
    """
    content: list[Record] = w.fields.get("content", [])
    strings = [each for block in content for each in _strings(block)]
    whole = {
        value
        for block in content
        if "data" in block.fields
        for value in block.fields.values()
        if value.__class__ is str
    }
    return all(map(is_blank, content)) or _shows_data(w) or not covers(strings, whole, w.fields["data"])


_LONG: Final = 100
"""How many characters of base64 are no coincidence, and too many to be read twice."""


def for_model(value: Json, w: WriteContext) -> Json:
    """The data of a result as a model reads it beside the content; the same object if nothing in it changes."""
    return without_media(value, w.fields.get("content", ()))


def without_media(value: Json, content: Sequence[Record]) -> Json:
    """Data with a label for base64 that is the data of a block of the content; the same object if it has none."""
    labels = {
        data: _label(block)
        for block in content
        if isinstance(data := block.fields.get("data"), str) and len(data) >= _LONG
    }

    def labelled(each: Json) -> Json:
        if not isinstance(each, str):
            return each
        return labels.get(each.partition(";base64,")[2] if each.startswith("data:") else each, each)

    return with_changes(value, labelled)[0] if labels else value


def _shows_data(w: WriteContext) -> bool:
    table = w.record.table
    return table is not None and table.shows_data


_WORDS = {"link": ("title", "name", "address", "description"), "search": ("title", "address")}
"""The fields that a model reads as text in every format, by the kind of the block; of other kinds only the text."""


def _strings(block: Record) -> Iterator[str]:
    fields = block.fields
    if "value" in fields:
        yield as_text(fields["value"])
    yield from fields.get("texts", ())
    for path in ("text", *_WORDS.get(fields["kind"], ())):
        if isinstance(fields.get(path), str):
            yield fields[path]


_SCANNED = 1_000_000
"""How many characters of content are searched for what data says; each value counts as 50 more."""


def covers(strings: Sequence[str], whole: Collection[str], data: Json) -> bool:
    """Whether every string, number and boolean of data stands in these strings, as a word of its own, or is in `whole`.

    False too where the answer would cost too much: then the data is read as well.
    """
    text = "\n".join(strings)
    place, left = 0, _SCANNED
    waiting = [data]
    while waiting:
        each = waiting.pop()
        if is_object(each):
            waiting += reversed(each.values())
        elif is_list(each):
            waiting += reversed(each)
        elif each is not None and each not in whole and (word := as_text(each).strip()):
            # What follows in the data mostly follows in the text.
            found = _find(text, word, place)
            if found < 0:
                left -= len(text)
                found = _find(text, word, 0)
            if found < 0 and isinstance(each, str):
                found = _find(text, msgspec.json.encode(word).decode()[1:-1], 0)
            left -= 50 + abs(found - place)
            if found < 0 or left < 0:
                return False
            place = found
    return True


def _find(text: str, word: str, start: int) -> int:
    """Where a word stands in a text, not within another word; -1 where it does not, or within too many others."""
    for _ in range(1000):
        if (start := text.find(word, start)) < 0:
            break
        end = start + len(word)
        before, after = text[max(0, start - 2) : start][::-1], text[end : end + 2]
        if not (_joined(word[0], before) or _is_signed(word[0], before) or _joined(word[-1], after)):
            return start
        start += 1
    return -1


def _joined(edge: str, beside: str) -> bool:
    """Whether the character at the edge of a word goes on in those beside it: `2` does in `25` and in `2.5`."""
    further = beside[1:].isdigit() and beside[0] == "." and edge.isdigit()
    return further or (edge.isalnum() and beside[:1].isalnum())


def _is_signed(edge: str, before: str) -> bool:
    """Whether a sign or a point before a digit makes another number of it, as in `-2` and `.2`, but not in `1-2`."""
    return edge.isdigit() and (before[:1] == "." or (before[:1] == "-" and not before[1:].isalnum()))


def is_blank(block: Record) -> bool:
    """Whether a block is text without a word."""
    return block.fields["kind"] == "text" and not block.fields["text"].strip()


_FAILED = "Error: "


def shown(
    w: WriteContext, wire: str, *, data: bool = False, seen: bool = True, flag: bool = True, listed: bool = True
) -> list[Record]:
    """The blocks of a result for `wire`: its content, and as text the fields for which the format has no other place.

    `data`: whether the format has a field for this data; `seen`: whether a model may read that field; `flag`: whether
    it has a field for failure; `listed`: whether the blocks are items of a list.
    """
    fields = w.fields
    blocks: list[Record] = list(fields.get("content", ()))
    w.mark_written("content")
    message = problem_text(w)
    if message and not any(_is_text(block) and message in block.fields["text"] for block in blocks):
        blocks.insert(0, text_block(message, w.source("problem.message")))
    if "data" in fields:
        value, place = fields["data"], w.source("data")
        content: list[Record] = fields.get("content", [])
        repeated = bool(repeating(blocks, value))
        if not data:
            read = is_read(w)
        elif seen:
            read = "content" not in fields
        else:
            read = all(map(is_blank, content)) or _shows_data(w)
        for_vendor = value
        if read and not repeated:
            for block in filter(is_blank, content):
                blocks.remove(block)
                w.note_at("TB101", block.base, None)
            for_vendor = for_model(value, w)
            blocks.append(text_block(as_text(for_vendor), place))
        if not data:
            w.mark_written("data")
            if repeated or not read:
                w.note_at("TB703", place, None)
            elif for_vendor is not value or not isinstance(value, str):
                w.note_at("TB703", place, f"{wire}/{len(blocks) - 1}" if listed else wire)
    if not flag and fields.get("failed") is True:
        blocks = _warned(blocks)
        w.mark_written("failed")
        w.note_at("TB704", w.source("failed"), wire)
    return blocks


def fails_in_words(known: Blocks, w: WriteContext) -> bool:
    """Whether a failed result has blocks that no word for failure may stand beside, in a format with these blocks."""
    return w.fields.get("failed") is True and any(map(known.is_media, w.fields.get("content", ())))


def unless_in_words(codec: Codec) -> Codec:
    """The codec of the flag for failure, for a row behind that of the content, which may have it in words."""

    def write(value: bool, w: WriteContext) -> Any:
        return UNSET if "failed" in w.written_fields else codec.write(value, w)

    return Codec(codec.read, write)


def problem_text(w: WriteContext) -> str:
    """The text of a failure for the model, without the parts for developers."""
    messages: list[str] = []
    for path in ("problem.message", "problem.prompt"):
        if w.fields.get(path):
            messages.append(w.fields[path])
        elif path in w.fields:
            w.note_at("TB101", w.source(path), None)
        w.mark_written(path)
    return "\n\n".join(messages)


def one_value(w: WriteContext, wire: str, blocks: Blocks) -> Any:
    """A result as one value for `wire`: its data, otherwise its text, otherwise its blocks, written by `blocks`.

    UNSET if the result has none of them.
    """
    fields = w.fields
    content: list[Record] = fields.get("content", [])
    w.mark_written("content")
    if "data" in fields:
        value: Json = fields["data"]
        w.mark_written("data")
        repeated = {id(block) for block in repeating(content, value)}
        for block in content:
            w.note_at("TB101" if id(block) in repeated else "TB701", block.base, None)
        return value
    if len(content) == 1 and _is_text(content[0]):
        _leave(content[0], w)
        return content[0].fields["text"]
    if len(content) == 1 and content[0].fields["kind"] == "json":
        _leave(content[0], w)
        return content[0].fields["value"]
    if not content:
        return UNSET
    w.note_at("TB703", w.source("content"), wire)
    return blocks.write(content, w, wire)


def object_only(value: Json, w: WriteContext) -> Any:
    """Data that is an object, for formats that take no other.

    Other data of a document is wrapped as the output schema of its tool was; other values stand in the content alone,
    where `shown` notes it.
    """
    if is_object(value):
        return value
    if w.record.table is not None:
        w.note("TB703", "", "")
        return {"result": value}
    w.mark_written("data")
    return UNSET


def one_text(w: WriteContext, wire: str, *, flag: bool = True, required: bool = False) -> str:
    """A result as one text for `wire`; `required`: an empty one of a result without content is noted."""
    blocks = shown(w, wire, flag=flag, listed=False)
    texts: list[str] = []
    for block in blocks:
        if _is_text(block):
            _leave(block, w)
            texts.append(block.fields["text"])
        else:
            w.note_at("TB705", block.base, wire)
            texts.append(block_text(block))
    if len(texts) > 1:
        w.note_at("TB703", w.source("content"), wire)
    text = "\n\n".join(texts)
    if required and not text and not w.fields.get("content") and "data" not in w.fields:
        w.note_at("TB401", w.source("content"), wire)
    return text


def _is_text(block: Record) -> bool:
    return block.fields["kind"] == "text"


class _TextBlock(Wire, kw_only=True):
    """The text or the value of a block, and nothing else."""

    text: str | UnsetType = UNSET
    value: Any = UNSET


_TEXT_BLOCK = Table(_TextBlock, row("/text", "text"), row("/value", "value"), of=Block)


def _leave(block: Record, w: WriteContext) -> None:
    """Note the fields of a block that are dropped when only its text or its value is written."""
    notes: list[Note] = []
    _TEXT_BLOCK.write(block, "", notes)
    for note in notes:
        if note.target is None:
            w.note_at(note.code, block.base + note.source, None)


def _warned(blocks: list[Record]) -> list[Record]:
    """The blocks with a prefix that marks a failure; unchanged if the first text starts with "error"."""
    if blocks and _is_text(blocks[0]):
        first = blocks[0]
        if first.fields["text"].casefold().startswith("error"):
            return blocks
        fields = {**first.fields, "text": _FAILED + first.fields["text"]}
        raw = {wire: raw for wire, raw in first.raw.items() if wire != first.places.get("text")}
        return [replace(first, fields=fields, raw=raw), *blocks[1:]]
    return [text_block(_FAILED.rstrip(": ")), *blocks]
