"""Corresponding places in a JSON Schema and in the equivalent ValueSchema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ...data.pointer import MISSING, get, split, step
from ...data.pointer import join as pointer
from ...data.types import Json, JsonObject, is_object

DEPTH: Final = 100
"""How deeply schemas may be nested; far beyond any tool, and far below Python's own limit."""


def places_in(parameters: list[JsonObject]) -> Callable[[str], str]:
    """A function that finds the deepest place in the parameters of a tool for a place in the equivalent JSON Schema."""
    numbers = {parameter["name"]: n for n, parameter in enumerate(parameters) if "name" in parameter}
    found: FoundValues = {}

    def place(sub: str) -> str:
        way = split(sub)
        if way[:1] == ("required",) and len(way) == 2:
            number = step([n for n in sorted(numbers.values()) if parameters[n].get("required") is True], way[1])
            return "" if number is MISSING else f"/{number}/required"
        if len(way) < 2 or way[0] != "properties" or way[1] not in numbers:
            return ""
        at = f"/{numbers[way[1]]}"
        parameter = parameters[numbers[way[1]]]
        if way[2:] == ("description",) and isinstance(parameter.get("description"), str):
            return f"{at}/description"
        if len(way) == 2 or "value_schema" not in parameter:
            return at
        return place_in_value(parameter["value_schema"], way, 2, f"{at}/value_schema", found)

    return place


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
    while end < len(way) and is_object(value):
        key, rest = way[end], way[end + 1 : end + 2]
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
        if token is None or value.get(token) is None or (token == "description" and prefix):
            return at
        below = get(value, pointer(token, *rest))
        if key == "properties" and rest and below is not MISSING:
            value, at, prefix, end = below, at + pointer(token, *rest), "", end + 2
            found[way[:end]] = value, at
            continue
        return at + pointer(token, *(rest if key in ("required", "enum") and below is not MISSING else ()))
    return at
