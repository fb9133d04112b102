"""Conversion of Parquet and JSON Lines files to Parquet or JSON Lines files in parts, in constant memory.

A part is a range of bytes of JSON Lines, or some row groups of Parquet, and becomes one file, whose name depends only
on the order of the parts. The file gets its name when it is complete, so a part may be converted again.
"""

# pyarrow comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, Literal, NamedTuple, TypeAlias, Unpack, cast

import pyarrow as pa
import pyarrow.compute as _compute
import pyarrow.parquet as pq
from msgspec import Struct
from pyarrow import fs

from ..bulk.layout import lines_of
from ..characters import visible_json
from ..data.json_decoder import encode_json
from ..data.output import check_apart
from ..errors import ToolbridgeError
from ..formats.format_names import FormatName
from ..mapping.format import Format
from .columns import Array, slices
from .kernel import Kernel, KernelOptions

pc: Any = _compute  # its functions are created at import, so they have no types

Form: TypeAlias = Literal["parquet", "jsonl"]

Path: TypeAlias = "str | os.PathLike[str]"
"""A path, or the URI of a file system that pyarrow supports: `s3://`, `gs://`, `abfs://`, `hdfs://`."""

SIZE: Final = 64_000_000
"""The approximate size of a part in bytes."""

_READ: Final = 8_000_000
_ROWS: Final = 8192
_PARQUET: Final = (".parquet", ".pq")
_PACKED: Final = (".gz", ".zst")
_OTHERS: Final = (".arrow", ".avro", ".csv", ".feather", ".ipc", ".orc", ".tsv", ".xlsx")
"""Files that are neither Parquet nor JSON Lines, which any other file is."""


class Part(Struct, frozen=True):
    """A part of an input file, and its output file.

    `start` and `end` are bytes of JSON Lines (the part has the lines that begin between them) or row groups of Parquet.
    `report` is the file for losses and errors of JSON Lines, which Parquet has in its columns (None: no file).
    """

    path: str
    start: int
    end: int
    out: str
    report: str | None = None


class Summary(Struct, frozen=True):
    """The number of rows, of rows with a converted tool, of rows with an error, and of losses by their codes."""

    rows: int = 0
    written: int = 0
    failed: int = 0
    losses: dict[str, int] = {}

    def __add__(self, other: Summary) -> Summary:
        counts = dict(sorted((Counter(self.losses) + Counter(other.losses)).items()))
        return Summary(self.rows + other.rows, self.written + other.written, self.failed + other.failed, counts)

    @classmethod
    def of(cls, batch: pa.RecordBatch, column: str) -> Summary:
        """The summary of a converted batch."""
        codes = batch.column("losses").flatten().field("code")
        counts = {count["values"]: count["counts"] for count in pc.value_counts(codes).to_pylist()}
        written, error = batch.column(column), batch.column("error")
        rows = batch.num_rows
        return cls(rows, rows - written.null_count, rows - error.null_count, dict(sorted(counts.items())))


# parts


