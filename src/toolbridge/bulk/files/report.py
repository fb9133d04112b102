"""The report of a large catalogue, written line by line, with the same entries as `Report`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from ...characters import visible, visible_json
from ...conversion.detect import without_any_secrets
from ...conversion.item import tool_name
from ...conversion.loss_details import LIMITED, is_default, limit_of, value_at
from ...data import pointer as at
from ...data.json_decoder import decode_json, encode_json
from ...data.types import Json, is_list
from ...losses.json_report import JsonFailure, JsonLoss, json_loss, json_text
from ...losses.loss import Excerpt
from ...losses.note import Note
from ...losses.report import CODES, Loss
from ...mapping.format import Budgets, Format
from ...schema import Options
from ..batch import DocumentCounts
from ..layout import item_value

T = TypeVar("T")

FIRST: Final = 3
"""The number of places that are kept for each code."""

_HOLE: Final = msgspec.Raw(b"\0")
"""A character that no JSON text contains."""


class Failed(NamedTuple):
    """A left-out item: its index, its line in JSON Lines, the place there, the problem, its name, its code."""

    item: int
    line: int | None
    place: str
    problem: str
    tool: str | None
    code: str


class _ItemLoss(NamedTuple):
    """A loss that many items have; `place` is None where it is not of the item itself.

    `severity` is None if it depends on the value that is lost.
    """

    code: str
    source: str
    target: str | None
    place: str | None
    field: str | None
    severity: bytes | None


class ReportWriter:
    """Writes the losses of items as JSON Lines, from templates, since many tools have the same losses."""

    def __init__(self, name: str, source: Format, target: Format, options: Options) -> None:
        # A path need not be text.
        self._name = name.encode("utf-8", "backslashreplace").decode()
        self._source, self._target, self._options = source, target, options
        self._templates: dict[tuple[Note, ...], tuple[bytes, list[_ItemLoss]]] = {}
        self._by_id: dict[int, tuple[list[Note], tuple[bytes, list[_ItemLoss]]]] = {}

    def losses(self, notes: list[Note], item: int, line: int | None, before: bytes, after: bytes | None) -> bytes:
        """The lines of an item, whose texts are `before` and `after`."""
        # All tools of a plan have the same list of notes. The cache holds that list, so its id is not used again.
        cached = self._by_id.get(id(notes))
        if cached is None or cached[0] is not notes:
            if len(self._by_id) > 4096:
                self._by_id.clear()
            cached = self._by_id[id(notes)] = notes, self._template(tuple(notes))
        text, parts = cached[1]
        own, written = without_any_secrets(item_value(before), self._source), at.MISSING
        name = _json(tool_name(own, self._source))
        values: list[bytes] = []
        for part in parts:
            value = value_at(own, part.code, part.source)
            if part.target is not None and written is at.MISSING:
                written = None if after is None else decode_json(after)
            values += (
                b"null" if line is None else b"%d" % line,
                part.severity or self._severity(part, value),
                b"null" if part.place is None and self._is_document(own) else name,
                b"%d" % item,
                _excerpt(value),
                b"null" if part.target is None else _excerpt(at.get(written, part.target)),
                self._limit(part, value, own) if part.code in LIMITED else b"null",
            )
        return text % tuple(values)

    def _is_document(self, item: Json) -> bool:
        return is_list(item) or at.get(item, self._source.wrap or "", None) is not None

    def _severity(self, part: _ItemLoss, value: Json) -> bytes:
        code = CODES[part.code]
        lower = code.of_default is not None and is_default(part.field, value)
        return _SEVERITIES[code.of_default if lower and code.of_default is not None else code.severity]

    def _limit(self, part: _ItemLoss, value: Json, item: Json) -> bytes:
        place = part.place or ""
        return _json(limit_of(part.code, place, part.field, value, item, self._source, self._target, self._options))

    def _template(self, notes: tuple[Note, ...]) -> tuple[bytes, list[_ItemLoss]]:
        template = self._templates.get(notes)
        if template is None:
            if len(self._templates) > 4096:
                self._templates.clear()
            lines: list[bytes] = []
            parts: list[_ItemLoss] = []
            for note in notes:
                code, place, target = note.code, note.source, note.target
                own = None if place.startswith(at.OUTSIDE) else place
                shown = at.absolute(place, "")
                # What is invented is a value of another field than the one from which it was made.
                field = None if own is None or CODES[code].effect == "invented" else self._source.tool.field(own)
                entry = {**_fields(json_loss(Loss(code, shown, target))), "field": field}
                holes = dict.fromkeys(("line", "severity", "tool", "item", "before", "after", "limit"), _HOLE)
                text = encode_json({"input": self._name, "line": None, **entry, **holes}) + b"\n"
                lines.append(visible_json(text.replace(b"%", b"%%").replace(b"\0", b"%s")))
                severity = _SEVERITIES[CODES[code].severity] if CODES[code].of_default is None else None
                parts.append(_ItemLoss(code, shown, target, own, field, severity))
            template = self._templates[notes] = b"".join(lines), parts
        return template

    def loss(self, loss: Loss) -> bytes:
        """The line of a loss of the catalogue."""
        return json_text({"input": self._name, "line": None, **_fields(json_loss(loss))}) + b"\n"

    def failure(self, failed: Failed) -> bytes:
        """The line of an item that was left out."""
        entry = JsonFailure(
            item=failed.item, tool=failed.tool, line=failed.line, pointer=failed.place, problem=visible(failed.problem)
        )
        return json_text({"input": self._name, **_fields(entry)}) + b"\n"


_SEVERITIES: Final = {each: encode_json(each) for each in ("info", "warning", "error")}


def _fields(entry: JsonLoss | JsonFailure) -> dict[str, Any]:
    """The fields of an entry that are set, but for `line`."""
    return {key: value for key, value in msgspec.structs.asdict(entry).items() if value is not msgspec.UNSET}


def _json(value: object) -> bytes:
    return b"null" if value is None else visible_json(encode_json(value))


def _excerpt(value: Json) -> bytes:
    return b"null" if value is at.MISSING else visible_json(encode_json(Excerpt.of(value)))


class Counts(msgspec.Struct):
    """Counts of converted items and of their losses by code, with the first places (the item, its line, the place).

    For a place in a written tool (`-> `), the item is the index of the written tool. `tools` and `names` are how many
    tools a sentence of the digest is about, and the first of their names.
    """

    items: int = 0
    documents: int = 0
    """The number of lines that are a list or a catalogue; their items are among the items."""
    written: int = 0
    written_documents: int = 0
    """The number of these lines that were written."""
    strict: int = 0
    loose: int = 0
    used: dict[int, Budgets] = {}
    oversized: dict[int, Budgets] = {}
    lossless: int = 0
    lossy: int = 0
    refused: int = 0
    codes: dict[str, int] = {}
    places: dict[str, list[tuple[int, int | None, str]]] = {}
    tools: dict[str, int] = {}
    names: dict[str, list[str]] = {}
    failed_by_code: dict[str, int] = {}
    """The number of items that were left out, by the code of that loss."""
    failures: list[Failed] = []
    unanswered: list[str] | None = None
    restored: int = 0
    """The number of written tools that the first conversion had left out, restored from the remainder."""

    @property
    def none(self) -> bool:
        """Whether there were items, and none of them was converted."""
        return self.items > 0 and self.lossless + self.lossy + self.restored == 0

    @property
    def failed(self) -> int:
        """The number of items that were left out."""
        return sum(self.failed_by_code.values())

    def add(self, other: Counts, most: int = 20) -> None:
        """Add the counts of the items that follow."""
        before = self.written
        for name in self.__struct_fields__:
            if isinstance(number := getattr(other, name), int):
                setattr(self, name, getattr(self, name) + number)
        self.used |= other.used
        self.oversized |= other.oversized
        self.failures += other.failures[: most - len(self.failures)]
        for name in ("codes", "failed_by_code", "tools"):
            counts: dict[str, int] = getattr(self, name)
            for key, count in getattr(other, name).items():
                counts[key] = counts.get(key, 0) + count
        for code, places in other.places.items():
            moved = [(item + before * place.startswith("-> "), line, place) for item, line, place in places]
            add_first(self.places.setdefault(code, []), moved)
        for subject, names in other.names.items():
            add_first(self.names.setdefault(subject, []), names)
        if other.unanswered is not None:
            places_of_both = other.unanswered if self.unanswered is None else {*self.unanswered} & {*other.unanswered}
            self.unanswered = sorted(places_of_both)

    def add_document(self, document: DocumentCounts) -> None:
        """Add the counts of the items of a line that is a list or a catalogue."""
        self.items += document.items
        self.lossy += document.lossy
        self.refused += document.refused
        self.lossless += document.items - document.lossy - document.refused
        for subject, names in document.named.items():
            self.tools[subject] = self.tools.get(subject, 0) + len(names)
            add_first(self.names.setdefault(subject, []), [name for name in names if name is not None])


def add_first(found: list[T], added: Sequence[T]) -> None:
    """Add places or names up to the number that is kept."""
    for each in added:
        if len(found) < FIRST and each not in found:
            found.append(each)
