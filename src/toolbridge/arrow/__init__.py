"""Tools in columns: a kernel for Arrow record batches, for engines that run it on many cores or machines.

    convert_batch(batch, "mcp", "openai")

Each row is converted independently, and has the converted tool, its losses, its remainder (with `remainder=True`) or
its error. So the result does not depend on how rows are distributed to batches, workers and retries. `Kernel` can be
sent to other processes, `files` converts Parquet and JSON Lines, and `dask`, `spark`, `polars` and `duckdb` are the
engines. Needs pyarrow 20 or newer, which is an extra.
"""

# pyarrow comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false

from importlib.util import find_spec

if find_spec("pyarrow") is None:
    raise ImportError("needs pyarrow: pip install 'toolbridge[arrow]'", name="pyarrow")

from .files import Part, Summary, convert_file, convert_files, convert_part, parts
from .kernel import COLUMNS, Kernel, KernelOptions, convert_batch, convert_table, schema_for

__all__ = [
    "COLUMNS",
    "Kernel",
    "KernelOptions",
    "Part",
    "Summary",
    "convert_batch",
    "convert_file",
    "convert_files",
    "convert_part",
    "convert_table",
    "parts",
    "schema_for",
]
