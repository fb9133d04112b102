"""Unique names for the tools of several servers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

import msgspec

from ..conversion.budget import Budget
from ..data.equality import exact_key
from ..data.names import digest
from ..data.types import Json, JsonObject
from ..errors import DocumentError
from ..mapping.format import Format

if TYPE_CHECKING:
    from .routing import Key, Route, RouteMaker, ServerTools, ToolboxOptions


def assign_parts(
    makers: Sequence[RouteMaker],
    parts: list[ServerTools],
    kept: Sequence[ServerTools],
    options: ToolboxOptions,
    earlier: Mapping[Key, Route],
) -> list[ServerTools]:
    """The tools of several servers with unique names.

    Tools that were there before keep their names, and so do the vendor's own. Where several others want one
    name, all of them get longer ones, which depend on where they come from and not on their order.

    Args:
        makers: Convert the tools of each server.
        parts: The tools of each server, as they are named if there are no others.
        kept: The tools of the servers that stay as they are.
        options: The options of the toolbox.
        earlier: The routes of the same tools in an earlier toolbox.

    Raises:
        DocumentError: A tool of the vendor's own has the name of a tool that stays.
    """
    target = options.target
    kept_routes = [route for part in kept for route in part.routes]
    taken = {name for route in kept_routes for name in _unique_names(route, route.call_name, target)}
    for name in hosted_names(parts, target):
        if name in taken:
            raise DocumentError(
                f"a tool of the vendor is called {name!r}, like a tool that the toolbox has, whose name stays: make a "
                "toolbox with that of the vendor, and add the other one to it"
            )
    # "Tool names must be unique" at Anthropic, of all tools (danny-avila/LibreChat#13162, checked 2026-11-27).
    taken.update(hosted_names([*parts, *kept], target))
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
                for name in _unique_names(route, call_name, target):
                    claims.setdefault(name, []).append((n, route))
        changed = {n for n, names in enumerate(aliases) if names and attempt == 0}
        contested: list[str] = []
        for name, rivals in claims.items():
            if len(rivals) == 1 and name not in taken:
                continue
            is_free = name not in taken
            if not (is_free and any(route.key in earlier for _, route in rivals)):
                contested.append(name)
            keys = [route.key for _, route in rivals]
            with_version, with_digest = _distinguished_by(keys)
            for n, route in rivals:
                if route.key in earlier and is_free:
                    continue
                number = route.number if counts[route.key] > 1 else ""
                aliases[n][route.number] = _longer_name(
                    route, attempt, number, with_version=with_version, with_digest=with_digest
                )
                changed.add(n)
        if not changed:
            return _within_limits(parts, makers, aliases, kept_routes, target)
        taken.update(contested)  # so that no other tool gets a name which those that want it do not have
        for n in changed:
            # Where other tools of a server get new names, one that is rewritten may become another one.
            aliases[n] = _rewritten_names(parts[n], earlier if attempt == 0 else {}) | aliases[n]
            parts[n] = makers[n](aliases[n], frozenset())
    raise DocumentError("two tools have the same name, and nothing else distinguishes them")


def _rewritten_names(part: ServerTools, earlier: Mapping[Key, Route]) -> dict[int, str]:
    """The earlier names of the tools of a server that are not their own."""
    found = {route.number: (route.name, earlier[route.key]) for route in part.routes if route.key in earlier}
    return {number: old.written_name for number, (name, old) in found.items() if old.written_name != name}


def hosted_names(parts: Iterable[ServerTools], target: Format) -> list[str]:
    """The names of the vendor's own tools."""
    names = (target.hosted_name(cast("JsonObject", value)) for part in parts for _, value in part.hosted)
    return [name for name in names if name is not None]


def list_hosted_once(parts: Iterable[ServerTools]) -> list[ServerTools]:
    """The parts, without the vendor's own tools that an earlier part has as well: the list has all of them."""
    found: list[ServerTools] = []
    seen: set[Hashable] = set()
    for part in parts:
        own = tuple(each for each in part.hosted if exact_key(each[1]) not in seen)
        seen.update(exact_key(value) for _, value in own)
        found.append(part if len(own) == len(part.hosted) else msgspec.structs.replace(part, hosted=own))
    return found


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


def _unique_names(route: Route, call_name: str, target: Format) -> list[str]:
    """The names that no two tools may share: the one in calls, and what else names the tool there."""
    call_names: Mapping[str, Json] = {}
    if target.call_names is not None and call_name == route.call_name:
        call_names = target.call_names(route.value)
    # With their places: a name is not an id.
    return [call_name, *(f"{place} {value}" for place, value in call_names.items())]


def _distinguished_by(keys: Sequence[Key]) -> tuple[bool, bool]:
    """Whether tools with these keys, which want one name, need their versions, and whether a digest."""
    different = len({*keys})
    return different > len({key[:3] for key in keys}), different < len(keys) and len({key[0] for key in keys}) == 1


def _longer_name(route: Route, attempt: int, number: int | str, *, with_version: bool, with_digest: bool) -> str:
    """A name with the server and the toolkit of a tool, and a digest if that is not enough.

    `number` is that of the tool if another one has the same key, else empty: names do not depend on the order of tools.
    """
    server, name, toolkit, version = route.key
    words = [server or "", toolkit if isinstance(toolkit, str) else "", name]
    if isinstance(version, str) and with_version:
        words.append(version)
    if attempt or with_digest:
        words.append(digest(f"{attempt}{route.key}{number}"))
    return "_".join(word for word in words if word)


def without_routes(part: ServerTools, keys: set[Key]) -> ServerTools | None:
    """The tools of a server without those with these keys; None if none is left."""
    routes = tuple(route for route in part.routes if route.key not in keys)
    return msgspec.structs.replace(part, routes=routes) if routes or part.hosted else None


def find_matches(own: Sequence[Key], others: Sequence[Key]) -> dict[Key, Key]:
    """The keys of the same tools among others: an equal one, or that of another version if either side has only one.

    Args:
        own: The keys of all tools of one side.
        others: Those of the other side.

    Returns:
        The other key of each tool that the other side has as well.
    """
    equal = {*others}
    versions: dict[tuple[object, ...], list[Key]] = {}
    for key in others:
        versions.setdefault(key[:3], []).append(key)
    counts = Counter(key[:3] for key in own)
    found: dict[Key, Key] = {}
    for key in own:
        others_of = versions.get(key[:3], [])
        if key in equal:
            found[key] = key
        elif len(others_of) == counts[key[:3]] == 1:
            found[key] = others_of[0]
    return found
