"""The way of arguments between the schema that was given and the one that was written."""

from __future__ import annotations

import copy
import json
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.arguments import home, samples
from schema.generated_schemas import TYPES, fitted, nodes, schemas, spoken
from steps import steps
from toolbridge import DocumentError
from toolbridge.formats.dialects import ANTHROPIC, DIALECTS, GEMINI, GEMINI_VERTEX, OPENAI_STRICT
from toolbridge.limits import DEEPEST
from toolbridge.schema import BudgetExceeded
from toolbridge.schema.arguments import adapt_arguments, kind_of, restore_arguments

MapData = dict[str, Any]

ORDER: MapData = {
    "rename": {"unit_price": "unit price"},
    "omit": ["note"],
    "properties": {
        "size": {"text": {"1": 1, "2.5": 2.5, "true": True, "null": None}},
        "lines": {"items": {"omit": ["note"]}},
        "unit_price": {"text": {"0": 0}},
    },
    "rest": {"omit": ["x"]},
}


@pytest.mark.parametrize(
    ("given_", "written"),
    [
        ({"unit price": 3}, {"unit_price": 3, "note": None}),
        ({"unit price": 0}, {"unit_price": "0", "note": None}),
        ({"note": "n", "size": 2.5}, {"note": "n", "size": "2.5"}),
        ({"size": True}, {"size": "true", "note": None}),
        ({"size": "big"}, {"size": "big", "note": None}),
        ({"lines": [{"note": "n"}, {}, 5]}, {"lines": [{"note": "n"}, {"note": None}, 5], "note": None}),
        ({"more": {"y": 1}}, {"more": {"y": 1, "x": None}, "note": None}),
    ],
)
def test_there_and_home(given_: dict[str, Any], written: dict[str, Any]) -> None:
    before = copy.deepcopy((given_, written, ORDER))
    assert adapt_arguments(given_, ORDER) == written
    assert restore_arguments(written, ORDER) == given_
    assert (given_, written, ORDER) == before


@pytest.mark.parametrize("value", [None, 5, "text", [], [1], {}, {"a": None}])
def test_without_a_way_arguments_are_as_they_are(value: Any) -> None:
    assert restore_arguments(value, None) is value
    assert adapt_arguments(value, None) is value


@pytest.mark.parametrize("value", [None, 5, "text", True, [], [None], {"lines": 5, "size": [1]}, {"lines": {}}])
def test_what_is_of_another_kind_than_expected_is_left_alone(value: Any) -> None:
    back = restore_arguments(value, ORDER)
    assert back == (value if not isinstance(value, dict) else back)
    assert restore_arguments(value, {"items": {"omit": ["a"]}, "text": {"1": 1}}) == value


def test_null_is_left_out_only_where_it_means_that() -> None:
    assert restore_arguments({"a": None, "b": None}, {"omit": ["a"]}) == {"b": None}


@pytest.mark.parametrize(
    ("argument_map", "value", "place"),
    [
        ({"rename": {"a_b": "a b"}}, {"a b": 1, "a_b": 2}, "/a b"),
        ({"properties": {"x": {"items": {"rename": {"a_b": "a b"}}}}}, {"x": [{}, {"a b": 1}]}, "/x/1/a b"),
        ({"any": [{"types": ["object"], "map": {"rename": {"a_b": "a b"}}}]}, {"a b": 1}, "/a b"),
        ({"ref": "N", "defs": {"N": {"rename": {"a_b": "a b"}}}}, {"a b": 1}, "/a b"),
    ],
)
def test_an_argument_under_its_name_in_the_source_is_an_error(argument_map: MapData, value: Any, place: str) -> None:
    with pytest.raises(DocumentError, match="it is called 'a_b'") as caught:
        restore_arguments(value, argument_map)
    assert caught.value.pointer == place


def test_names_may_change_places() -> None:
    argument_map = {"rename": {"a": "b", "b": "a"}}
    assert restore_arguments({"a": 1, "b": 2}, argument_map) == {"b": 1, "a": 2}
    assert adapt_arguments({"b": 1, "a": 2}, argument_map) == {"a": 1, "b": 2}


