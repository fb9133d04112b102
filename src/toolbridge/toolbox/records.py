"""The classes SourceCall and Reply, which a Toolbox returns for a call and for a result."""

from __future__ import annotations

from typing import Any

from ..data.types import JsonObject
from ..losses.report import Loss, Report
from ..mapping.record import Notes


class SourceCall(dict[str, Any]):
    """A model's call as the tool's own format has it: the document itself, with what is known of it.

    `server` is whose tool it is (None where there is only one), `name` what the tool is called there, `arguments` are
    as its own schema has them; `id` is the model's id of the call, and `block` the call as it came. `checked` tells
    whether the arguments were found to satisfy that schema; otherwise `unchecked` is the reason why nobody looked.
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
        """What was lost on the way."""
        notes, source, target = self.notes
        return Report(losses_of(notes), source, target)


class Reply(dict[str, Any]):
    """The result of a call as the model's vendor takes it: the document itself.

    `report` is what was lost on the way.
    """

    __slots__ = ("report",)

    report: Report


def losses_of(notes: Notes) -> tuple[Loss, ...]:
    """The losses that were noted, each once."""
    return tuple(Loss(code, place.removeprefix("^"), there) for code, place, there in dict.fromkeys(notes))
