"""Choices of tools in LangChain: the arguments of `bind_tools` beside the tools.

langchain-core 1.8.1 (language_models/chat_models.py) and docs.langchain.com/oss/python/langchain/models, checked
2026-11-23: a word, or the name of a tool. Not all integrations take all words, nor parallel_tool_calls.
"""

from __future__ import annotations

from typing import Final

from msgspec import UNSET, UnsetType

from ...mapping import PARALLEL, ChoiceWords, Kinds, Wire, choice_shape

# models


class ToolChoiceMembers(Wire, kw_only=True):
    """The arguments of `bind_tools` that choose among the tools."""

    tool_choice: str | UnsetType | None = UNSET
    parallel_tool_calls: bool | UnsetType | None = UNSET


# values

WORDS: Final = ChoiceWords(
    modes={"auto": "auto", "any": "any", "none": "none"}, more=(("any", "required"),), named=((None, ""),)
)

# formats

KINDS: Final[Kinds] = {"choice": (choice_shape(ToolChoiceMembers, "/tool_choice", WORDS, PARALLEL),)}
