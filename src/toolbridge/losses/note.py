"""Note: one loss while a document is being converted."""

from __future__ import annotations

from msgspec import Struct


class Note(Struct, frozen=True, gc=False):
    """A loss that is noted while an item is read or written; the report makes a `Loss` of it.

    Attributes:
        code: The code, such as `"TB101"`.
        source: The place in the source item, a JSON Pointer; if it starts with `^`, the place in the whole document.
        target: The place in the written item, or None if nothing was written.
    """

    code: str
    source: str
    target: str | None = None
