"""Dask: files in parts, on the workers of a cluster.

    convert_files(client, "tools.jsonl", "converted", "mcp", "openai")

Needs dask and distributed 2025.1 or newer (tried with 2026.8, 2026-11-21): `pip install 'toolbridge[dask]'`, which
is installed on the workers as well.
"""

# distributed is only partly typed.
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


def convert_files(  # noqa: PLR0917 - the parameters of the other functions after the client
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
    """Convert files of JSON Lines or Parquet into a directory that all workers can access.

    Each part is a task (see `toolbridge.arrow.parts`). A task that is repeated writes the same, complete file.

    Args:
        client: The client of the cluster.
        paths: The files.
        folder: The directory.
        to: The target format.
        source: The source format.
        column: The column of the tools in Parquet.
        form: As for `parts`.
        size: As for `parts`.
        retries: How often a failed part is tried again before its error is raised.
        **options: The options of `Kernel`.
    """
    kernel = Kernel(source, to, column, **options)
    tasks = client.map(
        partial(convert_part, kernel=kernel),
        parts(paths, folder, form=form, size=size),
        pure=False,  # the tasks write files: the result of an earlier run cannot be reused
        retries=retries,
    )
    completed = as_completed(tasks, with_results=True)
    return sum((cast("Summary", result) for _, result in cast("Any", completed)), Summary())
