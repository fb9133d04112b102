"""Table: rows that read a document downwards and write one upwards.

A table is driven by the document when it reads, so that no key can be forgotten, and by its rows when it writes; what
nobody here can say is noted, always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import UNSET, Struct

from . import pointer as at
from .errors import DocumentError
from .fields import account, fields, probe
from .hub import Json, JsonObject, Tool
from .problems import from_msgspec
from .reading import Reading, Writing
from .row import Notes, Row, Unrepresentable
from .schema import BudgetExceeded

_UNSAID = {"hints": "TB601", "requirements": "TB602", "strict": "TB603"}


class _Node:
    """A place on the way to the rows of a table."""

    __slots__ = ("children", "row", "speaks", "wire")

    def __init__(self, wire: str = "") -> None:
        self.wire = wire
        self.row: Row | None = None
        self.speaks = False
        """Whether the row says a field of the hub while reading."""
        self.children: dict[str, _Node] = {}


Invent: TypeAlias = Callable[[Writing], Any]


def describe(w: Writing) -> str:
    """A description for a tool that has none: its title, or its name."""
    wire = w.row.wire if w.row is not None else None
    w.note_at("TB401", w.source("title") or w.source("name"), wire)
    return w.fields.get("title") or w.fields["name"]


def any_input(w: Writing) -> JsonObject:
    """An input schema for a source that says nothing of its arguments."""
    w.note("TB401")
    return {"type": "object"}


class Table:
    """The rows of one kind of document in one format, with the model that types it.

    Cannot be made while its model has a field without a row, or a row leads to no field. `settle` runs after a
    reading, for fields that several places say together; `check` answers pointer and problem of what the model cannot
    see; `repair` puts a broken document right in place and yields the pointers; `invent` answers by place what the
    format demands. `closed` are the objects in which the specification forbids unknown keys. `dialect` is what JSON
    Schema means there where a document does not say (None: unspecified). `reads` is a more lenient model for documents
    that come in.
    """

    def __init__(
        self,
        model: type[Struct],
        *rows: Row,
        closed: tuple[str, ...] = (),
        settle: Callable[[Reading], None] | None = None,
        check: Callable[[JsonObject], tuple[str, str] | None] | None = None,
        repair: Callable[[JsonObject], Iterator[str]] | None = None,
        invent: Mapping[str, Invent] | None = None,
        reads: type[Struct] | None = None,
        dialect: str | None = None,
    ) -> None:
        self.model = model
        self.reads = reads or model
        self.dialect = dialect
        self.order = rows
        self.rows: dict[str, Row] = {row.wire: row for row in rows}
        self.closed = closed
        self.settle = settle
        self.check = check
        self.repair = repair
        self.invent = dict(invent or {})
        self.fallbacks = tuple(row for row in rows if row.fallback)
        self.musts = frozenset(field.encode_name for field in fields(self.reads) if field.required)
        self._trie = _Node()
        self.containers = {""}
        for row in rows:
            node = self._trie
            for depth, token in enumerate(row.tokens):
                if depth:
                    self.containers.add(at.join(*row.tokens[:depth]))
                node = node.children.setdefault(token, _Node(at.join(*row.tokens[: depth + 1])))
            node.row = row
            node.speaks = row.hub is not None and not row.fallback
        self.tops = frozenset(self._trie.children)
        account(self)

    # reading

    def read(self, document: JsonObject, family: str) -> Tool:
        """The hub's view of a document. Raises DocumentError where it is not one of this table's."""
        return self.open(document, family).tool

    def open(self, document: JsonObject, family: str) -> Reading:
        """A document, understood. Raises DocumentError where it is not one of this table's, even after repair."""
        reading = self._visit(document, family)
        try:
            self._validate(reading)
        except DocumentError as error:
            reading = self._repaired(document, family, error)
        fields, places = reading.fields, reading.places
        rows = self.rows
        for wire, value in reading.raw.items():
            row = rows[wire]
            if row.via is not None:
                try:
                    value = row.via.read(value, reading)  # noqa: PLW2901 - the value as the hub says it
                except DocumentError as error:
                    raise error.at(wire, None) from None
                if value is UNSET:
                    continue
            path = cast("str", row.hub)
            fields[path] = value
            places[path] = wire
        if self.settle is not None:
            self.settle(reading)
        return reading

    def flaws(self, document: JsonObject, family: str) -> int | None:
        """How many repairs a document needs to be one of this table's; None where it cannot be."""
        try:
            self._validate(self._visit(document, family))
        except DocumentError as error:
            try:
                return len(self._repaired(document, family, error).notes)
            except DocumentError:
                return None
        return 0

    def _visit(self, document: JsonObject, family: str) -> Reading:
        reading = Reading(self, family, document)
        strangers: dict[str, Json] = {}
        self._descend(self._trie, document, "", reading.raw, strangers)
        if strangers:
            reading.local[family] = strangers
        return reading

    def _descend(self, node: _Node, place: JsonObject, prefix: str, raw: dict[str, Any], own: dict[str, Json]) -> None:
        children = node.children
        if not place and prefix:
            own[prefix] = place
        for key, value in place.items():
            child = children.get(key)
            if child is None:
                own[f"{prefix}/{at.escape(key)}"] = value
            elif child.children and isinstance(value, dict):
                self._descend(child, cast("JsonObject", value), child.wire, raw, own)
            elif child.speaks and (value is not None or cast("Row", child.row).nullable):
                raw[child.wire] = value
            else:
                own[child.wire] = value

    def _validate(self, reading: Reading) -> None:
        document: Any = reading.document
        if self.reads is self.model and self.closed and (own := reading.local.get(reading.family)):
            document = _without(document, [place for place in own if not self.knows(place)])
        self.verify(document, self.reads)

    def verify(self, document: JsonObject, model: type[Struct] | None = None) -> None:
        """Raises DocumentError where a document is not valid as it stands."""
        try:
            msgspec.convert(document, model or self.model)
        except msgspec.ValidationError as error:
            raise from_msgspec(error, document) from None
        if self.check is not None and (flaw := self.check(document)) is not None:
            raise DocumentError(flaw[1], flaw[0])

    def knows(self, place: str) -> bool:
        """Whether the table has a row at, or below, this place."""
        node = self._trie
        for token in at.split(place):
            child = node.children.get(token)
            if child is None:
                return False
            node = child
        return True

    def _repaired(self, document: JsonObject, family: str, error: DocumentError) -> Reading:
        """The document put right where its meaning is beyond doubt: null for nothing, and what the room knows."""
        first = self._visit(document, family)
        nulls = [
            place
            for place, value in first.local.get(family, {}).items()
            if value is None
            and self.knows(place)
            and place[1:] not in self.musts
            and not ((row := self.rows.get(place)) and row.default is None)
        ]
        mended = _without(document, nulls)
        fixed = list(nulls)
        if self.repair is not None:
            mended = cast("JsonObject", msgspec.json.decode(msgspec.json.encode(mended)))
            fixed += self.repair(mended)
        if not fixed:
            raise error
        reading = self._visit(mended, family)
        self._validate(reading)
        reading.notes = [("TB001", place) for place in fixed]
        reading.added = {place for place in reading.local.get(family, ()) if at.get(document, place) is at.MISSING}
        return reading

    # writing

    def write(
        self,
        it: Tool | Reading,
        family: str,
        notes: Notes | None = None,
        *,
        names: Mapping[str, str] | None = None,
        target: str = "",
    ) -> JsonObject:
        """The document that says this tool; every way in which it does not is appended to `notes`.

        `names` maps names that the catalogue had to make unique. Raises Unrepresentable where there is no way to say
        it.
        """
        reading = it if isinstance(it, Reading) else Reading.of(it)
        if notes is None:
            notes = []
        w = Writing(reading, notes, names or {}, target)
        origin, raw = reading.table, reading.raw
        same = family == reading.family or (origin is None and family in reading.local)
        own: dict[str, Json] = {}
        shared: Mapping[str, Row] = {}
        if same:
            own = self._adopt(reading, family, notes)
            shared = origin.rows if origin is not None else {}
        elif origin is not None and origin.fallbacks:
            self._speak(w)
        done: set[str] = set()
        said: set[str] = set()
        lost: set[str] = set()
        carried: list[str] = []
        out = w.out
        for row in self.order:
            wire, path = row.wire, row.hub
            if path is None or row.fallback:
                if wire in own or row.must or row.default is not UNSET:
                    self._write_local(w, row, own, done, same=same)
                continue
            if same and wire in raw and shared.get(wire) is row:
                _put(out, row.tokens, raw[wire])
                said.add(path)
                carried.append(wire)
                done.add(wire)
                continue
            if origin is self and (wire in own or path not in w.fields or w.places.get(path, "^")[:1] not in ("", "^")):
                # The document itself did not say it here: null or nothing stays what it is.
                said.add(path)
                if wire in own:
                    _put(out, row.tokens, own[wire])
                    done.add(wire)
                continue
            w.row = row
            value = w.fields.get(path, UNSET)
            if value is UNSET and wire in own:
                value = own[wire]
                done.add(wire)
                if value is None and row.default is None:
                    _put(out, row.tokens, None)
                    continue
                value = self._adopted(row, value, wire, w)
            if value is UNSET:
                if row.must or row.default is not UNSET:
                    self._write_unsaid(w, row, same=same)
                continue
            said.add(path)
            if path in reading.derived:
                notes.append(("TB401", w.places[path], wire))
            if row.via is not None:
                try:
                    value = row.via.write(value, w)
                except Unrepresentable as error:
                    raise Unrepresentable(error.problem, w.source(path, error.place), error.code) from None
                except BudgetExceeded as error:
                    raise Unrepresentable(error.problem, w.source(path, error.pointer), "TB902") from None
                if value is UNSET:
                    lost.add(path)
                    continue
            _put(out, row.tokens, value)
        if own:
            self._strangers(w, own, done, carried)
        for path, place in w.places.items():
            if path not in said and path not in reading.borrowed:
                notes.append((_unsaid(path, w.fields[path]), place, None))
        for other, places in reading.local.items():
            if other != family:
                for place, value in places.items():
                    helped = reading.markers.get(place)
                    if place in reading.added:
                        continue
                    if place not in w.spoken and (helped is None or helped in lost or helped not in said):
                        notes.append((_code(reading, place, value), place, None))
        return out

    def _write_unsaid(self, w: Writing, row: Row, *, same: bool) -> None:
        invent = self.invent.get(row.wire)
        if row.must and invent is not None:
            value = invent(w)
            if value is not UNSET:
                _put(w.out, row.tokens, value)
        elif row.default is not UNSET and not same:
            _put(w.out, row.tokens, row.default)

    def _write_local(self, w: Writing, row: Row, own: dict[str, Json], done: set[str], *, same: bool) -> None:
        wire = row.wire
        if wire in own:
            done.add(wire)
            value = own[wire]
            known = w.reading.table is not None and w.reading.table.rows.get(wire) is row
            if known or (value is None and row.default is None) or self._fits(row, value):
                if at.get(w.out, wire) is at.MISSING:
                    _put(w.out, row.tokens, value)
                    if value is not None and w.reading.table is not None and wire not in w.reading.table.rows:
                        w.note_at("TB402", wire, wire)
                else:
                    w.note_at(_code(w.reading, wire, value), wire, wire)
            else:
                w.note_at("TB104" if value is None else "TB102", wire, None)
            return
        if w.reading.table is self if row.must else (row.default is UNSET or same):
            return
        if at.get(w.out, wire) is at.MISSING:
            value = row.default
            if value is UNSET and wire in self.invent:
                value = self.invent[wire](w)
            elif row.must:
                w.note_at("TB401", "", wire)
            if value is not UNSET:
                _put(w.out, row.tokens, value)

    def _speak(self, w: Writing) -> None:
        """Let the fallback rows speak for fields that are silent."""
        reading = w.reading
        own = reading.local.get(reading.family)
        if not own:
            return
        for row in cast("Table", reading.table).fallbacks:
            path = cast("str", row.hub)
            value = own.get(row.wire)
            if value is None or path in w.fields:
                continue
            if row.via is not None:
                value = row.via.read(value, reading)
            if value is UNSET or value is None:
                continue
            w.fields = {**w.fields, path: value}
            w.places = {**w.places, path: row.wire}
            w.speak(row.wire)

    def _adopt(self, reading: Reading, family: str, notes: Notes) -> dict[str, Json]:
        """The family's own places; a stranger that has become a container of rows in this edition is taken apart."""
        own = reading.local.get(family, {})
        if reading.table is self or not own:
            return own
        adopted: dict[str, Json] = {}
        queue = list(own.items())
        while queue:
            place, value = queue.pop(0)
            opens = place in self.containers
            if opens and value and isinstance(value, dict):
                queue[:0] = [(f"{place}/{at.escape(key)}", inner) for key, inner in cast("JsonObject", value).items()]
            elif opens and place not in self.rows and value is not None and value != {}:
                notes.append(("TB102", place, None))
            else:
                adopted[place] = value
        return adopted

    def _fits(self, row: Row, value: Json) -> bool:
        """Whether a value that an older edition did not know is what this edition means by the place."""
        document: JsonObject = {}
        _put(document, row.tokens, value)
        try:
            msgspec.convert(document, probe(self.model, row.tokens))
        except msgspec.ValidationError:
            return False
        return True

    def _adopted(self, row: Row, value: Json, wire: str, w: Writing) -> Any:
        """A stranger that has become a row in this edition, as the hub says it; UNSET where it is not of that type."""
        if value is None and not row.nullable:
            w.note_at("TB104", wire, None)
            return UNSET
        if not self._fits(row, value):
            w.note_at("TB102", wire, None)
            return UNSET
        w.places = {**w.places, cast("str", row.hub): wire}
        if w.reading.table is None or wire not in w.reading.table.rows:
            w.note_at("TB402", wire, wire)
        return row.via.read(value, w.reading) if row.via is not None else value

    def _strangers(self, w: Writing, own: dict[str, Json], done: set[str], carried: list[str]) -> None:
        """What no row of this edition knows: strangers travel within the family, known fields of an edition do not."""
        source = w.reading.table
        for place, value in own.items():
            if place in done or place in w.spoken or any(place.startswith(wire + "/") for wire in carried):
                continue
            if (helped := w.reading.markers.get(place)) is not None:
                if any(self.rows[wire].hub == helped for wire in carried):
                    at.put(w.out, place, value)
                continue
            parent = place[: place.rindex("/")]
            known = source is not None and source is not self and place in source.rows
            if (
                known
                or parent not in self.containers
                or (parent in self.closed and source is not self and not self.knows(place))
            ):
                w.note_at(_code(w.reading, place, value), place, None)
            elif value == {} and place in self.containers:
                if at.get(w.out, place) is at.MISSING:
                    at.put(w.out, place, value)
                else:
                    w.note_at("TB101", place, place)
            elif value is None and self.knows(place) and source is not self:
                w.note_at("TB104", place, None)
            else:
                at.put(w.out, place, value)

    def strangers(self, document: JsonObject) -> int:
        """How many keys of a document this table does not know."""
        count = 0
        for key, value in document.items():
            child = self._trie.children.get(key)
            if child is None:
                count += 1
            elif child.children and child.row is None and isinstance(value, dict):
                count += sum(1 for inner in cast("JsonObject", value) if inner not in child.children)
        return count


