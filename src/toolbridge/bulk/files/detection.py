"""Detection of the format of a large file by some of its items."""

from __future__ import annotations

from ...conversion.detect import Detected, kinds_of
from ...data.types import Json
from ...errors import ToolbridgeError
from ...limits import LIMITS, Limits
from . import blocks as splitting
from .envelope import recognised, samples
from .pool import InProcess, find_blocks
from .source import open_text
from .worker import BlockReader


def detect_file(path: str, limits: Limits = LIMITS) -> tuple[Detected, int]:
    """The format of a file of tools, by the same items as for its conversion, and the number of these.

    The file is read to its end, in little memory; of one that is not valid further down only the beginning counts.

    Raises:
        NotSplittable: The file has to be read as a whole.
        FormatError: The tools fit no known format.
        ToolbridgeError: The file cannot be read.
    """
    text = open_text(path, None, limits=limits)
    try:
        layout, items = splitting.layout(text, None)
        document: Json = None
        try:
            pool = InProcess(BlockReader(text))
            blocks, end = find_blocks(text, layout, pool, splitting.BLOCK, lambda _: None)
            document = splitting.document_without_items(text, layout, end)
        except ToolbridgeError:
            blocks = []
        items = [*items, *samples(text, layout, blocks)]
        if any(kind != "tool" for kind in kinds_of(items, None)):
            raise splitting.NotSplittable("it holds calls or results")
        found, ties = recognised(layout, items, None, document)
        return Detected(found, ties, "tool"), len(items)
    finally:
        text.close()
