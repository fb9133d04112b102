"""DuckDB: an SQL function.

    register(connection, "to_openai", "mcp", "openai")
    connection.sql("SELECT id, unnest(to_openai(tool)) FROM 'tools.parquet'")

Needs DuckDB 1.4.1 or newer (tried with the Python client 2.0.0, 2026-11-21), whose functions over Arrow need numpy as
well: `pip install 'toolbridge[duckdb]'`.
"""

# pyarrow comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

from typing import Final, Unpack

import duckdb
import pyarrow as pa
from duckdb.func import PythonUDFType

from ..formats.format_names import FormatName
from ..mapping.format import Format
from .columns import Array
from .kernel import COLUMNS, Kernel, KernelOptions

__all__ = ["register"]

_STRUCT: Final = (
    "STRUCT(tool VARCHAR, losses STRUCT(code VARCHAR, source VARCHAR, target VARCHAR)[], remainder VARCHAR,"
    " error VARCHAR)"
)


def register(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    source: FormatName | Format,
    to: FormatName | Format,
    **options: Unpack[KernelOptions],
) -> None:
    """Add an SQL function to a connection that converts the text of a tool.

    It returns a struct of `tool`, `losses`, `remainder` and `error`, see `toolbridge.arrow.Kernel`; `unnest` makes
    columns of it. For null it returns null.

    Args:
        connection: The DuckDB connection in which the function can be called.
        name: The name of the function.
        to: The target format.
        source: The source format.
        **options: The options of `Kernel`.
    """
    kernel = Kernel(source, to, "tool", **options)

    def converted(texts: Array) -> Array:
        whole = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
        batch = kernel(pa.RecordBatch.from_arrays([whole], ["tool"]))
        return pa.StructArray.from_arrays(batch.columns, names=["tool", *COLUMNS])

    connection.create_function(name, converted, ["VARCHAR"], _STRUCT, type=PythonUDFType.ARROW)
