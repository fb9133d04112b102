"""Tool Definition 1.0 over HTTP: `GET /tools`.

The list has no pages in any edition (github.com/OpenExecProtocol at 4ebed7f, checked 2026-11-21). Arcade's own API
takes `limit` and `offset` in the query and answers with `total_count` besides (api.arcade.dev/v1/swagger as mirrored by
api-evangelist/arcade, checked 2026-11-21); a worker answers with a bare list.
"""

from __future__ import annotations

from ..data.json_text import parse_json
from ..data.types import Json, is_list, is_object
from ..errors import DocumentError
from .catalogue import Pages, Pulled
from .http import WebServer, media_type, shown, status
from .sdk import httpx

_PAGING = ("limit", "offset", "page_count")
_REDIRECTS = 5


class Listing(WebServer):
    """A server that lists its tools at `/tools`."""

    async def ask(self) -> None:
        self.step = "GET /tools"
        path = self.url.path.rstrip("/")
        url = self.url if path.endswith("/tools") else self.url.copy_with(path=f"{path}/tools")
        async with self.client() as client:
            first, duplicates = await self._get(client, url)
            key = _key(first)
            if key is None:
                self.after_read(Pulled(first, None, None, 1, duplicates))
                return
            pages = Pages(key, _PAGING)
            pages.add(first)
            total, start, page = first.get("total_count"), first.get("offset"), first
            start = start if isinstance(start, int) else 0
            if total is not None and not isinstance(total, int):
                pages.note("its total_count is not an integer, so no further page was asked for")
            while isinstance(total, int) and start + len(pages) < total:
                self.step = f"GET /tools, page {pages.count + 1}"
                previous = page
                page, further = await self._get(client, url.copy_set_param("offset", str(start + len(pages))))
                if _key(page) != key or page[key] == previous[key]:
                    raise ValueError(f"its page {pages.count + 1} of tools is not the one that was asked for")
                if not page[key]:
                    pages.note(f"it counts {total:,} tools and has sent {start + len(pages):,}")
                    break
                pages.add(page)
                duplicates += further
        value, notes = pages.joined()
        self.after_read(Pulled(value if pages.count > 1 else first, None, None, pages.count, (*duplicates, *notes)))

    async def _get(self, client: httpx.AsyncClient, url: httpx.URL) -> tuple[Json, tuple[str, ...]]:
        response = await client.get(url, follow_redirects=False)
        for _ in range(_REDIRECTS):
            redirect = response.next_request
            if redirect is None:
                break
            url, next_url = response.request.url, redirect.url
            if (url.scheme, url.host, url.port) != (next_url.scheme, next_url.host, next_url.port):
                other = shown(next_url)
                raise ValueError(f"it redirects to {other}, another server; ask that one if it is the right one")
            response = await client.send(redirect, follow_redirects=False)
        if response.status_code != 200:
            raise ValueError(f"{status(response)} for {self.step}")
        try:
            value, duplicates = parse_json(response.content)
        except DocumentError:
            kind = media_type(response)
            if "json" in kind:
                raise
            raise ValueError(f"it answered {self.step} with {kind}, not with JSON") from None
        return value, tuple(f"its response has {place} twice; the last one was kept" for place in duplicates)


def _key(page: Json) -> str | None:
    """The member with the tools; None for a bare list of tools. Raises ValueError if there is no list."""
    if is_list(page) and all(is_object(tool) for tool in page):
        return None
    if is_object(page):
        for key in ("tools", "items"):
            if is_list(page.get(key)):
                return key
        raise ValueError(f"its response has no list of tools or items, but {', '.join(page) or 'nothing'}")
    raise ValueError("its response is neither an object nor a list of objects")
