"""The law Meaning bites: it finds what two schemas accept differently, and is quiet where the report says so."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laws import meaning
from laws.meaning import Sides
from toolbridge.losses.report import Loss, Report


def sides(
    meant: Any, got: Any, *codes: str, argument_map: dict[str, Any] | None = None, at: str = "/inputSchema"
) -> Sides:
    losses = [Loss(code, at, None, None) for code in codes]
    accepts, takes = meaning.validator(meant), meaning.validator(got)
    assert accepts is not None
    assert takes is not None
    report = Report(losses, source="mcp@2025-11-25", target="openai@chat")
    return Sides(meant, got, accepts, takes, argument_map, report, ("/inputSchema", "/function/parameters"))


def breach(it: Sides) -> str | None:
    return meaning.breach(it, meaning.arguments(it, Random(1), 20))


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


WIDER: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (of(a={"type": "integer", "minimum": 3}), of(a={"type": "integer"})),
    (of(a={"type": "integer", "multipleOf": 5}), of(a={"type": "integer"})),
    (of(a={"type": "number", "exclusiveMaximum": 3}), of(a={"type": "number", "maximum": 3})),
    (of(a={"type": "integer"}), of(a={"type": "number"})),
    (of(a={"type": "string", "minLength": 1}), of(a={"type": "string"})),
    (of(a={"type": "string", "maxLength": 40}), of(a={"type": "string"})),
    (of(a={"type": "string", "pattern": "^[a-z]+$"}), of(a={"type": "string"})),
    (of(a={"enum": ["x", "y"]}), of(a={"type": "string"})),
    (of(a={"type": "string"}), of(a={"type": ["string", "null"]})),
    (of(a={"type": "array", "minItems": 2}), of(a={"type": "array"})),
    (of(a={"type": "array", "items": {"type": "string"}, "uniqueItems": True}), of(a={"type": "array"})),
    (of(a={"type": "array", "items": {"type": "string"}}), of(a={"type": "array"})),
    ({**of(a={}), "required": ["a"]}, of(a={})),
    ({**of(a={}), "additionalProperties": False}, of(a={})),
    ({**of(a={}, b={}), "dependentRequired": {"a": ["b"]}}, of(a={}, b={})),
    ({**of(a={}, b={}), "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, of(a={}, b={})),
    ({**of(a={}, b={}), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, of(a={}, b={})),
    (of(a={"anyOf": [{"type": "string"}, {"type": "integer"}]}), of(a={})),
    (of(a=of(b=of(c={"type": "boolean"}))), of(a=of(b=of(c={})))),
    (
        {**of(a={"$ref": "#/$defs/X"}), "$defs": {"X": {**of(b={"$ref": "#/$defs/X"}), "required": ["k"]}}},
        of(a={"type": "object", "required": ["k"]}),
    ),
]


@pytest.mark.parametrize(("narrow", "wide"), WIDER)
def test_what_is_wider_is_found(narrow: Any, wide: Any) -> None:
    assert "is accepted" in (breach(sides(narrow, wide)) or "")
    assert breach(sides(narrow, wide, "TB201")) is None
    assert breach(sides(narrow, wide, "TB201", at="/outputSchema")) is not None
    assert breach(sides(narrow, wide, "TB302")) is not None


@pytest.mark.parametrize(("narrow", "wide"), WIDER)
def test_what_is_narrower_is_found(narrow: Any, wide: Any) -> None:
    assert "is refused" in (breach(sides(wide, narrow)) or "")
    assert breach(sides(wide, narrow, "TB302")) is None
    assert breach(sides(wide, narrow, "TB201")) is not None


NULLS = (
    of(a={"type": "string"}),
    {**of(a={"type": ["string", "null"]}), "required": ["a"]},
    {"omit": ["a"]},
)
RENAMED = (of(ü={"type": "string"}), of(u={"type": "string"}), {"rename": {"u": "ü"}})
TEXTS = (
    of(a={"enum": [1, 2]}),
    of(a={"enum": ["1", "2"]}),
    {"properties": {"a": {"text": {"1": 1, "2": 2}}}},
)


@pytest.mark.parametrize(("meant", "got", "way"), [NULLS, RENAMED, TEXTS])
def test_the_way_counts(meant: Any, got: Any, way: dict[str, Any]) -> None:
    assert breach(sides(meant, got, argument_map=way)) is None
    assert breach(sides(meant, got)) is not None


def test_a_way_that_leads_elsewhere_is_found() -> None:
    meant, got, _ = TEXTS
    wrong = {"properties": {"a": {"text": {"1": 2, "2": 1}}}}
    assert breach(sides(meant, got, argument_map=wrong)) is None, "a permutation and its inverse lead home"
    meant = of(a={"enum": [1, 2]}, b={"type": "string"})
    got = of(a={"enum": ["1"]}, b={"type": "string"})
    assert breach(sides(meant, got, argument_map={"properties": {"a": {"text": {"1": 3}}}})) is not None
    assert "home" in (breach(sides(of(a={}), of(a={}), argument_map={"omit": ["a"], "rename": {"b": "a"}})) or "home")
