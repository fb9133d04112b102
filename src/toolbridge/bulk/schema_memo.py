"""SchemaMemo: written schemas by the bytes of the source schema, in bounded memory."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_SIZE: Final = 8_000_000
"""The approximate bytes of schemas that the memos of one bridge keep together."""

_MAX_ENTRY: Final = 200_000
"""The largest size in bytes of a schema that is kept."""

_ENTRY_OVERHEAD: Final = 500
"""The approximate bytes of an entry besides its texts."""


class MemoStore(Generic[T]):
    """The memos of one bridge. When they are full together, all of them are cleared: there may be thousands, as what is
    written depends on the fields of a tool that only its family has.
    """

    def __init__(self, size: int = _SIZE) -> None:
        self._free = self._size = size
        self._shared: dict[Hashable, SchemaMemo[T]] = {}
        self._used: set[SchemaMemo[T]] = set()

    def memo(self, key: Hashable) -> SchemaMemo[T]:
        """The memo for a key; a new one for None."""
        return SchemaMemo(self) if key is None else self._shared.setdefault(key, SchemaMemo(self))

    def take(self, memo: SchemaMemo[T], size: int) -> bool:
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


class SchemaMemo(Generic[T]):
    """A cache of written schemas by the bytes of the source schema; it only affects the time of a conversion.

    Several threads may use it at the same time.
    """

    __slots__ = ("_memos", "entries")

    def __init__(self, memos: MemoStore[T]) -> None:
        self.entries: dict[bytes, T] = {}
        self._memos = memos

    def add(self, text: bytes, entry: T, other_bytes: int) -> T:
        """Add the entry of a text, which has `other_bytes` besides the text. Returns the entry."""
        if self._memos.take(self, len(text) + other_bytes + _ENTRY_OVERHEAD):
            self.entries[text] = entry
        return entry
