"""Plain nodes: the usual combinations of keywords, for which no view of the schema as a whole is needed.

They write what the general rules (nodes.py) write, in less time: of 709 tools of public servers, a conversion to OpenAI
strict took 75 µs instead of 175, to Gemini 55 instead of 104 (first pass, one machine, 2026-11-29). For a node that is
not plain, these functions return None, and the general rules apply; tests/schema/test_plain_nodes.py compares both.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any, Final

from ...data.pointer import escape
from ...losses.note import Note
from ..arguments import ArgumentMapData, exempt
from ..drafts import BESIDE_LONE_REF
from ..glance import disjoint, look
from ..mistakes import flagged_required
from . import plain_containers
from .nodes import write_any
from .objects import accepts_others, lists_none, write_properties
from .plain_keywords import SCALARS, amend, odd_in
from .state import ADAPTED, LONG_PLACE, NodeWriter, Spot, Written, reference_map
from .unions import write_alternatives
from .views import Fragment, Fragments, View

if TYPE_CHECKING:
    from .rewriter import Rewriter

_PLAIN_TYPES: Final = frozenset({*SCALARS, "object"})

_ALTERNATIVES: Final = ("anyOf", "oneOf")

_NULL: Final = {"type": "null"}

_NOT_OF_ITEMS: Final = frozenset({"description", "nullable"})
"""Keywords that items may not have where their types are limited."""


def node(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A plain node of any kind."""
    value: Any = part.value
    if value is True:
        return comments(run, Fragment({}, part.place), out, level)
    named: Any = value.get("type")
    if named.__class__ is not str:
        if "$ref" in value:
            return reference(run, part, out, level)
        unions = run.dialect.type_unions
        if unions == "none":
            return None
        if named.__class__ is list:
            return scalar_or_null(run, part, out)
        if "anyOf" in value:
            if "oneOf" in value:
                return None
            if unions == "merge":
                return nullable(run, part, out, level) if run.dialect.null_form == "keyword" else None
            return nullable(run, part, out, level) or alternatives(run, part, out, level, "anyOf")
        if "oneOf" in value:
            if unions == "merge":
                return None
            return alternatives(run, part, out, level, "oneOf")
        return comments(run, part, out, level)
    if named == "object":
        return None if run.dialect.root_only_keywords else objects(run, part, out, level, part.place)
    if named == "array":
        return lists(run, part, out, level)
    kind = run.plain_kinds.scalars.get(named)
    odd = None if kind is None else odd_in(value, kind)
    if kind is None or odd is None:
        says_null = (
            value == _NULL and run.dialect.null_form == "type" and run.dialect.type_unions not in ("none", "merge")
        )
        return (value, None) if says_null else None
    return _spelled(run, part, kind.word, odd, out), None


def _definition(run: Rewriter, part: Fragment, out: str, level: int, noted_place: str) -> Written | None:
    """A definition that is written out in place of a reference, which stands there, if it is a plain typed node."""
    held, place, opened = part
    if len(place) > LONG_PLACE:
        run.count_places((part,), out)
    name: Any = held.get("type")
    if name.__class__ is not str or (name not in _PLAIN_TYPES and (name != "array" or "items" not in held)):
        return None  # its own place may be noted, which is that of the reference
    if _is_changed(run, part):
        return None
    if "additionalProperties" in held:  # is noted first, as `join` has it
        held = {"additionalProperties": held["additionalProperties"], **held}
    if name == "object" and not run.dialect.root_only_keywords:
        return objects(run, Fragment(held, place, opened), out, level, noted_place)
    return node(run, Fragment(held, place, opened), out, level)