def _unsaid(path: str, value: Any) -> str:
    """The code for a hub field that the target cannot say; a requirement of nothing is one that nobody leans on."""
    group = path.partition(".")[0]
    return "TB101" if group == "requirements" and not value else _UNSAID.get(group, "TB101")


def _put(out: JsonObject, tokens: tuple[str, ...], value: Json) -> None:
    for token in tokens[:-1]:
        inner = out.get(token)
        if inner is None:
            inner = out[token] = {}
        out = cast("JsonObject", inner)
    out[tokens[-1]] = value


def _without(document: JsonObject, places: list[str]) -> JsonObject:
    """A copy without these places; everything off the way to them is shared."""
    for place in places:
        *way, last = at.split(place)
        document = dict(document)
        inner = document
        for token in way:
            inner[token] = inner = dict(cast("JsonObject", inner[token]))
        inner.pop(last, None)
    return document


def _code(reading: Reading, place: str, value: Json) -> str:
    """The code for leaving `place` behind: its own row's, or the nearest row's above it, or that of a stranger."""
    if value is None:
        return "TB104"
    if reading.table is None:
        return "TB102"
    rows = reading.table.rows
    if place in rows:
        row = rows[place]
        return _unsaid(row.hub, value) if row.fallback and row.hub is not None else row.code
    if value == {} and reading.table.knows(place):
        return "TB101"
    parent = place[: place.rindex("/")]
    row = rows.get(parent)
    return row.code if row is not None and row.hub is None else "TB102"
