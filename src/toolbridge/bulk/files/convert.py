"""convert_file: the stream for programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from ...conversion.options import schema_options
from ...errors import DocumentError
from ...formats.registry import get_format
from ...limits import LIMITS, Limits
from ...mapping.format import Format
from .blocks import NotSplittable
from .job import Job
from .plan import JobResult, JobSpec, ProgressState

Path = str | os.PathLike[str]


def convert_file(
    path: Path,
    to: str | Format,
    output: Path,
    *,
    source: str | Format | None = None,
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
    unroll: int = 1,
    description: int | UnsetType | None = UNSET,
    limits: Limits = LIMITS,
) -> JobResult:
    """Convert a catalogue of any size from file to file, in bounded memory; what came of it is told in sums.

    The file is JSON Lines, a list of tools or an envelope of one, plain or packed (gzip, zstd); what comes out has the
    same shape. Each tool is converted as `convert` would with all the others, and one that cannot be is left out.
    `report`, `remainder` and `rejects` are files for every loss, for what the target could not say, and for the tools
    that were left out, as they stood: a line for each. `restore` is the file of remainders of the way here. `-` is
    standard input as `path`, and standard output as `output`.

    `jobs` is how many processes work (None: as many as there are cores, where the file is large). `resume` goes on
    with what an earlier call with the same arguments had done when it was stopped. `progress` is told now and then how
    far it is. The other options are those of `convert`.

    The output is written whole or not at all. Raises DocumentError where the file is none of these, ToolbridgeError
    where something cannot be read or written, LossError for a refused loss of what stands around the tools.
    """
    if jobs is not None and (type(jobs) is not int or jobs < 1):
        raise ValueError(f"jobs takes a whole number from 1, found {jobs!r}")
    order = JobSpec(
        name=os.fsdecode(path),
        to=to,
        output=os.fsdecode(output),
        source=None if source is None else get_format(source),
        kind="tool",
        fill=fill,
        refuse=refuse,
        options=schema_options(prose=prose, unroll=unroll, description=description, limits=limits),
        jobs=jobs,
        report=_path(report),
        remainder=_path(remainder),
        restore=_path(restore),
        rejects=_path(rejects),
        resume=resume,
    )
    try:
        return Job(order, progress).go()
    except NotSplittable as error:
        raise DocumentError(f"{order.name} cannot be split into items: {error}; convert it as a document") from None


def _path(path: Path | None) -> str | None:
    return None if path is None else os.fsdecode(path)
