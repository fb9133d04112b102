"""The `mcp` package, version 1 or 2, and the HTTP client that it uses: `session_v1` and `session_v2` differ in these.

Frameworks such as crewai, semantic-kernel and langchain-mcp-adapters need version 1 (their metadata on PyPI, checked
2026-11-23). Since 1.30 and 2.3 its clients follow no redirect to another server.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

V1 = version("mcp").startswith("1.")

if TYPE_CHECKING:
    import httpx2 as httpx  # pyright: ignore[reportUnusedImport] - other modules import it from here
else:
    httpx = import_module("httpx" if V1 else "httpx2")


_types: Any = import_module("mcp.types")

REQUESTS: Final[dict[str, Any]] = {
    "tools/list": _types.ListToolsRequest,
    "resources/list": _types.ListResourcesRequest,
    "resources/templates/list": _types.ListResourceTemplatesRequest,
    "prompts/list": _types.ListPromptsRequest,
}
"""The requests for lists, by their methods."""


def session_module() -> Any:
    """The module with `open_session`, `http_transport`, `read_message` and `write_message` for this version."""
    return import_module(".session_v1" if V1 else ".session_v2", __package__)
