"""Calls of Cohere's models and the results that they get: text, and documents that can be cited."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from ...data.types import Json, JsonObject, is_object
from ...mapping import (
    Blocks,
    Codec,
    Part,
    Record,
    Result,
    Shape,
    Table,
    Wire,
    has_object,
    has_type,
    id_codec,
    identity,
    invent_id,
    local,
    row,
    write_name,
)
from ..openai import messages as openai
from ..openai.content import as_text_block
from .tools import RULE

# models


class CohereToolMessage(Wire, kw_only=True):
    """The result of a tool."""

    role: Literal["tool"]
    tool_call_id: str
    content: str | list[dict[str, Any]]


class Document(Wire, kw_only=True):
    """An object with an id by which it is cited; the guides also pass it as JSON text."""

    id: str | UnsetType | None = UNSET
    data: dict[str, Any] | str


class DocumentContent(Wire, kw_only=True):
    """A document in the result of a tool."""

    type: Literal["document"]
    document: Document


# values


def _read_data(value: JsonObject | str, _: Record) -> Json:
    """The object that JSON text contains; other text unchanged."""
    if isinstance(value, str):
        from ...data.json_text import json_in

        parsed, has_duplicates = json_in(value)
        return parsed if is_object(parsed) and not has_duplicates else value
    return value


# tables

_DOCUMENT = openai.block(
    DocumentContent,
    "json",
    "document",
    row("/document/data", "value", Codec(_read_data, identity), required=True),
    local("/document/id"),
)
CONTENT = Blocks(
    "cohere", Part("text", openai.TEXT, has_type("text")), Part("json", _DOCUMENT, has_type("document"), has_object)
)

CALL = (
    *(row("/id", "id", id_codec(), required=True, invent=invent_id()), openai.CALL_TYPE),
    *(row("/function/name", "name", write_name(RULE), required=True), openai.ARGUMENTS),
)
MESSAGE = (
    *(openai.ROLE, row("/tool_call_id", "id", id_codec(), required=True, invent=invent_id())),
    as_text_block("/content", CONTENT),
)

# formats

CALLS = (openai.chat_call(openai.ChatCall, *CALL),)
RESULTS = (Shape(name="message", table=Table(CohereToolMessage, *MESSAGE, of=Result), matches=openai.is_tool_message),)
