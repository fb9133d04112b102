"""FastCheck: whether the text of one tool is valid, found from the types of its members and the proof of its schema.

It says yes or nothing: a tool that it does not take is checked in full. Like the fast path it depends on no tool that
came before: what tools of one form share (which members they have, and which of them are null, empty or constant) is
checked in full once, on a document of that form with a simple name and a simple schema.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ..conversion.catalogue import catalogue_of
from ..data import pointer as at
from ..data.json_decoder import decode_json
from ..data.types import JsonObject
from ..errors import DocumentError
from ..formats.dialects import strict_dialect
from ..mapping.codecs import identity
from ..mapping.format import Format
from ..mapping.record import Record, Row
from ..schema import PLAIN
from .members import OTHER, SCHEMAS, TEXT, Members, is_deep
from .passthrough import Proof, proof
from .schema_step import ANY_SCHEMA

_MAX_FORMS: Final = 2048
"""How many forms are kept."""

_NAME: Final = "a"


class _FormCheck(NamedTuple):
    """What is checked of each tool of one form.

    Attributes:
        name: Where the name is.
        description: Where the description is; None if the format limits none, or there is none.
        schemas: Where schemas are, with their proofs.
    """

    name: tuple[str, ...]
    description: tuple[str, ...] | None
    schemas: tuple[tuple[tuple[str, ...], Proof, tuple[bytes, ...]], ...]


class FastCheck:
    """The fast check of tools of one format as those of another, or of the same; `is_valid` is the full check."""

    def __init__(self, source: Format, target: Format, is_valid: Callable[[JsonObject], bool]) -> None:
        self._source, self._target, self._is_valid = source, target, is_valid
        self._own = source is target
        self._members = Members(source.tool, source.tool.reads)
        self._forms: dict[tuple[Any, ...], _FormCheck | None] = {}
        self._longest = None if target.dialect is None else target.dialect.max_description
        self._names = target.names

    def name_of(self, text: bytes) -> str | None:
        """The name of the tool if it is valid; None if it has to be checked in full."""
        try:
            return self._name_of(text)
        except (ValueError, RecursionError, LookupError):  # also msgspec's errors
            return None

    def _name_of(self, text: bytes) -> str | None:
        split = self._members.split(text)
        if split is None:
            return None
        members, _, key = split
        if key not in self._forms:
            if len(self._forms) >= _MAX_FORMS:
                self._forms = {}
            self._forms[key] = self._new_form(text)
        found = self._forms[key]
        if found is None:
            return None
        name: str = _at(members, found.name)
        if not name.strip() or (self._names is not None and self._names.matches(name) is None):
            return None
        if found.description is not None and len(_at(members, found.description)) > (self._longest or 0):
            return None
        for place, proves, marks in found.schemas:
            schema = bytes(_at(members, place))
            if is_deep(schema) or any(mark in schema for mark in marks) or proves(schema) is None:
                return None
        return None if self._own and self._has_problems(text) else name

    def _has_problems(self, text: bytes) -> bool:
        """Whether a tool has errors that depend on its values."""
        target = self._target
        if target.problems is None and target.tool.check is None:
            return False
        value = decode_json(text)
        if target.tool.check is not None and target.tool.check(value) is not None:
            return True
        return target.problems is not None and next(iter(target.problems(value)), None) is not None

    def _new_form(self, text: bytes) -> _FormCheck | None:
        """What is checked of tools with the form of this one; None if they are checked in full."""
        source = self._source
        document: JsonObject = decode_json(text)
        shape = catalogue_of(document, source).shape
        if shape != "tool" or source.is_hosted(document) or source.is_group(document):
            return None
        rows = [row for place, row in source.tool.rows.items() if at.get(document, place, None) is not None]
        names = [row for row in rows if row.hub == "name" and not row.fallback]
        if len(names) != 1 or any(self._depends_on_value(row) for row in rows):
            return None
        schemas = [row for row in rows if row.hub in SCHEMAS and not row.fallback]
        for row in schemas:
            at.put(document, row.wire, ANY_SCHEMA)
        at.put(document, names[0].wire, _NAME)
        described = next((row for row in rows if row.hub == "description" and self._longest is not None), None)
        if described is not None:
            at.put(document, described.wire, _NAME)
        try:
            record = source.tool.open(document, source.family)
        except DocumentError:
            return None
        if not self._is_valid(document):
            return None
        proofs: list[tuple[tuple[str, ...], Proof, tuple[bytes, ...]]] = []
        for row in schemas:
            proves = self._proof(row, record)
            # A vendor's own tools are checked as they stand.
            marks = () if row.via is None or row.via.read is identity or self._own else row.via.reads
            if proves is None or marks is None:
                return None
            proofs.append((row.tokens, proves, marks))
        return _FormCheck(names[0].tokens, None if described is None else described.tokens, tuple(proofs))

    def _depends_on_value(self, row: Row) -> bool:
        """Whether it depends on more than the type of a value whether it is valid."""
        if row.hub in (*SCHEMAS, "name") or row.via is None or row.via.read is identity:
            return False
        member = self._members.member_at(row.tokens)
        return member is None or member.role in (TEXT, OTHER)

    def _proof(self, row: Row, record: Record) -> Proof | None:
        """The proof that a schema has nothing that the format refuses."""
        dialect = self._target.dialect
        if dialect is None or row.hub == "output":
            return proof(PLAIN, states=True)
        if self._own:
            strict = record.fields.get("strict") is True
            dialect = strict_dialect(dialect) if strict else dialect.fallback or dialect
        # What is written in another spelling, or without `$schema`, is not valid as it stands.
        return proof(dialect, states=True) if dialect.keywords is None else None


def _at(members: Any, tokens: tuple[str, ...]) -> Any:
    for token in tokens:
        members = members[token]
    return members
