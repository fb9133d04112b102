"""Objects and arrays in a dialect: properties, what is required, what else may be there; items and tuples."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Final, cast

from ...data.equality import same
from ...data.names import Numbering, keys
from ...data.pointer import escape, is_within
from ...losses.note import Note
from ..arguments import ArgumentMapData
from ..dialect import TYPES, Dialect
from ..mistakes import types_of
from ..vocabulary import IN_PLACE, is_annotation
from . import plain_containers
from .normalise import either
from .plain_keywords import amend, odd_in
from .state import LONG_PLACE
from .values import named
from .views import Fragment, Fragments, View, both, is_false, is_free, required_at

if TYPE_CHECKING:
    from .rewriter import Rewriter
    from .state import NodeWriter


_MAX_NAMES: Final = 30
"""How many names an object may enumerate that are listed as properties: each is a subschema."""

_MAX_LIST_SEARCH: Final = 8
"""How many names are looked for one by one."""

_BY_NAME: Final = (
    *("patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "unevaluatedProperties"),
    *("if", "then", "else", "not", "anyOf", "oneOf", "allOf"),
)
"""Keywords that speak of properties by their names."""


_EVERY_NAME: Final = frozenset({"", "^", ".*", "^.*", "^.*$", "(.*)", "^(.*)$"})
"""Patterns that are meant to match every name, though `.` matches no line break.

