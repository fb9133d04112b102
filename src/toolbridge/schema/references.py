"""References within one schema: its subschemas by place, its resources and anchors, the targets of references.

Nothing is ever fetched: a reference leads to a place in the document, or nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from typing import Any, Final, cast

from msgspec import Struct

from ..data import pointer
from ..data.pointer import decoded, escape
from ..limits import Limits
from .dialect import BudgetExceeded
from .vocabulary import (
    DEFINITIONS,
    ID_AS_ID,
    IDENTIFIERS,
    LONE_REF,
    REFERENCES,
    SUBSCHEMAS,
    Value,
    stated_draft,
    subschemas,
    text,
)

_LISTED: Final = frozenset({"list", "one or list"})

_SEARCHED: Final = tuple(f'"{keyword}"'.encode() for keyword in sorted(REFERENCES | DEFINITIONS))

# Which references a draft knows; a schema that states no draft may mean any of them.
_KNOWN: Final[dict[str | None, frozenset[str]]] = {
    None: REFERENCES,
    "draft3": frozenset({"$ref"}),
    "draft4": frozenset({"$ref"}),
    "draft6": frozenset({"$ref"}),
    "draft7": frozenset({"$ref"}),
    "2019-09": frozenset({"$ref", "$recursiveRef"}),
    "2020-12": frozenset({"$ref", "$dynamicRef"}),
}


def may_refer(data: bytes | None) -> bool:
    """Whether the JSON text of a schema may hold a reference or a definition."""
    if data is None:
        return True
    if b"$" not in data and b'"definitions"' not in data:
        return False
    for keyword in _SEARCHED:  # noqa: SIM110 - called for every schema, and any() costs more than its tests
        if keyword in data:
            return True
    return False


def has_references(schema: Any, data: bytes | None = None) -> bool:
    """Whether a schema refers anywhere, or keeps definitions: `$ref` and its like, `$defs`, `definitions`.

    `data` is its JSON text, where that is known.
    """
    if not may_refer(text(schema) if data is None else data):
        return False
    for sub in subschemas(schema):  # noqa: SIM110 - as above
        if not _SOUGHT.isdisjoint(sub):
            return True
    return False


_SOUGHT: Final = REFERENCES | DEFINITIONS

_NAMING: Final = IDENTIFIERS | {"id"}

_STRUCTURE: Final = _NAMING | REFERENCES | SUBSCHEMAS.keys()
"""Keywords that name a subschema, refer to others or hold them."""


def _joined(base: str, address: str) -> str:
    if not base:
        return address
    from urllib.parse import urljoin  # few schemas have an address of their own

    return urljoin(base, address)


class Home(Struct, frozen=True):
    """The resource in which a subschema lives: its address, and the place of its root."""

    address: str
    root: str


class Node:
    """A subschema at its place that names itself, refers to others or holds some: other ones have none.

    `refs` are its keywords that refer, in the draft of the schema.
    """

    __slots__ = ("home", "place", "refs", "schema")

    def __init__(self, schema: dict[str, Any], place: str, home: Home) -> None:
        self.schema = schema
        self.place = place
        self.home = home
        # A tuple, as most nodes have none of these, and a list for each would take longer than all else.
        self.refs: tuple[str, ...] = ()


class Document:
    """A schema, read once: its nodes by place, and the addresses and anchors by which references find them."""

    def __init__(self, schema: dict[str, Any], limits: Limits) -> None:
        self.schema = schema
        self.limits = limits
        self.nodes: dict[str, Node] = {}
        self.stated = stated_draft(schema)
        self.known = _KNOWN.get(self.stated, REFERENCES)
        self.lone_ref = self.stated in LONE_REF
        self.id_key = "id" if self.stated in ID_AS_ID else "$id"
        self.resources = {"": ""}
        self.anchors: dict[tuple[str, str], tuple[str, str]] = {}
        self.dynamic: set[tuple[str, str]] = set()
        self.has_dynamic_references = False
        self._count = 0
        self._places = 0
        self.repaired: dict[str, str] = {}
        """Where references lead that stand for those of a schema that was put into another one, by their places."""
        self._searched = 0
        self._unresolved: list[Node] = []
        self._read(schema, "", Home("", ""))
        self._follow()

    def _read(self, schema: dict[str, Any], place: str, home: Home) -> None:
        """Register a subschema and all below it."""
        limits = self.limits
        most, longest = 10 * limits.nodes, 20 * limits.output
        node = self.nodes[place] = Node(schema, place, home)
        self._count += 1
        self._places += len(place)
        todo = [node]
        while todo:
            node = todo.pop()
            if self._count > most:
                problem = f"more than {most:,} subschemas to look at (ten times the limit nodes)"
                raise BudgetExceeded(node.place, problem)
            if self._places > longest:
                raise BudgetExceeded(node.place, "names that are too long for so many subschemas (limit output)")
            if not _NAMING.isdisjoint(node.schema):
                self._identify(node)
            todo += self._keywords(node)

    def _identify(self, node: Node) -> None:
        """Register the names by which a subschema can be referred to."""
        schema, place = node.schema, node.place
        name: Value = schema.get(self.id_key)
        if isinstance(name, str) and not (self.lone_ref and "$ref" in schema):
            address, _, anchor = name.partition("#")
            if address:
                with suppress(ValueError):  # also an address that is not valid names the resource
                    address = _joined(node.home.address, address)
                node.home = Home(address, place)
                self.resources.setdefault(address, place)
            if anchor and anchor[0] != "/":
                self.anchors.setdefault((node.home.root, anchor), (place, self.id_key))
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor: Value = schema.get(keyword)
            if isinstance(anchor, str):
                self.anchors.setdefault((node.home.root, anchor), (place, keyword))
                if keyword == "$dynamicAnchor":
                    self.dynamic.add((node.home.root, anchor))

    def _keywords(self, node: Node) -> list[Node]:
        """Find the references of a node; those of its subschemas that are nodes and were not known before."""
        new: list[Node] = []
        nodes, home = self.nodes, node.home
        for key, value in node.schema.items():
            kind = SUBSCHEMAS.get(key)
            if kind is None:
                if key in self.known:
                    node.refs = (*node.refs, key)
                continue
            subs: Iterable[tuple[str, Any]] = ()
            if value.__class__ is dict:
                subs = value.items() if kind == "map" else (("", value),) if kind != "list" else ()
            elif value.__class__ is list and kind in _LISTED:
                subs = ((str(n), sub) for n, sub in enumerate(value))
            here = f"{node.place}/{key}"
            whole = len(here) + 1
            for token, sub in subs:
                if sub.__class__ is not dict:
                    continue
                self._count += 1
                self._places += whole + len(token)
                if not _STRUCTURE.isdisjoint(sub):
                    inner = here if sub is value else f"{here}/{escape(token)}"
                    if inner not in nodes:
                        nodes[inner] = kid = Node(sub, inner, home)
                        new.append(kid)
        if node.refs:
            self._unresolved.append(node)
            self.has_dynamic_references = self.has_dynamic_references or node.refs != ("$ref",)
        return new

    def _follow(self) -> None:
        """Read what is referred to where no keyword holds subschemas: `#/components/schemas/Query`."""
        while self._unresolved:
            node = self._unresolved.pop()
            for keyword in node.refs:
                found = self._lead(node.home, node.schema[keyword])
                if found is None and keyword == "$ref":
                    self._repair(node)
                if found is None or found[0] in self.nodes:
                    continue
                value = self.held(found[0])
                if value.__class__ is dict and not _STRUCTURE.isdisjoint(value):
                    self._read(value, found[0], self._around(found[0]).home)

    def _repair(self, node: Node) -> None:
        """Find the definition that is meant by a reference which leads nowhere: that of the nearest schema above.

        `#/$defs/Address` in the schema of a parameter that has these definitions itself, as servers write it that put
        whole schemas into properties (lbjlaq/Antigravity-Manager#952, agentscope-ai/agentscope-java#893, checked
        2026-11-29).
        """
        reference: Value = node.schema["$ref"]
        if not (isinstance(reference, str) and reference.startswith(_OWN_DEFINITIONS)):
            return
        above, way = node.place, pointer.join(*pointer.split(decoded(reference[1:])))
        while above and self._searched < _MAX_SEARCHED_ABOVE:
            self._searched += 1
            holder = self.nodes.get(above)
            if holder is not None and isinstance(pointer.get(holder.schema, way), (dict, bool)):
                self.repaired[node.place] = above + way
                return
            above = above.rpartition("/")[0]

    def _around(self, place: str) -> Node:
        """The nearest node above a place."""
        while True:
            place = place.rpartition("/")[0]
            if place in self.nodes:
                return self.nodes[place]

    def _lead(self, home: Home, reference: Value) -> tuple[str, str] | None:
        """The place that a reference leads to, and the place of the name by which it was found ("" for a pointer)."""
        if not isinstance(reference, str):
            return None
        address, _, fragment = reference.partition("#")
        root, name = home.root, ""
        if address:
            try:
                resource = self.resources.get(_joined(home.address, address))
            except ValueError:
                return None
            if resource is None:
                return None
            root, name = resource, f"{resource}/{self.id_key}"
        if "%" in fragment:
            fragment = decoded(fragment)
        if not fragment:
            return root, name
        if fragment[0] == "/":
            place = root + (pointer.join(*pointer.split(fragment)) if "~" in fragment else fragment)
            return (place, name) if isinstance(self.held(place), (dict, bool)) else None
        anchor = self.anchors.get((root, fragment))
        return None if anchor is None else (anchor[0], f"{anchor[0]}/{anchor[1]}")

    def held(self, place: str) -> Any:
        """The value at a place; MISSING where there is none."""
        node = self.nodes.get(place)
        return pointer.get(self.schema, place) if node is None else node.schema

    def target(self, node: Node, keyword: str, scope: tuple[str, ...]) -> tuple[str, list[str]] | None:
        """Where the reference of a node leads, and the names without which it would not; None for nowhere.

        `scope` are the roots of the resources on the way to the node, the outermost first: `$dynamicRef` and
        `$recursiveRef` look there for a namesake.
        """
        reference: Value = node.schema[keyword]
        if not isinstance(reference, str):
            return None
        if keyword == "$ref" and node.place in self.repaired:
            return self.repaired[node.place], []
        found = self._lead(node.home, reference)
        if found is None:
            return None
        place, name = found
        names = [name] if name else []
        if keyword == "$dynamicRef":
            anchor = decoded(reference.partition("#")[2])
            home = self.nodes[place].home.root if place in self.nodes else ""
            if (home, anchor) in self.dynamic:
                for root in scope:
                    if (root, anchor) in self.dynamic:
                        outer, key_of = self.anchors[root, anchor]
                        return outer, [*names, f"{outer}/{key_of}"]
        elif keyword == "$recursiveRef" and self._recurses(place):
            for root in scope:
                if self._recurses(root):
                    return root, [] if root == place else [f"{place}/$recursiveAnchor", f"{root}/$recursiveAnchor"]
        return place, names

    def scope(self, opened: tuple[str, ...], place: str) -> tuple[str, ...]:
        """The roots of the resources on the way to a place, from the outermost on.

        `opened` are the targets of the references that were followed; before each stands its site (see `site_of`).
        """
        roots = [""]
        target = ""
        for entry in (*opened, site_of(place)):
            if entry.startswith(_SITE):
                site = entry.removeprefix(_SITE)
                inner: list[str] = []
                while len(self.roots) > 1 and len(site) > len(target):
                    if site in self.roots:
                        inner.append(site)
                    site = site.rpartition("/")[0]
                roots += reversed(inner)
            else:
                target = entry
                roots.append(self.nodes[entry].home.root if entry in self.nodes else "")
        return tuple(roots)

    @cached_property
    def roots(self) -> frozenset[str]:
        """The places of the resources within the schema."""
        return frozenset(self.resources.values())

    def depends_on_scope(self) -> bool:
        """Whether a `$dynamicRef` or `$recursiveRef` may lead to another place for each way to it."""
        if not self.has_dynamic_references:
            return False
        named: dict[str | None, set[str]] = {None: {*filter(self._recurses, self.resources.values())}}
        for root, anchor in self.dynamic:
            named.setdefault(anchor, set()).add(root)
        return any(len(roots) > 1 and "" not in roots for roots in named.values())

    def _recurses(self, place: str) -> bool:
        node = self.nodes.get(place)
        return node is not None and node.schema.get("$recursiveAnchor") is True


_MAX_SEARCHED_ABOVE: Final = 20_000
"""How many places above references that lead nowhere are looked at, so that they do not take quadratic time."""

_OWN_DEFINITIONS: Final = tuple(f"#/{key}/" for key in sorted(DEFINITIONS))

_SITE: Final = "\0"


def site_of(place: str) -> str:
    """The place of a reference as it stands among the targets that were followed: no target begins like this."""
    return _SITE + place


def is_object_schema(schema: dict[str, Any]) -> bool:
    """Whether a schema says that it accepts only objects: itself, or where its root refers to."""
    todo: list[Any] = [schema]
    for node in todo:
        if not isinstance(node, dict) or len(todo) > _MAX_SEARCHED:
            continue
        part = cast("dict[str, Any]", node)
        if part.get("type") == "object":
            return True
        reference, parts = part.get("$ref"), part.get("allOf")
        if isinstance(reference, str) and reference.startswith("#/"):
            todo.append(pointer.get(schema, decoded(reference[1:])))
        if isinstance(parts, list):
            todo += cast("list[Any]", parts)
    return False


_MAX_SEARCHED: Final = 100
"""How many schemas are looked at to see what a root refers to."""


def unreached(place: str, value: Any, targets: set[str], above: set[str]) -> list[str]:
    """The largest parts of some definitions to which no reference leads."""
    if place in targets:
        return []
    if place not in above:
        inner = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        return [f"{place}/{escape(name)}" for name in inner] or [place]
    found: list[str] = []
    todo: list[tuple[str, Any]] = [(place, value)]
    while todo:
        place, value = todo.pop()
        pairs = cast("dict[str, Any]", value).items() if isinstance(value, dict) else enumerate(value)
        for token, inner in pairs:
            below = f"{place}/{escape(str(token))}"
            if below in above and below not in targets:
                todo.append((below, inner))
            elif below not in targets:
                found.append(below)
    return found
