"""The bridge between asynchronous tools and frameworks that do not await: an event loop in a thread of its own."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop, run_coroutine_threadsafe
from collections.abc import Awaitable, Callable, Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future
from concurrent.futures import wait as wait_for
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from inspect import iscoroutine
from threading import Event, Lock, Thread
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

T = TypeVar("T")

_PATIENCE = 30.0
"""Seconds until an event loop that does not start a coroutine counts as blocked."""

_lock = Lock()
_background: tuple[AbstractEventLoop, Thread] | None = None
_blocked: set[AbstractEventLoop] = set()
_entered: dict[int, AbstractEventLoop] = {}
"""The event loops of the values of `entered`, by their ids: a client need not be hashable."""


def background() -> AbstractEventLoop:
    """The event loop in a thread of its own, which lasts as long as the program."""
    global _background  # noqa: PLW0603 - there is one for all
    with _lock:
        if _background is None or not _background[1].is_alive():  # also after a fork
            loop = asyncio.new_event_loop()
            thread = Thread(target=loop.run_forever, name="toolbridge", daemon=True)
            thread.start()
            _background = loop, thread
        return _background[0]


def running_loop() -> AbstractEventLoop | None:
    """The event loop of asyncio that runs in this thread."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def loop_of(value: object) -> AbstractEventLoop | None:
    """The event loop to which a value of `entered` belongs, or else the one that runs in this thread."""
    found = (_entered.get(id(each)) for each in _parts(value))
    return next((loop for loop in found if loop is not None), None) or running_loop()


def _parts(value: object) -> list[object]:
    return list(cast("Mapping[object, object]", value).values()) if isinstance(value, Mapping) else [value]


def wait(awaitable: Awaitable[T], loop: AbstractEventLoop | None = None) -> T:
    """The result of an awaitable, for code that does not await.

    Its exceptions are raised here. If this thread is interrupted, it is cancelled.

    Args:
        awaitable: What to wait for.
        loop: The event loop to which it belongs; by default one in a thread of its own.

    Returns:
        The result.

    Raises:
        RuntimeError: The event loop is blocked, for example by this thread.
    """
    own = running_loop()
    if own is not None:
        _blocked.add(own)
    future, started = _submitted(awaitable, background() if loop is None else loop)
    try:
        if not started.wait(_PATIENCE) and not future.done():
            raise _refused(awaitable, _BLOCKED)
        return _given(future.result())
    except BaseException:
        future.cancel()
        raise
    finally:
        if own is not None:
            _blocked.discard(own)


async def awaited(awaitable: Awaitable[T], loop: AbstractEventLoop | None) -> T:
    """The result of an awaitable that belongs to an event loop, which need not be the running one.

    Args:
        awaitable: What to wait for. It is cancelled if this is cancelled.
        loop: The event loop to which it belongs; None for the running one.

    Returns:
        The result.

    Raises:
        RuntimeError: The event loop is blocked.
    """
    if loop is None or loop is running_loop():
        return await awaitable
    future, started = _submitted(awaitable, loop)
    result = asyncio.wrap_future(future)
    try:
        await asyncio.wait((result,), timeout=_PATIENCE)
        if not started.is_set() and not result.done():
            raise _refused(awaitable, _BLOCKED)
        return _given(await result)
    except BaseException:
        result.cancel()
        raise


_BLOCKED = (
    "the event loop of these tools is blocked by a call that waits for them: await the framework, run it in "
    "another thread (asyncio.to_thread), or open the connections with toolbridge.adapters.entered"
)


_Stop: TypeAlias = SystemExit | KeyboardInterrupt
"""What would end the event loop if it left a task there, and the thread that waits would wait forever."""


class _ErrorResult(NamedTuple):
    """What a task raised to end the program."""

    error: _Stop


def _given(result: T | _ErrorResult) -> T:
    """The result of a task. Raises what it raised to end the program."""
    if isinstance(result, _ErrorResult):
        raise result.error
    return result


def _submitted(awaitable: Awaitable[T], loop: AbstractEventLoop) -> tuple[Future[T | _ErrorResult], Event]:
    """The future of an awaitable that was handed to an event loop, and the event that says that it runs there."""
    started = Event()

    async def begun() -> T | _ErrorResult:
        started.set()
        try:
            return await awaitable
        except (SystemExit, KeyboardInterrupt) as error:
            return _ErrorResult(error)

    if loop in _blocked or loop is running_loop():
        raise _refused(awaitable, _BLOCKED)
    if loop.is_closed():
        raise _refused(awaitable, "the event loop of these tools is closed")
    return run_coroutine_threadsafe(begun(), loop), started


def _refused(awaitable: Awaitable[Any], problem: str) -> RuntimeError:
    """The error of an awaitable that nobody will await."""
    if iscoroutine(awaitable):
        with suppress(ValueError):  # it has just begun
            awaitable.close()
    return RuntimeError(problem)


@contextmanager
def entered(context: AbstractAsyncContextManager[T]) -> Generator[T]:
    """An asynchronous context manager, such as a client, for code that does not await.

    It is entered and left in one task of an event loop in a thread of its own. An exception of the block is not passed
    to it.

    Args:
        context: The context manager.

    Yields:
        Its value.
    """
    loop = background()
    ready: Future[Any] = Future()
    left = asyncio.Event()

    async def hold() -> _ErrorResult | None:
        try:
            async with context as value:
                ready.set_result(value)
                await left.wait()
        except (SystemExit, KeyboardInterrupt) as error:
            return _ErrorResult(error)

    task = run_coroutine_threadsafe(hold(), loop)
    known: list[object] = []
    try:
        both: list[Future[Any]] = [ready, task]
        try:
            wait_for(both, return_when=FIRST_COMPLETED)
        except BaseException:  # an interrupt: a context manager that is still being entered does not wait for `left`
            task.cancel()
            raise
        if not ready.done():
            _given(task.result())
        value: T = ready.result(0)
        known = _parts(value)
        _entered.update((id(each), loop) for each in known)
        yield value
    finally:
        for each in known:
            _entered.pop(id(each), None)
        loop.call_soon_threadsafe(left.set)
        if not task.cancelled():
            _given(task.result())


async def in_thread(function: Callable[..., T], *args: Any) -> T:
    """The result of a function that runs in a thread."""
    try:
        from anyio.to_thread import run_sync
    except ImportError:  # a framework that stands on asyncio alone
        return await asyncio.to_thread(_without_stop, function, *args)
    return await run_sync(function, *args)


def _without_stop(function: Callable[..., T], *args: Any) -> T:
    try:
        return function(*args)
    except StopIteration as error:  # no future can hold it, and nobody would hear of it
        raise RuntimeError("function raised StopIteration") from error
