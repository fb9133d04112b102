"""The bridge between asynchronous tools and frameworks that do not await."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any, Self

import pytest

from toolbridge.adapters import entered, event_loop, wait
from toolbridge.adapters.event_loop import awaited, background, in_thread, loop_of

WHO: ContextVar[str] = ContextVar("WHO", default="nobody")


async def after(value: Any, seconds: float = 0.0) -> Any:
    await asyncio.sleep(seconds)
    if isinstance(value, BaseException):
        raise value
    return value


def test_a_result_comes_from_a_thread_of_its_own() -> None:
    async def where() -> str:
        return threading.current_thread().name

    assert wait(where()) == "toolbridge"

    async def within() -> str:
        return wait(where())  # as a framework does that does not await, in a notebook

    assert asyncio.run(within()) == "toolbridge"


@pytest.mark.parametrize("error", [KeyError("x"), TimeoutError("slow"), StopAsyncIteration(), SystemError("x")])
def test_exceptions_pass(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught:
        wait(after(error))
    assert repr(caught.value) == repr(error)


def test_context_passes() -> None:
    async def who() -> str:
        return WHO.get()

    token = WHO.set("pilot")
    try:
        assert wait(who()) == "pilot"
        assert asyncio.run(awaited(who(), background())) == "pilot"
    finally:
        WHO.reset(token)


def test_a_future_is_waited_for() -> None:
    async def make() -> asyncio.Future[int]:
        return asyncio.ensure_future(after(7))

    assert wait(wait(make())) == 7


def test_who_stops_waiting_cancels() -> None:
    begun, ended = threading.Event(), threading.Event()

    async def long() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def story() -> None:
        task = asyncio.ensure_future(awaited(long(), background()))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(story())
    assert ended.wait(5)


def test_an_interrupt_cancels(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()

    async def long() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    def interrupted(*_: object) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(event_loop.Future, "result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        wait(long())
    assert ended.wait(5)


def test_an_event_loop_that_waits_for_itself_is_an_error() -> None:
    async def within() -> None:
        loop = asyncio.get_running_loop()
        with pytest.raises(RuntimeError, match="blocked by a call that waits"):
            wait(after(1), loop)

        async def back() -> Any:  # what this loop waits for needs this loop
            return await awaited(after(1), loop)

        with pytest.raises(RuntimeError, match="blocked by a call that waits"):
            wait(back())

    asyncio.run(within())


def test_an_event_loop_that_another_thread_blocks_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_loop, "_PATIENCE", 0.05)
    caught: list[BaseException] = []

    async def within() -> None:
        loop = asyncio.get_running_loop()

        def other() -> None:
            for give in (lambda: wait(after(1), loop), lambda: asyncio.run(awaited(after(1), loop))):
                try:
                    give()
                except RuntimeError as error:
                    caught.append(error)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()  # this blocks the loop

    asyncio.run(within())
    assert [str(error) for error in caught] == [event_loop._BLOCKED] * 2


def test_a_closed_event_loop_is_an_error() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    with pytest.raises(RuntimeError, match="closed"):
        wait(after(1), loop)


class Client:
    __hash__ = None  # like the client of mcp 2

    def __init__(self) -> None:
        self.task: Any = None
        self.open = False

    async def __aenter__(self) -> Self:
        self.task, self.open = asyncio.current_task(), True
        return self

    async def __aexit__(self, *_: object) -> None:
        assert asyncio.current_task() is self.task
        self.open = False


def test_a_context_manager_is_entered_and_left_in_one_task() -> None:
    with entered(Client()) as client:
        assert client.open
        assert loop_of(client) is loop_of({"a": client}) is background()
    assert not client.open
    with pytest.raises(KeyError), entered(client):
        raise KeyError
    assert not client.open
    assert loop_of(Client()) is None


def test_what_enters_to_nothing_is_an_error() -> None:
    @asynccontextmanager
    async def never() -> AsyncIterator[int]:
        raise ConnectionError("no server")
        yield 1

    @asynccontextmanager
    async def number() -> AsyncIterator[int]:
        yield 1

    with pytest.raises(ConnectionError, match="no server"), entered(never()):
        pass
    with entered(number()) as one:
        assert one == 1


def test_an_interrupt_while_a_context_manager_is_entered_cancels(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, cancelled = threading.Event(), threading.Event()

    @asynccontextmanager
    async def silent() -> AsyncIterator[None]:
        begun.set()
        try:
            await asyncio.sleep(1)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        yield

    def interrupted(*_: object, **__: object) -> Any:
        assert begun.wait(5)
        raise KeyboardInterrupt

    monkeypatch.setattr(event_loop, "wait_for", interrupted)
    with pytest.raises(KeyboardInterrupt), entered(silent()):
        pass
    assert cancelled.wait(5)


def test_what_runs_in_a_thread_without_anyio(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop() -> None:
        raise StopIteration

    for _ in range(2):
        assert asyncio.run(in_thread(threading.current_thread)) is not threading.main_thread()
        with pytest.raises(RuntimeError, match="StopIteration"):
            asyncio.run(asyncio.wait_for(in_thread(stop), 5))
        monkeypatch.setitem(__import__("sys").modules, "anyio.to_thread", None)


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()])
def test_a_tool_that_ends_the_program_does_not_end_the_event_loop(error: BaseException) -> None:
    loop = background()
    with pytest.raises(type(error)):
        wait(after(error))

    async def within() -> None:
        await awaited(after(error), loop)

    with pytest.raises(type(error)):
        asyncio.run(within())

    @asynccontextmanager
    async def broken(*, late: bool) -> AsyncIterator[str]:
        if not late:
            raise error
        yield "client"
        raise error

    for late in (False, True):
        with pytest.raises(type(error)), entered(broken(late=late)):
            pass
    assert background() is loop
    assert wait(after(5)) == 5