def node_of_draft(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A plain node of a schema that states an old draft, if it means the same in the newest one."""
    if _is_changed(run, part):
        return None
    return open_node(run, part, out, level) if run.is_open else node(run, part, out, level)


def _is_changed(run: Rewriter, part: Fragment) -> bool:
    value: Any = part.value
    return value is not True and not run.changed_keywords.isdisjoint(value)


def nothing(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """No node is a plain one."""


def reference(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A reference with nothing but comments beside it, which is kept or leads to a plain node with a type."""
    value, place, opened = part
    normaliser = run.normaliser
    lost = _lost_beside(run, value) if len(value) > 1 else ()
    if lost is None:
        return None
    mark = run.mark()
    run.notes += [Note("TB103", f"{place}/{escape(key)}", out) for key in lost]
    kept = normaliser.kept_reference(place, opened)
    if kept is None:
        before = normaliser.parts, normaliser.written, normaliser.cuts
        found = None if run.is_open else normaliser.definition(place, opened)
        written: Written | None = None
        if found is not None:
            target, cut = found
            if cut is not None:
                run.note("TB205", f"{cut}/$ref", out)
            if cut is not None and not target[0]:
                written = comments(run, Fragment({}, place), out, level)
            else:
                written = _definition(run, target, out, level, place)
        if written is None:  # it is counted and noted when it is taken apart
            normaliser.parts, normaliser.written, normaliser.cuts = before
            run.take_back(mark)
        return written
    if run.sites is not None:
        run.sites[out] = f"{place}/$ref", None
    schema = {"$ref": kept}
    if len(value) - len(lost) > 1:
        schema = {**value, **schema}
        for key in lost:
            del schema[key]
    return schema, reference_map(kept)


def _lost_beside(run: Rewriter, value: dict[str, Any]) -> tuple[str, ...] | None:
    """The keywords beside a reference that are lost; None where it could not be kept, or they are no comments."""
    beside = {key: inner for key, inner in value.items() if key != "$ref"}
    draft = run.normaliser.draft
    if draft is not None and draft.lone_ref:
        return tuple(beside) if BESIDE_LONE_REF.isdisjoint(beside) else None
    lost = odd_in(beside, run.plain_kinds.comments) if run.normaliser.keeps else None
    allowed = run.dialect.ref_siblings
    return lost if lost is None or allowed is None or allowed.issuperset(beside.keys() - {*lost}) else None


def open_node(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A node that an open dialect takes as it stands, but for its subschemas. None of these changes any arguments."""
    value, place, opened = part
    held = plain_containers(value, run.dialect)
    if held is None:
        return reference(run, part, out, level) if "$ref" in value else None
    if "oneOf" in held or ("properties" in held and _has_misplaced(value["properties"])):
        return None  # what becomes of it depends on what changes below, or stands there
    schema = value
    level += 1
    for key in held:
        inner = value[key]
        below = f"{out}/{key}"
        if key == "properties":
            written: Any
            written, _ = write_properties(run, inner, (out, level - 1), part)
            same = written is inner
        elif inner.__class__ is list:
            written = [
                run.sub((Fragment(branch, f"{place}/{key}/{n}", opened),), f"{below}/{n}", level)[0]
                for n, branch in enumerate(inner)
            ]
            same = all(map(is_, written, inner))
        else:
            written, _ = run.sub((Fragment(inner, f"{place}/{key}", opened),), below, level)
            same = written is inner
        if not same:
            if schema is value:
                schema = value.copy()
            schema[key] = written
    return schema, None


def comments(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A node that has comments only."""
    value, place, _ = part
    odd = odd_in(value, run.plain_kinds.comments)
    if odd is None:
        return None
    if run.dialect.requires_type:
        return write_any(run, NodeWriter(_view(value, place), Spot(place, out, level)))
    if odd:
        schema = value.copy()
        amend(run, part, schema, odd, out)
        return schema, None
    return value, None


def _view(value: dict[str, Any], place: str) -> View:
    """The view of a node with nothing but comments, and perhaps alternatives."""
    v = View()
    v.raw = value
    for key, inner in value.items():
        if key not in _ALTERNATIVES:
            v.values[key] = inner
            v.at[key] = f"{place}/{escape(key)}"
    return v


def scalar_or_null(run: Rewriter, part: Fragment, out: str) -> Written | None:
    """A scalar or null, by the names of two types."""
    d, value = run.dialect, part.value
    names = value["type"]
    if len(names) != 2 or "null" not in names or (d.type_unions != "list" and d.null_form == "type"):
        return None
    name = names[0] if names[1] == "null" else names[1]
    kind = run.plain_kinds.scalars.get(name) if name.__class__ is str else None
    odd = None if kind is None or "const" in value or "enum" in value else odd_in({**value, "type": name}, kind)
    if kind is None or odd is None:
        return None
    if d.null_form == "keyword":
        schema = {**value, "type": kind.word, "nullable": True}
    elif odd or d.types["null"] != "null" or kind.word != name:
        schema = {**value, "type": [d.types[it] for it in names]}
    else:
        return value, None
    if odd:
        amend(run, part, schema, odd, out)
    return schema, None


def alternatives(run: Rewriter, part: Fragment, out: str, level: int, key: str) -> Written | None:
    """Several alternatives that name one type each, and perhaps null."""
    value, place, opened = part
    branches: Any = value[key]
    odd = odd_in(value, run.plain_kinds.union)
    if odd is None or branches.__class__ is not list or (key == "oneOf" and "oneOf" not in odd):
        return None
    real: list[Fragments] = []
    null: str | None = None
    has_null = False
    for n, branch in enumerate(branches):
        if branch.__class__ is not dict or "allOf" in branch:
            return None
        at = f"{place}/{key}/{n}"
        name = branch.get("type")
        if "$ref" in branch:
            if key == "oneOf" or run.normaliser.glance((Fragment(branch, at, opened),)).kinds in ([], ["null"]):
                return None
        elif name == "null":
            if has_null or len(branch) > 1:
                return None
            has_null = True
            if run.dialect.null_form == "keyword":
                null = at
                continue
        elif name.__class__ is not str or name not in run.dialect.types:
            return None
        real.append((Fragment(branch, at, opened),))
    if len(real) < 2:
        return None
    if key == "oneOf" and not disjoint([look(branch, branch.get("properties")) for branch in branches]):
        run.note("TB203", f"{place}/oneOf", f"{out}/anyOf")
    return write_alternatives(run, _view(value, place), real, null, Spot(place, out, level))


def _spelled(run: Rewriter, part: Fragment, word: str, odd: tuple[str, ...], out: str) -> dict[str, Any]:
    """A node with this word for its type, and without what is odd."""
    value = part.value
    if not odd and word == value["type"]:
        return value
    schema = {**value, "type": word}
    if odd:
        amend(run, part, schema, odd, out)
    return schema


def lists(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """An array of one kind of items."""
    value, place, opened = part
    kind = run.plain_kinds.array
    items: Any = value.get("items")
    odd = odd_in(value, kind)
    if odd is None or "items" in odd:  # what is not written is not looked into: nothing leads to its definitions
        return None
    if run.dialect.item_types is not None and items is not None:
        name = items.get("type")
        if name.__class__ is not str or name not in run.dialect.item_types or not _NOT_OF_ITEMS.isdisjoint(items):
            return None
    if items is None and not run.dialect.requires_items:
        return _spelled(run, part, kind.word, odd, out), None
    missing = Fragment(True, place if items is None else f"{place}/items")
    sub = Fragment(items, f"{place}/items", opened) if items else missing
    inner, argument_map = run.sub((sub,), f"{out}/items", level + 1)
    if not odd and inner is items and kind.word == "array":
        return value, None
    schema = {**value, "type": kind.word, "items": inner}
    _adapt(run, part, schema, None if argument_map is None else {"items": argument_map}, out, odd=odd)
    if odd:
        amend(run, part, schema, odd, out)
    return schema, None if argument_map is None else {"items": argument_map}


def nullable(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A scalar, or a list of scalars, or null; any node of one type where null is a keyword."""
    d = run.dialect
    value, place, opened = part
    branches: Any = value["anyOf"]
    odd = odd_in(value, run.plain_kinds.union)
    if odd is None or branches.__class__ is not list or len(branches) != 2 or branches[1] != _NULL:
        return None
    real = branches[0]
    lost = _odd_in_values(run, real, nested=d.null_form == "keyword")
    if lost is None:
        return None
    first = Fragment(real, f"{place}/anyOf/0", opened)
    if d.null_form == "keyword":
        if odd or not d.numbers_as_text.issuperset(lost) or not real.keys().isdisjoint(value):
            return None
        if run.nodes >= run.most or not run.reaches(level + 1):
            return None
        run.nodes += 1
        written = node(run, first, out, level + 1)
        if written is None:
            return None
        schema = {**value, **written[0], "nullable": True}
        del schema["anyOf"]
        _adapt(run, part, schema, written[1], out)
        return schema, written[1]
    if d.any_of_siblings is not None and not d.any_of_siblings.issuperset(value.keys() - {"anyOf", *odd}):
        return None
    inner, _ = run.sub((first,), f"{out}/anyOf/0", level + 1, union=True)
    null, _ = run.sub((Fragment(branches[1], f"{place}/anyOf/1", opened),), f"{out}/anyOf/1", level + 1, union=True)
    if not odd and inner is real:
        return value, None
    schema = {**value, "anyOf": [inner, null]}
    if odd:
        amend(run, part, schema, odd, out)
    return schema, None


def _odd_in_values(run: Rewriter, value: Any, *, nested: bool) -> tuple[str, ...] | None:
    """As `odd_in`, of a scalar or a list of scalars; `nested`: of a list of anything, or an object."""
    kinds = run.plain_kinds
    try:
        name = value["type"]
        if nested and (name == "object" or (name == "array" and "items" in value)):
            return odd_in(value, kinds.array if name == "array" else kinds.object)
        if name != "array":
            return odd_in(value, kinds.scalars[name])
        items = value["items"]
        return None if odd_in(items, kinds.scalars[items["type"]]) is None else odd_in(value, kinds.array)
    except (KeyError, TypeError):
        return None


def objects(  # noqa: C901, PLR0912 - a call for each keyword would cost
    run: Rewriter, part: Fragment, out: str, level: int, noted_place: str
) -> Written | None:
    """An object that lists its properties, and allows no others, or any.

    `noted_place` is the place that is noted for keywords that it does not have: its own, or that of a reference to it.
    """
    d = run.dialect
    value, place, opened = part
    properties: Any = value.get("properties")
    if properties.__class__ is not dict:
        return _open_object(run, part, out, level, noted_place) if level and "properties" not in value else None
    kind = run.plain_kinds.object
    odd = odd_in(value, kind)
    more: Any = value.get("additionalProperties")
    if (
        odd is None
        or (more and d.closed_objects and d.fallback is None)
        or (d.additional_properties == "never" and _is_open(more))
    ):
        return None
    if "$schema" in odd and (level or opened):
        return None
    if (
        properties.get("required").__class__ is list
        or flagged_required(properties)  # perhaps that of the object
        or (d.reserved_properties and not d.reserved_properties.isdisjoint(properties))
    ):
        return None
    required: Any = value.get("required", ())
    if required and not _is_listed(required, properties):
        return None
    argument_map: ArgumentMapData | None
    written, argument_map = write_properties(
        run, properties, (out, level), part, required=required, closed=more is False
    )
    argument_map = argument_map or None
    if run.sites is not None:
        run.sites[out] = f"{place}/required", required
    bare = not written and not lists_none(d, more is False or (run.arguments and not level))
    if bare:
        run.note("TB103", f"{place}/properties", None)
    idle = required == [] and (d.nonempty_properties or (d.all_required and bool(written)))
    if idle:
        run.note("TB103", f"{place}/required", None)
    rest = more
    if d.closed_objects:
        rest = False
        if more is None and (written or (run.arguments and not level)):
            run.note("TB302", noted_place, f"{out}/additionalProperties")
        elif more is not False:
            run.add_reason(noted_place if more is None else f"{place}/additionalProperties")
    elif more.__class__ is dict and "additionalProperties" not in odd:
        rest, below = _rest(run, part, out, level)
        if below is not None:
            argument_map = exempt({**(argument_map or {}), "rest": below}, written)
    elif more is None and d.additional_properties != "any":
        rest = accepts_others(run, bool(written) or (run.arguments and not level), noted_place, out)
    if (
        not (odd or bare or idle)
        and written is properties
        and rest is more
        and kind.word == "object"
        and (not d.all_required or required == [*written])
    ):
        return value, argument_map
    written_node = {**value, "type": kind.word, "properties": written}
    if bare:
        del written_node["properties"]
    if idle:
        del written_node["required"]
    if d.all_required:
        written_node["required"] = [*written]
    if rest is not more:
        written_node["additionalProperties"] = rest
    _adapt(run, part, written_node, argument_map, out, odd=odd)
    if odd:
        amend(run, part, written_node, odd, out)
    return written_node, argument_map


def _adapt(
    run: Rewriter,
    part: Fragment,
    schema: dict[str, Any],
    argument_map: ArgumentMapData | None,
    out: str,
    *,
    odd: tuple[str, ...] = (),
) -> None:
    """Let the values in a copy of the node be values of it as it is written, but for those of odd keywords."""
    if argument_map is not None and any(key in schema for key in ADAPTED):
        run.adapt(schema, {key: f"{part.place}/{key}" for key in ADAPTED if key not in odd}, argument_map, out)


def _open_object(run: Rewriter, part: Fragment, out: str, level: int, noted_place: str) -> Written | None:
    """An object that says nothing of its properties; `noted_place` as in `objects`."""
    d = run.dialect
    value, place, _ = part
    kind = run.plain_kinds.object
    odd = None if "required" in value else odd_in(value, kind)
    if odd is None or "$schema" in odd:
        return None
    rest: Any = value.get("additionalProperties")
    argument_map: ArgumentMapData | None = None
    schema: dict[str, Any] = {**value, "type": kind.word}
    if d.closed_objects:
        if rest is False or d.fallback is None:
            return None
        run.add_reason(noted_place if rest is None else f"{place}/additionalProperties")
        schema |= {"properties": {}, "additionalProperties": False}
        if d.all_required:
            schema["required"] = []
    elif d.additional_properties == "never" and _is_open(rest):
        return None
    elif rest is None and d.additional_properties != "any":
        schema["additionalProperties"] = True
    elif rest.__class__ is dict and "additionalProperties" not in odd:
        schema["additionalProperties"], below = _rest(run, part, out, level)
        argument_map = None if below is None else {"rest": below}
        _adapt(run, part, schema, argument_map, out, odd=odd)
    if odd:
        amend(run, part, schema, odd, out)
    return value if schema == value else schema, argument_map


def _is_open(more: Any) -> bool:
    """Whether `additionalProperties` states that there may be others."""
    return more is not None and more is not False


def _rest(run: Rewriter, part: Fragment, out: str, level: int) -> tuple[Any, ArgumentMapData | None]:
    """The schema of the properties that an object does not list, as it is written."""
    value, place, opened = part
    more = value["additionalProperties"]
    if not more:
        return True, None
    return run.sub((Fragment(more, f"{place}/additionalProperties", opened),), f"{out}/additionalProperties", level + 1)


def _has_misplaced(properties: dict[str, Any]) -> bool:
    """Whether a keyword of an object may stand among its properties."""
    return properties.get("type").__class__ is str or bool(flagged_required(properties))


def _is_listed(required: list[Any], properties: dict[str, Any]) -> bool:
    try:
        names = set(required)
    except TypeError:  # not only names
        return False
    return len(names) == len(required) and names <= properties.keys()
