"""Schemas for the judge: their subschemas, the targets of references, and one draft for the validator.

`Document` is a schema as it was written. `levelled` converts it to draft 2020-12 with all references in one flat table,
so that one validator can be used for all drafts, the keywords of OpenAPI and the types of Gemini.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote

MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
SINGLE = (
    *("items", "additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems"),
    *("not", "if", "then", "else", "contains", "propertyNames"),
)
UNIONS = ("anyOf", "oneOf", "allOf")
COUNTS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties", "minContains")
ANNOTATIONS = frozenset((
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
))
TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
OLD = ("draft-03", "draft-04", "draft-05", "draft-06", "draft-07")


def escape(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


def below(node: Any) -> Iterator[tuple[str, Any]]:
    """The subschemas directly in a node, each with its pointer from there."""
    if not isinstance(node, dict):
        return
    for key in MAPS:
        if isinstance(inner := node.get(key), dict):
            for name, schema in inner.items():
                yield f"/{key}/{escape(name)}", schema
    for key in LISTS:
        if isinstance(inner := node.get(key), list):
            for index, schema in enumerate(inner):
                yield f"/{key}/{index}", schema
    for key in SINGLE:
        if key in node:
            if key == "items" and isinstance(node[key], list):
                for index, schema in enumerate(node[key]):
                    yield f"/{key}/{index}", schema
            else:
                yield f"/{key}", node[key]
    for name, schema in (node.get("dependencies") or {}).items():
        if not isinstance(schema, list):
            yield f"/dependencies/{escape(name)}", schema


def all_below(node: Any, pointer: str = "", seen: frozenset[int] = frozenset()) -> Iterator[tuple[str, Any]]:
    """A schema and everything below it. No reference is followed."""
    yield pointer, node
    for where, inner in below(node):
        if id(inner) not in seen:
            yield from all_below(inner, pointer + where, seen | {id(node)})


class SchemaAt(NamedTuple):
    """A schema at a place: `places` are its pointers (its own, and those by the references that led to it)."""

    places: tuple[str, ...]
    node: Any
    seen: tuple[str, ...] = ()
    again: bool = False  # below a recursive reference
    overridden: frozenset[str] = frozenset()  # annotations beside the reference, which replace those of its target


class Document:
    """A schema as it was written."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.id = root.get("$id", root.get("id")) if isinstance(root, dict) else None
        declared = root.get("$schema") if isinstance(root, dict) else None
        self.old = isinstance(declared, str) and any(draft in declared for draft in OLD)
        self._anchors: dict[str, tuple[str, Any]] | None = None
        self._places: dict[tuple[str, ...], Place] = {}

    def find(self, reference: Any) -> tuple[str, Any] | None:
        """The pointer and the schema that a reference within the document leads to."""
        if not isinstance(reference, str):
            return None
        if isinstance(self.id, str) and self.id and reference.startswith(self.id.rstrip("#")):
            reference = reference[len(self.id.rstrip("#")) :] or "#"
        if not reference.startswith("#"):
            return None
        if not reference.startswith("#/"):
            return ("", self.root) if reference == "#" else self._anchored(reference[1:])
        at: Any = self.root
        steps = [unquote(step).replace("~1", "/").replace("~0", "~") for step in reference[2:].split("/")]
        for step in steps:
            if isinstance(at, dict) and step in at:
                at = at[step]
            elif isinstance(at, list) and step.isdecimal() and int(step) < len(at):
                at = at[int(step)]
            else:
                return None
        return ("".join(f"/{escape(step)}" for step in steps), at) if isinstance(at, (dict, bool)) else None

    def _anchored(self, name: str) -> tuple[str, Any] | None:
        if self._anchors is None:
            self._anchors = {}
            for pointer, node in all_below(self.root):
                if isinstance(node, dict):
                    for name_of_schema in (
                        node.get("$anchor"),
                        node.get("$dynamicAnchor"),
                        node.get("$id"),
                        node.get("id"),
                    ):
                        if isinstance(name_of_schema, str):
                            self._anchors.setdefault(name_of_schema.removeprefix("#"), (pointer, node))
        return self._anchors.get(name)

    def dangling(self) -> list[str]:
        """References that lead nowhere in the document."""
        nodes = (node for _, node in all_below(self.root) if isinstance(node, dict))
        return [str(node["$ref"]) for node in nodes if "$ref" in node and self.find(node["$ref"]) is None]

    def place(self, starts: list[SchemaAt]) -> Place:
        """The schemas of a place, looked up once; recursive references are followed at every level."""
        key = tuple(start.places[0] for start in starts)
        if key not in self._places:
            parts = self.parts([start._replace(seen=()) for start in starts], 1000)
            self._places[key] = Place(parts, properties(parts), elements(parts), others(parts))
        return self._places[key]

    def parts(self, starts: list[SchemaAt], turns: int = 2) -> list[SchemaAt]:
        """The schemas that apply to one place, with those in its unions, intersections and references."""
        found: list[SchemaAt] = []
        todo = list(reversed(starts))
        here: set[str] = set()
        while todo and len(found) < 200:
            start = todo.pop()
            node = start.node
            if not isinstance(node, dict):
                continue
            found.append(start)
            reference = node.get("$ref", node.get("$dynamicRef", node.get("$recursiveRef")))
            target = None if reference is None else self.find(reference)
            if target is not None and target[0] not in here:
                here.add(target[0])
                passed = start.seen.count(target[0])
                if passed < turns:
                    again = start.again or passed > 0 or start.places[-1].startswith(f"{target[0]}/")
                    overridden = start.overridden | (ANNOTATIONS & node.keys())
                    places = (target[0], *start.places[:6], start.places[-1])
                    todo.append(SchemaAt(places, target[1], (*start.seen, target[0]), again, overridden))
            if self.old and reference is not None:
                continue
            for key in UNIONS:
                if isinstance(members := node.get(key), list):
                    todo += [
                        start._replace(places=_under(start, f"/{key}/{index}"), node=member)
                        for index, member in enumerate(members)
                    ]
        return found


