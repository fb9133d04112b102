"""The values that a schema allows: types, enum and const."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Final

from ...data.equality import Values
from ..arguments import is_of, kind_of
from ..dialect import SAME, BudgetExceeded, Dialect
from ..glance import kinds_of
from ..mistakes import meant_format, meant_types, types_of
from ..vocabulary import broken_rule
from .views import Fragment, Fragments, View

if TYPE_CHECKING:
    from .rewriter import Rewriter
    from .state import NodeWriter, Spot

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

INCLUSIVE: Final[dict[str, tuple[str, Callable[[float], int], int]]] = {
    "exclusiveMinimum": ("minimum", floor, 1),
    "exclusiveMaximum": ("maximum", ceil, -1),
}
"""The inclusive bound for an exclusive one; the next integer within it is the rounded value and the step."""

_MOST_EXACT: Final = 2**53
"""From here on, not every integer is a floating-point number."""


def named(run: Rewriter, v: View) -> list[str] | None:
    """The types of a node: words of programming languages are replaced by types, and unknown words left out."""
    if "type" not in v.values:
        return None
    given = v.values["type"]
    if given.__class__ is str and given in SAME and given in run.dialect.types:
        return [given]
    kinds = [kind for kind in meant_types(types_of(given)) if kind in run.dialect.types]
    if not kinds or kinds != (given if isinstance(given, list) else [given]):
        run.note_loss("TB001", v.at["type"])
        if kinds:
            v.values["type"] = kinds[0] if len(kinds) == 1 else kinds
        else:
            v.drop("type")
        form = meant_format(types_of(given))
        if form is not None and "format" not in v.values:
            v.values["format"] = v.raw["format"] = form
            v.at["format"] = v.at["type"]
    elif len(kinds) == 1 and run.dialect.type_unions != "list":
        v.values["type"] = kinds[0]
    return kinds or None


def implied(run: Rewriter, v: View, spot: Spot) -> list[str] | None:
    """The one type that all keywords of a node are about, which is written then (TB304); None if there are none or
    several.
    """
    of = {RELEVANT[key] for key in v.at if key in RELEVANT and v.has(key)}
    if len(of) != 1:
        return None
    run.note("TB304", spot.place, f"{spot.out}/type")
    kind = of.pop()[-1]
    v.values["type"] = kind
    v.at.setdefault("type", spot.place)
    return [kind]


def spell(node: dict[str, Any], kinds: list[str] | None, dialect: Dialect) -> None:
    """Set the types of a node, in the words of the dialect."""
    if kinds is None:
        return
    if len(kinds) == 1:
        node["type"] = dialect.types[kinds[0]]
        return
    real = [kind for kind in kinds if kind != "null"]
    if real and dialect.null_form == "keyword":
        words = [dialect.types[kind] for kind in real]
    else:
        words = [dialect.types[kind] for kind in (kinds if real else ("null",))]
    node["type"] = words[0] if len(words) == 1 else words
    if real and dialect.null_form == "keyword" and "null" in kinds:
        node["nullable"] = True


def inclusive(dialect: Dialect, key: str, value: float, *, whole: bool) -> float | None:
    """The inclusive bound for an exclusive one that the dialect lacks, which says the same if all values are `whole`;
    None if there is none.
    """
    word, rounded, step = INCLUSIVE[key]
    if dialect.allows(key) or not dialect.allows(word) or not abs(value) < _MOST_EXACT:
        return None
    bound = rounded(value) + step if whole else value
    return bound if broken_rule(dialect, word, bound) is None else None


def include_bounds(run: Rewriter, v: View, kinds: list[str] | None) -> None:
    """Let a node have inclusive bounds for the exclusive ones that the dialect lacks; of integers they say the same."""
    whole = kinds is not None and "integer" in kinds and "number" not in kinds
    for key, (word, _, step) in INCLUSIVE.items():
        bound = inclusive(run.dialect, key, v.values[key], whole=whole) if key in v.values else None
        if bound is None:
            continue
        stated = v.values.get(word)
        if stated is None or (bound - stated) * step > 0 or (bound == stated and not whole):
            if stated is not None:
                run.note("TB103", v.at[word], None)
            v.values[word] = v.raw[word] = bound
            v.at[word] = v.at[key]
        elif whole:
            run.note("TB103", v.at[key], None)
        if whole:
            v.drop(key)


def enumerate_as(
    run: Rewriter, writer: NodeWriter, kinds: list[str] | None, *, union: bool
) -> tuple[list[str] | None, dict[str, Any]]:
    """The enumeration of a node in its dialect; the types of the node then, and which text stands for which value."""
    d, v, out = run.dialect, writer.view, writer.spot.out
    most = run.options.limits.enum
    if len(v.values.get("enum", ())) > most:
        raise BudgetExceeded(v.at["enum"], f"more than {most:,} enumerated values (limit enum)")
    lone = "const" in v.values
    if lone:
        kinds, done = _const(run, writer, kinds)
        if done:
            return kinds, {}
    at = v.at["enum"]
    if not lone and kinds is not None:
        repair_enumeration(run, v, kinds, out)
    values = _possible(run, v, kinds, None if lone else at)
    if values is None:
        writer.drop("enum")
        return kinds, {}
    if kinds is None and (d.requires_type or d.enum_values == "strings"):
        kinds = kinds_of(values)
        run.note("TB401", at, f"{out}/type")
    v.values["enum"] = values
    if d.enum_values == "scalars" and any(isinstance(it, (list, dict)) for it in values):
        writer.drop("enum")
    if d.enum_values == "only strings":
        return _only_texts(run, writer, kinds or kinds_of(values), values), {}
    if d.enum_values != "strings":
        return kinds, {}
    return _as_texts(run, writer, kinds, values, union=union)


def _const(run: Rewriter, writer: NodeWriter, kinds: list[str] | None) -> tuple[list[str] | None, bool]:
    """The one value of a node: the types then, and whether the dialect says it as such; else it is enumerated."""
    d, v = run.dialect, writer.view
    const = v.values["const"]
    if "enum" in v.values:
        # Both together: the one value, if the enumeration has it.
        run.note("TB103" if const in Values(v.values["enum"]) else "TB201", v.at["enum"], None)
        v.drop("enum")
    if d.allows("const"):
        if kinds is None and d.requires_type:
            kinds = [kind_of(const)]
            run.note("TB401", v.at["const"], f"{writer.spot.out}/type")
        if d.enum_values == "scalars" and isinstance(const, (list, dict)):
            writer.drop("const")
        return kinds, True
    v.values["enum"], v.at["enum"] = [const], v.at["const"]
    v.raw["enum"] = [const]
    v.drop("const")
    return kinds, False


def _as_texts(
    run: Rewriter, writer: NodeWriter, kinds: list[str] | None, values: list[Any], *, union: bool
) -> tuple[list[str] | None, dict[str, Any]]:
    """Enumerated values as text, where only that can be enumerated; the types then, and the values by their text."""
    d, v = run.dialect, writer.view
    real = [it for it in values if it is not None]
    null = ["null"] if len(real) < len(values) else []
    if not real:
        if "type" in v.at:  # of the type and the enumeration, one is enough
            run.note("TB103", v.at["enum"] if kinds == null else v.at["type"], None)
        v.drop("enum")
        return null, {}
    texts = {_text(it): it for it in real}
    plain = all(isinstance(it, str) for it in real)
    if real == [""] and not d.empty_enum_values and d.allows("maxLength"):
        if "maxLength" in v.values:
            run.note("TB103", v.at["maxLength"], None)
        v.drop("enum")
        v.values["maxLength"], v.at["maxLength"] = 0, v.at["enum"]
        return ["string", *null], {}
    if len(texts) < len(real) or (not plain and union) or ("" in texts and not d.empty_enum_values):
        writer.drop("enum")
        return kinds, {}
    v.values["enum"] = [*texts]
    for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        if key in v.values:  # the values that are left are within the bounds
            run.note("TB103", v.at[key], None)
            v.drop(key)
    if kinds is not None and len(kinds) > 1 and not {*kinds} <= {*kinds_of(values)}:
        run.note("TB103", v.at["type"], None)  # no value is of some of them
    if plain:
        return ["string", *null], {}
    run.note("TB505", v.at["enum"], f"{writer.spot.out}/enum")
    return ["string", *null], {text: it for text, it in texts.items() if not isinstance(it, str)}


def enumerate_blank_apart(run: Rewriter, v: View) -> None:
    """Let a node that enumerates texts, one of them empty, have the empty one as an alternative, where no enumeration
    may have it but a length of zero says the same.
    """
    values, at, d = v.values["enum"], v.at["enum"], run.dialect
    if (
        not d.empty_enum_values
        and d.allows("maxLength")
        and {"anyOf", "const"}.isdisjoint(v.keywords())
        and "" in values
        and any(values)
        and all(it is None or isinstance(it, str) for it in values)
    ):
        known: dict[Any, None] = {}
        for index, value in enumerate(values):
            if value in known:
                run.note("TB103", f"{at}/{index}" if "enum" in v.raw else at, None)
            known[value] = None
        branches: list[Fragments] = []
        for some in ([it for it in known if it != ""], [""]):
            it = View()
            it.values["enum"], it.at["enum"] = some, at
            branches.append((Fragment(it, at),))
        v.subs["anyOf"], v.at["anyOf"] = branches, at
        v.drop("enum")


def _only_texts(run: Rewriter, writer: NodeWriter, kinds: list[str], values: list[Any]) -> list[str]:
    """The types of a node of which nothing but strings can be enumerated; other values become their types."""
    v = writer.view
    found = [kind for kind in kinds if any(is_of(it, [kind]) for it in values)]
    if len(found) < len(kinds):
        run.note("TB103", v.at["type"], None)  # no value is of some of them
    first = next((kind for kind in found if kind != "null"), None)
    if first == "string":
        v.values["enum"] = [it for it in values if isinstance(it, str)]
        if any(it is not None and not isinstance(it, str) for it in values):
            run.note("TB303", v.at["enum"], writer.spot.out)
    elif first is None or (first == "boolean" and {it for it in values if isinstance(it, bool)} == {True, False}):
        run.note("TB103", v.at["enum"], None)  # all values of the type
        v.drop("enum")
    else:
        writer.drop("enum")
    return found


def _possible(run: Rewriter, v: View, kinds: list[str] | None, at: str | None) -> list[Any] | None:
    """The values that the other keywords of the node leave; None where they leave none.

    `at` is the place of the enumeration (None: the value stands alone, and its keyword is noted).
    """
    values: list[Any] = []
    known = Values()
    for index, value in enumerate(v.values["enum"]):
        if (kinds is None or is_of(value, kinds)) and value not in known:
            values.append(value)
            known.add(value)
        elif at is not None:
            run.note("TB103", f"{at}/{index}" if "enum" in v.raw else at, None)
    bounded = [value for value in values if _is_within(value, v)]
    if not bounded:
        return None
    return bounded if run.dialect.enum_values == "strings" else values


def repair_enumeration(run: Rewriter, v: View, kinds: list[str], out: str) -> None:
    """Make texts of the values of a node, which is written at `out`, if all are numbers and its type is text."""
    if _are_numbers_for_text(v.values["enum"], kinds):
        run.note("TB001", v.at["enum"], f"{out}/enum")
        v.values["enum"] = [None if it is None else _text(it) for it in v.values["enum"]]


def _are_numbers_for_text(values: list[Any], kinds: list[str]) -> bool:
    """Whether no value but null is of the types, and these numbers as text are meant."""
    given = [value for value in values if value is not None]
    are_numbers = all(isinstance(it, (int, float)) and not is_of(it, kinds) for it in given)
    return "string" in kinds and bool(given) and are_numbers


def _is_within(value: Any, v: View) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return True
    says = v.values
    return (
        ("minimum" not in says or value >= says["minimum"])
        and ("maximum" not in says or value <= says["maximum"])
        and ("exclusiveMinimum" not in says or value > says["exclusiveMinimum"])
        and ("exclusiveMaximum" not in says or value < says["exclusiveMaximum"])
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
