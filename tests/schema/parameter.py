"""One parameter of a tool, and what becomes of it in a dialect."""

from __future__ import annotations

import copy
from typing import Any

from schema.generated_schemas import fitted
from toolbridge.formats.dialects import ANTHROPIC_STRICT, DIALECTS, OPENAI_STRICT
from toolbridge.schema import lint
from toolbridge.schema.dialect import Dialect

Json = Any
Noted = set[tuple[str, str]]

STRING: Json = {"type": "string"}
CLOSED: Json = {"type": "object", "properties": {"a": STRING}, "required": ["a"], "additionalProperties": False}

OPEN = tuple(dialect for dialect in DIALECTS if dialect.keywords is None)
LISTED = tuple(dialect for dialect in DIALECTS if dialect.keywords is not None)
STRICT = (OPENAI_STRICT, ANTHROPIC_STRICT)


def p(schema: Json, **root: Json) -> dict[str, Json]:
    """One parameter, required, and nothing beside it but this at the root (None: without that keyword)."""
    whole = {"type": "object", "properties": {"p": schema}, "required": ["p"], "additionalProperties": False} | root
    return {key: value for key, value in whole.items() if value is not None}


def at_p(schema: Json, dialect: Dialect, *, prose: bool = False, **root: Json) -> tuple[Json, Noted]:
    """What becomes of a parameter; notes of the object around it left out."""
    whole = p(schema, **root)
    before = copy.deepcopy(whole)
    fit, notes = fitted(whole, dialect, prose=prose)
    assert whole == before
    assert lint(fit.schema, fit.dialect) == []
    return fit.schema["properties"]["p"], {
        (code, source.removeprefix("/properties/p")) for code, source, _ in notes if source != "/additionalProperties"
    }
