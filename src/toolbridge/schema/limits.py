"""BudgetExceeded: a schema for which the limits are too small."""

from __future__ import annotations


class BudgetExceeded(Exception):  # noqa: N818 - it says what happened, not that somebody erred
    """A schema is nested too deeply, or grows past the limits when its references are written out.

    `pointer` is the place in the schema as given at which the limit was passed.
    """

    def __init__(self, pointer: str, problem: str) -> None:
        self.pointer = pointer
        self.problem = problem
        super().__init__(f"{pointer}: {problem}" if pointer else problem)
