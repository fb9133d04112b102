"""Clashes of alternatives: values that look like several alternatives, which change them in different ways."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from ..arguments import ArgumentMapData, is_typed

_STEPS: Final = 60_000
"""How many steps the comparisons of one tool take, some 30 ms; pairs of schemas beyond count as different."""

_PAIR: Final = 10
"""How many steps it takes to compare a pair of schemas; one, if it was compared before."""

_NONE: Final[ArgumentMapData] = {}

_NULL: Final[ArgumentMapData] = {"types": ["null"]}


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
        self._clear: dict[tuple[int, int, int, int], int] = {}
        """The level of pairs in which no clash was found, by the ids of their outlines and maps."""

    @property
    def is_spent(self) -> bool:
        """Whether no more is compared."""
        return self._left < 0

    def between(self, one: ArgumentMapData, other: ArgumentMapData) -> bool:
        """Whether some value is one of both alternatives of an argument map, which change it in different ways."""
        found = self._clash(
            one.get("outline", _NONE), one.get("map", _NONE), other.get("outline", _NONE), other.get("map", _NONE), 0
        )
        if found:
            self._clear.clear()  # it has the pairs on the way to the clash, and those that were left to these
        return found

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
        key = id(one), id(one_map), id(other), id(other_map)
        if self._clear.get(key, _LEVELS + 1) <= level:
            return False
        self._clear[key] = level
        for first, first_map, second, second_map in (
            (one, one_map, other, other_map),
            (other, other_map, one, one_map),
        ):
            if "any" in first_map or "any" in first:
                options = _options(first, first_map) if level < _LEVELS else []
                self._left -= len(options)
                return any(self._clash(*option, second, second_map, level + 1) for option in options)
        return (
            self._differ(one_map, other, other_map, level)
            or self._differ(other_map, one, one_map, level)
            or self._members_clash(one, one_map, other, other_map, level)
            or self._clash(
                one.get("items", _NONE),
                one_map.get("items", _NONE),
                other.get("items", _NONE),
                other_map.get("items", _NONE),
                level + 1,
            )
        )

    def _differ(self, first: ArgumentMapData, outline: ArgumentMapData, second: ArgumentMapData, level: int) -> bool:
        """Whether the first map itself changes some value of the outline of the second map, which does not."""
        texts = second.get("text", _NONE)
        for text, value in first.get("text", _NONE).items():
            if texts.get(text, text) != value and _is_text(text, outline):
                return True
        for name in first.get("omit", ()):
            held = outline.get("properties", _NONE).get(name, _NONE)
            is_other = name not in second.get("omit", ()) and name in outline.get("known", ())
            if is_other and self._overlap(_NULL, held, level + 1):
                return True
        return False

    def _members_clash(
        self,
        one: ArgumentMapData,
        one_map: ArgumentMapData,
        other: ArgumentMapData,
        other_map: ArgumentMapData,
        level: int,
    ) -> bool:
        """Whether the values of some property clash."""
        names: dict[str | None, Any] = {**one_map.get("properties", _NONE), **other_map.get("properties", _NONE)}
        known, others = one.get("known", ()), other.get("known", ())
        if "rest" in one_map or "rest" in other_map:
            names |= dict.fromkeys([*known, *others, None])  # None: a property that neither lists
        if not names:
            return False
        known, others = {*known}, {*others}
        for name in names:
            mine = _member(one, one_map, name, is_listed=name in known)
            theirs = _member(other, other_map, name, is_listed=name in others)
            if mine is not None and theirs is not None and self._clash(*mine, *theirs, level + 1):
                return True
        return False

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
        if "rest" in one:
            inner = _with_rest(one, required)
        if "rest" in other:
            others = _with_rest(other, required)
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


def _options(outline: ArgumentMapData, argument_map: ArgumentMapData) -> list[tuple[ArgumentMapData, ArgumentMapData]]:
    """The outlines and maps of the alternatives of a union."""
    if "any" in argument_map:
        return [(it.get("outline", _NONE), it.get("map", _NONE)) for it in argument_map["any"]]
    return [(each, argument_map) for each in outline["any"]]


def _member(
    outline: ArgumentMapData, argument_map: ArgumentMapData, name: str | None, *, is_listed: bool
) -> tuple[ArgumentMapData, ArgumentMapData] | None:
    """The outline and the map of a property; None if the object says nothing of it."""
    if is_listed:
        return outline.get("properties", _NONE).get(name, _NONE), argument_map.get("properties", _NONE).get(name, _NONE)
    if "rest" in outline or "rest" in argument_map:
        return outline.get("rest", _NONE), argument_map.get("rest", _NONE)
    return None


def _with_rest(outline: ArgumentMapData, names: Collection[str]) -> ArgumentMapData:
    """The outlines of properties, with those of these names among the rest."""
    known: Collection[str] = outline.get("known", ())
    return {**{name: outline["rest"] for name in names if name not in known}, **outline.get("properties", _NONE)}


def _spread(kinds: list[str]) -> list[str]:
    """The types, with integer for number."""
    return [*kinds, "integer"] if "number" in kinds else kinds


def _is_text(text: str, outline: ArgumentMapData) -> bool:
    """Whether a text has this outline."""
    return is_typed(text, outline) and text in outline.get("enum", (text,))
