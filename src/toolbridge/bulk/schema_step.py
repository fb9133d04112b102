"""SchemaStep: a schema, by its text, on its way from a row of one format to a row of another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import msgspec
from msgspec import UNSET, Struct

from ..conversion.item import existing
from ..data import pointer as at
from ..data.types import Json, JsonObject
from ..mapping.format import Format
from ..mapping.record import DialectProof, Notes, Record, Row, WriteContext
from ..mapping.table import Table
from ..schema import Dialect, Options
from .holes import DOUBTS, HoleDocument, HoleError, HoleFields
from .members import is_deep, kind_at
from .passthrough import Proof, proof
from .schema_memo import SchemaMemo

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

ANY_SCHEMA: Final[JsonObject] = {"type": "object", "properties": {}}
"""A schema that every check takes."""

NO_NOTES: Final[Notes] = []


class Fitted(Struct, frozen=True, gc=False):
    """What became of a schema; `strict` as in `Writing`."""

    text: bytes
    notes: Notes
    way: JsonObject | None
    strict: bool | None


class SchemaStep:
    """A schema on its way from one row to another (None: nothing is done with it, but it has to be one).

    `leaf` is the number of its value, `number` that of the step. `local` is what else the document says for its family
    alone; `mended` is whether the document was repaired.
    """

    __slots__ = (
        *("_formats", "_kind", "_local", "_marks", "_memo", "_mended", "_options", "_proof", "_source", "_target"),
        *("leaf", "number", "strict"),
    )

    def __init__(
        self,
        formats: tuple[Format, Format],
        options: Options,
        leaf: int,
        rows: tuple[Row, Row | None],
        *,
        memos: dict[Any, SchemaMemo[Fitted | None]],
        local: Mapping[str, Any],
        mended: bool,
    ) -> None:
        source, target = rows
        self.leaf = leaf
        self.number = 0
        self._formats, self._options = formats, options
        self._source, self._target = rows
        self._local = local
        self._mended = mended
        self._memo: SchemaMemo[Fitted | None] = SchemaMemo()
        if not local:
            self._memo = memos.setdefault((source.wire, target and target.wire, mended), self._memo)
        self._kind = Any if target is None else kind_at(formats[1].tool.model, target.tokens)
        self._marks = () if source.via is None else source.via.reads
        self._proof: Proof | None = None
        self.strict: bool | None = None
        passes = None if target is None or target.via is None else target.via.passes
        if isinstance(passes, DialectProof):
            self._proof = proof(passes.dialect, states=True)
        elif isinstance(passes, Dialect):
            self._proof = proof(passes)
            self.strict = passes.closed

    def known(self, text: bytes) -> Fitted | None:
        """What the text of a schema becomes; None where that is left to the general road."""
        memo = self._memo
        found = memo.known.get(text, UNSET)
        if found is not UNSET:
            return found
        try:
            made = None if is_deep(text) else self._proved(text) or self._converted(text)
        except DOUBTS:
            made = None
        return memo.add(text, made, 0 if made is None or made.text is text else len(made.text))

    def _reads(self, text: bytes) -> bool:
        """Whether the source's row reads a schema as it stands."""
        marks = self._marks
        if marks is None:
            return False
        return not marks or all(mark not in text for mark in marks)

    def _proved(self, text: bytes) -> Fitted | None:
        if self._proof is None or self._target is None or not self._reads(text):
            return None
        found = self._proof(text)
        if found is None:
            return None
        if not found.notes:
            return Fitted(text, NO_NOTES, None, self.strict)
        here, there = self._source.wire, self._target.wire
        notes: Notes = [(code, here + place, None if to is None else there + to) for code, place, to in found.notes]
        return Fitted(found.text, notes, None, self.strict)

    def _converted(self, text: bytes) -> Fitted | None:
        """A schema over its two rows, as the general road takes it there."""
        value: Any = _decode(text)
        if _encode(value) != text:
            return None  # something stands in it twice, or is spelled in another way
        (form, to), source, target = self._formats, self._source, self._target
        _checked(form.tool, source, value)
        if target is None:
            return Fitted(text, NO_NOTES, None, None) if self._reads(text) else None
        hub = cast("str", source.hub)
        local = {form.family: {**self._local}} if self._local else {}
        reading = Record(form.tool, form.family, HoleDocument(), raw=HoleFields({source.wire: value}), local=local)
        said = value if source.via is None else source.via.read(value, reading)
        reading.fields, reading.places = HoleFields({hub: said}), HoleFields({hub: source.wire})
        w = WriteContext(
            reading, reading.fields, reading.places, [], {}, to.id, self._options, out=HoleDocument(), row=target
        )
        written = said if target.via is None else target.via.write(said, w)
        here = reading.local.get(form.family, {})
        if reading.markers or here != self._local or w.said or w.spoken or written is UNSET:
            return None
        _checked(to.tool, target, msgspec.convert(written, self._kind))
        notes = w.notes
        if self._mended:
            whole: JsonObject = {}
            at.put(whole, source.wire, value)
            notes = [(code, existing(whole, place), there) for code, place, there in notes]
        strict = w.strict if "strict" in to.tool.says else self.strict  # which nobody asks for elsewhere
        return Fitted(text if written is value else _encode(written), notes, w.way, strict)


def _checked(table: Table, row: Row, schema: Json) -> None:
    """Raises for a schema that the table does not take."""
    if table.check is None:
        return
    document: JsonObject = {}
    if row.hub != "input":
        at.put(document, table.rows_of("input")[0].wire, ANY_SCHEMA)
    if len(row.tokens) == 1:
        document[row.tokens[0]] = schema
    else:
        at.put(document, row.wire, schema)
    if table.check(document) is not None:
        raise HoleError
