"""The error classes, and the words for an error that nobody foresaw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .characters import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .losses.report import Report


class ToolbridgeError(Exception):
    """The base of every error that toolbridge raises on purpose.

    Its text is for people and logs: what cannot be seen is escaped in it, so that a name in a document adds no line to
    a log and no command to a terminal. The attributes have everything as it was found.
    """

    def __str__(self) -> str:
        return visible(super().__str__())


class FormatError(ToolbridgeError):
    """No such format, or a document in which no known format can be recognised.

    `candidates` holds the ids of the nearest formats, best first.
    """

    def __init__(self, problem: str, candidates: Sequence[str] = ()) -> None:
        self.problem = problem
        self.candidates = tuple(candidates)
        super().__init__(problem)


class DocumentError(ToolbridgeError):
    """A document, or one item of a catalogue, that is not valid.

    `pointer` is a JSON Pointer into the document that was passed in (for an item of a list or an envelope it starts
    with the item's own place); `item` is the index in the catalogue; `line` and `column` count from 1 and are set
    where the text itself could not be read.
    """

    def __init__(
        self,
        problem: str,
        pointer: str = "",
        *,
        item: int | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.problem = problem
        self.pointer = pointer
        self.item = item
        self.line = line
        self.column = column
        place = pointer
        if line is not None:
            place = f"line {line}" if column is None else f"line {line}, column {column}"
        super().__init__(f"{place}: {problem}" if place else problem)

    def at(self, base: str, item: int | None) -> DocumentError:
        """The same error, seen from the catalogue in which the document stands at `base`."""
        return DocumentError(self.problem, base + self.pointer, item=item, line=self.line, column=self.column)


class CallError(ToolbridgeError):
    """A call that cannot be made; its text may be sent back to the model, which can do better then.

    `pointer` is the place in the arguments as the model gave them, `name` the tool that it asked for, `call` the call
    as it came (with the secrets of one of Tool Definition 1.0, which the text has not), `candidates` are tools of
    nearly that name.
    """

    def __init__(
        self,
        problem: str,
        pointer: str = "",
        *,
        name: str | None = None,
        call: object = None,
        candidates: Sequence[str] = (),
    ) -> None:
        self.problem = problem
        self.pointer = pointer
        self.name = name
        self.call = call
        self.candidates = tuple(candidates)
        super().__init__(f"{visible(pointer)}: {problem}" if pointer else problem)

    def __str__(self) -> str:
        # There may be a line for each thing that is wrong.
        return "\n".join(visible(line) for line in Exception.__str__(self).split("\n"))


class LossError(ToolbridgeError):
    """The crossing would lose what the caller does not allow to be lost; `report` names every loss."""

    def __init__(self, problem: str, report: Report) -> None:
        self.problem = problem
        self.report = report
        super().__init__(problem)

    def __reduce__(self) -> tuple[type[LossError], tuple[str, Report]]:
        return type(self), (self.problem, self.report)


def describe_unexpected(error: Exception, place: str) -> str:
    """The sentence for an exception that nobody foresaw; its traceback goes to the log, at level DEBUG.

    Not its words: they may quote what is secret in a call.
    """
    from logging import getLogger

    getLogger("toolbridge").debug("unexpected %s at %s", type(error).__name__, place or "(root)", exc_info=error)
    return f"describe_unexpected {type(error).__name__}, a bug in toolbridge (--debug shows its traceback)"
