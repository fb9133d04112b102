"""Pools of workers: in this process or in several. Results come in the order of the tasks."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, suppress
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from ...errors import ToolbridgeError, reason
from ..text_converter import Span
from .blocks import Block, BlockReader, FileLayout, NotABlock, NotSplittable, Splitter
from .plan import Plan, ProgressState, Task
from .source import Text
from .worker import Worker

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_QUEUED: Final = 4
"""How many tasks a worker has at a time: the running one and those that wait, so that it never does."""

_TOGETHER: Final = 8
"""How many parts of a text a task counts the lines of."""

_AHEAD: Final = 6
"""How many tasks for each worker may be ahead of the oldest one that is not finished."""


Results: TypeAlias = Generator[tuple[tuple[Any, ...], Any, int], None, None]


class InProcess:
    """A pool of one worker, in this process."""

    def __init__(self, worker: BlockReader) -> None:
        self._worker = worker
        self._written: list[int] = []

    def run(self, method: str, tasks: Iterable[tuple[Any, ...]]) -> Results:
        """Run a method for each task. Gives each task with its result and the number of its worker, in their order.

        A NotABlock is a result as well.
        """
        do = getattr(self._worker, method)
        for task in tasks:
            try:
                result = do(*task)
            except NotABlock as error:
                result = error
            yield task, result, 0

    def send(self, worker: int, method: str, *given: Any) -> None:
        """Run a method of one worker, without waiting for it."""
        del worker
        done = getattr(self._worker, method)(*given)
        if method == "write":
            self._written.append(done)

    def broadcast(self, method: str, *given: Any) -> None:
        """Run a method of all workers, while they have no tasks."""
        self.send(0, method, *given)

    def written(self) -> list[int]:
        """The blocks that were written since the last call."""
        found, self._written = self._written, []
        return found

    def wait(self) -> None:
        """Wait until all workers have finished everything."""

    def close(self) -> None:
        """End the workers."""
        self._worker.close()


class Processes:
    """A pool of several processes, each with a worker, with the methods of `InProcess`.

    `where` describes a task, for the error if its process dies. Each process has its own connection, which ends with
    it. The processes of a `ProcessPoolExecutor` send their results through one pipe: if one is killed while it sends
    a block, all others wait for ever (CPython 3.11 to 3.13, checked 2026-11-28).
    """

    def __init__(self, plan: Plan, jobs: int, where: Callable[[str, tuple[Any, ...]], str]) -> None:
        from multiprocessing import get_context

        context: Any = get_context("fork" if forks() else "spawn")
        self._where = where
        self._name = plan.text.name
        self._written: list[int] = []
        self._running: list[list[tuple[int, str, tuple[Any, ...]]]] = [[] for _ in range(jobs)]
        self._done: dict[int, tuple[Any, int]] = {}
        self._awaited = [0] * jobs
        self._number = 0
        self._connections: list[Connection[Any, Any]] = []
        self._processes: list[Any] = []
        # An interrupt is for this process only: it decides what is kept.
        usual = None
        with suppress(ValueError):  # only the main thread of the main interpreter is interrupted
            usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            for _ in range(jobs):
                connection, other = context.Pipe()
                before = [*self._connections, connection] if forks() else []
                process = context.Process(target=_work, args=(plan, other, before), daemon=True)
                process.start()
                other.close()
                self._connections.append(connection)
                self._processes.append(process)
        except OSError as error:
            self.close()
            raise ToolbridgeError(f"cannot start {jobs} processes: {reason(error)}; choose fewer jobs") from error
        finally:
            if usual is not None:
                signal.signal(signal.SIGINT, usual)

    def run(self, method: str, tasks: Iterable[tuple[Any, ...]]) -> Results:
        waiting = iter(tasks)
        order: list[tuple[int, tuple[Any, ...]]] = []
        more = True
        try:
            while True:
                while more and len(order) < _AHEAD * len(self._connections):
                    worker = min(range(len(self._connections)), key=lambda worker: len(self._running[worker]))
                    if len(self._running[worker]) >= _QUEUED:
                        break
                    task = next(waiting, None)
                    if task is None:
                        more = False
                        break
                    self._number += 1
                    order.append((self._number, task))
                    self._running[worker].append((self._number, method, task))
                    self._send(worker, (self._number, method, task))
                if not order:
                    return
                number, task = order[0]
                if number not in self._done:
                    self._receive()
                    continue
                result, worker = self._done.pop(number)
                order.pop(0)
                yield task, result, worker
        finally:
            # The results of tasks that were begun and are not wanted must not reach the next caller.
            if sys.exc_info()[0] is None or sys.exc_info()[0] is GeneratorExit:
                while any(self._running):
                    self._receive()
            for number, _ in order:
                self._done.pop(number, None)

    def send(self, worker: int, method: str, *given: Any) -> None:
        self._awaited[worker] += 1
        self._send(worker, (0, method, given))

    def broadcast(self, method: str, *given: Any) -> None:
        for worker in range(len(self._connections)):
            self.send(worker, method, *given)
        self.wait()

    def written(self) -> list[int]:
        found, self._written = self._written, []
        return found

    def wait(self) -> None:
        while any(self._awaited) or any(self._running):
            self._receive()

    def _send(self, worker: int, message: tuple[Any, ...]) -> None:
        try:
            self._connections[worker].send(message)
        except OSError:
            raise self._death(worker) from None

    def _receive(self) -> None:
        """Receive the next messages."""
        from multiprocessing.connection import wait

        ready = wait([*self._connections, *(process.sentinel for process in self._processes)])
        senders = [worker for worker, connection in enumerate(self._connections) if connection in ready]
        for worker in senders:
            try:
                message = self._connections[worker].recv()
            except (EOFError, OSError):
                raise self._death(worker) from None
            self._accept(worker, message)
        if not senders:
            raise self._death(next(worker for worker, each in enumerate(self._processes) if each.sentinel in ready))

    def _accept(self, worker: int, message: tuple[Any, ...]) -> None:
        number, kind, value = message
        if kind == "error":
            raise value
        if kind == "bug":
            raise RuntimeError(value)
        if number:
            self._running[worker] = [each for each in self._running[worker] if each[0] != number]
            self._done[number] = value, worker
        else:
            self._awaited[worker] -= 1
            if value is not None:
                self._written.append(value)

    def _death(self, worker: int) -> ToolbridgeError:
        process = self._processes[worker]
        process.join(1)
        code = process.exitcode
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        at = self._running[worker][0] if self._running[worker] else None
        where = f" at {self._where(at[1], at[2])}" if at is not None else ""
        return ToolbridgeError(f"{self._name}: a worker process died ({how}){where}; nothing was written")

    def close(self) -> None:
        for connection in self._connections:
            with suppress(OSError):
                connection.close()
        for process in self._processes:
            process.join(0.5)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()


Pool: TypeAlias = InProcess | Processes


def find_blocks(
    text: Text, layout: FileLayout, pool: Pool, size: int, see: Callable[[ProgressState], object]
) -> tuple[list[Block], int]:
    """All blocks of a text, and the end of its list. Raises ToolbridgeError if the list is not JSON."""
    blocks: list[Block] = []
    if layout.wrap is None:
        parts = range(-(-(text.size - layout.begin) // size))
        tasks = ((layout.begin, parts[first : first + _TOGETHER], size) for first in parts[::_TOGETHER])
        for _, found, _ in pool.run("lines", tasks):
            blocks += (block for block in found if block.items or block.lines)
            see(ProgressState(found[-1].end, text.size, None))
        return blocks, text.size
    splitter = Splitter(text, layout, size)
    waiting: list[Span] = []
    while True:
        wrong: Span | None = None
        with closing(pool.run("items", chain(waiting, iter(splitter.next, None)))) as done:
            for task, found, _ in done:
                span = cast("Span", task)
                block = found
                if isinstance(found, NotABlock):
                    if span not in waiting:
                        wrong = span
                        break
                    block = splitter.block_one_by_one(*span)
                blocks.append(block)
                see(ProgressState(block.end, text.size, None))
        if wrong is None:
            break
        waiting = [splitter.next_proved(wrong[0])]
    if len(blocks) > 1 and not blocks[-1].items:
        raise ToolbridgeError(f"{text.name}: byte {blocks[-1].start + 1:,}: a comma with nothing behind it")
    return blocks, splitter.end


def tasks_of(blocks: Sequence[Block], remainders: Iterable[Span] | None = None) -> list[Task]:
    """A task for each block, with the offsets of its remainders if there are any."""
    tasks: list[Task] = []
    first, line = 0, 1
    for block, rest in zip(blocks, repeat((0, 0)) if remainders is None else remainders, strict=False):
        tasks.append(Task(len(tasks), block.start, block.end, first, line, block.items, rest))
        first += block.items
        line += block.lines
    return tasks


def forks() -> bool:
    """Whether processes can be forked: not on all systems, and not safely while other threads run."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


