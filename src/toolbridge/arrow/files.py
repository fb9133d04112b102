"""Files of tools in parts: Parquet and JSON Lines in, Parquet and JSON Lines out, in memory that does not grow.

A part is a range of bytes of JSON Lines, or some row groups of Parquet, and becomes one file whose name depends on
nothing but the order of the parts. It gets that name when it is complete, so a part may be done over again.
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

import msgspec
import pyarrow as pa
import pyarrow.compute as _compute
import pyarrow.parquet as pq
from msgspec import Struct
from pyarrow import fs

from ..bulk.layout import lines_of
from ..characters import visible_json
from ..errors import ToolbridgeError
from ..formats.format_names import FormatName
from ..mapping.format import Format
from .columns import Array, slices
from .kernel import Kernel, KernelOptions

pc: Any = _compute  # its functions are made when it is imported

Form: TypeAlias = Literal["parquet", "jsonl"]

Path: TypeAlias = "str | os.PathLike[str]"
"""A path, or the URI of a file system that pyarrow knows: `s3://`, `gs://`, `abfs://`, `hdfs://`."""

SIZE: Final = 64_000_000
"""About how many bytes a part has."""

_READ: Final = 8_000_000
_ROWS: Final = 8192
_PARQUET: Final = (".parquet", ".pq")

_encode = msgspec.json.Encoder().encode


class Part(Struct, frozen=True):
    """Some bytes of JSON Lines (the lines that begin among them), or some row groups of Parquet, and where they go.

    `report` is where the losses and errors of JSON Lines go, which Parquet has in its columns (None: nowhere).
    """

    path: str
    start: int
    end: int
    out: str
    report: str | None = None


class Summary(Struct, frozen=True):
    """How many rows there were, how many have a tool now, how many an error, and how often each code occurs."""

    rows: int = 0
    written: int = 0
    failed: int = 0
    losses: dict[str, int] = {}

    def __add__(self, other: Summary) -> Summary:
        counts = dict(sorted((Counter(self.losses) + Counter(other.losses)).items()))
        return Summary(self.rows + other.rows, self.written + other.written, self.failed + other.failed, counts)

    @classmethod
    def of(cls, batch: pa.RecordBatch, column: str) -> Summary:
        """The summary of a batch that was converted."""
        told = batch.column("losses").flatten().field("code")
        counts = {each["values"]: each["counts"] for each in pc.value_counts(told).to_pylist()}
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
    several = [_told_anywhere(each) for each in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    base = _told_anywhere(folder).rstrip("/")
    ranges = [(path, *each) for path in several for each in _ranges(path, size)]
    found = [
        Part(
            *each,
            out=f"{base}/part-{number:06}.{form}",
            report=f"{base}/_report-{number:06}.jsonl" if form == "jsonl" else None,
        )
        for number, each in enumerate(ranges)
    ]
    there, place = _open(base)
    mine = {name.rpartition("/")[2] for each in found for name in (each.out, each.report or "")}
    strange = [
        each.base_name
        for each in there.get_file_info(fs.FileSelector(place, allow_not_found=True))
        if each.base_name not in mine and not each.base_name.startswith(".")
    ]
    if strange:
        raise ToolbridgeError(f"{base} holds {strange[0]}, which does not belong to this run: choose an empty folder")
    return found


def _told_anywhere(path: Path) -> str:
    """A path that means the same to workers, who are at home in other folders."""
    given = os.fspath(path)
    return given if "://" in given else os.path.abspath(given)  # noqa: PTH100 - Path.resolve follows links


def _ranges(path: str, size: int) -> Iterator[tuple[int, int]]:
    there, place = _open(path)
    if not path.endswith(_PARQUET):
        whole = there.get_file_info(place).size
        if whole is None:
            raise ToolbridgeError(f"{path}: there is no such file")
        if path.endswith((".gz", ".zst")):
            raise ToolbridgeError(f"{path}: unpack it first: parts of a packed file cannot be read alone")
        yield from ((start, min(start + size, whole)) for start in range(0, whole, size))
        return
    with there.open_input_file(place) as file:
        try:
            metadata = pq.ParquetFile(file).metadata
        except pa.ArrowInvalid as error:
            raise ToolbridgeError(f"{path}: not Parquet: {error}") from None
        first = full = 0
        for number in range(metadata.num_row_groups):
            full += metadata.row_group(number).total_byte_size
            if full >= size or number == metadata.num_row_groups - 1:
                yield first, number + 1
                first, full = number + 1, 0


def _open(path: str) -> tuple[fs.FileSystem, str]:
    return fs.FileSystem.from_uri(path) if "://" in path else (fs.LocalFileSystem(), path)


# one part


class _Input(NamedTuple):
    """A part that is read: its rows after they crossed, and what tells them in the whole file."""

    schema: pa.Schema
    key: str
    batches: Iterator[tuple[list[int], pa.RecordBatch]]


def convert_part(part: Part, kernel: Kernel) -> Summary:
    """Convert a part. It may be converted again, or twice at the same time: the files are the same, and always
    complete.

    Args:
        part: The part.
        kernel: The conversion.

    Returns:
        The sums.
    """
    total = Summary()
    there, place = _open(part.path)
    with there.open_input_file(place) as file, _written(part.out) as out, _written(part.report) as report:
        read = _parquet(file, part, kernel) if part.path.endswith(_PARQUET) else _json_lines(file, part, kernel)
        writer = pq.ParquetWriter(out, read.schema, compression="zstd") if part.out.endswith(_PARQUET) else None
        for keys, batch in read.batches:
            total += Summary.of(batch, kernel.column)
            if writer is not None:
                writer.write_batch(batch)
            else:
                out.write(_lines(batch.column(kernel.column)))
            if part.report is not None:
                report.write(_told(batch, read.key, keys))
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
            made = kernel.convert(slices(data, spans), pa.string())
            keys = [offset + start for start, _ in spans]
            yield keys, pa.RecordBatch.from_arrays([pa.array(keys, pa.int64()), *made], schema=schema)

    return _Input(schema, "offset", batches())


def _whole_lines(file: pa.NativeFile, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines that begin between two places of a file, many at a time, and where they begin."""
    # What stands before the first newline began in the part before; the newline itself may be its last byte.
    offset = start - 1 if start else 0
    found = not start
    file.seek(offset)
    rest = b""
    while data := file.read(_READ):
        rest += data
        if not found:
            cut = rest.find(b"\n") + 1
            offset += cut or len(rest)
            rest = rest[cut:] if cut else b""
            found = cut > 0
            if offset >= end:
                return
        cut = rest.rfind(b"\n") + 1
        if offset + cut > end:
            cut = rest.find(b"\n", max(end - 1 - offset, 0)) + 1
        if cut:
            yield offset, rest[:cut]
            offset += cut
            rest = rest[cut:]
            if offset >= end:
                return
    if found and rest:
        yield offset, rest


