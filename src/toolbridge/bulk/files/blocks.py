"""Blocks of whole items, into which a text is split that is too large for memory.

The end of an item cannot be found from a position inside the list alone. So the end of a block is guessed, and then
proved: if the text between two positions parses as a list, and the first position is between two items, then so is the
second. The proofs of consecutive blocks, from the beginning of the list, prove the whole.

A part with an item that is not JSON does not parse. Then its brackets and quotes are the proof.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple, cast
from zlib import crc32

import msgspec

from ...conversion.catalogue import catalogue_of, list_places
from ...data import pointer as at
from ...data.json_decoder import decode_items, decode_json
from ...data.json_list import SPACE, list_items
from ...data.json_text import BOM, parse_json
from ...data.types import Json, is_list, is_object
from ...errors import DocumentError, ToolbridgeError
from ...mapping.format import Format
from ..layout import TRAILING, has_members_of_group, items_one_by_one, lines_of, opening
from ..text_converter import Span
from .source import Text

BLOCK: Final = 1 << 20
"""The bytes of a block: larger blocks are no faster, and take more memory."""

_PEEK: Final = 1 << 16
"""How many bytes are read at once to find the next character that is no white space, or the end of an item."""

_MAX_HEAD: Final = 1 << 24
"""The bytes before the list of an envelope, and those of a part of it."""

_MAX_TAIL: Final = 1 << 24
"""The bytes behind the list of an envelope."""

_MAX_ITEM: Final = 1 << 30

_MAX_FIRST_LINE: Final = 1 << 28

_MAX_TRIES: Final = 200
"""How many brackets are tried as the end of an item; an eighth of the text is skipped after `_TRIES_BEFORE_LEAP`."""

_TRIES_BEFORE_LEAP: Final = 20

_FIRST: Final = 200
"""How many items, or lines, are read to know what they are."""

_NOT_SPACE: Final = re.compile(rb"[^ \t\r\n]")
_PLACE: Final = re.compile(r"\(byte (\d+)\)")

_PARSE_ERRORS: Final = (msgspec.DecodeError, ValueError, RecursionError)


class NotSplittable(Exception):  # noqa: N818 - a property of the text, not an error
    """Raised with the reason for a text that cannot be split into blocks; `name` is that of a file beside the input."""

    def __init__(self, reason: str, name: str = "") -> None:
        super().__init__(reason)
        self.name = name


class NotABlock(Exception):  # noqa: N818 - a wrong guess is not an error
    """Raised for a part of a text that is not a block of whole items."""


class FileLayout(NamedTuple):
    """The pointer to the list of items (None: JSON Lines), the offset of its first item, and the text before it."""

    wrap: str | None
    begin: int
    head: bytes


class Block(NamedTuple):
    """A part of the text with whole items: its offsets, the numbers of items and lines, and its CRC-32."""

    start: int
    end: int
    items: int
    lines: int
    digest: int


# the layout of a text


def layout(text: Text, form: Format | None) -> tuple[FileLayout, list[Json]]:
    """The layout of a text, and some of its items. Raises NotSplittable if it has to be converted as a whole."""
    skip = len(BOM) if text.at(0, min(3, text.size)) == BOM else 0
    size = BLOCK
    while True:
        data = text.at(skip, min(skip + size, text.size))
        is_whole = skip + size >= text.size
        parts = _lines(data, text.name, whole=is_whole) or _listed(data, form)
        if parts is None and is_whole and _has_lines_name(text.name):
            parts = _single_line(data)
        if parts is not None and parts[0] is not None and not is_whole:
            parts = _first_of_several(text, skip) or parts
        if parts is not None:
            wrap, begin, items = parts
            return FileLayout(wrap, skip + begin, data[:begin]), items
        if is_whole or size >= _MAX_HEAD:
            raise NotSplittable("it is not a list of tools")
        size *= 4


def _lines(data: bytes, name: str, *, whole: bool) -> tuple[None, int, list[Json]] | None:
    """The documents of JSON Lines; None for other texts.

    In JSON Lines the first line, of several, is a document, or half of the first lines are.
    """
    texts = data.split(b"\n")
    if not whole:
        texts.pop()
    texts = [line for text in texts[:_FIRST] if (line := text.strip(SPACE))]
    if len(texts) < 2:
        return None
    documents: list[Json] = []
    first: Json = None
    for n, line in enumerate(texts):
        try:
            document, _ = parse_json(line)
        except DocumentError:
            if not n and line in (b"{", b"["):
                return None
            continue
        first = first if n else document
        if is_object(document) or is_list(document):
            documents.append(document)
    return (
        (None, 0, documents)
        if documents and (_has_lines_name(name) or first is not None or len(documents) * 2 >= len(texts))
        else None
    )


def _single_line(data: bytes) -> tuple[None, int, list[Json]] | None:
    """The document of a text of one line, for files with the name of JSON Lines; None for other texts."""
    text = data.strip(SPACE)
    if b"\n" in text:
        return None
    try:
        document, _ = parse_json(text)
    except DocumentError:
        return None
    return (None, 0, [document]) if is_object(document) else None


def _first_of_several(text: Text, skip: int) -> tuple[None, int, list[Json]] | None:
    """The first line, a list or a catalogue, of JSON Lines whose second line is beyond the bytes that were read."""
    begin = skip
    while (first := _NOT_SPACE.search(data := text.at(begin, min(begin + _PEEK, text.size)))) is None:
        if begin + len(data) >= text.size:
            return None
        begin += len(data)
    begin += first.start()
    end = _line_from(text, begin, begin + 1, min(begin + _MAX_FIRST_LINE, text.size))
    if _NOT_SPACE.search(text.at(end, min(end + _PEEK, text.size))) is None:
        return None  # there is only one line
    if text.at(max(end - _PEEK, begin), end).rstrip(SPACE)[-1:] != (b"]" if first[0] == b"[" else b"}"):
        return None
    try:
        return None, 0, [parse_json(text.at(begin, end))[0]]
    except DocumentError:
        return None


def _has_lines_name(name: str) -> bool:
    """Whether the name of a file is one of JSON Lines."""
    name = name.lower()
    return name.removesuffix(".gz").removesuffix(".zst").endswith((".jsonl", ".ndjson"))


def _listed(data: bytes, form: Format | None) -> tuple[str, int, list[Json]] | None:
    start = _NOT_SPACE.search(data)
    if start is None:
        return None
    if start[0] == b"[":
        items = _first_items(data, start.end())
        return None if items is None else ("", start.end(), items)
    if start[0] != b"{":
        return None
    empty: tuple[str, int, list[Json]] | None = None
    for place in list_places(form):
        begin = opening(data, at.split(place))
        items = None if begin is None else _first_items(data, begin + 1)
        if begin is not None and items:
            return place, begin + 1, items
        if begin is not None and items is not None:
            empty = empty or (place, begin + 1, items)
    return empty


def _first_items(data: bytes, start: int) -> list[Json] | None:
    """The first items that are JSON of a list that starts here; None if there is no list, or no such item in `data`."""
    first = _NOT_SPACE.search(data, start)
    if first is not None and first[0] == b"]":
        return []
    values: list[Json] = []
    with suppress(DocumentError):  # an item is missing
        for begin, end in islice(list_items(data, start - 1), _FIRST):
            with suppress(DocumentError):  # it is not JSON
                values.append(parse_json(data[begin:end], outer=1)[0])
    return values or None


def whole_items(data: bytes) -> int | None:
    """The end of the last whole item that another item follows; None if there is none."""
    end, tries = len(data), 0
    while tries < _MAX_TRIES:
        end = data.rfind(b"}", 0, end)
        if end <= 0:
            return None
        after = _NOT_SPACE.search(data, end + 1)
        if after is None or after[0] != b",":
            continue
        tries += 1
        try:
            decode_items(b"[" + data[: end + 1] + b"]")
        except _PARSE_ERRORS:
            if tries % _TRIES_BEFORE_LEAP == 0:
                end -= len(data) // 8  # this part of the text has many brackets that are not the ends of items
            continue
        return end + 1
    return None


# blocks


def line_block(text: Text, begin: int, number: int, size: int) -> Block:
    """The block of the lines that start in this part of a text."""
    start = _line_from(text, begin, begin + number * size)
    end = _line_from(text, begin, begin + (number + 1) * size)
    data = text.at(start, end)
    lines = lines_of(data)
    return Block(start, end, len(lines), line_breaks(data, lines), crc32(data))


def line_breaks(data: bytes, lines: Sequence[Span]) -> int:
    """The number of line breaks in a text with these lines."""
    outside = len(data) - sum(end - start for start, end in lines)
    # Counting bytes takes longer than finding lines. Usually only a line break is between two lines.
    least = len(lines) if data.endswith(b"\n") else len(lines) - 1
    return outside if outside == least else data.count(b"\n")


def _line_from(text: Text, begin: int, place: int, stop: int | None = None) -> int:
    """The start of the first line at or after `place`; `stop` if there is none before it."""
    if place <= begin:
        return begin
    place, size = place - 1, 1 << 13
    stop = text.size if stop is None else stop
    while place < stop:
        data = text.at(place, min(place + size, stop))
        end = data.find(b"\n")
        if end >= 0:
            return place + end + 1
        place += len(data)
        size = min(size * 4, 1 << 22)
    return stop


class BlockReader:
    """Reads parts of a text as blocks."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def close(self) -> None:
        """Close the files that are written; a reader has none."""

    def lines(self, begin: int, numbers: Sequence[int], size: int) -> list[Block]:
        """The blocks of the lines in some parts of the text."""
        return [line_block(self._text, begin, number, size) for number in numbers]

    def items(self, start: int, end: int) -> Block:
        """The block between two offsets of a list. Raises NotABlock if they do not enclose whole items."""
        data = self._text.at(start, end)
        try:
            items = len(decode_items(b"[" + data + b"]"))
        except _PARSE_ERRORS:
            raise NotABlock from None
        return Block(start, end, items, 0, crc32(data))


