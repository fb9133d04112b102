"""Toolboxes and schemas, calls and answers of somebody who wishes ill: they cost little, and end in words."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.toolbox import FILL, SPEAKERS, called, listed, spelled
from toolbridge import CallError, Limits, Toolbox, ToolbridgeError
from toolbridge.data.types import JsonObject
from toolbridge.mapping.format import Format
from toolbridge.schema import BudgetExceeded
from toolbridge.schema.steps import HEIGHT, Bound, Steps, pattern
from toolbridge.schema.steps import value_levels as values
from toolbridge.toolbox.arguments import NotValidated, make_validator

TIDE: JsonObject = {
    "name": "tide",
    "description": "Tells the tide.",
    "inputSchema": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]},
}


def tool(**schema: Any) -> JsonObject:
    return {"name": "t", "inputSchema": {"type": "object", **schema}}


def block(**arguments: Any) -> JsonObject:
    return {"type": "tool_use", "id": "i", "name": "t", "input": arguments}


def unchecked(schema: JsonObject, arguments: JsonObject, **options: Any) -> str:
    """Why the arguments were not validated; empty where they were."""
    call = Toolbox([tool(**schema)], to="anthropic", **options).call(block(**arguments))
    assert call.checked == (not call.unchecked)
    return call.unchecked


def bomb(word: str, levels: int) -> JsonObject:
    """A schema that refers twice to one that refers twice, and so on."""
    defs: JsonObject = {f"L{n}": {word: [{"$ref": f"#/$defs/L{n + 1}"}] * 2} for n in range(levels)}
    return {"properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": {**defs, f"L{levels}": {"type": "string"}}}


def nested(levels: int, leaf: Any = 1) -> JsonObject:
    for _ in range(levels):
        leaf = {"c": leaf}
    return leaf


# what is too much to validate


@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("levels", [18, 30, 40])
def test_references_that_multiply_are_not_validated(word: str, levels: int) -> None:
    """S1: 2 kB of such a schema took 34 s, or 2.4 GB."""
    start = time.process_time()
    for value in ("x", 1):
        assert "more than 10,000 subschemas apply to one value (limit nodes)" in unchecked(
            bomb(word, levels), {"a": value}
        )
    assert time.process_time() - start < 2


def test_alternatives_that_hold_themselves_are_validated_as_deep_as_they_cost_little() -> None:
    again = {"properties": {"c": {"$ref": "#/$defs/n"}}}
    schema = {"$defs": {"n": {"anyOf": [again, again]}}, "$ref": "#/$defs/n"}
    assert unchecked(schema, nested(5)) == ""
    assert "limit nodes" in unchecked(schema, nested(60))


@pytest.mark.parametrize(
    ("schema", "arguments", "words"),
    [
        ({"$ref": "#"}, {}, "refers to itself without end"),
        ({"$ref": "#/$defs/gone"}, {}, "which is not in it"),
        ({"$ref": "https://example.org/x"}, {}, "which is not in it"),
        ({"properties": {"c": {}}}, nested(HEIGHT + 50), f"more than {HEIGHT} levels"),
        ({"properties": {f"p{n}": {} for n in range(10_001)}}, {}, "more than 10,000 subschemas (limit nodes)"),
        ({"properties": {"a": {"pattern": "x" * 1001}}}, {}, "more than 1,000 characters (limit pattern)"),
        ({"properties": {"a": {"pattern": "(a{100}){100}"}}}, {"a": "a" * 100_000}, "limit steps"),
        (
            {"properties": {"a": {"pattern": r"(?:(?=.*z)a)*b"}}},
            {"a": "a" * 100_000},
            "has lookarounds or backreferences",
        ),
        ({"properties": {"a": {"pattern": r"(a*)*\1b"}}}, {"a": "a" * 40 + "!"}, "backtracks more than 10,000 times"),
        ({"properties": {"a": {"anyOf": [{"pattern": r"(a*)*\1b"}]}}}, {"a": "a" * 40 + "!"}, "backtracks more than"),
        ({"additionalProperties": {"enum": [*range(9000)]}}, {f"k{n}": 1 for n in range(9000)}, "limit steps"),
    ],
)
def test_what_costs_too_much_is_not_validated_and_says_why(
    schema: JsonObject, arguments: JsonObject, words: str
) -> None:
    start = time.process_time()
    assert words in unchecked(schema, arguments)
    assert time.process_time() - start < 5


def test_references_in_each_other_are_bounded_by_the_stack() -> None:
    defs: JsonObject = {f"L{n}": {"$ref": f"#/$defs/L{n + 1}"} for n in range(1000)}
    schema = {"properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": {**defs, "L1000": {"type": "string"}}}
    assert f"more than {HEIGHT} subschemas apply within each other" in unchecked(schema, {"a": "x"})


def test_limits_are_those_of_the_box() -> None:
    schema = bomb("allOf", 15)
    assert "more than 10,000" in unchecked(schema, {"a": "x"})
    assert unchecked(schema, {"a": "x"}, limits=Limits(nodes=1_000_000)) == ""
    assert "(limit steps)" in unchecked({"additionalProperties": {}}, {"a": [1, 2, 3]}, limits=Limits(steps=1))


@pytest.mark.parametrize("text", ["(a+)+$", "^(a|aa)+$", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$"])
def test_a_pattern_that_is_slow_elsewhere_is_validated(text: str) -> None:
    box = Toolbox([tool(properties={"a": {"pattern": text}})], to="anthropic")
    start = time.process_time()
    with pytest.raises(CallError, match="does not match"):
        box.call(block(a="a" * 40 + "!"))
    assert time.process_time() - start < 1


def test_a_pattern_that_looks_ahead_is_validated() -> None:
    schema = {"properties": {"a": {"pattern": "^(?=.*[0-9]).+$"}}}
    assert unchecked(schema, {"a": "abc1"}) == ""
    assert pattern("(?<=a)b").around
    assert not pattern("(?<name>a)(?:b)").around


# errors


def test_errors_hold_no_copies_of_large_arguments() -> None:
    """5,000 alternatives are refused, and each error would hold a copy of the list."""
    script = """
