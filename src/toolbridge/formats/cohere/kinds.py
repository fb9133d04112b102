"""Choices of tools in the requests of Cohere.

cohere-python 7.3.1 (v2/types/v2chat_request_tool_choice.py) and https://docs.cohere.com/v2/reference/chat, checked
2026-11-23. The default is auto, for which there is no word; no tool can be named.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import UNSET, UnsetType

from ...mapping import ChoiceWords, Kinds, Wire, choice_shape

# models


class ToolChoiceMembers(Wire, kw_only=True):
    """The member of a request that chooses among its tools."""

    tool_choice: Literal["REQUIRED", "NONE"] | UnsetType | None = UNSET


# values

WORDS: Final = ChoiceWords(modes={"any": "REQUIRED", "none": "NONE"})

# formats

KINDS: Final[Kinds] = {"choice": (choice_shape(ToolChoiceMembers, "/tool_choice", WORDS),)}
