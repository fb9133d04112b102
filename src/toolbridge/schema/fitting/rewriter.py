"""Fits one schema to a dialect: rules of the root, definitions, cycles, limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import UNSET

from ...data import pointer
from ...data.equality import same
from ...data.pointer import escape, get, split
from ...errors import DocumentError
from ...limits import LIMITS
from ...losses.note import Note
from ..arguments import ArgumentMapData, adapt_each, exempt, pruned
from ..cycles import by_home, find_cycles, find_references, reachable
from ..dialect import BudgetExceeded, Dialect
from ..drafts import changed_keywords
from ..linting import exceeded
from ..prose import NOTABLE, line
from ..vocabulary import (
    DEFINITIONS,
    ID_AS_ID,
    is_annotation,
    separate,
    stated_draft,
    text,
)
from . import plain_nodes
from .nodes import write_listed, write_open, write_typed
from .normalise import Normaliser, SourceSchema, merge
from .plain_keywords import plain_kinds
from .state import ADAPTED, LONG_PLACE, NodeWriter, Spot, Written, WrittenDefinition, reference_map
from .unions import Branch, OutlineWriter, note_clashes
from .values import enumerate_as, named
from .views import Fragment, Fragments, View, join, says_nothing

if TYPE_CHECKING:
    from ..cycles import CycleReference
    from . import Options

DEPTH: Final = 100
"""How deeply schemas may be nested; far beyond any tool, and far below Python's own limit."""

_MAX_NODES_FOR_REASONS: Final = 1_000
"""How many subschemas are written in a dialect that cannot be used, to find the other reasons for that."""

_MAX_MERGED: Final = 1000
"""How many alternatives the root may merge."""

_CHANGES: Final = ("TB2", "TB3")
"""The codes of losses with which a schema accepts more, or less."""

_NOTHING: Final[Fragment] = Fragment({}, "")

_FLATTENED: Final = frozenset({"anyOf", "oneOf", "allOf"})


def _count_places(value: Any) -> int:
    """How many places of losses a node may have: its own, those of its keywords, and of what these list."""
    if value.__class__ is not dict:
        return 1
    return 1 + len(value) + sum(len(inner) for inner in value.values() if inner.__class__ in (list, dict))


