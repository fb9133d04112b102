"""Lines and columns: where the values of a document stand in its text, JSON or YAML."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias, cast

from .json_decoder import decode_json
from .pointer import escape, split

_TOKENS: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],]|[^\s"{}\[\],:]+')
"""The tokens of a valid JSON text but the colons."""


class Position(NamedTuple):
    """A place in a text; lines and columns count from 1, columns in characters."""

    line: int
    column: int


_Node: TypeAlias = "dict[str, Any]"
"""The wanted places below one: each key is a token of a pointer."""


def locate(text: str, pointers: Iterable[str], *, yaml: bool = False, first: int = 1) -> dict[str, Position]:
    """The positions of the values at these JSON Pointers in the text of one valid document.

    A member of an object stands where its key does. A pointer to nothing gets the position of the nearest value above
    it.

    Args:
        text: The text of the document; what follows it is not read.
        pointers: The wanted places.
        yaml: Whether the text is YAML, otherwise JSON.
        first: The number of the first line of the text.

    Returns:
        A position for each pointer; the first line for all of them if the text cannot be read.
    """
    wanted = [*dict.fromkeys(pointers)]
    tree: _Node = {}
    for pointer in wanted:
        node = tree
        for token in split(pointer):
            node = node.setdefault(token, {})
    found = dict((_yaml_positions if yaml else _json_positions)(text, tree))
    positions: dict[str, Position] = {}
    for pointer in wanted:
        place = pointer
        while place and place not in found:
            place = place[: place.rindex("/")]
        line, column = found.get(place, (1, 1))
        positions[pointer] = Position(line + first - 1, column)
    return positions


class _Frame:
    """A list or an object that is being read: its pointer, what is wanted in it, and where the next value stands."""

    __slots__ = ("index", "is_list", "key", "node", "place", "start")

    def __init__(self, place: str, node: _Node, *, is_list: bool) -> None:
        self.place, self.node, self.is_list = place, node, is_list
        self.index = 0
        self.key: str | None = None
        self.start: Any = None

    def next(self, start: Any) -> tuple[_Node | None, str, Any]:
        """What is wanted in the next value, its pointer if anything is, and where it stands; `start`: its own text."""
        if self.is_list:
            name = str(self.index)
            self.index += 1
        else:
            name, self.key, start = self.key or "", None, self.start
        node = self.node.get(name)
        return node, "" if node is None else f"{self.place}/{escape(name)}", start


def _json_positions(text: str, tree: _Node) -> Iterator[tuple[str, tuple[int, int]]]:
    ends = [match.start() for match in re.finditer("\n", text)]

    def position(offset: int) -> tuple[int, int]:
        line = bisect_left(ends, offset)
        return line + 1, offset - (ends[line - 1] if line else -1)

    stack: list[_Frame] = []
    skipped = 0
    for token in _TOKENS.finditer(text, 1 if text.startswith("\ufeff") else 0):
        start, word = token.start(), token[0]
        mark = word[0]
        if skipped:
            skipped += (mark in "{[") - (mark in "}]")
        elif mark in "}]":
            stack.pop()
        elif mark == ",":
            continue
        elif stack and not stack[-1].is_list and stack[-1].key is None:
            stack[-1].key = decode_json(word) if "\\" in word else word[1:-1]
            stack[-1].start = start
        else:
            node, place, start = stack[-1].next(start) if stack else (tree, "", start)
            if node is not None:
                yield place, position(start)
            if mark in "{[":
                if node:
                    stack.append(_Frame(place, node, is_list=mark == "["))
                else:
                    skipped = 1
        if not stack and not skipped:
            return


def _yaml_positions(text: str, tree: _Node) -> Iterator[tuple[str, tuple[int, int]]]:
    import yaml

    from .yaml_text import LOADER

    stack: list[_Frame] = []
    try:
        for event in yaml.parse(text, Loader=LOADER):
            if isinstance(event, (yaml.StreamStartEvent, yaml.DocumentStartEvent)):
                continue
            if isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
                stack.pop()
            elif isinstance(event, yaml.DocumentEndEvent):
                return
            elif stack and not stack[-1].is_list and stack[-1].key is None:
                stack[-1].key = getattr(event, "value", "")
                stack[-1].start = event.start_mark
            else:
                given = cast("Any", event.start_mark)
                node, place, mark = stack[-1].next(given) if stack else (tree, "", given)
                if node is not None:
                    yield place, (mark.line + 1, mark.column + 1)
                if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
                    is_list = isinstance(event, yaml.SequenceStartEvent)
                    stack.append(_Frame(place, node or {}, is_list=is_list))
    except yaml.YAMLError:
        return  # the text of the next document follows, or a part of this one is missing
