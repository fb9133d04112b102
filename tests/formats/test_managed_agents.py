"""Quirks of Anthropic's managed agents: long names, events for calls and results."""

from __future__ import annotations

from typing import Any

from report_parts import places as told
from toolbridge import CallError, Toolbox, check, convert, detect, get_format
from toolbridge.conversion.detect import recognise

HERE = "anthropic@managed-agents"
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"q": {"type": "string"}}}
TOOL: dict[str, Any] = {"type": "custom", "name": "now", "description": "Tells the time.", "input_schema": SCHEMA}
EVENT: dict[str, Any] = {"type": "agent.custom_tool_use", "id": "sevt_1", "name": "now", "input": {"q": "x"}}
TIME = "2026-11-23T12:00:00Z"


def test_its_tools_are_named_and_its_events_detected() -> None:
    assert get_format("anthropic").id == detect(TOOL).id == "anthropic@messages"
    found = recognise(EVENT)
    assert (found.format.id, found.kind) == (HERE, "call")
    found = recognise({"type": "user.custom_tool_result", "custom_tool_use_id": "sevt_1"})
    assert (found.format.id, found.kind) == (HERE, "result")


def test_names_have_up_to_128_characters() -> None:
    tool = {"name": "a" * 128, "description": "A.", "inputSchema": SCHEMA}
    done = convert(tool, HERE, source="mcp")
    assert done.value == {**TOOL, "name": "a" * 128, "description": "A."}
    assert done.report.lossless
    assert check(done.value, HERE) == []
    assert len(convert(tool, "anthropic", source="mcp").value["name"]) == 64
    assert len(convert({**tool, "name": "a" * 129}, HERE, source="mcp").value["name"]) == 128


def test_what_messages_say_beside_is_reported() -> None:
    more = {"cache_control": {"type": "ephemeral"}, "strict": False, "eager_input_streaming": True}
    done = convert({**TOOL, "type": None, **more}, HERE, source="anthropic@messages")
    assert done.value == TOOL
    assert {loss.source for loss in done.report} >= {f"/{key}" for key in more}
    done = convert(TOOL, "anthropic@messages", source=HERE)
    assert done.value == TOOL
    assert done.report.lossless


def test_the_members_of_requests_and_agents_are_known() -> None:
    tool = {key: value for key, value in TOOL.items() if key != "type"}
    request = {"model": "claude", "max_tokens": 9, "messages": [], "oddity": 1, "tools": [tool]}
    done = convert(request, "mcp@2025-11-25", source="anthropic@messages")
    assert {(loss.code, loss.source) for loss in done.report} == {
        *(("TB101", "/model"), ("TB101", "/max_tokens"), ("TB101", "/messages"), ("TB102", "/oddity"))
    }
    done = convert(request, HERE, source="anthropic@messages")
    assert {(loss.code, loss.source) for loss in done.report} == {("TB101", "/max_tokens"), ("TB101", "/messages")}
    of_service = {"id": "agent_1", "type": "agent", "version": 1, "created_at": "2026-11-28T00:00:00Z"}
    agent = {"model": "claude", "name": "Clerk", "skills": [], **of_service, "tools": [TOOL]}
    done = convert(agent, "anthropic@messages", source=HERE)
    assert done.value == {"model": "claude", "tools": [TOOL]}
    assert {(loss.code, loss.source) for loss in done.report} == {
        ("TB101", f"/{key}") for key in ("name", "skills", *of_service)
    }
    assert convert(done.value, HERE, source="anthropic@messages", restore=done.remainder or False).value == agent


def test_events_and_blocks_of_messages() -> None:
    done = convert({**EVENT, "processed_at": TIME}, "anthropic@messages", source=HERE)
    assert done.value == {"type": "tool_use", "id": "sevt_1", "name": "now", "input": {"q": "x"}}
    assert told(done) == {("TB101", "/processed_at", None)}
    block = {"type": "tool_result", "tool_use_id": "sevt_1", "content": "noon", "is_error": True}
    done = convert(block, HERE, source="anthropic@messages")
    content = [{"type": "text", "text": "noon"}]
    assert done.value == {
        "type": "user.custom_tool_result",
        "custom_tool_use_id": "sevt_1",
        "content": content,
        "is_error": True,
    }
    assert convert(done.value, "anthropic@messages", source=HERE).value == {**block, "content": "noon"}


def test_a_loop() -> None:
    box = Toolbox([{"name": "now", "description": "Tells.", "inputSchema": SCHEMA}], to=HERE, source="mcp@2025-11-25")
    idle = {"type": "session.status_idle", "id": "sevt_2", "processed_at": TIME}
    event = {**EVENT, "processed_at": TIME, "session_thread_id": None}
    for answer in (event, {"data": [event, idle], "next_page": None}, [event, idle]):
        (call,) = box.calls(answer)
        assert not isinstance(call, CallError)
        assert call == {"name": "now", "arguments": {"q": "x"}}
        assert box.reply("noon", to=call) == {
            "type": "user.custom_tool_result",
            "custom_tool_use_id": "sevt_1",
            "content": [{"type": "text", "text": "noon"}],
        }
