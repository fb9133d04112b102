"""Anthropic Messages: tools that the caller runs. https://docs.anthropic.com/en/api/messages

Editions `messages` and `strict`, which asks for `strict: true` (anthropic-sdk-python 2.12.0, types/tool_param.py,
checked 2026-11-21). Worth knowing:
- `input_schema` is JSON Schema 2020-12 with an object at its root, and no combinator there.
- A strict tool's objects are closed, but may have optional properties; if a schema cannot be written in that form
  without rejecting more, the tool is not strict.
- The service rejects unknown fields; new ones appear with every release, so they are kept within the family.
- Tools with another `type` than custom (web_search_20250305, mcp_toolset ...) are run by Anthropic.
"""

from __future__ import annotations

from typing import Any

from ...mapping import Budgets, Format, Row, Table, messages_from
from ...schema import Dialect
from ..dialects import ANTHROPIC, ANTHROPIC_STRICT
from ..openai.tools import names, no_parameters, really_strict, strict_at
from .tools import MESSAGES_TOOL, RULE, STRICT_TOOL, AnthropicTool, MessagesFrame, check, hosted, repair

# formats


def _edition(edition: str, summary: str, dialect: Dialect, *rows: Row, **more: Any) -> Format:
    invent = {"/input_schema": no_parameters(dialect), "/strict": really_strict}
    return Format(
        id=f"anthropic@{edition}",
        summary=summary,
        spec="https://docs.anthropic.com/en/api/messages",
        dialect=dialect,
        budgets=Budgets(strict_tools=20, optional=24, union_types=16),  # the facts are in the dialect
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        replies=("/content",),
        tool=Table(
            AnthropicTool,
            *rows,
            check=check,
            repair=repair,
            invent=invent,
            dialect="2020-12",
            free=("name", "description"),
        ),
        names=RULE,
        envelope=Table(MessagesFrame),
        wrap="/tools",
        problems=names(RULE, "/name"),
        hosted=hosted,
        **more,
    )


FORMATS = (
    _edition(
        "strict",
        "Anthropic Messages, tools with strict: true",
        ANTHROPIC_STRICT,
        *STRICT_TOOL,
        aliases=("anthropic-strict",),
        contradictions=strict_at("/strict", expected=True),
    ),
    _edition(
        "messages",
        "Anthropic Messages, tools",
        ANTHROPIC,
        *MESSAGES_TOOL,
        aliases=("claude", "anthropic-messages"),
        contradictions=strict_at("/strict", expected=False),
    ),
)
