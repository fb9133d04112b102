"""References written out where they stand, and what must accept more where a cycle is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias, cast

from ..data import pointer
from ..data.pointer import escape
from ..limits import LIMITS, Limits
from .dialect import BudgetExceeded
from .references import Document, Node, has_references, unreached
from .vocabulary import separate

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


class OpenNode(NamedTuple):
    """A node with `unevaluated...` above, with nothing but in-place applicators between."""

    where: str
    node: Node
    outer: OpenNode | None


class Guard(NamedTuple):
    """A keyword above that turns more into less, and the nodes with `unevaluated...` above it."""

    keyword: str
    where: str
    node: Node
    open: OpenNode | None
    outer: Guard | None


class Widening:
    """The keywords of one result that are marked to go, or to change."""

    def __init__(self) -> None:
        self._turned: dict[tuple[str, str], Node] = {}

    def mark(self, guard: Guard | None, above: OpenNode | None) -> None:
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

    def notes(self, moved: dict[str, str | None]) -> Iterator[tuple[str, str, str | None]]:
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


Note: TypeAlias = Callable[[str, str, str | None], None]
"""Takes a code, a place in the schema as given, and one in the returned schema (None where nothing stands there)."""


def inline(schema: dict[str, Any], note: Note, *, limits: Limits = LIMITS) -> dict[str, Any]:
    """The schema with every reference written out, and without definitions.

    Never changes what was passed in. Returns the very same object where there is nothing to do, otherwise one that
    shares nothing with it, nor within itself. Raises BudgetExceeded past the limits.
    """
    if not has_references(schema):
        return schema
    document = Document(schema, limits, measured=True)
    if not document.root.busy:
        return schema
    # While it is written, what stands in several places is one object.
    return separate(_Writer(document, limits).write(note))


# Validators may check these although they are comments, so two different ones both have to stay.
_CHECKED: Final = ("format", "contentEncoding", "contentMediaType")


class _Frame(NamedTuple):
    """A definition that is being written out, and the place of the reference to it; the outermost is the root."""

    target: str
    site: str
    outer: _Frame | None
    depth: int


class _Task(NamedTuple):
    """A node to be written to `holder[key]`, which is the place `where` of the result."""

    node: Node
    holder: Any
    key: Any
    where: str
    level: int
    frame: _Frame
    scope: tuple[str, ...]
    guard: Guard | None
    open: OpenNode | None


class _Target(NamedTuple):
    """Where a reference leads, and its keyword."""

    place: str
    keyword: str


class _NodeEnd(NamedTuple):
    """What is to be done when a definition has been written out: remember it, lay the comments over it."""

    task: _Task
    target: _Target
    over: dict[str, Any] | None
    cuts: int
    nodes: int
    size: int
    highest: int
    deepest: int
    seen: int


class _Known(NamedTuple):
    """A definition written out without a cut: it can stand wherever it is referred to."""

    out: dict[str, Any]
    nodes: int
    size: int
    levels: int
    depth: int
    seen: tuple[int, int]


class _Writer:
    """One writing out. Goes down with a list of tasks rather than by recursion, so that depth is no danger."""

    def __init__(self, document: Document, limits: Limits) -> None:
        self.document = document
        self.limits = limits
        self.todo: list[_Task | _NodeEnd] = []
        self.known: dict[tuple[str, tuple[str, ...]], _Known] = {}
        self.nodes = 0
        self.size = 0
        self.highest = 0
        self.deepest = 0
        self.cuts = 0
        # (code, source, where, what stands for it below where, or None)
        self.notes: list[tuple[str, str, str, str | None]] = []
        # What came into the result, and where: a node, a target, or a range of this list that came once more.
        self.seen: list[tuple[str, Node | str | tuple[int, int]]] = []
        self.widening = Widening()
        self.used: set[str] = set()

    def write(self, note: Note) -> dict[str, Any]:
        """Write the whole schema out and say what was lost."""
        box: list[Any] = [None]
        root = self.document.root
        todo = self.todo
        todo.append(_Task(root, box, 0, "", 0, _Frame("", "", None, 0), (), None, None))
        while todo:
            task = todo.pop()
            if isinstance(task, _Task):
                self._write(task)
            else:
                self._close(task)
        out: dict[str, Any] = box[0]
        if "$schema" in root.schema:
            out = {"$schema": root.schema["$schema"]} | out
        moved = self.widening.apply(out)
        for code, source, target in dict.fromkeys(self._told(moved)):
            note(code, source, target)
        return out

    def _count(self, task: _Task, nodes: int, size: int, level: int) -> None:
        self.nodes += nodes
        # The places of the result are written too, for the notes: deep ones with long names add up.
        self.size += size + (len(task.where) >> 4)
        self.highest = max(self.highest, level)
        limits = self.limits
        if self.nodes > limits.nodes:
            raise BudgetExceeded(
                task.node.place, f"written out, it has more than {limits.nodes:,} subschemas (limit nodes)"
            )
        if self.size > limits.output:
            raise BudgetExceeded(
                task.node.place, f"written out, it takes more than {limits.output:,} bytes (limit output)"
            )
        if level > limits.levels:
            raise BudgetExceeded(
                task.node.place, f"written out, it has more than {limits.levels:,} levels (limit levels)"
            )

    def _write(self, task: _Task) -> None:
        node, holder, key, where, level = task[:5]
        self._count(task, node.nodes, node.size, level + node.height)
        gone = node.gone
        if gone:
            self.seen.append((where, node))
            out = {name: value for name, value in node.schema.items() if name not in gone}
        else:
            out = dict(node.schema)
        if node.ignored:
            self.notes += [("TB103", f"{node.place}/{escape(name)}", where, None) for name in node.ignored]
        if self.document.has_scope and node.home.root not in task.scope:
            task = task._replace(scope=(*task.scope, node.home.root))
        if not node.refs:
            holder[key] = out
            if node.kids:
                self._kids(task, out)
            return
        targets = self._targets(task)
        if node.bare and len(targets) == 1 == len(node.refs) and not self._clashes(targets[0].place, out):
            self._enter(task, targets[0], out)
            return
        holder[key] = out
        if node.kids:
            self._kids(task, out)
        if node.stays_open:
            task = task._replace(open=OpenNode(where, node, task.open))
        for target in targets:
            self._both(task, target, out)
        if len(targets) < len(node.refs):
            self.widening.mark(task.guard, task.open)

    def _kids(self, task: _Task, out: dict[str, Any]) -> None:
        """Put the subschemas of a node on the list, those of a copied list or map into the copy."""
        node, _, _, where, level, frame, scope, guard, above = task
        level += 1
        if node.stays_open:
            above = OpenNode(where, node, above)
        tasks: list[_Task | _NodeEnd] = []
        for keyword, token, kid in node.kids:
            below = guard
            chain = above if keyword in IN_PLACE else None
            if keyword in ("not", "if") or (keyword == "contains" and "maxContains" in node.schema):
                below, chain = Guard(keyword, where, node, above, guard), None
            elif keyword == "oneOf" and len(node.schema["oneOf"]) > 1:
                below = Guard(keyword, where, node, above, guard)
            elif keyword == "contentSchema":
                below = None  # describes and never refuses
            if token is None:
                holder, key, place = out, keyword, f"{where}/{keyword}"
            else:
                holder, key = out[keyword], token
                if holder is node.schema[keyword]:
                    holder = out[keyword] = holder.copy()
                place = f"{where}/{keyword}/{token if isinstance(token, int) else escape(token)}"
            tasks.append(_Task(kid, holder, key, place, level, frame, scope, below, chain))
        tasks.reverse()
        self.todo += tasks

    def _targets(self, task: _Task) -> list[_Target]:
        """Where the references of a node lead; those that are to be cut are noted."""
        node = task.node
        targets: list[_Target] = []
        for keyword in node.refs:
            found = self.document.target(node, keyword, task.scope)
            if found is None:
                code = "TB206"
            else:
                place, names = found
                if names:
                    self.used.update(names)
                if not _is_open(place, node.place, task.frame):
                    targets.append(_Target(place, keyword))
                    continue
                code = "TB205"
            self.cuts += 1
            self.notes.append((code, f"{node.place}/{keyword}", task.where, ""))
        return targets

    def _origin(self, place: str, keyword: str) -> Node | None:
        """The definition that says a keyword, when the one at `place` does or is a mere reference to one that does."""
        document = self.document
        for _ in range(self.limits.references):
            node = document.nodes.get(place)
            if node is None or keyword in node.schema:
                return node
            found = document.target(node, node.refs[0], ()) if node.bare and len(node.refs) == 1 else None
            if found is None:
                return None
            place = found[0]
        return None

    def _clashes(self, target: str, over: dict[str, Any]) -> bool:
        for keyword in _CHECKED:
            if keyword in over:
                origin = self._origin(target, keyword)
                if origin is not None and origin.schema[keyword] != over[keyword]:
                    return True
        return False

    def _both(self, task: _Task, target: _Target, out: dict[str, Any]) -> None:
        """Let what a reference leads to apply beside what stands next to it."""
        value = pointer.get(self.document.schema, target.place)
        if value is True or value == {}:
            self.seen.append((task.where, target.place))
            self._note_nothing(task, target)
            return
        parts = cast("object", out.get("allOf"))
        if not isinstance(parts, list):
            if parts is not None:  # an allOf that is no list never meant anything
                self.notes.append(("TB201", f"{task.node.place}/allOf", task.where, None))
            parts = out["allOf"] = []
        elif parts is task.node.schema.get("allOf"):
            parts = out["allOf"] = cast("list[Any]", parts).copy()
        slots = cast("list[Any]", parts)
        index = len(slots)
        slots.append(None)
        node, _, _, where, level, frame, scope, guard, above = task
        slot = _Task(node, slots, index, f"{where}/allOf/{index}", level + 1, frame, scope, guard, above)
        self._enter(slot, target, None)

    def _enter(self, task: _Task, target: _Target, over: dict[str, Any] | None) -> None:
        """Write a definition to the place of a task, and lay comments over it where it takes the place of a node."""
        outer = task.frame
        depth = outer.depth + 1
        if depth > self.deepest:
            self.deepest = depth
            self._check_depth(task)
        self.seen.append((task.where, target.place))
        node = self.document.nodes.get(target.place)
        if node is None:  # true or false
            whole = pointer.get(self.document.schema, target.place)
            known = _Known({} if whole is True else {"not": {}}, 0, 0, 0, 0, (0, 0))
        elif node.busy:
            known = self.known.get((target.place, task.scope))
            if known is None:
                frame = _Frame(target.place, task.node.place, outer, depth)
                _, holder, key, where, level, _, scope, guard, above = task
                self.todo += (
                    _NodeEnd(
                        task, target, over, self.cuts, self.nodes, self.size, self.highest, self.deepest, len(self.seen)
                    ),
                    _Task(node, holder, key, where, level, frame, scope, guard, above),
                )
                self.highest, self.deepest = level, depth
                return
        else:
            known = _Known(node.schema, node.nodes, node.size, node.height, 0, (0, 0))
        self._count(task, known.nodes, known.size, task.level + known.levels)
        if depth + known.depth > self.deepest:
            self.deepest = depth + known.depth
            self._check_depth(task)
        if known.seen[0] != known.seen[1]:
            self.seen.append((task.where, known.seen))
        task.holder[task.key] = self._overlaid(known.out, task, target, over)

    def _check_depth(self, task: _Task) -> None:
        if self.deepest > self.limits.references:
            raise BudgetExceeded(
                task.node.place, f"more than {self.limits.references:,} references within references (limit references)"
            )

    def _close(self, done: _NodeEnd) -> None:
        task, target = done.task, done.target
        out: dict[str, Any] = task.holder[task.key]
        if self.cuts == done.cuts:
            levels, depth = self.highest - task.level, self.deepest - task.frame.depth - 1
            self.known[target.place, task.scope] = _Known(
                out, self.nodes - done.nodes, self.size - done.size, levels, depth, (done.seen, len(self.seen))
            )
        self.highest = max(self.highest, done.highest)
        self.deepest = max(self.deepest, done.deepest)
        task.holder[task.key] = self._overlaid(out, task, target, done.over)

    def _overlaid(
        self, out: dict[str, Any], task: _Task, target: _Target, over: dict[str, Any] | None
    ) -> dict[str, Any]:
        """A definition under the comments of the one who refers to it: theirs win, and what they cover is noted."""
        if over is None:
            return out
        if over.keys() >= out.keys():
            self._note_nothing(task, target)
        if not over:
            return out
        for keyword in over:
            if keyword in out:
                origin = self._origin(target.place, keyword)
                place = target.place if origin is None else f"{origin.place}/{escape(keyword)}"
                self.notes.append(("TB103", place, task.where, "/" + escape(keyword)))
        return out | over

    def _note_nothing(self, task: _Task, target: _Target) -> None:
        """A reference that adds nothing to the result can be left out, and nobody would see it there."""
        self.notes.append(("TB103", f"{task.node.place}/{target.keyword}", task.where, ""))

    def _told(self, moved: dict[str, str | None]) -> Iterator[tuple[str, str, str | None]]:
        """Every loss: what was taken out or opened, the cuts, the comments, the places on which nothing depends."""
        yield from self.widening.notes(moved)
        commented: set[str] = set()
        for code, source, where, below in self.notes:
            if code == "TB103":
                if source in commented:
                    continue
                commented.add(source)
            target = None if below is None else final(where, moved)
            yield code, source, target if target is None else f"{target}{below}"
        nodes, targets = self._alive(moved)
        above: set[str] = set()
        for target in targets:
            way = target.rpartition("/")[0]
            while way and way not in above:
                above.add(way)
                way = way.rpartition("/")[0]
        for node in nodes.values():
            sources = [f"{node.place}/{name}" for name in node.names] if self.document.refers else []
            sources = [source for source in sources if source not in self.used]
            for name in node.holds:
                sources += unreached(f"{node.place}/{escape(name)}", node.schema[name], targets, above)
            for source in sources:
                if source not in commented:
                    yield "TB103", source, None

    def _alive(self, moved: dict[str, str | None]) -> tuple[dict[str, Node], set[str]]:
        """The nodes and the targets that the result has come from, without those that were taken out again."""
        nodes: dict[str, Node] = {}
        targets: set[str] = set()
        ranges: set[tuple[int, int]] = set()
        todo = [what for where, what in self.seen if not moved or final(where, moved) is not None]
        while todo:
            what = todo.pop()
            if isinstance(what, Node):
                nodes[what.place] = what
            elif isinstance(what, str):
                targets.add(what)
            elif moved and what not in ranges:
                ranges.add(what)
                todo += [inner for _, inner in self.seen[what[0] : what[1]]]
        return dict(sorted(nodes.items())), targets


def _is_open(target: str, place: str, frame: _Frame) -> bool:
    """Whether the target is being written out: whether the way down to `place` leads through it."""
    site = place
    way: _Frame | None = frame
    below = target + "/"
    while way is not None:
        if (site == target or site.startswith(below)) and len(target) >= len(way.target):
            return True
        site = way.site
        way = way.outer
    return False
