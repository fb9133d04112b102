"""Detection of the format of a large file by some of its items."""

from __future__ import annotations

from typing import Final

from ...conversion.detect import Detected, kinds_of
from ...limits import LIMITS, Limits
from . import blocks
from .envelope import recognised, samples
from .source import open_text

_BLOCKS: Final = 16
"""In how many places of JSON Lines items are read."""


def detect_file(path: str, limits: Limits = LIMITS) -> tuple[Detected, int, bool]:
    """The format of a file of tools, the number of tools that were read for it, and whether these are the first ones.

    At most some megabytes are read: the beginning, and of JSON Lines tools from all over the file.

    Raises:
        NotSplittable: The file has to be read as a whole.
        FormatError: The tools fit no known format.
        ToolbridgeError: The file cannot be read.
    """
    text = open_text(path, None, limits=limits)
    try:
        layout, items = blocks.layout(text, None)
        if layout.wrap is None:
            count = -(-(text.size - layout.begin) // blocks.BLOCK)
            chosen = range(0, count, -(-count // _BLOCKS))
            parts = [blocks.line_block(text, layout.begin, number, blocks.BLOCK) for number in chosen]
            items = [*items, *samples(text, layout, parts)]
        if any(kind != "tool" for kind in kinds_of(items, None)):
            raise blocks.NotSplittable("it holds calls or results")
        found, ties = recognised(layout, items, None)
        return Detected(found, ties, "tool"), len(items), layout.wrap is not None
    finally:
        text.close()
