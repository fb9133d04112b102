"""OpenAI: functions for its models. https://platform.openai.com/docs/guides/function-calling

Editions `functions` (deprecated: bare functions), `responses` and `chat`, each of the latter also with strict functions
(openai/openai-openapi at f85dbe2, openai-python 3.52.0, checked 2026-11-21). Worth knowing:
- Edition `realtime` is for sessions of the Realtime API (openai 3.57.0, types/realtime, checked 2026-11-30), which
  refuse `strict`, give no custom tools, and take the output of a function as one text. Its documents are recognised as
  those of `responses`, so it has to be named.
- A function without parameters may leave them out.
- Strict functions take a subset of JSON Schema in which every property is required; if a schema cannot be written in it
  without rejecting more, that function is not strict.
- Responses try to be strict if `strict` is absent, so `strict: false` is written.
- `check` holds a function with `strict: true` to the strict rules in every edition. Relays such as OpenRouter accept
  more, because they pass functions on to models of other vendors.
- A tool has no field for extensions. Compatible services add their own, which are kept in the family; two of them are
  given to other formats as well: `cache_control` of relays, and `defer_loading` of vLLM and gateways in `chat`.
- `allowed_callers` names code that a model has written with a word of its own (`formats/callers.py`).
- A call of a Gemini model has `extra_content` with the signature of its thoughts, which Gemini demands back; OpenAI's
  own types do not know it.
- Tools of other types (web_search, mcp ...) are specific to OpenAI; `namespace` groups functions.
- A custom tool takes one text, which a grammar may restrict, and the caller runs it. Other formats, and the other API,
  have it as a function with one parameter `input` (TB505); no grammar holds there, so it is described (TB201, TB503).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...data.types import JsonObject
from ...mapping import Format, Table, kinds_from, messages_from, stream_from
from ..dialects import OPENAI, OPENAI_STRICT
from ..function_tools import strict_mismatch
from . import tools


def _edition(
    edition: str, summary: str, tool: Table, contradictions: Callable[[JsonObject], int], **more: Any
) -> Format:
    dialect = OPENAI_STRICT if edition.endswith("-strict") else OPENAI
    return Format(
        id=f"openai@{edition}",
        summary=summary,
        spec="https://platform.openai.com/docs/guides/function-calling",
        tool=tool,
        # Anything may have a name and a type.
        key_sets=(tool.required_keys | {"parameters"},) if "/name" in tool.rows else (),
        aliases=(f"openai-{edition}", "openai-strict") if edition == "chat-strict" else (f"openai-{edition}",),
        names=tools.RULE,
        contradictions=contradictions,
        max_tools=dialect.max_tools,
        dialect=dialect,
        **more,
    )


_CALLED = ("/choices/0/message/function_call", "/message/function_call", "/function_call")

_CHAT: Any = {
    "messages": messages_from(f"{__name__}.messages", "CHAT_CALLS", "CHAT_RESULTS"),
    "kinds": kinds_from(f"{__name__}.kinds", "CHAT"),
    "replies": ("/choices/0/message/tool_calls", "/message/tool_calls", "/tool_calls", *_CALLED),
    "stream": stream_from(f"{__name__}.stream", "ChatEvents"),
    "envelope": tools.CHAT_FRAME,
    "wrap": "/tools",
    "hosted": tools.hosted_by_chat,
    "text_tool": tools.CHAT_CUSTOM,
}

_RESPONSES: Any = {
    "messages": messages_from(f"{__name__}.messages", "RESPONSES_CALLS", "RESPONSES_RESULTS"),
    "kinds": kinds_from(f"{__name__}.kinds", "RESPONSES"),
    "replies": ("/output", "/response/output"),
    "stream": stream_from(f"{__name__}.stream", "ResponsesEvents"),
    "envelope": tools.RESPONSES_FRAME,
    "wrap": "/tools",
    # Events of clients of the Realtime API: session.update, also as the request for a client secret, and
    # response.create (openai 3.57.0, types/realtime, checked 2026-11-29).
    "requests": ("/session/tools", "/response/tools"),
    "hosted": tools.hosted_by_responses,
    "foreign_types": tools.TYPES_OF_GEMINI,
    "text_tool": tools.CUSTOM,
    "group": tools.NAMESPACE,
    "context": tools.context,
}

FORMATS = (
    _edition(
        "functions",
        "OpenAI functions, as the deprecated `functions` of a request",
        tools.table(tools.Function, tools.FUNCTIONS),
        lambda function: tools.has_types_of_gemini(function) + tools.has_details(function),
        messages=messages_from(f"{__name__}.messages", "FUNCTION_CALLS", "FUNCTION_RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "FUNCTIONS"),
        replies=_CALLED,
        stream=stream_from(f"{__name__}.stream", "ChatEvents"),
        envelope=tools.CHAT_FRAME,
        wrap="/functions",
        # Prompts and catalogues of agents list bare functions as `tools`, and the records of data sets as `function`
        # (BFCL: ShishirPatil/gorilla, berkeley-function-call-leaderboard/bfcl_eval/data; OpenBMB/ToolBench,
        # data_example/answer; checked 2026-11-30).
        requests=("/tools", "/function"),
    ),
    _edition(
        "responses",
        "OpenAI Responses, functions that are not strict",
        tools.table(tools.ResponsesTool, tools.RESPONSES),
        strict_mismatch("/strict", expected=False),
        **_RESPONSES,
    ),
    _edition(
        "responses-strict",
        "OpenAI Responses, strict functions",
        tools.table(tools.ResponsesTool, tools.RESPONSES_STRICT),
        strict_mismatch("/strict", expected=True),
        **_RESPONSES,
    ),
    _edition(
        "realtime",
        "OpenAI Realtime, functions of a session",
        tools.table(tools.RealtimeTool, tools.REALTIME),
        tools.has_types_of_gemini,
        messages=messages_from(f"{__name__}.messages", "REALTIME_CALLS", "REALTIME_RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "REALTIME"),
        replies=("/response/output", "/output"),
        stream=stream_from(f"{__name__}.stream", "ResponsesEvents"),
        envelope=tools.RESPONSES_FRAME,
        wrap="/tools",
        requests=("/session/tools", "/response/tools"),
        hosted=tools.hosted_by_responses,
        is_detected=False,
    ),
    _edition(
        "chat-strict",
        "OpenAI Chat Completions, strict functions",
        tools.table(tools.ChatTool, tools.CHAT_STRICT),
        strict_mismatch("/function/strict", expected=True),
        **_CHAT,
    ),
    _edition(
        "chat",
        "OpenAI Chat Completions, functions that are not strict",
        tools.table(tools.ChatTool, tools.CHAT),
        strict_mismatch("/function/strict", expected=False),
        **_CHAT,
    ),
)
