"""SourceCall and Reply: the values that a Toolbox returns for a call and for a result."""

from __future__ import annotations

from typing import Any

from ..data.pointer import absolute
from ..data.types import Json, JsonObject
from ..errors import FormatError
from ..formats.registry import get_format
from ..hub import Kind
from ..losses.loss import NOTHING, Documents
from ..losses.note import Note
from ..losses.report import Loss, Report


class SourceCall(dict[str, Any]):
    """A model's call in the format of the tool's own server: the document, with these attributes.

    Attributes:
        server: The name of the tool's server, or None if the toolbox got its tools without one.
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
    notes: tuple[list[Note], str, str]

    @property
    def report(self) -> Report:
        """The losses of the call."""
        notes, source, target = self.notes
        return report_of(notes, source, target, "call", self.name, self.block, self)


class Reply(dict[str, Any]):
    """The result of a call in the format of the model's vendor: the document, with its report.

    Attributes:
        report: The losses of the result.
    """

    __slots__ = ("notes",)

    notes: tuple[list[Note], str, str, Kind, str | None, Json]

    @property
    def report(self) -> Report:
        """The losses of the result."""
        return report_of(*self.notes, self)


def report_of(  # noqa: PLR0917 - a report, and the two documents
    notes: list[Note], source: str, target: str, kind: Kind, tool: str | None, before: Json, after: JsonObject
) -> Report:
    """The report of the losses that were noted, each once."""
    losses = tuple(Loss(note.code, absolute(note.source, ""), note.target) for note in dict.fromkeys(notes))
    written = dict(after) if losses else {}  # a report that has its own document would never be freed at once

    def details() -> Documents:
        from ..conversion.detect import without_any_secrets
        from ..conversion.loss_details import CallDetails

        try:
            form = get_format(target)
        except FormatError:  # it is a format of the program's own that has no name: nobody knows its secrets here
            return NOTHING
        return CallDetails(tool, without_any_secrets(before, form), written)

    return Report(losses, source, target, kind=kind, items=1, documents=details)