def parts(paths: Path | Sequence[Path], folder: Path, *, form: Form = "parquet", size: int = SIZE) -> list[Part]:
    """The parts of a conversion of files into a directory: `part-000000.parquet` and so on, in the order of the tools.

    A file whose name does not end in .parquet is JSON Lines.

    Args:
        paths: The files.
        folder: The directory.
        form: The form of the output. With `"jsonl"` the losses and errors of each part are in a
            `_report-000000.jsonl` beside it.
        size: The size of a part in bytes.

    Returns:
        The parts.

    Raises:
        ToolbridgeError: The directory has other files, as of another run.
        ValueError: `form` or `size` is not valid.
    """
    if form not in ("parquet", "jsonl"):
        raise ValueError(f'form is "parquet" or "jsonl", found {form!r}')
    if size < 1:
        raise ValueError(f"size is the bytes of a part, found {size}")
    inputs = [_absolute(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    base = _absolute(folder).rstrip("/")
    ranges = [(path, start, end) for path in inputs for start, end in _ranges(path, size)]
    planned = [
        Part(
            *range_,
            out=f"{base}/part-{number:06}.{form}",
            report=f"{base}/_report-{number:06}.jsonl" if form == "jsonl" else None,
        )
        for number, range_ in enumerate(ranges)
    ]
    system, directory = _open(base)
    expected = {name.rpartition("/")[2] for part in planned for name in (part.out, part.report or "")}
    others = [
        file.base_name
        for file in system.get_file_info(fs.FileSelector(directory, allow_not_found=True))
        if file.base_name not in expected and not file.base_name.startswith(".")
    ]
    if others:
        raise ToolbridgeError(f"{base} holds {others[0]}, which does not belong to this run: choose an empty folder")
    return planned


def _absolute(path: Path) -> str:
    """The absolute path or the URI, since workers may have other working directories."""
    given = os.fspath(path)
    return given if "://" in given else os.path.abspath(given)  # noqa: PTH100 - Path.resolve follows links


def _ranges(path: str, size: int) -> Iterator[tuple[int, int]]:
    _check_ending(path)
    system, inner = _open(path)
    info = system.get_file_info(inner)
    if info.type == fs.FileType.Directory:
        raise ToolbridgeError(f"{path}: expected a file, found a directory")
    whole = info.size
    if whole is None:
        raise ToolbridgeError(f"{path}: there is no such file")
    if not _ends(path, _PARQUET):
        if _ends(path, _PACKED):
            raise ToolbridgeError(f"{path}: unpack it first: parts of a packed file cannot be read alone")
        yield from ((start, min(start + size, whole)) for start in range(0, whole, size))
        return
    with system.open_input_file(inner) as file:
        try:
            metadata = pq.ParquetFile(file).metadata
        except pa.ArrowInvalid as error:
            raise ToolbridgeError(f"{path}: not Parquet: {error}") from None
        first = group_size = 0
        for number in range(metadata.num_row_groups):
            group_size += metadata.row_group(number).total_byte_size
            if group_size >= size or number == metadata.num_row_groups - 1:
                yield first, number + 1
                first, group_size = number + 1, 0


def _ends(path: str, endings: tuple[str, ...]) -> bool:
    return path.lower().endswith(endings)


def _check_ending(path: str) -> None:
    if _ends(path, _OTHERS):
        raise ToolbridgeError(f"{path}: neither Parquet (.parquet) nor JSON Lines (.jsonl)")


def _open(path: str) -> tuple[fs.FileSystem, str]:
    return fs.FileSystem.from_uri(path) if "://" in path else (fs.LocalFileSystem(), path)


# one part


class _Input(NamedTuple):
    """A part that is read: its converted rows with their numbers or offsets in the whole file; `key` says which."""

    schema: pa.Schema
    key: str
    batches: Iterator[tuple[list[int], pa.RecordBatch]]


def convert_part(part: Part, kernel: Kernel) -> Summary:
    """Convert a part. It may be converted again, or twice at the same time: the files are the same, and always
    complete.

    Args:
        part: A part of the files, as a plan lists them.
        kernel: The conversion.

    Returns:
        The sums.
    """
    total = Summary()
    system, path = _open(part.path)
    with system.open_input_file(path) as file, _written(part.out) as out, _written(part.report) as report:
        read = _parquet(file, part, kernel) if _ends(part.path, _PARQUET) else _json_lines(file, part, kernel)
        writer = pq.ParquetWriter(out, read.schema, compression="zstd") if _ends(part.out, _PARQUET) else None
        for keys, batch in read.batches:
            total += Summary.of(batch, kernel.column)
            if writer is not None:
                writer.write_batch(batch)
            else:
                out.write(_lines(batch.column(kernel.column)))
            if part.report is not None:
                report.write(_report_lines(batch, read.key, keys))
        if writer is not None:
            writer.close()
    return total


def _parquet(file: pa.NativeFile, part: Part, kernel: Kernel) -> _Input:
    parquet = pq.ParquetFile(file)
    before = sum(parquet.metadata.row_group(number).num_rows for number in range(part.start))

    def batches() -> Iterator[tuple[list[int], pa.RecordBatch]]:
        row = before
        for batch in parquet.iter_batches(_ROWS, row_groups=list(range(part.start, part.end))):
            yield list(range(row, row + batch.num_rows)), kernel(batch)
            row += batch.num_rows

    return _Input(kernel.schema(parquet.schema_arrow), "row", batches())


def _json_lines(file: pa.NativeFile, part: Part, kernel: Kernel) -> _Input:
    schema = kernel.schema(pa.schema([("offset", pa.int64()), (kernel.column, pa.string())]))

    def batches() -> Iterator[tuple[list[int], pa.RecordBatch]]:
        for offset, data in _whole_lines(file, part.start, part.end):
            spans = lines_of(data)
            columns = kernel.convert(slices(data, spans), pa.string())
            keys = [offset + start for start, _ in spans]
            yield keys, pa.RecordBatch.from_arrays([pa.array(keys, pa.int64()), *columns], schema=schema)

    return _Input(schema, "offset", batches())


def _whole_lines(file: pa.NativeFile, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines that begin between two offsets of a file, in blocks with the offset of each block."""
    # A line before the first newline belongs to the previous part, whose last byte may be that newline.
    offset = start - 1 if start else 0
    is_aligned = not start
    file.seek(offset)
    rest = b""
    while data := file.read(_READ):
        rest += data
        if not is_aligned:
            boundary = rest.find(b"\n") + 1
            offset += boundary or len(rest)
            rest = rest[boundary:] if boundary else b""
            is_aligned = boundary > 0
            if offset >= end:
                return
        boundary = rest.rfind(b"\n") + 1
        if offset + boundary > end:
            boundary = rest.find(b"\n", max(end - 1 - offset, 0)) + 1
        if boundary:
            yield offset, rest[:boundary]
            offset += boundary
            rest = rest[boundary:]
            if offset >= end:
                return
    if is_aligned and rest:
        yield offset, rest


def _lines(tools: Array) -> bytes:
    """Tools as JSON Lines, without the null rows."""
    texts = cast("list[bytes]", tools.drop_null().cast(pa.large_binary()).to_pylist())
    return b"\n".join([*texts, b""])


def _report_lines(batch: pa.RecordBatch, key: str, keys: list[int]) -> bytes:
    """The losses and errors of a batch as JSON Lines, one for each row that has any."""
    columns = batch.column("losses").to_pylist(), batch.column("error").to_pylist()
    lines = [
        visible_json(encode_json({key: number, "losses": losses or [], "error": error}))
        for number, losses, error in zip(keys, *columns, strict=True)
        if losses or error is not None
    ]
    return b"\n".join([*lines, b""])


@contextmanager
def _written(path: str | None) -> Generator[Any]:
    """An output file that gets its name when it is complete."""
    if path is None:
        yield None
        return
    system, target = _open(path)
    if isinstance(system, fs.LocalFileSystem):
        target = os.path.realpath(target).replace(os.sep, "/")  # what a link leads to is replaced, not the link
    folder, slash, name = target.rpartition("/")
    if slash:
        system.create_dir(folder)
    temporary = f"{folder}{slash}.{name}-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    try:
        with system.open_output_stream(temporary) as file:
            yield file
        if isinstance(system, fs.LocalFileSystem):
            with open(temporary, "rb") as written:  # noqa: PTH123 - its path is a string
                os.fsync(written.fileno())
        system.move(temporary, target)
    except BaseException:
        with suppress(OSError):
            system.delete_file(temporary)
        raise


# whole files


def convert_file(
    path: Path,
    out: Path,
    source: FormatName | Format,
    to: FormatName | Format,
    column: str = "tool",
    *,
    report: Path | None = None,
    **options: Unpack[KernelOptions],
) -> Summary:
    """Convert one file, Parquet or JSON Lines according to its name, in constant memory.

    Args:
        path: The input file.
        out: The output file.
        to: The target format.
        source: The source format.
        column: The column of the tools in Parquet.
        report: A file for losses and errors as JSON Lines; Parquet has them in its columns.
        **options: The options of `Kernel`.

    Raises:
        ToolbridgeError: There is no such file, the report is also the input or the output, or a name ends like that of
            another form (`.csv`, `.gz`).
    """
    _check_ending(os.fspath(out))
    if _ends(os.fspath(out), _PACKED):
        raise ToolbridgeError(f"{os.fspath(out)}: files are not written packed")
    if report is not None:
        check_apart([("IN", os.fspath(path))], [("output", os.fspath(out)), ("report", os.fspath(report))])
    name, ranges = os.fspath(path), list(_ranges(os.fspath(path), SIZE))
    report_name = None if report is None else os.fspath(report)
    end = ranges[-1][1] if ranges else 0
    return convert_part(Part(name, 0, end, os.fspath(out), report_name), Kernel(source, to, column, **options))


def convert_files(
    paths: Path | Sequence[Path],
    folder: Path,
    source: FormatName | Format,
    to: FormatName | Format,
    column: str = "tool",
    *,
    form: Form = "parquet",
    size: int = SIZE,
    **options: Unpack[KernelOptions],
) -> Summary:
    """Convert files into a directory, one part after the other; see `parts`.

    Args:
        paths: The files.
        folder: The directory.
        to: The target format.
        source: The source format.
        column: The column of the tools in Parquet.
        form: As for `parts`.
        size: As for `parts`.
        **options: The options of `Kernel`.
    """
    kernel = Kernel(source, to, column, **options)
    return sum((convert_part(part, kernel) for part in parts(paths, folder, form=form, size=size)), Summary())
