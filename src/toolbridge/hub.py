"""The hub: what two families can say of a tool, a call or a result. All formats meet here, and only here."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeGuard, TypeVar

from msgspec import UNSET, Struct, UnsetType

Json: TypeAlias = Any
"""A JSON value: dict with string keys, list, str, int, float, bool or None."""

JsonObject: TypeAlias = dict[str, Any]

Schema: TypeAlias = JsonObject
"""A JSON Schema as its source wrote it."""

T = TypeVar("T")
Maybe: TypeAlias = T | UnsetType
"""Absent is not null is not false: UNSET where the source says nothing."""


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Json]]:
    """Whether a JSON value is a list."""
    return isinstance(value, list)


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
    """A call of a tool: `arguments` is the object that the model gave, or the text that was no JSON object."""

    name: str
    id: Maybe[str | int] = UNSET
    arguments: Maybe[JsonObject | str] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET


class Result(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a tool gave back: `content` to read, `data` for programs, `failed` and `problem` when it did not work."""

    id: Maybe[str | int] = UNSET
    content: Maybe[list[JsonObject]] = UNSET
    data: Maybe[Json] = UNSET
    failed: Maybe[bool] = UNSET
    problem: Maybe[JsonObject] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET
