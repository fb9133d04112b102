"""SourceCall and Reply: the values that a Toolbox returns for a call and for a result."""

from __future__ import annotations

from typing import Any

from ..data.types import JsonObject
from ..losses.report import Loss, Report
from ..mapping.record import Notes


class SourceCall(dict[str, Any]):
    """A model's call in the format of the tool's own server: the document, with these attributes.

    Attributes:
        server: The name of the tool's server, or None if there is only one.
        name: The name of the tool there.
        arguments: The arguments according to the tool's own schema.
        block: The call of the model.
        id: The model's id of the call.
        checked: Whether the arguments were validated against the schema.
        unchecked: The reason if they were not validated.
    """

    __slots__ = ("arguments", "block", "checked", "id", "name", "notes", "server", "unchecked")

    server: str | None
    name: str
    arguments: JsonObject
    block: JsonObject
    id: str | int | None
    checked: bool
    unchecked: str
    notes: tuple[Notes, str, str]

    @property
    def report(self) -> Report:
        """The losses of the call."""
        notes, source, target = self.notes
        return Report(losses_of(notes), source, target)


class Reply(dict[str, Any]):
    """The result of a call in the format of the model's vendor: the document, with its report.

    Attributes:
        report: The losses of the result.
    """

    __slots__ = ("report",)

    report: Report


def losses_of(notes: Notes) -> tuple[Loss, ...]:
    """The losses that were noted, each once."""
    return tuple(
        Loss(code, place.removeprefix("^"), target_place) for code, place, target_place in dict.fromkeys(notes)
    )
