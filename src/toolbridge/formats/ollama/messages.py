"""Calls of Ollama's models and the results that they get: one text."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from ...mapping import AS_OBJECT, Result, Shape, Table, Wire, id_codec, local, no_arguments, row
from ..openai.content import one
from ..openai.messages import ROLE, chat_call, is_tool_message

# models


class OllamaCalled(Wire, kw_only=True):
    """The function that a model calls, and the index of the call."""

    name: str
    arguments: dict[str, Any] | UnsetType | None = UNSET
    index: int | UnsetType | None = UNSET


class OllamaCall(Wire, kw_only=True):
    """An item of `tool_calls`."""

    function: OllamaCalled
    id: str | UnsetType | None = UNSET


class OllamaToolMessage(Wire, kw_only=True):
    """The result of a tool. Images are base64; the template of a model decides whether it sees them."""

    role: Literal["tool"]
    content: str | UnsetType | None = UNSET
    tool_name: str | UnsetType | None = UNSET
    tool_call_id: str | UnsetType | None = UNSET
    images: list[Any] | UnsetType | None = UNSET


# tables

CALL = (
    *(row("/id", "id", id_codec()), row("/function/name", "name", required=True)),
    row("/function/arguments", "arguments", AS_OBJECT, required=True, invent=no_arguments),
    local("/function/index"),
)
MESSAGE = (
    *(ROLE, one("/content"), row("/tool_name", "name"), row("/tool_call_id", "id", id_codec())),
    local("/images", code="TB701"),
)

# formats

CALLS = (chat_call(OllamaCall, *CALL),)
RESULTS = (Shape(name="message", table=Table(OllamaToolMessage, *MESSAGE, of=Result), matches=is_tool_message),)