import resource
from toolbridge import CallError, Toolbox
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
schema = {"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}] * 5000}}}
box = Toolbox([{"name": "t", "inputSchema": schema}], to="anthropic")
try:
    box.call({"type": "tool_use", "id": "i", "name": "t", "input": {"a": ["x" * 10] * 100_000}})
except CallError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    assert "do not satisfy the schema of the tool" in done.stdout


def test_many_arguments_are_refused_with_the_first_place() -> None:
    box = Toolbox([tool(additionalProperties={"type": "string"})], to="anthropic")
    with pytest.raises(CallError, match="is not of type") as caught:
        box.call(block(**{f"k{n}": n for n in range(100_000)}))
    assert caught.value.pointer == "/k0"


# the stack


CHAINS: dict[str, Any] = {
    "anyOf": lambda inner: {"anyOf": [inner]},
    "oneOf": lambda inner: {"oneOf": [inner]},
    "not": lambda inner: {"not": inner},
    "properties": lambda inner: {"properties": {"c": inner}},
    "additionalProperties": lambda inner: {"additionalProperties": inner},
    "items": lambda inner: {"items": inner},
}


@pytest.mark.parametrize("word", CHAINS)
def test_the_smallest_stack_is_large_enough(word: str) -> None:
    """Threads have 512 kB on macOS: what is just within the bounds fits."""
    script = """
import json, sys, threading
from toolbridge.toolbox.arguments import NotValidated, make_validator
word, schema, arguments = json.loads(sys.stdin.read())
def run():
    known = make_validator(schema)
    print(known.reason if isinstance(known, NotValidated) else len(known(arguments)))
threading.stack_size(512 * 1024)
thread = threading.Thread(target=run)
thread.start()
thread.join()
"""
    half = HEIGHT // 2 - 2
    defs = {f"L{n}": CHAINS[word]({"$ref": f"#/$defs/L{n + 1}"}) for n in range(half)}
    leaf: Any = 1
    if word not in ("anyOf", "oneOf", "not"):
        for _ in range(half):
            leaf = [leaf] if word == "items" else {"c": leaf}
    schema = {"properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": {**defs, f"L{half}": {"type": "string"}}}
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps([word, schema, {"a": leaf}]),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == ("0" if word == "not" and half % 2 else "1")


# the bound


def measured(schema: JsonObject, value: Any) -> Bound:
    return Steps(schema).of(values(value))


def test_the_bound_counts_what_applies_to_each_value() -> None:
    assert measured({"type": "object"}, {}) == Bound(1, 1, 1)
    assert measured({"allOf": [{}, {}, True]}, {}).steps == 4
    assert measured({"properties": {"a": {}, "b": {}}}, {"a": 1, "b": 2}).steps == 3
    assert measured({"patternProperties": {"a": {}, "b": True}}, {"ab": 1}).steps == 3
    assert measured({"items": {"$ref": "#"}}, [[[]]]) == Bound(5, 5, 9)
    assert measured({"$id": "x", "$defs": {"n": {"$anchor": "y", "allOf": [{}]}}, "$ref": "x#y"}, {}).steps == 3


@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {"n": {"$dynamicAnchor": "n", "allOf": [{}] * 5}}, "$dynamicRef": "#n"},
        {"$defs": {"a%25b": {}, "a%b": {"allOf": [{}] * 5}}, "$ref": "#/$defs/a%25b"},
        {"$defs": {"x": {"$id": "x", "$defs": {"n": {"allOf": [{}] * 5}}}, "n": {}}, "$ref": "x#/$defs/n"},
    ],
)
def test_a_reference_counts_as_the_worst_that_it_may_mean(schema: JsonObject) -> None:
    assert measured(schema, {}).steps == 7


