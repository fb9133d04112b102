"""JSON Schema and nothing else: dialects and fitting, references, nesting, arguments."""

from .arguments import ArgumentMap, adapt_each, restore_arguments
from .cycles import referenced_places
from .dialect import PLAIN, SAME, TYPES, BudgetExceeded, Dialect, Evidence, Fact, allow, compiles, has_size_limits
from .drafts import WITH_NULL, DraftRules, upgrade
from .fitting import OPTIONS, Fitted, NoteCallback, Options, fit, fit_output, inline
from .fitting.views import says_nothing
from .linting import Finding, exceeded, keeps, lint
from .mistakes import (
    is_list_of_names,
    meant_list,
    meant_schema,
    meant_types,
    require_flagged,
    with_properties,
    with_repairs,
    with_required,
    with_type,
)
from .nesting import nest, original_place, under, unnest, with_own_root
from .references import has_references, is_object_schema
from .vocabulary import (
    APPLICATORS,
    CONSTRAINTS,
    OLD_DRAFTS,
    REFERENCES,
    SUBSCHEMAS,
    address_drafts,
    children,
    count_parameters,
    draft,
    is_annotation,
    is_constrained_reference,
    older_spellings,
    separate,
    stated_draft,
    walk,
)

TYPE_CHECKING = False  # type checkers read the name
if TYPE_CHECKING:
    from .containment import SchemaChange, compare_schemas
    from .steps import Steps, value_levels

__all__ = [
    "APPLICATORS",
    "CONSTRAINTS",
    "OLD_DRAFTS",
    "OPTIONS",
    "PLAIN",
    "REFERENCES",
    "SAME",
    "SUBSCHEMAS",
    "TYPES",
    "WITH_NULL",
    "ArgumentMap",
    "BudgetExceeded",
    "Dialect",
    "DraftRules",
    "Evidence",
    "Fact",
    "Finding",
    "Fitted",
    "NoteCallback",
    "Options",
    "SchemaChange",
    "Steps",
    "adapt_each",
    "address_drafts",
    "allow",
    "children",
    "compare_schemas",
    "compiles",
    "count_parameters",
    "draft",
    "exceeded",
    "fit",
    "fit_output",
    "has_references",
    "has_size_limits",
    "inline",
    "is_annotation",
    "is_constrained_reference",
    "is_list_of_names",
    "is_object_schema",
    "keeps",
    "lint",
    "meant_list",
    "meant_schema",
    "meant_types",
    "nest",
    "older_spellings",
    "original_place",
    "referenced_places",
    "require_flagged",
    "restore_arguments",
    "says_nothing",
    "separate",
    "stated_draft",
    "under",
    "unnest",
    "upgrade",
    "value_levels",
    "walk",
    "with_own_root",
    "with_properties",
    "with_repairs",
    "with_required",
    "with_type",
]


def __getattr__(name: str) -> object:
    # PEP 562: few validate arguments or compare schemas, and nobody else waits for what does that.
    if name in {"Steps", "value_levels"}:
        from . import steps as module
    elif name in {"SchemaChange", "compare_schemas"}:
        from . import containment as module
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(module, name)
