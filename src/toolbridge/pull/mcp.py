"""MCP servers, with the official client: programs over stdio, and endpoints over streamable HTTP."""

from __future__ import annotations

import os
import shlex
import threading
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TextIO, TypeAlias

import httpx2
from mcp import ClientSession, MCPError
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.dispatcher import CallOptions
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from mcp_types import (
    CONNECTION_CLOSED,
    INVALID_REQUEST,
    UNSUPPORTED_PROTOCOL_VERSION,
    Implementation,
    ListToolsRequest,
    PaginatedRequestParams,
)
from pydantic import BaseModel, ValidationError

from .. import __version__
from ..data.from_python import plain_data as plain
from ..data.json_text import parse_json
from ..data.types import JsonObject, is_list, is_object
from ..errors import DocumentError
from .catalogue import MAX_BYTES, Pages, Pulled, PullError
from .http import WebServer, media_type, status
from .redaction import Secrets
from .server import Server, leaves
from .stdio import program

NoiseHandler: TypeAlias = Callable[[Exception], Awaitable[None]]

_EVENT_STREAM = {"content-type": "text/event-stream"}
_LINES = 3
_TAIL = 4096


class _Peer(Server):
    """An MCP server."""

    @abstractmethod
    def texts(self) -> Iterable[bytes]:
        """The unparsed messages of the server; they may include others than responses."""


class Program(_Peer):
    """An MCP server that is started for the request, and stopped after it."""

    def __init__(self, command: str | Sequence[str], env: Mapping[str, str]) -> None:
        try:
            words = shlex.split(command, posix=os.name != "nt") if isinstance(command, str) else list(command)
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

    async def ask(self) -> None:
        try:
            await self._start(old=False)
        except Exception as error:
            # Some old servers exit if the first message is not the handshake.
            if self.step not in ("server/discover", "initialize") or not any(_closed(leaf) for leaf in leaves(error)):
                raise
            await self._start(old=True)

    async def _start(self, *, old: bool) -> None:
        self._tail = _Tail()
        self._noise, self._noise_count = "", 0
        with self._tail as errors:
            transport = program(self._words, self._env, errors, count=self.count, answered=self._texts.append)
            await converse(self, transport, self._listen, old=old)

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
            return f"it cannot be started: {(error.strerror or str(error)).lower()}"
        if _closed(error):
            message = f"it ended before it answered {self.step}"
        elif isinstance(error, MCPError):
            message = f"it answered {self.step} with an error: {error.message} ({error.code})"
        else:
            message = super().explain(error, timeout)
        if self._noise:
            lines = "a line that is" if self._noise_count == 1 else f"{self._noise_count:,} lines that are"
            message += f"; its standard output has {lines} no message of MCP: {self._noise!r}"
        return message

    def said(self) -> str:
        return self._tail.text(self.secrets.hide, self.line)


