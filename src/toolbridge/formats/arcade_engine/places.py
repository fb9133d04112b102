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


_Nodes: TypeAlias = "list[tuple[Json, str]]"
"""The subschemas that apply at a place, with the place of each."""


class SchemaIndex:
    """Finds places in a schema for places in the same schema with its references written out.

    Args:
        schema: The schema.
    """

    __slots__ = ("_below", "_found", "_known", "_schema")

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        nodes: _Nodes = [(schema, "")]
        self._found: dict[str, tuple[str, _Nodes]] = {"": ("", nodes)}
        self._below: dict[tuple[int, str], _Nodes] = {}
        self._known: dict[tuple[str, ...], _Nodes] = {}  # by their places: each copy of a definition has the same list

    def place(self, place: str) -> str:
        """The place in the schema, as deep as possible."""
        unknown: list[str] = []
        while place not in self._found:
            unknown.append(place)
            place = place[: place.rindex("/")]
        deepest, nodes = self._found[place]
        for inner in reversed(unknown):
            nodes = self._step(nodes, inner[inner.rindex("/") :])
            deepest = nodes[0][1] if nodes else deepest
            self._found[inner] = deepest, nodes
        return deepest

    def _step(self, nodes: _Nodes, step: str) -> _Nodes:
        """What applies one step below, also in what is referred to there."""
        key = id(nodes), step
        if key not in self._below:
            every = [*nodes]
            for value, _ in every:  # which becomes longer meanwhile
                target = cast("JsonObject", value).get("$ref") if isinstance(value, dict) else None
                if isinstance(target, str) and target[:2] in ("#", "#/") and len(every) < DEPTH:
                    every.append((get(self._schema, decoded(target[1:])), decoded(target[1:])))
            below = [(inner, where + step) for value, where in every if (inner := get(value, step)) is not MISSING]
            self._below[key] = self._known.setdefault(tuple(where for _, where in below), below)
        return self._below[key]


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


class ParameterIndex:
    """Finds places in the parameters of a tool for places in the equivalent JSON Schema.

    Args:
        parameters: The parameters.
    """

    __slots__ = ("_found", "_numbers", "_parameters")

    def __init__(self, parameters: list[JsonObject]) -> None:
        self._parameters = parameters
        self._numbers = {parameter["name"]: n for n, parameter in enumerate(parameters) if "name" in parameter}
        self._found: FoundValues = {}

    def place(self, sub: str) -> str:
        """The deepest place in the parameters that corresponds to the place `sub` in the JSON Schema."""
        way, numbers = split(sub), self._numbers
        if way[:1] == ("required",) and len(way) == 2:
            required = [n for n in sorted(numbers.values()) if self._parameters[n].get("required") is True]
            return (
                f"/{required[int(way[1])]}/required"
                if way[1].isdigit() and len(way[1]) < 19 and int(way[1]) < len(required)
                else ""
            )
        way = way[_alternatives(way, 0) :]
        if len(way) < 2 or way[0] != "properties" or way[1] not in numbers:
            return ""
        at = f"/{numbers[way[1]]}"
        parameter = self._parameters[numbers[way[1]]]
        if way[2:] == ("description",) and isinstance(parameter.get("description"), str):
            return f"{at}/description"
        if len(way) == 2 or "value_schema" not in parameter:
            return at
        return place_in_value(parameter["value_schema"], way, 2, f"{at}/value_schema", self._found)


FoundValues: TypeAlias = "dict[tuple[str, ...], tuple[Json, str]]"
"""The value schemas of properties, and their places, by the paths to them in the JSON Schema."""


def place_in_value(value: Json, way: tuple[str, ...], start: int, at: str, found: FoundValues) -> str:
    """The deepest place in a value schema at `at` that corresponds to a path in its JSON Schema, which begins at
    `start` in `way`. `found` keeps what was found, for the next paths into the same value schema.
    """
    end = next((n for n in range(len(way), start, -1) if way[:n] in found), start)
    if end > start:
        value, at = found[way[:end]]
    prefix = ""
    while (end := _alternatives(way, end)) < len(way) and isinstance(value, dict):
        wire, key, rest = cast("JsonObject", value), way[end], way[end + 1 : end + 2]
        if key == "items" and not prefix:
            prefix, end = "inner_", end + 1
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
        below = get(wire, pointer(token, *rest))
        if key == "properties" and rest and below is not MISSING:
            value, at, prefix, end = below, at + pointer(token, *rest), "", end + 2
            found[way[:end]] = value, at
            continue
        return at + pointer(token, *(rest if key in ("required", "enum") and below is not MISSING else ()))
    return at


def _alternatives(way: tuple[str, ...], start: int) -> int:
    """Where a path goes on below alternatives, which are written at the place of their schema."""
    while len(way) > start + 1 and way[start] in ("allOf", "anyOf", "oneOf"):
        start += 2
    return start