def _under(start: SchemaAt, step: str) -> tuple[str, ...]:
    return tuple(place + step for place in start.places)


def admits(node: dict[str, Any], kind: str) -> bool:
    """Whether a node's own type lets a value of this kind through."""
    types = node.get("type", kind)
    return kind in [str(one).lower() for one in (types if isinstance(types, list) else [types])]


def properties(parts: list[SchemaAt]) -> dict[str, list[SchemaAt]]:
    """The named properties of a place. `properties` beside the type of a string is ignored."""
    found: dict[str, list[SchemaAt]] = {}
    for part in parts:
        if isinstance(named := part.node.get("properties"), dict) and admits(part.node, "object"):
            for name, node in named.items():
                places = _under(part, f"/properties/{escape(name)}")
                found.setdefault(name, []).append(SchemaAt(places, node, part.seen, part.again))
    return found


def elements(parts: list[SchemaAt]) -> list[SchemaAt]:
    """The schemas of the elements of an array, at any index."""
    found: list[SchemaAt] = []
    for part in parts:
        if not admits(part.node, "array"):
            continue
        for key in ("items", "prefixItems"):
            value = part.node.get(key)
            if isinstance(value, list):
                found += [
                    SchemaAt(_under(part, f"/{key}/{index}"), node, part.seen, part.again)
                    for index, node in enumerate(value)
                ]
            elif isinstance(value, dict):
                found.append(SchemaAt(_under(part, f"/{key}"), value, part.seen, part.again))
    return found


def others(parts: list[SchemaAt]) -> list[SchemaAt]:
    """The schemas of properties that are not listed by name."""
    found: list[SchemaAt] = []
    for part in parts:
        if isinstance(rest := part.node.get("additionalProperties"), dict):
            found.append(SchemaAt(_under(part, "/additionalProperties"), rest, part.seen, part.again))
        if isinstance(named := part.node.get("patternProperties"), dict):
            for name, node in named.items():
                places = _under(part, f"/patternProperties/{escape(name)}")
                found.append(SchemaAt(places, node, part.seen, part.again))
    return found


class Place(NamedTuple):
    """One place of a document, as an argument object has it: through references and unions."""

    parts: list[SchemaAt]
    named: dict[str, list[SchemaAt]]
    elements: list[SchemaAt]
    others: list[SchemaAt]