class Splitter:
    """Cuts a list into parts that are probably blocks; `next_proved` cuts with a proof where a part was none."""

    def __init__(self, text: Text, layout: FileLayout, size: int) -> None:
        self._text, self._size = text, size
        self._place = layout.begin
        self._end = self._likely_end(layout)
        self._separator: bytes | None = None

    @property
    def end(self) -> int:
        """The end of the list; a guess until the last part is cut."""
        return self._end

    def _likely_end(self, layout: FileLayout) -> int:
        """The last bracket of the text with which the texts before and after the list are a document."""
        start = max(self._text.size - _PEEK, layout.begin)
        data = self._text.at(start, self._text.size)
        place = len(data)
        for _ in range(20):
            place = data.rfind(b"]", 0, place)
            if place < 0:
                break
            try:
                decode_json(layout.head + data[place:])
            except _PARSE_ERRORS:
                continue
            return start + place
        return self._text.size

    def next(self) -> Span | None:
        """The next part; None after the last."""
        start = self._place
        if start < 0:
            return None
        if self._end - start <= self._size:
            self._place = -1
            return start, self._end
        if self._separator is None:
            return self.next_proved(start)
        target = start + self._size
        data = self._text.at(max(target - _PEEK, start), target)
        index = data.rfind(self._separator)
        if index < 0:
            return self.next_proved(start)
        end = target - len(data) + index + 1
        self._place = end + len(self._separator) - 2
        return start, end

    def next_proved(self, start: int) -> Span:
        """The proved part that starts at `start`. Raises ToolbridgeError if the text is not JSON."""
        text, size = self._text, self._size
        while True:
            stop = min(start + size, text.size)
            data = text.at(start, stop)
            try:
                end = self._list_end(data, start)
            except ToolbridgeError:
                span = self._next_one_by_one(data, start)
                if span is not None:
                    return span
                if stop >= text.size or size >= _MAX_HEAD:
                    raise
                size *= 4
                continue
            if end is not None:
                self._end, self._place = end, -1
                return start, end
            cut = whole_items(data)
            if cut is not None:
                self._set_separator(data, cut)
                behind = cast("re.Match[bytes]", _NOT_SPACE.search(data, cut))
                first = _NOT_SPACE.search(data, behind.end())
                self._place = start + (first.start() if first is not None else behind.end())
                return start, start + cut
            if stop >= text.size:
                # The parser calls half of a surrogate pair before the end of the text truncated, too.
                if (span := self._next_one_by_one(data, start)) is not None:
                    return span
                raise self._error_at(start + len(data), "the list does not end")
            if size >= _MAX_ITEM:
                raise self._error_at(start, "an item is larger than a gigabyte")
            size *= 4

    def _next_one_by_one(self, data: bytes, start: int) -> Span | None:
        """The part that starts at `start`, of which some items are not JSON; None if no item ends in `data`."""
        last = None
        try:
            for begin, end in list_items(b"[" + data, 0):
                if begin == end:
                    self._end, self._place = start + end - 1, -1
                    return start, self._end
                last = end
        except DocumentError:
            return None
        if last is None:
            return None
        first = _NOT_SPACE.search(data, last)
        self._place = start + (last if first is None else first.start())
        return start, start + last - 1

    def _list_end(self, data: bytes, start: int) -> int | None:
        """The end of the list if it is in this part of the text."""
        try:
            decode_items(b"[" + data)
        except RecursionError:
            raise self._error_at(start, "nested too deeply") from None
        except msgspec.DecodeError as error:
            message = str(error)
            match = TRAILING.search(message)
            if match is not None:
                return start + data.rindex(b"]", 0, int(match[1]) - 2)
            if "truncated" in message:
                return None
            place = _PLACE.search(message)
            raise self._error_at(start + (int(place[1]) - 1 if place else 0), "not JSON") from None
        except ValueError:
            return None
        return start + data.rindex(b"]")

    def block_one_by_one(self, start: int, end: int) -> Block:
        """The block of a part from `next_proved` that the parser does not read, as some items are not JSON."""
        data = self._text.at(start, end)
        try:
            _, spans = items_one_by_one(b"[" + data + b"]")
        except DocumentError:
            raise self._error_at(start, "changed while it was read") from None
        return Block(start, end, len(spans), 0, crc32(data))

    def _error_at(self, place: int, problem: str) -> ToolbridgeError:
        return ToolbridgeError(f"{self._text.name}: byte {place:,}: {problem}")

    def _set_separator(self, data: bytes, cut: int) -> None:
        """Set the text that separates two items: the end of the first, and the beginning of the second."""
        items = decode_items(b"[" + data[:cut] + b"]")
        if len(items) < 2:
            return
        first, second = bytes(items[0]), bytes(items[1])
        second_key = re.match(rb'\{\s*"(?:[^"\\]|\\.)*"', second)
        first_key = re.match(rb'\{\s*"(?:[^"\\]|\\.)*"', first)
        begin = data.find(first) + len(first)
        next_begin = data.find(second, begin)
        if (
            second_key is not None
            and first_key is not None
            and second_key[0] == first_key[0]
            and first.endswith(b"}")
            and next_begin >= 0
        ):
            # The separator ends with the bracket at which the next item starts.
            self._separator = b"}" + data[begin:next_begin] + b"{"


