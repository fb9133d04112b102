"""SchemaStep: the conversion of the text of a schema from a row of one format to a row of another."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Final, cast

from msgspec import UNSET, Struct

from ..data import pointer as at
from ..data.json_decoder import convert_to, decode_as, decode_json, encode_json
from ..data.types import Json, JsonObject
from ..losses.note import Note
from ..mapping.format import Format
from ..mapping.record import DialectProof, Record, Row, WriteContext
from ..mapping.table import Table
from ..schema import PLAIN, Dialect, Options, keeps
from .holes import ANY_ERROR, HoleError, PartialFields, UnknownDocument
from .members import is_deep, kind_at
from .passthrough import Proof, proof

ANY_OBJECT: Final = dict[str, Any]
"""The type of the schemas of which a model knows nothing."""

ANY_SCHEMA: Final[JsonObject] = {"type": "object", "properties": {}}
"""A schema that every table accepts."""

NO_NOTES: Final[list[Note]] = []

_NOTE_SIZE: Final = 300
"""The approximate bytes of a loss with its places."""

_SIZE: Final = 8_000_000
"""The approximate bytes of schemas that the memos of one bridge keep together."""

_MAX_ENTRY: Final = 200_000
"""The largest size in bytes of a schema that is kept."""

_ENTRY_OVERHEAD: Final = 500
"""The approximate bytes of an entry besides its texts."""


class WrittenSchema(Struct, frozen=True, gc=False):
    """A schema in the target format.

    Attributes:
        text: The written schema.
        notes: Its losses.
        argument_map: The map of its arguments to those of the source schema; None if they are the same.
        is_fallback: Whether its tool is not strict, although it would be if the schema kept the strict rules.
    """

    text: bytes
    notes: list[Note]
    argument_map: JsonObject | None
    is_fallback: bool = False


class SchemaMemo:
    """A cache of written schemas by the bytes of the source schema; it only affects the time of a conversion.

    Several threads may use it at the same time.
    """

    __slots__ = ("_memos", "entries")

    def __init__(self, memos: MemoStore) -> None:
        self.entries: dict[bytes, WrittenSchema | None] = {}
        self._memos = memos

    def add(self, text: bytes, entry: WrittenSchema | None, other_bytes: int) -> WrittenSchema | None:
        """Add the entry of a text, which has `other_bytes` besides the text. Returns the entry."""
        if self._memos.take(self, len(text) + other_bytes + _ENTRY_OVERHEAD):
            self.entries[text] = entry
        return entry


class MemoStore:
    """The memos of one bridge. When they are full together, all of them are cleared: there may be thousands, as what is
    written depends on the fields of a tool that only its family has.
    """

    def __init__(self, size: int = _SIZE) -> None:
        self._free = self._size = size
        self._shared: dict[Hashable, SchemaMemo] = {}
        self._used: set[SchemaMemo] = set()

    def memo(self, key: Hashable) -> SchemaMemo:
        """The memo for a key; a new one for None."""
        return SchemaMemo(self) if key is None else self._shared.setdefault(key, SchemaMemo(self))

    def take(self, memo: SchemaMemo, size: int) -> bool:
        """Take so many bytes for an entry of a memo; false if it is too large to be kept."""
        if size > _MAX_ENTRY or size > self._size:
            return False
        self._free -= size
        if self._free < 0:
            used, self._used = self._used, set()
            for each in tuple(used):  # another thread may still add one
                each.entries = {}
            self._free = self._size - size
        self._used.add(memo)
        return True


class SchemaStep:
    """The conversion of a schema from one row to another, or only its validation if there is no other row.

    `rules` are the strict rules that a schema has to keep, as it is written, so that its tool is strict; `local` is
    what else the document says for its family alone. Without a target row, `is_written` is whether the schema is
    written as it is.

    Attributes:
        value_index: The index of the value in the tool.
        strict: Whether the schemas that it writes keep the rules of a strict dialect, as in `WriteContext`, unless they
            are written by its fallback.
    """

    __slots__ = (
        *("_changed_by", "_formats", "_is_any_object", "_is_written", "_kind", "_local", "_memo", "_options", "_proof"),
        *("_repaired", "_rules", "_source_row", "_target_row", "_verify", "strict", "value_index"),
    )

    def __init__(
        self,
        formats: tuple[Format, Format],
        options: Options,
        value_index: int,
        rows: tuple[Row, Row | None],
        rules: Dialect | None = None,
        *,
        memos: MemoStore,
        local: Mapping[str, Any],
        repaired: bool,
        is_written: bool = True,
    ) -> None:
        source, target = self._source_row, self._target_row = rows
        self.value_index = value_index
        self._formats, self._options = formats, options
        self._local = local
        self._repaired = repaired
        self._is_written = is_written
        self._rules = rules
        # What is written depends on `local`, too.
        key = source.wire, target and target.wire, rules and rules.id, repaired, is_written
        self._memo = memos.memo(None if local else key)
        self._kind = Any if target is None else kind_at(formats[1].tool.model, target.tokens)
        self._is_any_object = self._kind == ANY_OBJECT
        kind = kind_at(formats[0].tool.reads, source.tokens)
        self._verify = None if kind == ANY_OBJECT else decode_as(kind)
        self._changed_by = () if source.via is None else source.via.reads
        self._proof: Proof | None = None
        self.strict: bool | None = None
        passes = None if target is None or target.via is None else target.via.passes
        if target is None:
            self._proof = proof(PLAIN, states=True)  # it only has to be valid
        elif isinstance(passes, DialectProof):
            self._proof = proof(passes.dialect, states=True, described=passes.described)
        elif isinstance(passes, Dialect):
            self._proof = proof(passes)
            self.strict = passes.closed_objects

    def convert(self, text: bytes) -> WrittenSchema | None:
        """The schema in the target format; None if the tool takes the general path."""
        memo = self._memo
        schema = memo.entries.get(text, UNSET)
        if schema is not UNSET:
            return schema
        schema = None
        try:
            if not is_deep(text):
                proved = None if self._proof is None else self._proof(text)
                if proved is None or not self._is_read_unchanged(text):
                    schema = self._converted(text)
                else:
                    written, lacks_draft = proved
                    notes = [Note("TB103", f"{self._source_row.wire}/$schema")] if lacks_draft else NO_NOTES
                    schema = WrittenSchema(written, notes, None, not self._keeps_rules(written))
        except ANY_ERROR:
            pass
        other_bytes = 0
        if schema is not None:
            other_bytes = _NOTE_SIZE * len(schema.notes) + (0 if schema.text is text else len(schema.text))
            other_bytes += 0 if schema.argument_map is None else len(text)  # which is about its size
        return memo.add(text, schema, other_bytes)

    def _is_read_unchanged(self, text: bytes) -> bool:
        """Whether the codec of the source leaves the schema as it is."""
        parts = self._changed_by
        return parts is not None and not (parts and any(part in text for part in parts))

    def _keeps_rules(self, written: bytes | JsonObject) -> bool:
        """Whether a written schema keeps the strict rules, if there are any."""
        rules = self._rules
        if rules is None:
            return True
        return keeps(decode_json(written) if isinstance(written, bytes) else written, rules)

    def _converted(self, text: bytes) -> WrittenSchema | None:
        """The schema as the general path writes it, by the codecs of both rows."""
        if self._verify is not None:
            self._verify(text)
        value: Any = decode_json(text)
        if encode_json(value) != text:
            return None  # a member is a duplicate, or not in the usual spelling
        (source_format, target_format), source, target = self._formats, self._source_row, self._target_row
        _require_valid(source_format.tool, source, value)
        hub = cast("str", source.hub)
        family = source_format.family
        local = {family: {**self._local}} if self._local else {}
        raw = PartialFields({source.wire: value})
        record = Record(source_format.tool, family, UnknownDocument(), raw=raw, local=local)
        schema = value if source.via is None else source.via.read(value, record)
        own_fields = record.local.get(family, {})
        if record.markers or record.notes or own_fields != self._local:
            return None
        if target is None:
            is_right = not self._is_written or self._is_read_unchanged(text)
            return WrittenSchema(text, NO_NOTES, None) if is_right else None
        record.fields, record.places = PartialFields({hub: schema}), PartialFields({hub: source.wire})
        out = UnknownDocument()
        w = WriteContext(
            record, record.fields, record.places, [], {}, target_format.id, self._options, out=out, row=target
        )
        written = schema if target.via is None else target.via.write(schema, w)
        if w.written_fields or w.written_places or written is UNSET:
            return None
        is_fallback = "strict" in target_format.tool.hub_fields and w.strict is not self.strict
        if is_fallback and (hub != "input" or not self.strict):
            return None  # the flag of the tool is that of other schemas
        is_fallback = is_fallback or not self._keeps_rules(written)
        has_type = self._is_any_object and type(written) is dict
        _require_valid(target_format.tool, target, written if has_type else convert_to(written, self._kind))
        notes = w.notes
        if self._repaired:
            whole: JsonObject = {}
            at.put(whole, source.wire, value)
            notes = [Note(note.code, at.existing(whole, note.source), note.target) for note in notes]
        return WrittenSchema(text if written is value else encode_json(written), notes, w.argument_map, is_fallback)


def _require_valid(table: Table, row: Row, schema: Json) -> None:
    """Raises HoleError for a schema that the table does not accept."""
    if table.check is None:
        return
    document = schema
    for token in reversed(row.tokens):
        document = {token: document}
    if row.hub != "input":
        at.put(document, table.rows_of("input")[0].wire, ANY_SCHEMA)
    if table.check(document) is not None:
        raise HoleError
