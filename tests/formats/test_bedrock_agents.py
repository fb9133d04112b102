"""Calls and results of Bedrock Agents: those that return to a caller, and those of a Lambda function."""

from __future__ import annotations

from typing import Any

import pytest

from toolbridge import CallError, DocumentError, Toolbox, check, convert
from toolbridge.conversion.detect import recognise
from toolbridge.data.types import JsonObject

MCP = "mcp@2025-11-25"
BERTH = {"type": "object", "properties": {"pier": {"type": "string"}}}
BOOK: JsonObject = {
    "name": "book",
    "description": "Books.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "ship": {"type": "string"},
            "nights": {"type": "integer"},
            "quiet": {"type": "boolean"},
            "extras": {"type": "array", "items": {"type": "string"}},
            "berth": BERTH,
        },
        "required": ["ship"],
    },
}
PARAMETERS = [
    {"name": "ship", "type": "string", "value": "9074729"},
    {"name": "nights", "type": "integer", "value": "5"},
    {"name": "quiet", "type": "boolean", "value": "true"},
    {"name": "extras", "type": "array", "value": '["water"]'},
    {"name": "berth", "type": "string", "value": '{"pier": "A"}'},
]
MEANT = {"ship": "9074729", "nights": 5, "quiet": True, "extras": ["water"], "berth": {"pier": "A"}}
CALLED = {"actionGroup": "Harbour", "function": "book", "parameters": PARAMETERS}
INPUT: JsonObject = {"functionInvocationInput": {**CALLED, "actionInvocationType": "RESULT", "agentId": "AGENT12345"}}
EVENT: JsonObject = {
    "messageVersion": "1.0",
    "agent": {"name": "harbour", "id": "AGENT12345", "alias": "TSTALIASID", "version": "DRAFT"},
    "inputText": "A berth for five nights, please.",
    "sessionId": "269497853686345",
    **CALLED,
    "sessionAttributes": {"captain": "Ahab"},
    "promptSessionAttributes": {},
}
RESULT: JsonObject = {
    "functionResult": {
        "actionGroup": "Harbour",
        "function": "book",
        "agentId": "AGENT12345",
        "responseState": "REPROMPT",
        "responseBody": {"TEXT": {"body": "No berth is free."}},
    }
}
ANSWER: JsonObject = {
    "messageVersion": "1.0",
    "response": {
        "actionGroup": "Harbour",
        "function": "book",
        "functionResponse": {
            "responseState": "REPROMPT",
            "responseBody": {"TEXT": {"body": "No berth is free."}},
        },
    },
    "sessionAttributes": {"captain": "Ahab"},
    "promptSessionAttributes": {},
}
FULL = {"content": [{"type": "text", "text": "No berth is free."}], "isError": True}


def call(*parameters: JsonObject, **more: Any) -> JsonObject:
    return {"functionInvocationInput": {"actionGroup": "Sea", "function": "f", "parameters": [*parameters], **more}}


def read(document: JsonObject, kind: Any = "call") -> tuple[Any, list[tuple[str, str]]]:
    done = convert(document, MCP, source="bedrock@agents", kind=kind)
    assert convert(done.value, "bedrock@agents", source=MCP, kind=kind, restore=done.remainder).value == document
    return done.value, [(loss.code, loss.source) for loss in done.report]


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        *((INPUT, "call"), (EVENT, "call"), (RESULT, "result"), (ANSWER, "result")),
        *((INPUT["functionInvocationInput"], "call"), (RESULT["functionResult"], "result")),
    ],
)
def test_all_carriers_are_recognised(document: JsonObject, kind: str) -> None:
    found = recognise(document)
    assert (found.format.id, found.kind, found.ties) == ("bedrock@agents", kind, ())
    assert convert(document, "bedrock@agents").value == document


@pytest.mark.parametrize(
    ("given", "answer"),
    [(INPUT, RESULT), (EVENT, ANSWER), (INPUT["functionInvocationInput"], RESULT)],
    ids=["return", "lambda", "bare"],
)
def test_a_call_reaches_its_tool_and_gets_its_result_where_it_came_from(given: JsonObject, answer: JsonObject) -> None:
    box = Toolbox([BOOK], to="bedrock@agents", source=MCP)
    made = box.call(given)
    assert made == {"name": "book", "arguments": MEANT}
    assert made.checked
    reply = box.reply(FULL, to=made)
    assert reply == answer
    assert not reply.report


def test_the_calls_of_an_event_are_those_of_functions() -> None:
    box = Toolbox([BOOK], to="bedrock@agents", source=MCP)
    inputs = [INPUT, {"apiInvocationInput": {"actionGroup": "Weather", "apiPath": "/now", "httpMethod": "GET"}}]
    (made,) = box.calls({"returnControl": {"invocationId": "i1", "invocationInputs": inputs}})
    assert not isinstance(made, CallError)
    assert made.arguments == MEANT


