"""Rewriting: one schema on its way into a dialect, node by node, from the root down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from ..pointer import escape
from . import quick
from .dialect import SAME, Dialect
from .enums import enumerate_as
from .gather import Gather
from .objects import require, write_objects
from .patterns import compiles
from .prose import TOLD, line
from .references import BudgetExceeded
from .unions import alike, disjoint, merge, split
from .view import Sub, View, types_of
from .walk import is_annotation, separate
from .way import Way
from .widening import IN_PLACE

if TYPE_CHECKING:
    from .fit import Options

DEPTH: Final = 100
"""How deeply schemas may be nested; far beyond any tool, and far below Python's own limit."""

Written = tuple[dict[str, Any], "Way | None"]

RELEVANT: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("minLength", "maxLength", "pattern"), ("string",)),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
                    ("integer", "number")),
    **dict.fromkeys(("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"), ("array",)),
    **dict.fromkeys(("minContains", "maxContains", "unevaluatedItems"), ("array",)),
    **dict.fromkeys(("properties", "required", "additionalProperties", "patternProperties"), ("object",)),
    **dict.fromkeys(("minProperties", "maxProperties", "propertyNames", "dependentRequired"), ("object",)),
    **dict.fromkeys(("dependentSchemas", "unevaluatedProperties", "propertyOrdering"), ("object",)),
}  # fmt: skip
"""The types of which a keyword says anything."""

_MEANT: Final = {
    **{"str": "string", "text": "string", "int": "integer", "long": "integer", "float": "number", "double": "number"},
    **{"bool": "boolean", "dict": "object", "map": "object", "list": "array", "tuple": "array", "None": "null"},
    **{word.upper(): word for word in SAME},
}
"""What words of programming languages, and of Gemini, mean where a type should be."""

_FLATTENED: Final = frozenset({"anyOf", "oneOf", "allOf"})

_SMALL: Final = 2000
"""How many bytes of a schema hold too little to pass any limit but that of levels."""

_BESIDE: Final = IN_PLACE | {"$ref"}
"""Keywords that may list properties of their own."""

_SCALARS: Final = frozenset({"string", "integer", "number", "boolean"})
_TEXT: Final = frozenset({str})
_NUMBER: Final = frozenset({int, float})


