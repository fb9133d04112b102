"""A schema with its references written out."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from toolbridge.limits import LIMITS, Limits
from toolbridge.schema import Options, inline

Notes = list[tuple[str, str, str | None]]


def written(schema: dict[str, Any], limits: Limits = LIMITS) -> tuple[dict[str, Any], Notes]:
    """The schema, which is not changed, without references, and what was noted."""
    before = deepcopy(schema)
    notes: Notes = []
    out = inline(schema, lambda *it: notes.append(it), Options(prose=False, unroll=0, limits=limits))
    assert schema == before
    return out, notes
