"""SchemaStep: the conversion of the text of a schema from a row of one format to a row of another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import msgspec
from msgspec import UNSET, Struct

from ..data import pointer as at
from ..data.json_decoder import decode_as, decode_json
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

ANY_OBJECT: Final = dict[str, Any]
"""The type of the schemas of which a model knows nothing."""

ANY_SCHEMA: Final[JsonObject] = {"type": "object", "properties": {}}
"""A schema that every table accepts."""

NO_NOTES: Final[Notes] = []


class WrittenSchema(Struct, frozen=True, gc=False):
    """A schema in the target format.

    Attributes:
        text: The written schema.
        notes: Its losses.
        argument_map: The map of its arguments to those of the source schema; None if they are the same.
        strict: Whether it keeps the rules of a strict dialect, as in `WriteContext`.
    """

    text: bytes
    notes: Notes
    argument_map: JsonObject | None
    strict: bool | None


class SchemaStep:
    """The conversion of a schema from one row to another, or only its validation if there is no other row.

    Attributes:
        leaf: The number of the value in the tool.
        number: The number of the step in the plan.
        strict: Whether a plan is made for schemas that keep the rules of a strict dialect.

    Args:
        formats: The source and the target format.
        options: How schemas are written.
        leaf: The number of the value in the tool.
        rows: The rows of the source and the target.
        memos: The memos of the bridge, which steps with the same rows share.
        local: What else the document says for its family alone.
        repaired: Whether the document was repaired.
    """

    __slots__ = (
        *("_formats", "_is_any_object", "_kind", "_local", "_marks", "_memo", "_options", "_proof", "_repaired"),
        *("_source", "_target", "_verify", "leaf", "number", "strict"),
    )

    def __init__(
        self,
        formats: tuple[Format, Format],
        options: Options,
        leaf: int,
        rows: tuple[Row, Row | None],
        *,
        memos: dict[Any, SchemaMemo[WrittenSchema | None]],
        local: Mapping[str, Any],
        repaired: bool,
    ) -> None:
        source, target = rows
        self.leaf = leaf
        self.number = 0
        self._formats, self._options = formats, options
        self._source, self._target = rows
        self._local = local
        self._repaired = repaired
        self._memo: SchemaMemo[WrittenSchema | None] = SchemaMemo()
        if not local:
            self._memo = memos.setdefault((source.wire, target and target.wire, repaired), self._memo)
        self._kind = Any if target is None else kind_at(formats[1].tool.model, target.tokens)
        self._is_any_object = self._kind == ANY_OBJECT
        kind = kind_at(formats[0].tool.reads, source.tokens)
        self._verify = None if kind == ANY_OBJECT else decode_as(kind)
        self._marks = () if source.via is None else source.via.reads
        self._proof: Proof | None = None
        self.strict: bool | None = None
        passes = None if target is None or target.via is None else target.via.passes
        if isinstance(passes, DialectProof):
            self._proof = proof(passes.dialect, states=True, described=passes.described)
        elif isinstance(passes, Dialect):
            self._proof = proof(passes)
            self.strict = passes.closed

    def convert(self, text: bytes) -> WrittenSchema | None:
        """The schema in the target format; None if the tool takes the general path."""
        memo = self._memo
        schema = memo.entries.get(text, UNSET)
        if schema is not UNSET:
            return schema
        schema = None
        try:
            if not is_deep(text):
                prove = self._proof
                if prove is None or (written := prove(text)) is None or not self._reads(text):
                    schema = self._converted(text)
                else:
                    notes: Notes = [("TB103", f"{self._source.wire}/$schema", None)] if written[1] else NO_NOTES
                    schema = WrittenSchema(written[0], notes, None, self.strict)
        except DOUBTS:
            pass
        return memo.add(text, schema, 0 if schema is None or schema.text is text else len(schema.text))

    def _reads(self, text: bytes) -> bool:
        """Whether the codec of the source leaves the schema as it is."""
        marks = self._marks
        return marks is not None and not (marks and any(mark in text for mark in marks))

    def _converted(self, text: bytes) -> WrittenSchema | None:
        """The schema as the general path writes it, by the codecs of both rows."""
        if self._verify is not None:
            self._verify(text)
        value: Any = decode_json(text)
        if _encode(value) != text:
            return None  # a member is a duplicate, or not in the usual spelling
        (form, to), source, target = self._formats, self._source, self._target
        _checked(form.tool, source, value)
        if target is None:
            return WrittenSchema(text, NO_NOTES, None, None) if self._reads(text) else None
        hub = cast("str", source.hub)
        local = {form.family: {**self._local}} if self._local else {}
        reading = Record(form.tool, form.family, HoleDocument(), raw=HoleFields({source.wire: value}), local=local)
        schema = value if source.via is None else source.via.read(value, reading)
        reading.fields, reading.places = HoleFields({hub: schema}), HoleFields({hub: source.wire})
        w = WriteContext(
            reading, reading.fields, reading.places, [], {}, to.id, self._options, out=HoleDocument(), row=target
        )
        written = schema if target.via is None else target.via.write(schema, w)
        own_fields = reading.local.get(form.family, {})
        if reading.markers or own_fields != self._local or w.written_fields or w.written_places or written is UNSET:
            return None
        is_typed = self._is_any_object and type(written) is dict
        _checked(to.tool, target, written if is_typed else msgspec.convert(written, self._kind))
        notes = w.notes
        if self._repaired:
            whole: JsonObject = {}
            at.put(whole, source.wire, value)
            notes = [(code, at.existing(whole, place), target_place) for code, place, target_place in notes]
        strict = w.strict if "strict" in to.tool.hub_fields else self.strict  # other formats have no field for it
        return WrittenSchema(text if written is value else _encode(written), notes, w.argument_map, strict)


def _checked(table: Table, row: Row, schema: Json) -> None:
    """Raises HoleError for a schema that the table does not accept."""
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
