"""Choices of tools in the requests of Gemini, in both spellings.

google-genai 3.4.0 (types.FunctionCallingConfig; for the Interactions API _gaos/types/interactions/toolchoicetype.py,
toolchoiceconfig.py) and the reference of the API, checked 2026-11-23. The default is AUTO.
VALIDATED is AUTO with arguments that fit their schemas; like ANY, and unlike AUTO and NONE, it may name the functions
that are allowed (types.FunctionCallingConfig of google-genai 3.4.0 and the reference of the API, checked 2026-11-25).
There is no flag for at most one call. In `allowed_tools` of the Interactions API neither the mode nor the tools are
required (_gaos/types/interactions/allowedtools.py); an unspecified mode is AUTO there as it is in FunctionCallingConfig
("If unspecified, the default value will be set to AUTO", reference of the API, checked 2026-11-27).
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, UnsetType, field

from ...mapping import ChoiceWords, Kinds, Listing, Wire, choice_shape, local
from .tools import RULE, in_snake_case

# models


class ToolConfiguration(Wire, kw_only=True, rename="camel"):
    """The configuration of the tools of a request."""

    function_calling_config: dict[str, Any] | UnsetType | None = UNSET
    retrieval_config: dict[str, Any] | UnsetType | None = UNSET
    include_server_side_tool_invocations: bool | UnsetType | None = UNSET


class ToolConfigurationMembers(Wire, kw_only=True):
    """The member of a request that configures its tools."""

    tool_config: ToolConfiguration | UnsetType | None = field(default=UNSET, name="toolConfig")


SnakeConfiguration = in_snake_case(ToolConfiguration, "SnakeConfiguration")
SnakeConfigurationMembers = in_snake_case(
    ToolConfigurationMembers, "SnakeConfigurationMembers", tool_config=SnakeConfiguration | UnsetType | None
)


class GenerationConfiguration(Wire, kw_only=True):
    """The configuration of a response in the Interactions API."""

    tool_choice: str | dict[str, Any] | UnsetType | None = UNSET


class GenerationConfigurationMembers(Wire, kw_only=True):
    """The member of a request to the Interactions API that configures the response."""

    generation_config: GenerationConfiguration | UnsetType = UNSET


# values

_MODES: Final = ("auto", "any", "none", "validated")


def _words(*names: str) -> ChoiceWords:
    """The words: `names` are the places of the functions that are allowed, the spelling that is written first."""
    modes: dict[str, Any] = {mode: {"mode": mode.upper()} for mode in _MODES}
    # Google's SDKs for Python take the words in any case (google-genai 3.6.1, types.FunctionCallingConfigMode, checked
    # 2026-11-29).
    lower: dict[str, Any] = {mode: {"mode": mode} for mode in _MODES}
    return ChoiceWords(
        modes=modes,
        more=((None, {"mode": "MODE_UNSPECIFIED"}), (None, {"mode": None}), *lower.items()),
        listed=(
            *(Listing(mode, modes[mode], place) for mode in ("any", "validated", "none") for place in names),
            # Where only some functions may be called, AUTO is not allowed.
            *(Listing("auto", modes[mode], place) for mode in ("validated", "auto") for place in names),
            *(Listing(mode, lower[mode], place) for mode in _MODES for place in names),
            *(Listing("auto", {"mode": word}, place) for word in ("MODE_UNSPECIFIED", None, UNSET) for place in names),
        ),
        optional=frozenset(("streamFunctionCallArguments", "stream_function_call_arguments")),
        rule=RULE,
        restrictable=frozenset(("any", "validated")),
    )


# formats

KINDS: Final[Kinds] = {
    "choice": (
        choice_shape(
            ToolConfigurationMembers,
            "/toolConfig/functionCallingConfig",
            _words("/allowedFunctionNames", "/allowed_function_names"),
            local("/toolConfig/retrievalConfig"),
            local("/toolConfig/includeServerSideToolInvocations"),
        ),
        choice_shape(
            SnakeConfigurationMembers,
            "/tool_config/function_calling_config",
            _words("/allowed_function_names", "/allowedFunctionNames"),
            local("/tool_config/retrieval_config"),
            local("/tool_config/include_server_side_tool_invocations"),
            name="snake",
            written=False,
        ),
    )
}

_WORDS: Final = {mode: mode for mode in _MODES}


def _allowed(mode: str, word: str | UnsetType | None) -> Listing:
    return Listing(mode, {"allowed_tools": {"mode": word}}, "/allowed_tools/tools")


INTERACTIONS: Final[Kinds] = {
    "choice": (
        choice_shape(
            GenerationConfigurationMembers,
            "/generation_config/tool_choice",
            ChoiceWords(
                modes=_WORDS,
                more=tuple((mode, {"allowed_tools": {"mode": mode}}) for mode in _WORDS),
                listed=(
                    *(_allowed(mode, mode) for mode in ("any", "validated", "none")),
                    *(_allowed("auto", word) for word in ("validated", "auto", None, UNSET)),
                ),
                rule=RULE,
            ),
        ),
    )
}
