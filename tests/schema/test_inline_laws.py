"""Laws of writing references out, with an independent validator as the judge."""

import json
from copy import deepcopy
from typing import Any
from urllib.parse import unquote

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from toolbridge.data import pointer
from toolbridge.schema import OPTIONS, BudgetExceeded, Options, children, inline, walk

Notes = list[tuple[str, str, str | None]]

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"

NAMES = st.sampled_from(["a", "b", "c"])
REFS = st.sampled_from([
    "#/$defs/A",
    "#/$defs/B",
    "#/$defs/C",
    "#/$defs/A",
    "#/$defs/B",
    "#/$defs/A/properties/a",
    "#/$defs/B/items",
    "#/properties/a",
    "#/properties/b",
    "#",
    "#anchor",
    "#/$defs/Nope",
])
CONSTRAINTS: list[st.SearchStrategy[dict[str, Any]]] = [
    st.sampled_from(["object", "array", "string", "integer", "null"]).map(lambda kind: {"type": kind}),
    st.sampled_from([["object", "string"], ["integer", "array"]]).map(lambda kinds: {"type": kinds}),
    st.integers(0, 3).map(lambda least: {"minimum": least}),
    st.integers(0, 2).map(lambda length: {"minLength": length}),
    st.lists(NAMES, max_size=2, unique=True).map(lambda names: {"required": names}),
    st.integers(0, 2).map(lambda most: {"maxProperties": most}),
    st.sampled_from([1, "x", None, {"a": 1}]).map(lambda value: {"const": value}),
    st.just({"enum": [1, "x", {"$ref": "#/$defs/A"}]}),
]
COMMENTS: list[st.SearchStrategy[dict[str, Any]]] = [
    st.sampled_from(["one", "two"]).map(lambda text: {"description": text}),
    st.sampled_from(["one", "two"]).map(lambda text: {"title": text}),
    st.sampled_from([1, {"$ref": "#/$defs/A"}]).map(lambda value: {"default": value}),
    st.sampled_from(["email", "uri"]).map(lambda text: {"format": text}),
]