TypeBox writes `^(.*)$` for a record with any names (@sinclair/typebox, PatternStringExact), Effect an empty pattern
(packages/effect/src/JSONSchema.ts at 71174d0; checked 2026-11-30).
"""

_NOTHING: Final[tuple[dict[str, Any], ...]] = ({"not": {}}, {"not": True})
"""What stands for `false` in draft 4, and in the schemas of Zod and TypeBox."""


def renamed(run: Rewriter, writer: NodeWriter) -> dict[str, str]:
    """The new names of the properties whose names the dialect does not take; what goes by the names goes with them."""
    d, v, spot = run.dialect, writer.view, writer.spot
    properties = v.subs.get("properties")
    if not properties or d.names_properties(properties, root=spot.root):
        return {}
    # Names that are already taken by others must not be given away, nor those that only `required` knows.
    known = [*properties, *v.values.get("required", ())]
    names = {} if d.property_names is None or not spot.root else keys(known, d.property_names)
    numbering = Numbering((*known, *names.values()))
    names |= {name: numbering.unique(f"{name}_") for name in properties if name in d.reserved_properties}
    names = {name: new for name, new in names.items() if name in properties}
    at = v.at["properties"]
    for name, new in names.items():
        run.note("TB501", f"{at}/{escape(name)}" if name in v.raw.get("properties", {}) else at,
                 f"{spot.out}/properties/{escape(new)}")  # fmt: skip
    gone = [key for key in _BY_NAME if v.has(key) and key not in writer.dropped]
    if "patternProperties" in gone and v.has("additionalProperties"):
        gone.append("additionalProperties")  # it would refuse what the patterns accepted
    for key in gone:
        run.note("TB201", v.at[key], None)
        v.drop(key)
    if "required" in v.values:
        v.values["required"] = [names.get(name, name) for name in v.values["required"]]
    return names


def _list_names(run: Rewriter, v: View) -> None:
    """Let an object whose names are enumerated list them as properties, and accept no others, which says the same."""
    if v.subs.get("patternProperties") or v.has("unevaluatedProperties"):
        return
    names = run.normaliser.enumerated(v.subs["propertyNames"], _MAX_NAMES)
    if names is None:
        return
    at = v.at["propertyNames"]
    more: Fragments = v.subs.get("additionalProperties", (Fragment(True, at),))
    stated: dict[str, Fragments] = v.subs.get("properties", {})
    nothing = is_false(more) or (len(more) == 1 and more[0].value in _NOTHING)
    listed = {name: tuple(Fragment(False, it.place) for it in sub) for name, sub in stated.items() if name not in names}
    listed |= {name: stated.get(name, more) for name in names if name in stated or not nothing}
    if v.subs.get("properties") == {} and listed:
        run.note("TB103", v.at.pop("properties"), None)
    for name in names if is_free(more) else ():
        if name in stated and is_free(stated[name]):
            run.note("TB103", stated[name][0].place, None)
    v.subs["properties"] = listed
    v.at.setdefault("properties", at)
    v.drop("propertyNames")
    if nothing:
        run.note("TB103", at, None)
        return
    if "additionalProperties" in v.subs and (is_free(more) or stated.keys() >= {*names}):
        run.note("TB103", v.at["additionalProperties"], None)
    v.subs["additionalProperties"] = (Fragment(False, at),)
    v.at["additionalProperties"] = at
    v.raw["additionalProperties"] = False


def _match_every_name(run: Rewriter, v: View) -> None:
    """Let a pattern that matches every name be what an object says of all properties that it does not list."""
    patterns: dict[str, Fragments] = v.subs["patternProperties"]
    if not patterns or not _EVERY_NAME.issuperset(patterns) or v.has("unevaluatedProperties"):
        return
    sub = tuple(it for each in patterns.values() for it in each)
    at = v.at["patternProperties"]
    if "additionalProperties" in v.subs:
        run.note("TB103", v.at["additionalProperties"], None)  # there are no others
    if "properties" in v.subs:
        v.subs["properties"] = {name: (*stated, *sub) for name, stated in v.subs["properties"].items()}
        v.raw.pop("properties", None)
    v.drop("patternProperties")
    v.subs["additionalProperties"], v.at["additionalProperties"] = sub, at
    v.raw.pop("additionalProperties", None)


def write_objects(run: Rewriter, writer: NodeWriter) -> None:
    """What a node says of objects."""
    d, v, spot, argument_map = run.dialect, writer.view, writer.spot, writer.argument_map
    if "propertyNames" in v.subs:
        _list_names(run, v)
    if "patternProperties" in v.subs and not d.allows("patternProperties") and d.allows("additionalProperties"):
        _match_every_name(run, v)
    names = renamed(run, writer) if spot.root or d.reserved_properties else {}
    properties: dict[str, Fragments] = v.subs.get("properties", {})
    demanded = frozenset(v.values.get("required", ()))
    closed = is_false(v.subs.get("additionalProperties")) and not v.subs.get("patternProperties")
    at = spot.out, spot.level
    written, leads = write_properties(run, properties, at, None, required=demanded, names=names, closed=closed)
    argument_map |= leads
    if names:
        argument_map["rename"] = {new: name for name, new in names.items()}
    objects = "object" in types_of(v.values.get("type")) or spot.root or bool(properties)
    none = "properties" in v.subs and lists_none(d, spot.root or closed)
    if written or none or (d.closed_objects and objects) or (spot.root and d.root_required):
        writer.schema["properties"] = written
        if "properties" not in v.at and spot.root:
            run.note("TB401", "", "/properties")
    elif "properties" in v.subs:
        run.note("TB103", v.at["properties"], None)
    v.drop("properties")
    require(run, writer, written, objects=objects)
    if d.additional_properties == "never" and objects and (written or spot.root):
        _end_properties(run, writer)
    elif not d.closed_objects:
        _write_rest(run, writer)
        _state_rest(run, writer, objects=objects or "properties" in writer.schema)
    elif objects:
        _close(run, writer, has_properties=bool(written))


def write_properties(  # noqa: C901, PLR0912, PLR0915 - a call for each property would cost
    run: Rewriter,
    properties: dict[str, Any],
    spot: tuple[str, int],
    part: Fragment | None,
    *,
    required: Collection[str] = (),
    names: dict[str, str] | None = None,
    closed: bool = False,
) -> tuple[dict[str, Any], ArgumentMapData]:
    """The written properties, the same object where nothing has to change, and the argument map of the object.

    They are Fragments, or stand as they are in the node `part`. `spot` is where the object is written, and its level;
    `required` and `names` are as the target writes them; `closed`: the source accepts no other properties.
    """
    d, scalars, is_open, complete = run.dialect, run.plain_kinds.scalars, run.is_open, run.dialect.all_required
    out, level = spot
    if len(required) > _MAX_LIST_SEARCH:
        required = frozenset(required)
    most = run.most - len(properties)
    # Beyond the bounds each is a subschema like any other; so is what is noted within a definition, as that is once.
    small = run.writes_plain and run.nodes <= most and len(out) < LONG_PLACE
    if small and properties:
        # The target may have a short name for a long one.
        small = len(part.place if part is not None else next(iter(properties.values()))[0].place) < LONG_PLACE
    small = small and (level < run.deepest or run.reaches(level + 1))
    changed_keywords = run.changed_keywords
    written: dict[str, Any] = {}
    argument_map: ArgumentMapData = {}
    omit: list[str] = []
    changed = False
    count = 0
    for name, held in properties.items():
        new = names[name] if names and name in names else name
        null = complete and new not in required
        if part is not None:
            around, inner = part, held
        else:
            around: Fragment = held[0]
            inner: Any = around[0] if len(held) == 1 else None
        schema: Any = None
        if small and inner.__class__ is dict and changed_keywords.isdisjoint(inner):
            if is_open:
                if plain_containers(inner, d) == ():
                    schema = inner
            else:
                named: Any = inner.get("type")
                kind = scalars.get(named) if named.__class__ is str else None
                odd = None if kind is None else odd_in(inner, kind)
                if kind is not None and odd is not None and not (odd and (around[2] or len(name) >= LONG_PLACE)):
                    schema = inner
                    if null or odd or kind.word != named:
                        schema = inner.copy()
                        schema["type"] = kind.word
                    if odd:
                        place = around[1] if part is None else f"{around[1]}/properties/{escape(name)}"
                        amend(run, Fragment(inner, place), schema, odd, f"{out}/properties/{escape(new)}")
                    if null:
                        schema["type"] = [kind.word, "null"]
                        if "enum" in schema:
                            schema["enum"] = [*schema["enum"], None]
                        elif "const" in schema:
                            schema["enum"] = [schema.pop("const"), None]
        if schema is not None:
            count += 1
        else:
            sub: Fragments = held
            if part is not None:
                sub = (Fragment(inner, f"{around.place}/properties/{escape(name)}", around.opened),)
            if not is_open and new not in required and (is_false(sub) or inner in _NOTHING):
                code = "TB103" if d.closed_objects or (closed and _closes(d)) else "TB201"
                run.notes += [Note(code, it.place) for it in sub]
                changed = True
                continue
            run.nodes += count
            count = 0
            there = f"{out}/properties/{escape(new)}"
            schema, below = run.sub(sub, there, level + 1)
            small = small and run.nodes <= most
            if null:
                schema, null = optional(run, sub, schema, there)
            if below is not None:
                argument_map.setdefault("properties", {})[new] = below
        if null:
            omit.append(new)
        changed = changed or schema is not inner
        written[new] = schema
    run.nodes += count
    if omit:
        argument_map["omit"] = omit
    return written if changed or part is None else properties, argument_map


def _closes(d: Dialect) -> bool:
    """Whether any object that accepts no other properties says so."""
    key = "additionalProperties"
    return d.allows(key) and d.allows_at_root(key) and key not in d.root_only_keywords


def require(run: Rewriter, writer: NodeWriter, written: dict[str, Any], *, objects: bool) -> None:
    """What of `required` names a property that is written; `objects`: the node is one of objects."""
    d, v, schema = run.dialect, writer.view, writer.schema
    required: list[str] = v.values.pop("required", [])
    if required and run.sites is not None:
        run.sites[writer.spot.out] = v.at["required"], required if "required" in v.raw else None
    known: dict[str, None] = {}
    for index, name in enumerate(required):
        if name in known:
            run.note("TB103", required_at(v, index), None)
        elif name in written or not d.required_are_listed:
            known[name] = None
        else:
            run.note("TB201", required_at(v, index), writer.spot.out)
    if not required and v.raw.get("required") == []:
        if d.allows("required") and not d.nonempty_properties and not (d.all_required and (written or not objects)):
            schema["required"] = []
        else:
            run.note("TB103", v.at["required"], None)
    if d.all_required and objects:
        schema["required"] = [*written]
    elif known:
        schema["required"] = [*known]


def _close(run: Rewriter, writer: NodeWriter, *, has_properties: bool) -> None:
    """Let an object accept no other properties. One that lists none is a map, which the dialect cannot express."""
    v, spot = writer.view, writer.spot
    more: Fragments | None = v.subs.get("additionalProperties")
    if v.subs.get("patternProperties"):
        run.add_reason(v.at["patternProperties"])
    elif more is not None:
        if not is_false(more):
            run.add_reason(v.at["additionalProperties"])
    elif is_false(v.subs.get("unevaluatedProperties")):
        beside = [key for key in v.at if key in IN_PLACE and v.has(key)]
        if beside:  # they list properties as well, which would be refused
            run.add_reason(v.at[beside[0]])
        v.drop("unevaluatedProperties")
    elif has_properties or spot.root:
        run.note("TB302", spot.place, f"{spot.out}/additionalProperties")
    else:
        run.add_reason(spot.place)
    writer.schema["additionalProperties"] = False
    v.drop("additionalProperties")


def _end_properties(run: Rewriter, writer: NodeWriter) -> None:
    """Let an object that lists properties accept no others, and note where it would have."""
    v, spot = writer.view, writer.spot
    more: Fragments | None = v.subs.get("additionalProperties")
    if not is_false(more) or v.subs.get("patternProperties"):
        is_stated = more is not None and is_free(more)
        place = v.at["additionalProperties"] if is_stated else spot.place
        if is_false(more):  # only the patterns accept other properties
            place = v.at["patternProperties"]
        run.note("TB302", place, f"{spot.out}/additionalProperties")
        if more is not None and not is_stated and not is_false(more):
            writer.drop("additionalProperties")  # what it says of the others
    writer.schema["additionalProperties"] = False
    v.drop("additionalProperties")


def lists_none(dialect: Dialect, closed: bool) -> bool:
    """Whether an object without properties may have an empty `properties`."""
    return not dialect.nonempty_properties or (closed and dialect.additional_properties == "never")


def accepts_others(run: Rewriter, has_properties: bool, place: str, out: str) -> bool:
    """Whether an object that does not state it accepts other properties, where the dialect would close it.

    One that lists properties is closed, which is noted; one that lists none is a map.
    """
    if has_properties:
        run.note("TB302", place, f"{out}/additionalProperties")
    return not has_properties


def _state_rest(run: Rewriter, writer: NodeWriter, *, objects: bool) -> None:
    """State whether an object accepts other properties, where it does not."""
    v, spot, schema = writer.view, writer.spot, writer.schema
    d = run.dialect
    if d.additional_properties != "any" and objects and "additionalProperties" not in schema:
        if "additionalProperties" in d.root_only_keywords:
            return
        has_properties = (bool(schema.get("properties")) or spot.root) and not v.has("patternProperties")
        schema["additionalProperties"] = accepts_others(run, has_properties, spot.place, spot.out)


def _write_rest(run: Rewriter, writer: NodeWriter) -> None:
    """What else an object may have."""
    d, v, spot, schema = run.dialect, writer.view, writer.spot, writer.schema
    more: Fragments | None = v.subs.get("additionalProperties")
    if more is None or not d.allows("additionalProperties"):
        return
    if d.additional_properties == "never" and not is_false(more):
        writer.drop("additionalProperties")
        v.drop("additionalProperties")
        return
    if patterns := v.subs.get("patternProperties"):
        # The patterns are lost, but each property is as one of them says, or as the others are.
        subs = [sub for sub in (*patterns.values(), more) if not is_false(sub)] or [more]
        if any(map(is_free, subs)):
            writer.drop("additionalProperties")
            return
        more = either(subs)
    if is_false(more):
        schema["additionalProperties"] = False
    elif is_free(more):
        schema["additionalProperties"] = True
    else:
        schema["additionalProperties"], inner = run.sub(more, f"{spot.out}/additionalProperties", spot.level + 1)
        if inner is not None:
            writer.argument_map["rest"] = inner
    v.drop("additionalProperties")


def optional(run: Rewriter, sub: Fragments, schema: dict[str, Any], there: str) -> tuple[dict[str, Any], bool]:
    """A property that may be omitted, where all are required, and whether null stands for that.

    Null does not stand for it if the property accepts null as a value (TB301), unless null is the default.
    """
    if _accepts_null(schema) or (_refers(schema) and run.normaliser.lists_null(sub)):
        value = sub[0].value
        if isinstance(value, dict) and cast("dict[str, Any]", value).get("default", ...) is None:
            return schema, True
        run.note("TB301", sub[0].place, there)
        return schema, False
    return or_null(schema), True


def _refers(schema: dict[str, Any]) -> bool:
    return "$ref" in schema or any("$ref" in inner for inner in schema.get("anyOf", ()))


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that does not accept null, and null."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    if "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    new: dict[str, Any] = {**schema, "type": [kind for kind in types_of(schema["type"]) if kind != "null"]}
    new["type"].append("null")
    if "const" in schema:
        new["enum"] = [new.pop("const"), None]
    elif "enum" in schema:
        new["enum"] = [*schema["enum"], None]
    return new


def _accepts_null(schema: dict[str, Any]) -> bool:
    if "anyOf" in schema:
        for inner in schema["anyOf"]:  # noqa: SIM110 - any() costs more than what it asks
            if _accepts_null(inner):
                return True
        return False
    if "enum" in schema:
        return None in schema["enum"]
    kind: Any = schema.get("type")
    return kind == "null" or (kind.__class__ is list and "null" in kind)


def write_arrays(run: Rewriter, writer: NodeWriter) -> None:
    """What a node says of arrays."""
    d, v, schema = run.dialect, writer.view, writer.schema
    if not d.allows("items"):
        return
    place, out, level, _ = writer.spot
    first: list[Fragments] | None = v.subs.get("prefixItems")
    rest: Fragments | None = v.subs.get("items")
    if first and d.allows("prefixItems"):
        schema["prefixItems"] = [run.sub(sub, f"{out}/prefixItems/{n}", level + 1)[0] for n, sub in enumerate(first)]
        v.drop("prefixItems")
    elif first:
        rest = _flat(run, writer, first, rest)
        if is_false(rest):
            run.note("TB201", v.at["prefixItems"], out)
            rest = (Fragment(True, place),)
    if is_false(rest):
        if not d.allows("maxItems"):
            writer.drop("items")
        else:
            _end(run, v, len(first or ()))
        rest = None if not d.requires_items else (Fragment(True, place),)
    v.drop("items")
    if d.item_types is not None:
        rest = _items(run, rest, d.item_types, out)
    kinds = types_of(v.values.get("type"))
    if rest is None and not (d.requires_items and "array" in kinds):
        return
    if rest is None or is_free(rest):
        rest = (Fragment(True, rest[0].place if rest else place),)
    described = None if d.item_types is None else _place_of_description(run, rest) or rest[0].place
    items, inner = run.sub(rest, f"{out}/items", level + 1)
    if described is not None and "description" in items:
        run.note("TB103", described, out)
        items = {key: value for key, value in items.items() if key != "description"}
    schema["items"] = items
    if inner is not None:
        writer.argument_map["items"] = inner


def _items(run: Rewriter, rest: Fragments | None, allowed: frozenset[str], out: str) -> Fragments | None:
    """The items of an array; None where they are not of one of these types, and so of any."""
    if rest is None:
        return None
    place = rest[0].place
    it = run.normaliser.view(rest)
    if it is None:
        run.note("TB201", place, out)
        return None
    kinds = _kinds(run, it)
    if kinds is None or len(kinds) != 1 or kinds[0] not in allowed:
        run.note("TB103" if all(map(is_annotation, it.keywords())) else "TB202", place, out)
        for key, at in it.at.items():
            if not at.startswith(f"{place}/"):  # a definition that nothing else may lead to
                run.note("TB103" if is_annotation(key) else "TB201", at, out)
        for branch in it.subs.get("anyOf", ()):
            if not is_within(branch[0].place, it.at["anyOf"]):  # what comes from a tuple has places of its own
                run.note("TB201", branch[0].place, out)
        return None
    return (Fragment(it, place),)


def _place_of_description(run: Rewriter, sub: Fragments) -> str | None:
    """The place of the description of a subschema, or else of the first one of its alternatives that has one."""
    it = run.normaliser.view(sub)
    if it is None or it.has("description"):
        return None if it is None else it.at["description"]
    branches = [branch for key in ("anyOf", "oneOf") for branch in it.subs.get(key, ())]
    return next((place for branch in branches if (place := _place_of_description(run, branch)) is not None), None)


def _kinds(run: Rewriter, v: View) -> list[str] | None:
    """The types that a node accepts by what it and its alternatives name (None: any)."""
    named(run, v)
    kinds = run.normaliser.glance((Fragment(v, ""),)).kinds
    for key in ("anyOf", "oneOf"):
        found: dict[str, None] = {}
        for branch in v.subs.get(key, ()):
            of = run.normaliser.glance(branch).kinds
            found |= dict.fromkeys(TYPES if of is None else of)
        if found:
            kinds = both(kinds or [*TYPES], [*found])
    return None if kinds is None else [it for it in kinds if it != "integer" or "number" not in kinds]


def _end(run: Rewriter, v: View, length: int) -> None:
    """Let an array end with its tuple, which `items: false` says, by `maxItems`."""
    most = v.values.get("maxItems")
    if most is not None:
        run.note("TB103", v.at["items" if most <= length else "maxItems"], None)
    if most is None or most > length:
        v.values["maxItems"], v.at["maxItems"] = length, v.at["items"]


def _flat(run: Rewriter, writer: NodeWriter, first: list[Fragments], rest: Fragments | None) -> Fragments:
    """What holds for every item of a tuple."""
    v = writer.view
    most = v.values.get("maxItems")
    at = v.at["prefixItems"]
    v.drop("prefixItems")
    subs = first
    if is_false(rest) or (most is not None and most <= len(first)):
        if most is not None and most < len(first):
            subs = first[: int(most)]
            for sub in first[len(subs) :]:
                run.note("TB103", sub[0].place, None)
        if is_false(rest):
            if not run.dialect.allows("maxItems"):
                run.note("TB201", v.at["items"], writer.spot.out)
                run.note("TB201", at, writer.spot.out)  # how many there may be
            else:
                _end(run, v, len(first))
        elif rest is not None:
            run.note("TB103", v.at["items"], None)
        v.drop("items")
    else:
        subs = [*first, rest if rest is not None else (Fragment(True, at),)]
    if not subs:
        return (Fragment(True, at),)
    if all(len(sub) == 1 and same(sub[0].value, subs[0][0].value) for sub in subs):
        if len(subs) > len(first):
            run.note("TB103", at, None)  # the other items are no different
        return subs[0]
    run.note("TB202", at, f"{writer.spot.out}/items")
    if "prefixItems" in v.raw:
        writer.dropped["prefixItems"] = True
    if any(is_free(sub) for sub in subs):
        if rest is not None:
            run.note("TB103", rest[0].place, None)
        return (Fragment(True, at),)
    return either([sub for sub in subs if not is_false(sub)] or subs[:1])
