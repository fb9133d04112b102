"""One subschema of an older draft or of OpenAPI 3.0, as 2020-12 writes it.

The upgrade is exact from draft 4 on: what it yields accepts what the old form accepted. Of draft 3 it leaves out what
has no plain counterpart, and says so. Sources: the release notes of the drafts on json-schema.org,
draft-zyp-json-schema-03, and the OpenAPI 3.0.3 specification (checked 2026-11-21).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast

from msgspec import Struct

from .mistakes import flagged_required
from .vocabulary import (
    ID_AS_ID,
    LONE_REF,
    OLD_DRAFTS,
    ONLY_2019,
    SINCE_2019,
    SINCE_2020,
    Draft,
    Value,
    draft,
    is_annotation,
    older_spellings,
    stated_draft,
    subschemas,
)

_SINCE_4: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "multipleOf", "minProperties", "maxProperties"})
_SINCE_6: Final = frozenset({"const", "contains", "propertyNames", "examples"})
_SINCE_7: Final = frozenset({"if", "then", "else", "readOnly", "writeOnly", "$comment"})
_NEW_IN_2019: Final = (SINCE_2019 - {"$defs", "$vocabulary", "contentSchema"}) | ONLY_2019

_UNKNOWN: Final[dict[Draft, frozenset[str]]] = {
    "draft3": _SINCE_4 | _SINCE_6 | _SINCE_7 | _NEW_IN_2019 | SINCE_2020,
    "draft4": _SINCE_6 | _SINCE_7 | _NEW_IN_2019 | SINCE_2020,
    "draft6": _SINCE_7 | _NEW_IN_2019 | SINCE_2020,
    "draft7": _NEW_IN_2019 | SINCE_2020,
    "2019-09": SINCE_2020,
    "2020-12": ONLY_2019,
    "openapi-3.0": frozenset(),
}
"""Keywords that mean nothing in a schema that states this draft."""


class DraftRules(Struct, frozen=True):
    """How a schema is written: the draft, and whether it states that itself."""

    draft: Draft
    stated: bool

    @property
    def lends(self) -> bool:
        """Whether `nullable` is not one of the draft's own keywords: it can only mean what OpenAPI 3.0 means by it."""
        return self.draft != "openapi-3.0"

    @property
    def lone_ref(self) -> bool:
        """Whether nothing beside a `$ref` means anything."""
        return self.stated and self.draft in LONE_REF


def draft_rules(schema: dict[str, Any], data: bytes | None) -> DraftRules | None:
    """How a schema, of which `data` is the JSON text, is written; None for one that is 2020-12 as it stands."""
    stated = stated_draft(schema) if "$schema" in schema else None
    old = older_spellings(schema, data)
    nulls = (data is None or b'"nullable"' in data) and any("nullable" in sub for sub in subschemas(schema))
    if not (old or nulls) and stated in ("2020-12", None):
        return None
    return DraftRules(stated or draft(schema), stated is not None)


class _NodeBuilder:
    """A subschema under present names (`out`), where a keyword stood that has a new name (`stood`), and the keywords
    that are left out, with the code of the loss (`gone`).
    """

    __slots__ = ("gone", "how", "node", "out", "stood")

    def __init__(self, node: dict[str, Any], how: DraftRules) -> None:
        self.node = node
        self.how = how
        self.out: dict[str, Any] = {}
        self.stood: dict[str, str] = {}
        self.gone: list[tuple[str, str]] = []

    def rename(self, key: str, new: str, value: Any) -> None:
        """Write the value of `key` under its present name, in place of what has that name already."""
        if new != key and new in self.out and new not in self.stood:
            self.drop_other(new)
        self.out[new] = value
        self.stood[new] = key

    def drop(self, key: str, code: str = "TB103") -> None:
        """Leave a keyword out."""
        self.gone.append((code, key))

    def drop_other(self, key: str) -> None:
        """Leave a keyword out because an older one has its name now; that it says nothing is only a comment."""
        self.drop(key, "TB201" if self.node[key] else "TB103")