class Rewriting:
    """One schema on its way into a dialect; `notes`, `reasons` and `way` are what it leaves beside the result.

    `reasons` are the places for which the dialect would have to refuse more than the schema does.
    """

    def __init__(self, schema: dict[str, Any], dialect: Dialect, options: Options, *, arguments: bool) -> None:
        self.schema = schema
        self.dialect = dialect
        self.options = options
        self.arguments = arguments
        self.notes: list[tuple[str, str, str | None]] = []
        self.reasons: list[str] = []
        self.way: Way | None = None
        self.out = ""
        self.nodes = 0
        self.deepest = 0
        self.gather = Gather(schema, dialect, options.unroll, options.limits, self.lose)
        self._open = dialect.keywords is None
        self.quick = quick.said_by(dialect)
        self._slow = self._open or self.gather.how is not None
        self._known: dict[Any, tuple[Written, int]] = {}
        self._shares = False

    def lose(self, code: str, source: str) -> None:
        """Note a loss in the node that is being written."""
        self.notes.append((code, source, self.out))

    def note(self, code: str, source: str, target: str | None) -> None:
        self.notes.append((code, source, target))

    def write(self) -> dict[str, Any]:
        """The whole schema. Raises BudgetExceeded."""
        sub: Sub = ((self.schema, "", ()),)
        written = None
        if self.arguments and not self._slow and self._is_named():
            written = quick.objects(self, self.schema, "", (), "", 0)
        if written is None:
            written = self._root(sub) if self.arguments else self.sub(sub, "", 0)
        out, way = written
        ways: dict[str, Way] = {}
        done: dict[str, dict[str, Any]] = {}
        while len(done) < len(self.gather.definitions):
            for place, name in [*self.gather.definitions.items()]:
                if name not in done:
                    value = self._at(place)
                    done[name], inner = self.sub(((value, place, (place,)),), f"/$defs/{escape(name)}", 1)
                    if inner is not None:
                        ways[name] = inner
        if done:
            out = {**out, "$defs": done}
        if self.dialect.references == "acyclic" and self.gather.cycle():
            self.reasons.append("")
        for place in self.gather.unsaid():
            self.notes.append(("TB103", place, None))
        self._measure(out)
        self.way = _pruned(way, ways)
        return separate(out) if self._shares else out

    def _is_named(self) -> bool:
        """Whether the dialect takes the root's names of properties, if there are any."""
        keys, properties = self.dialect.keys, self.schema.get("properties")
        return self.schema.get("type") == "object" and (
            keys is None
            or (isinstance(properties, dict) and all(map(keys.matches, cast("dict[str, Any]", properties))))
        )

    def _at(self, place: str) -> Any:
        from .. import pointer

        return pointer.get(self.schema, place)

    def _measure(self, out: dict[str, Any]) -> None:
        """Whether the dialect takes a schema of this size."""
        d = self.dialect
        if d.levels is None or (self.deepest <= d.levels and self.gather.size < _SMALL):
            return
        from .lint import measure

        size = measure(out)
        for most, found in (
            (d.levels, size.levels),
            (d.properties, size.properties),
            (d.choices, size.choices),
            (d.text, size.text),
        ):
            if most is not None and found > most:
                self.reasons.append("")

    # the root

    def _root(self, sub: Sub) -> Written:
        d = self.dialect
        v = self.gather.view(sub, root=True)
        if v is None:
            self.lose("TB201", "")
            v = View()
        lost: list[str] = []
        self._flatten(v, lost)
        kinds = types_of(v.says.get("type"))
        if kinds != ["object"]:
            if "type" not in v.says:
                self.note("TB401", "", "/type")
            else:
                self.note("TB303" if "object" in kinds else "TB202", v.at["type"], "/type")
            v.says = {"type": "object", **v.says, "type": "object"}
            v.at = {"type": v.at.get("type", ""), **v.at}
        for key in sorted(d.root_without - _FLATTENED):
            if v.has(key):
                lost.append(key)
        if self._open:
            return self._plain(v, "", "", 0, lost, root=True)
        return self._typed(v, ["object"], "", "", 0, lost, root=True)

    def _flatten(self, v: View, lost: list[str]) -> None:
        """Let the root say in one object what its alternatives say."""
        for key in ("anyOf", "oneOf"):
            if key in v.subs and (key in self.dialect.root_without or not self._open):
                branches = [self.gather.view(branch, root=True) for branch in v.subs[key]]
                places = [branch[0][1] for branch in v.subs[key]]
                found: list[tuple[View, str]] = []
                for branch, place in zip(branches, places, strict=True):
                    if branch is None or ("type" in branch.says and "object" not in types_of(branch.says["type"])):
                        self.lose("TB103", place)
                        continue
                    self._flatten(branch, [])
                    found.append((branch, place))
                if len(found) == 1 and len(places) == 1:
                    from .view import join

                    v.drop(key)
                    join(v, found[0][0], self.lose)
                    continue
                if found:
                    merge(v, found, self.lose)
                self.lose("TB203", v.at[key])
                if key in v.raw and self._tell(v, key):
                    lost.append("=" + key)
                else:
                    v.drop(key)

    def _tell(self, v: View, key: str) -> bool:
        return key in v.raw

    # one node

    def sub(self, sub: Sub, out: str, level: int, *, union: bool = False) -> Written:
        """One subschema, and the way of what it describes. Within a union no value may travel as text."""
        value, place, opened = sub[0] if sub else ({}, "", ())
        self.nodes += 1
        if self.nodes > self.options.limits.nodes:
            raise BudgetExceeded(place, f"more than {self.options.limits.nodes:,} subschemas")
        if level > self.deepest:
            self.deepest = level
            if level > DEPTH:
                raise BudgetExceeded(place, f"more than {DEPTH} levels of subschemas")
        if len(sub) != 1 or type(value) is not dict:
            return self._node(sub, place, out, level, union=union)
        if not opened:
            if not self._slow and (written := quick.node(self, value, place, opened, out, level)) is not None:
                return written
            return self._node(sub, place, out, level, union=union)
        for key in ((place, union), (place, union, tuple(sorted(opened)))):
            if key in self._known:
                written, count = self._known[key]
                self._shares = True
                self.nodes += count
                return written
        nodes, cuts = self.nodes, self.gather.cuts
        written = None if self._slow else quick.node(self, value, place, opened, out, level)
        if written is None:
            written = self._node(sub, place, out, level, union=union)
        key = (place, union) if cuts == self.gather.cuts else (place, union, tuple(sorted(opened)))
        self._known[key] = written, self.nodes - nodes
        return written

    def _node(self, sub: Sub, place: str, out: str, level: int, *, union: bool) -> Written:
        self.out = out
        v = self.gather.view(sub)
        if v is None:
            if self.dialect.says("not"):
                return {"not": {}}, None
            self.lose("TB201", place)
            v = View()
        if self._open:
            said, way = self._plain(v, place, out, level, [])
            return said, _ref(v) if way is None and "$ref" in v.says else way
        if "$ref" in v.says:
            return {key: v.says[key] for key in v.at if key in v.says}, _ref(v)
        return self._listed(v, place, out, level, union=union)

    # open dialects: everything may be said

    def _plain(self, v: View, place: str, out: str, level: int, lost: list[str], *, root: bool = False) -> Written:
        d = self.dialect
        kinds = self._kinds(v) or []
        if d.unions == "anyOf" and len(kinds) > 1 and "anyOf" not in v.subs and not root:
            return self._split(v, kinds, place, out, level)
        start = len(self.notes)
        said: dict[str, Any] = {}
        way: Way = {}
        for key in v.at:
            if not v.has(key) or key in lost or "=" + key in lost:
                continue
            if key in v.says:
                value = v.says[key]
                if key == "pattern" and not compiles(value, d.pattern):
                    lost.append(key)
                elif key == "required" and d.listed and v.keywords().isdisjoint(_BESIDE):
                    require(self, v, said, v.subs.get("properties", {}), objects=False)
                else:
                    said[key] = value
            elif key == "properties":
                self._plain_properties(v, said, way, out, level, root=root)
            else:
                self._held(v, key, said, way, out, level, lost)
        if d.arrays and "array" in kinds and "items" not in said and "prefixItems" not in said:
            said["items"] = {}
        if root:
            for key in sorted(d.root_with - said.keys()):
                said[key] = {}
        if any(code[:3] in ("TB2", "TB3") for code, _, _ in self.notes[start:]):
            for key in ("unevaluatedProperties", "unevaluatedItems"):
                if key in said:
                    lost.append(key)
                    del said[key]
        return self.finish(v.at, v.raw, said, lost, out), way or None

    def _plain_properties(self, v: View, said: dict[str, Any], way: Way, out: str, level: int, *, root: bool) -> None:
        from .objects import renamed

        names = renamed(self, v) if root else {}
        said["properties"] = written = {}
        for name, sub in v.subs["properties"].items():
            new = names.get(name, name)
            written[new], inner = self.sub(sub, f"{out}/properties/{escape(new)}", level + 1)
            if inner is not None:
                way.setdefault("properties", {})[new] = inner
        if names:
            way["rename"] = {new: name for name, new in names.items()}

    def _held(self, v: View, key: str, said: dict[str, Any], way: Way, out: str, level: int, lost: list[str]) -> None:
        """A keyword that holds subschemas; where more below it would be less above, it stays exact or goes."""
        held = v.subs[key]
        here = f"{out}/{key}"
        guarded = key in ("not", "if", "oneOf") or (key == "contains" and "maxContains" in v.says)
        start = len(self.notes)
        if isinstance(held, list):
            value: Any = [self.sub(sub, f"{here}/{n}", level + 1)[0] for n, sub in enumerate(cast("list[Sub]", held))]
        elif isinstance(held, dict):
            value = {}
            for name, sub in cast("dict[str, Sub]", held).items():
                if key == "patternProperties" and not compiles(name, self.dialect.pattern):
                    self.lose("TB201", f"{v.at[key]}/{escape(name)}")
                    continue
                value[name] = self.sub(sub, f"{here}/{escape(name)}", level + 1)[0]
        else:
            raw = v.raw.get(key)
            if isinstance(raw, bool):
                value, inner = raw, None
            else:
                value, inner = self.sub(held, here, level + 1)
            if inner is not None and key in ("items", "additionalProperties"):
                way["items" if key == "items" else "rest"] = inner
        if guarded and any(code[:3] in ("TB2", "TB3") for code, _, _ in self.notes[start:]):
            if key == "oneOf" and "anyOf" not in v.subs:
                self.note("TB203", v.at[key], f"{out}/anyOf")
                said["anyOf"] = value
                return
            del self.notes[start:]
            lost.append(key)
            if key == "if":
                lost += [other for other in ("then", "else") if v.has(other)]
                said.pop("then", None)
                said.pop("else", None)
            if key == "contains":
                lost += [other for other in ("minContains", "maxContains") if v.has(other)]
                said.pop("minContains", None)
                said.pop("maxContains", None)
            return
        said[key] = value

    # dialects with an allow-list

    def _listed(self, v: View, place: str, out: str, level: int, *, union: bool) -> Written:
        d = self.dialect
        kinds = self._kinds(v)
        text: dict[str, Any] = {}
        lost: list[str] = []
        if "oneOf" in v.subs and not d.says("oneOf"):
            self._one_of(v, out)
        if "anyOf" in v.subs:
            return self._any_of(v, kinds, place, out, level)
        if "enum" in v.says or "const" in v.says:
            kinds, text = enumerate_as(self, v, kinds, lost, out, union=union)
            if kinds is not None:
                v.says["type"] = kinds[0] if len(kinds) == 1 else kinds
                v.at.setdefault("type", v.at.get("enum", place))
            if text:  # what was said of the values does not hold for the text
                lost += [key for key in v.at if v.has(key) and key in RELEVANT]
        if kinds is None and (d.typed or d.unions == "anyOf"):
            kinds = self._inferred(v, place, out)
        if kinds is None and d.typed and "enum" not in v.says:
            return self._anything(v, place, out)
        real = [kind for kind in kinds or () if kind != "null"]
        several = (
            len(real) > 1 if d.unions == "anyOf" else d.enum == "scalars" and "enum" in v.says and len(kinds or ()) > 1
        )
        if kinds is not None and several and (d.unions == "anyOf" or "enum" not in lost):
            return self._split(v, kinds, place, out, level)
        said, way = self._typed(v, kinds, place, out, level, lost, root=False)
        if text:
            way = {**(way or {}), "text": text}
        return said, way

    def _typed(
        self, v: View, kinds: list[str] | None, place: str, out: str, level: int, lost: list[str], *, root: bool
    ) -> Written:
        d = self.dialect
        said: dict[str, Any] = {}
        way: Way = {}
        self._say_type(said, kinds)
        objects = kinds is None or "object" in kinds
        if objects:
            write_objects(self, v, said, way, place, out, level, lost, root=root)
        if kinds is None or "array" in kinds:
            self._arrays(v, said, way, place, out, level, lost)
        for key in v.at:
            if not v.has(key) or key in said or key in lost or "=" + key in lost or key == "type":
                continue
            relevant = RELEVANT.get(key)
            if relevant is not None and kinds is not None and not any(kind in kinds for kind in relevant):
                self.note("TB103", v.at[key], None)
            elif key in v.says and d.says(key):
                self._scalar(v, key, kinds, said, lost)
            else:
                lost.append(key)
        return self.finish(v.at, v.raw, said, lost, out), way or None

    def _say_type(self, said: dict[str, Any], kinds: list[str] | None) -> None:
        if kinds is None:
            return
        d = self.dialect
        real = [kind for kind in kinds if kind != "null"]
        if not real:
            said["type"] = d.types["null"]
        elif d.null == "keyword":
            said["type"] = d.types[real[0]] if len(real) == 1 else [d.types[kind] for kind in real]
            if "null" in kinds:
                said["nullable"] = True
        else:
            words = [d.types[kind] for kind in kinds]
            said["type"] = words[0] if len(words) == 1 else words

    def _scalar(self, v: View, key: str, kinds: list[str] | None, said: dict[str, Any], lost: list[str]) -> None:
        """A keyword of the allow-list, if the dialect takes its value."""
        d = self.dialect
        value = v.says[key]
        if (
            (key == "pattern" and not compiles(value, d.pattern))
            or (key == "format" and d.formats is not None and value not in d.formats)
            or (key in d.most and value > d.most[key])
            or (key == "enum" and kinds is None and d.typed)
        ):
            lost.append(key)
        elif key in d.spelled and not isinstance(value, str):
            said[key] = str(int(value)) if float(value).is_integer() else str(value)
        else:
            said[key] = value

    def _kinds(self, v: View) -> list[str] | None:
        """The types of a node: words of programming languages mended, those that nobody knows left out."""
        if "type" not in v.says:
            return None
        named = v.says["type"]
        words = types_of(named)
        kinds = [kind for kind in dict.fromkeys(_MEANT.get(word, word) for word in words) if kind in self.dialect.types]
        if kinds != (named if isinstance(named, list) else [named]):
            self.lose("TB001", v.at["type"])
            if kinds:
                v.says["type"] = kinds[0] if len(kinds) == 1 else kinds
            else:
                v.drop("type")
        return kinds or None

    def _inferred(self, v: View, place: str, out: str) -> list[str] | None:
        """The type of which alone a node says anything."""
        implied = {RELEVANT[key] for key in v.keywords() & RELEVANT.keys()}
        if len(implied) != 1:
            return None
        kind = next(iter(implied))[-1]
        self.note("TB304", place, f"{out}/type")
        return [kind]

    def _anything(self, v: View, place: str, out: str) -> Written:
        """A node that accepts any type, where the dialect wants one to be named."""
        if self.dialect.closed:
            self.reasons.append(place)
            return {}, None
        words = self.dialect.types
        inner = [{"type": words[kind]} for kind in ("string", "number", "boolean", "object")]
        branches: list[dict[str, Any]] = [
            *inner,
            {"type": words["array"], "items": {"anyOf": [dict(it) for it in inner]}},
        ]
        branches[0] = self._describe(v, branches[0], place, out)
        branches[0]["nullable"] = True
        self.note("TB304", place, out)
        lost = [key for key in v.at if v.has(key) and key not in ("title", "description")]
        self.finish(v.at, v.raw, {}, lost, out)
        return {"anyOf": branches}, None

    # unions

    def _one_of(self, v: View, out: str) -> None:
        branches: list[Sub] = v.subs.pop("oneOf")
        at = v.at["oneOf"]
        if len(branches) > 1 and not disjoint([self.gather.glance(branch) for branch in branches]):
            self.note("TB203", at, f"{out}/anyOf")
        if "anyOf" in v.subs:
            v.subs["anyOf"] = [(*one, *two) for one in v.subs["anyOf"] for two in branches]
        else:
            v.subs["anyOf"] = branches
            v.at["anyOf"] = at

    def _any_of(self, v: View, kinds: list[str] | None, place: str, out: str, level: int) -> Written:
        """Alternatives; what stands beside them and may not goes into each."""
        d = self.dialect
        branches: list[Sub] = v.subs.pop("anyOf")
        at = v.at["anyOf"]
        if kinds is not None:
            v.says["type"] = kinds if len(kinds) > 1 else kinds[0]
        beside = View()
        for key in v.at:
            wrong = d.beside_any_of is not None and key not in d.beside_any_of
            if v.has(key) and not is_annotation(key) and (wrong or not d.says(key) or key in ("type", "enum", "const")):
                target = beside.says if key in v.says else beside.subs
                target[key] = v.says[key] if key in v.says else v.subs[key]
                beside.at[key] = v.at[key]
                if key in v.raw:
                    beside.raw[key] = v.raw[key]
        for key in beside.at:
            v.drop(key)
        if beside.at:
            branches = [(*branch, (beside, place, branch[0][2])) for branch in branches]
        return self._union(v, branches, at, place, out, level)

    def _split(self, v: View, kinds: list[str], place: str, out: str, level: int) -> Written:
        """One alternative for each type of a node."""
        branches = split(v, kinds, RELEVANT)
        at = v.at["type"]
        rest = View()
        for key in v.at:
            if v.has(key) and is_annotation(key):
                rest.says[key], rest.at[key] = v.says[key], v.at[key]
                rest.raw[key] = v.says[key]
        return self._union(rest, [((branch, place, ()),) for branch in branches], at, place, out, level)

    def _union(self, v: View, branches: list[Sub], at: str, place: str, out: str, level: int) -> Written:
        d = self.dialect
        null = False
        written: list[dict[str, Any]] = []
        options: list[Way] = []
        ways = False
        real: list[Sub] = []
        for sub in branches:
            kinds = self.gather.glance(sub).kinds
            if kinds == ["null"] and (
                d.null == "keyword" or any(self.gather.glance(it).kinds == ["null"] for it in real)
            ):
                null = True
            elif kinds == []:
                self.lose("TB103", sub[0][1])
            else:
                real.append(sub)
        lonely = len(real) == 1
        for index, sub in enumerate(real):
            where = out if lonely else f"{out}/anyOf/{index}"
            schema, way = self.sub(sub, where, level + 1, union=not lonely)
            if any(alike(schema, other) for other in written):
                self.lose("TB103", sub[0][1])
                continue
            written.append(schema)
            ways = ways or way is not None
            options.append(_told_apart(schema, way))
        if not written and null:
            return self._describe(v, {"type": d.types["null"]}, place, out), None
        if not written:
            self.note("TB201", at, out)
            return self._node(((True, place, ()),), place, out, level, union=False)
        if len(written) == 1:
            schema = dict(written[0])
            if null:
                schema["nullable"] = True
            return self._describe(v, schema, place, out), options[0].get("way")
        flat: list[dict[str, Any]] = []
        for schema in written:  # an alternative that is nothing but alternatives
            flat += schema["anyOf"] if schema.keys() == {"anyOf"} and not ways else [schema]
        if null:
            flat = [_nulled(schema) for schema in flat]
        said: dict[str, Any] = {"anyOf": flat}
        way = {"any": options} if ways else None
        if d.beside_any_of is not None and "description" not in d.beside_any_of:
            said["anyOf"] = [
                self._describe(v, schema, place, f"{out}/anyOf/{n}")
                if n == 0 or "description" not in schema
                else schema
                for n, schema in enumerate(flat)
            ]
            self.finish(
                v.at, v.raw, {}, [key for key in v.at if v.has(key) and key not in ("title", "description")], out
            )
            return said, way
        lost: list[str] = []
        for key in v.at:
            if v.has(key):
                if key in v.says and d.says(key):
                    self._scalar(v, key, None, said, lost)
                elif key in v.subs and self._open:
                    self._held(v, key, said, {}, out, level, lost)
                else:
                    lost.append(key)
        return self.finish(v.at, v.raw, said, lost, out), way

    def _describe(self, v: View, schema: dict[str, Any], place: str, out: str) -> dict[str, Any]:  # noqa: ARG002
        """The comments of a node on what stands in its place; its own go before those that it covers."""
        lost: list[str] = []
        for key in v.at:
            if key not in v.says:
                if key in v.subs:
                    lost.append(key)
                continue
            if not self.dialect.says(key):
                lost.append(key)
            elif key not in schema:
                self._scalar(v, key, None, schema := dict(schema), lost)
            elif schema[key] != v.says[key]:
                schema = {**schema, key: v.says[key]}
        return self.finish(v.at, v.raw, schema, lost, out)

    # arrays

    def _arrays(
        self, v: View, said: dict[str, Any], way: Way, place: str, out: str, level: int, lost: list[str]
    ) -> None:
        from .objects import write_arrays

        write_arrays(self, v, said, way, place, out, level, lost)

    # what cannot be said

    def finish(
        self, at: Mapping[str, str], raw: Mapping[str, Any], said: dict[str, Any], lost: list[str], out: str
    ) -> dict[str, Any]:
        """Note what is lost in a node, and tell it in its description."""
        if not lost:
            return said
        told: list[tuple[str, Any]] = []
        for key in dict.fromkeys(lost):
            silent = key[0] == "="  # it has been noted already
            key = key.removeprefix("=")  # noqa: PLW2901 - the keyword itself
            if not silent:
                if is_annotation(key):
                    code = "TB103"
                elif key == "additionalProperties" and raw.get(key) is False:
                    code = "TB204"
                else:
                    code = "TB201"
                self.note(code, at[key], out)
            if key in raw and (not is_annotation(key) or key in TOLD):
                told.append((key, raw[key]))
        mute = not out and "description" in self.dialect.root_without
        if told and self.options.prose and self.dialect.says("description") and not mute:
            text = line(told, said.get("description", ""), self.dialect)
            if text is not None:
                said["description"], keys = text
                for key in keys:
                    self.note("TB503", at[key], f"{out}/description")
        return said


