"""The kinds of documents that an mcpx servlet with resources has beside tools, calls and results."""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from ...mapping import Kinds, Shape, Wire, has, items_at, local, row
from ..mcp import resources
from ..mcp.exchange import Rows, exact, item, table

# models


class Resource(Wire, kw_only=True, rename="camel"):
    """A resource that a servlet has."""

    name: str
    uri: str
    description: str | UnsetType = UNSET
    mime_type: str | UnsetType = UNSET


class ResourceTemplate(Wire, kw_only=True, rename="camel"):
    """A template for the URIs of resources (RFC 6570)."""

    name: str
    uri_template: str
    description: str | UnsetType = UNSET
    mime_type: str | UnsetType = UNSET


class ListResourcesResult(Wire, kw_only=True, rename="camel"):
    """What `list_resources` gives."""

    resources: list[dict[str, Any]]
    next_cursor: str | UnsetType = UNSET


class ListResourceTemplatesResult(Wire, kw_only=True, rename="camel"):
    """What `list_resource_templates` gives."""

    resource_templates: list[dict[str, Any]]
    next_cursor: str | UnsetType = UNSET


class ReadResourceResult(Wire, kw_only=True, rename={"is_error": "isError", "meta": "_meta"}):
    """What `read_resource` gives."""

    contents: list[dict[str, Any]]
    is_error: bool | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = UNSET


class ReadResourceRequestParams(resources.ReadResourceParams, kw_only=True):
    """Which resource is read. The interface does not require the URI, without which nothing can be read."""


class ReadResourceRequest(Wire, kw_only=True):
    """What `read_resource` gets. `method` is absent or `resources/read`."""

    params: ReadResourceRequestParams
    method: str | UnsetType = UNSET


class ListRequestParams(Wire, kw_only=True, rename={"meta": "_meta"}):
    """Where a list is to go on."""

    cursor: str | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = UNSET


class ListRequest(Wire, kw_only=True):
    """A request for resources or resource templates. The exports declare no input, but the types are there."""

    method: str | UnsetType = UNSET
    params: ListRequestParams | UnsetType = UNSET


# formats


def _list(model: type[Struct], of: type[Struct], rows: Rows, key: str) -> tuple[Shape, Shape]:
    """The shapes of a list and of what it lists."""
    return item(model, (items_at(f"/{key}", table(of, rows), "mcpx"), resources.CURSOR), "list"), item(of, rows)


_CONTENTS: Final = items_at("/contents", table(resources.ResourceContents, resources.CONTENTS), "mcpx")

SERVLET: Final[Kinds] = {
    "resource": _list(ListResourcesResult, Resource, resources.RESOURCE, "resources"),
    "resource-template": _list(ListResourceTemplatesResult, ResourceTemplate, resources.TEMPLATE, "resourceTemplates"),
    "resource-contents": (
        item(ReadResourceResult, (_CONTENTS, local("/isError", code="TB704"), row("/_meta", "meta")), "result"),
        item(resources.ResourceContents, resources.CONTENTS, needs=resources.HELD),
        item(
            ReadResourceRequest,
            (local("/method"), row("/params/uri", "address", required=True), row("/params/_meta", "meta")),
            "request",
            has(params=exact(ReadResourceRequestParams), only=("method", "params")),
            matches=has(params=has("uri"), without=("jsonrpc",)),
        ),
    ),
    "list-request": (
        item(
            ListRequest,
            (row("/method", "method"), row("/params/cursor", "cursor"), row("/params/_meta", "meta")),
            "request",
            has(method=("resources/list", "resources/templates/list"), without=("jsonrpc",), only=("method", "params")),
            matches=has(without=("jsonrpc", "context")),
        ),
    ),
}
