"""Choices of tools in the requests of Anthropic.

anthropic-sdk-python 2.14.0 (types/tool_choice_*_param.py), checked 2026-11-29. The default is auto. The flag for at
most one call stands in the choice, but for none.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, UnsetType

from ...mapping import ChoiceWords, Kinds, Wire, choice_shape
from .tools import TOOL_NAME

# models


class ToolChoiceMembers(Wire, kw_only=True):
    """The member of a request that chooses among its tools."""

    tool_choice: dict[str, Any] | UnsetType = UNSET


# values

WORDS: Final = ChoiceWords(
    modes={"auto": {"type": "auto"}, "any": {"type": "any"}, "none": {"type": "none"}},
    named=(({"type": "tool"}, "/name"),),
    single="/disable_parallel_tool_use",
    rule=TOOL_NAME,
)

# formats

KINDS: Final[Kinds] = {"choice": (choice_shape(ToolChoiceMembers, "/tool_choice", WORDS),)}
