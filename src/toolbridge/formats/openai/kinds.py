"""Choices of tools in the requests of OpenAI, by edition.

openai-python 3.57.0 (types/chat/chat_completion_tool_choice_option_param.py, types/responses/response_create_params.py,
types/chat/completion_create_params.py), checked 2026-11-29. The default is auto. In the deprecated `function_call` no
function can be required but a named one, and a response has one call at most.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, UnsetType

from ...data.types import JsonObject
from ...mapping import PARALLEL, ChoiceWords, Kinds, Listing, RequestMembers, Wire, choice_shape
from . import tools
from .tools import RULE

# models


class FunctionCallMembers(Wire, kw_only=True):
    """The member of a request with `functions`, which chooses among them."""

    function_call: str | dict[str, Any] | UnsetType = UNSET


# values


def hosted(value: JsonObject) -> bool:
    """Whether a value chooses a tool that OpenAI runs; the other words are Anthropic's."""
    return tools.hosted(value) and value["type"] not in ("auto", "any", "none", "tool", "allowed_tools")


MODES: Final = {"auto": "auto", "any": "required", "none": "none"}

_CHAT: Final = {"type": "function"}
_CUSTOM: Final = {"type": "custom"}  # which is a function in other formats

CHAT_WORDS: Final = ChoiceWords(
    modes=MODES,
    named=((_CHAT, "/function/name"), (_CUSTOM, "/custom/name")),
    listed=tuple(
        Listing(
            mode,
            {"type": "allowed_tools", "allowed_tools": {"mode": MODES[mode]}},
            "/allowed_tools/tools",
            _CHAT,
            "/function/name",
        )
        for mode in ("auto", "any")
    ),
    hosted=hosted,
    rule=RULE,
    text=(_CUSTOM, "/custom/name"),
)

RESPONSES_WORDS: Final = ChoiceWords(
    modes=MODES,
    named=((_CHAT, "/name"), (_CUSTOM, "/name")),
    listed=tuple(
        Listing(mode, {"type": "allowed_tools", "mode": MODES[mode]}, "/tools", _CHAT, "/name")
        for mode in ("auto", "any")
    ),
    hosted=hosted,
    rule=RULE,
    text=(_CUSTOM, "/name"),
)

# openai 3.57.0, types/realtime/realtime_tool_choice_config.py, checked 2026-11-30.
REALTIME_WORDS: Final = ChoiceWords(modes=MODES, named=((_CHAT, "/name"),), hosted=hosted, rule=RULE)

FUNCTION_WORDS: Final = ChoiceWords(
    modes={"auto": "auto", "none": "none"}, named=(({}, "/name"),), is_single=True, rule=RULE
)

# formats

CHAT: Final[Kinds] = {"choice": (choice_shape(RequestMembers, "/tool_choice", CHAT_WORDS, PARALLEL),)}
RESPONSES: Final[Kinds] = {"choice": (choice_shape(RequestMembers, "/tool_choice", RESPONSES_WORDS, PARALLEL),)}
REALTIME: Final[Kinds] = {"choice": (choice_shape(RequestMembers, "/tool_choice", REALTIME_WORDS, PARALLEL),)}
FUNCTIONS: Final[Kinds] = {"choice": (choice_shape(FunctionCallMembers, "/function_call", FUNCTION_WORDS),)}
