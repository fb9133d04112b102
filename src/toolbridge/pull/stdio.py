"""An MCP server as a program: its standard input and output as a transport, with a bound, and its end.

As `mcp.client.stdio` (mcp 2.3.0), which has neither a bound for what a program sends nor for a line of it, and which
leaves the children of a program alone that has ended by itself.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TextIO, TypeAlias

import anyio
from anyio.abc import AsyncResource, ByteReceiveStream, Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.os.posix.utilities import terminate_posix_process_tree
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCResponse, jsonrpc_message_adapter

_FLUSH = 0.5
"""Seconds for what has been said already to be written."""

_GRACE = 2.0
"""Seconds that a program has to end when its input ends, and again between SIGTERM and SIGKILL."""

_POLL = 0.01
_CHUNK = 65_536
_Streams: TypeAlias = tuple[
    MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]
]
_GONE = (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)


@asynccontextmanager
async def program(
    words: Sequence[str],
    env: Mapping[str, str],
    errors: TextIO,
    *,
    count: Callable[[int], None],
    answered: Callable[[bytes], None],
) -> AsyncGenerator[_Streams]:
    """A program and its process group, for as long as the context lasts.

    `count` gets the size of everything that is read and may raise, `answered` the text of each response.
    """
    process = await _started(words, {**get_default_environment(), **env}, errors)
    heard, reading = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    writing, said = anyio.create_memory_object_stream[SessionMessage](0)
    written = anyio.Event()

    async def hear() -> None:
        assert process.stdout is not None
        with suppress(*_GONE):
            async with heard:
                async for line in _lines(process.stdout, count):
                    text = line.decode("utf-8", "replace")
                    try:
                        message = jsonrpc_message_adapter.validate_json(text, by_name=False)
                    except ValueError as error:
                        await heard.send(error)
                        continue
                    if isinstance(message, JSONRPCResponse):
                        answered(line)
                    await heard.send(SessionMessage(message))
        # A program that cannot write what it has left does not come to its end.
        with anyio.CancelScope(shield=True), suppress(*_GONE):
            while True:
                await process.stdout.receive()

    async def say() -> None:
        assert process.stdin is not None
        try:
            async with said:
                async for message in said:
                    text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                    await process.stdin.send(text.encode() + b"\n")
        except _GONE:
            await heard.aclose()
        finally:
            written.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(hear)
        tasks.start_soon(say)
        try:
            yield reading, writing
        finally:
            with anyio.CancelScope(shield=True):
                reading.close()
                writing.close()
                with anyio.move_on_after(_FLUSH):
                    await written.wait()
                await _ended(process)
            tasks.cancel_scope.cancel()


async def _lines(stream: ByteReceiveStream, count: Callable[[int], None]) -> AsyncIterator[bytes]:
    begun: list[bytes] = []
    while True:
        try:
            chunk = await stream.receive(_CHUNK)
        except anyio.EndOfStream:
            return
        count(len(chunk))
        first, *others = chunk.split(b"\n")
        begun.append(first)
        for other in others:
            yield b"".join(begun)
            begun = [other]


async def _ended(process: Process) -> None:
    """End a program, and whatever it started that is still in its process group."""
    try:
        await _closed(process.stdin)
        await _wait(process, _GRACE)
        await _terminate(process)
        await _wait(process, _GRACE)
        await _closed(process.stdout)
    except BaseException:
        _kill(process)  # interrupted once more: there is no time left
        raise
    finally:
        # Nothing public closes what a process that left the group may still hold open.
        transport: Any = getattr(getattr(process, "_process", None), "_transport", None)
        with suppress(AttributeError, PermissionError):
            transport.close()


async def _wait(process: Process, seconds: float) -> None:
    """Wait for the program itself: `Process.wait` also waits for those that hold its output open."""
    with anyio.move_on_after(seconds):
        while process.returncode is None:  # noqa: ASYNC110 - there is no event for it
            await anyio.sleep(_POLL)


async def _closed(stream: AsyncResource | None) -> None:
    if stream is not None:
        with suppress(*_GONE):
            await stream.aclose()


if sys.platform == "win32":  # pragma: no cover
    from mcp.os.win32.utilities import (
        close_process_job,
        create_windows_process,
        get_windows_executable_command,
        terminate_windows_process_tree,
    )

    async def _started(words: Sequence[str], env: Mapping[str, str], errors: TextIO) -> Any:
        command = get_windows_executable_command(words[0])
        return await create_windows_process(command, list(words[1:]), dict(env), errors)

    async def _terminate(process: Any) -> None:
        await terminate_windows_process_tree(process)
        close_process_job(process)

    def _kill(process: Any) -> None:
        process.kill()
        close_process_job(process)

else:

    async def _started(words: Sequence[str], env: Mapping[str, str], errors: TextIO) -> Process:
        return await anyio.open_process(list(words), env=env, stderr=errors, start_new_session=True)

    async def _terminate(process: Process) -> None:
        await terminate_posix_process_tree(process, _GRACE)

    def _kill(process: Process) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
