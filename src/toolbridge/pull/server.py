"""Server: the base class of requests for tools, with a time limit, and errors without secrets."""

from __future__ import annotations

import asyncio
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import Context, ContextVar
from math import inf
from typing import Any, TypeAlias, cast

import anyio
from pydantic import ValidationError

from ..characters import visible
from ..data.types import Json
from ..errors import DocumentError, ToolbridgeError
from .catalogue import LISTS, MAX_BYTES, Pulled, PullError, check_kinds
from .redaction import MASK, Secrets
from .sdk import httpx

NoiseHandler: TypeAlias = Callable[[Exception], Awaitable[None]]
"""Takes what a server sends that is no message."""

_CLOSING = 3.0
"""Seconds to close a connection after the last response."""

_MAX_MESSAGE = 300
_PLACES = 10
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_LOGGERS = ("mcp", "client", "httpx2", "httpcore2", "httpx", "httpcore", "root")
_asking: ContextVar[bool] = ContextVar("_asking", default=False)


class Server(ABC):
    """A server that is asked once for its tools."""

    def __init__(self, name: str, secrets: Secrets) -> None:
        self.name = visible(name)
        """The name of the server in errors."""
        self.step = "the first request"
        """The current request, for errors."""
        self.secrets = secrets
        self.kinds: tuple[str, ...] = ("tools",)
        self.notes: list[str] = []
        """Notes on the connection."""
        self._failure: Exception | None = None
        self._bytes_read = 0
        self._scope: anyio.CancelScope | None = None
        self._answer: Pulled | None = None

    def pull(self, timeout: float, kinds: Sequence[str] = ("tools",)) -> Pulled:
        """Ask the server for its tools, or for lists of other kinds. Raises PullError."""
        check_kinds(kinds)
        self.kinds = tuple(kind for kind in LISTS if kind in kinds)  # tools first: they are the catalogue
        if not 0 < timeout < inf:
            raise PullError(self.name, f"a timeout is a number of seconds above 0, found {timeout}")
        try:
            with _quiet():
                _run(lambda: self._ask(timeout))
        except BaseException as error:
            errors = leaves(error)
            if not all(isinstance(leaf, (Exception, asyncio.CancelledError)) for leaf in errors):  # an interrupt
                raise
            # Errors after the complete response do not matter.
            if self._answer is None:
                raise PullError(self.name, self._problem(_most_specific(errors), timeout), self._last_words()) from None
        if self._answer is None:
            raise PullError(self.name, f"no response to {self.step}", self._last_words())
        return self._answer

    def _problem(self, error: BaseException, timeout: float) -> str:
        try:
            return self.line(self.explain(error, timeout))
        except Exception:  # noqa: BLE001 - the text of the error cannot be read
            return f"{type(error).__name__} at {self.step}"

    def _last_words(self) -> str:
        with suppress(Exception):
            return self.output()
        return ""

    async def _ask(self, seconds: float) -> None:
        with anyio.fail_after(seconds) as self._scope:
            await self.ask()
        if self._failure is not None:
            raise self._failure

    def fail(self, error: Exception) -> None:
        """End the request with an error, where the client of the SDK would wait for a response."""
        self._failure = self._failure or error
        if self._scope is not None:
            self._scope.cancel()

    @abstractmethod
    async def ask(self) -> None:
        """Ask the server, and pass the response to `after_read`."""

    def after_read(self, answer: Pulled) -> None:
        """Keep a complete response, without secrets."""
        value, places = self.secrets.redact(answer.value)
        lists: dict[str, Json] = {}
        for key, inner in answer.lists.items():
            lists[key], found = self.secrets.redact(inner)
            places += [] if inner is answer.value else found
        notes = [*self.notes, *answer.notes]
        if places:
            further = f" and {len(places) - _PLACES:,} more" if len(places) > _PLACES else ""
            amount = "1 place" if len(places) == 1 else f"{len(places):,} places"
            notes.append(
                f"it returned a secret that it was given: {MASK} replaces it in {amount}: "
                f"{', '.join(places[:_PLACES])}{further}"
            )
        name = None if answer.server is None else self.line(answer.server)
        notes = [self.line(note, 2 * _MAX_MESSAGE) for note in notes]
        self._answer = answer._replace(value=value, server=name, notes=tuple(notes), lists=lists)
        if self._scope is not None:
            self._scope.deadline = min(self._scope.deadline, anyio.current_time() + _CLOSING)

    def count(self, size: int) -> None:
        """Count bytes that were read. Raises ValueError beyond the limit."""
        self._bytes_read += size
        if self._bytes_read > MAX_BYTES:
            error = ValueError(f"it sends more than {MAX_BYTES // 2**20} MiB")
            self.fail(error)
            raise error

    def explain(self, error: BaseException, timeout: float) -> str:
        """The message for an error, to follow the name of the server."""
        if isinstance(error, TimeoutError):
            return f"no response to {self.step} within {timeout:g} s"
        if isinstance(error, DocumentError):
            return f"its response to {self.step} is not valid: {error}"
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            place = "/".join(map(str, first["loc"]))
            return f"its response to {self.step} is not valid: {place}: {first['msg']}"
        if isinstance(error, (ValueError, ToolbridgeError, RuntimeError)):
            return str(error)
        return f"{type(error).__name__} at {self.step}: {error}"

    def output(self) -> str:
        """The last lines that the server wrote to standard error, without secrets."""
        return ""

    def line(self, text: str, most: int = _MAX_MESSAGE) -> str:
        """The text as one line of limited length, without secrets and control sequences."""
        # Secrets are hidden again after removing control sequences, which may interrupt them.
        line = self.secrets.hide(visible(" ".join(_ESCAPES.sub("", self.secrets.hide(text)).split())))
        return line if len(line) <= most else f"{line[: most - 3]}..."


def _run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    if not _is_loop_running():
        asyncio.run(work())
        return
    tasks: list[asyncio.Task[Any]] = []

    async def noted() -> None:
        tasks.extend(asyncio.all_tasks())  # this one alone
        await work()

    context = Context()  # not a copy: a variable of anyio would say that the loop of this thread is running
    context.run(_asking.set, True)
    # Notebooks and frameworks have a running loop, and a thread can run only one.
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(context.run, asyncio.run, noted())
        try:
            done.result()
        except BaseException:  # if this thread was interrupted, the other one would go on until its time is over
            for task in tasks:
                with suppress(RuntimeError):  # its loop is closed: the error is its own
                    task.get_loop().call_soon_threadsafe(task.cancel)
            raise


def _is_loop_running() -> bool:
    for ask in (asyncio.get_running_loop, anyio.get_cancelled_exc_class):  # the second knows trio as well
        with suppress(RuntimeError):
            ask()
            return True
    return False


@contextmanager
def _quiet() -> Generator[None]:
    """Suppress the logs of client libraries in this context: they contain addresses, headers and responses."""
    all_loggers = logging.root.manager.loggerDict
    prefixes = tuple(f"{name}." for name in _LOGGERS)
    names = [*_LOGGERS, *(name for name in list(all_loggers) if name.startswith(prefixes))]
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
    """The errors of an exception group and its nested groups; another error alone."""
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[Any]", error)
        return [leaf for inner in group.exceptions for leaf in leaves(inner)]
    return [error]


def _most_specific(errors: list[BaseException]) -> BaseException:
    """The most specific error: a task that fails cancels the others."""
    kinds = (ToolbridgeError, httpx.HTTPError, OSError, ValueError, Exception)
    return next((leaf for kind in kinds for leaf in errors if isinstance(leaf, kind)), errors[0])