class Rewriter:
    """One schema that is fitted to a dialect; besides the result it has `notes`, `reasons` and `argument_map`.

    Attributes:
        notes: The losses.
        most: How many nodes there may be.
        reasons: The places for which the dialect would have to refuse more than the schema does.
        argument_map: The map of the arguments of the written schema to those of the given one.
        guards: The number of keywords that refer to a definition and accept less if it accepts more, such as `not`.
        drops_guards: Whether such keywords are left out, because a definition accepts more than it did.
        drops_draft: Whether the `$schema` of a plain root is left out.
        is_plain: Whether all nodes were plain ones, so that the schema did not have to be looked at as a whole, and
            all that is noted stands where it was written.
        renumbers: Whether alternatives stand elsewhere than they were written, as one of them is left out or several
            take its place.
        sites: By the pointer of a written node, the place of its `required` with the names (None: they stand at several
            places), or of its reference. Kept where cycles of references matter.
        outlines: Writes the outlines of alternatives of argument maps.
        unions: The alternatives in the argument map of each union that has one, and as they are written.
        lost_alternatives: The places of alternatives that were merged with others or left out, each with the code of
            that loss, its target, and the definitions that the alternative stands in.
    """

    argument_map: ArgumentMapData | None = None
    reasons: tuple[str, ...] = ()
    nodes = guards = 0
    deepest = 1
    drops_draft = is_plain = renumbers = False
    _normaliser: Normaliser | None = None
    writes_plain = True
    sites: dict[str, tuple[str, list[str] | None]] | None = None
    _current = ""
    _merged = 0
    _long_places = 0
    _adapted = 0

    def __init__(
        self,
        schema: dict[str, Any],
        dialect: Dialect,
        options: Options,
        arguments: bool,
        source: SourceSchema | None = None,
        *,
        drops_guards: bool = False,
    ) -> None:
        self.schema = schema
        self.source = source
        self.drops_guards = drops_guards
        self.dialect = dialect
        self.options = options
        self.most = options.limits.nodes
        self.arguments = arguments
        self.notes: list[Note] = []
        self.outlines = OutlineWriter()
        self.unions: list[tuple[list[ArgumentMapData], list[Branch]]] = []
        self.lost_alternatives: dict[str, tuple[str, str, list[str]]] = {}
        self.plain_kinds = plain_kinds(dialect)
        self.is_open = dialect.keywords is None
        stated = stated_draft(schema) if "$schema" in schema else None
        self.changed_keywords = changed_keywords(stated)
        self._aside = DEFINITIONS | {"id" if stated in ID_AS_ID else "$id"}
        self._write_plain = plain_nodes.open_node if self.is_open else plain_nodes.node
        if self.changed_keywords:
            self._write_plain = plain_nodes.node_of_draft
        if options.limits.pattern < LIMITS.pattern:  # plain nodes keep the usual limit
            self._write_plain = plain_nodes.nothing
            self.writes_plain = False

    @property
    def normaliser(self) -> Normaliser:
        """The document, looked at as a whole: a schema of nothing but plain nodes does not need that."""
        # Not a `cached_property`: in Python 3.11 that has one lock for all instances, and with it threads convert one
        # after the other, and a process that is forked meanwhile waits for ever.
        if self._normaliser is None:
            self._normaliser = self._normalised()
        return self._normaliser

    def _normalised(self) -> Normaliser:
        if self.source is None:
            self.source = SourceSchema.of(self.schema, self.options.limits)
        if self.dialect.references == "optional" or (
            self.dialect.references == "acyclic" and not self.dialect.fallback
        ):
            self.sites = {}
        return Normaliser(
            self.schema, self.source, self.dialect, self.options, self.note_loss, arguments=self.arguments
        )

    def add_reason(self, place: str) -> None:
        """Add a place for which the dialect would have to refuse more than the schema does (empty: its size)."""
        self.reasons += (place,)
        if self.dialect.fallback is not None:
            self.most = min(self.most, _MAX_NODES_FOR_REASONS)

    def note_loss(self, code: str, source: str) -> None:
        """Note a loss in the node that is being written."""
        self.notes.append(Note(code, source, self._current))

    def note(self, code: str, source: str, target: str | None) -> None:
        self.notes.append(Note(code, source, target))

    def all_notes(self) -> list[Note]:
        """All losses; a keyword that several places state together is lost in all of them."""
        joined = self._normaliser.joined if self._normaliser is not None else {}
        if not joined:
            return self.notes
        notes: list[Note] = []
        for note in dict.fromkeys(self.notes):
            notes.append(note)
            if note.source in joined and note.code.startswith(("TB103", "TB2")):
                notes += [Note(note.code, place, note.target) for place in joined[note.source]]
        return notes

    def changed(self, start: int) -> bool:
        """Whether a note from there on says that more, or less, is accepted."""
        return any(note.code[:3] in _CHANGES for note in self.notes[start:])

    def mark(self) -> tuple[int, int, int]:
        """The state to which `take_back` returns."""
        known = len(self._normaliser.known) if self._normaliser is not None else 0
        return len(self.notes), len(self.unions), known

    def take_back(self, mark: tuple[int, int, int]) -> None:
        """Drop the notes and the unions since a mark, and what was written of definitions since then, which has no
        notes any more.
        """
        notes, unions, count = mark
        del self.notes[notes:], self.unions[unions:]
        known = self._normaliser.known if self._normaliser is not None else {}
        while len(known) > count:
            known.popitem()

    def write(self) -> dict[str, Any] | None:
        """The whole schema; None if it has to be written anew with `drops_guards`. Raises BudgetExceeded."""
        out, argument_map = self._whole()
        if self._normaliser is None:
            self.is_plain = not self.renumbers
            if self.drops_draft:
                self.notes.append(Note("TB103", "/$schema"))
            self._check_size(out)
            self.argument_map = argument_map and self._outlined(argument_map, out, {})
            return out
        normaliser = self.normaliser
        argument_maps: dict[str, ArgumentMapData] = {}
        whole = self._definitions(normaliser, out, argument_maps)
        if whole is None:
            return None
        if normaliser.document is not None:
            self.notes += [Note("TB001", f"{place}/$ref") for place in normaliser.document.repaired]
        if self.reasons and self.dialect.fallback is not None and self.sites is None:
            self._check_size(whole)
            return whole  # not used, as the fallback is written
        cycles = self.sites is not None and normaliser.kept > 0
        if normaliser.shares or cycles:
            whole = separate(whole)
        if self.sites is not None and cycles:
            relax_cycles(self, whole, self.sites)
        self._check_size(whole)
        argument_map = pruned(argument_map, argument_maps)
        self.argument_map = argument_map and self._outlined(argument_map, whole, argument_maps)
        return whole

    def _outlined(
        self, argument_map: ArgumentMapData, whole: dict[str, Any], argument_maps: dict[str, ArgumentMapData]
    ) -> ArgumentMapData:
        """The argument map of the whole schema with the outlines of definitions; clashes of alternatives are noted."""
        outlines = self.outlines.finish(whole)
        note_clashes(self, argument_maps, outlines)
        return {**argument_map, "outlines": outlines} if outlines else argument_map

    def _whole(self) -> Written:
        sub: Fragments = (Fragment(self.schema, ""),)
        if not self.arguments:
            return self.sub(sub, "", 0)
        plain = self._plain_root() if self.writes_plain and not self.is_open else None
        return plain or self._root(sub)

    def _plain_root(self) -> Written | None:
        """The root of arguments, if it is a plain node but for its definitions and its address."""
        d, schema = self.dialect, self.schema
        aside: list[str] = []
        if not self._aside.isdisjoint(schema):
            aside = [key for key in schema if key in self._aside]
            schema = {key: value for key, value in schema.items() if key not in self._aside}
        if (
            schema.get("type") != "object"
            or not self.changed_keywords.isdisjoint(schema)
            or not d.root_excluded.isdisjoint(schema)
            or not d.names_properties(schema.get("properties"), root=True)
            or not all(map(self._can_stand_aside, aside))
        ):
            return None
        written = plain_nodes.objects(self, Fragment(schema, ""), "", 0, "")
        if written is None or not aside:
            return written
        if self.drops_draft:  # is noted in the order of the keywords
            self.drops_draft = False
            aside = [key for key in self.schema if key in self._aside or key == "$schema"]
        if self._normaliser is not None or not DEFINITIONS.isdisjoint(aside):
            self.normaliser.set_aside(aside)
        else:  # nothing refers to anything
            self.notes += [Note("TB103", f"/{key}") for key in aside]
        return written

    def _can_stand_aside(self, key: str) -> bool:
        """Whether the root is written without this keyword, which only references may need."""
        value = self.schema[key]
        if key in DEFINITIONS:
            return isinstance(value, dict)
        return isinstance(value, str) and not self.dialect.allows("$id")

    def _definitions(
        self, normaliser: Normaliser, out: dict[str, Any], argument_maps: dict[str, ArgumentMapData]
    ) -> dict[str, Any] | None:
        """The schema with its definitions, of which one may need another; what nothing leads to is noted.

        None as soon as a definition accepts more than it did, or less, and keywords that turn that around are kept.
        """
        done: dict[str, dict[str, Any]] = {}
        start, changed = len(self.notes), False
        for place, name in normaliser.names:  # which becomes longer meanwhile
            sub: Fragments = (Fragment(pointer.get(self.schema, place), place, (place,)),)
            done[name], inner = self.sub(sub, f"/$defs/{escape(name)}", 1)
            if inner is not None:
                argument_maps[name] = inner
            if not self.drops_guards:
                changed = changed or self.changed(start)
                start = len(self.notes)
                if changed and self.guards:
                    return None
        whole = {**out, "$defs": done} if done else out
        acyclic = self.dialect.references == "acyclic" and self.sites is None
        if acyclic and normaliser.kept and find_cycles(find_references(whole)):
            self.add_reason("")
        lost = [*self._lost_definitions()]
        dropped = ["/$schema", *normaliser.dropped()] if self.drops_draft else normaliser.dropped()
        noted = {note.source for note in lost}
        self.notes += [*lost, *(Note("TB103", place) for place in dropped if place not in noted)]
        return whole

    def _lost_definitions(self) -> Iterator[Note]:
        """The losses of definitions to which only alternatives lead that were merged with others or left out."""
        lost = self.lost_alternatives
        if not lost:
            return
        references = by_home(find_references(self.schema))
        dropped = [note.source for note in self.notes if note.code in ("TB103", "TB201")]
        noted = reachable(references, "", without={*lost, *dropped})
        for place, (code, target, definitions) in lost.items():
            for definition in (*definitions, *reachable(references, place, known=noted)):
                if definition not in noted and get(self.schema, definition) is not pointer.MISSING:
                    noted[definition] = None
                    yield Note(code, definition, target)

    def _check_size(self, out: dict[str, Any]) -> None:
        """Add a reason if a schema exceeds a limit of the dialect. Raises BudgetExceeded if that has no fallback."""
        over = None if self._is_small(out) else next(exceeded(out, self.dialect), None)
        if over is None:
            return
        if self.dialect.fallback is None:
            rule, what, found, most = over
            raise BudgetExceeded("", f"at most {most:,} {what}, found {found:,} ({rule} of {self.dialect.id})")
        self.add_reason("")

    def _is_small(self, out: dict[str, Any]) -> bool:
        """Whether counts in the text of the schema show that it exceeds no limit of the dialect."""
        d = self.dialect
        if (
            (d.max_levels is not None and self.deepest > d.max_levels)
            or (d.max_optional_parameters is not None and self.nodes > d.max_optional_parameters)
            or (d.max_union_parameters is not None and self.nodes > d.max_union_parameters)
        ):
            return False
        properties, values, characters = d.max_properties, d.max_enum_values, d.max_name_characters
        if properties is values is characters is d.max_schema_characters is None:
            return True
        data = text(out)
        # A list has at most one value more than commas. `measure` counts up to 8 characters for a value of one, and
        # the name of a definition as it is in a pointer.
        return data is not None and (
            (properties is None or data.count(b":") <= properties)
            and (values is None or data.count(b",") + data.count(b"[") <= values)
            and (characters is None or 4 * len(data) <= characters)
            and (d.max_schema_characters is None or len(data) <= d.max_schema_characters)
        )

    # the root

    def _root(self, sub: Fragments) -> Written:
        v = self.normaliser.view(sub, root=True)
        if v is None:
            self.note_loss("TB201", "")
            v = View()
        writer = NodeWriter(v, Spot("", "", 0, root=True))
        for key in self._flatten(v):
            writer.dropped[key] = True
        is_typed = "type" in v.values
        kinds = named(self, v)
        if kinds != ["object"]:
            if not is_typed:
                self.note("TB401", "", "/type")
            elif kinds is not None:  # else it was an unknown word, which is noted
                self.note("TB303" if "object" in kinds else "TB202", v.at["type"], "/type")
            v.values = {"type": "object", **v.values}
            v.values["type"] = "object"
            v.at = {"type": v.at.get("type", ""), **v.at}
        dropped = v.keywords() - _FLATTENED
        writer.drop(*(key for key in sorted(dropped) if not self.dialect.allows_at_root(key)))
        if self.is_open:
            return write_open(self, writer)
        if "const" in v.values and not self.dialect.allows_at_root("enum") and not self.dialect.allows("const"):
            writer.drop("const")
        if any(key in v.values and key not in writer.dropped for key in ("enum", "const")):
            enumerate_as(self, writer, ["object"], union=True)
        return write_typed(self, writer, ["object"])

    def _flatten(self, v: View, level: int = 0) -> list[str]:
        """Let the root say in one object what its alternatives say; which of them its description has to say."""
        if level > DEPTH:
            raise BudgetExceeded("", f"more than {DEPTH} levels of alternatives (a fixed limit)")
        described: list[str] = []
        for key in ("anyOf", "oneOf"):
            if key not in v.subs or key in described or (self.is_open and self.dialect.allows_at_root(key)):
                continue
            branches: list[Fragments] = v.subs[key]
            self._merged += len(branches)
            if self._merged > _MAX_MERGED:
                raise BudgetExceeded(v.at[key], f"more than {_MAX_MERGED} alternatives")
            views = [self.normaliser.view(branch, root=True) for branch in branches]
            found: list[tuple[View, str]] = []
            inside: list[str] = []
            for it, branch in zip(views, branches, strict=True):
                place = branch[0].place
                if it is None or "object" not in (named(self, it) or ("object",)):
                    self.note_loss("TB103", place)
                    continue
                inside = self._flatten(it, level + 1)
                found.append((it, place))
            if len(found) == len(branches) == 1:
                v.drop(key)
                if not found[0][0].at:
                    self.note_loss("TB103", v.at[key])
                for inner in inside:
                    if v.has(inner):
                        found[0][0].drop(inner)  # which cannot be described besides that of the root
                    else:
                        described.append(inner)
                join(v, found[0][0], self.note_loss)
                continue
            if found:
                merge(v, found, self.note_loss, v.at[key])
            self.note_loss("TB203", v.at[key])
            if key in v.raw:
                described.append(key)
            else:
                v.drop(key)
        return described

    # one node

    def sub(self, sub: Fragments, out: str, level: int, *, union: bool = False) -> Written:
        """Write one subschema; also its argument map. Within a union no value may be passed as text."""
        value, place, opened = sub[0] if sub else _NOTHING
        self.nodes += 1
        if self.nodes > self.most:
            raise self._too_many(place)
        if len(out) > LONG_PLACE or len(place) > LONG_PLACE:
            self.count_places(sub, out)
        if level > self.deepest and not self.reaches(level):
            raise self._exceeded(place, f"more than {DEPTH} levels of subschemas")
        if len(sub) != 1 or (value.__class__ is not dict and (opened or self.is_open or value is not True)):
            return self.node(sub, Spot(place, out, level), union=union)
        if not opened:
            written = self._write_plain(self, sub[0], out, level)
            return self.node(sub, Spot(place, out, level), union=union) if written is None else written
        normaliser = self.normaliser
        all_known = normaliser.known
        anywhere = place, union
        # Where the targets of references depend on the path to them, so does all that is written.
        on_path = place, union, opened if normaliser.has_scope else tuple(sorted(opened))
        known = all_known.get(anywhere) or all_known.get(on_path)
        if known is not None:
            normaliser.shares = True
            self.nodes += known.nodes
            if self.nodes > self.most:
                raise self._too_many(place)
            normaliser.add_size(known.size, place)
            normaliser.kept += known.kept
            self.notes += known.change
            return known.written
        nodes, cuts, size, kept, start = (
            self.nodes,
            normaliser.cuts,
            normaliser.written,
            normaliser.kept,
            len(self.notes),
        )
        written = self._write_plain(self, sub[0], out, level)
        if written is None:
            written = self.node(sub, Spot(place, out, level), union=union)
        key = anywhere if cuts == normaliser.cuts and not normaliser.has_scope else on_path
        change = next(([note] for note in self.notes[start:] if note.code[:3] in _CHANGES), ())
        all_known[key] = WrittenDefinition(
            written, self.nodes - nodes, normaliser.written - size, normaliser.kept - kept, change
        )
        return written

    def _too_many(self, place: str) -> BudgetExceeded:
        return self._exceeded(place, f"more than {self.most:,} subschemas (limit nodes)")

    def count_places(self, sub: Fragments, out: str) -> None:
        """Count the characters of the places of a subschema that has a long one."""
        for part in sub:
            self._long_places += max(len(out), len(part.place)) * _count_places(part.value)
        if self._long_places > 20 * self.options.limits.output:
            raise self._exceeded(sub[0].place, "names that are too long for so many subschemas (limit output)")

    def reaches(self, level: int) -> bool:
        """Whether a node may stand on this level, which is then reached."""
        if level > self.deepest:
            if level > DEPTH:
                return False
            self.deepest = level
        return True

    def _exceeded(self, place: str, what: str) -> BudgetExceeded:
        _ = self.normaliser  # the bounds of references are looked at first
        return BudgetExceeded(place, what)

    def node(self, sub: Fragments, spot: Spot, *, union: bool = False) -> Written:
        """Write one subschema by the rules for all keywords."""
        owner, self._current = self._current, spot.out
        written: Written
        v = self.normaliser.view(sub)
        if v is None and self.dialect.allows("not"):
            written = {"not": {}}, None
        elif v is not None and not self.is_open and "$ref" in v.values:
            if self.sites is not None:
                self.sites[spot.out] = v.at["$ref"], None
            written = {key: v.values[key] for key in v.at if key in v.values}, reference_map(v.values["$ref"])
        else:
            if v is None:
                self.note_loss("TB201", spot.place)
                v = View()
            if not self.is_open:
                written = write_listed(self, v, spot, union=union)
            else:
                schema, argument_map = write_open(self, NodeWriter(v, spot))
                if argument_map is None and "$ref" in v.values:
                    argument_map = reference_map(v.values["$ref"])
                written = schema, argument_map
        self._current = owner
        return written

    # what the dialect cannot express

    def complete_node(self, writer: NodeWriter) -> Written:
        """Complete a written node: its argument map, and the description of what it has lost."""
        v = writer.view
        writer.argument_map = exempt(writer.argument_map, writer.schema.get("properties", ()))
        if writer.argument_map:
            self.adapt(writer.schema, v.at, writer.argument_map, writer.spot.out)
        if writer.dropped:
            self._note_dropped(writer)
        return writer.schema, writer.argument_map or None

    def adapt(self, schema: dict[str, Any], at: Mapping[str, str], argument_map: ArgumentMapData, out: str) -> None:
        """Let default, examples, enum and const, so far as `at` has them, be values of the node that is written."""
        for key in ADAPTED:
            if key not in schema or key not in at or (key == "enum" and "text" in argument_map):
                continue  # the texts that stand for values are enumerated already
            held, are_several = schema[key], key in ("examples", "enum")
            try:
                each, self._adapted = adapt_each(
                    held if are_several else [held], argument_map, self.options.limits, self._adapted
                )
            except DocumentError as error:
                raise self._exceeded(at[key], error.problem) from None
            new = each if are_several else each[0]
            if not same(new, held):
                schema[key] = new
                self.note("TB501" if "rename" in argument_map else "TB505", at[key], f"{out}/{key}")

    def _note_dropped(self, writer: NodeWriter) -> None:
        """Note the keywords that a node has lost, and write them into its description."""
        at, raw, out = writer.view.at, writer.view.raw, writer.spot.out
        constraints: list[tuple[str, Any]] = []
        for key, noted in writer.dropped.items():
            comments = is_annotation(key) or (key in raw and says_nothing(key, raw[key]))
            if noted:
                pass
            elif comments:
                self.notes.append(Note("TB103", at[key], out))
            elif key == "additionalProperties" and raw.get(key) is False:
                self.notes.append(Note("TB204", at[key], out))
            else:
                self.notes.append(Note("TB201", at[key], out))
            if key in raw and (not comments or key in NOTABLE):
                constraints.append((key, raw[key]))
        if constraints:
            self.describe_constraints(constraints, at, writer.schema, out)

    def describe_constraints(
        self, constraints: list[tuple[str, Any]], at: Mapping[str, str], schema: dict[str, Any], out: str
    ) -> None:
        """Write these constraints into the description of a node."""
        d = self.dialect
        if not self.options.prose or not d.allows("description") or (not out and not d.allows_at_root("description")):
            return
        most = self.options.description
        description = schema.get("description", "")
        prose = line(constraints, description, d.max_description if most is UNSET else most)
        if prose is None:
            return
        if description == "" and "description" in at:
            self.notes.append(Note("TB103", at["description"], out))
        schema["description"], keys = prose
        self.notes += [Note("TB503", at[key], f"{out}/description") for key in keys]


