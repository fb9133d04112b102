"""MCP servers, with the official client: programs over stdio, and endpoints over HTTP."""

from __future__ import annotations

import os
import re
import shlex
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TextIO, cast

import mcp
from mcp import types
from mcp.client.sse import sse_client
from mcp.client.stdio import get_default_environment
from pydantic import ValidationError

from ..data.json_text import parse_json
from ..data.types import JsonObject, is_list, is_object
from ..errors import DocumentError, reason
from ..formats.format_names import FormatName
from ..formats.mcp.tools import known_edition
from ..hub import plural
from .catalogue import KIND_OF, LISTS, Pages, Pulled, PullError
from .http import WebServer, media_type, shown, status
from .redaction import Secrets
from .sdk import V1, httpx, session_module
from .server import NoiseHandler, Server, leaves
from .stdio import program

MCPError: Any = getattr(mcp, "McpError" if V1 else "MCPError")
sdk = session_module()

_EVENT_STREAM = "text/event-stream"
_HANDSHAKE = ("server/discover", "initialize")
_OLDER = (400, 404, 405)
"""The responses to a first POST by which a server may want the transport of 2024-11-05, HTTP with server-sent events
(specification 2025-11-25, basic/transports, backwards compatibility, checked 2026-11-23)."""

_FIRST_EVENT = 65_536
_LINES = 3
_TAIL = 16_384
_STACK_FRAME = re.compile(r"at .*:\d+:\d+\)?( \{)?|Node\.js v[\d.]+|[\^~ ]+")
"""A line below the error of a program that ended: a stack frame of Node.js, its version, or carets below code."""

_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
_ERROR = re.compile("error|exception|fatal", re.IGNORECASE)


def split_command(command: str, system: str) -> list[str]:
    """The words of a command; `system` is the `os.name`. Raises ValueError."""
    if system != "nt":
        return shlex.split(command)
    # As Windows splits command lines: backslashes separate directories, and only double quotes are quotes.
    words = shlex.shlex(command, posix=True)
    words.whitespace_split, words.commenters, words.escape, words.quotes = True, "", "", '"'
    return [*words]


class _Peer(Server):
    """An MCP server."""

    @abstractmethod
    def texts(self) -> Iterable[bytes]:
        """The unparsed messages of the server; they may include others than responses."""


class Program(_Peer):
    """An MCP server that is started for the request, and stopped after it."""

    def __init__(self, command: str | Sequence[str | os.PathLike[str]], env: Mapping[str, str]) -> None:
        try:
            is_text = isinstance(command, str)
            words = split_command(command, os.name) if is_text else [os.fspath(word) for word in command]
        except ValueError as error:
            raise PullError("", f"the command of a server cannot be split into words: {error}".lower()) from None
        if not words or not words[0]:
            raise PullError("", "the command of a server is empty")
        secrets = Secrets()
        secrets.add_variables(env)
        secrets.add_arguments(words[1:])
        # Errors do not show the arguments, which may contain a password.
        super().__init__(words[0], secrets)
        self._words = words
        self._env = dict(env)
        self._tail = _Tail()
        self._texts: list[bytes] = []
        self._noise, self._noise_count = "", 0
        self._status: int | None = None

    async def ask(self) -> None:
        try:
            await self._start(old=False)
        except Exception as error:
            # Some old servers exit if the first message is not the handshake.
            if V1 or self.step not in _HANDSHAKE or not any(_closed(leaf) for leaf in leaves(error)):
                raise
            await self._start(old=True)

    async def _start(self, *, old: bool) -> None:
        self._tail = _Tail()
        self._noise, self._noise_count = "", 0
        with self._tail as errors:
            transport = program(
                self._words, self._env, errors, count=self.count, answered=self._texts.append, ended=self._ended
            )
            await converse(self, transport, self._listen, old=old)

    def _ended(self, status: int | None) -> None:
        self._status = status

    def texts(self) -> Iterable[bytes]:
        return self._texts

    async def _listen(self, error: Exception) -> None:
        """Count a line that is not a message, such as a greeting or a stack trace, and keep the first one."""
        line = str(error)
        if isinstance(error, ValidationError):
            line = str(error.errors(include_url=False)[0]["input"])
        if line.strip():
            self._noise = self._noise or self.line(line, 80)
            self._noise_count += 1

    def explain(self, error: BaseException, timeout: float) -> str:
        if isinstance(error, FileNotFoundError):
            return "there is no such program"
        if isinstance(error, OSError) and not isinstance(error, TimeoutError):
            return f"it cannot be started: {reason(error)}"
        if _closed(error):
            status = "" if self._status is None else f" (exit code {self._status})"
            message = f"it ended before it answered {self.step}{status}"
            if name := self._missing_variable():
                message += f"; it did not get the variable {name}, which is set here (--env {name} passes it)"
        elif isinstance(error, MCPError):
            code, text = _said(error)
            message = f"it answered {self.step} with an error: {text} ({code})"
        else:
            message = super().explain(error, timeout)
        if self._noise:
            lines = "a line that is" if self._noise_count == 1 else f"{self._noise_count:,} lines that are"
            message += f"; its standard output has {lines} no message of MCP: {self._noise!r}"
        return message

    def _missing_variable(self) -> str | None:
        """The first variable that the output names, that is set here, and that the program did not get."""
        known = {**get_default_environment(), **self._env}
        words = _VARIABLE.findall(self.output())
        return next((word for word in words if word in os.environ and word not in known), None)

    def output(self) -> str:
        return self._tail.text(self.secrets.hide, self.line)


