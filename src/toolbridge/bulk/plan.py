"""Plan: how all tools of one form are converted, made by writing a document with holes by the target's table."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple, cast, get_args, get_origin

import msgspec
from msgspec import UNSET, UnsetType, structs

from ..conversion.catalogue import catalogue_of
from ..conversion.envelope import Context
from ..conversion.item import add_context
from ..data import pointer as at
from ..data.json_decoder import decode_as
from ..data.types import JsonObject
from ..mapping.codecs import ENDLESS
from ..mapping.description import missing
from ..mapping.format import Format
from ..mapping.record import Codec, Notes, Record, Row, WriteContext
from ..mapping.table import Table, without
from ..schema import Options
from .holes import DOUBTS, Hole, HoleError, filled, holes_in, pieces_of
from .members import OBJECT, SCHEMA, SCHEMAS, Members, kind_at
from .schema_memo import SchemaMemo
from .schema_step import ANY_SCHEMA, SchemaStep, WrittenSchema

_encode = msgspec.json.Encoder().encode

_STEP: Final = "\0"
"""The code that stands for the losses of a step among those of a plan."""


class Step(NamedTuple):
    """A value that is computed for each tool, by the codec of a row or by what the target invents.

    Attributes:
        row: The row of the target.
        make: Computes the value.
        leaf: The number of the value that the codec gets; None for what is invented.
        fits: Whether the text of that value is not changed.
    """

    row: Row
    make: Callable[[WriteContext], Any]
    leaf: int | None
    fits: Callable[[bytes], Any]


class Plan(NamedTuple):
    """How the tools of one form are converted. The values of a tool have numbers, in the order of the text.

    Attributes:
        pieces: The written text, with `%b` for each hole.
        holes: For each hole the number of its value, and that of the step that computes it.
        parts: Gives the values of the holes; None if a step always has to compute one.
        texts: The values that are strings, and have to be encoded.
        checks: The holes where the source's model accepts more than the target's, with a function that raises for that.
        typed: The same for the values that steps compute.
        steps: The steps.
        fits: The values of the steps, with their `fits`.
        schemas: The values of the schemas, with their steps.
        notes: The losses if no step has any.
        marked: The losses, with a mark for those of each step.
        argument_map: The map of the arguments to those of the source; None if they are the same.
        name: The number of the name.
        named: The number of the hole for the name of the written tool.
        like: The record of a tool of this form.
        fields: The fields of the hub that differ from tool to tool, with the numbers of their values; no schemas.
    """

    pieces: bytes
    holes: tuple[tuple[int | None, int | None], ...]
    parts: Callable[[list[bytes]], tuple[bytes, ...]] | None
    texts: tuple[int, ...]
    checks: tuple[tuple[int, Callable[[bytes], Any]], ...]
    typed: tuple[tuple[int, Callable[[bytes], Any]], ...]
    steps: tuple[Step | SchemaStep, ...]
    fits: tuple[tuple[int, Callable[[bytes], Any]], ...]
    schemas: tuple[tuple[int, SchemaStep], ...]
    notes: Notes
    marked: Notes
    argument_map: JsonObject | None
    name: int
    named: int
    like: Record
    fields: tuple[tuple[str, int], ...]

    def with_notes(self, step_notes: list[Notes]) -> Notes:
        """The losses of a tool, with those of its steps."""
        if not any(step_notes):
            return self.notes
        notes: Notes = []
        for note in self.marked:
            notes += step_notes[int(note[1])] if note[0] is _STEP else (note,)
        return [*dict.fromkeys(notes)]


class Planner:
    """Makes the plans of one bridge. `context` are the values of the envelope that belong to the tools."""

    def __init__(self, source: Format, target: Format, options: Options, context: Context) -> None:
        self.source, self.target, self.options = source, target, options
        self.members = Members(source.tool, source.tool.reads)
        self._context = context
        self._memos: dict[Any, SchemaMemo[WrittenSchema | None]] = {}

    def plan(self, document: JsonObject) -> Plan | None:
        """The plan for a document with holes; None if it takes the general path."""
        try:
            return self._plan(document)
        except DOUBTS:
            return None

    def _plan(self, document: JsonObject) -> Plan | None:
        source, target = self.source, self.target
        shape = catalogue_of(document, source).shape
        if shape != "tool" or source.is_hosted(document) or source.is_group(document):
            return None
        reading = self._read(document)
        if reading is None:
            return None
        name = reading.fields.get("name")
        if type(name) is not Hole or any(type(reading.fields.get(path)) is Hole for path in ("toolkit", "version")):
            return None  # these fields identify a tool
        if self.options.describe and missing(target.tool, reading.fields, self.options.describe):
            return None  # the description depends on their values
        for place, value in reading.local.get(source.family, {}).items():
            if type(value) is Hole and target.tool.rows.get(place) not in (None, source.tool.rows.get(place)):
                return None  # it depends on the value whether the row of the target accepts it
        steps: list[Step | SchemaStep] = []
        table = self._traced(reading, steps)
        notes: Notes = [(code, place, None) for code, place in reading.notes]
        argument_maps: list[JsonObject | None] = []
        out = table.write(
            reading, target.family, notes, target=target.id, options=self.options, argument_maps=argument_maps
        )
        if table.check is not None and table.check(filled(out, _any_schema(target.tool))) is not None:
            return None
        if reading.notes:
            notes = [(code, place if code is _STEP else at.existing(document, place), to) for code, place, to in notes]
        self._add_schema_checks(reading, steps)
        pieces, places_and_holes = pieces_of(out)
        holes = tuple((hole.leaf, hole.step) for _, hole in places_and_holes)
        used = {leaf for leaf, _ in holes if leaf is not None} | {step.leaf for step in steps if step.leaf is not None}
        schemas = [step for step in steps if isinstance(step, SchemaStep)]
        places = {hole.leaf: tokens for tokens, hole in holes_in(document)}
        return Plan(
            pieces,
            holes,
            _parts(holes, steps),
            tuple(leaf for leaf in sorted(used) if not self._is_text(places[leaf])),
            *self._typed(places_and_holes, places, steps),
            tuple(steps),
            tuple((step.leaf, step.fits) for step in steps if isinstance(step, Step) and step.leaf is not None),
            tuple((step.leaf, step) for step in schemas),
            [*dict.fromkeys(note for note in notes if note[0] is not _STEP)],
            notes,
            argument_maps[0],
            cast("int", name.leaf),
            next(n for n, (tokens, _) in enumerate(places_and_holes) if tokens == target.tool.name),
            reading,
            tuple(
                (path, cast("int", value.leaf))
                for path, value in reading.fields.items()
                if type(value) is Hole and path not in SCHEMAS
            ),
        )

    def _typed(
        self,
        places_and_holes: Sequence[tuple[tuple[str, ...], Hole]],
        places: Mapping[int | None, tuple[str, ...]],
        steps: Sequence[Step | SchemaStep],
    ) -> tuple[tuple[tuple[int, Callable[[bytes], Any]], ...], tuple[tuple[int, Callable[[bytes], Any]], ...]]:
        """The `checks` and `typed` of a plan."""
        checks: list[tuple[int, Callable[[bytes], Any]]] = []
        typed: list[tuple[int, Callable[[bytes], Any]]] = []
        for number, (tokens, hole) in enumerate(places_and_holes):
            kind = kind_at(self.target.tool.model, tokens)
            if kind is Any or (get_origin(kind) is dict and get_args(kind)[1:] == (Any,)):
                continue  # a schema is always an object
            leaf = hole.leaf if hole.step is None else steps[hole.step].leaf
            decode = decode_as(kind)
            has_same_type = leaf is not None and kind == kind_at(self.source.tool.reads, places[leaf])
            if not has_same_type:
                checks.append((number, decode))
            if not has_same_type or hole.step is not None:
                typed.append((number, decode))
        return tuple(checks), tuple(typed)

    def _is_text(self, tokens: tuple[str, ...]) -> bool:
        """Whether the value at a place is kept as text."""
        members: Members | None = self.members
        leaf = None
        for token in tokens:
            leaf = None if members is None else members.leaves.get(token)
            members = None if leaf is None else leaf.inner
        return leaf is None or leaf.role >= SCHEMA

    # reading

    def _read(self, document: JsonObject) -> Record | None:
        """The record of a document of holes; None if its form is not valid, even after repair."""
        table, family = self.source.tool, self.source.family
        repaired, nulls = document, list[str]()
        flaws = [*_flaws(document, self.members)]
        if flaws:
            nulls = table.nulls(table.visit(document, family))
            repaired = without(document, nulls)
            if not {*flaws} <= {*nulls} or [*_flaws(repaired, self.members)]:
                return None
        if table.check is not None and table.check(filled(repaired, _any_schema(table))) is not None:
            return None
        reading = table.visit(repaired, family)
        meanings = {wire: (path, None if path in SCHEMAS else via) for wire, (path, via) in table.meanings.items()}
        if any(meanings[wire][0] in SCHEMAS and type(value) is not Hole for wire, value in reading.raw.items()):
            return None
        table.read_fields(reading, meanings)
        reading.notes = [("TB001", place) for place in nulls]
        add_context(reading, self._context)
        return reading

    # writing

    def _traced(self, reading: Record, steps: list[Step | SchemaStep]) -> Table:
        """The table of the target, with codecs that add a step where they get a hole."""
        source, target = self.source.tool, self.target.tool
        if source is target:
            return target

        def traced(row: Row) -> Row:
            via = row.via
            if via is None or (self.source.family == self.target.family and source.rows.get(row.wire) is row):
                return row

            def write(value: Any, w: WriteContext) -> Any:
                if type(value) is not Hole:
                    return via.write(value, w)
                hub = cast("str", row.hub)
                if value.leaf is None:
                    raise HoleError
                if hub not in SCHEMAS:
                    fits = _fits(via, self.options)
                    return _hole_of_step(Step(row, _write_with(via, hub), value.leaf, fits), w, steps)
                count = len(w.notes)
                try:
                    if via.write(value, w) is UNSET:
                        return UNSET  # for every schema: this edition has it at another place
                except DOUBTS:
                    pass
                del w.notes[count:]
                step = self._schema(reading, value.leaf, source.rows[w.places[hub]], row)
                if hub == "input":
                    w.strict = step.strict
                return _hole_of_step(step, w, steps)

            return structs.replace(row, via=Codec(via.read, write, via.place))

        def invents(row: Row, invent: Callable[[WriteContext], Any]) -> Callable[[WriteContext], Any]:
            def make(w: WriteContext) -> Any:
                count = len(w.notes)
                try:
                    return invent(w)
                except DOUBTS:
                    del w.notes[count:]
                    return _hole_of_step(Step(row, invent, None, _never_fits), w, steps)

            return make

        table = copy.copy(target)
        table.order = tuple(map(traced, target.order))
        table.rows = {row.wire: row for row in table.order}
        table.fallbacks = tuple(row for row in table.order if row.fallback)
        written = [(wire, invent) for wire, invent in target.invent.items() if wire in table.rows]
        table.invent = {wire: invents(table.rows[wire], invent) for wire, invent in written}
        return table

    def _schema(self, reading: Record, leaf: int, source: Row, target: Row | None) -> SchemaStep:
        local = {} if target is None else reading.local.get(self.source.family, {})
        formats = self.source, self.target
        repaired = bool(reading.notes)
        rows = source, target
        return SchemaStep(formats, self.options, leaf, rows, memos=self._memos, local=local, repaired=repaired)

    def _add_schema_checks(self, reading: Record, steps: list[Step | SchemaStep]) -> None:
        """Add a step for each schema that has none: it has to be valid even if it is not written."""
        seen = {step.leaf for step in steps if isinstance(step, SchemaStep)}
        for wire, value in reading.raw.items():
            row = self.source.tool.rows[wire]
            if type(value) is Hole and row.hub in SCHEMAS and value.leaf not in seen:
                steps.append(self._schema(reading, cast("int", value.leaf), row, None))
        for number, step in enumerate(steps):
            if isinstance(step, SchemaStep):
                step.number = number


def _hole_of_step(step: Step | SchemaStep, w: WriteContext, steps: list[Step | SchemaStep]) -> Hole:
    w.notes.append((_STEP, str(len(steps)), None))
    steps.append(step)
    return Hole(None, len(steps) - 1)


def _write_with(via: Codec, hub: str) -> Callable[[WriteContext], Any]:
    return lambda w: via.write(w.fields[hub], w)


def _never_fits(_: bytes) -> bool:
    return False


def _fits(via: Codec, options: Options) -> Callable[[bytes], Any]:
    """The function that decides whether a codec does not change a text."""
    passes = via.passes
    if isinstance(passes, re.Pattern):
        return passes.fullmatch
    if isinstance(passes, int):
        limit = options.description  # it replaces the limit of the target
        largest_size = 2 + (passes if isinstance(limit, UnsetType) else ENDLESS if limit is None else limit)
        return lambda text: len(text) <= largest_size  # there are at least as many bytes as characters
    return _never_fits


def _any_schema(table: Table) -> dict[tuple[str, ...], Any]:
    """A schema for each place of schemas in a table."""
    return {row.tokens: ANY_SCHEMA for path in SCHEMAS for row in table.rows_of(path)}


def _flaws(document: JsonObject, members: Members) -> Iterator[str]:
    """The places of a document that the model does not accept, or where it requires a member."""
    for key, leaf in members.leaves.items():
        value: Any = document.get(key, UNSET)
        if value is UNSET:
            if leaf.required:
                yield leaf.place
        elif value is None:
            if not leaf.nullable:
                yield leaf.place
        elif type(value) is Hole:
            pass
        elif leaf.role == OBJECT and type(value) is dict:
            if leaf.inner is not None:
                yield from _flaws(cast("JsonObject", value), leaf.inner)
        elif leaf.role in (OBJECT, SCHEMA):
            yield leaf.place
        else:
            try:
                leaf.check(_encode(value))
            except msgspec.MsgspecError:
                yield leaf.place


def _parts(
    holes: Sequence[tuple[int | None, int | None]], steps: Sequence[Step | SchemaStep]
) -> Callable[[list[bytes]], tuple[bytes, ...]] | None:
    """The `parts` of a plan."""
    leaves = [leaf if number is None else steps[number].leaf for leaf, number in holes]
    schemas = [step.leaf for step in steps if isinstance(step, SchemaStep)]
    if None in leaves or len(leaves) < 2 or any(leaves.count(leaf) > 1 for leaf in schemas):
        return None
    return cast("Callable[[list[bytes]], tuple[bytes, ...]]", itemgetter(*cast("list[int]", leaves)))
