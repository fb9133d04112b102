"""Types: those that a node names, or that its keywords imply, and how a dialect spells them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .dialect import SAME, Dialect
from .view import View, types_of

if TYPE_CHECKING:
    from .rewrite import Rewriting
    from .sheet import Spot

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

_MEANT: Final[dict[str, str]] = {
    **dict.fromkeys(("str", "text"), "string"),
    **dict.fromkeys(("int", "long"), "integer"),
    **dict.fromkeys(("float", "double"), "number"),
    **dict.fromkeys(("dict", "map"), "object"),
    **dict.fromkeys(("list", "tuple"), "array"),
    "bool": "boolean",
    "None": "null",
    **{word.upper(): word for word in SAME},
}
"""What words of programming languages, and of Gemini, mean where a type should be."""


def named(run: Rewriting, v: View) -> list[str] | None:
    """The types that a node names: words of programming languages mended, those that nobody knows left out."""
    if "type" not in v.says:
        return None
    given = v.says["type"]
    words = [_MEANT.get(word, word) for word in types_of(given)]
    kinds = [kind for kind in dict.fromkeys(words) if kind in run.dialect.types]
    if not kinds or kinds != (given if isinstance(given, list) else [given]):
        run.lose("TB001", v.at["type"])
        if kinds:
            v.says["type"] = kinds[0] if len(kinds) == 1 else kinds
        else:
            v.drop("type")
    elif len(kinds) == 1 and run.dialect.unions == "anyOf":
        v.says["type"] = kinds[0]
    return kinds or None


def implied(run: Rewriting, v: View, spot: Spot) -> list[str] | None:
    """The type of which alone a node says anything."""
    of = {RELEVANT[key] for key in v.keywords() & RELEVANT.keys()}
    if len(of) != 1:
        return None
    run.note("TB304", spot.place, f"{spot.out}/type")
    kind = of.pop()[-1]
    v.says["type"] = kind
    v.at.setdefault("type", spot.place)
    return [kind]


def spell(said: dict[str, Any], kinds: list[str] | None, dialect: Dialect) -> None:
    """Let a node name these types in the words of the dialect."""
    if kinds is None:
        return
    real = [kind for kind in kinds if kind != "null"]
    if real and dialect.null == "keyword":
        words = [dialect.types[kind] for kind in real]
    else:
        words = [dialect.types[kind] for kind in (kinds if real else ("null",))]
    said["type"] = words[0] if len(words) == 1 else words
    if real and dialect.null == "keyword" and "null" in kinds:
        said["nullable"] = True
