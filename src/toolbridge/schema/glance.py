"""Glances: what is plain to see of a subschema without its references, to tell alternatives from each other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Final, NamedTuple, cast

from ..data.equality import value_key
from .arguments import kind_of
from .dialect import SAME
from .mistakes import types_of
from .vocabulary import required_names


class Glance(NamedTuple):
    """What is plain to see of a subschema: the types it accepts (None: any), the values of its `enum` or `const`, those
    of its properties, and the names of its required properties.
    """

    kinds: list[str] | None
    values: list[Any] | None
    fixed: Mapping[str, list[Any]]
    needs: frozenset[str]


_MAX_COMPARED: Final = 60
"""How many alternatives are compared with each other."""


def disjoint(glances: list[Glance]) -> bool:
    """Whether it is plain that no value can be accepted by two of these."""
    if len(glances) > _MAX_COMPARED:
        return False
    known: list[_Known] = []
    for it in glances:
        one = _Known.of(it)
        if not all(_are_disjoint(one, other) for other in known):
            return False
        known.append(one)
    return True


class _Known(NamedTuple):
    """A glance for comparisons: `fixed` are the values of properties that are required."""

    kinds: frozenset[str] | None
    values: frozenset[Hashable] | None
    fixed: Mapping[str, frozenset[Hashable]]
    needs: frozenset[str]

    @classmethod
    def of(cls, it: Glance) -> _Known:
        kinds = None if it.kinds is None or not SAME.keys() >= {*it.kinds} else frozenset(it.kinds)
        if kinds is not None and "number" in kinds:
            kinds |= {"integer"}
        fixed = {name: frozenset(map(value_key, values)) for name, values in it.fixed.items() if name in it.needs}
        return cls(kinds, None if it.values is None else frozenset(map(value_key, it.values)), fixed, it.needs)


def _are_disjoint(one: _Known, other: _Known) -> bool:
    objects = False
    if one.kinds is not None and other.kinds is not None:
        kinds = one.kinds & other.kinds
        if not kinds:
            return True
        objects = kinds <= {"object"}
    if one.values is not None and other.values is not None:
        return one.values.isdisjoint(other.values)
    return objects and any(
        values.isdisjoint(other.fixed.get(name, values)) for name, values in one.fixed.items() if name in other.needs
    )


ANYTHING: Final = Glance(None, None, {}, frozenset())

NOTHING: Final = Glance([], None, {}, frozenset())


def kinds_of(values: list[Any]) -> list[str]:
    """The types of some values; numbers with and without a fraction are numbers."""
    kinds = list(dict.fromkeys(kind_of(value) for value in values))
    return [kind for kind in kinds if not (kind == "integer" and "number" in kinds)]


def look(says: dict[str, Any], properties: Any) -> Glance:
    """A glance at the keywords of one subschema, of which these are the properties."""
    values: list[Any] | None = None
    fixed: dict[str, list[Any]] = {}
    given: Any = says.get("type")
    kinds = types_of(given) or None
    if given.__class__ is list and kinds is not None and len(kinds) < len(given):
        kinds = None  # one of draft 3, or a mistake
    if "const" in says or isinstance(says.get("enum"), list):
        values = [says["const"]] if "const" in says else cast("list[Any]", says["enum"])
        kinds = kinds or kinds_of(values)
        if kinds == ["null"] and None not in values:
            kinds = []
    is_typed = isinstance(says.get("type"), str) or ("type" not in says and isinstance(says.get("enum"), list))
    if says.get("nullable") is True and kinds is not None and is_typed:
        kinds = [*kinds, "null"]
        values = values if values is None else [*values, None]
    for name, held in properties.items() if properties.__class__ is dict else ():
        if held.__class__ is dict and held.get("nullable") is not True:
            if "const" in held:
                fixed[name] = [held["const"]]
            elif held.get("enum").__class__ is list:
                fixed[name] = held["enum"]
    return Glance(kinds, values, fixed, frozenset(required_names(says)))