def test_true_is_no_number_and_a_whole_number_is_one() -> None:
    argument_map = {"text": {"1": 1}}
    assert adapt_arguments(True, argument_map) is True
    assert adapt_arguments(1.0, argument_map) == "1"
    assert restore_arguments("1", argument_map) == 1
    assert [kind_of(it) for it in (None, True, 1, 1.0, 1.5, "", [], {})] == [
        *("null", "boolean", "integer", "integer", "number", "string", "array", "object")
    ]


UNION: MapData = {
    "any": [
        {"outline": {"types": ["object"], "properties": {"kind": {"enum": ["card"]}}}, "map": {"omit": ["pin"]}},
        {
            "outline": {
                "types": ["object"],
                "properties": {"kind": {"enum": ["bank"]}},
                "known": ["kind", "iban"],
            },
            "map": {"rename": {"iban": "i b"}},
        },
        {
            "outline": {"types": ["object"], "required": ["cash"], "properties": {"cash": {"types": ["string"]}}},
            "map": {"properties": {"cash": {"text": {"5": 5}}}},
        },
        {"outline": {"types": ["integer", "null"]}},
        {"outline": {"types": ["array"]}, "map": {"items": {"omit": ["a"]}}},
    ]
}


@pytest.mark.parametrize(
    ("given_", "written"),
    [
        ({"kind": "card"}, {"kind": "card", "pin": None}),
        ({"kind": "bank", "i b": 1}, {"kind": "bank", "iban": 1}),
        ({"kind": "cheque", "cash": 5}, {"kind": "cheque", "cash": "5"}),
        (7, 7),
        (None, None),
        ([{}], [{"a": None}]),
        ("text", "text"),
        ({"kind": "cheque"}, {"kind": "cheque"}),
    ],
)
def test_an_alternative_is_told_by_what_is_there(given_: Any, written: Any) -> None:
    assert adapt_arguments(given_, UNION) == written
    assert restore_arguments(written, UNION) == given_


def test_an_alternative_is_told_by_values_that_travel_as_text() -> None:
    """What tells alternatives apart may itself be written in other words."""
    branch = {"type": "object", "required": ["kind"]}
    schema = {
        "type": "object",
        "properties": {
            "p": {
                "anyOf": [
                    {**branch, "properties": {"kind": {"const": "x"}}},
                    {**branch, "properties": {"kind": {"const": "y"}, "a": {"enum": [1]}}},
                ]
            }
        },
    }
    argument_map = fitted(schema, GEMINI)[0].argument_map
    assert restore_arguments({"p": {"kind": "y", "a": "1"}}, argument_map) == {"p": {"kind": "y", "a": 1}}
    assert adapt_arguments({"p": {"kind": "y", "a": 1}}, argument_map) == {"p": {"kind": "y", "a": "1"}}


def test_not_every_object_is_an_empty_one() -> None:
    """An alternative that accepts no properties was taken for that of all values which no alternative accepts."""
    empty = {"type": "object", "additionalProperties": False}
    level = {**empty, "properties": {"level": {"enum": [1, 2]}, "at": {"type": "string"}}, "required": ["level", "at"]}
    schema = {"type": "object", "properties": {"p": {"anyOf": [empty, level]}}}
    argument_map = fitted(schema, GEMINI_VERTEX)[0].argument_map
    assert restore_arguments({"p": {"level": "1", "at": 5}}, argument_map) == {"p": {"level": 1, "at": 5}}


def _kind(name: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"kind": {"const": name}, **properties}, "required": ["kind"]}


