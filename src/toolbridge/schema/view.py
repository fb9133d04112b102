"""A subschema taken apart: a part of what is said, in a place that is remembered.

A `Sub` is one subschema as a list of parts that all apply: an `allOf`, a `$ref` with what stands beside it, two
spellings of a property. Each part remembers its place in the schema as given, so that whatever is lost later can be
named there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from ..pointer import escape
from .walk import SUBSCHEMAS

if TYPE_CHECKING:
    from .unions import Glance

Part: TypeAlias = tuple[Any, str, tuple[str, ...]]
"""A subschema or an Either, its place, and the definitions that are being written out around it."""

Sub: TypeAlias = tuple[Part, ...]

Lose: TypeAlias = Callable[[str, str], None]
"""Called with a code and the place in the schema as given."""


class Either:
    """Any one of several subschemas, where no subschema of the document says so."""

    __slots__ = ("subs",)

    def __init__(self, subs: list[Sub]) -> None:
        self.subs = subs


class View:
    """A subschema taken apart: what its keywords say (`says`), or hold (`subs`), and where each stands (`at`)."""

    __slots__ = ("at", "glance", "raw", "says", "subs")

    def __init__(self) -> None:
        self.glance: Glance | None = None
        self.says: dict[str, Any] = {}
        self.subs: dict[str, Any] = {}
        self.at: dict[str, str] = {}
        self.raw: dict[str, Any] = {}

    def has(self, keyword: str) -> bool:
        return keyword in self.says or keyword in self.subs

    def drop(self, keyword: str) -> None:
        self.says.pop(keyword, None)
        self.subs.pop(keyword, None)

    def keywords(self) -> set[str]:
        return self.says.keys() | self.subs.keys()


BOUNDS: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
"""Keywords with a number that a number is held to."""

COUNTS: Final = frozenset({
    *("minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties")
})
"""Keywords with a number of characters, items or properties."""

_NUMBER: Final = (int, float)
_MUST_BE: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(BOUNDS | COUNTS, _NUMBER),
    **dict.fromkeys(("pattern", "format", "title", "description", "$comment", "$ref", "$anchor", "$id"), (str,)),
    **dict.fromkeys(("enum", "required", "examples"), (list,)),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), (bool,)),
    "type": (str, list),
    "dependentRequired": (dict,),
}


def is_sound(keyword: str, value: Any) -> bool:
    """Whether a keyword has a value of a kind that the drafts allow."""
    kinds = _MUST_BE.get(keyword)
    if kinds is None:
        return True
    if kinds is _NUMBER:
        return type(value) in _NUMBER and is_number(keyword, value)
    if keyword == "required":
        return _are_texts(value)
    if keyword == "dependentRequired":
        return isinstance(value, dict) and all(map(_are_texts, cast("dict[str, Any]", value).values()))
    return isinstance(value, kinds)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(it, str) for it in cast("list[Any]", value))


def is_number(keyword: str, value: float) -> bool:
    """Whether a number is one that the drafts allow for a bound or a count."""
    if keyword in COUNTS:
        return value >= 0 and value == value // 1
    return keyword != "multipleOf" or value > 0


def is_beyond(value: Any, most: int) -> bool:
    """Whether a number is a whole one beyond a bound on either side of zero; others are read as what they are."""
    return isinstance(value, int) and abs(value) > most


def view(node: dict[str, Any], place: str, opened: tuple[str, ...], stood: dict[str, str], lose: Lose) -> View:
    """One subschema taken apart; what no draft allows is left out and noted."""
    it = View()
    for keyword, value in node.items():
        where = f"{place}/{escape(stood.get(keyword, keyword))}"
        kind = SUBSCHEMAS.get(keyword)
        if kind is None:
            if not is_sound(keyword, value):
                lose("TB001", where)
                continue
            it.says[keyword] = value
        else:
            held = _held(kind, value, where, opened)
            if held is None:
                lose("TB001", where)
                continue
            it.subs[keyword] = held
        it.at[keyword] = where
        it.raw[keyword] = value
    return it


def _held(kind: str, value: Any, where: str, opened: tuple[str, ...]) -> Any:
    if isinstance(value, list):
        if value and kind in ("list", "one or list"):  # an empty one is allowed nowhere
            items = enumerate(cast("list[Any]", value))
            return [((inner, f"{where}/{index}", opened),) for index, inner in items]
    elif kind == "map":
        if isinstance(value, dict):
            entries = cast("dict[str, Any]", value).items()
            return {name: ((inner, f"{where}/{escape(name)}", opened),) for name, inner in entries}
    elif kind != "list" and isinstance(value, (dict, bool)):
        return ((cast("Any", value), where, opened),)
    return None


_LEAST_OF_ALL: Final = frozenset({"minLength", "minItems", "minProperties", "uniqueItems"})
_LISTING: Final = frozenset({
    *("required", "allOf", "properties", "patternProperties", "dependentRequired", "dependentSchemas")
})


def says_nothing(keyword: str, value: Any) -> bool:
    """Whether a constraint refuses nothing: `additionalProperties: true`, `minLength: 0`, `required: []`."""
    if keyword in _LEAST_OF_ALL:
        return not value
    if keyword in _LISTING:
        return value in ([], {})
    # `contains` wants one item, whatever it accepts; `not` refuses what it accepts.
    one = SUBSCHEMAS.get(keyword) in ("one", "one or list") and keyword not in ("not", "contains")
    return one and (value is True or value == {})


def is_free(sub: Sub | None) -> bool:
    """Whether a subschema accepts anything."""
    return sub is None or all(value is True or value == {} for value, _, _ in sub)


def is_false(sub: Sub | None) -> bool:
    """Whether a subschema accepts nothing, and says so plainly."""
    return sub is not None and any(value is False for value, _, _ in sub)


def types_of(kind: Any) -> list[str]:
    """The types that a `type` names."""
    if isinstance(kind, str):
        return [kind]
    return [it for it in cast("list[Any]", kind) if isinstance(it, str)] if isinstance(kind, list) else []
