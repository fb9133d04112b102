"""Judges the output of a converter for a tool, by rules of its own that do not use toolbridge.

Source and output are compared place by place (a place is a chain of property names and elements; unions, intersections
and references are followed). This finds parameters that are lost and keywords that are missing. Whether both schemas
accept the same is tested with argument objects (`probes`) and an independent validator.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import jsonschema_rs

from .probes import probes
from .rules import rejected
from .shape import Document, SchemaAt, elements, escape, levelled, others, properties

PLACES = 3000
"""Places of one schema that are compared."""

# Judged by what they accept: other keywords that accept the same are no change.
MEANT = {
    *("type", "enum", "const", "required", "properties", "items", "prefixItems", "additionalItems", "nullable"),
    *("additionalProperties", "anyOf", "oneOf", "allOf", "$ref", "$dynamicRef", "$recursiveRef"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
    *("minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems", "dependentRequired", "dependencies"),
}
# Statements about the schema itself, and definitions.
BOOKKEEPING = {
    *("$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$defs", "definitions"),
}
AT_SAME_PLACE = {"not", "if", "then", "else", "contains", "propertyNames", "patternProperties", "dependentSchemas"}


class Verdict(NamedTuple):
    """The findings about one written tool, each in words."""

    lost: list[str]
    dangling: list[str]
    rejected: list[str]
    unreported_keywords: list[str]
    unreported_meaning: list[str]


class Source:
    """A tool's input schema, read once for all converters."""

    def __init__(self, tool: dict[str, Any]) -> None:
        self.document = Document(tool.get("inputSchema", {}))
        level = levelled(self.document)
        self.meaning = level
        self.validator = _validator(level)
        self.probes = probes(level) if self.validator is not None else []
        self.listed = [
            _listed(self.document, probe.value, [SchemaAt(("",), self.document.root)]) for probe in self.probes
        ]


def _listed(document: Document, value: Any, starts: list[SchemaAt]) -> bool:
    """Whether the source lists all properties of an argument object, where it lists any."""
    if not isinstance(value, (dict, list)):
        return True
    place = document.place(starts)
    if isinstance(value, list):
        return all(_listed(document, inner, place.elements) for inner in value)
    lists = any("properties" in part.node for part in place.parts)
    states_others = any("additionalProperties" in part.node or "patternProperties" in part.node for part in place.parts)
    if lists and not states_others and not value.keys() <= place.named.keys():
        return False
    return all(_listed(document, inner, place.named.get(key, place.others)) for key, inner in value.items())


def _validator(level: Any) -> Any:
    """The validator of argument objects; None for a schema that it does not accept."""
    table = level.get("$defs", {}) if isinstance(level, dict) else {}
    schema = {key: value for key, value in level.items() if key != "$defs"} if isinstance(level, dict) else level
    try:
        whole = {"type": "object", "allOf": [schema], "$defs": table}
        return jsonschema_rs.Draft202012Validator(whole, validate_formats=False)
    except Exception:  # noqa: BLE001 - such as a pattern that it cannot compile
        return None


def judge(source: Source, target: str, written: dict[str, Any]) -> Verdict:
    """The verdict on the output of one converter for one tool."""
    schema = written.get("schema")
    document = Document({} if schema is None else schema)
    walk = _Walk(source.document, document, written.get("report", ()))
    if schema is None:
        walk.written = [SchemaAt(("",), {})]
    walk.run()
    unreported = walk.unreported if not (isinstance(schema, dict) and schema == source.document.root) else []
    return Verdict(
        walk.lost,
        document.dangling(),
        rejected(target, written),
        unreported,
        _meaning(source, document, written, walk),
    )


def _meaning(source: Source, document: Document, written: dict[str, Any], walk: _Walk) -> list[str]:
    level = levelled(document)
    if source.validator is None or level == source.meaning:
        return []
    validator = _validator(level)
    if validator is None:
        return []
    arguments = _Arguments(walk, written.get("restores", ()))
    found: dict[str, str] = {}
    strict = bool(written.get("strict"))
    for probe, listed in zip(source.probes, source.listed, strict=True):
        if strict and not listed:
            continue  # strict tools accept no properties that are not listed
        sent, accepted = probe.value, False
        for sent in arguments.to_target(probe.value):
            if accepted := validator.is_valid(sent):
                break
        is_valid = source.validator.is_valid(arguments.to_source(sent) if accepted else probe.value)
        if accepted != is_valid:
            effect = "widened" if accepted else "narrowed"
            if effect not in found and not walk.is_reported(effect, probe.path):
                found[effect] = f"{effect}: {json.dumps(sent, ensure_ascii=False)[:200]}"
                if len(found) == 2:
                    break
    return list(found.values())


