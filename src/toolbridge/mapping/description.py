"""What a tool has and the target has no field for, as one line at the end of its description, for models to read.

The line has the form of that for constraints of parameters (`schema/prose.py`), after a blank line:
`{destructive: true, examples: [{"on":"2027-05-01"}], output: {"type":"object"}}`. Nothing reads it back.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from msgspec import UNSET

from ..data.json_decoder import encode_json
from ..errors import DocumentError
from ..hub import HINT_DEFAULTS, Tool
from ..schema import BudgetExceeded, adapt_each
from .record import Row, Unrepresentable, WriteContext

if TYPE_CHECKING:
    from .table import Table

_HINTS: Final = {
    "hints.read_only": "read-only",
    "hints.destructive": "destructive",
    "hints.idempotent": "idempotent",
    "hints.open_world": "open-world",
}
Part: TypeAlias = Literal["hints", "examples", "output"]

PARTS: Final[tuple[Part, ...]] = get_args(Part)
"""The parts of a tool that a description may have; short ones come first, so that they find room."""

_FIELDS: Final[dict[Part, dict[str, str]]] = {
    "hints": _HINTS,
    "examples": {"examples": "examples"},
    "output": {"output": "output"},
}
"""The fields of each part, with the words for them."""

_ENDLESS: Final = 10**9


def missing(table: Table, fields: Collection[str], parts: Collection[str]) -> dict[str, str]:
    """The fields that a table does not have and a description may, with the words for them."""
    if table.of is not Tool or "description" not in table.hub_fields:
        return {}
    known = {path: word for part, words in _FIELDS.items() if part in parts for path, word in words.items()}
    return {path: word for path, word in known.items() if path in fields and path not in table.hub_fields}


def add_missing(table: Table, w: WriteContext) -> bool:
    """Add the fields that the table does not have to the description. Returns whether there are any."""
    words = missing(table, w.fields, w.options.describe)
    if not words:
        return False
    row, before = table.rows_of("description")[0], len(w.notes)
    description = _description(table, row, w)
    room = _room(row, w) - len(description) - 4
    parts: list[str] = []
    for path, word in words.items():
        value: Any = w.fields[path]
        if value in (None, [], {}) or value == HINT_DEFAULTS.get(path):
            continue  # nothing, or what goes without saying
        try:
            if path == "examples":
                value = _examples(table, value, w)
            part = f"{word}: {encode_json(value).decode()}"
        except (DocumentError, RecursionError, ValueError):  # too much, too deep, or an integer of too many digits
            continue
        if len(part) + 2 > room:
            continue
        room -= len(part) + 2
        parts.append(part)
        w.note_at("TB510", w.source(path), row.wire)
        if path not in _HINTS:  # a program reads no description: for it a hint is lost
            w.mark_written(path)
    if not parts:
        del w.notes[before:]  # of a description that is not invented here
        return False
    line = f"{{{', '.join(parts)}}}"
    w.fields = {**w.fields, "description": f"{description}\n\n{line}" if description else line}
    return True


def _examples(table: Table, examples: list[Any], w: WriteContext) -> list[Any]:
    """The examples as arguments of the tool that will be written: its schema has other names and values."""
    context = WriteContext(w.record, w.fields, w.places, [], w.names, w.format, w.options, number=w.number)
    for row in table.rows_of("input"):
        if row.via is None or "input" not in w.fields:
            continue
        context.row = row
        try:
            row.via.write(w.fields["input"], context)
        except (Unrepresentable, BudgetExceeded):  # raised again when the row is written
            return examples
    if context.argument_map is None:
        return examples
    return adapt_each(examples, context.argument_map, w.options.limits)[0]


def _description(table: Table, row: Row, w: WriteContext) -> str:
    """The description without the line: that of the tool, or what the target invents."""
    description: Any = w.fields.get("description")
    if description is None and row.required and row.wire in table.invent:
        w.row = row
        description = table.invent[row.wire](w)
    return description if isinstance(description, str) else ""


def _room(row: Row, w: WriteContext) -> int:
    """How many characters a description may have."""
    most: Any = w.options.description
    if most is UNSET:
        most = None if row.via is None else row.via.passes
    return most if isinstance(most, int) else _ENDLESS


def parts_of(given: bool | str | Collection[str]) -> tuple[Part, ...]:
    """The parts of a tool that are described, in a fixed order. Raises ValueError and TypeError for other values."""
    if isinstance(given, bool):
        return PARTS if given else ()
    words = f"describe is True, False, or some of {', '.join(PARTS)}, found "
    if not isinstance(given, Collection):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        raise TypeError(words + type(given).__name__)
    wanted = [given] if isinstance(given, str) else given
    for part in wanted:
        if part not in PARTS:
            raise ValueError(f"{words}{part!r}")
    return tuple(part for part in PARTS if part in wanted)
