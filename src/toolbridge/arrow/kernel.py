"""Kernel: the conversion of record batches, row by row."""

# pyarrow comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from logging import getLogger
from typing import Any, Final, NamedTuple, TypeVar, Unpack

import pyarrow as pa
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ..bulk.batch import Batch, Written
from ..bulk.text_converter import TextConverter
from ..conversion.fill import plain_value
from ..conversion.options import ConversionOptions, Describe, SchemaOptions, conversion_options
from ..data.json_decoder import decode_json, encode_sorted
from ..errors import FormatError, ToolbridgeError
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..limits import LIMITS, Limits
from ..losses.note import Note
from ..mapping.format import Format
from .columns import LOSSES, Array, Block, column, error_column, losses, texts, written_as

COLUMNS: Final = {"losses": LOSSES, "remainder": pa.string(), "error": pa.string()}
"""The columns that are added to the converted tools."""

_T = TypeVar("_T")


class KernelOptions(SchemaOptions, total=False):
    """The options of a conversion: those of `toolbridge.convert`, and whether to make remainders."""

    remainder: bool


class Kernel(Struct, frozen=True):
    """The conversion of rows. Call it with a record batch; it can be sent to other processes.

    Attributes:
        source: The source format. It is required, since a detected format would depend on the rows of a batch.
        to: The target format.
        column: The column of the tools.
        remainder: Whether to make remainders, for which each tool is converted to the target and back.
        fill: As for `toolbridge.convert`.
        refuse: As for `toolbridge.convert`.
        prose: As for `toolbridge.convert`.
        describe: As for `toolbridge.convert`.
        unroll: As for `toolbridge.convert`.
        description: As for `toolbridge.convert`.
        limits: As for `toolbridge.convert`.

    Raises:
        FormatError: A format is unknown, the target is read only, or it has no field for a value of `fill`.
    """

    source: FormatName | Format
    to: FormatName | Format
    column: str = "tool"
    remainder: bool = False
    fill: Mapping[str, Any] | None = None
    refuse: Sequence[str] = ("TB9",)
    prose: bool = True
    describe: Describe = False
    unroll: int = 1
    description: int | UnsetType | None = UNSET
    limits: Limits = LIMITS

    def __post_init__(self) -> None:
        target = get_format(self.to)
        if target.reads_only:
            raise FormatError(f"{target.id} can be read, not written")
        run = self._run()
        if not run.converters:  # making one checks `fill`
            run.converters.append(run.converter())

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Convert the tools of a batch.

        A row that cannot be converted has null for a tool, and an `error`. A row with a list or a catalogue is one
        document; its `error` has the tools that were left out, with their places. A null row is null in all columns.
        A tool that is specific to its vendor is null without an error, and has a loss.

        Args:
            batch: A record batch with the column of tools.

        Returns:
            The batch with converted tools and the columns of `COLUMNS`; all other columns are unchanged.

        Raises:
            ValueError: There is not exactly one such column, or a column has the name of one of `COLUMNS`.
            TypeError: The column has no text.
        """
        schema = self.schema(batch.schema)
        index = batch.schema.get_field_index(self.column)
        blocks, rows = texts(batch.column(index))
        columns = batch.columns
        columns[index], *added = self.convert(blocks, schema.field(index).type, rows, batch.num_rows)
        return pa.RecordBatch.from_arrays([*columns, *added], schema=schema)

    def batches(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert batches one after the other."""
        return map(self, batches)

    def schema(self, given: pa.Schema) -> pa.Schema:
        """The schema of converted batches.

        Args:
            given: The schema of the batches.

        Returns:
            The schema with the columns of `COLUMNS`.

        Raises:
            ValueError: There is not exactly one such column, or a column has the name of one of `COLUMNS`.
            TypeError: The column has no text.
        """
        indices = given.get_all_field_indices(self.column)
        if len(indices) != 1:
            number = "no" if not indices else "more than one"
            raise ValueError(f"there is {number} column {self.column!r} among {', '.join(given.names)}")
        conflicts = [name for name in COLUMNS if name in given.names]
        if conflicts:
            raise ValueError(f"the results need columns of these names, rename your own: {', '.join(conflicts)}")
        field = given.field(indices[0])
        fields = [*given]
        fields[indices[0]] = field.with_type(written_as(field.type)).with_nullable(True)
        return pa.schema([*fields, *(pa.field(name, type_) for name, type_ in COLUMNS.items())], given.metadata)

    def convert(
        self, blocks: Iterable[Block], kind: pa.DataType, rows: Sequence[int] | None = None, size: int = 0
    ) -> tuple[Array, ...]:
        """Convert texts to columns.

        Args:
            blocks: The texts.
            kind: The type of the column of converted tools.
            rows: The numbers of the rows that have a text; None if all rows have one.
            size: The number of rows, if `rows` is given.

        Returns:
            The converted tools, and the columns of `COLUMNS`.
        """
        run = self._run()
        try:
            converter = run.converters.pop()  # another thread may have taken the last one
        except IndexError:
            converter = run.converter()
        written = _Written()
        try:
            for block in blocks:
                try:
                    batches = iter([converter.convert(*block, len(written.lengths), between=b"")])
                except MemoryError:
                    raise
                except Exception:
                    # One row that fails must not stop the others. The state of the converter is unknown now.
                    getLogger("toolbridge").exception("a bug: %d tools are converted one by one", len(block.spans))
                    converter = run.converter()
                    batches = run.one_by_one(block, len(written.lengths))
                for batch in batches:
                    written.add(batch)
        except BaseException:
            converter = run.converter()
            raise
        finally:
            run.converters.append(converter)
        if rows is not None:
            written.spread(rows, size)
        size = len(written.lengths)
        remainders: Array = pa.array(written.remainders, pa.string())
        tools = column(written.parts, written.lengths, kind)
        row_losses = losses(written.kinds, written.loss_numbers)
        return tools, row_losses, remainders, error_column(written.errors, size)

    def _run(self) -> _Run:
        options = conversion_options(
            refuse=self.refuse,
            on_error="skip",
            prose=self.prose,
            describe=self.describe,
            unroll=self.unroll,
            description=self.description,
            limits=self.limits,
        )
        fill = {key: plain_value(key, value) for key, value in (self.fill or {}).items()}
        options = replace(options, keep=self.remainder)
        return _runs(get_format(self.source), get_format(self.to), encode_sorted(fill), options)


