"""The size of a schema, as vendors count it."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from .walk import children


class Size(NamedTuple):
    """How large a schema is: levels of objects and arrays, properties, enumerated values, characters of names and
    values.
    """

    levels: int
    properties: int
    choices: int
    text: int


def measure(schema: Any) -> Size:
    """The size of a schema."""
    deepest = properties = choices = text = 0
    todo: list[tuple[Any, int]] = [(schema, 0)]
    while todo:
        value, level = todo.pop()
        if not isinstance(value, dict):
            continue
        node = cast("dict[str, Any]", value)
        deepest = max(deepest, level)
        named = node.get("properties")
        if isinstance(named, dict):
            names = cast("dict[str, Any]", named)
            properties += len(names)
            text += sum(map(len, names))
        if isinstance(node.get("enum"), list):
            choices += len(node["enum"])
            text += sum(len(it) if isinstance(it, str) else 8 for it in node["enum"])
        if isinstance(node.get("const"), str):
            text += len(node["const"])
        for way, inner in children(node):
            todo.append((inner, level + (way.startswith(("/properties/", "/items")))))
            if way.startswith("/$defs/"):
                text += len(way) - 7
    return Size(deepest, properties, choices, text)