def relax_cycles(run: Rewriter, schema: dict[str, Any], sites: Mapping[str, tuple[str, list[str] | None]]) -> None:
    """Remove from `required` the properties through which a definition leads back to itself. Where no property is on
    that way, or the dialect has no recursion, the reference is cut. Both are noted.
    """
    relaxes = run.dialect.references == "optional"
    references = find_references(schema)
    cycles = find_cycles(references, required=relaxes)
    if not cycles:
        return
    cut: list[CycleReference] = []
    for owner, lead in cycles:
        if not relaxes or not lead.can_be_optional(owner):
            cut.append(lead)
            continue
        place, _, token = cast("str", lead.required).rpartition("/properties/")
        node, name = get(schema, place), split(f"/{token}")[0]
        if name not in node.get("required", ()):
            continue  # for the sake of another reference
        at, names = sites.get(place, ("", None))
        run.note("TB201", at if names is None else f"{at}/{names.index(name)}", place)
        node["required"].remove(name)
        if not node["required"]:
            del node["required"]
    targets = {place: get(schema, place) for place in {lead.target for lead in cut}}
    for lead in cut:
        _cut(run, lead, targets[lead.target], sites)
    _prune(run, schema, [lead for lead in references if "$ref" in lead.node])


def _prune(run: Rewriter, schema: dict[str, Any], references: list[CycleReference]) -> None:
    """Leave out and note the definitions to which none of the `references` leads, which are those that are left."""
    live = reachable(by_home(references), "")
    kept = {name: inner for name, inner in schema.get("$defs", {}).items() if f"/$defs/{escape(name)}" in live}
    schema.pop("$defs", None)
    if kept:
        schema["$defs"] = kept
    for place, name in run.normaliser.definitions.items():
        if name not in kept:
            run.note("TB103", place, None)


def _cut(
    run: Rewriter, lead: CycleReference, target: dict[str, Any], sites: Mapping[str, tuple[str, list[str] | None]]
) -> None:
    """What is left of a reference: the type of what it leads to, and what that is for."""
    node = lead.node
    if node.pop("$ref", None) is None:
        return
    run.note("TB205", sites.get(lead.place, ("", None))[0], lead.place)
    node.update({key: target[key] for key in ("type", "title", "description") if isinstance(target.get(key), str)})
    if run.dialect.additional_properties == "none" and node.get("type") == "object":
        node["additionalProperties"] = True
