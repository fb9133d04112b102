"""Rewriting: one schema on its way into a dialect, node by node, from the root down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import UNSET

from .. import pointer
from ..pointer import escape
from . import quick
from .dialect import Dialect
from .enums import enumerate_as
from .gather import Gather
from .listed_nodes import write_listed, write_typed
from .open_nodes import write_open
from .prose import TOLD, line
from .references import BudgetExceeded
from .sheet import Sheet, Spot, Written
from .size import measure
from .unions import merge
from .view import Part, Sub, View, join, says_nothing, types_of
from .walk import is_annotation, separate, text
from .way import Way, pruned

if TYPE_CHECKING:
    from .fit import Options

DEPTH: Final = 100
"""How deeply schemas may be nested; far beyond any tool, and far below Python's own limit."""

_MERGED: Final = 1000
"""How many alternatives the root may merge."""

_SMALL: Final = 2000
"""How many bytes of a schema hold too little to pass any limit but that of levels."""

_NOTHING: Final[Part] = ({}, "", ())

_FLATTENED: Final = frozenset({"anyOf", "oneOf", "allOf"})


class _OldFormsError(Exception):
    """A schema with forms of older drafts, all of which has to be written the long way."""


class Rewriting:
    """One schema on its way into a dialect; `notes`, `reasons` and `way` are what it leaves beside the result.

    `reasons` are the places for which the dialect would have to refuse more than the schema does. `is_open`: every
    keyword may be said. `guards` counts the keywords that turn more below them into less, and refer to a definition;
    `wary` ones are not written, because the definitions are not what they were.
    """

    def __init__(self, schema: dict[str, Any], dialect: Dialect, options: Options, *, arguments: bool) -> None:
        self.schema = schema
        self.dialect = dialect
        self.options = options
        self.arguments = arguments
        self.notes: list[tuple[str, str, str | None]] = []
        self.reasons: list[str] = []
        self.way: Way | None = None
        self.nodes = 0
        self.most = options.limits.nodes
        self.deepest = 0
        self.is_open = dialect.keywords is None
        self.words = quick.words(dialect)
        self._is_quick = not self.is_open
        self._gather: Gather | None = None
        self._out = ""
        self._known: dict[Any, tuple[Written, int]] = {}
        self._shares = False
        self._merged = 0
        self.guards = 0
        self.wary = False

    @property
    def gather(self) -> Gather:
        """The document, looked at as a whole: a schema of nothing but plain nodes does not need that."""
        if self._gather is None:
            self._gather = Gather(self.schema, self.dialect, self.options.unroll, self.options.limits, self.lose)
            if self._is_quick and self._gather.how is not None:
                raise _OldFormsError
        return self._gather

    def lose(self, code: str, source: str) -> None:
        """Note a loss in the node that is being written."""
        self.notes.append((code, source, self._out))

    def note(self, code: str, source: str, target: str | None) -> None:
        self.notes.append((code, source, target))

    def changed(self, start: int) -> bool:
        """Whether a note from there on tells that more, or less, is accepted."""
        return any(code[:3] in ("TB2", "TB3") for code, _, _ in self.notes[start:])

    def write(self) -> dict[str, Any]:
        """The whole schema. Raises BudgetExceeded."""
        try:
            out, way = self._whole()
        except _OldFormsError:
            self._is_quick = False
            self._begin()
            out, way = self._whole()
        ways: dict[str, Way] = {}
        if self._gather is not None:
            start = len(self.notes)
            whole = self._definitions(self._gather, out, ways)
            if self.guards and not self.wary and self.changed(start):
                self.wary = True
                self._begin()
                self._gather = None
                return self.write()
            out = whole
        self._measure(out)
        self.way = pruned(way, ways)
        return separate(out) if self._shares or (self._gather is not None and self._gather.shares) else out

    def _begin(self) -> None:
        """Forget what was written."""
        self.notes.clear()
        self.reasons.clear()
        self._known.clear()
        self.nodes = self.deepest = self._merged = self.guards = 0
        self._out = ""

    def _whole(self) -> Written:
        sub: Sub = ((self.schema, "", ()),)
        if not self.arguments:
            return self.sub(sub, "", 0)
        written = quick.objects(self, sub[0], "", 0) if self._is_quick and self._is_named() else None
        return self._root(sub) if written is None else written

    def _is_named(self) -> bool:
        """Whether the dialect takes the root's names of properties, if there are any."""
        keys, properties = self.dialect.keys, self.schema.get("properties")
        if not self.dialect.root_without.isdisjoint(self.schema):
            return False
        return self.schema.get("type") == "object" and (
            keys is None
            or (isinstance(properties, dict) and all(map(keys.matches, cast("dict[str, Any]", properties))))
        )

    def _definitions(self, gather: Gather, out: dict[str, Any], ways: dict[str, Way]) -> dict[str, Any]:
        """The schema with its definitions, of which one may need another; what nothing leads to is noted."""
        done: dict[str, dict[str, Any]] = {}
        while len(done) < len(gather.definitions):
            for place, name in [*gather.definitions.items()]:
                if name not in done:
                    sub: Sub = ((pointer.get(self.schema, place), place, (place,)),)
                    done[name], inner = self.sub(sub, f"/$defs/{escape(name)}", 1)
                    if inner is not None:
                        ways[name] = inner
        if self.dialect.references == "acyclic" and gather.cycle():
            self.reasons.append("")
        self.notes += [("TB103", place, None) for place in gather.unsaid()]
        return {**out, "$defs": done} if done else out

    def _measure(self, out: dict[str, Any]) -> None:
        """Whether the dialect takes a schema of this size."""
        d = self.dialect
        if d.levels is None:
            return
        if self.deepest <= d.levels and self._bytes() < _SMALL:
            return
        size = measure(out)
        for most, found in (
            (d.levels, size.levels),
            (d.properties, size.properties),
            (d.choices, size.choices),
            (d.text, size.text),
        ):
            if most is not None and found > most:
                self.reasons.append("")

    def _bytes(self) -> int:
        if self._gather is not None:
            return self._gather.size
        data = text(self.schema)
        return _SMALL if data is None else len(data)

    # the root

    def _root(self, sub: Sub) -> Written:
        v = self.gather.view(sub, root=True)
        if v is None:
            self.lose("TB201", "")
            v = View()
        sheet = Sheet(v, Spot("", "", 0, root=True))
        for key in self._flatten(v):
            sheet.lost[key] = True
        kinds = types_of(v.says.get("type"))
        if kinds != ["object"]:
            if "type" not in v.says:
                self.note("TB401", "", "/type")
            else:
                self.note("TB303" if "object" in kinds else "TB202", v.at["type"], "/type")
            v.says = {"type": "object", **v.says}
            v.says["type"] = "object"
            v.at = {"type": v.at.get("type", ""), **v.at}
        sheet.lose(*(key for key in sorted(self.dialect.root_without - _FLATTENED) if v.has(key)))
        if self.is_open:
            return write_open(self, sheet)
        if "const" in v.says and "enum" in self.dialect.root_without and not self.dialect.says("const"):
            sheet.lose("const")
        if any(key in v.says and key not in sheet.lost for key in ("enum", "const")):
            enumerate_as(self, sheet, ["object"], union=True)
        return write_typed(self, sheet, ["object"])

    def _flatten(self, v: View, level: int = 0) -> list[str]:
        """Let the root say in one object what its alternatives say; which of them its description has to tell."""
        if level > DEPTH:
            raise BudgetExceeded("", f"more than {DEPTH} levels of alternatives")
        told: list[str] = []
        for key in ("anyOf", "oneOf"):
            if key not in v.subs or (self.is_open and key not in self.dialect.root_without):
                continue
            branches: list[Sub] = v.subs[key]
            self._merged += len(branches)
            if self._merged > _MERGED:
                raise BudgetExceeded(v.at[key], f"more than {_MERGED} alternatives")
            views = [self.gather.view(branch, root=True) for branch in branches]
            found: list[tuple[View, str]] = []
            for it, branch in zip(views, branches, strict=True):
                place = branch[0][1]
                if it is None or ("type" in it.says and "object" not in types_of(it.says["type"])):
                    self.lose("TB103", place)
                    continue
                self._flatten(it, level + 1)
                found.append((it, place))
            if len(found) == len(branches) == 1:
                v.drop(key)
                if not found[0][0].at:
                    self.lose("TB103", v.at[key])
                join(v, found[0][0], self.lose)
                continue
            if found:
                merge(v, found, self.lose, v.at[key])
            self.lose("TB203", v.at[key])
            if key in v.raw:
                told.append(key)
            else:
                v.drop(key)
        return told

    # one node

    def sub(self, sub: Sub, out: str, level: int, *, union: bool = False) -> Written:
        """One subschema, and the way of what it describes. Within a union no value may travel as text."""
        value, place, opened = sub[0] if sub else _NOTHING
        self.nodes += 1
        if self.nodes > self.most:
            raise self._exceeded(place, f"more than {self.most:,} subschemas")
        if level > self.deepest and not self.reaches(level):
            raise self._exceeded(place, f"more than {DEPTH} levels of subschemas")
        if len(sub) != 1 or value.__class__ is not dict:
            return self.node(sub, Spot(place, out, level), union=union)
        if not opened:
            written = quick.node(self, sub[0], out, level) if self._is_quick else None
            return self.node(sub, Spot(place, out, level), union=union) if written is None else written
        for key in ((place, union), (place, union, tuple(sorted(opened)))):
            if key in self._known:
                written, count = self._known[key]
                self._shares = True
                self.nodes += count
                return written
        nodes, cuts = self.nodes, self.gather.cuts
        written = quick.node(self, sub[0], out, level) if self._is_quick else None
        if written is None:
            written = self.node(sub, Spot(place, out, level), union=union)
        key = (place, union) if cuts == self.gather.cuts else (place, union, tuple(sorted(opened)))
        self._known[key] = written, self.nodes - nodes
        return written

    def reaches(self, level: int) -> bool:
        """Whether a node may stand on this level, which is then reached."""
        if level > DEPTH:
            return False
        self.deepest = max(self.deepest, level)
        return True

    def _exceeded(self, place: str, what: str) -> BudgetExceeded:
        _ = self.gather  # the bounds of references are looked at first
        return BudgetExceeded(place, what)

    def node(self, sub: Sub, spot: Spot, *, union: bool = False) -> Written:
        """One subschema, written the long way."""
        self._out = spot.out
        v = self.gather.view(sub)
        if v is None:
            if self.dialect.says("not"):
                return {"not": {}}, None
            self.lose("TB201", spot.place)
            v = View()
        if self.is_open:
            said, way = write_open(self, Sheet(v, spot))
            return said, _ref(v) if way is None and "$ref" in v.says else way
        if "$ref" in v.says:
            return {key: v.says[key] for key in v.at if key in v.says}, _ref(v)
        return write_listed(self, v, spot, union=union)

    # what cannot be said

    def finished(self, sheet: Sheet) -> Written:
        """A node that is written but for what is lost in it."""
        v = sheet.view
        return self.finish(v.at, v.raw, sheet.said, sheet.lost, sheet.spot.out), sheet.way or None

    def finish(
        self, at: Mapping[str, str], raw: Mapping[str, Any], said: dict[str, Any], lost: Mapping[str, bool], out: str
    ) -> dict[str, Any]:
        """Note what is lost in a node, and tell it in its description; `lost` as in a Sheet."""
        told: list[tuple[str, Any]] = []
        for key, noted in lost.items():
            comments = is_annotation(key) or (key in raw and says_nothing(key, raw[key]))
            if noted:
                pass
            elif comments:
                self.notes.append(("TB103", at[key], out))
            elif key == "additionalProperties" and raw.get(key) is False:
                self.notes.append(("TB204", at[key], out))
            else:
                self.notes.append(("TB201", at[key], out))
            if key in raw and (not comments or key in TOLD):
                told.append((key, raw[key]))
        if not told or not self.options.prose or not self.dialect.says("description"):
            return said
        if not out and "description" in self.dialect.root_without:
            return said
        most = self.options.description
        prose = line(told, said.get("description", ""), self.dialect.description if most is UNSET else most)
        if prose is not None and said.get("description") == "" and "description" in at:
            self.notes.append(("TB103", at["description"], out))
        if prose is not None:
            said["description"], keys = prose
            self.notes += [("TB503", at[key], f"{out}/description") for key in keys]
        return said


def _ref(v: View) -> Way:
    return {"ref": v.says["$ref"].removeprefix("#").removeprefix("/$defs/")}
