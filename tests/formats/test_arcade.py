"""Quirks of Tool Definition 1.0: ids, names, versions, the states of an output."""

from __future__ import annotations

import re
from typing import Any

import pytest

from report_parts import source_places as told
from toolbridge import check, convert, detect, get_format

TOOL: dict[str, Any] = {
    "id": "Tides.Now@1.0.0",
    "name": "Tides_Now",
    "description": "Says how high the tide is.",
    "version": "1.0.0",
    "input_schema": {"parameters": {"type": "object"}},
    "output_schema": None,
}
MCP: dict[str, Any] = {"name": "search", "description": "Searches.", "inputSchema": {"type": "object"}}
BOTH = ("arcade@1.0", "arcade@1.0-errata")
ID = re.compile(r"^[A-Za-z0-9_]+\.[A-Za-z0-9_]+@[0-9]+\.[0-9]+\.[0-9]+$")


def errata(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "input_schema": document["input_schema"]["parameters"]}


def restored(done: Any, source: str, target: str) -> Any:
    return convert(done.value, source, source=target, restore=done.remainder or False).value


@pytest.mark.parametrize("alias", ["oxp", "otc", "tool-definition", "oxp@1.0", "ARCADE", "arcade"])
def test_it_goes_by_several_names(alias: str) -> None:
    assert get_format(alias).id == "arcade@1.0"


def test_the_editions_differ_in_where_the_schema_stands() -> None:
    done = convert(TOOL, "arcade@1.0-errata", source="arcade@1.0")
    assert done.value == errata(TOOL)
    assert done.report.lossless
    back = convert(done.value, "arcade@1.0", source="arcade@1.0-errata")
    assert back.value == TOOL
    assert back.report.lossless


@pytest.mark.parametrize(("document", "form"), [(TOOL, "arcade@1.0"), (errata(TOOL), "arcade@1.0-errata")])
def test_the_editions_are_told_apart(document: Any, form: str) -> None:
    assert detect(document).id == form


def test_a_parameter_called_parameters_is_a_parameter() -> None:
    schema = {"type": "object", "properties": {"parameters": {"type": "object", "description": "P"}}}
    assert detect({**TOOL, "input_schema": schema}).id == "arcade@1.0-errata"


# ids, names and versions


@pytest.mark.parametrize("name", ["search", "web.search", "a-b", "a.b.c", "größe", "x" * 64, "x" * 65, "1st"])
@pytest.mark.parametrize("target", BOTH)
def test_an_id_is_always_legal(name: str, target: str) -> None:
    for fill in ({}, {"toolkit": "My-Kit.v2"}):
        done = convert({**MCP, "name": name}, target, source="mcp", fill=fill)
        assert ID.match(done.value["id"])
        assert re.match(r"^[A-Za-z0-9_-]{1,64}$", done.value["name"])
        assert check(done.value, target) == []


@pytest.mark.parametrize("names", [["a-b", "a_b", "a.b"], ["a_b", "Tools_a_b"], ["a-b", "Tools_a-b"]])
def test_ids_of_a_catalogue_are_unique(names: list[str]) -> None:
    # "The id MUST be unique within the scope of the Tool Server."
    done = convert([{**MCP, "name": name} for name in names], "arcade", source="mcp")
    assert len({value["id"] for value in done.value}) == len(names)


def test_the_toolkit_is_not_said_twice() -> None:
    done = convert({**MCP, "name": "Billing_Pay"}, "arcade", source="mcp", fill={"toolkit": "Billing"})
    assert (done.value["id"], done.value["name"]) == ("Billing.Pay@0.0.0", "Billing_Pay")


@pytest.mark.parametrize("identity", ["Tides.Now", "Tides.Now@1", "Tides.Now@2.0.0", "Other.Thing@1.0.0"])
@pytest.mark.parametrize("target", ["arcade@1.0-errata", "mcp", "arcade-engine", "mcpx", "hyper-mcp"])
def test_an_odd_id_comes_home(identity: str, target: str) -> None:
    document = {**TOOL, "id": identity}
    done = convert(document, target, source="arcade")
    assert done.value.get("id") in (None, identity)
    if "id" not in done.value:
        assert "/id" in {place for _, place in told(done)} or done.value["fully_qualified_name"] == identity
    assert restored(done, "arcade", target) == document


