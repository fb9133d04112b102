"""The list of a catalogue in the making: its tools, and groups that hold tools of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from . import pointer as at
from .errors import DocumentError
from .hub import Json, JsonObject, is_object


class Group(NamedTuple):
    """An item of a list that holds tools of its own: a namespace, a wrapper.

    All tools of the list have one numbering: `start` is that of its first, `size` how many are its own. `wrap` is
    where they stand in it, and `body` the group without them.
    """

    start: int
    size: int
    wrap: str
    body: JsonObject


class Listing:
    """A list that is being written. What is put at a slot (a tool's number) stands in the group that claims it."""

    __slots__ = ("_claims", "_groups", "_inner", "_place", "_wrap", "count", "values")

    def __init__(self, wrap: str, groups: Sequence[Group] = ()) -> None:
        self.values: list[Json] = []
        self.count = 0
        self._wrap = wrap
        self._groups = list(reversed(groups))
        self._claims = range(0)
        self._inner: list[Json] = []
        self._place = ""

    def place(self, slot: int) -> str:
        """Where the next tool of this slot will stand."""
        self._reach(slot)
        if slot in self._claims:
            return f"{self._place}/{len(self._inner)}"
        return f"{self._wrap}/{len(self.values)}"

    def put(self, slot: int, value: Json) -> None:
        self._reach(slot)
        (self._inner if slot in self._claims else self.values).append(value)
        self.count += 1

    def close(self) -> list[Json]:
        """The list with all its groups, those that hold nothing too."""
        while self._groups:
            self._enter(self._groups.pop())
        return self.values

    def _reach(self, slot: int) -> None:
        while self._groups and self._groups[-1].start <= slot:
            self._enter(self._groups.pop())

    def _enter(self, group: Group) -> None:
        self._claims = range(group.start, group.start + group.size)
        self._inner = []
        self._place = f"{self._wrap}/{len(self.values)}{group.wrap}"
        self.values.append(wrapped(group.body, group.wrap, self._inner))


def wrapped(around: Json, wrap: str, values: Json) -> Json:
    """A copy of what stands around a list, with these values at `wrap`. Raises DocumentError where that is no place."""
    if not wrap:
        return values
    if wrap[0] != "/" or not is_object(around):
        raise DocumentError(f"no list of tools can stand at {wrap}")
    *way, last = at.split(wrap)
    whole = inner = {**around}
    for token in way:
        step = inner.get(token)
        if not is_object(step):
            raise DocumentError(f"no list of tools can stand at {wrap}")
        inner[token] = inner = {**step}
    inner[last] = values
    return whole
