"""The least schema that accepts what any of several written ones does, in a dialect that merges alternatives."""

from __future__ import annotations

from typing import Any, Final, NamedTuple


class Superset(NamedTuple):
    """Two schemas as one; whether it accepts nothing but what one of them does, and whether it refuses some of that."""

    schema: dict[str, Any]
    exact: bool
    narrowed: bool = False


_NUMBERS: Final = frozenset({"integer", "number"})


def are_of_one_type(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two written schemas have one type, or are both numbers."""
    return one["type"] == other["type"] or _NUMBERS.issuperset((one["type"], other["type"]))


def widest(one: dict[str, Any], other: dict[str, Any]) -> Superset:
    """Two written schemas of one type as one."""
    if one == other:
        return Superset(one, exact=True)
    kind: str = one["type"] if one["type"] == other["type"] else "number"
    merged: dict[str, Any] = {"type": kind}
    if one.get("nullable") or other.get("nullable"):
        merged["nullable"] = True
    if kind == "object":
        return _objects(one, other, merged)
    if kind == "array":
        return _arrays(one, other, merged)
    if "enum" in one and "enum" in other:
        merged["enum"] = list(dict.fromkeys([*one["enum"], *other["enum"]]))
    return Superset(merged, exact=True)


def _arrays(one: dict[str, Any], other: dict[str, Any], merged: dict[str, Any]) -> Superset:
    if "items" not in one or "items" not in other:
        return Superset(merged, exact=True)
    if not are_of_one_type(one["items"], other["items"]):
        return Superset(merged, exact=False)
    items = widest(one["items"], other["items"])
    merged["items"] = items.schema
    return Superset(merged, items.schema in (one["items"], other["items"]), items.narrowed)


def _objects(one: dict[str, Any], other: dict[str, Any], merged: dict[str, Any]) -> Superset:
    """Objects with properties are closed, and others are not (`Dialect.additional_properties`)."""
    if not all(each.get("additionalProperties") is False for each in (one, other)):
        return Superset({**merged, "additionalProperties": True}, exact=True)
    narrowed = False
    properties = {**one.get("properties", {}), **other.get("properties", {})}
    for name in one.get("properties", {}).keys() & other.get("properties", {}).keys():
        first, second = one["properties"][name], other["properties"][name]
        if are_of_one_type(first, second):
            properties[name], _, less = widest(first, second)
        else:
            properties[name], less = first, True
        narrowed = narrowed or less
    required = [name for name in one.get("required", ()) if name in other.get("required", ())]
    merged |= {"properties": properties} if properties else {}
    merged |= {"required": required} if required else {}
    merged["additionalProperties"] = False
    return Superset(merged, exact=False, narrowed=narrowed)
