"""What has to go, or to change, so that a cut below makes the whole accept more and never less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, cast

from .. import pointer
from .references import Node

# In-place applicators: what they evaluate counts for an `unevaluatedProperties` above (2020-12 core, 10.2 and 11;
# checked 2026-11-21).
IN_PLACE: Final = frozenset({
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
})

# Keywords that refuse when something below accepts more, and what has to go with them.
_TURNING: Final[dict[str, tuple[str, ...]]] = {
    "not": ("not",),
    "if": ("if", "then", "else"),
    "contains": ("contains", "minContains", "maxContains"),
    "unevaluatedProperties": ("unevaluatedProperties",),
    "unevaluatedItems": ("unevaluatedItems",),
}


class Open(NamedTuple):
    """A node with `unevaluated...` above, with nothing but in-place applicators between."""

    where: str
    node: Node
    outer: Open | None


class Guard(NamedTuple):
    """A keyword above that turns more into less, and the nodes with `unevaluated...` above it."""

    keyword: str
    where: str
    node: Node
    open: Open | None
    outer: Guard | None


class Widening:
    """The keywords of one result that are marked to go, or to change."""

    def __init__(self) -> None:
        self._turned: dict[tuple[str, str], Node] = {}

    def mark(self, guard: Guard | None, above: Open | None) -> None:
        """Mark everything above a cut that would now refuse what was accepted."""
        guards: list[Guard] = []
        while guard is not None:
            guards.append(guard)
            guard = guard.outer
        for guard in reversed(guards):
            self._turned[guard.where, guard.keyword] = guard.node
            if guard.keyword != "oneOf":
                # With this one go all cuts below it; but what it evaluated is not evaluated any more.
                above = None if guard.keyword == "not" else guard.open
                break
        while above is not None:
            for keyword in ("unevaluatedProperties", "unevaluatedItems"):
                if keyword in above.node.schema:
                    self._turned[above.where, keyword] = above.node
            above = above.outer

    def apply(self, out: dict[str, Any]) -> dict[str, str | None]:
        """Take out what was marked, and let `oneOf` be an `anyOf`.

        Tells where things went: a place before, and its new end, or None.
        """
        moved: dict[str, str | None] = {}
        # The deepest first, so that the ways to the others still lead there. Nothing above a cut is shared.
        for where, keyword in sorted(self._turned, key=_deepest_first):
            node = pointer.get(out, where)
            if keyword == "oneOf":
                moved[f"{where}/oneOf"] = _any_of(node)
                continue
            for name in _TURNING[keyword]:
                if name in node:
                    del node[name]
                    moved[f"{where}/{name}"] = None
        return moved

    def told(self, moved: dict[str, str | None]) -> Iterator[tuple[str, str, str | None]]:
        """The losses: TB201 for what was taken out, TB203 for each `oneOf`."""
        for (where, keyword), node in self._turned.items():
            for name in _TURNING.get(keyword, ("oneOf",)):
                if name in node.schema and final(where, moved) is not None:
                    code = "TB203" if keyword == "oneOf" else "TB201"
                    yield code, f"{node.place}/{name}", final(f"{where}/{name}", moved)


def _any_of(node: dict[str, Any]) -> str:
    """Let any of the branches do instead of one of them; where they went."""
    branches = node.pop("oneOf")
    if "anyOf" not in node:
        node["anyOf"] = branches
        return "/anyOf"
    parts = cast("object", node.get("allOf"))
    before: list[Any] = cast("list[Any]", parts) if isinstance(parts, list) else []
    node["allOf"] = [*before, {"anyOf": branches}]
    return f"/allOf/{len(before)}/anyOf"


def _deepest_first(mark: tuple[str, str]) -> int:
    return -len(mark[0])


def final(where: str, moved: dict[str, str | None]) -> str | None:
    """Where something ended up after what was marked had gone; None if it went too."""
    if not moved:
        return where
    before = after = ""
    for token in where.split("/")[1:]:
        before += "/" + token
        end = moved.get(before, "/" + token)
        if end is None:
            return None
        after += end
    return after
