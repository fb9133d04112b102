"""Kernel: the conversion of record batches, row by row."""

# pyarrow comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from logging import getLogger
from typing import Any, Final, NamedTuple, TypedDict, TypeVar, Unpack

import msgspec
import pyarrow as pa
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ..bulk.batch import Batch, Written
from ..bulk.text_converter import TextConverter
from ..conversion.converter import Converter
from ..conversion.options import ConversionOptions, conversion_options
from ..data.json_decoder import decode_json
from ..data.json_text import parse_json
from ..errors import FormatError, ToolbridgeError
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..limits import LIMITS, Limits
from ..mapping.format import Format
from ..mapping.record import Notes
from .columns import LOSSES, Array, Block, column, losses, texts, words, written_as

COLUMNS: Final = {"losses": LOSSES, "remainder": pa.string(), "error": pa.string()}
"""The columns that come with the converted tools."""

_T = TypeVar("_T")

_encode = msgspec.json.Encoder(order="deterministic").encode


class KernelOptions(TypedDict, total=False):
    """The options of a conversion: those of `toolbridge.convert`, and whether remainders are worked out."""

    remainder: bool
    fill: Mapping[str, Any] | None
    refuse: Sequence[str]
    prose: bool
    unroll: int
    description: int | UnsetType | None
    limits: Limits


