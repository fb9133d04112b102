"""Constraints as one fixed line at the end of a description, for models to read. Nothing reads them back as schema.

The form is that of Anthropic's SDK, after a blank line: `{minimum: 1, pattern: "^a"}` (lib/_parse/_transform.py,
checked 2026-11-21), with the values as JSON.
"""

from __future__ import annotations

import json
from math import inf
from typing import Any, Final

from .vocabulary import APPLICATORS, CONSTRAINTS

NOTABLE: Final = frozenset({
    "default",
    "format",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentEncoding",
    "contentMediaType",
})
"""Comments that are worth a model's attention."""

_KNOWN: Final = (CONSTRAINTS | APPLICATORS | NOTABLE) - {"type", "properties"}
_MAX_CONSTRAINT: Final = 400
"""How many characters one constraint may take: a model pays for each."""

_CLOSED: Final = "additionalProperties: false"
"""What nearly every schema says, and no model needs to know."""

_text: Final = json.JSONEncoder(ensure_ascii=False).encode


def line(constraints: list[tuple[str, Any]], description: str, most: int | None) -> tuple[str, list[str]] | None:
    """The description with these constraints, and which of them it holds; None where it can hold none.

    `most` is how many characters a description may have.
    """
    parts: list[str] = []
    keys: list[str] = []
    room = inf if most is None else most - len(description) - 4
    for key, value in constraints:
        if key not in _KNOWN:
            continue
        if type(value) is int:  # most bounds are
            part = f"{key}: {value}"
        elif value is None or (part := _part(key, value)) is None:
            continue
        if len(part) > _MAX_CONSTRAINT or len(part) + 2 > room:
            continue
        room -= len(part) + 2
        parts.append(part)
        keys.append(key)
    if not parts:
        return None
    text = f"{{{', '.join(parts)}}}"
    return (f"{description}\n\n{text}" if description else text), keys


def _part(key: str, value: Any) -> str | None:
    """One constraint as it is written; None for what is nothing for people to read."""
    try:
        part = f"{key}: {_text(value)}"
    except (RecursionError, ValueError):  # too deep, or an integer of too many digits
        return None
    return None if part == _CLOSED or '"$ref"' in part else part
