"""Answers of one vendor in the toolbox of another: an error that says what they are, never silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import CallError, DocumentError, Toolbox, ToolbridgeError, get_format
from toolbridge.data.types import JsonObject
from toolbridge.formats.registry import FORMATS
from toolbridge.formats.services import SERVICES as SERVICES_OF_OPENAI
from toolbridge.mapping.format import Format
from vendor_calls import TIDE

ARGUMENTS = {"port": "Ems"}
TEXT = json.dumps(ARGUMENTS)
CHAT = {"id": "call00001", "type": "function", "function": {"name": "tide", "arguments": TEXT}}
OLLAMA = {"function": {"name": "tide", "arguments": ARGUMENTS}}
MISTRAL = {"id": "abcdefghi", "function": {"name": "tide", "arguments": TEXT}}
LEGACY = {"name": "tide", "arguments": TEXT}
TOOL_USE = {"type": "tool_use", "id": "toolu_1", "name": "tide", "input": ARGUMENTS}
PART = {"functionCall": {"name": "tide", "args": ARGUMENTS}}
BLOCK = {"toolUse": {"toolUseId": "t1", "name": "tide", "input": ARGUMENTS}}
INPUT = {
    "functionInvocationInput": {
        "actionGroup": "Sea",
        "function": "tide",
        "parameters": [{"name": "port", "type": "string", "value": "Ems"}],
    }
}
ITEM = {"type": "function_call", "call_id": "call_1", "name": "tide", "arguments": TEXT}
EVENT = {"type": "agent.custom_tool_use", "id": "sevt_1", "name": "tide", "input": ARGUMENTS}
ENTRY = {"object": "entry", "type": "function.call", "tool_call_id": "c1", "name": "tide", "arguments": TEXT}
STEP = {"type": "function_call", "id": "fc1", "name": "tide", "arguments": ARGUMENTS}
CALL = {"type": "tool_call", "id": "c1", "name": "tide", "args": ARGUMENTS}

# Services speak OpenAI's words: its calls are theirs.
SERVICES = frozenset(form.id for service in SERVICES_OF_OPENAI for form in FORMATS if form.family == service.name)
CHATS = frozenset(("openai@chat", "openai@chat-strict", "mistral@chat")) | (SERVICES - {"xai@responses"})
GEMINIS = frozenset(("gemini@parameters", "gemini@json-schema", "gemini@vertex"))
RESPONSES = frozenset((
    *("openai@responses", "openai@responses-strict", "openai@realtime", "mistral@responses", "xai@responses"),
))
LISTS = CHATS | {"cohere@v2", "ollama@chat"}
"""The formats that keep calls in `tool_calls`, and understand each other's."""

ANSWERS: list[tuple[str, JsonObject, str, frozenset[str] | set[str]]] = [
    # what it is called, the answer, where its call is, and who understands it
    ("openai@chat", {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [CHAT]}}]},
     "/choices/0/message/tool_calls/0", CHATS),
    ("openai@chat", {"role": "assistant", "content": None, "tool_calls": [CHAT]}, "/tool_calls/0", LISTS),
    ("openai@chat", {"choices": [{"message": {"role": "assistant", "tool_calls": [MISTRAL]}}]},
     "/choices/0/message/tool_calls/0", CHATS),
    ("openai@chat", {"message": {"role": "assistant", "tool_plan": "p", "tool_calls": [CHAT]}},
     "/message/tool_calls/0", LISTS),
    ("openai@chat", {"model": "m", "message": {"role": "assistant", "tool_calls": [OLLAMA]}, "done": True},
     "/message/tool_calls/0", LISTS),
    ("openai@chat", {"choices": [{"message": {"role": "assistant", "content": None, "function_call": LEGACY}}]},
     "/choices/0/message/function_call", {"openai@functions", "openai@chat", "openai@chat-strict"}),
    ("openai@responses", {"object": "response", "output": [{"type": "reasoning", "summary": []}, ITEM]},
     "/output/1", RESPONSES),
    ("anthropic@messages", {"role": "assistant", "content": [{"type": "text", "text": "x"}, TOOL_USE]},
     "/content/1", {"anthropic@messages", "anthropic@strict"}),
    ("gemini@parameters", {"candidates": [{"content": {"role": "model", "parts": [{"text": "x"}, PART]}}]},
     "/candidates/0/content/parts/1", GEMINIS),
    ("gemini@parameters", {"role": "model", "parts": [PART]}, "/parts/0", GEMINIS),
    ("anthropic@managed-agents", {"data": [{"type": "session.status_idle", "id": "e2"}, EVENT], "next_page": None},
     "/data/1", {"anthropic@managed-agents"}),
    ("gemini@interactions", {"status": "requires_action", "steps": [{"type": "thought", "signature": "x"}, STEP]},
     "/steps/1", {"gemini@interactions"}),
    ("mistral@conversations", {"object": "conversation.response", "outputs": [{"type": "message.output"}, ENTRY]},
     "/outputs/1", {"mistral@conversations"}),
    ("bedrock@converse", {"output": {"message": {"role": "assistant", "content": [{"text": "x"}, BLOCK]}}},
     "/output/message/content/1", {"bedrock@converse"}),
    ("bedrock@converse", {"role": "assistant", "content": [BLOCK]}, "/content/0", {"bedrock@converse"}),
    ("bedrock@agents", {"returnControl": {"invocationId": "i1", "invocationInputs": [INPUT]}},
     "/returnControl/invocationInputs/0", {"bedrock@agents"}),
    ("bedrock@agents", {"invocationInputs": [{"apiInvocationInput": {"actionGroup": "Sea"}}, INPUT]},
     "/invocationInputs/1", {"bedrock@agents"}),
    ("langchain@json-schema", {"type": "ai", "content": "", "tool_calls": [CALL], "invalid_tool_calls": []},
     "/tool_calls/0", {"langchain@json-schema"}),
]  # fmt: skip