class _Walk:
    """The comparison of a source and an output."""

    def __init__(self, source: Document, output: Document, report: Any) -> None:
        self.source = source
        self.output = output
        self.texts = [entry for entry in report if isinstance(entry, str)]
        self.entries = [entry for entry in report if isinstance(entry, dict)]
        self.renamed = {
            entry["source"]: entry["target"].rsplit("/", 1)[-1].replace("~1", "/").replace("~0", "~")
            for entry in self.entries
            if entry["effect"] == "renamed" and entry.get("target")
        }
        self.lost: list[str] = []
        self.unreported: list[str] = []
        self.written = [SchemaAt(("",), output.root)]
        self.left = PLACES

    def is_reported(self, effect: str, path: tuple[Any, ...] | None) -> bool:
        """Whether the report has this effect on what is accepted, at a place, above or below it.

        A log entry may mean any effect, and so may one at a definition.
        """
        if self.texts:
            return True
        wanted = None if path is None else tuple(step if isinstance(step, str) else 0 for step in path)
        for entry in self.entries:
            if entry["effect"] in (effect, "repaired") and entry["source"].startswith("/inputSchema"):
                place = _path(entry["source"])
                if wanted is None or place is None or place[: len(wanted)] == wanted[: len(place)]:
                    return True
        return False

    def covered(self, places: tuple[str, ...], keyword: str = "") -> bool:
        """Whether the report names a place, or one above or below it; the whole schema is no place."""
        for place in places:
            where = f"/inputSchema{place}" + (f"/{escape(keyword)}" if keyword else "")
            for entry in self.entries:
                reported = entry.get("source") or ""
                at_or_below = reported == where or reported.startswith(f"{where}/")
                above = where.startswith(f"{reported}/") and (reported.count("/") > 1 or not place)
                if at_or_below or above:
                    return True
        return any(keyword in text for text in self.texts) if keyword else bool(self.texts)

    def name(self, places: tuple[str, ...], old: str) -> str:
        """The name of a property in the output."""
        for place in places:
            if (new := self.renamed.get(f"/inputSchema{place}")) is not None:
                return new
        return old

    def run(self) -> None:
        level = [([SchemaAt(("",), self.source.root)], self.written)]
        while level and self.left > 0:
            deeper: list[tuple[list[SchemaAt], list[SchemaAt]]] = []
            for starts, written in level:
                self.left -= 1
                if self.left <= 0:
                    return
                mine = self.source.parts(starts)
                theirs = self.output.parts(written, 1000)
                self.keywords(mine, theirs)
                named = properties(theirs)
                for old, below in properties(mine).items():
                    found = named.get(self.name(below[0].places, old))
                    if found is not None:
                        deeper.append((below, found))
                    elif not all(start.again for start in below):
                        self.lost.append(below[0].places[-1])
                        self.note(below[0].places, "", "parameter")
                if (below := elements(mine)) and (found := elements(theirs)):
                    deeper.append((below, found))
                elif below:
                    self.note_missing(below)
                if (below := others(mine)) and (found := others(theirs)):
                    deeper.append((below, found))
            level = deeper

    def note_missing(self, starts: list[SchemaAt]) -> None:
        """Note the parameters below a place that the output does not have."""
        for old, below in properties(self.source.parts(starts)).items():
            if not all(start.again for start in below):
                self.lost.append(f"{below[0].places[-1]}")
                self.note(below[0].places, "", f"parameter {old}")

    def keywords(self, mine: list[SchemaAt], theirs: list[SchemaAt]) -> None:
        for part in mine:
            for keyword, value in part.node.items():
                if keyword in MEANT or keyword in BOOKKEEPING or keyword in part.overridden:
                    continue
                if not _kept(keyword, value, theirs):
                    self.note(part.places, keyword, keyword)

    def note(self, places: tuple[str, ...], keyword: str, words: str) -> None:
        if not self.covered(places, keyword):
            self.unreported.append(f"{places[-1]}: {words}")


