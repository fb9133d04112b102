"""What the command reads: its inputs, and what is converted in one go; the remainders that belong to them."""

from __future__ import annotations

import sys
from typing import NamedTuple, cast

from msgspec import UNSET

from .errors import DocumentError, ToolbridgeError
from .files import Form, Source, read
from .format import find, shape
from .hub import Json
from .printing import Problem, Unit, problem_of_line
from .remainder import Remainder


class Input(NamedTuple):
    """One IN, read."""

    name: str
    source: Source
    units: list[Unit]

    @property
    def broken(self) -> list[Problem]:
        """The lines that could not be read."""
        return [problem_of_line(self.name, each) for each in self.source.documents if each.error is not None]

    @property
    def form(self) -> Form:
        """How the output is written unless it is said."""
        if self.source.kind == "yaml":
            return "yaml"
        return "jsonl" if self.source.kind == "jsonl" or len(self.units) > 1 else "json"


def load(names: list[str]) -> list[Input]:
    """All inputs; nothing is done with any of them before all could be read."""
    if names.count("-") > 1:
        raise ToolbridgeError("standard input (-) can be read only once")
    found: list[Input] = []
    for name in names:
        shown = "<stdin>" if name == "-" else name
        source = _read(name, shown)
        found.append(Input(shown, source, _units(shown, source)))
    return found


def _read(name: str, shown: str) -> Source:
    try:
        if name == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(name, "rb") as file:  # noqa: PTH123 - pathlib is slow to import
                data = file.read()
        return read(data, name=name)
    except DocumentError as error:
        place = ":".join(str(each) for each in (shown, error.line, error.column) if each is not None)
        raise ToolbridgeError(f"{place}: {error.problem}") from None
    except FileNotFoundError:
        raise ToolbridgeError(f"{shown}: there is no such file") from None
    except OSError as error:
        raise ToolbridgeError(f"{shown}: cannot be read: {(error.strerror or str(error)).lower()}") from None


def _units(name: str, source: Source) -> list[Unit]:
    """What is converted in one go. Single tools of one text are one catalogue, as their names must differ."""
    documents = [document for document in source.documents if document.error is None]
    single = all(_shape(document.value) == "tool" for document in documents)
    several = len(source.documents) > 1
    if single and (several or source.kind == "jsonl"):
        return [Unit(name, documents, spread=True, several=True)]
    return [Unit(name, [document], spread=False, several=several) for document in documents]


def _shape(value: Json) -> str:
    try:
        return shape(value)
    except DocumentError:
        return "tool"  # which it is not, and whoever reads it as one says why


def remainders_of(path: str) -> list[Remainder | None]:
    """The remainders in a file: one, a list, or one on each line."""
    try:
        documents = _read(path, path).documents
        values = [document.value for document in documents if document.error is None]
        if len(values) != len(documents):
            raise DocumentError("a line is not JSON")
        if len(values) == 1 and isinstance(values[0], list):
            values = cast("list[Json]", values[0])
        return [None if value is None else Remainder.of(value) for value in values]
    except DocumentError as error:
        raise ToolbridgeError(f"{path}: {error}") from None


def matched(inputs: list[Input], remainders: list[Remainder | None], path: str) -> list[Input]:
    """The inputs, with their documents taken together as they were when the remainders were made."""
    queue = list(remainders)
    found: list[Input] = []
    for each in inputs:
        left = [document for document in each.source.documents if document.error is None]
        several = len(each.source.documents) > 1
        units: list[Unit] = []
        while left and queue:
            remainder = queue.pop(0)
            number, spread = 1, False
            if remainder is not None and _shape(left[0].value) == "tool":
                if remainder.items is not None:
                    number = len([item for item in remainder.items if item is None or item.left_out is UNSET])
                    spread = True
                elif find(remainder.source).reads_only:
                    number, spread = len(left), True
                # Where only one is there it is for all of them, and one that does not fit says so itself.
                if spread and not queue and len(inputs) == 1:
                    number = len(left)
            units.append(Unit(each.name, left[:number], spread=spread, several=several or spread))
            left = left[number:]
        if left:
            raise ToolbridgeError(f"{path} holds too few remainders ({len(remainders)}) for these documents")
        found.append(each._replace(units=units))
    if queue:
        raise ToolbridgeError(f"{path} holds too many remainders ({len(remainders)}) for these documents")
    return found