@pytest.mark.parametrize(("identity", "version"), [("Tides.Now@2.3.4", "2.3.4"), ("Tides.Now", None)])
def test_a_version_that_is_missing_is_that_of_the_id(identity: str, version: str | None) -> None:
    document = {key: value for key, value in TOOL.items() if key != "version"} | {"id": identity}
    done = convert(document, "arcade@1.0-errata", source="arcade@1.0")
    assert done.value["version"] == (version or "0.0.0")
    assert "/version" in {loss.target for loss in done.report.matching("TB401")}
    assert restored(done, "arcade@1.0", "arcade@1.0-errata") == document


def engine(version: Any) -> dict[str, Any]:
    return {
        "name": "Now",
        "fully_qualified_name": "Tides.Now",
        "description": "Says how high the tide is.",
        "toolkit": {"name": "Tides", "version": version},
        "input": {"parameters": []},
        "output": {"available_modes": ["null"]},
        "requirements": {},
    }


@pytest.mark.parametrize(
    ("version", "written"),
    [
        ("1.2", "1.2.0"),
        ("2", "2.0.0"),
        ("1.2.3-beta.1", "1.2.3"),
        ("1.2.3+build.5", "1.2.3"),
        ("1.2-rc1", "1.2.0"),
        ("v3.1", "3.1.0"),
    ],
)
def test_a_version_is_three_integers(version: str, written: str) -> None:
    document = engine(version)
    done = convert(document, "arcade", source="arcade-engine")
    assert done.value["version"] == written
    assert done.value["id"] == f"Tides.Now@{written}"
    assert ("TB504", "/toolkit/version") in told(done)
    assert restored(done, "arcade-engine", "arcade") == document


@pytest.mark.parametrize("version", ["1.2.3", "0.0.0", "10.20.30"])
def test_a_plain_version_stays(version: str) -> None:
    done = convert(engine(version), "arcade", source="arcade-engine")
    assert done.value["version"] == version
    assert not done.report.matching("TB5", "TB4")


@pytest.mark.parametrize("version", ["latest", "", "1.2.3.4", "1,2", "٣.٠.٠"])
def test_what_is_no_version_is_replaced_and_told(version: str) -> None:
    document = engine(version)
    done = convert(document, "arcade", source="arcade-engine")
    assert check(done.value, "arcade") == []
    assert ("TB401", "/toolkit/version") in told(done) or ("TB504", "/toolkit/version") in told(done)
    assert restored(done, "arcade-engine", "arcade") == document


# parameters

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "description": "A"},
        "b": {"type": "string", "title": "The B"},
        "c": {"type": "object", "properties": {"d": {"type": "string"}}},
        "e": {},
        "f/g": {"description": 5},
    },
}


@pytest.mark.parametrize("target", BOTH)
def test_every_parameter_is_described(target: str) -> None:
    document = {**MCP, "inputSchema": PARAMETERS}
    done = convert(document, target, source="mcp")
    assert check(done.value, target) == []
    schema = done.value["input_schema"].get("parameters", done.value["input_schema"])
    assert {key: inner["description"] for key, inner in schema["properties"].items()} == {
        "a": "A",
        "b": "The B",
        "c": "c",
        "e": "e",
        "f/g": "f/g",
    }
    invented = {loss.target for loss in done.report.matching("TB401")}
    base = "/input_schema" + ("/parameters" if target == "arcade@1.0" else "")
    assert {place for place in invented if place and "properties" in place} == {
        f"{base}/properties/{key}/description" for key in ("b", "c", "e", "f~1g")
    }
    assert list(schema["properties"]) == list(PARAMETERS["properties"])
    assert restored(done, "mcp", target) == document


