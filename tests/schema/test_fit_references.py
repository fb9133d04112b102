"""References in a dialect: kept, merged with what stands beside them, written out, cut; recursion."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from graphlib import TopologicalSorter
from threading import Event
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from laws.meaning import validator
from schema.generated_schemas import fitted
from schema.parameter import CLOSED, OPEN, STRING, Json, at_p, p
from toolbridge.formats.dialects import (
    ANTHROPIC,
    ANTHROPIC_STRICT,
    COHERE,
    DIALECTS,
    GEMINI,
    GEMINI_JSON,
    OLLAMA,
    OPENAI_STRICT,
)
from toolbridge.formats.service_dialects import XAI
from toolbridge.schema import lint
from toolbridge.schema.cycles import CycleReference, by_home, find_cycles, find_references, reachable
from toolbridge.schema.dialect import PLAIN, Dialect
from toolbridge.schema.fitting import rewriter

WITHOUT_REFERENCES = Dialect(id="inline", title="JSON Schema 2020-12 without references", references="inline")


def test_references_are_kept_where_they_may_be_and_pruned_to_what_is_used() -> None:
    definitions = {"A": {"type": "string", "minLength": 1}, "Unused": {"$ref": "#/$defs/A"}, "B": {"$ref": "#/$defs/A"}}
    schema = p({"$ref": "#/$defs/B"}, **{"$defs": definitions})
    for dialect in OPEN:
        fit, notes = fitted(schema, dialect)
        assert fit.schema["$defs"] == {"A": definitions["A"], "B": definitions["B"]}
        assert notes == [("TB103", "/$defs/Unused", None)]
    assert at_p({"$ref": "#/$defs/B"}, GEMINI, **{"$defs": definitions})[0] == {"type": "STRING", "minLength": "1"}


def test_what_is_unused_is_told_in_the_same_order_in_each_process() -> None:
    schema = p(STRING, definitions={"C": STRING}, **{"$defs": {"A": STRING, "B": STRING}})
    _, notes = fitted(schema, PLAIN)
    assert [place for _, place, _ in notes] == ["/$defs/A", "/$defs/B", "/definitions/C"]


@pytest.mark.parametrize("stated", [{}, {"$schema": "http://json-schema.org/draft-04/schema#"}])
@pytest.mark.parametrize("dialect", OPEN)
def test_a_reference_to_a_root_without_a_type_leads_to_a_value_of_any(dialect: Dialect, stated: Json) -> None:
    schema = stated | {"properties": {"rest": {"$ref": "#"}, "n": {"type": "integer"}}}
    fit, notes = fitted(schema, dialect)
    assert fit.schema["type"] == "object"
    assert ("TB401", "", "/type") in notes
    assert (
        fit.schema["properties"]["rest"]
        == {"$ref": "#/$defs/root"}
        == fit.schema["$defs"]["root"]["properties"]["rest"]
    )
    accepts = validator(fit.schema)
    assert accepts({"rest": True})
    assert accepts({"rest": {"rest": [1]}})
    assert not accepts({"rest": {"n": "a"}})
    whole, _ = fitted({"type": "object", **schema}, dialect)
    assert whole.schema["properties"]["rest"] == {"$ref": "#"}


@pytest.mark.parametrize("dialect", OPEN)
def test_an_id_with_a_fragment_names_a_place_in_old_drafts_only(dialect: Dialect) -> None:
    inner = {"id": "https://e.example/s#rank", "type": "integer"}
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "properties": {"p": inner}}
    fit, notes = fitted(schema, dialect)
    assert fit.schema["properties"] == {"p": {"type": "integer"}}
    assert ("TB103", "/properties/p/id", None) in notes
    assert not [*lint(fit.schema, dialect)]


@pytest.mark.parametrize("dialect", OPEN)
def test_two_references_of_one_node_are_both_followed(dialect: Dialect) -> None:
    definitions = {"A": {"type": "array", "maxItems": 3}, "B": {"minItems": 1}}
    node, _ = at_p({"$dynamicRef": "#/$defs/A", "$ref": "#/$defs/B"}, dialect, **{"$defs": definitions})
    assert node.items() >= {"type": "array", "maxItems": 3, "minItems": 1}.items()


GUARDED: list[Json] = [
    {"not": {"required": ["up"], "properties": {"up": {"$ref": "#/$defs/F"}}}},
    {"if": {"required": ["up"], "properties": {"up": {"$ref": "#/$defs/F"}}}, "then": {"required": ["q"]}},
    {"oneOf": [{"required": ["up"], "properties": {"up": {"$ref": "#/$defs/F"}}}, {"required": ["q"]}]},
    {"not": {"required": ["up"], "properties": {"up": {"$ref": "https://example.org/other.json"}}}},
]


@pytest.mark.parametrize("held", GUARDED)
def test_the_second_use_of_a_definition_is_written_as_the_first(held: Json) -> None:
    """What a definition accepts more was noted at its first use alone, so a `not` around it stayed at the second."""
    definitions = {"F": {"type": "object", **held}}
    properties = {"a": {"$ref": "#/$defs/F"}, "b": {"$ref": "#/$defs/F"}}
    written = fitted({"type": "object", "properties": properties, "$defs": definitions}, WITHOUT_REFERENCES)[0].schema
    assert written["properties"]["a"] == written["properties"]["b"]
    assert "not" not in written["properties"]["b"]


def test_the_losses_of_alternatives_that_are_written_alike_are_noted() -> None:
    """They were written twice, the second time from memory, and the notes of the first time were dropped."""
    text = {"type": "string", "examples": ["x"], "$comment": "c"}
    definitions = {"G": {"type": "object", "properties": {"n": text}}}
    schema = p({"anyOf": [{"$ref": "#/$defs/G"}, {"$ref": "#/$defs/G"}]}, **{"$defs": definitions})
    _, notes = fitted(schema, GEMINI)
    places = {place for code, place, _ in notes if code == "TB103"}
    assert places >= {"/$defs/G/properties/n/examples", "/$defs/G/properties/n/$comment"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_reference_ever_dangles(dialect: Dialect) -> None:
    places = (
        "#/definitions/A",
        "#/properties/q",
        "#/properties/p/items",
        "#a",
        "#/components/schemas/X",
        "#/definitions/a~1b%20c",
    )
    for place in places:
        schema = p({"type": "array", "items": STRING}) | {
            "definitions": {"A": {"type": "boolean", "$anchor": "a"}, "a/b c": {"type": "integer"}},
            "components": {"schemas": {"X": {"type": "null"}}},
        }
        schema["properties"] |= {"q": {"type": "number"}, "r": {"$ref": place}}
        fit, notes = fitted(schema, dialect)
        assert lint(fit.schema, fit.dialect) == []
        if place != "#a":
            assert not {"TB206"} & {code for code, _, _ in notes}, place


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("place", ["#/$defs/Gone", "https://e.example/s", "other.json#/a", "#gone"])
def test_what_leads_nowhere_is_cut_open(dialect: Dialect, place: str) -> None:
    schema = p({"type": "object", "properties": {"a": {"$ref": place, "description": "d"}, "b": STRING}})
    fit, notes = fitted(schema, dialect)
    assert ("TB206", "/properties/p/properties/a/$ref") in {(code, source) for code, source, _ in notes}
    assert place not in json.dumps(fit.schema)
    if dialect.closed_objects and dialect.requires_type:  # Cerebras takes a schema without a type, which is open anyway
        assert fit.dialect is dialect.fallback


def test_what_stands_beside_a_reference_is_merged() -> None:
    defs = {"$defs": {"A": {"type": ["string", "integer"], "minLength": 2, "description": "inner"}}}
    for dialect in (OPENAI_STRICT, ANTHROPIC_STRICT, GEMINI_JSON, COHERE):
        said, noted = at_p({"$ref": "#/$defs/A", "type": "string", "description": "outer"}, dialect, **defs)
        assert said["type"] == "string"
        assert said["description"] == "outer"
        assert ("minLength" in said) == dialect.allows("minLength")
        assert ("TB103", "/$defs/A/description") in noted
    said, _ = at_p({"$ref": "#/$defs/A", "type": "string"}, PLAIN, **defs)
    assert said == {"$ref": "#/$defs/A", "type": "string"}


@pytest.mark.parametrize("dialect", [OPENAI_STRICT, ANTHROPIC_STRICT, GEMINI_JSON, COHERE])
def test_what_stands_beside_a_reference_to_a_reference_is_merged(dialect: Dialect) -> None:
    defs = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": STRING}}
    said, noted = at_p({"$ref": "#/$defs/A", "minLength": 2}, dialect, **defs)
    assert said == ({"type": "string", "minLength": 2} if dialect.allows("minLength") else STRING)
    assert noted == (set() if dialect.allows("minLength") else {("TB201", "/minLength")})


@pytest.mark.parametrize(("first", "more"), [("A", {}), ("B", {"B": {"$ref": "#/$defs/A"}})])
def test_a_definition_to_which_two_references_lead_is_not_lost_once(first: str, more: Json) -> None:
    held = {"type": "object", "description": "d", "properties": {"n": {"type": "string", "title": "t"}}}
    definitions = {"A": held, **more}
    twice = {"allOf": [{"$ref": f"#/$defs/{first}"}, {"$ref": "#/$defs/A"}]}
    once = at_p({"$ref": "#/$defs/A"}, GEMINI, **{"$defs": {"A": held}})
    assert at_p(twice, GEMINI, **{"$defs": definitions}) == once


@pytest.mark.parametrize("dialect", [OPENAI_STRICT, GEMINI_JSON])
def test_nothing_stands_beside_a_reference_that_is_alone_in_a_union(dialect: Dialect) -> None:
    said, _ = at_p({"anyOf": [{"$ref": "#/$defs/A"}], "description": "d"}, dialect, **{"$defs": {"A": CLOSED}})
    assert "$ref" not in said or said.keys() == {"$ref"}


NODE = {"type": "object", "properties": {"v": STRING, "next": {"$ref": "#/$defs/Node"}}, "required": ["v"]}


@pytest.mark.parametrize("unroll", [0, 1, 3])
@pytest.mark.parametrize("dialect", [GEMINI, OLLAMA])
def test_recursion_is_cut_open_so_deep(dialect: Dialect, unroll: int) -> None:
    schema = p({"$ref": "#/$defs/Node"}, **{"$defs": {"Node": NODE}})
    fit, notes = fitted(schema, dialect, unroll=unroll, prose=False)
    node, depth = fit.schema["properties"]["p"], 0
    while "properties" in node:
        node, depth = node["properties"]["next"], depth + 1
    assert depth == unroll + 1
    assert node == {"type": dialect.types["object"]}
    place = "/properties/p" + "/properties/next" * depth
    assert ("TB205", "/$defs/Node/properties/next/$ref", place) in notes


@pytest.mark.parametrize("kind", ["anyOf", "oneOf"])
@pytest.mark.parametrize("named", [False, True])
def test_a_union_of_objects_that_is_cut_open_is_an_object(kind: str, *, named: bool) -> None:
    """It was any value, which Gemini has no words for, and the definition was reported as dropped."""
    both = {
        "properties": {"op": {"enum": ["and"], "type": "string"}, "of": {"$ref": "#/$defs/F"}},
        "type": "object",
        "required": ["op"],
    }
    value = {"properties": {"op": {"enum": ["eq"], "type": "string"}}, "type": "object", "required": ["op"]}
    union = [{"$ref": "#/$defs/Both"}, {"$ref": "#/$defs/Value"}] if named else [both, value]
    definitions = {"F": {kind: union}} | ({"Both": both, "Value": value} if named else {})
    written, notes = at_p({"$ref": "#/$defs/F"}, GEMINI, **{"$defs": definitions})
    inner = written["anyOf"][0]["properties"]["of"]["anyOf"][0]["properties"]["of"]
    assert inner == {"type": "OBJECT"}
    assert {code for code, _ in notes} == {"TB205"}


@pytest.mark.parametrize("dialect", [OLLAMA, WITHOUT_REFERENCES])
def test_a_nullable_union_of_objects_that_is_cut_open_accepts_null(dialect: Dialect) -> None:
    members = {"of": {"$ref": "#/$defs/F"}}
    union = {
        "nullable": True,
        "oneOf": [{"type": "object", "properties": members}, {"type": "object", "maxProperties": 0}],
    }
    fit, _ = fitted(p({"$ref": "#/$defs/F"}, **{"$defs": {"F": union}}), dialect)
    for value in (None, {"of": None}, {"of": {"of": None}}, {"of": {"of": {"of": None}}}):
        assert validator(fit.schema)({"p": value})


def test_a_nullable_definition_that_is_cut_open_is_nullable() -> None:
    node = {**NODE, "nullable": True}
    fit, _ = fitted(p({"$ref": "#/$defs/Node"}, **{"$defs": {"Node": node}}), OLLAMA, unroll=0, prose=False)
    assert fit.schema["properties"]["p"]["properties"]["next"] == {"type": ["object", "null"]}


def test_a_type_beside_a_reference_is_none_of_a_definition_that_is_cut_open_up_to_draft_7() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **p({"$ref": "#/definitions/Link"}),
        "definitions": {"Link": {"$ref": "#/definitions/Node", "type": "string"}},
    }
    schema["definitions"]["Node"] = {"type": "object", "properties": {"next": {"$ref": "#/definitions/Link"}}}
    fit, _ = fitted(schema, OLLAMA, unroll=0, prose=False)
    assert fit.schema["properties"]["p"]["properties"]["next"] == {}


def test_recursion_is_kept_where_it_may_be() -> None:
    schema = p(
        {"$ref": "#/$defs/Node"},
        **{"$defs": {"Node": {**NODE, "required": ["v", "next"], "additionalProperties": False}}},
    )
    schema["$defs"]["Node"]["properties"]["next"] = {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}
    for dialect in (*OPEN, OPENAI_STRICT, COHERE):
        fit, notes = fitted(schema, dialect)
        assert fit.schema == schema
        assert fit.dialect is dialect
        assert notes == []
    fit, notes = fitted(schema, ANTHROPIC_STRICT)
    assert fit.dialect is ANTHROPIC
    assert [code for code, _, _ in notes] == ["TB603"]


def test_recursion_is_seen_through_what_is_merged() -> None:
    """Where stands what refers to the root, which refers to it again, there stands a part of the root itself."""
    both = {"allOf": [{"$ref": "#"}, {"description": "d"}]}
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/Both"}}}}
    fit, notes = fitted(schema | {"$defs": {"Both": both}}, ANTHROPIC_STRICT)
    assert fit.dialect is ANTHROPIC
    assert "TB603" in {code for code, _, _ in notes}


def test_recursion_runs_through_what_may_be_left_out_where_it_must() -> None:
    """To be null is not enough for that."""
    node = {
        "type": "object",
        "properties": {"v": STRING, "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
    }
    kept = p({"$ref": "#/$defs/Node"}, **{"$defs": {"Node": node | {"required": ["v"]}}})
    assert fitted(kept, GEMINI_JSON)[0].schema == kept
    schema = p({"$ref": "#/$defs/Node"}, **{"$defs": {"Node": node | {"required": ["v", "next"]}}})
    fit, notes = fitted(schema, GEMINI_JSON)
    assert fit.schema == kept
    assert notes == [("TB201", "/$defs/Node/required/1", "/$defs/Node")]
    lone = p({"$ref": "#/$defs/Node"}, **{"$defs": {"Node": node | {"required": ["next"]}}})
    assert "required" not in fitted(lone, GEMINI_JSON)[0].schema["$defs"]["Node"]


def test_recursion_through_no_property_is_cut_where_it_must_run_through_one() -> None:
    nested = {"type": "array", "items": {"$ref": "#/$defs/L"}, "description": "d"}
    schema = p({"$ref": "#/$defs/L"}, **{"$defs": {"L": nested}})
    fit, notes = fitted(schema, GEMINI_JSON)
    assert fit.schema["$defs"]["L"] == nested | {"items": {"type": "array", "description": "d"}}
    assert notes == [("TB205", "/$defs/L/items/$ref", "/$defs/L/items")]
    pair = {
        "A": {"type": "array", "items": {"$ref": "#/$defs/B"}},
        "B": {"type": "array", "items": {"$ref": "#/$defs/A"}},
    }
    fit, notes = fitted(p({"$ref": "#/$defs/A"}, **{"$defs": pair}), GEMINI_JSON)
    assert fit.schema["$defs"] == {"A": {"type": "array", "items": {"type": "array"}}}
    assert ("TB103", "/$defs/B", None) in notes
    root = {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#"}}}, "required": ["a"]}
    fit, notes = fitted(root, GEMINI_JSON)
    assert fit.schema == {key: root[key] for key in ("type", "properties")}
    assert notes == [("TB201", "/required/0", "")]


def test_recursion_is_cut_where_it_leads_back_and_not_before() -> None:
    """All references of the two definitions were cut, so that nothing was left of them."""
    pair = {
        "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}},
        "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}, "v": STRING}},
    }
    for defs in (pair, {"B": pair["B"], "A": pair["A"]}):
        fit, notes = fitted(p({"$ref": "#/$defs/A"}, **{"$defs": defs}), XAI)
        assert fit.schema["$defs"]["A"]["properties"] == {"b": {"$ref": "#/$defs/B"}}
        assert fit.schema["$defs"]["B"]["properties"] == {
            "a": {"type": "object", "additionalProperties": True},
            "v": STRING,
        }
        assert [note[:2] for note in notes if note[0] == "TB205"] == [("TB205", "/$defs/B/properties/a/$ref")]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from(["required", "optional", "items"]))))
@example([(0, 1, "required"), (0, 2, "required"), (1, 0, "items")])
def test_without_the_references_that_make_cycles_there_is_none(leads: list[tuple[int, int, str]]) -> None:
    defs: dict[str, Json] = {f"D{n}": {"type": "object", "properties": {}, "required": []} for n in range(6)}
    for n, (owner, target, kind) in enumerate(leads):
        node, lead = defs[f"D{owner}"], {"$ref": f"#/$defs/D{target}"}
        if kind == "items":
            node.setdefault("allOf", []).append({"items": lead})
        else:
            node["properties"][f"p{n}"] = lead
        if kind == "required":
            node["required"].append(f"p{n}")
    schema = {"type": "object", "properties": {"p": {"$ref": "#/$defs/D0"}}, "$defs": defs}
    references = find_references(schema)
    for required in (False, True):
        cycles = [lead for _, lead in find_cycles(references, required=required)]
        kept = [it for it in references if it not in cycles and not (required and it.optional)]
        sorter = TopologicalSorter[str]()
        for it in kept:
            sorter.add(it.home, it.target)
        sorter.prepare()  # raises CycleError
        all_required = [it for it in references if not (required and it.optional)]
        assert all(leads_to(all_required, it.target, it.home) for it in cycles)
        if required:  # a property is optional instead, if a cycle has one
            bare = [it for it in all_required if not it.required]
            assert all(it.required or leads_to(bare, it.target, it.home) for it in cycles)


def leads_to(references: list[CycleReference], start: str, end: str) -> bool:
    return start == end or end in reachable(by_home(references), start)


# dynamic references

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TREE: Json = {
    "type": "object",
    "properties": {"v": STRING, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
}


def test_a_tree_that_refers_to_itself_dynamically_is_one_that_refers_to_itself() -> None:
    schema = {"$schema": DRAFT, "$dynamicAnchor": "node", **TREE}
    said = {**TREE, "properties": {**TREE["properties"], "children": {"type": "array", "items": {"$ref": "#"}}}}
    for dialect in (*OPEN, GEMINI_JSON, COHERE):
        assert {key: value for key, value in fitted(schema, dialect)[0].schema.items() if key in TREE} == said


def test_one_property_that_may_be_left_out_is_enough_for_a_circle_of_several_definitions() -> None:
    term = {"anyOf": [STRING, {"$ref": "#/$defs/Not"}]}
    negation = {"type": "object", "properties": {"arg": {"$ref": "#/$defs/Term"}}}
    free = p({"$ref": "#/$defs/Term"}, **{"$defs": {"Term": term, "Not": negation}})
    assert fitted(free, GEMINI_JSON)[0].schema is free
    assert lint(free, GEMINI_JSON) == []
    bound = p({"$ref": "#/$defs/Term"}, **{"$defs": {"Term": term, "Not": negation | {"required": ["arg"]}}})
    assert {finding.rule for finding in lint(bound, GEMINI_JSON)} == {"references"}
    fit, notes = fitted(bound, GEMINI_JSON)
    assert fit.schema == free
    assert notes == [("TB201", "/$defs/Not/required/0", "/$defs/Not")]


def test_a_cycle_through_an_alternative_after_one_that_is_left_out() -> None:
    """Its place was that of the alternatives before any was left out, and what is lost there was not found."""
    empty = {"type": "object", "properties": {}, "additionalProperties": False}
    last = {"type": "object", "properties": {"n": {"$ref": "#/$defs/Node"}}, "required": ["n"]}
    node = {"type": "object", "properties": {"b": {"anyOf": [empty, empty, last]}}, "required": ["b"]}
    fit, notes = fitted(p({"$ref": "#/$defs/Node"}, **{"$defs": {"Node": node}}), GEMINI_JSON)
    place = "/$defs/Node/properties/b/anyOf"
    assert ("TB201", f"{place}/2/required/0", f"{place}/1") in notes
    assert "required" not in fit.schema["$defs"]["Node"]["properties"]["b"]["anyOf"][1]


@pytest.mark.parametrize("dialect", [*OPEN, GEMINI_JSON, COHERE, OLLAMA])
def test_a_dynamic_reference_leads_to_the_outermost_namesake_on_the_way(dialect: Dialect) -> None:
    """The children of a tree with labels have labels as well."""
    labelled = {"$id": "https://e.example/labelled", "$dynamicAnchor": "node", "$ref": "tree"}
    labelled |= {"properties": {"label": STRING}, "required": ["label"]}
    tree = {"$id": "https://e.example/tree", "$dynamicAnchor": "node", **TREE}
    defs = {"labelled": labelled, "tree": tree}
    schema = p({"$ref": "https://e.example/labelled"}, **{"$schema": DRAFT, "$defs": defs})
    fit, notes = fitted(schema, dialect)
    outer = fit.schema["properties"]["p"]
    inner = outer["properties"]["children"]["items"]
    for node in (outer, inner):
        assert node["required"] == ["label"]
        assert {"v", "label", "children"} >= node["properties"].keys() >= {"label", "children"}
    assert [code for code, _, _ in notes if code == "TB205"] == ["TB205"]
    accepts, takes = validator(schema), validator(fit.schema)
    assert accepts is not None
    assert takes is not None
    for children in ([], [{"label": "a"}], [{"v": "a"}], [{"label": "a", "children": [{"label": "b"}]}]):
        value = {"p": {"label": "r", "children": children}}
        assert takes(value) == accepts(value)


def test_threads_do_not_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Python 3.11 a `cached_property` has one lock for all instances, which a forked process waited for."""
    begun, release, usual = Event(), Event(), rewriter.Normaliser

    def slow(*given: Any, **more: Any) -> Any:
        if not begun.is_set():
            begun.set()
            release.wait(20)
        return usual(*given, **more)

    monkeypatch.setattr(rewriter, "Normaliser", slow)
    schema = {"$ref": "#/$defs/S", "$defs": {"S": {"type": "object"}}}
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(fitted, schema, OPENAI_STRICT)
        begun.wait(20)
        try:
            threads.submit(fitted, schema, OPENAI_STRICT).result(10)
        finally:
            release.set()
        first.result()
