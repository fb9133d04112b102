"""Mistral: tools in the words of OpenAI's Chat Completions. https://docs.mistral.ai/capabilities/function_calling

Edition `chat` (mistralai 3.7.0, checked 2026-11-21). Worth knowing:
- `type` may be left out; a tool of no type is a function.
- `parameters` are required, even of a function that has none.
- No rules for schemas are documented, nor what `strict` asks of them: it is said where OpenAI's rules are kept.
- Names have at most 64 letters, digits, `_` and `-`, ids of calls just nine letters and digits (the service's errors).
- Arguments come as JSON text or as an object. Nothing says that a tool failed: the text does.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from ...fitting import spoken
from ...format import Format
from ...forms import later
from ...hub import JsonObject
from ...naming import described, named
from ...row import local, row
from ...schema.dialects import PLAIN
from ...table import Table
from ...wire import Wire
from .. import openai
from ..openai.models import Name, Parameters, RequestFrame
from ..openai.values import RULE, is_strict, names

# models


class MistralFunction(Wire, kw_only=True, omit_defaults=True):
    """A function of Mistral."""

    name: Name
    description: str | UnsetType = UNSET
    parameters: Parameters
    strict: bool | UnsetType = UNSET


class MistralTool(Wire, kw_only=True, omit_defaults=True):
    """A tool of Mistral's chat completions."""

    type: Literal["function"] | UnsetType = UNSET
    function: MistralFunction


# values


def _strict(document: JsonObject) -> int:
    """One where the function is strict, which is OpenAI's word first."""
    return int(is_strict(document, "/function/strict"))


# tables

TYPE = local("/type", default="function")
TOOL = (
    TYPE,
    row("/function/name", "name", named(RULE), must=True),
    row("/function/description", "description", described(None)),
    row("/function/parameters", "input", spoken(PLAIN), must=True),
    openai.CHAT_LOOSE,
)

# formats

FORMATS = (
    Format(
        id="mistral@chat",
        summary="Mistral, chat completions",
        spec="https://docs.mistral.ai/capabilities/function_calling",
        dialect=PLAIN,
        tool=openai.table(MistralTool, TOOL, PLAIN),
        traffic=later(f"{__name__}.traffic", "CALLS", "RESULTS"),
        replies=("/choices/0/message/tool_calls", "/message/tool_calls", "/tool_calls"),
        names=RULE,
        envelope=Table(RequestFrame),
        wrap="/tools",
        tell=_strict,
        problems=names(RULE, "/function/name"),
    ),
)
