"""Dask: files in parts, on the workers of a cluster.

    convert_files(client, "tools.jsonl", "converted", "mcp", "openai")

Stands on dask and distributed 2026.8 (distributed/client.py, checked 2026-11-21): `pip install 'toolbridge[dask]'`,
which is installed on the workers as well.
"""

# Its types have holes.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Unpack, cast

from distributed import Client, as_completed

from ..formats.format_names import FormatName
from ..mapping.format import Format
from .files import SIZE, Form, Path, Summary, convert_part, parts
from .kernel import Kernel, KernelOptions

__all__ = ["convert_files"]


def convert_files(  # noqa: PLR0917 - the order of the others, behind the client
    client: Client,
    paths: Path | Sequence[Path],
    folder: Path,
    source: FormatName | Format,
    to: FormatName | Format,
    column: str = "tool",
    *,
    form: Form = "parquet",
    size: int = SIZE,
    retries: int = 3,
    **options: Unpack[KernelOptions],
) -> Summary:
    """Convert files of JSON Lines or Parquet into those of a folder, which all workers can reach.

    Each part is a task (see `toolbridge.arrow.parts`). One that is lost with its worker, or done twice, changes
    nothing: it writes the same file, which is there whole or not. `retries` is how often a part is
    tried again that failed, as on a full disk; then its error is raised.
    """
    kernel = Kernel(source, to, column, **options)
    tasks = client.map(
        partial(convert_part, kernel=kernel),
        parts(paths, folder, form=form, size=size),
        pure=False,  # it is done for the files that it writes: no result of an earlier run will do
        retries=retries,
    )
    done = as_completed(tasks, with_results=True)
    return sum((cast("Summary", result) for _, result in cast("Any", done)), Summary())
