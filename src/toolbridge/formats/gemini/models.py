"""Gemini's documents as the API types them. Proto JSON takes a field under either of two names."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from ...wire import Wire
from .values import RULE

Name = Annotated[str, Meta(extra_json_schema={"pattern": RULE.pattern})]


class FunctionDeclaration(Wire, kw_only=True, omit_defaults=True):
    """A function that the caller runs. Null says nothing, as in all proto JSON.

    `parameters` and `response` are in the API's own Schema, the others in JSON Schema; the two exclude each other.
    `behavior` is for the Live API: UNSPECIFIED, BLOCKING or NON_BLOCKING.
    """

    name: Name
    description: str | UnsetType | None = UNSET
    parameters: dict[str, Any] | UnsetType | None = UNSET
    parameters_json_schema: dict[str, Any] | UnsetType | None = field(default=UNSET, name="parametersJsonSchema")
    response: dict[str, Any] | UnsetType | None = UNSET
    response_json_schema: dict[str, Any] | UnsetType | None = field(default=UNSET, name="responseJsonSchema")
    behavior: str | UnsetType | None = UNSET
    parameters_snake: dict[str, Any] | UnsetType | None = field(default=UNSET, name="parameters_json_schema")
    response_snake: dict[str, Any] | UnsetType | None = field(default=UNSET, name="response_json_schema")


class ToolFrame(Wire, kw_only=True):
    """What stands around the functions in a Tool: tools of Google's own."""
