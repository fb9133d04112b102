"""A session with an MCP server, by version 1 of the `mcp` package, which knows the editions up to 2025-11-25."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

from pydantic import RootModel

from .. import __version__
from ..data.from_python import plain_data as plain
from ..data.types import JsonObject
from .sdk import REQUESTS
from .server import NoiseHandler, Server

# As `Any`: type checkers see version 2.
_mcp: Any = import_module("mcp")
_types: Any = import_module("mcp.types")
_http: Any = import_module("mcp.client.streamable_http")
_SessionMessage: Any = import_module("mcp.shared.message").SessionMessage


def http_transport(url: str, client: Any) -> Any:
    """A connection over streamable HTTP."""
    return _http.streamable_http_client(url, http_client=client)


def read_message(text: str) -> tuple[Any, bool]:
    """A message, and whether it is a response. Raises ValueError."""
    message = _types.JSONRPCMessage.model_validate_json(text)
    return _SessionMessage(message), isinstance(message.root, _types.JSONRPCResponse)


def write_message(message: Any) -> str:
    return message.message.model_dump_json(by_alias=True, exclude_none=True)


class _AnyModel(RootModel[dict[str, Any]]):
    """A response of any content, with the fields that the models of the SDK do not know."""


class Session:
    """A session whose edition is negotiated."""

    def __init__(self, client: Any, greeting: Any) -> None:
        info = greeting.serverInfo
        self.server: str | None = f"{info.name} {info.version}".strip()
        self.edition = str(greeting.protocolVersion)
        self._client = client

    async def page(self, method: str, cursor: str | None) -> JsonObject | None:
        """A page of a list of the server, as it was sent."""
        request = REQUESTS[method](params=_types.PaginatedRequestParams(cursor=cursor))
        answer = await self._client.send_request(_types.ClientRequest(request), _AnyModel)
        return plain(answer.root)[0]


@asynccontextmanager
async def open_session(
    server: Server, streams: Any, on_noise: NoiseHandler | None, *, old: bool
) -> AsyncGenerator[Session]:
    """A session. `on_noise` takes what is no message; without it, that ends the request."""
    del old  # this version sends nothing before the handshake

    async def receive(message: object) -> None:
        # A response to an unknown request is a RuntimeError, and is ignored by version 2 as well.
        if not isinstance(message, Exception) or isinstance(message, RuntimeError):
            return
        if on_noise is None:
            server.fail(message)  # the SDK would wait for a response
        else:
            await on_noise(message)

    info = _types.Implementation(name="toolbridge", version=__version__)
    async with _mcp.ClientSession(streams[0], streams[1], client_info=info, message_handler=receive) as client:
        server.step = "initialize"
        yield Session(client, await client.initialize())
