"""Template: a text that crossed, with holes where the name and the description of the tool stood.

Two JSON texts that are equal but for the inside of two strings are equal as documents but for these strings, whatever
else they hold. So what was found out about one of them holds for the other: that it is valid, that nothing stands in it
twice, what becomes of it and what that loses. All that is left to know is that nobody looks into the strings: tables
say so of what they read (`free`), the other side is tried with strings at both ends of what may stand there, and
whatever is not like them goes over the bridge itself.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec

from ..conversion.invisible_characters import is_suspect
from ..data.types import Json, JsonObject
from ..mapping.format import Format
from ..mapping.record import Notes, Record
from .collisions import known

_encode = msgspec.json.Encoder().encode
_decode_text = msgspec.json.Decoder(str).decode

Span: TypeAlias = tuple[int, int]
"""The inside of a string in a text."""

Cut: TypeAlias = Callable[[bytes], "tuple[Span, ...] | None"]
"""Where the holes of a text are: its name, and its description where that is one; None where it has none."""

Sample: TypeAlias = tuple[int, int, bytes]
"""What texts of one template have in common, and others hardly ever."""

SAMPLE: Final = 16

LONGEST: Final = 64
"""How long a name may be that is spliced."""

SHORT: Final = " Ya8 kQ4,\tzV6.\n"
LENGTHS: Final = (8000, 1000, 500)
"""Descriptions to try: a short one, and others of so many characters."""

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

_BACKSLASH: Final = 92


def name(length: int) -> str:
    """A name to try, of so many characters: some of all kinds."""
    return ("Qz7_kX3" + "_bJ8pR2" * (length // 7 + 1))[:length]


def description(length: int) -> str:
    """A description to try, of so many characters."""
    words = "Ub9 tL2 "
    return "Ge3" + (words * (length // len(words) + 1))[: length - 6] + "xN1"


class Template(NamedTuple):
    """What becomes of a text: pieces of the written one, and the holes between them, by their numbers (0: the name).

    `around` is the text that was read, without what stood in its holes. `notes` are its losses, `longest` is how long a
    description may be. `reading` is what tells the tool from others; `identity` is how the target tells it, before and
    after its name (None: by the name alone), `lower` whether that name is in lower case.
    """

    around: tuple[bytes, ...]
    pieces: tuple[bytes, ...]
    holes: tuple[int, ...]
    notes: Notes
    longest: int
    reading: Record
    identity: tuple[str, str] | None
    lower: bool
    way: JsonObject | None
    renamed: bool

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return sum(map(len, self.around)) + sum(map(len, self.pieces)) + 1000

    @property
    def widths(self) -> tuple[int, tuple[int, ...]]:
        """How many bytes the pieces are, and how often what is in each hole is written."""
        most = max(self.holes, default=-1)
        return sum(map(len, self.pieces)), tuple(self.holes.count(hole) for hole in range(most + 1))

    def filled(self, *values: bytes) -> list[bytes]:
        """The written text with these in the holes, in pieces."""
        parts = [self.pieces[0]]
        for hole, piece in zip(self.holes, self.pieces[1:], strict=True):
            parts += (values[hole], piece)
        return parts

    def named(self, name: str) -> Record:
        """What tells a tool of this name from others."""
        reading = self.reading
        return Record(
            None,
            reading.family,
            {},
            fields={**reading.fields, "name": name},
            places=reading.places,
            raw=reading.raw,
        )


# holes


class Way(NamedTuple):
    """A way to cut texts, by the key of the name. `last` tells of each hole whether it is looked for from the end."""

    cut: Cut
    key: bytes
    last: tuple[bool, ...]

    def suits(self, text: bytes) -> int:
        """For how many holes it begins to look at the nearer end of this text."""
        spans = self.cut(text) or ()
        return sum(last == (start * 2 > len(text)) for last, (start, _) in zip(self.last, spans, strict=False))


def argument_maps(source: Format) -> list[Way]:
    """The ways to cut texts of a format. Which of them is right depends on the text."""
    free = source.tool.free
    if "name" not in free or not source.tool.name:
        return []
    found: list[Way] = []
    words = [row.tokens[-1] for row in source.tool.rows_of("description")] if "description" in free else []
    for space in (b"", b" "):
        name = _key(source.tool.name[-1], space)
        found += [Way(_named(name, last=last), name, (last,)) for last in (False, True)]
        for word in words:
            told = _key(word, space)
            found += [
                Way(_described(_named(name, last=last), told, last=last_told), name, (last, last_told))
                for last in (False, True)
                for last_told in (False, True)
            ]
    return found


def _key(name: str, space: bytes) -> bytes:
    return msgspec.json.encode(name) + b":" + space + b'"'


def _named(key: bytes, *, last: bool) -> Cut:
    """Takes the name for the string behind this key, the first or the last time that it stands there."""
    find = bytes.rfind if last else bytes.find
    width = len(key)

    def cut(text: bytes) -> tuple[Span, ...] | None:
        start = find(text, key)
        if start < 0:
            return None
        start += width
        # A name that is spliced has nothing escaped in it.
        return ((start, text.find(b'"', start)),)

    return cut


def _described(named: Cut, key: bytes, *, last: bool) -> Cut:
    """The same, and the description is the string behind another key."""
    find = bytes.rfind if last else bytes.find
    width = len(key)

    def cut(text: bytes) -> tuple[Span, ...] | None:
        name = named(text)
        start = find(text, key)
        if name is None or start < 0:
            return None
        start += width
        end = _end(text, start)
        return None if end < 0 else (name[0], (start, end))

    return cut


def _end(text: bytes, start: int) -> int:
    """Where the string ends whose inside begins there; -1 where it does not."""
    end = text.find(b'"', start)
    while end > start and text[end - 1] == _BACKSLASH:
        before = end
        while before > start and text[before - 1] == _BACKSLASH:
            before -= 1
        if (end - before) % 2 == 0:
            break
        end = text.find(b'"', end + 1)
    return end


def around(text: bytes, spans: tuple[Span, ...]) -> tuple[bytes, ...]:
    """All of a text but its holes: what it has in common with others."""
    found: list[bytes] = []
    before = 0
    for start, end in sorted(spans):
        found.append(text[before:start])
        before = end
    return *found, text[before:]


def stands_in(text: bytes, spans: tuple[Span, ...], parts: tuple[bytes, ...]) -> bool:
    """Whether all of a text but its holes is this, as `around` gives it."""
    if len(parts) == 2:
        return text.startswith(parts[0]) and text.endswith(parts[1])
    one, other = sorted(spans)
    # Where what stands before or behind the holes comes again in it, a text may begin and end like that by chance.
    if (one[0], len(text) - other[1]) != (len(parts[0]), len(parts[2])):
        return False
    return text.startswith(parts[0]) and text[one[1] : other[0]] == parts[1] and text.endswith(parts[2])


def sample(text: bytes, spans: tuple[Span, ...], *, last: bool) -> Sample:
    """What texts of one template have in common, and others hardly ever: where the holes are, and bytes beside them.

    Those are before the name, if that is looked for from the end (`last`), else behind it; of two holes, before the
    first and behind the second one.
    """
    start, end = spans[0]
    if len(spans) > 1:
        (start, _), (_, end) = sorted(spans)
        rest = len(text) - end
        before, behind = start >> 1, len(text) - (rest >> 1)
        return start, rest, text[before : min(before + SAMPLE, start)] + text[behind : behind + SAMPLE]
    rest = len(text) - end
    middle = start >> 1 if last else -(rest >> 1)
    return start, rest, text[middle : middle + SAMPLE]


def put(text: bytes, spans: tuple[Span, ...], values: tuple[str, ...]) -> bytes:
    """The text with these in its holes."""
    for (start, end), value in sorted(zip(spans, values, strict=False), reverse=True):
        text = text[:start] + _inside(value) + text[end:]
    return text


# what may stand in them


class Plain:
    """Names that are legal in a format, and in which no character means anything to it."""

    def __init__(self, target: Format) -> None:
        rule = target.names
        # Ids are made of names, and know no hyphens.
        letters = _LETTERS + "0123456789_" + ("-" if target.identity is None else "")
        first = _LETTERS
        self.most = LONGEST
        if rule is not None:
            first = "".join(each for each in first if rule.matches(each))
            letters = "".join(each for each in letters if rule.matches(first[:1] + each))
            self.most = min(LONGEST, rule.most)
        self._first, self._letters = first.encode(), letters.encode()
        self._match = re.compile(f"[{first}][{re.escape(letters)}]{{0,{self.most - 1}}}".encode()).fullmatch

    def matches(self, name: bytes) -> bool:
        """Whether a name is one of them."""
        return self._match(name) is not None

    def all(self, names: list[bytes]) -> bool:
        """Whether all of these are: the same, at once."""
        return not names or (
            not b"".join(names).translate(None, self._letters)
            and not b"".join([name[:1] for name in names]).translate(None, self._first)
            and min(map(len, names)) > 0
            and max(map(len, names)) <= self.most
        )


def _inside(value: str) -> bytes:
    """The inside of a string, as it is written in JSON."""
    return _encode(value)[1:-1]


def pieces(text: bytes, values: tuple[str | bytes, ...]) -> tuple[tuple[bytes, ...], tuple[int, ...]]:
    """A text taken apart at these strings (bytes: as they stand): what is between them, and which of them is where."""
    found, holes = [text], list[int]()
    for hole, value in enumerate(values):
        told = value if isinstance(value, bytes) else _inside(value)
        parts, between = list[bytes](), list[int]()
        for part, behind in zip(found, [*holes, None], strict=True):
            more = part.split(told)
            parts += more
            between += [hole] * (len(more) - 1)
            if behind is not None:
                between.append(behind)
        found, holes = parts, between
    return tuple(found), tuple(holes)


class Ran(NamedTuple):
    """What a bridge made of a tool: what it wrote, its losses, what it had read, and how calls find home."""

    value: Json
    notes: Notes
    reading: Record
    way: JsonObject | None
    renamed: bool


def made(
    target: Format, ran: Ran, name: str, others: tuple[str | bytes, ...], around: tuple[bytes, ...]
) -> Template | None:
    """The template of a tool that crossed with this name and these values in its holes.

    None where the target does not tell it by its name as it stands.
    """
    parts, holes = pieces(_encode(ran.value), (name, *others))
    identity, lower = None, False
    if target.identity is not None:
        told = target.identity(ran.reading, name)
        lower = name not in told
        before, found, after = told.partition(name.lower() if lower else name)
        if not found:
            return None
        identity = before, after
    return Template(around, parts, holes, ran.notes, 0, known(ran.reading), identity, lower, ran.way, ran.renamed)


def alike(one: Template, other: Template) -> bool:
    """Whether two tools with other values in their holes came to the same."""
    if one[1:4] != other[1:4] or one[6:] != other[6:]:
        return False
    mine, others = one.reading, other.reading
    told = [{path: value for path, value in each.fields.items() if path != "name"} for each in (mine, others)]
    return told[0] == told[1] and mine.places == others.places


def plain_text(words: bytes, longest: int = sys.maxsize) -> bool:
    """Whether the inside of a string is that of a valid one, as it is written here, and no longer than this.

    One that may hold invisible characters is not: these are a loss of the tool that no other one like it has.
    """
    told = b'"' + words + b'"'
    try:
        text = _decode_text(told)
    except (msgspec.DecodeError, ValueError):
        return False
    if not text or text.isspace() or len(text) > longest or (_BACKSLASH in words and _encode(text) != told):
        return False
    return not is_suspect(words)


def plain_texts(values: Sequence[bytes], longest: int) -> bool:
    """Whether all of these are: a loop, which costs half of what `all` with a generator does."""
    for words in values:  # noqa: SIM110
        if not plain_text(words, longest):
            return False
    return True
