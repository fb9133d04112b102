"""SchemaMemo: what schemas became, by their bytes, in bounded memory."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

T = TypeVar("T")

_SIZE: Final = 8_000_000
"""How many bytes of schemas one memo keeps."""

_LARGEST: Final = 200_000
"""How many bytes a schema has at most that is kept."""

_ENTRY: Final = 500
"""About how many bytes an entry takes beside the texts."""


class SchemaMemo(Generic[T]):
    """What schemas became, by their bytes. It changes how long a conversion takes, and nothing else.

    Several threads may use it at once. Where it is full, it begins anew.
    """

    __slots__ = ("_left", "_size", "known")

    def __init__(self, size: int = _SIZE) -> None:
        self.known: dict[bytes, T] = {}
        self._left = self._size = size

    def add(self, text: bytes, entry: T, more: int) -> T:
        """Keep what a text became, which takes `more` bytes beside the text; answers it."""
        size = len(text) + more + _ENTRY
        if size > _LARGEST or size > self._size:
            return entry
        self._left -= size
        if self._left < 0:
            self.known = {}
            self._left = self._size - size
        self.known[text] = entry
        return entry
