"""Calls of OpenAI's models and their results as its APIs type them, as leniently as they are read.

Compatible services leave out what OpenAI demands: the id of a call, its type, arguments for a function that has none.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType, field

from ...wire import Wire


class CalledFunction(Wire, kw_only=True, omit_defaults=True):
    """Which function the model calls; `arguments` is JSON text, which need not be valid."""

    name: str
    arguments: str | UnsetType | None = UNSET


class ChatCall(Wire, kw_only=True, omit_defaults=True):
    """An item of `tool_calls` in a message of Chat Completions."""

    id: str | UnsetType | None = UNSET
    type: Literal["function"] | UnsetType | None = UNSET
    function: CalledFunction


class IndexedChatCall(ChatCall, kw_only=True, omit_defaults=True):
    """The same, put together from a stream: each piece says of which call it is a part."""

    index: int | UnsetType | None = UNSET


class CalledCustom(Wire, kw_only=True):
    """Which custom tool the model calls; its input is any text."""

    name: str
    input: str


class ChatCustomCall(Wire, kw_only=True, omit_defaults=True):
    """An item of `tool_calls` that calls a custom tool."""

    id: str | UnsetType | None = UNSET
    type: Literal["custom"]
    custom: CalledCustom


class FunctionCall(Wire, kw_only=True):
    """The deprecated `function_call` of a message."""

    name: str
    arguments: str


class _Item(Wire, kw_only=True, omit_defaults=True):
    id: str | UnsetType | None = UNSET
    status: Literal["in_progress", "completed", "incomplete"] | UnsetType | None = UNSET
    namespace: str | UnsetType | None = UNSET
    caller: dict[str, Any] | UnsetType | None = UNSET
    asynchronous: bool | UnsetType | None = field(default=UNSET, name="async")
    created_by: str | UnsetType | None = UNSET


class ResponsesCall(_Item, kw_only=True, omit_defaults=True):
    """An item of Responses that calls a function. `id` is that of the item; its result names `call_id`."""

    type: Literal["function_call"]
    call_id: str
    name: str
    arguments: str


class ResponsesCustomCall(_Item, kw_only=True, omit_defaults=True):
    """An item of Responses that calls a custom tool, whose input is any text."""

    type: Literal["custom_tool_call"]
    call_id: str
    name: str
    input: str


class ToolMessage(Wire, kw_only=True, omit_defaults=True):
    """What a tool gave back, as a message of Chat Completions. The name is no part of OpenAI's any more."""

    role: Literal["tool"]
    tool_call_id: str | UnsetType | None = UNSET
    content: str | list[dict[str, Any]] | None
    name: str | UnsetType | None = UNSET


class FunctionMessage(Wire, kw_only=True):
    """What a function gave back, as the deprecated message."""

    role: Literal["function"]
    name: str
    content: str | None


class CallOutput(Wire, kw_only=True, omit_defaults=True):
    """What a function gave back, as an item of Responses."""

    type: Literal["function_call_output"]
    call_id: str | UnsetType | None = UNSET
    output: str | list[dict[str, Any]]
    id: str | UnsetType | None = UNSET
    status: Literal["in_progress", "completed", "incomplete"] | UnsetType | None = UNSET
    name: str | UnsetType | None = UNSET
    namespace: str | UnsetType | None = UNSET
    caller: dict[str, Any] | UnsetType | None = UNSET
    created_by: str | UnsetType | None = UNSET


class CustomCallOutput(Wire, kw_only=True, omit_defaults=True):
    """What a custom tool gave back, as an item of Responses."""

    type: Literal["custom_tool_call_output"]
    call_id: str
    output: str | list[dict[str, Any]]
    id: str | UnsetType | None = UNSET
    status: Literal["in_progress", "completed", "incomplete"] | UnsetType | None = UNSET
    caller: dict[str, Any] | UnsetType | None = UNSET
    created_by: str | UnsetType | None = UNSET


class TextPart(Wire, kw_only=True, omit_defaults=True):
    """Text of a message."""

    type: Literal["text"]
    text: str
    prompt_cache_breakpoint: dict[str, Any] | UnsetType | None = UNSET


class InputText(Wire, kw_only=True, omit_defaults=True):
    """Text for a model of Responses."""

    type: Literal["input_text"]
    text: str
    prompt_cache_breakpoint: dict[str, Any] | UnsetType | None = UNSET


class InputImage(Wire, kw_only=True, omit_defaults=True):
    """A picture for a model of Responses: at a URL, in a data URL, or uploaded before."""

    type: Literal["input_image"]
    image_url: str | UnsetType | None = UNSET
    file_id: str | UnsetType | None = UNSET
    detail: str | UnsetType | None = UNSET
    prompt_cache_breakpoint: dict[str, Any] | UnsetType | None = UNSET


class InputFile(Wire, kw_only=True, omit_defaults=True):
    """A file for a model of Responses: in a data URL, at a URL, or uploaded before."""

    type: Literal["input_file"]
    file_data: str | UnsetType | None = UNSET
    file_url: str | UnsetType | None = UNSET
    file_id: str | UnsetType | None = UNSET
    filename: str | UnsetType | None = UNSET
    detail: str | UnsetType | None = UNSET
    prompt_cache_breakpoint: dict[str, Any] | UnsetType | None = UNSET


class ImageUrl(Wire, kw_only=True, omit_defaults=True):
    """Where a picture is."""

    url: str
    detail: str | UnsetType | None = UNSET


class ImageUrlPart(Wire, kw_only=True):
    """A picture as messages of users have them, which other services take from tools too."""

    type: Literal["image_url"]
    image_url: str | ImageUrl
