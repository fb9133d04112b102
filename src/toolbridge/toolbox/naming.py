"""Unique names for the tools of several servers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from ..conversion.budget import Budget
from ..data.types import Json
from ..errors import DocumentError
from ..mapping.format import Format
from ..names import digest

if TYPE_CHECKING:
    from .routing import Key, Route, RouteMaker, ServerTools, ToolboxOptions


# names


def assign_parts(
    makers: Iterable[RouteMaker], kept: Iterable[Route], terms: ToolboxOptions, known: Mapping[Key, Route]
) -> list[ServerTools]:
    """New parts beside tools that are there already, no two tools called alike.

    Tools that were known before keep their names. Where several others want one name, all of them get longer ones,
    which depend on who they are and not on their order.
    """
    makers = list(makers)
    fold = str.casefold if terms.target.names is not None and terms.target.names.fold else str
    taken = {word for route in kept for word in _words(route, route.called, terms.target, fold)}
    aliases: list[dict[int, str]] = [{} for _ in makers]
    made = [make({}, frozenset()) for make in makers]
    # Of several that are called alike nobody can say which was there before.
    often = Counter(route.key for one in made for route in one.routes)
    known = {key: route for key, route in known.items() if often[key] == 1}
    for turn in range(8):
        wanted: dict[str, list[tuple[int, Route]]] = {}
        for n, one in enumerate(made):
            for route in one.routes:
                own = known.get(route.key) if turn == 0 else None
                if own is not None and own.called != route.called:
                    aliases[n][route.number] = own.given
                called = route.called if own is None else own.called
                for word in _words(route, called, terms.target, fold):
                    wanted.setdefault(word, []).append((n, route))
        changed = {n for n, one in enumerate(aliases) if one and turn == 0}
        for word, rivals in wanted.items():
            if len(rivals) == 1 and word not in taken:
                continue
            for n, route in rivals:
                if route.key in known and word not in taken:
                    continue
                aliases[n][route.number] = _longer(route, [rival for _, rival in rivals], turn)
                changed.add(n)
        if not changed:
            return _within_limits(made, makers, aliases, kept, terms.target)
        for n in changed:
            made[n] = makers[n](aliases[n], frozenset())
    raise DocumentError("two tools have the same name and cannot be told apart")


def _within_limits(
    parts: list[ServerTools],
    makers: Sequence[RouteMaker],
    aliases: Sequence[Mapping[int, str]],
    kept: Iterable[Route],
    target: Format,
) -> list[ServerTools]:
    """The parts, the fewest tools without strict so that the rest and the kept tools keep the limits of the vendor."""
    routes = [(n, route) for n, part in enumerate(parts) for route in part.routes]
    budget = Budget(target, len(routes))
    for number, (_, route) in enumerate(routes):
        budget.add(number, route.value)
    excess = budget.excess([route.value for route in kept])
    for n in {routes[number][0] for number in excess}:
        own = frozenset(routes[number][1].number for number in excess if routes[number][0] == n)
        parts[n] = makers[n](aliases[n], own)
    return parts


def _words(route: Route, called: str, target: Format, fold: Callable[[str], str]) -> list[str]:
    """What no two tools may have in common: what they are called, and what calls ask for."""
    asks: Mapping[str, Json] = {}
    if target.asks is not None and called == route.called:
        asks = target.asks(route.value)
    # Both are kept apart: a name is no id.
    return [fold(called), *(f"{place} {fold(str(value))}" for place, value in asks.items())]


def _longer(route: Route, rivals: Sequence[Route], turn: int) -> str:
    """A name that says where a tool comes from; with a digest where that is not enough."""
    server, name, toolkit, version = route.key
    servers = {rival.key[0] for rival in rivals}
    words = [server or "", toolkit if isinstance(toolkit, str) else "", name]
    if isinstance(version, str) and len({rival.key for rival in rivals}) > len({rival.key[:3] for rival in rivals}):
        words.append(version)
    if turn or len(words) == 1 or (len(servers) == 1 and len({rival.key for rival in rivals}) < len(rivals)):
        words.append(digest(f"{turn}{route.key}{route.number}"))
    return "_".join(word for word in words if word)


def remaining(one: ServerTools, keys: set[Key]) -> ServerTools | None:
    """A part without these tools; None where nothing is left."""
    routes = tuple(route for route in one.routes if route.key not in keys)
    return msgspec.structs.replace(one, routes=routes) if routes or one.hosted else None


def find_match(key: Key, others: Sequence[Key], own: Sequence[Key]) -> Key | None:
    """Which of other tools is this one; another version of it, where there is only one on either side."""
    if key in others:
        return key
    alike = [other for other in others if other[:3] == key[:3]]
    mine = [other for other in own if other[:3] == key[:3]]
    return alike[0] if len(alike) == len(mine) == 1 else None