class _Converter:
    """Converts a document to draft 2020-12."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.table: dict[str, Any] = {}
        self.todo: list[tuple[str, Any]] = []

    def refer(self, reference: Any) -> str | None:
        found = self.document.find(reference)
        if found is None:
            return None
        pointer, node = found
        key = pointer.replace("~", "_").replace("/", ".") or "root"
        if key not in self.table:
            self.table[key] = True
            self.todo.append((key, node))
        return f"#/$defs/{key.replace('%', '%25')}"

    def run(self) -> Any:
        root = self.node(self.document.root)
        while self.todo:
            key, node = self.todo.pop()
            self.table[key] = self.node(node)
        if not self.table or isinstance(root, bool):
            return root
        return {**root, "$defs": self.table}

    def node(self, node: Any) -> Any:
        if not isinstance(node, dict):
            return node if isinstance(node, bool) else True
        out: dict[str, Any] = {}
        reference = node.get("$ref", node.get("$dynamicRef", node.get("$recursiveRef")))
        if reference is not None:
            target = self.refer(reference)
            if target is not None:
                out["$ref"] = target
            if self.document.old:
                return out
        for key, value in node.items():
            self.keyword(out, node, key, value)
        if node.get("nullable") is True:
            return _with_null(out)
        return out

    def keyword(self, out: dict[str, Any], node: dict[str, Any], key: str, value: Any) -> None:
        if key == "type":
            names = [name.lower() for name in (value if isinstance(value, list) else [value]) if isinstance(name, str)]
            if names and TYPES.issuperset(names):
                out["type"] = list(dict.fromkeys(names)) if isinstance(value, list) else names[0]
        elif key == "enum" and isinstance(value, list):
            out["enum"] = [_number(member, node.get("type")) for member in value]
        elif key == "items":
            if isinstance(value, list):
                out["prefixItems"] = [self.node(member) for member in value] or [True]
                if "additionalItems" in node:
                    out["items"] = self.node(node["additionalItems"])
            else:
                out["items"] = self.node(value)
        elif key == "dependencies" and isinstance(value, dict):
            lists = {name: names for name, names in value.items() if isinstance(names, list)}
            out.setdefault("dependentRequired", {}).update(lists)
            schemas = {name: self.node(schema) for name, schema in value.items() if name not in lists}
            out.setdefault("dependentSchemas", {}).update(schemas)
        elif key in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
            bound = "minimum" if key == "exclusiveMinimum" else "maximum"
            if value and bound in node:
                out[key] = node[bound]
                out.pop(bound, None)
        elif key in COUNTS or key == "maxContains":
            number = int(value) if isinstance(value, str) and value.isdecimal() else value
            if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
                out[key] = number
        elif key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
            bound = isinstance(value, (int, float)) and not isinstance(value, bool)
            if bound and node.get(f"exclusive{key.title()}") is not True:
                out[key] = value
        elif key in ("properties", "patternProperties", "dependentSchemas") and isinstance(value, dict):
            out.setdefault(key, {}).update({name: self.node(schema) for name, schema in value.items()})
        elif key in LISTS and isinstance(value, list) and value:
            out[key] = [self.node(member) for member in value]
        elif key in SINGLE and key != "additionalItems" and isinstance(value, (dict, bool)):
            out[key] = self.node(value)
        elif key == "required" and isinstance(value, list):
            out[key] = list(dict.fromkeys(name for name in value if isinstance(name, str)))
        elif (
            (key == "dependentRequired" and isinstance(value, dict))
            or (key == "uniqueItems" and isinstance(value, bool))
            or (key == "pattern" and isinstance(value, str))
            or key == "const"
        ):
            out[key] = value


def _number(member: Any, kind: Any) -> Any:
    """A number that Gemini enumerates as text."""
    if isinstance(member, str) and str(kind).lower() in ("integer", "number"):
        try:
            return int(member) if str(kind).lower() == "integer" else float(member)
        except ValueError:
            return member
    return member


def _with_null(schema: dict[str, Any]) -> dict[str, Any]:
    if "type" not in schema and "enum" not in schema and "const" not in schema and "$ref" not in schema:
        return {"anyOf": [schema, {"type": "null"}]} if any(key in schema for key in UNIONS) else schema
    return {"anyOf": [schema, {"type": "null"}]}


def levelled(document: Document) -> Any:
    """The schema in 2020-12, its references in one table; references that lead nowhere are left out."""
    return _Converter(document).run()
