"""Verdicts: what a case may do, and what is found where it does something else.

Only ToolbridgeErrors come out; an input below 1 MB takes at most 2 seconds of CPU time, and at most 64 MB or 50 times
its size of memory, whichever is more.
"""

from __future__ import annotations

import logging
import os
import resource
import signal
import sys
import traceback
from collections import Counter
from pathlib import Path
from time import process_time
from types import FrameType, TracebackType
from typing import Any, NamedTuple

import toolbridge
from fuzz.cases import Case, realised, size_of
from fuzz.entry_points import ENTRY_POINTS, PromiseError
from toolbridge import ToolbridgeError

SECONDS = 2.0
"""CPU time that an input may take."""

SMALL = 1_000_000
"""Inputs below so many bytes are promised to be quick and lean."""

FREE, TIMES = 64 << 20, 50
"""Memory that an input may take: so many bytes, or so many times its own size."""

SPACE = 4 << 30
"""The address space of a worker."""

_PACKAGE = str(Path(toolbridge.__file__).parent) + os.sep
_UNIT = 1 if sys.platform == "darwin" else 1024


class Overtime(BaseException):
    """An input takes longer than it may. No part of the product catches this."""


class Finding(NamedTuple):
    """What is wrong: a kind (an exception's name, `slow`, `memory`, a promise), where, and more words."""

    kind: str
    place: str
    words: str

    @property
    def key(self) -> str:
        return f"{self.kind} at {self.place}"


class Verdict(NamedTuple):
    """What became of a case: whether toolbridge refused it, CPU seconds, and what was found."""

    refused: bool
    seconds: float
    finding: Finding | None


class _Masked(logging.Handler):
    """Keeps the last unforeseen exception that was told as the failure of one item."""

    error: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info is not None and record.exc_info[1] is not None:
            self.error = record.exc_info[1]


_masked = _Masked(logging.DEBUG)
_armed = False


def _alarm(_: int, frame: FrameType | None) -> None:
    if _armed:
        raise Overtime(_place_of_frame(frame))


def prepare() -> None:
    """Make this process one that judges: limits of space and time, and an ear for exceptions that are hidden."""
    signal.signal(signal.SIGPROF, _alarm)
    logger = logging.getLogger("toolbridge")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    if _masked not in logger.handlers:
        logger.addHandler(_masked)
    os.environ["TOOLBRIDGE_DEBUG"] = "1"  # the command shows what it would excuse itself for


def confine() -> None:
    """Bound the memory of this process, which cannot be undone."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if sys.platform == "linux" and (soft == resource.RLIM_INFINITY or soft > SPACE):
        resource.setrlimit(resource.RLIMIT_AS, (SPACE, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def judge(case: Case, *, close: bool, seconds: float = SECONDS) -> Verdict:
    """Run a case. `close`: look at what comes out as well."""
    global _armed  # noqa: PLW0603 - a signal handler has no other way to know
    refused = False
    finding: Finding | None = None
    run = ENTRY_POINTS[case.entry_point].run
    _masked.error = None
    before = process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    _armed = True
    try:
        run(case, close)
        _armed = False
    except ToolbridgeError as error:
        _armed = False
        refused = True
        finding = _told(error)
    except Overtime as error:
        _armed = False
        finding = _slow(case, str(error), seconds)
    except PromiseError as error:
        _armed = False
        finding = Finding(error.name, error.about or _between(case), str(error)[:400])
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        _armed = False
        finding = of_exception(error)
    finally:
        _armed = False
        signal.setitimer(signal.ITIMER_PROF, 0)
    spent = process_time() - before
    if finding is None and spent > seconds:  # a `finally` of an entry point took the place of Overtime
        finding = _slow(case, _between(case), seconds)
    if finding is None and _masked.error is not None:
        finding = of_exception(_masked.error)
        finding = finding._replace(words=f"told as the failure of one item: {finding.words}")
    return Verdict(refused, spent, finding)


def _told(error: ToolbridgeError) -> Finding | None:
    """An error of the product whose own words cannot be had is none."""
    try:
        str(error).encode("utf-8", "surrogatepass")
        repr(error)
    except Exception as problem:  # noqa: BLE001 - that is what is looked for
        return of_exception(problem)
    return None


def _slow(case: Case, place: str, seconds: float) -> Finding | None:
    many = size(case)
    if many >= SMALL:
        return None
    return Finding("slow", place, f"more than {seconds:g} s of CPU time for {many:,} bytes")


def size(case: Case) -> int:
    """Roughly how many bytes of input a case is."""
    return size_of(realised([case.document, case.options]))


def _between(case: Case) -> str:
    """The entry point and the formats of a case, where nothing else tells findings apart."""
    families = [str(case.options.get(name, "")).partition("@")[0] for name in ("source", "to")]
    return f"{case.entry_point} {' -> '.join(families)}"


def of_exception(error: BaseException) -> Finding:
    """What an exception is, and where in the product it comes from."""
    words = (
        f"{type(error).__name__}: {error!s:.300}" if not isinstance(error, KeyError) else f"KeyError: {error!r:.300}"
    )
    return Finding(type(error).__name__, _place_of(error.__traceback__, error), words)


def _place_of(trace: TracebackType | None, error: BaseException) -> str:
    names: list[str] = []
    for frame, _ in traceback.walk_tb(trace):
        file = frame.f_code.co_filename
        if file.startswith(_PACKAGE):
            names.append(f"{file.removeprefix(_PACKAGE)}:{frame.f_code.co_name}")
        elif not names and f"{os.sep}fuzz{os.sep}" not in file:
            continue
    if not names:
        last = list(traceback.walk_tb(trace))
        code = last[-1][0].f_code if last else None
        return f"outside: {Path(code.co_filename).name}:{code.co_name}" if code is not None else "nowhere"
    if isinstance(error, RecursionError):
        # Where the stack ends is chance; what is there most often is what calls itself.
        name, times = Counter(names[-60:]).most_common(1)[0]
        return name if times > 3 else names[-1]
    return names[-1]


def _place_of_frame(frame: FrameType | None) -> str:
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_PACKAGE):
            return f"{file.removeprefix(_PACKAGE)}:{frame.f_code.co_name}"
        frame = frame.f_back
    return "outside"


def peak() -> int:
    """The most memory that this process has had so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


def too_much(case: Case, before: int, after: int) -> Finding | None:
    """Whether a case took more memory than it may; where is not known."""
    grown = after - before
    if grown <= FREE:
        return None
    many = size(case)
    if many >= SMALL or grown <= TIMES * many:
        return None
    words = f"{grown / 1e6:,.0f} MB for {many:,} bytes"
    return Finding("memory", _between(case), words)


def described(value: Any) -> str:
    """A value in few words."""
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:150]} ... {text[-40:]}"
