"""Polars: a column of a data frame, eager or lazy.

    convert(polars.scan_parquet("tools.parquet"), "mcp", "openai").sink_parquet("converted.parquet")

Needs Polars 1.30 or newer (lazyframe/frame.py in 2.1.0, checked 2026-11-21):
`pip install 'toolbridge[polars]'`.
"""

# pyarrow comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

from typing import TypeVar, Unpack, cast

import polars as pl

from ..formats.format_names import FormatName
from ..mapping.format import Format
from .kernel import KernelOptions, convert_table

__all__ = ["convert"]


Frame = TypeVar("Frame", bound=pl.DataFrame | pl.LazyFrame)


def convert(
    frame: Frame,
    source: FormatName | Format,
    to: FormatName | Format,
    column: str = "tool",
    **options: Unpack[KernelOptions],
) -> Frame:
    """Convert the tools of a frame; a lazy frame stays lazy.

    Args:
        frame: A frame with a column of tools.
        to: The target format.
        source: The source format.
        column: The column of the tools.
        **options: The options of `Kernel`.

    Returns:
        The frame with converted tools and the columns `losses`, `remainder` and `error`, see `Kernel`.
    """

    def converted(rows: pl.DataFrame) -> pl.DataFrame:
        return cast("pl.DataFrame", pl.from_arrow(convert_table(rows.to_arrow(), source, to, column, **options)))

    if isinstance(frame, pl.DataFrame):
        return cast("Frame", converted(frame))
    empty = converted(pl.DataFrame(schema=frame.collect_schema()))
    return cast("Frame", frame.map_batches(converted, streamable=True, schema=empty.schema))