ANIMALS = {
    "Cat": _kind("cat", lives={"type": "integer"}),
    "Dog": _kind("dog", barks={"type": "boolean"}),
    "Pet": {"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]},
    "Tame": {"anyOf": [{"$ref": "#/$defs/Pet"}, {"type": "array", "items": {"$ref": "#/$defs/Pet"}}]},
    "Shark": _kind("shark", teeth={"type": "integer"}),
}


@pytest.mark.parametrize(
    "schema",
    [
        {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in ("Cat", "Dog", "Shark")]},
        {"anyOf": [{"$ref": "#/$defs/Pet"}, {"$ref": "#/$defs/Shark"}]},
        {"anyOf": [{"$ref": "#/$defs/Tame"}, {"$ref": "#/$defs/Shark"}]},
        {"anyOf": [{"anyOf": [ANIMALS["Cat"], ANIMALS["Dog"]], "description": "d"}, ANIMALS["Shark"]]},
    ],
)
def test_an_alternative_is_told_by_what_its_definition_says(schema: dict[str, Any]) -> None:
    whole = {"type": "object", "properties": {"p": schema}, "required": ["p"], "$defs": ANIMALS}
    fit, _ = fitted(whole, OPENAI_STRICT)
    judge = _accepts(spoken(fit))
    for given_, written in (
        ({"kind": "cat"}, {"kind": "cat", "lives": None}),
        ({"kind": "dog"}, {"kind": "dog", "barks": None}),
        ({"kind": "shark"}, {"kind": "shark", "teeth": None}),
    ):
        assert judge({"p": written})
        assert restore_arguments({"p": written}, fit.argument_map) == {"p": given_}
        assert adapt_arguments({"p": given_}, fit.argument_map) == {"p": written}


TREE: MapData = {"defs": {"Node": {"omit": ["v"], "properties": {"next": {"ref": "Node"}}}}, "ref": "Node"}


def test_ways_refer_to_definitions() -> None:
    assert restore_arguments({"v": None, "next": {"v": None, "next": {"v": 1}}}, TREE) == {"next": {"next": {"v": 1}}}
    assert adapt_arguments({"next": {}}, TREE) == {"v": None, "next": {"v": None}}


def test_a_way_refers_to_the_outermost() -> None:
    argument_map = {"omit": ["a"], "properties": {"n": {"ref": ""}}}
    assert restore_arguments({"a": None, "n": {"a": None, "n": {}}}, argument_map) == {"n": {"n": {}}}


@pytest.mark.parametrize(
    "argument_map", [{"ref": "Gone"}, {"ref": "A", "defs": {"A": {"ref": "B"}, "B": {"ref": "A"}}}, {"ref": ""}, {}]
)
def test_a_map_that_leads_nowhere_changes_nothing(argument_map: MapData) -> None:
    assert restore_arguments({"a": None}, argument_map) == {"a": None}
    assert adapt_arguments({"a": 1}, argument_map) == {"a": 1}


def test_deep_arguments_are_followed_to_their_end() -> None:
    argument_map = {"omit": ["a"], "properties": {"n": {"ref": ""}}}
    value: dict[str, Any] = {"a": None}
    for _ in range(DEEPEST):
        value = {"a": None, "n": value}
    back = restore_arguments(value, argument_map)
    there = adapt_arguments(back, argument_map)
    for _ in range(DEEPEST):
        assert (back.keys(), there.keys()) == ({"n"}, {"a", "n"})
        back, there = back["n"], there["n"]
    assert (back, there) == ({}, {"a": None})


def test_unions_within_unions_are_followed_to_their_end_in_linear_time() -> None:
    """Each value is compared with each alternative once."""
    names = [{"v": {"type": "string"}, name: {"type": "string"}, "n": {"$ref": "#/$defs/N"}} for name in "wx"]
    union = {"anyOf": [{"type": "object", "properties": each, "additionalProperties": False} for each in names]}
    fit, _ = fitted(
        {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}, "$defs": {"N": union}}, OPENAI_STRICT
    )
    spent: list[int] = []
    for depth in (100, 400):
        value: Any = {"v": None, "x": "", "n": None}
        for _ in range(depth):
            value = {"v": None, "x": "", "n": value}
        assert "null" not in json.dumps(restore_arguments({"n": value}, fit.argument_map))
        spent.append(steps(partial(restore_arguments, {"n": value}, fit.argument_map)))
    assert spent[1] < 6 * spent[0]


