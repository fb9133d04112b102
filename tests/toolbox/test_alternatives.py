"""Calls with a value of a union: it gets the argument map of the alternative whose schema it has."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolbridge import DocumentError, Toolbox, convert

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
LEVEL = {"type": "integer", "enum": [1, 2, 3]}


def closed(optional: dict[str, Any] | None = None, /, **required: Any) -> dict[str, Any]:
    """The schema of an object with these properties."""
    names = [*required]
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": names,
        "additionalProperties": False,
    }


def listed(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


def mapping(values: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


NULLABLE = {"type": ["string", "null"]}
NULLED = closed({"n": TEXT}, x=NUMBER)
"""An object in which null stands for a property that is left out, in a strict tool."""

CASES: list[tuple[str, str, list[Any], Any, Any]] = [
    (
        "items",
        "openai@chat-strict",
        [listed(TEXT), listed(closed({"name": TEXT}, address=TEXT))],
        [{"address": "a@b.c", "name": None}],
        [{"address": "a@b.c"}],
    ),
    (
        "types of properties",
        "openai@chat-strict",
        [closed(field=TEXT, value=NUMBER), closed(field=TEXT, value=closed({"min": NUMBER, "max": NUMBER}))],
        {"field": "x", "value": {"min": 1, "max": None}},
        {"field": "x", "value": {"min": 1}},
    ),
    (
        "lists of properties",
        "gemini",
        [closed(field=TEXT, value=TEXT), closed(field=TEXT, value=listed(LEVEL))],
        {"field": "x", "value": ["1", "2"]},
        {"field": "x", "value": [1, 2]},
    ),
    ("types of items", "gemini", [listed(NUMBER), listed(LEVEL)], ["1", "2"], [1, 2]),
    (
        "a required property that may be null",
        "gemini",
        [closed(note={"type": ["string", "null"]}), closed(level=LEVEL)],
        {"level": "2"},
        {"level": 2},
    ),
    (
        "one of many values",
        "openai@chat-strict",
        [
            closed(kind={"type": "string", "enum": [f"k{n}" for n in range(9)]}, at={"type": ["string", "null"]}),
            closed({"at": TEXT}, kind={"const": "other"}),
        ],
        {"kind": "other", "at": None},
        {"kind": "other"},
    ),
    (
        "one of more names",
        "gemini",
        [closed(path=TEXT), closed(path=TEXT, level=LEVEL)],
        {"path": "p", "level": "2"},
        {"path": "p", "level": 2},
    ),
    (
        "values of a map",
        "gemini@vertex",
        [{"type": "object", "additionalProperties": NUMBER}, {"type": "object", "additionalProperties": LEVEL}],
        {"a": "2"},
        {"a": 2},
    ),
    (
        "a definition",
        "openai@chat-strict",
        [listed({"$ref": "#/$defs/Number"}), listed({"$ref": "#/$defs/Person"})],
        [{"address": "a@b.c", "name": None}],
        [{"address": "a@b.c"}],
    ),
]


@pytest.mark.parametrize(
    ("to", "alternatives", "written", "given"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
@pytest.mark.parametrize("turned", [False, True])
def test_the_alternative_is_that_of_the_value(
    to: str, alternatives: list[Any], written: Any, given: Any, turned: bool
) -> None:
    schema = closed(it={"anyOf": alternatives[::-1] if turned else alternatives})
    schema["$defs"] = {"Number": closed(number=NUMBER), "Person": closed({"name": TEXT}, address=TEXT)}
    box = Toolbox([{"name": "tool", "description": "d", "inputSchema": schema}], to=to, source="mcp@2025-11-25")
    call: dict[str, Any] = {"name": "tool", "args": {"it": written}}
    if not to.startswith("gemini"):
        call = {"id": "1", "type": "function", "function": {"name": "tool", "arguments": json.dumps({"it": written})}}
    assert box.call(call)["arguments"] == {"it": given}


@pytest.mark.parametrize(
    ("to", "alternatives", "is_clear"),
    [
        (
            "openai@chat-strict",
            [
                closed({"n": TEXT}, k={"type": "string", "pattern": "^a"}),
                closed(k={"type": "string", "pattern": "^b"}, n={"type": ["string", "null"]}),
            ],
            False,
        ),
        ("gemini", [closed(v={"const": 1}), closed(v={"const": "1"})], False),
        ("gemini", [closed(a=TEXT), closed(a=LEVEL)], False),
        ("gemini", [closed(a=listed(LEVEL)), closed(a=listed(TEXT))], False),
        ("gemini", [closed(a=NUMBER), closed(a=LEVEL)], True),
        ("gemini", [closed(a=TEXT), closed(a=TEXT, b=LEVEL)], True),
        ("openai@chat-strict", [closed({"n": TEXT}, k={"const": "a"}), closed(k={"const": "b"}, n=TEXT)], True),
        ("gemini", [{"anyOf": [closed(v=LEVEL), listed(NUMBER)]}, closed(v=TEXT)], False),
        ("gemini", [{"$ref": "#/$defs/U"}, closed(v=TEXT)], False),
        ("openai@chat-strict", [listed({"anyOf": [NULLED, TEXT]}), listed(closed(n=NULLABLE, x=NUMBER))], False),
        ("openai@chat-strict", [NULLED, {"anyOf": [closed(n=NULLABLE, x=NUMBER), NUMBER]}], False),
        ("openai@chat-strict", [NULLED, closed(n={"anyOf": [TEXT, NUMBER]}, x=NUMBER)], True),
        ("gemini@vertex", [mapping(LEVEL), mapping(TEXT)], False),
        ("gemini@vertex", [mapping(TEXT), mapping(LEVEL)], False),
        ("gemini@vertex", [closed(v=LEVEL), mapping(TEXT)], False),
        ("gemini@vertex", [mapping(LEVEL), closed(v=NUMBER)], True),
        ("gemini@vertex", [mapping(LEVEL), closed(k=NUMBER, v=TEXT)], True),
    ],
)
def test_alternatives_that_write_different_values_alike_are_a_loss(
    to: str, alternatives: list[Any], is_clear: bool
) -> None:
    schema = closed(it={"anyOf": alternatives}) | {"$defs": {"U": {"anyOf": [closed(v=LEVEL), listed(NUMBER)]}}}
    tool = {"name": "t", "description": "d", "inputSchema": schema}
    found = convert(tool, to, source="mcp").report.matching("TB303")
    assert [loss.source for loss in found] == ([] if is_clear else ["/inputSchema/properties/it/anyOf/1"])


def test_alternatives_behind_many_clear_ones_are_compared() -> None:
    """Definitions that several unions share are compared once."""
    parts = {f"Part{n}": closed({"n": TEXT}, k={"const": n}) for n in range(30)}
    clear = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in parts]}
    first, second = ({"type": "string", "pattern": pattern} for pattern in ("^a", "^b"))
    unclear = {"anyOf": [closed({"n": TEXT}, k=first), closed(k=second, n={"type": ["string", "null"]})]}
    schema = closed(**{f"p{n:02}": clear for n in range(20)}, q=unclear) | {"$defs": parts}
    found = convert({"name": "t", "inputSchema": schema}, "openai@chat-strict", source="mcp").report.matching("TB303")
    assert [loss.source for loss in found] == ["/inputSchema/properties/q/anyOf/1"]


DEEP = closed(c=closed(c=closed(c=closed(c=closed(c=closed(c=closed(c=closed({"q": TEXT}, r=TEXT))))))))


@pytest.mark.parametrize("in_definitions", [False, True])
def test_alternatives_that_differ_deep_inside(in_definitions: bool) -> None:
    shallow = json.loads(json.dumps(DEEP).replace('"r"', '"s"'))
    schema = closed(it={"anyOf": [shallow, DEEP]})
    if in_definitions:
        schema = closed(it={"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]})
        schema["$defs"] = {"A": closed(x=listed({"$ref": "#/$defs/C"})), "B": closed(x=listed({"$ref": "#/$defs/D"}))}
        schema["$defs"] |= {"C": closed(n={"type": ["string", "null"]}), "D": closed({"m": TEXT}, n=TEXT)}
    (argument_map,) = convert([{"name": "t", "inputSchema": schema}], "openai@chat-strict", source="mcp").argument_maps
    assert argument_map is not None
    value: Any = {"x": [{"n": "a", "m": None}]} if in_definitions else {"q": None, "r": "b"}
    for _ in range(0 if in_definitions else 7):
        value = {"c": value}
    restored = json.dumps(argument_map.restore({"it": value}))
    assert "null" not in restored
    if not in_definitions:  # there the value is one of the other alternative, too
        assert argument_map.adapt(json.loads(restored)) == {"it": value}


@pytest.mark.parametrize("to", ["deepseek@strict", "cerebras@strict", "openai@chat-strict"])
def test_properties_beside_alternatives_are_in_each_of_them(to: str) -> None:
    held = {
        "type": "object",
        "properties": {"a": TEXT},
        "required": ["a"],
        "anyOf": [{"properties": {name: TEXT}, "required": [name]} for name in ("n", "m")],
    }
    tool = {"name": "t", "description": "d", "inputSchema": closed(it=held)}
    written = convert(tool, to, source="mcp").value["function"]["parameters"]["properties"]["it"]
    assert written.keys() == {"anyOf"}
    assert [alternative["required"] for alternative in written["anyOf"]] == [["n", "a"], ["m", "a"]]


@pytest.mark.parametrize("held", [{"anyOf": [LEVEL, {"type": "null"}]}, {"$ref": "#/$defs/Level"}, {"anyOf": [LEVEL]}])
def test_no_text_stands_for_a_number_in_a_union_within_a_union(held: Any) -> None:
    schema = closed(it={"anyOf": [{"type": "string", "pattern": "^v"}, held]})
    schema["$defs"] = {"Level": {"anyOf": [LEVEL, {"type": "null"}]}}
    done = convert({"name": "t", "description": "d", "inputSchema": schema}, "gemini", source="mcp")
    assert done.value["parameters"]["properties"]["it"]["anyOf"][1]["type"] == "INTEGER"
    assert "TB201" in done.report.counts()


@pytest.mark.parametrize(
    "held",
    [
        {"anyOf": [TEXT, {"type": "null"}]},
        {"$ref": "#/$defs/Other"},
        {"type": ["string", "null"]},
    ],
)
@pytest.mark.parametrize("beside", [False, True])
def test_null_behind_a_reference_is_a_value(held: Any, beside: bool) -> None:
    """It was taken for a property that is left out."""
    reference = {"$ref": "#/$defs/Nullable"}
    schema = closed({"assignee": {"anyOf": [reference, NUMBER]} if beside else reference}, id=TEXT)
    schema["$defs"] = {"Nullable": held, "Other": {"type": ["string", "null"]}}
    box = Toolbox([{"name": "tool", "description": "d", "inputSchema": schema}], to="openai@chat-strict", source="mcp")
    assert box.report.counts().keys() >= {"TB301"}
    function = {"name": "tool", "arguments": '{"id": "1", "assignee": null}'}
    assert box.call({"id": "1", "type": "function", "function": function})["arguments"] == {"id": "1", "assignee": None}


@pytest.mark.parametrize("to", ["gemini", "deepseek@strict"])
def test_large_unions_and_many_values_are_bounded(to: str) -> None:
    count = 300
    alternatives = [closed({"v": LEVEL}, k={"const": f"k{n}"}) for n in range(count)]
    schema = closed(it=listed({"anyOf": alternatives}))
    (argument_map,) = convert([{"name": "t", "inputSchema": schema}], to, source="mcp").argument_maps
    assert argument_map is not None
    value = {"it": [{"k": f"k{count - 1}", "v": "1" if to == "gemini" else 1} for _ in range(5_000)]}
    for function in (argument_map.restore, argument_map.adapt):
        with pytest.raises(DocumentError, match=r"takes more than 1,000,000 steps \(limit steps\)"):
            function(value)


CIRCLE = closed(kind={"const": "circle"}, radius=NUMBER)
SQUARE = closed(kind={"const": "square"}, width=NUMBER)
NESTED = closed(kind={"const": "group"}, members={"anyOf": [listed({"oneOf": [CIRCLE, SQUARE]}), {"type": "null"}]})


@pytest.mark.parametrize(
    ("value", "problems"),
    [
        ({"kind": "circle", "radius": "x"}, ['/a/radius: "x" is not of type "number"']),
        ({"kind": "square"}, ['/a: "width" is a required property']),
        (
            {"kind": "group", "members": [{"kind": "square", "width": 1}, {"kind": "circle", "radius": None}]},
            ["/a/members: ", "/a/members/1: ", '/a/members/1/radius: null is not of type "number"'],
        ),
        # Nothing tells which alternative was meant.
        ({"kind": "oval"}, []),
        ({}, []),
        (5, []),
        ("ab", ['/a: "ab" is shorter than 3 characters']),
    ],
)
@pytest.mark.parametrize("to", ["anthropic", "gemini"])
def test_what_is_wrong_in_the_alternative_that_is_nearest(to: Any, value: Any, problems: list[str]) -> None:
    alternatives = [CIRCLE, SQUARE, NESTED, {"type": "string", "minLength": 3}]
    schema = {"type": "object", "properties": {"a": {"anyOf": alternatives}}}
    box = Toolbox([{"name": "draw", "inputSchema": schema}], to=to)
    call = {"type": "tool_use", "id": "a", "name": "draw", "input": {"a": value}}
    if to == "gemini":
        call = {"functionCall": {"name": "draw", "args": {"a": value}}}
    (error,) = box.calls([call])
    first, *more = str(error).split("\n")
    assert first.startswith("/a: ")
    assert first.endswith("is not valid under any of the schemas listed in the 'anyOf' keyword")
    assert len(more) == len(problems)
    assert all(found.startswith(problem) for found, problem in zip(more, problems, strict=True))
