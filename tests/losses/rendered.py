"""JSON reports made by hand, and real ones, for the tests of the renderers."""

from __future__ import annotations

import json
from typing import Any

from toolbridge import convert
from toolbridge.losses.rendering.html import ItemDocuments

MCP = "mcp@2025-11-25"

HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<!--<script>",
    "{{data}}${alert(1)}",
    "a\n::error::forged\r%0A,:",
    "\x1b[31mred\x00\u202egpj.exe\u200b",
    "&lt;b&gt; ]]>",
)


def loss(code: str, tool: str | None, source: str, target: str | None = None, **more: Any) -> dict[str, Any]:
    from toolbridge.losses.report import CODES

    known = CODES[code]
    return {
        "code": code,
        "name": known.name,
        "effect": known.effect,
        "severity": known.severity,
        "tool": tool,
        "source": source,
        "target": target,
        "item": None,
        "before": None,
        "after": None,
        "limit": None,
        "message": f"{source}: {known.meaning}",
        "url": known.url,
        **more,
    }


def report(*losses: dict[str, Any], failures: tuple[dict[str, Any], ...] = (), **more: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "input": "tools.json",
        "kind": "tool",
        "source": MCP,
        "target": "openai@chat",
        "assumed": False,
        "ties": [],
        "items": 3,
        "lossless": not losses,
        "counts": {},
        "losses": [*losses],
        "failures": [*failures],
        **more,
    }


def failure(problem: str, **more: Any) -> dict[str, Any]:
    return {"item": None, "tool": None, "line": None, "pointer": "", "problem": problem, **more}


def tools(count: int) -> list[dict[str, Any]]:
    """Tools of which every other one has a hint, and every tenth a title."""
    return [
        {
            "name": f"tool_{number:04}",
            "description": f"Does the thing number {number}.",
            "inputSchema": {"type": "object", "properties": {"q": {"type": "string", "minLength": number % 7}}},
            **({"annotations": {"destructiveHint": True}} if number % 2 else {}),
            **({"title": "Title"} if number % 10 == 0 else {}),
        }
        for number in range(count)
    ]


def converted(source: list[dict[str, Any]], target: str = "openai@chat") -> tuple[dict[str, Any], list[ItemDocuments]]:
    """The report of a conversion of MCP tools and their documents."""
    result = convert(source, target, source=MCP, on_error="skip")
    left_out = {each.item for each in result.report if each.effect == "refused"}
    kept = [number for number in range(len(source)) if number not in left_out]
    places = {number: place for place, number in enumerate(kept)}
    documents = [
        ItemDocuments(
            str(each.get("name")),
            each,
            f"/{number}",
            result.value[places[number]] if number in places else None,
            f"/{places[number]}" if number in places else "",
        )
        for number, each in enumerate(source)
    ]
    return json.loads(result.report.to_json()) | {"input": "tools.json"}, documents
