"""Alternatives: whether they exclude each other, one for each type, all of them in one object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from .join import take
from .values import equal, same
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
    return len(glances) <= _MANY and all(_apart(one, other) for n, one in enumerate(glances) for other in glances[:n])


def _apart(one: Glance, other: Glance) -> bool:
    if one.kinds is not None and other.kinds is not None:
        mine, theirs = set(one.kinds), set(other.kinds)
        if "number" in mine:
            mine.add("integer")
        if "number" in theirs:
            theirs.add("integer")
        if mine.isdisjoint(theirs):
            return True
        objects = mine & theirs <= {"object"}
    else:
        objects = False
    if one.values is not None and other.values is not None:
        return not any(equal(a, b) for a in one.values for b in other.values)
    return objects and any(
        name in one.needs
        and name in other.needs
        and not any(equal(a, b) for a in values for b in other.fixed.get(name, values))
        for name, values in one.fixed.items()
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
    uses: dict[str, dict[int, Sub]] = {}
    for index, (branch, _) in enumerate(found):
        for name, sub in branch.subs.get("properties", {}).items():
            uses.setdefault(name, {})[index] = sub
    properties = dict(base)
    for name, subs in uses.items():
        lacking = any(index not in subs and not shut for index, shut in enumerate(closed))
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
    common = [
        name
        for name in first.says.get("required", ())
        if all(name in branch.says.get("required", ()) for branch, _ in found)
    ]
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
    for sub in subs:
        if not any(len(sub) == len(other) == 1 and same(sub[0][0], other[0][0]) for other in distinct):
            distinct.append(sub)
    if len(distinct) == 1:
        return distinct[0]
    return ((Either(distinct), distinct[0][0][1], ()),)


def kinds_of(values: list[Any]) -> list[str]:
    """The types of some values; numbers with and without a fraction are numbers."""
    kinds = list(dict.fromkeys(kind_of(value) for value in values))
    return [kind for kind in kinds if not (kind == "integer" and "number" in kinds)]
