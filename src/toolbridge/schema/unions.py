"""Alternatives: whether they exclude each other, one for each type, all of them in one object."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Final, NamedTuple

from .join import take
from .values import exact_key, value_key
from .view import Either, Lose, Sub, View, is_false
from .walk import is_annotation
from .way import kind_of


class Glance(NamedTuple):
    """What is plain to see of a subschema: the types it accepts (None: any), its values, values of its properties."""

    kinds: list[str] | None
    values: list[Any] | None
    fixed: Mapping[str, list[Any]]
    needs: frozenset[str]


_MANY: Final = 60
"""How many alternatives are compared with each other."""


def disjoint(glances: list[Glance]) -> bool:
    """Whether it is plain that no value can be accepted by two of these."""
    if len(glances) > _MANY:
        return False
    known = [_Known.of(it) for it in glances]
    return all(_apart(one, other) for n, one in enumerate(known) for other in known[:n])


class _Known(NamedTuple):
    """A glance for comparing: `fixed` are the values of properties that are required."""

    kinds: frozenset[str] | None
    values: frozenset[Hashable] | None
    fixed: Mapping[str, frozenset[Hashable]]
    needs: frozenset[str]

    @classmethod
    def of(cls, it: Glance) -> _Known:
        kinds = None if it.kinds is None else frozenset(it.kinds)
        if kinds is not None and "number" in kinds:
            kinds |= {"integer"}
        fixed = {name: frozenset(map(value_key, values)) for name, values in it.fixed.items() if name in it.needs}
        return cls(kinds, None if it.values is None else frozenset(map(value_key, it.values)), fixed, it.needs)


def _apart(one: _Known, other: _Known) -> bool:
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


def split(v: View, kinds: list[str], relevant: Mapping[str, tuple[str, ...]], lose: Lose) -> list[View]:
    """One view for each type, with what is said of that type."""
    views: list[View] = []
    for kind in kinds:
        if kind == "integer" and "number" in kinds:
            lose("TB103", v.at["type"])
            continue
        it = View()
        it.says["type"], it.at["type"] = kind, v.at["type"]
        for key in v.at:
            of = relevant.get(key, ("string",) if key == "format" else None)
            if key == "type" or not v.has(key) or (of is None and is_annotation(key)):
                continue
            if of is None or kind in of:
                take(it, v, key)
        if "enum" in it.says:
            it.says["enum"] = [value for value in it.says["enum"] if _is_of(value, kind)]
            it.raw.pop("enum", None)
            if not it.says["enum"]:
                lose("TB103", it.at["type"])
                continue
        views.append(it)
    for key in v.at:
        if v.has(key) and not set(relevant.get(key, kinds)) & {*kinds}:
            lose("TB103", v.at[key])
    for index, value in enumerate(v.says.get("enum", ())):
        if not any(_is_of(value, kind) for kind in kinds):
            listed = "enum" in v.raw and v.at["enum"].endswith("/enum")  # not the one value of a const
            lose("TB103", f"{v.at['enum']}/{index}" if listed else v.at["enum"])
    return views


def _is_of(value: Any, kind: str) -> bool:
    found = kind_of(value)
    return found == kind or (kind == "number" and found == "integer")


_MERGED: Final = frozenset({"properties"})
"""What of several alternatives goes into one."""


def merge(v: View, found: list[tuple[View, str]], lose: Lose, at: str) -> None:
    """One object that accepts what any of several, noted at `at`, does: all properties, and what all of them require.

    A property that an open alternative does not list would be accepted there with any value: that is narrowed.
    """
    for branch, _ in found:
        for key, where in branch.at.items():
            if key not in _MERGED and branch.has(key) and not where.startswith(at + "/"):
                lose("TB103" if key == "type" or is_annotation(key) else "TB201", where)
    base: dict[str, Sub] = v.subs.get("properties", {})
    closed = [is_false(branch.subs.get("additionalProperties")) for branch, _ in found]
    opened = {index for index, shut in enumerate(closed) if not shut}
    uses: dict[str, dict[int, Sub]] = {}
    for index, (branch, _) in enumerate(found):
        for name, sub in branch.subs.get("properties", {}).items():
            uses.setdefault(name, {})[index] = sub
    properties = dict(base)
    for name, subs in uses.items():
        lacking = len(opened) > sum(index in opened for index in subs)
        if name not in base:
            properties[name] = either([*subs.values()])
            if lacking:
                for sub in subs.values():
                    lose("TB303", sub[0][1])
        elif not lacking:
            properties[name] = (*base[name], *either([*subs.values()]))
    first, place = found[0]
    if properties:
        v.subs["properties"] = properties
        v.at.setdefault("properties", next((b.at["properties"] for b, _ in found if "properties" in b.at), place))
        v.raw.pop("properties", None)
    shared = set(first.says.get("required", ()))
    for branch, _ in found[1:]:
        shared.intersection_update(branch.says.get("required", ()))
    common = [name for name in first.says.get("required", ()) if name in shared]
    required = list(dict.fromkeys([*v.says.get("required", ()), *common]))
    if required:
        v.says["required"] = required
        v.at.setdefault("required", first.at.get("required", place))
    if all(closed) and "additionalProperties" not in v.subs and base.keys() <= uses.keys():
        v.subs["additionalProperties"] = first.subs["additionalProperties"]
        v.at["additionalProperties"] = first.at["additionalProperties"]
        v.raw["additionalProperties"] = False


def either(subs: list[Sub]) -> Sub:
    """Any of several subschemas; equal ones count once."""
    distinct: list[Sub] = []
    known: set[Hashable] = set()
    for sub in subs:
        if len(sub) == 1:
            own = exact_key(sub[0][0])
            if own in known:
                continue
            known.add(own)
        distinct.append(sub)
    if len(distinct) == 1:
        return distinct[0]
    return ((Either(distinct), distinct[0][0][1], ()),)


def kinds_of(values: list[Any]) -> list[str]:
    """The types of some values; numbers with and without a fraction are numbers."""
    kinds = list(dict.fromkeys(kind_of(value) for value in values))
    return [kind for kind in kinds if not (kind == "integer" and "number" in kinds)]
