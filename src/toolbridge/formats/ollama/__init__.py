"""Ollama: tools in the format of OpenAI's Chat Completions. https://github.com/ollama/ollama/blob/main/docs/api.md

Edition `chat` (ollama/ollama at fb30760, ollama-python 0.6.3, checked 2026-11-21). Worth knowing:
- `type` and `parameters` may be left out.
- No rule for names, and no field for strict functions.
- The server keeps a few keywords of a schema and drops the others, also references, before a model sees it.
- Arguments are an object. Calls have an id since 0.12.10, and need none; results name the tool, and may name the call.
- There is no flag for a failure: the text states it.
"""

from __future__ import annotations

from ...mapping.format import Format, messages_from
from ...mapping.table import Table
from ..dialects import OLLAMA
from ..openai import tools as openai
from ..openai.tools import RequestFrame
from .tools import TOOL, OllamaTool

# formats

FORMATS = (
    Format(
        id="ollama@chat",
        summary="Ollama, chat",
        spec="https://github.com/ollama/ollama/blob/main/docs/api.md",
        dialect=OLLAMA,
        tool=openai.table(OllamaTool, TOOL, OLLAMA),
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        replies=("/message/tool_calls", "/tool_calls"),
        envelope=Table(RequestFrame),
        wrap="/tools",
    ),
)