class _Run(NamedTuple):
    """The shared state of conversions with the same options in a process; `converters` are those not in use."""

    source: Format
    target: Format
    options: ConversionOptions
    converters: list[TextConverter]

    def converter(self) -> TextConverter:
        return TextConverter(self.source, self.target, self.options, together=False)

    def one_by_one(self, block: Block, first: int) -> Iterator[Batch]:
        """Convert the texts of a block one by one: a text for which the program fails has an error of its own."""
        converter = self.converter()
        for number, span in enumerate(block.spans, first):
            try:
                yield converter.convert(block.data, [span], number, between=b"")
            except MemoryError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is
                converter = self.converter()
                known = isinstance(error, ToolbridgeError)
                failure = error if known else ToolbridgeError(f"bug in toolbridge: {error!r}")
                yield Batch(items=[Written(None, [Note("TB903", "")])], failures=[(number, failure)])


@lru_cache(maxsize=16)
def _runs(source: Format, target: Format, fill: bytes, options: ConversionOptions) -> _Run:
    return _Run(source, target, replace(options, fill=decode_json(fill) or None), [])


class _Written:
    """The results so far: written texts, their lengths, the indices of their losses in `kinds`, and errors."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.lengths: list[int | None] = []
        self.kinds: list[list[Note]] = []
        self.loss_numbers: list[int | None] = []
        self.errors: dict[int, list[str]] = {}
        self.remainders: list[str | None] = []
        self._numbers: dict[tuple[Any, ...], int] = {}

    def add(self, batch: Batch) -> None:
        self.parts.append(b"".join(batch.parts))
        for item in batch.items:
            self.lengths.append(None if item.text is None else len(item.text))
            self.loss_numbers.append(self._number(item.notes))
            remainder = item.remainder if isinstance(item, Written) and item.text is not None else None
            self.remainders.append(None if remainder is None else remainder.to_json())
        for number, error in batch.failures:
            self.errors.setdefault(number, []).append(str(error))

    def spread(self, rows: Sequence[int], size: int) -> None:
        """Move each result to its row; `size` is the number of rows."""
        self.lengths = _spread(self.lengths, rows, size)
        self.loss_numbers = _spread(self.loss_numbers, rows, size)
        self.remainders = _spread(self.remainders, rows, size)
        self.errors = {rows[number]: messages for number, messages in self.errors.items()}

    def _number(self, notes: list[Note]) -> int:
        key = tuple(notes)
        if key not in self._numbers:
            self._numbers[key] = len(self.kinds)
            self.kinds.append(notes)
        return self._numbers[key]


def _spread(values: Sequence[_T | None], rows: Sequence[int], size: int) -> list[_T | None]:
    column: list[_T | None] = [None] * size
    for row, value in zip(rows, values, strict=True):
        column[row] = value
    return column


def convert_batch(
    batch: pa.RecordBatch,
    source: FormatName | Format,
    to: FormatName | Format,
    column: str = "tool",
    **options: Unpack[KernelOptions],
) -> pa.RecordBatch:
    """Convert the tools of a record batch; see `Kernel`.

    Args:
        batch: A record batch with the column of tools.
        source: The source format.
        to: The target format.
        column: The column of the tools.
        **options: The options of `Kernel`.

    Returns:
        The batch with converted tools and the columns of `COLUMNS`.
    """
    return Kernel(source, to, column, **options)(batch)


def convert_table(
    table: pa.Table,
    source: FormatName | Format,
    to: FormatName | Format,
    column: str = "tool",
    **options: Unpack[KernelOptions],
) -> pa.Table:
    """Convert the tools of a table; see `Kernel`.

    Args:
        table: An Arrow table with the column of tools.
        source: The source format.
        to: The target format.
        column: The column of the tools.
        **options: The options of `Kernel`.

    Returns:
        The table with converted tools and the columns of `COLUMNS`.
    """
    kernel = Kernel(source, to, column, **options)
    schema = kernel.schema(table.schema)
    return pa.Table.from_batches(kernel.batches(table.to_batches()), schema)


def schema_for(schema: pa.Schema, column: str = "tool") -> pa.Schema:
    """The schema of converted batches, which does not depend on the formats.

    Args:
        schema: The schema of the batches.
        column: The column of the tools.

    Returns:
        The schema with the columns of `COLUMNS`.
    """
    return Kernel("mcp", "mcp", column).schema(schema)
