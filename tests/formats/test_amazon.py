"""Tools of AgentCore Gateway and of Bedrock Agents: closed parts of JSON Schema, and a flat list of parameters."""

from __future__ import annotations

from typing import Any

import pytest

from toolbridge import check, convert
from toolbridge.conversion.detect import recognise

BERTH = {"type": "object", "properties": {"pier": {"type": "string"}, "number": {"type": "integer"}}}


def tool(**properties: Any) -> dict[str, Any]:
    return {"name": "book", "description": "Books.", "inputSchema": {"type": "object", "properties": properties}}


def written(schema: Any, target: str) -> tuple[Any, list[str]]:
    done = convert(tool(a=schema), target, source="mcp")
    value = done.value["inputSchema"]["properties"] if target == "agentcore" else done.value["parameters"]
    return value["a"], [loss.code for loss in done.report]


@pytest.mark.parametrize("target", ["agentcore", "bedrock@agents"])
@pytest.mark.parametrize(
    ("schema", "kind", "code"),
    [
        ({"type": ["null", "string"]}, "string", "TB303"),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, "integer", "TB303"),
        ({"oneOf": [{"type": "boolean"}, {"type": "string"}]}, "boolean", "TB303"),
        ({"type": "null"}, "string", "TB202"),
        ({}, "string", "TB304"),
        ({"type": "string", "enum": ["a", "b"]}, "string", "TB201"),
        ({"enum": [1, 2]}, "integer", "TB201"),
        ({"type": "string", "const": "a"}, "string", "TB201"),
        ({"type": "integer", "const": 1}, "integer", "TB201"),
    ],
)
def test_one_type_in_a_schema(schema: Any, kind: str, code: str, target: str) -> None:
    value, codes = written(schema, target)
    assert value["type"] == kind
    assert not value.keys() - {"type", "description"}
    assert code in codes


def test_items_and_empty_lists_are_reported() -> None:
    lists = {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}
    value, codes = written(lists, "bedrock@agents")
    assert value["type"] == "array"
    assert {"TB201", "TB303"} <= set(codes)
    source = {**tool(), "inputSchema": {"type": "object", "properties": {}, "required": []}}
    report = convert(source, "bedrock@agents", source="mcp").report
    assert [(loss.code, loss.source) for loss in report] == [("TB103", "/inputSchema/required")]


def test_a_definition_that_only_items_need_is_reported() -> None:
    source = tool(berths={"type": "array", "items": {"$ref": "#/$defs/Berth"}})
    source["inputSchema"]["$defs"] = {"Berth": BERTH}
    report = convert(source, "bedrock@agents", source="mcp").report
    assert [(loss.code, loss.source) for loss in report] == [
        ("TB201", "/inputSchema/properties/berths/items"),
        ("TB103", "/inputSchema/$defs/Berth"),
    ]


def test_each_alternative_that_is_lost_is_reported() -> None:
    schema = {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}
    report = convert(tool(a=schema), "agentcore", source="mcp").report
    assert [(loss.code, loss.source) for loss in report] == [
        ("TB303", "/inputSchema/properties/a/anyOf/1"),
        ("TB303", "/inputSchema/properties/a/anyOf/2"),
    ]


def test_an_object_travels_as_a_text_in_json() -> None:
    done = convert(tool(berth=BERTH, nights={"type": "integer"}), "bedrock@agents", source="mcp")
    assert {name: detail["type"] for name, detail in done.value["parameters"].items()} == {
        "berth": "string",
        "nights": "integer",
    }
    assert {loss.code for loss in done.report} == {"TB202", "TB503", "TB505"}
    (argument_map,) = done.argument_maps
    assert argument_map is not None
    given = {"berth": {"pier": "A", "number": 3}, "nights": 2}
    there = argument_map.adapt(given)
    assert there == {"berth": '{"pier": "A", "number": 3}', "nights": 2}
    assert argument_map.restore(there) == given
    assert argument_map.restore({"berth": "A3"}) == {"berth": "A3"}
    for text in ('{"pier": "A"}', '"A3"', "A3"):
        assert argument_map.restore(argument_map.adapt({"berth": text})) == {"berth": text}
    deep = "[" * 100_000
    assert argument_map.restore({"berth": deep}) == {"berth": deep}


def test_names_and_descriptions_of_parameters_are_those_of_the_service() -> None:
    source = tool(ship__imo={"type": "integer", "description": "x " * 400})
    done = convert({**source, "name": "mcp__harbour__book"}, "bedrock@agents", source="mcp")
    assert done.value["name"] == "mcp_harbour_book"
    ((name, detail),) = done.value["parameters"].items()
    assert name == "ship_imo"
    assert len(detail["description"]) <= 500
    assert {(loss.code, loss.target) for loss in done.report} == {
        ("TB501", "/name"),
        ("TB501", "/parameters/ship_imo"),
        ("TB502", "/parameters/ship_imo/description"),
    }
    assert check(done.value, "bedrock@agents") == []


