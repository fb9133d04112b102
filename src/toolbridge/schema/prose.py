"""Constraints in the prose of a description: one fixed line that can be read back."""

from __future__ import annotations

from typing import Any

from .dialect import Dialect


def unprose(schema: Any, dialect: Dialect) -> Any:  # noqa: ARG001
    """The schema with the constraints that its descriptions tell for want of a keyword."""
    return schema
