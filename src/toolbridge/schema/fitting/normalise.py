"""Subschemas made ready for writing: references followed or kept, allOf joined, drafts upgraded."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from ...data import pointer
from ...data.equality import exact_key
from ...data.names import Numbering
from ...data.pointer import escape
from ...data.types import is_list, is_object
from ...limits import Limits
from ..arguments import is_of
from ..dialect import BudgetExceeded, Dialect
from ..drafts import WITH_NULL, DraftRules, draft_rules, upgrade, with_null
from ..glance import ANYTHING, NOTHING, Glance, look
from ..mistakes import meant_schema
from ..references import Document, has_references, site_of, unreached
from ..vocabulary import DEFINITIONS, IDENTIFIERS, ONLY_2019, REFERENCES, is_annotation, text
from .values import RELEVANT
from .views import Either, Fragment, Fragments, Lose, View, both, forget, is_false, join, take, view

if TYPE_CHECKING:
    from . import Options
    from .state import WrittenDefinition


def split(v: View, kinds: list[str], note_loss: Lose) -> list[View]:
    """One view for each type, with the keywords about that type."""
    views: list[View] = []
    for kind in kinds:
        if kind == "integer" and "number" in kinds:
            note_loss("TB103", v.at["type"])
            continue
        it = View()
        it.values["type"], it.at["type"] = kind, v.at["type"]
        for key in v.at:
            of = RELEVANT.get(key, ("string",) if key == "format" else None)
            if key == "type" or not v.has(key) or (of is None and is_annotation(key)):
                continue
            if of is None or kind in of:
                take(it, v, key)
        if "enum" in it.values:
            it.values["enum"] = [value for value in it.values["enum"] if is_of(value, (kind,))]
            it.raw.pop("enum", None)
            if not it.values["enum"]:
                note_loss("TB103", it.at["type"])
                continue
        views.append(it)
    for key in v.at:
        if v.has(key) and key != "type" and not is_annotation(key) and not any(it.has(key) for it in views):
            note_loss("TB103" if views else "TB201", v.at[key])  # no value is of any of these types, or of its type
    for index, value in enumerate(v.values.get("enum", ())):
        if not is_of(value, kinds):
            listed = "enum" in v.raw and v.at["enum"].endswith("/enum")  # not the one value of a const
            note_loss("TB103", f"{v.at['enum']}/{index}" if listed else v.at["enum"])
    return views


def merge(v: View, found: list[tuple[View, str]], note_loss: Lose, at: str) -> None:
    """One object that accepts what any of several, noted at `at`, does: all properties, and what all of them require.

    A property that an open alternative does not list would be accepted there with any value: that is narrowed.
    """
    for branch, _ in found:
        for key, where in branch.at.items():
            if key != "properties" and branch.has(key) and not where.startswith(at + "/"):
                note_loss("TB103" if key == "type" or is_annotation(key) else "TB201", where)
    base: dict[str, Fragments] = v.subs.get("properties", {})
    closed = [
        is_false(branch.subs.get("additionalProperties")) and not branch.has("patternProperties") for branch, _ in found
    ]
    opened = {index for index, shut in enumerate(closed) if not shut}
    uses: dict[str, dict[int, Fragments]] = {}
    for index, (branch, _) in enumerate(found):
        for name, sub in branch.subs.get("properties", {}).items():
            uses.setdefault(name, {})[index] = sub
    properties = dict(base)
    for name, subs in uses.items():
        lacking = len(opened) > sum(index in opened for index in subs)
        if name not in base:
            properties[name] = either([*subs.values()])
            if lacking:
                for sub in subs.values():
                    note_loss("TB303", sub[0].place)
        elif not lacking:
            properties[name] = (*base[name], *either([*subs.values()]))
    first, place = found[0]
    if properties:
        _list(v, properties, found, note_loss)
    shared = set(first.values.get("required", ()))
    for branch, _ in found[1:]:
        shared.intersection_update(branch.values.get("required", ()))
    common = [name for name in first.values.get("required", ()) if name in shared]
    own: list[str] = v.values.get("required", [])
    known = set(own)
    added = [name for name in dict.fromkeys(common) if name not in known]
    if added:
        v.values["required"] = [*own, *added]
        v.at.setdefault("required", first.at.get("required", place))
        v.raw.pop("required", None)  # nothing in the document lists all of them
    if all(closed) and "additionalProperties" not in v.subs and base.keys() <= uses.keys():
        v.subs["additionalProperties"] = first.subs["additionalProperties"]
        v.at["additionalProperties"] = first.at["additionalProperties"]
        v.raw["additionalProperties"] = False


def _list(v: View, properties: dict[str, Fragments], found: list[tuple[View, str]], note_loss: Lose) -> None:
    """Let a view have these properties, which are its own and those of several alternatives."""
    if is_false(v.subs.get("additionalProperties")) and len(properties) > len(v.subs.get("properties", ())):
        note_loss("TB201", v.at["additionalProperties"])  # those of the alternatives were refused
    if v.subs.get("properties") == {}:
        note_loss("TB103", v.at.pop("properties"))
    at = next((branch.at["properties"] for branch, _ in found if "properties" in branch.at), found[0][1])
    v.subs["properties"] = properties
    v.at.setdefault("properties", at)
    v.raw.pop("properties", None)


def either(subs: list[Fragments]) -> Fragments:
    """Any of several subschemas; equal ones count once."""
    distinct: list[Fragments] = []
    known: set[Hashable] = set()
    for sub in subs:
        if len(sub) == 1:
            own = exact_key(sub[0].value)
            if own in known:
                continue
            known.add(own)
        distinct.append(sub)
    if len(distinct) == 1:
        return distinct[0]
    return (Fragment(Either(distinct), distinct[0][0].place),)


_MAX_PARTS: Final = 500
"""How many parts of an `allOf`, and of references, may say one thing together."""

_LOOKS: Final = 8
"""How many references and parts are looked through for a glance."""

_MOST_LOOKS: Final = 100
"""How many there may be to look through."""

_DEFINITIONS: Final = tuple(sorted(DEFINITIONS))
"""In an order that is the same in each process."""

_ENUMERATING: Final = frozenset({"type", "enum", "const"})

_NAMING: Final = DEFINITIONS | IDENTIFIERS

_NAME: Final = re.compile(r"[^A-Za-z0-9_.-]+")

_DEFINITION: Final = re.compile(r"/(?:\$defs|definitions)/[^/]*")


class SourceSchema(NamedTuple):
    """A schema before it is fitted: the rules of its draft, if it is an older one, and its references, if any."""

    draft: DraftRules | None
    document: Document | None

    @classmethod
    def of(cls, schema: dict[str, Any], limits: Limits) -> SourceSchema:
        """Raises BudgetExceeded."""
        data = text(schema)
        refers = has_references(schema, data)
        return cls(draft_rules(schema, data), Document(schema, limits) if refers else None)


class Normaliser:
    """The subschemas of one document as views, for one dialect.

    `definitions` are the kept ones: place in the document to name; `names` has the same as a list.
    `changes_root`: the root of what is written has other names of properties, or a type that it did not name, so that
    a reference to it needs a definition of its own.
    `written` is the number of bytes of the definitions that were written out so far.
    `known` is what was written of definitions that are written out, by place and, where it depends on the definitions
    around it, these.
    `joined` has, by the place of a keyword, the other places that say it as well.
    """

    def __init__(
        self,
        schema: dict[str, Any],
        source: SourceSchema,
        dialect: Dialect,
        options: Options,
        note_loss: Lose,
        *,
        arguments: bool,
    ) -> None:
        self.schema = schema
        self.dialect = dialect
        self.unroll = options.unroll
        self.note_loss = note_loss
        self.draft, self.document = source
        self.keeps = dialect.references != "inline" and dialect.allows("$ref")
        self.has_scope = self.document is not None and self.document.depends_on_scope()
        if self.has_scope:
            self.keeps = False  # a definition is not the same to all who refer to it
        self.flat = not dialect.allows("allOf")
        self.arguments = arguments
        self.changes_root = arguments and (
            schema.get("type") != "object" or not dialect.names_properties(schema.get("properties"), root=True)
        )
        self.definitions: dict[str, str] = {}
        self.names: list[tuple[str, str]] = []
        self._numbering = Numbering()
        self._reached: set[str] = set()
        """The targets of references whose alternatives are known, in `_users` and `_nullable`."""
        self._users: dict[str, list[str]] = {}
        """The targets that have an alternative which is a reference, by the target of that."""
        self._nullable: set[str] = set()
        """The targets that list null, or that have an alternative which does."""
        # With the object that was looked at, which is kept so that no other one gets its id.
        self._glances: dict[Hashable, tuple[Glance, object]] = {}
        self.joined: dict[str, dict[str, None]] = {}
        self.parts = 0
        self.limits = options.limits
        self.written = 0
        self._sizes: dict[str, int] = {}
        self.cuts = 0
        self._cut_open: dict[str, dict[str, Any]] = {}
        self.shares = False
        self.kept = 0
        self.known: dict[Hashable, WrittenDefinition] = {}
        self._targets: set[str] = set()
        self._leads: dict[str, str] = {}
        self._used: set[str] = set()
        self._named: list[str] = []
        self._holders: dict[str, Any] = {}

    def view(self, sub: Fragments, *, root: bool = False) -> View | None:
        """What the parts of a subschema say together; None where they accept nothing."""
        whole: View | None = None
        todo: list[Fragment] = list(sub)
        flat = self.flat or (root and not self.dialect.allows_at_root("allOf"))
        alone = len(todo) == 1 and not root
        refused = False
        first: Any = todo[0].value if todo else None
        known: dict[Hashable, object] = {}
        cuts = self.cuts
        while todo:
            value, place, opened = todo.pop(0)
            is_lone = not (todo or known) and value is first
            if not is_lone and self._is_known(value, place, opened, known):
                continue  # two references lead to it
            if value is True or value is False:
                if refused or (value and (todo or whole is not None)):
                    self.note_loss("TB103", place)  # the other parts say so, or more
                refused = refused or not value
                continue
            it = self._part(value, place, opened, todo, alone=alone and whole is None)
            if it is None:
                self.note_loss("TB001", place)
                meant = meant_schema(value)
                if not meant:
                    continue
                it = View()
                it.values, it.raw, it.at = dict(meant), dict(meant), dict.fromkeys(meant, place)
            if flat and (branches := it.subs.pop("allOf", None)):
                todo[:0] = [part for branch in branches for part in branch]
                alone = False
            if whole is None:
                whole = it
                if value == {} and (todo or refused):
                    self.note_loss("TB103", place)
                continue
            self.shares = True
            if not it.at:
                self.note_loss("TB103", place)
            else:
                if len(sub) > 1:
                    forget(whole, self.note_loss)
                self._join(whole, it)
        if whole is not None and self.cuts > cuts:
            forget(whole, self.note_loss)  # what a reference that was cut would have evaluated is unknown
        if refused and whole is not None:
            for key in filter(whole.has, whole.at):
                self.note_loss("TB103", whole.at[key])  # nothing is accepted, whatever the other keywords are
        return None if refused else whole or View()

    def _is_known(self, value: Any, place: str, opened: tuple[str, ...], known: dict[Hashable, object]) -> bool:
        """Whether a part of a subschema is among the known ones, which it joins."""
        key = id(value), place, opened if self.has_scope else ()
        if key in known and opened.count(place) < 2:  # one that leads back to itself is cut
            return True
        known[key] = value  # kept, so that no other one gets its id
        self._count(len(known), place)
        return False

    def _count(self, parts: int, place: str) -> None:
        """Count a further part of a subschema, which has so many by now."""
        if parts > _MAX_PARTS:
            raise BudgetExceeded(place, f"more than {_MAX_PARTS} parts of one subschema")
        self.parts += 1
        if self.parts > self.limits.nodes:
            raise BudgetExceeded(place, f"more than {self.limits.nodes:,} parts of subschemas (limit nodes)")

    def _part(
        self, value: Any, place: str, opened: tuple[str, ...], todo: list[Fragment], *, alone: bool
    ) -> View | None:
        """A part of a subschema taken apart, whose references are followed to further parts; None for other values."""
        if value.__class__ is dict:
            it = self._taken(value, place, opened)
            if not REFERENCES.isdisjoint(it.values):
                self._follow(it, place, opened, todo, alone=alone)
            return it
        it = View()
        if isinstance(value, View):
            it.values, it.subs, it.at, it.raw = dict(value.values), dict(value.subs), dict(value.at), dict(value.raw)
        elif isinstance(value, Either):
            it.subs["anyOf"] = value.subs
            it.at["anyOf"] = place
        else:
            return None
        return it

    def _join(self, whole: View, it: View) -> None:
        """Join a part; where that is not exact, what the whole says of all that it does not evaluate goes, too."""
        if not it.values and not it.subs:
            return  # a reference that was followed
        exact = True

        def note_loss(code: str, place: str) -> None:
            nonlocal exact
            exact = exact and code == "TB103" and not place.endswith("/additionalProperties")
            self.note_loss(code, place)

        places = {key: (whole.at[key], it.at[key]) for key in it.subs if key in whole.subs}
        for key in ("required", "dependentRequired"):
            if it.values.get(key) and whole.values.get(key):
                places[key] = whole.at[key], it.at[key]
        join(whole, it, note_loss)
        for key, both_places in places.items():
            kept = whole.at[key]
            self.joined.setdefault(kept, {}).update(dict.fromkeys(at for at in both_places if at != kept))
        if not exact:
            forget(whole, self.note_loss)

    def _taken(self, node: dict[str, Any], place: str, opened: tuple[str, ...]) -> View:
        if len(node) == 1 and node.get("$ref").__class__ is str:
            it = View()
            it.values, it.raw, it.at = node.copy(), node.copy(), {"$ref": f"{place}/$ref"}
            return it
        stood: dict[str, str] = {}
        if self.draft is not None:
            node, stood, gone = upgrade(node, self.draft)
            halves = with_null(node, gone) if place or not self.arguments else None
            for code, key in gone:
                self.note_loss("TB103" if code == WITH_NULL and halves is None else code, f"{place}/{escape(key)}")
            if halves is not None:
                return self._with_null(*halves, place, opened)
            self._note_flags(stood, self.draft, place)
        it = view(node, place, opened, stood, self.note_loss)
        for key in stood:
            if key in ("enum", "required"):
                it.raw.pop(key, None)  # what is listed there stands nowhere in the document
        if _NAMING.isdisjoint(node):
            return it
        for key in _DEFINITIONS:
            if key in it.subs:
                self._holders[it.at[key]] = it.raw[key]
                del it.subs[key]
        for key in [key for key in it.values if key in IDENTIFIERS]:
            refers = (self.draft if key == "$schema" else self.document) is not None
            # Up to draft 7 the fragment of an `$id` names a place; in 2020-12 it has none. Nor is `true` an anchor.
            value: Any = it.values[key]
            old = key in ONLY_2019 or (key == "$id" and (value[:1] == "#" or "#" in value.rstrip("#")))
            if refers or old or not self.dialect.allows(key) or (not place and not self.dialect.allows_at_root(key)):
                self._named.append(it.at[key])
                del it.values[key]
        return it

    def _note_flags(self, stood: dict[str, str], draft: DraftRules, place: str) -> None:
        """Note what flags of an older draft say, or that they are lost with the keyword that says it now."""
        if "enum" in stood or ("type" in stood and draft.lends):
            self.note_loss("TB001", f"{place}/nullable")
        elif "type" in stood:
            self.joined.setdefault(f"{place}/type", {})[f"{place}/nullable"] = None
        for key, at in stood.items():
            if at in ("minimum", "maximum"):  # of a draft in which a flag says that it is exclusive
                self.joined.setdefault(f"{place}/{at}", {})[f"{place}/{key}"] = None

    def _with_null(
        self, annotations: dict[str, Any], rest: dict[str, Any], place: str, opened: tuple[str, ...]
    ) -> View:
        """A subschema that accepts null besides what the rest of it says."""
        at, cuts = f"{place}/nullable", self.cuts
        parts: list[Fragment] = []
        inner = self._part(rest, place, opened, parts, alone=True) or View()
        if self.cuts > cuts:
            forget(inner, self.note_loss)
        it = view(annotations, place, opened, {}, self.note_loss)
        it.subs["anyOf"] = [(Fragment(inner, place, opened), *parts), (Fragment({"type": "null"}, at, opened),)]
        it.at["anyOf"] = at
        return it

    def set_aside(self, keys: list[str]) -> None:
        """Note that the root is written without its definitions and its address, which have these keywords."""
        self._holders = {f"/{key}": self.schema[key] for key in keys if key in DEFINITIONS} | self._holders
        self._named = [f"/{key}" for key in keys if key not in DEFINITIONS] + self._named

    # references

    def _follow(self, it: View, place: str, opened: tuple[str, ...], todo: list[Fragment], *, alone: bool) -> None:
        """Follow the references of a subschema, or keep one that stands where the dialect takes it."""
        keywords = [key for key in it.values if key in REFERENCES]
        alone = alone and len(keywords) == 1
        for keyword in keywords:
            del it.values[keyword]
            target = self._target(place, keyword, opened)
            if target is None:
                self.cuts += 1
                self.note_loss("TB206", it.at[keyword])
                continue
            self._targets.add(target)
            again = opened.count(target)
            if self.keeps and alone and self._can_stay(it, repeated=again > 0):
                it.values["$ref"] = self._kept(target)
                it.at["$ref"] = it.at[keyword]
                return
            self.shares = True
            if again > (0 if self.keeps else self.unroll):
                self.cuts += 1
                self.note_loss("TB205", it.at[keyword])
                if remains := self._remains(target):
                    todo.append(Fragment(remains, target, opened))
            else:
                todo.append(self._definition(target, place, opened))

    def _definition(self, target: str, place: str, opened: tuple[str, ...]) -> Fragment:
        """A definition that is written out at a place. Raises BudgetExceeded past the limits."""
        way = (site_of(place), target) if self.has_scope else (target,)
        most = self.limits.references
        if len(opened) // len(way) >= most:
            raise BudgetExceeded(place, f"more than {most:,} references within references (limit references)")
        value = self._held(target)
        if target not in self._sizes:
            self._sizes[target] = len(text(value) or repr(value))
        self.add_size(self._sizes[target], place)
        return Fragment(value, target, (*opened, *way))

    def add_size(self, size: int, place: str) -> None:
        """Count the bytes of a definition that is written out. Raises BudgetExceeded past the limit."""
        self.written += size
        if self.written > self.limits.output:
            raise BudgetExceeded(place, f"written out, it takes more than {self.limits.output:,} bytes (limit output)")

    def kept_reference(self, place: str, opened: tuple[str, ...]) -> str | None:
        """The reference that is written for the `$ref` at a place with nothing beside it; None where it is not kept."""
        target = self._target(place, "$ref", opened) if self.keeps else None
        if target is None:
            return None
        self._targets.add(target)
        return self._kept(target)

    def definition(self, place: str, opened: tuple[str, ...]) -> tuple[Fragment, str | None] | None:
        """What is written in place of the `$ref` at a place, and the place where recursion was cut; None if it was not.

        Definitions that only refer to another one are followed. It is None if the `$ref` leads to no object, or its
        target depends on the path to it.
        """
        if self.has_scope:
            return None
        parts = 1
        while True:
            target = self._target(place, "$ref", opened)
            if target is None or self._held(target).__class__ is not dict:
                return None
            self._targets.add(target)
            self.shares = True
            parts += 1
            if opened.count(target) > self.unroll:
                self.cuts += 1
                self._count(parts, target)
                return Fragment(self._remains(target), target, opened), place
            part = self._definition(target, place, opened)
            self._count(parts, target)
            value, place, opened = part
            if len(value) > 1 or "$ref" not in value:
                return part, None

    def _can_stay(self, it: View, *, repeated: bool) -> bool:
        """Whether a reference can stand beside what the view says; what cannot go elsewhere is given up."""
        d = self.dialect
        if d.keywords is None and d.ref_siblings is None:
            return True
        wrong: list[str] = []
        for key in [key for key in it.at if it.has(key)]:
            if is_annotation(key):
                if not d.allows(key):
                    self.note_loss("TB103", it.at[key])
                    it.drop(key)
                    continue
                if d.ref_siblings is None:
                    continue
            if d.ref_siblings is None or key not in d.ref_siblings:
                wrong.append(key)
        if wrong and not repeated:
            return False
        for key in wrong:
            self.note_loss("TB103" if key in it.values and is_annotation(key) else "TB201", it.at[key])
            it.drop(key)
        return True

    def _target(self, place: str, keyword: str, opened: tuple[str, ...] = ()) -> str | None:
        if keyword == "$ref" and place in self._leads:
            return self._leads[place]
        document = self.document
        node = None if document is None else document.nodes.get(place)
        if document is None or node is None or keyword not in node.refs:
            return None
        found = document.target(node, keyword, () if keyword == "$ref" else document.scope(opened, place))
        if found is None:
            return None
        self._used.update(found[1])
        if keyword == "$ref":
            self._leads[place] = found[0]
        return found[0]

    def _held(self, target: str) -> Any:
        """The subschema to which a reference leads."""
        return cast("Document", self.document).held(target)

    def _kept(self, target: str) -> str:
        """The reference to a definition of the document that is written."""
        self.kept += 1
        if not target and not self.changes_root:
            return "#"
        name = self.definitions.get(target)
        if name is None:
            plain = (_NAME.sub("_", pointer.split(target)[-1]) if target else "root") or "definition"
            name = self._numbering.unique(plain)
            self.definitions[target] = name
            self.names.append((target, name))
            self.shares = self.shares or _DEFINITION.fullmatch(target) is None  # else it stands nowhere else
        return f"#/$defs/{name}"

    def _remains(self, target: str) -> dict[str, Any]:
        """What is left of a definition that is cut open: its type, with null if it is nullable, and what it is for.

        The type may be that of all its alternatives.
        """
        if target in self._cut_open:
            return self._cut_open[target]
        whole, stood = cast("dict[str, Any]", self._held(target)), dict[str, str]()
        is_untyped = "type" not in whole and not _adds_null(whole)
        if self.draft is not None:
            whole, stood, _ = upgrade(whole, self.draft)
        remains = self._cut_open[target] = {
            key: whole[key]
            for key in ("type", "title", "description")
            if isinstance(whole.get(key), str) or key in stood
        }
        for key in _ALTERNATIVES if is_untyped else ():
            alternatives: Any = whole.get(key)
            if is_list(alternatives):
                found = [self.glance((Fragment(each, f"{target}/{key}/{n}"),)) for n, each in enumerate(alternatives)]
                kinds = {kind for it in found for kind in (it.kinds or [None])}
                if len(kinds) == 1 and None not in kinds:
                    remains["type"] = kinds.pop()
        return remains

    def glance(self, sub: Fragments) -> Glance:
        """What is plain to see of a subschema, without writing it."""
        value, place, _ = sub[0]
        if len(sub) != 1 or value.__class__ is not dict:
            return self._glance(sub)
        target = self._target(place, "$ref") if len(value) == 1 and "$ref" in value else None
        key: Hashable = (id(cast("object", value)), place) if target is None else target
        known = self._glances.get(key)
        if known is None:
            known = self._glances[key] = self._glance(sub), cast("object", value)
        return known[0]

    def enumerated(self, sub: Fragments, most: int) -> list[str] | None:
        """The texts that a subschema, or what it refers to, enumerates, if it says nothing else: at most so many; None
        for any other subschema.
        """
        value, place, _ = sub[0]
        if len(sub) > 1 or value.__class__ is not dict:
            return None
        target = self._target(place, "$ref") if len(value) == 1 and "$ref" in value else None
        held: Any = value if target is None else self._held(target)
        if not isinstance(held, dict):
            return None
        says = cast("dict[str, Any]", held)
        if not all(key in _ENUMERATING or is_annotation(key) for key in says):
            return None
        texts: Any = [says["const"]] if "const" in says else says.get("enum")
        if says.get("type", "string") != "string" or texts.__class__ is not list or says.keys() >= {"const", "enum"}:
            return None
        if len(texts) > most or not all(isinstance(it, str) for it in texts):
            return None
        if target is not None:
            self._targets.add(target)
        for key in says.keys() - {"const", "enum"}:
            self.note_loss("TB103", f"{place if target is None else target}/{escape(key)}")
        return list(dict.fromkeys(texts))

    def lists_null(self, sub: Fragments) -> bool:
        """Whether null is among the types, values or alternatives of a subschema, or of what it refers to."""
        is_null, targets = self._alternatives([(value, place) for value, place, _ in sub])
        todo = [*targets]
        for target in todo:
            if target in self._reached:
                continue
            self._reached.add(target)
            found, inner = self._alternatives([(self._held(target), target)])
            for each in inner:
                self._users.setdefault(each, []).append(target)
            todo += inner
            nullable = [target] if found or not self._nullable.isdisjoint(inner) else []
            while nullable:
                if (each := nullable.pop()) not in self._nullable:
                    self._nullable.add(each)
                    nullable += self._users.get(each, ())
        return is_null or not self._nullable.isdisjoint(targets)

    def _alternatives(self, todo: list[tuple[Any, str]]) -> tuple[bool, list[str]]:
        """Whether some subschemas, or their alternatives, list null themselves, and what these refer to."""
        is_null = False
        targets: list[str] = []
        for value, place in todo:
            if not is_object(value):
                continue
            is_null = is_null or "null" in (look(value, None).kinds or ()) or _adds_null(value)
            target = self._target(place, "$ref") if "$ref" in value else None
            if target is not None:
                targets.append(target)
            for key in _ALTERNATIVES:
                if is_list(alternatives := value.get(key)):
                    todo += [(each, f"{place}/{key}/{n}") for n, each in enumerate(alternatives)]
        return is_null, targets

    def _glance(self, sub: Fragments) -> Glance:
        whole = ANYTHING
        todo = [(value, place, 0) for value, place, _ in sub]
        for value, place, depth in todo:
            if value is False or value == {"not": {}}:
                return NOTHING
            if value.__class__ is View:
                it = value.glance
                if it is None:
                    properties: dict[str, Fragments] = value.subs.get("properties", {})
                    it = value.glance = look(value.values, {name: held[0].value for name, held in properties.items()})
            elif value.__class__ is dict:
                says: dict[str, Any] = value
                if _adds_null(says):
                    continue  # what its references and alternatives accept is not all
                it = ANYTHING if _LOOKED.isdisjoint(says) else look(says, says.get("properties"))
                if len(todo) < _MOST_LOOKS:
                    if "$ref" in says and depth < _LOOKS and self.document is not None:
                        target = self._target(place, "$ref")
                        if target is not None:
                            todo.append((self._held(target), target, depth + 1))
                    if isinstance(says.get("allOf"), list):
                        for n, part in enumerate(says["allOf"][:_LOOKS]):
                            todo.append((part, f"{place}/allOf/{n}", depth + 1))
            else:
                continue
            whole = it if whole is ANYTHING else _together(whole, it)
        return whole

    def dropped(self) -> list[str]:
        """Definitions to which nothing leads, and names that nothing uses."""
        places = [place for place in self._named if place not in self._used]
        above: set[str] = set()
        for target in self._targets:
            way = target.rpartition("/")[0]
            while way and way not in above:
                above.add(way)
                way = way.rpartition("/")[0]
        for place, value in self._holders.items():
            places += unreached(place, value, self._targets, above)
        return places


_ALTERNATIVES: Final = ("anyOf", "oneOf")

_LOOKED: Final = frozenset({"type", "const", "enum", "nullable", "properties", "required"})


def _adds_null(says: dict[str, Any]) -> bool:
    """Whether null is accepted besides what the references and the alternatives of a subschema accept."""
    return says.get("nullable") is True and "type" not in says


def _together(one: Glance, other: Glance) -> Glance:
    """Two outlines at one subschema."""
    kinds = one.kinds if other.kinds is None else other.kinds if one.kinds is None else both(one.kinds, other.kinds)
    fixed = {**one.fixed, **other.fixed} if one.fixed and other.fixed else one.fixed or other.fixed
    return Glance(kinds, other.values if one.values is None else one.values, fixed, one.needs | other.needs)
