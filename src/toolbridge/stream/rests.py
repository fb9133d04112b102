"""The remainders of a catalogue, line by line: first one about the whole, then one for each tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from ..errors import ToolbridgeError
from ..remainder import Remainder
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
                out = b'"left_out"' in line and Remainder.from_json(line).left_out is not UNSET
                yield place + stop, not out
            start = stop
        place += end
        left = data[end:]
