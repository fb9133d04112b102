"""One node of a schema, for dialects that take any keyword and for those that list what they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..vocabulary import APPLICATORS, LISTING_ELSEWHERE, broken_rule
from .containers import write_containers
from .objects import renamed, require, write_arrays, write_objects, write_properties
from .state import NodeWriter, Written, write_keyword
from .unions import any_of, by_type, describe, one_of
from .values import RELEVANT, enumerate_as, enumerate_blank_apart, implied, include_bounds, named, spell

if TYPE_CHECKING:
    from .rewriter import Rewriter
    from .state import Spot
    from .views import View


def write_listed(run: Rewriter, v: View, spot: Spot, *, union: bool) -> Written:
    """A node of any type; `union` is whether it is an alternative.

    Enumerated values of other types are written as strings only where the argument map turns them back into values: not
    in alternatives, as it may be unknown which one was meant, and not in results, which have no argument map.
    """
    d = run.dialect
    kinds = named(run, v)
    if "oneOf" in v.subs:
        one_of(run, v, spot.out)
    if "enum" in v.values:
        enumerate_blank_apart(run, v)
    if "anyOf" in v.subs:
        return any_of(run, v, kinds, spot, union=union)
    writer = NodeWriter(v, spot)
    if "enum" in v.values or "const" in v.values:
        kinds, text = enumerate_as(run, writer, kinds, union=union or not run.arguments)
        if kinds is not None:
            v.values["type"] = kinds[0] if len(kinds) == 1 else kinds
            v.at.setdefault("type", v.at.get("enum", spot.place))
        if text:  # keywords about the values do not hold for the text
            writer.drop(*(key for key in v.at if v.has(key) and key in RELEVANT))
            writer.argument_map["text"] = text
    if kinds is None and d.requires_type:
        kinds = implied(run, v, spot)
    if kinds is None and d.requires_type and ("enum" not in v.values or "enum" in writer.dropped):
        return write_any(run, writer)
    if kinds is not None and d.type_unions in ("none", "merge"):
        kinds = _only(run, v, kinds, spot)
    elif kinds is not None and _is_several(run, writer, kinds):
        return by_type(run, v, kinds, spot, union=union)
    return write_typed(run, writer, kinds)


def _is_several(run: Rewriter, writer: NodeWriter, kinds: list[str]) -> bool:
    """Whether these types cannot stand in one node."""
    d = run.dialect
    if d.type_unions == "anyOf":
        return len(kinds) - ("null" in kinds and d.null_form == "keyword") > 1
    return (
        d.enum_values == "scalars" and "enum" in writer.view.values and len(kinds) > 1 and "enum" not in writer.dropped
    )


def _only(run: Rewriter, v: View, kinds: list[str], spot: Spot) -> list[str]:
    """The first of these types that is not null; string if there is no such type."""
    d = run.dialect
    first = next((kind for kind in kinds if kind != "null"), None)
    null = ["null"] if d.type_unions == "merge" and d.null_form == "keyword" and "null" in kinds else []
    if d.type_unions == "merge" and first == "integer" and "number" in kinds:
        run.note("TB103", v.at["type"], spot.out)
        kinds = [kind for kind in kinds if kind != first]
        first = "number"
    if not {*kinds} <= {first, *null}:
        run.note("TB303", v.at["type"], spot.out)
    if first is None:
        run.note("TB202", v.at["type"], spot.out)
    return [first or "string", *null]


def write_typed(run: Rewriter, writer: NodeWriter, kinds: list[str] | None) -> Written:
    """A node of these types (None: any), which can stand in one node."""
    d, v, schema, lost = run.dialect, writer.view, writer.schema, writer.dropped
    spell(schema, kinds, d)
    if d.root_only_keywords and not writer.spot.root:
        for key in [key for key in v.at if key in d.root_only_keywords and v.has(key)]:
            if kinds is None or not set(RELEVANT.get(key, kinds)).isdisjoint(kinds):
                writer.drop(key)
                v.drop(key)
    if kinds is None or "object" in kinds:
        write_objects(run, writer)
    if kinds is None or "array" in kinds:
        write_arrays(run, writer)
    if kinds is None or "integer" in kinds or "number" in kinds:
        include_bounds(run, v, kinds)
    without = frozenset[str]()
    if d.excluded_siblings and kinds is not None:
        without = without.union(*(d.excluded_siblings[kind] for kind in kinds if kind in d.excluded_siblings))
    for key in v.at:
        if key in schema or key in lost or key == "type" or not v.has(key):
            continue
        relevant = RELEVANT.get(key)
        if relevant is not None and kinds is not None and not any(kind in kinds for kind in relevant):
            run.note("TB103", v.at[key], None)
        elif key in v.values and d.allows(key) and key not in without:
            write_keyword(run, writer, key, kinds)
        else:
            writer.drop(key)
    for word, keys in d.excluded_siblings.items():
        if word in schema:
            for key in sorted(keys & schema.keys()):
                del schema[key]
                writer.drop(key)
    return run.complete_node(writer)


def write_any(run: Rewriter, writer: NodeWriter) -> Written:
    """A node that accepts any type, where the dialect wants one to be named (`Dialect.requires_type`).

    All types are written, but of arrays only those of scalars and objects without null, which is less (TB304). Where
    there are no alternatives, the type is string; where they are merged, the type that the first keyword is about, or
    object. Where all objects have to be closed, the tool is not written in this dialect (`Rewriter.add_reason`).
    """
    v, spot = writer.view, writer.spot
    if run.dialect.closed_objects:
        run.add_reason(spot.place)
        return {}, None
    if run.dialect.type_unions in ("none", "merge"):
        run.note("TB304", spot.place, spot.out)
        kind = "string"
        if run.dialect.type_unions == "merge" and "format" not in v.values:
            kind = next((RELEVANT[key][-1] for key in v.at if key in RELEVANT and v.has(key)), "object")
        v.values["type"] = kind
        v.at.setdefault("type", spot.place)
        return write_typed(run, writer, [kind])
    words = run.dialect.types
    inner: list[dict[str, Any]] = [{"type": words[kind]} for kind in ("string", "number", "boolean", "object")]
    if run.dialect.additional_properties == "none":
        inner[-1]["additionalProperties"] = True
    branches: list[dict[str, Any]] = [*inner, {"type": words["array"], "items": {"anyOf": [dict(it) for it in inner]}}]
    if run.dialect.null_form == "keyword":
        branches[0]["nullable"] = True
    else:
        branches.append({"type": words["null"]})
    run.note("TB304", spot.place, spot.out)
    return {"anyOf": describe(run, v, branches[:1], spot.out) + branches[1:]}, None


_EVALUATING: Final = APPLICATORS - {"not"}
"""Keywords without which more would be left for `unevaluated...`."""


def write_open(run: Rewriter, writer: NodeWriter) -> Written:
    """A node as it stands, but for what no schema should say and what this dialect wants of its form."""
    d, v, spot, schema = run.dialect, writer.view, writer.spot, writer.schema
    kinds = named(run, v) or []
    if d.type_unions != "list" and len(kinds) > 1 and not spot.root:
        return any_of(run, v, kinds, spot) if "anyOf" in v.subs else by_type(run, v, kinds, spot)
    names = renamed(run, writer) if spot.root else {}
    start = len(run.notes)
    for key in v.at:
        if key in writer.dropped:
            continue
        if key in v.values:
            _say_open(run, writer, key)
        elif key == "properties" and key in v.subs:
            schema[key], leads = write_properties(run, v.subs[key], (spot.out, spot.level), None, names=names)
            writer.argument_map |= leads
            if names:
                writer.argument_map["rename"] = {new: name for name, new in names.items()}
        elif key in v.subs:
            write_containers(run, writer, key)
    _invent(run, writer, kinds)
    changed = run.changed(start) or not _EVALUATING.isdisjoint(writer.dropped)
    evaluated = changed or any(note.code == "TB401" for note in run.notes[start:])  # `items` that was added
    for key, gone in (("unevaluatedProperties", changed), ("unevaluatedItems", evaluated)):
        if gone and key in schema:
            writer.drop(key)
            del schema[key]
    return run.complete_node(writer)


def _say_open(run: Rewriter, writer: NodeWriter, key: str) -> None:
    """A keyword that holds no subschemas, if the dialect takes its value."""
    d, v, spot = run.dialect, writer.view, writer.spot
    value = v.values[key]
    if broken_rule(d, key, value, run.options.limits.pattern) is not None:
        writer.drop(key)
    elif (
        key == "required"
        and d.required_are_listed
        and spot.root
        and LISTING_ELSEWHERE.isdisjoint(v.keywords() - writer.dropped.keys())
    ):
        require(run, writer, v.subs.get("properties", {}), objects=False)
    elif key == "required" and len(names := [*dict.fromkeys(value)]) < len(value):
        writer.schema[key] = names
        run.note("TB103", v.at[key], f"{spot.out}/required")
    else:
        writer.schema[key] = value


def _invent(run: Rewriter, writer: NodeWriter, kinds: list[str]) -> None:
    """What the dialect demands of a node and the schema does not say."""
    d, spot, schema = run.dialect, writer.spot, writer.schema
    if d.requires_items and "array" in kinds and "items" not in schema and "prefixItems" not in schema:
        schema["items"] = {}
        run.note("TB401", spot.place, f"{spot.out}/items")
    if spot.root:
        for key in sorted(d.root_required - schema.keys()):
            schema[key] = {}
            run.note("TB401", "", f"/{key}")
