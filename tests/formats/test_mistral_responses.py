"""Quirks of Mistral's Responses: OpenAI's words, without OpenAI's rules for schemas."""

from __future__ import annotations

from typing import Any

import pytest

from report_parts import places as told
from toolbridge import CallError, Toolbox, check, convert, detect, get_format
from toolbridge.conversion.detect import recognise

HERE = "mistral@responses"
OPEN: dict[str, Any] = {"type": "object", "properties": {"q": {"type": "string"}}}
TOOL: dict[str, Any] = {"type": "function", "name": "now", "parameters": OPEN, "strict": False}


def test_the_bare_name_means_chat_and_it_is_not_detected() -> None:
    assert get_format("mistral").id == "mistral@chat"
    assert detect(TOOL).id == "openai@responses"
    assert HERE not in recognise(TOOL).ties


def test_a_tool_is_written_as_for_openai_but_for_its_rules() -> None:
    union = {**OPEN, "anyOf": [{"required": ["q"]}]}
    done = convert({"name": "now", "inputSchema": union}, HERE, source="mcp")
    assert done.value == {**TOOL, "parameters": union}
    assert done.report.lossless
    assert check(done.value, HERE) == []


@pytest.mark.parametrize("strict", [True, False])
def test_strict_is_said_where_the_schema_keeps_openais_rules(strict: bool) -> None:
    closed = {**OPEN, "required": ["q"], "additionalProperties": False}
    source = {**TOOL, "parameters": closed if strict else OPEN, "strict": True}
    done = convert(source, HERE, source="openai@responses")
    assert done.value["strict"] is strict
    assert told(done) == (set() if strict else {("TB603", "/strict", "/strict")})


def test_namespaces_and_custom_tools() -> None:
    grouped = {
        "type": "namespace",
        "name": "clock",
        "description": "Time.",
        "tools": [TOOL, {"type": "custom", "name": "x"}],
    }
    request = {"model": "m", "tools": [grouped, {**TOOL, "name": "tide"}]}
    assert convert(request, HERE, source=HERE).value == request
    done = convert(request, "openai@chat", source=HERE)
    assert [tool["function"]["name"] for tool in done.value["tools"] if tool["type"] == "function"] == ["now", "tide"]
    assert {("TB105", "/tools/0/tools/1", None), ("TB101", "/tools/0/description", None)} <= told(done)
    done = convert(request, "arcade-engine", source=HERE, on_error="skip", fill={"tide": {"toolkit": "sea"}})
    assert [tool["toolkit"]["name"] for tool in done.value] == ["clock", "sea"]


def test_a_request_leaves_out_what_the_other_api_does_not_have() -> None:
    """`random_seed` was written for Responses, which do not know it, without a loss."""
    function = {"name": "now", "parameters": OPEN}
    request = {"model": "m", "random_seed": 1, "oddity": 1, "tools": [{"type": "function", "function": function}]}
    done = convert(request, HERE, source="mistral")
    assert done.value == {"model": "m", "oddity": 1, "tools": [TOOL]}
    assert told(done) == {("TB101", "/random_seed", None)}


def test_a_loop() -> None:
    box = Toolbox([{"name": "now", "inputSchema": OPEN}], to=HERE, source="mcp@2025-11-25")
    caller = {"type": "program", "caller_id": "p1"}
    call = {"type": "function_call", "call_id": "c1", "name": "now", "arguments": '{"q": "x"}', "caller": caller}
    (made,) = box.calls({"object": "response", "output": [{"type": "reasoning"}, {**call, "namespace": "clock"}]})
    assert not isinstance(made, CallError)
    assert made == {"name": "now", "arguments": {"q": "x"}}
    answer = {"type": "function_call_output", "call_id": "c1", "output": "noon", "caller": caller}
    assert box.reply("noon", to=made) == answer
