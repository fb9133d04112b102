"""Choices of tools in the requests of Mistral.

mistralai 3.7.0 (client/models/toolchoice.py, toolchoiceenum.py, chatcompletionrequest.py, createresponserequest.py),
checked 2026-11-23. Nothing said is auto; in the chat `any` and `required` mean the same.
"""

from __future__ import annotations

from typing import Final

from ...mapping import PARALLEL, ChoiceWords, Kinds, RequestMembers, choice_shape
from ..openai.tools import RULE

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

# formats

KINDS: Final[Kinds] = {"choice": (choice_shape(RequestMembers, "/tool_choice", WORDS, PARALLEL),)}
RESPONSES: Final[Kinds] = {"choice": (choice_shape(RequestMembers, "/tool_choice", RESPONSES_WORDS, PARALLEL),)}
