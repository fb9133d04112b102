"""The `mcp` SDK, and FastMCP, in both directions: tools of clients for any model, and any tools behind servers.

    box = await toolbox(client, to="anthropic")          # and for each call of the model:
    reply = await answer(client, box, block)

    serve(server, tools, run)

Written for mcp 2.3 and 1.30 (client/session.py, server/lowlevel/server.py, server/context.py, checked 2026-11-23) and,
where they are used, clients and servers of fastmcp 4.2 (client/mixins/tools.py, server/server.py, checked 2026-11-29).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, cast

from ..data.from_python import plain_data as plain
from ..data.types import JsonObject
from ..errors import CallError
from ..formats.format_names import FormatName
from ..formats.mcp.tools import known_edition
from ..formats.registry import get_format
from ..limits import MAX_PAGES
from ..mapping.format import Format
from ..toolbox.records import Reply, SourceCall
from ..toolbox.toolbox import Toolbox
from . import EDITION, Run, Service, mcp_call, needed, of_mcp
from .event_loop import awaited, loop_of

try:
    import mcp
    from mcp import ClientSession, types
    from mcp.server import Server
except ImportError as error:
    raise needed(error, "mcp", "mcp>=1.30") from error

V1 = not hasattr(mcp, "Client")
if TYPE_CHECKING or not V1:
    from mcp import Client, MCPError
    from mcp.server import ServerRequestContext
    from mcp.server.context import CallNext, HandlerResult
else:
    Client, MCPError = ClientSession, mcp.McpError

__all__ = ["Clients", "answer", "run", "serve", "toolbox", "tools"]


class McpClient(Protocol):
    """A client of FastMCP, once it is connected."""

    async def list_tools(self) -> list[Any]: ...
    async def call_tool_mcp(self, name: str, arguments: dict[str, Any]) -> Any: ...


AClient: TypeAlias = Client | ClientSession | McpClient
"""The SDK's client, the session below it, or a client of FastMCP, once it is connected."""

Clients: TypeAlias = AClient | Mapping[str, AClient]
"""One, or several by the names of their servers."""


# using servers


async def tools(client: AClient) -> list[JsonObject]:
    """All tools of a server, from all pages.

    Args:
        client: A connected client of the `mcp` SDK, or of FastMCP.

    Returns:
        The tools.

    Raises:
        ValueError: The list has no end: a cursor comes again, or there are more than 1,000 pages.
    """
    if not isinstance(client, (Client, ClientSession)):
        return [plain(tool)[0] for tool in await client.list_tools()]
    found: list[JsonObject] = []
    previous: list[JsonObject] = []
    cursors: set[str] = set()
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await (
            client.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
            if isinstance(client, ClientSession)
            else client.list_tools(cursor=cursor)
        )
        listed: list[JsonObject] = [plain(tool)[0] for tool in page.tools]
        if cursor == "" and listed == previous:  # as in toolbridge.pull: some servers end their list with it
            return found
        found += listed
        previous = listed
        cursor = getattr(page, "nextCursor" if V1 else "next_cursor")
        if cursor is None:
            return found
        if cursor in cursors:
            raise ValueError(f"a list of tools without an end: it names the cursor {cursor!r} again")
        cursors.add(cursor)
    raise ValueError(f"a list of tools without an end: it has more than {MAX_PAGES:,} pages")


async def toolbox(clients: Clients, to: FormatName | Format, **options: Any) -> Toolbox:
    """A toolbox with the tools of servers.

    Args:
        clients: A client, or a dict of clients by the names of their servers.
        to: The format of the model's vendor.
        **options: The options of `Toolbox`.

    Returns:
        The toolbox.
    """
    if isinstance(clients, Mapping):
        return Toolbox(None, to, servers={name: await tools(client) for name, client in clients.items()}, **options)
    version = getattr(clients, "protocol_version", None)
    source = version and get_format(f"mcp@{known_edition(version)}")
    return Toolbox(await tools(clients), to, source=source, **options)


def run(clients: Clients, **options: Any) -> Run:
    """A `run` for the other adapters, which sends calls to the servers of their tools.

    It may be awaited in any event loop, and in any thread: calls go to the one in which the clients are connected,
    which is that of `entered`, or the one that runs now.

    Args:
        clients: A client, or a dict of clients by the names of their servers.
        **options: The options of the client's `call_tool`, such as `read_timeout_seconds`.

    Returns:
        A function that runs a call.
    """
    loop = loop_of(clients)

    async def send(call: SourceCall) -> object:
        client: Any = clients[call.server or ""] if isinstance(clients, Mapping) else clients
        # FastMCP's own method raises an error for a failed result.
        ask = getattr(client, "call_tool_mcp", client.call_tool)
        return await awaited(ask(call.name, call.arguments, **options), loop)

    return send


async def answer(clients: Clients, box: Toolbox, block: object) -> Reply:
    """Run a model's call.

    Args:
        clients: A client, or a dict of clients by the names of their servers.
        box: The toolbox.
        block: The call of the model.

    Returns:
        The result in the vendor's format. A call that fits no tool, and an error of a server, become a failed result.

    Raises:
        MCPError: The connection is closed.
    """
    try:
        result = await run(clients)(box.call(block))
    except CallError as error:
        result = error
    except MCPError as error:
        # Servers use the number for errors of their own.
        problem = error.error
        if problem.code == types.CONNECTION_CLOSED and problem.message == "Connection closed":
            raise
        result = error
    return box.reply(result, to=block)


# serving


