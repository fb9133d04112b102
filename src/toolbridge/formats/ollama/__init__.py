"""Ollama: tools in the words of OpenAI's Chat Completions. https://github.com/ollama/ollama/blob/main/docs/api.md

Edition `chat` (ollama/ollama at fb30760, ollama-python 0.6.3, checked 2026-11-21). Worth knowing:
- `type` and `parameters` may be left out.
- No rule for names, and no word for strict functions.
- Of a schema the server keeps a few keywords and forgets the rest, references too, before a model sees it.
- Arguments are an object. Calls have an id since 0.12.10, and need none; results name the tool, and may name the call.
- Nothing says that a tool failed: the text does.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from ...fitting import spoken
from ...format import Format
from ...forms import later
from ...naming import described
from ...row import row
from ...schema.dialects import OLLAMA
from ...table import Table
from ...wire import Wire
from .. import openai
from ..mistral import TYPE
from ..openai.models import Parameters, RequestFrame

# models


class OllamaFunction(Wire, kw_only=True, omit_defaults=True):
    """A function of Ollama."""

    name: str
    description: str | UnsetType = UNSET
    parameters: Parameters | UnsetType = UNSET


class OllamaTool(Wire, kw_only=True, omit_defaults=True):
    """A tool of Ollama's chat."""

    type: Literal["function"] | UnsetType = UNSET
    function: OllamaFunction


# values

# tables

TOOL = (
    TYPE,
    row("/function/name", "name", must=True),
    row("/function/description", "description", described(None)),
    row("/function/parameters", "input", spoken(OLLAMA), must=True),
)

# formats

FORMATS = (
    Format(
        id="ollama@chat",
        summary="Ollama, chat",
        spec="https://github.com/ollama/ollama/blob/main/docs/api.md",
        dialect=OLLAMA,
        tool=openai.table(OllamaTool, TOOL, OLLAMA),
        traffic=later(f"{__name__}.traffic", "CALLS", "RESULTS"),
        replies=("/message/tool_calls", "/tool_calls"),
        envelope=Table(RequestFrame),
        wrap="/tools",
    ),
)
