"""Blocks of whole items, into which a text is split that is too large to hold.

Where an item of a list ends cannot be told from the middle of it. So a block is guessed, and proved: if what stands
between two places makes a list, and the first is a place between two items, then so is the other. The proofs of
blocks that follow each other, from the beginning of the list, are the proof of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, cast
from zlib import crc32

import msgspec

from ...conversion.catalogue import catalogue_of
from ...data import pointer as at
from ...data.json_decoder import decode_json
from ...data.json_text import BOM, parse_json
from ...data.types import Json, is_object
from ...errors import DocumentError, ToolbridgeError
from ...formats.registry import catalogue_places
from ...mapping.format import Format
from ..layout import lines_of, opening, wraps
from .source import Text

Span: TypeAlias = tuple[int, int]
Shape: TypeAlias = Literal["lines", "list"]

BLOCK: Final = 1 << 20
"""How many bytes go over a lane in one go: larger ones are no faster, and take more memory."""

_LOOK: Final = 1 << 16
_HEAD: Final = 1 << 24
_TAIL: Final = 1 << 24
_LARGEST: Final = 1 << 30
_LONGEST: Final = 1 << 28
_TRIES: Final = 200
_STRIDE: Final = 20

_SPACE: Final = b" \t\r\n"
_NOT_SPACE: Final = re.compile(rb"[^ \t\r\n]")
_TRAILING: Final = re.compile(r"trailing characters \(byte (\d+)\)")
_PLACE: Final = re.compile(r"\(byte (\d+)\)")

_raws = msgspec.json.Decoder(list[msgspec.Raw]).decode
_BAD: Final = (msgspec.DecodeError, ValueError, RecursionError)


class NotSplittable(Exception):  # noqa: N818 - it says what a text is not, not that somebody erred
    """The text is nothing that can be taken apart, and why."""


class NotABlock(Exception):  # noqa: N818 - a guess that was wrong is no error
    """What was taken for a block is none."""


class Layout(NamedTuple):
    """Where the items begin, what stands before a list of them, and where it stands in its document (None: lines)."""

    wrap: str | None
    begin: int
    head: bytes


class Block(NamedTuple):
    """A part of the text that holds whole items: so many, on so many lines."""

    start: int
    end: int
    items: int
    lines: int
    digest: int


# what a text is


def layout(text: Text, form: Format | None) -> tuple[Layout, list[Json]]:
    """How a text is taken apart, and some of its items. Raises NotApart where it has to be looked at as a whole."""
    skip = len(BOM) if text.at(0, min(3, text.size)) == BOM else 0
    size = BLOCK
    while True:
        data = text.at(skip, min(skip + size, text.size))
        whole = skip + size >= text.size
        found = _lines(data, text.name, whole=whole) or _listed(data, form)
        if found is None and whole and _named(text.name):
            found = _line(data)
        if found is not None and found[0] is not None and not whole:
            found = _first_of_several(text, skip) or found
        if found is not None:
            wrap, begin, items = found
            return Layout(wrap, skip + begin, data[:begin]), items
        if whole or size >= _HEAD:
            raise NotSplittable("it is not a list of tools")
        size *= 4


def _lines(data: bytes, name: str, *, whole: bool) -> tuple[None, int, list[Json]] | None:
    """JSON Lines: the first line is a document and not the only one, or most of the first lines are."""
    texts = data.split(b"\n")
    if not whole:
        texts.pop()
    texts = [each for each in map(_stripped, texts[:200]) if each]
    if len(texts) < 2:
        return None
    found: list[Json] = []
    for n, each in enumerate(texts):
        try:
            document, _ = parse_json(each)
        except DocumentError:
            if not n and each in (b"{", b"["):
                return None
            continue
        if not isinstance(document, (dict, list)):
            continue
        found.append(document)
    try:
        first = parse_json(texts[0])[0]
    except DocumentError:
        first = None
    return (None, 0, found) if found and (_named(name) or first is not None or len(found) * 2 >= len(texts)) else None


def _line(data: bytes) -> tuple[None, int, list[Json]] | None:
    """JSON Lines of one line, where the name of the file says that it is that."""
    text = data.strip(_SPACE)
    if b"\n" in text:
        return None
    try:
        document, _ = parse_json(text)
    except DocumentError:
        return None
    return (None, 0, [document]) if is_object(document) else None


def _first_of_several(text: Text, skip: int) -> tuple[None, int, list[Json]] | None:
    """JSON Lines whose first line is so long that the second was not seen yet: a list, or a catalogue, for itself."""
    begin = skip
    while (first := _NOT_SPACE.search(data := text.at(begin, min(begin + _LOOK, text.size)))) is None:
        if begin + len(data) >= text.size:
            return None
        begin += len(data)
    begin += first.start()
    end = _line_from(text, begin, begin + 1, min(begin + _LONGEST, text.size))
    if _NOT_SPACE.search(text.at(end, min(end + _LOOK, text.size))) is None:
        return None  # there is but one
    if text.at(max(end - _LOOK, begin), end).rstrip(_SPACE)[-1:] != (b"]" if first[0] == b"[" else b"}"):
        return None
    try:
        return None, 0, [parse_json(text.at(begin, end))[0]]
    except DocumentError:
        return None


def _named(name: str) -> bool:
    """Whether a file says by its name that it holds JSON Lines."""
    name = name.lower()
    return name.removesuffix(".gz").removesuffix(".zst").endswith((".jsonl", ".ndjson"))


def _stripped(line: bytes) -> bytes:
    return line.strip(_SPACE)


def _listed(data: bytes, form: Format | None) -> tuple[str, int, list[Json]] | None:
    start = _NOT_SPACE.search(data)
    if start is None:
        return None
    if start[0] == b"[":
        items = _some(data, start.end())
        return None if items is None else ("", start.end(), items)
    if start[0] != b"{":
        return None
    places = (
        wraps(form)
        if form is not None
        else [one for each in catalogue_places().wraps for one in (each, f"/result{each}")]
    )
    empty: tuple[str, int, list[Json]] | None = None
    for place in places:
        begin = opening(data, at.split(place))
        items = None if begin is None else _some(data, begin + 1)
        if begin is not None and items:
            return place, begin + 1, items
        if begin is not None and items is not None:
            empty = empty or (place, begin + 1, items)
    return empty


def _some(data: bytes, start: int) -> list[Json] | None:
    """The first items of a list that begins here; None where there is no such list, or they are not whole yet."""
    first = _NOT_SPACE.search(data, start)
    return [] if first is not None and first[0] == b"]" else _first(data, start) or None


def _first(data: bytes, start: int) -> list[Json]:
    end = start + (1 << 18)
    while True:
        cut = whole_items(data[start:end])
        if cut is not None:
            return _parsed(data[start : start + cut])
        if end >= len(data):
            break
        end *= 4
    try:
        return _parsed(data[start : data.rindex(b"]")])
    except ValueError:
        pass
    try:
        _raws(data[start - 1 :])
    except msgspec.DecodeError as error:
        told = _TRAILING.search(str(error))
        if told is not None:
            return _parsed(data[start : data.rindex(b"]", 0, start - 1 + int(told[1]))])
    except (ValueError, RecursionError):
        pass
    return []


def _parsed(data: bytes) -> list[Json]:
    """Items of a list; what cannot be read is none. Raises ValueError where the text is no list of items."""
    found: list[Json] = []
    try:
        items = _raws(b"[" + data + b"]")[:200]
    except RecursionError:
        return found
    for each in items:
        try:
            found.append(parse_json(bytes(each))[0])
        except DocumentError:
            continue
    return found


def whole_items(data: bytes) -> int | None:
    """Where the last item ends that is whole in a text of items, if one is and something follows."""
    end, tries = len(data), 0
    while tries < _TRIES:
        end = data.rfind(b"}", 0, end)
        if end <= 0:
            return None
        behind = _NOT_SPACE.search(data, end + 1)
        if behind is None or behind[0] != b",":
            continue
        tries += 1
        try:
            _raws(b"[" + data[: end + 1] + b"]")
        except _BAD:
            if tries % _STRIDE == 0:
                end -= len(data) // 8  # what stands here is full of what looks like ends
            continue
        return end + 1
    return None


# blocks


def line_block(text: Text, begin: int, number: int, size: int) -> Block:
    """The lines that begin in this part of a text."""
    start = _line_from(text, begin, begin + number * size)
    end = _line_from(text, begin, begin + (number + 1) * size)
    data = text.at(start, end)
    lines = lines_of(data)
    return Block(start, end, len(lines), line_breaks(data, lines), crc32(data))


def line_breaks(data: bytes, lines: Sequence[Span]) -> int:
    """How many line breaks there are in a text with these lines."""
    outside = len(data) - sum(end - start for start, end in lines)
    # Counting bytes takes longer than finding lines. Usually nothing but one line break follows each line.
    least = len(lines) if data.endswith(b"\n") else len(lines) - 1
    return outside if outside == least else data.count(b"\n")


def _line_from(text: Text, begin: int, place: int, stop: int | None = None) -> int:
    """Where the first line begins from this place on, if one does before `stop`."""
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


def list_block(text: Text, start: int, end: int) -> Block:
    """The items that stand there. Raises Unproved where the place is not one of whole items."""
    data = text.at(start, end)
    try:
        items = len(_raws(b"[" + data + b"]"))
    except _BAD:
        raise NotABlock from None
    return Block(start, end, items, 0, crc32(data))


class Splitter:
    """Cuts a list into parts that are most likely blocks. What turns out to be none is cut anew, slowly and surely."""

    def __init__(self, text: Text, plan: Layout, size: int) -> None:
        self._text, self._size = text, size
        self._place = plan.begin
        self._end = self._likely_end(plan)
        self._between: bytes | None = None

    @property
    def end(self) -> int:
        """Where the list ends, as far as is known."""
        return self._end

    def _likely_end(self, plan: Layout) -> int:
        """The last bracket of the text that makes a document of what stands around the list."""
        start = max(self._text.size - _LOOK, plan.begin)
        data = self._text.at(start, self._text.size)
        place = len(data)
        for _ in range(20):
            place = data.rfind(b"]", 0, place)
            if place < 0:
                break
            try:
                decode_json(plan.head + data[place:])
            except _BAD:
                continue
            return start + place
        return self._text.size

    def next(self) -> Span | None:
        """The next part; None behind the last."""
        start = self._place
        if start < 0:
            return None
        if self._end - start <= self._size:
            self._place = -1
            return start, self._end
        if self._between is None:
            return self.again(start)
        near = start + self._size
        data = self._text.at(max(near - _LOOK, start), near)
        found = data.rfind(self._between)
        if found < 0:
            return self.again(start)
        end = near - len(data) + found + 1
        self._place = end + len(self._between) - 2
        return start, end

    def again(self, start: int) -> Span:
        """The part that begins there, proved. Raises ToolbridgeError where the text is broken."""
        text, size = self._text, self._size
        while True:
            stop = min(start + size, text.size)
            data = text.at(start, stop)
            closed = self._closed(data, start)
            if closed is not None:
                self._end, self._place = closed, -1
                return start, closed
            cut = whole_items(data)
            if cut is not None:
                self._learn(data, cut)
                behind = cast("re.Match[bytes]", _NOT_SPACE.search(data, cut))
                first = _NOT_SPACE.search(data, behind.end())
                self._place = start + (first.start() if first is not None else behind.end())
                return start, start + cut
            if stop >= text.size:
                raise self._broken(start + len(data), "the list does not end")
            if size >= _LARGEST:
                raise self._broken(start, "an item is larger than a gigabyte")
            size *= 4

    def _closed(self, data: bytes, start: int) -> int | None:
        """Where the list ends, if it does here."""
        try:
            _raws(b"[" + data)
        except RecursionError:
            raise self._broken(start, "nested too deeply") from None
        except msgspec.DecodeError as error:
            said = str(error)
            told = _TRAILING.search(said)
            if told is not None:
                return start + data.rindex(b"]", 0, int(told[1]) - 1)
            if "truncated" in said:
                return None
            place = _PLACE.search(said)
            raise self._broken(start + (int(place[1]) - 1 if place else 0), "not JSON") from None
        except ValueError:
            return None
        return start + data.rindex(b"]")

    def _broken(self, place: int, problem: str) -> ToolbridgeError:
        return ToolbridgeError(f"{self._text.name}: byte {place:,}: {problem}")

    def _learn(self, data: bytes, cut: int) -> None:
        """What stands between two items, if it is always the same: the end of one and how the next one begins."""
        found = _raws(b"[" + data[:cut] + b"]")
        if len(found) < 2:
            return
        one, two = bytes(found[0]), bytes(found[1])
        key = re.match(rb'\{\s*"(?:[^"\\]|\\.)*"', two)
        mine = re.match(rb'\{\s*"(?:[^"\\]|\\.)*"', one)
        begin = data.find(one) + len(one)
        behind = data.find(two, begin)
        if key is not None and mine is not None and key[0] == mine[0] and one.endswith(b"}") and behind >= 0:
            # The next item begins at its bracket: what is looked for ends right behind that.
            self._between = b"}" + data[begin:behind] + b"{"


def document_without_items(text: Text, plan: Layout, end: int) -> Json:
    """The document around an empty list that ends there. Raises NotApart, or ToolbridgeError where it is broken."""
    if plan.wrap is None:
        return []
    if text.size - end > _TAIL:
        raise NotSplittable("too much text follows the list of tools")
    tail = text.at(end, text.size)
    if not tail.strip(_SPACE):
        raise ToolbridgeError(f"{text.name}: byte {end + 1:,}: the list does not end")
    if not plan.wrap:
        if tail.strip(_SPACE) != b"]":
            raise ToolbridgeError(f"{text.name}: byte {end + 1:,}: the list has ended, and something follows")
        return []
    try:
        document, twice = parse_json(plan.head + tail)
    except DocumentError as error:
        raise ToolbridgeError(f"{text.name}: around the list of tools: {error.problem}") from None
    if twice or not is_object(document):
        raise NotSplittable(f"{twice[0]} appears twice in it" if twice else "it is not a catalogue")
    return document


def fits(document: Json, plan: Layout, form: Format) -> None:
    """Raises NotApart where the list of this format's tools is another one."""
    if not plan.wrap or not is_object(document):
        return
    if catalogue_of(document, form).wrap != plan.wrap or (form.group is not None and form.group(document) is not None):
        raise NotSplittable("its tools are at another place")