def serve(server: Any, tools: object, run: Run) -> None:
    """Add tools of any format to a server; each client gets them in its own edition.

    A call that fits no tool becomes a failed result. The server handles exceptions of `run`.

    Args:
        server: The server: `Server` or `MCPServer` of the `mcp` SDK (in its version 1 `Server` or `FastMCP`), or
            `FastMCP` of fastmcp.
        tools: Tools in any format, or a `Toolbox` for one edition of MCP.
        run: A function that runs a call, which is in the format of the tool's own server.
    """
    offer = _ServedTools(tools, run)
    protocol_server = getattr(server, "_mcp_server", server)  # FastMCP shows its server to nobody
    if V1:
        _serve_v1(protocol_server, offer)
        return
    if not isinstance(server, Server):
        protocol_server.middleware.append(offer.between)
        return
    low = cast("Server[Any]", server)
    own = low.get_request_handler("tools/list")
    other = low.get_request_handler("tools/call")

    async def list_tools(ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams) -> HandlerResult:
        page: Any = {"tools": []} if own is None else await own.handler(ctx, params)
        # As a model: the SDK knows then what was left for it to say.
        return types.ListToolsResult.model_validate(offer.listed(ctx, params.cursor, plain(page)[0]))

    async def call_tool(ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> HandlerResult:
        if other is not None and not offer.has(ctx, params.name):
            return await other.handler(ctx, params)
        return await offer.answered(ctx, params.name, params.arguments)

    low.add_request_handler("tools/list", types.PaginatedRequestParams, list_tools)
    low.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)


class _RequestContext(NamedTuple):
    """What `_ServedTools` needs to know of a request."""

    protocol_version: str
    request_id: str | int


def _serve_v1(server: Any, offer: _ServedTools) -> None:
    v1: Any = types
    editions: Any = import_module("mcp.shared.version").SUPPORTED_PROTOCOL_VERSIONS
    own = server.request_handlers.get(v1.ListToolsRequest)
    other = server.request_handlers.get(v1.CallToolRequest)

    def context() -> Any:
        given = server.request_context
        client = given.session.client_params  # None where a server keeps no sessions
        edition = v1.LATEST_PROTOCOL_VERSION if client is None else client.protocolVersion
        known = edition in editions  # the SDK answers with its own latest to any other
        return _RequestContext(edition if known else v1.LATEST_PROTOCOL_VERSION, given.request_id)

    async def list_tools(request: Any) -> Any:
        cursor = request.params.cursor if request is not None and request.params else None  # the SDK asks with None
        page: Any = {"tools": []} if own is None else plain((await own(request)).root)[0]
        return v1.ServerResult(v1.ListToolsResult.model_validate(offer.listed(context(), cursor, page)))

    async def call_tool(request: Any) -> Any:
        name, arguments = request.params.name, request.params.arguments
        if other is not None and not offer.has(context(), name):
            return await other(request)
        answer = await offer.answered(context(), name, arguments)
        return v1.ServerResult(v1.CallToolResult.model_validate(answer))

    server.request_handlers.update({v1.ListToolsRequest: list_tools, v1.CallToolRequest: call_tool})


class _ServedTools:
    """Tools for the clients of a server, written once for each edition."""

    def __init__(self, tools: object, run: Run) -> None:
        if isinstance(tools, Toolbox) and tools.target.family != "mcp":
            raise TypeError(f"these tools are for {tools.target.id}: make a Toolbox for mcp, or hand in the tools")
        self._tools = tools
        self._run = run
        self._service = lru_cache(self._new_service)
        self._service(EDITION)  # errors of the tools are raised at once, not for the first client

    def _new_service(self, edition: str) -> Service:
        to = None if isinstance(self._tools, Toolbox) else get_format(f"mcp@{edition}")
        return Service(self._tools, self._run, to=to, otherwise="mcp", messages=partial(of_mcp, edition))

    def _for(self, ctx: ServerRequestContext[Any, Any]) -> Service:
        return self._service(known_edition(ctx.protocol_version))

    def has(self, ctx: ServerRequestContext[Any, Any], name: str) -> bool:
        return name in self._for(ctx).names

    def listed(self, ctx: ServerRequestContext[Any, Any], cursor: str | None, page: JsonObject) -> JsonObject:
        """A page of the server's own tools; on the first of them ours come first."""
        service = self._for(ctx)
        own = [tool for tool in page["tools"] if tool["name"] not in service.names]
        return {**page, "tools": own if cursor is not None else [*service.box.tools, *own]}

    async def answered(self, ctx: ServerRequestContext[Any, Any], name: str, arguments: object) -> JsonObject:
        service = self._for(ctx)
        block = mcp_call(name, {} if arguments is None else arguments, "" if ctx.request_id is None else ctx.request_id)
        try:
            return dict(await service.answered(block))
        except CallError as error:
            if name not in service.names:
                raise _invalid(str(error)) from error
            return dict(service.refused(error, block))

    async def between(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Middleware, for servers that keep their handlers to themselves."""
        params = ctx.params or {}
        if ctx.method == "tools/list":
            return self.listed(ctx, params.get("cursor"), plain(await call_next(ctx))[0])
        name = params.get("name")
        if ctx.method == "tools/call" and isinstance(name, str) and self.has(ctx, name):
            return await self.answered(ctx, name, params.get("arguments"))
        return await call_next(ctx)


def _invalid(message: str) -> MCPError:
    if V1:
        make: Any = MCPError
        return make(types.ErrorData(code=types.INVALID_PARAMS, message=message))
    return MCPError(types.INVALID_PARAMS, message)