VENDORS = tuple(form for form in FORMATS if form.replies)


@pytest.mark.parametrize("form", VENDORS, ids=lambda form: form.id)
@pytest.mark.parametrize(("name", "answer", "place", "known"), ANSWERS)
def test_calls_of_another_format_are_an_error(
    form: Format, name: str, answer: JsonObject, place: str, known: set[str]
) -> None:
    """T1: the list of calls was empty."""
    box = Toolbox([TIDE], to=form)
    if form.id in known:
        (call,) = box.calls(answer)
        assert not isinstance(call, CallError), call
        assert call.arguments == ARGUMENTS
        return
    for ask in (box.calls, box.call):
        with pytest.raises(DocumentError) as caught:
            ask(answer)
        assert caught.value.pointer == place
        assert caught.value.problem == f"this holds a call of {name}, and calls of {form.id} are expected"


@pytest.mark.parametrize("form", VENDORS, ids=lambda form: form.id)
@pytest.mark.parametrize(
    ("name", "item"),
    [("anthropic@messages", TOOL_USE), ("openai@responses", ITEM), ("bedrock@converse", BLOCK)],
)
def test_a_lone_call_of_another_format_and_one_in_a_list_are_named(form: Format, name: str, item: JsonObject) -> None:
    box = Toolbox([TIDE], to=form)
    if form.id in RESPONSES if name in RESPONSES else form.family == get_format(name).family:
        return
    for given, place in ((item, ""), ([{"type": "text", "text": "x"}, item], "/1")):
        with pytest.raises(DocumentError) as caught:
            box.calls(given)
        assert f"a call of {name}, and calls of {form.id} are expected" in str(caught.value)
        assert caught.value.pointer == place


PLAIN: dict[str, list[JsonObject]] = {
    "openai": [
        {"role": "assistant", "content": "x", "tool_calls": None},
        {"choices": [{"message": {"role": "assistant", "content": "x", "refusal": None}}]},
    ],
    "openai@responses": [{"output": [{"type": "message", "role": "assistant", "content": []}, {"type": "mcp_call"}]}],
    "anthropic": [
        {"role": "assistant", "content": [{"type": "text", "text": "x"}]},
        {"role": "assistant", "content": [{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}]},
    ],
    "gemini@interactions": [
        {"steps": [{"type": "model_output", "content": []}, {"type": "google_search_call"}]},
        {"object": "interaction", "id": "v1_a", "status": "in_progress"},  # in the background
    ],
    "gemini": [
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "x"}]}}]},
        {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {}},
        {"prompt_feedback": {"block_reason": "SAFETY"}},
    ],
    "bedrock": [{"output": {"message": {"role": "assistant", "content": [{"text": "x"}]}}}],
    "bedrock@agents": [{"returnControl": {"invocationId": "i1", "invocationInputs": []}}],
    "cohere": [{"message": {"role": "assistant", "content": [{"type": "text", "text": "x"}]}}],
    "ollama": [{"message": {"role": "assistant", "content": "x"}, "done": True}],
    "mistral": [{"choices": [{"message": {"role": "assistant", "content": "x", "tool_calls": []}}]}],
    "mistral@conversations": [
        {"conversation_id": "conv_1", "outputs": [{"type": "message.output", "content": "x"}]},
        # What waits for a confirmation is run by Mistral.
        {"outputs": [{"type": "tool.execution", "name": "web_search"}, {**ENTRY, "confirmation_status": "pending"}]},
    ],
    "langchain": [
        {"type": "ai", "content": "x", "tool_calls": [], "invalid_tool_calls": []},
        {"type": "ai", "content": "x", "response_metadata": {"m": 1}},
        {"type": "AIMessageChunk", "content": "x"},
    ],
}


@pytest.mark.parametrize("to", PLAIN)
def test_an_answer_without_calls_has_none(to: str) -> None:
    for answer in PLAIN[to]:
        assert Toolbox([TIDE], to=to).calls(answer) == []


RECORDED = {
    "openai@chat": ("openai-chat", CHATS),
    "openai@responses": ("openai-responses", RESPONSES),
    "anthropic@messages": ("anthropic", {"anthropic@messages", "anthropic@strict"}),
    "gemini@parameters": ("gemini", GEMINIS),
    "bedrock@converse": ("bedrock", {"bedrock@converse"}),
    "cohere@v2": ("cohere", {"cohere@v2"}),
}


@pytest.mark.parametrize("vendor", RECORDED)
def test_recorded_answers_with_calls_are_never_taken_for_answers_without(vendor: str, shared: Path) -> None:
    name, known = RECORDED[vendor]
    own = Toolbox([TIDE], to=vendor)
    others = [Toolbox([TIDE], to=form) for form in VENDORS if form.id not in known]
    seen = 0
    for file in (shared / "corpus").glob(f"*-cassettes/responses.{name}.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            answer: Any = json.loads(line)
            try:
                found = own.calls(answer)
            except ToolbridgeError:
                continue  # an error of the service, or a piece of a stream
            for box in others if found else ():
                try:
                    told = box.calls(answer)
                except DocumentError:
                    pass
                else:
                    assert len(told) >= len(found), (box, line[:500])
                seen += 1
    if not seen:
        pytest.skip(f"no recorded answers of {vendor}")
