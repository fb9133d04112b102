"""A schema with its references written out."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from toolbridge.schema import inline

Notes = list[tuple[str, str, str | None]]


def written(schema: dict[str, Any], **options: Any) -> tuple[dict[str, Any], Notes]:
    """The schema, which is not changed, without references, and what was noted."""
    before = deepcopy(schema)
    notes: Notes = []
    out = inline(schema, lambda *it: notes.append(it), **options)
    assert schema == before
    return out, notes
