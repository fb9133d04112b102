"""Views: subschemas by their keywords, and several of them joined into one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ...data.equality import Values, equal, same
from ...data.pointer import escape
from ..mistakes import (
    VALUE_KINDS,
    holds,
    is_list_of_names,
    meant_list,
    require_flagged,
    types_of,
    with_required,
    with_type,
)
from ..vocabulary import SUBSCHEMAS, is_annotation, is_sound

if TYPE_CHECKING:
    from ..glance import Glance


class Fragment(NamedTuple):
    """A part of a subschema: a schema, a View or an Either, its place, and the definitions written out around it."""

    value: Any
    place: str
    opened: tuple[str, ...] = ()


Fragments: TypeAlias = tuple[Fragment, ...]
"""A subschema, as its parts, which all apply."""

Lose: TypeAlias = Callable[[str, str], None]
"""Called with a code and the place in the schema as given."""


class Either:
    """Any one of several subschemas, where no subschema of the document says so."""

    __slots__ = ("subs",)

    def __init__(self, subs: list[Fragments]) -> None:
        self.subs = subs


class View:
    """A subschema by its keywords: `values` of some, subschemas of others (`subs`), and the place of each (`at`)."""

    __slots__ = ("at", "glance", "raw", "subs", "values")

    def __init__(self) -> None:
        self.glance: Glance | None = None
        self.values: dict[str, Any] = {}
        self.subs: dict[str, Any] = {}
        self.at: dict[str, str] = {}
        self.raw: dict[str, Any] = {}

    def has(self, keyword: str) -> bool:
        return keyword in self.values or keyword in self.subs

    def drop(self, keyword: str) -> None:
        self.values.pop(keyword, None)
        self.subs.pop(keyword, None)

    def keywords(self) -> set[str]:
        return self.values.keys() | self.subs.keys()


def view(node: dict[str, Any], place: str, opened: tuple[str, ...], stood: dict[str, str], note_loss: Lose) -> View:
    """One subschema taken apart; what no draft allows is left out and noted."""
    it = View()
    if "properties" in node and (typed := with_type(node)) is not node:
        note_loss("TB001", f"{place}/properties/type")
        node, stood = typed, {**stood, "type": "properties/type"}
    meant = with_required(node) if "properties" in node else node
    if meant is not node:
        note_loss("TB001", f"{place}/properties/required")
        stood = {**stood, "required": "properties/required"}
    elif "properties" in node and (meant := require_flagged(node)) is not node:
        stood = stood if "required" in node else {**stood, "required": "properties"}
    if meant is not node and not is_list_of_names(node):
        note_loss("TB001", f"{place}/required")
    values = it.values = meant.copy()
    raw = it.raw = meant.copy()
    for keyword, value in meant.items():
        where = f"{place}/{stood[keyword] if keyword in stood else escape(keyword)}"
        kind = VALUE_KINDS.get(keyword)
        if isinstance(kind, str):
            del values[keyword]
            held = _held(kind, value, where, opened)
            if held is not None:
                it.subs[keyword] = held
                it.at[keyword] = where
                continue
        elif kind is None or value.__class__ in kind or is_sound(keyword, value):
            it.at[keyword] = where
            continue
        elif (listed := meant_list(keyword, meant)) is not None:
            values[keyword], it.at[keyword] = listed, where
        else:
            del values[keyword]
        del raw[keyword]
        note_loss("TB001", where)
    if meant is not node and "required" in node:
        del raw["required"]  # some of the names stand elsewhere
    return it


def _held(kind: str, value: Any, where: str, opened: tuple[str, ...]) -> Any:
    if not holds(kind, value):
        return None
    if value.__class__ is list:
        return [(Fragment(inner, f"{where}/{index}", opened),) for index, inner in enumerate(value)]
    if kind == "map":
        return {name: (Fragment(inner, f"{where}/{escape(name)}", opened),) for name, inner in value.items()}
    return (Fragment(value, where, opened),)


_LEAST_OF_ALL: Final = frozenset({"minLength", "minItems", "minProperties", "uniqueItems"})

_LISTING: Final = frozenset({
    *("required", "allOf", "properties", "patternProperties", "dependentRequired", "dependentSchemas")
})


def says_nothing(keyword: str, value: Any) -> bool:
    """Whether a constraint refuses nothing: `additionalProperties: true`, `minLength: 0`, `required: []`."""
    if keyword == "propertyNames" and value == {"type": "string"}:  # as Zod 4 writes each record
        return True
    if keyword in _LEAST_OF_ALL:
        return not value
    if keyword in _LISTING:
        return value in ([], {})
    # `contains` wants one item, whatever it accepts; `not` refuses what it accepts.
    one = SUBSCHEMAS.get(keyword) in ("one", "one or list") and keyword not in ("not", "contains")
    return one and (value is True or value == {})


def is_free(sub: Fragments | None) -> bool:
    """Whether a subschema accepts anything."""
    return sub is None or all(value is True or value == {} for value, _, _ in sub)


def is_false(sub: Fragments | None) -> bool:
    """Whether a subschema accepts nothing, and says so plainly."""
    if sub is not None:
        for value, _, _ in sub:
            if value is False:
                return True
    return False


_OBJECT: Final = ("properties", "patternProperties", "additionalProperties")

_ARRAY: Final = ("prefixItems", "items")

_CONTAINS: Final = ("contains", "minContains", "maxContains")

_IF: Final = ("if", "then", "else")

GROUPS: Final = (_OBJECT, _ARRAY, _CONTAINS, _IF)
"""Keywords that are read together."""

_GROUPED: Final = tuple(key for group in GROUPS for key in group)

_LOWER_BOUNDS: Final = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})

_UPPER_BOUNDS: Final = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})

_MAX_PRODUCT: Final = 16
"""How many alternatives two unions may make together."""


def join(one: View, other: View, note_loss: Lose) -> None:
    """Let `one` say what `other`, a part of it, says as well."""
    forget(other, note_loss)
    if one.values or one.subs:
        _join(one, other, note_loss)
        return
    for key in (*_GROUPED, *other.at):
        if key in other.values or key in other.subs:
            take(one, other, key)


def _join(one: View, other: View, note_loss: Lose) -> None:
    """Join `other` into `one`, where both have keywords."""
    _skip_idle(one, other, note_loss)
    done: set[str] = set()
    keywords = other.keywords()
    for group in GROUPS:
        if keywords.isdisjoint(group):
            continue
        mine = [key for key in group if one.has(key)]
        theirs = [key for key in group if key in keywords]
        done.update(theirs)
        if not mine:
            for key in theirs:
                take(one, other, key)
        elif group is _OBJECT:
            _join_objects(one, other, note_loss)
        elif group is _ARRAY:
            _join_arrays(one, other)
        elif all(
            key in one.raw and key in other.raw and same(one.raw[key], other.raw[key])
            for key in group
            if one.has(key) or other.has(key)
        ):
            for key in theirs:
                note_loss("TB103", other.at[key])
        else:
            for key in theirs:
                note_loss("TB201", other.at[key])
    for key in other.at:
        if key in done or not other.has(key):
            continue
        if not one.has(key):
            take(one, other, key)
        else:
            _join_keyword(one, other, key, note_loss)


def _skip_idle(one: View, other: View, note_loss: Lose) -> None:
    """Leave out the words that say nothing of two views, where the other one has something to say instead."""
    for key in [key for key in other.at if other.has(key) and key not in _OPEN]:
        if key in other.raw and says_nothing(key, other.raw[key]):
            if one.has(key) or any(key in group and any(map(one.has, group)) for group in (_OBJECT, _ARRAY)):
                note_loss("TB103", other.at[key])
                other.drop(key)
        elif key in one.raw and one.has(key) and key != "items" and says_nothing(key, one.raw[key]):
            note_loss("TB103", one.at[key])
            one.drop(key)


_OPEN: Final = frozenset({"additionalProperties", *_IF})
"""Keywords of which the meaning depends on what stands beside them."""


def forget(it: View, note_loss: Lose) -> None:
    """Leave out what a view says of all that its own keywords did not look at: joined with others it would be more."""
    for key in ("unevaluatedProperties", "unevaluatedItems"):
        if key in it.subs:
            note_loss("TB201", it.at[key])
            it.drop(key)


def take(one: View, other: View, key: str) -> None:
    """Let `one` say what `other` says with this keyword."""
    if key in other.values:
        one.values[key] = other.values[key]
    else:
        one.subs[key] = other.subs[key]
    one.at[key] = other.at[key]
    if key in other.raw:
        one.raw[key] = other.raw[key]
    else:
        one.raw.pop(key, None)  # that of a keyword which was dropped


def _join_objects(one: View, other: View, note_loss: Lose) -> None:
    """The properties of both; an object that closes itself to what the other lists is opened for that."""
    mine: dict[str, Fragments] = one.subs.get("properties", {})
    theirs: dict[str, Fragments] = other.subs.get("properties", {})
    joined = _by_name(mine, theirs)
    patterns = _by_name(one.subs.get("patternProperties", {}), other.subs.get("patternProperties", {}))
    rest: list[Fragment] = []
    at = ""
    ends = [it for it in (one, other) if is_false(it.subs.get("additionalProperties"))]
    for it in (one, other):
        if ends and it not in ends and it.has("additionalProperties"):
            note_loss("TB103", it.at["additionalProperties"])
    for view_, here, there in ((one, mine, theirs), (other, theirs, mine)):
        more: Fragments | None = view_.subs.get("additionalProperties")
        if more is None or is_free(more):
            if more is not None and not ends:
                note_loss("TB103", view_.at["additionalProperties"])
            continue
        names = [name for name in there if name not in here]
        closed = is_false(more)
        if patterns or (closed and names):
            note_loss("TB201", view_.at["additionalProperties"])
        elif names:
            for name in names:
                joined[name] = (*joined[name], *more)
        if closed or not patterns:
            rest += more
            at = view_.at["additionalProperties"]
    for key, value in (("properties", joined), ("patternProperties", patterns)):
        if value:
            one.at.setdefault(key, other.at.get(key, ""))
            one.raw.pop(key, None)
            one.subs[key] = value
    one.raw.pop("additionalProperties", None)
    one.subs.pop("additionalProperties", None)
    if rest:
        one.at["additionalProperties"] = at
        one.subs["additionalProperties"] = tuple(rest)


def _by_name(mine: dict[str, Fragments], theirs: dict[str, Fragments]) -> dict[str, Fragments]:
    """What both say of each name."""
    return {name: (*mine.get(name, ()), *theirs.get(name, ())) for name in {**mine, **theirs}}


def _join_arrays(one: View, other: View) -> None:
    """What both say of each item; a list of items and the rest of the other apply together."""
    first: list[Fragments] = one.subs.get("prefixItems", [])
    second: list[Fragments] = other.subs.get("prefixItems", [])
    rest, more = one.subs.get("items", ()), other.subs.get("items", ())
    if first or second:
        length = max(len(first), len(second))
        one.subs["prefixItems"] = [
            (*(first[n] if n < len(first) else rest), *(second[n] if n < len(second) else more)) for n in range(length)
        ]
        one.at.setdefault("prefixItems", other.at.get("prefixItems", ""))
    if rest or more:
        one.subs["items"] = (*rest, *more)
        one.at.setdefault("items", other.at.get("items", ""))
    one.raw.pop("prefixItems", None)
    one.raw.pop("items", None)


def _join_keyword(one: View, other: View, key: str, note_loss: Lose) -> None:
    """A keyword that both say."""
    if key in one.subs:
        _join_subs(one, other, key, note_loss)
    elif key == "type":
        _join_types(one, one.values[key], other.values[key], other.at[key], note_loss)
    elif key in _LOWER_BOUNDS or key in _UPPER_BOUNDS:
        _join_bounds(one, other, key, note_loss)
    elif key in _JOINED:
        _JOINED[key](one, other, note_loss)
    elif key not in ("$defs", "definitions"):
        alike = is_annotation(key) or same(one.values[key], other.values[key])
        note_loss("TB103" if alike else "TB201", other.at[key])


def _join_bounds(one: View, other: View, key: str, note_loss: Lose) -> None:
    mine, theirs = one.values[key], other.values[key]
    if (theirs > mine) if key in _LOWER_BOUNDS else (theirs < mine):
        note_loss("TB103", one.at[key])
        one.values[key], one.at[key] = theirs, other.at[key]
        one.raw[key] = theirs
    else:
        note_loss("TB103", other.at[key])


def _join_enum(one: View, other: View, note_loss: Lose) -> None:
    mine, at = one.values["enum"], other.at["enum"]
    known = Values(other.values["enum"])
    left = [value for value in mine if value in known]
    if not left:
        note_loss("TB201", at)
        return
    one.values["enum"] = left
    one.raw.pop("enum", None)
    note_loss("TB103", at)
    if len(left) < len(mine):
        note_loss("TB103", one.at["enum"])


def _join_const(one: View, other: View, note_loss: Lose) -> None:
    note_loss("TB103" if equal(one.values["const"], other.values["const"]) else "TB201", other.at["const"])


def _join_required(one: View, other: View, note_loss: Lose) -> None:
    mine, theirs = one.values["required"], other.values["required"]
    known: set[str] = set()
    for it, names in ((one, mine), (other, theirs)):
        for index, name in enumerate(names):
            if name in known:
                note_loss("TB103", required_at(it, index))
            known.add(name)
    one.values["required"] = list(dict.fromkeys([*mine, *theirs]))
    one.raw.pop("required", None)


def required_at(it: View, index: int) -> str:
    """The place of a name in `required`; that of the keyword, where several lists were joined."""
    return f"{it.at['required']}/{index}" if "required" in it.raw else it.at["required"]


def _join_dependent(one: View, other: View, note_loss: Lose) -> None:
    mine, theirs = one.values["dependentRequired"], other.values["dependentRequired"]
    one.values["dependentRequired"] = {
        name: list(dict.fromkeys([*mine.get(name, []), *theirs.get(name, [])])) for name in {**mine, **theirs}
    }
    known: set[tuple[str, str]] = set()
    for it, held in ((one, mine), (other, theirs)):
        at = it.at["dependentRequired"]
        for name, names in held.items():
            if not names or any((name, each) in known for each in names):
                note_loss("TB103", f"{at}/{escape(name)}" if "dependentRequired" in it.raw else at)
        known.update((name, each) for name, names in held.items() for each in names)
    one.raw.pop("dependentRequired", None)


_JOINED: Final[dict[str, Callable[[View, View, Lose], None]]] = {
    "enum": _join_enum,
    "const": _join_const,
    "required": _join_required,
    "dependentRequired": _join_dependent,
}


def both(mine: list[str], theirs: list[str]) -> list[str]:
    """The types that are of both: an integer is a number."""
    of = [kind for kind in mine if _is_kind(kind, theirs)]
    return of + [kind for kind in theirs if kind not in of and _is_kind(kind, mine)]


def _join_types(one: View, mine: Any, theirs: Any, at: str, note_loss: Lose) -> None:
    of = both(types_of(mine), types_of(theirs))
    if not of:
        note_loss("TB201", at)
        return
    one.values["type"] = of[0] if len(of) == 1 else of
    note_loss("TB103", at)
    if set(of) != set(types_of(mine)):
        note_loss("TB103", one.at["type"])


def _is_kind(kind: str, kinds: list[str]) -> bool:
    return kind in kinds or (kind == "integer" and "number" in kinds)


def _join_subs(one: View, other: View, key: str, note_loss: Lose) -> None:
    mine, theirs = one.subs[key], other.subs[key]
    at = other.at[key]
    if key == "anyOf" and len(mine) * len(theirs) <= _MAX_PRODUCT:
        one.subs[key] = [(*first, *second) for first in mine for second in theirs]
    elif key == "allOf":
        one.subs[key] = [*mine, *theirs]
    elif key == "propertyNames":
        one.subs[key] = (*mine, *theirs)
    elif key == "dependentSchemas":
        one.subs[key] = _by_name(mine, theirs)
    elif key in one.raw and key in other.raw and same(one.raw[key], other.raw[key]):
        note_loss("TB103", at)
        return
    else:
        note_loss("TB201", at)
        return
    one.raw.pop(key, None)
