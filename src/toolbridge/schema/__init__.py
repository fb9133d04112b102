"""JSON Schema and nothing else: where subschemas live, writing references out, putting one schema inside another."""

from .fit import OPTIONS, Fitted, Options, fit, fit_output, fitted
from .inline import Note, inline
from .limits import BudgetExceeded
from .lint import Finding, lint
from .nest import nest, under, unnest
from .prose import unprose
from .references import has_references
from .walk import children, draft, is_annotation, old_forms, walk

__all__ = [
    "OPTIONS",
    "BudgetExceeded",
    "Finding",
    "Fitted",
    "Note",
    "Options",
    "children",
    "draft",
    "fit",
    "fit_output",
    "fitted",
    "has_references",
    "inline",
    "is_annotation",
    "lint",
    "nest",
    "old_forms",
    "under",
    "unnest",
    "unprose",
    "walk",
]