def can_start(texts: Iterable[Text]) -> bool:
    """Whether this process can start others that read these texts."""
    from multiprocessing import current_process

    # A daemonic process, such as a worker of a `multiprocessing.Pool`, may have no children. Processes that are not
    # forked cannot open a file without a name, and run the main module anew, which a script on standard input is not.
    main = sys.modules["__main__"]
    can_spawn = getattr(main, "__spec__", None) is not None or os.path.exists(getattr(main, "__file__", None) or "/")
    return not current_process().daemon and (forks() or (can_spawn and all(text.has_name for text in texts)))


def _work(plan: Plan, connection: Connection[Any, Any], others: list[Connection[Any, Any]]) -> None:
    """The loop of a process, until its parent is gone."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_IGN)  # the parent handles it
    for each in others:
        each.close()
    import gc

    gc.set_threshold(200_000, 20, 100)
    try:
        worker = Worker(plan)
        waiting: deque[tuple[int, str, tuple[Any, ...]]] = deque()
        while True:
            # Finished blocks are written before the next tasks, so that they are not held in memory.
            while not waiting or connection.poll():
                number, method, given = connection.recv()
                if number:
                    waiting.append((number, method, given))
                else:
                    connection.send(_answer(worker, number, method, given))
            connection.send(_answer(worker, *waiting.popleft()))
    except (EOFError, OSError):
        pass
    finally:
        # No buffers are flushed and no handlers run that belong to the parent.
        os._exit(0)


def _answer(worker: Worker, number: int, method: str, given: tuple[Any, ...]) -> tuple[int, str, Any]:
    try:
        return number, "done", getattr(worker, method)(*given)
    except NotABlock as error:
        return number, "done", error
    except NotSplittable as error:
        return number, "error", NotSplittable(str(error))
    except ToolbridgeError as error:
        return number, "error", ToolbridgeError(str(error))
    except OSError as error:
        return number, "error", OSError(error.errno, error.strerror, error.filename)
    except MemoryError:
        return number, "error", ToolbridgeError("there is not enough memory for this")
    except Exception:  # noqa: BLE001 - the parent reports it
        from traceback import format_exc

        return number, "bug", format_exc()