def merged(parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {key: value for part in parts for key, value in part.items()}


def applicators(sub: st.SearchStrategy[Any]) -> list[st.SearchStrategy[dict[str, Any]]]:
    several = st.lists(sub, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, sub, min_size=1, max_size=2)
    return [
        named.map(lambda it: {"properties": it}),
        named.map(lambda it: {"properties": it}),
        named.map(lambda it: {"dependentSchemas": it}),
        sub.map(lambda it: {"patternProperties": {"^[ab]": it}}),
        sub.map(lambda it: {"additionalProperties": it}),
        sub.map(lambda it: {"unevaluatedProperties": it}),
        st.just({"unevaluatedProperties": False}),
        st.just({"unevaluatedItems": False}),
        sub.map(lambda it: {"items": it}),
        several.map(lambda it: {"prefixItems": it}),
        st.tuples(sub, st.integers(0, 2), st.integers(0, 2)).map(
            lambda it: {"contains": it[0], "minContains": it[1], "maxContains": it[2]}
        ),
        sub.map(lambda it: {"contains": it}),
        sub.map(lambda it: {"propertyNames": it}),
        several.map(lambda it: {"allOf": it}),
        several.map(lambda it: {"anyOf": it}),
        several.map(lambda it: {"oneOf": it}),
        sub.map(lambda it: {"not": it}),
        st.tuples(sub, sub, sub).map(lambda it: {"if": it[0], "then": it[1], "else": it[2]}),
    ]


def subschemas(refs: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    ref = refs.map(lambda it: {"$ref": it})
    beside = st.lists(st.one_of(*CONSTRAINTS, *COMMENTS), max_size=2).map(merged)
    leaf = st.one_of(
        st.booleans(),
        st.lists(st.one_of(*CONSTRAINTS, *COMMENTS), max_size=2).map(merged),
        ref,
        ref,
        st.tuples(ref, beside).map(lambda it: it[0] | it[1]),
    )

    def nested(sub: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        inner = st.lists(st.one_of(*applicators(sub)), min_size=1, max_size=2).map(merged)
        return st.one_of(
            inner,
            st.tuples(inner, beside).map(lambda it: it[0] | it[1]),
            st.tuples(inner, ref).map(lambda it: it[0] | it[1]),
        )

    return st.recursive(leaf, nested, max_leaves=6)


@st.composite
def documents(draw: st.DrawFn, refs: st.SearchStrategy[str] = REFS) -> dict[str, Any]:
    sub = subschemas(refs)
    root = draw(sub.filter(lambda it: isinstance(it, dict)))
    root = dict(root)
    defs = draw(st.fixed_dictionaries({"A": sub, "B": sub}, optional={"C": sub, "Unused": sub}))
    if draw(st.booleans()) and isinstance(defs["B"], dict):
        defs["B"] = {"$anchor": "anchor"} | defs["B"]
    return root | {"$defs": defs}


INSTANCES = st.recursive(
    st.sampled_from([None, True, 0, 1, 2, 5, "", "x", "xyz"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), inner, max_size=3),
    ),
    max_leaves=8,
)


def written(schema: dict[str, Any]) -> tuple[dict[str, Any], Notes]:
    notes: Notes = []
    return inline(schema, lambda *it: notes.append(it), Options(prose=False, unroll=0)), notes


def places(value: Any, place: str = "") -> list[str]:
    found = [place]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += places(inner, f"{place}/{pointer.escape(key)}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += places(inner, f"{place}/{index}")
    return found


IN_PLACE = ("/allOf", "/anyOf", "/oneOf", "/not", "/if", "/then", "/else", "/dependentSchemas", "/dependencies")


def circular(schema: dict[str, Any]) -> bool:
    """Whether a schema refers to itself for the same value, which means nothing."""
    anchors = {"#" + sub["$anchor"]: place for place, sub in walk(schema) if isinstance(sub, dict) and "$anchor" in sub}
    edges: dict[str, list[str]] = {}
    todo = [place for place, _ in walk(schema)]
    while todo:
        place = todo.pop()
        sub = pointer.get(schema, place)
        if place in edges:
            continue
        edges[place] = [place + suffix for suffix, _ in children(sub) if suffix.startswith(IN_PLACE)]
        if isinstance(sub, dict) and isinstance(sub.get("$ref"), str):
            target = anchors.get(sub["$ref"], sub["$ref"][1:])
            if pointer.get(schema, target if target[:1] in ("", "/") else "/Nope") is not pointer.MISSING:
                edges[place].append(target)
        todo += [place + suffix for suffix, _ in children(sub)] + edges[place]
    for start, first in edges.items():
        seen: set[str] = set()
        todo = list(first)
        while todo:
            place = todo.pop()
            if place == start:
                return True
            if place not in seen:
                seen.add(place)
                todo += edges.get(place, [])
    return False


def judge(schema: Any) -> Any:
    return jsonschema_rs.validator_for(schema, validate_formats=False)


# What a reference that leads nowhere may have meant: whatever that was, no less may be accepted.
MEANT: list[Any] = [True, False, {"properties": {"a": True, "b": {"type": "integer"}}}, {"prefixItems": [{"const": 1}]}]


def check_meaning(schema: dict[str, Any], instances: list[Any]) -> None:
    before = deepcopy(schema)
    out, notes = written(schema)
    assert schema == before
    codes = {code for code, *_ in notes}
    event(f"codes {sorted(codes)}")
    exact = not any(code.startswith("TB2") for code in codes)
    judged = judge(out)
    dangles = any(
        isinstance(sub, dict) and sub.get("$ref") and _is_dangling(schema, sub["$ref"]) for _, sub in walk(schema)
    )
    for meant in MEANT if dangles else [None]:
        source = deepcopy(schema)
        if meant is not None:
            source["$defs"] |= {"Nope": meant}
            for place, sub in walk(source):
                if isinstance(sub, dict) and sub.get("$ref") and _is_dangling(schema, sub["$ref"]):
                    pointer.put(source, f"{place}/$ref", "#/$defs/Nope")
            assume(not circular(source))
        old = judge(source)
        for instance in instances:
            accepted = old.is_valid(instance)
            if exact:
                assert judged.is_valid(instance) == accepted, (instance, out)
            elif accepted:
                assert judged.is_valid(instance), (instance, out, meant, notes)


def _is_dangling(schema: dict[str, Any], ref: str) -> bool:
    if ref == "#anchor":
        return not any(isinstance(sub, dict) and "$anchor" in sub for _, sub in walk(schema))
    return not isinstance(pointer.get(schema, ref[1:]), (dict, bool))


SETTINGS = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@SETTINGS
@given(documents(), st.lists(INSTANCES, min_size=1, max_size=8))
def test_meaning(schema: dict[str, Any], instances: list[Any]) -> None:
    assume(not circular(schema))
    check_meaning(schema, instances)


@SETTINGS
@given(documents(st.sampled_from(["#/$defs/A", "#/$defs/B", "#/$defs/C"])), st.lists(INSTANCES, min_size=1, max_size=8))
def test_meaning_in_draft_07(schema: dict[str, Any], instances: list[Any]) -> None:
    schema = {"$schema": DRAFT_07} | schema
    schema["$defs"] |= {"C": {"type": "string"}}
    assume(not circular(schema))
    check_meaning(schema, instances)


def turning(leaf: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Small schemas of nothing but what turns more into less, with cuts among their leaves."""

    def nested(sub: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        pair = st.tuples(sub, sub)
        inner = st.one_of(
            pair.map(lambda it: {"allOf": list(it)}),
            pair.map(lambda it: {"anyOf": list(it)}),
            pair.map(lambda it: {"oneOf": list(it)}),
            pair.map(lambda it: {"oneOf": list(it), "anyOf": [it[1], it[0]]}),
            sub.map(lambda it: {"not": it}),
            st.tuples(sub, sub, sub).map(lambda it: {"if": it[0], "then": it[1], "else": it[2]}),
            sub.map(lambda it: {"dependentSchemas": {"a": it}}),
            sub.map(lambda it: {"properties": {"b": it}}),
            st.tuples(sub, st.integers(0, 1)).map(
                lambda it: {"contains": it[0], "maxContains": it[1], "minContains": 0}
            ),
            sub.map(lambda it: {"contains": it}),
        )
        closed = st.sampled_from([
            {},
            {"unevaluatedProperties": False},
            {"unevaluatedItems": False},
            {"unevaluatedProperties": {"type": "integer"}, "unevaluatedItems": {"type": "integer"}},
        ])
        return st.tuples(inner, closed).map(lambda it: it[0] | it[1])

    return nested(st.recursive(leaf, nested, max_leaves=4))


@SETTINGS
@given(st.data())
def test_widening_never_narrows(data: st.DataObject) -> None:
    leaf = st.sampled_from([
        {"$ref": "#/$defs/Nope"},
        {"$ref": "#/$defs/A"},
        {"properties": {"a": True}},
        {"required": ["a"]},
        {"const": 1},
        {"prefixItems": [True]},
    ])
    again = st.sampled_from([
        {"$ref": "#/$defs/A"},
        {"items": {"$ref": "#/$defs/A"}},
        {"properties": {"a": {"$ref": "#"}}},
    ])
    schema = data.draw(turning(leaf)) | {"$defs": {"A": data.draw(st.one_of(turning(leaf), turning(again), again))}}
    assume(not circular(schema))
    values = st.one_of(st.sampled_from([1, 2, "x", [], [1], [2, 1], {}, {"a": 1}, {"a": "x"}, {"b": 1}]), INSTANCES)
    objects = st.dictionaries(st.sampled_from(["a", "b", "c"]), values, max_size=3)
    instances = st.one_of(values, objects, st.lists(values, max_size=3))
    check_meaning(schema, data.draw(st.lists(instances, min_size=10, max_size=20)))


REFERENCES = {"$ref", "$dynamicRef", "$recursiveRef", "$defs", "definitions"}
NAMED = {"$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"}


def keywords(schema: dict[str, Any]) -> set[str]:
    return {key for _, sub in walk(schema) if isinstance(sub, dict) for key in sub}


@SETTINGS
@given(documents())
def test_nothing_of_references_is_left(schema: dict[str, Any]) -> None:
    out, notes = written(schema)
    assert not keywords(out) & REFERENCES
    assert not keywords(out) & NAMED or "$ref" not in keywords(schema)
    for code, source, target in notes:
        assert code in ("TB001", "TB103", "TB201", "TB203", "TB205", "TB206")
        assert pointer.get(schema, source) is not pointer.MISSING
        assert target is None or pointer.get(out, target) is not pointer.MISSING
    assert len(set(notes)) == len(notes)
    again: Notes = []
    assert inline(out, lambda *it: again.append(it), OPTIONS) is out
    assert not again


def outcome(schema: Any) -> str:
    try:
        out, notes = written(schema)
    except BudgetExceeded as error:
        return repr(error)
    return json.dumps([out, sorted(notes, key=str)], sort_keys=True)


def is_lost_with_its_references(schema: dict[str, Any], place: str, notes: Notes) -> bool:
    """Whether a place is in a definition to which only lost parts of the schema refer, or itself: they are noted."""
    definition = "/".join(place.split("/")[:3])
    lost = [definition, *(source for _, source, _ in notes)]
    sites = [
        where
        for where, sub in walk(schema)
        if isinstance(sub, dict) and any(unquote(str(sub.get(key, ""))).endswith(definition) for key in REFERENCES)
    ]
    return bool(sites) and all(any(f"{site}/".startswith(f"{source}/") for source in lost) for site in sites)


def check_silence(schema: dict[str, Any]) -> None:
    before = outcome(schema)
    _, notes = written(schema)
    for place in places(schema)[1:]:
        if any(pointer.overlap(source, place) for _, source, _ in notes):
            continue
        if is_lost_with_its_references(schema, place, notes):
            continue
        for change in ("drop", "changed", 12345, {"const": "changed"}, ["changed"], None):
            changed = deepcopy(schema)
            if change == "drop":
                pointer.drop(changed, place)
            else:
                pointer.put(changed, place, deepcopy(change))
            if json.dumps(changed) != json.dumps(schema) and outcome(changed) == before:
                pytest.fail(f"silent: {place} to {change!r} in {json.dumps(schema)}")


AGAIN: list[Any] = [False, True, {}, {"type": "string"}, {"minimum": 1}]


def stated_again() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        *({"type": "string"}, {"type": ["string", "null"]}, {"minimum": 1}, {"minLength": 2}, {"required": ["a"]}),
        *({"const": 1}, {"enum": [1, "x"]}, {"uniqueItems": True}, {"dependentRequired": {"a": ["b"]}}),
        *({"description": "one"}, {"pattern": "a"}),
    ]
    for sub in AGAIN:
        found += [{keyword: sub} for keyword in ("additionalProperties", "items", "propertyNames", "contains", "not")]
        found += [{keyword: {"a": sub}} for keyword in ("properties", "patternProperties", "dependentSchemas")]
        found += [{keyword: [sub]} for keyword in ("prefixItems", "allOf", "anyOf", "oneOf")]
        found += [{"properties": {"a": sub}, "additionalProperties": False}, {"properties": {"a": sub, "b": sub}}]
    return found


@pytest.mark.parametrize("own", stated_again(), ids=json.dumps)
def test_keywords_that_a_reference_states_again(own: dict[str, Any]) -> None:
    for other in stated_again():
        if own.keys() & other.keys():
            check_silence(own | {"$ref": "#/$defs/A", "$defs": {"A": other}})


MORE_REFS = st.one_of(
    REFS,
    st.sampled_from([
        "item",
        "https://x.example/root",
        "item#/$defs/Inner",
        "#/$defs/Group/G",
        "#/x-types/T",
        "#/%24defs/A",
    ]),
)


@st.composite
def strange_documents(draw: st.DrawFn) -> dict[str, Any]:
    schema = draw(documents(MORE_REFS))
    sub = subschemas(MORE_REFS)
    extras = {
        "$id": st.just("https://x.example/root"),
        "$schema": st.sampled_from([DRAFT_07, DRAFT_2019, 5]),
        "x-types": st.fixed_dictionaries({"T": sub, "U": sub}),
        "definitions": st.one_of(st.just({}), st.just(5), st.fixed_dictionaries({"D": sub})),
        "$recursiveAnchor": st.just(True),
    }
    schema |= draw(st.fixed_dictionaries({}, optional=extras))
    more = {
        "Item": st.fixed_dictionaries({"$id": st.just("item"), "$defs": st.fixed_dictionaries({"Inner": sub})}),
        "Group": st.fixed_dictionaries({"G": sub}),
        "Dyn": st.fixed_dictionaries({"$dynamicAnchor": st.just("node"), "items": st.just({"$dynamicRef": "#node"})}),
        "Rec": st.fixed_dictionaries({"$recursiveAnchor": st.booleans(), "items": st.just({"$recursiveRef": "#"})}),
    }
    schema["$defs"] |= draw(st.fixed_dictionaries({}, optional=more))
    return schema


# Of other examples some are false alarms: definitions to which lost parts refer by way of others, and references to
# definitions that accept anything, of which the definition is named.
@settings(SETTINGS, max_examples=50)
@given(strange_documents())
def test_completeness_of_references(schema: dict[str, Any]) -> None:
    check_silence(schema)


@SETTINGS
@given(strange_documents())
def test_strange_documents_lose_their_references(schema: dict[str, Any]) -> None:
    test_nothing_of_references_is_left.hypothesis.inner_test(schema)
