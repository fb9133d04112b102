"""Equality of JSON values: that of JSON (1, 1.0 and true differ) and that of JSON Schema (1 equals 1.0)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final, cast

_FAR: Final = 2**60
"""Smaller integers have different hashes; larger ones can be chosen so that all of them have the same hash."""


def same(one: Any, other: Any) -> bool:
    """JSON equality: `1`, `1.0` and `true` are three values."""
    stack = [(one, other)]
    while stack:
        a, b = stack.pop()
        if a.__class__ is not b.__class__:
            return False
        if a.__class__ is dict:
            if a.keys() != b.keys():
                return False
            stack += [(value, b[key]) for key, value in a.items()]
        elif a.__class__ is list:
            if len(a) != len(b):
                return False
            stack += zip(a, b, strict=True)
        elif a != b:
            return False
    return True


class Values:
    """A set of JSON values with the equality of JSON Schema."""

    __slots__ = ("_keys",)

    def __init__(self, values: Iterable[Any] = ()) -> None:
        self._keys = set(map(value_key, values))

    def __contains__(self, value: Any) -> bool:
        return value_key(value) in self._keys

    def add(self, value: Any) -> None:
        self._keys.add(value_key(value))


_LISTS: Final = tuple((list, length) for length in range(16))
"""The keys of short lists, of which a large document may have many."""


def _scalar(value: Any) -> Hashable:
    kind = value.__class__
    if kind is str or value is None:
        return value
    if kind is bool:
        return (value,)  # for Python, True is 1
    if kind is float and value.is_integer() and -_FAR < value < _FAR:
        value = int(value)
    if isinstance(value, int) and not -_FAR < value < _FAR:
        try:
            number = float(value)
        except OverflowError:
            number = None
        return (int, f"{value:x}") if number != value else number  # comparing the two is exact
    return cast("Hashable", value)


def equal(one: Any, other: Any) -> bool:
    """Equality of JSON Schema: `1` and `1.0` are equal, `true` differs."""
    return value_key(one) == value_key(other)


def value_key(value: Any, scalar_key: Callable[[Any], Hashable] = _scalar) -> Hashable:
    """A key that two values share if and only if they are `equal`; `scalar_key` is the key of a string or a number."""
    if not isinstance(value, (dict, list)):
        return scalar_key(value)
    keys: list[Hashable] = []
    stack: list[Any] = [cast("Any", value)]
    while stack:
        current = stack.pop()
        if isinstance(current, list):
            items = cast("list[Any]", current)
            keys.append(_LISTS[len(items)] if len(items) < len(_LISTS) else (list, len(items)))
            stack += reversed(items)
        elif isinstance(current, dict):
            members = cast("dict[str, Any]", current)
            names = sorted(members)
            keys.append((dict, *names))
            stack += [members[name] for name in reversed(names)]
        else:
            keys.append(scalar_key(current))
    return tuple(keys)


def exact_key(value: Any) -> Hashable:
    """A key that two values share if and only if they are `same`."""
    return value_key(value, lambda scalar: (scalar.__class__, _scalar(scalar)))
