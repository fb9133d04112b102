"""Pools of workers: in this process or in several. Results come in the order of the tasks."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from ...errors import ToolbridgeError
from .blocks import NotABlock, NotSplittable
from .plan import Plan
from .worker import Worker

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_QUEUED: Final = 4
"""How many tasks a worker has at a time: one that it does, and others that wait, so that it need not."""

_AHEAD: Final = 6
"""How many tasks for each worker may be done, or under way, before the first of them is."""


Results: TypeAlias = Generator[tuple[tuple[Any, ...], Any, int], None, None]


class Pool(Protocol):
    """Those who do tasks: methods of a Worker, with what they are given."""

    def each(self, method: str, tasks: Iterable[tuple[Any, ...]]) -> Results:
        """Do tasks. Gives each with its result and who did it, in their order; an Unproved is a result as well."""
        ...

    def tell(self, who: int, method: str, *given: Any) -> None:
        """Have the one who did a task do something about it."""
        ...

    def tell_all(self, method: str, *given: Any) -> None:
        """Have everybody do something; nobody has a task meanwhile."""
        ...

    def written(self) -> list[int]:
        """The blocks that have been written since this was last asked."""
        ...

    def after_read(self) -> None:
        """Wait until everybody is done with everything."""
        ...

    def close(self) -> None:
        """Send everybody home."""
        ...


class InProcess:
    """This process does everything, one after the other."""

    def __init__(self, plan: Plan) -> None:
        self._worker = Worker(plan)
        self._written: list[int] = []

    def each(self, method: str, tasks: Iterable[tuple[Any, ...]]) -> Results:
        do = getattr(self._worker, method)
        for task in tasks:
            try:
                result = do(*task)
            except NotABlock as error:
                result = error
            yield task, result, 0

    def tell(self, who: int, method: str, *given: Any) -> None:
        del who
        done = getattr(self._worker, method)(*given)
        if method == "write":
            self._written.append(done)

    def tell_all(self, method: str, *given: Any) -> None:
        self.tell(0, method, *given)

    def written(self) -> list[int]:
        found, self._written = self._written, []
        return found

    def after_read(self) -> None:
        pass

    def close(self) -> None:
        pass


class Processes:
    """Several processes, each with a worker. `where` says in words what a task is about, if somebody dies of it."""

    def __init__(self, plan: Plan, jobs: int, where: Callable[[str, tuple[Any, ...]], str]) -> None:
        from multiprocessing import get_context

        context: Any = get_context("fork" if forks() else "spawn")
        self._where = where
        self._name = plan.text.name
        self._written: list[int] = []
        self._doing: list[list[tuple[int, str, tuple[Any, ...]]]] = [[] for _ in range(jobs)]
        self._done: dict[int, tuple[Any, int]] = {}
        self._owed = [0] * jobs
        self._number = 0
        self._mine: list[Connection[Any, Any]] = []
        self._processes: list[Any] = []
        self._poll: Any = None
        # Whoever is asked to stop asks this process, which has to know what is to become of it all.
        usual = signal.signal(signal.SIGINT, signal.SIG_IGN) if _is_main() else None
        try:
            for _ in range(jobs):
                mine, other = context.Pipe()
                before = [*self._mine, mine] if forks() else []
                process = context.Process(target=_work, args=(plan, other, before), daemon=True)
                process.start()
                other.close()
                self._mine.append(mine)
                self._processes.append(process)
        finally:
            if usual is not None:
                signal.signal(signal.SIGINT, usual)

    def each(self, method: str, tasks: Iterable[tuple[Any, ...]]) -> Results:
        waiting = iter(tasks)
        order: list[tuple[int, tuple[Any, ...]]] = []
        more = True
        try:
            while True:
                while more and len(order) < _AHEAD * len(self._mine):
                    who = min(range(len(self._mine)), key=lambda who: len(self._doing[who]))
                    if len(self._doing[who]) >= _QUEUED:
                        break
                    task = next(waiting, None)
                    if task is None:
                        more = False
                        break
                    self._number += 1
                    order.append((self._number, task))
                    self._doing[who].append((self._number, method, task))
                    self._send(who, (self._number, method, task))
                if not order:
                    return
                number, task = order[0]
                if number not in self._done:
                    self._listen()
                    continue
                result, who = self._done.pop(number)
                order.pop(0)
                yield task, result, who
        finally:
            # Of what was begun and nobody wants any more, nothing may come to those who come later.
            if sys.exc_info()[0] is None or sys.exc_info()[0] is GeneratorExit:
                while any(self._doing):
                    self._listen()
            for number, _ in order:
                self._done.pop(number, None)

    def tell(self, who: int, method: str, *given: Any) -> None:
        self._owed[who] += 1
        self._send(who, (0, method, given))

    def tell_all(self, method: str, *given: Any) -> None:
        for who in range(len(self._mine)):
            self.tell(who, method, *given)
        self.after_read()

    def written(self) -> list[int]:
        found, self._written = self._written, []
        return found

    def after_read(self) -> None:
        while any(self._owed) or any(self._doing):
            self._listen()

    def _send(self, who: int, message: tuple[Any, ...]) -> None:
        try:
            self._mine[who].send(message)
        except OSError:
            raise self._dead(who) from None

    def _listen(self) -> None:
        """Take what is said next."""
        ready = self._wait()
        heard = [who for who in range(len(self._mine)) if self._mine[who].fileno() in ready]
        for who in heard:
            try:
                message = self._mine[who].recv()
            except (EOFError, OSError):
                raise self._dead(who) from None
            self._take(who, message)
        if not heard:
            raise self._dead(next(who for who, each in enumerate(self._processes) if each.sentinel in ready))

    def _wait(self) -> set[int]:
        """Those of whom something is to be heard: ends of pipes, and of processes."""
        ends = [process.sentinel for process in self._processes]
        if not hasattr(select, "poll"):
            from multiprocessing.connection import wait

            return {each if isinstance(each, int) else each.fileno() for each in wait([*self._mine, *ends])}
        if self._poll is None:
            self._poll = select.poll()
            for each in (*ends, *(mine.fileno() for mine in self._mine)):
                self._poll.register(each, select.POLLIN)
        return {each for each, _ in self._poll.poll()}

    def _take(self, who: int, message: tuple[Any, ...]) -> None:
        number, kind, value = message
        if kind == "error":
            raise value
        if kind == "bug":
            raise RuntimeError(value)
        if number:
            self._doing[who] = [each for each in self._doing[who] if each[0] != number]
            self._done[number] = value, who
        else:
            self._owed[who] -= 1
            if value is not None:
                self._written.append(value)

    def _dead(self, who: int) -> ToolbridgeError:
        process = self._processes[who]
        process.join(1)
        code = process.exitcode
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        at = self._doing[who][0] if self._doing[who] else None
        where = f" at {self._where(at[1], at[2])}" if at is not None else ""
        return ToolbridgeError(f"{self._name}: a worker process died ({how}){where}; nothing was written")

    def close(self) -> None:
        for mine in self._mine:
            with suppress(OSError):
                mine.close()
        for process in self._processes:
            process.join(0.5)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()


def forks() -> bool:
    """Whether processes can be forked here: not where they cannot, or where threads would be left behind halfway."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _work(plan: Plan, mine: Connection[Any, Any], others: list[Connection[Any, Any]]) -> None:
    """What a process does until its parent is gone."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_IGN)  # the parent sees to it
    for each in others:
        each.close()
    import gc

    gc.set_threshold(200_000, 20, 100)
    try:
        worker = Worker(plan)
        waiting: deque[tuple[int, str, tuple[Any, ...]]] = deque()
        while True:
            # What is done can be written, and need not be held, while the next tasks wait.
            while not waiting or mine.poll():
                number, method, given = mine.recv()
                if number:
                    waiting.append((number, method, given))
                else:
                    mine.send(_answer(worker, number, method, given))
            mine.send(_answer(worker, *waiting.popleft()))
    except (EOFError, OSError):
        pass
    finally:
        # Neither buffers nor handlers of the parent are ours.
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
        return number, "error", OSError(error.errno, error.strerror)
    except MemoryError:
        return number, "error", ToolbridgeError("there is not enough memory for this")
    except Exception:  # noqa: BLE001 - the parent says it
        from traceback import format_exc

        return number, "bug", format_exc()
