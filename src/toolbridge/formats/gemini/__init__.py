"""Google Gemini: functions for its models. https://ai.google.dev/gemini-api/docs/function-calling

Editions `parameters` (the API's own Schema: OpenAPI 3.0 in part) and `json-schema` (parametersJsonSchema); google-genai
3.4.0 and the reference of the API, checked 2026-11-21. Worth knowing:
- Both editions read both, and both spellings of a name; they differ in what they write.
- A function without parameters leaves them out: services refused an object without properties, and accept it now.
- In a Schema types are upper-case words, null is `nullable`, counts are text, and only text is enumerated.
- Older services require a description, so one is always written.
- A Tool, an entry of a request's `tools`, holds a list of functions, or is run by Google (googleSearch ...).
- The service also reads an object where `tools` is documented as a list of them (a recorded request, checked
  2026-11-23); toolbridge requires the list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...data.types import JsonObject
from ...mapping import Format, Row, Table, describe, messages_from
from ..dialects import GEMINI, GEMINI_JSON
from ..openai.tools import names
from .tools import (
    JSON_SCHEMA,
    KNOWN,
    PARAMETERS,
    RULE,
    FunctionDeclaration,
    ToolFrame,
    after_read,
    check,
    group,
    hosted,
    in_json,
    in_proto,
)

# formats


def _edition(
    edition: str, summary: str, rows: tuple[Row, ...], contradictions: Callable[[JsonObject], int], **more: Any
) -> Format:
    table = Table(
        FunctionDeclaration,
        *rows,
        after_read=after_read,
        check=check,
        invent={"/description": describe},
        dialect="2020-12",
        free=("name", "description"),
    )
    table.required_keys = KNOWN
    return Format(
        id=f"gemini@{edition}",
        summary=summary,
        spec="https://ai.google.dev/api/caching#FunctionDeclaration",
        dialect=GEMINI if edition == "parameters" else GEMINI_JSON,
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        replies=(
            "/candidates/0/content/parts",
            "/content/parts",
            "/parts",
            "/toolCall/functionCalls",
            "/tool_call/function_calls",
        ),
        tool=table,
        names=RULE,
        envelope=Table(ToolFrame),
        wrap="/functionDeclarations",
        requests=("/tools",),
        contradictions=contradictions,
        problems=names(RULE, "/name"),
        hosted=hosted,
        group=group,
        # "Maximum 512 function declarations can be provided" (google-genai 3.4.0, types.Tool, checked 2026-11-21)
        tools=512,
        **more,
    )


FORMATS = (
    _edition(
        "json-schema",
        "Google Gemini, functions with parametersJsonSchema",
        JSON_SCHEMA,
        in_proto,
        aliases=("gemini-json",),
    ),
    _edition(
        "parameters",
        "Google Gemini, functions with parameters in the API's own Schema",
        PARAMETERS,
        in_json,
        aliases=("google",),
    ),
)
