"""A program that is an MCP server: its standard input and output as a transport with a size limit, and its end.

Like `mcp.client.stdio` (mcp 1.30.0 and 2.3.0), which limits neither the output of a program nor the length of a line,
and which does not stop the children of a program that has exited itself.
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
from mcp.shared.message import SessionMessage

from .sdk import session_module

sdk = session_module()

_FLUSH = 0.5
"""Seconds to write the messages that were already sent."""

_GRACE = 2.0
"""Seconds for a program to exit after its input is closed, and again between SIGTERM and SIGKILL."""

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
    ended: Callable[[int | None], None],
) -> AsyncGenerator[_Streams]:
    """Start a program in a process group of its own, which is stopped at the end of the context.

    `count` is called with the size of each chunk of output and may raise, `answered` with the text of each response,
    and `ended` with the exit code of the program; None if it had to be stopped.
    """
    process = await _start(words, {**get_default_environment(), **env}, errors)
    incoming, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write_stream, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    written = anyio.Event()

    async def receive() -> None:
        assert process.stdout is not None
        with suppress(*_GONE):
            async with incoming:
                async for line in _lines(process.stdout, count):
                    text = line.decode("utf-8", "replace")
                    try:
                        message, is_response = sdk.read_message(text)
                    except ValueError as error:
                        await incoming.send(error)
                        continue
                    if is_response:
                        answered(line)
                    await incoming.send(message)
        # The rest of the output is read, because a program that cannot write it does not exit.
        with anyio.CancelScope(shield=True), suppress(*_GONE):
            while True:
                await process.stdout.receive()

    async def send() -> None:
        assert process.stdin is not None
        try:
            async with outgoing:
                async for message in outgoing:
                    await process.stdin.send(sdk.write_message(message).encode() + b"\n")
        except _GONE:
            await incoming.aclose()
        finally:
            written.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(receive)
        tasks.start_soon(send)
        try:
            yield read_stream, write_stream
        finally:
            with anyio.CancelScope(shield=True):
                read_stream.close()
                write_stream.close()
                with anyio.move_on_after(_FLUSH):
                    await written.wait()
                await _stop(process, ended)
            tasks.cancel_scope.cancel()


async def _lines(stream: ByteReceiveStream, count: Callable[[int], None]) -> AsyncIterator[bytes]:
    line: list[bytes] = []
    while True:
        try:
            chunk = await stream.receive(_CHUNK)
        except anyio.EndOfStream:
            return
        count(len(chunk))
        first, *others = chunk.split(b"\n")
        line.append(first)
        for other in others:
            yield b"".join(line)
            line = [other]


async def _stop(process: Process, ended: Callable[[int | None], None]) -> None:
    """Stop a program, and the other processes of its process group."""
    try:
        await _close(process.stdin)
        await _wait(process, _GRACE)
        ended(process.returncode)
        await _terminate(process)
        await _wait(process, _GRACE)
        await _close(process.stdout)
    except BaseException:
        _kill(process)  # interrupted again
        raise
    finally:
        # No public function closes a pipe that a process outside the group keeps open.
        transport: Any = getattr(getattr(process, "_process", None), "_transport", None)
        with suppress(AttributeError, PermissionError):
            transport.close()


async def _wait(process: Process, seconds: float) -> None:
    """Wait for the program alone: `Process.wait` also waits for others that keep its output open."""
    with anyio.move_on_after(seconds):
        while process.returncode is None:  # noqa: ASYNC110 - there is no event for it
            await anyio.sleep(_POLL)


async def _close(stream: AsyncResource | None) -> None:
    if stream is not None:
        with suppress(*_GONE):
            await stream.aclose()


if sys.platform == "win32":  # pragma: no cover
    from mcp.os.win32 import utilities
    from mcp.os.win32.utilities import (
        create_windows_process,
        get_windows_executable_command,
        terminate_windows_process_tree,
    )

    def close_process_job(process: Any) -> None:
        getattr(utilities, "close_process_job", lambda _: None)(process)  # since mcp 2

    async def _start(words: Sequence[str], env: Mapping[str, str], errors: TextIO) -> Any:
        command = get_windows_executable_command(words[0])
        return await create_windows_process(command, list(words[1:]), dict(env), errors)

    async def _terminate(process: Any) -> None:
        await terminate_windows_process_tree(process)
        close_process_job(process)

    def _kill(process: Any) -> None:
        process.kill()
        close_process_job(process)

else:

    async def _start(words: Sequence[str], env: Mapping[str, str], errors: TextIO) -> Process:
        return await anyio.open_process(list(words), env=env, stderr=errors, start_new_session=True)

    async def _terminate(process: Process) -> None:
        # The process group has the number of its leader, and other members may outlive that. The function of mcp 1 asks
        # for the group of a leader that is gone.
        with suppress(ProcessLookupError):
            with suppress(PermissionError):
                os.killpg(process.pid, signal.SIGTERM)
            with anyio.move_on_after(_GRACE):
                while True:
                    with suppress(PermissionError):  # macOS raises it for a process that nobody has waited for
                        os.killpg(process.pid, 0)
                    await anyio.sleep(_POLL)
            _kill(process)

    def _kill(process: Process) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
