"""Columns of Arrow as blocks of texts, and texts and losses as columns, without a Python object for each row."""

# pyarrow comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as _compute

from ..bulk.text_converter import Span
from ..data.pointer import absolute
from ..losses.note import Note

pc: Any = _compute  # its functions are created at import, so they have no types

BLOCK: Final = 1 << 17
"""How many bytes are converted at a time: about the size of a processor's cache."""

LOSSES: Final = pa.list_(
    pa.struct([
        pa.field("code", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("target", pa.string()),
    ])
)
"""The type of the losses of a row. Codes are plain strings: Spark accepts no dictionaries, Parquet makes its own."""

_LARGEST: Final = (1 << 31) - 1

Array: TypeAlias = pa.Array


class Block(NamedTuple):
    """Consecutive texts in `data`, and their spans."""

    data: bytes
    spans: list[Span]


# reading columns


def written_as(given: pa.DataType) -> pa.DataType:
    """The type of a column of written texts, from that of the column that was read. Raises TypeError for other data."""
    if isinstance(given, pa.DictionaryType):
        return written_as(given.value_type)
    if pa.types.is_null(given):
        return pa.string()
    if not _is_text(given.storage_type if isinstance(given, pa.JsonType) else given):
        raise TypeError(f"tools are JSON text (a column of strings or binary data), found {given}")
    return given


def _is_text(given: pa.DataType) -> bool:
    return bool(_is_view(given) or _is_large(given) or pa.types.is_string(given) or pa.types.is_binary(given))


def _is_view(given: pa.DataType) -> bool:
    return bool(pa.types.is_string_view(given) or pa.types.is_binary_view(given))


def _is_large(given: pa.DataType) -> bool:
    return bool(pa.types.is_large_string(given) or pa.types.is_large_binary(given))


def texts(column: Array) -> tuple[Iterator[Block], list[int] | None]:
    """The texts of a column in blocks, and the numbers of their rows (None: all rows have a text).

    A block copies its part of the column's buffer, because the converters need bytes.
    """
    if isinstance(column, pa.DictionaryArray):
        column = column.dictionary_decode()
    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if _is_view(column.type):
        column = pc.cast(column, pa.large_binary())
    rows = pc.indices_nonzero(column.is_valid()).to_pylist() if column.null_count else None
    if pa.types.is_null(column.type) or not len(column):
        return iter(()), [] if len(column) else None
    _, places, data = column.buffers()
    wide = memoryview(places).cast("q" if _is_large(column.type) else "i")
    offsets = wide[column.offset : column.offset + len(column) + 1].tolist()
    spans = list(pairwise(offsets)) if rows is None else [(offsets[row], offsets[row + 1]) for row in rows]
    return slices(b"" if data is None else data, spans), rows  # a column of empty texts may have no buffer at all


def slices(data: bytes | pa.Buffer, spans: Sequence[Span]) -> Iterator[Block]:
    """Spans of a text, in blocks."""
    view, first = memoryview(data), 0
    while first < len(spans):
        start = spans[first][0]
        last = max(bisect_right(spans, start + BLOCK, first, key=itemgetter(1)), first + 1)
        relative = [(a - start, b - start) for a, b in spans[first:last]]
        yield Block(bytes(view[start : spans[last - 1][1]]), relative)
        first = last


# writing columns


def column(pieces: Iterable[bytes], lengths: Sequence[int | None], kind: pa.DataType) -> Array:
    """A column of the texts in `pieces`, which are concatenated; a length of None is a null row."""
    storage = kind.storage_type if isinstance(kind, pa.JsonType) else kind
    data = b"".join(pieces)
    if _is_large(storage) or _is_view(storage):
        is_binary = pa.types.is_large_binary(storage) or pa.types.is_binary_view(storage)
        offset, plain = pa.int64(), pa.large_binary() if is_binary else pa.large_string()
    else:
        offset, plain = pa.int32(), storage
        if len(data) > _LARGEST:
            raise OverflowError(
                f"{len(data):,} bytes of tools do not fit into one column of {storage}: "
                "convert smaller batches, or a column of large_string"
            )
    ends = [0]
    append, end = ends.append, 0
    for length in lengths:
        end += length or 0
        append(end)
    valid = pa.array([length is not None for length in lengths], pa.bool_()).buffers()[1] if None in lengths else None
    array = pa.Array.from_buffers(plain, len(lengths), [valid, pa.array(ends, offset).buffers()[1], pa.py_buffer(data)])
    if plain != storage:
        array = pc.cast(array, storage)
    return pa.ExtensionArray.from_storage(kind, array) if isinstance(kind, pa.JsonType) else array


def losses(kinds: Sequence[list[Note]], which: Sequence[int | None]) -> Array:
    """A column of losses; `which` has, for each row, an index in `kinds`, the distinct lists of losses."""
    # A place in the whole document (^) is a place in the row, which is one document.
    distinct = pa.array(
        [[(note.code, absolute(note.source, ""), note.target) for note in notes] for notes in kinds], LOSSES
    )
    return distinct.take(pa.array(which, pa.int32()))


def error_column(messages: dict[int, list[str]], size: int) -> Array:
    """A column of messages, from those of a few rows by their numbers."""
    if not messages:
        return pa.nulls(size, pa.string())
    column: list[str | None] = [None] * size
    for row, texts in messages.items():
        # Messages may quote invalid Unicode.
        column[row] = "\n".join(texts).encode("utf-8", "backslashreplace").decode()
    return pa.array(column, pa.string())