class ConvertedColumns(NamedTuple):
    """What became of some texts, in columns."""

    tools: Array
    losses: Array
    remainder: Array
    error: Array


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
    unroll: int = 1
    description: int | UnsetType | None = UNSET
    limits: Limits = LIMITS

    def __post_init__(self) -> None:
        target = get_format(self.to)
        if target.reads_only:
            raise FormatError(f"{target.id} is an interface, not a tool: it can be read, not written")
        run = self._run()
        if not run.converters:  # which is told what nothing can be filled in for
            run.converters.append(run.converter())

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Convert the tools of a batch.

        A row that cannot be converted has null for a tool, and an `error`. A row with a list or a catalogue is one
        document; its `error` has the tools that were left out, with their places. A null row is null in all columns.
        A tool that only the servers of its vendor run is null without an error, and has a loss.

        Args:
            batch: The batch.

        Returns:
            The batch with converted tools and the columns of `COLUMNS`; all other columns are unchanged.

        Raises:
            ValueError: There is not exactly one such column, or a column has the name of one of `COLUMNS`.
            TypeError: The column has no text.
        """
        schema = self.schema(batch.schema)
        place = batch.schema.get_field_index(self.column)
        blocks, rows = texts(batch.column(place))
        made = self.convert(blocks, schema.field(place).type, rows, batch.num_rows)
        columns = batch.columns
        columns[place] = made.tools
        return pa.RecordBatch.from_arrays([*columns, *made[1:]], schema=schema)

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
        places = given.get_all_field_indices(self.column)
        if len(places) != 1:
            many = "no" if not places else "more than one"
            raise ValueError(f"there is {many} column {self.column!r} among {', '.join(given.names)}")
        taken = [name for name in COLUMNS if name in given.names]
        if taken:
            raise ValueError(f"the results need columns of these names, rename your own: {', '.join(taken)}")
        field = given.field(places[0])
        fields = [*given]
        fields[places[0]] = field.with_type(written_as(field.type)).with_nullable(True)
        return pa.schema([*fields, *(pa.field(name, kind) for name, kind in COLUMNS.items())], given.metadata)

    def convert(
        self, blocks: Iterable[Block], kind: pa.DataType, rows: Sequence[int] | None = None, size: int = 0
    ) -> ConvertedColumns:
        """What becomes of texts, as columns; `kind` is the type of that of the tools.

        `rows` are the numbers of the rows that have a text, of so many in all (None: they all have).
        """
        run = self._run()
        try:
            converter = run.converters.pop()  # threads may want the last one at once
        except IndexError:
            converter = run.converter()
        written = _Written()
        try:
            for block in blocks:
                try:
                    done = converter.convert(*block, len(written.lengths), between=b"")
                except MemoryError:
                    raise
                except Exception:
                    # One row of a night's job is no reason to lose the others. The converter may be half through.
                    getLogger("toolbridge").exception("a bug: %d tools are converted one by one", len(block.spans))
                    converter = run.converter()
                    done = run.singly(block, len(written.lengths))
                written.add(done)
                if self.remainder:
                    written.rests += run.rests(block, done)
        except BaseException:
            converter = run.converter()
            raise
        finally:
            run.converters.append(converter)
        if rows is not None:
            written.spread(rows, size)
        size = len(written.lengths)
        rests: Array = pa.array(written.rests, pa.string()) if self.remainder else pa.nulls(size, pa.string())
        which = losses(written.kinds, written.which)
        return ConvertedColumns(column(written.parts, written.lengths, kind), which, rests, words(written.errors, size))

    def _run(self) -> _Run:
        options = conversion_options(
            refuse=self.refuse,
            on_error="skip",
            prose=self.prose,
            unroll=self.unroll,
            description=self.description,
            limits=self.limits,
        )
        return _runs(get_format(self.source), get_format(self.to), _encode(self.fill or {}), options)


class _Run(NamedTuple):
    """What conversions with the same options share in a process: `converters` that are not in use."""

    source: Format
    target: Format
    options: ConversionOptions
    converters: list[TextConverter]

    def converter(self) -> TextConverter:
        return TextConverter(self.source, self.target, self.options)

    def singly(self, block: Block, first: int) -> Batch:
        """Some texts on the other side, one by one: one that is too much for us is an error of its own."""
        done = Batch()
        converter = self.converter()
        for number, span in enumerate(block.spans, first):
            try:
                one = converter.convert(block.data, [span], number, between=b"")
            except MemoryError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is
                converter = self.converter()
                told = error if isinstance(error, ToolbridgeError) else ToolbridgeError(f"bug in toolbridge: {error!r}")
                one = Batch(items=[Written(None, [("TB903", "", None)])], failures=[(number, told)])
            done.items += one.items
            done.parts += one.parts
            done.failures += one.failures
        return done

    def rests(self, block: Block, done: Batch) -> list[str | None]:
        """What the written texts do not say, as JSON."""
        return [
            None if isinstance(each, Written) and each.text is None else self._rest(block.data[start:end])
            for (start, end), each in zip(block.spans, done.items, strict=True)
        ]

    def _rest(self, text: bytes) -> str | None:
        document, duplicates = parse_json(text, self.options.schemas.limits.depth)
        converter = Converter(self.source, self.target, replace(self.options, keep=True))
        converter.run(document, duplicates)
        return None if converter.remainder is None else converter.remainder.to_json()


@lru_cache(maxsize=16)
def _runs(source: Format, target: Format, fill: bytes, options: ConversionOptions) -> _Run:
    return _Run(source, target, replace(options, fill=decode_json(fill) or None), [])


class _Written:
    """What was written so far: texts in pieces, and for each its length, the number of its losses, and its errors."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.lengths: list[int | None] = []
        self.kinds: list[Notes] = []
        self.which: list[int | None] = []
        self.errors: dict[int, list[str]] = {}
        self.rests: list[str | None] = []
        self._numbers: dict[tuple[Any, ...], int] = {}

    def add(self, done: Batch) -> None:
        self.parts.append(b"".join(done.parts))
        for each in done.items:
            self.lengths.append(None if each.text is None else len(each.text))
            self.which.append(self._number(each.notes))
        for number, error in done.failures:
            self.errors.setdefault(number, []).append(str(error))

    def spread(self, rows: Sequence[int], size: int) -> None:
        """Put each in its row, of so many in all."""
        self.lengths = _spread(self.lengths, rows, size)
        self.which = _spread(self.which, rows, size)
        self.rests = _spread(self.rests, rows, size) if self.rests else [None] * size
        self.errors = {rows[number]: told for number, told in self.errors.items()}

    def _number(self, notes: Notes) -> int:
        key = tuple(notes)
        if key not in self._numbers:
            self._numbers[key] = len(self.kinds)
            self.kinds.append(notes)
        return self._numbers[key]


def _spread(values: Sequence[_T | None], rows: Sequence[int], size: int) -> list[_T | None]:
    found: list[_T | None] = [None] * size
    for row, value in zip(rows, values, strict=True):
        found[row] = value
    return found


def convert_batch(
    batch: pa.RecordBatch,
    source: FormatName | Format,
    to: FormatName | Format,
    column: str = "tool",
    **options: Unpack[KernelOptions],
) -> pa.RecordBatch:
    """Convert the tools of a record batch; see `Kernel`.

    Args:
        batch: The batch.
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
        table: The table.
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
