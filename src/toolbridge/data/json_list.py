"""The list in a JSON text that need not be valid: where it begins, and where its items are."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import Final

from ..errors import DocumentError

_STRUCTURE: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}:,]', re.DOTALL)
"""Strings, so that nothing in them counts, and the characters between values."""

SPACE: Final = b" \t\r\n"
"""What may stand between values."""

_LEVELS: Final = 8
"""The number of objects, one in the other, in which a list is looked for."""


def find_list(text: bytes, places: Container[tuple[str, ...]]) -> tuple[tuple[str, ...], int] | None:
    """The first list of a text that is at one of these places, given by their tokens: its place, and its offset."""
    path: list[str | None] = []
    string = b""
    for match in _STRUCTURE.finditer(text):
        token = match[0]
        if token == b"[":
            if None not in path and (place := tuple(key for key in path if key is not None)) in places:
                return place, match.start()
            path.append(None)
        elif token == b"{":
            path.append("")
        elif token in (b"]", b"}"):
            if not path:
                return None
            path.pop()
        elif token == b":":
            if path and path[-1] is not None and len(path) <= _LEVELS:
                path[-1] = string[1:-1].decode("utf-8", "replace")
        elif token != b",":
            string = token
    return None


def list_items(text: bytes, begin: int) -> Iterator[tuple[int, int]]:
    """The span of each item of the list that begins at `begin`, and at the end the empty span of its bracket.

    An item need not be valid JSON, if its brackets and quotes match: its numbers and characters are not looked at, and
    it may be nested to any depth. In a text that ends before the list, there is no last item and no bracket. Raises
    DocumentError if an item is missing.
    """
    depth, start = 0, begin + 1
    for match in _STRUCTURE.finditer(text, begin):
        token = match[0]
        if token in (b"[", b"{"):
            depth += 1
        elif token in (b"]", b"}"):
            depth -= 1
        elif token != b"," or depth > 1:
            continue
        if depth == 0 or (depth == 1 and token == b","):
            end = match.start()
            if text[start:end].strip(SPACE):
                yield start, end
            elif depth or start > begin + 1:
                raise DocumentError("an item is expected")
            if depth == 0:
                yield end, end
                return
            start = match.end()
