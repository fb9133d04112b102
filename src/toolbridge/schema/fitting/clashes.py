"""Clashes of alternatives: values that look like several alternatives, which change them in different ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..arguments import ArgumentMapData, is_typed

_STEPS: Final = 60_000
"""How many steps the comparisons of one tool take, some 30 ms; pairs of schemas beyond count as different."""

_PAIR: Final = 10
"""How many steps it takes to compare a pair of schemas; one, if it was compared before."""

_NONE: Final[ArgumentMapData] = {}


class Clashes:
    """Compares the alternatives of unions by their outlines and their argument maps.

    Args:
        outlines: The outlines of definitions, by name.
        argument_maps: The argument maps of definitions, by name.
    """

    def __init__(self, outlines: Mapping[str, ArgumentMapData], argument_maps: Mapping[str, ArgumentMapData]) -> None:
        self._outlines, self._argument_maps = outlines, argument_maps
        self._left = _STEPS
        self._known: dict[tuple[int, int, int], bool] = {}
        """Whether outlines overlap, by their ids and the level: definitions are compared again and again."""

    @property
    def is_spent(self) -> bool:
        """Whether no more is compared."""
        return self._left < 0

    def between(self, one: ArgumentMapData, other: ArgumentMapData) -> bool:
        """Whether some value is one of both alternatives of an argument map, which change it in different ways."""
        return self._clash(
            one.get("outline", _NONE), one.get("map", _NONE), other.get("outline", _NONE), other.get("map", _NONE), 0
        )

    def _clash(
        self,
        one: ArgumentMapData,
        one_map: ArgumentMapData,
        other: ArgumentMapData,
        other_map: ArgumentMapData,
        level: int,
    ) -> bool:
        one, other = self._outline(one), self._outline(other)
        one_map, other_map = self._map(one_map), self._map(other_map)
        if (
            level > _LEVELS
            or one_map is other_map
            or not (one_map or other_map)
            or not self._overlap(one, other, level)
        ):
            return False
        for outline, first, second in ((other, one_map, other_map), (one, other_map, one_map)):
            texts = second.get("text", _NONE)
            for text, value in first.get("text", _NONE).items():
                if texts.get(text, text) != value and _is_text(text, outline):
                    return True
            for name in first.get("omit", ()):
                held = outline.get("properties", _NONE).get(name, _NONE)
                is_other = name not in second.get("omit", ()) and name in outline.get("known", ())
                if is_other and is_typed(None, self._outline(held)):
                    return True
        mine, theirs = one_map.get("properties", _NONE), other_map.get("properties", _NONE)
        inner, others = one.get("properties", _NONE), other.get("properties", _NONE)
        return any(
            self._clash(
                inner.get(name, _NONE),
                mine.get(name, _NONE),
                others.get(name, _NONE),
                theirs.get(name, _NONE),
                level + 1,
            )
            for name in {**mine, **theirs}
            if name in one.get("known", ()) and name in other.get("known", ())
        ) or self._clash(
            one.get("items", _NONE),
            one_map.get("items", _NONE),
            other.get("items", _NONE),
            other_map.get("items", _NONE),
            level + 1,
        )

    def _overlap(self, one: ArgumentMapData, other: ArgumentMapData, level: int) -> bool:
        """Whether a value may have both outlines, and lists no other names."""
        one, other = self._outline(one), self._outline(other)
        if level > _LEVELS:
            return True
        key = id(one), id(other), level
        known = self._known.get(key)
        self._left -= _PAIR if known is None else 1
        if self._left < 0:
            return False
        if known is None:
            known = self._known[key] = self._may_overlap(one, other, level)
        return known

    def _may_overlap(self, one: ArgumentMapData, other: ArgumentMapData, level: int) -> bool:
        """The same for outlines that are no references."""
        for first, second in ((one, other), (other, one)):
            if "any" in first:
                return any(self._overlap(each, second, level + 1) for each in first["any"])
        kinds, others = one.get("types"), other.get("types")
        if kinds is not None and others is not None:
            both = {*_spread(kinds)} & {*_spread(others)}
            if not both:
                return False
        if "enum" in one and "enum" in other and not any(value in other["enum"] for value in one["enum"]):
            return False
        required = {*one.get("required", ()), *other.get("required", ())}
        for outline in (one, other):
            if "known" in outline and "rest" not in outline and not required <= {*outline["known"]}:
                return False
        inner, others = one.get("properties", _NONE), other.get("properties", _NONE)
        return all(
            self._overlap(inner[name], others[name], level + 1) for name in required if name in inner and name in others
        )

    def _outline(self, outline: ArgumentMapData) -> ArgumentMapData:
        for _ in range(_LEVELS):
            if "ref" not in outline:
                break
            outline = self._outlines.get(outline["ref"], _NONE)
        return outline

    def _map(self, argument_map: ArgumentMapData) -> ArgumentMapData:
        for _ in range(_LEVELS):
            if "ref" not in argument_map:
                break
            argument_map = self._argument_maps.get(argument_map["ref"], _NONE)
        return argument_map


_LEVELS: Final = 12
"""How deeply alternatives are compared."""


def _spread(kinds: list[str]) -> list[str]:
    """The types, with integer for number."""
    return [*kinds, "integer"] if "number" in kinds else kinds


def _is_text(text: str, outline: ArgumentMapData) -> bool:
    """Whether a text has this outline."""
    return is_typed(text, outline) and text in outline.get("enum", (text,))
