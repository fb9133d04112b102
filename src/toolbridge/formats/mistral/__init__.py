"""Mistral: tools in the formats of OpenAI. https://docs.mistral.ai/capabilities/function_calling

Editions `responses` (mistralai 3.7.0, checked 2026-11-23), which is named and not detected, as it has no words that
OpenAI's Responses have not, `conversations` (the same, client/models/conversationrequest.py, functioncallentry.py and
functionresultentry.py, checked 2026-11-28), whose tools are those of `chat`, and `chat` (checked 2026-11-21). Worth
knowing:
- `type` may be left out; a tool of no type is a function.
- `parameters` are required, even of a function that has none.
- No rules for schemas are documented, nor what `strict` requires: it is written if OpenAI's rules are kept.
- Names have at most 64 letters, digits, `_` and `-`, ids of calls just nine letters and digits (the service's errors).
  Conversations have other ids, too.
- Tools of other types (web_search, connector ...) are specific to Mistral.
- Arguments come as JSON text or as an object. There is no flag for a failure: the text states it.
- Responses have namespaces of functions, and custom tools in them, whose input is text. What an absent `strict` means
  there is not documented, so `strict: false` is written, as for OpenAI. The output of a call repeats `caller`.
- Calls in a conversation, with an agent or a model, are entries (`function.call`), and so are results
  (`function.result`), which are one text. Mistral runs a call that waits for a confirmation
  (`confirmation_status: pending`).
"""

from __future__ import annotations

from ...mapping import Format, kinds_from, messages_from, stream_from
from ...schema import PLAIN
from ..function_tools import strict_mismatch
from ..openai import tools as openai
from . import tools

# formats

FORMATS = (
    Format(
        id="mistral@responses",
        summary="Mistral, Responses",
        spec="https://docs.mistral.ai/api/",
        dialect=PLAIN,
        tool=openai.table(tools.MistralResponsesTool, tools.RESPONSES_TOOL),
        key_sets=(frozenset({"type", "name", "parameters"}),),  # anything may have a name and a type
        messages=messages_from(f"{__name__}.messages", "RESPONSES_CALLS", "RESPONSES_RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "RESPONSES"),
        replies=("/output",),
        stream=stream_from("toolbridge.formats.openai.stream", "ResponsesEvents"),
        aliases=("mistral-responses",),
        names=openai.RULE,
        envelope=tools.RESPONSES_REQUEST,
        wrap="/tools",
        contradictions=strict_mismatch("/strict", expected=False),
        hosted=openai.hosted_by_responses,
        group=openai.NAMESPACE,
        context=openai.context,
        is_detected=False,
    ),
    Format(
        id="mistral@conversations",
        summary="Mistral, Conversations with agents and models",
        spec="https://docs.mistral.ai/agents/function_calling",
        dialect=PLAIN,
        tool=openai.table(tools.MistralTool, tools.TOOL),
        key_sets=(frozenset({"type", "function"}),),  # a tool without a type is one of chat completions
        messages=messages_from(f"{__name__}.conversations", "CALLS", "RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "CONVERSATIONS"),
        replies=("/outputs",),
        stream=stream_from(f"{__name__}.stream", "ConversationEvents"),
        aliases=("mistral-conversations", "mistral-agents"),
        names=openai.RULE,
        envelope=tools.CONVERSATIONS_REQUEST,
        wrap="/tools",
        contradictions=strict_mismatch("/function/strict", expected=False),  # `strict` indicates OpenAI
        hosted=tools.hosted,
    ),
    Format(
        id="mistral@chat",
        summary="Mistral, chat completions",
        spec="https://docs.mistral.ai/capabilities/function_calling",
        dialect=PLAIN,
        tool=openai.table(tools.MistralTool, tools.TOOL),
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "KINDS"),
        replies=("/choices/0/message/tool_calls", "/message/tool_calls", "/tool_calls"),
        stream=stream_from("toolbridge.formats.openai.stream", "ChatEvents"),
        names=openai.RULE,
        envelope=tools.REQUEST,
        wrap="/tools",
        contradictions=strict_mismatch("/function/strict", expected=False),  # `strict` indicates OpenAI
        hosted=tools.hosted,
    ),
)
