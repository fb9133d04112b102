"""JSON Schema and nothing else: where subschemas live, writing references out, putting one schema inside another."""

from .inline import Note, inline
from .nest import nest, under, unnest
from .references import LIMITS, BudgetExceeded, Limits, has_references
from .walk import children, draft, is_annotation, old_forms, walk

__all__ = [
    "LIMITS",
    "BudgetExceeded",
    "Limits",
    "Note",
    "children",
    "draft",
    "has_references",
    "inline",
    "is_annotation",
    "nest",
    "old_forms",
    "under",
    "unnest",
    "walk",
]
