"""FormPlan: how all tools of one form are converted, made by writing a document with holes by the target's table."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias, cast

from msgspec import UNSET, UnsetType, structs

from ..conversion.catalogue import catalogue_of
from ..conversion.envelope import Context
from ..conversion.item import BESIDE_NAME, add_context
from ..data import pointer as at
from ..data.json_decoder import decode_as, decode_json, encode_json
from ..data.types import Json, JsonObject
from ..losses.note import Note
from ..mapping.codecs import ENDLESS
from ..mapping.description import missing
from ..mapping.format import Format
from ..mapping.record import Codec, Record, Row, WriteContext
from ..mapping.table import Identifier, Table, copy_with
from ..mapping.write import has_same_type
from ..schema import Dialect, Options
from .holes import ANY_ERROR, Hole, HoleError, filled, holes_in, template_of
from .members import SCHEMA, SCHEMAS, Members, kind_at
from .schema_step import ANY_OBJECT, ANY_SCHEMA, MemoStore, SchemaStep

Check: TypeAlias = Callable[[bytes], Any]
"""Raises for JSON text with a value that a model does not accept."""

Tokens: TypeAlias = tuple[str, ...]
"""A place in a document, as the tokens of its JSON Pointer."""


_STEP: Final = "\0"
"""The code that stands for the losses of a step among those of a plan."""


_MAX_COMPARED_NOTES: Final = 3
"""Lists with fewer losses are compared by these, as a codec makes a new list for each tool; others by identity."""

_MAX_KEPT_NOTES: Final = 64
"""The largest number of losses of a step in a list that is kept."""

_MAX_KEPT_LISTS: Final = 1024
"""How many lists of losses the plans of a bridge keep together."""


class CodecStep(NamedTuple):
    """A value that is computed for each tool, by the codec of a row or by what the target invents.

    Attributes:
        row: The row of the target.
        make: Computes the value.
        value_index: The index of the value that the codec gets; None for what is invented.
        passes: Whether the codec does not change the text of that value.
    """

    row: Row
    make: Callable[[WriteContext], Any]
    value_index: int | None
    passes: Callable[[bytes], Any]


Step: TypeAlias = CodecStep | SchemaStep


class FormPlan(NamedTuple):
    """How the tools of one form are converted. The values of a tool have indices, in the order of the text.

    Attributes:
        template: The written text, with `%b` for each hole.
        holes: For each hole the index of its value, or the number of the step that computes it.
        parts: Gives the texts for the holes if no step has to compute one; None if one always has to.
        demands: The indices of the values that may demand something, which the general path notes, each with its test.
        decoded: The indices of the values that are strings and flags, and have to be encoded again.
        checks: The holes for which the models of source and target have different types, each with a check.
        computed_checks: `checks`, and those of the values of steps, for tools where a step computes a value.
        steps: What is computed for each tool: by codecs, or the conversion of a schema.
        passes: The indices of the values that codecs get, each with the `passes` of its step.
        schemas: The indices of the schemas, each with the number of its step, and the step.
        notes: The losses if no step has any.
        notes_with_steps: The losses, with the numbers of steps in the places of the losses of these.
        known_notes: The lists that `with_notes` has made for plans of the bridge: tools with the same losses have the
            same list. Each is kept with the lists of which it was made, so that no other list has their ids, which are
            in the key.
        argument_map: The map of the arguments to those of the source; None if they are the same.
        name: The index of the name.
        name_hole: The number of the hole for the name of the written tool.
        form_record: The record of the form, in which values are holes.
        fields: The fields of the hub that differ from tool to tool, with the indices of their values; no schemas.
    """

    template: bytes
    holes: tuple[tuple[int | None, int | None], ...]
    parts: Callable[[list[bytes]], tuple[bytes, ...]] | None
    demands: tuple[tuple[int, Callable[[Json], bool]], ...]
    decoded: tuple[int, ...]
    checks: tuple[tuple[int, Check], ...]
    computed_checks: tuple[tuple[int, Check], ...]
    steps: tuple[Step, ...]
    passes: tuple[tuple[int, Callable[[bytes], Any]], ...]
    schemas: tuple[tuple[int, int, SchemaStep], ...]
    notes: list[Note]
    notes_with_steps: list[Note]
    known_notes: dict[tuple[Any, ...], tuple[list[Note], list[list[Note]], list[Note]]]
    argument_map: JsonObject | None
    name: int
    name_hole: int
    form_record: Record
    fields: tuple[tuple[str, int], ...]

    def has_demand(self, values: Sequence[Any]) -> bool:
        """Whether a tool with these values makes a demand."""
        return any(is_made(decode_json(values[index])) for index, is_made in self.demands)

    def with_notes(self, step_notes: list[list[Note]]) -> list[Note]:
        """The losses of a tool, with those of its steps."""
        if not any(step_notes):
            return self.notes
        own = self.notes_with_steps
        key = (id(own), *[tuple(each) if len(each) < _MAX_COMPARED_NOTES else id(each) for each in step_notes])
        known = self.known_notes.get(key)
        if known is not None:
            return known[2]
        notes: list[Note] = []
        for note in own:
            notes += step_notes[int(note.source)] if note.code is _STEP else (note,)
        notes = [*dict.fromkeys(notes)]
        if max(map(len, step_notes)) <= _MAX_KEPT_NOTES:
            if len(self.known_notes) >= _MAX_KEPT_LISTS:
                self.known_notes.clear()
            self.known_notes[key] = own, step_notes, notes
        return notes


class Planner:
    """Makes the plans of one bridge.

    `context` are the values of the envelope that belong to the tools, `fill` those that the caller fills in.
    """

    def __init__(
        self, source: Format, target: Format, options: Options, context: Context, fill: Mapping[str, str]
    ) -> None:
        self.source, self.target, self.options = source, target, options
        self.members = Members(source.tool, source.tool.reads)
        self._context = context
        self._fill = fill
        self._memos = MemoStore()
        self._known_notes: dict[tuple[Any, ...], tuple[list[Note], list[list[Note]], list[Note]]] = {}

    def plan(self, document: JsonObject, *, is_fallback: bool = False) -> FormPlan | None:
        """The plan for a document with holes; None if it takes the general path.

        `is_fallback` is whether the fallback of a strict dialect writes the input schema.
        """
        try:
            return self._plan(document, is_fallback)
        except ANY_ERROR:
            return None

    def _plan(self, document: JsonObject, is_fallback: bool) -> FormPlan | None:
        source, target = self.source, self.target
        shape = catalogue_of(document, source).shape
        if shape != "tool" or source.is_hosted(document) or source.is_group(document):
            return None
        record = self._read(document)
        if record is None:
            return None
        if self.members.identifier is not None:
            document = _with_identifier_holes(document, record, self.members.identifier)
        demands = self._demands(document)
        name = record.fields.get("name")
        if type(name) is not Hole or any(type(record.fields.get(path)) is Hole for path in BESIDE_NAME):
            return None  # these fields identify a tool
        if self.options.describe and missing(target.tool, record.fields, self.options.describe):
            return None  # the description depends on their values
        for place, value in record.local.get(source.family, {}).items():
            if (
                type(value) is Hole
                and target.tool.rows.get(place) not in (None, source.tool.rows.get(place))
                and not has_same_type(source.tool, target.tool, place)
            ):
                return None  # it depends on the value whether the row of the target accepts it
        steps: list[Step] = []
        table = self._table_with_steps(record, steps, is_fallback)
        notes = [*record.notes]
        argument_maps: list[JsonObject | None] = []
        out = table.write(
            record, target.family, notes, target=target.id, options=self.options, argument_maps=argument_maps
        )
        if _is_refused(target.tool, out):
            return None
        for row in target.tool.order if self._fill else ():
            value = at.walk(out, row.tokens, UNSET) if row.hub in self._fill else UNSET
            if type(value) is not Hole and value is not UNSET:
                decode_as(kind_at(target.tool.model, row.tokens))(encode_json(value))  # nothing else has checked it
        if record.notes:
            # Nulls were left out: a loss at the place of one is noted at the nearest place that the document has.
            notes = [
                note if note.code is _STEP else Note(note.code, at.existing(document, note.source), note.target)
                for note in notes
            ]
        template, places_and_holes = template_of(out)
        holes = tuple((hole.index, hole.step) for _, hole in places_and_holes)
        self._add_schema_checks(record, steps, {index for index, step in holes if step is None})
        indices = {index for index, _ in holes} | {step.value_index for step in steps}
        used = sorted(index for index in indices if index is not None)
        places = {hole.index: tokens for tokens, hole in holes_in(document)}
        checks, computed_checks = self._checks(places_and_holes, places, steps)
        return FormPlan(
            template=template,
            holes=holes,
            parts=_parts(holes, steps),
            demands=demands,
            # The others are not decoded when a tool is split.
            decoded=tuple(
                n for n in used if (it := self.members.member_at(places[n])) is not None and it.role < SCHEMA
            ),
            checks=checks,
            computed_checks=computed_checks,
            steps=tuple(steps),
            passes=tuple(
                (step.value_index, step.passes)
                for step in steps
                if isinstance(step, CodecStep) and step.value_index is not None
            ),
            schemas=tuple((step.value_index, n, step) for n, step in enumerate(steps) if isinstance(step, SchemaStep)),
            notes=[*dict.fromkeys(note for note in notes if note.code is not _STEP)],
            notes_with_steps=notes,
            known_notes=self._known_notes,
            argument_map=argument_maps[0],
            name=cast("int", name.index),
            name_hole=next(n for n, (tokens, _) in enumerate(places_and_holes) if tokens == target.tool.name),
            form_record=record,
            fields=tuple(
                (path, cast("int", value.index))
                for path, value in record.fields.items()
                if type(value) is Hole and path not in SCHEMAS
            ),
        )

    def _demands(self, document: JsonObject) -> tuple[tuple[int, Callable[[Json], bool]], ...]:
        """The `demands` of a plan. Raises HoleError if all tools of the form make one."""
        found: list[tuple[int, Callable[[Json], bool]]] = []
        for demand in self.source.tool.demands:
            value: Any = at.get(document, demand.place)
            if type(value) is Hole:
                found.append((cast("int", value.index), demand.is_made))
            elif value is not at.MISSING and demand.is_made(value):
                raise HoleError
        return tuple(found)

    def _checks(
        self,
        places_and_holes: Sequence[tuple[Tokens, Hole]],
        places: Mapping[int | None, Tokens],
        steps: Sequence[Step],
    ) -> tuple[tuple[tuple[int, Check], ...], tuple[tuple[int, Check], ...]]:
        """The `checks` and the `computed_checks` of a plan."""
        checks: list[tuple[int, Check]] = []
        computed_checks: list[tuple[int, Check]] = []
        for number, (tokens, hole) in enumerate(places_and_holes):
            kind = kind_at(self.target.tool.model, tokens)
            if kind is Any or kind == ANY_OBJECT:
                continue  # members that are no objects where the model wants one are refused when a tool is split
            index = hole.index if hole.step is None else steps[hole.step].value_index
            check = decode_as(kind)
            has_same_type = index is not None and kind == kind_at(self.source.tool.reads, places[index])
            if not has_same_type:
                checks.append((number, check))
            if not has_same_type or hole.step is not None:
                computed_checks.append((number, check))
        return tuple(checks), tuple(computed_checks)

    # reading

    def _read(self, document: JsonObject) -> Record | None:
        """The record of a document of holes; None if its form is not valid, even after repair."""
        table, family = self.source.tool, self.source.family
        repaired, nulls = document, list[str]()
        if any(_invalid_places(document, self.members)):
            nulls = table.nulls(table.visit(document, family))
            repaired = copy_with(document, nulls)
            if any(_invalid_places(repaired, self.members)):
                return None
        if _is_refused(table, repaired):
            return None
        record = table.visit(repaired, family)
        # Steps read the schemas. One that is empty, a boolean or null belongs to the form: that of results is read and
        # written here, a tool with such arguments takes the general path.
        meanings = dict(table.meanings)
        for wire, value in record.raw.items():
            path, _ = meanings[wire]
            if path in SCHEMAS and type(value) is Hole:
                meanings[wire] = path, None
            elif path == "input":
                return None
        table.read_fields(record, meanings)
        record.notes = [Note("TB001", place) for place in nulls]
        add_context(record, self._context)
        record.fields.update({path: value for path, value in self._fill.items() if path not in record.fields})
        return record

    # writing

    def _table_with_steps(self, record: Record, steps: list[Step], is_fallback: bool) -> Table:
        """The table of the target, with codecs that add a step where they get a hole."""
        source_table, target_table = self.source.tool, self.target.tool
        if source_table is target_table:
            return target_table

        def with_step(row: Row) -> Row:
            via = row.via
            is_family = self.source.family == self.target.family
            # A codec that adopts values of another edition expects no holes: these tools take the general path.
            if via is None or (is_family and (via.adopt is not None or source_table.rows.get(row.wire) is row)):
                return row

            def write(value: Any, w: WriteContext) -> Any:
                hub = cast("str", row.hub)
                if type(value) is not Hole:
                    # One that is filled in may need the name, which each tool has of its own.
                    own = _write_with(via, hub)
                    return with_step_on_error(row, own)(w) if hub in self._fill else own(w)
                if value.index is None:
                    raise HoleError
                if hub not in SCHEMAS:
                    passes = _passes(via, self.options)
                    return _hole_of_step(CodecStep(row, _write_with(via, hub), value.index, passes), w, steps)
                # A codec that returns UNSET before it looks at the schema does so for every schema: this edition has it
                # at another place. Another codec fails at the hole, or writes something that is not used.
                count = len(w.notes)
                try:
                    if via.write(value, w) is UNSET:
                        return UNSET
                except ANY_ERROR:
                    pass
                del w.notes[count:]
                step = self._schema(record, value.index, source_table.rows[w.places[hub]], row)
                if hub == "input":
                    w.strict = False if is_fallback else step.strict
                    w.keeps_rules = not is_fallback
                return _hole_of_step(step, w, steps)

            return structs.replace(row, via=Codec(via.read, write, via.place))

        def with_step_on_error(row: Row, invent: Callable[[WriteContext], Any]) -> Callable[[WriteContext], Any]:
            def make(w: WriteContext) -> Any:
                count = len(w.notes)
                try:
                    return invent(w)
                except ANY_ERROR:
                    del w.notes[count:]
                    return _hole_of_step(CodecStep(row, invent, None, _never), w, steps)

            return make

        table = copy.copy(target_table)
        table.order = tuple(map(with_step, target_table.order))
        table.rows = {row.wire: row for row in table.order}
        table.fallbacks = tuple(row for row in table.order if row.fallback)
        written = [(wire, invent) for wire, invent in target_table.invent.items() if wire in table.rows]
        table.invent = {wire: with_step_on_error(table.rows[wire], invent) for wire, invent in written}
        return table

    def _schema(
        self, record: Record, index: int, source_row: Row, target_row: Row | None, *, is_written: bool = True
    ) -> SchemaStep:
        local = {} if target_row is None else record.local.get(self.source.family, {})
        rules: Dialect | None = None
        if target_row is not None and target_row.hub == "input" and record.fields.get("strict") and self.options.strict:
            rules = next((row.via.rules for row in self.target.tool.order if row.via and row.via.rules), None)
        formats = self.source, self.target
        repaired = bool(record.notes)
        rows = source_row, target_row
        return SchemaStep(
            *(formats, self.options, index, rows, rules),
            memos=self._memos,
            local=local,
            repaired=repaired,
            is_written=is_written,
        )

    def _add_schema_checks(self, record: Record, steps: list[Step], unchanged: set[int | None]) -> None:
        """Add a step for each schema that has none: it has to be valid, even one that is not written.

        `unchanged` are the indices of the values that are written as they are.
        """
        with_steps = {step.value_index for step in steps if isinstance(step, SchemaStep)}
        for wire, value in record.raw.items():
            row = self.source.tool.rows[wire]
            if type(value) is Hole and row.hub in SCHEMAS and value.index not in with_steps:
                is_written = value.index in unchanged
                steps.append(self._schema(record, cast("int", value.index), row, None, is_written=is_written))


def _with_identifier_holes(document: JsonObject, record: Record, identifier: Identifier) -> JsonObject:
    """A document with holes for an identifier and the name in it, which its record gets, too."""
    holes = {name: Hole(index) for index, name in enumerate(document) if name in identifier.members}
    record.document = {**record.document, **holes}
    local = record.local.get(record.family, {})
    for name, hole in holes.items():
        place = at.join(name)
        for values in (record.raw, local):
            if place in values:
                values[place] = hole
        if record.places.get("name") == place:
            record.fields["name"] = hole
    return {**document, **holes}


def _hole_of_step(step: Step, w: WriteContext, steps: list[Step]) -> Hole:
    w.notes.append(Note(_STEP, str(len(steps))))
    steps.append(step)
    return Hole(None, len(steps) - 1)


def _write_with(via: Codec, hub: str) -> Callable[[WriteContext], Any]:
    return lambda w: via.write(w.fields[hub], w)


def _never(_: bytes) -> bool:
    return False


def _passes(via: Codec, options: Options) -> Callable[[bytes], Any]:
    """The function that decides whether a codec does not change a text."""
    passes = via.passes
    if isinstance(passes, re.Pattern):
        return passes.fullmatch
    if isinstance(passes, int):
        limit = options.description  # it replaces the limit of the target
        largest_size = 2 + (passes if isinstance(limit, UnsetType) else ENDLESS if limit is None else limit)
        return lambda text: len(text) <= largest_size  # there are at least as many bytes as characters
    return _never


def _is_refused(table: Table, document: JsonObject) -> bool:
    """Whether the check of a table refuses a document with holes, whatever schemas stand in them."""
    schemas = {row.tokens: ANY_SCHEMA for path in SCHEMAS for row in table.rows_of(path)}
    return table.check is not None and table.check(filled(document, schemas)) is not None


def _invalid_places(document: JsonObject, members: Members) -> Iterator[str]:
    """The places of a document that the model does not accept, or where it requires a member."""
    for name, member in members.by_name.items():
        value: Any = document.get(name, UNSET)
        if value is UNSET:
            if member.required:
                yield member.place
        elif value is None:
            if not member.nullable:
                yield member.place
        elif type(value) is Hole:
            pass
        elif member.inner is not None and type(value) is dict:
            yield from _invalid_places(cast("JsonObject", value), member.inner)
        elif member.inner is not None or (member.role == SCHEMA and value != {}):
            yield member.place
        else:
            try:
                member.check(encode_json(value))
            except ValueError:  # also msgspec's errors
                yield member.place


def _parts(
    holes: Sequence[tuple[int | None, int | None]], steps: Sequence[Step]
) -> Callable[[list[bytes]], tuple[bytes, ...]] | None:
    """The `parts` of a plan."""
    indices = [index if number is None else steps[number].value_index for index, number in holes]
    schemas = [step.value_index for step in steps if isinstance(step, SchemaStep)]
    # itemgetter of one index returns no tuple. A schema that is written in two places has two texts.
    if None in indices or len(indices) < 2 or any(indices.count(index) > 1 for index in schemas):
        return None
    return cast("Callable[[list[bytes]], tuple[bytes, ...]]", itemgetter(*cast("list[int]", indices)))