_Form: TypeAlias = Callable[[_NodeBuilder, str, Any], bool]
"""Writes a keyword with its value in its present form; False where it stays as it is."""


def upgrade(node: dict[str, Any], how: DraftRules) -> tuple[dict[str, Any], dict[str, str], list[tuple[str, str]]]:
    """A subschema under present names; where a keyword stood that has a new name; what is left out, with its code."""
    lone = "$ref" in node and how.lone_ref
    if (
        _changing(how).isdisjoint(node)
        and node.get("items").__class__ is not list
        and not (lone and node.keys() - BESIDE_LONE_REF)
    ):
        return node, {}, []
    unknown, forms = _unknown(how), _forms(how)
    it = _NodeBuilder(node, how)
    for key, value in cast("dict[str, Value]", node).items():
        if key in unknown or (lone and key not in BESIDE_LONE_REF):
            it.drop(key)
            continue
        form = forms.get(key)
        if form is not None and form(it, key, value):
            continue
        if key not in it.out:
            it.out[key] = value
        elif it.stood[key] != key:
            it.drop_other(key)
    return it.out, it.stood, it.gone


def _unknown(how: DraftRules) -> frozenset[str]:
    return _UNKNOWN[how.draft] if how.stated else frozenset()


def _forms(how: DraftRules) -> dict[str, _Form]:
    return _FORMS_3 if how.draft == "draft3" else _FORMS


@lru_cache(maxsize=16)
def _changing(how: DraftRules) -> frozenset[str]:
    """The keywords without which, but for a list of `items`, a subschema stays as it is."""
    return _unknown(how) | _forms(how).keys() - {"const", "items", "minimum", "maximum"}


def changed_keywords(stated: Draft | None) -> frozenset[str]:
    """The keywords that mean something else, or nothing, in a schema that states an old draft; none from draft 7 on.

    A subschema without them means the same in the newest draft, unless its `items` are a list.
    """
    return _changing(DraftRules(stated, stated=True)) if stated is not None and stated in OLD_DRAFTS else frozenset()


BESIDE_LONE_REF: Final = frozenset({"$ref", "$defs", "definitions", "$schema"})
"""Keywords that mean something in a node with a `$ref`, where nothing else does."""


def _items(it: _NodeBuilder, key: str, value: Value) -> bool:
    if not isinstance(value, list):
        return False
    it.rename(key, "prefixItems", value)
    return True


def _additional_items(it: _NodeBuilder, key: str, value: Value) -> bool:
    if isinstance(it.node.get("items"), list):
        it.rename(key, "items", value)
    else:
        it.drop(key)
    return True


def _exclusive(it: _NodeBuilder, key: str, value: Value) -> bool:
    if not isinstance(value, bool):
        return False
    bound = "minimum" if key == "exclusiveMinimum" else "maximum"
    if value and bound in it.node:
        it.out[key] = it.node[bound]
        it.stood[key] = bound
    else:
        it.drop(key)
    return True


def _bound(it: _NodeBuilder, key: str, _: Value) -> bool:
    return it.node.get("exclusiveMinimum" if key == "minimum" else "exclusiveMaximum") is True


def _dependencies(it: _NodeBuilder, key: str, value: Value) -> bool:
    if not isinstance(value, dict):
        return False
    if it.how.draft == "draft3":
        value = {name: [inner] if isinstance(inner, str) else inner for name, inner in value.items()}
    names: dict[str, Any] = {name: inner for name, inner in value.items() if isinstance(inner, list)}
    schemas: dict[str, Any] = {name: inner for name, inner in value.items() if not isinstance(inner, list)}
    for new, part in (("dependentRequired", names), ("dependentSchemas", schemas)):
        if part:
            it.rename(key, new, part)
    if not value:
        it.drop(key)
    return True


