"""Tools in columns: a kernel over Arrow record batches, for engines that run it on many cores or machines.

    convert_batch(batch, "mcp", "openai")

Each row is a tool for itself, and what became of it stands in the same row: the tool in the target's words, its losses,
its remainder if somebody asks for that, or the error. So it makes no difference how rows are dealt out to batches,
workers and retries. `Kernel` is the same for engines to carry around, `files` are Parquet and JSON Lines, and
`dask`, `spark`, `polars` and `duckdb` are the engines. Stands on pyarrow 20 or newer, which is no dependency.
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
