"""Dialects: what a vendor takes of JSON Schema, as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ..data.names import Rule
from ..limits import LIMITS


class BudgetExceeded(Exception):  # noqa: N818 - it says what happened, not that somebody erred
    """A schema is nested too deeply, or grows past the limits when its references are written out.

    `pointer` is the place in the schema as given at which the limit was passed.
    """

    def __init__(self, pointer: str, problem: str) -> None:
        self.pointer = pointer
        self.problem = problem
        super().__init__(f"{pointer}: {problem}" if pointer else problem)


Patterns: TypeAlias = Literal["any", "python", "plain", "simple", "unanchored", "anchored", "grammar"]


class Evidence(Struct, frozen=True):
    """Where a fact was found, and when it was last looked up."""

    source: str
    checked: str = "2026-11-21"


class Fact(Struct, frozen=True):
    """One thing that a target demands or refuses, in a sentence, and how that is known."""

    rule: str
    sentence: str
    evidence: Evidence


TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")

SAME: Final[Mapping[str, str]] = MappingProxyType({name: name for name in TYPES})
"""Types spelled as JSON Schema spells them."""


class Dialect(Struct, frozen=True, kw_only=True, eq=False):
    """What one target takes of JSON Schema.

    `keywords` is the allow-list with the evidence for each (None: every keyword of 2020-12); `types` spells the types;
    `formats` are those that may be named (None: any).

    One node: `typed` nodes name a type. `unions` says how several types stand in one node (`none`: they cannot, and
    there are no alternatives), `null` how one of them is null. `enum` says what may be enumerated, or be the one value
    (`scalars`: of the one type beside them), `empty` whether that may be an empty string. `pattern` is what regular
    expressions must be: `any`; `python`: what Python's `re` compiles; `plain`: python without lookaround and
    backreferences; `simple`: plain without word boundaries and large repetitions; `unanchored`: plain without anchors;
    `anchored`: simple and of the whole text, from `^` to `$`; `grammar`: anchored without shorthands, as for a digit.
    `most` bounds the numbers of some keywords, `numbers` the whole ones of all bounds and counts on both sides of zero,
    `spelled` are numbers that are written as text. `arrays` say what their items are. `beside_any_of` and `beside_ref`
    are all that may stand beside these (None: anything); `without` has, by a type or a keyword, the keywords that mean
    nothing beside it.

    References: kept, kept while nothing leads back to itself (`acyclic`), or only through properties that may be left
    out (`optional`), or written out (`inline`).

    Objects: `closed` ones list all their properties and accept no others, `complete` ones require them all, `listed`
    ones require only what they list, `filled` ones list at least one property or none at all; `additional` is what an
    object has beyond its properties if it does not say, anything or nothing (`none`): one that lists some is written as
    closed, another as open. The root is an object,
    says nothing beyond `root_keywords` (None: anything) or in `root_without`, all that is in `root_with`, and its
    property names obey `keys`.

    `accepted` are keywords and rules that the service is known to take otherwise than the dialect writes them: `check`
    does not report them, and what is written does not depend on them.

    `fallback` is the dialect for a schema that this one cannot say without refusing more. The rest are limits: `tools`
    in a list, `description` in characters, `levels` of objects within objects, `properties`, `choices` in all enums,
    `text` characters in names and enums, `length` characters of the whole schema, `optional` properties, and
    `union_types`, which are schemas with several types or `anyOf`.

    `additional` and `without` are for dialects with an allow-list.
    """

    id: str
    title: str
    keywords: Mapping[str, Evidence] | None = None
    types: Mapping[str, str] = SAME
    formats: Mapping[str, Evidence] | None = None
    typed: bool = False
    unions: Literal["list", "anyOf", "none"] = "list"
    null: Literal["type", "keyword"] = "type"
    enum: Literal["any", "scalars", "strings"] = "any"
    empty: bool = True
    pattern: Patterns = "any"
    most: Mapping[str, int] = MappingProxyType({})
    numbers: int | None = None
    spelled: frozenset[str] = frozenset()
    arrays: bool = False
    beside_any_of: frozenset[str] | None = None
    beside_ref: frozenset[str] | None = None
    without: Mapping[str, frozenset[str]] = MappingProxyType({})
    references: Literal["keep", "acyclic", "optional", "inline"] = "keep"
    closed: bool = False
    complete: bool = False
    listed: bool = False
    filled: bool = False
    additional: Literal["any", "none"] = "any"
    root_keywords: frozenset[str] | None = None
    root_without: frozenset[str] = frozenset()
    root_with: frozenset[str] = frozenset()
    keys: Rule | None = None
    accepted: Mapping[str, Evidence] = MappingProxyType({})
    fallback: Dialect | None = None
    description: int | None = None
    tools: int | None = None
    levels: int | None = None
    properties: int | None = None
    choices: int | None = None
    text: int | None = None
    length: int | None = None
    optional: int | None = None
    union_types: int | None = None
    facts: tuple[Fact, ...] = ()

    def __repr__(self) -> str:
        return f"<Dialect {self.id}>"

    def allows(self, keyword: str) -> bool:
        """Whether the allow-list has this keyword."""
        return self.keywords is None or keyword in self.keywords

    def allows_at_root(self, keyword: str) -> bool:
        """Whether the root may have this keyword, if the allow-list has it."""
        return keyword not in self.root_without and (self.root_keywords is None or keyword in self.root_keywords)


def allow(evidence: Evidence, words: str) -> dict[str, Evidence]:
    """A part of an allow-list: these words, known from there."""
    return dict.fromkeys(words.split(), evidence)


@lru_cache(maxsize=4096)
def compiles(pattern: str, kind: Patterns, most: int = LIMITS.pattern) -> bool:
    """Whether a pattern is one that a dialect with such patterns takes; one of more than `most` characters is none."""
    if kind == "any" or len(pattern) > most:
        return kind == "any"
    from .patterns import is_accepted  # its expressions take a millisecond to compile, and many schemas have none

    return is_accepted(pattern, kind)


PLAIN: Final = Dialect(id="plain", title="JSON Schema 2020-12, with an object at the root")
"""No vendor's rules: Mistral documents none, and LangChain takes any schema of an object."""
