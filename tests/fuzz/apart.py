"""Cases in processes of their own: what is found of one that ends its process, and whether one alone is enough."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import sys
from time import monotonic

from fuzz.cases import Case, realised
from fuzz.entry_points import clean
from fuzz.shrink import shrunk
from fuzz.verdict import Finding, confine, judge, peak, prepare, too_much

HANG = 120.0
"""A worker that is silent for so many seconds is ended: it stands where no signal reaches it."""


def apart(case: Case, seconds: float, *, close: bool) -> Finding | None:
    """What is found of a case in a process of its own, its death included."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reading)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # last words of a process that dies, such as a stack
            prepare()
            confine()
            realised([case.document, case.options])  # the input itself is none of what it takes
            before = peak()
            finding = judge(case, close=close, seconds=seconds).finding
            if finding is None:
                finding = too_much(case, before, peak())
            os.write(writing, pickle.dumps(finding))
        finally:
            with contextlib.suppress(BaseException):
                clean()
            os._exit(0)
    os.close(writing)
    text, ends = b"", monotonic() + HANG
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, ends - monotonic()))
        if not ready:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(reading)
            return Finding("hang", case.entry_point, "")
        piece = os.read(reading, 1 << 16)
        if not piece:
            break
        text += piece
    os.close(reading)
    _, status = os.waitpid(pid, 0)
    if not text:
        return Finding("death", case.entry_point, f"the process ended with {status}")
    found: Finding | None = pickle.loads(text)
    if found is not None and found.kind == "memory" and close:
        # The copies of who looks are none of the product's.
        return apart(case, seconds, close=False)
    return found


def confirmed(case: Case, finding: Finding, seconds: float, *, close: bool) -> tuple[Case, bool]:
    """The case as small as it can be while the same is found of it; False where it alone does not lead there."""
    if not _same(apart(case, seconds, close=close), finding):
        return case, False
    patience = 8.0 if finding.kind not in ("slow", "memory", "hang", "death") else 20.0
    ends = monotonic() + patience

    def still(smaller: Case) -> bool:
        return _same(apart(smaller, seconds, close=close), finding)

    return shrunk(case, still, lambda: monotonic() > ends), True


def _same(one: Finding | None, other: Finding) -> bool:
    return one is not None and one.kind == other.kind and one.place == other.place
