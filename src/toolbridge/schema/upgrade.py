"""One subschema of an older draft or of OpenAPI 3.0, as 2020-12 writes it.

The upgrade is exact: what it yields accepts what the old form accepted. Sources: the release notes of the drafts on
json-schema.org, and the OpenAPI 3.0.3 specification (checked 2026-11-21).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, cast

from .vocabulary import Draft, Value, draft, may_be_older_draft, older_spellings, stated_draft, subschemas

_SINCE_6: Final = frozenset({"const", "contains", "propertyNames", "examples"})
_SINCE_7: Final = frozenset({"if", "then", "else", "readOnly", "writeOnly", "$comment"})
_SINCE_2019: Final = frozenset({
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
    "minContains",
    "maxContains",
    "$anchor",
    "$recursiveRef",
    "$recursiveAnchor",
})
_SINCE_2020: Final = frozenset({"prefixItems", "$dynamicRef", "$dynamicAnchor"})

_UNKNOWN: Final[dict[Draft, frozenset[str]]] = {
    "draft4": _SINCE_6 | _SINCE_7 | _SINCE_2019 | _SINCE_2020,
    "draft6": _SINCE_7 | _SINCE_2019 | _SINCE_2020,
    "draft7": _SINCE_2019 | _SINCE_2020,
    "2019-09": _SINCE_2020,
    "2020-12": frozenset({"$recursiveRef", "$recursiveAnchor"}),
    "openapi-3.0": frozenset(),
}
"""Keywords that mean nothing in a schema that states this draft."""


class DraftRules(NamedTuple):
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
        return self.stated and self.draft in ("draft4", "draft6", "draft7")


def draft_rules(schema: dict[str, Any], data: bytes | None) -> DraftRules | None:
    """How a schema, of which `data` is the JSON text, is written; None for one that is 2020-12 as it stands."""
    stated = stated_draft(schema) if "$schema" in schema else None
    old = may_be_older_draft(data) and older_spellings(schema)
    nulls = (data is None or b'"nullable"' in data) and any("nullable" in sub for sub in subschemas(schema))
    if stated is not None:
        return None if stated == "2020-12" and not (old or nulls) else DraftRules(stated, stated=True)
    return DraftRules(draft(schema), stated=False) if old or nulls else None


def upgrade(node: dict[str, Any], how: DraftRules) -> tuple[dict[str, Any], dict[str, str], list[str]]:
    """A subschema under present names; where a keyword stood that has a new name; keywords that mean nothing there."""
    out: dict[str, Any] = {}
    stood: dict[str, str] = {}
    dead: list[str] = []
    unknown = _UNKNOWN[how.draft] if how.stated else frozenset[str]()
    tuple_form = isinstance(node.get("items"), list)
    lone = how.lone_ref and "$ref" in node
    for key, value in cast("dict[str, Value]", node).items():
        if key in unknown or (lone and key not in ("$ref", "$defs", "definitions", "$schema")):
            dead.append(key)
        elif key == "items" and tuple_form:
            out["prefixItems"] = value
            stood["prefixItems"] = "items"
        elif key == "additionalItems":
            if tuple_form:
                out["items"] = value
                stood["items"] = "additionalItems"
            else:
                dead.append(key)
        elif key in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
            bound = "minimum" if key == "exclusiveMinimum" else "maximum"
            if value and bound in node:
                out[key] = node[bound]
                stood[key] = bound
            else:
                dead.append(key)
        elif key in ("minimum", "maximum") and node.get(_EXCLUSIVE[key]) is True:
            pass
        elif key == "dependencies" and isinstance(value, dict):
            names: dict[str, Any] = {name: inner for name, inner in value.items() if isinstance(inner, list)}
            schemas: dict[str, Any] = {name: inner for name, inner in value.items() if not isinstance(inner, list)}
            for new, part in (("dependentRequired", names), ("dependentSchemas", schemas)):
                if part:
                    out[new] = part
                    stood[new] = key
            if not value:
                dead.append(key)
        elif key == "nullable" and isinstance(value, bool):
            if not (value and _null(node, out, stood)):
                dead.append(key)
        elif key == "id" and how.draft == "draft4":
            out["$id"] = value
            stood["$id"] = key
        elif key not in out:
            out[key] = value
    return out, stood, dead


_EXCLUSIVE: Final = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}


def _null(node: dict[str, Any], out: dict[str, Any], stood: dict[str, str]) -> bool:
    """Let the type be null as well, as OpenAPI 3.0 does; it has no effect where no type is stated.

    An enumeration has to list null itself (3.0.3, of `nullable`); who says it beside one that does not means it to.
    """
    kind, enum = node.get("type"), node.get("enum")
    if not isinstance(kind, str) or kind == "null":
        return False
    out["type"] = [kind, "null"]
    stood["type"] = "type"
    if isinstance(enum, list) and None not in enum:
        out["enum"] = [*cast("list[Any]", enum), None]
        stood["enum"] = "enum"
    return True
