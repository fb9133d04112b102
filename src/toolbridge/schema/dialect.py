"""Dialects: what a vendor takes of JSON Schema, as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, cast

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
    checked: str


class Fact(Struct, frozen=True):
    """One thing that a target demands or refuses, in a sentence, and how that is known."""

    rule: str
    sentence: str
    evidence: Evidence


TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")

SAME: Final[Mapping[str, str]] = MappingProxyType({name: name for name in TYPES})
"""Types spelled as JSON Schema spells them."""


_NEED_ALLOW_LIST: Final = frozenset({
    "types",
    "formats",
    "requires_type",
    "null_form",
    "enum_values",
    "empty_enum_values",
    "keyword_maxima",
    "numbers_as_text",
    "item_types",
    "any_of_siblings",
    "excluded_siblings",
    "closed_objects",
    "all_required",
    "nonempty_properties",
    "additional_properties",
    "root_only_keywords",
    "reserved_properties",
})
"""Fields that only dialects with an allow-list have: others take most nodes as they stand, and are not asked."""


_NOT_WRITTEN: Final = frozenset({
    *("allOf", "oneOf", "not", "if", "then", "else", "contains", "unevaluatedItems", "unevaluatedProperties"),
    *("patternProperties", "propertyNames", "dependentSchemas", "contentSchema"),
})
"""Keywords with subschemas that are never written for dialects with an allow-list, whatever the vendor takes."""


class Dialect(Struct, frozen=True, kw_only=True, eq=False):
    """What one target accepts of JSON Schema. The name of a field is also that of its rule in the findings of `check`.

    A dialect without an allow-list takes nodes as they stand, so it has only rules about the root, patterns,
    references, numbers, `required`, several types, items, and size: others raise ValueError.

    Attributes:
        id: The name of the dialect.
        title: What it is for.
        keywords: The allow-list, with the evidence for each keyword; None: every keyword of 2020-12. Of the keywords
            with subschemas, an allow-list has only properties, additionalProperties, items, prefixItems, anyOf and
            $defs: others, such as patternProperties, are never written with one.
        types: How the names of types are spelled.
        numbered_types: The types for which numbers from 1 may stand, in their order. Names are written all the same.
        formats: The values of `format` that are accepted; None: any.
        requires_type: Whether every schema names a type, unless it has `anyOf` or `$ref`.
        type_unions: How several types of one value are written: as a list in `type`, with `anyOf`, or not at all; with
            `none` there are no alternatives either, and with `merge` alternatives of one type become one schema that
            accepts what any of them does.
        null_form: How a value that may be null is written: with the type `null`, or with the keyword `nullable`.
        enum_values: The values of `enum` and `const`: any; scalars, of the one type beside them; strings, as which
            other values are written; or `only strings`, so that other values are not enumerated.
        empty_enum_values: Whether an empty string may be one of them.
        pattern_syntax: The regular expressions that are accepted. `any`: all. `python`: those that Python's `re`
            compiles. `plain`: these without lookaround and backreferences. `simple`: plain ones without word boundaries
            and large repetitions. `unanchored`: plain ones without anchors. `anchored`: simple ones from `^` to `$`.
            `grammar`: anchored ones without shorthands, such as that for a digit.
        keyword_maxima: The largest values of some keywords.
        max_number: The largest integer in bounds and counts, and the smallest one with the opposite sign.
        numbers_as_text: The keywords whose numbers are written as strings.
        requires_items: Whether every array has `items` or `prefixItems`.
        item_types: The types that the items of an array may have, without a description; arrays of other items are
            written without `items`. None: any schema.
        any_of_siblings: The only keywords that may stand beside `anyOf`; None: any.
        ref_siblings: The only keywords that may stand beside `$ref`; None: any.
        excluded_siblings: The keywords that have no meaning beside a type or a keyword, by that type or keyword.
        references: Which references are accepted: all (`keep`), those that lead to no recursion (`acyclic`), those
            whose recursion goes through properties that are not required (`optional`), or none, so that definitions
            are written in their place (`inline`).
        refers_to_definitions: Whether a reference leads to a definition in `$defs`, or to the root. Where schemas are
            written anew, all do.
        closed_objects: Whether every object has `additionalProperties: false`.
        all_required: Whether every object requires all its properties.
        required_are_listed: Whether `required` names only what `properties` has.
        nonempty_properties: Whether `properties` has at least one member where it is written.
        additional_properties: What an object accepts beyond its properties if it does not say: anything, or nothing. An
            object that lists properties is written as closed or open accordingly; with `never` it is always closed.
        root_only_keywords: The keywords that only the root may have.
        root_keywords: The only keywords that the root may have; None: any.
        root_excluded: The keywords that the root may not have.
        root_required: The keywords that the root must have.
        property_names: The rule for the names of the root's properties.
        reserved_properties: The names that no property may have, at any depth.
        also_accepted: Keywords, and fields of this class, that the service is known to be laxer about than what is
            written. `check` reports no finding about them; how schemas are written does not change.
        fallback: The dialect for a schema that this one can only express by refusing more values, or that exceeds one
            of its limits. Without it, such limits are an error (TB902); `closed_objects` needs it.
        max_description: The largest number of characters of a tool's description.
        max_parameter_description: The largest number of characters of the description of one of the root's properties.
        max_tools: The largest number of tools in a list.
        max_levels: How deep objects may be nested in objects.
        max_properties: The largest number of properties in a schema.
        max_enum_values: The largest number of values in all enums of a schema.
        max_name_characters: The largest number of characters in all names and enum values of a schema.
        max_schema_characters: The largest number of characters of a schema as text.
        max_optional_parameters: The largest number of properties in a schema that are not required.
        max_union_parameters: The largest number of schemas in it with several types or `anyOf`.
        facts: The rules in words, with their evidence.
    """

    id: str
    title: str
    keywords: Mapping[str, Evidence] | None = None
    types: Mapping[str, str] = SAME
    numbered_types: tuple[str, ...] = ()
    formats: Mapping[str, Evidence] | None = None
    requires_type: bool = False
    type_unions: Literal["list", "anyOf", "none", "merge"] = "list"
    null_form: Literal["type", "keyword"] = "type"
    enum_values: Literal["any", "scalars", "strings", "only strings"] = "any"
    empty_enum_values: bool = True
    pattern_syntax: Patterns = "any"
    keyword_maxima: Mapping[str, int] = MappingProxyType({})
    max_number: int | None = None
    numbers_as_text: frozenset[str] = frozenset()
    requires_items: bool = False
    item_types: frozenset[str] | None = None
    any_of_siblings: frozenset[str] | None = None
    ref_siblings: frozenset[str] | None = None
    excluded_siblings: Mapping[str, frozenset[str]] = MappingProxyType({})
    references: Literal["keep", "acyclic", "optional", "inline"] = "keep"
    refers_to_definitions: bool = False
    closed_objects: bool = False
    all_required: bool = False
    required_are_listed: bool = False
    nonempty_properties: bool = False
    additional_properties: Literal["any", "none", "never"] = "any"
    root_only_keywords: frozenset[str] = frozenset()
    root_keywords: frozenset[str] | None = None
    root_excluded: frozenset[str] = frozenset()
    root_required: frozenset[str] = frozenset()
    property_names: Rule | None = None
    reserved_properties: frozenset[str] = frozenset()
    also_accepted: Mapping[str, Evidence] = MappingProxyType({})
    fallback: Dialect | None = None
    max_description: int | None = None
    max_parameter_description: int | None = None
    max_tools: int | None = None
    max_levels: int | None = None
    max_properties: int | None = None
    max_enum_values: int | None = None
    max_name_characters: int | None = None
    max_schema_characters: int | None = None
    max_optional_parameters: int | None = None
    max_union_parameters: int | None = None
    facts: tuple[Fact, ...] = ()

    def __post_init__(self) -> None:
        if self.keywords is None:
            for name, default in zip(self.__struct_fields__[2:], self.__struct_defaults__, strict=True):
                if name in _NEED_ALLOW_LIST and getattr(self, name) != default:
                    raise ValueError(f"dialect {self.id}: {name} needs an allow-list (keywords)")

    def check_writing(self) -> None:
        """Raise ValueError if schemas cannot be written in this dialect.

        The allow-list lacks a keyword that is written, or has one that never is; or maps have no fallback.
        """
        if self.keywords is None:
            return
        closes = "closed_objects" if self.closed_objects else "additional_properties"
        needed = {
            "anyOf": ("type_unions (if it is not none or merge)", self.type_unions in ("list", "anyOf")),
            "$defs": ("$ref", self.references != "inline" and "$ref" in self.keywords),
            "additionalProperties": (closes, self.closed_objects or self.additional_properties != "any"),
            "required": ("all_required", self.all_required),
            "items": ("requires_items", self.requires_items),
        }
        for keyword, (rule, is_needed) in needed.items():
            if is_needed and keyword not in self.keywords:
                raise ValueError(f"dialect {self.id}: {rule} needs {keyword} in keywords")
        for keyword in sorted(_NOT_WRITTEN & self.keywords.keys()):
            raise ValueError(f"dialect {self.id}: keywords has {keyword}, which is never written: see also_accepted")
        if self.closed_objects and self.fallback is None:
            raise ValueError(f"dialect {self.id}: closed_objects needs a fallback, for schemas with maps")

    def __repr__(self) -> str:
        return f"<Dialect {self.id}>"

    def names_properties(self, properties: Any, *, root: bool) -> bool:
        """Whether these properties of an object, or of the root, may have their names."""
        if not isinstance(properties, dict):
            return True
        names, rule = cast("dict[str, Any]", properties), self.property_names if root else None
        return self.reserved_properties.isdisjoint(names) and (rule is None or all(map(rule.matches, names)))

    def allows(self, keyword: str) -> bool:
        """Whether the allow-list has this keyword."""
        return self.keywords is None or keyword in self.keywords

    def allows_at_root(self, keyword: str) -> bool:
        """Whether the root may have this keyword, if the allow-list has it."""
        return keyword not in self.root_excluded and (self.root_keywords is None or keyword in self.root_keywords)


def allow(evidence: Evidence, words: str) -> dict[str, Evidence]:
    """A part of an allow-list: these words, known from there."""
    return dict.fromkeys(words.split(), evidence)


@lru_cache(maxsize=64)
def has_size_limits(dialect: Dialect) -> bool:
    """Whether a schema may be too large for a dialect."""
    d = dialect
    limits = (d.max_levels, d.max_properties, d.max_enum_values, d.max_name_characters, d.max_schema_characters)
    return any(most is not None for most in (*limits, d.max_optional_parameters, d.max_union_parameters))


@lru_cache(maxsize=4096)
def compiles(pattern: str, kind: Patterns, most: int = LIMITS.pattern) -> bool:
    """Whether a dialect with such patterns takes a pattern, which has at most `most` characters."""
    if kind == "any" or len(pattern) > most:
        return kind == "any"
    from .patterns import is_accepted  # its expressions take a millisecond to compile, and many schemas have none

    return is_accepted(pattern, kind)


PLAIN: Final = Dialect(id="plain", title="JSON Schema 2020-12, with an object at the root")
"""No vendor's rules: Mistral documents none, and LangChain takes any schema of an object."""
