"""The remainders of a catalogue, line by line: first one about the whole, then one for each tool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import UNSET, json
from msgspec.structs import replace

from ..errors import ToolbridgeError
from ..remainder import Remainder, belongs, seal
from .apart import Block, NotApart, Span
from .source import Text


def home_of(rest: Text) -> Remainder:
    """The line about the whole catalogue. Raises NotApart where there is none."""
    line = rest.at(0, min(rest.size, 1 << 24)).split(b"\n", 1)[0]
    try:
        home = Remainder.from_json(line)
    except ToolbridgeError:
        home = None
    if home is None or home.wrap is None or home.items is not None or home.groups is not None:
        raise NotApart(f"{rest.name} does not begin with a line about the whole catalogue")
    return home


def rests(rest: Text, blocks: Sequence[Block]) -> Iterator[Span]:
    """Where the remainders of each block are: as many as it has items, and those of what was left out before them.

    Raises ToolbridgeError where there are too few, or too many.
    """
    lines = _remainders(rest)
    start = end = next(lines)[0]
    for number, block in enumerate(blocks):
        left = block.items
        while left:
            end, counts = next(lines, (-1, True))
            if end < 0:
                raise ToolbridgeError(f"{rest.name} holds too few remainders for these tools")
            left -= counts
        if number == len(blocks) - 1:
            if any(counts for _, counts in lines):
                raise ToolbridgeError(f"{rest.name} holds too many remainders for these tools")
            end = rest.size
        yield start, end
        start = end


def _remainders(rest: Text) -> Iterator[tuple[int, bool]]:
    """Where each line of a file of remainders ends, and whether it is of a tool that was written."""
    place, left = 0, b""
    while place < rest.size or left:
        data = left + rest.at(place + len(left), min(place + len(left) + (1 << 20), rest.size))
        last = place + len(data) >= rest.size
        end = len(data) if last else data.rfind(b"\n") + 1
        start = 0
        while start < end:
            stop = data.find(b"\n", start, end) + 1 or end
            line = data[start:stop]
            if line.strip():
                out = b'"left_out"' in line and Remainder.from_json(line, len(line)).left_out is not UNSET
                yield place + stop, not out
            start = stop
        place += end
        left = data[end:]


def line(part: Remainder | None) -> bytes:
    """The line of one tool."""
    return b"null\n" if part is None else json.encode(part) + b"\n"


def beside(rest: list[bytes], numbers: list[int], text: bytes) -> None:
    """Let the remainders of tools that were left out know the tool behind them, which was written as this text."""
    own = seal(json.decode(text))
    for n in numbers:
        rest[n] = line(replace(json.decode(rest[n], type=Remainder), seal=own))
    numbers.clear()


def parts(lines: bytes, seals: Iterable[str], depth: int) -> list[tuple[list[bytes], Remainder | None]]:
    """The remainder of each item of a block, and the tools that were left out before it; the latter at the end as well.

    `seals` are those of the items, `depth` is how many levels deep what they keep may be. Where all the remainders are
    those of other tools, nothing that was left out comes back, and the first item is told that its remainder is stale.
    """
    known = [
        None if one.strip() == b"null" else Remainder.from_json(one, depth) for one in lines.split(b"\n") if one.strip()
    ]
    found: list[tuple[list[bytes], Remainder | None]] = []
    before: list[bytes] = []
    absent: Remainder | None = None
    for part in known:
        if part is not None and part.left_out is not UNSET:
            before.append(json.encode(part.left_out))
            absent = part
        else:
            found.append((before, part))
            before = []
    found.append((before, None))
    if absent is not None and belongs(known, seals) is False:
        found = [([], part) for _, part in found]
        found[0] = [], found[0][1] or absent
    return found
