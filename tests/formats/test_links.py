"""Addresses in a server's result: no vendor and no library is made to fetch what a server chose."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolbridge import convert
from toolbridge.formats import all_formats

MCP = "mcp@2025-11-25"
KEEPS_LINKS = {"mcp@2025-06-18", "mcp@2025-11-25", "mcp@2026-07-28", "hyper-mcp@2", "mcpx@servlet"}
"""Formats in which a link is a link, and fetched by nobody."""

KEEPS_BLOCKS = {"mcp", "mcpx", "hyper-mcp", "arcade", "arcade-engine"}
"""Families in which a resource is a resource, or whose results are data."""

TARGETS = [form.id for form in all_formats() if form.messages is not None]
ADDRESSES = ["https://e.example/a", "gs://bucket/a", "s3://bucket/a", "data:image/png;base64,aGk="]


def written(block: dict[str, Any], target: str) -> tuple[str, dict[str, int]]:
    done = convert({"content": [block]}, target, source=MCP, kind="result")
    return json.dumps(done.value), done.report.counts()


@pytest.mark.parametrize("target", [each for each in TARGETS if each not in KEEPS_LINKS])
@pytest.mark.parametrize("mime", ["image/png", "audio/wav", "video/mp4", "application/pdf", "text/csv", None])
def test_a_link_is_text(target: str, mime: str | None) -> None:
    for address in ADDRESSES:
        link = {"type": "resource_link", "uri": address, "name": "a", **({"mimeType": mime} if mime else {})}
        text, codes = written(link, target)
        if target.startswith(("arcade@", "arcade-engine@4")):  # a value, whose links are data
            assert json.dumps(link) in text
        else:
            assert json.dumps(f"a: {address}") in text
            assert "TB705" in codes


@pytest.mark.parametrize(
    "target", [form.id for form in all_formats() if form.messages and form.family not in KEEPS_BLOCKS]
)
@pytest.mark.parametrize("mime", ["image/png", "application/pdf", "text/plain", "text/x-dokuwiki", None])
def test_a_resource_with_its_text_is_its_text(target: str, mime: str | None) -> None:
    for text in ("hi there", ""):
        held = {"uri": "https://e.example/a", "text": text, **({"mimeType": mime} if mime else {})}
        told, _ = written({"type": "resource", "resource": held}, target)
        assert "e.example" not in told
        assert text in told


@pytest.mark.parametrize("target", TARGETS)
def test_a_link_with_an_empty_name_is_still_a_link(target: str) -> None:
    """Only tools need a name: `name` of `ResourceLink` is any string (schema.json of all editions)."""
    told, _ = written({"type": "resource_link", "uri": "https://e.example/a", "name": ""}, target)
    assert "https://e.example/a" in told
