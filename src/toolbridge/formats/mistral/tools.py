"""Tools of Mistral: models, codecs and rows."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import UNSET, UnsetType

from ...mapping import Wire, has_type, local
from ...schema import PLAIN
from ..function_tools import RequestFrame, request_frame
from ..openai import tools as openai
from ..openai.tools import Name, Parameters

# models


class MistralFunction(Wire, kw_only=True):
    """A function of Mistral."""

    name: Name
    description: str | UnsetType = UNSET
    parameters: Parameters
    strict: bool | UnsetType = UNSET


class MistralTool(Wire, kw_only=True):
    """A tool of Mistral's chat completions."""

    type: Literal["function"] | UnsetType = UNSET
    function: MistralFunction


class MistralResponsesTool(openai.ServiceFunction, kw_only=True):
    """A function of Mistral's Responses. `output_schema` describes the JSON in a text that it gives back."""

    output_schema: dict[str, Any] | UnsetType | None = UNSET
    defer_loading: bool | UnsetType | None = UNSET
    allowed_callers: list[Literal["direct", "programmatic"]] | UnsetType | None = UNSET


# values

# mistralai 3.7.0 (client/models/chatcompletionrequest.py, createagentrequest.py), checked 2026-11-28.
hosted: Final = has_type(*(
    "code_interpreter",
    "connector",
    "document_library",
    "image_generation",
    "web_search",
    "web_search_premium",
))
"""Whether a tool of chat completions, or of an agent, is one that Mistral runs."""

# tables

TYPE = local("/type", default="function")

TOOL = (TYPE, *openai.head("/function", PLAIN), openai.CHAT_LOOSE)

RESPONSES_TOOL = (
    *(openai.TYPE, *openai.head("", PLAIN), openai.STRICT_OR_FALSE),
    *openai.OF_RESPONSES[:-1],  # nothing is asynchronous
)

# The members of requests: chat completions, also of agents, conversations and the agents that they are with, and
# Responses (mistralai 3.7.0, client/models/chatcompletionrequest.py, agentscompletionrequest.py,
# conversationrequest.py, createagentrequest.py and createresponserequest.py, checked 2026-11-28). Members that OpenAI
# has not, and other services that speak its words have (top_k, min_tokens, repetition_penalty, prompt_logprobs, name,
# description, instructions), are left out: they would tell Mistral.
REQUEST: Final = request_frame(
    RequestFrame,
    "MistralRequest",
    (
        *("frequency_penalty", "guardrails", "logprobs", "max_tokens", "messages", "metadata", "model", "n"),
        *("prediction", "presence_penalty", "prompt_cache_key", "prompt_mode", "random_seed", "reasoning_effort"),
        *("response_format", "safe_prompt", "service_tier", "stop", "stream", "temperature", "top_logprobs", "top_p"),
        *("top_prompt_logprobs", "agent_id"),
    ),
)
CONVERSATIONS_REQUEST: Final = request_frame(
    RequestFrame,
    "MistralConversationsRequest",
    (
        *("agent_id", "agent_version", "completion_args", "guardrails", "handoff_execution", "handoffs", "inputs"),
        *("metadata", "model", "store", "stream", "version_message"),
    ),
)
RESPONSES_REQUEST: Final = request_frame(
    openai.ResponsesFrame,
    "MistralResponsesRequest",
    (
        *("background", "conversation", "input", "instructions", "max_output_tokens", "max_tool_calls", "metadata"),
        *("model", "moderation", "previous_response_id", "prompt", "prompt_cache_key", "reasoning", "store", "stream"),
        *("temperature", "text", "top_logprobs", "top_p", "truncation"),
    ),
)
