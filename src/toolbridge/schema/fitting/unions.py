"""Alternatives in a dialect: `anyOf`, and what has to become one: `oneOf`, several types in one node."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from ...data.pointer import escape, is_within
from ...data.types import JsonObject, is_object
from ...losses.note import Note
from ..dialect import BudgetExceeded
from ..glance import disjoint
from ..mistakes import types_of
from ..vocabulary import is_annotation, text
from .clashes import Clashes
from .containers import write_containers
from .normalise import split
from .state import NodeWriter, Spot, Written, reference_map, write_keyword
from .supersets import are_of_one_type, widest
from .values import repair_enumeration
from .views import GROUPS, Fragment, Fragments, View, take

if TYPE_CHECKING:
    from ..arguments import ArgumentMapData
    from ..dialect import Dialect
    from .rewriter import Rewriter


_MAX_PRODUCT: Final = 500
"""How many alternatives `anyOf` and `oneOf` of one node may make together."""


def one_of(run: Rewriter, v: View, out: str) -> None:
    """Let the `oneOf` of a node be an `anyOf`, which is noted unless the alternatives exclude each other."""
    branches: list[Fragments] = v.subs.pop("oneOf")
    at = v.at["oneOf"]
    if len(branches) > 1 and not disjoint([run.normaliser.glance(branch) for branch in branches]):
        run.note("TB203", at, f"{out}/anyOf")
    if "anyOf" in v.subs:
        if len(v.subs["anyOf"]) * len(branches) > _MAX_PRODUCT:
            raise BudgetExceeded(at, f"more than {_MAX_PRODUCT} alternatives of alternatives")
        v.subs["anyOf"] = [(*one, *two) for one in v.subs["anyOf"] for two in branches]
    else:
        v.subs["anyOf"] = branches
        v.at["anyOf"] = at


def any_of(run: Rewriter, v: View, kinds: list[str] | None, spot: Spot, *, union: bool = False) -> Written:
    """The `anyOf` of a node, perhaps in another `union`; what may not stand beside it goes into each alternative."""
    d = run.dialect
    branches: list[Fragments] = v.subs.pop("anyOf")
    if kinds is not None:
        v.values["type"] = kinds if len(kinds) > 1 else kinds[0]
    wrong = {
        key
        for key in v.at
        if v.has(key)
        and not is_annotation(key)
        # In a dialect that lists its keywords, no properties are written beside alternatives.
        and not (_stays(key, d) and (run.is_open or (key not in v.subs and key != "required")))
    }
    for group in GROUPS:  # what one of them says depends on the others
        if not wrong.isdisjoint(group):
            wrong.update(group)
    beside = View()
    for key in v.at:
        if key in wrong and v.has(key):
            take(beside, v, key)
    for key in beside.at:
        v.drop(key)
    if beside.at:
        branches = [(*branch, Fragment(beside, spot.place, branch[0].opened)) for branch in branches]
    return write_union(run, v, branches, v.at["anyOf"], spot, beside=beside, union=union)


@lru_cache(maxsize=64)
def _describable(d: Dialect) -> bool:
    """Whether alternatives that are references can be described, beside `anyOf` or beside `$ref`."""
    return any(beside is None or "description" in beside for beside in (d.any_of_siblings, d.ref_siblings))


def _is_reference(sub: Fragments) -> bool:
    """Whether a subschema is a reference and nothing else."""
    value = sub[0].value
    return len(sub) == 1 and value.__class__ is dict and value.keys() == {"$ref"}


def _stays(key: str, d: Dialect) -> bool:
    """Whether a keyword may stand beside `anyOf`."""
    beside = d.any_of_siblings is None or key in d.any_of_siblings
    return beside and d.allows(key) and key not in ("type", "enum", "const")


def by_type(run: Rewriter, v: View, kinds: list[str], spot: Spot, *, union: bool = False) -> Written:
    """One alternative for each type of a node."""
    if v.subs:
        run.normaliser.shares = True  # each of them has the same subschemas
    if "enum" in v.values:
        repair_enumeration(run, v, kinds, spot.out)
    branches = split(v, kinds, run.note_loss)
    rest = View()
    for key in v.at:
        if v.has(key) and is_annotation(key) and not any(branch.has(key) for branch in branches):
            take(rest, v, key)
    subs: list[Fragments] = [(Fragment(branch, spot.place),) for branch in branches]
    return write_union(run, rest, subs, v.at["type"], spot, union=union)


def write_union(
    run: Rewriter,
    v: View,
    branches: list[Fragments],
    at: str,
    spot: Spot,
    *,
    beside: View | None = None,
    union: bool = False,
) -> Written:
    """These alternatives, which the schema as given has at `at`, with the other keywords of the view.

    `beside` is what stands beside them and went into each of them, `union` whether they stand in another union.
    """
    place, out, level, _ = spot
    around: Fragments = (Fragment(v, place),)
    if beside is not None and beside.at:
        around = (*around, Fragment(beside, place))
    if run.dialect.type_unions == "none":
        return _one(run, around, branches, at, spot)
    real, null = _real(run, branches)
    if run.dialect.type_unions == "merge":
        real = _not_null(run, real, out)
    if not real:
        # What is left is null, or nothing: of that the schema cannot have meant much.
        if null is None:
            run.note("TB201", at, out)
            return run.node(around, Spot(place, out, level), union=union)
        kind = View()
        kind.values["type"], kind.at["type"] = "null", at
        return run.node((around[0], Fragment(kind, at)), Spot(place, out, level), union=union)
    if run.dialect.type_unions == "merge":
        if len(real) == 1:
            merged, _ = run.sub((Fragment(v, place), *real[0]), out, level + 1)
        else:
            merged = _beside(run, v, _merge(run, real, at, spot), spot)
        return _with_null(run, merged, null, out), None
    return write_alternatives(run, v, real, null, spot, union=union)


def _one(run: Rewriter, around: Fragments, branches: list[Fragments], at: str, spot: Spot) -> Written:
    """The first of some alternatives that accepts more than null, in a dialect that has none.

    If none does, what stands around them, or a text.
    """
    place, out, level, _ = spot
    first = next((sub for sub in branches if run.normaliser.glance(sub).kinds not in ([], ["null"])), None)
    for sub in branches:
        if sub is not first:
            run.note("TB303", sub[0].place, out)
    if first is not None:
        return run.sub((around[0], *first), out, level + 1)
    if "type" in around[-1].value.values:
        run.note("TB201", at, out)
    else:
        run.note("TB202", at, out)
        v: View = around[0].value
        v.values["type"], v.at["type"] = "string", at
    return run.node(around, Spot(place, out, level))


def _not_null(run: Rewriter, branches: list[Fragments], out: str) -> list[Fragments]:
    """The alternatives that accept more than null, if any does; the others are noted."""
    real: list[Fragments] = []
    null: list[Fragments] = []
    for sub in branches:
        (null if run.normaliser.glance(sub).kinds == ["null"] else real).append(sub)
    for sub in null if real else ():
        run.note("TB303", sub[0].place, out)
    return real or null


def _merge(run: Rewriter, real: list[Fragments], at: str, spot: Spot) -> dict[str, Any]:
    """One schema that accepts what any of these alternatives, which stand at `at`, does if it is of its type.

    It has no descriptions.
    """
    out, level = spot.out, spot.level
    parts: list[_Part] = []
    definitions: dict[str, list[str]] = {}
    for sub in real:
        place = sub[0].place
        kinds = run.normaliser.glance(sub).kinds if parts else None
        if kinds and not any(are_of_one_type(parts[0][0], {"type": kind}) for kind in kinds):
            run.note("TB303", place, out)  # without writing it, which takes long if it leads to many others
            run.lost_alternatives.setdefault(place, ("TB303", out, []))
            continue
        schema, _ = run.sub(sub, out, level + 1, union=True)
        view = run.normaliser.view(sub)
        places = {} if view is None else view.at
        if "description" in schema:
            run.note("TB103", places.get("description", place), out)
            schema = {key: value for key, value in schema.items() if key != "description"}
        # What a reference leads to may be used for this alternative only; what stands beside all of them is not.
        owners = dict.fromkeys(at.rpartition("/")[0] for at in places.values())
        definitions[place] = [owner for owner in owners if not is_within(owner, place) and not is_within(place, owner)]
        if parts and not are_of_one_type(parts[0][0], schema):
            run.note("TB303", place, out)
            run.lost_alternatives.setdefault(place, ("TB303", out, definitions[place]))
        else:
            parts.append((schema, [place]))
    lost: dict[str, str] = {}
    schema = dict(_merge_parts(run, parts, at, out, lost)[0])  # it may be an alternative as it was given
    for place, code in lost.items():
        run.lost_alternatives.setdefault(place, (code, out, definitions[place]))
    return schema


_Part: TypeAlias = tuple[dict[str, Any], list[str]]
"""A schema that is written for some alternatives of one type, and the places of those without which it were another."""


def _merge_parts(run: Rewriter, parts: list[_Part], at: str, out: str, lost: dict[str, str]) -> _Part:
    """Several as one; by halves, so that many alternatives do not take quadratic time.

    `lost` gets the places of alternatives of which not all is written, with the code of that loss.
    """
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    one, places = _merge_parts(run, parts[:half], at, out, lost)
    other, others = _merge_parts(run, parts[half:], at, out, lost)
    schema, exact, narrowed = widest(one, other)
    if not narrowed and schema in (one, other):
        kept, needless = ((one, places), others) if schema == one else ((other, others), places)
        for place in needless:
            run.note("TB103", place, out)
            lost.setdefault(place, "TB103")
        return kept
    merged = [*places, *others]
    if not exact and schema not in (one, other):
        run.note("TB203", at, out)
    if narrowed:
        run.note("TB303", at, out)
    if narrowed or not exact:
        lost |= dict.fromkeys(merged, "TB303" if narrowed else "TB203")
    return schema, merged


def write_alternatives(
    run: Rewriter, v: View, real: list[Fragments], null: str | None, spot: Spot, *, union: bool = False
) -> Written:
    """These alternatives with the other keywords of the view; `null` is the place of the alternative null."""
    d = run.dialect
    out, level = spot.out, spot.level
    if not _describable(d) and all(_is_reference(branch) for branch in real):
        words = View()  # no other alternative can have them, so the first one is written out with them
        for key in ("description", "title", "examples"):
            if v.has(key):
                take(words, v, key)
                v.drop(key)
        if words.at:
            real = [(*real[0], Fragment(words, spot.place, real[0][0].opened)), *real[1:]]
    mark = run.mark()
    written = _branches(run, real, out, level + 1) if len(real) > 1 else []
    if len(written) < 2:
        return _alone(run, v, real, spot, null=null, mark=mark, union=union)
    has_maps = any(it.argument_map is not None for it in written)
    bare = d.any_of_siblings is not None and "description" not in d.any_of_siblings
    flat: list[dict[str, Any]] = []
    for schema, *_ in written:  # an alternative that is nothing but alternatives
        flat += schema["anyOf"] if schema.keys() == {"anyOf"} and (bare or not has_maps) else [schema]
    run.renumbers = run.renumbers or not len(flat) == len(written) == len(real)
    if null is not None:
        nullable = [_or_null(schema) for schema in flat]
        if nullable == flat:
            run.note("TB103", null, out)
        flat = nullable
    argument_map: ArgumentMapData | None = None
    if has_maps:
        options = [_option(run, it) for it in written]
        run.unions.append((options, written))
        argument_map = {"any": options}
    if bare:
        return {"anyOf": describe(run, v, flat, out)}, argument_map
    return _beside(run, v, {"anyOf": flat}, spot, argument_map), argument_map


def _alone(
    run: Rewriter,
    v: View,
    real: list[Fragments],
    spot: Spot,
    *,
    null: str | None,
    mark: tuple[int, int, int],
    union: bool,
) -> Written:
    """The first of some alternatives, where they are all written alike, with what is lost of any of them.

    `null` is the place of null besides, `mark` the state before the alternatives.
    """
    place, out, level, _ = spot
    start = mark[0]
    before = run.notes[start:]
    run.take_back(mark)
    for sub in real[1:]:
        run.note("TB103", sub[0].place, out)
    schema, argument_map = run.sub((Fragment(v, place), *real[0]), out, level + 1, union=union)
    noted = {(note.code, note.source) for note in run.notes[start:]}
    run.notes += [
        Note(note.code, note.source, out)
        for note in before
        if note.code[:3] in ("TB2", "TB3") and (note.code, note.source) not in noted
    ]
    return _with_null(run, schema, null, out), argument_map


def _with_null(run: Rewriter, schema: dict[str, Any], null: str | None, out: str) -> dict[str, Any]:
    """A schema that accepts null as well, if there is an alternative null, at `null`."""
    if null is None:
        return schema
    nullable = _or_null(schema)
    if nullable == schema:
        run.note("TB103", null, out)
    return nullable


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that accepts null as well, where that is a keyword, which may not stand beside `anyOf`."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [_or_null(inner) for inner in schema["anyOf"]]}
    return {**schema, "nullable": True}


def _real(run: Rewriter, branches: list[Fragments]) -> tuple[list[Fragments], str | None]:
    """The alternatives that are written as such, and the place of null if a keyword stands for it."""
    real: list[Fragments] = []
    null: str | None = None
    listed = False
    for sub in branches:
        kinds = run.normaliser.glance(sub).kinds
        if kinds == []:
            run.note_loss("TB103", sub[0].place)
        elif kinds != ["null"] or not _is_plain(sub):
            real.append(sub)
            listed = listed or kinds == ["null"]
        elif run.dialect.null_form == "keyword":
            if null is not None:
                run.note_loss("TB103", null)
            _note_comments(run, sub)
            null = sub[0].place
        elif listed:
            run.note_loss("TB103", sub[0].place)
        else:
            real.append(sub)
            listed = True
    return real, null


def _note_comments(run: Rewriter, sub: Fragments) -> None:
    """Note all keywords of a null subschema but the one that makes it null, where `nullable` stands for it."""
    for value, place, _ in sub:
        if isinstance(value, View):
            at = value.at
        else:
            at = {key: f"{place}/{escape(key)}" for key in value} if is_object(value) else {}
        if not at:
            run.note_loss("TB103", place)
        stated_by = next((key for key in ("type", "const", "enum") if key in at), None)
        for key, where in at.items():
            if key != stated_by:
                run.note_loss("TB103", where)


_PLAIN: Final = frozenset({"type", "const", "enum"})


def _is_plain(sub: Fragments) -> bool:
    """Whether a subschema says nothing but what value it accepts."""
    for value, _, _ in sub:
        if isinstance(value, (View, dict)):
            keys = value.keywords() if isinstance(value, View) else cast("JsonObject", value)
            if not all(key in _PLAIN or is_annotation(key) for key in keys):
                return False
    return True


class Branch(NamedTuple):
    """An alternative as it is written, its argument map, and where it stands in the source and in what is written."""

    schema: dict[str, Any]
    argument_map: ArgumentMapData | None
    place: str
    out: str


def _branches(run: Rewriter, real: list[Fragments], out: str, level: int) -> list[Branch]:
    """These alternatives as they are written, each once."""
    written: list[Branch] = []
    # Most alternatives differ outwardly. The others are compared as text, in which members are sorted: for nested ones
    # that would add up.
    firsts: dict[tuple[object, ...], Branch | None] = {}
    seen: dict[bytes | None, Branch] = {}
    for sub in real:
        there = f"{out}/anyOf/{len(written)}"
        schema, argument_map = run.sub(sub, there, level, union=True)
        branch = Branch(schema, argument_map, sub[0].place, there)
        outward = _outward(schema)
        if outward not in firsts:
            firsts[outward] = branch
        else:
            first, firsts[outward] = firsts[outward], None
            if first is not None:
                seen[text(first.schema, order="sorted")] = first
            data = text(schema, order="sorted")
            if data is not None and data in seen:
                # Two values that become one text: only the first can be sent.
                is_same = seen[data].argument_map == argument_map
                run.note("TB103" if is_same else "TB303", branch.place, f"{out}/anyOf")
                continue
            seen[data] = branch
        written.append(branch)
    return written


def _outward(schema: dict[str, Any], *, nested: bool = True) -> tuple[object, ...]:
    """What is soon seen of a schema: the same for equal ones."""
    names: dict[str, Any] = schema.get("properties", {})
    ends = (next(iter(names)), next(reversed(names))) if names else ()
    kind: Any = schema.get("type")
    kinds = kind if kind.__class__ is str else len(kind) if kind.__class__ is list else None
    options: list[dict[str, Any]] = schema.get("anyOf", []) if nested else []
    inside = [_outward(options[n], nested=False) for n in (0, -1)] if options else ()
    return len(schema), schema.get("$ref"), schema.get("description"), len(names), ends, kinds, len(options), *inside


def _beside(
    run: Rewriter, v: View, schema: dict[str, Any], spot: Spot, argument_map: ArgumentMapData | None = None
) -> dict[str, Any]:
    """What is written, with what else the view says of it."""
    writer = NodeWriter(v, spot)
    writer.schema = schema
    writer.argument_map = argument_map or {}
    beside = run.dialect.any_of_siblings
    for key in v.at:
        if beside is not None and v.has(key) and key not in beside:
            writer.drop(key)
        elif key in v.values and run.dialect.allows(key):
            write_keyword(run, writer, key)
        elif key in v.subs and run.is_open:
            write_containers(run, writer, key)
        elif v.has(key):
            writer.drop(key)
    return run.complete_node(writer)[0]


def describe(run: Rewriter, v: View, schemas: list[dict[str, Any]], out: str) -> list[dict[str, Any]]:
    """Alternatives with the comments of the node around them, where nothing may stand beside these.

    A description goes to each that has none, but for null, or before that of the first; the rest goes to the first
    one. Beside a reference may be nothing.
    """
    if not v.values and not v.subs:
        return schemas
    closed = not _describable(run.dialect)
    index = next((index for index, schema in enumerate(schemas) if not closed or "$ref" not in schema), None)
    if index is None:
        for key in v.at:
            if v.has(key):
                run.note("TB103" if is_annotation(key) else "TB201", v.at[key], out)
        return schemas
    first, others = schemas[index], [*schemas[:index], *schemas[index + 1 :]]
    writer = NodeWriter(v, Spot("", f"{out}/anyOf/{index}", 0))
    writer.schema = dict(first)
    for key in ("description", "title"):
        if key not in v.values or not run.dialect.allows(key):
            continue
        words = v.values[key]
        once = key == "description" or key not in first
        others = [
            schema
            if key in schema or (closed and "$ref" in schema) or (once and schema.get("type") == "null")
            else {**schema, key: words}
            for schema in others
        ]
        bare = key not in first or any(schema.get(key) is words for schema in others)
        if key not in first:
            writer.schema[key] = words
        elif not bare and key == "description":
            writer.schema[key] = f"{words}\n\n{first[key]}"
        elif not bare:
            run.note("TB103", v.at[key], out)
    writer.drop(*(key for key in v.at if v.has(key) and (key not in _WORDS or not run.dialect.allows(key))))
    return [*others[:index], run.complete_node(writer)[0], *others[index:]]


_WORDS: Final = frozenset({"description", "title"})


# what distinguishes alternatives

_MAX_PARTS: Final = 50_000
"""How many parts the outlines of all alternatives have together, each within those of the unions around it again."""

_OUTSIDE: Final = ("types", "enum", "known", "open", "required", "ref")
"""The parts of an outline that hold no others."""


def _option(run: Rewriter, it: Branch) -> ArgumentMapData:
    """An alternative of an argument map."""
    if run.reasons and run.dialect.fallback is not None:
        return {}  # not used, as the fallback is written
    outline = run.outlines.of_alternative(it.schema)
    return {"outline": outline} if it.argument_map is None else {"map": it.argument_map, "outline": outline}


def note_clashes(
    run: Rewriter, argument_maps: dict[str, ArgumentMapData], outlines: dict[str, ArgumentMapData]
) -> None:
    """Note the alternatives of which some values cannot be distinguished from those of an earlier one, which changes
    them otherwise. The argument maps and the outlines are those of definitions.
    """
    clashes = Clashes(outlines, argument_maps)
    for options, branches in run.unions:
        alternatives = [*map(clashes.alternative, options)]
        for n, (later, branch) in enumerate(zip(alternatives, branches, strict=True)):
            if clashes.is_spent:
                return
            if any(clashes.between(earlier, later) for earlier in alternatives[:n]):
                run.note("TB303", branch.place, branch.out)


_OUTLINED: Final = frozenset({
    *("$ref", "additionalProperties", "anyOf", "const", "enum", "items", "nullable", "properties")
})
"""The keywords besides the type of which outlines tell."""


class OutlineWriter:
    """Writes the outlines of alternatives: what of their schemas a value can be compared with at little cost."""

    def __init__(self) -> None:
        self._written: dict[int, tuple[ArgumentMapData, int, dict[str, Any]]] = {}
        """Those of schemas that may stand at several places, how many parts they have, and these schemas, by ids."""
        self._scalars: dict[str, ArgumentMapData] = {}
        """Those of schemas that say no more than their type, by that."""
        self._parts = 0
        self._definitions: dict[str, ArgumentMapData] = {}

    def finish(self, whole: dict[str, Any]) -> dict[str, ArgumentMapData]:
        """The outlines of the definitions of a schema to which others refer, by name."""
        names = [*self._definitions]
        for name in names:
            self._definitions[name], _ = self._of(whole.get("$defs", {}).get(name) if name else whole)
            names += [*self._definitions][len(names) :]
        return self._definitions

    def of_alternative(self, schema: Any) -> ArgumentMapData:
        """The outline of an alternative; after too many parts only its outside."""
        outline, parts = self._of(schema)
        self._parts += parts
        return outline if self._parts <= _MAX_PARTS else {key: outline[key] for key in _OUTSIDE if key in outline}

    def _of(self, schema: Any) -> tuple[ArgumentMapData, int]:
        """The outline of a schema, and how many parts it has."""
        if schema.__class__ is not dict:
            return {}, 0
        kind: Any = schema.get("type")
        if kind.__class__ is str and _OUTLINED.isdisjoint(schema):
            scalar = self._scalars.get(kind)
            if scalar is None:
                scalar = self._scalars[kind] = {"types": [kind.lower()]}
            return scalar, 1
        known = self._written.get(id(schema))
        if known is not None:
            return known[0], known[1]
        if "$ref" in schema:
            outline = reference_map(schema["$ref"])
            self._definitions.setdefault(outline["ref"], {})
            return outline, 1
        outline, parts = self._write(schema)
        self._written[id(schema)] = outline, parts, schema
        return outline, parts

    def _write(self, schema: dict[str, Any]) -> tuple[ArgumentMapData, int]:
        if "anyOf" in schema:
            inside = [self._of(inner) for inner in schema["anyOf"]]
            return {"any": [outline for outline, _ in inside]}, 1 + sum(parts for _, parts in inside)
        parts = 1
        outline: ArgumentMapData = {}
        kind = schema.get("type")
        if kind is not None:
            kinds = [each.lower() for each in types_of(kind)]
            outline["types"] = [*kinds, "null"] if schema.get("nullable") is True else kinds
        enum = [schema["const"]] if "const" in schema else schema.get("enum")
        if enum:
            # Null is a value, too, where OpenAPI says that beside the enumeration.
            outline["enum"] = [*enum, None] if schema.get("nullable") is True and None not in enum else enum
            parts += len(outline["enum"])
        named, more = schema.get("properties"), schema.get("additionalProperties")
        if named is not None or more is False:
            outline["known"] = [*named] if named else []
            parts += len(outline["known"])
            if more is not False:
                outline["open"] = True
        if named:
            if required := [name for name in schema.get("required", ()) if name in named]:
                outline["required"] = required
            outlines: ArgumentMapData = {}
            for name, inner in named.items():
                outlines[name], more_parts = self._of(inner)
                parts += more_parts
            if outlines := {name: inner for name, inner in outlines.items() if inner}:
                outline["properties"] = outlines
        for key, name in (("additionalProperties", "rest"), ("items", "items")):
            inner, more_parts = self._of(schema.get(key))
            if inner:
                outline[name] = inner
                parts += more_parts
        return outline, parts
