"""Unique names for the tools of several servers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from ..conversion.budget import Budget
from ..data.names import digest
from ..data.types import Json
from ..errors import DocumentError
from ..mapping.format import Format

if TYPE_CHECKING:
    from .routing import Key, Route, RouteMaker, ServerTools, ToolboxOptions


def assign_parts(
    makers: Sequence[RouteMaker],
    parts: list[ServerTools],
    kept: Iterable[Route],
    options: ToolboxOptions,
    earlier: Mapping[Key, Route],
) -> list[ServerTools]:
    """The tools of several servers with unique names.

    Tools that were there before keep their names. Where several others want one name, all of them get longer ones,
    which depend on where they come from and not on their order.

    Args:
        makers: Convert the tools of each server.
        parts: The tools of each server, as they are named if there are no others.
        kept: The routes of the tools that stay as they are.
        options: The options of the toolbox.
        earlier: The routes of the same tools in an earlier toolbox.
    """
    target = options.target
    fold = str.casefold if target.names is not None and target.names.fold else str
    taken = {name for route in kept for name in _unique_names(route, route.call_name, target, fold)}
    aliases: list[dict[int, str]] = [{} for _ in makers]
    # Of several tools with the same key it is not known which was there before.
    counts = Counter(route.key for part in parts for route in part.routes)
    earlier = {key: route for key, route in earlier.items() if counts[key] == 1}
    for attempt in range(8):
        claims: dict[str, list[tuple[int, Route]]] = {}
        for n, part in enumerate(parts):
            for route in part.routes:
                old = earlier.get(route.key) if attempt == 0 else None
                if old is not None and old.call_name != route.call_name:
                    aliases[n][route.number] = old.written_name
                call_name = route.call_name if old is None else old.call_name
                for name in _unique_names(route, call_name, target, fold):
                    claims.setdefault(name, []).append((n, route))
        changed = {n for n, names in enumerate(aliases) if names and attempt == 0}
        for name, rivals in claims.items():
            if len(rivals) == 1 and name not in taken:
                continue
            for n, route in rivals:
                if route.key in earlier and name not in taken:
                    continue
                aliases[n][route.number] = _longer_name(route, [rival for _, rival in rivals], attempt)
                changed.add(n)
        if not changed:
            return _within_limits(parts, makers, aliases, kept, target)
        for n in changed:
            parts[n] = makers[n](aliases[n], frozenset())
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


def _unique_names(route: Route, call_name: str, target: Format, fold: Callable[[str], str]) -> list[str]:
    """The names that no two tools may share: the one in calls, and what else names the tool there."""
    call_names: Mapping[str, Json] = {}
    if target.call_names is not None and call_name == route.call_name:
        call_names = target.call_names(route.value)
    # With their places: a name is not an id.
    return [fold(call_name), *(f"{place} {fold(str(value))}" for place, value in call_names.items())]


def _longer_name(route: Route, rivals: Sequence[Route], attempt: int) -> str:
    """A name with the server and the toolkit of a tool, and a digest if that is not enough."""
    server, name, toolkit, version = route.key
    servers = {rival.key[0] for rival in rivals}
    words = [server or "", toolkit if isinstance(toolkit, str) else "", name]
    if isinstance(version, str) and len({rival.key for rival in rivals}) > len({rival.key[:3] for rival in rivals}):
        words.append(version)
    if attempt or len(words) == 1 or (len(servers) == 1 and len({rival.key for rival in rivals}) < len(rivals)):
        words.append(digest(f"{attempt}{route.key}{route.number}"))
    return "_".join(word for word in words if word)


def without_routes(part: ServerTools, keys: set[Key]) -> ServerTools | None:
    """The tools of a server without those with these keys; None if none is left."""
    routes = tuple(route for route in part.routes if route.key not in keys)
    return msgspec.structs.replace(part, routes=routes) if routes or part.hosted else None


def find_match(key: Key, others: Sequence[Key], own: Sequence[Key]) -> Key | None:
    """The key of the same tool among others: an equal one, or that of another version if either side has only one.

    Args:
        key: The key of a tool.
        others: The keys to look among.
        own: All keys of the tools that `key` is one of.
    """
    if key in others:
        return key
    other_versions = [other for other in others if other[:3] == key[:3]]
    own_versions = [other for other in own if other[:3] == key[:3]]
    return other_versions[0] if len(other_versions) == len(own_versions) == 1 else None
