"""Tools asked from a running server: MCP over stdio or streamable HTTP, Tool Definition 1.0 over HTTP.

Needs the extra `toolbridge[pull]`: the official `mcp` client, and the HTTP client that it stands on. Everything here
waits for its answer, whatever runs around it, and gives what the server sent, or raises PullError and leaves nothing
behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from .catalogue import Pulled, PullError

if TYPE_CHECKING:
    from . import mcp as session
    from . import oxp

__all__ = ["TIMEOUT", "PullError", "Pulled", "pull_http", "pull_oxp", "pull_stdio"]

Given = TypeVar("Given")
Prepared = TypeVar("Prepared")

TIMEOUT = 60.0
"""Seconds for everything together. Servers that are installed when they are first started (npx, uvx) are that slow."""


def pull_stdio(
    command: str | Sequence[str], *, env: Mapping[str, str] | None = None, timeout: float = TIMEOUT
) -> Pulled:
    """The tools of an MCP server that is started for this and spoken to over its standard input and output.

    `command` is split as a shell would and never given to one. The server inherits what the `mcp` client thinks safe
    (`PATH`, `HOME` and the like) and gets `env` besides.
    """
    server: type[session.Program] = _extra("session").Program
    return _prepared(server, command, env or {}).pull(timeout)


def pull_http(url: str, *, headers: Mapping[str, str] | None = None, timeout: float = TIMEOUT) -> Pulled:
    """The tools of an MCP server behind a URL (streamable HTTP)."""
    server: type[session.Endpoint] = _extra("session").Endpoint
    return _prepared(server, url, headers or {}).pull(timeout)


def pull_oxp(url: str, *, headers: Mapping[str, str] | None = None, timeout: float = TIMEOUT) -> Pulled:
    """The tools of a server of Tool Definition 1.0 (OXP, Arcade): what it answers to `GET /tools`.

    `url` is the server's, or already that of its `/tools`. The pages of Arcade's own API are followed.
    """
    server: type[oxp.Listing] = _extra("oxp").Listing
    return _prepared(server, url, headers or {}).pull(timeout)


def _prepared(
    server: Callable[[Given, Mapping[str, str]], Prepared], given: Given, more: Mapping[str, str]
) -> Prepared:
    try:
        return server(given, more)
    except PullError:
        raise
    except Exception as error:  # noqa: BLE001 - not foreseen; its text may repeat a secret
        raise PullError("", f"this server cannot be queried: unexpected {type(error).__name__}") from None


def _extra(module: str) -> Any:
    try:
        return import_module(f".{module}", __name__)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("anyio", "httpx2", "mcp", "mcp_types"):
            raise
        raise PullError("", f"needs mcp 2.3 or newer, and httpx2: pip install 'toolbridge[pull]' ({error})") from None