@pytest.mark.parametrize(
    ("kind", "text", "value", "said"),
    [
        ("string", "5", "5", False),
        ("integer", "5", 5, False),
        ("integer", "five", "five", True),
        ("integer", "true", "true", True),
        ("number", "0.5", 0.5, False),
        ("boolean", "false", False, False),
        ("array", "[1, 2]", [1, 2], False),
        ("array", "[water, power]", "[water, power]", True),
        ("date", "2026-11-23", "2026-11-23", True),
    ],
)
def test_an_argument_has_the_type_that_is_stated(kind: str, text: str, value: Any, said: bool) -> None:
    done, losses = read(call({"name": "a", "type": kind, "value": text}))
    assert done["arguments"] == {"a": value}
    assert (("TB101", "/functionInvocationInput/parameters/0/type") in losses) == said


def test_what_is_no_argument_is_reported() -> None:
    place = "/functionInvocationInput/parameters"
    done, losses = read(call({"name": "a"}, {"value": "1"}, {"name": "b", "value": "1", "x-y": 1}))
    assert done["arguments"] == {"b": "1"}
    assert {("TB101", f"{place}/0"), ("TB101", f"{place}/1"), ("TB102", f"{place}/2/x-y")} <= set(losses)
    twice = {"name": "a", "type": "string", "value": "1"}
    done, losses = read(call(twice, {**twice, "value": "2"}))
    assert done["arguments"] == {"a": "2"}
    assert ("TB002", place) in losses


def test_any_arguments_are_written() -> None:
    given = {"name": "f", "arguments": {"a": {"b": 1.0}, "c": None, "d": "1", "e": 2.5}}
    done = convert(given, "bedrock@agents", source=MCP, kind="call")
    assert done.value == {
        "functionInvocationInput": {
            "actionGroup": "Tools",
            "function": "f",
            "parameters": [
                {"name": "a", "type": "object", "value": '{"b":1.0}'},
                {"name": "c", "type": "null", "value": "null"},
                {"name": "d", "type": "string", "value": "1"},
                {"name": "e", "type": "number", "value": "2.5"},
            ],
        }
    }
    assert [(loss.code, loss.target) for loss in done.report] == [("TB401", "/functionInvocationInput/actionGroup")]
    assert convert(done.value, MCP, source="bedrock@agents", kind="call").value == given


@pytest.mark.parametrize(
    ("kind", "code"), [("RESULT", "TB101"), ("USER_CONFIRMATION", "TB601"), ("USER_CONFIRMATION_AND_RESULT", "TB601")]
)
def test_a_confirmation_that_a_call_needs_is_not_lost_in_silence(kind: str, code: str) -> None:
    losses = read(call(actionInvocationType=kind))[1]
    assert (code, "/functionInvocationInput/actionInvocationType") in losses


def test_a_group_of_actions_is_a_toolkit() -> None:
    assert convert(INPUT, "arcade").value["tool_id"] == "Harbour.book"
    there = convert({"tool_id": "Sea_Kit.book", "input": {}}, "bedrock@agents", source="arcade", kind="call")
    assert there.value["functionInvocationInput"]["actionGroup"] == "Sea_Kit"


def result(**members: Any) -> JsonObject:
    return {"functionResult": {"actionGroup": "Sea", "function": "f", **members}}


def test_that_an_agent_is_to_fail_is_reported() -> None:
    body = {"TEXT": {"body": "x"}}
    done, losses = read(result(responseState="FAILURE", responseBody=body), "result")
    assert done["isError"] is True
    assert ("TB702", "/functionResult/responseState") in losses
    assert "TB702" not in dict(read(result(responseState="REPROMPT", responseBody=body), "result")[1])


def test_an_image_is_read_and_written_as_text() -> None:
    image = {"format": "png", "source": {"bytes": "iVBORw0KGgo="}}
    done, _ = read(result(responseBody={"IMAGES": {"images": [image]}}), "result")
    assert done["content"] == [{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}]
    back = convert(done, "bedrock@agents", source=MCP, kind="result")
    assert back.value["functionResult"]["responseBody"] == {"TEXT": {"body": "[image/png, 8 bytes]"}}
    assert ("TB705", "/content/0") in [(loss.code, loss.source) for loss in back.report]


def test_what_a_result_without_a_call_repeats_is_invented() -> None:
    done = convert({"content": []}, "bedrock@agents", source=MCP, kind="result")
    assert done.value == {
        "functionResult": {"actionGroup": "Tools", "function": "tool", "responseBody": {"TEXT": {"body": ""}}}
    }
    assert {(loss.code, loss.target) for loss in done.report} == {
        ("TB401", "/functionResult/actionGroup"),
        ("TB401", "/functionResult/function"),
        ("TB401", "/functionResult/responseBody/TEXT/body"),
    }