_BOMB: JsonObject = {"properties": {"a": {"$ref": "#/$defs/n9"}}, "$defs": {"n0": {}}}
for _n in range(9):
    _BOMB["$defs"][f"n{_n + 1}"] = {"allOf": [{"$ref": f"#/$defs/n{_n}"}] * 8}


@pytest.mark.parametrize(
    ("schema", "characters"),
    [
        ({}, None),
        ({"type": "object", "properties": {"a": {"type": "string", "pattern": "^[a-z-]{1,63}$"}}}, 50_000),
        ({"properties": {"a": {"pattern": "(?=a)b"}}}, 990),
        ({"patternProperties": {"x{1,400}": {"pattern": "y{1,900}"}}}, 2_000),
        ({"properties": {"a": {"pattern": "(x{1,200}){1,200}"}}, "propertyNames": {"pattern": "z{1,9999}"}}, 500),
        ({"additionalProperties": {"items": {"anyOf": [{"pattern": "x{9,99}"}, {"minimum": 2}]}}}, 10_000),
        (_BOMB, 0),
    ],
)
@given(st.data())
def test_what_is_small_is_within_the_limits(schema: JsonObject, characters: int | None, data: st.DataObject) -> None:
    steps = Steps(schema)
    assert steps.allows_small({"a": "x" * min(characters or 0, 100)}) is (characters != 0)
    if characters:
        assert steps.allows_small({"a": "x" * 30 * characters}) is False
    texts = st.integers(0, 4 * (characters or 9) // 50).map("v,[{".__mul__)
    lists = st.recursive(
        texts | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=9
    )
    value = data.draw(st.dictionaries(texts, lists))
    if steps.allows_small(value):
        steps.of(values(value))
    assert steps.allows_small({"a": [[] for _ in range(9)]}) is False


def test_metaschemas_are_known() -> None:
    schema = {"properties": {"schema": {"$ref": "https://json-schema.org/draft/2020-12/schema"}}}
    box = Toolbox([tool(**schema)], to="anthropic")
    assert box.call(block(schema={"type": "object"})).checked
    with pytest.raises(CallError, match="/schema/type"):
        box.call(block(schema={"type": 5}))
    with pytest.raises(BudgetExceeded):  # it would refer into this schema
        Steps({"$ref": "https://json-schema.org/draft/2020-12/schema", "$dynamicAnchor": "meta"})


WORDS = ("allOf", "anyOf", "oneOf", "prefixItems", "properties", "patternProperties", "dependentSchemas", "not", "if")
WORDS = (*WORDS, "additionalProperties", "items", "contains", "unevaluatedProperties", "unevaluatedItems", "then")


def _schema(choice: random.Random, depth: int) -> Any:
    if depth == 0 or choice.random() < 0.3:
        leaves: list[Any] = [{"type": "string"}, {"pattern": "^(a|aa)+$"}, {"enum": ["x", {"a": 1}]}, True, False]
        return choice.choice([*leaves, *({"$ref": f"#/$defs/L{choice.randrange(5)}"} for _ in range(5))])
    found: JsonObject = {}
    for word in choice.sample(WORDS, choice.choice((1, 1, 2))):
        inner = [_schema(choice, depth - 1) for _ in range(choice.choice((1, 2, 3)))]
        if word in WORDS[:4]:
            found[word] = inner
        else:
            found[word] = dict(zip("abc", inner, strict=False)) if word in WORDS[4:7] else inner[0]
    return found


@pytest.mark.parametrize("address", [None, "http://json-schema.org/draft-07/schema#", "http://127.0.0.1:1/unknown"])
def test_the_mistake_of_a_large_schema_is_not_explained_with_copies_of_it(address: str | None) -> None:
    """The message of jsonschema-rs took 58 MB for such a schema."""
    large = {"enum": [[n] for n in range(20_000)]}
    broken = {"type": large} | ({} if address is None else {"$schema": address})
    known = make_validator(broken)
    assert isinstance(known, NotValidated)
    assert known.reason == (
        "the tool's own schema cannot be used: it breaks the rules of its draft; "
        "where is not searched in more than 100,000 bytes"
    )
    assert not isinstance(make_validator(large), NotValidated)
    small = make_validator({"type": {"enum": [[1]]}})
    assert isinstance(small, NotValidated)
    assert '{"enum":[[1]]} is not valid' in small.reason


def test_whatever_is_validated_is_validated_soon() -> None:
    choice = random.Random(7)
    validated = 0
    for _ in range(400):
        schema = {
            "$defs": {f"L{n}": _schema(choice, 2) for n in range(5)},
            "additionalProperties": {"$ref": "#/$defs/L0"},
        }
        known = make_validator(schema)
        if isinstance(known, NotValidated):
            continue
        for depth in (1, 6, 30):
            value: Any = choice.choice(("x", "aaa!", 1, None))
            for _ in range(depth):
                value = choice.choice(({"a": value}, {"b": value, "c": 1}, [value, value]))
                if len(str(value)) > 2000:
                    break
            start = time.process_time()
            validated += not isinstance(known({"a": value}), NotValidated)
            assert time.process_time() - start < 3, json.dumps(schema)
    assert validated > 100


# calls and results that are not what they should be


def _odd() -> Iterator[Any]:
    yield from (None, 7, "", "x", "{}", b"x", [], {}, [None], [[]], {"a": 1}, {1: 2}, True, ["x"], [{}])
    yield from ({"type": {}}, {"type": ["text"]}, "\ud800", 10**30, 10**5000, [10**5000], object(), (1,), {1}, 1e999)


RESULTS: list[JsonObject] = [
    {"content": [{"type": "text", "text": "x"}], "structuredContent": {"a": [1]}, "isError": False, "_meta": {}},
    {"content": [{"type": "text", "text": "x"}], "structured_content": None, "is_error": True},
    {"content": None, "is_error": False},
    {"call_id": "c", "success": False, "error": {"message": "m", "developer_message": "d"}},
    {"type": {}},
]


def _changed(value: Any, new: Any) -> Iterator[Any]:
    """Copies of a value, each with something else in one place."""
    yield new
    if isinstance(value, dict):
        for key in value:
            yield from ({**value, key: inner} for inner in _changed(value[key], new))
            yield {name: inner for name, inner in value.items() if name != key}
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from ([*value[:index], inner, *value[index + 1 :]] for inner in _changed(each, new))


@pytest.mark.parametrize("form", SPEAKERS, ids=lambda form: form.id)
def test_nothing_but_errors_in_words_comes_of_odd_calls_and_results(form: Format) -> None:
    """S8."""
    box = Toolbox([TIDE], to=form, source="mcp@2025-11-25", fill=FILL.get(form.family))
    (made,) = listed(box.tools)
    good = spelled(form, called(form, made), {"port": "Ems"})
    wrong: list[BaseException] = []
    for new in _odd():
        for odd in _changed(good, new):
            try:
                found = box.calls(odd)
            except ToolbridgeError as error:
                wrong.append(error)
                continue
            wrong += [each for each in found if isinstance(each, CallError)]
            for each in found:
                json.dumps(box.reply(each if isinstance(each, CallError) else 1, to=each), allow_nan=False)
        for odd in (each for result in RESULTS for each in _changed(result, new)):
            try:
                json.dumps(box.reply(odd, to=good), allow_nan=False, ensure_ascii=False).encode()
            except ToolbridgeError as error:
                wrong.append(error)
    assert [error.__cause__ for error in wrong if "bug in toolbridge" in str(error)] == []


def test_one_call_that_cannot_be_understood_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    box = Toolbox([TIDE], to="anthropic")
    brought = Toolbox._convert

    def failing(self: Toolbox, heard: Any, *, validate: bool) -> Any:
        if heard.block["id"] == "b":
            raise KeyError("x")
        return brought(self, heard, validate=validate)

    monkeypatch.setattr(Toolbox, "_convert", failing)
    calls = [{"type": "tool_use", "id": id, "name": "tide", "input": {"port": "Ems"}} for id in "abc"]
    one, error, other = box.calls(calls)
    assert (one["name"], other["name"]) == ("tide", "tide")
    assert isinstance(error, CallError)
    assert str(error) == "it cannot be read because of a bug in toolbridge (KeyError)"
    assert isinstance(error.__cause__, KeyError)
    assert box.reply(error, to=error)["is_error"] is True


def test_an_id_that_is_none_is_no_reason_to_fail() -> None:
    """S8."""
    call = {"type": "function", "id": ["x"], "function": {"name": "tide", "arguments": "{}"}}
    (error,) = Toolbox([TIDE], to="openai").calls({
        "choices": [{"finish_reason": "length", "message": {"tool_calls": [call]}}]
    })
    assert isinstance(error, CallError)
    assert error.pointer == "/id"


def test_a_huge_integer_is_told_as_text() -> None:
    """S8."""
    call = {"type": "tool_use", "id": "i", "name": "tide", "input": {"port": "Ems"}}
    reply = Toolbox([TIDE], to="anthropic").reply(10**5000, to=call)
    assert reply["content"] == "1" + "0" * 5000 or reply["content"][0]["text"] == "1" + "0" * 5000


def test_a_long_name_is_not_compared_with_thousands() -> None:
    many = [{**TIDE, "name": f"tide_{n:05}_{'x' * 40}"} for n in range(5000)]
    box = Toolbox(many, to="mcp@2025-11-25")
    start = time.process_time()
    for name in ("tide_" * 100_000, "tide_00001_" + "y" * 40):
        with pytest.raises(CallError, match="there is no tool called") as caught:
            box.call({"name": name, "arguments": {}})
        assert len(str(caught.value)) < 2000
    assert time.process_time() - start < 5


def test_members_said_twice_in_many_calls_cost_little() -> None:
    one = '{"type":"tool_use","id":"i","name":"tide","input":{"port":"a","port":"b"}}'
    start = time.process_time()
    found = Toolbox([TIDE], to="anthropic").calls("[" + ",".join([one] * 6000) + "]")
    assert time.process_time() - start < 20
    assert all("TB002" in each.report.counts() for each in found if not isinstance(each, CallError))
    assert len(found) == 6000


# real tools


def test_real_tools_are_all_validated(shared: Path) -> None:
    """Every tool of every recorded server that has a schema which can be used at all."""
    seen = 0
    for file in (shared / "corpus").glob("*/tools.mcp.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            schema = json.loads(line)["inputSchema"]
            known = make_validator(schema)
            assert not isinstance(known, NotValidated), (known, line[:200])
            problems = known({"a": [{"b": 1}] * 1000})
            assert not isinstance(problems, NotValidated), (problems, line[:200])
            seen += 1
    assert seen > 700


@pytest.mark.parametrize("text", ["a " * 100_000, "a" * 200_000, "a " * 100_000 + "z"])
def test_data_is_compared_with_content_in_bounded_time(text: str) -> None:
    box = Toolbox([{"name": "tide", "inputSchema": {"type": "object"}}], to="openai")
    result = {"content": [{"type": "text", "text": text}], "structuredContent": {"x": ["z", "a"] * 50_000}}
    start = time.perf_counter()
    box.reply(result, to={"id": "c", "type": "function", "function": {"name": "tide", "arguments": "{}"}})
    assert time.perf_counter() - start < 5


def test_arguments_of_a_tool_without_properties_around_its_parameters_are_validated() -> None:
    known = make_validator({"query": {"type": "string", "required": True}})
    assert not isinstance(known, NotValidated)
    assert (len(known({"query": "a"})), len(known({"query": 5})), len(known({}))) == (0, 1, 1)
