"""Clashes of alternatives: values that look like several alternatives, which change them in different ways."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from ..arguments import ArgumentMapData, is_typed

_STEPS: Final = 60_000
"""How many steps the comparisons of one tool take, some 30 ms; pairs of schemas beyond count as different."""

_PAIR: Final = 10
"""How many steps it takes to compare a pair of schemas; one, if it was compared before."""

_NONE: Final[ArgumentMapData] = {}

_NULL: Final[ArgumentMapData] = {"types": ["null"]}


class Alternative(NamedTuple):
    """An alternative of a union, or what stands within one: the outline of its values, and their argument map."""

    outline: ArgumentMapData = _NONE
    argument_map: ArgumentMapData = _NONE

    @classmethod
    def of(cls, option: ArgumentMapData) -> Alternative:
        """That of an argument map."""
        return cls(option.get("outline", _NONE), option.get("map", _NONE))

    def part(self, key: str) -> Alternative:
        """That of the items of a list, or of the properties that an object does not list."""
        return Alternative(self.outline.get(key, _NONE), self.argument_map.get(key, _NONE))


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

    def alternative(self, option: ArgumentMapData) -> Alternative:
        """An alternative of an argument map."""
        return self._resolved(Alternative.of(option))

    def between(self, one: Alternative, other: Alternative) -> bool:
        """Whether some value is one of both alternatives of a union, which change it in different ways."""
        found = self._clash(one, other, 0)
        if found:
            self._clear.clear()  # pairs on the way to the clash are in it, too
        return found

    def _clash(self, one: Alternative, other: Alternative, level: int) -> bool:
        if level > _LEVELS or not (one.argument_map or other.argument_map):
            return False
        one, other = self._resolved(one), self._resolved(other)
        if one.argument_map is other.argument_map or not self._overlap(one.outline, other.outline, level):
            return False
        key = id(one.outline), id(one.argument_map), id(other.outline), id(other.argument_map)
        if self._clear.get(key, _LEVELS + 1) <= level:
            return False
        self._clear[key] = level
        for first, second in ((one, other), (other, one)):
            if "any" in first.argument_map or "any" in first.outline:
                options = _options(first) if level < _LEVELS else []
                self._left -= len(options)
                return any(self._clash(option, second, level + 1) for option in options)
        return (
            self._changes(one.argument_map, other, level)
            or self._changes(other.argument_map, one, level)
            or self._members_clash(one, other, level)
            or self._clash(one.part("items"), other.part("items"), level + 1)
        )

    def _changes(self, argument_map: ArgumentMapData, other: Alternative, level: int) -> bool:
        """Whether a map changes some value of another alternative, whose own map does not, without a look inside it."""
        texts = other.argument_map.get("text", _NONE)
        for text, value in argument_map.get("text", _NONE).items():
            if texts.get(text, text) != value and _is_text(text, other.outline):
                return True
        for name in argument_map.get("omit", ()):
            held = other.outline.get("properties", _NONE).get(name, _NONE)
            is_other = name not in other.argument_map.get("omit", ()) and name in other.outline.get("known", ())
            if is_other and self._overlap(_NULL, held, level + 1):
                return True
        return False

    def _members_clash(self, one: Alternative, other: Alternative, level: int) -> bool:
        """Whether the values of some property clash."""
        mine, theirs = one.argument_map, other.argument_map
        names: dict[str | None, Any] = {**mine.get("properties", _NONE), **theirs.get("properties", _NONE)}
        known, others = one.outline.get("known", ()), other.outline.get("known", ())
        if "rest" in mine or "rest" in theirs:
            names |= dict.fromkeys([*known, *others, None])  # None: a property that neither lists
        if not names:
            return False
        known, others = {*known}, {*others}
        for name in names:
            first = _member(one, name, is_listed=name in known)
            second = None if first is None else _member(other, name, is_listed=name in others)
            if first is not None and second is not None and self._clash(first, second, level + 1):
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

    def _resolved(self, it: Alternative) -> Alternative:
        """The same with the outline and the map of the definitions to which they refer."""
        argument_map = it.argument_map
        if "ref" not in argument_map and "ref" not in it.outline:
            return it
        for _ in range(_LEVELS):
            if "ref" not in argument_map:
                break
            argument_map = self._argument_maps.get(argument_map["ref"], _NONE)
        return Alternative(self._outline(it.outline), argument_map)


_LEVELS: Final = 12
"""How deeply alternatives are compared."""


def _options(union: Alternative) -> list[Alternative]:
    """The alternatives of a union."""
    if "any" in union.argument_map:
        return [Alternative.of(option) for option in union.argument_map["any"]]
    return [Alternative(outline, union.argument_map) for outline in union.outline["any"]]


def _member(it: Alternative, name: str | None, *, is_listed: bool) -> Alternative | None:
    """A property of an object; None if the object says nothing of it."""
    if is_listed:
        outlines, maps = it.outline.get("properties", _NONE), it.argument_map.get("properties", _NONE)
        return Alternative(outlines.get(name, _NONE), maps.get(name, _NONE))
    return it.part("rest") if "rest" in it.outline or "rest" in it.argument_map else None


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
