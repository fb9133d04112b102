"""Equality of JSON values: as JSON has it (1, 1.0 and true differ) and as JSON Schema has it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Final, cast

_FAR: Final = 2**60
"""Whole numbers below this have hashes of their own; larger ones may be chosen so that all of them have one hash."""


def same(one: Any, other: Any) -> bool:
    """JSON equality: `1`, `1.0` and `true` are three values."""
    todo = [(one, other)]
    while todo:
        a, b = todo.pop()
        if a.__class__ is not b.__class__:
            return False
        if a.__class__ is dict:
            if a.keys() != b.keys():
                return False
            todo += [(value, b[key]) for key, value in a.items()]
        elif a.__class__ is list:
            if len(a) != len(b):
                return False
            todo += zip(a, b, strict=True)
        elif a != b:
            return False
    return True


class Values:
    """Values as JSON Schema tells them apart, of which many can be asked for."""

    __slots__ = ("_keys",)

    def __init__(self, values: Iterable[Any] = ()) -> None:
        self._keys = set(map(value_key, values))

    def __contains__(self, value: Any) -> bool:
        return value_key(value) in self._keys

    def add(self, value: Any) -> None:
        self._keys.add(value_key(value))


def equal(one: Any, other: Any) -> bool:
    """Equality as JSON Schema has it: `1` and `1.0` are one value, `true` is another."""
    return value_key(one) == value_key(other)


def value_key(value: Any) -> Hashable:
    """What is the same for two values just where JSON Schema takes them for one."""
    if not isinstance(value, (dict, list)):
        return _scalar(value)
    found: list[Hashable] = []
    todo: list[Any] = [cast("Any", value)]
    while todo:
        it = todo.pop()
        if isinstance(it, list):
            items = cast("list[Any]", it)
            found.append((list, len(items)))
            todo += reversed(items)
        elif isinstance(it, dict):
            members = cast("dict[str, Any]", it)
            names = sorted(members)
            found.append((dict, *names))
            todo += [members[name] for name in reversed(names)]
        else:
            found.append(_scalar(it))
    return tuple(found)


def exact_key(value: Any) -> Hashable:
    """What is the same for two values just where they are `same`."""
    if not isinstance(value, (dict, list)):
        return value.__class__, _scalar(value)
    classes: list[type] = []
    todo: list[Any] = [cast("Any", value)]
    while todo:
        it = todo.pop()
        classes.append(it.__class__)
        if isinstance(it, list):
            todo += reversed(cast("list[Any]", it))
        elif isinstance(it, dict):
            members = cast("dict[str, Any]", it)
            todo += [members[name] for name in sorted(members, reverse=True)]
    return tuple(classes), value_key(value)


def _scalar(value: Any) -> Hashable:
    of = value.__class__
    if of is str or value is None:
        return value
    if of is bool:
        return (value,)  # for Python, True is 1
    if of is float and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not -_FAR < value < _FAR:
        return int, f"{value:x}"
    return cast("Hashable", value)
