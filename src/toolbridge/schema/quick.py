"""What most schemas are made of, scalars, lists, objects that list their properties: written without being taken apart.

Nothing is decided here: each function gives the same as the long way round, or None where it would have to decide.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Final

from ..pointer import escape
from .objects import optional
from .plain import KEYWORDS, odd_in
from .prose import TOLD
from .sheet import Written
from .view import Part, says_nothing
from .walk import is_annotation, stated_draft
from .way import Way

if TYPE_CHECKING:
    from .rewrite import Rewriting

_ALIKE: Final = frozenset({"draft7", "2019-09", "2020-12", None})
"""Drafts in which plain nodes mean the same (None: it is not known which one is meant)."""

_NULL: Final = {"type": "null"}

_LONG: Final = 1_000
"""How many characters a place has that is so long that those of all others are counted."""

_FEW: Final = 8
"""How many names are looked for one by one."""


def node(run: Rewriting, part: Part, out: str, level: int) -> Written | None:
    """A plain node of any kind."""
    value = part[0]
    named: Any = value.get("type")
    if named.__class__ is not str:
        return nullable(run, part, out, level) if named is None and "anyOf" in value else None
    if named == "object":
        return objects(run, part, out, level)
    if named == "array":
        return lists(run, part, out, level)
    kind = run.words.scalars.get(named)
    odd = None if kind is None else odd_in(value, kind)
    if kind is None or odd is None:
        return (value, None) if value == _NULL and run.dialect.null == "type" else None
    return _spelled(run, part, kind.word, odd, out), None


def _spelled(run: Rewriting, part: Part, word: str, odd: tuple[str, ...], out: str) -> dict[str, Any]:
    """A node with this word for its type, and without what is odd."""
    value = part[0]
    if not odd and word == value["type"]:
        return value
    schema = {**value, "type": word}
    if odd:
        _amend(run, part, schema, odd, out)
    return schema


def lists(run: Rewriting, part: Part, out: str, level: int) -> Written | None:
    """An array of one kind of items."""
    value, place, opened = part
    kind = run.words.array
    items: Any = value.get("items")
    odd = odd_in(value, kind) if items else None
    if odd is None:
        return None
    inner, way = run.sub(((items, f"{place}/items", opened),), f"{out}/items", level + 1)
    if not odd and inner is items and kind.word == "array":
        return value, None
    schema = {**value, "type": kind.word, "items": inner}
    if odd:
        _amend(run, part, schema, odd, out)
    return schema, None if way is None else {"items": way}


def nullable(run: Rewriting, part: Part, out: str, level: int) -> Written | None:
    """A scalar, or a list of scalars, or null."""
    d = run.dialect
    value, place, opened = part
    branches: Any = value["anyOf"]
    odd = odd_in(value, run.words.union)
    if odd is None or branches.__class__ is not list or len(branches) != 2 or branches[1] != _NULL:
        return None
    real = branches[0]
    lost = _odd_in_values(run, real)
    if lost is None:
        return None
    first = (real, f"{place}/anyOf/0", opened)
    if d.null == "keyword":
        if lost or odd or not real.keys().isdisjoint(value):
            return None
        if run.nodes >= run.options.limits.nodes or not run.reaches(level + 1):
            return None
        run.nodes += 1
        written = node(run, first, out, level + 1)
        if written is None:
            return None
        schema = {**value, **written[0], "nullable": True}
        del schema["anyOf"]
        return schema, None
    if d.beside_any_of is not None and "description" not in d.beside_any_of:
        return None
    inner, _ = run.sub((first,), f"{out}/anyOf/0", level + 1, union=True)
    null, _ = run.sub(((branches[1], f"{place}/anyOf/1", opened),), f"{out}/anyOf/1", level + 1, union=True)
    if not odd and inner is real:
        return value, None
    schema = {**value, "anyOf": [inner, null]}
    if odd:
        _amend(run, part, schema, odd, out)
    return schema, None


def _odd_in_values(run: Rewriting, value: Any) -> tuple[str, ...] | None:
    """As `odd_in`, of a scalar or a list of scalars."""
    words = run.words
    try:
        if value["type"] != "array":
            return odd_in(value, words.scalars[value["type"]])
        items = value["items"]
        return None if odd_in(items, words.scalars[items["type"]]) is None else odd_in(value, words.array)
    except (KeyError, TypeError):
        return None


def objects(run: Rewriting, part: Part, out: str, level: int) -> Written | None:
    """An object that lists its properties, and of others says at most that there are none, or any."""
    d = run.dialect
    value, place, opened = part
    properties: Any = value.get("properties")
    if properties.__class__ is not dict:
        return _anyhow(run, part, out) if level and "properties" not in value else None
    kind = run.words.object
    odd = odd_in(value, kind)
    if odd is None or ("$schema" in odd and (level or opened or stated_draft(value) not in _ALIKE)):
        return None
    required: Any = value.get("required", ())
    if required and not _is_listed(required, properties):
        return None
    written, way = _properties(run, part, required, out, level)
    if run.stands is not None:
        run.stands[out] = f"{place}/required", required
    bare = d.filled and not written
    idle = required == [] and (d.filled or d.complete)
    closes = d.closed and "additionalProperties" not in value
    if (
        not (odd or bare or idle or closes)
        and written is properties
        and kind.word == "object"
        and (not d.complete or required == [*written])
    ):
        return value, way
    said = {**value, "type": kind.word, "properties": written}
    if bare:
        del said["properties"]
        run.note("TB103", f"{place}/properties", None)
    if idle:
        del said["required"]
        run.note("TB103", f"{place}/required", None)
    if d.complete:
        said["required"] = [*written]
    if closes:
        said["additionalProperties"] = False
        if written or (run.arguments and not level):
            run.note("TB302", place, f"{out}/additionalProperties")
        else:
            run.reasons += (place,)
    if odd:
        _amend(run, part, said, odd, out)
    return said, way


def _anyhow(run: Rewriting, part: Part, out: str) -> Written | None:
    """An object that says nothing of its properties."""
    value = part[0]
    kind = run.words.object
    odd = None if run.dialect.closed or "required" in value else odd_in(value, kind)
    return None if odd is None or "$schema" in odd else (_spelled(run, part, kind.word, odd, out), None)


def _is_listed(required: list[Any], properties: dict[str, Any]) -> bool:
    try:
        names = set(required)
    except TypeError:  # not only names
        return False
    return len(names) == len(required) and names <= properties.keys()


def _properties(
    run: Rewriting, part: Part, required: Collection[str], out: str, level: int
) -> tuple[dict[str, Any], Way | None]:
    """The properties as they are written, the same object where nothing has to change, and the way of the object."""
    d = run.dialect
    value, place, opened = part
    properties: dict[str, Any] = value["properties"]
    scalars, complete = run.words.scalars, d.complete
    if len(required) > _FEW:
        required = frozenset(required)
    most = run.options.limits.nodes - len(properties)
    # Beyond the bounds, and within a definition that is written out, each is a subschema like any other.
    small = run.nodes <= most and not opened and len(out) < _LONG and (level < run.deepest or run.reaches(level + 1))
    written: dict[str, Any] = {}
    way: Way = {}
    omit: list[str] = []
    changed = False
    count = 0
    named, kind = "object", run.words.object  # until a property names its own
    for name, inner in properties.items():
        null = complete and name not in required
        try:
            named = inner["type"]
            kind = scalars[named]
            odd = odd_in(inner, kind) if small else None
        except (KeyError, TypeError):
            odd = None
        if odd is None:
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
                way.setdefault("properties", {})[name] = below
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
        if null:
            omit.append(name)
        changed = changed or schema is not inner
        written[name] = schema
    run.nodes += count
    if omit:
        way["omit"] = omit
    return written if changed else properties, way or None


def _amend(run: Rewriting, part: Part, schema: dict[str, Any], odd: tuple[str, ...], out: str) -> None:
    """Let a copy of the node do without these keywords, which are noted and told, or spell them as the dialect does."""
    value, place, _ = part
    spelled, notes = run.dialect.spelled, run.notes
    at: dict[str, str] = {}
    told: list[tuple[str, Any]] = []
    for key in odd:
        said = value[key]
        if key in spelled and run.dialect.says(key):
            schema[key] = str(said)
            continue
        del schema[key]
        if key == "$schema":
            run.states = True
            continue
        code, tells = _fate(key, said) if key in _DEPENDING else _FATES[key]
        at[key] = where = f"{place}/{key}"
        notes.append((code, where, out))
        if tells:
            told.append((key, said))
    if told:
        if value.get("description") == "":
            at["description"] = f"{place}/description"
        run.tell(told, at, schema, out)


def _fate(key: str, value: Any = ...) -> tuple[str, bool]:
    """The code for a keyword that is lost, and whether it is told."""
    if is_annotation(key) or says_nothing(key, value):
        return "TB103", key in TOLD
    return "TB204" if key == "additionalProperties" else "TB201", True


_DEPENDING: Final = frozenset({"minLength", "minItems", "uniqueItems", "additionalProperties"})
"""Keywords that may say nothing with the value that they have."""

_FATES: Final = {key: _fate(key) for key in KEYWORDS}