def test_data_is_written_as_json() -> None:
    box = Toolbox([BOOK], to="bedrock@agents", source=MCP)
    reply = box.reply({"berth": 4}, to=EVENT)
    assert reply["response"]["functionResponse"] == {"responseBody": {"TEXT": {"body": '{"berth":4}'}}}
    assert [loss.code for loss in reply.report] == ["TB703"]


@pytest.mark.parametrize(
    ("detail", "problem"),
    [
        (
            {"type": "text"},
            "/parameters/b~1c/type: expected 'string' or 'number' or 'integer' or 'boolean' or 'array', ",
        ),
        ({}, "/parameters/b~1c/type: required, but missing"),
        ({"type": "string", "description": 4}, "/parameters/b~1c/description: expected a string, found an integer"),
        ("string", "/parameters/b~1c: expected an object, found a string"),
    ],
)
def test_an_error_names_the_parameter(detail: Any, problem: str) -> None:
    good = {"type": "string"}
    for parameters in ({"a": good, "b/c": detail, "d": good}, {"b/c": detail, "d": detail}, {"a": good, "b/c": detail}):
        with pytest.raises(DocumentError) as caught:
            convert(
                {"name": "t", "parameters": parameters, "requireConfirmation": "ENABLED"},
                "mcp",
                source="bedrock@agents",
            )
        assert str(caught.value).startswith(problem)


def test_a_failure_that_ends_the_agent_is_a_loss_at_gemini() -> None:
    """FAILURE and REPROMPT were the same, and nothing said so."""
    result = {
        "functionResult": {
            "actionGroup": "G",
            "function": "f",
            "responseState": "FAILURE",
            "responseBody": {"TEXT": {"body": "bad"}},
        }
    }
    done = convert(result, "gemini", source="bedrock@agents", kind="result")
    assert ("TB702", "/functionResult/responseState") in [(each.code, each.source) for each in done.report]


def test_constraints_of_a_schema_that_is_not_written_are_in_no_description() -> None:
    one = {"type": "string", "enum": ["a" * 15, "b" * 18], "description": "x" * 20}
    told = {"type": "object", "minProperties": 1, "properties": {f"p{n}": one for n in range(6)}}
    few = {"type": "object", "properties": {"p": one}}
    schema = {"type": "object", "properties": {"o": told, "few": few}}
    done = convert({"name": "f", "description": "d", "inputSchema": schema}, "bedrock@agents", source=MCP)
    assert done.value["parameters"]["o"] == {"type": "string", "description": "{minProperties: 1}"}
    assert done.value["parameters"]["few"]["description"].startswith("{JSON: ")
    place = "/inputSchema/properties"
    found = [(loss.source, loss.target) for loss in done.report if loss.code == "TB503"]
    assert found == [
        (f"{place}/o/minProperties", "/parameters/o/description"),
        (f"{place}/few/properties/p/enum", "/parameters/few"),
        (f"{place}/few", "/parameters/few/description"),
    ]
    lost = {loss.source for loss in done.report if loss.code == "TB201"}
    assert {f"{place}/o/properties/p{n}/enum" for n in range(6)} <= lost


def test_definitions_of_a_schema_that_is_not_written_are_lost() -> None:
    deep = {"type": "object", "properties": {"a": {"type": "string", "description": "d" * 500}}}
    given = {
        "name": "t",
        "inputSchema": {
            "type": "object",
            "properties": {"p": {"type": "object", "properties": {"q": {"$ref": "#/$defs/One"}}}},
            "$defs": {"One": {"type": "object", "properties": {"r": {"$ref": "#/$defs/Two"}}}, "Two": deep},
        },
    }
    report = convert(given, "bedrock@agents", source="mcp").report
    lost = {loss.source for loss in report if loss.code == "TB202"}
    assert lost == {"/inputSchema/properties/p", "/inputSchema/$defs/One", "/inputSchema/$defs/Two"}


def test_a_reference_to_nothing_has_no_place_in_the_report() -> None:
    berth = {"type": "object", "properties": {"pier": {"$ref": "#/$defs/Pier"}}}
    tool = {"name": "book", "inputSchema": {"type": "object", "properties": {"berth": berth}}}
    report = convert(tool, "bedrock@agents", source=MCP).report
    assert {loss.source for loss in report if "$defs" in loss.source} == set()
    assert report.matching("TB202")


def test_an_empty_required_of_a_part_has_no_place_of_its_own() -> None:
    tool = {"name": "book", "inputSchema": {"type": "object", "allOf": [{"properties": {}}, {"required": []}]}}
    report = convert(tool, "bedrock@agents", source=MCP).report
    assert [(loss.code, loss.source) for loss in report] == [("TB103", "/inputSchema")]


def test_a_call_of_the_same_format_keeps_its_action_group() -> None:
    """The tool is in none, but each call has to name one: it had none."""
    tool = convert(BOOK, "bedrock@agents", source=MCP).value
    made = Toolbox([tool], to="bedrock@agents", source="bedrock@agents").call(INPUT)
    assert made == INPUT
    assert check(made, "bedrock@agents", kind="call") == []
