"""Tools of Cohere: models, codecs and rows."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from ...mapping import Rule, Wire
from ..dialects import COHERE
from ..function_tools import RequestFrame, request_frame
from ..openai import tools as openai
from ..openai.tools import Parameters

# models

# ChatRequest.tools of v1 (also docs.oracle.com, CohereTool.name), checked 2026-11-21. No length is named; 128 is what
# other formats allow at most.
RULE = Rule(alphabet="a-zA-Z0-9_", most=128, first="a-zA-Z_")
Name = Annotated[str, Meta(extra_json_schema={"pattern": RULE.pattern})]


class CohereFunction(Wire, kw_only=True):
    """A function of Cohere."""

    name: Name
    description: str | UnsetType = UNSET
    parameters: Parameters


class CohereTool(Wire, kw_only=True):
    """A tool of Cohere's second API."""

    type: Literal["function"]
    function: CohereFunction


# tables

TOOL = (openai.TYPE, *openai.head("/function", COHERE, RULE))

# cohere 7.3.1 (v2/client.py, V2Client.chat_stream), checked 2026-11-28.
REQUEST = request_frame(
    RequestFrame,
    "CohereRequest",
    (
        *("citation_options", "documents", "frequency_penalty", "k", "logprobs", "max_tokens", "messages", "model"),
        *("p", "presence_penalty", "priority", "response_format", "safety_mode", "seed", "stop_sequences", "stream"),
        *("strict_tools", "temperature", "thinking"),
    ),
)
