"""The bounds of what is made of a schema: a stranger may have made it to grow without end."""

from __future__ import annotations

from typing import Final, NamedTuple


class BudgetExceeded(Exception):  # noqa: N818 - it says what happened, not that somebody erred
    """A schema is nested too deeply, or grows past the bounds when its references are written out.

    `pointer` is the place in the schema as given at which the bound was passed.
    """

    def __init__(self, pointer: str, problem: str) -> None:
        self.pointer = pointer
        self.problem = problem
        super().__init__(f"{pointer}: {problem}" if pointer else problem)


class Limits(NamedTuple):
    """The bounds within which references are written out; a schema from a stranger may be a bomb.

    `nodes` are the subschemas of the result and the references that led to them, `bytes` is roughly its size as JSON,
    `depth` counts references within references, `levels` subschemas within subschemas. What is shared is counted each
    time that it stands in the result.
    """

    nodes: int = 10_000
    bytes: int = 2_000_000
    depth: int = 100
    levels: int = 1_000


LIMITS: Final = Limits()
