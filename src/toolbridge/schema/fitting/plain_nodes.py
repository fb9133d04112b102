"""Plain nodes, written without taking them apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from operator import is_
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from ...data.pointer import escape
from ...limits import LIMITS
from ..arguments import ArgumentMapData, exempt
from ..dialect import Dialect, compiles
from ..prose import NOTABLE
from ..vocabulary import BOUNDS, COUNTS, SUBSCHEMAS, is_annotation, is_beyond, is_number, is_sound, stated_draft
from . import plain_containers
from .nodes import write_any
from .normalise import disjoint, look
from .objects import optional, unstated_rest
from .state import Spot, Written, reference_map
from .unions import write_alternatives
from .values import RELEVANT
from .views import Fragment, Fragments, View, says_nothing

if TYPE_CHECKING:
    from .rewriter import Rewriter

_Types: TypeAlias = tuple[type, ...]

_Sorted: TypeAlias = Mapping[type, Collection[str]]

_JSON: Final[_Types] = (str, int, float, bool, type(None), list, dict)

# The keywords that are looked at here, and the Python types of their values.
_COMMENTS: Final[dict[str, _Types]] = {
    **dict.fromkeys(("type", "title", "description"), (str,)),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly"), (bool,)),
    "default": _JSON,
    "examples": (list,),
}

_NUMBER: Final[dict[str, _Types]] = {
    **_COMMENTS,
    **dict.fromkeys(("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"), (int, float)),
    "format": (str,),
    "const": (int, float),
}

_STRING: Final[dict[str, _Types]] = {
    **_COMMENTS,
    **dict.fromkeys(("minLength", "maxLength"), (int,)),
    **dict.fromkeys(("format", "pattern", "const"), (str,)),
    "enum": (list,),
}

_SCALARS: Final = {
    "string": _STRING,
    "integer": _NUMBER,
    "number": _NUMBER,
    "boolean": {**_COMMENTS, "format": (str,), "const": (bool,)},
}

_ARRAY: Final[dict[str, _Types]] = {
    **_COMMENTS,
    **dict.fromkeys(("minItems", "maxItems"), (int,)),
    "uniqueItems": (bool,),
    "items": (dict,),
}

_OBJECT: Final[dict[str, _Types]] = {
    **_COMMENTS,
    "properties": (dict,),
    "required": (list,),
    "additionalProperties": (bool, dict),
    "$schema": (str,),
}

_ONLY_COMMENTS: Final = {key: types for key, types in _COMMENTS.items() if key != "type"}

_PLAIN_TYPES: Final = frozenset({*_SCALARS, "object"})

_ALTERNATIVES: Final = ("anyOf", "oneOf")

_UNION: Final[dict[str, _Types]] = {**_ONLY_COMMENTS, **dict.fromkeys(_ALTERNATIVES, (list,))}

KEYWORDS: Final = frozenset({*_STRING, *_NUMBER, *_ARRAY, *_OBJECT, *_UNION})
"""All that plain nodes may say, besides comments that no draft knows."""

_OTHERS: Final = KEYWORDS | SUBSCHEMAS.keys() | RELEVANT.keys() | {"id"}
"""Keywords that are no such comments."""

_VALUED: Final = frozenset({"enum", "pattern", "format", "const"})

_COUNTED: Final = frozenset({*_STRING, *_NUMBER, *_ARRAY}) & (COUNTS | {"multipleOf"})


class Kind(Struct, frozen=True, eq=False):
    """A type in a dialect: its word, and the keywords beside it by the Python types of their values.

    Some are `kept` as they stand, of some the value decides (`valued`), and some are `odd`: lost, or spelled otherwise.
    """

    word: str
    kept: _Sorted
    valued: _Sorted
    odd: _Sorted
    dialect: Dialect


class Words(Struct, frozen=True, eq=False):
    """The types of a dialect, alternatives, and nodes that name no type."""

    scalars: Mapping[str, Kind]
    array: Kind
    object: Kind
    union: Kind
    comments: Kind


@lru_cache(maxsize=64)
def words(dialect: Dialect) -> Words:
    """What a dialect does with the keywords of plain nodes."""
    scalars = {name: _kind(keys, dialect, name) for name, keys in _SCALARS.items()}
    array, object_ = _kind(_ARRAY, dialect, "array"), _kind(_OBJECT, dialect, "object")
    return Words(scalars, array, object_, _kind(_UNION, dialect), _kind(_ONLY_COMMENTS, dialect))


def _kind(keys: Mapping[str, _Types], d: Dialect, name: str = "") -> Kind:
    kept: dict[type, set[str]] = {of: set() for of in _JSON}
    valued: dict[type, set[str]] = {of: set() for of in _JSON}
    odd: dict[type, set[str]] = {of: set() for of in _JSON}
    without = d.without.get(name, frozenset())
    for key, types in keys.items():
        if key in without:
            side = odd
        elif key == "const":
            side = valued
        elif key in d.most or key in _VALUED:
            side = valued if d.allows(key) else odd
        elif not d.allows(key) or key in d.spelled:
            side = odd
        else:
            side = valued if key in _COUNTED or (d.numbers is not None and key in BOUNDS) else kept
        for of in types:
            side[of].add(key)
    return Kind(d.types.get(name, ""), kept, valued, odd, d)


def odd_in(value: dict[str, Any], kind: Kind) -> tuple[str, ...] | None:
    """The keywords of a node that are lost, or spelled otherwise; None where it says more than plain nodes do."""
    kept = kind.kept
    found: list[str] = []
    try:
        for key, inner in value.items():
            if key not in kept[inner.__class__]:
                stays = _stays(key, inner, kind, value)
                if stays is None:
                    return None
                if not stays:
                    found.append(key)
    except KeyError:  # not a type of JSON
        return None
    return tuple(found)


def _stays(key: str, value: Any, kind: Kind, node: dict[str, Any]) -> bool | None:
    """Whether a keyword of a node is kept with this value; None where that is not plain."""
    of = value.__class__
    dialect = kind.dialect
    if key not in kind.valued[of]:
        if key in kind.odd[of]:
            return None if key in _COUNTED and not is_number(key, value) else False
        if key in _OTHERS or not is_annotation(key) or not is_sound(key, value):
            return None
        return dialect.allows(key)
    if key in dialect.without and not dialect.without[key].isdisjoint(node):
        return None
    if key == "enum":
        return True if _is_strings(value, dialect) else None
    if key == "format":
        return dialect.formats is None or value in dialect.formats
    if key == "pattern":
        return compiles(value, dialect.pattern) if len(value) <= LIMITS.pattern else None
    if key == "const":
        if "enum" in node:
            return None
        if dialect.allows("const"):
            return True
        return False if of is str and (value or dialect.empty) and dialect.allows("enum") else None
    if not is_number(key, value):
        return None
    if dialect.numbers is not None and is_beyond(value, dialect.numbers):
        return False
    return key not in dialect.most or bool(value <= dialect.most[key])


def _is_strings(enum: list[Any], dialect: Dialect) -> bool:
    for it in enum:
        if type(it) is not str or not (it or dialect.empty):
            return False
    return bool(enum) and len(set(enum)) == len(enum)


_ALIKE: Final = frozenset({"draft7", "2019-09", "2020-12", None})
"""Drafts in which plain nodes mean the same (None: it is not known which one is meant)."""

_NULL: Final = {"type": "null"}

_LONG: Final = 1_000
"""How many characters a place has that is so long that those of all others are counted."""

_FEW: Final = 8
"""How many names are looked for one by one."""


def node(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A plain node of any kind."""
    value: Any = part[0]
    if value is True:
        return comments(run, ({}, part[1], ()), out, level)
    named: Any = value.get("type")
    if named.__class__ is not str:
        if run.dialect.unions == "none":
            return None
        if named.__class__ is list:
            return scalar_or_null(run, part, out)
        if "anyOf" in value:
            if "oneOf" in value:
                return None
            return nullable(run, part, out, level) or alternatives(run, part, out, level, "anyOf")
        if "oneOf" in value:
            return alternatives(run, part, out, level, "oneOf")
        return comments(run, part, out, level)
    if named == "object":
        return objects(run, part, out, level)
    if named == "array":
        return lists(run, part, out, level)
    kind = run.words.scalars.get(named)
    odd = None if kind is None else odd_in(value, kind)
    if kind is None or odd is None:
        says_null = value == _NULL and run.dialect.null == "type" and run.dialect.unions != "none"
        return (value, None) if says_null else None
    return _spelled(run, part, kind.word, odd, out), None


