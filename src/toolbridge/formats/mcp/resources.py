"""Resources, resource templates, roots and what resources hold, by edition of MCP: models and rows."""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, UnsetType

from ...data.types import JsonObject
from ...mapping import Shape, Wire, WriteContext, all_of, has, invent, items_at, local, row, title_or_address
from .exchange import META, exact, item, request, result, since, table
from .messages import ANNOTATIONS, VERSION, Annotations, extended
from .tools import STATELESS, Icon

# models


class Resource(Wire, kw_only=True, rename="camel"):
    """A resource that a server has, up to 2025-03-26."""

    uri: str
    name: str
    description: str | UnsetType = UNSET
    mime_type: str | UnsetType = UNSET
    annotations: Annotations | UnsetType = UNSET
    size: int | UnsetType = UNSET


Resource20250618 = extended(Resource, "2025-06-18", title=str, meta=META)
Resource20251125 = extended(Resource20250618, "2025-11-25", icons=list[Icon])


class ResourceTemplate(Wire, kw_only=True, rename="camel"):
    """A template for the URIs of resources (RFC 6570), up to 2025-03-26."""

    uri_template: str
    name: str
    description: str | UnsetType = UNSET
    mime_type: str | UnsetType = UNSET
    annotations: Annotations | UnsetType = UNSET


ResourceTemplate20250618 = extended(ResourceTemplate, "2025-06-18", title=str, meta=META)
ResourceTemplate20251125 = extended(ResourceTemplate20250618, "2025-11-25", icons=list[Icon])


class Root(Wire, kw_only=True):
    """A root of a client, up to 2025-03-26: a folder that servers may use."""

    uri: str
    name: str | UnsetType = UNSET


Root20250618 = extended(Root, "2025-06-18", meta=META)


class ResourceContents(Wire, kw_only=True, rename="camel"):
    """What a resource holds, up to 2025-03-26: text, or base64."""

    uri: str
    mime_type: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    blob: str | UnsetType = UNSET


ResourceContents20250618 = extended(ResourceContents, "2025-06-18", meta=META)


class Result(Wire, kw_only=True, rename={"meta": "_meta"}):
    """What every result may have."""

    meta: dict[str, Any] | UnsetType = UNSET


class Page(Result, kw_only=True, rename={"next_cursor": "nextCursor"}):
    """A part of a list, and where the list goes on."""

    next_cursor: str | UnsetType = UNSET


class ListResourcesResult(Page, kw_only=True):
    """A page of the resources of a server."""

    resources: list[dict[str, Any]]


class ListResourceTemplatesResult(Page, kw_only=True, rename="camel"):
    """A page of the resource templates of a server."""

    resource_templates: list[dict[str, Any]]


class ListRootsResult(Result, kw_only=True):
    """The roots of a client."""

    roots: list[dict[str, Any]]


class ReadResourceParams(Wire, kw_only=True, rename={"meta": "_meta"}):
    """Which resource is read."""

    uri: str
    meta: dict[str, Any] | UnsetType = UNSET


ReadResourceParams20260728 = extended(ReadResourceParams, STATELESS, input_responses=META, request_state=str)


class ReadResourceResult(Result, kw_only=True):
    """What a resource holds, in parts."""

    contents: list[dict[str, Any]]


# tables

HEAD: Final = (row("/name", "name", required=True), row("/title", "title"), row("/description", "description"))

_TAIL: Final = (row("/mimeType", "mime"), *ANNOTATIONS, row("/size", "size"), row("/_meta", "meta"), local("/icons"))

RESOURCE: Final = (row("/uri", "address", required=True), *HEAD, *_TAIL)

TEMPLATE: Final = (row("/uriTemplate", "template", required=True), *HEAD, *_TAIL)

ROOT: Final = (row("/uri", "address", required=True), row("/name", "name"), row("/_meta", "meta"))

CONTENTS: Final = (
    *(row("/uri", "address", required=True), row("/mimeType", "mime"), row("/text", "text", required=True)),
    *(row("/blob", "data"), row("/_meta", "meta")),
)


def _text(w: WriteContext) -> Any:
    """An empty text for a resource of which neither text nor data is known."""
    return UNSET if "data" in w.fields else invent("")(w)


def _check_contents(document: JsonObject) -> tuple[str, str] | None:
    return None if HELD(document) else ("/text", "required, but missing (or blob)")


WHOLE: Final[dict[str, Any]] = {"invent": {"/text": _text}, "check": _check_contents}
"""What the contents of a resource need: their text or their data."""

READ: Final = (row("/uri", "address", required=True), local("/inputResponses"), local("/requestState"))

CURSOR: Final = row("/nextCursor", "cursor")

NAMED: Final = {"/name": title_or_address}

HELD: Final = has(any_of=("text", "blob"))
"""What tells the contents of a resource from a request for them."""

# formats


def resources(edition: str) -> tuple[Shape, ...]:
    model = since(edition, {"2024": Resource, "2025-06-18": Resource20250618, "2025-11-25": Resource20251125})
    rows = (items_at("/resources", table(model, RESOURCE, invent=NAMED), "mcp"), CURSOR)
    return (*result("list", edition, ListResourcesResult, rows, cached=True), item(model, RESOURCE, invent=NAMED))


def templates(edition: str) -> tuple[Shape, ...]:
    versions = {
        "2024": ResourceTemplate,
        "2025-06-18": ResourceTemplate20250618,
        "2025-11-25": ResourceTemplate20251125,
    }
    model = since(edition, versions)
    rows = (items_at("/resourceTemplates", table(model, TEMPLATE), "mcp"), CURSOR)
    return (*result("list", edition, ListResourceTemplatesResult, rows, cached=True), item(model, TEMPLATE))


def roots(edition: str) -> tuple[Shape, ...]:
    model = since(edition, {"2024": Root, "2025-06-18": Root20250618})
    rows = (items_at("/roots", table(model, ROOT), "mcp"),)
    # A URI alone is more often what was updated; one with a name may be a resource.
    return (
        *result("list", edition, ListRootsResult, rows, by_server=False),
        item(model, ROOT, identifies=all_of(has("name"), exact(model))),
    )


def contents(edition: str) -> tuple[Shape, ...]:
    model = since(edition, {"2024": ResourceContents, "2025-06-18": ResourceContents20250618})
    params = since(edition, {"2024": ReadResourceParams, "2026": ReadResourceParams20260728})
    asks = all_of(has(_meta=has(VERSION)), exact(params))
    rows = (items_at("/contents", table(model, CONTENTS, **WHOLE), "mcp"),)
    return (
        *result("result", edition, ReadResourceResult, rows, cached=True),
        item(model, CONTENTS, needs=HELD, **WHOLE),
        *request("request", edition, "resources/read", params, READ, identifies=asks),
    )
