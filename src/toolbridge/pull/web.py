"""Addresses, headers, and an HTTP client that a server cannot overfeed or lead astray."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from typing import cast

import httpx2
from msgspec import json

from .asking import Server, parts
from .catalogue import MAX_BYTES, Pulled, PullError

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CREDENTIAL = re.compile(r"auth|token|key|secret|cookie|password|session|credential|signature", re.IGNORECASE)


class WebServer(Server):
    """A server behind a URL."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self.url = _checked(url)
        name = shown(self.url)
        self.headers = _legal(headers, name)
        in_url = [self.url.username, self.url.password, *self.url.params.values()]
        shy = [part for value in self.headers.values() for part in parts(value)]
        super().__init__(name, [*shy, *(text for text in in_url if len(text) >= 8)])
        self.last: httpx2.Response | None = None
        """The latest answer to a message."""
        self._taken = 0

    def client(self) -> httpx2.AsyncClient:
        """An HTTP client that stops where an answer has no end; how long it may take is not its business."""
        # A compressed answer hides its size: it is not asked for, and not taken.
        headers = httpx2.Headers({
            "accept": "application/json",
            "accept-encoding": "identity",
            "user-agent": "toolbridge",
        })
        headers.update(self.headers)
        return httpx2.AsyncClient(
            headers=headers,
            timeout=None,
            event_hooks={"response": [self._look]},
        )

    async def _look(self, response: httpx2.Response) -> None:
        if response.request.method == "POST":  # a stream beside the conversation may be refused
            self.last = response
        coding = response.headers.get("content-encoding", "identity").strip().lower()
        if coding != "identity":
            raise ValueError(f"its answer to {self.step} is compressed ({coding}), which was not asked for")
        response.stream = _Counted(cast("httpx2.AsyncByteStream", response.stream), self)

    def count(self, size: int) -> None:
        self._taken += size
        if self._taken > MAX_BYTES:
            raise ValueError(f"it sends more than {MAX_BYTES // 2**20} MiB")

    def settle(self, answer: Pulled) -> None:
        text = json.encode(answer.value).decode()
        for name, value in self.headers.items():
            if _CREDENTIAL.search(name) and any(len(part) >= 8 and part in text for part in parts(value)):
                raise ValueError(f"it sends back the value of the header {name} among its tools; they are not kept")
        super().settle(answer)

    def explain(self, error: BaseException, timeout: float) -> str:
        if isinstance(error, httpx2.ConnectError):
            return f"no connection: {error}"
        if isinstance(error, httpx2.HTTPError):
            return f"the connection broke at {self.step}: {error}"
        return super().explain(error, timeout)


class _Counted(httpx2.AsyncByteStream):
    """The body of an answer, counted as it comes."""

    def __init__(self, stream: httpx2.AsyncByteStream, server: WebServer) -> None:
        self._stream = stream
        self._server = server

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._server.count(len(chunk))
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


def shown(url: httpx2.URL) -> str:
    """The address without the parts in which people put passwords and keys."""
    return str(url.copy_with(userinfo=b"", query=None, fragment=None))


def status(response: httpx2.Response) -> str:
    """`HTTP 500 Internal Server Error`."""
    return f"HTTP {response.status_code} {response.reason_phrase}".rstrip()


def media_type(response: httpx2.Response) -> str:
    """`text/html`, without its parameters."""
    return response.headers.get("content-type", "").partition(";")[0].strip().lower() or "no content type"


def _checked(url: str) -> httpx2.URL:
    try:
        parsed = httpx2.URL(url.strip())
    except (httpx2.InvalidURL, ValueError):
        raise PullError("", "this is no URL; one looks like https://example.org/mcp") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise PullError("", f"the URL of a server begins with http:// or https://, found {shown(parsed)!r}")
    return parsed


def _legal(headers: Mapping[str, str], server: str) -> dict[str, str]:
    # Errors name the header, never its value.
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name):
            raise PullError(server, "the name of a header is made of letters, digits and hyphens")
        if not (value.isascii() and value.replace("\t", " ").isprintable()):
            raise PullError(server, f"the value of the header {name} has characters that no header can have")
    return {name: value.strip() for name, value in headers.items()}
