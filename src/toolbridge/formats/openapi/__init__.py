"""OpenAPI documents: each operation of an HTTP API is read as a tool. https://spec.openapis.org/oas/

Editions `3.0` (3.0.4) and `3.1` (3.1.1, checked 2026-11-23). Worth knowing:
- Documents of 3.2 are read as those of 3.1 (3.2.0, checked 2026-11-28). Operations with methods that are new there are
  reported (TB102); one with a parameter in `querystring` is no tool. Of the style `cookie`, which is
  new there, values are sent as they are.
- The document describes an API, not tools: a Toolbox makes the request of a call (`Toolbox.request`).
- The name is the operationId, or method and path: `get /pets/{id}` without one is `get_pets_id`.
- Parameters are arguments of their own names, and the body is the argument `body`. Where two have one name, the first
  of path, query, header, cookie and body keeps it; the next is `query_id`, `header_id` or `request_body`.
- A body has several media types: JSON is used if there is any, then forms, then texts. Binary data is base64.
- `readOnly` properties are not in the input, `writeOnly` ones not in the output, as both versions demand.
- The output is the JSON of the first response of success. One of more than 2,000 subschemas is left out.
- GET, HEAD, OPTIONS and TRACE are read-only, PUT and DELETE idempotent (RFC 9110, 9.2), DELETE is destructive.
- Of several alternatives of `security`, the first one is that of the tool.
- References lead to places in the document. In schemas, pointers to nothing and relative references to other documents
  are left out (TB206): they mean nothing in a tool. Nothing is fetched.
"""

from __future__ import annotations

from ...data.types import JsonObject
from ...mapping import Format, HttpRequest
from .leftovers import leftovers
from .operations import operations, version_of
from .tools import TABLE


def _request(tool: JsonObject, arguments: JsonObject, server: str | None) -> HttpRequest:
    from .requests import request  # few programs send requests

    return request(tool, arguments, server)


def _edition(edition: str, *versions: str) -> Format:
    return Format(
        id=f"openapi@{edition}",
        summary=f"an OpenAPI {edition} document",
        spec=f"https://spec.openapis.org/oas/v{edition}.html",
        tool=TABLE,
        exports=operations,
        contradictions=lambda document: int("paths" not in document or not version_of(document).startswith(versions)),
        leftovers=leftovers,
        request=_request,
    )


FORMATS = (_edition("3.0", "3.0."), _edition("3.1", "3.1.", "3.2."))
