"""Calls and results as the API types them. Proto JSON takes each name in camel case and snake case, and writes camel.

google-genai 3.4.0, types.FunctionCall, FunctionResponse and FunctionResponsePart, checked 2026-11-21.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType, field

from ...wire import Wire
from .models import Name


class FunctionCall(Wire, kw_only=True, omit_defaults=True):
    """A call of a function. What `willContinue` tells to go on has more arguments in later messages."""

    id: str | UnsetType | None = UNSET
    name: Name
    args: dict[str, Any] | UnsetType | None = UNSET
    partial_args: list[dict[str, Any]] | UnsetType | None = field(default=UNSET, name="partialArgs")
    will_continue: bool | UnsetType | None = field(default=UNSET, name="willContinue")


class FunctionCallPart(Wire, kw_only=True, omit_defaults=True):
    """A part of a model's answer. Its signature has to be sent back with it."""

    function_call: FunctionCall = field(name="functionCall")
    thought_signature: str | UnsetType | None = field(default=UNSET, name="thoughtSignature")


class FunctionCallSnakePart(Wire, kw_only=True, omit_defaults=True):
    """The same in snake case."""

    function_call: FunctionCall
    thought_signature: str | UnsetType | None = UNSET


class FunctionResponse(Wire, kw_only=True, omit_defaults=True):
    """What came of a call. `willContinue` and `scheduling` are for functions that do not block."""

    id: str | UnsetType | None = UNSET
    name: Name
    response: dict[str, Any] | UnsetType | None = UNSET
    parts: list[dict[str, Any]] | UnsetType | None = UNSET
    will_continue: bool | UnsetType | None = field(default=UNSET, name="willContinue")
    scheduling: str | UnsetType | None = UNSET


class FunctionResponsePart(Wire, kw_only=True):
    """A part of a message to the model."""

    function_response: FunctionResponse = field(name="functionResponse")


class FunctionResponseSnakePart(Wire, kw_only=True):
    """The same in snake case."""

    function_response: FunctionResponse


class Blob(Wire, kw_only=True, omit_defaults=True):
    """Media of this type, as base64."""

    mime_type: str = field(name="mimeType")
    data: str
    display_name: str | UnsetType | None = field(default=UNSET, name="displayName")


class InlinePart(Wire, kw_only=True):
    """Media in a result."""

    inline_data: Blob = field(name="inlineData")


class SnakeBlob(Wire, kw_only=True, omit_defaults=True):
    """Media in snake case."""

    mime_type: str
    data: str
    display_name: str | UnsetType | None = UNSET


class InlineSnakePart(Wire, kw_only=True):
    """Media in a result, in snake case."""

    inline_data: SnakeBlob


class FileData(Wire, kw_only=True, omit_defaults=True):
    """Where media of this type are."""

    mime_type: str | UnsetType | None = field(default=UNSET, name="mimeType")
    file_uri: str = field(name="fileUri")
    display_name: str | UnsetType | None = field(default=UNSET, name="displayName")


class FilePart(Wire, kw_only=True):
    """Media of a result elsewhere."""

    file_data: FileData = field(name="fileData")


class SnakeFileData(Wire, kw_only=True, omit_defaults=True):
    """Where media are, in snake case."""

    mime_type: str | UnsetType | None = UNSET
    file_uri: str
    display_name: str | UnsetType | None = UNSET


class FileSnakePart(Wire, kw_only=True):
    """Media of a result elsewhere, in snake case."""

    file_data: SnakeFileData
