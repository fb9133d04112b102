"""A schema in the words of a dialect: what the dialect cannot express is widened, described in prose, and noted.

Nothing is narrowed unless that is noted, and a dialect that would have to refuse more values than the schema did is
replaced by its fallback.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ...data import pointer
from ...limits import LIMITS, Limits
from ...losses.note import Note
from ..dialect import TYPES, BudgetExceeded, Dialect, has_size_limits
from ..drafts import changed_keywords
from ..mistakes import place_in_original, with_properties
from ..references import has_references
from ..vocabulary import BOUNDS, CONSTRAINED, COUNTS, broken_rule, is_number, stated_draft

if TYPE_CHECKING:
    from .normalise import SourceSchema
    from .rewriter import Rewriter

NoteCallback: TypeAlias = Callable[[str, str, "str | None"], None]
"""Called with the code, source and target of a Note on a schema."""


class Options(Struct, frozen=True):
    """How a schema is written: `prose` puts into descriptions what a dialect cannot say, `unroll` is how often a
    definition is written out inside itself, `limits` are the bounds of that, `description` is how long descriptions may
    be where the dialect's own answer is not wanted (None: as long as they are), `strict` is whether a strict dialect
    is wanted rather than its fallback; `describe` are the parts of a tool that its description has where the target
    has no field for them.
    """

    prose: bool = True
    unroll: int = 1
    limits: Limits = LIMITS
    description: int | UnsetType | None = UNSET
    strict: bool = True
    describe: tuple[str, ...] = ()


OPTIONS: Final = Options()


class Fitted(Struct, frozen=True):
    """A schema in the words of a dialect.

    Attributes:
        schema: The written schema.
        argument_map: The map of its arguments to those of the given schema; None if they are the same.
        dialect: The dialect of the schema: the fallback if the one that was asked for would refuse more values.
        notes: The losses.
    """

    schema: dict[str, Any]
    argument_map: dict[str, Any] | None
    dialect: Dialect
    notes: Sequence[Note] = ()


def fit(schema: dict[str, Any], dialect: Dialect, options: Options = OPTIONS, *, arguments: bool = True) -> Fitted:
    """The schema in the words of the dialect; the very same object where nothing has to change.

    `arguments` is whether it is the schema of a tool's arguments, whose root is an object; the root of that of a result
    may be of any type. Raises BudgetExceeded past the limits.
    """
    whole = with_properties(schema)
    found = _fit(whole, dialect, options, arguments, None)
    if whole is schema:
        return found
    notes = (Note(note.code, place_in_original(schema, note.source), note.target) for note in found.notes)
    return replace(found, notes=[Note("TB001", "", "/properties" if whole["properties"] else ""), *notes])


def fit_output(
    schema: dict[str, Any], dialect: Dialect, note: NoteCallback, options: Options = OPTIONS
) -> dict[str, Any]:
    """The schema of a result in the words of the dialect; the losses are noted. Raises BudgetExceeded."""
    result = fit(schema, dialect, options, arguments=False)
    for each in result.notes:
        note(each.code, each.source, each.target)
    return result.schema


_INLINE: Final = Dialect(id="inline", title="JSON Schema 2020-12 without references", references="inline")


def inline(schema: dict[str, Any], note: NoteCallback, options: Options) -> dict[str, Any]:
    """A schema without references and definitions; the very same object if it has none.

    Raises BudgetExceeded past the limits.
    """
    return fit_output(schema, _INLINE, note, options) if has_references(schema) else schema


def _fit(
    schema: dict[str, Any], dialect: Dialect, options: Options, arguments: bool, source: SourceSchema | None
) -> Fitted:
    """`fit`; `source` is what is known of the schema already."""
    if dialect.keywords is None and options.limits.pattern >= LIMITS.pattern and not has_size_limits(dialect):
        if "$schema" not in schema:
            if fits(schema, dialect):
                return Fitted(schema, None, dialect)
        elif (found := _without_draft(schema, dialect)) is not None:
            return found
    rewriter = _rewriter()
    run = rewriter(schema, dialect, options, arguments, source)
    out: dict[str, Any] = {}
    try:
        written = run.write()
        if written is None:
            run = rewriter(schema, dialect, options, arguments, run.source, drops_guards=True)
            written = run.write()
        out = written or out
    except BudgetExceeded:
        if not run.reasons or dialect.fallback is None:
            raise  # else the fallback is written
    if run.reasons and dialect.fallback is not None:
        found = _fit(schema, dialect.fallback, options, arguments, run.source)
        return replace(found, notes=[*found.notes, *(Note("TB603", place, "") for place in dict.fromkeys(run.reasons))])
    notes = run.notes
    if not run.is_plain:
        found = run.all_notes()
        places = {target: target and _existing(out, target) for target in {note.target for note in found}}
        notes = [*dict.fromkeys(Note(note.code, note.source, places[note.target]) for note in found)]
    if not notes and out == schema:
        out = schema
    return Fitted(out, run.argument_map, dialect, notes)


def _without_draft(schema: dict[str, Any], dialect: Dialect) -> Fitted | None:
    """A schema that fits an open dialect, but perhaps for the draft that it states."""
    draft = stated_draft(schema)
    bare = {key: value for key, value in schema.items() if key != "$schema"}
    if not fits(bare, dialect, changed_keywords(draft)):
        return None
    stays = draft in _NEWEST and dialect.allows_at_root("$schema")
    return Fitted(schema, None, dialect) if stays else Fitted(bare, None, dialect, (_UNSTATED,))


_NEWEST: Final = frozenset({"2020-12", None})
_UNSTATED: Final = Note("TB103", "/$schema")


@lru_cache(maxsize=1)
def _rewriter() -> type[Rewriter]:
    from .rewriter import Rewriter  # most of this package, which many schemas never need

    return Rewriter


def _existing(schema: Any, place: str) -> str:
    """The place, or the nearest above it that the schema has; of a description, that of the node there."""
    near = pointer.existing(schema, place)
    if near != place and place.endswith("/description"):
        # An alternative that was nothing but alternatives stands with those around it.
        described = f"{near}/description"
        return described if pointer.get(schema, described) is not pointer.MISSING else near
    return near


_NUMBERS: Final = BOUNDS | COUNTS - {"minContains", "maxContains"}
_EASY_BOUNDS: Final = BOUNDS - {"multipleOf"}
_FLAGS: Final = {"uniqueItems", "deprecated", "readOnly", "writeOnly", "additionalProperties"}
_ANY: Final = {"default", "const"}

# What every dialect without an allow-list takes as it stands besides keywords that no draft knows: keywords by the
# Python types of their values.
_EASY: Final[Mapping[type, Collection[str]]] = {
    str: _ANY | {"description", "title", "format", "$comment"},
    int: _ANY | _EASY_BOUNDS,
    float: _ANY | _EASY_BOUNDS,
    bool: _ANY | _FLAGS,
    type(None): _ANY,
    list: _ANY | {"enum", "examples"},
    dict: _ANY,
}
_EASY_BOUND: Final = {**_EASY, int: _ANY}
"""The same, where whole numbers are bounded."""

_HOLDING: Final = frozenset({"properties", "items", "additionalProperties"})
_LISTS: Final = frozenset({"anyOf", "oneOf", "allOf"})
_WORDS: Final = frozenset(TYPES)


def fits(schema: dict[str, Any], dialect: Dialect, changed: frozenset[str] = frozenset()) -> bool:
    """Whether a schema is plainly in an open dialect as it stands; False may only mean that a closer look is needed.

    `changed` are keywords that mean something else in the draft of the schema.
    """
    kind = schema.get("type")
    if kind != "object" or not dialect.root_required <= schema.keys() or not dialect.root_excluded.isdisjoint(schema):
        return False
    if dialect.root_keywords is not None and not schema.keys() <= dialect.root_keywords:
        return False
    if dialect.property_names is not None:
        names: Any = schema.get("properties", {})
        if type(names) is not dict:
            return False
        matches = dialect.property_names.matches
        for name in cast("dict[str, Any]", names):
            if matches(name) is None:
                return False
    if dialect.required_are_listed and "required" in schema:
        required, properties = schema["required"], schema.get("properties", {})
        if type(required) is not list or type(properties) is not dict:
            return False
        for name in cast("list[Any]", required):
            if type(name) is not str or name not in properties:
                return False
    return _is_plain(schema, dialect, changed)


def _is_plain(schema: dict[str, Any], dialect: Dialect, changed: frozenset[str]) -> bool:
    """Whether every node says only what every open dialect takes as it stands."""
    todo: list[Any] = [schema]
    for it in todo:
        if type(it) is not dict:
            return False
        node = cast("dict[str, Any]", it)
        held = plain_containers(node, dialect) if changed.isdisjoint(node) else None
        if held is None:
            return False
        for key in held:
            value = node[key]
            if key == "properties":
                todo += value.values()
            elif key in _LISTS:
                todo += value
            else:
                todo.append(value)
    return True


def plain_containers(node: dict[str, Any], dialect: Dialect) -> tuple[str, ...] | None:  # noqa: C901, PLR0912 - a call for each keyword would cost
    """The keywords with subschemas of a node that else says only what every open dialect takes as it stands.

    None where a closer look is needed.
    """
    easy = _EASY if dialect.max_number is None else _EASY_BOUND
    held: tuple[str, ...] = ()
    for key, value in node.items():
        of = value.__class__
        if of not in easy:
            return None
        if key in easy[of] or key not in CONSTRAINED:
            continue
        if key == "type":
            if of is str:
                if value not in _WORDS:
                    return None
            elif dialect.type_unions != "list" or of is not list or not _are_types(value):
                return None
            if "array" in value and dialect.requires_items and "items" not in node:
                return None
        elif of is dict:
            if key not in _HOLDING or (key == "properties" and value.get("required").__class__ is list):
                return None  # a list of required names among the properties is meant beside them
            held = (*held, key)
        elif of is list:
            if key in _LISTS:
                if not value:
                    return None
                held = (*held, key)
            elif key != "required" or len({*_texts(value)}) != len(value):
                return None
        elif of is int or of is float:
            if key not in _NUMBERS or not is_number(key, value) or broken_rule(dialect, key, value) is not None:
                return None
        elif key != "pattern" or of is not str or broken_rule(dialect, key, value) is not None:
            return None
    return held


def _are_types(names: list[Any]) -> bool:
    return bool(names) and len({*_texts(names)}) == len(names) and _WORDS.issuperset(names)


def _texts(values: list[Any]) -> list[str]:
    return [value for value in values if type(value) is str]
