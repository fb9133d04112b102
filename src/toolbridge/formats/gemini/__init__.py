"""Google Gemini: functions for its models. https://ai.google.dev/gemini-api/docs/function-calling

Editions `parameters` (the API's own Schema: OpenAPI 3.0 in part), `json-schema` (parametersJsonSchema) and
`interactions` (the Interactions API, whose functions and steps have a shape of their own); google-genai 3.4.0 and the
reference of the API, checked 2026-11-21, interactions 2026-11-23. Worth knowing:
- `parameters` and `json-schema` read each other, and both spellings of a name; they differ in what they write.
- `vertex` is `parameters` at Vertex AI, whose objects may say which other properties they have (additionalProperties);
  nothing tells the two apart, so it is named. Integers are enumerated as text in both (TB505): their references show
  `enum: ["101"]` beside INTEGER, which is read, but "only allowed for STRING type" was the response to such a schema
  (github.com/diegosouzapw/OmniRoute/pull/760; others report that it is taken: NousResearch/hermes-agent/pull/67773).
- A function without parameters leaves them out: services refused an object without properties, and accept it now.
- In a Schema types are upper-case words, null is `nullable`, counts are text, and only text is enumerated.
- Older services require a description, so one is always written.
- A Tool, an entry of a request's `tools`, holds a list of functions, or is specific to Google (googleSearch ...).
- The service also reads an object where `tools` is documented as a list of them (a recorded request, checked
  2026-11-23); toolbridge requires the list.
- All numbers of calls and responses are doubles. So data with an integer beyond 2^53 is written as text, and in the
  arguments of a call in a conversation such an integer is (TB505). In a call from the service it is rounded already, as
  in `1e16` for 10000000000000001 (google/adk-python#3592): ids of this length should be strings in the tool.
- Gemini 3 refuses a call in the history without the signature that it sent with it. For a call that another model made
  it takes `skip_thought_signature_validator`, which `fill` can write (FAQs of
  https://ai.google.dev/gemini-api/docs/thought-signatures, vercel/ai#15550; checked 2026-11-30).
- An Interaction has its calls in `steps` (`outputs` until google-genai 2). The arguments are an object, the result is
  a text, an object or a list of contents. Signatures of thoughts are in steps of their own, so a call has none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...data.types import JsonObject
from ...mapping import Format, Row, Table, has, kinds_from, messages_from, stream_from
from ..dialects import GEMINI, GEMINI_INTERACTIONS, GEMINI_JSON, GEMINI_VERTEX
from ..openai import tools as openai
from . import tools
from .schema_object import in_camel_case

# formats


def _edition(
    edition: str, summary: str, rows: tuple[Row, ...], contradictions: Callable[[JsonObject], int], **more: Any
) -> Format:
    dialect = {"parameters": GEMINI, "vertex": GEMINI_VERTEX}.get(edition, GEMINI_JSON)
    own = "parametersJsonSchema" if dialect is GEMINI_JSON else "parameters"
    table = Table(
        tools.FunctionDeclaration,
        *rows,
        after_read=tools.after_read,
        check=tools.check,
        dialect="2020-12",
        free=("name", "description"),
    )
    return Format(
        id=f"gemini@{edition}",
        summary=summary,
        spec="https://ai.google.dev/api/caching#FunctionDeclaration",
        key_sets=tools.KEY_SETS,
        dialect=dialect,
        dialects={f"/{key}": GEMINI if key == "parameters" else GEMINI_JSON for key in tools.INPUT_KEYS if key != own},
        rename_keywords=in_camel_case,
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "KINDS"),
        replies=(
            "/candidates/0/content/parts",
            "/content/parts",
            "/parts",
            "/toolCall/functionCalls",
            "/tool_call/function_calls",
            # The `tool_call` of a message of the Live API alone (google-genai 3.6.1, types.LiveServerToolCall, checked
            # 2026-11-29).
            "/functionCalls",
            "/function_calls",
        ),
        # A response to a blocked prompt has no candidates (google-genai 3.6.1,
        # types.GenerateContentResponse.prompt_feedback, checked 2026-11-29).
        answers=has(any_of=("promptFeedback", "prompt_feedback")),
        stream=stream_from(f"{__name__}.stream", "GeminiEvents"),
        tool=table,
        names=tools.RULE,
        envelope=tools.REQUEST,
        wrap="/functionDeclarations",
        # That of the Live API is the first message of a client (google-genai 3.6.1, types.LiveClientSetup, checked
        # 2026-11-29).
        requests=("/tools", "/setup/tools"),
        contradictions=lambda function: (
            contradictions(function) + openai.has_details(function) + tools.has_unknown_type(function)
        ),
        hosted=tools.hosted,
        group=tools.GROUP,
        max_tools=dialect.max_tools,
        **more,
    )


FORMATS = (
    Format(
        id="gemini@interactions",
        summary="Google Gemini, Interactions API",
        spec="https://ai.google.dev/gemini-api/docs/interactions",
        dialect=GEMINI_INTERACTIONS,
        tool=openai.table(tools.InteractionsTool, tools.INTERACTIONS),
        key_sets=(frozenset({"type", "name", "parameters"}),),  # anything may have a name and a type
        messages=messages_from(f"{__name__}.interactions", "CALLS", "RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "INTERACTIONS"),
        replies=("/steps", "/outputs"),
        # One that runs in the background has no steps yet (recorded by openinference, checked 2026-11-29).
        answers=lambda document: document.get("object") == "interaction",
        stream=stream_from(f"{__name__}.stream", "InteractionsEvents"),
        aliases=("gemini-interactions",),
        names=tools.RULE,
        envelope=tools.INTERACTIONS_REQUEST,
        wrap="/tools",
        hosted=tools.hosted_by_interactions,
    ),
    _edition(
        "vertex",
        "Google Gemini at Vertex AI, functions with parameters in the API's own Schema",
        tools.VERTEX,
        tools.in_json,
        aliases=("vertex",),
        is_detected=False,
    ),
    _edition(
        "json-schema",
        "Google Gemini, functions with parametersJsonSchema",
        tools.JSON_SCHEMA,
        tools.in_proto,
        aliases=("gemini-json",),
    ),
    _edition(
        "parameters",
        "Google Gemini, functions with parameters in the API's own Schema",
        tools.PARAMETERS,
        tools.in_json,
        aliases=("google",),
    ),
)
