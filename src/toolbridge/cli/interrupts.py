"""Signals that ask the command to end: SIGTERM and SIGHUP end it as Ctrl-C does, with what it has started."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from typing import Any

from ..data.output import write_together


class Interrupt(KeyboardInterrupt):
    """A signal asked the process to end; `number` is its number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def interruptible(*, event_loop: bool = False) -> Generator[None, None, None]:
    """Raises Interrupt for SIGTERM and SIGHUP, unless the process handles them already.

    An `event_loop` handles Ctrl-C itself, and is ended by it in its own way: Interrupt is raised when that is done.
    """
    import signal  # a conversion to standard output starts without it

    before: dict[int, Any] = {}
    process = os.getpid()
    received: list[int] = []

    def interrupt(number: int, _: object) -> None:
        if os.getpid() != process:
            os._exit(128 + number)
        for ignored in before:
            signal.signal(ignored, signal.SIG_IGN)  # the ending itself is not interrupted
        received.append(number)
        if event_loop and callable(signal.getsignal(signal.SIGINT)):
            signal.raise_signal(signal.SIGINT)
        else:
            raise Interrupt(number)

    with suppress(ValueError):  # only the main thread can handle signals
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, interrupt)
                before[number] = signal.SIG_DFL
    try:
        yield
    except KeyboardInterrupt:
        if not received:
            raise
        raise Interrupt(received[0]) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def write_files(files: Iterable[tuple[str, Iterable[bytes]]]) -> None:
    """Write files as `write_together`; a signal that ends the process removes those without their names yet."""
    with interruptible():
        write_together(files)
