"""Circles: references that lead back to a subschema in which they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..pointer import decoded, escape, get, split
from .walk import children

if TYPE_CHECKING:
    from .rewrite import Rewriting


class Lead(NamedTuple):
    """A reference: where it stands, and to which place it leads.

    `home` is the place of the definition around it. Of the properties around it within that, `free` is the nearest that
    may be left out, and `bound` the nearest that is required, if that is nearer still.
    """

    place: str
    target: str
    home: str
    free: str | None
    bound: str | None

    def is_bound(self, owner: str) -> bool:
        """Whether all properties between `owner` and the reference are required."""
        return self.free is None or not self.free.startswith(owner + "/")


def circle(schema: Any, *, bound: bool = False) -> list[tuple[str, Lead]]:
    """The references of which circles are made, each with a place that it may lead back to; `bound`: of those circles
    that run through no property that may be left out.
    """
    leads = [*_leads(schema)]
    targets = {lead.target for lead in leads}
    pairs = [(owner, lead) for lead in leads for owner in _above(lead) if owner in targets]
    if bound:
        pairs = [(owner, lead) for owner, lead in pairs if lead.is_bound(owner)]
    edges: dict[str, list[str]] = {target: [] for target in targets}
    for owner, lead in pairs:
        edges[owner].append(lead.target)
    ring = _rings(edges)
    return [(owner, lead) for owner, lead in pairs if ring[owner] == ring[lead.target]]


def free(run: Rewriting, schema: dict[str, Any], stands: Mapping[str, tuple[str, list[str] | None]]) -> None:
    """Let the properties be left out through which definitions lead back to themselves; where they do so through no
    property, the references are cut. Both is noted.
    """
    bound = circle(schema, bound=True)
    if not bound:
        return
    for owner, lead in bound:
        if lead.bound is None or not lead.bound.startswith(owner + "/"):
            continue
        place, _, token = lead.bound.rpartition("/properties/")
        node, name = get(schema, place), split(f"/{token}")[0]
        if name not in node.get("required", ()):
            continue  # for the sake of another reference
        at, names = stands.get(place, ("", None))
        run.note("TB201", at if names is None else f"{at}/{names.index(name)}", place)
        node["required"].remove(name)
        if not node["required"]:
            del node["required"]
    for _, lead in circle(schema, bound=True):
        _cut(run, schema, lead, stands)
    _prune(run, schema)


def _prune(run: Rewriting, schema: dict[str, Any]) -> None:
    """Leave out the definitions to which no reference leads any more, and note them."""
    after: dict[str, list[str]] = {}
    for lead in _leads(schema):
        after.setdefault(lead.home, []).append(lead.target)
    live, todo = {""}, [""]
    while todo:
        new = set(after.get(todo.pop(), ())) - live
        live |= new
        todo += new
    kept = {name: inner for name, inner in schema.get("$defs", {}).items() if f"/$defs/{escape(name)}" in live}
    schema.pop("$defs", None)
    if kept:
        schema["$defs"] = kept
    for place, name in run.gather.definitions.items():
        if name not in kept:
            run.note("TB103", place, None)


def _cut(
    run: Rewriting, schema: dict[str, Any], lead: Lead, stands: Mapping[str, tuple[str, list[str] | None]]
) -> None:
    """What is left of a reference: the type of what it leads to, and what that is for."""
    node, target = get(schema, lead.place), get(schema, lead.target)
    if node.pop("$ref", None) is None:
        return
    run.note("TB205", stands.get(lead.place, ("", None))[0], lead.place)
    node.update({key: target[key] for key in ("type", "title", "description") if isinstance(target.get(key), str)})


def _leads(schema: Any) -> Iterator[Lead]:
    todo: list[tuple[str, Any, str, str | None, str | None]] = [("", schema, "", None, None)]
    while todo:
        place, value, home, free, bound = todo.pop()
        if not isinstance(value, dict):
            continue
        node = cast("dict[str, Any]", value)
        target: Any = node.get("$ref")
        listed: Any = node.get("required")
        required: set[str] = set()
        if listed.__class__ is list:
            required = {name for name in listed if name.__class__ is str}
        if isinstance(target, str) and target.startswith("#"):
            yield Lead(place, decoded(target[1:]), home, free, bound)
        for way, inner in children(node):
            here = place + way
            if way.startswith(("/$defs/", "/definitions/")):
                todo.append((here, inner, here, None, None))
            elif not way.startswith("/properties/"):
                todo.append((here, inner, home, free, bound))
            elif split(way)[1] in required:
                todo.append((here, inner, home, free, here))
            else:
                todo.append((here, inner, home, here, None))


def _above(lead: Lead) -> Iterator[str]:
    """The places of a reference, and of all around it up to its home."""
    place = lead.place
    while len(place) > len(lead.home):
        yield place
        place = place[: place.rindex("/")]
    yield place


def _rings(edges: Mapping[str, list[str]]) -> dict[str, str]:
    """For each node one that stands for all those from which it is reached and which it reaches (Kosaraju)."""
    order: list[str] = []
    seen: set[str] = set()
    for start in edges:
        todo = [(start, iter(edges[start]))] if start not in seen else []
        seen.add(start)
        while todo:
            node, rest = todo[-1]
            after = next((it for it in rest if it not in seen), None)
            if after is None:
                order.append(node)
                todo.pop()
            else:
                seen.add(after)
                todo.append((after, iter(edges[after])))
    back: dict[str, list[str]] = {node: [] for node in edges}
    for node, others in edges.items():
        for other in others:
            back[other].append(node)
    ring: dict[str, str] = {}
    for start in reversed(order):
        stack = [start]
        while stack:
            node = stack.pop()
            if node not in ring:
                ring[node] = start
                stack += back[node]
    return ring