@pytest.mark.parametrize("target", BOTH)
def test_parameters_of_alternatives_are_described(target: str) -> None:
    """Row 004-31 of the audit. A parameter of the root is described there, and need not be again."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"a": {"type": "string", "description": "A"}, "b": {"not": {"properties": {"x": {}}}}},
        "anyOf": [
            {"properties": {"a": {"minLength": 2}, "c": {"type": "string"}}, "allOf": [{"properties": {"d": {}}}]},
            {"properties": {"c": {"title": "The C"}}, "then": {"properties": {"e": True}}},
        ],
        "dependentSchemas": {"a/b": {"properties": {"f": {}, "a": False}}},
    }
    done = convert({**MCP, "inputSchema": schema}, target, source="mcp")
    assert check(done.value, target) == []
    written = done.value["input_schema"].get("parameters", done.value["input_schema"])
    assert written == {
        "type": "object",
        "properties": {
            "a": {"type": "string", "description": "A"},
            "b": {"not": {"properties": {"x": {}}}, "description": "b"},
        },
        "anyOf": [
            {
                "properties": {"a": {"minLength": 2}, "c": {"type": "string", "description": "c"}},
                "allOf": [{"properties": {"d": {"description": "d"}}}],
            },
            {
                "properties": {"c": {"title": "The C", "description": "The C"}},
                "then": {"properties": {"e": {"description": "e"}}},
            },
        ],
        "dependentSchemas": {"a/b": {"properties": {"f": {"description": "f"}, "a": False}}},
    }
    base = "/input_schema" + ("/parameters" if target == "arcade@1.0" else "")
    places = {(loss.source, loss.target) for loss in done.report.matching("TB401")}
    assert places >= {
        ("/inputSchema/anyOf/0/properties/c", f"{base}/anyOf/0/properties/c/description"),
        ("/inputSchema/dependentSchemas/a~1b/properties/f", f"{base}/dependentSchemas/a~1b/properties/f/description"),
    }
    assert restored(done, "mcp", target) == {**MCP, "inputSchema": schema}


def test_alternatives_without_descriptions_are_told_by_check() -> None:
    parameters = {"properties": {"a": {"description": "A"}}, "oneOf": [{"properties": {"a": {}, "b": {}}}]}
    (error,) = check({**TOOL, "input_schema": {"parameters": parameters}}, "arcade")
    assert error.pointer == "/input_schema/parameters/oneOf/0/properties/b/description"


def test_a_definition_without_descriptions_is_told_by_check() -> None:
    document = {**TOOL, "input_schema": {"parameters": PARAMETERS}}
    assert "/input_schema/parameters/properties/b/description" in {error.pointer for error in check(document, "arcade")}


def test_references_are_told_by_check() -> None:
    document = {**TOOL, "output_schema": {"$ref": "#/$defs/A", "$defs": {"A": {}}}}
    assert [error.pointer for error in check(document, "arcade")] == ["/output_schema"]


# the four states of an output

STATES: list[tuple[str, dict[str, Any]]] = [
    ("absent", {}),
    ("null", {"output_schema": None}),
    ("anything", {"output_schema": {}}),
    ("schema", {"output_schema": {"type": "number", "description": "The sum."}}),
]


def erratic(state: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in errata(TOOL).items() if key != "output_schema"} | state


@pytest.mark.parametrize(("_name", "state"), STATES)
@pytest.mark.parametrize(
    "target", ["arcade@1.0", "arcade-engine", "mcp@2025-06-18", "mcp@2026-07-28", "mcpx", "hyper-mcp"]
)
def test_the_states_of_an_output_come_home(_name: str, state: dict[str, Any], target: str) -> None:
    document = erratic(state)
    done = convert(document, target, source="arcade@1.0-errata")
    assert restored(done, "arcade@1.0-errata", target) == document


def test_the_states_of_an_output_stay_apart() -> None:
    for target in ("arcade@1.0-errata", "arcade-engine@4"):
        values = [convert(erratic(state), target, source="arcade@1.0-errata").value for _, state in STATES]
        outputs = [str(value.get("output", value.get("output_schema", "absent"))) for value in values]
        assert len(set(outputs)) == 4, outputs


def test_an_absent_output_is_demanded_by_1_0() -> None:
    done = convert(erratic({}), "arcade@1.0", source="arcade@1.0-errata")
    assert done.value["output_schema"] == {}
    assert "/output_schema" in {loss.target for loss in done.report.matching("TB401")}


@pytest.mark.parametrize("edition", ["2025-06-18", "2025-11-25"])
def test_any_output_is_wrapped_for_mcp(edition: str) -> None:
    done = convert({**TOOL, "output_schema": {}}, f"mcp@{edition}", source="arcade")
    assert done.value["outputSchema"]["properties"] == {"result": {}}
    assert convert(done.value, "arcade", source=f"mcp@{edition}").value["output_schema"] == {}


def test_no_output_has_no_word_in_mcp() -> None:
    done = convert(TOOL, "mcp", source="arcade")
    assert "outputSchema" not in done.value
    assert "/output_schema" in {place for _, place in told(done)}


def test_a_tool_of_mcp_without_an_output_does_not_claim_to_return_nothing() -> None:
    for target in BOTH:
        value = convert(MCP, target, source="mcp").value
        assert value.get("output_schema", {}) == {}


# requirements


@pytest.mark.parametrize(
    "requirements",
    [
        {},
        {"secrets": []},
        {"authorization": []},
        {"user_id": False},
        {"authorization": [{}]},
        {"authorization": [{"id": "a", "oauth2": {}}, {"id": "b", "oauth2": {"scopes": []}}]},
        {"secrets": [{"id": "K", "note": "n"}], "x-team": {"a": None}},
    ],
)
@pytest.mark.parametrize(
    "target", ["arcade@1.0-errata", "arcade-engine", "arcade-engine@otc", "mcp", "mcpx", "hyper-mcp"]
)
def test_requirements_come_home(requirements: dict[str, Any], target: str) -> None:
    document = {**TOOL, "requirements": requirements}
    done = convert(document, target, source="arcade")
    assert restored(done, "arcade", target) == document
    if target == "arcade@1.0-errata":
        assert done.value["requirements"] == requirements
        assert done.report.lossless


@pytest.mark.parametrize("target", ["arcade-engine", "arcade-engine@otc", "mcp"])
def test_what_the_engine_has_no_words_for_is_reported(target: str) -> None:
    authorization = {"id": "a", "oauth2": {"scopes": ["s"], "x": 1}, "y": 2}
    requirements = {"authorization": [authorization], "secrets": [{"id": "K", "z": 3}]}
    done = convert({**TOOL, "requirements": requirements}, target, source="arcade")
    places = ("authorization/0/oauth2/x", "authorization/0/y", "secrets/0/z")
    assert {place for code, place in told(done) if code == "TB102"} == {f"/requirements/{place}" for place in places}


@pytest.mark.parametrize("key", ["authorization", "secrets", "user_id"])
def test_a_lost_requirement_is_a_matter_of_safety(key: str) -> None:
    value: Any = {"authorization": [{"id": "a"}], "secrets": [{"id": "a"}], "user_id": True}[key]
    # MCP has a place for them since 2025-06-18 (D15).
    done = convert({**TOOL, "requirements": {key: value}}, "mcp@2025-03-26", source="arcade")
    assert ("TB602", f"/requirements/{key}") in told(done)
    assert done.report.worst == "error"


@pytest.mark.parametrize("requirements", [{"secrets": []}, {"authorization": []}, {"user_id": False}])
def test_a_requirement_of_nothing_is_not_lost(requirements: dict[str, Any]) -> None:
    # "absent = false": nobody leans for safety on what demands nothing.
    done = convert({**TOOL, "requirements": requirements}, "mcp", source="arcade")
    assert not done.report.matching("TB6")


@pytest.mark.parametrize(("given", "written"), [("Tides.Now", "Tides.Now@1.0.0"), ("Tides.At@1", "Tides.At@1.0.0")])
def test_what_1_0_requires_beyond_the_errata_is_added(given: str, written: str) -> None:
    document = {**errata(TOOL), "id": given, "requirements": {"authorization": [{"id": "a"}, {"oauth2": {}}, {}]}}
    done = convert(document, "arcade@1.0", source="arcade@1.0-errata")
    assert done.value["id"] == written
    ids = [each["id"] for each in done.value["requirements"]["authorization"]]
    assert ids == ["a", "oauth2", "token"]
    assert check(done.value, "arcade@1.0") == []
    places = [f"/requirements/authorization/{number}" for number in (1, 2)]
    assert sorted(told(done)) == [*(("TB401", place) for place in places), ("TB504", "/id")]
    assert restored(done, "arcade@1.0-errata", "arcade@1.0") == document


def test_an_id_that_1_0_allows_stays() -> None:
    document = {**errata(TOOL), "id": "Tides.At@1.0.0"}
    done = convert(document, "arcade@1.0", source="arcade@1.0-errata")
    assert done.value["id"] == document["id"]
    assert done.report.lossless
