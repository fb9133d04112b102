"""Argument maps: how arguments change between a schema and the same schema in a dialect.

A way is plain data, a sparse image of the written schema (absent: nothing to do):

- `omit`: names of properties whose null means that they are left out
- `rename`: written name to given name of a property
- `text`: written text to given value
- `properties` (by written name), `items`, `rest` (properties that are not listed): the ways of what stands there
- `any`: alternatives, each with a `way` and what tells it apart: `types`, `known` names, `firm` names that are there
  and not null, `fixed` values, or `among` several of which one has to be told
- `ref`: the name of a way in `defs` of the outermost; "" is the outermost itself
"""

from __future__ import annotations

import copy
from typing import Any, Final, TypeAlias, cast

ArgumentMap: TypeAlias = dict[str, Any]

DEPTH: Final = 200
"""How deeply arguments are followed; far beyond what any model sends."""


def restore_arguments(arguments: Any, way: ArgumentMap | None) -> Any:
    """Convert arguments of a written tool to those of the source tool.

    Args:
        arguments: The arguments; they are not changed.
        way: The argument map of the tool, an entry of `Converted.argument_maps`; None returns the arguments unchanged.

    Returns:
        The arguments of the source tool.
    """
    return arguments if way is None else _home(arguments, way, way, 0)


def adapt_arguments(arguments: Any, way: ArgumentMap | None) -> Any:
    """Convert arguments of a source tool to those of the written tool.

    Args:
        arguments: The arguments; they are not changed.
        way: The argument map of the tool, an entry of `Converted.argument_maps`; None returns the arguments unchanged.

    Returns:
        The arguments of the written tool.
    """
    return arguments if way is None else _out(arguments, way, way, 0)


def _met(way: ArgumentMap, root: ArgumentMap) -> ArgumentMap:
    seen = 0
    while "ref" in way:
        name = way["ref"]
        way = root.get("defs", {}).get(name, {}) if name else root
        seen += 1
        if seen > DEPTH or (not name and "ref" not in root):
            break
    return way


def _home(value: Any, way: ArgumentMap, root: ArgumentMap, level: int) -> Any:
    way = _met(way, root)
    if level > DEPTH or not way:
        return value
    if "any" in way:
        for option in way["any"]:
            if _is_written(value, option):
                return _home(value, option["way"], root, level + 1) if "way" in option else value
        return value
    if "text" in way and isinstance(value, str) and value in way["text"]:
        # The caller may change it.
        return copy.deepcopy(way["text"][value])
    if isinstance(value, list) and "items" in way:
        return [_home(item, way["items"], root, level + 1) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        omit, rename, inner = way.get("omit", ()), way.get("rename", {}), way.get("properties", {})
        rest: ArgumentMap = way.get("rest", {})
        # A name that had to be rewritten means nothing under its old spelling.
        old = set(rename.values()) - rename.keys()
        return {
            rename.get(name, name): _home(item, inner.get(name, rest), root, level + 1)
            for name, item in cast("dict[str, Any]", value).items()
            if (item is not None or name not in omit) and name not in old
        }
    return cast("Any", value)


def _out(value: Any, way: ArgumentMap, root: ArgumentMap, level: int) -> Any:
    way = _met(way, root)
    if level > DEPTH or not way:
        return value
    if "any" in way:
        for option in way["any"]:
            if _is_written(_out(value, option["way"], root, level + 1) if "way" in option else value, option):
                return _out(value, option["way"], root, level + 1) if "way" in option else value
        return value
    if "text" in way:
        from ..data.equality import value_key

        wanted = value_key(value)
        return next((text for text, given in way["text"].items() if value_key(given) == wanted), value)
    if isinstance(value, list) and "items" in way:
        return [_out(item, way["items"], root, level + 1) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        given = cast("dict[str, Any]", value)
        written = {old: new for new, old in way.get("rename", {}).items()}
        inner, rest = way.get("properties", {}), way.get("rest", {})
        there: dict[str, Any] = {}
        for name, item in given.items():
            new = written.get(name, name)
            there[new] = _out(item, inner.get(new, rest), root, level + 1)
        for name in way.get("omit", ()):
            there.setdefault(name, None)
        return there
    return cast("Any", value)


def kind_of(value: Any) -> str:
    """The JSON type of a value; a whole number is an integer."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return "integer"
    return {str: "string", float: "number", list: "array", dict: "object"}[type(value)]


def _is_typed(value: Any, option: ArgumentMap) -> bool:
    kinds = option.get("types")
    if kinds is None:
        return True
    kind = kind_of(value)
    return kind in kinds or (kind == "integer" and "number" in kinds)


def _is_written(value: Any, option: ArgumentMap) -> bool:
    """Whether a written value looks like this alternative."""
    if not _is_typed(value, option):
        return False
    if "among" in option and not any(_is_written(value, it) for it in option["among"]):
        return False
    if not isinstance(value, dict):
        return True
    names = cast("dict[str, Any]", value)
    return (
        all(names.get(name) is not None for name in option.get("firm", ()))
        and ("known" not in option or names.keys() <= set(option["known"]))
        and all(name not in names or names[name] in values for name, values in option.get("fixed", {}).items())
    )


# ways in the making


def pruned(way: ArgumentMap | None, argument_maps: dict[str, ArgumentMap]) -> ArgumentMap | None:
    """A way without what leads to nothing; None where nothing is left.

    `ways` are those of definitions.
    """
    if way is None and not argument_maps:
        return None
    whole = {"": way or {}, **argument_maps}
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


def _uses(way: ArgumentMap) -> tuple[bool, list[str]]:
    """Whether a way does anything itself, and the definitions to which it leads."""
    refs: list[str] = []
    todo = [way]
    while todo:
        it = todo.pop()
        if "ref" in it:
            refs.append(it["ref"])
        elif "omit" in it or "rename" in it or "text" in it:
            return True, refs
        else:
            todo += it.get("properties", {}).values()
            todo += [it[key] for key in ("items", "rest") if key in it]
            todo += [option["way"] for option in it.get("any", ()) if "way" in option]
    return False, refs


def _thinned(way: ArgumentMap, live: set[str]) -> ArgumentMap | None:
    """A way without what leads to nothing; None where nothing is left."""
    if "ref" in way:
        return way if way["ref"] in live else None
    out = dict(way)
    does = "omit" in way or "rename" in way or "text" in way
    if "properties" in way:
        inner = {name: _thinned(it, live) for name, it in way["properties"].items()}
        out["properties"] = {name: it for name, it in inner.items() if it is not None}
        if not out["properties"]:
            del out["properties"]
    for key in ("items", "rest"):
        if key in way:
            out[key] = _thinned(way[key], live)
            if out[key] is None:
                del out[key]
    if "any" in way:
        out["any"] = [_thinned_option(option, live) for option in way["any"]]
        does = does or any("way" in option for option in out["any"])
    return out if does or "properties" in out or "items" in out or "rest" in out else None


def _thinned_option(option: ArgumentMap, live: set[str]) -> ArgumentMap:
    inner = _thinned(option["way"], live) if "way" in option else None
    if inner is not None:
        return {**option, "way": inner}
    return {key: value for key, value in option.items() if key != "way"}