def test_a_map_that_never_ends_is_an_error() -> None:
    with pytest.raises(DocumentError, match="nested too deeply"):
        adapt_arguments('"a"', {"json": {"ref": ""}})


def test_a_name_within_what_the_root_refers_to() -> None:
    """Keys are rewritten at the root only: whoever refers to the root meets the names of the root as written."""
    schema = {"type": "object", "properties": {"x y": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}}
    fit, _ = fitted(schema, ANTHROPIC)
    judge = _accepts(spoken(fit))
    value = {"x y": {"x y": {"x y": None}}}
    there = adapt_arguments(value, fit.argument_map)
    assert judge(there)
    assert restore_arguments(there, fit.argument_map) == value
    assert not judge(adapt_arguments({"x y": {"x y": 5}}, fit.argument_map))


def _accepts(schema: Any) -> Any:
    from laws.meaning import validator

    judge = validator(schema)
    assert judge is not None
    return judge


# laws


@st.composite
def written_and_map(draw: st.DrawFn) -> tuple[Any, MapData]:
    """Flat arguments as given, and a way for them."""
    names = draw(st.lists(st.sampled_from(["a", "b", "x y", "ü"]), unique=True, min_size=1))
    renamed = {f"_{number}": name for number, name in enumerate(names) if draw(st.booleans())}
    words = {name: new for new, name in renamed.items()}
    omit = [words.get(name, name) for name in names if draw(st.booleans())]
    texts = {words.get(name, name): {"text": {"1": 1, "true": True}} for name in names if draw(st.booleans())}
    values = st.sampled_from([1, True, "text", [1], {"k": None}])
    value = {name: draw(values) for name in names if draw(st.booleans())}
    argument_map: MapData = {"rename": renamed, "omit": omit, "properties": texts}
    return value, {key: it for key, it in argument_map.items() if it}


@given(written_and_map())
def test_home_is_the_inverse_of_out(it: tuple[Any, MapData]) -> None:
    value, argument_map = it
    there = adapt_arguments(value, argument_map)
    assert restore_arguments(there, argument_map) == value
    assert all(name in there for name in argument_map.get("omit", ()))
    assert not set(argument_map.get("rename", {}).values()) & there.keys()


@given(schemas(), st.integers(0, 10**6))
def test_ways_are_plain_data_that_change_nothing_passed_in(schema: dict[str, Any], seed: int) -> None:
    for dialect in DIALECTS:
        try:
            fit, _ = fitted(schema, dialect)
        except BudgetExceeded:
            continue
        if fit.argument_map is None:
            continue
        argument_map = json.loads(json.dumps(fit.argument_map))
        assert argument_map == fit.argument_map
        assert any(key in node for node in nodes(argument_map) for key in ("omit", "rename", "text"))
        for value in samples([schema, spoken(fit)], Random(seed), 6):
            before = copy.deepcopy(value)
            home(value, argument_map)
            adapt_arguments(value, argument_map)
            assert value == before
    assert empty_map() is None


