"""References written out where they stand."""

from __future__ import annotations

from typing import Any, Final

from .dialect import Dialect
from .fitting import NoteCallback, Options, fit_output
from .references import has_references

_INLINE: Final = Dialect(id="inline", title="JSON Schema 2020-12 without references", references="inline")


def inline(schema: dict[str, Any], note: NoteCallback, options: Options) -> dict[str, Any]:
    """A schema without references and definitions; the very same object if it has none.

    Raises BudgetExceeded past the limits.
    """
    return fit_output(schema, _INLINE, note, options) if has_references(schema) else schema
