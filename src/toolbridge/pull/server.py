"""A server that is asked for its tools, within a time limit, with errors in words and without secrets."""

from __future__ import annotations

import asyncio
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from math import inf
from typing import Any, cast

import anyio
import httpx2
from pydantic import ValidationError

from ..characters import visible
from ..errors import DocumentError, ToolbridgeError
from .catalogue import MAX_BYTES, Pulled, PullError
from .redaction import MASK, Secrets

_GOODBYE = 3.0
"""Seconds for the end of a conversation when everything has been said."""

_LONGEST = 300
_PLACES = 10
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_LOGGERS = ("mcp", "client", "httpx2", "httpcore2")
_asking: ContextVar[bool] = ContextVar("_asking", default=False)


class Server(ABC):
    """One server that is asked for its tools, once."""

    def __init__(self, name: str, secrets: Secrets) -> None:
        self.name = visible(name)
        """How errors call it."""
        self.step = "the first request"
        """The latest that was asked of it."""
        self.secrets = secrets
        self._taken = 0
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
            if not all(isinstance(leaf, (Exception, asyncio.CancelledError)) for leaf in found):  # an interrupt
                raise
            # Whoever gave everything may be rude at the end.
            if self._answer is None:
                raise PullError(self.name, self._problem(_telling(found), timeout), self._last_words()) from None
        if self._answer is None:
            raise PullError(self.name, f"no answer to {self.step}", self._last_words())
        return self._answer

    def _problem(self, error: BaseException, timeout: float) -> str:
        try:
            return self.line(self.explain(error, timeout))
        except Exception:  # noqa: BLE001 - an error that cannot even be told
            return f"{type(error).__name__} at {self.step}"

    def _last_words(self) -> str:
        with suppress(Exception):
            return self.said()
        return ""

    async def _ask(self, seconds: float) -> None:
        with anyio.fail_after(seconds) as self._scope:
            await self.ask()

    @abstractmethod
    async def ask(self) -> None:
        """The conversation itself; `settle` takes what comes of it."""

    def after_read(self, answer: Pulled) -> None:
        value, places = self.secrets.redact(answer.value)
        notes = list(answer.notes)
        if places:
            more = f" and {len(places) - _PLACES:,} more" if len(places) > _PLACES else ""
            amount = "1 place" if len(places) == 1 else f"{len(places):,} places"
            notes.append(
                f"it returned a secret that it was given: {MASK} replaces it in {amount}: "
                f"{', '.join(places[:_PLACES])}{more}"
            )
        name = None if answer.server is None else self.line(answer.server)
        notes = [self.line(note, 2 * _LONGEST) for note in notes]
        self._answer = answer._replace(value=value, server=name, notes=tuple(notes))
        if self._scope is not None:
            self._scope.deadline = min(self._scope.deadline, anyio.current_time() + _GOODBYE)

    def count(self, size: int) -> None:
        """Take note of so many bytes that were read. Raises ValueError where it is enough."""
        self._taken += size
        if self._taken > MAX_BYTES:
            raise ValueError(f"it sends more than {MAX_BYTES // 2**20} MiB")

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

    def line(self, text: str, most: int = _LONGEST) -> str:
        """The text as a line of bearable length, without secrets and without what a terminal might obey."""
        # Colours in the middle of a secret hide it until they are gone.
        line = self.secrets.hide(visible(" ".join(_ESCAPES.sub("", self.secrets.hide(text)).split())))
        return line if len(line) <= most else f"{line[: most - 3]}..."


def _run(work: Callable[[], Awaitable[None]]) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        anyio.run(work)
        return
    context = copy_context()
    # A notebook, or a framework: a loop cannot run inside another one of the same thread.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(context.run, anyio.run, work).result()


@contextmanager
def _quiet() -> Generator[None]:
    """No log of the clients below: they log addresses, headers and whatever a server sends. Others log on."""
    known = logging.root.manager.loggerDict
    names = [*_LOGGERS, *(name for name in list(known) if name.startswith(tuple(f"{each}." for each in _LOGGERS)))]
    loggers = [logging.getLogger(name) for name in names]

    def is_foreign(_: logging.LogRecord) -> bool:
        return not _asking.get()

    for logger in loggers:
        logger.addFilter(is_foreign)
    token = _asking.set(True)
    try:
        yield
    finally:
        _asking.reset(token)
        for logger in loggers:
            logger.removeFilter(is_foreign)


def leaves(error: BaseException) -> list[BaseException]:
    """The errors of a group, as deep as they are."""
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[Any]", error)
        return [leaf for each in group.exceptions for leaf in leaves(each)]
    return [error]


def _telling(found: list[BaseException]) -> BaseException:
    """The one that says the most: a task that fails takes others down with it."""
    for kind in (ToolbridgeError, httpx2.HTTPError, OSError, ValueError, Exception):
        for leaf in found:
            if isinstance(leaf, kind):
                return leaf
    return found[0]
