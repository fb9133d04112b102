"""The types of JSON data, and how error messages name a value."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, TypeGuard

Json: TypeAlias = Any
"""A JSON value: dict with string keys, list, str, int, float, bool or None."""

JsonObject: TypeAlias = dict[str, Any]

Schema: TypeAlias = JsonObject
"""A JSON Schema as its source wrote it."""


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Json]]:
    """Whether a JSON value is a list."""
    return isinstance(value, list)


def kind(value: Any) -> str:
    """A JSON value in words, for an error message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"the string {quoted(value)}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and value.bit_length() > _MAX_SHOWN_BITS:
        return "a number of many digits"  # Python refuses to write more than some thousand
    return f"the number {value}"


_MAX_SHOWN_BITS: Final = 200
"""How many bits of an integer an error message has at most."""


def member_kind(value: JsonObject, key: str) -> str:
    """A member of an object in words, for an error message: "nothing" where there is none."""
    return kind(value[key]) if key in value else "nothing"


def quoted(value: Any, most: int = 60) -> str:
    """A string in quotes, the start of a long one, and any other value in words, for an error message."""
    if not isinstance(value, str):
        return kind(value)
    return repr(value if len(value) <= most else value[:most] + "...")


def holds_nothing(value: Json) -> bool:
    """Whether a value is null or an empty text, or a container of nothing else."""
    todo = [value]
    for each in todo:
        if is_object(each):
            todo += each.values()
        elif is_list(each):
            todo += each
        elif each is not None and each != "":
            return False
    return True