def _ref(v: View) -> Way:
    return {"ref": v.says["$ref"].removeprefix("#").removeprefix("/$defs/")}


def _nulled(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "nullable": True}


def _told_apart(schema: dict[str, Any], way: Way | None) -> Way:
    """What tells an alternative from the others."""
    option: Way = {}
    kinds = schema.get("type")
    if kinds is not None:
        option["types"] = [kind.lower() for kind in types_of(kinds)]
    properties = schema.get("properties")
    if isinstance(properties, dict):
        named = cast("dict[str, Any]", properties)
        if schema.get("additionalProperties") is False:
            option["known"] = [*named]
        firm = [name for name in schema.get("required", ()) if name in named and not _may_be_null(named[name])]
        if firm:
            option["firm"] = firm
        fixed = {
            name: inner["enum"]
            for name, inner in named.items()
            if isinstance(inner, dict) and len(cast("dict[str, Any]", inner).get("enum", ())) in range(1, 9)
        }
        if fixed:
            option["fixed"] = fixed
    if way is not None:
        option["way"] = way
    return option


def _may_be_null(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return True
    node = cast("dict[str, Any]", schema)
    if "type" in node:
        return "null" in [kind.lower() for kind in types_of(node["type"])] or node.get("nullable") is True
    return True


def _pruned(way: Way | None, ways: dict[str, Way]) -> Way | None:
    """A way without what leads to nothing; None where nothing is left."""
    live: set[str] = set()
    whole = {"": way or {}, **ways}
    changed = True
    while changed:
        changed = False
        for name, it in whole.items():
            if name not in live and _does(it, live):
                live.add(name)
                changed = True
    if "" not in live:
        return None
    result = _thinned(whole[""], live)
    defs = {name: _thinned(ways[name], live) for name in ways if name in live}
    return {**result, "defs": defs} if defs else result


def _does(way: Way, live: set[str]) -> bool:
    if "ref" in way:
        return way["ref"] in live
    if any(key in way for key in ("omit", "rename", "text")):
        return True
    inner = [*way.get("properties", {}).values(), *(way[key] for key in ("items", "rest") if key in way)]
    inner += [option["way"] for option in way.get("any", ()) if "way" in option]
    return any(_does(it, live) for it in inner)


def _thinned(way: Way, live: set[str]) -> Way:
    out = dict(way)
    if "properties" in way:
        out["properties"] = {name: _thinned(it, live) for name, it in way["properties"].items() if _does(it, live)}
        if not out["properties"]:
            del out["properties"]
    for key in ("items", "rest"):
        if key in way:
            if _does(way[key], live):
                out[key] = _thinned(way[key], live)
            else:
                del out[key]
    if "any" in way:
        out["any"] = [
            {**option, "way": _thinned(option["way"], live)}
            if "way" in option and _does(option["way"], live)
            else {key: value for key, value in option.items() if key != "way"}
            for option in way["any"]
        ]
    return out
