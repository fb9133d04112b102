"""Keeper: what is written is made safe beside the work, since a disk takes its time."""

from __future__ import annotations

import os
import threading
from queue import SimpleQueue

from .source import write


class Keeper:
    """A thread that makes safe what others wrote to some files, and then writes to the ledger that it is."""

    def __init__(self, files: list[int], ledger: int) -> None:
        self._files, self._ledger = files, ledger
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._failed: OSError | None = None
        self._thread: threading.Thread | None = None

    def keep(self, lines: bytes) -> None:
        if self._failed is not None:
            raise self._failed
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        self._queue.put(lines)

    def close(self) -> None:
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
        if self._failed is not None:
            raise self._failed

    def _run(self) -> None:
        while (lines := self._queue.get()) is not None:
            try:
                for fd in self._files:
                    os.fsync(fd)
                # Only now may the ledger say so.
                write(self._ledger, lines)
                os.fsync(self._ledger)
            except OSError as error:
                self._failed = error
                return
