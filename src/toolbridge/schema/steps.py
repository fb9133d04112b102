"""Steps: a bound on what it takes to validate a value against a schema, before anything validates it.

References within references, alternatives that refer to themselves and regular expressions let a schema of two
kilobytes ask for more work, memory or stack than any machine has. A validator in native code cannot be stopped then,
and takes the process with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias, cast

from ..data import pointer
from ..data.json_decoder import encode_json
from ..limits import LIMITS, Limits
from .dialect import BudgetExceeded
from .vocabulary import IN_PLACE, REFERENCES, SUBSCHEMAS

HEIGHT: Final = 100
"""How many subschemas may be applied within each other, and how many levels a value may have that is validated.

The smallest stacks of threads (macOS) have 512 kB. In these jsonschema-rs overflowed between 200 and 400 of them in
version 0.55.0, and between 600 and 800 in 0.60.3 (measured on Linux, x86-64, 2026-11-22).
"""

MAX_LOOKAROUND_STRING: Final = 1_000
"""How long a string may be for a pattern that looks around or back: its cost may be the square of the length."""

_MAX_SMALL_CONTAINERS: Final = 8
"""How many objects and arrays a small value may have within it, itself included."""

# At most one of all these applies to each member or item.
_ONE: Final = frozenset(("properties", "additionalProperties", "prefixItems", "items", "additionalItems"))
_REST: Final = frozenset(("unevaluatedProperties", "unevaluatedItems"))
_EACH: Final = frozenset(("patternProperties", "contains", "propertyNames")) | _REST
_APPLIED: Final = IN_PLACE | _ONE | _EACH
_VALUES: Final = frozenset(("enum", "const", "required", "dependentRequired"))

_AGAIN: Final = 4
"""How often what stands beside `unevaluatedProperties` or `unevaluatedItems` is evaluated at most for each time.

