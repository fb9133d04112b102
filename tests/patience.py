"""Patience: how long a test waits for what must not go on and on. What things take is measured in benchmarks/."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """TimeoutError within what has had so much time of the processor, where there is such a clock.

    Meant for what would take ages: ten times as much as a slow machine needs, and more, is no matter.
    """

    def stop(*_: object) -> None:
        raise TimeoutError

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