def empty_map() -> MapData | None:
    return fitted({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, OPENAI_STRICT)[
        0
    ].argument_map


@pytest.mark.parametrize("kind", TYPES)
def test_an_omitted_parameter_of_any_type_comes_home(kind: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": kind}}}
    schema["properties"]["a"] |= {
        "object": {"additionalProperties": False},
        "array": {"items": {"type": "string"}},
    }.get(kind, {})  # type: ignore[index]
    fit, notes = fitted(schema, OPENAI_STRICT)
    if kind == "null":
        assert ("TB301", "/properties/a", "/properties/a") in notes
        assert fit.argument_map is None
    else:
        assert restore_arguments({"a": None}, fit.argument_map) == {}
        assert adapt_arguments({}, fit.argument_map) == {"a": None}


def test_listed_properties_are_no_others() -> None:
    """The map of the properties that are not listed was that of listed ones, too, which have none of their own."""
    schema = {
        "type": "object",
        "properties": {"of_text": {"type": "string"}, "of_enum": {"enum": [3]}, "of_same": {"type": "number"}},
        "additionalProperties": {"enum": [2]},
    }
    argument_map = fitted(schema, GEMINI_VERTEX)[0].argument_map
    given_ = {"of_text": "2", "of_enum": 3, "of_same": 2, "other": 2}
    written = {"of_text": "2", "of_enum": "3", "of_same": 2, "other": "2"}
    assert adapt_arguments(given_, argument_map) == written
    assert restore_arguments(written, argument_map) == given_


def test_alternatives_in_alternatives_are_adapted_once() -> None:
    """The time doubled with each level, and had no end where an alternative is the union itself."""
    node: dict[str, Any] = {
        "type": "object",
        "properties": {
            "v": {"type": "integer"},
            "note": {"type": "string"},
            "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "string"}]},
        },
        "required": ["v", "next"],
        "additionalProperties": False,
    }
    leaf = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    union = {"anyOf": [{"$ref": "#/$defs/Union"}, leaf]}
    schema = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/Node"}, "y": {"$ref": "#/$defs/Union"}},
        "required": ["x", "y"],
        "additionalProperties": False,
        "$defs": {"Node": node, "Union": union},
    }
    value: Any = "end"
    for number in range(60):
        value = {"v": number, "next": value}
    given = {"x": value, "y": {}}
    argument_map = fitted(schema, OPENAI_STRICT)[0].argument_map
    written = adapt_arguments(given, argument_map)
    assert written["y"] == {"a": None}
    assert written["x"]["next"]["next"]["note"] is None
    assert restore_arguments(written, argument_map) == given


class _Name(str):
    """A name that is hashed and compared in Python, so that `steps` counts it."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other)

    def __hash__(self) -> int:
        return str.__hash__(self)


def _names(count: int, first: str) -> list[str]:
    return [_Name(f"{first}{number}") for number in range(count)]


@pytest.mark.parametrize("convert", [restore_arguments, adapt_arguments])
@pytest.mark.parametrize(
    ("make", "value"),
    [
        (lambda count: {"rename": {name: name + "/" for name in _names(count, "a")}}, {}),
        (lambda count: {"omit": ["x"], "rename": {name: name + "/" for name in _names(count, "a")}}, {"b": 1}),
        (lambda count: {"text": {f"{number}": number for number in range(count)}}, "x"),
        (
            lambda count: {
                "any": [
                    {
                        "map": {"omit": ["x"]},
                        "outline": {
                            "types": ["object"],
                            "known": _names(count, "a"),
                            "required": _names(count, "a"),
                            "properties": {
                                name: {"types": ["string", "null"], "enum": ["v", None]} for name in _names(count, "a")
                            },
                        },
                    },
                    {"outline": {"types": ["string"]}},
                ]
            },
            {},
        ),
    ],
    ids=["renamed", "renamed beside omitted", "texts", "alternatives"],
)
def test_what_a_map_lists_is_not_looked_at_again_for_each_value(convert: Any, make: Any, value: Any) -> None:
    """A schema and a call of 100 kB each took minutes."""
    few, many = (steps(partial(convert, [value] * count, {"items": make(count)})) for count in (200, 800))
    assert many < 6 * few


def test_nulls_are_not_searched_one_by_one() -> None:
    few, many = (
        steps(partial(restore_arguments, dict.fromkeys(_names(count, "a")), {"omit": _names(count, "a")}))
        for count in (200, 800)
    )
    assert many < 6 * few


def test_parameters_that_are_left_out_are_steps() -> None:
    argument_map = {"items": {"omit": [f"a{number}" for number in range(1_000)]}}
    with pytest.raises(DocumentError, match=r"takes more than 1,000,000 steps \(limit steps\)"):
        adapt_arguments([{}] * 1_000, argument_map)
