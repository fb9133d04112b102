"""OpenAI: functions for its models. https://platform.openai.com/docs/guides/function-calling

Editions `functions` (deprecated: bare functions), `responses` and `chat`, each of the latter also with strict functions
(openai/openai-openapi at f85dbe2, openai-python 3.52.0, checked 2026-11-21). Worth knowing:
- A function without parameters may leave them out.
- Strict functions take a subset of JSON Schema in which every property is required; where a schema cannot be said in it
  without refusing more, that function is not strict.
- Responses try to be strict where nothing is said, so `strict: false` is written.
- No key of a tool is free for strangers. Compatible services add their own (`cache_control`), which stay in the family.
- Tools of other types (web_search, mcp, custom ...) are OpenAI's own, or take text; `namespace` groups functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import Struct

from ...fitting import spoken
from ...format import Format
from ...forms import later
from ...hub import JsonObject
from ...naming import described, named
from ...row import Row, local, row
from ...schema.dialect import Dialect
from ...schema.dialects import OPENAI, OPENAI_STRICT
from ...table import Invent, Table
from .models import ChatFunction, ChatTool, Function, RequestFrame, ResponsesFrame, ResponsesTool
from .values import (
    IF_KEPT,
    IF_KEPT_OR_FALSE,
    OUTPUT,
    RULE,
    STRICT,
    check,
    context,
    function,
    hosted_by_chat,
    hosted_by_responses,
    is_strict,
    names,
    namespace,
    no_parameters,
    not_strict,
    really_strict,
    repair,
    settle,
    upper_case,
)

# models

__all__ = ["FORMATS", "ChatFunction", "ChatTool", "Function", "ResponsesTool"]

# values


def _strict(place: str, document: JsonObject) -> int:
    return int(is_strict(document, place))


def _loose(place: str, document: JsonObject) -> int:
    return int(not is_strict(document, place))


# tables


def head(base: str, dialect: Dialect) -> tuple[Row, ...]:
    """Name, description and parameters. Rows of one edition only: what crosses to another must obey the rules."""
    return (
        row(f"{base}/name", "name", named(RULE), must=True),
        row(f"{base}/description", "description", described(dialect.description)),
        row(f"{base}/parameters", "input", spoken(dialect), must=True),
    )


TYPE = local("/type", must=True)
OF_RESPONSES = (
    row("/output_schema", "output", OUTPUT),
    local("/defer_loading"),
    local("/allowed_callers"),
    local("/async"),
)

FUNCTIONS = head("", OPENAI)
RESPONSES = (
    *(TYPE, *head("", OPENAI)),
    row("/strict", "strict", IF_KEPT_OR_FALSE, must=True, default=False),
    *OF_RESPONSES,
)
RESPONSES_STRICT = (
    *(TYPE, *head("", OPENAI_STRICT)),
    row("/strict", "strict", STRICT, must=True, default=True),
    *OF_RESPONSES,
)
CHAT_STRICT = (
    *(TYPE, *head("/function", OPENAI_STRICT)),
    row("/function/strict", "strict", STRICT, must=True, default=True),
)
CHAT_LOOSE = row("/function/strict", "strict", IF_KEPT)
CHAT = (TYPE, *head("/function", OPENAI), CHAT_LOOSE)

# formats


def table(model: type[Struct], rows: tuple[Row, ...], dialect: Dialect, strict: Invent | None = None) -> Table:
    """The table of functions in OpenAI's words, flat or nested under `function`, here or at another vendor.

    `strict` says the flag where the source says nothing.
    """
    base = "" if any(row.wire == "/name" for row in rows) else "/function"
    invent: dict[str, Invent] = {"/type": function, f"{base}/parameters": no_parameters(dialect)}
    if strict is not None:
        invent[f"{base}/strict"] = strict
    return Table(
        model,
        *rows,
        settle=settle(f"{base}/name"),
        check=check(f"{base}/parameters/type"),
        repair=None if base else repair,
        invent=invent,
        free=("name", "description"),
    )


def _edition(edition: str, summary: str, tool: Table, tell: Callable[[JsonObject], int], **more: Any) -> Format:
    dialect = OPENAI_STRICT if edition.endswith("-strict") else OPENAI
    flat = "/name" in tool.rows
    if flat:
        # Anything may have a name and a type.
        tool.musts |= {"parameters"}
    return Format(
        id=f"openai@{edition}",
        summary=summary,
        spec="https://platform.openai.com/docs/guides/function-calling",
        tool=tool,
        aliases=(f"openai-{edition}", "openai-strict") if edition == "chat-strict" else (f"openai-{edition}",),
        names=RULE,
        tell=tell,
        problems=names(RULE, "/name" if flat else "/function/name"),
        tools=dialect.tools,
        dialect=dialect,
        **more,
    )


_FRAME = Table(RequestFrame)
_CALLED = ("/choices/0/message/function_call", "/message/function_call", "/function_call")
_CHAT: Any = {
    "traffic": later(f"{__name__}.traffic", "CHAT_CALLS", "CHAT_RESULTS"),
    "replies": ("/choices/0/message/tool_calls", "/message/tool_calls", "/tool_calls", *_CALLED),
    "envelope": _FRAME,
    "wrap": "/tools",
    "hosted": hosted_by_chat,
}
_RESPONSES: Any = {
    "traffic": later(f"{__name__}.traffic", "RESPONSES_CALLS", "RESPONSES_RESULTS"),
    "replies": ("/output",),
    "envelope": Table(ResponsesFrame, local("/description")),
    "wrap": "/tools",
    "hosted": hosted_by_responses,
    "group": namespace,
    "context": context,
}

FORMATS = (
    _edition(
        "functions",
        "OpenAI functions, as the deprecated `functions` of a request",
        table(Function, FUNCTIONS, OPENAI),
        upper_case,
        traffic=later(f"{__name__}.traffic", "FUNCTION_CALLS", "FUNCTION_RESULTS"),
        replies=_CALLED,
        envelope=_FRAME,
        wrap="/functions",
    ),
    _edition(
        "responses",
        "OpenAI Responses, functions that are not strict",
        table(ResponsesTool, RESPONSES, OPENAI, not_strict),
        partial(_strict, "/strict"),
        **_RESPONSES,
    ),
    _edition(
        "responses-strict",
        "OpenAI Responses, strict functions",
        table(ResponsesTool, RESPONSES_STRICT, OPENAI_STRICT, really_strict),
        partial(_loose, "/strict"),
        **_RESPONSES,
    ),
    _edition(
        "chat-strict",
        "OpenAI Chat Completions, strict functions",
        table(ChatTool, CHAT_STRICT, OPENAI_STRICT, really_strict),
        partial(_loose, "/function/strict"),
        **_CHAT,
    ),
    _edition(
        "chat",
        "OpenAI Chat Completions, functions that are not strict",
        table(ChatTool, CHAT, OPENAI),
        partial(_strict, "/function/strict"),
        **_CHAT,
    ),
)
