"""Asking a server, whatever it does: within a time, with an error in words, and without a secret in it."""

from __future__ import annotations

import asyncio
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import inf
from typing import Any, cast

import anyio
import httpx2
from pydantic import ValidationError

from ..errors import DocumentError, ToolbridgeError
from .catalogue import Pulled, PullError

_GOODBYE = 3.0
"""Seconds for the end of a conversation when everything has been said."""

_LONGEST = 300
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


class Server(ABC):
    """One server that is asked for its tools, once."""

    def __init__(self, name: str, secrets: Iterable[str]) -> None:
        self.name = name
        """How errors call it."""
        self.step = "the first request"
        """The latest that was asked of it."""
        self._secrets = sorted(set(secrets), key=len, reverse=True)
        self._scope: anyio.CancelScope | None = None
        self._answer: Pulled | None = None

    def pull(self, timeout: float) -> Pulled:
        """Ask it. Raises PullError."""
        if not 0 < timeout < inf:
            raise PullError(self.name, f"a timeout is a number of seconds above 0, found {timeout}")
        try:
            with _quiet():
                _run(lambda: self._ask(timeout))
        except BaseException as error:
            found = leaves(error)
            if not all(isinstance(leaf, Exception) for leaf in found):  # an interrupt
                raise
            # Whoever gave everything may be rude at the end.
            if self._answer is None:
                problem = one_line(self.hide(self.explain(_telling(found), timeout)))
                raise PullError(self.name, problem, self.said()) from None
        if self._answer is None:
            raise PullError(self.name, f"no answer to {self.step}", self.said())
        return self._answer

    async def _ask(self, seconds: float) -> None:
        with anyio.fail_after(seconds) as self._scope:
            await self.ask()

    @abstractmethod
    async def ask(self) -> None:
        """The conversation itself; `settle` takes what comes of it."""

    def settle(self, answer: Pulled) -> None:
        self._answer = answer
        if self._scope is not None:
            self._scope.deadline = min(self._scope.deadline, anyio.current_time() + _GOODBYE)

    def explain(self, error: BaseException, timeout: float) -> str:
        """What happened, in words that follow the name of the server."""
        if isinstance(error, TimeoutError):
            return f"no answer to {self.step} within {timeout:g} s"
        if isinstance(error, DocumentError):
            return f"its answer to {self.step} is not valid: {error}"
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            place = "/".join(map(str, first["loc"]))
            return f"its answer to {self.step} is not valid: {place}: {first['msg']}"
        if isinstance(error, (ValueError, ToolbridgeError, RuntimeError)):
            return str(error)
        return f"{type(error).__name__} at {self.step}: {error}"

    def said(self) -> str:
        """The last that it wrote for people, without what must not be shown."""
        return ""

    def hide(self, text: str) -> str:
        """The text without the values that must not be shown."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


def parts(value: str) -> list[str]:
    """The texts that give a value away: `Bearer abc` does, and `abc` does."""
    return [part for part in (value.strip(), *value.split()) if len(part) > 3]


def one_line(text: str, most: int = _LONGEST) -> str:
    """The text as a line of bearable length, without the colours of a terminal."""
    line = " ".join(_ESCAPES.sub("", text).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def _run(work: Callable[[], Awaitable[None]]) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        anyio.run(work)
        return
    # A notebook, or a framework: a loop cannot run inside another one of the same thread.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(anyio.run, work).result()


@contextmanager
def _quiet() -> Generator[None]:
    """Nothing on standard error from clients whose loggers nobody has set up: what went wrong is in the error."""
    silence = logging.NullHandler()
    loggers = [logging.getLogger(name) for name in ("mcp", "client", "httpx2", "httpcore2")]
    for logger in loggers:
        logger.addHandler(silence)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(silence)


def leaves(error: BaseException) -> list[BaseException]:
    """The errors of a group, as deep as they are."""
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[Any]", error)
        return [leaf for each in group.exceptions for leaf in leaves(each)]
    return [error]


def _telling(found: list[BaseException]) -> BaseException:
    """The one that says the most: a task that fails takes others down with it."""
    for kind in (ToolbridgeError, httpx2.HTTPError, OSError, ValueError):
        for leaf in found:
            if isinstance(leaf, kind):
                return leaf
    return found[0]
