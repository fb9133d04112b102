"""The options of a conversion."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import UNSET, UnsetType

from ..limits import LIMITS, Limits
from ..schema import OPTIONS, Options


def schema_options(
    *, prose: bool, unroll: int, description: int | UnsetType | None, limits: Limits = LIMITS
) -> Options:
    """How schemas are written. Raises ValueError for what is no such way."""
    if prose and unroll == 1 and description is UNSET and limits is LIMITS:
        return OPTIONS
    for name, value in (("unroll", unroll), ("description", description)):
        if isinstance(value, int) and value < 0:
            raise ValueError(f"{name} is not negative, found {value}")
    return Options(prose=prose, unroll=unroll, description=description, limits=limits)


OnError: TypeAlias = Literal["raise", "skip"]
