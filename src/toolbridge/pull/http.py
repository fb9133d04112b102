"""Addresses, headers, and an HTTP client with bounds on size, time and redirects."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from typing import cast

from .catalogue import PullError
from .redaction import MASK, Secrets, is_key
from .sdk import httpx
from .server import Server

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class WebServer(Server):
    """A server behind a URL."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self.url = _checked(url)
        name = shown(self.url)
        self.headers = _legal(headers, name)
        secrets = Secrets()
        secrets.add_url(str(self.url))
        secrets.add_headers(self.headers)
        super().__init__(name, secrets)
        self.last: httpx.Response | None = None
        """The latest response to a POST request."""

    def client(self) -> httpx.AsyncClient:
        """An HTTP client that limits the size of responses; `Server.pull` limits the time."""
        # Compressed responses hide their size: they are neither requested nor accepted.
        headers = httpx.Headers({
            "accept": "application/json",
            "accept-encoding": "identity",
            "user-agent": "toolbridge",
        })
        headers.update(self.headers)
        return httpx.AsyncClient(headers=headers, timeout=None, event_hooks={"response": [self.check_response]})

    async def check_response(self, response: httpx.Response) -> None:
        """Refuse a compressed response, and have its bytes counted."""
        if response.request.method == "POST":  # a server may refuse the GET request for its event stream
            self.last = response
        coding = response.headers.get("content-encoding", "identity").strip().lower()
        if coding != "identity":
            raise ValueError(f"its response to {self.step} is compressed ({coding}), which was not asked for")
        response.stream = _Counted(cast("httpx.AsyncByteStream", response.stream), self, response)

    def take(self, response: httpx.Response, chunk: bytes) -> None:
        """Count a piece of a response; subclasses may also keep it."""
        del response
        self.count(len(chunk))

    def broke(self, error: Exception) -> None:
        """Take note of a response that broke off."""

    def explain(self, error: BaseException, timeout: float) -> str:
        if isinstance(error, httpx.ConnectError):
            return f"no connection: {error}"
        if isinstance(error, httpx.HTTPStatusError):
            redirect = error.response.has_redirect_location
            return f"{self.step} failed: {error}" if redirect else f"{status(error.response)} for {self.step}"
        if isinstance(error, httpx.HTTPError):
            return f"the connection broke at {self.step}: {error}"
        return super().explain(error, timeout)


class _Counted(httpx.AsyncByteStream):
    """The body of a response, with every piece passed to `WebServer.take`."""

    def __init__(self, stream: httpx.AsyncByteStream, server: WebServer, response: httpx.Response) -> None:
        self._stream = stream
        self._server = server
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._stream:
                self._server.take(self._response, chunk)
                yield chunk
        except Exception as error:
            self._server.broke(error)
            raise

    async def aclose(self) -> None:
        await self._stream.aclose()


def shown(url: httpx.URL) -> str:
    """The address without the parts that may have passwords or keys."""
    bare = url.copy_with(userinfo=b"", query=None, fragment=None)
    if any(is_key(segment) for segment in bare.path.split("/")):
        path = "/".join(MASK if is_key(segment) else segment for segment in bare.path.split("/"))
        bare = bare.copy_with(path=path)
    return str(bare)


def status(response: httpx.Response) -> str:
    """The status of a response, such as `HTTP 500 Internal Server Error`."""
    return f"HTTP {response.status_code} {response.reason_phrase}".rstrip()


def media_type(response: httpx.Response) -> str:
    """The media type of a response without parameters, such as `text/html`."""
    return response.headers.get("content-type", "").partition(";")[0].strip().lower() or "no content type"


def _checked(url: str) -> httpx.URL:
    try:
        parsed = httpx.URL(url.strip())
    except (httpx.InvalidURL, ValueError):
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
