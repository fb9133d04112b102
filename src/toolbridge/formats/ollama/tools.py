"""Tools of Ollama: models, codecs and rows."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from ...mapping import Wire, row, schema_codec, write_description
from ..dialects import OLLAMA
from ..function_tools import RequestFrame, no_parameters, request_frame
from ..mistral.tools import TYPE
from ..openai.tools import Parameters

# models


class OllamaFunction(Wire, kw_only=True):
    """A function of Ollama."""

    name: str
    description: str | UnsetType = UNSET
    parameters: Parameters | UnsetType = UNSET


class OllamaTool(Wire, kw_only=True):
    """A tool of Ollama's chat."""

    type: Literal["function"] | UnsetType = UNSET
    function: OllamaFunction


# tables

TOOL = (
    TYPE,
    row("/function/name", "name", required=True),
    row("/function/description", "description", write_description(None)),
    row("/function/parameters", "input", schema_codec(OLLAMA), required=True, invent=no_parameters(OLLAMA)),
)

# ollama 0.6.3 (_types.py, ChatRequest), checked 2026-11-28.
REQUEST = request_frame(
    RequestFrame,
    "OllamaRequest",
    ("format", "keep_alive", "logprobs", "messages", "model", "options", "stream", "think", "top_logprobs"),
)