class Endpoint(WebServer, _Peer):
    """An MCP server behind a URL."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        super().__init__(url, headers)
        self._bodies: dict[httpx2.Response, list[bytes]] = {}

    def take(self, response: httpx2.Response, chunk: bytes) -> None:
        super().take(response, chunk)
        self._bodies.setdefault(response, []).append(chunk)

    def texts(self) -> Iterable[bytes]:
        for response, chunks in self._bodies.items():
            if media_type(response) != "text/event-stream":
                yield b"".join(chunks)
                continue
            copy = httpx2.Response(200, headers=_EVENT_STREAM, content=b"".join(chunks), request=response.request)
            with suppress(httpx2.SSEError):
                for event in httpx2.EventSource(copy, max_event_size=MAX_BYTES):
                    yield event.data.encode()

    async def ask(self) -> None:
        async with self.client() as client:
            transport = streamable_http_client(str(self.url), http_client=client, max_sse_event_size=MAX_BYTES)
            await converse(self, transport, None, old=False)

    def explain(self, error: BaseException, timeout: float) -> str:
        if not isinstance(error, MCPError):
            return super().explain(error, timeout)
        if self.last is not None and self.last.status_code >= 400:
            return f"{status(self.last)} for {self.step}{_more(error.message)}"
        if self.last is not None and error.message.startswith("Unexpected content type"):
            return f"it answered {self.step} with {media_type(self.last)}, not with MCP"
        if error.code in (CONNECTION_CLOSED, INVALID_REQUEST):  # errors of the client itself
            return f"{self.step} failed: {error.message}"
        return f"it answered {self.step} with an error: {error.message} ({error.code})"


def _closed(error: BaseException) -> bool:
    return isinstance(error, MCPError) and error.code == CONNECTION_CLOSED


def _more(message: str) -> str:
    """The message of a server for an HTTP error; empty if it is a default of the client."""
    return "" if message in ("Server returned an error response", "Not Found") else f": {message}"


class _AnyModel(BaseModel):
    """A response of any content, which `_Wire` keeps."""


class _Wire(JSONRPCDispatcher[TransportContext]):
    """A dispatcher that keeps the latest response unchanged, because the models of the SDK drop unknown fields."""

    server: Server
    response: JsonObject | None = None

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None, **options: Any
    ) -> dict[str, Any]:
        if method != "tools/list":
            self.server.step = method
        self.response = None
        answer = await super().send_raw_request(method, params, opts, **options)
        if method == "tools/list":
            # A copy, because the session corrects responses in place.
            self.response, _ = plain(answer)
        return answer


async def converse(server: _Peer, transport: Transport, on_noise: NoiseHandler | None, *, old: bool) -> None:
    """Negotiate the edition, and fetch all pages of tools. An `old` server gets the handshake at once."""
    async with transport as (reading, writing):
        wire = _Wire(reading, writing, on_stream_exception=on_noise)
        wire.server = server
        async with ClientSession(
            dispatcher=wire, client_info=Implementation(name="toolbridge", version=__version__)
        ) as session:
            await (session.initialize() if old else _negotiate(session))
            pages = await _tools(session, wire, server)
            value, notes = pages.joined()
            duplicates = _duplicate_notes(server.texts(), pages.count)
            info = session.server_info
            name = f"{info.name} {info.version}".strip() if info else None
            source = f"mcp@{session.protocol_version}"
            server.after_read(Pulled(value, source, name, pages.count, (*duplicates, *notes)))


async def _negotiate(session: ClientSession) -> None:
    """Negotiate the newest common edition: by `server/discover` since 2026-07-28, by the handshake before."""
    for last in (False, True):
        try:
            await session.discover()
        except (MCPError, RuntimeError, ValidationError):
            try:
                await session.initialize()
            except MCPError as error:
                # A server that started slowly expects the newer protocol because of the first request.
                if last or error.code != UNSUPPORTED_PROTOCOL_VERSION:
                    raise
                continue
        return


async def _tools(session: ClientSession, wire: _Wire, server: Server) -> Pages:
    pages = Pages("tools", ("nextCursor",))
    cursors: set[str] = set()
    cursor: str | None = None
    previous: Any = None
    while True:
        server.step = f"tools/list, page {pages.count + 1}" if pages.count else "tools/list"
        # `_Wire` has kept the response, even if the models of the SDK refuse it.
        with suppress(ValidationError):
            await session.send_request(ListToolsRequest(params=PaginatedRequestParams(cursor=cursor)), _AnyModel)
        page = wire.response
        if not is_object(page) or not is_list(page.get("tools")):
            raise ValueError(f"its answer to {server.step} has no list of tools")
        if cursor == "" and page["tools"] == previous:
            pages.note("it ends its list with an empty cursor, and answers that one with the same page")
            return pages
        pages.add(page)
        previous = page["tools"]
        next_cursor = page.get("nextCursor")
        # "an empty string is a valid cursor" (specification 2026-07-28, server/utilities/pagination, seen 2026-11-21)
        if next_cursor is None:
            return pages
        if not isinstance(next_cursor, str):
            raise ValueError(f"the nextCursor of its page {pages.count} of tools is not a string")  # noqa: TRY004 - input
        if next_cursor in cursors:
            name = server.line(next_cursor, 40)
            raise ValueError(f"its list of tools has no end: page {pages.count} names the cursor {name!r} again")
        cursors.add(next_cursor)
        cursor = next_cursor


def _duplicate_notes(texts: Iterable[bytes], pages: int) -> list[str]:
    """Notes on duplicate members in the pages of tools, which the client drops without a message."""
    notes: list[str] = []
    page = 0
    for text in texts:
        try:
            message, places = parse_json(text)
        except DocumentError:
            continue
        result = message.get("result") if is_object(message) else None
        if not is_object(result) or not is_list(result.get("tools")):
            continue
        page += 1
        if page > pages:
            break
        owner = "its answer" if page == 1 else f"page {page} of its answer"
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
        """The last lines, joined to one."""
        # The first line may be cut, and with it a secret that could not be recognised then.
        kept = self._kept if len(self._kept) < _TAIL else self._kept.partition(b"\n")[2]
        lines = [line(each, 200) for each in hide(kept.decode("utf-8", "replace")).splitlines()]
        return " / ".join([line for line in lines if line][-_LINES:])
