"""Choices of tools in the requests of Bedrock: beside the tools of a `toolConfig`, or in a whole request.

botocore 1.44.8 (ToolChoice in bedrock-runtime/2023-09-30), checked 2026-11-29. The default is auto. No word forbids
calls, and there is no flag for at most one. ToolChoice is a union: botocore refuses more than one member (validate.py,
checked 2026-11-29).
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, UnsetType, field

from ...mapping import ChoiceWords, Kinds, Wire, choice_shape
from .tools import RULE

# models


class ToolChoiceMembers(Wire, kw_only=True, rename="camel"):
    """The member of a toolConfig that chooses among its tools."""

    tool_choice: dict[str, Any] | UnsetType = UNSET


class ToolConfigurationMembers(Wire, kw_only=True):
    """The member of a request that configures its tools."""

    tool_config: ToolChoiceMembers | UnsetType = field(default=UNSET, name="toolConfig")


# values

WORDS: Final = ChoiceWords(
    modes={"auto": {"auto": {}}, "any": {"any": {}}}, named=(({}, "/tool/name"),), rule=RULE, is_union=True
)

# formats

KINDS: Final[Kinds] = {
    "choice": (
        choice_shape(ToolChoiceMembers, "/toolChoice", WORDS, name="member"),
        choice_shape(ToolConfigurationMembers, "/toolConfig/toolChoice", WORDS, written=False),
    )
}