def _nullable(it: _NodeBuilder, key: str, value: Value) -> bool:
    """Let the type be null as well, as OpenAPI 3.0 does; 3.0.3 gives it no effect where no type is stated.

    An enumeration has to list null itself (3.0.3, of `nullable`); who says it beside one that does not, or beside a
    `const`, means it to. So does who says it beside a reference or alternatives without a type (see `with_null`).
    """
    if not isinstance(value, bool):
        return False
    kind, enum = it.node.get("type"), it.node.get("enum")
    if value and "type" not in it.node and not _COMPOSED.isdisjoint(it.node):
        it.drop(key, WITH_NULL)
        return True
    is_enumerated = "type" not in it.node and isinstance(enum, list) and None not in enum
    if not value or kind == "null" or not (isinstance(kind, str) or is_enumerated):
        it.drop(key)
        return True
    if not is_enumerated:
        it.rename("type", "type", [kind, "null"])
    if _is_nullable_const(it):
        it.rename("const", "enum", [it.node["const"], None])
    elif isinstance(enum, list) and None not in enum:
        it.rename("enum", "enum", [*cast("list[Any]", enum), None])
    return True


_COMPOSED: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf"})

WITH_NULL: Final = "TB001"
"""The code with which `nullable` is left out where null is accepted besides all that the subschema says."""


def with_null(node: dict[str, Any], gone: list[tuple[str, str]]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The annotations of a subschema, and what it says of values other than null; None where null has no such part.

    `gone` is what `upgrade` left out. FastMCP 4.1.2 accepts null beside `allOf`, `anyOf` and `oneOf` as well
    (utilities/openapi/json_schema_converter.py, checked 2026-11-29); generators of documents write `allOf` with one
    reference so (Redocly/redocly-cli#1480).
    """
    if (WITH_NULL, "nullable") not in gone:
        return None
    rest = {key: value for key, value in node.items() if not is_annotation(key)}
    return {key: value for key, value in node.items() if key not in rest}, rest


def _const(it: _NodeBuilder, _: str, __: Value) -> bool:
    """Leave out a value that `nullable` enumerates with null."""
    return _is_nullable_const(it)


def _is_nullable_const(it: _NodeBuilder) -> bool:
    node, kind = it.node, it.node.get("type")
    return (
        node.get("nullable") is True
        and node.get("const") is not None
        and "const" not in _unknown(it.how)
        and isinstance(kind, str)
        and kind != "null"
    )


def _id(it: _NodeBuilder, key: str, value: Value) -> bool:
    if it.how.draft not in ID_AS_ID:
        return False
    it.rename(key, "$id", value)
    return True


_FORMS: Final[dict[str, _Form]] = {
    "items": _items,
    "additionalItems": _additional_items,
    "exclusiveMinimum": _exclusive,
    "exclusiveMaximum": _exclusive,
    "minimum": _bound,
    "maximum": _bound,
    "dependencies": _dependencies,
    "nullable": _nullable,
    "const": _const,
    "id": _id,
}


# draft 3


def _properties_3(it: _NodeBuilder, _: str, value: Value) -> bool:
    """Each property says itself that it is required."""
    if names := flagged_required(value):
        it.rename("properties", "required", names)
    return False


def _required_3(it: _NodeBuilder, key: str, value: Value) -> bool:
    if not isinstance(value, bool):
        return False
    it.drop(key)
    return True


def _type_3(it: _NodeBuilder, key: str, value: Value) -> bool:
    kinds: list[Any] = value if isinstance(value, list) else [value]
    if "any" in kinds:
        it.drop(key)
    elif any(isinstance(kind, dict) for kind in kinds):
        it.drop(key, "TB201")
    else:
        return False
    return True


def _divisible_by(it: _NodeBuilder, key: str, value: Value) -> bool:
    it.rename(key, "multipleOf", value)
    return True


def _constraint_3(it: _NodeBuilder, key: str, _: Value) -> bool:
    it.drop(key, "TB201")
    return True


_FORMS_3: Final[dict[str, _Form]] = {
    **_FORMS,
    "properties": _properties_3,
    "required": _required_3,
    "type": _type_3,
    "divisibleBy": _divisible_by,
    "extends": _constraint_3,
    "disallow": _constraint_3,
}
