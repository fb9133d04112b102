"""Argument maps: how arguments change between a schema and the same schema in a dialect.

A map is plain data, a sparse image of the written schema (absent: the values are the same):

- `omit`: names of properties whose null means that they are left out
- `rename`: written name to given name of a property
- `text`: written text to given value
- `json`: an object is written as a text in JSON, and so is a text that would be taken for one; the map of what it
  contains
- `properties` (by written name), `items`, `rest` (properties that `properties` does not list): the maps of their
  values, which may be empty
- `any`: alternatives, each with a `map` and the `outline` of its values: `types`, values of an `enum`, `known` names
  (and others, if it is `open`), `required` names, and the outlines of `properties`, of the `rest` of them, of `items`,
  or of `any` of several, or the `ref` of one in `outlines` of the outermost map
- `ref`: the name of a map in `defs` of the outermost map; "" is the outermost map itself
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

from ..data.equality import value_key
from ..data.pointer import join
from ..data.types import quoted
from ..errors import DocumentError
from ..limits import LIMITS, Limits

ArgumentMapData: TypeAlias = dict[str, Any]
_T = TypeVar("_T")
_Index = TypeVar("_Index")

_REFERENCES: Final = 200
"""How many maps may refer to each other in a row."""

_MAX_NAME: Final = 300
"""How many characters of a name an error has: a model needs the whole name."""


class ArgumentMap(dict[str, Any]):
    """How the arguments of a written tool differ from those of its source tool, as plain data with two methods."""

    def restore(self, arguments: Any) -> Any:
        """Convert arguments of the written tool to those of the source tool.

        Args:
            arguments: The arguments; they are not changed.

        Returns:
            The arguments of the source tool.

        Raises:
            DocumentError: An argument has a name that only the source tool has, or the arguments are nested too deeply,
                or take too many steps (limit `steps`).
        """
        return restore_arguments(arguments, self)

    def adapt(self, arguments: Any) -> Any:
        """Convert arguments of the source tool to those of the written tool.

        Args:
            arguments: The arguments; they are not changed.

        Returns:
            The arguments of the written tool.

        Raises:
            DocumentError: The arguments are nested too deeply, or take too many steps (limit `steps`).
        """
        return adapt_arguments(arguments, self)


def restore_arguments(arguments: Any, argument_map: ArgumentMapData | None, limits: Limits = LIMITS) -> Any:
    """The arguments of a call for the source tool, from those that the model gave for the written tool.

    They are the same if there is no map. Raises DocumentError for an argument under a name that only the source tool
    has, and for arguments that are nested too deeply or take too many steps.
    """
    return arguments if argument_map is None else _Conversion(argument_map, limits).run(_Conversion.restored, arguments)


def adapt_arguments(arguments: Any, argument_map: ArgumentMapData | None, limits: Limits = LIMITS) -> Any:
    """The arguments of a written tool, from those of the source tool; the same if there is no map.

    Raises DocumentError for arguments that are nested too deeply or take too many steps.
    """
    return arguments if argument_map is None else _Conversion(argument_map, limits).run(_Conversion.adapted, arguments)


def adapt_each(
    values: list[Any], argument_map: ArgumentMapData, limits: Limits = LIMITS, spent: int = 0
) -> tuple[list[Any], int]:
    """Several values as one map has them, and how many steps that took, with those that were spent before.

    Raises DocumentError for values that are nested too deeply or take too many steps together.
    """
    conversion = _Conversion(argument_map, limits, spent)
    return [conversion.run(_Conversion.adapted, value) for value in values], conversion.spent


def exempt(argument_map: ArgumentMapData, listed: Collection[str]) -> ArgumentMapData:
    """A map of which `rest`, if it has one, does not apply to these properties, which the written schema lists."""
    if "rest" not in argument_map or not listed:
        return argument_map
    return {**argument_map, "properties": {**{name: {} for name in listed}, **argument_map.get("properties", {})}}


_OUTSIDE, _INSIDE, _LISTED = range(3)
"""How much of a value has to have an outline: the value itself, with the properties of which few values are listed; all
that it contains; and with no names in open objects that the outline does not list."""

_MAX_TAG_VALUES: Final = 8
"""How many values of a property tell what alternative is meant, even if another part of it is wrong."""

_FEW: Final = 8
"""In a list of so many names a name is found as soon as in a set, which has to be made."""

_VALUES_PER_STEP: Final = 100
"""How many values of an enumeration a value is compared with in one step."""


class _Outline(NamedTuple):
    """The names of a large outline, to look them up in: those that are known, those that a value cannot do without, and
    the values of the properties that have few.
    """

    known: frozenset[str]
    needed: tuple[str, ...]
    tags: dict[str, list[Any]]

    def has_tags(self, members: dict[str, Any]) -> bool:
        """As `_has_tags`."""
        return all(members.get(name) is not None for name in self.needed) and all(
            members[name] in self.tags[name] for name in members.keys() & self.tags.keys()
        )

    @classmethod
    def of(cls, outline: ArgumentMapData) -> _Outline:
        inner: dict[str, ArgumentMapData] = outline.get("properties", {})
        return cls(
            frozenset(outline.get("known", ())),
            tuple(name for name in outline.get("required", ()) if not is_typed(None, inner.get(name, {}))),
            {name: it["enum"] for name, it in inner.items() if "enum" in it and len(it["enum"]) <= _MAX_TAG_VALUES},
        )


def _has_tags(members: dict[str, Any], required: Collection[str], inner: dict[str, ArgumentMapData]) -> bool:
    """Whether an object has what is required, and of each property that has few values one of these."""
    for name in required:
        if members.get(name) is None and not is_typed(None, inner.get(name, {})):
            return False
    return all(
        members[name] in it["enum"]
        for name, it in inner.items()
        if name in members and "enum" in it and len(it["enum"]) <= _MAX_TAG_VALUES
    )


class _Conversion:
    """One conversion of arguments.

    A value of a union is compared with its alternatives, and may get properties that it leaves out, so that the steps
    of large schemas and many values are counted. What is looked up in lists of a map is indexed once.

    Attributes:
        root: The outermost map.
        spent: How many steps were taken.
    """

    __slots__ = ("_compared", "_indexes", "_known", "_most", "root", "spent")

    def __init__(self, root: ArgumentMapData, limits: Limits, spent: int = 0) -> None:
        self.root = root
        self._most = limits.steps
        self.spent = spent
        self._indexes: dict[int, Any] = {}
        """What is made of parts of the map to look things up in them, by their ids."""
        self._known: dict[tuple[int, int], Any] = {}
        """The values that were adapted to alternatives, by their ids and those of the maps."""
        self._compared: set[tuple[int, str]] = set()
        """The values that are being compared with outlines of definitions."""

    def run(self, convert: Callable[[_Conversion, Any, ArgumentMapData], Any], arguments: Any) -> Any:
        """The converted arguments. Raises DocumentError where Python's stack ends."""
        try:
            return convert(self, arguments, self.root)
        except RecursionError:
            raise DocumentError("the arguments are nested too deeply to be converted") from None

    def _count(self, steps: int = 1) -> None:
        self.spent += steps
        if self.spent > self._most:
            raise DocumentError(f"converting the values takes more than {self._most:,} steps (limit steps)")

    def _resolved(self, argument_map: ArgumentMapData) -> ArgumentMapData:
        seen = 0
        while "ref" in argument_map:
            name = argument_map["ref"]
            argument_map = self.root.get("defs", {}).get(name, {}) if name else self.root
            seen += 1
            if seen > _REFERENCES or (not name and "ref" not in self.root):
                break
        return argument_map

    def _options(self, argument_map: ArgumentMapData, tried: Collection[int]) -> list[ArgumentMapData]:
        """The alternatives of a union, without those that are a union which is being tried for the same value."""
        options: list[ArgumentMapData] = argument_map["any"]
        self._count(len(options))
        return [it for it in options if "map" not in it or id(self._resolved(it["map"])) not in tried]

    def _found(self, written: list[tuple[ArgumentMapData, Any]], value: Any) -> tuple[ArgumentMapData, Any]:
        """The first of several alternatives of which the value, as the alternative has it, has as much as of any other.

        The value as it is, and no alternative, if it has the outline of none.
        """
        alike = [it for it in written if self._has_outline(it[1], it[0].get("outline", {}), _OUTSIDE)]
        for much in (_LISTED, _INSIDE) if len(alike) > 1 else ():
            for it in alike:
                if self._has_outline(it[1], it[0].get("outline", {}), much):
                    return it
        return alike[0] if alike else ({}, value)

    def restored(self, value: Any, argument_map: ArgumentMapData, *, tried: tuple[int, ...] = ()) -> Any:
        """A written value as the source has it."""
        argument_map = self._resolved(argument_map)
        if not argument_map:
            return value
        if "any" in argument_map:
            tried = (*tried, id(argument_map))
            option, _ = self._found([(option, value) for option in self._options(argument_map, tried)], value)
            return self.restored(value, option["map"], tried=tried) if "map" in option else value
        if "text" in argument_map and isinstance(value, str) and value in argument_map["text"]:
            import copy  # few arguments are restored, and fewer have such a value

            # The caller may change it.
            return copy.deepcopy(argument_map["text"][value])
        if "json" in argument_map and isinstance(value, str):
            held = _held(value)
            return value if held is None else self.restored(held, argument_map["json"])
        token: str | int = ""
        try:
            if isinstance(value, list) and "items" in argument_map:
                items: list[Any] = []
                for token, item in enumerate(cast("list[Any]", value)):  # noqa: B007 - an error has it
                    items.append(self.restored(item, argument_map["items"]))
                return items
            if isinstance(value, dict):
                omit, rename = argument_map.get("omit", ()), argument_map.get("rename", {})
                if len(omit) > _FEW:
                    omit = self._index(omit, frozenset)
                inner, rest = argument_map.get("properties", {}), argument_map.get("rest", {})
                written = self._index(rename, _by_given_name) if rename else rename
                members: dict[str, Any] = {}
                for token, item in cast("dict[str, Any]", value).items():
                    if token in written and token not in rename:
                        there = quoted(written[token], _MAX_NAME)
                        raise DocumentError(f"there is no such parameter; it is called {there}")
                    if item is not None or token not in omit:
                        its: ArgumentMapData = inner.get(token, rest)
                        members[rename.get(token, token)] = self.restored(item, its) if its else item
                return members
        except DocumentError as error:
            raise error.at(join(token), None) from None
        return cast("Any", value)

    def adapted(self, value: Any, argument_map: ArgumentMapData, *, tried: tuple[int, ...] = ()) -> Any:
        """A value of the source as its argument map has it."""
        argument_map = self._resolved(argument_map)
        if not argument_map:
            return value
        self._count()
        if "any" in argument_map:
            return self._adapted_to_any(value, argument_map, (*tried, id(argument_map)))
        if "text" in argument_map:
            return self._index(argument_map["text"], _by_value).get(value_key(value), value)
        if "json" in argument_map and (
            isinstance(value, dict) or (isinstance(value, str) and _held(value) is not None)
        ):
            import json

            written = self.adapted(value, argument_map["json"])
            try:
                return json.dumps(written, ensure_ascii=False)
            except (TypeError, ValueError):
                return cast("Any", value)
        if isinstance(value, list) and "items" in argument_map:
            return [self.adapted(item, argument_map["items"]) for item in cast("list[Any]", value)]
        if isinstance(value, dict):
            given = cast("dict[str, Any]", value)
            written = self._index(argument_map["rename"], _by_given_name) if "rename" in argument_map else {}
            inner, rest = argument_map.get("properties", {}), argument_map.get("rest", {})
            there: dict[str, Any] = {}
            for name, item in given.items():
                new = written.get(name, name)
                its: ArgumentMapData = inner.get(new, rest)
                there[new] = self.adapted(item, its) if its else item
            omit: Collection[str] = argument_map.get("omit", ())
            self._count(len(omit))
            for name in omit:
                there.setdefault(name, None)
            return there
        return cast("Any", value)

    def _index(self, part: _T, make: Callable[[_T], _Index]) -> _Index:
        """What is made of a part of the map, which is made once."""
        key = id(part)
        if key not in self._indexes:
            self._indexes[key] = make(part)
        return self._indexes[key]

    def _adapted_to_any(self, value: Any, argument_map: ArgumentMapData, tried: tuple[int, ...]) -> Any:
        """A value as the alternative has it that it then looks like."""
        # Each alternative is tried with all that the value contains: without `_known`, the time would double per level.
        key = id(value), id(argument_map)
        if key not in self._known:
            self._known[key] = value
            written = [
                (it, self.adapted(value, it["map"], tried=tried) if "map" in it else value)
                for it in self._options(argument_map, tried)
            ]
            self._known[key] = self._found(written, value)[1]
        return self._known[key]

    def _has_outline(self, value: Any, outline: ArgumentMapData, much: int) -> bool:
        """Whether a written value, or so much of it, has the outline of an alternative."""
        if not outline:
            return True
        self._count()
        if "ref" in outline:
            name = outline["ref"]
            key = id(value), name
            if key in self._compared:
                return False  # a definition that leads to itself accepts nothing by that
            self._compared.add(key)
            found = self._has_outline(value, self.root.get("outlines", {}).get(name, {}), much)
            self._compared.discard(key)
            return found
        if "any" in outline:
            return any(self._has_outline(value, each, much) for each in outline["any"])
        if not is_typed(value, outline):
            return False
        if "enum" in outline:
            self._count(len(outline["enum"]) // _VALUES_PER_STEP)
            if value not in outline["enum"]:
                return False
        if isinstance(value, list):
            items: ArgumentMapData = outline.get("items", {}) if much else {}
            return all(self._has_outline(item, items, much) for item in cast("list[Any]", value if items else ()))
        if not isinstance(value, dict):
            return True
        members = cast("dict[str, Any]", value)
        rest = outline.get("rest")
        inner: dict[str, ArgumentMapData] = outline.get("properties", {})
        required: Collection[str] = outline.get("required", ())
        known: Collection[str] = outline.get("known", ())
        names: _Outline | None = None
        if len(known) > _FEW or len(required) > _FEW:
            names = self._index(outline, _Outline.of)
            known = names.known
        is_closed = not rest and "known" in outline and (much == _LISTED or "open" not in outline)
        if is_closed and not members.keys() <= (names.known if names else {*known}):
            return False
        if not much:
            return _has_tags(members, required, inner) if names is None else names.has_tags(members)
        return all(name in members for name in required) and all(
            self._has_outline(item, inner[name], much)
            if name in inner
            else not rest or name in known or self._has_outline(item, rest, much)
            for name, item in members.items()
        )


def _by_given_name(rename: dict[str, str]) -> dict[str, str]:
    """The written names of properties by their given ones."""
    return {old: new for new, old in rename.items()}


def _by_value(texts: dict[str, Any]) -> dict[Hashable, str]:
    """The written texts by the values that they stand for."""
    found: dict[Hashable, str] = {}
    for text, given in texts.items():
        found.setdefault(value_key(given), text)
    return found


def _held(text: str) -> dict[str, Any] | str | None:
    """The object, or the text, that a text in JSON contains; None if it contains neither."""
    from ..data.json_decoder import decode_json

    try:
        value = decode_json(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any] | str", value) if isinstance(value, (dict, str)) else None


_KINDS: Final = {str: "string", float: "number", list: "array", dict: "object"}


def kind_of(value: Any) -> str:
    """The JSON type of a value; a whole number is an integer."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return "integer"
    return _KINDS[type(value)]


def is_of(value: Any, kinds: Collection[str]) -> bool:
    """Whether a value is of one of these JSON types; an integer is a number, too."""
    kind = kind_of(value)
    return kind in kinds or (kind == "integer" and "number" in kinds)


def is_typed(value: Any, outline: ArgumentMapData) -> bool:
    """Whether a value is of the types of an outline."""
    kinds = outline.get("types")
    return kinds is None or is_of(value, kinds)


# making maps


def pruned(argument_map: ArgumentMapData | None, argument_maps: dict[str, ArgumentMapData]) -> ArgumentMapData | None:
    """A map without the parts that change nothing, and those of definitions; None if nothing is left."""
    if argument_map is None and not argument_maps:
        return None
    whole = {"": argument_map or {}, **argument_maps}
    live: set[str] = set()
    users: dict[str, list[str]] = {}
    for name, it in whole.items():
        does, refs = _uses(it)
        if does:
            live.add(name)
        for ref in refs:
            users.setdefault(ref, []).append(name)
    todo = [*live]
    while todo:
        new = {*users.get(todo.pop(), ())} - live
        live |= new
        todo += new
    if "" not in live:
        return None
    result = _thinned(whole[""], live) or {}
    defs = {name: _thinned(argument_maps[name], live) for name in argument_maps if name in live}
    return {**result, "defs": defs} if defs else result


def _uses(argument_map: ArgumentMapData) -> tuple[bool, list[str]]:
    """Whether a map changes anything itself, and the definitions that it refers to."""
    refs: list[str] = []
    todo = [argument_map]
    while todo:
        it = todo.pop()
        if "ref" in it:
            refs.append(it["ref"])
        elif "omit" in it or "rename" in it or "text" in it:
            return True, refs
        else:
            todo += it.get("properties", {}).values()
            todo += [it[key] for key in ("items", "rest") if key in it]
            todo += [option["map"] for option in it.get("any", ()) if "map" in option]
    return False, refs


def _thinned(argument_map: ArgumentMapData, live: set[str]) -> ArgumentMapData | None:
    """A map without the parts that change nothing; None if nothing is left. `live` are the definitions that do."""
    if "ref" in argument_map:
        return argument_map if argument_map["ref"] in live else None
    out = dict(argument_map)
    does = "omit" in argument_map or "rename" in argument_map or "text" in argument_map
    for key in ("items", "rest"):
        if key in argument_map:
            out[key] = _thinned(argument_map[key], live)
            if out[key] is None:
                del out[key]
    if "properties" in argument_map:
        inner = {name: _thinned(it, live) for name, it in argument_map["properties"].items()}
        out["properties"] = {name: it or {} for name, it in inner.items() if it is not None or "rest" in out}
        if not out["properties"]:
            del out["properties"]
    if "any" in argument_map:
        out["any"] = [_thinned_option(option, live) for option in argument_map["any"]]
        does = does or any("map" in option for option in out["any"])
    return out if does or "properties" in out or "items" in out or "rest" in out else None


def _thinned_option(option: ArgumentMapData, live: set[str]) -> ArgumentMapData:
    inner = _thinned(option["map"], live) if "map" in option else None
    if inner is not None:
        return {**option, "map": inner}
    return {key: value for key, value in option.items() if key != "map"}