def _lines(tools: Array) -> bytes:
    """Tools as JSON Lines, without those that are not there."""
    texts = cast("list[bytes]", tools.drop_null().cast(pa.large_binary()).to_pylist())
    return b"\n".join([*texts, b""])


def _told(batch: pa.RecordBatch, key: str, keys: list[int]) -> bytes:
    """The losses and errors of a batch as JSON Lines, those of its rows that have any."""
    losses = batch.column("losses")
    columns = [each.to_pylist() for each in losses.flatten().flatten()]
    told = list(zip(*columns, strict=True))
    errors = batch.column("error").to_pylist()
    counts = [each or 0 for each in pc.list_value_length(losses).to_pylist()]
    lines: list[bytes] = []
    known: dict[Any, list[dict[str, str | None]]] = {}
    start = 0
    for number, count, error in zip(keys, counts, errors, strict=True):
        if count or error is not None:
            own = tuple(told[start : start + count])
            mine = known.get(own)
            if mine is None:
                mine = known[own] = [{"code": code, "source": place, "target": to} for code, place, to in own]
            lines.append(visible_json(_encode({key: number, "losses": mine, "error": error})))
        start += count
    return b"\n".join([*lines, b""])


@contextmanager
def _written(path: str | None) -> Generator[Any]:
    """A file to write, which gets its name when it is complete."""
    if path is None:
        yield None
        return
    there, place = _open(path)
    folder, slash, name = place.rpartition("/")
    if slash:
        there.create_dir(folder)
    beside = f"{folder}{slash}.{name}-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    try:
        with there.open_output_stream(beside) as file:
            yield file
        if isinstance(there, fs.LocalFileSystem):
            _settle(beside)
        there.move(beside, place)
    except BaseException:
        with suppress(OSError):
            there.delete_file(beside)
        raise


def _settle(path: str) -> None:
    """See to it that a file is on the disk before anybody is told that it is there."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# all of them


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

    Returns:
        The sums.
    """
    given, ranges = os.fspath(path), list(_ranges(os.fspath(path), SIZE))
    told = None if report is None else os.fspath(report)
    end = ranges[-1][1] if ranges else 0
    return convert_part(Part(given, 0, end, os.fspath(out), told), Kernel(source, to, column, **options))


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

    Returns:
        The sums.
    """
    kernel = Kernel(source, to, column, **options)
    return sum((convert_part(part, kernel) for part in parts(paths, folder, form=form, size=size)), Summary())
