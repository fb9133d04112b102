"""Fetch the tools of a running server: MCP over stdio or HTTP, Tool Definition 1.0 over HTTP.

This needs the extra `toolbridge[pull]`: the official `mcp` client and its HTTP client. The functions block until the
response is complete, also inside a running event loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING

from .catalogue import Pulled, PullError

if TYPE_CHECKING:
    from .server import Server

__all__ = ["TIMEOUT", "PullError", "Pulled", "pull_http", "pull_oxp", "pull_stdio"]

TIMEOUT = 60.0
"""The default total time limit in seconds. Servers that npx or uvx install when they start need that long."""


def pull_stdio(
    command: str | Sequence[str | PathLike[str]],
    *,
    env: Mapping[str, str] | None = None,
    kinds: Sequence[str] = ("tools",),
    timeout: float = TIMEOUT,
) -> Pulled:
    """Fetch the tools of an MCP server that is started for this and used over its standard input and output.

    Args:
        command: The command; a string is split as by a shell, but run without one.
        env: Further environment variables. The server also gets those that the `mcp` client considers safe (`PATH`,
            `HOME` and similar ones).
        kinds: What is fetched: `"tools"`, `"resources"` (and their templates), `"prompts"`.
        timeout: The total time limit in seconds.

    Returns:
        The catalogue, its format, and notes.

    Raises:
        PullError: The server cannot be started, or its response is not valid.
    """
    return _server("mcp", "Program", command, env or {}).pull(timeout, kinds)


def pull_http(
    url: str, *, headers: Mapping[str, str] | None = None, kinds: Sequence[str] = ("tools",), timeout: float = TIMEOUT
) -> Pulled:
    """Fetch the tools of an MCP server with a URL: over streamable HTTP, or the HTTP with server-sent events before it.

    Args:
        url: The URL of the server.
        headers: Headers of every request.
        kinds: What is fetched: `"tools"`, `"resources"` (and their templates), `"prompts"`.
        timeout: The total time limit in seconds.

    Returns:
        The catalogue, its format, and notes.

    Raises:
        PullError: The server cannot be reached, or its response is not valid.
    """
    return _server("mcp", "Endpoint", url, headers or {}).pull(timeout, kinds)


def pull_oxp(url: str, *, headers: Mapping[str, str] | None = None, timeout: float = TIMEOUT) -> Pulled:
    """Fetch the tools of a server of Tool Definition 1.0 (OXP, Arcade) from `GET /tools`.

    The pages of Arcade's own API are followed.

    Args:
        url: The URL of the server, or of its `/tools`.
        headers: Headers of every request.
        timeout: The total time limit in seconds.

    Returns:
        The catalogue, its format, and notes.

    Raises:
        PullError: The server cannot be reached, or its response is not valid.
    """
    return _server("oxp", "Listing", url, headers or {}).pull(timeout)


def _server(module: str, name: str, given: object, settings: Mapping[str, str]) -> Server:
    """A server that is an instance of a class in a module that needs the extra."""
    try:
        kind = getattr(import_module(f".{module}", __name__), name)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("anyio", "httpx", "httpx2", "mcp", "mcp_types"):
            raise
        raise PullError("", f"needs mcp 1.30, or 2.3 or newer: pip install 'toolbridge[pull]' ({error})") from None
    try:
        return kind(given, settings)
    except PullError:
        raise
    except Exception as error:  # noqa: BLE001 - its text may contain a secret
        raise PullError("", f"this server cannot be queried: unexpected {type(error).__name__}") from None