def _path(pointer: str) -> tuple[Any, ...] | None:
    """The steps that arguments take to the place of a pointer; None where it leads through a definition."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[2:]]
    path: list[Any] = []
    while steps:
        step = steps.pop(0)
        if step in ("$defs", "definitions", "patternProperties", "additionalProperties"):
            return None
        if step == "properties" and steps:
            path.append(steps.pop(0))
        elif step in ("items", "prefixItems"):
            path.append(0)
            if steps and steps[0].isdecimal():
                steps.pop(0)
        elif step in ("anyOf", "oneOf", "allOf") and steps:
            steps.pop(0)
        else:
            break
    return tuple(path)


def _kept(keyword: str, value: Any, theirs: list[SchemaAt]) -> bool:
    if keyword == "description" and isinstance(value, str):
        return not value.strip() or any(value.strip() in str(part.node.get("description", "")) for part in theirs)
    if keyword in ("examples", "example"):
        wanted = value if keyword == "examples" and isinstance(value, list) else [value]
        there: list[Any] = []
        for part in theirs:
            there += part.node["examples"] if isinstance(part.node.get("examples"), list) else []
            there += [part.node["example"]] if "example" in part.node else []
        return all(any(_same(one, other) for other in there) for one in wanted)
    if keyword in AT_SAME_PLACE or keyword.startswith("unevaluated"):
        return any(keyword in part.node for part in theirs) or value in ({}, True)
    return any(keyword in part.node and _same(value, part.node[keyword]) for part in theirs)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


class _Arguments:
    """The conversion of arguments to the target and back, as the converter documents it."""

    def __init__(self, walk: _Walk, conversions: Any) -> None:
        self.walk = walk
        self.null, self.text = "null" in conversions, "text" in conversions
        self.plain = not self.null and not self.text and not walk.renamed

    def to_target(self, value: Any) -> Iterator[Any]:
        """The spellings of an argument object: if the target has alternatives, null is filled in for each."""
        if self.plain:
            yield value
            return
        start = [SchemaAt(("",), self.walk.source.root)]
        tried: list[Any] = []
        for turn in range(5 if self.null else 1):
            sent = self._to_target(value, start, self.walk.written, turn)
            if sent not in tried:
                tried.append(sent)
                yield sent

    def to_source(self, value: Any) -> Any:
        if self.plain:
            return value
        return self._to_source(value, [SchemaAt(("",), self.walk.source.root)])

    def _to_target(self, value: Any, starts: list[SchemaAt], written: list[SchemaAt], turn: int) -> Any:
        if not isinstance(value, (dict, list)) and not (self.text and not isinstance(value, str)):
            return value
        mine, theirs = self.walk.source.place(starts), self.walk.output.place(written)
        if isinstance(value, list):
            return [self._to_target(inner, mine.elements, theirs.elements, turn) for inner in value]
        if not isinstance(value, dict):
            choices = [one for part in theirs.parts for one in part.node.get("enum") or ()]
            text = json.dumps(value)
            return text if choices and all(isinstance(one, str) for one in choices) and text in choices else value
        sent: dict[str, Any] = {}
        for key, inner in value.items():
            below = mine.named.get(key, [])
            new = self.walk.name(below[0].places, key) if below else key
            sent[new] = self._to_target(inner, below or mine.others, theirs.named.get(new) or theirs.others, turn)
        if self.null:
            required = [part.node["required"] for part in theirs.parts if isinstance(part.node.get("required"), list)]
            if turn and required:
                required = [required[(turn - 1) % len(required)]]
            missing = {name for names in required for name in names} - sent.keys()
            return {**sent, **dict.fromkeys(sorted(missing))}
        return sent

    def _to_source(self, value: Any, starts: list[SchemaAt]) -> Any:
        if isinstance(value, list):
            below = self.walk.source.place(starts).elements
            return [self._to_source(inner, below) for inner in value]
        if isinstance(value, dict):
            place = self.walk.source.place(starts)
            old = {self.walk.name(below[0].places, key): key for key, below in place.named.items()}
            back: dict[str, Any] = {}
            for new, inner in value.items():
                key = old.get(new, new)
                below = place.named.get(key, [])
                if not (self.null and inner is None and below and not self._null(below)):
                    back[key] = self._to_source(inner, below or place.others)
            return back
        if self.text and isinstance(value, str):
            nodes = [part.node for part in self.walk.source.place(starts).parts]
            choices = [
                one for node in nodes for one in (node.get("enum") or [node[key] for key in node if key == "const"])
            ]
            if value not in choices:
                return next((one for one in choices if not isinstance(one, str) and json.dumps(one) == value), value)
        return value

    def _null(self, starts: list[SchemaAt]) -> bool:
        """Whether the source takes null there."""
        for part in self.walk.source.place(starts).parts:
            node = part.node
            if "type" not in node and any(key in node for key in ("$ref", "anyOf", "oneOf", "allOf")):
                continue  # its parts say
            kinds = node.get("type", "null")
            typed = node.get("nullable") is True or kinds == "null" or (isinstance(kinds, list) and "null" in kinds)
            if typed and None in (node.get("enum") or (None,)) and node.get("const") is None:
                return True
        return False