def _definition(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A definition that is written out in place of a reference, if it is a plain node with a type."""
    held, place, opened = part
    name: Any = held.get("type")
    if name.__class__ is not str or (name not in _PLAIN_TYPES and (name != "array" or "items" not in held)):
        return None  # its own place may be noted, which is that of the reference
    if "additionalProperties" in held:  # is noted first, as `join` has it
        held = {"additionalProperties": held["additionalProperties"], **held}
    return node(run, (held, place, opened), out, level)


def nothing(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """No node is a plain one."""


def reference(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A reference with nothing beside it, which is kept or leads to a plain node with a type."""
    value, place, opened = part
    if len(value) > 1:
        return None
    kept = run.normaliser.kept_reference(place, opened)
    if kept is None:
        normaliser = run.normaliser
        before = normaliser.parts, normaliser.written
        target = None if run.is_open or run.dialect.closed else normaliser.definition(place, opened)
        written = None if target is None else _definition(run, target, out, level)
        if written is None:  # it is counted when it is taken apart
            normaliser.parts, normaliser.written = before
        return written
    if run.sites is not None:
        run.sites[out] = f"{place}/$ref", None
    return {"$ref": kept}, reference_map(kept)


def open_node(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A node that an open dialect takes as it stands, but for its subschemas."""
    value, place, opened = part
    held = plain_containers(value, run.dialect)
    if held is None:
        return reference(run, part, out, level) if "$ref" in value else None
    if "oneOf" in held:
        return None  # what becomes of it depends on what changes below
    schema = value
    argument_map: ArgumentMapData = {}
    level += 1
    for key in held:
        inner = value[key]
        below = f"{out}/{key}"
        if key == "properties":
            written: Any = {}
            for name, property_ in inner.items():
                token = escape(name)
                sub = ((property_, f"{place}/properties/{token}", opened),)
                written[name], leads = run.sub(sub, f"{below}/{token}", level)
                if leads is not None:
                    argument_map.setdefault("properties", {})[name] = leads
            same = all(map(is_, written.values(), inner.values()))
        elif inner.__class__ is list:
            written = [
                run.sub(((branch, f"{place}/{key}/{n}", opened),), f"{below}/{n}", level)[0]
                for n, branch in enumerate(inner)
            ]
            same = all(map(is_, written, inner))
        else:
            written, leads = run.sub(((inner, f"{place}/{key}", opened),), below, level)
            if leads is not None:
                argument_map["items" if key == "items" else "rest"] = leads
            same = written is inner
        if not same:
            if schema is value:
                schema = value.copy()
            schema[key] = written
    argument_map = exempt(argument_map, value.get("properties", ()))
    if argument_map and ("default" in value or "examples" in value):
        schema = value.copy() if schema is value else schema
        _adapt(run, part, schema, argument_map, out)
    return schema, argument_map or None


def comments(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A node that has comments only, or is a reference."""
    value, place, _ = part
    if "$ref" in value:
        return reference(run, part, out, level)
    odd = odd_in(value, run.words.comments)
    if odd is None:
        return None
    if run.dialect.typed:
        return write_any(run, _view(value, place), Spot(place, out, level))
    if odd:
        schema = value.copy()
        _amend(run, part, schema, odd, out)
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
    d, value = run.dialect, part[0]
    names = value["type"]
    if len(names) != 2 or "null" not in names or (d.unions == "anyOf" and d.null == "type"):
        return None
    name = names[0] if names[1] == "null" else names[1]
    kind = run.words.scalars.get(name) if name.__class__ is str else None
    odd = None if kind is None or "const" in value or "enum" in value else odd_in({**value, "type": name}, kind)
    if kind is None or odd is None:
        return None
    if d.null == "keyword":
        schema = {**value, "type": kind.word, "nullable": True}
    elif odd or d.types["null"] != "null" or kind.word != name:
        schema = {**value, "type": [d.types[it] for it in names]}
    else:
        return value, None
    if odd:
        _amend(run, part, schema, odd, out)
    return schema, None


def alternatives(run: Rewriter, part: Fragment, out: str, level: int, key: str) -> Written | None:
    """Several alternatives that name one type each, and perhaps null."""
    value, place, opened = part
    branches: Any = value[key]
    odd = odd_in(value, run.words.union)
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
            if key == "oneOf" or run.normaliser.glance(((branch, at, opened),)).kinds in ([], ["null"]):
                return None
        elif name == "null":
            if has_null or len(branch) > 1:
                return None
            has_null = True
            if run.dialect.null == "keyword":
                null = at
                continue
        elif name.__class__ is not str or name not in run.dialect.types:
            return None
        real.append(((branch, at, opened),))
    if len(real) < 2:
        return None
    if key == "oneOf" and not disjoint([look(branch, branch.get("properties")) for branch in branches]):
        run.note("TB203", f"{place}/oneOf", f"{out}/anyOf")
    return write_alternatives(run, _view(value, place), real, null, Spot(place, out, level))


def _spelled(run: Rewriter, part: Fragment, word: str, odd: tuple[str, ...], out: str) -> dict[str, Any]:
    """A node with this word for its type, and without what is odd."""
    value = part[0]
    if not odd and word == value["type"]:
        return value
    schema = {**value, "type": word}
    if odd:
        _amend(run, part, schema, odd, out)
    return schema


def lists(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """An array of one kind of items."""
    value, place, opened = part
    kind = run.words.array
    items: Any = value.get("items")
    odd = odd_in(value, kind)
    if odd is None or "items" in odd:  # what is not written is not looked into: nothing leads to its definitions
        return None
    if items is None and not run.dialect.arrays:
        return _spelled(run, part, kind.word, odd, out), None
    sub = ((items, f"{place}/items", opened),) if items else ((True, place if items is None else f"{place}/items", ()),)
    inner, argument_map = run.sub(sub, f"{out}/items", level + 1)
    if not odd and inner is items and kind.word == "array":
        return value, None
    schema = {**value, "type": kind.word, "items": inner}
    _adapt(run, part, schema, None if argument_map is None else {"items": argument_map}, out)
    if odd:
        _amend(run, part, schema, odd, out)
    return schema, None if argument_map is None else {"items": argument_map}


def nullable(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """A scalar, or a list of scalars, or null; any node of one type where null is a keyword."""
    d = run.dialect
    value, place, opened = part
    branches: Any = value["anyOf"]
    odd = odd_in(value, run.words.union)
    if odd is None or branches.__class__ is not list or len(branches) != 2 or branches[1] != _NULL:
        return None
    real = branches[0]
    lost = _odd_in_values(run, real, nested=d.null == "keyword")
    if lost is None:
        return None
    first = (real, f"{place}/anyOf/0", opened)
    if d.null == "keyword":
        if odd or not d.spelled.issuperset(lost) or not real.keys().isdisjoint(value):
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
    if d.beside_any_of is not None and not d.beside_any_of.issuperset(value.keys() - {"anyOf", *odd}):
        return None
    inner, _ = run.sub((first,), f"{out}/anyOf/0", level + 1, union=True)
    null, _ = run.sub(((branches[1], f"{place}/anyOf/1", opened),), f"{out}/anyOf/1", level + 1, union=True)
    if not odd and inner is real:
        return value, None
    schema = {**value, "anyOf": [inner, null]}
    if odd:
        _amend(run, part, schema, odd, out)
    return schema, None


def _odd_in_values(run: Rewriter, value: Any, *, nested: bool) -> tuple[str, ...] | None:
    """As `odd_in`, of a scalar or a list of scalars; `nested`: of a list of anything, or an object."""
    words = run.words
    try:
        name = value["type"]
        if nested and (name == "object" or (name == "array" and "items" in value)):
            return odd_in(value, words.array if name == "array" else words.object)
        if name != "array":
            return odd_in(value, words.scalars[name])
        items = value["items"]
        return None if odd_in(items, words.scalars[items["type"]]) is None else odd_in(value, words.array)
    except (KeyError, TypeError):
        return None


def objects(  # noqa: C901, PLR0912 - a call for each keyword would cost
    run: Rewriter, part: Fragment, out: str, level: int
) -> Written | None:
    """An object that lists its properties, and of others says at most that there are none, or any."""
    d = run.dialect
    value, place, opened = part
    properties: Any = value.get("properties")
    if properties.__class__ is not dict:
        return _anyhow(run, part, out, level) if level and "properties" not in value else None
    kind = run.words.object
    odd = odd_in(value, kind)
    more: Any = value.get("additionalProperties")
    if odd is None or (more and d.closed and d.fallback is None):
        return None
    if "$schema" in odd and (level or opened or stated_draft(value) not in _ALIKE):
        return None
    if properties.get("required").__class__ is list:  # perhaps that of the object
        return None
    required: Any = value.get("required", ())
    if required and not _is_listed(required, properties):
        return None
    written, argument_map = _properties(run, part, required, out, level)
    if run.sites is not None:
        run.sites[out] = f"{place}/required", required
    bare = d.filled and not written
    if bare:
        run.note("TB103", f"{place}/properties", None)
    idle = required == [] and (d.filled or d.complete)
    if idle:
        run.note("TB103", f"{place}/required", None)
    rest = more
    if d.closed:
        rest = False
        if more is None and (written or (run.arguments and not level)):
            run.note("TB302", place, f"{out}/additionalProperties")
        elif more is not False:
            run.reasons += (place if more is None else f"{place}/additionalProperties",)
    elif more.__class__ is dict and "additionalProperties" not in odd:
        rest, below = _rest(run, part, out, level)
        if below is not None:
            argument_map = exempt({**(argument_map or {}), "rest": below}, written)
    elif more is None and d.additional == "none":
        rest = unstated_rest(run, bool(written) or (run.arguments and not level), place, out)
    if (
        not (odd or bare or idle)
        and written is properties
        and rest is more
        and kind.word == "object"
        and (not d.complete or required == [*written])
    ):
        return value, argument_map
    said = {**value, "type": kind.word, "properties": written}
    if bare:
        del said["properties"]
    if idle:
        del said["required"]
    if d.complete:
        said["required"] = [*written]
    if rest is not more:
        said["additionalProperties"] = rest
    _adapt(run, part, said, argument_map, out)
    if odd:
        _amend(run, part, said, odd, out)
    return said, argument_map


def _adapt(
    run: Rewriter, part: Fragment, schema: dict[str, Any], argument_map: ArgumentMapData | None, out: str
) -> None:
    """Let default and examples of a copy of the node be values of it as it is written."""
    if argument_map is not None and ("default" in schema or "examples" in schema):
        run.adapt(schema, {key: f"{part[1]}/{key}" for key in ("default", "examples")}, argument_map, out)


def _anyhow(run: Rewriter, part: Fragment, out: str, level: int) -> Written | None:
    """An object that says nothing of its properties."""
    d = run.dialect
    value, place, _ = part
    kind = run.words.object
    odd = None if "required" in value else odd_in(value, kind)
    if odd is None or "$schema" in odd:
        return None
    rest: Any = value.get("additionalProperties")
    argument_map: ArgumentMapData | None = None
    schema: dict[str, Any] = {**value, "type": kind.word}
    if d.closed:
        if rest is False or d.fallback is None:
            return None
        run.reasons += (place if rest is None else f"{place}/additionalProperties",)
        schema |= {"properties": {}, "additionalProperties": False}
        if d.complete:
            schema["required"] = []
    elif rest is None and d.additional == "none":
        schema["additionalProperties"] = True
    elif rest.__class__ is dict and "additionalProperties" not in odd:
        schema["additionalProperties"], below = _rest(run, part, out, level)
        argument_map = None if below is None else {"rest": below}
        _adapt(run, part, schema, argument_map, out)
    if odd:
        _amend(run, part, schema, odd, out)
    return value if schema == value else schema, argument_map


def _rest(run: Rewriter, part: Fragment, out: str, level: int) -> tuple[Any, ArgumentMapData | None]:
    """The schema of the properties that an object does not list, as it is written."""
    value, place, opened = part
    more = value["additionalProperties"]
    if not more:
        return True, None
    return run.sub(((more, f"{place}/additionalProperties", opened),), f"{out}/additionalProperties", level + 1)


def _is_listed(required: list[Any], properties: dict[str, Any]) -> bool:
    try:
        names = set(required)
    except TypeError:  # not only names
        return False
    return len(names) == len(required) and names <= properties.keys()


def _properties(  # noqa: PLR0915 - a call for each property would cost
    run: Rewriter, part: Fragment, required: Collection[str], out: str, level: int
) -> tuple[dict[str, Any], ArgumentMapData | None]:
    """The properties as they are written, the same object where nothing has to change, and the way of the object."""
    d = run.dialect
    value, place, opened = part
    properties: dict[str, Any] = value["properties"]
    scalars, complete = run.words.scalars, d.complete
    if len(required) > _FEW:
        required = frozenset(required)
    most = run.most - len(properties)
    # Beyond the bounds each is a subschema like any other; so is what is noted within a definition, as that is once.
    small = run.nodes <= most and len(out) < _LONG and (level < run.deepest or run.reaches(level + 1))
    written: dict[str, Any] = {}
    argument_map: ArgumentMapData = {}
    omit: list[str] = []
    changed = False
    count = 0
    for name, inner in properties.items():
        null = complete and name not in required
        named: Any = inner.get("type") if small and inner.__class__ is dict else None
        kind = scalars.get(named) if named.__class__ is str else None
        odd = None if kind is None else odd_in(inner, kind)
        if kind is None or odd is None or (odd and opened):
            token = escape(name)
            sub = ((inner, f"{place}/properties/{token}", opened),)
            if inner is False and name not in required:
                run.note("TB103" if d.closed else "TB201", sub[0][1], None)
                changed = True
                continue
            run.nodes += count
            count = 0
            schema, below = run.sub(sub, f"{out}/properties/{token}", level + 1)
            small = small and run.nodes <= most
            if null:
                schema, null = optional(run, sub, schema, f"{out}/properties/{token}")
            if below is not None:
                argument_map.setdefault("properties", {})[name] = below
        else:
            count += 1
            schema = inner
            if null or odd or kind.word != named:
                schema = inner.copy()
                schema["type"] = kind.word
            if odd:
                token = escape(name)
                _amend(run, (inner, f"{place}/properties/{token}", ()), schema, odd, f"{out}/properties/{token}")
            if null:
                schema["type"] = [kind.word, "null"]
                if "enum" in schema:
                    schema["enum"] = [*schema["enum"], None]
                elif "const" in schema:
                    schema["enum"] = [schema.pop("const"), None]
        if null:
            omit.append(name)
        changed = changed or schema is not inner
        written[name] = schema
    run.nodes += count
    if omit:
        argument_map["omit"] = omit
    return written if changed else properties, argument_map or None


def _amend(run: Rewriter, part: Fragment, schema: dict[str, Any], odd: tuple[str, ...], out: str) -> None:
    """Let a copy of the node do without these keywords, which are noted, or spell them as the dialect does."""
    value, place, _ = part
    spelled, notes = run.dialect.spelled, run.notes
    at: dict[str, str] = {}
    constraints: list[tuple[str, Any]] = []
    for key in odd:
        said = value[key]
        if key in spelled and run.dialect.allows(key):
            schema[key] = str(said)
            continue
        del schema[key]
        if key == "$schema":
            run.states = True
            continue
        if key == "const":
            schema["enum"] = [said]
            continue
        code, is_described = _FATES[key] if key in _FATES else _fate(key, said)
        at[key] = where = f"{place}/{escape(key)}"
        notes.append((code, where, out))
        if is_described and said is not None:  # a description says nothing of null
            constraints.append((key, said))
    if constraints:
        if value.get("description") == "":
            at["description"] = f"{place}/description"
        run.describe_constraints(constraints, at, schema, out)


def _fate(key: str, value: Any = ...) -> tuple[str, bool]:
    """The code for a keyword that is lost, and whether the description says it."""
    if is_annotation(key) or says_nothing(key, value):
        return "TB103", key in NOTABLE
    return ("TB204", False) if value is False else ("TB201", True)  # no description says what nearly every schema does


_DEPENDING: Final = frozenset({"minLength", "minItems", "uniqueItems", "additionalProperties"})
"""Keywords that may say nothing with the value that they have."""

_FATES: Final = {key: _fate(key) for key in KEYWORDS - _DEPENDING}