def document_without_items(text: Text, layout: FileLayout, end: int) -> Json:
    """The document with an empty list, which ends at `end`.

    Raises NotSplittable, or ToolbridgeError if it is not JSON.
    """
    if layout.wrap is None:
        return []
    if text.size - end > _MAX_TAIL:
        raise NotSplittable("too much text follows the list of tools")
    tail = text.at(end, text.size)
    if not tail.strip(SPACE):
        raise ToolbridgeError(f"{text.name}: byte {end + 1:,}: the list does not end")
    if not layout.wrap:
        if tail.strip(SPACE) != b"]":
            raise ToolbridgeError(f"{text.name}: byte {end + 1:,}: the list has ended, and something follows")
        return []
    try:
        document, duplicates = parse_json(layout.head + tail)
    except DocumentError as error:
        raise ToolbridgeError(f"{text.name}: around the list of tools: {error.problem}") from None
    if duplicates or not is_object(document):
        raise NotSplittable(f"{duplicates[0]} appears twice in it" if duplicates else "it is not a catalogue")
    return document


def fits(document: Json, layout: FileLayout, form: Format) -> None:
    """Raises NotSplittable if the format has its list of tools at another place, or in a group with other members."""
    if not layout.wrap or not is_object(document):
        return
    if catalogue_of(document, form).wrap != layout.wrap:
        raise NotSplittable("its tools are at another place")
    if has_members_of_group(document, layout.wrap, form):
        raise NotSplittable("it is a group with members besides its tools")
