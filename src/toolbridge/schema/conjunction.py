"""Conjunctions: everything that one subschema demands, from its keywords, its references and the parts of its allOf."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from functools import lru_cache
from math import ceil, floor, isfinite
from typing import Any, Final, NamedTuple, TypeAlias, cast

from ..data.equality import value_key
from ..data.pointer import escape
from ..limits import Limits
from .arguments import kind_of
from .dialect import BudgetExceeded
from .drafts import draft_rules, upgrade, with_null
from .glance import ANYTHING, NOTHING, Glance, disjoint, look
from .mistakes import holds, with_type
from .mistakes import with_required as with_required_beside
from .references import Document, has_references
from .vocabulary import DEFINITIONS, IDENTIFIERS, IN_PLACE, REFERENCES, SUBSCHEMAS, is_annotation, is_sound, text

Sub: TypeAlias = "tuple[tuple[Any, str], ...]"
"""A subschema: parts that have to accept a value together, each with its place. Without parts it accepts anything."""

NUMBERS: Final = frozenset({"integer", "fraction"})

_INTEGERS: Final = frozenset({"integer"})

KINDS: Final = NUMBERS | {"null", "boolean", "string", "array", "object"}
"""The types of values: a number is a whole one, an integer, or a fraction."""

_TYPES: Final = {kind: frozenset({kind}) for kind in KINDS - {"fraction"}} | {"number": NUMBERS}

COUNTED: Final = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
"""The bounds on how many characters, items or properties a value of a type has."""

MOST_PATTERNS: Final = 500
"""How many patterns of names of one subschema are tried: as many are kept compiled."""

_MAX_PARTS: Final = 1_000
"""How many parts of one subschema, or alternatives, are looked at."""


class ObjectDemand(NamedTuple):
    """What one subschema demands of the members of an object; `rest` is for those that it does not name."""

    properties: dict[str, Sub]
    patterns: dict[str, Sub]
    rest: Sub

    def names(self, name: str) -> bool | None:
        """Whether a property is named, itself or by a pattern; None where a pattern cannot be tried."""
        if name in self.properties:
            return True
        found = [matches(pattern, name) for pattern in self.patterns]
        return True if True in found else None if None in found else False


class ArrayDemand(NamedTuple):
    """What one subschema demands of the items of an array: of the first ones, and of the rest."""

    first: list[Sub]
    rest: Sub


class ContainsDemand(NamedTuple):
    """How many items of an array a subschema has to accept."""

    sub: Sub
    least: float
    most: float
    place: str


class Conditional(NamedTuple):
    """What is demanded of the values that a condition accepts, and of the others."""

    condition: Sub
    then: Sub
    otherwise: Sub
    place: str


class Conjunction:
    """What one subschema demands, as a value of Python: all of it has to hold.

    `at` has the places of keywords, `annotations` these with their places, `opaque` the keywords that say nothing
    here, by keyword and value. `key` is the same for conjunctions of the same parts of one document.
    """

    def __init__(self, key: tuple[str, ...], raw: Any) -> None:
        self.key = key
        self.raw = raw
        self.at: dict[str, str] = {}
        self.annotations: dict[str, tuple[Any, str]] = {}
        self.never = False
        self.types = KINDS
        self.values: dict[Any, Any] | None = None
        self.lower: tuple[float, bool] | None = None
        self.upper: tuple[float, bool] | None = None
        self.multiples: set[float] = set()
        self.counts: dict[str, float] = {}
        self.patterns: dict[str, str] = {}
        self.formats: dict[str, str] = {}
        self.unique = False
        self.objects: list[ObjectDemand] = []
        self.required: dict[str, str] = {}
        self.arrays: list[ArrayDemand] = []
        self.contains: list[ContainsDemand] = []
        self.names: Sub = ()
        self.dependent_names: dict[str, set[str]] = {}
        self.dependent_subs: dict[str, Sub] = {}
        self.unions: list[list[Sub]] = []
        self.exclusive: list[list[Sub]] = []
        self.nots: list[Sub] = []
        self.conditionals: list[Conditional] = []
        self.opaque: dict[tuple[str, Any], str] = {}
        self.unevaluated: list[str] = []

    @property
    def place(self) -> str:
        """The place of the first part."""
        return self.key[0] if self.key else ""

    @property
    def is_scalar(self) -> bool:
        """Whether nothing is demanded beside types, values, and bounds."""
        return not (
            self.objects
            or self.required
            or self.arrays
            or self.contains
            or self.names
            or self.dependent_names
            or self.dependent_subs
            or self.unions
            or self.exclusive
            or self.nots
            or self.conditionals
            or self.opaque
            or self.unevaluated
        )

    @property
    def is_free(self) -> bool:
        """Whether nothing is demanded at all."""
        return self.is_scalar and not (self.never or self.types != KINDS or self.is_bounded)

    @property
    def is_bounded(self) -> bool:
        """Whether scalars of an accepted type may be refused."""
        bounds = (self.values, self.lower, self.upper)
        return bounds != (None, None, None) or bool(
            self.multiples or self.counts or self.patterns or self.formats or self.unique
        )

    @property
    def is_union(self) -> bool:
        """Whether one list of alternatives is all that is demanded."""
        if len(self.unions) != 1 or self.never or self.types != KINDS or self.is_bounded:
            return False
        alone = copy(self)
        alone.unions = []
        return alone.is_scalar

    def admits(self, value: Any) -> bool | None:
        """Whether a value is accepted; None where that is not decided here."""
        kind = _kind(value)
        if self.never or kind not in self.types or (self.values is not None and value_key(value) not in self.values):
            return False
        if not self.is_scalar:
            return None
        if kind in NUMBERS:
            return self._admits_number(value)
        least, most = COUNTED.get(kind, ("", ""))
        if least and not self.counts.get(least, 0) <= len(value) <= self.counts.get(most, float("inf")):
            return False
        undecided = (kind == "string" and (self.patterns or self.formats)) or (kind == "array" and self.unique)
        return None if undecided else True

    def _admits_number(self, value: float) -> bool | None:
        for bound, sign in ((self.lower, 1), (self.upper, -1)):
            if bound is not None and (sign * value < sign * bound[0] or (bound[1] and value == bound[0])):
                return False
        if not self.multiples:
            return True
        numbers = (value, *self.multiples)
        if not all(isinstance(each, int) or each.is_integer() for each in numbers):
            return None
        whole, *multiples = map(int, numbers)  # an integer may be too large for a float
        return all(whole % each == 0 for each in multiples)

    def finite(self) -> dict[Any, Any] | None:
        """The values that are accepted, by their keys, where these are plainly so many; None otherwise."""
        values = self.values
        if values is None:
            if not self.types <= {"null", "boolean"}:
                return None
            values = {value_key(value): value for value in (None, True, False)}
        admitted = {key: (value, self.admits(value)) for key, value in values.items()}
        if any(verdict is None for _, verdict in admitted.values()):
            return None
        return {key: value for key, (value, verdict) in admitted.items() if verdict}

    def split(self) -> list[Conjunction]:
        """One conjunction for each type; the same one where there is one type, or where any is accepted."""
        kinds = [
            kind for kind in (NUMBERS, *(frozenset({kind}) for kind in sorted(KINDS - NUMBERS))) if kind & self.types
        ]
        if len(kinds) == 1 or self.types == KINDS or self.values is not None:
            return [self]
        parts: list[Conjunction] = []
        for kind in kinds:
            part = copy(self)
            part.types = self.types & kind
            part.key = (*self.key, f"\0{min(kind)}")
            parts.append(part)
        return parts

    def bounds(self, kinds: frozenset[str]) -> tuple[tuple[float, bool] | None, tuple[float, bool] | None]:
        """The bounds on numbers of these types: those on whole numbers are whole, and accepted themselves."""
        lower, upper = self.lower, self.upper
        if kinds == _INTEGERS:
            if lower is not None and _is_finite(lower[0]):
                lower = (floor(lower[0]) + 1 if lower[1] else ceil(lower[0]), False)
            if upper is not None and _is_finite(upper[0]):
                upper = (ceil(upper[0]) - 1 if upper[1] else floor(upper[0]), False)
        return lower, upper

    @property
    def demands(self) -> int:
        """About how many microseconds it takes to look for what is demanded of one property.

        Raises BudgetExceeded for more patterns than are kept compiled.
        """
        patterns = sum(len(it.patterns) for it in self.objects)
        if patterns > MOST_PATTERNS:
            raise BudgetExceeded(self.place, f"{patterns:,} patterns of names")
        return len(self.objects) + 2 * patterns

    def member(self, name: str) -> tuple[Sub, bool | None]:
        """What is demanded of a property, and whether it is named (None: that cannot be decided)."""
        parts: Sub = ()
        named: bool | None = False
        for it in self.objects:
            own = it.names(name)
            named = None if own is None or named is None else named or own
            parts += it.properties.get(name, ())
            parts += tuple(part for pattern, sub in it.patterns.items() if matches(pattern, name) for part in sub)
            parts += it.rest if own is False else ()
        return parts, named

    def item(self, index: int) -> Sub:
        """What is demanded of an item of an array."""
        return tuple(part for it in self.arrays for part in (it.first[index] if index < len(it.first) else it.rest))


_EACH: Final = 8
"""About how many microseconds it takes to read a subschema, beside its members."""


def _size(value: Any) -> int:
    """About how many microseconds it takes to read a subschema without those in it."""
    members = cast("dict[str, Any]", value).values() if isinstance(value, dict) else ()
    return _EACH + sum(len(cast("Any", each)) for each in members if isinstance(each, (dict, list)))


def _is_finite(number: float) -> bool:
    return isinstance(number, int) or isfinite(number)  # an integer may be too large for a float


def _kind(value: Any) -> str:
    kind = kind_of(value)
    return "fraction" if kind == "number" else kind


def matches(pattern: str, name: str) -> bool | None:
    """Whether a pattern finds something in a name; None for one that is not plain, or a name that is not.

    A plain pattern means the same to every regular expression engine, and is searched for in little time.
    """
    if len(pattern) + len(name) > _MAX_PATTERN_AND_NAME or not name.isprintable():
        return None
    plain = _plain(pattern)
    return None if plain is None else plain.search(name) is not None


@lru_cache(maxsize=2 * MOST_PATTERNS)
def _plain(pattern: str) -> re.Pattern[str] | None:
    """A plain pattern, compiled; None for another one."""
    if _PLAIN.fullmatch(pattern) is None or len(_REPEATS.findall(pattern)) > 2:
        return None
    return re.compile(f"{pattern[:-1]}\\Z" if pattern.endswith("$") else pattern)


_MAX_PATTERN_AND_NAME: Final = 400
_PLAIN: Final = re.compile(r"\^?(?:(?:[A-Za-z0-9_ -]|\.|\[\^?(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9_])+-?\])[*+?]?)*\$?")
_REPEATS: Final = re.compile(r"[*+?]")


class ComparisonBound:
    """How much a comparison may still do: about as many microseconds."""

    def __init__(self, limits: Limits) -> None:
        self.most = self.left = 50 * limits.nodes

    def spend(self, amount: int, place: str) -> None:
        """Do some of it. Raises BudgetExceeded where none is left."""
        self.left -= amount
        if self.left < 0:
            raise BudgetExceeded(place, "too much to compare (limit nodes)")


class SchemaReader:
    """The conjunctions of one schema. Raises BudgetExceeded for a schema that is too large."""

    def __init__(self, schema: dict[str, Any], limits: Limits, bound: ComparisonBound) -> None:
        data = text(schema)
        self.schema = schema
        self._bound = bound
        self.rules = draft_rules(schema, data)
        self.document = Document(schema, limits) if has_references(schema, data) else None
        self.depends_on_scope = self.document is not None and self.document.depends_on_scope()
        self._known: dict[tuple[str, ...], Conjunction] = {}

    def conjunction(self, sub: Sub) -> Conjunction:
        """What a subschema demands."""
        self._bound.spend(1 + len(sub) // 4, sub[0][1] if sub else "")
        key = tuple(place for _, place in sub)
        known = self._known.get(key)
        if known is not None:
            return known
        it = self._known[key] = Conjunction(key, sub[0][0] if len(sub) == 1 else [value for value, _ in sub])
        todo = list(sub)
        seen: set[str] = set()
        for value, place in todo:
            if place in seen:
                continue
            seen.add(place)
            self._bound.spend(_size(value) * (1 + len(place) // 200), place)
            if len(seen) > _MAX_PARTS:
                it.opaque["", key] = place
                break
            if value is False:
                it.never = True
                it.at.setdefault("", place)
            elif isinstance(value, dict):
                todo += self._gather(it, cast("dict[str, Any]", value), place)
            elif value is not True:
                it.opaque["", value_key(value)] = place
        if it.values is not None:
            it.values = {key: value for key, value in it.values.items() if _kind(value) in it.types}
            it.types = frozenset(map(_kind, it.values.values()))
        it.never = it.never or not it.types
        return it

    def _gather(self, it: Conjunction, given: dict[str, Any], place: str) -> list[tuple[Any, str]]:
        """Add what one part demands. Returns further parts: targets of references, parts of allOf."""
        node, stood = given, dict[str, str]()
        if self.rules is not None:
            node, stood, gone = upgrade(node, self.rules)
            for code, key in gone:
                if code == "TB201":
                    it.opaque[key, value_key(given[key])] = f"{place}/{escape(key)}"
            if (split := with_null(node, gone)) is not None:
                node, rest = split
                at = f"{place}/nullable"
                it.unions.append([((rest, place), (True, at)), (({"type": "null"}, at),)])
                it.at.setdefault("anyOf", at)
        if "properties" in node:
            node = with_required_beside(with_type(node))
        more: list[tuple[Any, str]] = []
        part = _Part(node, place, stood)
        for key, value in node.items():
            where = part.at(key)
            if key in REFERENCES:
                target = self._target(place, key)
                if target is None:
                    it.opaque[key, value_key(value)] = where
                else:
                    more.append(target)
            elif key in DEFINITIONS or key in IDENTIFIERS:
                continue
            elif not part.is_read(key, value):
                it.opaque[key, value_key(value)] = where
            elif key in _KEYWORDS:
                _KEYWORDS[key](it, value, where)
            elif key == "allOf":
                more += [(inner, f"{where}/{index}") for index, inner in enumerate(value)]
            elif key in ("anyOf", "oneOf"):
                subs: list[Sub] = [((inner, f"{where}/{index}"),) for index, inner in enumerate(value)]
                plain = key == "anyOf" or len(subs) == 1 or disjoint([_glance(sub[0][0]) for sub in subs])
                (it.unions if plain else it.exclusive).append(subs)
                it.at.setdefault(key, where)
            elif is_annotation(key):
                it.annotations.setdefault(key, (value, where))
        part.add_groups(it)
        return more

    def _target(self, place: str, key: str) -> tuple[Any, str] | None:
        node = None if self.document is None else self.document.nodes.get(place)
        if self.document is None or node is None:
            return None
        found = self.document.target(node, key, ("",))  # the root is in every scope
        return None if found is None else (self.document.held(found[0]), found[0])

    def alternatives(self, it: Conjunction) -> list[Conjunction]:
        """The conjunctions of which any one has to hold, each of one type."""
        todo, seen, parts = [it], set[tuple[str, ...]](), list[Conjunction]()
        for each in todo:
            if each.key in seen or each.never:
                continue
            seen.add(each.key)
            if each.is_union and len(todo) < _MAX_PARTS:
                todo += [self.conjunction(sub) for sub in each.unions[0]]
                continue
            self._bound.spend(_EACH, each.place)
            options = each.split()
            if each is it:  # its annotations are those of the whole
                options = [copy(option) for option in options]
                for option in options:
                    option.annotations = {}
            parts += options
        return parts


def _glance(value: Any) -> Glance:
    """What is plain to see of a subschema; one without a type of its own that may be null besides can be anything."""
    if not isinstance(value, dict):
        return NOTHING if value is False else ANYTHING
    node = cast("dict[str, Any]", value)
    is_open = node.get("nullable") is True and not isinstance(node.get("type"), str)
    return ANYTHING if is_open else look(node, node.get("properties"))


def _types(value: Any) -> frozenset[str] | None:
    """The types that a `type` names; None where one of them is unknown."""
    named: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [value]
    if not all(isinstance(name, str) and name in _TYPES for name in named):
        return None
    return frozenset(kind for name in named for kind in _TYPES[name])


# The keywords that stand for themselves


def _add_type(it: Conjunction, value: Any, where: str) -> None:
    types = _types(value)
    if types is None:
        it.opaque["type", value_key(value)] = where
        return
    it.types &= types
    it.at.setdefault("type", where)


def _add_values(it: Conjunction, values: list[Any], where: str) -> None:
    keyed = {value_key(value): value for value in values}
    it.values = keyed if it.values is None else {key: value for key, value in it.values.items() if key in keyed}
    it.at.setdefault("enum", where)


def _add_bound(name: str, keyword: str, sign: int, *, exclusive: bool) -> Callable[[Conjunction, Any, str], None]:
    def add(it: Conjunction, value: float, where: str) -> None:
        known: tuple[float, bool] | None = getattr(it, name)
        if known is None or (sign * value, exclusive) > (sign * known[0], known[1]):
            setattr(it, name, (value, exclusive))
            it.at[keyword] = where

    return add


def _add_count(keyword: str) -> Callable[[Conjunction, Any, str], None]:
    least = keyword.startswith("min")

    def add(it: Conjunction, value: float, where: str) -> None:
        known = it.counts.get(keyword)
        if (value > 0 or not least) and (known is None or (value > known if least else value < known)):
            it.counts[keyword] = value
            it.at[keyword] = where

    return add


def _add_multiple(it: Conjunction, value: float, where: str) -> None:
    it.multiples.add(int(value) if value == value // 1 else value)
    it.at.setdefault("multipleOf", where)


def _add_pattern(it: Conjunction, value: str, where: str) -> None:
    it.patterns.setdefault(value, where)
    it.at.setdefault("pattern", where)


def _add_format(it: Conjunction, value: str, where: str) -> None:
    it.formats.setdefault(value, where)
    it.at.setdefault("format", where)


def _add_unique(it: Conjunction, value: bool, where: str) -> None:
    it.unique = it.unique or value
    it.at.setdefault("uniqueItems", where)


def _add_required(it: Conjunction, value: list[str], where: str) -> None:
    for index, name in enumerate(value):
        it.required.setdefault(name, f"{where}/{index}")
    it.at.setdefault("required", where)


def _add_not(it: Conjunction, value: Any, where: str) -> None:
    it.nots.append(((value, where),))
    it.at.setdefault("not", where)


def _add_names(it: Conjunction, value: Any, where: str) -> None:
    it.names += ((value, where),)


def _add_dependent(it: Conjunction, value: dict[str, list[str]], where: str) -> None:
    for name, names in value.items():
        if names:
            it.dependent_names[name] = it.dependent_names.get(name, set[str]()) | {*names}
    it.at.setdefault("dependentRequired", where)


def _add_dependent_subs(it: Conjunction, value: dict[str, Any], where: str) -> None:
    for name, inner in value.items():
        it.dependent_subs[name] = (*it.dependent_subs.get(name, ()), (inner, f"{where}/{escape(name)}"))


_KEYWORDS: Final[dict[str, Callable[[Conjunction, Any, str], None]]] = {
    "type": _add_type,
    "enum": _add_values,
    "const": lambda it, value, where: _add_values(it, [value], where),
    "minimum": _add_bound("lower", "minimum", 1, exclusive=False),
    "exclusiveMinimum": _add_bound("lower", "minimum", 1, exclusive=True),
    "maximum": _add_bound("upper", "maximum", -1, exclusive=False),
    "exclusiveMaximum": _add_bound("upper", "maximum", -1, exclusive=True),
    "multipleOf": _add_multiple,
    **{keyword: _add_count(keyword) for pair in COUNTED.values() for keyword in pair},
    "pattern": _add_pattern,
    "format": _add_format,
    "uniqueItems": _add_unique,
    "required": _add_required,
    "not": _add_not,
    "propertyNames": _add_names,
    "dependentRequired": _add_dependent,
    "dependentSchemas": _add_dependent_subs,
}


_READ: Final = _KEYWORDS.keys() | {
    *("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "allOf", "anyOf", "oneOf"),
    *("prefixItems", "items", "unevaluatedItems", "contains", "minContains", "maxContains", "if", "then", "else"),
    *("additionalItems", "dependencies", "nullable"),
}
"""The constraints that are read here, and those of older drafts, which mean nothing in 2020-12."""


class _Part:
    """One subschema whose keywords are read together: those of objects, of arrays, of a condition."""

    def __init__(self, node: dict[str, Any], place: str, stood: dict[str, str]) -> None:
        self.node = node
        self.place = place
        self.stood = stood
        self.held = {key: value for key, value in node.items() if key in SUBSCHEMAS and holds(SUBSCHEMAS[key], value)}

    def at(self, key: str) -> str:
        """The place of a keyword, which an older draft may call otherwise."""
        return f"{self.place}/{self.stood[key] if key in self.stood else escape(key)}"

    def is_read(self, key: str, value: Any) -> bool:
        """Whether it is known here what a keyword demands."""
        if not is_sound(key, value) or (key in SUBSCHEMAS and key not in self.held):
            return False
        return key in _READ or is_annotation(key)

    def sub(self, key: str) -> Sub:
        """The subschema of a keyword; one that accepts anything where the keyword is absent."""
        return ((self.held[key], self.at(key)),) if key in self.held else ()

    def subs(self, key: str) -> dict[str, Sub]:
        """The subschemas of a keyword by name."""
        where = self.at(key)
        return {name: ((inner, f"{where}/{escape(name)}"),) for name, inner in self.held.get(key, {}).items()}

    def add_groups(self, it: Conjunction) -> None:
        """Add the keywords that are read together."""
        keys = self.node.keys()
        evaluates = not keys.isdisjoint(IN_PLACE | REFERENCES)
        rest, items = self.sub("additionalProperties"), self.sub("items")
        if "unevaluatedProperties" in keys:
            if evaluates:
                it.unevaluated.append(self.at("unevaluatedProperties"))
            elif "additionalProperties" not in keys:
                rest = self.sub("unevaluatedProperties")
        if "unevaluatedItems" in keys:
            if evaluates or "contains" in keys:
                it.unevaluated.append(self.at("unevaluatedItems"))
            elif "items" not in keys:
                items = self.sub("unevaluatedItems")
        properties, patterns = self.subs("properties"), self.subs("patternProperties")
        if properties or patterns or rest:
            it.objects.append(ObjectDemand(properties, patterns, rest))
        where = self.at("prefixItems")
        first: list[Sub] = [((inner, f"{where}/{n}"),) for n, inner in enumerate(self.held.get("prefixItems", ()))]
        if first or items:
            it.arrays.append(ArrayDemand(first, items))
        if "contains" in self.held:
            least, most = self.node.get("minContains", 1), self.node.get("maxContains", float("inf"))
            it.contains.append(ContainsDemand(self.sub("contains"), least, most, self.at("contains")))
        if "if" in keys and ("then" in keys or "else" in keys):
            it.conditionals.append(Conditional(self.sub("if"), self.sub("then"), self.sub("else"), self.at("if")))
