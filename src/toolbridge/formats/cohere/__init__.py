"""Cohere v2: tools in the format of OpenAI's Chat Completions. https://docs.cohere.com/v2/reference/chat

Edition `v2` (cohere-python 7.3.1, checked 2026-11-21). Worth knowing:
- `parameters` are required, even of a function that has none.
- Strictness is set for a whole request (`strict_tools`), not for a tool.
- The documentation of v1 allows letters, digits and `_` in a name, no digit first; that of v2 is silent.
- Part of JSON Schema: no oneOf, no allOf, no bounds.
- The result of a tool is text, preferably JSON, or a list of texts and documents that a response can cite. There is no
  flag for a failure: the text states it.
"""

from __future__ import annotations

from ...mapping import Format, kinds_from, messages_from, stream_from
from ..dialects import COHERE
from ..openai import tools as openai
from .tools import REQUEST, RULE, TOOL, CohereTool

# formats

FORMATS = (
    Format(
        id="cohere@v2",
        summary="Cohere, API version 2",
        spec="https://docs.cohere.com/v2/reference/chat",
        dialect=COHERE,
        tool=openai.table(CohereTool, TOOL),
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "KINDS"),
        replies=("/message/tool_calls", "/tool_calls"),
        stream=stream_from(f"{__name__}.stream", "CohereEvents"),
        names=RULE,
        envelope=REQUEST,
        wrap="/tools",
    ),
)
