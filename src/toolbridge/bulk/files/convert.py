"""The function convert_file: the conversion of files for programs."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Unpack

from ...conversion.options import SchemaOptions, check_names, conversion_options
from ...errors import DocumentError
from ...formats.format_names import FormatName
from ...formats.registry import get_format
from ...mapping.format import Format
from .blocks import NotSplittable
from .job import Job
from .plan import JobResult, JobSpec, ProgressState

Path = str | os.PathLike[str]


def convert_file(
    path: Path,
    to: FormatName | Format,
    output: Path,
    *,
    source: FormatName | Format | None = None,
    report: Path | None = None,
    remainder: Path | None = None,
    restore: Path | None = None,
    rejects: Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    progress: Callable[[ProgressState], None] | None = None,
    **options: Unpack[SchemaOptions],
) -> JobResult:
    """Convert a catalogue of any size from file to file, in bounded memory.

    The file is JSON Lines, a list of tools or an envelope of one, plain or compressed (gzip, zstd); the output has the
    same shape, and is written completely or not at all. Each tool is converted as `convert` would convert it together
    with all others; a tool that cannot be converted is left out.

    Args:
        path: The input file; `-` is standard input.
        to: The target format.
        output: The output file; `-` is standard output.
        source: The source format; detected by default.
        report: A file for the losses, one on each line.
        remainder: A file for the remainders, one on each line.
        restore: The file of remainders of an earlier conversion.
        rejects: A file for the tools that were left out, unchanged, one on each line.
        resume: Whether to continue an interrupted call with the same arguments.
        jobs: The number of processes; by default one for each core if the file is large.
        progress: A function that is called from time to time with the progress.
        **options: The options of `convert`, but for those of remainders and `on_error`.

    Returns:
        The sums: tools, refused tools, counts of losses.

    Raises:
        DocumentError: The file is none of these.
        ToolbridgeError: A file cannot be read or written.
        LossError: The envelope of the tools has a refused loss.
    """
    check_names(options, SchemaOptions)
    if jobs is not None and (type(jobs) is not int or jobs < 1):
        raise ValueError(f"jobs takes a whole number from 1, found {jobs!r}")
    order = JobSpec(
        name=_named("path", path),
        to=to,
        output=_named("output", output),
        source=None if source is None else get_format(source),
        kind="tool",
        options=conversion_options(on_error="skip", **options),
        jobs=jobs,
        report=None if report is None else _named("report", report),
        remainder=None if remainder is None else _named("remainder", remainder),
        restore=None if restore is None else _named("restore", restore),
        rejects=None if rejects is None else _named("rejects", rejects),
        resume=resume,
    )
    try:
        return Job(order, progress).run()
    except NotSplittable as error:
        if error.name:
            raise DocumentError(f"{error.name}: {error}") from None
        raise DocumentError(f"{order.name} cannot be split into items: {error}; convert it as a document") from None


def _named(argument: str, path: Path) -> str:
    """The path in an argument, of which the error for other values has the name."""
    try:
        return os.fsdecode(path)
    except TypeError:
        raise TypeError(f"{argument} is the path of a file, found {type(path).__name__}") from None
