"""The hub: what at least two families can say of a tool, a call or a result. All formats meet here, and only here."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypeVar

from msgspec import UNSET, Struct, UnsetType

from .data.types import Json, JsonObject, Schema

T = TypeVar("T")

Maybe: TypeAlias = T | UnsetType
"""Absent is not null is not false: UNSET where the source says nothing."""


class Hints(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a tool may do to the world, as its author claims: each true, false or unsaid. Never a guarantee."""

    read_only: Maybe[bool] = UNSET
    destructive: Maybe[bool] = UNSET
    idempotent: Maybe[bool] = UNSET
    open_world: Maybe[bool] = UNSET


class Requirements(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a caller must bring besides arguments.

    `authorization`: list of `{"id": provider, "oauth2": {"scopes": [...]}}`; `secrets`: list of `{"id": name}`;
    `user_id`: whether the tool must know the user.
    """

    authorization: Maybe[list[JsonObject]] = UNSET
    secrets: Maybe[list[JsonObject]] = UNSET
    user_id: Maybe[bool] = UNSET


class Tool(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tool description. `local` holds, by family and JSON Pointer, what only that family says."""

    name: str
    toolkit: Maybe[str] = UNSET
    version: Maybe[str] = UNSET
    title: Maybe[str] = UNSET
    description: Maybe[str] = UNSET
    input: Maybe[Schema] = UNSET
    output: Maybe[Schema | None] = UNSET
    hints: Maybe[Hints] = UNSET
    strict: Maybe[bool] = UNSET
    requirements: Maybe[Requirements] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET


class Call(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call of a tool: `arguments` is the object that the model gave, or the text that was no JSON object.

    `user` is for whom it is made, as far as the source says that.
    """

    name: str
    toolkit: Maybe[str] = UNSET
    version: Maybe[str] = UNSET
    id: Maybe[str | int] = UNSET
    arguments: Maybe[JsonObject | str] = UNSET
    user: Maybe[str] = UNSET
    meta: Maybe[JsonObject] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET


class Block(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of what a tool gave back.

    `kind` is `"text"`, `"image"`, `"audio"`, `"video"`, `"file"` (a document with its content), `"link"` (one without),
    `"json"` or `"other"`. `data` is base64, `address` a URI, `mime` a media type, `size` bytes.
    """

    kind: str
    text: Maybe[str] = UNSET
    data: Maybe[str] = UNSET
    value: Maybe[Json] = UNSET
    address: Maybe[str] = UNSET
    mime: Maybe[str] = UNSET
    name: Maybe[str] = UNSET
    title: Maybe[str] = UNSET
    description: Maybe[str] = UNSET
    size: Maybe[int] = UNSET
    audience: Maybe[list[str]] = UNSET
    priority: Maybe[float] = UNSET
    modified: Maybe[str] = UNSET
    meta: Maybe[JsonObject] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET


class Trouble(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a tool failed. `prompt` is what a model should read besides; `developer` is for people only."""

    message: Maybe[str] = UNSET
    developer: Maybe[str] = UNSET
    prompt: Maybe[str] = UNSET
    can_retry: Maybe[bool] = UNSET
    retry_after_ms: Maybe[int] = UNSET
    kind: Maybe[str] = UNSET
    status: Maybe[int] = UNSET


class Result(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a tool gave back: `content` to read, `data` for programs, `failed` and `problem` when it did not work.

    `name` is that of the tool, `duration` in milliseconds.
    """

    id: Maybe[str | int] = UNSET
    name: Maybe[str] = UNSET
    content: Maybe[list[Block]] = UNSET
    data: Maybe[Json] = UNSET
    failed: Maybe[bool] = UNSET
    problem: Maybe[Trouble] = UNSET
    duration: Maybe[float] = UNSET
    meta: Maybe[JsonObject] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET


Kind: TypeAlias = Literal["tool", "call", "result"]
"""What a document describes: a tool, a call of one, or what came of it."""
