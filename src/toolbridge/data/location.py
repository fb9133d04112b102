"""Lines and columns: where the values of a document stand in its text, JSON or YAML."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

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


_Step: TypeAlias = "tuple[str, str, Any]"
"""A value or a key in a text, or the end of a list or an object: the mark it begins with, its text, where it stands."""


def _positions(steps: Iterable[_Step], tree: _Node, read_key: Callable[[str], str]) -> Iterator[tuple[str, Any]]:
    """The pointers to the wanted values, and where they stand."""
    stack: list[_Frame] = []
    skipped = 0
    for mark, word, start in steps:
        if skipped:
            skipped += (mark in "{[") - (mark in "}]")
        elif mark in "}]":
            stack.pop()
        elif stack and not stack[-1].is_list and stack[-1].key is None:
            stack[-1].key, stack[-1].start = read_key(word), start
        else:
            node, place, found = stack[-1].next(start) if stack else (tree, "", start)
            if node is not None:
                yield place, found
            if mark in "{[":
                if node:
                    stack.append(_Frame(place, node, is_list=mark == "["))
                else:
                    skipped = 1
        if not stack and not skipped:
            return


def _json_positions(text: str, tree: _Node) -> Iterator[tuple[str, tuple[int, int]]]:
    ends = [match.start() for match in re.finditer("\n", text)]
    tokens = _TOKENS.finditer(text, 1 if text.startswith("\ufeff") else 0)
    steps = ((word[0], word, token.start()) for token in tokens if (word := token[0]) != ",")
    for place, offset in _positions(steps, tree, decode_json):
        line = bisect_left(ends, offset)
        yield place, (line + 1, offset - (ends[line - 1] if line else -1))


def _yaml_positions(text: str, tree: _Node) -> Iterator[tuple[str, tuple[int, int]]]:
    return _positions(_yaml_steps(text), tree, str)


def _yaml_steps(text: str) -> Iterator[_Step]:
    import yaml

    from .yaml_text import LOADER

    marks: dict[type, str] = {yaml.SequenceStartEvent: "[", yaml.MappingStartEvent: "{", yaml.SequenceEndEvent: "]"}
    marks |= {yaml.MappingEndEvent: "}", yaml.ScalarEvent: "-", yaml.AliasEvent: "*"}
    try:
        for event in yaml.parse(text, Loader=LOADER):
            if (mark := marks.get(type(event))) is not None:
                start: Any = event.start_mark
                yield mark, getattr(event, "value", ""), (start.line + 1, start.column + 1)
    except yaml.YAMLError:
        return  # the text of the next document follows, or a part of this one is missing
