"""What changed between two schemas, place by place: which values are accepted now that were refused, and the reverse.

A verdict is proved or not given. All changes of a comparison together keep these promises, whatever the schemas say:

- no change at all: both schemas accept the same values;
- nothing that may refuse more (`less` is false everywhere): whatever the old schema accepts, the new one accepts;
- nothing that may accept more (`more` is false everywhere): whatever the new schema accepts, the old one accepts.

The comparison follows the structure of both schemas from the root. A demand is a set of values, a schema the
intersection of its demands (or the union of its alternatives), so that the schema grows where a demand grows. `not`
turns that round, and where it does not hold (`oneOf` whose alternatives overlap, the condition of `if`) a change is one
that cannot be compared. Pairs of subschemas are compared once, so that recursive schemas come to an end; an instance of
a recursive schema is smaller at each step, so that the promises hold for these by induction.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from math import lcm
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from msgspec import UNSET

from ..data.equality import exact_key, same, value_key
from ..limits import LIMITS, Limits
from .conjunction import COUNTED, KINDS, NUMBERS, ComparisonBound, Conjunction, SchemaReader, Sub, matches
from .dialect import BudgetExceeded
from .vocabulary import is_annotation, separate, walk

Verdict: TypeAlias = Literal[
    "widened", "narrowed", "incomparable", "property-added", "property-removed", "text", "default", "rewritten"
]


class SchemaChange(NamedTuple):
    """One difference between two schemas.

    `source` and `target` are its places in the old schema and in the new one (None: not there), `before` and `after`
    the values (UNSET: none). `more` is whether the new schema may accept values here that the old one refuses, `less`
    whether it may refuse values that the old one accepts. `required` is whether an added property has to be given.
    """

    kind: Verdict
    keyword: str
    source: str | None
    target: str | None
    before: Any
    after: Any
    more: bool
    less: bool
    required: bool = False


def compare_schemas(old: dict[str, Any], new: dict[str, Any], limits: Limits = LIMITS) -> list[SchemaChange]:
    """What changed between two schemas; nothing where they are equal."""
    if same(old, new):
        return []
    try:
        bound = ComparisonBound(limits)
        one, other = SchemaReader(old, limits, bound), SchemaReader(new, limits, bound)
        if one.depends_on_scope or other.depends_on_scope:
            raise BudgetExceeded("", "a $dynamicRef with several targets")
        run = _Comparison(one, other, limits.nodes, bound)
        run.push(((old, ""),), ((new, ""),))
        run.run()
    except BudgetExceeded:
        return [SchemaChange("incomparable", "", "", "", old, new, more=True, less=True)]
    if not run.changes:
        return [SchemaChange("rewritten", "", "", "", old, new, more=False, less=False)]
    return [*run.changes.values()]


class _Pair(NamedTuple):
    """Two conjunctions to compare; `sign` is 1 where the schema grows with them, -1 where it shrinks, 0 where neither
    is known. `places` are the nearest places of both.
    """

    old: Conjunction
    new: Conjunction
    sign: int
    places: tuple[str, str]


_DEEPEST: Final = 2
"""How often alternatives are compared within the comparison of alternatives."""

_MAX_ALTERNATIVES_TRIED: Final = 64
"""How many alternatives are tried to find one that contains another."""

_STEPS: Final = 200
"""How many pairs are compared to find that out."""

_PAIR: Final = 20
"""About how many microseconds a pair takes beside its members."""


class _Comparison:
    """The comparison of two schemas, pair by pair."""

    def __init__(
        self, old: SchemaReader, new: SchemaReader, steps: int, bound: ComparisonBound, level: int = 0
    ) -> None:
        self.old = old
        self.new = new
        self.steps = steps
        self.bound = bound
        self.level = level
        self.changes: dict[object, SchemaChange] = {}
        self.are_plain = old.document is None and new.document is None and old.rules == new.rules
        self._todo: deque[_Pair] = deque()
        self._seen: set[tuple[tuple[str, ...], tuple[str, ...], int]] = set()

    def push(self, old: Sub, new: Sub, sign: int = 1, places: tuple[str, str] = ("", "")) -> None:
        """Have two subschemas compared."""
        if not (old or new):
            return
        if self.are_plain and len(old) == len(new) == 1 and same(old[0][0], new[0][0]):
            return
        self.push_pair(self.old.conjunction(old), self.new.conjunction(new), sign, places)

    def push_pair(self, old: Conjunction, new: Conjunction, sign: int, places: tuple[str, str]) -> None:
        """Have two conjunctions compared."""
        key = (old.key, new.key, sign)
        if key in self._seen:
            return
        self._seen.add(key)
        self.bound.spend(_PAIR, new.place)
        if len(self._seen) > self.steps:
            raise BudgetExceeded(new.place, f"more than {self.steps:,} pairs of subschemas (limit nodes)")
        self._todo.append(_Pair(old, new, sign, (old.place or places[0], new.place or places[1])))

    def run(self) -> None:
        """Compare until there is nothing left."""
        while self._todo:
            self._compare(self._todo.popleft())

    def note(
        self,
        pair: _Pair,
        keyword: str,
        before: Any,
        after: Any,
        *,
        more: bool = False,
        less: bool = False,
        kind: Verdict | None = None,
        places: tuple[str | None, str | None] | None = None,
        required: bool = False,
    ) -> None:
        """Note a change; `more` and `less` are those of the pair itself."""
        if pair.sign < 1 and kind in ("property-added", "property-removed"):
            if not (more or less):
                return
            kind = None
        if kind not in ("text", "default"):
            if pair.sign < 0:
                more, less = less, more
            elif pair.sign == 0:
                more = less = True
        source, target = places or (pair.old.at.get(keyword), pair.new.at.get(keyword))
        if source is None and target is None:
            source, target = pair.places
        chosen = kind or ("incomparable" if more and less else "widened" if more else "narrowed")
        change = SchemaChange(chosen, keyword, source, target, before, after, more, less, required)
        self.changes.setdefault((*change[:4], exact_key(before), exact_key(after), more, less), change)

    def _compare(self, pair: _Pair) -> None:
        old, new, _, places = pair
        self._compare_annotations(pair)
        if old.never or new.never:
            if old.never != new.never:
                ends = tuple(it.at.get("", at) if it.key else None for it, at in zip((old, new), places, strict=True))
                self.note(pair, "", _raw(old), _raw(new), more=old.never, less=new.never, places=(ends[0], ends[1]))
            return
        if old.is_free or new.is_free:
            if not (old.is_free and new.is_free):
                where = (places[0] if old.key else None, places[1] if new.key else None)
                self.note(pair, "", _raw(old), _raw(new), more=new.is_free, less=old.is_free, places=where)
            return
        if old.unevaluated or new.unevaluated:
            self._compare_unevaluated(pair)
            return
        if old.is_union or new.is_union:
            _Alternatives(self, pair, self.old.alternatives(old), self.new.alternatives(new)).compare()
            return
        for key in [key for key in {**old.opaque, **new.opaque} if key not in old.opaque or key not in new.opaque]:
            keyword, where = key[0], (old.opaque.get(key), new.opaque.get(key))
            self.note(pair, keyword, _raw(old), _raw(new), more=True, less=True, places=where)
        if (old.values is not None or new.values is not None) and self._compare_values(pair):
            return
        shared = old.types & new.types
        if old.types != new.types:
            more, less = bool(new.types - old.types), bool(old.types - new.types)
            before, after = _types(old.types), _types(new.types)
            if more and less:
                self.note(pair, "type", before, after, less=True)
                self.note(pair, "type", before, after, more=True)
            else:
                self.note(pair, "type", before, after, more=more, less=less)
        for kinds, compare in (
            (NUMBERS, self._compare_bounds),
            ({"string"}, self._compare_strings),
            ({"array"}, self._compare_arrays),
            ({"object"}, self._compare_objects),
        ):
            if shared & kinds:
                compare(pair)
        for kind, keywords in COUNTED.items():
            if kind in shared:
                self._compare_counts(pair, keywords)
        self._compare_applicators(pair)

    def _compare_annotations(self, pair: _Pair) -> None:
        """The annotations, which only models and people read."""
        for key in {**pair.old.annotations, **pair.new.annotations}:
            before, source = pair.old.annotations.get(key, (UNSET, None))
            after, target = pair.new.annotations.get(key, (UNSET, None))
            if before is UNSET or after is UNSET or not same(before, after):
                kind = "default" if key == "default" else "text"
                self.note(pair, key, before, after, kind=kind, places=(source, target))

    def _compare_unevaluated(self, pair: _Pair) -> None:
        """A node whose meaning depends on which of its subschemas looked at a member: it is the same, or unknown."""
        old, new, _, places = pair
        whole = (self.old.schema, self.new.schema) if not self.are_plain else (old.raw, new.raw)
        if not same(*map(_bare, whole)):
            self.note(pair, "unevaluatedProperties", _raw(old), _raw(new), more=True, less=True, places=places)

    def _compare_values(self, pair: _Pair) -> bool:
        """Where one side lists its values: what is listed no more, and what is now. Returns whether that was all."""
        old, new, _, _ = pair
        mine, theirs = old.finite(), new.finite()
        if mine is not None and theirs is not None:
            self._note_listed(pair, mine, theirs)
            return True
        verdicts = [new.admits(value) for value in (mine or {}).values()]
        reverse = [old.admits(value) for value in (theirs or {}).values()]
        if mine is not None and False not in verdicts and None not in verdicts:
            self.note(pair, "enum", [*mine.values()], UNSET, more=True)
            return True
        if theirs is not None and False not in reverse and None not in reverse:
            self.note(pair, "enum", UNSET, [*theirs.values()], less=True)
            return True
        if old.values is not None and new.values is not None:
            self._note_listed(pair, old.values, new.values)
        else:
            before = UNSET if old.values is None else [*old.values.values()]
            after = UNSET if new.values is None else [*new.values.values()]
            self.note(pair, "enum", before, after, more=after is UNSET, less=before is UNSET)
        return False

    def _note_listed(self, pair: _Pair, old: Mapping[Any, Any], new: Mapping[Any, Any]) -> None:
        gone = [value for key, value in old.items() if key not in new]
        added = [value for key, value in new.items() if key not in old]
        if gone:
            self.note(pair, "enum", gone, UNSET, less=True)
        if added:
            self.note(pair, "enum", UNSET, added, more=True)

    def _compare_bounds(self, pair: _Pair) -> None:
        old, new, _, _ = pair
        kinds = old.types & new.types & NUMBERS
        ends = zip(("minimum", "maximum"), (1, -1), old.bounds(kinds), new.bounds(kinds), strict=True)
        for keyword, sign, one, other in ends:
            mine = (float("-inf"), False) if one is None else (sign * one[0], one[1])
            theirs = (float("-inf"), False) if other is None else (sign * other[0], other[1])
            if mine != theirs:
                before, after = UNSET if one is None else one[0], UNSET if other is None else other[0]
                self.note(pair, keyword, before, after, more=theirs < mine, less=theirs > mine)
        ones = set[float]() if "fraction" in kinds else {1.0}
        mine, theirs = old.multiples - ones, new.multiples - ones
        if mine == theirs:
            return
        more, less = mine > theirs, theirs > mine
        if all(isinstance(each, int) for each in mine | theirs) and mine and theirs:
            one, other = lcm(*cast("set[int]", mine)), lcm(*cast("set[int]", theirs))
            if one == other:
                return
            more, less = one % other == 0, other % one == 0
        if not (more or less):
            more = less = True
        self.note(pair, "multipleOf", sorted(mine), sorted(theirs), more=more, less=less)

    def _compare_strings(self, pair: _Pair) -> None:
        for keyword, one, other in (
            ("pattern", pair.old.patterns, pair.new.patterns),
            ("format", pair.old.formats, pair.new.formats),
        ):
            gone, added = one.keys() - other.keys(), other.keys() - one.keys()
            if gone or added:
                before, after = _single(sorted(gone)), _single(sorted(added))
                self.note(pair, keyword, before, after, more=bool(gone), less=bool(added))

    def _compare_counts(self, pair: _Pair, keywords: tuple[str, str]) -> None:
        for keyword, sign in zip(keywords, (1, -1), strict=True):
            one, other = pair.old.counts.get(keyword), pair.new.counts.get(keyword)
            if one != other:
                nothing = 0 if sign == 1 else float("inf")
                grown = sign * (nothing if other is None else other) < sign * (nothing if one is None else one)
                before, after = UNSET if one is None else one, UNSET if other is None else other
                self.note(pair, keyword, before, after, more=grown, less=not grown)

    def _compare_arrays(self, pair: _Pair) -> None:
        old, new, sign, places = pair
        if old.unique != new.unique:
            self.note(pair, "uniqueItems", old.unique, new.unique, more=old.unique, less=new.unique)
        length = max((len(it.first) for it in (*old.arrays, *new.arrays)), default=0)
        for index in range(length + 1):
            self.push(old.item(index), new.item(index), sign, places)
        self._compare_contains(pair)

    def _compare_contains(self, pair: _Pair) -> None:
        old, new, sign, places = pair
        mine, theirs = old.contains, new.contains
        for one, other in zip(mine, theirs, strict=False):
            where = (one.place, other.place)
            if one.least != other.least:
                grown = other.least < one.least
                self.note(pair, "minContains", one.least, other.least, more=grown, less=not grown, places=where)
            if one.most != other.most:
                grown = other.most > one.most
                before, after = (UNSET if it == float("inf") else it for it in (one.most, other.most))
                self.note(pair, "maxContains", before, after, more=grown, less=not grown, places=where)
            bounded = float("inf") not in (one.most, other.most) or one.most != other.most
            self.push(one.sub, other.sub, 0 if bounded else sign, places)
        for one in mine[len(theirs) :]:
            self.note(pair, "contains", one.sub[0][0], UNSET, more=True, places=(one.place, None))
        for other in theirs[len(mine) :]:
            self.note(pair, "contains", UNSET, other.sub[0][0], less=True, places=(None, other.place))

    # objects

    def _compare_objects(self, pair: _Pair) -> None:
        old, new, sign, places = pair
        added = self._compare_members(pair)
        for name, place in new.required.items():
            if name not in old.required and name not in added:
                self.note(pair, "required", UNSET, name, less=True, places=(None, place))
        for name, place in old.required.items():
            if name not in new.required and name not in added:
                self.note(pair, "required", name, UNSET, more=True, places=(place, None))
        self.push(old.names, new.names, sign, places)
        for name in {**old.dependent_names, **new.dependent_names}:
            one, other = old.dependent_names.get(name, set[str]()), new.dependent_names.get(name, set[str]())
            if one != other:
                before, after = _single([sorted(one)] if one else []), _single([sorted(other)] if other else [])
                self.note(pair, "dependentRequired", before, after, more=bool(one - other), less=bool(other - one))
        for name in {**old.dependent_subs, **new.dependent_subs}:
            self.push(old.dependent_subs.get(name, ()), new.dependent_subs.get(name, ()), sign, places)

    def _compare_members(self, pair: _Pair) -> set[str]:
        """The properties, named or not. Returns the names of those that were added or removed."""
        old, new, sign, places = pair
        named = [dict.fromkeys(name for it in side.objects for name in it.properties) for side in (old, new)]
        patterns = [{pattern for it in side.objects for pattern in it.patterns} for side in (old, new)]
        if max(len(old.objects), len(new.objects)) > 1 and (patterns[0] or patterns[1]):
            if not self.are_plain or not same(old.raw, new.raw):
                self.note(pair, "patternProperties", _raw(old), _raw(new), more=True, less=True, places=places)
        elif patterns[0] or patterns[1]:
            self._compare_patterns(pair, {**named[0], **named[1]}, *patterns)
        changed: set[str] = set()
        self.bound.spend((len(named[0]) + len(named[1])) * (4 + old.demands + new.demands), new.place)
        for name in {**named[1], **named[0]}:
            one, is_old = old.member(name)
            other, is_new = new.member(name)
            if is_old is None or is_new is None:
                if name in named[0] and name in named[1]:  # its patterns are compared by themselves
                    one, other = (
                        tuple(part for it in side.objects for part in it.properties.get(name, ()))
                        for side in (old, new)
                    )
                    self.push(one, other, sign, places)
                else:
                    self.note(pair, "properties", _value(one), _value(other), more=True, less=True)
            elif is_old is is_new or not self._note_member(pair, name, one, other, is_new=is_new):
                self.push(one, other, sign, places)
            else:
                changed.add(name)
        rests = [tuple(part for it in side.objects for part in it.rest) for side in (old, new)]
        self.push(rests[0], rests[1], sign, places)
        return changed

    def _note_member(self, pair: _Pair, name: str, one: Sub, other: Sub, *, is_new: bool) -> bool:
        """Note a property that only one side names; False where the other one demands something of it all the same."""
        old, new, _, _ = pair
        rest = self.old.conjunction(one) if is_new else self.new.conjunction(other)
        if not (rest.never or rest.is_free):
            return False
        own = self.new.conjunction(other) if is_new else self.old.conjunction(one)
        was, now = name in old.required, name in new.required
        open_end = rest.is_free and not own.is_free
        closed_end = rest.never and not own.never
        if is_new:
            more, less = closed_end or (was and not now), open_end or (now and not was)
            self.note(
                pair, "properties", UNSET, _value(other), more=more, less=less, kind="property-added",
                places=(None, own.place), required=now,
            )  # fmt: skip
        else:
            more, less = open_end or (was and not now), closed_end or (now and not was)
            self.note(
                pair, "properties", _value(one), UNSET, more=more, less=less, kind="property-removed",
                places=(own.place, None), required=was,
            )  # fmt: skip
        return True

    def _compare_patterns(self, pair: _Pair, named: Iterable[str], one: set[str], other: set[str]) -> None:
        """Patterns of names, of which each side has one group at most."""
        old, new, sign, places = pair
        mine, theirs = (
            {pattern: sub for it in side.objects for pattern, sub in it.patterns.items()} for side in (old, new)
        )
        for pattern in sorted(one & other):
            self.push(mine[pattern], theirs[pattern], sign, places)
        rests = [tuple(part for it in side.objects for part in it.rest) for side in (old, new)]
        are_free = self.old.conjunction(rests[0]).is_free and self.new.conjunction(rests[1]).is_free
        alone = len(one | other) == 1
        for pattern in sorted(one ^ other):
            added = pattern in other
            rest = self.old.conjunction(rests[0]) if added else self.new.conjunction(rests[1])
            apart = alone and all(matches(pattern, name) is False for name in named)
            more = less = True
            if apart and (rest.never or are_free):
                more, less = (added, not added) if rest.never else (not added, added)
            (value, where), *_ = theirs[pattern] if added else mine[pattern]
            sides = (UNSET, value, None, where) if added else (value, UNSET, where, None)
            self.note(pair, "patternProperties", *sides[:2], more=more, less=less, places=sides[2:])

    # applicators

    def _compare_applicators(self, pair: _Pair) -> None:
        old, new, sign, places = pair
        for keyword, mine, theirs, then in (
            ("not", [[sub] for sub in old.nots], [[sub] for sub in new.nots], -sign),
            ("oneOf", old.exclusive, new.exclusive, 0),
        ):
            for one, other in zip(mine, theirs, strict=False):
                if len(one) != len(other):
                    self.note(pair, keyword, [*map(_value, one)], [*map(_value, other)], more=True, less=True)
                    continue
                for before, after in zip(one, other, strict=True):
                    self.push(before, after, then, places)
            self._note_rest(pair, keyword, [*map(_values, mine)], [*map(_values, theirs)])
        for one, other in zip(old.unions, new.unions, strict=False):
            options = [
                [each for sub in subs for each in reader.alternatives(reader.conjunction(sub))]
                for reader, subs in ((self.old, one), (self.new, other))
            ]
            _Alternatives(self, pair, *options).compare()
        self._note_rest(pair, "anyOf", [*map(_values, old.unions)], [*map(_values, new.unions)])
        for one, other in zip(old.conditionals, new.conditionals, strict=False):
            self.push(one.condition, other.condition, 0, places)
            self.push(one.then, other.then, sign, places)
            self.push(one.otherwise, other.otherwise, sign, places)
        conditions = [[_value(it.condition) for it in side.conditionals] for side in (old, new)]
        self._note_rest(pair, "if", *conditions)

    def _note_rest(self, pair: _Pair, keyword: str, mine: list[Any], theirs: list[Any]) -> None:
        """Note what only one side demands, after what both do."""
        for value in mine[len(theirs) :]:
            self.note(pair, keyword, value, UNSET, more=True)
        for value in theirs[len(mine) :]:
            self.note(pair, keyword, UNSET, value, less=True)

    def contains(self, old: Conjunction, new: Conjunction, *, turned: bool) -> bool:
        """Whether it is proved that the new conjunction accepts what the old one does; `turned` swaps the schemas."""
        # Half of the work is for the comparison itself.
        if self.level >= _DEEPEST or self.bound.left < self.bound.most // 2:
            return False
        readers = (self.new, self.old) if turned else (self.old, self.new)
        run = _Comparison(*readers, _STEPS, self.bound, self.level + 1)
        try:
            run.push_pair(old, new, 1, ("", ""))
            run.run()
        except BudgetExceeded:
            return False
        return not any(change.less for change in run.changes.values())


class _Alternatives:
    """Two unions: listed values are compared as a set, the other alternatives in pairs that look alike."""

    def __init__(self, run: _Comparison, pair: _Pair, old: list[Conjunction], new: list[Conjunction]) -> None:
        self.run = run
        self.pair = pair
        self.listed: list[dict[Any, tuple[Any, dict[str, Any]]]] = [{}, {}]
        self.others: list[list[Conjunction]] = [[], []]
        for side, options in enumerate((old, new)):
            for it in options:
                values = it.finite()
                if values is None:
                    self.others[side].append(it)
                    continue
                for key, value in values.items():
                    annotations = {word: value for word, (value, _) in it.annotations.items()}
                    self.listed[side].setdefault(key, (value, annotations))

    def compare(self) -> None:
        """Note the differences, and have pairs of alternatives compared."""
        run, pair = self.run, self.pair
        mine, theirs = self.listed
        gone = [value for key, (value, _) in mine.items() if key not in theirs and not self._is_taken(value, 1)]
        added = [value for key, (value, _) in theirs.items() if key not in mine and not self._is_taken(value, 0)]
        if gone:
            run.note(pair, "anyOf", gone, UNSET, less=True)
        if added:
            run.note(pair, "anyOf", UNSET, added, more=True)
        for key, (_, given) in mine.items():
            if key in theirs and not same(given, theirs[key][1]):
                run.note(pair, "anyOf", given, theirs[key][1], kind="text")
        pairs, old, new = self._matched()
        for one, other in pairs:
            run.push_pair(one, other, pair.sign, pair.places)
        for it in old:
            if not self._has_container(it, self.others[1], turned=False):
                run.note(pair, "anyOf", _raw(it), UNSET, less=True, places=(it.place or pair.places[0], None))
        for it in new:
            if not self._has_container(it, self.others[0], turned=True):
                run.note(pair, "anyOf", UNSET, _raw(it), more=True, places=(None, it.place or pair.places[1]))

    def _is_taken(self, value: Any, side: int) -> bool:
        return any(it.admits(value) is True for it in self.others[side][:_MAX_ALTERNATIVES_TRIED])

    def _has_container(self, it: Conjunction, others: list[Conjunction], *, turned: bool) -> bool:
        return any(self.run.contains(it, other, turned=turned) for other in others[:_MAX_ALTERNATIVES_TRIED])

    def _matched(self) -> tuple[list[tuple[Conjunction, Conjunction]], list[Conjunction], list[Conjunction]]:
        """Pairs of alternatives that look alike, the most alike first, and those without another one."""
        old, new = list(self.others[0]), list(self.others[1])
        pairs: list[tuple[Conjunction, Conjunction]] = []
        for likeness in (_exact, _marks, _title, _kinds):
            found: dict[Any, list[Conjunction]] = {}
            for it in new:
                found.setdefault(likeness(it), []).append(it)
            rest: list[Conjunction] = []
            for it in old:
                alike = found.get(likeness(it))
                if alike and likeness(it) is not None:
                    pairs.append((it, alike.pop(0)))
                else:
                    rest.append(it)
            taken = {id(other) for _, other in pairs}
            old, new = rest, [it for it in new if id(it) not in taken]
        for it in list(old):
            self.run.bound.spend(1 + len(new) // 4, it.place)
            other = next(
                (other for other in new if it.types & other.types and KINDS not in (it.types, other.types)), None
            )
            if other is not None:
                pairs.append((it, other))
                old.remove(it)
                new.remove(other)
        return pairs, old, new


def _exact(it: Conjunction) -> Any:
    """What tells alternatives apart that are written the same."""
    return it.types, exact_key(it.raw)


def _marks(it: Conjunction) -> Any:
    """The values of properties that an alternative fixes; None where there are none."""
    marks: list[Any] = []
    for each in it.objects:
        for name, sub in each.properties.items():
            inner = sub[0][0]
            if isinstance(inner, dict) and name in it.required:
                values = cast("dict[str, Any]", inner)
                if "const" in values or ("enum" in values and len(values["enum"]) == 1):
                    marks.append((name, value_key(values.get("const", values.get("enum", [None])[0]))))
    return (it.types, tuple(sorted(marks, key=repr))) if marks else None


def _title(it: Conjunction) -> Any:
    """The title of an alternative, or its definition; None without one."""
    raw: Any = it.raw
    title = it.annotations.get("title", (None, ""))[0]
    if not isinstance(title, str) and isinstance(raw, dict):
        title = cast("dict[str, Any]", raw).get("$ref")
    return (it.types, title) if isinstance(title, str) else None


def _kinds(it: Conjunction) -> Any:
    return it.types


def _bare(value: Any) -> Any:
    """A schema without its annotations."""
    if not isinstance(value, dict):
        return value
    bare = separate(cast("dict[str, Any]", value))
    for _, sub in walk(bare):
        if isinstance(sub, dict):
            for key in [*filter(is_annotation, sub)]:
                del sub[key]
    return bare


def _raw(it: Conjunction) -> Any:
    """A conjunction as its schema writes it; UNSET for one that is not written."""
    return it.raw if it.key else UNSET


def _value(sub: Sub) -> Any:
    return UNSET if not sub else sub[0][0] if len(sub) == 1 else [value for value, _ in sub]


def _values(subs: list[Sub]) -> Any:
    return _value(subs[0]) if len(subs) == 1 else [*map(_value, subs)]


def _single(values: list[Any]) -> Any:
    """One value, several, or UNSET for none."""
    return UNSET if not values else values[0] if len(values) == 1 else values


def _types(types: frozenset[str]) -> Any:
    """Types as a schema names them."""
    names = sorted(types - {"fraction"}) if "fraction" not in types else sorted({*types - NUMBERS, "number"})
    return _single(names)
