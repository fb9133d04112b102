"""The function convert_file: the conversion of files for programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from ...conversion.options import Describe, conversion_options
from ...errors import DocumentError
from ...formats.format_names import FormatName
from ...formats.registry import get_format
from ...limits import LIMITS, Limits
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
    fill: Mapping[str, Any] | None = None,
    refuse: Sequence[str] = ("TB9",),
    report: Path | None = None,
    remainder: Path | None = None,
    restore: Path | None = None,
    rejects: Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    progress: Callable[[ProgressState], None] | None = None,
    prose: bool = True,
    describe: Describe = False,
    unroll: int = 1,
    description: int | UnsetType | None = UNSET,
    limits: Limits = LIMITS,
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
        fill: As for `convert`.
        refuse: As for `convert`.
        report: A file for the losses, one on each line.
        remainder: A file for the remainders, one on each line.
        restore: The file of remainders of an earlier conversion.
        rejects: A file for the tools that were left out, unchanged, one on each line.
        resume: Whether to continue an interrupted call with the same arguments.
        jobs: The number of processes; by default one for each core if the file is large.
        progress: A function that is called from time to time with the progress.
        prose: As for `convert`.
        describe: As for `convert`.
        unroll: As for `convert`.
        description: As for `convert`.
        limits: As for `convert`.

    Returns:
        The sums: tools, refused tools, counts of losses.

    Raises:
        DocumentError: The file is none of these.
        ToolbridgeError: A file cannot be read or written.
        LossError: The envelope of the tools has a refused loss.
    """
    if jobs is not None and (type(jobs) is not int or jobs < 1):
        raise ValueError(f"jobs takes a whole number from 1, found {jobs!r}")
    order = JobSpec(
        name=os.fsdecode(path),
        to=to,
        output=os.fsdecode(output),
        source=None if source is None else get_format(source),
        kind="tool",
        options=conversion_options(
            fill=fill,
            refuse=refuse,
            on_error="skip",
            prose=prose,
            describe=describe,
            unroll=unroll,
            description=description,
            limits=limits,
        ),
        jobs=jobs,
        report=_path(report),
        remainder=_path(remainder),
        restore=_path(restore),
        rejects=_path(rejects),
        resume=resume,
    )
    try:
        return Job(order, progress).run()
    except NotSplittable as error:
        raise DocumentError(f"{order.name} cannot be split into items: {error}; convert it as a document") from None


def _path(path: Path | None) -> str | None:
    return None if path is None else os.fsdecode(path)
