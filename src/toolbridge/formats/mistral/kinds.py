"""Choices of tools in the requests of Mistral.

mistralai 3.7.0 (client/models/toolchoice.py, toolchoiceenum.py, chatcompletionrequest.py, createresponserequest.py),
checked 2026-11-23, and completionargs.py, checked 2026-11-28. The default is auto; in the chat `any` and `required`
mean the same. In conversations no tool can be named.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, UnsetType

from ...mapping import PARALLEL, ChoiceWords, Kinds, RequestMembers, Wire, choice_shape, local
from ..openai.tools import RULE

# models


class CompletionArguments(Wire, kw_only=True):
    """What a conversation says of the completions in it."""

    tool_choice: str | UnsetType | None = UNSET
    stop: Any = UNSET
    presence_penalty: Any = UNSET
    frequency_penalty: Any = UNSET
    temperature: Any = UNSET
    top_p: Any = UNSET
    max_tokens: Any = UNSET
    random_seed: Any = UNSET
    prediction: Any = UNSET
    response_format: Any = UNSET
    reasoning_effort: Any = UNSET


class ConversationMembers(Wire, kw_only=True):
    """The member of a request for a conversation that chooses among its tools."""

    completion_args: CompletionArguments | UnsetType | None = UNSET


# values

WORDS: Final = ChoiceWords(
    modes={"auto": "auto", "any": "any", "none": "none"},
    more=(("any", "required"),),
    named=(({"type": "function"}, "/function/name"), ({}, "/function/name")),
    rule=RULE,
)

RESPONSES_WORDS: Final = ChoiceWords(
    modes={"auto": "auto", "any": "required", "none": "none"}, named=(({"type": "function"}, "/name"),), rule=RULE
)

CONVERSATIONS_WORDS: Final = ChoiceWords(modes=WORDS.modes, more=WORDS.more)

# formats

KINDS: Final[Kinds] = {"choice": (choice_shape(RequestMembers, "/tool_choice", WORDS, PARALLEL),)}
RESPONSES: Final[Kinds] = {"choice": (choice_shape(RequestMembers, "/tool_choice", RESPONSES_WORDS, PARALLEL),)}
CONVERSATIONS: Final[Kinds] = {
    "choice": (
        choice_shape(
            ConversationMembers,
            "/completion_args/tool_choice",
            CONVERSATIONS_WORDS,
            *(
                local(f"/completion_args/{member}")
                for member in CompletionArguments.__struct_encode_fields__
                if member != "tool_choice"
            ),
        ),
    )
}
