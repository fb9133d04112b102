"""Ollama: tools in the words of OpenAI's Chat Completions. https://github.com/ollama/ollama/blob/main/docs/api.md

Edition `chat` (ollama/ollama at fb30760, ollama-python 0.6.3, checked 2026-11-21). Worth knowing:
- `type` and `parameters` may be left out.
- No rule for names, and no word for strict functions.
- Of a schema the server keeps a few keywords and forgets the rest, references too, before a model sees it.
- Arguments are an object. Calls have an id since 0.12.10, and need none; results name the tool, and may name the call.
- Nothing says that a tool failed: the text does.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from ..arguments import AS_OBJECT, identified, no_arguments
from ..fitting import spoken
from ..format import Format
from ..forms import Form
from ..naming import described
from ..row import local, row
from ..schema.dialects import OLLAMA
from ..table import Table
from ..wire import Wire
from . import openai
from .mistral import TYPE
from .openai.contents import one
from .openai.models import Parameters, RequestFrame
from .openai.traffic import ROLE, calls, is_chat_call, is_tool_message, results, surely_chat_call

# models


class OllamaFunction(Wire, kw_only=True, omit_defaults=True):
    """A function of Ollama."""

    name: str
    description: str | UnsetType = UNSET
    parameters: Parameters | UnsetType = UNSET


class OllamaTool(Wire, kw_only=True, omit_defaults=True):
    """A tool of Ollama's chat."""

    type: Literal["function"] | UnsetType = UNSET
    function: OllamaFunction


class OllamaCalled(Wire, kw_only=True, omit_defaults=True):
    """Which function a model calls, and as which of several."""

    name: str
    arguments: dict[str, Any] | UnsetType | None = UNSET
    index: int | UnsetType | None = UNSET


class OllamaCall(Wire, kw_only=True, omit_defaults=True):
    """An item of `tool_calls`."""

    function: OllamaCalled
    id: str | UnsetType | None = UNSET


class OllamaToolMessage(Wire, kw_only=True, omit_defaults=True):
    """What a tool gave back. Pictures are base64; whether a template shows them is up to the model's."""

    role: Literal["tool"]
    content: str | UnsetType | None = UNSET
    tool_name: str | UnsetType | None = UNSET
    tool_call_id: str | UnsetType | None = UNSET
    images: list[Any] | UnsetType | None = UNSET


# values

# tables

TOOL = (
    TYPE,
    row("/function/name", "name", must=True),
    row("/function/description", "description", described(None)),
    row("/function/parameters", "input", spoken(OLLAMA), must=True),
)

CALL = (
    *(row("/id", "id", identified()), row("/function/name", "name", must=True)),
    *(row("/function/arguments", "arguments", AS_OBJECT, must=True), local("/function/index")),
)
_TELLS = one("/content")
MESSAGE = (
    *(ROLE, _TELLS.row, row("/tool_name", "name"), row("/tool_call_id", "id", identified())),
    local("/images", code="TB701"),
)

# formats

CALLS = (
    Form(
        name="function",
        table=calls(OllamaCall, *CALL, invent={"/function/arguments": no_arguments}),
        tell=is_chat_call,
        sure=surely_chat_call,
    ),
)
RESULTS = (Form(name="message", table=results(OllamaToolMessage, _TELLS, *MESSAGE), tell=is_tool_message),)

FORMATS = (
    Format(
        id="ollama@chat",
        summary="Ollama, chat",
        spec="https://github.com/ollama/ollama/blob/main/docs/api.md",
        dialect=OLLAMA,
        tool=openai.table(OllamaTool, TOOL, OLLAMA),
        call=CALLS,
        result=RESULTS,
        replies=("/message/tool_calls", "/tool_calls"),
        envelope=Table(RequestFrame),
        wrap="/tools",
    ),
)
