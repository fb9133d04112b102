"""Streams as each vendor sends them: a call of `tide` in pieces, one of `now` without arguments, text around them."""

from __future__ import annotations

import json
from typing import Any

from toolbridge.data.types import JsonObject

EMS: JsonObject = {"port": "Ems", "days": 3}
TEXT = json.dumps(EMS)
MIDDLE = TEXT.index("ms") + 1


def chunk(*calls: JsonObject, reason: str | None = None, choice: int = 0, **delta: Any) -> JsonObject:
    said = {**delta, **({"tool_calls": [*calls]} if calls else {})}
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": choice, "delta": said, "finish_reason": reason}],
    }


def called(index: int | None, call_id: str | None = None, name: str | None = None, text: Any = None) -> JsonObject:
    function = {key: value for key, value in (("name", name), ("arguments", text)) if value is not None}
    found = {"index": index, "id": call_id, "function": function}
    return {key: value for key, value in found.items() if value is not None} | ({"type": "function"} if name else {})


CHAT = [
    chunk(role="assistant", content="Let me see."),
    chunk(called(0, "call_1", "tide", "")),
    chunk(called(0, text=TEXT[:MIDDLE])),
    chunk(called(0, text=TEXT[MIDDLE:])),
    chunk(called(1, "call_2", "now", "")),
    chunk(called(1, text="{}")),
    chunk(reason="tool_calls"),
    {**chunk(), "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}},
]

ITEM = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "tide", "status": "in_progress"}
NOW = {"type": "function_call", "id": "fc_2", "call_id": "call_2", "name": "now", "status": "in_progress"}


def response(status: str, *output: JsonObject) -> JsonObject:
    return {
        "id": "r",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "tools": [],
        "tool_choice": "auto",
        "parallel_tool_calls": True,
        "output": [*output],
        "status": status,
    }


def item(kind: str, index: int, **members: Any) -> JsonObject:
    return {"type": f"response.{kind}", "output_index": index, "sequence_number": 1, **members}


RESPONSES = [
    {"type": "response.created", "response": response("in_progress"), "sequence_number": 0},
    item("output_item.added", 0, item={"type": "web_search_call", "id": "ws", "status": "in_progress"}),
    item("web_search_call.searching", 0, item_id="ws"),
    item("output_item.added", 1, item={**ITEM, "arguments": ""}),
    item("function_call_arguments.delta", 1, item_id="fc_1", delta=TEXT[:MIDDLE]),
    item("output_item.added", 2, item={**NOW, "arguments": ""}),
    item("function_call_arguments.delta", 2, item_id="fc_2", delta="{}"),
    item("function_call_arguments.delta", 1, item_id="fc_1", delta=TEXT[MIDDLE:]),
    item("function_call_arguments.done", 1, item_id="fc_1", arguments=TEXT, name="tide"),
    item("output_item.done", 1, item={**ITEM, "arguments": TEXT, "status": "completed"}),
    item("function_call_arguments.done", 2, item_id="fc_2", arguments="{}", name="now"),
    item("output_item.done", 2, item={**NOW, "arguments": "{}", "status": "completed"}),
    {"type": "response.completed", "response": response("completed"), "sequence_number": 9},
]


REALTIME = [
    {"type": "session.created", "event_id": "e", "session": {"type": "realtime", "tools": []}},
    {"type": "response.created", "event_id": "e", "response": {"id": "r", "status": "in_progress", "output": []}},
    *({**event, "response_id": "r"} for event in RESPONSES[3:-1]),
    {
        "type": "response.done",
        "event_id": "e",
        "response": {
            "id": "r",
            "status": "completed",
            "output": [{**ITEM, "arguments": TEXT}, {**NOW, "arguments": "{}"}],
        },
    },
]


def block(kind: str, index: int, **members: Any) -> JsonObject:
    return {"type": f"content_block_{kind}", "index": index, **members}


def input_delta(index: int, text: str) -> JsonObject:
    return block("delta", index, delta={"type": "input_json_delta", "partial_json": text})


USE = {"type": "tool_use", "id": "call_1", "name": "tide", "input": {}, "caller": {"type": "direct"}}
USAGE = {"input_tokens": 1, "output_tokens": 1}
START = {
    "type": "message",
    "id": "m",
    "role": "assistant",
    "model": "c",
    "content": [],
    "stop_reason": None,
    "stop_sequence": None,
    "usage": USAGE,
}


