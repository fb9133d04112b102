"""The law Meaning: what the written schema accepts and refuses, set against the source's, argument by argument."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, NamedTuple, TypeAlias

import jsonschema_rs

from laws.arguments import home, nodes, samples
from laws.law import copied, schema_place, text
from toolbridge import convert
from toolbridge.data.pointer import overlap
from toolbridge.losses.report import Report
from toolbridge.mapping.format import Format
from toolbridge.mapping.record import Record
from toolbridge.schema import draft
from toolbridge.schema.arguments import adapt_arguments

Accepts: TypeAlias = Callable[[Any], bool]

VALIDATORS = {
    "draft4": jsonschema_rs.Draft4Validator,
    "draft6": jsonschema_rs.Draft6Validator,
    "draft7": jsonschema_rs.Draft7Validator,
    "2019-09": jsonschema_rs.Draft201909Validator,
    "2020-12": jsonschema_rs.Draft202012Validator,
    "openapi-3.0": jsonschema_rs.Draft4Validator,
}


def validator(schema: Any, *, older: bool = True) -> Accepts | None:
    """Whether a schema accepts a value, by somebody else's validator; None where it is none.

    Where no draft is stated, it is the one that `draft` infers (`older`), or 2020-12. Formats are annotations in every
    draft, as 2020-12 has it: nobody who calls tools is known to check them.
    """
    stated = isinstance(schema, dict) and "$schema" in schema
    kind = draft(schema) if stated or older else "2020-12"
    if kind == "draft3":
        return None
    if kind == "openapi-3.0":
        schema = _nullable(schema)
    if not stated and kind in ("draft4", "openapi-3.0"):
        schema = _with_siblings(schema)
    try:
        made = VALIDATORS[kind](schema, validate_formats=False)
    except (ValueError, jsonschema_rs.ReferencingError):
        return None
    return made.is_valid


def _with_siblings(schema: Any) -> Any:
    """References with what stands beside them under `allOf`: who states no draft means both."""
    schema = copied(schema)
    for node in [node for node in nodes(schema) if isinstance(node.get("$ref"), str) and len(node) > 1]:
        node["allOf"] = [*node.get("allOf", []), {"$ref": node.pop("$ref")}]
    return schema


_COMPOSED = ("$ref", "allOf", "anyOf", "oneOf")
"""Keywords beside which `nullable` means something without a type, although 3.0.3 denies it."""


def _nullable(schema: Any) -> Any:
    """OpenAPI's `nullable`, which no validator knows, as `anyOf` with null."""
    schema = copied(schema)
    for node in [node for node in nodes(schema) if node.get("nullable") is True]:
        if not isinstance(node.get("type"), str) and ("type" in node or node.keys().isdisjoint(("enum", *_COMPOSED))):
            continue
        del node["nullable"]
        plain = dict(node)
        node.clear()
        node["anyOf"] = [plain, {"type": "null"}]
    return schema


class Sides(NamedTuple):
    """One tool before and after a crossing: the schemas of its arguments, and what judges them."""

    meant: Any
    got: Any
    accepts: Accepts
    takes: Accepts
    argument_map: dict[str, Any] | None
    report: Report
    places: tuple[str, str]


def sides(document: Any, a: Format, b: Format) -> Sides | None:
    """Both sides of a crossing; None where one of them says nothing of its arguments, or no validator can read it."""
    done = convert(document, b, source=a)
    one, other = reads(document, a), reads(done.value, b)
    meant, got = one.fields.get("input"), other.fields.get("input")
    if meant is None or got is None:
        return None
    accepts, takes = validator(meant), validator(got)
    if accepts is None or takes is None:
        return None
    way = done.argument_maps[0] if done.argument_maps else None
    if way is not None:
        way = json.loads(json.dumps(way))  # it is data, and is kept as that
    return Sides(meant, got, accepts, takes, way, done.report, (schema_place(one), schema_place(other)))


def reads(document: Any, form: Format) -> Record:
    return form.tool.open(copied(document), form.family)


def arguments(it: Sides, rng: Random, count: int) -> Iterator[dict[str, Any]]:
    """Arguments for both sides: made for the one schema and for the other, and taken over from the one to the other."""
    for value in samples([it.meant, it.got], rng, count):
        yield value
        for moved in (adapt_arguments(value, it.argument_map), home(value, it.argument_map)):
            if moved is not None and moved != value:
                yield moved


def breach(it: Sides, values: Iterable[Any]) -> str | None:
    """What is wrong in meaning: accepted without TB2, refused without TB3, or changed on the way home.

    Where properties were renamed, an object that is open to strangers may have one of the new names for a stranger. No
    way can tell the two apart, so that such arguments are only looked at as what they are: written.
    """
    taken = {name for node in nodes(it.argument_map) for name in node.get("rename", {})}
    for value in values:
        before = json.dumps(value)
        back, there = home(value, it.argument_map), adapt_arguments(value, it.argument_map)
        if back is not None and it.takes(value) and not it.accepts(back) and not _told(it, "TB2"):
            return _sentence(it, f"{text(value)} is accepted, and is home as {text(back)}, which was refused")
        if it.accepts(value) and taken.isdisjoint(key for node in nodes(value) for key in node):
            if not it.takes(there):
                if not _told(it, "TB3"):
                    return _sentence(it, f"{text(value)} was accepted, and is there as {text(there)}, which is refused")
            elif not _same_but_omitted(value, home(there, it.argument_map)):
                return _sentence(
                    it, f"{text(value)} is there {text(there)}, and home {text(home(there, it.argument_map))}"
                )
        if json.dumps(value) != before:
            return _sentence(it, f"{before} was changed on its way")
    return None


def _told(it: Sides, code: str) -> bool:
    """Whether the report says so of the arguments, or of something above them."""
    source, target = it.places
    return any(
        overlap(loss.source, source) or (loss.target is not None and overlap(loss.target, target))
        for loss in it.report.matching(code, "TB0")
    )


def _same_but_omitted(value: Any, back: Any) -> bool:
    """Whether two values are one to JSON Schema, but for members that were null and are now left out."""
    if isinstance(value, dict) and isinstance(back, dict):
        return all(name in value for name in back) and all(
            _same_but_omitted(inner, back[name]) if name in back else inner is None for name, inner in value.items()
        )
    if isinstance(value, list) and isinstance(back, list):
        return len(value) == len(back) and all(map(_same_but_omitted, value, back))
    return isinstance(value, bool) == isinstance(back, bool) and value == back


def _sentence(it: Sides, what: str) -> str:
    losses = [(loss.code, loss.source, loss.target) for loss in it.report]
    return (
        f"{it.report.source} -> {it.report.target}: {what}\n"
        f" meant {text(it.meant)}\n written {text(it.got)}\n way {text(it.argument_map)}\n report {losses}"
    )


def meaning(document: Any, a: Format, b: Format, rng: Random, count: int = 30) -> str | None:
    """The law, on so many arguments for each side."""
    it = sides(document, a, b)
    return None if it is None else breach(it, arguments(it, rng, count))
