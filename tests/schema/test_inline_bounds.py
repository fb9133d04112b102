"""Writing references out within bounds: what would become endless is refused, and what comes out is plain."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest

from patience import stopped_after
from schema.inlined import written
from toolbridge.limits import Limits
from toolbridge.schema import BudgetExceeded


def bomb(levels: int, last: dict[str, Any], **beside: Any) -> dict[str, Any]:
    def level(number: int) -> dict[str, Any]:
        both = {"$ref": f"#/$defs/L{number + 1}"} | beside
        return {"properties": {"a": both, "b": both}} | beside

    return {"properties": {"r": {"$ref": "#/$defs/L0"}}} | {
        "$defs": {f"L{number}": level(number) for number in range(levels)} | {f"L{levels}": last}
    }


CLIQUE = {
    "allOf": [{"$ref": "#/$defs/0"}],
    "$defs": {str(one): {"allOf": [{"$ref": f"#/$defs/{other}"} for other in range(8)]} for one in range(8)},
}


@pytest.mark.parametrize(
    "schema",
    [
        bomb(20, {"type": "string"}),
        bomb(18, {"type": "string"}, description="d"),
        bomb(18, {"type": "string"}, minimum=1),
        bomb(18, {"$ref": "#/$defs/L0"}),
        bomb(18, {"$ref": "#/$defs/No"}),
        CLIQUE,
    ],
    ids=["plain", "described", "constrained", "circular", "dangling", "clique"],
)
def test_a_bomb_is_refused_soon(schema: dict[str, Any]) -> None:
    with stopped_after(4), pytest.raises(BudgetExceeded) as caught:
        written(schema)
    assert caught.value.pointer.startswith("/$defs/")


def test_what_is_shared_is_counted_each_time() -> None:
    schema = bomb(5, {"type": "string"})
    assert written(schema, Limits(nodes=1 + 63))[0]  # the root, and each reference
    with pytest.raises(BudgetExceeded):
        written(schema, Limits(nodes=63))
    big = {"enum": ["x" * 1000]}
    schema = {"anyOf": [{"$ref": "#/$defs/A"}] * 10, "$defs": {"A": big}}
    assert len(json.dumps(written(schema)[0])) > 10_000
    with pytest.raises(BudgetExceeded):
        written(schema, limits=Limits(output=9_000))


def test_references_within_references_are_bounded() -> None:
    chain: dict[str, Any] = {str(one): {"$ref": f"#/$defs/{one + 1}"} for one in range(150)}
    schema = {"items": {"$ref": "#/$defs/0"}, "$defs": chain | {"150": {"type": "null"}}}
    with pytest.raises(BudgetExceeded, match=r"more than 100 references within references \(limit references\)"):
        written(schema)
    assert written(schema, Limits(references=200)) == ({"items": {"type": "null"}}, [])


def test_levels_are_bounded() -> None:
    chain: dict[str, Any] = {str(one): {"items": {"$ref": f"#/$defs/{one + 1}"}} for one in range(150)}
    with pytest.raises(BudgetExceeded, match="more than 100 levels of subschemas"):
        written({"items": {"$ref": "#/$defs/0"}, "$defs": chain | {"150": {}}}, Limits(references=200))


@pytest.mark.parametrize("odd", [float("inf"), 2**70, "\ud800", 1.0])
def test_the_result_shares_nothing(odd: Any) -> None:
    definition = {"enum": [[odd], {"a": odd}], "items": {"minimum": 1}}
    schema = {
        "anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}],
        "$defs": {"A": definition},
        "not": {"const": [1]},
    }
    out, _ = written(schema)
    assert out == {"anyOf": [definition, definition], "not": {"const": [1]}}
    seen: set[int] = set()
    todo: list[Any] = [schema, out]
    while todo:
        place = todo.pop()
        if isinstance(place, (dict, list)) and place is not definition:
            assert id(place) not in seen
            seen.add(id(place))
            todo += place.values() if isinstance(place, dict) else place


def test_the_result_is_plain_json_and_valid() -> None:
    schema = bomb(6, {"type": "string"})
    out, _ = written(schema)
    assert json.loads(json.dumps(out)) == out
    assert jsonschema_rs.validator_for(out).is_valid({"r": {"a": {"b": {}}}})