def test_the_descriptions_of_parameters_are_checked() -> None:
    """The service model names the lengths; botocore leaves them to the service."""
    pytest.importorskip("botocore")
    from botocore.loaders import Loader
    from botocore.model import ServiceModel

    sizes = (
        ServiceModel(Loader().load_service_model("bedrock-agent", "service-2"))
        .shape_for("ParameterDetail")
        .members["description"]
        .metadata
    )
    for length, places in ((sizes["max"], []), (sizes["max"] + 1, ["/parameters/pier/description"])):
        detail = {"type": "string", "description": "x" * length}
        function = {"name": "book", "requireConfirmation": "ENABLED", "parameters": {"pier": detail}}
        assert [error.pointer for error in check(function, "bedrock@agents")] == places
    source = tool(pier={"type": "string", "description": "x" * 501})
    place = "/inputSchema/properties/pier/description"
    assert [error.pointer for error in check(source, "bedrock@agents")] == [place]


@pytest.mark.parametrize(("word", "hint"), [("ENABLED", True), ("DISABLED", False)])
def test_a_confirmation_is_the_hint_that_a_tool_is_destructive(word: str, hint: bool) -> None:
    function = {"name": "drop", "requireConfirmation": word}
    assert recognise(function).format.id == "bedrock@agents"
    there = convert(function, "mcp", source="bedrock@agents").value
    assert there["annotations"] == {"destructiveHint": hint}
    assert convert(there, "bedrock@agents", source="mcp").value["requireConfirmation"] == word


GROUP = {"actionGroupName": "Harbour", "functionSchema": {"functions": [{"name": "tide"}, {"name": "berth"}]}}
TARGET = {
    "name": "harbour",
    "targetConfiguration": {
        "mcp": {
            "lambda": {
                "lambdaArn": "arn:aws:lambda:eu-west-1:123456789012:function:harbour",
                "toolSchema": {
                    "inlinePayload": [{"name": "tide", "description": "T.", "inputSchema": {"type": "object"}}]
                },
            }
        }
    },
}


@pytest.mark.parametrize(
    ("form", "document"),
    [
        ("bedrock@agents", GROUP),
        ("bedrock@agents", {"actionGroups": [GROUP, {"actionGroupName": "u", "apiSchema": {"payload": "{}"}}]}),
        ("bedrock@agents", {"functions": [{"name": "tide", "requireConfirmation": "DISABLED"}]}),
        ("agentcore@2023-06-05", TARGET),
        ("agentcore@2023-06-05", TARGET["targetConfiguration"]),
        ("agentcore@2023-06-05", TARGET["targetConfiguration"]["mcp"]["lambda"]["toolSchema"]),
    ],
)
@pytest.mark.parametrize("target", ["arcade", "bedrock@converse", "openai@responses"])
def test_whole_requests_are_restored(form: str, document: Any, target: str) -> None:
    assert recognise(document).format.id == form
    assert check(document) == []
    done = convert(document, target)
    assert convert(done.value, form, source=target, restore=done.remainder).value == document


def test_what_stands_beside_the_steps_to_the_tools_is_reported() -> None:
    found = {loss.source for loss in convert(TARGET, "mcp").report if loss.target is None}
    assert found == {"/name", "/targetConfiguration/mcp/lambda/lambdaArn"}


def test_an_action_group_is_a_toolkit() -> None:
    assert [each["id"] for each in convert(GROUP, "arcade").value["tools"]] == [
        "Harbour.tide@0.0.0",
        "Harbour.berth@0.0.0",
    ]


def test_an_action_group_as_the_service_describes_it() -> None:
    """Amazon's own group was an error, and members of the service were reported as fields of no specification."""
    own = {"actionGroupName": "u", "agentId": "A", "parentActionSignature": "AMAZON.UserInput"}
    found = convert([{**GROUP, "agentId": "A", "actionGroupState": "ENABLED"}, own], "mcp").report
    assert {(loss.code, loss.source) for loss in found if loss.target is None} == {
        *(("TB101", f"/0/{name}") for name in ("actionGroupName", "agentId", "actionGroupState")),
        ("TB105", "/1"),
    }


def test_a_function_of_openai_stays_one() -> None:
    function = {"name": "tide", "description": "T.", "parameters": {"type": "object", "properties": {}}}
    assert recognise(function).format.id == "openai@functions"
    assert "bedrock@agents" not in recognise(function).ties
    assert recognise({"functions": [function]}).format.id == "openai@functions"
