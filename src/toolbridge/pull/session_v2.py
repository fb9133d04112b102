"""A session with an MCP server, by version 2 of the `mcp` package."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx2
from mcp import ClientSession, MCPError
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.dispatcher import CallOptions
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.message import SessionMessage
from mcp.shared.transport_context import TransportContext
from mcp_types import (
    UNSUPPORTED_PROTOCOL_VERSION,
    Implementation,
    JSONRPCResponse,
    PaginatedRequestParams,
    jsonrpc_message_adapter,
)
from pydantic import BaseModel, ValidationError

from .. import __version__
from ..data.from_python import plain_data as plain
from ..data.types import JsonObject
from .catalogue import MAX_BYTES
from .sdk import REQUESTS
from .server import NoiseHandler, Server


def http_transport(url: str, client: httpx2.AsyncClient) -> Transport:
    """A connection over streamable HTTP."""
    return streamable_http_client(url, http_client=client, max_sse_event_size=MAX_BYTES)


def read_message(text: str) -> tuple[SessionMessage, bool]:
    """A message, and whether it is a response. Raises ValueError."""
    message = jsonrpc_message_adapter.validate_json(text, by_name=False)
    return SessionMessage(message), isinstance(message, JSONRPCResponse)


def write_message(message: SessionMessage) -> str:
    return message.message.model_dump_json(by_alias=True, exclude_unset=True)


class _AnyModel(BaseModel):
    """A response of any content, which `_Wire` keeps."""


class _Wire(JSONRPCDispatcher[TransportContext]):
    """A dispatcher that keeps the latest response unchanged, because the models of the SDK drop unknown fields."""

    server: Server
    response: JsonObject | None = None

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None, **options: Any
    ) -> dict[str, Any]:
        if method not in REQUESTS:
            self.server.step = method
        self.response = None
        answer = await super().send_raw_request(method, params, opts, **options)
        if method in REQUESTS:
            # A copy, because the session corrects responses in place.
            self.response, _ = plain(answer)
        return answer


class Session:
    """A session whose edition is negotiated."""

    def __init__(self, client: ClientSession, wire: _Wire) -> None:
        info = client.server_info
        self.server = f"{info.name} {info.version}".strip() if info else None
        self.edition = str(client.protocol_version)
        self._client = client
        self._wire = wire

    async def page(self, method: str, cursor: str | None) -> JsonObject | None:
        """A page of a list of the server, as it was sent."""
        request = REQUESTS[method](params=PaginatedRequestParams(cursor=cursor))
        # `_Wire` has kept the response, even if the models of the SDK refuse it.
        with suppress(ValidationError):
            await self._client.send_request(request, _AnyModel)
        return self._wire.response


@asynccontextmanager
async def open_session(
    server: Server, streams: Any, on_noise: NoiseHandler | None, *, old: bool
) -> AsyncGenerator[Session]:
    """A session. An `old` server gets the handshake at once; `on_noise` takes what is no message."""
    wire = _Wire(streams[0], streams[1], on_stream_exception=on_noise)
    wire.server = server
    info = Implementation(name="toolbridge", version=__version__)
    async with ClientSession(dispatcher=wire, client_info=info) as client:
        await (client.initialize() if old else _negotiate(client))
        yield Session(client, wire)


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
