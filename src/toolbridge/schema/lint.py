"""What of a schema a dialect refuses: its rules applied to a schema as it stands, which is left alone."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..limits import LIMITS, Limits
from .dialect import Dialect, Evidence


class Finding(NamedTuple):
    """One thing that a dialect refuses: the rule, the place in the schema, what is wrong, and how that is known."""

    rule: str
    pointer: str
    problem: str
    evidence: Evidence | None


def lint(schema: Any, dialect: Dialect, *, arguments: bool = True, limits: Limits = LIMITS) -> list[Finding]:
    """Everything in a schema that the dialect refuses, by place; `arguments`: the root is that of a tool's input.

    Types may be spelled as JSON Schema spells them or as the dialect does.
    """
    from .rules import Rules

    return list(Rules(schema, dialect, arguments=arguments, limits=limits).findings())
