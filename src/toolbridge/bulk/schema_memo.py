"""SchemaMemo: written schemas by the bytes of the source schema, in bounded memory."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

T = TypeVar("T")

_MEMO_SIZE: Final = 8_000_000
"""The bytes of schemas that one memo keeps."""

_MAX_ENTRY: Final = 200_000
"""The largest size in bytes of a schema that is kept."""

_ENTRY_OVERHEAD: Final = 500
"""The approximate bytes of an entry besides its texts."""


class SchemaMemo(Generic[T]):
    """A cache of written schemas by the bytes of the source schema; it only affects the time of a conversion.

    Several threads may use it at the same time. It is cleared when it is full.
    """

    __slots__ = ("_free", "_size", "entries")

    def __init__(self, size: int = _MEMO_SIZE) -> None:
        self.entries: dict[bytes, T] = {}
        self._free = self._size = size

    def add(self, text: bytes, entry: T, other_bytes: int) -> T:
        """Add the entry of a text, which has `other_bytes` besides the text. Returns the entry."""
        size = len(text) + other_bytes + _ENTRY_OVERHEAD
        if size > _MAX_ENTRY or size > self._size:
            return entry
        self._free -= size
        if self._free < 0:
            self.entries = {}
            self._free = self._size - size
        self.entries[text] = entry
        return entry
