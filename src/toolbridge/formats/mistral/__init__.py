"""Mistral: tools in the format of OpenAI's Chat Completions. https://docs.mistral.ai/capabilities/function_calling

Edition `chat` (mistralai 3.7.0, checked 2026-11-21). Worth knowing:
- `type` may be left out; a tool of no type is a function.
- `parameters` are required, even of a function that has none.
- No rules for schemas are documented, nor what `strict` requires: it is written if OpenAI's rules are kept.
- Names have at most 64 letters, digits, `_` and `-`, ids of calls just nine letters and digits (the service's errors).
- Arguments come as JSON text or as an object. There is no flag for a failure: the text states it.
"""

from __future__ import annotations

from ...mapping import Format, Table, messages_from
from ...schema import PLAIN
from ..openai import tools as openai
from ..openai.tools import RULE, RequestFrame, names, strict_at
from .tools import TOOL, MistralTool

# formats

FORMATS = (
    Format(
        id="mistral@chat",
        summary="Mistral, chat completions",
        spec="https://docs.mistral.ai/capabilities/function_calling",
        dialect=PLAIN,
        tool=openai.table(MistralTool, TOOL, PLAIN),
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        replies=("/choices/0/message/tool_calls", "/message/tool_calls", "/tool_calls"),
        names=RULE,
        envelope=Table(RequestFrame),
        wrap="/tools",
        contradictions=strict_at("/function/strict", expected=False),  # `strict` indicates OpenAI
        problems=names(RULE, "/function/name"),
    ),
)