Nested 14 times in `anyOf` these made jsonschema-rs 0.60.3 about 3.2 times slower with each level (measured 2026-11-22).
"""

_META: Final = ("http://json-schema.org/", "https://json-schema.org/")
"""What a validator knows without asking anybody: the schemas of JSON Schema."""
_META_WEIGHT: Final = 50

_MAX_COUNT: Final = 10**15
_MAX_STATES: Final = 50_000
_AROUND: Final = re.compile(r"\(\?(?!:|P?<[^=!])|\\[1-9gkKG]|[*+?}]\+")
_REPEAT: Final = re.compile(r"\{(\d{0,9}),?(\d{0,9})\}")


class Pattern(NamedTuple):
    """What a regular expression takes: about how many states its automaton has, and whether it looks around or back."""

    states: int
    around: bool


class Values(NamedTuple):
    """A JSON value by its levels: how many values each has, and how many characters in their strings and keys.

    `longest` is the length of the longest string or key.
    """

    counts: list[int]
    characters: list[int]
    longest: int


class Bound(NamedTuple):
    """What validating a value takes at most: `steps` subschemas that are applied, the longest path of them through each
    other, and `copies`, the values within all the values to which they are applied.
    """

    steps: int
    height: int
    copies: int


class _Level(NamedTuple):
    """What is applied to one value at a level below the one that a node is applied to: how many subschemas, how many
    states of patterns, and how many subschemas stand in each other on the way there.
    """

    applied: int
    states: int
    height: int


_NOTHING: Final = _Level(0, 0, 0)
_Layer: TypeAlias = "dict[int, _Level]"
_Schema: TypeAlias = "dict[str, Any] | bool"


class _Node:
    """A subschema: its own weight, what it applies at the same place, and to the members and items of a value.

    What a reference may lead to is a list of nodes, of which one is meant.
    """

    __slots__ = ("again", "each", "here", "keys", "one", "states", "weight")

    def __init__(self) -> None:
        self.weight = 1
        self.states = 0
        self.keys = 0
        self.again = False
        self.here: list[list[_Node]] = []
        self.one: list[_Node] = []
        self.each: list[_Node] = []


class Steps:
    """A schema, and what validating values against it takes; `branches`: whether there are alternatives in it.

    Raises BudgetExceeded where the schema itself is past the limits, or refers to itself without end.
    """

    def __init__(self, schema: dict[str, Any], limits: Limits = LIMITS) -> None:
        self.limits = limits
        self.around = self.branches = False
        self._schema = schema
        self._nodes: dict[int, _Node] = {}
        self._edges = 0
        self._patterns = 0
        self._names: tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]], bool] | None = None
        self._read(schema)
        self._order = self._sorted()
        self._root = self._nodes[id(schema)]
        self._levels: list[_Level] = []
        self._last: _Layer = {}
        self._work = 0
        self._lock = Lock()
        self._room: int | None = None

    def allows_small(self, value: dict[str, Any]) -> bool:
        """Whether a value is within the limits because it has few objects and arrays, and little else.

        That takes less time than to find the bound, and most calls have such arguments.
        """
        if self._room is None:
            self._room = self._room_of_small()
        text = encode_json(value)
        return len(text) <= self._room and text.count(b"{") + text.count(b"[") <= _MAX_SMALL_CONTAINERS

    def _room_of_small(self) -> int:
        """How long the text of a value with few objects and arrays may be within the limits; -1 if none is."""
        limits = self.limits
        try:
            levels = [self._level(depth) for depth in range(_MAX_SMALL_CONTAINERS + 1)]
        except BudgetExceeded:
            return -1
        applied, states, height = map(max, zip(*levels, strict=True))
        if applied > limits.nodes or height > HEIGHT:
            return -1
        # There are no more values, and no more characters in them, than the text has.
        room = 64 * limits.steps // (64 * applied + states)
        return min(room, MAX_LOOKAROUND_STRING) if self.around else room

    def of(self, values: Values) -> Bound:
        """The bound for a value. Raises BudgetExceeded where it is past the limits."""
        limits = self.limits
        if len(values.counts) > HEIGHT:
            raise BudgetExceeded("", f"the arguments have more than {HEIGHT} levels, and no more are validated")
        if self.around and values.longest > MAX_LOOKAROUND_STRING:
            problem = (
                "a regular expression has lookarounds or backreferences, "
                f"and a string has more than {MAX_LOOKAROUND_STRING:,} characters"
            )
            raise BudgetExceeded("", problem)
        steps = copies = height = 0
        below = sum(values.counts)
        for depth, count in enumerate(values.counts):
            level = self._level(depth)
            steps += count * level.applied + values.characters[depth] * level.states // 64
            copies += below * level.applied
            height = max(height, level.height)
            below -= count
            if level.applied > limits.nodes:
                raise BudgetExceeded("", f"more than {limits.nodes:,} subschemas apply to one value (limit nodes)")
            if height > HEIGHT:
                raise BudgetExceeded("", f"more than {HEIGHT} subschemas apply within each other")
        if steps > limits.steps:
            problem = f"validating the arguments takes more than {limits.steps:,} steps (limit steps)"
            raise BudgetExceeded("", problem)
        return Bound(steps, height, copies)

    # reading

    def _read(self, schema: dict[str, Any]) -> None:
        todo = [schema]
        self._nodes[id(schema)] = _Node()
        while todo:
            body = todo.pop()
            node = self._nodes[id(body)]
            for keyword, value in body.items():
                if keyword in REFERENCES:
                    if isinstance(value, str):
                        node.here.append(self._all(self._targets(value), todo))
                elif keyword in _VALUES:
                    node.weight += _size(value) >> 3
                elif keyword == "pattern":
                    node.states += self._states(value)
                elif keyword in _APPLIED:
                    self._subschemas(node, keyword, value, todo)

    def _subschemas(self, node: _Node, keyword: str, value: Any, todo: list[dict[str, Any]]) -> None:
        inner = self._all(_held(keyword, value), todo)
        if keyword in IN_PLACE:
            self.branches = self.branches or keyword in ("anyOf", "oneOf")
            node.here += [[each] for each in inner]
        elif keyword in _ONE:
            node.one += inner
        else:
            node.each += inner
            node.again = node.again or keyword in _REST
        if keyword == "patternProperties" and isinstance(value, dict):
            node.keys += sum(map(self._states, cast("dict[str, Any]", value)))

    def _all(self, schemas: Iterable[_Schema], todo: list[dict[str, Any]]) -> list[_Node]:
        """The nodes of subschemas; those that have not been seen are to be read."""
        found: list[_Node] = []
        for schema in schemas:
            node = self._nodes.get(id(schema))
            if node is None:
                node = self._nodes[id(schema)] = _Node()
                if schema is _META_SCHEMA:
                    node.weight = _META_WEIGHT
                    node.one.append(node)
                elif isinstance(schema, dict):
                    todo.append(schema)
            found.append(node)
            self._count(1)
        return found

    def _count(self, more: int) -> None:
        self._edges += more
        if self._edges > self.limits.nodes:
            raise BudgetExceeded("", f"it has more than {self.limits.nodes:,} subschemas (limit nodes)")

    def _states(self, text: object) -> int:
        if not isinstance(text, str):
            return 0
        if len(text) > self.limits.pattern:
            problem = f"a regular expression has more than {self.limits.pattern:,} characters (limit pattern)"
            raise BudgetExceeded("", problem)
        found = pattern(text)
        self.around = self.around or found.around
        self._patterns += found.states
        if self._patterns > 10 * _MAX_STATES:
            raise BudgetExceeded("", "its regular expressions repeat too much")
        return found.states

    def _targets(self, reference: str) -> list[_Schema]:
        """Every subschema that a reference may mean, whoever resolves it. Raises BudgetExceeded where there is none.

        Addresses of subschemas (`$id`) are not followed: where there are any, a reference may lead into each.
        """
        resources, anchors, dynamic = self._named()
        address, _, fragment = reference.partition("#")
        bases = [self._schema, *resources] if not address or resources else []
        self._count(len(resources))
        found: list[_Schema] = [*anchors.get(fragment, ())]
        for way in {fragment, pointer.decoded(fragment)}:
            if way[:1] in ("", "/"):
                inner: list[Any] = [pointer.get(base, way) for base in bases]
                found += [each for each in inner if isinstance(each, (dict, bool))]
        if address.startswith(_META) and not dynamic:
            found.append(_META_SCHEMA)
        if not found:
            raise BudgetExceeded("", f"it refers to {reference[:100]!r}, which is not in it")
        return found

    def _named(self) -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]], bool]:
        """The subschemas that have addresses and anchors, and whether there are dynamic ones."""
        if self._names is None:
            resources: list[dict[str, Any]] = []
            anchors: dict[str, list[dict[str, Any]]] = {}
            dynamic = False
            todo: list[Any] = [self._schema]
            while todo:
                value = todo.pop()
                if isinstance(value, list):
                    todo += cast("list[Any]", value)
                elif isinstance(value, dict):
                    body = cast("dict[str, Any]", value)
                    todo += body.values()
                    for key in ("$id", "id"):
                        if isinstance(name := body.get(key), str):
                            resources.append(body)
                            anchors.setdefault(name.partition("#")[2], []).append(body)
                    for key in ("$anchor", "$dynamicAnchor"):
                        if isinstance(name := body.get(key), str):
                            anchors.setdefault(name, []).append(body)
                    dynamic = dynamic or "$dynamicAnchor" in body or "$recursiveAnchor" in body
            anchors.pop("", None)
            self._names = resources, anchors, dynamic
        return self._names

    # counting

    def _sorted(self) -> list[_Node]:
        """The nodes, each behind those that it applies at the same place."""
        done: dict[int, bool] = {}
        order: list[_Node] = []
        for start in self._nodes.values():
            todo = [(start, False)]
            while todo:
                node, left = todo.pop()
                if left:
                    done[id(node)] = True
                    order.append(node)
                elif id(node) not in done:
                    done[id(node)] = False
                    todo.append((node, True))
                    todo += [(inner, False) for choice in node.here for inner in choice]
                elif not done[id(node)]:
                    raise BudgetExceeded("", "it refers to itself without end")
        return order

    def _level(self, depth: int) -> _Level:
        if depth < len(self._levels):
            return self._levels[depth]
        with self._lock:
            return self._deeper(depth)

    def _deeper(self, depth: int) -> _Level:
        while depth >= len(self._levels):
            if self._levels and not any(level.applied for level in self._last.values()):
                return _NOTHING
            self._work += len(self._order)
            if self._work > 10 * self.limits.nodes:
                problem = (
                    f"it has more than {10 * self.limits.nodes:,} subschemas on all levels (ten times limit nodes)"
                )
                raise BudgetExceeded("", problem)
            self._last = self._layer(len(self._levels), self._last)
            self._levels.append(self._last[id(self._root)])
        return self._levels[depth]

    def _layer(self, depth: int, above: _Layer) -> _Layer:
        """What each node applies so many levels below; `above` says it for a level less."""
        layer: _Layer = {}
        for node in self._order:
            count = states = height = 0
            times = _AGAIN if node.again else 1
            for choice in node.here:
                levels = [layer[id(inner)] for inner in choice]
                count += times * max([level.applied for level in levels])
                states += times * max([level.states for level in levels])
                height = max(height, *[level.height for level in levels])
            if depth == 0:
                count, states, height = count + node.weight, states + node.states, height + 1
            else:
                most, share = 0, node.keys if depth == 1 else 0
                for inner in node.one:
                    level = above[id(inner)]
                    most, share, height = max(most, level.applied), max(share, level.states), max(height, level.height)
                for inner in node.each:
                    level = above[id(inner)]
                    most, share = most + times * level.applied, share + times * level.states
                    height = max(height, level.height)
                count, states, height = count + most, states + share, height and height + 1
            layer[id(node)] = _Level(min(count, _MAX_COUNT), min(states, _MAX_COUNT), height)
        return layer


_META_SCHEMA: Final[dict[str, Any]] = {}


def _held(keyword: str, value: Any) -> Iterator[_Schema]:
    """The subschemas that are the value of a keyword."""
    inner: Iterable[Any] = (value,)
    if isinstance(value, list):
        inner = cast("list[Any]", value)
    elif isinstance(value, dict) and SUBSCHEMAS[keyword] == "map":
        inner = cast("dict[str, Any]", value).values()
    yield from (each for each in inner if isinstance(each, (dict, bool)))


def pattern(text: str) -> Pattern:
    """What a regular expression takes, as if all its repetitions stood in each other."""
    states = max(len(text), 1)
    for low, high in _REPEAT.findall(text):
        states = min(states * max(int(low or 1), int(high or 1), 1), _MAX_STATES)
    around = _AROUND.search(text) is not None
    return Pattern(max(states, 20_000) if around else states, around)


def _size(value: Any) -> int:
    """How many values a value has within it."""
    size, todo = 0, [value]
    while todo:
        inner = todo.pop()
        if isinstance(inner, (dict, list)):
            size += len(cast("list[Any]", inner))
            todo += cast("dict[str, Any]", inner).values() if isinstance(inner, dict) else cast("list[Any]", inner)
    return size


def value_levels(value: Any) -> Values:
    """A JSON value by its levels, as many as are validated and one more."""
    counts: list[int] = []
    characters: list[int] = []
    longest = written = 0
    level = [value]
    while level and len(counts) <= HEIGHT:
        below: list[Any] = []
        keys = 0
        for each in level:
            if isinstance(each, str):
                written += len(each)
                longest = max(longest, len(each))
            elif each and isinstance(each, dict):
                body = cast("dict[str, Any]", each)
                lengths = [*map(len, body)]
                keys += sum(lengths)
                longest = max(longest, *lengths)
                below += body.values()
            elif isinstance(each, list):
                below += cast("list[Any]", each)
        counts.append(len(level))
        characters.append(written)
        written, level = keys, below
    return Values(counts, characters, longest)
