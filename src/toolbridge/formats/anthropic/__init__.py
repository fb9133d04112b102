"""Anthropic Messages: tools that the caller runs. https://docs.anthropic.com/en/api/messages

Editions `messages`, `strict`, which asks for `strict: true` (anthropic-sdk-python 2.14.0, types/tool_param.py, checked
2026-11-29), and `managed-agents` (2.14.0, types/beta/beta_managed_agents_custom_tool_params.py and the events of
types/beta/sessions, checked 2026-11-29), whose tools have to be named. Worth knowing:
- `input_schema` is JSON Schema 2020-12 with an object at its root, and no combinator there.
- A strict tool's objects are closed, but may have optional properties; if a schema cannot be written in that form
  without rejecting more, the tool is not strict.
- The service accepts names of up to 128 characters, and a tool that stays in its edition keeps such a name. In
  conversions to `messages` and `strict` from other formats and editions, names are shortened to 64 characters (TB501),
  because older and compatible services accept no more; `check` and `fix` want no more for the same reason.
- The service rejects unknown fields; new ones appear with every release, so they are kept within the family.
- The service knows no hints. Those of MCP in `annotations` are an unknown field, whose loss is that of hints (TB601).
- `allowed_callers` names the tool that runs code, with its version; others have one word for it (`formats/callers.py`).
- Tools with another `type` than custom (web_search_20250305, bash_20250124 ...) are specific to Anthropic.
- The tools of an `mcp_toolset` that lists them are tools of an MCP server, read by `messages`. They keep their server
  in the toolkit; its `configs` and `default_config`, which may disable tools, have no counterpart.
- The service refuses a failed result that shows anything but text, so one with a picture says in words that it failed.
- It refuses texts without a word, so they are left out of a result (TB101); a result of nothing else has no content.
- Custom tools of managed agents have names of up to 128 characters, a description and nothing more; 256 tools at most.
  Their calls and results are events of a session (`agent.custom_tool_use`, `user.custom_tool_result`).
"""

from __future__ import annotations

from typing import Any

from ...mapping import (
    Budgets,
    Format,
    Row,
    Table,
    constant,
    kinds_from,
    messages_from,
    settle_marker,
    stream_from,
)
from ...schema import Dialect
from ..dialects import ANTHROPIC, ANTHROPIC_STRICT
from ..function_tools import strict_mismatch
from . import tools

# formats


def _edition(edition: str, summary: str, dialect: Dialect, *rows: Row, **more: Any) -> Format:
    return Format(
        id=f"anthropic@{edition}",
        summary=summary,
        spec="https://docs.anthropic.com/en/api/messages",
        dialect=dialect,
        budgets=Budgets(strict_tools=20, optional_parameters=24, union_parameters=16),  # the facts are in the dialect
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "KINDS"),
        replies=("/content",),
        stream=stream_from(f"{__name__}.stream", "AnthropicEvents"),
        tool=Table(
            tools.AnthropicTool,
            *rows,
            after_read=tools.note_hints,
            check=tools.check,
            repair=tools.repair,
            dialect="2020-12",
            free=("name", "description"),
        ),
        names=tools.TOOL_NAME,
        envelope=tools.REQUEST,
        wrap="/tools",
        hosted=tools.hosted,
        **more,
    )


FORMATS = (
    Format(
        id="anthropic@managed-agents",
        summary="Anthropic managed agents, custom tools",
        spec="https://platform.claude.com/docs/en/managed-agents/tools",
        dialect=ANTHROPIC,
        messages=messages_from(f"{__name__}.managed_agents", "CALLS", "RESULTS"),
        replies=("/data",),
        stream=stream_from(f"{__name__}.stream", "ManagedAgentsEvents"),
        tool=Table(
            tools.ManagedAgentsTool,
            *tools.MANAGED_AGENTS_TOOL,
            after_read=settle_marker("/type", "name"),
            check=tools.check,
            repair=tools.repair,
            invent={"/type": constant("custom")},
            dialect="2020-12",
            free=("name", "description"),
        ),
        aliases=("managed-agents",),
        names=tools.ACCEPTED_TOOL_NAME,
        envelope=tools.AGENT,
        wrap="/tools",
        hosted=tools.hosted,
        contradictions=constant(1),  # a tool of Messages may say all of this as well
        max_tools=256,  # anthropic 2.14.0, types/beta/agent_create_params.py, checked 2026-11-29
    ),
    _edition(
        "strict",
        "Anthropic Messages, tools with strict: true",
        ANTHROPIC_STRICT,
        *tools.STRICT_TOOL,
        aliases=("anthropic-strict",),
        contradictions=strict_mismatch("/strict", expected=True),
    ),
    _edition(
        "messages",
        "Anthropic Messages, tools",
        ANTHROPIC,
        *tools.MESSAGES_TOOL,
        aliases=("claude", "anthropic-messages"),
        contradictions=strict_mismatch("/strict", expected=False),
        group=tools.TOOLSET,
        context=tools.context,
        disabled=tools.disabled,
    ),
)
