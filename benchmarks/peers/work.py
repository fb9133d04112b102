"""Runs one converter over a file of MCP tools, inside the environment of its peer.

    python -P work.py ADAPTER TARGET TOOLS FIRST

An adapter is a file with `TARGETS`: for each target a `prepare` (the tool as the peer's function takes it; not timed),
a `convert` (timed) and a `finish` (what was written, as plain JSON; not timed). `REFUSALS` names the exceptions by
which the peer refuses a schema. Results are JSON lines on standard output: one when the work begins, then one for every
tool from number FIRST on. The process that started this one ends it when a tool takes too long.

Microseconds are the median of several runs after a first one: CPU time, without garbage collection, each run on a copy
of its own, because some peers change their input. `decode` is the time of `msgspec.json.decode` of the same bytes.
"""

from __future__ import annotations

import copy
import gc
import importlib.util
import json
import logging
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

RUNS = 15
ENOUGH = 0.1
"""Seconds for the copies of one tool, and again for the runs."""
LIMIT = 5.0
"""Seconds for one conversion."""
LARGE = 1 << 20
"""Bytes of output that are an error for a tool of less than a tenth of that."""
MEMORY = 8 << 30
"""Bytes of address space: references that multiply end in an error rather than in the machine's memory."""


class WarningHandler(logging.Handler):
    """Collects the log messages of a library from the level of a warning on."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """The log messages and warnings of the block."""
    handler = WarningHandler()
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield handler.messages
        handler.messages += [str(warning.message) for warning in caught]
    finally:
        root.removeHandler(handler)


def timed(work: Callable[[Any], object], fresh: Callable[[], Any]) -> float:
    """Median microseconds."""
    until = time.perf_counter() + ENOUGH
    given: list[Any] = []
    while len(given) < RUNS and (len(given) < 3 or time.perf_counter() < until):
        given.append(fresh())
    taken: list[int] = []
    for one in given:  # in direct succession, so that caches of the processor are warm
        start = time.thread_time_ns()
        work(one)
        taken.append(time.thread_time_ns() - start)
        if len(taken) >= 3 and time.perf_counter() > until + ENOUGH:
            break
    return max(statistics.median(taken) - NOTHING, 1) / 1000


def of_nothing() -> float:
    """Median nanoseconds of reading the clock."""
    taken: list[int] = []
    for _ in range(1000):
        start = time.thread_time_ns()
        taken.append(time.thread_time_ns() - start)
    return statistics.median(taken)


NOTHING = of_nothing()


def answer(text: bytes, steps: dict[str, Any], refusals: tuple[type[Exception], ...]) -> dict[str, Any]:
    """The result for one tool."""
    prepare, convert, finish = steps["prepare"], steps["convert"], steps["finish"]
    prepared: Any = None
    try:
        prepared = prepare(json.loads(text))
        given = copy.deepcopy(prepared)
        start = time.thread_time()
        with collected_warnings() as messages:
            made = convert(given)
        seconds = time.thread_time() - start
        if seconds > LIMIT:
            return {"error": f"took {seconds:.1f} seconds"}
        written = finish(made)
        out = json.dumps({**written, "report": [*written.get("report", ()), *messages]}, default=str)
        if len(out) > LARGE > 10 * len(text):
            return {"error": f"made {len(out):,} bytes of {len(text):,}"}
        result = json.loads(out)
    except refusals as error:
        return {"refused": f"{type(error).__name__}: {error}"[:300]}
    except Exception as error:  # noqa: BLE001 - whatever a peer raises is its answer
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    result["microseconds"] = timed(convert, lambda: copy.deepcopy(prepared))
    result["decode"] = timed(msgspec.json.decode, lambda: text)
    return result


def load(path: str) -> Any:
    """An adapter, under a name that hides no package."""
    spec = importlib.util.spec_from_file_location("adapter_of_a_peer", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(adapter: str, target: str, tools: str, first: str) -> None:
    # Libraries print what they like; only answers go to the real standard output.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        try:
            import resource
        except ImportError:  # not on Windows
            pass
        else:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        logging.getLogger().addHandler(logging.NullHandler())
        module = load(adapter)
        steps, refusals = module.TARGETS[target], tuple(getattr(module, "REFUSALS", ()))
        out.write("{}\n")
        out.flush()
        gc.collect()
        gc.disable()
        for number, text in enumerate(Path(tools).read_bytes().splitlines()):
            if number % 50 == 0:
                gc.collect()
            if number >= int(first):
                result = answer(text, steps, refusals)
                out.write(json.dumps({"number": number, **result}) + "\n")
                out.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
