"""When two values are one: as JSON tells them apart, and as JSON Schema does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast


def same(one: Any, other: Any) -> bool:
    """JSON equality: `1`, `1.0` and `true` are three values. What is too deep to look at is no equal of anything."""
    try:
        return _same(one, other)
    except RecursionError:
        return False


def _same(one: Any, other: Any) -> bool:
    if one.__class__ is not other.__class__:
        return False
    if one.__class__ is dict:
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if one.__class__ is list:
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


class Values:
    """Values as JSON Schema tells them apart, of which many can be asked for."""

    def __init__(self, values: Iterable[Any] = ()) -> None:
        self._scalars: set[tuple[bool, Any]] = set()
        self._others: list[Any] = []
        for value in values:
            self.add(value)

    def __contains__(self, value: Any) -> bool:
        if isinstance(value, (dict, list)):
            return any(equal(value, it) for it in self._others)
        return (isinstance(value, bool), value) in self._scalars

    def add(self, value: Any) -> None:
        if isinstance(value, (dict, list)):
            self._others.append(value)
        else:
            self._scalars.add((isinstance(value, bool), value))


def equal(one: Any, other: Any) -> bool:
    """Equality as JSON Schema has it: `1` and `1.0` are one value, `true` is another."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        mine, theirs = cast("dict[str, Any]", one), cast("dict[str, Any]", other)
        return mine.keys() == theirs.keys() and all(equal(value, theirs[key]) for key, value in mine.items())
    if isinstance(one, list) and isinstance(other, list):
        ours, others = cast("list[Any]", one), cast("list[Any]", other)
        return len(ours) == len(others) and all(map(equal, ours, others))
    return bool(one == other)
