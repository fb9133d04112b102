"""Corresponding places in a JSON Schema and in the equivalent ValueSchema."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from ...data.pointer import MISSING, decoded, get, split
from ...data.pointer import join as pointer

if TYPE_CHECKING:
    from ...data.types import Json, JsonObject, Schema

DEPTH: Final = 100
"""How deeply schemas may be nested; far beyond any tool, and far below Python's own limit."""


Found: TypeAlias = "tuple[str, list[tuple[Json, str]]]"
"""The deepest place that there is, and the subschemas that apply at a place, with the place of each."""


def origin(schema: Schema, place: str, known: dict[str, Found]) -> str:
    """The place in the original schema for a place in the schema with references written out, as deep as possible.

    `known` keeps what was found, for the next places of the same schema.
    """
    known.setdefault("", ("", [(schema, "")]))
    unknown: list[str] = []
    while place not in known:
        unknown.append(place)
        place = place[: place.rindex("/")]
    deepest, nodes = known[place]
    for inner in reversed(unknown):
        nodes = _below(schema, nodes, inner[inner.rindex("/") :])
        deepest = nodes[0][1] if nodes else deepest
        known[inner] = deepest, nodes
    return deepest


def _below(schema: Schema, nodes: list[tuple[Json, str]], step: str) -> list[tuple[Json, str]]:
    """What applies one step below a place, also in what is referred to there."""
    nodes = [*nodes]
    for value, _ in nodes:  # which becomes longer meanwhile
        target = cast("JsonObject", value).get("$ref") if isinstance(value, dict) else None
        if isinstance(target, str) and target[:2] in ("#", "#/") and len(nodes) < DEPTH:
            nodes.append((get(schema, decoded(target[1:])), decoded(target[1:])))
    return [(inner, where + step) for value, where in nodes if (inner := get(value, step)) is not MISSING]


def is_within_any(place: str, others: Collection[str]) -> bool:
    """Whether a place is one of others, or below one."""
    while place not in others:
        if not place:
            return False
        place = place[: place.rindex("/")]
    return True


def referred(schema: Schema, place: str) -> tuple[list[str], int]:
    """The places to which references at or below a place lead, also indirectly, without those below others.

    The second value is the number of values that were visited.
    """
    found: dict[str, None] = {}
    todo = [get(schema, place)]
    for value in todo:
        if isinstance(value, dict):
            target = cast("JsonObject", value).get("$ref")
            if isinstance(target, str) and target[:2] == "#/":
                at = decoded(target[1:])
                if at not in found and (found_value := get(schema, at)) is not MISSING:
                    found[at] = None
                    todo.append(found_value)
            todo += cast("JsonObject", value).values()
        elif isinstance(value, list):
            todo += cast("list[Json]", value)
    others = {place, *found}
    # A place is not below itself.
    return [at for at in found if at != place and not (at and is_within_any(at[: at.rindex("/")], others))], len(todo)


def index_of(parameters: list[JsonObject]) -> dict[str, int]:
    """The indices of parameters by their names."""
    return {parameter["name"]: index for index, parameter in enumerate(parameters) if "name" in parameter}


def place_in(sub: str, parameters: list[JsonObject], index: dict[str, int]) -> str:
    """The deepest place in the parameters that corresponds to the place `sub` in the JSON Schema made of them.

    `index` has the indices of the parameters by their names.
    """
    way = split(sub)
    if way[:1] == ("required",) and len(way) == 2:
        required = [at for at in sorted(index.values()) if parameters[at].get("required") is True]
        return (
            f"/{required[int(way[1])]}/required"
            if way[1].isdigit() and len(way[1]) < 19 and int(way[1]) < len(required)
            else ""
        )
    way = _without_alternatives(way)
    if len(way) < 2 or way[0] != "properties" or way[1] not in index:
        return ""
    at = f"/{index[way[1]]}"
    parameter = parameters[index[way[1]]]
    if way[2:] == ("description",) and isinstance(parameter.get("description"), str):
        return f"{at}/description"
    if len(way) == 2 or "value_schema" not in parameter:
        return at
    return into(parameter["value_schema"], way[2:], f"{at}/value_schema")


def _without_alternatives(way: tuple[str, ...]) -> tuple[str, ...]:
    """The rest of a path below alternatives, which are written at the place of their schema."""
    while len(way) > 1 and way[0] in ("allOf", "anyOf", "oneOf"):
        way = way[2:]
    return way


def into(value: Json, way: tuple[str, ...], at: str) -> str:
    """The deepest place in a value schema at `at` that corresponds to a path in its JSON Schema."""
    prefix = ""
    while (way := _without_alternatives(way)) and isinstance(value, dict):
        wire = cast("JsonObject", value)
        key, *rest = way
        if key == "items" and not prefix:
            prefix, way = "inner_", tuple(rest)
            continue
        token = {
            "type": f"{prefix}val_type",
            "required": f"{prefix}required_keys",
            "properties": f"{prefix}properties",
            "enum": "enum",
            "description": "description",
        }.get(key)
        if token is None or wire.get(token) is None or (token == "description" and prefix):
            return at
        below = get(wire, pointer(token, *rest[:1]))
        if key == "properties" and rest and below is not MISSING:
            value, way, at, prefix = below, tuple(rest[1:]), at + pointer(token, rest[0]), ""
            continue
        return at + pointer(token, *(rest[:1] if key in ("required", "enum") and below is not MISSING else ()))
    return at