def stop(reason: str) -> JsonObject:
    return {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": USAGE}


ANTHROPIC = [
    {"type": "message_start", "message": START},
    block("start", 0, content_block={"type": "text", "text": ""}),
    block("delta", 0, delta={"type": "text_delta", "text": "Let me see."}),
    {"type": "ping"},
    block("stop", 0),
    block("start", 1, content_block={"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}}),
    input_delta(1, '{"query": "tide"}'),
    block("stop", 1),
    block("start", 2, content_block=USE),
    input_delta(2, ""),
    input_delta(2, TEXT[:MIDDLE]),
    input_delta(2, TEXT[MIDDLE:]),
    block("stop", 2),
    block("start", 3, content_block={"type": "tool_use", "id": "call_2", "name": "now", "input": {}}),
    input_delta(3, ""),
    block("stop", 3),
    stop("tool_use"),
    {"type": "message_stop"},
]


def generated(*parts: JsonObject, **candidate: Any) -> JsonObject:
    return {"candidates": [{"content": {"role": "model", "parts": [*parts]}, "index": 0, **candidate}]}


GEMINI = [
    generated({"text": "Let me see."}),
    generated({"functionCall": {"id": "call_1", "name": "tide", "args": EMS}, "thoughtSignature": "c2ln"}),
    generated({"functionCall": {"id": "call_2", "name": "now", "args": {}}}),
    generated({"text": ""}, finishReason="STOP"),
]

VERTEX = [
    generated({"functionCall": {"id": "call_1", "name": "tide", "willContinue": True}, "thoughtSignature": "c2ln"}),
    *(
        generated({"functionCall": {"partialArgs": parts, "willContinue": True}})
        for parts in (
            [{"jsonPath": "$.port", "stringValue": "E", "willContinue": True}],
            [{"jsonPath": "$.port", "stringValue": "ms"}, {"jsonPath": "$.days", "numberValue": 3}],
        )
    ),
    generated({"functionCall": {}}),
    generated({"functionCall": {"id": "call_2", "name": "now", "willContinue": True}}),
    generated({"functionCall": {}}),
    generated({"text": ""}, finishReason="STOP"),
]


def step(kind: str, index: int, **members: Any) -> JsonObject:
    return {"event_type": f"step.{kind}", "index": index, **members}


def arguments_delta(index: int, text: str) -> JsonObject:
    return step("delta", index, delta={"type": "arguments_delta", "arguments": text})


INTERACTIONS = [
    {"event_type": "interaction.created", "interaction": {"id": "i", "status": "in_progress"}},
    step("start", 0, step={"type": "thought"}),
    step("delta", 0, delta={"type": "thought_signature", "signature": "c2ln"}),
    step("stop", 0),
    step("start", 1, step={"type": "function_call", "id": "call_1", "name": "tide", "arguments": {}}),
    arguments_delta(1, TEXT[:MIDDLE]),
    arguments_delta(1, TEXT[MIDDLE:]),
    step("stop", 1),
    step("start", 2, step={"type": "function_call", "id": "call_2", "name": "now", "arguments": {}}),
    step("stop", 2),
    {"event_type": "interaction.completed", "interaction": {"id": "i", "status": "requires_action"}},
]

LIVE_INTERACTIONS = [
    {"event_type": "interaction.created", "interaction_id": "i"},
    *INTERACTIONS[1:-1],
    {"event_type": "interaction.completed", "status": {"code": 0}, "usage": {"total_tokens": 9}},
]


def bedrock(kind: str, index: int, **members: Any) -> JsonObject:
    return {f"contentBlock{kind}": {"contentBlockIndex": index, **members}}


BEDROCK = [
    {"messageStart": {"role": "assistant"}},
    bedrock("Delta", 0, delta={"text": "Let me see."}),
    bedrock("Stop", 0),
    bedrock("Start", 1, start={"toolUse": {"toolUseId": "call_1", "name": "tide"}}),
    bedrock("Delta", 1, delta={"toolUse": {"input": TEXT[:MIDDLE]}}),
    bedrock("Delta", 1, delta={"toolUse": {"input": TEXT[MIDDLE:]}}),
    bedrock("Stop", 1),
    bedrock("Start", 2, start={"toolUse": {"toolUseId": "call_2", "name": "now"}}),
    bedrock("Stop", 2),
    {"messageStop": {"stopReason": "tool_use"}},
    {"metadata": {"usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}, "metrics": {"latencyMs": 1}}},
]

MISTRAL = [
    {"data": chunk(role="assistant", content="")},
    {
        "data": chunk(
            called(0, "abcdefgh1", "tide", TEXT), called(1, "abcdefgh2", "now", "{}"), content="", reason="tool_calls"
        )
    },
]


def entry(kind: str, **members: Any) -> JsonObject:
    return {"event": kind, "data": {"type": kind, "created_at": "2026-11-28T12:00:00Z", **members}}


def entry_delta(number: int, name: str, arguments: str) -> JsonObject:
    ids = {"id": f"fc_{number}", "tool_call_id": f"call_{number}", "output_index": number}
    return entry("function.call.delta", **ids, name=name, arguments=arguments, model="m", agent_id=None)


CONVERSATIONS = [
    entry("conversation.response.started", conversation_id="conv_1"),
    entry("tool.execution.started", id="te_1", output_index=0, name="web_search", arguments="{}"),
    entry("tool.execution.done", id="te_1", output_index=0, name="web_search"),
    entry_delta(1, "tide", TEXT[:MIDDLE]),
    entry_delta(1, "tide", TEXT[MIDDLE:]),
    entry_delta(2, "now", "{}"),
    entry("conversation.response.done", usage={"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}),
]


def cohere(kind: str, index: int, **call: Any) -> JsonObject:
    return {
        "type": f"tool-call-{kind}",
        "index": index,
        **({"delta": {"message": {"tool_calls": call}}} if call else {}),
    }


def start(call_id: str, name: str) -> JsonObject:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}


COHERE = [
    {"type": "message-start", "id": "m", "delta": {"message": {"role": "assistant"}}},
    {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "Let me see."}}},
    cohere("start", 0, **start("call_1", "tide")),
    cohere("delta", 0, function={"arguments": TEXT[:MIDDLE]}),
    cohere("delta", 0, function={"arguments": TEXT[MIDDLE:]}),
    cohere("end", 0),
    cohere("start", 1, **start("call_2", "now")),
    cohere("delta", 1, function={"arguments": "{}"}),
    cohere("end", 1),
    {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}},
]


def ollama(done: bool = False, *calls: JsonObject, **message: Any) -> JsonObject:
    said = {"role": "assistant", "content": "", **message, **({"tool_calls": [*calls]} if calls else {})}
    return {"model": "m", "message": said, "done": done}


OLLAMA = [
    ollama(thinking="Let me see."),
    ollama(False, {"function": {"name": "tide", "arguments": EMS}}),
    ollama(False, {"function": {"name": "now", "arguments": {}}}),
    ollama(True),
]

MANAGED_AGENTS = [
    {"type": "session.status_running", "id": "sevt_0", "processed_at": "2026-11-25T10:00:00Z"},
    {"type": "agent.tool_use", "id": "sevt_1", "name": "bash", "input": {"command": "ls"}},
    {"type": "agent.custom_tool_use", "id": "call_1", "name": "tide", "input": EMS},
    {"type": "agent.custom_tool_use", "id": "call_2", "name": "now", "input": {}},
    {
        "type": "session.status_idle",
        "id": "sevt_2",
        "stop_reason": {"type": "requires_action", "event_ids": ["call_1"]},
    },
]

STREAMS: dict[str, tuple[str, list[JsonObject]]] = {
    "chat": ("openai@chat", CHAT),
    "responses": ("openai@responses", RESPONSES),
    "realtime": ("openai@responses", REALTIME),
    "anthropic": ("anthropic", ANTHROPIC),
    "managed-agents": ("anthropic@managed-agents", MANAGED_AGENTS),
    "gemini": ("gemini", GEMINI),
    "vertex": ("gemini", VERTEX),
    "interactions": ("gemini@interactions", INTERACTIONS),
    "live-interactions": ("gemini@interactions", LIVE_INTERACTIONS),
    "bedrock": ("bedrock", BEDROCK),
    "mistral": ("mistral", MISTRAL),
    "mistral-responses": ("mistral@responses", RESPONSES),
    "conversations": ("mistral@conversations", CONVERSATIONS),
    "cohere": ("cohere", COHERE),
    "ollama": ("ollama", OLLAMA),
}
