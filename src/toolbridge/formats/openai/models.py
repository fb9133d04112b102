"""The documents of OpenAI's APIs as its specification types them, as leniently as they are read."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field

from ...wire import Wire
from .values import RULE

Name = Annotated[str, Meta(extra_json_schema={"pattern": RULE.pattern})]
"""The name of a function. What circulates has dots too, so reading does not enforce it."""

Parameters = Annotated[dict[str, Any], Meta(extra_json_schema={"properties": {"type": {"const": "object"}}})]
"""JSON Schema of the arguments; left out, the function has none."""


class Function(Wire, kw_only=True, omit_defaults=True):
    """A function as the deprecated `functions` of a request list it."""

    name: Name
    description: str | UnsetType = UNSET
    parameters: Parameters | UnsetType = UNSET


class ChatFunction(Wire, kw_only=True, omit_defaults=True):
    """A function of Chat Completions."""

    name: Name
    description: str | UnsetType = UNSET
    parameters: Parameters | UnsetType = UNSET
    strict: bool | UnsetType | None = UNSET


class ChatTool(Wire, kw_only=True, omit_defaults=True):
    """A tool of Chat Completions, and of Assistants."""

    type: Literal["function"]
    function: ChatFunction


class ResponsesTool(Wire, kw_only=True, omit_defaults=True):
    """A function of Responses. Parameters and strict are required there, and left out by many all the same.

    Realtime has the same shape without strict. `output_schema` describes the JSON in a text that the tool gives back;
    `asynchronous` is spelled `async`.
    """

    type: Literal["function"]
    name: Name
    description: str | UnsetType | None = UNSET
    parameters: Parameters | UnsetType | None = UNSET
    strict: bool | UnsetType | None = UNSET
    output_schema: dict[str, Any] | UnsetType | None = UNSET
    defer_loading: bool | UnsetType = UNSET
    allowed_callers: list[Literal["direct", "programmatic"]] | UnsetType | None = UNSET
    asynchronous: bool | UnsetType = field(default=UNSET, name="async")


class RequestFrame(Wire, kw_only=True):
    """What stands around the tools in the body of a request: the rest of it, of which tools know nothing."""


class ResponsesFrame(Wire, kw_only=True, omit_defaults=True):
    """What stands around the functions of a request, or of a namespace, which is described too."""

    description: str | UnsetType = UNSET
