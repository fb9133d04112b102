"""Ollama: tools in the format of OpenAI's Chat Completions. https://github.com/ollama/ollama/blob/main/docs/api.md

Edition `chat` (ollama/ollama at fb30760, ollama-python 0.6.3, checked 2026-11-21). Worth knowing:
- `type` and `parameters` may be left out.
- No rule for names, and no field for strict functions.
- The server keeps a few keywords of a schema and drops the others, also references, before a model sees it.
- The SDK for Python (0.6.3) keeps only type, items, description and enum of a parameter, and drops anyOf and the
  properties of an object: send such tools by HTTP. `check --as ollama` warns of them.
- Arguments are an object. Calls have an id since 0.12.10, and need none; results name the tool, and may name the call.
- There is no flag for a failure: the text states it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...data import pointer as at
from ...data.types import JsonObject, is_object
from ...mapping import Format, messages_from, stream_from
from ..dialects import OLLAMA
from ..openai import tools as openai
from .tools import REQUEST, TOOL, OllamaTool


def _dropped(schema: JsonObject) -> Iterator[tuple[str, str]]:
    """What the model of a parameter in ollama-python does not have (ollama 0.6.3, _types.py, checked 2026-11-23)."""
    properties = schema.get("properties")
    for name, inner in properties.items() if is_object(properties) else ():
        for key in ("anyOf", "properties"):
            if is_object(inner) and key in inner:
                yield f"/properties/{at.escape(name)}/{key}", f"ollama's SDK for Python drops {key} of a parameter"


# formats

FORMATS = (
    Format(
        id="ollama@chat",
        summary="Ollama, chat",
        spec="https://github.com/ollama/ollama/blob/main/docs/api.md",
        dialect=OLLAMA,
        tool=openai.table(OllamaTool, TOOL),
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        replies=("/message/tool_calls", "/tool_calls"),
        stream=stream_from(f"{__name__}.stream", "OllamaEvents"),
        envelope=REQUEST,
        wrap="/tools",
        dropped=_dropped,
    ),
)
