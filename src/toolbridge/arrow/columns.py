"""Texts in Arrow columns, and columns of texts and losses, without an object for each row."""

# pyarrow comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as _compute

from ..bulk.text_converter import Span
from ..mapping.record import Notes

pc: Any = _compute  # its functions are made when it is imported

BLOCK: Final = 1 << 17
"""How many bytes cross at a time: about what stays in the caches of a processor."""

LOSSES: Final = pa.list_(
    pa.struct([
        pa.field("code", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("target", pa.string()),
    ])
)
"""The losses of a row. The codes are plain strings: Spark takes no dictionaries, and Parquet makes its own."""

_LARGEST: Final = (1 << 31) - 1

Array: TypeAlias = pa.Array


class Block(NamedTuple):
    """Some texts behind each other, and where they stand in `data`."""

    data: bytes
    spans: list[Span]


# texts that come in


def written_as(given: pa.DataType) -> pa.DataType:
    """The type of a column of written texts, by that of the column that was read. Raises TypeError for other data."""
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
    """The texts of a column in blocks, and the numbers of their rows (None: it is all rows).

    A block is one copy of its part of the column's buffer, as searching takes bytes.
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
    return _blocks(data, offsets, rows), rows


def _blocks(data: pa.Buffer | None, offsets: list[int], rows: list[int] | None) -> Iterator[Block]:
    first, size = 0, len(offsets) - 1
    done = 0
    while first < size:
        start = offsets[first]
        last = min(max(bisect_right(offsets, start + BLOCK) - 1, first + 1), size)
        own = [each - start for each in offsets[first : last + 1]]
        spans = list(pairwise(own))
        if rows is not None:
            until = bisect_right(rows, last - 1)
            spans = [spans[row - first] for row in rows[done:until]]
            done = until
        # A column of empty texts may have no buffer at all.
        yield Block(b"" if data is None else data.slice(start, offsets[last] - start).to_pybytes(), spans)
        first = last


def slices(data: bytes, spans: Sequence[Span]) -> Iterator[Block]:
    """Texts that stand somewhere in others, in blocks."""
    first, size = 0, len(spans)
    while first < size:
        start = spans[first][0]
        last = first + 1
        while last < size and spans[last][1] - start <= BLOCK:
            last += 1
        own = [(a - start, b - start) for a, b in spans[first:last]]
        yield Block(data[start : spans[last - 1][1]], own)
        first = last


# what goes out


def column(pieces: Iterable[bytes], lengths: Sequence[int | None], kind: pa.DataType) -> Array:
    """A column of texts, which stand behind each other in pieces; None is the length of one that is not there."""
    storage = kind.storage_type if isinstance(kind, pa.JsonType) else kind
    data = b"".join(pieces)
    if _is_large(storage) or _is_view(storage):
        offset, plain = pa.int64(), pa.large_binary() if _is_binary(storage) else pa.large_string()
    else:
        offset, plain = pa.int32(), storage
        if len(data) > _LARGEST:
            raise OverflowError(
                f"{len(data):,} bytes of tools do not fit into one column of {storage}: "
                "convert smaller batches, or a column of large_string"
            )
    ends = [0]
    put, end = ends.append, 0
    for length in lengths:
        end += length or 0
        put(end)
    valid = pa.array([each is not None for each in lengths], pa.bool_()).buffers()[1] if None in lengths else None
    made = pa.Array.from_buffers(plain, len(lengths), [valid, pa.array(ends, offset).buffers()[1], pa.py_buffer(data)])
    if plain != storage:
        made = pc.cast(made, storage)
    return pa.ExtensionArray.from_storage(kind, made) if isinstance(kind, pa.JsonType) else made


def _is_binary(storage: pa.DataType) -> bool:
    return bool(pa.types.is_large_binary(storage) or pa.types.is_binary_view(storage))


def losses(kinds: Sequence[Notes], which: Sequence[int | None]) -> Array:
    """A column of losses, by the number of each row's in a list of all that there are."""
    # What stands in the whole document (^) stands in that of the row.
    made = pa.array(
        [[(code, place.removeprefix("^"), target) for code, place, target in notes] for notes in kinds], LOSSES
    )
    return made.take(pa.array(which, pa.int32()))


def words(told: dict[int, list[str]], size: int) -> Array:
    """A column of a few texts, by the number of their rows."""
    if not told:
        return pa.nulls(size, pa.string())
    found: list[str | None] = [None] * size
    for row, texts in told.items():
        # What was found in a text may be no text.
        found[row] = "\n".join(texts).encode("utf-8", "backslashreplace").decode()
    return pa.array(found, pa.string())
