"""The errors of toolbridge."""

from __future__ import annotations

import os
from errno import EINVAL
from typing import TYPE_CHECKING

from .characters import MAX_MESSAGE, MAX_PROBLEM, shorten, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .losses.report import Report


class ToolbridgeError(Exception):
    """The base class of all errors of toolbridge.

    The text of an error is for people and logs. Line breaks and invisible characters in it are escaped, so that a name
    in a document cannot add a line to a log or a command to a terminal. Long names and values in it are shortened. All
    attributes but `problem` are exact.
    """

    def __str__(self) -> str:
        return shorten(visible(super().__str__()), MAX_MESSAGE)


class FormatError(ToolbridgeError):
    """There is no such format, or the document fits no known format.

    Attributes:
        problem: What is wrong, in a sentence.
        candidates: The ids of the nearest formats, best first.
    """

    def __init__(self, problem: str, candidates: Sequence[str] = ()) -> None:
        self.problem = shorten(problem, MAX_PROBLEM)
        self.candidates = tuple(candidates)
        super().__init__(self.problem)


class DocumentError(ToolbridgeError):
    """A document, or one item of a catalogue, is not valid.

    Attributes:
        problem: What is wrong, in a sentence that ends in the rule, if there is one.
        sentence: The same without the rule.
        pointer: The place, a JSON Pointer into the passed document. For an item of a list or an envelope it starts with
            the place of the item.
        item: The index in the catalogue.
        tool: The name of the tool, if the item was left out of a catalogue and has one.
        rule: The rule of a vendor that `check` found broken, such as `openai-strict/closed_objects`, or a code.
        earlier: The index of the tool before it that has the same name, if that is the problem.
        line: The line from 1, if the text could not be read.
        column: The column from 1, if the text could not be read.
    """

    def __init__(
        self,
        problem: str,
        pointer: str = "",
        *,
        item: int | None = None,
        line: int | None = None,
        column: int | None = None,
        rule: str | None = None,
        earlier: int | None = None,
    ) -> None:
        self.sentence = shorten(problem, MAX_PROBLEM)
        self.rule = rule
        self.problem = self.sentence if rule is None else f"{self.sentence} [{rule}]"
        self.pointer = pointer
        self.item = item
        self.tool: str | None = None
        self.line = line
        self.column = column
        self.earlier = earlier
        place = shorten(pointer)
        if line is not None:
            place = f"line {line}" if column is None else f"line {line}, column {column}"
        super().__init__(f"{place}: {self.problem}" if place else self.problem)

    def at(self, base: str, item: int | None) -> DocumentError:
        """The same error, with its place in the catalogue that has the document at `base`."""
        return self.moved(base + self.pointer, item)

    def moved(self, pointer: str, item: int | None) -> DocumentError:
        """The same error at another place."""
        place: dict[str, int | None] = {"line": self.line, "column": self.column, "earlier": self.earlier}
        moved = DocumentError(self.sentence, pointer, item=item, rule=self.rule, **place)
        moved.tool = self.tool
        return moved


def as_document_error(error: ToolbridgeError) -> DocumentError:
    """An error with the attributes of a DocumentError, of which others have only some."""
    if isinstance(error, DocumentError):
        return error
    return DocumentError(getattr(error, "problem", str(error)), getattr(error, "pointer", ""))


class CallError(ToolbridgeError):
    """A call fits no tool. The text can be sent to the model, which can correct the call.

    Attributes:
        problem: What is wrong, in a sentence.
        pointer: The place in the arguments of the model.
        name: The name of the tool in the call.
        call: The call. A call of Tool Definition 1.0 includes its secrets, which the text does not have.
        candidates: Tools with similar names.
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
        self.problem = shorten(problem, MAX_MESSAGE)  # one line for each problem of the call
        self.pointer = pointer
        self.name = name
        self.call = call
        self.candidates = tuple(candidates)
        super().__init__(f"{visible(shorten(pointer))}: {self.problem}" if pointer else self.problem)

    def __str__(self) -> str:
        return shorten("\n".join(map(visible, Exception.__str__(self).split("\n"))), MAX_MESSAGE)


class LossError(ToolbridgeError):
    """The conversion has a refused loss.

    Attributes:
        problem: What is wrong, in a sentence.
        report: All losses.
    """

    def __init__(self, problem: str, report: Report) -> None:
        self.problem = shorten(problem, MAX_PROBLEM)
        self.report = report
        super().__init__(self.problem)

    def __reduce__(self) -> tuple[type[LossError], tuple[str, Report]]:
        return type(self), (self.problem, self.report)


def reason(error: OSError) -> str:
    """What the operating system says of an error, in small letters."""
    return (error.strerror or str(error)).lower()


def is_broken_pipe(error: OSError) -> bool:
    """Whether the reader of a pipe has closed it.

    Windows may raise EINVAL for that (https://github.com/python/cpython/issues/79935, checked 2026-11-29).
    """
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == EINVAL)


def describe_unread(error: OSError) -> str:
    """The problem of a file that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "expected a file, found a directory"
    return f"cannot be read: {reason(error)}"


def near(names: Sequence[str]) -> str:
    """The end of a message about an unknown name: the known ones that are like it, if there are any."""
    return f"; near: {', '.join(names)}" if names else ""


def describe_unexpected(error: Exception, place: str, of: str = "toolbridge") -> str:
    """The message for an unexpected exception, a bug of something; its traceback is logged at level DEBUG.

    The message does not have the text of the exception, which may quote secrets of a call.
    """
    from logging import getLogger

    getLogger("toolbridge").debug("unexpected %s at %s", type(error).__name__, place or "(root)", exc_info=error)
    return (
        f"unexpected {type(error).__name__}, a bug in {of} (the log `toolbridge` has its traceback at level DEBUG, "
        "which --debug of the command shows)"
    )
