"""The rules of a dialect, applied to a schema as it stands."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any, Final, cast

from msgspec import Struct

from ..data.pointer import MISSING, decoded, escape, get
from ..data.types import kind as value_kind
from ..data.types import quoted
from ..errors import near
from ..limits import LIMITS, Limits
from .arguments import is_of
from .cycles import find_cycles, find_references
from .dialect import SAME, Dialect, compiles
from .mistakes import holds, odd_members, types_of
from .vocabulary import (
    LISTING_ELSEWHERE,
    LONE_REF,
    SUBSCHEMAS,
    Size,
    broken_rule,
    children,
    count_parameters,
    is_annotation,
    is_sound,
    length,
    measure,
    required_names,
    sound_value,
    stated_draft,
    walk,
)


class Finding(Struct, frozen=True):
    """One thing that a dialect refuses: the rule, the place in the schema, and what is wrong.

    `accepted`: the service is known to accept it all the same; the dialect only never writes it.
    """

    rule: str
    pointer: str
    problem: str
    accepted: bool = False


def exceeded(schema: Any, dialect: Dialect) -> Iterator[tuple[str, str, int, int]]:
    """The limits of a dialect that a schema exceeds: the name of each, what is counted, how many, and the limit."""
    d = dialect
    is_measured = not (d.max_levels is d.max_properties is d.max_enum_values is d.max_name_characters is None)
    size = measure(schema) if is_measured else Size(0, 0, 0, 0)
    characters = 0 if d.max_schema_characters is None else length(schema)
    is_counted = not (d.max_optional_parameters is d.max_union_parameters is None)
    optional, unions = count_parameters(schema) if is_counted else (0, 0)
    for rule, what, found, most in (
        ("max_levels", "levels of objects within objects", size.levels, d.max_levels),
        ("max_properties", "properties", size.properties, d.max_properties),
        ("max_enum_values", "choices in all enums", size.choices, d.max_enum_values),
        ("max_name_characters", "characters of names and enums", size.text, d.max_name_characters),
        ("max_schema_characters", "characters of the schema", characters, d.max_schema_characters),
        ("max_optional_parameters", "optional parameters in one schema", optional, d.max_optional_parameters),
        ("max_union_parameters", "parameters with several types in one schema", unions, d.max_union_parameters),
    ):
        if most is not None and found > most:
            yield rule, what, found, most


def lint(schema: Any, dialect: Dialect, *, arguments: bool = True, limits: Limits = LIMITS) -> list[Finding]:
    """Everything in a schema that the dialect refuses, by place; `arguments`: the root is that of a tool's input.

    Types may be spelled as JSON Schema spells them or as the dialect does. The rules that only dialects of other
    notations have (Arcade's engine, Bedrock Agents, hyper-mcp) are not applied: the models of these formats have them.
    """
    return list(Rules(schema, dialect, arguments=arguments, limits=limits).findings())


def keeps(schema: Any, dialect: Dialect) -> bool:
    """Whether `lint` finds nothing in the schema of a tool's arguments but what the service is known to accept."""
    return all(found.accepted for found in Rules(schema, dialect, arguments=True, limits=LIMITS).findings())


_PLACES: Final = 20_000_000
"""How many characters the places of subschemas may have together."""


class Rules:
    """The rules of a dialect, and the schema to which they are applied."""

    def __init__(self, schema: Any, dialect: Dialect, *, arguments: bool, limits: Limits) -> None:
        self.schema = schema
        self.dialect = dialect
        self.arguments = arguments
        self.longest = limits.pattern
        self.older = stated_draft(schema) in LONE_REF

    def _found(self, rule: str, pointer: str, problem: str, *, accepted: bool | None = None) -> Finding:
        if accepted is None:
            accepted = rule in self.dialect.also_accepted
        return Finding(rule, pointer, problem, accepted)

    def _beside(self, rule: str, key: str, other: str, where: str) -> Finding:
        """A keyword that may not stand beside another one."""
        laxer = self.dialect.also_accepted
        accepted = rule in laxer or (is_annotation(key) and key in laxer)
        return self._found(rule, where, f"{key} is not allowed beside {other}", accepted=accepted)

    def findings(self) -> Iterator[Finding]:
        d = self.dialect
        if self.arguments:
            yield from self._root()
        length = 0
        for place, node in walk(self.schema):
            length += len(place)
            if length > _PLACES:
                problem = "names that are too long for so many subschemas: not all of them are checked"
                yield self._found("max_name_characters", "", problem)
                break
            if isinstance(node, dict):
                yield from self._keywords(node, place)
                yield from self._types(node, place)
                yield from self._objects(node, place)
            for below, inner in children(node) if d.keywords is not None else ():
                if isinstance(inner, bool) and below != "/additionalProperties":
                    yield self._found("keywords", place + below, "true and false are not allowed as schemas")
        if d.references in ("acyclic", "optional"):
            yield from self._cycles()
        for rule, what, found, most in exceeded(self.schema, d):
            words = f" {what}" if rule in ("max_optional_parameters", "max_union_parameters") else ""
            yield self._found(rule, "", f"at most {most:,}{words}, found {found:,}")

    def _root(self) -> Iterator[Finding]:
        d = self.dialect
        schema: Any = self.schema
        root = cast("dict[str, Any]", schema if isinstance(schema, dict) else {})
        if self._kinds(root) != ["object"]:
            yield self._found("root", "/type" if "type" in root else "", "the root must have the type object")
            return
        for key in sorted(d.root_excluded & root.keys()):
            yield self._found("root_excluded", f"/{key}", f"{key} is not allowed at the root")
        for key in sorted(d.root_required - root.keys()):
            yield self._found("root_required", "", f"the root must have {key}, even if it is empty")
        names = root.get("properties")
        properties: dict[str, Any] = cast("dict[str, Any]", names) if isinstance(names, dict) else {}
        most = d.max_parameter_description
        for name, node in properties.items():
            place = f"/properties/{escape(name)}"
            if d.property_names is not None and d.property_names.matches(name) is None:
                problem = f"the name of a parameter must match {d.property_names.pattern}"
                yield self._found("property_names", place, problem)
            words = cast("dict[str, Any]", node).get("description") if isinstance(node, dict) else None
            if most is not None and isinstance(words, str) and len(words) > most:
                problem = f"at most {most:,} characters, found {len(words):,}"
                yield self._found("max_parameter_description", f"{place}/description", problem)

    def _kinds(self, node: dict[str, Any]) -> list[str]:
        """The types that a schema names, as JSON Schema spells them if the dialect spells them otherwise."""
        named, d = node.get("type"), self.dialect
        if type(named) is int and 0 < named <= len(d.numbered_types):
            return [d.numbered_types[named - 1]]
        return types_of(named) if d.types is SAME else [kind.lower() for kind in types_of(named)]

    def _keywords(self, node: dict[str, Any], place: str) -> Iterator[Finding]:
        d = self.dialect
        for key, value in node.items():
            where = f"{place}/{escape(key)}"
            if key in ("$ref", "$recursiveRef", "$dynamicRef"):
                yield from self._reference(node, key, value, where)
            if not d.allows(key) and not (key == "nullable" and d.null_form == "keyword"):
                accepted = "keywords" in d.also_accepted or (key in d.also_accepted and not _has_references(key, value))
                yield self._found("keywords", where, f"{key} is not allowed", accepted=accepted)
            elif (
                not is_sound(key, value)
                and not (key in d.numbers_as_text and _is_count(value))
                and not (key == "type" and type(value) is int and self._kinds(node))
            ):
                yield self._found("value", where, f"{key} must be {sound_value(key)}, found {value_kind(value)}")
            elif key in SUBSCHEMAS:
                yield from self._subschemas(key, value, where)
            else:
                yield from self._value(key, value, where)
        if "anyOf" in node and d.any_of_siblings is not None:
            for key in sorted(node.keys() - d.any_of_siblings - {"anyOf", "$defs"}):
                if place or not self.arguments:
                    yield self._beside("any_of_siblings", key, "anyOf", f"{place}/{escape(key)}")

    def _value(self, key: str, value: Any, where: str) -> Iterator[Finding]:
        """What is wrong with the value of a keyword that holds no subschemas."""
        d = self.dialect
        if key == "$id" and "#" in value.rstrip("#") and not self.older:
            yield self._found("value", where, "an $id has no fragment; $anchor names a place since 2019-09")
        elif key == "enum":
            yield from self._enum(value, where)
        elif key == "const" and d.enum_values == "scalars" and isinstance(value, (list, dict)):
            yield self._found("enum_values", where, "const must be a scalar")
        else:
            rule = broken_rule(d, key, _number(value) if key in d.numbers_as_text else value, self.longest)
            if rule == "pattern_syntax":
                accepted = rule in d.also_accepted and compiles(value, "python", self.longest)
                yield self._found(rule, where, _uncompiled(value, d, self.longest), accepted=accepted)
            elif rule is not None:
                yield self._found(rule, where, _refused(d, rule, key, value))

    def _subschemas(self, key: str, value: Any, where: str) -> Iterator[Finding]:
        """What is wrong with the value of a keyword that holds subschemas."""
        if (wrong := _no_schema(key, value)) is not None:
            expected = "a schema" if wrong else _HELD[SUBSCHEMAS[key]]
            found = "an empty list" if value == [] else value_kind(get(value, wrong))
            yield self._found("value", where + wrong, f"expected {expected}, found {found}")
        elif key == "items" and isinstance(value, list):
            yield self._found("keywords", where, "items is one schema; a list of them was a tuple up to 2019-09")
        elif key == "patternProperties" and isinstance(value, dict):
            for name in cast("dict[str, Any]", value):
                if not compiles(name, self.dialect.pattern_syntax, self.longest):
                    yield self._found("pattern_syntax", f"{where}/{escape(name)}", "a pattern that cannot be compiled")

    def _reference(self, node: dict[str, Any], key: str, value: Any, where: str) -> Iterator[Finding]:
        d = self.dialect
        if not isinstance(value, str) or not value.startswith("#"):
            yield self._found("references", where, "a reference must point into the schema")
        elif value.startswith("#/") and get(self.schema, decoded(value[1:])) is MISSING:
            yield self._found("references", where, f"the reference points to nothing: {value}")
        elif d.refers_to_definitions and value != "#" and not value.startswith("#/$defs/"):
            yield self._found("refers_to_definitions", where, f"a reference must begin with #/$defs/, found {value}")
        if d.ref_siblings is not None:
            for other in sorted(node.keys() - d.ref_siblings - {key}):
                yield self._beside("ref_siblings", other, "$ref", where)

    def _cycles(self) -> Iterator[Finding]:
        required = self.dialect.references == "optional"
        problem = "a definition must not be recursive" + (", except through an optional property" if required else "")
        references = find_cycles(find_references(self.schema), required=required)
        for place in dict.fromkeys(reference.place for _, reference in references):
            yield self._found("references", f"{place}/$ref", problem)

    def _enum(self, value: Any, where: str) -> Iterator[Finding]:
        d = self.dialect
        for index, choice in enumerate(cast("list[Any]", value)):
            if d.enum_values == "strings" and not isinstance(choice, str):
                yield self._found("enum_values", f"{where}/{index}", "enum must have only strings")
            elif d.enum_values == "scalars" and isinstance(choice, (list, dict)):
                yield self._found("enum_values", f"{where}/{index}", "enum must have only scalars")
            elif choice == "" and not d.empty_enum_values:
                yield self._found("empty_enum_values", f"{where}/{index}", "enum must not have an empty string")

    def _types(self, node: dict[str, Any], place: str) -> Iterator[Finding]:
        d = self.dialect
        named = node.get("type")
        kinds = self._kinds(node)
        for kind in kinds:
            if kind not in d.types:
                from difflib import get_close_matches

                hint = near(get_close_matches(kind.lower(), SAME, 1))
                problem = f"a type must be one of {', '.join(SAME)}, found {quoted(kind)}{hint}"
                yield self._found("types", f"{place}/type", problem)
        if isinstance(named, list) and (not named or len({*kinds}) < len(cast("list[Any]", named))):
            yield self._found("value", f"{place}/type", "a list of types has some, each of them once")
        if isinstance(named, list) and d.type_unions != "list":
            problem = "type must be a single type" + ("; use anyOf for several" if d.type_unions == "anyOf" else "")
            accepted = "type_unions" in d.also_accepted and node.keys() <= {"type", "title", "description"}
            yield self._found("type_unions", f"{place}/type", problem, accepted=accepted)
        enum: Any = node.get("enum")
        if d.enum_values == "scalars" and kinds and isinstance(enum, list):
            if len(kinds) > 1 and d.type_unions == "list":
                problem = f"enum must have values of one type, found it beside the types {' and '.join(kinds)}"
                yield self._found("enum_values", f"{place}/enum", problem)
            for index, choice in enumerate(cast("list[Any]", enum) if len(kinds) == 1 else ()):
                if not isinstance(choice, (list, dict)) and not is_of(choice, kinds):
                    problem = f"enum must have values of the type beside it, {quoted(kinds[0])}"
                    yield self._found("enum_values", f"{place}/enum/{index}", problem)
        if d.requires_type and not kinds and node.keys().isdisjoint(("anyOf", "$ref")):
            accepted = any(key in node for key in d.also_accepted)
            yield self._found("requires_type", place, "type is required", accepted=accepted)
        if d.requires_items and "array" in kinds and node.keys().isdisjoint(("items", "prefixItems")):
            yield self._found("requires_items", place, "an array must have items")
        for word, keys in d.excluded_siblings.items():
            for key in sorted(keys & node.keys()) if word in kinds or word in node else ():
                yield self._found("excluded_siblings", f"{place}/{key}", f"{key} means nothing beside {word}")

    def _objects(self, node: dict[str, Any], place: str) -> Iterator[Finding]:
        d = self.dialect
        properties = node.get("properties")
        names: dict[str, Any] = cast("dict[str, Any]", properties) if isinstance(properties, dict) else {}
        required = required_names(node)
        if len(set(required)) < len(required):
            yield self._found("value", f"{place}/required", "required must not repeat a name")
        kinds = self._kinds(node)
        if (
            d.required_are_listed
            and (d.keywords is not None or (self.arguments and not place))
            and LISTING_ELSEWHERE.isdisjoint(node)
        ):
            for index, name in enumerate(node["required"] if required else ()):
                if name.__class__ is str and name not in names:
                    problem = f"required names {name}, which properties lacks"
                    yield self._found("required_are_listed", f"{place}/required/{index}", problem)
        if d.nonempty_properties and properties == {}:
            yield self._found("nonempty_properties", f"{place}/properties", "properties must not be empty")
        if "object" in kinds or names:
            if d.closed_objects and node.get("additionalProperties") is not False:
                yield self._found("closed_objects", place, "an object must have additionalProperties: false")
            if d.all_required:
                problem, complete = "every property must be in required", {*required}
                for name in names:
                    if name not in complete:
                        yield self._found("all_required", f"{place}/properties/{escape(name)}", problem)
                if "required" not in node:
                    yield self._found("all_required", place, "an object must have required, even if it is empty")
        for name in sorted(d.reserved_properties.intersection(names)):
            yield self._found("reserved_properties", f"{place}/properties/{escape(name)}", f"no property may be {name}")


def _is_count(value: Any) -> bool:
    """Whether a text is a whole number from 0."""
    return isinstance(value, str) and value.isascii() and value.isdecimal()


def _number(value: float | str) -> float:
    """A number, perhaps written as text."""
    try:
        return int(value) if isinstance(value, str) else value
    except ValueError:  # more digits than Python reads
        return inf


def _has_references(key: str, value: Any) -> bool:
    """Whether one of the subschemas that `allOf` joins is a reference."""
    return (
        key == "allOf" and isinstance(value, list) and any("$ref" in it for it in value if isinstance(it, dict))  # pyright: ignore[reportUnknownVariableType]
    )


def _uncompiled(pattern: str, dialect: Dialect, longest: int) -> str:
    """What is wrong with a pattern that the dialect does not take."""
    if dialect.pattern_syntax != "any" and len(pattern) > longest:
        return f"a pattern of {len(pattern):,} characters, more than {longest:,} (limit pattern)"
    if not compiles(pattern, "python", longest):
        return f"not a valid regular expression: {pattern!r}"
    return f"this regular expression is not allowed: {pattern!r}"


def _refused(dialect: Dialect, rule: str, key: str, value: Any) -> str:
    """What is wrong with the value of a keyword that a rule refuses."""
    if rule == "formats":
        return f"format must be one of {', '.join(dialect.formats or ())}, found {quoted(value)}"
    if rule == "keyword_maxima":
        return f"at most {dialect.keyword_maxima[key]}, found {value!s:.60}"
    return f"a number beyond {dialect.max_number:,}, found {value}"


_HELD: Final = {
    "one": "a schema",
    "list": "a list of schemas that is not empty",
    "map": "an object with schemas as values",
    "one or list": "a schema",
}
"""What keywords hold that hold subschemas."""


def _no_schema(key: str, value: Any) -> str | None:
    """Where a keyword that holds subschemas holds something else."""
    if not holds(SUBSCHEMAS[key], value):
        return ""
    odd = odd_members(key, value)
    return f"/{escape(str(odd[0]))}" if odd else None
