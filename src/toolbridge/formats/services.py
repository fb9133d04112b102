"""Services and servers that speak OpenAI's words: its tools, calls and results, each with a dialect of its own.

Nothing in a document tells one of them from OpenAI's, so they are never detected: they are named. Each has rows of
OpenAI's, and names that OpenAI accepts if it documents none. Sources and dates of what they accept of a schema are in
`service_dialects.py`; an edition is a line below.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, Literal, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from ..mapping import (
    UNLIMITED,
    Format,
    Row,
    Rule,
    Shape,
    Wire,
    fallback,
    kinds_from,
    messages_from,
    row,
    stream_from,
)
from ..schema import Dialect
from . import service_dialects as dialects
from .dialects import OPENAI_STRICT, strict_dialect
from .function_tools import strict_if_kept, strict_row
from .openai import tools as openai


class VllmFunction(openai.ChatFunction, kw_only=True):
    """A function of vLLM."""

    defer_loading: bool | UnsetType | None = UNSET


class VllmTool(Wire, kw_only=True):
    """A tool of vLLM, which gives its `defer_loading` to the function (ChatCompletionToolsParam)."""

    type: Literal["function"]
    function: VllmFunction
    defer_loading: bool | UnsetType | None = UNSET


class Service(NamedTuple):
    """A service, and what is worth knowing of it.

    Attributes:
        name: The name of the family.
        title: The name of the service.
        spec: The URL of its documentation.
        notes: What else is worth knowing.
        editions: The dialects of its editions, by name; the last one answers to the name of the family.
        names: The rule for names.
        strict: The dialect of strict tools where no edition has one.
        uniform: Whether all tools of a request are strict, or none.
        aliases: Other names of the family.
        model: The model of a tool of Chat Completions.
        rows: The rows of what only this service has.
        choices: The choices of tools in Chat Completions, by their name in `service_kinds.py`.
        results: The results in Chat Completions, by their name in `openai/messages.py`.
    """

    name: str
    title: str
    spec: str
    notes: tuple[str, ...]
    editions: dict[str, Dialect]
    names: Rule = openai.RULE
    strict: Dialect | None = None
    uniform: bool = False
    aliases: tuple[str, ...] = ()
    model: type[Struct] = openai.ChatTool
    rows: tuple[Row, ...] = ()
    choices: str = "CHAT"
    results: str = "CHAT_RESULTS"

    def describe(self, *editions: str) -> str:
        """What the service takes in these editions, all of them unless some are named."""
        apis = {"Responses" if edition == "responses" else "Chat Completions" for edition in editions or self.editions}
        return f"{self.title}: functions in the format of OpenAI's {' and '.join(sorted(apis))}"


SERVICES: Final = (
    Service(
        "xai",
        "xAI (Grok)",
        "https://docs.x.ai/developers/tools/function-calling",
        (
            "Functions are always strict, whatever `strict` says (documentation, checked 2026-11-23).",
            "An object accepts no properties but its own, so nearly every tool is narrowed (TB302).",
            "A `custom_tool_call` of Responses is of xAI's own search, which has run (vercel/ai, checked 2026-11-29).",
        ),
        {"responses": dialects.XAI, "chat": dialects.XAI},
        aliases=("grok",),
    ),
    Service(
        "deepseek",
        "DeepSeek",
        "https://api-docs.deepseek.com/guides/tool_calls",
        (
            "Strict functions are at `https://api.deepseek.com/beta` only (documentation, checked 2026-11-23).",
            "All functions of a request are strict, or none: if one cannot be, none is written as strict (TB603).",
            "In thinking mode, the default, a choice is `auto` or `none`; others are refused (DeepSeek-V3 issue 1376).",
            "The content of a result is one text; a list is refused (gptme issue 3472, checked 2026-11-25).",
        ),
        {"strict": dialects.DEEPSEEK_STRICT, "chat": dialects.DEEPSEEK},
        uniform=True,
        choices="DEEPSEEK",
        results="TEXT_RESULTS",
    ),
    Service(
        "groq",
        "Groq",
        "https://console.groq.com/docs/tool-use",
        (
            "A call that does not satisfy its schema is refused by the service, not sent to the caller.",
            "`strict` is written only beside a schema that is closed and complete (documentation, checked 2026-11-23).",
        ),
        {"chat": dialects.GROQ},
        strict=OPENAI_STRICT,
    ),
    Service(
        "cerebras",
        "Cerebras",
        "https://inference-docs.cerebras.ai/capabilities/tool-use",
        (
            "Strict functions and others in one request are refused with 422 (reported 2025-12-24).",
            "If one function cannot be strict, none is written as strict (TB603). Some models refuse strict ones.",
        ),
        {"strict": dialects.CEREBRAS_STRICT, "chat": dialects.CEREBRAS},
        uniform=True,
    ),
    Service(
        "fireworks",
        "Fireworks",
        "https://docs.fireworks.ai/guides/function-calling",
        ("A schema with properties accepts no others (documentation, checked 2026-11-23).",),
        {"chat": dialects.FIREWORKS},
        choices="FIREWORKS",
    ),
    Service(
        "moonshot",
        "Moonshot (Kimi)",
        "https://platform.moonshot.ai/docs/api/tool-use",
        (
            "Schemas are in Moonshot's own subset, which its validator defines (MoonshotAI/walle at 196bb0c).",
            "Names have 3 to 64 characters (documentation, checked 2026-11-23); shorter ones are written as they are.",
            "No property may be called `$defs`, `$ref`, `anyOf`, `required` or `additionalProperties`.",
            "Neither `convert` nor `check` reports short names and such properties.",
            "No tool can be chosen by name. Thinking models before Kimi K3 refuse `required` too (inspect_ai PR 5152).",
        ),
        {"chat": dialects.MOONSHOT},
        names=Rule(alphabet="a-zA-Z0-9_-", most=64, first="a-zA-Z_"),
        aliases=("kimi",),
        choices="BARE",
    ),
    Service(
        "vllm",
        "vLLM",
        "https://docs.vllm.ai/en/stable/features/tool_calling/",
        ("The dialect is that of xgrammar, the default backend of vLLM; the other backends accept more.",),
        {"chat": dialects.VLLM},
        aliases=("xgrammar",),
        model=VllmTool,
        rows=(row("/function/defer_loading", "defer_loading"), fallback("/defer_loading", "defer_loading")),
    ),
    Service(
        "llama-cpp",
        "llama.cpp",
        "https://github.com/ggml-org/llama.cpp/blob/master/docs/function-calling.md",
        (
            "One schema that has no grammar makes the server refuse the whole request.",
            "No tool can be chosen by name: the server reads such a choice as `auto` (llama.cpp issue 26535).",
        ),
        {"chat": dialects.LLAMA_CPP},
        aliases=("llama.cpp",),
        choices="LLAMA_CPP",
    ),
    Service(
        "lm-studio",
        "LM Studio",
        "https://lmstudio.ai/docs/developer/openai-compat/tools",
        (
            "The dialect is that of models in GGUF, which llama.cpp runs.",
            "No tool can be chosen by name; such a request is refused (lmstudio-bug-tracker issue 670).",
        ),
        {"chat": dialects.LM_STUDIO},
        aliases=("lmstudio",),
        choices="BARE",
    ),
)
"""The services of vendors, then servers that anybody may run."""

_MESSAGES: Final = "toolbridge.formats.openai.messages"


def _chat_messages(service: Service) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    """The calls and results in Chat Completions; the module is loaded on demand."""
    from .openai import messages

    return messages.service_calls(service.names), getattr(messages, service.results)


def _formats(service: Service) -> Iterator[Format]:
    for edition, dialect in service.editions.items():
        flat, strict = edition == "responses", dialect.fallback is not None
        base = "" if flat else "/function"
        if_kept = strict_if_kept(service.strict or strict_dialect(dialect), f"{base}/parameters")
        flag = strict_row(f"{base}/strict") if strict else row(f"{base}/strict", "strict", if_kept)
        rows = openai.TYPE, *openai.head(base, dialect, service.names), flag, *service.rows
        yield Format(
            id=f"{service.name}@{edition}",
            summary=f"{service.describe(edition)}{', strict ones' if strict else ''}",
            spec=service.spec,
            tool=openai.table(openai.ServiceFunction if flat else service.model, rows),
            aliases=(f"{service.name}-{edition}", *(service.aliases if edition == "chat" else ())),
            names=service.names,
            messages=messages_from(_MESSAGES, "SERVICE_RESPONSES_CALLS", "RESPONSES_RESULTS")
            if flat
            else partial(_chat_messages, service),
            kinds=kinds_from("toolbridge.formats.service_kinds", "RESPONSES" if flat else service.choices),
            replies=("/output", "/response/output")
            if flat
            else ("/choices/0/message/tool_calls", "/message/tool_calls", "/tool_calls"),
            stream=stream_from("toolbridge.formats.openai.stream", "ResponsesEvents" if flat else "ChatEvents"),
            envelope=openai.LIKE_RESPONSES if flat else openai.LIKE_CHAT,
            wrap="/tools",
            hosted=openai.hosted_by_responses if flat else openai.hosted_by_chat,
            max_tools=dialect.max_tools,
            budgets=UNLIMITED if service.uniform else None,
            uniform=service.uniform,
            dialect=dialect,
            is_detected=False,
        )


FORMATS = tuple(form for service in SERVICES for form in _formats(service))
