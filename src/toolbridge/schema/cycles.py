"""Cycles of references in a schema."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, cast

from msgspec import Struct

from ..data.pointer import MISSING, decoded, escape, get, is_within
from .vocabulary import DEFINITIONS, SUBSCHEMAS, required_names


class CycleReference(Struct, frozen=True):
    """A reference: the node that it stands in, where that is, and to which place it leads.

    `home` is the place of the definition around it. Of the properties around it within that, `optional` is the nearest
    that may be left out, and `required` the nearest that is required, if that is nearer still.
    """

    node: dict[str, Any]
    place: str
    target: str
    home: str
    optional: str | None
    required: str | None

    def is_required(self, owner: str) -> bool:
        """Whether all properties between `owner` and the reference are required."""
        return self.optional is None or not self.optional.startswith(owner + "/")

    def can_be_optional(self, owner: str) -> bool:
        """Whether one of these properties could be optional instead: `required`."""
        return self.required is not None and self.required.startswith(owner + "/")


def find_cycles(references: Iterable[CycleReference], *, required: bool = False) -> list[tuple[str, CycleReference]]:
    """Those of all references of a schema that lead back on the ways from its root, each with the place that they lead
    from: there is no cycle without them. References are followed in the order of their places.

    `required`: cycles of references through required properties only; of each, a reference for which one of these could
    be optional, if there is any.
    """
    ordered = sorted(references, key=_HOME_AND_PLACE)
    targets = dict.fromkeys(("", *(reference.target for reference in ordered)))
    enclosing = {*_homes_of({*targets}, {reference.home for reference in ordered})}
    pairs = [
        (owner, reference)
        for reference in ordered
        for owner in (_ancestors(reference) if reference.home in enclosing else (reference.home,))
        if owner in targets and (not required or reference.is_required(owner))
    ]
    positions = _positions(targets, pairs)
    if required:
        component = _components(positions, pairs)
        pairs = [(owner, reference) for owner, reference in pairs if component[owner] == component[reference.target]]
        held = [(owner, reference) for owner, reference in pairs if not reference.can_be_optional(owner)]
        positions = _positions([*reversed(positions)], held)
    return [(owner, reference) for owner, reference in pairs if positions[reference.target] <= positions[owner]]


_HOME_AND_PLACE = attrgetter("home", "place")

_WITH_REFERENCES = frozenset({"$ref", *SUBSCHEMAS})
"""The keywords of a schema in which references may stand."""


def find_references(schema: Any) -> list[CycleReference]:
    """The references of a schema within itself."""
    found: list[CycleReference] = []
    todo: list[tuple[str, Any, str, str | None, str | None]] = [("", schema, "", None, None)]
    while todo:
        place, value, home, optional, nearest = todo.pop()
        if not isinstance(value, dict):
            continue
        node = cast("dict[str, Any]", value)
        target: Any = node.get("$ref")
        if isinstance(target, str) and target.startswith("#"):
            found.append(CycleReference(node, place, decoded(target[1:]), home, optional, nearest))
        for key, inner in node.items():
            if inner.__class__ is list:
                if SUBSCHEMAS.get(key) in ("list", "one or list"):
                    todo += [(f"{place}/{key}/{n}", sub, home, optional, nearest) for n, sub in enumerate(inner)]
            elif inner.__class__ is not dict or (kind := SUBSCHEMAS.get(key)) is None:
                continue
            elif kind != "map":
                todo.append((f"{place}/{key}", inner, home, optional, nearest))
            elif key in DEFINITIONS:
                for name, sub in inner.items():
                    here = f"{place}/{key}/{escape(name)}"
                    todo.append((here, sub, here, None, None))
            elif key == "properties":
                required = {*required_names(node)}
                for name, sub in inner.items():
                    if sub.__class__ is not dict or _WITH_REFERENCES.isdisjoint(sub):
                        continue
                    here = f"{place}/properties/{escape(name)}"
                    is_required = name in required
                    todo.append((here, sub, home, optional if is_required else here, here if is_required else None))
            else:
                todo += [(f"{place}/{key}/{escape(name)}", sub, home, optional, nearest) for name, sub in inner.items()]
    return found


def by_home(references: Iterable[CycleReference]) -> dict[str, list[CycleReference]]:
    """The references of a schema by the places of the definitions that they stand in."""
    found: dict[str, list[CycleReference]] = {}
    for reference in references:
        found.setdefault(reference.home, []).append(reference)
    return found


def reachable(
    references: Mapping[str, list[CycleReference]],
    place: str,
    *,
    without: Collection[str] = (),
    known: Collection[str] = (),
) -> dict[str, None]:
    """The places to which the references of a subschema lead, directly or through others, by `by_home`.

    References at or within one of the places `without` are left out, and so are places that are `known`, with all to
    which only these lead.
    """
    found: dict[str, None] = {}
    todo = [place]
    for base in todo:
        home = base
        while home and home not in references:
            home = home.rpartition("/")[0]
        for reference in references.get(home, ()):
            if (
                reference.target not in found
                and reference.target not in known
                and is_within(reference.place, base)
                and not (without and _is_within_any(reference.place, without))
            ):
                found[reference.target] = None
                todo.append(reference.target)
    return found


def _is_within_any(place: str, bases: Collection[str]) -> bool:
    while place:
        if place in bases:
            return True
        place = place.rpartition("/")[0]
    return "" in bases


def referenced_places(schema: Any, place: str) -> list[str]:
    """The places outside a subschema to which its references lead, directly or through other references."""
    targets = reachable(by_home(find_references(schema)), place)
    return [target for target in targets if not is_within(target, place) and get(schema, target) is not MISSING]


def _homes_of(targets: set[str], homes: set[str]) -> Iterator[str]:
    """The homes within which one of these targets stands."""
    for target in targets - homes:
        place = target
        while "/" in place and place not in homes:
            place = place[: place.rindex("/")]
        yield place


def _ancestors(reference: CycleReference) -> Iterator[str]:
    """The places of a reference, and of all around it up to its home."""
    place = reference.place
    while len(place) > len(reference.home):
        yield place
        place = place[: place.rindex("/")]
    yield place


def _positions(starts: Iterable[str], pairs: list[tuple[str, CycleReference]]) -> dict[str, int]:
    """The places in an order in which only references that lead back on a way lead from a later to an earlier one."""
    edges: dict[str, list[str]] = {start: [] for start in starts}
    for owner, reference in pairs:
        edges[owner].append(reference.target)
    left: list[str] = []
    seen: set[str] = set()
    for start, targets in edges.items():
        todo = [(start, iter(targets))] if start not in seen else []
        seen.add(start)
        while todo:
            node, rest = todo[-1]
            after = next((it for it in rest if it not in seen), None)
            if after is None:
                left.append(node)
                todo.pop()
            else:
                seen.add(after)
                todo.append((after, iter(edges[after])))
    return {node: position for position, node in enumerate(reversed(left))}


def _components(positions: Iterable[str], pairs: list[tuple[str, CycleReference]]) -> dict[str, str]:
    """For each place, in the order of `_positions`, one of its strongly connected component (Kosaraju)."""
    back: dict[str, list[str]] = {place: [] for place in positions}
    for owner, reference in pairs:
        back[reference.target].append(owner)
    component: dict[str, str] = {}
    for start in back:
        stack = [start]
        while stack:
            place = stack.pop()
            if place not in component:
                component[place] = start
                stack += back[place]
    return component