class Endpoint(WebServer, _Peer):
    """An MCP server behind a URL."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        super().__init__(url, headers)
        self._bodies: dict[httpx.Response, list[bytes]] = {}
        self._older = False
        self._stream: httpx.Response | None = None
        self._named = False

    def texts(self) -> Iterable[bytes]:
        for response, chunks in self._bodies.items():
            body = b"".join(chunks)
            yield from _events(body) if media_type(response) == _EVENT_STREAM else (body,)

    async def ask(self) -> None:
        try:
            async with self.client() as client:
                await converse(self, sdk.http_transport(str(self.url), client), None, old=False)
        except Exception as error:
            refusal = self.last
            if refusal is None or refusal.status_code not in _OLDER or self.step not in _HANDSHAKE:
                raise
            try:
                await self._ask_older()
            except Exception:
                if self._stream is None:
                    self.last = refusal
                    raise error from None
                raise

    async def _ask_older(self) -> None:
        """Ask by the transport of MCP 2024-11-05."""
        self._older = True
        self._bodies.clear()
        transport = sse_client(str(self.url), httpx_client_factory=self._client_of)
        await converse(self, transport, None, old=True)

    def _client_of(self, *_: object, **__: object) -> httpx.AsyncClient:
        return self.client()

    async def check_response(self, response: httpx.Response) -> None:
        await super().check_response(response)
        if not self._older:
            return
        if response.request.method == "GET" and response.is_success and media_type(response) == _EVENT_STREAM:
            self._stream = response
            self.last = None
            self.notes.append("it uses HTTP with server-sent events, the transport of MCP 2024-11-05")
        elif response.request.method == "POST" and not response.is_success:
            followed = response.status_code in (307, 308) and self._is_own(response.headers.get("location", ""))
            if not followed:
                self.fail(ValueError(f"{status(response)} for {self.step}"))  # the client would wait

    def take(self, response: httpx.Response, chunk: bytes) -> None:
        super().take(response, chunk)
        chunks = self._bodies.setdefault(response, [])
        chunks.append(chunk)
        if response is self._stream and not self._named:
            self._read_address(b"".join(chunks))

    def _read_address(self, body: bytes) -> None:
        """Take note of the address for messages, which is the data of the first event."""
        data = next(_events(body), None)
        if data is None:
            if len(body) > _FIRST_EVENT:
                self.fail(ValueError("it sends more than 64 KiB before it names the address for messages"))
            return
        address = data.decode()
        if not self._is_own(address):  # the client refuses it as well, but would wait then
            url = shown(self.url.join(address))
            self.fail(ValueError(f"it wants its messages to be sent to {url}, another server"))
        self._named = True

    def _is_own(self, address: str) -> bool:
        url = self.url.join(address)
        return (url.scheme, url.host, url.port) == (self.url.scheme, self.url.host, self.url.port)

    def broke(self, error: Exception) -> None:
        if self._older and not self._named:
            self.fail(error)  # the client would wait

    def explain(self, error: BaseException, timeout: float) -> str:
        if self._older and not self._named and isinstance(error, RuntimeError):
            return "it ended its stream of events before it named the address for messages"
        if self.last is not None and str(error).startswith("Unexpected content type"):
            return f"it answered {self.step} with {media_type(self.last)}, not with MCP"
        if not isinstance(error, MCPError):
            return super().explain(error, timeout)
        code, message = _said(error)
        if self.last is not None and self.last.status_code >= 400:
            return f"{status(self.last)} for {self.step}{_more(message)}"
        if code in (types.CONNECTION_CLOSED, types.INVALID_REQUEST):  # errors of the client itself
            return f"{self.step} failed: {message}"
        return f"it answered {self.step} with an error: {message} ({code})"


def _events(body: bytes) -> Iterator[bytes]:
    """The data of all complete server-sent events in a body."""
    data: list[bytes] = []
    for line in body.splitlines():
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            yield b"\n".join(data)
            data = []


def _said(error: Any) -> tuple[int, str]:
    return error.error.code, error.error.message


def _closed(error: BaseException) -> bool:
    return isinstance(error, MCPError) and _said(error)[0] == types.CONNECTION_CLOSED


def _more(message: str) -> str:
    """The message of a server for an HTTP error; empty if it is a default of the client."""
    defaults = ("Server returned an error response", "Not Found", "Session terminated")
    return "" if message in defaults else f": {message}"


async def converse(server: _Peer, transport: Any, on_noise: NoiseHandler | None, *, old: bool) -> None:
    """Negotiate the edition, and fetch all pages of tools. An `old` server gets the handshake at once."""
    async with transport as streams, sdk.open_session(server, streams, on_noise, old=old) as client:
        lists: dict[str, JsonObject] = {}
        notes: list[str] = []
        count = 0
        for key in (key for kind in server.kinds for key in LISTS[kind]):
            try:
                pages = await _pages(client, server, key)
            except MCPError as error:
                if key == "tools" or _said(error)[0] != types.METHOD_NOT_FOUND:
                    raise
                notes.append(f"it has no list of {plural(KIND_OF[key])}")
                continue
            lists[key], own = pages.joined()
            count = count or pages.count
            notes += [*(_page_notes(server.texts(), pages.count) if key == "tools" else ()), *own]
        value: JsonObject = next(iter(lists.values())) if lists else {}
        others = {} if server.kinds == ("tools",) else lists
        edition = known_edition(client.edition)
        if edition != client.edition:
            notes.append(f"it uses MCP {client.edition}, which toolbridge does not know; read as mcp@{edition}")
        source = cast("FormatName", f"mcp@{edition}")
        server.after_read(Pulled(value, source, client.server, count, tuple(notes), others))


_METHODS = {"resourceTemplates": "resources/templates/list"}


async def _pages(client: Any, server: Server, key: str) -> Pages:
    """All pages of a list, whose items are at a key."""
    pages = Pages(key, ("nextCursor",))
    method = _METHODS.get(key, f"{key}/list")
    what = plural(KIND_OF[key])
    cursors: set[str] = set()
    cursor: str | None = None
    previous: Any = None
    while True:
        server.step = f"{method}, page {pages.count + 1}" if pages.count else method
        page = await client.page(method, cursor)
        if not is_object(page) or not is_list(page.get(key)):
            raise ValueError(f"its response to {server.step} has no list of {what}")
        if cursor == "" and page[key] == previous:
            pages.note("it ends its list with an empty cursor, and answers that one with the same page")
            return pages
        pages.add(page)
        previous = page[key]
        next_cursor = page.get("nextCursor")
        # "an empty string is a valid cursor" (specification 2026-07-28, server/utilities/pagination, seen 2026-11-21)
        if next_cursor is None:
            return pages
        if not isinstance(next_cursor, str):
            raise ValueError(f"the nextCursor of its page {pages.count} of {what} is not a string")  # noqa: TRY004 - input
        if next_cursor in cursors:
            name = server.line(next_cursor, 40)
            raise ValueError(f"its list of {what} has no end: page {pages.count} names the cursor {name!r} again")
        cursors.add(next_cursor)
        cursor = next_cursor


def _page_notes(texts: Iterable[bytes], pages: int) -> list[str]:
    """Notes on what the client changes in the pages of tools without a message: duplicate members, bytes of no text."""
    notes: list[str] = []
    page = 0
    for text in texts:
        readable = text.decode("utf-8", "replace").encode()
        try:
            message, places = parse_json(readable)
        except DocumentError:
            continue
        result = message.get("result") if is_object(message) else None
        if not is_object(result) or not is_list(result.get("tools")):
            continue
        page += 1
        if page > pages:
            break
        owner = "its response" if page == 1 else f"page {page} of its response"
        if readable != text:
            notes.append(f"{owner} has bytes that are not UTF-8, which are written as U+FFFD")
        for place in places:
            inner = place.removeprefix("/result") if place.startswith("/result/") else place
            notes.append(f"{owner} has {inner} twice; the last one was kept")
    return notes


class _Tail:
    """The end of a server's standard error, with constant memory."""

    def __init__(self) -> None:
        self._kept = b""
        self._file: TextIO | None = None
        self._reader: threading.Thread | None = None

    def __enter__(self) -> TextIO:
        reading, writing = os.pipe()
        self._file = os.fdopen(writing, "w", encoding="utf-8")
        self._reader = threading.Thread(target=self._read, args=(reading,), daemon=True)
        self._reader.start()
        return self._file

    def __exit__(self, *_: object) -> None:
        if self._file is not None and self._reader is not None:
            self._file.close()
            # Not waited for longer: a surviving child of the server may keep the pipe open.
            self._reader.join(0.5)

    def _read(self, reading: int) -> None:
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            while chunk := pipe.read(65536):
                self._kept = (self._kept + chunk)[-_TAIL:]

    def text(self, hide: Callable[[str], str], line: Callable[[str, int], str]) -> str:
        """The last lines without stack frames, joined to one; where an error is above them, its line and the next."""
        # The first line may be cut, and with it a secret that could not be recognised then.
        kept = self._kept if len(self._kept) < _TAIL else self._kept.partition(b"\n")[2]
        lines = [line(each, 200) for each in hide(kept.decode("utf-8", "replace")).splitlines()]
        lines = [line for line in lines if line and not _STACK_FRAME.fullmatch(line)]
        last_error = max((number for number, line in enumerate(lines) if _ERROR.search(line)), default=len(lines))
        start = min(last_error, max(len(lines) - _LINES, 0))
        return " / ".join(lines[start : start + _LINES])
