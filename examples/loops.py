"""One tool, one round with the models of every vendor, in the types of their own SDKs and without a network.

What a model answers was written by hand; each SDK reads it as if its service had sent it, and takes the reply.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anthropic.types
import cohere
import mistralai.client.models as mistral
import ollama
import openai.types.chat
import openai.types.responses
from google.genai import types as genai
from pydantic import TypeAdapter

from toolbridge import CallError, Toolbox

TOOLS = [
    {
        "name": "harbour.tide",
        "description": "Tells how high the tide is.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "port": {"type": "string"},
                "day": {"type": "string", "format": "date"},
                "unit": {"type": "integer", "enum": [1, 100], "description": "centimetres, or metres"},
            },
            "required": ["port"],
        },
        "outputSchema": {"type": "object", "properties": {"height": {"type": "number"}}, "required": ["height"]},
    }
]


def run(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The tool itself."""
    assert name == "harbour.tide"
    return {"height": 2.5 * arguments.get("unit", 1)}


def replies(box: Toolbox, answer: object) -> Iterator[Any]:
    """The answers to all calls that a model makes."""
    for call in box.calls(answer):
        assert not isinstance(call, CallError), call
        yield box.reply(run(call.name, call.arguments), to=call)


def openai_chat() -> Any:
    box = Toolbox(TOOLS, to="openai@chat-strict")
    answer = openai.types.chat.ChatCompletionMessage.model_validate({
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {
                    "name": box.tools[0]["function"]["name"],
                    "arguments": '{"port": "Emden", "day": null, "unit": 100}',
                },
            }
        ],
    })
    (reply,) = replies(box, answer)
    TypeAdapter(openai.types.chat.ChatCompletionToolMessageParam).validate_python(reply)
    return reply


def openai_responses() -> Any:
    box = Toolbox(TOOLS, to="openai@responses")
    answer = openai.types.responses.ResponseFunctionToolCall.model_validate({
        "type": "function_call",
        "id": "fc_1",
        "call_id": "call_1",
        "name": box.tools[0]["name"],
        "arguments": '{"port": "Emden"}',
    })
    (reply,) = replies(box, answer)
    TypeAdapter(openai.types.responses.response_input_item_param.FunctionCallOutput).validate_python(reply)
    return reply


def anthropic_messages() -> Any:
    box = Toolbox(TOOLS, to="anthropic")
    answer = anthropic.types.Message.model_validate({
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "a model",
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [
            {"type": "text", "text": "Let me see."},
            {"type": "tool_use", "id": "toolu_1", "name": box.tools[0]["name"], "input": {"port": "Emden"}},
        ],
    })
    (reply,) = replies(box, answer)
    TypeAdapter(anthropic.types.ToolResultBlockParam).validate_python(reply)
    return reply


def gemini() -> Any:
    box = Toolbox(TOOLS, to="gemini")
    tools = [genai.Tool.model_validate(tool) for tool in box.tools]
    assert tools[0].function_declarations
    name = tools[0].function_declarations[0].name
    answer = genai.GenerateContentResponse.model_validate({
        "candidates": [
            {
                "content": {
                    "role": "model",
                    # Gemini enumerates only text, so 100 travels as "100" and comes home as a number.
                    "parts": [{"functionCall": {"name": name, "args": {"port": "Emden", "unit": "100"}}}],
                }
            }
        ]
    })
    (reply,) = replies(box, answer)
    return genai.Part.model_validate(reply).model_dump(mode="json", by_alias=True, exclude_none=True)


def bedrock() -> Any:
    box = Toolbox(TOOLS, to="bedrock")
    name = box.tools[0]["toolSpec"]["name"]
    use = {"toolUse": {"toolUseId": "tooluse_1", "name": name, "input": {"port": "Emden"}}}
    (reply,) = replies(box, {"output": {"message": {"role": "assistant", "content": [use]}}, "stopReason": "tool_use"})
    return reply


def chat(vendor: str, message: type[Any], result: type[Any], arguments: Any) -> Any:
    """Those who write messages as OpenAI does."""
    box = Toolbox(TOOLS, to=vendor)
    name = box.tools[0]["function"]["name"]
    call = {"id": "a1B2c3D4e", "type": "function", "function": {"name": name, "arguments": arguments}}
    if vendor == "ollama":
        call = {"function": {"name": name, "arguments": arguments}}
    answer = message.model_validate({"role": "assistant", "tool_calls": [call]})
    (reply,) = replies(box, answer)
    result.model_validate(reply)
    return reply


def main() -> None:
    text = '{"port": "Emden"}'
    rounds = {
        "openai@chat-strict": openai_chat,
        "openai@responses": openai_responses,
        "anthropic": anthropic_messages,
        "gemini": gemini,
        "bedrock": bedrock,
        "mistral": lambda: chat("mistral", mistral.AssistantMessage, mistral.ToolMessage, text),
        "cohere": lambda: chat("cohere", cohere.AssistantMessageResponse, cohere.ToolChatMessageV2, text),
        "ollama": lambda: chat("ollama", ollama.Message, ollama.Message, {"port": "Emden"}),
    }
    for vendor, turn in rounds.items():
        print(f"{vendor}: {json.dumps(turn())}")


if __name__ == "__main__":
    main()
